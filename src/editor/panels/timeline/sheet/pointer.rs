//! What pointer and keyboard do in the sheet: select, box, drag, scale, zoom, pan.

use super::action::{SheetAction, pressed};
use super::drag::{Change, replaces_text};
use super::edit::REACH;
use super::keys::{self, KeyAt};
use super::time::Scale;
use super::{BoxDrag, Hold, Layout, Rows, SheetState};
use crate::anim::clip::Clip;
use crate::edit::request::Request;
use crate::edit::view::View;
use crate::editor::ui::drag_keys::drag_keys;
use crate::editor::ui::theme;
use crate::io::count::counted;
use egui::{
    Area, Button, CursorIcon, Event, Id, Key, MouseWheelUnit, Order, PointerButton, Pos2, Rect, Response,
    RichText, Sense, Stroke, StrokeKind, Tooltip, Ui, WidgetInfo, WidgetType, pos2, vec2,
};

const HINT: &str = "Click or drag a box to select keys; G moves, S scales. Ctrl+wheel zooms, Shift+wheel and middle drag pan";
const RULER_HINT: &str = "Drag to scrub. Wheel zooms, right-click for the play range";
/// Nearer than this to the edge of what is seen, in points, a drag scrolls and pans.
const EDGE: f32 = 4.0;
const ZOOM: f64 = 1.2;

/// Ctrl+wheel, and the wheel alone over the ruler, zoom; Shift+wheel and a horizontal wheel pan.
pub fn wheel(ui: &Ui, layout: &Layout, clip: &Clip, scale: &Scale, state: &mut SheetState) {
    let ruler = ui.rect_contains_pointer(layout.ruler);
    let hint = match ruler {
        true => Some(RULER_HINT),
        false => ui.rect_contains_pointer(layout.keys()).then_some(HINT),
    };
    if state.hint != hint && state.hold.is_none() {
        // The status bar is laid out before the sheet.
        state.hint = hint;
        ui.ctx().request_repaint();
    }
    if state.hint.is_none() || state.hold.is_some() {
        return;
    }
    let (mut notches, mut points) = (0.0, 0.0);
    let at = ui.input(|i| {
        for event in &i.events {
            match event {
                Event::MouseWheel {
                    unit,
                    delta,
                    modifiers,
                    ..
                } => {
                    let lines = match unit {
                        MouseWheelUnit::Point => *delta / 40.0,
                        _ => *delta,
                    };
                    points += lines.x * 40.0;
                    if modifiers.shift {
                        points += lines.y * 40.0;
                    } else if modifiers.command || ruler {
                        notches += f64::from(lines.y);
                    }
                }
                Event::Zoom(factor) => notches += f64::from(*factor).ln() / ZOOM.ln(),
                _ => {}
            }
        }
        i.pointer.latest_pos()
    });
    if let (true, Some(at)) = (notches != 0.0, at) {
        state.time.zoom(scale, at.x, ZOOM.powf(notches), clip);
    } else if points != 0.0 {
        state.time.pan(scale, points);
    }
}

/// How far the rows scroll: by a middle drag, or because a box is drawn over their end.
pub fn vertical(ui: &Ui, layout: &Layout, area: &Response, state: &SheetState) -> f32 {
    if area.dragged_by(PointerButton::Middle) {
        return area.drag_delta().y;
    }
    let boxed = matches!(&state.hold, Some(Hold::Box(drag)) if !drag.over);
    let at = ui.input(|i| i.pointer.latest_pos()).filter(|_| boxed);
    let beyond = at.map_or(0.0, |at| beyond(at.y, layout.body.top(), layout.body.bottom()));
    if beyond != 0.0 {
        ui.ctx().request_repaint();
    }
    -0.4 * beyond
}

/// How far a drag is over the edge of what is seen.
fn beyond(at: f32, from: f32, to: f32) -> f32 {
    ((at - to + EDGE).max(0.0) - (from + EDGE - at).max(0.0)).clamp(-30.0, 30.0)
}

