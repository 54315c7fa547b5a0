//! The joints of a skeleton. The rest frame of a joint is a constant rotation per bone, `frame`: by default
//! the axes of the bone (y along the bone), so that programs which display bones as we do show the same
//! angles.
//!
//! With Q the frame of a bone, P that of its parent, E its rotation in the pose, A its axes and s its head:
//! rotation of the node P⁻¹ · A E A⁻¹ · Q, translation P⁻¹ (s - s of the parent), inverse bind [Q⁻¹ | -Q⁻¹
//! s]; skinning matrices are then those of the skeleton, independent of Q.

use crate::math::rotation;
use crate::rig::kinematics::{self, axes_matrix, pose_rad};
use crate::rig::property::{POSE, Property, SCALE, TRANSLATION};
use crate::rig::rest;
use crate::rig::skeleton::{Bone, Skeleton};
use glam::{DMat3, DMat4, DQuat, DVec3, Vec3};

/// J joints, parents first; lengths are given before the colons below.
pub struct Joints {
    /// J: the bone of each joint.
    pub bones: Vec<usize>,
    /// The joint of each bone. Links that never rotate have none: bones that they carry start at the joint
    /// above.
    pub joint_of: Vec<Option<usize>>,
    /// J: the parent of each joint.
    pub parents: Vec<Option<usize>>,
    /// J: Q of each joint.
    pub frames: Vec<DQuat>,
    /// J: the head of the bone in the bind pose, in mesh space.
    pub heads: Vec<DVec3>,
    /// The joints whose bones move against their parents, and those that are scaled. The only root joint moves with the
    /// base offset.
    pub moved: Vec<usize>,
    pub scaled: Vec<usize>,
    pub base: DVec3,
}

