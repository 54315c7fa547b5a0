//! Commands that change the directions, lengths, rolls and radii of several bones at once.

use super::effects::Edit;
use super::helpers::{self, edit_rig};
use super::{CommandError, Result};
use crate::rig::edits::radius;
use crate::rig::edits::roll::{self, RollTo};
use crate::rig::edits::turn;
use glam::Quat;

pub fn align_roll(edit: &mut Edit, mesh: &str, bones: &[usize], to: RollTo) -> Result {
    edit_rig(edit, mesh, |_, skeleton| {
        let bones = helpers::checked_bones(mesh, skeleton, bones)?;
        roll::align(skeleton, &bones, to);
        Ok(None)
    })
}

pub fn fit_radius(edit: &mut Edit, mesh: &str, bones: &[usize]) -> Result {
    edit_rig(edit, mesh, |skinned, skeleton| {
        let bones = helpers::checked_bones(mesh, skeleton, bones)?;
        let radii = radius::fit_radii(skeleton, &skinned.surface);
        for bone in bones {
            if let Some(radius) = radii[bone] {
                skeleton.bones[bone].radius = radius;
            }
        }
        Ok(None)
    })
}

pub fn scale_radius(edit: &mut Edit, mesh: &str, bones: &[usize], factor: f32) -> Result {
    check_positive(factor)?;
    edit_rig(edit, mesh, |_, skeleton| {
        for bone in helpers::checked_bones(mesh, skeleton, bones)? {
            skeleton.bones[bone].radius *= factor;
        }
        Ok(None)
    })
}

fn check_positive(factor: f32) -> Result {
    if factor.is_finite() && factor > 0.0 {
        Ok(())
    } else {
        Err(CommandError::Value { subject: "the factor", rule: "a finite number above zero" })
    }
}

pub fn rotate(edit: &mut Edit, mesh: &str, bones: &[usize], rotation: Quat) -> Result {
    let unit = rotation.as_dquat();
    if !(unit.is_finite() && unit.length() > 0.0) {
        return Err(CommandError::Value {
            subject: "the rotation",
            rule: "a finite quaternion other than zero",
        });
    }
    edit_rig(edit, mesh, |_, skeleton| {
        let bones = helpers::checked_bones(mesh, skeleton, bones)?;
        turn::rotate(skeleton, &bones, unit.normalize());
        Ok(None)
    })
}

pub fn scale(edit: &mut Edit, mesh: &str, bones: &[usize], factor: f32) -> Result {
    check_positive(factor)?;
    edit_rig(edit, mesh, |_, skeleton| {
        let bones = helpers::checked_bones(mesh, skeleton, bones)?;
        turn::scale(skeleton, &bones, factor);
        Ok(None)
    })
}
