//! Legs of the human of this repository under inverse kinematics: a crouch on pinned feet, a foot that is lifted, a hand
//! that goes to the floor.

use super::posing::{bone, handle, human};
use super::time::median;
use glam::{DAffine3, DQuat, DVec3, Quat};
use ossature::rig::ik::chain::limb;
use ossature::rig::ik::pole;
use ossature::rig::ik::{self, Options};
use ossature::rig::kinematics::{current_pose, tips};
use ossature::rig::skeleton::{Handle, Orientation, Skeleton};
use std::time::Instant;

/// What was seen over the frames of a crouch or of a foot that is lifted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Legs {
    /// How far a knee strays to the side of where it is at rest, in skeleton units, and how far it comes to the front at least.
    pub aside: f64,
    pub forward: f64,
    /// How far a pinned foot slips, and how far the end of its toes gets below where it stood.
    pub slips: f64,
    pub sinks: f64,
    /// Largest turn of a bone in space between two frames in degrees.
    pub turned: f64,
    /// Of a frame, the median.
    pub seconds: f64,
}

impl Legs {
    fn over(human: &Skeleton, frames: impl Iterator<Item = Skeleton>) -> Self {
        let knees = ["thigh.L", "thigh.R"].map(|name| bone(human, name));
        let rest = tips(human, &current_pose(human));
        let mut seen = Self {
            forward: f64::MAX,
            ..Self::default()
        };
        let mut before: Option<Vec<DAffine3>> = None;
        let mut seconds = Vec::new();
        for mut skeleton in frames {
            let begun = Instant::now();
            ik::solve(&mut skeleton, &Options::default());
            seconds.push(begun.elapsed().as_secs_f64());
            let placed = current_pose(&skeleton);
            let at = tips(&skeleton, &placed);
            for knee in knees {
                seen.aside = seen.aside.max((at[knee].x - rest[knee].x).abs());
            }
            seen.forward = seen.forward.min(at[knees[0]].z - rest[knees[0]].z);
            for handle in skeleton.handles.iter().filter(|handle| handle.pinned) {
                let off = at[handle.bone as usize].distance(handle.target.as_dvec3());
                seen.slips = seen.slips.max(off);
                let toes = handle.bone as usize + 1;
                seen.sinks = seen.sinks.max(rest[toes].y - at[toes].y);
            }
            if let Some(before) = &before {
                let turned = placed.iter().zip(before).map(|(now, then)| {
                    DQuat::from_mat3(&(now.matrix3 * then.matrix3.transpose())).angle_between(DQuat::IDENTITY)
                });
                seen.turned = seen.turned.max(turned.fold(0.0, f64::max).to_degrees());
            }
            before = Some(placed);
        }
        seen.seconds = median(seconds);
        seen
    }
}

/// Both feet pinned as P pins them, turned as they are if `turned`.
fn pins(human: &Skeleton, turned: bool) -> Vec<Handle> {
    let at = tips(human, &current_pose(human));
    let pin = |name| {
        let foot = bone(human, name);
        let mut pin = handle(foot, at[foot]);
        (pin.pinned, pin.chain) = (true, Some(limb(human, foot)));
        pin.orientation = turned.then(|| Orientation::new(Quat::IDENTITY, 1.0));
        pin.pole = pole::of_limb(human, &pin);
        pin
    };
    ["foot.L", "foot.R"].map(pin).to_vec()
}

/// With [`pins`], the base goes down by 1.5 of 5.6 in 75 frames.
pub fn crouching(turned: bool) -> Legs {
    let human = human();
    let pins = pins(&human, turned);
    let frames = (0..=75).map(|frame| {
        let mut skeleton = human.clone();
        skeleton.handles = pins.clone();
        skeleton.base_offset.y = -0.02 * frame as f32;
        skeleton
    });
    Legs::over(&human, frames)
}

/// With [`pins`] and a free root, the right hand goes to the floor in front of the feet in 120 frames, and the body keeps
/// its balance.
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
    Legs::over(&human, frames)
}

/// A foot that is lifted by a handle of its own, by 1.2 of 5.6 in 120 frames.
pub fn lifting() -> Legs {
    let human = human();
    let foot = bone(&human, "foot.L");
    let at = tips(&human, &current_pose(&human))[foot];
    let frames = (0..=120).map(|frame| {
        let mut skeleton = human.clone();
        let mut lift = handle(foot, at + DVec3::Y * 0.01 * f64::from(frame));
        lift.chain = Some(limb(&human, foot));
        skeleton.handles = vec![lift];
        skeleton
    });
    Legs::over(&human, frames)
}
