//! The Compare view in the window.

use crate::support::*;
use bevy_egui::egui::{Key, Modifiers};
use glam::Vec3;
use ossature::edit::action::Action;
use ossature::edit::command::Command;
use ossature::edit::request::Request;
use ossature::edit::view::Tab;
use ossature::io::js3d;
use ossature::rig::weights::method::Method;
use ossature::scene::append::append;
use ossature::scene::instance::InstanceKind;
use ossature::scene::names::{Kind, Thing};
use std::path::Path;

fn tube() -> Option<Person> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d/cylinder.js3d");
    let (mut scene, _) = js3d::read_file(&file).unwrap();
    // Twice, so that one is left when the other is deleted.
    append(&mut scene, &scene.clone());
    let mut person = Person::with_scene(1280, 800, scene)?;
    person.click("Animate");
    Some(person)
}

/// Until all frames have been measured.
fn wait(person: &mut Person) {
    for _ in 0..3000 {
        person.app.frames(1);
        let panel = &person.editor().panels.compare;
        if !panel.curves.frames.is_empty() && panel.measured == panel.curves.frames.len() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("the frames are not measured");
}

#[test]
fn on_and_off_and_nothing_else_has_changed() {
    let Some(mut person) = tube() else { return };
    let (bytes, alone) = (person.bytes(), person.picture());
    person.editor().session.set_frame(48.0);
    person.app.key(Key::C, Modifiers::SHIFT);
    wait(&mut person);
    assert!(person.sees("Left: Linear blend") && person.sees("Right: Dual quaternions"));
    let both = person.picture();
    let viewport = person.viewport();
    assert!(both.changed(&alone, viewport).len() > 1000);
    // The numbers are those of the curves.
    let panel = &person.editor().panels.compare;
    let numbers = panel.numbers.unwrap();
    assert_eq!((numbers.frame, Some(numbers.sides)), (48.0, panel.curves.at(48)));
    assert!(numbers.sides[0].volume < numbers.sides[1].volume);

    // The copy stands in the picture, and cannot be taken hold of.
    let compared = person.editor().evaluated.compare.clone().unwrap();
    let editor = person.editor();
    let world = editor.world_from_mesh();
    let middle = |side: usize| {
        let posed = &compared.sides[side].posed;
        let sum: Vec3 = posed.positions.iter().sum();
        let middle = world.transform_point3(sum / posed.positions.len() as f32);
        middle + compared.of.offset * side as f32
    };
    let (left, right) = (middle(0), middle(1));
    let (left, right) = (person.shows(left), person.shows(right));
    for at in [left, right] {
        assert!(viewport.contains(bevy_egui::egui::pos2(at.0, at.1)), "{at:?}");
    }
    person.app.point_at(right.0, right.1);
    assert_eq!(person.editor().viewport.over, None);
    person.click_at(left);
    assert!(person.selection().mesh.is_some());

    assert_eq!((person.steps(), person.bytes()), (Vec::new(), bytes.clone()));
    person.click("Close Compare");
    person.app.frames(4);
    assert!(person.editor().evaluated.compare.is_none() && !person.sees("Close Compare"));
    assert_eq!((person.steps(), person.bytes()), (Vec::new(), bytes));
}

#[test]
fn the_document_may_change_meanwhile() {
    let Some(mut person) = tube() else { return };
    person.app.key(Key::C, Modifiers::SHIFT);
    wait(&mut person);
    let thing = Thing {
        kind: Kind::Instance(InstanceKind::SkinnedMesh),
        name: "Tube instance".into(),
    };
    let rename = Command::Rename {
        thing: thing.clone(),
        name: "Hose".into(),
    };
    person.editor().requests.push(Request::Apply(vec![rename]));
    person.app.frames(4);
    assert_eq!(person.editor().panels.compare.name, "Hose");
    assert!(person.editor().evaluated.compare.is_some());
    // Other weights, of which one cannot be had by the human but by the tube.
    person.editor().settings.compare.sides[1].weights = Some(Method::Tube { exponent: 2.0 });
    wait(&mut person);
    assert!(person.sees_text("Tube, exponent 2"));
    for name in ["Hose", "Tube instance 1"] {
        let delete = Command::Delete {
            thing: Thing {
                name: name.into(),
                ..thing.clone()
            },
            with_data: true,
        };
        person.editor().requests.push(Request::Apply(vec![delete]));
        person.app.frames(4);
    }
    assert!(person.editor().evaluated.compare.is_none());
    assert!(person.sees_text("no visible skinned mesh"));
    person.editor().requests.push(Request::Act(Action::Undo));
    person.app.frames(4);
    let name = person.editor().panels.compare.name.clone();
    assert_eq!(name, "Tube instance 1");
    assert_eq!(person.editor().settings.tab, Tab::Animate);
}
