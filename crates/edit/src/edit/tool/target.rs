//! The point that a move drag moves, and the command that moves it.

use crate::edit::command::Command;
use crate::edit::select::active_rig::ActiveRig;
use crate::edit::select::selection::Part;
use crate::edit::settings::view::Tab;
use crate::rig::edits::links::with_links;
use crate::rig::kinematics::parent_of;
use crate::rig::property::TRANSLATION;
use crate::rig::skeleton::Pole;
use glam::{DAffine3, Mat3, Vec3};

/// A point of the skeleton and its value at the press. Values are in skeleton space.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveTarget {
    mesh: String,
    point: MovedPoint,
    start: Vec3,
    /// Other tips that move along: the bone, its extent at the press, and whether its start moves too. In
    /// ascending order and including the bone itself; empty if it moves alone.
    group: Vec<(usize, Vec3, bool)>,
    /// To the space of the value: that of the skeleton, or of a bone's parent.
    value_from_world: Mat3,
    /// The position at the press, world space.
    pub origin: Vec3,
    /// The directions of the arrows, unit, world space.
    pub axes: [Vec3; 3],
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum MovedPoint {
    /// The extent of a bone, in the bind pose.
    Tip(usize),
    /// The start of a bone; its tip stays in place.
    Start {
        bone: usize,
        tip: Vec3,
    },
    /// The start of a bone; its extent stays the same.
    Whole {
        bone: usize,
        extent: Vec3,
    },
    /// How far a bone is moved against its parent, in the pose.
    Translation(usize),
    HandleTarget(usize),
    /// The pole of a handle, with its weight.
    Pole(usize, f32),
    Base,
    BaseOffset,
}

impl MovedPoint {
    /// The part that the point belongs to.
    fn part(self) -> Part {
        match self {
            Self::Tip(bone)
            | Self::Start { bone, .. }
            | Self::Whole { bone, .. }
            | Self::Translation(bone) => Part::Bone(bone),
            Self::HandleTarget(handle) => Part::Handle(handle),
            Self::Pole(handle, _) => Part::Pole(handle),
            Self::Base | Self::BaseOffset => Part::Base,
        }
    }
}

impl MoveTarget {
    /// Returns the point that moves a part: a bone's tip (Rig tab only), a handle's target, its pole, the
    /// base (Rig tab) or its offset (Animate tab). `None` if it cannot be moved, or under a flat instance.
    pub fn from_part(rig: &ActiveRig, part: Part) -> Option<Self> {
        let skeleton = rig.skeleton;
        let (point, start, origin) = match (part, rig.tab) {
            (Part::Bone(bone), Tab::Rig) => {
                let extent = skeleton.bones.get(bone)?.extent;
                (MovedPoint::Tip(bone), extent, rig.bone_tip(bone)?)
            }
            (Part::Bone(_), Tab::Animate) => return None,
            (Part::Handle(handle), _) => {
                let target = skeleton.handles.get(handle)?.target;
                let point = MovedPoint::HandleTarget(handle);
                return Self::new(rig, point, target, rig.handle_target(handle)?)?.in_space(rig, handle);
            }
            (Part::Pole(handle), _) => {
                let pole = skeleton.handles.get(handle)?.pole?;
                let point = MovedPoint::Pole(handle, pole.weight);
                return Self::new(rig, point, pole.point, rig.pole(handle)?)?.in_space(rig, handle);
            }
            (Part::Shape(_), _) => return None,
            (Part::Base, Tab::Rig) => (MovedPoint::Base, skeleton.base, rig.base()),
            (Part::Base, Tab::Animate) => (MovedPoint::BaseOffset, skeleton.base_offset, rig.base()),
        };
        Self::new(rig, point, start, origin)
    }

    /// Converts a goal of a handle to the space in which it is stored.
    fn in_space(mut self, rig: &ActiveRig, handle: usize) -> Option<Self> {
        let space_from_skeleton = rig.space_from_skeleton(handle);
        if space_from_skeleton != DAffine3::IDENTITY {
            self.start = space_from_skeleton.transform_point3(self.start.as_dvec3()).as_vec3();
            self.value_from_world = space_from_skeleton.matrix3.as_mat3() * self.value_from_world;
        }
        self.value_from_world.is_finite().then_some(self)
    }

    /// Returns the start of a bone in the Rig tab: the parent's tip or the base moves, the bone's own tip
    /// stays in place.
    pub fn for_start(rig: &ActiveRig, bone: usize) -> Option<Self> {
        let start = rig.skeleton_from_bone.get(bone)?.translation.as_vec3();
        let tip = start + rig.skeleton.bones.get(bone)?.extent;
        Self::new(rig, MovedPoint::Start { bone, tip }, start, rig.bone_start(bone)?)
    }

