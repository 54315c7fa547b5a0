//! A brush on a character, from the event to the vertices, as in the window: the requests of the tool, then
//! the session, evaluation and the overlay.

use glam::{Vec2, Vec3};
use ossature::edit::action::Action;
use ossature::edit::request::Request;
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::session::Session;
use ossature::edit::settings::view::{Tab, View, ViewSettings};
use ossature::edit::tool::driver::{Event, Input, Output, ToolController};
use ossature::edit::tool::gizmo::{GizmoPart, GizmoShape};
use ossature::edit::tool::{Button, Context};
use ossature::math::camera::{ViewCamera, Viewport};
use ossature::rig::weights::paint::Brush;
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluated, Evaluator, Settings};
use ossature::scene::instance::GeometryInstance;

pub struct Painter {
    pub session: Session,
    settings: ViewSettings,
    tool: ToolController,
    viewport: Viewport,
    evaluator: Evaluator,
    shown: Evaluated,
    shows: Settings,
    input: Input,
    asked: Output,
    shapes: Vec<(GizmoShape, Option<GizmoPart>)>,
}

impl Painter {
    /// Places the camera in front of the first skinned mesh of a scene, and selects a bone of it.
    pub fn new(mut scene: Scene, bone: usize, brush: Brush, (target, distance): (Vec3, f32)) -> Self {
        let name = scene.skinned_meshes.keys().next().unwrap().clone();
        let placed = GeometryInstance { resource: Some(name.clone()), ..GeometryInstance::default() };
        scene.instances.skinned_meshes.insert(name.clone(), placed.into());
        let mut session = Session::new(scene, None);
        session.record();
        let selection = Selection::from_mesh(session.scene(), &name).with_part(Some(Part::Bone(bone)));
        session.select(selection);
        let mut painter = Self {
            session,
            settings: ViewSettings { tab: Tab::Animate, brush, ..ViewSettings::default() },
            tool: ToolController::default(),
            viewport: Viewport {
                camera: ViewCamera { target, distance, yaw: 0.0, pitch: 0.0, ..ViewCamera::default() },
                size: Vec2::new(800.0, 600.0),
                covered_top: 0.0,
            },
            evaluator: Evaluator::default(),
            shown: Evaluated::default(),
            shows: Settings::default(),
            input: Input::default(),
            asked: Output::default(),
            shapes: Vec::new(),
        };
        painter.show();
        let view = View { session: &painter.session, evaluated: &painter.shown, settings: &painter.settings };
        painter.tool.choose(Action::PAINT_WEIGHTS, &view);
        assert!(painter.tool.is_chosen());
        painter
    }

    fn show(&mut self) {
        let animated = self.session.animated();
        self.shown = self.evaluator.evaluate(animated, &self.shows);
        let view = View { session: &self.session, evaluated: &self.shown, settings: &self.settings };
        let context = Context { view: &view, viewport: &self.viewport };
        self.tool.shapes_into(&context, &mut self.shapes);
    }

    /// Runs one frame of the window; returns how many previews it requested.
    pub fn frame(&mut self, event: Option<Event>, at: Vec2, ticks: u32) -> usize {
        self.input.events.clear();
        self.input.events.extend(event);
        (self.input.pointer, self.input.ticks) = (Some(at), ticks);
        let view = View { session: &self.session, evaluated: &self.shown, settings: &self.settings };
        let context = Context { view: &view, viewport: &self.viewport };
        self.tool.frame_into(&context, &self.input, None, &mut self.asked);
        let mut previews = 0;
        for request in self.asked.requests.drain(..) {
            previews += usize::from(matches!(request, Request::PreviewShared(_)));
            let done = request.carry_out(&mut self.session, &mut self.settings, &self.shown);
            assert!(matches!(done, Ok(true)), "{done:?}");
        }
        self.show();
        previews
    }

    pub fn press(&mut self, at: Vec2) {
        let (button, alt) = (Button::Primary, false);
        self.frame(Some(Event::Pressed { button, pixel: at, alt }), at, 0);
    }

    pub fn release(&mut self, at: Vec2) {
        let button = Button::Primary;
        self.frame(Some(Event::Released { button, pixel: at }), at, 0);
    }
}
