//! Linear blend skinning: positions of all vertices and normals of all render vertices.

mod common;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ossature::mesh::render::RenderMesh;
use ossature::rig::kinematics::{bind_pose, current_pose};
use ossature::rig::skinning::{linear, skinning_matrices};
use ossature::rig::weights::capsule::capsule_weights;

fn skinning(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("skinning");
    for (name, around, along) in common::SIZES {
        let (mesh, skeleton) = common::rigged_tube(around, along);
        let weights = capsule_weights(&skeleton, mesh.positions());
        let render = RenderMesh::new(&mesh);
        let bones = skinning_matrices(&bind_pose(&skeleton), &current_pose(&skeleton));
        let (mut positions, mut normals) = (Vec::new(), Vec::new());
        let mut skin = || {
            linear::skin(
                &bones,
                &weights,
                mesh.positions(),
                &render,
                &mut positions,
                &mut normals,
            )
        };
        group.throughput(Throughput::Elements(mesh.vertex_count() as u64));
        group.bench_function(BenchmarkId::new("linear, all threads", name), |b| {
            b.iter(&mut skin)
        });
        if let Ok(one) = rayon::ThreadPoolBuilder::new().num_threads(1).build() {
            let id = BenchmarkId::new("linear, one thread", name);
            group.bench_function(id, |b| one.install(|| b.iter(&mut skin)));
        }
    }
    group.finish();
}

criterion_group!(benches, skinning);
criterion_main!(benches);
