//! The spaces that a scene gives to handles: those of instances, such as a prop that a hand stays on, and of the bones of
//! other characters. Those of a skeleton's own bones are [`crate::rig::handle_space`]; the poses that this module needs
//! are computed elsewhere.
//!
//! Goals in the space of an instance are in its local space; in that of one of its bones they are where they would be in
//! the bind pose of its mesh, as with bones of the same skeleton.

use super::Scene;
use super::instance::{InstanceKind, InstanceView};
use super::world::world_matrix;
use crate::rig::skeleton::{Handle, Skeleton};
use glam::DAffine3;

/// The space of a handle; by default that of its mesh.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Space {
    /// The name of the instance; `None`: that of the mesh itself.
    pub instance: Option<String>,
    /// The channel id of the bone; `None`: the space of the whole mesh or instance.
    pub bone: Option<u32>,
}

impl Space {
    pub fn from_handle(handle: &Handle) -> Self {
        Self { instance: handle.space_instance.clone(), bone: handle.space }
    }
}

/// The reason why a handle cannot be in a space.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpaceError {
    #[error("there is no instance called “{0}”; check the name, including capitals and spaces")]
    NoInstance(String),
    #[error("“{instance}” shows “{mesh}” itself; choose another instance, or one of its own bones")]
    Same { instance: String, mesh: String },
    #[error(
        "handles of “{instance}” follow “{mesh}”, so none of “{mesh}” can follow it; put those in another space first"
    )]
    Cycle { instance: String, mesh: String },
}

/// Whether a handle of the skeleton is in the space of an instance.
pub fn has_instance_spaces(skeleton: &Skeleton) -> bool {
    skeleton.handles.iter().any(|handle| handle.space_instance.is_some())
}

/// Returns the instance with a name; of several of different kinds, the first in the order of the format.
pub fn find_instance<'s>(scene: &'s Scene, name: &str) -> Option<InstanceView<'s>> {
    scene.instances.all().into_iter().find(|instance| instance.name == name)
}

/// Returns the mesh of an instance and the index of its bone with a channel id.
pub fn carrier<'s>(
    scene: &'s Scene,
    instance: &InstanceView<'s>,
    bone: Option<u32>,
) -> Option<(&'s str, usize)> {
    let mesh = instance.resource.filter(|_| instance.kind == InstanceKind::SkinnedMesh)?;
    let bones = &scene.skinned_meshes.get(mesh)?.skeleton.bones;
    Some((mesh, bones.iter().position(|other| Some(other.channel_id) == bone)?))
}

/// Whether the pose of the mesh called `mesh` depends on that of `other`, because handles are in the space of its bones,
/// or of those of a mesh that does; each mesh depends on itself.
pub fn depends_on(scene: &Scene, mesh: &str, other: &str) -> bool {
    let mut visited = vec![mesh];
    let mut next = 0;
    while let Some(&mesh) = visited.get(next) {
        if mesh == other {
            return true;
        }
        next += 1;
        let handles = scene.skinned_meshes.get(mesh).map_or(&[][..], |mesh| &mesh.skeleton.handles);
        for handle in handles {
            let instance = handle.space_instance.as_ref().and_then(|name| find_instance(scene, name));
            let carrier = instance.and_then(|instance| carrier(scene, &instance, handle.space));
            visited.extend(carrier.map(|(mesh, _)| mesh).filter(|mesh| !visited.contains(mesh)));
        }
    }
    false
}

/// Checks that a handle of the mesh called `mesh` can be in a space.
///
/// # Errors
/// If there is no such instance, it shows the mesh itself, or the pose of its bone depends on that of the mesh.
pub fn check(scene: &Scene, mesh: &str, space: &Space) -> Result<(), SpaceError> {
    let Some(name) = &space.instance else { return Ok(()) };
    let instance = find_instance(scene, name).ok_or_else(|| SpaceError::NoInstance(name.clone()))?;
    let (instance_name, mesh_name) = (name.clone(), mesh.to_owned());
    if instance.kind == InstanceKind::SkinnedMesh && instance.resource == Some(mesh) {
        return Err(SpaceError::Same { instance: instance_name, mesh: mesh_name });
    }
    match carrier(scene, &instance, space.bone) {
        Some((carrier, _)) if depends_on(scene, carrier, mesh) => {
            Err(SpaceError::Cycle { instance: instance_name, mesh: mesh_name })
        }
        _ => Ok(()),
    }
}

/// Returns the matrix that maps goals in the space of an instance, or of its bone with a channel id, to the skeleton space
/// of the mesh called `mesh`, of whose instances the first one counts. The identity if the instance is missing, or
/// something is scaled to nothing. A bone whose pose depends on that of the mesh is ignored.
///
/// `moved` returns P_b B_b⁻¹ of a bone of a mesh, see [`crate::rig::handle_space::skeleton_from_space`].
pub fn skeleton_from_instance(
    driven: &Scene,
    mesh: &str,
    instance: &str,
    bone: Option<u32>,
    moved: impl FnOnce(&str, usize) -> Option<DAffine3>,
) -> DAffine3 {
    let Some(instance) = find_instance(driven, instance) else { return DAffine3::IDENTITY };
    let mut shown = driven.instances.skinned_meshes.values();
    let shown = shown.find(|shown| shown.resource.as_deref() == Some(mesh));
    let skeleton_from_world =
        world_matrix(driven, shown.and_then(|shown| shown.transform.as_deref())).inverse();
    let carrier = carrier(driven, &instance, bone).filter(|(carrier, _)| !depends_on(driven, carrier, mesh));
    let moved = carrier.and_then(|(mesh, bone)| moved(mesh, bone)).unwrap_or(DAffine3::IDENTITY);
    let matrix = skeleton_from_world * world_matrix(driven, instance.transform) * moved;
    if matrix.is_finite() && matrix.inverse().is_finite() { matrix } else { DAffine3::IDENTITY }
}
