//! Options of `ik` for more than targets: limits, poles, orientations, pins and the root.

use super::CliError;
use super::args::{self, BoneValue};
use crate::edit::command::Command;
use crate::edit::command::Posing;
use crate::math::rotation;
use crate::rig::kinematics::{current_pose, tips};
use crate::rig::limits::Limits;
use crate::rig::skeleton::{Orientation, Pole, Skeleton};
use crate::scene::Scene;
use glam::{Quat, Vec3};

#[derive(Debug, clap::Args)]
pub struct Tasks {
    /// Limit the angles of a bone, in degrees about its own x, y and z axes: LOW..HIGH or nothing for each, as
    /// in forearm.L=0..140,-80..80,; may be repeated
    #[arg(long, value_name = "BONE=RANGES", value_parser = limits)]
    limit: Vec<(String, Limits)>,
    /// Point the elbow or knee of a bone's handle at a place in skeleton space; may be repeated
    #[arg(long, value_name = "BONE=X,Y,Z", value_parser = args::bone_value)]
    pole: Vec<BoneValue>,
    /// Orientation of a bone: angles about the x, y and z axes of the skeleton, from the bind pose, in degrees (x first); may be
    /// repeated
    #[arg(long, value_name = "BONE=X,Y,Z", value_parser = args::bone_value)]
    orient: Vec<BoneValue>,
    /// Pin the tail and the orientation of a bone; may be repeated
    #[arg(long, value_name = "BONE")]
    pin: Vec<String>,
    /// Let the base move too
    #[arg(long)]
    free_root: bool,
}

/// The first handle on the bone; if it has none, the index that a new one gets.
pub fn handle_on(skeleton: &Skeleton, bone: usize) -> usize {
    let on_bone = skeleton.handles.iter().position(|h| h.bone as usize == bone);
    on_bone.unwrap_or(skeleton.handles.len())
}

/// Parses `BONE=RANGES`: for x, y and z `LOW..HIGH` or nothing; the name may hold `=` itself.
fn limits(text: &str) -> Result<(String, Limits), String> {
    let wrong = || format!("“{text}” is not of the form BONE=LOW..HIGH,LOW..HIGH,LOW..HIGH");
    let (bone, ranges) = text.rsplit_once('=').ok_or_else(wrong)?;
    let range = |range: &str| -> Result<Option<[f32; 2]>, String> {
        if range.trim().is_empty() {
            return Ok(None);
        }
        let (low, high) = range.split_once("..").ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<f32>().map_err(|_| wrong());
        Ok(Some([number(low)?, number(high)?]))
    };
    let ranges: Result<Vec<_>, _> = ranges.split(',').map(range).collect();
    let limits = Limits(ranges?.try_into().map_err(|_| wrong())?);
    match limits.are_valid() {
        true => Ok((bone.trim().to_owned(), limits)),
        false => Err(format!("“{text}”: the least angle of a range comes first")),
    }
}

impl Tasks {
    /// `targets`, and for the other bones that are named where their tips are, unless a handle pulls them already.
    pub fn targets(&self, targets: &[BoneValue], skeleton: &Skeleton) -> Result<Vec<BoneValue>, CliError> {
        let mut all = targets.to_vec();
        let tips = tips(skeleton, &current_pose(skeleton));
        let named = self
            .pole
            .iter()
            .chain(&self.orient)
            .map(|value| (&value.bone, false));
        for (name, pinned) in self.pin.iter().map(|name| (name, true)).chain(named) {
            let bone = args::find_bone(skeleton, name)?;
            let pulls = skeleton.handles.iter().find(|h| h.bone as usize == bone);
            let has_target = all
                .iter()
                .any(|target| args::find_bone(skeleton, &target.bone).is_ok_and(|b| b == bone));
            if !has_target && (pinned || pulls.is_none_or(|handle| !handle.enabled)) {
                all.push(BoneValue {
                    bone: bone.to_string(),
                    value: tips[bone].as_vec3(),
                });
            }
        }
        Ok(all)
    }

    /// Sets all that is asked for; the bones have their handles.
    pub fn set(&self, scene: &mut Scene, mesh: &str) -> Result<(), CliError> {
        let skeleton = args::skinned(scene, mesh)?.skeleton.clone();
        let bone = |name: &str| args::find_bone(&skeleton, name);
        let handle = |name: &str| bone(name).map(|bone| handle_on(&skeleton, bone));
        let mut values = Vec::new();
        for (name, limits) in &self.limit {
            let (bone, limits) = (bone(name)?, *limits);
            values.push(Posing::Limits { bone, limits });
        }
        for BoneValue { bone, value: point } in &self.pole {
            let pole = Some(Pole {
                point: *point,
                weight: 1.0,
            });
            values.push(Posing::Pole {
                handle: handle(bone)?,
                pole,
            });
        }
        let turned = |handle: usize, rotation: Quat| Posing::Orientation {
            handle,
            orientation: Some(Orientation {
                rotation,
                weight: 1.0,
            }),
        };
        for BoneValue { bone, value } in &self.orient {
            values.push(turned(handle(bone)?, from_degrees(*value)));
        }
        let current = current_pose(&skeleton);
        for name in &self.pin {
            let (bone, handle) = (bone(name)?, handle(name)?);
            let pinned = true;
            values.push(Posing::Pinned { handle, pinned });
            if !self.orient.iter().any(|value| value.bone == *name) {
                values.push(turned(handle, Quat::from_mat3(&current[bone].matrix3.as_mat3())));
            }
        }
        if self.free_root {
            values.push(Posing::RootFree(true));
        }
        let mesh = mesh.to_owned();
        let commands = values.into_iter().map(|value| Command::SetPosing {
            mesh: mesh.clone(),
            value,
        });
        args::apply(scene, &commands.collect::<Vec<_>>()).map(drop)
    }
}

fn from_degrees(angles_deg: Vec3) -> Quat {
    let angles = angles_deg.as_dvec3().map(f64::to_radians);
    Quat::from_mat3(&rotation::from_euler(angles).as_mat3())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_parse() {
        let (bone, limits_deg) = limits("Arm=L=0..140,,-5 .. 5.5").unwrap();
        assert_eq!(bone, "Arm=L");
        assert_eq!(limits_deg, Limits([Some([0.0, 140.0]), None, Some([-5.0, 5.5])]));
        for bad in [
            "Arm",
            "Arm=1..2",
            "Arm=1..2,3,4..5",
            "Arm=2..1,,",
            "Arm=nan..1,,",
            "Arm=1..2,,,",
        ] {
            assert!(limits(bad).is_err(), "{bad}");
        }
    }
}
