//! Slopes that are set at keys: what they mean, and what commands and files do to them.

use super::command_of;
use super::files::as_scotty3d;
use crate::editing::keys::channel;
use crate::editing::scene;
use crate::support::filed;
use glam::Vec3;
use ossature::anim::channel::{Channel, ChannelRef, Value};
use ossature::anim::mode::{Mode, SideMode, Slope, Slopes};
use ossature::anim::spline::Spline;
use ossature::edit::command::keys::{ChannelKeys, KeyCommand, KeySlopes};
use ossature::edit::time::key_values::{SlopeChange, set_slopes};
use ossature::edit::time::keying;
use ossature::io::js3d;
use ossature::scene::Scene;
use std::sync::Arc;

const NAME: &str = "bone.7.pose";

fn of() -> ChannelRef {
    channel("Body", NAME)
}

/// A scene with these keys only, clamped, and a slope before and behind the middle one.
fn sloped() -> Scene {
    let mut scene = scene();
    let mut curve = Spline::from_knots(vec![
        (0.0, Vec3::ZERO),
        (8.0, Vec3::new(-40.0, 5.0, 1.0)),
        (24.0, Vec3::new(-41.0, 0.0, 2.0)),
        (32.0, Vec3::ZERO),
    ]);
    (0..4).for_each(|key| curve.set_mode(key, Mode::Clamped));
    let animation = Arc::make_mut(&mut scene.animation);
    animation.channels.clear();
    let channels = animation.channels.entry("Body".into()).or_default();
    channels.insert(NAME.into(), Arc::new(Channel::Vec3(curve)));
    set(&mut scene, 8.0, Some(Vec3::new(-3.0, 1.0, 0.0)), Some(Vec3::new(2.0, -1.0, 0.5)));
    scene
}

fn set(scene: &mut Scene, frame: f32, arrive: Option<Vec3>, leave: Option<Vec3>) {
    let slopes = Slopes::fixed(arrive, leave).map(Value::Vec3);
    let keys = vec![KeySlopes { channel: of(), frame, slopes }];
    command_of(&KeyCommand::SetSlopes { keys }).apply(scene).unwrap();
}

fn at(scene: &Scene, frame: f32) -> Vec3 {
    scene.animation.get(&of()).unwrap().at(frame).unwrap().try_into().unwrap()
}

fn keys(frames: &[f32]) -> Vec<ChannelKeys> {
    vec![ChannelKeys { channel: of(), frames: frames.to_vec() }]
}

/// The slopes just before and behind a frame, measured.
fn measured(scene: &Scene, frame: f32) -> [Vec3; 2] {
    let h = 1.0 / 64.0;
    let here = at(scene, frame);
    [(here - at(scene, frame - h)) / h, (at(scene, frame + h) - here) / h]
}

#[test]
fn the_curve_has_the_slopes_that_were_set_and_keeps_its_values() {
    let scene = sloped();
    let [arrive, leave] = measured(&scene, 8.0);
    assert!((arrive - Vec3::new(-3.0, 1.0, 0.0)).abs().max_element() < 0.1, "{arrive}");
    assert!((leave - Vec3::new(2.0, -1.0, 0.5)).abs().max_element() < 0.1, "{leave}");
    for (frame, x) in [(0.0, 0.0), (8.0, -40.0), (24.0, -41.0), (32.0, 0.0)] {
        assert_eq!(at(&scene, frame).x, x);
    }
    // Without them, the hold stays within its two keys.
    let mut plain = scene.clone();
    set(&mut plain, 8.0, None, None);
    for tenth in 80..=240 {
        let x = at(&plain, tenth as f32 * 0.1).x;
        assert!((-41.0..=-40.0).contains(&x), "{tenth}: {x}");
    }
    assert!(at(&scene, 12.0).x > -38.0);
    // Slopes set to what they are change nothing.
    let mut fixed = plain.clone();
    for frame in [0.0, 8.0, 24.0, 32.0] {
        let slopes = plain.animation.get(&of()).unwrap().slopes(frame).unwrap();
        let [arrive, leave] = slopes.map(|slope| Vec3::try_from(slope).ok());
        set(&mut fixed, frame, arrive, leave);
    }
    for tenth in 0..=320 {
        let frame = tenth as f32 * 0.1;
        assert!(at(&fixed, frame).distance(at(&plain, frame)) < 1e-4, "{frame}");
    }
}

