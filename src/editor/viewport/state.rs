//! The state of the viewport: its area, its input, and its camera.

use super::brush::{BeforeWeights, Ticks};
use super::panes::Panes;
use super::pointer;
use crate::edit::compare::Layout;
use crate::edit::select::pick::PickTarget;
use crate::edit::tool::driver::{Event, Input, Output, ToolController};
use crate::edit::tool::numeric::DragKey;
use crate::editor::panels::ViewAreas;
use crate::math::bounds::Bounds;
use crate::math::camera::{Lens, ViewCamera, Viewport};
use bevy::prelude::*;
use bevy_egui::egui;
use std::time::Instant;

/// The state of the viewport.
#[derive(Resource)]
pub struct ViewportState {
    pub camera: ViewCamera,
    pub transition: Option<CameraTransition>,
    /// Whether views change at once (offscreen runs).
    pub instant: bool,
    /// The area in points, within the window, with the strips that cover its upper and lower end.
    pub rect: egui::Rect,
    /// The part of `rect` in which things are framed.
    free: egui::Rect,
    /// The two parts while two sides are compared.
    pub panes: Option<Panes>,
    /// The position and size in pixels of the target.
    pub physical_rect: Option<(UVec2, UVec2)>,
    /// The position of egui's pointer, in points.
    pub pointer: Option<egui::Pos2>,
    /// Whether the pointer is over the viewport and nothing covers it there.
    pub hovered: bool,
    /// The target under the pointer.
    pub hovered_target: Option<PickTarget>,
    /// The hint while a file is dragged over the window.
    pub drop_hint: Option<String>,
    /// The input of the tools in this frame.
    pub input: Input,
    pub tool: ToolController,
    /// The output of the tools, stored to reuse its memory.
    pub output: Output,
    pub ticks: Ticks,
    /// The display of the skin before the brush was chosen, while it is in use.
    pub before_weights: Option<BeforeWeights>,
    /// Whether orbiting returns to perspective, since a view along an axis switched to orthographic.
    pub returns_to_perspective: bool,
    /// The view before that of a camera of the scene, to return to.
    pub before_camera: Option<ViewCamera>,
    /// Whether to frame the scene as soon as the viewport has a size.
    pub fit: bool,
    /// The view after that framing.
    pub fitted: Option<ViewCamera>,
    /// The bounds of the scene.
    pub bounds: Bounds,
}

