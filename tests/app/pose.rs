//! Poses copied and pasted by keys, IK baked in the background, motion paths in the picture.

use crate::support::*;
use bevy_egui::egui::{Key, Modifiers, PointerButton};
use glam::Vec3;
use ossature::anim::channel::Value;
use ossature::anim::channel_set::ChannelSet;
use ossature::edit::command::Command;
use ossature::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use ossature::edit::select::selection::Part;
use ossature::edit::time::bake::{Bake, bake};
use ossature::edit::time::keying::part_channels;
use ossature::rig::ik;

const RIGHT_FOREARM: usize = RIGHT_UPPER_ARM + 1;

fn turn(bone: usize, pose_deg: Vec3) -> Command {
    let mesh = MESH.to_owned();
    Command::set_bone(mesh, bone, "pose", pose_deg)
}

#[test]
fn a_pose_is_pasted_mirrored_by_keys() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    person.click("Animate");
    let pose = Vec3::new(30.0, -20.0, 10.0);
    person.editor().session.apply(&[turn(LEFT_UPPER_ARM, pose)]).unwrap();
    let selection = person.selection().with_part(Some(Part::Bone(LEFT_UPPER_ARM)));
    person.editor().session.select(selection);
    let middle = person.viewport().center();
    person.app.point_at(middle.x, middle.y);
    person.app.frames(2);
    let tip = |person: &mut Person, bone: usize| {
        let posed = person.posed();
        posed.current[bone].transform_point3(posed.skeleton.bones[bone].extent.as_dvec3())
    };
    let left = tip(&mut person, LEFT_FOREARM);
    person.app.key(Key::C, CTRL);
    assert!(person.messages().last().unwrap().contains("Pose of 1 bone copied"));
    person.app.key(Key::V, CTRL_SHIFT);
    person.app.frames(3);
    let right = tip(&mut person, RIGHT_FOREARM);
    let mirrored = left * glam::DVec3::new(-1.0, 1.0, 1.0);
    assert!(right.distance(mirrored) < 0.02, "{right} is not {mirrored}");
    let steps = person.steps().len();
    person.app.key(Key::Z, CTRL);
    assert_eq!(person.steps().len(), steps - 1);
    assert_eq!(person.skeleton().bones[RIGHT_UPPER_ARM].pose_deg, Vec3::ZERO, "one step undoes it");
    // Without the mirror: onto itself, after another rotation.
    person.editor().session.apply(&[turn(LEFT_UPPER_ARM, Vec3::ZERO)]).unwrap();
    person.app.key(Key::V, CTRL);
    assert_eq!(person.skeleton().bones[LEFT_UPPER_ARM].pose_deg, pose);
}

/// Makes the left hand's handle pull from frame to frame.
fn pulling(person: &mut Person) {
    person.click("Animate");
    let mesh = || MESH.to_owned();
    let bone = LEFT_FOREARM;
    person.editor().session.apply(&[Command::AddHandle { mesh: mesh(), bone }]).unwrap();
    let skeleton = person.skeleton();
    let target = skeleton.handles[0].target;
    let channel = part_channels(MESH, &skeleton, Part::Handle(0)).remove(0);
    let knots = [(0.0, Vec3::ZERO), (12.0, Vec3::new(0.3, 0.6, 0.8)), (40.0, Vec3::ZERO)];
    let knots = knots.map(|(frame, by)| (frame, Value::Vec3(target + by)));
    let put = KeyCommand::Put {
        purpose: Purpose::Paste,
        knots: vec![KeyframeValues { modes: Vec::new(), channel, knots: knots.to_vec() }],
    };
    let (handle, enabled) = (0, true);
    let enable = Command::set_handle(mesh(), handle, "enabled", enabled);
    person.editor().session.apply(&[enable, Command::Keys(put)]).unwrap();
    person.app.frames(4);
}

#[test]
fn baking_in_the_background_is_what_the_headless_command_does() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    pulling(&mut person);
    let start = |person: &mut Person| {
        person.click("Pose");
        person.click("Pose > Bake IK…");
        person.app.frames(3);
        person.click("Bake");
    };
    let baking = |person: &mut Person| person.sees_text("Baking IK, ");
    let end = |person: &mut Person| {
        while baking(person) {
            std::thread::sleep(std::time::Duration::from_millis(5));
            person.app.frames(2);
        }
        person.app.frames(4);
    };
    let gate = person.editor().jobs.gate.clone();
    let (before, steps) = (person.scene(), person.steps().len());

    // Cancelled.
    let held = gate.lock().unwrap();
    start(&mut person);
    assert!(baking(&mut person));
    person.click("Cancel baking");
    drop(held);
    assert!(!baking(&mut person));
    assert!(person.messages().last().unwrap().contains("cancelled"));
    assert!(person.scene() == before);

    // Keys change meanwhile: the result is dropped.
    let held = gate.lock().unwrap();
    start(&mut person);
    let (mesh, base_offset) = (MESH.to_owned(), Vec3::Y);
    person.editor().session.apply(&[Command::set_skeleton(mesh, "base_offset", base_offset)]).unwrap();
    drop(held);
    end(&mut person);
    assert!(person.messages().last().unwrap().contains("dropped"));
    person.app.key(Key::Z, CTRL);
    assert!(person.scene() == before);

    // Run to completion: one step, and the same keys as from the command line.
    start(&mut person);
    end(&mut person);
    assert_eq!(person.steps()[steps..], [format!("Bake {MESH} into keys")]);
    let what = Bake {
        mesh: MESH.into(),
        frames: before.animation.clip.play_range(),
        ik: ik::Options::default(),
        disable_handles: true,
    };
    let mut expected = before.clone();
    for command in bake(&before, &ChannelSet::default(), &what, |_, _| true).unwrap() {
        command.apply(&mut expected).unwrap();
    }
    let after = person.scene();
    assert!(after.animation == expected.animation);
    assert!(!after.skinned_meshes[MESH].skeleton.handles[0].enabled);

    // Nothing pulls any longer.
    start(&mut person);
    end(&mut person);
    let said = person.messages().last().unwrap().clone();
    assert!(said.contains("no handle is enabled"), "{said}");
    person.app.key(Key::Z, CTRL);
    assert!(person.bytes() == ossature::io::js3d::write(&before).unwrap());
}

