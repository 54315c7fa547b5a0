//! Exports a mesh of the document.

use crate::edit::action::selected_surface;
use crate::edit::settings::view::Tab;
use crate::editor::app::editor::Editor;
use crate::editor::app::files::overwrite::may_write;
use crate::editor::panels::dialogs::file_dialog::FileMode;
use crate::editor::panels::messages::Level;
use crate::io::obj::{self, Object};
use crate::io::{durable, limits};
use crate::mesh::soup::Polygons;
use crate::scene::evaluate::posed_polygons;
use crate::scene::names::{Kind, ObjectRef};
use std::path::Path;

/// Writes the selected mesh in its own space: posed in the Animate tab, otherwise unposed.
pub fn export_path(editor: &mut Editor, path: &Path) {
    if let Some(path) = may_write(editor, FileMode::Export, path) {
        write_mesh(editor, &path);
    }
}

/// Exports without asking.
pub fn write_mesh(editor: &mut Editor, path: &Path) {
    let written = selected_surface(&editor.view()).and_then(|mesh| {
        let (polygons, pose) = shown(editor, &mesh).ok_or("The mesh is gone.")?;
        let object = Object { name: &mesh.name, polygons: &polygons };
        let text =
            obj::write(&format!("mesh space, {pose}"), &[object]).map_err(|error| error.to_string())?;
        limits::check_bytes(text.len()).map_err(|error| error.to_string())?;
        durable::save(path, text.as_bytes()).map_err(|error| error.to_string())?;
        Ok((mesh.name, pose))
    });
    match written {
        Ok((mesh, pose)) => {
            let text = format!("Exported {mesh} ({pose})");
            let path = path.display().to_string();
            editor.notify(Level::Info, text, path);
        }
        Err(error) => editor.notify_failed(path, "written", error.into_owned()),
    }
}

/// Returns the polygons of a mesh as the open tab shows it, and a description of the pose.
fn shown(editor: &Editor, mesh: &ObjectRef) -> Option<(Polygons, &'static str)> {
    let scene = editor.session.scene();
    if mesh.kind == Kind::Mesh {
        return Some((Polygons::new(&scene.meshes.get(&mesh.name)?.surface), "as it is"));
    }
    let surface = &scene.skinned_meshes.get(&mesh.name)?.surface;
    let posed = editor.shown.evaluated.skinned.get(&mesh.name);
    match posed.filter(|_| editor.settings.tab == Tab::Animate) {
        Some(posed) => Some((posed_polygons(surface, posed), "as it is posed")),
        None => Some((Polygons::new(surface), "bind pose")),
    }
}
