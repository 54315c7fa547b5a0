//! Commands on instances and resources: rules that scenes keep, examples, random ones.

use super::Random;
use glam::{Quat, Vec3};
use ossature::edit::command::{Command, Style};
use ossature::scene::Scene;
use ossature::scene::instance::{InstanceKind, InstanceRef};
use ossature::scene::names::{Kind, Thing};
use ossature::scene::references;
use ossature::scene::world::is_below;
use std::collections::BTreeSet;

/// References to nothing, transforms that hang on themselves, channels of nothing.
pub fn faults(scene: &Scene) -> Vec<String> {
    let mut faults = Vec::new();
    for reference in references::all(scene) {
        if !scene.holds(&reference.to) {
            faults.push(format!("{reference:?} names nothing"));
        }
    }
    for (name, transform) in &scene.transforms {
        if transform
            .parent
            .as_ref()
            .is_some_and(|parent| is_below(scene, parent, name))
        {
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
    InstanceRef {
        kind: InstanceKind::SkinnedMesh,
        name: "Body here".into(),
    }
}

pub fn examples() -> Vec<(Command, &'static str)> {
    let transform = || "Place".to_owned();
    let eye = || Thing::new(Kind::Instance(InstanceKind::Camera), "Eye");
    let instance = body_here;
    vec![
        (
            Command::SetTranslation {
                transform: transform(),
                translation: Vec3::ONE,
            },
            "Move Place",
        ),
        (
            Command::SetRotation {
                transform: transform(),
                rotation: Quat::from_xyzw(0.0, 3.0, 0.0, 4.0),
            },
            "Turn Place",
        ),
        (
            Command::SetScale {
                transform: transform(),
                scale: Vec3::new(1.0, -2.0, 0.0),
            },
            "Scale Place",
        ),
        (
            Command::SetParent {
                transform: transform(),
                parent: Some("Ground".into()),
                keep_place: true,
            },
            "Put Place under Ground",
        ),
        (
            Command::AddParent {
                transform: transform(),
            },
            "Add parent to Place",
        ),
        (
            Command::AddTransform { instance: instance() },
            "Add transform to Body here",
        ),
        (
            Command::SetReference {
                instance: instance(),
                kind: Kind::SkinnedMesh,
                to: Some("Tail".into()),
            },
            "Change skinned mesh of Body here",
        ),
        (
            Command::SetStyle {
                instance: instance(),
                style: Style::Draw("Flat".into()),
            },
            "Draw Body here as Flat",
        ),
        (
            Command::Rename {
                thing: eye(),
                name: " Place ".into(),
            },
            "Rename Eye to Place 1",
        ),
        (
            Command::Delete {
                thing: eye(),
                with_data: true,
            },
            "Delete Eye with its data",
        ),
        (
            Command::Duplicate {
                instance: instance(),
                linked: false,
            },
            "Duplicate Body here",
        ),
        (
            Command::AddInstance {
                of: Thing::new(Kind::SkinnedMesh, "Tail"),
            },
            "Add instance of Tail",
        ),
    ]
}

/// Names that the walk over all commands needs.
const KEPT: [&str; 4] = ["Body", "Tail", "Body here", "Eye"];

fn pick<'a, T>(random: &mut Random, from: &'a [T]) -> Option<&'a T> {
    from.get(random.below(from.len()))
}

/// Kinds of commands on things that are placed.
pub const KINDS: usize = 12;

/// Of the kind with a number below [`KINDS`]; wrong ones fail.
pub fn any_command(random: &mut Random, scene: &Scene, kind: usize, wrong: bool) -> Command {
    let kept = |name: &str| KEPT.contains(&name);
    let command = command(random, scene, kind, wrong);
    match &command {
        Command::Rename { thing, .. } | Command::Delete { thing, .. } if kept(&thing.name) => {
            // Wrong in its own way: nothing to do with what others need.
            let thing = Thing::new(Kind::Transform, "Place");
            match command {
                Command::Rename { name, .. } => Command::Rename { thing, name },
                _ => Command::Delete {
                    thing: Thing::new(Kind::Texture, "Nothing"),
                    with_data: false,
                },
            }
        }
        Command::Delete { thing, .. } => Command::Delete {
            thing: thing.clone(),
            with_data: false,
        },
        _ => command,
    }
}

/// As [`any_command`], on anything in the scene.
pub fn command(random: &mut Random, scene: &Scene, kind: usize, wrong: bool) -> Command {
    let transforms: Vec<String> = scene.transforms.keys().cloned().collect();
    let things: Vec<Thing> = scene
        .names()
        .into_iter()
        .map(|(kind, name)| Thing::new(kind, name))
        .collect();
    let instances: Vec<InstanceRef> = things.iter().filter_map(Thing::instance).collect();
    let nobody = || "Nobody".to_owned();
    let some = |random: &mut Random| pick(random, &transforms).cloned().unwrap_or_else(nobody);
    let transform = if wrong { nobody() } else { some(random) };
    let other = some(random);
    let nothing = Thing::new(Kind::Texture, "Nothing");
    let thing = match pick(random, &things) {
        Some(thing) if !wrong => thing.clone(),
        _ => nothing,
    };
    let lost = InstanceRef {
        kind: InstanceKind::Mesh,
        name: nobody(),
    };
    let instance = match pick(random, &instances) {
        Some(instance) if !wrong => instance.clone(),
        _ => lost,
    };
    let vector = random.vec3(3.0);
    let flag = random.chance(50);
    match kind {
        0 => Command::SetTranslation {
            transform,
            translation: vector,
        },
        1 => Command::SetRotation {
            transform,
            rotation: Quat::from_xyzw(vector.x, vector.y, vector.z, 0.5 + random.unit().abs()),
        },
        2 => Command::SetScale {
            transform,
            scale: vector,
        },
        3 => Command::SetParent {
            transform,
            parent: random.chance(80).then_some(other),
            keep_place: flag,
        },
        4 => Command::AddParent { transform },
        5 => Command::AddTransform { instance },
        6 => {
            let kinds = [
                Kind::Transform,
                Kind::Material,
                Kind::placed_by(instance.kind),
                Kind::Mesh,
            ];
            let kind = kinds[random.below(4)];
            let names = scene.names_of(kind);
            let to = pick(random, &names).map(|name| (*name).to_owned());
            let to = to.filter(|_| random.chance(80));
            Command::SetReference { instance, kind, to }
        }
        7 => {
            let styles = [
                Style::Draw("Wireframe".into()),
                Style::Draw("Smooth".into()),
                Style::Blend("Blend Over".into()),
                Style::Depth("Depth Never".into()),
            ];
            let style = styles[random.below(4)].clone();
            Command::SetStyle { instance, style }
        }
        8 => {
            let taken = things
                .get(random.below(things.len()))
                .map(|thing| thing.name.clone());
            let names = [
                "Kopf \u{1f600}",
                " a=b\"c\\ ",
                "Arm 7",
                &taken.unwrap_or_default(),
            ];
            let name = names[random.below(4)].to_owned();
            let name = if wrong && flag { "\n ".into() } else { name };
            Command::Rename { thing, name }
        }
        9 => Command::Delete {
            thing,
            with_data: flag,
        },
        10 => Command::Duplicate {
            instance,
            linked: flag,
        },
        11 => Command::AddInstance { of: thing },
        _ => unreachable!("kind {kind} is no command on things"),
    }
}
