//! Muted channels: their keys stay and drive nothing; the scene's stored values are shown and changed.

use crate::editing;

use crate::editing::keys::channel;
use crate::editing::scene;
use crate::running::{Folder, bad, good, json};
use glam::Vec3;
use ossature::anim::channel::Value;
use ossature::anim::mode::Mode;
use ossature::anim::mute::Mute;
use ossature::edit::action::Action;
use ossature::edit::command::Command;
use ossature::edit::command::keys::{ChannelKeys, KeyCommand};
use ossature::edit::request::Request;
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::session::Session;
use ossature::edit::settings::view::{Tab, ViewSettings};
use ossature::edit::time::bake::{Bake, bake};
use ossature::edit::time::key_state::{KeyState, muted_components, state};
use ossature::io::js3d;
use ossature::rig::ik;
use ossature::scene::apply_animation::animate;
use ossature::scene::evaluate::Evaluated;
use ossature::scene::names::{Kind, ObjectRef};
use ossature::scene::{Scene, channels};
use serde_json::{Value as Json, json};

/// Mid turns from 0 at frame 0 to 90 about x at frame 10.
const MID: &str = "bone.3.pose";

fn pose_deg(scene: &Scene) -> Vec3 {
    match channels::value(scene, &channel("Body", MID)) {
        Some(Value::Vec3(pose)) => pose,
        other => panic!("{other:?}"),
    }
}

fn pose(pose_deg: Vec3) -> Command {
    Command::set_bone("Body".into(), 1, "pose", pose_deg)
}

fn mute(components: [bool; 3], muted: bool) -> Command {
    Command::Keys(KeyCommand::Mute { channels: vec![channel("Body", MID)], components, muted })
}

/// Mid stores the pose 1, 2, 3, and has keys 10, 20, 30 and 50, 60, 70.
fn moving() -> Session {
    let mut scene = scene();
    pose(Vec3::new(1.0, 2.0, 3.0)).apply(&mut scene).unwrap();
    let at = |frame: f32, x: f32| (frame, Value::Vec3(Vec3::new(x, x + 10.0, x + 20.0)));
    let knots = vec![ossature::edit::command::keys::KeyframeValues {
        modes: Vec::new(),
        channel: channel("Body", MID),
        knots: vec![at(0.0, 10.0), at(10.0, 50.0)],
    }];
    let purpose = ossature::edit::command::keys::Purpose::Paste;
    let put = Command::Keys(KeyCommand::Put { purpose, knots });
    put.apply(&mut scene).unwrap();
    Session::new(scene, None)
}

fn key_at(session: &Session, frame: f32) -> Option<Value> {
    let keys = session.scene().animation.get(&channel("Body", MID))?;
    keys.key(frame)
}

#[test]
fn what_is_muted_shows_the_stored_value() {
    let mut session = moving();
    session.set_frame(10.0);
    assert_eq!(pose_deg(session.animated()), Vec3::new(50.0, 60.0, 70.0));
    for (components, seen) in [
        ([false, true, false], Vec3::new(50.0, 2.0, 70.0)),
        ([true, true, false], Vec3::new(1.0, 2.0, 70.0)),
        ([true; 3], Vec3::new(1.0, 2.0, 3.0)),
    ] {
        session.apply(&[mute(components, true)]).unwrap();
        assert_eq!(pose_deg(session.animated()), seen);
        assert_eq!(pose_deg(&animate(session.scene(), 10.0)), seen);
    }
    session.apply(&[mute([false, false, true], false)]).unwrap();
    assert_eq!(pose_deg(session.animated()), Vec3::new(1.0, 2.0, 70.0));
    session.apply(&[mute([true; 3], false)]).unwrap();
    assert_eq!(pose_deg(session.animated()), Vec3::new(50.0, 60.0, 70.0));
    let steps: Vec<_> = session.undo_list().map(str::to_owned).collect();
    assert_eq!(steps, ["Unmute Mid", "Unmute z of Mid", "Mute Mid", "Mute x, y of Mid", "Mute y of Mid"]);
    while session.undo().is_some() {}
    assert!(session.scene().animation.muted.is_empty());
}

