//! What the commands on keys are called.

use super::{ChannelKeys, KeyCommand, KeyframeValues, Purpose, replaced};
use crate::anim::channel::{ChannelRef, SkeletonChannel};
use crate::io::count::counted;
use crate::scene::Scene;
use std::collections::BTreeSet;

pub fn label(command: &KeyCommand, scene: &Scene) -> String {
    let count = |keys: &[ChannelKeys]| keys_text(keys.iter().map(|of| of.frames.len()).sum());
    let text = match command {
        KeyCommand::Set { channels, frame } => {
            return format!("Key {} at frame {frame}", things(channels, scene));
        }
        KeyCommand::Put { purpose, knots } => {
            let word = match purpose {
                Purpose::Paste => "Paste",
                Purpose::Duplicate => "Duplicate",
                // Keys that were there are what is baked again.
                Purpose::Lock => return format!("Lock {} in place", put_things(knots, scene)),
                Purpose::Bake => return format!("Bake {} into keys", put_things(knots, scene)),
            };
            let keys = knots.iter().map(|of| of.knots.len()).sum();
            format!("{word} {}", keys_text(keys))
        }
        KeyCommand::Mute {
            channels,
            components,
            muted,
        } => {
            let word = if *muted { "Mute" } else { "Unmute" };
            let names = ["x", "y", "z"].into_iter().zip(components);
            let names: Vec<_> = names.filter(|(_, on)| **on).map(|(name, _)| name).collect();
            return match names.len() {
                3 => format!("{word} {}", things(channels, scene)),
                _ => format!("{word} {} of {}", names.join(", "), things(channels, scene)),
            };
        }
        KeyCommand::Delete { keys } => format!("Delete {}", count(keys)),
        KeyCommand::SetMode { keys, mode } => format!("Make {} {}", count(keys), mode.word()),
        KeyCommand::Move { keys, by } => format!("Move {} by {by}", count(keys)),
        KeyCommand::Scale { keys, factor, .. } => format!("Scale {} by {factor}", count(keys)),
        KeyCommand::Snap { keys } => format!("Snap {}", count(keys)),
        KeyCommand::SetRate { frames_per_second } => format!("Set frame rate to {frames_per_second}"),
        KeyCommand::SetLength { frames } => format!("Set length to {frames}"),
        KeyCommand::SetRange { range: None } => "Play all frames".into(),
        KeyCommand::SetRange {
            range: Some([first, last]),
        } => format!("Play frames {first} to {last}"),
        KeyCommand::CropEnd { frame } => format!("Trim after frame {frame}"),
    };
    match replaced(scene, command) {
        0 => text,
        some => format!("{text}, replacing {some}"),
    }
}

fn keys_text(count: usize) -> String {
    counted(count, "key", "keys")
}

fn put_things(knots: &[KeyframeValues], scene: &Scene) -> String {
    let channels: Vec<_> = knots.iter().map(|of| of.channel.clone()).collect();
    things(&channels, scene)
}

/// The one bone, handle or resource that all channels are of, else how many channels.
fn things(channels: &[ChannelRef], scene: &Scene) -> String {
    let names: BTreeSet<String> = channels.iter().map(|channel| owner(channel, scene)).collect();
    let resources: BTreeSet<&String> = channels.iter().map(|channel| &channel.resource).collect();
    match (names.first(), names.len(), resources.first(), resources.len()) {
        (Some(only), 1, ..) => only.clone(),
        (_, _, Some(only), 1) => (*only).clone(),
        _ => format!("{} channels", channels.len()),
    }
}

/// What a channel belongs to, as a person knows it: a bone or handle, else the resource.
pub fn owner(channel: &ChannelRef, scene: &Scene) -> String {
    let skeleton = scene.skinned_meshes.get(&channel.resource).map(|m| &m.skeleton);
    let part = skeleton.and_then(|skeleton| match SkeletonChannel::parse(&channel.channel)? {
        SkeletonChannel::BaseOffset => Some("the base".to_owned()),
        SkeletonChannel::BonePose(id) => {
            let bone = skeleton.bones.iter().position(|b| b.channel_id == id)?;
            Some(skeleton.bone_name(bone))
        }
        SkeletonChannel::Handle(id, _) => {
            let handle = skeleton.handles.iter().position(|h| h.channel_id == id)?;
            Some(skeleton.handle_name(handle))
        }
    });
    part.unwrap_or_else(|| channel.resource.clone())
}
