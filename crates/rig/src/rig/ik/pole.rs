//! The position of a limb's pole: in front of the elbow or knee, on the side to which it bends.

use crate::rig::body::axes::BodyAxes;
use crate::rig::body::feet::is_leg;
use crate::rig::body::joint::{STRAIGHT, bend_bones, is_in_middle, two_bones};
use crate::rig::kinematics::current_pose;
use crate::rig::skeleton::{Handle, Pole, Skeleton};
use glam::{DVec3, Vec3};

/// The angle to its pole within which a limb bends towards it (radians).
const TOWARDS_RAD: f64 = 5e-3;

/// Returns a position for the pole of a handle, in skeleton space: as far from the elbow or knee as the limb
/// is long, on the side to which the limb bends in its present pose; for a straight limb, to which its
/// preferred pose or the middle of its limits bends it; else at the front. That of an elbow is also down and
/// away from the body, as far as that does not move the elbow: an arm turns over where its hand passes the line
/// from the pole through the shoulder, and where this line lies then, hands seldom go. `None` for a chain without
/// a joint or without length.
pub fn pole_point(skeleton: &Skeleton, handle: &Handle) -> Option<Vec3> {
    let [upper, lower] = bend_bones(skeleton, handle)?;
    let length: f64 = [upper, lower].map(|bone| skeleton.bones[bone].extent.as_dvec3().length()).iter().sum();
    let (line, knee, mut side) = limb_bend(skeleton, [upper, lower]);
    if side.length() < STRAIGHT * length {
        let mut bent = skeleton.clone();
        let bone = &mut bent.bones[lower];
        let [low, high] = bone.limits_deg.bounds();
        let middle = (low + high) * 0.5;
        let middle = Vec3::select(middle.is_finite_mask(), middle, bone.pose_deg);
        bone.pose_deg = bone.preferred_deg.unwrap_or(middle);
        side = perpendicular_part(limb_bend(&bent, [upper, lower]).2, line);
    }
    if side.length() < STRAIGHT * length {
        side = perpendicular_part(BodyAxes::new(skeleton).front, line);
    }
    let direction = side.try_normalize().or_else(|| line.any_orthonormal_vector().try_normalize())?;
    let lean = if is_leg(skeleton, lower) { 0.0 } else { down_and_out(skeleton, knee).dot(line) };
    let point = (knee + (direction + lean * line).normalize() * length).as_vec3();
    (length > 0.0 && point.is_finite()).then_some(point)
}

/// Returns the unit vector half way between down and away from the plane of symmetry, at a point of skeleton space.
fn down_and_out(skeleton: &Skeleton, point: DVec3) -> DVec3 {
    let BodyAxes { up, left, .. } = BodyAxes::new(skeleton);
    let out = left * (point - skeleton.base.as_dvec3()).dot(left).signum();
    (out - up).normalize()
}

/// Returns a pole for a handle that moves the elbow or knee of a limb, at [`pole_point`]. `None` for other
/// chains, whose longest bones are not such a pair, and for necks and tails, which bend to all sides.
pub fn limb_pole(skeleton: &Skeleton, handle: &Handle) -> Option<Pole> {
    let (joint, _) = two_bones(skeleton, handle.bone as usize)?;
    let [_, lower] = bend_bones(skeleton, handle)?;
    let is_limb = lower == joint && !is_in_middle(skeleton, lower);
    let point = pole_point(skeleton, handle).filter(|_| is_limb)?;
    Some(Pole { point, weight: 1.0 })
}

/// Returns the unit vector from the upper joint to the end of the lower bone, the joint between, and its
/// offset from that line. In skeleton space.
fn limb_bend(skeleton: &Skeleton, [upper, lower]: [usize; 2]) -> (DVec3, DVec3, DVec3) {
    let pose = current_pose(skeleton);
    let (hip, knee) = (pose[upper].translation, pose[lower].translation);
    let ankle = pose[lower].transform_point3(skeleton.bones[lower].extent.as_dvec3());
    let line = (ankle - hip).normalize_or_zero();
    (line, knee, perpendicular_part(knee - hip, line))
}

/// Whether the limb of a handle, as posed, bends towards this point of skeleton space. A straight limb bends
/// to no particular side, so the answer is true.
pub fn bends_towards(skeleton: &Skeleton, handle: &Handle, point: Vec3) -> bool {
    let Some(bones) = bend_bones(skeleton, handle) else {
        return false;
    };
    let (line, knee, side) = limb_bend(skeleton, bones);
    let towards = perpendicular_part(point.as_dvec3() - knee, line);
    side.length() == 0.0 || side.angle_between(towards) <= TOWARDS_RAD
}

