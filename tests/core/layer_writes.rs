//! What is baked, pasted, spread or keyed while a layer is active becomes keys of the layer, and what is shown is what was asked for.

use crate::editing::keys::{channel, moving};
use crate::layers::*;
use crate::running::*;
use glam::Vec3;
use ossature::anim::channel::{ChannelRef, Value};
use ossature::anim::channel_set::ChannelSet;
use ossature::anim::layer::LayerKind;
use ossature::anim::mode::Mode;
use ossature::edit::command::Command;
use ossature::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use ossature::edit::command::layers::LayerChange;
use ossature::edit::session::Session;
use ossature::edit::settings::view::{Tab, View, ViewSettings};
use ossature::edit::time::bake::{Bake, bake};
use ossature::edit::time::keying::paste;
use ossature::edit::time::spread::Spread;
use ossature::rig::ik;
use ossature::scene::Scene;
use ossature::scene::apply_animation::animate;
use ossature::scene::evaluate::{Evaluated, Evaluator, Settings};
use std::sync::Arc;

const IN_LAYER: &str = "layer.0.bone.3.pose";

fn times(session: &Session, name: &str) -> Vec<f32> {
    session.scene().animation.get(&channel("Body", name)).map_or(Vec::new(), |keys| keys.times())
}

fn shown(session: &Session, frame: f32) -> Vec3 {
    pose(&animate(session.scene(), frame), MID)
}

/// Returns the poses of all bones at a frame, as handles pull them.
fn solved(scene: &Scene, frame: f32) -> Vec<Vec3> {
    let settings = Settings { frame: Some(frame), ik: Some(ik::Options::default()), ..Settings::default() };
    let evaluated = Evaluator::default().evaluate(scene, &settings);
    evaluated.skinned["Body"].skeleton.bones.iter().map(|bone| bone.pose_deg).collect()
}

#[test]
fn baked_keys_go_into_the_active_layer() {
    for kind in LayerKind::ALL {
        let mut session = Session::new(moving(), None);
        session.apply(&[add(kind)]).unwrap();
        let before = session.scene().clone();
        let what =
            Bake { mesh: "Body".into(), frames: [2, 12], ik: ik::Options::default(), disable_handles: true };
        let commands = bake(&before, &ChannelSet::default(), &what, |_, _| true).unwrap();
        session.apply(&commands).unwrap();
        let after = session.scene();
        for name in ["bone.3.pose", "bone.7.pose", "bone.4.pose"] {
            let keys = |scene: &Scene| scene.animation.get(&channel("Body", name)).cloned();
            assert_eq!(keys(&before), keys(after), "{kind:?} {name}");
        }
        let every: Vec<f32> = (2..=12).map(|frame| frame as f32).collect();
        assert_eq!(times(&session, IN_LAYER), every);
        for frame in every {
            for (old, new) in solved(&before, frame).into_iter().zip(solved(after, frame)) {
                assert!(degrees_between(old, new) < 1e-3, "{kind:?} at {frame}: {old} and {new}");
            }
        }
    }
}

/// A pose that holds in a layer stays while what is below turns from 0 to 90 degrees.
#[test]
fn pasted_keys_go_into_the_active_layer_and_hold_there() {
    for kind in LayerKind::ALL {
        let mut session = start();
        session.apply(&[add(kind)]).unwrap();
        let base = session.scene().animation.get(&channel("Body", MID)).cloned();
        let copied = [KeyframeValues {
            channel: channel("Body", MID),
            knots: vec![(0.0, Value::Vec3(POSED)), (6.0, Value::Vec3(POSED))],
            modes: vec![Mode::Hold.into(), Mode::Clamped.into()],
        }];
        let (command, left_out) = paste(session.scene(), &copied, 2.0);
        assert!(left_out.is_empty());
        session.apply(&[Command::Keys(command.unwrap())]).unwrap();
        assert_eq!(session.scene().animation.get(&channel("Body", MID)).cloned(), base);
        assert_eq!((times(&session, IN_LAYER)[0], times(&session, IN_LAYER).last()), (2.0, Some(&8.0)));
        for frame in 2..=8 {
            let found = shown(&session, frame as f32);
            assert!(degrees_between(found, POSED) < 1e-3, "{kind:?} at {frame}: {found}");
        }
        let between = degrees_between(shown(&session, 4.5), POSED);
        assert!(between < 1.0, "{kind:?}: {between}");
        // With the base active, keys are pasted as they are.
        session.apply(&[layer(LayerChange::Choose { layer: None })]).unwrap();
        let Some(KeyCommand::Put { knots, .. }) = paste(session.scene(), &copied, 50.0).0 else { panic!() };
        assert_eq!((&knots[0].channel, knots[0].knots[0].1), (&copied[0].channel, Value::Vec3(POSED)));
    }
}

