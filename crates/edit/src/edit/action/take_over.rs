//! Adding IK. Where the limb has keys, a handle takes it over only in a range of frames that is asked for: its target
//! follows the motion there, and it has no weight outside.

use super::body::add_body_ik;
use super::pins::{look_at, pin};
use super::selected::{bones, mesh, require, visible_pose};
use super::{Action, Dialog, Prepared, Reason};
use crate::anim::channel::{ChannelRef, SkeletonChannel, Value};
use crate::anim::mode::{KeyShape, Mode, Slopes};
use crate::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use crate::edit::command::{Command, new_handle_ids};
use crate::edit::select::selection::Part;
use crate::edit::session::Session;
use crate::edit::settings::view::{Tab, View};
use crate::edit::time::keying::has_keys;
use crate::rig::body::joint::{is_in_middle, two_bones};
use crate::rig::body::limb::{limb, with_ancestors};
use crate::rig::body::middle::BothSides;
use crate::rig::ik::chain::chain;
use crate::rig::ik::pole::pole_point;
use crate::rig::kinematics::{current_pose, tips};
use crate::rig::property::{BASE_OFFSET, POLE_POINT, POSE, TARGET, TRANSLATION, WEIGHT};
use crate::rig::skeleton::{Handle, Skeleton};
use crate::scene::Scene;
use glam::Vec3;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The frames that a handle holds, to begin with, on a clip with keys that are close together.
const HELD_FRAMES: u32 = 10;
/// The fewest frames to the next key that are worth holding for.
const FEWEST_HELD: u32 = 4;

/// What is added to the selected bones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewIk {
    /// A handle at the tail of each bone.
    Handles,
    /// A handle with a pole on each limb.
    Limbs,
    /// Handles that pin bones in place.
    Pin,
    /// Handles that turn bones towards a target.
    LookAt,
    /// Handles that the whole body follows.
    Body,
}

impl NewIk {
    /// The action that asks for it.
    pub fn action(self) -> Action {
        match self {
            Self::Handles => Action::ADD_IK,
            Self::Limbs => Action::ADD_LIMB_IK,
            Self::Pin => Action::PIN,
            Self::LookAt => Action::LOOK_AT,
            Self::Body => Action::ADD_BODY_IK,
        }
    }

    /// Prepares what adds handles with goals of their own, which hold instead of following the motion; `None` for others.
    fn prepare(self, view: &View) -> Option<Result<Prepared, Reason>> {
        match self {
            Self::Handles | Self::Limbs => None,
            Self::Pin => Some(pin(view)),
            Self::LookAt => Some(look_at(view)),
            Self::Body => Some(add_body_ik(view)),
        }
    }

    /// Returns the handles to add, with bone and chain.
    fn handles(self, view: &View, skeleton: &Skeleton) -> Result<Vec<Handle>, Reason> {
        if let Some(prepared) = self.prepare(view) {
            let mut session = view.session.clone();
            session.apply(prepared?.edits()).map_err(|error| error.to_string())?;
            let (_, skinned) = mesh(&View { session: &session, ..*view })?;
            let handles = skinned.skeleton.handles.get(skeleton.handles.len()..);
            return Ok(handles.unwrap_or_default().to_vec());
        }
        let bones = bones(view, skeleton)?;
        let new =
            |bone: usize, bones: u32| Handle { bone: bone as u32, chain: Some(bones), ..Handle::default() };
        if self == Self::Handles {
            return Ok(bones.into_iter().map(|bone| new(bone, limb(skeleton, bone))).collect());
        }
        // A hand and its forearm belong to the same limb. Necks and tails bend to all sides.
        let mut added: Vec<Handle> = Vec::new();
        let limbs = bones.into_iter().filter_map(|bone| two_bones(skeleton, bone));
        for (lower, bones) in limbs.filter(|(lower, _)| !is_in_middle(skeleton, *lower)) {
            if added.iter().all(|handle| handle.bone as usize != lower) {
                added.push(new(lower, bones));
            }
        }
        let reason = "Select a bone of an arm or a leg: a limb has two long bones with a joint between them.";
        require(!added.is_empty(), reason)?;
        Ok(added)
    }
}

