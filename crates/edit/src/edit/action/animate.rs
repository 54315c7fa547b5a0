//! The Animation menu: frames, keys and takes. Everything in it belongs to the Animate tab.

use super::frame_keys::{
    can_delete_all, can_insert_all, changes, delete, insert, insert_by_set, movable_keys, move_keys,
    selected, session_and_clip, unkeyed, with_other_sides,
};
use super::selected::{mesh, require};
use super::time::{self, TimeChange};
use super::{AppRequest, Dialog, Prepared, Reason, Shortcut, layers, row, rows, sound, takes};
use crate::anim::clip::Clip;
use crate::anim::layer::LayerKind;
use crate::edit::command::Command;
use crate::edit::command::keys::KeyCommand;
use crate::edit::settings::view::View;
use crate::edit::time::key_state::nearest_key;
use crate::edit::time::keying;
use crate::edit::time::keying_set::KeyingSet;
use crate::edit::time::playback::step_frame;
use crate::scene::channels;

/// Creates a row that chooses the keying set.
macro_rules! keying {
    ($text:literal, $tooltip:literal, $set:expr) => {
        row($text, $tooltip, |view| {
            session_and_clip(view)?;
            Ok(Prepared::Run(|session, _| session.set_keying_set($set)))
        })
        .checked(|view| view.session.keying_set() == $set)
        .in_submenu("Keying set")
    };
}

