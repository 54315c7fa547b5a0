//! A desk to try the panels at: the panels, a session, and a small application that carries out what
//! they ask for, all without a window.

pub mod random;
pub mod scene;

pub use random::Monkey;
pub use scene::*;

use egui::accesskit::Toggled;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glam::Vec3;
use ossature::edit::action::{Action, AppRequest};
use ossature::edit::command::Command;
use ossature::edit::request::Request;
use ossature::edit::selection::{Part, Selection};
use ossature::edit::session::Session;
use ossature::edit::view::{Tab, View, ViewSettings};
use ossature::editor::panels::file_dialog::{FileDialogState, FileEntry, FileMode};
use ossature::editor::panels::{PanelsState, frame_ui};
use ossature::editor::ui::theme;
use ossature::rig::joints::OutsideJoints;
use ossature::scene::Scene;
use ossature::scene::evaluate::Evaluated;
use std::collections::BTreeMap;

pub const HINT: &str = "Click to select";

pub struct App {
    pub session: Session,
    pub evaluated: Evaluated,
    pub settings: ViewSettings,
    pub panels: PanelsState,
    /// What the panels asked for and the test has not looked at yet.
    log: Vec<Request>,
    copied: Option<String>,
    pub viewport_dragged: bool,
    pub viewport_clicks: usize,
    joints: OutsideJoints,
    /// Whether the last Esc was the panels' and not the application's.
    pub esc_was_ours: bool,
}

impl App {
    fn ui(&mut self, ui: &mut egui::Ui) {
        let mut out = Vec::new();
        let App {
            session,
            evaluated,
            settings,
            panels,
            joints,
            ..
        } = self;
        let mesh = session.selection().mesh.as_ref();
        let mesh = mesh.and_then(|mesh| session.animated().skinned_meshes.get(mesh));
        let outside = mesh.map(|mesh| joints.of(&mesh.skeleton, &mesh.surface));
        panels.side.outside_joints = outside.unwrap_or_default();
        let view = View {
            session,
            evaluated,
            settings,
        };
        let viewport = frame_ui(ui, &view, panels, HINT, &mut out);
        self.viewport_dragged = viewport.dragged();
        self.viewport_clicks += usize::from(viewport.clicked());
        if ui.input(|i| i.key_pressed(Key::Escape)) {
            self.esc_was_ours = self.panels.takes_keys(ui.ctx());
        }
        ui.output(|o| {
            for command in &o.commands {
                if let egui::OutputCommand::CopyText(text) = command {
                    self.copied = Some(text.clone());
                }
            }
        });
        for request in &out {
            self.carry_out(request);
        }
        self.log.extend(out);
    }

    /// As the window does, but that there are no files and no work in the background here.
    fn carry_out(&mut self, request: &Request) {
        match request {
            Request::Act(action) => self.act(*action),
            _ => drop(request.carry_out(&mut self.session, &mut self.settings, &self.evaluated)),
        }
    }

    fn with_view<R>(&self, ask: impl FnOnce(&View) -> R) -> R {
        ask(&View {
            session: &self.session,
            evaluated: &self.evaluated,
            settings: &self.settings,
        })
    }

