//! The scene to a file for other programs.

use crate::editor::app::editor::Editor;
use crate::editor::app::overwrite::may_write;
use crate::editor::panels::file_dialog::FileMode;
use crate::editor::panels::messages::Level;
use crate::io::format::Writer;
use crate::io::{durable, file, formats, limits};
use std::path::{Path, PathBuf};

/// Writes the scene as the dialog was told to.
pub fn export_scene(editor: &mut Editor, path: &Path) {
    if let Some(path) = may_write(editor, FileMode::ExportScene, path) {
        write_exported(editor, &path);
    }
}

/// Exports without asking.
pub fn write_exported(editor: &mut Editor, path: &Path) {
    match written(editor, path) {
        Ok(findings) => {
            let text = match findings {
                0 => "Exported the scene".to_owned(),
                _ => format!("Exported the scene; {findings} things will differ"),
            };
            editor.notify(Level::Info, text, path.display().to_string());
        }
        Err(error) => editor.notify_failed(path, "written", error),
    }
}

/// How many findings there were.
fn written(editor: &Editor, path: &Path) -> Result<usize, String> {
    let Some(Writer::Export(write)) = formats::format_of(path).write else {
        return Err("Files of this kind hold no scenes for other programs.".to_owned());
    };
    let folder = editor.session.path().and_then(Path::parent);
    let picture = |name: &str| {
        let beside = folder
            .map(|folder| folder.join(name))
            .filter(|path| path.is_file());
        let path = beside.unwrap_or_else(|| PathBuf::from(name));
        file::read(&path, "picture").map_err(|error| error.to_string())
    };
    let options = &editor.panels.export.options;
    let exported =
        write(editor.session.scene(), options, &picture, path).map_err(|error| error.to_string())?;
    for (path, bytes) in &exported.files {
        limits::check_bytes(bytes.len()).map_err(|error| error.to_string())?;
        durable::save(path, bytes).map_err(|error| error.to_string())?;
    }
    Ok(exported.report.findings.len())
}
