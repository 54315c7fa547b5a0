//! What a rectangle drawn in the viewport takes in. Selects nothing itself; what lies behind a surface
//! counts too.

use super::active_rig::ActiveRig;
use super::selection::{Part, Selection};
use super::view::ViewSettings;
use crate::math::camera::Viewport;
use glam::{Vec2, Vec3};

/// A rectangle of the viewport, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PixelBox {
    pub min: Vec2,
    pub max: Vec2,
}

impl PixelBox {
    /// The smallest one that holds both corners.
    pub fn of_corners(a: Vec2, b: Vec2) -> Self {
        Self {
            min: a.min(b),
            max: a.max(b),
        }
    }

    pub fn holds(&self, pixel: Vec2) -> bool {
        pixel.cmpge(self.min).all() && pixel.cmple(self.max).all()
    }

    /// Whether the segment from `a` to `b` has a point in the rectangle (Liang and Barsky 1984).
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
            let (to_min, to_max) = (
                (self.min[axis] - a[axis]) / along[axis],
                (self.max[axis] - a[axis]) / along[axis],
            );
            first = first.max(to_min.min(to_max));
            last = last.min(to_min.max(to_max));
        }
        first <= last
    }
}

/// The bones whose line from start to tip passes through the rectangle, in ascending order; where there is
/// none, the handles whose targets lie in it. What is not shown does not count.
pub fn in_box(stage: &ActiveRig, settings: &ViewSettings, viewport: &Viewport, area: &PixelBox) -> Vec<Part> {
    let mut found = Vec::new();
    if settings.show_bones {
        let meets = |bone: &usize| {
            let ends = stage.bone_start(*bone).zip(stage.bone_tip(*bone));
            let shown = ends.and_then(|(start, tip)| project_segment(viewport, start, tip));
            shown.is_some_and(|(a, b)| area.meets_segment(a, b))
        };
        let is_shown = |bone: &usize| !stage.skeleton.bones[*bone].link;
        let bones = (0..stage.skeleton.bones.len()).filter(is_shown);
        found.extend(bones.filter(meets).map(Part::Bone));
    }
    if settings.show_handles && found.is_empty() {
        let holds = |handle: &usize| {
            let target = stage.handle_target(*handle);
            let shown = target.and_then(|target| viewport.project(target));
            shown.is_some_and(|shown| area.holds(shown.pixel))
        };
        let handles = 0..stage.skeleton.handles.len();
        found.extend(handles.clone().filter(holds).map(Part::Handle));
        let holds_pole = |handle: &usize| {
            let shown = stage.pole(*handle).and_then(|pole| viewport.project(pole));
            shown.is_some_and(|shown| area.holds(shown.pixel))
        };
        found.extend(handles.filter(holds_pole).map(Part::Pole));
    }
    found
}

/// The selection after a rectangle took in `parts`: these, or with `adds` these too. The active part stays
/// active where it stays selected.
pub fn selected(selection: &Selection, parts: Vec<Part>, adds: bool) -> Selection {
    let active = selection.part.filter(|part| adds || parts.contains(part));
    let kept: Vec<Part> = selection.parts().filter(|_| adds).collect();
    selection.with_parts(active.into_iter().chain(parts).chain(kept))
}

/// Both ends of the visible part of a segment, in pixels.
fn project_segment(viewport: &Viewport, a: Vec3, b: Vec3) -> Option<(Vec2, Vec2)> {
    let camera = &viewport.camera;
    let (a, b) = if camera.orthographic {
        (a, b)
    } else {
        let depth = |p: Vec3| (camera.eye() - p).dot(camera.axes()[2]);
        // A little before the near plane, so that rounding cannot put it behind.
        let near = camera.near() * 1.0001;
        let (at_a, at_b) = (depth(a), depth(b));
        if at_a.max(at_b) < near {
            return None;
        }
        let crossing = |from: Vec3, to: Vec3, at_from: f32, at_to: f32| {
            from.lerp(to, (near - at_from) / (at_to - at_from))
        };
        (
            if at_a < near {
                crossing(a, b, at_a, at_b)
            } else {
                a
            },
            if at_b < near {
                crossing(b, a, at_b, at_a)
            } else {
                b
            },
        )
    };
    Some((viewport.project(a)?.pixel, viewport.project(b)?.pixel))
}
