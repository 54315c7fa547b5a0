//! Commands on the sound that the animation plays to.

use super::effects::Edit;
use super::{CommandError, Result};
use crate::anim::sound::Sound;
use crate::scene::Scene;
use serde::{Deserialize, Serialize};

/// A command on the sound of the animation. All but the first need one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum SoundCommand {
    /// Sets the file, a path relative to the folder of the scene, and the frame at which it starts. The volume of a sound
    /// before it stays.
    Set {
        path: String,
        start: f32,
    },
    Remove,
    /// Sets the frame at which it starts.
    Move {
        start: f32,
    },
    /// Sets the factor of its amplitude, from 0 to 2.
    SetVolume {
        volume: f32,
    },
    SetMuted {
        muted: bool,
    },
}

pub fn apply(edit: &mut Edit, command: &SoundCommand) -> Result {
    let mut animation = (*edit.scene.animation).clone();
    change(&mut animation.sound, command)?;
    edit.replace_animation(animation);
    Ok(())
}

fn change(sound: &mut Option<Sound>, command: &SoundCommand) -> Result {
    let present = |sound: &Option<Sound>| {
        let (subject, rule) = ("the sound of the animation", "chosen first");
        if sound.is_some() { Ok(()) } else { Err(CommandError::Value { subject, rule }) }
    };
    if let SoundCommand::Set { start, .. } | SoundCommand::Move { start } = command
        && !Sound::is_start(*start)
    {
        let (subject, rule) = ("the start of the sound", "a frame between -1,000,000 and 1,000,000");
        return Err(CommandError::Value { subject, rule });
    }
    match command {
        SoundCommand::Set { path, start } => {
            if path.is_empty() {
                let (subject, rule) = ("the path of a sound", "that of a file");
                return Err(CommandError::Value { subject, rule });
            }
            let sound = sound.get_or_insert_with(|| Sound::new(path.clone(), *start));
            sound.path.clone_from(path);
            sound.start = *start;
        }
        SoundCommand::Remove => {
            present(sound)?;
            *sound = None;
        }
        SoundCommand::Move { start } => {
            present(sound)?;
            sound.iter_mut().for_each(|sound| sound.start = *start);
        }
        SoundCommand::SetVolume { volume } => {
            present(sound)?;
            let [quiet, loud] = Sound::VOLUMES;
            if !(quiet..=loud).contains(volume) {
                let (subject, rule) = ("the volume of the sound", "from 0 to 2");
                return Err(CommandError::Value { subject, rule });
            }
            sound.iter_mut().for_each(|sound| sound.volume = *volume);
        }
        SoundCommand::SetMuted { muted } => {
            present(sound)?;
            sound.iter_mut().for_each(|sound| sound.muted = *muted);
        }
    }
    Ok(())
}

/// Returns the label of a command; `scene` is the scene before it.
pub fn label(command: &SoundCommand, scene: &Scene) -> String {
    let name = scene.animation.sound.as_ref().map_or("sound", Sound::file_name);
    match command {
        SoundCommand::Set { path, start } => {
            format!("Set sound {}", Sound::new(path.clone(), *start).file_name())
        }
        SoundCommand::Remove => format!("Remove sound {name}"),
        SoundCommand::Move { start } => format!("Start {name} at frame {start}"),
        SoundCommand::SetVolume { .. } => format!("Set volume of {name}"),
        SoundCommand::SetMuted { muted: true } => format!("Mute {name}"),
        SoundCommand::SetMuted { muted: false } => format!("Unmute {name}"),
    }
}
