//! The objective of a skeleton: which bones are joints, which of them turn, and what handles ask for.

use super::super::chain::{bend, kept_flat, turned_into};
use super::super::task::{Goal, JointPose, Task};
use super::super::{Options, Step};
use super::{Joint, Objective};
use crate::math::rotation::from_euler;
use crate::rig::kinematics::{axes_matrix, parent_of, pose_rad};
use crate::rig::limits;
use crate::rig::skeleton::{Handle, Skeleton};
use glam::{DQuat, DVec3, Vec3};

impl Objective {
    /// For the tasks that `options` can do.
    pub(in crate::rig::ik) fn set(&mut self, skeleton: &Skeleton, options: &Options) {
        let bones = skeleton.bones.len();
        let handles = skeleton.handles.iter().enumerate();
        let pulling = || handles.clone().filter(|(_, handle)| skeleton.pulls(handle));
        // First: which bones are joints, and which of them turn.
        let joint_of_bone = &mut self.joint_of_bone;
        joint_of_bone.clear();
        joint_of_bone.resize(bones, None);
        for (_, handle) in pulling() {
            joint_of_bone[handle.bone as usize] = Some(0);
            if let Some(toes) = kept_flat(skeleton, handle) {
                joint_of_bone[toes] = Some(0);
            }
        }
        for bone in (0..bones).rev() {
            if let Some(parent) = parent_of(skeleton, bone).filter(|_| joint_of_bone[bone].is_some()) {
                joint_of_bone[parent] = Some(0);
            }
        }
        turned_into(skeleton, pulling().map(|(_, handle)| handle), &mut self.turns);
        let all_tasks = options.step == Step::Damped;
        self.root_free = skeleton.root_free && all_tasks;
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
            let above = parent.map(|p| &self.joints[p]);
            let turns = self.turns[index] > 0;
            let moves = turns || self.root_free || above.is_some_and(|above| above.moves);
            let extent = bone.extent.as_dvec3();
            let own = if moves { extent.length() } else { 0.0 };
            self.joints.push(Joint {
                bone: index,
                parent,
                extent,
                chain_length: above.map_or(0.0, |above| above.chain_length) + own,
                turns,
                moves,
                turning: above.map_or(0, |above| above.turning) + usize::from(turns),
                axes: axes_matrix(bone),
                link: bone.link,
                preferred_deg: bone.preferred_deg,
            });
            let bounds = match turns {
                true => bone.limits_deg.bounds(),
                false => [Vec3::NEG_INFINITY, Vec3::INFINITY],
            };
            let rest = limits::clamp(bone.pose_deg, &bounds);
            let bounds = match turns {
                true => near_rest(bounds, rest, bone.stiffness),
                false => bounds,
            };
            let locked = bounds[0].cmpeq(bounds[1]);
            let gain = match turns && !bone.link {
                true => (Vec3::ONE - bone.stiffness).clamp(Vec3::ZERO, Vec3::ONE),
                false => Vec3::ZERO,
            };
            self.gains.push(Vec3::select(locked, Vec3::ZERO, gain).as_dvec3());
            self.bounds.push(bounds);
            self.rest.push(rest);
        }
        self.gains.push(DVec3::splat(f64::from(u8::from(self.root_free))));
        self.bounds.push([Vec3::NEG_INFINITY, Vec3::INFINITY]);
        self.rest.push(skeleton.base_offset);
        self.limited = self
            .bounds
            .iter()
            .flatten()
            .any(|bound| bound.is_finite_mask().any());
        let longest = self
            .joints
            .iter()
            .map(|joint| joint.chain_length)
            .fold(0.0, f64::max);
        self.reach = if longest > 0.0 { longest } else { 1.0 };
        let prior = if all_tasks { skeleton.ik_prior } else { 0.0 };
        self.weakest = f64::from(prior) * self.reach * self.reach;
        self.prior = self.weakest;
        self.tasks.clear();
        for (index, handle) in pulling() {
            if let Some(joint) = joint_of_bone[handle.bone as usize] {
                let joint_of = |bone: usize| joint_of_bone[bone];
                add_tasks(&mut self.tasks, skeleton, (index, handle), joint, joint_of);
            }
        }
        if !all_tasks {
            let other = |task: &&mut Task| !matches!(task.goal, Goal::Position(_));
            self.tasks
                .iter_mut()
                .filter(other)
                .for_each(|task| task.weight = 0.0);
        }
        let joints = self.joints.len();
        self.poses.clear();
        self.poses.resize(joints, JointPose::default());
        self.subtree.clear();
        self.subtree.resize(joints, Default::default());
        self.base = skeleton.base.as_dvec3();
        (self.passes, self.work) = (0, 0);
        self.weigh_pins(skeleton);
        self.asked = self.tasks.len();
        self.set_balance(skeleton);
        self.counted = self.tasks.len().min(self.asked + 1);
        self.tilts = self.tasks.len() - self.counted;
        self.let_heels_lift();
        self.add_knees(skeleton);
    }

    /// What others ask for beyond reach pulls the harder the further away it is, so pins weigh as much more.
    fn weigh_pins(&mut self, skeleton: &Skeleton) {
        let base = self.base + skeleton.base_offset.as_dvec3();
        let asked = self.tasks.iter().filter(|task| !task.is_pinned);
        let away = asked.filter_map(|task| match task.goal {
            Goal::Position(target) => Some(target.distance(base) / self.reach),
            _ => None,
        });
        let furthest = away.fold(1.0, f64::max).min(MOST_AWAY);
        for task in &mut self.tasks {
            let Goal::Position(target) = &mut task.goal else {
                continue;
            };
            if task.is_pinned {
                task.weight *= PIN_PRIORITY * furthest * furthest;
                continue;
            }
            if target.distance(base) > MOST_AWAY * self.reach {
                let near = base + (*target - base).normalize() * MOST_AWAY * self.reach;
                task.beyond = *target - near;
                *target = near;
            }
        }
    }
}

