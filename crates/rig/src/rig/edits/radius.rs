//! Bone radii that suit a mesh: the distance that each bone must reach to cover its part of the surface.

use crate::math::ray::Ray;
use crate::math::segment::closest_parameter;
use crate::mesh::bvh::Bvh;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::kinematics::bind_pose;
use crate::rig::skeleton::Skeleton;
use glam::{DVec3, Vec3};
use rayon::prelude::*;

/// The number of positions along a bone, and of directions about each, in which the distance to the surface
/// is measured. The directions rotate from position to position, so that they do not follow the edges of a
/// regular mesh.
const POSITIONS: usize = 8;
const DIRECTIONS: usize = 16;
/// The factor by which a radius exceeds the usual distance, so that neighbouring bones overlap and blend.
const OVERLAP: f32 = 1.4;
/// The factor by which a radius exceeds the distance of a vertex that would otherwise be out of reach.
const MARGIN: f32 = 1.05;
/// The factors by which a radius may grow to reach a vertex next to the bone, and one beyond its ends, where
/// the surface may continue along bones that do not exist yet.
const MAX_GROWTH_BESIDE: f32 = 5.0;
const MAX_GROWTH_BEYOND: f32 = 1.5;

/// Returns radii that fit the surface around the bones in the bind pose; `None` for links and for bones
/// outside the surface.
///
/// Rays leave each bone at right angles. The radius is 1.4 times the median of the distances at which they
/// leave the surface, so that rays along a neighbouring limb do not matter. Then radii grow, within limits,
/// until every vertex is within reach of a bone; far vertices are ignored.
///
/// The bones are in the space of the surface. A point is inside if a ray from it leaves the surface once more
/// than it enters it, or the other way around on a surface that is inside out.
pub fn fit_radii(skeleton: &Skeleton, surface: &HalfedgeMesh) -> Vec<Option<f32>> {
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
    grow_to_reach(&segments, positions, &mut radii);
    radii
}

/// Returns the radius of a single bone from `start` to `tip`: 1.4 times the usual distance to the surface,
/// whose tree at `positions` is `tree`. `None` outside the surface.
pub fn fit_radius(tree: &Bvh, positions: &[Vec3], start: Vec3, tip: Vec3) -> Option<f32> {
    let segment = [start.as_dvec3(), tip.as_dvec3()];
    usual_distance(tree, positions, &segment).map(|distance| OVERLAP * distance)
}

/// Returns the median distance from the bone to the surface around it; `None` if less than half of the rays
/// leave the surface, that is, for a bone outside.
fn usual_distance(tree: &Bvh, positions: &[Vec3], &[start, tip]: &[DVec3; 2]) -> Option<f32> {
    let axis = (tip - start).as_vec3().try_normalize().unwrap_or(Vec3::Y);
    let (right, up) = axis.any_orthonormal_pair();
    let mut distances = Vec::with_capacity(POSITIONS * DIRECTIONS);
    for index in 0..POSITIONS {
        let fraction = (index as f64 + 0.5) / POSITIONS as f64;
        let origin = start.lerp(tip, fraction).as_vec3();
        for step in 0..DIRECTIONS {
            let angle = (step as f32 + fraction as f32) / DIRECTIONS as f32 * std::f32::consts::TAU;
            let direction = right * angle.cos() + up * angle.sin();
            distances.extend(exit_distance(tree, positions, &Ray::new(origin, direction)));
        }
    }
    if 2 * distances.len() < POSITIONS * DIRECTIONS {
        return None;
    }
    let middle = distances.len() / 2;
    let (_, median, _) = distances.select_nth_unstable_by(middle, f32::total_cmp);
    Some(*median).filter(|median| *median > 0.0)
}

/// Returns the distance at which a ray that starts inside leaves the surface.
fn exit_distance(tree: &Bvh, positions: &[Vec3], ray: &Ray) -> Option<f32> {
    let hits = tree.all_hits(positions, ray);
    let side = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|vertex| positions[vertex as usize].as_dvec3());
        (b - a).cross(c - a).dot(ray.direction.as_dvec3()).signum()
    };
    let winding: f64 = hits.iter().map(|hit| side(&hit.triangle)).sum();
    if winding == 0.0 {
        return None;
    }
    let exit = hits.iter().find(|hit| side(&hit.triangle) == winding.signum())?;
    Some(exit.t)
}

/// Grows radii so that each vertex beyond the reach of all bones comes within that of the nearest.
fn grow_to_reach(segments: &[[DVec3; 2]], positions: &[Vec3], radii: &mut [Option<f32>]) {
    let fitted = radii.to_vec();
    let unreached: Vec<(usize, f32)> = positions
        .par_iter()
        .filter_map(|position| growth_to_reach(segments, &fitted, position.as_dvec3()))
        .collect();
    for (bone, needed) in unreached {
        radii[bone] = radii[bone].map(|radius| radius.max(needed));
    }
}

