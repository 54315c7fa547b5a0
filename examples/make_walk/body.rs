//! A skeleton that is posed by the orientations of its bones in skeleton space; angles are calculated here.

use super::Values;
use glam::{DAffine3, DMat3, DVec3, Vec3};
use ossature::anim::channel::{SkeletonChannel, Value};
use ossature::math::rotation;
use ossature::rig::kinematics::{current_pose, parent_of, rotation_axes};
use ossature::rig::property::{BASE_OFFSET, POSE};
use ossature::rig::skeleton::Skeleton;
use std::collections::BTreeSet;
use std::error::Error;

type Failed = Box<dyn Error>;

/// The straightest angle of the knee, in radians from the bind pose, where it is slightly bent.
const STRAIGHTEST: f64 = -0.07;

/// The skeleton, and which of its bones were posed.
pub struct Body {
    skeleton: Skeleton,
    posed: BTreeSet<usize>,
}

impl Body {
    /// Creates a body in its bind pose.
    pub fn new(skeleton: &Skeleton) -> Result<Self, Failed> {
        let mut skeleton = skeleton.clone();
        skeleton.bones.iter_mut().for_each(|bone| bone.pose_deg = Vec3::ZERO);
        skeleton.base_offset = Vec3::ZERO;
        let posed = BTreeSet::new();
        Ok(Self { skeleton, posed })
    }

    /// The pose as values of channels: base offset and all bones that were posed.
    pub fn values(&self) -> Values {
        let bones = self.posed.iter().map(|&bone| {
            let bone = &self.skeleton.bones[bone];
            (SkeletonChannel::Bone(bone.channel_id, POSE), Value::Vec3(bone.pose_deg))
        });
        let base = (SkeletonChannel::Base(BASE_OFFSET), Value::Vec3(self.skeleton.base_offset));
        [base].into_iter().chain(bones).collect()
    }

    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    pub fn set_base_offset(&mut self, offset: DVec3) {
        self.skeleton.base_offset = offset.as_vec3();
    }

    /// Sets angles about the bone's own axes, in degrees.
    pub fn set_angles(&mut self, name: &str, angles_deg: DVec3) -> Result<(), Failed> {
        let bone = self.bone(name)?;
        self.skeleton.bones[bone].pose_deg = angles_deg.as_vec3();
        self.posed.insert(bone);
        Ok(())
    }

    /// Turns the bone so that its rotation from the bind pose is `skeleton_turn`, in skeleton space.
    pub fn turn(&mut self, name: &str, skeleton_turn: DMat3) -> Result<(), Failed> {
        let bone = self.bone(name)?;
        let axes = self.axes(bone);
        let local = axes.transpose() * self.parent(bone).0.transpose() * skeleton_turn * axes;
        self.set_angles(name, rotation::to_euler(local).map(f64::to_degrees))
    }

    /// The direction of a bone in the bind pose.
    pub fn direction(&self, name: &str) -> Result<DVec3, Failed> {
        Ok(self.skeleton.bones[self.bone(name)?].extent.as_dvec3().normalize())
    }

    /// The tip of a bone in the bind pose, in skeleton space.
    pub fn bind_tip(&self, name: &str) -> Result<DVec3, Failed> {
        let mut at = Some(self.bone(name)?);
        let mut tip = self.skeleton.base.as_dvec3();
        while let Some(bone) = at {
            tip += self.skeleton.bones[bone].extent.as_dvec3();
            at = parent_of(&self.skeleton, bone);
        }
        Ok(tip)
    }

    /// The rotation of a bone in skeleton space from the bind pose.
    pub fn turned(&self, name: &str) -> Result<DMat3, Failed> {
        Ok(self.current()[self.bone(name)?].matrix3)
    }

    /// Bends knee and hip (thigh: about x and z; shin: about x alone) so that the shin's tip is at `ankle`.
    pub fn place_ankle(&mut self, thigh: &str, shin: &str, ankle: DVec3) -> Result<(), Failed> {
        let (upper, lower) = (self.bone(thigh)?, self.bone(shin)?);
        let (parent, hip) = self.parent(upper);
        let wanted = parent.transpose() * (ankle - hip);
        let [a, b] = [upper, lower].map(|bone| self.skeleton.bones[bone].extent.as_dvec3());
        // The ankle from the hip, in the thigh's bind frame, with the knee bent.
        let knee_axes = self.axes(lower);
        let bent = |angle: f64| a + rotation::from_euler_about(&knee_axes, DVec3::X * angle) * b;
        let reach = |angle: f64| bent(angle).length();
        // Bending shortens the leg.
        let (mut low, mut high) = (STRAIGHTEST, 2.4);
        if reach(low) < wanted.length() {
            let short = wanted.length() - reach(low);
            return Err(format!("{thigh} and {shin} are {short:.3} too short").into());
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            match reach(middle) > wanted.length() {
                true => low = middle,
                false => high = middle,
            }
        }
        let knee = 0.5 * (low + high);
        // Rz(z) Rx(x) from = to, in the thigh's axes.
        let axes = self.axes(upper).transpose();
        let (from, to) = (axes * bent(knee), axes * wanted);
        let radius = from.y.hypot(from.z);
        let x = (to.z / radius).clamp(-1.0, 1.0).asin() - from.z.atan2(from.y);
        let lifted = rotation::from_euler(DVec3::X * x) * from;
        let z = to.y.atan2(to.x) - lifted.y.atan2(lifted.x);
        self.set_angles(thigh, DVec3::new(x, 0.0, z).map(f64::to_degrees))?;
        self.set_angles(shin, DVec3::new(knee, 0.0, 0.0).map(f64::to_degrees))?;
        let reached = self.current()[lower].transform_point3(b);
        match reached.distance(ankle) < 1e-4 {
            true => Ok(()),
            false => Err(format!("{shin} ends at {reached:.3}, not at {ankle:.3}").into()),
        }
    }

    /// The index of a bone.
    pub fn bone(&self, name: &str) -> Result<usize, Failed> {
        let mut bones = self.skeleton.bones.iter();
        let found = bones.position(|bone| bone.name.as_deref() == Some(name));
        found.ok_or_else(|| format!("there is no bone {name}").into())
    }

    fn axes(&self, bone: usize) -> DMat3 {
        let [x, y, z] = rotation_axes(&self.skeleton.bones[bone]);
        DMat3::from_cols(x, y, z)
    }

    fn current(&self) -> Vec<DAffine3> {
        current_pose(&self.skeleton)
    }

    /// The rotation of the bone's parent, and the start of the bone.
    fn parent(&self, bone: usize) -> (DMat3, DVec3) {
        let start = self.current()[bone].translation;
        let turn =
            parent_of(&self.skeleton, bone).map_or(DMat3::IDENTITY, |parent| self.current()[parent].matrix3);
        (turn, start)
    }
}
