//! Pulling the tail of a bone: its limb follows, or the whole body on the feet it stands on, and what was solved is
//! written into the pose. No handle is left behind.

use crate::anim::channel::{ChannelRef, SkeletonChannel, Value};
use crate::edit::command::Command;
use crate::edit::pose::limbs::{VisiblePose, standing_feet};
use crate::edit::pose::raised_feet::RaisedFeet;
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
    start: StartPose,
    /// Per bone, and at the end for the base: whether it was changed during this pull.
    changed: Vec<bool>,
    spread: Option<(Spread, Vec<NearbyKey>)>,
}

/// A key nearby to which the pull spreads: the tail moves there too, by a share of the movement.
#[derive(Clone, Debug)]
struct NearbyKey {
    frame: f32,
    share: f32,
    start: StartPose,
}

/// A pose in which the tail is pulled.
#[derive(Clone, Debug)]
pub(super) struct StartPose {
    /// With the handles that take part.
    pub(super) skeleton: Skeleton,
    /// Handles that pull; the second one pulls the other side across the plane.
    pulled: Vec<Pulled>,
    plane: MirrorPlane,
    /// Feet that a body which is led carries along.
    raised_feet: RaisedFeet,
    /// Whether the whole body moves as it is, since nothing holds it.
    is_in_air: bool,
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
        let start = StartPose::new(view, &VisiblePose::from_view(view, &mesh)?, bone, whole_body);
        let spread = Spread::from_view(view, &mesh).map(|spread| {
            let nearby = spread.shares().into_iter().filter_map(|(frame, share)| {
                let pose = VisiblePose::at_frame(view, &mesh, frame)?;
                Some(NearbyKey { frame, share, start: StartPose::at_key(view, &pose, bone, whole_body) })
            });
            let nearby = nearby.collect();
            (spread, nearby)
        });
        let changed = vec![false; start.skeleton.bones.len() + 1];
        Some(Self { mesh, start, changed, spread })
    }

    /// Returns the whole change for a movement of the tail since the press, in skeleton space: the poses of the bones that
    /// turn, the base offset if it moves, and the keys nearby if the pull spreads.
    pub fn commands(&mut self, moved: Vec3) -> Vec<Command> {
        let (before, solved) = (&self.start.skeleton, self.start.solve(moved));
        let turned =
            solved.bones.iter().zip(&before.bones).map(|(bone, before)| bone.pose_deg != before.pose_deg);
        let is_new = turned.chain([solved.base_offset != before.base_offset]);
        self.changed.iter_mut().zip(is_new).for_each(|(changed, is_new)| *changed |= is_new);
        let mut commands = Vec::new();
        for (index, bone) in solved.bones.iter().enumerate().filter(|(index, _)| self.changed[*index]) {
            commands.push(Command::set_bone(self.mesh.clone(), index, POSE.info.id, bone.pose_deg));
        }
        if self.changed[solved.bones.len()] {
            let id = BASE_OFFSET.info.id;
            commands.push(Command::set_skeleton(self.mesh.clone(), id, solved.base_offset));
        }
        let keys = self.spread.as_ref().map(|(spread, nearby)| {
            let solve = |nearby: &NearbyKey| {
                let solved = nearby.start.solve(moved * nearby.share);
                (nearby.frame, self.values(&solved))
            };
            let nearby: Vec<_> = nearby.iter().map(solve).collect();
            spread.command(&self.values(&solved), &nearby)
        });
        commands.extend(keys.flatten());
        commands
    }

    /// Returns the values of the channels that this pull has changed.
    fn values(&self, solved: &Skeleton) -> Vec<(ChannelRef, Value)> {
        let poses =
            solved.bones.iter().map(|bone| (SkeletonChannel::Bone(bone.channel_id, POSE), bone.pose_deg));
        let all = poses.chain([(SkeletonChannel::Base(BASE_OFFSET), solved.base_offset)]);
        let changed = all.zip(&self.changed).filter(|(_, changed)| **changed);
        let value = |((channel, value), _)| (ChannelRef::new(&self.mesh, channel), Value::Vec3(value));
        changed.map(value).collect()
    }
}

