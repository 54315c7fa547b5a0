//! The gizmo of a bone in the Rig tab, over a session: each part drags what it says, keys type numbers.

use super::gizmo::{GizmoPart, Modifiers};
use super::typed::DragKey;
use super::*;
use crate::edit::session::Session;
use crate::edit::testing::{PLAIN, SHIFT, flat_front, session_with, skeleton, stage};
use crate::rig::kinematics::{bind_pose, rotation_axes, tips};
use crate::rig::skeleton::{Bone, Skeleton};
use crate::scene::skinned::SkinnedMesh;
use glam::Mat4;
use std::sync::Arc;

/// Root from (2,0,0) up to y = 2; bone 1 on along x; 2 and 3 on its tip; 4 another root.
fn session() -> Session {
    let bone = |parent, extent| Bone {
        parent,
        extent,
        radius: 0.4,
        ..Bone::default()
    };
    let skeleton = Skeleton {
        bones: vec![
            bone(None, Vec3::Y * 2.0),
            bone(Some(0), Vec3::X * 2.0),
            bone(Some(1), Vec3::Y),
            bone(Some(1), Vec3::new(0.5, -1.0, 0.5)),
            bone(None, Vec3::new(-0.5, -1.0, 0.0)),
        ],
        base: Vec3::X * 2.0,
        ..Skeleton::default()
    };
    let mesh = SkinnedMesh {
        skeleton: Arc::new(skeleton),
        ..SkinnedMesh::default()
    };
    session_with(mesh)
}

fn bind_tips(session: &Session) -> Vec<Vec3> {
    let skeleton = skeleton(session);
    let tips = tips(&skeleton, &bind_pose(&skeleton));
    tips.into_iter().map(|tip| tip.as_vec3()).collect()
}

fn front() -> Viewport {
    flat_front(Vec3::new(3.0, 2.0, 0.0), 8.0)
}

fn pixel(point: Vec3) -> Vec2 {
    front().project(point).unwrap().pixel
}

fn with_stage<T>(session: &Session, then: impl FnOnce(&Stage) -> T) -> T {
    let skeleton = skeleton(session);
    let bind = bind_pose(&skeleton);
    then(&stage(Tab::Rig, &skeleton, &bind, Mat4::IDENTITY))
}

/// Presses at a pixel with a bone selected.
fn press(session: &Session, bone: usize, at: Vec2) -> (ToolState, Press) {
    let mut state = ToolState::default();
    let press = with_stage(session, |stage| {
        state.press(Some(stage), None, Some(Part::Bone(bone)), &front(), at)
    });
    (state, press)
}

fn show(session: &mut Session, state: &mut ToolState, to: Vec2, modifiers: Modifiers) {
    let commands = state.drag(&front(), to, modifiers);
    session.preview(&commands).unwrap();
}

/// Where the middle of a part of the gizmo is drawn.
fn place_of(session: &Session, bone: usize, part: GizmoPart) -> Vec2 {
    let gizmo = with_stage(session, |stage| Tool::of(stage, Part::Bone(bone)).unwrap());
    let shape = gizmo.shape(&front());
    let face = shape.faces.iter().find(|face| face.part == part).unwrap();
    pixel(face.points.iter().sum::<Vec3>() / face.points.len() as f32)
}

#[test]
fn start_and_whole_move_two_ends_and_no_other_tip() {
    let moved = Vec3::new(0.4, 0.3, 0.0);
    for (bone, part) in [
        (1, GizmoPart::Start),
        (1, GizmoPart::Whole),
        (0, GizmoPart::Start),
        (0, GizmoPart::Whole),
    ] {
        let mut session = session();
        let mut expected = bind_tips(&session);
        let from = place_of(&session, bone, part);
        let (mut state, pressed) = press(&session, bone, from);
        assert_eq!(pressed, Press::Gizmo(part));
        // Not more than a click yet.
        assert_eq!(state.drag(&front(), from + Vec2::X, PLAIN), []);
        let scale = pixel(moved) - pixel(Vec3::ZERO);
        // Shift slows: ten times the way, the first frame of it included.
        show(&mut session, &mut state, from + scale * 10.0, SHIFT);
        if part == GizmoPart::Whole {
            expected[bone] += moved;
        }
        match bone {
            0 => assert!((skeleton(&session).base - Vec3::X * 2.0).distance(moved) < 1e-4),
            _ => expected[0] += moved,
        }
        for (b, (tip, expected)) in bind_tips(&session).iter().zip(&expected).enumerate() {
            assert!(tip.distance(*expected) < 1e-4, "{part:?} of {bone}: tip {b}");
        }
        assert!(state.release() && session.commit());
        let label = format!("Move bone {bone}");
        assert_eq!(session.undo_list().collect::<Vec<_>>(), [label]);
    }
}

