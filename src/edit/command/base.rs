//! Commands on the base point of a skeleton.

use super::CommandError;
use super::effects::Edit;
use super::part::{self, edit_skeleton};
use glam::Vec3;

pub fn set_base(edit: &mut Edit<'_>, mesh: &str, base: Vec3) -> Result<(), CommandError> {
    part::finite("the base point", base)?;
    edit_skeleton(edit, mesh, |skeleton| {
        skeleton.base = base;
        Ok(())
    })
}

pub fn set_base_offset(edit: &mut Edit<'_>, mesh: &str, base_offset: Vec3) -> Result<(), CommandError> {
    part::finite("the base offset", base_offset)?;
    edit_skeleton(edit, mesh, |skeleton| {
        skeleton.base_offset = base_offset;
        Ok(())
    })
}
