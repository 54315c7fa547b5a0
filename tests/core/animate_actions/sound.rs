//! The actions on the sound: it is chosen, muted and removed.

use super::{Desk, MID_BONE};
use ossature::anim::sound::Sound;
use ossature::edit::action::{Action, AppRequest, Prepared};
use ossature::edit::command::Command;
use ossature::edit::command::sounds::SoundCommand;
use ossature::edit::request::Request;

#[test]
fn a_sound_is_chosen_muted_and_removed() {
    let mut desk = Desk::new(MID_BONE, 0.0);
    let chosen = desk.view(|view| Action::SET_SOUND.prepare(view));
    assert!(matches!(chosen, Ok(Prepared::App(AppRequest::SetSound))));
    for action in [Action::MUTE_SOUND, Action::REMOVE_SOUND] {
        assert_eq!(desk.why_not(action).as_deref(), Some("The animation has no sound."));
    }
    let set = SoundCommand::Set { path: "voice.wav".into(), start: 2.0 };
    desk.ask(Request::Apply(vec![Command::Sound(set)]));
    let sound = |desk: &Desk| desk.session.scene().animation.sound.clone();
    let muted = |desk: &Desk| desk.view(|view| Action::MUTE_SOUND.checked(view));
    assert_eq!(muted(&desk), Some(false));
    desk.act(Action::MUTE_SOUND);
    assert_eq!((muted(&desk), sound(&desk).map(|sound| sound.muted)), (Some(true), Some(true)));
    desk.act(Action::MUTE_SOUND);
    assert_eq!(sound(&desk), Some(Sound::new("voice.wav", 2.0)));
    desk.act(Action::REMOVE_SOUND);
    assert_eq!(sound(&desk), None);
    desk.act(Action::UNDO);
    assert_eq!(sound(&desk), Some(Sound::new("voice.wav", 2.0)));
}
