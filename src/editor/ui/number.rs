//! The number field: drag it, click to type, right-click to reset, copy, paste.
//!
//! Shift while dragging is ten times finer. Enter, Tab and a click elsewhere accept the typed number as one
//! step; Esc discards it. There are hard limits only where the property itself has them.

use super::digits::{display_number, exact_number, parse};
use super::fields::{Converters, Edit, Fields, Travel};
use super::text::elide_middle;
use super::{keyed, theme};
use crate::edit::time::key_state::KeyState;
use crate::editor::ui::tooltip::Tip;
use egui::{
    Align2, CursorIcon, FontId, Margin, PointerButton, Rect, Response, Sense, TextEdit, Ui, WidgetInfo,
};
use egui::{WidgetType, vec2};

/// The text for values that differ.
pub const MIXED: &str = "Mixed";

/// The description of a field's number.
#[derive(Clone, Debug)]
pub struct Number<'a> {
    /// The accessible name, unique in the window, such as "Extent y".
    pub label: &'a str,
    /// The explanation in the tooltip.
    pub tooltip: &'a str,
    /// The unit after the number: "°" or nothing.
    pub unit: &'static str,
    /// The most digits after the point, while it is not being typed.
    pub decimals: usize,
    /// The change per point of dragging.
    pub step: f64,
    /// The hard limits.
    pub min: f64,
    pub max: f64,
    /// The value that Reset sets.
    pub default: f64,
    /// The axis whose coloured letter is shown in the field: 0, 1, 2 for x, y, z.
    pub axis: Option<usize>,
    /// A word that is shown in the colour of the axis instead of its letter.
    pub caption: Option<&'static str>,
    /// Whether it represents several values that differ: shown as "Mixed", set to one value or changed by the
    /// same amount.
    pub mixed: bool,
    /// The key state, which colours the field.
    pub keyed: KeyState,
    /// Whether each of three numbers has muted keys.
    pub muted: [bool; 3],
    /// The hard limits of three numbers with individual limits; a slider shows these.
    pub ranges: [Option<[f64; 2]>; 3],
}

impl<'a> Number<'a> {
    pub fn new(label: &'a str, tooltip: &'a str) -> Self {
        Self {
            label,
            tooltip,
            unit: "",
            decimals: 3,
            step: 0.01,
            min: f64::from(f32::MIN),
            max: f64::from(f32::MAX),
            default: 0.0,
            axis: None,
            caption: None,
            mixed: false,
            keyed: KeyState::Static,
            muted: [false; 3],
            ranges: [None; 3],
        }
    }

    /// Returns a number in degrees, with half a degree per point.
    pub fn degrees(label: &'a str, tooltip: &'a str) -> Self {
        Self { unit: "°", decimals: 2, step: 0.5, ..Self::new(label, tooltip) }
    }

    /// Returns a value as the field shows it.
    fn text(&self, value: f64, decimals: usize) -> String {
        if self.mixed { MIXED.into() } else { format!("{}{}", display_number(value, decimals), self.unit) }
    }

    /// Returns a value within limits and rounded to the precision of a drag with this step.
    pub(super) fn settle(&self, value: f64, fine: bool) -> f64 {
        let decimals = (-self.step.log10()).ceil().clamp(0.0, 9.0) as i32 + i32::from(fine);
        let scale = 10f64.powi(decimals);
        let rounded = if value.abs() < 1e9 { (value * scale).round() / scale } else { value };
        rounded.clamp(self.min, self.max)
    }
}

/// A number field of `width`. Adds its edits to `out`, converted by the panel.
pub fn number_ui<T, R: From<Edit<T>>>(
    ui: &mut Ui,
    fields: &mut Fields<T>,
    number: &Number,
    value: f64,
    width: f32,
    out: &mut Vec<R>,
    converters: Converters<'_, T>,
) -> Response {
    let id = fields.id(number.label);
    let (rect, _) = ui.allocate_exact_size(vec2(width, theme::ROW), Sense::hover());
    let typing = ui.is_enabled()
        && ui.memory_mut(|memory| {
            memory.interested_in_focus(id, ui.layer_id());
            memory.has_focus(id)
        });
    let response = if typing {
        typing_ui(ui, fields, number, value, rect, id, out, converters)
    } else {
        let response = ui.interact(rect, id, Sense::click_and_drag());
        idle_ui(ui, fields, number, value, response, out, converters)
    };
    if !typing {
        response.widget_info(|| WidgetInfo::drag_value(ui.is_enabled(), value));
        keyed::describe(&response, number.keyed);
    }
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_label(number.label);
        if !typing {
            node.set_value(number.text(value, number.decimals));
        }
    });
    response
}

