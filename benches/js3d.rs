//! Benches of reading and writing a skinned mesh as js3d, at two sizes. (`ossature` opens its human of some
//! thousand vertices in about the time of the smaller one.)

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use glam::Vec3;
use ossature::io::js3d;
use ossature::mesh::halfedge::HalfedgeMesh;
use ossature::rig::skeleton::{Bone, Skeleton};
use ossature::rig::weights::VertexWeights;
use ossature::scene::Scene;
use ossature::scene::skinned::SkinnedMesh;
use std::f32::consts::TAU;
use std::hint::black_box;

/// Returns an open tube of `rings` rings of `around` vertices along a chain of bones, with two weights per
/// vertex.
fn tube(rings: u32, around: u32) -> Scene {
    let bones = 20;
    let mut positions = Vec::new();
    let mut weights = VertexWeights::default();
    for ring in 0..rings {
        let along = ring as f32 / rings as f32;
        let bone = along * (bones - 1) as f32;
        for i in 0..around {
            let (sin, cos) = (TAU * i as f32 / around as f32).sin_cos();
            positions.push(Vec3::new(cos, along * bones as f32, sin));
            weights.bones.extend([bone as u16, bone as u16 + 1]);
            weights.weights.extend([1.0 - bone.fract(), bone.fract()]);
            weights.ends.push(weights.bones.len() as u32);
        }
    }
    let mut polygons = Vec::new();
    for ring in 0..rings - 1 {
        for i in 0..around {
            let (below, above) = (ring * around, (ring + 1) * around);
            let next = (i + 1) % around;
            polygons.push(vec![below + i, above + i, above + next, below + next]);
        }
    }
    let chain = (0..bones).map(|i: u32| Bone {
        extent: Vec3::Y,
        parent: i.checked_sub(1),
        channel_id: i,
        ..Bone::default()
    });
    let skinned = SkinnedMesh {
        surface: HalfedgeMesh::from_polygons(positions, &polygons, None).expect("a valid tube").into(),
        weights: weights.into(),
        skeleton: Skeleton { bones: chain.collect(), ..Skeleton::default() }.into(),
        ..SkinnedMesh::default()
    };
    let mut scene = Scene::default();
    scene.skinned_meshes.insert("Tube".into(), skinned.into());
    scene
}

fn benches(criterion: &mut Criterion) {
    for (rings, around) in [(100, 50), (1000, 100)] {
        let scene = tube(rings, around);
        let bytes = js3d::write(&scene).expect("writable");
        let vertices = rings * around;
        let mut group = criterion.benchmark_group("js3d");
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(BenchmarkId::new("read", vertices), |bencher| {
            bencher.iter(|| js3d::read(black_box(&bytes)).expect("readable"));
        });
        group.bench_function(BenchmarkId::new("write", vertices), |bencher| {
            bencher.iter(|| js3d::write(black_box(&scene)).expect("writable"));
        });
        group.finish();
    }
}

criterion_group!(all, benches);
criterion_main!(all);
