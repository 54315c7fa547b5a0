//! Reads and writes members of resources and instances by the rows of their properties.

use super::posing::ORIENTATION_WEIGHT;
use super::reader::{Members, Reader};
use super::write::object::Object;
use super::write::posing;
use super::{ReadError, WriteError};
use crate::rig::property;
use crate::scene::names::Kind;
use crate::scene::property::{Access, Property, PropertyValue, Resource};

/// Whether the scene has a resource of a kind and name; before the scene is complete, only transforms.
pub type Exists<'e> = &'e dyn Fn(Kind, &str) -> bool;

/// Reads a resource with the members in its rows; the caller reads the other members of `m`.
pub fn read<T: Resource>(
    r: &mut Reader<'_>,
    m: &mut Members<'_>,
    kind: Kind,
    exists: Exists<'_>,
) -> Result<T, ReadError> {
    let mut resource = T::default();
    for row in T::properties(kind) {
        let Some(default) = row.get(&resource) else {
            continue;
        };
        let value = read_value(r, m, row, default, exists)?;
        note_negative_radius(r, row, &value);
        row.set(&mut resource, &value);
    }
    Ok(resource)
}

/// Reads a whole resource: [`read`], and unknown members.
pub fn read_all<T: Resource>(
    r: &mut Reader<'_>,
    mut m: Members<'_>,
    kind: Kind,
    exists: Exists<'_>,
) -> Result<T, ReadError> {
    let mut resource: T = read(r, &mut m, kind, exists)?;
    *resource.extra_mut() = r.rest(m);
    Ok(resource)
}

fn read_value<T>(
    r: &mut Reader<'_>,
    m: &mut Members<'_>,
    row: &Property<T>,
    default: PropertyValue,
    exists: Exists<'_>,
) -> Result<PropertyValue, ReadError> {
    let id = row.info.id;
    Ok(match (default, &row.access) {
        (PropertyValue::Bool(default), _) => PropertyValue::Bool(m.boolean(r, id, default)?),
        (PropertyValue::Float(default), _) => PropertyValue::Float(m.float(r, id, default)?),
        (PropertyValue::Unsigned(default), _) => PropertyValue::Unsigned(m.unsigned(r, id, default)?),
        (PropertyValue::Vec3(default), _) => PropertyValue::Vec3(m.vec3(r, id, default)?),
        (PropertyValue::Color(default), _) => PropertyValue::Color(m.vec3(r, id, default)?),
        (PropertyValue::Rotation(_), _) => PropertyValue::Rotation(m.rotation(r, id)?),
        (PropertyValue::Choice(default), Access::Type { names, .. }) => {
            PropertyValue::Choice(m.kind(r, names, &default)?)
        }
        (PropertyValue::Choice(default), access) => {
            PropertyValue::Choice(m.choice(r, id, access.choices(), &default)?)
        }
        (PropertyValue::Reference(_), access) => {
            let Some(to) = access.target() else {
                return Ok(PropertyValue::Reference(None));
            };
            PropertyValue::Reference(m.reference(r, id, to.map(), |name| exists(to, name))?)
        }
        // Parts of skeletons alone have these.
        (value, _) => value,
    })
}

/// Notes a negative radius, which is unusual, but accepted by Scotty3D.
fn note_negative_radius<T>(r: &mut Reader<'_>, row: &Property<T>, value: &PropertyValue) {
    if let ("radius", PropertyValue::Float(radius)) = (row.info.id, value)
        && *radius < 0.0
    {
        r.within("radius", |r| {
            r.note("negative-radius", format!("the radius {radius} is negative; it is kept"))
        });
    }
}

/// Writes the members in the rows.
pub fn write<T: Resource>(o: &mut Object<'_>, kind: Kind, resource: &T) -> Result<(), WriteError> {
    for row in T::properties(kind) {
        if let Some(value) = row.get(resource) {
            write_value(o, row.info.id, &value)?;
        }
    }
    Ok(())
}

/// Writes our own members of a bone, a handle or a skeleton, except those that have the default.
pub fn write_ours<T: Default>(
    o: &mut Object<'_>,
    rows: &[property::Property<T>],
    part: &T,
) -> Result<(), WriteError> {
    let new = T::default();
    for row in rows.iter().filter(|row| row.info.ours.is_some()) {
        if let Some(value) = row.get(part)
            && row.get(&new).as_ref() != Some(&value)
        {
            write_value(o, row.info.id, &value)?;
        }
    }
    Ok(())
}

/// Writes the member `id`; nothing for an optional value that is absent.
pub fn write_value(o: &mut Object<'_>, id: &'static str, value: &PropertyValue) -> Result<(), WriteError> {
    match value {
        PropertyValue::Bool(v) => o.boolean(id, *v),
        PropertyValue::Float(v) => o.float(id, *v)?,
        PropertyValue::Unsigned(v) | PropertyValue::OptionalUnsigned(Some(v)) => o.unsigned(id, *v),
        PropertyValue::Vec3(v) | PropertyValue::Color(v) | PropertyValue::OptionalVec3(Some(v)) => {
            o.vec3(id, *v)?
        }
        PropertyValue::Rotation(v) => o.quat(id, *v)?,
        PropertyValue::Choice(v) => o.text(id, v),
        PropertyValue::Reference(v) => o.reference(id, v.as_deref()),
        PropertyValue::Limits(v) => posing::limits(o, id, v)?,
        PropertyValue::Orientation(Some(v)) => {
            o.quat(id, v.rotation)?;
            if v.weight != 1.0 {
                o.float(ORIENTATION_WEIGHT, v.weight)?;
            }
        }
        PropertyValue::Pole(Some(v)) => posing::weighted(o, id, ("point", v.point), v.weight)?,
        PropertyValue::LookAt(Some(v)) => posing::weighted(o, id, ("axis", v.axis), v.weight)?,
        PropertyValue::OptionalUnsigned(None)
        | PropertyValue::OptionalVec3(None)
        | PropertyValue::Orientation(None)
        | PropertyValue::Pole(None)
        | PropertyValue::LookAt(None) => {}
    }
    Ok(())
}
