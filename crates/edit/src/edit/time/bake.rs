//! Baking: converts the effect of inverse kinematics on a skeleton, frame by frame, into keys of its bones.
//! The handles are not needed afterwards.

use crate::anim::channel::{ChannelRef, SkeletonChannel, Value};
use crate::anim::channel_set::ChannelSet;
use crate::anim::clip::Clip;
use crate::edit::command::Command;
use crate::edit::command::keys::{ChannelKeys, KeyCommand, KeyframeValues, Purpose};
use crate::edit::time::layer_keys::in_active_layer;
use crate::io::limits::{ARRAY_COST, JSON_COST, VALUE_COST};
use crate::rig::ik::{self, chain::remaining_chain};
use crate::rig::property::{BASE_OFFSET, ENABLED, POSE, SCALE, TRANSLATION};
use crate::rig::skeleton::{Bone, Part, Skeleton};
use crate::scene::Scene;
use crate::scene::apply_animation::Animator;
use crate::scene::solve::Posing;
use glam::Vec3;
use std::collections::BTreeSet;

/// The settings of baking.
#[derive(Clone, Debug, PartialEq)]
pub struct Bake {
    /// The name of the skinned mesh.
    pub mesh: String,
    /// The first and last frame; a key is set at each whole frame.
    pub frames: [u32; 2],
    pub ik: ik::Options,
    /// Whether to disable the handles afterwards, and delete the keys that enable them.
    pub disable_handles: bool,
}

/// The cost of a bone's key: its time, and an array of three numbers.
const KEY_COST: usize = 4 * VALUE_COST + ARRAY_COST;
const MAX_KEYS: usize = JSON_COST / KEY_COST;

/// The reason why there is nothing, or too much, to bake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BakeError {
    #[error("the skinned mesh is not there any more; choose another")]
    NoMesh,
    #[error("the first frame must not come after the last")]
    NoFrames,
    #[error("these are more than 10,000 frames, the most that are baked at once; choose fewer")]
    TooManyFrames,
    #[error("no handle is enabled in these frames; enable one, or choose other frames")]
    NoHandle,
    #[error("baking was cancelled; the keys are as they were")]
    Cancelled,
    #[error(
        "{keys} keys would be made, and a file that holds more than {} could not be opened again; bake fewer \
         frames",
        MAX_KEYS
    )]
    TooMany { keys: u64 },
}

