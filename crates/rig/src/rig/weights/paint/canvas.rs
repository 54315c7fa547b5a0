//! The surface to paint on, as a graph of points and paths between them, built once for each surface.
//!
//! Vertices at the same position are one point. Paths follow each edge, cross each face between its corners,
//! and cross each edge between the neighbouring corners of its two faces: straight in the plane into which
//! both faces unfold, if that line crosses the edge. Edges alone would overestimate distances by up to 41 %.

use super::brush::Reach;
use super::path::Contact;
use crate::math::bounds::Bounds;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::weld::weld;
use glam::{DVec3, Vec3};
use rayon::prelude::*;

/// The largest side of the surface's bounding box in units of distance.
const UNITS: f64 = (1u32 << 26) as f64;
/// The largest length in units; twice as much does not overflow.
const LONGEST: f64 = (1u32 << 30) as f64;
/// Edges with more faces are not unfolded.
const MOST_FACES: usize = 8;
/// Faces with more corners are crossed only from their first corner.
const MOST_CORNERS: usize = 8;

/// A path from a point to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    pub to: u32,
    /// The length in units of the canvas; not 0.
    pub length: u32,
}

/// A surface to paint on.
pub struct Canvas {
    /// P: positions in the bind pose.
    pub points: Vec<Vec3>,
    /// V: the point of each vertex.
    pub point_of_vertex: Vec<u32>,
    /// P: the index of the connected piece of the surface; below `shells`.
    pub shell_of_point: Vec<u32>,
    pub shells: u32,
    /// The largest side of the bounding box, in mesh units; above 0.
    pub size: f32,
    /// The median length of an edge, in units.
    pub step: u32,
    /// P + 1: where the vertices of each point start in `vertices`.
    vertex_starts: Vec<u32>,
    vertices: Vec<u32>,
    /// P + 1: where the links of each point start in `links`.
    link_starts: Vec<u32>,
    /// P: the number of links that are edges; these come first.
    edge_counts: Vec<u32>,
    links: Vec<Link>,
}

/// A path between two points, the lower index first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Path {
    ends: [u32; 2],
    is_no_edge: bool,
    length: u32,
}

/// An edge of a face, and the corners of the face next to its ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Wing {
    ends: [u32; 2],
    face: u32,
    corners: [u32; 2],
}

