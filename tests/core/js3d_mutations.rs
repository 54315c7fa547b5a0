//! Damaged js3d files: each is refused or becomes a valid scene that can be saved. None panics.
#![allow(clippy::print_stdout)]

use crate::support::{EVERYTHING, Random, blob, everything, text};
use ossature::anim::channel_set::ChannelSet;
use ossature::anim::mode::Mode;
use ossature::edit::command::Command;
use ossature::edit::command::keys::{ChannelKeys, KeyCommand};
use ossature::edit::time::bake::{Bake, bake};
use ossature::edit::time::keying;
use ossature::io::js3d;
use ossature::mesh::halfedge::HalfedgeMesh;
use ossature::rig::ik;
use ossature::rig::weights::VertexWeights;
use ossature::scene::Scene;
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[derive(Default)]
struct Counts {
    refused: usize,
    accepted: usize,
}

impl Counts {
    fn tried(&self) -> usize {
        self.refused + self.accepted
    }

    /// Reads a damaged file and checks the result.
    fn try_file(&mut self, bytes: &[u8]) {
        let show = || String::from_utf8_lossy(bytes);
        let result = catch_unwind(AssertUnwindSafe(|| js3d::read(bytes)));
        match result.unwrap_or_else(|_| panic!("panics on {}", show())) {
            Err(error) => {
                assert!(!error.to_string().is_empty());
                self.refused += 1;
            }
            Ok((scene, _)) => {
                check(&scene);
                let written = js3d::write(&scene).unwrap_or_else(|error| panic!("{error}: {}", show()));
                let (again, _) = js3d::read(&written).unwrap_or_else(|error| panic!("{error}: {}", show()));
                assert!(again == scene, "differs when read again: {}", show());
                let rewritten = js3d::write(&again).unwrap_or_else(|error| panic!("{error}: {}", show()));
                assert!(rewritten == written, "other bytes the second time: {}", show());
                self.accepted += 1;
            }
        }
    }
}

/// Bakes the handles into keys; the written file must read back the same every time.
fn try_baked(bytes: &[u8]) {
    let show = || String::from_utf8_lossy(bytes);
    let baked = || {
        let (mut scene, _) = js3d::read(bytes).ok()?;
        let meshes: Vec<String> = scene.skinned_meshes.keys().cloned().collect();
        for mesh in meshes {
            let what = Bake { mesh, frames: [0, 2], ik: ik::Options::default(), disable_handles: true };
            let commands = bake(&scene, &ChannelSet::default(), &what, |_, _| true);
            for command in commands.unwrap_or_default() {
                command.apply(&mut scene).unwrap_or_else(|error| panic!("{error}: {}", show()));
            }
        }
        Some(js3d::write(&scene).unwrap_or_else(|error| panic!("{error}: {}", show())))
    };
    let Some(once) = baked() else { return };
    assert!(baked() == Some(once.clone()), "baked to other bytes: {}", show());
    let (again, _) = js3d::read(&once).unwrap_or_else(|error| panic!("{error}: {}", show()));
    let again = js3d::write(&again).unwrap_or_else(|error| panic!("{error}: {}", show()));
    assert!(again == once, "what was baked is read as something else: {}", show());
}

/// Returns the fixture with Ossature's own members, and with splines that cannot be read.
fn with_members_of_our_own() -> Value {
    let mut document = everything();
    let skinned = &mut document["scene"]["skinned_meshes"]["Skinned"];
    skinned["bones_moved_since_weights"] = json!([1]);
    skinned["dual_quaternions"] = json!(0.5);
    let animator = &mut document["animator"];
    animator["frames_per_second"] = json!(30);
    animator["frames"] = json!(120);
    animator["play_range"] = json!([2, 90]);
    let splines = &mut animator["splines"];
    splines["Child"]["translation"]["muted"] = json!([true, false, true]);
    splines["Skinned"]["bone.4.pose"] = json!({"type": "Vec3", "knots": 7, "muted": true, "note": "kept"});
    splines["Skinned"]["bone.9.pose"] = json!({"type": "Curve", "knots": [], "muted": [true, false, false]});
    // Adds keys with modes.
    let (mut scene, _) = js3d::read(&text(&document)).expect("the fixture is a scene");
    let keys = keying::resource_channels(&scene, "Child").into_iter();
    let keys = keys.filter(|channel| keying::has_keys(&scene, channel));
    let keys = keys.map(|channel| ChannelKeys { channel, frames: vec![0.0] });
    let (keys, mode) = (keys.collect(), Mode::Hold);
    let command = Command::Keys(KeyCommand::SetMode { keys, mode });
    command.apply(&mut scene).expect("the keys exist");
    let bytes = js3d::write(&scene).expect("the scene can be written");
    let document: Value = serde_json::from_slice(&bytes).expect("the written scene is JSON");
    assert!(document["animator"]["splines"]["Child"]["translation"]["curve"].is_object());
    document
}

