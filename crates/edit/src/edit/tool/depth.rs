//! The depth of a joint under the pointer: the middle of the limb that the pointer is on.
//!
//! The line of sight may enter and leave the body several times; each stretch inside is a *layer*. The first
//! layer is the visible one. Layers behind it within the width of the limb belong to the same limb: the
//! fingers of a hand seen from its edge, a palm behind its thumb. So a joint ends up in the middle of the
//! hand and not in the middle of its index finger. The trunk behind an arm extends further than that and is a
//! limb of its own, and so is what lies behind a gap that is wider than the limb, or on the other side of the
//! plane x = 0: the other leg.

use crate::edit::select::pick::Surface;
use crate::math::ray::Ray;

/// Crossings closer than this fraction of the mesh's diagonal coincide.
const COINCIDENT: f32 = 1e-4;

/// A stretch of the line of sight, in terms of the ray's `t`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DepthRange {
    pub first: f32,
    /// `None` where the surface has no back.
    pub second: Option<f32>,
}

impl DepthRange {
    /// Returns the limb under the pointer: the first of [`Self::limbs`].
    pub fn from_ray(surface: &Surface, ray: &Ray, width: Option<f32>) -> Option<Self> {
        Self::limbs(surface, ray, width).into_iter().next()
    }

    /// Returns the limbs that the ray passes through, nearest first. `width` is the maximum thickness of a limb in
    /// world units; without it, each layer is a limb.
    ///
    /// Neighbouring layers are one limb unless the gap between them is wider than either, or the plane x = 0 lies in
    /// it: what is there on both sides is a limb and its mirror image.
    pub fn limbs(surface: &Surface, ray: &Ray, width: Option<f32>) -> Vec<Self> {
        let reach = width.map_or(0.0, |width| width / ray.direction.length());
        let mut limbs: Vec<Self> = Vec::new();
        let mut last_thickness = 0.0;
        for layer in layers(surface, ray) {
            let thickness = layer.thickness();
            let joined = limbs.last_mut().filter(|limb| {
                let (Some(end), Some(second)) = (limb.second, layer.second) else {
                    return false;
                };
                let is_mirrored = ray.point_at(end).x * ray.point_at(layer.first).x < 0.0;
                let is_narrow = layer.first - end <= f32::max(last_thickness, thickness);
                second - limb.first <= reach && is_narrow && !is_mirrored
            });
            match joined {
                Some(limb) => limb.second = layer.second,
                None => limbs.push(layer),
            }
            last_thickness = thickness;
        }
        limbs
    }

    /// The length of the stretch; 0 where the surface has no back.
    fn thickness(&self) -> f32 {
        self.second.map_or(0.0, |second| second - self.first)
    }

    pub fn middle(&self) -> f32 {
        self.second.map_or(self.first, |second| self.first.midpoint(second))
    }

    /// Half the thickness, for a ray of unit direction.
    pub fn half(&self) -> Option<f32> {
        Some(0.5 * (self.second? - self.first))
    }
}

/// Returns the stretches of the ray inside the surface, nearest first. The orientation of the surface does
/// not matter; overlapping parts form one layer.
fn layers(surface: &Surface, ray: &Ray) -> Vec<DepthRange> {
    let tolerance = COINCIDENT * surface.tree.bounds().diagonal() / ray.direction.length();
    let mut layers = Vec::new();
    let (mut depth, mut start) = (0i32, 0.0);
    let mut last: Option<(f32, bool)> = None;
    let mut first_side = None;
    for (t, side) in surface.crossings(ray) {
        // An edge belongs to two triangles but is crossed once.
        if last.is_some_and(|(last_t, last_side)| last_side == side && t - last_t <= tolerance) {
            continue;
        }
        last = Some((t, side));
        let enters = *first_side.get_or_insert(side) == side;
        match (depth, enters) {
            (0, false) => continue,
            (0, true) => (depth, start) = (1, t),
            (_, true) => depth += 1,
            (_, false) => depth -= 1,
        }
        if depth == 0 {
            layers.push(DepthRange { first: start, second: Some(t) });
        }
    }
    if depth > 0 {
        layers.push(DepthRange { first: start, second: last.map(|(t, _)| t).filter(|t| *t > start) });
    }
    layers
}
