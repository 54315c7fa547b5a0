//! Exports the scene for other programs, and works out what will differ there: in the background, on plain
//! values.

use crate::edit::session::Session;
use crate::editor::app::jobs::read_job::name_of;
use crate::editor::app::jobs::worker::Progress;
use crate::editor::panels::messages::{Level, Messages};
use crate::io::export::ExportOptions;
use crate::io::format::Writer;
use crate::io::gltf::write::export_with_progress;
use crate::io::report::Report;
use crate::io::{durable, formats, limits, picture_files};
use crate::scene::Scene;
use std::path::{Path, PathBuf};

/// Returns what will look different in other programs. Pictures are read only when the file is written.
///
/// # Errors
/// The reason why the scene cannot be exported.
pub fn difference(scene: &Scene, options: &ExportOptions, progress: &Progress) -> Result<Report, String> {
    let picture = |_: &str| Ok(picture_files::PNG.to_vec());
    // An embedded scene makes no difference.
    let options = ExportOptions { scene: false, ..options.clone() };
    let export = export_with_progress(scene, &options, &picture, &|part| progress(part));
    export.map(|export| export.report).map_err(|error| error.to_string())
}

/// The result of an export.
pub struct Written {
    path: PathBuf,
    /// The number of findings.
    findings: Result<usize, String>,
}

/// Returns the work of writing the scene to `path`.
pub fn work(
    path: PathBuf,
    session: &Session,
    options: ExportOptions,
) -> impl FnOnce(&Progress) -> Written + use<> {
    let scene = session.scene().clone();
    let folder = session.path().and_then(Path::parent).map(Path::to_owned);
    move |progress| Written { findings: write(&scene, folder.as_deref(), &options, &path, progress), path }
}

fn write(
    scene: &Scene,
    folder: Option<&Path>,
    options: &ExportOptions,
    path: &Path,
    progress: &Progress,
) -> Result<usize, String> {
    let Some(Writer::Export(write)) = formats::format_of(path).write else {
        return Err("Scenes cannot be exported to this kind of file.".to_owned());
    };
    let picture = |name: &str| picture_files::read_bytes(name, folder).map_err(|error| error.to_string());
    let exported = write(scene, options, &picture, path, &|part| progress(part));
    let exported = exported.map_err(|error| error.to_string())?;
    for (_, bytes) in &exported.files {
        limits::check_bytes(bytes.len()).map_err(|error| error.to_string())?;
    }
    // From here on, the export cannot be cancelled: the files belong together.
    if !progress(1.0) {
        return Err("The export was cancelled.".to_owned());
    }
    for (path, bytes) in &exported.files {
        durable::save(path, bytes).map_err(|error| error.to_string())?;
    }
    Ok(exported.report.findings.len())
}

/// Shows the result.
pub fn finish(written: &Written, messages: &mut Messages) {
    let (path, name) = (written.path.display().to_string(), name_of(&written.path));
    match &written.findings {
        Ok(findings) => {
            let text = match findings {
                0 => format!("Exported {name}"),
                1 => format!("Exported {name} with 1 difference"),
                _ => format!("Exported {name} with {findings} differences"),
            };
            messages.push(Level::Info, text, path);
        }
        Err(error) => messages.push(Level::Error, format!("{name} could not be written"), error.clone()),
    }
}
