//! The discrete Laplacian of the surface: points, the stiffness between them, areas, and connected shells.
//!
//! The stiffness of an edge is half the sum of the cotangents of the opposite angles (Pinkall and Polthier
//! 1993), clamped to be positive so that weights stay between 0 and 1 on every mesh. A quad counts as the
//! mean of its two triangulations, so that a symmetric mesh gets symmetric weights; concave quads and larger polygons are triangulated.

use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::triangulate::Triangulator;
use crate::mesh::weld::weld;
use glam::{DVec3, Vec3};

/// The bounds of an edge's stiffness.
const STIFFNESS_RANGE: std::ops::RangeInclusive<f64> = 1e-3..=1e3;
/// Triangles whose area is below this fraction of their longest edge's square count as degenerate.
const DEGENERATE: f64 = 1e-8;
/// Half the cotangent of 60 degrees: a degenerate triangle counts as equilateral.
const EQUILATERAL: f64 = 0.288_675_134_594_812_9;
/// The smallest area of a point, as a fraction of the mean area.
const LEAST_AREA: f64 = 1e-6;

/// The stiffness matrix and areas of a surface. Vertices at the same position are one point.
pub struct Stiffness {
    /// P: positions.
    pub points: Vec<Vec3>,
    /// V: the point of each vertex.
    pub point_of_vertex: Vec<u32>,
    /// Each pair of points that share a triangle once, the lower index first, with their stiffness.
    pub edges: Vec<(u32, u32, f64)>,
    /// P: a third of the area of the adjacent triangles; positive.
    pub areas: Vec<f64>,
    /// P: the index of the connected piece of the surface; below `shells`.
    pub shell_of_point: Vec<u32>,
    pub shells: usize,
}

impl Stiffness {
    /// Builds the matrix. `positions`: V, the vertices of `surface` scaled to a size near 1.
    pub fn new(surface: &HalfedgeMesh, positions: &[Vec3]) -> Self {
        let (points, point_of_vertex) = weld(positions);
        let mut builder = Builder {
            edges: Vec::with_capacity(3 * surface.halfedge_count()),
            areas: vec![0.0; points.len()],
            points: &points,
        };
        let (mut corners, mut triangulator) = (Vec::<u32>::new(), Triangulator::default());
        for face in (0..surface.face_count() as u32).filter(|&face| !surface.is_boundary(face)) {
            corners.clear();
            let around = surface.face_corners(face).map(|corner| surface.vertex_of(corner));
            corners.extend(around.map(|v| point_of_vertex[v as usize]));
            let position = |point: u32| points[point as usize].as_dvec3();
            match corners[..] {
                [a, b, c, d] if Triangulator::is_convex_quad([a, b, c, d].map(position)) => {
                    for triangle in [[a, b, c], [a, c, d], [b, c, d], [b, d, a]] {
                        builder.add(triangle, 0.5);
                    }
                }
                _ => {
                    for triangle in triangulator.triangles(corners.iter().map(|&point| position(point))) {
                        builder.add(triangle.map(|corner| corners[corner]), 1.0);
                    }
                }
            }
        }
        let (edges, mut areas) = (merge(builder.edges), builder.areas);
        let mean = areas.iter().sum::<f64>() / areas.len().max(1) as f64;
        // A surface without area still needs positive areas: all equal.
        let least = if mean > 0.0 { mean * LEAST_AREA } else { 1.0 };
        areas.iter_mut().for_each(|area| *area = area.max(least));
        let (shell_of_point, shells) = find_shells(points.len(), &edges);
        Self { points, point_of_vertex, edges, areas, shell_of_point, shells }
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
        let longest = (0..3).map(|i| p[i].distance_squared(p[(i + 1) % 3])).fold(0.0, f64::max);
        for i in 0..3 {
            self.areas[triangle[i] as usize] += part * doubled_area / 6.0;
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let (low, high) = (triangle[j].min(triangle[k]), triangle[j].max(triangle[k]));
            if low == high {
                continue;
            }
            let stiffness = if doubled_area > DEGENERATE * longest {
                0.5 * DVec3::dot(p[j] - p[i], p[k] - p[i]) / doubled_area
            } else {
                EQUILATERAL
            };
            self.edges.push((low, high, part * stiffness));
        }
    }
}

/// Sums the stiffness that each edge got from its triangles.
fn merge(mut edges: Vec<(u32, u32, f64)>) -> Vec<(u32, u32, f64)> {
    edges.sort_by_key(|&(i, j, _)| (i, j));
    edges.dedup_by(|later, first| {
        let is_duplicate = (later.0, later.1) == (first.0, first.1);
        if is_duplicate {
            first.2 += later.2;
        }
        is_duplicate
    });
    for edge in &mut edges {
        edge.2 = edge.2.clamp(*STIFFNESS_RANGE.start(), *STIFFNESS_RANGE.end());
    }
    edges
}

/// Returns the shell of each point and the number of shells.
fn find_shells(points: usize, edges: &[(u32, u32, f64)]) -> (Vec<u32>, usize) {
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
