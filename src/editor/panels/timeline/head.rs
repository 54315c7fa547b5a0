//! The corner next to the ruler: the choice of the view, the number of keys, the switches of both views, and the edge that
//! resizes the column of names.

use super::action::SheetAction;
use super::graph::state::Fit;
use super::{KeysState, KeysView};
use crate::editor::panels::status::grouped;
use crate::editor::ui::row::line_edit;
use crate::editor::ui::tooltip::Tip;
use crate::editor::ui::{icons, theme};
use egui::{
    Align2, Color32, CursorIcon, FontId, Id, Key, PointerButton, Rect, Sense, Stroke, Ui, UiBuilder,
    WidgetInfo, WidgetType, pos2, vec2,
};

const BUTTON: f32 = 22.0;
const DEFAULT_WIDTH: f32 = 220.0;
/// Room for all buttons.
const MIN_WIDTH: f32 = 155.0;

const SEARCH: &str = "Search rows";
const SEARCH_TIP: &str =
    "Show only rows with a text in their names, selected or not (Ctrl+F). Esc in the field ends it.";

/// The width of the column of names in a sheet of `width` points.
pub fn label_width(state: &KeysState, width: f32) -> f32 {
    let preferred = state.label_width.unwrap_or(DEFAULT_WIDTH.min(width * 0.3));
    preferred.clamp(MIN_WIDTH, (width * 0.6).max(MIN_WIDTH))
}

pub fn head_ui(ui: &mut Ui, state: &mut KeysState, rect: Rect) {
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 0.0, theme::BAR);
    painter.hline(rect.x_range(), rect.bottom() - 0.5, Stroke::new(1.0, theme::LINE));
    let mut right = rect.right() - 6.0;
    let next_rect = |right: &mut f32| {
        *right -= BUTTON + 1.0;
        Rect::from_min_size(pos2(*right, rect.center().y - BUTTON / 2.0), vec2(BUTTON, BUTTON))
    };
    if icon_button(ui, next_rect(&mut right), SEARCH, icons::SEARCH, Some(state.search.is_some()), SEARCH_TIP)
    {
        state.toggle_search();
    }
    if state.search.is_some() {
        search_ui(ui, state, rect.with_max_x(right - theme::SMALL_GAP));
        return;
    }
    let fitted = state.time.is_fitted();
    let fit = "Show whole clip (Home): zoom so that all frames are visible";
    if icon_button(ui, next_rect(&mut right), "Show whole clip", icons::FIT, Some(fitted), fit) {
        state.time.fit();
        state.graph.fit(Fit::All);
    }
    let (seconds, tooltip) = (state.seconds, "Show seconds instead of frames");
    if icon_button(ui, next_rect(&mut right), "Show seconds", icons::SECONDS, Some(seconds), tooltip) {
        state.seconds = !seconds;
    }
    let (only_selected, tooltip) = (state.only_selected(), "Show only the rows of the selection");
    if icon_button(ui, next_rect(&mut right), "Only selected", icons::FILTER, Some(only_selected), tooltip) {
        state.toggle_only_selected();
    }
    right -= theme::SMALL_GAP;
    let keys = SheetAction::SwitchView.row().shortcuts.first().map(ToString::to_string).unwrap_or_default();
    for (shown, label, glyph, text) in [
        (KeysView::Curves, "Curves", icons::CURVES, "Curves: keys with their values"),
        (KeysView::Sheet, "Sheet", icons::SHEET, "Sheet: keys as rows"),
    ] {
        let tooltip = format!("{text} ({keys} switches)");
        let rect = next_rect(&mut right);
        if icon_button(ui, rect, label, glyph, Some(state.shown == shown), &tooltip) {
            state.show(shown);
        }
    }
    let (all, selected) = (state.lines.key_count(), state.keys.count());
    let text = match (all, selected) {
        (0, _) => String::new(),
        (1, 0) => "1 key".into(),
        (_, 0) => format!("{} keys", grouped(all)),
        _ => format!("{} of {} keys", grouped(selected), grouped(all)),
    };
    let font = FontId::proportional(theme::SMALL);
    let width = |text: &str| {
        let galley = ui.painter().layout_no_wrap(text.to_owned(), font.clone(), Color32::WHITE);
        galley.size().x
    };
    // What does not fit is shortened, never cut off.
    let room = right - rect.left() - 14.0;
    let text = if width(&text) > room && selected > 0 {
        format!("{}/{}", grouped(selected), grouped(all))
    } else {
        text
    };
    let color = if selected > 0 { *theme::ACCENT } else { *theme::TEXT_QUIET };
    let left = Rect::from_min_max(rect.min, pos2(right - 4.0, rect.bottom()));
    ui.painter_at(left).text(left.left_center() + vec2(10.0, 0.0), Align2::LEFT_CENTER, text, font, color);
}

