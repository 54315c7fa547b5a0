//! Limits of joints: how far each pose angle of a bone may turn, in degrees about the bone's own axes.
//!
//! Inverse kinematics never leaves them, and neither do rings and fields; keys may. A range of y that passes 80° to
//! either side is no cone any more: x and z then turn about nearly the same axis.

pub mod humanoid;

use glam::Vec3;
use serde::{Deserialize, Serialize};

/// A range per angle x, y, z: the least and the greatest, in degrees. `None`: free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Limits(pub [Option<[f32; 2]>; 3]);

/// Beyond this, ranges of y stop being cones (degrees).
pub const WIDEST_Y: f32 = 80.0;

impl Limits {
    /// The same range to both sides, for each angle.
    pub fn symmetric(half_deg: Vec3) -> Self {
        Self(half_deg.to_array().map(|half| Some([-half, half])))
    }

    /// Whether nothing is limited.
    pub fn is_free(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }

    /// Whether each range is finite and not reversed.
    pub fn are_valid(&self) -> bool {
        let valid = |[low, high]: &[f32; 2]| low.is_finite() && high.is_finite() && low <= high;
        self.0.iter().flatten().all(valid)
    }

    /// Least and greatest angles; infinite where they are free.
    pub fn bounds(&self) -> [Vec3; 2] {
        let of =
            |side: usize, free: f32| Vec3::from_array(self.0.map(|range| range.map_or(free, |r| r[side])));
        [of(0, f32::NEG_INFINITY), of(1, f32::INFINITY)]
    }

    /// The pose within the ranges that is nearest, angle by angle. Angles that are no numbers stay.
    pub fn clamp(&self, pose_deg: Vec3) -> Vec3 {
        clamp(pose_deg, &self.bounds())
    }

    pub fn contain(&self, pose_deg: Vec3) -> bool {
        self.clamp(pose_deg) == pose_deg
    }

    /// The limits of the bone on the other side, whose angles are those of this one times 1, -1, -1 (see
    /// [`crate::rig::edits::mirror`]).
    pub fn mirrored(&self) -> Self {
        let [x, y, z] = self.0;
        let flip = |range: Option<[f32; 2]>| range.map(|[low, high]| [-high, -low]);
        Self([x, flip(y), flip(z)])
    }

    /// Grown to hold a pose and rest, each with a margin in degrees around it; where it was free, what these need. Given
    /// again with another pose, the ranges hold both.
    pub fn holding(&self, pose_deg: Vec3, margin_deg: f32) -> Self {
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

/// As [`Limits::clamp`], with bounds at hand.
pub(crate) fn clamp(values: Vec3, [low, high]: &[Vec3; 2]) -> Vec3 {
    // Unlike min and max, a comparison leaves what is no number alone.
    let values = Vec3::select(values.cmplt(*low), *low, values);
    Vec3::select(values.cmpgt(*high), *high, values)
}

/// Each angle as far as preferred, or further that way.
pub(in crate::rig) fn at_least(pose_deg: Vec3, preferred_deg: Vec3) -> Vec3 {
    let further = Vec3::select(
        preferred_deg.cmpgt(Vec3::ZERO),
        pose_deg.max(preferred_deg),
        pose_deg.min(preferred_deg),
    );
    Vec3::select(preferred_deg.cmpeq(Vec3::ZERO), pose_deg, further)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poses_are_clamped_to_the_bit_and_what_is_no_number_stays() {
        let limits = Limits([Some([0.0, 140.1]), None, Some([-20.0, 5.0])]);
        let clamped = limits.clamp(Vec3::new(140.2, 999.0, -21.0));
        assert_eq!(clamped, Vec3::new(140.1, 999.0, -20.0));
        assert!(limits.contain(clamped) && !limits.contain(Vec3::new(-0.1, 0.0, 0.0)));
        assert!(limits.clamp(Vec3::splat(f32::NAN)).is_nan());
    }

    #[test]
    fn mirrored_limits_hold_the_mirrored_pose() {
        let limits = Limits([Some([0.0, 140.0]), Some([-30.0, 60.0]), Some([-20.0, 5.0])]);
        let pose = Vec3::new(100.0, 50.0, -20.0);
        assert!(limits.contain(pose));
        let other = pose * Vec3::new(1.0, -1.0, -1.0);
        assert!(limits.mirrored().contain(other) && !limits.contain(other));
        assert_eq!(limits.mirrored().mirrored(), limits);
    }

    #[test]
    fn limits_from_poses_hold_each_of_them_and_rest() {
        let poses = [Vec3::new(90.0, -10.0, 0.0), Vec3::new(-20.0, 30.0, 1.0)];
        let hold = |limits: Limits, pose: Vec3| limits.holding(pose, 5.0);
        let limits = poses.into_iter().fold(Limits::default(), hold);
        assert!(
            poses
                .iter()
                .chain([&Vec3::ZERO])
                .all(|pose| limits.contain(*pose))
        );
        assert_eq!(limits.0[0], Some([-25.0, 95.0]));
    }
}
