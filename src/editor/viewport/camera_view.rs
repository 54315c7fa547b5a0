//! The view through a camera of the scene: it follows the camera, and a frame shows the part that pictures
//! contain.

use super::scene_view::scene_view;
use super::state::ViewportState;
use crate::edit::settings::view::{Tab, ViewSettings};
use crate::editor::state::{Settings, Shown};
use crate::math::camera::ViewCamera;
use crate::scene::evaluate::Evaluated;
use bevy::prelude::{Res, ResMut};
use bevy_egui::egui::{Rect, vec2};

/// The size of the view relative to the camera's frame.
const MARGIN: f32 = 1.12;

/// Looks through an instance of a camera; `None` returns to the view before.
pub fn look_through_camera(
    camera: Option<String>,
    viewport: &mut ViewportState,
    settings: &mut ResMut<Settings>,
    shown: &Shown,
) {
    let Some(camera) = camera else {
        settings.display.camera = None;
        if let Some(before) = viewport.before_camera.take() {
            viewport.move_to(before);
        }
        return;
    };
    viewport.before_camera = Some(viewport.camera);
    viewport.transition = None;
    settings.display.camera = Some(camera);
    follow_camera(viewport, settings, shown);
}

/// Stops following the camera; the view stays where it is, upright and with the usual field of view.
pub fn leave_camera(viewport: &mut ViewportState, settings: &mut ResMut<Settings>) {
    if settings.display.camera.is_none() {
        return;
    }
    settings.display.camera = None;
    viewport.before_camera = None;
    let usual = ViewCamera { orthographic: settings.display.orthographic, ..ViewCamera::default() };
    let camera = &mut viewport.camera;
    camera.distance *= (0.5 * camera.vertical_fov).tan() / (0.5 * usual.vertical_fov).tan();
    (camera.roll, camera.vertical_fov) = (usual.roll, usual.vertical_fov);
    camera.orthographic = usual.orthographic;
}

/// Moves the view with the camera that is looked through, after the evaluation.
pub fn follow(mut viewport: ResMut<ViewportState>, mut settings: ResMut<Settings>, shown: Res<Shown>) {
    if settings.display.camera.is_some() {
        follow_camera(&mut viewport, &mut settings, &shown);
    }
}

/// Moves the view to the camera that is looked through; stops following if it is missing.
fn follow_camera(viewport: &mut ViewportState, settings: &mut ResMut<Settings>, shown: &Shown) {
    let Some(name) = settings.display.camera.clone() else {
        return;
    };
    let size = viewport.size();
    let found = scene_view(&shown.evaluated, &name, size.x / size.y);
    let Some(mut found) = found.filter(|_| settings.tab == Tab::Animate) else {
        return leave_camera(viewport, settings);
    };
    found.vertical_fov = 2.0 * ((0.5 * found.vertical_fov).tan() * MARGIN).atan();
    let to_scene = viewport.bounds.center().distance(found.eye);
    let distance = if to_scene.is_finite() { to_scene.max(1e-3) } else { 1.0 };
    viewport.camera = found.view(distance);
}

/// Returns the frame of the camera that is looked through, in points, and its name.
pub fn camera_frame(
    viewport: &ViewportState,
    settings: &ViewSettings,
    evaluated: &Evaluated,
) -> Option<(Rect, String)> {
    let name = settings.display.camera.as_ref()?;
    let scene = &evaluated.scene;
    let camera = scene.cameras.get(scene.instances.cameras.get(name)?.camera.as_deref()?)?;
    let pane = viewport.pane();
    let half = (0.5 * camera.vertical_fov.to_radians()).clamp(0.005, 1.56).tan();
    let height = pane.height() * half / (0.5 * viewport.camera.vertical_fov).tan();
    let aspect = if camera.aspect_ratio.is_finite() && camera.aspect_ratio > 0.0 {
        camera.aspect_ratio
    } else {
        pane.width() / pane.height().max(1.0)
    };
    let frame = Rect::from_center_size(pane.center(), vec2(height * aspect, height));
    Some((frame, name.clone()))
}
