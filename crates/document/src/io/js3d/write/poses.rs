//! Writes the saved poses of a skinned mesh, see [`super::super::posing`].

use super::super::WriteError;
use super::super::properties::write_value;
use super::object::Object;
use crate::rig::poses::SavedPose;

pub fn poses(o: &mut Object<'_>, poses: &[SavedPose]) -> Result<(), WriteError> {
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
                })?;
                if saved.handles.is_empty() {
                    return Ok(());
                }
                o.member("handles", |w| {
                    w.object(|o| {
                        for (id, pose) in &saved.handles {
                            o.entry(&id.to_string(), |w| {
                                w.object(|o| {
                                    let mut values = pose.values();
                                    values.try_for_each(|(row, value)| write_value(o, row.info.id, &value))
                                })
                            })?;
                        }
                        Ok(())
                    })
                })
            })
        })
    }
}
