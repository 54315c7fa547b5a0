//! The radius of a bone that is drawn into a mesh.

use super::depth::DepthRange;
use super::next_click::NextClick;
use crate::edit::select::active_rig::ActiveRig;
use crate::edit::select::pick::Surface;
use crate::math::camera::Viewport;
use crate::rig::edits::radius;
use glam::Vec3;

/// The radius in halves of the mesh's thickness, where it cannot be fitted around the whole bone.
const ROOM: f32 = 1.5;
/// The bounds of new radii, as fractions of the mesh's diagonal.
const THINNEST: f32 = 0.002;
const THICKEST: f32 = 0.2;

fn diagonal(surface: &Surface) -> f32 {
    surface.tree.bounds().diagonal()
}

/// Returns the maximum thickness of the limb that a new bone continues: twice the radius of the previous
/// bone, which includes some room. `None` if the bone starts elsewhere.
pub(super) fn limb_width(rig: &ActiveRig, next: &NextClick) -> Option<f32> {
    let NextClick::Bone { parent: Some(parent), link_from: None, .. } = *next else {
        return None;
    };
    Some(2.0 * rig.skeleton.bones.get(parent)?.radius * rig.scale())
}

/// Returns the radius of a new bone: fitted to the surface around it; else from the thickness of the mesh
/// halfway along it, or at its tail; else its parent's; else a quarter of its length.
pub(super) fn new_bone_radius(
    rig: &ActiveRig,
    next: &NextClick,
    surface: Option<&Surface>,
    limb_at_tip: Option<DepthRange>,
    viewport: &Viewport,
    tip: Vec3,
) -> f32 {
    let NextClick::Bone { parent, start, .. } = *next else {
        return 0.0;
    };
    let fitted = surface.and_then(|surface| radius::fit_radius(&surface.tree, surface.positions, start, tip));
    let measured = surface.filter(|_| fitted.is_none()).and_then(|surface| {
        let middle = start.midpoint(tip);
        let halfway = viewport.project(middle).and_then(|projected| {
            let ray = viewport.ray(projected.pixel);
            let depth = (middle - ray.origin).dot(ray.direction);
            let limb = DepthRange::from_ray(surface, &ray, None)?;
            let inside = limb.first <= depth && limb.second.is_some_and(|second| depth <= second);
            limb.half().filter(|_| inside)
        });
        let half = halfway.or(limb_at_tip.and_then(|limb| limb.half()))?;
        let size = diagonal(surface);
        Some((half * ROOM).clamp(THINNEST * size, THICKEST * size))
    });
    let parent_radius = || {
        let bone = rig.skeleton.bones.get(parent?)?;
        (bone.radius > 0.0).then_some(bone.radius)
    };
    fitted
        .or(measured)
        .filter(|radius| radius.is_finite())
        .or_else(parent_radius)
        .unwrap_or(0.25 * start.distance(tip))
}
