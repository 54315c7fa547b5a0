//! Changes of parents, and random sequences of commands.

use super::{applied, full};
use crate::editing::placing::{self};
use crate::editing::{Random, faults};
use crate::support::{filed, media};
use glam::{DAffine3, DVec3, Quat, Vec3};
use ossature::edit::command::Command;
use ossature::edit::session::Session;
use ossature::io::js3d;
use ossature::scene::resource::Transform;
use ossature::scene::world::{parent_from_local, world_matrix};
use std::collections::BTreeSet;
use std::sync::Arc;

fn put(name: &str, parent: Option<&str>, keep_place: bool) -> Command {
    Command::SetParent { transform: name.into(), parent: parent.map(Into::into), keep_place }
}

#[test]
fn nothing_hangs_on_itself() {
    let before = full();
    for (name, parent) in [("Place", "Place"), ("Place", "Child"), ("Nobody", "Place"), ("Place", "Nobody")] {
        let mut after = before.clone();
        put(name, Some(parent), true).apply(&mut after).unwrap_err();
        assert!(before.is_shared(&after));
    }
    let after = applied(&before, put("Child", None, false));
    assert_eq!(after.transforms["Child"].translation, Vec3::Y);
    assert_eq!(after.transforms["Child"].parent, None);
}

/// Under parents that turn, move, mirror and scale evenly, the place is kept exactly; under uneven scales
/// only the origin is, and everything where the axes agree.
#[test]
fn a_new_parent_keeps_the_place() {
    let mut random = Random::new(4);
    for round in 0..400 {
        let mut before = full();
        let any = |random: &mut Random, even: bool| {
            let size = 0.2 + random.unit().abs() * 3.0;
            let sign = if random.chance(30) { -1.0 } else { 1.0 };
            Transform {
                translation: random.vec3(5.0),
                rotation: Quat::from_euler(glam::EulerRot::XYZ, random.unit() * 3.0, random.unit(), 2.0),
                scale: if even {
                    Vec3::splat(size * sign)
                } else {
                    Vec3::splat(0.3) + random.vec3(1.0).abs()
                },
                ..Transform::default()
            }
        };
        let even = round % 2 == 0;
        let ground = any(&mut random, even);
        before.transforms.insert("Ground".into(), Arc::new(ground));
        let child = Transform {
            parent: Some("Place".into()),
            scale: Vec3::splat(0.3) + random.vec3(2.0),
            ..any(&mut random, even)
        };
        before.transforms.insert("Child".into(), Arc::new(child));
        let after = applied(&before, put("Child", Some("Ground"), true));
        let (old, new) = (world_matrix(&before, Some("Child")), world_matrix(&after, Some("Child")));
        assert!(old.translation.distance(new.translation) < 1e-4, "{old} {new}");
        if even {
            assert!(near(old, new), "round {round}: {old} {new}");
        }
        let back = applied(&after, put("Child", Some("Place"), true));
        let (old, new) = (&before.transforms["Child"], &back.transforms["Child"]);
        if even {
            assert!(old.scale.distance(new.scale) < 1e-3, "{old:?} {new:?}");
        }
    }
    let mut flat = full();
    let ground = Transform { scale: Vec3::new(1.0, 0.0, 1.0), ..Transform::default() };
    flat.transforms.insert("Ground".into(), Arc::new(ground));
    put("Child", Some("Ground"), true).apply(&mut flat.clone()).unwrap_err();
    put("Child", Some("Ground"), false).apply(&mut flat).unwrap();
}

fn near(a: DAffine3, b: DAffine3) -> bool {
    let points = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    points.into_iter().all(|p| a.transform_point3(p).distance(b.transform_point3(p)) < 2e-4)
}

#[test]
fn a_parent_in_between_moves_nothing() {
    let before = full();
    let transform = "Child".to_owned();
    let after = applied(&before, Command::AddParent { transform });
    assert_eq!(after.transforms["Child"].parent.as_deref(), Some("Child_parent"));
    assert_eq!(after.transforms["Child_parent"].parent.as_deref(), Some("Place"));
    assert_eq!(parent_from_local(&after.transforms["Child_parent"]), DAffine3::IDENTITY);
    assert_eq!(world_matrix(&before, Some("Child")), world_matrix(&after, Some("Child")));
}

/// Any sequence on scenes with everything in them: no new fault, undone to the byte, and the file comes
/// back as it was.
#[test]
fn any_sequence_leaves_a_sound_scene_and_file() {
    let mut starts = vec![full()];
    starts.extend(media().iter().map(|path| js3d::read_file(path).unwrap().0));
    for (index, start) in starts.iter().enumerate() {
        let was: BTreeSet<String> = faults(start).into_iter().collect();
        for seed in 0..12 {
            let mut random = Random::new(100 + seed);
            let mut session = Session::new(start.clone(), None);
            for step in 0..60 {
                let wrong = random.chance(10);
                let kind = random.below(placing::KINDS);
                let command = placing::command(&mut random, session.scene(), kind, wrong);
                let before = session.scene().clone();
                if session.apply(std::slice::from_ref(&command)).is_err() {
                    assert!(session.scene().is_shared(&before));
                }
                let new: Vec<String> =
                    faults(session.scene()).into_iter().filter(|f| !was.contains(f)).collect();
                assert_eq!(new, Vec::<String>::new(), "scene {index} seed {seed} step {step} {command:?}");
                let selection = session.selection();
                assert_eq!(selection.existing_in(session.scene()), *selection);
            }
            let bytes = js3d::write(session.scene()).unwrap();
            let (back, _) = js3d::read(&bytes).unwrap();
            assert!(filed(&back) == filed(session.scene()), "scene {index} seed {seed}");
            while session.undo().is_some() {}
            assert!(*session.scene() == *start);
        }
    }
}
