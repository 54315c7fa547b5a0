//! Detection of joints outside the body: the ends of bones, about which they rotate, belong inside the
//! surface that they move.

use super::kinematics::{bind_pose, parent_of};
use super::skeleton::Skeleton;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::interior::Interior;
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;

/// The distance by which a joint may be outside the surface, as a fraction of the surface's size, so that
/// fingers and toes can end on it.
const TOLERANCE: f32 = 0.005;

/// An end of a bone in the bind pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// The bone that ends at the joint; if there is none, the bone that starts there.
    pub bone: usize,
    pub position: Vec3,
}

/// The joints of a skeleton that are outside a surface, each once, cached until either changes. Only joints
/// that have moved are tested again.
#[derive(Default)]
pub struct OutsideJoints {
    interior: Option<Interior>,
    skeleton: Option<Arc<Skeleton>>,
    /// The results, keyed by the bits of the position.
    results: HashMap<[u32; 3], bool>,
    found: Arc<Vec<Joint>>,
}

impl OutsideJoints {
    /// Whether [`Self::get`] must first find the inside of `surface`, which takes long for large surfaces.
    pub fn lacks(&self, surface: &Arc<HalfedgeMesh>) -> bool {
        let is_same = |interior: &Interior| interior.is_built_from(surface);
        !self.interior.as_ref().is_some_and(is_same)
    }

    /// Takes the inside of a surface that was found elsewhere.
    pub fn insert(&mut self, interior: Interior) {
        *self = Self { interior: Some(interior), ..Self::default() };
    }

    /// Returns the joints in ascending order of bones. Links, and joints that exist only because of them, are
    /// skipped.
    pub fn get(&mut self, skeleton: &Arc<Skeleton>, surface: &Arc<HalfedgeMesh>) -> Arc<Vec<Joint>> {
        let same_surface = !self.lacks(surface);
        let same_skeleton = self.skeleton.as_ref().is_some_and(|known| Arc::ptr_eq(known, skeleton));
        if same_skeleton && same_surface {
            return self.found.clone();
        }
        if !same_surface {
            *self = Self::default();
        }
        self.skeleton = Some(skeleton.clone());
        let joints = joints(skeleton);
        if joints.is_empty() {
            self.found = Arc::default();
            return self.found.clone();
        }
        let interior = self.interior.get_or_insert_with(|| Interior::new(surface));
        let tolerance = TOLERANCE * interior.bounds().diagonal();
        let results = &self.results;
        let tested = joints.par_iter().map(|joint| {
            let key = joint.position.to_array().map(f32::to_bits);
            let outside = results.get(&key).copied();
            (key, outside.unwrap_or_else(|| interior.is_outside(joint.position, tolerance)))
        });
        let tested: Vec<_> = tested.collect();
        let outside = joints.iter().zip(&tested).filter(|(_, (_, outside))| *outside);
        self.found = Arc::new(outside.map(|(joint, _)| *joint).collect());
        self.results = tested.into_iter().collect();
        self.found.clone()
    }
}

/// Returns the ends of bones that are not hidden, and the starts that are not at the end of another bone.
fn joints(skeleton: &Skeleton) -> Vec<Joint> {
    let mut joints = Vec::with_capacity(skeleton.bones.len() + 1);
    let mut starts: Vec<DVec3> = Vec::new();
    for (bone, (bind, this)) in bind_pose(skeleton).iter().zip(&skeleton.bones).enumerate() {
        if this.link || this.hidden {
            continue;
        }
        let is_end = parent_of(skeleton, bone).is_some_and(|parent| !skeleton.bones[parent].link);
        let start = bind.translation;
        if !is_end && !starts.contains(&start) {
            starts.push(start);
            joints.push(Joint { bone, position: start.as_vec3() });
        }
        let end = (start + this.extent.as_dvec3()).as_vec3();
        joints.push(Joint { bone, position: end });
    }
    joints
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives;
    use crate::rig::edits::add_bone;
    use crate::rig::edits::links::add_linked_bone;

    /// A spine in a box of height two, an arm that leaves the box on the right, and a hand on it.
    fn skeleton() -> Skeleton {
        let mut skeleton = Skeleton { base: Vec3::Y * -0.9, ..Skeleton::default() };
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
    fn each_joint_outside_the_body_is_found_once() {
        let body = || primitives::cuboid(Vec3::new(1.0, 2.0, 1.0)).unwrap();
        let outside = found(skeleton(), body());
        assert_eq!(bones(&outside), [2, 3]);
        assert!(outside[0].position.distance(Vec3::new(0.8, 0.1, 0.0)) < 1e-6);
        // The spine ends above the surface, but within the tolerance.
        let mut longer = skeleton();
        longer.bones[1].extent.y = 0.91;
        assert_eq!(bones(&found(longer, body())), [2, 3]);
        // The root starts at the base, and roots that start at the same point are one joint.
        let mut low = skeleton();
        add_bone(&mut low, None, Vec3::Y * 0.4, 0.1, 4);
        low.base.y = -1.3;
        assert_eq!(bones(&found(low, body())), [0, 2, 3]);
    }

    #[test]
    fn both_ends_of_a_linked_bone_are_tested() {
        let mut skeleton = skeleton();
        let start = Vec3::new(-0.9, 0.1, 0.0);
        let tip = Vec3::X * 0.6;
        let other = add_linked_bone(&mut skeleton, Some(0), start, (tip, 0.1), [8, 9]);
        let body = primitives::cuboid(Vec3::new(1.0, 2.0, 1.0)).unwrap();
        let outside = found(skeleton, body);
        assert_eq!(bones(&outside), [2, 3, other]);
        assert!(outside[2].position.distance(start) < 1e-6);
    }

    #[test]
    fn open_and_empty_surfaces_and_empty_skeletons_give_nothing() {
        let plate = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
        let plate = HalfedgeMesh::from_polygons(plate, &[vec![0, 1, 2]], None).unwrap();
        assert_eq!(found(skeleton(), plate), []);
        assert_eq!(found(skeleton(), HalfedgeMesh::default()), []);
        let body = primitives::cuboid(Vec3::ONE).unwrap();
        assert_eq!(found(Skeleton::default(), body), []);
    }

    /// Cached while nothing changes, and correct after any change, including of the surface and the number of
    /// bones.
    #[test]
    fn cached_results_match_fresh_ones() {
        let mut cached = OutsideJoints::default();
        let surfaces = [1.0, 3.0].map(|width| primitives::cuboid(Vec3::new(width, 2.0, 1.0)).unwrap());
        let surfaces = surfaces.map(Arc::new);
        let mut longer = skeleton();
        longer.bones[3].extent.x = 2.0;
        let mut fewer = skeleton();
        fewer.bones.truncate(3);
        let skeletons = [skeleton(), longer, fewer, Skeleton::default()].map(Arc::new);
        for surface in [0, 1, 0] {
            for index in [0, 1, 0, 2, 3, 1, 0] {
                let (skeleton, surface) = (&skeletons[index], &surfaces[surface]);
                let fresh = OutsideJoints::default().get(skeleton, surface);
                let first = cached.get(skeleton, surface);
                assert_eq!(first, fresh);
                assert!(Arc::ptr_eq(&first, &cached.get(skeleton, surface)));
            }
        }
    }
}
