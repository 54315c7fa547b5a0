//! Weights for a bar or cylinder with two bones in a row (three joints), by the position along them.
//!
//! With x the position along the line from the first joint (0) to the last (1), m that of the middle joint
//! and a the exponent: w1 = (x/m)^a / 2 and w0 = 1 - w1 before the middle joint; w0 = ((1-x)/(1-m))^a / 2
//! and w1 = 1 - w0 after it. At the middle joint both are one half; a = 1 and m = 1/2 give w1 = x, and a
//! larger a narrows the part that bends. x is clamped to 0 to 1. The third joint, which ends the second bone,
//! has no weight.
//!
//! This is what the code of the course INF585 calculates for m = 1/2. The formula printed in its text is
//! wrong in three ways: w0 and w1 are swapped, the exponent is missing, and x is divided by 2 instead of 1/2.

use super::method::{Descriptor, Method, MethodError};
use super::power::EXPONENT;
use super::segments::{Segment, rows};
use super::vertex_weights::VertexWeights;
use crate::rig::skeleton::Skeleton;
use glam::Vec3;

pub(super) static DESCRIPTOR: Descriptor = Descriptor {
    id: "tube",
    label: "Tube",
    about: "For two bones in a row along a tube: by the position along them.",
    params: &[EXPONENT],
    depends_on_radius: false,
    has_findings: false,
    cost: 1,
    needs: |skeleton| match tube_weights(skeleton, &[], EXPONENT.default) {
        Some(_) => Ok(()),
        None => Err(MethodError::NoTube),
    },
    calculate: |values, skeleton, surface, _| {
        let weights = tube_weights(skeleton, surface.positions(), values[0]);
        weights.map(Into::into).ok_or(MethodError::NoTube)
    },
};

impl Method {
    /// Tube weights with an `exponent` from 0.5 to 10.
    pub const fn tube(exponent: f32) -> Self {
        Self::new(&DESCRIPTOR, [exponent, 0.0])
    }
}

/// Calculates the weights of all vertices; `None` unless the skeleton is two bones in a row whose common
/// joint is between their ends. `positions`: V, in skeleton space (= mesh space). `exponent`: a, positive.
pub fn tube_weights(skeleton: &Skeleton, positions: &[Vec3], exponent: f32) -> Option<VertexWeights> {
    let [first, second] = &skeleton.bones[..] else {
        return None;
    };
    if first.parent.is_some() || second.parent != Some(0) || first.link || second.link {
        return None;
    }
    let segments = Segment::all(skeleton);
    let (start, joint, end) = (segments[0].start, segments[0].tip, segments[1].tip);
    let along = end - start;
    let position_along = |point: glam::DVec3| (point - start).dot(along) / along.length_squared();
    let middle = position_along(joint);
    if !(middle > 0.0 && middle < 1.0) {
        return None;
    }
    let exponent = f64::from(exponent);
    Some(rows(positions, |point, row| {
        let x = position_along(point).clamp(0.0, 1.0);
        let second = if x < middle {
            0.5 * (x / middle).powf(exponent)
        } else {
            1.0 - 0.5 * ((1.0 - x) / (1.0 - middle)).powf(exponent)
        };
        row.extend([(0, 1.0 - second), (1, second)]);
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::skeleton::Bone;

    fn chain(extents: [Vec3; 2]) -> Skeleton {
        let bone = |extent, parent| Bone { extent, parent, ..Bone::default() };
        Skeleton {
            bones: vec![bone(extents[0], None), bone(extents[1], Some(0))],
            base: Vec3::new(0.0, 3.0, 0.0),
            ..Skeleton::default()
        }
    }

    fn second(x: f32, exponent: f32) -> f32 {
        let skeleton = chain([0.5 * Vec3::X; 2]);
        let weights = tube_weights(&skeleton, &[Vec3::new(x, 3.1, -0.1)], exponent).unwrap();
        assert!((weights.sums().next().unwrap() - 1.0).abs() < 1e-6);
        weights.influences(0).find(|(bone, _)| *bone == 1).map_or(0.0, |(_, weight)| weight)
    }

    #[test]
    fn weights_match_the_closed_form() {
        let near = |x, exponent, expected: f32| {
            let found = second(x, exponent);
            assert!((found - expected).abs() < 1e-6, "{x} {exponent}: {found}");
        };
        // a = 1 is a straight line.
        (0..=10).for_each(|i| near(0.1 * i as f32, 1.0, 0.1 * i as f32));
        near(0.25, 3.0, 0.0625);
        near(0.75, 3.0, 0.9375);
        near(0.125, 0.5, 0.25);
        near(0.5, 7.0, 0.5);
        near(-4.0, 3.0, 0.0);
        near(4.0, 3.0, 1.0);
    }

    #[test]
    fn an_unequal_chain_has_halves_at_its_joint() {
        let skeleton = chain([0.25 * Vec3::Z, 0.75 * Vec3::Z]);
        let weights_at = |z: f32| tube_weights(&skeleton, &[Vec3::new(9.0, 3.0, z)], 2.0).unwrap();
        assert_eq!(weights_at(0.25).influences(0).collect::<Vec<_>>(), [(0, 0.5), (1, 0.5)]);
        let quarter = weights_at(0.125).influences(0).nth(1).unwrap();
        assert!((quarter.1 - 0.125).abs() < 1e-6);
    }

    #[test]
    fn other_skeletons_have_no_tube_weights() {
        let mut three = chain([Vec3::X; 2]);
        three.bones.push(Bone::default());
        let mut disconnected = chain([Vec3::X; 2]);
        disconnected.bones[1].parent = None;
        let folded = chain([Vec3::X, -2.0 * Vec3::X]);
        let nothing = chain([Vec3::ZERO; 2]);
        for skeleton in [three, disconnected, folded, nothing, Skeleton::default()] {
            assert!(tube_weights(&skeleton, &[Vec3::X], 1.0).is_none(), "{skeleton:?}");
        }
    }
}
