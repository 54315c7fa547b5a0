//! Whether a file may be written as requested: checks the name, existing files, and whether the document's
//! own file has changed since it was opened or saved.

use crate::editor::app::editor::Editor;
use crate::editor::app::files::own_file::OwnFile;
use crate::editor::panels::dialogs::file_dialog::FileMode as Mode;
use crate::editor::panels::dialogs::overwrite_dialog::{OverwriteQuestion, OverwriteReason};
use crate::editor::panels::messages::Level;
use crate::io::js3d;
use std::path::{Path, PathBuf};

/// Returns the path to write to, with the extension of its format; `None` if that was refused or a question
/// has to be answered first.
pub fn may_write(editor: &mut Editor, mode: Mode, path: &Path) -> Option<PathBuf> {
    let kind = mode.file_kind(path);
    let alternative = match mode {
        Mode::Export | Mode::ExportScene => "Save as writes scenes",
        Mode::ExportPoses => "Poses go into scene files",
        _ => "Export writes OBJ meshes",
    };
    let named = match kind.with_extension(path) {
        Ok(named) => named,
        Err(error) => {
            editor.files.then = None;
            let text = format!("{error}. {alternative}.");
            editor.notify(Level::Error, "Wrong file extension", text);
            return None;
        }
    };
    let own_file =
        editor.files.own_file.as_ref().filter(|own_file| own_file.path == named && kind == &js3d::KIND);
    // The dialog asked only about the name as typed.
    let unasked = (named != path && named.exists()).then_some(OverwriteReason::Exists);
    let Some(reason) = own_file.and_then(OwnFile::question).or(unasked) else {
        return Some(named);
    };
    let name = named.file_name().unwrap_or_default().to_string_lossy().into_owned();
    editor.panels.dialogs.overwrite = Some(OverwriteQuestion { name, reason });
    editor.files.pending = Some((mode, named));
    None
}
