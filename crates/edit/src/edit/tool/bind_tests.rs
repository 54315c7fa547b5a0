//! Bones rotated and scaled with the pointer in the bind pose, and tips moved along chosen axes, in a
//! session.

use super::gizmo::{Axis, SIZE_PX};
use super::rings::ring;
use super::scale::LENGTH;
use super::translate::arrow;
use crate::edit::select::selection::Part;
use crate::edit::settings::view::{Axes, GizmoMode, Tab};
use crate::edit::testing::{Pointer, bind_tips, flat_front, session_with, skeleton};
use crate::rig::skeleton::{Bone, Skeleton};
use crate::scene::skinned::SkinnedMesh;
use glam::{Quat, Vec3};
use std::sync::Arc;

/// A chest from the origin upwards; from its tip an arm of two bones, 45 degrees down to the left, with a
/// hand. `bones` are selected, the first is the active one.
fn pointer(mode: GizmoMode, axes: Axes, bones: &[usize]) -> Pointer {
    let down = Vec3::new(1.0, -1.0, 0.0);
    let all = [(None, Vec3::Y * 2.0), (Some(0), down), (Some(1), down), (Some(2), down * 0.5)];
    let all = all.map(|(parent, extent)| Bone { parent, extent, ..Bone::default() });
    let skeleton = Skeleton { bones: all.into(), ..Skeleton::default() };
    let session = session_with(SkinnedMesh { skeleton: Arc::new(skeleton), ..SkinnedMesh::default() });
    let view = flat_front(Vec3::new(1.0, 1.0, 0.0), 8.0);
    let mut pointer = Pointer::new(session, Tab::Rig, view);
    (pointer.settings.tools.gizmo, pointer.settings.tools.axes) = (mode, axes);
    let parts = bones.iter().map(|bone| Part::Bone(*bone));
    let selection = pointer.session.selection().with_parts(parts);
    pointer.session.select(selection);
    pointer
}

#[test]
fn an_a_pose_becomes_a_t_pose() {
    let mut p = pointer(GizmoMode::Rotate, Axes::World, &[1]);
    p.press_part(ring(Axis::Z));
    p.type_keys("45");
    assert!(p.tools.hint().starts_with("z +45|°"));
    let arm = 2f32.sqrt();
    for (tip, reach) in [(1, arm), (2, 2.0 * arm), (3, 2.5 * arm)] {
        let expected = Vec3::new(reach, 2.0, 0.0);
        assert!(bind_tips(&p.session)[tip].distance(expected) < 1e-5, "tip {tip}");
    }
    p.release();
    assert_eq!(p.steps(), ["Rotate bone 1"]);
    p.session.undo();
    assert_eq!(skeleton(&p.session).bones[2].extent, Vec3::new(1.0, -1.0, 0.0));
}

/// The bone rotates as far as the pointer goes around it, in steps with Ctrl.
#[test]
fn the_pointer_rotates_and_ctrl_snaps() {
    let mut p = pointer(GizmoMode::Rotate, Axes::World, &[1]);
    let head = bind_tips(&p.session)[0];
    let start = p.point_of(ring(Axis::Z));
    p.press_part(ring(Axis::Z));
    for (deg, snap, expected) in [(20.0f32, false, 20.0), (41.0, false, 41.0), (41.0, true, 45.0)] {
        p.modifiers.snap = snap;
        let point = head + Quat::from_rotation_z(deg.to_radians()) * (start - head);
        p.move_to(p.pixel(point));
        let arm = bind_tips(&p.session)[1] - head;
        assert!((arm.y.atan2(arm.x).to_degrees() - (expected - 45.0)).abs() < 0.1);
    }
}

/// The forearm is a descendant of the upper arm, so it rotates once, not twice. The chest is an ancestor of
/// both.
#[test]
fn selected_bones_rotate_each_about_its_own_head() {
    let mut p = pointer(GizmoMode::Rotate, Axes::World, &[2, 1]);
    p.press_part(ring(Axis::Z));
    p.type_keys("45");
    p.release();
    assert!(bind_tips(&p.session)[2].distance(Vec3::new(8f32.sqrt(), 2.0, 0.0)) < 1e-5);
    assert_eq!(p.steps(), ["Rotate 2 bones"]);
}

#[test]
fn a_bone_is_scaled_along_itself_and_its_descendants_move() {
    let mut p = pointer(GizmoMode::Scale, Axes::World, &[1]);
    let before = bind_tips(&p.session);
    // The box at the end of the line along the bone.
    let unit = p.viewport.world_per_pixel(before[0]) * SIZE_PX;
    let box_at = before[0] + Vec3::new(1.0, -1.0, 0.0).normalize() * unit;
    assert_eq!(p.hovered_part(p.pixel(box_at)), Some(LENGTH));
    p.press(p.pixel(box_at));
    p.move_to(p.pixel(before[0] + (box_at - before[0]) * 1.5));
    let moved = Vec3::new(0.5, -0.5, 0.0);
    for (tip, (was, is)) in before.iter().zip(&bind_tips(&p.session)).enumerate().skip(1) {
        assert!(is.distance(*was + moved) < 1e-3, "tip {tip}");
    }
    p.type_keys("2");
    let extents = |p: &Pointer| [1, 2].map(|bone| skeleton(&p.session).bones[bone].extent);
    let twice = [Vec3::new(2.0, -2.0, 0.0), Vec3::new(1.0, -1.0, 0.0)];
    assert_eq!(extents(&p), twice);
    // A bone cannot vanish: it keeps its last valid length.
    p.type_keys("<0");
    assert_eq!(extents(&p), twice);
    p.release();
    assert_eq!(p.steps(), ["Scale bone 1"]);
}

#[test]
fn a_tip_moves_along_its_own_axes_or_its_parents() {
    for (axes, direction) in [
        (Axes::World, Vec3::Y),
        (Axes::Local, Vec3::new(1.0, -1.0, 0.0).normalize()),
        (Axes::Parent, Vec3::new(1.0, -1.0, 0.0).normalize()),
    ] {
        let mut p = pointer(GizmoMode::Move, axes, &[2]);
        let tip = bind_tips(&p.session)[2];
        let unit = p.viewport.world_per_pixel(tip) * SIZE_PX;
        let on_arrow = p.pixel(tip + direction * unit * 0.7);
        assert_eq!(p.hovered_part(on_arrow), Some(arrow(Axis::Y)), "{axes:?}");
        p.press(on_arrow);
        p.type_keys("0.5");
        assert!(bind_tips(&p.session)[2].distance(tip + direction * 0.5) < 1e-5, "{axes:?}");
    }
}
