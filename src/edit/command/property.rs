//! The command that sets a property of a resource or an instance.

use super::Result;
use super::effects::Edit;
use super::transforms;
use crate::scene::names::{Kind, ObjectRef};
use crate::scene::property::{self, PropertyValue};

pub fn set(edit: &mut Edit, object: &ObjectRef, id: &str, value: &PropertyValue) -> Result {
    // A transform must not become its own ancestor.
    if let (Kind::Transform, "parent", PropertyValue::Reference(parent)) = (object.kind, id, value) {
        return transforms::set_parent(edit, &object.name, parent.as_deref(), false);
    }
    Ok(edit.change_properties(object, |scene| property::set(scene, object, id, value))?)
}

pub fn label(object: &ObjectRef, id: &str, value: &PropertyValue) -> String {
    match property::info(object.kind, id) {
        Some(info) => info.undo_label(&object.name, value),
        None => format!("Change {}", object.name),
    }
}
