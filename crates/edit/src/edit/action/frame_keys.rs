//! The actions that insert, delete and move keys at the current frame.

use super::selected::{in_animate, require};
use super::{Note, Prepared, Reason, layers};
use crate::anim::channel::{ChannelRef, SkeletonChannel};
use crate::anim::channel_set::ChannelSet;
use crate::anim::clip::Clip;
use crate::anim::mode::Mode;
use crate::edit::command::Command;
use crate::edit::command::keys::{ChannelKeys, KeyCommand, replaced};
use crate::edit::select::selection::Part;
use crate::edit::session::Session;
use crate::edit::settings::view::View;
use crate::edit::time::keying;
use crate::edit::time::keying_set::KeyingSet;
use crate::io::count::counted;
use crate::rig::skeleton::{Bone, Skeleton};
use crate::scene::layers::writable_channel;
use crate::scene::{Scene, channels};
use glam::Vec3;
use std::collections::BTreeSet;

/// The session and its clip, if the Animate tab is open.
pub fn session_and_clip<'a>(view: &View<'a>) -> Result<(&'a Session, Clip), Reason> {
    in_animate(view, "Frames and keys are shown in the Animate tab.")?;
    Ok((view.session, view.session.scene().animation.clip))
}

/// Prepares one undo step with a message, since the keys may be in rows that are not visible.
fn with_message(command: KeyCommand, text: String) -> Result<Prepared, Reason> {
    Prepared::with_note(vec![Command::Keys(command)], Note::new(text))
}

pub fn insert(view: &View, channels: Vec<ChannelRef>) -> Result<Prepared, Reason> {
    insert_with(view, channels, "")
}

/// Keys what the keying set says.
pub fn insert_by_set(view: &View) -> Result<Prepared, Reason> {
    let session = view.session;
    let channels = layers::within(view, with_other_sides(view, keying_set_channels(view)?))?;
    let selection = session.selection();
    let mut text = String::new();
    if let (KeyingSet::Selection, Some(mesh), None) = (session.keying_set(), &selection.mesh, &selection.part)
    {
        text += &format!(" (all of {mesh}, as no bone is selected)");
    }
    insert_with(view, channels, &text)
}

fn insert_with(view: &View, channels: Vec<ChannelRef>, more: &str) -> Result<Prepared, Reason> {
    let frame = view.session.frame();
    let mut text = format!("Keyed {} at frame {frame}", described(view.session.animated(), &channels));
    text += more;
    text += &layers::note(view, &channels)?;
    with_message(KeyCommand::Set { channels, frame, new_mode: Mode::Clamped }, text)
}

/// Returns how many bones and handles these channels belong to; if they also belong to something else, how many they are.
fn described(scene: &Scene, channels: &[ChannelRef]) -> String {
    let part = |channel: &ChannelRef| {
        let (mesh, skinned) = scene.skinned_meshes.get_key_value(&channel.resource)?;
        let part = SkeletonChannel::parse(&channel.channel)?.part(&skinned.skeleton, 0)?;
        Some((mesh, part))
    };
    let all = counted(channels.len(), "channel", "channels");
    let Some(parts) = channels.iter().map(part).collect::<Option<BTreeSet<_>>>() else { return all };
    let count = |is: fn(&Part) -> bool| parts.iter().filter(|(_, part)| is(part)).count();
    let counts = [
        (count(|part| matches!(part, Part::Bone(_))), "bone", "bones"),
        (count(|part| matches!(part, Part::Handle(_) | Part::Pole(_))), "handle", "handles"),
        (count(|part| matches!(part, Part::Shape(_))), "shape", "shapes"),
    ];
    let counts = counts.into_iter().filter(|(number, ..)| *number > 0);
    let mut words: Vec<String> =
        counts.map(|(number, singular, plural)| counted(number, singular, plural)).collect();
    if parts.iter().any(|(_, part)| *part == Part::Base) {
        words.insert(0, "the base".into());
    }
    let last = words.pop().unwrap_or(all);
    if words.is_empty() { last } else { format!("{} and {last}", words.join(", ")) }
}

/// Returns the changes that Insert keyframe keys besides the selection: the unkeyed ones, and what is posed in the selected
/// character without keys or layers that drive it. No key keeps such a pose, so that nothing tells when it changed.
pub fn changes(session: &Session) -> ChannelSet {
    let scene = session.animated();
    let mut changes = ChannelSet::clone(session.unkeyed());
    let mesh = session.selection().mesh.as_ref();
    if let Some((mesh, skinned)) = mesh.and_then(|mesh| scene.skinned_meshes.get_key_value(mesh)) {
        let mut rest = Skeleton::clone(&skinned.skeleton);
        rest.bones.iter_mut().filter(|bone| !bone.link).for_each(Bone::reset_pose);
        rest.base_offset = Vec3::ZERO;
        let animation = &scene.animation;
        let posed = channels::changed(&rest, &skinned.skeleton).into_iter();
        let posed = posed.map(|channel| ChannelRef::new(mesh, channel));
        changes.extend(posed.filter(|channel| {
            let is_layered = animation.is_layered(mesh, &channel.channel);
            let has_keys = keying::has_keys(scene, channel);
            !has_keys && !is_layered && writable_channel(animation, channel) == *channel
        }));
    }
    changes
}

