//! Limbs that stretch towards targets out of reach.

use super::chain::chain;
use super::task::TaskResult;
use super::{REACHED, TaskKind};
use crate::math::angles::{degrees, next_euler};
use crate::rig::body::joint::bend_bones;
use crate::rig::kinematics::{axes_matrix, current_pose, matrix, parent_of, pose_rad, scale_axes};
use crate::rig::skeleton::{Bone, Handle, Skeleton};
use crate::rig::turn_and_scale::turn_and_scale;
use glam::{DAffine3, DMat3, DQuat, DVec3};

/// Smaller differences of angles (radians) and places (parts of their distances) are rounding.
const ROUNDING: f64 = 1e-6;

/// Stretches, in the solved pose, the limb of each handle that asks for it and whose target is farther from the start of
/// the limb than the limb is long: by the same factor f along all its bones, and by 1 / sqrt(f) across, which keeps
/// volumes. What is attached to the end of the limb keeps its size and orientation; where it is inclined against the limb,
/// a small shear remains, since bones are scaled along their own axes only. Returns whether anything changed, and updates
/// the errors of positions.
pub(super) fn stretch(skeleton: &mut Skeleton, reach: f64, tasks: &mut [TaskResult]) -> bool {
    let mut has_changed = false;
    for index in 0..skeleton.handles.len() {
        let handle = &skeleton.handles[index];
        let stretches = skeleton.pulls(handle) && handle.stretch > 0.0 && handle.look_at.is_none();
        let Some((bones, factor)) = stretches.then(|| stretched(skeleton, handle)).flatten() else {
            continue;
        };
        let (end, target) = (handle.bone as usize, handle.target.as_dvec3());
        scale_along(skeleton, &bones, end, factor);
        has_changed = true;
        let tip = current_pose(skeleton)[end].transform_point3(skeleton.bones[end].extent.as_dvec3());
        for task in tasks.iter_mut().filter(|task| task.handle == index && task.task == TaskKind::Position) {
            task.error = tip.distance(target);
            task.reached = task.error <= REACHED * reach;
        }
    }
    has_changed
}

/// Returns the bones of a handle's limb and the factor by which they become longer; `None` if the target is within reach.
fn stretched(skeleton: &Skeleton, handle: &Handle) -> Option<(Vec<usize>, f64)> {
    let mut bones: Vec<usize> = chain(skeleton, handle).collect();
    if handle.chain.is_none() {
        // Without a number of bones it is the limb, not the trunk.
        let first = bend_bones(skeleton, handle).map_or(handle.bone as usize, |[upper, _]| upper);
        let count = bones.iter().position(|bone| *bone == first)? + 1;
        bones.truncate(count);
    }
    let current = current_pose(skeleton);
    let length = |bone: &usize| (current[*bone].matrix3 * skeleton.bones[*bone].extent.as_dvec3()).length();
    let length: f64 = bones.iter().map(length).sum();
    let distance = handle.target.as_dvec3().distance(current[*bones.last()?].translation);
    let beyond = distance / length - 1.0;
    let part = f64::from(handle.stretch.min(1.0) * handle.weight.min(1.0));
    (beyond > 0.0 && beyond.is_finite()).then_some((bones, 1.0 + part * beyond))
}

