//! Pointer and keyboard input over curves: selecting keys and curves, dragging keys in time or in value, new keys, and panning.

use super::Plot;
use super::curves::{Curve, KeyDot};
use super::hits;
use super::lasso::{Lasso, lasso_ui};
use super::nudge::{NO_VALUES, steps};
use super::slopes::{self, SlopeDrag};
use super::state::Grab;
use super::value::{Heights, Normal};
use super::value_cursor;
use crate::edit::command::Command;
use crate::edit::command::keys::ChannelKeys;
use crate::edit::request::Request;
use crate::edit::select::selection::Part;
use crate::edit::settings::view::View;
use crate::edit::time::key_values;
use crate::edit::time::timeline::{KeySelection, RowSubject};
use crate::editor::panels::timeline::drag::Change;
use crate::editor::panels::timeline::lines::selection_of;
use crate::editor::panels::timeline::menu::menu_ui;
use crate::editor::panels::timeline::pointer::{DragView, cancels, drag_ui, overshoot, show_drag_hint};
use crate::editor::panels::timeline::time::frame_text;
use crate::editor::panels::timeline::{ActiveDrag, BoxDrag, KeysState};
use crate::editor::ui::digits::display_number;
use crate::editor::ui::theme;
use egui::{CursorIcon, Key, Modifiers, PointerButton, Pos2, Rect, Response, Stroke, StrokeKind, Ui, pos2};
use std::sync::Arc;

const SLOPE_HINT: &str = "Alt sets the slope on this side alone. Esc or right click cancels";

/// Makes a key of a box the active one, unless one of them is: that nearest to where the box ended.
fn activate_one(plot: &Plot, pointer: Option<Pos2>, state: &mut KeysState) {
    if let Some(pointer) = pointer.filter(|_| state.graph.active_key(&state.keys).is_none()) {
        let (curves, keys) = (&state.graph.curves, &state.keys);
        state.graph.active = hits::nearest_of(curves, keys, plot.scale, &plot.values, pointer);
    }
}

/// Handles clicks and drags.
pub fn pointer_ui(
    ui: &Ui,
    view: &View,
    plot: &Plot,
    area: &Response,
    state: &mut KeysState,
    out: &mut Vec<Request>,
) {
    if area.dragged_by(PointerButton::Middle) {
        let delta = area.drag_delta();
        if delta.x != 0.0 {
            state.time.pan(plot.scale, delta.x);
        }
        state.graph.values.pan(&plot.values, delta.y);
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    }
    let (origin, modifiers, pointer) =
        ui.input(|i| (i.pointer.press_origin(), i.modifiers, i.pointer.latest_pos()));
    if state.graph.slope.is_some() {
        slope_ui(ui, view, plot, state, out);
        return;
    }
    if let (true, Some(origin)) = (area.drag_started_by(PointerButton::Secondary), origin)
        && state.drag.is_none()
        && modifiers.command
    {
        let origin = [plot.scale.frame(origin.x), plot.values.value(origin.y)];
        state.graph.lasso = Some(Lasso::new(&state.keys, modifiers.shift, origin));
    }
    if state.graph.lasso.is_some() {
        lasso_ui(ui, plot.layout.keys, (plot.scale, &plot.values), state);
        return;
    }
    if state.drag.is_none() {
        state.graph.grab = None;
        if let (true, Some(origin)) = (area.drag_started_by(PointerButton::Primary), origin) {
            begin_drag(view, plot, origin, pointer.unwrap_or(origin), modifiers, state);
        } else {
            clicks(ui, view, plot, area, modifiers, state, out);
        }
    }
    let normal = normal(state);
    state.graph.pointer_value = pointer.map_or(0.0, |pointer| normal.value(plot.values.value(pointer.y)));
    if state.drag.is_none() {
        hover_ui(ui, plot, area, state);
        return;
    }
    change_axis(ui, view, state);
    let value = |point: Pos2| normal.value(plot.values.value(point.y));
    let boxed = |state: &KeysState, drag: &BoxDrag, pointer: Pos2| box_ui(ui, plot, state, drag, pointer);
    let drag_view = DragView { value: &value, boxed: &boxed };
    let is_box = matches!(state.drag, Some(ActiveDrag::Box(_)));
    drag_ui(ui, view, plot.layout, plot.scale, &drag_view, state, out);
    if is_box && state.drag.is_none() {
        activate_one(plot, pointer, state);
    }
    // The active key is the grabbed one wherever it goes.
    if let (Some(ActiveDrag::Keys(drag)), Some(grab)) = (&state.drag, &state.graph.grab) {
        state.graph.active = Some(KeyDot { frame: grab.dot.frame + drag.moved_frames(), ..grab.dot.clone() });
    }
    scroll(ui, plot, state);
}

