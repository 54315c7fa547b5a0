//! Third-party characters against an evaluation that shares no code with the importer: the tests' glTF
//! player, built on the `gltf` crate. Files missing from the corpus (Fox, BrainStem, RecursiveSkeletons,
//! Animation_Skin_00 to 11 of the Asset Generator) are rebuilt here as far as their purpose requires.

use super::builder::Builder;
use super::characters::{arm, of};
use super::posed::{size, vertices, wide, worst};
use super::{file, file_of, has};
use crate::gltf_out::player::Player;
use crate::support::corpus_root;
use glam::{DVec3, Vec3};
use ossature::io::import::SceneImport;
use ossature::rig::body::axes::BodyAxes;
use ossature::rig::body::feet::feet;
use ossature::rig::kinematics::{bind_pose, tips};
use serde_json::json;

/// Returns the largest distance of a vertex from where the player has it, relative to the size, over all
/// frames of all takes. If vertices are not stored as in the file (`blended`), the nearest counts.
pub fn deviation(read: &SceneImport, player: &Player, blended: bool) -> f64 {
    let animation = &read.scene.animation;
    let rate = f64::from(animation.clip.rate);
    let moves: Vec<_> = player.document.animations().collect();
    assert_eq!(moves.len(), animation.takes.list.len(), "{:?}", read.report);
    let mut most: f64 = 0.0;
    let mut compare = |expected: Vec<(DVec3, DVec3)>, found: Vec<(DVec3, DVec3)>| {
        let size = size(expected.iter().map(|(_, posed)| *posed));
        let at_origin = |all: Vec<(DVec3, DVec3)>| all.into_iter().map(|(_, at)| (DVec3::ZERO, at)).collect();
        let (expected, found) = match blended {
            true => (at_origin(expected), at_origin(found)),
            false => (expected, found),
        };
        let same = 1e-6 * size.max(1.0);
        most = most.max(worst(&expected, &found, same) / size);
        most = most.max(worst(&found, &expected, same) / size);
    };
    for (of, take) in moves.into_iter().zip(&animation.takes.list) {
        let [first, last] = player.span(&of);
        for frame in take.range[0]..=take.range[1] {
            let seconds = first + f64::from(frame - take.range[0]) / rate;
            let expected = player.all_vertices(&player.world_in(Some(of.clone()), seconds.min(last)));
            compare(expected, wide(vertices(&read.scene, Some(frame as f32))));
        }
    }
    if animation.takes.list.is_empty() {
        let expected = player.all_vertices(&player.world(None, 0.0));
        compare(expected, wide(vertices(&read.scene, None)));
    }
    most
}

fn assert_same(what: &str, builder: &Builder, blended: bool) -> SceneImport {
    let read = file_of(&builder.glb());
    let off = deviation(&read, &Player::new(&builder.glb()), blended);
    assert!(off < 1e-5, "{what}: {off}: {:?}", read.report);
    read
}

/// Row 11.
#[test]
#[ignore = "reads public files: set OSSATURE_CORPUS to their folder"]
fn public_characters_are_where_their_files_have_them() {
    for (name, most) in [("SimpleSkin", 1e-5), ("RiggedSimple", 1e-5), ("CesiumMan", 1e-5)] {
        let path = corpus_root().join(format!("gltf/khronos/{name}.gltf"));
        let read = file(&path);
        let off = deviation(&read, &Player::open(&path), false);
        assert!(off < most, "{name}: {off}");
    }
}

/// `CesiumMan`, which has no names, is upright along z and looks along x: its feet are found, not its hands.
#[test]
#[ignore = "reads public files: set OSSATURE_CORPUS to their folder"]
fn the_feet_of_a_character_with_z_up_are_found() {
    let scene = file(&corpus_root().join("gltf/khronos/CesiumMan.gltf")).scene;
    let skeleton = &scene.skinned_meshes.values().next().unwrap().skeleton;
    let axes = BodyAxes::new(skeleton);
    assert_eq!((axes.left, axes.up, axes.front), (DVec3::Y, DVec3::Z, DVec3::X));
    let tips = tips(skeleton, &bind_pose(skeleton));
    let heights = tips.iter().map(|tip| tip.z);
    let (low, high) =
        heights.fold((f64::MAX, f64::MIN), |(low, high), height| (low.min(height), high.max(height)));
    let feet = feet(skeleton);
    assert_eq!(feet.len(), 2);
    assert!(feet.iter().all(|foot| tips[foot.bone].z < low + 0.1 * (high - low)));
    assert!(tips[feet[0].bone].y * tips[feet[1].bone].y < 0.0, "one on either side");
}

