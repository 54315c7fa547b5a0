//! The gizmo of a bone in the Rig tab, in a session: each part drags what its hint names, keys type numbers.

use super::bone::{RADIUS, START, WHOLE};
use super::rings::ROLL;
use super::translate::CENTER;
use crate::edit::command::Command;
use crate::edit::select::selection::Part;
use crate::edit::settings::view::Tab;
use crate::edit::testing::{PLAIN, Pointer, SHIFT, bind_tips, flat_front, session_with, skeleton};
use crate::rig::kinematics::rotation_axes;
use crate::rig::skeleton::{Bone, Skeleton};
use crate::scene::skinned::SkinnedMesh;
use glam::{Vec2, Vec3};
use std::sync::Arc;

/// Bone 0, a root, from (2,0,0) up to y = 2; bone 1 from its tip along x; 2 and 3 from the tip of 1; 4
/// another root. `bone` is selected.
fn pointer(bone: usize) -> Pointer {
    let new_bone = |parent, extent| Bone { parent, extent, radius: 0.4, ..Bone::default() };
    let skeleton = Skeleton {
        bones: vec![
            new_bone(None, Vec3::Y * 2.0),
            new_bone(Some(0), Vec3::X * 2.0),
            new_bone(Some(1), Vec3::Y),
            new_bone(Some(1), Vec3::new(0.5, -1.0, 0.5)),
            new_bone(None, Vec3::new(-0.5, -1.0, 0.0)),
        ],
        base: Vec3::X * 2.0,
        ..Skeleton::default()
    };
    let session = session_with(SkinnedMesh { skeleton: Arc::new(skeleton), ..SkinnedMesh::default() });
    let view = flat_front(Vec3::new(3.0, 2.0, 0.0), 8.0);
    let mut pointer = Pointer::new(session, Tab::Rig, view);
    pointer.select(Some(Part::Bone(bone)));
    pointer
}

#[test]
fn start_and_whole_move_two_ends_and_no_other_tip() {
    let moved = Vec3::new(0.4, 0.3, 0.0);
    for (bone, part) in [(1, START), (1, WHOLE), (0, START), (0, WHOLE)] {
        let mut p = pointer(bone);
        let mut expected = bind_tips(&p.session);
        let from = p.press_part(part);
        // Still within the threshold of a click.
        p.move_to(from + Vec2::X);
        assert!(!p.session.in_transaction());
        let step = p.pixel(moved) - p.pixel(Vec3::ZERO);
        // Shift slows: ten times the distance, including the first frame.
        p.modifiers = SHIFT;
        p.move_to(from + step * 10.0);
        if part == WHOLE {
            expected[bone] += moved;
        }
        match bone {
            0 => assert!((skeleton(&p.session).base - Vec3::X * 2.0).distance(moved) < 1e-4),
            _ => expected[0] += moved,
        }
        for (b, (tip, expected)) in bind_tips(&p.session).iter().zip(&expected).enumerate() {
            assert!(tip.distance(*expected) < 1e-4, "{part:?} of {bone}: tip {b}");
        }
        p.release();
        assert_eq!(p.steps(), [format!("Move bone {bone}")]);
    }
}

#[test]
fn a_click_on_them_selects_what_is_beneath() {
    let mut p = pointer(1);
    p.press_part(START);
    p.release();
    assert_eq!(p.session.selection().part, Some(Part::Bone(0)), "its tip is there");
    assert!(p.steps().is_empty());
}

#[test]
fn the_knob_changes_the_radius_and_takes_numbers() {
    let mut p = pointer(1);
    let from = p.press_part(RADIUS);
    // Bone 1 points along x at y = 2: the knob is next to it.
    let axis = Vec2::new(from.x, p.pixel(Vec3::Y * 2.0).y);
    assert!((from.y - axis.y).abs() > 20.0);
    let radius = |p: &Pointer| skeleton(&p.session).bones[1].radius;
    let out = axis + (from - axis) * 1.5;
    p.move_to(out);
    assert!((radius(&p) - 0.6).abs() < 1e-3);
    assert!(p.tools.hint().starts_with("Radius 0.6 "));
    // Past the axis: never below zero.
    p.move_to(axis + (axis - from));
    assert_eq!(radius(&p), 0.0);
    p.type_keys(".25");
    assert_eq!(radius(&p), 0.25);
    assert!(p.tools.hint().starts_with("Radius .25| "));
    p.type_keys("<<<");
    p.move_to(out);
    assert!((radius(&p) - 0.6).abs() < 1e-3);
    p.modifiers.snap = true;
    p.move_to(out + Vec2::new(0.0, 3.0));
    let radius = radius(&p);
    assert!((radius * 10.0 - (radius * 10.0).round()).abs() < 1e-4, "{radius}");
}

