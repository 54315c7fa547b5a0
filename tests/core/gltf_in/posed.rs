//! The vertices of a scene, stored and posed, and the distance between two sets of them.

use glam::{DVec3, Mat4, Vec3};
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluator, Settings};
use std::collections::HashMap;

/// Returns the vertices of all placed surfaces: stored (in mesh space) and posed in the world.
pub fn vertices(scene: &Scene, frame: Option<f32>) -> Vec<(Vec3, Vec3)> {
    let settings = Settings { frame, ..Settings::default() };
    let evaluated = Evaluator::default().evaluate(scene, &settings);
    let mut all = Vec::new();
    let instances = &scene.instances;
    for instance in instances.skinned_meshes.values() {
        let world = evaluated.world(instance.transform.as_deref());
        let name = instance.resource.as_deref().unwrap();
        let stored = scene.skinned_meshes[name].surface.positions();
        let posed = &evaluated.skinned[name].positions;
        all.extend(stored.iter().zip(posed).map(|(at, posed)| (*at, world.transform_point3(*posed))));
    }
    for instance in instances.meshes.values() {
        let world: Mat4 = evaluated.world(instance.transform.as_deref());
        let stored = scene.meshes[instance.resource.as_deref().unwrap()].surface.positions();
        all.extend(stored.iter().map(|at| (*at, world.transform_point3(*at))));
    }
    all
}

/// Returns the longest side of the bounding box of points.
pub fn size(places: impl Iterator<Item = DVec3>) -> f64 {
    let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let (low, high) = places.fold(none, |(low, high), at| (low.min(at), high.max(at)));
    (high - low).max_element()
}

/// Returns the largest distance of a posed vertex of `expected` from the nearest of `found` that is stored at
/// the same point, within `same`; infinity if there is none.
pub fn worst(expected: &[(DVec3, DVec3)], found: &[(DVec3, DVec3)], same: f64) -> f64 {
    let cell = |at: DVec3| (at / same).floor().as_i64vec3().to_array();
    let mut cells: HashMap<[i64; 3], Vec<usize>> = HashMap::new();
    for (index, (stored, _)) in found.iter().enumerate() {
        cells.entry(cell(*stored)).or_default().push(index);
    }
    let mut worst: f64 = 0.0;
    for (stored, posed) in expected {
        let [x, y, z] = cell(*stored);
        let around = (0..27).map(|i| [x + i % 3 - 1, y + i / 3 % 3 - 1, z + i / 9 - 1]);
        let near = around.filter_map(|cell| cells.get(&cell)).flatten();
        let near = near.filter(|index| found[**index].0.distance(*stored) <= same);
        worst = worst.max(near.map(|index| found[*index].1.distance(*posed)).fold(f64::INFINITY, f64::min));
    }
    worst
}

/// Converts to f64.
pub fn wide(vertices: Vec<(Vec3, Vec3)>) -> Vec<(DVec3, DVec3)> {
    let wide = |(stored, posed): (Vec3, Vec3)| (stored.as_dvec3(), posed.as_dvec3());
    vertices.into_iter().map(wide).collect()
}
