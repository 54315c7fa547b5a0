//! The table of properties: complete, and correct for files, channels, commands and undo.

use crate::support;
use glam::{Quat, Vec3};
use ossature::anim::channel::{Animation, Channel, ChannelRef, SkeletonChannel, Value};
use ossature::anim::spline::Spline;
use ossature::edit::command::Command;
use ossature::edit::session::Session;
use ossature::edit::time::keying::part_channels;
use ossature::io::export::ExportOptions;
use ossature::io::gltf::{self, write};
use ossature::io::js3d;
use ossature::mesh::primitives::cuboid;
use ossature::rig::limits::Limits;
use ossature::rig::property::{BONE, HANDLE, Info, SKELETON, handle_rows};
use ossature::rig::skeleton::{LookAt, Orientation, Part, Pole, Skeleton};
use ossature::scene::apply_animation::animate;
use ossature::scene::instance::*;
use ossature::scene::names::{Kind, ObjectRef};
use ossature::scene::property::{self, PropertyValue, Resource, Row};
use ossature::scene::resource::*;
use ossature::scene::{Scene, channels};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// The names of the members of a value, from its `Debug` text; those of nested enums and structs too.
fn members(shown: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, _) in shown.match_indices(": ") {
        let name = shown[..at].rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next();
        names.extend(name.filter(|name| !name.is_empty()).map(str::to_owned));
    }
    names
}

/// Checks that every member of a resource has a row, or a reason to have none: here `without`.
fn complete<T: Resource + std::fmt::Debug>(kind: Kind, without: &[&str]) {
    let (mut known, mut there) = (BTreeSet::new(), BTreeSet::new());
    let types = T::properties(kind).iter().find(|row| row.info.id == "type");
    let types = types.map_or(&[""][..], |row| row.access.choices());
    for name in types {
        let mut resource = T::default();
        for row in T::properties(kind) {
            if row.info.id == "type" {
                row.set(&mut resource, &PropertyValue::Choice((*name).to_owned()));
            }
        }
        there.extend(members(&format!("{resource:?}")));
        let rows = T::properties(kind).iter().filter(|row| row.get(&resource).is_some());
        known.extend(rows.map(|row| row.info.id.trim_start_matches("film.").replace(' ', "_")));
    }
    known.remove("type");
    known.extend(without.iter().map(|name| (*name).to_owned()));
    known.extend(["extra".to_owned()]);
    assert_eq!(there, known, "{kind:?}");
}

#[test]
fn every_member_has_a_row_or_a_reason() {
    complete::<Transform>(Kind::Transform, &[]);
    // The film's members are rows of the camera.
    complete::<Camera>(Kind::Camera, &["film"]);
    complete::<Shape>(Kind::Shape, &[]);
    // The momentary state of a simulation: a list.
    complete::<Particles>(Kind::Particles, &["particles"]);
    // `kind` is the row `type`; an image is pixels.
    complete::<Texture>(Kind::Texture, &["kind", "image"]);
    complete::<Material>(Kind::Material, &["kind"]);
    complete::<DeltaLight>(Kind::DeltaLight, &["kind"]);
    complete::<EnvLight>(Kind::EnvLight, &["kind"]);
    complete::<CameraInstance>(Kind::Instance(InstanceKind::Camera), &[]);
    complete::<ParticlesInstance>(Kind::Instance(InstanceKind::Particles), &[]);
    complete::<LightInstance>(Kind::Instance(InstanceKind::DeltaLight), &[]);
    complete::<LightInstance>(Kind::Instance(InstanceKind::EnvLight), &[]);
}

/// The member `resource` is named after the kind that is placed, and the settings are members of the
/// instance.
#[test]
fn every_member_of_a_placed_surface_has_a_row() {
    for (kind, member) in
        [(InstanceKind::Mesh, "mesh"), (InstanceKind::SkinnedMesh, "mesh"), (InstanceKind::Shape, "shape")]
    {
        let rows = GeometryInstance::properties(Kind::Instance(kind)).iter();
        let mut known: BTreeSet<String> = rows.map(|row| row.info.id.replace(' ', "_")).collect();
        assert!(known.remove(member), "{kind:?}");
        known.extend(["resource", "settings", "extra"].map(str::to_owned));
        assert_eq!(members(&format!("{:?}", GeometryInstance::default())), known);
    }
}

