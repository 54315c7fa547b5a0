//! Animation layers: what they do to the values below them, keys that give exactly what was posed, merging, files, undo.

use crate::editing::keys::channel;
use crate::editing::scene;
use crate::running::{Folder, good};
use glam::Vec3;
use ossature::anim::channel::{ChannelRef, Value};
use ossature::anim::layer::LayerKind;
use ossature::anim::mode::Mode;
use ossature::edit::command::Command;
use ossature::edit::command::keys::{ChannelKeys, KeyCommand};
use ossature::edit::command::layers::LayerChange;
use ossature::edit::command::takes::TakeCommand;
use ossature::edit::session::Session;
use ossature::edit::time::timeline::{RowChoice, rows};
use ossature::io::js3d;
use ossature::math::angles::angle;
use ossature::math::rotation::from_euler;
use ossature::scene::apply_animation::animate;
use ossature::scene::names::{Kind, ObjectRef};
use ossature::scene::{Scene, channels};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Mid turns from 0 at frame 0 to 90 about x at frame 10, and has no keys behind.
pub const MID: &str = "bone.3.pose";
/// The bone at the tip has no keys.
pub const TIP: &str = "bone.7.pose";
pub const POSED: Vec3 = Vec3::new(20.0, -35.0, 50.0);

pub fn layer(change: LayerChange) -> Command {
    Command::Layers { mesh: "Body".into(), change }
}

pub fn add(kind: LayerKind) -> Command {
    layer(LayerChange::Add { name: "Fix".into(), kind })
}

pub fn turn(bone: usize, pose_deg: Vec3) -> Command {
    Command::set_bone("Body".into(), bone, "pose", pose_deg)
}

/// Returns a session with long curves and a turned tip.
pub fn start() -> Session {
    let mut scene = scene();
    turn(2, Vec3::new(400.0, 33.3, -77.7)).apply(&mut scene).unwrap();
    let mut session = Session::new(scene, None);
    session.set_frame(40.0);
    session.set_auto_key(true);
    session.apply(&[turn(1, Vec3::new(70.0, 20.0, -10.0))]).unwrap();
    session.set_auto_key(false);
    session
}

pub fn pose(scene: &Scene, name: &str) -> Vec3 {
    match channels::value(scene, &channel("Body", name)) {
        Some(Value::Vec3(value)) => value,
        other => panic!("{other:?}"),
    }
}

/// Returns the poses of both bones at every whole frame.
pub fn played(scene: &Scene) -> Vec<[Vec3; 2]> {
    (0..=60)
        .map(|frame| {
            let shown = animate(scene, frame as f32);
            [MID, TIP].map(|name| pose(&shown, name))
        })
        .collect()
}

pub fn degrees_between(a: Vec3, b: Vec3) -> f64 {
    let matrix = |angles: Vec3| from_euler(angles.as_dvec3().map(f64::to_radians));
    angle(&matrix(a), &matrix(b)).to_degrees()
}

fn farthest(a: &[[Vec3; 2]], b: &[[Vec3; 2]]) -> f64 {
    let pairs = a.iter().flatten().zip(b.iter().flatten());
    pairs.map(|(a, b)| degrees_between(*a, *b)).fold(0.0, f64::max)
}

pub fn key(session: &mut Session, names: &[&str]) {
    let channels = names.iter().map(|name| channel("Body", name)).collect();
    let frame = session.frame();
    let set = KeyCommand::Set { channels, frame, new_mode: Mode::Clamped };
    session.apply(&[Command::Keys(set)]).unwrap();
}

/// Returns a session with a layer that has both bones posed at frame 20; if it overrides, it does not fade.
pub fn corrected(kind: LayerKind) -> Session {
    let mut session = start();
    session.set_frame(20.0);
    session.apply(&[add(kind)]).unwrap();
    if kind == LayerKind::Override {
        session.apply(&[layer(LayerChange::SetFade { layer: 0, frames: 0 })]).unwrap();
    }
    session.apply(&[turn(1, POSED), turn(2, POSED)]).unwrap();
    key(&mut session, &[MID, TIP]);
    session
}

