//! Eases in the dope sheet: a click on the line between two keys, and a click on a curve.

use super::graph::{self, chosen};
use super::sheet::{desk, nowhere, selected, steps};
use super::support::*;
use egui::{Key, Modifiers, Pos2, vec2};
use ossature::edit::action::Dialog;

const BACK: &str = "Keys > Ease back out";

fn between(desk: &Desk) -> Pos2 {
    desk.center("Key Arm 10").lerp(desk.center("Key Arm 20"), 0.4)
}

#[test]
fn a_click_on_a_line_and_one_on_a_curve_ease() {
    for quick in [false, true] {
        let mut desk = desk();
        let at = between(&desk);
        match quick {
            true => desk.quick_click_at(at),
            false => desk.click_at(at),
        };
        assert_eq!(selected(&desk), ["Key Arm 10"]);
        assert!(desk.rect(BACK).bottom() < at.y, "above the line");
        desk.click(BACK);
        assert_eq!(desk.description("Key Arm 10").as_deref(), Some("ease back out"));
        assert_eq!(steps(&mut desk), ["Make 1 key ease back out"]);
        assert!(!desk.has(BACK) && desk.has_containing("1 key made ease back out"));
    }
}

/// The line of the summary is that of all keys at its start.
#[test]
fn a_line_of_the_summary_eases_the_whole_pose() {
    let mut desk = desk();
    let at = desk.center("Key Summary 10").lerp(desk.center("Key Summary 20"), 0.5);
    desk.click_at(at);
    desk.click("Keys > Make linear");
    assert_eq!(steps(&mut desk), ["Make 4 keys linear"]);
}

#[test]
fn the_curves_go_with_esc_and_with_a_press_elsewhere() {
    let mut desk = desk();
    let at = between(&desk);
    // The curves cover the rows above.
    let elsewhere = nowhere(&desk) + vec2(200.0, 0.0);
    desk.click_at(at);
    desk.key(Key::Escape);
    assert!(!desk.has(BACK) && selected(&desk) == ["Key Arm 10"], "Esc ends the choice alone");
    desk.key(Key::Escape);
    assert!(selected(&desk).is_empty());
    desk.click_at(at);
    desk.click_at(elsewhere);
    assert!(!desk.has(BACK) && selected(&desk).is_empty());
    desk.click_at(at);
    desk.hover(at);
    desk.key(Key::A);
    assert_eq!(selected(&desk).len(), 7, "the other keys go on to the sheet");
    desk.key_with(Modifiers::ALT, Key::A);
    assert!(!desk.has(BACK), "without a key there is nothing to ease");
    desk.double_click_at(at);
    assert!(desk.has(BACK) && desk.session().frame() == 0.0);
    desk.right_click("Key Arm 20");
    assert!(!desk.has(BACK) && desk.has("Keys > Copy"));
    assert!(steps(&mut desk).is_empty());
}

#[test]
fn lines_leave_boxes_shift_and_the_rest_of_the_row_alone() {
    let mut desk = desk();
    let at = between(&desk);
    desk.click_at(at + vec2(0.0, 9.0));
    assert!(!desk.has(BACK) && selected(&desk).is_empty(), "beside the line");
    desk.click("Key Arm 0");
    desk.hold(Modifiers::SHIFT);
    desk.click_at(at);
    desk.hold(Modifiers::NONE);
    assert_eq!(selected(&desk), ["Key Arm 0", "Key Arm 10"]);
    assert!(!desk.has(BACK));
    let to = desk.center("Key Arm 20") + vec2(9.0, 9.0);
    desk.hover(at);
    desk.press(at);
    desk.hover(at.lerp(to, 0.5));
    desk.hover(to);
    desk.release_and_run(to);
    assert_eq!(selected(&desk), ["Key Arm 20"], "a box");
    assert!(!desk.has(BACK));
}

/// A right click between two keys, and a curve from the menu.
#[test]
fn the_menu_has_the_curves_too() {
    let mut desk = desk();
    let at = between(&desk);
    desk.right_click_at(at);
    assert_eq!(selected(&desk), ["Key Arm 10"]);
    desk.click("Keys > Ease");
    desk.frame();
    desk.click(BACK);
    desk.frame();
    assert_eq!(desk.description("Key Arm 10").as_deref(), Some("ease back out"));
    assert_eq!(steps(&mut desk), ["Make 1 key ease back out"]);
}

/// A click on the curve selects the key before, and the button above the curves has its way.
#[test]
fn the_strip_above_the_curves_has_the_eases() {
    let mut desk = graph::desk();
    assert!(!desk.has("Ease of selected keys"), "no key is selected");
    let at = graph::on_x(&mut desk, 15.0);
    desk.click_at(at);
    assert_eq!(chosen(&desk).len(), 3, "the pose at 10: {:?}", chosen(&desk));
    assert!(chosen(&desk).contains(&graph::X10.to_owned()));
    desk.click("Ease of selected keys");
    assert!(desk.rect(BACK).bottom() < desk.rect("Ease of selected keys").bottom());
    desk.click(BACK);
    assert_eq!(steps(&mut desk), ["Make 1 key ease back out"]);
    assert!(!desk.has(BACK));
    // Esc closes the curves alone.
    desk.click("Ease of selected keys");
    desk.key(Key::Escape);
    assert!(!desk.has(BACK) && chosen(&desk).len() == 3);
    desk.key_with(Modifiers::ALT, Key::A);
    assert!(!desk.has("Ease of selected keys"));
}

#[test]
fn the_palette_has_the_eases_too() {
    let mut desk = desk();
    desk.click("Key Arm 10");
    desk.state_mut().panels.open(Dialog::Palette);
    desk.frame();
    desk.frame();
    desk.type_text("ease back out");
    desk.key(Key::Enter);
    desk.frame();
    assert_eq!(desk.description("Key Arm 10").as_deref(), Some("ease back out"));
    assert_eq!(steps(&mut desk), ["Make 1 key ease back out"]);
}
