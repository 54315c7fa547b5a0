//! The whole application without a window: the same systems, drawing into an image, driven by
//! synthetic pointer and key events. Used by the `screenshot` command and by tests.
//!
//! It has its own clock: a frame takes [`FRAME_S`], however long it takes to draw, so that whatever depends
//! on time (a double-click, a tooltip, playback) is the same on every machine.

use crate::editor::app::Target;
use crate::editor::app::build;
use crate::editor::app::editor::Editor;
use crate::editor::app::event_modifiers;
use crate::editor::app::in_place::put_in_place;
use crate::editor::app::start::{Start, open_session};
use crate::editor::picture::Picture;
use crate::editor::viewport::cameras::DrawTarget;
use crate::editor::viewport::picking;
use crate::scene::Scene;
use bevy::app::SubApps;
use bevy::ecs::system::SystemState;
use bevy::picking::PickingSystems;
use bevy::prelude::*;
use bevy::render::render_resource::PollType;
use bevy::render::renderer::RenderDevice;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::time::TimeUpdateStrategy;
use bevy_egui::{EguiContext, EguiInput, EguiOutput, EguiPreUpdateSet, PrimaryEguiContext, egui};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The duration of a frame by the clock of an offscreen run, in seconds.
pub const FRAME_S: f64 = 0.1;

/// A running application that draws into an image.
pub struct Offscreen {
    apps: SubApps,
    /// The position of the pointer in points (not pixels).
    pointer: egui::Pos2,
    /// Whether every frame is drawn.
    draws_all: bool,
}

/// The synthetic input of the next frame.
#[derive(Resource, Default)]
struct Synthetic {
    events: Vec<egui::Event>,
    /// The modifiers that are down until they are changed.
    modifiers: egui::Modifiers,
    frame: u64,
    /// Whether the window has lost the focus.
    unfocused: bool,
}

/// Replaces the input by the synthetic events, after bevy_egui has set it (to no keys down and no window with
/// the focus).
fn deliver(
    mut synthetic: ResMut<Synthetic>,
    mut contexts: Query<(&mut EguiContext, &mut EguiInput), With<PrimaryEguiContext>>,
) {
    let Ok((mut context, mut input)) = contexts.single_mut() else {
        return;
    };
    if synthetic.frame == 0 {
        // As with a screen reader: widgets are found by their names.
        context.get_mut().enable_accesskit();
    }
    synthetic.frame += 1;
    input.events.clear();
    input.events.push(egui::Event::ModifiersChanged(synthetic.modifiers));
    input.events.append(&mut synthetic.events);
    input.focused = !synthetic.unfocused;
    input.time = Some(synthetic.frame as f64 * FRAME_S);
}

/// A widget as a screen reader sees it.
#[derive(Clone, Debug)]
pub struct Widget {
    pub label: String,
    pub role: String,
    /// The bounds in points.
    pub rect: egui::Rect,
}

