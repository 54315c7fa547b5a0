//! A handle that is dragged by the pointer, or a brush that paints weights, as the window does it, from the event to the bytes for the graphics card:
//! the driver of the tools, the session, evaluation, what is drawn over the scene. Without panels and Bevy: see
//! [`super::window`].

use super::character;
use super::count::{Clock, Lap};
use glam::Vec2;
use ossature::edit::action::Action;
use ossature::edit::active_rig::ActiveRig;
use ossature::edit::selection::{Part, Selection};
use ossature::edit::session::Session;
use ossature::edit::tool::driver::{Event, Input, Output, ToolController};
use ossature::edit::tool::gizmo::{GizmoPart, GizmoShape};
use ossature::edit::tool::{Button, Context};
use ossature::edit::view::{Tab, View, ViewSettings};
use ossature::math::bounds::Bounds;
use ossature::math::camera::{ViewCamera, Viewport};
use ossature::rig::weights::paint::Brush;
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluated, Evaluator, Settings};

/// What a frame consists of.
pub const STAGES: [&str; 7] = ["tool", "session", "IK", "pose", "skin", "overlay", "upload"];

/// Points of the viewport: those of a window of 1280 x 800.
pub const SIZE: Vec2 = Vec2::new(940.0, 700.0);

/// A session in the Animate tab with a handle selected.
pub struct Window {
    session: Session,
    settings: ViewSettings,
    tool: ToolController,
    viewport: Viewport,
    evaluator: Evaluator,
    pub shown: Evaluated,
    shows: Settings,
    card: Vec<u8>,
    asked: Output,
    shapes: Vec<(GizmoShape, Option<GizmoPart>)>,
    /// Where the handle was pressed.
    grip: Vec2,
}

impl Window {
    /// `None` without bones.
    pub fn open(mut scene: Scene, mesh: &str) -> Option<Self> {
        let handle = character::handle(&mut scene, mesh)?;
        let mut session = Session::new(scene, None);
        let selection = Selection::of_mesh(session.scene(), mesh).with_part(Some(Part::Handle(handle)));
        session.select(selection);
        let settings = ViewSettings {
            tab: Tab::Animate,
            ..ViewSettings::default()
        };
        let mut window = Self {
            session,
            settings,
            tool: ToolController::default(),
            viewport: Viewport {
                camera: ViewCamera::default(),
                size: SIZE,
            },
            evaluator: Evaluator::default(),
            shown: Evaluated::default(),
            shows: Settings::default(),
            card: Vec::new(),
            asked: Output::default(),
            shapes: Vec::new(),
            grip: Vec2::ZERO,
        };
        let mut clock = Clock::default();
        window.show(&mut clock);
        let view = window.view();
        let stage = ActiveRig::from_view(&view)?;
        let at = stage.handle_target(handle)?;
        let bones = (0..stage.skeleton.bones.len()).map(|bone| stage.bounds_of(Part::Bone(bone)));
        let bounds = bones.fold(Bounds::EMPTY, Bounds::union);
        window.viewport.camera.frame(&bounds, SIZE);
        window.grip = window.viewport.project(at)?.pixel;
        Some(window)
    }

    /// From now on what is done to one side is done to the other.
    pub fn mirror(&mut self) {
        self.session.set_symmetric(true);
    }

    /// Takes a brush in hand, a tenth of the character large, for the first bone.
    pub fn take_brush(&mut self, brush: Brush) {
        let selection = self.session.selection().with_part(Some(Part::Bone(0)));
        self.session.select(selection);
        self.settings.brush = Brush { radius: 0.1, ..brush };
        let view = View {
            session: &self.session,
            evaluated: &self.shown,
            settings: &self.settings,
        };
        self.tool.choose(Action::PAINT_WEIGHTS, &view);
    }

    /// One stroke after the other down the middle of the view, 60 frames each.
    pub fn paint(&mut self, step: usize) -> Vec<Lap> {
        let part = (step % 60) as f32 / 59.0;
        let side = 30.0 * (step as f32 * 0.2).sin();
        let at = SIZE * Vec2::new(0.5, 0.25 + 0.5 * part) + Vec2::X * side;
        let button = Button::Primary;
        if step.is_multiple_of(60) {
            self.frame(Event::Released { button, at }, at, 0);
            let alt = false;
            return self.frame(Event::Pressed { button, at, alt }, at, 0);
        }
        self.frame(Event::Moved(at.into()), at, 0)
    }