// Shortcuts as in Blender, except for M; K is from Scotty3D, comma and period are from Maya.
rows!(
    PLAY = row(
        "Play or pause",
        "Play the frames of the play range in real time, or pause.",
        play,
    )
    .keys(&[Shortcut::plain("Space")]),
    PREVIOUS_FRAME = row("Previous frame", "Go one frame back.", |view| {
        let (session, clip) = session_and_clip(view)?;
        require(session.frame() > 0.0, "This is the first frame.")?;
        go_to(step_frame(&clip, session.frame(), -1))
    })
    .keys(&[Shortcut::plain("ArrowLeft")])
    .repeats()
    .separated(),
    NEXT_FRAME = row("Next frame", "Go one frame forward.", |view| {
        let (session, clip) = session_and_clip(view)?;
        let last = clip.last_frame() as f32;
        require(session.frame() < last, "This is the last frame.")?;
        go_to(step_frame(&clip, session.frame(), 1))
    })
    .keys(&[Shortcut::plain("ArrowRight")])
    .repeats(),
    PREVIOUS_KEY = row(
        "Previous key",
        "Go back to the nearest key of the selection, or of anything if the selection has no keys.",
        |view| {
            let key = nearest_key(session_and_clip(view)?.0, false);
            go_to(key.ok_or("There is no key before this frame.")?)
        },
    )
    .keys(&[Shortcut::plain("ArrowDown"), Shortcut::plain("Comma")])
    .repeats(),
    NEXT_KEY = row(
        "Next key",
        "Go forward to the nearest key of the selection, or of anything if the selection has no keys.",
        |view| {
            let key = nearest_key(session_and_clip(view)?.0, true);
            go_to(key.ok_or("There is no key after this frame.")?)
        },
    )
    .keys(&[Shortcut::plain("ArrowUp"), Shortcut::plain("Period")])
    .repeats(),
    FIRST_FRAME = row(
        "First frame",
        "Go to the first frame of the play range.",
        |view| {
            let frame = session_and_clip(view)?.1.play_range()[0] as f32;
            let keeps_playing = true;
            Ok(Prepared::ShowFrame { frame, keeps_playing })
        }
    )
    .keys(&[Shortcut::shift("ArrowLeft")]),
    LAST_FRAME = row("Last frame", "Go to the last frame of the play range.", |view| {
        go_to(session_and_clip(view)?.1.play_range()[1] as f32)
    })
    .keys(&[Shortcut::shift("ArrowRight")]),
    INSERT_KEYS = row(
        "Insert keyframe",
        "Key the selection at this frame, by the keying set: the selected bones and handles, or else the whole instance; and all unkeyed changes, and bones of the character that are posed and have no keys; with a layer chosen, only what the layer can have.",
        |view| {
            session_and_clip(view)?;
            insert_by_set(view)
        },
    )
    .keys(&[Shortcut::plain("I"), Shortcut::plain("K")])
    .separated(),
    INSERT_CHARACTER_KEYS = row(
        "Insert keyframe for character",
        "Key the base, all bones and all handles of the selected skinned mesh at this frame.",
        |view| {
            let session = session_and_clip(view)?.0;
            let mesh = session.selection().mesh.as_deref().unwrap_or_default();
            let channels = keying::character_channels(session.animated(), mesh);
            require(!channels.is_empty(), "Select a skinned mesh first.")?;
            insert(view, layers::within(view, channels)?)
        },
    )
    .keys(&[Shortcut::shift("K")]),
    INSERT_ALL_KEYS = row(
        "Insert keyframe for everything",
        "Key every value of the scene that can be keyed at this frame.",
        |view| {
            can_insert_all(view)?;
            insert(view, channels::all(view.session.animated()))
        },
    )
    .available_if(can_insert_all),
    DELETE_KEYS = row(
        "Delete keyframe",
        "Remove the keys of the selection at this frame.",
        |view| {
            let session = session_and_clip(view)?.0;
            let channels = with_other_sides(view, selected(view)?);
            let channels = keying::in_active_layers(session.animated(), channels);
            let keys = keying::keys_at(session.animated(), &channels, session.frame());
            require(!keys.is_empty(), "Nothing selected has a key at this frame.")?;
            delete(view, keys)
        },
    )
    .keys(&[Shortcut::alt("I"), Shortcut::alt("K")]),
    DELETE_ALL_KEYS = row(
        "Delete all keyframes here",
        "Remove the keys of everything at this frame.",
        |view| {
            can_delete_all(view)?;
            let frame = view.session.frame();
            let mut keys = keying::all_keys(view.session.animated());
            keys.iter_mut()
                .for_each(|keys| keys.frames.retain(|key| *key == frame));
            keys.retain(|keys| !keys.frames.is_empty());
            delete(view, keys)
        },
    )
    .available_if(can_delete_all),
    MUTE_CHANNELS = row(
        "Mute channels",
        "Mute the channels of the selection so that their keys have no effect, or unmute them if all are muted.",
        |view| {
            let scene = session_and_clip(view)?.0.animated();
            let mut channels = keying::in_active_layers(scene, selected(view)?);
            channels.retain(|channel| keying::has_keys(scene, channel));
            require(!channels.is_empty(), "Nothing selected has keys.")?;
            Prepared::command(Command::Keys(keying::toggled_mute(scene, channels)))
        },
    )
    .keys(&[Shortcut::plain("M")]),
    MOVE_KEYS_LEFT = row(
        "Move keys one frame earlier",
        "Move the keys of the selection from this frame to the previous one, and go there.",
        |view| move_keys(view, -1.0),
    )
    .available_if(|view| movable_keys(view, -1.0).map(drop))
    .keys(&[Shortcut::alt("ArrowLeft")]),
    MOVE_KEYS_RIGHT = row(
        "Move keys one frame later",
        "Move the keys of the selection from this frame to the next one, and go there.",
        |view| move_keys(view, 1.0),
    )
    .available_if(|view| movable_keys(view, 1.0).map(drop))
    .keys(&[Shortcut::alt("ArrowRight")]),
    KEY_UNKEYED = row(
        "Key unkeyed changes",
        "Key all unkeyed changes at this frame, and bones of the selected character that are posed and have no keys.",
        |view| {
            let changes = changes(unkeyed(view)?);
            insert(view, changes.iter().collect())
        },
    )
    .separated(),
    DISMISS_UNKEYED = row(
        "Dismiss unkeyed changes",
        "Discard unkeyed changes and return to the keyed values.",
        |view| {
            unkeyed(view)?;
            Ok(Prepared::Run(|session, _| {
                session.dismiss_unkeyed();
            }))
        },
    ),
    TOGGLE_AUTO_KEY = row(
        "Auto-key",
        "Key every changed value at this frame automatically, whether or not it has keys already.",
        |view| {
            session_and_clip(view)?;
            Ok(Prepared::Run(|session, _| {
                session.set_auto_key(!session.auto_key());
            }))
        },
    )
    .checked(|view| view.session.auto_key()),
    KEYING_SELECTION = keying!(
        "Key the selection",
        "Insert keyframe keys the whole selection and unkeyed changes, auto-key only what changed.",
        KeyingSet::Selection
    ),
    KEYING_CHARACTER = keying!(
        "Key the whole character",
        "Insert keyframe and auto-key key the base, all bones and all handles of the character.",
        KeyingSet::Character
    ),
    KEYING_ROTATIONS = keying!(
        "Key rotations only",
        "Insert keyframe and auto-key key only the rotations of bones.",
        KeyingSet::Rotations
    ),
    KEYING_BODY_PART = keying!(
        "Key the body part",
        "Insert keyframe and auto-key key the whole limb or trunk that is selected or changed, with its handles.",
        KeyingSet::BodyPart
    ),
    KEYING_CHANGED = keying!(
        "Key changes only",
        "Insert keyframe keys unkeyed changes of the selection, or all of them if nothing is selected.",
        KeyingSet::Changed
    ),
    ADD_FRAMES = row("Add frames", "Make the animation one second longer.", |view| {
        let clip = session_and_clip(view)?.1;
        let frames = clip.length.saturating_add(clip.rate as u32).min(Clip::MAX_LENGTH);
        require(frames != clip.length, "The animation already has the maximum length.")?;
        Prepared::command(Command::Keys(KeyCommand::SetLength { frames }))
    })
    .separated()
    .in_submenu("Time"),
    TRIM_END = row(
        "Trim to current frame",
        "Make this frame the last one, and remove all keys after it.",
        |view| {
            let (session, clip) = session_and_clip(view)?;
            let frame = session.frame().ceil() as u32;
            require(frame != clip.last_frame(), "This is the last frame.")?;
            Prepared::command(Command::Keys(KeyCommand::CropEnd { frame }))
        },
    )
    .in_submenu("Time"),
    INSERT_FRAMES = row(
        "Insert frames…",
        "Insert frames after this one: keys at this frame stay, all later ones move, with takes and the play range.",
        |view| time::ask(view, TimeChange::Insert),
    )
    .keywords("ripple, add time, push keys")
    .in_submenu("Time"),
    REMOVE_FRAMES = row(
        "Remove frames…",
        "Remove frames from this one on with their keys: all later keys move earlier, with takes and the play range.",
        |view| time::ask(view, TimeChange::Remove),
    )
    .keywords("ripple delete, cut time, pull keys")
    .in_submenu("Time"),
    HOLD = row(
        "Hold…",
        "Insert frames in which everything stays as it is at this frame, or only the channels of keys selected here.",
        |view| time::ask(view, TimeChange::Hold),
    )
    .keywords("freeze, pause, moving hold")
    .in_submenu("Time"),
    MIRROR_IN_TIME = row(
        "Mirror in time",
        "Reverse the selected keys, or all if none is selected, so that the motion runs backwards.",
        time::mirror_in_time,
    )
    .keywords("reverse, flip, backwards")
    .in_submenu("Time"),
    COMPLETE_CYCLE = row(
        "Complete the cycle",
        "Make the second half of the play range the mirror image of the first, as in a walk, and its end the same as its start; without a range, put it behind the last key.",
        time::complete_cycle,
    )
    .available_if(time::can_complete_cycle)
    .keywords("walk cycle, loop, mirror half")
    .in_submenu("Time"),
    START_RANGE = row("Start range here", "Play from this frame on.", |view| {
        range_here(view, 0, "The play range starts here.")
    })
    .keys(&[Shortcut::ctrl("Home")])
    .in_submenu("Play range"),
    END_RANGE = row("End range here", "Play up to this frame.", |view| {
        range_here(view, 1, "The play range ends here.")
    })
    .keys(&[Shortcut::ctrl("End")])
    .in_submenu("Play range"),
    CLEAR_RANGE = row(
        "Play all frames",
        "Play from the first frame to the last.",
        |view| {
            require(session_and_clip(view)?.1.range.is_some(), "All frames are played already.")?;
            set_range(None)
        }
    )
    .in_submenu("Play range"),
    ADD_MOTION = row(
        "Add motion…",
        "Choose from motions that are generated for the selected character.",
        |view| can_have_takes(view).and_then(|()| Prepared::dialog(Dialog::Motions)),
    ),
    ADD_CLIPS = row(
        "Add clips from file…",
        "Add the animations of a glTF file to the selected character as takes, for the bones of the same names.",
        |view| can_have_takes(view).map(|()| Prepared::App(AppRequest::AddClips)),
    )
    .in_submenu("Takes"),
    NEW_TAKE = row(
        "New take",
        "Make the play range a take: a named range of frames.",
        takes::add,
    )
    .in_submenu("Takes"),
    RENAME_TAKE = row("Rename take", "Rename the take that is played.", |view| {
        takes::chosen(view)?;
        Prepared::dialog(Dialog::RenameTake)
    })
    .in_submenu("Takes"),
    DELETE_TAKE = row(
        "Delete take",
        "Delete the take that is played; its keys and the play range stay.",
        takes::delete,
    )
    .in_submenu("Takes"),
    CYCLE = row(
        "Cycle",
        "Make what is played a cycle, whose ends have the same values and slopes and change together, except for positions that go on.",
        takes::toggle_cycle,
    )
    .keys(&[Shortcut::shift("L")])
    .checked(|view| takes::chosen(view).is_ok_and(|take| take.cycle))
    .in_submenu("Takes"),
    REPEAT_CYCLE = row(
        "Repeat cycle",
        "Put a copy of the cycle behind it; positions that go on do so in the copy.",
        takes::repeat,
    )
    .in_submenu("Takes"),
    RETIME_TAKE = row(
        "Retime take…",
        "Give the take that is played another length or speed: later keys and takes move along.",
        |view| time::ask(view, TimeChange::Retime),
    )
    .keywords("time warp, stretch, speed, duration")
    .in_submenu("Takes"),
    NEW_LAYER = row(
        "New layer",
        "Add a layer above the keys of the character: poses that are keyed now turn on from what plays below, and come and go within some frames.",
        |view| layers::add(view, LayerKind::Additive),
    )
    .keywords("additive, correction, offset, fix")
    .in_submenu("Layers"),
    NEW_OVERRIDE_LAYER = row(
        "New override layer",
        "Add a layer whose keys replace what plays below them, by the weight of the layer.",
        |view| layers::add(view, LayerKind::Override),
    )
    .in_submenu("Layers"),
    DELETE_LAYER = row(
        "Delete layer",
        "Delete the active layer with its keys.",
        layers::delete,
    )
    .in_submenu("Layers"),
    MERGE_LAYER = row(
        "Merge layer down",
        "Put what the active layer does into the keys of the layer below it, or of the character, and delete the layer.",
        layers::merge_down,
    )
    .keywords("bake, flatten")
    .in_submenu("Layers"),
    MASK_LAYER = row(
        "Only selected bones",
        "Let the active layer change only the bones that are selected now, or everything again.",
        layers::toggle_mask,
    )
    .keywords("bone mask")
    .checked(|view| layers::active(view).is_ok_and(|(_, layer)| layer.bones.is_some()))
    .in_submenu("Layers"),
    PREVIOUS_TAKE = row("Previous take", "Play the previous take.", |view| {
        takes::step(view, -1)
    })
    .keys(&[Shortcut::plain("PageUp")])
    .in_submenu("Takes"),
    NEXT_TAKE = row("Next take", "Play the next take.", |view| {
        takes::step(view, 1)
    })
    .keys(&[Shortcut::plain("PageDown")])
    .in_submenu("Takes"),
    SET_SOUND = row(
        "Choose sound…",
        "Choose a WAV or Ogg Vorbis file that the animation plays to; it stays a file of its own.",
        sound::choose,
    )
    .keywords("audio, music, voice, lip sync, wav, ogg")
    .in_submenu("Sound"),
    MUTE_SOUND = row(
        "Mute sound",
        "Play in silence; a film that is rendered has no sound then.",
        sound::toggle_mute,
    )
    .checked(sound::is_muted)
    .keywords("audio, silence")
    .in_submenu("Sound"),
    REMOVE_SOUND = row("Remove sound", "Take the sound out of the scene; its file stays.", sound::remove)
        .keywords("audio, delete")
        .in_submenu("Sound"),
);