/// Checks that every member of a part of a skeleton has a row, but for what is structure: what others depend on has
/// commands of its own.
fn complete_part<T: Default + std::fmt::Debug>(
    rows: &[ossature::rig::property::Property<T>],
    structure: &[&str],
) {
    let known = rows.iter().map(|row| row.info.id).chain(structure.iter().copied());
    let known: BTreeSet<String> = known.map(str::to_owned).collect();
    let text = format!("{:?}", T::default());
    let there: BTreeSet<String> =
        members(&text).iter().map(|name| name.trim_end_matches("_deg").to_owned()).collect();
    assert_eq!(there, known);
}

#[test]
fn every_member_of_a_bone_a_handle_and_a_skeleton_has_a_row_or_is_structure() {
    complete_part(BONE, &["parent", "channel_id", "name", "link", "extra"]);
    complete_part(HANDLE, &["bone", "channel_id", "name", "extra"]);
    complete_part(SKELETON, &["bones", "handles", "shapes", "extra"]);
}

/// The properties of a bone, of a handle and of the skeleton, with their values.
fn part_values(skeleton: &Skeleton, bone: u32) -> Vec<(Part, &'static Info, PropertyValue)> {
    let index = skeleton.bones.iter().position(|other| other.channel_id == bone).unwrap();
    let bones = BONE.iter().map(|row| (Part::Bone(index), &row.info, row.get(&skeleton.bones[index])));
    let handles = handle_rows().map(|row| (Part::Handle(0), &row.info, row.get(&skeleton.handles[0])));
    let skeleton = SKELETON.iter().map(|row| (Part::Base, &row.info, row.get(skeleton)));
    let all = bones.chain(handles).chain(skeleton);
    all.map(|(part, info, value)| (part, info, value.expect(info.id))).collect()
}

/// Another value of the same type that the row allows.
fn other_value(info: &Info, value: &PropertyValue) -> PropertyValue {
    let inside = |v: f32| {
        let [least, largest] = info.range.map(|limit| limit as f32);
        [v + 0.5, largest, least].into_iter().find(|other| *other != v && info.allows(*other)).unwrap()
    };
    let weight = 0.25;
    match value {
        PropertyValue::Bool(on) => (!on).into(),
        PropertyValue::Float(v) => inside(*v).into(),
        PropertyValue::Vec3(v) => v.map(inside).into(),
        PropertyValue::Rotation(_) => Quat::from_rotation_y(0.5).into(),
        PropertyValue::Limits(_) => Limits([Some([-10.0, 20.0]), None, Some([0.0, 5.0])]).into(),
        PropertyValue::OptionalUnsigned(_) => Some(2).into(),
        PropertyValue::Reference(_) => Some("Box instance".to_owned()).into(),
        PropertyValue::OptionalVec3(_) => Some(Vec3::new(1.0, 2.0, 3.0)).into(),
        PropertyValue::Orientation(_) => {
            Some(Orientation { rotation: Quat::from_rotation_x(0.5), weight }).into()
        }
        PropertyValue::Pole(_) => Some(Pole { point: Vec3::new(1.0, 2.0, 3.0), weight }).into(),
        PropertyValue::LookAt(_) => Some(LookAt { axis: Vec3::Z, weight }).into(),
        other => panic!("no part has {other:?}"),
    }
}

