//! The bands of stacked curves: a line between each two, and the names and ranges of their curves.

use super::curves::Curves;
use super::paint::ink;
use super::value::ValueScale;
use crate::editor::panels::timeline::lines::Line;
use crate::editor::ui::theme;
use egui::{Align2, FontId, Painter, Rect, Stroke, pos2};

/// The least heights of a band with a name, and with the ends of its range too, in points.
const NAMED: f32 = 14.0;
const MEASURED: f32 = 44.0;
/// The distance of texts from the left edge and from those above, in points.
const GAP: f32 = 4.0;

pub fn paint(painter: &Painter, rect: Rect, curves: &mut Curves, lines: &[Line], values: &ValueScale) {
    let font = FontId::proportional(theme::SMALL);
    let left = rect.left() + GAP;
    for (curve, number, [low, high]) in curves.bands() {
        let number = number as f32;
        let band = values.band(number, number + 1.0);
        if !band.intersects(rect.y_range()) || band.span() < 1.0 {
            continue;
        }
        painter.hline(rect.x_range(), band.max.round() - 0.5, Stroke::new(1.0, theme::EDGE));
        let Some(line) = lines.get(curve.line).filter(|_| band.span() >= NAMED) else { continue };
        let name = curve.name(line);
        painter.text(pos2(left, band.min + 1.0), Align2::LEFT_TOP, name, font.clone(), ink(curve));
        if band.span() < MEASURED {
            continue;
        }
        for (value, align) in [(high, Align2::RIGHT_TOP), (low, Align2::RIGHT_BOTTOM)] {
            let place = pos2(rect.right() - GAP, values.y(curve.normal.shown(value)));
            painter.text(place, align, curve.text(value), font.clone(), *theme::TEXT_QUIET);
        }
    }
}
