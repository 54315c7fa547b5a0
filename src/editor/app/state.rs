//! The state of the application: one document and how it is looked at.

use crate::edit::count::counted;
use crate::edit::motion_paths::MotionPaths;
use crate::edit::request::Request;
use crate::edit::selection::Selection;
use crate::edit::session::Session;
use crate::edit::stage::Stage;
use crate::edit::view::{Tab, View, ViewSettings};
use crate::editor::app::background::Background;
use crate::editor::app::comparing::Comparing;
use crate::editor::app::files::FileWork;
use crate::editor::app::overwrite::OwnFile;
use crate::editor::app::rendering::Rendering;
use crate::editor::app::terminations::Terminations;
use crate::editor::app::weighing::Weighing;
use crate::editor::panels::PanelsState;
use crate::editor::panels::messages::Level;
use crate::editor::projection::draw_list::HeatCache;
use crate::editor::viewport::ViewportState;
use crate::io::examples::Example;
use crate::io::formats::format_of;
use crate::io::report::{Report, Severity};
use crate::io::{file, js3d};
use crate::rig::ik;
use crate::rig::joints::{Joint, OutsideJoints};
use crate::scene::Scene;
use crate::scene::evaluate::{Evaluated, Evaluation, Evaluator, Settings};
use bevy::prelude::{Mat4, Resource};
use std::path::Path;
use std::sync::Arc;

/// Everything that lives as long as the window.
#[derive(Resource, Default)]
pub struct Editor {
    pub session: Session,
    pub settings: ViewSettings,
    pub evaluator: Evaluator,
    pub evaluated: Evaluated,
    /// What `evaluated` was made from.
    pub(in crate::editor) evaluated_for: Option<(Scene, Settings)>,
    /// Between the steps of a frame.
    pub(in crate::editor) underway: Option<Evaluation>,
    joints: OutsideJoints,
    /// Joints of the skeleton that is worked on, in the Rig tab, that lie outside of its surface.
    pub outside_joints: Arc<Vec<Joint>>,
    /// Where the selection goes, in the Animate tab.
    pub paths: MotionPaths,
    pub background: Background,
    pub weighing: Weighing,
    pub(in crate::editor) rendering: Rendering,
    /// Of both sides of the Compare view; of what stands alone, the first.
    pub(in crate::editor) heat: [HeatCache; 2],
    pub(in crate::editor) comparing: Comparing,
    /// How often the scene was evaluated: not at all while nothing changes.
    pub evaluations: u64,
    pub panels: PanelsState,
    pub viewport: ViewportState,
    /// Asked for in this frame; carried out in `FrameStep::Apply`.
    pub requests: Vec<Request>,
    pub(in crate::editor) files: FileWork,
    /// What asks the program to end from outside.
    pub terminations: Terminations,
    /// Frames to draw although nothing more happens: changes take some to reach the picture.
    pub(in crate::editor) frames_due: u32,
    /// Set when the window may close.
    pub(in crate::editor) quit: bool,
}

