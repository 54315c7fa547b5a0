//! Commands on takes, which are identified by name. A number is appended to a name that is taken.

use super::effects::Edit;
use super::{CommandError, Result};
use crate::anim::channel::Animation;
use crate::anim::take::{Take, Takes};
use crate::scene::Scene;
use serde::{Deserialize, Serialize};

/// A command on takes. Ranges are in order and within the length of the clip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum TakeCommand {
    /// Appends a take and chooses it. A blank name becomes “Take”.
    Add {
        name: String,
        range: [u32; 2],
    },
    Rename {
        take: String,
        name: String,
    },
    /// Deletes a take; its keys and the play range are unchanged.
    Delete {
        take: String,
    },
    /// Sets the range of a take, and the play range if the take is chosen.
    SetRange {
        take: String,
        range: [u32; 2],
    },
    /// Makes a take a cycle, whose last frame is the first one again, with keys at both ends that change together; or frees
    /// the ends, with the keys as they are.
    SetCycle {
        take: String,
        cycle: bool,
    },
    /// Puts copies of a cycle behind it, so that it runs `times` times in all and its positions go on; the take gets longer.
    Repeat {
        take: String,
        times: u32,
    },
    /// Chooses a take and its play range; `None` for all frames.
    Choose {
        take: Option<String>,
    },
}

pub fn apply(edit: &mut Edit, command: &TakeCommand) -> Result {
    let mut animation = (*edit.scene.animation).clone();
    change(&mut animation, command)?;
    edit.replace_animation(animation);
    Ok(())
}

fn change(animation: &mut Animation, command: &TakeCommand) -> Result {
    match command {
        TakeCommand::Add { name, range } => {
            check_range(animation, *range)?;
            let count = animation.takes.list.len();
            if count >= Takes::MAX {
                let (subject, rule) = ("the number of takes", "at most 1,000");
                return Err(CommandError::Value { subject, rule });
            }
            let name = animation.takes.free_name(name, None);
            animation.takes.list.push(Take::new(name, *range));
            animation.choose_take(Some(count));
        }
        TakeCommand::Rename { take, name } => {
            let index = find(&animation.takes, take)?;
            if name.trim().is_empty() {
                let (subject, rule) = ("the name of a take", "more than spaces");
                return Err(CommandError::Value { subject, rule });
            }
            animation.takes.list[index].name = animation.takes.free_name(name, Some(index));
        }
        TakeCommand::Delete { take } => {
            let takes = &mut animation.takes;
            let index = find(takes, take)?;
            takes.list.remove(index);
            takes.chosen = match takes.chosen {
                Some(chosen) if chosen == index => None,
                Some(chosen) if chosen > index => Some(chosen - 1),
                chosen => chosen,
            };
        }
        TakeCommand::SetRange { take, range } => {
            check_range(animation, *range)?;
            let index = find(&animation.takes, take)?;
            let take = &mut animation.takes.list[index];
            let ends = take.cycle_ends();
            take.range = *range;
            take.begin_contacts(ends[0], animation.clip.rate);
            if animation.takes.chosen == Some(index) {
                animation.choose_take(Some(index));
            }
        }
        TakeCommand::SetCycle { take, cycle } => {
            let index = find(&animation.takes, take)?;
            if !*cycle {
                animation.takes.list[index].cycle = false;
            } else if !animation.takes.list[index].cycle {
                animation.make_cycle(index);
            }
        }
        TakeCommand::Repeat { take, times } => repeat(animation, find(&animation.takes, take)?, *times)?,
        TakeCommand::Choose { take } => {
            let index = take.as_ref().map(|name| find(&animation.takes, name));
            animation.choose_take(index.transpose()?);
        }
    }
    Ok(())
}

fn repeat(animation: &mut Animation, index: usize, times: u32) -> Result {
    let take = &animation.takes.list[index];
    if !(2..=Takes::MAX_REPEATS).contains(&times) {
        return Err(CommandError::Value { subject: "the number of cycles", rule: "from 2 to 1,000" });
    }
    if !take.cycle || !animation.has_room(take, times) {
        let rule = "a cycle with no keys in the frames behind it, up to a length of 1,000,000 frames";
        return Err(CommandError::Value { subject: "the take to repeat", rule });
    }
    animation.repeat_cycle(index, times);
    Ok(())
}

fn find(takes: &Takes, name: &str) -> Result<usize> {
    takes.position(name).ok_or_else(|| CommandError::NoSuch { kind: "take", name: name.to_owned() })
}

fn check_range(animation: &Animation, [first, last]: [u32; 2]) -> Result {
    if first > last || last > animation.clip.last_frame() {
        let (subject, rule) = ("the range of a take", "two frames in order, within the length");
        return Err(CommandError::Value { subject, rule });
    }
    Ok(())
}

/// Returns the label of a command; `scene` is the scene before it.
pub fn label(command: &TakeCommand, scene: &Scene) -> String {
    let takes = &scene.animation.takes;
    match command {
        TakeCommand::Add { name, .. } => format!("Add take {}", takes.free_name(name, None)),
        TakeCommand::Rename { take, name } => {
            let name = takes.free_name(name, takes.position(take));
            format!("Rename take {take} to {name}")
        }
        TakeCommand::Delete { take } => format!("Delete take {take}"),
        TakeCommand::SetRange { take, range } => format!("Make take {take} {} to {}", range[0], range[1]),
        TakeCommand::SetCycle { take, cycle: true } => format!("Make take {take} a cycle"),
        TakeCommand::SetCycle { take, cycle: false } => format!("Free the ends of take {take}"),
        TakeCommand::Repeat { take, times } => format!("Run take {take} {times} times"),
        TakeCommand::Choose { take: Some(take) } => format!("Play take {take}"),
        TakeCommand::Choose { take: None } => "Play all frames".into(),
    }
}