/// Whether takes can be added to the selected character.
fn can_have_takes(view: &View) -> Result<(), Reason> {
    session_and_clip(view)?;
    let (_, skinned) = mesh(view)?;
    require(!skinned.skeleton.bones.is_empty(), "This mesh has no bones.")
}

fn play(view: &View) -> Result<Prepared, Reason> {
    let [first, last] = session_and_clip(view)?.1.play_range();
    require(first < last, "There is only one frame to play.")?;
    Ok(Prepared::Run(|session, settings| {
        if settings.playback.is_playing() {
            return settings.playback.pause();
        }
        // What is proposed plays on.
        if !session.in_proposal() {
            session.settle();
        }
        let clip = session.scene().animation.clip;
        settings.playback.play(&clip, session.frame());
    }))
}

fn go_to(frame: f32) -> Result<Prepared, Reason> {
    let keeps_playing = false;
    Ok(Prepared::ShowFrame { frame, keeps_playing })
}

/// Sets the first (`end` 0) or last frame (`end` 1) of the play range to the current frame, and moves the
/// other one if the two would be swapped. `reason`: the error if the range is unchanged.
fn range_here(view: &View, end: usize, reason: &'static str) -> Result<Prepared, Reason> {
    let (session, clip) = session_and_clip(view)?;
    let mut range = clip.play_range();
    let frame = session.frame().round() as u32;
    require(frame != range[end], reason)?;
    range[end] = frame;
    if range[0] > range[1] {
        range[1 - end] = [0, clip.last_frame()][1 - end];
    }
    set_range(Some(range))
}

fn set_range(range: Option<[u32; 2]>) -> Result<Prepared, Reason> {
    Prepared::command(Command::Keys(KeyCommand::SetRange { range }))
}
