//! The viewport: where it is, what the pointer does in it, and the camera.
//!
//! The viewport is a widget of the panels; its response is the one source of pointer gestures for
//! camera, selection and tools.

mod bone_materials;
pub mod bounds;
pub mod camera;
pub mod camera_view;
pub mod cameras;
mod capsules;
mod gesture;
pub mod grid;
mod instance;
pub mod light_camera_icons;
pub mod lines;
pub mod motion_paths;
pub mod new_bone;
pub mod overlay;
pub mod panes;
pub mod picking;
pub mod scene_view;
mod select;
mod tool;
pub mod vertex_overlay;

use self::bounds::scene_bounds;
use self::camera::{Travel, camera_gesture};
use crate::edit::compare::Layout;
use crate::edit::pick::PickTarget;
use crate::edit::tool::typed::DragKey;
use crate::edit::view::View;
use crate::editor::frame::FrameStep;
use crate::editor::state::shown::evaluate;
use crate::editor::state::{Caches, Document, Redraw, Requests, Settings, Shown, view};
use crate::math::bounds::Bounds;
use crate::math::camera::{Lens, ViewCamera, Viewport};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_egui::egui;
use gesture::Gesture;

pub use panes::Panes;
pub use tool::ToolInHand;

/// Where the viewport is and what happens in it.
#[derive(Resource)]
pub struct ViewportState {
    pub camera: ViewCamera,
    travel: Option<Travel>,
    /// Views change at once (offscreen runs).
    pub instant: bool,
    /// In points, within the window.
    rect: egui::Rect,
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
    gesture: Gesture,
    pub tool: ToolInHand,
    last_click: Option<select::LastClick>,
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
            travel: None,
            instant: false,
            rect: egui::Rect::ZERO,
            panes: None,
            physical_rect: None,
            pointer: None,
            hovered: false,
            over: None,
            drop_hint: None,
            gesture: Gesture::default(),
            tool: ToolInHand::default(),
            last_click: None,
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
        self.travel = None;
        self.over = None;
        self.tool = ToolInHand::default();
        self.last_click = None;
        self.before_camera = None;
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
        self.gesture = Gesture::read(response, context, self.pane().min);
        if typing {
            (self.gesture.enter, self.gesture.backspace) = (false, false);
            self.gesture.esc &= self.tool.is_dragging();
        }
    }

    /// Tab during a drag goes on to the next number; it reaches the tool here, since egui would move the
    /// keyboard focus with it.
    pub fn tab_pressed(&mut self) {
        self.gesture.keys.push(DragKey::Next);
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

    /// Of what the camera sees, in points.
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

/// What gestures in the viewport read and change.
#[derive(SystemParam)]
pub struct Gestures<'w> {
    session: Res<'w, Document>,
    settings: ResMut<'w, Settings>,
    shown: Res<'w, Shown>,
    caches: ResMut<'w, Caches>,
    viewport: ResMut<'w, ViewportState>,
    requests: ResMut<'w, Requests>,
    redraw: ResMut<'w, Redraw>,
}

impl Gestures<'_> {
    fn view(&self) -> View<'_> {
        view(&self.session, &self.settings, &self.shown)
    }
}

/// What is shown follows the document, and the cameras the view: with neither pointer nor panels.
pub fn plugin(app: &mut App) {
    app.init_resource::<Shown>()
        .init_resource::<Caches>()
        .init_resource::<Redraw>()
        .add_plugins((cameras::plugin, overlay::plugin))
        .add_systems(
            Update,
            (evaluate, panes::divide, camera_view::follow)
                .chain()
                .in_set(FrameStep::Evaluate),
        );
}

/// Pointer gestures in the viewport: the tool in hand and selection first, then the camera.
pub fn tools(mut gestures: Gestures, mut redraw: MessageWriter<bevy::window::RequestRedraw>) {
    let gesture = std::mem::take(&mut gestures.viewport.gesture);
    let draws_bones = gestures.draws_bones();
    if draws_bones || !(gestures.instance_gesture(&gesture) || gestures.tool_gesture(&gesture)) {
        camera_gesture(&mut gestures.viewport, &mut gestures.settings, &gesture);
    }
    if draws_bones {
        gestures.new_bone_gesture(&gesture);
    }
    let viewport = &mut *gestures.viewport;
    if viewport.fit && viewport.physical_rect.is_some() {
        let view = view(&gestures.session, &gestures.settings, &gestures.shown);
        viewport.fit_to(scene_bounds(&view, &mut gestures.caches));
    }
    if viewport.travel_on() {
        redraw.write(bevy::window::RequestRedraw);
    }
    viewport.returns_to_perspective &= gestures.settings.orthographic;
    if gestures.settings.camera.is_none() {
        viewport.camera.orthographic = gestures.settings.orthographic;
    }
}
