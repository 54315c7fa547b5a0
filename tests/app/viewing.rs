//! Viewing and picking: names under the pointer, clicks through gizmos, repeated clicks, views along an axis
//! and through a camera, outlines, glyphs that are ready when their text is.

use crate::support::*;
use bevy_egui::egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect};
use glam::{Quat, Vec3};
use ossature::edit::select::pick::{PickTarget, Pickable, pick};
use ossature::edit::select::selection::{Part, Selection};
use ossature::editor::embedded_human;
use ossature::editor::panels::messages::Level;
use ossature::mesh::primitives::cuboid;
use ossature::scene::instance::{CameraInstance, ParticlesInstance};
use ossature::scene::resource::{Camera, Film, Mesh, Particle, Particles, Transform};
use std::sync::Arc;

impl Person {
    /// Returns the bones under a point of the window, best first; none if there is another part of the
    /// skeleton.
    fn bones_under(&mut self, (x, y): (f32, f32)) -> Vec<usize> {
        let corner = self.editor().viewport.origin();
        let editor = self.editor();
        let view = editor.view();
        let hits = pick(
            &Pickable::from_view(&view),
            &editor.viewport.view(),
            glam::Vec2::new(x - corner.x, y - corner.y),
        );
        let mut bones = Vec::new();
        for hit in hits {
            if matches!(hit.target, PickTarget::Base | PickTarget::Handle(_)) {
                return Vec::new();
            }
            if let PickTarget::Bone(bone) | PickTarget::Tip(bone) = hit.target
                && !bones.contains(&bone)
            {
                bones.push(bone);
            }
        }
        bones
    }

    /// Presses and releases at the pointer in one frame, with modifiers that are held only then.
    fn hasty_click(&mut self, modifiers: Modifiers, (x, y): (f32, f32)) {
        self.app.point_at(x, y);
        for pressed in [true, false] {
            self.app.queue(Event::PointerButton {
                pos: Pos2::new(x, y),
                button: PointerButton::Primary,
                pressed,
                modifiers,
            });
        }
        self.app.frames(3);
    }
}

#[test]
fn what_is_under_the_pointer_is_named() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let (x, y) = person.middle_of_bone(LEFT_FOREARM);
    let name = "forearm.L".to_owned();
    assert!(!person.sees(&name));
    person.app.point_at(x, y);
    person.app.frames(2);
    assert!(person.sees(&name), "next to the pointer");
    assert!(person.sees_text(&format!("{name} · ")), "in the status bar");
    let corner = person.viewport().max;
    person.app.point_at(corner.x - 10.0, corner.y - 10.0);
    person.app.frames(2);
    assert!(!person.sees(&name));
}

#[test]
fn repeated_clicks_cycle_and_a_click_reaches_through_rings() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    person.click("Animate");
    person.app.frames(4);
    // Find a place where two bones overlap.
    let bones = person.skeleton().bones.len();
    let found = (0..bones).find_map(|bone| {
        let at = person.middle_of_bone(bone);
        let under = person.bones_under(at);
        (under.len() > 1).then_some((at, under))
    });
    let (at, under) = found.expect("two bones overlap");
    let mut clicked = Vec::new();
    for _ in 0..=under.len() {
        person.click_at(at);
        clicked.push(person.part());
    }
    let mut expected: Vec<_> = under.iter().map(|bone| Some(Part::Bone(*bone))).collect();
    expected.push(expected[0]);
    assert_eq!(clicked, expected);

    // The rings of a bone cover other bones: a click on a ring selects the bone below, a drag rotates.
    let chest = person.selection();
    let all: Vec<_> = (0..bones).map(|bone| (bone, person.middle_of_bone(bone))).collect();
    let through = all.into_iter().find_map(|(bone, at)| {
        let others = (0..bones).filter(|other| *other != bone);
        others.into_iter().find_map(|other| {
            person.editor().session.select(chest.with_part(Some(Part::Bone(other))));
            person.app.point_at(at.0, at.1);
            person.app.frames(1);
            let over = person.editor().viewport.hovered_target.clone();
            let on_ring = person.sees_text("Drag to rotate about");
            (on_ring && over == Some(PickTarget::Bone(bone))).then_some((other, bone, at))
        })
    });
    let (ringed, beneath, at) = through.expect("a ring covers a bone");
    assert_eq!(person.part(), Some(Part::Bone(ringed)));
    let steps = person.steps();
    person.click_at(at);
    assert_eq!(person.part(), Some(Part::Bone(beneath)));
    assert_eq!(person.steps(), steps, "nothing was rotated");
}

