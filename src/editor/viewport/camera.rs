//! Orbit, pan, zoom, framing and axis views.

use super::ViewportState;
use super::gesture::Gesture;
use crate::edit::action::ViewMove;
use crate::edit::selection::Part;
use crate::edit::stage::Stage;
use crate::editor::Editor;
use crate::editor::projection::draw_list::{Item, items};
use crate::math::bounds::Bounds;
use crate::math::camera::ViewCamera;
use crate::scene::instance::InstanceKind;
use glam::{Mat4, Vec2, Vec3};
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
    pub(super) fn travel_on(&mut self) -> bool {
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

    pub(super) fn travel_to(&mut self, to: ViewCamera) {
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
    pub(in crate::editor) fn change_space(&mut self, to_from: Mat4) {
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
}

impl Editor {
    pub(super) fn camera_gesture(&mut self, gesture: &Gesture) {
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
        self.leave_camera();
        if orbit != Vec2::ZERO && std::mem::take(&mut self.viewport.returns_to_perspective) {
            self.settings.orthographic = false;
        }
        let (size, scene) = (self.viewport.size(), self.viewport.bounds.diagonal());
        let view = &mut self.viewport;
        if orbit != Vec2::ZERO {
            view.travel = None;
            view.camera.orbit(orbit);
        }
        if pan != Vec2::ZERO {
            view.travel = None;
            let target = view.camera.target;
            view.camera.pan(target, pan, size);
        }
        if let Some(at) = gesture.at.filter(|_| gesture.wheel != 0.0) {
            view.travel = None;
            let anchor = view.camera.point_at_target_depth(at, size);
            view.camera.zoom(gesture.wheel, anchor, scene);
        }
    }

    /// Frames the whole scene at once: a document was opened.
    pub(super) fn fit_view(&mut self) {
        let bounds = self.scene_bounds();
        let view = &mut self.viewport;
        view.bounds = bounds;
        view.fit = false;
        if !bounds.is_empty() {
            let orthographic = view.camera.orthographic;
            view.camera = ViewCamera {
                orthographic,
                ..ViewCamera::default()
            };
            let size = view.size();
            view.camera.frame(&bounds, size);
        }
        view.fitted = Some(view.camera);
    }

    /// Turns or moves the view.
    pub(in crate::editor) fn move_view(&mut self, to: ViewMove) {
        // What was added in this frame is to be seen.
        self.refresh();
        self.viewport.bounds = self.scene_bounds();
        if let ViewMove::Camera(camera) = to {
            return self.look_through_camera(camera);
        }
        self.leave_camera();
        let mut goal = self.viewport.goal();
        let size = self.viewport.size();
        match to {
            ViewMove::FrameSelected => {
                let selected = self.selection_bounds();
                goal.frame(
                    if selected.is_empty() {
                        &self.viewport.bounds
                    } else {
                        &selected
                    },
                    size,
                );
            }
            ViewMove::Axis(axis) => {
                if self.settings.orthographic_axis_views && !self.settings.orthographic {
                    self.settings.orthographic = true;
                    self.viewport.returns_to_perspective = true;
                }
                goal.look(axis);
            }
            _ => goal.frame(&self.viewport.bounds, size),
        }
        self.viewport.travel_to(goal);
    }

    /// What the open tab shows.
    pub(in crate::editor) fn scene_bounds(&mut self) -> Bounds {
        let mut bounds = self.surface_bounds();
        if let Some(stage) = Stage::of(&self.view()) {
            for bone in 0..stage.skeleton.bones.len() {
                bounds = bounds.union(stage.bounds_of(Part::Bone(bone)));
            }
        }
        bounds
    }

    /// The surfaces that the open tab shows.
    pub(in crate::editor) fn surface_bounds(&mut self) -> Bounds {
        let bounds = |item: Item| item.surface.bounds().transformed(&item.world_from_local);
        items(self)
            .into_iter()
            .map(bounds)
            .fold(Bounds::EMPTY, Bounds::union)
    }

    fn selection_bounds(&mut self) -> Bounds {
        let selection = self.session.selection().clone();
        let view = self.view();
        if !selection.vertices.is_empty()
            && let Some(stage) = Stage::of(&view)
            && let Some(posed) = view.evaluated.shown_skin(stage.mesh)
        {
            return stage.bounds_of_vertices(&posed.positions, &selection.vertices);
        }
        if selection.part.is_some() {
            let bounds = |stage: Stage| {
                let parts = selection.parts().map(|part| stage.bounds_of(part));
                parts.fold(Bounds::EMPTY, Bounds::union)
            };
            return Stage::of(&view).map_or(Bounds::EMPTY, bounds);
        }
        let Some(instance) = selection.instance else {
            return Bounds::EMPTY;
        };
        let mut bounds = Bounds::EMPTY;
        for item in items(self) {
            if item.selected
                || item.id == crate::editor::projection::draw_list::ItemId::Instance(instance.clone())
            {
                bounds = bounds.union(item.surface.bounds().transformed(&item.world_from_local));
            }
        }
        if bounds.is_empty() && instance.kind != InstanceKind::SkinnedMesh {
            let transform = self
                .evaluated
                .scene
                .instances
                .get(&instance)
                .and_then(|placed| placed.transform);
            let at = self.evaluated.world(transform).transform_point3(Vec3::ZERO);
            bounds = Bounds::of_sphere(at, 1.0);
        }
        bounds
    }
}