/// What is stiff stays within so much of where it is without handles, times the root of 1 - stiffness.
const WIDEST_TURN_DEG: f32 = 180.0;

/// The bounds of a bone that is no further from rest than its stiffness lets it.
fn near_rest([low, high]: [Vec3; 2], rest: Vec3, stiffness: Vec3) -> [Vec3; 2] {
    let loose = (Vec3::ONE - stiffness).clamp(Vec3::ZERO, Vec3::ONE);
    let most = WIDEST_TURN_DEG * loose.map(f32::sqrt);
    let stiff = stiffness.cmpgt(Vec3::ZERO);
    [
        Vec3::select(stiff, low.max(rest - most), low),
        Vec3::select(stiff, high.min(rest + most), high),
    ]
}

/// Where a limb can have a position or an orientation, but not both, it has the position and turns as far as that lets it: a
/// foot that is pinned flat lifts its heel rather than slip.
const ORIENTATION_PRIORITY: f64 = 0.05;
const PINNED_ORIENTATION_PRIORITY: f64 = 0.3;
/// What is pinned stays where others ask for more than there is.
const PIN_PRIORITY: f64 = 50.0;
/// Targets further away are pulled to as if they were this many reaches away, and pins hold against that.
const MOST_AWAY: f64 = 1e4;

/// What a handle asks for. `joint`: of its bone; `joint_of`: of others in its chain.
fn add_tasks(
    tasks: &mut Vec<Task>,
    skeleton: &Skeleton,
    (index, handle): (usize, &Handle),
    joint: usize,
    joint_of: impl Fn(usize) -> Option<usize>,
) {
    let of_handle = joint;
    let mut add = |joint: usize, weight: f32, goal: Goal| {
        let share = f64::from(handle.weight.min(1.0)) * f64::from(weight.min(1.0));
        let priority = match goal {
            Goal::Orientation(_) if handle.pinned => PINNED_ORIENTATION_PRIORITY,
            Goal::Orientation(_) => ORIENTATION_PRIORITY,
            _ => 1.0,
        };
        if share > 0.0 {
            tasks.push(Task {
                handle: index,
                joint,
                weight: share * priority,
                share,
                goal,
                beyond: DVec3::ZERO,
                is_pinned: handle.pinned,
                is_implied: joint != of_handle && matches!(goal, Goal::Orientation(_)),
                is_led_foot: false,
            });
        }
    };
    let target = handle.target.as_dvec3();
    let look_at = handle
        .look_at
        .and_then(|look| Some((look, look.axis.as_dvec3().try_normalize()?)));
    match look_at {
        Some((look, axis)) => add(joint, look.weight, Goal::LookAt { axis, point: target }),
        None => add(joint, 1.0, Goal::Position(target)),
    }
    if let Some(orientation) = handle.orientation {
        let rotation = orientation.rotation.as_dquat();
        if rotation.length_squared() > 0.0 {
            let rotation = rotation.normalize();
            add(joint, orientation.weight, Goal::Orientation(rotation));
            if let Some(toes) = kept_flat(skeleton, handle)
                && let Some(joint) = joint_of(toes)
            {
                let (bone, axes) = (&skeleton.bones[toes], axes_matrix(&skeleton.bones[toes]));
                let own = DQuat::from_mat3(&(axes * from_euler(pose_rad(bone)) * axes.transpose()));
                add(
                    joint,
                    orientation.weight,
                    Goal::Orientation((rotation * own).normalize()),
                );
            }
        }
    }
    if let Some(pole) = handle.pole
        && let Some([upper, lower]) = bend(skeleton, handle)
        && let (Some(upper), Some(lower)) = (joint_of(upper), joint_of(lower))
    {
        let point = pole.point.as_dvec3();
        add(lower, pole.weight, Goal::Pole { upper, point });
    }
}
