//! The panel of the Compare view.

use super::support::*;
use egui::{Pos2, vec2};
use ossature::edit::action::Action;
use ossature::edit::compare::{CompareSettings, Curves, Layout, SideChoice};
use ossature::edit::request::Request;
use ossature::edit::settings::view::Tab;
use ossature::editor::panels::compare::{Caption, Numbers, SideStatus};
use ossature::editor::ui::theme;
use ossature::mesh::measure::Deformation;
use ossature::rig::skinning::Method;
use ossature::rig::weights::method;
use ossature::scene::compare::{Compare, Variant};
use ossature::scene::evaluate::{Evaluator, Settings};
use std::sync::Arc;

fn found(volume: f64, stretch: f64) -> Deformation {
    Deformation { volume: Some(volume), stretch, vertex: None }
}

/// Returns a comparison with numbers and curves of eleven frames from 10 on, at frame 12.
fn desk() -> Desk {
    let mut desk = Desk::with_part(Tab::Animate, None);
    let app = desk.state_mut();
    app.settings.compare.on = true;
    app.session.set_frame(12.0);
    let sides = [Some(found(0.642, 1.152)), Some(found(0.997, 1.52))];
    let compare = &mut app.panels.compare;
    compare.name = "Body at home".into();
    compare.numbers = Some(Numbers { frame: 12.0, sides });
    compare.curves = Curves { first: 10, frames: vec![Some(sides); 11] };
    compare.measured = 11;
    desk.frame();
    desk.frame();
    desk
}

#[test]
fn it_is_there_in_the_animate_tab_while_it_is_on() {
    let mut desk = Desk::with_part(Tab::Animate, None);
    assert!(!desk.has("Left skinning"));
    desk.click("View");
    let asked = desk.click("View > Compare");
    assert_eq!(asked, [Request::Act(Action::TOGGLE_COMPARE)]);
    desk.frame();
    assert!(desk.has("Left skinning") && desk.has("Right weights"));
    assert_eq!(desk.value("Left skinning").as_deref(), Some("Linear blend"));
    assert_eq!(desk.value("Right skinning").as_deref(), Some("Dual quaternions"));
    assert_eq!(desk.value("Left weights").as_deref(), Some("As stored"));
    desk.state_mut().settings.tab = Tab::Rig;
    desk.frame();
    assert!(!desk.has("Left skinning"));
    desk.state_mut().settings.tab = Tab::Animate;
    desk.frame();
    let asked = desk.click("Close Compare");
    assert_eq!(asked, [Request::Act(Action::TOGGLE_COMPARE)]);
    desk.frame();
    assert!(!desk.has("Left skinning"));
}

#[test]
fn in_the_rig_tab_it_says_why_not() {
    let mut desk = Desk::with_part(Tab::Rig, None);
    desk.click("View");
    assert!(desk.is_disabled("View > Compare"));
    assert!(desk.description("View > Compare").unwrap().contains("Animate"));
}

#[test]
fn each_side_chooses_its_skinning_and_its_weights() {
    let mut desk = desk();
    let on = |left: SideChoice, right: SideChoice| {
        Request::Compare(CompareSettings { on: true, sides: [left, right], ..CompareSettings::default() })
    };
    let [left, right] = CompareSettings::default().sides;
    let half = Method::try_from(0.5).ok();
    let cases = [
        ("Left skinning", "As stored", on(SideChoice { skinning: None, ..left }, right)),
        ("Left skinning", "Half of each", on(SideChoice { skinning: half, ..left }, right)),
        (
            "Right weights",
            "Heat diffusion",
            on(
                SideChoice { skinning: half, ..left },
                SideChoice { weights: Some(method::Method::heat(Some(4))), ..right },
            ),
        ),
    ];
    for (list, line, expected) in cases {
        desk.click(list);
        let asked = desk.click(&format!("{list}: {line}"));
        assert_eq!(asked, [expected], "{list}: {line}");
    }
    assert!(!desk.has("Left exponent"));
    let power = method::Method::power(3.0);
    desk.state_mut().settings.compare.sides[0].weights = Some(power);
    desk.frame();
    assert_eq!(desk.fill("Left exponent"), Some(*theme::FIELD), "it looks like a field");
    let (field, list) = (desk.rect("Left exponent"), desk.rect("Left weights"));
    assert!(field.top() - list.bottom() < 12.0, "it is just below: {field}");
    let asked = desk.drag("Left exponent", vec2(60.0, 0.0));
    let Some(Request::Compare(next)) = asked.last() else { panic!("{asked:?}") };
    let exponent = next.sides[0].weights.unwrap().params().next().unwrap().1;
    assert!(exponent > 3.5 && exponent <= 10.0 && next.sides[1].skinning == right.skinning, "{exponent}");
}

