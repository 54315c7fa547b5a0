//! The clavicle's share of a raised arm.
//!
//! Source of the ratio: V. T. Inman, J. B. Saunders, L. C. Abbott, "Observations on the function of the shoulder joint",
//! 1944: the first 30 degrees are the arm's alone, and the clavicle rises by about 30 degrees in all.

use super::axes::BodyAxes;
use super::feet::is_leg;
use super::limb::girdle;
use crate::math::angles::{degrees, next_euler};
use crate::rig::kinematics::{
    axes_matrix, current_pose, parent_of, parent_past_links, pose_rad, rotation_part,
};
use crate::rig::skeleton::Skeleton;
use glam::{DMat3, DVec3};

/// The elevation of an arm above hanging (degrees) from which on the clavicle rises, and by which part of the rest.
const FIRST_DEG: f64 = 30.0;
const SHARE: f64 = 0.2;

/// A clavicle, and what it takes to raise it, in skeleton space.
#[derive(Clone, Debug)]
pub struct Clavicle {
    pub bone: usize,
    shoulder: DVec3,
    length: f64,
    down: DVec3,
    /// Rotating about it raises the arm.
    axis: DVec3,
}

impl Clavicle {
    /// Finds the clavicle above the limb of a bone, in the current pose. `None` above legs, and without one that rotates.
    pub fn above(skeleton: &Skeleton, bone: usize) -> Option<Self> {
        let clavicle = girdle(skeleton, bone)?;
        let this = &skeleton.bones[clavicle];
        if this.link || is_leg(skeleton, clavicle) {
            return None;
        }
        let pose = current_pose(skeleton);
        let chest = parent_past_links(skeleton, clavicle);
        let chest = chest.map_or(DMat3::IDENTITY, |chest| rotation_part(pose[chest].matrix3));
        let (axes, extent) = (BodyAxes::new(skeleton), this.extent.as_dvec3());
        Some(Self {
            bone: clavicle,
            shoulder: pose[clavicle].transform_point3(extent),
            length: extent.length(),
            down: chest * -axes.up,
            axis: chest * axes.front * extent.dot(axes.left).signum(),
        })
    }

    /// Raises the clavicle as an arm whose tip is led from one point to another asks for, within its limits. Both are in
    /// skeleton space. What an arm is raised by, it is lowered by on the way back.
    pub fn raise(&self, skeleton: &mut Skeleton, from: DVec3, to: DVec3) {
        let turn = self.elevation(to) - self.elevation(from);
        if turn == 0.0 {
            return;
        }
        let pose = current_pose(skeleton);
        let parent = parent_of(skeleton, self.bone);
        let parent = parent.map_or(DMat3::IDENTITY, |parent| rotation_part(pose[parent].matrix3));
        let turned = DMat3::from_axis_angle(self.axis, turn) * rotation_part(pose[self.bone].matrix3);
        let bone = &mut skeleton.bones[self.bone];
        let axes = axes_matrix(bone);
        let angles = next_euler(pose_rad(bone), axes.transpose() * parent.transpose() * turned * axes);
        bone.pose_deg = bone.limits_deg.clamp(degrees(angles));
    }

    /// Returns how far the clavicle rises (radians) for an arm that points there.
    fn elevation(&self, point: DVec3) -> f64 {
        let offset = point - self.shoulder;
        let Some(direction) = offset.try_normalize() else { return 0.0 };
        let above = direction.angle_between(self.down).to_degrees() - FIRST_DEG;
        // Closer to the shoulder than the clavicle is long, the direction to a point may be any.
        let counts = (offset.length() / self.length).min(1.0);
        (SHARE * counts * above.max(0.0)).to_radians()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::skeleton::Bone;
    use glam::Vec3;

    /// A trunk with a head, and two arms with clavicles.
    fn body() -> Skeleton {
        let bone = |parent, x, y| Bone { parent, extent: Vec3::new(x, y, 0.0), ..Bone::default() };
        let arm = |first: u32, side: f32| {
            [
                bone(Some(0), 0.3 * side, 0.0),
                bone(Some(first), 0.5 * side, 0.0),
                bone(Some(first + 1), 0.5 * side, 0.0),
            ]
        };
        let trunk = [bone(None, 0.0, 2.0), bone(Some(0), 0.0, 0.5)];
        Skeleton {
            bones: trunk.into_iter().chain(arm(2, 1.0)).chain(arm(5, -1.0)).collect(),
            ..Skeleton::default()
        }
    }

    #[test]
    fn a_fifth_of_what_is_above_thirty_degrees_and_back() {
        for (tip, side) in [(4, 1.0), (7, -1.0)] {
            let mut skeleton = body();
            let clavicle = Clavicle::above(&skeleton, tip).unwrap();
            assert_eq!(clavicle.bone, tip - 2);
            let at = |deg: f64| {
                let (sin, cos) = deg.to_radians().sin_cos();
                DVec3::new(side * (0.3 + sin), 2.0 - cos, 0.0)
            };
            // How far it points up.
            let risen = |skeleton: &Skeleton| {
                let extent = skeleton.bones[clavicle.bone].extent.as_dvec3();
                let turned = current_pose(skeleton)[clavicle.bone].transform_vector3(extent);
                turned.y.atan2(side * turned.x).to_degrees()
            };
            for (deg, rise) in [(10.0, 0.0), (30.0, 0.0), (80.0, 10.0), (180.0, 30.0)] {
                let mut raised = skeleton.clone();
                clavicle.raise(&mut raised, at(0.0), at(deg));
                assert!((risen(&raised) - rise).abs() < 1e-3, "{deg}: {}", risen(&raised));
                clavicle.raise(&mut raised, at(deg), at(0.0));
                assert!(raised.bones[clavicle.bone].pose_deg.abs_diff_eq(Vec3::ZERO, 1e-3));
            }
            skeleton.bones[clavicle.bone].limits_deg.0 = [Some([-8.0, 8.0]); 3];
            clavicle.raise(&mut skeleton, at(0.0), at(180.0));
            assert!((risen(&skeleton) - 8.0).abs() < 1e-3, "{}", risen(&skeleton));
        }
    }

    #[test]
    fn a_trunk_has_none() {
        assert!(Clavicle::above(&body(), 1).is_none());
        assert!(Clavicle::above(&body(), 0).is_none());
    }
}
