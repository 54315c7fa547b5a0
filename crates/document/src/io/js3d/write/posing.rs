//! Writes our own members of bones, handles, skeletons and skinned meshes, see [`super::super::posing`].
//! Defaults are omitted.

use super::super::WriteError;
use super::object::Object;
use crate::rig::limits::Limits;
use crate::rig::poses::SavedPose;
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

pub fn poses(o: &mut Object<'_>, poses: &[SavedPose]) -> WriteResult {
    if poses.is_empty() {
        Ok(())
    } else {
        o.member("poses", |w| {
            w.objects(poses, |o, saved| {
                o.text("name", &saved.name);
                if let Some(offset) = saved.base_offset {
                    o.vec3("base_offset", offset)?;
                }
                o.member("bones", |w| {
                    w.object(|o| {
                        for (id, pose) in &saved.bones {
                            o.entry(&id.to_string(), |w| w.numbers(&pose.numbers()))?;
                        }
                        Ok(())
                    })
                })
            })
        })
    }
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
