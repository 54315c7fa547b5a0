//! Actions on frames and keys: their words and keys, what they do, or why they cannot.

use super::{Action, Shortcut};
use crate::anim::channel::ChannelRef;
use crate::anim::clip::Clip;
use crate::edit::command::Command;
use crate::edit::command::keys::{KeyCommand, KeysOf};
use crate::edit::keyed::nearest_key;
use crate::edit::keying;
use crate::edit::playback::stepped;
use crate::edit::view::{Tab, View};
use crate::scene::channels;

/// Text and tooltip.
pub fn words(action: Action) -> (&'static str, &'static str) {
    match action {
        Action::Play => (
            "Play or pause",
            "Show the frames of the play range one after the other in real time, or stop there.",
        ),
        Action::PreviousFrame => ("Previous frame", "Go one frame back."),
        Action::NextFrame => ("Next frame", "Go one frame on."),
        Action::PreviousKey => (
            "Previous key",
            "Go back to the nearest key of what is selected, or of anything if nothing selected has keys.",
        ),
        Action::NextKey => (
            "Next key",
            "Go on to the nearest key of what is selected, or of anything if nothing selected has keys.",
        ),
        Action::FirstFrame => ("First frame", "Go to the first frame of the play range."),
        Action::LastFrame => ("Last frame", "Go to the last frame of the play range."),
        Action::SetKeys => (
            "Insert keyframe",
            "Key what is selected at this frame: the bones and handles, or else the whole instance.",
        ),
        Action::SetCharacterKeys => (
            "Insert keyframe for character",
            "Key the base, all bones and all handles of the selected skinned mesh at this frame.",
        ),
        Action::SetAllKeys => (
            "Insert keyframe for everything",
            "Key every value of the scene that can be keyed at this frame.",
        ),
        Action::ClearKeys => (
            "Delete keyframe",
            "Remove the keys of what is selected at this frame.",
        ),
        Action::ClearAllKeys => (
            "Delete all keyframes here",
            "Remove the keys of everything at this frame.",
        ),
        Action::MuteChannels => (
            "Mute channels",
            "Let the keys of what is selected drive nothing, or let them count again if all are muted.",
        ),
        Action::MoveKeysLeft => (
            "Move keys one frame earlier",
            "Move the keys of what is selected from this frame to the one before it, and go there.",
        ),
        Action::MoveKeysRight => (
            "Move keys one frame later",
            "Move the keys of what is selected from this frame to the one behind it, and go there.",
        ),
        Action::ToggleAutoKey => (
            "Auto-key",
            "Key every changed value at this frame by itself, whether it has keys already or not.",
        ),
        Action::KeyHeld => (
            "Key unkeyed changes",
            "Key the values that were changed and not keyed at this frame.",
        ),
        Action::DismissHeld => (
            "Dismiss unkeyed changes",
            "Discard the changes that were not keyed: the keys count again.",
        ),
        Action::AddFrames => ("Add frames", "Make the animation one second longer."),
        Action::CropEnd => (
            "Trim to current frame",
            "Make this frame the last one, and remove all keys behind it.",
        ),
        Action::StartRange => ("Start range here", "Play from this frame on."),
        Action::EndRange => ("End range here", "Play up to this frame."),
        Action::ClearRange => ("Play all frames", "Play from the first frame to the last."),
        _ => ("", ""),
    }
}

/// As in Blender, but for M; the second K is Scotty3D's, comma and point are Maya's.
pub fn shortcuts(action: Action) -> &'static [Shortcut] {
    match action {
        Action::Play => const { &[Shortcut::plain("Space")] },
        Action::PreviousFrame => const { &[Shortcut::plain("ArrowLeft")] },
        Action::NextFrame => const { &[Shortcut::plain("ArrowRight")] },
        Action::PreviousKey => const { &[Shortcut::plain("ArrowDown"), Shortcut::plain("Comma")] },
        Action::NextKey => const { &[Shortcut::plain("ArrowUp"), Shortcut::plain("Period")] },
        Action::FirstFrame => const { &[Shortcut::shift("ArrowLeft")] },
        Action::LastFrame => const { &[Shortcut::shift("ArrowRight")] },
        Action::SetKeys => const { &[Shortcut::plain("I"), Shortcut::plain("K")] },
        Action::SetCharacterKeys => const { &[Shortcut::shift("K")] },
        Action::ClearKeys => const { &[Shortcut::alt("I"), Shortcut::alt("K")] },
        Action::MuteChannels => const { &[Shortcut::plain("M")] },
        Action::MoveKeysLeft => const { &[Shortcut::alt("ArrowLeft")] },
        Action::MoveKeysRight => const { &[Shortcut::alt("ArrowRight")] },
        Action::StartRange => const { &[Shortcut::ctrl("Home")] },
        Action::EndRange => const { &[Shortcut::ctrl("End")] },
        _ => &[],
    }
}

const NO_KEY: &str = "Nothing selected has a key at this frame.";

