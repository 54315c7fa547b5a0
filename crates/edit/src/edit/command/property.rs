//! The command that sets a property of a resource or an instance, or of parts of a skeleton, and shorter ways to make it.

use super::effects::Edit;
use super::helpers::{self, edit_skeleton};
use super::transforms;
use super::{Command, CommandError, Result};
use crate::io::count::grouped;
use crate::rig::property::{BONE, Property, PropertyError, SHAPE, SKELETON, handle_rows, info};
use crate::rig::skeleton::{Part, Skeleton};
use crate::scene::instance::InstanceRef;
use crate::scene::names::{Kind, ObjectRef};
use crate::scene::property::{self, PropertyValue};
use crate::scene::spaces::{Space, check};

impl Command {
    /// Creates a command that sets a property of an object.
    pub fn set(object: ObjectRef, property: &str, value: PropertyValue) -> Self {
        Self::SetProperty { object, parts: Vec::new(), property: property.to_owned().into(), value }
    }

    /// Creates a command that sets a property of a bone: see [`crate::rig::property::BONE`].
    pub fn set_bone(
        mesh: String,
        bone: usize,
        property: &'static str,
        value: impl Into<PropertyValue>,
    ) -> Self {
        Self::set_part(mesh, Part::Bone(bone), property, value)
    }

    /// Creates a command that sets a property of a handle: see [`crate::rig::property::HANDLE`].
    pub fn set_handle(
        mesh: String,
        handle: usize,
        property: &'static str,
        value: impl Into<PropertyValue>,
    ) -> Self {
        Self::set_part(mesh, Part::Handle(handle), property, value)
    }

    /// Creates a command that sets a property of a skeleton: see [`crate::rig::property::SKELETON`].
    pub fn set_skeleton(mesh: String, property: &'static str, value: impl Into<PropertyValue>) -> Self {
        Self::set_part(mesh, Part::Base, property, value)
    }

    /// Creates a command that sets how much of a shape is blended in.
    pub fn set_shape(mesh: String, shape: usize, weight: f32) -> Self {
        Self::set_part(mesh, Part::Shape(shape), "weight", weight)
    }

    /// Creates a command that locks or unlocks the weights of bones against brushes.
    pub fn lock_weights(mesh: String, bones: &[usize], locked: bool) -> Self {
        Self::set_parts(mesh, bones.iter().map(|bone| Part::Bone(*bone)).collect(), "lock_weights", locked)
    }

    /// Creates a command that sets a property of a part of a skeleton; the base stands for the skeleton.
    pub fn set_part(
        mesh: String,
        part: Part,
        property: &'static str,
        value: impl Into<PropertyValue>,
    ) -> Self {
        Self::set_parts(mesh, vec![part], property, value)
    }

    /// Creates a command that sets a property of parts of a skeleton, of which there must be one, to the same value.
    pub fn set_parts(
        mesh: String,
        parts: Vec<Part>,
        property: &'static str,
        value: impl Into<PropertyValue>,
    ) -> Self {
        let object = ObjectRef::new(Kind::SkinnedMesh, mesh);
        Self::SetProperty { object, parts, property: property.into(), value: value.into() }
    }

    /// Returns the mesh, the parts, the property and the value of a command that sets a property of parts.
    pub fn part_property(&self) -> Option<(&str, &[Part], &str, &PropertyValue)> {
        match self {
            Self::SetProperty { object, parts, property, value } if !parts.is_empty() => {
                Some((&object.name, parts, property, value))
            }
            _ => None,
        }
    }

    /// Creates a command that shows or hides an instance.
    pub fn show(instance: &InstanceRef, visible: bool) -> Self {
        Self::set(ObjectRef::from(instance), "visible", PropertyValue::Bool(visible))
    }
}

pub fn set(edit: &mut Edit, object: &ObjectRef, parts: &[Part], id: &str, value: &PropertyValue) -> Result {
    if !parts.is_empty() {
        return set_parts(edit, object, parts, id, value);
    }
    // A transform must not become its own ancestor.
    if let (Kind::Transform, "parent", PropertyValue::Reference(parent)) = (object.kind, id, value) {
        return transforms::set_parent(edit, &object.name, parent.as_deref(), false);
    }
    Ok(edit.change_properties(object, |scene| property::set(scene, object, id, value))?)
}