/// Returns the commands that bake, to be applied as one step. Bones that no handle can move get no keys. Keys
/// of the baked bones from the first to the last frame are replaced; muted channels are unmuted. The active layer of the
/// character gets the keys, if it can have them.
///
/// `unkeyed`: channels that are ignored (see [`crate::edit::session::autokey`]). `progress` is called with the number of
/// frames done and the total, and returns false to cancel.
///
/// # Errors
/// See [`BakeError`].
pub fn bake(
    scene: &Scene,
    unkeyed: &ChannelSet,
    bake: &Bake,
    mut progress: impl FnMut(u32, u32) -> bool,
) -> Result<Vec<Command>, BakeError> {
    let [first, last] = bake.frames;
    let total = last.checked_sub(first).ok_or(BakeError::NoFrames)?.saturating_add(1);
    if total > Clip::MAX_AT_ONCE {
        return Err(BakeError::TooManyFrames);
    }
    let skinned = scene.skinned_meshes.get(&bake.mesh).ok_or(BakeError::NoMesh)?;
    let mut animator = Animator::default();
    let mut values = Vec::<Vec<[Vec3; 3]>>::new();
    // The bones that get keys of each row.
    let (mut pulled, mut moved, mut scaled) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    // The offsets of a root that handles may move.
    let (mut offsets, mut is_free) = (Vec::<Vec3>::new(), false);
    for frame in first..=last {
        if !progress(frame - first, total) {
            return Err(BakeError::Cancelled);
        }
        let driven = animator.animate(scene, frame as f32, unkeyed);
        let mesh = driven.skinned_meshes.get(&bake.mesh).ok_or(BakeError::NoMesh)?;
        add_pulled(&mesh.skeleton, &mut pulled);
        let (skeleton, _) =
            Posing::with_ik(Some(&bake.ik)).solve(&driven, &bake.mesh).ok_or(BakeError::NoMesh)?;
        // A limb that stretches is scaled, and what hangs at its end moves and turns against it.
        for (bone, (before, after)) in mesh.skeleton.bones.iter().zip(&skeleton.bones).enumerate() {
            pulled.extend((before.pose_deg != after.pose_deg).then_some(bone));
            moved.extend((before.translation != after.translation).then_some(bone));
            scaled.extend((before.scale != after.scale).then_some(bone));
        }
        let keys = u64::from(total) * (pulled.len() + moved.len() + scaled.len()) as u64;
        if keys > MAX_KEYS as u64 {
            return Err(BakeError::TooMany { keys });
        }
        is_free |= skeleton.root_free;
        offsets.push(skeleton.base_offset);
        let values_of = |bone: &Bone| [bone.pose_deg, bone.translation, bone.scale];
        values.push(skeleton.bones.iter().map(values_of).collect());
    }
    progress(total, total);
    if pulled.is_empty() {
        return Err(BakeError::NoHandle);
    }
    let skeleton = &skinned.skeleton;
    let channel = |channel: SkeletonChannel| ChannelRef::new(&bake.mesh, channel);
    let (mut deleted, mut muted) = (Vec::new(), Vec::new());
    let mut knots = Vec::new();
    let mut add = |channel: ChannelRef, value_at: &dyn Fn(usize) -> Vec3| {
        let frames = (first..=last).enumerate();
        let baked = frames.map(|(index, frame)| (frame as f32, Value::Vec3(value_at(index)))).collect();
        let baked = in_active_layer(scene, KeyframeValues { modes: Vec::new(), channel, knots: baked });
        let mute = scene.animation.mute(&bake.mesh, &baked.channel.channel);
        muted.extend((!mute.is_none()).then(|| baked.channel.clone()));
        deleted.extend(keys_within(scene, baked.channel.clone(), first as f32, last as f32));
        knots.push(baked);
    };
    for (part, (row, bones)) in
        [(POSE, &pulled), (TRANSLATION, &moved), (SCALE, &scaled)].into_iter().enumerate()
    {
        for &bone in bones {
            let id = skeleton.bones[bone].channel_id;
            add(channel(SkeletonChannel::Bone(id, row)), &|index| values[index][bone][part]);
        }
    }
    if is_free {
        add(channel(SkeletonChannel::Base(BASE_OFFSET)), &|index| offsets[index]);
    }
    let purpose = Purpose::Bake;
    let mut commands = vec![Command::Keys(KeyCommand::Put { purpose, knots })];
    if !muted.is_empty() {
        commands.push(Command::Keys(KeyCommand::Mute {
            channels: muted,
            components: [true; 3],
            muted: false,
        }));
    }
    // Only keys between whole frames are deleted; those at whole frames are replaced.
    deleted.iter_mut().for_each(|keys| keys.frames.retain(|frame| frame.fract() != 0.0));
    if bake.disable_handles {
        for handle in &skeleton.handles {
            let enabled = channel(SkeletonChannel::Handle(handle.channel_id, ENABLED));
            deleted.extend(keys_within(scene, enabled, f32::MIN, f32::MAX));
        }
        let handles = (0..skeleton.handles.len()).map(Part::Handle).collect();
        commands.push(Command::set_parts(bake.mesh.clone(), handles, "enabled", false));
    }
    deleted.retain(|keys| !keys.frames.is_empty());
    if !deleted.is_empty() {
        commands.push(Command::Keys(KeyCommand::Delete { keys: deleted }));
    }
    Ok(commands)
}

/// Adds the bones that handles rotate.
fn add_pulled(skeleton: &Skeleton, pulled: &mut BTreeSet<usize>) {
    let pulling = skeleton.handles.iter().filter(|handle| skeleton.pulls(handle));
    let remaining = remaining_chain(skeleton, pulling).into_iter().enumerate();
    let rotated = remaining.filter(|(bone, remaining)| *remaining > 0 && !skeleton.bones[*bone].link);
    pulled.extend(rotated.map(|(bone, _)| bone));
}

fn keys_within(scene: &Scene, channel: ChannelRef, first: f32, last: f32) -> Option<ChannelKeys> {
    let found = scene.animation.get(&channel)?;
    let mut frames = found.times();
    frames.retain(|frame| (first..=last).contains(frame));
    Some(ChannelKeys { channel, frames })
}
