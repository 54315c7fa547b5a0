//! Exports the scene for other programs: works out what will differ while the dialog asks for options, and
//! writes the file. Both run in the background.

use crate::edit::session::Session;
use crate::editor::app::editor::Editor;
use crate::editor::app::files::Files;
use crate::editor::app::files::overwrite::may_write;
use crate::editor::app::jobs::export_job::{difference, finish, work};
use crate::editor::app::jobs::worker::Worker;
use crate::editor::app::jobs::{Jobs, Outcome};
use crate::editor::app::wake::Waker;
use crate::editor::panels::dialogs::file_dialog::FileMode;
use crate::editor::panels::progress::JobKind;
use crate::editor::state::{Document, Panels, Redraw};
use crate::io::export::ExportOptions;
use crate::io::report::Report;
use crate::scene::Scene;
use bevy::prelude::*;
use std::path::{Path, PathBuf};

/// The comparison that the dialog waits for.
#[derive(Resource, Default)]
pub struct Exporting(Option<Comparison>);

struct Comparison {
    scene: Scene,
    options: ExportOptions,
    worker: Worker<Result<Report, String>>,
}

/// Works out what will look different in other programs, while the dialog wants to show it, and where the file goes.
pub fn compare(
    session: Res<Document>,
    files: Res<Files>,
    jobs: Res<Jobs>,
    waker: Res<Waker>,
    mut exporting: ResMut<Exporting>,
    mut panels: ResMut<Panels>,
    mut redraw: ResMut<Redraw>,
) {
    if panels.export.is_open() && panels.export.target.is_none() {
        panels.export.target = export_path(&session, &files);
    }
    let Some(options) = panels.export.pending_options() else {
        if exporting.0.is_some() {
            exporting.0 = None;
        }
        return;
    };
    let scene = session.scene();
    let is_current =
        |comparison: &Comparison| comparison.options == *options && comparison.scene.is_shared(scene);
    let mut patience = std::time::Duration::ZERO;
    if !exporting.0.as_ref().is_some_and(is_current) {
        patience = jobs.patience;
        let (scene, options) = (scene.clone(), options.clone());
        exporting.0 = Some(Comparison {
            scene: scene.clone(),
            options: options.clone(),
            worker: Worker::start(jobs.gate.clone(), waker.clone(), move |progress| {
                difference(&scene, &options, progress)
            }),
        });
    }
    let Some(Comparison { options, worker, .. }) = &exporting.0 else {
        return;
    };
    match worker.result(patience) {
        None => panels.export.progress = worker.progress(),
        Some(result) => {
            let result = result.unwrap_or_else(|| Err("An internal error occurred.".to_owned()));
            panels.export.set_preview(options.clone(), result);
            exporting.0 = None;
            redraw.request();
        }
    }
}

/// Exports the scene with the options of the dialog.
pub fn export_scene(editor: &mut Editor, path: &Path) {
    if let Some(path) = may_write(editor, FileMode::ExportScene, path) {
        write_exported(editor, path);
    }
}

/// Exports without asking, in the background. If that is quick, it is finished at once.
pub fn write_exported(editor: &mut Editor, path: PathBuf) {
    editor.session.settle();
    let work = work(path, &editor.session, editor.panels.export.options.clone());
    let Editor { jobs, panels, waker, .. } = editor;
    jobs.begin(JobKind::Export, waker, panels, |progress| Outcome::Exported(work(progress)));
    let patience = jobs.patience;
    if let Some(Outcome::Exported(written)) = jobs.outcome(patience, panels) {
        finish(&written, &mut panels.messages);
    }
}

/// Returns the file to export to: beside that of the document, or the one that it began with, which stays as it is.
pub fn export_path(session: &Session, files: &Files) -> Option<PathBuf> {
    let source = files.source.as_deref();
    let target = session.path().or(source)?.with_extension("glb");
    if source != Some(&*target) {
        return Some(target);
    }
    let name = target.file_stem().unwrap_or_default().to_string_lossy();
    Some(target.with_file_name(format!("{name}-rigged.glb")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_not_exported_over_its_file() {
        let session = Session::default();
        let target = |source: &str| {
            let files = Files { source: Some(source.into()), ..Files::default() };
            export_path(&session, &files)
        };
        assert_eq!(target("a/body.obj"), Some("a/body.glb".into()));
        assert_eq!(target("a/body.glb"), Some("a/body-rigged.glb".into()));
        assert_eq!(target("a/body.gltf"), Some("a/body.glb".into()));
    }
}
