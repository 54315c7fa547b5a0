//! Fields of several bones or handles at once.

use super::support::*;
use super::{MESH, mesh};
use egui::{Key, vec2};
use glam::Vec3;
use ossature::edit::command::Command;
use ossature::edit::request::Request;
use ossature::edit::select::selection::Part;
use ossature::edit::settings::view::Tab;
use ossature::rig::property::{BONE, HANDLE, Info};
use std::sync::Arc;

const ALL: [Part; 3] = [Part::Bone(1), Part::Bone(0), Part::Bone(2)];

fn desk(tab: Tab) -> Desk {
    let mut desk = Desk::with_part(tab, None);
    desk.select(&ALL);
    desk
}

fn bones(desk: &mut Desk) -> Vec<ossature::rig::skeleton::Bone> {
    desk.session().scene().skinned_meshes[MESH].skeleton.bones.clone()
}

#[test]
fn what_differs_is_said_to() {
    let mut desk = desk(Tab::Rig);
    assert!(desk.has("3 bones") && !desk.has("Name"));
    // Radii are 0.5, 0.4, 0.5; no bone is rolled.
    assert_eq!(desk.value("Radius").as_deref(), Some("Mixed"));
    assert_eq!(desk.value("Roll").as_deref(), Some("0°"));
    desk.select(&[Part::Bone(0), Part::Bone(2)]);
    assert_eq!(desk.value("Radius").as_deref(), Some("0.5"));
    assert_eq!(desk.value("Extent x").as_deref(), Some("Mixed"));
    assert_eq!(desk.value("Extent z").as_deref(), Some("0"));
}

#[test]
fn a_typed_number_sets_all_in_one_step() {
    for (tab, label) in
        [(Tab::Rig, "Radius"), (Tab::Rig, "Roll"), (Tab::Rig, "Extent y"), (Tab::Animate, "Pose x")]
    {
        let mut desk = desk(tab);
        let before = bones(&mut desk);
        desk.click(label);
        desk.type_text("0.75");
        let requests = desk.key(Key::Enter);
        assert!(
            matches!(&requests[..], [Request::Apply(commands)] if commands.len() == 3),
            "{label}: {requests:?}"
        );
        assert_eq!(desk.session().history().entries().len(), 1);
        for (old, new) in before.iter().zip(bones(&mut desk)) {
            let mut expected = old.clone();
            match label {
                "Radius" => expected.radius = 0.75,
                "Roll" => expected.roll_deg = 0.75,
                "Extent y" => expected.extent.y = 0.75,
                _ => expected.pose_deg.x = 0.75,
            }
            assert_eq!(new, expected, "{label}");
        }
    }
}

#[test]
fn a_mixed_number_set_to_that_of_the_active_bone_sets_the_others() {
    let mut desk = desk(Tab::Rig);
    desk.click("Radius");
    assert_eq!(desk.key(Key::Enter), [], "nothing was typed");
    desk.click("Radius");
    desk.type_text("0.4");
    assert_eq!(desk.key(Key::Enter).len(), 1);
    assert!(bones(&mut desk).iter().all(|bone| bone.radius == 0.4));
    assert_eq!(desk.value("Radius").as_deref(), Some("0.4"));
}

#[test]
fn a_drag_moves_all_by_as_much_in_one_step() {
    for label in ["Radius", "Radius slider", "Pose x", "Pose x slider", "Extent y"] {
        let tab = if label.starts_with("Pose") { Tab::Animate } else { Tab::Rig };
        let mut desk = desk(tab);
        let before = bones(&mut desk);
        let requests = desk.drag(label, vec2(24.0, 0.0));
        assert_eq!(requests.last(), Some(&Request::Commit), "{label}");
        assert_eq!(desk.session().history().entries().len(), 1, "{label}");
        let after = bones(&mut desk);
        let value = |bone: &ossature::rig::skeleton::Bone| match &label[..4] {
            "Radi" => bone.radius,
            "Pose" => bone.pose_deg.x,
            _ => bone.extent.y,
        };
        let by = value(&after[1]) - value(&before[1]);
        assert!(by.abs() > 0.01, "{label} {by}");
        for (old, new) in before.iter().zip(&after) {
            assert!((value(new) - value(old) - by).abs() < 1e-4, "{label}");
        }
    }
}

#[test]
fn a_drag_of_several_is_given_up_whole() {
    let mut desk = desk(Tab::Rig);
    let before = desk.session().scene().clone();
    let requests = desk.drag_and_give_up("Radius", vec2(24.0, 0.0), GiveUp::Escape);
    assert_eq!(requests.last(), Some(&Request::Cancel));
    assert!(*desk.session().scene() == before);
}

#[test]
fn reset_copy_and_paste_reach_all() {
    let mut desk = desk(Tab::Rig);
    desk.right_click("Radius");
    desk.click("Reset to 0.5");
    assert!(bones(&mut desk).iter().all(|bone| bone.radius == 0.5));
    desk.click("Animate");
    desk.right_click("Pose y");
    desk.click("Copy");
    desk.right_click("Pose x");
    desk.click("Paste");
    assert!(bones(&mut desk).iter().all(|bone| bone.pose_deg.x == arm().pose_deg.y));
}

