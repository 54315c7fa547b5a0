//! Inverse distance within the radius: 1/d for each bone with d below its radius, normalised, as in older
//! versions of Scotty3D (up to 2020).
//!
//! d as for capsule weights. Unlike those, weights do not fade towards the radius, so the surface may crease
//! where a bone's influence ends. At d = 0, where Scotty3D divides by zero, the vertex is shared equally by
//! the bones that pass through it, which is the limit of the weights nearby.

use super::method::{Descriptor, Method};
use super::segments::{Segment, rows};
use super::vertex_weights::VertexWeights;
use crate::rig::skeleton::Skeleton;
use glam::{DVec3, Vec3};

pub(super) static DESCRIPTOR: Descriptor = Descriptor {
    id: "inverse-distance",
    label: "Inverse distance",
    about: "Within each bone's radius, by one over the distance.",
    params: &[],
    depends_on_radius: true,
    has_findings: false,
    cost: 1,
    needs: |_| Ok(()),
    calculate: |_, skeleton, surface, _| Ok(inverse_distance_weights(skeleton, surface.positions()).into()),
};

impl Method {
    pub const INVERSE_DISTANCE: Self = Self::new(&DESCRIPTOR, [0.0; 2]);
}

/// Calculates the weights of all vertices. Vertices beyond the radii of all bones get no weights. Each
/// vertex's bones are in ascending order.
///
/// `positions`: V, in skeleton space (= mesh space).
pub fn inverse_distance_weights(skeleton: &Skeleton, positions: &[Vec3]) -> VertexWeights {
    let segments = Segment::all(skeleton);
    rows(positions, |point, row| {
        row.extend(bones_in_reach(skeleton, &segments, point));
        let on_bones = row.iter().any(|(_, d)| *d == 0.0);
        for (_, d) in row.iter_mut() {
            *d = if on_bones { f64::from(u8::from(*d == 0.0)) } else { 1.0 / *d };
        }
    })
}

/// Returns the bones with d below their radius, each with d.
fn bones_in_reach<'a>(
    skeleton: &'a Skeleton,
    segments: &'a [Segment],
    point: DVec3,
) -> impl Iterator<Item = (u16, f64)> + 'a {
    let bones = (0..=u16::MAX).zip(segments).zip(&skeleton.bones);
    bones.filter_map(move |((index, segment), bone)| {
        let d = segment.distance(point);
        (d < f64::from(bone.radius)).then_some((index, d))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::skeleton::Bone;

    /// Bones along x from 0 to 1 and from 1 to 2, with radii 1 and 2.
    fn chain() -> Skeleton {
        let bone = |radius, parent| Bone { extent: Vec3::X, radius, parent, ..Bone::default() };
        Skeleton { bones: vec![bone(1.0, None), bone(2.0, Some(0))], ..Skeleton::default() }
    }

    fn row(point: Vec3) -> Vec<(u16, f32)> {
        inverse_distance_weights(&chain(), &[point]).influences(0).collect()
    }

    #[test]
    fn weights_match_values_calculated_by_hand() {
        // Beyond the first bone's radius; beyond both radii; half as far from the second bone.
        assert_eq!(row(Vec3::new(0.5, 1.5, 0.0)), [(1, 1.0)]);
        assert_eq!(row(Vec3::new(0.0, 2.5, 0.0)), []);
        assert_eq!(row(Vec3::new(1.4, 0.3, 0.0)), [(0, 0.375), (1, 0.625)]);
        // A vertex exactly at the radius is out of reach, as for capsules.
        assert_eq!(row(Vec3::new(-1.0, 0.0, 0.0)), []);
    }

    #[test]
    fn a_vertex_on_a_bone_belongs_to_that_bone() {
        assert_eq!(row(Vec3::new(0.25, 0.0, 0.0)), [(0, 1.0)]);
        assert_eq!(row(Vec3::new(1.0, 0.0, 0.0)), [(0, 0.5), (1, 0.5)]);
        let near = row(Vec3::new(0.25, 1e-30, 0.0));
        assert_eq!(near[0], (0, 1.0));
    }

    #[test]
    fn bones_reach_to_their_radius() {
        let (skeleton, points) = (chain(), [Vec3::X, Vec3::new(0.5, 1.5, 0.0), 9.0 * Vec3::Y]);
        let segments = Segment::all(&skeleton);
        let found = points.map(|point| {
            let bones = bones_in_reach(&skeleton, &segments, point.as_dvec3());
            bones.map(|(bone, _)| bone).collect::<Vec<_>>()
        });
        assert_eq!(found, [vec![0, 1], vec![1], vec![]]);
    }
}
