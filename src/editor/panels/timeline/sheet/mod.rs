//! The dope sheet: rows of keys. Selecting, box selection, and what starts a drag; the names of rows are in `rows`.

pub mod keys;

use super::drag::Change;
use super::pointer::{DragView, drag_ui, menu_ui};
use super::rows::Rows;
use super::time::Scale;
use super::{ActiveDrag, BoxDrag, KeysState, Layout};
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use egui::{
    CursorIcon, Id, PointerButton, Pos2, Rect, Response, Sense, Stroke, StrokeKind, Ui, WidgetInfo,
    WidgetType, pos2, vec2,
};
use keys::KeyHit;

/// Draws the brackets around the selected keys in the summary. Returns the change when a drag of a bracket
/// starts, which scales the keys about the other one.
pub fn brackets_ui(ui: &Ui, layout: &Layout, scale: &Scale, state: &KeysState) -> Option<Change> {
    let [first, last] = state.keys.span().filter(|[first, last]| first < last)?;
    let clip = layout.summary.with_min_x(layout.split);
    let painter = ui.painter_at(clip);
    let mut started = None;
    for (end, (grabbed, pivot)) in [(first, last), (last, first)].into_iter().enumerate() {
        let outward = if end == 0 { -1.0 } else { 1.0 };
        let x = scale.x(grabbed) + outward * 10.0;
        let rect = Rect::from_center_size(pos2(x, clip.center().y), vec2(9.0, clip.height() - 4.0));
        if !clip.contains(rect.center()) {
            continue;
        }
        let name = ["Start of selected keys", "End of selected keys"][end];
        let response = ui.interact(rect, Id::new(("selected keys", end)), Sense::DRAG);
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Other, ui.is_enabled(), name));
        let color = if response.hovered() || response.dragged() { theme::TEXT_STRONG } else { theme::ACCENT };
        let (outer, inner) = (x + outward * 2.0, x - outward * 2.0);
        let (top, bottom) = (rect.top() + 1.0, rect.bottom() - 1.0);
        let corners = [(inner, top), (outer, top), (outer, bottom), (inner, bottom)];
        let line = corners.map(|(x, y)| pos2(x, y)).to_vec();
        painter.line(line, Stroke::new(2.0, color));
        if response.drag_started_by(PointerButton::Primary) {
            started = Some(Change::Scale { pivot, grabbed });
        }
        let response = response.on_hover_and_drag_cursor(CursorIcon::ResizeHorizontal);
        if state.drag.is_none() {
            response.tip(
                "Drag to scale the selected keys about the other end. S scales about the current frame.",
            );
        }
    }
    started
}

#[expect(clippy::too_many_arguments, reason = "the parts of the sheet")]
pub fn pointer_ui(
    ui: &Ui,
    view: &View,
    layout: &Layout,
    scale: &Scale,
    area: &Response,
    rows: &Rows,
    bracket_drag: Option<Change>,
    state: &mut KeysState,
    out: &mut Vec<Request>,
) {
    if area.dragged_by(PointerButton::Middle) {
        let delta = area.drag_delta().x;
        if delta != 0.0 {
            state.time.pan(scale, delta);
        }
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    }
    let (origin, shift) = ui.input(|i| (i.pointer.press_origin(), i.modifiers.shift));
    if state.drag.is_none() {
        if let (Some(change), Some(origin)) = (bracket_drag, origin) {
            state.grab(change, [scale.frame(origin.x), 0.0], false, scale);
        } else if let (true, Some(origin)) = (area.drag_started_by(PointerButton::Primary), origin) {
            begin_drag(view, scale, rows, origin, shift, state);
        } else {
            clicks(ui, view, scale, area, rows, shift, state, out);
        }
    }
    if state.drag.is_some() {
        let boxed = |state: &KeysState, drag: &BoxDrag, pointer: Pos2| {
            let inside = box_ui(ui, layout, scale, rows, drag, pointer, state.lines.all().len());
            let chosen: Vec<_> =
                inside.lines.into_iter().map(|line| state.lines.all()[line].row.clone()).collect();
            let [from, to] = inside.frames;
            drag.base.boxed(view.session.scene(), &chosen, from..=to, drag.extend)
        };
        let drag_view = DragView { value: &|_| 0.0, boxed: &boxed };
        drag_ui(ui, view, layout, scale, &drag_view, state, out);
    } else if let Some(key) = rows.hovered {
        ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
        if !area.context_menu_opened() {
            let response = area.clone();
            response.on_hover_ui_at_pointer(|ui| keys::tooltip(ui, view, state, key));
        }
    }
}