#[test]
fn files_keep_slopes_and_scotty3d_plays_them() {
    let scene = sloped();
    let saved = js3d::write(&scene).unwrap();
    let (opened, report) = js3d::read(&saved).unwrap();
    assert!(report.findings.iter().all(|finding| !finding.code.contains("curve")));
    assert!(filed(&opened) == filed(&scene));
    assert_eq!(js3d::write(&opened).unwrap(), saved);
    let played = as_scotty3d(&saved, "Body", NAME);
    for frame in 0..=32 {
        let theirs = Vec3::try_from(played.at(frame as f32).unwrap()).unwrap();
        assert!(at(&scene, frame as f32).distance(theirs) < 0.05, "{frame}");
    }
    // A list of slopes that is not valid is told, and the knots count.
    let good: serde_json::Value = serde_json::from_slice(&saved).unwrap();
    for slopes in [
        "[9, false, false]",
        "[1, false]",
        "[1, true, false]",
        "[1, [1, 2, 3], \"flat\"]",
        "[-1, false, false]",
    ] {
        let mut document = good.clone();
        let curve = &mut document["animator"]["splines"]["Body"][NAME]["curve"];
        curve["slopes"] = serde_json::from_str(slopes).unwrap();
        let (_, report) = js3d::read(&serde_json::to_vec(&document).unwrap()).unwrap();
        assert!(report.findings.iter().any(|finding| finding.code == "bad-curve"), "{slopes}");
    }
}

#[test]
fn slopes_go_with_their_keys() {
    let before = sloped();
    let all = || keys(&[0.0, 8.0, 24.0, 32.0]);
    let after = |command: KeyCommand| {
        let mut scene = before.clone();
        command_of(&command).apply(&mut scene).unwrap();
        scene
    };
    let moved = after(KeyCommand::Move { keys: all(), offset: 5.0 });
    let slower = after(KeyCommand::Scale { keys: all(), about: 0.0, factor: 2.0, snap: true });
    let copied = keying::copy(&before, &all());
    let pasted = after(keying::paste(&before, &copied, 50.0).0.unwrap());
    for tenth in 0..=320 {
        let frame = tenth as f32 * 0.1;
        let value = at(&before, frame);
        assert!(at(&moved, frame + 5.0).distance(value) < 1e-4, "{frame}");
        assert!(at(&slower, 2.0 * frame).distance(value) < 1e-3, "{frame}");
        // The first key has a neighbour there.
        assert!(frame < 8.0 || at(&pasted, frame + 50.0).distance(value) < 1e-3, "{frame}");
    }
    // Another value keeps the slopes; another mode replaces those up to the next key.
    let free = |scene: &Scene, frame: f32| {
        let slopes = scene.animation.get(&of()).unwrap().key_shape(frame).unwrap().slopes;
        [slopes.arrive.is_some(), slopes.leave.is_some()]
    };
    let put = |frame: f32| KeyCommand::Put {
        purpose: ossature::edit::command::keys::Purpose::Paste,
        knots: vec![ossature::edit::command::keys::KeyframeValues {
            channel: of(),
            knots: vec![(frame, Value::Vec3(Vec3::ONE))],
            modes: Vec::new(),
        }],
    };
    assert_eq!(free(&after(put(8.0)), 8.0), [true, true]);
    let linear = |frame: f32| KeyCommand::SetMode { keys: keys(&[frame]), mode: Mode::Linear };
    assert_eq!(free(&after(linear(8.0)), 8.0), [true, false]);
    assert_eq!(free(&after(linear(0.0)), 8.0), [false, true]);
    assert_eq!(free(&after(KeyCommand::Delete { keys: keys(&[0.0]) }), 8.0), [true, true]);
}

#[test]
fn slopes_of_another_type_and_of_no_key_are_refused() {
    let mut scene = sloped();
    let wrong = [
        (of(), 9.0, Value::Vec3(Vec3::X)),
        (of(), 8.0, Value::Float(1.0)),
        (of(), 8.0, Value::Vec3(Vec3::NAN)),
        (channel("Body", "bone.3.pose"), 8.0, Value::Vec3(Vec3::X)),
    ];
    for (channel, frame, slope) in wrong {
        let slopes = Slopes::fixed(None, Some(slope));
        let keys = vec![KeySlopes { channel, frame, slopes }];
        assert!(command_of(&KeyCommand::SetSlopes { keys }).apply(&mut scene).is_err());
    }
    assert!(scene.animation == sloped().animation);
}

fn changed(scene: &Scene, frames: &[f32], change: SlopeChange) -> Option<Scene> {
    let mut scene = scene.clone();
    command_of(&set_slopes(&scene, &keys(frames), change)?).apply(&mut scene).unwrap();
    Some(scene)
}

