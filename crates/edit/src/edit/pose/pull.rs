//! Pulling the tail of a bone: its limb follows, or the whole body on the feet it stands on, and what was solved is
//! written into the pose. No handle is left behind.

use crate::anim::channel::{ChannelRef, SkeletonChannel, Value};
use crate::edit::command::Command;
use crate::edit::pose::limbs::{VisiblePose, standing_feet};
use crate::edit::settings::view::View;
use crate::edit::time::spread::Spread;
use crate::rig::body::clavicle::Clavicle;
use crate::rig::body::feet::{feet, hips};
use crate::rig::body::limb::{limb, with_ancestors};
use crate::rig::body::middle::BothSides;
use crate::rig::body::mirror_plane::MirrorPlane;
use crate::rig::ik;
use crate::rig::ik::chain::chain;
use crate::rig::kinematics::parent_of;
use crate::rig::property::{BASE_OFFSET, POSE};
use crate::rig::skeleton::{Handle, Skeleton};
use glam::Vec3;

/// The pose prior while pulling, where the skeleton has none: the same pull leads to the same pose, with the least turns.
const PRIOR: f32 = 1e-6;

/// A pull of a bone's tail. Every movement is solved from the pose at the press, so that the way there does not matter.
#[derive(Clone, Debug)]
pub struct Pull {
    mesh: String,
    /// The visible pose at the press, with the handles that take part.
    start: Skeleton,
    /// Handles that pull; the second one pulls the other side across the plane.
    plane: MirrorPlane,
    pulled: Vec<Pulled>,
    /// Whether the whole body moves as it is, since nothing holds it.
    is_in_air: bool,
    /// Per bone, and at the end for the base: whether it was changed during this pull.
    changed: Vec<bool>,
    spread: Option<Spread>,
}

/// A handle that pulls, its target at the press, and the clavicle that rises with an arm.
#[derive(Clone, Debug)]
struct Pulled {
    handle: usize,
    start: Vec3,
    clavicle: Option<Clavicle>,
}

impl Pull {
    /// Begins to pull a bone of the selected character in its visible pose. With `whole_body`, and for the hips, which belong to
    /// no limb, the body follows, and the feet that it stands on stay; hips of a body in the air take it along as it is.
    /// Symmetry pulls the other side too. `None` if there is no such bone.
    pub fn new(view: &View, bone: usize, whole_body: bool) -> Option<Self> {
        let mesh = view.session.selection().mesh.clone()?;
        let visible = VisiblePose::from_view(view, &mesh)?;
        let mut start = visible.skeleton.clone();
        let sides = BothSides::new(&start);
        let other = sides.others.get(bone).copied().flatten();
        let other = other.filter(|&other| other != bone && view.session.symmetric());
        let bones: Vec<usize> = [bone].into_iter().chain(other).collect();
        let is_hips = parent_of(&start, bone).is_none() || hips(&start) == Some(bone);
        let (active, standing) = standing_feet(view, &start, bones.clone());
        let stands = !active.is_empty() || !standing.is_empty();
        let is_in_air = is_hips && !stands && !feet(&start).is_empty();
        let body = whole_body || is_hips && stands;
        let limb = Handle { bone: bone as u32, chain: Some(limb(&start, bone)), ..Handle::default() };
        if body {
            start.root_free |= stands;
        } else {
            start.root_free = false;
            // Handles of other limbs would take part with their own bones.
            let mut in_limb = vec![false; start.bones.len()];
            for &bone in &bones {
                let limb = Handle { bone: bone as u32, ..limb.clone() };
                chain(&start, &limb).for_each(|bone| in_limb[bone] = true);
            }
            let holds = |handle: &Handle| chain(&start, handle).any(|bone| in_limb[bone]);
            let holds: Vec<bool> = start.handles.iter().map(holds).collect();
            for (handle, holds) in start.handles.iter_mut().zip(holds) {
                handle.enabled &= holds;
            }
        }
        // What is stretched stays so: the solver starts from there.
        start.handles.iter_mut().for_each(|handle| handle.stretch = 0.0);
        if body {
            // Toes that are held would leave the ankle to tip.
            let bones = standing.iter().flat_map(|foot| {
                // The first of its bones ends at the ankle.
                let below_ankle = foot.bones.iter().skip(1);
                let is_part =
                    move |bone: &usize| *bone == foot.bone || below_ankle.clone().any(|it| it == bone);
                with_ancestors(&start, foot.bone).take_while(is_part)
            });
            let holding: Vec<Handle> = bones.filter_map(|bone| visible.holding(bone)).collect();
            start.handles.extend(holding);
        }
        let pulled = bones
            .iter()
            .filter_map(|&bone| {
                let target = visible.tip(bone)?;
                let mut handle = Handle {
                    bone: bone as u32,
                    target,
                    enabled: true,
                    chain: limb.chain.filter(|_| !body),
                    ..Handle::default()
                };
                if is_hips && start.root_free {
                    handle.orientation = visible.orientation(&handle, 1.0);
                }
                let clavicle = Clavicle::above(&start, bone).filter(|_| !body);
                start.handles.push(handle);
                Some(Pulled { handle: start.handles.len() - 1, start: target, clavicle })
            })
            .collect();
        if start.ik_prior == 0.0 {
            start.ik_prior = PRIOR;
        }
        let changed = vec![false; start.bones.len() + 1];
        let spread = Spread::from_view(view);
        Some(Self { mesh, plane: sides.plane, pulled, is_in_air, changed, spread, start })
    }

    /// Returns the whole change for a movement of the tail since the press, in skeleton space: the poses of the bones that
    /// turn, and the base offset if it moves.
    pub fn commands(&mut self, moved: Vec3) -> Vec<Command> {
        let mut solved = self.start.clone();
        if self.is_in_air {
            solved.base_offset += moved;
            return self.changes(&solved);
        }
        let mirrored = self.plane.reflect_direction(moved.as_dvec3()).as_vec3();
        for (Pulled { handle, start, clavicle }, moved) in self.pulled.iter().zip([moved, mirrored]) {
            let target = *start + moved;
            solved.handles[*handle].target = target;
            if let Some(clavicle) = clavicle {
                clavicle.raise(&mut solved, start.as_dvec3(), target.as_dvec3());
            }
        }
        ik::solve(&mut solved, &ik::Options::default());
        self.changes(&solved)
    }

    /// Returns the change from the pose at the press to this one.
    fn changes(&mut self, solved: &Skeleton) -> Vec<Command> {
        let mut commands = Vec::new();
        let mut values = Vec::new();
        let mut put = |channel: SkeletonChannel, value: Vec3, command: Command| {
            values.push((ChannelRef::new(&self.mesh, channel), Value::Vec3(value)));
            commands.push(command);
        };
        for (index, (bone, before)) in solved.bones.iter().zip(&self.start.bones).enumerate() {
            self.changed[index] |= bone.pose_deg != before.pose_deg;
            if self.changed[index] {
                let command = Command::set_bone(self.mesh.clone(), index, POSE.info.id, bone.pose_deg);
                put(SkeletonChannel::Bone(bone.channel_id, POSE), bone.pose_deg, command);
            }
        }
        let base = solved.bones.len();
        self.changed[base] |= solved.base_offset != self.start.base_offset;
        if self.changed[base] {
            let command = Command::set_skeleton(self.mesh.clone(), BASE_OFFSET.info.id, solved.base_offset);
            put(SkeletonChannel::Base(BASE_OFFSET), solved.base_offset, command);
        }
        commands.extend(self.spread.as_ref().and_then(|spread| spread.command(&values)));
        commands
    }
}
