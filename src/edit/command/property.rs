//! The command that sets a property of a resource or an instance, by its row.

use super::CommandError;
use super::place;
use crate::scene::Scene;
use crate::scene::names::{Kind, Thing};
use crate::scene::property::{self, PropertyValue};

pub fn set(scene: &mut Scene, of: &Thing, id: &str, value: &PropertyValue) -> Result<(), CommandError> {
    // No transform hangs on itself.
    if let (Kind::Transform, "parent", PropertyValue::Reference(parent)) = (of.kind, id, value) {
        return place::set_parent(scene, &of.name, parent.as_deref(), false);
    }
    Ok(property::set(scene, of, id, value)?)
}

pub fn label(of: &Thing, id: &str, value: &PropertyValue) -> String {
    match property::info(of.kind, id) {
        Some(info) => info.undo_label(&of.name, value),
        None => format!("Change {}", of.name),
    }
}
