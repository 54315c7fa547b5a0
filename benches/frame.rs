//! What a dragged handle costs per frame: ten solver steps with two handles, pose, skin with normals.
//! On the human of `media/` and on a tube of 100,000 vertices.

mod common;

use criterion::{Criterion, criterion_group, criterion_main};
use glam::Vec3;
use ossature::io::js3d;
use ossature::rig::ik::{Options, Step};
use ossature::rig::kinematics;
use ossature::rig::skeleton::{Handle, Skeleton};
use ossature::rig::weights::capsule::capsule_weights;
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluator, Settings};
use ossature::scene::skinned::SkinnedMesh;
use std::path::Path;
use std::sync::Arc;

/// The human as it is shipped; `None` in a checkout without it.
fn human() -> Option<SkinnedMesh> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d/A4-human.js3d");
    let (scene, _) = js3d::read_file(&path).ok()?;
    let mesh = scene.skinned_meshes.values().next()?;
    Some((**mesh).clone())
}

fn tube() -> SkinnedMesh {
    let (_, around, along) = common::SIZES[1];
    let (surface, skeleton) = common::rigged_tube(around, along);
    SkinnedMesh {
        weights: Arc::new(capsule_weights(&skeleton, surface.positions())),
        surface: Arc::new(surface),
        skeleton: Arc::new(skeleton),
        ..SkinnedMesh::default()
    }
}

/// Handles on the two bones whose tips are furthest to the sides (or up), pulled out of reach, so that
/// all ten steps are taken.
fn pull(skeleton: &mut Skeleton) {
    let tips = kinematics::tips(skeleton, &kinematics::bind_pose(skeleton));
    let bones = 0..skeleton.bones.len();
    let size = tips.iter().map(|t| t.length()).fold(0.0, f64::max) as f32;
    let side = |bone: &usize| tips[*bone].x + 0.1 * tips[*bone].y;
    let left = bones.clone().max_by(|a, b| side(a).total_cmp(&side(b)));
    let right = bones.max_by(|a, b| (0.2 * tips[*a].y - side(a)).total_cmp(&(0.2 * tips[*b].y - side(b))));
    for (bone, direction) in left
        .into_iter()
        .zip([Vec3::new(1.0, 0.3, 0.8)])
        .chain(right.into_iter().zip([Vec3::new(-1.0, 0.6, 0.4)]))
    {
        skeleton.handles.push(Handle {
            bone: bone as u32,
            target: tips[bone].as_vec3() + size * direction,
            enabled: true,
            channel_id: bone as u32,
            extra: Default::default(),
        });
    }
}

fn frame(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("frame");
    for (name, mesh) in [("human", human()), ("tube of 100k", Some(tube()))] {
        let Some(mut mesh) = mesh else {
            eprintln!("frame/{name}: skipped, the file is not there");
            continue;
        };
        pull(Arc::make_mut(&mut mesh.skeleton));
        let vertices = mesh.surface.vertex_count();
        let mut scene = Scene::default();
        scene.skinned_meshes.insert(name.into(), Arc::new(mesh.clone()));
        for (method, step) in [("searched", Step::Searched), ("damped", Step::Damped)] {
            let settings = Settings {
                ik: Some(Options {
                    max_steps: 10,
                    step,
                    ..Options::default()
                }),
                ..Settings::default()
            };
            let mut evaluator = Evaluator::default();
            let first = evaluator.evaluate(&scene, &settings);
            let steps = first.skinned[name].ik.as_ref().map_or(0, |ik| ik.steps);
            let id = format!("{name}, {vertices} vertices, {steps} steps {method}");
            let one = rayon::ThreadPoolBuilder::new()
                .num_threads(1)
                .build()
                .expect("a thread");
            group.bench_function(id, |b| {
                let mut turn = 0.0;
                one.install(|| {
                    b.iter(|| {
                        // As a drag does: a target moves, so that nothing is found in the cache.
                        turn += 1.0;
                        let mut scene = scene.clone();
                        let mut mesh = mesh.clone();
                        Arc::make_mut(&mut mesh.skeleton).handles[0].target.z += 1e-3 * (turn % 100.0 + 1.0);
                        scene.skinned_meshes.insert(name.into(), Arc::new(mesh));
                        evaluator.evaluate(&scene, &settings)
                    })
                })
            });
        }
    }
    group.finish();
}

criterion_group!(benches, frame);
criterion_main!(benches);
