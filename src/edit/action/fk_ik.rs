//! Switching limbs between FK and IK, and keys of a pose where there is motion.

use super::selected::{bones, handles, in_animate, mesh, require, seen};
use super::{Note, Prepared, Reason};
use crate::anim::channel::{ChannelRef, SkeletonChannel, Value};
use crate::anim::handle_channel::HandleChannel;
use crate::edit::command::Command;
use crate::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use crate::edit::first_keys::neighbours;
use crate::edit::keying::{has_keys, of_part};
use crate::edit::selection::Part;
use crate::edit::view::View;
use crate::io::count::grouped;
use crate::rig::ik;
use crate::rig::ik::chain::chain;
use crate::rig::skeleton::{Handle, Skeleton};
use crate::scene::Scene;
use crate::scene::apply_animation::Driver;
use crate::scene::evaluate::solved;
use crate::scene::skinned::SkinnedMesh;
use std::sync::Arc;

/// With keys of everything that is changed, or would be, where there is motion: with auto-key on, in a
/// character with keys, and behind the first frame that is played. Else the character is posed for all frames.
pub(super) fn keyed(
    view: &View,
    mesh: &str,
    skinned: &SkinnedMesh,
    mut commands: Vec<Command>,
) -> Vec<Command> {
    let session = view.session;
    let (animation, frame) = (&session.scene().animation, session.frame());
    let is_animated = animation.channels.contains_key(mesh);
    if !session.auto_key() && !is_animated && frame <= animation.clip.played()[0] as f32 {
        return commands;
    }
    let part = |command: &Command| match command {
        Command::SetPose { bone, .. } => Some(Part::Bone(*bone)),
        Command::SetBaseOffset { .. } => Some(Part::Base),
        Command::SetHandleEnabled { handle, .. } => Some(Part::Handle(*handle)),
        _ => None,
    };
    let parts = commands.iter().filter_map(part);
    let channels = parts.flat_map(|part| of_part(mesh, &skinned.skeleton, part));
    let is_muted = |of: &ChannelRef| animation.mute(&of.resource, &of.channel).is_whole();
    let channels: Vec<_> = channels.filter(|channel| !is_muted(channel)).collect();
    if !channels.is_empty() {
        commands.push(Command::Keys(KeyCommand::Set { channels, frame }));
    }
    commands
}

/// The handles that are selected, and those that turn a selected bone.
fn of_limbs(view: &View, skeleton: &Skeleton) -> Vec<usize> {
    let mut found = handles(view, skeleton);
    let bones = bones(view, skeleton).unwrap_or_default();
    for (at, handle) in skeleton.handles.iter().enumerate() {
        // A chain up to the root is no limb.
        let turns = handle.chain.is_some() && chain(skeleton, handle).any(|bone| bones.contains(&bone));
        let ends = (handle.bone as usize) < skeleton.bones.len();
        if turns && ends && !found.contains(&at) {
            found.push(at);
        }
    }
    found
}

pub(super) fn switch(view: &View) -> Result<Prepared, Reason> {
    let (mesh, skinned) = mesh(view)?;
    in_animate(view, "FK and IK are switched in the Animate tab.")?;
    require(view.settings.solve_ik, "Solve IK is off, so all limbs are FK.")?;
    let skeleton = &skinned.skeleton;
    let limbs = of_limbs(view, skeleton);
    require(
        !limbs.is_empty(),
        "Select a handle, or a bone of a limb that has one.",
    )?;
    let (seen, _) = seen(view, &mesh)?;
    let to_fk = skeleton.pulls(&skeleton.handles[limbs[0]]);
    let mut commands = Vec::new();
    for &handle in &limbs {
        commands.extend(match to_fk {
            true => seen.release(handle),
            false => seen.hold(handle),
        });
    }
    let name = skeleton.handle_name(limbs[0]);
    let what = match limbs.len() {
        1 => name,
        count => format!("{} limbs", grouped(count)),
    };
    let to = if to_fk { "FK" } else { "IK" };
    let mut commands = keyed(view, &mesh, skinned, commands);
    let is_keyed = commands.iter().any(|command| matches!(command, Command::Keys(_)));
    if to_fk && is_keyed {
        commands.extend(hand_over(view, &mesh, &limbs));
    }
    Prepared::with_note(commands, Note::new(format!("{what}: {to}")))
}

/// Keys of the bones that the handles leave to FK, with what is seen where the handles pull again: on the way there they
/// would go to poses that nobody has seen. Bones without keys also get one before this frame.
fn hand_over(view: &View, mesh: &str, limbs: &[usize]) -> Option<Command> {
    let (scene, frame) = (view.session.scene(), view.session.frame());
    let skeleton = &scene.skinned_meshes.get(mesh)?.skeleton;
    let options = ik::Options {
        step: view.settings.ik_step,
        ..ik::Options::default()
    };
    let seen_at = |frame: f32| -> Option<Arc<Skeleton>> {
        let driven = Driver::default().driven(scene, frame, view.session.unkeyed());
        Some(solved(&driven.skinned_meshes.get(mesh)?.skeleton, &options).0)
    };
    let around = neighbours(scene, mesh, frame);
    let before = around.iter().copied().find(|at| *at < frame);
    let before = before.and_then(|at| Some((at, seen_at(at)?)));
    let mut knots: Vec<KeyframeValues> = Vec::new();
    for handle in limbs.iter().map(|&handle| &skeleton.handles[handle]) {
        let again = pulls_again(scene, mesh, handle, frame, &around);
        let again = again.and_then(|at| Some((at, seen_at(at)?)));
        let bones = chain(skeleton, handle).filter(|&bone| !skeleton.bones[bone].link);
        let of_bones = bones.map(|bone| {
            (
                Some(bone),
                SkeletonChannel::BonePose(skeleton.bones[bone].channel_id),
            )
        });
        let of_root = skeleton.root_free.then_some((None, SkeletonChannel::BaseOffset));
        for (bone, channel) in of_bones.chain(of_root) {
            let channel = ChannelRef::new(mesh, channel);
            let mute = scene.animation.mute(&channel.resource, &channel.channel);
            if mute.is_whole() || knots.iter().any(|had| had.channel == channel) {
                continue;
            }
            let first = before.iter().filter(|_| !has_keys(scene, &channel));
            let value = |(at, seen): &(f32, Arc<Skeleton>)| {
                let value = bone.map_or(seen.base_offset, |bone| seen.bones[bone].pose_deg);
                (*at, Value::Vec3(value))
            };
            knots.push(KeyframeValues {
                knots: first.chain(&again).map(value).collect(),
                channel,
                modes: Vec::new(),
            });
        }
    }
    knots.retain(|of_channel| !of_channel.knots.is_empty());
    let purpose = Purpose::Paste;
    (!knots.is_empty()).then_some(Command::Keys(KeyCommand::Put { purpose, knots }))
}

/// The frame from which on a handle pulls that is switched off at this one. `around`: keyed frames beside it, at which a
/// first key leaves it as it was.
fn pulls_again(scene: &Scene, mesh: &str, handle: &Handle, frame: f32, around: &[f32]) -> Option<f32> {
    let enabled = ChannelRef::new(mesh, HandleChannel::Enabled.of_handle(handle.channel_id));
    match scene
        .animation
        .get(&enabled)
        .filter(|_| has_keys(scene, &enabled))
    {
        Some(keys) => {
            let mut later = keys.times().into_iter().filter(|at| *at > frame);
            later.find(|at| keys.key(*at) == Some(Value::Bool(true)))
        }
        None => around.iter().copied().find(|at| *at > frame),
    }
}
