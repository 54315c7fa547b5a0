//! What each command is called in the Edit menu and in the history.

use super::Command;
use super::WeightSource;
use super::bones::given_name;
use super::{create, handles};
use super::{mesh_name, name_for};
use crate::io::count::grouped;
use crate::rig::kinematics::parent_past_links;
use crate::rig::skeleton::Skeleton;
use crate::rig::skinning::Method;
use crate::rig::weights::refine::Refinement;
use crate::scene::Scene;
use glam::Vec3;
use std::sync::Arc;

pub fn label(command: &Command, scene: &Scene) -> String {
    let bone = |mesh: &str, bone: usize| skeleton(scene, mesh).bone_name(bone);
    let handle = |mesh: &str, handle: usize| skeleton(scene, mesh).handle_name(handle);
    let bones = |mesh: &str, bones: &[usize]| bones_name(&skeleton(scene, mesh), bones);
    match command {
        Command::AddBone { parent: None, .. } | Command::AddLinkedBone { parent: None, .. } => {
            "Add bone".into()
        }
        Command::AddBone {
            mesh,
            parent: Some(parent),
            ..
        }
        | Command::AddLinkedBone {
            mesh,
            parent: Some(parent),
            ..
        } => format!("Add bone to {}", bone(mesh, *parent)),
        Command::DeleteBone { mesh, bone: b } => format!("Delete {}", bone(mesh, *b)),
        Command::MoveTip { mesh, bone: b, .. } => format!("Move tail of {}", bone(mesh, *b)),
        Command::MoveBone { mesh, bone: b, .. } => format!("Move {}", bone(mesh, *b)),
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
        Command::SetPose { mesh, bone: b, .. } => format!("Rotate {}", bone(mesh, *b)),
        Command::SetPoses { poses_deg, .. } if poses_deg.iter().all(|p| *p == Vec3::ZERO) => {
            "Reset pose".into()
        }
        Command::SetPoses { .. } => "Pose all bones".into(),
        Command::SetBoneName { mesh, bone: b, name } => match given_name(&skeleton(scene, mesh), *b, name) {
            Some(name) => format!("Rename {} to {name}", bone(mesh, *b)),
            None => format!("Clear name of {}", bone(mesh, *b)),
        },
        Command::SetBase { .. } => "Move base".into(),
        Command::SetBaseOffset { .. } => "Move base offset".into(),
        Command::AddHandle { mesh, bone: b } => format!("Add IK to {}", bone(mesh, *b)),
        Command::DeleteHandle { mesh, handle: h } => format!("Delete {}", handle(mesh, *h)),
        Command::SetHandleTarget { mesh, handle: h, .. } => format!("Move {}", handle(mesh, *h)),
        Command::SetHandleEnabled {
            mesh,
            handle: h,
            enabled: true,
        } => format!("Enable {}", handle(mesh, *h)),
        Command::SetHandleEnabled { mesh, handle: h, .. } => format!("Disable {}", handle(mesh, *h)),
        Command::SetHandleChain { mesh, handle: h, .. } => format!("Change chain of {}", handle(mesh, *h)),
        Command::SetHandleWeight { mesh, handle: h, .. } => format!("Change weight of {}", handle(mesh, *h)),
        Command::SetPosing { mesh, value } => super::posing::label(value, &skeleton(scene, mesh)),
        Command::Poses { mesh, change } => super::poses::label(change, scene, mesh),
        Command::SetHandleName {
            mesh,
            handle: h,
            name,
        } => match handles::given_name(&skeleton(scene, mesh), *h, name) {
            Some(name) => format!("Rename {} to {name}", handle(mesh, *h)),
            None => format!("Clear name of {}", handle(mesh, *h)),
        },
        Command::Reparent {
            mesh,
            bones: b,
            parent: None,
        } => format!("Clear parent of {}", bones(mesh, b)),
        Command::Reparent {
            mesh,
            bones: b,
            parent: Some(parent),
        } => format!("Parent {} to {}", bones(mesh, b), bone(mesh, *parent)),
        Command::SplitBones {
            mesh,
            bones: b,
            pieces,
        } => format!("Split {} in {pieces}", bones(mesh, b)),
        Command::MergeBones { mesh, bones: b } => merge_label(&skeleton(scene, mesh), b),
        Command::DuplicateBones { mesh, bones: b } => format!("Duplicate {}", bones(mesh, b)),
        Command::MirrorBones { mesh, bones: b, .. } => format!("Mirror {}", bones(mesh, b)),
        Command::DeleteSubtrees { mesh, bones: b } => format!("Delete {} with children", bones(mesh, b)),
        Command::AlignRoll { mesh, bones: b, .. } => format!("Align roll of {}", bones(mesh, b)),
        Command::RotateBones { mesh, bones: b, .. } => format!("Rotate {}", bones(mesh, b)),
        Command::ScaleBones { mesh, bones: b, .. } => format!("Scale {}", bones(mesh, b)),
        Command::FitRadius { mesh, bones: b } => format!("Fit radius of {}", bones(mesh, b)),
        Command::ScaleRadius { mesh, bones: b, .. } => format!("Scale radius of {}", bones(mesh, b)),
        Command::CalculateWeights { .. } => "Calculate bone weights".into(),
        Command::SetProperty { of, property, value } => super::property::label(of, property, value),
        Command::CalculateBoneWeights { mesh, bones, .. } => match bones[..] {
            [only] => format!("Calculate weights of {}", bone(mesh, only)),
            _ => format!("Calculate weights of {} bones", grouped(bones.len())),
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
                method: Default::default(),
            },
            scene,
        ),
        Command::SetWeightMethod { method, .. } => {
            format!("Calculate weights by {}", method.label().to_lowercase())
        }
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
                Some(count) => format!("{what} of {} vertices", grouped(count)),
            }
        }
        Command::PaintWeights { .. } => "Paint weights".into(),
        Command::TakeWeights { from, .. } => match from {
            WeightSource::OtherSide {
                from_positive: true, ..
            } => "Mirror weights left to right".into(),
            WeightSource::OtherSide {
                from_positive: false, ..
            } => "Mirror weights right to left".into(),
            WeightSource::Mesh { name } => format!("Transfer weights from {name}"),
            WeightSource::Row { .. } => "Paste weights".into(),
        },
        Command::LockWeights {
            mesh,
            bones: b,
            locked,
        } => match locked {
            true => format!("Lock weights of {}", bones(mesh, b)),
            false => format!("Unlock weights of {}", bones(mesh, b)),
        },
        Command::Keys(command) => super::keys::label(command, scene),
        Command::Takes(command) => super::takes::label(command, scene),
        Command::SetParent {
            transform,
            parent: Some(parent),
            ..
        } => format!("Parent {transform} to {parent}"),
        Command::SetParent { transform, .. } => format!("Clear parent of {transform}"),
        Command::AddParent { transform } => format!("Add parent to {transform}"),
        Command::AddTransform { instance } => format!("Add transform to {}", instance.name),
        Command::Rename { thing, name } => {
            let name = name_for(scene, thing, name).unwrap_or_default();
            format!("Rename {} to {name}", thing.name)
        }
        Command::Delete {
            thing,
            with_data: false,
        } => format!("Delete {}", thing.name),
        Command::Delete { thing, .. } => format!("Delete {} with its data", thing.name),
        Command::Duplicate { instance, .. } => format!("Duplicate {}", instance.name),
        Command::AddInstance { of } => format!("Add instance of {}", of.name),
        Command::AddResource { kind, name, .. } => format!("Add {}", create::name_for(scene, *kind, name)),
        Command::AddMesh { name, .. } => format!("Add {}", mesh_name(scene, name)),
        Command::AppendScene { .. } => "Append scene".into(),
        Command::ReplaceSurface { mesh, .. } => format!("Replace surface of {}", mesh.name),
        Command::MakeSkinned { mesh } => format!("Make {mesh} a skinned mesh"),
        Command::FlipOrientation { mesh } => format!("Flip orientation of {}", mesh.name),
        Command::SmoothNormals { mesh, .. } => format!("Smooth normals of {}", mesh.name),
        Command::SetImages { .. } => "Set image paths".into(),
        Command::SetSkinning { method, .. } => match *method {
            Method::LINEAR => "Set linear blend skinning".into(),
            Method::DUAL_QUATERNION => "Set dual quaternion skinning".into(),
            method => format!("Set skinning to {}", method.description()),
        },
    }
}

/// An empty skeleton for an unknown mesh: names are then made from indices.
fn skeleton(scene: &Scene, mesh: &str) -> Arc<Skeleton> {
    let found = scene.skinned_meshes.get(mesh);
    found.map_or_else(Arc::default, |skinned| Arc::clone(&skinned.skeleton))
}

/// One bone by name, several by number.
fn bones_name(skeleton: &Skeleton, bones: &[usize]) -> String {
    match bones {
        [bone] => skeleton.bone_name(*bone),
        _ => format!("{} bones", grouped(bones.len())),
    }
}

fn merge_label(skeleton: &Skeleton, bones: &[usize]) -> String {
    if let [bone] = bones
        && let Some(parent) = parent_past_links(skeleton, *bone)
    {
        return format!(
            "Merge {} into {}",
            skeleton.bone_name(*bone),
            skeleton.bone_name(parent)
        );
    }
    format!("Merge {} into parents", bones_name(skeleton, bones))
}
