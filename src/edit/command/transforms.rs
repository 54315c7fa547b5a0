//! Commands on the parents of transforms.

use super::effects::Edit;
use super::helpers;
use super::{CommandError, Result};
use crate::math::decompose::{decompose, unflattened};
use crate::scene::Scene;
use crate::scene::names::{Kind, ObjectRef};
use crate::scene::resource::Transform;
use crate::scene::world::{is_below, parent_from_local, world_of};
use std::sync::Arc;

fn missing(name: &str) -> CommandError {
    CommandError::NoSuch {
        what: Kind::Transform.text(),
        name: name.to_owned(),
    }
}

pub fn set_parent(edit: &mut Edit, name: &str, parent: Option<&str>, keep_place: bool) -> Result {
    let scene = &*edit.scene;
    let old = Arc::clone(scene.transforms.get(name).ok_or_else(|| missing(name))?);
    if let Some(parent) = parent {
        super::objects::there(scene, &ObjectRef::new(Kind::Transform, parent))?;
        if is_below(scene, parent, name) {
            return Err(CommandError::Value {
                what: "the parent",
                rule: "something that is not its own descendant",
            });
        }
    }
    if old.parent.as_deref() == parent {
        return Ok(());
    }
    let mut new = Transform {
        parent: parent.map(str::to_owned),
        ..(*old).clone()
    };
    let (before, after) = (world_of(scene, old.parent.as_deref()), world_of(scene, parent));
    if keep_place && before != after {
        let whole = Transform {
            scale: unflattened(old.scale.as_dvec3()).as_vec3(),
            ..(*old).clone()
        };
        let local = after.inverse() * before * parent_from_local(&whole);
        let (translation, rotation, scale) =
            decompose(local, old.scale.as_dvec3()).ok_or(CommandError::Value {
                what: "a parent under which the place in the world can be kept",
                rule: "neither flat nor endlessly large",
            })?;
        (new.translation, new.rotation, new.scale) =
            (translation.as_vec3(), rotation.as_quat(), scale.as_vec3());
        helpers::finite("the place under the new parent", new.translation)?;
        helpers::finite("the size under the new parent", new.scale)?;
    }
    edit.change_properties(&ObjectRef::new(Kind::Transform, name), |scene| {
        scene.transforms.insert(name.to_owned(), Arc::new(new));
    });
    Ok(())
}

/// The name that [`add_parent`] gives.
pub fn parent_name(scene: &Scene, name: &str) -> String {
    let stem = name.strip_suffix("_transform").unwrap_or(name);
    scene.unused_name(&format!("{stem}_parent"))
}

/// A new transform between `name` and its parent. Nothing moves.
pub fn add_parent(edit: &mut Edit, name: &str) -> Result {
    let scene = &mut *edit.scene;
    let mut below = scene.transforms.get(name).ok_or_else(|| missing(name))?.clone();
    let new = parent_name(scene, name);
    let between = Transform {
        parent: Arc::make_mut(&mut below).parent.replace(new.clone()),
        ..Transform::default()
    };
    scene.transforms.insert(name.to_owned(), below);
    scene.transforms.insert(new.clone(), Arc::new(between));
    edit.created(Kind::Transform, &new);
    Ok(())
}