/// Muting would otherwise show the pose of whichever frame was last edited.
#[test]
fn editing_at_a_frame_leaves_stored_values_alone() {
    let mut session = moving();
    session.set_frame(10.0);
    let other = Command::set_bone("Body".into(), 0, "radius", 0.25);
    session.apply(std::slice::from_ref(&other)).unwrap();
    session.preview(&[pose(Vec3::ONE)]).unwrap();
    session.preview(&[pose(Vec3::new(50.0, 60.0, 70.0))]).unwrap();
    assert!(!session.commit(), "dragged back to where it was");
    session.set_auto_key(true);
    session.apply(&[pose(Vec3::X)]).unwrap();
    let rename = Command::Rename {
        object: ObjectRef { kind: Kind::SkinnedMesh, name: "Body".into() },
        name: "Torso".into(),
    };
    session.apply(&[rename]).unwrap();
    let bones = &session.scene().skinned_meshes["Torso"].skeleton.bones;
    assert_eq!((bones[1].pose_deg, bones[0].radius), (Vec3::new(1.0, 2.0, 3.0), 0.25));
}

#[test]
fn edits_of_what_is_muted_are_stored_and_neither_keyed_nor_held() {
    for auto_key in [false, true] {
        let mut session = moving();
        session.set_frame(5.0);
        session.set_auto_key(auto_key);
        session.apply(&[mute([true; 3], true)]).unwrap();
        session.apply(&[pose(Vec3::splat(7.0))]).unwrap();
        assert_eq!(pose_deg(session.scene()), Vec3::splat(7.0));
        assert_eq!(pose_deg(session.animated()), Vec3::splat(7.0));
        assert!(session.unkeyed().is_empty() && key_at(&session, 5.0).is_none());
        session.undo();
        assert_eq!(pose_deg(session.animated()), Vec3::new(1.0, 2.0, 3.0));
    }
}

#[test]
fn keys_leave_what_is_muted_as_it_moves() {
    let mut session = moving();
    session.set_frame(10.0);
    session.set_auto_key(true);
    session.apply(&[mute([false, true, false], true)]).unwrap();
    session.apply(&[pose(Vec3::new(-1.0, -2.0, -3.0))]).unwrap();
    let key = Vec3::new(-1.0, 60.0, -3.0);
    assert_eq!(key_at(&session, 10.0), Some(Value::Vec3(key)));
    assert_eq!(pose_deg(session.animated()), Vec3::new(-1.0, -2.0, -3.0));
    assert_eq!(pose_deg(session.scene()), Vec3::new(1.0, -2.0, 3.0));
    // A change of muted components alone sets no key.
    session.set_frame(5.0);
    let seen = pose_deg(session.animated());
    session.apply(&[pose(Vec3 { y: 9.0, ..seen })]).unwrap();
    assert_eq!((key_at(&session, 5.0), pose_deg(session.animated()).y), (None, 9.0));
}

#[test]
fn a_held_change_is_held_no_more_once_it_is_muted() {
    let mut session = moving();
    session.set_frame(5.0);
    session.apply(&[pose(Vec3::ZERO)]).unwrap();
    assert_eq!(session.unkeyed().len(), 1);
    session.apply(&[mute([true; 3], true)]).unwrap();
    assert!(session.unkeyed().is_empty());
    assert_eq!(pose_deg(session.animated()), Vec3::ZERO);
    session.undo();
    assert_eq!(session.unkeyed().len(), 1);
}