/// The bones that new handles would take over from their keys.
#[derive(Clone, Debug, PartialEq)]
pub struct TakenOver {
    pub mesh: String,
    /// The names of the bones that have keys.
    pub names: Vec<String>,
    /// From this frame to the one before the next key.
    pub to_next_key: [u32; 2],
    pub whole_clip: [u32; 2],
    /// Whether the handles follow the motion; otherwise they hold what they find at this frame.
    pub follows: bool,
    handles: Vec<Handle>,
}

impl TakenOver {
    /// The range to begin with: up to the next key. Where every frame has a key, handles that follow the motion take over
    /// the whole clip. Those that hold do so for [`HELD_FRAMES`] where keys are less than [`FEWEST_HELD`] frames apart.
    pub fn usual_range(&self) -> [u32; 2] {
        let [first, last] = self.to_next_key;
        match last - first {
            0 if self.follows => self.whole_clip,
            frames if !self.follows && frames + 1 < FEWEST_HELD => {
                [first, (first + HELD_FRAMES).min(self.whole_clip[1]).max(last)]
            }
            _ => self.to_next_key,
        }
    }
}

/// Returns what new handles would take over.
///
/// # Errors
/// The reason why none can be added: a sentence for the tooltip.
pub fn taken_over(view: &View, new: NewIk) -> Result<TakenOver, Reason> {
    let (mesh, skinned) = mesh(view)?;
    let (skeleton, scene) = (&skinned.skeleton, view.session.scene());
    let session = with_both_sides(view, skeleton);
    let mut handles = new.handles(&View { session: &session, ..*view }, skeleton)?;
    if matches!(new, NewIk::Handles | NewIk::Limbs) {
        // The handle of the chosen bone comes last, and is then the selected one.
        let chosen = view.session.selection().bones();
        handles.sort_by_key(|handle| chain(skeleton, handle).any(|bone| chosen.contains(&bone)));
    }
    let keyed = handles.iter().flat_map(|handle| chain(skeleton, handle)).collect::<BTreeSet<usize>>();
    let is_keyed = |bone: &usize| has_keys(scene, &channel(&mesh, skeleton, *bone));
    let keyed: Vec<usize> =
        keyed.into_iter().filter(|bone| !skeleton.bones[*bone].link && is_keyed(bone)).collect();
    let frame = view.session.frame();
    let keys = || keyed.iter().flat_map(|&bone| times(scene, &channel(&mesh, skeleton, bone)));
    let next = keys().filter(|time| *time > frame).fold(f32::INFINITY, f32::min);
    let [first, last] = scene.animation.clip.play_range();
    // The key that ends a loop is after its last frame.
    let last_key = keys().fold(last as f32, f32::max).ceil() as u32;
    let last = if scene.animation.takes.chosen().is_some() { last } else { last_key };
    let this = frame.floor() as u32;
    let before_next = if next.is_finite() { (next.ceil() as u32 - 1).max(this) } else { last.max(this) };
    Ok(TakenOver {
        names: keyed.iter().map(|bone| skeleton.bone_name(*bone)).collect(),
        to_next_key: [this, before_next],
        whole_clip: [first, last],
        follows: matches!(new, NewIk::Handles | NewIk::Limbs),
        mesh,
        handles,
    })
}

/// Returns the session with the other sides of the selected bones selected too, if symmetry is on: what is done to both
/// sides is then said of both.
fn with_both_sides(view: &View, skeleton: &Skeleton) -> Session {
    let mut session = view.session.clone();
    if session.symmetric() {
        let others = BothSides::new(skeleton).others;
        let chosen = session.selection().bones();
        let mut all: Vec<usize> = chosen.iter().filter_map(|&bone| *others.get(bone)?).collect();
        all.retain(|bone| !chosen.contains(bone));
        all.extend(chosen);
        session.select(session.selection().with_parts(all.into_iter().map(Part::Bone)));
    }
    session
}

fn channel(mesh: &str, skeleton: &Skeleton, bone: usize) -> ChannelRef {
    ChannelRef::new(mesh, SkeletonChannel::Bone(skeleton.bones[bone].channel_id, POSE))
}

