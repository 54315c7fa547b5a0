//! Where the pole of a limb belongs: in front of the joint, on the side to which it bends.

use super::chain::{bend, depth, leads_aside};
use crate::rig::kinematics::{current_pose, parent_of, parent_past_links};
use crate::rig::skeleton::{Handle, Pole, Skeleton};
use glam::{DVec3, Vec3};

/// A joint that is off the line between the ends by less than this part of the limb's length says nothing of the side.
const STRAIGHT: f64 = 0.02;
/// So near to its pole a limb bends to it (radians).
const TOWARD: f64 = 5e-3;

/// A point for the pole of a handle, in skeleton space: as far from the elbow or knee as the limb is long. It lies where
/// the limb bends to in its present pose; of a straight one, where its preferred pose or the middle of its limits
/// bends it; else at the front, +z. `None` for a chain without a joint, or without length.
pub fn pole_point(skeleton: &Skeleton, handle: &Handle) -> Option<Vec3> {
    let [upper, lower] = bend(skeleton, handle)?;
    let length: f64 = [upper, lower]
        .map(|bone| skeleton.bones[bone].extent.as_dvec3().length())
        .iter()
        .sum();
    let (line, knee, mut side) = bend_of(skeleton, [upper, lower]);
    if side.length() < STRAIGHT * length {
        let mut bent = skeleton.clone();
        let bone = &mut bent.bones[lower];
        let [low, high] = bone.limits_deg.bounds();
        let middle = (low + high) * 0.5;
        let middle = Vec3::select(middle.is_finite_mask(), middle, bone.pose_deg);
        bone.pose_deg = bone.preferred_deg.unwrap_or(middle);
        side = across(bend_of(&bent, [upper, lower]).2, line);
    }
    if side.length() < STRAIGHT * length {
        side = across(DVec3::Z, line);
    }
    let direction = side
        .try_normalize()
        .or_else(|| line.any_orthonormal_vector().try_normalize());
    let point = (knee + direction? * length).as_vec3();
    (length > 0.0 && point.is_finite()).then_some(point)
}

/// A pole for a handle that turns the elbow or knee of a limb, as [`pole_point`] places it; `None` for other chains, whose
/// longest bones are no such pair, and for necks and tails, which bend to all sides.
pub fn of_limb(skeleton: &Skeleton, handle: &Handle) -> Option<Pole> {
    let (joint, _) = two_bones(skeleton, handle.bone as usize)?;
    let [_, lower] = bend(skeleton, handle)?;
    let is_limb = lower == joint && !is_of_middle(skeleton, lower);
    let point = pole_point(skeleton, handle).filter(|_| is_limb)?;
    Some(Pole { point, weight: 1.0 })
}

/// Whether a bone lies in the plane of symmetry of a skeleton that forks below it, as those of a neck or a tail do.
fn is_of_middle(skeleton: &Skeleton, bone: usize) -> bool {
    let up = |from: usize| std::iter::successors(Some(from), |&bone| parent_of(skeleton, bone));
    let forks = up(bone).any(|bone| {
        let beside =
            |other: &usize| *other != bone && parent_of(skeleton, *other) == parent_of(skeleton, bone);
        parent_of(skeleton, bone).is_some() && (0..skeleton.bones.len()).any(|other| beside(&other))
    });
    forks && up(bone).all(|bone| !leads_aside(skeleton.bones[bone].extent.as_dvec3()))
}

/// From the upper joint to the end of the lower bone, unit; the joint between; and how far that is off the line. Skeleton
/// space.
fn bend_of(skeleton: &Skeleton, [upper, lower]: [usize; 2]) -> (DVec3, DVec3, DVec3) {
    let pose = current_pose(skeleton);
    let (hip, knee) = (pose[upper].translation, pose[lower].translation);
    let ankle = pose[lower].transform_point3(skeleton.bones[lower].extent.as_dvec3());
    let line = (ankle - hip).normalize_or_zero();
    (line, knee, across(knee - hip, line))
}

/// Whether the limb of a handle bends to this point of skeleton space, as it is posed. A straight one bends to no side, and
/// so to all.
pub fn is_toward(skeleton: &Skeleton, handle: &Handle, point: Vec3) -> bool {
    let Some(bones) = bend(skeleton, handle) else {
        return false;
    };
    let (line, knee, side) = bend_of(skeleton, bones);
    let toward = across(point.as_dvec3() - knee, line);
    side.length() == 0.0 || side.angle_between(toward) <= TOWARD
}

fn across(v: DVec3, line: DVec3) -> DVec3 {
    v - line * line.dot(v)
}

/// The lower of a limb's two long bones, for any bone from the upper one to its end, and how many bones, links included,
/// lie from it up to the upper one. `None` for what is no part of a limb with an elbow or knee.
pub fn two_bones(skeleton: &Skeleton, bone: usize) -> Option<(usize, u32)> {
    let lower_of = |lower: usize| {
        let found = of_end(skeleton, lower);
        found.filter(|_| parent_past_links(skeleton, lower) == Some(bone))
    };
    let length = |bone: usize| skeleton.bones[bone].extent.length();
    let below = || {
        let children = (bone + 1..skeleton.bones.len()).filter_map(lower_of);
        children.max_by(|a, b| length(a.0).total_cmp(&length(b.0)))
    };
    of_end(skeleton, bone).or_else(below)
}

/// As [`two_bones`], for a bone from the lower one to the end.
fn of_end(skeleton: &Skeleton, bone: usize) -> Option<(usize, u32)> {
    let handle = Handle {
        bone: u32::try_from(bone).ok()?,
        chain: Some(super::chain::limb(skeleton, bone)),
        ..Handle::default()
    };
    let [upper, lower] = bend(skeleton, &handle)?;
    let bones = depth(skeleton, lower) - depth(skeleton, upper) + 1;
    Some((lower, bones as u32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::limits::Limits;
    use crate::rig::skeleton::Bone;

    /// A leg along -y from a root, with a foot.
    fn leg() -> Skeleton {
        let bone = |parent, extent| Bone {
            parent,
            extent,
            ..Bone::default()
        };
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
        let handle = Handle {
            bone: 2,
            chain: Some(2),
            ..Handle::default()
        };
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
    fn the_pole_of_a_bent_limb_leaves_it_where_it_is() {
        let mut skeleton = leg();
        skeleton.bones[2].pose_deg = Vec3::new(40.0, 10.0, -5.0);
        let before = current_pose(&skeleton)[2].transform_point3(skeleton.bones[2].extent.as_dvec3());
        let pole = crate::rig::skeleton::Pole {
            point: pole(&skeleton),
            weight: 1.0,
        };
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
        for (now, was) in solved.bones.iter().zip(&skeleton.bones) {
            assert!(now.pose_deg.abs_diff_eq(was.pose_deg, 1e-3));
        }
    }

    #[test]
    fn foot_and_shin_are_of_the_limb_that_its_two_long_bones_make() {
        let skeleton = leg();
        assert_eq!(two_bones(&skeleton, 3), Some((2, 2)));
        assert_eq!(two_bones(&skeleton, 2), Some((2, 2)));
        assert_eq!(two_bones(&skeleton, 1), Some((2, 2)), "the upper one");
        assert_eq!(two_bones(&skeleton, 0), None);
    }
}
