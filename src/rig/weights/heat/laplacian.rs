//! The surface as the diffusion sees it: points, stiffness between them, areas, and which are connected.
//!
//! Stiffness of an edge: half the sum of the cotangents of the angles opposite to it (Pinkall and Polthier
//! 1993). Clamped to be positive, so that weights stay between 0 and 1 on every mesh. A quad counts as the mean of its two
//! triangulations, so that a symmetric mesh gets symmetric weights; larger polygons are fans.

use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::welded::welded;
use glam::{DVec3, Vec3};

/// Bounds of an edge's stiffness.
const STIFFNESS: std::ops::RangeInclusive<f64> = 1e-3..=1e3;
/// Triangles whose area is below this part of their longest edge's square have no angles worth the name.
const FLAT: f64 = 1e-8;
/// Half the cotangent of 60 degrees: a triangle without angles counts as one with equal sides.
const EQUAL_SIDES: f64 = 0.288_675_134_594_812_9;
/// No vertex has less than this part of the mean area.
const LEAST_AREA: f64 = 1e-6;

/// Points: vertices at one place are one point.
pub struct Stiffness {
    /// P.
    pub points: Vec<Vec3>,
    /// V.
    pub point_of_vertex: Vec<u32>,
    /// Each pair of points that share a triangle, once, the lower first, with the stiffness between them.
    pub edges: Vec<(u32, u32, f64)>,
    /// P: a third of the triangles around; positive.
    pub areas: Vec<f64>,
    /// P: which piece of the surface; below `shells`.
    pub shell_of_point: Vec<u32>,
    pub shells: usize,
}

impl Stiffness {
    /// `positions`: V, those of `surface` at some scale near 1.
    pub fn new(surface: &HalfedgeMesh, positions: &[Vec3]) -> Self {
        let (points, point_of_vertex) = welded(positions);
        let mut builder = Builder {
            edges: Vec::with_capacity(3 * surface.halfedge_count()),
            areas: vec![0.0; points.len()],
            points: &points,
        };
        let mut corners: Vec<u32> = Vec::new();
        for face in (0..surface.face_count() as u32).filter(|&face| !surface.is_boundary(face)) {
            corners.clear();
            let around = surface.face_corners(face).map(|corner| surface.vertex_of(corner));
            corners.extend(around.map(|v| point_of_vertex[v as usize]));
            match corners[..] {
                [a, b, c, d] => {
                    for triangle in [[a, b, c], [a, c, d], [b, c, d], [b, d, a]] {
                        builder.add(triangle, 0.5);
                    }
                }
                _ => {
                    for pair in corners[1..].windows(2) {
                        builder.add([corners[0], pair[0], pair[1]], 1.0);
                    }
                }
            }
        }
        let (edges, mut areas) = (merged(builder.edges), builder.areas);
        let mean = areas.iter().sum::<f64>() / areas.len().max(1) as f64;
        // A surface without area still needs areas: all equal ones.
        let least = if mean > 0.0 { mean * LEAST_AREA } else { 1.0 };
        areas.iter_mut().for_each(|area| *area = area.max(least));
        let (shell_of_point, shells) = shells(points.len(), &edges);
        Self {
            points,
            point_of_vertex,
            edges,
            areas,
            shell_of_point,
            shells,
        }
    }
}

struct Builder<'a> {
    points: &'a [Vec3],
    edges: Vec<(u32, u32, f64)>,
    areas: Vec<f64>,
}

impl Builder<'_> {
    fn add(&mut self, triangle: [u32; 3], part: f64) {
        let p = triangle.map(|point| self.points[point as usize].as_dvec3());
        let doubled_area = (p[1] - p[0]).cross(p[2] - p[0]).length();
        let longest = (0..3)
            .map(|i| p[i].distance_squared(p[(i + 1) % 3]))
            .fold(0.0, f64::max);
        for i in 0..3 {
            self.areas[triangle[i] as usize] += part * doubled_area / 6.0;
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let (low, high) = (triangle[j].min(triangle[k]), triangle[j].max(triangle[k]));
            if low == high {
                continue;
            }
            let stiffness = if doubled_area > FLAT * longest {
                0.5 * DVec3::dot(p[j] - p[i], p[k] - p[i]) / doubled_area
            } else {
                EQUAL_SIDES
            };
            self.edges.push((low, high, part * stiffness));
        }
    }
}

/// Sums what an edge got from its triangles.
fn merged(mut edges: Vec<(u32, u32, f64)>) -> Vec<(u32, u32, f64)> {
    edges.sort_by_key(|&(i, j, _)| (i, j));
    edges.dedup_by(|later, first| {
        let same = (later.0, later.1) == (first.0, first.1);
        if same {
            first.2 += later.2;
        }
        same
    });
    for edge in &mut edges {
        edge.2 = edge.2.clamp(*STIFFNESS.start(), *STIFFNESS.end());
    }
    edges
}

/// The piece of each point, and their number.
fn shells(points: usize, edges: &[(u32, u32, f64)]) -> (Vec<u32>, usize) {
    let mut root: Vec<u32> = (0..points as u32).collect();
    fn find(root: &mut [u32], mut v: u32) -> u32 {
        while root[v as usize] != v {
            root[v as usize] = root[root[v as usize] as usize];
            v = root[v as usize];
        }
        v
    }
    for &(i, j, _) in edges {
        let (i, j) = (find(&mut root, i), find(&mut root, j));
        root[i.max(j) as usize] = i.min(j);
    }
    let (mut number, mut shells) = (vec![u32::MAX; points], 0);
    let mut shell_of = Vec::with_capacity(points);
    for v in 0..points as u32 {
        let root = find(&mut root, v) as usize;
        if number[root] == u32::MAX {
            number[root] = shells;
            shells += 1;
        }
        shell_of.push(number[root]);
    }
    (shell_of, shells as usize)
}
