//! What a move drag moves, and the command that says so.

use crate::edit::active_rig::ActiveRig;
use crate::edit::command::{Command, Posing};
use crate::edit::selection::Part;
use crate::edit::view::Tab;
use crate::rig::edits::links::with_links;
use crate::rig::kinematics::parent_of;
use crate::rig::skeleton::Pole;
use glam::{Mat3, Vec3};

/// A point of the skeleton with its value at the press. Values are in skeleton space.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveTarget {
    mesh: String,
    what: What,
    start: Vec3,
    /// Other tips that move along: bone and extent at the press, and whether its start moves too.
    /// In ascending order, the bone itself among them; empty where it moves alone.
    together: Vec<(usize, Vec3, bool)>,
    skeleton_from_world: Mat3,
    /// Where it was at the press, world space.
    pub origin: Vec3,
    /// What its arrows point along, unit, world space.
    pub axes: [Vec3; 3],
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum What {
    /// The extent of a bone, in the bind pose.
    Tip(usize),
    /// Where a bone starts; its tip stays here.
    Start {
        bone: usize,
        tip: Vec3,
    },
    /// Where a bone starts; its extent stays.
    Whole {
        bone: usize,
        extent: Vec3,
    },
    HandleTarget(usize),
    /// The pole of a handle, with its weight.
    Pole(usize, f32),
    Base,
    BaseOffset,
}

impl What {
    /// What it is of.
    fn part(self) -> Part {
        match self {
            Self::Tip(bone) | Self::Start { bone, .. } | Self::Whole { bone, .. } => Part::Bone(bone),
            Self::HandleTarget(handle) => Part::Handle(handle),
            Self::Pole(handle, _) => Part::Pole(handle),
            Self::Base | Self::BaseOffset => Part::Base,
        }
    }
}

impl MoveTarget {
    /// The point that a part is moved by: a bone's tip (Rig tab only), a handle's target, its pole, the base (Rig tab)
    /// or its offset (Animate tab). `None` for what cannot be moved, or not under a flat instance.
    pub fn from_part(stage: &ActiveRig, part: Part) -> Option<Self> {
        let skeleton = stage.skeleton;
        let (what, start, origin) = match (part, stage.tab) {
            (Part::Bone(bone), Tab::Rig) => {
                let extent = skeleton.bones.get(bone)?.extent;
                (What::Tip(bone), extent, stage.bone_tip(bone)?)
            }
            (Part::Bone(_), Tab::Animate) => return None,
            (Part::Handle(handle), _) => {
                let target = skeleton.handles.get(handle)?.target;
                (What::HandleTarget(handle), target, stage.handle_target(handle)?)
            }
            (Part::Pole(handle), _) => {
                let pole = skeleton.handles.get(handle)?.pole?;
                (What::Pole(handle, pole.weight), pole.point, stage.pole(handle)?)
            }
            (Part::Base, Tab::Rig) => (What::Base, skeleton.base, stage.base()),
            (Part::Base, Tab::Animate) => (What::BaseOffset, skeleton.base_offset, stage.base()),
        };
        Self::new(stage, what, start, origin)
    }

    /// The start of a bone in the Rig tab: its parent's tip moves, or the base; its own tip stays.
    pub fn of_start(stage: &ActiveRig, bone: usize) -> Option<Self> {
        let start = stage.skeleton_from_bone.get(bone)?.translation.as_vec3();
        let tip = start + stage.skeleton.bones.get(bone)?.extent;
        Self::new(stage, What::Start { bone, tip }, start, stage.bone_start(bone)?)
    }

    /// A whole bone in the Rig tab: both its ends move, its neighbours stretch.
    pub fn of_whole(stage: &ActiveRig, bone: usize) -> Option<Self> {
        let start = stage.skeleton_from_bone.get(bone)?.translation.as_vec3();
        let extent = stage.skeleton.bones.get(bone)?.extent;
        let middle = stage.bone_start(bone)?.midpoint(stage.bone_tip(bone)?);
        Self::new(stage, What::Whole { bone, extent }, start, middle)
    }

