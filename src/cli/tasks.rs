//! Options of `ik` besides targets: limits, poles, orientations, look-at, pins and the root.

use super::CliError;
use super::args::{self, BoneValue};
use crate::edit::command::Command;
use crate::edit::command::spaces::change;
use crate::edit::pose::limbs::look_axis;
use crate::edit::pose::spaces::{possible_spaces, space_name};
use crate::math::rotation;
use crate::rig::ik;
use crate::rig::ik::pole::limb_pole;
use crate::rig::kinematics::{current_pose, rotation_part, tips};
use crate::rig::limits::Limits;
use crate::rig::skeleton::{LookAt, Orientation, Pole, Skeleton};
use crate::scene::Scene;
use crate::scene::solve::Posing;
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
    #[arg(long, value_name = "BONE=X,Y,Z", value_parser = angles)]
    orient: Vec<BoneValue>,
    /// Make a bone look at a place in skeleton space instead of reaching for one: the head with its face, others along
    /// themselves; may be repeated
    #[arg(long, value_name = "BONE=X,Y,Z", value_parser = args::bone_value)]
    look: Vec<BoneValue>,
    /// Pin the tail and the orientation of a bone; may be repeated
    #[arg(long, value_name = "BONE")]
    pin: Vec<String>,
    /// What the handle of a bone goes with afterwards, from where it is: Mesh, a bone, an instance, or INSTANCE: BONE; may be
    /// repeated
    #[arg(long, value_name = "BONE=SPACE", value_parser = space)]
    space: Vec<(String, String)>,
    /// Let the base move too
    #[arg(long)]
    free_root: bool,
    /// Leave the centre of mass where it falls; without this, a free root keeps it over pinned feet
    #[arg(long)]
    no_balance: bool,
}

/// Returns the index of the first handle on the bone, or the index that a new one would get.
pub fn handle_on(skeleton: &Skeleton, bone: usize) -> usize {
    let first = skeleton.handles.iter().position(|h| h.bone as usize == bone);
    first.unwrap_or(skeleton.handles.len())
}

/// The largest angle: more than ten turns are a mistake, and far beyond that f32 cannot represent degrees.
const MOST_DEG: f32 = 3600.0;

/// Parses `BONE=X,Y,Z`, angles in degrees.
fn angles(text: &str) -> Result<BoneValue, String> {
    let value = args::bone_value(text)?;
    if value.value.abs().cmple(Vec3::splat(MOST_DEG)).all() {
        Ok(value)
    } else {
        Err(format!("“{text}”: angles are between -{MOST_DEG} and {MOST_DEG} degrees"))
    }
}

/// Parses `BONE=RANGES`, with `LOW..HIGH` or nothing for each of x, y and z; the name may contain `=`.
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
    if limits.are_valid() {
        Ok((bone.trim().to_owned(), limits))
    } else {
        Err(format!("“{text}”: the least angle of a range comes first"))
    }
}

/// Parses `BONE=SPACE`.
fn space(text: &str) -> Result<(String, String), String> {
    let (bone, space) =
        text.split_once('=').ok_or_else(|| format!("“{text}” is not of the form BONE=SPACE"))?;
    Ok((bone.trim().to_owned(), space.trim().to_owned()))
}

impl Tasks {
    /// Returns the commands that put handles in the requested spaces. `driven` is `scene` as it is seen.
    pub fn set_spaces(&self, scene: &Scene, driven: &Scene, mesh: &str) -> Result<Vec<Command>, CliError> {
        let ik = ik::Options::default();
        let mut commands = Vec::new();
        for (bone, wanted) in &self.space {
            let skeleton = &args::skinned(driven, mesh)?.skeleton;
            let handle = handle_on(skeleton, args::find_bone(skeleton, bone)?);
            if handle >= skeleton.handles.len() {
                return Err(CliError::Other(format!("{bone} has no handle that could be in a space")));
            }
            let possible = possible_spaces(driven, mesh, handle).into_iter();
            let mut named = possible.map(|space| (space_name(driven, mesh, &space), space));
            let (_, space) = named.find(|(name, _)| name == wanted).ok_or_else(|| {
                CliError::Other(format!("the handle of {bone} cannot be in the space of “{wanted}”"))
            })?;
            commands.extend(change(scene, driven, (mesh, handle), &space, Posing::with_ik(Some(&ik))));
        }
        Ok(commands)
    }

