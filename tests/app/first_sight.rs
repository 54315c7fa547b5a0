//! The first picture of the human.

use crate::support::*;
use bevy_egui::egui::{Key, Modifiers, Pos2};
use glam::{Vec2, Vec3};
use ossature::editor::embedded_human;
use ossature::scene::resource::Transform;
use std::sync::Arc;

#[test]
fn the_human_stands_where_its_vertices_are_projected_and_nowhere_else() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    assert!(person.sees("Rig") && person.sees("Animate") && person.sees("File"));
    assert_eq!(person.steps(), Vec::<String>::new());
    assert_eq!(person.messages(), Vec::<String>::new());
    let posed = person.posed();
    assert!(posed.positions.iter().all(|p| p.is_finite()) && posed.normals().all(|n| n.is_finite()));
    assert!(posed.current.iter().chain(&posed.bind).all(|m| m.is_finite()));
    let camera = person.editor().viewport.camera;
    assert!(camera.eye().is_finite() && camera.target.is_finite());

    let all = person.picture();
    // Only the skin, then nothing at all.
    for key in [Key::B, Key::H, Key::G] {
        person.app.key(key, Modifiers::SHIFT);
    }
    person.editor().settings.display.show_floor = false;
    let skin = person.picture();
    person.app.key(Key::S, Modifiers::SHIFT);
    let empty = person.picture();
    let mut viewport = person.viewport().shrink(1.0);
    // Skip the bar of switches.
    viewport.min.y += 42.0;
    let middle = viewport.center();
    let background = empty.at(middle.x as u32, middle.y as u32);
    // The axes in the corner, with the name of the view.
    let axes = person.rect("View: Perspective");
    let axes = axes.with_max_x(axes.right() + 100.0);
    let spots = empty
        .pixels(viewport)
        .filter(|&(x, y)| !axes.contains(Pos2::new(x as f32, y as f32)))
        .filter(|&(x, y)| empty.at(x, y) != background);
    assert_eq!(spots.count(), 0, "an empty viewport has one colour");

    let silhouette = skin.changed(&empty, viewport);
    let shown: Vec<_> = posed.positions.iter().map(|p| person.shows(*p)).collect();
    let around = around(shown.iter().copied());
    assert!(viewport.contains_rect(around), "the human fits: {around} in {viewport}");
    assert!(around.height() > 0.6 * viewport.height(), "and fills the view: {around} in {viewport}");
    let outside = silhouette.iter().filter(|p| !around.expand(2.0).contains(Pos2::new(p.x, p.y)));
    assert_eq!(outside.count(), 0);
    let covered = shown.iter().filter(|(x, y)| {
        let (x, y) = (x.floor() as u32, y.floor() as u32);
        skin.at(x, y) != background
    });
    let covered = covered.count() as f32 / shown.len() as f32;
    assert!(covered > 0.95, "{covered} of the vertices are in the silhouette");
    assert!(
        silhouette.len() as f32 > 0.1 * around.area(),
        "the skin covers its area: {} pixels",
        silhouette.len()
    );
    // Bones are in front of it and the grid is behind it.
    assert!(all.changed(&skin, viewport).len() > 1000);
}

/// Each tab frames everything that it shows until the view has been moved.
#[test]
fn each_tab_frames_what_it_shows_until_the_view_is_moved() {
    let (mut scene, _) = embedded_human().unwrap();
    let mut second = (*scene.instances.skinned_meshes[INSTANCE]).clone();
    second.transform = Some("Aside".into());
    let aside = Transform { translation: Vec3::new(5.0, 0.0, 0.0), ..Transform::default() };
    scene.transforms.insert("Aside".into(), Arc::new(aside));
    scene.instances.skinned_meshes.insert("Second".into(), Arc::new(second));
    let Some(mut person) = Person::with_scene(960, 640, scene) else {
        return;
    };
    person.click("Animate");
    person.app.frames(3);
    let posed = person.posed();
    let viewport = person.viewport();
    for name in [Some(INSTANCE), Some("Second")] {
        let instances = &person.shown().evaluated.scene.instances.skinned_meshes;
        let transform = instances[name.unwrap()].transform.clone();
        let world = person.shown().evaluated.world(transform.as_deref());
        let shown = posed.positions.iter().map(|p| world.transform_point3(*p));
        let shown: Vec<_> = shown.map(|p| person.shows(p)).collect();
        let around = around(shown);
        assert!(viewport.contains_rect(around), "{name:?}: {around} in {viewport}");
    }
    // Once moved, it stays where it is.
    person.app.point_at(viewport.center().x, viewport.center().y);
    person.app.wheel(3.0);
    let distance = person.editor().viewport.camera.distance;
    person.click("Rig");
    person.click("Animate");
    person.app.frames(3);
    assert!((person.editor().viewport.camera.distance / distance - 1.0).abs() < 1e-4);
}

/// Edges without a surface behind them stand out from the dark background, in both tabs.
#[test]
fn a_wireframe_without_surface_is_light_on_dark() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    for key in [Key::B, Key::H, Key::G, Key::S] {
        person.app.key(key, Modifiers::SHIFT);
    }
    for tab in ["Rig", "Animate"] {
        person.click(tab);
        let empty = person.picture();
        person.app.key(Key::Z, Modifiers::SHIFT);
        let wires = person.picture();
        let mut viewport = person.viewport().shrink(1.0);
        viewport.min.y += 42.0;
        let brightness = |shot: &Shot, at: Vec2| {
            let [r, g, b, _] = shot.at(at.x as u32, at.y as u32);
            i32::from(r) + i32::from(g) + i32::from(b)
        };
        let drawn = wires.changed(&empty, viewport);
        let light = drawn.iter().filter(|at| brightness(&wires, **at) > brightness(&empty, **at));
        assert!(drawn.len() > 500, "{tab}: {}", drawn.len());
        assert_eq!(light.count(), drawn.len(), "{tab}");
        person.app.key(Key::Z, Modifiers::SHIFT);
    }
}
