//! A curve over a few evenly spaced points, whose heights are dragged.

use super::theme;
use crate::editor::ui::tooltip::Tip;
use egui::{Pos2, Rect, Response, Sense, Shape, Stroke, Ui, WidgetInfo, WidgetType, pos2, vec2};

const HEIGHT: f32 = 84.0;
/// The margin for points at the edges.
const MARGIN: f32 = 6.0;
const POINT_RADIUS: f32 = 3.5;
/// The number of segments of the line between two points.
const SEGMENTS: usize = 8;

/// Shows the curve. `heights`: from 0 to 1. `shape`: the height at a fraction of the way through the points.
pub fn curve_ui(
    ui: &mut Ui,
    label: &str,
    tooltip: &str,
    heights: &mut [f32],
    shape: impl Fn(f64) -> f64,
) -> Response {
    let (outer, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::click_and_drag());
    let inner = outer.shrink(MARGIN);
    let last = heights.len().saturating_sub(1).max(1);
    if let Some(pointer) = response.interact_pointer_pos() {
        let part = ((pointer.x - inner.left()) / inner.width()).clamp(0.0, 1.0);
        let height = ((inner.bottom() - pointer.y) / inner.height()).clamp(0.0, 1.0);
        heights[(part * last as f32).round() as usize] = height;
    }
    let painter = ui.painter();
    painter.rect_filled(outer, theme::RADIUS, theme::FIELD);
    let position = |part: f64, height: f64| -> Pos2 {
        let Rect { min, max } = inner;
        pos2(min.x + part as f32 * (max.x - min.x), max.y - height as f32 * (max.y - min.y))
    };
    let segments = last * SEGMENTS;
    let line = (0..=segments).map(|i| i as f64 / segments as f64).map(|part| position(part, shape(part)));
    painter.add(Shape::line(line.collect(), Stroke::new(1.5, theme::ACCENT)));
    for (i, height) in heights.iter().enumerate() {
        let center = position(i as f64 / last as f64, f64::from(*height));
        painter.circle_filled(center, POINT_RADIUS, theme::ACCENT_LIGHT);
    }
    let values: Vec<String> = heights.iter().map(|height| format!("{height:.2}")).collect();
    response.widget_info(|| WidgetInfo {
        label: Some(label.to_owned()),
        current_text_value: Some(values.join(", ")),
        ..WidgetInfo::new(WidgetType::Other)
    });
    response.tip(tooltip)
}
