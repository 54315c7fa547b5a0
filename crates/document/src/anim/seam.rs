//! The seam of a loop: how far the pose and the speed of the keyed bones jump where a range of frames begins again.

use super::channel::{Animation, Channel, ChannelRef, SkeletonChannel, Value};
use super::spline::{Interpolate, Spline};
use crate::math::rotation;
use crate::rig::property::POSE;
use glam::{DMat3, DQuat, DVec3, Vec3};
use std::fmt;

/// The time, in frames, over which the angles turn on at their slopes.
const STEP: f64 = 1e-3;
/// The same where layers are evaluated instead, in single precision.
const LAYERED_STEP: f32 = 1.0 / 64.0;

/// The largest jumps of any bone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seam {
    /// The angle between its first and its last pose, in degrees.
    pub angle_deg: f64,
    /// The difference of its angular velocities there, in degrees per frame.
    pub speed_deg: f64,
}

impl fmt::Display for Seam {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seam {:.1}°, speed {:.1}°/frame", self.angle_deg, self.speed_deg)
    }
}

impl Animation {
    /// Returns the seam of a range that loops. Its end is the key that closes the loop right after it, or else its last
    /// frame. Only keyed rotations of bones count, as layers change them: not what handles do, and not where the body goes.
    /// `None` without them, if the range is a single frame, or if all values are too large for angles.
    pub fn seam(&self, range: [u32; 2]) -> Option<Seam> {
        let first = range[0] as f32;
        let end = self.closing_frame(range).unwrap_or(range[1]) as f32;
        let is_pose = |name: &str| {
            let channel = SkeletonChannel::parse(name);
            channel.is_some_and(
                |channel| matches!(channel, SkeletonChannel::Bone(_, row) if row.info.id == POSE.info.id),
            )
        };
        let below = self.channels.iter().flat_map(|(resource, channels)| {
            channels.iter().filter_map(move |(name, channel)| {
                let Channel::Vec3(curve) = &**channel else { return None };
                let counts = is_pose(name) && !self.mute(resource, name).is_whole();
                (counts && !self.is_layered(resource, name)).then_some(curve)
            })
        });
        let seams = below.filter_map(|curve| curve_seam(curve, first, end));
        let layered = self.layers.keys().flat_map(|resource| {
            let channels = self.layered_channels(resource).into_iter().filter(|name| is_pose(name));
            channels.filter_map(move |name| self.layered_seam(resource, name, [first, end]))
        });
        let seams = seams.chain(layered).filter(|_| first < end);
        seams.reduce(|a, b| Seam {
            angle_deg: a.angle_deg.max(b.angle_deg),
            speed_deg: a.speed_deg.max(b.speed_deg),
        })
    }

    /// Returns the seam of a channel that layers change. Without keys below them, that of their change from a pose of 0.
    fn layered_seam(&self, character: &str, channel: &str, [first, end]: [f32; 2]) -> Option<Seam> {
        let keys = self.get(&ChannelRef::new(character, channel));
        let keys = keys.filter(|_| !self.mute(character, channel).is_whole());
        let pose = |frame: f32| {
            let below = keys.and_then(|keys| keys.at(frame)).unwrap_or(Value::Vec3(Vec3::ZERO));
            match self.through_layers(character, channel, frame, below, None) {
                Value::Vec3(angles) => Some(rotation::from_euler(angles.as_dvec3().map(f64::to_radians))),
                _ => None,
            }
        };
        let [start, next, before, stop] =
            [pose(first)?, pose(first + LAYERED_STEP)?, pose(end - LAYERED_STEP)?, pose(end)?];
        let speed = (turn_deg(start, next) - turn_deg(before, stop)) / f64::from(LAYERED_STEP);
        seam_of(turn_deg(start, stop), speed)
    }
}

fn curve_seam(curve: &Spline<Vec3>, first: f32, end: f32) -> Option<Seam> {
    let rotation = |angles: DVec3| rotation::from_euler(angles.map(f64::to_radians));
    let [start, stop] = [curve.at(first)?, curve.at(end)?].map(Vec3::as_dvec3);
    let velocity = |angles: DVec3, slope: Vec3| {
        turn_deg(rotation(angles), rotation(angles + slope.as_dvec3() * STEP)) / STEP
    };
    let ([_, leave], [arrive, _]) = (Vec3::slopes(curve, first)?, Vec3::slopes(curve, end)?);
    let speed = velocity(start, leave) - velocity(stop, arrive);
    seam_of(turn_deg(rotation(start), rotation(stop)), speed)
}

fn seam_of(angle_deg: DVec3, speed_deg: DVec3) -> Option<Seam> {
    let seam = Seam { angle_deg: angle_deg.length(), speed_deg: speed_deg.length() };
    // Between the largest numbers, a curve overflows.
    (seam.angle_deg.is_finite() && seam.speed_deg.is_finite()).then_some(seam)
}

/// Returns the rotation from one orientation to another: its axis times its angle in degrees.
fn turn_deg(from: DMat3, to: DMat3) -> DVec3 {
    let turn = DQuat::from_mat3(&(to * from.transpose()));
    // The shorter way.
    let turn = if turn.w < 0.0 { -turn } else { turn };
    turn.to_scaled_axis().map(f64::to_degrees)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::mode::Mode;
    use crate::anim::take::Take;
    use std::collections::BTreeMap;
    use std::sync::Arc;

    fn animation(knots: &[(f32, Vec3)], mode: Mode) -> Animation {
        let mut curve = Spline::from_knots(knots.to_vec());
        (0..knots.len()).for_each(|key| curve.set_mode(key, mode));
        let channels = BTreeMap::from([("bone.3.pose".to_owned(), Arc::new(Channel::Vec3(curve)))]);
        Animation { channels: BTreeMap::from([("Body".to_owned(), channels)]), ..Animation::default() }
    }

    /// Up and down by 20 degrees in 10 frames each, along straight lines: 2 degrees per frame before the end, and after
    /// the beginning.
    #[test]
    fn a_corner_at_the_seam_is_a_jump_of_speed_alone() {
        let knots = [(0.0, Vec3::ZERO), (10.0, Vec3::X * 20.0), (20.0, Vec3::ZERO)];
        let mut animation = animation(&knots, Mode::Linear);
        let seam = animation.seam([0, 20]).unwrap();
        assert!(seam.angle_deg < 1e-6 && (seam.speed_deg - 4.0).abs() < 0.01, "{seam:?}");
        // The key right after the last frame closes the loop, unless another take begins there.
        assert_eq!(animation.seam([0, 19]), Some(seam));
        animation.takes.list.push(Take::new("Next", [20, 30]));
        let cut = animation.seam([0, 19]).unwrap();
        assert!((cut.angle_deg - 2.0).abs() < 1e-3, "{cut:?}");
        assert_eq!(cut.to_string(), "seam 2.0°, speed 4.0°/frame");
    }

    #[test]
    fn a_pose_that_turns_on_has_a_jump_of_the_angle_alone() {
        let knots = [(0.0, Vec3::Z * 10.0), (20.0, Vec3::Z * 70.0)];
        let animation = animation(&knots, Mode::Linear);
        let seam = animation.seam([0, 20]).unwrap();
        assert!((seam.angle_deg - 60.0).abs() < 1e-3 && seam.speed_deg < 0.01, "{seam:?}");
        assert_eq!((animation.seam([4, 4]), Animation::default().seam([0, 20])), (None, None));
    }
}