/// What a row alone gives: a command with undo and a label, members of the file and of commands as data, a channel that
/// drives it if it can be keyed, and, for what is our own, extras of glTF.
#[test]
fn every_property_of_a_part_is_set_undone_and_kept_in_files() {
    let mut scene = human();
    let mesh = scene.skinned_meshes.keys().next().unwrap().clone();
    Command::AddHandle { mesh: mesh.clone(), bone: 5 }.apply(&mut scene).unwrap();
    // For what refers to an instance.
    let surface = Arc::new(cuboid(Vec3::ONE).unwrap());
    scene.meshes.insert("Box".into(), Arc::new(Mesh { surface, ..Mesh::default() }));
    let instance = GeometryInstance { resource: Some("Box".into()), ..GeometryInstance::default() };
    scene.instances.meshes.insert("Box instance".into(), Arc::new(instance));
    // Locked, it would be keyed by its rotation alone.
    Command::set_bone(mesh.clone(), 5, "lock_transform", false).apply(&mut scene).unwrap();
    // With every goal.
    let goals: [(&str, PropertyValue); 3] = [
        ("orientation", Some(Orientation { rotation: Quat::IDENTITY, weight: 1.0 }).into()),
        ("pole", Some(Pole { point: Vec3::ONE, weight: 1.0 }).into()),
        ("look_at", Some(LookAt { axis: Vec3::Y, weight: 1.0 }).into()),
    ];
    for (id, value) in goals {
        Command::set_handle(mesh.clone(), 0, id, value).apply(&mut scene).unwrap();
    }
    let skeleton = |scene: &Scene| scene.skinned_meshes.values().next().unwrap().skeleton.clone();
    let bone = skeleton(&scene).bones[5].channel_id;
    for (at, (part, info, before)) in part_values(&skeleton(&scene), bone).into_iter().enumerate() {
        let value = other_value(info, &before);
        let set = Command::set_part(mesh.clone(), part, info.id, value.clone());
        let again: Command = serde_json::from_str(&serde_json::to_string(&set).unwrap()).unwrap();
        assert_eq!(again, set, "commands are data");
        let mut session = Session::new(scene.clone(), None);
        if info.fixed {
            assert!(session.apply(&[set]).is_err(), "{}", info.id);
            continue;
        }
        session.apply(&[set]).unwrap_or_else(|why| panic!("{}: {why}", info.id));
        let is_set = |scene: &Scene| part_values(&skeleton(scene), bone)[at].2 == value;
        assert!(is_set(session.scene()), "{}", info.id);
        let read = js3d::read(&js3d::write(session.scene()).unwrap()).unwrap().0;
        assert!(is_set(&read), "{} in the file", info.id);
        if info.ours.is_some() {
            let options = ExportOptions { scene: false, ..Default::default() };
            let export = write::export(session.scene(), &options, &|_| Err(String::new())).unwrap();
            let imported = gltf::read::read(&export.glb().unwrap(), None, &Default::default()).unwrap();
            // Instances have other names there.
            let is_found = match &part_values(&skeleton(&imported.scene), bone)[at].2 {
                PropertyValue::Reference(Some(name)) => imported.scene.instances.meshes.contains_key(name),
                _ => is_set(&imported.scene),
            };
            assert!(is_found, "{} in glTF", info.id);
        }
        if info.channel.is_some() {
            let mut channels = part_channels(&mesh, &skeleton(session.scene()), part).into_iter();
            let drives =
                |channel: &ChannelRef| SkeletonChannel::parse(&channel.channel).unwrap().info().id == info.id;
            let channel = channels.find(drives).expect(info.id);
            let mut animated = scene.clone();
            animated.animation = Arc::new(key(&channel, &value));
            assert!(is_set(&animate(&animated, 0.0)), "{} keyed", info.id);
        }
        session.undo();
        assert!(session.scene().is_shared(&scene), "{}", info.id);
        session.redo();
        assert!(is_set(session.scene()), "{}", info.id);
    }
}

/// An animation with one key.
fn key(channel: &ChannelRef, value: &PropertyValue) -> Animation {
    let spline = match Value::from_property(value).unwrap() {
        Value::Bool(v) => Channel::Bool(Spline::from_knots(vec![(0.0, v)])),
        Value::Float(v) => Channel::Float(Spline::from_knots(vec![(0.0, v)])),
        Value::Vec3(v) => Channel::Vec3(Spline::from_knots(vec![(0.0, v)])),
        Value::Quat(v) => Channel::Quat(Spline::from_knots(vec![(0.0, v)])),
        Value::Spectrum(v) => Channel::Spectrum(Spline::from_knots(vec![(0.0, v)])),
        value => panic!("{value:?}"),
    };
    let mut animation = Animation::default();
    let channels = animation.channels.entry(channel.resource.clone()).or_default();
    channels.insert(channel.channel.clone(), Arc::new(spline));
    animation
}

/// The human without animation, which would set values at the present frame.
fn human() -> Scene {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d/A4-human.js3d");
    let mut scene = js3d::read_file(&path).unwrap().0;
    scene.animation = Arc::default();
    scene
}

