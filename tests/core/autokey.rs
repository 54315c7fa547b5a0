//! Edits at a frame start from the visible values and stay until they are keyed or dismissed; auto-key keys
//! them at once.

use crate::editing::keys::channel;
use crate::editing::scene;
use glam::Vec3;
use ossature::anim::channel::{ChannelRef, Value};
use ossature::anim::mode::Mode;
use ossature::edit::command::Command;
use ossature::edit::command::keys::KeyCommand;
use ossature::edit::session::Session;
use ossature::edit::time::keying;
use ossature::scene::Scene;
use ossature::scene::channels;
use ossature::scene::names::{Kind, ObjectRef};

/// Mid turns from 0 at frame 0 to 90 about x at frame 10, along a straight line.
const MID: &str = "bone.3.pose";

fn pose(bone: usize, x: f32) -> Command {
    Command::set_bone("Body".into(), bone, "pose", Vec3::new(x, 0.0, 0.0))
}

fn key(session: &Session, channels: Vec<ChannelRef>) -> Command {
    let frame = session.frame();
    Command::Keys(KeyCommand::Set { channels, frame, new_mode: Mode::Clamped })
}

/// Returns the visible x angle.
fn seen(session: &Session, name: &str) -> f32 {
    match channels::value(session.animated(), &channel("Body", name)) {
        Some(Value::Vec3(v)) => v.x,
        other => panic!("{other:?}"),
    }
}

fn held(session: &Session) -> Vec<ChannelRef> {
    session.unkeyed().iter().collect()
}

fn at(frame: f32) -> Session {
    let mut session = Session::new(scene(), None);
    session.set_frame(frame);
    session
}

#[test]
fn scrubbing_shows_the_channels_and_changes_nothing() {
    let mut session = at(0.0);
    let before: Scene = session.scene().clone();
    for (frame, x) in [(5.0, 45.0), (10.0, 90.0), (2.0, 18.0), (0.0, 0.0)] {
        session.set_frame(frame);
        assert!((seen(&session, MID) - x).abs() < 1e-4);
    }
    assert!(before.is_shared(session.scene()) && !session.is_modified());
    session.set_frame(1e6);
    assert_eq!(session.frame(), 95.0);
    session.set_frame(f32::NAN);
    assert_eq!(session.frame(), 0.0);
}

#[test]
fn an_unkeyed_pose_stays_until_it_is_keyed() {
    let mut session = at(5.0);
    session.apply(&[pose(1, 20.0)]).unwrap();
    assert_eq!(held(&session), [channel("Body", MID)]);
    for frame in [0.0, 10.0, 7.0] {
        session.set_frame(frame);
        assert_eq!(seen(&session, MID), 20.0, "scrubbing keeps it");
    }
    let command = key(&session, held(&session));
    session.apply(&[command]).unwrap();
    assert_eq!((held(&session), seen(&session, MID)), (vec![], 20.0));
    session.set_frame(10.0);
    assert!((seen(&session, MID) - 90.0).abs() < 1e-4, "the other keys are there again");
    // Undo returns to the frame of the step and to the unkeyed changes it had.
    session.undo();
    assert_eq!((session.frame(), seen(&session, MID), held(&session).len()), (7.0, 20.0, 1));
    session.undo();
    assert!(held(&session).is_empty() && session.frame() == 5.0);
    assert!((seen(&session, MID) - 45.0).abs() < 1e-4);
    session.redo();
    assert_eq!((seen(&session, MID), held(&session).len()), (20.0, 1));
}

#[test]
fn dismissing_is_a_step_that_can_be_undone() {
    let mut session = at(5.0);
    assert!(!session.dismiss_unkeyed());
    session.apply(&[pose(1, 20.0), pose(2, 30.0)]).unwrap();
    // Bone 2 has no keys, so nothing overrides its pose.
    assert_eq!(held(&session), [channel("Body", MID)]);
    assert!(session.dismiss_unkeyed());
    assert!((seen(&session, MID) - 45.0).abs() < 1e-4);
    assert_eq!(seen(&session, "bone.7.pose"), 30.0);
    assert_eq!(session.undo().as_deref(), Some("Dismiss unkeyed changes"));
    assert_eq!(seen(&session, MID), 20.0);
}

