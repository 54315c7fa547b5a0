//! Commands on inverse-kinematics handles.

use super::CommandError;
use super::bones::uses;
use super::channels::{self, Owner};
use super::part::{self, edit_skeleton, skinned_mesh};
use crate::extra::Extra;
use crate::rig::kinematics;
use crate::rig::skeleton::Handle;
use crate::scene::Scene;
use glam::Vec3;

pub fn add(scene: &mut Scene, mesh: &str, bone: usize) -> Result<(), CommandError> {
    let skeleton = &skinned_mesh(scene, mesh)?.skeleton;
    part::bone(mesh, skeleton, bone)?;
    let channel_id = channels::unused_id(Owner::Handle, mesh, skeleton, &scene.animation);
    let (Some(channel_id), Ok(bone_index)) = (channel_id, u32::try_from(bone)) else {
        return Err(CommandError::Value {
            what: "the number of handles",
            rule: "below 2^32",
        });
    };
    edit_skeleton(scene, mesh, |skeleton| {
        let tips = kinematics::tips(skeleton, &kinematics::bind_pose(skeleton));
        skeleton.handles.push(Handle {
            bone: bone_index,
            target: tips[bone].as_vec3(),
            enabled: false,
            channel_id,
            extra: Extra::default(),
        });
        Ok(())
    })
}

pub fn delete(scene: &mut Scene, mesh: &str, handle: usize) -> Result<(), CommandError> {
    let mut gone = (Owner::Handle, 0);
    edit_skeleton(scene, mesh, |skeleton| {
        part::handle(mesh, skeleton, handle)?;
        gone.1 = skeleton.handles.remove(handle).channel_id;
        Ok(())
    })?;
    if !uses(&skinned_mesh(scene, mesh)?.skeleton, gone) {
        channels::remove(scene, mesh, &[gone]);
    }
    Ok(())
}

pub fn set_target(scene: &mut Scene, mesh: &str, handle: usize, target: Vec3) -> Result<(), CommandError> {
    part::finite("the target", target)?;
    edit_skeleton(scene, mesh, |skeleton| {
        part::handle(mesh, skeleton, handle)?;
        skeleton.handles[handle].target = target;
        Ok(())
    })
}

pub fn set_enabled(scene: &mut Scene, mesh: &str, handle: usize, enabled: bool) -> Result<(), CommandError> {
    edit_skeleton(scene, mesh, |skeleton| {
        part::handle(mesh, skeleton, handle)?;
        skeleton.handles[handle].enabled = enabled;
        Ok(())
    })
}
