//! The images of scenes that go into other folders: a texture refers to the same file afterwards, or to a
//! missing one in the same place.

use crate::support::*;
use bevy_egui::egui::Key;
use ossature::io::js3d;
use ossature::io::picture_files;
use ossature::scene::Scene;
use ossature::scene::resource::{Texture, TextureKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn scene(textures: &[(&str, &str)]) -> Scene {
    let mut scene = Scene::default();
    for (name, image) in textures {
        let texture = Texture::from(TextureKind::Image { sampler: "nearest".into(), image: (*image).into() });
        scene.textures.insert((*name).into(), Arc::new(texture));
    }
    scene
}

fn images(scene: &Scene) -> Vec<(String, String)> {
    let named = scene.textures.iter().filter_map(|(name, texture)| match &texture.kind {
        TextureKind::Image { image, .. } => Some((name.clone(), image.to_string())),
        _ => None,
    });
    named.collect()
}

/// Creates a folder with a scene and with files of the given contents.
fn folder(root: &Path, name: &str, textures: &[(&str, &str)], files: &[(&str, &str)]) -> PathBuf {
    let folder = root.join(name);
    for (path, content) in files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, content).expect("written");
    }
    let path = folder.join("scene.js3d");
    std::fs::create_dir_all(&folder).expect("made");
    std::fs::write(&path, js3d::write(&scene(textures)).expect("bytes")).expect("written");
    path
}

#[test]
fn pictures_stay_the_same_files_when_scenes_are_appended_and_saved_elsewhere() {
    let root = tempfile::tempdir().expect("a folder");
    let at = root.path();
    let mine = folder(
        at,
        "mine",
        &[("skin", "maps/skin.png"), ("lost", "lost.png")],
        &[("maps/skin.png", "of mine"), ("gone.png", "not that of yours")],
    );
    // The same names with other bytes, and a missing image where the other scene has a file of that name.
    let yours = folder(
        at,
        "yours",
        &[("skin", "maps/skin.png"), ("gone", "gone.png"), ("hat", "../hat.png")],
        &[("maps/skin.png", "of yours"), ("../hat.png", "a hat")],
    );
    let third = folder(at, "third/deep", &[], &[("maps/skin.png", "of a third"), ("lost.png", "another")]);
    let third = third.with_file_name("new.js3d");
    let Some(mut person) = Person::with_human() else {
        return;
    };
    person.drop_file(&mine);
    let before = person.bytes();
    person.click("File");
    person.click("File > Append scene…");
    person.app.frames(4);
    person.name_file(&yours);
    for _ in 0..200 {
        if person.steps() == ["Append scene"] {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
        person.app.frames(1);
    }
    let expected = [
        ("gone", "../yours/gone.png"),
        ("hat", "../hat.png"),
        ("lost", "lost.png"),
        ("skin", "maps/skin.png"),
        ("skin 1", "../yours/maps/skin.png"),
    ];
    let expect = |found: &Scene, expected: &[(&str, &str)]| {
        let found = images(found);
        let found: Vec<(&str, &str)> = found.iter().map(|(name, image)| (&**name, &**image)).collect();
        assert_eq!(found, expected);
    };
    expect(&person.scene(), &expected);
    person.app.key(Key::S, CTRL_SHIFT);
    person.app.frames(4);
    person.name_file(&third);
    let expected = [
        ("gone", "../../yours/gone.png"),
        ("hat", "../../hat.png"),
        ("lost", "../../mine/lost.png"),
        ("skin", "../../mine/maps/skin.png"),
        ("skin 1", "../../yours/maps/skin.png"),
    ];
    expect(&person.scene(), &expected);
    let (saved, _) = js3d::read_file(&third).expect("it was saved");
    expect(&saved, &expected);
    let content = |name: &str| {
        let image = images(&saved).into_iter().find(|(of, _)| of == name).expect("it is there").1;
        picture_files::read_bytes(&image, third.parent()).ok()
    };
    assert_eq!(content("skin").as_deref(), Some(&b"of mine"[..]));
    assert_eq!(content("skin 1").as_deref(), Some(&b"of yours"[..]));
    assert_eq!(content("hat").as_deref(), Some(&b"a hat"[..]));
    assert_eq!((content("gone"), content("lost")), (None, None));
    // Neither file was changed, and everything can be undone.
    assert!(std::fs::read(&mine).expect("there") == before);
    while !person.steps().is_empty() {
        person.app.key(Key::Z, CTRL);
    }
    assert!(person.bytes() == before);
}