#[test]
fn a_click_on_them_selects_what_is_beneath() {
    let session = session();
    let at = place_of(&session, 1, GizmoPart::Start);
    let mut state = ToolState::default();
    let over = PickTarget::Tip(0);
    with_stage(&session, |stage| {
        state.press(Some(stage), Some(&over), Some(Part::Bone(1)), &front(), at)
    });
    assert_eq!(state.clicked(), Some((at, &over)));
    state.drag(&front(), at + Vec2::X * 9.0, PLAIN);
    assert_eq!(state.clicked(), None);
}

#[test]
fn the_knob_changes_the_radius_and_takes_numbers() {
    let mut session = session();
    let from = place_of(&session, 1, GizmoPart::Radius);
    // Bone 1 lies along x at y = 2: the knob is beside it.
    assert!((from.y - pixel(Vec3::Y * 2.0).y).abs() > 20.0);
    let (mut state, pressed) = press(&session, 1, from);
    assert_eq!(pressed, Press::Gizmo(GizmoPart::Radius));
    let axis = Vec2::new(from.x, pixel(Vec3::Y * 2.0).y);
    let out = axis + (from - axis) * 1.5;
    show(&mut session, &mut state, out, PLAIN);
    assert!((skeleton(&session).bones[1].radius - 0.6).abs() < 1e-3);
    assert_eq!(state.readout().unwrap(), "Radius 0.6");
    // Through the axis: never below zero.
    show(&mut session, &mut state, axis + (axis - from), PLAIN);
    assert_eq!(skeleton(&session).bones[1].radius, 0.0);
    for c in ".25".chars() {
        state.key(DragKey::Character(c), &front());
    }
    show(&mut session, &mut state, axis, PLAIN);
    assert_eq!(skeleton(&session).bones[1].radius, 0.25);
    assert_eq!(state.readout().unwrap(), "Radius .25|");
    for _ in 0..3 {
        state.key(DragKey::Backspace, &front());
    }
    show(&mut session, &mut state, out, PLAIN);
    assert!((skeleton(&session).bones[1].radius - 0.6).abs() < 1e-3);
    let ctrl = Modifiers {
        snap: true,
        fine: false,
    };
    show(&mut session, &mut state, out + Vec2::new(0.0, 3.0), ctrl);
    let radius = skeleton(&session).bones[1].radius;
    assert!((radius * 10.0 - (radius * 10.0).round()).abs() < 1e-4, "{radius}");
}

/// The bone's x axis turns about it by what was typed, or dragged around the ring.
#[test]
fn the_ring_rolls_the_bone() {
    let mut session = session();
    // Bone 3 points away from the picture: its ring is open.
    let gizmo = with_stage(&session, |stage| Tool::of(stage, Part::Bone(3)).unwrap());
    let shape = gizmo.shape(&front());
    let ring = shape
        .lines
        .iter()
        .filter(|l| l.part == GizmoPart::Roll)
        .max_by_key(|l| l.points.len());
    let on_ring = ring.unwrap().points[ring.unwrap().points.len() / 2];
    let before = rotation_axes(&skeleton(&session).bones[3]);
    let (mut state, pressed) = press(&session, 3, pixel(on_ring));
    assert_eq!(pressed, Press::Gizmo(GizmoPart::Roll));
    // A quarter around the middle of the bone, about its y axis.
    let middle = with_stage(&session, |s| {
        s.bone_start(3).unwrap().midpoint(s.bone_tip(3).unwrap())
    });
    let y = before[1].as_vec3();
    let turned = middle + y.cross(on_ring - middle);
    for part in [0.2f32, 0.5, 0.8, 1.0] {
        let (sin, cos) = (part * std::f32::consts::FRAC_PI_2).sin_cos();
        let at = middle + (on_ring - middle) * cos + (turned - middle) * sin;
        show(&mut session, &mut state, pixel(at), PLAIN);
    }
    assert!((skeleton(&session).bones[3].roll_deg - 90.0).abs() < 0.5);
    assert!(
        rotation_axes(&skeleton(&session).bones[3])[0]
            .dot(before[0])
            .abs()
            < 0.01
    );
    for c in "200".chars() {
        state.key(DragKey::Character(c), &front());
    }
    show(&mut session, &mut state, pixel(turned), PLAIN);
    // The same after a whole turn.
    assert!((skeleton(&session).bones[3].roll_deg + 160.0).abs() < 1e-3);
    assert_eq!(state.readout().unwrap(), "Roll −160° (+200|°)");
    assert!(session.commit());
    assert_eq!(session.undo_label(), Some("Change roll of bone 3"));
}

