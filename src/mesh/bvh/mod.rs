//! A tree of boxes over triangles, for rays and for what is near a point. Built by the surface area heuristic over bins (Wald 2007,
//! "On fast construction of SAH-based bounding volume hierarchies"); refitted, not rebuilt, where the
//! vertices moved.
//!
//! It holds no positions: each query takes those that the tree was built or refitted for.

mod near;
mod open;
#[cfg(test)]
mod tests;

use super::halfedge::HalfedgeMesh;
use crate::math::bounds::Bounds;
use crate::math::ray::Ray;
use glam::Vec3;
use open::Open;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// A leaf holds at most this many triangles, unless they cannot be told apart.
const LEAF: usize = 4;
const BINS: usize = 16;
/// Boxes count as larger by this part of the distance along the ray, which is more than rounding takes.
const SLACK: f32 = 1e-5;

/// A tree over triangles of vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bvh {
    /// The root first; both children of a node after it, side by side.
    nodes: Vec<Node>,
    /// In the order of the leaves.
    triangles: Vec<[u32; 3]>,
}

#[derive(Clone, Debug, PartialEq)]
struct Node {
    bounds: Bounds,
    /// A leaf's first triangle, or the first of two children.
    first: u32,
    /// Triangles of a leaf; 0 for an inner node.
    count: u32,
}

/// Where a ray meets a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// Along the ray: the point is `ray.at(t)`.
    pub t: f32,
    /// Vertices of the triangle.
    pub triangle: [u32; 3],
}

impl Bvh {
    /// A tree over [`HalfedgeMesh::triangles`] at the stored positions.
    pub fn from_surface(surface: &HalfedgeMesh) -> Self {
        Self::new(surface.positions(), &surface.triangles())
    }

