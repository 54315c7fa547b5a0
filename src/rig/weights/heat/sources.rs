//! Which bones warm each point of the surface.

use super::super::progress::Progress;
use super::super::segments::Segment;
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bones this much further than the nearest one are as near.
const AS_NEAR: f64 = 1.0 + 1e-4;
/// Points on a bone are warmed as if they were this far off, in diagonals of the mesh.
const NEAREST: f64 = 1e-4;
/// Points that one thread takes at a time.
const CHUNK: usize = 1024;

/// The bones that a point sees, of those nearest to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// Ascending; empty where the point sees none of them.
    pub bones: Vec<u16>,
    /// To the nearest bone; not zero.
    pub distance: f64,
}

impl Source {
    /// The nearest bones, seen or not.
    pub fn nearest(point: DVec3, bones: &[Segment]) -> Self {
        Self::seen(point, bones, |_| true)
    }

    fn seen(point: DVec3, bones: &[Segment], sees: impl Fn(DVec3) -> bool) -> Self {
        let distances: Vec<f64> = bones.iter().map(|bone| bone.distance(point)).collect();
        let nearest = distances.iter().copied().fold(f64::INFINITY, f64::min);
        let near = (0..=u16::MAX).zip(&distances).zip(bones);
        let near = near.filter(|((_, d), _)| **d <= nearest * AS_NEAR);
        let seen = near.filter(|(_, bone)| sees(bone.closest_point(point)));
        Self {
            bones: seen.map(|((index, _), _)| index).collect(),
            distance: nearest.max(NEAREST),
        }
    }

    /// H = k/d².
    pub fn strength(&self) -> f64 {
        self.bones.len() as f64 / (self.distance * self.distance)
    }
}

/// Per point. `visible(from, to)`: whether nothing lies between a point of a bone and one of the surface.
/// `None` if `progress` ended the work.
pub fn find(
    points: &[Vec3],
    bones: &[Segment],
    visible: impl Fn(Vec3, Vec3) -> bool + Sync,
    progress: &Progress<'_>,
) -> Option<Vec<Source>> {
    let done = AtomicUsize::new(0);
    let chunks = points.par_chunks(CHUNK).map(|chunk| {
        let of = |point: &Vec3| Source::seen(point.as_dvec3(), bones, |from| visible(from.as_vec3(), *point));
        let sources: Vec<Source> = chunk.iter().map(of).collect();
        let before = done.fetch_add(chunk.len(), Ordering::Relaxed) + chunk.len();
        progress(before as f32 / points.len() as f32).then_some(sources)
    });
    let chunks: Option<Vec<_>> = chunks.collect();
    Some(chunks?.into_iter().flatten().collect())
}
