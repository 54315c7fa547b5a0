//! Where the viewport is, what the pointer does in it, and the camera that it is seen by.

use super::brush::{BeforeWeights, Ticks};
use super::panes::Panes;
use super::pointer;
use crate::edit::compare::Layout;
use crate::edit::pick::PickTarget;
use crate::edit::tool::driver::{Event, Input, Output, ToolController};
use crate::edit::tool::numeric::DragKey;
use crate::math::bounds::Bounds;
use crate::math::camera::{Lens, ViewCamera, Viewport};
use bevy::prelude::*;
use bevy_egui::egui;
use std::time::Instant;

/// Where the viewport is and what happens in it.
#[derive(Resource)]
pub struct ViewportState {
    pub camera: ViewCamera,
    pub transition: Option<CameraTransition>,
    /// Views change at once (offscreen runs).
    pub instant: bool,
    /// In points, within the window.
    pub rect: egui::Rect,
    /// While two sides are compared.
    pub panes: Option<Panes>,
    /// In pixels of the target: position and size.
    pub physical_rect: Option<(UVec2, UVec2)>,
    /// Egui's pointer, in points.
    pub pointer: Option<egui::Pos2>,
    /// The pointer is over the viewport and nothing covers it there.
    pub hovered: bool,
    /// What the pointer is on.
    pub over: Option<PickTarget>,
    /// A file hangs over the window.
    pub drop_hint: Option<String>,
    /// What the tools are told in this frame.
    pub input: Input,
    pub tool: ToolController,
    /// What they ask for, kept for its memory.
    pub asked: Output,
    pub ticks: Ticks,
    /// While the brush is in hand.
    pub before_weights: Option<BeforeWeights>,
    /// A view along an axis took the perspective away: orbiting gives it back.
    pub returns_to_perspective: bool,
    /// The view to return to from that of a camera of the scene.
    pub before_camera: Option<ViewCamera>,
    /// The scene is to be framed as soon as the viewport has a size.
    pub fit: bool,
    /// The view as it was framed then.
    pub fitted: Option<ViewCamera>,
    /// What the scene fills.
    pub bounds: Bounds,
}

impl Default for ViewportState {
    fn default() -> Self {
        Self {
            camera: ViewCamera::default(),
            transition: None,
            instant: false,
            rect: egui::Rect::ZERO,
            panes: None,
            physical_rect: None,
            pointer: None,
            hovered: false,
            over: None,
            drop_hint: None,
            input: Input::default(),
            tool: ToolController::default(),
            asked: Output::default(),
            ticks: Ticks::default(),
            before_weights: None,
            returns_to_perspective: false,
            before_camera: None,
            fit: true,
            fitted: None,
            bounds: Bounds::EMPTY,
        }
    }
}

impl ViewportState {
    /// `instant`: views change at once.
    pub fn new(instant: bool) -> Self {
        Self {
            instant,
            ..Self::default()
        }
    }

