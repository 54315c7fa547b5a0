//! Locking feet and hands in place: a pinned handle at the current position of the bone, whose weight is
//! keyed from 0 to 1 and back over some frames. Existing active handles of the limb would pull it away, so
//! their targets are keyed to stay as well.

use super::selected::{bones, handles, in_animate, mesh, require, visible_pose};
use super::{Dialog, Prepared, Reason};
use crate::anim::channel::SkeletonChannel;
use crate::anim::channel::{ChannelRef, Value};
use crate::anim::mode::Mode;
use crate::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use crate::edit::command::{Command, new_handle_ids};
use crate::edit::pose::limbs::VisiblePose;
use crate::edit::settings::view::View;
use crate::edit::time::layer_keys::in_active_layer;
use crate::edit::time::stances::is_lock;
use crate::rig::body::limb::limb;
use crate::rig::body::middle::BothSides;
use crate::rig::handle_space::{has_space, space_bone};
use crate::rig::ik;
use crate::rig::ik::chain::chain;
use crate::rig::kinematics::parent_of;
use crate::rig::property::{ORIENTATION, TARGET, WEIGHT};
use crate::rig::skeleton::{Handle, Skeleton};
use crate::scene::apply_animation::Animator;
use crate::scene::layers::{driven_value, writable_channel};
use crate::scene::skinned::SkinnedMesh;
use crate::scene::solve::Posing;
use crate::scene::{Scene, channels};
use std::collections::BTreeSet;

/// The angle below which two orientations count as equal, so that an existing lock is reused.
const SAME_ROTATION_DEG: f32 = 0.5;

/// The duration of a lock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LockTimes {
    /// The last frame with full weight; the first is the current frame.
    pub until: u32,
    /// The number of frames over which the lock blends in before and out after; at least 1.
    pub blend: u32,
}

/// Returns the mesh and the bones that can be locked now.
///
/// # Errors
/// The reason why nothing can be locked: a sentence for the tooltip.
pub fn lockable<'a>(view: &View<'a>) -> Result<(String, &'a SkinnedMesh, Vec<usize>), Reason> {
    let (mesh_name, skinned) = mesh(view)?;
    in_animate(view, "Feet are locked in the Animate tab.")?;
    let skeleton = &skinned.skeleton;
    let mut found = bones(view, skeleton).unwrap_or_default();
    found.extend(handles(view, skeleton).iter().map(|&handle| skeleton.handles[handle].bone as usize));
    found.retain(|&bone| bone < skeleton.bones.len());
    if view.session.symmetric() {
        let others = BothSides::new(skeleton).others;
        let images: Vec<usize> = found.iter().filter_map(|&bone| others[bone]).collect();
        found.extend(images);
    }
    found.sort_unstable();
    found.dedup();
    require(!found.is_empty(), "Select a foot or a hand first, or its handle.")?;
    for &bone in &found {
        let name = skeleton.bone_name(bone);
        if parent_of(skeleton, bone).is_none() && !skeleton.root_free {
            let text = format!("{name} is a root: it stays where the base is, unless the root is free.");
            return Err(text.into());
        }
        for handle in pulling(skeleton, bone) {
            if is_lock(view.session.scene(), &mesh_name, handle) {
                let text = format!("{name} is already locked at this frame: go to one where it is free.");
                return Err(text.into());
            }
            let space = space_bone(skeleton, handle).map(|bone| skeleton.bone_name(bone));
            if let Some(space) = handle.space_instance.clone().or(space) {
                let text =
                    format!("A handle pulls {name} in the space of {space}; put it in that of the mesh.");
                return Err(text.into());
            }
            if handle.weight < 1.0 {
                let text =
                    format!("A handle pulls {name} with partial weight here; set that weight to 0 or 1.");
                return Err(text.into());
            }
        }
    }
    Ok((mesh_name, skinned, found))
}

/// Iterates over the active handles that pull the bone or the limb above it; look-at handles are excluded.
fn pulling(skeleton: &Skeleton, bone: usize) -> impl Iterator<Item = &Handle> {
    let limb = Handle { bone: bone as u32, chain: Some(limb(skeleton, bone)), ..Handle::default() };
    let limb: Vec<usize> = chain(skeleton, &limb).collect();
    let handles = skeleton.handles.iter();
    handles.filter(move |handle| {
        skeleton.pulls(handle) && handle.look_at.is_none() && limb.contains(&(handle.bone as usize))
    })
}

pub(super) fn open_dialog(view: &View) -> Result<Prepared, Reason> {
    lockable(view)?;
    Prepared::dialog(Dialog::Lock)
}

