//! The viewport: where it is, what the pointer does in it, and the camera.
//!
//! The viewport is a widget of the panels; its response is the one source of pointer gestures for
//! camera, selection and tools.

mod camera;
mod camera_view;
pub mod cameras;
mod capsules;
pub mod grid;
pub mod light_camera_icons;
pub mod motion_paths;
pub mod overlay;
mod panes;
pub mod picking;
mod pointer;
pub mod tools;
pub mod vertex_overlay;

use crate::edit::compare::Layout;
use crate::edit::pick::PickTarget;
use crate::edit::tool::driver::{Event, Input, ToolController};
use crate::edit::tool::numeric::DragKey;
use crate::math::bounds::Bounds;
use crate::math::camera::{self as view, Lens, ViewCamera};
use bevy::prelude::*;
use bevy_egui::egui;

pub use panes::Panes;

/// Where the viewport is and what happens in it.
pub struct ViewportState {
    pub camera: ViewCamera,
    transition: Option<camera::CameraTransition>,
    /// Views change at once (offscreen runs).
    pub(super) instant: bool,
    /// In points, within the window.
    rect: egui::Rect,
    /// While two sides are compared.
    pub(super) panes: Option<Panes>,
    /// In pixels of the target: position and size.
    pub(super) physical_rect: Option<(UVec2, UVec2)>,
    /// Egui's pointer, in points.
    pub(super) pointer: Option<egui::Pos2>,
    /// The pointer is over the viewport and nothing covers it there.
    pub(super) hovered: bool,
    /// What the pointer is on.
    pub over: Option<PickTarget>,
    /// A file hangs over the window.
    pub(super) drop_hint: Option<String>,
    /// What the tools are told in this frame.
    input: Input,
    pub tool: ToolController,
    /// A view along an axis took the perspective away: orbiting gives it back.
    returns_to_perspective: bool,
    /// The view to return to from that of a camera of the scene.
    before_camera: Option<ViewCamera>,
    /// The scene is to be framed as soon as the viewport has a size.
    fit: bool,
    /// The view as it was framed then.
    fitted: Option<ViewCamera>,
    /// What the scene fills.
    bounds: Bounds,
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
            returns_to_perspective: false,
            before_camera: None,
            fit: true,
            fitted: None,
            bounds: Bounds::EMPTY,
        }
    }
}

impl ViewportState {
    /// That of a picture without panels around it, `size` in pixels. `bounds`: what the scene fills.
    pub(super) fn of_picture(camera: ViewCamera, size: Vec2, bounds: Bounds) -> Self {
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
    pub(super) fn document_opened(&mut self) {
        self.fit = true;
        self.transition = None;
        self.over = None;
        self.tool = ToolController::default();
        self.before_camera = None;
    }

    /// Takes over what the panels left for the viewport in this frame.
    ///
    /// `typing`: the keys belong to a panel.
    pub(super) fn see(&mut self, response: &egui::Response, context: &egui::Context, typing: bool) {
        self.rect = response.rect;
        let scale = context.pixels_per_point();
        let pixel = |p: egui::Pos2| UVec2::new((p.x * scale).round() as u32, (p.y * scale).round() as u32);
        let (from, to) = (pixel(response.rect.min), pixel(response.rect.max));
        let size = to.saturating_sub(from);
        self.physical_rect = (size.x > 0 && size.y > 0).then_some((from, size));
        self.hovered = response.contains_pointer();
        self.input = pointer::read(response, context, self.pane().min, self.tool.held_button());
        if typing && !self.tool.is_dragging() {
            let is_key = |event: &Event| matches!(event, Event::Key(_) | Event::Enter | Event::Escape);
            self.input.events.retain(|event| !is_key(event));
        }
    }

    /// Tab during a drag goes on to the next number; it reaches the tool here, since egui would move the
    /// keyboard focus with it.
    pub(super) fn tab_pressed(&mut self) {
        self.input.events.push(Event::Key(DragKey::Next));
    }

    /// Whether a point of the window, in points, is in the viewport.
    pub(super) fn covers(&self, at: egui::Pos2) -> bool {
        self.rect.contains(at)
    }

    /// What the camera sees, where the pointer is: all of it, or the half that the pointer is on. In points.
    pub(super) fn pane(&self) -> egui::Rect {
        match &self.panes {
            Some(panes) if panes.layout == Layout::Beside => panes.rects(self.rect)[panes.pointed],
            _ => self.rect,
        }
    }

    /// Top left corner of what the camera sees, in points.
    pub(super) fn origin(&self) -> Vec2 {
        Vec2::new(self.pane().min.x, self.pane().min.y)
    }

    /// Of what the camera sees, in points.
    pub fn size(&self) -> Vec2 {
        Vec2::new(self.pane().width().max(1.0), self.pane().height().max(1.0))
    }

    pub fn view(&self) -> view::Viewport {
        view::Viewport {
            camera: self.camera,
            size: self.size(),
        }
    }

    pub(super) fn world_per_pixel(&self, at: Vec3) -> f32 {
        self.camera.world_per_pixel(at, self.size())
    }

    pub(super) fn lens(&self) -> Lens {
        self.camera.lens(&self.bounds)
    }

    /// The projection as Bevy states it.
    pub(super) fn bevy_projection(&self) -> Projection {
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
    pub(super) fn rect(&self) -> egui::Rect {
        self.rect
    }

    /// What the mouse does now, for the status bar.
    pub(super) fn hint(&self) -> String {
        if let Some(drop) = &self.drop_hint {
            return drop.clone();
        }
        self.tool.hint()
    }
}
