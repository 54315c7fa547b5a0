//! The Khronos validator and the issues that it reports.

use super::super::exported;
use ossature::io::export::{ExportOptions, Influences, Interpolation};
use ossature::io::gltf::glb;
use ossature::scene::Scene;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Prints the validator's report on a file as JSON.
const SCRIPT: &str = "
const validator = require('gltf-validator'), fs = require('fs');
validator.validateBytes(new Uint8Array(fs.readFileSync(process.argv[1])), { maxIssues: 0 })
  .then(report => console.log(JSON.stringify(report.issues)));
";

fn messages(glb: &[u8]) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("scene.glb");
    std::fs::write(&file, glb).unwrap();
    let output = Command::new("node")
        .args(["-e", SCRIPT])
        .arg(&file)
        .env("NODE_PATH", super::modules())
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&output.stderr)));
    report["messages"].as_array().cloned().unwrap_or_default()
}

/// Returns the validator's messages, without expected information: texture coordinates or an embedded scene
/// that nothing in the file uses, triangles without area, which are exported as they are, tips, and transforms that place
/// nothing. A tip is an empty node, as in files of Mixamo and Blender ("leaf bones"): any content would be drawn or used for
/// skinning, so an empty node is only accepted under the name of a tip or of such a transform.
fn issues(glb: &[u8], scene: &Scene) -> Vec<String> {
    let json: Value = serde_json::from_slice(glb::parse(glb).unwrap().json).unwrap();
    let is_empty = |message: &Value| {
        let node = json.pointer(message["pointer"].as_str().unwrap_or_default());
        let name = node.and_then(|node| node["name"].as_str());
        name.is_some_and(|name| name.ends_with("_end") || places_nothing(scene, name))
    };
    let expected = |message: &Value| match message["code"].as_str().unwrap_or_default() {
        "UNUSED_OBJECT" | "ACCESSOR_INDEX_TRIANGLE_DEGENERATE" => true,
        "NODE_EMPTY" => is_empty(message),
        _ => false,
    };
    let messages = messages(glb).into_iter();
    messages
        .filter(|message| message["severity"].as_u64() < Some(2) || !expected(message))
        .map(|message| message.to_string())
        .collect()
}

/// Whether a transform of the scene has no instance and no transform below it.
fn places_nothing(scene: &Scene, name: &str) -> bool {
    let has_child = scene.transforms.values().any(|transform| transform.parent.as_deref() == Some(name));
    let has_instance = scene.instances.all().iter().any(|instance| instance.transform == Some(name));
    scene.transforms.contains_key(name) && !has_child && !has_instance
}

/// Asserts no errors, no warnings and no unexpected information, in two styles.
pub fn assert_valid(path: &Path, scene: &Scene) {
    let styles = [
        ExportOptions::default(),
        ExportOptions {
            influences: Influences::All,
            interpolation: Interpolation::Cubic,
            tip_nodes: true,
            pose_in_nodes: true,
            scene: false,
            ..ExportOptions::default()
        },
    ];
    for options in styles {
        let issues = issues(&exported(scene, &options).0, scene);
        assert!(issues.is_empty(), "{}: {options:?}: {issues:#?}", path.display());
    }
}