    /// A tree over triangles of `positions`. Triangles that name no vertex are left out; those that are
    /// not finite are kept and never hit.
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let held = triangles.iter().filter(|t| corners(positions, t).is_some());
        let mut items: Vec<Item> = held.map(|t| Item::new(positions, *t)).collect();
        let mut tree = Self::default();
        if items.is_empty() {
            return tree;
        }
        tree.nodes.push(Node::leaf(0, items.len()));
        let mut open = vec![0];
        while let Some(at) = open.pop() {
            let (first, count) = (tree.nodes[at].first as usize, tree.nodes[at].count as usize);
            let Some(left) = split(&mut items[first..first + count]) else {
                continue;
            };
            let children = tree.nodes.len();
            tree.nodes.push(Node::leaf(first, left));
            tree.nodes.push(Node::leaf(first + left, count - left));
            (tree.nodes[at].first, tree.nodes[at].count) = (children as u32, 0);
            open.extend([children, children + 1]);
        }
        tree.triangles = items.into_iter().map(|item| item.triangle).collect();
        tree.refit(positions);
        tree
    }

    /// Fits the boxes to where the vertices are now: the same number as before, in the same order.
    pub fn refit(&mut self, positions: &[Vec3]) {
        for at in (0..self.nodes.len()).rev() {
            let node = &self.nodes[at];
            let bounds = match node.count {
                0 => {
                    let first = node.first as usize;
                    self.nodes[first].bounds.union(self.nodes[first + 1].bounds)
                }
                _ => {
                    let points = self.leaf(node).iter().filter_map(|t| corners(positions, t));
                    Bounds::of_points(points.flatten())
                }
            };
            self.nodes[at].bounds = bounds;
        }
    }

    /// A copy of the tree for the same triangles with their vertices elsewhere.
    pub fn refitted(&self, positions: &[Vec3]) -> Self {
        let mut tree = self.clone();
        tree.refit(positions);
        tree
    }

    /// The smallest box around all triangles.
    pub fn bounds(&self) -> Bounds {
        self.nodes.first().map_or(Bounds::EMPTY, |root| root.bounds)
    }

    /// The first triangle that the ray meets, from either side. For the next one, ask again with a later
    /// `start`.
    pub fn first(&self, positions: &[Vec3], ray: &Ray) -> Option<RayHit> {
        let mut best: Option<RayHit> = None;
        let mut open = Open::new((0, f32::NEG_INFINITY));
        while let Some((at, near)) = open.pop() {
            let Some(node) = self.nodes.get(at) else { continue };
            if best.is_some_and(|best| near > best.t) {
                continue;
            }
            if node.count > 0 {
                for hit in self.in_leaf(node, positions, ray) {
                    if best.is_none_or(|best| hit.t < best.t) {
                        best = Some(hit);
                    }
                }
                continue;
            }
            let first = node.first as usize;
            let mut children = [first, first + 1].map(|at| (at, enter(ray, &self.nodes[at].bounds)));
            // The nearer one last, so that it is looked into first.
            if children[0].1 < children[1].1 {
                children.swap(0, 1);
            }
            for (at, near) in children {
                if let Some(near) = near {
                    open.push((at, near));
                }
            }
        }
        best
    }

    /// All triangles that the ray meets, the first one first.
    pub fn all(&self, positions: &[Vec3], ray: &Ray) -> Vec<RayHit> {
        let mut hits = Vec::new();
        self.each(positions, ray, |hit| hits.push(hit));
        hits.sort_by(|a, b| a.t.total_cmp(&b.t));
        hits
    }

    /// As [`Self::all`], one by one, in no order that means anything.
    pub fn each(&self, positions: &[Vec3], ray: &Ray, mut each: impl FnMut(RayHit)) {
        let mut open = Open::new(0);
        while let Some(at) = open.pop() {
            let Some(node) = self.nodes.get(at) else { continue };
            if enter(ray, &node.bounds).is_none() {
                continue;
            }
            if node.count > 0 {
                self.in_leaf(node, positions, ray).for_each(&mut each);
            } else {
                open.push(node.first as usize);
                open.push(node.first as usize + 1);
            }
        }
    }

    fn leaf(&self, node: &Node) -> &[[u32; 3]] {
        let first = node.first as usize;
        &self.triangles[first..first + node.count as usize]
    }

    fn in_leaf(&self, node: &Node, positions: &[Vec3], ray: &Ray) -> impl Iterator<Item = RayHit> {
        self.leaf(node).iter().filter_map(|triangle| {
            let [a, b, c] = corners(positions, triangle)?;
            let t = ray.triangle(a, b, c)?;
            Some(RayHit {
                t,
                triangle: *triangle,
            })
        })
    }
}

impl Node {
    fn leaf(first: usize, count: usize) -> Self {
        Self {
            bounds: Bounds::EMPTY,
            first: first as u32,
            count: count as u32,
        }
    }
}

fn corners(positions: &[Vec3], triangle: &[u32; 3]) -> Option<[Vec3; 3]> {
    let corner = |i: usize| positions.get(triangle[i] as usize).copied();
    Some([corner(0)?, corner(1)?, corner(2)?])
}

/// Where the ray comes into the box, if it does. Conservative.
fn enter(ray: &Ray, bounds: &Bounds) -> Option<f32> {
    if bounds.is_empty() {
        return None;
    }
    let (mut near, mut far) = (ray.start, f32::INFINITY);
    for axis in 0..3 {
        let (origin, direction) = (ray.origin[axis], ray.direction[axis]);
        let (low, high) = (bounds.min[axis] - origin, bounds.max[axis] - origin);
        if direction == 0.0 {
            let slack = SLACK * (bounds.min[axis].abs() + bounds.max[axis].abs());
            if low > slack || high < -slack {
                return None;
            }
            continue;
        }
        let (t0, t1) = (low / direction, high / direction);
        let (enters, leaves) = (t0.min(t1), t0.max(t1));
        near = near.max(enters - SLACK * enters.abs());
        far = far.min(leaves + SLACK * leaves.abs());
    }
    (near <= far).then_some(near)
}

/// A triangle while the tree is built.
struct Item {
    triangle: [u32; 3],
    bounds: Bounds,
    center: Vec3,
}

