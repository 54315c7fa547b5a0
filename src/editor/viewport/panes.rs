//! The viewport in two parts, one for each side of the Compare view. Both have the same view: side by side,
//! each part is a separate picture; split, both are parts of one picture.

use crate::edit::compare::{CompareSettings, Layout};
use bevy::camera::{SubCameraView, Viewport};
use bevy::prelude::*;
use bevy_egui::egui;

/// The division of the viewport.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Panes {
    pub layout: Layout,
    /// The left edge of the right part, as a fraction of the width.
    border: f32,
    /// The part under the pointer; during a drag, the part in which it began.
    pub pointed: usize,
}

impl Panes {
    pub fn new(settings: &CompareSettings, pointed: usize) -> Self {
        Self { layout: settings.layout, border: settings.border(), pointed }
    }

    /// Returns the parts of `whole`.
    pub fn rects(&self, whole: egui::Rect) -> [egui::Rect; 2] {
        let (left, right) = whole.split_left_right_at_fraction(self.border);
        [left, right]
    }

    /// Returns the part of `whole` that contains a point.
    pub fn side_of(&self, whole: egui::Rect, point: egui::Pos2) -> usize {
        usize::from(point.x >= self.rects(whole)[1].left())
    }

    /// Returns the area in which the camera of `side` draws, and the part of the picture that it draws; in
    /// pixels, for a viewport of `position` and `size`.
    pub fn camera(&self, (position, size): (UVec2, UVec2), side: usize) -> (Viewport, Option<SubCameraView>) {
        let cut = ((size.x as f32 * self.border).round() as u32).clamp(1, size.x.max(2) - 1);
        let (from, to) = if side == 0 { (0, cut) } else { (cut, size.x) };
        // A viewport of one pixel has only one part.
        let from = from.min(size.x - 1);
        let part = UVec2::new((to - from).max(1), size.y);
        let viewport =
            Viewport { physical_position: position + UVec2::new(from, 0), physical_size: part, ..default() };
        let split = self.layout == Layout::Split;
        let sub_view = split.then_some(SubCameraView {
            full_size: size,
            offset: Vec2::new(from as f32, 0.0),
            size: part,
        });
        (viewport, sub_view)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panes(layout: Layout, line: f32) -> Panes {
        let settings = CompareSettings { layout, line, ..CompareSettings::default() };
        Panes::new(&settings, 0)
    }

    #[test]
    fn the_parts_fill_the_viewport_at_any_width() {
        let position = UVec2::new(7, 3);
        for layout in [Layout::SideBySide, Layout::Split] {
            for line in [0.3, 0.5, -4.0, 9.0, f32::NAN] {
                for width in [1, 2, 3, 5, 640, 641] {
                    let size = UVec2::new(width, 40);
                    let panes = panes(layout, line);
                    let [(left, sub_view_left), (right, sub_view_right)] =
                        [0, 1].map(|side| panes.camera((position, size), side));
                    let ends =
                        |v: &Viewport| (v.physical_position.x, v.physical_position.x + v.physical_size.x);
                    assert_eq!((ends(&left).0, ends(&right).1), (7, 7 + width));
                    assert!(left.physical_size.x > 0 && right.physical_size.x > 0);
                    assert!(width < 2 || ends(&left).1 == ends(&right).0);
                    let split = layout == Layout::Split;
                    assert_eq!((sub_view_left.is_some(), sub_view_right.is_some()), (split, split));
                    if let Some(sub_view) = sub_view_right {
                        assert_eq!(sub_view.offset.x as u32 + 7, ends(&right).0);
                        assert_eq!((sub_view.full_size, sub_view.size), (size, right.physical_size));
                    }
                }
            }
        }
    }

    #[test]
    fn a_point_is_on_one_side() {
        let whole = egui::Rect::from_min_size(egui::pos2(100.0, 0.0), egui::vec2(200.0, 50.0));
        let panes = panes(Layout::Split, 0.25);
        let side = |x| panes.side_of(whole, egui::pos2(x, 10.0));
        assert_eq!((side(149.0), side(151.0)), (0, 1));
        // Only the split layout uses the line.
        let panes = Panes { layout: Layout::SideBySide, border: 0.5, ..panes };
        let [left, right] = panes.rects(whole);
        assert_eq!((left.width(), right.width()), (100.0, 100.0));
    }
}
