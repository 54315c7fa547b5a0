//! The strip below the view while a skeleton is fitted: what was found, what to do about it, and buttons to accept or
//! reject it.

use crate::edit::fitting::{FitRequest, Fitting, axis_names, templates};
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::editor::panels::overlays::strip::bottom_strip_ui;
use crate::editor::panels::status::counted;
use crate::editor::ui::choice::{choice_ui, line_ui};
use crate::editor::ui::tooltip::Tip;
use crate::editor::ui::{icons, theme};
use egui::{Button, Key, Label, RichText, Ui, WidgetInfo, WidgetType};

/// The width of the list of templates.
const LIST_WIDTH: f32 = 110.0;

/// The title of the strip.
fn title(fitting: &Fitting) -> String {
    match fitting.bones {
        0 if fitting.busy => "Fitting a skeleton …".into(),
        0 => "No skeleton was found".into(),
        bones => {
            let [up, front] = axis_names(fitting.axes);
            format!("{} fitted, up {up}, front {front}", counted(bones, "bone", "bones"))
        }
    }
}

/// What to do, below the title.
fn advice(fitting: &Fitting) -> &str {
    match fitting {
        Fitting { busy: true, accepts: true, .. } => "It will be accepted when it is ready. Esc rejects it.",
        Fitting { busy: true, bones: 0, .. } => "Enter accepts it as soon as it is ready.",
        Fitting { advice, .. } => advice,
    }
}

/// Shows the strip. Enter accepts the skeleton, at once or as soon as it is ready, unless `takes_keys`.
pub fn fitting_ui(ui: &mut Ui, view: &View, takes_keys: bool, out: &mut Vec<Request>) {
    let Some(fitting) = view.settings.fitting.as_deref() else {
        return;
    };
    let accept = if fitting.busy { Request::Fit(FitRequest::Accept) } else { Request::Commit };
    let may_accept = (fitting.bones > 0 || fitting.busy) && !fitting.accepts;
    if may_accept && !takes_keys && ui.input(|input| input.key_pressed(Key::Enter)) {
        out.push(accept.clone());
    }
    bottom_strip_ui(
        ui,
        "fitting",
        Some(advice(fitting)),
        (icons::BONE, *theme::ACCENT),
        |ui| {
            let title = RichText::new(title(fitting)).strong().color(theme::TEXT_STRONG);
            ui.add(Label::new(title).truncate());
        },
        |ui| {
            let mut button = |text: &str, label: &str, tip: &str, enabled: bool, request: Request| {
                let response = ui.add_enabled(enabled, Button::new(text));
                response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, enabled, label));
                if response.tip(tip).clicked() {
                    out.push(request);
                }
            };
            let tip = "Keep the skeleton with its weights, in one undo step (Enter). One that is being fitted is accepted \
                       as soon as it is ready.";
            button("Accept", "Accept the skeleton", tip, may_accept, accept);
            let tip = "Remove the skeleton again (Esc).";
            button("Reject", "Reject the skeleton", tip, true, Request::Fit(FitRequest::End));
            let tip = "The body faces another side: a quarter turn.";
            button("Turn", "Turn the skeleton", tip, true, Request::Fit(FitRequest::Turn));
            let tip = "Another side of the body is up: a quarter turn forwards.";
            button("Tip over", "Tip the skeleton over", tip, true, Request::Fit(FitRequest::Tip));
            let placed = fitting.placed.contains(&true);
            let tip = "Forget the joints that were placed by hand.";
            button("Reset", "Reset joints", tip, placed, Request::Fit(FitRequest::Reset));
            let tip = "The kind of skeleton that is fitted.";
            // It is chosen by the fit.
            let template = if fitting.template.is_empty() { "Template" } else { &fitting.template };
            choice_ui(ui, "fitting", "Template", tip, template, LIST_WIDTH, |ui| {
                for name in templates(view.session.scene_before(), &fitting.mesh) {
                    if line_ui(ui, "Template", name, name == fitting.template) {
                        out.push(Request::Fit(FitRequest::Template(name.to_owned())));
                    }
                }
            });
        },
    );
}
