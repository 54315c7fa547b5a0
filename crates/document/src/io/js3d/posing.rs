//! Our own members of bones, handles and skeletons for inverse kinematics, and the saved poses of skinned
//! meshes. Other programs ignore them.
//!
//! A value of another type is not ours: it is preserved unchanged, with a finding. So is a value that equals
//! the default.

use super::json::Node;
use super::reader::{Members, Reader};
use crate::rig::handle_pose::HandlePose;
use crate::rig::limits::Limits;
use crate::rig::poses::{BonePose, SavedPose};
use crate::rig::property::{Access, Property, PropertyValue};
use crate::rig::skeleton::{LookAt, Orientation, Pole};
use glam::{Quat, Vec3};
use std::collections::BTreeSet;

/// Reads our own members of a bone, a handle or a skeleton by their rows; findings about values of another kind
/// have this code.
pub fn read_ours<T>(
    r: &mut Reader<'_>,
    m: &mut Members<'_>,
    code: &'static str,
    rows: &[Property<T>],
    part: &mut T,
) {
    for row in rows {
        let (Some(problem), Some(default)) = (row.info.ours, row.get(part)) else { continue };
        let id = row.info.id;
        let mut value = optional(r, m, (id, code, problem), default, |node| value(row, node));
        if let PropertyValue::Orientation(Some(orientation)) = &mut value {
            let problem = "the weight is not a number from 0 to 1; it counts as 1";
            let about = (ORIENTATION_WEIGHT, code, problem);
            orientation.weight = optional(r, m, about, 1.0, fraction);
        }
        row.set(part, &value);
    }
}

/// The member of a handle with the weight of its orientation, which is a number.
pub const ORIENTATION_WEIGHT: &str = "orientation_weight";

/// Parses the value of a row; `None` for one of another type or outside the range.
fn value<T>(row: &Property<T>, node: &Node<'_>) -> Option<PropertyValue> {
    let whole = |node: &Node<'_>| {
        let number = node.number()?;
        let is_whole = number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number);
        is_whole.then_some(number as u32)
    };
    let value = match row.access {
        Access::Bool(_) => PropertyValue::Bool(boolean(node)?),
        Access::Float(_) => {
            let number = node.number()?;
            let [least, largest] = row.info.range;
            PropertyValue::Float((least..=largest).contains(&number).then_some(number as f32)?)
        }
        Access::Vec3(_) => PropertyValue::Vec3(vec3(node)?),
        Access::Limits(_) => PropertyValue::Limits(limits(node)?),
        Access::Reference(..) => match node {
            Node::Text(name) => PropertyValue::Reference(Some(name.to_string())),
            _ => return None,
        },
        Access::OptionalUnsigned(_) => PropertyValue::OptionalUnsigned(Some(whole(node)?)),
        Access::OptionalVec3(_) => PropertyValue::OptionalVec3(Some(vec3(node)?)),
        Access::Orientation(_) => {
            let rotation = Quat::from_array(numbers(node)?);
            PropertyValue::Orientation(Some(Orientation { rotation, weight: 1.0 }))
        }
        Access::Pole(_) => {
            let (point, weight) = weighted(node, "point")?;
            PropertyValue::Pole(Some(Pole { point, weight }))
        }
        Access::LookAt(_) => {
            let (axis, weight) = weighted(node, "axis")?;
            PropertyValue::LookAt(Some(LookAt { axis, weight }))
        }
        _ => return None,
    };
    row.accepts(&value).then_some(value)
}

/// Reads the saved poses of a skinned mesh.
pub fn read_poses(r: &mut Reader<'_>, m: &mut Members<'_>) -> Vec<SavedPose> {
    let problem = "poses is not a list of poses, each with a unique name, bone angles in degrees (or these, a translation and a scale) by channel id, and optionally handles by channel id and a base offset; no poses are read";
    optional(r, m, ("poses", "bad-poses", problem), Vec::new(), |node| {
        let Node::Array(items) = node else { return None };
        let poses: Vec<SavedPose> = items.iter().map(|item| pose(&item)).collect::<Option<_>>()?;
        let mut names = BTreeSet::new();
        let are_unique = poses.iter().all(|pose| names.insert(pose.name.as_str()));
        are_unique.then_some(poses)
    })
}

/// Parses `{"name": "Wave", "bones": {"3": [x,y,z]}, "handles": {"7": {"enabled": true}}, "base_offset": [x,y,z]}`
/// without other members; handles and offset are optional.
fn pose(node: &Node<'_>) -> Option<SavedPose> {
    let Node::Object(members) = node else { return None };
    let mut pose = SavedPose::default();
    for (key, value) in members {
        match (&**key, value) {
            ("name", Node::Text(name)) => pose.name = name.to_string(),
            ("base_offset", offset) => pose.base_offset = Some(vec3(offset)?),
            ("bones", Node::Object(bones)) => {
                let poses = bones.iter().map(|(id, pose)| Some((channel_id(id)?, bone_pose(pose)?)));
                pose.bones = poses.collect::<Option<_>>()?;
            }
            ("handles", Node::Object(handles)) => {
                let poses = handles.iter().map(|(id, pose)| Some((channel_id(id)?, handle_pose(pose)?)));
                pose.handles = poses.collect::<Option<_>>()?;
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
pub fn optional<T: PartialEq>(
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

/// Parses the angles of a bone, or its angles, translation and scale.
fn bone_pose(node: &Node<'_>) -> Option<BonePose> {
    let numbers = numbers::<3>(node).map(Vec::from).or_else(|| numbers::<9>(node).map(Vec::from))?;
    BonePose::try_from(numbers).ok()
}

/// Parses the members of a handle that belong to a pose.
fn handle_pose(node: &Node<'_>) -> Option<HandlePose> {
    let Node::Object(members) = node else { return None };
    let mut pose = HandlePose::default();
    let weight = members.iter().find(|(key, _)| key == ORIENTATION_WEIGHT);
    let weight = weight.map_or(Some(1.0), |(_, node)| fraction(node))?;
    for (key, node) in members.iter().filter(|(key, _)| key != ORIENTATION_WEIGHT) {
        let row = HandlePose::row(key)?;
        let mut value = value(row, node)?;
        if let PropertyValue::Orientation(Some(orientation)) = &mut value {
            orientation.weight = weight;
        }
        pose.set(row, &value).then_some(())?;
    }
    Some(pose)
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