#[test]
fn a_pose_in_the_middle_of_a_clip_leaves_its_keys_and_the_rest_of_it() {
    let before = start();
    let session = corrected(LayerKind::Additive);
    let base = |session: &Session| Arc::clone(session.scene().animation.get(&channel("Body", MID)).unwrap());
    assert_eq!(base(&before), base(&session));
    assert_eq!(pose(session.scene(), TIP), pose(before.scene(), TIP), "what the scene stores stays");
    assert!(session.unkeyed().is_empty());
    let (old, new) = (played(before.scene()), played(session.scene()));
    for frame in (0..=12).chain(28..=60) {
        assert_eq!(old[frame], new[frame], "frame {frame}, bit for bit");
    }
    for bone in 0..2 {
        assert!(degrees_between(new[20][bone], POSED) < 1e-4, "{:?}", new[20]);
        assert!(degrees_between(new[16][bone], old[16][bone]) > 1.0, "it comes in between");
    }
}

/// A key that is set before the pose is changed comes and goes like one that is set afterwards.
#[test]
fn a_key_of_no_change_fades_once_it_is_posed() {
    let before = start();
    let mut session = start();
    session.set_frame(20.0);
    session.apply(&[add(LayerKind::Additive)]).unwrap();
    key(&mut session, &[MID, TIP]);
    assert_eq!(played(before.scene()), played(session.scene()));
    session.apply(&[turn(1, POSED), turn(2, POSED)]).unwrap();
    key(&mut session, &[MID, TIP]);
    let (old, new) = (played(before.scene()), played(session.scene()));
    for frame in (0..=12).chain(28..=60) {
        assert_eq!(old[frame], new[frame], "frame {frame}, bit for bit");
    }
    assert!((0..2).all(|bone| degrees_between(new[20][bone], POSED) < 1e-4), "{:?}", new[20]);
}

#[test]
fn what_is_posed_is_what_is_shown_whatever_the_layers_are() {
    for kind in LayerKind::ALL {
        for weight in [1.0, 0.6] {
            for upper in [None, Some(LayerKind::Additive), Some(LayerKind::Override)] {
                let mut session = start();
                session.set_frame(20.0);
                session.apply(&[add(kind)]).unwrap();
                session.apply(&[layer(LayerChange::SetWeight { layer: 0, weight })]).unwrap();
                session.set_auto_key(true);
                if let Some(upper) = upper {
                    let stays = LayerChange::SetFade { layer: 1, frames: 0 };
                    session.apply(&[add(upper), layer(stays)]).unwrap();
                    session.apply(&[turn(1, Vec3::new(30.0, 30.0, 0.0))]).unwrap();
                    let half = LayerChange::SetWeight { layer: 1, weight: 0.5 };
                    session.apply(&[layer(half), layer(LayerChange::Choose { layer: Some(0) })]).unwrap();
                }
                let wanted = pose(session.animated(), MID) + Vec3::new(12.0, -9.0, 15.0);
                session.apply(&[turn(1, wanted)]).unwrap();
                let found = pose(&animate(session.scene(), 20.0), MID);
                let text = format!("{kind:?} {weight} below {upper:?}: {found} is not {wanted}");
                assert!(degrees_between(found, wanted) < 1e-4, "{text}");
                assert!(session.unkeyed().is_empty(), "{text}");
                // The layer has the key, the character has not.
                let own = session.scene().animation.get(&channel("Body", "layer.0.bone.3.pose")).unwrap();
                assert!(own.key(20.0).is_some(), "{text}");
                assert!(session.scene().animation.get(&channel("Body", MID)).unwrap().key(20.0).is_none());
            }
        }
    }
}

#[test]
fn the_base_is_keyed_below_its_layers() {
    let mut session = corrected(LayerKind::Additive);
    session.apply(&[layer(LayerChange::Choose { layer: None })]).unwrap();
    session.set_frame(18.0);
    session.set_auto_key(true);
    let wanted = Vec3::new(5.0, 6.0, 7.0);
    session.apply(&[turn(1, wanted), turn(2, wanted)]).unwrap();
    let shown = animate(session.scene(), 18.0);
    for name in [MID, TIP] {
        assert!(degrees_between(pose(&shown, name), wanted) < 1e-4, "{name}: {}", pose(&shown, name));
        assert!(session.scene().animation.get(&channel("Body", name)).unwrap().key(18.0).is_some());
    }
}

