//! Capsule weights against a brute-force reference in f64.

use crate::random::Random;
use glam::{DVec3, Vec3};
use ossature::mesh::primitives;
use ossature::rig::skeleton::{Bone, Skeleton};
use ossature::rig::weights::VertexWeights;
use ossature::rig::weights::capsule::capsule_weights;

fn bone(extent: Vec3, radius: f32, parent: Option<u32>) -> Bone {
    Bone { extent, radius, parent, ..Bone::default() }
}

fn random_skeleton(random: &mut Random, bones: u32) -> Skeleton {
    let bones = (0..bones)
        .map(|i| {
            let parent = (i > 0 && i % 5 != 0).then(|| ((random.unit() + 1.0) * 0.5 * i as f32) as u32);
            let extent = if i % 7 == 3 { Vec3::ZERO } else { random.vec3(1.0) };
            let radius = if i % 6 == 2 { 0.0 } else { 0.6 + 0.5 * random.unit() };
            bone(extent, radius, parent.filter(|&p| p < i))
        })
        .collect();
    Skeleton { bones, base: random.vec3(1.0), ..Skeleton::default() }
}

/// Returns the distance to a segment by cases: before the start, beyond the tip, or from the line.
fn distance(start: DVec3, tip: DVec3, p: DVec3) -> f64 {
    if (p - start).dot(tip - start) <= 0.0 {
        (p - start).length()
    } else if (p - tip).dot(start - tip) <= 0.0 {
        (p - tip).length()
    } else {
        (p - start).cross(p - tip).length() / (tip - start).length()
    }
}

/// Returns each bone's influence (r - d) / r on a vertex before normalising; negative if out of reach.
fn reference(skeleton: &Skeleton, p: Vec3) -> Vec<f64> {
    let start = |mut i: usize| {
        let mut at = skeleton.base.as_dvec3();
        while let Some(parent) = skeleton.bones[i].parent {
            i = parent as usize;
            at += skeleton.bones[i].extent.as_dvec3();
        }
        at
    };
    let influence = |(i, bone): (usize, &Bone)| {
        let (start, r) = (start(i), f64::from(bone.radius));
        let d = distance(start, start + bone.extent.as_dvec3(), p.as_dvec3());
        if r > 0.0 { (r - d) / r } else { -1.0 }
    };
    skeleton.bones.iter().enumerate().map(influence).collect()
}

fn assert_matches(skeleton: &Skeleton, positions: &[Vec3], weights: &VertexWeights) {
    assert_eq!(weights.validate(positions.len(), skeleton.bones.len()), Ok(()));
    for (v, &p) in positions.iter().enumerate() {
        let influence = reference(skeleton, p);
        let sum: f64 = influence.iter().filter(|w| **w > 0.0).sum();
        let mut entries = weights.influences(v).peekable();
        for (b, &w) in influence.iter().enumerate() {
            let found = entries.next_if(|&(bone, _)| usize::from(bone) == b).map(|(_, weight)| weight);
            match found {
                Some(weight) => assert!(w > -1e-12 && (f64::from(weight) - w / sum).abs() < 1e-7),
                None => assert!(w < 1e-12, "vertex {v} lacks bone {b} with influence {w}"),
            }
        }
        assert!(entries.next().is_none(), "vertex {v}: bones not ascending, or not of the skeleton");
    }
}

#[test]
fn weights_are_those_of_the_formula() {
    let mut random = Random::new(0x1234_5678_9ABC_DEF1);
    let mut entries = 0;
    for bones in [1, 2, 5, 18, 64] {
        for _ in 0..8 {
            let skeleton = random_skeleton(&mut random, bones);
            let positions: Vec<Vec3> = (0..1000).map(|_| 1.5 * random.vec3(1.0)).collect();
            let weights = capsule_weights(&skeleton, &positions);
            assert_matches(&skeleton, &positions, &weights);
            entries += weights.bones.len();
        }
    }
    assert!(entries > 5_000, "{entries}");
}

#[test]
fn hand_worked_cases() {
    // Two bones in a row along x, from 0 to 2 with radius 1 and from 2 to 4 with radius 2.
    let skeleton = Skeleton {
        bones: vec![bone(2.0 * Vec3::X, 1.0, None), bone(2.0 * Vec3::X, 2.0, Some(0))],
        ..Skeleton::default()
    };
    let positions = [
        Vec3::new(-0.5, 0.0, 0.0), // only the first: distance 0.5; the second is 2.5 away
        Vec3::new(2.0, 0.5, 0.0),  // both at distance 0.5: 0.5 and 0.75
        Vec3::new(9.0, 0.0, 0.0),  // none
        Vec3::new(3.0, 2.0, 0.0),  // exactly on the rim of the second: none
    ];
    let weights = capsule_weights(&skeleton, &positions);
    assert_eq!(weights.ends, [1, 3, 3, 3]);
    assert_eq!(weights.bones, [0, 0, 1]);
    assert_eq!(weights.weights, [1.0, 0.4, 0.6]);
}

#[test]
fn bones_without_a_usable_radius_have_no_influence() {
    for radius in [0.0, -1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let skeleton = Skeleton { bones: vec![bone(Vec3::X, radius, None)], ..Skeleton::default() };
        let weights = capsule_weights(&skeleton, &[Vec3::ZERO, Vec3::X]);
        assert_eq!(weights, VertexWeights::none(2));
    }
    assert_eq!(capsule_weights(&Skeleton::default(), &[Vec3::ZERO]), VertexWeights::none(1));
    assert_eq!(capsule_weights(&Skeleton::default(), &[]), VertexWeights::none(0));
}

#[test]
fn extreme_numbers_give_finite_weights() {
    for size in [1e-40, 1e-20, 1e20, 1e38] {
        let skeleton = Skeleton {
            bones: vec![bone(Vec3::X * size, size, None), bone(Vec3::Y * size, size, None)],
            ..Skeleton::default()
        };
        let weights = capsule_weights(&skeleton, &[Vec3::ZERO, Vec3::splat(0.3 * size), Vec3::splat(-size)]);
        assert_eq!(weights.ends, [2, 4, 4]);
        assert!(weights.weights.iter().all(|w| (w - 0.5).abs() < 1e-6), "{:?}", weights.weights);
    }
}

#[test]
fn many_vertices_give_the_same_on_any_number_of_threads() {
    let mut random = Random::new(0xABCD_EF01_2345_6789);
    let skeleton = random_skeleton(&mut random, 24);
    let mesh = primitives::uv_sphere(1.5, 150, 100).unwrap();
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| capsule_weights(&skeleton, mesh.positions()))
    };
    let weights = on(1);
    assert_eq!(weights, on(3));
    assert_matches(&skeleton, mesh.positions(), &weights);
}