/// A layer without weight, or whose mask leaves a bone out, cannot have its keys.
#[test]
fn keys_that_the_layer_cannot_have_go_to_the_character() {
    for change in [
        LayerChange::SetWeight { layer: 0, weight: 0.0 },
        LayerChange::SetMuted { layer: 0, muted: true },
        LayerChange::SetBones { layer: 0, bones: Some(vec![2]) },
    ] {
        let mut session = start();
        session.apply(&[add(LayerKind::Additive), layer(change.clone())]).unwrap();
        let knots = vec![(20.0, Value::Vec3(POSED))];
        let copied = [KeyframeValues { channel: channel("Body", MID), knots, modes: Vec::new() }];
        let Some(KeyCommand::Put { knots, .. }) = paste(session.scene(), &copied, 20.0).0 else { panic!() };
        assert_eq!(knots[..], copied, "{change:?}");
    }
}

#[test]
fn an_override_comes_and_goes_by_its_weight() {
    let before = played(start().scene());
    let mut session = start();
    session.set_frame(20.0);
    session.apply(&[add(LayerKind::Override)]).unwrap();
    session.apply(&[turn(1, POSED), turn(2, POSED)]).unwrap();
    key(&mut session, &[MID, TIP]);
    assert_eq!(times(&session, "layer.0.weight"), [12.0, 20.0, 28.0]);
    assert!(session.unkeyed().is_empty());
    let found = played(session.scene());
    for frame in (0..=12).chain(28..=60) {
        assert_eq!(found[frame], before[frame], "frame {frame}, bit for bit");
    }
    for bone in 0..2 {
        assert!(degrees_between(found[20][bone], POSED) < 1e-4);
        assert!(degrees_between(found[16][bone], before[16][bone]) > 1.0, "it comes in between");
    }
    // Where it has faded out, one bone alone would bring back the other: its change waits.
    session.set_frame(50.0);
    session.apply(&[turn(1, Vec3::X)]).unwrap();
    key(&mut session, &[MID]);
    assert_eq!((session.unkeyed().len(), times(&session, "layer.0.weight").len()), (1, 3));
    session.apply(&[turn(2, Vec3::X)]).unwrap();
    key(&mut session, &[MID, TIP]);
    assert_eq!(times(&session, "layer.0.weight"), [12.0, 20.0, 28.0, 42.0, 50.0, 58.0]);
    assert!(degrees_between(shown(&session, 50.0), Vec3::X) < 1e-4);
    assert_eq!(played(session.scene())[35], before[35]);
}

/// A change spreads over the layer's keys, except those at which a correction begins and ends.
#[test]
fn a_change_spreads_in_the_layer() {
    let mut session = corrected(LayerKind::Additive);
    session.set_frame(24.0);
    session.apply(&[turn(1, POSED + Vec3::X)]).unwrap();
    key(&mut session, &[MID]);
    session.set_frame(20.0);
    let base = session.scene().animation.get(&channel("Body", MID)).cloned();
    let before = played(session.scene());
    let mut settings = ViewSettings { tab: Tab::Animate, ..ViewSettings::default() };
    settings.tools.spread = 10;
    let evaluated = Evaluated::default();
    let view = View { session: &session, evaluated: &evaluated, settings: &settings };
    let spread = Spread::from_view(&view, "Body").unwrap();
    let shares = spread.shares();
    let frames: Vec<f32> = shares.iter().map(|(frame, _)| *frame).collect();
    assert_eq!(frames, [12.0, 24.0, 28.0]);
    let wanted = |frame: f32, share: f32| {
        let pose = before[frame as usize][0] + Vec3::Y * 30.0 * share;
        vec![(channel("Body", MID), Value::Vec3(pose))]
    };
    let nearby: Vec<(f32, Vec<(ChannelRef, Value)>)> =
        shares.iter().map(|(frame, share)| (*frame, wanted(*frame, *share))).collect();
    session.apply(&[spread.command(&wanted(20.0, 1.0), &nearby).unwrap()]).unwrap();
    for (frame, share) in [(20.0, 1.0), (24.0, shares[1].1)] {
        let Value::Vec3(wanted) = wanted(frame, share)[0].1 else { panic!() };
        assert!(degrees_between(shown(&session, frame), wanted) < 1e-3, "frame {frame}");
    }
    let after = played(session.scene());
    for frame in (0..=12).chain(28..=60) {
        assert_eq!(after[frame][0], before[frame][0], "frame {frame}");
    }
    assert_eq!(session.scene().animation.get(&channel("Body", MID)).cloned(), base);
}

