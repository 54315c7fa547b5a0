//! A bounding volume hierarchy over triangles, for ray queries and proximity queries. Built with the binned
//! surface area heuristic (Wald 2007, "On fast construction of SAH-based bounding volume hierarchies"), and
//! refitted instead of rebuilt when vertices move.
//!
//! The tree stores no positions: every query takes those that the tree was built or refitted for.

mod near;
mod search_stack;
#[cfg(test)]
mod tests;

use super::halfedge::HalfedgeMesh;
use crate::math::bounds::Bounds;
use crate::math::ray::Ray;
use glam::Vec3;
use search_stack::SearchStack;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// The greatest number of triangles in a leaf, unless their centres coincide.
const LEAF: usize = 4;
const BINS: usize = 16;
/// The fraction of the distance along the ray by which boxes are enlarged; more than the rounding error.
const SLACK: f32 = 1e-5;

/// A bounding volume hierarchy over triangles of vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bvh {
    /// The root is first; the two children of a node follow it, next to each other.
    nodes: Vec<Node>,
    /// The triangles, in the order of the leaves.
    triangles: Vec<[u32; 3]>,
}

#[derive(Clone, Debug, PartialEq)]
struct Node {
    bounds: Bounds,
    /// The first triangle of a leaf, or the first of the two children of an inner node.
    first: u32,
    /// The number of triangles of a leaf; 0 for an inner node.
    count: u32,
}

/// The intersection of a ray with a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The ray parameter; the point is `ray.point_at(t)`.
    pub t: f32,
    /// The vertices of the triangle.
    pub triangle: [u32; 3],
}

impl Bvh {
    /// Builds a tree over [`HalfedgeMesh::triangles`] at the stored positions.
    pub fn from_surface(surface: &HalfedgeMesh) -> Self {
        Self::new(surface.positions(), &surface.triangles())
    }

    /// Builds a tree over triangles of `positions`. Triangles with vertex indices out of range are skipped;
    /// non-finite triangles are stored but never hit.
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let valid = triangles.iter().filter(|t| corners(positions, t).is_some());
        let mut items: Vec<Item> = valid.map(|t| Item::new(positions, *t)).collect();
        let mut tree = Self::default();
        if items.is_empty() {
            return tree;
        }
        tree.nodes.push(Node::leaf(0, items.len()));
        let mut stack = vec![0];
        while let Some(index) = stack.pop() {
            let (first, count) = (tree.nodes[index].first as usize, tree.nodes[index].count as usize);
            let Some(left) = split(&mut items[first..first + count]) else {
                continue;
            };
            let children = tree.nodes.len();
            tree.nodes.push(Node::leaf(first, left));
            tree.nodes.push(Node::leaf(first + left, count - left));
            (tree.nodes[index].first, tree.nodes[index].count) = (children as u32, 0);
            stack.extend([children, children + 1]);
        }
        tree.triangles = items.into_iter().map(|item| item.triangle).collect();
        tree.refit(positions);
        tree
    }

    /// Refits the boxes to new vertex positions: the same number as before, in the same order.
    pub fn refit(&mut self, positions: &[Vec3]) {
        for index in (0..self.nodes.len()).rev() {
            let node = &self.nodes[index];
            let bounds = match node.count {
                0 => {
                    let first = node.first as usize;
                    self.nodes[first].bounds.union(self.nodes[first + 1].bounds)
                }
                _ => {
                    let points = self.leaf(node).iter().filter_map(|t| corners(positions, t));
                    Bounds::from_points(points.flatten())
                }
            };
            self.nodes[index].bounds = bounds;
        }
    }

    /// Returns a copy of the tree refitted to new vertex positions.
    pub fn refitted(&self, positions: &[Vec3]) -> Self {
        let mut tree = self.clone();
        tree.refit(positions);
        tree
    }

    /// The bounding box of all triangles.
    pub fn bounds(&self) -> Bounds {
        self.nodes.first().map_or(Bounds::EMPTY, |root| root.bounds)
    }

    /// Returns the first triangle that the ray hits, from either side. To find the next one, query again with
    /// a larger `start`.
    pub fn first_hit(&self, positions: &[Vec3], ray: &Ray) -> Option<RayHit> {
        let mut best: Option<RayHit> = None;
        let mut stack = SearchStack::new((0, f32::NEG_INFINITY));
        while let Some((index, near)) = stack.pop() {
            let Some(node) = self.nodes.get(index) else {
                continue;
            };
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
            let mut children = [first, first + 1].map(|index| (index, enter(ray, &self.nodes[index].bounds)));
            // The nearer child last, so that it is visited first.
            if children[0].1 < children[1].1 {
                children.swap(0, 1);
            }
            for (index, near) in children {
                if let Some(near) = near {
                    stack.push((index, near));
                }
            }
        }
        best
    }

    /// Returns all triangles that the ray hits, nearest first.
    pub fn all_hits(&self, positions: &[Vec3], ray: &Ray) -> Vec<RayHit> {
        let mut hits = Vec::new();
        self.for_each_hit(positions, ray, |hit| hits.push(hit));
        hits.sort_by(|a, b| a.t.total_cmp(&b.t));
        hits
    }

    /// Calls `visit` for every triangle that the ray hits, in unspecified order.
    pub fn for_each_hit(&self, positions: &[Vec3], ray: &Ray, mut visit: impl FnMut(RayHit)) {
        let mut stack = SearchStack::new(0);
        while let Some(index) = stack.pop() {
            let Some(node) = self.nodes.get(index) else {
                continue;
            };
            if enter(ray, &node.bounds).is_none() {
                continue;
            }
            if node.count > 0 {
                self.in_leaf(node, positions, ray).for_each(&mut visit);
            } else {
                stack.push(node.first as usize);
                stack.push(node.first as usize + 1);
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
            let t = ray.intersect_triangle(a, b, c)?;
            Some(RayHit { t, triangle: *triangle })
        })
    }
}

