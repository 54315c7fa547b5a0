//! Joints that lie outside the body: the ends of bones, where rotations have their centres, belong inside of the surface
//! that they move.

use super::kinematics::{bind_pose, parent_of};
use super::skeleton::Skeleton;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::interior::Interior;
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;

/// A joint may stand out of the surface by this part of its size, so that fingers and toes may end on it.
const TOLERANCE: f32 = 0.005;

/// An end of a bone in the bind pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// The bone that ends there; where none does, the one that starts there.
    pub bone: usize,
    pub at: Vec3,
}

/// The joints of a skeleton that lie outside of a surface, each once, kept until one of the two changes. Joints that stay
/// where they are are not looked at again.
#[derive(Default)]
pub struct OutsideJoints {
    interior: Option<Interior>,
    of: Option<Arc<Skeleton>>,
    /// By the bits of the position.
    known: HashMap<[u32; 3], bool>,
    found: Arc<Vec<Joint>>,
}

impl OutsideJoints {
    /// In ascending order of bones. Links and what they alone carry to are left out.
    pub fn get(&mut self, skeleton: &Arc<Skeleton>, surface: &Arc<HalfedgeMesh>) -> Arc<Vec<Joint>> {
        let same_surface = self.interior.as_ref().is_some_and(|known| known.is_of(surface));
        let same = self.of.as_ref().is_some_and(|of| Arc::ptr_eq(of, skeleton));
        if same && same_surface {
            return self.found.clone();
        }
        if !same_surface {
            *self = Self::default();
        }
        self.of = Some(skeleton.clone());
        let joints = joints(skeleton);
        if joints.is_empty() {
            self.found = Arc::default();
            return self.found.clone();
        }
        let interior = self.interior.get_or_insert_with(|| Interior::new(surface));
        let tolerance = TOLERANCE * interior.bounds().diagonal();
        let known = &self.known;
        let judged = joints.par_iter().map(|joint| {
            let key = joint.at.to_array().map(f32::to_bits);
            let outside = known.get(&key).copied();
            (
                key,
                outside.unwrap_or_else(|| interior.is_outside(joint.at, tolerance)),
            )
        });
        let judged: Vec<_> = judged.collect();
        let outside = joints.iter().zip(&judged).filter(|(_, (_, outside))| *outside);
        self.found = Arc::new(outside.map(|(joint, _)| *joint).collect());
        self.known = judged.into_iter().collect();
        self.found.clone()
    }
}

/// Where bones end, and where they start away from the ends of others.
fn joints(skeleton: &Skeleton) -> Vec<Joint> {
    let mut joints = Vec::with_capacity(skeleton.bones.len() + 1);
    let mut starts: Vec<DVec3> = Vec::new();
    for (bone, (bind, this)) in bind_pose(skeleton).iter().zip(&skeleton.bones).enumerate() {
        if this.link {
            continue;
        }
        let is_end = parent_of(skeleton, bone).is_some_and(|parent| !skeleton.bones[parent].link);
        let start = bind.translation;
        if !is_end && !starts.contains(&start) {
            starts.push(start);
            joints.push(Joint {
                bone,
                at: start.as_vec3(),
            });
        }
        let end = (start + this.extent.as_dvec3()).as_vec3();
        joints.push(Joint { bone, at: end });
    }
    joints
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives;
    use crate::rig::edits::add_bone;
    use crate::rig::edits::links::add_linked_bone;

    /// A spine in a box two high, an arm that leads out of it at the right, and a hand on it.
    fn skeleton() -> Skeleton {
        let mut skeleton = Skeleton {
            base: Vec3::Y * -0.9,
            ..Skeleton::default()
        };
        add_bone(&mut skeleton, None, Vec3::Y * 1.0, 0.1, 0);
        add_bone(&mut skeleton, Some(0), Vec3::Y * 0.9, 0.1, 1);
        add_bone(&mut skeleton, Some(0), Vec3::X * 0.8, 0.1, 2);
        add_bone(&mut skeleton, Some(2), Vec3::X * 0.3, 0.1, 3);
        skeleton
    }

    fn bones(found: &[Joint]) -> Vec<usize> {
        found.iter().map(|joint| joint.bone).collect()
    }

    fn found(skeleton: Skeleton, surface: HalfedgeMesh) -> Vec<Joint> {
        let found = OutsideJoints::default().get(&skeleton.into(), &surface.into());
        found.to_vec()
    }

    #[test]
    fn joints_outside_of_the_body_are_found_each_once() {
        let body = || primitives::cuboid(Vec3::new(1.0, 2.0, 1.0)).unwrap();
        let outside = found(skeleton(), body());
        assert_eq!(bones(&outside), [2, 3]);
        assert!(outside[0].at.distance(Vec3::new(0.8, 0.1, 0.0)) < 1e-6);
        // The spine ends on the surface, by less than the tolerance above it.
        let mut longer = skeleton();
        longer.bones[1].extent.y = 0.91;
        assert_eq!(bones(&found(longer, body())), [2, 3]);
        // The base is where the root starts, and roots that start in one place are one joint.
        let mut low = skeleton();
        add_bone(&mut low, None, Vec3::Y * 0.4, 0.1, 4);
        low.base.y = -1.3;
        assert_eq!(bones(&found(low, body())), [0, 2, 3]);
    }

    #[test]
    fn what_a_link_carries_counts_where_it_starts_and_ends() {
        let mut skeleton = skeleton();
        let start = Vec3::new(-0.9, 0.1, 0.0);
        let tip = Vec3::X * 0.6;
        let other = add_linked_bone(&mut skeleton, Some(0), start, (tip, 0.1), [8, 9]);
        let body = primitives::cuboid(Vec3::new(1.0, 2.0, 1.0)).unwrap();
        let outside = found(skeleton, body);
        assert_eq!(bones(&outside), [2, 3, other]);
        assert!(outside[2].at.distance(start) < 1e-6);
    }

    #[test]
    fn open_surfaces_empty_ones_and_no_bones_say_nothing() {
        let plate = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
        let plate = HalfedgeMesh::from_polygons(plate, &[vec![0, 1, 2]], None).unwrap();
        assert_eq!(found(skeleton(), plate), []);
        assert_eq!(found(skeleton(), HalfedgeMesh::default()), []);
        let body = primitives::cuboid(Vec3::ONE).unwrap();
        assert_eq!(found(Skeleton::default(), body), []);
    }

    /// Kept while nothing changes, right after any change, also of the surface and of the number of bones.
    #[test]
    fn what_is_kept_is_as_if_found_afresh() {
        let mut kept = OutsideJoints::default();
        let surfaces = [1.0, 3.0].map(|wide| primitives::cuboid(Vec3::new(wide, 2.0, 1.0)).unwrap());
        let surfaces = surfaces.map(Arc::new);
        let mut longer = skeleton();
        longer.bones[3].extent.x = 2.0;
        let mut fewer = skeleton();
        fewer.bones.truncate(3);
        let skeletons = [skeleton(), longer, fewer, Skeleton::default()].map(Arc::new);
        for surface in [0, 1, 0] {
            for of in [0, 1, 0, 2, 3, 1, 0] {
                let (of, surface) = (&skeletons[of], &surfaces[surface]);
                let afresh = OutsideJoints::default().get(of, surface);
                let first = kept.get(of, surface);
                assert_eq!(first, afresh);
                assert!(Arc::ptr_eq(&first, &kept.get(of, surface)));
            }
        }
    }
}
