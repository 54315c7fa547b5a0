//! The seam of a loop: how far what is keyed, and its speed, jumps where a range of frames begins again.

use super::channel::{Animation, Channel, ChannelRef, SkeletonChannel, Value};
use super::cycle::travels;
use super::layer::split_name;
use super::spline::{Interpolate, Spline};
use crate::math::rotation;
use crate::rig::property::POSE;
use glam::{DMat3, DQuat, DVec3, DVec4, Quat, Vec3};
use std::fmt;

/// The time, in frames, over which the angles turn on at their slopes.
const STEP: f64 = 1e-3;
/// The same where values are evaluated instead, in single precision.
const COARSE_STEP: f32 = 1.0 / 64.0;

/// The largest jumps of one kind of values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Jump {
    /// The difference between the first and the last value.
    pub size: f64,
    /// The difference of the speeds there, per frame.
    pub speed: f64,
}

impl Jump {
    /// `None` beyond what numbers can tell: between the largest numbers, a curve overflows.
    fn new(size: f64, speed: f64) -> Option<Self> {
        (size.is_finite() && speed.is_finite()).then_some(Self { size, speed })
    }

    fn max(self, other: Self) -> Self {
        Self { size: self.size.max(other.size), speed: self.speed.max(other.speed) }
    }
}

/// The largest jumps by kind; `None` if nothing of the kind has keys.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seam {
    /// Of rotations of bones and objects, in degrees.
    pub turn: Option<Jump>,
    /// Of positions of objects, in units of length. In a cycle, it is how far they go on.
    pub position: Option<Jump>,
    /// Of other values of objects, as shares of the largest number that each has at a key: sizes, colours, lights, lenses.
    pub other: Option<Jump>,
}