    /// Does nothing where the action is not enabled.
    pub fn act(&mut self, action: Action) {
        let Ok(prepared) = action.prepare_in(&mut self.session, &self.settings, &self.evaluated) else {
            return;
        };
        let left = prepared.carry_out(&mut self.session, &mut self.settings);
        if let Some(AppRequest::Dialog(dialog)) = left.expect("what is prepared can be done") {
            self.panels.open(*dialog);
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub enum GiveUp {
    Escape,
    RightClick,
}

pub struct Desk {
    harness: Harness<'static, App>,
}

impl Desk {
    pub fn new(tab: Tab) -> Self {
        Self::build(vec2(1024.0, 1120.0), tab, Selection::default())
    }

    /// The mesh `Body` and `part` of it selected.
    pub fn with_part(tab: Tab, part: Option<Part>) -> Self {
        Self::sized(vec2(1024.0, 900.0), tab, part)
    }

    pub fn sized(size: Vec2, tab: Tab, part: Option<Part>) -> Self {
        Self::build(size, tab, Selection::of_mesh(&scene(), "Body").with_part(part))
    }

    fn build(size: Vec2, tab: Tab, selection: Selection) -> Self {
        let mut session = Session::new(scene(), None);
        session.select(selection);
        let app = App {
            session,
            evaluated: Evaluated::default(),
            settings: ViewSettings {
                tab,
                ..ViewSettings::default()
            },
            panels: PanelsState::default(),
            log: Vec::new(),
            copied: None,
            viewport_dragged: false,
            viewport_clicks: 0,
            joints: OutsideJoints::default(),
            esc_was_ours: false,
        };
        let mut themed = false;
        let harness = Harness::builder()
            .with_size(size)
            .with_step_dt(0.1)
            .with_max_steps(8)
            .build_ui_state(
                move |ui, app: &mut App| {
                    if !themed {
                        theme::apply(ui.ctx());
                        themed = true;
                    }
                    app.ui(ui);
                },
                app,
            );
        let mut desk = Desk { harness };
        desk.frame();
        desk
    }

    pub fn asking_to_save() -> Self {
        let mut desk = Self::new(Tab::Rig);
        desk.state_mut().panels.dialogs.save_changes = true;
        desk.frame();
        desk.frame();
        desk
    }

    pub fn with_files(mode: FileMode) -> Self {
        let mut desk = Self::new(Tab::Rig);
        let mut dialog = FileDialogState::new(mode, "/scenes".into(), "");
        let wanted = dialog.take_wanted().unwrap();
        let entries = [
            ("a.js3d", false),
            ("b.obj", false),
            ("notes.txt", false),
            ("more", true),
        ];
        let entries = entries.map(|(name, folder)| FileEntry {
            name: name.into(),
            folder,
        });
        dialog.listed(wanted, Ok(entries.into()));
        desk.state_mut().panels.file_dialog = Some(dialog);
        desk.frame();
        desk.frame();
        desk
    }

    // --- state

    pub fn state(&self) -> &App {
        self.harness.state()
    }

    pub fn state_mut(&mut self) -> &mut App {
        self.harness.state_mut()
    }

    pub fn session(&mut self) -> &mut Session {
        &mut self.harness.state_mut().session
    }

    pub fn with_view<R>(&self, ask: impl FnOnce(&View) -> R) -> R {
        self.harness.state().with_view(ask)
    }

    /// What the action would do to the document; nothing where it is not enabled.
    pub fn prepared(&self, action: Action) -> Vec<Command> {
        let prepared = self.with_view(|view| action.prepare(view));
        prepared.map_or(Vec::new(), |prepared| prepared.edits().to_vec())
    }

    /// A document like the present one, changed by `edit`; the selection stays where it can.
    pub fn edit_scene(&mut self, edit: impl FnOnce(&mut Scene)) {
        let app = self.harness.state_mut();
        let mut scene = app.session.scene().clone();
        edit(&mut scene);
        let selection = app.session.selection().kept_in(&scene);
        app.session = Session::new(scene, None);
        app.session.select(selection);
        self.frame();
    }

    /// Evaluates by hand: IK turns the arm to `pose_deg`, while all bones are drawn in the bind pose.
    pub fn pull(&mut self, pose_deg: Vec3) {
        let app = self.harness.state_mut();
        app.evaluated.skinned = [("Body".to_owned(), posed(app.session.scene(), pose_deg))].into();
        self.frame();
    }

    pub fn takes_keys(&self) -> bool {
        self.state().panels.takes_keys(&self.harness.ctx)
    }

    pub fn copied(&mut self) -> Option<String> {
        self.state_mut().copied.take()
    }

    // --- what is there

    pub fn count(&self, label: &str) -> usize {
        self.harness.query_all_by_label(label).count()
    }

    pub fn has(&self, label: &str) -> bool {
        self.count(label) > 0
    }

    pub fn has_containing(&self, text: &str) -> bool {
        self.harness.query_all_by_label_contains(text).count() > 0
    }

    pub fn is_disabled(&self, label: &str) -> bool {
        self.harness.get_by_label(label).accesskit_node().is_disabled()
    }

    pub fn description(&self, label: &str) -> Option<String> {
        self.harness.get_by_label(label).accesskit_node().description()
    }

    /// What a field or switch is said to hold.
    pub fn value(&self, label: &str) -> Option<String> {
        self.harness.get_by_label(label).accesskit_node().value()
    }

    /// Whether something that is on or off is on; `None` for neither.
    pub fn toggled(&self, label: &str) -> Option<bool> {
        match self.harness.get_by_label(label).accesskit_node().toggled()? {
            Toggled::True => Some(true),
            Toggled::False => Some(false),
            Toggled::Mixed => None,
        }
    }

    pub fn rect(&self, label: &str) -> Rect {
        self.harness.get_by_label(label).rect()
    }

    pub fn center(&self, label: &str) -> Pos2 {
        self.rect(label).center()
    }

    /// Where a slider's knob is at `value`.
    pub fn knob(&self, label: &str, value: f64) -> Pos2 {
        let node = self.harness.get_by_label(label);
        let (low, high) = {
            let data = node.accesskit_node();
            (
                data.min_numeric_value().unwrap(),
                data.max_numeric_value().unwrap(),
            )
        };
        let rect = node.rect();
        let rail = rect.shrink2(vec2(7.0, 0.0));
        Pos2::new(
            rail.left() + ((value - low) / (high - low)) as f32 * rail.width(),
            rect.center().y,
        )
    }

    /// What is painted behind a control, as large as it is.
    pub fn fill(&self, label: &str) -> Option<egui::Color32> {
        let rect = self.rect(label);
        let is_behind = |shape: &egui::epaint::RectShape| {
            let off = (shape.rect.min - rect.min).abs() + (shape.rect.max - rect.max).abs();
            off.max_elem() < 2.0 && shape.fill != egui::Color32::TRANSPARENT
        };
        let mut shapes = self
            .harness
            .output()
            .shapes
            .iter()
            .filter_map(|clipped| match &clipped.shape {
                egui::Shape::Rect(shape) if is_behind(shape) => Some(shape.fill),
                _ => None,
            });
        shapes.next_back()
    }

    /// Every labelled control with its rectangle.
    pub fn controls(&self) -> Vec<(String, Rect)> {
        let nodes = self.harness.root().children_recursive();
        let labelled = nodes.filter_map(|node| Some((node.accesskit_node().label()?, node.rect())));
        labelled.filter(|(label, _)| !label.is_empty()).collect()
    }

    pub fn doubled_labels(&self) -> Vec<String> {
        let mut times = BTreeMap::<String, usize>::new();
        for (label, _) in self.controls() {
            *times.entry(label).or_default() += 1;
        }
        times
            .into_iter()
            .filter(|(_, times)| *times > 1)
            .map(|(label, _)| label)
            .collect()
    }

    /// Controls that are cut off at the left or right, of the window or of the panel at its side.
    pub fn outside(&self) -> Vec<String> {
        let viewport = self.rect("Viewport");
        let window = self.harness.ctx.content_rect();
        let cut = |rect: &Rect| {
            let beside = rect.top() >= viewport.top() && rect.bottom() <= viewport.bottom();
            let (start, end) = match beside {
                true if rect.center().x < viewport.left() => (window.left(), viewport.left()),
                true if rect.center().x > viewport.right() => (viewport.right(), window.right()),
                _ => (window.left(), window.right()),
            };
            rect.left() < start - 0.5 || rect.right() > end + 0.5
        };
        self.controls()
            .into_iter()
            .filter(|(label, rect)| !label.ends_with("divider") && cut(rect))
            .map(|(label, _)| label)
            .collect()
    }

    // --- what a person does; each returns what the panels asked for meanwhile

    fn run(&mut self) -> Vec<Request> {
        self.harness.step();
        self.harness.step();
        self.harness.step();
        std::mem::take(&mut self.harness.state_mut().log)
    }

    pub fn frame(&mut self) -> Vec<Request> {
        self.run()
    }

    /// Scrolls it into sight and returns its middle.
    fn reach(&mut self, label: &str) -> Pos2 {
        self.harness.get_by_label(label).scroll_to_me();
        self.harness.step();
        self.harness.step();
        // A long way takes some frames.
        let mut at = self.center(label);
        for _ in 0..10 {
            self.harness.step();
            let before = std::mem::replace(&mut at, self.center(label));
            if before == at {
                break;
            }
        }
        at
    }

    pub fn click(&mut self, label: &str) -> Vec<Request> {
        let at = self.reach(label);
        self.click_at(at)
    }

    pub fn click_at(&mut self, at: Pos2) -> Vec<Request> {
        self.hover(at);
        self.press(at);
        self.release_button(at, PointerButton::Primary);
        self.run()
    }

    /// Press and release come in one frame, as in a window that is slow.
    pub fn quick_click_at(&mut self, pos: Pos2) -> Vec<Request> {
        self.harness.event(Event::PointerMoved(pos));
        for pressed in [true, false] {
            self.harness.event(Event::PointerButton {
                pos,
                button: PointerButton::Primary,
                pressed,
                modifiers: Modifiers::NONE,
            });
        }
        self.run()
    }

    pub fn right_click(&mut self, label: &str) -> Vec<Request> {
        let at = self.reach(label);
        self.hover(at);
        self.press_button(at, PointerButton::Secondary);
        self.release_button(at, PointerButton::Secondary);
        self.run()
    }

    pub fn double_click(&mut self, label: &str) -> Vec<Request> {
        let at = self.reach(label);
        self.double_click_at(at)
    }

    pub fn double_click_at(&mut self, at: Pos2) -> Vec<Request> {
        self.hover(at);
        for _ in 0..2 {
            self.press(at);
            self.release_button(at, PointerButton::Primary);
        }
        self.run()
    }

    pub fn hover(&mut self, at: Pos2) {
        self.harness.event(Event::PointerMoved(at));
        self.harness.step();
    }

    pub fn press(&mut self, at: Pos2) {
        self.press_button(at, PointerButton::Primary);
    }

    pub fn press_button(&mut self, at: Pos2, button: PointerButton) {
        self.button(at, button, true);
    }

    pub fn release_button(&mut self, at: Pos2, button: PointerButton) {
        self.button(at, button, false);
    }

    fn button(&mut self, pos: Pos2, button: PointerButton, pressed: bool) {
        self.harness.event(Event::PointerButton {
            pos,
            button,
            pressed,
            modifiers: Modifiers::NONE,
        });
        self.harness.step();
    }

    pub fn release_and_run(&mut self, at: Pos2) -> Vec<Request> {
        self.release_button(at, PointerButton::Primary);
        self.run()
    }

    /// Where a hand takes it: a row by its icon or its name.
    fn hold_of(&mut self, label: &str) -> Pos2 {
        let at = self.reach(label);
        let rows = ["Bone ", "Handle ", "Instance ", "Transform "];
        match rows.iter().any(|row| label.starts_with(row)) {
            true => self.rect(label).left_center() + vec2(46.0, 0.0),
            false => at,
        }
    }

    fn drag_part(&mut self, label: &str, by: Vec2) -> Pos2 {
        let at = self.hold_of(label);
        // Sliders are dragged by their knob.
        let node = self.harness.get_by_label(label);
        let value = node.accesskit_node().numeric_value();
        let at = match value.filter(|_| label.ends_with("slider")) {
            Some(value) => self.knob(label, value),
            None => at,
        };
        self.hover(at);
        self.press(at);
        for step in 1..=5 {
            self.hover(at + by * (step as f32 / 5.0));
        }
        at + by
    }

    pub fn drag(&mut self, label: &str, by: Vec2) -> Vec<Request> {
        let end = self.drag_part(label, by);
        self.release_button(end, PointerButton::Primary);
        self.run()
    }

    /// Drags one row or control onto another.
    pub fn drag_onto(&mut self, from: &str, to: &str) -> Vec<Request> {
        let at = self.hold_of(from);
        let by = self.center(to) - at;
        let end = self.drag_part(from, by);
        self.release_button(end, PointerButton::Primary);
        let requests = self.run();
        // The press alone may have selected.
        requests
            .into_iter()
            .filter(|request| !matches!(request, Request::Select(_)))
            .collect()
    }

    /// Keys that are held from now on.
    pub fn hold(&mut self, modifiers: Modifiers) {
        self.harness.event(Event::ModifiersChanged(modifiers));
        self.harness.step();
    }

    pub fn click_with(&mut self, modifiers: Modifiers, label: &str) -> Vec<Request> {
        self.hold(modifiers);
        let requests = self.click(label);
        self.hold(Modifiers::NONE);
        requests
    }

    /// Selects these parts of the mesh that is worked on, the first as the active one.
    pub fn select(&mut self, parts: &[Part]) {
        let selection = self.session().selection().with_parts(parts.iter().copied());
        self.session().select(selection);
        self.frame();
    }

    /// Drags from the middle of one control to that of another, without the release.
    pub fn carry(&mut self, from: &str, to: &str) -> Pos2 {
        let from = self.hold_of(from);
        let to = self.center(to);
        self.hover(from);
        self.press(from);
        for step in 1..=4 {
            self.hover(from + (to - from) * (step as f32 / 4.0));
        }
        to
    }

    pub fn shift_drag(&mut self, label: &str, by: Vec2) -> Vec<Request> {
        self.harness.event(Event::ModifiersChanged(Modifiers::SHIFT));
        let requests = self.drag(label, by);
        self.harness.event(Event::ModifiersChanged(Modifiers::NONE));
        self.harness.step();
        requests
    }

    /// Drags, gives up, moves on, and only then releases.
    pub fn drag_and_give_up(&mut self, label: &str, by: Vec2, how: GiveUp) -> Vec<Request> {
        let end = self.drag_part(label, by);
        match how {
            GiveUp::Escape => {
                self.harness.key_press(Key::Escape);
                self.harness.step();
            }
            GiveUp::RightClick => {
                self.press_button(end, PointerButton::Secondary);
                self.release_button(end, PointerButton::Secondary);
                self.harness.step();
                assert!(!self.has("Copy"), "the click that gives up opens no menu");
            }
        }
        self.hover(end + vec2(9.0, 0.0));
        self.hover(end + vec2(18.0, 0.0));
        self.release_button(end + vec2(18.0, 0.0), PointerButton::Primary);
        self.run()
    }

    pub fn type_text(&mut self, text: &str) {
        self.key_with(Modifiers::COMMAND, Key::A);
        if text.is_empty() {
            self.key(Key::Backspace);
        } else {
            self.harness.event(Event::Text(text.into()));
        }
        self.harness.step();
    }

    pub fn key(&mut self, key: Key) -> Vec<Request> {
        self.harness.key_press(key);
        self.run()
    }

    pub fn key_with(&mut self, modifiers: Modifiers, key: Key) -> Vec<Request> {
        self.harness.key_press_modifiers(modifiers, key);
        self.run()
    }

    pub fn event(&mut self, event: Event) {
        self.harness.event(event);
        self.harness.step();
    }

    pub fn resize(&mut self, size: Vec2) {
        self.harness.set_size(size);
        self.harness.step();
    }

    pub fn scale(&mut self, pixels_per_point: f32) {
        self.harness.set_pixels_per_point(pixels_per_point);
        self.run();
    }

    /// Lets go of everything.
    pub fn settle(&mut self) {
        for button in [
            PointerButton::Primary,
            PointerButton::Secondary,
            PointerButton::Middle,
        ] {
            self.release_button(Pos2::new(5.0, 5.0), button);
        }
        self.event(Event::PointerGone);
        self.key(Key::Escape);
        self.run();
    }
}
