//! What each command is called in the Edit menu and in the history.

use super::Command;
use super::bones::clean_name;
use crate::rig::skeleton::Skeleton;
use crate::rig::weights::refine::Refinement;
use crate::scene::Scene;
use glam::Vec3;
use std::sync::Arc;

pub fn label(command: &Command, scene: &Scene) -> String {
    let bone = |mesh: &str, bone: usize| skeleton(scene, mesh).bone_name(bone);
    let handle = |mesh: &str, handle: usize| skeleton(scene, mesh).handle_name(handle);
    match command {
        Command::AddBone { parent: None, .. } => "Add bone".into(),
        Command::AddBone {
            mesh,
            parent: Some(parent),
            ..
        } => format!("Add bone to {}", bone(mesh, *parent)),
        Command::DeleteBone { mesh, bone: b } => format!("Delete {}", bone(mesh, *b)),
        Command::MoveTip { mesh, bone: b, .. } => format!("Move tip of {}", bone(mesh, *b)),
        Command::SetExtent { mesh, bone: b, .. } => format!("Change extent of {}", bone(mesh, *b)),
        Command::SetRoll { mesh, bone: b, .. } => format!("Change roll of {}", bone(mesh, *b)),
        Command::SetRadius { mesh, bone: b, .. } => format!("Change radius of {}", bone(mesh, *b)),
        Command::SetPose {
            mesh,
            bone: b,
            pose_deg,
        } if *pose_deg == Vec3::ZERO => {
            format!("Reset pose of {}", bone(mesh, *b))
        }
        Command::SetPose { mesh, bone: b, .. } => format!("Turn {}", bone(mesh, *b)),
        Command::SetPoses { poses_deg, .. } if poses_deg.iter().all(|p| *p == Vec3::ZERO) => {
            "Reset pose".into()
        }
        Command::SetPoses { .. } => "Pose all bones".into(),
        Command::SetBoneName { mesh, bone: b, name } if clean_name(name).is_empty() => {
            format!("Clear name of {}", bone(mesh, *b))
        }
        Command::SetBoneName { mesh, bone: b, name } => {
            format!("Rename {} to {}", bone(mesh, *b), clean_name(name))
        }
        Command::SetBase { .. } => "Move base".into(),
        Command::SetBaseOffset { .. } => "Change base offset".into(),
        Command::AddHandle { mesh, bone: b } => format!("Add IK to {}", bone(mesh, *b)),
        Command::DeleteHandle { mesh, handle: h } => format!("Delete {}", handle(mesh, *h)),
        Command::SetHandleTarget { mesh, handle: h, .. } => format!("Move {}", handle(mesh, *h)),
        Command::SetHandleEnabled {
            mesh,
            handle: h,
            enabled: true,
        } => format!("Enable {}", handle(mesh, *h)),
        Command::SetHandleEnabled { mesh, handle: h, .. } => format!("Disable {}", handle(mesh, *h)),
        Command::CalculateWeights { .. } => "Calculate bone weights".into(),
        Command::SetVisible {
            instance,
            visible: true,
        } => format!("Show {}", instance.name),
        Command::SetVisible { instance, .. } => format!("Hide {}", instance.name),
        Command::CalculateBoneWeights { mesh, bones } => match bones[..] {
            [only] => format!("Calculate weights of {}", bone(mesh, only)),
            _ => format!("Calculate weights of {} bones", bones.len()),
        },
        Command::SetCalculatedWeights { bones: None, .. } => "Calculate bone weights".into(),
        Command::SetCalculatedWeights {
            mesh,
            bones: Some(bones),
            ..
        } => label(
            &Command::CalculateBoneWeights {
                mesh: mesh.clone(),
                bones: bones.clone(),
            },
            scene,
        ),
        Command::RefineWeights { vertices, how, .. } => {
            let what = match how {
                Refinement::Limit { most } => format!("Limit influences to {most}"),
                Refinement::Prune { below } => format!("Prune weights below {below}"),
                Refinement::Smooth { .. } => "Smooth weights".into(),
                Refinement::Normalize => "Normalise weights".into(),
                Refinement::Clear => "Clear weights".into(),
            };
            match vertices.as_ref().map(Vec::len) {
                None => what,
                Some(1) => format!("{what} of 1 vertex"),
                Some(count) => format!("{what} of {count} vertices"),
            }
        }
    }
}

/// An empty skeleton for an unknown mesh: names are then made from indices.
fn skeleton(scene: &Scene, mesh: &str) -> Arc<Skeleton> {
    let found = scene.skinned_meshes.get(mesh);
    found.map_or_else(Arc::default, |skinned| Arc::clone(&skinned.skeleton))
}