/// The stored value of a keyed channel stays as it was, even after an unkeyed change: "Keep as in the file"
/// saves what was opened.
#[test]
fn what_is_stored_comes_back_with_the_keys() {
    let mut stored = scene();
    pose(1, 7.0).apply(&mut stored).unwrap();
    let new = || {
        let mut session = Session::new(stored.clone(), None);
        session.set_frame(5.0);
        session
    };
    let mid = |session: &Session| channels::value(session.scene(), &channel("Body", MID));
    let file = mid(&new());
    assert_eq!(file, Some(Value::Vec3(Vec3::X * 7.0)));
    // Dismissed after two changes at two frames.
    let mut session = new();
    session.apply(&[pose(1, 20.0)]).unwrap();
    session.set_frame(10.0);
    session.apply(&[pose(1, 30.0), pose(2, 30.0)]).unwrap();
    assert_eq!(mid(&session), Some(Value::Vec3(Vec3::X * 30.0)));
    assert!(session.dismiss_unkeyed());
    assert_eq!(mid(&session), file);
    session.undo();
    assert_eq!((seen(&session, MID), held(&session).len()), (30.0, 1));
    session.redo();
    assert_eq!(mid(&session), file);
    session.undo();
    // Keyed, or turned back to the value of the keys.
    let command = key(&session, held(&session));
    session.apply(&[command]).unwrap();
    assert_eq!((mid(&session), seen(&session, MID)), (file, 30.0));
    let mut session = new();
    let x = seen(&session, MID);
    session.apply(&[pose(1, 20.0)]).unwrap();
    session.apply(&[pose(1, x)]).unwrap();
    assert_eq!((held(&session).len(), mid(&session)), (0, file));
    // When the keys are deleted, the visible value remains.
    session.apply(&[pose(1, 20.0)]).unwrap();
    let keys = keying::all_keys(session.scene());
    session.apply(&[Command::Keys(KeyCommand::Delete { keys })]).unwrap();
    assert_eq!(mid(&session), Some(Value::Vec3(Vec3::X * 20.0)));
}

/// The stored pose of Mid is 0; turning it to 0 where 45 is visible is still a change.
#[test]
fn edits_start_from_what_is_seen() {
    let mut session = at(5.0);
    session.apply(&[pose(1, 0.0)]).unwrap();
    assert_eq!((seen(&session, MID), held(&session).len()), (0.0, 1));
    assert_eq!(session.history().entries().len(), 1);
    // Setting the visible value is not a change.
    let mut session = at(5.0);
    let x = seen(&session, MID);
    session.apply(&[pose(1, x)]).unwrap();
    assert_eq!((session.history().entries().len(), held(&session).len()), (0, 0));
    assert!(session.scene().is_shared(&scene()) || *session.scene() == scene());
}

#[test]
fn auto_key_keys_what_an_edit_changes_in_the_same_step() {
    let mut session = at(5.0);
    session.set_auto_key(true);
    session.apply(&[pose(1, 20.0), pose(2, 30.0)]).unwrap();
    assert!(held(&session).is_empty());
    assert_eq!(session.history().entries().len(), 1);
    for (name, x) in [(MID, 20.0), ("bone.7.pose", 30.0)] {
        let keys = session.scene().animation.get(&channel("Body", name)).unwrap();
        assert_eq!((keys.times(), seen(&session, name)), (vec![0.0, 5.0, 10.0], x));
    }
    assert_eq!(session.undo().as_deref(), Some("Rotate Mid and 1 more"));
    assert_eq!(*session.scene(), scene());
}

/// The first key at a frame keeps the visible values at the character's other keyed frames.
#[test]
fn a_first_key_brings_the_old_value_along() {
    let other = "bone.7.pose";
    let times = |session: &Session, name: &str| {
        let keys = session.scene().animation.get(&channel("Body", name));
        keys.map_or(Vec::new(), |keys| keys.times())
    };
    let sees = |session: &mut Session, frames: [f32; 4]| {
        frames.map(|frame| {
            session.set_frame(frame);
            seen(session, other)
        })
    };
    for (frame, keyed) in [(0.0, vec![0.0, 5.0]), (7.0, vec![5.0, 7.0, 10.0]), (20.0, vec![10.0, 20.0])] {
        let mut session = at(frame);
        session.set_auto_key(true);
        for x in [40.0, 30.0] {
            session.preview(&[pose(2, x)]).unwrap();
        }
        assert!(session.commit());
        assert_eq!((times(&session, other), seen(&session, other)), (keyed, 30.0));
        if frame > 0.0 {
            let [at_0, at_5, at_frame, _] = sees(&mut session, [0.0, 5.0, frame, 90.0]);
            assert_eq!([at_0, at_5, at_frame], [0.0, 0.0, 30.0], "frame {frame}");
        }
        // The next key is not the first one.
        session.set_frame(50.0);
        session.apply(&[pose(2, -10.0)]).unwrap();
        assert_eq!(times(&session, other).last(), Some(&50.0));
        session.undo();
        session.undo();
        assert_eq!(*session.scene(), scene());
    }
    // What a character is placed with goes by its own keys, at 0 and 10, not by those of bones, at 0, 5 and 10.
    let mut session = at(7.0);
    session.set_auto_key(true);
    let place = ObjectRef::new(Kind::Transform, "Place");
    session.apply(&[Command::set(place, "scale", Vec3::splat(2.0).into())]).unwrap();
    let scaled = session.scene().animation.get(&channel("Place", "scale"));
    assert_eq!(scaled.unwrap().times(), [0.0, 7.0, 10.0]);
    // With no keys on the character, the old value is keyed at the first played frame, or at frame 0 if the
    // new key is there.
    let mut bare = scene();
    let keys = keying::all_keys(&bare);
    Command::Keys(KeyCommand::Delete { keys }).apply(&mut bare).unwrap();
    let range = Some([4, 40]);
    Command::Keys(KeyCommand::SetRange { range }).apply(&mut bare).unwrap();
    for (frame, keyed) in [(12.0, vec![4.0, 12.0]), (4.0, vec![0.0, 4.0]), (0.0, vec![0.0])] {
        let mut session = Session::new(bare.clone(), None);
        session.set_frame(frame);
        session.set_auto_key(true);
        session.apply(&[pose(2, 30.0)]).unwrap();
        assert_eq!(times(&session, other), keyed);
    }
    // Keying an unchanged value by hand adds no other key.
    let mut session = at(12.0);
    let command = key(&session, vec![channel("Body", other)]);
    session.apply(&[command]).unwrap();
    assert_eq!(times(&session, other), [12.0]);
}

