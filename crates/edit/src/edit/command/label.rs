//! The labels of commands in the Edit menu and in the history.

use super::Command;
use super::WeightSource;
use super::bones;
use super::{create, handles};
use super::{mesh_name, name_for};
use crate::io::count::{counted, grouped};
use crate::rig::kinematics::parent_past_links;
use crate::rig::skeleton::Skeleton;
use crate::rig::skinning::Method;
use crate::rig::weights::refine::Refinement;
use crate::scene::Scene;
use glam::Vec3;
use std::sync::Arc;

pub fn label(command: &Command, scene: &Scene) -> String {
    let bone_name = |mesh: &str, bone: &usize| skeleton(scene, mesh).bone_name(*bone);
    let bone_names = |mesh: &str, bones: &[usize]| bones_name(&skeleton(scene, mesh), bones);
    let handle_name = |mesh: &str, handle: &usize| skeleton(scene, mesh).handle_name(*handle);
    match command {
        Command::AddBone { mesh, parent, .. } | Command::AddLinkedBone { mesh, parent, .. } => match parent {
            Some(parent) => format!("Add bone to {}", bone_name(mesh, parent)),
            None => "Add bone".into(),
        },
        Command::DeleteBone { mesh, bone } => format!("Delete {}", bone_name(mesh, bone)),
        Command::MoveTip { mesh, bone, .. } => format!("Move tail of {}", bone_name(mesh, bone)),
        Command::MoveBone { mesh, bone, .. } => format!("Move {}", bone_name(mesh, bone)),
        Command::SetPoses { poses_deg, .. } if poses_deg.iter().all(|p| *p == Vec3::ZERO) => {
            "Reset pose".into()
        }
        Command::SetPoses { .. } => "Pose all bones".into(),
        Command::SetBoneName { mesh, bone, name } => {
            let new_name = bones::unique_name(&skeleton(scene, mesh), *bone, name);
            rename_label(&bone_name(mesh, bone), new_name)
        }
        Command::SetBoneNames { names, .. } => format!("Rename {}", counted(names.len(), "bone", "bones")),
        Command::AddHandle { mesh, bone } => format!("Add IK to {}", bone_name(mesh, bone)),
        Command::DeleteHandle { mesh, handle } => format!("Delete {}", handle_name(mesh, handle)),
        Command::PairBones { mesh, bone, other: None } => format!("Unpair {}", bone_name(mesh, bone)),
        Command::PairBones { mesh, bone, other: Some(other) } => {
            format!("Pair {} and {}", bone_name(mesh, bone), bone_name(mesh, other))
        }
        Command::Poses { mesh, change } => super::poses::label(change, scene, mesh),
        Command::SetHandleName { mesh, handle, name } => {
            let new_name = handles::unique_name(&skeleton(scene, mesh), *handle, name);
            rename_label(&handle_name(mesh, handle), new_name)
        }
        Command::Reparent { mesh, bones, parent } => match parent {
            Some(parent) => format!("Parent {} to {}", bone_names(mesh, bones), bone_name(mesh, parent)),
            None => format!("Clear parent of {}", bone_names(mesh, bones)),
        },
        Command::SplitBones { mesh, bones, pieces } => {
            format!("Split {} into {pieces}", bone_names(mesh, bones))
        }
        Command::MergeBones { mesh, bones } => merge_label(&skeleton(scene, mesh), bones),
        Command::DuplicateBones { mesh, bones } => format!("Duplicate {}", bone_names(mesh, bones)),
        Command::MirrorBones { mesh, bones, .. } => format!("Mirror {}", bone_names(mesh, bones)),
        Command::DeleteSubtrees { mesh, bones } => {
            format!("Delete {} with children", bone_names(mesh, bones))
        }
        Command::AlignRoll { mesh, bones, .. } => format!("Align roll of {}", bone_names(mesh, bones)),
        Command::RotateBones { mesh, bones, .. } => format!("Rotate {}", bone_names(mesh, bones)),
        Command::ScaleBones { mesh, bones, .. } => format!("Scale {}", bone_names(mesh, bones)),
        Command::FitRadius { mesh, bones } => format!("Fit radius of {}", bone_names(mesh, bones)),
        Command::ScaleRadius { mesh, bones, .. } => format!("Scale radius of {}", bone_names(mesh, bones)),
        Command::CalculateWeights { .. } => "Calculate bone weights".into(),
        Command::SetProperty { object, parts, property, value } => {
            super::property::label(&skeleton(scene, &object.name), object, parts, property, value)
        }
        Command::CalculateBoneWeights { mesh, bones, .. }
        | Command::SetCalculatedWeights { mesh, bones: Some(bones), .. } => {
            format!("Calculate weights of {}", bone_names(mesh, bones))
        }
        Command::SetCalculatedWeights { bones: None, .. } => "Calculate bone weights".into(),
        Command::SetWeightMethod { method, .. } => {
            format!("Calculate weights by {}", method.label().to_lowercase())
        }
        Command::RefineWeights { vertices, refinement, .. } => refine_label(refinement, vertices.as_deref()),
        Command::PaintWeights { .. } => "Paint weights".into(),
        Command::TakeWeights { from, .. } => source_label(from),
        Command::Keys(command) => super::keys::label(command, scene),
        Command::Takes(command) => super::takes::label(command, scene),
        Command::Layers { mesh, change } => super::layers::label(change, scene, mesh),
        Command::Sound(command) => super::sounds::label(command, scene),
        Command::SetParent { transform, parent, .. } => match parent {
            Some(parent) => format!("Parent {transform} to {parent}"),
            None => format!("Clear parent of {transform}"),
        },
        Command::AddParent { transform } => format!("Add parent to {transform}"),
        Command::AddTransform { instance } => format!("Add transform to {}", instance.name),
        Command::Rename { object, name } => {
            let name = name_for(scene, object, name).unwrap_or_default();
            format!("Rename {} to {name}", object.name)
        }
        Command::Delete { object, with_data } => {
            if *with_data {
                format!("Delete {} with its data", object.name)
            } else {
                format!("Delete {}", object.name)
            }
        }
        Command::Duplicate { instance, .. } => format!("Duplicate {}", instance.name),
        Command::AddInstance { resource } => format!("Add instance of {}", resource.name),
        Command::AddResource { kind, name, .. } => format!("Add {}", create::name_for(scene, *kind, name)),
        Command::AddMesh { name, .. } => format!("Add {}", mesh_name(scene, name)),
        Command::AppendScene { .. } => "Append scene".into(),
        Command::AddClips { scene, .. } => match scene.0.animation.takes.list.len() {
            1 => "Add clip".into(),
            _ => "Add clips".into(),
        },
        Command::ReplaceSurface { mesh, .. } => format!("Replace surface of {}", mesh.name),
        Command::AddSkeleton { mesh, .. } => format!("Add a skeleton to {mesh}"),
        Command::MakeSkinned { mesh } => format!("Make {mesh} a skinned mesh"),
        Command::OrientSurface { mesh, .. } => format!("Turn {}", mesh.name),
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

/// Returns the label for renaming `name` to `new_name`, or for clearing it.
fn rename_label(name: &str, new_name: Option<String>) -> String {
    match new_name {
        Some(new_name) => format!("Rename {name} to {new_name}"),
        None => format!("Clear name of {name}"),
    }
}

fn refine_label(refinement: &Refinement, vertices: Option<&[u32]>) -> String {
    let text = match refinement {
        Refinement::Limit { most } => format!("Limit influences to {most}"),
        Refinement::Prune { below } => format!("Prune weights below {below}"),
        Refinement::Smooth { .. } => "Smooth weights".into(),
        Refinement::Normalize => "Normalise weights".into(),
        Refinement::Clear => "Clear weights".into(),
    };
    match vertices {
        None => text,
        Some(vertices) => format!("{text} of {}", counted(vertices.len(), "vertex", "vertices")),
    }
}

fn source_label(source: &WeightSource) -> String {
    match source {
        WeightSource::OtherSide { from_positive, .. } => {
            if *from_positive {
                "Mirror weights left to right".into()
            } else {
                "Mirror weights right to left".into()
            }
        }
        WeightSource::Mesh { name } => format!("Transfer weights from {name}"),
        WeightSource::Row { .. } => "Paste weights".into(),
    }
}

/// Returns the skeleton of a mesh, or an empty one for an unknown mesh, so that names are made from indices.
fn skeleton(scene: &Scene, mesh: &str) -> Arc<Skeleton> {
    let found = scene.skinned_meshes.get(mesh);
    found.map_or_else(Arc::default, |skinned| Arc::clone(&skinned.skeleton))
}

/// Returns the name of a single bone, or the number of bones.
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
        return format!("Merge {} into {}", skeleton.bone_name(*bone), skeleton.bone_name(parent));
    }
    format!("Merge {} into parents", bones_name(skeleton, bones))
}
