//! Solving with handles in the space of bones that IK itself moves, see [`crate::rig::handle_space`].

use super::{Options, Outcome, Solver};
use crate::rig::handle_space::{has_spaces, resolved, space_bone};
use crate::rig::kinematics::{bind_pose, current_pose};
use crate::rig::skeleton::Skeleton;

/// The greatest number of times that goals are moved after the bones that carry them.
const MAX_ROUNDS: usize = 8;
/// The distance in sizes of the skeleton by which goals may be off the bones that carry them.
const PRECISION: f64 = 1e-5;

/// Solves like [`Solver::solve`], for a skeleton of which handles are in the space of bones; their goals are in skeleton
/// space afterwards. First the other handles pull alone; then goals follow their bones until these stay.
pub fn solve(solver: &mut Solver, skeleton: &mut Skeleton, options: &Options, outcome: &mut Outcome) -> bool {
    if !has_spaces(skeleton) {
        return solver.solve(skeleton, options, outcome);
    }
    let start = skeleton.clone();
    let bind = bind_pose(&start);
    let size = bind.iter().map(|bone| (bone.translation - bind[0].translation).length()).fold(1e-6, f64::max);
    for handle in &mut skeleton.handles {
        handle.enabled &= space_bone(&start, handle).is_none();
    }
    let mut moved =
        skeleton.handles.iter().any(|handle| start.pulls(handle)) && solver.solve(skeleton, options, outcome);
    for _ in 0..MAX_ROUNDS {
        let handles = resolved(&start.handles, &start, &bind, &current_pose(skeleton));
        let mut next = Skeleton { handles, ..start.clone() };
        moved |= solver.solve(&mut next, options, outcome);
        *skeleton = next;
        let goals = resolved(&start.handles, &start, &bind, &current_pose(skeleton));
        let off = goals.iter().zip(&skeleton.handles).map(|(goal, used)| goal.target.distance(used.target));
        let off = off.fold(0.0, f32::max);
        skeleton.handles = goals;
        if f64::from(off) <= PRECISION * size {
            break;
        }
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::kinematics::tips;
    use crate::rig::skeleton::{Bone, Handle, Orientation};
    use glam::{DVec3, Quat, Vec3};

    /// A trunk that can tip, and two arms of two bones; the left hand is pulled by a handle in the space of `space`.
    fn body(space: u32, target: Vec3) -> Skeleton {
        let bone = |channel_id, parent, extent| Bone { channel_id, parent, extent, ..Bone::default() };
        let bones = vec![
            bone(10, None, Vec3::Y),
            bone(11, Some(0), Vec3::new(0.5, 0.2, 0.1)),
            bone(12, Some(1), Vec3::new(0.5, -0.2, 0.1)),
            bone(13, Some(0), Vec3::new(-0.5, 0.2, 0.1)),
            bone(14, Some(3), Vec3::new(-0.5, -0.2, 0.1)),
        ];
        let handle = Handle {
            bone: 2,
            target,
            enabled: true,
            chain: Some(2),
            space: Some(space),
            orientation: Some(Orientation::new(Quat::IDENTITY, 0.0)),
            ..Handle::default()
        };
        Skeleton { bones, handles: vec![handle], ..Skeleton::default() }
    }

    fn solved(mut skeleton: Skeleton) -> (Skeleton, Vec<DVec3>) {
        solve(&mut Solver::default(), &mut skeleton, &Options::default(), &mut Outcome::default());
        let tips = tips(&skeleton, &current_pose(&skeleton));
        (skeleton, tips)
    }

    #[test]
    fn a_hand_on_the_trunk_moves_with_it() {
        let point = Vec3::new(0.2, 0.5, 0.1);
        for tilt in [0.0, 40.0, -70.0] {
            let mut skeleton = body(10, point);
            skeleton.bones[0].pose_deg.z = tilt;
            skeleton.base_offset = Vec3::new(3.0, -1.0, 2.0);
            let carried = current_pose(&skeleton)[0].transform_point3(point.as_dvec3());
            let (solved, tips) = solved(skeleton);
            assert!(tips[2].distance(carried) < 1e-4, "{tilt}: {} {carried}", tips[2]);
            assert!(solved.handles[0].target.as_dvec3().distance(carried) < 1e-5);
            let turn = solved.handles[0].orientation.unwrap().rotation;
            assert!((turn * Vec3::Y).abs_diff_eq(Quat::from_rotation_z(tilt.to_radians()) * Vec3::Y, 1e-5));
        }
    }

    /// The other hand is led by a handle of its own, so that where it carries the goal is known only once that is solved.
    #[test]
    fn a_hand_on_the_other_hand_follows_it() {
        let in_bind = bind_pose(&body(14, Vec3::ZERO))[4].transform_point3(DVec3::new(-0.5, -0.2, 0.1));
        let mut skeleton = body(14, in_bind.as_vec3());
        let target = Vec3::new(-0.1, 0.9, 0.5);
        let other = Handle { bone: 4, target, enabled: true, chain: Some(2), ..Handle::default() };
        skeleton.handles.push(other);
        let (solved, tips) = solved(skeleton);
        assert!(tips[4].distance(target.as_dvec3()) < 1e-4, "{}", tips[4]);
        assert!(tips[2].distance(tips[4]) < 1e-3, "{} {}", tips[2], tips[4]);
        assert_eq!(solved.handles[0].space, Some(14));
    }

    #[test]
    fn a_bone_that_is_gone_leaves_the_space_of_the_skeleton() {
        let target = Vec3::new(0.5, 0.8, 0.3);
        let (_, tips) = solved(body(99, target));
        assert!(tips[2].distance(target.as_dvec3()) < 1e-4);
    }
}
