//! The keys of motion paths under the pointer.

use super::*;
use crate::edit::tool::rotate::Rotate;

#[test]
fn a_key_of_a_path_says_its_frame_and_is_dragged() {
    let mut p = pointer(Tab::Animate, Some(Part::Bone(1)));
    p.session.apply(&[Command::set_handle("m".into(), 0, "enabled", false)]).unwrap();
    let point = key_of_path(&mut p);
    let (start, from) = (point_at(&mut p, 0.0), p.pixel(point));
    p.move_to(from);
    assert_eq!(p.tools.label().as_deref(), Some("Frame 20"));
    assert_eq!(p.tools.cursor(), Cursor::Grab);
    let before = bytes(&p);
    p.press(from);
    // Within reach, since the bone turns about its head.
    let goal = Vec3::new(0.6, 1.8, 0.0);
    let moved = p.pixel(goal);
    p.move_to(moved);
    assert!(p.session.in_transaction());
    let reached = point_at(&mut p, 20.0);
    let shown = p.pixel(reached);
    assert!(shown.distance(moved) < 0.5 * from.distance(moved), "{shown} is not {moved}");
    assert_eq!((p.session.frame(), point_at(&mut p, 0.0)), (10.0, start));
    p.frame(&[Event::Escape]);
    assert!(bytes(&p) == before && !p.session.in_transaction());

    p.release();
    p.press(from);
    p.move_to(moved);
    p.release();
    assert_eq!(p.steps(), ["Drag path of bone 1 at frame 20"]);
    p.session.undo();
    assert!(bytes(&p) == before);
}

#[test]
fn keys_of_hidden_paths_and_of_the_current_frame_are_not_there() {
    let mut p = pointer(Tab::Animate, Some(Part::Bone(1)));
    let point = key_of_path(&mut p);
    let pixel = p.pixel(point);
    p.session.set_frame(20.0);
    p.move_to(pixel);
    assert_eq!(p.tools.label(), None);
    p.session.set_frame(10.0);
    p.move_to(pixel);
    assert!(p.tools.label().is_some());
    p.settings.display.motion_paths = false;
    p.paths.clear();
    p.move_to(pixel);
    assert_eq!(p.tools.label(), None);
}

/// A short path lies under the rings of its bone: wherever one passes a key, the key is meant.
#[test]
fn a_key_of_a_path_is_in_front_of_rings() {
    let mut p = pointer(Tab::Animate, Some(Part::Bone(1)));
    p.session.apply(&[Command::set_handle("m".into(), 0, "enabled", false)]).unwrap();
    let point = key_of_path(&mut p);
    let passes_ring = |p: &mut Pointer| {
        let pixel = p.pixel(point);
        p.with_tools(|_, context| Rotate.shape(context).hit(context.viewport, pixel).is_some())
    };
    let mut distances = (20..200).map(|tenths| tenths as f32 / 10.0);
    let is_passed = distances.any(|distance| {
        p.viewport = front(Vec3::Y, distance);
        passes_ring(&mut p)
    });
    assert!(is_passed, "a ring passes the key at some distance");
    let from = p.pixel(point);
    p.move_to(from);
    assert_eq!(p.tools.label().as_deref(), Some("Frame 20"));
    p.press(from);
    p.move_to(from + Vec2::new(30.0, 0.0));
    p.release();
    assert_eq!(p.steps(), ["Drag path of bone 1 at frame 20"]);
}