    /// That of a picture without panels around it, `size` in pixels. `bounds`: what the scene fills.
    pub fn of_picture(camera: ViewCamera, size: Vec2, bounds: Bounds) -> Self {
        Self {
            camera,
            instant: true,
            rect: egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(size.x, size.y)),
            fit: false,
            bounds,
            ..Self::default()
        }
    }

    /// A new document: frame it, drop what the pointer was doing.
    pub fn document_opened(&mut self) {
        self.fit = true;
        self.transition = None;
        self.over = None;
        self.tool = ToolController::default();
        self.before_camera = None;
    }

    /// What a click would select, and lights up: nothing where the pointer is on a gizmo, or draws bones.
    pub fn lit(&self) -> Option<&PickTarget> {
        let taken = self.tool.is_chosen() || self.tool.is_over_gizmo();
        self.over.as_ref().filter(|_| !taken)
    }

    /// Takes over what the panels left for the viewport in this frame.
    ///
    /// `typing`: the keys belong to a panel.
    pub fn see(&mut self, response: &egui::Response, context: &egui::Context, typing: bool) {
        self.rect = response.rect;
        let scale = context.pixels_per_point();
        let pixel = |p: egui::Pos2| UVec2::new((p.x * scale).round() as u32, (p.y * scale).round() as u32);
        let (from, to) = (pixel(response.rect.min), pixel(response.rect.max));
        let size = to.saturating_sub(from);
        self.physical_rect = (size.x > 0 && size.y > 0).then_some((from, size));
        self.hovered = response.contains_pointer();
        self.input = pointer::read(response, context, self.pane().min, &self.tool);
        if typing && !self.tool.is_dragging() {
            let is_key = |event: &Event| matches!(event, Event::Key(_) | Event::Enter | Event::Escape);
            self.input.events.retain(|event| !is_key(event));
        }
    }

    /// Tab during a drag goes on to the next number; it reaches the tool here, since egui would move the
    /// keyboard focus with it.
    pub fn tab_pressed(&mut self) {
        self.input.events.push(Event::Key(DragKey::Next));
    }

    /// Whether a point of the window, in points, is in the viewport.
    pub fn covers(&self, at: egui::Pos2) -> bool {
        self.rect.contains(at)
    }

    /// What the camera sees, where the pointer is: all of it, or the half that the pointer is on. In points.
    pub fn pane(&self) -> egui::Rect {
        match &self.panes {
            Some(panes) if panes.layout == Layout::Beside => panes.rects(self.rect)[panes.pointed],
            _ => self.rect,
        }
    }

    /// Top left corner of what the camera sees, in points.
    pub fn origin(&self) -> Vec2 {
        Vec2::new(self.pane().min.x, self.pane().min.y)
    }

    /// The size of what the camera sees, in points.
    pub fn size(&self) -> Vec2 {
        Vec2::new(self.pane().width().max(1.0), self.pane().height().max(1.0))
    }

    pub fn view(&self) -> Viewport {
        Viewport {
            camera: self.camera,
            size: self.size(),
        }
    }

    pub fn world_per_pixel(&self, at: Vec3) -> f32 {
        self.camera.world_per_pixel(at, self.size())
    }

    pub fn lens(&self) -> Lens {
        self.camera.lens(&self.bounds)
    }

    /// The projection as Bevy states it.
    pub fn bevy_projection(&self) -> Projection {
        match self.lens() {
            Lens::Perspective { vertical_fov, near } => Projection::Perspective(PerspectiveProjection {
                fov: vertical_fov,
                near,
                far: 1e6,
                near_clip_plane: Vec4::new(0.0, 0.0, -1.0, -near),
                aspect_ratio: self.size().x / self.size().y,
            }),
            Lens::Orthographic { height, near, far } => Projection::Orthographic(OrthographicProjection {
                near,
                far,
                scaling_mode: bevy::camera::ScalingMode::FixedVertical {
                    viewport_height: height,
                },
                ..OrthographicProjection::default_3d()
            }),
        }
    }

    /// Where it is, in points.
    pub fn rect(&self) -> egui::Rect {
        self.rect
    }

    /// What the mouse does now, for the status bar.
    pub fn hint(&self) -> String {
        if let Some(drop) = &self.drop_hint {
            return drop.clone();
        }
        self.tool.hint()
    }
}

/// A view on its way to another.
pub struct CameraTransition {
    from: ViewCamera,
    to: ViewCamera,
    since: Instant,
}

const TRANSITION_S: f32 = 0.22;

impl ViewportState {
    /// Moves a view that is on its way. True while it is.
    pub fn advance_transition(&mut self) -> bool {
        let Some(transition) = &self.transition else {
            return false;
        };
        let t = if self.instant {
            1.0
        } else {
            transition.since.elapsed().as_secs_f32() / TRANSITION_S
        };
        self.camera = ViewCamera::ease(&transition.from, &transition.to, t);
        if t >= 1.0 {
            self.transition = None;
        }
        true
    }

    pub fn move_to(&mut self, to: ViewCamera) {
        self.transition = Some(CameraTransition {
            from: self.camera,
            to,
            since: Instant::now(),
        });
    }

    /// Where the view is, or is going.
    pub fn goal(&self) -> ViewCamera {
        self.transition
            .as_ref()
            .map_or(self.camera, |transition| transition.to)
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
            self.transition = None;
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
