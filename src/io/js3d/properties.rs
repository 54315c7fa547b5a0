//! Members of resources and instances, in and out, by the rows of their properties.

use super::reader::{Members, Reader};
use super::write::object::Object;
use super::{ReadError, WriteError};
use crate::scene::names::Kind;
use crate::scene::property::{Access, Property, PropertyValue, Resource};

/// Whether the scene has a resource of a kind and name; of what is not read yet, the transforms.
pub type Exists<'e> = &'e dyn Fn(Kind, &str) -> bool;

/// A resource with the members that its rows say; the caller takes what else there is of `m`.
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
        note_odd(r, row, &value);
        row.put(&mut resource, &value);
    }
    Ok(resource)
}

/// The whole resource: [`read`], and members that nobody knows.
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
    })
}

/// A radius below zero is odd, but Scotty3D reads it.
fn note_odd<T>(r: &mut Reader<'_>, row: &Property<T>, value: &PropertyValue) {
    if let ("radius", PropertyValue::Float(radius)) = (row.info.id, value)
        && *radius < 0.0
    {
        r.at("radius", |r| {
            r.note(
                "negative-radius",
                format!("the radius {radius} is negative; it is kept"),
            )
        });
    }
}

/// The members that the rows say.
pub fn write<T: Resource>(o: &mut Object<'_>, kind: Kind, resource: &T) -> Result<(), WriteError> {
    for row in T::properties(kind) {
        let id = row.info.id;
        match row.get(resource) {
            Some(PropertyValue::Bool(v)) => o.boolean(id, v),
            Some(PropertyValue::Float(v)) => o.float(id, v)?,
            Some(PropertyValue::Unsigned(v)) => o.unsigned(id, v),
            Some(PropertyValue::Vec3(v) | PropertyValue::Color(v)) => o.vec3(id, v)?,
            Some(PropertyValue::Rotation(v)) => o.quat(id, v)?,
            Some(PropertyValue::Choice(v)) => o.text(id, &v),
            Some(PropertyValue::Reference(v)) => o.reference(id, v.as_deref()),
            None => {}
        }
    }
    Ok(())
}
