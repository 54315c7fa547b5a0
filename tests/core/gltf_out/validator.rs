//! Other programs on what is exported: the Khronos validator, three.js (`./dev oracles` installs them) and Blender
//! (`OSSATURE_BLENDER` names a Python that has `bpy`).

use super::{exported, largest_distance, ours, with_four_weights};
use crate::support::{corpus, media};
use glam::DVec3;
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
        // What is not used by others, triangles without area, and tails that are nodes are what was asked for.
        !(message["severity"].as_u64() >= Some(2)
            && [
                "UNUSED_OBJECT",
                "ACCESSOR_INDEX_TRIANGLE_DEGENERATE",
                "NODE_EMPTY",
            ]
            .contains(&code))
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

/// Prints the vertices of the first skinned mesh at times of a take, as three.js has them.
const THREE: &str = "
import fs from 'fs';
import * as THREE from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
globalThis.self = globalThis;
const [file, take, ...times] = process.argv.slice(2);
const bytes = fs.readFileSync(file);
const gltf = await new GLTFLoader().parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), '');
const mixer = new THREE.AnimationMixer(gltf.scene);
mixer.clipAction(gltf.animations.find(clip => clip.name === take)).play();
let mesh;
gltf.scene.traverse(node => { if (node.isSkinnedMesh && !mesh) mesh = node; });
const found = times.map(time => {
  mixer.setTime(Number(time));
  gltf.scene.updateMatrixWorld(true);
  mesh.skeleton.update();
  const vertex = new THREE.Vector3();
  return Array.from({ length: mesh.geometry.attributes.position.count }, (_, at) =>
    mesh.getVertexPosition(at, vertex).applyMatrix4(mesh.matrixWorld).toArray());
});
console.log(JSON.stringify(found));
";

/// Frames at which other programs are compared.
const FRAMES: [f32; 4] = [0.0, 5.0, 9.0, 15.0];

#[test]
fn the_walk_is_the_same_in_three_js() {
    let oracles = oracles();
    if !oracles.join("node_modules/three").is_dir() {
        return eprintln!("skipped: `./dev oracles` installs three.js");
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("walk.glb");
    // Modules are looked for from where a script lies.
    let script = tempfile::Builder::new()
        .suffix(".mjs")
        .tempfile_in(&oracles)
        .unwrap();
    let scene = with_four_weights(super::media("A4-human-walk"));
    std::fs::write(&file, exported(&scene, &Options::default()).0).unwrap();
    std::fs::write(script.path(), THREE).unwrap();
    let take = scene
        .animation
        .takes
        .list
        .first()
        .map_or("Take", |take| &take.name);
    let mut program = Command::new("node");
    program.arg(script.path()).arg(&file).arg(take);
    let output = program
        .args(FRAMES.map(|frame| (frame / 24.0).to_string()))
        .output()
        .unwrap();
    let found: Vec<Vec<DVec3>> = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&output.stderr)));
    for (frame, vertices) in FRAMES.into_iter().zip(&found) {
        let distance = largest_distance(vertices, &ours(&scene, "Human_instance", frame));
        // Of 5.6.
        assert!(distance < 1e-5, "frame {frame}: {distance}");
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
