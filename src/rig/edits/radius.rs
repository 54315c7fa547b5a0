//! Radii that suit a mesh: how far each bone has to reach for its part of the surface.

use crate::math::ray::Ray;
use crate::math::segment::closest_parameter;
use crate::mesh::bvh::Bvh;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::kinematics::bind_pose;
use crate::rig::skeleton::Skeleton;
use glam::{DVec3, Vec3};
use rayon::prelude::*;

/// Places along a bone, and directions about each of them, in which the distance to the surface is measured.
/// The directions are turned from place to place, so that they do not follow the edges of a regular mesh.
const PLACES: usize = 8;
const AROUND: usize = 16;
/// How far the radius goes beyond the usual distance, so that neighbouring bones overlap and blend.
const OVERLAP: f32 = 1.4;
/// How far beyond a vertex that would else be out of reach.
const MARGIN: f32 = 1.05;
/// How many times the radius that may take, for a vertex beside the bone and for one beyond its ends: there
/// the surface may go on where bones are still to come.
const MOST_BESIDE: f32 = 5.0;
const MOST_BEYOND: f32 = 1.5;

/// Radii that fit the surface around the bones in the bind pose; `None` for a bone that lies outside of it,
/// and for a link.
///
/// Rays leave each bone at right angles. The radius is 1.4 times the median of the distances at which they
/// leave the surface, so that rays along a neighbouring limb do not count. Then radii grow until no vertex
/// is out of reach of all bones, within limits: what is far off is left out.
///
/// The bones are in the space of the surface. A place is inside where a ray leaves the surface once more than
/// it enters it, or the other way about on a surface that is inside out.
pub fn fitted(skeleton: &Skeleton, surface: &HalfedgeMesh) -> Vec<Option<f32>> {
    let (tree, positions) = (&Bvh::from_surface(surface), surface.positions());
    let segments: Vec<[DVec3; 2]> = bind_pose(skeleton)
        .iter()
        .zip(&skeleton.bones)
        .map(|(bind, bone)| [bind.translation, bind.translation + bone.extent.as_dvec3()])
        .collect();
    let mut radii: Vec<Option<f32>> = segments
        .par_iter()
        .zip(&skeleton.bones)
        .map(|(segment, bone)| (!bone.link).then(|| usual_distance(tree, positions, segment))?)
        .map(|distance| distance.map(|distance| OVERLAP * distance))
        .collect();
    reach_all(&segments, positions, &mut radii);
    radii
}

/// The radius of a bone from `start` to `tip` alone: 1.4 times the usual distance to the surface around it, of which
/// `tree` is the tree at `positions`. `None` outside of it.
pub fn around(tree: &Bvh, positions: &[Vec3], start: Vec3, tip: Vec3) -> Option<f32> {
    let segment = [start.as_dvec3(), tip.as_dvec3()];
    usual_distance(tree, positions, &segment).map(|distance| OVERLAP * distance)
}

/// The median distance from the bone to the surface around it; `None` where less than half of the rays leave
/// it, that is for a bone outside.
fn usual_distance(tree: &Bvh, positions: &[Vec3], &[start, tip]: &[DVec3; 2]) -> Option<f32> {
    let along = (tip - start).as_vec3().try_normalize().unwrap_or(Vec3::Y);
    let (right, up) = along.any_orthonormal_pair();
    let mut distances = Vec::with_capacity(PLACES * AROUND);
    for place in 0..PLACES {
        let share = (place as f64 + 0.5) / PLACES as f64;
        let origin = start.lerp(tip, share).as_vec3();
        for step in 0..AROUND {
            let turn = (step as f32 + share as f32) / AROUND as f32 * std::f32::consts::TAU;
            let direction = right * turn.cos() + up * turn.sin();
            distances.extend(way_out(tree, positions, &Ray::new(origin, direction)));
        }
    }
    if 2 * distances.len() < PLACES * AROUND {
        return None;
    }
    let middle = distances.len() / 2;
    let (_, median, _) = distances.select_nth_unstable_by(middle, f32::total_cmp);
    Some(*median).filter(|median| *median > 0.0)
}

/// Where a ray that begins inside leaves the surface.
fn way_out(tree: &Bvh, positions: &[Vec3], ray: &Ray) -> Option<f32> {
    let hits = tree.all(positions, ray);
    let side = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|vertex| positions[vertex as usize].as_dvec3());
        (b - a).cross(c - a).dot(ray.direction.as_dvec3()).signum()
    };
    let winding: f64 = hits.iter().map(|hit| side(&hit.triangle)).sum();
    if winding == 0.0 {
        return None;
    }
    let out = hits.iter().find(|hit| side(&hit.triangle) == winding.signum())?;
    Some(out.t)
}

