//! Read-only information: facts, the line about IK, the status bar.

use super::support::*;
use glam::Vec3;
use ossature::edit::select::selection::Part;
use ossature::edit::settings::view::Tab;
use ossature::scene::instance::InstanceKind;

#[test]
fn ik_is_told_where_it_changes_things() {
    let mut desk = Desk::with_part(Tab::Animate, Some(Part::Bone(1)));
    desk.pull(Vec3::new(12.3, 0.0, 4.5));
    assert!(desk.has("With IK 12.3, 0, 4.5"));
    assert!(desk.has_containing("IK Arm 2 short"));
    desk.state_mut().settings.solve_ik = false;
    desk.frame();
    assert!(!desk.has_containing("With IK"));
    assert!(desk.has("IK is off"));
}

#[test]
fn distance_of_tip_and_target_is_shown() {
    let mut desk = Desk::with_part(Tab::Animate, Some(Part::Handle(0)));
    // The arm ends at (1, 1, 0) in the bind pose, with the target 2 above.
    desk.pull(Vec3::ZERO);
    assert!(desk.has("Tail to target"));
    assert!(desk.has("2"));
}

#[test]
fn every_kind_of_instance_shows_its_facts() {
    for (kind, name) in all_instances() {
        let mut desk = Desk::new(Tab::Animate);
        desk.click(&format!("Instance {name}"));
        assert!(desk.has("Position x"), "{name}");
        assert!(desk.has("Transform"), "{name}");
        if kind == InstanceKind::Camera {
            assert!(desk.has("Field of view"));
        }
    }
}

#[test]
fn status_bar_tells_hint_selection_and_counts() {
    let desk = Desk::with_part(Tab::Rig, Some(Part::Bone(1)));
    assert!(desk.has(HINT));
    assert!(desk.has("8 vertices, 3 bones"));
    assert!(desk.has_containing("Arm"));
}
