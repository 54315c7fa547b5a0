//! The ruler over the dope sheet: scrubbing, and the ends of the play range.

use super::sheet::{desk, per_frame, selected, steps};
use super::support::*;
use egui::{Key, Modifiers, Pos2, vec2};
use ossature::edit::action::Action;

#[test]
fn a_drag_in_the_ruler_goes_through_whole_frames() {
    let mut desk = desk();
    let ruler = desk.rect("Ruler of frames");
    let x = |desk: &Desk, frame: f32| desk.center("Key Arm 0").x + frame * per_frame(desk);
    let y = ruler.bottom() - 6.0;
    let at = Pos2::new(x(&desk, 12.3), y);
    desk.hover(at);
    desk.press(at);
    desk.frame();
    assert_eq!(desk.session().frame(), 12.0, "from the press on");
    for (frame, shown) in [(12.6, 13.0), (30.4, 30.0), (-20.0, 0.0), (2000.0, 95.0)] {
        desk.hover(Pos2::new(x(&desk, frame), y));
        desk.frame();
        assert_eq!(desk.session().frame(), shown);
    }
    desk.release_and_run(at);
    assert!(steps(&mut desk).is_empty());
    desk.quick_click_at(at);
    assert_eq!(desk.session().frame(), 12.0, "press and release in one frame");
}

#[test]
fn the_ends_of_the_play_range_are_dragged() {
    let mut desk = desk();
    let by = per_frame(&desk);
    desk.drag("End of play range", vec2(-15.0 * by, 0.0));
    let range = |desk: &mut Desk| desk.session().scene().animation.clip.range;
    assert_eq!(range(&mut desk), Some([0, 80]));
    desk.drag("Start of play range", vec2(4.0 * by, 0.0));
    assert_eq!(range(&mut desk), Some([4, 80]));
    assert_eq!(steps(&mut desk), ["Play frames 4 to 80", "Play frames 0 to 80"]);
    desk.drag_and_give_up("End of play range", vec2(-60.0, 0.0), GiveUp::Escape);
    assert_eq!((range(&mut desk), steps(&mut desk).len()), (Some([4, 80]), 2));
    desk.right_click("Ruler of frames");
    desk.click("Ruler > Play all frames");
    assert_eq!(range(&mut desk), None);
}

#[test]
fn a_quick_drag_of_an_end_of_the_play_range_does_not_scrub() {
    let mut desk = desk();
    let from = desk.center("End of play range");
    let to = from - vec2(15.0 * per_frame(&desk), 0.0);
    desk.quick_press(from, to);
    desk.hover(to);
    desk.release_and_run(to);
    assert_eq!(desk.session().scene().animation.clip.range, Some([0, 80]));
    assert_eq!(desk.session().frame(), 0.0);
}

#[test]
fn the_ruler_counts_frames_or_seconds() {
    let mut desk = desk();
    desk.click("Show seconds");
    let at = desk.center("Key Arm 10");
    desk.hover(at);
    desk.press(at);
    desk.hover(at + vec2(12.0 * per_frame(&desk), 0.0));
    desk.frame();
    assert!(desk.has("+0.50 s"));
    desk.release_and_run(at);
}

/// Keys are selected by an edit, and the view was pressed last: scrubbing changes neither.
#[test]
fn a_click_on_the_ruler_moves_time_and_nothing_else() {
    let mut desk = desk();
    let (view, ruler) = (desk.center("Viewport"), desk.rect("Ruler of frames"));
    let at = Pos2::new(ruler.center().x, ruler.bottom() - 6.0);
    desk.click("Key Arm 10");
    desk.click_at(view);
    let keys = selected(&desk);
    desk.click_at(at);
    assert!(desk.session().frame() > 0.0 && selected(&desk) == keys);
    for over in [at, view] {
        desk.hover(over);
        let tween = desk.key(Key::T);
        assert!(steps(&mut desk).is_empty(), "no key became linear: {:?}", steps(&mut desk));
        assert!(desk.state().panels.accepts(Action::PASTE_POSE) && tween.is_empty());
    }
    // Keys that were worked on before the click stay as they are, and can be pasted after it.
    desk.click("Key Arm 10");
    desk.click_at(at);
    desk.hover(at);
    assert!(
        desk.key(Key::T).is_empty() && steps(&mut desk).is_empty(),
        "a scrub, then T: {:?}",
        steps(&mut desk)
    );
    desk.click("Key Arm 10");
    desk.key_with(Modifiers::COMMAND, Key::C);
    desk.click_at(at);
    desk.key_with(Modifiers::COMMAND, Key::V);
    assert_eq!(steps(&mut desk), ["Paste 1 key"]);
}