#[test]
fn without_weight_nothing_changes_bit_for_bit() {
    for kind in LayerKind::ALL {
        let mut session = corrected(kind);
        let before = played(start().scene());
        assert!(farthest(&before, &played(session.scene())) > 10.0);
        session.apply(&[layer(LayerChange::SetWeight { layer: 0, weight: 0.0 })]).unwrap();
        assert_eq!(played(session.scene()), before);
        // A key of the weight counts instead of it.
        let put = ossature::edit::command::keys::KeyframeValues {
            channel: channel("Body", "layer.0.weight"),
            knots: vec![(0.0, Value::Float(0.0)), (20.0, Value::Float(1.0))],
            modes: vec![Mode::Linear.into(); 2],
        };
        let purpose = ossature::edit::command::keys::Purpose::Paste;
        session.apply(&[Command::Keys(KeyCommand::Put { purpose, knots: vec![put] })]).unwrap();
        let found = played(session.scene());
        assert_eq!(found[0], before[0]);
        assert!(degrees_between(found[20][0], POSED) < 1e-4);
        // Nothing can be posed in a layer without weight: the change stays unkeyed.
        session.set_frame(0.0);
        session.apply(&[turn(1, POSED)]).unwrap();
        key(&mut session, &[MID]);
        assert_eq!(session.unkeyed().len(), 1);
        assert_eq!(pose(session.animated(), MID), POSED);
    }
}

#[test]
fn mute_solo_and_masks_say_what_counts() {
    let before = played(start().scene());
    let mut session = corrected(LayerKind::Additive);
    let with = played(session.scene());
    session.apply(&[layer(LayerChange::SetMuted { layer: 0, muted: true })]).unwrap();
    assert_eq!(played(session.scene()), before);
    session.undo();
    session.apply(&[add(LayerKind::Additive)]).unwrap();
    session.apply(&[layer(LayerChange::SetSolo { layer: 1, solo: true })]).unwrap();
    assert_eq!(played(session.scene()), before, "only the empty layer counts");
    session.apply(&[layer(LayerChange::SetSolo { layer: 0, solo: true })]).unwrap();
    assert_eq!(played(session.scene()), with);
    session.apply(&[layer(LayerChange::SetBones { layer: 0, bones: Some(vec![2]) })]).unwrap();
    for (frame, [mid, tip]) in played(session.scene()).into_iter().enumerate() {
        assert_eq!((mid, tip), (before[frame][0], with[frame][1]), "frame {frame}");
    }
    // A bone that the layer does not change is not keyed, and stays as posed until it is.
    session.apply(&[layer(LayerChange::Choose { layer: Some(0) })]).unwrap();
    session.set_auto_key(true);
    session.apply(&[turn(1, Vec3::X)]).unwrap();
    assert_eq!(session.unkeyed().iter().collect::<Vec<_>>(), [channel("Body", MID)]);
}

#[test]
fn a_merged_layer_plays_the_same() {
    for kinds in
        [[LayerKind::Additive; 2], [LayerKind::Override, LayerKind::Additive], [LayerKind::Override; 2]]
    {
        let mut session = corrected(kinds[0]);
        session.apply(&[add(kinds[1])]).unwrap();
        session.set_frame(24.0);
        session.set_auto_key(true);
        session.apply(&[turn(1, Vec3::new(40.0, 0.0, 10.0)), turn(2, Vec3::ZERO)]).unwrap();
        session.apply(&[layer(LayerChange::SetWeight { layer: 1, weight: 0.8 })]).unwrap();
        let wanted = played(session.scene());
        for left in [1, 0] {
            session.apply(&[layer(LayerChange::MergeDown { layer: left })]).unwrap();
            let found = played(session.scene());
            let far = farthest(&wanted, &found);
            assert!(far < 0.1, "{kinds:?} without layer {left}: {far}");
        }
        let animation = &session.scene().animation;
        assert!(animation.layers.is_empty());
        assert!(animation.channels["Body"].keys().all(|name| !name.starts_with("layer.")));
        let keys = animation.get(&channel("Body", MID)).unwrap().key_count();
        assert!(keys < 40, "{keys} keys");
        session.undo();
        session.undo();
        assert_eq!(played(session.scene()), wanted);
    }
}