impl Canvas {
    pub fn new(surface: &HalfedgeMesh) -> Self {
        let (mut points, mut point_of_vertex) = weld(surface.positions());
        let bounds = Bounds::from_points(points.iter().copied());
        sort_by_locality(&mut points, &mut point_of_vertex, &bounds);
        let size = if bounds.is_empty() {
            1.0
        } else {
            (bounds.max - bounds.min).max_element().max(f32::MIN_POSITIVE)
        };
        let mut canvas = Self {
            shell_of_point: Vec::new(),
            shells: 0,
            size,
            step: 1,
            vertex_starts: Vec::new(),
            vertices: Vec::new(),
            link_starts: Vec::new(),
            edge_counts: Vec::new(),
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
        let paths = canvas.paths(surface);
        canvas.set_links(&paths);
        let mut edges: Vec<u32> =
            paths.iter().filter(|path| !path.is_no_edge).map(|path| path.length).collect();
        if !edges.is_empty() {
            let middle = edges.len() / 2;
            canvas.step = *edges.select_nth_unstable(middle).1;
        }
        canvas.find_shells();
        canvas
    }

    /// Returns all unique paths, sorted.
    fn paths(&self, surface: &HalfedgeMesh) -> Vec<Path> {
        let (mut paths, mut wings) = (Vec::new(), Vec::new());
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
                paths.push(self.path(a, b, true));
                let (ends, mut neighbours) =
                    ([a.min(b), a.max(b)], [corners[(i + n - 1) % n], corners[(i + 2) % n]]);
                neighbours.sort_unstable();
                wings.push(Wing { ends, face, corners: neighbours });
                let last = if n <= MOST_CORNERS || i == 0 { n } else { 0 };
                let across = (i + 2..last).filter(|&j| j - i < n - 1);
                paths.extend(across.filter(|&j| corners[j] != a).map(|j| self.path(a, corners[j], false)));
            }
        }
        wings.par_sort_unstable();
        for around in wings.chunk_by(|a, b| a.ends == b.ends) {
            if around.len() > MOST_FACES {
                continue;
            }
            for (i, a) in around.iter().enumerate() {
                for b in around[i + 1..].iter().filter(|b| b.face != a.face) {
                    self.unfold(a, b, &mut paths);
                }
            }
        }
        paths.par_sort_unstable();
        paths.dedup_by_key(|path| path.ends);
        paths
    }

    fn units(&self, length: f64) -> u32 {
        (length / f64::from(self.size) * UNITS).clamp(1.0, LONGEST) as u32
    }

    fn path(&self, a: u32, b: u32, is_edge: bool) -> Path {
        let [p, q] = [a, b].map(|point| self.points[point as usize].as_dvec3());
        Path { ends: [a.min(b), a.max(b)], is_no_edge: !is_edge, length: self.units(p.distance(q)) }
    }

    /// Adds the paths across the edge that two faces share.
    fn unfold(&self, a: &Wing, b: &Wing, paths: &mut Vec<Path>) {
        let [start, end] = a.ends.map(|point| self.points[point as usize].as_dvec3());
        let edge = end.distance(start);
        let along = (end - start) / edge;
        // The coordinate along the edge, and the distance from it.
        let flat = |point: u32| {
            let offset: DVec3 = self.points[point as usize].as_dvec3() - start;
            let x = offset.dot(along);
            (x, (offset - along * x).length())
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
                    paths.push(Path {
                        ends: [from.min(to), from.max(to)],
                        is_no_edge: true,
                        length: self.units((x1 - x0).hypot(y0 + y1)),
                    });
                }
            }
        }
    }

    fn set_links(&mut self, paths: &[Path]) {
        self.link_starts = starts(self.points.len(), paths.iter().flat_map(|path| path.ends));
        self.edge_counts = vec![0; self.points.len()];
        self.links = vec![Link { to: 0, length: 1 }; 2 * paths.len()];
        let mut next = self.link_starts.clone();
        let (edges, others) =
            (paths.iter().filter(|path| !path.is_no_edge), paths.iter().filter(|path| path.is_no_edge));
        for path in edges.chain(others) {
            let [a, b] = path.ends;
            for (from, to) in [(a, b), (b, a)] {
                let next = &mut next[from as usize];
                let length = path.length;
                self.links[*next as usize] = Link { to, length };
                *next += 1;
                self.edge_counts[from as usize] += u32::from(!path.is_no_edge);
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

    /// Returns the paths from a point; edges come first.
    pub fn links(&self, point: u32) -> &[Link] {
        let point = point as usize;
        &self.links[self.link_starts[point] as usize..self.link_starts[point + 1] as usize]
    }

    /// Returns the paths from a point that are edges.
    pub fn edges(&self, point: u32) -> &[Link] {
        let start = self.link_starts[point as usize] as usize;
        &self.links[start..start + self.edge_counts[point as usize] as usize]
    }

    /// Returns the vertices at a point; at least one.
    pub fn vertices(&self, point: u32) -> &[u32] {
        let point = point as usize;
        &self.vertices[self.vertex_starts[point] as usize..self.vertex_starts[point + 1] as usize]
    }

    /// Converts a length in the bind pose to units.
    pub fn in_units(&self, length: f32) -> u32 {
        (f64::from(length) / f64::from(self.size) * UNITS).clamp(0.0, LONGEST) as u32
    }

    /// Returns the position of a contact in the bind pose.
    pub fn position(&self, contact: &Contact) -> Vec3 {
        let points = contact.triangle.map(|vertex| self.point_of_vertex[vertex as usize]);
        let corners = points.iter().zip(contact.weights);
        corners.map(|(&point, weight)| self.points[point as usize] * weight).sum()
    }

    /// Calls `visit` with the points where distances from a contact start, and their distances in units: the
    /// corners of its triangle, and for [`Reach::Volume`] all points of other shells within `radius`, in mesh
    /// units.
    pub fn for_each_seed(
        &self,
        contact: &Contact,
        reach: Reach,
        radius: f32,
        mut visit: impl FnMut(u32, u32),
    ) {
        let position = self.position(contact);
        let distance = |point: u32| self.points[point as usize].distance(position);
        let corners = contact.triangle.map(|vertex| self.point_of_vertex[vertex as usize]);
        for point in corners {
            visit(point, self.in_units(distance(point)));
        }
        if reach == Reach::Volume && self.shells > 1 {
            let shell = self.shell_of_point[corners[0] as usize];
            let others = (0..self.points.len() as u32).filter(|&p| self.shell_of_point[p as usize] != shell);
            for (point, distance) in others.map(|point| (point, distance(point))) {
                if distance <= radius {
                    visit(point, self.in_units(distance));
                }
            }
        }
    }

    /// P: the unit normals of the surface with its vertices, V, at `positions`.
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
        normals.iter_mut().for_each(|normal| *normal = normal.normalize_or_zero());
        normals
    }
}

/// Sorts points along a Z-order curve, so that searches find neighbouring points in the same few pages of
/// memory.
fn sort_by_locality(points: &mut Vec<Vec3>, point_of_vertex: &mut [u32], bounds: &Bounds) {
    /// The bits per coordinate.
    const BITS: u32 = 10;
    let size = (bounds.max - bounds.min).max(Vec3::splat(f32::MIN_POSITIVE));
    let key = |point: &Vec3| {
        let part = (*point - bounds.min) / size * ((1 << BITS) - 1) as f32;
        let along = part.to_array().map(|along| along as u32);
        (0..BITS)
            .rev()
            .fold(0, |key: u32, bit| along.iter().fold(key, |key, along| key << 1 | along >> bit & 1))
    };
    let mut order: Vec<(u32, u32)> = points.iter().map(key).zip(0..).collect();
    order.par_sort_unstable();
    let mut new_index = vec![0; points.len()];
    for (new, (_, old)) in (0..).zip(&order) {
        new_index[*old as usize] = new;
    }
    *points = order.iter().map(|(_, old)| points[*old as usize]).collect();
    for point in point_of_vertex {
        *point = new_index[*point as usize];
    }
}

/// Returns where the entries of each of `count` lists start, and the end of the last.
fn starts(count: usize, entries: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut starts = vec![0; count + 1];
    for entry in entries {
        starts[entry as usize + 1] += 1;
    }
    for i in 0..count {
        starts[i + 1] += starts[i];
    }
    starts
}
