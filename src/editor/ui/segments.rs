//! Segmented buttons of which one is on: a choice between actions that are switches.

use super::action::{name, with_tooltip};
use super::theme;
use crate::edit::action::Action;
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use egui::{Button, CornerRadius, RichText, Stroke, Ui, WidgetType, vec2};

const WIDTH: f32 = 54.0;

/// Shows the buttons. Each is labelled with the text of its action, whatever text it shows. `why_off`: why none of them
/// applies now; then they are disabled, and none is on.
pub fn segments_ui(
    ui: &mut Ui,
    view: &View,
    segments: &[(Action, &str)],
    why_off: Option<&'static str>,
    out: &mut Vec<Request>,
) {
    let gap = std::mem::replace(&mut ui.spacing_mut().item_spacing.x, 1.0);
    for (i, (action, text)) in segments.iter().enumerate() {
        let why_not = why_off.map(Into::into).or(action.enabled(view).err());
        let selected = why_off.is_none() && action.checked(view) == Some(true);
        let (ink, fill) = theme::switch(selected);
        let mut corners = CornerRadius::ZERO;
        if i == 0 {
            (corners.nw, corners.sw) = (theme::RADIUS, theme::RADIUS);
        }
        if i + 1 == segments.len() {
            (corners.ne, corners.se) = (theme::RADIUS, theme::RADIUS);
        }
        let button = Button::new(RichText::new(*text).color(ink))
            .fill(theme::fill_if(why_not.is_none(), fill))
            .stroke(Stroke::NONE)
            .corner_radius(corners)
            .min_size(vec2(WIDTH, theme::ROW));
        let response =
            ui.add_enabled_ui(why_not.is_none(), |ui| ui.add_sized(vec2(WIDTH, theme::ROW), button)).inner;
        name(&response, WidgetType::RadioButton, action.text, Some(selected), why_not.as_deref());
        if response.clicked() && !selected {
            out.push(Request::Act(*action));
        }
        with_tooltip(response, *action, why_not.as_deref());
    }
    ui.spacing_mut().item_spacing.x = gap;
}
