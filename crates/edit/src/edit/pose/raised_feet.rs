//! Feet in the air while the body is led: they are carried along, but not through the floor.

use super::limbs::has_handle;
use crate::rig::body::feet::{Foot, Ground, feet, feet_on_floor};
use crate::rig::body::limb::limb;
use crate::rig::ik;
use crate::rig::ik::pole::limb_pole;
use crate::rig::kinematics::{current_pose, rotation_part, tips};
use crate::rig::skeleton::{Handle, Orientation, Skeleton};
use glam::{DQuat, DVec3};

/// The feet of a body that are in the air and not led themselves.
#[derive(Clone, Debug, Default)]
pub(super) struct RaisedFeet {
    up: DVec3,
    feet: Vec<RaisedFoot>,
}

#[derive(Clone, Debug)]
struct RaisedFoot {
    foot: Foot,
    /// The least height of the tail of each of its bones: that in the bind pose, where the sole is on the floor, or that at the
    /// press if it is less.
    floor: Vec<f64>,
}

impl RaisedFeet {
    /// Finds them in the current pose of a skeleton whose bones `pulled` are led.
    pub(super) fn new(skeleton: &Skeleton, pulled: &[usize]) -> Self {
        let mut ground = Ground::default();
        ground.set(skeleton);
        let up = ground.axes.up;
        let current = tips(skeleton, &current_pose(skeleton));
        let standing = feet_on_floor(skeleton);
        let is_led = |foot: &Foot| foot.bones.iter().any(|bone| pulled.contains(bone));
        let is_raised =
            |foot: &Foot| !standing.contains(foot) && !is_led(foot) && !has_handle(skeleton, foot);
        let raised = |foot: Foot| {
            let floor = foot.bones.iter().map(|&bone| ground.heights[bone].min(current[bone].dot(up)));
            RaisedFoot { floor: floor.collect(), foot }
        };
        Self { up, feet: feet(skeleton).into_iter().filter(is_raised).map(raised).collect() }
    }

    /// Raises those that a solved body has carried below the floor up to it: their legs bend, and nothing else moves. They are
    /// raised by as much as they are too low, so that nothing jumps where they come to the floor.
    pub(super) fn raise(&self, solved: &mut Skeleton) {
        let pose = current_pose(solved);
        let tips = tips(solved, &pose);
        let goal = |RaisedFoot { foot, floor }: &RaisedFoot| {
            let depths = foot.bones.iter().zip(floor).map(|(&bone, floor)| floor - tips[bone].dot(self.up));
            let depth = depths.fold(0.0, f64::max);
            let bone_and_chain =
                Handle { bone: foot.bone as u32, chain: Some(limb(solved, foot.bone)), ..Handle::default() };
            let rotation = DQuat::from_mat3(&rotation_part(pose[foot.bone].matrix3)).normalize().as_quat();
            (depth > 0.0).then(|| Handle {
                target: (tips[foot.bone] + depth * self.up).as_vec3(),
                enabled: true,
                orientation: Some(Orientation::new(rotation, 1.0)),
                pole: limb_pole(solved, &bone_and_chain),
                ..bone_and_chain
            })
        };
        let goals: Vec<Handle> = self.feet.iter().filter_map(goal).collect();
        if goals.is_empty() {
            return;
        }
        let mut legs = Skeleton { handles: goals, root_free: false, ..solved.clone() };
        ik::solve(&mut legs, &ik::Options::default());
        for (bone, leg) in solved.bones.iter_mut().zip(&legs.bones) {
            bone.pose_deg = leg.pose_deg;
        }
    }
}
