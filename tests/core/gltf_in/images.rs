//! Images in a file, in an unsaved scene's texture, in a folder next to the scene, and in a file again.

use super::characters::arm;
use super::has;
use crate::running::{Folder, bad, good, run};
use ossature::io::embedded_picture::is_embedded;
use ossature::io::gltf::read::read;
use ossature::io::import::ImportOptions;
use ossature::io::js3d;
use ossature::io::picture::Picture;
use ossature::scene::Scene;
use ossature::scene::resource::TextureKind;
use serde_json::json;
use std::path::Path;

/// Returns an image with red, green; blue, white.
fn png() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 2, 2);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().unwrap();
    let pixels = [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255];
    writer.write_image_data(&pixels).unwrap();
    writer.finish().unwrap();
    bytes
}

/// Returns a character with an embedded image.
pub fn textured(picture: &[u8]) -> Vec<u8> {
    let mut b = arm(&[0.0, 30.0, 10.0]);
    let uv = b.floats("VEC2", &[0.0, 0.0, 1.0, 0.0, 0.0, 0.5, 1.0, 0.5, 0.0, 1.0, 1.0, 1.0]);
    let view = b.view(picture);
    b.push("images", json!({ "name": "skin", "mimeType": "image/png", "bufferView": view }));
    b.push("textures", json!({ "source": 0 }));
    let color = json!({ "baseColorTexture": { "index": 0 }, "metallicFactor": 0.0 });
    b.push("materials", json!({ "name": "Skin", "pbrMetallicRoughness": color }));
    let primitive = &mut b.json["meshes"][0]["primitives"][0];
    primitive["material"] = json!(0);
    primitive["attributes"]["TEXCOORD_0"] = json!(uv);
    b.glb()
}

fn image(scene: &Scene) -> String {
    let texture = scene.textures.values().next().unwrap();
    match &texture.kind {
        TextureKind::Image { image, .. } => image.to_string(),
        TextureKind::Constant { .. } => String::new(),
    }
}

/// Runs `convert`, which must succeed, and returns its messages.
fn convert(arguments: &[&str]) -> String {
    let output = run(&[&["convert"], arguments].concat());
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {told}");
    told
}

fn saved(path: &Path) -> String {
    image(&js3d::read_file(path).unwrap().0)
}

#[test]
fn convert_writes_images_beside_the_scene() {
    let folder = Folder::new();
    std::fs::write(folder.path("hero.glb"), textured(&png())).unwrap();
    let [hero, scene] = ["hero.glb", "hero.js3d"].map(|name| folder.out(name));
    let told = convert(&[&hero, &scene]);
    assert!(told.contains("1 image written into") && told.contains("hero textures"), "{told}");
    assert_eq!(saved(&folder.path("hero.js3d")), "hero textures/skin.png");
    assert_eq!(std::fs::read(folder.path("hero textures/skin.png")).unwrap(), png());
    assert!(good(&["check", &scene]).contains("nothing found"));
    // The second time, the existing file is used.
    convert(&[&hero, &scene]);
    assert_eq!(std::fs::read_dir(folder.path("hero textures")).unwrap().count(), 1);
    let maps = folder.out("maps");
    convert(&[&hero, &scene, "--textures", &maps]);
    assert_eq!(saved(&folder.path("hero.js3d")), "maps/skin.png");
    convert(&[&hero, &scene, "--no-textures"]);
    assert_eq!(saved(&folder.path("hero.js3d")), "");
    let glb = folder.out("again.glb");
    assert!(bad(&["convert", &hero, &glb, "--textures", &maps]).0.contains("contains its images"));
    convert(&[&hero, &glb]);
    // Without the embedded scene, the image is in the file again.
    let again = std::fs::read(folder.path("again.glb")).unwrap();
    let options = ImportOptions { all_frames: true, ..ImportOptions::default() };
    let again = read(&again, None, &options).unwrap().scene;
    assert!(is_embedded(&image(&again)));
    let picture = Picture::from_texture(&image(&again), None).unwrap().unwrap();
    assert_eq!(picture.rgba[..8], [0, 0, 255, 255, 255, 255, 255, 255]);
}

#[test]
fn paths_lead_on_to_the_same_images() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("other")).unwrap();
    std::fs::write(folder.path("hero.glb"), textured(&png())).unwrap();
    let [hero, scene, other, glb] =
        ["hero.glb", "hero.js3d", "other/hero.js3d", "other/hero.glb"].map(|name| folder.out(name));
    convert(&[&hero, &scene]);
    convert(&[&scene, &other]);
    assert_eq!(saved(&folder.path("other/hero.js3d")), "../hero textures/skin.png");
    assert!(good(&["check", &other]).contains("nothing found"));
    // The embedded scene refers to a file that is missing, so the image in the glTF file is used.
    convert(&[&scene, &glb]);
    let bytes = std::fs::read(folder.path("other/hero.glb")).unwrap();
    let with = |without_images| ImportOptions { without_images, ..ImportOptions::default() };
    let found = read(&bytes, Some(&folder.path("other")), &with(false)).unwrap();
    assert!(is_embedded(&image(&found.scene)) && found.embedded == 1 && found.report.is_empty());
    // Next to its file, the scene is as it was.
    let beside = read(&bytes, Some(&folder.path(".")), &with(false)).unwrap();
    assert_eq!(image(&beside.scene), "hero textures/skin.png");
    let without = read(&bytes, Some(&folder.path("other")), &with(true)).unwrap();
    assert!(has(&without.report, "missing-picture") && without.embedded == 1);
}

#[test]
fn check_says_that_a_picture_is_damaged() {
    let folder = Folder::new();
    let mut damaged = png();
    let end = damaged.len() - 20;
    damaged.truncate(end);
    std::fs::write(folder.path("hero.glb"), textured(&damaged)).unwrap();
    let hero = folder.out("hero.glb");
    assert!(good(&["check", &hero]).contains("[damaged-picture]"));
    let scene = folder.out("hero.js3d");
    convert(&[&hero, &scene]);
    assert!(
        good(&["check", &scene])
            .contains("a checker is shown in its place (/scene/textures/Skin color/image)")
    );
    std::fs::write(folder.path("hero.glb"), textured(b"GIF89a..")).unwrap();
    assert!(good(&["check", &hero]).contains("[bad-image]"));
}

/// Commands that change a scene read glTF, too, and what they write has its images beside it.
#[test]
fn a_changed_character_has_its_images_beside_it() {
    let folder = Folder::new();
    std::fs::write(folder.path("hero.glb"), textured(&png())).unwrap();
    std::fs::create_dir(folder.path("rigs")).unwrap();
    let [hero, rig] = ["hero.glb", "rigs/rig.js3d"].map(|name| folder.out(name));
    let output = run(&["weights", &hero, "-o", &rig]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && told.contains("1 image written into"), "{told}");
    assert_eq!(saved(&folder.path("rigs/rig.js3d")), "rig textures/skin.png");
    assert_eq!(std::fs::read(folder.path("rigs/rig textures/skin.png")).unwrap(), png());
    // From one folder to another.
    let elsewhere = folder.out("elsewhere.js3d");
    assert!(run(&["weights", &rig, "-o", &elsewhere]).status.success());
    assert_eq!(saved(&folder.path("elsewhere.js3d")), "rigs/rig textures/skin.png");
}
