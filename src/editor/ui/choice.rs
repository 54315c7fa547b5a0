//! Choices of one of several options: a row with a name and a drop-down list, or buttons of which one is on.

use super::list::shorten;
use super::number::name_ui;
use super::text::fitting;
use super::theme;
use super::theme::Quiet;
use crate::editor::ui::tooltip::Tip;
use egui::{Button, ComboBox, Id, RichText, TextStyle, Ui, WidgetInfo, WidgetType, vec2};

/// The height of a list in points; longer ones scroll.
const LIST_HEIGHT: f32 = 340.0;

/// A row with a name and a drop-down list. The list is labelled `name`; the lines that `lines` adds with
/// [`line_ui`] are labelled "<name>: <line>".
pub fn choice_row(
    ui: &mut Ui,
    id: impl std::hash::Hash + std::fmt::Debug,
    name: &str,
    tooltip: &str,
    chosen: &str,
    lines: impl FnOnce(&mut Ui),
) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SMALL_GAP;
        let id = Id::new((name, id));
        name_ui(ui, id.with("name"), name).tip(tooltip);
        let width = ui.available_width();
        let spacing = ui.spacing();
        let room = width - spacing.icon_width - spacing.icon_spacing - 2.0 * spacing.button_padding.x - 1.0;
        let size = TextStyle::Button.resolve(ui.style()).size;
        // Names are told apart by their ends.
        let text = fitting(ui, &shorten(chosen), size, room);
        list_ui(ui, id, name, tooltip, (chosen, text), width, lines);
    });
}

/// The drop-down list without a name, `width` wide.
pub fn choice_ui(
    ui: &mut Ui,
    id: impl std::hash::Hash + std::fmt::Debug,
    name: &str,
    tooltip: &str,
    chosen: &str,
    width: f32,
    lines: impl FnOnce(&mut Ui),
) {
    list_ui(ui, id, name, tooltip, (chosen, shorten(chosen)), width, lines);
}

/// The drop-down list. `chosen`: what is chosen, and the text that fits.
fn list_ui(
    ui: &mut Ui,
    id: impl std::hash::Hash + std::fmt::Debug,
    name: &str,
    tooltip: &str,
    (chosen, text): (&str, String),
    width: f32,
    lines: impl FnOnce(&mut Ui),
) {
    let combo =
        ComboBox::from_id_salt(id).height(LIST_HEIGHT).selected_text(text).width(width).truncate().show_ui(
            ui,
            |ui| {
                ui.set_min_width(width.max(160.0));
                lines(ui);
            },
        );
    let response = combo.response;
    response.widget_info(|| WidgetInfo::labeled(WidgetType::ComboBox, ui.is_enabled(), name));
    let chosen = chosen.to_owned();
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_value(chosen));
    response.tip(tooltip);
}

/// One of several buttons of which one is on. Returns whether it was chosen.
pub fn option_ui(ui: &mut Ui, selected: bool, text: &str, label: &str, tooltip: &str, width: f32) -> bool {
    let (ink, fill) = theme::switch(selected);
    let size = vec2(width, theme::ROW);
    let button = Button::new(RichText::new(text).color(ink)).fill(fill);
    let response = ui.add_sized(size, button.min_size(size));
    response.widget_info(|| WidgetInfo::selected(WidgetType::RadioButton, ui.is_enabled(), selected, label));
    response.tip(tooltip).clicked() && !selected
}

/// A line of the list called `name`. Returns whether it was chosen.
pub fn line_ui(ui: &mut Ui, name: &str, text: &str, chosen: bool) -> bool {
    let button = Button::selectable(chosen, shorten(text)).min_size(egui::vec2(0.0, theme::ROW));
    let response = ui.add(button.quiet(chosen));
    let label = format!("{name}: {text}");
    response.widget_info(|| WidgetInfo::selected(WidgetType::Button, ui.is_enabled(), chosen, &label));
    response.clicked()
}
