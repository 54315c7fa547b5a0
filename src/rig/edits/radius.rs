//! Radii that suit a mesh: how far each bone has to reach for its part of the surface.

use crate::math::segment::closest_parameter;
use crate::rig::kinematics::bind_pose;
use crate::rig::skeleton::Skeleton;
use glam::{DVec3, Vec3};
use rayon::prelude::*;

/// Share of a bone's vertices that its radius is measured by: some stray vertices do not matter.
const PERCENTILE: f64 = 0.9;
/// How far the radius goes beyond them, so that neighbouring bones overlap and blend.
const OVERLAP: f64 = 1.4;
/// How far beyond a vertex that would else be out of reach, and how many times the radius it may take.
const MARGIN: f64 = 1.05;
const MOST_STRETCH: f64 = 2.0;

/// Radii for `bones` so that capsule weights cover the mesh; `None` for a bone that no vertex is nearest to.
///
/// Each vertex belongs to the bone whose segment in the bind pose is nearest among all bones. A bone's
/// radius is 1.4 times the distance that nine tenths of its vertices keep. Then the radii of bones grow until
/// no vertex is out of reach of its own bone, but at most to the double: what is farther off is a stray.
///
/// `positions`: V, in skeleton space; those that are no numbers are left out.
pub fn fitted(skeleton: &Skeleton, positions: &[Vec3]) -> Vec<Option<f32>> {
    let segments: Vec<[DVec3; 2]> = bind_pose(skeleton)
        .iter()
        .zip(&skeleton.bones)
        .map(|(bind, bone)| [bind.translation, bind.translation + bone.extent.as_dvec3()])
        .collect();
    let nearest: Vec<Option<(usize, f64)>> = positions
        .par_iter()
        .map(|position| nearest(&segments, position.as_dvec3()))
        .collect();
    let mut distances = vec![Vec::new(); segments.len()];
    for &(bone, distance) in nearest.iter().flatten() {
        distances[bone].push(distance);
    }
    distances.into_iter().map(radius).collect()
}

/// The nearest bone, the first of several, and its distance.
fn nearest(segments: &[[DVec3; 2]], point: DVec3) -> Option<(usize, f64)> {
    let mut best = None;
    for (bone, &[start, tip]) in segments.iter().enumerate() {
        let on_bone = start + closest_parameter(start, tip, point) * (tip - start);
        let squared = (point - on_bone).length_squared();
        if squared.is_finite() && best.is_none_or(|(_, least)| squared < least) {
            best = Some((bone, squared));
        }
    }
    best.map(|(bone, squared)| (bone, squared.sqrt()))
}

fn radius(mut distances: Vec<f64>) -> Option<f32> {
    distances.sort_unstable_by(f64::total_cmp);
    let last = distances.len().checked_sub(1)?;
    let usual = OVERLAP * distances[(PERCENTILE * last as f64).ceil() as usize];
    let most = MOST_STRETCH * usual;
    let reached = distances.iter().rev().find(|&&d| MARGIN * d <= most);
    let radius = usual.max(MARGIN * reached.copied().unwrap_or(0.0)) as f32;
    (radius > 0.0).then_some(radius)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::edits::add_bone;
    use crate::rig::weights::capsule::capsule_weights;

    /// Rings of 8 vertices about a bone on y, at these heights, with this radius.
    fn rings(heights: impl Iterator<Item = f32>, radius: f32) -> Vec<Vec3> {
        let ring = |y: f32| {
            (0..8).map(move |k| {
                let (sin, cos) = (k as f32 * std::f32::consts::FRAC_PI_4).sin_cos();
                Vec3::new(radius * cos, y, radius * sin)
            })
        };
        heights.flat_map(ring).collect()
    }

    #[test]
    fn a_tube_gets_its_own_radius_and_the_overlap() {
        let mut skeleton = Skeleton::default();
        add_bone(&mut skeleton, None, Vec3::Y, 9.0, 0);
        add_bone(&mut skeleton, Some(0), Vec3::Y, 9.0, 1);
        let mut positions = rings((0..10).map(|i| i as f32 / 10.0), 0.3);
        positions.extend(rings((11..20).map(|i| i as f32 / 10.0), 0.1));
        // One stray among the 72 vertices of the second bone, far off.
        positions.push(Vec3::new(5.0, 1.5, 0.0));
        positions.push(Vec3::NAN);
        let found = fitted(&skeleton, &positions);
        for (radius, expected) in found.iter().zip([0.3 * 1.4, 0.1 * 1.4]) {
            assert!((radius.unwrap() - expected).abs() < 1e-6, "{found:?}");
        }
    }

    #[test]
    fn a_bone_reaches_all_vertices_that_are_no_strays() {
        let mut skeleton = Skeleton::default();
        add_bone(&mut skeleton, None, Vec3::Y, 0.0, 0);
        let mut positions = rings((0..10).map(|i| i as f32 / 10.0), 0.2);
        positions.push(Vec3::new(0.5, 0.5, 0.0));
        let radius = fitted(&skeleton, &positions)[0].unwrap();
        assert!((radius - 0.5 * 1.05).abs() < 1e-6, "{radius}");
        skeleton.bones[0].radius = radius;
        assert_eq!(capsule_weights(&skeleton, &positions).unweighted_count(), 0);
    }

    #[test]
    fn bones_without_vertices_have_no_radius_of_their_own() {
        let mut skeleton = Skeleton::default();
        assert!(fitted(&skeleton, &[Vec3::ONE]).is_empty());
        add_bone(&mut skeleton, None, Vec3::Y, 0.5, 0);
        add_bone(&mut skeleton, Some(0), Vec3::new(0.0, 100.0, 0.0), 0.5, 1);
        assert_eq!(fitted(&skeleton, &[]), [None, None]);
        assert_eq!(
            fitted(&skeleton, &[Vec3::ZERO]),
            [None, None],
            "on the bone itself"
        );
        let found = fitted(&skeleton, &[Vec3::new(1.0, 0.5, 0.0)]);
        assert!(found[0].is_some() && found[1].is_none());
    }
}