/// The brackets around the selected keys in the summary: a drag of one scales about the other.
pub fn ends_ui(ui: &Ui, layout: &Layout, scale: &Scale, state: &SheetState) -> Option<Change> {
    let [first, last] = state.keys.span().filter(|[first, last]| first < last)?;
    let clip = layout.summary.with_min_x(layout.split);
    let painter = ui.painter_at(clip);
    let mut begun = None;
    for (end, (from, about)) in [(first, last), (last, first)].into_iter().enumerate() {
        let out = if end == 0 { -1.0 } else { 1.0 };
        let x = scale.x(from) + out * 10.0;
        let rect = Rect::from_center_size(pos2(x, clip.center().y), vec2(9.0, clip.height() - 4.0));
        if !clip.contains(rect.center()) {
            continue;
        }
        let name = ["Start of selected keys", "End of selected keys"][end];
        let response = ui.interact(rect, Id::new(("selected keys", end)), Sense::DRAG);
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Other, ui.is_enabled(), name));
        let color = match response.hovered() || response.dragged() {
            true => theme::TEXT_STRONG,
            false => theme::ACCENT,
        };
        let (outer, inner) = (x + out * 2.0, x - out * 2.0);
        let (top, bottom) = (rect.top() + 1.0, rect.bottom() - 1.0);
        let corners = [(inner, top), (outer, top), (outer, bottom), (inner, bottom)];
        let line = corners.map(|(x, y)| pos2(x, y)).to_vec();
        painter.line(line, Stroke::new(2.0, color));
        if response.drag_started_by(PointerButton::Primary) {
            begun = Some(Change::Scale { about, from });
        }
        let response = response.on_hover_and_drag_cursor(CursorIcon::ResizeHorizontal);
        if state.hold.is_none() {
            response.on_hover_text(
                "Drag to scale the selected keys about the other end. S scales about the current frame.",
            );
        }
    }
    begun
}

#[expect(clippy::too_many_arguments, reason = "the sheet as it was laid out")]
pub fn pointer_ui(
    ui: &Ui,
    view: &View,
    layout: &Layout,
    scale: &Scale,
    area: &Response,
    rows: &Rows,
    ends: Option<Change>,
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
    if state.hold.is_none() {
        if let (Some(change), Some(origin)) = (ends, origin) {
            state.grab(change, scale.frame(origin.x), false, scale);
        } else if let (true, Some(origin)) = (area.drag_started_by(PointerButton::Primary), origin) {
            begin(view, scale, rows, origin, shift, state);
        } else {
            clicks(ui, view, scale, area, rows, shift, state, out);
        }
    }
    if state.hold.is_some() {
        hold_ui(ui, view, layout, scale, rows, state, out);
    } else if let Some(key) = rows.hovered {
        ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
        if !area.context_menu_opened() {
            let response = area.clone();
            response.on_hover_ui_at_pointer(|ui| keys::tooltip(ui, view, state, key));
        }
    }
}

/// A drag begins: of a key, or of a box.
fn begin(view: &View, scale: &Scale, rows: &Rows, origin: Pos2, shift: bool, state: &mut SheetState) {
    let hit = keys::key_under(state.lines.all(), &rows.places, scale, origin);
    let Some(key) = hit else {
        state.hold = Some(Hold::Box(BoxDrag {
            base: state.keys.clone(),
            extend: shift,
            frame: scale.frame(origin.x),
            y: origin.y - rows.top,
            over: false,
        }));
        state.hold_still(scale);
        return;
    };
    let row = &state.lines.all()[key.line].row;
    let scene = view.session.scene();
    if state.keys.of_row(scene, row, key.frame) != Some(true) {
        state.keys = state.keys.clicked(scene, row, key.frame, shift).into();
    }
    let grabbed = key.frame;
    state.grab(Change::Move { grabbed }, scale.frame(origin.x), false, scale);
}

