//! Takes: created from the play range, and cycled through.

use super::Desk;
use crate::editing::scene;
use ossature::edit::action::Action;
use ossature::edit::command::Command;
use ossature::edit::command::keys::KeyCommand;
use ossature::edit::request::Request;
use std::sync::Arc;

#[test]
fn takes_are_made_of_what_is_played_and_gone_through() {
    let mut scene = scene();
    Arc::make_mut(&mut scene.animation).takes = Default::default();
    let mut desk = Desk::with(scene, None, 30.0);
    for action in [Action::RENAME_TAKE, Action::DELETE_TAKE, Action::NEXT_TAKE] {
        assert_eq!(desk.why_not(action).as_deref(), Some("There are no takes."));
    }
    let set = |range| Request::Apply(vec![Command::Keys(KeyCommand::SetRange { range })]);
    desk.ask(set(Some([0, 10])));
    desk.act(Action::NEW_TAKE);
    assert_eq!(desk.why_not(Action::NEXT_TAKE).as_deref(), Some("There is only one take."));
    desk.ask(set(Some([10, 40])));
    assert_eq!(desk.why_not(Action::DELETE_TAKE).as_deref(), Some("Choose a take first."));
    desk.act(Action::NEW_TAKE);
    let chosen = |desk: &Desk| desk.session.scene().animation.takes.chosen().unwrap().name.clone();
    assert_eq!(chosen(&desk), "Take 2");
    desk.act(Action::NEXT_TAKE);
    assert_eq!((chosen(&desk), desk.range(), desk.frame()), ("Take".into(), Some([0, 10]), 0.0));
    desk.session.set_frame(10.0);
    desk.act(Action::PREVIOUS_TAKE);
    assert_eq!((chosen(&desk), desk.frame()), ("Take 2".into(), 10.0));
    desk.act(Action::PLAY);
    desk.act(Action::NEXT_TAKE);
    assert!(desk.settings.playback.is_playing(), "the other take plays");
    desk.act(Action::DELETE_TAKE);
    assert_eq!(desk.session.scene().animation.takes.list.len(), 1);
}
