//! Finds what a rectangle drawn in the viewport contains, including what is behind a surface. Does not change
//! the selection.

use crate::edit::select::active_rig::ActiveRig;
use crate::edit::select::selection::{Part, Selection};
use crate::edit::settings::view::ViewSettings;
use crate::math::camera::Viewport;
use glam::{Vec2, Vec3};

/// A rectangle of the viewport, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PixelBox {
    pub min: Vec2,
    pub max: Vec2,
}

impl PixelBox {
    /// Returns the smallest rectangle that contains both corners.
    pub fn from_corners(a: Vec2, b: Vec2) -> Self {
        Self { min: a.min(b), max: a.max(b) }
    }

    pub fn contains(&self, pixel: Vec2) -> bool {
        pixel.cmpge(self.min).all() && pixel.cmple(self.max).all()
    }

    /// Whether the segment from `a` to `b` intersects the rectangle (Liang and Barsky 1984).
    fn meets_segment(&self, a: Vec2, b: Vec2) -> bool {
        let along = b - a;
        let (mut first, mut last) = (0.0f32, 1.0f32);
        for axis in 0..2 {
            if along[axis] == 0.0 {
                if a[axis] < self.min[axis] || a[axis] > self.max[axis] {
                    return false;
                }
                continue;
            }
            let (to_min, to_max) =
                ((self.min[axis] - a[axis]) / along[axis], (self.max[axis] - a[axis]) / along[axis]);
            first = first.max(to_min.min(to_max));
            last = last.min(to_min.max(to_max));
        }
        first <= last
    }
}

/// Returns the bones whose line from head to tail passes through the rectangle, in ascending order; if there
/// are none, the handles whose target or pole is inside it. Hidden parts are ignored.
pub fn parts_in_box(
    rig: &ActiveRig,
    settings: &ViewSettings,
    viewport: &Viewport,
    area: &PixelBox,
) -> Vec<Part> {
    let mut found = Vec::new();
    if settings.display.show_bones {
        let meets = |bone: &usize| {
            let ends = rig.bone_start(*bone).zip(rig.bone_tip(*bone));
            let shown = ends.and_then(|(start, tip)| project_segment(viewport, start, tip));
            shown.is_some_and(|(a, b)| area.meets_segment(a, b))
        };
        found.extend(rig.drawn_bones().filter(meets).map(Part::Bone));
    }
    if settings.display.show_handles && found.is_empty() {
        let contains = |handle: &usize| {
            let target = rig.handle_target(*handle);
            let shown = target.and_then(|target| viewport.project(target));
            shown.is_some_and(|shown| area.contains(shown.pixel))
        };
        let handles = 0..rig.skeleton.handles.len();
        found.extend(handles.clone().filter(contains).map(Part::Handle));
        let contains_pole = |handle: &usize| {
            let shown = rig.pole(*handle).and_then(|pole| viewport.project(pole));
            shown.is_some_and(|shown| area.contains(shown.pixel))
        };
        found.extend(handles.filter(contains_pole).map(Part::Pole));
    }
    found
}

/// Returns the selection after a box selection of `parts`, which replace the current ones or, with `adds`,
/// extend them. The active part stays active if it stays selected.
pub fn selection_after(selection: &Selection, parts: Vec<Part>, adds: bool) -> Selection {
    let active = selection.part.filter(|part| adds || parts.contains(part));
    let current: Vec<Part> = selection.parts().filter(|_| adds).collect();
    selection.with_parts(active.into_iter().chain(parts).chain(current))
}

/// Returns both ends of the visible part of a segment, in pixels.
fn project_segment(viewport: &Viewport, a: Vec3, b: Vec3) -> Option<(Vec2, Vec2)> {
    let camera = &viewport.camera;
    let (a, b) = if camera.orthographic {
        (a, b)
    } else {
        let depth = |p: Vec3| (camera.eye() - p).dot(camera.axes()[2]);
        // Slightly in front of the near plane, so that rounding cannot move the point behind it.
        let near = camera.near() * 1.0001;
        let (depth_a, depth_b) = (depth(a), depth(b));
        if depth_a.max(depth_b) < near {
            return None;
        }
        let crossing = |from: Vec3, to: Vec3, depth_from: f32, depth_to: f32| {
            from.lerp(to, (near - depth_from) / (depth_to - depth_from))
        };
        (
            if depth_a < near { crossing(a, b, depth_a, depth_b) } else { a },
            if depth_b < near { crossing(b, a, depth_b, depth_a) } else { b },
        )
    };
    Some((viewport.project(a)?.pixel, viewport.project(b)?.pixel))
}
