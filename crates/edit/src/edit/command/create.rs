//! The command that adds a camera, a light, a shape or a particle emitter, placed in the world.

use super::bones::clean_name;
use super::effects::Edit;
use super::{CommandError, Result, objects};
use crate::scene::Scene;
use crate::scene::names::{Kind, ObjectRef, with_table};
use crate::scene::property::{self, PropertyValue};
use crate::scene::references;
use crate::scene::resource::Texture;
use glam::{Quat, Vec3};
use std::sync::Arc;

/// Returns the actual name of a new resource with the requested name `wanted`: the name of its kind if
/// nothing visible remains, with a number if the name is taken.
pub fn name_for(scene: &Scene, kind: Kind, wanted: &str) -> String {
    let wanted = clean_name(wanted);
    scene.unused_name(if wanted.is_empty() { kind.text() } else { &wanted })
}

/// Adds a resource with an instance; `placement` is the translation and rotation of the instance.
pub fn add(
    edit: &mut Edit,
    kind: Kind,
    name: &str,
    properties: &[(String, PropertyValue)],
    placement: (Vec3, Quat),
) -> Result {
    if !matches!(kind, Kind::Camera | Kind::DeltaLight | Kind::EnvLight | Kind::Shape | Kind::Particles) {
        return Err(CommandError::Value {
            subject: "the new object",
            rule: "a camera, a light, a shape or particles",
        });
    }
    let scene = &mut *edit.scene;
    let object = ObjectRef::new(kind, name_for(scene, kind, name));
    with_table!(&mut scene, kind, table => drop(table.insert(object.name.clone(), Arc::default())));
    for (id, value) in properties {
        property::set(scene, &object, id, value)?;
    }
    edit.record_created(kind, &object.name);
    add_missing_textures(edit, &object)?;
    let instance = ObjectRef::from(&objects::instantiate(edit, &object)?);
    let transform = references::existing_targets(edit.scene, &instance);
    if let Some(transform) = transform.iter().find(|referenced| referenced.kind == Kind::Transform) {
        let (translation, rotation) = placement;
        let values = [
            ("translation", PropertyValue::Vec3(translation)),
            ("rotation", PropertyValue::Rotation(rotation)),
        ];
        for (id, value) in values {
            property::set(edit.scene, transform, id, &value)?;
        }
    }
    Ok(())
}

/// Adds a texture for each missing reference: Scotty3D requires every texture reference to be set.
fn add_missing_textures(edit: &mut Edit, object: &ObjectRef) -> Result {
    let missing = property::rows(edit.scene, object).into_iter();
    let missing = missing
        .filter(|row| row.target == Some(Kind::Texture) && row.value == PropertyValue::Reference(None));
    for row in missing {
        let name = edit.scene.unused_name(&format!("{}_{}", object.name, row.info.id));
        edit.scene.textures.insert(name.clone(), Arc::new(Texture::default()));
        edit.record_created(Kind::Texture, &name);
        property::set(edit.scene, object, row.info.id, &PropertyValue::Reference(Some(name)))?;
    }
    Ok(())
}
