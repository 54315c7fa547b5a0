//! The joints of a skeleton. A joint's rest frame is a constant rotation per bone, `frame`: where nothing else is
//! said, the bone's own axes (y along the bone), so that programs which show bones as we do show the same angles.
//!
//! With Q the frame of a bone, P that of its parent, E its turn in the pose, A its axes and s where it starts:
//! rotation of the node P⁻¹ · A E A⁻¹ · Q, translation P⁻¹ (s - s of the parent), inverse bind [Q⁻¹ | -Q⁻¹ s]; skinning
//! matrices are then those of the skeleton, whatever Q is.

use crate::math::rotation;
use crate::rig::kinematics::{self, axes_matrix, pose_rad};
use crate::rig::rest;
use crate::rig::skeleton::{Bone, Skeleton};
use glam::{DMat4, DQuat, DVec3};

/// J joints, parents first.
pub struct Joints {
    /// J: the bone of each.
    pub bones: Vec<usize>,
    /// Per bone: its joint. Links that never turn are none: what they carry starts at the joint above.
    pub joint_of: Vec<Option<usize>>,
    /// J.
    pub parents: Vec<Option<usize>>,
    /// J: Q.
    pub frames: Vec<DQuat>,
    /// J: where the bone starts in the bind pose, mesh space.
    pub starts: Vec<DVec3>,
    pub base: DVec3,
}

impl Joints {
    /// `is_still`: whether a bone, which is a link, has no weights and never turns.
    pub fn new(skeleton: &Skeleton, is_still: impl Fn(usize) -> bool) -> Self {
        let mut joints = Self {
            bones: Vec::new(),
            joint_of: Vec::new(),
            parents: Vec::new(),
            frames: Vec::new(),
            starts: Vec::new(),
            base: skeleton.base.as_dvec3(),
        };
        // Per bone: its joint, or the one above.
        let mut carrier: Vec<Option<usize>> = Vec::new();
        for (index, bind) in kinematics::bind_pose(skeleton).iter().enumerate() {
            let bone = &skeleton.bones[index];
            let above = kinematics::parent_of(skeleton, index).and_then(|parent| carrier[parent]);
            if bone.link && is_still(index) {
                carrier.push(above);
                joints.joint_of.push(None);
                continue;
            }
            carrier.push(Some(joints.bones.len()));
            joints.joint_of.push(Some(joints.bones.len()));
            joints.bones.push(index);
            joints.parents.push(above);
            joints.frames.push(frame(bone));
            joints.starts.push(bind.translation);
        }
        joints
    }

    /// Joints without a parent.
    pub fn tops(&self) -> usize {
        self.parents.iter().filter(|parent| parent.is_none()).count()
    }

    /// Whether the only top joint stands where the skeleton does and moves with it. Otherwise a joint of no bone does.
    pub fn has_root(&self) -> bool {
        self.tops() == 1
    }

    /// Where the root stands under a base offset: the only top joint, or the joint of no bone.
    pub fn root(&self, base_offset: DVec3) -> DVec3 {
        match self.has_root() {
            true => self.starts[0] + base_offset,
            false => self.base + base_offset,
        }
    }

    /// Translation of the node of a joint; that of a top one from the root, if it is not the root itself.
    pub fn translation(&self, joint: usize) -> DVec3 {
        let start = self.starts[joint];
        match self.parents[joint] {
            Some(parent) => self.frames[parent].inverse() * (start - self.starts[parent]),
            None if self.has_root() => start,
            None => start - self.base,
        }
    }

    /// Rotation of the node of a joint, with the bone's turn by `pose` in skeleton space.
    fn rotation_with(&self, joint: usize, turn: DQuat) -> DQuat {
        let below = match self.parents[joint] {
            Some(parent) => self.frames[parent].inverse(),
            None => DQuat::IDENTITY,
        };
        (below * turn * self.frames[joint]).normalize()
    }

    /// Rotation of the node of a joint in the bind pose.
    pub fn rest_rotation(&self, joint: usize) -> DQuat {
        self.rotation_with(joint, DQuat::IDENTITY)
    }

    /// J: rotations of the nodes in the pose of `skeleton`, which has the same bones.
    pub fn rotations(&self, skeleton: &Skeleton) -> impl Iterator<Item = DQuat> {
        self.bones.iter().enumerate().map(|(joint, &bone)| {
            let bone = &skeleton.bones[bone];
            let turn = rotation::about_axes(&axes_matrix(bone), pose_rad(bone));
            self.rotation_with(joint, DQuat::from_mat3(&turn))
        })
    }

    /// Bind pose of a joint to joint space.
    pub fn inverse_bind(&self, joint: usize) -> DMat4 {
        let turn = self.frames[joint].inverse();
        DMat4::from_rotation_translation(turn, -(turn * self.starts[joint]))
    }
}

/// Q of a bone.
fn frame(bone: &Bone) -> DQuat {
    rest::frame(bone).unwrap_or_else(|| DQuat::from_mat3(&axes_matrix(bone)))
}