fn perpendicular_part(v: DVec3, line: DVec3) -> DVec3 {
    v - line * line.dot(v)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::limits::Limits;
    use crate::rig::skeleton::Bone;

    /// Returns a leg along -y from a root, with a foot.
    fn leg() -> Skeleton {
        let bone = |parent, extent| Bone { parent, extent, ..Bone::default() };
        Skeleton {
            bones: vec![
                bone(None, Vec3::Y),
                bone(None, Vec3::new(1.0, -2.0, 0.0)),
                bone(Some(1), Vec3::new(1.0, -2.0, 0.0)),
                bone(Some(2), Vec3::new(0.0, 0.0, 0.5)),
            ],
            ..Skeleton::default()
        }
    }

    fn pole(skeleton: &Skeleton) -> Vec3 {
        let handle = Handle { bone: 2, chain: Some(2), ..Handle::default() };
        pole_point(skeleton, &handle).unwrap()
    }

    #[test]
    fn a_straight_limb_bends_as_it_prefers_then_as_its_limits_let_it_then_forwards() {
        let mut skeleton = leg();
        assert!(pole(&skeleton).z > 4.0, "{}", pole(&skeleton));
        for (range, sign) in [([0.0, 140.0], 1.0), ([-140.0, 0.0], -1.0)] {
            skeleton.bones[2].limits_deg = Limits([Some(range), Some([0.0; 2]), Some([0.0; 2])]);
            let by_limits = pole(&skeleton);
            skeleton.bones[2].limits_deg = Limits::default();
            skeleton.bones[2].preferred_deg = Some(Vec3::X * 20.0 * sign);
            assert!(by_limits.abs_diff_eq(pole(&skeleton), 1e-3));
            skeleton.bones[2].preferred_deg = None;
            skeleton.bones[2].pose_deg.x = 90.0 * sign;
            let bent = pole(&skeleton);
            assert_eq!(bent.z.signum(), by_limits.z.signum(), "{bent} {by_limits}");
            skeleton.bones[2].pose_deg.x = 0.0;
        }
    }

    #[test]
    fn the_pole_of_a_bent_limb_does_not_move_it() {
        let mut skeleton = leg();
        skeleton.bones[2].pose_deg = Vec3::new(40.0, 10.0, -5.0);
        let before = current_pose(&skeleton)[2].transform_point3(skeleton.bones[2].extent.as_dvec3());
        let pole = crate::rig::skeleton::Pole { point: pole(&skeleton), weight: 1.0 };
        skeleton.handles.push(Handle {
            bone: 2,
            chain: Some(2),
            target: before.as_vec3(),
            enabled: true,
            pole: Some(pole),
            ..Handle::default()
        });
        let mut solved = skeleton.clone();
        crate::rig::ik::solve(&mut solved, &crate::rig::ik::Options::default());
        for (solved_bone, bone) in solved.bones.iter().zip(&skeleton.bones) {
            assert!(solved_bone.pose_deg.abs_diff_eq(bone.pose_deg, 1e-3));
        }
    }

    #[test]
    fn the_pole_of_an_arm_is_down_and_out_and_that_of_a_leg_is_not() {
        // Both limbs lead down and out, and bend back or forwards.
        for (on_floor, z) in [(false, -0.1), (true, 0.1)] {
            let mut skeleton = leg();
            skeleton.bones[1].extent.z = z;
            skeleton.bones[2].extent.z = -z;
            if !on_floor {
                // Something else is lower.
                skeleton.bones.push(Bone { extent: Vec3::new(0.0, -9.0, 0.0), ..Bone::default() });
            }
            let bent = current_pose(&skeleton)[2].translation.as_vec3();
            let line = Vec3::new(2.0, -4.0, 0.0).normalize();
            let along = (pole(&skeleton) - bent).normalize().dot(line);
            assert_eq!(along > 0.5, !on_floor, "{along}");
            assert!(along.abs() < 0.8);
        }
    }

    #[test]
    fn foot_and_shin_belong_to_the_limb_of_two_long_bones() {
        let skeleton = leg();
        assert_eq!(two_bones(&skeleton, 3), Some((2, 2)));
        assert_eq!(two_bones(&skeleton, 2), Some((2, 2)));
        assert_eq!(two_bones(&skeleton, 1), Some((2, 2)), "the upper bone");
        assert_eq!(two_bones(&skeleton, 0), None);
    }
}
