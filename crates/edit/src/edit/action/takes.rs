//! The actions on takes.

use super::selected::{in_animate, require};
use super::{Note, Prepared, Reason};
use crate::anim::channel::Animation;
use crate::anim::take::{Take, Takes};
use crate::edit::command::Command;
use crate::edit::command::takes::TakeCommand;
use crate::edit::settings::view::View;
use crate::io::count::counted;

pub fn add(view: &View) -> Result<Prepared, Reason> {
    let animation = animation(view)?;
    let is_full = animation.takes.list.len() >= Takes::MAX;
    require(!is_full, "No more takes can be added.")?;
    let (name, range) = (String::new(), animation.clip.play_range());
    Prepared::command(Command::Takes(TakeCommand::Add { name, range }))
}

pub fn delete(view: &View) -> Result<Prepared, Reason> {
    let take = chosen(view)?.name.clone();
    Prepared::command(Command::Takes(TakeCommand::Delete { take }))
}

/// Makes the chosen take a cycle, or frees its ends. Without one, the play range becomes a take first; if it is not set, all
/// frames up to the last key.
pub fn toggle_cycle(view: &View) -> Result<Prepared, Reason> {
    let animation = animation(view)?;
    let set = |take: String, cycle| Command::Takes(TakeCommand::SetCycle { take, cycle });
    if let Some(take) = animation.takes.chosen() {
        require(take.cycle || take.range[0] < take.range[1], "The take has only one frame.")?;
        if take.cycle {
            let note = Note::new(format!("{} is no longer a cycle", take.name));
            return Prepared::with_note(vec![set(take.name.clone(), false)], note);
        }
        let length = cycle_length(animation, take.range);
        return made_cycle(vec![set(take.name.clone(), true)], &take.name, length);
    }
    let mut range = animation.clip.play_range();
    let last_key = animation.last_key().filter(|last| animation.clip.range.is_none() && *last > 0.0);
    range[1] = last_key.map_or(range[1], |last| range[1].min(last.ceil() as u32));
    require(!animation.channels.is_empty(), "Nothing has keys.")?;
    require(range[0] < range[1], "The play range has only one frame.")?;
    require(animation.takes.list.len() < Takes::MAX, "No more takes can be added.")?;
    let name = animation.takes.free_name("", None);
    let add = Command::Takes(TakeCommand::Add { name: name.clone(), range });
    made_cycle(vec![add, set(name.clone(), true)], &name, cycle_length(animation, range))
}

/// Returns the number of frames that a range has as a cycle. Without keys that close the loop behind it, its last frame is the
/// first one again.
fn cycle_length(animation: &Animation, range: [u32; 2]) -> u32 {
    let last_counts = animation.closing_frame(range).is_some();
    (range[1] - range[0] + u32::from(last_counts)).max(1)
}

fn made_cycle(commands: Vec<Command>, name: &str, length: u32) -> Result<Prepared, Reason> {
    let frames = counted(length as usize, "frame", "frames");
    Prepared::with_note(commands, Note::new(format!("{name} is a cycle of {frames} now")))
}

/// Puts a copy of the chosen cycle behind it.
pub fn repeat(view: &View) -> Result<Prepared, Reason> {
    let take = chosen(view)?;
    require(take.cycle, "Make the take a cycle first.")?;
    let has_room = view.session.scene().animation.has_room(take, 2);
    require(has_room, "There are keys behind the cycle. Insert frames there first.")?;
    let frames = 2 * (take.range[1] + 1 - take.range[0]) as usize;
    let note = Note::new(format!("{} runs twice now: {}", take.name, counted(frames, "frame", "frames")));
    let take = take.name.clone();
    Prepared::with_note(vec![Command::Takes(TakeCommand::Repeat { take, times: 2 })], note)
}

/// The chosen take.
pub fn chosen<'a>(view: &View<'a>) -> Result<&'a Take, Reason> {
    let takes = &animation(view)?.takes;
    takes.chosen().ok_or_else(|| {
        if takes.list.is_empty() { "There are no takes.".into() } else { "Choose a take first.".into() }
    })
}

/// Chooses the take `offset` places after the current one, wrapping around the end of the list.
pub fn step(view: &View, offset: isize) -> Result<Prepared, Reason> {
    let takes = &animation(view)?.takes;
    let count = takes.list.len() as isize;
    require(count > 0, "There are no takes.")?;
    let next = match takes.chosen {
        Some(index) => (index as isize + offset).rem_euclid(count),
        None if offset > 0 => 0,
        None => count - 1,
    };
    require(takes.chosen != Some(next as usize), "There is only one take.")?;
    let (command, frame) = play(view, Some(&takes.list[next as usize]));
    Ok(Prepared::Commands { commands: vec![command], frame, select: None, note: None })
}

/// Returns the command that chooses a take, or with `None` all frames, and the frame to go to: the first
/// frame of the take if the current one is outside it. A running playback moves there by itself.
pub fn play(view: &View, take: Option<&Take>) -> (Command, Option<f32>) {
    let frame = take.and_then(|take| {
        let [first, last] = take.range.map(|frame| frame as f32);
        let current = view.session.frame();
        let stays = (first..=last).contains(&current) || view.settings.playback.is_playing();
        (!stays).then_some(first)
    });
    let take = take.map(|take| take.name.clone());
    (Command::Takes(TakeCommand::Choose { take }), frame)
}

fn animation<'a>(view: &View<'a>) -> Result<&'a Animation, Reason> {
    in_animate(view, "Takes are shown in the Animate tab.")?;
    Ok(&view.session.scene().animation)
}