/// Draws the field in which names of rows are searched. Esc closes it.
fn search_ui(ui: &mut Ui, state: &mut KeysState, rect: Rect) {
    let Some(search) = &mut state.search else { return };
    let id = Id::new("search rows");
    if !std::mem::replace(&mut search.is_shown, true) {
        ui.memory_mut(|memory| memory.request_focus(id));
    }
    let place = Rect::from_center_size(rect.center(), vec2(rect.width() - 8.0, theme::ROW));
    let mut inside = ui.new_child(UiBuilder::new().max_rect(place));
    let field =
        line_edit(&mut search.text, place.width() - 12.0).id(id).hint_text("Rows named").char_limit(100);
    let response = inside.add(field);
    ui.ctx().accesskit_node_builder(id, |node| node.set_label("Names of rows"));
    if response.lost_focus() && ui.input(|i| i.key_pressed(Key::Escape)) {
        state.search = None;
    }
}

pub fn icon_button(
    ui: &Ui,
    rect: Rect,
    label: &str,
    glyph: &str,
    is_on: Option<bool>,
    tooltip: &str,
) -> bool {
    let response = ui.interact(rect, Id::new(("sheet button", label)), Sense::CLICK);
    response.widget_info(|| match is_on {
        Some(is_on) => WidgetInfo::selected(WidgetType::Checkbox, ui.is_enabled(), is_on, label),
        None => WidgetInfo::labeled(WidgetType::Button, ui.is_enabled(), label),
    });
    let is_on = is_on == Some(true);
    let fill = match (is_on, response.hovered()) {
        (true, _) => *theme::ACCENT_FILL,
        (false, true) => *theme::CONTROL_HOVER,
        (false, false) => Color32::TRANSPARENT,
    };
    ui.painter().rect_filled(rect, theme::RADIUS, fill);
    let color = theme::hover_ink(is_on || response.hovered());
    let font = FontId::proportional(theme::BODY + 2.0);
    ui.painter().text(rect.center(), Align2::CENTER_CENTER, glyph, font, color);
    response.tip(tooltip).clicked()
}

/// Draws the edge between names and keys; a drag moves it, a double-click restores the default width.
pub fn edge_ui(ui: &Ui, state: &mut KeysState, full: Rect, x: f32) {
    ui.painter().vline(x - 0.5, full.y_range(), Stroke::new(1.0, theme::LINE));
    let hit = Rect::from_x_y_ranges(x - 3.0..=x + 2.0, full.y_range());
    let response = ui.interact(hit, Id::new("sheet edge"), Sense::CLICK | Sense::DRAG);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Other, ui.is_enabled(), "Width of row names"));
    if response.dragged_by(PointerButton::Primary)
        && let Some(pointer) = response.interact_pointer_pos()
    {
        state.label_width = Some((pointer.x - full.left()).clamp(MIN_WIDTH, full.width()));
    }
    if response.double_clicked() {
        state.label_width = None;
    }
    if response.hovered() || response.dragged() {
        let stroke = Stroke::new(2.0, theme::EDGE);
        ui.painter().vline(x - 0.5, full.y_range(), stroke);
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
}
