//! Finds the point of a surface on the other side of a plane: by position, by topology, or as the nearest
//! position.

use super::canvas::Canvas;
use crate::mesh::bvh::Bvh;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::body::mirror_plane::MirrorPlane;
use glam::Vec3;
use std::collections::{HashMap, VecDeque};

/// The largest distance of a point from the image of its partner, as a fraction of the surface's size.
const EXACT: f32 = 1e-4;
/// The largest distance of the surface from the image of a point without a partner, as a fraction of its
/// size.
const NEAR: f32 = 0.05;

/// The mirror image of a point on the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Image {
    Point(u32),
    /// Between three points, with barycentric coordinates.
    Between([u32; 3], [f32; 3]),
    Nowhere,
}

/// The mirror image of each point.
pub struct MirrorMap {
    /// P: the image of each point.
    pub images: Vec<Image>,
    /// The numbers of images found by position, by topology, and as the nearest position.
    pub counts: [usize; 3],
    /// P + 1: where the entries of each point start in `users`.
    starts: Vec<u32>,
    users: Vec<u32>,
}

impl MirrorMap {
    /// Finds the images. `tree`: the triangles of the surface in the bind pose. `plane`: see
    /// [`crate::rig::body::middle`].
    pub fn new(canvas: &Canvas, surface: &HalfedgeMesh, tree: &Bvh, plane: &MirrorPlane) -> Self {
        let mut partners = match_positions(canvas, plane);
        let placed = partners.iter().flatten().count();
        if placed > 0 && placed < partners.len() {
            match_faces(canvas, surface, &mut partners);
        }
        let matched = partners.iter().flatten().count();
        let mut counts = [placed, matched - placed, 0];
        let max_distance = NEAR * canvas.size;
        let images: Vec<Image> = partners
            .iter()
            .zip(&canvas.points)
            .map(|(partner, point)| match partner {
                Some(partner) => Image::Point(*partner),
                None => match tree.closest(surface.positions(), reflected(plane, *point)) {
                    Some(near) if near.distance <= max_distance => {
                        counts[2] += 1;
                        let corners = near.triangle.map(|vertex| canvas.point_of_vertex[vertex as usize]);
                        Image::Between(corners, near.weights)
                    }
                    _ => Image::Nowhere,
                },
            })
            .collect();
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for (point, image) in images.iter().enumerate() {
            match *image {
                Image::Point(image) => pairs.push((image, point as u32)),
                Image::Between(corners, _) => pairs.extend(corners.map(|corner| (corner, point as u32))),
                Image::Nowhere => {}
            }
        }
        pairs.sort_unstable();
        let mut starts = vec![0; images.len() + 1];
        pairs.iter().for_each(|(image, _)| starts[*image as usize + 1] += 1);
        for i in 0..images.len() {
            starts[i + 1] += starts[i];
        }
        Self { images, counts, starts, users: pairs.into_iter().map(|(_, user)| user).collect() }
    }

    /// Returns the points whose image is `point` or has it as a corner.
    pub fn users(&self, point: u32) -> &[u32] {
        let point = point as usize;
        &self.users[self.starts[point] as usize..self.starts[point + 1] as usize]
    }
}

fn reflected(plane: &MirrorPlane, point: Vec3) -> Vec3 {
    plane.reflect(point.as_dvec3()).as_vec3()
}

