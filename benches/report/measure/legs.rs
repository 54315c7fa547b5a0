//! Measures the legs of the human of this repository under inverse kinematics: a crouch on pinned feet, a
//! lifted foot, a hand that reaches for the floor.

use super::posing::{bone, handle, human};
use super::time::median;
use glam::{DAffine3, DQuat, DVec3, Quat};
use ossature::rig::body::limb::limb;
use ossature::rig::ik::pole;
use ossature::rig::ik::{self, Options};
use ossature::rig::kinematics::{current_pose, tips};
use ossature::rig::skeleton::{Handle, Orientation, Skeleton};
use std::time::Instant;

/// Measurements over the frames of a movement.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Legs {
    /// The largest sideways distance of a knee from its rest position, in skeleton units.
    pub knee_sideways: f64,
    /// The smallest forward distance of the left knee from its rest position.
    pub knee_forward: f64,
    /// The largest distance of a pinned foot from its target.
    pub foot_slip: f64,
    /// The largest depth of the toes of a pinned foot below their rest position.
    pub toe_sink: f64,
    /// The largest rotation of a bone in space between two frames, in degrees.
    pub rotation_deg: f64,
    /// The median time of a frame.
    pub seconds: f64,
}

impl Legs {
    fn measure(human: &Skeleton, frames: impl Iterator<Item = Skeleton>) -> Self {
        let knees = ["thigh.L", "thigh.R"].map(|name| bone(human, name));
        let rest = tips(human, &current_pose(human));
        let mut legs = Self { knee_forward: f64::MAX, ..Self::default() };
        let mut before: Option<Vec<DAffine3>> = None;
        let mut seconds = Vec::new();
        for mut skeleton in frames {
            let start = Instant::now();
            ik::solve(&mut skeleton, &Options::default());
            seconds.push(start.elapsed().as_secs_f64());
            let pose = current_pose(&skeleton);
            let tips = tips(&skeleton, &pose);
            for knee in knees {
                legs.knee_sideways = legs.knee_sideways.max((tips[knee].x - rest[knee].x).abs());
            }
            legs.knee_forward = legs.knee_forward.min(tips[knees[0]].z - rest[knees[0]].z);
            for handle in skeleton.handles.iter().filter(|handle| handle.pinned) {
                let slip = tips[handle.bone as usize].distance(handle.target.as_dvec3());
                legs.foot_slip = legs.foot_slip.max(slip);
                let toes = handle.bone as usize + 1;
                legs.toe_sink = legs.toe_sink.max(rest[toes].y - tips[toes].y);
            }
            if let Some(before) = &before {
                let rotations = pose.iter().zip(before).map(|(after, before)| {
                    DQuat::from_mat3(&(after.matrix3 * before.matrix3.transpose()))
                        .angle_between(DQuat::IDENTITY)
                });
                legs.rotation_deg = legs.rotation_deg.max(rotations.fold(0.0, f64::max).to_degrees());
            }
            before = Some(pose);
        }
        legs.seconds = median(seconds);
        legs
    }
}

/// Returns pins for both feet like the key P, with their orientations if `oriented`.
fn pins(human: &Skeleton, oriented: bool) -> Vec<Handle> {
    let tips = tips(human, &current_pose(human));
    let pin = |name| {
        let foot = bone(human, name);
        let mut pin = handle(foot, tips[foot]);
        (pin.pinned, pin.chain) = (true, Some(limb(human, foot)));
        pin.orientation = oriented.then(|| Orientation::new(Quat::IDENTITY, 1.0));
        pin.pole = pole::limb_pole(human, &pin);
        pin
    };
    ["foot.L", "foot.R"].map(pin).to_vec()
}

/// Measures a crouch on [`pins`]: the base moves down by 1.5 of 5.6 units in 75 frames.
pub fn crouching(oriented: bool) -> Legs {
    let human = human();
    let pins = pins(&human, oriented);
    let frames = (0..=75).map(|frame| {
        let mut skeleton = human.clone();
        skeleton.handles = pins.clone();
        skeleton.base_offset.y = -0.02 * frame as f32;
        skeleton
    });
    Legs::measure(&human, frames)
}

/// Measures a bow on [`pins`] with a free root: the right hand reaches for the floor in front of the feet in
/// 120 frames, while the body keeps its balance.
pub fn bowing() -> Legs {
    const FRAMES: u32 = 120;
    let human = human();
    let hand = bone(&human, "hand.R");
    let from = tips(&human, &current_pose(&human))[hand];
    let floor = DVec3::new(-0.45, 0.5, 1.1);
    let pins = pins(&human, true);
    let frames = (0..=FRAMES).map(|frame| {
        let mut skeleton = human.clone();
        skeleton.handles = pins.clone();
        let part = f64::from(frame) / f64::from(FRAMES);
        skeleton.handles.push(handle(hand, from.lerp(floor, part)));
        skeleton.root_free = true;
        skeleton
    });
    Legs::measure(&human, frames)
}

/// Measures a foot lifted by its own handle by 1.2 of 5.6 units in 120 frames.
pub fn lifting() -> Legs {
    let human = human();
    let foot = bone(&human, "foot.L");
    let start = tips(&human, &current_pose(&human))[foot];
    let frames = (0..=120).map(|frame| {
        let mut skeleton = human.clone();
        let mut lift = handle(foot, start + DVec3::Y * 0.01 * f64::from(frame));
        lift.chain = Some(limb(&human, foot));
        skeleton.handles = vec![lift];
        skeleton
    });
    Legs::measure(&human, frames)
}
