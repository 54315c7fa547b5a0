//! The keying set: what Insert keyframe and auto-key write.

use crate::editing::scene;
use glam::Vec3;
use ossature::anim::layer::LayerKind;
use ossature::edit::action::{Action, Prepared};
use ossature::edit::command::Command;
use ossature::edit::command::layers::LayerChange;
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::session::Session;
use ossature::edit::settings::view::{Tab, ViewSettings};
use ossature::edit::time::keying_set::KeyingSet;
use ossature::io::js3d;
use ossature::scene::evaluate::Evaluated;
use std::collections::BTreeSet;

const FRAME: f32 = 7.0;

fn session(set: KeyingSet) -> Session {
    let mut scene = scene();
    scene.animation = Default::default();
    let mut session = Session::new(scene, None);
    session.select(Selection::from_mesh(session.scene(), "Body").with_part(Some(Part::Handle(0))));
    session.set_frame(FRAME);
    session.set_keying_set(set);
    session
}

/// Returns commands that turn a bone and move the base.
fn changes() -> [Command; 2] {
    let mesh = || "Body".to_owned();
    [Command::set_bone(mesh(), 1, "pose", Vec3::X), Command::set_skeleton(mesh(), "base_offset", Vec3::Y)]
}

/// Returns the channels with a key at the frame.
fn keyed(session: &Session) -> BTreeSet<String> {
    keyed_at(session, FRAME)
}

fn keyed_at(session: &Session, frame: f32) -> BTreeSet<String> {
    let all = session.scene().animation.channels.values().flatten();
    let keyed = all.filter(|(_, channel)| channel.key(frame).is_some());
    keyed.map(|(name, _)| name.clone()).collect()
}