fn everything() -> Scene {
    js3d::read(&support::text(&support::everything())).unwrap().0
}

/// Every object of a scene that contains each kind and type, with its rows.
fn all_rows(scene: &Scene) -> Vec<(ObjectRef, Vec<Row>)> {
    let things = scene.names().into_iter().map(|(kind, name)| ObjectRef::new(kind, name));
    things.map(|thing| (thing.clone(), property::rows(scene, &thing))).collect()
}

/// Another value that the row allows.
fn other(scene: &Scene, row: &Row) -> Option<PropertyValue> {
    let inside = |v: f32| {
        let [least, largest] = row.info.range.map(|limit| limit as f32);
        let other = if v + 0.5 <= largest { v + 0.5 } else { v - 0.5 };
        other.max(least)
    };
    Some(match &row.value {
        PropertyValue::Bool(v) => PropertyValue::Bool(!v),
        PropertyValue::Float(v) => PropertyValue::Float(inside(*v)),
        PropertyValue::Unsigned(v) => PropertyValue::Unsigned(v + 1),
        PropertyValue::Vec3(v) => PropertyValue::Vec3(v.map(inside)),
        PropertyValue::Color(v) => PropertyValue::Color(v.map(inside)),
        PropertyValue::Rotation(v) => PropertyValue::Rotation((*v * Quat::from_rotation_x(0.5)).normalize()),
        PropertyValue::Choice(v) => {
            let other = row.choices.iter().find(|word| *word != v)?;
            PropertyValue::Choice((*other).to_owned())
        }
        // Most transforms are children of this one.
        PropertyValue::Reference(None) if row.info.id == "parent" => return None,
        PropertyValue::Reference(None) => {
            let names = row.target.map(|kind| scene.names_of(kind))?;
            PropertyValue::Reference(Some(names.first()?.to_string()))
        }
        PropertyValue::Reference(Some(_)) => PropertyValue::Reference(None),
        // No resource has these.
        _ => return None,
    })
}

/// Every row is set, undone, redone, written to a file and read again.
#[test]
fn every_property_is_set_undone_and_kept_in_the_file() {
    let scene = everything();
    let mut rows = 0;
    for (thing, of) in all_rows(&scene) {
        for row in of.iter().filter(|row| !row.info.fixed) {
            let Some(value) = other(&scene, row) else { continue };
            let id = row.info.id;
            let command = Command::set(thing.clone(), id, value.clone());
            let again: Command = serde_json::from_str(&serde_json::to_string(&command).unwrap()).unwrap();
            assert_eq!(again, command, "commands are data");
            let mut session = Session::new(scene.clone(), None);
            session.apply(&[command]).unwrap_or_else(|why| panic!("{thing:?} {id}: {why}"));
            assert_eq!(
                property::value(session.animated(), &thing, id),
                Some(value.clone()),
                "{thing:?} {id}"
            );
            let label = session.undo_label().unwrap().to_owned();
            assert!(label.ends_with(&thing.name), "{label}");
            let (read, report) = js3d::read(&js3d::write(session.scene()).unwrap()).unwrap();
            assert_eq!(read, *session.scene(), "{thing:?} {id}: {report:?}");
            let changed = session.scene().clone();
            session.undo();
            assert!(session.scene().is_shared(&scene), "{thing:?} {id}");
            session.redo();
            assert!(session.scene().is_shared(&changed), "{thing:?} {id}");
            rows += 1;
        }
    }
    assert!(rows > 60, "only {rows}");
}

/// Each keyable row is driven by its channel; nothing else has a channel.
#[test]
fn every_keyable_property_is_driven_by_its_channel() {
    let mut scene = everything();
    scene.animation = Arc::default();
    let (mut keyed, mut expected) = (BTreeSet::new(), BTreeSet::new());
    for (thing, rows) in all_rows(&scene) {
        for row in rows.iter().filter(|row| row.info.channel.is_some()) {
            let (id, value) = (row.info.id, other(&scene, row).unwrap());
            let channel = ChannelRef::new(&thing.name, id);
            let mut animated = scene.clone();
            animated.animation = Arc::new(key(&channel, &value));
            let out = animate(&animated, 0.0);
            assert_eq!(property::value(&out, &thing, id), Some(value), "{thing:?} {id}");
            keyed.insert(channel);
        }
        if thing.kind != Kind::SkinnedMesh {
            let of = channels::values(&scene, &thing.name).into_keys();
            expected.extend(of.map(|id| ChannelRef::new(&thing.name, id)));
        }
    }
    assert!(keyed.len() > 25, "{}", keyed.len());
    assert_eq!(keyed, expected);
}