/// Returns the bone closest to a point that no bone reaches, and the radius that it needs.
fn growth_to_reach(segments: &[[DVec3; 2]], radii: &[Option<f32>], point: DVec3) -> Option<(usize, f32)> {
    let mut nearest: Option<(f32, usize, f32)> = None;
    for (bone, &[start, tip]) in segments.iter().enumerate() {
        let Some(radius) = radii[bone] else { continue };
        let t = closest_parameter(start, tip, point);
        let distance = (point - start.lerp(tip, t)).length() as f32;
        if distance * MARGIN <= radius {
            return None;
        }
        let beside = t > 0.0 && t < 1.0;
        let max_radius = radius * if beside { MAX_GROWTH_BESIDE } else { MAX_GROWTH_BEYOND };
        if distance.is_finite() && nearest.is_none_or(|(least, ..)| distance < least) {
            nearest = Some((distance, bone, max_radius));
        }
    }
    let (distance, bone, max_radius) = nearest?;
    (distance * MARGIN <= max_radius).then_some((bone, distance * MARGIN))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives::{self, Primitive};
    use crate::rig::edits::add_bone;
    use crate::rig::weights::capsule::capsule_weights;

    /// Returns a bone from 0.2 below `middle` to 0.2 above it, and its child.
    fn upright(middle: f32, second: Vec3) -> Skeleton {
        let mut skeleton = Skeleton { base: Vec3::Y * (middle - 0.2), ..Skeleton::default() };
        add_bone(&mut skeleton, None, Vec3::Y * 0.4, 9.0, 0);
        add_bone(&mut skeleton, Some(0), second, 9.0, 1);
        skeleton
    }

    #[test]
    fn a_tube_gets_its_radius_times_the_overlap() {
        // Fine enough to be round; the bone ends where the tube does.
        let tube = primitives::tube(0.3, 0.4, 128, 8).unwrap();
        for surface in [tube.flipped(), tube] {
            let [inside, outside] = fit_radii(&upright(0.2, Vec3::X * 5.0), &surface)[..] else {
                panic!("two bones");
            };
            assert!((inside.unwrap() - 0.3 * OVERLAP).abs() < 1e-3, "{inside:?}");
            assert_eq!(outside, None, "for the most part in the open");
        }
        // Where the tube continues without bones, the radius grows a little.
        let long = primitives::tube(0.3, 40.0, 128, 400).unwrap();
        let radius = fit_radii(&upright(20.0, Vec3::X * 5.0), &long)[0].unwrap();
        assert!(radius > 0.3 * OVERLAP && radius <= 0.3 * OVERLAP * MAX_GROWTH_BEYOND + 1e-3, "{radius}");
    }

    #[test]
    fn radii_grow_to_reach_corners() {
        // The rays in a flat box mostly end near half its thickness.
        for [width, tall] in [[0.5, 0.39], [30.0, 0.39]] {
            let flat = primitives::cuboid(Vec3::new(width, tall, 0.1)).unwrap();
            let mut skeleton = upright(0.0, Vec3::X * 50.0);
            skeleton.bones[0].radius = fit_radii(&skeleton, &flat)[0].unwrap();
            skeleton.bones[1].radius = 0.0;
            // Its corners are next to the bone.
            let corner = Vec3::new(width / 2.0, 0.0, 0.05).length();
            let missed = capsule_weights(&skeleton, flat.positions()).unweighted_count();
            if width < 1.0 {
                assert!((skeleton.bones[0].radius - MARGIN * corner).abs() < 1e-5, "{skeleton:?}");
                assert_eq!(missed, 0);
            } else {
                // A vertex that would need a very much larger radius is ignored.
                assert!(skeleton.bones[0].radius < 0.2, "{skeleton:?}");
                assert_eq!(missed, 8);
            }
        }
    }

    #[test]
    fn without_a_surface_or_bones_there_are_no_radii() {
        let cube = primitives::cuboid(Vec3::ONE).unwrap();
        assert!(fit_radii(&Skeleton::default(), &cube).is_empty());
        let empty = HalfedgeMesh::default();
        assert_eq!(fit_radii(&upright(0.0, Vec3::Y), &empty), [None, None]);
        let plane = Primitive::Plane { size: glam::Vec2::ONE, divisions: [1, 1] }.build().unwrap();
        assert_eq!(fit_radii(&upright(0.0, Vec3::Y), &plane), [None, None], "it has no inside");
    }
}