pub fn can_insert_all(view: &View) -> Result<(), Reason> {
    let scene = session_and_clip(view)?.0.animated();
    let mut names = scene.names().into_iter();
    let any = names.any(|(_, name)| !channels::values(scene, name).is_empty());
    require(any, "Nothing in this scene can be keyed.")
}

fn key_count(keys: &[ChannelKeys]) -> String {
    counted(keys.iter().map(|keys| keys.frames.len()).sum(), "key", "keys")
}

pub fn delete(view: &View, keys: Vec<ChannelKeys>) -> Result<Prepared, Reason> {
    let text = format!("Deleted {} at frame {}", key_count(&keys), view.session.frame());
    with_message(KeyCommand::Delete { keys }, text)
}

pub fn can_delete_all(view: &View) -> Result<(), Reason> {
    let session = session_and_clip(view)?.0;
    let mut all = session.scene().animation.channels.values().flat_map(|channels| channels.values());
    let any = all.any(|channel| channel.key(session.frame()).is_some());
    require(any, "There is no key at this frame.")
}

pub fn movable_keys(view: &View, offset: f32) -> Result<Vec<ChannelKeys>, Reason> {
    let to = session_and_clip(view)?.0.frame() + offset;
    require(to >= 0.0, "No key can come before frame 0.")?;
    let end = Clip::MAX_LENGTH as f32;
    require(to < end, "No key can come after this frame.")?;
    selected_keys(view)
}

pub fn move_keys(view: &View, offset: f32) -> Result<Prepared, Reason> {
    let keys = movable_keys(view, offset)?;
    let to = view.session.frame() + offset;
    let mut text = format!("Moved {} to frame {to}", key_count(&keys));
    let command = KeyCommand::Move { keys, offset };
    let replaced = replaced(view.session.scene(), &command);
    if replaced > 0 {
        text += &format!(", replacing {}", counted(replaced, "key", "keys"));
    }
    Ok(Prepared::Commands {
        commands: vec![Command::Keys(command)],
        frame: Some(to),
        select: None,
        note: Some(Note::new(text)),
    })
}

pub fn unkeyed<'a>(view: &View<'a>) -> Result<&'a Session, Reason> {
    let session = session_and_clip(view)?.0;
    require(!session.unkeyed().is_empty(), "There are no unkeyed changes.")?;
    Ok(session)
}

pub fn selected(view: &View) -> Result<Vec<ChannelRef>, Reason> {
    let selection = view.session.selection();
    let channels = keying::selection_channels(view.session.animated(), selection);
    match channels.is_empty() {
        true if selection.is_empty() => Err("Select something first.".into()),
        true => Err("Nothing in the selection can be keyed.".into()),
        false => Ok(channels),
    }
}

/// Adds the channels of the other side if symmetry is on.
pub fn with_other_sides(view: &View, channels: Vec<ChannelRef>) -> Vec<ChannelRef> {
    if view.session.symmetric() {
        keying::with_other_sides(view.session.animated(), channels)
    } else {
        channels
    }
}

/// Returns the channels that the current keying set contains.
fn keying_set_channels(view: &View) -> Result<Vec<ChannelRef>, Reason> {
    let session = view.session;
    let set = session.keying_set();
    let channels = set.channels_to_insert(session.animated(), session.selection(), &changes(session));
    match (channels.is_empty(), set) {
        (false, _) => Ok(channels),
        (true, KeyingSet::Selection) => selected(view),
        (true, KeyingSet::Changed) => Err("The selection has no unkeyed changes.".into()),
        (true, KeyingSet::Rotations) => Err("Select bones first: only rotations are keyed.".into()),
        (true, _) => Err("Select a skinned mesh first.".into()),
    }
}

fn selected_keys(view: &View) -> Result<Vec<ChannelKeys>, Reason> {
    let session = session_and_clip(view)?.0;
    let channels = keying::in_active_layers(session.animated(), selected(view)?);
    let keys = keying::keys_at(session.animated(), &channels, session.frame());
    require(!keys.is_empty(), "Nothing selected has a key at this frame.")?;
    Ok(keys)
}