    /// Returns the `targets`, the points that bones look at, and the current tips of all other named bones
    /// that no handle pulls yet.
    pub fn targets(&self, targets: &[BoneValue], skeleton: &Skeleton) -> Result<Vec<BoneValue>, CliError> {
        let mut all = targets.to_vec();
        for look_at in &self.look {
            let bone = args::find_bone(skeleton, &look_at.bone)?;
            for target in targets {
                if args::find_bone(skeleton, &target.bone)? == bone {
                    let text = format!("{} has a --target: it cannot --look too", look_at.bone);
                    return Err(CliError::Other(text));
                }
            }
            all.push(look_at.clone());
        }
        let tips = tips(skeleton, &current_pose(skeleton));
        let named = self.pole.iter().chain(&self.orient).map(|value| (&value.bone, false));
        for (name, pinned) in self.pin.iter().map(|name| (name, true)).chain(named) {
            let bone = args::find_bone(skeleton, name)?;
            let existing = skeleton.handles.iter().find(|h| h.bone as usize == bone);
            let has_target =
                all.iter().any(|target| args::find_bone(skeleton, &target.bone).is_ok_and(|b| b == bone));
            if !has_target && (pinned || existing.is_none_or(|handle| !handle.enabled)) {
                all.push(BoneValue { bone: bone.to_string(), value: tips[bone].as_vec3() });
            }
        }
        Ok(all)
    }

    /// Sets all requested options. The bones must have their handles already.
    pub fn set(&self, scene: &mut Scene, mesh: &str) -> Result<(), CliError> {
        let skeleton = args::skinned(scene, mesh)?.skeleton.clone();
        let bone = |name: &str| args::find_bone(&skeleton, name);
        let handle = |name: &str| bone(name).map(|bone| handle_on(&skeleton, bone));
        let mesh = mesh.to_owned();
        let mut commands = Vec::new();
        for (name, limits) in &self.limit {
            let (bone, limits) = (bone(name)?, *limits);
            commands.push(Command::set_bone(mesh.clone(), bone, "limits", limits));
        }
        for BoneValue { bone, value: point } in &self.pole {
            let pole = Some(Pole { point: *point, weight: 1.0 });
            commands.push(Command::set_handle(mesh.clone(), handle(bone)?, "pole", pole));
        }
        let orient = |handle: usize, rotation: Quat| {
            Command::set_handle(mesh.clone(), handle, "orientation", Some(Orientation::new(rotation, 1.0)))
        };
        for BoneValue { bone, value } in &self.orient {
            commands.push(orient(handle(bone)?, from_degrees(*value)));
        }
        for BoneValue { bone: name, .. } in &self.look {
            let (axis, weight) = (look_axis(&skeleton, bone(name)?), 1.0);
            let look_at = Some(LookAt { axis, weight });
            let handle = handle(name)?;
            commands.push(Command::set_handle(mesh.clone(), handle, "look_at", look_at));
        }
        let current = current_pose(&skeleton);
        for name in &self.pin {
            let (bone, handle) = (bone(name)?, handle(name)?);
            let pinned = true;
            commands.push(Command::set_handle(mesh.clone(), handle, "pinned", pinned));
            if !self.orient.iter().any(|value| value.bone == *name) {
                commands
                    .push(orient(handle, Quat::from_mat3(&rotation_part(current[bone].matrix3).as_mat3())));
            }
            let pinning = &skeleton.handles[handle];
            if pinning.pole.is_none() && !self.pole.iter().any(|value| value.bone == *name) {
                let pole = limb_pole(&skeleton, pinning);
                commands
                    .extend(pole.map(|pole| Command::set_handle(mesh.clone(), handle, "pole", Some(pole))));
            }
        }
        if self.free_root {
            commands.push(Command::set_skeleton(mesh.clone(), "root_free", true));
        }
        if self.no_balance {
            commands.push(Command::set_skeleton(mesh.clone(), "balance", false));
        }
        args::apply(scene, &commands).map(drop)
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
    fn orientations_parse() {
        assert_eq!(angles("hand.R=0,20,-3600").unwrap().value.z, -3600.0);
        for bad in ["hand.R=1e30,0,0", "hand.R=0,3601,0", "hand.R=0,0,nan", "hand.R=1,2"] {
            assert!(angles(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn limits_parse() {
        let (bone, limits_deg) = limits("Arm=L=0..140,,-5 .. 5.5").unwrap();
        assert_eq!(bone, "Arm=L");
        assert_eq!(limits_deg, Limits([Some([0.0, 140.0]), None, Some([-5.0, 5.5])]));
        for bad in ["Arm", "Arm=1..2", "Arm=1..2,3,4..5", "Arm=2..1,,", "Arm=nan..1,,", "Arm=1..2,,,"] {
            assert!(limits(bad).is_err(), "{bad}");
        }
    }
}
