//! Keys mirrored in time: the motion between them runs backwards.

use super::command_of;
use crate::editing::keys::{channel, moving};
use glam::Vec3;
use ossature::anim::channel::{Channel, ChannelRef, Value};
use ossature::anim::mode::{Mode, Slopes};
use ossature::anim::spline::Spline;
use ossature::anim::take::Take;
use ossature::edit::command::keys::{ChannelKeys, KeyCommand};
use ossature::edit::time::keying;
use ossature::scene::Scene;
use std::sync::Arc;

fn pose() -> ChannelRef {
    channel("Body", "bone.7.pose")
}

/// A scene with keys of all modes, and slopes at some.
fn of_every_mode() -> Scene {
    let mut scene = moving();
    let value = |i: usize| Vec3::new((i * i % 17) as f32 * 5.0, (i * 7 % 11) as f32, i as f32);
    let knots = (0..Mode::all().count()).map(|i| ((2 * i + i % 2) as f32 + 4.0, value(i)));
    let mut curve = Spline::from_knots(knots.collect());
    for (key, mode) in Mode::all().enumerate() {
        curve.set_mode(key, mode);
        if key % 3 == 0 {
            curve.set_slopes(key, Slopes::fixed((key % 2 == 0).then_some(Vec3::X), Some(Vec3::Y)));
        }
    }
    let animation = Arc::make_mut(&mut scene.animation);
    let channels = animation.channels.entry("Body".into()).or_default();
    channels.insert("bone.7.pose".into(), Arc::new(Channel::Vec3(curve)));
    animation.clip = animation.clip.extended_to(animation.last_key());
    scene
}

fn reversed(scene: &Scene, keys: Vec<ChannelKeys>) -> Scene {
    let mut scene = scene.clone();
    command_of(&KeyCommand::Reverse { keys }).apply(&mut scene).unwrap();
    scene
}

fn keys(scene: &Scene, frames: impl Fn(f32) -> bool) -> Vec<ChannelKeys> {
    let times = scene.animation.get(&pose()).unwrap().times();
    vec![ChannelKeys { channel: pose(), frames: times.into_iter().filter(|time| frames(*time)).collect() }]
}

#[test]
fn keys_mirrored_twice_are_what_they_were() {
    let before = of_every_mode();
    for frames in [[0.0, 100.0], [10.0, 31.0], [4.0, 40.0]] {
        let some = |scene: &Scene| keys(scene, |frame| frames[0] <= frame && frame <= frames[1]);
        let once = reversed(&before, some(&before));
        assert_ne!(once.animation.channels, before.animation.channels);
        let twice = reversed(&once, some(&once));
        assert_eq!(twice.animation.channels, before.animation.channels, "{frames:?}");
    }
    let all = |scene: &Scene| reversed(scene, keying::all_keys(scene));
    assert_eq!(all(&all(&before)).animation.channels, before.animation.channels);
}

#[test]
fn the_motion_runs_backwards() {
    let before = of_every_mode();
    let after = reversed(&before, keys(&before, |_| true));
    let [old, new] = [&before, &after].map(|scene| scene.animation.get(&pose()).unwrap().clone());
    let times = old.times();
    let (first, last) = (times[0], times[times.len() - 1]);
    assert_eq!((new.times()[0], new.key(last)), (first, old.key(first)));
    let at = |curve: &Channel, frame: f32| -> Vec3 { curve.at(frame).unwrap().try_into().unwrap() };
    for (pair, mode) in times.windows(2).zip(old.key_modes()) {
        // What holds jumps at the end instead of at the beginning.
        let steps = if mode == Mode::Hold { 0 } else { 8 };
        for step in 0..=steps {
            let frame = pair[0] + (pair[1] - pair[0]) * step as f32 / 8.0;
            let difference = at(&old, frame).distance(at(&new, first + last - frame));
            assert!(difference < 2e-3, "{mode:?} {frame}: {difference}");
        }
    }
}

#[test]
fn other_keys_stay_or_are_replaced_and_takes_go_with_all_keys() {
    let mut scene = moving();
    let animation = Arc::make_mut(&mut scene.animation);
    animation.takes.list = vec![Take::new("Left", [0, 10]), Take::new("Right", [15, 30])];
    let mid = channel("Body", "bone.3.pose");
    let old = scene.animation.get(&mid).unwrap().clone();
    assert_eq!(old.times(), [0.0, 6.5, 10.0, 30.0]);
    let some = vec![ChannelKeys { channel: mid.clone(), frames: vec![0.0, 6.5, 20.0] }];
    let after = reversed(&scene, some);
    let new = after.animation.get(&mid).unwrap();
    assert_eq!(new.times(), [0.0, 6.5, 10.0, 30.0]);
    assert_eq!([0.0, 6.5, 10.0].map(|frame| new.key(frame)), [6.5, 0.0, 10.0].map(|frame| old.key(frame)));
    assert_eq!(after.animation.takes, scene.animation.takes);
    let all = reversed(&scene, keying::all_keys(&scene));
    let ranges: Vec<[u32; 2]> = all.animation.takes.list.iter().map(|take| take.range).collect();
    assert_eq!(ranges, [[20, 30], [0, 15]]);
    assert_eq!(all.animation.get(&mid).unwrap().times(), [0.0, 20.0, 23.5, 30.0]);
    let nobody = vec![ChannelKeys { channel: channel("Body", "bone.0.pose"), frames: vec![0.0] }];
    assert!(command_of(&KeyCommand::Reverse { keys: nobody }).apply(&mut scene).is_err());
    assert_eq!(old.key(0.0), Some(Value::Vec3(Vec3::ZERO)));
}
