//! Capsule weights: max(0, r - d)/r to each bone in the bind pose, normalised, zeros not stored.
//!
//! d is the distance of the vertex from the bone's segment (start to tip), r the bone's radius
//! (Scotty3D, assignment A4T3). Knows nothing of the surface between the vertices, so limbs that lie
//! close together share influence.

use super::bone_capsule::Capsule;
use super::broad_phase::{BLOCK, Block};
use super::method::{Descriptor, Method, MethodError};
use super::progress::Progress;
use super::vertex_weights::VertexWeights;
use crate::math::simd::Path;
use crate::rig::skeleton::Skeleton;
use glam::{DVec3, Vec3};
use rayon::prelude::*;

/// Vertices that one thread takes at a time; fewer are not worth waking another.
const CHUNK: usize = 4096;
/// Chunks between two looks at whether the work goes on.
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
        let weights = weigh_all(skeleton, surface.positions(), progress);
        weights.map(Into::into).ok_or(MethodError::Cancelled)
    },
};

impl Method {
    pub const CAPSULE: Self = Self::new(&DESCRIPTOR, [0.0; 2]);
}

/// What files that say nothing mean.
impl Default for Method {
    fn default() -> Self {
        Self::CAPSULE
    }
}

/// Weights of all vertices: to each bone max(0, r - d)/r in the bind pose, divided by their sum.
/// Vertices out of every bone's reach get none. A vertex's bones are in ascending order.
///
/// `positions`: V, in skeleton space (= mesh space). Bones with radius 0 (or none that is a positive,
/// finite number) have no influence, nor have bones beyond the 65,536 that weights can name.
/// The same result however many threads there are.
pub fn capsule_weights(skeleton: &Skeleton, positions: &[Vec3]) -> VertexWeights {
    weigh_all(skeleton, positions, &|_| true).unwrap_or_default()
}

/// As [`capsule_weights`]; `None` if `progress` ended the work.
fn weigh_all(skeleton: &Skeleton, positions: &[Vec3], progress: &Progress<'_>) -> Option<VertexWeights> {
    let capsules = Capsule::all(skeleton);
    if positions.len() <= CHUNK {
        return progress(0.0).then(|| weigh(&capsules, positions));
    }
    let mut parts: Vec<VertexWeights> = Vec::new();
    for (i, slab) in positions.chunks(SLAB * CHUNK).enumerate() {
        if !progress((i * SLAB * CHUNK) as f32 / positions.len() as f32) {
            return None;
        }
        let chunks = slab.par_chunks(CHUNK);
        parts.par_extend(chunks.map(|chunk| weigh(&capsules, chunk)));
    }
    Some(concatenate(&parts))
}

fn weigh(capsules: &[Capsule], positions: &[Vec3]) -> VertexWeights {
    let mut out = VertexWeights {
        ends: Vec::with_capacity(positions.len()),
        bones: Vec::new(),
        weights: Vec::new(),
    };
    let path = Path::best();
    let mut block_of = Block::new();
    let mut near: Vec<&Capsule> = Vec::with_capacity(capsules.len());
    let mut found: Vec<f64> = Vec::with_capacity(capsules.len());
    for block in positions.chunks(BLOCK) {
        let (centre, radius) = bounding_sphere(block);
        near.clear();
        near.extend(capsules.iter().filter(|capsule| capsule.reaches(centre, radius)));
        let few = near.len() <= u64::BITS as usize;
        if few {
            block_of.find(path, block, centre, radius, &near);
        }
        for (v, position) in block.iter().enumerate() {
            let point = position.as_dvec3();
            found.clear();
            let mut keep = |capsule: &Capsule| {
                let weight = capsule.weight(point);
                if weight > 0.0 {
                    out.bones.push(capsule.bone);
                    found.push(weight);
                }
            };
            if few {
                let mut bits = block_of.near[v];
                while bits != 0 {
                    keep(near[bits.trailing_zeros() as usize]);
                    bits &= bits - 1;
                }
            } else {
                near.iter().for_each(|capsule| keep(capsule));
            }
            let sum: f64 = found.iter().sum();
            out.weights
                .extend(found.iter().map(|weight| (weight / sum) as f32));
            out.ends.push(out.bones.len() as u32);
        }
    }
    out
}

/// Some sphere around points: centre and radius.
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