#[test]
fn a_hasty_click_keeps_its_modifiers() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let (first, second) = (person.middle_of_bone(LEFT_UPPER_ARM), person.middle_of_bone(LEFT_FOREARM));
    person.click_at(first);
    person.hasty_click(CTRL, second);
    let parts: Vec<Part> = person.selection().parts().collect();
    assert_eq!(parts, [Part::Bone(LEFT_FOREARM), Part::Bone(LEFT_UPPER_ARM)]);
    // Also in the tree.
    person.click_row("Bone pelvis");
    let row = person.rect("Bone spine").center();
    person.hasty_click(CTRL, (row.x, row.y));
    assert_eq!(person.selection().parts().count(), 2);
}

/// Releasing Shift first makes the bracket arrive as another character, but it is the same key.
#[test]
fn a_bracket_works_again_after_shift_was_released_first() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let at = person.middle_of_bone(LEFT_FOREARM);
    person.click_at(at);
    for count in 2..4 {
        for (key, pressed, modifiers) in
            [(Key::OpenCurlyBracket, true, Modifiers::SHIFT), (Key::OpenBracket, false, Modifiers::NONE)]
        {
            person.app.modifiers(modifiers);
            person.app.event(Event::Key {
                key,
                physical_key: Some(Key::OpenBracket),
                pressed,
                repeat: false,
                modifiers,
            });
        }
        person.app.frames(2);
        assert_eq!(person.selection().parts().count(), count);
    }
}

/// New glyphs are in the picture of the first frame that shows them, and so are all others.
#[test]
fn new_letters_are_there_at_once() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    person.app.draw_all(true);
    // Enough of them to make the glyph texture grow.
    let letters: String = ('\u{c0}'..'\u{24f}').chain('\u{390}'..'\u{3ce}').collect();
    person.editor().panels.messages.push(Level::Info, "New letters", letters);
    person.editor().panels.messages.open = true;
    // The messages window takes some frames to find its size; each of them must be complete.
    let menu = person.rect("File");
    for frame in 0..5 {
        let now = person.picture_now();
        let ink = now.pixels(menu).filter(|&(x, y)| now.at(x, y)[0] > 120).count();
        assert!(ink > 20, "the menu is blank in frame {frame}");
    }
    person.editor().panels.messages.open = false;
    person.app.frames(3);
    person.editor().session.select(Selection::default());
    let mut scene = person.scene();
    let mesh = scene.skinned_meshes.remove(MESH).expect("the human");
    scene.skinned_meshes.insert("ᴁꜲꝎ Ω".into(), mesh);
    person.app.open(scene, None);
    let first = person.picture_now();
    person.app.frames(6);
    let later = person.picture_now();
    let title = person.viewport();
    let side = Rect::from_min_max(Pos2::new(0.0, title.top()), title.left_bottom());
    assert!(later.changed_by(60, &first, side).len() < 40);
    person.app.draw_all(false);
}