/// Returns commands that hold the selected bones at their visible positions and orientations.
///
/// # Errors
/// The reason why they cannot be locked: a sentence for the dialog.
pub fn lock(view: &View, times: LockTimes) -> Result<Vec<Command>, Reason> {
    let (mesh, skinned, bones) = lockable(view)?;
    let scene = view.session.animated();
    let frame = view.session.frame();
    require(times.until as f32 >= frame, "The last frame must not come before this one.")?;
    require(times.blend > 0, "Blending out takes at least one frame.")?;
    let (visible, _) = visible_pose(view, &mesh)?;
    let too_many = "There is no room for another handle.";
    let ids = new_handle_ids(scene, &mesh, bones.len()).map_err(|_| too_many)?;
    let mut ids = ids.into_iter();
    let mut next_handle = skinned.skeleton.handles.len();
    let (mut commands, mut knots) = (Vec::new(), Vec::new());
    let mut keyed: BTreeSet<u32> = BTreeSet::new();
    for bone in bones {
        let nowhere = "The position of the bone is not finite.";
        for handle in pulling(&skinned.skeleton, bone) {
            if keyed.insert(handle.channel_id) {
                let locked = LockedBone::new(&visible, handle.bone as usize).ok_or(nowhere)?;
                let scene = view.session.scene();
                let keys = locked.target_keys(scene, &mesh, handle, frame, times);
                knots.extend(keys.into_iter().map(|values| in_active_layer(scene, values)));
            }
        }
        let locked = LockedBone::new(&visible, bone).ok_or(nowhere)?;
        let handles = skinned.skeleton.handles.iter();
        let mut reusable = handles.filter(|handle| locked.matches(handle) && is_lock(scene, &mesh, handle));
        let id = match reusable.next_back() {
            Some(handle) => handle.channel_id,
            None => {
                commands.extend(visible.pin_bone(bone, next_handle));
                let orientation = locked.handle.orientation;
                let mesh = mesh.clone();
                commands.push(Command::set_handle(mesh, next_handle, "orientation", orientation));
                next_handle += 1;
                ids.next().ok_or(too_many)?
            }
        };
        knots.extend(locked.weight_and_target_keys(scene, &mesh, id, frame, times)?);
    }
    let purpose = Purpose::Lock;
    commands.push(Command::Keys(KeyCommand::Put { purpose, knots }));
    Ok(commands)
}

/// The maximum number of frames to check for reachability.
const MAX_FRAMES: u32 = 500;

/// Returns the ranges of frames (first and last) in which something that [`lock`] locks with `commands`
/// cannot stay in place, because its limb is too short or its joint limits are too narrow.
pub fn out_of_reach(view: &View, commands: &[Command], times: LockTimes) -> Vec<[u32; 2]> {
    let Ok((mesh, _, bones)) = lockable(view) else {
        return Vec::new();
    };
    let mut scene = view.session.scene().clone();
    if commands.iter().any(|command| command.apply(&mut scene).is_err()) {
        return Vec::new();
    }
    let options = ik::Options { step: view.settings.ik_step, ..ik::Options::default() };
    let first = view.session.frame().ceil() as u32;
    let frames = first..=times.until.min(first.saturating_add(MAX_FRAMES));
    let mut animator = Animator::default();
    let mut missed: Vec<[u32; 2]> = Vec::new();
    for frame in frames {
        let driven = animator.animate(&scene, frame as f32, view.session.unkeyed());
        let Some((skeleton, outcome)) = Posing::with_ik(Some(&options)).solve(&driven, &mesh) else {
            break;
        };
        let is_locked = |handle: usize| bones.contains(&(skeleton.handles[handle].bone as usize));
        if !outcome.is_some_and(|outcome| outcome.missed().any(|task| is_locked(task.handle))) {
            continue;
        }
        match missed.last_mut() {
            Some([_, last]) if *last + 1 == frame => *last = frame,
            _ => missed.push([frame; 2]),
        }
    }
    missed
}

/// The position and orientation in which a bone is locked.
struct LockedBone {
    /// A handle with this bone, target and orientation.
    handle: Handle,
}

impl LockedBone {
    fn new(visible: &VisiblePose, bone: usize) -> Option<Self> {
        let mut handle =
            Handle { bone: u32::try_from(bone).ok()?, target: visible.tip(bone)?, ..Handle::default() };
        handle.orientation = Some(visible.orientation(&handle, 1.0)?);
        Some(Self { handle })
    }

    /// Whether a handle holds the same bone in the same orientation.
    fn matches(&self, handle: &Handle) -> bool {
        let [wanted, existing] =
            [&self.handle, handle].map(|handle| handle.orientation.map(|orientation| orientation.rotation));
        let is_equal = |(a, b): (glam::Quat, glam::Quat)| a.angle_between(b).to_degrees() < SAME_ROTATION_DEG;
        handle.bone == self.handle.bone && !has_space(handle) && wanted.zip(existing).is_some_and(is_equal)
    }

