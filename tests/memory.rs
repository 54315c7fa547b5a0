//! How much memory is requested: none while a character plays; to load a scene, at
//! most four times its size; six times for arrays of numbers, six and a half for an OBJ, twelve for invalid
//! faces. One test, because the allocator counts for all threads.

mod counting;
mod random;
mod rig_support;

use counting::{ASKED, CALLS, Counting, HELD, MOST};
use glam::{DAffine3, Vec3};
use ossature::anim::channel::{Channel, SkeletonChannel};
use ossature::anim::spline::Spline;
use ossature::io::{js3d, obj};
use ossature::mesh::render::RenderMesh;
use ossature::rig::kinematics::{bind_pose, current_pose};
use ossature::rig::property::{POSE, TARGET};
use ossature::rig::skeleton::{Handle, Skeleton};
use ossature::rig::skinning::{Method, Motions};
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluator, Settings};
use rig_support::tube;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering::Relaxed;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn bend(skeleton: &mut Skeleton, frame: usize) {
    for bone in &mut skeleton.bones {
        bone.pose_deg = Vec3::new(3.0, 5.0, -4.0) * (frame as f32 * 0.3).sin();
    }
}

#[test]
fn memory() {
    kept_buffers_ask_for_nothing();
    playing_asks_for_nothing();
    a_file_takes_four_times_its_size();
    hostile_text_takes_little_more();
    arrays_and_faces_take_six_times_their_text();
}

/// Returns the most bytes that reading allocates at once.
fn taken(read: &mut dyn FnMut() -> bool) -> usize {
    let before = HELD.load(Relaxed);
    MOST.store(before, Relaxed);
    assert!(read());
    MOST.load(Relaxed) - before
}

/// Reads scenes whose text is almost all arrays, known and unknown, and meshes with all kinds of faces.
fn arrays_and_faces_take_six_times_their_text() {
    let size = 4_000_000;
    let mut over = Vec::new();
    let array = |item: &str, end: &str| {
        let items = item.repeat(size / item.len());
        format!("{{\"scene\":{{}},\"animator\":{{}},\"odd\":[{items}{end}]}}")
    };
    let knots: String = (0..size / 16).map(|i| format!("{i},{}.5,", i % 7)).collect();
    let knots = format!(
        "{{\"scene\":{{}},\"animator\":{{\"splines\":{{\"A\":{{\"b\":{{\"type\":\"float\",\"knots\":[{knots}0,0]}}}}}}}}}}"
    );
    let scenes = [
        ("ones", array("1,", "1")),
        ("ones and a text", array("1,", "\"\"")),
        ("minus ones", array("-1,", "1")),
        ("nulls", array("null,", "1")),
        ("floats", array("0.1,", "1")),
        ("vectors", array("[0.123456,1.23456,-2.3456],", "1")),
        ("knots", knots),
    ];
    for (what, text) in scenes {
        let most = taken(&mut || js3d::read(text.as_bytes()).is_ok());
        let times = most as f64 / text.len() as f64;
        println!("{what}: {times:.2} times the text");
        if times >= 6.0 {
            over.push(format!("{what}: {times:.2} times the text"));
        }
    }
    for (what, text) in [("texts", array("\"\",", "1")), ("arrays", array("[],", "1"))] {
        let most = taken(&mut || js3d::read(text.as_bytes()).is_ok());
        let each = most as f64 / (size / 3) as f64;
        println!("{what}: {each:.1} bytes an item");
        if each >= 80.0 {
            over.push(format!("{what}: {each:.1} bytes an item"));
        }
    }
    let vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    let faces = |face: &str| format!("{vertices}{}f 1 2 3\n", face.repeat(size / face.len()));
    // A grid with numbers as programs usually write them.
    let (wide, high) = (200, 400);
    let mut grid = String::new();
    for i in 0..wide * high {
        let (x, y) = ((i % wide) as f32 * 0.013579, (i / wide) as f32 * 0.024681);
        grid.push_str(&format!("v {x:.6} {y:.6} {:.6}\n", (x * y).sin()));
    }
    for i in (0..wide * (high - 1)).filter(|i| (i + 1) % wide > 0) {
        let [a, b, c, d] = [i + 1, i + 2, i + wide + 2, i + wide + 1];
        grid.push_str(&format!("f {a} {b} {c}\nf {a} {c} {d}\n"));
    }
    let meshes = [
        ("a grid", grid),
        ("faces of one vertex", faces("f 1 1 1\n")),
        ("faces of one corner", faces("f 1\n")),
        ("faces without corners", faces("f\n")),
        ("faces of nothing", faces("f 9 9 9\n")),
        ("the same face", faces("f 1 2 3\n")),
        ("corners with uvs", faces("f 1/1 1/1 1/1\n")),
        ("one face", faces("1 \\\n").replacen("1 \\", "f 2 \\", 1)),
        ("vertices", faces("v 0 0 0\n")),
        ("normals", faces("vn 0 0 1\n")),
    ];
    for (what, text) in meshes {
        // A single face of one vertex is refused.
        let most = taken(&mut || obj::read(text.as_bytes()).is_ok() != (what == "one face"));
        let times = most as f64 / text.len() as f64;
        println!("{what}: {times:.2} times the text");
        // A line of two or eight bytes that is an invalid or repeated face costs more than itself.
        let bound = if what.starts_with("face") || what == "the same face" { 12.0 } else { 6.5 };
        if times >= bound {
            over.push(format!("{what}: {times:.2} times the text"));
        }
    }
    assert!(over.is_empty(), "{over:?}");
}

