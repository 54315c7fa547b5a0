//! A selected bone and its rings.

use super::*;
use crate::edit::tool::rotate::Rotate;

/// A bone that has been selected by dragging it is dragged again, from any place on it, and not turned.
#[test]
fn a_selected_bone_is_posed_again_from_any_place_on_it() {
    let mut p = pointer(Tab::Animate, None);
    p.session.apply(&[Command::set_handle("m".to_owned(), 0, "enabled", false)]).unwrap();
    p.viewport = front(Vec3::Y, 3.0);
    // Slightly from the side, so that rings cross the bone.
    (p.viewport.camera.yaw, p.viewport.camera.pitch) = (0.5, 0.4);
    let mut crossings = 0;
    for step in 2..=20 {
        p.select(Some(Part::Bone(1)));
        let place = p.pixel(Vec3::new(step as f32 / 20.0, 1.0, 0.0));
        crossings += usize::from(
            p.with_tools(|_, context| Rotate.shape(context).hit(context.viewport, place).is_some()),
        );
        let poses =
            |p: &Pointer| skeleton(&p.session).bones.iter().map(|bone| bone.pose_deg).collect::<Vec<_>>();
        let before = poses(&p);
        p.press(place);
        p.move_to(place + Vec2::new(-30.0, -40.0));
        assert!(p.tools.hint().starts_with('Δ'), "{step}: {}", p.tools.hint());
        assert_ne!(poses(&p), before, "{step}: its limb follows");
        p.frame(&[Event::Escape]);
        p.release();
        assert_eq!(poses(&p), before);
    }
    assert!(crossings > 1, "rings cross the bone");
}
