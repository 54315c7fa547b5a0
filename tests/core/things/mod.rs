//! Rename, delete, duplicate, place, parent: references and channels follow, whatever the order.

mod parents;

use crate::editing::placing::body_here;
use crate::editing::{faults, scene};
use glam::Vec3;
use ossature::anim::channel::Channel;
use ossature::anim::spline::Spline;
use ossature::edit::command::Command;
use ossature::edit::select::selection::Selection;
use ossature::edit::session::Session;
use ossature::extra::{Extra, Value};
use ossature::scene::Scene;
use ossature::scene::instance::{GeometryInstance, InstanceKind, InstanceRef, LightInstance};
use ossature::scene::names::{Kind, ObjectRef};
use ossature::scene::parts::{self, Part};
use ossature::scene::references;
use ossature::scene::resource::{
    DeltaLight, DeltaLightKind, EnvLight, EnvLightKind, Material, MaterialKind, Particles, Shape, Texture,
    TextureKind, Transform,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// [`scene`] plus one of every other kind, with a child, a shared texture, and channels on everything.
fn full() -> Scene {
    let mut scene = scene();
    let none = Extra::default;
    let texture =
        |scale| Arc::new(Texture { kind: TextureKind::Constant { color: Vec3::ONE, scale }, extra: none() });
    scene.textures.insert("Paper".into(), texture(1.0));
    scene.textures.insert("Glow".into(), texture(2.0));
    let glass = MaterialKind::Glass {
        transmittance: Some("Paper".into()),
        reflectance: Some("Paper".into()),
        ior: 1.5,
    };
    let material = Material { kind: glass, extra: none() };
    scene.materials.insert("Pane".into(), Arc::new(material));
    // Parts of a surface name materials too.
    let albedo = Some("Glow".into());
    let cloth = Material::from(MaterialKind::Lambertian { albedo });
    scene.materials.insert("Cloth".into(), Arc::new(cloth));
    let part = |material: Option<&str>| Part { material: material.map(str::to_owned), faces: 1 };
    let body = Arc::make_mut(scene.skinned_meshes.get_mut("Body").unwrap());
    parts::set(&mut body.mesh_extra, [part(Some("Cloth")), part(None)]);
    let shape = Shape { radius: 1.0, extra: none() };
    scene.shapes.insert("Ball".into(), Arc::new(shape));
    let child = Transform { parent: Some("Place".into()), translation: Vec3::Y, ..Transform::default() };
    scene.transforms.insert("Child".into(), Arc::new(child));
    let placed = GeometryInstance {
        transform: Some("Child".into()),
        resource: Some("Ball".into()),
        material: Some("Pane".into()),
        ..GeometryInstance::default()
    };
    scene.instances.shapes.insert("Ball here".into(), Arc::new(placed));
    let fire = Particles {
        gravity: Vec3::NEG_Y,
        radius: 0.1,
        initial_velocity: 1.0,
        spread_angle: 0.0,
        lifetime: 1.0,
        rate: 5.0,
        step_size: 0.01,
        seed: 1,
        particles: Vec::new(),
        extra: none(),
    };
    scene.particles.insert("Fire".into(), Arc::new(fire));
    let lamp = DeltaLight { kind: DeltaLightKind::Point, color: Vec3::ONE, intensity: 1.0, extra: none() };
    scene.delta_lights.insert("Lamp".into(), Arc::new(lamp));
    let sky =
        EnvLight { kind: EnvLightKind::Sphere, intensity: 1.0, radiance: Some("Glow".into()), extra: none() };
    scene.env_lights.insert("Sky".into(), Arc::new(sky));
    for (kind, name) in [(Kind::Particles, "Fire"), (Kind::DeltaLight, "Lamp"), (Kind::EnvLight, "Sky")] {
        let resource = ObjectRef::new(kind, name);
        Command::AddInstance { resource }.apply(&mut scene).unwrap();
    }
    let animation = Arc::make_mut(&mut scene.animation);
    let moves = Arc::new(Channel::Float(Spline::from_knots(vec![(0.0, 1.0), (9.0, 2.0)])));
    for (name, channel) in [("Pane", "ior"), ("Ball", "radius"), ("Lamp", "intensity"), ("Fire", "rate")] {
        let channels = BTreeMap::from([(channel.to_owned(), Arc::clone(&moves))]);
        animation.channels.insert(name.into(), channels);
    }
    let odd = Extra(vec![("type".into(), Value::Text("unheard of".into()))]);
    let odd = BTreeMap::from([("shine".to_owned(), odd)]);
    animation.spline_extra.insert("Pane".into(), odd);
    assert_eq!(faults(&scene), Vec::<String>::new());
    scene
}

fn things(scene: &Scene) -> Vec<ObjectRef> {
    scene.names().into_iter().map(|(kind, name)| ObjectRef::new(kind, name)).collect()
}

fn applied(scene: &Scene, command: Command) -> Scene {
    let mut after = scene.clone();
    command.apply(&mut after).unwrap();
    after
}

/// All references by name, as text: a rename replaces words in it.
fn told(scene: &Scene) -> BTreeSet<String> {
    let references = references::all(scene);
    let mut told: BTreeSet<String> = references
        .iter()
        .map(|r| format!("{:?} {} -> {:?} {}", r.from.kind, r.from.name, r.to.kind, r.to.name))
        .collect();
    told.extend(things(scene).iter().map(|t| format!("{:?} {}", t.kind, t.name)));
    let animation = &scene.animation;
    for (name, channels) in &animation.channels {
        told.extend(channels.iter().map(|(c, spline)| format!("{name}: {c} {spline:?}")));
    }
    for (name, channels) in &animation.spline_extra {
        told.extend(channels.iter().map(|(c, extra)| format!("{name}: {c} {extra:?}")));
    }
    told
}

#[test]
fn a_rename_is_a_renaming_and_nothing_else() {
    let before = full();
    for thing in things(&before) {
        let name = "Quite Different".to_owned();
        let after = applied(&before, Command::Rename { object: thing.clone(), name });
        let renamed: BTreeSet<String> = told(&before)
            .iter()
            .map(|line| {
                let words = line.split(' ').collect::<Vec<_>>().join(" ");
                // No name here is part of another except `Body` of `Body here`, so whole tokens count.
                let swap = |text: &str, kind: Kind| {
                    let of = format!("{kind:?} {}", thing.name);
                    if text == of && kind == thing.kind {
                        format!("{kind:?} Quite Different")
                    } else {
                        text.to_owned()
                    }
                };
                if let Some((name, rest)) = words.split_once(": ") {
                    let name = if name == thing.name { "Quite Different" } else { name };
                    return format!("{name}: {rest}");
                }
                let sides = words.split(" -> ").map(|side| swap(side, thing.kind));
                sides.collect::<Vec<_>>().join(" -> ")
            })
            .collect();
        assert_eq!(told(&after), renamed, "{thing:?}");
    }
}

#[test]
fn names_that_are_taken_get_a_number_and_undo_finds_the_right_thing() {
    let mut session = Session::new(full(), None);
    let thing = ObjectRef::new(Kind::Transform, "Child");
    let rename = |name: &str| Command::Rename { object: thing.clone(), name: name.into() };
    let before = session.scene().clone();
    // Taken by another kind.
    session.apply(&[rename("Pane")]).unwrap();
    assert!(session.scene().transforms.contains_key("Pane 1"));
    assert_eq!(session.scene().instances.shapes["Ball here"].transform.as_deref(), Some("Pane 1"));
    session.undo();
    assert!(session.scene().is_shared(&before));
    session.apply(&[rename(" Child\n")]).unwrap();
    assert!(session.scene().is_shared(&before));
    for empty in ["", "  ", "\u{7}"] {
        let error = session.apply(&[rename(empty)]).unwrap_err().to_string();
        assert!(error.contains("name"), "{error}");
    }
}

/// Files may give one name to an instance and to what it places.
#[test]
fn things_that_share_a_name_keep_their_own_channels() {
    let mut before = scene();
    let placed = before.instances.skinned_meshes.remove("Body here").unwrap();
    before.instances.skinned_meshes.insert("Body".into(), placed);
    let shown = Arc::new(Channel::Bool(Spline::from_knots(vec![(0.0, true), (3.0, false)])));
    let channels = Arc::make_mut(&mut before.animation).channels.get_mut("Body").unwrap();
    channels.insert("visible".into(), shown);
    let of = |scene: &Scene, name: &str| -> Vec<String> {
        let channels = scene.animation.channels.get(name);
        channels.into_iter().flat_map(|of| of.keys().cloned()).collect()
    };
    let bones: Vec<String> = of(&before, "Body").into_iter().filter(|c| c != "visible").collect();
    for (kind, moved, left) in [
        (Kind::SkinnedMesh, bones.clone(), vec!["visible".to_owned()]),
        (Kind::Instance(InstanceKind::SkinnedMesh), vec!["visible".to_owned()], bones.clone()),
    ] {
        let thing = ObjectRef::new(kind, "Body");
        let name = "Torso".to_owned();
        let after = applied(&before, Command::Rename { object: thing.clone(), name });
        assert_eq!((of(&after, "Torso"), of(&after, "Body")), (moved, left.clone()));
        let (object, with_data) = (thing, false);
        let after = applied(&before, Command::Delete { object, with_data });
        assert_eq!(of(&after, "Body"), left);
    }
}

#[test]
fn a_deleted_thing_leaves_nothing_behind() {
    let before = full();
    for thing in things(&before) {
        for with_data in [false, true] {
            let after = applied(&before, Command::Delete { object: thing.clone(), with_data });
            assert_eq!(faults(&after), Vec::<String>::new(), "{thing:?}");
            assert!(!after.contains(&thing));
            assert!(!after.animation.channels.contains_key(&thing.name) || thing.name == "Body");
            if !with_data {
                assert_eq!(after.names().len(), before.names().len() - 1);
            }
        }
    }
}

#[test]
fn deleting_with_data_takes_what_nothing_else_uses() {
    let before = full();
    let delete = |scene: &Scene, with_data| {
        let object = ObjectRef::new(Kind::Instance(InstanceKind::Shape), "Ball here");
        let after = applied(scene, Command::Delete { object, with_data });
        let gone = things(scene).into_iter().filter(|thing| !after.contains(thing));
        gone.map(|thing| thing.name).collect::<Vec<_>>()
    };
    assert_eq!(delete(&before, false), ["Ball here"]);
    // The parent of its transform is used by others; its material names one texture twice.
    assert_eq!(delete(&before, true), ["Child", "Ball", "Paper", "Pane", "Ball here"]);
    let mut shared = before.clone();
    let other = GeometryInstance { material: Some("Pane".into()), ..GeometryInstance::default() };
    shared.instances.meshes.insert("Other".into(), Arc::new(other));
    assert_eq!(delete(&shared, true), ["Child", "Ball", "Ball here"]);
}

#[test]
fn duplicates_stand_in_the_same_place_with_the_same_motion() {
    let before = full();
    for linked in [true, false] {
        let instance = body_here();
        let after = applied(&before, Command::Duplicate { instance, linked });
        let copy = &after.instances.skinned_meshes["Body here 1"];
        assert_eq!(copy.transform.as_deref(), Some("Place 1"));
        assert_eq!(after.transforms["Place 1"], before.transforms["Place"]);
        assert_eq!(after.animation.channels["Place 1"], before.animation.channels["Place"]);
        if linked {
            assert_eq!(copy.resource.as_deref(), Some("Body"));
            assert!(!after.skinned_meshes.contains_key("Body 1"));
        } else {
            assert_eq!(copy.resource.as_deref(), Some("Body 1"));
            assert_eq!(after.skinned_meshes["Body 1"], before.skinned_meshes["Body"]);
            assert_eq!(after.animation.channels["Body 1"], before.animation.channels["Body"]);
        }
        let mut session = Session::new(before.clone(), None);
        session.select(Selection::from_instance(&before, &body_here()));
        let instance = body_here();
        session.apply(&[Command::Duplicate { instance, linked }]).unwrap();
        assert_eq!(session.selection().instance.as_ref().unwrap().name, "Body here 1");
    }
}

#[test]
fn an_instance_gets_a_transform_of_its_own() {
    let before = full();
    let instance = body_here();
    let after = applied(&before, Command::AddTransform { instance });
    let name = "Body here_transform";
    assert_eq!(after.instances.skinned_meshes["Body here"].transform.as_deref(), Some(name));
    assert_eq!(after.transforms[name], before.transforms["Place"]);
    assert_eq!(after.animation.channels[name], before.animation.channels["Place"]);
    let mut bare = before;
    let light = LightInstance { transform: None, light: None, visible: true, extra: Extra::default() };
    bare.instances.delta_lights.insert("L_instance".into(), Arc::new(light));
    let instance = InstanceRef { kind: InstanceKind::DeltaLight, name: "L_instance".into() };
    let after = applied(&bare, Command::AddTransform { instance });
    assert_eq!(*after.transforms["L_transform"], Transform::default());
}
