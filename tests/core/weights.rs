//! Refining, reporting and calculating weights, against rows worked out by hand, brute force and the rules
//! that weights must keep.

use crate::random::Random;
use glam::Vec3;
use ossature::mesh::halfedge::HalfedgeMesh;
use ossature::mesh::primitives;
use ossature::rig::skeleton::{Bone, Skeleton};
use ossature::rig::weights::VertexWeights;
use ossature::rig::weights::calculate::Calculation;
use ossature::rig::weights::capsule::capsule_weights;
use ossature::rig::weights::method::{Method, MethodError};
use ossature::rig::weights::refine::Refinement;
use ossature::rig::weights::report::WeightReport;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

type Rows = Vec<Vec<(u16, f32)>>;

fn weights(rows: &[&[(u16, f32)]]) -> VertexWeights {
    let mut weights = VertexWeights::none(0);
    for row in rows {
        weights.push_row(row.iter().copied());
    }
    weights
}

fn rows(weights: &VertexWeights) -> Rows {
    (0..weights.vertex_count()).map(|v| weights.influences(v).collect()).collect()
}

fn assert_near(weights: &VertexWeights, expected: &[&[(u16, f32)]]) {
    let got = rows(weights);
    assert_eq!(got.len(), expected.len());
    for (v, (got, expected)) in got.iter().zip(expected).enumerate() {
        let bones = |row: &[(u16, f32)]| row.iter().map(|(b, _)| *b).collect::<Vec<_>>();
        assert_eq!(bones(got), bones(expected), "vertex {v}: {got:?}");
        for (g, e) in got.iter().zip(*expected) {
            assert!((g.1 - e.1).abs() < 1e-6, "vertex {v}: {got:?}, not {expected:?}");
        }
    }
}

/// A tetrahedron: every vertex is a neighbour of every other.
fn tetrahedron() -> HalfedgeMesh {
    let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    let polygons = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]].map(|p| p.to_vec());
    HalfedgeMesh::from_polygons(positions, &polygons, None).unwrap()
}

/// Rows of every kind: none, one, many, zeros, sums that are not 1.
fn random_weights(random: &mut Random, vertices: usize, bones: u16) -> VertexWeights {
    let mut weights = VertexWeights::none(0);
    for v in 0..vertices {
        let row: Vec<(u16, f32)> = (0..bones)
            .filter(|_| random.fraction() < 0.4)
            .collect::<Vec<_>>()
            .into_iter()
            .map(|bone| (bone, if random.fraction() < 0.1 { 0.0 } else { random.fraction() }))
            .collect();
        let sum: f32 = row.iter().map(|(_, w)| w).sum();
        let scale = if v % 5 == 0 || sum == 0.0 { 1.0 } else { sum };
        weights.push_row(row.into_iter().map(|(b, w)| (b, w / scale)));
    }
    weights
}

#[test]
fn limit_keeps_the_largest() {
    let before = weights(&[
        &[(0, 0.1), (2, 0.4), (3, 0.3), (7, 0.2)],
        &[(1, 0.25), (2, 0.25), (3, 0.25), (4, 0.25)],
        &[(5, 0.3), (6, 0.3)],
        &[],
    ]);
    let after = Refinement::Limit { most: 2 }.apply(&before, &tetrahedron(), None);
    assert_near(
        &after,
        &[
            &[(2, 0.4 / 0.7), (3, 0.3 / 0.7)],
            // Equal weights: the first bones.
            &[(1, 0.5), (2, 0.5)],
            // Within the limit: unchanged, though the sum is not 1.
            &[(5, 0.3), (6, 0.3)],
            &[],
        ],
    );
    let some = Refinement::Limit { most: 1 }.apply(&before, &tetrahedron(), Some(&[1, 99]));
    assert_eq!(rows(&some)[0], rows(&before)[0]);
    assert_eq!(rows(&some)[1], [(1, 1.0)]);
}

#[test]
fn prune_drops_the_small_but_never_all() {
    let before = weights(&[
        &[(0, 0.005), (1, 0.5), (4, 0.495)],
        &[(2, 0.004), (3, 0.006), (5, 0.006)],
        &[(0, 0.01), (1, 0.99)],
        &[],
    ]);
    let after = Refinement::Prune { below: 0.01 }.apply(&before, &tetrahedron(), None);
    assert_near(
        &after,
        &[&[(1, 0.5 / 0.995), (4, 0.495 / 0.995)], &[(3, 1.0)], &[(0, 0.01), (1, 0.99)], &[]],
    );
}

