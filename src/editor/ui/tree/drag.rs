//! Dragging rows onto others.

use super::{Event, Key, Tree, TreeState};
use crate::editor::ui::list::drag_hint;
use crate::editor::ui::theme;
use egui::{Align2, CursorIcon, FontId, PointerButton, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, vec2};

/// The place at which rows are dropped.
#[derive(Clone, Debug, PartialEq)]
pub enum DropPlace<K> {
    Row(K),
    /// The top level, without a parent.
    Root,
    Nowhere,
}

/// The effect of dropping rows at a place.
pub enum DropHint {
    /// What the drop would do.
    Allowed(String),
    /// Why the drop is not possible.
    Refused(&'static str),
    /// A hint where the rows can be dropped instead.
    Nowhere(String),
}

/// Rows that are being dragged.
pub(super) struct Drag<K> {
    /// The row that was pressed.
    pressed: K,
    keys: Vec<K>,
    /// Whether it was cancelled; then nothing happens until the button is released.
    cancelled: bool,
}

impl<K: Key> Drag<K> {
    /// Drags all of `together` if the pressed row is one of them, otherwise only that row.
    pub fn new(pressed: K, together: &[K]) -> Self {
        let keys = if together.contains(&pressed) { together.to_vec() } else { vec![pressed.clone()] };
        Self { pressed, keys, cancelled: false }
    }
}

/// The distance from the ends of the visible area within which the list scrolls, in points.
const SCROLL_EDGE: f32 = 18.0;
const SCROLL_STEP: f32 = 6.0;

/// The row on which rows are dropped to move them to the top level.
pub(super) fn root_ui(ui: &mut Ui, text: &str) -> Rect {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::hover());
    let position = rect.left_center() + vec2(20.0, 0.0);
    let font = FontId::proportional(theme::BODY);
    ui.painter().text(position, Align2::LEFT_CENTER, text, font, *theme::TEXT_QUIET);
    rect
}

impl<K: Key> Tree<'_, K> {
    /// Marks the row under the pointer, shows the effect of a drop there, and drops when the button is
    /// released. `area`: the visible area of the rows.
    pub(super) fn drag_ui(
        &self,
        ui: &Ui,
        state: &mut TreeState<K>,
        rects: &[Rect],
        root: Option<Rect>,
        area: Rect,
    ) -> Option<Event<K>> {
        let drag = state.drag.as_mut()?;
        let (down, cancels, pointer) = ui.input(|i| {
            let cancels =
                i.key_pressed(egui::Key::Escape) || i.pointer.button_pressed(PointerButton::Secondary);
            (i.pointer.primary_down(), cancels, i.pointer.latest_pos())
        });
        drag.cancelled |= cancels || self.lines.iter().all(|line| line.key != drag.pressed);
        let found = pointer.filter(|_| !drag.cancelled);
        let found = found.map(|pointer| (pointer, self.drop_place(pointer, rects, root, area)));
        let hint = found.as_ref().map(|(_, (place, _))| (self.drop_hint)(&drag.keys, place));
        if !down {
            let keys = state.drag.take()?.keys;
            let allowed = matches!(hint, Some(DropHint::Allowed(_)));
            return found.filter(|_| allowed).map(|(_, (place, _))| Event::Drop(keys, place));
        }
        let (pointer, (_, rect)) = found?;
        let (color, cursor, text) = match hint? {
            DropHint::Allowed(text) => (Some(theme::ACCENT), CursorIcon::Grabbing, text),
            DropHint::Refused(why) => (Some(theme::ERROR), CursorIcon::NotAllowed, why.to_owned()),
            DropHint::Nowhere(text) => (None, CursorIcon::Grabbing, text),
        };
        if let Some((color, rect)) = color.zip(rect) {
            let painter = ui.painter().with_clip_rect(area);
            painter.rect_stroke(rect, theme::RADIUS, Stroke::new(1.5, color), StrokeKind::Inside);
        }
        ui.ctx().set_cursor_icon(cursor);
        drag_hint(ui, ui.id().with("dragged rows"), area, pointer, text);
        let below = (pointer.y - area.bottom() + SCROLL_EDGE).max(0.0);
        let beyond = below - (area.top() + SCROLL_EDGE - pointer.y).max(0.0);
        if beyond != 0.0 {
            ui.scroll_with_delta(vec2(0.0, -beyond.signum() * SCROLL_STEP));
            ui.ctx().request_repaint();
        }
        None
    }

    fn drop_place(
        &self,
        pointer: Pos2,
        rects: &[Rect],
        root: Option<Rect>,
        area: Rect,
    ) -> (DropPlace<K>, Option<Rect>) {
        let is_over = |rect: &Rect| rect.contains(pointer) && area.contains(pointer);
        let mut rows = self.lines.iter().zip(rects);
        if let Some((line, rect)) = rows.find(|(line, rect)| line.selectable && is_over(rect)) {
            return (DropPlace::Row(line.key.clone()), Some(*rect));
        }
        match root.filter(|rect| rect.contains(pointer)) {
            Some(rect) => (DropPlace::Root, Some(rect)),
            None => (DropPlace::Nowhere, None),
        }
    }
}
