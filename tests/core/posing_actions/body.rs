//! Whole-body IK and look-at: the result of one action on a bone, compared with options of `ossature ik`.

use super::{Desk, farthest};
use crate::running::{json, numbers};
use glam::{DVec3, Vec3};
use ossature::anim::channel::ChannelRef;
use ossature::edit::action::Action;
use ossature::edit::command::Command;
use ossature::edit::journal::replay;
use ossature::edit::select::selection::Part;
use ossature::edit::session::Session;
use ossature::edit::session::step::Step;
use ossature::edit::settings::view::Tab;
use ossature::scene::property::PropertyValue;

const HUMAN: &str = "media/js3d/A4-human.js3d";
const QUADRUPED: &str = "media/js3d/quadruped.js3d";

fn pinned(desk: &Desk) -> Vec<String> {
    let skeleton = desk.stored();
    let pinned = skeleton.handles.iter().filter(|handle| handle.pinned);
    pinned.map(|handle| skeleton.bone_name(handle.bone as usize)).collect()
}

fn pull(desk: &mut Desk, handle: usize, target: Vec3) {
    let mesh = desk.mesh.clone();
    desk.apply(vec![Command::set_handle(mesh, handle, "target", target)]);
}

/// The result of the command line for the same: the angles of all bones, and the base offset.
fn commanded(bone: &str, target: Vec3) -> (Vec<Vec3>, Vec3) {
    let target = format!("{bone}={},{},{}", target.x, target.y, target.z);
    let pins = ["--pin", "foot.L", "--pin", "foot.R"];
    let whole = ["--chain", "root", "--free-root", "--target", &target];
    let upright: &[&str] = match bone {
        "pelvis" => &["--orient", "pelvis=0,0,0"],
        _ => &[],
    };
    let solved = json(&[&["ik", HUMAN], &pins[..], &whole, upright].concat());
    let vector = |value: &serde_json::Value| {
        let [x, y, z]: [f64; 3] = numbers(value).try_into().unwrap();
        DVec3::new(x, y, z).as_vec3()
    };
    let bones = solved["bones"].as_array().unwrap();
    let poses = bones.iter().map(|bone| vector(&bone["pose_deg"]));
    (poses.collect(), vector(&solved["base_offset"]))
}

#[test]
fn one_step_makes_what_the_command_line_makes_of_five_options() {
    for (bone, target) in [
        ("head", Vec3::new(0.0, 3.9, 0.3)),
        ("hand.R", Vec3::new(-0.45, 0.5, 1.1)),
        ("pelvis", Vec3::new(0.0, 1.95, -0.45)),
    ] {
        let mut desk = Desk::new(Tab::Animate);
        let (before, bytes) = (desk.tips(), desk.bytes());
        desk.select_bone(bone);
        assert_eq!(
            desk.note(Action::ADD_BODY_IK),
            format!("Handle on {bone}; both feet pinned; the root is free")
        );
        desk.act(Action::ADD_BODY_IK);
        assert!(farthest(&before, &desk.tips()) < 2e-3, "nothing moves");
        assert_eq!(pinned(&desk), ["foot.L", "foot.R"]);
        assert!(desk.stored().root_free && desk.stored().handles.iter().all(|h| h.chain.is_none()));
        // The handle alone is dragged from now on.
        assert_eq!(desk.session.selection().part, Some(Part::Handle(0)));
        assert!(desk.session.selection().others.is_empty());
        pull(&mut desk, 0, target);
        let (poses, base_offset) = commanded(bone, target);
        for (now, wanted) in desk.seen_poses().iter().zip(&poses) {
            assert!(now.abs_diff_eq(*wanted, 0.05), "{bone}: {now} {wanted}");
        }
        let seen = desk.evaluated.skinned[&desk.mesh].skeleton.base_offset;
        assert!(seen.abs_diff_eq(base_offset, 1e-3), "{bone}: {seen} {base_offset}");
        assert!(seen.length() > 0.1, "{bone}: the body moves along: {seen}");
        desk.session.undo();
        desk.session.undo();
        assert_eq!(desk.bytes(), bytes);
    }
}

/// A body pulled down by the hips crouches, as far as knees and ankles bend, and does not bow.
#[test]
fn hips_that_are_pulled_down_stay_upright() {
    let mut desk = Desk::new(Tab::Animate);
    desk.select_bone("pelvis");
    desk.act(Action::ADD_BODY_IK);
    for (height, knees) in [(2.8, 35.0), (2.5, 60.0), (2.2, 70.0), (1.95, 80.0)] {
        pull(&mut desk, 0, Vec3::new(0.0, height, -0.03));
        let pose = |name: &str| desk.seen_poses()[desk.bone(name)].x;
        assert!(pose("pelvis").abs() < 6.0, "{height}: {}", pose("pelvis"));
        assert!(pose("shin.L") > knees, "{height}: {}", pose("shin.L"));
    }
}

