//! Dragging objects onto others: they get another parent, or none, and keep their place in the world.

use super::lines::transform_of;
use crate::edit::command::{Command, transform_name};
use crate::editor::ui::tree::{DropHint, DropPlace};
use crate::scene::Scene;
use crate::scene::names::ObjectRef;
use crate::scene::world::is_self_or_descendant;

/// Describes what dropping `object` at `place` does.
pub fn drop_hint(scene: &Scene, object: &ObjectRef, place: &DropPlace<ObjectRef>) -> DropHint {
    let name = &object.name;
    match (refusal(scene, object, place), place) {
        (Some(reason), _) => DropHint::Refused(reason),
        (None, DropPlace::Row(onto)) => DropHint::Allowed(format!("Parent {name} to {}", onto.name)),
        (None, DropPlace::Root) => DropHint::Allowed(format!("Unparent {name}")),
        (None, DropPlace::Nowhere) => DropHint::Nowhere(format!("{name}: drop it on its new parent")),
    }
}

/// The reason why `object` cannot be dropped at `place`; `None` if it can.
fn refusal(scene: &Scene, object: &ObjectRef, place: &DropPlace<ObjectRef>) -> Option<&'static str> {
    let transform = transform_of(scene, object);
    let parent = transform.and_then(|transform| scene.transforms.get(transform)?.parent.as_deref());
    let parent = parent.filter(|parent| scene.transforms.contains_key(*parent));
    match place {
        DropPlace::Row(onto) if onto == object => Some("Nothing can be its own parent"),
        DropPlace::Row(onto) => match (transform_of(scene, onto), transform) {
            (Some(onto), Some(transform)) if onto == transform => Some("They share a transform"),
            (Some(onto), Some(transform)) if is_self_or_descendant(scene, onto, transform) => {
                Some("Nothing can be parented to its own descendant")
            }
            (Some(onto), _) if parent == Some(onto) => Some("That is already its parent"),
            _ => None,
        },
        DropPlace::Root => parent.is_none().then_some("It has no parent"),
        DropPlace::Nowhere => None,
    }
}

/// The commands that add missing transforms and then set the new parent.
pub fn commands(scene: &Scene, object: &ObjectRef, place: &DropPlace<ObjectRef>) -> Vec<Command> {
    let mut scratch = scene.clone();
    let mut commands = Vec::new();
    let mut own_transform = |object: &ObjectRef| match (transform_of(scene, object), object.instance()) {
        (Some(transform), _) if scene.transforms.contains_key(transform) => transform.to_owned(),
        (_, Some(instance)) => {
            let name = transform_name(&scratch, &instance.name);
            let add = Command::AddTransform { instance };
            // The instance exists, so this cannot fail.
            add.apply(&mut scratch).ok();
            commands.push(add);
            name
        }
        (_, None) => object.name.clone(),
    };
    let transform = own_transform(object);
    let parent = match place {
        DropPlace::Row(onto) => Some(own_transform(onto)),
        _ => None,
    };
    commands.push(Command::SetParent { transform, parent, keep_place: true });
    commands
}
