//! Imports and exports the saved poses of the selected character.

use crate::edit::command::{Command, PoseChange};
use crate::edit::pose::pose_library::{poses_for, poses_only};
use crate::editor::app::editor::Editor;
use crate::editor::app::files::overwrite::may_write;
use crate::editor::panels::dialogs::file_dialog::FileMode;
use crate::editor::panels::messages::Level;
use crate::io::count::counted;
use crate::io::{durable, js3d};
use crate::scene::Scene;
use std::path::{Path, PathBuf};

/// Returns where a dialog for poses starts: at the name of the document with `-poses` appended.
pub fn start(editor: &Editor) -> PathBuf {
    let path = editor.session.path();
    let stem = path.and_then(Path::file_stem).unwrap_or("untitled".as_ref());
    let name = format!("{}-poses.js3d", stem.to_string_lossy());
    path.unwrap_or(Path::new("")).with_file_name(name)
}

/// Adds the poses of another scene to the selected character.
///
/// # Errors
/// A sentence, if no character is selected or there are no poses for it.
pub fn import(editor: &mut Editor, from: &Scene, name: &str) -> Result<(), String> {
    let missing = "No character is selected now.";
    let mesh = editor.session.selection().mesh.clone().ok_or(missing)?;
    let skinned = editor.session.scene().skinned_meshes.get(&mesh).ok_or(missing)?;
    let (before, found) = (skinned.poses.len(), poses_for(&skinned.skeleton, from)?);
    let change = PoseChange::Import(found.poses);
    let commands = [Command::Poses { mesh: mesh.clone(), change }];
    editor.session.apply(&commands).map_err(|error| error.to_string())?;
    let after = editor.session.scene().skinned_meshes.get(&mesh);
    let added = after.map_or(0, |skinned| skinned.poses.len()) - before;
    let text = match added {
        0 => format!("All poses of {name} are already there"),
        _ => format!("Imported {} from {name}", counted(added, "pose", "poses")),
    };
    if found.unmatched.is_empty() {
        editor.notify(Level::Info, text, "")
    } else {
        let bones = counted(found.unmatched.len(), "of their bones is", "of their bones are");
        let details = found.unmatched.join(", ");
        editor.notify(Level::Warning, format!("{text}, but {bones} not in this skeleton"), details);
    }
    Ok(())
}

/// Writes the poses of the selected character, unless a question has to be answered first.
pub fn export(editor: &mut Editor, path: &Path) {
    if editor.session.path() == Some(path) {
        let text = "This is the file of the scene; choose another name.";
        return editor.notify(Level::Error, "The poses were not exported", text);
    }
    if let Some(path) = may_write(editor, FileMode::ExportPoses, path) {
        write(editor, &path);
    }
}

/// Exports without asking.
pub fn write(editor: &mut Editor, path: &Path) {
    let selection = editor.session.selection();
    let mesh = selection.mesh.as_ref();
    let found = mesh.and_then(|mesh| editor.session.scene().skinned_meshes.get_key_value(mesh));
    let Some((mesh, skinned)) = found else { return };
    let count = counted(skinned.poses.len(), "pose", "poses");
    let written = js3d::write(&poses_only(mesh, skinned)).map_err(|error| error.to_string());
    let written = written.and_then(|bytes| durable::save(path, &bytes).map_err(|error| error.to_string()));
    match written {
        Ok(_) => editor.notify(Level::Info, format!("Exported {count}"), path.display().to_string()),
        Err(error) => editor.notify_failed(path, "written", error),
    }
}
