//! Benches of inverse kinematics: the gradient, and ten solver steps towards targets that are out of reach,
//! so that no step is skipped.

#[path = "../tests/random/mod.rs"]
mod random;
#[path = "../tests/rig_support/mod.rs"]
mod rig_support;

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use glam::Vec3;
use ossature::rig::ik::{self, Options, Step};
use ossature::rig::skeleton::Skeleton;
use rig_support::*;

fn skeletons() -> [(&'static str, Skeleton); 2] {
    let mut random = Random::new(1);
    let mut human = human();
    let mut chain = chain(200, Vec3::new(0.0, 0.005, 0.0));
    for bone in human.bones.iter_mut().chain(&mut chain.bones) {
        bone.pose_deg = 2.0 * random.normal3();
    }
    for (bone, target) in [(6, Vec3::new(4.0, 5.0, 3.0)), (9, Vec3::new(-4.0, 6.0, 2.0))] {
        human.handles.push(handle(bone, target));
    }
    chain.handles.push(handle(199, Vec3::new(1.0, 1.0, 0.5)));
    [("human, 2 handles", human), ("chain of 200", chain)]
}

fn inverse_kinematics(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("ik");
    for (name, skeleton) in skeletons() {
        group.bench_function(BenchmarkId::new("gradient", name), |b| b.iter(|| ik::gradient(&skeleton)));
        for (method, step) in [("fixed", Step::Fixed(1e-3)), ("damped", Step::Damped)] {
            let options = Options { max_steps: 10, step, ..Options::default() };
            let steps = ik::solve(&mut skeleton.clone(), &options).steps;
            assert_eq!(steps, 10, "{name}: {method} stopped early");
            group.bench_function(BenchmarkId::new(format!("ten steps, {method}"), name), |b| {
                let solve = |mut skeleton: Skeleton| ik::solve(&mut skeleton, &options);
                b.iter_batched(|| skeleton.clone(), solve, BatchSize::SmallInput)
            });
        }
    }
    group.finish();
}

criterion_group!(benches, inverse_kinematics);
criterion_main!(benches);