#[test]
fn the_numbers_are_named_by_side() {
    let mut desk = desk();
    for label in [
        "Left volume 64.2 %",
        "Right volume 99.7 %",
        "Left stretch 1.152",
        "Right stretch 1.520",
        "At frame 12",
    ] {
        assert!(desk.has(label), "{label}");
    }
    assert_eq!(desk.value("Volume plot").as_deref(), Some("frame 12: left 64.2 %, right 99.7 %"));
    let open = Deformation { volume: None, stretch: 1.0, vertex: None };
    let compare = &mut desk.state_mut().panels.compare;
    compare.numbers = Some(Numbers { frame: 1.0, sides: [Some(open); 2] });
    compare.curves.frames = vec![Some([Some(open); 2]); 11];
    desk.frame();
    assert!(desk.has("Left volume not closed") && !desk.has("Volume plot") && desk.has("Stretch plot"));
    desk.state_mut().panels.compare.forget_curves();
    desk.frame();
    assert!(!desk.has("Stretch plot") && desk.has_containing("Nothing is animated"));
}

#[test]
fn a_press_in_a_plot_goes_to_the_frame_there() {
    let mut desk = desk();
    let plot = desk.rect("Stretch plot");
    let right = Pos2::new(plot.right() - 1.0, plot.center().y);
    let asked = desk.click_at(right);
    assert!(asked.contains(&Request::SetFrame(20.0)), "{asked:?}");
    // A click on the current frame requests nothing.
    desk.session().set_frame(20.0);
    desk.frame();
    assert_eq!(desk.click_at(right), []);
    let middle = desk.click("Volume plot");
    let asked = middle.iter().any(|r| matches!(r, Request::SetFrame(f) if (14.0..=16.0).contains(f)));
    assert!(asked, "{middle:?}");
}

#[test]
fn work_under_way_and_failures_are_said() {
    let mut desk = desk();
    let compare = &mut desk.state_mut().panels.compare;
    compare.status =
        [SideStatus::CalculatingWeights(0.4), SideStatus::Failed("Tube weights are for tubes.".into())];
    compare.measured = 3;
    desk.frame();
    assert!(desk.has_containing("40 %") && desk.has("Tube weights are for tubes."));
    assert!(desk.has("Measuring: 3 of 11 frames"));
}

/// The side that can be shown keeps its numbers; the other reports why it has none.
#[test]
fn a_side_that_cannot_be_shown_leaves_the_other_alone() {
    let mut desk = desk();
    let why = "Tube weights are for tubes.";
    let compare = &mut desk.state_mut().panels.compare;
    compare.status[1] = SideStatus::Failed(why.into());
    let sides = [Some(found(0.642, 1.152)), None];
    compare.numbers = Some(Numbers { frame: 12.0, sides });
    compare.curves.frames = vec![Some(sides); 11];
    compare.captions = Some([caption(SideStatus::Ready), caption(SideStatus::Failed(why.into()))]);
    desk.frame();
    assert!(desk.has("Left volume 64.2 %") && desk.has("Left stretch 1.152"));
    assert!(desk.has("Right volume –") && desk.has("Right stretch –"));
    assert!(desk.has(why) && desk.has(&format!("Right: {why}")));
    assert_eq!(desk.value("Volume plot").as_deref(), Some("frame 12: left 64.2 %"));
    assert!(!desk.has_containing("Nothing is animated"));
    // The reason is in its own half.
    let viewport = desk.rect("Viewport");
    assert!(desk.rect(&format!("Right: {why}")).left() > viewport.center().x);
}

fn caption(status: SideStatus) -> Caption {
    Caption { text: "Linear blend".into(), status }
}

