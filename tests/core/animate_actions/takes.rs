//! Takes: created from the play range, and cycled through.

use super::Desk;
use crate::editing::scene;
use glam::Vec3;
use ossature::anim::channel::{ChannelRef, Value};
use ossature::edit::action::Action;
use ossature::edit::command::Command;
use ossature::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
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

fn message(desk: &Desk, action: Action) -> String {
    let prepared = desk.view(|view| action.prepare(view));
    prepared.ok().and_then(|prepared| prepared.note()).map_or(String::new(), |note| note.text)
}

/// Without a take and a play range, what has keys becomes the cycle, not the rest of the clip.
#[test]
fn a_cycle_ends_where_keys_do() {
    let mut scene = scene();
    let animation = Arc::make_mut(&mut scene.animation);
    animation.takes = Default::default();
    animation.clip.range = None;
    let last = animation.last_key().unwrap() as u32;
    assert!(last < animation.clip.last_frame());
    let mut desk = Desk::with(scene, None, 0.0);
    desk.act(Action::CYCLE);
    assert_eq!(desk.range(), Some([0, last - 1]));
}

/// A take becomes a cycle whose ends change together, through any command, and runs again behind itself.
#[test]
fn a_take_becomes_a_cycle_that_stays_closed() {
    let mut scene = scene();
    Arc::make_mut(&mut scene.animation).takes = Default::default();
    let pose = ChannelRef::new("Body", "bone.3.pose");
    let last = scene.animation.last_key().unwrap() as u32;
    let mut desk = Desk::with(scene, None, 0.0);
    desk.ask(Request::Apply(vec![Command::Keys(KeyCommand::SetRange { range: Some([0, last]) })]));
    desk.act(Action::NEW_TAKE);
    assert_eq!(desk.why_not(Action::REPEAT_CYCLE).as_deref(), Some("Make the take a cycle first."));
    assert_eq!(message(&desk, Action::CYCLE), format!("Take is a cycle of {last} frames now"));
    desk.act(Action::CYCLE);
    assert_eq!(desk.view(|view| Action::CYCLE.checked(view)), Some(true));
    // The frame of the closing keys is not played.
    assert_eq!(desk.range(), Some([0, last - 1]));
    let value =
        |desk: &Desk, frame: u32| desk.session.scene().animation.get(&pose).unwrap().key(frame as f32);
    assert_eq!(value(&desk, 0), value(&desk, last));
    let closed = value(&desk, 0);
    let knots = vec![KeyframeValues {
        channel: pose.clone(),
        knots: vec![(last as f32, Value::Vec3(Vec3::new(1.0, 2.0, 3.0)))],
        modes: Vec::new(),
    }];
    let put = KeyCommand::Put { purpose: Purpose::Paste, knots };
    desk.ask(Request::Apply(vec![Command::Keys(put)]));
    assert_eq!(value(&desk, 0), Some(Value::Vec3(Vec3::new(1.0, 2.0, 3.0))), "the other end follows");
    desk.session.undo().unwrap();
    assert_eq!((value(&desk, 0), value(&desk, last)), (closed, closed));
    let seam = desk.session.scene().animation.seam([0, last - 1]).unwrap();
    let turn = seam.turn.unwrap();
    assert!(turn.size < 1e-4 && turn.speed < 1e-3, "{seam:?}");
    assert_eq!(message(&desk, Action::REPEAT_CYCLE), format!("Take runs twice now: {} frames", 2 * last));
    desk.act(Action::REPEAT_CYCLE);
    assert_eq!((desk.range(), value(&desk, 2 * last)), (Some([0, 2 * last - 1]), closed));
    let room = desk.session.scene().animation.last_key().unwrap();
    assert_eq!(room, 2.0 * last as f32);
    assert_eq!(message(&desk, Action::CYCLE), "Take is no longer a cycle");
    desk.act(Action::CYCLE);
    assert_eq!(desk.view(|view| Action::CYCLE.checked(view)), Some(false));
}
