//! Joint limits: the range of each pose angle of a bone, in degrees about the bone's own axes.
//!
//! Inverse kinematics always respects them, and so do rotation rings and number fields; keys may exceed them.
//! A range of y beyond 80° to either side is no longer a cone: x and z then rotate about nearly the same
//! axis.

pub mod humanoid;

use glam::Vec3;
use serde::{Deserialize, Serialize};

/// The range of each angle x, y, z: the minimum and maximum in degrees; `None` if unlimited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Limits(pub [Option<[f32; 2]>; 3]);

/// The limit in degrees beyond which a range of y is no longer a cone.
pub const MAX_Y_DEG: f32 = 80.0;

impl Limits {
    /// Returns symmetric ranges, given half the width of each.
    pub fn symmetric(half_deg: Vec3) -> Self {
        Self(half_deg.to_array().map(|half| Some([-half, half])))
    }

    /// Whether no angle is limited.
    pub fn is_free(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }

    /// Whether every range is finite and not reversed.
    pub fn are_valid(&self) -> bool {
        let valid = |[low, high]: &[f32; 2]| low.is_finite() && high.is_finite() && low <= high;
        self.0.iter().flatten().all(valid)
    }

    /// The minimum and maximum angles; infinite where unlimited.
    pub fn bounds(&self) -> [Vec3; 2] {
        let side_bounds =
            |side: usize, free: f32| Vec3::from_array(self.0.map(|range| range.map_or(free, |r| r[side])));
        [side_bounds(0, f32::NEG_INFINITY), side_bounds(1, f32::INFINITY)]
    }

    /// Clamps a pose to the ranges, angle by angle. NaN angles are preserved.
    pub fn clamp(&self, pose_deg: Vec3) -> Vec3 {
        clamp(pose_deg, &self.bounds())
    }

    pub fn contains(&self, pose_deg: Vec3) -> bool {
        self.clamp(pose_deg) == pose_deg
    }

    /// The limits of the bone on the other side, whose angles are those of this one times 1, -1, -1 (see
    /// [`crate::rig::edits::mirror`]).
    pub fn mirrored(&self) -> Self {
        let [x, y, z] = self.0;
        let flip = |range: Option<[f32; 2]>| range.map(|[low, high]| [-high, -low]);
        Self([x, flip(y), flip(z)])
    }

    /// Widens the ranges to contain a pose; an unlimited angle stays so.
    pub fn widened_to(&self, pose_deg: Vec3) -> Self {
        let angles = pose_deg.to_array();
        let widen =
            |axis: usize| self.0[axis].map(|[low, high]| [low.min(angles[axis]), high.max(angles[axis])]);
        Self(std::array::from_fn(widen))
    }

    /// Extends the ranges to contain a pose and the rest pose, each with a margin in degrees; an unlimited
    /// angle gets just the range that these need. Call it repeatedly to cover several poses.
    pub fn extended_to(&self, pose_deg: Vec3, margin_deg: f32) -> Self {
        let angles = pose_deg.to_array();
        Self(std::array::from_fn(|axis| {
            let angle = angles[axis];
            let needed = [angle.min(0.0) - margin_deg, angle.max(0.0) + margin_deg];
            Some(match self.0[axis] {
                Some([low, high]) => [low.min(needed[0]), high.max(needed[1])],
                None => needed,
            })
        }))
    }
}

/// Like [`Limits::clamp`], with precomputed bounds.
pub(crate) fn clamp(values: Vec3, [low, high]: &[Vec3; 2]) -> Vec3 {
    // Unlike min and max, comparisons preserve NaN.
    let values = Vec3::select(values.cmplt(*low), *low, values);
    Vec3::select(values.cmpgt(*high), *high, values)
}

/// Bends each angle at least as far as preferred, in the same direction.
pub(in crate::rig) fn bend_at_least(pose_deg: Vec3, preferred_deg: Vec3) -> Vec3 {
    let bent = Vec3::select(
        preferred_deg.cmpgt(Vec3::ZERO),
        pose_deg.max(preferred_deg),
        pose_deg.min(preferred_deg),
    );
    Vec3::select(preferred_deg.cmpeq(Vec3::ZERO), pose_deg, bent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poses_are_clamped_exactly_and_nan_is_preserved() {
        let limits = Limits([Some([0.0, 140.1]), None, Some([-20.0, 5.0])]);
        let clamped = limits.clamp(Vec3::new(140.2, 999.0, -21.0));
        assert_eq!(clamped, Vec3::new(140.1, 999.0, -20.0));
        assert!(limits.contains(clamped) && !limits.contains(Vec3::new(-0.1, 0.0, 0.0)));
        assert!(limits.clamp(Vec3::splat(f32::NAN)).is_nan());
    }

    #[test]
    fn widened_limits_hold_the_pose_and_stay_free_where_they_were() {
        let limits = Limits([Some([0.0, 140.0]), None, Some([-20.0, 5.0])]);
        let widened = limits.widened_to(Vec3::new(-3.0, 99.0, 0.0));
        assert_eq!(widened, Limits([Some([-3.0, 140.0]), None, Some([-20.0, 5.0])]));
    }

    #[test]
    fn mirrored_limits_hold_the_mirrored_pose() {
        let limits = Limits([Some([0.0, 140.0]), Some([-30.0, 60.0]), Some([-20.0, 5.0])]);
        let pose = Vec3::new(100.0, 50.0, -20.0);
        assert!(limits.contains(pose));
        let other = pose * Vec3::new(1.0, -1.0, -1.0);
        assert!(limits.mirrored().contains(other) && !limits.contains(other));
        assert_eq!(limits.mirrored().mirrored(), limits);
    }

    #[test]
    fn limits_from_poses_contain_each_of_them_and_rest() {
        let poses = [Vec3::new(90.0, -10.0, 0.0), Vec3::new(-20.0, 30.0, 1.0)];
        let extend = |limits: Limits, pose: Vec3| limits.extended_to(pose, 5.0);
        let limits = poses.into_iter().fold(Limits::default(), extend);
        assert!(poses.iter().chain([&Vec3::ZERO]).all(|pose| limits.contains(*pose)));
        assert_eq!(limits.0[0], Some([-25.0, 95.0]));
    }
}