impl Joints {
    /// Converts a skeleton. `is_used` tells whether a bone, which is a link, has weights; `changes` whether a bone ever
    /// has another value of a row than at first.
    pub fn new(
        skeleton: &Skeleton,
        is_used: impl Fn(usize) -> bool,
        changes: impl Fn(usize, &'static Property<Bone>) -> bool,
    ) -> Self {
        let mut joints = Self {
            bones: Vec::new(),
            joint_of: Vec::new(),
            parents: Vec::new(),
            frames: Vec::new(),
            heads: Vec::new(),
            moved: Vec::new(),
            scaled: Vec::new(),
            base: skeleton.base.as_dvec3(),
        };
        // The joint of each bone, or the closest joint above.
        let mut carrier: Vec<Option<usize>> = Vec::new();
        for (index, bind) in kinematics::bind_pose(skeleton).iter().enumerate() {
            let bone = &skeleton.bones[index];
            let parent = kinematics::parent_of(skeleton, index).and_then(|parent| carrier[parent]);
            let (moves, scales) = (changes(index, TRANSLATION), changes(index, SCALE));
            if bone.link && !is_used(index) && !changes(index, POSE) && !moves && !scales {
                carrier.push(parent);
                joints.joint_of.push(None);
                continue;
            }
            carrier.push(Some(joints.bones.len()));
            joints.moved.extend(moves.then_some(joints.bones.len()));
            joints.scaled.extend(scales.then_some(joints.bones.len()));
            joints.joint_of.push(Some(joints.bones.len()));
            joints.bones.push(index);
            joints.parents.push(parent);
            joints.frames.push(frame(bone));
            joints.heads.push(bind.translation);
        }
        if joints.has_root() {
            joints.moved.retain(|joint| *joint != 0);
        }
        joints
    }

    /// Returns the number of joints without a parent.
    pub fn root_count(&self) -> usize {
        self.parents.iter().filter(|parent| parent.is_none()).count()
    }

    /// Whether the only root joint moves with the skeleton. Otherwise an additional joint without a bone
    /// does.
    pub fn has_root(&self) -> bool {
        self.root_count() == 1
    }

    /// Returns the position of the root in the bind pose: the only root joint, or the joint without a bone.
    pub fn rest_root(&self) -> DVec3 {
        if self.has_root() { self.heads[0] } else { self.base }
    }

    /// Returns the position of the root in the pose of `skeleton`, which has the same bones.
    pub fn root(&self, skeleton: &Skeleton) -> DVec3 {
        let moved = if self.has_root() { skeleton.bones[self.bones[0]].translation } else { Vec3::ZERO };
        self.rest_root() + skeleton.base_offset.as_dvec3() + moved.as_dvec3()
    }

    /// Returns the translation of the node of a joint in the bind pose; for a root joint relative to the additional
    /// root, if there is one.
    pub fn rest_translation(&self, joint: usize) -> DVec3 {
        self.translation(joint, DVec3::ZERO)
    }

    /// Returns the translation of the node of a joint whose bone is `moved` against its parent.
    fn translation(&self, joint: usize, moved: DVec3) -> DVec3 {
        let head = self.heads[joint] + moved;
        match self.parents[joint] {
            Some(parent) => self.frames[parent].inverse() * (head - self.heads[parent]),
            None if self.has_root() => head,
            None => head - self.base,
        }
    }

    /// Returns the rotation from translations of the bone of a joint to those of its node.
    pub fn translation_axes(&self, joint: usize) -> DMat3 {
        self.parents[joint].map_or(DMat3::IDENTITY, |parent| DMat3::from_quat(self.frames[parent].inverse()))
    }

    /// Returns the translations of the nodes of joints that move, in the pose of `skeleton`, which has the same bones.
    pub fn translations(&self, skeleton: &Skeleton) -> impl Iterator<Item = DVec3> {
        let moved = self.moved.iter();
        moved.map(|&joint| self.translation(joint, skeleton.bones[self.bones[joint]].translation.as_dvec3()))
    }

    /// Returns the scales of the nodes of joints that are scaled, in the pose of `skeleton`, which has the same bones.
    /// They are along Q, as the bone is scaled.
    pub fn scales(&self, skeleton: &Skeleton) -> impl Iterator<Item = DVec3> {
        self.scaled.iter().map(|&joint| skeleton.bones[self.bones[joint]].scale.as_dvec3())
    }

    /// Returns the rotation of the node of a joint, given the rotation of the bone by its pose in skeleton
    /// space.
    fn node_rotation(&self, joint: usize, pose_rotation: DQuat) -> DQuat {
        let skeleton_to_parent = match self.parents[joint] {
            Some(parent) => self.frames[parent].inverse(),
            None => DQuat::IDENTITY,
        };
        (skeleton_to_parent * pose_rotation * self.frames[joint]).normalize()
    }

    /// Returns the rotation of the node of a joint in the bind pose.
    pub fn rest_rotation(&self, joint: usize) -> DQuat {
        self.node_rotation(joint, DQuat::IDENTITY)
    }

    /// Returns the rotations (J) of the nodes in the pose of `skeleton`, which has the same bones.
    pub fn rotations(&self, skeleton: &Skeleton) -> impl Iterator<Item = DQuat> {
        self.bones.iter().enumerate().map(|(joint, &bone)| {
            let bone = &skeleton.bones[bone];
            let rotation_matrix = rotation::from_euler_about(&axes_matrix(bone), pose_rad(bone));
            self.node_rotation(joint, DQuat::from_mat3(&rotation_matrix))
        })
    }

    /// Returns the matrix from mesh space to joint space in the bind pose.
    pub fn inverse_bind(&self, joint: usize) -> DMat4 {
        let rotation = self.frames[joint].inverse();
        DMat4::from_rotation_translation(rotation, -(rotation * self.heads[joint]))
    }
}

/// Returns Q of a bone, the axes along which it is scaled: see [`kinematics::scale_axes`].
fn frame(bone: &Bone) -> DQuat {
    rest::frame(bone).unwrap_or_else(|| DQuat::from_mat3(&axes_matrix(bone)))
}
