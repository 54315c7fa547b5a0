//! Pointer and keyboard input of both views: zooming and panning, the drags in progress, and shortcuts.

use super::action::{pressed, remove_mode_keys};
use super::drag::{KeysDrag, replaces_text};
use super::drag_pointer::DragPointer;
use super::edit::REACH;
use super::time::Scale;
use super::{ActiveDrag, BoxDrag, KeysState, KeysView, Layout};
use crate::anim::clip::Clip;
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::edit::time::timeline::KeySelection;
use crate::editor::ui::drag_keys::drag_keys;
use crate::editor::ui::theme;
use egui::{
    Area, Event, Id, Key, MouseWheelUnit, Order, PointerButton, Pos2, Response, RichText, Sense, Tooltip, Ui,
};

const HINT: &str = "Click or drag a box to select keys, click a line between them to ease; G moves, S scales. Ctrl+wheel zooms, middle drag pans";
const CURVES_HINT: &str = "Drag keys in time or in value; double-click a curve to add a key. Ctrl+right drag: lasso. Wheel scrolls, Alt+wheel and Ctrl+wheel zoom";
const SOUND_HINT: &str = "Drag to move the sound. Wheel zooms, right-click for more";
const RULER_HINT: &str = "Drag to scrub. Wheel zooms, right-click for the play range";
/// The distance from which keys snap to marks, in points.
const SNAP_DISTANCE: f32 = 5.0;
/// The distance to the edge of the visible area within which a drag scrolls and pans, in points.
const SCROLL_MARGIN: f32 = 4.0;
/// The zoom factor per notch of the wheel.
pub const ZOOM: f64 = 1.2;