    /// The same with the tips of other bones moving along. Changes nothing but moves of a tip.
    pub fn with_tips(mut self, stage: &ActiveRig, bones: &[usize]) -> Self {
        let What::Tip(own) = self.what else { return self };
        let mut moving: Vec<usize> = bones.iter().copied().chain([own]).collect();
        moving.sort_unstable();
        moving.dedup();
        // A link between two that move keeps its length.
        let on_moving = |link: &usize| {
            let parent = parent_of(stage.skeleton, *link);
            parent.is_some_and(|parent| moving.contains(&parent))
        };
        let mut links = with_links(stage.skeleton, &moving);
        links.retain(|link| !moving.contains(link) && on_moving(link));
        moving.extend(links);
        moving.sort_unstable();
        if moving.len() > 1 {
            let together = moving.iter().filter_map(|&bone| {
                let parent = parent_of(stage.skeleton, bone);
                let extent = stage.skeleton.bones.get(bone)?.extent;
                Some((
                    bone,
                    extent,
                    parent.is_some_and(|parent| moving.contains(&parent)),
                ))
            });
            self.together = together.collect();
        }
        self
    }

    /// What moves, so that nothing snaps to it. `None` where nothing snaps at all.
    pub(super) fn moving(&self, stage: &ActiveRig) -> Option<Vec<Part>> {
        match self.what {
            What::Tip(bone) if self.together.is_empty() => {
                let start = parent_of(stage.skeleton, bone).map_or(Part::Base, Part::Bone);
                Some(vec![Part::Bone(bone), start])
            }
            What::Start { bone, .. } => {
                let start = parent_of(stage.skeleton, bone).map_or(Part::Base, Part::Bone);
                Some(vec![Part::Bone(bone), start])
            }
            _ => None,
        }
    }

    fn new(stage: &ActiveRig, what: What, start: Vec3, origin: Vec3) -> Option<Self> {
        let skeleton_from_world = Mat3::from_mat4(stage.world_from_skeleton).inverse();
        let usable = skeleton_from_world.is_finite() && start.is_finite() && origin.is_finite();
        (usable && stage.scale() > 0.0).then(|| Self {
            mesh: stage.mesh.to_owned(),
            what,
            start,
            together: Vec::new(),
            skeleton_from_world,
            origin,
            axes: stage.axes_of(what.part()),
        })
    }

