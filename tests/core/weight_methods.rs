//! All methods of calculating weights: the rules for every result, and each against a plain reference.

use crate::editing::Random;
use glam::Vec3;
use ossature::mesh::halfedge::HalfedgeMesh;
use ossature::mesh::primitives;
use ossature::rig::kinematics::bind_pose;
use ossature::rig::skeleton::{Bone, Skeleton};
use ossature::rig::weights::VertexWeights;
use ossature::rig::weights::method::{Calculated, Method, MethodError};

/// A chain along +y with a branch, within a tube of height 4.
fn limbs(random: &mut Random, bones: u32) -> Skeleton {
    let bone = |i: u32| Bone {
        extent: random.vec3(0.5) + 0.8 * Vec3::Y,
        radius: 0.4 + 0.8 * random.unit().abs(),
        parent: i.checked_sub(1 + i % 2),
        ..Bone::default()
    };
    Skeleton { bones: (0..bones).map(bone).collect(), ..Skeleton::default() }
}

fn chain(bones: u32, extent: Vec3) -> Skeleton {
    let bone = |i: u32| Bone { extent, parent: i.checked_sub(1), ..Bone::default() };
    Skeleton { bones: (0..bones).map(bone).collect(), ..Skeleton::default() }
}

fn tube() -> HalfedgeMesh {
    primitives::tube(0.5, 4.0, 16, 40).unwrap()
}

fn calculate(method: Method, skeleton: &Skeleton, surface: &HalfedgeMesh) -> Calculated {
    method.calculate(skeleton, surface, &|_| true).unwrap()
}

/// Distance by a search along the bone, not by projection.
fn distances(skeleton: &Skeleton, point: Vec3) -> Vec<f64> {
    let point = point.as_dvec3();
    let distance = |(bone, matrix): (&Bone, glam::DAffine3)| {
        let at = |t: f64| point.distance(matrix.translation + t * bone.extent.as_dvec3());
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..200 {
            let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if at(a) < at(b) { high = b } else { low = a }
        }
        at(low).min(at(0.0)).min(at(1.0))
    };
    skeleton.bones.iter().zip(bind_pose(skeleton)).map(distance).collect()
}

/// Dense rows, one number per bone.
fn dense(weights: &VertexWeights, v: usize, bones: usize) -> Vec<f64> {
    let mut row = vec![0.0; bones];
    for (bone, weight) in weights.influences(v) {
        row[usize::from(bone)] += f64::from(weight);
    }
    row
}

fn sound(weights: &VertexWeights, vertices: usize, bones: usize, what: &str) {
    assert_eq!(weights.validate(vertices, bones), Ok(()), "{what}");
    for (v, sum) in weights.sums().enumerate() {
        let bones = weights.row(v).0;
        assert!(bones.is_empty() || (sum - 1.0).abs() < 1e-6, "{what}: vertex {v} sums to {sum}");
        assert!(bones.windows(2).all(|pair| pair[0] < pair[1]), "{what}: {bones:?}");
        assert!(weights.row(v).1.iter().all(|weight| *weight > 0.0), "{what}: zeros are stored");
    }
}

#[test]
fn every_method_gives_parts_of_one() {
    let surface = tube();
    for (method, everywhere) in [
        (Method::CAPSULE, false),
        (Method::INVERSE_DISTANCE, false),
        (Method::power(0.5), true),
        (Method::power(10.0), true),
        (Method::tube(3.0), true),
        (Method::heat(None), true),
        (Method::heat(Some(2)), true),
    ] {
        for seed in 1..4 {
            let skeleton = match method.id() {
                "tube" => chain(2, 2.0 * Vec3::Y),
                _ => limbs(&mut Random::new(seed), 5),
            };
            let what = format!("{method:?}, seed {seed}");
            let weights = calculate(method, &skeleton, &surface).weights;
            sound(&weights, surface.vertex_count(), skeleton.bones.len(), &what);
            assert!(!everywhere || weights.unweighted_count() == 0, "{what}");
            assert!(weights.max_influences() > 1, "{what}");
            assert_eq!(calculate(method, &skeleton, &surface).weights, weights, "{what}");
        }
        if method.id() != "tube" {
            let weights = calculate(method, &Skeleton::default(), &surface).weights;
            assert_eq!(weights, VertexWeights::none(surface.vertex_count()), "no bones");
        }
    }
}

