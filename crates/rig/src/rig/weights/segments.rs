//! Shared parts of the methods: bones as segments in the bind pose, and weights calculated row by row.

use super::vertex_weights::VertexWeights;
use crate::math::segment::closest_parameter;
use crate::rig::kinematics::bind_pose;
use crate::rig::skeleton::Skeleton;
use glam::{DVec3, Vec3};
use rayon::prelude::*;

/// The number of vertices per parallel task; fewer are not worth waking another thread.
const CHUNK: usize = 2048;

/// A bone from its start to its tip, in skeleton space.
pub(super) struct Segment {
    pub start: DVec3,
    pub tip: DVec3,
    /// Whether this is a link. Links move no vertex: their distance is infinite.
    pub link: bool,
}

impl Segment {
    /// Returns the segments of all bones that weights can index (65,536).
    pub fn all(skeleton: &Skeleton) -> Vec<Self> {
        let bones = skeleton.bones.iter().zip(bind_pose(skeleton));
        let segment = |(bone, skeleton_from_bone): (&crate::rig::skeleton::Bone, glam::DAffine3)| Self {
            start: skeleton_from_bone.translation,
            tip: skeleton_from_bone.translation + bone.extent.as_dvec3(),
            link: bone.link,
        };
        bones.take(usize::from(u16::MAX) + 1).map(segment).collect()
    }

    pub fn closest_point(&self, point: DVec3) -> DVec3 {
        self.start.lerp(self.tip, closest_parameter(self.start, self.tip, point))
    }

    pub fn distance(&self, point: DVec3) -> f64 {
        if self.link {
            return f64::INFINITY;
        }
        point.distance(self.closest_point(point))
    }
}

/// Calculates a row of weights for each position. `weigh` pushes bones with unnormalised weights; each row is
/// divided by its sum and zeros are not stored. A row that sums to 0 stays empty. The result does not depend
/// on the number of threads.
pub(super) fn rows(positions: &[Vec3], weigh: impl Fn(DVec3, &mut Vec<(u16, f64)>) + Sync) -> VertexWeights {
    let part = |points: &[Vec3]| {
        let mut part = VertexWeights::none(0);
        let mut row = Vec::new();
        for point in points {
            row.clear();
            weigh(point.as_dvec3(), &mut row);
            push_normalized(&mut part, &row);
        }
        part
    };
    let mut all = VertexWeights::none(0);
    for part in positions.par_chunks(CHUNK).map(part).collect::<Vec<_>>() {
        let before = all.bones.len() as u32;
        all.ends.extend(part.ends.iter().map(|end| before + end));
        all.bones.extend(part.bones);
        all.weights.extend(part.weights);
    }
    all
}

/// Appends a row divided by its sum, without zeros.
pub(super) fn push_normalized(weights: &mut VertexWeights, row: &[(u16, f64)]) {
    let sum: f64 = row.iter().map(|(_, weight)| weight).sum();
    if sum > 0.0 {
        for &(bone, weight) in row {
            let weight = (weight / sum) as f32;
            if weight > 0.0 {
                weights.bones.push(bone);
                weights.weights.push(weight);
            }
        }
    }
    weights.ends.push(weights.bones.len() as u32);
}