fn set_of(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn insert(session: &mut Session) -> bool {
    inserted(session).is_ok()
}

/// Inserts keys; returns the message, or the reason why there are none.
fn inserted(session: &mut Session) -> Result<String, String> {
    let mut settings = ViewSettings { tab: Tab::Animate, ..ViewSettings::default() };
    let prepared = Action::INSERT_KEYS.prepare_in(session, &settings, &Evaluated::default());
    let prepared = prepared.map_err(|reason| reason.to_string())?;
    let Prepared::Commands { note: Some(note), .. } = &prepared else { panic!("keys are told of") };
    let text = note.text.clone();
    prepared.carry_out(session, &mut settings).map_err(|error| error.to_string())?;
    Ok(text)
}

#[test]
fn auto_key_writes_what_the_set_says() {
    let character = [
        "base_offset",
        "bone.0.pose",
        "bone.3.pose",
        "bone.7.pose",
        "bone.4.pose",
        "handle.2.target",
        "handle.2.enabled",
        "handle.2.weight",
        "handle.5.target",
        "handle.5.enabled",
        "handle.5.weight",
    ];
    for (set, expected) in [
        (KeyingSet::Selection, &["base_offset", "bone.3.pose"][..]),
        (KeyingSet::Changed, &["base_offset", "bone.3.pose"]),
        (KeyingSet::Rotations, &["bone.3.pose"]),
        (KeyingSet::Character, &character),
    ] {
        let mut session = session(set);
        session.set_auto_key(true);
        let before = session.scene().clone();
        session.apply(&changes()).unwrap();
        assert_eq!(keyed(&session), set_of(expected), "{set:?}");
        session.undo();
        assert!(session.scene().is_shared(&before), "one step");
    }
}

#[test]
fn insert_keyframe_writes_what_the_set_says() {
    let handle = ["handle.2.target", "handle.2.enabled", "handle.2.weight"];
    let mut selection = session(KeyingSet::Selection);
    assert!(insert(&mut selection));
    assert_eq!(keyed(&selection), set_of(&handle));
    let mut character = session(KeyingSet::Character);
    assert!(insert(&mut character));
    assert_eq!(keyed(&character).len(), 11);
    let mut rotations = session(KeyingSet::Rotations);
    assert!(!insert(&mut rotations), "a handle has none");
    rotations.select(rotations.selection().with_parts([Part::Bone(1), Part::Base]));
    assert!(insert(&mut rotations));
    assert_eq!(keyed(&rotations), set_of(&["bone.3.pose"]));
}

/// After a drag of a limb: K keys what the drag changed, whatever is selected, as auto-key would have done.
#[test]
fn what_was_changed_is_keyed_with_the_selection() {
    let handle = ["handle.2.target", "handle.2.enabled", "handle.2.weight"];
    for (set, more) in [
        (KeyingSet::Selection, &["base_offset", "bone.3.pose"][..]),
        (KeyingSet::Rotations, &["bone.3.pose"]),
        (KeyingSet::Character, &["base_offset", "bone.3.pose"]),
    ] {
        let mut session = session(KeyingSet::Character);
        assert!(insert(&mut session));
        session.set_frame(0.0);
        session.set_keying_set(set);
        session.apply(&changes()).unwrap();
        assert_eq!(session.unkeyed().len(), 2);
        let message = inserted(&mut session).expect("there is something to key");
        let expected = match set {
            KeyingSet::Selection => set_of(&handle).union(&set_of(more)).cloned().collect(),
            _ => set_of(more),
        };
        let keyed = keyed_at(&session, 0.0);
        assert!(keyed.is_superset(&expected), "{set:?}: {keyed:?}");
        assert_eq!(session.unkeyed().len(), 2 - more.len(), "{set:?}");
        match set {
            KeyingSet::Selection => {
                assert_eq!(keyed, expected);
                assert_eq!(message, "Keyed the base, 1 bone and 1 handle at frame 0");
            }
            KeyingSet::Rotations => assert_eq!(keyed, expected),
            _ => assert_eq!(keyed.len(), 11),
        }
    }
}

/// The same in a character without keys: what is posed is keyed, and the next drag of another limb as well. What is at rest, or
/// has keys already, is not.
#[test]
fn what_is_posed_without_keys_is_keyed_with_the_selection() {
    let handle = ["handle.2.target", "handle.2.enabled", "handle.2.weight"];
    let posed = ["base_offset", "bone.3.pose"];
    for (set, expected) in
        [(KeyingSet::Selection, [&handle[..], &posed].concat()), (KeyingSet::Rotations, vec!["bone.3.pose"])]
    {
        let mut session = session(set);
        let bones = 0..session.scene().skinned_meshes["Body"].skeleton.bones.len();
        let at_rest = bones.map(|bone| Command::set_bone("Body".to_owned(), bone, "pose", Vec3::ZERO));
        session.apply(&at_rest.collect::<Vec<_>>()).unwrap();
        session.apply(&changes()).unwrap();
        assert!(session.unkeyed().is_empty());
        let message = inserted(&mut session).expect("there is something to key");
        assert_eq!(keyed(&session), set_of(&expected), "{set:?}");
        let what = if set == KeyingSet::Selection { "the base, 1 bone and 1 handle" } else { "1 bone" };
        assert_eq!(message, format!("Keyed {what} at frame 7"));
        session.set_frame(0.0);
        session.apply(&[Command::set_bone("Body".to_owned(), 2, "pose", Vec3::Y)]).unwrap();
        drop(inserted(&mut session));
        let later = keyed_at(&session, 0.0);
        assert!(later.contains("bone.7.pose") && !later.contains("bone.3.pose"), "{later:?}");
    }
}

#[test]
fn without_a_selection_changes_are_keyed_or_a_reason_is_given() {
    let mut session = session(KeyingSet::Selection);
    assert!(insert(&mut session));
    let bone = session.selection().with_parts([Part::Bone(1)]);
    session.select(bone);
    assert!(insert(&mut session));
    session.select(Selection::default());
    assert_eq!(inserted(&mut session), Err("Select something first.".into()));
    session.apply(&changes()[..1]).unwrap();
    let message = inserted(&mut session);
    assert_eq!(message.as_deref(), Ok("Keyed 1 bone at frame 7"));
    session.select(Selection::from_mesh(session.scene(), "Body"));
    let message = inserted(&mut session).unwrap();
    let all = " at frame 7 (all of Body, as no bone is selected)";
    assert!(message.ends_with(&format!(" channels{all}")), "{message}");
    let change = LayerChange::Add { name: "Fix".into(), kind: LayerKind::Additive };
    session.apply(&[Command::Layers { mesh: "Body".into(), change }]).unwrap();
    let message = inserted(&mut session).unwrap();
    assert!(message.contains(&format!("{all} in layer Fix")), "{message}");
}

#[test]
fn changes_only_are_those_that_are_not_keyed() {
    let mut session = session(KeyingSet::Character);
    assert!(insert(&mut session));
    session.set_frame(0.0);
    session.set_frame(FRAME);
    session.set_keying_set(KeyingSet::Changed);
    assert!(!insert(&mut session), "nothing was changed");
    session.apply(&changes()).unwrap();
    assert!(!insert(&mut session), "the handle is unchanged");
    let steps = session.history().cursor();
    session.select(Selection::default());
    assert!(insert(&mut session));
    assert!(session.unkeyed().is_empty());
    assert_eq!(session.history().cursor(), steps + 1);
}

/// An arm is keyed with its hand and handle but not the other arm; the trunk with the head but not the arms.
#[test]
fn a_body_part_is_keyed_as_a_whole() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d/A4-human.js3d");
    let mesh = "Human_skinned_mesh";
    let keyed = |selected: &str, handle_on: Option<&str>, auto_key: bool| -> BTreeSet<String> {
        let mut session = Session::new(js3d::read_file(&path).unwrap().0, None);
        let skeleton = session.scene().skinned_meshes[mesh].skeleton.clone();
        let bone = |name: &str| (0..skeleton.bones.len()).find(|&bone| skeleton.bone_name(bone) == name);
        if let Some(on) = handle_on {
            let (mesh, bone) = (mesh.into(), bone(on).unwrap());
            session.apply(&[Command::AddHandle { mesh, bone }]).unwrap();
        }
        let bone = bone(selected).unwrap();
        session.select(Selection::from_mesh(session.scene(), mesh).with_part(Some(Part::Bone(bone))));
        session.set_frame(FRAME);
        session.set_keying_set(KeyingSet::BodyPart);
        if auto_key {
            session.set_auto_key(true);
            let (mesh, pose_deg) = (mesh.into(), Vec3::X);
            session.apply(&[Command::set_bone(mesh, bone, "pose", pose_deg)]).unwrap();
        } else {
            assert!(insert(&mut session));
        }
        let ids = skeleton.bones.iter().enumerate();
        let names: std::collections::BTreeMap<String, String> = ids
            .map(|(at, bone)| (format!("bone.{}.pose", bone.channel_id), skeleton.bone_name(at)))
            .collect();
        let channels = self::keyed(&session).into_iter();
        channels.map(|channel| names.get(&channel).cloned().unwrap_or(channel)).collect()
    };
    for auto_key in [false, true] {
        let arm = keyed("forearm.L", Some("hand.L"), auto_key);
        for bone in ["upper_arm.L", "forearm.L", "hand.L"] {
            assert!(arm.contains(bone), "{bone}: {arm:?}");
        }
        assert!(arm.iter().all(|name| name.ends_with(".L") || name.starts_with("handle.")), "{arm:?}");
        assert!(arm.iter().any(|name| name.starts_with("handle.")), "{arm:?}");
        assert!(!arm.contains("clavicle.L") && !arm.contains("thigh.L"), "{arm:?}");
    }
    assert_eq!(keyed("hand.L", None, false), keyed("upper_arm.L", None, false));
    let leg = keyed("shin.R", Some("hand.L"), false);
    assert!(leg.contains("foot.R") && leg.contains("thigh.R"), "{leg:?}");
    assert!(leg.iter().all(|name| name.ends_with(".R")), "{leg:?}");
    let trunk = keyed("pelvis", None, false);
    assert!(trunk.contains("pelvis") && trunk.contains("head"), "{trunk:?}");
    assert!(!trunk.iter().any(|name| name.ends_with(".L") || name.ends_with(".R")), "{trunk:?}");
}
