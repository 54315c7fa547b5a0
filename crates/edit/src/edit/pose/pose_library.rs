//! Pose libraries: saves the poses of a character without the rest of the scene, and imports saved poses from
//! another file by the names of bones.

use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::poses::SavedPose;
use crate::rig::skeleton::Skeleton;
use crate::rig::weights::VertexWeights;
use crate::scene::Scene;
use crate::scene::skinned::SkinnedMesh;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Returns a scene with only the poses of a character and its skeleton, whose bones and handles they refer to.
pub fn poses_only(mesh: &str, skinned: &SkinnedMesh) -> Scene {
    let character = SkinnedMesh {
        surface: Arc::new(HalfedgeMesh::default()),
        weights: Arc::new(VertexWeights::default()),
        skeleton: Arc::clone(&skinned.skeleton),
        poses: Arc::clone(&skinned.poses),
        ..SkinnedMesh::default()
    };
    let mut scene = Scene::default();
    scene.skinned_meshes.insert(mesh.to_owned(), Arc::new(character));
    scene
}

/// The poses that another file has for a character.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportedPoses {
    /// The poses, by the channel ids of the character's bones.
    pub poses: Vec<SavedPose>,
    /// The names of bones that the poses rotate but the character lacks, as users see them there, in order.
    pub unmatched: Vec<String>,
}

/// Returns the poses of all characters in `from` for `skeleton`, for bones of the same names; bones without a
/// name are matched by channel id, and handles by their bones. Poses that rotate none of its bones are left out.
///
/// # Errors
/// A sentence, if there are none.
pub fn poses_for(skeleton: &Skeleton, from: &Scene) -> Result<ImportedPoses, String> {
    let mut found = ImportedPoses::default();
    let mut unmatched = BTreeSet::new();
    let mut any_poses = false;
    for other in from.skinned_meshes.values() {
        any_poses |= !other.poses.is_empty();
        let partner = |id: u32| {
            let source = other.skeleton.bones.iter().position(|bone| bone.channel_id == id)?;
            let name = other.skeleton.bones[source].name.as_deref().filter(|name| !name.is_empty());
            let is_partner = |bone: &&crate::rig::skeleton::Bone| match name {
                Some(name) => bone.name.as_deref() == Some(name),
                None => bone.channel_id == id,
            };
            Some((source, skeleton.bones.iter().find(is_partner).map(|bone| bone.channel_id)))
        };
        let partner_handle = |id: u32| {
            let source = other.skeleton.handles.iter().position(|handle| handle.channel_id == id)?;
            let bone = other.skeleton.handles[source].bone as usize;
            let nth = other.skeleton.handles_on(bone).position(|handle| handle == source)?;
            let (_, target) = partner(other.skeleton.bones.get(bone)?.channel_id)?;
            let target = skeleton.bones.iter().position(|bone| Some(bone.channel_id) == target)?;
            Some(skeleton.handles[skeleton.handles_on(target).nth(nth)?].channel_id)
        };
        for saved in other.poses.iter() {
            let mut bones = Vec::with_capacity(saved.bones.len());
            for (id, pose) in &saved.bones {
                match partner(*id) {
                    Some((_, Some(target))) => bones.push((target, *pose)),
                    Some((source, None)) => drop(unmatched.insert(other.skeleton.bone_name(source))),
                    // A pose may refer to a bone that does not exist.
                    None => {}
                }
            }
            if !bones.is_empty() {
                let handles = saved.handles.iter();
                let handles = handles.filter_map(|(id, pose)| {
                    let mut pose = pose.clone();
                    let handle = pose.handle_mut();
                    handle.space = handle.space.and_then(partner).and_then(|(_, target)| target);
                    // What it goes with is in the other file.
                    let is_known = handle.space_instance.is_none();
                    Some((partner_handle(*id).filter(|_| is_known)?, pose))
                });
                found.poses.push(SavedPose { bones, handles: handles.collect(), ..saved.clone() });
            }
        }
    }
    found.unmatched = unmatched.into_iter().collect();
    match (any_poses, found.poses.is_empty()) {
        (false, _) => Err("The file has no saved poses.".into()),
        (true, true) => {
            Err("None of the bones in its poses is in this skeleton: bones are matched by name.".into())
        }
        (true, false) => Ok(found),
    }
}
