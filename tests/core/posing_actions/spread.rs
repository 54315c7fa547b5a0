//! What a spread change leaves as it was, between keys too.

use super::Desk;
use super::pull::pulled;
use glam::Vec3;
use ossature::anim::channel::{Animation, ChannelRef, Value};
use ossature::anim::layer::LayerKind;
use ossature::anim::mode::Mode;
use ossature::edit::command::Command;
use ossature::edit::command::keys::{ChannelKeys, KeyCommand, KeyframeValues, Purpose};
use ossature::edit::command::layers::LayerChange;
use ossature::edit::settings::view::Tab;
use ossature::scene::layers::driven_value;
use std::sync::Arc;

const LAST: f32 = 24.0;

/// The walk of 24 frames with keys of a mode at these frames only.
fn desk(frames: &[f32], mode: Mode) -> Desk {
    let mut desk = Desk::of("media/js3d/A4-human-walk.js3d", Tab::Animate);
    let channels = desk.session.scene().animation.channels[&desk.mesh].clone();
    let (mut old, mut knots) = (Vec::new(), Vec::new());
    for (name, keys) in channels.iter().filter(|(_, keys)| keys.slopes(0.0).is_some()) {
        let channel = ChannelRef::new(&desk.mesh, name);
        old.push(ChannelKeys { channel: channel.clone(), frames: keys.times() });
        let values = frames.iter().map(|frame| (*frame, keys.at(*frame).unwrap())).collect();
        knots.push(KeyframeValues { channel, knots: values, modes: vec![mode.into(); frames.len()] });
    }
    let put = KeyCommand::Put { purpose: Purpose::Paste, knots };
    desk.apply([KeyCommand::Delete { keys: old }, put].map(Command::Keys).to_vec());
    desk
}

/// The same with a layer, which gets the keys then, and has some at these frames too: small turns, or the poses of the walk.
fn desk_with(frames: &[f32], mode: Mode, kind: LayerKind) -> Desk {
    let mut desk = desk(frames, mode);
    let poses = desk.session.scene().animation.channels[&desk.mesh].clone();
    let change = LayerChange::Add { name: "Fix".into(), kind };
    desk.apply(vec![Command::Layers { mesh: desk.mesh.clone(), change }]);
    let poses = poses.iter().filter(|(name, _)| name.ends_with(".pose"));
    let keys = poses.map(|(name, keys)| {
        let turn = |frame: f32| Value::Vec3(Vec3::new(3.0, -2.0, 1.0) * (1.2 + (0.7 * frame).sin()));
        let value = |frame: f32| match kind {
            LayerKind::Additive => turn(frame),
            LayerKind::Override => keys.at(frame).unwrap(),
        };
        KeyframeValues {
            channel: ChannelRef::new(&desk.mesh, format!("layer.0.{name}")),
            knots: frames.iter().map(|frame| (*frame, value(*frame))).collect(),
            modes: vec![mode.into(); frames.len()],
        }
    });
    let put = KeyCommand::Put { purpose: Purpose::Paste, knots: keys.collect() };
    desk.apply(vec![Command::Keys(put)]);
    desk
}

/// Raises a foot at a frame; returns the animation before and after.
fn raised(desk: &mut Desk, frame: f32, spread: u32) -> [Arc<Animation>; 2] {
    desk.settings.tools.spread = spread;
    desk.session.set_frame(frame);
    desk.evaluate();
    let before = Arc::clone(&desk.session.scene().animation);
    desk.apply(pulled(desk, "foot.L", false, Vec3::new(0.1, 0.4, 0.3)));
    [before, Arc::clone(&desk.session.scene().animation)]
}

/// Returns the most that a component of any channel has changed at a time, with all layers.
fn change(animations: &[Arc<Animation>; 2], mesh: &str, time: f32) -> f32 {
    let channels = animations[0].channels[mesh].keys().filter(|name| !name.starts_with("layer."));
    let changes = channels.flat_map(|name| {
        let channel = ChannelRef::new(mesh, name);
        let [before, after] = animations.each_ref().map(|animation| {
            let keys = animation.get(&channel)?;
            Some(driven_value(animation, &channel, time, keys.at(time)?))
        });
        let change = after?.combined(before?, |after, before| (after - before).abs());
        (0..3).filter_map(|component| change.component(component)).reduce(f32::max)
    });
    changes.fold(0.0, f32::max)
}

