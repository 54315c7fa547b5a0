//! glTF in the window: opened, dropped and imported, played, saved with its images, exported and read again.

use crate::support::*;
use bevy_egui::egui::Key;
use ossature::edit::request::Request;
use ossature::edit::settings::view::Tab;
use ossature::io::export::ExportOptions;
use ossature::io::gltf::read::read;
use ossature::io::gltf::write::export;
use ossature::io::import::ImportOptions;
use ossature::io::js3d;
use ossature::io::picture_files;
use ossature::io::picture_paths::PicturePaths;
use ossature::scene::Scene;
use ossature::scene::resource::{Material, MaterialKind, Texture, TextureKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const PICTURE: &str = "skin.png";

/// Returns the human walking, with an image in `folder` on it.
fn walker(folder: &Path) -> Scene {
    let file = include_bytes!("../../media/js3d/A4-human-walk.js3d");
    let (mut scene, _) = js3d::read(file).expect("the walk can be read");
    let rows = [[0, 0, 255, 255, 255, 255], [255, 0, 0, 0, 255, 0]].concat();
    image::save_buffer(folder.join(PICTURE), &rows, 2, 2, image::ColorType::Rgb8).unwrap();
    let texture = Texture::from(TextureKind::Image { sampler: "bilinear".into(), image: PICTURE.into() });
    scene.textures.insert("Skin".into(), Arc::new(texture));
    let material = Material::from(MaterialKind::Lambertian { albedo: Some("Skin".into()) });
    scene.materials.insert("Matte".into(), Arc::new(material));
    for instance in scene.instances.skinned_meshes.values_mut() {
        Arc::make_mut(instance).material = Some("Matte".into());
    }
    scene
}

/// Exports the character as other programs do: without our scene in the file.
fn character(folder: &Path) -> PathBuf {
    let options = ExportOptions { scene: false, ..Default::default() };
    let images =
        |image: &str| picture_files::read_bytes(image, Some(folder)).map_err(|error| error.to_string());
    let exported = export(&walker(folder), &options, &images).unwrap();
    let path = folder.join("hero.glb");
    std::fs::write(&path, exported.glb().unwrap()).unwrap();
    path
}

fn image_of(scene: &Scene) -> String {
    let mut images = scene.textures.values().filter_map(|texture| match &texture.kind {
        TextureKind::Image { image, .. } => Some(image.to_string()),
        TextureKind::Constant { .. } => None,
    });
    images.next_back().expect("there is a picture")
}

impl Person {
    fn asks(&mut self, request: Request) {
        self.editor().requests.push(request);
        self.app.frames(6);
    }

    fn mesh(&mut self) -> String {
        let scene = self.scene();
        scene.skinned_meshes.keys().next().expect("a character").clone()
    }

    /// Returns the vertices of the character as shown.
    fn vertices(&mut self) -> Vec<glam::Vec3> {
        let mesh = self.mesh();
        self.shown().evaluated.skinned[&mesh].positions.to_vec()
    }
}

#[test]
fn a_character_is_opened_moves_is_saved_and_exported() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = character(folder.path());
    let Some(mut person) = Person::with_human() else {
        return;
    };
    person.asks(Request::OpenPath(path.clone()));
    assert_eq!(person.editor().settings.tab, Tab::Animate);
    assert_eq!(person.editor().session.path(), None);
    assert!(person.editor().session.scene().skinned_meshes.len() == 1);
    let image = image_of(&person.scene());
    assert!(image.starts_with("data:image/png;"), "the image is embedded in the scene");

    // It moves.
    let still = person.vertices();
    person.click("Play or pause");
    person.app.frames(3);
    let moved = person.vertices();
    let far = still.iter().zip(&moved).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(far > 0.1, "{far}");
    person.click("Play or pause");

    // The first save puts the image next to the file; undo embeds it again.
    let unsaved = person.bytes();
    let save = folder.path().join("saved/hero.js3d");
    std::fs::create_dir(save.parent().unwrap()).unwrap();
    person.asks(Request::SavePath(save.clone()));
    let saved = person.messages().last().cloned().unwrap_or_default();
    assert!(saved.starts_with("Saved hero.js3d and 1 image in"), "{saved}");
    assert_eq!(image_of(&person.scene()), "hero textures/Skin.png");
    assert!(std::fs::read(&save).unwrap() == person.bytes());
    assert_eq!(
        std::fs::read(folder.path().join("saved/hero textures/Skin.png")).unwrap(),
        std::fs::read(folder.path().join(PICTURE)).unwrap()
    );
    assert!(!person.editor().session.is_modified());
    assert_eq!(person.steps(), ["Set image paths"]);
    person.app.key(Key::Z, CTRL);
    assert!(person.bytes() == unsaved && person.editor().session.is_modified());
    person.app.key(Key::Z, CTRL_SHIFT);
    assert!(!person.editor().session.is_modified());

    // Export with the dialog, and read the result.
    let out = folder.path().join("out.glb");
    person.editor().panels.export.open();
    person.app.frames(20);
    assert!(person.sees("hero.glb"), "beside the document");
    person.click("Export to…");
    assert!(person.sees("File name"));
    person.click("File name");
    person.app.key(Key::A, CTRL);
    person.app.text(&out.display().to_string());
    person.key(Key::Enter);
    person.app.frames(20);
    let said = person.messages().last().cloned().unwrap_or_default();
    assert!(said.starts_with("Exported out.glb"), "{said}");
    let bytes = std::fs::read(&out).expect("it was written");
    let back = read(&bytes, save.parent(), &ImportOptions::default()).unwrap();
    assert!(js3d::write(&back.scene).unwrap() == person.bytes());
}

