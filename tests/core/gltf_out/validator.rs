//! What the Khronos validator says of what is exported. `./dev oracles` installs it.

use super::exported;
use crate::support::{corpus, media};
use ossature::io::gltf::write::{Influences, Interpolation, Options};
use ossature::io::js3d;
use ossature::scene::Scene;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of `./dev oracles`.
fn oracles() -> PathBuf {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = || PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cache");
    cache.unwrap_or_else(home).join("ossature/oracles")
}

/// Prints the validator's report on a file as JSON.
const SCRIPT: &str = "
const validator = require('gltf-validator'), fs = require('fs');
validator.validateBytes(new Uint8Array(fs.readFileSync(process.argv[1])), { maxIssues: 0 })
  .then(report => console.log(JSON.stringify(report.issues)));
";

/// Issues that are more than information on something unused; `None` where the validator is not installed.
fn issues(glb: &[u8]) -> Option<Vec<String>> {
    let modules = oracles().join("node_modules");
    if !modules.join("gltf-validator").is_dir() {
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("scene.glb");
    std::fs::write(&file, glb).unwrap();
    let output = Command::new("node")
        .args(["-e", SCRIPT])
        .arg(&file)
        .env("NODE_PATH", modules)
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&output.stderr)));
    let messages = report["messages"].as_array().cloned().unwrap_or_default();
    let serious = messages.into_iter().filter(|message| {
        let code = message["code"].as_str().unwrap_or_default();
        // What is not used by others, and triangles without area, are what the scene has.
        !(message["severity"].as_u64() >= Some(2)
            && ["UNUSED_OBJECT", "ACCESSOR_INDEX_TRIANGLE_DEGENERATE"].contains(&code))
    });
    Some(serious.map(|message| message.to_string()).collect())
}

fn assert_valid(path: &Path, scene: &Scene) {
    let styles = [
        Options::default(),
        Options {
            influences: Influences::All,
            interpolation: Interpolation::Cubic,
            tip_nodes: true,
            pose_in_nodes: true,
            scene: false,
            ..Options::default()
        },
    ];
    for options in styles {
        let Some(issues) = issues(&exported(scene, &options).0) else {
            return eprintln!("skipped: `./dev oracles` installs the validator");
        };
        assert!(issues.is_empty(), "{}: {options:?}: {issues:#?}", path.display());
    }
}

fn read(path: &Path) -> Scene {
    js3d::read_file(path).unwrap().0
}

#[test]
fn scenes_of_the_repository_are_valid() {
    for path in media() {
        assert_valid(&path, &read(&path));
    }
    let everything = js3d::read(crate::support::EVERYTHING).unwrap().0;
    assert_valid(Path::new("everything.js3d"), &everything);
}

#[test]
#[ignore = "reads public files: OSSATURE_CORPUS names their folder"]
fn public_scenes_are_valid() {
    for path in corpus("js3d", "js3d") {
        assert_valid(&path, &read(&path));
    }
}
