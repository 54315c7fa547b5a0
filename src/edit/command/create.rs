//! The command that adds a camera, a light, a shape or an emitter of particles, placed in the world.

use super::bones::clean_name;
use super::{CommandError, things};
use crate::scene::Scene;
use crate::scene::names::{Kind, Thing, with_table};
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
    scene: &mut Scene,
    kind: Kind,
    name: &str,
    properties: &[(String, PropertyValue)],
    place: (Vec3, Quat),
) -> Result<(), CommandError> {
    if !matches!(
        kind,
        Kind::Camera | Kind::DeltaLight | Kind::EnvLight | Kind::Shape | Kind::Particles
    ) {
        return Err(CommandError::Value {
            what: "what is added",
            rule: "a camera, a light, a shape or particles",
        });
    }
    let mut new = scene.clone();
    let thing = Thing::new(kind, name_for(scene, kind, name));
    with_table!(&mut new, kind, table => drop(table.insert(thing.name.clone(), Arc::default())));
    for (id, value) in properties {
        property::set(&mut new, &thing, id, value)?;
    }
    give_textures(&mut new, &thing)?;
    let instance = Thing::from(&things::placed(&mut new, &thing)?);
    let transform = references::named_by(&new, &instance);
    if let Some(transform) = transform.iter().find(|named| named.kind == Kind::Transform) {
        let (translation, rotation) = place;
        property::set(
            &mut new,
            transform,
            "translation",
            &PropertyValue::Vec3(translation),
        )?;
        property::set(
            &mut new,
            transform,
            "rotation",
            &PropertyValue::Rotation(rotation),
        )?;
    }
    *scene = new;
    Ok(())
}

/// Scotty3D expects each reference to a texture to name one.
fn give_textures(scene: &mut Scene, thing: &Thing) -> Result<(), CommandError> {
    let missing = property::rows(scene, thing).into_iter();
    let missing =
        missing.filter(|row| row.names == Some(Kind::Texture) && row.value == PropertyValue::Reference(None));
    for row in missing {
        let name = scene.unused_name(&format!("{}_{}", thing.name, row.info.id));
        scene.textures.insert(name.clone(), Arc::new(Texture::default()));
        property::set(scene, thing, row.info.id, &PropertyValue::Reference(Some(name)))?;
    }
    Ok(())
}
