//! Normals for drawing a surface in its current shape, skinned or not.

use super::render::RenderMesh;
use glam::Vec3;

/// Returns the unit normals of the render vertices (R), equal for all those of a vertex: the mean of the
/// normals of the adjacent triangles, weighted by the angle at the vertex. `positions`: V. A vertex whose
/// triangles have no area keeps the normal of its corner.
pub fn smooth_normals(render: &RenderMesh, positions: &[Vec3]) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO; positions.len()];
    for triangle in render.indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|i| render.vertex[triangle[i] as usize] as usize);
        let [pa, pb, pc] = [a, b, c].map(|v| positions[v]);
        let Some(normal) = (pb - pa).cross(pc - pa).try_normalize() else {
            continue;
        };
        let corners = [(a, pb - pa, pc - pa), (b, pc - pb, pa - pb), (c, pa - pc, pb - pc)];
        for (vertex, one, other) in corners {
            sums[vertex] += normal * one.angle_between(other);
        }
    }
    let normal = |(&vertex, &corner): (&u32, &Vec3)| sums[vertex as usize].try_normalize().unwrap_or(corner);
    render.vertex.iter().zip(&render.normal).map(normal).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::halfedge::HalfedgeMesh;
    use glam::Vec3;

    /// A double pyramid over a square: all triangles.
    fn pyramids(top: f32) -> HalfedgeMesh {
        let points = [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
        let mut positions: Vec<Vec3> = points.map(Vec3::from).to_vec();
        positions.extend([Vec3::Y * top, -Vec3::Y]);
        let side = |k: u32, apex: u32| match apex {
            4 => vec![k, (k + 1) % 4, 4],
            _ => vec![(k + 1) % 4, k, 5],
        };
        let polygons: Vec<Vec<u32>> = (0..4).flat_map(|k| [side(k, 4), side(k, 5)]).collect();
        HalfedgeMesh::from_polygons(positions, &polygons, None).unwrap()
    }

    #[test]
    fn for_triangles_they_match_the_vertex_normals() {
        for top in [1.0, 0.3, 4.0] {
            let mesh = pyramids(top).with_flat_normals();
            let render = RenderMesh::new(&mesh);
            assert_eq!(render.vertex.len(), 24, "every corner has its own render vertex");
            let expected = mesh.vertex_normals();
            let found = smooth_normals(&render, mesh.positions());
            for (vertex, normal) in render.vertex.iter().zip(found) {
                assert!(normal.distance(expected[*vertex as usize]) < 1e-5, "{top} {vertex}");
            }
        }
    }

    #[test]
    fn normals_follow_moved_vertices_and_stay_where_there_is_no_area() {
        let mesh = pyramids(1.0);
        let render = RenderMesh::new(&mesh);
        let turned: Vec<Vec3> = mesh.positions().iter().map(|p| Vec3::new(p.y, p.z, p.x)).collect();
        let before = smooth_normals(&render, mesh.positions());
        for (a, b) in before.iter().zip(smooth_normals(&render, &turned)) {
            assert!(Vec3::new(a.y, a.z, a.x).distance(b) < 1e-5);
        }
        let flat = vec![Vec3::ONE; mesh.vertex_count()];
        assert_eq!(smooth_normals(&render, &flat), render.normal);
    }
}