/// Grows radii so that vertices beyond the reach of all bones are within that of the nearest.
fn reach_all(segments: &[[DVec3; 2]], positions: &[Vec3], radii: &mut [Option<f32>]) {
    let fitted = radii.to_vec();
    let missed: Vec<(usize, f32)> = positions
        .par_iter()
        .filter_map(|position| missed_by(segments, &fitted, position.as_dvec3()))
        .collect();
    for (bone, needed) in missed {
        radii[bone] = radii[bone].map(|radius| radius.max(needed));
    }
}

/// The bone nearest to a point that no bone reaches, and the radius with which it would.
fn missed_by(segments: &[[DVec3; 2]], radii: &[Option<f32>], point: DVec3) -> Option<(usize, f32)> {
    let mut nearest: Option<(f32, usize, f32)> = None;
    for (bone, &[start, tip]) in segments.iter().enumerate() {
        let Some(radius) = radii[bone] else { continue };
        let along = closest_parameter(start, tip, point);
        let distance = (point - start.lerp(tip, along)).length() as f32;
        if distance * MARGIN <= radius {
            return None;
        }
        let beside = along > 0.0 && along < 1.0;
        let most = radius * if beside { MOST_BESIDE } else { MOST_BEYOND };
        if distance.is_finite() && nearest.is_none_or(|(least, ..)| distance < least) {
            nearest = Some((distance, bone, most));
        }
    }
    let (distance, bone, most) = nearest?;
    (distance * MARGIN <= most).then_some((bone, distance * MARGIN))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives::{self, Primitive};
    use crate::rig::edits::add_bone;
    use crate::rig::weights::capsule::capsule_weights;

    /// One bone from 0.2 below `middle` to 0.2 above it, and its child.
    fn upright(middle: f32, second: Vec3) -> Skeleton {
        let mut skeleton = Skeleton {
            base: Vec3::Y * (middle - 0.2),
            ..Skeleton::default()
        };
        add_bone(&mut skeleton, None, Vec3::Y * 0.4, 9.0, 0);
        add_bone(&mut skeleton, Some(0), second, 9.0, 1);
        skeleton
    }

    #[test]
    fn a_tube_gets_its_own_radius_and_the_overlap() {
        // So fine that it is round; the bone ends where it does.
        let tube = primitives::tube(0.3, 0.4, 128, 8).unwrap();
        for surface in [tube.flipped(), tube] {
            let [inside, outside] = fitted(&upright(0.2, Vec3::X * 5.0), &surface)[..] else {
                panic!("two bones");
            };
            assert!((inside.unwrap() - 0.3 * OVERLAP).abs() < 1e-3, "{inside:?}");
            assert_eq!(outside, None, "for the most part in the open");
        }
        // Where it goes on without bones, they grow a little.
        let long = primitives::tube(0.3, 40.0, 128, 400).unwrap();
        let radius = fitted(&upright(20.0, Vec3::X * 5.0), &long)[0].unwrap();
        assert!(
            radius > 0.3 * OVERLAP && radius <= 0.3 * OVERLAP * MOST_BEYOND + 1e-3,
            "{radius}"
        );
    }

    #[test]
    fn corners_that_the_usual_distance_does_not_reach_are_reached() {
        // The rays of a flat box end for the most part near its half thickness.
        for [width, tall] in [[0.5, 0.39], [30.0, 0.39]] {
            let flat = primitives::cuboid(Vec3::new(width, tall, 0.1)).unwrap();
            let mut skeleton = upright(0.0, Vec3::X * 50.0);
            skeleton.bones[0].radius = fitted(&skeleton, &flat)[0].unwrap();
            skeleton.bones[1].radius = 0.0;
            // Its corners lie beside the bone.
            let corner = Vec3::new(width / 2.0, 0.0, 0.05).length();
            let missed = capsule_weights(&skeleton, flat.positions()).unweighted_count();
            if width < 1.0 {
                assert!(
                    (skeleton.bones[0].radius - MARGIN * corner).abs() < 1e-5,
                    "{skeleton:?}"
                );
                assert_eq!(missed, 0);
            } else {
                // What would take very much more is left out.
                assert!(skeleton.bones[0].radius < 0.2, "{skeleton:?}");
                assert_eq!(missed, 8);
            }
        }
    }

    #[test]
    fn without_a_surface_or_bones_nothing_is_fitted() {
        let cube = primitives::cuboid(Vec3::ONE).unwrap();
        assert!(fitted(&Skeleton::default(), &cube).is_empty());
        let nothing = HalfedgeMesh::default();
        assert_eq!(fitted(&upright(0.0, Vec3::Y), &nothing), [None, None]);
        let plane = Primitive::Plane {
            size: glam::Vec2::ONE,
            divisions: [1, 1],
        }
        .build()
        .unwrap();
        assert_eq!(
            fitted(&upright(0.0, Vec3::Y), &plane),
            [None, None],
            "it has no inside"
        );
    }
}
