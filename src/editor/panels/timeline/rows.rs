//! The rows of both views: their names, and in the sheet their keys. The summary stays at the top, the others scroll.

use super::labels::{RowRequest, label_ui};
use super::lines::is_line_selected;
use super::pointer::vertical_scroll;
use super::sheet::keys::{self, Hit};
use super::time::Scale;
use super::{KeysState, KeysView, Layout};
use crate::edit::action::Action;
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::editor::ui::list::shorten;
use crate::editor::ui::theme;
use egui::scroll_area::{DragScroll, ScrollSource};
use egui::{Align2, FontId, Id, Pos2, Rect, Response, ScrollArea, Sense, Stroke, Ui, pos2, vec2};

/// The result of drawing the rows.
pub struct Rows {
    /// The index of each visible row, with the area of its keys.
    pub places: Vec<(usize, Rect)>,
    /// The top of the first row under the summary, which may be scrolled out of view.
    pub top: f32,
    pub hovered: Option<Hit>,
    pub request: Option<RowRequest>,
}

/// Draws the summary, which stays at the top, and the other rows, which scroll.
pub fn rows_ui(
    ui: &mut Ui,
    view: &View,
    layout: &Layout,
    scale: &Scale,
    area: &Response,
    state: &mut KeysState,
    out: &mut Vec<Request>,
) -> Rows {
    let mut rows = Rows { places: Vec::new(), top: layout.body.top(), hovered: None, request: None };
    let count = state.lines.all().len();
    if count == 0 {
        return rows;
    }
    let pointer = area.hover_pos().filter(|_| state.drag.is_none());
    let names = Rect::from_min_max(layout.summary.min, pos2(layout.split, layout.full.bottom()));
    ui.painter().rect_filled(names, 0.0, theme::PANEL);
    let row_to_reveal = state.row_to_reveal.take().filter(|line| *line > 0);
    let pan = vertical_scroll(ui, layout, area, state);
    row_ui(ui, view, layout, scale, 0, layout.summary, pointer, state, &mut rows, out);
    let stroke = Stroke::new(1.0, theme::LINE);
    let x = layout.full.x_range();
    ui.painter().hline(x, layout.summary.bottom() - 0.5, stroke);
    // The wheel over curves scrolls values, not rows.
    let scrolled = match state.shown {
        KeysView::Sheet => layout.body,
        KeysView::Curves => layout.body.with_max_x(layout.split),
    };
    let mut inside = ui.new_child(egui::UiBuilder::new().max_rect(scrolled));
    inside.set_clip_rect(scrolled.intersect(ui.clip_rect()));
    ScrollArea::vertical()
        .id_salt("dope sheet")
        .auto_shrink(false)
        .scroll_source(ScrollSource { scroll_bar: true, drag: DragScroll::Never, mouse_wheel: true })
        .show_viewport(&mut inside, |ui, viewport| {
            ui.set_height((count - 1) as f32 * theme::ROW);
            rows.top = ui.max_rect().top();
            let row_rect = |line: usize| {
                let top = rows.top + (line - 1) as f32 * theme::ROW;
                Rect::from_x_y_ranges(layout.full.x_range(), top..=top + theme::ROW)
            };
            let first = 1 + (viewport.top() / theme::ROW).floor().max(0.0) as usize;
            let last = 1 + (viewport.bottom() / theme::ROW).ceil().max(0.0) as usize;
            let visible: Vec<_> = (first..last.min(count)).map(|line| (line, row_rect(line))).collect();
            if let Some(line) = row_to_reveal {
                ui.scroll_to_rect(row_rect(line), None);
            }
            if pan != 0.0 {
                ui.scroll_with_delta(vec2(0.0, pan));
            }
            for (line, rect) in visible {
                row_ui(ui, view, layout, scale, line, rect, pointer, state, &mut rows, out);
            }
        });
    rows
}

#[expect(clippy::too_many_arguments, reason = "a row, its area, and the outputs")]
fn row_ui(
    ui: &mut Ui,
    view: &View,
    layout: &Layout,
    scale: &Scale,
    line: usize,
    rect: Rect,
    pointer: Option<Pos2>,
    state: &KeysState,
    rows: &mut Rows,
    out: &mut Vec<Request>,
) {
    let bounds = if line == 0 { layout.summary } else { layout.body };
    let row_line = &state.lines.all()[line];
    if state.shown == KeysView::Sheet {
        let keys = rect.with_min_x(layout.split).intersect(bounds);
        if is_line_selected(view.session.scene(), view.session.selection(), row_line, &state.filter) {
            ui.painter_at(keys).rect_filled(keys, 0.0, theme::sheet::CHOSEN);
        }
        // Keys are centred in the whole row, even if a part of it is clipped.
        let whole = rect.with_min_x(layout.split);
        let pointer = pointer.filter(|point| keys.contains(*point));
        let hovered = pointer.and_then(|point| Hit::under(state.lines.all(), line, whole, scale, point));
        keys::paint_row(ui, row_line, whole, bounds, scale, hovered);
        rows.hovered = rows.hovered.or(hovered);
        rows.places.push((line, keys));
    }
    let name = rect.with_max_x(layout.split - 2.0).with_min_x(rect.left() + 2.0);
    let request = label_ui(ui, view, state, line, name, out);
    rows.request = rows.request.take().or(request);
}

pub fn empty_ui(ui: &Ui, view: &View, state: &KeysState, rect: Rect) {
    let (scene, selection) = (view.session.scene(), view.session.selection());
    let layer = selection.mesh.as_ref().and_then(|mesh| scene.animation.active_layer(mesh));
    let search = state.search.as_ref().map_or("", |search| search.text.trim());
    let text = if !search.is_empty() {
        format!("No row with keys has a name with “{}”", shorten(search))
    } else if state.only_selected() && !selection.is_empty() && state.shown == KeysView::Sheet {
        "The selection has nothing that can be keyed".to_owned()
    } else {
        let place = layer.map_or(String::new(), |layer| format!(" in the layer {}", shorten(&layer.name)));
        let ending = match view.settings.options.keys.text(Action::INSERT_KEYS) {
            Some(keys) => format!("press {keys} to insert keyframes"),
            None => "insert keyframes".to_owned(),
        };
        format!("No keys{place} yet. Select bones, pose them and {ending}.")
    };
    let font = FontId::proportional(theme::BODY);
    let painter = ui.painter_at(rect);
    let galley = painter.layout(text.clone(), font, *theme::TEXT_QUIET, (rect.width() - 24.0).max(80.0));
    let text_rect = Align2::CENTER_CENTER.anchor_size(rect.center(), galley.size());
    painter.galley(text_rect.min, galley, *theme::TEXT_QUIET);
    let response = ui.interact(text_rect, Id::new("no keys"), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Label, true, &text));
}