impl Item {
    fn new(positions: &[Vec3], triangle: [u32; 3]) -> Self {
        let bounds = Bounds::of_points(corners(positions, &triangle).into_iter().flatten());
        Self {
            triangle,
            bounds,
            center: bounds.center(),
        }
    }
}

/// Parts the items where it costs least; how many come first. `None` where they should stay together.
fn split(items: &mut [Item]) -> Option<usize> {
    if items.len() <= LEAF {
        return None;
    }
    let centers = Bounds::of_points(items.iter().map(|item| item.center));
    let (axis, bin) = cheapest(items, &centers)?;
    let mut left = 0;
    for i in 0..items.len() {
        if bin_of(&items[i], &centers, axis) <= bin {
            items.swap(i, left);
            left += 1;
        }
    }
    Some(left)
}

fn bin_of(item: &Item, centers: &Bounds, axis: usize) -> usize {
    let extent = centers.max[axis] - centers.min[axis];
    let place = (item.center[axis] - centers.min[axis]) / extent * BINS as f32;
    (place as usize).min(BINS - 1)
}

/// The axis and the last bin of the first part, both parts not empty.
fn cheapest(items: &[Item], centers: &Bounds) -> Option<(usize, usize)> {
    let mut best: Option<(f32, usize, usize)> = None;
    for axis in 0..3 {
        if centers.max[axis] <= centers.min[axis] {
            continue;
        }
        let mut bins = [(0usize, Bounds::EMPTY); BINS];
        for item in items {
            let bin = &mut bins[bin_of(item, centers, axis)];
            *bin = (bin.0 + 1, bin.1.union(item.bounds));
        }
        // Costs of what lies right of each bin, then one sweep from the left.
        let mut right = [(0usize, Bounds::EMPTY); BINS];
        for i in (0..BINS - 1).rev() {
            right[i] = (
                right[i + 1].0 + bins[i + 1].0,
                right[i + 1].1.union(bins[i + 1].1),
            );
        }
        let mut left = (0usize, Bounds::EMPTY);
        for i in 0..BINS - 1 {
            left = (left.0 + bins[i].0, left.1.union(bins[i].1));
            if left.0 == 0 || right[i].0 == 0 {
                continue;
            }
            let cost = left.0 as f32 * half_area(&left.1) + right[i].0 as f32 * half_area(&right[i].1);
            // Costs that overflow are still better than no split.
            if best.is_none_or(|(least, ..)| cost < least) {
                best = Some((cost, axis, i));
            }
        }
    }
    best.map(|(_, axis, bin)| (axis, bin))
}

fn half_area(bounds: &Bounds) -> f32 {
    let size = bounds.max - bounds.min;
    if bounds.is_empty() {
        0.0
    } else {
        size.x * size.y + size.y * size.z + size.z * size.x
    }
}

/// Trees over surfaces, beside them: each is made when it is first asked for, and kept as long as its surface is there.
#[derive(Debug, Default)]
pub struct Trees(Mutex<HashMap<usize, Known>>);

/// By the address of the surface, which stays taken while the weak reference lives.
type Known = (Weak<HalfedgeMesh>, Arc<Bvh>);

impl Trees {
    /// The tree over a surface at its stored positions.
    pub fn get(&self, surface: &Arc<HalfedgeMesh>) -> Arc<Bvh> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|_, (surface, _)| surface.strong_count() > 0);
        let make = || (Arc::downgrade(surface), Arc::new(Bvh::from_surface(surface)));
        let (_, tree) = known.entry(Arc::as_ptr(surface).addr()).or_insert_with(make);
        tree.clone()
    }
}

impl HalfedgeMesh {
    /// The triangles that draw the surface: fans around the corner that each face names, without boundary
    /// faces.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        let mut triangles = Vec::new();
        for face in (0..self.face_count() as u32).filter(|&f| !self.is_boundary(f)) {
            let mut corners = self.face_corners(face).map(|h| self.vertex_of(h));
            let (Some(center), Some(mut before)) = (corners.next(), corners.next()) else {
                continue;
            };
            for corner in corners {
                triangles.push([center, before, corner]);
                before = corner;
            }
        }
        triangles
    }
}