#[test]
fn muting_goes_with_keys_and_names_and_ends_with_the_last_key() {
    let mut session = moving();
    session.apply(&[mute([true; 3], true)]).unwrap();
    let keys = |frames: &[f32]| vec![ChannelKeys { channel: channel("Body", MID), frames: frames.to_vec() }];
    let shift = Command::Keys(KeyCommand::Move { keys: keys(&[0.0, 10.0]), offset: 2.0 });
    session.apply(&[shift]).unwrap();
    let is_muted = |session: &Session, name: &str| session.scene().animation.mute(name, MID).is_whole();
    assert!(is_muted(&session, "Body"));
    let rename = Command::Rename {
        object: ObjectRef { kind: Kind::SkinnedMesh, name: "Body".into() },
        name: "Torso".into(),
    };
    session.apply(&[rename]).unwrap();
    assert!(is_muted(&session, "Torso") && !is_muted(&session, "Body"));
    session.undo();
    let delete = Command::Keys(KeyCommand::Delete { keys: keys(&[2.0, 12.0]) });
    session.apply(&[delete]).unwrap();
    assert!(session.scene().animation.muted.is_empty());
    session.undo();
    assert!(is_muted(&session, "Body"));
    let mut twice = session.scene().clone();
    ossature::scene::append::append(&mut twice, session.scene());
    assert!(twice.animation.mute("Body 1", MID).is_whole());
}