impl Node {
    fn leaf(first: usize, count: usize) -> Self {
        Self { bounds: Bounds::EMPTY, first: first as u32, count: count as u32 }
    }
}

fn corners(positions: &[Vec3], triangle: &[u32; 3]) -> Option<[Vec3; 3]> {
    let corner = |i: usize| positions.get(triangle[i] as usize).copied();
    Some([corner(0)?, corner(1)?, corner(2)?])
}

/// Returns the ray parameter at which the ray enters the box, if it does. Conservative.
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

/// A triangle during construction.
struct Item {
    triangle: [u32; 3],
    bounds: Bounds,
    center: Vec3,
}

impl Item {
    fn new(positions: &[Vec3], triangle: [u32; 3]) -> Self {
        let bounds = Bounds::from_points(corners(positions, &triangle).into_iter().flatten());
        Self { triangle, bounds, center: bounds.center() }
    }
}

/// Partitions the items at the lowest cost and returns the size of the first part; `None` if they should form
/// a leaf.
fn split(items: &mut [Item]) -> Option<usize> {
    if items.len() <= LEAF {
        return None;
    }
    let centers = Bounds::from_points(items.iter().map(|item| item.center));
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

/// Returns the axis and the last bin of the first part of the best split; neither part is empty.
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
        // Count and bounds to the right of each bin, then one sweep from the left.
        let mut right = [(0usize, Bounds::EMPTY); BINS];
        for i in (0..BINS - 1).rev() {
            right[i] = (right[i + 1].0 + bins[i + 1].0, right[i + 1].1.union(bins[i + 1].1));
        }
        let mut left = (0usize, Bounds::EMPTY);
        for i in 0..BINS - 1 {
            left = (left.0 + bins[i].0, left.1.union(bins[i].1));
            if left.0 == 0 || right[i].0 == 0 {
                continue;
            }
            let cost = left.0 as f32 * half_area(&left.1) + right[i].0 as f32 * half_area(&right[i].1);
            // Even an infinite cost is better than no split.
            if best.is_none_or(|(least, ..)| cost < least) {
                best = Some((cost, axis, i));
            }
        }
    }
    best.map(|(_, axis, bin)| (axis, bin))
}

fn half_area(bounds: &Bounds) -> f32 {
    let size = bounds.max - bounds.min;
    if bounds.is_empty() { 0.0 } else { size.x * size.y + size.y * size.z + size.z * size.x }
}

/// A cache of the trees of surfaces. A tree is built on first use, and dropped when its surface is.
#[derive(Debug, Default)]
pub struct BvhCache(Mutex<HashMap<usize, CacheEntry>>);

/// A surface and its tree, keyed by the address of the surface, which is not reused while the weak reference
/// exists.
type CacheEntry = (Weak<HalfedgeMesh>, Arc<Bvh>);

impl BvhCache {
    /// Returns the tree over a surface at its stored positions.
    pub fn get(&self, surface: &Arc<HalfedgeMesh>) -> Arc<Bvh> {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.retain(|_, (surface, _)| surface.strong_count() > 0);
        let make = || (Arc::downgrade(surface), Arc::new(Bvh::from_surface(surface)));
        let (_, tree) = entries.entry(Arc::as_ptr(surface).addr()).or_insert_with(make);
        tree.clone()
    }
}
