//! What is framed, when a scene is opened, on request and after an import, lies in the part of the view that nothing
//! covers.

use crate::support::*;
use bevy_egui::egui::{Key, Modifiers, Pos2, Rect};
use ossature::edit::compare::Layout;
use ossature::edit::request::Request;
use ossature::editor::embedded_human;

/// In windows of three sizes, whatever bars and banners there are. A banner that comes moves nothing.
#[test]
fn nothing_is_framed_under_a_bar_or_a_banner() {
    for (width, height) in [(1280, 800), (1920, 1080), (1024, 700)] {
        let (scene, _) = embedded_human().expect("the human can be read");
        let Some(mut person) = Person::with_scene(width, height, scene) else {
            return;
        };
        let check = |person: &mut Person, banner: &str| {
            let visible = person.viewport();
            assert!(banner.is_empty() || !visible.intersects(person.rect(banner)), "{banner}");
            for button in ["Move", "Wireframe"] {
                assert!(!visible.intersects(person.rect(button)), "{button}");
            }
            let skin = person.scene().skinned_meshes[MESH].surface.clone();
            for &point in skin.positions() {
                let (x, y) = person.shows(point);
                assert!(visible.contains(Pos2::new(x, y)), "{width} {banner}: {x} {y} in {visible}");
            }
        };
        check(&mut person, "");
        let before = person.editor().viewport.camera;
        person.click_row("Bone upper_arm.L");
        person.key(Key::H);
        check(&mut person, "Weight of upper_arm.L");
        person.key(Key::N);
        person.app.frames(2);
        assert_eq!(person.editor().viewport.camera, before, "nothing moves");
        check(&mut person, "End New bone");
        person.key(Key::F);
        person.app.frames(3);
        person.app.key(Key::A, Modifiers::NONE);
        person.app.frames(3);
        check(&mut person, "End New bone");
    }
}

/// The banner of unkeyed changes, and the captions of Compare.
#[test]
fn nothing_is_framed_under_what_animate_puts_over_the_view() {
    for (width, height) in [(1280, 800), (1024, 700)] {
        let (scene, _) = embedded_human().expect("the human can be read");
        let Some(mut person) = Person::with_scene(width, height, scene) else {
            return;
        };
        person.click("Animate");
        person.click_row("Bone upper_arm.L");
        person.key(Key::K);
        for x in [20.0, 30.0] {
            person.drag_widget("Pose z slider", x);
        }
        person.app.key(Key::C, Modifiers::SHIFT);
        person.editor().settings.compare.layout = Layout::Split;
        person.app.frames(4);
        person.key(Key::Home);
        person.app.frames(30);
        let visible = person.viewport();
        let labels: Vec<String> = person.app.widgets().into_iter().map(|widget| widget.label).collect();
        let over = |label: &&String| {
            label.starts_with("Left: ") || label.starts_with("Right: ") || *label == "Key unkeyed changes"
        };
        let over: Vec<&String> = labels.iter().filter(over).collect();
        assert_eq!(over.len(), 3, "{labels:?}");
        let over: Vec<Rect> = over.into_iter().map(|label| person.rect(label)).collect();
        let posed = person.posed();
        for &point in &posed.positions {
            let (x, y) = person.shows(point);
            let shown = Pos2::new(x, y);
            let is_covered = over.iter().any(|rect| rect.contains(shown));
            assert!(visible.contains(shown) && !is_covered, "{width}: {shown} in {visible}");
        }
    }
}

/// A body with z up, in centimetres: it stands on the floor, and all of it is seen.
#[test]
fn an_imported_body_stands_in_what_is_free_of_the_view() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("column.obj");
    let mut text = String::new();
    for z in [20.0, 190.0] {
        for (x, y) in [(-30.0, -12.0), (30.0, -12.0), (30.0, 12.0), (-30.0, 12.0)] {
            text += &format!("v {x} {y} {z}\n");
        }
    }
    text += "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    std::fs::write(&path, text).unwrap();
    for (width, height) in [(1280, 800), (1024, 700)] {
        let (scene, _) = embedded_human().expect("the human can be read");
        let Some(mut person) = Person::with_scene(width, height, scene) else {
            return;
        };
        person.editor().requests.push(Request::ImportPath(path.clone()));
        person.app.frames(4);
        person.click("Import");
        person.app.frames(30);
        let name = person.selection().mesh.or(person.selection().instance.map(|i| i.name));
        let scene = person.scene();
        let mesh = scene.meshes.values().next_back().map(|mesh| mesh.surface.clone());
        let surface = mesh.or_else(|| Some(scene.skinned_meshes[&name?].surface.clone()));
        let surface = surface.expect("it is in the scene");
        let lowest = surface.positions().iter().map(|p| p.y).fold(f32::INFINITY, f32::min);
        assert_eq!(lowest, 0.0, "it stands on the floor");
        let free = person.editor().viewport.free();
        for &point in surface.positions() {
            let (x, y) = person.shows(point);
            assert!(free.contains(Pos2::new(x, y)), "{width}: {x} {y} in {free:?}");
        }
    }
}