/// Continues the drag of a slope, or ends it.
fn slope_ui(ui: &Ui, view: &View, plot: &Plot, state: &mut KeysState, out: &mut Vec<Request>) {
    let Some(mut drag) = state.graph.slope.take() else {
        return;
    };
    let (down, alone, pointer) =
        ui.input(|i| (i.pointer.primary_down(), i.modifiers.alt, i.pointer.latest_pos()));
    let curve = state.graph.curves.find(drag.dot());
    let (normal, unit) = curve.map_or((Normal::NONE, ""), |curve| (curve.normal, curve.unit));
    if let Some(pointer) = pointer {
        let value = normal.value(plot.values.value(pointer.y));
        drag.follow(view.session, plot.scale.frame(pointer.x), value, alone, out);
    }
    if cancels(ui) {
        drag.cancel(out);
    }
    if !down {
        drag.commit(out);
        return;
    }
    if let (Some(slope), false) = (drag.slope(), drag.ended) {
        let text = format!("{}{unit} a frame", display_number(f64::from(slope), 2));
        show_drag_hint(ui, &text, None, [None, None]);
    }
    state.hint = Some(SLOPE_HINT);
    state.graph.slope = Some(drag);
}

/// Shows that something can be clicked, and what a key is.
fn hover_ui(ui: &Ui, plot: &Plot, area: &Response, state: &KeysState) {
    let (curves, scale, values) = (&state.graph.curves, plot.scale, &plot.values);
    let Some(point) = area.hover_pos() else { return };
    let is_over_handle = slopes::handle_under(&state.graph.handles, point).is_some();
    let key = hits::key_under(curves, scale, values, point).filter(|_| !is_over_handle);
    let has_cursor = value_cursor::is_over(plot.layout.keys, state.graph.heights, point);
    let is_over_numbers = key.is_none() && !is_over_handle && has_cursor;
    if is_over_handle
        || is_over_numbers
        || key.is_some()
        || hits::curve_under(curves, scale, values, point).is_some()
    {
        ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
    }
    if is_over_numbers && !area.context_menu_opened() {
        area.clone().on_hover_text_at_pointer(value_cursor::TIP);
    }
    let Some(dot) = key.filter(|_| !area.context_menu_opened()) else { return };
    let Some(curve) = curves.find(&dot) else { return };
    let key = curves.samples(curve).and_then(|samples| samples.keys.iter().find(|key| key.0 == dot.frame));
    let (Some((_, numbers)), Some(line)) = (key, state.lines.all().get(curve.line)) else { return };
    let text = format!(
        "{} at frame {}",
        curve.text(numbers[dot.component]),
        frame_text(dot.frame, &Default::default(), false)
    );
    area.clone().on_hover_ui_at_pointer(|ui| {
        ui.strong(curve.name(line));
        ui.label(text);
        ui.weak("Drag it up or down, or to the side. x, y and z of a key share its time.");
    });
}

/// Returns the range in which the curve of the grabbed, or else the active key is shown.
fn normal(state: &KeysState) -> Normal {
    let graph = &state.graph;
    let dot = graph.grab.as_ref().map(|grab| &grab.dot).or(graph.active.as_ref());
    dot.and_then(|dot| graph.curves.find(dot)).map_or(Normal::NONE, |curve| curve.normal)
}

/// Scrolls values while a drag is beyond the visible ones.
fn scroll(ui: &Ui, plot: &Plot, state: &mut KeysState) {
    let is_scrolling = match &state.drag {
        Some(ActiveDrag::Keys(drag)) => !drag.by_key && !drag.ended && drag.changes_values(),
        Some(ActiveDrag::Box(drag)) => !drag.cancelled,
        None => false,
    };
    let pointer = ui.input(|i| i.pointer.latest_pos()).filter(|_| is_scrolling);
    let keys = plot.layout.keys;
    let overshoot = pointer.map_or(0.0, |pointer| overshoot(pointer.y, keys.top(), keys.bottom()));
    if overshoot != 0.0 {
        state.graph.values.pan(&plot.values, -0.4 * overshoot);
        ui.ctx().request_repaint();
    }
}

