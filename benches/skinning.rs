//! Benches of skinning by matrices, by dual quaternions and by both: positions of all vertices and normals of
//! all render vertices.

mod common;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ossature::mesh::render::RenderMesh;
use ossature::rig::kinematics::{bind_pose, current_pose};
use ossature::rig::skinning::{Method, Motions};
use ossature::rig::weights::capsule::capsule_weights;

fn skinning(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("skinning");
    for (name, around, along) in common::SIZES {
        let (mesh, skeleton) = common::rigged_tube(around, along);
        let weights = capsule_weights(&skeleton, mesh.positions());
        let render = RenderMesh::new(&mesh);
        group.throughput(Throughput::Elements(mesh.vertex_count() as u64));
        let half = Method::try_from(0.5).expect("0.5 is a valid fraction");
        for (label, method) in
            [("linear", Method::LINEAR), ("dual quaternion", Method::DUAL_QUATERNION), ("half of each", half)]
        {
            let motions = Motions::new(method, &bind_pose(&skeleton), &current_pose(&skeleton));
            let (mut positions, mut normals) = (Vec::new(), Vec::new());
            let mut skin = || motions.skin(&weights, mesh.positions(), &render, &mut positions, &mut normals);
            let id = BenchmarkId::new(format!("{label}, all threads"), name);
            group.bench_function(id, |b| b.iter(&mut skin));
            if let Ok(one) = rayon::ThreadPoolBuilder::new().num_threads(1).build() {
                let id = BenchmarkId::new(format!("{label}, one thread"), name);
                group.bench_function(id, |b| one.install(|| b.iter(&mut skin)));
            }
        }
    }
    group.finish();
}

criterion_group!(benches, skinning);
criterion_main!(benches);
