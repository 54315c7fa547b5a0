//! Frames that are inserted and removed, and takes of another length: everything later goes along.

use super::command_of;
use crate::editing::keys::{channel, moving};
use crate::editing::takes::faults;
use glam::Vec3;
use ossature::anim::channel::{Animation, Channel, Value};
use ossature::anim::mode::{KeyShape, Mode, Slope, Slopes};
use ossature::anim::spline::Spline;
use ossature::anim::take::Take;
use ossature::edit::command::keys::KeyCommand;
use ossature::edit::session::Session;
use ossature::io::js3d;
use ossature::scene::Scene;
use std::sync::Arc;

/// A scene with keys of every mode, on whole frames and between them, slopes, and takes.
fn of_every_mode() -> Scene {
    let mut scene = moving();
    let animation = Arc::make_mut(&mut scene.animation);
    let knots = Mode::all().enumerate().map(|(i, _)| (i as f32 * 1.5, Vec3::new(i as f32, 7.0, -3.0)));
    let mut curve = Spline::from_knots(knots.collect());
    for (key, mode) in Mode::all().enumerate() {
        curve.set_mode(key, mode);
        if key % 3 == 0 {
            curve.set_slopes(key, Slopes::fixed(Some(Vec3::X), (key % 2 == 0).then_some(Vec3::Y)));
        }
    }
    let channels = animation.channels.entry("Body".into()).or_default();
    channels.insert("bone.7.pose".into(), Arc::new(Channel::Vec3(curve)));
    animation.clip = animation.clip.extended_to(animation.last_key());
    let takes = [("Idle", [0, 9]), ("Walk", [10, 33]), ("Run", [40, 50]), ("All", [0, 60])];
    animation.takes.list = takes.map(|(name, range)| Take::new(name, range)).to_vec();
    animation.choose_take(Some(1));
    scene
}

fn applied(scene: &Scene, command: KeyCommand) -> Scene {
    let mut scene = scene.clone();
    command_of(&command).apply(&mut scene).unwrap();
    assert_eq!(faults(&scene), Vec::<String>::new(), "{command:?}");
    scene
}

fn ranges(animation: &Animation) -> Vec<[u32; 2]> {
    animation.takes.list.iter().map(|take| take.range).collect()
}

#[test]
fn frames_that_are_inserted_and_removed_again_leave_everything_as_it_was() {
    let before = of_every_mode();
    for (first, count) in [(0, 1), (1, 3), (10, 7), (11, 24), (34, 5), (60, 2), (96, 40)] {
        let inserted = applied(&before, KeyCommand::InsertFrames { first, count });
        assert_eq!(inserted.animation.clip.length, before.animation.clip.length + count);
        assert_ne!(inserted.animation, before.animation);
        let removed = applied(&inserted, KeyCommand::RemoveFrames { first, count });
        assert!(*removed.animation == *before.animation, "{count} frames from {first} on");
    }
}

#[test]
fn takes_that_come_later_move_and_those_around_get_longer() {
    let before = of_every_mode();
    let inserted = applied(&before, KeyCommand::InsertFrames { first: 21, count: 6 });
    let animation = &inserted.animation;
    assert_eq!(ranges(animation), [[0, 9], [10, 39], [46, 56], [0, 66]]);
    assert_eq!((animation.clip.range, animation.takes.chosen), (Some([10, 39]), Some(1)));
    let times = |scene: &Scene, name: &str| scene.animation.get(&channel("Body", name)).unwrap().times();
    assert_eq!(times(&before, "bone.3.pose"), [0.0, 6.5, 10.0, 30.0]);
    assert_eq!(times(&inserted, "bone.3.pose"), [0.0, 6.5, 10.0, 36.0]);
    let shape = |scene: &Scene, frame: f32| {
        scene.animation.get(&channel("Body", "bone.7.pose")).unwrap().key_shape(frame)
    };
    assert_eq!(shape(&inserted, 33.0), shape(&before, 27.0));
    // A take begins and ends with what is left of it.
    let removed = applied(&before, KeyCommand::RemoveFrames { first: 5, count: 10 });
    assert_eq!(ranges(&removed.animation), [[0, 4], [5, 23], [30, 40], [0, 50]]);
    assert_eq!(times(&removed, "bone.3.pose"), [0.0, 20.0]);
    assert_eq!(removed.animation.clip.range, Some([5, 23]));
}

