//! Setup of the objective for a skeleton: its joints, which of them rotate, and the tasks of the handles.

use super::super::chain::{flat_toes, remaining_chain_into};
use super::super::residual::{self, Goal, JointPose};
use super::super::task::{Origin, Task};
use super::super::tuning::{
    MAX_DISTANCE, MAX_STIFF_TURN_DEG, ORIENTATION_PRIORITY, PIN_PRIORITY, PINNED_ORIENTATION_PRIORITY,
    PINNED_POLE_PRIORITY,
};
use super::super::{Options, Step};
use super::{Joint, Objective};
use crate::rig::body::feet::knee_bends;
use crate::rig::kinematics::{axes_matrix, current_pose, parent_of, rotation_part};
use crate::rig::limits::{self, Limits};
use crate::rig::skeleton::{Bone, Handle, Skeleton};
use glam::{DMat3, DVec3, Vec3};

impl Objective {
    /// Sets the objective to a skeleton, with the tasks that `options` supports.
    pub(in crate::rig::ik) fn set(&mut self, skeleton: &Skeleton, options: &Options) {
        let bones = skeleton.bones.len();
        let handles = skeleton.handles.iter().enumerate();
        let pulling = || handles.clone().filter(|(_, handle)| skeleton.pulls(handle));
        // First, find the joints and those that rotate.
        let joint_of_bone = &mut self.joint_of_bone;
        joint_of_bone.clear();
        joint_of_bone.resize(bones, None);
        for (_, handle) in pulling() {
            joint_of_bone[handle.bone as usize] = Some(0);
            if let Some(toes) = flat_toes(skeleton, handle) {
                joint_of_bone[toes] = Some(0);
            }
        }
        for bone in (0..bones).rev() {
            if let Some(parent) = parent_of(skeleton, bone).filter(|_| joint_of_bone[bone].is_some()) {
                joint_of_bone[parent] = Some(0);
            }
        }
        remaining_chain_into(skeleton, pulling().map(|(_, handle)| handle), &mut self.turns);
        let all_tasks = options.step == Step::Damped;
        self.root_free = skeleton.root_free && all_tasks;
        let stretches = stretches(skeleton);
        let stretched = |bone: Option<usize>, v: Vec3| match (&stretches, bone) {
            (Some(stretches), Some(bone)) => stretches[bone] * v.as_dvec3(),
            _ => v.as_dvec3(),
        };
        self.joints.clear();
        self.gains.clear();
        self.bounds.clear();
        self.rest.clear();
        for (index, bone) in skeleton.bones.iter().enumerate() {
            if joint_of_bone[index].is_none() {
                continue;
            }
            joint_of_bone[index] = Some(self.joints.len());
            let parent = parent_of(skeleton, index).and_then(|p| joint_of_bone[p]);
            let parent_joint = parent.map(|p| &self.joints[p]);
            let turns = self.turns[index] > 0;
            let moves =
                turns || self.root_free || parent_joint.is_some_and(|parent_joint| parent_joint.moves);
            let extent = stretched(Some(index), bone.extent);
            let offset = stretched(parent_of(skeleton, index), bone.translation);
            let length = if moves { extent.length() + offset.length() } else { 0.0 };
            self.joints.push(Joint {
                bone: index,
                parent,
                extent,
                offset,
                chain_length: parent_joint.map_or(0.0, |parent_joint| parent_joint.chain_length) + length,
                turns,
                moves,
                turning: parent_joint.map_or(0, |parent_joint| parent_joint.turning) + usize::from(turns),
                axes: axes_matrix(bone),
                link: bone.link,
                preferred_deg: bone.preferred_deg,
            });
            let bounds = if turns { bone.limits_deg.bounds() } else { [Vec3::NEG_INFINITY, Vec3::INFINITY] };
            let rest = limits::clamp(bone.pose_deg, &bounds);
            let bounds = if turns { narrowed_by_stiffness(bounds, rest, bone.stiffness) } else { bounds };
            let locked = bounds[0].cmpeq(bounds[1]);
            let gain = if turns && !bone.link {
                (Vec3::ONE - bone.stiffness).clamp(Vec3::ZERO, Vec3::ONE)
            } else {
                Vec3::ZERO
            };
            self.gains.push(Vec3::select(locked, Vec3::ZERO, gain).as_dvec3());
            self.bounds.push(bounds);
            self.rest.push(rest);
        }
        self.gains.push(DVec3::splat(f64::from(u8::from(self.root_free))));
        self.bounds.push([Vec3::NEG_INFINITY, Vec3::INFINITY]);
        self.rest.push(skeleton.base_offset);
        self.limited = self.bounds.iter().flatten().any(|bound| bound.is_finite_mask().any());
        let longest = self.joints.iter().map(|joint| joint.chain_length).fold(0.0, f64::max);
        self.reach = if longest > 0.0 { longest } else { 1.0 };
        let prior = if all_tasks { skeleton.ik_prior } else { 0.0 };
        self.final_prior = f64::from(prior) * self.reach * self.reach;
        self.prior = self.final_prior;
        if prior > 0.0 && skeleton.bones.iter().all(is_unconstrained) {
            for (knee, bend_deg) in knee_bends(skeleton) {
                if let Some(joint) = joint_of_bone[knee] {
                    self.joints[joint].preferred_deg = Some(bend_deg);
                }
            }
        }
        self.tasks.clear();
        for (index, handle) in pulling() {
            if let Some(joint) = joint_of_bone[handle.bone as usize] {
                let joint_of = |bone: usize| joint_of_bone[bone];
                add_tasks(&mut self.tasks, skeleton, (index, handle), joint, joint_of);
            }
        }
        if !all_tasks {
            let is_unsupported = |task: &&mut Task| !matches!(task.goal, Goal::Position(_));
            self.tasks.iter_mut().filter(is_unsupported).for_each(|task| task.weight = 0.0);
        }
        let joints = self.joints.len();
        self.poses.clear();
        self.poses.resize(joints, JointPose::default());
        self.subtree.clear();
        self.subtree.resize(joints, Default::default());
        self.base = skeleton.base.as_dvec3();
        (self.passes, self.work) = (0, 0);
        self.set_pin_weights(skeleton);
        self.set_balance(skeleton);
        self.lower_heel_weights();
        self.add_leg_tasks(skeleton);
    }

