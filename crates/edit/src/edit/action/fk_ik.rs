//! Switching limbs between FK and IK, with keys if the character is animated.

use super::selected::{bones, handles, in_animate, mesh, require, visible_pose};
use super::{Note, Prepared, Reason};
use crate::anim::channel::{ChannelRef, SkeletonChannel, Value};
use crate::anim::mode::Mode;
use crate::edit::command::Command;
use crate::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use crate::edit::session::first_keys::neighbour_frames;
use crate::edit::settings::view::View;
use crate::edit::time::guard::guarding_keys;
use crate::edit::time::keying::{has_keys, part_channels};
use crate::edit::time::layer_keys::in_active_layer;
use crate::io::count::grouped;
use crate::rig::ik::chain::chain;
use crate::rig::property::{BASE_OFFSET, ENABLED, POSE};
use crate::rig::skeleton::{Handle, Skeleton};
use crate::scene::Scene;
use crate::scene::skinned::SkinnedMesh;
use std::sync::Arc;

/// Adds a command that keys everything that `commands` pose, if the character is animated: with auto-key on,
/// if it has keys, or after the first frame of the play range. Otherwise the character is posed for all
/// frames.
pub(super) fn with_keys(
    view: &View,
    mesh: &str,
    skinned: &SkinnedMesh,
    mut commands: Vec<Command>,
) -> Vec<Command> {
    let session = view.session;
    let (animation, frame) = (&session.scene().animation, session.frame());
    let is_animated = animation.channels.contains_key(mesh);
    if !session.auto_key() && !is_animated && frame <= animation.clip.play_range()[0] as f32 {
        return commands;
    }
    let part = |command: &Command| match command.part_property() {
        Some((_, [part], "pose" | "base_offset" | "enabled", _)) => Some(*part),
        _ => None,
    };
    let parts = commands.iter().filter_map(part);
    let channels = parts.flat_map(|part| part_channels(mesh, &skinned.skeleton, part));
    let is_muted = |channel: &ChannelRef| animation.mute(&channel.resource, &channel.channel).is_whole();
    let channels: Vec<_> = channels.filter(|channel| !is_muted(channel)).collect();
    if !channels.is_empty() {
        commands.push(Command::Keys(KeyCommand::Set { channels, frame, new_mode: Mode::Clamped }));
    }
    commands
}

/// Returns the selected handles and those that rotate a selected bone.
fn limb_handles(view: &View, skeleton: &Skeleton) -> Vec<usize> {
    let mut found = handles(view, skeleton);
    let bones = bones(view, skeleton).unwrap_or_default();
    for (index, handle) in skeleton.handles.iter().enumerate() {
        // A chain up to the root is not a limb.
        let rotates = handle.chain.is_some() && chain(skeleton, handle).any(|bone| bones.contains(&bone));
        let has_bone = (handle.bone as usize) < skeleton.bones.len();
        if rotates && has_bone && !found.contains(&index) {
            found.push(index);
        }
    }
    found
}

pub(super) fn switch(view: &View) -> Result<Prepared, Reason> {
    let (mesh, skinned) = mesh(view)?;
    in_animate(view, "FK and IK are switched in the Animate tab.")?;
    require(view.settings.solve_ik, "Solve IK is off, so all limbs are FK.")?;
    let skeleton = &skinned.skeleton;
    let limbs = limb_handles(view, skeleton);
    require(!limbs.is_empty(), "Select a handle, or a bone of a limb that has one.")?;
    let (visible, _) = visible_pose(view, &mesh)?;
    let to_fk = skeleton.pulls(&skeleton.handles[limbs[0]]);
    let mut commands = Vec::new();
    for &handle in &limbs {
        commands.extend(if to_fk { visible.release(handle) } else { visible.enable_in_place(handle) });
    }
    let name = skeleton.handle_name(limbs[0]);
    let subject = match limbs.len() {
        1 => name,
        count => format!("{} limbs", grouped(count)),
    };
    let to = if to_fk { "FK" } else { "IK" };
    let mut commands = with_keys(view, &mesh, skinned, commands);
    let is_keyed = commands.iter().any(|command| matches!(command, Command::Keys(_)));
    if to_fk && is_keyed {
        commands.extend(fk_keys(view, &mesh, &limbs));
        commands.extend(guarding_keys(view, &mesh, &commands));
    }
    Prepared::with_note(commands, Note::new(format!("{subject}: {to}")))
}

/// Keys the bones that the handles leave to FK with their solved pose at the frame where the handles pull
/// again; otherwise they would move towards poses that were never visible. Bones without keys also get one
/// before this frame.
fn fk_keys(view: &View, mesh: &str, limbs: &[usize]) -> Option<Command> {
    let (scene, frame) = (view.session.scene(), view.session.frame());
    let skeleton = &scene.skinned_meshes.get(mesh)?.skeleton;
    let neighbour_frames = neighbour_frames(scene, mesh, frame);
    let before = neighbour_frames.iter().copied().find(|key| *key < frame);
    let before = before.and_then(|key| Some((key, view.skeleton_at(mesh, key)?)));
    let mut knots: Vec<KeyframeValues> = Vec::new();
    for handle in limbs.iter().map(|&handle| &skeleton.handles[handle]) {
        let next = next_pull(scene, mesh, handle, frame, &neighbour_frames);
        let next = next.and_then(|key| Some((key, view.skeleton_at(mesh, key)?)));
        let bones = chain(skeleton, handle).filter(|&bone| !skeleton.bones[bone].link);
        let bone_channels =
            bones.map(|bone| (Some(bone), SkeletonChannel::Bone(skeleton.bones[bone].channel_id, POSE)));
        let root_channel = skeleton.root_free.then_some((None, SkeletonChannel::Base(BASE_OFFSET)));
        for (bone, channel) in bone_channels.chain(root_channel) {
            let channel = ChannelRef::new(mesh, channel);
            let mute = scene.animation.mute(&channel.resource, &channel.channel);
            if mute.is_whole() || knots.iter().any(|values| values.channel == channel) {
                continue;
            }
            let first = before.iter().filter(|_| !has_keys(scene, &channel));
            let value = |(frame, solved): &(f32, Arc<Skeleton>)| {
                let value = bone.map_or(solved.base_offset, |bone| solved.bones[bone].pose_deg);
                (*frame, Value::Vec3(value))
            };
            knots.push(KeyframeValues {
                knots: first.chain(&next).map(value).collect(),
                channel,
                modes: Vec::new(),
            });
        }
    }
    knots.retain(|values| !values.knots.is_empty());
    let knots: Vec<KeyframeValues> = knots.into_iter().map(|values| in_active_layer(scene, values)).collect();
    let purpose = Purpose::Paste;
    (!knots.is_empty()).then_some(Command::Keys(KeyCommand::Put { purpose, knots }))
}

/// Finds the frame from which a handle pulls again that is disabled at `frame`. `neighbour_frames`: the keyed
/// frames next to it, where a handle without keys will get a key with its previous state.
fn next_pull(
    scene: &Scene,
    mesh: &str,
    handle: &Handle,
    frame: f32,
    neighbour_frames: &[f32],
) -> Option<f32> {
    let enabled = ChannelRef::new(mesh, SkeletonChannel::Handle(handle.channel_id, ENABLED));
    match scene.animation.get(&enabled).filter(|_| has_keys(scene, &enabled)) {
        Some(keys) => {
            let mut later = keys.times().into_iter().filter(|key| *key > frame);
            later.find(|key| keys.key(*key) == Some(Value::Bool(true)))
        }
        None => neighbour_frames.iter().copied().find(|key| *key > frame),
    }
}
