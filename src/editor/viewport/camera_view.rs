//! The view through a camera of the scene: it goes where the camera goes, and its frame shows what a picture has.

use crate::edit::view::Tab;
use crate::editor::Editor;
use crate::editor::render::eye;
use crate::math::camera::ViewCamera;
use bevy_egui::egui::{Rect, vec2};

/// As much more than the frame is seen, of its size.
const MARGIN: f32 = 1.12;

impl Editor {
    /// Looks through an instance of a camera, or back from the one that is looked through.
    pub(super) fn look_through_camera(&mut self, camera: Option<String>) {
        let Some(camera) = camera else {
            self.settings.camera = None;
            if let Some(before) = self.viewport.before_camera.take() {
                self.viewport.travel_to(before);
            }
            return;
        };
        self.viewport.before_camera = Some(self.viewport.camera);
        self.viewport.travel = None;
        self.settings.camera = Some(camera);
        self.follow_camera();
    }

    /// The view stays where it is, upright and with its usual angle, and no longer goes with the camera.
    pub(super) fn leave_camera(&mut self) {
        if self.settings.camera.take().is_none() {
            return;
        }
        self.viewport.before_camera = None;
        let usual = ViewCamera {
            orthographic: self.settings.orthographic,
            ..ViewCamera::default()
        };
        let camera = &mut self.viewport.camera;
        camera.distance *= (0.5 * camera.vertical_fov).tan() / (0.5 * usual.vertical_fov).tan();
        (camera.roll, camera.vertical_fov) = (usual.roll, usual.vertical_fov);
        camera.orthographic = usual.orthographic;
    }

    /// Keeps the view at the camera that is looked through; leaves one that is gone.
    pub(in crate::editor) fn follow_camera(&mut self) {
        let Some(name) = self.settings.camera.clone() else {
            return;
        };
        let size = self.viewport.size();
        let through = eye::through(&self.evaluated, &name, size.x / size.y);
        let Some(mut through) = through.filter(|_| self.settings.tab == Tab::Animate) else {
            return self.leave_camera();
        };
        through.vertical_fov = 2.0 * ((0.5 * through.vertical_fov).tan() * MARGIN).atan();
        let to_scene = self.viewport.bounds.center().distance(through.eye);
        let distance = if to_scene.is_finite() {
            to_scene.max(1e-3)
        } else {
            1.0
        };
        self.viewport.camera = through.view(distance);
    }

    /// The frame of the camera that is looked through, in points, and its name.
    pub(in crate::editor) fn camera_frame(&self) -> Option<(Rect, String)> {
        let name = self.settings.camera.as_ref()?;
        let scene = &self.evaluated.scene;
        let camera = scene
            .cameras
            .get(scene.instances.cameras.get(name)?.camera.as_deref()?)?;
        let pane = self.viewport.pane();
        let half = (0.5 * camera.vertical_fov.to_radians()).clamp(0.005, 1.56).tan();
        let height = pane.height() * half / (0.5 * self.viewport.camera.vertical_fov).tan();
        let aspect = match camera.aspect_ratio.is_finite() && camera.aspect_ratio > 0.0 {
            true => camera.aspect_ratio,
            false => pane.width() / pane.height().max(1.0),
        };
        let frame = Rect::from_center_size(pane.center(), vec2(height * aspect, height));
        Some((frame, name.clone()))
    }
}
