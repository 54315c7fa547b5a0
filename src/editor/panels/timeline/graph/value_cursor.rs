//! The value cursor: a value that is set by a click on the numbers at the left, about which values are scaled.

use super::state::GraphState;
use super::value::{Heights, ValueScale};
use crate::editor::ui::digits::display_number;
use crate::editor::ui::theme;
use egui::accesskit::{self, Role};
use egui::{Align2, FontId, Id, Painter, Pos2, Rect, Shape, Stroke, Ui, pos2};

/// The width of the numbers, in points.
const WIDTH: f32 = 34.0;
/// The distance within which a click hits a line, in points.
const REACH: f32 = 4.0;

pub const TIP: &str =
    "Click to set the value cursor, about which values are scaled (S, then V). Click it to remove it.";

/// Whether a point is over the numbers.
pub fn is_over(keys: Rect, heights: Heights, point: Pos2) -> bool {
    let has_numbers = matches!(heights, Heights::Values | Heights::Normalized);
    has_numbers && keys.with_max_x(keys.left() + WIDTH).contains(point)
}

/// Sets the cursor to a point, exactly to a line of the grid near it, or removes it if it is there.
pub fn click(graph: &mut GraphState, values: &ValueScale, point: Pos2) {
    let is_near = |value: f32| (values.y(value) - point.y).abs() <= REACH;
    let on_line = values.ticks().into_iter().map(|(value, _)| value).find(|value| is_near(*value));
    graph.cursor = match graph.cursor {
        Some(cursor) if is_near(cursor) => None,
        _ => Some(on_line.unwrap_or_else(|| values.value(point.y))),
    };
}

/// Draws the cursor, labelled "Value cursor 12°".
pub fn paint(ui: &Ui, painter: &Painter, rect: Rect, values: &ValueScale, cursor: Option<f32>, unit: &str) {
    let Some(cursor) = cursor else { return };
    let y = values.y(cursor).round() + 0.5;
    let text = format!("{}{unit}", display_number(f64::from(cursor), 2));
    let ends = [pos2(rect.left(), y), pos2(rect.right(), y)];
    painter.extend(Shape::dashed_line(&ends, Stroke::new(1.0, theme::ACCENT), 6.0, 3.0));
    let font = FontId::proportional(theme::SMALL);
    painter.text(pos2(rect.right() - 4.0, y - 1.0), Align2::RIGHT_BOTTOM, &text, font, *theme::ACCENT);
    ui.ctx().accesskit_node_builder(Id::new("value cursor"), |node| {
        node.set_role(Role::Image);
        node.set_label(format!("Value cursor {text}"));
        let [x0, x1] = ends.map(|end| f64::from(end.x));
        node.set_bounds(accesskit::Rect { x0, y0: f64::from(y) - 2.0, x1, y1: f64::from(y) + 2.0 });
    });
}