/// Invalid values are refused with a sentence that says what the row allows; nothing is changed.
#[test]
fn values_out_of_range_are_refused() {
    let scene = everything();
    for (thing, rows) in all_rows(&scene) {
        for row in &rows {
            let [least, largest] = row.info.range;
            let (below, above) = ((least - 1.0) as f32, (largest + 1.0) as f32);
            let mut wrong = vec![PropertyValue::Choice("nonsense".into())];
            match row.value {
                PropertyValue::Float(_) => {
                    wrong.extend([f32::NAN, f32::INFINITY].map(PropertyValue::Float));
                    if least > f64::from(f32::MIN) {
                        wrong.push(PropertyValue::Float(below));
                    }
                    if largest < f64::from(f32::MAX) {
                        wrong.push(PropertyValue::Float(above));
                    }
                }
                PropertyValue::Unsigned(_) if largest < f64::from(u32::MAX) => {
                    wrong.push(PropertyValue::Unsigned(above as u32));
                }
                PropertyValue::Vec3(v) => wrong.push(PropertyValue::Vec3(v.with_y(f32::NAN))),
                PropertyValue::Color(v) => wrong.push(PropertyValue::Color(v.with_y(-0.5))),
                PropertyValue::Rotation(_) => {
                    wrong.push(PropertyValue::Rotation(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)))
                }
                PropertyValue::Reference(_) => wrong.push(PropertyValue::Reference(Some("Nobody".into()))),
                _ => {}
            }
            for value in wrong {
                let mut after = scene.clone();
                let error = Command::set(thing.clone(), row.info.id, value.clone()).apply(&mut after);
                let error = error.expect_err(&format!("{thing:?} {} {value:?}", row.info.id)).to_string();
                assert!(scene.is_shared(&after), "{error}");
                assert!(error.len() > 15 && !error.ends_with('.'), "{error}");
            }
        }
    }
    let camera = scene.cameras.keys().next().unwrap().clone();
    let lens = || ObjectRef::new(Kind::Camera, camera.clone());
    let refused = |property: &str, value| {
        let mut scene = everything();
        Command::set(lens(), property, value).apply(&mut scene).unwrap_err().to_string()
    };
    assert_eq!(
        refused("vertical_fov", PropertyValue::Float(500.0)),
        "the field of view must be between 1 and 179°"
    );
    assert_eq!(refused("focal_dist", PropertyValue::Float(-1.0)), "the focus distance must be 0 or more");
    assert_eq!(
        refused("film.sample_pattern", PropertyValue::Choice("Dice".into())),
        "the sample pattern must be one of Center, Grid (2x2), Grid (4x4), Grid (8x8), Custom Sample Pattern"
    );
    assert_eq!(
        refused("zoom", PropertyValue::Float(1.0)),
        format!(
            "“{camera}” has no property “zoom”; it has vertical_fov, aspect_ratio, near_plane, aperture_shape, \
             aperture_size, focal_dist, film.width, film.height, film.samples, film.max_ray_depth, film.sample_pattern"
        )
    );
}

