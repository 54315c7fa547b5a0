//! The actions on time: frames that are inserted or removed, holds, takes of another length, keys in reverse order, and
//! cycles completed from their first half.

use super::selected::{in_animate, mesh, require};
use super::{Action, Dialog, Note, Prepared, Reason, takes};
use crate::anim::channel::{Animation, ChannelRef};
use crate::anim::clip::Clip;
use crate::anim::layer::LayerStack;
use crate::edit::command::Command;
use crate::edit::command::keys::{ChannelKeys, KeyCommand, replaced};
use crate::edit::settings::view::View;
use crate::edit::time::cycle::Halves;
use crate::edit::time::keying;
use crate::io::count::counted;

/// A change of time by a number of frames, which a dialog asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeChange {
    Insert,
    Remove,
    Hold,
    /// Sets the number of frames of the chosen take.
    Retime,
}

impl TimeChange {
    /// The action that asks for it.
    pub fn action(self) -> Action {
        match self {
            Self::Insert => Action::INSERT_FRAMES,
            Self::Remove => Action::REMOVE_FRAMES,
            Self::Hold => Action::HOLD,
            Self::Retime => Action::RETIME_TAKE,
        }
    }

    /// Returns the command for a number of frames at the current frame.
    fn command(self, view: &View, count: u32) -> Result<KeyCommand, Reason> {
        let frame = view.session.frame();
        Ok(match self {
            Self::Insert => KeyCommand::InsertFrames { first: frame as u32 + 1, count },
            Self::Remove => KeyCommand::RemoveFrames { first: frame as u32, count },
            Self::Hold => KeyCommand::Hold { frame, count, channels: held_channels(view) },
            Self::Retime => {
                let take = takes::chosen(view)?.name.clone();
                KeyCommand::RetimeTake { take, frames: count }
            }
        })
    }
}

/// Opens the dialog of a change of time.
pub fn ask(view: &View, change: TimeChange) -> Result<Prepared, Reason> {
    let animation = animation(view)?;
    match change {
        TimeChange::Insert => require(
            animation.clip.length < Clip::MAX_LENGTH,
            "The animation already has the maximum length.",
        )?,
        TimeChange::Remove => require(animation.clip.length > 1, "There is only one frame.")?,
        TimeChange::Hold => require(!animation.channels.is_empty(), "Nothing has keys.")?,
        TimeChange::Retime => drop(takes::chosen(view)?),
    }
    Prepared::dialog(Dialog::Time(change))
}

/// Prepares a change of time.
///
/// # Errors
/// The reason why it is not possible.
pub fn change_time(view: &View, change: TimeChange, count: u32) -> Result<Prepared, Reason> {
    let before = animation(view)?;
    let command = change.command(view, count)?;
    if let KeyCommand::RemoveFrames { first, count } = command
        && let Some(take) =
            before.takes.list.iter().find(|take| first <= take.range[0] && take.range[1] - first < count)
    {
        return Err(format!("The take {} lies in these frames. Delete it first.", take.name).into());
    }
    let mut scene = view.session.scene().clone();
    let text = command_text(before, &command);
    let command = Command::Keys(command);
    command.apply(&mut scene).map_err(|error| sentence(&error.to_string()))?;
    let takes = changed_takes(before, &scene.animation);
    Prepared::with_note(vec![command], Note::new(format!("{text}{takes}")))
}

/// Returns the message of an error as a sentence.
fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}

/// Returns the most frames that can be chosen for a change.
pub fn most_frames(view: &View, change: TimeChange) -> u32 {
    let clip = view.session.scene().animation.clip;
    match change {
        TimeChange::Insert | TimeChange::Hold => (Clip::MAX_LENGTH - clip.length).max(1),
        TimeChange::Remove => clip.length.saturating_sub(view.session.frame() as u32).max(1),
        TimeChange::Retime => Clip::MAX_LENGTH,
    }
}

/// Describes what a command does to keys.
fn command_text(animation: &Animation, command: &KeyCommand) -> String {
    let count = |is_counted: &dyn Fn(f32) -> bool| {
        let channels = animation.channels.values().flat_map(|channels| channels.values());
        let times = channels.flat_map(|channel| channel.times());
        counted(times.filter(|time| is_counted(*time)).count(), "key", "keys")
    };
    let frames = |count: u32| counted(count as usize, "frame", "frames");
    match *command {
        KeyCommand::InsertFrames { first, count: inserted } => {
            let moved = count(&|time| time > first as f32 - 1.0);
            format!("Inserted {}: {moved} moved", frames(inserted))
        }
        KeyCommand::RemoveFrames { first, count: removed } => {
            let end = first.saturating_add(removed) as f32 - 1.0;
            let deleted = count(&|time| time > first as f32 - 1.0 && time <= end);
            let moved = count(&|time| time > end);
            format!("Removed {}: {deleted} deleted, {moved} moved", frames(removed))
        }
        KeyCommand::Hold { frame, count: inserted, .. } => {
            let moved = count(&|time| time > frame);
            format!("Frame {frame} stays for {}: {moved} moved", frames(inserted))
        }
        KeyCommand::RetimeTake { ref take, frames: length } => {
            let first = animation.takes.get(take).map_or(0, |take| take.range[0]);
            let moved = count(&|time| time > first as f32);
            format!("{take} has {}: {moved} moved", frames(length))
        }
        _ => String::new(),
    }
}