#[expect(clippy::too_many_arguments, reason = "the sheet as it was laid out")]
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
    let at = area.interact_pointer_pos();
    let under = |state: &SheetState| {
        let at = at?;
        keys::key_under(state.lines.all(), &rows.places, scale, at)
    };
    if area.clicked_by(PointerButton::Primary) {
        match under(state) {
            Some(KeyAt { line, frame }) => {
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
    if area.secondary_clicked()
        && let Some(KeyAt { line, frame }) = under(state)
    {
        let row = &state.lines.all()[line].row;
        if state.keys.of_row(scene, row, frame) == Some(false) {
            state.keys = state.keys.clicked(scene, row, frame, false).into();
        }
    }
    let mut asked = None;
    area.context_menu(|ui| asked = menu(ui, state));
    if let Some(action) = asked {
        let at = ui.input(|i| i.pointer.latest_pos());
        let frame = scale.frame(at.map_or(0.0, |at| at.x));
        state.act(view, scale, action, frame, out);
    }
}

fn menu(ui: &mut Ui, state: &SheetState) -> Option<SheetAction> {
    let mut asked = None;
    for action in SheetAction::ALL {
        if matches!(
            action,
            SheetAction::Cut | SheetAction::MakeSmooth | SheetAction::SelectAll | SheetAction::Fit
        ) {
            ui.separator();
        }
        let why_not = state.why_not(action);
        let text = match action {
            SheetAction::Copy | SheetAction::Cut | SheetAction::Delete | SheetAction::Duplicate
                if why_not.is_none() =>
            {
                let count = counted(state.keys.count(), "key", "keys");
                format!("{} {count}", action.text())
            }
            _ => action.text().to_owned(),
        };
        let mut button = Button::new(text).wrap_mode(egui::TextWrapMode::Extend);
        if let Some(keys) = action.shortcuts().first() {
            button = button.shortcut_text(keys.to_string());
        }
        let response = ui.add_enabled(why_not.is_none(), button.min_size(vec2(220.0, theme::ROW)));
        let label = format!("Keys > {}", action.text());
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, why_not.is_none(), &label));
        if response.clicked() {
            asked = Some(action);
        }
        let response = response.on_hover_text(action.tooltip());
        response.on_disabled_hover_text(why_not.unwrap_or_default());
    }
    asked
}

/// What is held goes on, or ends.
fn hold_ui(
    ui: &Ui,
    view: &View,
    layout: &Layout,
    scale: &Scale,
    rows: &Rows,
    state: &mut SheetState,
    out: &mut Vec<Request>,
) {
    let (down, cancels, enter, shift, at) = ui.input(|i| {
        (
            i.pointer.primary_down(),
            i.key_pressed(Key::Escape) || i.pointer.button_pressed(PointerButton::Secondary),
            i.key_pressed(Key::Enter),
            i.modifiers.shift,
            i.pointer.latest_pos(),
        )
    });
    let done = match &mut state.hold {
        None => return,
        Some(Hold::Box(drag)) => {
            if cancels && !drag.over {
                drag.over = true;
                state.keys = drag.base.clone();
            }
            if let (false, Some(at)) = (drag.over, at) {
                let inside = box_ui(ui, layout, scale, rows, drag, at, state.lines.all().len());
                let chosen: Vec<_> = inside
                    .lines
                    .into_iter()
                    .map(|line| state.lines.all()[line].row.clone())
                    .collect();
                let [from, to] = inside.frames;
                let keys = drag
                    .base
                    .boxed(view.session.scene(), &chosen, from..=to, drag.extend);
                state.keys = keys.into();
            }
            !down
        }
        Some(Hold::Keys(drag)) => {
            let ended = match drag.by_key {
                true => enter || catch(ui),
                false => !down,
            };
            let keys: Vec<_> = ui.input(|i| i.events.iter().flat_map(drag_keys).collect());
            keys.into_iter().for_each(|key| drag.press(key));
            if let Some(at) = at {
                let frame = scale.frame(at.x);
                let reach = scale.frames(REACH);
                drag.follow(view.session, frame, reach, shift, out);
            }
            if cancels {
                drag.cancel(out);
            }
            if ended {
                state.notices.extend(drag.commit(view.session, out));
            }
            state.hint = Some(drag.hint());
            if !drag.over {
                ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
                let clip = view.session.scene().animation.clip;
                let text = drag.text(&clip, state.seconds);
                let longer = longer(view);
                show_drag_hint(ui, &text, replaces_text(drag.replaced), longer);
            }
            ended || drag.by_key && drag.over
        }
    };
    if done {
        state.hold = None;
        if std::mem::take(&mut state.refit) {
            state.time.fit();
        }
        return;
    }
    let free = matches!(&state.hold, Some(Hold::Keys(drag)) if drag.by_key || drag.over);
    if let Some(at) = at.filter(|_| !free) {
        let beyond = beyond(at.x, layout.split, layout.full.right());
        if beyond != 0.0 {
            state.time.pan(scale, -0.4 * beyond);
            ui.ctx().request_repaint();
        }
    }
}

