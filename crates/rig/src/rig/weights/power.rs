//! The power kernel: 1/d^a for every bone, normalised, as in the skinning course of INF585.
//!
//! Every bone has influence everywhere, more evenly the smaller a is; radii do not matter. d as for capsule
//! weights. Ignores the surface between the vertices.

use super::method::{Descriptor, Method, Param};
use super::segments::{Segment, rows};
use super::vertex_weights::VertexWeights;
use crate::rig::skeleton::Skeleton;
use glam::Vec3;

/// The exponent of distance kernels.
pub(super) const EXPONENT: Param = Param {
    id: "exponent",
    label: "Exponent",
    about: "Large: each vertex follows its nearest bone. Small: all bones count everywhere.",
    min: 0.5,
    max: 10.0,
    default: 3.0,
    whole: false,
    unwritten: None,
    text: |value| format!("exponent {value}"),
};

pub(super) static DESCRIPTOR: Descriptor = Descriptor {
    id: "power",
    label: "Power kernel",
    about: "All bones, by one over the distance to the power of the exponent.",
    params: &[EXPONENT],
    depends_on_radius: false,
    has_findings: false,
    cost: 1,
    needs: |_| Ok(()),
    calculate: |values, skeleton, surface, _| {
        Ok(power_weights(skeleton, surface.positions(), values[0]).into())
    },
};

impl Method {
    /// The power kernel with an `exponent` from 0.5 to 10.
    pub const fn power(exponent: f32) -> Self {
        Self::new(&DESCRIPTOR, [exponent, 0.0])
    }
}

/// Weights below this are not stored, which keeps rows short; the others are normalised again.
pub const SMALLEST: f64 = 1e-4;

/// Calculates the weights of all vertices; every vertex gets some if there is a bone. Each vertex's bones are
/// in ascending order. A vertex on bones (d = 0) is shared by them equally, as in the limit.
///
/// `positions`: V, in skeleton space (= mesh space). `exponent`: a, positive.
pub fn power_weights(skeleton: &Skeleton, positions: &[Vec3], exponent: f32) -> VertexWeights {
    let segments = Segment::all(skeleton);
    let exponent = f64::from(exponent);
    rows(positions, |point, row| {
        row.extend(
            (0..=u16::MAX).zip(&segments).filter(|(_, s)| !s.link).map(|(bone, s)| (bone, s.distance(point))),
        );
        let nearest = row.iter().map(|(_, d)| *d).fold(f64::INFINITY, f64::min);
        // Relative to the nearest bone, so that no power overflows.
        for (_, d) in row.iter_mut() {
            *d = if *d == nearest { 1.0 } else { (nearest / *d).powf(exponent) };
        }
        let sum: f64 = row.iter().map(|(_, weight)| weight).sum();
        row.retain(|(_, weight)| *weight >= SMALLEST * sum);
    })
}
