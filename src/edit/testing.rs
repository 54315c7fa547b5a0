//! What tests of picking and of tools begin with: a skinned mesh called "m", its stage, a view from the front.

use super::active_rig::ActiveRig;
use super::selection::{Part, Selection};
use super::session::Session;
use super::tool::driver::{Event, Hovered, Input, Output, ToolController};
use super::tool::gizmo::{GizmoPart, GizmoShape, Modifiers};
use super::tool::numeric::{DragKey, NumericInput};
use super::tool::{Button, Context, DragInput, Sample};
use super::view::{Axes, GizmoMode, Tab, View, ViewSettings};
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

pub const PLAIN: Modifiers = Modifiers {
    snap: false,
    fine: false,
};
/// Slow drags, and no snapping to what is drawn.
pub const SHIFT: Modifiers = Modifiers {
    snap: false,
    fine: true,
};

/// A session on a scene of one mesh, which is selected. Its bones get their indices as channel ids.
pub fn session_with(mut mesh: SkinnedMesh) -> Session {
    let bones = &mut Arc::make_mut(&mut mesh.skeleton).bones;
    for (bone, channel_id) in bones.iter_mut().zip(0..) {
        bone.channel_id = channel_id;
    }
    let mut scene = Scene::default();
    scene.skinned_meshes.insert("m".into(), Arc::new(mesh));
    let mut session = Session::new(scene, None);
    let selection = Selection::of_mesh(session.scene(), "m");
    session.select(selection);
    session
}

/// That of the mesh.
pub fn skeleton(session: &Session) -> Arc<Skeleton> {
    session.scene().skinned_meshes["m"].skeleton.clone()
}

/// Where its bones end in the bind pose.
pub fn bind_tips(session: &Session) -> Vec<Vec3> {
    let skeleton = skeleton(session);
    let tips = tips(&skeleton, &bind_pose(&skeleton));
    tips.into_iter().map(|tip| tip.as_vec3()).collect()
}

/// `matrices`: `skeleton_from_bone` per bone, in the pose that the tab shows.
pub fn stage<'a>(
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
        world_from_skeleton,
        gizmo: GizmoMode::Move,
        axes: Axes::World,
        radius_counts: tab == Tab::Rig,
    }
}

/// Towards -z, 800 x 600 pixels.
pub fn front(target: Vec3, distance: f32) -> Viewport {
    Viewport {
        camera: ViewCamera {
            target,
            yaw: 0.0,
            pitch: 0.0,
            distance,
            ..ViewCamera::default()
        },
        size: Vec2::new(800.0, 600.0),
    }
}

/// As [`front`], without perspective.
pub fn flat_front(target: Vec3, distance: f32) -> Viewport {
    let mut viewport = front(target, distance);
    viewport.camera.orthographic = true;
    viewport
}

/// As [`session_with`], with an instance of the mesh, for the Animate tab.
pub fn placed_session_with(mesh: SkinnedMesh) -> Session {
    let mut scene = session_with(mesh).scene().clone();
    let instance = GeometryInstance {
        of: Some("m".into()),
        ..GeometryInstance::default()
    };
    let instances = &mut scene.instances.skinned_meshes;
    instances.insert("i".into(), Arc::new(instance));
    let mut session = Session::new(scene, None);
    let selection = Selection::of_mesh(session.scene(), "m");
    session.select(selection);
    session
}

static NOTHING_TYPED: NumericInput = NumericInput::NONE;

/// What a drag goes by, with nothing typed.
pub fn input<'a>(viewport: &'a Viewport, path: &'a [Sample], modifiers: Modifiers) -> DragInput<'a> {
    DragInput {
        viewport,
        path,
        modifiers,
        numbers: &NOTHING_TYPED,
        ticks: 0,
    }
}

/// A pointer over a session: events go through the driver of the tools, what it asks for is carried out.
pub struct Pointer {
    pub session: Session,
    pub settings: ViewSettings,
    pub viewport: Viewport,
    pub tools: ToolController,
    pub modifiers: Modifiers,
    pub at: Vec2,
    /// How handles pull.
    pub ik: Option<ik::Options>,
    evaluator: Evaluator,
}

