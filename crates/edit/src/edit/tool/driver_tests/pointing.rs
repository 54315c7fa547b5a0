//! The pointer while no tool is chosen.

use super::*;
use crate::anim::channel::SkeletonChannel;
use crate::anim::mode::Mode;
use crate::edit::tool::rotate::Rotate;
use crate::rig::property::POSE;
use std::f32::consts::TAU;

#[test]
fn a_handle_is_dragged_by_its_ball() {
    let mut p = pointer(Tab::Animate, None);
    let pixel = p.pixel(Vec3::new(-1.0, 1.0, 0.0));
    p.press(pixel);
    // A shaky click moves nothing.
    p.move_to(pixel + Vec2::new(2.0, 1.0));
    assert!(!p.session.in_transaction());
    for to in [Vec3::new(0.3, 2.0, 0.0), Vec3::new(-0.5, 0.25, 0.0)] {
        p.move_to(p.pixel(to));
        assert!(skeleton(&p.session).handles[0].target.distance(to) < 1e-4);
    }
    assert_eq!(p.session.selection().part, Some(Part::Handle(0)));
    let hint = p.tools.hint();
    assert!(hint.contains("Esc") && hint.starts_with("Δ 0.5, -0.75, 0"), "{hint}");
    p.release();
    assert_eq!(p.steps(), ["Move IK bone 1"]);
}

/// The grabbed place follows the pointer as the tail would; a click selects, and a box begins beside the skeleton.
#[test]
fn a_bone_is_posed_from_any_place_on_it() {
    let free = |fine| {
        let mut p = pointer(Tab::Animate, None);
        p.session.apply(&[Command::set_handle("m".to_owned(), 0, "enabled", false)]).unwrap();
        p.modifiers.fine = fine;
        p
    };
    let dragged = |from: Vec3, fine| {
        let mut p = free(fine);
        let from = p.pixel(from);
        p.move_to(from);
        let hint = "Drag to pose the limb, with Shift the whole body · Click to select the bone";
        assert_eq!(p.tools.hint(), hint);
        p.press(from);
        p.move_to(from + Vec2::new(-30.0, -40.0));
        assert!(p.tools.area().is_none() && p.session.selection().part == Some(Part::Bone(1)));
        p.release();
        // The first one disabled the handle.
        assert_eq!(p.steps().len(), 2);
        let posed = skeleton(&p.session);
        posed.bones.iter().map(|bone| bone.pose_deg).collect::<Vec<_>>()
    };
    let (tail, middle) = (Vec3::new(1.0, 1.0, 0.0), Vec3::new(0.6, 1.05, 0.0));
    for fine in [false, true] {
        let [by_tail, by_middle] = [tail, middle].map(|from| dragged(from, fine));
        assert!(by_tail.iter().any(|pose| pose.length() > 5.0), "{fine}: {by_tail:?}");
        let same = by_tail.iter().zip(&by_middle).all(|(a, b)| a.distance(*b) < 0.05);
        assert!(same, "{fine}: {by_tail:?} {by_middle:?}");
    }
    let mut p = free(false);
    p.click(p.pixel(middle));
    assert_eq!(p.session.selection().part, Some(Part::Bone(1)));
    p.select(None);
    p.press(Vec2::new(3.0, 3.0));
    p.move_to(Vec2::new(60.0, 60.0));
    assert!(p.tools.area().is_some());
    p.release();
    assert_eq!(p.steps().len(), 1);
}

/// Shift over the base leads hips; of a body that has none, the whole skeleton moves, with the pointer, as the hint says.
#[test]
fn a_base_without_hips_is_moved_whole() {
    for (fine, whole_body) in [(true, false), (false, true), (true, true), (false, false)] {
        let mut p = pointer(Tab::Animate, Some(Part::Handle(0)));
        (p.modifiers.fine, p.settings.tools.whole_body) = (fine, whole_body);
        let to = Vec3::new(0.5, -0.25, 0.0);
        p.move_to(p.pixel(Vec3::ZERO));
        assert_eq!(p.tools.hint(), "Drag to move the whole skeleton · Click to select the base");
        p.press(p.pixel(Vec3::ZERO));
        p.move_to(p.pixel(to));
        p.release();
        let moved = skeleton(&p.session);
        assert!(moved.base_offset.distance(to) < 1e-4, "{fine}, {whole_body}: {}", moved.base_offset);
        assert!(moved.bones.iter().all(|bone| bone.pose_deg == Vec3::ZERO));
    }
}

