//! What is painted on: the surface as points with ways between them, made once for each surface.
//!
//! Vertices at one place are one point. Between two points there is a way along each edge, across each face, and over each
//! edge from the corners beside it on one side to those on the other, straight in the plane that both faces unfold to, where that line
//! crosses the edge. Edges alone would be up to 41 % too long.

use super::brush::Reach;
use super::path::Contact;
use crate::math::bounds::Bounds;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::welded::welded;
use glam::{DVec3, Vec3};
use rayon::prelude::*;

/// Units of distance in the largest side of the box around the surface.
const UNITS: f64 = (1u32 << 26) as f64;
/// No length is more units than this: twice that is still a number.
const LONGEST: f64 = (1u32 << 30) as f64;
/// An edge of more faces is no part of a surface that could be unfolded.
const MOST_FACES: usize = 8;
/// Larger faces are not crossed from every corner to every other.
const MOST_CORNERS: usize = 8;

/// A way from a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    pub to: u32,
    /// In units of the canvas; not 0.
    pub length: u32,
}

/// A surface to paint on.
pub struct Canvas {
    /// P: where they are in the bind pose.
    pub points: Vec<Vec3>,
    /// V.
    pub point_of_vertex: Vec<u32>,
    /// P: the piece of the surface; below `shells`.
    pub shell_of_point: Vec<u32>,
    pub shells: u32,
    /// The largest side of the box around it, mesh units; above 0.
    pub size: f32,
    /// The length of an edge, in the middle of all, in units.
    pub step: u32,
    /// P + 1.
    vertex_starts: Vec<u32>,
    vertices: Vec<u32>,
    /// P + 1.
    link_starts: Vec<u32>,
    /// P: how many of the links are edges; these come first.
    edges: Vec<u32>,
    links: Vec<Link>,
}

/// Two points, the lower first, and the way between them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    ends: [u32; 2],
    is_no_edge: bool,
    length: u32,
}

/// An edge and the corners of a face next to its ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Wing {
    ends: [u32; 2],
    face: u32,
    corners: [u32; 2],
}

impl Canvas {
    pub fn new(surface: &HalfedgeMesh) -> Self {
        let (mut points, mut point_of_vertex) = welded(surface.positions());
        let bounds = Bounds::of_points(points.iter().copied());
        put_in_order(&mut points, &mut point_of_vertex, &bounds);
        let size = match bounds.is_empty() {
            true => 1.0,
            false => (bounds.max - bounds.min).max_element().max(f32::MIN_POSITIVE),
        };
        let mut canvas = Self {
            shell_of_point: Vec::new(),
            shells: 0,
            size,
            step: 1,
            vertex_starts: Vec::new(),
            vertices: Vec::new(),
            link_starts: Vec::new(),
            edges: Vec::new(),
            links: Vec::new(),
            points,
            point_of_vertex,
        };
        canvas.vertex_starts = starts(canvas.points.len(), canvas.point_of_vertex.iter().copied());
        let mut next = canvas.vertex_starts.clone();
        canvas.vertices = vec![0; canvas.point_of_vertex.len()];
        for (vertex, &point) in canvas.point_of_vertex.iter().enumerate() {
            canvas.vertices[next[point as usize] as usize] = vertex as u32;
            next[point as usize] += 1;
        }
        let ways = canvas.ways(surface);
        canvas.link(&ways);
        let mut edges: Vec<u32> = ways
            .iter()
            .filter(|way| !way.is_no_edge)
            .map(|way| way.length)
            .collect();
        if !edges.is_empty() {
            let middle = edges.len() / 2;
            canvas.step = *edges.select_nth_unstable(middle).1;
        }
        canvas.find_shells();
        canvas
    }

