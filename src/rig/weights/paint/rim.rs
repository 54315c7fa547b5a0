//! Where a brush ends on a surface: lines of equal distance in the field of distances that its stroke has, so that they
//! go around just those points that the stroke reaches.

use super::brush::Reach;
use super::canvas::Canvas;
use super::field::{Field, Touch};
use super::path::Contact;
use super::stroke::Stroke;
use crate::mesh::halfedge::HalfedgeMesh;
use std::sync::Arc;

/// Of a ring within one triangle: pieces between two of its corners.
const ARC: usize = 12;

/// A straight piece of a line, in one triangle.
pub type Piece = [Contact; 2];

/// What a brush that touches a surface reaches.
pub struct Rim {
    surface: Arc<HalfedgeMesh>,
    canvas: Arc<Canvas>,
    triangles: Vec<[u32; 3]>,
    /// P + 1: which triangles lie around a point.
    starts: Vec<u32>,
    around: Vec<u32>,
    /// P: the longest way from a point to the next, in units.
    longest: Vec<u32>,
    field: Field,
    contacts: Vec<Contact>,
    scratch: Vec<u32>,
}

impl Rim {
    /// `canvas`: of the surface.
    pub fn new(surface: &Arc<HalfedgeMesh>, canvas: &Arc<Canvas>) -> Self {
        let points = canvas.points.len();
        let triangles: Vec<[u32; 3]> = surface.triangles();
        let point = |vertex: u32| canvas.point_of_vertex[vertex as usize] as usize;
        let mut starts = vec![0; points + 1];
        let corners = || triangles.iter().enumerate().flat_map(|(t, c)| c.map(|v| (t, v)));
        corners().for_each(|(_, vertex)| starts[point(vertex) + 1] += 1);
        for at in 0..points {
            starts[at + 1] += starts[at];
        }
        let mut next: Vec<u32> = starts.clone();
        let mut around = vec![0; 3 * triangles.len()];
        for (triangle, vertex) in corners() {
            let at = &mut next[point(vertex)];
            around[*at as usize] = triangle as u32;
            *at += 1;
        }
        let longest = |point| canvas.links(point).iter().map(|link| link.length).max();
        Self {
            longest: (0..points as u32)
                .map(|point| longest(point).unwrap_or(0))
                .collect(),
            field: Field::with_rim(canvas),
            contacts: Vec::with_capacity(64),
            scratch: Vec::with_capacity(points),
            surface: surface.clone(),
            canvas: canvas.clone(),
            triangles,
            starts,
            around,
        }
    }

    /// The brush touches the surface there, at one place or at several behind each other, and nowhere else. `radius`: mesh
    /// units.
    pub fn touch(&mut self, contacts: &[Contact], reach: Reach, radius: f32) {
        self.contacts.clear();
        self.contacts.extend_from_slice(contacts);
        self.field.clear();
        self.field.spread_to(self.canvas.in_units(radius));
        for (seed, contact) in contacts.iter().enumerate() {
            self.canvas.each_seed(contact, reach, radius, |point, distance| {
                self.field.seed(point, distance, seed as u32);
            });
        }
        self.scratch.clear();
        self.field.spread(&self.canvas, &mut self.scratch);
    }

    /// The lines at a distance, mesh units, no more than the radius; in no order that means anything. In the triangles
    /// that are touched themselves distances are straight, else even between the corners.
    pub fn lines(&self, distance: f32, pieces: &mut Vec<Piece>) {
        let (field, contacts) = (&self.field, &self.contacts[..]);
        let touch = Touch {
            field,
            contacts,
            offset: 0,
        };
        self.lines_of(&touch, distance, pieces);
    }

    /// As [`Self::lines`], of the last dab of a stroke on the same surface, which has searched already; those of before
    /// where it made none.
    pub fn lines_of_dab(&self, stroke: &Stroke, distance: f32, pieces: &mut Vec<Piece>) {
        if let Some(touch) = stroke.last_dab() {
            self.lines_of(&touch, distance, pieces);
        }
    }

