//! Shared by the tests of this folder; each uses a part of it.
#![allow(dead_code, unused_imports, clippy::print_stdout)]

pub mod bad;

pub use crate::random::Random;

use ossature::rig::weights::bind_snapshot::BindSnapshot;
use ossature::scene::Scene;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A small scene of our own with every kind of resource, in the layout that Scotty3D writes.
pub const EVERYTHING: &[u8] = include_bytes!("../fixtures/js3d/everything.js3d");

/// Returns a scene as a file stores it: with the bones that moved since weights were calculated, but not
/// their old places.
pub fn filed(scene: &Scene) -> Scene {
    let mut filed = scene.clone();
    for mesh in filed.skinned_meshes.values_mut() {
        let mut moved = mesh.bind_snapshot.moved(&mesh.skeleton);
        if mesh.weights.bones.is_empty() {
            moved.clear();
        }
        let mesh = std::sync::Arc::make_mut(mesh);
        mesh.bind_snapshot = BindSnapshot::capture_except(&mesh.skeleton, &moved);
    }
    filed
}

/// Returns the scenes of this repository, sorted by name.
pub fn media() -> Vec<PathBuf> {
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d"), "js3d")
}

/// Returns the folder of public files that tests marked `ignore` read.
pub fn corpus_root() -> PathBuf {
    let root = std::env::var_os("OSSATURE_CORPUS");
    PathBuf::from(root.expect("OSSATURE_CORPUS names the folder of public files"))
}

/// Returns the public files of one kind, sorted by name.
pub fn corpus(folder: &str, ending: &str) -> Vec<PathBuf> {
    files(&corpus_root().join(folder), ending)
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == ending));
    assert!(!paths.is_empty(), "{}: no {ending}", folder.display());
    paths.sort();
    paths
}

/// Returns the scene of [`EVERYTHING`] as JSON, to be modified.
pub fn everything() -> Value {
    serde_json::from_slice(EVERYTHING).expect("the fixture is JSON")
}

/// Returns the text of a modified scene.
pub fn text(document: &Value) -> Vec<u8> {
    serde_json::to_vec(document).expect("a value can be written")
}

/// Returns pointers to all objects whose members are defined by the format rather than by names of resources.
pub fn objects(document: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), document)];
    while let Some((at, value)) = open.pop() {
        match value {
            Value::Object(members) => {
                if !is_table(&at) {
                    found.push(at.clone());
                }
                open.extend(members.iter().map(|(name, value)| (format!("{at}/{name}"), value)));
            }
            Value::Array(items) => {
                open.extend(items.iter().enumerate().map(|(i, item)| (format!("{at}/{i}"), item)));
            }
            _ => {}
        }
    }
    found.sort();
    found
}

/// Returns whether the object at a pointer maps names of resources or channels.
fn is_table(at: &str) -> bool {
    let parts: Vec<&str> = at.split('/').skip(1).collect();
    match parts[..] {
        ["scene", section] => section != "instances",
        ["scene", "instances", _] | ["animator", "splines"] | ["animator", "splines", _] => true,
        _ => false,
    }
}

/// Encodes a blob of 4-byte numbers without the program's own writer.
pub fn blob(prefix: &str, numbers: &[u32]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let mut text = prefix.to_owned();
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        let digits = (0..=chunk.len()).map(|i| ALPHABET[(word >> (18 - 6 * i) & 63) as usize]);
        text.extend(digits.map(char::from));
    }
    text
}