/// While keys follow the pointer freely nothing else feels it. True once the button was clicked.
fn catch(ui: &Ui) -> bool {
    let all = ui.ctx().content_rect();
    let area = Area::new(Id::new("sheet grab"))
        .order(Order::Foreground)
        .fixed_pos(all.min);
    let caught = area.show(ui.ctx(), |ui| ui.allocate_rect(all, Sense::CLICK | Sense::DRAG));
    let response = caught.inner;
    response.clicked_by(PointerButton::Primary) || response.drag_stopped_by(PointerButton::Primary)
}

/// That the clip becomes longer.
fn longer(view: &View) -> Option<String> {
    let length = |scene: &crate::scene::Scene| scene.animation.clip.length;
    let (before, now) = (
        length(view.session.animated_before()),
        length(view.session.scene()),
    );
    (now > before).then(|| format!("the clip becomes {now} frames long"))
}

/// Beside the pointer.
fn show_drag_hint(ui: &Ui, text: &str, replaces: Option<String>, longer: Option<String>) {
    let id = Id::new("keys dragged");
    Tooltip::always_open(ui.ctx().clone(), ui.layer_id(), id, egui::PopupAnchor::Pointer)
        .gap(16.0)
        .show(|ui| {
            ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
            ui.strong(text);
            if let Some(replaces) = replaces {
                ui.label(RichText::new(replaces).color(theme::WARNING));
            }
            if let Some(longer) = longer {
                ui.weak(longer);
            }
        });
}

struct Inside {
    lines: Vec<usize>,
    frames: [f32; 2],
}

/// Draws the box; which rows and frames are in it. A row is if its middle is.
fn box_ui(
    ui: &Ui,
    layout: &Layout,
    scale: &Scale,
    rows: &Rows,
    drag: &BoxDrag,
    at: Pos2,
    count: usize,
) -> Inside {
    let from = pos2(scale.x(drag.frame), rows.top + drag.y);
    let rect = Rect::from_two_pos(from, at);
    let painter = ui.painter_at(layout.keys());
    painter.rect_filled(rect, 0.0, theme::ACCENT.gamma_multiply(0.12));
    painter.rect_stroke(rect, 0.0, Stroke::new(1.0, theme::ACCENT), StrokeKind::Inside);
    let middle = |line: usize| match line {
        0 => layout.summary.center().y,
        line => rows.top + (line as f32 - 0.5) * theme::ROW,
    };
    let lines = (0..count).filter(|line| rect.y_range().contains(middle(*line)));
    // Scrolled rows lie under the summary, where they are not seen.
    let summary = rect.y_range().contains(middle(0));
    let started_below = drag.y >= 0.0 && at.y >= layout.body.top();
    Inside {
        lines: lines
            .filter(|line| *line > 0 || summary && !started_below)
            .collect(),
        frames: [scale.frame(rect.left()), scale.frame(rect.right())],
    }
}

/// Shortcuts that count while the sheet has the keyboard.
pub fn keyboard(ui: &Ui, view: &View, scale: &Scale, state: &mut SheetState, out: &mut Vec<Request>) {
    let busy = state.takes_keys() || egui::Popup::is_any_open(ui.ctx());
    let typing = ui.memory(|memory| memory.focused().is_some());
    if busy || typing || !ui.is_enabled() || !state.active {
        return;
    }
    let at = ui.input(|i| i.pointer.latest_pos());
    let frame = scale.frame(at.map_or(0.0, |at| at.x));
    for action in pressed(ui, !state.keys.is_empty()) {
        state.act(view, scale, action, frame, out);
    }
}
