//! The labels of commands on keys.

use super::{ChannelKeys, KeyCommand, KeyframeValues, Purpose, replaced};
use crate::anim::blends::Blend;
use crate::anim::channel::{ChannelRef, SkeletonChannel};
use crate::anim::filters::Filter;
use crate::anim::layer::base_name;
use crate::io::count::counted;
use crate::rig::skeleton::Part;
use crate::scene::Scene;
use std::collections::BTreeSet;

pub fn label(command: &KeyCommand, scene: &Scene) -> String {
    let count = |keys: &[ChannelKeys]| keys_text(keys.iter().map(|keys| keys.frames.len()).sum());
    let text = match command {
        KeyCommand::Set { channels, frame, .. } => {
            return format!("Key {} at frame {frame}", subject(channels, scene));
        }
        KeyCommand::Put { purpose, knots } => {
            let word = match purpose {
                Purpose::Paste => "Paste",
                Purpose::Duplicate => "Duplicate",
                // No count of replaced keys: baking again replaces the keys of the previous bake.
                Purpose::Lock => return format!("Lock {} in place", subject_of_values(knots, scene)),
                Purpose::Spread => return format!("Spread the pose of {}", subject_of_values(knots, scene)),
                Purpose::Value => {
                    let count = knots.iter().map(|values| values.knots.len()).sum();
                    return format!("Change the value of {}", keys_text(count));
                }
                Purpose::Insert => return format!("Insert a key for {}", subject_of_values(knots, scene)),
                Purpose::Path => return path_label(knots, scene),
                Purpose::Filter => return format!("Filter {}", subject_of_values(knots, scene)),
                Purpose::Cycle => {
                    return format!("Complete the cycle of {}", subject_of_values(knots, scene));
                }
                Purpose::Layer => return format!("Key {}", subject_of_values(knots, scene)),
                Purpose::Attach => return format!("Attach {}", subject_of_values(knots, scene)),
                Purpose::Bake => return format!("Bake {} into keys", subject_of_values(knots, scene)),
            };
            let keys = knots.iter().map(|values| values.knots.len()).sum();
            format!("{word} {}", keys_text(keys))
        }
        KeyCommand::Mute { channels, components, muted } => {
            let word = if *muted { "Mute" } else { "Unmute" };
            let names = ["x", "y", "z"].into_iter().zip(components);
            let names: Vec<_> = names.filter(|(_, on)| **on).map(|(name, _)| name).collect();
            return match names.len() {
                3 => format!("{word} {}", subject(channels, scene)),
                _ => format!("{word} {} of {}", names.join(", "), subject(channels, scene)),
            };
        }
        KeyCommand::Delete { keys } => format!("Delete {}", count(keys)),
        KeyCommand::SetMode { keys, mode } => format!("Make {} {}", count(keys), mode.text()),
        KeyCommand::SetSlopes { keys } => {
            let is_set = keys.iter().any(|key| key.slopes.is_free());
            let word = if is_set { "Set the slopes" } else { "Clear the slopes" };
            format!("{word} of {}", keys_text(keys.len()))
        }
        KeyCommand::Filter { keys, filter } => match filter {
            Filter::Simplify(degrees) => format!("Simplify {} within {degrees}°", count(keys)),
            Filter::Smooth => format!("Smooth {}", count(keys)),
            Filter::Dissolve => format!("Delete {}, keep the shape", count(keys)),
            Filter::Blend { blend: Blend::Time, .. } => format!("Shift {} in time", count(keys)),
            Filter::Blend { blend, .. } => {
                let goal = match blend {
                    Blend::Neighbors | Blend::Time => "their neighbours",
                    Blend::Line => "a straight line",
                    Blend::Mean => "their mean",
                    Blend::Before => "the key before",
                    Blend::Behind => "the key behind",
                    Blend::Ease => "an ease",
                };
                format!("Blend {} to {goal}", count(keys))
            }
            Filter::Every(1) => format!("Key every frame of {}", count(keys)),
            Filter::Every(step) => format!("Key every {step} frames of {}", count(keys)),
        },
        KeyCommand::Move { keys, offset } => format!("Move {} by {offset}", count(keys)),
        KeyCommand::Scale { keys, factor, .. } => format!("Scale {} by {factor}", count(keys)),
        KeyCommand::Reverse { keys } => format!("Mirror {} in time", count(keys)),
        KeyCommand::InsertFrames { first: 0, count } => {
            format!("Insert {} before frame 0", frames_text(*count))
        }
        KeyCommand::InsertFrames { first, count } => {
            format!("Insert {} after frame {}", frames_text(*count), first - 1)
        }
        KeyCommand::RemoveFrames { first, count: 0 | 1 } => format!("Remove frame {first}"),
        KeyCommand::RemoveFrames { first, count } => {
            format!("Remove frames {first} to {}", first.saturating_add(count - 1))
        }
        KeyCommand::Hold { frame, count, .. } => format!("Hold frame {frame} for {}", frames_text(*count)),
        KeyCommand::RetimeTake { take, frames } => format!("Retime take {take} to {}", frames_text(*frames)),
        KeyCommand::Snap { keys } => format!("Snap {}", count(keys)),
        KeyCommand::SetRate { frames_per_second } => format!("Set frame rate to {frames_per_second}"),
        KeyCommand::SetLength { frames } => format!("Set length to {frames}"),
        KeyCommand::SetRange { range: None } => "Play all frames".into(),
        KeyCommand::SetRange { range: Some([first, last]) } => format!("Play frames {first} to {last}"),
        KeyCommand::CropEnd { frame } => format!("Trim after frame {frame}"),
    };
    match replaced(scene, command) {
        0 => text,
        count => format!("{text}, replacing {count}"),
    }
}

