//! Pointer and keyboard input of the sheet: selecting, box selection, dragging, scaling, zooming and panning.

use super::action::{ROWS, SheetAction, pressed, remove_mode_keys};
use super::drag::{Change, replaces_text};
use super::edit::REACH;
use super::keys::{self, KeyHit};
use super::time::Scale;
use super::{ActiveDrag, BoxDrag, Layout, Rows, SheetState, eases, fewer};
use crate::anim::clip::Clip;
use crate::anim::filters::Filter;
use crate::anim::mode::Mode;
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::editor::ui::drag_keys::drag_keys;
use crate::editor::ui::press::is_pressed_in;
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use crate::io::count::counted;
use crate::scene::Scene;
use egui::{
    Area, Button, CursorIcon, Event, Id, Key, MouseWheelUnit, Order, PointerButton, Pos2, Rect, Response,
    RichText, Sense, Stroke, StrokeKind, Tooltip, Ui, WidgetInfo, WidgetType, pos2, vec2,
};

const HINT: &str = "Click or drag a box to select keys; G moves, S scales. Ctrl+wheel zooms, Shift+wheel and middle drag pan";
const RULER_HINT: &str = "Drag to scrub. Wheel zooms, right-click for the play range";
/// The distance to the edge of the visible area within which a drag scrolls and pans, in points.
const SCROLL_MARGIN: f32 = 4.0;
/// The zoom factor per notch of the wheel.
const ZOOM: f64 = 1.2;

/// Handles the wheel: Ctrl+wheel, and the wheel alone over the ruler, zoom; Shift+wheel and a horizontal
/// wheel pan.
pub fn wheel(ui: &Ui, layout: &Layout, clip: &Clip, scale: &Scale, state: &mut SheetState) {
    let is_over_ruler = ui.rect_contains_pointer(layout.ruler);
    let hint = if is_over_ruler {
        Some(RULER_HINT)
    } else {
        ui.rect_contains_pointer(layout.keys()).then_some(HINT)
    };
    if state.hint != hint && state.drag.is_none() {
        // The status bar was drawn before the sheet, so draw it again.
        state.hint = hint;
        ui.ctx().request_repaint();
    }
    if state.hint.is_none() || state.drag.is_some() {
        return;
    }
    let (mut notches, mut points) = (0.0, 0.0);
    let pointer = ui.input(|i| {
        for event in &i.events {
            match event {
                Event::MouseWheel { unit, delta, modifiers, .. } => {
                    let lines = match unit {
                        MouseWheelUnit::Point => *delta / 40.0,
                        _ => *delta,
                    };
                    points += lines.x * 40.0;
                    if modifiers.shift {
                        points += lines.y * 40.0;
                    } else if modifiers.command || is_over_ruler {
                        notches += f64::from(lines.y);
                    }
                }
                Event::Zoom(factor) => notches += f64::from(*factor).ln() / ZOOM.ln(),
                _ => {}
            }
        }
        i.pointer.latest_pos()
    });
    if let (true, Some(pointer)) = (notches != 0.0, pointer) {
        state.time.zoom(scale, pointer.x, ZOOM.powf(notches), clip);
    } else if points != 0.0 {
        state.time.pan(scale, points);
    }
}

/// The distance to scroll the rows, in points: by a middle drag, or because a box extends beyond the visible
/// area.
pub fn vertical_scroll(ui: &Ui, layout: &Layout, area: &Response, state: &SheetState) -> f32 {
    if area.dragged_by(PointerButton::Middle) {
        return area.drag_delta().y;
    }
    let is_box = matches!(&state.drag, Some(ActiveDrag::Box(drag)) if !drag.cancelled);
    let pointer = ui.input(|i| i.pointer.latest_pos()).filter(|_| is_box);
    let overshoot =
        pointer.map_or(0.0, |pointer| overshoot(pointer.y, layout.body.top(), layout.body.bottom()));
    if overshoot != 0.0 {
        ui.ctx().request_repaint();
    }
    -0.4 * overshoot
}

/// The signed distance by which the pointer is beyond the visible range, including the scroll margin, in
/// points.
fn overshoot(pointer: f32, from: f32, to: f32) -> f32 {
    ((pointer - to + SCROLL_MARGIN).max(0.0) - (from + SCROLL_MARGIN - pointer).max(0.0)).clamp(-30.0, 30.0)
}

/// The distances from its key between which a bracket is pressed, in points: beyond those at which the key is.
const BRACKET: [f32; 2] = [keys::REACH, 16.0];

/// The brackets around the selected keys in this frame.
pub struct Brackets {
    /// The change that a drag makes which starts now at one of them.
    started: Option<Change>,
    hovered: bool,
}

