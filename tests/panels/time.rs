//! Changes of time: the dialogs that ask for a number of frames, and the menus that open them.

use super::sheet::{arm, desk, steps};
use egui::Key;
use ossature::anim::take::Take;
use ossature::edit::action::time::TimeChange;
use ossature::edit::request::Request;

#[test]
fn a_number_is_typed_and_kept_for_the_next_time() {
    let mut desk = desk();
    desk.session().set_frame(10.0);
    desk.frame();
    for (text, change, typed, frames) in [
        ("Insert frames…", TimeChange::Insert, "12", 12),
        ("Hold…", TimeChange::Hold, "", 12),
        ("Remove frames…", TimeChange::Remove, "3", 3),
    ] {
        desk.click("Animation");
        desk.click("Animation > Time");
        desk.click(&format!("Animation > {text}"));
        assert!(desk.state().panels.is_modal(), "{text}");
        desk.frame();
        if !typed.is_empty() {
            desk.type_text(typed);
        }
        assert_eq!(desk.key(Key::Enter), [Request::ChangeTime { change, frames }], "{text}");
        assert!(!desk.state().panels.is_modal(), "{text}");
        assert!(desk.doubled_labels().is_empty(), "{:?}", desk.doubled_labels());
    }
}

#[test]
fn what_is_not_possible_is_said_before_it_is_tried() {
    let mut desk = desk();
    desk.edit_scene(|scene| {
        std::sync::Arc::make_mut(&mut scene.animation).takes.list = vec![Take::new("Step", [4, 8])];
    });
    desk.session().set_frame(4.0);
    desk.frame();
    desk.click("Animation");
    desk.click("Animation > Time");
    desk.click("Animation > Remove frames…");
    desk.frame();
    desk.type_text("5");
    desk.frame();
    assert_eq!(desk.key(Key::Enter), []);
    assert!(desk.state().panels.is_modal() && desk.has_containing("The take Step lies in these frames"));
    desk.click("Cancel");
    assert!(!desk.state().panels.is_modal());
}

#[test]
fn a_take_gets_another_length_by_frames_or_speed() {
    let mut desk = desk();
    desk.edit_scene(|scene| {
        let animation = std::sync::Arc::make_mut(&mut scene.animation);
        animation.takes.list = vec![Take::new("Step", [0, 9])];
        animation.choose_take(Some(0));
    });
    desk.frame();
    desk.right_click("Span of Step");
    desk.click("Span > Retime take…");
    assert!(desk.has("Retime Step"));
    desk.frame();
    desk.type_text("20");
    desk.frame();
    let change = TimeChange::Retime;
    assert_eq!(desk.click("Retime"), [Request::ChangeTime { change, frames: 20 }]);
}

#[test]
fn keys_are_mirrored_in_the_sheet() {
    let mut desk = desk();
    desk.right_click("Key Arm 10");
    desk.click("Keys > Select");
    desk.click("Keys > Select all");
    desk.right_click("Key Arm 10");
    desk.click("Keys > Mirror in time");
    assert_eq!(arm(&mut desk), [0.0, 10.0, 20.0]);
    let step = &steps(&mut desk)[0];
    assert!(step.starts_with("Mirror ") && step.ends_with(" in time"), "{step}");
}
