//! Finds the vertex of the skin under the pointer. Bones and handles in front of it are ignored.

use crate::edit::select::active_rig::ActiveRig;
use crate::edit::settings::view::View;
use crate::math::camera::Viewport;
use crate::rig::weights::VertexWeights;
use glam::Vec2;

/// Returns the vertex of the active skinned mesh, as shown, that is nearest to the point where the pointer's
/// ray first hits the skin, among the corners of the hit triangle. `None` if the ray misses, or the skin is
/// hidden.
pub fn vertex_under(view: &View, viewport: &Viewport, pixel: Vec2) -> Option<u32> {
    if !view.settings.display.show_skin || !pixel.is_finite() {
        return None;
    }
    let rig = ActiveRig::from_view(view)?;
    let posed = view.evaluated.shown_skin(rig.mesh)?;
    let mesh_from_world = rig.world_from_skeleton.inverse();
    if !mesh_from_world.is_finite() {
        return None;
    }
    let surface = &view.evaluated.shown_mesh(rig.mesh)?.surface;
    if posed.positions.len() != surface.vertex_count() {
        return None;
    }
    let ray = viewport.ray(pixel).transformed(&mesh_from_world);
    let tree = posed.tree(&view.evaluated.trees, surface);
    let hit = tree.first_hit(&posed.positions, &ray)?;
    let point = ray.point_at(hit.t);
    let distance = |v: &u32| posed.positions[*v as usize].distance_squared(point);
    let corners = hit.triangle.into_iter();
    corners.min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

/// Returns the bones that move a vertex with their weights, the strongest first; equal ones in the order of
/// the row.
pub fn influences(weights: &VertexWeights, vertex: u32) -> Vec<(usize, f32)> {
    let row = weights.influences(vertex as usize);
    let mut row: Vec<(usize, f32)> = row.map(|(bone, weight)| (usize::from(bone), weight)).collect();
    row.sort_by(|a, b| b.1.total_cmp(&a.1));
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::settings::view::ViewSettings;
    use crate::edit::testing::{flat_front, session_with};
    use crate::mesh::primitives;
    use crate::scene::evaluate::{Evaluator, Settings};
    use crate::scene::skinned::SkinnedMesh;
    use glam::Vec3;
    use std::sync::Arc;
    use std::time::Instant;

    /// Does the same as [`vertex_under`], but tests all triangles.
    fn vertex_by_brute_force(
        mesh: &SkinnedMesh,
        triangles: &[[u32; 3]],
        viewport: &Viewport,
        pixel: Vec2,
    ) -> Option<u32> {
        let positions = mesh.surface.positions();
        let ray = viewport.ray(pixel);
        let meets = |triangle: &[u32; 3]| {
            let [a, b, c] = triangle.map(|v| positions[v as usize]);
            Some((ray.intersect_triangle(a, b, c)?, *triangle))
        };
        let (t, triangle) = triangles.iter().filter_map(meets).min_by(|a, b| a.0.total_cmp(&b.0))?;
        let distance = |v: &u32| positions[*v as usize].distance_squared(ray.point_at(t));
        triangle.into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }

    #[test]
    fn the_tree_finds_the_nearest_vertex_of_the_first_triangle_faster_than_brute_force() {
        let surface = primitives::tube(1.0, 4.0, 200, 400).unwrap();
        let mesh = SkinnedMesh {
            weights: Arc::new(VertexWeights::none(surface.vertex_count())),
            surface: Arc::new(surface),
            ..SkinnedMesh::default()
        };
        let session = session_with(mesh.clone());
        let bind = Settings { bind: true, ..Settings::default() };
        let evaluated = Evaluator::default().evaluate(session.scene(), &bind);
        let settings = ViewSettings::default();
        let view = View { session: &session, evaluated: &evaluated, settings: &settings };
        let viewport = flat_front(Vec3::Y * 2.0, 9.0);
        let triangles = mesh.surface.triangles();
        let pixels: Vec<Vec2> =
            (0..16).map(|i| Vec2::new(273.3 + 17.7 * i as f32, 211.1 + 9.9 * i as f32)).collect();
        // The first call builds the tree.
        assert!(vertex_under(&view, &viewport, Vec2::new(400.3, 300.7)).is_some());
        let start = Instant::now();
        let found: Vec<_> = pixels.iter().map(|pixel| vertex_under(&view, &viewport, *pixel)).collect();
        let by_tree = start.elapsed();
        let start = Instant::now();
        let expected: Vec<_> =
            pixels.iter().map(|pixel| vertex_by_brute_force(&mesh, &triangles, &viewport, *pixel)).collect();
        let by_all = start.elapsed();
        assert_eq!(found, expected);
        assert!(found.iter().filter(|found| found.is_some()).count() > 8, "{found:?}");
        // It is hundreds of times faster; other programs on the machine may reduce that.
        assert!(10 * by_tree < by_all, "{by_tree:?} {by_all:?}");
        assert_eq!(vertex_under(&view, &viewport, Vec2::NAN), None);
    }
}