/// Handles the wheel: Ctrl+wheel, and the wheel alone over the ruler or the sound, zoom; Shift+wheel and a horizontal
/// wheel pan. Over curves, the wheel alone scrolls values, and Alt+wheel zooms them.
pub fn wheel(ui: &Ui, layout: &Layout, clip: &Clip, scale: &Scale, state: &mut KeysState) {
    let is_over_sound = ui.rect_contains_pointer(layout.sound);
    let is_over_ruler = is_over_sound || ui.rect_contains_pointer(layout.ruler);
    let hint = if is_over_sound {
        Some(SOUND_HINT)
    } else if is_over_ruler {
        Some(RULER_HINT)
    } else {
        let hint = match state.shown {
            KeysView::Sheet => HINT,
            KeysView::Curves => CURVES_HINT,
        };
        ui.rect_contains_pointer(layout.keys).then_some(hint)
    };
    let is_dragging = state.is_dragging();
    if state.hint != hint && !is_dragging {
        // The status bar was drawn before the sheet, so draw it again.
        state.hint = hint;
        ui.ctx().request_repaint();
    }
    if state.hint.is_none() || is_dragging {
        return;
    }
    let (mut notches, mut points) = (0.0, 0.0);
    let is_over_curves = state.shown == KeysView::Curves && !is_over_ruler;
    let values = &mut state.graph.wheel;
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
                    } else if modifiers.alt && is_over_curves {
                        values.notches += f64::from(lines.y);
                    } else if is_over_curves {
                        values.points += lines.y * 40.0;
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

/// The distance to scroll the rows of the sheet, in points: by a middle drag, or because a box extends beyond the visible
/// area.
pub fn vertical_scroll(ui: &Ui, layout: &Layout, area: &Response, state: &KeysState) -> f32 {
    if state.shown == KeysView::Curves {
        return 0.0;
    }
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

/// Returns the signed distance by which the pointer is beyond the visible range, including the scroll margin, in
/// points.
pub fn overshoot(pointer: f32, from: f32, to: f32) -> f32 {
    ((pointer - to + SCROLL_MARGIN).max(0.0) - (from + SCROLL_MARGIN - pointer).max(0.0)).clamp(-30.0, 30.0)
}

/// What a view does with a drag.
pub struct DragView<'a> {
    /// The value at a position; 0 in the sheet.
    pub value: &'a dyn Fn(Pos2) -> f32,
    /// Draws a box to a position, and returns the keys that are selected with those inside.
    pub boxed: &'a dyn Fn(&KeysState, &BoxDrag, Pos2) -> KeySelection,
}

/// Returns the frames to which keys snap: the current one, the ends of the play range and of takes, and in the curves, those of
/// the bars.
fn marks(view: &View, state: &mut KeysState) -> Vec<f32> {
    let scene = view.session.scene_before();
    let takes = scene.animation.takes.list.iter().map(|take| take.range);
    let ranges = takes.chain([scene.animation.clip.play_range()]);
    let mut marks: Vec<f32> = ranges.flatten().map(|frame| frame as f32).collect();
    marks.push(view.session.frame().round());
    if state.shown == KeysView::Curves {
        let stances = state.graph.stances.update(scene).iter();
        marks.extend(stances.flat_map(|stance| stance.frames).map(|frame| frame.round() as f32));
    }
    marks
}

/// Continues the current drag, or ends it.
pub fn drag_ui(
    ui: &Ui,
    view: &View,
    layout: &Layout,
    scale: &Scale,
    drag_view: &DragView,
    state: &mut KeysState,
    out: &mut Vec<Request>,
) {
    let Some(mut active) = state.drag.take() else {
        return;
    };
    let (down, pointer) = ui.input(|i| (i.pointer.primary_down(), i.pointer.latest_pos()));
    let done = match &mut active {
        ActiveDrag::Box(drag) => {
            if cancels(ui) && !drag.cancelled {
                drag.cancelled = true;
                state.keys = drag.base.clone();
            }
            if let (false, Some(pointer)) = (drag.cancelled, pointer) {
                state.keys = (drag_view.boxed)(state, drag, pointer).into();
            }
            !down
        }
        ActiveDrag::Keys(drag) => keys_drag_ui(ui, view, scale, drag_view, drag, state, out),
    };
    if done {
        if std::mem::take(&mut state.refit) {
            state.time.fit();
        }
        return;
    }
    let no_scrolling = matches!(&active, ActiveDrag::Keys(drag) if drag.by_key || drag.ended);
    state.drag = Some(active);
    if let Some(pointer) = pointer.filter(|_| !no_scrolling) {
        let overshoot = overshoot(pointer.x, layout.split, layout.full.right());
        if overshoot != 0.0 {
            state.time.pan(scale, -0.4 * overshoot);
            ui.ctx().request_repaint();
        }
    }
}

/// Whether Esc or the right button cancels a drag now.
pub fn cancels(ui: &Ui) -> bool {
    ui.input(|i| i.key_pressed(Key::Escape) || i.pointer.button_pressed(PointerButton::Secondary))
}

/// Continues a drag of keys. Returns whether it is over.
fn keys_drag_ui(
    ui: &Ui,
    view: &View,
    scale: &Scale,
    drag_view: &DragView,
    drag: &mut KeysDrag,
    state: &mut KeysState,
    out: &mut Vec<Request>,
) -> bool {
    let (down, enter, modifiers, pointer) = ui.input(|i| {
        (i.pointer.primary_down(), i.key_pressed(Key::Enter), i.modifiers, i.pointer.latest_pos())
    });
    let ended = if drag.by_key { enter || catch_click(ui) } else { !down };
    let keys: Vec<_> = ui.input(|i| i.events.iter().flat_map(drag_keys).collect());
    keys.into_iter().for_each(|key| drag.press(key));
    if let Some(pointer) = pointer {
        let marks = marks(view, state);
        let pointer = DragPointer {
            frame: scale.frame(pointer.x),
            value: (drag_view.value)(pointer),
            reach: scale.frames(REACH),
            fine: modifiers.shift,
            coarse: modifiers.command,
            marks: &marks,
            near: scale.frames(SNAP_DISTANCE),
        };
        drag.follow(view.session, &pointer, out);
    }
    if cancels(ui) {
        drag.cancel(out);
    }
    if ended {
        state.notices.extend(drag.commit(view.session, out));
    }
    state.hint = Some(drag.hint(state.shown == KeysView::Curves));
    if !drag.ended {
        ui.ctx().set_cursor_icon(drag.cursor());
        let clip = view.session.scene().animation.clip;
        let text = drag.text(&clip, state.seconds);
        let ranges = drag.ranges_text(view.session).map(str::to_owned);
        let notices = [length_notice(view), ranges];
        show_drag_hint(ui, &text, replaces_text(drag.replaced), notices);
    }
    ended || drag.by_key && drag.ended
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
pub fn show_drag_hint(ui: &Ui, text: &str, replaces: Option<String>, notices: [Option<String>; 2]) {
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

/// Handles the shortcuts of keys while the panel has the keyboard. Esc ends the tool of the view that is active, if any,
/// before it deselects keys.
pub fn keyboard(ui: &Ui, view: &View, scale: &Scale, state: &mut KeysState, out: &mut Vec<Request>) {
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
    // Over curves, which are those of the selection, Esc keeps it.
    let takes_esc = !state.keys.is_empty() || state.shown == KeysView::Curves;
    for action in pressed(ui, takes_esc && !state.has_tool) {
        state.act(view, scale, action, frame, out);
    }
}
