//! Commands on whole resources and instances: rename, delete, duplicate, instantiate. References and
//! animation channels follow in the same step.

use super::bones::clean_name;
use super::effects::Edit;
use super::{CommandError, Result};
use super::{motion, spaces};
use crate::scene::Scene;
use crate::scene::instance::InstanceRef;
use crate::scene::names::{Kind, ObjectRef, with_table};
use crate::scene::resource::MaterialKind;
use crate::scene::{property, references};
use std::sync::Arc;

/// Checks that `object` exists in the scene.
pub fn check_exists(scene: &Scene, object: &ObjectRef) -> Result {
    if scene.contains(object) {
        return Ok(());
    }
    Err(CommandError::NoSuch { kind: object.kind.text(), name: object.name.clone() })
}

/// Returns the actual name of `object` when it is renamed to `wanted`; `None` if nothing visible remains of
/// the name.
pub fn name_for(scene: &Scene, object: &ObjectRef, wanted: &str) -> Option<String> {
    let wanted = clean_name(wanted);
    match wanted.as_str() {
        "" => None,
        current if current == object.name => Some(wanted),
        _ => Some(scene.unused_name(&wanted)),
    }
}

pub fn rename(edit: &mut Edit, object: &ObjectRef, wanted: &str) -> Result {
    check_exists(edit.scene, object)?;
    let name = name_for(edit.scene, object, wanted)
        .ok_or(CommandError::Value { subject: "the name", rule: "at least one letter long" })?;
    if name == object.name {
        return Ok(());
    }
    motion::rename(edit, object, &name);
    edit.record_renamed(object, &name);
    let scene = &mut *edit.scene;
    with_table!(&mut scene, object.kind, table => {
        if let Some(value) = table.remove(&object.name) {
            table.insert(name.clone(), value);
        }
    });
    references::retarget(scene, object, Some(&name));
    Ok(())
}

pub fn delete(edit: &mut Edit, object: &ObjectRef, with_data: bool) -> Result {
    check_exists(edit.scene, object)?;
    let mut pending = vec![object.clone()];
    while let Some(object) = pending.pop() {
        // A material may refer to the same texture twice.
        if !edit.scene.contains(&object) {
            continue;
        }
        spaces::release(edit, &object)?;
        motion::remove(edit, &object);
        edit.record_removed(object.kind, &object.name);
        let scene = &mut *edit.scene;
        let referenced = references::existing_targets(scene, &object);
        with_table!(&mut scene, object.kind, table => drop(table.remove(&object.name)));
        references::retarget(scene, &object, None);
        if with_data {
            let is_unused = |object: &ObjectRef| references::users(scene, object).is_empty();
            pending.extend(referenced.into_iter().filter(is_unused));
        }
    }
    Ok(())
}

pub fn duplicate(edit: &mut Edit, instance: &InstanceRef, linked: bool) -> Result {
    let object = ObjectRef::from(instance);
    check_exists(edit.scene, &object)?;
    let duplicate = copy(edit, &object);
    for referenced in references::existing_targets(edit.scene, &object) {
        let is_copied = match referenced.kind {
            Kind::Transform => true,
            kind => !linked && kind == Kind::placed_by(instance.kind),
        };
        if is_copied {
            let data = copy(edit, &referenced);
            references::set(edit.scene, &duplicate, referenced.kind, Some(&data.name));
        }
    }
    Ok(())
}

/// Adds a copy of `object` and its channels to the scene, with a new name.
fn copy(edit: &mut Edit, object: &ObjectRef) -> ObjectRef {
    let scene = &mut *edit.scene;
    let name = scene.unused_name(&object.name);
    with_table!(&mut scene, object.kind, table => {
        if let Some(value) = table.get(&object.name).cloned() {
            table.insert(name.clone(), value);
        }
    });
    edit.record_created(object.kind, &name);
    motion::copy(edit, object, &name);
    ObjectRef::new(object.kind, name)
}

/// Returns the name of the matte grey material for new instances; creates the material if it is missing.
fn default_material(edit: &mut Edit) -> String {
    const NAME: &str = "Default material";
    let scene = &mut *edit.scene;
    if scene.materials.contains_key(NAME) {
        return NAME.to_owned();
    }
    let texture = scene.unused_name("Default colour");
    let albedo = Some(texture.clone());
    scene.textures.insert(texture.clone(), Arc::default());
    let material = scene.unused_name(NAME);
    let matte = MaterialKind::Lambertian { albedo };
    scene.materials.insert(material.clone(), Arc::new(matte.into()));
    edit.record_created(Kind::Texture, &texture);
    edit.record_created(Kind::Material, &material);
    material
}

/// Adds an instance of `resource` with its own transform at the origin.
pub fn add_instance(edit: &mut Edit, resource: &ObjectRef) -> Result {
    instantiate(edit, resource).map(drop)
}

/// Like [`add_instance`]; returns the new instance.
pub fn instantiate(edit: &mut Edit, resource: &ObjectRef) -> Result<InstanceRef> {
    let scene = &mut *edit.scene;
    check_exists(scene, resource)?;
    let kind = resource.kind.instance().ok_or(CommandError::Value {
        subject: "what an instance is made of",
        rule: "something that is placed in the world",
    })?;
    let name = scene.unused_name(&format!("{}_instance", stem(&resource.name)));
    let instance = InstanceRef { kind, name };
    let object = ObjectRef::from(&instance);
    with_table!(&mut scene, object.kind, table => drop(table.insert(object.name.clone(), Arc::default())));
    references::set(scene, &object, resource.kind, Some(&resource.name));
    let has_material = property::rows(scene, &object).iter().any(|row| row.target == Some(Kind::Material));
    edit.record_created(object.kind, &object.name);
    // Scotty3D reports an error for an instance without a material.
    if has_material {
        let material = default_material(edit);
        references::set(edit.scene, &object, Kind::Material, Some(&material));
    }
    add_transform(edit, &instance)?;
    Ok(instance)
}

/// Removes the suffix that denotes the kind of an object from its name.
fn stem(name: &str) -> &str {
    let suffixes = ["_skinned_mesh", "_mesh", "_instance", "_transform"];
    let stem = suffixes.into_iter().find_map(|suffix| name.strip_suffix(suffix));
    stem.filter(|stem| !stem.is_empty()).unwrap_or(name)
}

/// Returns the name of the transform created by [`add_transform`].
pub fn transform_name(scene: &Scene, instance: &str) -> String {
    scene.unused_name(&format!("{}_transform", stem(instance)))
}

/// Gives the instance its own transform, with the values and channels of its previous one, or at the origin.
pub fn add_transform(edit: &mut Edit, instance: &InstanceRef) -> Result {
    let object = ObjectRef::from(instance);
    let scene = &mut *edit.scene;
    check_exists(scene, &object)?;
    let name = transform_name(scene, &instance.name);
    let old = references::existing_targets(scene, &object)
        .into_iter()
        .find(|referenced| referenced.kind == Kind::Transform);
    let transform = old.as_ref().and_then(|old| scene.transforms.get(&old.name));
    let transform = transform.cloned().unwrap_or_default();
    scene.transforms.insert(name.clone(), transform);
    edit.record_created(Kind::Transform, &name);
    if let Some(old) = old {
        motion::copy(edit, &old, &name);
    }
    references::set(edit.scene, &object, Kind::Transform, Some(&name));
    Ok(())
}