/// Scales each of `bones` along itself by `factor`, and across by what keeps its volume. The children of `end` stay as they
/// are, at the tip.
fn scale_along(skeleton: &mut Skeleton, bones: &[usize], end: usize, factor: f64) {
    let before = current_pose(skeleton);
    let mut after: Vec<DAffine3> = Vec::with_capacity(before.len());
    // The matrices that bones should have, without their places.
    let mut wanted: Vec<Option<DMat3>> = vec![None; before.len()];
    let across = 1.0 / factor.sqrt();
    for index in 0..skeleton.bones.len() {
        let parent = parent_of(skeleton, index);
        let inherited = parent.map_or(DMat3::IDENTITY, |parent| after[parent].matrix3);
        // What the parent is off, its children make up for by moving.
        let off = parent.and_then(|parent| {
            let above = &skeleton.bones[parent];
            let tip = (above.extent + skeleton.bones[index].translation).as_dvec3();
            Some(inherited.inverse() * ((wanted[parent]? - inherited) * tip))
        });
        let bone = &mut skeleton.bones[index];
        if bones.contains(&index) {
            let along = bone.extent.as_dvec3().normalize_or_zero();
            let outer = DMat3::from_cols(along * along.x, along * along.y, along * along.z);
            let scale = DMat3::from_diagonal(DVec3::splat(across)) + outer * (factor - across);
            wanted[index] = Some(before[index].matrix3 * scale);
        } else if parent == Some(end) {
            wanted[index] = Some(before[index].matrix3);
        }
        let local = wanted[index].map(|wanted| inherited.inverse() * wanted);
        if let Some(local) = local.filter(|local| local.is_finite() && !bone.link) {
            let axes = axes_matrix(bone);
            let (mut rotation, mut scale) = turn_and_scale(local, scale_axes(bone));
            if bones.contains(&index) {
                // Whatever shear is lost, the tip is where it belongs.
                let tip = local * bone.extent.as_dvec3();
                (rotation, scale) = aimed(rotation, scale, bone, tip);
            }
            let angles = next_euler(pose_rad(bone), axes.transpose() * rotation * axes);
            if (angles - pose_rad(bone)).abs().max_element() > ROUNDING {
                bone.pose_deg = degrees(angles);
            }
            bone.scale = scale.as_vec3();
        }
        let least = ROUNDING * before[index].translation.length();
        if let Some(off) = off.filter(|off| off.is_finite() && off.length() > least) {
            bone.translation += off.as_vec3();
        }
        after.push(matrix(skeleton, &after, index));
    }
}

/// Returns the rotation and the scale nearest to these that bring the end of a bone's extent to `tip`, from the bone's start.
fn aimed(rotation: DMat3, mut scale: DVec3, bone: &Bone, tip: DVec3) -> (DMat3, DVec3) {
    let (frame, extent) = (scale_axes(bone), bone.extent.as_dvec3());
    let along = frame.transpose() * extent;
    let reached = rotation * (frame * (scale * along));
    let (Some(from), Some(to)) = (reached.try_normalize(), tip.try_normalize()) else {
        return (rotation, scale);
    };
    let longest = along.abs().max_position();
    scale[longest] *= tip.length() / reached.length();
    (DMat3::from_quat(DQuat::from_rotation_arc(from, to)) * rotation, scale)
}

#[cfg(test)]
mod tests {
    use super::super::{Options, solve};
    use super::*;
    use glam::{Quat, Vec3};

    /// Returns an upper arm, a forearm, and a hand that is inclined by `hand_deg`, with a handle at the wrist.
    fn arm(target: Vec3, stretch: f32, hand_deg: f32) -> Skeleton {
        let bone = |parent, extent: Vec3| Bone { parent, extent, ..Bone::default() };
        let hand = Bone { pose_deg: Vec3::X * hand_deg, ..bone(Some(1), Vec3::new(0.5, 0.0, 0.0)) };
        Skeleton {
            bones: vec![bone(None, Vec3::new(1.0, 0.2, 0.0)), bone(Some(0), Vec3::new(1.0, -0.3, 0.1)), hand],
            handles: vec![Handle {
                bone: 1,
                target,
                enabled: true,
                stretch,
                chain: Some(2),
                ..Handle::default()
            }],
            ..Skeleton::default()
        }
    }

    fn length(skeleton: &Skeleton) -> f32 {
        skeleton.bones[..2].iter().map(|bone| bone.extent.length()).sum()
    }

