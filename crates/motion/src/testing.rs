//! Bodies for tests: those of `media`, and variants of them.

use glam::Vec3;
use ossature_rig::rig::kinematics::bind_tips;
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