/// Names the takes that a command changed: “, takes Walk and Run changed”.
fn changed_takes(before: &Animation, after: &Animation) -> String {
    const MOST: usize = 3;
    let pairs = before.takes.list.iter().zip(&after.takes.list);
    let names: Vec<&str> =
        pairs.filter(|(old, new)| old.range != new.range).map(|(old, _)| &*old.name).collect();
    match &names[..] {
        [] => String::new(),
        [only] => format!(", take {only} changed"),
        [others @ .., last] if names.len() <= MOST => {
            format!(", takes {} and {last} changed", others.join(", "))
        }
        _ => format!(", {} takes changed", names.len()),
    }
}

/// Returns the channels that a hold at this frame is for: those with selected keys here. `None` stands for all.
pub fn held_channels(view: &View) -> Option<Vec<ChannelRef>> {
    let keys = view.session.keys().keys().into_iter();
    let keys = keys.filter(|keys| keys.frames.contains(&view.session.frame()));
    let channels: Vec<ChannelRef> = keys.map(|keys| keys.channel).collect();
    (!channels.is_empty()).then_some(channels)
}

/// Mirrors the selected keys in time, or all.
pub fn mirror_in_time(view: &View) -> Result<Prepared, Reason> {
    animation(view)?;
    let scene = view.session.scene();
    let selected = view.session.keys().keys();
    let keys: Vec<ChannelKeys> = if selected.is_empty() { keying::all_keys(scene) } else { selected };
    let mut frames = keys.iter().flat_map(|keys| &keys.frames);
    let first = frames.next();
    require(
        first.is_some_and(|first| frames.any(|frame| frame != first)),
        "There are no keys at two frames.",
    )?;
    let mut text = mirrored_text(keys.iter().map(|keys| keys.frames.len()).sum());
    let command = KeyCommand::Reverse { keys };
    let replaced = replaced(scene, &command);
    if replaced > 0 {
        text += &format!(", replacing {}", counted(replaced, "key", "keys"));
    }
    Prepared::with_note(vec![Command::Keys(command)], Note::new(text))
}

pub fn mirrored_text(count: usize) -> String {
    format!("Mirrored {} in time", counted(count, "key", "keys"))
}

/// Returns the play range; if it is not set and no key is in its second half, twice the frames up to the last key: these are the
/// first half then.
fn cycle_range(animation: &Animation) -> [u32; 2] {
    let [first, last] = animation.clip.play_range();
    let end = animation.last_key().filter(|_| animation.clip.range.is_none()).map_or(last, |key| {
        let key = key.ceil().max(first as f32) as u32;
        first + 2 * (key - first)
    });
    [first, if end > first { last.min(end) } else { last }]
}

fn halves<'a>(view: &'a View) -> Result<Halves<'a>, Reason> {
    let range = cycle_range(animation(view)?);
    let (_, _) = mesh(view)?;
    let mesh = view.session.selection().mesh.as_deref().unwrap_or_default();
    let layer = view.session.scene().animation.active_layer(mesh);
    if layer.is_some() {
        let base = LayerStack::BASE;
        let text =
            format!("A layer has no cycle of its own: choose {base} in Layers, whose keys are completed.");
        return Err(text.into());
    }
    Halves::new(view.session.scene(), mesh, range).map_err(|error| error.sentence().into())
}

pub fn can_complete_cycle(view: &View) -> Result<(), Reason> {
    halves(view).map(drop)
}

/// Makes the second half of the play range the mirror image of the first.
pub fn complete_cycle(view: &View) -> Result<Prepared, Reason> {
    let halves = halves(view)?;
    let cycle = halves.complete();
    let keys = counted(cycle.keys, "key", "keys");
    let mut note = Note::new(format!("Set {keys} from frame {} to {}", halves.middle, halves.end));
    if !cycle.left_out.is_empty() {
        let channels = counted(cycle.left_out.len(), "channel has", "channels have");
        note.details = format!("{channels} no other side and did not change.");
    }
    Prepared::with_note(cycle.commands, note)
}

fn animation<'a>(view: &View<'a>) -> Result<&'a Animation, Reason> {
    in_animate(view, "Frames and keys are shown in the Animate tab.")?;
    Ok(&view.session.scene().animation)
}
