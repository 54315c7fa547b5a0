//! The command that sets a property of a resource or an instance, by its row.

use super::Result;
use super::effects::Edit;
use super::transforms;
use crate::scene::names::{Kind, ObjectRef};
use crate::scene::property::{self, PropertyValue};

pub fn set(edit: &mut Edit, of: &ObjectRef, id: &str, value: &PropertyValue) -> Result {
    // No transform is its own ancestor.
    if let (Kind::Transform, "parent", PropertyValue::Reference(parent)) = (of.kind, id, value) {
        return transforms::set_parent(edit, &of.name, parent.as_deref(), false);
    }
    Ok(edit.change_properties(of, |scene| property::set(scene, of, id, value))?)
}

pub fn label(of: &ObjectRef, id: &str, value: &PropertyValue) -> String {
    match property::info(of.kind, id) {
        Some(info) => info.undo_label(&of.name, value),
        None => format!("Change {}", of.name),
    }
}
