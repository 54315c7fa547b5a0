//! The main story of the program: rig a limb, calculate weights, pose, pull, undo everything.

use crate::support::*;
use bevy_egui::egui::{Key, Pos2, Rect, Vec2};
use glam::Vec3;
use ossature::edit::select::selection::Part;
use ossature::edit::settings::view::Tab;

#[test]
fn rig_weigh_pose_pull_and_take_it_all_back() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let at_first = person.bytes();
    let mut versions = vec![at_first];
    rig(&mut person, &mut versions);
    weigh(&mut person, &mut versions);
    animate(&mut person);
    turn(&mut person, &mut versions);
    pull(&mut person, &mut versions);
    let steps = [
        "Add IK to forearm.L",
        "Move IK forearm.L",
        "Enable IK forearm.L",
        "Change radius of forearm.L",
        "Calculate bone weights",
        "Rotate upper_arm.R",
        "Move IK forearm.L",
    ];
    assert_eq!(person.steps(), steps);
    take_back(&mut person, &steps, &versions);
}

fn rig(person: &mut Person, versions: &mut Vec<Vec<u8>>) {
    person.click("Animate");
    assert_eq!(person.editor().settings.tab, Tab::Animate);
    person.click("Rig");
    assert_eq!(person.editor().settings.tab, Tab::Rig);
    person.click_row(&format!("Skinned mesh {MESH}"));
    let selection = person.selection();
    assert_eq!((selection.mesh.as_deref(), selection.part), (Some(MESH), None));

    // A row of the tree, then another bone in the viewport.
    person.click_row("Bone upper_arm.L");
    assert_eq!(person.part(), Some(Part::Bone(LEFT_UPPER_ARM)));
    person.add_ik(LEFT_FOREARM);
    versions.push(person.bytes());

    let before = person.picture();
    let (tip, from) = (person.skeleton().handles[0].target, person.ball_of_handle(0));
    let to = (from.0 - 30.0, from.1 - 50.0);
    person.app.drag(from, to, 4);
    let dropped = person.ball_of_handle(0);
    assert!(
        Vec2::new(dropped.0 - to.0, dropped.1 - to.1).length() < 1.0,
        "dragged to {to:?}, is at {dropped:?}"
    );
    assert!(person.skeleton().handles[0].target.distance(tip) > 0.3);
    versions.push(person.bytes());
    let after = person.picture();
    let ball = Rect::from_center_size(Pos2::new(to.0, to.1), Vec2::splat(10.0));
    assert!(after.changed(&before, ball).len() > 30, "the ball shows where it was dropped");

    person.click("Enable");
    assert!(person.skeleton().handles[0].enabled);
    versions.push(person.bytes());
}

fn weigh(person: &mut Person, versions: &mut Vec<Vec<u8>>) {
    person.click_row("Bone forearm.L");
    let radius = person.skeleton().bones[LEFT_FOREARM].radius;
    person.drag_widget("Radius", 30.0);
    assert!(person.skeleton().bones[LEFT_FOREARM].radius > radius);
    versions.push(person.bytes());
    let reached = |person: &mut Person| {
        let weights = person.scene().skinned_meshes[MESH].weights.clone();
        weights.bones.iter().filter(|bone| usize::from(**bone) == LEFT_FOREARM).count()
    };
    let few = reached(person);
    person.click("Calculate bone weights");
    assert!(reached(person) > few, "a wider bone reaches more of the skin");
    versions.push(person.bytes());
}

/// Opens the Animate tab, where the enabled handle pulls at once.
fn animate(person: &mut Person) {
    person.click("Animate");
    assert_eq!(person.editor().settings.tab, Tab::Animate);
    assert!(person.tip_to_target(0) < 0.01, "{}", person.tip_to_target(0));
    person.key(Key::Escape);
    person.key(Key::Escape);
    assert!(person.selection().is_empty());
    // A point within the chest is covered by the skin in front of it.
    let chest = person.shows(Vec3::new(0.0, 4.1, 0.0));
    person.click_at(chest);
    let selection = person.selection();
    assert_eq!(selection.instance.map(|i| i.name).as_deref(), Some(INSTANCE));
    assert_eq!((selection.mesh.as_deref(), selection.part), (Some(MESH), None));
}