    /// Returns a whole bone in the Rig tab: both its ends move, its neighbours stretch.
    pub fn for_whole(rig: &ActiveRig, bone: usize) -> Option<Self> {
        let start = rig.skeleton_from_bone.get(bone)?.translation.as_vec3();
        let extent = rig.skeleton.bones.get(bone)?.extent;
        let middle = rig.bone_start(bone)?.midpoint(rig.bone_tip(bone)?);
        Self::new(rig, MovedPoint::Whole { bone, extent }, start, middle)
    }

    /// Returns a bone that moves against its parent in the Animate tab.
    pub fn for_translation(rig: &ActiveRig, bone: usize) -> Option<Self> {
        let start = rig.skeleton.bones.get(bone)?.translation;
        let mut target = Self::new(rig, MovedPoint::Translation(bone), start, rig.bone_start(bone)?)?;
        // Translations are along the axes that the parent carries.
        if let Some(parent) = parent_of(rig.skeleton, bone) {
            let parent_from_skeleton = rig.skeleton_from_bone.get(parent)?.matrix3.inverse().as_mat3();
            target.value_from_world = parent_from_skeleton * target.value_from_world;
        }
        target.value_from_world.is_finite().then_some(target)
    }

    /// Makes the tips of other bones move along. Affects only moves of a tip.
    pub fn with_tips(mut self, rig: &ActiveRig, bones: &[usize]) -> Self {
        let MovedPoint::Tip(active) = self.point else {
            return self;
        };
        let mut moving: Vec<usize> = bones.iter().copied().chain([active]).collect();
        moving.sort_unstable();
        moving.dedup();
        // A link between two moving bones keeps its length.
        let on_moving = |link: &usize| {
            let parent = parent_of(rig.skeleton, *link);
            parent.is_some_and(|parent| moving.contains(&parent))
        };
        let mut links = with_links(rig.skeleton, &moving);
        links.retain(|link| !moving.contains(link) && on_moving(link));
        moving.extend(links);
        moving.sort_unstable();
        if moving.len() > 1 {
            let group = moving.iter().filter_map(|&bone| {
                let parent = parent_of(rig.skeleton, bone);
                let extent = rig.skeleton.bones.get(bone)?.extent;
                Some((bone, extent, parent.is_some_and(|parent| moving.contains(&parent))))
            });
            self.group = group.collect();
        }
        self
    }

    /// The moving parts, to which nothing may snap. `None` if the movement does not snap at all.
    pub(super) fn moving_parts(&self, rig: &ActiveRig) -> Option<Vec<Part>> {
        match self.point {
            MovedPoint::Tip(bone) if self.group.is_empty() => {
                let start = parent_of(rig.skeleton, bone).map_or(Part::Base, Part::Bone);
                Some(vec![Part::Bone(bone), start])
            }
            MovedPoint::Start { bone, .. } => {
                let start = parent_of(rig.skeleton, bone).map_or(Part::Base, Part::Bone);
                Some(vec![Part::Bone(bone), start])
            }
            _ => None,
        }
    }

    fn new(rig: &ActiveRig, point: MovedPoint, start: Vec3, origin: Vec3) -> Option<Self> {
        let value_from_world = Mat3::from_mat4(rig.world_from_skeleton).inverse();
        let usable = value_from_world.is_finite() && start.is_finite() && origin.is_finite();
        (usable && rig.scale() > 0.0).then(|| Self {
            mesh: rig.mesh.to_owned(),
            point,
            start,
            group: Vec::new(),
            value_from_world,
            origin,
            axes: rig.axes_of(point.part()),
        })
    }

