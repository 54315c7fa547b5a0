//! How much memory is asked for: none while a character plays in buffers that are kept, and not more than
//! four times its size to load a file. One test, because the allocator counts for all threads.

use glam::{DAffine3, Vec3};
use ossature::io::js3d;
use ossature::mesh::primitives;
use ossature::mesh::render::RenderMesh;
use ossature::rig::kinematics::{bind_pose, current_pose};
use ossature::rig::skeleton::{Bone, Skeleton};
use ossature::rig::skinning::{Method, Motions};
use ossature::rig::weights::capsule::capsule_weights;
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluator, Settings};
use ossature::scene::skinned::SkinnedMesh;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

struct Counting;

static CALLS: AtomicUsize = AtomicUsize::new(0);
static ASKED: AtomicUsize = AtomicUsize::new(0);
static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

#[allow(unsafe_code)]
// SAFETY: everything is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, Relaxed);
        ASKED.fetch_add(layout.size(), Relaxed);
        let held = HELD.fetch_add(layout.size(), Relaxed) + layout.size();
        MOST.fetch_max(held, Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A tube around a chain of twenty bones.
fn tube(around: u32, along: u32) -> SkinnedMesh {
    let surface = primitives::tube(1.0, 20.0, around, along).unwrap();
    let bones = (0..20u32).map(|i| Bone {
        extent: Vec3::Y,
        radius: 1.8,
        parent: i.checked_sub(1),
        channel_id: i,
        ..Bone::default()
    });
    let skeleton = Skeleton {
        bones: bones.collect(),
        ..Skeleton::default()
    };
    SkinnedMesh {
        weights: capsule_weights(&skeleton, surface.positions()).into(),
        surface: surface.into(),
        skeleton: skeleton.into(),
        ..SkinnedMesh::default()
    }
}

fn bend(skeleton: &mut Skeleton, frame: usize) {
    for bone in &mut skeleton.bones {
        bone.pose_deg = Vec3::new(3.0, 5.0, -4.0) * (frame as f32 * 0.3).sin();
    }
}

#[test]
fn memory() {
    kept_buffers_ask_for_nothing();
    playing_asks_for_no_vertices();
    a_file_takes_four_times_its_size();
}

fn kept_buffers_ask_for_nothing() {
    let mesh = tube(50, 200);
    let render = RenderMesh::new(&mesh.surface);
    let mut skeleton = (*mesh.skeleton).clone();
    let bind = bind_pose(&skeleton);
    let poses: Vec<Vec<DAffine3>> = (0..40)
        .map(|frame| {
            bend(&mut skeleton, frame);
            current_pose(&skeleton)
        })
        .collect();
    let half = Method::try_from(0.5).unwrap();
    for method in [Method::LINEAR, Method::DUAL_QUATERNION, half] {
        let mut motions = Motions::default();
        let (mut positions, mut normals, mut vertices) = (Vec::new(), Vec::new(), Vec::new());
        let mut play = |current: &[DAffine3]| {
            motions.set(method, &bind, current);
            let surface = mesh.surface.positions();
            motions.skin(&mesh.weights, surface, &render, &mut positions, &mut normals);
            motions.skin_vertices(&mesh.weights, surface, &render, &mut positions, &mut vertices);
        };
        // Threads start, and their queues grow, in the first frames.
        poses[..10].iter().for_each(|pose| play(pose));
        let before = (CALLS.load(Relaxed), ASKED.load(Relaxed));
        poses[10..].iter().for_each(|pose| play(pose));
        let calls = CALLS.load(Relaxed) - before.0;
        // The work queues of the threads take a new block of a few KiB now and then.
        let bytes = ASKED.load(Relaxed) - before.1;
        assert!(
            calls <= 8 && bytes <= 32 << 10,
            "{method:?}: {calls} calls, {bytes} bytes"
        );
    }
}

fn playing_asks_for_no_vertices() {
    let asked = |around: u32, along: u32| {
        let mut mesh = tube(around, along);
        let mut evaluator = Evaluator::default();
        let mut asked = 0;
        for frame in 0..30 {
            bend(std::sync::Arc::make_mut(&mut mesh.skeleton), frame);
            let mut scene = Scene::default();
            scene.skinned_meshes.insert("Tube".into(), mesh.clone().into());
            let before = ASKED.load(Relaxed);
            let evaluated = evaluator.evaluate(&scene, &Settings::default());
            assert_eq!(
                evaluated.skinned["Tube"].positions.len(),
                mesh.surface.vertex_count()
            );
            if frame >= 10 {
                asked += ASKED.load(Relaxed) - before;
            }
        }
        asked / 20
    };
    let (few, many) = (asked(20, 20), asked(200, 300));
    assert!(
        many < few + (16 << 10),
        "{few} bytes a frame for 400 vertices, {many} for 60,000"
    );
}

fn a_file_takes_four_times_its_size() {
    let mut scene = Scene::default();
    scene.skinned_meshes.insert("Tube".into(), tube(200, 1250).into());
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), js3d::write(&scene).unwrap()).unwrap();
    drop(scene);
    let size = std::fs::metadata(file.path()).unwrap().len() as usize;
    let before = HELD.load(Relaxed);
    MOST.store(before, Relaxed);
    let (scene, _) = js3d::read_file(file.path()).unwrap();
    let most = MOST.load(Relaxed) - before;
    assert!(scene.skinned_meshes["Tube"].surface.halfedge_count() >= 1_000_000);
    assert!(
        most <= 4 * size,
        "{most} bytes for a file of {size}: {:.2} times",
        most as f64 / size as f64
    );
    println!("peak {:.2} times the file", most as f64 / size as f64);
}