/// Between the lines of a gizmo there is no room to grab a ball beside them.
#[test]
fn a_ball_is_in_front_of_a_ring_but_not_of_a_selected_balls_own_gizmo() {
    let mut p = pointer(Tab::Animate, None);
    p.settings.solve_ik = false;
    let on_ring = p.pixel(Vec3::Y) + Vec2::new(SIZE_PX, 0.0);
    p.press(p.pixel(Vec3::new(-1.0, 1.0, 0.0)));
    p.move_to(on_ring);
    p.release();
    p.settings.tools.gizmo = GizmoMode::Rotate;
    p.select(Some(Part::Bone(1)));
    let target = skeleton(&p.session).handles[0].target;
    p.move_to(on_ring);
    assert_eq!(p.tools.hovered(), Some(&Hovered::Target(PickTarget::Handle(0))));
    p.press(on_ring);
    p.move_to(on_ring + Vec2::new(0.0, 40.0));
    p.release();
    let moved = skeleton(&p.session).handles[0].target;
    assert!(moved.y < target.y - 0.1, "{target} to {moved}");
    assert_eq!(skeleton(&p.session).bones[1].pose_deg, Vec3::ZERO);
    // Once the ball has left it, the same place belongs to the bone of the ring, and the other side to the ring.
    p.select(Some(Part::Bone(1)));
    p.move_to(on_ring);
    assert_eq!(p.tools.hovered(), Some(&Hovered::Target(PickTarget::Bone(1))));
    p.move_to(p.pixel(Vec3::Y) - Vec2::new(SIZE_PX, 0.0));
    assert!(matches!(p.tools.hovered(), Some(Hovered::Part(..))));
}

/// Rings seen edge-on pass over the tail of their bone, of which little is seen if it points at the viewer.
#[test]
fn the_tail_of_the_active_bone_is_in_front_of_its_rings_however_short_it_looks() {
    let mut p = pointer(Tab::Animate, None);
    p.viewport = front(Vec3::Y, 6.0);
    p.select(Some(Part::Bone(1)));
    let pose = Command::set_bone("m".to_owned(), 1, "pose", Vec3::new(0.0, 0.0, 84.0));
    p.session.apply(&[pose, Command::set_handle("m".to_owned(), 0, "enabled", false)]).unwrap();
    let tail = p.with_tools(|_, context| context.rig().unwrap().bone_tip(1).unwrap());
    let tail = p.pixel(tail);
    let length = tail.distance(p.pixel(Vec3::Y));
    assert!((5.0..20.0).contains(&length), "{length}");
    let around = (0..24).map(|step| tail + 6.5 * Vec2::from_angle(step as f32 * TAU / 24.0));
    let around: Vec<Vec2> = around.collect();
    let is_on_ring = |p: &mut Pointer, pixel: Vec2| {
        p.with_tools(|_, context| Rotate.shape(context).hit(context.viewport, pixel).is_some())
    };
    assert!(around.iter().all(|pixel| is_on_ring(&mut p, *pixel)));
    p.move_to(around[0]);
    assert_eq!(p.tools.hovered(), Some(&Hovered::Target(PickTarget::Tip(1))));
    for pixel in around {
        p.select(Some(Part::Bone(1)));
        p.move_to(pixel);
        // The tail of its parent is as near from some places.
        let hovered = p.tools.hovered();
        assert!(matches!(hovered, Some(Hovered::Target(PickTarget::Tip(_)))), "{pixel}: {hovered:?}");
        p.press(pixel);
        p.move_to(pixel + Vec2::new(20.0, -20.0));
        assert!(p.tools.hint().starts_with('Δ'), "{}", p.tools.hint());
        p.frame(&[Event::Escape]);
        p.release();
    }
    // Elsewhere, rings are dragged as ever.
    p.select(Some(Part::Bone(1)));
    let beside = (0..24).map(|step| p.pixel(Vec3::Y) + 72.0 * Vec2::from_angle(step as f32 * TAU / 24.0));
    let beside: Vec<Vec2> = beside.collect();
    assert!(beside.into_iter().any(|pixel| p.hovered_part(pixel).is_some()));
}

/// A ring seen edge-on lies along the upper bone here, which is dragged itself: beside what is seen of the ring, it is meant.
#[test]
fn only_what_is_seen_of_a_ring_is_in_front_of_another_bone() {
    let beside = Vec2::new(5.0, 0.0);
    let mut p = pointer(Tab::Animate, Some(Part::Bone(1)));
    let on_ring = p.pixel(Vec3::new(0.0, 0.6, 0.0));
    p.move_to(on_ring);
    assert!(matches!(p.tools.hovered(), Some(Hovered::Part(..))));
    p.move_to(on_ring + beside);
    assert_eq!(p.tools.hovered(), Some(&Hovered::Target(PickTarget::Bone(0))));
    // Off the bones, a ring is grabbed from as far as ever.
    p.move_to(p.pixel(Vec3::new(0.0, 1.4, 0.0)) + beside);
    assert!(matches!(p.tools.hovered(), Some(Hovered::Part(..))));
    // In the Rig tab, where a bone is not dragged by its body, a gizmo is in front of it.
    let mut p = pointer(Tab::Rig, Some(Part::Bone(1)));
    p.settings.tools.gizmo = GizmoMode::Rotate;
    p.move_to(on_ring + beside);
    assert!(matches!(p.tools.hovered(), Some(Hovered::Part(..))));
}