/// A light of another type keeps what both types have; a material keeps its texture.
#[test]
fn another_type_keeps_what_both_have() {
    let mut scene = Scene::default();
    let lamp = ObjectRef::new(Kind::DeltaLight, "Lamp");
    let add = Command::AddResource {
        kind: Kind::DeltaLight,
        name: "Lamp".into(),
        properties: vec![
            ("intensity".into(), PropertyValue::Float(7.0)),
            ("color".into(), PropertyValue::Color(Vec3::X)),
        ],
        translation: Vec3::Y,
        rotation: Quat::IDENTITY,
    };
    add.apply(&mut scene).unwrap();
    let to = |name: &str| Command::set(lamp.clone(), "type", PropertyValue::Choice(name.into()));
    to("Spot").apply(&mut scene).unwrap();
    assert_eq!(scene.delta_lights["Lamp"].kind, DeltaLightKind::SPOT);
    assert_eq!((scene.delta_lights["Lamp"].intensity, scene.delta_lights["Lamp"].color), (7.0, Vec3::X));
    let angle = Command::set(lamp.clone(), "inner_angle", PropertyValue::Float(12.0));
    angle.apply(&mut scene).unwrap();
    to("Spot").apply(&mut scene).unwrap();
    assert_eq!(property::value(&scene, &lamp, "inner_angle"), Some(PropertyValue::Float(12.0)));
    to("Point").apply(&mut scene).unwrap();
    assert!(angle.apply(&mut scene).is_err(), "a point has no cone");
    let material = Material::from(MaterialKind::Lambertian { albedo: Some("Red".into()) });
    scene.materials.insert("Paint".into(), Arc::new(material));
    for name in ["Glass", "Mirror", "Emissive", "Refract", "Lambertian"] {
        let paint = ObjectRef::new(Kind::Material, "Paint");
        Command::set(paint.clone(), "type", PropertyValue::Choice(name.into())).apply(&mut scene).unwrap();
        let rows = property::rows(&scene, &paint);
        let textures = rows.iter().filter(|row| row.target == Some(Kind::Texture));
        for row in textures {
            assert_eq!(row.value, PropertyValue::Reference(Some("Red".into())), "{name}");
        }
    }
    assert_eq!(scene.materials["Paint"].kind, MaterialKind::Lambertian { albedo: Some("Red".into()) });
}

/// New objects are placed as requested, with all that Scotty3D expects, and undo removes everything.
#[test]
fn cameras_and_lights_are_added_whole() {
    let turned = Quat::from_rotation_y(0.25);
    for (kind, table) in [
        (Kind::Camera, "cameras"),
        (Kind::DeltaLight, "delta_lights"),
        (Kind::EnvLight, "env_lights"),
        (Kind::Shape, "shapes"),
        (Kind::Particles, "particles"),
    ] {
        let mut session = Session::new(everything(), None);
        let add = Command::AddResource {
            kind,
            name: "Skinned".into(),
            properties: Vec::new(),
            translation: Vec3::new(1.0, 2.0, 3.0),
            rotation: turned,
        };
        session.apply(&[add]).unwrap();
        assert_eq!(session.undo_label(), Some("Add Skinned 1"));
        let instance = session.selection().instance.clone().expect("it is selected");
        assert_eq!(Kind::placed_by(instance.kind), kind);
        let scene = session.scene();
        let placed = scene.instances.get(&instance).unwrap();
        assert_eq!(placed.resource, Some("Skinned 1"));
        let transform = &scene.transforms[placed.transform.unwrap()];
        assert_eq!((transform.translation, transform.rotation), (Vec3::new(1.0, 2.0, 3.0), turned));
        let (_, report) = js3d::read(&js3d::write(scene).unwrap()).unwrap();
        let null: Vec<_> =
            report.findings.iter().filter(|finding| finding.to_string().contains(table)).collect();
        // The mesh to draw particles with is chosen by the user.
        assert!(null.is_empty() || kind == Kind::Particles, "{null:?}");
        session.undo();
        assert!(session.scene().is_shared(&everything()) || *session.scene() == everything());
    }
    for kind in [Kind::Mesh, Kind::Texture, Kind::Instance(InstanceKind::Camera)] {
        let (name, properties) = ("x".into(), Vec::new());
        let (translation, rotation) = (Vec3::ZERO, Quat::IDENTITY);
        let add = Command::AddResource { kind, name, properties, translation, rotation };
        assert!(add.apply(&mut everything()).is_err(), "{kind:?}");
    }
    let wrong = Command::AddResource {
        kind: Kind::Camera,
        name: "Eye".into(),
        properties: vec![("vertical_fov".into(), PropertyValue::Float(0.0))],
        translation: Vec3::ZERO,
        rotation: Quat::IDENTITY,
    };
    let (before, mut after) = (everything(), everything());
    assert!(wrong.apply(&mut after).is_err());
    assert_eq!(before, after);
}
