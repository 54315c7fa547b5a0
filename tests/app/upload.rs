//! Skinned vertices reach the picture, wherever they are stored on the graphics card: the window shows the
//! same as a new window with the same scene.

use crate::support::*;
use glam::{Vec2, Vec3};
use ossature::edit::command::{Command, Surface};
use ossature::edit::compare::CompareSettings;
use ossature::edit::select::selection::Part;
use ossature::edit::select::selection::Selection;
use ossature::edit::settings::view::Tab;
use ossature::mesh::primitives::Primitive;
use ossature::scene::evaluate::Posed;
use ossature::scene::instance::{InstanceKind, InstanceRef};
use ossature::scene::names::{Kind, ObjectRef};
use ossature::scene::property::PropertyValue;

/// Returns the human in the Animate tab, without bones and handles.
fn skin_alone() -> Option<Person> {
    let mut person = Person::with_human()?;
    person.click("Animate");
    // Without an outline or a shadow either.
    person.editor().session.select(Selection::default());
    let settings = &mut person.editor().settings;
    (settings.display.show_bones, settings.display.show_handles, settings.display.show_floor) =
        (false, false, false);
    Some(person)
}

fn apply(person: &mut Person, command: Command) {
    person.editor().session.apply(&[command]).unwrap();
    person.app.frames(1);
}

fn turn(person: &mut Person, pose_deg: Vec3) {
    let command = Command::set_bone(MESH.into(), LEFT_UPPER_ARM, "pose", pose_deg);
    apply(person, command);
}

/// The number of pixels that may differ: translucent panels are rounded, and the order of coincident lines
/// varies.
const FEW: usize = 20;

/// Asserts that the viewport looks the same as in a new window with the same scene; returns the picture.
fn assert_as_opened_anew(person: &mut Person, what: &str) -> Shot {
    let (seen, anew) = (person.picture(), person.opened_anew().picture());
    let apart = seen.changed_by(2, &anew, person.viewport());
    assert!(apart.len() < FEW, "{what}: {} pixels differ: {apart:?}", apart.len());
    seen
}

#[test]
fn a_turned_arm_is_drawn_where_it_is() {
    let Some(mut person) = skin_alone() else { return };
    let (rest, before) = (person.posed(), person.picture());
    turn(&mut person, Vec3::new(0.0, 0.0, 70.0));
    let posed = person.posed();
    let after = assert_as_opened_anew(&mut person, "turned");
    let moved = (0..rest.positions.len()).filter(|&v| rest.positions[v].distance(posed.positions[v]) > 1e-3);
    let moved: Vec<usize> = moved.collect();
    let world = person.editor().world_from_mesh();
    let mut area = |posed: &Posed| {
        let points = moved.iter().map(|&v| person.shows(world.transform_point3(posed.positions[v])));
        around(points.collect::<Vec<_>>()).expand(2.0)
    };
    let (from, to) = (area(&rest), area(&posed));
    let changed = after.changed_by(2, &before, person.viewport());
    assert!(changed.len() > 500, "{} pixels changed", changed.len());
    let inside = |p: &Vec2| [from, to].iter().any(|area| area.contains((p.x, p.y).into()));
    let outside: Vec<_> = changed.iter().filter(|&p| !inside(p)).collect();
    assert!(outside.len() < FEW, "{} pixels elsewhere: {outside:?}", outside.len());
    // Back and forward again, in the buffers of results that are no longer shown.
    turn(&mut person, Vec3::ZERO);
    assert!(person.picture().changed_by(2, &before, person.viewport()).len() < FEW);
    for step in 1..=7 {
        turn(&mut person, Vec3::new(0.0, 0.0, 10.0 * step as f32));
    }
    assert!(person.picture().changed_by(2, &after, person.viewport()).len() < FEW);
}

#[test]
fn the_skin_is_followed_when_its_mesh_changes_and_moves() {
    let Some(mut person) = skin_alone() else { return };
    let mut angle = 0.0;
    let mut turned = |person: &mut Person, what: &str| {
        angle += 15.0;
        turn(person, Vec3::new(0.0, angle, angle));
        assert_as_opened_anew(person, what)
    };
    // Another number of attributes, and back.
    person.editor().settings.display.weights_view = true;
    let selection = person.selection().with_part(Some(Part::Bone(LEFT_FOREARM)));
    person.editor().session.select(selection);
    person.app.frames(1);
    turned(&mut person, "weights view");
    person.editor().settings.display.weights_view = false;
    person.app.frames(1);
    // The same number, other normals.
    let instance = InstanceRef { kind: InstanceKind::SkinnedMesh, name: INSTANCE.into() };
    let style = |style: &str| {
        let style = PropertyValue::Choice(style.into());
        Command::set(ObjectRef::from(&instance), "draw style", style)
    };
    apply(&mut person, style("Smooth"));
    turned(&mut person, "smooth");
    apply(&mut person, style("Correct"));
    person.editor().settings.display.wireframe = true;
    person.app.frames(1);
    turned(&mut person, "wireframe");
    person.editor().settings.display.wireframe = false;
    // More than the first MiB that the card reserves for such vertices: all move to a larger buffer.
    let (name, kind) = ("Large".to_owned(), Kind::Mesh);
    let large = Command::AddMesh {
        name: name.clone(),
        surface: Surface::Primitive(Primitive::Plane { size: Vec2::splat(1.0), divisions: [260, 260] }),
        skinned: false,
    };
    apply(&mut person, large);
    turned(&mut person, "next to a large mesh");
    let delete = Command::Delete { object: ObjectRef { kind, name }, with_data: true };
    apply(&mut person, delete);
    person.editor().settings.tab = Tab::Rig;
    assert_as_opened_anew(&mut person, "bind pose");
}

#[test]
fn both_sides_of_compare_follow() {
    let Some(mut person) = skin_alone() else { return };
    person.editor().settings.compare = CompareSettings { on: true, ..CompareSettings::default() };
    person.app.frames(4);
    assert!(person.shown().evaluated.compare.is_some());
    turn(&mut person, Vec3::new(80.0, 0.0, 60.0));
    let first = assert_as_opened_anew(&mut person, "first");
    turn(&mut person, Vec3::new(-80.0, 30.0, 0.0));
    let second = assert_as_opened_anew(&mut person, "second");
    let (left, right) = person.viewport().split_left_right_at_fraction(0.5);
    for half in [left, right] {
        assert!(first.changed(&second, half).len() > 100, "in {half:?}");
    }
}