impl Seam {
    /// Returns the jumps without those of speeds: "seam 2.0°, position 0.50, others 10 %".
    pub fn short_text(&self) -> String {
        let texts = [
            self.turn.map(|jump| format!("{:.1}°", jump.size)),
            self.position.map(|jump| format!("position {:.2}", jump.size)),
            self.other.map(|jump| format!("others {:.0} %", 100.0 * jump.size)),
        ];
        format!("seam {}", texts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

impl fmt::Display for Seam {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts = [
            self.turn.map(|jump| format!("{:.1}°, speed changes by {:.1}°/frame", jump.size, jump.speed)),
            self.position
                .map(|jump| format!("position {:.2}, speed changes by {:.2}/frame", jump.size, jump.speed)),
            self.other.map(|Jump { size, speed }| {
                format!("others {:.0} %, speed changes by {:.1} %/frame", 100.0 * size, 100.0 * speed)
            }),
        ];
        write!(f, "seam {}", texts.into_iter().flatten().collect::<Vec<_>>().join("; "))
    }
}

impl Animation {
    /// Returns the seam of a range that loops. Its end is the key that closes the loop right after it, or else its last
    /// frame. Of characters, only keyed rotations of bones count, as layers change them: not what handles do, and not where the
    /// body goes; of other objects, everything that has keys. `None` without them, if the range is a single frame, or if all
    /// values are too large.
    pub fn seam(&self, range: [u32; 2]) -> Option<Seam> {
        let first = range[0] as f32;
        let end = self.closing_frame(range).unwrap_or(range[1]) as f32;
        let is_pose = |name: &str| {
            let channel = SkeletonChannel::parse(name);
            channel.is_some_and(
                |channel| matches!(channel, SkeletonChannel::Bone(_, row) if row.info.id == POSE.info.id),
            )
        };
        let mut seam = Seam::default();
        let mut add = |kind: fn(&mut Seam) -> &mut Option<Jump>, jump: Option<Jump>| {
            let largest = kind(&mut seam);
            *largest = largest.map_or(jump, |largest| Some(jump.map_or(largest, |jump| jump.max(largest))));
        };
        let keyed = self.channels.iter().flat_map(|(resource, channels)| {
            channels.iter().filter_map(move |(name, channel)| {
                let counts = channel.key_count() > 0 && !self.mute(resource, name).is_whole();
                counts.then_some((resource, name, &**channel))
            })
        });
        for (resource, name, channel) in keyed.filter(|_| first < end) {
            match channel {
                Channel::Vec3(curve) if is_pose(name) && !self.is_layered(resource, name) => {
                    add(|seam| &mut seam.turn, curve_jump(curve, first, end));
                }
                _ if SkeletonChannel::parse(name).is_some() || split_name(name).is_some() => {}
                Channel::Quat(curve) => {
                    let pose =
                        |frame: f32| curve.at(frame).map(|turn: Quat| DMat3::from_quat(turn.as_dquat()));
                    add(|seam| &mut seam.turn, turn_jump(pose, [first, end]));
                }
                _ if travels(name) => {
                    add(|seam| &mut seam.position, value_jump(channel, 1.0, [first, end]));
                }
                _ => {
                    let sizes =
                        channel.keys().into_iter().map(|(_, value)| numbers(value).abs().max_element());
                    let largest = sizes.fold(0.0, f64::max);
                    let unit = if largest > 0.0 { 1.0 / largest } else { 0.0 };
                    add(|seam| &mut seam.other, value_jump(channel, unit, [first, end]));
                }
            }
        }
        for resource in self.layers.keys().filter(|_| first < end) {
            for name in self.layered_channels(resource).into_iter().filter(|name| is_pose(name)) {
                add(|seam| &mut seam.turn, self.layered_jump(resource, name, [first, end]));
            }
        }
        (seam != Seam::default()).then_some(seam)
    }

    /// Returns the jump of a channel that layers change. Without keys below them, that of their change from a pose of 0.
    fn layered_jump(&self, character: &str, channel: &str, ends: [f32; 2]) -> Option<Jump> {
        let keys = self.get(&ChannelRef::new(character, channel));
        let keys = keys.filter(|_| !self.mute(character, channel).is_whole());
        let pose = |frame: f32| {
            let below = keys.and_then(|keys| keys.at(frame)).unwrap_or(Value::Vec3(Vec3::ZERO));
            match self.through_layers(character, channel, frame, below, None) {
                Value::Vec3(angles) => Some(rotation::from_euler(angles.as_dvec3().map(f64::to_radians))),
                _ => None,
            }
        };
        turn_jump(pose, ends)
    }
}

/// Returns the jump of rotations that are evaluated.
fn turn_jump(pose: impl Fn(f32) -> Option<DMat3>, [first, end]: [f32; 2]) -> Option<Jump> {
    let [start, next, before, stop] =
        [pose(first)?, pose(first + COARSE_STEP)?, pose(end - COARSE_STEP)?, pose(end)?];
    let speed = (turn_deg(start, next) - turn_deg(before, stop)) / f64::from(COARSE_STEP);
    Jump::new(turn_deg(start, stop).length(), speed.length())
}

fn curve_jump(curve: &Spline<Vec3>, first: f32, end: f32) -> Option<Jump> {
    let rotation = |angles: DVec3| rotation::from_euler(angles.map(f64::to_radians));
    let [start, stop] = [curve.at(first)?, curve.at(end)?].map(Vec3::as_dvec3);
    let velocity = |angles: DVec3, slope: Vec3| {
        turn_deg(rotation(angles), rotation(angles + slope.as_dvec3() * STEP)) / STEP
    };
    let ([_, leave], [arrive, _]) = (Vec3::slopes(curve, first)?, Vec3::slopes(curve, end)?);
    let speed = velocity(start, leave) - velocity(stop, arrive);
    Jump::new(turn_deg(rotation(start), rotation(stop)).length(), speed.length())
}

/// Returns the jump of numbers in a unit. Switches have no speed.
fn value_jump(channel: &Channel, unit: f64, [first, end]: [f32; 2]) -> Option<Jump> {
    let [start, stop] = [channel.at(first)?, channel.at(end)?].map(numbers);
    let slopes = channel.slopes(first).zip(channel.slopes(end));
    let speed = slopes.map_or(0.0, |([_, leave], [arrive, _])| numbers(leave).distance(numbers(arrive)));
    Jump::new(start.distance(stop) * unit, speed * unit)
}

/// The numbers of a value, and 0 where it has none.
fn numbers(value: Value) -> DVec4 {
    DVec4::from_array(std::array::from_fn(|i| value.component(i).unwrap_or(0.0).into()))
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
        let turn = seam.turn.unwrap();
        assert!(turn.size < 1e-6 && (turn.speed - 4.0).abs() < 0.01, "{seam:?}");
        // The key right after the last frame closes the loop, unless another take begins there.
        assert_eq!(animation.seam([0, 19]), Some(seam));
        animation.takes.list.push(Take::new("Next", [20, 30]));
        let cut = animation.seam([0, 19]).unwrap();
        assert!((cut.turn.unwrap().size - 2.0).abs() < 1e-3, "{cut:?}");
        assert_eq!(cut.to_string(), "seam 2.0°, speed changes by 4.0°/frame");
    }

    #[test]
    fn a_pose_that_turns_on_has_a_jump_of_the_angle_alone() {
        let knots = [(0.0, Vec3::Z * 10.0), (20.0, Vec3::Z * 70.0)];
        let animation = animation(&knots, Mode::Linear);
        let seam = animation.seam([0, 20]).unwrap().turn.unwrap();
        assert!((seam.size - 60.0).abs() < 1e-3 && seam.speed < 0.01, "{seam:?}");
        assert_eq!((animation.seam([4, 4]), Animation::default().seam([0, 20])), (None, None));
    }

    /// A ball that moves on by 2 and turns on by 90 degrees, and a lamp that goes from 4 to 3.
    #[test]
    fn objects_jump_as_bones_do() {
        let turns = [Quat::IDENTITY, Quat::from_rotation_y(std::f32::consts::FRAC_PI_2)];
        let quarter = Channel::Quat(Spline::from_knots(vec![(0.0, turns[0]), (20.0, turns[1])]));
        let mut way = Spline::from_knots(vec![(0.0, Vec3::ZERO), (10.0, Vec3::Y), (20.0, Vec3::X * 2.0)]);
        (0..3).for_each(|key| way.set_mode(key, Mode::Linear));
        let lamp = Spline::from_knots(vec![(0.0, 4.0), (20.0, 3.0)]);
        let mut animation = Animation::default();
        let ball = animation.channels.entry("Ball".into()).or_default();
        ball.insert("rotation".into(), Arc::new(quarter));
        ball.insert("translation".into(), Arc::new(Channel::Vec3(way)));
        let lamps = animation.channels.entry("Lamp".into()).or_default();
        lamps.insert("energy".into(), Arc::new(Channel::Float(lamp)));
        let seam = animation.seam([0, 20]).unwrap();
        let [turn, position, other] = [seam.turn, seam.position, seam.other].map(Option::unwrap);
        assert!((turn.size - 90.0).abs() < 1e-3 && turn.speed < 0.01, "{turn:?}");
        // From (0.2, -0.1) a frame to (0, 0.1).
        assert!((position.size - 2.0).abs() < 1e-6, "{position:?}");
        assert!((position.speed - 0.08_f64.sqrt()).abs() < 1e-6, "{position:?}");
        assert!((other.size - 0.25).abs() < 1e-6, "{other:?}");
        assert_eq!(seam.short_text(), "seam 90.0°, position 2.00, others 25 %");
        // Where a character goes does not count.
        animation.channels.clear();
        let walk = Spline::from_knots(vec![(0.0, Vec3::ZERO), (20.0, Vec3::X)]);
        let body = animation.channels.entry("Body".into()).or_default();
        body.insert("base_offset".into(), Arc::new(Channel::Vec3(walk)));
        assert_eq!(animation.seam([0, 20]), None);
    }
}