#[test]
fn a_script_does_the_same() {
    let mut desk = Desk::new(Tab::Animate);
    desk.select_bone("head");
    let scene = desk.session.scene().clone();
    let step = Step::Do(desk.prepare(Action::ADD_BODY_IK).edits().to_vec());
    let script = replay::line(&step, &scene).unwrap();
    desk.act(Action::ADD_BODY_IK);
    let done = replay::run(&script, Session::new(scene, None)).unwrap();
    assert!(done.scene() == desk.session.scene());
}

#[test]
fn four_hooves_are_pinned() {
    let mut desk = Desk::of(QUADRUPED, Tab::Animate);
    desk.clear_keys();
    desk.select_bone("head");
    let note = desk.note(Action::ADD_BODY_IK);
    assert_eq!(note, "Handle on head; 4 feet pinned; the root is free");
    desk.act(Action::ADD_BODY_IK);
    assert_eq!(pinned(&desk), ["hoof.L", "toe.L", "hoof.R", "toe.R"]);
    let before = desk.tips();
    let target = desk.handle(0).target + Vec3::new(0.0, -1.0, 0.5);
    pull(&mut desk, 0, target);
    let now = desk.tips();
    for hoof in ["hoof.L", "toe.L", "hoof.R", "toe.R"].map(|name| desk.bone(name)) {
        assert!(now[hoof].distance(before[hoof]) < 0.02, "{hoof}");
    }
    assert!(now[desk.bone("head")].distance(target.as_dvec3()) < 0.02);
}

#[test]
fn a_foot_that_is_pulled_is_not_pinned() {
    for chosen in ["foot.L", "shin.L", "toes.L"] {
        let mut desk = Desk::new(Tab::Animate);
        desk.select_bone(chosen);
        let note = desk.note(Action::ADD_BODY_IK);
        assert_eq!(note, format!("Handle on {chosen}; foot.R pinned; the root is free"));
        desk.act(Action::ADD_BODY_IK);
        assert_eq!(pinned(&desk), ["foot.R"]);
        assert_eq!(desk.stored().handles.len(), 2);
    }
    // A selected pin becomes a handle that pulls.
    let mut desk = Desk::new(Tab::Animate);
    desk.select_bone("head");
    desk.act(Action::ADD_BODY_IK);
    desk.select_bone("foot.L");
    desk.act(Action::ADD_BODY_IK);
    assert_eq!(pinned(&desk), ["foot.R"]);
    assert_eq!(desk.session.selection().part, Some(Part::Handle(1)));
    assert!(desk.handle(1).enabled && desk.handle(1).orientation.is_some());
}

#[test]
fn handles_that_are_there_are_taken() {
    let mut desk = Desk::new(Tab::Animate);
    desk.select_bone("foot.L");
    desk.act(Action::ADD_LIMB_IK);
    let (mesh, at) = (desk.mesh.clone(), desk.bone("foot.R"));
    desk.apply(vec![Command::AddHandle { mesh, bone: at }]);
    assert!(!desk.handle(1).enabled);
    let held = desk.handle(0).clone();
    desk.select_bone("head");
    desk.act(Action::ADD_IK);
    let bone = desk.bone("head");
    desk.select(Part::Bone(bone));
    let note = desk.note(Action::ADD_BODY_IK);
    assert_eq!(note, "Handle on head; foot.R pinned; the root is free");
    desk.act(Action::ADD_BODY_IK);
    assert_eq!(desk.stored().handles.len(), 3);
    assert_eq!(*desk.handle(0), held, "it pulls already");
    assert!(desk.handle(1).pinned && desk.handle(1).enabled && desk.handle(1).orientation.is_some());
    assert_eq!(desk.handle(2).chain, None);
    assert_eq!(desk.session.selection().part, Some(Part::Handle(2)));
    // Nothing is left to do.
    let why = Action::ADD_BODY_IK.enabled(&desk.view()).unwrap_err();
    assert_eq!(why, "The whole body already follows it.");
    // Its bone looks somewhere: that is another handle.
    desk.carry_out(ossature::edit::request::Request::Act(Action::LOOK_AT));
    desk.select_bone("head");
    desk.act(Action::ADD_BODY_IK);
    assert_eq!(desk.stored().handles.len(), 4);
    assert!(desk.handle(2).look_at.is_some() && desk.handle(3).look_at.is_none());
}

