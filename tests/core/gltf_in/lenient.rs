//! What real files contain and the specification does not allow, or allows for reasons that do not matter here: it is read,
//! and told of.

use super::builder::Builder;
use super::characters::arm;
use super::{file_of, has};
use crate::gltf_out::player::Player;
use glam::Vec3;
use ossature::io::import::SceneImport;
use serde_json::json;

fn told(change: impl FnOnce(&mut Builder), code: &str) -> SceneImport {
    let mut b = arm(&[0.0, 30.0, 10.0]);
    change(&mut b);
    let read = file_of(&b.glb());
    assert!(has(&read.report, code), "{code}: {:?}", read.report);
    read
}

fn set_accessor(b: &mut Builder, attribute: &str, accessor: usize) {
    b.json["meshes"][0]["primitives"][0]["attributes"][attribute] = json!(accessor);
}

/// A vertex with weights that are no numbers counts as one without weights; the others keep theirs.
#[test]
fn weights_that_are_not_numbers_cost_their_vertex_alone() {
    let read = told(
        |b| {
            let weights = [[f32::NAN, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]];
            let rows = [0, 1, 1, 1, 1, 1].map(|row: usize| weights[row]);
            let accessor = b.floats("VEC4", rows.concat().as_slice());
            set_accessor(b, "WEIGHTS_0", accessor);
        },
        "bad-weights",
    );
    let mesh = read.scene.skinned_meshes.values().next().unwrap();
    assert_eq!(mesh.weights.unweighted_count(), 1);
}

#[test]
fn a_joint_of_no_weight_may_be_any() {
    let read = told(
        |b| {
            let joints = b.shorts("VEC4", &[[0u16, 200, 0, 0]; 6].concat());
            set_accessor(b, "JOINTS_0", joints);
            let weights = b.floats("VEC4", &[[1.0f32, 0.0, 0.0, 0.0]; 6].concat());
            set_accessor(b, "WEIGHTS_0", weights);
        },
        "unused-joint",
    );
    assert_eq!(read.scene.skinned_meshes.values().next().unwrap().weights.unweighted_count(), 0);
}

#[test]
fn extensions_of_materials_and_pictures_are_left_out() {
    for name in ["KHR_texture_basisu", "EXT_texture_webp", "KHR_materials_sheen"] {
        let read = told(|b| b.json["extensionsRequired"] = json!([name]), "left-out");
        assert_eq!(read.scene.skinned_meshes.len(), 1, "{name}");
    }
}

#[test]
fn a_root_of_the_scene_may_have_a_parent_elsewhere() {
    let read = told(
        |b| {
            let node =
                b.push("nodes", json!({ "name": "Elsewhere", "children": [2], "translation": [9, 9, 9] }));
            assert!(node > 2);
        },
        "scene-root",
    );
    assert_eq!(read.scene.animation.takes.list.len(), 1);
}

/// Of equal times of keys, the last counts.
#[test]
fn the_last_of_equal_times_counts() {
    let mut b = arm(&[]);
    let times = b.floats("SCALAR", &[0.0, 0.5, 0.5]);
    let values = b.floats("VEC3", &[0.0, 1.0, 0.0, 0.0, 5.0, 0.0, 0.0, 2.0, 0.0]);
    b.push(
        "animations",
        json!({
            "name": "Raise",
            "samplers": [{ "input": times, "output": values }],
            "channels": [{ "sampler": 0, "target": { "node": 1, "path": "translation" } }]
        }),
    );
    let read = file_of(&b.glb());
    assert!(!has(&read.report, "bad-channels"), "{:?}", read.report);
    let evaluated = super::characters::at(&read.scene, 12.0);
    let positions = &evaluated.skinned.values().next().unwrap().positions;
    assert!(positions[4].distance(Vec3::new(0.0, 3.0, 0.0)) < 1e-3, "{}", positions[4]);
}

/// The weights of morph targets that a node states outrank those of its mesh.
#[test]
fn weights_of_a_node_outrank_those_of_its_mesh() {
    let mut b = arm(&[]);
    let offsets = b.floats("VEC3", &[[1.0f32, 0.0, 0.0]; 6].concat());
    b.json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": offsets }]);
    b.json["meshes"][0]["weights"] = json!([0.0]);
    b.json["nodes"][0]["weights"] = json!([0.5]);
    let read = file_of(&b.glb());
    let mesh = read.scene.skinned_meshes.values().next().unwrap();
    assert_eq!(mesh.skeleton.shapes[0].weight, 0.5);
    let posed = &super::characters::at(&read.scene, 0.0).skinned["Arm"];
    assert!(posed.positions[0].distance(Vec3::new(0.5, 0.0, 0.0)) < 1e-6);
}

/// An unweighted joint whose bind pose is in another space says nothing about where the mesh is.
#[test]
fn joints_without_weights_do_not_decide_where_the_mesh_is() {
    let mut b = arm(&[0.0, 30.0, 10.0]);
    let control = b.push("nodes", json!({ "name": "Control", "children": [2] }));
    b.json["scenes"][0]["nodes"] = json!([0, control]);
    let far = glam::Mat4::from_scale(Vec3::splat(100.0)).to_cols_array();
    let raised = |y: f32| glam::Mat4::from_translation(Vec3::Y * y).to_cols_array();
    let inverse = b.floats("MAT4", &[far, raised(0.0), raised(-1.0)].concat());
    let joints = b.shorts(
        "VEC4",
        &[[1u16, 0, 0, 0], [1, 0, 0, 0], [1, 2, 0, 0], [1, 2, 0, 0], [2, 0, 0, 0], [2, 0, 0, 0]].concat(),
    );
    set_accessor(&mut b, "JOINTS_0", joints);
    b.json["skins"][0] = json!({ "joints": [control, 2, 1], "inverseBindMatrices": inverse });
    let read = file_of(&b.glb());
    let off = super::others::deviation(&read, &Player::new(&b.glb()), false);
    assert!(off < 1e-5, "{off}: {:?}", read.report);
    let tallest = read.scene.skinned_meshes.values().next().unwrap();
    assert!(tallest.surface.positions().iter().all(|at| at.length() < 3.0));
}

/// A skeleton without a mesh is one to bind a mesh to.
#[test]
fn a_skin_without_a_mesh_is_a_skeleton() {
    let mut b = arm(&[0.0, 30.0, 10.0]);
    let node = b.json["nodes"][0].as_object_mut().unwrap();
    node.remove("mesh");
    node.remove("skin");
    let read = file_of(&b.glb());
    let mesh = read.scene.skinned_meshes.values().next().unwrap();
    assert_eq!(mesh.skeleton.bones.len(), 2);
    assert_eq!(read.scene.animation.takes.list.len(), 1);
}
