//! Tiny windows, odd scenes, and a person who does anything in any order.

use crate::random::Random;
use crate::support::*;
use bevy_egui::egui::{Event, Key, Modifiers, MouseWheelUnit, PointerButton, Pos2, TouchPhase, vec2};
use ossature::editor::embedded_human;
use ossature::io::js3d;
use ossature::rig::skeleton::{Bone, Handle, Skeleton};
use ossature::scene::Scene;
use ossature::scene::instance::{GeometryInstance, LightInstance};
use ossature::scene::resource::Shape;
use std::sync::Arc;

fn human() -> Scene {
    embedded_human().expect("the human can be read").0
}

/// Returns the human with a chain of a thousand bones, every hundredth with a handle that pulls.
fn a_thousand_bones() -> Scene {
    let mut scene = human();
    let bone = |i: u32| Bone {
        extent: glam::Vec3::new((i as f32 * 0.1).sin() * 0.02, 0.01, 0.01),
        radius: 0.05,
        parent: i.checked_sub(1),
        channel_id: i,
        ..Bone::default()
    };
    let handle = |i: u32| Handle {
        bone: i * 100 + 99,
        target: glam::Vec3::new(1.0, i as f32, 0.0),
        enabled: true,
        channel_id: i,
        ..Handle::default()
    };
    let skeleton = Skeleton {
        bones: (0..1000).map(bone).collect(),
        handles: (0..10).map(handle).collect(),
        ..Skeleton::default()
    };
    let skinned = scene.skinned_meshes.get_mut(MESH).expect("the human has a mesh");
    let skinned = Arc::make_mut(skinned);
    skinned.weights = Arc::new(ossature::rig::weights::VertexWeights::none(skinned.surface.vertex_count()));
    skinned.skeleton = Arc::new(skeleton);
    scene
}

/// Returns a scene without skinned meshes: a ball, a light without a resource, and an instance whose mesh is
/// missing.
fn no_skinned_mesh() -> Scene {
    let mut scene = human();
    scene.skinned_meshes.clear();
    scene.shapes.insert("Ball".into(), Arc::new(Shape { radius: 1.0, extra: Default::default() }));
    let ball = GeometryInstance { resource: Some("Ball".into()), ..GeometryInstance::default() };
    scene.instances.shapes.insert("Ball here".into(), Arc::new(ball));
    let light = LightInstance {
        transform: None,
        light: Some("nothing".into()),
        visible: true,
        extra: Default::default(),
    };
    scene.instances.delta_lights.insert("Lamp".into(), Arc::new(light));
    scene
}

#[test]
fn no_order_of_events_breaks_it() {
    // Files that happen to be saved go here.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let cases: [(&str, u32, u32, Scene, usize); 5] = [
        ("a tiny window", 64, 64, human(), 120),
        ("a small window", 420, 300, human(), 120),
        ("an empty scene", 320, 240, Scene::default(), 100),
        ("a thousand bones", 320, 240, a_thousand_bones(), 60),
        ("no skinned mesh", 320, 240, no_skinned_mesh(), 100),
    ];
    for (seed, (what, width, height, scene, events)) in cases.into_iter().enumerate() {
        let Some(mut person) = Person::with_scene(width, height, scene.clone()) else {
            return;
        };
        let path = folder.path().join("by chance.js3d");
        person.app.open(scene, Some(path));
        let mut random = Random::new(seed as u64 + 7);
        for _ in 0..events {
            act(&mut person, &mut random, (width as f32, height as f32));
            assert!(person.posed_is_finite(), "{what}");
        }
        // Any gesture in progress ends, and the program still responds.
        for button in [PointerButton::Primary, PointerButton::Secondary, PointerButton::Middle] {
            person.app.button(button, false);
        }
        for _ in 0..3 {
            person.key(Key::Escape);
        }
        assert!(!person.editor().session.in_transaction(), "{what}");
        let written = js3d::write(person.editor().session.scene()).expect(what);
        assert!(js3d::read(&written).is_ok(), "{what}");
        while person.editor().session.undo().is_some() {}
        person.app.frames(2);
        assert!(person.app.picture().is_some(), "{what}");
    }
}

impl Person {
    fn posed_is_finite(&mut self) -> bool {
        let camera = self.editor().viewport.camera;
        let skinned = self.shown().evaluated.skinned.values();
        let mut all = skinned.flat_map(|posed| &posed.positions);
        all.all(|p| p.is_finite()) && camera.eye().is_finite()
    }
}

/// Returns a position: mostly on a widget, otherwise anywhere in the window or slightly outside.
fn place(person: &mut Person, random: &mut Random, size: (f32, f32)) -> Pos2 {
    let widgets = person.app.widgets();
    if random.below(3) > 0 && !widgets.is_empty() {
        let rect = widgets[random.below(widgets.len())].rect;
        let at = rect.min + vec2(random.fraction(), random.fraction()) * rect.size();
        if at.x.is_finite() && at.y.is_finite() {
            return at;
        }
    }
    Pos2::new((random.fraction() * 1.2 - 0.1) * size.0, (random.fraction() * 1.2 - 0.1) * size.1)
}

fn act(person: &mut Person, random: &mut Random, size: (f32, f32)) {
    let button = *random.pick(&[
        PointerButton::Primary,
        PointerButton::Primary,
        PointerButton::Primary,
        PointerButton::Secondary,
        PointerButton::Middle,
    ]);
    let at = place(person, random, size);
    match random.below(12) {
        0 | 1 => person.app.event(Event::PointerMoved(at)),
        2 => person.app.button(button, true),
        3 => person.app.button(button, false),
        4 | 5 => {
            person.app.queue(Event::PointerMoved(at));
            person.app.button(button, true);
            person.app.button(button, false);
        }
        6 => {
            let to = place(person, random, size);
            person.app.queue(Event::PointerMoved(at));
            person.app.button(button, true);
            person.app.event(Event::PointerMoved(to));
            person.app.button(button, false);
        }
        7 | 8 => {
            use Key::*;
            let keys = [
                A, B, F, G, H, I, L, N, O, R, S, W, X, Z, Num1, Num3, Num5, Num7, Tab, Escape, Delete, Enter,
                ArrowDown, ArrowUp, F1,
            ];
            let key = *random.pick(&keys);
            let held = [Modifiers::NONE, Modifiers::SHIFT, Modifiers::ALT, CTRL, CTRL_SHIFT];
            // The folder of a new document is the current one: nothing may be saved there.
            let modifiers = *random.pick(&held);
            if !(key == Enter || key == S && modifiers.ctrl) {
                person.app.key(key, modifiers);
            }
        }
        9 => person.app.event(Event::Text((*random.pick(&["1", "-2.5", "x", "骨", ""])).into())),
        10 => person.app.event(Event::MouseWheel {
            unit: MouseWheelUnit::Line,
            delta: vec2(0.0, random.fraction() * 8.0 - 4.0),
            phase: TouchPhase::Move,
            modifiers: Modifiers::NONE,
        }),
        _ => person.app.event(Event::PointerGone),
    }
}
