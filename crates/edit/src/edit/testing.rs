//! Fixtures for tests of picking and tools: a skinned mesh called "m", its rig, a front view.

use super::tool::driver::{Event, Hovered, Input, Output, ToolController};
use super::tool::gizmo::{GizmoPart, GizmoShape, Modifiers};
use super::tool::numeric::{DragKey, NumericInput};
use super::tool::{Button, Context, DragInput, Sample};
use crate::edit::select::active_rig::ActiveRig;
use crate::edit::select::selection::{Part, Selection};
use crate::edit::session::Session;
use crate::edit::settings::view::{Axes, GizmoMode, Tab, View, ViewSettings};
use crate::edit::time::motion_paths::MotionPaths;
use crate::math::camera::{ViewCamera, Viewport};
use crate::rig::ik;
use crate::rig::kinematics::{bind_pose, tips};
use crate::rig::skeleton::Skeleton;
use crate::scene::Scene;
use crate::scene::evaluate::{Evaluated, Evaluator, Settings};
use crate::scene::instance::GeometryInstance;
use crate::scene::skinned::SkinnedMesh;
use glam::{DAffine3, Mat4, Vec2, Vec3};
use std::sync::Arc;

pub const PLAIN: Modifiers = Modifiers { snap: false, fine: false };
/// Slow drags, without snapping.
pub const SHIFT: Modifiers = Modifiers { snap: false, fine: true };

/// Returns a session with one mesh, which is selected. Its bones get their indices as channel ids.
pub fn session_with(mut mesh: SkinnedMesh) -> Session {
    let bones = &mut Arc::make_mut(&mut mesh.skeleton).bones;
    for (bone, channel_id) in bones.iter_mut().zip(0..) {
        bone.channel_id = channel_id;
    }
    let mut scene = Scene::default();
    scene.skinned_meshes.insert("m".into(), Arc::new(mesh));
    let mut session = Session::new(scene, None);
    let selection = Selection::from_mesh(session.scene(), "m");
    session.select(selection);
    session
}

/// Returns the skeleton of the mesh.
pub fn skeleton(session: &Session) -> Arc<Skeleton> {
    session.scene().skinned_meshes["m"].skeleton.clone()
}

/// Returns the tails of its bones in the bind pose.
pub fn bind_tips(session: &Session) -> Vec<Vec3> {
    let skeleton = skeleton(session);
    let tips = tips(&skeleton, &bind_pose(&skeleton));
    tips.into_iter().map(|tip| tip.as_vec3()).collect()
}

/// Returns an active rig. `matrices`: `skeleton_from_bone` per bone, in the pose that the tab shows.
pub fn active_rig<'a>(
    tab: Tab,
    skeleton: &'a Skeleton,
    matrices: &'a [DAffine3],
    world_from_skeleton: Mat4,
) -> ActiveRig<'a> {
    ActiveRig {
        tab,
        mesh: "m",
        skeleton,
        skeleton_from_bone: matrices,
        bind: matrices,
        world_from_skeleton,
        gizmo: GizmoMode::Move,
        pose_gizmo: GizmoMode::Rotate,
        axes: Axes::World,
        radius_counts: true,
        show_hidden: false,
        posed_bone: None,
        evaluated: None,
    }
}

/// Returns a viewport that looks towards -z, with 800 x 600 pixels.
pub fn front(target: Vec3, distance: f32) -> Viewport {
    Viewport {
        camera: ViewCamera { target, yaw: 0.0, pitch: 0.0, distance, ..ViewCamera::default() },
        size: Vec2::new(800.0, 600.0),
        covered_top: 0.0,
    }
}

/// Returns the viewport of [`front`] without perspective.
pub fn flat_front(target: Vec3, distance: f32) -> Viewport {
    let mut viewport = front(target, distance);
    viewport.camera.orthographic = true;
    viewport
}

/// Returns a session like [`session_with`], with an instance of the mesh, for the Animate tab.
pub fn placed_session_with(mesh: SkinnedMesh) -> Session {
    let mut scene = session_with(mesh).scene().clone();
    let instance = GeometryInstance { resource: Some("m".into()), ..GeometryInstance::default() };
    let instances = &mut scene.instances.skinned_meshes;
    instances.insert("i".into(), Arc::new(instance));
    let mut session = Session::new(scene, None);
    let selection = Selection::from_mesh(session.scene(), "m");
    session.select(selection);
    session
}

static NO_NUMBERS: NumericInput = NumericInput::NONE;

/// Returns the input of a drag without typed numbers.
pub fn input<'a>(viewport: &'a Viewport, path: &'a [Sample], modifiers: Modifiers) -> DragInput<'a> {
    DragInput { viewport, path, modifiers, numbers: &NO_NUMBERS, ticks: 0 }
}

/// A pointer over a session: events are passed to the tool controller, and its requests are carried out.
pub struct Pointer {
    pub session: Session,
    pub settings: ViewSettings,
    pub viewport: Viewport,
    pub tools: ToolController,
    pub modifiers: Modifiers,
    pub position: Vec2,
    /// The options of IK; `None` if handles do not pull.
    pub ik: Option<ik::Options>,
    pub paths: MotionPaths,
    evaluator: Evaluator,
}

