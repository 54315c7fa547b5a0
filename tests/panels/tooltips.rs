//! Tooltips: each says more than its label, covers no control of its panel, and none shows during or after a drag.

use super::support::*;
use egui::{Pos2, Rect, vec2};
use ossature::edit::select::selection::Part;
use ossature::edit::settings::view::Tab;

const SCREENS: [(Tab, Part); 4] = [
    (Tab::Rig, Part::Bone(1)),
    (Tab::Rig, Part::Base),
    (Tab::Animate, Part::Bone(1)),
    (Tab::Animate, Part::Handle(0)),
];

fn screen(tab: Tab, part: Part) -> Desk {
    let mut desk = Desk::sized(vec2(1280.0, 800.0), tab, Some(part));
    desk.edit_scene(|scene| add_weights(scene, 8));
    desk.frame();
    desk
}

/// Rests the pointer on a control, and returns its tooltip, if it has one: the texts in it and its place.
fn tooltip(desk: &mut Desk, control: Rect) -> Option<(Vec<String>, Rect)> {
    desk.hover(Pos2::new(640.0, 500.0));
    desk.frame();
    desk.hover(control.center());
    for _ in 0..4 {
        desk.frame();
    }
    let place = *desk.tooltips().first()?;
    let texts = desk.painted().into_iter();
    let within = texts.filter(|(_, rect)| place.expand(1.0).contains_rect(*rect));
    Some((within.map(|(text, _)| text).collect(), place))
}

/// Lower case, without what labels have for the sake of unique names.
fn plain(text: &str) -> String {
    let text = text.to_lowercase();
    let text = text.trim_end_matches(['.', '…']);
    let text = text.trim_end_matches(" field").trim_end_matches(" slider");
    text.to_owned()
}

#[test]
fn no_tooltip_repeats_its_label_or_covers_a_control_of_its_panel() {
    let mut tooltips = 0;
    for (tab, part) in SCREENS {
        let mut desk = screen(tab, part);
        let window = Rect::from_min_size(Pos2::ZERO, vec2(1280.0, 800.0));
        let view = desk.rect("Viewport");
        for (label, rect) in desk.controls() {
            if label == "Viewport"
                || label == HINT
                || !window.contains_rect(rect)
                || label.contains("divider")
            {
                continue;
            }
            let Some((texts, place)) = tooltip(&mut desk, rect) else {
                continue;
            };
            tooltips += 1;
            assert!(!texts.is_empty(), "{label}");
            let repeats = texts.iter().all(|text| plain(text) == plain(&label));
            assert!(!repeats, "{tab:?} {part:?}: {label}: {texts:?}");
            assert!(!place.intersects(rect), "{label} at {rect}: {texts:?} at {place}");
            let beside_view = view.y_range().contains(rect.center().y);
            let in_dock = beside_view && !view.x_range().contains(rect.center().x);
            let beside = match rect.center().x < view.center().x {
                true => place.left() >= view.left() - 1.0,
                false => place.right() <= view.right() + 1.0,
            };
            assert!(!in_dock || beside, "{label} at {rect}: {texts:?} at {place}");
            let is_over_view = beside_view && view.x_range().contains(rect.center().x);
            let over_dock = place.left() < view.left() - 1.0 || place.right() > view.right() + 1.0;
            assert!(!is_over_view || !over_dock, "{label} at {rect}: {texts:?} at {place}");
        }
    }
    assert!(tooltips > 100, "{tooltips}");
}

#[test]
fn tooltips_show_after_a_rest_and_not_after_a_drag() {
    let mut desk = screen(Tab::Rig, Part::Bone(1));
    let at = desk.center("Radius slider");
    let about = "Drag; Shift is finer. Double-click the knob to reset.";
    desk.hover(Pos2::new(640.0, 500.0));
    desk.hover(at);
    desk.step();
    assert!(!desk.has(about), "not at once");
    for _ in 0..4 {
        desk.frame();
    }
    assert!(desk.has(about), "after a rest");
    let end = at + vec2(-30.0, 0.0);
    desk.press(at);
    desk.hover(at + vec2(-20.0, 0.0));
    desk.hover(end);
    for _ in 0..4 {
        desk.frame();
        assert!(!desk.has(about), "during the drag");
    }
    desk.release_and_run(end);
    for _ in 0..6 {
        desk.frame();
        assert!(!desk.has(about), "after the drag");
    }
    desk.hover(end + vec2(20.0, 0.0));
    for _ in 0..4 {
        desk.frame();
    }
    assert!(desk.has(about), "after another rest");
}

/// On a slow machine, the release may come seconds after the press.
#[test]
fn a_long_press_without_movement_is_a_click() {
    let mut desk = screen(Tab::Rig, Part::Bone(1));
    for (label, seconds) in [("Viewport", 1), ("Viewport", 5)] {
        let at = desk.center(label);
        let clicks = desk.state().viewport_clicks;
        desk.hover(at);
        desk.press(at);
        for _ in 0..seconds * 10 {
            desk.step();
        }
        desk.release_and_run(at);
        assert_eq!(desk.state().viewport_clicks, clicks + 1, "{seconds} s");
    }
    let at = desk.center("Wireframe");
    let before = desk.toggled("Wireframe");
    desk.hover(at);
    desk.press(at);
    for _ in 0..20 {
        desk.step();
    }
    desk.release_and_run(at);
    assert_ne!(desk.toggled("Wireframe"), before);
}