    #[test]
    fn the_tip_goes_the_asked_part_of_the_way_and_volumes_stay() {
        let direction = Quat::from_euler(glam::EulerRot::XYZ, 0.4, 1.1, -0.3) * Vec3::X;
        for (stretch, factor) in [(0.0, 1.0), (0.5, 1.15), (1.0, 1.3)] {
            let mut skeleton = arm(Vec3::ZERO, stretch, 0.0);
            let length = length(&skeleton);
            skeleton.handles[0].target = direction * length * 1.3;
            let outcome = solve(&mut skeleton, &Options::default());
            let current = current_pose(&skeleton);
            let tip = current[1].transform_point3(skeleton.bones[1].extent.as_dvec3());
            let expected = (direction * length * factor).as_dvec3();
            assert!(tip.distance(expected) < 2e-3, "{stretch}: {tip} {expected}");
            let error = tip.distance(skeleton.handles[0].target.as_dvec3());
            assert!((outcome.tasks[0].error - error).abs() < 1e-6);
            assert_eq!(outcome.tasks[0].reached, stretch == 1.0);
            for (bone, matrix) in current[..2].iter().enumerate() {
                assert!((matrix.matrix3.determinant() - 1.0).abs() < 1e-5, "{stretch}: volume of {bone}");
            }
        }
    }

    /// With an elbow that does not straighten, the tip ends where the bent limb points, and not beyond the target.
    #[test]
    fn a_bent_limb_is_stretched_along_where_it_ends() {
        let mut skeleton = arm(Vec3::new(0.0, 8.0, 1.0), 0.0, 0.0);
        skeleton.bones[1].limits_deg.0 = [Some([30.0, 90.0]), Some([0.0, 0.0]), Some([0.0, 0.0])];
        let mut stretched = skeleton.clone();
        stretched.handles[0].stretch = 1.0;
        solve(&mut skeleton, &Options::default());
        solve(&mut stretched, &Options::default());
        let tip = |skeleton: &Skeleton| {
            current_pose(skeleton)[1].transform_point3(skeleton.bones[1].extent.as_dvec3())
        };
        let factor = f64::from(Vec3::new(0.0, 8.0, 1.0).length() / length(&skeleton));
        let (plain, far) = (tip(&skeleton), tip(&stretched));
        assert!(far.distance(plain * factor) < 1e-3, "{far} {}", plain * factor);
        assert!(far.length() < 8.07);
    }

    #[test]
    fn within_reach_nothing_stretches_and_at_its_end_nothing_jumps() {
        let mut near = arm(Vec3::new(0.9, 0.8, 0.3), 1.0, 20.0);
        solve(&mut near, &Options::default());
        assert!(near.bones.iter().all(Bone::is_unmoved));
        let reach = length(&near);
        let at = |part: f32| {
            let mut skeleton = arm(Vec3::X * reach * part, 1.0, 20.0);
            solve(&mut skeleton, &Options::default());
            skeleton.bones[0].scale
        };
        assert!((at(1.0001) - at(0.9999)).abs().max_element() < 1e-3);
        assert!(at(1.2).y > 1.19 && at(1.2).x < 0.92, "{}", at(1.2));
    }

    /// The hand follows the tip, as large as before and oriented as before: exactly in line with the limb, and nearly, with
    /// a shear, otherwise.
    #[test]
    fn the_hand_keeps_its_size() {
        for (hand_deg, tolerance) in [(0.0, 1e-5), (50.0, 0.15)] {
            let mut plain = arm(Vec3::new(2.4, 0.4, 0.2), 0.0, hand_deg);
            // In line with the forearm.
            plain.bones[2].extent = 0.5 * plain.bones[1].extent;
            let mut stretched = plain.clone();
            stretched.handles[0].stretch = 1.0;
            solve(&mut plain, &Options::default());
            solve(&mut stretched, &Options::default());
            let [a, b] = [&plain, &stretched].map(|skeleton| current_pose(skeleton)[2]);
            let off =
                (a.matrix3 - b.matrix3).to_cols_array().iter().fold(0.0f64, |most, x| most.max(x.abs()));
            assert!(off < tolerance, "{hand_deg}: {off}");
            assert!((b.matrix3.determinant() - 1.0).abs() < tolerance, "{}", b.matrix3.determinant());
            let tip = current_pose(&stretched)[1].transform_point3(stretched.bones[1].extent.as_dvec3());
            assert!(b.translation.distance(tip) < 1e-5);
        }
    }
}
