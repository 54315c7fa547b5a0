//! Capsule weights: max(0, r - d)/r for each bone in the bind pose, normalised; zeros are not stored.
//!
//! d is the distance of the vertex from the bone's segment (start to tip), r the bone's radius
//! (Scotty3D, assignment A4T3). Ignores the surface between the vertices, so limbs that are close together
//! influence each other.

use super::bone_capsule::Capsule;
use super::broad_phase::{BLOCK, Block};
use super::method::{Descriptor, Method, MethodError};
use super::progress::Progress;
use super::vertex_weights::VertexWeights;
use crate::math::simd::Path;
use crate::rig::skeleton::Skeleton;
use glam::{DVec3, Vec3};
use rayon::prelude::*;

/// The number of vertices per parallel task; fewer are not worth waking another thread.
const CHUNK: usize = 4096;
/// The number of chunks between two progress reports.
const SLAB: usize = 16;

pub(super) static DESCRIPTOR: Descriptor = Descriptor {
    id: "capsule",
    label: "Capsule radius",
    about: "Within each bone's radius, fading towards it. Fast and predictable.",
    params: &[],
    depends_on_radius: true,
    has_findings: false,
    cost: 1,
    needs: |_| Ok(()),
    calculate: |_, skeleton, surface, progress| {
        let weights = calculate_all(skeleton, surface.positions(), progress);
        weights.map(Into::into).ok_or(MethodError::Cancelled)
    },
};

impl Method {
    pub const CAPSULE: Self = Self::new(&DESCRIPTOR, [0.0; 2]);
}

/// The method of files that do not store one.
impl Default for Method {
    fn default() -> Self {
        Self::CAPSULE
    }
}

/// Calculates the weights of all vertices: max(0, r - d)/r for each bone in the bind pose, divided by their
/// sum. Vertices beyond the radii of all bones get no weights. Each vertex's bones are in ascending order.
///
/// `positions`: V, in skeleton space (= mesh space). Bones whose radius is not positive and finite have no
/// influence, nor do bones beyond the 65,536 that weights can index. The result does not depend on the number
/// of threads.
pub fn capsule_weights(skeleton: &Skeleton, positions: &[Vec3]) -> VertexWeights {
    calculate_all(skeleton, positions, &|_| true).unwrap_or_default()
}

/// Calculates [`capsule_weights`] with progress; `None` if `progress` cancelled it.
fn calculate_all(skeleton: &Skeleton, positions: &[Vec3], progress: &Progress<'_>) -> Option<VertexWeights> {
    let capsules = Capsule::all(skeleton);
    if positions.len() <= CHUNK {
        return progress(0.0).then(|| calculate_chunk(&capsules, positions));
    }
    let mut parts: Vec<VertexWeights> = Vec::new();
    for (i, slab) in positions.chunks(SLAB * CHUNK).enumerate() {
        if !progress((i * SLAB * CHUNK) as f32 / positions.len() as f32) {
            return None;
        }
        let chunks = slab.par_chunks(CHUNK);
        parts.par_extend(chunks.map(|chunk| calculate_chunk(&capsules, chunk)));
    }
    Some(concatenate(&parts))
}

fn calculate_chunk(capsules: &[Capsule], positions: &[Vec3]) -> VertexWeights {
    let mut out =
        VertexWeights { ends: Vec::with_capacity(positions.len()), bones: Vec::new(), weights: Vec::new() };
    let path = Path::best();
    let mut broad_phase = Block::new();
    let mut near: Vec<&Capsule> = Vec::with_capacity(capsules.len());
    let mut unnormalized: Vec<f64> = Vec::with_capacity(capsules.len());
    for block in positions.chunks(BLOCK) {
        let (center, radius) = bounding_sphere(block);
        near.clear();
        near.extend(capsules.iter().filter(|capsule| capsule.reaches(center, radius)));
        let fits_mask = near.len() <= u64::BITS as usize;
        if fits_mask {
            broad_phase.find(path, block, center, radius, &near);
        }
        for (v, position) in block.iter().enumerate() {
            let point = position.as_dvec3();
            unnormalized.clear();
            let mut add = |capsule: &Capsule| {
                let weight = capsule.weight(point);
                if weight > 0.0 {
                    out.bones.push(capsule.bone);
                    unnormalized.push(weight);
                }
            };
            if fits_mask {
                let mut bits = broad_phase.near[v];
                while bits != 0 {
                    add(near[bits.trailing_zeros() as usize]);
                    bits &= bits - 1;
                }
            } else {
                near.iter().for_each(|capsule| add(capsule));
            }
            let sum: f64 = unnormalized.iter().sum();
            out.weights.extend(unnormalized.iter().map(|weight| (weight / sum) as f32));
            out.ends.push(out.bones.len() as u32);
        }
    }
    out
}

/// Returns the centre and radius of a sphere around `points`, not necessarily the smallest.
fn bounding_sphere(points: &[Vec3]) -> (DVec3, f64) {
    let first = points.first().map_or(DVec3::ZERO, |p| p.as_dvec3());
    let (mut low, mut high) = (first, first);
    for p in points {
        low = low.min(p.as_dvec3());
        high = high.max(p.as_dvec3());
    }
    (0.5 * (low + high), 0.5 * (high - low).length())
}

fn concatenate(parts: &[VertexWeights]) -> VertexWeights {
    let mut all = VertexWeights {
        ends: Vec::with_capacity(parts.iter().map(|part| part.ends.len()).sum()),
        bones: Vec::with_capacity(parts.iter().map(|part| part.bones.len()).sum()),
        weights: Vec::with_capacity(parts.iter().map(|part| part.weights.len()).sum()),
    };
    for part in parts {
        let before = all.bones.len() as u32;
        all.ends.extend(part.ends.iter().map(|end| before + end));
        all.bones.extend_from_slice(&part.bones);
        all.weights.extend_from_slice(&part.weights);
    }
    all
}
