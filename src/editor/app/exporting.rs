//! The scene to a file for other programs: what will differ, while the dialog asks for the options, and the file itself.
//! Both are worked out beside the window.

use crate::editor::app::editor::Editor;
use crate::editor::app::export_job::{difference, finish, work};
use crate::editor::app::jobs::{Jobs, Outcome};
use crate::editor::app::overwrite::may_write;
use crate::editor::app::wake::Waker;
use crate::editor::app::worker::Worker;
use crate::editor::panels::file_dialog::FileMode;
use crate::editor::panels::progress::Doing;
use crate::editor::state::{Document, Panels, Redraw};
use crate::io::gltf::write::Options;
use crate::io::report::Report;
use crate::scene::Scene;
use bevy::prelude::*;
use std::path::{Path, PathBuf};

/// What the dialog waits for.
#[derive(Resource, Default)]
pub struct Exporting(Option<Look>);

struct Look {
    scene: Scene,
    options: Options,
    worker: Worker<Result<Report, String>>,
}

/// Works out what other programs will show otherwise, as long as the dialog wants to know.
pub fn compare(
    session: Res<Document>,
    jobs: Res<Jobs>,
    waker: Res<Waker>,
    mut exporting: ResMut<Exporting>,
    mut panels: ResMut<Panels>,
    mut redraw: ResMut<Redraw>,
) {
    let Some(options) = panels.export.wanted() else {
        if exporting.0.is_some() {
            exporting.0 = None;
        }
        return;
    };
    let scene = session.scene();
    let is_current = |look: &Look| look.options == *options && look.scene.is_shared(scene);
    let mut patience = std::time::Duration::ZERO;
    if !exporting.0.as_ref().is_some_and(is_current) {
        patience = jobs.patience;
        let (of, by) = (scene.clone(), options.clone());
        exporting.0 = Some(Look {
            scene: scene.clone(),
            options: options.clone(),
            worker: Worker::start(jobs.gate.clone(), waker.clone(), move |progress| {
                difference(&of, &by, progress)
            }),
        });
    }
    let Some(Look { options, worker, .. }) = &exporting.0 else {
        return;
    };
    match worker.result(patience) {
        None => panels.export.progress = worker.progress(),
        Some(found) => {
            let found =
                found.unwrap_or_else(|| Err("It stopped because of a fault in the program.".to_owned()));
            panels.export.found(options.clone(), found);
            exporting.0 = None;
            redraw.soon();
        }
    }
}

/// Writes the scene as the dialog was told to.
pub fn export_scene(editor: &mut Editor, path: &Path) {
    if let Some(path) = may_write(editor, FileMode::ExportScene, path) {
        write_exported(editor, path);
    }
}

/// Exports without asking, beside the window. What takes but a moment is there at once.
pub fn write_exported(editor: &mut Editor, path: PathBuf) {
    editor.session.commit();
    let work = work(path, &editor.session, editor.panels.export.options.clone());
    let Editor {
        jobs, panels, waker, ..
    } = editor;
    jobs.begin(Doing::Export, waker, panels, |progress| {
        Outcome::Exported(work(progress))
    });
    let patience = jobs.patience;
    if let Some(Outcome::Exported(written)) = jobs.outcome(patience, panels) {
        finish(&written, &mut panels.messages);
    }
}
