//! Commands on resources and instances as such: rename, delete, duplicate, place. References and
//! animation channels follow in the same step.

use super::bones::clean_name;
use super::effects::Edit;
use super::motion;
use super::{CommandError, Result};
use crate::scene::Scene;
use crate::scene::instance::InstanceRef;
use crate::scene::names::{Kind, ObjectRef, with_table};
use crate::scene::resource::MaterialKind;
use crate::scene::{property, references};
use std::sync::Arc;

/// That the scene holds `thing`.
pub fn there(scene: &Scene, thing: &ObjectRef) -> Result {
    if scene.holds(thing) {
        return Ok(());
    }
    Err(CommandError::NoSuch {
        what: thing.kind.text(),
        name: thing.name.clone(),
    })
}

/// The name that `thing` gets when a person asks for `wanted`; `None` for a name without a visible letter.
pub fn name_for(scene: &Scene, thing: &ObjectRef, wanted: &str) -> Option<String> {
    let wanted = clean_name(wanted);
    match wanted.as_str() {
        "" => None,
        same if same == thing.name => Some(wanted),
        _ => Some(scene.unused_name(&wanted)),
    }
}

pub fn rename(edit: &mut Edit, thing: &ObjectRef, wanted: &str) -> Result {
    there(edit.scene, thing)?;
    let name = name_for(edit.scene, thing, wanted).ok_or(CommandError::Value {
        what: "the name",
        rule: "at least one letter long",
    })?;
    if name == thing.name {
        return Ok(());
    }
    motion::rename(edit, thing, &name);
    edit.renamed(thing, &name);
    let scene = &mut *edit.scene;
    with_table!(&mut scene, thing.kind, table => {
        if let Some(it) = table.remove(&thing.name) {
            table.insert(name.clone(), it);
        }
    });
    references::retarget(scene, thing, Some(&name));
    Ok(())
}

pub fn delete(edit: &mut Edit, thing: &ObjectRef, with_data: bool) -> Result {
    there(edit.scene, thing)?;
    let mut doomed = vec![thing.clone()];
    while let Some(thing) = doomed.pop() {
        // A material may name one texture twice.
        if !edit.scene.holds(&thing) {
            continue;
        }
        motion::remove(edit, &thing);
        edit.removed(thing.kind, &thing.name);
        let scene = &mut *edit.scene;
        let named = references::named_by(scene, &thing);
        with_table!(&mut scene, thing.kind, table => drop(table.remove(&thing.name)));
        references::retarget(scene, &thing, None);
        if with_data {
            let is_unused = |named: &ObjectRef| references::users(scene, named).is_empty();
            doomed.extend(named.into_iter().filter(is_unused));
        }
    }
    Ok(())
}

pub fn duplicate(edit: &mut Edit, instance: &InstanceRef, linked: bool) -> Result {
    let thing = ObjectRef::from(instance);
    there(edit.scene, &thing)?;
    let copy = copied(edit, &thing);
    for named in references::named_by(edit.scene, &thing) {
        let own = match named.kind {
            Kind::Transform => true,
            kind => !linked && kind == Kind::placed_by(instance.kind),
        };
        if own {
            let data = copied(edit, &named);
            references::set(edit.scene, &copy, named.kind, Some(&data.name));
        }
    }
    Ok(())
}

/// Puts a copy of `thing` and of its channels into the scene, under a name of its own.
fn copied(edit: &mut Edit, thing: &ObjectRef) -> ObjectRef {
    let scene = &mut *edit.scene;
    let name = scene.unused_name(&thing.name);
    with_table!(&mut scene, thing.kind, table => {
        if let Some(it) = table.get(&thing.name).cloned() {
            table.insert(name.clone(), it);
        }
    });
    edit.created(thing.kind, &name);
    motion::copy(edit, thing, &name);
    ObjectRef::new(thing.kind, name)
}

/// The matte grey material of new instances, by name; made where the scene has none of that name.
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
    edit.created(Kind::Texture, &texture);
    edit.created(Kind::Material, &material);
    material
}

/// A new instance of `of`, with a transform of its own at the origin.
pub fn place(edit: &mut Edit, of: &ObjectRef) -> Result {
    placed(edit, of).map(drop)
}

/// The same; which instance it is.
pub fn placed(edit: &mut Edit, of: &ObjectRef) -> Result<InstanceRef> {
    let scene = &mut *edit.scene;
    there(scene, of)?;
    let kind = of.kind.instance().ok_or(CommandError::Value {
        what: "what an instance is made of",
        rule: "something that is placed in the world",
    })?;
    let name = scene.unused_name(&format!("{}_instance", stem(&of.name)));
    let instance = InstanceRef { kind, name };
    let thing = ObjectRef::from(&instance);
    with_table!(&mut scene, thing.kind, table => drop(table.insert(thing.name.clone(), Arc::default())));
    references::set(scene, &thing, of.kind, Some(&of.name));
    let has_material = property::rows(scene, &thing)
        .iter()
        .any(|row| row.names == Some(Kind::Material));
    edit.created(thing.kind, &thing.name);
    // Scotty3D complains of an instance without material.
    if has_material {
        let material = default_material(edit);
        references::set(edit.scene, &thing, Kind::Material, Some(&material));
    }
    add_transform(edit, &instance)?;
    Ok(instance)
}

/// A name without the ending that says its kind.
fn stem(name: &str) -> &str {
    let ends = ["_skinned_mesh", "_mesh", "_instance", "_transform"];
    let cut = ends.into_iter().find_map(|end| name.strip_suffix(end));
    cut.filter(|stem| !stem.is_empty()).unwrap_or(name)
}

/// The name that [`add_transform`] gives.
pub fn transform_name(scene: &Scene, instance: &str) -> String {
    scene.unused_name(&format!("{}_transform", stem(instance)))
}

/// A transform of the instance's own: with the values and channels of the one that it had, or at the origin.
pub fn add_transform(edit: &mut Edit, instance: &InstanceRef) -> Result {
    let thing = ObjectRef::from(instance);
    let scene = &mut *edit.scene;
    there(scene, &thing)?;
    let name = transform_name(scene, &instance.name);
    let old = references::named_by(scene, &thing)
        .into_iter()
        .find(|named| named.kind == Kind::Transform);
    let transform = old.as_ref().and_then(|old| scene.transforms.get(&old.name));
    let transform = transform.cloned().unwrap_or_default();
    scene.transforms.insert(name.clone(), transform);
    edit.created(Kind::Transform, &name);
    if let Some(old) = old {
        motion::copy(edit, &old, &name);
    }
    references::set(edit.scene, &thing, Kind::Transform, Some(&name));
    Ok(())
}