impl Editor {
    pub fn view(&self) -> View<'_> {
        View {
            session: &self.session,
            evaluated: &self.evaluated,
            settings: &self.settings,
        }
    }

    /// `A4-human.js3d* - Ossature`.
    pub fn window_title(&self) -> String {
        let mark = if self.session.is_modified() { "*" } else { "" };
        format!("{}{mark} - Ossature", self.session.title())
    }

    /// Where the skinned mesh that is worked on stands in the open tab; the identity where there is none.
    pub fn world_from_mesh(&self) -> Mat4 {
        Stage::of(&self.view()).map_or(Mat4::IDENTITY, |stage| stage.world_from_skeleton)
    }

    /// What the tab and the switches ask of the evaluator.
    pub fn evaluation(&self) -> Settings {
        let solve = self.settings.tab == Tab::Animate && self.settings.solve_ik;
        Settings {
            frame: Some(self.session.frame()),
            held: self.session.unkeyed().clone(),
            bind: self.settings.tab == Tab::Rig,
            ik: solve.then(|| ik::Options {
                step: self.settings.ik_step,
                ..ik::Options::default()
            }),
            compare: self.comparing.shown(),
        }
    }

    /// Begins an evaluation if the scene or the view of it changed: drives the channels.
    pub(in crate::editor) fn animate(&mut self) {
        self.follow_compared();
        // The session has driven the channels.
        let (scene, settings) = (self.session.animated(), self.evaluation());
        let settings = Settings {
            frame: None,
            held: Arc::default(),
            ..settings
        };
        let same = self
            .evaluated_for
            .as_ref()
            .is_some_and(|(of, old)| *old == settings && of.is_shared(scene));
        self.underway = (!same).then(|| self.evaluator.animate(scene, &settings));
        if !same {
            self.evaluated_for = Some((scene.clone(), settings));
        }
    }

    /// Ends the evaluation under way, if there is one. True if so.
    pub(in crate::editor) fn skin(&mut self) -> bool {
        let evaluation = self.underway.take();
        let evaluated = evaluation.is_some();
        if let Some(evaluation) = evaluation {
            self.evaluated = self.evaluator.skin(evaluation);
            self.evaluations += 1;
            self.measure_compared();
        }
        self.find_outside_joints();
        self.divide_viewport();
        evaluated
    }

    fn find_outside_joints(&mut self) {
        let mesh = self.session.selection().mesh.as_ref();
        let mesh = mesh.filter(|_| self.settings.tab == Tab::Rig);
        let found = match mesh.and_then(|mesh| self.evaluated.scene.skinned_meshes.get(mesh)) {
            Some(mesh) => self.joints.of(&mesh.skeleton, &mesh.surface),
            None => Arc::default(),
        };
        self.outside_joints = found;
    }

    /// All steps of an evaluation at once, outside of a frame.
    pub(in crate::editor) fn refresh(&mut self) {
        self.animate();
        if let Some(evaluation) = &mut self.underway {
            evaluation.solve_ik();
            evaluation.pose();
        }
        self.skin();
    }

    /// No desktop is there: dialogs open inside, and views change at once.
    pub(in crate::editor) fn without_window(&mut self) {
        self.files.inside = true;
        self.viewport.instant = true;
    }

    /// Replaces the document. Its first skinned instance is selected, so that both tabs have something to show.
    pub fn open(&mut self, scene: Scene, path: Option<std::path::PathBuf>) {
        self.settings.playback.pause();
        self.session = Session::new(scene, path);
        self.files.own = None;
        let first = self.session.scene().skinned_meshes.keys().next().cloned();
        if let Some(mesh) = first {
            let selection = Selection::of_mesh(self.session.scene(), &mesh);
            self.session.select(selection);
        }
        if self.session.scene().skinned_meshes.is_empty() {
            // There is nothing to rig, but there may be something to see.
            self.settings.tab = Tab::Animate;
        }
        self.viewport.document_opened();
        self.panels.timeline.document_opened();
        self.refresh();
    }

    /// Opens a scene that comes with the program, as one that has no file yet.
    pub fn open_example(&mut self, example: Example) {
        match example.read() {
            Ok((scene, report)) => {
                self.open(scene, None);
                self.say_findings(&report, example.text());
            }
            Err(error) => {
                let summary = format!("{} could not be opened", example.text());
                self.panels
                    .messages
                    .push(Level::Error, summary, error.to_string());
            }
        }
    }

    /// Opens a file; on failure everything stays as it was and a message says why. True on success.
    /// What is not of the document's own format is imported into the open document instead.
    pub fn open_path(&mut self, path: &Path) -> bool {
        if !format_of(path).is_document {
            self.import_path(path);
            return self.panels.import.is_some();
        }
        let name = path
            .file_name()
            .map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into());
        let read = file::read(path, "js3d").and_then(|bytes| Ok((js3d::read(&bytes)?, bytes)));
        match read {
            Ok(((scene, report), bytes)) => {
                self.open(scene, Some(path.to_owned()));
                self.files.own = Some(OwnFile::opened(path, &bytes, &report));
                self.say_findings(&report, &name);
                true
            }
            Err(error) => {
                self.panels.messages.push(
                    Level::Error,
                    format!("{name} could not be opened"),
                    error.to_string(),
                );
                false
            }
        }
    }

    pub(in crate::editor) fn say_findings(&mut self, report: &Report, name: &str) {
        if report.is_empty() {
            return;
        }
        let details: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
        let count = details.len();
        let summary = format!("{name}: {}", counted(count, "finding", "findings"));
        let worst = report
            .findings
            .iter()
            .map(|f| f.severity)
            .max()
            .unwrap_or(Severity::Note);
        let details = details.join("\n");
        match worst {
            Severity::Note => self.panels.messages.push(Level::Info, summary, details),
            Severity::Warning => self.panels.messages.push(Level::Warning, summary, details),
            Severity::Error => self.panels.messages.push(Level::Error, summary, details),
        }
    }
}
