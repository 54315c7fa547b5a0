//! Bones rotated and scaled with the pointer in the bind pose, and tips moved along chosen axes, over a session.

use super::gizmo::{Axis, GizmoPart, Modifiers};
use super::typed::DragKey;
use super::*;
use crate::edit::session::Session;
use crate::edit::testing::{PLAIN, flat_front, session_with, skeleton, stage};
use crate::edit::view::Axes;
use crate::rig::kinematics::{bind_pose, tips};
use crate::rig::skeleton::{Bone, Skeleton};
use crate::scene::skinned::SkinnedMesh;
use glam::Mat4;
use std::sync::Arc;

/// A chest from the origin upwards; an arm of two bones from its tip at 45 degrees down to the left, with a hand.
fn session() -> Session {
    let down = Vec3::new(1.0, -1.0, 0.0);
    let bones = [
        (None, Vec3::Y * 2.0),
        (Some(0), down),
        (Some(1), down),
        (Some(2), down * 0.5),
    ];
    let bones = bones.map(|(parent, extent)| Bone {
        parent,
        extent,
        ..Bone::default()
    });
    let skeleton = Skeleton {
        bones: bones.into(),
        ..Skeleton::default()
    };
    session_with(SkinnedMesh {
        skeleton: Arc::new(skeleton),
        ..SkinnedMesh::default()
    })
}

fn front() -> Viewport {
    flat_front(Vec3::new(1.0, 1.0, 0.0), 8.0)
}

fn pixel(point: Vec3) -> Vec2 {
    front().project(point).unwrap().pixel
}

fn with_stage<T>(session: &Session, gizmo: GizmoMode, axes: Axes, then: impl FnOnce(&Stage) -> T) -> T {
    let skeleton = skeleton(session);
    let bind = bind_pose(&skeleton);
    then(&Stage {
        gizmo,
        axes,
        ..stage(Tab::Rig, &skeleton, &bind, Mat4::IDENTITY)
    })
}

/// Presses at a point of the world with bones selected, the first of them the active one.
fn press(session: &Session, gizmo: GizmoMode, axes: Axes, bones: &[usize], at: Vec3) -> (ToolState, Press) {
    let mut state = ToolState::default();
    let pressed = with_stage(session, gizmo, axes, |stage| {
        let selected = Some(Part::Bone(bones[0]));
        let pressed = state.press(Some(stage), None, selected, &front(), pixel(at));
        state.move_along(stage, bones);
        pressed
    });
    (state, pressed)
}

fn bind_tips(session: &Session) -> Vec<Vec3> {
    let skeleton = skeleton(session);
    let tips = tips(&skeleton, &bind_pose(&skeleton));
    tips.into_iter().map(|tip| tip.as_vec3()).collect()
}

fn enter(session: &mut Session, state: &mut ToolState, text: &str) {
    for c in text.chars() {
        state.key(DragKey::Character(c), &front());
    }
    let commands = state.drag(&front(), Vec2::ZERO, PLAIN);
    session.preview(&commands).unwrap();
}

/// On the ring about z, which faces the viewer.
fn on_ring(session: &Session, bone: usize, axes: Axes) -> Vec3 {
    with_stage(session, GizmoMode::Turn, axes, |stage| {
        let shape = Tool::of(stage, Part::Bone(bone)).unwrap().shape(&front());
        let rings = shape.lines.iter().filter(|l| l.part == GizmoPart::Ring(Axis::Z));
        let ring = rings.max_by_key(|l| l.points.len()).unwrap();
        ring.points[7]
    })
}

#[test]
fn an_a_pose_becomes_a_t_pose() {
    let mut session = session();
    let start = on_ring(&session, 1, Axes::World);
    let (mut state, pressed) = press(&session, GizmoMode::Turn, Axes::World, &[1], start);
    assert_eq!(pressed, Press::Gizmo(GizmoPart::Ring(Axis::Z)));
    enter(&mut session, &mut state, "45");
    assert_eq!(state.readout().unwrap(), "z +45|°");
    let arm = 2f32.sqrt();
    for (tip, reach) in [(1, arm), (2, 2.0 * arm), (3, 2.5 * arm)] {
        let expected = Vec3::new(reach, 2.0, 0.0);
        assert!(bind_tips(&session)[tip].distance(expected) < 1e-5, "tip {tip}");
    }
    assert!(state.release() && session.commit());
    assert_eq!(session.undo_label(), Some("Rotate bone 1"));
    session.undo();
    assert_eq!(skeleton(&session).bones[2].extent, Vec3::new(1.0, -1.0, 0.0));
}

