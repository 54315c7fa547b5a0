//! A desk for testing the panels: the panels, a session, and a small application that carries out their
//! requests, all without a window.

mod gestures;
mod queries;
pub mod random;
pub mod scene;

pub use random::Monkey;
pub use scene::*;

use egui::{Key, Vec2, vec2};
use egui_kittest::Harness;
use glam::Vec3;
use ossature::edit::action::{Action, AppRequest};
use ossature::edit::command::Command;
use ossature::edit::request::Request;
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::session::Session;
use ossature::edit::settings::view::{Tab, View, ViewSettings};
use ossature::editor::app::jobs::export_job::difference;
use ossature::editor::panels::dialogs::file_dialog::{FileDialogState, FileEntry, FileMode};
use ossature::editor::panels::{PanelsState, frame_ui};
use ossature::editor::ui::theme;
use ossature::rig::joints::OutsideJoints;
use ossature::scene::Scene;
use ossature::scene::evaluate::Evaluated;

pub const HINT: &str = "Click to select";

pub struct App {
    pub session: Session,
    pub evaluated: Evaluated,
    pub settings: ViewSettings,
    pub panels: PanelsState,
    /// Requests of the panels that the test has not read yet.
    log: Vec<Request>,
    copied: Option<String>,
    pub viewport_dragged: bool,
    pub viewport_clicks: usize,
    joints: OutsideJoints,
    /// Whether background work never finishes.
    pub waits: bool,
    /// Whether the panels, not the application, handled the last Esc.
    pub esc_was_ours: bool,
}

impl App {
    fn ui(&mut self, ui: &mut egui::Ui) {
        let mut out = Vec::new();
        let App { session, evaluated, settings, panels, joints, .. } = self;
        if let Some(options) = panels.export.pending_options().filter(|_| !self.waits).cloned() {
            let found = difference(session.scene(), &options, &|_| true);
            panels.export.set_preview(options, found);
        }
        let mesh = session.selection().mesh.as_ref();
        let mesh = mesh.and_then(|mesh| session.animated().skinned_meshes.get(mesh));
        let outside = mesh.map(|mesh| joints.get(&mesh.skeleton, &mesh.surface));
        panels.side.properties.outside_joints = Some(outside.unwrap_or_default());
        let view = View { session, evaluated, settings };
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

    /// Carries out a request like the window, but without files and background work.
    fn carry_out(&mut self, request: &Request) {
        match request {
            Request::Act(action) => self.act(*action),
            _ => drop(request.carry_out(&mut self.session, &mut self.settings, &self.evaluated)),
        }
    }

    fn with_view<R>(&self, ask: impl FnOnce(&View) -> R) -> R {
        ask(&View { session: &self.session, evaluated: &self.evaluated, settings: &self.settings })
    }

    /// Performs an action; does nothing where it is not enabled.
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

    /// Selects `part` of the mesh `Body`.
    pub fn with_part(tab: Tab, part: Option<Part>) -> Self {
        Self::sized(vec2(1024.0, 900.0), tab, part)
    }

    pub fn sized(size: Vec2, tab: Tab, part: Option<Part>) -> Self {
        Self::build(size, tab, Selection::from_mesh(&scene(), "Body").with_part(part))
    }

    fn build(size: Vec2, tab: Tab, selection: Selection) -> Self {
        let mut session = Session::new(scene(), None);
        session.select(selection);
        let app = App {
            session,
            evaluated: Evaluated::default(),
            settings: ViewSettings { tab, ..ViewSettings::default() },
            panels: PanelsState::default(),
            log: Vec::new(),
            copied: None,
            viewport_dragged: false,
            viewport_clicks: 0,
            joints: OutsideJoints::default(),
            waits: false,
            esc_was_ours: false,
        };
        let mut themed = false;
        let harness = Harness::builder().with_size(size).with_step_dt(0.1).with_max_steps(8).build_ui_state(
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
        let wanted = dialog.take_folder_request().unwrap();
        let entries = [("a.js3d", false), ("b.obj", false), ("notes.txt", false), ("more", true)];
        let entries = entries.map(|(name, folder)| FileEntry { name: name.into(), folder });
        dialog.set_entries(wanted, Ok(entries.into()));
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

    /// Returns the commands that the action would apply; none where it is not enabled.
    pub fn prepared(&self, action: Action) -> Vec<Command> {
        let prepared = self.with_view(|view| action.prepare(view));
        prepared.map_or(Vec::new(), |prepared| prepared.edits().to_vec())
    }

    /// Starts a new document, changed by `edit`, with the same selection where possible.
    pub fn edit_scene(&mut self, edit: impl FnOnce(&mut Scene)) {
        let app = self.harness.state_mut();
        let mut scene = app.session.scene().clone();
        edit(&mut scene);
        let selection = app.session.selection().existing_in(&scene);
        app.session = Session::new(scene, None);
        app.session.select(selection);
        app.panels.timeline.document_opened();
        self.frame();
    }

    /// Sets the evaluation by hand: IK rotates the arm to `pose_deg`, while all bones are drawn in the bind
    /// pose.
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
}
