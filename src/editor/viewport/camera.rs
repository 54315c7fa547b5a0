//! Orbit, pan, zoom, framing and axis views.

use super::camera_view::{leave_camera, look_through_camera};
use super::state::ViewportState;
use crate::edit::action::ViewMove;
use crate::edit::request::Navigation;
use crate::editor::state::{Caches, Document, Settings, Shown, view};
use crate::editor::viewport::bounds::{scene_bounds, selection_bounds};
use crate::math::bounds::Bounds;
use bevy::prelude::ResMut;

/// Moves the camera by a step.
pub fn navigate(step: Navigation, viewport: &mut ViewportState, settings: &mut ResMut<Settings>) {
    leave_camera(viewport, settings);
    if let Navigation::Orbit(_) = step
        && std::mem::take(&mut viewport.returns_to_perspective)
    {
        settings.display.orthographic = false;
    }
    let (size, scene) = (viewport.size(), viewport.bounds.diagonal());
    viewport.transition = None;
    let camera = &mut viewport.camera;
    match step {
        Navigation::Orbit(pixels) => camera.orbit(pixels),
        Navigation::Pan(pixels) => camera.pan(camera.target, pixels, size),
        Navigation::Zoom { notches, pixel } => {
            let anchor = camera.point_at_target_depth(pixel, size);
            camera.zoom(notches, anchor, scene);
        }
    }
}

/// Turns or moves the view. `shown` must be up to date.
pub fn move_view(
    to: ViewMove,
    viewport: &mut ViewportState,
    settings: &mut ResMut<Settings>,
    session: &Document,
    shown: &Shown,
    caches: &mut Caches,
) {
    let view = view(session, settings, shown);
    viewport.bounds = scene_bounds(&view, caches);
    if let ViewMove::Camera(camera) = to {
        return look_through_camera(camera, viewport, settings, shown);
    }
    let selected = match to {
        ViewMove::FrameSelected => selection_bounds(&view, caches),
        _ => Bounds::EMPTY,
    };
    leave_camera(viewport, settings);
    let mut goal = viewport.goal();
    match to {
        ViewMove::Axis(axis) => {
            if settings.display.orthographic_axis_views && !settings.display.orthographic {
                settings.display.orthographic = true;
                viewport.returns_to_perspective = true;
            }
            goal.set_view(axis);
        }
        _ if selected.is_empty() => viewport.frame(&mut goal, &viewport.bounds),
        _ => viewport.frame(&mut goal, &selected),
    }
    viewport.move_to(goal);
}