#[test]
fn clicks_select_add_cycle_and_go_one_level_up() {
    let mut p = pointer(Tab::Rig, None);
    let (tip, bone) = (p.pixel(Vec3::new(1.0, 1.0, 0.0)), p.pixel(Vec3::new(0.0, 0.5, 0.0)));
    p.click(tip);
    assert_eq!(p.session.selection().part, Some(Part::Bone(1)));
    p.modifiers.fine = true;
    p.click(bone);
    assert_eq!(p.session.selection().parts().count(), 2);
    p.click(bone);
    assert_eq!(p.session.selection().part, Some(Part::Bone(1)));
    p.modifiers.fine = false;
    p.click(Vec2::new(2.0, 2.0));
    assert_eq!(p.session.selection().part, None);
    // The base overlaps the start of the root.
    let start = p.pixel(Vec3::ZERO);
    p.click(start);
    assert_eq!(p.session.selection().part, Some(Part::Base));
    p.click(start);
    assert_eq!(p.session.selection().part, Some(Part::Bone(0)));
    assert!(p.steps().is_empty());
}

#[test]
fn a_box_selects_what_is_in_it_and_esc_cancels_it() {
    let mut p = pointer(Tab::Rig, None);
    let (from, to) = (Vec2::new(3.0, 3.0), Vec2::new(797.0, 597.0));
    p.press(from);
    p.move_to(to);
    let area = p.tools.area().unwrap();
    assert_eq!((area.min, area.max), (from, to));
    assert!(p.tools.is_dragging() && p.tools.hint().contains("Shift adds"));
    p.frame(&[Event::Escape]);
    p.release();
    assert_eq!(p.session.selection().parts().count(), 0);
    p.press(from);
    p.move_to(to);
    p.release();
    assert_eq!(p.session.selection().bones(), [0, 1]);
}

/// A press that misses a ring by some pixels still means it, and neither a click there nor a box without bones
/// loses the selection.
#[test]
fn a_press_beside_a_ring_keeps_the_selection() {
    let mut p = pointer(Tab::Animate, Some(Part::Bone(1)));
    let center = p.pixel(Vec3::Y);
    let beside = |away: f32| center + Vec2::new(1.0, -1.0) * (72.0 + away) * 0.5f32.sqrt();
    // The rings about y and z are lines here, and the one about x is the innermost.
    let inside = beside(-11.0);
    assert_eq!(p.hovered_part(inside), Some(ring(Axis::X)));
    p.click(inside);
    assert_eq!(p.session.selection().part, Some(Part::Bone(1)));
    p.press(inside);
    p.move_to(inside + Vec2::new(30.0, 30.0));
    p.release();
    assert_eq!(p.session.selection().part, Some(Part::Bone(1)));
    assert!(skeleton(&p.session).bones[1].pose_deg.x.abs() > 5.0);
    let outside = Vec2::new(700.0, 20.0);
    p.press(outside);
    p.move_to(outside + Vec2::new(40.0, 30.0));
    p.release();
    assert_eq!(p.session.selection().part, Some(Part::Bone(1)));
    p.click(outside);
    assert_eq!(p.session.selection().part, None);
}

#[test]
fn the_hovered_target_is_known_while_nothing_is_dragged() {
    let mut p = pointer(Tab::Animate, Some(Part::Bone(1)));
    // For a bone along +x, its x axis is the world's z axis: that ring faces the front, 72 pixels around the
    // bone's start.
    let around = |p: &Pointer, sign: f32| p.pixel(Vec3::Y) + Vec2::new(sign, -1.0) * (72.0 * 0.5f32.sqrt());
    let (on_ring, on_bone) = (around(&p, 1.0), around(&p, -1.0));
    assert_eq!(p.hovered_part(on_ring), Some(ring(Axis::X)));
    assert!(p.tools.hint().contains("about x"), "{}", p.tools.hint());
    p.press(on_ring);
    assert_eq!(p.tools.hovered(), None);
    p.move_to(on_bone);
    assert!(skeleton(&p.session).bones[1].pose_deg.distance(Vec3::X * 90.0) < 0.1);
    assert!(p.tools.hint().starts_with("x 90° (+90°)"));
    assert!(p.shape().lines.iter().all(|line| line.part == ring(Axis::X)));
    p.frame(&[Event::Escape]);
    let middle = p.pixel(Vec3::new(0.6, 1.05, 0.0));
    p.select(None);
    p.move_to(middle);
    assert_eq!(p.tools.hovered(), Some(&Hovered::Target(PickTarget::Bone(1))));
    p.move_to(Vec2::new(2.0, 2.0));
    assert_eq!(p.tools.hovered(), None);
    // Nothing is drawn for a selection that the skeleton does not contain; an undefined position hits
    // nothing.
    p.press(Vec2::NAN);
    assert!(p.tools.drag_button().is_none());
}