fn times(scene: &Scene, channel: &ChannelRef) -> Vec<f32> {
    scene.animation.get(channel).map_or(Vec::new(), |keys| keys.times())
}

/// Adds the handles; in the Animate tab, where bones have keys, a dialog asks for the range first.
pub(super) fn add(view: &View, new: NewIk) -> Result<Prepared, Reason> {
    let taken = taken_over(view, new)?;
    if view.settings.tab == Tab::Animate && !taken.names.is_empty() {
        return Prepared::dialog(Dialog::TakeOver(new));
    }
    if let Some(prepared) = new.prepare(view) {
        return prepared;
    }
    let (mesh, skinned) = mesh(view)?;
    let (visible, holds) = visible_pose(view, &mesh)?;
    let handles = new.handles(view, &skinned.skeleton)?.into_iter().zip(skinned.skeleton.handles.len()..);
    let commands = handles.filter_map(|(handle, index)| match new {
        NewIk::Handles => Some(visible.add_handle(handle.bone as usize, index, holds)),
        NewIk::Limbs => visible.add_limb(handle.bone as usize, index, holds),
        NewIk::Pin | NewIk::LookAt | NewIk::Body => None,
    });
    Prepared::commands(commands.flatten().collect())
}

/// Prepares what adds the handles and lets them pull from a first to a last frame, along the motion that is there, with the
/// selection and the message of the action.
///
/// # Errors
/// A sentence for the dialog.
pub fn take_over(view: &View, new: NewIk, range: [u32; 2]) -> Result<Prepared, Reason> {
    let taken = taken_over(view, new)?;
    let mesh = taken.mesh.as_str();
    require(range[0] <= range[1], "The last frame must not come before the first.")?;
    let scene = view.session.scene();
    let (visible, _) = visible_pose(view, mesh)?;
    let too_many = "There is no room for another handle.";
    let ids = new_handle_ids(view.session.animated(), mesh, taken.handles.len()).map_err(|_| too_many)?;
    let last_frame = scene.animation.clip.last_frame();
    let weight = |id| {
        let channel = ChannelRef::new(mesh, SkeletonChannel::Handle(id, WEIGHT));
        weights(KeyframeValues { channel, knots: Vec::new(), modes: Vec::new() }, range, last_frame)
    };
    let session = with_both_sides(view, &visible.skeleton);
    if let Some(prepared) = new.prepare(&View { session: &session, ..*view }) {
        let mut prepared = prepared?;
        if let Prepared::Commands { commands, .. } = &mut prepared {
            let knots = ids.into_iter().map(weight).collect();
            commands.push(Command::Keys(KeyCommand::Put { purpose: Purpose::Paste, knots }));
        }
        return Ok(prepared);
    }
    let first_index = visible.skeleton.handles.len();
    let (mut commands, mut knots) = (Vec::new(), Vec::new());
    for (offset, handle) in taken.handles.iter().enumerate() {
        let (bone, index) = (handle.bone as usize, first_index + offset);
        commands.extend(match new {
            NewIk::Handles => visible.add_handle(bone, index, true),
            NewIk::Limbs => visible.add_limb(bone, index, true).ok_or("This limb has no joint.")?,
            NewIk::Pin | NewIk::LookAt | NewIk::Body => Vec::new(),
        });
    }
    let frames = key_frames(scene, mesh, &visible.skeleton, &taken.handles, range);
    let poses = moving_poses(view, mesh, &frames);
    for (handle, id) in taken.handles.iter().zip(ids) {
        let channel = |row| ChannelRef::new(mesh, SkeletonChannel::Handle(id, row));
        let tip = |skeleton: &Skeleton| {
            Some(tips(skeleton, &current_pose(skeleton))[handle.bone as usize].as_vec3())
        };
        knots.push(following(channel(TARGET), &poses, tip));
        if new == NewIk::Limbs {
            knots.push(following(channel(POLE_POINT), &poses, |skeleton| pole_point(skeleton, handle)));
        }
        knots.push(weight(id));
    }
    knots.retain(|values| !values.knots.is_empty());
    commands.push(Command::Keys(KeyCommand::Put { purpose: Purpose::Paste, knots }));
    Prepared::commands(commands)
}

