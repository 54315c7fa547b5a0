//! Instances and resources: the tree of the scene, names, properties, the gizmo's bar.

use super::support::*;
use egui::{Key, vec2};
use glam::{Quat, Vec3};
use ossature::edit::action::Action;
use ossature::edit::command::Command;
use ossature::edit::request::Request;
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::settings::view::{Axes, GizmoMode, Tab};
use ossature::scene::Scene;
use ossature::scene::instance::{InstanceKind, InstanceRef};
use ossature::scene::names::{Kind, ObjectRef};
use ossature::scene::property::PropertyValue;
use ossature::scene::resource::Transform;
use std::sync::Arc;

fn person() -> InstanceRef {
    InstanceRef { kind: InstanceKind::SkinnedMesh, name: "Person".into() }
}

/// Places `Person` on `Stand`, whose parent is `Root`, like that of `Other`.
fn hung(scene: &mut Scene) {
    for name in ["Stand", "Other"] {
        let transform = Transform {
            parent: Some("Root".into()),
            translation: Vec3::new(1.0, 2.0, 3.0),
            ..Transform::default()
        };
        scene.transforms.insert(name.into(), Arc::new(transform));
    }
    let placed = scene.instances.skinned_meshes.get_mut("Person").unwrap();
    Arc::make_mut(placed).transform = Some("Stand".into());
}

fn desk(tab: Tab) -> Desk {
    let mut desk = Desk::new(tab);
    desk.edit_scene(hung);
    desk
}

fn selected(instance: &InstanceRef) -> Desk {
    let mut desk = desk(Tab::Animate);
    let selection = Selection::from_instance(desk.session().scene(), instance);
    desk.session().select(selection);
    desk.frame();
    desk.frame();
    desk
}

#[test]
fn the_tree_shows_what_hangs_on_what() {
    let mut desk = desk(Tab::Animate);
    let left = |desk: &Desk, label: &str| desk.rect(label).top();
    assert!(left(&desk, "Transform Root") < left(&desk, "Instance Person"));
    desk.click("Collapse Transform Root");
    assert!(!desk.has("Instance Person"));
    let selection = Selection::from_instance(desk.session().scene(), &person());
    desk.session().select(selection);
    desk.frame();
    assert!(desk.has("Instance Person"), "a selection made elsewhere is unfolded");
    let root = ObjectRef::new(Kind::Transform, "Root");
    let expected = Selection::from_object(desk.session().scene(), &root);
    assert_eq!(desk.click("Transform Root"), [Request::Select(expected)]);
}

#[test]
fn a_row_dragged_onto_another_hangs_there_and_stays_in_place() {
    let mut desk = desk(Tab::Animate);
    let put = |parent: Option<&str>| {
        Request::Apply(vec![Command::SetParent {
            transform: "Stand".into(),
            parent: parent.map(Into::into),
            keep_place: true,
        }])
    };
    assert_eq!(desk.drag_onto("Instance Person", "Transform Other"), [put(Some("Other"))]);
    // Onto itself or a descendant: nothing.
    assert_eq!(desk.drag_onto("Transform Other", "Instance Person"), []);
    assert_eq!(desk.drag_onto("Transform Root", "Transform Other"), []);
    // An instance without a transform gets one.
    let lamp = InstanceRef { kind: InstanceKind::DeltaLight, name: "Lamp".into() };
    let expected = vec![
        Command::AddTransform { instance: lamp },
        Command::SetParent {
            transform: "Lamp_transform".into(),
            parent: Some("Other".into()),
            keep_place: true,
        },
    ];
    assert_eq!(desk.drag_onto("Instance Lamp", "Transform Other"), [Request::Apply(expected)]);
}

#[test]
fn names_are_typed_in_the_rows() {
    let rename = |object: ObjectRef, name: &str| {
        let name = name.into();
        [Request::Apply(vec![Command::Rename { object, name }])]
    };
    let mut desk = selected(&person());
    desk.double_click("Instance Person");
    desk.type_text("Ann");
    assert_eq!(desk.key(Key::Enter), rename(ObjectRef::from(&person()), "Ann"));
    assert_eq!(desk.session().selection().instance.as_ref().unwrap().name, "Ann");
    // With the key, cancelled.
    desk.state_mut().act(Action::RENAME);
    desk.frame();
    desk.frame();
    desk.type_text("Bea");
    assert_eq!(desk.key(Key::Escape), []);
    // In the Rig tab the key renames the mesh.
    let mut desk = Desk::with_part(Tab::Rig, None);
    desk.state_mut().act(Action::RENAME);
    desk.frame();
    desk.frame();
    desk.type_text("Torso");
    assert_eq!(desk.key(Key::Enter), rename(ObjectRef::new(Kind::SkinnedMesh, "Body"), "Torso"));
}