#[test]
fn inverse_distance_and_power_are_their_formulas() {
    let surface = tube();
    let mut random = Random::new(7);
    for _ in 0..3 {
        let skeleton = limbs(&mut random, 6);
        for (method, exponent) in [
            (Method::INVERSE_DISTANCE, 1.0),
            (Method::power(0.5), 0.5),
            (Method::power(3.0), 3.0),
            (Method::power(10.0), 10.0),
        ] {
            let weights = calculate(method, &skeleton, &surface).weights;
            for (v, point) in surface.positions().iter().enumerate() {
                let d = distances(&skeleton, *point);
                if d.iter().any(|d| *d < 1e-6) {
                    // On a bone, where the formula divides by zero.
                    continue;
                }
                let within = |bone: usize| {
                    method != Method::INVERSE_DISTANCE || d[bone] < f64::from(skeleton.bones[bone].radius)
                };
                let raw: Vec<f64> =
                    (0..6).map(|bone| if within(bone) { d[bone].powf(-exponent) } else { 0.0 }).collect();
                let sum: f64 = raw.iter().sum();
                let found = dense(&weights, v, 6);
                for (found, raw) in found.iter().zip(raw) {
                    let expected = if sum > 0.0 { raw / sum } else { 0.0 };
                    // Weights that are not stored are below one in ten thousand, for each of six bones.
                    assert!((found - expected).abs() < 6e-4, "{method:?}, vertex {v}: {found} {expected}");
                }
            }
        }
    }
}

#[test]
fn parameters_out_of_range_and_wrong_skeletons_are_refused() {
    let (surface, two) = (tube(), chain(2, Vec3::Y));
    let refused = |method: Method, skeleton| method.calculate(skeleton, &surface, &|_| true).unwrap_err();
    for exponent in [0.0, 0.49, 10.1, -1.0, f32::NAN, f32::INFINITY] {
        for method in [Method::power(exponent), Method::tube(exponent)] {
            let error = refused(method, &two).to_string();
            assert_eq!(error, "exponent must be a number from 0.5 to 10");
        }
    }
    for largest in [-1.0, 2.5, 256.0] {
        let method = Method::heat(None).with("largest", largest);
        let error = refused(method, &two).to_string();
        assert_eq!(error, "bones/vertex must be a number from 0 to 255");
    }
    assert_eq!(refused(Method::tube(3.0), &chain(3, Vec3::Y)), MethodError::NoTube);
    for method in Method::all() {
        let result = method.calculate(&two, &surface, &|_| false);
        assert_eq!(result, Err(MethodError::Cancelled), "{method:?}");
    }
}

/// Along a thin straight tube around a straight chain the exact weights depend on the height alone, and the
/// equation has a closed form: with the distance r everywhere and circumference 2πr, w'' = (w - p) / r², so
/// w is 1/2 e^(-|y|/r) away from the step at the joint.
#[test]
fn heat_along_a_tube_is_the_solution_of_its_equation() {
    let (radius, height) = (0.25f32, 8.0f32);
    let surface = primitives::tube(radius, height, 48, 1200).unwrap();
    let weights = calculate(Method::heat(None), &chain(2, 4.0 * Vec3::Y), &surface).weights;
    let mut largest: f64 = 0.0;
    for (v, point) in surface.positions().iter().enumerate() {
        if !(2.0..6.0).contains(&point.y) {
            continue;
        }
        let away = f64::from(point.y - 4.0) / f64::from(radius);
        let upper = if away < 0.0 { 0.5 * away.exp() } else { 1.0 - 0.5 * (-away).exp() };
        // Small weights fade.
        let fade = |w: f64| (0.1 * (w - 0.025) / 0.075).clamp(0.0, w);
        let expected = fade(upper) / (fade(upper) + fade(1.0 - upper));
        largest = largest.max((dense(&weights, v, 2)[1] - expected).abs());
    }
    assert!(largest < 3e-3, "{largest}");
}