#[test]
fn muted_layers_are_not_merged() {
    let mut session = corrected(LayerKind::Additive);
    session.apply(&[layer(LayerChange::SetMuted { layer: 0, muted: true })]).unwrap();
    assert!(session.apply(&[layer(LayerChange::MergeDown { layer: 0 })]).is_err());
    session.undo();
    session
        .apply(&[layer(LayerChange::SetWeight { layer: 0, weight: 0.0 }), add(LayerKind::Override)])
        .unwrap();
    session.set_auto_key(true);
    session.apply(&[turn(1, Vec3::Z)]).unwrap();
    let before = session.scene().clone();
    assert!(
        session.apply(&[layer(LayerChange::MergeDown { layer: 1 })]).is_err(),
        "nothing shows in layer 0"
    );
    assert!(before.is_shared(session.scene()));
}

#[test]
fn files_keep_layers_and_other_programs_play_their_result() {
    let mut session = corrected(LayerKind::Additive);
    session.apply(&[add(LayerKind::Override)]).unwrap();
    let all = [
        LayerChange::SetWeight { layer: 1, weight: 0.25 },
        LayerChange::SetSolo { layer: 0, solo: true },
        LayerChange::SetMuted { layer: 1, muted: true },
        LayerChange::SetBones { layer: 1, bones: Some(vec![1, 3]) },
        LayerChange::SetFade { layer: 1, frames: 0 },
    ];
    session.apply(&all.map(layer)).unwrap();
    let written = js3d::write(session.scene()).unwrap();
    let (again, _) = js3d::read(&written).unwrap();
    assert_eq!(again.animation, session.scene().animation);
    assert_eq!(js3d::write(&again).unwrap(), written);
    // Without our members, as Scotty3D reads it.
    let mut document: serde_json::Value = serde_json::from_slice(&written).unwrap();
    let animator = document["animator"].as_object_mut().unwrap();
    let layers = animator.remove("layers").unwrap();
    assert!(animator["splines"]["Body"].as_object().unwrap().keys().all(|name| !name.starts_with("layer.")));
    let (plain, _) = js3d::read(document.to_string().as_bytes()).unwrap();
    assert!(plain.animation.layers.is_empty());
    assert!(farthest(&played(&plain), &played(session.scene())) < 1e-3);
    // Another program has changed a curve: it counts.
    document["animator"]["layers"] = layers.clone();
    document["animator"]["splines"]["Body"][MID]["knots"] = serde_json::json!([0, [1, 2, 3]]);
    let (changed, report) = js3d::read(document.to_string().as_bytes()).unwrap();
    let codes: BTreeSet<_> = report.findings.iter().map(|finding| finding.code).collect();
    assert!(codes.contains("outdated-layers"), "{codes:?}");
    let shown = animate(&changed, 20.0);
    assert_eq!(pose(&shown, MID), Vec3::new(1.0, 2.0, 3.0));
    assert!(degrees_between(pose(&shown, TIP), POSED) < 1e-4, "the other bone still has its layer");
    // What is not ours stays.
    document["animator"]["layers"] = serde_json::json!([1, 2]);
    let (foreign, _) = js3d::read(document.to_string().as_bytes()).unwrap();
    let text = String::from_utf8(js3d::write(&foreign).unwrap()).unwrap();
    assert!(text.contains("\"layers\":[1,2]"), "{text}");
}