/// Starts dragging a key, in time or in value as the pointer moved first, or a box.
fn begin_drag(
    view: &View,
    plot: &Plot,
    origin: Pos2,
    pointer: Pos2,
    modifiers: Modifiers,
    state: &mut KeysState,
) {
    let Plot { scale, values, .. } = plot;
    if let Some(handle) = slopes::handle_under(&state.graph.handles, origin) {
        state.graph.slope = SlopeDrag::new(handle, view.session.scene());
        return;
    }
    let frame = scale.frame(origin.x);
    let hit = hits::key_under(&state.graph.curves, scale, values, origin);
    let Some(dot) = hit else {
        state.drag = Some(ActiveDrag::Box(BoxDrag {
            base: state.keys.clone(),
            extend: modifiers.shift,
            frame,
            y: values.value(origin.y),
            cancelled: false,
        }));
        state.freeze_view(scale);
        return;
    };
    if !state.keys.contains(&dot.channel, dot.frame) {
        state.keys = state.keys.toggled(keys_of(&dot), modifiers.shift).into();
    }
    state.graph.active = Some(dot.clone());
    let start = normal(state).value(values.value(origin.y));
    let value = key_value(view, &dot);
    state.graph.grab = Some(Grab { value, base: Arc::clone(&state.keys), dot: dot.clone() });
    let moved = pointer - origin;
    let is_vertical = moved.y.abs() > moved.x.abs();
    if is_vertical && state.graph.heights == Heights::Speeds {
        let samples = state.graph.curves.find(&dot).and_then(|curve| state.graph.curves.samples(curve));
        let drag = samples.and_then(|samples| SlopeDrag::of_speed(dot, samples, start, view.session.scene()));
        if drag.is_none() {
            state
                .notices
                .push("Linear keys, holds and eases have no speed of their own: T changes that".into());
        }
        state.graph.slope = drag;
        return;
    }
    state.grab(Change::Move { grabbed: dot.frame }, [frame, start], false, scale);
    if is_vertical {
        change_values(state);
    }
}

fn keys_of(dot: &KeyDot) -> Vec<ChannelKeys> {
    vec![ChannelKeys { channel: dot.channel.clone(), frames: vec![dot.frame] }]
}

/// Returns the value of a key.
fn key_value(view: &View, dot: &KeyDot) -> f32 {
    let found = view.session.scene().animation.get(&dot.channel);
    let value = found.and_then(|channel| channel.key(dot.frame)?.component(dot.component));
    value.unwrap_or(0.0)
}

/// Makes the drag change or scale values, of the component that was grabbed, if it can change alone.
fn change_values(state: &mut KeysState) {
    if state.graph.heights == Heights::Speeds {
        state.notices.push(NO_VALUES.into());
        return;
    }
    let Some(Grab { dot, value, base }) = &state.graph.grab else {
        return;
    };
    let Some(curve) = state.graph.curves.find(dot) else {
        return;
    };
    if !state.graph.curves.samples(curve).is_some_and(|samples| samples.can_change()) {
        state.notices.push("Rotations and switches have no values that change alone".into());
        return;
    }
    let keys = KeySelection::new(key_values::of_property(&base.keys(), &dot.channel));
    let (component, step, unit) = (dot.component, steps(curve.unit)[0], curve.unit);
    let pivot = state.graph.cursor.map_or(0.0, |cursor| curve.normal.value(cursor));
    if let Some(ActiveDrag::Keys(drag)) = &mut state.drag {
        let change = match drag.is_scale() {
            true => Change::ScaleValue { component, pivot, step, unit },
            false => Change::Value { component, grabbed: *value, step, unit },
        };
        drag.turn_into(change, &keys.into());
    }
}

/// Handles the keys that change what a drag of keys changes: T, the time, and V, the value.
fn change_axis(ui: &Ui, view: &View, state: &mut KeysState) {
    let (time, value) = ui.input(|i| (i.key_pressed(Key::T), i.key_pressed(Key::V)));
    let Some(ActiveDrag::Keys(drag)) = &mut state.drag else {
        return;
    };
    if drag.ended || drag.is_blend() || !time && !value {
        return;
    }
    if state.graph.grab.is_none() {
        // Started by a shortcut.
        let base = drag.base();
        let dot = state.graph.active_key(&base);
        let curve = dot.as_ref().and_then(|dot| state.graph.curves.find(dot));
        let samples = curve.and_then(|curve| state.graph.curves.samples(curve));
        if let (Some(dot), Some(samples)) = (dot, samples) {
            let key = samples.keys.iter().find(|key| key.0 == dot.frame);
            let value = key.map_or(0.0, |key| key.1[dot.component]);
            state.graph.grab = Some(Grab { dot, value, base });
        }
    }
    if value {
        change_values(state);
    } else if let (Some(grab), Some(ActiveDrag::Keys(drag))) = (&state.graph.grab, &mut state.drag) {
        let change = match drag.is_scale() {
            true => Change::Scale { pivot: view.session.frame(), grabbed: drag.start_frame() },
            false => Change::Move { grabbed: grab.dot.frame },
        };
        drag.turn_into(change, &grab.base);
    }
}

