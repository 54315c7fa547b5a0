//! The weights view in the picture, and weights calculated in the background.

use crate::support::*;
use bevy_egui::egui::{Key, Modifiers};
use ossature::edit::select::selection::Part;
use ossature::edit::settings::view::Tab;
use ossature::editor::ui::theme::viewport::UNWEIGHTED;
use ossature::editor::ui::weight_colors;
use ossature::rig::weights::VertexWeights;
use ossature::rig::weights::capsule::capsule_weights;
use std::sync::Arc;

fn hide_all_but_skin(person: &mut Person) {
    for key in [Key::B, Key::H, Key::G] {
        person.app.key(key, Modifiers::SHIFT);
    }
}

/// Returns the hue in degrees, and the saturation.
fn hue(rgb: [u8; 3]) -> (f32, f32) {
    let [r, g, b] = rgb.map(|c| f32::from(c) / 255.0);
    let (most, least) = (r.max(g).max(b), r.min(g).min(b));
    let chroma = (most - least).max(1e-6);
    let sixth = if most == r {
        ((g - b) / chroma).rem_euclid(6.0)
    } else if most == g {
        (b - r) / chroma + 2.0
    } else {
        (r - g) / chroma + 4.0
    };
    (60.0 * sixth, chroma / most.max(1e-6))
}

fn is_like(pixel: [u8; 4], color: bevy_egui::egui::Color32) -> bool {
    let (a, b) = (hue([pixel[0], pixel[1], pixel[2]]), hue([color.r(), color.g(), color.b()]));
    let apart = (a.0 - b.0).rem_euclid(360.0);
    apart.min(360.0 - apart) < 18.0 && (a.1 - b.1).abs() < 0.25
}

/// Counts the pixels around a place that resemble a colour: gizmos may cover the place itself.
fn around(picture: &Shot, (x, y): (f32, f32), color: bevy_egui::egui::Color32) -> usize {
    let all = (-8..=8).flat_map(|dx| (-8..=8).map(move |dy| (x + dx as f32, y + dy as f32)));
    all.filter(|(x, y)| is_like(picture.at(*x as u32, *y as u32), color)).count()
}

#[test]
fn the_weights_view_shows_the_map_s_colours() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let forearm = person.middle_of_bone(LEFT_FOREARM);
    person.click_at(forearm);
    assert_eq!(person.part(), Some(Part::Bone(LEFT_FOREARM)));
    hide_all_but_skin(&mut person);
    let plain = person.picture();
    person.key(Key::H);
    assert!(person.editor().settings.display.weights_view);
    let hot = person.picture();
    let strong = weight_colors::weight_color(1.0, false);
    let none = weight_colors::weight_color(0.0, false);
    let (x, y) = (forearm.0 as u32, forearm.1 as u32);
    let strong_pixels = around(&hot, forearm, strong);
    assert!(strong_pixels > 20, "{strong_pixels} pixels of the forearm are strong");
    let chest = person.shows(glam::Vec3::new(0.0, 4.1, 0.0));
    let chest = (chest.0 as u32, chest.1 as u32);
    assert!(is_like(hot.at(chest.0, chest.1), none), "the chest is {:?}", hot.at(chest.0, chest.1));
    assert!(person.sees_text("Weight of") && person.sees_text("No weights: none"));

    // The same pose in the other tab, and in rainbow colours.
    person.click("Animate");
    assert_eq!(person.editor().settings.tab, Tab::Animate);
    let at = person.middle_of_bone(LEFT_FOREARM);
    person.editor().settings.display.rainbow = true;
    let rainbow = person.picture();
    let red = weight_colors::weight_color(1.0, true);
    let red_pixels = around(&rainbow, at, red);
    assert!(red_pixels > 20, "{red_pixels} pixels of the forearm are red");
    person.editor().settings.display.rainbow = false;
    person.click("Rig");

    // No bone selected: each bone has its own colour.
    person.key(Key::Escape);
    assert_eq!(person.part(), None);
    let strongest = person.picture();
    let seen = strongest.at(x, y);
    assert!(is_like(seen, weight_colors::bone_color(LEFT_FOREARM)), "the forearm is {seen:?}");
    // The pointer on it shows the vertex and its bones.
    person.app.point_at(forearm.0, forearm.1);
    person.app.frames(3);
    assert!(person.sees_text("forearm.L") && person.sees_text("Sum 1"));

    person.key(Key::H);
    let selection = person.selection().with_part(Some(Part::Bone(LEFT_FOREARM)));
    person.editor().session.select(selection);
    let again = person.picture();
    let viewport = person.viewport().shrink(2.0);
    let apart = again.changed(&plain, viewport).len();
    assert!(apart < 50, "{apart} pixels are not as before");
}

