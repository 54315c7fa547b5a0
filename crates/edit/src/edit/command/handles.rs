//! Commands on IK handles.

use super::bones::clean_name;
use super::bones_tree::{new_handle_ids, uses};
use super::channels::{self, Owner};
use super::effects::Edit;
use super::helpers::{self, edit_skeleton, skinned_mesh};
use super::{CommandError, Result};
use crate::rig::body::limb::limb;
use crate::rig::edits::names;
use crate::rig::kinematics;
use crate::rig::skeleton::{Handle, Skeleton};

pub fn add(edit: &mut Edit, mesh: &str, bone: usize) -> Result {
    let skeleton = &skinned_mesh(edit.scene, mesh)?.skeleton;
    helpers::check_bone(mesh, skeleton, bone)?;
    let channel_id = new_handle_ids(edit.scene, mesh, 1).ok().and_then(|mut ids| ids.pop());
    let (Some(channel_id), Ok(bone_index)) = (channel_id, u32::try_from(bone)) else {
        return Err(CommandError::Value { subject: "the number of handles", rule: "below 2^32" });
    };
    edit_skeleton(edit, mesh, |skeleton| {
        let tips = kinematics::tips(skeleton, &kinematics::bind_pose(skeleton));
        skeleton.handles.push(Handle {
            bone: bone_index,
            target: tips[bone].as_vec3(),
            channel_id,
            chain: Some(limb(skeleton, bone)),
            ..Handle::default()
        });
        Ok(())
    })
}

pub fn delete(edit: &mut Edit, mesh: &str, handle: usize) -> Result {
    let mut removed = (Owner::Handle, 0);
    edit_skeleton(edit, mesh, |skeleton| {
        helpers::check_handle(mesh, skeleton, handle)?;
        removed.1 = skeleton.handles.remove(handle).channel_id;
        Ok(())
    })?;
    if !uses(&skinned_mesh(edit.scene, mesh)?.skeleton, removed) {
        channels::remove(edit, mesh, &[removed]);
    }
    Ok(())
}

pub fn set_name(edit: &mut Edit, mesh: &str, handle: usize, name: &str) -> Result {
    edit_skeleton(edit, mesh, |skeleton| {
        helpers::check_handle(mesh, skeleton, handle)?;
        skeleton.handles[handle].name = unique_name(skeleton, handle, name).map(Into::into);
        Ok(())
    })
}

/// Returns the actual name of a handle that is renamed to `name`: cleaned, and with a number if another
/// handle has the name. `None` if nothing remains of it.
pub fn unique_name(skeleton: &Skeleton, handle: usize, name: &str) -> Option<String> {
    let name = clean_name(name);
    (!name.is_empty()).then(|| names::unique_handle(skeleton, &name, Some(handle)))
}