#[test]
fn beside_or_split_by_a_line_that_can_be_dragged() {
    let mut desk = desk();
    desk.state_mut().panels.compare.captions = Some([0, 1].map(|_| caption(SideStatus::Ready)));
    desk.frame();
    assert!(!desk.has("Split line"));
    let asked = desk.click("Split");
    let Some(Request::Compare(settings)) = asked.last() else { panic!("{asked:?}") };
    assert_eq!((settings.layout, settings.line), (Layout::Split, 0.5));
    desk.frame();
    assert_eq!(desk.click("Split"), []);
    let viewport = desk.rect("Viewport");
    let line = desk.rect("Split line").center().x;
    assert!((line - viewport.center().x).abs() < 1.0);
    // The captions are on either side of the line.
    assert!(desk.rect("Left: Linear blend").right() < line && line < desk.rect("Right: Linear blend").left());
    desk.drag("Split line", vec2(0.25 * viewport.width(), 0.0));
    let line = desk.state().settings.compare.line;
    assert!((line - 0.75).abs() < 0.01, "{line}");
    desk.drag("Split line", vec2(viewport.width(), 0.0));
    assert_eq!(desk.state().settings.compare.line, 0.95);
    assert_eq!(desk.state().viewport_clicks, 0);
    let asked = desk.click("Side by side");
    let Some(Request::Compare(settings)) = asked.last() else { panic!("{asked:?}") };
    assert_eq!(settings.layout, Layout::SideBySide);
    desk.frame();
    assert!(!desk.has("Split line"));
}

/// The numbers next to both plots end at the same place, so that frames line up.
#[test]
fn frames_of_both_plots_stand_above_each_other() {
    let mut desk = desk();
    let curves = &mut desk.state_mut().panels.compare.curves;
    curves.frames = vec![curves.frames[0]; 201];
    desk.frame();
    let frames = ["Volume plot", "Stretch plot"].map(|label| {
        let plot = desk.rect(label);
        let at = Pos2::new(plot.left() + 0.3 * plot.width(), plot.center().y);
        let asked = desk.click_at(at);
        desk.session().set_frame(12.0);
        desk.frame();
        let frame = asked.iter().find(|r| matches!(r, Request::SetFrame(_)));
        frame.cloned().expect("a press in a plot sets the frame")
    });
    assert_eq!(frames[0], frames[1]);
}

#[test]
fn the_legend_of_the_weights_view_leaves_the_captions_free() {
    let mut desk = Desk::with_part(Tab::Animate, None);
    desk.state_mut().settings.display.weights_view = true;
    desk.state_mut().settings.compare.on = true;
    let compare = Compare {
        mesh: "Body".into(),
        instance: "Body at home".into(),
        sides: [Some(Variant::default()), Some(Variant::default())],
    };
    let settings = Settings { compare: Some(Arc::new(compare)), ..Settings::default() };
    let app = desk.state_mut();
    app.evaluated = Evaluator::default().evaluate(app.session.scene(), &settings);
    assert!(app.evaluated.compare.is_some());
    desk.state_mut().panels.compare.captions = Some([0, 1].map(|_| caption(SideStatus::Ready)));
    desk.frame();
    desk.frame();
    let (caption, legend) = (desk.rect("Right: Linear blend"), desk.rect("Strongest bone"));
    assert!(legend.top() > caption.bottom(), "{caption} {legend}");
}

#[test]
fn everything_has_its_place_and_its_name() {
    for size in [vec2(1280.0, 800.0), vec2(720.0, 480.0)] {
        let mut desk = desk();
        desk.state_mut().panels.compare.captions = Some([0, 1].map(|_| caption(SideStatus::Ready)));
        desk.resize(size);
        desk.frame();
        assert!(desk.has("Left: Linear blend") && desk.has("Right: Linear blend"));
        assert_eq!(desk.doubled_labels(), Vec::<String>::new());
        assert_eq!(desk.outside(), Vec::<String>::new(), "at {size}");
    }
    let desk = desk();
    let [plot, properties] = ["Stretch plot", "Properties divider"].map(|label| desk.rect(label));
    assert!(plot.bottom() < properties.bottom(), "{plot}");
}
