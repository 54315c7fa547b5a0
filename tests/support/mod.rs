//! What the tests of this folder share. Each uses a part of it.
#![allow(dead_code, unused_imports, clippy::print_stdout)]

pub mod bad;
#[path = "../random/mod.rs"]
mod random;

pub use random::Random;

use serde_json::Value;
use std::path::PathBuf;

/// A small scene of ours with every kind of resource, in the layout that Scotty3D writes.
pub const EVERYTHING: &[u8] = include_bytes!("../fixtures/js3d/everything.js3d");

/// Files of a folder of the public corpora, sorted by name. Says so where there are none.
pub fn corpus(folder: &str, ending: &str) -> Vec<PathBuf> {
    let Some(root) = std::env::var_os("OSSATURE_CORPUS") else {
        println!("skipped: corpus not present (OSSATURE_CORPUS is not set)");
        return Vec::new();
    };
    let folder = PathBuf::from(root).join(folder);
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("skipped: corpus has no folder {}", folder.display());
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == ending));
    paths.sort();
    paths
}

/// The scene of [`EVERYTHING`] as JSON, to be changed.
pub fn everything() -> Value {
    serde_json::from_slice(EVERYTHING).expect("the fixture is JSON")
}

/// The text of a changed scene.
pub fn text(document: &Value) -> Vec<u8> {
    serde_json::to_vec(document).expect("a value can be written")
}

/// Pointers of all objects whose members are given by the format, not by names of resources.
pub fn objects(document: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), document)];
    while let Some((at, value)) = open.pop() {
        match value {
            Value::Object(members) => {
                if !is_table(&at) {
                    found.push(at.clone());
                }
                open.extend(
                    members
                        .iter()
                        .map(|(name, value)| (format!("{at}/{name}"), value)),
                );
            }
            Value::Array(items) => {
                open.extend(
                    items
                        .iter()
                        .enumerate()
                        .map(|(i, item)| (format!("{at}/{i}"), item)),
                );
            }
            _ => {}
        }
    }
    found.sort();
    found
}

/// Whether the object at a pointer maps names of resources or channels.
fn is_table(at: &str) -> bool {
    let parts: Vec<&str> = at.split('/').skip(1).collect();
    match parts[..] {
        ["scene", section] => section != "instances",
        ["scene", "instances", _] | ["animator", "splines"] | ["animator", "splines", _] => true,
        _ => false,
    }
}

/// A blob of 4-byte numbers, made without the program's own writer.
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