#[test]
fn vertices_without_weights_are_seen_and_selected() {
    let (mut scene, _) = ossature::editor::embedded_human().expect("the human can be read");
    let human = Arc::make_mut(scene.skinned_meshes.get_mut(MESH).unwrap());
    let vertices = human.surface.vertex_count();
    human.weights = Arc::new(VertexWeights::none(vertices));
    let Some(mut person) = Person::with_scene(960, 640, scene) else {
        return;
    };
    hide_all_but_skin(&mut person);
    person.key(Key::H);
    let picture = person.picture();
    let chest = person.shows(glam::Vec3::new(0.0, 4.1, 0.0));
    let seen = picture.at(chest.0 as u32, chest.1 as u32);
    assert!(is_like(seen, UNWEIGHTED), "the chest is {seen:?}");
    // A selected vertex is drawn as a dot.
    let posed = person.posed();
    let nearest = |a: &usize, b: &usize| posed.positions[*a].z.total_cmp(&posed.positions[*b].z);
    let front = (0..vertices).max_by(nearest).unwrap();
    let selection = person.selection().with_vertices(vec![front as u32]);
    person.editor().session.select(selection);
    let dotted = person.picture();
    let at = person.shows(posed.positions[front]);
    let around = bevy_egui::egui::Rect::from_center_size(at.into(), bevy_egui::egui::Vec2::splat(12.0));
    let changed = dotted.changed(&picture, around).len();
    assert!((20..=100).contains(&changed), "{changed} pixels of the dot");
    assert_eq!(
        dotted.changed(&picture, person.viewport().shrink(2.0)).len(),
        changed,
        "nothing else changed"
    );
}

#[test]
fn weights_in_the_background_are_applied_once_given_up_or_dropped() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    person.editor().jobs.at_once = 0;
    let radius = |person: &mut Person, radius: f32| {
        let (mesh, bone) = (MESH.to_owned(), LEFT_FOREARM);
        let command = ossature::edit::command::Command::set_bone(mesh, bone, "radius", radius);
        person.editor().session.apply(&[command]).unwrap();
    };
    radius(&mut person, 0.7);
    let before = person.bytes();
    let calculating = |person: &mut Person| person.sees_text("Calculating weights, ");
    let end = |person: &mut Person| {
        // Wait however long it takes.
        while calculating(person) {
            std::thread::sleep(std::time::Duration::from_millis(5));
            person.app.frames(2);
        }
        person.app.frames(4);
    };
    let gate = person.editor().jobs.gate.clone();

    // Cancelled.
    let held = gate.lock().unwrap();
    person.click("Calculate bone weights");
    assert!(calculating(&mut person));
    person.click("Cancel");
    assert!(!calculating(&mut person));
    drop(held);
    person.app.frames(10);
    assert!(person.bytes() == before);
    assert!(person.messages().last().unwrap().contains("cancelled"));

    // Run to completion: the same as when calculated at once, in one step.
    let steps = person.steps().len();
    person.click("Calculate bone weights");
    end(&mut person);
    let human = person.scene().skinned_meshes[MESH].clone();
    assert!(*human.weights == capsule_weights(&human.skeleton, human.surface.positions()));
    assert_eq!(person.steps()[steps..], ["Calculate bone weights"]);
    assert!(human.bind_snapshot.moved(&human.skeleton).is_empty());
    // Again: it answers that nothing changed.
    person.click("Calculate bone weights");
    end(&mut person);
    assert_eq!(person.steps()[steps..], ["Calculate bone weights"]);
    assert!(person.messages().last().unwrap().contains("nothing changed"));
    person.app.key(Key::Z, CTRL);
    assert!(person.bytes() == before);

    // A bone changes meanwhile: the result is dropped, with a message.
    let held = gate.lock().unwrap();
    person.click("Calculate bone weights");
    radius(&mut person, 0.6);
    let changed = person.bytes();
    drop(held);
    end(&mut person);
    assert!(person.bytes() == changed);
    assert!(person.messages().last().unwrap().contains("dropped"));
}
