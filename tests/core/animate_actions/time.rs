//! The actions on time, and what they say.

use super::{Desk, MID};
use crate::editing::keys::channel;
use crate::editing::scene;
use crate::editing::walker::walker;
use ossature::anim::take::Take;
use ossature::edit::action::time::{TimeChange, change_time};
use ossature::edit::action::{Action, AppRequest, Dialog, Prepared};
use ossature::edit::command::keys::ChannelKeys;
use ossature::edit::request::Request;
use ossature::edit::time::timeline::KeySelection;
use std::sync::Arc;

/// The message that a change of time shows, or the reason why it is not possible.
fn message(desk: &Desk, change: TimeChange, frames: u32) -> String {
    match desk.view(|view| change_time(view, change, frames)) {
        Ok(prepared) => prepared.note().unwrap().text,
        Err(why) => why.into_owned(),
    }
}

#[test]
fn a_dialog_asks_for_the_number_of_frames() {
    let desk = Desk::new(None, 4.0);
    for (action, change) in [
        (Action::INSERT_FRAMES, TimeChange::Insert),
        (Action::REMOVE_FRAMES, TimeChange::Remove),
        (Action::HOLD, TimeChange::Hold),
    ] {
        let prepared = desk.view(|view| action.prepare(view)).unwrap();
        let Prepared::App(AppRequest::Dialog(Dialog::Time(asked))) = prepared else {
            panic!("{prepared:?}");
        };
        assert_eq!((asked, change.action()), (change, action));
    }
    assert_eq!(desk.why_not(Action::RETIME_TAKE).as_deref(), Some("Choose a take first."));
}

#[test]
fn messages_count_keys_and_name_takes() {
    let mut scene = scene();
    let animation = Arc::make_mut(&mut scene.animation);
    animation.takes.list.push(Take::new("Late", [40, 50]));
    animation.choose_take(Some(0));
    let mut desk = Desk::with(scene, None, 4.0);
    // The scene has 12 keys: six at 0, two at 5 and four at 10.
    assert_eq!(
        message(&desk, TimeChange::Insert, 3),
        "Inserted 3 frames: 6 keys moved, takes Walk, Run and Late changed"
    );
    assert_eq!(
        message(&desk, TimeChange::Remove, 2),
        "Removed 2 frames: 2 keys deleted, 4 keys moved, takes Walk, Run and Late changed"
    );
    desk.session.set_frame(20.0);
    assert_eq!(
        message(&desk, TimeChange::Hold, 1),
        "Frame 20 stays for 1 frame: 0 keys moved, take Late changed"
    );
    assert_eq!(
        message(&desk, TimeChange::Retime, 22),
        "Walk has 22 frames: 6 keys moved, takes Walk, Run and Late changed"
    );
    desk.session.set_frame(39.0);
    assert_eq!(
        message(&desk, TimeChange::Remove, 12),
        "The take Late lies in these frames. Delete it first."
    );
    desk.ask(Request::ChangeTime { change: TimeChange::Insert, frames: 5 });
    assert_eq!(desk.session.undo_label(), Some("Insert 5 frames after frame 39"));
    assert_eq!(desk.session.scene().animation.takes.list[2].range, [45, 55]);
}

#[test]
fn a_hold_is_for_the_channels_of_selected_keys() {
    let mut desk = Desk::new(None, 10.0);
    let pose = ChannelKeys { channel: channel("Body", "bone.3.pose"), frames: vec![0.0, 10.0] };
    desk.ask(Request::SelectKeys(Arc::new(KeySelection::new([pose]))));
    desk.ask(Request::ChangeTime { change: TimeChange::Hold, frames: 6 });
    assert_eq!(desk.times("bone.3.pose"), [0.0, 10.0, 16.0]);
    assert_eq!(desk.times("handle.2.target"), [0.0, 10.0]);
    desk.ask(Request::SelectKeys(Arc::default()));
    desk.ask(Request::ChangeTime { change: TimeChange::Hold, frames: 2 });
    assert_eq!(desk.times("bone.3.pose"), [0.0, 10.0, 12.0, 18.0]);
    assert_eq!(desk.times("handle.2.target"), [0.0, 10.0, 12.0]);
}

#[test]
fn selected_keys_or_all_are_mirrored_in_time() {
    let mut desk = Desk::new(None, 0.0);
    desk.act(Action::MIRROR_IN_TIME);
    assert_eq!(desk.session.undo_label(), Some("Mirror 12 keys in time"));
    assert_eq!(desk.mid_x(), 90.0);
    let one = ChannelKeys { channel: channel("Body", "bone.3.pose"), frames: vec![10.0] };
    desk.ask(Request::SelectKeys(Arc::new(KeySelection::new([one]))));
    assert_eq!(desk.why_not(Action::MIRROR_IN_TIME).as_deref(), Some("There are no keys at two frames."));
}

#[test]
fn a_cycle_is_completed_in_one_step_with_a_message() {
    let mut desk = Desk::with(walker(), None, 0.0);
    let prepared = desk.view(|view| Action::COMPLETE_CYCLE.prepare(view)).unwrap();
    let text = prepared.note().unwrap().text;
    assert!(text.ends_with("keys from frame 12 to 24"), "{text}");
    desk.act(Action::COMPLETE_CYCLE);
    assert_eq!(desk.session.undo_label(), Some("Complete the cycle of Body"));
    assert_eq!(desk.times("bone.1.pose"), [0.0, 6.0, 12.0, 18.0, 24.0]);
    let desk = Desk::new(None, 0.0);
    let why = desk.why_not(Action::COMPLETE_CYCLE).unwrap();
    assert!(why.contains("other side"), "{why}");

    // Without a range, what has keys is the first half.
    let mut scene = walker();
    let animation = Arc::make_mut(&mut scene.animation);
    animation.choose_take(None);
    (animation.clip.length, animation.clip.range) = (97, None);
    let prepared = Desk::with(scene, None, 0.0).view(|view| Action::COMPLETE_CYCLE.prepare(view)).unwrap();
    let text = prepared.note().unwrap().text;
    assert!(text.ends_with("keys from frame 6 to 12"), "{text}");
}

/// Selected keys stay selected where time takes them; those in removed frames are gone.
#[test]
fn selected_keys_go_along_with_time() {
    let mut scene = scene();
    let animation = Arc::make_mut(&mut scene.animation);
    animation.takes.list = vec![Take::new("All", [0, 10])];
    animation.choose_take(Some(0));
    let mut desk = Desk::with(scene, None, 4.0);
    let keys = |frames: &[f32]| {
        let channel = channel("Body", MID);
        Arc::new(KeySelection::new([ChannelKeys { channel, frames: frames.to_vec() }]))
    };
    for (change, frames, wanted) in [
        (TimeChange::Retime, 21, &[0.0, 20.0][..]),
        (TimeChange::Insert, 3, &[0.0, 13.0]),
        (TimeChange::Hold, 2, &[0.0, 12.0]),
        (TimeChange::Remove, 2, &[0.0, 8.0]),
        (TimeChange::Remove, 7, &[0.0]),
    ] {
        desk.ask(Request::SelectKeys(keys(&[0.0, 10.0])));
        desk.ask(Request::ChangeTime { change, frames });
        assert_eq!(*desk.session.keys(), keys(wanted), "{change:?}");
        desk.session.undo();
        assert_eq!(*desk.session.keys(), keys(&[0.0, 10.0]));
    }
}
