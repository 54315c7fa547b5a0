//! Commands on instances and resources: invariants of scenes, examples, random commands.

use super::Random;
use glam::{Quat, Vec3};
use ossature::edit::command::Command;
use ossature::scene::Scene;
use ossature::scene::instance::{InstanceKind, InstanceRef};
use ossature::scene::names::{Kind, ObjectRef};
use ossature::scene::property::{self, PropertyValue};
use ossature::scene::references;
use ossature::scene::world::is_self_or_descendant;
use std::collections::BTreeSet;

/// Returns dangling references, cyclic or non-finite transforms, and channels without an owner.
pub fn faults(scene: &Scene) -> Vec<String> {
    let mut faults = Vec::new();
    for reference in references::all(scene) {
        if !scene.contains(&reference.to) {
            faults.push(format!("{reference:?} names nothing"));
        }
    }
    for (name, transform) in &scene.transforms {
        if transform.parent.as_ref().is_some_and(|parent| is_self_or_descendant(scene, parent, name)) {
            faults.push(format!("{name} hangs on itself"));
        }
        let numbers = transform.translation.is_finite() && transform.scale.is_finite();
        if !numbers || (transform.rotation.length() - 1.0).abs() > 1e-4 {
            faults.push(format!("{name} stands nowhere"));
        }
    }
    let names: BTreeSet<&str> = scene.names().into_iter().map(|(_, name)| name).collect();
    let animation = &scene.animation;
    for name in animation.channels.keys().chain(animation.spline_extra.keys()) {
        if !names.contains(name.as_str()) {
            faults.push(format!("channels of {name}, which is nothing"));
        }
    }
    faults
}

pub fn body_here() -> InstanceRef {
    InstanceRef { kind: InstanceKind::SkinnedMesh, name: "Body here".into() }
}

pub fn examples() -> Vec<(Command, &'static str)> {
    let transform = || "Place".to_owned();
    let eye = || ObjectRef::new(Kind::Instance(InstanceKind::Camera), "Eye");
    let instance = body_here;
    let set = |property: &str, value| Command::set(ObjectRef::new(Kind::Transform, "Place"), property, value);
    let of_body = |property: &str, value| Command::set(ObjectRef::from(&body_here()), property, value);
    vec![
        (set("translation", PropertyValue::Vec3(Vec3::ONE)), "Move Place"),
        (set("rotation", PropertyValue::Rotation(Quat::from_xyzw(0.0, 3.0, 0.0, 4.0))), "Rotate Place"),
        (set("scale", PropertyValue::Vec3(Vec3::new(1.0, -2.0, 0.0))), "Scale Place"),
        (set("parent", PropertyValue::Reference(Some("Ground".into()))), "Change parent of Place"),
        (
            Command::set(ObjectRef::new(Kind::Camera, "Lens"), "vertical_fov", PropertyValue::Float(35.0)),
            "Change field of view of Lens",
        ),
        (
            Command::AddResource {
                kind: Kind::DeltaLight,
                name: " Lamp ".into(),
                properties: vec![("type".into(), PropertyValue::Choice("Spot".into()))],
                translation: Vec3::Y,
                rotation: Quat::IDENTITY,
            },
            "Add Lamp",
        ),
        (
            Command::SetParent { transform: transform(), parent: Some("Ground".into()), keep_place: true },
            "Parent Place to Ground",
        ),
        (Command::AddParent { transform: transform() }, "Add parent to Place"),
        (Command::AddTransform { instance: instance() }, "Add transform to Body here"),
        (of_body("mesh", PropertyValue::Reference(Some("Tail".into()))), "Change mesh of Body here"),
        (of_body("draw style", PropertyValue::Choice("Flat".into())), "Change draw style of Body here"),
        (Command::Rename { object: eye(), name: " Place ".into() }, "Rename Eye to Place 1"),
        (Command::Delete { object: eye(), with_data: true }, "Delete Eye with its data"),
        (Command::Duplicate { instance: instance(), linked: false }, "Duplicate Body here"),
        (
            Command::AddInstance { resource: ObjectRef::new(Kind::SkinnedMesh, "Tail") },
            "Add instance of Tail",
        ),
    ]
}

/// The names that the walk over all commands needs.
const KEPT: [&str; 4] = ["Body", "Tail", "Body here", "Eye"];

fn pick<'a, T>(random: &mut Random, from: &'a [T]) -> Option<&'a T> {
    from.get(random.below(from.len()))
}

/// The number of kinds of commands on instances and resources.
pub const KINDS: usize = 12;

/// Returns a random command of the kind with a number below [`KINDS`]; it fails if `wrong`.
pub fn any_command(random: &mut Random, scene: &Scene, kind: usize, wrong: bool) -> Command {
    let kept = |name: &str| KEPT.contains(&name);
    let command = command(random, scene, kind, wrong);
    match &command {
        Command::Rename { object, .. } | Command::Delete { object, .. } if kept(&object.name) => {
            // Change something that no other command needs.
            let object = ObjectRef::new(Kind::Transform, "Place");
            match command {
                Command::Rename { name, .. } => Command::Rename { object, name },
                _ => Command::Delete { object: ObjectRef::new(Kind::Texture, "Nothing"), with_data: false },
            }
        }
        Command::Delete { object, .. } => Command::Delete { object: object.clone(), with_data: false },
        _ => command,
    }
}