impl StartPose {
    /// See [`Pull::new`].
    fn new(view: &View, pose: &VisiblePose, bone: usize, whole_body: bool) -> Self {
        let mut skeleton = pose.skeleton.clone();
        let sides = BothSides::new(&skeleton);
        let other = sides.others.get(bone).copied().flatten();
        let other = other.filter(|&other| other != bone && view.session.symmetric());
        let bones: Vec<usize> = [bone].into_iter().chain(other).collect();
        let is_hips = parent_of(&skeleton, bone).is_none() || hips(&skeleton) == Some(bone);
        let (active, standing) = standing_feet(view, &skeleton, bones.clone());
        let stands = !active.is_empty() || !standing.is_empty();
        let is_in_air = is_hips && !stands && !feet(&skeleton).is_empty();
        let body = whole_body || is_hips && stands;
        let limb = Handle { bone: bone as u32, chain: Some(limb(&skeleton, bone)), ..Handle::default() };
        if body {
            skeleton.root_free |= stands;
        } else {
            skeleton.root_free = false;
            // Handles of other limbs would take part with their own bones.
            let mut in_limb = vec![false; skeleton.bones.len()];
            for &bone in &bones {
                let limb = Handle { bone: bone as u32, ..limb.clone() };
                chain(&skeleton, &limb).for_each(|bone| in_limb[bone] = true);
            }
            let holds = |handle: &Handle| chain(&skeleton, handle).any(|bone| in_limb[bone]);
            let holds: Vec<bool> = skeleton.handles.iter().map(holds).collect();
            for (handle, holds) in skeleton.handles.iter_mut().zip(holds) {
                handle.enabled &= holds;
            }
        }
        // What is stretched stays so: the solver starts from there.
        skeleton.handles.iter_mut().for_each(|handle| handle.stretch = 0.0);
        if body {
            // Toes that are held would leave the ankle to tip.
            let bones = standing.iter().flat_map(|foot| {
                // The first of its bones ends at the ankle.
                let below_ankle = foot.bones.iter().skip(1);
                let is_part =
                    move |bone: &usize| *bone == foot.bone || below_ankle.clone().any(|it| it == bone);
                with_ancestors(&skeleton, foot.bone).take_while(is_part)
            });
            let holding: Vec<Handle> = bones.filter_map(|bone| pose.holding(bone)).collect();
            skeleton.handles.extend(holding);
        }
        let pulled = bones
            .iter()
            .filter_map(|&bone| {
                let target = pose.tip(bone)?;
                let mut handle = Handle {
                    bone: bone as u32,
                    target,
                    enabled: true,
                    chain: limb.chain.filter(|_| !body),
                    ..Handle::default()
                };
                if is_hips && skeleton.root_free {
                    handle.orientation = pose.orientation(&handle, 1.0);
                }
                let clavicle = Clavicle::above(&skeleton, bone).filter(|_| !body);
                skeleton.handles.push(handle);
                Some(Pulled { handle: skeleton.handles.len() - 1, start: target, clavicle })
            })
            .collect();
        let raised_feet = if body { RaisedFeet::new(&pose.skeleton, &bones) } else { RaisedFeet::default() };
        if skeleton.ik_prior == 0.0 {
            skeleton.ik_prior = PRIOR;
        }
        Self { skeleton, pulled, plane: sides.plane, raised_feet, is_in_air }
    }

    /// The same for a pose that keys give at another frame.
    pub(super) fn at_key(view: &View, pose: &VisiblePose, bone: usize, whole_body: bool) -> Self {
        let mut start = Self::new(view, pose, bone, whole_body);
        // A pose beyond its limits would jump to them even where it hardly moves.
        for bone in &mut start.skeleton.bones {
            bone.limits_deg = bone.limits_deg.widened_to(bone.pose_deg);
        }
        start
    }

    /// Returns the pose after the tail has moved, in skeleton space.
    pub(super) fn solve(&self, moved: Vec3) -> Skeleton {
        let mut solved = self.skeleton.clone();
        if self.is_in_air {
            solved.base_offset += moved;
            return solved;
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
        self.raised_feet.raise(&mut solved);
        solved
    }
}