impl Pointer {
    /// Handles do not pull, unless [`Self::ik`] is set.
    pub fn new(session: Session, tab: Tab, viewport: Viewport) -> Self {
        let settings = ViewSettings {
            tab,
            ..ViewSettings::default()
        };
        Self {
            session,
            settings,
            viewport,
            tools: ToolController::default(),
            modifiers: PLAIN,
            at: Vec2::ZERO,
            ik: None,
            evaluator: Evaluator::default(),
        }
    }

    pub fn select(&mut self, part: Option<Part>) {
        let selection = self.session.selection().with_part(part);
        self.session.select(selection);
    }

    pub fn evaluated(&mut self) -> Evaluated {
        let settings = Settings {
            bind: self.settings.tab == Tab::Rig,
            ik: self.ik.clone(),
            ..Settings::default()
        };
        self.evaluator.evaluate(self.session.animated(), &settings)
    }

    /// The tools, and what they may look at now.
    pub fn with_tools<T>(&mut self, then: impl FnOnce(&mut ToolController, &Context) -> T) -> T {
        let evaluated = self.evaluated();
        let view = View {
            session: &self.session,
            evaluated: &evaluated,
            settings: &self.settings,
        };
        let context = Context {
            view: &view,
            viewport: &self.viewport,
        };
        then(&mut self.tools, &context)
    }

    /// One frame of the window.
    pub fn frame(&mut self, events: &[Event]) -> Output {
        self.frame_after(0, events)
    }

    /// As [`Self::frame`], so many ticks of the clock after the last one.
    pub fn frame_after(&mut self, ticks: u32, events: &[Event]) -> Output {
        let input = Input {
            events: events.to_vec(),
            at: Some(self.at),
            modifiers: self.modifiers,
            ticks,
        };
        let output = self.with_tools(|tools, context| {
            let over = context.pick(input.at.unwrap_or_default()).into_iter().next();
            tools.frame(context, &input, over.as_ref())
        });
        let evaluated = self.evaluated();
        for request in &output.requests {
            let carried = request.carry_out(&mut self.session, &mut self.settings, &evaluated);
            carried.expect("tools ask for nothing that cannot be done");
        }
        output
    }

    pub fn press(&mut self, at: Vec2) {
        self.at = at;
        let (button, alt) = (Button::Primary, false);
        self.frame(&[Event::Moved(at.into()), Event::Pressed { button, at, alt }]);
    }

    pub fn move_to(&mut self, at: Vec2) {
        self.at = at;
        self.frame(&[Event::Moved(at.into())]);
    }

    pub fn release(&mut self) {
        let (button, at) = (Button::Primary, self.at);
        self.frame(&[Event::Released { button, at }]);
    }

    pub fn click(&mut self, at: Vec2) {
        self.press(at);
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

    /// All that the tools draw.
    pub fn shape(&mut self) -> GizmoShape {
        let mut all = GizmoShape::default();
        for (shape, _) in self.with_tools(|tools, context| tools.shapes(context)) {
            all.lines.extend(shape.lines);
            all.faces.extend(shape.faces);
            all.pieces.extend(shape.pieces);
        }
        all
    }

    /// A point of a part of the gizmo where it can be taken hold of: the middle of a face, or on a line.
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
        *points.nth(middle).expect("it can be taken hold of")
    }

    pub fn pixel(&self, at: Vec3) -> Vec2 {
        self.viewport.project(at).expect("in view").pixel
    }

    pub fn press_part(&mut self, part: GizmoPart) -> Vec2 {
        let at = self.point_of(part);
        let at = self.pixel(at);
        self.press(at);
        at
    }

    /// The part of a gizmo under the pointer.
    pub fn hovered_part(&mut self, at: Vec2) -> Option<GizmoPart> {
        self.move_to(at);
        match self.tools.hovered() {
            Some(Hovered::Part(_, part)) => Some(*part),
            _ => None,
        }
    }

    pub fn steps(&self) -> Vec<&str> {
        self.session.undo_list().collect()
    }
}