impl Pointer {
    /// Creates a pointer. Handles do not pull, unless [`Self::ik`] is set.
    pub fn new(session: Session, tab: Tab, viewport: Viewport) -> Self {
        let settings = ViewSettings { tab, ..ViewSettings::default() };
        Self {
            session,
            settings,
            viewport,
            tools: ToolController::default(),
            modifiers: PLAIN,
            position: Vec2::ZERO,
            ik: None,
            paths: MotionPaths::default(),
            evaluator: Evaluator::default(),
        }
    }

    pub fn select(&mut self, part: Option<Part>) {
        let selection = self.session.selection().with_part(part);
        self.session.select(selection);
    }

    pub fn evaluated(&mut self) -> Evaluated {
        let settings =
            Settings { bind: self.settings.tab == Tab::Rig, ik: self.ik.clone(), ..Settings::default() };
        self.evaluator.evaluate(self.session.animated(), &settings)
    }

    /// Runs `run` with the tools and their current context.
    pub fn with_tools<T>(&mut self, run: impl FnOnce(&mut ToolController, &Context) -> T) -> T {
        let evaluated = self.evaluated();
        let view = View { session: &self.session, evaluated: &evaluated, settings: &self.settings };
        if self.settings.display.motion_paths {
            self.paths.update(&view, self.ik.clone(), || true);
        }
        let context = Context { view: &view, viewport: &self.viewport, paths: &self.paths };
        run(&mut self.tools, &context)
    }

    /// Runs one frame of the window.
    pub fn frame(&mut self, events: &[Event]) -> Output {
        self.frame_after(0, events)
    }

    /// Runs one frame like [`Self::frame`], the given number of clock ticks after the last one.
    pub fn frame_after(&mut self, ticks: u32, events: &[Event]) -> Output {
        let input =
            Input { events: events.to_vec(), pointer: Some(self.position), modifiers: self.modifiers, ticks };
        let output = self.with_tools(|tools, context| {
            let over = context.pick(input.pointer.unwrap_or_default()).into_iter().next();
            tools.frame(context, &input, over.as_ref())
        });
        let evaluated = self.evaluated();
        for request in &output.requests {
            let carried = request.carry_out(&mut self.session, &mut self.settings, &evaluated);
            carried.expect("requests of tools can be carried out");
        }
        output
    }

    pub fn press(&mut self, pixel: Vec2) {
        self.position = pixel;
        let (button, alt) = (Button::Primary, false);
        self.frame(&[Event::Moved(pixel.into()), Event::Pressed { button, pixel, alt }]);
    }

    pub fn move_to(&mut self, pixel: Vec2) {
        self.position = pixel;
        self.frame(&[Event::Moved(pixel.into())]);
    }

    pub fn release(&mut self) {
        let (button, pixel) = (Button::Primary, self.position);
        self.frame(&[Event::Released { button, pixel }]);
    }

    pub fn click(&mut self, pixel: Vec2) {
        self.press(pixel);
        self.release();
    }

    /// Presses keys: digits; `,` for the next number, `<` for Backspace, `x`, `y`, `z` for axes.
    pub fn type_keys(&mut self, keys: &str) {
        let axis = |index| DragKey::Along(crate::math::axis::Axis::ALL[index]);
        let keys = keys.chars().map(|c| match c {
            ',' => DragKey::Next,
            '<' => DragKey::Backspace,
            'x' => axis(0),
            'y' => axis(1),
            'z' => axis(2),
            c => DragKey::Character(c),
        });
        let events: Vec<Event> = keys.map(Event::Key).collect();
        self.frame(&events);
    }

    /// Returns everything that the tools draw.
    pub fn shape(&mut self) -> GizmoShape {
        let mut all = GizmoShape::default();
        for (shape, _) in self.with_tools(|tools, context| tools.shapes(context)) {
            all.lines.extend(shape.lines);
            all.faces.extend(shape.faces);
            all.pieces.extend(shape.pieces);
        }
        all
    }

    /// Returns a point of a part of the gizmo that can be grabbed: the middle of a face, or a point on a
    /// line.
    pub fn point_of(&mut self, part: GizmoPart) -> Vec3 {
        let shape = self.shape();
        if let Some(face) = shape.faces.iter().find(|face| face.part == part) {
            return face.points.iter().sum::<Vec3>() / face.points.len() as f32;
        }
        let hits = |p: &Vec3| {
            let shown = self.viewport.project(*p);
            shown.is_some_and(|shown| shape.hit(&self.viewport, shown.pixel) == Some(part))
        };
        let lines = shape.lines.iter().filter(|line| line.part == part);
        let mut points = lines.flat_map(|line| &line.points).filter(|p| hits(p));
        let middle = points.clone().count() / 2;
        *points.nth(middle).expect("the part can be grabbed")
    }

    pub fn pixel(&self, point: Vec3) -> Vec2 {
        self.viewport.project(point).expect("in view").pixel
    }

    pub fn press_part(&mut self, part: GizmoPart) -> Vec2 {
        let point = self.point_of(part);
        let pixel = self.pixel(point);
        self.press(pixel);
        pixel
    }

    /// Returns the part of a gizmo under the pointer.
    pub fn hovered_part(&mut self, pixel: Vec2) -> Option<GizmoPart> {
        self.move_to(pixel);
        match self.tools.hovered() {
            Some(Hovered::Part(_, part)) => Some(*part),
            _ => None,
        }
    }

    pub fn steps(&self) -> Vec<&str> {
        self.session.undo_list().collect()
    }
}