#[test]
fn every_change_is_a_step_that_can_be_undone() {
    let mut session = corrected(LayerKind::Additive);
    session.apply(&[add(LayerKind::Override)]).unwrap();
    assert_eq!(session.undo_label(), Some("Add layer Fix 2"));
    for change in [
        LayerChange::Rename { layer: 0, name: " Hand ".into() },
        LayerChange::SetKind { layer: 0, kind: LayerKind::Override },
        LayerChange::SetWeight { layer: 0, weight: 0.5 },
        LayerChange::SetMuted { layer: 0, muted: true },
        LayerChange::SetSolo { layer: 0, solo: true },
        LayerChange::SetBones { layer: 0, bones: Some(vec![1]) },
        LayerChange::SetFade { layer: 0, frames: 3 },
        LayerChange::Move { layer: 0, place: 1 },
        LayerChange::Choose { layer: None },
        LayerChange::Delete { layer: 0 },
        LayerChange::MergeDown { layer: 0 },
    ] {
        let (before, steps) = (session.scene().clone(), session.history().cursor());
        session.apply(&[layer(change.clone())]).unwrap();
        assert_eq!(session.history().cursor(), steps + 1, "{change:?}");
        let after = session.scene().clone();
        session.undo();
        assert!(session.scene() == &before, "{change:?}");
        session.redo();
        assert!(session.scene() == &after, "{change:?} again");
        session.undo();
    }
    for wrong in [
        LayerChange::Choose { layer: Some(7) },
        LayerChange::Delete { layer: 7 },
        LayerChange::Rename { layer: 0, name: " ".into() },
        LayerChange::SetWeight { layer: 0, weight: 1.5 },
        LayerChange::SetWeight { layer: 0, weight: f32::NAN },
        LayerChange::SetFade { layer: 0, frames: 1001 },
        LayerChange::SetBones { layer: 0, bones: Some(vec![4]) },
    ] {
        assert!(session.apply(&[layer(wrong.clone())]).is_err(), "{wrong:?}");
    }
}

#[test]
fn layers_follow_their_character_and_its_bones() {
    let mut session = corrected(LayerKind::Additive);
    let object = ObjectRef::new(Kind::SkinnedMesh, "Body");
    session.apply(&[Command::Rename { object, name: "Hero".into() }]).unwrap();
    let animation = &session.scene().animation;
    assert!(!animation.layers.contains_key("Body") && animation.layers["Hero"].list.len() == 1);
    assert!(animation.get(&ChannelRef::new("Hero", "layer.0.bone.3.pose")).is_some());
    session.undo();
    let restrict = LayerChange::SetBones { layer: 0, bones: Some(vec![1, 2]) };
    session.apply(&[layer(restrict)]).unwrap();
    session.apply(&[Command::DeleteBone { mesh: "Body".into(), bone: 2 }]).unwrap();
    let animation = &session.scene().animation;
    assert!(animation.get(&channel("Body", "layer.0.bone.7.pose")).is_none());
    assert_eq!(animation.layers["Body"].list[0].bones, Some([3].into()));
    session.undo();
    let object = ObjectRef::new(Kind::SkinnedMesh, "Body");
    session.apply(&[Command::Delete { object, with_data: false }]).unwrap();
    assert!(session.scene().animation.layers.is_empty());
}

#[test]
fn an_unkeyed_change_stays_while_a_layer_is_chosen() {
    let mut session = start();
    session.set_frame(20.0);
    session.apply(&[turn(1, POSED)]).unwrap();
    assert_eq!(session.unkeyed().len(), 1);
    session.apply(&[add(LayerKind::Additive)]).unwrap();
    assert_eq!((pose(session.animated(), MID), session.unkeyed().len()), (POSED, 1));
    key(&mut session, &[MID]);
    assert!(session.unkeyed().is_empty());
    assert!(degrees_between(pose(session.animated(), MID), POSED) < 1e-4);
    // Without layers, the character is as it was.
    session.apply(&[layer(LayerChange::Delete { layer: 0 })]).unwrap();
    assert_eq!(played(session.scene()), played(start().scene()));
}

#[test]
fn the_sheet_shows_the_keys_of_the_active_layer() {
    let mut session = corrected(LayerKind::Additive);
    let shown = |session: &Session| {
        let found = rows(session.scene(), session.selection(), &RowChoice::default());
        found.iter().map(|row| (row.label.clone(), row.keys.clone())).collect::<Vec<_>>()
    };
    let layer_rows = shown(&session);
    assert!(layer_rows.contains(&("Body: Fix".into(), vec![12.0, 20.0, 28.0])), "{layer_rows:?}");
    assert!(layer_rows.contains(&("Mid".into(), vec![12.0, 20.0, 28.0])), "{layer_rows:?}");
    session.apply(&[layer(LayerChange::Choose { layer: None })]).unwrap();
    let base_rows = shown(&session);
    assert!(base_rows.contains(&("Mid".into(), vec![0.0, 10.0, 40.0])), "{base_rows:?}");
}

