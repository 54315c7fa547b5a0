//! Writes our own members of bones, handles and skeletons, see [`super::super::posing`].
//! Defaults are omitted.

use super::super::WriteError;
use super::object::Object;
use crate::rig::limits::Limits;
use glam::Vec3;

type WriteResult = Result<(), WriteError>;

pub fn limits(o: &mut Object<'_>, id: &'static str, limits: &Limits) -> WriteResult {
    o.member(id, |w| {
        w.raw("[");
        for (i, range) in limits.0.iter().enumerate() {
            w.raw(if i == 0 { "" } else { "," });
            match range {
                Some(range) => w.numbers(range)?,
                None => w.raw("null"),
            }
        }
        w.raw("]");
        Ok(())
    })
}

pub fn weighted(
    o: &mut Object<'_>,
    name: &'static str,
    (key, value): (&str, Vec3),
    weight: f32,
) -> WriteResult {
    o.member(name, |w| {
        w.raw("{\"");
        w.raw(key);
        w.raw("\":");
        w.numbers(&value.to_array())?;
        if weight != 1.0 {
            w.raw(",\"weight\":");
            w.float(weight)?;
        }
        w.raw("}");
        Ok(())
    })
}