/// A second shell that is far off and behind the first one, and one that hides in the first.
#[test]
fn shells_that_see_no_bone_follow_the_nearest_and_say_so() {
    let (tube, ball) = (tube(), primitives::uv_sphere(0.3, 12, 8).unwrap());
    let mut positions = tube.positions().to_vec();
    let mut polygons = polygons(&tube, 0);
    polygons.extend(self::polygons(&ball, positions.len() as u32));
    positions.extend(ball.positions().iter().map(|p| *p + Vec3::new(3.0, 3.5, 0.0)));
    let both = HalfedgeMesh::from_polygons(positions, &polygons, None).unwrap();
    let skeleton = chain(2, 2.0 * Vec3::Y);
    let found = calculate(Method::heat(Some(4)), &skeleton, &both);
    assert_eq!(found.findings.len(), 1, "{:?}", found.findings);
    assert!(found.findings[0].contains("one separate piece"), "{:?}", found.findings);
    let alone = calculate(Method::heat(Some(4)), &skeleton, &tube);
    assert!(alone.findings.is_empty());
    sound(&found.weights, both.vertex_count(), 2, "two shells");
    for v in tube.vertex_count()..both.vertex_count() {
        assert_eq!(found.weights.influences(v).collect::<Vec<_>>(), [(1, 1.0)]);
    }
    // The ball does not affect the tube.
    for v in 0..tube.vertex_count() {
        let (a, b) = (dense(&found.weights, v, 2), dense(&alone.weights, v, 2));
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4), "vertex {v}");
    }
}

/// An open sleeve around the tube, which hides the bones from it: weighted as if the tube were not there.
#[test]
fn clothes_are_warmed_through_the_skin() {
    let (skin, sleeve) = (tube(), primitives::tube(0.9, 3.0, 17, 30).unwrap());
    let sides = |first| {
        let mut sides = polygons(&sleeve, first);
        sides.retain(|face| face.len() == 4);
        sides
    };
    // Without the middles of the ends.
    let around = &sleeve.positions()[..sleeve.vertex_count() - 2];
    let around: Vec<Vec3> = around.iter().map(|p| *p + Vec3::new(0.0, 0.5, 0.0)).collect();
    let mut faces = polygons(&skin, 0);
    faces.extend(sides(skin.vertex_count() as u32));
    let positions = [skin.positions(), &around].concat();
    let both = HalfedgeMesh::from_polygons(positions, &faces, None).unwrap();
    let sleeve = HalfedgeMesh::from_polygons(around, &sides(0), None).unwrap();
    let skeleton = chain(2, 2.0 * Vec3::Y);
    let found = calculate(Method::heat(None), &skeleton, &both);
    assert_eq!(found.findings.len(), 1, "{:?}", found.findings);
    let alone = calculate(Method::heat(None), &skeleton, &sleeve);
    assert!(alone.findings.is_empty(), "{:?}", alone.findings);
    let mut shared = 0;
    for v in 0..sleeve.vertex_count() {
        let here = dense(&found.weights, skin.vertex_count() + v, 2);
        let there = dense(&alone.weights, v, 2);
        assert!((here[0] - there[0]).abs() < 1e-4, "{here:?} {there:?}");
        shared += usize::from(here[0] > 0.2 && here[1] > 0.2);
    }
    assert!(shared > 50, "{shared}");
}

/// A sleeve that reaches out of a hole in the skin, so that its end sees the bones: the rest of it follows the bones below it, as
/// if there were no skin.
#[test]
fn a_sleeve_that_sees_a_bone_at_its_end_is_warmed_all_along() {
    let (skin, sleeve) = (tube(), primitives::tube(0.9, 6.0, 17, 60).unwrap());
    let raised: Vec<Vec3> = sleeve.positions().iter().map(|p| *p + Vec3::new(0.0, 0.5, 0.0)).collect();
    let mut faces = polygons(&skin, 0);
    faces.extend(polygons(&sleeve, skin.vertex_count() as u32));
    let positions = [skin.positions(), &raised].concat();
    let both = HalfedgeMesh::from_polygons(positions, &faces, None).unwrap();
    let sleeve = HalfedgeMesh::from_polygons(raised, &polygons(&sleeve, 0), None).unwrap();
    // The third bone is beyond the skin.
    let skeleton = chain(3, 2.0 * Vec3::Y);
    let found = calculate(Method::heat(None), &skeleton, &both);
    assert!(found.findings.is_empty(), "{:?}", found.findings);
    let alone = calculate(Method::heat(None), &skeleton, &sleeve);
    for v in 0..sleeve.vertex_count() {
        let (worn, bare) = (dense(&found.weights, skin.vertex_count() + v, 3), dense(&alone.weights, v, 3));
        assert!(worn.iter().zip(&bare).all(|(a, b)| (a - b).abs() < 1e-4), "{v}: {worn:?} {bare:?}");
    }
}