#[test]
fn views_along_an_axis_are_orthographic_until_they_are_orbited() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let viewport = person.viewport().shrink(1.0);
    let (from, to) = (viewport.left_bottom(), viewport.center());
    let orbit = |person: &mut Person| {
        let (a, b) = ((from.x + 30.0, from.y - 30.0), (to.x, to.y));
        person.app.drag_with(PointerButton::Middle, a, b, 3);
    };
    let parallel = |person: &mut Person| person.editor().viewport.camera.orthographic;
    person.key(Key::Num1);
    assert!(parallel(&mut person));
    person.key(Key::Num3);
    assert!(parallel(&mut person));
    orbit(&mut person);
    assert!(!parallel(&mut person) && !person.editor().settings.display.orthographic);
    // If the user chose it, it stays.
    person.key(Key::Num5);
    person.key(Key::Num1);
    orbit(&mut person);
    assert!(parallel(&mut person));
    person.key(Key::Num5);
    // Another document does not take it over.
    person.key(Key::Num1);
    assert!(parallel(&mut person));
    person.app.key(Key::N, CTRL);
    person.app.frames(2);
    assert!(!parallel(&mut person) && !person.editor().settings.display.orthographic);
    // With the preference off it is never used.
    person.editor().settings.display.orthographic_axis_views = false;
    person.key(Key::Num1);
    assert!(!parallel(&mut person));
}

#[test]
fn a_camera_of_the_scene_is_looked_through() {
    let (mut scene, _) = embedded_human().expect("the human can be read");
    let stand = Transform {
        translation: Vec3::new(3.0, 5.0, 9.0),
        // Tilted, and rolled to one side.
        rotation: Quat::from_rotation_y(0.3) * Quat::from_rotation_x(-0.2) * Quat::from_rotation_z(0.25),
        ..Transform::default()
    };
    let lens = Camera {
        vertical_fov: 40.0,
        aspect_ratio: 1.5,
        near_plane: 0.1,
        aperture_shape: 1,
        aperture_size: 0.0,
        focal_dist: 1.0,
        film: Film { width: 600, height: 400, samples: 1, max_ray_depth: 1, sample_pattern: String::new() },
        extra: Default::default(),
    };
    let placed = CameraInstance {
        transform: Some("Stand".into()),
        camera: Some("Lens".into()),
        ..CameraInstance::default()
    };
    scene.transforms.insert("Stand".into(), Arc::new(stand));
    scene.cameras.insert("Lens".into(), Arc::new(lens));
    scene.instances.cameras.insert("Eye".into(), Arc::new(placed));
    let Some(mut person) = Person::with_scene(960, 640, scene) else {
        return;
    };
    person.key(Key::Num0);
    assert_eq!(person.editor().settings.display.camera, None, "in Rig there are no cameras");
    person.click("Animate");
    person.app.frames(4);
    let before = person.editor().viewport.camera;
    person.key(Key::Num0);
    let Some(name) = person.editor().settings.display.camera.clone() else {
        panic!("{:?}", person.messages());
    };
    let editor = person.editor();
    let camera = &editor.shown.evaluated.scene.instances.cameras[&name];
    let world = editor.shown.evaluated.world(camera.transform.as_deref());
    let view = editor.viewport.camera;
    assert!(view.eye().distance(world.transform_point3(Vec3::ZERO)) < 1e-3);
    let [_, up, back] = view.axes();
    assert!(back.distance(world.z_axis.truncate().normalize()) < 1e-3);
    assert!(up.distance(world.y_axis.truncate().normalize()) < 1e-3);
    person.key(Key::Num0);
    assert_eq!(person.editor().viewport.camera, before);
    // Orbiting leaves the camera where it is.
    person.key(Key::Num0);
    let corner = person.viewport().left_bottom();
    let (a, b) = ((corner.x + 30.0, corner.y - 30.0), (corner.x + 90.0, corner.y - 60.0));
    person.app.drag_with(PointerButton::Middle, a, b, 3);
    assert_eq!(person.editor().settings.display.camera, None);
}

