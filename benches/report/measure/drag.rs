//! Drags a handle or paints weights with the pointer as the window does, from the event to the bytes for the
//! GPU: the driver of the tools, the session, evaluation and the overlay. Without panels and Bevy; for these
//! see [`super::window`].

use super::character;
use super::count::{Clock, Lap};
use glam::Vec2;
use ossature::edit::action::Action;
use ossature::edit::select::active_rig::ActiveRig;
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::session::Session;
use ossature::edit::settings::view::{Tab, View, ViewSettings};
use ossature::edit::time::motion_paths::MotionPaths;
use ossature::edit::tool::driver::{Event, Input, Output, ToolController};
use ossature::edit::tool::{Button, Context};
use ossature::math::bounds::Bounds;
use ossature::math::camera::{ViewCamera, Viewport};
use ossature::rig::weights::paint::Brush;
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluated, Evaluator, Settings};

/// The stages of a frame.
pub const STAGES: [&str; 7] = ["tool", "session", "IK", "pose", "skin", "overlay", "upload"];

/// The size of the viewport in points, as in a window of 1280 x 800.
pub const SIZE: Vec2 = Vec2::new(940.0, 700.0);

/// A session in the Animate tab with a handle selected.
pub struct Window {
    session: Session,
    settings: ViewSettings,
    tool: ToolController,
    viewport: Viewport,
    evaluator: Evaluator,
    pub shown: Evaluated,
    evaluation: Settings,
    gpu_buffer: Vec<u8>,
    output: Output,
    /// The pixel where the handle is pressed.
    grip: Vec2,
}

impl Window {
    /// Opens a scene. `None` without bones.
    pub fn open(mut scene: Scene, mesh: &str) -> Option<Self> {
        let handle = character::handle(&mut scene, mesh)?;
        let mut session = Session::new(scene, None);
        let selection = Selection::from_mesh(session.scene(), mesh).with_part(Some(Part::Handle(handle)));
        session.select(selection);
        let settings = ViewSettings { tab: Tab::Animate, ..ViewSettings::default() };
        let mut window = Self {
            session,
            settings,
            tool: ToolController::default(),
            viewport: Viewport { camera: ViewCamera::default(), size: SIZE, covered_top: 0.0 },
            evaluator: Evaluator::default(),
            shown: Evaluated::default(),
            evaluation: Settings::default(),
            gpu_buffer: Vec::new(),
            output: Output::default(),
            grip: Vec2::ZERO,
        };
        let mut clock = Clock::default();
        window.show(&mut clock);
        let view = window.view();
        let rig = ActiveRig::from_view(&view)?;
        let target = rig.handle_target(handle)?;
        let bones = (0..rig.skeleton.bones.len()).map(|bone| rig.bounds_of(Part::Bone(bone)));
        let bounds = bones.fold(Bounds::EMPTY, Bounds::union);
        window.viewport.camera.frame(&bounds, SIZE);
        window.grip = window.viewport.project(target)?.pixel;
        Some(window)
    }

    /// Turns symmetry on.
    pub fn mirror(&mut self) {
        self.session.set_symmetric(true);
    }

    /// Activates a brush with a radius of a tenth of the character, for the first bone.
    pub fn select_brush(&mut self, brush: Brush) {
        let selection = self.session.selection().with_part(Some(Part::Bone(0)));
        self.session.select(selection);
        self.settings.tools.brush = Brush { radius: 0.1, ..brush };
        let view = View { session: &self.session, evaluated: &self.shown, settings: &self.settings };
        self.tool.choose(Action::PAINT_WEIGHTS, &view);
    }

