//! Members of our own in bones, handles and skeletons: what inverse kinematics goes by. Other programs ignore them.
//!
//! What they cannot be is not ours: it is kept as it is, with a finding. So is what says no more than its absence.

use super::json::Node;
use super::reader::{Members, Reader};
use crate::rig::limits::Limits;
use crate::rig::skeleton::{Bone, Handle, LookAt, Orientation, Pole, Skeleton};
use glam::{Quat, Vec3};

pub fn read_bone(r: &mut Reader<'_>, m: &mut Members<'_>, bone: &mut Bone) {
    let code = "bad-joint";
    let rule =
        "the limits are not three ranges of degrees, each [least, greatest] or null; nothing is limited";
    bone.limits_deg = own(r, m, ("limits", code, rule), Limits::default(), limits);
    let rule = "the stiffness is not three numbers from 0 to 1; the bone turns freely";
    let parts = |node: &Node<'_>| vec3(node).filter(|v| v.min_element() >= 0.0 && v.max_element() <= 1.0);
    bone.stiffness = own(r, m, ("stiffness", code, rule), Vec3::ZERO, parts);
    let rule = "the preferred pose is not three angles in degrees; there is none";
    bone.preferred_deg = own(r, m, ("preferred", code, rule), None, |node| vec3(node).map(Some));
}

pub fn read_handle(r: &mut Reader<'_>, m: &mut Members<'_>, handle: &mut Handle) {
    let code = "bad-handle";
    let rule = "the chain is not a number of bones, 1 or more; the handle turns all bones up to the root";
    handle.chain = own(r, m, ("chain", code, rule), None, |node| {
        let number = node.number();
        let count =
            number.filter(|bones| bones.fract() == 0.0 && (1.0..=f64::from(u32::MAX)).contains(bones));
        count.map(|bones| Some(bones as u32))
    });
    let rule = "the weight is not a number from 0 to 1; it counts as 1";
    handle.weight = own(r, m, ("weight", code, rule), 1.0, part);
    let rule = "the orientation is not a quaternion other than zero; the handle does not turn its bone";
    let rotation = own(r, m, ("orientation", code, rule), None, |node| {
        let rotation = Quat::from_array(numbers(node)?);
        (rotation.length_squared() > 0.0).then_some(Some(rotation))
    });
    if let Some(rotation) = rotation {
        let rule = "the weight is not a number from 0 to 1; it counts as 1";
        let weight = own(r, m, ("orientation_weight", code, rule), 1.0, part);
        handle.orientation = Some(Orientation { rotation, weight });
    }
    let rule = "the pole is not an object with a point and a weight from 0 to 1; there is none";
    handle.pole = own(r, m, ("pole", code, rule), None, |node| {
        let (point, weight) = weighted(node, "point")?;
        Some(Some(Pole { point, weight }))
    });
    let rule = "look_at is not an object with an axis other than zero and a weight from 0 to 1; the handle pulls to its target instead";
    handle.look_at = own(r, m, ("look_at", code, rule), None, |node| {
        let (axis, weight) = weighted(node, "axis")?;
        (axis != Vec3::ZERO).then_some(Some(LookAt { axis, weight }))
    });
    handle.pinned = own(
        r,
        m,
        ("pinned", code, "pinned is not true or false; it counts as false"),
        false,
        switch,
    );
}

pub fn read_skeleton(r: &mut Reader<'_>, m: &mut Members<'_>, skeleton: &mut Skeleton) {
    let code = "bad-joint";
    let rule = "root_free is not true or false; the root stays";
    skeleton.root_free = own(r, m, ("root_free", code, rule), false, switch);
    let rule = "the prior is not a number from 0 to 0.00001; there is none";
    skeleton.ik_prior = own(r, m, ("ik_prior", code, rule), 0.0, |node| {
        let prior = node.number()? as f32;
        (0.0..=Skeleton::MOST_PRIOR).contains(&prior).then_some(prior)
    });
}

/// The member `name`; `default` where it is missing or breaks the rule, which is then told under `code`.
fn own<T: PartialEq>(
    r: &mut Reader<'_>,
    m: &mut Members<'_>,
    (name, code, rule): (&str, &'static str, &str),
    default: T,
    read: impl FnOnce(&Node<'_>) -> Option<T>,
) -> T {
    match m.get(name).map(read) {
        None => default,
        Some(Some(value)) => {
            if value != default {
                m.take(name);
            }
            value
        }
        Some(None) => {
            r.at(name, |r| r.warn(code, rule));
            default
        }
    }
}

fn switch(node: &Node<'_>) -> Option<bool> {
    match node {
        Node::Bool(value) => Some(*value),
        _ => None,
    }
}

fn part(node: &Node<'_>) -> Option<f32> {
    let weight = node.number()?;
    (0.0..=1.0).contains(&weight).then_some(weight as f32)
}

fn numbers<const N: usize>(node: &Node<'_>) -> Option<[f32; N]> {
    let Node::Array(items) = node else { return None };
    let values: Option<Vec<f32>> = items
        .iter()
        .map(|item| item.number().map(|number| number as f32))
        .collect();
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

/// `{"point": [x,y,z], "weight": 1}` and nothing else; the weight may be missing.
fn weighted(node: &Node<'_>, name: &str) -> Option<(Vec3, f32)> {
    let Node::Object(members) = node else { return None };
    let get = |name: &str| members.iter().find(|(key, _)| key == name).map(|(_, node)| node);
    let weight = get("weight").map_or(Some(1.0), part)?;
    let known = 1 + usize::from(get("weight").is_some());
    (members.len() == known).then_some((vec3(get(name)?)?, weight))
}