/// Row 11: no names (BrainStem), three animations of different lengths (Fox).
#[test]
fn nameless_characters_and_several_animations_are_where_their_files_have_them() {
    let mut b = arm(&[0.0, 30.0, 10.0]);
    for turns in [vec![0.0, -50.0], vec![20.0, 40.0, 60.0, 80.0]] {
        let other = arm(&turns);
        let times: Vec<f32> = (0..turns.len()).map(|i| i as f32 / 24.0).collect();
        let values: Vec<f32> = turns
            .iter()
            .flat_map(|turn: &f32| glam::Quat::from_rotation_z(turn.to_radians()).to_array())
            .collect();
        let mut animation = other.json["animations"][0].clone();
        let (input, output) = (b.floats("SCALAR", &times), b.floats("VEC4", &values));
        animation["samplers"][0] = json!({ "input": input, "output": output });
        b.push("animations", animation);
    }
    let named = assert_same("three animations", &b, false);
    assert_eq!(named.scene.animation.takes.list.len(), 3);
    for list in ["nodes", "meshes", "skins", "animations"] {
        for item in b.json[list].as_array_mut().unwrap() {
            item.as_object_mut().unwrap().remove("name");
        }
    }
    let nameless = assert_same("no names", &b, false);
    let skeleton = &nameless.scene.skinned_meshes.values().next().unwrap().skeleton;
    assert!(skeleton.bones.iter().all(|bone| bone.name.is_none()));
}

/// Returns the arm with a second one three to the side, whose mesh is a child of the first one's last joint.
fn two_arms() -> Builder {
    let mut b = arm(&[0.0, 30.0, 10.0]);
    b.push("nodes", json!({ "name": "Other", "mesh": 0, "skin": 1 }));
    b.push("nodes", json!({ "name": "lower 2", "translation": [0, 1, 0] }));
    b.push("nodes", json!({ "name": "upper 2", "children": [4], "translation": [3, 0, 0] }));
    b.json["nodes"][1]["children"] = json!([3]);
    b.json["scenes"][0]["nodes"] = json!([0, 2, 5]);
    let matrices = b.json["skins"][0]["inverseBindMatrices"].clone();
    b.push("skins", json!({ "joints": [5, 4], "inverseBindMatrices": matrices }));
    let again = b.json["animations"][0]["channels"][0].clone();
    let channels = b.json["animations"][0]["channels"].as_array_mut().unwrap();
    channels.push(again);
    channels[1]["target"]["node"] = json!(4);
    b
}

/// Row 11: RecursiveSkeletons. The node of a skinned mesh does not affect its position.
#[test]
fn a_skinned_mesh_below_a_joint_of_another_is_where_its_joints_are() {
    let read = assert_same("below a joint", &two_arms(), true);
    assert_eq!(read.scene.skinned_meshes.len(), 2);
}

