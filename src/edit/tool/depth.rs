//! How deep a joint lies under the pointer: in the middle of the limb that the pointer is on.
//!
//! The line of sight goes into the body and out of it several times: each stretch inside is a *layer*. The
//! first is the one that is seen. What lies behind it within the width of the limb belongs to the same limb:
//! the fingers of a hand seen from its edge, a palm behind its thumb. So a joint lands in the middle of the
//! hand and not in the middle of its index finger. The other leg, and the trunk behind an arm, reach further
//! than that, and stay out.

use crate::edit::pick::Surface;
use crate::math::ray::Ray;

/// What is nearer than this part of the mesh's diagonal is the same place.
const SAME_PLACE: f32 = 1e-4;

/// A stretch of the line of sight; by the ray's `t`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DepthRange {
    pub first: f32,
    /// `None` where the surface has no back.
    pub second: Option<f32>,
}

impl DepthRange {
    /// The limb under the pointer. `width`: as much as the limb is thick at most, in the world, where that is
    /// known; else the first layer alone.
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

    /// For a ray of unit direction.
    pub fn half(&self) -> Option<f32> {
        Some(0.5 * (self.second? - self.first))
    }
}

/// Where the ray is inside, nearest first. A surface that is inside out is as one that is not; parts that
/// overlap are one layer.
fn layers(surface: &Surface, ray: &Ray) -> Vec<DepthRange> {
    let same = SAME_PLACE * surface.tree.bounds().diagonal() / ray.direction.length();
    let mut layers = Vec::new();
    let (mut depth, mut start) = (0i32, 0.0);
    let mut last: Option<(f32, bool)> = None;
    let mut first_side = None;
    for (t, side) in surface.crossings(ray) {
        // An edge belongs to two triangles and is crossed once.
        if last.is_some_and(|(before, of)| of == side && t - before <= same) {
            continue;
        }
        last = Some((t, side));
        let goes_in = *first_side.get_or_insert(side) == side;
        match (depth, goes_in) {
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