impl Default for ViewportState {
    fn default() -> Self {
        Self {
            camera: ViewCamera::default(),
            transition: None,
            instant: false,
            rect: egui::Rect::ZERO,
            free: egui::Rect::ZERO,
            panes: None,
            physical_rect: None,
            pointer: None,
            hovered: false,
            hovered_target: None,
            drop_hint: None,
            input: Input::default(),
            tool: ToolController::default(),
            output: Output::default(),
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
    /// Creates the state. `instant`: whether views change at once.
    pub fn new(instant: bool) -> Self {
        Self { instant, ..Self::default() }
    }

    /// Creates the state for a picture without panels, of `size` in pixels. `bounds`: those of the scene.
    pub fn for_picture(camera: ViewCamera, size: Vec2, bounds: Bounds) -> Self {
        Self {
            camera,
            instant: true,
            rect: egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(size.x, size.y)),
            fit: false,
            bounds,
            ..Self::default()
        }
    }

    /// Resets the state for a new document: frames it, and ends what the pointer was doing.
    pub fn document_opened(&mut self) {
        self.fit = true;
        self.transition = None;
        self.hovered_target = None;
        self.tool = ToolController::default();
        self.before_camera = None;
    }

    /// Returns the target that a click would select, which is highlighted; none if the pointer is on a gizmo
    /// or a tool is chosen.
    pub fn highlighted(&self) -> Option<&PickTarget> {
        let taken = self.tool.is_chosen() || self.tool.is_over_gizmo();
        self.hovered_target.as_ref().filter(|_| !taken)
    }

    /// Takes the area and the input of the viewport's widget in this frame. During a drag the area stays, whatever panels
    /// grow over it, such as the dope sheet with the first keys: otherwise what is dragged would move away from the pointer.
    ///
    /// `typing`: whether the keys belong to a panel.
    pub fn take_response(
        &mut self,
        response: &egui::Response,
        areas: ViewAreas,
        context: &egui::Context,
        typing: bool,
    ) {
        let stays = response.is_pointer_button_down_on() || self.tool.is_dragging();
        // The window may have become smaller.
        if !(stays && self.rect.is_positive() && context.content_rect().contains_rect(self.rect)) {
            (self.rect, self.free) = (areas.whole, areas.free);
        }
        let scale = context.pixels_per_point();
        let pixel = |p: egui::Pos2| UVec2::new((p.x * scale).round() as u32, (p.y * scale).round() as u32);
        let (from, to) = (pixel(self.rect.min), pixel(self.rect.max));
        let size = to.saturating_sub(from);
        self.physical_rect = (size.x > 0 && size.y > 0).then_some((from, size));
        self.hovered = response.contains_pointer();
        self.input = pointer::read(response, context, self.pane().min, &self.tool);
        if typing && !self.tool.is_dragging() {
            let is_key = |event: &Event| matches!(event, Event::Key(_) | Event::Enter | Event::Escape);
            self.input.events.retain(|event| !is_key(event));
        }
    }

    /// Moves on to the next number of a drag when Tab is pressed. It is passed here, since egui would move
    /// the keyboard focus with it.
    pub fn tab_pressed(&mut self) {
        self.input.events.push(Event::Key(DragKey::Next));
    }

    /// Whether a point of the window, in points, is in the viewport.
    pub fn covers(&self, point: egui::Pos2) -> bool {
        self.rect.contains(point)
    }

    /// The area of the camera under the pointer, in points: the whole viewport, or one side of it.
    pub fn pane(&self) -> egui::Rect {
        match &self.panes {
            Some(panes) if panes.layout == Layout::SideBySide => panes.rects(self.rect)[panes.pointed],
            _ => self.rect,
        }
    }

    /// The areas that show the whole view, in points: the viewport, or two halves side by side.
    pub fn shown_panes(&self) -> impl Iterator<Item = egui::Rect> {
        let [first, second] = match &self.panes {
            Some(panes) if panes.layout == Layout::SideBySide => panes.rects(self.rect).map(Some),
            _ => [Some(self.rect), None],
        };
        first.into_iter().chain(second)
    }

    /// The top left corner of the camera's area, in points.
    pub fn origin(&self) -> Vec2 {
        Vec2::new(self.pane().min.x, self.pane().min.y)
    }

    /// The size of the camera's area, in points.
    pub fn size(&self) -> Vec2 {
        Vec2::new(self.pane().width().max(1.0), self.pane().height().max(1.0))
    }

    /// The part of the camera's area, in points, that neither strips nor messages cover: where things are framed.
    pub fn free(&self) -> egui::Rect {
        let free = self.free.intersect(self.pane());
        if free.is_positive() { free } else { self.pane() }
    }

    /// Moves `camera` so that all of `bounds` is in the free part of the view, without changing its direction.
    pub fn frame(&self, camera: &mut ViewCamera, bounds: &Bounds) {
        let free = self.free().translate(-self.pane().min.to_vec2());
        let [min, max] = [free.min, free.max].map(|corner| Vec2::new(corner.x, corner.y));
        camera.frame_within(bounds, self.size(), [min, max]);
    }

    pub fn view(&self) -> Viewport {
        Viewport {
            camera: self.camera,
            size: self.size(),
            covered_top: (self.free().min.y - self.pane().min.y).max(0.0),
        }
    }

    pub fn world_per_pixel(&self, point: Vec3) -> f32 {
        self.camera.world_per_pixel(point, self.size())
    }

    pub fn lens(&self) -> Lens {
        self.camera.lens(&self.bounds)
    }

    /// Returns the projection for Bevy.
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
                scaling_mode: bevy::camera::ScalingMode::FixedVertical { viewport_height: height },
                ..OrthographicProjection::default_3d()
            }),
        }
    }

    /// The area in points.
    pub fn rect(&self) -> egui::Rect {
        self.rect
    }

    /// Returns what the mouse does, for the status bar.
    pub fn hint(&self) -> String {
        if let Some(drop) = &self.drop_hint {
            return drop.clone();
        }
        self.tool.hint()
    }
}

/// A transition between two views.
pub struct CameraTransition {
    from: ViewCamera,
    to: ViewCamera,
    since: Instant,
}

const TRANSITION_S: f32 = 0.22;

impl ViewportState {
    /// Advances a transition. Returns whether there is one.
    pub fn advance_transition(&mut self) -> bool {
        let Some(transition) = &self.transition else {
            return false;
        };
        let t = if self.instant { 1.0 } else { transition.since.elapsed().as_secs_f32() / TRANSITION_S };
        self.camera = ViewCamera::ease(&transition.from, &transition.to, t);
        if t >= 1.0 {
            self.transition = None;
        }
        true
    }

    pub fn move_to(&mut self, to: ViewCamera) {
        self.transition = Some(CameraTransition { from: self.camera, to, since: Instant::now() });
    }

    /// Returns the view, or the end of its transition.
    pub fn goal(&self) -> ViewCamera {
        self.transition.as_ref().map_or(self.camera, |transition| transition.to)
    }

    /// Keeps the character in view when the tab changes its space. As long as the view has not been turned or
    /// moved, each tab frames its whole scene instead.
    pub fn change_space(&mut self, new_from_old: Mat4) {
        if self.fitted == Some(self.camera) {
            self.fit = true;
            return;
        }
        if new_from_old.abs_diff_eq(Mat4::IDENTITY, 1e-6) || !new_from_old.is_finite() {
            return;
        }
        let scale = new_from_old.determinant().abs().cbrt();
        if scale > 1e-9 && scale.is_finite() {
            self.transition = None;
            self.camera.target = new_from_old.transform_point3(self.camera.target);
            self.camera.distance *= scale;
        }
    }

    /// Frames the whole scene at once, when a document was opened.
    pub fn fit_to(&mut self, bounds: Bounds) {
        self.bounds = bounds;
        self.fit = false;
        if !bounds.is_empty() {
            let orthographic = self.camera.orthographic;
            let mut camera = ViewCamera { orthographic, ..ViewCamera::default() };
            self.frame(&mut camera, &bounds);
            self.camera = camera;
        }
        self.fitted = Some(self.camera);
    }
}