#[expect(clippy::too_many_arguments, reason = "the field's own arguments and its position")]
fn typing_ui<T, R: From<Edit<T>>>(
    ui: &mut Ui,
    fields: &mut Fields<T>,
    number: &Number,
    value: f64,
    rect: Rect,
    id: egui::Id,
    out: &mut Vec<R>,
    converters: Converters<'_, T>,
) -> Response {
    let begins = !fields.is_typing_in(id);
    let begin = || {
        if number.mixed { String::new() } else { exact_number(value) }
    };
    let text = fields.entry(id, begin, out);
    if begins {
        select_all(ui, id, text);
    }
    let is_invalid = |text: &str| !text.trim().is_empty() && parse(text).is_none();
    let color = is_invalid(text).then_some(*theme::ERROR);
    let edit = TextEdit::singleline(text)
        .id(id)
        .margin(Margin::symmetric(6, 2))
        .hint_text(if number.mixed { MIXED } else { "" })
        .text_color_opt(color)
        .min_size(rect.size());
    let response = ui.put(rect, edit.desired_width(rect.width() - 12.0));
    let invalid = is_invalid(text);
    if response.changed() {
        let typed = parse(text).map(|v| v.clamp(number.min, number.max));
        // The property itself is stored in single precision, except for whole numbers.
        let is_other = |v: f64| v as f32 != value as f32 || number.decimals == 0 && v != value;
        let pending = typed.filter(|v| number.mixed || is_other(*v)).map(converters.set);
        fields.set_pending(id, pending);
    }
    if invalid {
        show_error(ui, number, value, &response);
    }
    response
}

/// Marks a field whose text is not a number, and shows the value that will stay.
fn show_error(ui: &Ui, number: &Number, value: f64, response: &Response) {
    let stroke = egui::Stroke::new(1.5, theme::ERROR);
    let inside = egui::StrokeKind::Inside;
    ui.painter().rect_stroke(response.rect, theme::RADIUS, stroke, inside);
    let text = format!("Not a number; {} is kept", number.text(value, number.decimals));
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_description(text.as_str()));
    let layer = response.layer_id;
    egui::Tooltip::always_open(ui.ctx().clone(), layer, response.id, response.rect).show(|ui| ui.label(text));
}

fn idle_ui<T, R: From<Edit<T>>>(
    ui: &mut Ui,
    fields: &mut Fields<T>,
    number: &Number,
    value: f64,
    response: Response,
    out: &mut Vec<R>,
    converters: Converters<'_, T>,
) -> Response {
    if response.clicked_by(PointerButton::Primary) {
        response.request_focus();
    }
    if response.drag_started_by(PointerButton::Primary) {
        fields.begin_drag(response.id, value, false, out);
    }
    let fine = ui.input(|i| i.modifiers.shift);
    let moved = response.drag_delta();
    let delta = f64::from(moved.x - moved.y) * number.step * if fine { 0.1 } else { 1.0 };
    let dragged = fields.is_dragging(response.id) || !fields.allows_menus();
    fields.drag(ui, &response, &Travel { delta, settle: &|v| number.settle(v, fine) }, out, converters.drag);
    paint(ui, number, value, &response);
    let response = response.on_hover_and_drag_cursor(CursorIcon::ResizeHorizontal);
    if dragged {
        return response;
    }
    response.context_menu(|ui| menu(ui, fields, number, value, out, converters));
    response.tip_ui(|ui| tooltip(ui, number, value))
}

fn tooltip(ui: &mut Ui, number: &Number, value: f64) {
    ui.strong(number.label);
    ui.label(number.tooltip);
    if number.mixed {
        ui.weak(format!("Mixed values; the active one is {}{}.", exact_number(value), number.unit));
        ui.weak("A typed number sets them all, a drag changes each by the same amount.");
    } else {
        ui.weak(format!("{}{}", exact_number(value), number.unit));
    }
    if let Some(text) = number.keyed.text() {
        ui.label(text);
    }
    ui.weak("Drag, or click to type. Shift is finer. Right-click to reset, copy, paste.");
}

