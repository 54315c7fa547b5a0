//! The depth of a joint under the pointer: the middle of the limb that the pointer is on.
//!
//! The line of sight may enter and leave the body several times; each stretch inside is a *layer*. The first
//! layer is the visible one. Layers behind it within the width of the limb belong to the same limb: the
//! fingers of a hand seen from its edge, a palm behind its thumb. So a joint ends up in the middle of the
//! hand and not in the middle of its index finger. The other leg, or the trunk behind an arm, extends further
//! than that and is excluded.

use crate::edit::pick::Surface;
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
    /// Returns the limb under the pointer. `width` is the maximum thickness of the limb in world units;
    /// without it, only the first layer counts.
    pub fn from_ray(surface: &Surface, ray: &Ray, width: Option<f32>) -> Option<Self> {
        let layers = layers(surface, ray);
        let (&first, behind) = layers.split_first()?;
        let reach = width.map_or(0.0, |width| width / ray.direction.length());
        let within = |layer: &&Self| layer.second.is_some_and(|second| second - first.first <= reach);
        let last = behind.iter().take_while(within).last();
        Some(Self {
            second: last.map_or(first.second, |last| last.second),
            ..first
        })
    }

    pub fn middle(&self) -> f32 {
        self.second
            .map_or(self.first, |second| self.first.midpoint(second))
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
            layers.push(DepthRange {
                first: start,
                second: Some(t),
            });
        }
    }
    if depth > 0 {
        layers.push(DepthRange {
            first: start,
            second: last.map(|(t, _)| t).filter(|t| *t > start),
        });
    }
    layers
}