impl Offscreen {
    /// Starts the application at `width` x `height` pixels and `scale` pixels per point.
    pub fn new(width: u32, height: u32, scale: f32, start: Start) -> Self {
        let mut app = build(Target::Image { width, height, scale }, start);
        app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(FRAME_S)));
        app.init_resource::<Synthetic>().add_systems(
            PreUpdate,
            deliver
                .after(EguiPreUpdateSet::ProcessInput)
                .before(event_modifiers::correct)
                .before(picking::follow_pointer)
                .before(PickingSystems::ProcessInput),
        );
        app.finish();
        app.cleanup();
        let mut this =
            Self { apps: std::mem::take(app.sub_apps_mut()), pointer: egui::Pos2::ZERO, draws_all: false };
        // The first frame spawns the cameras; with the next ones it sizes fonts and panels.
        this.frames(1);
        this.draw_all(false);
        this.frames(3);
        this
    }

    pub fn world(&mut self) -> &mut World {
        self.apps.main.world_mut()
    }

    /// Returns the document and everything that is shown of it.
    pub fn editor(&mut self) -> Editor<'_> {
        let world = self.world();
        let editor = SystemState::<Editor>::new(world).get_mut(world);
        editor.unwrap_or_else(|missing| unreachable!("`build` puts it there: {missing}"))
    }

    /// Opens a scene in place of the document.
    pub fn open(&mut self, scene: Scene, path: Option<PathBuf>) {
        let mut editor = self.editor();
        let session = open_session(scene, path, &mut editor.settings);
        put_in_place(&mut editor, session, None);
    }

    /// Runs `count` frames; the first one receives the queued events.
    pub fn frames(&mut self, count: usize) {
        for _ in 0..count {
            self.apps.update();
            let device = self.apps.main.world().resource::<RenderDevice>();
            let _ = device.wgpu_device().poll(PollType::Wait { submission_index: None, timeout: None });
        }
    }

    /// Runs a frame without drawing: nothing is sent to the graphics card.
    pub fn frame_without_drawing(&mut self) {
        self.apps.main.update();
    }

    /// Disables accessibility, as without a screen reader: [`Self::widgets`] finds nothing any more.
    pub fn without_screen_reader(&mut self) {
        let world = self.world();
        let mut contexts = world.query_filtered::<&mut EguiContext, With<PrimaryEguiContext>>();
        if let Ok(mut context) = contexts.single_mut(world) {
            context.get_mut().disable_accesskit();
        }
    }

    /// Sets whether every frame is drawn or, as initially, only those of pictures: drawing is slow on a
    /// software driver. Everything else works as usual.
    pub fn draw_all(&mut self, all: bool) {
        self.draws_all = all;
        self.activate_cameras(all);
    }

    fn activate_cameras(&mut self, active: bool) {
        let world = self.world();
        for mut camera in world.query::<&mut Camera>().iter_mut(world) {
            camera.is_active = active;
        }
    }

    fn synthetic(&mut self) -> &mut Synthetic {
        self.world().resource_mut::<Synthetic>().into_inner()
    }

    /// Queues an event for the next frame.
    pub fn queue(&mut self, event: egui::Event) {
        if let egui::Event::PointerMoved(position) = event {
            self.pointer = position;
        }
        self.synthetic().events.push(event);
    }

    /// Runs one frame with an event.
    pub fn event(&mut self, event: egui::Event) {
        self.queue(event);
        self.frames(1);
    }

    /// Moves the pointer to a position in points, and runs a frame that finds what is under it.
    pub fn point_at(&mut self, x: f32, y: f32) {
        self.event(egui::Event::PointerMoved(egui::pos2(x, y)));
        self.frames(1);
    }

    /// Presses or releases a button at the pointer.
    pub fn button(&mut self, button: egui::PointerButton, pressed: bool) {
        let (pos, modifiers) = (self.pointer, self.synthetic().modifiers);
        self.event(egui::Event::PointerButton { pos, button, pressed, modifiers });
    }

    pub fn click(&mut self, x: f32, y: f32) {
        self.point_at(x, y);
        self.button(egui::PointerButton::Primary, true);
        self.button(egui::PointerButton::Primary, false);
        self.frames(2);
    }

    /// Turns the wheel by notches at the pointer; positive is away from the user.
    pub fn wheel(&mut self, notches: f32) {
        let modifiers = self.synthetic().modifiers;
        self.event(egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Line,
            delta: egui::vec2(0.0, notches),
            phase: egui::TouchPhase::Move,
            modifiers,
        });
        self.frames(1);
    }

    /// Presses the primary button at `from`, moves to `to` in `steps` steps, and releases it.
    pub fn drag(&mut self, from: (f32, f32), to: (f32, f32), steps: usize) {
        self.drag_with(egui::PointerButton::Primary, from, to, steps);
    }

    /// Drags like [`Self::drag`], with another button.
    pub fn drag_with(&mut self, button: egui::PointerButton, from: (f32, f32), to: (f32, f32), steps: usize) {
        self.hold(button, from, to, steps);
        self.button(button, false);
        self.frames(2);
    }

    /// Drags like [`Self::drag`], without the release.
    pub fn drag_hold(&mut self, from: (f32, f32), to: (f32, f32), steps: usize) {
        self.hold(egui::PointerButton::Primary, from, to, steps);
    }

    fn hold(&mut self, button: egui::PointerButton, from: (f32, f32), to: (f32, f32), steps: usize) {
        self.point_at(from.0, from.1);
        self.button(button, true);
        for i in 1..=steps {
            let t = i as f32 / steps as f32;
            let position = egui::pos2(from.0 + (to.0 - from.0) * t, from.1 + (to.1 - from.1) * t);
            self.event(egui::Event::PointerMoved(position));
        }
    }

    /// Sets the modifiers that are down from now on.
    pub fn modifiers(&mut self, modifiers: egui::Modifiers) {
        self.synthetic().modifiers = modifiers;
    }

    /// Gives the window the focus, or takes it away.
    pub fn focus(&mut self, focused: bool) {
        self.synthetic().unfocused = !focused;
        self.frames(2);
    }

    /// Presses and releases a key, with `modifiers` in addition to those that are down.
    pub fn key(&mut self, key: egui::Key, modifiers: egui::Modifiers) {
        let down = self.synthetic().modifiers;
        let modifiers = down | modifiers;
        self.modifiers(modifiers);
        for pressed in [true, false] {
            self.event(egui::Event::Key { key, physical_key: None, pressed, repeat: false, modifiers });
        }
        self.modifiers(down);
        self.frames(2);
    }

    pub fn text(&mut self, text: &str) {
        self.event(egui::Event::Text(text.to_owned()));
        self.frames(1);
    }

    /// Returns all labelled widgets of the last frame.
    pub fn widgets(&mut self) -> Vec<Widget> {
        let world = self.apps.main.world_mut();
        let mut contexts = world.query_filtered::<&EguiOutput, With<PrimaryEguiContext>>();
        let Ok(output) = contexts.single(world) else {
            return Vec::new();
        };
        let Some(update) = &output.platform_output.accesskit_update else {
            return Vec::new();
        };
        update
            .nodes
            .iter()
            .filter_map(|(_, node)| {
                let label = node.label().or(node.value()).filter(|text| !text.is_empty())?;
                let r = node.bounds()?;
                // In points: the scale of the interface is in the root node.
                let point = |x: f64, y: f64| egui::pos2(x as f32, y as f32);
                Some(Widget {
                    label: label.to_owned(),
                    role: format!("{:?}", node.role()),
                    rect: egui::Rect::from_min_max(point(r.x0, r.y0), point(r.x1, r.y1)),
                })
            })
            .collect()
    }

    /// Returns the widget called `label`, if there is one.
    pub fn widget(&mut self, label: &str) -> Option<Widget> {
        self.widgets().into_iter().find(|w| w.label == label)
    }

    /// Clicks the middle of the widget called `label`. Returns false if there is none.
    pub fn click_label(&mut self, label: &str) -> bool {
        let Some(widget) = self.widget(label) else {
            return false;
        };
        let middle = widget.rect.center();
        self.click(middle.x, middle.y);
        true
    }

    /// Captures what is drawn now.
    pub fn picture(&mut self) -> Option<Picture> {
        self.activate_cameras(true);
        if !self.draws_all {
            // Drawing runs a frame behind.
            self.frames(2);
        }
        self.capture()
    }

    fn capture(&mut self) -> Option<Picture> {
        let target = self.world().resource::<DrawTarget>().0.clone()?;
        let slot: Arc<Mutex<Option<Picture>>> = Arc::default();
        let into = slot.clone();
        self.world().spawn(Screenshot(target)).observe(move |captured: On<ScreenshotCaptured>| {
            let image = &captured.image;
            let picture = Picture {
                width: image.width(),
                height: image.height(),
                rgba: image.data.clone().unwrap_or_default(),
            };
            if let Ok(mut slot) = into.lock() {
                *slot = Some(picture);
            }
        });
        for _ in 0..20 {
            self.frames(1);
            // Later frames only fetch the picture.
            self.activate_cameras(self.draws_all);
            if let Some(picture) = slot.lock().ok().and_then(|mut slot| slot.take()) {
                return Some(picture);
            }
        }
        None
    }
}