    /// The whole change for a world-space movement since the press. Nothing if a number would overflow.
    pub fn commands(&self, moved_in_world: Vec3) -> Vec<Command> {
        let moved = self.skeleton_from_world * moved_in_world;
        let value = self.start + moved;
        if !value.is_finite() {
            return Vec::new();
        }
        let mesh = self.mesh.clone();
        if !self.together.is_empty() {
            // Parents first: a tip that moves takes the starts of its children along.
            let tips = self
                .together
                .iter()
                .map(|&(bone, extent, start_moves)| Command::MoveTip {
                    mesh: mesh.clone(),
                    bone,
                    extent: if start_moves { extent } else { extent + moved },
                });
            return tips.collect();
        }
        vec![match self.what {
            What::Start { bone, tip } => Command::MoveBone {
                mesh,
                bone,
                start: value,
                tip,
            },
            What::Whole { bone, extent } => Command::MoveBone {
                mesh,
                bone,
                start: value,
                tip: value + extent,
            },
            What::Tip(bone) => Command::MoveTip {
                mesh,
                bone,
                extent: value,
            },
            What::HandleTarget(handle) => Command::SetHandleTarget {
                mesh,
                handle,
                target: value,
            },
            What::Pole(handle, weight) => Command::SetPosing {
                mesh,
                value: Posing::Pole {
                    handle,
                    pole: Some(Pole { point: value, weight }),
                },
            },
            What::Base => Command::SetBase { mesh, base: value },
            What::BaseOffset => Command::SetBaseOffset {
                mesh,
                base_offset: value,
            },
        }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::testing::stage;
    use crate::rig::kinematics::{bind_pose, current_pose};
    use crate::rig::skeleton::{Bone, Handle, Skeleton};
    use glam::{Mat4, Quat};

    fn skeleton() -> Skeleton {
        let bone = |parent, extent| Bone {
            parent,
            extent,
            pose_deg: Vec3::new(30.0, -50.0, 20.0),
            ..Default::default()
        };
        Skeleton {
            bones: vec![bone(None, Vec3::Y), bone(Some(0), Vec3::new(0.5, 0.5, 0.0))],
            handles: vec![Handle {
                bone: 1,
                target: Vec3::new(0.3, 2.0, -1.0),
                enabled: true,
                channel_id: 0,
                pole: Some(Pole {
                    point: Vec3::new(-1.0, 0.5, 2.0),
                    weight: 0.5,
                }),
                ..Handle::default()
            }],
            base: Vec3::new(1.0, 0.0, 0.0),
            base_offset: Vec3::new(0.0, 0.0, 0.25),
            ..Default::default()
        }
    }

    /// After a command the thing shows where it was plus the movement.
    #[test]
    fn what_is_dragged_follows_in_world_space() {
        let skewed = Mat4::from_scale_rotation_translation(
            Vec3::new(2.0, 0.5, -1.5),
            Quat::from_rotation_y(0.8) * Quat::from_rotation_x(0.3),
            Vec3::new(4.0, 5.0, 6.0),
        );
        let moved = Vec3::new(0.3, -0.7, 0.11);
        for (tab, world) in [(Tab::Rig, Mat4::IDENTITY), (Tab::Animate, skewed)] {
            for part in [Part::Bone(1), Part::Handle(0), Part::Pole(0), Part::Base] {
                let before = skeleton();
                let mut after = skeleton();
                let pose = |s: &Skeleton| match tab {
                    Tab::Rig => bind_pose(s),
                    Tab::Animate => current_pose(s),
                };
                let place = |s: &Skeleton| {
                    let matrices = pose(s);
                    let stage = stage(tab, s, &matrices, world);
                    let at = match part {
                        Part::Bone(bone) => stage.bone_tip(bone),
                        Part::Handle(handle) => stage.handle_target(handle),
                        Part::Pole(handle) => stage.pole(handle),
                        Part::Base => Some(stage.base()),
                    };
                    (at.unwrap(), MoveTarget::from_part(&stage, part))
                };
                let (start, target) = place(&before);
                let Some(target) = target else {
                    assert_eq!((part, tab), (Part::Bone(1), Tab::Animate));
                    continue;
                };
                assert_eq!(target.origin, start);
                match &target.commands(moved)[..] {
                    [Command::MoveTip { bone: 1, extent, .. }] => after.bones[1].extent = *extent,
                    [
                        Command::SetHandleTarget {
                            handle: 0, target, ..
                        },
                    ] => after.handles[0].target = *target,
                    [
                        Command::SetPosing {
                            value: Posing::Pole { handle: 0, pole },
                            ..
                        },
                    ] => after.handles[0].pole = *pole,
                    [Command::SetBase { base, .. }] => after.base = *base,
                    [Command::SetBaseOffset { base_offset, .. }] => after.base_offset = *base_offset,
                    other => panic!("{other:?}"),
                }
                assert!(
                    (place(&after).0 - start).distance(moved) < 1e-5,
                    "{part:?} {tab:?}"
                );
            }
        }
    }

    #[test]
    fn nothing_moves_where_it_cannot() {
        let skeleton = skeleton();
        let matrices = current_pose(&skeleton);
        let flat = Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0));
        let mut stage = stage(Tab::Animate, &skeleton, &matrices, flat);
        assert_eq!(MoveTarget::from_part(&stage, Part::Handle(0)), None);
        stage.world_from_skeleton = Mat4::IDENTITY;
        assert_eq!(MoveTarget::from_part(&stage, Part::Handle(7)), None);
        let target = MoveTarget::from_part(&stage, Part::Handle(0)).unwrap();
        assert_eq!(target.commands(Vec3::splat(f32::INFINITY)), []);
    }
}