#[test]
fn numbers_and_axes_typed_while_a_tip_moves() {
    let mut session = session();
    let tip = bind_tips(&session)[2];
    let (mut state, pressed) = press(&session, 2, pixel(tip));
    assert_eq!(pressed, Press::Gizmo(GizmoPart::Center));
    let to = pixel(tip) + Vec2::new(55.0, -31.0);
    let at = |session: &Session| bind_tips(session)[2] - tip;
    show(&mut session, &mut state, to, PLAIN);
    let free = at(&session);
    assert!(free.x > 0.1 && free.y > 0.1);
    state.key(DragKey::Along(Axis::X), &front());
    show(&mut session, &mut state, to, PLAIN);
    assert!((at(&session) - Vec3::X * free.x).length() < 1e-4);
    // The line of sight is no axis to drag along: the last one holds.
    state.key(DragKey::Along(Axis::Z), &front());
    show(&mut session, &mut state, to, PLAIN);
    assert!((at(&session) - Vec3::X * free.x).length() < 1e-4);
    state.key(DragKey::Along(Axis::X), &front());
    show(&mut session, &mut state, to, PLAIN);
    assert!(at(&session).distance(free) < 1e-4, "once more: free again");
    for key in ["1.5", ",", "-2"] {
        for c in key.chars() {
            let key = if c == ',' {
                DragKey::Next
            } else {
                DragKey::Character(c)
            };
            state.key(key, &front());
        }
    }
    show(&mut session, &mut state, Vec2::ZERO, PLAIN);
    assert!(at(&session).distance(Vec3::new(1.5, -2.0, 0.0)) < 1e-5);
    assert_eq!(state.readout().unwrap(), "x 1.5  y −2|  z 0");
    assert!(state.release() && session.commit());
}

#[test]
fn tips_snap_to_tips_and_the_middle_while_they_move_freely() {
    let mut session = session();
    let tips = bind_tips(&session);
    let (mut state, _) = press(&session, 2, pixel(tips[2]));
    show(
        &mut session,
        &mut state,
        pixel(tips[3]) + Vec2::new(4.0, 3.0),
        PLAIN,
    );
    assert!(bind_tips(&session)[2].distance(tips[3]) < 1e-4, "in depth too");
    assert!(state.readout().unwrap().ends_with("on the tip of bone 3"));
    assert!(
        state
            .shape(None, None, &front())
            .lines
            .iter()
            .any(|l| l.part == GizmoPart::Whole)
    );
    show(&mut session, &mut state, pixel(Vec3::new(0.03, 3.1, 0.0)), PLAIN);
    assert_eq!(bind_tips(&session)[2].x, 0.0);
    // Its own start is none: bones keep a length.
    show(&mut session, &mut state, pixel(tips[1]) + Vec2::X, PLAIN);
    assert!(!state.readout().unwrap().contains("on "));
}

#[test]
fn tips_that_are_selected_together_move_together() {
    let mut session = session();
    let before = bind_tips(&session);
    let (mut state, _) = press(&session, 2, pixel(before[2]));
    with_stage(&session, |stage| state.move_along(stage, &[0, 1, 2]));
    let moved = Vec3::new(0.7, -0.4, 0.0);
    show(&mut session, &mut state, pixel(before[2] + moved), PLAIN);
    let after = bind_tips(&session);
    for bone in 0..5 {
        let by = if bone < 3 { moved } else { Vec3::ZERO };
        assert!(after[bone].distance(before[bone] + by) < 1e-4, "{bone}");
    }
    assert!(session.commit());
    assert_eq!(session.history().entries().len(), 1);
}

#[test]
fn short_bones_offer_tip_and_ring_alone() {
    let mut session = session();
    let set = Command::SetExtent {
        mesh: "m".into(),
        bone: 2,
        extent: Vec3::Y * 0.05,
    };
    session.apply(&[set]).unwrap();
    let gizmo = with_stage(&session, |stage| Tool::of(stage, Part::Bone(2)).unwrap());
    let shape = gizmo.shape(&front());
    let has = |part| shape.lines.iter().any(|line| line.part == part);
    assert!(has(GizmoPart::Roll) && has(GizmoPart::Center));
    assert!(!has(GizmoPart::Start) && !has(GizmoPart::Whole) && !has(GizmoPart::Radius));
}
