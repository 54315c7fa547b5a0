//! From a solid to quads: a naive surface net. One vertex in each cell of a grid that the surface passes,
//! one quad across each edge of the grid that it cuts (S. Gibson, "Constrained elastic surface nets", 1998).
//!
//! The grid is its own mirror image: a layer of cells lies over x = 0, so that the mesh has a seam there.

use crate::quads::QuadMesh;
use crate::shape::Solid;
use glam::{IVec3, Vec2, Vec3};
use std::collections::HashMap;

/// The surface within the box from -`high`.x to `high`.x and from `low` to `high` in y and z, by cells of
/// size `cell`. Texture coordinates are those of a side view.
pub fn net(solid: &impl Solid, low: Vec3, high: Vec3, cell: f32) -> QuadMesh {
    let half = (high.x / cell).ceil() as i32;
    let first = IVec3::new(-half, (low.y / cell).floor() as i32, (low.z / cell).floor() as i32);
    let last = IVec3::new(half + 1, (high.y / cell).ceil() as i32, (high.z / cell).ceil() as i32);
    // Corners are offset by half a cell, so that the middle layer is centred on x = 0.
    let corner = |c: IVec3| (c.as_vec3() - Vec3::new(0.5, 0.0, 0.0)) * cell;
    let size = last - first + 1;
    let index = |c: IVec3| {
        let c = c - first;
        ((c.z * size.y + c.y) * size.x + c.x) as usize
    };
    let mut values = vec![0.0; (size.x * size.y * size.z) as usize];
    let all = |to: IVec3| {
        (first.z..=to.z).flat_map(move |z| {
            (first.y..=to.y).flat_map(move |y| (first.x..=to.x).map(move |x| IVec3::new(x, y, z)))
        })
    };
    all(last).for_each(|c| values[index(c)] = solid.distance(corner(c)));
    let value = |c: IVec3| values[index(c)];

    let mut mesh = QuadMesh::default();
    let mut vertex_of: HashMap<IVec3, usize> = HashMap::new();
    for c in all(last - 1) {
        if let Some(p) = crossing_mean(|at| value(c + at), |at| corner(c + at)) {
            let on_seam = c.x == 0;
            vertex_of.insert(c, mesh.vertex(if on_seam { Vec3::new(0.0, p.y, p.z) } else { p }));
        }
    }
    mesh.mirror = vec![0; mesh.positions.len()];
    for (c, &v) in &vertex_of {
        mesh.mirror[v] = vertex_of[&IVec3::new(-c.x, c.y, c.z)];
    }
    let side_view = |p: Vec3| (Vec2::new(p.z, p.y) - Vec2::new(low.z, low.y)) / (high - low).max_element();
    for c in all(last - 1) {
        for (axis, [u, v]) in [
            (IVec3::X, [IVec3::Y, IVec3::Z]),
            (IVec3::Y, [IVec3::Z, IVec3::X]),
            (IVec3::Z, [IVec3::X, IVec3::Y]),
        ] {
            let inside = value(c) < 0.0;
            if inside == (value(c + axis) < 0.0) {
                continue;
            }
            let around = [c - u - v, c - v, c, c - u].map(|cell| vertex_of.get(&cell).copied());
            if let [Some(a), Some(b), Some(c), Some(d)] = around {
                // Counter-clockwise seen from outside.
                let quad = if inside { [a, b, c, d] } else { [d, c, b, a] };
                mesh.quad(quad, quad.map(|v| side_view(mesh.positions[v])));
            }
        }
    }
    mesh
}

/// The mean of the points where the edges of a cell cross zero, or `None` if none does.
fn crossing_mean(value: impl Fn(IVec3) -> f32, point: impl Fn(IVec3) -> Vec3) -> Option<Vec3> {
    let (mut sum, mut count) = (Vec3::ZERO, 0.0);
    for a in 0..8 {
        for bit in [1, 2, 4] {
            let b = a | bit;
            let at = |i: i32| IVec3::new(i & 1, i >> 1 & 1, i >> 2);
            let (va, vb) = (value(at(a)), value(at(b)));
            if a != b && (va < 0.0) != (vb < 0.0) {
                sum += point(at(a)).lerp(point(at(b)), va / (va - vb));
                count += 1.0;
            }
        }
    }
    (count > 0.0).then(|| sum / count)
}