#[test]
fn with_symmetry_the_other_side_is_pulled_too() {
    let mut desk = Desk::new(Tab::Animate);
    desk.session.set_symmetric(true);
    desk.select_bone("hand.L");
    desk.act(Action::ADD_BODY_IK);
    assert_eq!(desk.stored().handles.len(), 4);
    assert_eq!(pinned(&desk), ["foot.L", "foot.R"]);
    let other = desk.handle(3).clone();
    assert_eq!(other.bone as usize, desk.bone("hand.R"));
    assert!(other.chain.is_none() && other.enabled && !other.pinned);
    // With both feet pulled, there is nothing to stand on.
    let mut desk = Desk::new(Tab::Animate);
    desk.session.set_symmetric(true);
    desk.select_bone("foot.L");
    let note = desk.note(Action::ADD_BODY_IK);
    assert_eq!(note, "Handle on foot.L; no feet to pin; the root stays where it is");
    desk.act(Action::ADD_BODY_IK);
    assert_eq!(pinned(&desk), [""; 0]);
    assert!(desk.stored().handles.len() == 2 && !desk.stored().root_free);
}

#[test]
fn what_has_no_feet_follows_from_a_root_that_stays() {
    let mut desk = Desk::of("media/js3d/bar.js3d", Tab::Animate);
    desk.clear_keys();
    let last = desk.stored().bones.len() - 1;
    desk.select(Part::Bone(last));
    let note = desk.note(Action::ADD_BODY_IK);
    assert!(note.ends_with("; no feet to pin; the root stays where it is"), "{note}");
    desk.act(Action::ADD_BODY_IK);
    assert_eq!(desk.stored().handles.len(), 1);
    assert!(desk.handle(0).chain.is_none() && desk.handle(0).enabled && !desk.stored().root_free);
}

#[test]
fn it_takes_a_bone_in_the_animate_tab() {
    let desk = Desk::new(Tab::Animate);
    let why = Action::ADD_BODY_IK.enabled(&desk.view()).unwrap_err();
    assert!(why.starts_with("Select a bone first"), "{why}");
    let mut desk = Desk::new(Tab::Rig);
    desk.select_bone("head");
    let why = Action::ADD_BODY_IK.enabled(&desk.view()).unwrap_err();
    assert!(why.contains("Animate tab"), "{why}");
}

#[test]
fn with_auto_key_what_is_pinned_is_keyed() {
    let mut desk = Desk::new(Tab::Animate);
    desk.session.set_auto_key(true);
    desk.session.set_frame(10.0);
    desk.evaluate();
    desk.select_bone("head");
    desk.act(Action::ADD_BODY_IK);
    // The pulling handle is keyed once it is moved, like any other.
    for handle in 1..3 {
        let id = desk.handle(handle).channel_id;
        let channel = ChannelRef::new(&desk.mesh, format!("handle.{id}.target"));
        let keys = desk.session.scene().animation.get(&channel);
        assert!(keys.is_some_and(|keys| keys.key(10.0).is_some()), "{handle}");
    }
}

#[test]
fn look_at_turns_a_head_and_again_lets_it_pull() {
    let mut desk = Desk::new(Tab::Animate);
    assert!(Action::LOOK_AT.enabled(&desk.view()).is_err());
    desk.turn("head", Vec3::new(0.0, 20.0, 0.0));
    let before = desk.tips();
    desk.select_bone("head");
    assert_eq!(Action::LOOK_AT.checked(&desk.view()), Some(false));
    desk.act(Action::LOOK_AT);
    assert!(farthest(&before, &desk.tips()) < 2e-3, "it looks where it did");
    assert_eq!(desk.session.selection().part, Some(Part::Handle(0)));
    assert_eq!(Action::LOOK_AT.checked(&desk.view()), Some(true));
    let look = desk.handle(0).look_at.unwrap();
    assert_eq!(look.axis, Vec3::Z, "with its face");
    desk.act(Action::LOOK_AT);
    assert_eq!(desk.handle(0).look_at, None);
    // The checkbox in the panel does the same.
    let seen = ossature::edit::pose::limbs::VisiblePose::from_view(&desk.view(), &desk.mesh).unwrap();
    let commands = desk.prepare(Action::LOOK_AT).edits().to_vec();
    assert_eq!(commands, seen.look_at(0));
    let looks = |command: &Command| {
        matches!(command.part_property(), Some((_, _, "look_at", PropertyValue::LookAt(Some(_)))))
    };
    assert!(commands.iter().any(looks));
}
