//! The command that adds a camera, a light, a shape or an emitter of particles, placed in the world.

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

/// The name that a new resource gets where a person asks for `wanted`: that of its kind where it has no visible
/// letter, with a number behind where it is taken.
pub fn name_for(scene: &Scene, kind: Kind, wanted: &str) -> String {
    let wanted = clean_name(wanted);
    scene.unused_name(if wanted.is_empty() { kind.text() } else { &wanted })
}

/// `place`: where its instance stands, and how it is turned.
pub fn add(
    edit: &mut Edit,
    kind: Kind,
    name: &str,
    properties: &[(String, PropertyValue)],
    place: (Vec3, Quat),
) -> Result {
    if !matches!(
        kind,
        Kind::Camera | Kind::DeltaLight | Kind::EnvLight | Kind::Shape | Kind::Particles
    ) {
        return Err(CommandError::Value {
            what: "what is added",
            rule: "a camera, a light, a shape or particles",
        });
    }
    let scene = &mut *edit.scene;
    let thing = ObjectRef::new(kind, name_for(scene, kind, name));
    with_table!(&mut scene, kind, table => drop(table.insert(thing.name.clone(), Arc::default())));
    for (id, value) in properties {
        property::set(scene, &thing, id, value)?;
    }
    edit.created(kind, &thing.name);
    give_textures(edit, &thing)?;
    let instance = ObjectRef::from(&objects::placed(edit, &thing)?);
    let transform = references::named_by(edit.scene, &instance);
    if let Some(transform) = transform.iter().find(|named| named.kind == Kind::Transform) {
        let (translation, rotation) = place;
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

/// Scotty3D expects each reference to a texture to name one.
fn give_textures(edit: &mut Edit, thing: &ObjectRef) -> Result {
    let missing = property::rows(edit.scene, thing).into_iter();
    let missing =
        missing.filter(|row| row.names == Some(Kind::Texture) && row.value == PropertyValue::Reference(None));
    for row in missing {
        let name = edit.scene.unused_name(&format!("{}_{}", thing.name, row.info.id));
        edit.scene
            .textures
            .insert(name.clone(), Arc::new(Texture::default()));
        edit.created(Kind::Texture, &name);
        property::set(
            edit.scene,
            thing,
            row.info.id,
            &PropertyValue::Reference(Some(name)),
        )?;
    }
    Ok(())
}
