//! Finds the bones that heat each point of the surface.

use super::super::progress::Progress;
use super::super::segments::Segment;
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bones within this factor of the nearest distance count as equally near.
const EQUALLY_NEAR: f64 = 1.0 + 1e-4;
/// How many times as far as the nearest bone one may be that heats a point which does not see that one: the flank beside an arm.
const HIDDEN: f64 = 1.5;
/// The smallest distance between a point and a bone, as a fraction of the mesh's diagonal.
const MIN_DISTANCE: f64 = 1e-4;
/// The number of points per parallel task.
const CHUNK: usize = 1024;

/// The nearest bones of a point that it sees.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// The visible nearest bones in ascending order; empty if none is visible.
    pub bones: Vec<u16>,
    /// The distance to them, or to the nearest bone if none is visible; above 0.
    pub distance: f64,
}

impl Source {
    /// Returns the nearest bones, visible or not.
    pub fn nearest(point: DVec3, bones: &[Segment]) -> Self {
        Self::nearest_visible(point, bones, |_| true)
    }

    /// The nearest bones that are visible, up to [`HIDDEN`] times as far as the nearest of all.
    fn nearest_visible(point: DVec3, bones: &[Segment], is_visible: impl Fn(DVec3) -> bool) -> Self {
        let distances: Vec<f64> = bones.iter().map(|bone| bone.distance(point)).collect();
        let nearest = distances.iter().copied().fold(f64::INFINITY, f64::min);
        let mut from = 0.0;
        loop {
            let rest = distances.iter().copied().filter(|distance| *distance > from || from == 0.0);
            let next = rest.fold(f64::INFINITY, f64::min);
            if !next.is_finite() || next > HIDDEN * nearest {
                return Self { bones: Vec::new(), distance: nearest.max(MIN_DISTANCE) };
            }
            let most = next * EQUALLY_NEAR;
            let near = (0..=u16::MAX).zip(&distances).zip(bones);
            let near = near.filter(|((_, d), _)| (next..=most).contains(*d));
            let visible = near.filter(|(_, bone)| is_visible(bone.closest_point(point)));
            let found: Vec<u16> = visible.map(|((index, _), _)| index).collect();
            if !found.is_empty() {
                return Self { bones: found, distance: next.max(MIN_DISTANCE) };
            }
            // Not 0, which stands for the beginning.
            from = most.max(f64::MIN_POSITIVE);
        }
    }

    /// The strength H = k/d².
    pub fn strength(&self) -> f64 {
        self.bones.len() as f64 / (self.distance * self.distance)
    }
}

/// Finds the source of each point. `visible(from, point)`: whether nothing is between a point of a bone and the one of the
/// surface with this index. `None` if `progress` cancelled the search.
pub fn find(
    points: &[Vec3],
    bones: &[Segment],
    visible: impl Fn(Vec3, usize) -> bool + Sync,
    progress: &Progress<'_>,
) -> Option<Vec<Source>> {
    let done = AtomicUsize::new(0);
    let chunks = points.par_chunks(CHUNK).enumerate().map(|(number, chunk)| {
        let source = |(index, point): (usize, &Vec3)| {
            let is_visible = |from: DVec3| visible(from.as_vec3(), number * CHUNK + index);
            Source::nearest_visible(point.as_dvec3(), bones, is_visible)
        };
        let sources: Vec<Source> = chunk.iter().enumerate().map(source).collect();
        let finished = done.fetch_add(chunk.len(), Ordering::Relaxed) + chunk.len();
        progress(finished as f32 / points.len() as f32).then_some(sources)
    });
    let chunks: Option<Vec<_>> = chunks.collect();
    Some(chunks?.into_iter().flatten().collect())
}