/// Draws the particles saved in the file, each with the mesh of their instance.
#[test]
fn particles_are_drawn_by_their_mesh() {
    let (mut scene, _) = embedded_human().expect("the human can be read");
    let place = Vec3::new(3.0, 4.0, 0.0);
    let surface = cuboid(Vec3::ONE).expect("a cube");
    let mesh = Mesh { surface: Arc::new(surface), ..Mesh::default() };
    let particles = Particles {
        gravity: Vec3::ZERO,
        radius: 0.5,
        initial_velocity: 0.0,
        spread_angle: 0.0,
        lifetime: 1.0,
        rate: 1.0,
        step_size: 0.1,
        seed: 1,
        particles: vec![Particle { position: place, ..Particle::default() }],
        extra: Default::default(),
    };
    let placed = ParticlesInstance {
        transform: None,
        mesh: Some("Cube".into()),
        material: None,
        particles: Some("Sparks".into()),
        visible: true,
        wireframe: false,
        simulate_here: false,
        extra: Default::default(),
    };
    scene.meshes.insert("Cube".into(), Arc::new(mesh));
    scene.particles.insert("Sparks".into(), Arc::new(particles));
    scene.instances.particles.insert("Fire".into(), Arc::new(placed));
    let Some(mut person) = Person::with_scene(960, 640, scene) else {
        return;
    };
    person.click("Animate");
    person.app.frames(4);
    let (x, y) = person.shows(place);
    let area = Rect::from_center_size(Pos2::new(x, y), bevy_egui::egui::vec2(12.0, 12.0));
    let with = person.picture();
    person.editor().settings.display.show_skin = false;
    let without = person.picture();
    assert!(with.changed(&without, area).len() > 100, "the cube fills it");
}

#[test]
fn the_selected_instance_has_an_outline() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    person.click("Animate");
    person.app.frames(4);
    let scene = person.scene();
    person.editor().settings.display.show_bones = false;
    person.editor().settings.display.show_handles = false;
    let whole = Selection::from_mesh(&scene, MESH);
    let orange = |shot: &Shot, person: &mut Person| {
        let viewport = person.viewport();
        let is_orange = |&(x, y): &(u32, u32)| {
            let [r, g, b, _] = shot.at(x, y);
            r > 190 && (90..190).contains(&g) && b < 110
        };
        shot.pixels(viewport).filter(is_orange).count()
    };
    person.editor().session.select(Selection::default());
    let without = person.picture();
    let before = orange(&without, &mut person);
    person.editor().session.select(whole);
    let with = person.picture();
    let after = orange(&with, &mut person);
    assert!(after > before + 300, "{before} {after}");
}

#[test]
fn a_bone_is_rotated_in_rig_given_up_and_undone() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let at = person.middle_of_bone(LEFT_UPPER_ARM);
    person.click_at(at);
    person.key(Key::E);
    let skeleton = person.skeleton();
    let on_ring = {
        let viewport = person.editor().viewport.view();
        let shape = person.gizmo_shape();
        let points = shape.lines.iter().flat_map(|line| &line.points);
        let mut held = points.filter(|p| {
            let pixel = viewport.project(**p).map(|shown| shown.pixel);
            pixel.is_some_and(|pixel| shape.hit(&viewport, pixel).is_some())
        });
        *held.next().expect("a ring can be grabbed")
    };
    let from = person.shows(on_ring);
    let to = (from.0 + 40.0, from.1 + 40.0);
    person.app.drag_hold(from, to, 3);
    assert!(*person.skeleton() != *skeleton);
    person.key(Key::Escape);
    person.release();
    assert!(*person.skeleton() == *skeleton);
    person.app.drag_hold(from, to, 2);
    person.app.text("3");
    person.app.text("0");
    person.release();
    let turned = person.skeleton();
    let (was, is) = (&skeleton.bones[LEFT_FOREARM], &turned.bones[LEFT_FOREARM]);
    assert!((was.extent.length() - is.extent.length()).abs() < 1e-4);
    assert!(was.extent.distance(is.extent) > 1e-3, "it follows");
    assert_eq!(person.steps(), ["Rotate upper_arm.L"]);
    person.app.key(Key::Z, CTRL);
    assert!(*person.skeleton() == *skeleton);
}