fn clicks(
    ui: &Ui,
    view: &View,
    plot: &Plot,
    area: &Response,
    modifiers: Modifiers,
    state: &mut KeysState,
    out: &mut Vec<Request>,
) {
    let Plot { scale, values, .. } = plot;
    let extend = modifiers.shift || modifiers.command;
    let pointer = area.interact_pointer_pos();
    let curves = &state.graph.curves;
    let key = pointer.and_then(|point| hits::key_under(curves, scale, values, point));
    if area.clicked_by(PointerButton::Primary)
        && let Some(point) = pointer
        && slopes::handle_under(&state.graph.handles, point).is_none()
    {
        if let Some(dot) = key.clone() {
            state.keys = state.keys.toggled(keys_of(&dot), extend).into();
            if area.double_clicked() {
                out.push(Request::SetFrame(dot.frame));
            }
            state.graph.active = Some(dot);
        } else if value_cursor::is_over(plot.layout.keys, state.graph.heights, point) {
            value_cursor::click(&mut state.graph, values, point);
        } else if let Some(index) = hits::curve_under(curves, scale, values, point) {
            click_curve(view, plot, area, index, point, extend, state, out);
        } else if !extend {
            state.keys = Arc::default();
        }
    }
    if area.secondary_clicked()
        && let Some(point) = pointer
        && let Some(dot) = key.or_else(|| hits::interval_under(&state.graph.curves, scale, values, point))
    {
        if !state.keys.contains(&dot.channel, dot.frame) {
            state.keys = state.keys.toggled(keys_of(&dot), false).into();
        }
        state.graph.active = Some(dot);
    }
    menu_ui(ui, view, scale, area, state, out);
}

/// A click on a curve makes its part the active one, and between two keys selects the first of them. A double-click adds a key, or with Shift selects those of the curve.
#[expect(clippy::too_many_arguments, reason = "a click, its place, and the outputs")]
fn click_curve(
    view: &View,
    plot: &Plot,
    area: &Response,
    index: usize,
    point: Pos2,
    extend: bool,
    state: &mut KeysState,
    out: &mut Vec<Request>,
) {
    let curve = &state.graph.curves.all()[index];
    let scene = view.session.scene();
    if !area.double_clicked() {
        if !extend {
            out.extend(activate(view, state, curve));
            // The way from a key to the next one is that of the key.
            if let Some(dot) = hits::interval_under(&state.graph.curves, plot.scale, &plot.values, point) {
                state.keys = KeySelection::new(keys_of(&dot)).into();
                state.graph.active = Some(dot);
            }
        }
        return;
    }
    if extend {
        let frames = scene.animation.get(&curve.channel).map_or(Vec::new(), |found| found.times());
        let keys = ChannelKeys { channel: curve.channel.clone(), frames };
        state.keys = state.keys.combined([keys], true).into();
        return;
    }
    let frame = scene.animation.clip.clamp(plot.scale.frame(point.x).round());
    match key_values::insert(scene, &curve.channel, frame) {
        Some(command) => {
            state.graph.active = Some(curve.dot(frame));
            out.push(Request::Apply(vec![Command::Keys(command)]));
        }
        None => state.notices.push("There is a key at this frame already".into()),
    }
}

/// Returns the request that makes the part of a curve the active one; the other selected parts stay selected. `None` if all curves
/// are shown only as long as their parts are not selected.
fn activate(view: &View, state: &KeysState, curve: &Curve) -> Option<Request> {
    let line = state.lines.all().get(curve.line)?;
    let selection = view.session.selection();
    let selected = match &line.row.subject {
        RowSubject::Part { mesh, part }
            if selection.mesh.as_ref() == Some(mesh) && selection.is_selected(*part) =>
        {
            let parts: Vec<Part> = selection.parts().collect();
            selection.with_parts([*part].into_iter().chain(parts))
        }
        // All curves are shown, since the selection has none: with this one selected, the others would be gone.
        _ if state.graph.only_selected => return None,
        _ => selection_of(view.session.scene(), line)?,
    };
    (selected != *selection).then_some(Request::Select(selected))
}

/// Draws the box and returns the keys that are selected with those inside.
fn box_ui(ui: &Ui, plot: &Plot, state: &KeysState, drag: &BoxDrag, pointer: Pos2) -> KeySelection {
    let Plot { layout, scale, values } = plot;
    let start = pos2(scale.x(drag.frame), values.y(drag.y));
    let rect = Rect::from_two_pos(start, pointer);
    let painter = ui.painter_at(layout.keys);
    painter.rect_filled(rect, 0.0, theme::ACCENT.gamma_multiply(0.12));
    painter.rect_stroke(rect, 0.0, Stroke::new(1.0, theme::ACCENT), StrokeKind::Inside);
    let frames = scale.frame(rect.left())..=scale.frame(rect.right());
    let shown = values.value(rect.bottom())..=values.value(rect.top());
    let keys = hits::keys_inside(&state.graph.curves, frames, shown);
    drag.base.combined(keys, drag.extend)
}
