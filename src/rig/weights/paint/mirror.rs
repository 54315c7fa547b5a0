//! Which point of a surface is on the other side of a plane: by place, by the faces around, or the nearest.

use super::canvas::Canvas;
use crate::mesh::bvh::Bvh;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::edits::middle::MirrorPlane;
use glam::Vec3;
use std::collections::{HashMap, VecDeque};

/// How far a point may be from the image of its partner, as part of the size of the surface.
const EXACT: f32 = 1e-4;
/// How far the surface may be from the image of a point that has no partner.
const NEAR: f32 = 0.05;

/// Where the other side of a point is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Image {
    Point(u32),
    /// Between three, with barycentric coordinates.
    Between([u32; 3], [f32; 3]),
    Nowhere,
}

/// The other side of each point.
pub struct MirrorMap {
    /// P.
    pub images: Vec<Image>,
    /// How many points were found by place, by the faces around, and as the nearest place.
    pub counts: [usize; 3],
    /// P + 1: whose image a point is, or helps to be.
    starts: Vec<u32>,
    users: Vec<u32>,
}

impl MirrorMap {
    /// `tree`: over the triangles of the surface, in the bind pose. `plane`: see
    /// [`crate::rig::edits::middle`].
    pub fn new(canvas: &Canvas, surface: &HalfedgeMesh, tree: &Bvh, plane: &MirrorPlane) -> Self {
        let mut partners = by_place(canvas, plane);
        let placed = partners.iter().flatten().count();
        if placed > 0 && placed < partners.len() {
            by_faces(canvas, surface, &mut partners);
        }
        let matched = partners.iter().flatten().count();
        let mut counts = [placed, matched - placed, 0];
        let far = NEAR * canvas.size;
        let images: Vec<Image> = partners
            .iter()
            .zip(&canvas.points)
            .map(|(partner, point)| match partner {
                Some(partner) => Image::Point(*partner),
                None => match tree.closest(surface.positions(), plane.reflected(*point)) {
                    Some(near) if near.distance <= far => {
                        counts[2] += 1;
                        let corners = near
                            .triangle
                            .map(|vertex| canvas.point_of_vertex[vertex as usize]);
                        Image::Between(corners, near.weights)
                    }
                    _ => Image::Nowhere,
                },
            })
            .collect();
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for (point, image) in images.iter().enumerate() {
            match *image {
                Image::Point(of) => pairs.push((of, point as u32)),
                Image::Between(of, _) => pairs.extend(of.map(|of| (of, point as u32))),
                Image::Nowhere => {}
            }
        }
        pairs.sort_unstable();
        let mut starts = vec![0; images.len() + 1];
        pairs.iter().for_each(|(of, _)| starts[*of as usize + 1] += 1);
        for at in 0..images.len() {
            starts[at + 1] += starts[at];
        }
        Self {
            images,
            counts,
            starts,
            users: pairs.into_iter().map(|(_, user)| user).collect(),
        }
    }

    /// Points whose other side is `point`, or next to it.
    pub fn users(&self, point: u32) -> &[u32] {
        let point = point as usize;
        &self.users[self.starts[point] as usize..self.starts[point + 1] as usize]
    }
}

/// Points that are each other's nearest on the other side.
fn by_place(canvas: &Canvas, plane: &MirrorPlane) -> Vec<Option<u32>> {
    let cell_size = EXACT * canvas.size;
    let cell = |point: Vec3| (point / cell_size).floor().as_ivec3().to_array();
    let mut cells: HashMap<[i32; 3], Vec<u32>> = HashMap::with_capacity(canvas.points.len());
    for (point, place) in canvas.points.iter().enumerate() {
        cells.entry(cell(*place)).or_default().push(point as u32);
    }
    let nearest = |place: Vec3| {
        let [x, y, z] = cell(place);
        let mut best: Option<(f32, u32)> = None;
        for (dx, dy, dz) in (0..27).map(|i| (i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1)) {
            let near = [x.saturating_add(dx), y.saturating_add(dy), z.saturating_add(dz)];
            for &point in cells.get(&near).into_iter().flatten() {
                let distance = canvas.points[point as usize].distance(place);
                if distance <= cell_size && best.is_none_or(|best| (distance, point) < best) {
                    best = Some((distance, point));
                }
            }
        }
        best.map(|(_, point)| point)
    };
    let nearest: Vec<Option<u32>> = canvas
        .points
        .iter()
        .map(|place| nearest(plane.reflected(*place)))
        .collect();
    let mutual = |(point, other): (usize, &Option<u32>)| {
        other.filter(|&other| nearest[other as usize] == Some(point as u32))
    };
    nearest.iter().enumerate().map(mutual).collect()
}

/// From faces with an edge whose ends have partners over to their neighbours, the other way round on the other side.
/// Points for which that comes to two answers get none.
fn by_faces(canvas: &Canvas, surface: &HalfedgeMesh, partners: &mut [Option<u32>]) {
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
    let mut seen = vec![false; surface.face_count()];
    let mut torn = vec![false; partners.len()];
    let (mut these, mut those) = (Vec::new(), Vec::new());
    while let Some((here, there)) = open.pop_front() {
        let face = surface.face_of(here);
        if std::mem::replace(&mut seen[face as usize], true)
            || surface.is_boundary(face)
            || surface.is_boundary(surface.face_of(there))
        {
            continue;
        }
        let around = |first: u32, out: &mut Vec<u32>| {
            out.clear();
            let mut corners: Vec<u32> = surface.face_corners(surface.face_of(first)).collect();
            let at = corners.iter().position(|&h| h == first).unwrap_or(0);
            corners.rotate_left(at);
            out.extend(corners);
        };
        around(here, &mut these);
        around(there, &mut those);
        if these.len() != those.len() {
            continue;
        }
        let n = these.len();
        for i in 0..n {
            // The half-edge that starts here at i ends there where the one at n - i starts.
            let (a, b) = (point(these[i]), end(those[(n - i) % n]));
            match (partners[a as usize], partners[b as usize]) {
                (None, None) => (partners[a as usize], partners[b as usize]) = (Some(b), Some(a)),
                (Some(of), _) if of == b => {}
                _ => (torn[a as usize], torn[b as usize]) = (true, true),
            }
        }
        for i in 0..n {
            open.push_back((
                HalfedgeMesh::twin(these[i]),
                HalfedgeMesh::twin(those[(n - i) % n]),
            ));
        }
    }
    for a in (0..partners.len()).filter(|&a| torn[a] && !known[a]) {
        if let Some(b) = partners[a].take().filter(|&b| !known[b as usize]) {
            partners[b as usize] = None;
        }
    }
}