    /// Takes hold of the handle.
    pub fn press(&mut self) {
        let press = Event::Pressed {
            button: Button::Primary,
            at: self.grip,
            alt: false,
        };
        self.frame(press, self.grip, 0);
    }

    /// Moves the pointer to `step` of a circle, of which 60 go round.
    pub fn drag(&mut self, step: usize) -> Vec<Lap> {
        let angle = step as f32 / 60.0 * std::f32::consts::TAU;
        let at = self.grip + Vec2::new(angle.sin(), 1.0 - angle.cos()) * 60.0;
        self.frame(Event::Moved(at.into()), at, 0)
    }

    /// Shows the next frame of the animation.
    pub fn play(&mut self, step: usize) -> Vec<Lap> {
        let mut clock = Clock::default();
        clock.lap();
        let [first, last] = self.session.scene().animation.clip.played();
        let length = (last - first + 1) as usize;
        self.session.set_frame(first as f32 + (step % length) as f32);
        clock.lap();
        self.show(&mut clock);
        clock.laps
    }

    pub fn is_dragging(&self) -> bool {
        self.session.in_transaction()
    }

    fn view(&self) -> View<'_> {
        View {
            session: &self.session,
            evaluated: &self.shown,
            settings: &self.settings,
        }
    }

    /// As `editor::viewport::tools` and `editor::app::apply` do.
    fn frame(&mut self, event: Event, at: Vec2, ticks: u32) -> Vec<Lap> {
        let input = Input {
            events: vec![event],
            at: Some(at),
            ticks,
            ..Input::default()
        };
        let mut clock = Clock::default();
        let view = View {
            session: &self.session,
            evaluated: &self.shown,
            settings: &self.settings,
        };
        let context = Context {
            view: &view,
            viewport: &self.viewport,
        };
        self.tool.frame_into(&context, &input, None, &mut self.asked);
        clock.lap();
        for request in self.asked.requests.drain(..) {
            let done = request.carry_out(&mut self.session, &mut self.settings, &self.shown);
            assert!(matches!(done, Ok(true)), "{request:?}: {done:?}");
        }
        clock.lap();
        self.show(&mut clock);
        clock.laps
    }

    /// As `editor::state::shown` does, and what is drawn and uploaded then.
    fn show(&mut self, clock: &mut Clock) {
        // The session has driven the channels.
        let mut evaluation = self.evaluator.animate(self.session.animated(), &self.shows);
        evaluation.solve_ik();
        clock.lap();
        evaluation.pose();
        clock.lap();
        let evaluated = self.evaluator.skin(evaluation);
        clock.lap();
        let before = std::mem::replace(&mut self.shown, evaluated);
        let view = View {
            session: &self.session,
            evaluated: &self.shown,
            settings: &self.settings,
        };
        let context = Context {
            view: &view,
            viewport: &self.viewport,
        };
        self.tool.shapes_into(&context, &mut self.shapes);
        std::hint::black_box(&self.shapes);
        if let Some(stage) = context.stage() {
            for bone in 0..stage.skeleton.bones.len() {
                std::hint::black_box((stage.bone_start(bone), stage.bone_tip(bone)));
            }
        }
        clock.lap();
        self.upload(&before);
        clock.lap();
    }

    /// What is left to the processor of bringing new vertices to the graphics card: they are copied, as they are, to
    /// where the driver takes them from.
    fn upload(&mut self, before: &Evaluated) {
        self.card.clear();
        for (name, posed) in &self.shown.skinned {
            let same = |old: &std::sync::Arc<_>| std::sync::Arc::ptr_eq(old, posed);
            if !before.skinned.get(name).is_some_and(same) {
                let bytes = bytemuck::cast_slice(&posed.render_vertices);
                self.card.extend_from_slice(bytes);
            }
        }
        std::hint::black_box(&self.card);
    }
}