/// Matches points that are each other's nearest on the other side.
fn match_positions(canvas: &Canvas, plane: &MirrorPlane) -> Vec<Option<u32>> {
    let cell_size = EXACT * canvas.size;
    let cell = |point: Vec3| (point / cell_size).floor().as_ivec3().to_array();
    let mut cells: HashMap<[i32; 3], Vec<u32>> = HashMap::with_capacity(canvas.points.len());
    for (point, position) in canvas.points.iter().enumerate() {
        cells.entry(cell(*position)).or_default().push(point as u32);
    }
    let nearest = |position: Vec3| {
        let [x, y, z] = cell(position);
        let mut best: Option<(f32, u32)> = None;
        for (dx, dy, dz) in (0..27).map(|i| (i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1)) {
            let near = [x.saturating_add(dx), y.saturating_add(dy), z.saturating_add(dz)];
            for &point in cells.get(&near).into_iter().flatten() {
                let distance = canvas.points[point as usize].distance(position);
                if distance <= cell_size && best.is_none_or(|best| (distance, point) < best) {
                    best = Some((distance, point));
                }
            }
        }
        best.map(|(_, point)| point)
    };
    let nearest: Vec<Option<u32>> =
        canvas.points.iter().map(|position| nearest(reflected(plane, *position))).collect();
    let mutual = |(point, other): (usize, &Option<u32>)| {
        other.filter(|&other| nearest[other as usize] == Some(point as u32))
    };
    nearest.iter().enumerate().map(mutual).collect()
}

/// Extends the matches from faces with a matched edge to their neighbours, with reversed winding on the other
/// side. Points with contradictory matches get none.
fn match_faces(canvas: &Canvas, surface: &HalfedgeMesh, partners: &mut [Option<u32>]) {
    let known: Vec<bool> = partners.iter().map(Option::is_some).collect();
    let point = |halfedge: u32| canvas.point_of_vertex[surface.vertex_of(halfedge) as usize];
    let end = |halfedge: u32| point(HalfedgeMesh::twin(halfedge));
    let halfedges = 0..surface.halfedge_count() as u32;
    let by_ends: HashMap<(u32, u32), u32> = halfedges
        .clone()
        .filter(|&h| !surface.is_boundary(surface.face_of(h)))
        .map(|h| ((point(h), end(h)), h))
        .collect();
    let mut open: VecDeque<(u32, u32)> = halfedges
        .filter_map(|h| {
            let (a, b) = (partners[point(h) as usize]?, partners[end(h) as usize]?);
            Some((h, *by_ends.get(&(b, a))?))
        })
        .collect();
    let mut is_visited = vec![false; surface.face_count()];
    let mut is_contradictory = vec![false; partners.len()];
    let (mut loop_a, mut loop_b) = (Vec::new(), Vec::new());
    while let Some((halfedge, image)) = open.pop_front() {
        let face = surface.face_of(halfedge);
        if std::mem::replace(&mut is_visited[face as usize], true)
            || surface.is_boundary(face)
            || surface.is_boundary(surface.face_of(image))
        {
            continue;
        }
        let around = |first: u32, out: &mut Vec<u32>| {
            out.clear();
            let mut corners: Vec<u32> = surface.face_corners(surface.face_of(first)).collect();
            let start = corners.iter().position(|&h| h == first).unwrap_or(0);
            corners.rotate_left(start);
            out.extend(corners);
        };
        around(halfedge, &mut loop_a);
        around(image, &mut loop_b);
        if loop_a.len() != loop_b.len() {
            continue;
        }
        let n = loop_a.len();
        for i in 0..n {
            // Half-edge i of one face is the image of half-edge n - i of the other, reversed.
            let (a, b) = (point(loop_a[i]), end(loop_b[(n - i) % n]));
            match (partners[a as usize], partners[b as usize]) {
                (None, None) => (partners[a as usize], partners[b as usize]) = (Some(b), Some(a)),
                (Some(partner), _) if partner == b => {}
                _ => (is_contradictory[a as usize], is_contradictory[b as usize]) = (true, true),
            }
        }
        for i in 0..n {
            open.push_back((HalfedgeMesh::twin(loop_a[i]), HalfedgeMesh::twin(loop_b[(n - i) % n])));
        }
    }
    for a in (0..partners.len()).filter(|&a| is_contradictory[a] && !known[a]) {
        if let Some(b) = partners[a].take().filter(|&b| !known[b as usize]) {
            partners[b as usize] = None;
        }
    }
}