/// Whether it can be done, without working out what it would do to everything.
pub fn enabled(action: Action, view: &View) -> Result<(), String> {
    let when = |possible: bool, why: &str| if possible { Ok(()) } else { Err(why.to_owned()) };
    when(
        view.settings.tab == Tab::Animate,
        "Frames and keys are shown in the Animate tab.",
    )?;
    let (session, animation) = (view.session, &view.session.scene().animation);
    let (clip, frame) = (&animation.clip, session.frame());
    let [first, last] = clip.played();
    match action {
        Action::Play => when(first < last, "There is only one frame to play."),
        Action::PreviousFrame => when(frame > 0.0, "This is the first frame."),
        Action::NextFrame => when(frame < clip.last_frame() as f32, "This is the last frame."),
        Action::PreviousKey | Action::NextKey => when(
            self::frame(action, view).is_some(),
            match action {
                Action::NextKey => "There is no key behind this frame.",
                _ => "There is no key before this frame.",
            },
        ),
        Action::SetAllKeys => {
            let mut names = session.seen().names().into_iter();
            let any = names.any(|(_, name)| !channels::values(session.seen(), name).is_empty());
            when(any, "Nothing in this scene can be keyed.")
        }
        Action::ClearAllKeys => {
            let mut all = animation.channels.values().flat_map(|of| of.values());
            let any = all.any(|channel| channel.key(frame).is_some());
            when(any, "There is no key at this frame.")
        }
        Action::DismissHeld => when(!session.held().is_empty(), "There are no unkeyed changes."),
        Action::FirstFrame | Action::LastFrame | Action::ToggleAutoKey => Ok(()),
        _ => commands(action, view).map(|_| ()),
    }
}

/// The commands of an action that [`enabled`] allows; none for those that only go to a frame.
pub fn commands(action: Action, view: &View) -> Result<Vec<Command>, String> {
    let session = view.session;
    let (scene, frame) = (session.seen(), session.frame());
    let clip = scene.animation.clip;
    let whole = frame.round() as u32;
    let key = match action {
        Action::SetKeys => set(selected(view)?, frame),
        Action::SetCharacterKeys => {
            let mesh = session.selection().mesh.as_deref().unwrap_or_default();
            let channels = keying::of_character(scene, mesh);
            if channels.is_empty() {
                return Err("Select a skinned mesh first.".into());
            }
            set(channels, frame)
        }
        Action::SetAllKeys => set(channels::all(scene), frame),
        Action::KeyHeld => match session.held().is_empty() {
            true => return Err("There are no unkeyed changes.".into()),
            false => set(session.held().iter().collect(), frame),
        },
        Action::ClearKeys => KeyCommand::Delete {
            keys: selected_keys(view)?,
        },
        Action::MuteChannels => {
            let mut channels = selected(view)?;
            channels.retain(|channel| keying::has_keys(scene, channel));
            if channels.is_empty() {
                return Err("Nothing selected has keys.".into());
            }
            keying::toggled_mute(scene, channels)
        }
        Action::ClearAllKeys => {
            let mut keys = keying::all_keys(scene);
            keys.iter_mut().for_each(|of| of.frames.retain(|at| *at == frame));
            keys.retain(|of| !of.frames.is_empty());
            KeyCommand::Delete { keys }
        }
        Action::MoveKeysLeft if frame < 1.0 => return Err("No key can stand before frame 0.".into()),
        Action::MoveKeysRight if frame + 1.0 >= Clip::MAX_LENGTH as f32 => {
            return Err("No key can stand behind this frame.".into());
        }
        Action::MoveKeysLeft | Action::MoveKeysRight => KeyCommand::Move {
            keys: selected_keys(view)?,
            by: if action == Action::MoveKeysLeft { -1.0 } else { 1.0 },
        },
        Action::AddFrames => {
            let frames = clip.length.saturating_add(clip.rate as u32).min(Clip::MAX_LENGTH);
            if frames == clip.length {
                return Err("No animation can be longer.".into());
            }
            KeyCommand::SetLength { frames }
        }
        Action::CropEnd => {
            let frame = frame.ceil() as u32;
            if frame == clip.last_frame() {
                return Err("This is the last frame.".into());
            }
            KeyCommand::CropEnd { frame }
        }
        Action::StartRange | Action::EndRange => {
            let [first, last] = clip.played();
            let range = match action {
                Action::StartRange if whole <= last => [whole, last],
                Action::StartRange => [whole, clip.last_frame()],
                _ if whole >= first => [first, whole],
                _ => [0, whole],
            };
            if range == [first, last] {
                let edge = if action == Action::StartRange {
                    "starts"
                } else {
                    "ends"
                };
                return Err(format!("The play range {edge} here."));
            }
            KeyCommand::SetRange { range: Some(range) }
        }
        Action::ClearRange if clip.range.is_none() => return Err("All frames are played.".into()),
        Action::ClearRange => KeyCommand::SetRange { range: None },
        _ => return Ok(Vec::new()),
    };
    Ok(vec![Command::Keys(key)])
}

/// The frame that is shown after it; `None` where it stays.
pub fn frame(action: Action, view: &View) -> Option<f32> {
    let session = view.session;
    let (clip, frame) = (&session.scene().animation.clip, session.frame());
    match action {
        Action::PreviousFrame => Some(stepped(clip, frame, -1)),
        Action::NextFrame => Some(stepped(clip, frame, 1)),
        Action::PreviousKey => nearest_key(session, false),
        Action::NextKey => nearest_key(session, true),
        Action::FirstFrame => Some(clip.played()[0] as f32),
        Action::LastFrame => Some(clip.played()[1] as f32),
        Action::MoveKeysLeft => Some(frame - 1.0),
        Action::MoveKeysRight => Some(frame + 1.0),
        _ => None,
    }
}

fn set(channels: Vec<ChannelRef>, frame: f32) -> KeyCommand {
    KeyCommand::Set { channels, frame }
}

fn selected(view: &View) -> Result<Vec<ChannelRef>, String> {
    let selection = view.session.selection();
    let channels = keying::of_selection(view.session.seen(), selection);
    match channels.is_empty() {
        true if selection.is_empty() => Err("Select something first.".into()),
        true => Err("Nothing of what is selected can be keyed.".into()),
        false => Ok(channels),
    }
}

fn selected_keys(view: &View) -> Result<Vec<KeysOf>, String> {
    let keys = keying::keys_at(view.session.seen(), &selected(view)?, view.session.frame());
    match keys.is_empty() {
        true => Err(NO_KEY.into()),
        false => Ok(keys),
    }
}