/// The pointer rotates it by as much as it goes around, in steps with Ctrl; cancelled, nothing is left of it.
#[test]
fn the_pointer_rotates_and_ctrl_snaps() {
    let mut session = session();
    let before = bind_tips(&session);
    let head = before[0];
    let start = on_ring(&session, 1, Axes::World);
    let (mut state, _) = press(&session, GizmoMode::Turn, Axes::World, &[1], start);
    let at = |deg: f32| head + glam::Quat::from_rotation_z(deg.to_radians()) * (start - head);
    for (deg, snap, expected) in [(20.0, false, 20.0), (41.0, false, 41.0), (41.0, true, 45.0)] {
        let modifiers = Modifiers { snap, fine: false };
        let commands = state.drag(&front(), pixel(at(deg)), modifiers);
        session.preview(&commands).unwrap();
        let arm = bind_tips(&session)[1] - head;
        assert!((arm.y.atan2(arm.x).to_degrees() - (expected - 45.0)).abs() < 0.1);
    }
    assert!(state.cancel());
    session.cancel();
    assert_eq!(bind_tips(&session), before);
}

/// The forearm is below the upper arm: it rotates with it, not twice. The chest is below none of them.
#[test]
fn selected_bones_rotate_each_about_its_own_head() {
    let mut session = session();
    let start = on_ring(&session, 2, Axes::World);
    let (mut state, _) = press(&session, GizmoMode::Turn, Axes::World, &[2, 1], start);
    enter(&mut session, &mut state, "45");
    assert!(bind_tips(&session)[2].distance(Vec3::new(8f32.sqrt(), 2.0, 0.0)) < 1e-5);
    assert!(session.commit());
    assert_eq!(session.undo_label(), Some("Rotate 2 bones"));
}

#[test]
fn a_bone_is_scaled_along_itself_and_its_descendants_move() {
    let mut session = session();
    let before = bind_tips(&session);
    // On the box at the end of the line along the bone.
    let unit = front().world_per_pixel(before[0]) * super::gizmo::SIZE_PX;
    let box_at = before[0] + Vec3::new(1.0, -1.0, 0.0).normalize() * unit;
    let (mut state, pressed) = press(&session, GizmoMode::Scale, Axes::World, &[1], box_at);
    assert_eq!(pressed, Press::Gizmo(GizmoPart::Length));
    let to = before[0] + (box_at - before[0]) * 1.5;
    let commands = state.drag(&front(), pixel(to), PLAIN);
    session.preview(&commands).unwrap();
    let moved = Vec3::new(0.5, -0.5, 0.0);
    let after = bind_tips(&session);
    for (tip, (was, is)) in before.iter().zip(&after).enumerate().skip(1) {
        assert!(is.distance(*was + moved) < 1e-3, "tip {tip}");
    }
    enter(&mut session, &mut state, "2");
    assert_eq!(skeleton(&session).bones[1].extent, Vec3::new(2.0, -2.0, 0.0));
    assert_eq!(skeleton(&session).bones[2].extent, Vec3::new(1.0, -1.0, 0.0));
    // A bone cannot vanish: the last length that it can have stays.
    let commands = {
        state.key(DragKey::Backspace, &front());
        state.key(DragKey::Character('0'), &front());
        state.drag(&front(), Vec2::ZERO, PLAIN)
    };
    assert_eq!(commands, []);
    assert!(session.commit());
    assert_eq!(session.undo_label(), Some("Scale bone 1"));
}

#[test]
fn a_tip_moves_along_its_own_axes_or_its_parents() {
    for (axes, direction) in [
        (Axes::World, Vec3::Y),
        (Axes::Local, Vec3::new(1.0, -1.0, 0.0).normalize()),
        (Axes::Parent, Vec3::new(1.0, -1.0, 0.0).normalize()),
    ] {
        let session_of_bone_2 = session();
        let tip = bind_tips(&session_of_bone_2)[2];
        let unit = front().world_per_pixel(tip) * super::gizmo::SIZE_PX;
        let on_arrow = tip + direction * unit * 0.7;
        let (mut state, pressed) = press(&session_of_bone_2, GizmoMode::Move, axes, &[2], on_arrow);
        assert_eq!(pressed, Press::Gizmo(GizmoPart::Axis(Axis::Y)), "{axes:?}");
        let mut session = session_of_bone_2;
        enter(&mut session, &mut state, "0.5");
        assert!(
            bind_tips(&session)[2].distance(tip + direction * 0.5) < 1e-5,
            "{axes:?}"
        );
    }
}