/// A pose at a frame, and those shortly before and behind it, where they are needed for speeds.
struct MovingPose {
    frame: f32,
    pose: Arc<Skeleton>,
    beside: [Option<Arc<Skeleton>>; 2],
}

/// The time beside a key over which the speed of a target is measured, in frames.
const STEP: f32 = 0.125;

/// Returns the poses at frames, with speeds at the first and the last of them, and next to more than a frame without a key.
fn moving_poses(view: &View, mesh: &str, frames: &[f32]) -> Vec<MovingPose> {
    let is_far = |a: usize, b: usize| a == 0 || b + 1 == frames.len() || frames[b] - frames[a] > 1.0;
    let pose = |(index, &frame): (usize, &f32)| {
        let before = index.checked_sub(1).filter(|before| is_far(*before, index)).map(|_| -STEP);
        let behind = (index + 1 < frames.len() && is_far(index, index + 1)).then_some(STEP);
        let beside = [before, behind].map(|step| view.skeleton_at(mesh, frame + step?));
        Some(MovingPose { frame, pose: view.skeleton_at(mesh, frame)?, beside })
    };
    frames.iter().enumerate().filter_map(pose).collect()
}

/// Returns keys that follow a point of the poses, also between them: with the speeds that it has there.
fn following(
    channel: ChannelRef,
    poses: &[MovingPose],
    point: impl Fn(&Skeleton) -> Option<Vec3>,
) -> KeyframeValues {
    let (mut knots, mut modes) = (Vec::new(), Vec::new());
    for MovingPose { frame, pose, beside } in poses {
        let Some(value) = point(pose) else { continue };
        let slope = |side: usize, step: f32| {
            let other = point(beside[side].as_ref()?)?;
            Some(Value::Vec3((other - value) / step))
        };
        let slopes = Slopes::fixed(slope(0, -STEP), slope(1, STEP));
        knots.push((*frame, Value::Vec3(value)));
        modes.push(KeyShape { mode: Mode::Clamped, slopes });
    }
    KeyframeValues { channel, knots, modes }
}

/// Returns the keys of the weight: 1 in the range, 0 outside, without transition. No frame is outside after the last one of
/// the clip, which a key there would lengthen.
fn weights(empty: KeyframeValues, [first, last]: [u32; 2], last_frame: u32) -> KeyframeValues {
    let before = first.checked_sub(1).map(|before| (before as f32, Value::Float(0.0)));
    let after = (last < last_frame).then_some((last as f32 + 1.0, Value::Float(0.0)));
    let range = (first as f32, Value::Float(1.0));
    let knots: Vec<_> = before.into_iter().chain([range]).chain(after).collect();
    KeyframeValues { modes: vec![Mode::Hold.into(); knots.len()], knots, ..empty }
}

/// Returns the frames at which targets get keys: the ends of the range, the frame after it, up to which the weight holds, and
/// where anything that moves the limb has a key.
fn key_frames(
    scene: &Scene,
    mesh: &str,
    skeleton: &Skeleton,
    handles: &[Handle],
    range: [u32; 2],
) -> Vec<f32> {
    let [first, last] = range.map(|frame| frame as f32);
    let movers: BTreeSet<usize> =
        handles.iter().flat_map(|handle| with_ancestors(skeleton, handle.bone as usize)).collect();
    let rows = movers.iter().flat_map(|&bone| {
        [POSE, TRANSLATION].map(|row| SkeletonChannel::Bone(skeleton.bones[bone].channel_id, row))
    });
    let channels =
        rows.chain([SkeletonChannel::Base(BASE_OFFSET)]).map(|channel| ChannelRef::new(mesh, channel));
    let mut frames: Vec<f32> = channels.flat_map(|channel| times(scene, &channel)).collect();
    let end = (last + 1.0).min(scene.animation.clip.last_frame().max(range[1]) as f32);
    frames.extend([first, last, end]);
    frames.retain(|frame| (first..=end).contains(frame));
    frames.sort_by(f32::total_cmp);
    frames.dedup();
    frames
}
