//! A bar of squares along +x: closed, with hard edges.

use glam::{IVec3, Vec3};
use ossature::mesh::halfedge::{HalfedgeMesh, MeshError};
use std::collections::HashMap;

/// From x = 0 to 1 and -half to half in y and z, `counts` squares along each axis. Flat normals.
pub fn bar(counts: [i32; 3], half: f32) -> Result<HalfedgeMesh, MeshError> {
    let counts = IVec3::from(counts);
    let (mut positions, mut polygons) = (Vec::new(), Vec::new());
    let mut index: HashMap<IVec3, u32> = HashMap::new();
    let mut vertex = |at: IVec3| {
        *index.entry(at).or_insert_with(|| {
            let t = at.as_vec3() / counts.as_vec3();
            positions.push(Vec3::new(t.x, half * (2.0 * t.y - 1.0), half * (2.0 * t.z - 1.0)));
            positions.len() as u32 - 1
        })
    };
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for i in 0..counts[u] {
            for j in 0..counts[v] {
                for end in [0, counts[axis]] {
                    let corner = |di: i32, dj: i32| {
                        let mut at = IVec3::ZERO;
                        (at[axis], at[u], at[v]) = (end, i + di, j + dj);
                        at
                    };
                    let mut polygon = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[di, dj]| vertex(corner(di, dj)));
                    if end == 0 {
                        polygon.reverse();
                    }
                    polygons.push(polygon.to_vec());
                }
            }
        }
    }
    Ok(HalfedgeMesh::from_polygons(positions, &polygons, None)?.with_flat_normals())
}