/// Starts dragging a key, or a box.
fn begin_drag(view: &View, scale: &Scale, rows: &Rows, origin: Pos2, shift: bool, state: &mut KeysState) {
    let hit = keys::key_under(state.lines.all(), &rows.places, scale, origin);
    let Some(key) = hit else {
        state.drag = Some(ActiveDrag::Box(BoxDrag {
            base: state.keys.clone(),
            extend: shift,
            frame: scale.frame(origin.x),
            y: origin.y - rows.top,
            cancelled: false,
        }));
        state.freeze_view(scale);
        return;
    };
    let row = &state.lines.all()[key.line].row;
    let scene = view.session.scene();
    if state.keys.row_state(scene, row, key.frame) != Some(true) {
        state.keys = state.keys.clicked(scene, row, key.frame, shift).into();
    }
    let grabbed = key.frame;
    state.grab(Change::Move { grabbed }, [scale.frame(origin.x), 0.0], false, scale);
}

#[expect(clippy::too_many_arguments, reason = "the parts of the sheet")]
fn clicks(
    ui: &Ui,
    view: &View,
    scale: &Scale,
    area: &Response,
    rows: &Rows,
    shift: bool,
    state: &mut KeysState,
    out: &mut Vec<Request>,
) {
    let scene = view.session.scene();
    let extend = shift || ui.input(|i| i.modifiers.command);
    let pointer = area.interact_pointer_pos();
    let key_under_pointer = |state: &KeysState| {
        let pointer = pointer?;
        keys::key_under(state.lines.all(), &rows.places, scale, pointer)
    };
    if area.clicked_by(PointerButton::Primary) {
        match key_under_pointer(state) {
            Some(KeyHit { line, frame }) => {
                let row = &state.lines.all()[line].row;
                state.keys = state.keys.clicked(scene, row, frame, extend).into();
                if area.double_clicked() {
                    out.push(Request::SetFrame(frame));
                }
            }
            None if !extend => state.keys = Default::default(),
            None => {}
        }
    }
    let interval_under_pointer =
        |state: &KeysState| keys::interval_under(state.lines.all(), &rows.places, scale, pointer?);
    if area.secondary_clicked()
        && let Some(KeyHit { line, frame }) =
            key_under_pointer(state).or_else(|| interval_under_pointer(state))
    {
        let row = &state.lines.all()[line].row;
        if state.keys.row_state(scene, row, frame) == Some(false) {
            state.keys = state.keys.clicked(scene, row, frame, false).into();
        }
    }
    menu_ui(ui, view, scale, area, state, out);
}

/// The rows and the range of frames inside a box.
struct BoxContents {
    lines: Vec<usize>,
    frames: [f32; 2],
}

/// Draws the box and returns its contents. A row is inside if its middle is.
fn box_ui(
    ui: &Ui,
    layout: &Layout,
    scale: &Scale,
    rows: &Rows,
    drag: &BoxDrag,
    pointer: Pos2,
    line_count: usize,
) -> BoxContents {
    let start = pos2(scale.x(drag.frame), rows.top + drag.y);
    let rect = Rect::from_two_pos(start, pointer);
    let painter = ui.painter_at(layout.keys);
    painter.rect_filled(rect, 0.0, theme::ACCENT.gamma_multiply(0.12));
    painter.rect_stroke(rect, 0.0, Stroke::new(1.0, theme::ACCENT), StrokeKind::Inside);
    let middle = |line: usize| match line {
        0 => layout.summary.center().y,
        line => rows.top + (line as f32 - 0.5) * theme::ROW,
    };
    let lines = (0..line_count).filter(|line| rect.y_range().contains(middle(*line)));
    // Scrolled rows continue invisibly under the summary.
    let summary = rect.y_range().contains(middle(0));
    let started_below = drag.y >= 0.0 && pointer.y >= layout.body.top();
    BoxContents {
        lines: lines.filter(|line| *line > 0 || summary && !started_below).collect(),
        frames: [scale.frame(rect.left()), scale.frame(rect.right())],
    }
}
