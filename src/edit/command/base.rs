//! Commands on the base point of a skeleton.

use super::CommandError;
use super::part::{self, edit_skeleton};
use crate::scene::Scene;
use glam::Vec3;

pub fn set_base(scene: &mut Scene, mesh: &str, base: Vec3) -> Result<(), CommandError> {
    part::finite("the base point", base)?;
    edit_skeleton(scene, mesh, |skeleton| {
        skeleton.base = base;
        Ok(())
    })
}

pub fn set_base_offset(scene: &mut Scene, mesh: &str, base_offset: Vec3) -> Result<(), CommandError> {
    part::finite("the base offset", base_offset)?;
    edit_skeleton(scene, mesh, |skeleton| {
        skeleton.base_offset = base_offset;
        Ok(())
    })
}