    /// Returns the whole change for a world-space movement since the press; none if a number would overflow.
    pub fn commands(&self, moved_in_world: Vec3) -> Vec<Command> {
        let moved = self.value_from_world * moved_in_world;
        let value = self.start + moved;
        if !value.is_finite() {
            return Vec::new();
        }
        let mesh = self.mesh.clone();
        if !self.group.is_empty() {
            // Parents first: moving a tip moves the starts of its children.
            let tips = self.group.iter().map(|&(bone, extent, start_moves)| Command::MoveTip {
                mesh: mesh.clone(),
                bone,
                extent: if start_moves { extent } else { extent + moved },
            });
            return tips.collect();
        }
        vec![match self.point {
            MovedPoint::Start { bone, tip } => Command::MoveBone { mesh, bone, start: value, tip },
            MovedPoint::Whole { bone, extent } => {
                Command::MoveBone { mesh, bone, start: value, tip: value + extent }
            }
            MovedPoint::Tip(bone) => Command::MoveTip { mesh, bone, extent: value },
            MovedPoint::Translation(bone) => Command::set_bone(mesh, bone, TRANSLATION.info.id, value),
            MovedPoint::HandleTarget(handle) => Command::set_handle(mesh, handle, "target", value),
            MovedPoint::Pole(handle, weight) => {
                Command::set_handle(mesh, handle, "pole", Some(Pole { point: value, weight }))
            }
            MovedPoint::Base => Command::set_skeleton(mesh, "base", value),
            MovedPoint::BaseOffset => Command::set_skeleton(mesh, "base_offset", value),
        }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::testing::active_rig;
    use crate::rig::kinematics::{bind_pose, current_pose};
    use crate::rig::property::PropertyValue;
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
                pole: Some(Pole { point: Vec3::new(-1.0, 0.5, 2.0), weight: 0.5 }),
                ..Handle::default()
            }],
            base: Vec3::new(1.0, 0.0, 0.0),
            base_offset: Vec3::new(0.0, 0.0, 0.25),
            ..Default::default()
        }
    }

    /// After a command, the point is displayed at its old position plus the movement.
    #[test]
    fn the_moved_point_follows_in_world_space() {
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
                let locate = |s: &Skeleton| {
                    let matrices = pose(s);
                    let rig = active_rig(tab, s, &matrices, world);
                    let position = match part {
                        Part::Bone(bone) => rig.bone_tip(bone),
                        Part::Handle(handle) => rig.handle_target(handle),
                        Part::Pole(handle) => rig.pole(handle),
                        Part::Base => Some(rig.base()),
                        Part::Shape(_) => None,
                    };
                    (position.unwrap(), MoveTarget::from_part(&rig, part))
                };
                let (start, target) = locate(&before);
                let Some(target) = target else {
                    assert_eq!((part, tab), (Part::Bone(1), Tab::Animate));
                    continue;
                };
                assert_eq!(target.origin, start);
                let commands = target.commands(moved);
                match (&commands[..], commands[0].part_property()) {
                    ([Command::MoveTip { bone: 1, extent, .. }], _) => after.bones[1].extent = *extent,
                    (_, Some((_, [Part::Handle(0)], "target", PropertyValue::Vec3(target)))) => {
                        after.handles[0].target = *target;
                    }
                    (_, Some((_, [Part::Handle(0)], "pole", PropertyValue::Pole(pole)))) => {
                        after.handles[0].pole = *pole;
                    }
                    (_, Some((_, [Part::Base], "base", PropertyValue::Vec3(base)))) => after.base = *base,
                    (_, Some((_, [Part::Base], "base_offset", PropertyValue::Vec3(offset)))) => {
                        after.base_offset = *offset;
                    }
                    other => panic!("{other:?}"),
                }
                assert!((locate(&after).0 - start).distance(moved) < 1e-5, "{part:?} {tab:?}");
            }
        }
    }

    #[test]
    fn nothing_moves_where_it_cannot() {
        let skeleton = skeleton();
        let matrices = current_pose(&skeleton);
        let flat = Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0));
        let mut rig = active_rig(Tab::Animate, &skeleton, &matrices, flat);
        assert_eq!(MoveTarget::from_part(&rig, Part::Handle(0)), None);
        rig.world_from_skeleton = Mat4::IDENTITY;
        assert_eq!(MoveTarget::from_part(&rig, Part::Handle(7)), None);
        let target = MoveTarget::from_part(&rig, Part::Handle(0)).unwrap();
        assert_eq!(target.commands(Vec3::splat(f32::INFINITY)), []);
    }

    /// A bone that is moved against its parent goes where it is dragged, below a parent that is turned and scaled too.
    #[test]
    fn a_bone_in_the_pose_moves_as_the_pointer_does() {
        let mut skeleton = skeleton();
        skeleton.bones[0].scale = Vec3::new(1.5, 0.5, 2.0);
        skeleton.bones[1].translation = Vec3::new(0.25, 0.0, -0.5);
        let current = current_pose(&skeleton);
        let world = Mat4::from_scale_rotation_translation(
            Vec3::splat(2.0),
            Quat::from_rotation_y(1.0),
            Vec3::new(3.0, 0.0, 1.0),
        );
        let rig = active_rig(Tab::Animate, &skeleton, &current, world);
        let target = MoveTarget::for_translation(&rig, 1).unwrap();
        let moved = Vec3::new(0.3, -0.2, 0.5);
        let commands = target.commands(moved);
        let Some((_, _, "translation", PropertyValue::Vec3(translation))) = commands[0].part_property()
        else {
            panic!("{commands:?}");
        };
        let before = rig.bone_start(1).unwrap();
        let mut changed = skeleton.clone();
        changed.bones[1].translation = *translation;
        let current = current_pose(&changed);
        let after = rig.world_from_skeleton.transform_point3(current[1].translation.as_vec3());
        assert!(after.distance(before + moved) < 1e-5, "{after} is not {}", before + moved);
    }
}
