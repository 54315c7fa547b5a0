//! Writes our own members of bones, handles, skeletons and skinned meshes, see [`super::super::posing`].
//! Defaults are omitted.

use super::super::WriteError;
use super::object::Object;
use crate::rig::poses::SavedPose;
use crate::rig::skeleton::{Bone, Handle, Skeleton};
use glam::Vec3;

type WriteResult = Result<(), WriteError>;

pub fn bone(o: &mut Object<'_>, bone: &Bone) -> WriteResult {
    if !bone.limits_deg.is_free() {
        o.member("limits", |w| {
            w.raw("[");
            for (i, range) in bone.limits_deg.0.iter().enumerate() {
                w.raw(if i == 0 { "" } else { "," });
                match range {
                    Some(range) => w.numbers(range)?,
                    None => w.raw("null"),
                }
            }
            w.raw("]");
            Ok(())
        })?;
    }
    if bone.stiffness != Vec3::ZERO {
        o.vec3("stiffness", bone.stiffness)?;
    }
    if let Some(preferred) = bone.preferred_deg {
        o.vec3("preferred", preferred)?;
    }
    if let Some(other) = bone.mirror_of {
        o.unsigned("mirror_of", other);
    }
    if bone.lock_weights {
        o.boolean("lock_weights", true);
    }
    Ok(())
}

pub fn handle(o: &mut Object<'_>, handle: &Handle) -> WriteResult {
    if let Some(bones) = handle.chain {
        o.unsigned("chain", bones);
    }
    if handle.weight != 1.0 {
        o.float("weight", handle.weight)?;
    }
    if let Some(orientation) = handle.orientation {
        o.quat("orientation", orientation.rotation)?;
        if orientation.weight != 1.0 {
            o.float("orientation_weight", orientation.weight)?;
        }
    }
    if let Some(pole) = handle.pole {
        weighted(o, "pole", ("point", pole.point), pole.weight)?;
    }
    if let Some(look_at) = handle.look_at {
        weighted(o, "look_at", ("axis", look_at.axis), look_at.weight)?;
    }
    if handle.pinned {
        o.boolean("pinned", true);
    }
    Ok(())
}

pub fn skeleton(o: &mut Object<'_>, skeleton: &Skeleton) -> WriteResult {
    if skeleton.root_free {
        o.boolean("root_free", true);
    }
    if !skeleton.balance {
        o.boolean("balance", false);
    }
    match skeleton.ik_prior {
        0.0 => Ok(()),
        prior => o.float("ik_prior", prior),
    }
}

pub fn poses(o: &mut Object<'_>, poses: &[SavedPose]) -> WriteResult {
    if poses.is_empty() {
        Ok(())
    } else {
        o.member("poses", |w| {
            w.objects(poses, |o, pose| {
                o.text("name", &pose.name);
                if let Some(offset) = pose.base_offset {
                    o.vec3("base_offset", offset)?;
                }
                o.member("bones", |w| {
                    w.object(|o| {
                        for (id, pose_deg) in &pose.bones {
                            o.entry(&id.to_string(), |w| w.numbers(&pose_deg.to_array()))?;
                        }
                        Ok(())
                    })
                })
            })
        })
    }
}

fn weighted(o: &mut Object<'_>, name: &'static str, (key, value): (&str, Vec3), weight: f32) -> WriteResult {
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