/// Reads invalid text, and text that produces as large a tree as possible.
fn hostile_text_takes_little_more() {
    let size = 4_000_000;
    let text = |byte: u8| [b"{\"a\":\"", &vec![byte; size][..], b"\"}"].concat();
    let kinds: String = (0..size / 8).map(|i| format!("x{i:06}\n")).collect();
    let cases = [
        ("control bytes", text(1)),
        ("bytes that are not UTF-8", text(0xe9)),
        ("control bytes outside of texts", vec![1; size]),
    ];
    for (what, text) in cases {
        let most = taken(&mut || js3d::read(&text).is_err());
        assert!(most < 2 * size, "{what}: {most} bytes for {size}");
    }
    let obj = format!("{kinds}v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let mut findings = 0;
    let most = taken(&mut || {
        obj::read(obj.as_bytes()).is_ok_and(|import| {
            findings = import.report.findings.len();
            true
        })
    });
    assert!(most < size && findings < 40, "{most} bytes for {size}, {findings} findings");
}

fn kept_buffers_ask_for_nothing() {
    let mesh = tube(50, 200, 20, 1.8);
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
        // The work queues of the threads occasionally need a new block of a few KiB.
        let bytes = ASKED.load(Relaxed) - before.1;
        assert!(calls <= 8 && bytes <= 32 << 10, "{method:?}: {calls} calls, {bytes} bytes");
    }
}

/// Returns two tubes with keys on all bones, and on the targets of handles spread along them.
fn animated(around: u32, along: u32, bones: u32, handles: u32) -> Scene {
    let mut mesh = tube(around, along, bones, 1.8);
    let skeleton = std::sync::Arc::make_mut(&mut mesh.skeleton);
    let mut channels = BTreeMap::new();
    let mut key = |channel: SkeletonChannel, by: f32, at: Vec3| {
        let knots = (0..20).map(|i| (i as f32 * 8.0, at + Vec3::splat(by * (i as f32 * 1.7).sin())));
        let spline = Spline::from_knots(knots.collect());
        channels.insert(channel.to_string(), Channel::Vec3(spline).into());
    };
    for (i, bone) in skeleton.bones.iter_mut().enumerate() {
        bone.name = Some(format!("Link {i}").into());
        key(SkeletonChannel::Bone(bone.channel_id, POSE), 4.0, Vec3::ONE);
    }
    for id in 0..handles {
        let bone = bones - 1 - id;
        let target = Vec3::new(1.0, bone as f32 * 20.0 / bones as f32, 0.0);
        key(SkeletonChannel::Handle(id, TARGET), 0.3, target);
        skeleton.handles.push(Handle { bone, target, enabled: true, channel_id: id, ..Handle::default() });
    }
    let mut scene = Scene::default();
    let mesh = std::sync::Arc::new(mesh);
    let animation = std::sync::Arc::make_mut(&mut scene.animation);
    for name in ["Tube", "Other tube"] {
        scene.skinned_meshes.insert(name.into(), mesh.clone());
        animation.channels.insert(name.into(), channels.clone());
    }
    scene
}

/// Plays scenes with different numbers of vertices, bones and handles.
fn playing_asks_for_nothing() {
    let sizes = [
        (20, 20, 20, 0),
        (200, 300, 20, 0),
        (20, 20, 20, 1),
        (200, 300, 20, 1),
        (20, 20, 120, 1),
        (20, 20, 120, 6),
    ];
    for (around, along, bones, handles) in sizes {
        let scene = animated(around, along, bones, handles);
        let mut evaluator = Evaluator::default();
        let mut shown = None;
        let mut calls: Vec<usize> = (0..40)
            .map(|frame| {
                let settings = Settings { frame: Some(frame as f32), ..Settings::default() };
                let before = CALLS.load(Relaxed);
                let evaluated = evaluator.evaluate(&scene, &settings);
                let calls = CALLS.load(Relaxed) - before;
                let ik = evaluated.skinned["Tube"].ik.as_ref();
                assert_eq!(ik.map(|outcome| outcome.steps > 0), (handles > 0).then_some(true));
                // The window also keeps a frame until it has the next.
                shown = Some(evaluated);
                calls
            })
            .collect();
        drop(shown);
        // Threads start, and buffers grow, in the first frames. Later the threads' queues still grow
        // occasionally, and a solver that takes more steps than ever before records more energies.
        let mut calls = calls.split_off(10);
        calls.sort_unstable();
        let what = format!("{around} x {along} vertices, {bones} bones, {handles} handles: {calls:?}");
        assert_eq!(calls[calls.len() / 2], 0, "{what}");
        assert!(calls[calls.len() - 1] <= 8, "{what}");
    }
}

fn a_file_takes_four_times_its_size() {
    let mut scene = Scene::default();
    scene.skinned_meshes.insert("Tube".into(), tube(200, 1250, 20, 1.8).into());
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), js3d::write(&scene).unwrap()).unwrap();
    drop(scene);
    let size = std::fs::metadata(file.path()).unwrap().len() as usize;
    let before = HELD.load(Relaxed);
    MOST.store(before, Relaxed);
    let (scene, _) = js3d::read_file(file.path()).unwrap();
    let most = MOST.load(Relaxed) - before;
    assert!(scene.skinned_meshes["Tube"].surface.halfedge_count() >= 1_000_000);
    assert!(most <= 4 * size, "{most} bytes for a file of {size}: {:.2} times", most as f64 / size as f64);
    println!("peak {:.2} times the file", most as f64 / size as f64);
}