#[test]
fn a_right_click_offers_what_can_be_done() {
    let apply = |command| [Request::Apply(vec![command])];
    let ask = |line: &str| {
        let mut desk = selected(&person());
        desk.right_click("Instance Person");
        desk.click(&format!("Outliner > {line}"))
    };
    let instance = person();
    let (object, with_data) = (ObjectRef::from(&instance), true);
    assert_eq!(ask("Delete with data"), apply(Command::Delete { object, with_data }));
    let (object, with_data) = (ObjectRef::from(&instance), false);
    assert_eq!(ask("Delete"), apply(Command::Delete { object, with_data }));
    for (line, linked) in [("Duplicate", false), ("Duplicate linked", true)] {
        let instance = person();
        assert_eq!(ask(line), apply(Command::Duplicate { instance, linked }));
    }
    assert_eq!(ask("Hide"), apply(Command::show(&person(), false)));
}

#[test]
fn resources_are_chosen_named_placed_and_deleted() {
    let mut desk = desk(Tab::Animate);
    desk.click("Resources section");
    // It opens gradually.
    for _ in 0..5 {
        desk.frame();
    }
    let lens = || ObjectRef::new(Kind::Camera, "Lens");
    let expected = Selection::from_object(desk.session().scene(), &lens());
    assert_eq!(desk.click("Resource Lens"), [Request::Select(expected)]);
    assert_eq!(desk.click("Add instance"), [Request::Apply(vec![Command::AddInstance { resource: lens() }])]);
    desk.click("Resource Lens");
    desk.click("Name");
    desk.type_text("Tele");
    let (object, name) = (lens(), "Tele".into());
    assert_eq!(desk.key(Key::Enter), [Request::Apply(vec![Command::Rename { object, name }])]);
    desk.click("Resource Tele");
    let object = ObjectRef::new(Kind::Camera, "Tele");
    let with_data = false;
    assert_eq!(desk.click("Delete resource"), [Request::Apply(vec![Command::Delete { object, with_data }])]);
}

/// The panel keeps the angles as typed, although (0, 180, 180) is the same rotation.
#[test]
fn angles_stay_as_they_were_typed() {
    let mut desk = selected(&person());
    let shown =
        |desk: &Desk| ["x", "y", "z"].map(|axis| desk.value(&format!("Rotation {axis}")).unwrap_or_default());
    desk.click("Rotation x");
    desk.type_text("180");
    let requests = desk.key(Key::Enter);
    let [Request::Apply(commands)] = &requests[..] else { panic!("{requests:?}") };
    let [Command::SetProperty { object, property, value: PropertyValue::Rotation(rotation), .. }] =
        &commands[..]
    else {
        panic!("{commands:?}")
    };
    assert_eq!((object.name.as_str(), &**property), ("Stand", "rotation"));
    assert!(rotation.dot(Quat::from_rotation_x(std::f32::consts::PI)).abs() > 1.0 - 1e-6);
    assert_eq!(shown(&desk), ["180°", "0°", "0°"]);
    for (axis, typed) in [("y", "90"), ("z", "-33.3"), ("y", "270")] {
        desk.click(&format!("Rotation {axis}"));
        desk.type_text(typed);
        desk.key(Key::Enter);
    }
    assert_eq!(shown(&desk), ["180°", "270°", "−33.3°"].map(|s| s.replace('−', "-")));
    let rotation = desk.session().scene().transforms["Stand"].rotation;
    for _ in 0..50 {
        desk.frame();
    }
    assert_eq!(desk.session().scene().transforms["Stand"].rotation, rotation, "nothing drifts");
    desk.session().undo();
    desk.frame();
    assert_eq!(shown(&desk), ["180°", "90°", "-33.3°"]);
}

