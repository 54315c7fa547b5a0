//! Whether a file may be written as it is asked for: its name, what is there already, and what has become of
//! the document's own file since it was opened or saved.

use crate::editor::app::editor::Editor;
use crate::editor::app::own_file::OwnFile;
use crate::editor::panels::file_dialog::FileMode as Mode;
use crate::editor::panels::messages::Level;
use crate::editor::panels::overwrite_dialog::{OverwriteQuestion, OverwriteReason};
use crate::io::{gltf, js3d, obj};
use std::path::{Path, PathBuf};

/// The path to write to, with the ending that says what is in it; `None` where that was refused, or has to
/// be asked about first.
pub fn may_write(editor: &mut Editor, mode: Mode, path: &Path) -> Option<PathBuf> {
    let (kind, other_way) = match mode {
        Mode::Export => (&obj::KIND, "Save as writes scenes"),
        Mode::ExportScene => (gltf::kind_of(path), "Save as writes scenes"),
        Mode::ExportPoses => (&js3d::KIND, "Poses go into scene files"),
        _ => (&js3d::KIND, "Export writes OBJ meshes"),
    };
    let named = match kind.named(path) {
        Ok(named) => named,
        Err(error) => {
            editor.files.then = None;
            let text = format!("{error}. {other_way}.");
            editor.notify(Level::Error, "Wrong file extension", text);
            return None;
        }
    };
    let own = editor
        .files
        .own
        .as_ref()
        .filter(|own| own.path == named && kind == &js3d::KIND);
    // The dialog asked about the name as it was typed.
    let unasked = (named != path && named.exists()).then_some(OverwriteReason::Exists);
    let Some(reason) = own.and_then(OwnFile::question).or(unasked) else {
        return Some(named);
    };
    let name = named
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    editor.panels.dialogs.overwrite = Some(OverwriteQuestion { name, reason });
    editor.files.pending = Some((mode, named));
    None
}
