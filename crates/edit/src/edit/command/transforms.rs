//! Commands on the hierarchy of transforms.

use super::effects::Edit;
use super::helpers;
use super::{CommandError, Result};
use crate::math::decompose::{decompose, replace_zeros};
use crate::scene::Scene;
use crate::scene::names::{Kind, ObjectRef};
use crate::scene::resource::Transform;
use crate::scene::world::{is_self_or_descendant, parent_from_local, world_matrix};
use std::sync::Arc;

fn no_such_transform(name: &str) -> CommandError {
    CommandError::NoSuch { kind: Kind::Transform.text(), name: name.to_owned() }
}

pub fn set_parent(edit: &mut Edit, name: &str, parent: Option<&str>, keep_place: bool) -> Result {
    let scene = &*edit.scene;
    let old = Arc::clone(scene.transforms.get(name).ok_or_else(|| no_such_transform(name))?);
    if let Some(parent) = parent {
        super::objects::check_exists(scene, &ObjectRef::new(Kind::Transform, parent))?;
        if is_self_or_descendant(scene, parent, name) {
            return Err(CommandError::Value {
                subject: "the parent",
                rule: "something that is not its own descendant",
            });
        }
    }
    if old.parent.as_deref() == parent {
        return Ok(());
    }
    let mut new = Transform { parent: parent.map(str::to_owned), ..(*old).clone() };
    let (before, after) = (world_matrix(scene, old.parent.as_deref()), world_matrix(scene, parent));
    if keep_place && before != after {
        let invertible = Transform { scale: replace_zeros(old.scale.as_dvec3()).as_vec3(), ..(*old).clone() };
        let local = after.inverse() * before * parent_from_local(&invertible);
        let (translation, rotation, scale) =
            decompose(local, old.scale.as_dvec3()).ok_or(CommandError::Value {
                subject: "a parent under which the place in the world can be kept",
                rule: "neither flat nor infinitely large",
            })?;
        (new.translation, new.rotation, new.scale) =
            (translation.as_vec3(), rotation.as_quat(), scale.as_vec3());
        helpers::check_finite("the place under the new parent", new.translation)?;
        helpers::check_finite("the size under the new parent", new.scale)?;
    }
    edit.change_properties(&ObjectRef::new(Kind::Transform, name), |scene| {
        scene.transforms.insert(name.to_owned(), Arc::new(new));
    });
    Ok(())
}

/// Returns the name of the transform created by [`add_parent`].
pub fn parent_name(scene: &Scene, name: &str) -> String {
    let stem = name.strip_suffix("_transform").unwrap_or(name);
    scene.unused_name(&format!("{stem}_parent"))
}

/// Inserts a transform between `name` and its parent. Nothing moves.
pub fn add_parent(edit: &mut Edit, name: &str) -> Result {
    let scene = &mut *edit.scene;
    let mut child = scene.transforms.get(name).ok_or_else(|| no_such_transform(name))?.clone();
    let new = parent_name(scene, name);
    let inserted =
        Transform { parent: Arc::make_mut(&mut child).parent.replace(new.clone()), ..Transform::default() };
    scene.transforms.insert(name.to_owned(), child);
    scene.transforms.insert(new.clone(), Arc::new(inserted));
    edit.record_created(Kind::Transform, &new);
    Ok(())
}