#[test]
fn normalise_and_clear() {
    let before = weights(&[&[(0, 2.0), (1, 6.0)], &[(3, 0.5)], &[(2, 0.0)], &[]]);
    let after = Refinement::Normalize.apply(&before, &tetrahedron(), None);
    assert_near(&after, &[&[(0, 0.25), (1, 0.75)], &[(3, 1.0)], &[(2, 0.0)], &[]]);
    let again = Refinement::Normalize.apply(&after, &tetrahedron(), None);
    assert!(again == after);
    let cleared = Refinement::Clear.apply(&before, &tetrahedron(), Some(&[0]));
    assert_eq!(rows(&cleared)[..2], [vec![], vec![(3, 0.5)]]);
    assert_eq!(Refinement::Clear.apply(&before, &tetrahedron(), None), VertexWeights::none(4));
}

#[test]
fn smooth_takes_the_mean_of_the_neighbours() {
    let mesh = tetrahedron();
    let smooth = |factor, times| Refinement::Smooth { factor, times };
    let before = weights(&[&[(0, 1.0)], &[(1, 1.0)], &[(1, 0.5), (2, 0.5)], &[]]);
    let after = smooth(0.5, 1).apply(&before, &mesh, None);
    assert_near(
        &after,
        &[
            // Neighbours 1 and 2; 3 has no weights.
            &[(0, 0.5), (1, 0.375), (2, 0.125)],
            &[(0, 0.25), (1, 0.625), (2, 0.125)],
            &[(0, 0.25), (1, 0.5), (2, 0.25)],
            &[(0, 1.0 / 3.0), (1, 0.5), (2, 0.5 / 3.0)],
        ],
    );
    // Only vertex 0, from the unchanged others.
    let some = smooth(1.0, 1).apply(&before, &mesh, Some(&[0]));
    assert_eq!(rows(&some)[1..], rows(&before)[1..]);
    assert_eq!(rows(&some)[0], [(1, 0.75), (2, 0.25)]);
    // A row whose sum is not 1 counts no more and no less than another.
    let scaled = weights(&[&[(0, 4.0)], &[(1, 1.0)], &[(1, 0.1), (2, 0.1)], &[]]);
    let scaled = smooth(0.5, 1).apply(&scaled, &mesh, None);
    assert_near(&scaled, &rows(&after).iter().map(Vec::as_slice).collect::<Vec<_>>());
}

/// Neighbours found by walking all edges, weights in a dense table, in f64.
fn smooth_by_brute_force(weights: &VertexWeights, mesh: &HalfedgeMesh, factor: f64) -> Vec<Vec<f64>> {
    let bones = 1 + weights.bones.iter().copied().max().unwrap_or(0) as usize;
    let vertices = weights.vertex_count();
    let mut dense = vec![vec![0.0; bones]; vertices];
    for (v, row) in dense.iter_mut().enumerate() {
        weights.influences(v).for_each(|(b, w)| row[b as usize] = f64::from(w));
        let sum: f64 = row.iter().sum();
        if sum > 0.0 {
            row.iter_mut().for_each(|w| *w /= sum);
        }
    }
    let is_weighted = |v: usize| dense[v].iter().sum::<f64>() > 0.0;
    let mut near = vec![BTreeSet::new(); vertices];
    for edge in 0..mesh.edge_count() as u32 {
        let [a, b] = mesh.edge_vertices(edge).map(|v| v as usize);
        near[a].insert(b);
        near[b].insert(a);
    }
    (0..vertices)
        .map(|v| {
            let near: Vec<_> = near[v].iter().copied().filter(|&n| is_weighted(n)).collect();
            if near.is_empty() {
                return dense[v].clone();
            }
            let part = if is_weighted(v) { factor } else { 1.0 };
            let mean = |b: usize| near.iter().map(|&n| dense[n][b]).sum::<f64>() / near.len() as f64;
            (0..bones).map(|b| (1.0 - part) * dense[v][b] + part * mean(b)).collect()
        })
        .collect()
}

#[test]
fn smooth_agrees_with_brute_force() {
    let mut random = Random::new(77);
    for mesh in [primitives::tube(1.0, 2.0, 8, 5).unwrap(), primitives::uv_sphere(1.0, 7, 6).unwrap()] {
        let before = random_weights(&mut random, mesh.vertex_count(), 6);
        let after = Refinement::Smooth { factor: 0.3, times: 1 }.apply(&before, &mesh, None);
        let expected = smooth_by_brute_force(&before, &mesh, 0.3);
        for (v, row) in expected.iter().enumerate() {
            let sum: f64 = row.iter().sum();
            for (bone, weight) in row.iter().enumerate() {
                let got = after.influences(v).find(|(b, _)| usize::from(*b) == bone);
                let got = got.map_or(0.0, |(_, w)| f64::from(w));
                assert!((got - weight / sum.max(1e-9)).abs() < 2e-5, "{v} {bone}: {got} {weight}");
            }
        }
    }
}

