//! Orbit, pan, zoom, framing and axis views.

use super::ViewportState;
use super::camera_view::{leave_camera, look_through_camera};
use super::gesture::Gesture;
use crate::edit::action::ViewMove;
use crate::editor::state::{Caches, Document, Settings, Shown, view};
use crate::editor::viewport::bounds::{scene_bounds, selection_bounds};
use crate::math::bounds::Bounds;
use crate::math::camera::ViewCamera;
use bevy::prelude::ResMut;
use glam::{Mat4, Vec2};
use std::time::Instant;

/// A view on its way to another.
pub struct Travel {
    from: ViewCamera,
    to: ViewCamera,
    since: Instant,
}

const TRAVEL_S: f32 = 0.22;

impl ViewportState {
    /// Moves a view that is on its way. True while it is.
    pub fn travel_on(&mut self) -> bool {
        let Some(travel) = &self.travel else { return false };
        let t = if self.instant {
            1.0
        } else {
            travel.since.elapsed().as_secs_f32() / TRAVEL_S
        };
        self.camera = ViewCamera::ease(&travel.from, &travel.to, t);
        if t >= 1.0 {
            self.travel = None;
        }
        true
    }

    pub fn travel_to(&mut self, to: ViewCamera) {
        self.travel = Some(Travel {
            from: self.camera,
            to,
            since: Instant::now(),
        });
    }

    /// Where the view is, or is going.
    fn goal(&self) -> ViewCamera {
        self.travel.as_ref().map_or(self.camera, |travel| travel.to)
    }

    /// The character stays in view when the tab changes its space: `to_from` is new space from old. As long as
    /// nobody has turned or moved the view, each tab shows all that it has.
    pub fn change_space(&mut self, to_from: Mat4) {
        if self.fitted == Some(self.camera) {
            self.fit = true;
            return;
        }
        if to_from.abs_diff_eq(Mat4::IDENTITY, 1e-6) || !to_from.is_finite() {
            return;
        }
        let scale = to_from.determinant().abs().cbrt();
        if scale > 1e-9 && scale.is_finite() {
            self.travel = None;
            self.camera.target = to_from.transform_point3(self.camera.target);
            self.camera.distance *= scale;
        }
    }

    /// Frames the whole scene at once: a document was opened.
    pub fn fit_to(&mut self, bounds: Bounds) {
        self.bounds = bounds;
        self.fit = false;
        if !bounds.is_empty() {
            let orthographic = self.camera.orthographic;
            self.camera = ViewCamera {
                orthographic,
                ..ViewCamera::default()
            };
            let size = self.size();
            self.camera.frame(&bounds, size);
        }
        self.fitted = Some(self.camera);
    }
}

/// Turns, moves and zooms by the pointer.
pub fn camera_gesture(viewport: &mut ViewportState, settings: &mut ResMut<Settings>, gesture: &Gesture) {
    let (mut orbit, mut pan) = (Vec2::ZERO, gesture.right);
    if gesture.shift {
        pan += gesture.middle;
    } else {
        orbit += gesture.middle;
    }
    if gesture.alt {
        *(if gesture.shift { &mut pan } else { &mut orbit }) += gesture.primary;
    }
    if orbit == Vec2::ZERO && pan == Vec2::ZERO && (gesture.wheel == 0.0 || gesture.at.is_none()) {
        return;
    }
    leave_camera(viewport, settings);
    if orbit != Vec2::ZERO && std::mem::take(&mut viewport.returns_to_perspective) {
        settings.orthographic = false;
    }
    let (size, scene) = (viewport.size(), viewport.bounds.diagonal());
    if orbit != Vec2::ZERO {
        viewport.travel = None;
        viewport.camera.orbit(orbit);
    }
    if pan != Vec2::ZERO {
        viewport.travel = None;
        let target = viewport.camera.target;
        viewport.camera.pan(target, pan, size);
    }
    if let Some(at) = gesture.at.filter(|_| gesture.wheel != 0.0) {
        viewport.travel = None;
        let anchor = viewport.camera.point_at_target_depth(at, size);
        viewport.camera.zoom(gesture.wheel, anchor, scene);
    }
}

/// Turns or moves the view. What is shown is up to date.
pub fn move_view(
    to: ViewMove,
    viewport: &mut ViewportState,
    settings: &mut ResMut<Settings>,
    session: &Document,
    shown: &Shown,
    caches: &mut Caches,
) {
    let seen = view(session, settings, shown);
    viewport.bounds = scene_bounds(&seen, caches);
    if let ViewMove::Camera(camera) = to {
        return look_through_camera(camera, viewport, settings, shown);
    }
    let selected = match to {
        ViewMove::FrameSelected => selection_bounds(&seen, caches),
        _ => Bounds::EMPTY,
    };
    leave_camera(viewport, settings);
    let mut goal = viewport.goal();
    let size = viewport.size();
    match to {
        ViewMove::Axis(axis) => {
            if settings.orthographic_axis_views && !settings.orthographic {
                settings.orthographic = true;
                viewport.returns_to_perspective = true;
            }
            goal.look(axis);
        }
        _ if selected.is_empty() => goal.frame(&viewport.bounds, size),
        _ => goal.frame(&selected, size),
    }
    viewport.travel_to(goal);
}