fn path_label(knots: &[KeyframeValues], scene: &Scene) -> String {
    let dragged = knots.first().map_or_else(|| "nothing".to_owned(), |keys| owner(&keys.channel, scene));
    let frame = knots.first().and_then(|keys| keys.knots.first()).map_or(0.0, |(frame, _)| *frame);
    format!("Drag path of {dragged} at frame {frame}")
}

fn frames_text(count: u32) -> String {
    counted(count as usize, "frame", "frames")
}

fn keys_text(count: usize) -> String {
    counted(count, "key", "keys")
}

fn subject_of_values(knots: &[KeyframeValues], scene: &Scene) -> String {
    let channels: Vec<_> = knots.iter().map(|values| values.channel.clone()).collect();
    subject(&channels, scene)
}

/// Returns the name of the bone, handle or resource that all channels belong to, otherwise the number of
/// channels.
fn subject(channels: &[ChannelRef], scene: &Scene) -> String {
    let names: BTreeSet<String> = channels.iter().map(|channel| owner(channel, scene)).collect();
    let resources: BTreeSet<&String> = channels.iter().map(|channel| &channel.resource).collect();
    match (names.first(), names.len(), resources.first(), resources.len()) {
        (Some(only), 1, ..) => only.clone(),
        (_, _, Some(only), 1) => (*only).clone(),
        _ => format!("{} channels", channels.len()),
    }
}

/// Returns the name of the bone or handle that a channel belongs to, otherwise that of the resource; with that of its layer.
pub fn owner(channel: &ChannelRef, scene: &Scene) -> String {
    let skeleton = scene.skinned_meshes.get(&channel.resource).map(|m| &m.skeleton);
    let part = skeleton.and_then(|skeleton| {
        let part = SkeletonChannel::parse(base_name(&channel.channel))?.part(skeleton, 0)?;
        Some(match part {
            Part::Base => "the base".to_owned(),
            Part::Shape(shape) => skeleton.shape_name(shape),
            Part::Bone(bone) => skeleton.bone_name(bone),
            Part::Handle(handle) | Part::Pole(handle) => skeleton.handle_name(handle),
        })
    });
    let layer = scene.animation.layer_of(channel).map(|(layer, _)| &layer.name);
    match (part, layer) {
        (Some(part), Some(layer)) => format!("{part} in {layer}"),
        (None, Some(layer)) => layer.clone(),
        (part, None) => part.unwrap_or_else(|| channel.resource.clone()),
    }
}
