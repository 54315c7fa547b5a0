//! Files that would take too long or make a scene that cannot be exported: limited, divided or refused, and told.

use super::super::builder::Builder;
use super::super::characters::arm;
use super::super::has;
use super::triangle;
use ossature::anim::clip::Clip;
use ossature::io::export::ExportOptions;
use ossature::io::export::Interpolation;
use ossature::io::gltf::read::read;
use ossature::io::gltf::write::export;
use ossature::io::import::{ImportOptions, SceneImport};
use ossature::io::limits::{COORDINATE, GLTF_CORNERS};
use serde_json::json;

fn taken(builder: &Builder) -> Result<SceneImport, String> {
    read(&builder.glb(), None, &ImportOptions::default()).map_err(|error| error.to_string())
}

/// Exports what was read in both ways, and reads it again.
fn comes_back(read_file: &SceneImport) {
    for interpolation in [Interpolation::Linear, Interpolation::Cubic] {
        let options = ExportOptions { scene: false, interpolation, ..ExportOptions::default() };
        let export = export(&read_file.scene, &options, &|_| Err(String::new()));
        let bytes = export.unwrap_or_else(|error| panic!("{error}")).glb().unwrap();
        read(&bytes, None, &ImportOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn counts_without_bytes_are_limited_by_the_size_of_the_file() {
    let mut file = triangle();
    let count = 50_000_000;
    let indices = file.push("accessors", json!({ "count": count, "type": "SCALAR", "componentType": 5123 }));
    file.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
    let error = taken(&file).err().unwrap();
    assert!(error.contains("vertices and corners") && error.contains("/meshes/0/primitives/0"), "{error}");
}

#[test]
fn copies_of_a_mesh_on_joints_are_limited() {
    let copies = |count: usize| {
        let mut file = arm(&[]);
        let position = file.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        let corners: Vec<u16> = (0..6000).map(|corner| corner % 3).collect();
        let indices = file.shorts("SCALAR", &corners);
        let primitive = json!({ "attributes": { "POSITION": position }, "indices": indices });
        let mesh = file.push("meshes", json!({ "primitives": [primitive] }));
        let nodes: Vec<usize> = (0..count).map(|_| file.push("nodes", json!({ "mesh": mesh }))).collect();
        file.json["nodes"][1]["children"] = json!(nodes);
        file
    };
    assert!(taken(&copies(20)).is_ok());
    let many = copies(GLTF_CORNERS.limit(1 << 16) / 6000 + 1);
    let error = taken(&many).err().unwrap();
    assert!(error.contains("vertices and corners"), "{error}");
}

#[test]
fn primitives_that_share_their_vertices_add_them_once() {
    let mut file = triangle();
    let mut normals = [0.0, 0.0, 1.0].repeat(3);
    normals[2] = 0.5;
    let normal = file.floats("VEC3", &normals);
    let mut primitive = file.json["meshes"][0]["primitives"][0].clone();
    primitive["attributes"]["NORMAL"] = json!(normal);
    let materials: Vec<usize> = (0..3).map(|_| file.push("materials", json!({}))).collect();
    let primitives = materials.iter().map(|material| {
        let mut primitive = primitive.clone();
        primitive["material"] = json!(material);
        primitive
    });
    file.json["meshes"][0]["primitives"] = json!(primitives.collect::<Vec<_>>());
    let found = taken(&file).unwrap();
    assert!(!has(&found.report, "welded"), "{:?}", found.report);
    assert_eq!(found.scene.meshes.values().next().unwrap().surface.positions().len(), 3);
    comes_back(&found);
}

/// An arm that turns from 0 s to `seconds`.
fn slow_arm(seconds: f32) -> Builder {
    let mut file = arm(&[0.0, 90.0]);
    let times = file.floats("SCALAR", &[0.0, seconds]);
    file.json["animations"][0]["samplers"][0]["input"] = json!(times);
    file
}

#[test]
fn long_animations_become_takes_that_can_be_exported() {
    let found = taken(&slow_arm(1000.0)).unwrap();
    let text = &found.report.findings.iter().find(|finding| finding.code == "long-take").unwrap().text;
    assert!(text.contains("24,001 frames") && text.contains("3 takes"), "{text}");
    let takes = &found.scene.animation.takes.list;
    assert_eq!(takes.len(), 3);
    assert!(takes.iter().all(|take| take.range[1] - take.range[0] < Clip::MAX_AT_ONCE));
    assert_eq!((takes[0].range[0], takes[2].range[1]), (0, 24_000));
    assert!(takes.windows(2).all(|pair| pair[0].range[1] + 1 == pair[1].range[0]));
    comes_back(&taken(&slow_arm(450.0)).unwrap());
}

#[test]
fn animations_that_would_take_too_long_are_left_out() {
    let mut file = slow_arm(400.0);
    for _ in 0..1000 {
        file.push("nodes", json!({}));
    }
    let found = taken(&file).unwrap();
    let text = &found.report.findings.iter().find(|finding| finding.code == "too-long").unwrap().text;
    assert!(text.contains("9600 frames") && text.contains("bytes"), "{text}");
    assert!(found.scene.animation.takes.list.is_empty());
    comes_back(&found);
}

#[test]
fn numbers_that_could_not_be_written_are_refused() {
    let file = |position: f32, bone: f32, key: f32| {
        let mut file = arm(&[0.0, 90.0]);
        let mut corner = [0.0; 18];
        for (vertex, corner) in corner.chunks_exact_mut(3).enumerate() {
            corner.copy_from_slice(&[0.1 * (vertex % 2) as f32, (vertex / 2) as f32, 0.0]);
        }
        corner[17] = position;
        let positions = file.floats("VEC3", &corner);
        file.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(positions);
        let raised = |y: f32| glam::Mat4::from_translation(glam::Vec3::Y * y).to_cols_array();
        let binds = file.floats("MAT4", &[raised(0.0), raised(-bone)].concat());
        file.json["skins"][0]["inverseBindMatrices"] = json!(binds);
        let times = file.floats("SCALAR", &[0.0, 0.5]);
        let moved = file.floats("VEC3", &[0.0, 0.0, 0.0, key, 0.0, 0.0]);
        let sampler = file.json["animations"][0]["samplers"].as_array().unwrap().len();
        let samplers = file.json["animations"][0]["samplers"].as_array_mut().unwrap();
        samplers.push(json!({ "input": times, "output": moved }));
        let channels = file.json["animations"][0]["channels"].as_array_mut().unwrap();
        channels.push(json!({ "sampler": sampler, "target": { "node": 2, "path": "translation" } }));
        file
    };
    let most = COORDINATE / 10.0;
    for (position, bone, key) in [(0.0, 1.0, 0.0), (most, 1.0, 0.0), (0.0, most, 0.0), (0.0, 1.0, most)] {
        comes_back(&taken(&file(position, bone, key)).unwrap());
    }
    for (position, bone, key, place) in [
        (1e37, 1.0, 0.0, "a vertex is out of the range of numbers at /meshes/0"),
        (0.0, 1e37, 0.0, "a bone of “Arm” becomes larger than 1e18"),
        (0.0, 1.0, 1e37, "of “Arm” becomes larger than 1e18"),
    ] {
        let error = taken(&file(position, bone, key)).err().unwrap();
        assert!(error.contains(place), "{place}: {error}");
    }
}