/// A key that comes from the one before in a straight line, and goes on smoothly.
#[test]
fn each_side_of_a_key_has_a_mode() {
    let mut plain = sloped();
    set(&mut plain, 8.0, None, None);
    let side =
        |scene: &Scene, side: usize, mode| changed(scene, &[8.0], SlopeChange::Side(side, mode)).unwrap();
    let near = |a: Vec3, b: Vec3| a.distance(b) < 0.05;
    let slopes = |scene: &Scene| {
        scene.animation.get(&of()).unwrap().slopes(8.0).unwrap().map(|slope| Vec3::try_from(slope).unwrap())
    };
    let straight = (at(&plain, 8.0) - at(&plain, 0.0)) / 8.0;
    let linear = side(&plain, 0, Some(SideMode::Linear));
    assert!(near(slopes(&linear)[0], straight) && slopes(&linear)[1] == slopes(&plain)[1]);
    assert!(near(slopes(&side(&plain, 0, None))[0], Vec3::ZERO));
    // Smooth passes beyond where x turns least, by the neighbours on both sides.
    let smooth = side(&linear, 1, Some(SideMode::Smooth));
    let through = (at(&plain, 24.0) - at(&plain, 0.0)) / 24.0;
    assert!(near(slopes(&smooth)[1], through) && slopes(&smooth)[0] == slopes(&linear)[0]);
    assert_eq!(slopes(&side(&smooth, 1, Some(SideMode::Clamped)))[1], slopes(&plain)[1]);
    // Neighbours that move take the slopes along, which slopes that are set do not do.
    let lower = |scene: &Scene| {
        let mut scene = scene.clone();
        let command = ossature::edit::time::key_values::set(&scene, &keys(&[0.0]), 0, -80.0).unwrap();
        command_of(&command).apply(&mut scene).unwrap();
        slopes(&scene)[0].x
    };
    assert!((lower(&linear) - 5.0).abs() < 1e-4);
    let free = changed(&linear, &[8.0], SlopeChange::Free).unwrap();
    assert!((lower(&free) - straight.x).abs() < 1e-4);
    // Files keep them, Scotty3D plays them, and they turn around with time.
    let saved = js3d::write(&smooth).unwrap();
    let (opened, report) = js3d::read(&saved).unwrap();
    assert!(report.findings.iter().all(|finding| !finding.code.contains("curve")));
    assert!(filed(&opened) == filed(&smooth));
    let played = as_scotty3d(&saved, "Body", NAME);
    for frame in 0..=32 {
        let theirs = Vec3::try_from(played.at(frame as f32).unwrap()).unwrap();
        assert!(at(&smooth, frame as f32).distance(theirs) < 0.05, "{frame}");
    }
    let mut reversed = smooth.clone();
    command_of(&KeyCommand::Reverse { keys: keys(&[0.0, 8.0, 24.0, 32.0]) }).apply(&mut reversed).unwrap();
    let shape = reversed.animation.get(&of()).unwrap().key_shape(24.0).unwrap();
    assert_eq!(
        shape.slopes,
        Slopes { arrive: Some(Slope::Of(SideMode::Smooth)), leave: Some(Slope::Of(SideMode::Linear)) }
    );
    // Where the curve is straight, there is nothing to choose.
    let mut line = plain.clone();
    command_of(&KeyCommand::SetMode { keys: keys(&[0.0]), mode: Mode::Linear }).apply(&mut line).unwrap();
    assert!(changed(&line, &[8.0], SlopeChange::Side(0, None)).is_none());
    assert!(changed(&line, &[8.0], SlopeChange::Side(1, None)).is_some());
}

#[test]
fn sides_are_joined() {
    let slopes = |scene: &Scene| {
        scene.animation.get(&of()).unwrap().slopes(8.0).unwrap().map(|slope| Vec3::try_from(slope).unwrap())
    };
    let scene = sloped();
    let joined = slopes(&changed(&scene, &[8.0], SlopeChange::Join).unwrap());
    assert_eq!(joined, [0.5 * (slopes(&scene)[0] + slopes(&scene)[1]); 2]);
    // A straight line goes on smoothly.
    let mut line = scene.clone();
    command_of(&KeyCommand::SetMode { keys: keys(&[0.0]), mode: Mode::Linear }).apply(&mut line).unwrap();
    let straight = (at(&line, 8.0) - at(&line, 0.0)) / 8.0;
    assert_eq!(slopes(&changed(&line, &[8.0], SlopeChange::Join).unwrap())[1], straight);
    command_of(&KeyCommand::SetMode { keys: keys(&[8.0]), mode: Mode::Linear }).apply(&mut line).unwrap();
    assert!(changed(&line, &[8.0], SlopeChange::Join).is_none());
}