fn set_parts(edit: &mut Edit, object: &ObjectRef, parts: &[Part], id: &str, value: &PropertyValue) -> Result {
    let mesh = &object.name;
    if object.kind != Kind::SkinnedMesh {
        return Err(CommandError::Value { subject: "an object with parts", rule: "a skinned mesh" });
    }
    edit_skeleton(edit, mesh, |skeleton| {
        for &part in parts {
            match part {
                Part::Bone(bone) => {
                    helpers::check_bone(mesh, skeleton, bone)?;
                    let row = row(BONE.iter(), &skeleton.bones[bone], id, || skeleton.bone_name(bone))?;
                    row.set(&mut skeleton.bones[bone], &row.validated(value)?);
                }
                Part::Handle(handle) | Part::Pole(handle) => {
                    helpers::check_handle(mesh, skeleton, handle)?;
                    let found = &skeleton.handles[handle];
                    let row = row(handle_rows(), found, id, || skeleton.handle_name(handle))?;
                    row.set(&mut skeleton.handles[handle], &row.validated(value)?);
                }
                Part::Shape(shape) => {
                    helpers::check_index(mesh, "shape", shape, skeleton.shapes.len())?;
                    let row = row(SHAPE.iter(), &skeleton.shapes[shape], id, || skeleton.shape_name(shape))?;
                    row.set(&mut skeleton.shapes[shape], &row.validated(value)?);
                }
                Part::Base => {
                    let row = row(SKELETON.iter(), skeleton, id, || mesh.clone())?;
                    row.set(skeleton, &row.validated(value)?);
                }
            }
        }
        Ok(())
    })?;
    let skeleton = &helpers::skinned_mesh(edit.scene, mesh)?.skeleton;
    if matches!(id, "space" | "space_instance") {
        for part in parts {
            if let Part::Handle(handle) | Part::Pole(handle) = *part {
                check(edit.scene, mesh, &Space::from_handle(&skeleton.handles[handle]))?;
            }
        }
    }
    Ok(())
}

/// Returns the row with an id, if the part has such a property.
fn row<T>(
    rows: impl Iterator<Item = &'static Property<T>> + Clone,
    part: &T,
    id: &str,
    name: impl Fn() -> String,
) -> Result<&'static Property<T>> {
    let available = rows.filter(|row| row.get(part).is_some());
    let found = available.clone().find(|row| row.info.id == id);
    Ok(found.ok_or_else(|| PropertyError::Unknown {
        name: name(),
        property: id.to_owned(),
        available: available.map(|row| row.info.id).collect(),
    })?)
}

/// Chooses `other` as the other side of a bone, and the bone as that of `other`; removes their previous pairings.
pub fn pair(edit: &mut Edit, mesh: &str, bone: usize, other: Option<usize>) -> Result {
    edit_skeleton(edit, mesh, |skeleton| {
        for bone in [Some(bone), other].into_iter().flatten() {
            helpers::check_bone(mesh, skeleton, bone)?;
        }
        if other == Some(bone) {
            let (subject, rule) = ("the other side of a bone", "another bone");
            return Err(CommandError::Value { subject, rule });
        }
        let id = |bone: usize| skeleton.bones[bone].channel_id;
        let (bone_id, other_id) = (id(bone), other.map(id));
        for bone in &mut skeleton.bones {
            let is_either = |id: u32| id == bone_id || Some(id) == other_id;
            if bone.mirror_of.is_some_and(is_either) {
                bone.mirror_of = None;
            }
        }
        skeleton.bones[bone].mirror_of = other_id;
        if let Some(other) = other {
            skeleton.bones[other].mirror_of = Some(bone_id);
        }
        Ok(())
    })
}

/// Returns the undo label; `skeleton` is that of the object, if it has one.
pub fn label(
    skeleton: &Skeleton,
    object: &ObjectRef,
    parts: &[Part],
    id: &str,
    value: &PropertyValue,
) -> String {
    let (info, name) = match parts {
        [] => (property::info(object.kind, id), object.name.clone()),
        parts => (info(parts[0], id), parts_name(skeleton, parts)),
    };
    match info {
        Some(info) => info.undo_label(&name, value),
        None => format!("Change {}", object.name),
    }
}

/// Returns the name of a single part, or the number of parts; of the base nothing, as there is only one.
fn parts_name(skeleton: &Skeleton, parts: &[Part]) -> String {
    match *parts {
        [Part::Bone(bone)] => skeleton.bone_name(bone),
        [Part::Handle(handle) | Part::Pole(handle)] => skeleton.handle_name(handle),
        [Part::Bone(_), ..] => format!("{} bones", grouped(parts.len())),
        [Part::Handle(_) | Part::Pole(_), ..] => format!("{} handles", grouped(parts.len())),
        [Part::Shape(shape)] => skeleton.shape_name(shape),
        [Part::Shape(_), ..] => format!("{} shapes", grouped(parts.len())),
        [Part::Base, ..] | [] => String::new(),
    }
}
