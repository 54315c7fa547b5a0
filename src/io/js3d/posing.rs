//! Our own members of bones, handles and skeletons for inverse kinematics, and the saved poses of skinned
//! meshes. Other programs ignore them.
//!
//! A value of another type is not ours: it is preserved unchanged, with a finding. So is a value that equals
//! the default.

use super::json::Node;
use super::reader::{Members, Reader};
use crate::rig::limits::Limits;
use crate::rig::poses::SavedPose;
use crate::rig::skeleton::{Bone, Handle, LookAt, Orientation, Pole, Skeleton};
use glam::{Quat, Vec3};
use std::collections::BTreeSet;

pub fn read_bone(r: &mut Reader<'_>, m: &mut Members<'_>, bone: &mut Bone) {
    let code = "bad-joint";
    let problem =
        "the limits are not three ranges of degrees, each [least, greatest] or null; nothing is limited";
    bone.limits_deg = optional(r, m, ("limits", code, problem), Limits::default(), limits);
    let problem = "the stiffness is not three numbers from 0 to 1; the bone turns freely";
    let fractions = |node: &Node<'_>| vec3(node).filter(|v| v.min_element() >= 0.0 && v.max_element() <= 1.0);
    bone.stiffness = optional(r, m, ("stiffness", code, problem), Vec3::ZERO, fractions);
    let problem = "the preferred pose is not three angles in degrees; there is none";
    bone.preferred_deg = optional(r, m, ("preferred", code, problem), None, |node| vec3(node).map(Some));
    let problem = "mirror_of is not the channel id of a bone; its other side is found by name and position";
    bone.mirror_of = optional(r, m, ("mirror_of", code, problem), None, |node| {
        let id = node.number()?;
        let is_id = id.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&id);
        is_id.then_some(Some(id as u32))
    });
    let problem = "lock_weights is not true or false; the weights of the bone can be painted";
    bone.lock_weights = optional(r, m, ("lock_weights", code, problem), false, boolean);
}

pub fn read_handle(r: &mut Reader<'_>, m: &mut Members<'_>, handle: &mut Handle) {
    let code = "bad-handle";
    let problem = "the chain is not a number of bones, 1 or more; the handle turns all bones up to the root";
    handle.chain = optional(r, m, ("chain", code, problem), None, |node| {
        let number = node.number();
        let count =
            number.filter(|bones| bones.fract() == 0.0 && (1.0..=f64::from(u32::MAX)).contains(bones));
        count.map(|bones| Some(bones as u32))
    });
    let problem = "the weight is not a number from 0 to 1; it counts as 1";
    handle.weight = optional(r, m, ("weight", code, problem), 1.0, fraction);
    let problem = "the orientation is not a quaternion other than zero; the handle does not turn its bone";
    let rotation = optional(r, m, ("orientation", code, problem), None, |node| {
        let rotation = Quat::from_array(numbers(node)?);
        (rotation.length_squared() > 0.0).then_some(Some(rotation))
    });
    if let Some(rotation) = rotation {
        let problem = "the weight is not a number from 0 to 1; it counts as 1";
        let weight = optional(r, m, ("orientation_weight", code, problem), 1.0, fraction);
        handle.orientation = Some(Orientation { rotation, weight });
    }
    let problem = "the pole is not an object with a point and a weight from 0 to 1; there is none";
    handle.pole = optional(r, m, ("pole", code, problem), None, |node| {
        let (point, weight) = weighted(node, "point")?;
        Some(Some(Pole { point, weight }))
    });
    let problem = "look_at is not an object with an axis other than zero and a weight from 0 to 1; the handle pulls to its target instead";
    handle.look_at = optional(r, m, ("look_at", code, problem), None, |node| {
        let (axis, weight) = weighted(node, "axis")?;
        (axis != Vec3::ZERO).then_some(Some(LookAt { axis, weight }))
    });
    handle.pinned =
        optional(r, m, ("pinned", code, "pinned is not true or false; it counts as false"), false, boolean);
}

pub fn read_skeleton(r: &mut Reader<'_>, m: &mut Members<'_>, skeleton: &mut Skeleton) {
    let code = "bad-joint";
    let problem = "root_free is not true or false; the root stays";
    skeleton.root_free = optional(r, m, ("root_free", code, problem), false, boolean);
    let problem = "balance is not true or false; it is kept";
    skeleton.balance = optional(r, m, ("balance", code, problem), true, boolean);
    let problem = "the prior is not a number from 0 to 0.00001; there is none";
    skeleton.ik_prior = optional(r, m, ("ik_prior", code, problem), 0.0, |node| {
        let prior = node.number()? as f32;
        (0.0..=Skeleton::MAX_PRIOR).contains(&prior).then_some(prior)
    });
}