    /// Paints the next frame of strokes down the middle of the view, 60 frames each.
    pub fn paint(&mut self, step: usize) -> Vec<Lap> {
        let part = (step % 60) as f32 / 59.0;
        let side = 30.0 * (step as f32 * 0.2).sin();
        let pixel = SIZE * Vec2::new(0.5, 0.25 + 0.5 * part) + Vec2::X * side;
        let button = Button::Primary;
        if step.is_multiple_of(60) {
            self.frame(Event::Released { button, pixel }, pixel, 0);
            let alt = false;
            return self.frame(Event::Pressed { button, pixel, alt }, pixel, 0);
        }
        self.frame(Event::Moved(pixel.into()), pixel, 0)
    }

    /// Presses the button on the handle.
    pub fn press(&mut self) {
        let press = Event::Pressed { button: Button::Primary, pixel: self.grip, alt: false };
        self.frame(press, self.grip, 0);
    }

    /// Moves the pointer to a step of a circle of 60 steps.
    pub fn drag(&mut self, step: usize) -> Vec<Lap> {
        let angle = step as f32 / 60.0 * std::f32::consts::TAU;
        let pixel = self.grip + Vec2::new(angle.sin(), 1.0 - angle.cos()) * 60.0;
        self.frame(Event::Moved(pixel.into()), pixel, 0)
    }

    /// Shows the next frame of the animation.
    pub fn play(&mut self, step: usize) -> Vec<Lap> {
        let mut clock = Clock::default();
        clock.lap();
        let [first, last] = self.session.scene().animation.clip.play_range();
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
        View { session: &self.session, evaluated: &self.shown, settings: &self.settings }
    }

    /// Handles an event as `editor::viewport::tools` and `editor::app::apply` do.
    fn frame(&mut self, event: Event, pixel: Vec2, ticks: u32) -> Vec<Lap> {
        let input = Input { events: vec![event], pointer: Some(pixel), ticks, ..Input::default() };
        let mut clock = Clock::default();
        let view = View { session: &self.session, evaluated: &self.shown, settings: &self.settings };
        let paths = MotionPaths::default();
        let context = Context { view: &view, viewport: &self.viewport, paths: &paths };
        self.tool.frame_into(&context, &input, None, &mut self.output);
        clock.lap();
        for request in self.output.requests.drain(..) {
            let done = request.carry_out(&mut self.session, &mut self.settings, &self.shown);
            assert!(matches!(done, Ok(true)), "{request:?}: {done:?}");
        }
        clock.lap();
        self.show(&mut clock);
        clock.laps
    }

    /// Evaluates as `editor::state::shown` does, then calculates the overlay and the upload.
    fn show(&mut self, clock: &mut Clock) {
        // The session has already applied the animation.
        let mut evaluation = self.evaluator.animate(self.session.animated(), &self.evaluation);
        evaluation.solve_ik();
        clock.lap();
        evaluation.pose();
        clock.lap();
        let evaluated = self.evaluator.skin(evaluation);
        clock.lap();
        let before = std::mem::replace(&mut self.shown, evaluated);
        let view = View { session: &self.session, evaluated: &self.shown, settings: &self.settings };
        let paths = MotionPaths::default();
        let context = Context { view: &view, viewport: &self.viewport, paths: &paths };
        std::hint::black_box(self.tool.shapes(&context));
        if let Some(rig) = context.rig() {
            for bone in 0..rig.skeleton.bones.len() {
                std::hint::black_box((rig.bone_start(bone), rig.bone_tip(bone)));
            }
        }
        clock.lap();
        self.upload(&before);
        clock.lap();
    }

    /// Does the CPU's part of an upload: copies new vertices unchanged to a buffer for the driver.
    fn upload(&mut self, before: &Evaluated) {
        self.gpu_buffer.clear();
        for (name, posed) in &self.shown.skinned {
            let is_same = |old: &std::sync::Arc<_>| std::sync::Arc::ptr_eq(old, posed);
            if !before.skinned.get(name).is_some_and(is_same) {
                let bytes = bytemuck::cast_slice(&posed.render_vertices);
                self.gpu_buffer.extend_from_slice(bytes);
            }
        }
        std::hint::black_box(&self.gpu_buffer);
    }
}
