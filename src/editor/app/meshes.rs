//! Meshes and scenes from files into the open document, and a mesh to a file.

use crate::edit::action::{ViewMove, surface};
use crate::edit::command::{Command, SceneData};
use crate::edit::count::counted;
use crate::edit::view::Tab;
use crate::editor::Editor;
use crate::editor::app::wake::Waker;
use crate::editor::panels::file_dialog::FileMode;
use crate::editor::panels::import::ImportState;
use crate::editor::panels::messages::Level;
use crate::io::import::Imported;
use crate::io::obj::{self, Object};
use crate::io::report::Report;
use crate::io::{durable, formats, js3d, limits};
use crate::mesh::soup::Polygons;
use crate::scene::Scene;
use crate::scene::evaluate::posed_polygons;
use crate::scene::names::{Kind, Thing};
use std::path::Path;
use std::sync::Arc;

fn name_of(path: &Path) -> String {
    path.file_name()
        .map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into())
}

impl Editor {
    /// Asks for a file to import, append or export, in the folder of the document.
    pub(in crate::editor) fn ask_mesh(&mut self, mode: FileMode, waker: &Waker) {
        let mut start = self.session.path().map(Path::to_owned).unwrap_or_default();
        if let (true, Ok(mesh)) = (mode.writes(), surface(&self.view())) {
            start.set_file_name(format!("{}.obj", mesh.name.replace(['/', '\\', ':'], "_")));
        }
        self.files.ask(mode, start, waker, &mut self.panels);
    }

    /// Reads a file. Of a mesh, a dialog asks what becomes of it; everything of a scene comes into this one. A message
    /// if it cannot be read.
    pub(in crate::editor) fn import_path(&mut self, path: &Path) {
        self.session.commit();
        match formats::read_file(path) {
            Ok(Imported::Mesh(mesh)) => self.panels.import = Some(ImportState::new(mesh, name_of(path))),
            Ok(Imported::Scene(scene, report)) => self.append(path, scene, &report),
            Err(error) => self.say_failed(path, "imported", error.to_string()),
        }
    }

    /// Puts everything of another scene into this one.
    pub(in crate::editor) fn append_path(&mut self, path: &Path) {
        match js3d::read_file(path) {
            Ok((scene, report)) => self.append(path, scene, &report),
            Err(error) => self.say_failed(path, "appended", error.to_string()),
        }
    }

    fn append(&mut self, path: &Path, scene: Scene, report: &Report) {
        let count = scene.names().len();
        let scene = SceneData(Arc::new(scene));
        if let Err(error) = self.session.apply(&[Command::AppendScene { scene }]) {
            return self.say_failed(path, "appended", error.to_string());
        }
        let text = format!(
            "Appended {} from {}",
            counted(count, "thing", "things"),
            name_of(path)
        );
        self.panels.messages.push(Level::Info, text, String::new());
        self.say_findings(report, &name_of(path));
        self.move_view(ViewMove::FrameSelected);
    }

    /// Writes the selected mesh in its own space: as it is posed in the Animate tab, else as it is.
    pub(in crate::editor) fn export_path(&mut self, path: &Path) {
        if let Some(path) = self.may_write(FileMode::Export, path) {
            self.write_mesh(&path);
        }
    }

    /// Exports without asking.
    pub(in crate::editor) fn write_mesh(&mut self, path: &Path) {
        let written = surface(&self.view()).and_then(|mesh| {
            let (polygons, pose) = self.shown(&mesh).ok_or("The mesh is gone.")?;
            let object = Object {
                name: &mesh.name,
                polygons: &polygons,
            };
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
                self.panels.messages.push(Level::Info, text, path);
            }
            Err(error) => self.say_failed(path, "written", error.into_owned()),
        }
    }

    /// The polygons of a mesh as the open tab shows it, and which pose that is.
    fn shown(&self, mesh: &Thing) -> Option<(Polygons, &'static str)> {
        let scene = self.session.scene();
        if mesh.kind == Kind::Mesh {
            return Some((Polygons::of(&scene.meshes.get(&mesh.name)?.surface), "as it is"));
        }
        let surface = &scene.skinned_meshes.get(&mesh.name)?.surface;
        let posed = self.evaluated.skinned.get(&mesh.name);
        match posed.filter(|_| self.settings.tab == Tab::Animate) {
            Some(posed) => Some((posed_polygons(surface, posed), "as it is posed")),
            None => Some((Polygons::of(surface), "bind pose")),
        }
    }

    fn say_failed(&mut self, path: &Path, done: &str, error: String) {
        let text = format!("{} could not be {done}", name_of(path));
        self.panels.messages.push(Level::Error, text, error);
    }
}
