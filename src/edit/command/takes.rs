//! Commands on takes. They are known by name; a name that another take has gets a number behind.

use super::effects::Edit;
use super::{CommandError, Result};
use crate::anim::channel::Animation;
use crate::anim::take::{Take, Takes};
use crate::scene::Scene;
use serde::{Deserialize, Serialize};

/// Frames of takes are in order and within the length of the clip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum TakeCommand {
    /// At the end of the list, and chosen. Empty or only spaces: “Take”.
    Add {
        name: String,
        range: [u32; 2],
    },
    Rename {
        take: String,
        name: String,
    },
    /// Keys stay, and so does the play range.
    Delete {
        take: String,
    },
    /// The play range follows if the take is chosen.
    SetRange {
        take: String,
        range: [u32; 2],
    },
    /// The play range becomes that of the take; `None`: all frames.
    Choose {
        take: Option<String>,
    },
}

pub fn apply(edit: &mut Edit, command: &TakeCommand) -> Result {
    let mut animation = (*edit.scene.animation).clone();
    change(&mut animation, command)?;
    edit.put_animation(animation);
    Ok(())
}

fn change(animation: &mut Animation, command: &TakeCommand) -> Result {
    match command {
        TakeCommand::Add { name, range } => {
            check(animation, *range)?;
            let count = animation.takes.list.len();
            if count >= Takes::MOST {
                let (what, rule) = ("the number of takes", "at most 1,000");
                return Err(CommandError::Value { what, rule });
            }
            let name = animation.takes.free_name(name, None);
            animation.takes.list.push(Take::new(name, *range));
            animation.choose_take(Some(count));
        }
        TakeCommand::Rename { take, name } => {
            let at = find(&animation.takes, take)?;
            if name.trim().is_empty() {
                let (what, rule) = ("the name of a take", "more than spaces");
                return Err(CommandError::Value { what, rule });
            }
            animation.takes.list[at].name = animation.takes.free_name(name, Some(at));
        }
        TakeCommand::Delete { take } => {
            let takes = &mut animation.takes;
            let at = find(takes, take)?;
            takes.list.remove(at);
            takes.chosen = match takes.chosen {
                Some(chosen) if chosen == at => None,
                Some(chosen) if chosen > at => Some(chosen - 1),
                chosen => chosen,
            };
        }
        TakeCommand::SetRange { take, range } => {
            check(animation, *range)?;
            let at = find(&animation.takes, take)?;
            animation.takes.list[at].range = *range;
            if animation.takes.chosen == Some(at) {
                animation.choose_take(Some(at));
            }
        }
        TakeCommand::Choose { take } => {
            let at = take.as_ref().map(|name| find(&animation.takes, name));
            animation.choose_take(at.transpose()?);
        }
    }
    Ok(())
}

fn find(takes: &Takes, name: &str) -> Result<usize> {
    takes.position(name).ok_or_else(|| CommandError::NoSuch {
        what: "take",
        name: name.to_owned(),
    })
}

fn check(animation: &Animation, [first, last]: [u32; 2]) -> Result {
    if first > last || last > animation.clip.last_frame() {
        let (what, rule) = ("the range of a take", "two frames in order, within the length");
        return Err(CommandError::Value { what, rule });
    }
    Ok(())
}

/// `scene`: as it is before the command.
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
        TakeCommand::Choose { take: Some(take) } => format!("Play take {take}"),
        TakeCommand::Choose { take: None } => "Play all frames".into(),
    }
}