/// Draws the brackets around the selected keys in the summary. A drag of one scales the keys about the other one.
pub fn brackets_ui(ui: &Ui, layout: &Layout, scale: &Scale, area: &Response, state: &SheetState) -> Brackets {
    let mut brackets = Brackets { started: None, hovered: false };
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
    state: &mut SheetState,
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
        // A quick drag that started elsewhere may be here by now.
        let origin = origin.filter(|origin| layout.keys().contains(*origin));
        if let (Some(change), Some(origin)) = (brackets.started, origin) {
            state.grab(change, scale.frame(origin.x), false, scale);
        } else if let (true, Some(origin)) = (area.drag_started_by(PointerButton::Primary), origin) {
            begin_drag(view, scale, rows, origin, shift, state);
        } else {
            clicks(ui, view, scale, area, rows, shift, state, out);
        }
    }
    if state.drag.is_some() {
        drag_ui(ui, view, layout, scale, rows, state, out);
    } else if let Some(key) = rows.hovered.filter(|_| !brackets.hovered) {
        ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
        if !area.context_menu_opened() {
            let response = area.clone();
            response.on_hover_ui_at_pointer(|ui| keys::tooltip(ui, view, state, key));
        }
    }
}

/// Starts dragging a key, or a box.
fn begin_drag(view: &View, scale: &Scale, rows: &Rows, origin: Pos2, shift: bool, state: &mut SheetState) {
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
    state.grab(Change::Move { grabbed }, scale.frame(origin.x), false, scale);
}

#[expect(clippy::too_many_arguments, reason = "the parts of the sheet")]
fn clicks(
    ui: &Ui,
    view: &View,
    scale: &Scale,
    area: &Response,
    rows: &Rows,
    shift: bool,
    state: &mut SheetState,
    out: &mut Vec<Request>,
) {
    let scene = view.session.scene();
    let extend = shift || ui.input(|i| i.modifiers.command);
    let pointer = area.interact_pointer_pos();
    let key_under_pointer = |state: &SheetState| {
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
        |state: &SheetState| keys::interval_under(state.lines.all(), &rows.places, scale, pointer?);
    if area.secondary_clicked()
        && let Some(KeyHit { line, frame }) =
            key_under_pointer(state).or_else(|| interval_under_pointer(state))
    {
        let row = &state.lines.all()[line].row;
        if state.keys.row_state(scene, row, frame) == Some(false) {
            state.keys = state.keys.clicked(scene, row, frame, false).into();
        }
    }
    let mut chosen = None;
    area.context_menu(|ui| chosen = menu(ui, state, scene));
    if let Some(Chosen::Mode(mode)) = chosen {
        state.set_mode(scene, mode, out);
    }
    if let Some(Chosen::Filter(filter)) = chosen {
        state.filter(scene, filter, out);
    }
    if let Some(Chosen::Action(action)) = chosen {
        let pointer = ui.input(|i| i.pointer.latest_pos());
        let frame = scale.frame(pointer.map_or(0.0, |pointer| pointer.x));
        state.act(view, scale, action, frame, out);
    }
}

/// What was chosen in the menu.
enum Chosen {
    Action(SheetAction),
    Mode(Mode),
    Filter(Filter),
}

fn menu(ui: &mut Ui, state: &mut SheetState, scene: &Scene) -> Option<Chosen> {
    let mut chosen = None;
    for row in &ROWS {
        let action = row.action;
        if matches!(
            action,
            SheetAction::Cut | SheetAction::MakeClamped | SheetAction::SelectAll | SheetAction::Fit
        ) {
            ui.separator();
        }
        let disabled_reason = state.disabled_reason(action);
        let text = match action {
            SheetAction::Copy | SheetAction::Cut | SheetAction::Delete | SheetAction::Duplicate
                if disabled_reason.is_none() =>
            {
                let count = counted(state.keys.count(), "key", "keys");
                format!("{} {count}", row.text)
            }
            _ => row.text.to_owned(),
        };
        let mut button = Button::new(text).wrap_mode(egui::TextWrapMode::Extend);
        if let Some(keys) = row.shortcuts.first() {
            button = button.shortcut_text(keys.to_string());
        }
        let response = ui.add_enabled(disabled_reason.is_none(), button.min_size(vec2(220.0, theme::ROW)));
        let label = format!("Keys > {}", row.text);
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, disabled_reason.is_none(), &label));
        if response.clicked() {
            chosen = Some(Chosen::Action(action));
        }
        let response = response.tip(row.tooltip);
        response.disabled_tip(disabled_reason.unwrap_or_default());
        if action == SheetAction::NextMode {
            chosen = eases::menu(ui, !state.keys.is_empty()).map(Chosen::Mode).or(chosen);
        }
        if action == SheetAction::Smooth {
            chosen = fewer::menu(ui, state, scene).map(Chosen::Filter).or(chosen);
        }
    }
    chosen
}

