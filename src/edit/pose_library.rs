//! Saved poses of one file for the character of another: written without the rest of the scene, and taken over by the
//! names of bones.

use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::poses::SavedPose;
use crate::rig::skeleton::Skeleton;
use crate::rig::weights::VertexWeights;
use crate::scene::Scene;
use crate::scene::skinned::SkinnedMesh;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A scene of nothing but the poses of a character, with its skeleton, whose bones they name.
pub fn poses_alone(mesh: &str, skinned: &SkinnedMesh) -> Scene {
    let skeleton = Skeleton {
        handles: Vec::new(),
        ..(*skinned.skeleton).clone()
    };
    let alone = SkinnedMesh {
        surface: Arc::new(HalfedgeMesh::default()),
        weights: Arc::new(VertexWeights::default()),
        skeleton: Arc::new(skeleton),
        poses: Arc::clone(&skinned.poses),
        ..SkinnedMesh::default()
    };
    let mut scene = Scene::default();
    scene.skinned_meshes.insert(mesh.to_owned(), Arc::new(alone));
    scene
}

/// What another file has for a character.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// By the channel ids of the character's bones.
    pub poses: Vec<SavedPose>,
    /// Bones that the poses turn and that the character has not, as shown there, in order.
    pub unmatched: Vec<String>,
}

/// The poses of all characters of `from` for `skeleton`: onto the bones of the same names; bones without a name are
/// found by their channel ids. Poses that turn none of its bones are left out.
///
/// # Errors
/// A sentence, if there is none.
pub fn poses_for(skeleton: &Skeleton, from: &Scene) -> Result<Found, String> {
    let mut found = Found::default();
    let mut unmatched = BTreeSet::new();
    let mut any = false;
    for other in from.skinned_meshes.values() {
        any |= !other.poses.is_empty();
        let partner = |id: u32| {
            let source = other
                .skeleton
                .bones
                .iter()
                .position(|bone| bone.channel_id == id)?;
            let name = other.skeleton.bones[source]
                .name
                .as_deref()
                .filter(|name| !name.is_empty());
            let is_partner = |bone: &&crate::rig::skeleton::Bone| match name {
                Some(name) => bone.name.as_deref() == Some(name),
                None => bone.channel_id == id,
            };
            Some((
                source,
                skeleton.bones.iter().find(is_partner).map(|bone| bone.channel_id),
            ))
        };
        for pose in other.poses.iter() {
            let mut bones = Vec::with_capacity(pose.bones.len());
            for (id, pose_deg) in &pose.bones {
                match partner(*id) {
                    Some((_, Some(here))) => bones.push((here, *pose_deg)),
                    Some((source, None)) => drop(unmatched.insert(other.skeleton.bone_name(source))),
                    // A bone that is not even there.
                    None => {}
                }
            }
            if !bones.is_empty() {
                found.poses.push(SavedPose {
                    bones,
                    ..pose.clone()
                });
            }
        }
    }
    found.unmatched = unmatched.into_iter().collect();
    match (any, found.poses.is_empty()) {
        (false, _) => Err("The file has no saved poses.".into()),
        (true, true) => {
            Err("None of the bones in its poses is in this skeleton: bones are matched by name.".into())
        }
        (true, false) => Ok(found),
    }
}