#[test]
fn handles_are_enabled_together() {
    let mut desk = Desk::with_part(Tab::Animate, None);
    desk.edit_scene(|scene| many_bones(scene, 3));
    desk.select(&[Part::Handle(0), Part::Handle(2)]);
    assert!(desk.has("2 IK handles"));
    let set = |handle, enabled| Command::set_handle(mesh(), handle, "enabled", enabled);
    assert_eq!(desk.click("Enable"), [Request::Apply(vec![set(0, false), set(2, false)])]);
    // Only one of them.
    let one = set(2, true);
    desk.session().apply(&[one]).unwrap();
    desk.frame();
    assert_eq!(desk.click("Enable"), [Request::Apply(vec![set(0, true)])]);
    desk.click("Target y");
    desk.type_text("2");
    assert_eq!(desk.key(Key::Enter).len(), 1);
    let skeleton = desk.session().scene().skinned_meshes[MESH].skeleton.clone();
    let targets: Vec<Vec3> = skeleton.handles.iter().map(|h| h.target).collect();
    assert_eq!(targets, [Vec3::Y * 2.0, Vec3::ZERO, Vec3::Y * 2.0]);
}

#[test]
fn buttons_reach_all_that_is_selected() {
    let mut desk = desk(Tab::Rig);
    desk.select(&[Part::Bone(1), Part::Bone(2)]);
    desk.click("Add IK");
    let skeleton = |desk: &mut Desk| desk.session().scene().skinned_meshes[MESH].skeleton.clone();
    assert_eq!(skeleton(&mut desk).handles.len(), 3);
    desk.select(&[Part::Bone(1), Part::Bone(2)]);
    desk.click("Delete");
    assert_eq!(skeleton(&mut desk).bones.len(), 1);
    assert_eq!(desk.session().history().entries().len(), 2);
}

#[test]
fn sums_are_typed_and_nonsense_is_said_while_it_is_typed() {
    let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(1)));
    desk.click("Radius");
    desk.type_text("10/4");
    desk.key(Key::Enter);
    assert_eq!(bones(&mut desk)[1].radius, 2.5);
    desk.click("Radius");
    desk.type_text("2..5");
    desk.frame();
    assert!(desk.has("Not a number; 2.5 is kept"));
    assert_eq!(desk.key(Key::Enter), []);
    assert!(!desk.has_containing("Not a number"));
    assert_eq!(desk.value("Radius").as_deref(), Some("2.5"));
}

#[test]
fn the_solver_of_ik_is_chosen_in_the_animate_tab() {
    use ossature::rig::ik::Step;
    let mut desk = Desk::with_part(Tab::Animate, None);
    desk.click("Advanced IK section");
    desk.frame();
    assert_eq!(desk.value("Solver").as_deref(), Some("Damped"));
    assert!(!desk.has("Step"));
    desk.click("Solver");
    let fixed = Step::Fixed(Step::FIXED);
    assert_eq!(desk.click("Solver: Gradient descent (positions only)"), [Request::Solve(fixed)]);
    desk.click("Step");
    desk.type_text("0.07");
    assert_eq!(desk.key(Key::Enter), [Request::Solve(Step::Fixed(0.07))]);
    assert_eq!(desk.value("Step").as_deref(), Some("0.07"));
    desk.click("Solve IK");
    assert!(!desk.has("Solver"), "IK is not solved");
}

/// Checks the controls for rows of a table in each tab, for parts of which there is one or several. `elsewhere`: rows
/// that are chosen in other places.
fn controls_of(info: &[&Info], parts: &[Part], elsewhere: &[&str]) {
    for (tab, count) in [(Tab::Rig, 1), (Tab::Rig, 2), (Tab::Animate, 1), (Tab::Animate, 2)] {
        let mut desk = Desk::sized(vec2(1400.0, 1800.0), tab, None);
        desk.edit_scene(|scene| {
            many_bones(scene, 4);
            let mesh = Arc::make_mut(scene.skinned_meshes.get_mut(MESH).unwrap());
            Arc::make_mut(&mut mesh.skeleton).bones.iter_mut().for_each(|bone| bone.lock_transform = false);
        });
        desk.select(&parts[..count]);
        desk.settle();
        if desk.has("Joint section") {
            desk.click("Joint section");
            desk.settle();
        }
        for info in info.iter().filter(|info| !elsewhere.contains(&info.id)) {
            let is_bone = matches!(parts[0], Part::Bone(_));
            let is_joint = ["limits", "stiffness", "preferred"].contains(&info.id);
            let in_animate = info.channel.is_some() || info.id == "lock_transform";
            let expected = !is_bone || is_joint || in_animate == (tab == Tab::Animate);
            let label = match info.id {
                "limits" => "Limit".to_owned(),
                "preferred" => "Prefer a pose".to_owned(),
                _ => info.label.to_owned(),
            };
            let found = desk.has(&label) || desk.has(&format!("{label} x"));
            assert!(found || !expected, "{} of {count} in {tab:?}", info.id);
        }
    }
}

#[test]
fn every_property_of_bones_and_handles_has_a_control_for_one_and_for_many() {
    let bones: Vec<_> = BONE.iter().map(|row| &row.info).collect();
    controls_of(&bones, &[Part::Bone(1), Part::Bone(2)], &["mirror_of", "lock_weights"]);
    let handles: Vec<_> = HANDLE.iter().map(|row| &row.info).collect();
    controls_of(&handles, &[Part::Handle(3), Part::Handle(2)], &["space_instance"]);
}