/// Reads the saved poses of a skinned mesh.
pub fn read_poses(r: &mut Reader<'_>, m: &mut Members<'_>) -> Vec<SavedPose> {
    let problem = "poses is not a list of poses, each with a unique name, bone angles in degrees by channel id, and optionally a base offset; no poses are read";
    optional(r, m, ("poses", "bad-poses", problem), Vec::new(), |node| {
        let Node::Array(items) = node else { return None };
        let poses: Vec<SavedPose> = items.iter().map(|item| pose(&item)).collect::<Option<_>>()?;
        let mut names = BTreeSet::new();
        let are_unique = poses.iter().all(|pose| names.insert(pose.name.as_str()));
        are_unique.then_some(poses)
    })
}

/// Parses `{"name": "Wave", "bones": {"3": [x,y,z]}, "base_offset": [x,y,z]}` without other members; the
/// offset is optional.
fn pose(node: &Node<'_>) -> Option<SavedPose> {
    let Node::Object(members) = node else { return None };
    let mut pose = SavedPose::default();
    for (key, value) in members {
        match (&**key, value) {
            ("name", Node::Text(name)) => pose.name = name.to_string(),
            ("base_offset", offset) => pose.base_offset = Some(vec3(offset)?),
            ("bones", Node::Object(bones)) => {
                let angles = bones.iter().map(|(id, pose_deg)| Some((channel_id(id)?, vec3(pose_deg)?)));
                pose.bones = angles.collect::<Option<_>>()?;
            }
            _ => return None,
        }
    }
    (!pose.name.trim().is_empty()).then_some(pose)
}

/// Parses a channel id in the form in which it is written, so that it round-trips exactly.
fn channel_id(text: &str) -> Option<u32> {
    text.parse().ok().filter(|id: &u32| id.to_string() == text)
}

/// Reads the optional member `name`; `default` if it is missing or invalid; the latter is reported under
/// `code`.
fn optional<T: PartialEq>(
    r: &mut Reader<'_>,
    m: &mut Members<'_>,
    (name, code, problem): (&str, &'static str, &str),
    default: T,
    read: impl FnOnce(&Node<'_>) -> Option<T>,
) -> T {
    match m.get_deduplicated(r, name).map(read) {
        None => default,
        Some(Some(value)) => {
            if value != default {
                m.take(name);
            }
            value
        }
        Some(None) => {
            r.within(name, |r| r.warn(code, problem));
            default
        }
    }
}

fn boolean(node: &Node<'_>) -> Option<bool> {
    match node {
        Node::Bool(value) => Some(*value),
        _ => None,
    }
}

fn fraction(node: &Node<'_>) -> Option<f32> {
    let weight = node.number()?;
    (0.0..=1.0).contains(&weight).then_some(weight as f32)
}

fn numbers<const N: usize>(node: &Node<'_>) -> Option<[f32; N]> {
    let Node::Array(items) = node else { return None };
    let values: Option<Vec<f32>> =
        items.iter().map(|item| item.number().map(|number| number as f32)).collect();
    let values: [f32; N] = values?.try_into().ok()?;
    values.iter().all(|value| value.is_finite()).then_some(values)
}

fn vec3(node: &Node<'_>) -> Option<Vec3> {
    numbers(node).map(Vec3::from_array)
}

fn limits(node: &Node<'_>) -> Option<Limits> {
    let Node::Array(items) = node else { return None };
    let ranges: Option<Vec<Option<[f32; 2]>>> = items
        .iter()
        .map(|item| match &*item {
            Node::Null => Some(None),
            range => numbers(range).map(Some),
        })
        .collect();
    Some(Limits(ranges?.try_into().ok()?)).filter(Limits::are_valid)
}

/// Parses `{"point": [x,y,z], "weight": 1}` without other members; the weight is optional.
fn weighted(node: &Node<'_>, name: &str) -> Option<(Vec3, f32)> {
    let Node::Object(members) = node else { return None };
    let get = |name: &str| members.iter().find(|(key, _)| key == name).map(|(_, node)| node);
    let weight = get("weight").map_or(Some(1.0), fraction)?;
    let known = 1 + usize::from(get("weight").is_some());
    (members.len() == known).then_some((vec3(get(name)?)?, weight))
}
