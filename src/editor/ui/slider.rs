//! The slider next to a number: it shows a soft range, which the number itself may exceed.
//!
//! Pressing the knob never moves it, so that a double-click on the knob only resets; pressing the rail moves
//! the knob there. Shift is ten times finer.

use super::digits::display_number;
use super::fields::{Converters, Edit, Fields, Travel};
use super::number::Number;
use super::theme;
use crate::editor::ui::tooltip::Tip;
use egui::{CursorIcon, PointerButton, Rect, Response, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

const KNOB_RADIUS: f32 = 6.0;
/// The distance from the knob's middle that still counts as the knob.
const GRIP: f32 = KNOB_RADIUS + 3.0;

/// Returns the range that the rail shows: `soft`, widened by halves of itself until it contains `value`.
pub fn widened(soft: [f64; 2], value: f64) -> [f64; 2] {
    let half = ((soft[1] - soft[0]) / 2.0).max(1e-6);
    let mut range = soft;
    if value > range[1] {
        range[1] += ((value - range[1]) / half).ceil() * half;
    }
    if value < range[0] {
        range[0] -= ((range[0] - value) / half).ceil() * half;
    }
    range
}

/// A slider of `width` for `number`, labelled "<label> slider".
#[expect(clippy::too_many_arguments, reason = "as the number field, and the range")]
pub fn slider_ui<T, R: From<Edit<T>>>(
    ui: &mut Ui,
    fields: &mut Fields<T>,
    number: &Number,
    value: f64,
    soft: [f64; 2],
    width: f32,
    out: &mut Vec<R>,
    converters: Converters<'_, T>,
) -> Response {
    let label = format!("{} slider", number.label);
    let id = fields.id(&label);
    let (rect, _) = ui.allocate_exact_size(vec2(width, theme::ROW), Sense::hover());
    // Not focusable: Tab moves from number to number.
    let response = ui.interact(rect, id, Sense::DRAG);
    let value = if value.is_finite() { value } else { 0.0 };
    let start = fields.drag_start(id).unwrap_or(value);
    let range = widened(soft, start);
    let rail = rect.shrink2(vec2(KNOB_RADIUS + 1.0, 0.0));
    let per_point = (range[1] - range[0]) / f64::from(rail.width().max(1.0));
    let knob_x = |v: f64| rail.left() + ((v - range[0]) / per_point) as f32;

    let fine = ui.input(|i| i.modifiers.shift);
    let delta = if response.drag_started_by(PointerButton::Primary) {
        let press = response.interact_pointer_pos().map_or(knob_x(value), |p| p.x);
        let jump = (press - knob_x(value)).abs() > GRIP;
        fields.begin_drag(id, value, jump, out);
        if jump { f64::from(press - knob_x(value)) * per_point } else { 0.0 }
    } else {
        f64::from(response.drag_delta().x) * per_point * if fine { 0.1 } else { 1.0 }
    };
    let double_clicked = ui.input(|i| i.pointer.button_double_clicked(PointerButton::Primary));
    let reset = double_clicked && fields.is_unmoved(id);
    let rounding = Number { step: per_point, ..number.clone() };
    let settle = |v: f64| rounding.settle(v.clamp(range[0], range[1]), fine);
    fields.drag(ui, &response, &Travel { delta, settle: &settle }, out, converters.drag);
    if reset && (number.mixed || value != number.default) {
        out.push(Edit::Set((converters.set)(number.default)).into());
    }

    paint(ui, &response, rail, knob_x(value), knob_x(0.0), number.mixed);
    response.widget_info(|| WidgetInfo::slider(ui.is_enabled(), value, &label));
    ui.ctx().accesskit_node_builder(id, |node| {
        node.set_min_numeric_value(range[0]);
        node.set_max_numeric_value(range[1]);
        node.set_value(format!("{}{}", display_number(value, number.decimals), number.unit));
    });
    let response = response.on_hover_and_drag_cursor(CursorIcon::ResizeHorizontal);
    if response.is_pointer_button_down_on() {
        return response;
    }
    response.tip_ui(|ui| {
        ui.strong(number.label);
        ui.label(number.tooltip);
        ui.weak("Drag; Shift is finer. Double-click the knob to reset.");
    })
}

/// `mixed`: several values that differ, whose knob is hollow.
fn paint(ui: &Ui, response: &Response, rail: Rect, knob: f32, zero: f32, mixed: bool) {
    if !ui.is_rect_visible(response.rect) {
        return;
    }
    let y = rail.center().y;
    let painter = ui.painter().with_clip_rect(response.rect.intersect(ui.clip_rect()));
    let line = |from: f32, to: f32| Rect::from_two_pos(pos2(from, y - 2.0), pos2(to, y + 2.0));
    painter.rect_filled(line(rail.left(), rail.right()), 2.0, theme::FIELD);
    let (knob, zero) = (knob.clamp(rail.left(), rail.right()), zero.clamp(rail.left(), rail.right()));
    let shade = |color| {
        if ui.is_enabled() { color } else { ui.visuals().disable(color) }
    };
    if !mixed {
        painter.rect_filled(line(zero, knob), 2.0, shade(*theme::ACCENT));
    }
    let visuals = ui.style().interact(response);
    let fill = match (response.dragged(), mixed) {
        (true, _) => *theme::ACCENT,
        (false, true) => *theme::FIELD,
        (false, false) => visuals.bg_fill,
    };
    painter.circle(pos2(knob, y), KNOB_RADIUS, shade(fill), Stroke::new(1.0, shade(*theme::TEXT_QUIET)));
}

#[cfg(test)]
mod tests {
    use super::widened;

    #[test]
    fn the_rail_grows_until_it_contains_the_value() {
        assert_eq!(widened([-180.0, 180.0], 10.0), [-180.0, 180.0]);
        assert_eq!(widened([-180.0, 180.0], 181.0), [-180.0, 360.0]);
        assert_eq!(widened([-180.0, 180.0], -400.0), [-540.0, 180.0]);
        assert_eq!(widened([0.0, 1.0], 0.0), [0.0, 1.0]);
    }
}