/// Checks the invariants of every scene, however damaged the file. (Writing checks that all numbers are
/// finite.)
fn check(scene: &Scene) {
    for (name, transform) in &scene.transforms {
        let mut steps = 0;
        let mut at = transform.parent.as_ref();
        while let Some(parent) = at {
            steps += 1;
            assert!(steps <= scene.transforms.len(), "{name} is in a cycle");
            at = scene.transforms[parent].parent.as_ref();
        }
    }
    for mesh in scene.meshes.values() {
        check_mesh(&mesh.surface, &mesh.weights, usize::MAX);
    }
    for skinned in scene.skinned_meshes.values() {
        let skeleton = &skinned.skeleton;
        check_mesh(&skinned.surface, &skinned.weights, skeleton.bones.len());
        for (index, bone) in skeleton.bones.iter().enumerate() {
            assert!(bone.parent.is_none_or(|parent| (parent as usize) < index));
            assert!(bone.radius >= 0.0);
        }
        assert!(skeleton.handles.iter().all(|handle| (handle.bone as usize) < skeleton.bones.len()));
    }
    for instance in scene.instances.meshes.values() {
        assert!(instance.resource.as_ref().is_none_or(|name| scene.meshes.contains_key(name)));
        assert!(instance.transform.as_ref().is_none_or(|name| scene.transforms.contains_key(name)));
    }
}

fn check_mesh(surface: &HalfedgeMesh, weights: &VertexWeights, bones: usize) {
    assert_eq!(weights.ends.len(), surface.vertex_count());
    assert!(weights.ends.is_sorted());
    assert_eq!(weights.ends.last().copied().unwrap_or(0) as usize, weights.bones.len());
    assert_eq!(weights.bones.len(), weights.weights.len());
    assert!(weights.bones.iter().all(|bone| usize::from(*bone) < bones));
    for v in 0..surface.vertex_count() {
        assert!(surface.positions()[v].is_finite());
        let _ = weights.influences(v).count();
    }
}

/// Numeric arrays of the seed in which a number is replaced.
const BLOBS: [(&str, &str); 9] = [
    ("halfedge_nexts", "uint32:"),
    ("vertex_halfedges", "uint32:"),
    ("face_halfedges", "uint32:"),
    ("vertex_bone_weight_ends", "uint32:"),
    ("bone_weight_bones", "uint32:"),
    ("bone_weight_weights", "float:"),
    ("vertex_positions", "vec3:"),
    ("halfedge_corner_uvs", "vec2:"),
    ("halfedge_corner_normals", "vec3:"),
];

/// Returns seed files: the whole fixture, a smaller one, and an empty scene.
fn seeds() -> Vec<Vec<u8>> {
    let mut small = everything();
    for section in ["cameras", "particles", "materials", "textures", "delta_lights", "env_lights", "shapes"] {
        small["scene"][section] = json!({});
    }
    small["scene"]["instances"] = json!({});
    small["scene"]["meshes"] = json!({});
    vec![EVERYTHING.to_vec(), text(&small), b"{\"scene\":{},\"animator\":{}}".to_vec()]
}

#[test]
fn damaged_bytes() {
    let mut counts = Counts::default();
    let mut random = Random::new(1);
    let seeds = seeds();
    // Truncates smaller files at every byte and larger ones at many.
    for seed in &seeds {
        let step = 1 + seed.len() / 2500;
        (0..seed.len()).step_by(step).for_each(|end| counts.try_file(&seed[..end]));
    }
    let tokens: [&[u8]; 22] = [
        b"null",
        b"true",
        b"[]",
        b"{}",
        b"\"\"",
        b"-1",
        b"1e39",
        b"1e999",
        b"NaN",
        b"4294967295",
        b"4294967296",
        b"0.5",
        b"\"",
        b",",
        b"]",
        b"}",
        b"[[[[",
        b"\\ud800",
        b"\x00",
        b"\xff",
        b"\xef\xbb\xbf",
        b"-0",
    ];
    for i in 0..7000 {
        let mut bytes = seeds[i % 2].clone();
        for _ in 0..1 + random.below(3) {
            let at = random.below(bytes.len());
            match random.below(6) {
                0 => bytes[at] = random.next() as u8,
                1 => bytes[at] ^= 1 << random.below(8),
                2 => drop(bytes.remove(at)),
                3 => bytes.insert(at, bytes[at]),
                4 => {
                    let end = (at + random.below(40)).min(bytes.len());
                    bytes.drain(at..end);
                }
                _ => drop(bytes.splice(at..at, random.pick(&tokens).iter().copied())),
            }
        }
        counts.try_file(&bytes);
    }
    report("bytes", &counts, 9000);
}