/// A second correction far behind the first one comes and goes by itself; one close by joins it.
#[test]
fn each_correction_comes_and_goes() {
    let mut session = corrected(LayerKind::Additive);
    session.set_auto_key(true);
    for (frame, expected) in [
        (50.0, vec![12.0, 20.0, 28.0, 42.0, 50.0, 58.0]),
        (24.0, vec![12.0, 20.0, 24.0, 28.0, 42.0, 50.0, 58.0]),
    ] {
        session.set_frame(frame);
        let wanted = pose(session.animated(), MID) + Vec3::new(0.0, 10.0, 0.0);
        session.apply(&[turn(1, wanted)]).unwrap();
        let keys = session.scene().animation.get(&channel("Body", "layer.0.bone.3.pose")).unwrap().times();
        assert_eq!(keys, expected);
    }
}

/// At the seam of a loop, a correction goes at its start and comes at its end, whichever end was changed.
#[test]
fn a_correction_at_the_seam_of_a_loop_closes() {
    for (kind, at, name) in [
        (LayerKind::Additive, 0.0, MID),
        (LayerKind::Additive, 40.0, MID),
        (LayerKind::Override, 0.0, "weight"),
    ] {
        let mut scene = start().scene().clone();
        let animation = Arc::make_mut(&mut scene.animation);
        animation.channels.get_mut("Body").unwrap().retain(|name, _| name == MID);
        let mut session = Session::new(scene, None);
        session.set_auto_key(true);
        let back = pose(&animate(session.scene(), 0.0), MID);
        session.set_frame(40.0);
        session.apply(&[turn(1, back)]).unwrap();
        let take = TakeCommand::Add { name: "Loop".into(), range: [0, 39] };
        session.apply(&[Command::Takes(take)]).unwrap();
        let seam = |session: &Session| {
            let seam = session.scene().animation.seam([0, 39]).unwrap();
            seam.turn.unwrap().size
        };
        let before = seam(&session);
        session.set_frame(at);
        session.apply(&[add(kind), turn(1, POSED)]).unwrap();
        let keys = session.scene().animation.get(&channel("Body", &format!("layer.0.{name}"))).unwrap();
        assert_eq!(keys.times(), [0.0, 8.0, 32.0, 40.0], "{kind:?} at {at}");
        let ends = [0.0, 40.0].map(|frame| pose(&animate(session.scene(), frame), MID));
        assert!(ends.iter().all(|end| degrees_between(*end, POSED) < 1e-3), "{ends:?}");
        assert!(before < 1e-3 && seam(&session) < 1e-3);
        // A key at one end alone is a jump, which the seam tells.
        let key =
            ChannelKeys { channel: channel("Body", &format!("layer.0.{name}")), frames: vec![32.0, 40.0] };
        session.apply(&[Command::Keys(KeyCommand::Delete { keys: vec![key] })]).unwrap();
        assert!(seam(&session) > 10.0, "{kind:?} at {at}: {}", seam(&session));
    }
}

#[test]
fn the_program_lists_keys_with_the_names_of_layers() {
    let folder = Folder::new();
    let file = folder.write("layers.js3d", corrected(LayerKind::Additive).scene());
    let text = good(&["keys", &file]);
    assert!(text.contains("Mid in Fix pose: 3 keys, frames 12 to 28"), "{text}");
    assert!(text.contains("Mid pose: 3 keys, frames 0 to 40"), "{text}");
}

#[test]
fn a_rename_leaves_a_free_name() {
    let mut session = corrected(LayerKind::Additive);
    session.apply(&[add(LayerKind::Additive)]).unwrap();
    let rename = LayerChange::Rename { layer: 1, name: "Fix".into() };
    session.apply(&[layer(rename)]).unwrap();
    let names: Vec<_> =
        session.scene().animation.layers["Body"].list.iter().map(|layer| &*layer.name).collect();
    assert_eq!(names, ["Fix", "Fix 2"]);
}
