//! The shape of a key: a diamond (clamped), a circle (smooth), a triangle (linear), a square (hold) or a pentagon (eases).

use crate::anim::mode::Mode;
use crate::editor::ui::theme;
use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, vec2};
use std::f32::consts::TAU;

/// Half the width of a diamond in the sheet.
pub const HALF: f32 = 5.5;

/// How a key is drawn.
pub struct KeyMark {
    /// The mode; `None` if the channels of a row differ.
    pub mode: Option<Mode>,
    /// Whether it is selected; `None` if only some of the keys it represents are.
    pub state: Option<bool>,
    pub hovered: bool,
    /// The colour of a key that is neither selected nor hovered.
    pub ink: Color32,
    /// Half the width of a diamond.
    pub half: f32,
}

/// The corners of a key's shape, relative to its centre.
fn corners(mode: Option<Mode>, half: f32) -> Vec<egui::Vec2> {
    let round = |radius: f32| {
        let corner = |corner: u8| (TAU * f32::from(corner) / 12.0).sin_cos();
        (0..12).map(corner).map(|(x, y)| (radius * x, radius * y)).collect()
    };
    let corners = match mode {
        Some(Mode::Hold) => vec![(-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)],
        Some(Mode::Linear) => vec![(-0.8, -1.0), (1.0, 0.0), (-0.8, 1.0)],
        Some(Mode::Ease(_)) => vec![(-0.8, -0.8), (0.2, -0.8), (1.0, 0.0), (0.2, 0.8), (-0.8, 0.8)],
        Some(Mode::Smooth | Mode::Auto) => round(0.9),
        // Its channels differ.
        None => round(0.6),
        Some(Mode::Clamped) => vec![(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)],
    };
    corners.into_iter().map(|(x, y)| vec2(x, y) * half).collect()
}

/// Draws a key.
pub fn paint_key(painter: &Painter, center: Pos2, mark: &KeyMark) {
    let &KeyMark { mode, state, hovered, ink, half } = mark;
    let half = if hovered { half + 1.5 } else { half };
    let corners: Vec<Pos2> = corners(mode, half).into_iter().map(|corner| center + corner).collect();
    let plain = if hovered { *theme::sheet::KEY_HOVER } else { ink };
    let rim = Stroke::new(1.0, theme::sheet::KEY_RIM);
    let fill = match state {
        Some(true) => *theme::ACCENT,
        _ => plain,
    };
    painter.add(Shape::convex_polygon(corners.clone(), fill, rim));
    if state.is_none() {
        // Only some of the keys it represents are selected: fill the left half with the accent colour.
        let left = Rect::from_min_max(center - vec2(half, half), center + vec2(0.0, half));
        let painter = painter.with_clip_rect(left.intersect(painter.clip_rect()));
        painter.add(Shape::convex_polygon(corners.clone(), theme::ACCENT, Stroke::NONE));
    }
    if hovered && state == Some(true) {
        let bright = Stroke::new(1.5, theme::TEXT_STRONG);
        painter.add(Shape::convex_polygon(corners, Color32::TRANSPARENT, bright));
    }
}
