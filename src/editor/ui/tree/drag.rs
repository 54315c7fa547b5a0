//! Rows dragged onto others.

use super::{Event, Key, Tree, TreeState};
use crate::editor::ui::list::drag_hint;
use crate::editor::ui::theme;
use egui::{Align2, CursorIcon, FontId, PointerButton, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, vec2};

/// Where rows are dropped.
#[derive(Clone, Debug, PartialEq)]
pub enum DropPlace<K> {
    Row(K),
    /// Beside all others, under no parent.
    Root,
    Nowhere,
}

/// What it means to drop rows somewhere.
pub enum DropHint {
    /// What it would do.
    Allowed(String),
    /// Why it cannot be done.
    Refused(&'static str),
    /// Where they can be dropped: not here.
    Nowhere(String),
}

/// Rows on their way.
pub(super) struct Drag<K> {
    /// The row that was pressed.
    pressed: K,
    keys: Vec<K>,
    /// Nothing happens until the button is released.
    cancelled: bool,
}

impl<K: Key> Drag<K> {
    /// All of `together` if the pressed row is one of them, else it alone.
    pub fn new(pressed: K, together: &[K]) -> Self {
        let keys = match together.contains(&pressed) {
            true => together.to_vec(),
            false => vec![pressed.clone()],
        };
        Self {
            pressed,
            keys,
            cancelled: false,
        }
    }
}

/// Nearer than this to the end of what is seen, in points, the list scrolls.
const SCROLL_EDGE: f32 = 18.0;
const SCROLL_STEP: f32 = 6.0;

/// The row to drop things on that shall have no parent.
pub(super) fn root_ui(ui: &mut Ui, text: &str) -> Rect {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::hover());
    let at = rect.left_center() + vec2(20.0, 0.0);
    let font = FontId::proportional(theme::BODY);
    ui.painter()
        .text(at, Align2::LEFT_CENTER, text, font, theme::TEXT_QUIET);
    rect
}

impl<K: Key> Tree<'_, K> {
    /// Marks the row under the pointer, says what a drop there means, and drops once the button is up. `area`: where
    /// rows are seen.
    pub(super) fn drag_ui(
        &self,
        ui: &Ui,
        state: &mut TreeState<K>,
        rects: &[Rect],
        root: Option<Rect>,
        area: Rect,
    ) -> Option<Event<K>> {
        let drag = state.drag.as_mut()?;
        let (down, cancels, at) = ui.input(|i| {
            let cancels =
                i.key_pressed(egui::Key::Escape) || i.pointer.button_pressed(PointerButton::Secondary);
            (i.pointer.primary_down(), cancels, i.pointer.latest_pos())
        });
        drag.cancelled |= cancels || self.lines.iter().all(|line| line.key != drag.pressed);
        let found = at.filter(|_| !drag.cancelled);
        let found = found.map(|at| (at, self.drop_place(at, rects, root, area)));
        let hint = found
            .as_ref()
            .map(|(_, (place, _))| (self.drop_hint)(&drag.keys, place));
        if !down {
            let keys = state.drag.take()?.keys;
            let allowed = matches!(hint, Some(DropHint::Allowed(_)));
            return found
                .filter(|_| allowed)
                .map(|(_, (place, _))| Event::Drop(keys, place));
        }
        let (at, (_, rect)) = found?;
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
        drag_hint(ui, ui.id().with("dragged rows"), area, at, text);
        let beyond =
            (at.y - area.bottom() + SCROLL_EDGE).max(0.0) - (area.top() + SCROLL_EDGE - at.y).max(0.0);
        if beyond != 0.0 {
            ui.scroll_with_delta(vec2(0.0, -beyond.signum() * SCROLL_STEP));
            ui.ctx().request_repaint();
        }
        None
    }

    fn drop_place(
        &self,
        at: Pos2,
        rects: &[Rect],
        root: Option<Rect>,
        area: Rect,
    ) -> (DropPlace<K>, Option<Rect>) {
        let is_over = |rect: &Rect| rect.contains(at) && area.contains(at);
        let mut rows = self.lines.iter().zip(rects);
        if let Some((line, rect)) = rows.find(|(line, rect)| line.selectable && is_over(rect)) {
            return (DropPlace::Row(line.key.clone()), Some(*rect));
        }
        match root.filter(|rect| rect.contains(at)) {
            Some(rect) => (DropPlace::Root, Some(rect)),
            None => (DropPlace::Nowhere, None),
        }
    }
}