#[test]
fn refined_weights_keep_the_rules() {
    let mesh = primitives::uv_sphere(1.0, 12, 9).unwrap();
    let mut random = Random::new(5);
    for round in 0..20 {
        let before = random_weights(&mut random, mesh.vertex_count(), 9);
        let some: Vec<u32> = (0..mesh.vertex_count() as u32).filter(|_| random.fraction() < 0.5).collect();
        for how in [
            Refinement::Limit { most: 1 + round % 5 },
            Refinement::Prune { below: random.fraction() * 0.5 },
            Refinement::Smooth { factor: random.fraction(), times: 1 + round % 4 },
            Refinement::Normalize,
        ] {
            for chosen in [None, Some(&some[..])] {
                let after = how.apply(&before, &mesh, chosen);
                after.validate(mesh.vertex_count(), 9).unwrap();
                for v in 0..mesh.vertex_count() {
                    let (was, is) = (rows(&before)[v].clone(), rows(&after)[v].clone());
                    assert!(is.is_sorted_by_key(|(bone, _)| *bone), "{how:?} {v}: {is:?}");
                    let sum = |row: &[(u16, f32)]| row.iter().map(|(_, w)| f64::from(*w)).sum::<f64>();
                    let is_chosen = chosen.is_none_or(|some| some.contains(&(v as u32)));
                    if !is_chosen {
                        assert_eq!(was, is, "{how:?} {v}");
                        continue;
                    }
                    if !was.is_empty() {
                        assert!(!is.is_empty(), "{how:?} {v}");
                    }
                    let touched = was != is && sum(&is) > 0.0;
                    assert!(!touched || (sum(&is) - 1.0).abs() < 1e-5, "{how:?} {v}: {was:?} {is:?}");
                    match how {
                        Refinement::Limit { most } => assert!(is.len() <= most),
                        Refinement::Prune { below } => {
                            // Scaling the rest up to 1 makes none smaller.
                            let few = is.len() == 1 || sum(&was) > 1.00001;
                            assert!(few || is.iter().all(|(_, w)| *w >= below), "{v}: {is:?}");
                        }
                        Refinement::Normalize => {
                            assert!(sum(&was) == 0.0 || (sum(&is) - 1.0).abs() < 1e-5);
                        }
                        _ => {}
                    }
                }
            }
        }
    }
}

fn idle_skeleton(bones: usize) -> Skeleton {
    Skeleton { bones: vec![Bone::default(); bones], ..Skeleton::default() }
}

#[test]
fn the_report_agrees_with_brute_force() {
    let mut random = Random::new(11);
    for bones in [1u16, 3, 12] {
        let weights = random_weights(&mut random, 300, bones);
        let report = WeightReport::new(&weights, &idle_skeleton(usize::from(bones) + 2));
        let (mut unweighted, mut off, mut many) = (Vec::new(), Vec::new(), Vec::new());
        let mut counts = Vec::new();
        let mut used = BTreeMap::new();
        for (v, row) in rows(&weights).into_iter().enumerate() {
            let positive: Vec<_> = row.iter().filter(|(_, w)| *w > 0.0).collect();
            positive.iter().for_each(|(b, _)| *used.entry(usize::from(*b)).or_insert(0) += 1);
            if row.is_empty() {
                unweighted.push(v as u32);
                continue;
            }
            counts.push(positive.len());
            if (row.iter().map(|(_, w)| f64::from(*w)).sum::<f64>() - 1.0).abs() > 1e-4 {
                off.push(v as u32);
            }
            if positive.len() > 4 {
                many.push(v as u32);
            }
        }
        let idle: Vec<usize> = (0..usize::from(bones) + 2).filter(|b| !used.contains_key(b)).collect();
        assert_eq!(report.unweighted, unweighted);
        assert_eq!(report.off_sum, off);
        assert_eq!(report.over_limit, many);
        assert_eq!(report.idle_bones, idle);
        assert!(idle.len() >= 2 && !off.is_empty() && !unweighted.is_empty());
        assert_eq!(
            (report.fewest, report.most),
            (*counts.iter().min().unwrap(), *counts.iter().max().unwrap())
        );
        let mean = counts.iter().sum::<usize>() as f64 / counts.len() as f64;
        assert!((report.mean - mean).abs() < 1e-12);
    }
    let none = WeightReport::new(&VertexWeights::none(3), &idle_skeleton(2));
    assert_eq!((none.fewest, none.most, none.mean, none.unweighted.len()), (0, 0, 0.0, 3));
    assert_eq!(none.idle_bones, [0, 1]);
}