/// Keys that are dragged along a motion path are those of the layer too, and fade.
#[test]
fn a_dragged_key_of_a_path_goes_into_the_layer() {
    for kind in LayerKind::ALL {
        let mut session = start();
        session.apply(&[add(kind)]).unwrap();
        let before = played(session.scene());
        let base = Arc::clone(session.scene().animation.get(&channel("Body", MID)).unwrap());
        let knots = vec![KeyframeValues {
            channel: channel("Body", MID),
            knots: vec![(20.0, Value::Vec3(POSED))],
            modes: vec![Mode::Clamped.into()],
        }];
        let put = KeyCommand::Put { purpose: Purpose::Path, knots };
        session.apply(&[Command::Keys(put)]).unwrap();
        assert!(degrees_between(shown(&session, 20.0), POSED) < 1e-4, "{kind:?}");
        assert_eq!(*session.scene().animation.get(&channel("Body", MID)).unwrap(), base);
        let after = played(session.scene());
        assert_eq!((before[11], before[30]), (after[11], after[30]), "{kind:?}");
    }
}

/// Without a window, layers count as in it: in what is shown at a frame, and in what a drag with a spread keys.
#[test]
fn the_program_shows_and_keys_the_result_of_layers() {
    let folder = Folder::new();
    let before = corrected(LayerKind::Additive).scene().clone();
    let file = folder.write("layered.js3d", &before);
    let shown = json(&["pose", &file, "--mesh", "Body", "--frame", "20"]);
    let bone = &shown["bones"][1];
    let found = numbers(&bone["pose_deg"]);
    let found = Vec3::new(found[0] as f32, found[1] as f32, found[2] as f32);
    assert!(degrees_between(found, POSED) < 1e-3, "the pose at frame 20: {found}");
    let tail = numbers(&bone["tip"]);
    let goal = format!("1={},{},{}", tail[0], tail[1] - 0.1, tail[2] + 0.1);
    let out = folder.out("dragged.js3d");
    let dragged =
        run(&["drag", &file, &goal, "--mesh", "Body", "--frame", "20", "--spread", "10", "-o", &out]);
    assert!(dragged.status.success(), "{dragged:?}");
    let after = read(&out);
    let keys = |scene: &Scene, name: &str| scene.animation.get(&channel("Body", name)).cloned();
    assert_eq!(keys(&after, MID), keys(&before, MID), "those below the layer");
    assert_ne!(keys(&after, IN_LAYER), keys(&before, IN_LAYER));
}

#[test]
fn the_program_bakes_below_layers_what_is_shown() {
    let folder = Folder::new();
    let mut session = Session::new(moving(), None);
    session.set_frame(6.0);
    session.apply(&[add(LayerKind::Additive)]).unwrap();
    let turned = pose(session.animated(), MID) + Vec3::Y * 30.0;
    session.apply(&[turn(1, turned)]).unwrap();
    key(&mut session, &[MID]);
    session.apply(&[layer(LayerChange::Choose { layer: None })]).unwrap();
    let before = session.scene();
    let file = folder.write("layered.js3d", before);
    let out = folder.out("baked.js3d");
    good(&["bake", &file, "--frames", "2..12", "-o", &out]);
    let after = read(&out);
    for frame in 2..=12 {
        let frame = frame as f32;
        for (old, new) in solved(before, frame).into_iter().zip(solved(&after, frame)) {
            assert!(degrees_between(old, new) < 1e-3, "at {frame}: {old} and {new}");
        }
    }
}
