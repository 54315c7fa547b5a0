//! The space of a handle: that of the skeleton, or of a bone, with which its goals then move, such as a hand that stays on
//! the hip or on the other hand.
//!
//! Goals in the space of a bone are where they would be in the bind pose; in the current pose, P_b B_b⁻¹ moves them,
//! as it moves the skin of that bone.

use super::kinematics::rotation_part;
use super::skeleton::{Handle, Orientation, Skeleton};
use glam::{DAffine3, DQuat, Vec3};

/// Whether a handle is in another space than that of the skeleton.
pub fn has_space(handle: &Handle) -> bool {
    handle.space.is_some() || handle.space_instance.is_some()
}

/// Whether a handle is in the space of a bone.
pub fn has_spaces(skeleton: &Skeleton) -> bool {
    skeleton.handles.iter().any(|handle| space_bone(skeleton, handle).is_some())
}

/// Returns the bone in whose space a handle is; `None` for the space of the skeleton, and for that of an instance, which
/// the scene resolves.
pub fn space_bone(skeleton: &Skeleton, handle: &Handle) -> Option<usize> {
    let id = handle.space.filter(|_| handle.space_instance.is_none())?;
    skeleton.bones.iter().position(|bone| bone.channel_id == id)
}

/// Returns the matrix that maps goals in the space of a bone to skeleton space, from B_b and P_b of all bones; the
/// identity without a bone, and for bones that are scaled to nothing.
pub fn skeleton_from_space(bone: Option<usize>, bind: &[DAffine3], current: &[DAffine3]) -> DAffine3 {
    let matrices = bone.and_then(|bone| Some((current.get(bone)?, bind.get(bone)?)));
    let matrix = matrices.map_or(DAffine3::IDENTITY, |(current, bind)| *current * bind.inverse());
    if matrix.inverse().is_finite() { matrix } else { DAffine3::IDENTITY }
}

/// Returns a handle whose goals are moved by `matrix`.
#[must_use]
pub fn moved(mut handle: Handle, matrix: &DAffine3) -> Handle {
    let point = |point: Vec3| matrix.transform_point3(point.as_dvec3()).as_vec3();
    handle.target = point(handle.target);
    if let Some(pole) = &mut handle.pole {
        pole.point = point(pole.point);
    }
    if let Some(Orientation { rotation, weight }) = handle.orientation {
        let turn = DQuat::from_mat3(&rotation_part(matrix.matrix3));
        handle.orientation =
            Some(Orientation::new((turn * rotation.as_dquat()).normalize().as_quat(), weight));
    }
    handle
}

/// Returns handles with goals in skeleton space: those of `handles` that are in the space of a bone are moved with it, at
/// the pose given by B_b and P_b of all bones of `skeleton`.
pub fn resolved(
    handles: &[Handle],
    skeleton: &Skeleton,
    bind: &[DAffine3],
    current: &[DAffine3],
) -> Vec<Handle> {
    let resolved = handles.iter().map(|handle| match space_bone(skeleton, handle) {
        None => handle.clone(),
        bone => moved(handle.clone(), &skeleton_from_space(bone, bind, current)),
    });
    resolved.collect()
}
