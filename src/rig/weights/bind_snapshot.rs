//! Which bones moved since weights were calculated for them.

use super::method::Method;
use crate::rig::kinematics::bind_pose;
use crate::rig::skeleton::{Skeleton, twins_apart};
use glam::Vec3;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Each bone's capsule as it was when the weights were calculated, by channel id. By default nothing is
/// known, and no bone counts as moved.
///
/// It goes with the weights through undo and redo. Files keep which bones have moved, not from where.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BindSnapshot {
    known: Option<Arc<Known>>,
    /// What all weights were calculated by, if that is known.
    method: Option<Method>,
    /// Some were changed afterwards.
    refined: bool,
}

/// `None` of bones that have moved, nobody knows from where.
type Known = BTreeMap<BoneId, Option<Capsule>>;

/// Channel id, and how many bones before it have the same, which damaged files give to several.
type BoneId = (u32, u32);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Capsule {
    /// In skeleton space, bind pose.
    start: Vec3,
    extent: Vec3,
    radius: f32,
    /// Moves no vertex, wherever it is.
    link: bool,
}

impl BindSnapshot {
    /// Weights that were calculated by `method` for this skeleton as it is.
    pub fn capture(skeleton: &Skeleton, method: Method) -> Self {
        Self {
            known: Some(Arc::new(known(skeleton).collect())),
            method: Some(method),
            refined: false,
        }
    }

    /// Weights that belong to this skeleton except for the bones at `moved`, which were elsewhere.
    pub fn capture_except(skeleton: &Skeleton, moved: &[usize]) -> Self {
        let bones = known(skeleton).enumerate();
        let bones = bones.map(|(i, (id, capsule))| (id, capsule.filter(|_| !moved.contains(&i))));
        Self {
            known: Some(Arc::new(bones.collect())),
            ..Self::default()
        }
    }

    /// The same after `bones` were calculated again.
    pub fn updated(&self, skeleton: &Skeleton, bones: &[usize]) -> Self {
        let now: Vec<_> = known(skeleton).collect();
        let mut known = match &self.known {
            Some(known) => (**known).clone(),
            None => now.iter().copied().collect(),
        };
        known.extend(bones.iter().filter_map(|&bone| now.get(bone).copied()));
        Self {
            known: Some(Arc::new(known)),
            ..self.refined()
        }
    }

    /// The same after weights were changed that no method calculated for all bones.
    pub fn refined(&self) -> Self {
        Self {
            refined: true,
            ..self.clone()
        }
    }

    /// What all weights were calculated by, if that is known, whatever happened to some of them since.
    pub fn method(&self) -> Option<Method> {
        self.method
    }

    /// Whether the weights are what a method gave, so that calculating them again loses nobody's work.
    pub fn is_pure(&self) -> bool {
        self.method.is_some() && !self.refined
    }

    /// Bones whose start, extent or radius is not what it was, and new ones; ascending. Radii count where
    /// the weights may depend on them: a bone without radius, then and now, has no influence then,
    /// wherever it is.
    pub fn moved(&self, skeleton: &Skeleton) -> Vec<usize> {
        let Some(known) = &self.known else {
            return Vec::new();
        };
        let radii = self
            .method
            .is_none_or(|method| method.descriptor().depends_on_radius);
        let differs = |(id, now): (BoneId, Capsule)| match known.get(&id) {
            _ if now.link => false,
            Some(Some(then)) => !then.is_near(&now, radii),
            Some(None) => true,
            None => now.radius > 0.0 || !radii,
        };
        let bones = capsules(skeleton).enumerate();
        bones
            .filter(|(_, capsule)| differs(*capsule))
            .map(|(i, _)| i)
            .collect()
    }
}

impl Capsule {
    /// But for rounding, which edits that keep a bone in place may leave behind.
    fn is_near(&self, other: &Self, radii: bool) -> bool {
        if radii && self.radius <= 0.0 && other.radius <= 0.0 {
            return true;
        }
        let size = self.radius.max(self.extent.length()).max(self.start.length());
        // Equal ones may be infinite, with a distance that is no number.
        let near = |a: Vec3, b: Vec3| a == b || a.distance(b) <= 1e-5 * size;
        near(self.start, other.start)
            && near(self.extent, other.extent)
            && (!radii || (self.radius - other.radius).abs() <= 1e-5 * self.radius)
    }
}

fn known(skeleton: &Skeleton) -> impl Iterator<Item = (BoneId, Option<Capsule>)> + '_ {
    capsules(skeleton).map(|(id, capsule)| (id, Some(capsule)))
}

