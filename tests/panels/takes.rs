//! Takes: the menu in the play controls, and the spans below the ruler.

use super::sheet::{animate, per_frame, steps};
use super::support::*;
use egui::{Key, vec2};
use ossature::anim::take::{Take, Takes};
use ossature::edit::settings::view::Tab;
use std::sync::Arc;

fn desk() -> Desk {
    let mut desk = Desk::new(Tab::Animate);
    desk.edit_scene(|scene| {
        animate(scene);
        let list = vec![Take::new("Idle", [0, 10]), Take::new("Walk", [20, 44])];
        Arc::make_mut(&mut scene.animation).takes = Takes { list, chosen: None };
    });
    desk.frame();
    desk
}

fn takes(desk: &mut Desk) -> Takes {
    desk.session().scene().animation.takes.clone()
}

fn chosen(desk: &mut Desk) -> Option<String> {
    takes(desk).chosen().map(|take| take.name.clone())
}

fn range(desk: &mut Desk) -> Option<[u32; 2]> {
    desk.session().scene().animation.clip.range
}

#[test]
fn a_take_is_chosen_in_the_play_controls() {
    let mut desk = desk();
    assert_eq!(desk.value("Take").as_deref(), Some("All"));
    desk.click("Take");
    desk.click("Take: Walk");
    assert_eq!(desk.value("Take").as_deref(), Some("Walk"));
    assert_eq!((range(&mut desk), desk.session().frame()), (Some([20, 44]), 20.0));
    assert_eq!(steps(&mut desk), ["Play take Walk"]);
    desk.click("Take");
    desk.click("Take: All frames");
    assert_eq!((range(&mut desk), chosen(&mut desk)), (None, None));
    desk.drag("End of play range", vec2(-15.0 * per_frame(&desk), 0.0));
    assert_eq!(desk.value("Take").as_deref(), Some("Some frames"));
    assert_eq!(desk.doubled_labels(), Vec::<String>::new());
}

#[test]
fn a_new_take_is_named_at_once() {
    let mut desk = desk();
    desk.drag("End of play range", vec2(-15.0 * per_frame(&desk), 0.0));
    desk.click("Take");
    desk.click("Take > New take");
    assert_eq!(desk.value("Name of take").as_deref(), Some("Take"));
    desk.type_text("Run");
    desk.key(Key::Enter);
    assert_eq!(desk.value("Take").as_deref(), Some("Run"));
    assert_eq!(takes(&mut desk).get("Run").unwrap().range, [0, 80]);
    desk.click("Take");
    desk.click("Take > Rename take");
    desk.type_text("Nobody");
    desk.key(Key::Escape);
    assert_eq!(desk.value("Take").as_deref(), Some("Run"));
    desk.click("Take");
    desk.click("Take > Rename take");
    desk.type_text("Walk");
    desk.key(Key::Enter);
    assert_eq!(chosen(&mut desk).as_deref(), Some("Walk 2"));
    desk.click("Take");
    desk.click("Take > Delete take");
    assert_eq!((takes(&mut desk).list.len(), range(&mut desk)), (2, Some([0, 80])));
    assert_eq!(
        steps(&mut desk),
        [
            "Delete take Walk 2",
            "Rename take Run to Walk 2",
            "Rename take Take to Run",
            "Add take Take",
            "Play frames 0 to 80"
        ]
    );
}

#[test]
fn spans_lie_below_the_ruler_and_play_their_take() {
    let mut desk = desk();
    let (ruler, idle, walk) =
        (desk.rect("Ruler of frames"), desk.rect("Span of Idle"), desk.rect("Span of Walk"));
    assert!(idle.top() >= ruler.bottom() && idle.right() < walk.left());
    assert!(walk.bottom() <= desk.rect("Key Summary 10").center().y);
    assert_eq!(desk.toggled("Span of Walk"), Some(false));
    desk.click("Span of Walk");
    assert_eq!((chosen(&mut desk).as_deref(), desk.toggled("Span of Walk")), (Some("Walk"), Some(true)));
    desk.right_click("Span of Idle");
    assert_eq!(chosen(&mut desk).as_deref(), Some("Idle"));
    desk.click("Span > Delete take");
    assert!(!desk.has("Span of Idle"));
    desk.double_click("Span of Walk");
    assert!(desk.has("Name of take"));
}

#[test]
fn ends_of_spans_are_dragged() {
    let mut desk = desk();
    let by = per_frame(&desk);
    desk.drag("End of Idle", vec2(5.0 * by, 0.0));
    assert_eq!(takes(&mut desk).list[0].range, [0, 15]);
    desk.drag("Start of Walk", vec2(-10.0 * by, 0.0));
    assert_eq!(takes(&mut desk).list[1].range, [10, 44]);
    assert!(desk.rect("Span of Walk").top() > desk.rect("Span of Idle").bottom(), "they overlap");
    assert_eq!((chosen(&mut desk), range(&mut desk)), (None, None), "the play range stays");
    desk.click("Span of Walk");
    desk.drag("End of Walk", vec2(-60.0 * by, 0.0));
    assert_eq!((takes(&mut desk).list[1].range, range(&mut desk)), ([10, 10], Some([10, 10])));
    desk.drag_and_give_up("End of Idle", vec2(5.0 * by, 0.0), GiveUp::Escape);
    assert_eq!(takes(&mut desk).list[0].range, [0, 15]);
    assert_eq!(
        steps(&mut desk),
        ["Make take Walk 10 to 10", "Play take Walk", "Make take Walk 10 to 44", "Make take Idle 0 to 15"]
    );
}