    /// Returns keys for an already active handle: from this frame on it holds its bone in place, and after
    /// the blend it returns to its own target and orientation. `scene`: as it stores them.
    fn target_keys(
        &self,
        scene: &Scene,
        mesh: &str,
        handle: &Handle,
        frame: f32,
        times: LockTimes,
    ) -> Vec<KeyframeValues> {
        let (until, blend) = (times.until as f32, times.blend as f32);
        let last = scene.animation.clip.last_frame() as f32;
        let values = [TARGET, ORIENTATION].into_iter().filter_map(|row| {
            let value = |handle| Value::from_property(&row.get(handle)?);
            let (locked, current) = (value(&self.handle)?, value(handle)?);
            let channel = SkeletonChannel::Handle(handle.channel_id, row);
            let channel_ref = ChannelRef::new(mesh, channel);
            let animation = &scene.animation;
            let keys = animation.get(&writable_channel(animation, &channel_ref));
            let times = keys.map_or(Vec::new(), |keys| keys.times());
            let (before, after) =
                (times.iter().filter(|key| **key < frame), times.iter().filter(|key| **key > until));
            let begin = before.copied().fold(0.0f32.max(frame - blend), f32::max);
            let end = after.copied().fold(last.min(until + blend), f32::min);
            let original = |frame: f32| {
                let stored = channels::value(scene, &channel_ref).unwrap_or(current);
                channel.sanitized(driven_value(animation, &channel_ref, frame, stored)).unwrap_or(current)
            };
            let mut knots = Vec::new();
            knots.extend((begin < frame).then(|| (begin, original(begin), Mode::Clamped)));
            knots.push((frame, locked, Mode::Hold));
            let between = times.iter().copied().filter(|key| *key > frame && *key < until);
            knots.extend(between.map(|key| (key, locked, Mode::Hold)));
            knots.extend((until > frame).then_some((until, locked, Mode::Clamped)));
            knots.extend((end > until).then(|| (end, original(end), Mode::Clamped)));
            Some(KeyframeValues {
                channel: channel_ref,
                modes: knots.iter().map(|(.., mode)| (*mode).into()).collect(),
                knots: knots.into_iter().map(|(time, value, _)| (time, value)).collect(),
            })
        });
        values.collect()
    }

    /// Returns keys for the weight and target of a lock handle. Its existing keys before and after are
    /// preserved, if necessary by shortening the blend.
    fn weight_and_target_keys(
        &self,
        scene: &Scene,
        mesh: &str,
        id: u32,
        frame: f32,
        times: LockTimes,
    ) -> Result<[KeyframeValues; 2], Reason> {
        let [weight, target] = [SkeletonChannel::Handle(id, WEIGHT), SkeletonChannel::Handle(id, TARGET)]
            .map(|channel| ChannelRef::new(mesh, channel));
        let keys =
            |channel: &ChannelRef| scene.animation.get(channel).map_or(Vec::new(), |keys| keys.times());
        let (until, blend) = (times.until as f32, times.blend as f32);
        let existing = keys(&weight);
        let before = existing.iter().copied().filter(|key| *key < frame).fold(0.0, f32::max);
        let after = existing.iter().copied().filter(|key| *key >= frame).fold(f32::INFINITY, f32::min);
        if after <= until {
            let text = format!("It is locked again at frame {after}; end this lock before then.");
            return Err(text.into());
        }
        let begin = before.max(frame - blend);
        let end = after.min(until + blend).min(scene.animation.clip.last_frame() as f32);
        let mut weights: Vec<(f32, Value)> = Vec::new();
        for (time, value) in [(begin, 0.0), (frame, 1.0), (until, 1.0), (end, 0.0)] {
            // At the first and after the last frame of the animation there is no room for a blend.
            let has_no_blend = value == 0.0 && (time == frame || time <= until && time != begin);
            if !has_no_blend && weights.last().is_none_or(|(last, _)| *last < time) {
                weights.push((time, Value::Float(value)));
            }
        }
        let position = Value::Vec3(self.handle.target);
        let mut times = vec![begin];
        times.extend(keys(&target).into_iter().filter(|key| *key > begin && *key < end));
        Ok([
            KeyframeValues {
                channel: weight,
                modes: vec![Mode::Clamped.into(); weights.len()],
                knots: weights,
            },
            KeyframeValues {
                channel: target,
                modes: vec![Mode::Hold.into(); times.len()],
                knots: times.into_iter().map(|time| (time, position)).collect(),
            },
        ])
    }
}
