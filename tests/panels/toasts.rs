//! Messages over the viewport: they cover no controls, and offer a next step.

use super::support::*;
use egui::{Pos2, Rect, vec2};
use ossature::edit::action::Action;
use ossature::edit::request::Request;
use ossature::edit::select::selection::Part;
use ossature::edit::settings::view::Tab;
use ossature::editor::panels::messages::{Level, Offer};

const SAID: [&str; 3] = [
    "A file could not be opened because it is not what its name says that it is",
    "/a/very/long/path/without/any/space/in/it/that/cannot/be/broken/into/lines/anywhere.js3d is not there",
    "Short",
];

fn say(desk: &mut Desk) {
    for text in SAID {
        desk.state_mut().panels.messages.push(Level::Error, text, "why");
    }
    desk.frame();
    desk.frame();
}

/// Returns a rectangle around all toasts.
fn toasts(desk: &Desk) -> Rect {
    let close = |text: &str| format!("Close {}", text.chars().take(60).collect::<String>());
    let ours = desk.controls().into_iter().filter(|(label, _)| {
        SAID.iter()
            .any(|text| label == text || label.starts_with(&close(text)) || label.starts_with("Details of"))
    });
    ours.fold(Rect::NOTHING, |all, (_, rect)| all.union(rect))
}

#[test]
fn toasts_lie_in_the_viewport_and_a_slider_beside_them_can_be_dragged() {
    for size in [vec2(960.0, 640.0), vec2(1280.0, 800.0), vec2(700.0, 500.0)] {
        let mut desk = Desk::sized(size, Tab::Animate, Some(Part::Bone(1)));
        say(&mut desk);
        let (all, viewport) = (toasts(&desk), desk.rect("Viewport"));
        assert!(all.is_positive() && viewport.contains_rect(all), "{all} in {viewport}");
        let requests = desk.drag("Pose x slider", vec2(-20.0, 0.0));
        assert_eq!(requests.last(), Some(&Request::Commit), "{size}");
    }
}

#[test]
fn the_pointer_goes_through_a_toast_but_for_its_buttons() {
    let mut desk = Desk::with_part(Tab::Rig, None);
    say(&mut desk);
    let text = desk.rect(SAID[0]);
    desk.click_at(text.center());
    assert_eq!(desk.state().viewport_clicks, 1, "the view is clicked");
    let at = desk.center("Close Short");
    desk.click_at(at);
    desk.frame();
    assert_eq!(desk.state().viewport_clicks, 1);
    assert!(!desk.has("Short") && desk.has(SAID[0]));
}

/// Errors stay until they are closed: many of them fill the view, but don't block the controls there.
#[test]
fn toasts_do_not_cover_the_bars_of_the_view() {
    let mut desk = Desk::sized(vec2(760.0, 330.0), Tab::Rig, Some(Part::Bone(1)));
    for _ in 0..2 {
        say(&mut desk);
    }
    let all = toasts(&desk);
    for label in ["Bone display", "Wireframe", "Show skin"] {
        assert!(!all.intersects(desk.rect(label)), "{label}");
    }
}

/// A message that comes while the list of shortcuts fills the view is shown when that is closed.
#[test]
fn the_list_of_shortcuts_is_not_covered_and_delays_what_has_no_room() {
    let mut desk = Desk::sized(vec2(1024.0, 700.0), Tab::Rig, None);
    desk.state_mut().panels.dialogs.keys.toggle();
    desk.frame();
    desk.frame();
    let list = desk.area("Keyboard shortcuts").expect("the list is open");
    desk.state_mut().panels.messages.push(Level::Info, "Short", "");
    // An info of this length disappears after four seconds.
    for _ in 0..600 {
        desk.frame();
    }
    assert!(!desk.has("Short") || !desk.rect("Short").intersects(list));
    desk.state_mut().panels.dialogs.keys.toggle();
    desk.frame();
    desk.frame();
    assert!(desk.has("Short"), "it is not lost");
}

/// 17 characters are read in a second.
#[test]
fn a_long_message_stays_until_it_is_read() {
    let mut desk = Desk::with_part(Tab::Rig, None);
    let long = "A sentence of many words. ".repeat(10);
    for text in ["Short", long.trim()] {
        desk.state_mut().panels.messages.push(Level::Info, text, "");
    }
    desk.frame();
    desk.hover(Pos2::new(2.0, 2.0));
    let seconds_shown = |desk: &mut Desk, text: &str| {
        let mut frames = 0;
        while desk.has(text) && frames < 1000 {
            desk.step();
            frames += 1;
        }
        f64::from(frames) * 0.1
    };
    let short = seconds_shown(&mut desk, "Short");
    let more = seconds_shown(&mut desk, long.trim());
    let expected = (long.trim().len() - "Short".len()) as f64 / 17.0;
    assert!((2.0..4.0).contains(&short), "{short}");
    assert!((more - expected).abs() < 0.5, "{more} seconds more, not {expected}");
}

#[test]
fn an_offer_is_carried_out_once_and_goes_with_the_next_step() {
    let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(1)));
    let offer = |desk: &mut Desk| {
        let offer = Offer {
            text: "Take it back".into(),
            request: Request::Act(Action::UNDO),
            step: desk.session().history().step(),
        };
        let messages = &mut desk.state_mut().panels.messages;
        messages.push_with_offer(Level::Info, "Done", "", Some(offer));
        desk.frame();
    };
    desk.state_mut().act(Action::ADD_BONE);
    offer(&mut desk);
    assert!(desk.has("Take it back"));
    let bones = |desk: &mut Desk| desk.session().scene().skinned_meshes["Body"].skeleton.bones.len();
    let before = bones(&mut desk);
    assert_eq!(desk.click("Take it back"), [Request::Act(Action::UNDO)]);
    desk.frame();
    assert!(bones(&mut desk) == before - 1 && !desk.has("Take it back") && !desk.has("Done"));

    desk.state_mut().act(Action::ADD_BONE);
    offer(&mut desk);
    desk.state_mut().act(Action::ADD_BONE);
    desk.frame();
    assert!(desk.has("Done") && !desk.has("Take it back"), "it would undo another step");
    let nowhere = Pos2::new(2.0, 2.0);
    desk.hover(nowhere);
    for _ in 0..40 {
        desk.frame();
    }
    assert!(!desk.has("Done"), "it disappears by itself");
}
