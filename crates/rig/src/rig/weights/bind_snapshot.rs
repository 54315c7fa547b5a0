//! Tracks which bones have moved since their weights were calculated.

use super::method::Method;
use crate::rig::kinematics::bind_pose;
use crate::rig::skeleton::{Skeleton, number_duplicate_ids};
use glam::Vec3;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The capsule of each bone at the time its weights were calculated, by channel id. The default knows nothing
/// and reports no bone as moved.
///
/// Undo and redo restore it together with the weights. Files store which bones have moved, but not from
/// where.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BindSnapshot {
    known: Option<Arc<Known>>,
    /// The method that calculated all weights, if known.
    method: Option<Method>,
    /// Whether some weights were changed afterwards.
    refined: bool,
}

/// A capsule per bone; `None` for bones that moved from an unknown position.
type Known = BTreeMap<BoneId, Option<Capsule>>;

/// The channel id, and the number of earlier bones with the same id: damaged files contain duplicates.
type BoneId = (u32, u32);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Capsule {
    /// The start in skeleton space, bind pose.
    start: Vec3,
    extent: Vec3,
    radius: f32,
    /// Whether this is a link, which never moves a vertex.
    link: bool,
}

impl BindSnapshot {
    /// Creates the snapshot for weights just calculated by `method` for `skeleton`.
    pub fn capture(skeleton: &Skeleton, method: Method) -> Self {
        Self { known: Some(Arc::new(known(skeleton).collect())), method: Some(method), refined: false }
    }

    /// Creates the snapshot for weights that match `skeleton`, except that the bones `moved` were elsewhere.
    pub fn capture_except(skeleton: &Skeleton, moved: &[usize]) -> Self {
        let bones = known(skeleton).enumerate();
        let bones = bones.map(|(i, (id, capsule))| (id, capsule.filter(|_| !moved.contains(&i))));
        Self { known: Some(Arc::new(bones.collect())), ..Self::default() }
    }

    /// Returns the snapshot after the weights of `bones` were recalculated.
    pub fn updated(&self, skeleton: &Skeleton, bones: &[usize]) -> Self {
        let current: Vec<_> = known(skeleton).collect();
        let mut known = match &self.known {
            Some(known) => (**known).clone(),
            None => current.iter().copied().collect(),
        };
        known.extend(bones.iter().filter_map(|&bone| current.get(bone).copied()));
        Self { known: Some(Arc::new(known)), ..self.refined() }
    }

    /// Returns the snapshot after weights were edited other than by recalculating all bones.
    pub fn refined(&self) -> Self {
        Self { refined: true, ..self.clone() }
    }

    /// The method that calculated all weights, if known, regardless of later edits to some of them.
    pub fn method(&self) -> Option<Method> {
        self.method
    }

    /// Whether the weights are the unedited result of a method, so that recalculating them loses no work.
    pub fn is_pure(&self) -> bool {
        self.method.is_some() && !self.refined
    }

    /// Returns the bones whose start, extent or radius has changed, and new bones, in ascending order. Radii
    /// only count if the weights may depend on them; in that case a bone whose radius was and is 0 has no
    /// influence and is never reported.
    pub fn moved(&self, skeleton: &Skeleton) -> Vec<usize> {
        let Some(known) = &self.known else {
            return Vec::new();
        };
        let radii = self.method.is_none_or(|method| method.descriptor().depends_on_radius);
        let differs = |(id, current): (BoneId, Capsule)| match known.get(&id) {
            _ if current.link => false,
            Some(Some(original)) => !original.is_near(&current, radii),
            Some(None) => true,
            None => current.radius > 0.0 || !radii,
        };
        let bones = capsules(skeleton).enumerate();
        bones.filter(|(_, capsule)| differs(*capsule)).map(|(i, _)| i).collect()
    }
}

impl Capsule {
    /// Whether both are equal up to the rounding that edits leave behind even where a bone stays in place.
    fn is_near(&self, other: &Self, radii: bool) -> bool {
        if radii && self.radius <= 0.0 && other.radius <= 0.0 {
            return true;
        }
        let size = self.radius.max(self.extent.length()).max(self.start.length());
        // Equal points may be infinite, with a NaN distance.
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
    let ids = number_duplicate_ids(skeleton.bones.iter().map(|bone| bone.channel_id));
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

    /// A chain of three bones and a separate root.
    fn skeleton() -> Skeleton {
        let mut skeleton = Skeleton::default();
        for (i, parent) in [None, Some(0), Some(1), None].into_iter().enumerate() {
            edits::add_bone(&mut skeleton, parent, Vec3::new(0.1, 1.0, 0.3), 0.5, 5 + i as u32);
        }
        skeleton
    }

    fn new_bone(radius: f32) -> Bone {
        Bone { extent: Vec3::Y, radius, channel_id: 99, ..Bone::default() }
    }

    #[test]
    fn moved_bones_are_detected() {
        let before = skeleton();
        let snapshot = BindSnapshot::capture(&before, Method::CAPSULE);
        assert_eq!(snapshot.moved(&before), [0; 0]);
        let moved = |edit: &dyn Fn(&mut Skeleton)| {
            let mut after = skeleton();
            edit(&mut after);
            snapshot.moved(&after)
        };
        // Changing only the extent moves the children along.
        assert_eq!(moved(&|s| s.bones[1].extent.y = 2.0), [1, 2]);
        // Moving a tip preserves the children's tips: bone 2 starts elsewhere.
        assert_eq!(moved(&|s| edits::move_tip(s, 1, Vec3::X)), [1, 2]);
        assert_eq!(moved(&|s| s.base.x = 1.0), [0, 1, 2, 3]);
        assert_eq!(moved(&|s| s.bones[3].radius = 0.4), [3]);
        assert_eq!(moved(&|s| s.bones[3].parent = Some(2)), [3]);
        // Weights depend on neither pose nor roll.
        assert_eq!(moved(&|s| s.bones[3].pose_deg.x = 40.0), [0; 0]);
        assert_eq!(moved(&|s| s.bones[3].roll_deg = 40.0), [0; 0]);
        // Bone 3 is now bone 2 and unchanged.
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
    fn recalculated_bones_are_up_to_date_and_the_others_are_not() {
        let snapshot = BindSnapshot::capture(&skeleton(), Method::CAPSULE);
        let mut after = skeleton();
        after.base.x = 1.0;
        let some = snapshot.updated(&after, &[1, 3, 77]);
        assert_eq!(some.moved(&after), [0, 2]);
        assert!(some != snapshot);
        // Bones that moved earlier, from an unknown position.
        let except = BindSnapshot::capture_except(&after, &[2, 3, 77]);
        assert_eq!(except.moved(&after), [2, 3]);
        assert_eq!(except.updated(&after, &[3]).moved(&after), [2]);
        // Bones that share a channel id are tracked separately.
        after.bones[3].channel_id = after.bones[0].channel_id;
        assert_eq!(BindSnapshot::capture(&after, Method::CAPSULE).moved(&after), [0; 0]);
        assert_eq!(BindSnapshot::capture_except(&after, &[0]).moved(&after), [0]);
        let unknown = BindSnapshot::default();
        assert_eq!(unknown.moved(&after), [0; 0]);
        assert_eq!(unknown.updated(&after, &[1]).moved(&after), [0; 0]);
    }
}