fn capsules(skeleton: &Skeleton) -> impl Iterator<Item = (BoneId, Capsule)> + '_ {
    let ids = twins_apart(skeleton.bones.iter().map(|bone| bone.channel_id));
    let bones = skeleton.bones.iter().zip(bind_pose(skeleton));
    bones.zip(ids).map(|((bone, skeleton_from_bone), id)| {
        let capsule = Capsule {
            start: skeleton_from_bone.translation.as_vec3(),
            extent: bone.extent,
            radius: bone.radius,
            link: bone.link,
        };
        (id, capsule)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::edits;
    use crate::rig::skeleton::Bone;

    /// A chain of three and a root of its own.
    fn skeleton() -> Skeleton {
        let mut skeleton = Skeleton::default();
        for (i, parent) in [None, Some(0), Some(1), None].into_iter().enumerate() {
            edits::add_bone(&mut skeleton, parent, Vec3::new(0.1, 1.0, 0.3), 0.5, 5 + i as u32);
        }
        skeleton
    }

    fn new_bone(radius: f32) -> Bone {
        Bone {
            extent: Vec3::Y,
            radius,
            channel_id: 99,
            ..Bone::default()
        }
    }

    #[test]
    fn bones_that_moved_are_told_apart() {
        let before = skeleton();
        let snapshot = BindSnapshot::capture(&before, Method::CAPSULE);
        assert_eq!(snapshot.moved(&before), [0; 0]);
        let moved = |edit: &dyn Fn(&mut Skeleton)| {
            let mut after = skeleton();
            edit(&mut after);
            snapshot.moved(&after)
        };
        // The extent alone takes the children along.
        assert_eq!(moved(&|s| s.bones[1].extent.y = 2.0), [1, 2]);
        // A tip that moves keeps the children's tips: bone 2 starts elsewhere.
        assert_eq!(moved(&|s| edits::move_tip(s, 1, Vec3::X)), [1, 2]);
        assert_eq!(moved(&|s| s.base.x = 1.0), [0, 1, 2, 3]);
        assert_eq!(moved(&|s| s.bones[3].radius = 0.4), [3]);
        assert_eq!(moved(&|s| s.bones[3].parent = Some(2)), [3]);
        // What weights do not depend on.
        assert_eq!(moved(&|s| s.bones[3].pose_deg.x = 40.0), [0; 0]);
        assert_eq!(moved(&|s| s.bones[3].roll_deg = 40.0), [0; 0]);
        // Bone 3 is bone 2 now, and stays what it was.
        assert_eq!(moved(&|s| edits::delete_bone(s, 2)), [0; 0]);
        assert_eq!(moved(&|s| s.bones.push(new_bone(0.5))), [4], "a new bone");
        assert_eq!(moved(&|s| s.bones.push(new_bone(0.0))), [0; 0]);
    }

    #[test]
    fn radii_count_only_for_methods_that_use_them() {
        let heat = BindSnapshot::capture(&skeleton(), Method::FOR_NEW_MESHES);
        let mut after = skeleton();
        after.bones[3].radius = 0.0;
        assert_eq!(heat.moved(&after), [0; 0]);
        after.bones[3].extent.x += 1.0;
        after.bones.push(new_bone(0.0));
        assert_eq!(heat.moved(&after), [3, 4]);
    }

    #[test]
    fn some_bones_calculated_anew_are_up_to_date_and_the_rest_is_not() {
        let snapshot = BindSnapshot::capture(&skeleton(), Method::CAPSULE);
        let mut after = skeleton();
        after.base.x = 1.0;
        let some = snapshot.updated(&after, &[1, 3, 77]);
        assert_eq!(some.moved(&after), [0, 2]);
        assert!(some != snapshot);
        // What moved before, nobody knows from where.
        let but = BindSnapshot::capture_except(&after, &[2, 3, 77]);
        assert_eq!(but.moved(&after), [2, 3]);
        assert_eq!(but.updated(&after, &[3]).moved(&after), [2]);
        // Bones that share a channel id are each themselves.
        after.bones[3].channel_id = after.bones[0].channel_id;
        assert_eq!(
            BindSnapshot::capture(&after, Method::CAPSULE).moved(&after),
            [0; 0]
        );
        assert_eq!(BindSnapshot::capture_except(&after, &[0]).moved(&after), [0]);
        let unknown = BindSnapshot::default();
        assert_eq!(unknown.moved(&after), [0; 0]);
        assert_eq!(unknown.updated(&after, &[1]).moved(&after), [0; 0]);
    }
}
