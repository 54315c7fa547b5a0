//! The frame of the camera that the viewport looks through; what is outside does not appear in renders.

use crate::editor::ui::theme;
use egui::{Align2, Color32, FontId, Painter, Rect, Stroke, StrokeKind, pos2, vec2};

/// Shades the area outside `frame` and outlines the frame; `name` is the name of the camera.
pub fn camera_frame_ui(painter: &Painter, viewport: Rect, frame: Rect, name: &str) {
    let painter = painter.with_clip_rect(viewport);
    let shade = Color32::from_black_alpha(90);
    let visible_frame = frame.intersect(viewport);
    let outside = [
        Rect::from_min_max(viewport.min, pos2(viewport.right(), visible_frame.top())),
        Rect::from_min_max(pos2(viewport.left(), visible_frame.bottom()), viewport.max),
        Rect::from_min_max(
            pos2(viewport.left(), visible_frame.top()),
            pos2(visible_frame.left(), visible_frame.bottom()),
        ),
        Rect::from_min_max(
            pos2(visible_frame.right(), visible_frame.top()),
            pos2(viewport.right(), visible_frame.bottom()),
        ),
    ];
    for part in outside {
        painter.rect_filled(part, 0.0, shade);
    }
    let stroke = Stroke::new(1.5, theme::viewport::SELECTED);
    painter.rect_stroke(frame, 0.0, stroke, StrokeKind::Outside);
    painter.text(
        frame.left_bottom() + vec2(6.0, -6.0),
        Align2::LEFT_BOTTOM,
        format!("{name} · 0 leaves the camera"),
        FontId::proportional(theme::BODY),
        theme::viewport::SELECTED,
    );
}
