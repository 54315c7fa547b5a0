//! Baking: what inverse kinematics does to a skeleton, frame by frame, as keys of its bones. Afterwards the
//! handles are not needed any more.

use super::command::Command;
use super::command::keys::{ChannelKeys, KeyCommand, KeyframeValues, Purpose};
use crate::anim::channel::{ChannelRef, SkeletonChannel, Value};
use crate::anim::channel_set::ChannelSet;
use crate::anim::clip::Clip;
use crate::anim::handle_channel::HandleChannel;
use crate::io::limits::{ARRAY_COST, JSON_COST, VALUE_COST};
use crate::rig::ik::{self, chain::turned};
use crate::rig::skeleton::Skeleton;
use crate::scene::Scene;
use crate::scene::apply_animation::Driver;
use crate::scene::evaluate::solved;
use glam::Vec3;
use std::collections::BTreeSet;

/// What to bake.
#[derive(Clone, Debug, PartialEq)]
pub struct Bake {
    /// Name of the skinned mesh.
    pub mesh: String,
    /// First and last frame; a key is made at each whole frame.
    pub frames: [u32; 2],
    pub ik: ik::Options,
    /// Disables the handles afterwards, and deletes the keys that enable them.
    pub disable_handles: bool,
}

/// A key of a bone: its time, and an array of three numbers.
const KEY_COST: usize = 4 * VALUE_COST + ARRAY_COST;
const MOST_KEYS: usize = JSON_COST / KEY_COST;

/// Why there is nothing to do, or too much.
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
        MOST_KEYS
    )]
    TooMany { keys: u64 },
}

/// The commands that bake, to be applied as one step. Bones that no handle can move get no keys. Keys that the
/// baked bones have from the first to the last frame are replaced; those that are muted are unmuted.
///
/// `unkeyed`: channels that do not count (see [`super::autokey`]). `go_on` is told how many frames of how many are
/// done, and says false to cancel.
///
/// # Errors
/// See [`BakeError`].
pub fn bake(
    scene: &Scene,
    unkeyed: &ChannelSet,
    bake: &Bake,
    mut go_on: impl FnMut(u32, u32) -> bool,
) -> Result<Vec<Command>, BakeError> {
    let [first, last] = bake.frames;
    let total = last
        .checked_sub(first)
        .ok_or(BakeError::NoFrames)?
        .saturating_add(1);
    if total > Clip::MAX_AT_ONCE {
        return Err(BakeError::TooManyFrames);
    }
    let skinned = scene.skinned_meshes.get(&bake.mesh).ok_or(BakeError::NoMesh)?;
    let mut driver = Driver::default();
    let (mut poses, mut pulled) = (Vec::<Vec<Vec3>>::new(), BTreeSet::new());
    // The offsets of a root that handles may move.
    let (mut offsets, mut is_free) = (Vec::<Vec3>::new(), false);
    for frame in first..=last {
        if !go_on(frame - first, total) {
            return Err(BakeError::Cancelled);
        }
        let driven = driver.driven(scene, frame as f32, unkeyed);
        let mesh = driven.skinned_meshes.get(&bake.mesh).ok_or(BakeError::NoMesh)?;
        add_pulled(&mesh.skeleton, &mut pulled);
        let keys = u64::from(total) * pulled.len() as u64;
        if keys > MOST_KEYS as u64 {
            return Err(BakeError::TooMany { keys });
        }
        let (skeleton, _) = solved(&mesh.skeleton, &bake.ik);
        is_free |= skeleton.root_free;
        offsets.push(skeleton.base_offset);
        poses.push(skeleton.bones.iter().map(|bone| bone.pose_deg).collect());
    }
    go_on(total, total);
    if pulled.is_empty() {
        return Err(BakeError::NoHandle);
    }
    let skeleton = &skinned.skeleton;
    let channel = |channel: SkeletonChannel| ChannelRef::new(&bake.mesh, channel);
    let pose_of = |bone: usize| channel(SkeletonChannel::BonePose(skeleton.bones[bone].channel_id));
    let (mut gone, mut muted) = (Vec::new(), Vec::new());
    let mut knots = Vec::new();
    let mut add = |channel: ChannelRef, value_at: &dyn Fn(usize) -> Vec3| {
        let mute = scene.animation.mute(&bake.mesh, &channel.channel);
        muted.extend((!mute.is_none()).then(|| channel.clone()));
        gone.extend(keys_within(scene, channel.clone(), first as f32, last as f32));
        let frames = (first..=last).enumerate();
        let knots_of = frames.map(|(at, frame)| (frame as f32, Value::Vec3(value_at(at))));
        knots.push(KeyframeValues {
            modes: Vec::new(),
            channel,
            knots: knots_of.collect(),
        });
    };
    for &bone in &pulled {
        add(pose_of(bone), &|at| poses[at][bone]);
    }
    if is_free {
        add(channel(SkeletonChannel::BaseOffset), &|at| offsets[at]);
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
    // Those between whole frames go; those at whole frames are replaced.
    gone.iter_mut()
        .for_each(|of| of.frames.retain(|frame| frame.fract() != 0.0));
    if bake.disable_handles {
        for (handle, found) in skeleton.handles.iter().enumerate() {
            let enabled = channel(HandleChannel::Enabled.of_handle(found.channel_id));
            gone.extend(keys_within(scene, enabled, f32::MIN, f32::MAX));
            let mesh = bake.mesh.clone();
            let enabled = false;
            commands.push(Command::SetHandleEnabled {
                mesh,
                handle,
                enabled,
            });
        }
    }
    gone.retain(|of| !of.frames.is_empty());
    if !gone.is_empty() {
        commands.push(Command::Keys(KeyCommand::Delete { keys: gone }));
    }
    Ok(commands)
}

/// The bones that a handle turns.
fn add_pulled(skeleton: &Skeleton, pulled: &mut BTreeSet<usize>) {
    let pulling = skeleton.handles.iter().filter(|handle| skeleton.pulls(handle));
    let turned = turned(skeleton, pulling).into_iter().enumerate();
    let turned = turned.filter(|(bone, left)| *left > 0 && !skeleton.bones[*bone].link);
    pulled.extend(turned.map(|(bone, _)| bone));
}

fn keys_within(scene: &Scene, channel: ChannelRef, first: f32, last: f32) -> Option<ChannelKeys> {
    let found = scene.animation.get(&channel)?;
    let mut frames = found.times();
    frames.retain(|frame| (first..=last).contains(frame));
    Some(ChannelKeys { channel, frames })
}
