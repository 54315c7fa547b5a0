//! Settings of inverse kinematics other than targets, chains and weights: joint limits, tasks of handles, the
//! root.

use super::CommandError;
use super::effects::Edit;
use super::helpers::{self, edit_skeleton};
use crate::rig::limits::Limits;
use crate::rig::skeleton::{LookAt, Orientation, Pole, Skeleton};
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// A setting of a bone, a handle or the skeleton.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Posing {
    /// Joint limits, in degrees about the bone's own axes.
    Limits {
        bone: usize,
        limits: Limits,
    },
    /// The stiffness of each angle, from 0 to 1.
    Stiffness {
        bone: usize,
        stiffness: Vec3,
    },
    /// The preferred pose, in degrees.
    Preferred {
        bone: usize,
        pose_deg: Option<Vec3>,
    },
    /// The manually chosen counterpart on the other side. Sets it for both bones and removes their previous
    /// pairings.
    MirrorOf {
        bone: usize,
        other: Option<usize>,
    },
    Orientation {
        handle: usize,
        orientation: Option<Orientation>,
    },
    Pole {
        handle: usize,
        pole: Option<Pole>,
    },
    LookAt {
        handle: usize,
        look_at: Option<LookAt>,
    },
    Pinned {
        handle: usize,
        pinned: bool,
    },
    RootFree(bool),
    Balance(bool),
    /// The weight of the pose prior, at most [`Skeleton::MAX_PRIOR`].
    Prior(f32),
}

pub fn set(edit: &mut Edit<'_>, mesh: &str, value: &Posing) -> Result<(), CommandError> {
    check(value)?;
    edit_skeleton(edit, mesh, |skeleton| {
        match value {
            Posing::Limits { bone, .. } | Posing::Stiffness { bone, .. } | Posing::Preferred { bone, .. } => {
                helpers::check_bone(mesh, skeleton, *bone)?;
            }
            Posing::MirrorOf { bone, other } => {
                for bone in [Some(*bone), *other].into_iter().flatten() {
                    helpers::check_bone(mesh, skeleton, bone)?;
                }
                if *other == Some(*bone) {
                    let (subject, rule) = ("the other side of a bone", "another bone");
                    return Err(CommandError::Value { subject, rule });
                }
            }
            Posing::Orientation { handle, .. }
            | Posing::Pole { handle, .. }
            | Posing::LookAt { handle, .. }
            | Posing::Pinned { handle, .. } => helpers::check_handle(mesh, skeleton, *handle)?,
            Posing::RootFree(_) | Posing::Balance(_) | Posing::Prior(_) => {}
        }
        match *value {
            Posing::Limits { bone, limits } => skeleton.bones[bone].limits_deg = limits,
            Posing::Stiffness { bone, stiffness } => skeleton.bones[bone].stiffness = stiffness,
            Posing::Preferred { bone, pose_deg } => skeleton.bones[bone].preferred_deg = pose_deg,
            Posing::MirrorOf { bone, other } => pair(skeleton, bone, other),
            Posing::Orientation { handle, orientation } => skeleton.handles[handle].orientation = orientation,
            Posing::Pole { handle, pole } => skeleton.handles[handle].pole = pole,
            Posing::LookAt { handle, look_at } => skeleton.handles[handle].look_at = look_at,
            Posing::Pinned { handle, pinned } => skeleton.handles[handle].pinned = pinned,
            Posing::RootFree(free) => skeleton.root_free = free,
            Posing::Balance(balance) => skeleton.balance = balance,
            Posing::Prior(prior) => skeleton.ik_prior = prior,
        }
        Ok(())
    })
}

fn pair(skeleton: &mut Skeleton, bone: usize, other: Option<usize>) {
    let id = |bone: usize| skeleton.bones[bone].channel_id;
    let (bone_id, other_id) = (id(bone), other.map(id));
    for bone in &mut skeleton.bones {
        let is_either = |id: u32| id == bone_id || Some(id) == other_id;
        if bone.mirror_of.is_some_and(is_either) {
            bone.mirror_of = None;
        }
    }
    skeleton.bones[bone].mirror_of = other_id;
    if let Some(other) = other {
        skeleton.bones[other].mirror_of = Some(bone_id);
    }
}

fn check(value: &Posing) -> Result<(), CommandError> {
    let is_fraction = |weight: f32| (0.0..=1.0).contains(&weight);
    let require =
        |holds: bool, subject, rule| if holds { Ok(()) } else { Err(CommandError::Value { subject, rule }) };
    let weight = |weight: f32| require(is_fraction(weight), "the weight", "from 0 to 1");
    match value {
        Posing::Limits { limits, .. } => {
            require(limits.are_valid(), "each limit", "a range of degrees, the least first")
        }
        Posing::Stiffness { stiffness, .. } => {
            let is_valid = stiffness.to_array().into_iter().all(is_fraction);
            require(is_valid, "the stiffness", "from 0 to 1")
        }
        Posing::Preferred { pose_deg: Some(pose), .. } => helpers::check_finite("the preferred pose", *pose),
        Posing::Orientation { orientation: Some(orientation), .. } => {
            let rotation = orientation.rotation;
            let is_valid = rotation.is_finite() && rotation.length_squared() > 0.0;
            require(is_valid, "the orientation", "a rotation")?;
            weight(orientation.weight)
        }
        Posing::Pole { pole: Some(pole), .. } => {
            helpers::check_finite("the pole", pole.point)?;
            weight(pole.weight)
        }
        Posing::LookAt { look_at: Some(look_at), .. } => {
            require(look_at.axis.is_finite() && look_at.axis != Vec3::ZERO, "the axis", "a direction")?;
            weight(look_at.weight)
        }
        Posing::Prior(prior) => {
            let range = 0.0..=Skeleton::MAX_PRIOR;
            require(range.contains(prior), "the prior", "from 0 to 0.00001")
        }
        _ => Ok(()),
    }
}

/// Returns the label of the change.
pub fn label(value: &Posing, skeleton: &Skeleton) -> String {
    let bone = |bone: usize| skeleton.bone_name(bone);
    let handle = |handle: usize| skeleton.handle_name(handle);
    match value {
        Posing::Limits { bone: b, limits } if limits.is_free() => format!("Clear limits of {}", bone(*b)),
        Posing::Limits { bone: b, .. } => format!("Change limits of {}", bone(*b)),
        Posing::Stiffness { bone: b, .. } => format!("Change stiffness of {}", bone(*b)),
        Posing::Preferred { bone: b, .. } => format!("Change preferred pose of {}", bone(*b)),
        Posing::MirrorOf { bone: b, other: None } => format!("Unpair {}", bone(*b)),
        Posing::MirrorOf { bone: b, other: Some(other) } => format!("Pair {} and {}", bone(*b), bone(*other)),
        Posing::Orientation { handle: h, .. } => format!("Change orientation of {}", handle(*h)),
        Posing::Pole { handle: h, .. } => format!("Change pole of {}", handle(*h)),
        Posing::LookAt { handle: h, .. } => format!("Change look-at of {}", handle(*h)),
        Posing::Pinned { handle: h, pinned: true } => format!("Pin {}", handle(*h)),
        Posing::Pinned { handle: h, .. } => format!("Unpin {}", handle(*h)),
        Posing::RootFree(true) => "Free root".into(),
        Posing::RootFree(false) => "Fix root".into(),
        Posing::Balance(true) => "Turn on balance".into(),
        Posing::Balance(false) => "Turn off balance".into(),
        Posing::Prior(_) => "Change pose prior".into(),
    }
}