/// The bone's x axis rotates about it by the typed angle, or by a drag around the ring.
#[test]
fn the_ring_rolls_the_bone() {
    // Bone 3 points out of the view plane: its ring is open.
    let mut p = pointer(3);
    let on_ring = p.point_of(ROLL);
    let before = rotation_axes(&skeleton(&p.session).bones[3]);
    p.press_part(ROLL);
    // A quarter turn around the middle of the bone, about its y axis.
    let (start, tip) = (bind_tips(&p.session)[1], bind_tips(&p.session)[3]);
    let middle = start.midpoint(tip);
    let turned = middle + before[1].as_vec3().cross(on_ring - middle);
    for part in [0.2f32, 0.5, 0.8, 1.0] {
        let (sin, cos) = (part * std::f32::consts::FRAC_PI_2).sin_cos();
        p.move_to(p.pixel(middle + (on_ring - middle) * cos + (turned - middle) * sin));
    }
    let rolled = skeleton(&p.session).bones[3].clone();
    assert!((rolled.roll_deg - 90.0).abs() < 0.5);
    assert!(rotation_axes(&rolled)[0].dot(before[0]).abs() < 0.01);
    p.type_keys("200");
    // Same as after a full turn.
    assert!((skeleton(&p.session).bones[3].roll_deg + 160.0).abs() < 1e-3);
    assert!(p.tools.hint().starts_with("Roll −160° (+200|°)"));
    p.release();
    assert_eq!(p.steps(), ["Change roll of bone 3"]);
}

#[test]
fn numbers_and_axes_typed_while_a_tip_moves() {
    let mut p = pointer(2);
    let tip = bind_tips(&p.session)[2];
    let from = p.press_part(CENTER);
    let to = from + Vec2::new(55.0, -31.0);
    let moved_by = |p: &Pointer| bind_tips(&p.session)[2] - tip;
    p.move_to(to);
    let free = moved_by(&p);
    assert!(free.x > 0.1 && free.y > 0.1);
    p.type_keys("x");
    assert!((moved_by(&p) - Vec3::X * free.x).length() < 1e-4);
    // The line of sight cannot be dragged along: the last axis stays.
    p.type_keys("z");
    assert!((moved_by(&p) - Vec3::X * free.x).length() < 1e-4);
    p.type_keys("x");
    assert!(moved_by(&p).distance(free) < 1e-4, "once more: free again");
    p.type_keys("1.5,-2");
    assert!(moved_by(&p).distance(Vec3::new(1.5, -2.0, 0.0)) < 1e-5);
    assert!(p.tools.hint().starts_with("x 1.5  y −2|  z 0 "));
}

#[test]
fn tips_snap_to_tips_and_the_middle_while_they_move_freely() {
    let mut p = pointer(2);
    let tips = bind_tips(&p.session);
    p.press_part(CENTER);
    p.move_to(p.pixel(tips[3]) + Vec2::new(4.0, 3.0));
    assert!(bind_tips(&p.session)[2].distance(tips[3]) < 1e-4, "in depth too");
    assert!(p.tools.hint().contains("· on the tail of bone 3 "));
    let marks = p.shape().lines.len();
    p.move_to(p.pixel(Vec3::new(0.03, 3.1, 0.0)));
    assert_eq!(bind_tips(&p.session)[2].x, 0.0);
    // It does not snap to its own start: bones keep a length.
    p.move_to(p.pixel(tips[1]) + Vec2::X);
    assert!(!p.tools.hint().contains("· on "));
    assert_eq!(p.shape().lines.len() + 1, marks, "what it snaps to is marked");
}

#[test]
fn tips_that_are_selected_together_move_together() {
    let mut p = pointer(2);
    let parts = [2, 0, 1].map(Part::Bone);
    let selection = p.session.selection().with_parts(parts);
    p.session.select(selection);
    let before = bind_tips(&p.session);
    p.press_part(CENTER);
    let moved = Vec3::new(0.7, -0.4, 0.0);
    p.modifiers = PLAIN;
    p.move_to(p.pixel(before[2] + moved));
    let after = bind_tips(&p.session);
    for bone in 0..5 {
        let offset = if bone < 3 { moved } else { Vec3::ZERO };
        assert!(after[bone].distance(before[bone] + offset) < 1e-4, "{bone}");
    }
    p.release();
    assert_eq!(p.steps().len(), 1);
}

#[test]
fn short_bones_offer_tip_and_ring_alone() {
    let mut p = pointer(2);
    let set = Command::set_bone("m".into(), 2, "extent", Vec3::Y * 0.05);
    p.session.apply(&[set]).unwrap();
    let shape = p.shape();
    let has = |part| shape.lines.iter().any(|line| line.part == part);
    assert!(has(ROLL) && has(CENTER));
    assert!(!has(START) && !has(WHOLE) && !has(RADIUS));
}