/// Returns a command like [`any_command`], but on anything in the scene.
pub fn command(random: &mut Random, scene: &Scene, kind: usize, wrong: bool) -> Command {
    let transforms: Vec<String> = scene.transforms.keys().cloned().collect();
    let things: Vec<ObjectRef> =
        scene.names().into_iter().map(|(kind, name)| ObjectRef::new(kind, name)).collect();
    let instances: Vec<InstanceRef> = things.iter().filter_map(ObjectRef::instance).collect();
    let nobody = || "Nobody".to_owned();
    let some = |random: &mut Random| pick(random, &transforms).cloned().unwrap_or_else(nobody);
    let transform = if wrong { nobody() } else { some(random) };
    let other = some(random);
    let nothing = ObjectRef::new(Kind::Texture, "Nothing");
    let thing = match pick(random, &things) {
        Some(thing) if !wrong => thing.clone(),
        _ => nothing,
    };
    let lost = InstanceRef { kind: InstanceKind::Mesh, name: nobody() };
    let instance = match pick(random, &instances) {
        Some(instance) if !wrong => instance.clone(),
        _ => lost,
    };
    let vector = random.vec3(3.0);
    let flag = random.chance(50);
    match kind {
        0..=2 => set_property(random, scene, thing, wrong),
        3 => Command::SetParent { transform, parent: random.chance(80).then_some(other), keep_place: flag },
        4 => Command::AddParent { transform },
        5 => Command::AddTransform { instance },
        7 => set_property(random, scene, thing, wrong),
        6 => Command::AddResource {
            kind: match wrong {
                true => [Kind::Mesh, Kind::Texture][random.below(2)],
                false => [Kind::Camera, Kind::DeltaLight, Kind::EnvLight, Kind::Shape][random.below(4)],
            },
            name: ["Lamp", "  ", "Eye"][random.below(3)].into(),
            properties: Vec::new(),
            translation: vector,
            rotation: Quat::from_rotation_x(vector.x),
        },
        8 => {
            let taken = things.get(random.below(things.len())).map(|thing| thing.name.clone());
            let names = ["Kopf \u{1f600}", " a=b\"c\\ ", "Arm 7", &taken.unwrap_or_default()];
            let name = names[random.below(4)].to_owned();
            let name = if wrong && flag { "\n ".into() } else { name };
            Command::Rename { object: thing, name }
        }
        9 => Command::Delete { object: thing, with_data: flag },
        10 => Command::Duplicate { instance, linked: flag },
        11 => Command::AddInstance { resource: thing },
        _ => unreachable!("kind {kind} is not a command on objects"),
    }
}

/// Sets any property of an object, to a value that its row may or may not allow.
fn set_property(random: &mut Random, scene: &Scene, thing: ObjectRef, wrong: bool) -> Command {
    let rows = property::rows(scene, &thing);
    let Some(row) = pick(random, &rows) else {
        return Command::set(thing, "nothing", PropertyValue::Bool(true));
    };
    let [least, largest] = row.info.range.map(|limit| limit.clamp(-1e3, 1e3) as f32);
    let mut number = || least + (largest - least) * random.unit().abs();
    let number = if wrong { f32::NAN } else { number() };
    let flag = random.chance(50);
    let value = match row.value {
        PropertyValue::Bool(_) if wrong => PropertyValue::Float(1.0),
        PropertyValue::Bool(_) => PropertyValue::Bool(flag),
        PropertyValue::Float(_) => PropertyValue::Float(number),
        PropertyValue::Unsigned(_) if wrong => PropertyValue::Choice("many".into()),
        PropertyValue::Unsigned(_) => PropertyValue::Unsigned(number as u32),
        PropertyValue::Vec3(_) => PropertyValue::Vec3(Vec3::new(number, 0.5, 1.0)),
        PropertyValue::Color(_) => PropertyValue::Color(Vec3::new(number, 0.5, 1.0)),
        PropertyValue::Rotation(_) => PropertyValue::Rotation(Quat::from_xyzw(number, 0.0, 0.5, 0.25)),
        PropertyValue::Choice(_) if wrong => PropertyValue::Choice("nonsense".into()),
        PropertyValue::Choice(_) => {
            let word = pick(random, row.choices).copied().unwrap_or_default();
            PropertyValue::Choice(word.to_owned())
        }
        PropertyValue::Reference(_) => {
            let names = row.target.map(|kind| scene.names_of(kind)).unwrap_or_default();
            let to = pick(random, &names).map(|name| (*name).to_owned());
            let to = to.filter(|_| flag);
            PropertyValue::Reference(if wrong { Some("Nobody".into()) } else { to })
        }
        ref other => other.clone(),
    };
    Command::set(thing, row.info.id, value)
}
