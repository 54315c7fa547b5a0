//! Holds: nothing moves in the frames that are inserted.

use super::command_of;
use crate::editing::keys::channel;
use crate::editing::scene;
use glam::{Quat, Vec3};
use ossature::anim::channel::{Channel, ChannelRef, Value};
use ossature::anim::mode::{Mode, Slopes};
use ossature::anim::spline::{Interpolate, Spline};
use ossature::edit::command::keys::KeyCommand;
use ossature::scene::Scene;
use std::sync::Arc;

fn curve<T: Interpolate>(mode: Mode, values: [T; 4]) -> Spline<T> {
    let mut curve = Spline::from_knots([0.0, 8.0, 12.0, 30.0].into_iter().zip(values).collect());
    (0..4).for_each(|key| curve.set_mode(key, mode));
    curve
}

/// A scene with channels of several types, all keys of a mode.
fn moving(mode: Mode, slopes: Slopes<Vec3>) -> Scene {
    let mut scene = scene();
    let animation = Arc::make_mut(&mut scene.animation);
    animation.channels.clear();
    let mut angles = curve(mode, [0.0, 90.0, 80.0, -20.0].map(|angle| Vec3::new(angle, 0.5 * angle, 3.0)));
    (0..4).for_each(|key| angles.set_slopes(key, slopes));
    let turns = curve(mode, [0.0, 1.5, 0.3, 2.0].map(Quat::from_rotation_x));
    let switches = curve(mode, [false, true, false, true]);
    let body = animation.channels.entry("Body".into()).or_default();
    body.insert("bone.3.pose".into(), Arc::new(Channel::Vec3(angles)));
    body.insert("handle.2.enabled".into(), Arc::new(Channel::Bool(switches)));
    let place = animation.channels.entry("Place".into()).or_default();
    place.insert("rotation".into(), Arc::new(Channel::Quat(turns)));
    scene
}

fn at(scene: &Scene, name: &ChannelRef, frame: f32) -> Value {
    scene.animation.get(name).unwrap().at(frame).unwrap()
}

fn distance(a: Value, b: Value) -> f32 {
    match (a, b) {
        (Value::Vec3(a), Value::Vec3(b)) => a.distance(b),
        (Value::Quat(a), Value::Quat(b)) => (a - b).length(),
        (a, b) => f32::from(u8::from(a != b)),
    }
}

fn names() -> [ChannelRef; 3] {
    [channel("Body", "bone.3.pose"), channel("Body", "handle.2.enabled"), channel("Place", "rotation")]
}

#[test]
fn nothing_moves_whatever_the_mode() {
    let steep = Some(Vec3::new(9.0, -4.0, 2.0));
    for (mode, slopes) in Mode::all()
        .flat_map(|mode| [Slopes::default(), Slopes::fixed(steep, steep)].map(|slopes| (mode, slopes)))
    {
        for frame in [0.0, 5.0, 8.0, 9.25, 12.0, 20.0, 30.0] {
            let before = moving(mode, slopes);
            let mut after = before.clone();
            let count = 7;
            command_of(&KeyCommand::Hold { frame, count, channels: None }).apply(&mut after).unwrap();
            for name in names() {
                let value = at(&before, &name, frame);
                for step in 0..=28 {
                    let difference = distance(at(&after, &name, frame + step as f32 * 0.25), value);
                    assert!(difference < 1e-5, "{name:?} {mode:?} {frame} + {step}/4: {difference}");
                }
                // The other keys are where they were, or later.
                for key in [0.0_f32, 8.0, 12.0, 30.0] {
                    let new = if key > frame { key + count as f32 } else { key };
                    let difference = distance(at(&after, &name, new), at(&before, &name, key));
                    assert!(difference < 1e-5, "{name:?} {mode:?} {frame}, key {key}: {difference}");
                }
            }
        }
    }
}

#[test]
fn channels_that_are_not_held_move_through_the_new_frames() {
    let before = moving(Mode::Linear, Slopes::default());
    let [pose, switch, rotation] = names();
    let mut after = before.clone();
    let channels = Some(vec![rotation.clone(), channel("Body", "bone.0.pose")]);
    command_of(&KeyCommand::Hold { frame: 8.0, count: 4, channels }).apply(&mut after).unwrap();
    let times = |name: &ChannelRef| after.animation.get(name).unwrap().times();
    assert_eq!(times(&rotation), [0.0, 8.0, 12.0, 16.0, 34.0]);
    assert_eq!(times(&pose), [0.0, 8.0, 16.0, 34.0]);
    assert_eq!(times(&switch), times(&pose));
    assert_eq!(after.animation.get(&channel("Body", "bone.0.pose")), None);
    let middle: Vec3 = at(&after, &pose, 12.0).try_into().unwrap();
    assert!((middle.x - 85.0).abs() < 1e-4, "{middle}");
}