#[test]
fn motion_paths_are_seen_follow_a_drag_and_rest() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    pulling(&mut person);
    let selection = person.selection().with_part(Some(Part::Bone(LEFT_FOREARM)));
    person.editor().session.select(selection);
    let viewport = person.viewport().shrink(2.0);
    let without = person.picture();
    person.app.key(Key::P, Modifiers::SHIFT);
    assert!(person.editor().settings.display.motion_paths);
    while person.paths().is_in_progress() || person.paths().calculated == 0 {
        person.app.frames(2);
    }
    let with = person.picture();
    assert!(with.changed(&without, viewport).len() > 60, "the path is visible");
    // At rest nothing is calculated.
    let worked = person.paths().calculated;
    assert_eq!(worked, 96);
    person.app.draw_all(true);
    person.app.frames(10);
    assert_eq!(person.paths().calculated, worked);
    // A preview is followed.
    let (mesh, base_offset) = (MESH.to_owned(), Vec3::new(0.0, 0.5, 0.0));
    person.editor().session.preview(&[Command::set_skeleton(mesh, "base_offset", base_offset)]).unwrap();
    person.app.frames(1);
    assert!(person.paths().calculated > worked);
    person.editor().session.cancel();
    // Off again: as before.
    person.app.key(Key::P, Modifiers::SHIFT);
    person.app.draw_all(false);
    let off = person.picture();
    assert!(off.changed(&without, viewport).len() < 30);
}

/// A hand that is dragged out of reach, behind the back and back again ends where a direct drag would end:
/// the path leaves no trace in the document or in the pose.
#[test]
fn a_drag_there_and_back_leaves_nothing_behind() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    person.click("Animate");
    person.add_ik(LEFT_FOREARM);
    assert!(person.skeleton().handles[0].enabled);
    let from = person.ball_of_handle(0);
    let to = (from.0 - 40.0, from.1 - 60.0);
    let far = [(300.0, -250.0), (-500.0, -100.0), (-200.0, 250.0)];
    let mut drag = |through: &[(f32, f32)]| {
        person.app.drag_hold(from, from, 1);
        for (x, y) in through {
            person.move_in_one_frame((from.0 + x, from.1 + y));
        }
        person.move_in_one_frame(to);
        person.release();
        let poses: Vec<Vec3> = person.posed().skeleton.bones.iter().map(|b| b.pose_deg).collect();
        let bytes = person.bytes();
        person.app.key(Key::Z, CTRL);
        (bytes, poses)
    };
    let (bytes, poses) = drag(&[]);
    let back = drag(&far);
    assert!(bytes == back.0, "the same document");
    assert_eq!(poses, back.1, "the same pose");
    // Only the arm was rotated.
    let turned = |bone: usize| poses[bone] != Vec3::ZERO;
    let arm = [LEFT_UPPER_ARM, LEFT_FOREARM];
    assert!((0..poses.len()).all(|bone| turned(bone) == arm.contains(&bone)), "{poses:?}");
}

/// The first keys of a scene leave the view, and so what is under the pointer, where it is.
#[test]
fn what_is_dragged_stays_under_the_pointer_when_it_gets_its_first_keys() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    person.click("Animate");
    person.editor().session.set_auto_key(true);
    person.app.frames(3);
    let wrist = |person: &mut Person| {
        let posed = person.posed();
        let extent = posed.skeleton.bones[RIGHT_FOREARM].extent.as_dvec3();
        person.shows(posed.current[RIGHT_FOREARM].transform_point3(extent).as_vec3())
    };
    let (x, y) = wrist(&mut person);
    let (goal_x, goal_y) = (x - 4.0, y - 60.0);
    let free = person.viewport().height();
    person.app.point_at(x, y);
    person.app.button(PointerButton::Primary, true);
    for part in [0.3, 0.6, 1.0] {
        person.app.point_at(x + part * (goal_x - x), y + part * (goal_y - y));
        person.app.frames(3);
    }
    assert_eq!(person.viewport().height(), free);
    let (now_x, now_y) = wrist(&mut person);
    let off = (now_x - goal_x).hypot(now_y - goal_y);
    assert!(off < 3.0, "{off} px from the pointer");
    let turned = person.skeleton().bones[RIGHT_FOREARM].pose_deg;
    person.release();
    assert_eq!(person.skeleton().bones[RIGHT_FOREARM].pose_deg, turned, "the release changes nothing");
    assert!(!person.editor().session.scene().animation.channels.is_empty(), "keys are in the sheet");
    assert_eq!(person.viewport().height(), free);
}
