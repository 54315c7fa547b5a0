//! The strips of the view: bars, banners and legends above and below it. Each takes room of its own, so that it
//! covers nothing that is framed.

use crate::editor::ui::theme;
use crate::editor::ui::tooltip::{Side, with_group};
use egui::{Align, Color32, Frame, Label, Layout, Margin, Panel, RichText, Ui, vec2};

/// The height of a strip of one row.
pub const HEIGHT: f32 = theme::ROW + 2.0 * MARGIN_Y as f32;
const MARGIN_Y: i8 = 5;
/// The margin at the left and at the right.
pub const MARGIN_X: i8 = 10;

/// Shows a strip of `rows` rows at the top of what is left of the view.
pub fn top_strip_ui(ui: &mut Ui, name: &'static str, rows: usize, add: impl FnOnce(&mut Ui)) {
    strip_ui(ui, Panel::top(name).exact_size(height(rows)), add);
}

fn height(rows: usize) -> f32 {
    HEIGHT + rows.saturating_sub(1) as f32 * (theme::ROW + theme::SMALL_GAP)
}

/// Shows a strip at the bottom of what is left of the view: an icon, text, and buttons at its right end; below them a line of
/// advice, if any.
pub fn bottom_strip_ui(
    ui: &mut Ui,
    name: &'static str,
    advice: Option<&str>,
    (icon, ink): (&str, Color32),
    add_text: impl FnOnce(&mut Ui),
    add_buttons: impl FnOnce(&mut Ui),
) {
    let rows = 1 + usize::from(advice.is_some());
    strip_ui(ui, Panel::bottom(name).exact_size(height(rows)), |ui| {
        with_group(ui, ui.max_rect(), Side::Above, |ui| {
            let row = vec2(ui.available_width(), theme::ROW);
            ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
                add_buttons(ui);
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    ui.label(RichText::new(icon).color(ink).size(theme::HEADING));
                    add_text(ui);
                });
            });
            if let Some(advice) = advice {
                ui.add(Label::new(advice).truncate());
            }
        });
    });
}

fn strip_ui(ui: &mut Ui, panel: Panel, add: impl FnOnce(&mut Ui)) {
    let frame = Frame::new().fill(*theme::BAR).inner_margin(Margin::symmetric(MARGIN_X, MARGIN_Y));
    panel.frame(frame).show(ui, add);
}
