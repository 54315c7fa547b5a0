//! Panels at the edges of the window. The size of a panel is set by the user, or else suggested by the
//! window; its contents never change it. Its divider is above everything next to it, so that a drag which
//! begins on a divider does nothing else.

use super::theme;
use super::tooltip::{Side, with_group};
use egui::{CursorIcon, Frame, Id, Panel, Rangef, Rect, Sense, Stroke, Ui, WidgetInfo, WidgetType, vec2};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// The width of a divider inside the panel, where scroll bars are, in points.
const INSIDE: f32 = 3.0;
/// The width of a divider outside the panel, in points.
const OUTSIDE: f32 = 6.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    Left,
    Right,
    Bottom,
}

/// A panel to show.
pub struct Dock {
    /// The name; the divider is labelled "<name> divider".
    pub name: &'static str,
    pub edge: Edge,
    /// The width or height in points, until the user sets another one.
    pub suggested: f32,
    pub range: RangeInclusive<f32>,
}

/// The remembered state of all panels.
#[derive(Default)]
pub struct Docks {
    /// The sizes set by the user, in points.
    sizes: BTreeMap<String, f32>,
    dividers: Vec<Divider>,
    /// The panel whose divider is dragged, and its size when that began.
    dragged: Option<(&'static str, f32)>,
}

/// The divider of a panel in this frame.
struct Divider {
    name: &'static str,
    edge: Edge,
    panel: Rect,
    size: f32,
    range: Rangef,
}

impl Dock {
    /// Shows the panel in what is left of `ui`.
    pub fn show(self, ui: &mut Ui, docks: &mut Docks, add: impl FnOnce(&mut Ui, &mut Docks)) {
        let range =
            Rangef::new(self.range.start().min(*self.range.end()), self.range.end().max(*self.range.start()));
        let size = docks.sizes.get(self.name).copied().unwrap_or(self.suggested);
        let size = range.clamp(size).round();
        let id = Id::new(("dock", self.name));
        let panel = match self.edge {
            Edge::Left => Panel::left(id),
            Edge::Right => Panel::right(id),
            Edge::Bottom => Panel::bottom(id),
        };
        let shown =
            panel.frame(Frame::new().fill(*theme::PANEL)).resizable(false).exact_size(size).show(ui, |ui| {
                let side = match self.edge {
                    Edge::Left | Edge::Right => Side::Beside,
                    Edge::Bottom => Side::Above,
                };
                with_group(ui, ui.max_rect(), side, |ui| add(ui, docks));
            });
        docks.dividers.push(Divider {
            name: self.name,
            edge: self.edge,
            panel: shown.response.rect,
            size,
            range,
        });
    }
}

impl Docks {
    /// Returns the sizes that the user has set, in points, by the names of the panels.
    pub fn sizes(&self) -> BTreeMap<String, f32> {
        self.sizes.clone()
    }

    /// Restores these sizes.
    pub fn set_sizes(&mut self, sizes: &BTreeMap<String, f32>) {
        self.sizes.clone_from(sizes);
    }

    /// Whether a divider is being dragged.
    pub fn dragging(&self) -> bool {
        self.dragged.is_some()
    }

    /// Shows the dividers of the panels of this frame. Called once per frame, after everything next to them.
    pub fn dividers_ui(&mut self, ui: &Ui) {
        for divider in std::mem::take(&mut self.dividers) {
            self.divider_ui(ui, &divider);
        }
    }

    fn divider_ui(&mut self, ui: &Ui, divider: &Divider) {
        let rect = divider.panel;
        let (line, outward, cursor) = match divider.edge {
            Edge::Left => (
                Rect::from_min_max(rect.right_top(), rect.right_bottom()),
                vec2(1.0, 0.0),
                CursorIcon::ResizeHorizontal,
            ),
            Edge::Right => (
                Rect::from_min_max(rect.left_top(), rect.left_bottom()),
                vec2(-1.0, 0.0),
                CursorIcon::ResizeHorizontal,
            ),
            Edge::Bottom => (
                Rect::from_min_max(rect.left_top(), rect.right_top()),
                vec2(0.0, -1.0),
                CursorIcon::ResizeVertical,
            ),
        };
        let grip = line.translate(outward * OUTSIDE).union(line.translate(-outward * INSIDE));
        let response = ui.interact(grip, Id::new(("divider", divider.name)), Sense::click_and_drag());
        let label = format!("{} divider", divider.name);
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, &label));
        if response.double_clicked() {
            self.sizes.remove(divider.name);
        }
        if response.drag_started() {
            self.dragged = Some((divider.name, divider.size));
        }
        if let Some((_, start)) = self.dragged.filter(|(name, _)| *name == divider.name) {
            if let Some(moved) = response.total_drag_delta() {
                let size = start + moved.dot(outward);
                self.sizes.insert(divider.name.to_owned(), divider.range.clamp(size));
            }
            if !response.dragged() {
                self.dragged = None;
            }
        }
        if response.hovered() || response.dragged() {
            ui.ctx().set_cursor_icon(cursor);
            let color = if response.dragged() { theme::ACCENT } else { theme::CONTROL_PRESSED };
            ui.painter().line_segment([line.min, line.max], Stroke::new(2.0, color));
        }
    }
}