#[test]
fn fields_and_lists_ask_for_their_commands() {
    let apply = |command| vec![Request::Apply(vec![command])];
    let transform = || "Stand".to_owned();
    let set =
        |property: &str, value| Command::set(ObjectRef::new(Kind::Transform, transform()), property, value);
    for (label, expected) in [
        ("Position y", set("translation", PropertyValue::Vec3(Vec3::new(1.0, 0.25, 3.0)))),
        ("Scale z", set("scale", PropertyValue::Vec3(Vec3::new(1.0, 1.0, 0.25)))),
    ] {
        let mut desk = selected(&person());
        desk.click(label);
        desk.type_text("0.25");
        assert_eq!(desk.key(Key::Enter), apply(expected));
    }
    let instance = person;
    let put = |parent: Option<&str>| Command::SetParent {
        transform: transform(),
        parent: parent.map(Into::into),
        keep_place: true,
    };
    let of_person = |property: &str, value| Command::set(ObjectRef::from(&person()), property, value);
    let refer =
        |property: &str, to: Option<&str>| of_person(property, PropertyValue::Reference(to.map(Into::into)));
    let word = |word: &str| PropertyValue::Choice(word.into());
    for (row, line, expected) in [
        ("Parent", "None", put(None)),
        ("Parent", "Other", put(Some("Other"))),
        ("Parent", "New, Stand_parent", Command::AddParent { transform: transform() }),
        ("Transform", "None", refer("transform", None)),
        ("Transform", "Root", refer("transform", Some("Root"))),
        ("Transform", "New, Person_transform", Command::AddTransform { instance: instance() }),
        ("Mesh", "None", refer("mesh", None)),
        ("Draw as", "Flat", of_person("draw style", word("Flat"))),
        ("Depth test", "Never", of_person("depth style", word("Depth Never"))),
    ] {
        let mut desk = selected(&person());
        if row == "Depth test" {
            desk.click("Advanced instance section");
            desk.frame();
        }
        desk.click(row);
        assert_eq!(desk.click(&format!("{row}: {line}")), apply(expected), "{row} {line}");
    }
    let mut desk = selected(&person());
    assert_eq!(desk.click("Visible"), apply(Command::show(&person(), false)));
}

#[test]
fn an_instance_without_transform_gets_one_with_its_first_number() {
    let lamp = InstanceRef { kind: InstanceKind::DeltaLight, name: "Lamp".into() };
    let mut desk = selected(&lamp);
    desk.click("Position x");
    desk.type_text("2");
    let expected = vec![
        Command::AddTransform { instance: lamp },
        Command::set(
            ObjectRef::new(Kind::Transform, "Lamp_transform"),
            "translation",
            PropertyValue::Vec3(Vec3::X * 2.0),
        ),
    ];
    assert_eq!(desk.key(Key::Enter), [Request::Apply(expected)]);
    assert_eq!(desk.value("Position x").as_deref(), Some("2"));
}

#[test]
fn the_bar_says_what_the_gizmo_does() {
    let mut desk = desk(Tab::Animate);
    assert!(desk.is_disabled("Rotate"), "nothing is selected");
    let mut desk_with = selected(&person());
    for (label, mode) in [("Rotate", GizmoMode::Rotate), ("Scale", GizmoMode::Scale)] {
        desk_with.click(label);
        assert_eq!(desk_with.state().settings.tools.gizmo, mode);
    }
    // A scale always uses the object's own axes.
    assert!(desk_with.is_disabled("World axes"));
    desk_with.click("Move");
    for (label, axes) in [("Local axes", Axes::Local), ("Parent axes", Axes::Parent)] {
        desk_with.click(label);
        assert_eq!(desk_with.state().settings.tools.axes, axes);
    }
    let selection = desk_with.session().selection().with_part(Some(Part::Bone(0)));
    desk_with.session().select(selection);
    desk_with.frame();
    assert!(desk_with.is_disabled("Rotate"), "a bone has its own rings");
    desk.state_mut().settings.tab = Tab::Rig;
    desk.frame();
    assert!(desk.is_disabled("Rotate"));
}

#[test]
fn every_page_is_in_the_panel_with_labels_of_its_own() {
    for (kind, name) in all_instances() {
        let instance = InstanceRef { kind, name: name.into() };
        let mut desk = selected(&instance);
        desk.resize(vec2(1024.0, 700.0));
        desk.frame();
        assert_eq!(desk.doubled_labels(), Vec::<String>::new(), "{name}");
        assert_eq!(desk.outside(), Vec::<String>::new(), "{name}");
    }
    let mut desk = desk(Tab::Animate);
    desk.click("Resources section");
    // It opens gradually.
    for _ in 0..5 {
        desk.frame();
    }
    let rows = desk.controls().into_iter().filter(|(label, _)| label.starts_with("Resource "));
    for (label, _) in rows.collect::<Vec<_>>() {
        desk.click(&label);
        assert_eq!(desk.doubled_labels(), Vec::<String>::new(), "{label}");
    }
}
