//! The scene to a file for other programs: what will differ, while the dialog asks for the options, and the file itself.
//! Both are worked out beside the window.

use crate::edit::session::Session;
use crate::editor::app::editor::Editor;
use crate::editor::app::jobs::{Jobs, Outcome};
use crate::editor::app::overwrite::may_write;
use crate::editor::app::read_job::name_of;
use crate::editor::app::wake::Waker;
use crate::editor::app::worker::{Progress, Worker};
use crate::editor::panels::file_dialog::FileMode;
use crate::editor::panels::messages::{Level, Messages};
use crate::editor::panels::progress::Doing;
use crate::editor::state::{Document, Panels, Redraw};
use crate::io::format::Writer;
use crate::io::gltf::write::{Options, export_watched};
use crate::io::report::Report;
use crate::io::{durable, file, formats, limits, picture_files};
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
pub fn look(
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
            let found = found.unwrap_or_else(|| Err("The work broke off.".to_owned()));
            panels.export.found(options.clone(), found);
            exporting.0 = None;
            redraw.soon();
        }
    }
}

/// What other programs will show otherwise. Pictures are looked for when the file is written.
///
/// # Errors
/// Why the scene cannot be exported.
pub fn difference(scene: &Scene, options: &Options, progress: &Progress) -> Result<Report, String> {
    let picture = |_: &str| Ok(picture_files::PNG.to_vec());
    // The scene that rides along changes nothing.
    let options = Options {
        scene: false,
        ..options.clone()
    };
    let export = export_watched(scene, &options, &picture, &|part| progress(part));
    export
        .map(|export| export.report)
        .map_err(|error| error.to_string())
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

/// A file that was written, or why not.
pub struct Written {
    path: PathBuf,
    /// How many findings there were.
    findings: Result<usize, String>,
}

fn work(path: PathBuf, session: &Session, options: Options) -> impl FnOnce(&Progress) -> Written + use<> {
    let scene = session.scene().clone();
    let folder = session.path().and_then(Path::parent).map(Path::to_owned);
    move |progress| Written {
        findings: write(&scene, folder.as_deref(), &options, &path, progress),
        path,
    }
}

fn write(
    scene: &Scene,
    folder: Option<&Path>,
    options: &Options,
    path: &Path,
    progress: &Progress,
) -> Result<usize, String> {
    let Some(Writer::Export(write)) = formats::format_of(path).write else {
        return Err("Files of this kind hold no scenes for other programs.".to_owned());
    };
    let picture = |name: &str| {
        let path = picture_files::find(name, folder).unwrap_or_else(|| PathBuf::from(name));
        file::read(&path, "picture").map_err(|error| error.to_string())
    };
    let exported = write(scene, options, &picture, path, &|part| progress(part));
    let exported = exported.map_err(|error| error.to_string())?;
    for (_, bytes) in &exported.files {
        limits::check_bytes(bytes.len()).map_err(|error| error.to_string())?;
    }
    // From here on it is not cancelled: files that belong together are written together.
    if !progress(1.0) {
        return Err("The export was cancelled.".to_owned());
    }
    for (path, bytes) in &exported.files {
        durable::save(path, bytes).map_err(|error| error.to_string())?;
    }
    Ok(exported.report.findings.len())
}

/// Says what became of it.
pub fn finish(written: &Written, messages: &mut Messages) {
    let (path, name) = (written.path.display().to_string(), name_of(&written.path));
    match &written.findings {
        Ok(findings) => {
            let text = match findings {
                0 => format!("Exported {name}"),
                1 => format!("Exported {name}; 1 thing will differ"),
                _ => format!("Exported {name}; {findings} things will differ"),
            };
            messages.push(Level::Info, text, path);
        }
        Err(error) => messages.push(
            Level::Error,
            format!("{name} could not be written"),
            error.clone(),
        ),
    }
}