/// Asserts that only what is between two frames has changed, there by more than `least` degrees.
fn assert_within(animations: &[Arc<Animation>; 2], mesh: &str, [first, last]: [f32; 2], least: f32) {
    let mut most = 0.0;
    for eighth in 0..=(LAST as usize * 8) {
        let time = eighth as f32 / 8.0;
        let change = change(animations, mesh, time);
        if (first..=last).contains(&time) {
            most = f32::max(most, change);
        } else {
            assert!(change < 1e-4, "{change} at {time}, outside of {first} to {last}");
        }
    }
    assert!(most > least, "{most}");
}

#[test]
fn a_curve_with_a_key_at_each_frame_stays_outside_of_the_spread() {
    let frames: Vec<f32> = (0..=LAST as usize).map(|frame| frame as f32).collect();
    for mode in [Mode::Auto, Mode::Smooth, Mode::Clamped, Mode::Linear] {
        let mut desk = desk(&frames, mode);
        let mesh = desk.mesh.clone();
        // The second one reaches slopes that the first one has set, and the third one leaves those of both.
        for (frame, spread) in [(9.0, 3), (12.0, 4), (15.0, 2)] {
            let animations = raised(&mut desk, frame, spread);
            let reach = spread as f32 + 1.0;
            assert_within(&animations, &mesh, [frame - reach, frame + reach], 5.0);
            // Nor does it swing between keys, unless limited slopes begin or cease to be.
            if mode == Mode::Clamped {
                continue;
            }
            let peak = change(&animations, &mesh, frame);
            for key in (frame - reach) as usize..(frame + reach) as usize {
                let [from, middle, to] =
                    [0.0, 0.5, 1.0].map(|part| change(&animations, &mesh, key as f32 + part));
                assert!(middle < from.max(to) + 0.03 * peak, "{mode:?}, {key}: {from} {middle} {to}");
            }
        }
    }
}

#[test]
fn so_does_what_a_layer_shows() {
    let frames: Vec<f32> = (0..=LAST as usize).map(|frame| frame as f32).collect();
    for (kind, mode) in [
        (LayerKind::Additive, Mode::Auto),
        (LayerKind::Additive, Mode::Clamped),
        (LayerKind::Override, Mode::Smooth),
        (LayerKind::Override, Mode::Clamped),
    ] {
        let mut desk = desk_with(&frames, mode, kind);
        let mesh = desk.mesh.clone();
        for (frame, spread) in [(9.0, 3), (12.0, 4)] {
            let animations = raised(&mut desk, frame, spread);
            let below = |animation: &Animation| {
                let channels = animation.channels[&mesh].iter();
                let own = channels.filter(|(name, _)| !name.starts_with("layer."));
                own.map(|(name, keys)| (name.clone(), keys.clone())).collect::<Vec<_>>()
            };
            assert!(below(&animations[0]) == below(&animations[1]), "{kind:?}: the layer has the keys");
            let reach = spread as f32 + 1.0;
            assert_within(&animations, &mesh, [frame - reach, frame + reach], 5.0);
        }
    }
}

#[test]
fn a_curve_with_few_keys_stays_beyond_the_keys_that_stay() {
    for mode in [Mode::Auto, Mode::Smooth, Mode::Clamped, Mode::Hold] {
        let mut desk = desk(&[0.0, 4.0, 10.0, 16.0, LAST], mode);
        let mesh = desk.mesh.clone();
        // A new key between two that stay, then one that moves with a key beside it.
        let animations = raised(&mut desk, 13.0, 2);
        assert_within(&animations, &mesh, [10.0, 16.0], 5.0);
        let animations = raised(&mut desk, 10.0, 3);
        assert_within(&animations, &mesh, [4.0, 16.0], 5.0);
    }
}