    /// Increases the weights of pins with the distance of the other targets, because targets beyond reach
    /// pull harder the farther away they are.
    fn set_pin_weights(&mut self, skeleton: &Skeleton) {
        let base = self.base + skeleton.base_offset.as_dvec3();
        let unpinned = self.tasks.iter().filter(|task| !task.is_pinned);
        let distances = unpinned.filter_map(|task| match task.goal {
            Goal::Position(residual::Position(target)) => Some(target.distance(base) / self.reach),
            _ => None,
        });
        let greatest = distances.fold(1.0, f64::max).min(MAX_DISTANCE);
        for task in &mut self.tasks {
            let Goal::Position(residual::Position(target)) = &mut task.goal else {
                continue;
            };
            if task.is_pinned {
                task.weight *= PIN_PRIORITY * greatest * greatest;
                continue;
            }
            if target.distance(base) > MAX_DISTANCE * self.reach {
                let near = base + (*target - base).normalize() * MAX_DISTANCE * self.reach;
                task.beyond = *target - near;
                *target = near;
            }
        }
    }
}

/// Whether nothing says how a bone may turn.
fn is_unconstrained(bone: &Bone) -> bool {
    bone.preferred_deg.is_none() && bone.limits_deg == Limits::default()
}

/// Returns how scales stretch each bone in its frame, U of R U in the pose without handles; `None` if nothing is scaled.
/// A chain is solved as it stands: while it turns, unequal scales keep what they do to it then.
fn stretches(skeleton: &Skeleton) -> Option<Vec<DMat3>> {
    skeleton.bones.iter().any(|bone| bone.scale != Vec3::ONE).then(|| {
        let current = current_pose(skeleton);
        current.iter().map(|pose| rotation_part(pose.matrix3).transpose() * pose.matrix3).collect()
    })
}

/// Narrows the bounds of a bone to the range around rest that its stiffness permits.
fn narrowed_by_stiffness([low, high]: [Vec3; 2], rest: Vec3, stiffness: Vec3) -> [Vec3; 2] {
    let loose = (Vec3::ONE - stiffness).clamp(Vec3::ZERO, Vec3::ONE);
    let max_turn = MAX_STIFF_TURN_DEG * loose.map(f32::sqrt);
    let stiff = stiffness.cmpgt(Vec3::ZERO);
    [Vec3::select(stiff, low.max(rest - max_turn), low), Vec3::select(stiff, high.min(rest + max_turn), high)]
}

/// Adds the tasks of a handle. `joint` is the joint of its bone; `joint_of` finds those of others in its
/// chain.
fn add_tasks(
    tasks: &mut Vec<Task>,
    skeleton: &Skeleton,
    (index, handle): (usize, &Handle),
    joint: usize,
    joint_of: impl Fn(usize) -> Option<usize>,
) {
    let handle_joint = joint;
    let mut add = |joint: usize, weight: f32, goal: Goal| {
        let share = f64::from(handle.weight.min(1.0)) * f64::from(weight.min(1.0));
        let priority = match goal {
            Goal::Orientation(_) if handle.pinned => PINNED_ORIENTATION_PRIORITY,
            Goal::Orientation(_) => ORIENTATION_PRIORITY,
            Goal::Pole(_) if handle.pinned => PINNED_POLE_PRIORITY,
            _ => 1.0,
        };
        if share > 0.0 {
            tasks.push(Task {
                origin: Origin::Handle,
                handle: index,
                joint,
                weight: share * priority,
                share,
                goal,
                beyond: DVec3::ZERO,
                is_pinned: handle.pinned,
                is_implied: joint != handle_joint && matches!(goal, Goal::Orientation(_)),
                is_led_foot: false,
            });
        }
    };
    residual::asked_by(skeleton, handle, joint, joint_of, &mut add);
}
