//! Benches of capsule and heat weights of all vertices.

mod common;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ossature::rig::weights::capsule::capsule_weights;
use ossature::rig::weights::method::Method;

fn weights(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("weights");
    for (name, around, along) in common::SIZES {
        let (mesh, skeleton) = common::rigged_tube(around, along);
        let calculate = || capsule_weights(&skeleton, mesh.positions());
        group.throughput(Throughput::Elements(mesh.vertex_count() as u64));
        group.bench_function(BenchmarkId::new("capsule, all threads", name), |b| b.iter(calculate));
        if let Ok(one) = rayon::ThreadPoolBuilder::new().num_threads(1).build() {
            let id = BenchmarkId::new("capsule, one thread", name);
            group.bench_function(id, |b| one.install(|| b.iter(calculate)));
        }
    }
    group.finish();

    let mut group = criterion.benchmark_group("heat");
    group.sample_size(10);
    for (name, around, along) in common::SIZES {
        let (mesh, skeleton) = common::rigged_tube(around, along);
        let heat = Method::heat(Some(4));
        group.throughput(Throughput::Elements(mesh.vertex_count() as u64));
        group.bench_function(BenchmarkId::new("all threads", name), |b| {
            b.iter(|| heat.calculate(&skeleton, &mesh, &|_| true))
        });
    }
    group.finish();
}

criterion_group!(benches, weights);
criterion_main!(benches);