#[test]
fn a_drag_with_auto_key_leaves_one_key() {
    let mut session = at(3.0);
    session.set_auto_key(true);
    for x in 1..20 {
        session.preview(&[pose(1, x as f32)]).unwrap();
        assert_eq!(seen(&session, MID), x as f32);
    }
    session.commit();
    let keys = session.scene().animation.get(&channel("Body", MID)).unwrap();
    assert_eq!((keys.times(), keys.key(3.0)), (vec![0.0, 3.0, 10.0], Some(Value::Vec3(Vec3::X * 19.0))));
    assert_eq!(session.history().entries().len(), 1);
    // A cancelled drag leaves no key and no unkeyed change.
    for auto in [true, false] {
        session.set_auto_key(auto);
        let before = session.scene().clone();
        session.preview(&[pose(1, 80.0)]).unwrap();
        assert_eq!(seen(&session, MID), 80.0);
        session.cancel();
        assert!(before.is_shared(session.scene()) && held(&session).is_empty());
    }
}

#[test]
fn what_is_held_follows_what_happens_to_its_channel() {
    // Without keys nothing drives the value.
    let mut session = at(5.0);
    session.apply(&[pose(1, 20.0)]).unwrap();
    let all = keying::all_keys(session.scene());
    session.apply(&[Command::Keys(KeyCommand::Delete { keys: all.clone() })]).unwrap();
    assert_eq!((held(&session), seen(&session, MID)), (vec![], 20.0));
    // Moving keys does not settle it.
    session.undo();
    session.apply(&[Command::Keys(KeyCommand::Move { keys: all, offset: 2.0 })]).unwrap();
    assert_eq!((held(&session).len(), seen(&session, MID)), (1, 20.0));
    // Deleting the bone removes its unkeyed change.
    let mesh = "Body".to_owned();
    session.apply(&[Command::DeleteBone { mesh, bone: 1 }]).unwrap();
    assert!(held(&session).is_empty());
}

/// A change and its reversal make no step, although the visible value differs from the stored one.
#[test]
fn changes_that_come_to_nothing_are_no_step() {
    let mut session = at(5.0);
    let x = seen(&session, MID);
    let before = session.scene().clone();
    session.apply(&[pose(1, 1.0), pose(1, x)]).unwrap();
    session.preview(&[pose(1, 1.0)]).unwrap();
    session.preview(&[pose(1, x)]).unwrap();
    assert!(!session.commit());
    assert!(session.preview(&[pose(99, 1.0)]).is_err());
    assert!(!session.commit(), "nothing was shown");
    assert!(session.scene().is_shared(&before) && session.history().entries().is_empty());
    assert!(held(&session).is_empty());
}

/// The current frame always lies in the clip.
#[test]
fn cropping_moves_the_frame_to_the_new_end() {
    let mut session = at(50.0);
    session.apply(&[Command::Keys(KeyCommand::CropEnd { frame: 20 })]).unwrap();
    assert_eq!(session.frame(), 20.0);
    session.undo();
    assert_eq!(session.frame(), 50.0);
}

#[test]
fn other_things_are_held_too() {
    let mut session = at(10.0);
    let here = ossature::scene::instance::InstanceRef {
        kind: ossature::scene::instance::InstanceKind::SkinnedMesh,
        name: "Body here".into(),
    };
    let visible = |visible| Command::show(&here, visible);
    let shown = vec![channel("Body here", "visible")];
    session.apply(&[key(&session, shown.clone())]).unwrap();
    session.apply(&[visible(false)]).unwrap();
    assert_eq!(held(&session), shown);
    session.apply(&[visible(true)]).unwrap();
    assert!(held(&session).is_empty(), "back to the keyed values");
}