    fn lines_of(&self, touch: &Touch, distance: f32, pieces: &mut Vec<Piece>) {
        pieces.clear();
        let far = touch.offset + self.canvas.in_units(distance);
        let at = f64::from(far);
        for contact in touch.contacts {
            self.around_contact(touch, contact, distance, pieces);
        }
        for &point in touch.field.touched() {
            // Further away it has no neighbour on the other side.
            let is_near = |label: u32| label > far && label - far <= self.longest[point as usize];
            if !touch.field.at(point).is_some_and(|(label, _)| is_near(label)) {
                continue;
            }
            let range = self.starts[point as usize] as usize..self.starts[point as usize + 1] as usize;
            for &triangle in &self.around[range] {
                let triangle = self.triangles[triangle as usize];
                let corners = triangle.map(|vertex| self.canvas.point_of_vertex[vertex as usize]);
                let labels = self.labels(touch.field, corners);
                let is_out = labels.map(|label| label > at);
                // Each triangle once: by the first corner that lies outside.
                let first = is_out.iter().position(|out| *out);
                if first.is_none_or(|first| corners[first] != point)
                    || is_out == [true; 3]
                    || touch.contacts.iter().any(|contact| contact.triangle == triangle)
                {
                    continue;
                }
                // The corner that is alone on its side.
                let outside = is_out.iter().filter(|out| **out).count();
                let alone = is_out.iter().position(|out| *out == (outside == 1)).unwrap_or(0);
                let end = |other: usize| {
                    let part = (at - labels[alone]) / (labels[other] - labels[alone]);
                    let mut weights = [0.0; 3];
                    (weights[alone], weights[other]) = (1.0 - part as f32, part as f32);
                    Contact { triangle, weights }
                };
                pieces.push([end((alone + 1) % 3), end((alone + 2) % 3)]);
            }
        }
    }

    /// Distances of the corners of a triangle, in units; of one beyond all labels, along the edges.
    fn labels(&self, field: &Field, corners: [u32; 3]) -> [f64; 3] {
        let known = corners.map(|point| field.at(point).map(|(label, _)| f64::from(label)));
        let edge = |a: usize, b: usize| {
            let [p, q] = [corners[a], corners[b]].map(|point| self.canvas.points[point as usize]);
            f64::from(self.canvas.in_units(p.distance(q)))
        };
        [0, 1, 2].map(|i| {
            let by = |j: usize| known[j].map(|label| label + edge(i, j));
            let along = || [(i + 1) % 3, (i + 2) % 3].map(by).into_iter().flatten();
            known[i].unwrap_or_else(|| along().fold(f64::INFINITY, f64::min))
        })
    }

    /// In the triangle that is touched, which is three around the place.
    fn around_contact(&self, touch: &Touch, contact: &Contact, radius: f32, pieces: &mut Vec<Piece>) {
        let bind = self.surface.positions();
        let place = contact.place(bind);
        let corners = contact.triangle.map(|vertex| bind[vertex as usize]);
        let points = contact
            .triangle
            .map(|vertex| self.canvas.point_of_vertex[vertex as usize]);
        let at = f64::from(touch.offset + self.canvas.in_units(radius));
        let labels = self.labels(touch.field, points);
        // So far from the place to a point of the triangle.
        let towards = |weights: [f32; 3], far: f32| {
            let part = if far > radius { radius / far } else { 1.0 };
            let weights = [0, 1, 2].map(|i| contact.weights[i] + (weights[i] - contact.weights[i]) * part);
            Contact { weights, ..*contact }
        };
        let on_edge = |from: usize, to: usize, part: f32| {
            let mut weights = [0.0; 3];
            (weights[from], weights[to]) = (1.0 - part, part);
            weights
        };
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            let ways = [a, b].map(|corner| corners[corner] - place);
            let far = ways.map(glam::Vec3::length);
            match [a, b].map(|corner| labels[corner] > at) {
                [false, false] => {}
                [true, true] => {
                    // Around the place, but not beyond the edge.
                    let angle = ways[0].angle_between(ways[1]);
                    let point = |i: usize| {
                        let turned = angle * i as f32 / ARC as f32;
                        let (near, other) = (far[0] * turned.sin(), far[1] * (angle - turned).sin());
                        let part = if near + other > 0.0 {
                            near / (near + other)
                        } else {
                            0.5
                        };
                        let edge = corners[a].lerp(corners[b], part);
                        towards(on_edge(a, b, part), edge.distance(place))
                    };
                    pieces.extend((0..ARC).map(|i| [point(i), point(i + 1)]));
                }
                [_, is_b] => {
                    let (inside, outside) = if is_b { (a, b) } else { (b, a) };
                    let part = (at - labels[inside]) / (labels[outside] - labels[inside]);
                    let crossing = on_edge(inside, outside, part as f32);
                    let weights = crossing;
                    let end = towards(on_edge(outside, inside, 0.0), far[usize::from(is_b)]);
                    pieces.push([Contact { weights, ..*contact }, end]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
