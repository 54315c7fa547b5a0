//! Pulls a mesh onto the solid and evens out its quads along the surface.

use crate::{quads::QuadMesh, shape::Solid};
use glam::Vec3;

/// Applies `rounds` of tangential smoothing of strength `strength` (0 to 1), each followed by projection onto
/// the surface. The mesh stays exactly symmetric.
pub fn fit(mesh: &mut QuadMesh, body: &impl Solid, rounds: usize, strength: f32) {
    let mut neighbours = vec![Vec::new(); mesh.positions.len()];
    for ([a, b], _) in mesh.edges() {
        neighbours[a].push(b);
        neighbours[b].push(a);
    }
    project(mesh, body);
    for _ in 0..rounds {
        let moved: Vec<Vec3> = (0..mesh.positions.len())
            .map(|v| {
                let p = mesh.positions[v];
                if mesh.mirror[v] < v {
                    return p;
                }
                let n = body.gradient(p).normalize_or_zero();
                let near = &neighbours[v];
                let d = near.iter().map(|&k| mesh.positions[k]).sum::<Vec3>() / near.len() as f32 - p;
                p + (d - n * n.dot(d)) * strength
            })
            .collect();
        mesh.positions = moved;
        project(mesh, body);
    }
}

fn project(mesh: &mut QuadMesh, body: &impl Solid) {
    for v in 0..mesh.positions.len() {
        if mesh.mirror[v] < v {
            continue;
        }
        for _ in 0..6 {
            let p = mesh.positions[v];
            let d = body.distance(p);
            if d.abs() < 2e-6 {
                break;
            }
            let g = body.gradient(p);
            let mut step = g * (d / g.length_squared().max(0.25)).clamp(-0.05, 0.05);
            if mesh.mirror[v] == v {
                step.x = 0.0;
            }
            mesh.positions[v] -= step;
        }
    }
    mesh.symmetrise();
}