#[test]
fn a_take_is_not_removed_with_its_frames_and_a_play_range_is() {
    let mut scene = of_every_mode();
    let remove = |first, count| command_of(&KeyCommand::RemoveFrames { first, count });
    let before = scene.clone();
    for (first, count) in [(40, 11), (10, 24), (0, 10)] {
        assert!(remove(first, count).apply(&mut scene).is_err(), "{first}");
        assert!(scene.is_shared(&before));
    }
    remove(40, 10).apply(&mut scene).unwrap();
    assert_eq!(ranges(&scene.animation)[2], [40, 40]);
    let animation = Arc::make_mut(&mut scene.animation);
    animation.set_range(Some([35, 37]));
    remove(34, 6).apply(&mut scene).unwrap();
    assert_eq!(scene.animation.clip.range, None);
}

/// A key that closes a loop is right behind the take, and stays there.
#[test]
fn frames_inserted_before_the_key_that_closes_a_loop_belong_to_the_take() {
    let walk = js3d::read(&std::fs::read("media/js3d/A4-human-walk.js3d").unwrap()).unwrap().0;
    assert_eq!((ranges(&walk.animation), walk.animation.last_key()), (vec![[0, 23]], Some(24.0)));
    let longer = applied(&walk, KeyCommand::InsertFrames { first: 24, count: 3 });
    assert_eq!((ranges(&longer.animation), longer.animation.last_key()), (vec![[0, 26]], Some(27.0)));
    let later = applied(&walk, KeyCommand::InsertFrames { first: 0, count: 3 });
    assert_eq!((ranges(&later.animation), later.animation.last_key()), (vec![[3, 26]], Some(27.0)));
}

#[test]
fn a_retimed_take_pushes_what_comes_later() {
    let before = of_every_mode();
    let take = || "Walk".to_owned();
    let slow = applied(&before, KeyCommand::RetimeTake { take: take(), frames: 47 });
    assert_eq!(ranges(&slow.animation), [[0, 9], [10, 56], [63, 73], [0, 83]]);
    assert_eq!(slow.animation.clip.length, before.animation.clip.length + 23);
    let pose = |scene: &Scene, frame: f32| {
        scene.animation.get(&channel("Body", "bone.7.pose")).unwrap().at(frame).unwrap()
    };
    let close = |a: Value, b: Value| match (a, b) {
        (Value::Vec3(a), Value::Vec3(b)) => a.distance(b) < 1e-3,
        _ => false,
    };
    // Half as fast between the keys at 12 and 33, and as before elsewhere.
    for step in 0..=42 {
        let old = 12.0 + step as f32 * 0.5;
        let new = 10.0 + (old - 10.0) * 2.0;
        assert!(
            close(pose(&before, old), pose(&slow, new)),
            "{old}: {:?}",
            (pose(&before, old), pose(&slow, new))
        );
    }
    assert_eq!(pose(&slow, 48.0 + 23.0), pose(&before, 48.0));
    let again = applied(&slow, KeyCommand::RetimeTake { take: take(), frames: 24 });
    assert_eq!(again.animation, before.animation);
    let walk = js3d::read(&std::fs::read("media/js3d/A4-human-walk.js3d").unwrap()).unwrap().0;
    let slow = applied(&walk, KeyCommand::RetimeTake { take: take(), frames: 48 });
    assert_eq!((ranges(&slow.animation), slow.animation.last_key()), (vec![[0, 47]], Some(48.0)));
}

#[test]
fn undo_restores_keys_takes_and_length() {
    for command in [
        KeyCommand::InsertFrames { first: 12, count: 5 },
        KeyCommand::RemoveFrames { first: 12, count: 5 },
        KeyCommand::Hold { frame: 12.0, count: 5, channels: None },
        KeyCommand::RetimeTake { take: "Walk".into(), frames: 30 },
    ] {
        let mut session = Session::new(of_every_mode(), None);
        let before = session.scene().clone();
        session.apply(&[command_of(&command)]).unwrap();
        assert_ne!(session.scene().animation, before.animation);
        session.undo();
        assert!(session.scene().is_shared(&before), "{command:?}");
    }
}

#[test]
fn a_slope_is_flatter_in_a_slower_take() {
    let before = of_every_mode();
    let slow = applied(&before, KeyCommand::RetimeTake { take: "Walk".into(), frames: 47 });
    let shape = |scene: &Scene, frame: f32| {
        scene.animation.get(&channel("Body", "bone.7.pose")).unwrap().key_shape(frame).unwrap()
    };
    let KeyShape { slopes, .. } = shape(&before, 18.0);
    assert_eq!(slopes.arrive, Some(Slope::Set(Value::Vec3(Vec3::X))));
    assert_eq!(shape(&slow, 26.0).slopes, slopes.map(|slope| slope.scaled(0.5)));
    assert_eq!(shape(&slow, 9.0).slopes, shape(&before, 9.0).slopes);
}