/// The menu of one number: Reset, Copy, Paste.
pub(super) fn menu<T, R: From<Edit<T>>>(
    ui: &mut Ui,
    fields: &mut Fields<T>,
    number: &Number,
    value: f64,
    out: &mut Vec<R>,
    converters: Converters<'_, T>,
) {
    let reset = format!("Reset to {}{}", display_number(number.default, number.decimals), number.unit);
    if ui.button(reset).clicked() && (number.mixed || value != number.default) {
        out.push(Edit::Set((converters.set)(number.default)).into());
    }
    if ui.button("Copy").clicked() {
        fields.copied = vec![value];
        ui.copy_text(exact_number(value));
    }
    let copied = fields.copied.first().copied().filter(|_| fields.copied.len() == 1);
    let paste = ui.add_enabled(copied.is_some(), egui::Button::new("Paste"));
    let paste = paste.disabled_tip("Copy a number first");
    if paste.clicked()
        && let Some(copied) = copied.map(|v| v.clamp(number.min, number.max))
        && (number.mixed || copied != value)
    {
        out.push(Edit::Set((converters.set)(copied)).into());
    }
}

fn paint(ui: &Ui, number: &Number, value: f64, response: &Response) {
    let rect = response.rect;
    if !ui.is_rect_visible(rect) {
        return;
    }
    let visuals = ui.style().interact(response);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let hovered = response.hovered() || response.dragged();
    let style = keyed::field_style(number.keyed, hovered);
    let edge = egui::Stroke::new(1.0, if response.dragged() { *theme::ACCENT } else { style.edge });
    painter.rect(rect, theme::RADIUS, style.fill, edge, egui::StrokeKind::Inside);
    let font = FontId::proportional(theme::BODY);
    let mut left = rect.left() + 5.0;
    if let Some(axis) = number.axis.map(|axis| axis % 3) {
        let pos = egui::pos2(left, rect.center().y);
        let (letter, color) = (number.caption.unwrap_or(theme::AXIS_NAMES[axis]), style.letters[axis]);
        left = painter.text(pos, Align2::LEFT_CENTER, letter, font.clone(), color).right() + 3.0;
    }
    if number.keyed != KeyState::Static {
        let center = egui::pos2(left + 4.0, rect.center().y);
        keyed::paint_sign(&painter, center, number.keyed, style.sign);
        left += keyed::SIGN_WIDTH;
    }
    let color = match (number.mixed, number.keyed) {
        (true, _) => style.mixed,
        (false, KeyState::Static) if !ui.is_enabled() => visuals.text_color(),
        (false, _) => style.text,
    };
    // Shows as many digits as fit.
    let galley = (0..=number.decimals).rev().map(|decimals| {
        let text = number.text(value, decimals);
        painter.layout_no_wrap(text, font.clone(), color)
    });
    let room = rect.right() - 6.0 - left;
    let mut fitting = None;
    for galley in galley {
        let fits = galley.size().x <= room;
        fitting = Some(galley);
        if fits {
            break;
        }
    }
    if let Some(galley) = fitting {
        let x = (rect.right() - 6.0 - galley.size().x).max(left);
        painter.galley(egui::pos2(x, rect.center().y - galley.size().y / 2.0), galley, color);
    }
}

/// Selects all of the text of a field in which typing begins.
pub fn select_all(ui: &Ui, id: egui::Id, text: &str) {
    let mut state = TextEdit::load_state(ui.ctx(), id).unwrap_or_default();
    let end = egui::text::CCursor::new(text.chars().count());
    state.cursor.set_char_range(Some(egui::text::CCursorRange::two(egui::text::CCursor::default(), end)));
    state.store(ui.ctx(), id);
}

/// The name before a field, in the column of names: text without a frame that can be clicked. The field begins where
/// it does in all rows.
pub fn name_ui(ui: &mut Ui, id: egui::Id, text: &str) -> Response {
    ui.spacing_mut().item_spacing.x = theme::SMALL_GAP;
    let (rect, _) = ui.allocate_exact_size(vec2(theme::NAME_WIDTH, theme::ROW), Sense::hover());
    let response = ui.interact(rect, id, Sense::CLICK);
    let color = if response.hovered() { *theme::TEXT } else { *theme::TEXT_QUIET };
    let color = if ui.is_enabled() { color } else { ui.visuals().disable(color) };
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let font = FontId::proportional(theme::BODY);
    let (galley, is_elided) = elide_middle(&painter, text, &font, color, rect.width());
    painter.galley(rect.left_center() - vec2(0.0, galley.size().y / 2.0), galley, color);
    response.widget_info(|| WidgetInfo::new(WidgetType::Other));
    if is_elided { response.tip(text) } else { response }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drags_land_on_round_numbers_within_limits() {
        let mut number = Number::new("n", "");
        number.step = 0.02;
        number.min = 0.0;
        assert_eq!(number.settle(0.123_456, false), 0.12);
        assert_eq!(number.settle(0.123_456, true), 0.123);
        assert_eq!(number.settle(-5.0, false), 0.0);
        assert!(number.settle(1e300, false).is_finite());
    }
}
