//! Which faces of a mesh cross each other: triangles in a hashed grid, edges against triangles.
//!
//! Faces that share a vertex are not compared; coplanar overlaps are not detected.

use crate::quads::QuadMesh;
use glam::{IVec3, Vec3};
use std::collections::{BTreeSet, HashMap};

/// Pairs of quads (each split both ways) that share no vertex and cross.
pub fn crossings(mesh: &QuadMesh) -> Vec<[usize; 2]> {
    const CELL: f32 = 0.1;
    let corner = |f: usize, i: usize| mesh.positions[mesh.quads[f][i]];
    let bounds = |f: usize| {
        let p = [0, 1, 2, 3].map(|i| corner(f, i));
        (p.iter().copied().fold(p[0], Vec3::min), p.iter().copied().fold(p[0], Vec3::max))
    };
    let mut cells: HashMap<IVec3, Vec<usize>> = HashMap::new();
    for f in 0..mesh.quads.len() {
        let (low, high) = bounds(f);
        let (a, b) = ((low / CELL).floor().as_ivec3(), (high / CELL).floor().as_ivec3());
        for x in a.x..=b.x {
            for y in a.y..=b.y {
                for z in a.z..=b.z {
                    cells.entry(IVec3::new(x, y, z)).or_default().push(f);
                }
            }
        }
    }
    let mut found = BTreeSet::new();
    for faces in cells.values() {
        for (i, &f) in faces.iter().enumerate() {
            for &g in &faces[i + 1..] {
                let ((al, ah), (bl, bh)) = (bounds(f), bounds(g));
                if al.cmple(bh).all() && bl.cmple(ah).all() && !share(mesh, f, g) && cross(mesh, f, g) {
                    found.insert([f.min(g), f.max(g)]);
                }
            }
        }
    }
    found.into_iter().collect()
}

fn share(mesh: &QuadMesh, f: usize, g: usize) -> bool {
    mesh.quads[f].iter().any(|v| mesh.quads[g].contains(v))
}

/// Whether a side or a diagonal of one passes through one of the four triangles of the other.
fn cross(mesh: &QuadMesh, f: usize, g: usize) -> bool {
    let points = |f: usize| mesh.quads[f].map(|v| mesh.positions[v]);
    let pierces = |a: [Vec3; 4], b: [Vec3; 4]| {
        [[0, 1], [1, 2], [2, 3], [3, 0], [0, 2], [1, 3]].iter().any(|&[i, j]| {
            [[0, 1, 2], [0, 2, 3], [0, 1, 3], [1, 2, 3]]
                .iter()
                .any(|&[k, l, m]| segment(a[i], a[j], b[k], b[l], b[m]))
        })
    };
    pierces(points(f), points(g)) || pierces(points(g), points(f))
}

/// Whether the segment p-q passes through the triangle a, b, c: signs of five volumes.
fn segment(p: Vec3, q: Vec3, a: Vec3, b: Vec3, c: Vec3) -> bool {
    let volume = |a: Vec3, b: Vec3, c: Vec3, d: Vec3| {
        let [a, b, c, d] = [a, b, c, d].map(|v| v.as_dvec3());
        (b - a).cross(c - a).dot(d - a)
    };
    if volume(a, b, c, p) * volume(a, b, c, q) >= 0.0 {
        return false;
    }
    let (x, y, z) = (volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a));
    (x > 0.0 && y > 0.0 && z > 0.0) || (x < 0.0 && y < 0.0 && z < 0.0)
}