/// Row 12, after Animation_Skin_00 to 11 of the Asset Generator.
#[test]
fn skins_of_every_kind_are_where_their_files_have_them() {
    type Change = fn(&mut Builder);
    let cases: [(&str, bool, Change); 7] = [
        ("no inverse binds", true, |b| {
            b.json["skins"][0].as_object_mut().unwrap().remove("inverseBindMatrices");
            // Without them all joints are bound in one place, impossible for bones: the nodes' pose becomes
            // the bind pose (with a finding), and blended vertices are right in that pose alone.
            if b.json["animations"].is_array() {
                let weights = b.floats("VEC4", &[1.0f32, 0.0, 0.0, 0.0].repeat(6));
                b.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(weights);
            }
        }),
        ("two skins that share a joint", false, |b| {
            b.push("nodes", json!({ "name": "Other", "mesh": 1, "skin": 1 }));
            b.json["scenes"][0]["nodes"] = json!([0, 2, 3]);
            let mut mesh = b.json["meshes"][0].clone();
            // All vertices follow the one joint.
            let joints = b.shorts("VEC4", &[0; 24]);
            let weights = b.floats("VEC4", &[1.0f32, 0.0, 0.0, 0.0].repeat(6));
            mesh["primitives"][0]["attributes"]["JOINTS_0"] = json!(joints);
            mesh["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(weights);
            b.push("meshes", mesh);
            let matrix = glam::Mat4::from_translation(Vec3::NEG_Y).to_cols_array();
            let matrices = b.floats("MAT4", &matrix);
            b.push("skins", json!({ "joints": [1], "inverseBindMatrices": matrices }));
        }),
        ("root joints apart", false, |b| {
            b.json["nodes"][2].as_object_mut().unwrap().remove("children");
            b.json["scenes"][0]["nodes"] = json!([0, 1, 2]);
        }),
        ("a node between joints", false, |b| {
            b.push("nodes", json!({ "name": "between", "children": [1], "translation": [0, 0.25, 0] }));
            b.json["nodes"][2]["children"] = json!([3]);
            b.json["nodes"][1]["translation"] = json!([0, 0.75, 0]);
        }),
        ("a mesh on a joint", false, |b| {
            let mut mesh = b.json["meshes"][0].clone();
            let attributes = mesh["primitives"][0]["attributes"].as_object_mut().unwrap();
            attributes.retain(|name, _| name == "POSITION");
            b.push("meshes", mesh);
            b.push("nodes", json!({ "name": "Hat", "mesh": 1 }));
            b.json["nodes"][1]["children"] = json!([3]);
        }),
        ("joints in a scaled and turned node", false, |b| {
            b.push(
                "nodes",
                json!({ "name": "Armature", "children": [2], "scale": [0.01, 0.01, 0.01],
                    "rotation": [0.0, 0.0, 0.6, 0.8] }),
            );
            b.json["scenes"][0]["nodes"] = json!([0, 3]);
        }),
        ("a skeleton that is named", false, |b| {
            b.json["skins"][0]["skeleton"] = json!(2);
        }),
    ];
    for turns in [&[][..], &[0.0, 30.0, 10.0, -60.0]] {
        for (what, blended, change) in &cases {
            let mut b = arm(turns);
            change(&mut b);
            // A mesh on a joint is stored where the joint is in the bind pose.
            assert_same(what, &b, *blended || what.contains("mesh on"));
        }
    }
}

/// The scene stores the nodes' pose as its pose; the bind pose comes from the inverse bind matrices.
fn assert_rest_is_stored(read: &SceneImport, player: &Player) {
    assert!(has(&read.report, "posed"), "{:?}", read.report);
    let mut scene = read.scene.clone();
    scene.animation = Default::default();
    let expected = player.all_vertices(&player.world(None, 0.0));
    let found = wide(vertices(&scene, None));
    let size = size(expected.iter().map(|(_, posed)| *posed));
    let off = worst(&expected, &found, 1e-6 * size) / size;
    assert!(off < 1e-5 || has(&read.report, "joint-shears"), "{off}: {:?}", read.report);
    let skin = player.document.skins().next().unwrap();
    let names: Vec<&str> = skin.joints().map(|joint| joint.name().unwrap_or_default()).collect();
    let matrices = player.inverse_binds(&skin);
    let mesh = scene.skinned_meshes.values().next().unwrap();
    let bind = ossature::rig::kinematics::bind_pose(&mesh.skeleton);
    let mut compared = 0;
    for (name, matrix) in names.iter().zip(matrices) {
        let is_it = |bone: &usize| mesh.skeleton.bones[*bone].name.as_deref() == Some(*name);
        let Some(bone) = (0..bind.len()).find(is_it) else {
            continue;
        };
        let start = matrix.inverse().w_axis.truncate();
        let apart = bind[bone].translation.distance(start);
        assert!(apart < 1e-5 * size.max(1.0), "{name}: {apart}");
        compared += 1;
    }
    assert!(compared > 0);
}

/// Row 14, built here: nodes whose pose differs from the inverse bind matrices.
#[test]
fn a_rest_that_is_not_the_bind_pose_is_the_stored_pose() {
    let mut b = arm(&[]);
    b.json["nodes"][1]["rotation"] = json!([0.0, 0.0, 0.6, 0.8]);
    let read = of(&b);
    let player = Player::new(&b.glb());
    assert_rest_is_stored(&read, &player);
    let moved = player.all_vertices(&player.world(None, 0.0));
    assert!(moved.iter().any(|(stored, posed)| stored.distance(*posed) > 0.5));
}

/// Row 14.
#[test]
#[ignore = "reads public files: set OSSATURE_CORPUS to their folder"]
fn public_files_whose_rest_is_not_the_bind_pose_keep_it() {
    for name in ["blender/saved-posed.glb", "other/skinned_cylinder/03_skinned_cylinder.gltf"] {
        let path = corpus_root().join("gltf").join(name);
        assert_rest_is_stored(&file(&path), &Player::open(&path));
    }
}

/// Joints that move against their parent and are scaled, those that no vertex follows too: the hips below a root that
/// stands still, a foot below the root, a stretched limb, a control bone.
#[test]
fn joints_that_move_and_scale_are_where_their_files_have_them() {
    for (path, values, width) in [
        ("translation", vec![[0.0, 1.0, 0.0], [0.2, 1.4, -0.3], [0.0, 1.0, 0.0]], 3),
        ("scale", vec![[1.0; 3], [1.5, 0.5, 2.0], [0.25; 3]], 3),
    ] {
        for node in [1, 2] {
            let mut b = arm(&[0.0, 30.0, 10.0]);
            let times = b.floats("SCALAR", &[0.0, 0.5, 1.0]);
            let output = b.floats("VEC3", values.concat().as_slice());
            assert_eq!(values[0].len(), width);
            let animation = &mut b.json["animations"][0];
            let sampler = animation["samplers"].as_array().unwrap().len();
            animation["samplers"].as_array_mut().unwrap().push(json!({ "input": times, "output": output }));
            let channel = json!({ "sampler": sampler, "target": { "node": node, "path": path } });
            animation["channels"].as_array_mut().unwrap().push(channel);
            let read = assert_same(&format!("{path} of node {node}"), &b, false);
            assert!(!has(&read.report, "joint-shears"), "{:?}", read.report);
        }
    }
}

/// A joint that shears is told of, with how far the skin is off.
#[test]
fn shear_is_told() {
    let mut b = arm(&[]);
    let lower = b.json["nodes"][1].as_object_mut().unwrap();
    lower.remove("translation");
    lower.insert("matrix".into(), json!([1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1]));
    let read = file_of(&b.glb());
    let told = read.report.findings.iter().find(|finding| finding.code == "joint-shears");
    let text = &told.unwrap_or_else(|| panic!("{:?}", read.report)).text;
    assert!(text.starts_with("lower is sheared by ") && text.contains("the skin is off by up to "), "{text}");
}
