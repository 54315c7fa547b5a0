//! How thick a bone is that is drawn into a mesh.

use super::depth::DepthRange;
use super::next_click::NextClick;
use crate::edit::active_rig::ActiveRig;
use crate::edit::pick::Surface;
use crate::math::camera::Viewport;
use crate::rig::edits::radius;
use glam::Vec3;

/// Where a radius cannot be fitted around the whole bone, it is this many halves of how thick the mesh is.
const ROOM: f32 = 1.5;
/// Bounds of new radii, as parts of the mesh's diagonal.
const THINNEST: f32 = 0.002;
const THICKEST: f32 = 0.2;

fn diagonal(surface: &Surface) -> f32 {
    surface.tree.bounds().diagonal()
}

/// How thick the limb is at most that a new bone goes on along: twice the radius of the bone before it, which
/// has some room. Unknown where it starts elsewhere.
pub(super) fn limb_width(stage: &ActiveRig, next: &NextClick) -> Option<f32> {
    let NextClick::Bone {
        parent: Some(parent),
        link_from: None,
        ..
    } = *next
    else {
        return None;
    };
    Some(2.0 * stage.skeleton.bones.get(parent)?.radius * stage.scale())
}

/// The radius of a new bone: fitted to the surface around it; else from how thick the mesh is halfway along it, else at
/// its tip; else its parent's; else a quarter of its length.
pub(super) fn radius_of(
    stage: &ActiveRig,
    next: &NextClick,
    surface: Option<&Surface>,
    at_tip: Option<DepthRange>,
    viewport: &Viewport,
    tip: Vec3,
) -> f32 {
    let NextClick::Bone { parent, start, .. } = *next else {
        return 0.0;
    };
    let fitted = surface.and_then(|surface| radius::around(&surface.tree, surface.positions, start, tip));
    let measured = surface.filter(|_| fitted.is_none()).and_then(|surface| {
        let middle = start.midpoint(tip);
        let halfway = viewport.project(middle).and_then(|shown| {
            let ray = viewport.ray(shown.pixel);
            let depth = (middle - ray.origin).dot(ray.direction);
            let through = DepthRange::from_ray(surface, &ray, None)?;
            let inside = through.first <= depth && through.second.is_some_and(|second| depth <= second);
            through.half().filter(|_| inside)
        });
        let half = halfway.or(at_tip.and_then(|through| through.half()))?;
        let size = diagonal(surface);
        Some((half * ROOM).clamp(THINNEST * size, THICKEST * size))
    });
    let of_parent = || {
        let bone = stage.skeleton.bones.get(parent?)?;
        (bone.radius > 0.0).then_some(bone.radius)
    };
    fitted
        .or(measured)
        .filter(|radius| radius.is_finite())
        .or_else(of_parent)
        .unwrap_or(0.25 * start.distance(tip))
}
