//! The dope sheet: rows of keys. Selecting, box selection, and what starts a drag; the names of rows are in `rows`.

pub mod keys;

use super::drag::Change;
use super::menu::menu_ui;
use super::pointer::{DragView, drag_ui};
use super::rows::Rows;
use super::time::Scale;
use super::{ActiveDrag, BoxDrag, KeysState, Layout};
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::editor::ui::press::is_pressed_in;
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use egui::{
    CursorIcon, Id, PointerButton, Pos2, Rect, Response, Sense, Stroke, StrokeKind, Ui, WidgetInfo,
    WidgetType, pos2,
};
use keys::{Hit, KeyHit};

/// The distances from its key between which a bracket is pressed, in points: beyond those at which the key is.
const BRACKET: [f32; 2] = [keys::REACH, 16.0];

/// The brackets around the selected keys in this frame.
#[derive(Default)]
pub struct Brackets {
    /// The change that a drag makes which starts now at one of them.
    started: Option<Change>,
    hovered: bool,
}

/// Draws the brackets around the selected keys in the summary. A drag of one scales the keys about the other one.
pub fn brackets_ui(ui: &Ui, layout: &Layout, scale: &Scale, area: &Response, state: &KeysState) -> Brackets {
    let mut brackets = Brackets::default();
    let Some([first, last]) = state.keys.span().filter(|[first, last]| first < last) else {
        return brackets;
    };
    let clip = layout.summary.with_min_x(layout.split);
    let painter = ui.painter_at(clip);
    for (end, (grabbed, pivot)) in [(first, last), (last, first)].into_iter().enumerate() {
        let outward = if end == 0 { -1.0 } else { 1.0 };
        let key = scale.x(grabbed);
        let [near, far] = BRACKET.map(|distance| key + outward * distance);
        let rect = Rect::from_x_y_ranges(near.min(far)..=near.max(far), clip.y_range());
        if !clip.contains(rect.center()) {
            continue;
        }
        let name = ["Start of selected keys", "End of selected keys"][end];
        // The rows take the drag.
        let response = ui.interact(rect, Id::new(("selected keys", end)), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Other, ui.is_enabled(), name));
        let is_dragged =
            matches!(&state.drag, Some(ActiveDrag::Keys(drag)) if drag.bracket_pivot() == Some(pivot));
        let is_lit = is_dragged || response.hovered() && state.drag.is_none();
        let color = if is_lit { theme::TEXT_STRONG } else { theme::ACCENT };
        let [inner, outer] = [8.0, 12.0].map(|distance| key + outward * distance);
        let (top, bottom) = (rect.top() + 3.0, rect.bottom() - 3.0);
        let corners = [(inner, top), (outer, top), (outer, bottom), (inner, bottom)];
        let line = corners.map(|(x, y)| pos2(x, y)).to_vec();
        painter.line(line, Stroke::new(2.0, color));
        if is_pressed_in(ui, rect, area) {
            brackets.started = Some(Change::Scale { pivot, grabbed });
        }
        if state.drag.is_none() {
            brackets.hovered |= response.hovered();
            response.on_hover_cursor(CursorIcon::ResizeHorizontal).tip(
                "Drag to scale the selected keys about the other end. S scales about the current frame.",
            );
        }
    }
    brackets
}

#[expect(clippy::too_many_arguments, reason = "the parts of the sheet")]
pub fn pointer_ui(
    ui: &Ui,
    view: &View,
    layout: &Layout,
    scale: &Scale,
    area: &Response,
    rows: &Rows,
    brackets: &Brackets,
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
        if let (Some(change), Some(origin)) = (brackets.started, origin) {
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
    } else if let Some(hit) = rows.hovered.filter(|_| !brackets.hovered) {
        ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
        if !area.context_menu_opened() && !state.eases.is_open() {
            area.clone().on_hover_ui_at_pointer(|ui| match hit {
                Hit::Key(key) => keys::tooltip(ui, view, state, key),
                Hit::Interval(key) => keys::interval_tooltip(ui, view, state, key),
            });
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
        let interval = match rows.hovered {
            Some(Hit::Interval(key)) => Some(key),
            _ => None,
        };
        match key_under_pointer(state).or(interval) {
            Some(KeyHit { line, frame }) => {
                let row = &state.lines.all()[line].row;
                state.keys = state.keys.clicked(scene, row, frame, extend).into();
                match (interval, pointer) {
                    (Some(_), Some(pointer)) if !extend => state.eases.open(ui, pointer),
                    (None, _) if area.double_clicked() => out.push(Request::SetFrame(frame)),
                    _ => {}
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