#[test]
fn the_camera_gets_its_buttons_and_the_wheel_with_any_tool() {
    let mut p = pointer(Tab::Rig, Some(Part::Bone(1)));
    for chosen in [false, true] {
        if chosen {
            choose(&mut p, Action::NEW_BONE);
        }
        let pixel = Vec2::new(400.0, 300.0);
        let orbit = Navigation::Orbit(Vec2::new(9.0, 0.0));
        let pan = Navigation::Pan(Vec2::new(9.0, 0.0));
        for (button, alt, fine, expected) in [
            (Button::Middle, false, false, orbit),
            (Button::Middle, false, true, pan),
            (Button::Primary, true, false, orbit),
            (Button::Primary, true, true, pan),
            (Button::Secondary, false, false, pan),
        ] {
            p.position = pixel;
            p.modifiers.fine = fine;
            let pressed = Event::Pressed { button, pixel, alt };
            let out = p.frame(&[pressed, Event::Moved((pixel + Vec2::X * 9.0).into())]);
            assert_eq!(out.navigation, [expected], "{button:?} {alt} {fine} {chosen}");
            assert_eq!(out.requests, []);
            p.frame(&[Event::Released { button, pixel }]);
            let notches = 2.0;
            let zoomed = p.frame(&[Event::Wheel(notches)]).navigation;
            assert_eq!(zoomed, [Navigation::Zoom { notches, pixel }]);
        }
        assert_eq!(p.tools.is_chosen(), chosen);
    }
    // A right click ends the chosen tool.
    let (button, pixel, alt) = (Button::Secondary, Vec2::ONE, false);
    p.frame(&[Event::Pressed { button, pixel, alt }, Event::Released { button, pixel }]);
    assert_eq!(p.tools.chosen(), None);
}

/// Returns the bytes of the document and the displayed pose after the handle was dragged along `path`, in
/// world space.
fn dragged(keys: bool, path: &[Vec3]) -> (Vec<u8>, Vec<Vec3>) {
    let mut p = pointer(Tab::Animate, None);
    let pose = |bone, pose_deg| Command::set_bone("m".to_owned(), bone, "pose", pose_deg);
    let poses = [pose(0, Vec3::new(10.0, -20.0, 5.0)), pose(1, Vec3::new(0.0, 15.0, -40.0))];
    p.session.apply(&poses).unwrap();
    if keys {
        let channels = [0, 1].map(|id| ChannelRef::new("m", SkeletonChannel::Bone(id, POSE)));
        let (channels, frame) = (channels.into(), 0.0);
        let set = Command::Keys(KeyCommand::Set { channels, frame, new_mode: Mode::Clamped });
        p.session.apply(&[set]).unwrap();
    }
    let mut evaluator = Evaluator::default();
    let mut displayed = |session: &Session| {
        let evaluated = evaluator.evaluate(session.animated(), &Settings::default());
        let bones = &evaluated.skinned["m"].skeleton.bones;
        bones.iter().map(|bone| bone.pose_deg).collect::<Vec<_>>()
    };
    displayed(&p.session);
    let start = skeleton(&p.session).handles[0].target;
    p.press(p.pixel(start));
    for to in path {
        p.move_to(p.pixel(*to));
        displayed(&p.session);
    }
    p.release();
    (bytes(&p), displayed(&p.session))
}

/// Every frame of a drag starts from the stored pose: the path leaves no trace.
#[test]
fn a_drag_out_of_reach_and_back_changes_nothing() {
    let end = Vec3::new(0.4, 1.2, 0.0);
    let far = [5.0, 1.0, -4.0, -9.0].map(|x| Vec3::new(x, 2.0 - x, 0.0));
    for keys in [false, true] {
        let (bytes, pose) = dragged(keys, &[end]);
        let back = dragged(keys, &[&far[..], &[end]].concat());
        assert!(bytes == back.0, "the same document, keys: {keys}");
        assert_eq!(pose, back.1, "the same pose, keys: {keys}");
    }
}
