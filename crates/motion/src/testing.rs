//! Bodies for tests: those of `media`, and variants of them.

use crate::motion::SkinPoint;
use glam::{DVec3, Quat, Vec3};
use ossature_rig::rig::body::feet::feet;
use ossature_rig::rig::kinematics::{bind_tips, parent_of};
use ossature_rig::rig::limits::Limits;
use ossature_rig::rig::skeleton::{Bone, Skeleton};
use serde_json::Value;
use std::path::Path;

/// Reads the skeleton of a scene in `media/js3d`.
pub fn skeleton(name: &str) -> Skeleton {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../media/js3d").join(name).with_extension("js3d");
    let scene: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let meshes = scene["scene"]["skinned_meshes"].as_object().unwrap();
    let skeleton = &meshes.values().next().unwrap()["skeleton"];
    let number = |value: &Value| value.as_f64().unwrap() as f32;
    let vector = |value: &Value| Vec3::from_array([0, 1, 2].map(|axis| number(&value[axis])));
    let bones = skeleton["bones"].as_array().unwrap().iter().map(|bone| {
        let limits = bone["limits"].as_array().map(|ranges| {
            Limits(
                [0, 1, 2]
                    .map(|axis| ranges[axis].as_array().map(|range| [0, 1].map(|end| number(&range[end])))),
            )
        });
        Bone {
            extent: vector(&bone["extent"]),
            roll_deg: number(&bone["roll"]),
            radius: number(&bone["radius"]),
            parent: bone["parent"].as_u64().map(|parent| parent as u32).filter(|parent| *parent < u32::MAX),
            channel_id: bone["channel_id"].as_u64().unwrap() as u32,
            name: bone["name"].as_str().map(Into::into),
            limits_deg: limits.unwrap_or_default(),
            preferred_deg: bone["preferred"].is_array().then(|| vector(&bone["preferred"])),
            ..Bone::default()
        }
    });
    let bones = bones.collect();
    Skeleton { bones, base: vector(&skeleton["base"]), ..Skeleton::default() }
}

/// The human of `media`.
pub fn human() -> Skeleton {
    skeleton("A4-human")
}

/// The human with its legs apart by so many degrees more.
pub fn straddled(deg: f32) -> Skeleton {
    let mut skeleton = human();
    for bone in &mut skeleton.bones {
        let name = bone.name.as_deref().unwrap();
        let side = if name.ends_with(".L") { 1.0 } else { -1.0 };
        if ["thigh", "shin"].iter().any(|part| name.starts_with(part)) {
            bone.extent = Quat::from_rotation_z(side * deg.to_radians()) * bone.extent;
        }
    }
    skeleton
}

/// The human with short legs and arms, and a large head.
pub fn chibi() -> Skeleton {
    chibi_with_legs(0.4)
}

/// The same with knees lower than a tenth of its height.
pub fn low_chibi() -> Skeleton {
    chibi_with_legs(0.18)
}

/// `legs`: the length of thighs and shins as a multiple of those of the human.
fn chibi_with_legs(legs: f32) -> Skeleton {
    let mut skeleton = human();
    for bone in &mut skeleton.bones {
        let name = bone.name.as_deref().unwrap();
        let factor = match name.split('.').next().unwrap() {
            "thigh" | "shin" => legs,
            "upper_arm" | "forearm" => 0.55,
            "head" => 2.2,
            "foot" | "toes" => 0.8,
            _ => 1.0,
        };
        bone.extent *= factor;
    }
    let lowest =
        |skeleton: &Skeleton| bind_tips(skeleton).iter().map(|tip| tip.y).fold(f64::INFINITY, f64::min);
    skeleton.base.y += (lowest(&human()) - lowest(&skeleton)) as f32;
    skeleton
}

/// The giraffe of `media`.
pub fn giraffe() -> Skeleton {
    skeleton("quadruped")
}

/// The giraffe with the bones of its forefeet ending higher above their soles than those of its hind feet.
pub fn uneven_giraffe() -> Skeleton {
    let mut skeleton = giraffe();
    for bone in &mut skeleton.bones {
        if bone.name.as_deref().unwrap().starts_with("hoof") {
            bone.extent.y *= 0.6;
        }
    }
    skeleton
}

/// The giraffe with legs that bend less.
pub fn stiff_giraffe() -> Skeleton {
    giraffe_bending(&["shank", "shin"], 27.0)
}

/// The giraffe with these bones of its hind legs turning by so many degrees at most.
pub fn giraffe_bending(parts: &[&str], most: f32) -> Skeleton {
    let mut skeleton = giraffe();
    for bone in &mut skeleton.bones {
        if parts.iter().any(|part| bone.name.as_deref().unwrap().starts_with(part)) {
            bone.limits_deg = Limits([Some([-most, most]), None, None]);
        }
    }
    skeleton
}

/// The soles of [`soles`] with heels that are hardly behind the ankles.
pub fn short_heels(skeleton: &Skeleton) -> Vec<SkinPoint> {
    let mut skin = soles(skeleton);
    let behind = skin.iter().map(|point| point.place.z).fold(f32::INFINITY, f32::min);
    let ankle = |point: &SkinPoint| {
        (bind_tips(skeleton)[point.bones[0]].z as f32) - skeleton.bones[point.bones[0]].extent.z
    };
    let heels = skin.iter_mut().filter(|point| point.place.z == behind);
    heels.for_each(|point| point.place.z = ankle(point) - 0.05 * skeleton.bones[point.bones[0]].extent.z);
    skin
}

/// The soles of [`soles`] that are higher under balls and toes than under heels, as of feet with heels.
pub fn high_heels(skeleton: &Skeleton) -> Vec<SkinPoint> {
    let mut skin = soles(skeleton);
    let behind = skin.iter().map(|point| point.place.z).fold(f32::INFINITY, f32::min);
    let ahead = skin.iter_mut().filter(|point| point.place.z > behind);
    ahead.for_each(|point| point.place.y += 0.05 * skeleton.bones[point.bones[0]].extent.z);
    skin
}

/// A skin of soles for all feet of a body: flat on one floor, longer than their bones, and bent by both bones about the ball.
pub fn soles(skeleton: &Skeleton) -> Vec<SkinPoint> {
    let tips = bind_tips(skeleton);
    let feet = feet(skeleton);
    let bones = || feet.iter().flat_map(|foot| &foot.bones);
    let floor = bones().map(|&bone| tips[bone].y).fold(f64::INFINITY, f64::min) - 0.05;
    let mut skin = Vec::new();
    for foot in &feet {
        let toes = foot.bones.iter().copied().find(|&bone| parent_of(skeleton, bone) == Some(foot.bone));
        let (ball, length) = (tips[foot.bone], f64::from(skeleton.bones[foot.bone].extent.z));
        let tip = toes.map_or(ball, |toes| tips[toes]);
        let mut add = |z: f64, bones: [usize; 2], second: f64| {
            let places = [-0.2, 0.2].map(|x| DVec3::new(ball.x + x * length, floor, z).as_vec3());
            skin.extend(places.map(|place| SkinPoint { place, bones, second }));
        };
        let last = toes.unwrap_or(foot.bone);
        add(ball.z - 1.5 * length, [foot.bone, last], 0.0);
        for (ahead, second) in [(-0.2, 0.7), (0.0, 0.5), (0.2, 0.3)] {
            add(ball.z + ahead * length, [last, foot.bone], second);
        }
        add(tip.z + 0.3 * length, [last, foot.bone], 0.0);
    }
    skin
}