    /// Each once, sorted.
    fn ways(&self, surface: &HalfedgeMesh) -> Vec<Way> {
        let (mut ways, mut wings) = (Vec::new(), Vec::new());
        let mut corners: Vec<u32> = Vec::new();
        for face in (0..surface.face_count() as u32).filter(|&face| !surface.is_boundary(face)) {
            corners.clear();
            let around = surface.face_corners(face).map(|corner| surface.vertex_of(corner));
            corners.extend(around.map(|vertex| self.point_of_vertex[vertex as usize]));
            let n = corners.len();
            for i in 0..n {
                let (a, b) = (corners[i], corners[(i + 1) % n]);
                if a == b {
                    continue;
                }
                ways.push(self.way(a, b, true));
                let (ends, mut beside) = (
                    [a.min(b), a.max(b)],
                    [corners[(i + n - 1) % n], corners[(i + 2) % n]],
                );
                beside.sort_unstable();
                wings.push(Wing {
                    ends,
                    face,
                    corners: beside,
                });
                let last = if n <= MOST_CORNERS || i == 0 { n } else { 0 };
                let across = (i + 2..last).filter(|&j| j - i < n - 1);
                ways.extend(
                    across
                        .filter(|&j| corners[j] != a)
                        .map(|j| self.way(a, corners[j], false)),
                );
            }
        }
        wings.par_sort_unstable();
        for around in wings.chunk_by(|a, b| a.ends == b.ends) {
            if around.len() > MOST_FACES {
                continue;
            }
            for (i, a) in around.iter().enumerate() {
                for b in around[i + 1..].iter().filter(|b| b.face != a.face) {
                    self.unfold(a, b, &mut ways);
                }
            }
        }
        ways.par_sort_unstable();
        ways.dedup_by_key(|way| way.ends);
        ways
    }

    fn units(&self, length: f64) -> u32 {
        (length / f64::from(self.size) * UNITS).clamp(1.0, LONGEST) as u32
    }

    fn way(&self, a: u32, b: u32, is_edge: bool) -> Way {
        let [p, q] = [a, b].map(|point| self.points[point as usize].as_dvec3());
        Way {
            ends: [a.min(b), a.max(b)],
            is_no_edge: !is_edge,
            length: self.units(p.distance(q)),
        }
    }

    /// The ways over the edge that two faces share.
    fn unfold(&self, a: &Wing, b: &Wing, ways: &mut Vec<Way>) {
        let [start, end] = a.ends.map(|point| self.points[point as usize].as_dvec3());
        let edge = end.distance(start);
        let along = (end - start) / edge;
        // Along the edge, and away from it.
        let flat = |point: u32| {
            let way: DVec3 = self.points[point as usize].as_dvec3() - start;
            let x = way.dot(along);
            (x, (way - along * x).length())
        };
        let corners = |wing: &Wing| {
            let [first, second] = wing.corners;
            [Some(first), (second != first).then_some(second)]
        };
        for from in corners(a).into_iter().flatten() {
            for to in corners(b).into_iter().flatten() {
                if from == to || a.ends.contains(&from) || a.ends.contains(&to) {
                    continue;
                }
                let ((x0, y0), (x1, y1)) = (flat(from), flat(to));
                let crossing = x0 + (x1 - x0) * y0 / (y0 + y1);
                if crossing > 0.0 && crossing < edge {
                    ways.push(Way {
                        ends: [from.min(to), from.max(to)],
                        is_no_edge: true,
                        length: self.units((x1 - x0).hypot(y0 + y1)),
                    });
                }
            }
        }
    }

    fn link(&mut self, ways: &[Way]) {
        self.link_starts = starts(self.points.len(), ways.iter().flat_map(|way| way.ends));
        self.edges = vec![0; self.points.len()];
        self.links = vec![Link { to: 0, length: 1 }; 2 * ways.len()];
        let mut next = self.link_starts.clone();
        let (edges, others) = (
            ways.iter().filter(|w| !w.is_no_edge),
            ways.iter().filter(|w| w.is_no_edge),
        );
        for way in edges.chain(others) {
            let [a, b] = way.ends;
            for (from, to) in [(a, b), (b, a)] {
                let at = &mut next[from as usize];
                let length = way.length;
                self.links[*at as usize] = Link { to, length };
                *at += 1;
                self.edges[from as usize] += u32::from(!way.is_no_edge);
            }
        }
    }

    fn find_shells(&mut self) {
        let mut shells = vec![u32::MAX; self.points.len()];
        let mut open = Vec::new();
        for start in 0..self.points.len() as u32 {
            if shells[start as usize] != u32::MAX {
                continue;
            }
            shells[start as usize] = self.shells;
            open.push(start);
            while let Some(point) = open.pop() {
                for link in self.edges(point) {
                    if shells[link.to as usize] == u32::MAX {
                        shells[link.to as usize] = self.shells;
                        open.push(link.to);
                    }
                }
            }
            self.shells += 1;
        }
        self.shell_of_point = shells;
    }

