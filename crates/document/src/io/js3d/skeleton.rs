//! Reads skeletons: bones, handles and base.

use super::ReadError;
use super::json::Node;
use super::posing;
use super::reader::{Members, Reader};
use super::values;
use crate::io::report::Severity;
use crate::rig::ik::MANY_HANDLES;
use crate::rig::property::{BONE, HANDLE, SKELETON};
use crate::rig::skeleton::{Bone, Handle, Skeleton};
use glam::Vec3;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The number that represents "no parent" in files.
pub const NO_BONE: u32 = u32::MAX;

pub fn read(r: &mut Reader<'_>, mut m: Members<'_>) -> Result<Skeleton, ReadError> {
    let bones = list(r, &mut m, "bones", bone)?;
    let mut handles = list(r, &mut m, "handles", |r, _, m| handle(r, m, bones.len()))?;
    if bones.is_empty() && !handles.is_empty() {
        let text = format!("there are {} handles but no bones; the handles are dropped", handles.len());
        r.within("handles", |r| r.report_loss(Severity::Warning, "handles-without-bones", text));
        handles.clear();
    }
    let mut ids = BTreeSet::new();
    let bones_unique = bones.iter().all(|bone| ids.insert(bone.channel_id));
    ids.clear();
    let handles_unique = handles.iter().all(|handle| ids.insert(handle.channel_id));
    for (member, unique) in [("bones", bones_unique), ("handles", handles_unique)] {
        if !unique {
            let text = format!("{member} share a channel_id, and so their animation channels; they are kept");
            r.within(member, |r| r.note("duplicate-channel-id", text));
        }
    }
    let enabled = handles.iter().filter(|handle| handle.enabled).count();
    if enabled > MANY_HANDLES {
        let text = format!(
            "{enabled} handles are enabled; inverse kinematics takes a part of a second and may stop before all are reached"
        );
        r.within("handles", |r| r.warn("many-handles", text));
    }
    let mut skeleton = Skeleton {
        bones,
        handles,
        base: m.vec3(r, "base", Vec3::ZERO)?,
        base_offset: m.vec3(r, "base_offset", Vec3::ZERO)?,
        ..Skeleton::default()
    };
    posing::read_ours(r, &mut m, "bad-joint", SKELETON, &mut skeleton);
    skeleton.extra = r.rest(m);
    Ok(skeleton)
}

/// Reads an array of objects.
pub fn list<T>(
    r: &mut Reader<'_>,
    m: &mut Members<'_>,
    name: &str,
    mut read: impl FnMut(&mut Reader<'_>, usize, Members<'_>) -> Result<T, ReadError>,
) -> Result<Vec<T>, ReadError> {
    let Some(node) = m.expect(r, name, "an empty array") else {
        return Ok(Vec::new());
    };
    r.within(name, |r| {
        let items = r.array(node).into_items().enumerate();
        items
            .map(|(index, item)| {
                r.within_index(index, |r| {
                    let members = r.entry(item)?;
                    read(r, index, members)
                })
            })
            .collect()
    })
}

fn bone(r: &mut Reader<'_>, index: usize, mut m: Members<'_>) -> Result<Bone, ReadError> {
    let default = Bone::default();
    let radius = m.float(r, "radius", default.radius)?;
    if radius < 0.0 {
        let hint = "A bone's radius is 0 or more.";
        return Err(r.within("radius", |r| r.refuse(format!("the radius {radius} is negative"), hint)));
    }
    // Our own member; a value of another type is not ours and is preserved.
    let link = matches!(m.get("link"), Some(Node::Bool(true)));
    if link {
        m.take("link");
    }
    let mut bone = Bone {
        link,
        extent: m.vec3(r, "extent", default.extent)?,
        roll_deg: m.float(r, "roll", default.roll_deg)?,
        radius,
        parent: parent(r, index, &mut m)?,
        pose_deg: m.vec3(r, "pose", default.pose_deg)?,
        channel_id: m.unsigned(r, "channel_id", default.channel_id)?,
        name: name(&mut m),
        ..default
    };
    posing::read_ours(r, &mut m, "bad-joint", BONE, &mut bone);
    bone.extra = r.rest(m);
    Ok(bone)
}

fn parent(r: &mut Reader<'_>, index: usize, m: &mut Members<'_>) -> Result<Option<u32>, ReadError> {
    let parent = m.unsigned(r, "parent", NO_BONE)?;
    if parent == NO_BONE {
        return Ok(None);
    }
    if parent as usize >= index {
        let text = format!("the parent {parent} does not come before bone {index}; the bone becomes a root");
        r.within("parent", |r| r.warn("parent-not-before-child", text));
        return Ok(None);
    }
    Ok(Some(parent))
}

fn handle(r: &mut Reader<'_>, mut m: Members<'_>, bones: usize) -> Result<Handle, ReadError> {
    let mut bone = match m.expect(r, "bone", "bone 0") {
        Some(node) => r.within("bone", |r| values::unsigned(r, &node))?,
        None => 0,
    };
    if bone as usize >= bones && bones > 0 {
        let text = format!("there is no bone {bone} among the {bones}; bone 0 is used");
        r.within("bone", |r| r.warn("handle-bone-out-of-range", text));
        bone = 0;
    }
    let mut handle = Handle {
        bone,
        target: m.vec3(r, "target", Vec3::ZERO)?,
        enabled: m.boolean(r, "enabled", false)?,
        channel_id: m.unsigned(r, "channel_id", 0)?,
        name: name(&mut m),
        ..Handle::default()
    };
    posing::read_ours(r, &mut m, "bad-handle", HANDLE, &mut handle);
    handle.extra = r.rest(m);
    Ok(handle)
}

/// Reads our own member; a value of another type is not ours and is preserved.
fn name(m: &mut Members<'_>) -> Option<Arc<str>> {
    let name = match m.get("name")? {
        Node::Text(name) => name.as_ref().into(),
        _ => return None,
    };
    m.take("name");
    Some(name)
}
