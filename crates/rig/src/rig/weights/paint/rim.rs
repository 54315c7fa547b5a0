//! The outline of a brush on a surface: contour lines of the distance field that its stroke uses, so that
//! they enclose exactly the points that the stroke reaches.

use super::brush::Reach;
use super::canvas::Canvas;
use super::field::{Field, Touch};
use super::path::Contact;
use super::stroke::Stroke;
use crate::mesh::halfedge::HalfedgeMesh;
use std::sync::Arc;

/// The number of pieces of a ring within one triangle, between two of its corners.
const ARC: usize = 12;

/// A straight piece of a contour line within one triangle.
pub type Piece = [Contact; 2];

/// Calculates the outline of a brush.
pub struct Rim {
    surface: Arc<HalfedgeMesh>,
    canvas: Arc<Canvas>,
    triangles: Vec<[u32; 3]>,
    /// P + 1: where the triangles around each point start in `around`.
    starts: Vec<u32>,
    around: Vec<u32>,
    /// P: the longest link of a point, in units.
    longest: Vec<u32>,
    field: Field,
    contacts: Vec<Contact>,
    scratch: Vec<u32>,
}

impl Rim {
    /// Creates the outline calculator for a surface and its canvas.
    pub fn new(surface: &Arc<HalfedgeMesh>, canvas: &Arc<Canvas>) -> Self {
        let points = canvas.points.len();
        let triangles: Vec<[u32; 3]> = surface.triangles();
        let point = |vertex: u32| canvas.point_of_vertex[vertex as usize] as usize;
        let mut starts = vec![0; points + 1];
        let corners = || triangles.iter().enumerate().flat_map(|(t, c)| c.map(|v| (t, v)));
        corners().for_each(|(_, vertex)| starts[point(vertex) + 1] += 1);
        for i in 0..points {
            starts[i + 1] += starts[i];
        }
        let mut next: Vec<u32> = starts.clone();
        let mut around = vec![0; 3 * triangles.len()];
        for (triangle, vertex) in corners() {
            let next = &mut next[point(vertex)];
            around[*next as usize] = triangle as u32;
            *next += 1;
        }
        let longest = |point| canvas.links(point).iter().map(|link| link.length).max();
        Self {
            longest: (0..points as u32).map(|point| longest(point).unwrap_or(0)).collect(),
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

    /// Moves the brush to contacts with the surface, one or several behind each other. `radius`: in mesh
    /// units.
    pub fn touch(&mut self, contacts: &[Contact], reach: Reach, radius: f32) {
        self.contacts.clear();
        self.contacts.extend_from_slice(contacts);
        self.field.clear();
        self.field.spread_to(self.canvas.in_units(radius));
        for (seed, contact) in contacts.iter().enumerate() {
            self.canvas.for_each_seed(contact, reach, radius, |point, distance| {
                self.field.seed(point, distance, seed as u32);
            });
        }
        self.scratch.clear();
        self.field.spread(&self.canvas, &mut self.scratch);
    }

    /// Calculates the contour at a distance in mesh units, at most the radius, as pieces in no particular
    /// order. Distances are straight in the touched triangles and interpolated between the corners in all
    /// others.
    pub fn lines(&self, distance: f32, pieces: &mut Vec<Piece>) {
        let (field, contacts) = (&self.field, &self.contacts[..]);
        let touch = Touch { field, contacts, offset: 0 };
        self.contour(&touch, distance, pieces);
    }

    /// Calculates [`Self::lines`] from the distances of the last dab of a stroke on the same surface; keeps
    /// `pieces` if there was no dab.
    pub fn lines_of_dab(&self, stroke: &Stroke, distance: f32, pieces: &mut Vec<Piece>) {
        if let Some(touch) = stroke.last_dab() {
            self.contour(&touch, distance, pieces);
        }
    }

    fn contour(&self, touch: &Touch, distance: f32, pieces: &mut Vec<Piece>) {
        pieces.clear();
        let level_units = touch.offset + self.canvas.in_units(distance);
        let level = f64::from(level_units);
        for contact in touch.contacts {
            self.around_contact(touch, contact, distance, pieces);
        }
        for &point in touch.field.touched() {
            // Points further outside have no neighbour inside.
            let is_near =
                |label: u32| label > level_units && label - level_units <= self.longest[point as usize];
            if !touch.field.at(point).is_some_and(|(label, _)| is_near(label)) {
                continue;
            }
            let range = self.starts[point as usize] as usize..self.starts[point as usize + 1] as usize;
            for &triangle in &self.around[range] {
                let triangle = self.triangles[triangle as usize];
                let corners = triangle.map(|vertex| self.canvas.point_of_vertex[vertex as usize]);
                let labels = self.labels(touch.field, corners);
                let is_out = labels.map(|label| label > level);
                // Visit each triangle once, from its first corner outside.
                let first = is_out.iter().position(|out| *out);
                if first.is_none_or(|first| corners[first] != point)
                    || is_out == [true; 3]
                    || touch.contacts.iter().any(|contact| contact.triangle == triangle)
                {
                    continue;
                }
                // The corner that is alone on its side of the contour.
                let outside = is_out.iter().filter(|out| **out).count();
                let alone = is_out.iter().position(|out| *out == (outside == 1)).unwrap_or(0);
                let end = |other: usize| {
                    let part = (level - labels[alone]) / (labels[other] - labels[alone]);
                    let mut weights = [0.0; 3];
                    (weights[alone], weights[other]) = (1.0 - part as f32, part as f32);
                    Contact { triangle, weights }
                };
                pieces.push([end((alone + 1) % 3), end((alone + 2) % 3)]);
            }
        }
    }

    /// Returns the distances of a triangle's corners, in units; those of corners without labels are estimated
    /// along the edges.
    fn labels(&self, field: &Field, corners: [u32; 3]) -> [f64; 3] {
        let known = corners.map(|point| field.at(point).map(|(label, _)| f64::from(label)));
        let edge = |a: usize, b: usize| {
            let [p, q] = [corners[a], corners[b]].map(|point| self.canvas.points[point as usize]);
            f64::from(self.canvas.in_units(p.distance(q)))
        };
        [0, 1, 2].map(|i| {
            let from = |j: usize| known[j].map(|label| label + edge(i, j));
            let along = || [(i + 1) % 3, (i + 2) % 3].map(from).into_iter().flatten();
            known[i].unwrap_or_else(|| along().fold(f64::INFINITY, f64::min))
        })
    }

    /// Adds the pieces within a touched triangle, as seen from the contact towards each of its three edges.
    fn around_contact(&self, touch: &Touch, contact: &Contact, radius: f32, pieces: &mut Vec<Piece>) {
        let bind = self.surface.positions();
        let center = contact.position(bind);
        let corners = contact.triangle.map(|vertex| bind[vertex as usize]);
        let points = contact.triangle.map(|vertex| self.canvas.point_of_vertex[vertex as usize]);
        let level = f64::from(touch.offset + self.canvas.in_units(radius));
        let labels = self.labels(touch.field, points);
        // The point at the radius on the way from the centre to a point of the triangle, or that point if it
        // is nearer.
        let towards = |weights: [f32; 3], distance: f32| {
            let part = if distance > radius { radius / distance } else { 1.0 };
            let weights = [0, 1, 2].map(|i| contact.weights[i] + (weights[i] - contact.weights[i]) * part);
            Contact { weights, ..*contact }
        };
        let on_edge = |from: usize, to: usize, part: f32| {
            let mut weights = [0.0; 3];
            (weights[from], weights[to]) = (1.0 - part, part);
            weights
        };
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            let offsets = [a, b].map(|corner| corners[corner] - center);
            let distances = offsets.map(glam::Vec3::length);
            match [a, b].map(|corner| labels[corner] > level) {
                [false, false] => {}
                [true, true] => {
                    // An arc around the centre, but not beyond the edge.
                    let angle = offsets[0].angle_between(offsets[1]);
                    let point = |i: usize| {
                        let turned = angle * i as f32 / ARC as f32;
                        let from_a = distances[0] * turned.sin();
                        let from_b = distances[1] * (angle - turned).sin();
                        let part = if from_a + from_b > 0.0 { from_a / (from_a + from_b) } else { 0.5 };
                        let edge = corners[a].lerp(corners[b], part);
                        towards(on_edge(a, b, part), edge.distance(center))
                    };
                    pieces.extend((0..ARC).map(|i| [point(i), point(i + 1)]));
                }
                [_, is_b] => {
                    let (inside, outside) = if is_b { (a, b) } else { (b, a) };
                    let part = (level - labels[inside]) / (labels[outside] - labels[inside]);
                    let crossing = on_edge(inside, outside, part as f32);
                    let weights = crossing;
                    let end = towards(on_edge(outside, inside, 0.0), distances[usize::from(is_b)]);
                    pieces.push([Contact { weights, ..*contact }, end]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