/// Continues the current drag, or ends it.
fn drag_ui(
    ui: &Ui,
    view: &View,
    layout: &Layout,
    scale: &Scale,
    rows: &Rows,
    state: &mut SheetState,
    out: &mut Vec<Request>,
) {
    let (down, cancel, enter, shift, pointer) = ui.input(|i| {
        (
            i.pointer.primary_down(),
            i.key_pressed(Key::Escape) || i.pointer.button_pressed(PointerButton::Secondary),
            i.key_pressed(Key::Enter),
            i.modifiers.shift,
            i.pointer.latest_pos(),
        )
    });
    let done = match &mut state.drag {
        None => return,
        Some(ActiveDrag::Box(drag)) => {
            if cancel && !drag.cancelled {
                drag.cancelled = true;
                state.keys = drag.base.clone();
            }
            if let (false, Some(pointer)) = (drag.cancelled, pointer) {
                let inside = box_ui(ui, layout, scale, rows, drag, pointer, state.lines.all().len());
                let chosen: Vec<_> =
                    inside.lines.into_iter().map(|line| state.lines.all()[line].row.clone()).collect();
                let [from, to] = inside.frames;
                let keys = drag.base.boxed(view.session.scene(), &chosen, from..=to, drag.extend);
                state.keys = keys.into();
            }
            !down
        }
        Some(ActiveDrag::Keys(drag)) => {
            let ended = if drag.by_key { enter || catch_click(ui) } else { !down };
            let keys: Vec<_> = ui.input(|i| i.events.iter().flat_map(drag_keys).collect());
            keys.into_iter().for_each(|key| drag.press(key));
            if let Some(pointer) = pointer {
                let frame = scale.frame(pointer.x);
                let reach = scale.frames(REACH);
                drag.follow(view.session, frame, reach, shift, out);
            }
            if cancel {
                drag.cancel(out);
            }
            if ended {
                state.notices.extend(drag.commit(view.session, out));
            }
            state.hint = Some(drag.hint());
            if !drag.ended {
                ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
                let clip = view.session.scene().animation.clip;
                let text = drag.text(&clip, state.seconds);
                let ranges = drag.ranges_text(view.session).map(str::to_owned);
                let notices = [length_notice(view), ranges];
                show_drag_hint(ui, &text, replaces_text(drag.replaced), notices);
            }
            ended || drag.by_key && drag.ended
        }
    };
    if done {
        state.drag = None;
        if std::mem::take(&mut state.refit) {
            state.time.fit();
        }
        return;
    }
    let no_scrolling = matches!(&state.drag, Some(ActiveDrag::Keys(drag)) if drag.by_key || drag.ended);
    if let Some(pointer) = pointer.filter(|_| !no_scrolling) {
        let overshoot = overshoot(pointer.x, layout.split, layout.full.right());
        if overshoot != 0.0 {
            state.time.pan(scale, -0.4 * overshoot);
            ui.ctx().request_repaint();
        }
    }
}

/// Blocks all other widgets while keys follow the pointer without a button down. Returns whether the button
/// was clicked.
fn catch_click(ui: &Ui) -> bool {
    let window = ui.ctx().content_rect();
    let area = Area::new(Id::new("sheet grab")).order(Order::Foreground).fixed_pos(window.min);
    let shown = area.show(ui.ctx(), |ui| ui.allocate_rect(window, Sense::CLICK | Sense::DRAG));
    let response = shown.inner;
    response.clicked_by(PointerButton::Primary) || response.drag_stopped_by(PointerButton::Primary)
}

/// The notice that the clip becomes longer, if it does.
fn length_notice(view: &View) -> Option<String> {
    let length = |scene: &crate::scene::Scene| scene.animation.clip.length;
    let (before, after) = (length(view.session.animated_before()), length(view.session.scene()));
    (after > before).then(|| format!("the clip becomes {after} frames long"))
}

/// Draws the effect of the drag next to the pointer.
fn show_drag_hint(ui: &Ui, text: &str, replaces: Option<String>, notices: [Option<String>; 2]) {
    let id = Id::new("keys dragged");
    Tooltip::always_open(ui.ctx().clone(), ui.layer_id(), id, egui::PopupAnchor::Pointer).gap(16.0).show(
        |ui| {
            ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
            ui.strong(text);
            if let Some(replaces) = replaces {
                ui.label(RichText::new(replaces).color(theme::WARNING));
            }
            for notice in notices.into_iter().flatten() {
                ui.weak(notice);
            }
        },
    );
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
    let painter = ui.painter_at(layout.keys());
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

/// Handles the shortcuts of the sheet while it has the keyboard. Esc ends the tool of the view that is active, if any,
/// before it deselects keys.
pub fn keyboard(ui: &Ui, view: &View, scale: &Scale, state: &mut SheetState, out: &mut Vec<Request>) {
    let busy = state.takes_keys() || egui::Popup::is_any_open(ui.ctx());
    let typing = ui.memory(|memory| memory.focused().is_some());
    if busy || typing || !ui.is_enabled() {
        return;
    }
    if state.over_ruler {
        remove_mode_keys(ui);
    }
    if !state.focused {
        return;
    }
    let pointer = ui.input(|i| i.pointer.latest_pos());
    let frame = scale.frame(pointer.map_or(0.0, |pointer| pointer.x));
    for action in pressed(ui, !state.keys.is_empty() && !state.has_tool) {
        state.act(view, scale, action, frame, out);
    }
}