#[test]
fn damaged_values() {
    let mut counts = Counts::default();
    let values = [
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(0.5),
        json!(4_294_967_295_u32),
        json!(18_446_744_073_709_551_615_u64),
        json!(-1e300),
        json!(3.5e38),
        json!(""),
        json!("Root"),
        json!("float:AADAfw"),
        json!([]),
        json!([1, 2, 3]),
        json!([0, [1, 2, 3]]),
        json!({}),
        json!({"type": "Vec3", "knots": [1, [1, 2, 3]]}),
    ];
    let document = everything();
    let places = places(&document);
    // Each value of the scene in turn: with another type, missing, duplicated.
    for at in &places {
        for value in &values {
            let mut damaged = document.clone();
            *damaged.pointer_mut(at).unwrap() = value.clone();
            counts.try_file(&text(&damaged));
        }
        let mut damaged = document.clone();
        let (parent, name) = at.rsplit_once('/').unwrap();
        match damaged.pointer_mut(parent).unwrap() {
            Value::Object(members) => drop(members.remove(name)),
            Value::Array(items) => items.truncate(name.parse().unwrap()),
            _ => unreachable!("only objects and arrays have members"),
        }
        counts.try_file(&text(&damaged));
    }
    // Several at once, and values moved from elsewhere.
    let document = with_members_of_our_own();
    try_baked(&text(&document));
    let places = self::places(&document);
    let mut random = Random::new(2);
    for _ in 0..3000 {
        let mut damaged = document.clone();
        for _ in 0..2 + random.below(4) {
            let value = document.pointer(random.pick::<String>(&places)).unwrap().clone();
            if let Some(place) = damaged.pointer_mut(random.pick::<String>(&places)) {
                *place = value;
            }
        }
        counts.try_file(&text(&damaged));
        try_baked(&text(&damaged));
    }
    report("values", &counts, 8000);
}

/// Returns the pointers of all values below the root. Names in the fixture need no escapes.
fn places(document: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), document)];
    while let Some((at, value)) = open.pop() {
        if !at.is_empty() {
            found.push(at.clone());
        }
        match value {
            Value::Object(members) => open.extend(members.iter().map(|(k, v)| (format!("{at}/{k}"), v))),
            Value::Array(items) => {
                open.extend(items.iter().enumerate().map(|(i, v)| (format!("{at}/{i}"), v)))
            }
            _ => {}
        }
    }
    found
}

#[test]
fn damaged_blobs() {
    let mut counts = Counts::default();
    let mut random = Random::new(3);
    let odd = [
        0,
        1,
        2,
        3,
        5,
        6,
        7,
        u32::MAX,
        0x7fff_ffff,
        0x1_0000,
        0x7fc0_0000,
        0xff80_0000,
        0xbf80_0000,
        0x3f00_0000,
    ];
    let arrays = |name: &str| -> Vec<u32> {
        match name {
            "halfedge_nexts" => vec![2, 5, 4, 1, 0, 3],
            "vertex_halfedges" => vec![0, 2, 4],
            "face_halfedges" => vec![0, 1],
            "vertex_bone_weight_ends" => vec![1, 3, 4],
            "bone_weight_bones" => vec![0, 0, 1, 1],
            "bone_weight_weights" => [1.0_f32, 0.25, 0.75, 1.0].map(f32::to_bits).to_vec(),
            "vertex_positions" => vec![0; 9],
            "halfedge_corner_uvs" => vec![0; 12],
            _ => vec![0; 18],
        }
    };
    let mut document = everything();
    for _ in 0..5000 {
        let mesh = &mut document["scene"]["skinned_meshes"]["Skinned"]["mesh"];
        let before = mesh.clone();
        for _ in 0..1 + random.below(3) {
            let (name, prefix) = *random.pick(&BLOBS);
            let mut numbers = arrays(name);
            for _ in 0..1 + random.below(2) {
                let at = random.below(numbers.len());
                match random.below(5) {
                    0 => numbers.truncate(at.max(1)),
                    1 => numbers.insert(at, *random.pick(&odd)),
                    2 => numbers.extend(numbers.clone()),
                    _ => numbers[at] = *random.pick(&odd),
                }
            }
            mesh[name] = json!(blob(prefix, &numbers));
        }
        if random.below(4) == 0 {
            let flags = ["bool:", "bool:YA", "bool:4A", "bool:gA", "bool:AAAA", "bool:/w", "bool:AIA"];
            mesh[*random.pick(&["edge_sharps", "face_boundaries"])] = json!(random.pick(&flags));
        }
        let bytes = text(&document);
        document["scene"]["skinned_meshes"]["Skinned"]["mesh"] = before;
        counts.try_file(&bytes);
    }
    report("blobs", &counts, 5000);
}

fn report(what: &str, counts: &Counts, at_least: usize) {
    println!("{what}: {} tried, {} refused, {} accepted", counts.tried(), counts.refused, counts.accepted);
    assert!(counts.tried() >= at_least);
    assert!(counts.refused * 20 > counts.tried() && counts.accepted * 20 > counts.tried(), "both happen");
}