#[test]
fn what_cannot_be_muted_is_refused() {
    let mut session = moving();
    let of = |name: &str, components| {
        Command::Keys(KeyCommand::Mute { channels: vec![channel("Body", name)], components, muted: true })
    };
    for (command, says) in [
        (of("bone.0.pose", [true; 3]), "channel with keys"),
        (of(MID, [false; 3]), "the muted components must be one or more"),
    ] {
        let error = session.apply(&[command]).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
    let enabled = channel("Body", "handle.2.enabled");
    let key = Command::Keys(KeyCommand::Set { channels: vec![enabled], frame: 0.0, new_mode: Mode::Clamped });
    session.apply(&[key]).unwrap();
    assert!(session.apply(&[of("handle.2.enabled", [true, false, false])]).is_err());
    session.apply(&[of("handle.2.enabled", [true; 3])]).unwrap();
}

#[test]
fn fields_tell_which_keys_are_muted() {
    let mut session = moving();
    session.set_frame(10.0);
    let of = [channel("Body", MID)];
    session.apply(&[mute([false, true, false], true)]).unwrap();
    assert_eq!(state(&session, &of), KeyState::Keyed);
    assert_eq!(muted_components(&session, &of), [false, true, false]);
    session.apply(&[mute([true; 3], true)]).unwrap();
    assert_eq!(state(&session, &of), KeyState::Muted);
    let two = [channel("Body", MID), channel("Body", "bone.0.pose")];
    assert_eq!(state(&session, &two), KeyState::Muted);
    assert_eq!(muted_components(&session, &two), [true; 3]);
}

#[test]
fn the_action_mutes_what_is_selected_and_unmutes_it() {
    let mut session = moving();
    let mut settings = ViewSettings { tab: Tab::Animate, ..ViewSettings::default() };
    let mut act = |session: &mut Session| {
        let request = Request::Act(Action::MUTE_CHANNELS);
        request.carry_out(session, &mut settings, &Evaluated::default())
    };
    session.select(Selection::from_mesh(session.scene(), "Body").with_part(Some(Part::Bone(0))));
    act(&mut session).unwrap();
    assert_eq!(session.undo_label(), None, "it has no keys");
    session.select(Selection::from_mesh(session.scene(), "Body").with_part(Some(Part::Bone(1))));
    // The action mutes the rest of a partly muted channel.
    session.apply(&[mute([false, true, false], true)]).unwrap();
    for whole in [true, false] {
        assert_eq!(act(&mut session), Ok(true));
        let muted = session.scene().animation.mute("Body", MID);
        assert_eq!(muted, if whole { Mute::WHOLE } else { Mute::NONE });
    }
}

#[test]
fn baked_bones_are_unmuted() {
    let mut scene = editing::keys::moving();
    mute([true; 3], true).apply(&mut scene).unwrap();
    let how = Bake { mesh: "Body".into(), frames: [5, 9], ik: ik::Options::default(), disable_handles: true };
    for command in bake(&scene, &Default::default(), &how, |_, _| true).unwrap() {
        command.apply(&mut scene).unwrap();
    }
    assert!(scene.animation.muted.is_empty());
}

fn file(member: Option<Json>) -> Vec<u8> {
    let session = moving();
    let written = js3d::write(session.scene()).unwrap();
    let mut document: Json = serde_json::from_slice(&written).unwrap();
    if let Some(member) = member {
        document["animator"]["splines"]["Body"][MID]["muted"] = member;
    }
    document.to_string().into_bytes()
}

#[test]
fn files_keep_what_is_muted() {
    for components in [[true; 3], [false, true, false]] {
        let mut session = moving();
        session.apply(&[mute(components, true)]).unwrap();
        let written = js3d::write(session.scene()).unwrap();
        let (again, _) = js3d::read(&written).unwrap();
        assert_eq!(again.animation.mute("Body", MID), Mute(components));
        assert_eq!(js3d::write(&again).unwrap(), written);
        session.undo();
        let plain = String::from_utf8(js3d::write(session.scene()).unwrap()).unwrap();
        assert!(!plain.contains("\"muted\"") && plain.len() < written.len());
    }
    for (member, expected) in [
        (json!(true), Mute::WHOLE),
        (json!(false), Mute::NONE),
        (json!([false, false, true]), Mute([false, false, true])),
        (json!([true, true, true]), Mute::WHOLE),
    ] {
        let (scene, report) = js3d::read(&file(Some(member))).unwrap();
        assert_eq!(scene.animation.mute("Body", MID), expected);
        assert!(report.findings.iter().all(|f| f.code != "bad-mute"));
    }
}

#[test]
fn what_makes_no_sense_is_told_and_mutes_nothing() {
    for member in [
        json!(1),
        json!("y"),
        json!(null),
        json!([]),
        json!([true, true]),
        json!([0, 1, 0]),
        json!({"y": true}),
    ] {
        let (scene, report) = js3d::read(&file(Some(member.clone()))).unwrap();
        assert!(scene.animation.muted.is_empty(), "{member}");
        let found = report.findings.iter().find(|f| f.code == "bad-mute");
        let found = found.unwrap_or_else(|| panic!("{member}"));
        assert_eq!(found.at, format!("/animator/splines/Body/{MID}/muted"));
    }
}

/// The tubes that ship with the program: at frame 24 not bent, but twisted by 180 degrees.
#[test]
fn the_command_line_mutes_for_one_run() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/media/js3d/cylinder.js3d");
    let volume = |options: &[&str]| {
        let arguments = [&["measure", path, "--frames", "24", "--method", "linear"], options].concat();
        json(&arguments)[0]["volume"].as_f64().unwrap()
    };
    assert!((volume(&[]) - 1.0).abs() < 1e-4);
    for twisted in ["Middle joint.y", "Middle joint.pose.y", "Middle joint", "Tube"] {
        assert!(volume(&["--unmute", twisted]) < 0.7, "{twisted}");
    }
    let off = ["--unmute", "Tube", "--mute", "Tube.bone.1.pose.y"];
    assert!(volume(&off) < 0.7, "--unmute comes last");
    assert_eq!(json(&["info", path])["muted"], json!(["Middle joint.pose.y"]));
    assert!(good(&["info", path]).contains("\nmuted: Middle joint.pose.y\n"));
    let pose = json(&["pose", path, "--frame", "0", "--mute", "Middle joint"]);
    assert_eq!(pose["bones"][1]["pose_deg"], json!([0.0, 0.0, 0.0]));
    let folder = Folder::new();
    let out = folder.out("out.obj");
    good(&["skin", path, "--frame", "0", "--mute", "Tube", "-o", &out]);
    for unknown in ["Nobody", "First joint", "Middle joint.w", "y", ""] {
        let (error, _) = bad(&["measure", path, "--mute", unknown]);
        assert!(error.contains("no keys of"), "{error}");
    }
}
