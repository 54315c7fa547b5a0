//! Runs the program on small scenes that are written here.

#![allow(dead_code, reason = "each test program uses its part of this")]

use crate::editing::{bone, column, handle};
use glam::{Quat, Vec3};
use ossature::io::js3d;
use ossature::rig::skeleton::Skeleton;
use ossature::rig::weights::VertexWeights;
use ossature::scene::Scene;
use ossature::scene::instance::GeometryInstance;
use ossature::scene::resource::Transform;
use ossature::scene::skinned::SkinnedMesh;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use tempfile::TempDir;

/// The commands that everybody should find: in the help and, with examples, in the README.
pub const COMMANDS: [&str; 9] =
    ["info", "check", "convert", "pose", "ik", "weights", "skin", "screenshot", "render"];

pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a scene and returns its path.
    pub fn write(&self, name: &str, scene: &Scene) -> String {
        let path = self.path(name);
        std::fs::write(&path, js3d::write(scene).unwrap()).unwrap();
        path.display().to_string()
    }

    pub fn out(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }
}

pub fn run(arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_ossature"));
    program.args(arguments).output().unwrap()
}

/// Returns the output of a run that must succeed, with an empty error stream.
pub fn good(arguments: &[&str]) -> String {
    let output = run(arguments);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {error}");
    assert_eq!(error, "", "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

pub fn json(arguments: &[&str]) -> Value {
    let text = good(&[arguments, &["--json"]].concat());
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

/// Returns the message of a run that must fail with status 1, and its output.
pub fn bad(arguments: &[&str]) -> (String, String) {
    let output = run(arguments);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {error}");
    assert!(error.starts_with("error: ") || error.contains("\nerror: "), "{arguments:?}: {error}");
    assert!(!error.contains("panicked"), "{error}");
    (error, String::from_utf8(output.stdout).unwrap())
}

pub fn read(path: impl AsRef<Path>) -> Scene {
    js3d::read_file(path.as_ref()).unwrap().0
}

pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect()
}

pub fn assert_near(found: &[f64], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let far = found.iter().zip(expected).any(|(a, b)| (a - b).abs() > 1e-6);
    assert!(!far, "{what}: {found:?}, expected {expected:?}");
}

/// Returns two upward bones, Upper and Lower, with all vertices on Upper, and an enabled handle on Lower.
pub fn arm() -> Scene {
    let surface = column(1);
    let vertices = surface.vertex_count();
    let mut pull = handle(1, [0.0, 1.0, 2.0], 0);
    pull.enabled = true;
    let mut bones =
        vec![bone(Some("Upper"), None, [0.0, 1.0, 0.0], 0), bone(Some("Lower"), Some(0), [0.0, 1.0, 0.0], 1)];
    bones.iter_mut().for_each(|b| b.roll_deg = 0.0);
    let arm = SkinnedMesh {
        surface: Arc::new(surface),
        weights: Arc::new(VertexWeights {
            ends: (1..=vertices as u32).collect(),
            bones: vec![0; vertices],
            weights: vec![1.0; vertices],
        }),
        skeleton: Arc::new(Skeleton { bones, handles: vec![pull], ..Skeleton::default() }),
        ..SkinnedMesh::default()
    };
    let mut scene = Scene::default();
    scene.skinned_meshes.insert("Arm".into(), Arc::new(arm));
    scene
}

/// Returns the arm with an instance at the given transform.
pub fn placed(translation: Vec3, rotation: Quat, scale: Vec3) -> Scene {
    let mut scene = arm();
    let transform = Transform { parent: None, translation, rotation, scale, extra: Default::default() };
    scene.transforms.insert("Place".into(), Arc::new(transform));
    let instance = GeometryInstance {
        transform: Some("Place".into()),
        resource: Some("Arm".into()),
        ..GeometryInstance::default()
    };
    scene.instances.skinned_meshes.insert("Arm here".into(), Arc::new(instance));
    scene
}