#[test]
fn an_untouched_sample_gives_way_and_work_does_not() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = character(folder.path());
    let Some(mut person) = Person::with_human() else {
        return;
    };
    person.drop_file(&path);
    person.app.frames(6);
    person.click("Cancel");
    assert!(person.scene().skinned_meshes.contains_key(MESH), "the sample is still there");
    person.drop_file(&path);
    person.app.frames(6);
    person.click("Import");
    person.app.frames(6);
    assert_eq!(person.scene().instances.skinned_meshes.len(), 1);
    assert_eq!(person.editor().settings.tab, Tab::Animate);
    assert_eq!((person.steps(), person.editor().session.is_modified()), (vec![], false));
    // A second one is added.
    person.drop_file(&path);
    person.app.frames(6);
    person.click("Import");
    person.app.frames(6);
    assert_eq!(person.scene().instances.skinned_meshes.len(), 2);
    assert_eq!(person.steps(), ["Append scene"]);
    drop(person);

    // A sample that was edited stays, and so does a file.
    let Some(mut person) = Person::with_human() else {
        return;
    };
    person.turn_an_arm();
    person.drop_file(&path);
    person.app.frames(6);
    person.click("Import");
    person.app.frames(6);
    assert_eq!(person.scene().skinned_meshes.len(), 2);
    person.app.key(Key::Z, CTRL);
    assert_eq!(person.scene().skinned_meshes.len(), 1);
}

#[test]
fn pictures_are_found_from_another_folder() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let scene = walker(folder.path());
    let (here, there) = (folder.path().join("scene.js3d"), folder.path().join("more/scene.js3d"));
    std::fs::create_dir(there.parent().unwrap()).unwrap();
    std::fs::write(&here, js3d::write(&scene).unwrap()).unwrap();
    let Some(mut person) = Person::with_human() else {
        return;
    };
    person.asks(Request::OpenPath(here.clone()));
    let opened = person.bytes();
    person.asks(Request::SavePath(here));
    assert!(person.bytes() == opened && person.steps().is_empty());
    person.asks(Request::SavePath(there.clone()));
    assert_eq!(image_of(&person.scene()), format!("../{PICTURE}"));
    let (saved, report) = js3d::read_file(&there).unwrap();
    assert!(report.is_empty(), "{report:?}");
    assert_eq!(PicturePaths::new(&saved, there.parent(), &there, None), PicturePaths::default());
}
