//! Compares the tree with brute force.

use super::*;
use crate::mesh::primitives;
use crate::testing::Random;

/// Returns triangles of various sizes, some degenerate, and one far vertex.
fn soup(random: &mut Random, count: u32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut positions = Vec::new();
    for _ in 0..count {
        let (center, size) = (random.vec3(2.0), random.range(0.01, 0.6));
        for _ in 0..3 {
            positions.push(center + random.vec3(size));
        }
    }
    positions.push(Vec3::splat(50.0));
    let triangle = |i: u32| [3 * i, 3 * i + 1, if i % 17 == 3 { 3 * i } else { 3 * i + 2 }];
    (positions, (0..count).map(triangle).collect())
}

fn brute_force(positions: &[Vec3], triangles: &[[u32; 3]], ray: &Ray) -> Vec<f32> {
    let corner = |i: u32| positions[i as usize];
    let hits =
        triangles.iter().filter_map(|[a, b, c]| ray.intersect_triangle(corner(*a), corner(*b), corner(*c)));
    let mut hits: Vec<f32> = hits.collect();
    hits.sort_by(f32::total_cmp);
    hits
}

fn random_ray(random: &mut Random) -> Ray {
    let origin = random.vec3(4.0);
    let mut ray = Ray::new(origin, (random.vec3(1.5) - origin) * random.range(0.1, 3.0));
    match random.next() % 4 {
        0 => ray.start = f32::NEG_INFINITY,
        1 => ray.start = 0.7,
        2 => ray.direction = [Vec3::X, -Vec3::Y, Vec3::Z][(random.next() % 3) as usize],
        _ => {}
    }
    ray
}

fn assert_matches_brute_force(tree: &Bvh, positions: &[Vec3], triangles: &[[u32; 3]], ray: &Ray) -> usize {
    let expected = brute_force(positions, triangles, ray);
    let all: Vec<f32> = tree.all_hits(positions, ray).iter().map(|hit| hit.t).collect();
    assert_eq!(all, expected, "{ray:?}");
    let first = tree.first_hit(positions, ray);
    assert_eq!(first.map(|hit| hit.t), expected.first().copied(), "{ray:?}");
    if let Some(hit) = first {
        let [a, b, c] = hit.triangle.map(|i| positions[i as usize]);
        assert_eq!(ray.intersect_triangle(a, b, c), Some(hit.t));
    }
    expected.len()
}

#[test]
fn rays_agree_with_brute_force_even_after_a_refit() {
    let mut random = Random::new(91);
    let mut hits = 0;
    for count in [1, 3, 5, 40, 600] {
        let (mut positions, triangles) = soup(&mut random, count);
        let mut tree = Bvh::new(&positions, &triangles);
        assert_eq!(tree.triangles.len(), count as usize);
        for round in 0..3 {
            for _ in 0..400 {
                hits += assert_matches_brute_force(&tree, &positions, &triangles, &random_ray(&mut random));
            }
            for p in &mut positions {
                *p = *p * random.range(0.5, 1.5) + random.vec3(0.5);
            }
            if round == 0 {
                tree = tree.refitted(&positions);
            } else {
                tree.refit(&positions);
            }
        }
    }
    assert!(hits > 3_000, "{hits}");
}

#[test]
fn boxes_contain_their_triangles_and_leaves_are_small() {
    let mut random = Random::new(92);
    let (positions, triangles) = soup(&mut random, 500);
    let tree = Bvh::new(&positions, &triangles);
    let mut leaf_count = 0;
    for node in tree.nodes.iter().filter(|node| node.count > 0) {
        assert!(node.count as usize <= LEAF);
        for t in tree.leaf(node) {
            let bounds = Bounds::from_points(corners(&positions, t).unwrap());
            assert_eq!(node.bounds.union(bounds), node.bounds);
        }
        leaf_count += node.count;
    }
    assert_eq!(leaf_count, 500);
    let used = Bounds::from_points(positions[..1500].iter().copied());
    assert_eq!(tree.bounds().union(used), used);
}

/// Rays along edges and through vertices of a surface whose boxes are flat.
#[test]
fn rays_hit_a_surface_along_its_edges_too() {
    let cube = primitives::cuboid(Vec3::splat(2.0)).unwrap();
    let (positions, triangles) = (cube.positions().to_vec(), cube.triangles());
    assert_eq!(triangles.len(), 12);
    let tree = Bvh::from_surface(&cube);
    for x in [-1.0, -0.5, 0.0, 1.0] {
        for y in [-1.0, 0.0, 0.25, 1.0] {
            let ray = Ray::new(Vec3::new(x, y, 7.0), -Vec3::Z);
            assert_matches_brute_force(&tree, &positions, &triangles, &ray);
            let depths: Vec<f32> = tree.all_hits(&positions, &ray).iter().map(|h| h.t).collect();
            assert_eq!((depths[0], *depths.last().unwrap()), (6.0, 8.0));
        }
    }
    // The second surface: query again from behind the first.
    let mut ray = Ray::new(Vec3::new(0.3, 0.2, 7.0), -Vec3::Z);
    ray.start = 6.0 + 1e-4;
    assert_eq!(tree.first_hit(&positions, &ray).unwrap().t, 8.0);
    ray.start = 8.0 + 1e-4;
    assert_eq!(tree.first_hit(&positions, &ray), None);
}

#[test]
fn odd_input_is_handled() {
    let ray = Ray::new(Vec3::ZERO, Vec3::Z);
    let empty = Bvh::new(&[], &[[0, 1, 2]]);
    assert_eq!((empty.first_hit(&[], &ray), empty.bounds().is_empty()), (None, true));
    for odd in [f32::NAN, f32::INFINITY, f32::MAX, -f32::MAX, 0.0] {
        let mut positions = vec![Vec3::splat(odd); 60];
        for (i, p) in positions.iter_mut().enumerate().skip(30) {
            *p = Vec3::new((i % 3) as f32 - 0.5, (i % 2) as f32 - 0.5, i as f32);
        }
        let triangles: Vec<[u32; 3]> = (0..20).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let tree = Bvh::new(&positions, &triangles);
        assert_eq!(tree.triangles.len(), 20);
        assert_matches_brute_force(&tree, &positions, &triangles, &ray);
    }
    // All triangles coincide: one oversized leaf.
    let coincident = vec![Vec3::ONE; 300];
    let triangles: Vec<[u32; 3]> = (0..100).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    assert_eq!(Bvh::new(&coincident, &triangles).triangles.len(), 100);
}

#[test]
fn a_tree_is_built_once_and_dropped_with_its_surface() {
    let cache = BvhCache::default();
    let [small, large] = [1.0, 2.0].map(|radius| Arc::new(primitives::uv_sphere(radius, 12, 6).unwrap()));
    assert!(Arc::ptr_eq(&cache.get(&small), &cache.get(&small)));
    assert_eq!(*cache.get(&large), Bvh::from_surface(&large));
    let tree = Arc::downgrade(&cache.get(&small));
    drop(small);
    cache.get(&large);
    assert!(tree.upgrade().is_none());
}