/// A tall tube of 20,000 vertices with a chain of bones in it, and one bone next to it.
fn tall() -> (Skeleton, Arc<HalfedgeMesh>) {
    let mesh = primitives::tube(1.0, 10.0, 100, 200).unwrap();
    let low = mesh.positions().iter().map(|p| p.y).fold(f32::INFINITY, f32::min);
    let bone = |i: u32| Bone {
        extent: Vec3::Y * 1.25,
        radius: 1.7,
        parent: i.checked_sub(1),
        channel_id: i,
        ..Bone::default()
    };
    let skeleton = Skeleton { bones: (0..8).map(bone).collect(), base: Vec3::Y * low, ..Skeleton::default() };
    (skeleton, Arc::new(mesh))
}

fn calculation(skeleton: &Skeleton, mesh: &Arc<HalfedgeMesh>) -> Calculation {
    Calculation {
        method: Method::CAPSULE,
        skeleton: Arc::new(skeleton.clone()),
        surface: mesh.clone(),
        bones: None,
        stored: Arc::default(),
    }
}

#[test]
fn a_calculation_is_that_of_its_method_and_can_be_given_up() {
    let (skeleton, mesh) = tall();
    for method in [Method::CAPSULE, Method::INVERSE_DISTANCE] {
        let calculation = Calculation { method, ..calculation(&skeleton, &mesh) };
        let expected = method.calculate(&skeleton, &mesh, &|_| true).unwrap();
        assert_eq!(calculation.run(&|_| true), Ok(expected));
        assert_eq!(calculation.run(&|_| false), Err(MethodError::Cancelled));
    }
}

#[test]
fn some_bones_calculated_anew() {
    let (skeleton, mesh) = tall();
    let all = Arc::new(capsule_weights(&skeleton, mesh.positions()));
    let calculate = |skeleton: &Skeleton, bones: &[usize], stored: &Arc<VertexWeights>| {
        let calculation = Calculation {
            bones: Some(bones.to_vec()),
            stored: stored.clone(),
            ..calculation(skeleton, &mesh)
        };
        calculation.run(&|_| true).unwrap().weights
    };
    let near = |a: &VertexWeights, b: &VertexWeights| {
        assert_eq!((&a.ends, &a.bones), (&b.ends, &b.bones));
        for (x, y) in a.weights.iter().zip(&b.weights) {
            assert!((x - y).abs() < 1e-6, "{x} {y}");
        }
    };
    // Nothing moved: nothing changes except for rounding. Choosing all bones is a full calculation.
    near(&calculate(&skeleton, &[2, 5], &all), &all);
    let every: Vec<usize> = (0..8).collect();
    assert!(calculate(&skeleton, &every, &Arc::default()) == *all);
    // Without weights, the chosen bones get every vertex that they reach.
    let alone = calculate(&skeleton, &[3], &Arc::new(VertexWeights::none(mesh.vertex_count())));
    for v in 0..mesh.vertex_count() {
        let row: Vec<_> = alone.influences(v).collect();
        let reached = all.influences(v).any(|(b, _)| b == 3);
        assert_eq!(row, if reached { vec![(3, 1.0)] } else { vec![] });
    }
    // A bone that loses its radius leaves its share to the others, in their proportions.
    let mut thin = skeleton.clone();
    thin.bones[4].radius = 0.0;
    let without = calculate(&thin, &[4], &all);
    for v in 0..mesh.vertex_count() {
        let others: Vec<_> = all.influences(v).filter(|(b, _)| *b != 4).collect();
        let sum: f32 = others.iter().map(|(_, w)| w).sum();
        let got: Vec<_> = without.influences(v).collect();
        assert_eq!(got.len(), others.len());
        for (got, was) in got.iter().zip(others) {
            assert!(got.0 == was.0 && (got.1 - was.1 / sum).abs() < 1e-6);
        }
    }
    // A bone that grows takes the share that a full calculation would give it.
    let mut thick = skeleton.clone();
    thick.bones[4].radius = 2.5;
    let (fresh, grown) = (capsule_weights(&thick, mesh.positions()), calculate(&thick, &[4], &all));
    grown.validate(mesh.vertex_count(), 8).unwrap();
    for v in 0..mesh.vertex_count() {
        let share = |w: &VertexWeights| w.influences(v).find(|(b, _)| *b == 4).map_or(0.0, |(_, w)| w);
        assert!((share(&fresh) - share(&grown)).abs() < 1e-6);
        let sum: f32 = grown.influences(v).map(|(_, w)| w).sum();
        assert!(sum == 0.0 || (sum - 1.0).abs() < 1e-5);
    }
}