/// Rotates the right arm, which no handle pulls, with a slider.
fn turn(person: &mut Person, versions: &mut Vec<Vec<u8>>) {
    let at = person.middle_of_bone(RIGHT_UPPER_ARM);
    person.click_at(at);
    assert_eq!(person.part(), Some(Part::Bone(RIGHT_UPPER_ARM)));
    // Let the message about the weights disappear first; and the arm has a shadow on the floor.
    person.app.frames(50);
    person.editor().settings.display.show_floor = false;
    let (before, then) = (person.picture(), person.posed());
    person.drag_widget("Pose z slider", -24.0);
    assert!(person.skeleton().bones[RIGHT_UPPER_ARM].pose_deg.z.abs() > 10.0);
    versions.push(person.bytes());
    let (after, now) = (person.picture(), person.posed());

    let skinned = person.scene().skinned_meshes[MESH].clone();
    let turned = below(&skinned.skeleton, RIGHT_UPPER_ARM);
    let mut moved = Vec::new();
    for v in 0..now.positions.len() {
        let by = now.positions[v].distance(then.positions[v]);
        let hangs_on_it = skinned.weights.influences(v).any(|(bone, _)| turned[usize::from(bone)]);
        assert!(hangs_on_it || by < 1e-5, "vertex {v} moved by {by}");
        if by > 0.05 {
            moved.extend([then.positions[v], now.positions[v]]);
        }
    }
    assert!(moved.len() > 400, "{} vertices moved", moved.len() / 2);

    let viewport = person.viewport().shrink(1.0);
    let limb = around(moved.iter().map(|p| person.shows(*p)));
    // The selected bone's rings extend beyond the arm.
    let start = now.current[RIGHT_UPPER_ARM].translation.as_vec3();
    let rings = Rect::from_center_size(person.shows(start).into(), Vec2::splat(200.0));
    let near = |p: &glam::Vec2| {
        let p = Pos2::new(p.x, p.y);
        limb.expand(25.0).contains(p) || rings.contains(p)
    };
    let changed = after.changed(&before, viewport);
    assert!(changed.len() > 1500, "{} pixels changed", changed.len());
    let far = changed.iter().filter(|p| !near(p)).count();
    assert_eq!(far, 0, "pixels changed far from the limb");
    assert!(limb.expand(25.0).union(rings).area() < 0.5 * viewport.area());
    person.editor().settings.display.show_floor = true;
}

/// Returns whether each bone is `bone` or one of its descendants.
fn below(skeleton: &ossature::rig::skeleton::Skeleton, bone: usize) -> Vec<bool> {
    let mut below = vec![false; skeleton.bones.len()];
    for (i, b) in skeleton.bones.iter().enumerate() {
        below[i] = i == bone || b.parent.is_some_and(|parent| below[parent as usize]);
    }
    below
}

/// Checks that dragging the handle moves the body in the same frame.
fn pull(person: &mut Person, versions: &mut Vec<Vec<u8>>) {
    person.click_row("Handle IK forearm.L");
    assert_eq!(person.part(), Some(Part::Handle(0)));
    let from = person.ball_of_handle(0);
    person.app.drag_hold(from, from, 1);
    let evaluations = person.shown().evaluations;
    for step in 1..=4 {
        let tip = person.tip_of(0);
        let to = (from.0 + 6.0 * step as f32, from.1 - 8.0 * step as f32);
        person.move_in_one_frame(to);
        let ball = person.ball_of_handle(0);
        assert!((ball.0 - to.0).hypot(ball.1 - to.1) < 1.0, "{ball:?} for {to:?}");
        let target = person.skeleton().handles[0].target;
        assert_eq!(person.posed().skeleton.handles[0].target, target, "evaluated in this frame");
        let (without, with) = (tip.distance(target.as_dvec3()), person.tip_to_target(0));
        assert!(without > 0.05 && with < 0.2 * without, "the tip is {with} from its target, was {without}");
    }
    assert_eq!(person.shown().evaluations, evaluations + 4);
    person.release();
    versions.push(person.bytes());
}

/// Undoes and redoes, by keys and by the menu, which names the step.
fn take_back(person: &mut Person, steps: &[&str], versions: &[Vec<u8>]) {
    assert_eq!(versions.len(), steps.len() + 1);
    for left in (0..steps.len()).rev() {
        if left == 4 {
            person.click("Edit");
            // The menu line names the step to undo.
            assert!(person.sees("Edit > Undo Calculate bone weights"));
            person.click("Edit > Undo Calculate bone weights");
        } else {
            person.app.key(Key::Z, CTRL);
        }
        assert_eq!(person.steps(), steps[..left]);
        assert!(person.bytes() == versions[left], "not as before “{}”", steps[left]);
    }
    person.app.key(Key::Z, CTRL);
    assert!(person.bytes() == versions[0], "there is nothing more to undo");
    assert!(!person.editor().session.is_modified());
    for done in 1..=steps.len() {
        let (key, modifiers) = if done % 2 == 0 { (Key::Y, CTRL) } else { (Key::Z, CTRL_SHIFT) };
        person.app.key(key, modifiers);
        assert!(person.bytes() == versions[done], "not as after “{}”", steps[done - 1]);
    }
    assert_eq!(person.steps(), steps);
}
