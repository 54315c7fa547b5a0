//! Things dragged onto others: they get another parent, or none, and stay where they are.

use super::lines::transform_of;
use crate::edit::command::{Command, transform_name};
use crate::editor::ui::tree::{DropHint, DropPlace};
use crate::scene::Scene;
use crate::scene::names::ObjectRef;
use crate::scene::world::is_below;

/// What it means to drop a thing there.
pub fn drop_hint(scene: &Scene, thing: &ObjectRef, place: &DropPlace<ObjectRef>) -> DropHint {
    let name = &thing.name;
    match (refusal(scene, thing, place), place) {
        (Some(why), _) => DropHint::Refused(why),
        (None, DropPlace::Row(onto)) => DropHint::Allowed(format!("Parent {name} to {}", onto.name)),
        (None, DropPlace::Root) => DropHint::Allowed(format!("Unparent {name}")),
        (None, DropPlace::Nowhere) => DropHint::Nowhere(format!("{name}: drop it on its new parent")),
    }
}

/// Why a thing cannot be dropped there; `None` if it can.
fn refusal(scene: &Scene, thing: &ObjectRef, place: &DropPlace<ObjectRef>) -> Option<&'static str> {
    let own = transform_of(scene, thing);
    let parent = own.and_then(|own| scene.transforms.get(own)?.parent.as_deref());
    let parent = parent.filter(|parent| scene.transforms.contains_key(*parent));
    match place {
        DropPlace::Row(onto) if onto == thing => Some("Nothing can be its own parent"),
        DropPlace::Row(onto) => match (transform_of(scene, onto), own) {
            (Some(onto), Some(own)) if onto == own => Some("They share a transform"),
            (Some(onto), Some(own)) if is_below(scene, onto, own) => {
                Some("Nothing can be parented to its own descendant")
            }
            (Some(onto), _) if parent == Some(onto) => Some("That is already its parent"),
            _ => None,
        },
        DropPlace::Root => parent.is_none().then_some("It has no parent"),
        DropPlace::Nowhere => None,
    }
}

/// Transforms for those that have none, then the new parent.
pub fn commands(scene: &Scene, thing: &ObjectRef, place: &DropPlace<ObjectRef>) -> Vec<Command> {
    let mut ahead = scene.clone();
    let mut commands = Vec::new();
    let mut own_transform = |thing: &ObjectRef| match (transform_of(scene, thing), thing.instance()) {
        (Some(transform), _) if scene.transforms.contains_key(transform) => transform.to_owned(),
        (_, Some(instance)) => {
            let name = transform_name(&ahead, &instance.name);
            let add = Command::AddTransform { instance };
            // What it is for is in the scene, so it can be done.
            add.apply(&mut ahead).ok();
            commands.push(add);
            name
        }
        (_, None) => thing.name.clone(),
    };
    let transform = own_transform(thing);
    let parent = match place {
        DropPlace::Row(onto) => Some(own_transform(onto)),
        _ => None,
    };
    commands.push(Command::SetParent {
        transform,
        parent,
        keep_place: true,
    });
    commands
}