fn polygons(mesh: &HalfedgeMesh, first: u32) -> Vec<Vec<u32>> {
    let face = |face| mesh.face_corners(face).map(|corner| first + mesh.vertex_of(corner)).collect();
    (0..mesh.face_count() as u32).filter(|&f| !mesh.is_boundary(f)).map(face).collect()
}

#[test]
fn heat_does_not_depend_on_size_or_place() {
    let surface = tube();
    let skeleton = limbs(&mut Random::new(5), 4);
    let method = Method::heat(Some(3));
    let expected = calculate(method, &skeleton, &surface).weights;
    for (scale, offset) in [(1e-6, Vec3::ZERO), (1e6, Vec3::ZERO), (1.0, Vec3::new(16.0, -8.0, 4.0))] {
        let positions = surface.positions().iter().map(|p| *p * scale + offset).collect();
        let moved = HalfedgeMesh::from_polygons(positions, &polygons(&surface, 0), None).unwrap();
        let mut bones = skeleton.clone();
        bones.bones.iter_mut().for_each(|bone| bone.extent *= scale);
        bones.base = bones.base * scale + offset;
        let weights = calculate(method, &bones, &moved).weights;
        for v in 0..surface.vertex_count() {
            let (a, b) = (dense(&weights, v, 4), dense(&expected, v, 4));
            // Grazing rays and ties between bones may go either way.
            assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 0.02), "scale {scale}, vertex {v}");
        }
    }
}

/// Collapsed triangles, slivers, coincident vertices along an open seam, needles.
#[test]
fn heat_survives_bad_meshes() {
    let surface = tube();
    let skeleton = chain(2, 2.0 * Vec3::Y);
    let expected = calculate(Method::heat(None), &skeleton, &surface).weights;
    // Every polygon is separate: they are joined by position only.
    let (mut positions, mut apart) = (Vec::new(), Vec::new());
    for polygon in polygons(&surface, 0) {
        let first = positions.len() as u32;
        positions.extend(polygon.iter().map(|&v| surface.positions()[v as usize]));
        apart.push((first..positions.len() as u32).collect());
    }
    let soup = HalfedgeMesh::from_polygons(positions.clone(), &apart, None).unwrap();
    let weights = calculate(Method::heat(None), &skeleton, &soup).weights;
    sound(&weights, soup.vertex_count(), 2, "soup");
    for (v, &corner) in polygons(&surface, 0).iter().flatten().enumerate() {
        let (a, b) = (dense(&weights, v, 2), dense(&expected, corner as usize, 2));
        assert!((a[0] - b[0]).abs() < 1e-5, "seams stop no heat: {a:?} {b:?}");
    }
    let mut random = Random::new(3);
    for flatten in 0..4 {
        let positions: Vec<Vec3> = surface
            .positions()
            .iter()
            .map(|p| match flatten {
                0 => Vec3::ZERO,
                1 => *p * Vec3::new(1.0, 1.0, 0.0),
                2 => *p * Vec3::Y,
                _ => {
                    if random.chance(30) {
                        Vec3::new(0.1, p.y, 0.2)
                    } else {
                        *p
                    }
                }
            })
            .collect();
        let bad = HalfedgeMesh::from_polygons(positions, &polygons(&surface, 0), None).unwrap();
        let weights = calculate(Method::heat(Some(4)), &skeleton, &bad).weights;
        sound(&weights, bad.vertex_count(), 2, "flat");
        assert_eq!(weights.unweighted_count(), 0);
    }
}

/// A link moves no vertex, whatever its radius, and takes nothing from the bone that it carries.
#[test]
fn links_move_no_vertex_by_any_method() {
    let mut random = Random::new(5);
    let surface = tube();
    let mut skeleton = limbs(&mut random, 5);
    skeleton.bones[2].link = true;
    for method in Method::all().filter(|method| method.id() != "tube") {
        let calculated = calculate(method, &skeleton, &surface);
        assert!(!calculated.weights.bones.contains(&2), "{method:?}");
        assert!(calculated.weights.bones.contains(&4), "{method:?}");
        // The link could as well be far away, where no method finds it.
        let mut without = skeleton.clone();
        without.bones[2].radius = 0.0;
        assert!(calculated.weights == calculate(method, &without, &surface).weights, "{method:?}");
    }
    let mut two = chain(2, Vec3::Y);
    two.bones[1].link = true;
    assert!(Method::tube(1.0).calculate(&two, &surface, &|_| true).is_err());
}