    /// Ways from a point.
    pub fn links(&self, point: u32) -> &[Link] {
        let point = point as usize;
        &self.links[self.link_starts[point] as usize..self.link_starts[point + 1] as usize]
    }

    /// Those of them that are edges.
    pub fn edges(&self, point: u32) -> &[Link] {
        let start = self.link_starts[point as usize] as usize;
        &self.links[start..start + self.edges[point as usize] as usize]
    }

    /// At the place of a point; at least one.
    pub fn vertices(&self, point: u32) -> &[u32] {
        let point = point as usize;
        &self.vertices[self.vertex_starts[point] as usize..self.vertex_starts[point + 1] as usize]
    }

    /// A length in the bind pose, in units.
    pub fn in_units(&self, length: f32) -> u32 {
        (f64::from(length) / f64::from(self.size) * UNITS).clamp(0.0, LONGEST) as u32
    }

    /// In the bind pose.
    pub fn place(&self, contact: &Contact) -> Vec3 {
        let points = contact
            .triangle
            .map(|vertex| self.point_of_vertex[vertex as usize]);
        let corners = points.iter().zip(contact.weights);
        corners
            .map(|(&point, weight)| self.points[point as usize] * weight)
            .sum()
    }

    /// Where distances from a place begin: at the corners of its triangle, and within the radius, mesh units, at whatever
    /// else a brush of this reach gets at from there. `each`: gets points with their distances in units.
    pub fn each_seed(&self, contact: &Contact, reach: Reach, radius: f32, mut each: impl FnMut(u32, u32)) {
        let place = self.place(contact);
        let distance = |point: u32| self.points[point as usize].distance(place);
        let corners = contact
            .triangle
            .map(|vertex| self.point_of_vertex[vertex as usize]);
        for point in corners {
            each(point, self.in_units(distance(point)));
        }
        if reach == Reach::Volume && self.shells > 1 {
            let own = self.shell_of_point[corners[0] as usize];
            let others = (0..self.points.len() as u32).filter(|&p| self.shell_of_point[p as usize] != own);
            for (point, far) in others.map(|point| (point, distance(point))) {
                if far <= radius {
                    each(point, self.in_units(far));
                }
            }
        }
    }

    /// P: unit normals of the surface with its vertices, V, at `positions`.
    pub fn normals(&self, surface: &HalfedgeMesh, positions: &[Vec3]) -> Vec<Vec3> {
        let mut normals = vec![Vec3::ZERO; self.points.len()];
        for [a, b, c] in surface.triangles() {
            let [p, q, r] =
                [a, b, c].map(|vertex| positions.get(vertex as usize).copied().unwrap_or_default());
            let normal = (q - p).cross(r - p);
            for vertex in [a, b, c] {
                normals[self.point_of_vertex[vertex as usize] as usize] += normal;
            }
        }
        normals
            .iter_mut()
            .for_each(|normal| *normal = normal.normalize_or_zero());
        normals
    }
}

/// Points that are near to each other come near to each other, so that searches find them in the same few pages of memory: along a curve
/// that goes through eighths of the box, and of each of these.
fn put_in_order(points: &mut Vec<Vec3>, point_of_vertex: &mut [u32], bounds: &Bounds) {
    /// Of each coordinate.
    const BITS: u32 = 10;
    let size = (bounds.max - bounds.min).max(Vec3::splat(f32::MIN_POSITIVE));
    let key = |point: &Vec3| {
        let part = (*point - bounds.min) / size * ((1 << BITS) - 1) as f32;
        let along = part.to_array().map(|along| along as u32);
        (0..BITS).rev().fold(0, |key: u32, bit| {
            along.iter().fold(key, |key, along| key << 1 | along >> bit & 1)
        })
    };
    let mut order: Vec<(u32, u32)> = points.iter().map(key).zip(0..).collect();
    order.par_sort_unstable();
    let mut place = vec![0; points.len()];
    for (now, (_, before)) in (0..).zip(&order) {
        place[*before as usize] = now;
    }
    *points = order.iter().map(|(_, before)| points[*before as usize]).collect();
    for point in point_of_vertex {
        *point = place[*point as usize];
    }
}

/// Where the entries of each of `count` lists start, and the end of the last.
fn starts(count: usize, entries: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut starts = vec![0; count + 1];
    for entry in entries {
        starts[entry as usize + 1] += 1;
    }
    for at in 0..count {
        starts[at + 1] += starts[at];
    }
    starts
}
