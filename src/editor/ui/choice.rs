//! Choices of one of several options: a row with a name and a drop-down list, or buttons of which one is on. A list of which
//! the document decides how long it is has a field that filters its lines, if there are many.

use super::list::shorten;
use super::number::name_ui;
use super::row::line_edit;
use super::text::fitting;
use super::theme;
use super::theme::Quiet;
use crate::editor::ui::tooltip::Tip;
use egui::{
    Button, ComboBox, Id, Key, PopupCloseBehavior, RichText, TextStyle, Ui, WidgetInfo, WidgetType, vec2,
};

/// The height of a list in points; longer ones scroll.
const LIST_HEIGHT: f32 = 340.0;
/// The greatest number of lines without a filter: about what fits into the height.
const MOST_UNFILTERED: usize = 12;

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
    row_ui(ui, id, name, tooltip, chosen, PopupCloseBehavior::CloseOnClick, lines);
}

/// The same for a list of about `count` lines, which `lines` adds with [`Lines::line_ui`]: a long one has a filter.
pub fn long_choice_row(
    ui: &mut Ui,
    id: impl std::hash::Hash + std::fmt::Debug,
    name: &str,
    tooltip: &str,
    chosen: &str,
    count: usize,
    lines: impl FnOnce(&mut Ui, &mut Lines),
) {
    let closes = PopupCloseBehavior::CloseOnClickOutside;
    row_ui(ui, id, name, tooltip, chosen, closes, |ui| lines_ui(ui, name, count, lines));
}

fn row_ui(
    ui: &mut Ui,
    id: impl std::hash::Hash + std::fmt::Debug,
    name: &str,
    tooltip: &str,
    chosen: &str,
    closes: PopupCloseBehavior,
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
        list_ui(ui, id, name, tooltip, (chosen, text), (width, closes), lines);
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
    let closes = PopupCloseBehavior::CloseOnClick;
    list_ui(ui, id, name, tooltip, (chosen, shorten(chosen)), (width, closes), lines);
}

/// The same for a list of about `count` lines: see [`long_choice_row`].
pub fn long_choice_ui(
    ui: &mut Ui,
    id: impl std::hash::Hash + std::fmt::Debug,
    name: &str,
    tooltip: &str,
    chosen: &str,
    (width, count): (f32, usize),
    lines: impl FnOnce(&mut Ui, &mut Lines),
) {
    let closes = PopupCloseBehavior::CloseOnClickOutside;
    list_ui(ui, id, name, tooltip, (chosen, shorten(chosen)), (width, closes), |ui| {
        lines_ui(ui, name, count, lines);
    });
}

/// The drop-down list. `chosen`: what is chosen, and the text that fits.
fn list_ui(
    ui: &mut Ui,
    id: impl std::hash::Hash + std::fmt::Debug,
    name: &str,
    tooltip: &str,
    (chosen, text): (&str, String),
    (width, closes): (f32, PopupCloseBehavior),
    lines: impl FnOnce(&mut Ui),
) {
    let combo = ComboBox::from_id_salt(id).height(LIST_HEIGHT).selected_text(text).width(width).truncate();
    let combo = combo.close_behavior(closes).show_ui(ui, |ui| {
        ui.set_min_width(width.max(160.0));
        lines(ui);
    });
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

/// The lines of a list that may be long.
pub struct Lines<'n> {
    /// The name of the list.
    name: &'n str,
    /// In lower case; lines that do not contain it are left out.
    filter: String,
    /// Whether Enter was pressed in the field, which chooses the first line that is left.
    entered: bool,
    /// The number of lines drawn so far.
    count: usize,
}

impl Lines<'_> {
    /// Whether a line with this text is drawn.
    pub fn shows(&self, text: &str) -> bool {
        self.filter.is_empty() || text.to_lowercase().contains(&self.filter)
    }

    /// A line of the list, unless it is filtered out. Returns whether it was chosen, which closes the list.
    pub fn line_ui(&mut self, ui: &mut Ui, text: &str, chosen: bool) -> bool {
        if !self.shows(text) {
            return false;
        }
        self.count += 1;
        let is_chosen = line_ui(ui, self.name, text, chosen) | std::mem::take(&mut self.entered);
        if is_chosen {
            ui.close();
        }
        is_chosen
    }

    /// The field, labelled "Filter <name>", which has the keyboard as soon as the list is opened.
    fn filter_ui(&mut self, ui: &mut Ui) {
        let id = ui.id().with("filter");
        let pass = ui.ctx().cumulative_pass_nr();
        // What was typed when the list was last open does not count.
        let typed = ui.data(|data| data.get_temp::<(String, u64)>(id));
        let typed = typed.filter(|(_, last)| last + 1 >= pass).map(|(text, _)| text);
        let is_new = typed.is_none();
        let mut text = typed.unwrap_or_default();
        let edit = line_edit(&mut text, ui.available_width()).id(id).hint_text("Filter").char_limit(200);
        let field = ui.add(edit);
        ui.ctx().accesskit_node_builder(id, |node| node.set_label(format!("Filter {}", self.name)));
        if is_new {
            field.request_focus();
        }
        self.filter = text.trim().to_lowercase();
        self.entered =
            field.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter)) && !self.filter.is_empty();
        ui.data_mut(|data| data.insert_temp(id, (text, pass)));
    }
}

fn lines_ui(ui: &mut Ui, name: &str, count: usize, add: impl FnOnce(&mut Ui, &mut Lines)) {
    let mut lines = Lines { name, filter: String::new(), entered: false, count: 0 };
    if count > MOST_UNFILTERED {
        lines.filter_ui(ui);
    }
    add(ui, &mut lines);
    if lines.count == 0 {
        ui.weak("Nothing found");
    }
}
