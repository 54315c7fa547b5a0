//! Joints that were placed, those that are pinned, and those that the pins leave where they are.

use super::anatomy::Anatomy;
use glam::{Mat3, Vec3};

/// The joints of a fitted skeleton in the axes of the template, in units of the mesh.
#[derive(Clone, Debug)]
pub struct Placed {
    pub base: Vec3,
    /// The tip of each bone of the template (B).
    pub tips: Vec<Vec3>,
}

/// Joints that stay, in the axes of the template.
#[derive(Clone, Debug, Default)]
pub struct Pinned {
    pub base: Option<Vec3>,
    /// The tip of each bone (B).
    pub tips: Vec<Option<Vec3>>,
}

impl Pinned {
    /// Nothing of a skeleton with so many bones.
    pub fn none(bones: usize) -> Self {
        Self { base: None, tips: vec![None; bones] }
    }

    /// Returns these pins, and all joints that were placed alike `with` and `without` them: those stay where they came to be
    /// without pins, after they were `adjusted`.
    pub fn and_unmoved(&self, with: &Placed, without: &Placed, adjusted: &Placed) -> Self {
        let stays = |pin: Option<Vec3>, with: Vec3, without: Vec3, adjusted: Vec3| {
            pin.or((with == without).then_some(adjusted))
        };
        let tips = self.tips.iter().enumerate();
        let tips =
            tips.map(|(bone, pin)| stays(*pin, with.tips[bone], without.tips[bone], adjusted.tips[bone]));
        Self { base: stays(self.base, with.base, without.base, adjusted.base), tips: tips.collect() }
    }

    /// Puts joints where they stay.
    pub fn apply(&self, placed: &mut Placed) {
        placed.base = self.base.unwrap_or(placed.base);
        for (tip, stays) in placed.tips.iter_mut().zip(&self.tips) {
            *tip = stays.unwrap_or(*tip);
        }
    }

    /// For the start of the skeleton and each tip (B + 1): whether it stays outside of the body. `turn`: to the axes of the
    /// template.
    pub fn outside(&self, body: &Anatomy, turn: Mat3) -> Vec<bool> {
        let is_outside =
            |point: Option<Vec3>| point.is_some_and(|point| !body.contains(turn.transpose() * point));
        std::iter::once(self.base).chain(self.tips.iter().copied()).map(is_outside).collect()
    }
}
