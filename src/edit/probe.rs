//! Which vertex of the skin is under the pointer. Bones and handles before it do not matter.

use super::stage::Stage;
use super::view::View;
use crate::math::camera::Viewport;
use glam::{Vec2, Vec3};

/// Of the skinned mesh that is worked on, as shown: the vertex nearest to where the pointer meets its
/// skin, of the triangle that it meets first. `None` beside the skin, and where the skin is not shown.
pub fn vertex_under(view: &View, viewport: &Viewport, pixel: Vec2) -> Option<u32> {
    if !view.settings.show_skin || !pixel.is_finite() {
        return None;
    }
    let stage = Stage::of(view)?;
    let posed = view.evaluated.shown_skin(stage.mesh)?;
    let mesh_from_world = stage.world_from_skeleton.inverse();
    if !mesh_from_world.is_finite() {
        return None;
    }
    let ray = viewport.ray(pixel).transformed(&mesh_from_world);
    let vertex = |corner: &u32| posed.render.vertex.get(*corner as usize).copied();
    let position = |v: u32| posed.positions.get(v as usize).copied();
    let mut first: Option<(f32, [u32; 3])> = None;
    for corners in posed.render.indices.chunks_exact(3) {
        let (Some(a), Some(b), Some(c)) = (vertex(&corners[0]), vertex(&corners[1]), vertex(&corners[2]))
        else {
            continue;
        };
        if let (Some(pa), Some(pb), Some(pc)) = (position(a), position(b), position(c))
            && let Some(t) = ray.triangle(pa, pb, pc)
            && first.is_none_or(|(least, _)| t < least)
        {
            first = Some((t, [a, b, c]));
        }
    }
    let (t, corners) = first?;
    let hit = ray.at(t);
    let distance = |v: &u32| position(*v).map_or(f32::INFINITY, |p: Vec3| p.distance_squared(hit));
    corners
        .into_iter()
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
}
