//! Blender's exports, against the positions that Blender itself reports.

use super::file;
use super::posed::vertices;
use crate::support::corpus_root;
use glam::Vec3;
use serde_json::Value;
use std::path::PathBuf;

fn folder() -> PathBuf {
    corpus_root().join("gltf/blender")
}

fn points(value: &Value) -> Vec<Vec3> {
    let point = |value: &Value| Vec3::from_array(std::array::from_fn(|i| value[i].as_f64().unwrap() as f32));
    value.as_array().unwrap().iter().map(point).collect()
}

/// Returns the largest distance of a vertex from where Blender has it, relative to the size, over all frames
/// of all animations. Objects in `loose` are matched by position, as their stored points are in another
/// space.
fn worst(name: &str, file_name: &str, loose: &[&str]) -> (f32, String) {
    let read = file(&folder().join(file_name));
    let text = std::fs::read(folder().join(format!("{name}.expected.json"))).unwrap();
    let expected: Value = serde_json::from_slice(&text).unwrap();
    let fps = expected["fps"].as_f64().unwrap();
    let takes = &read.scene.animation.takes.list;
    let rate = f64::from(read.scene.animation.clip.rate);
    let mut worst = (0.0, String::new());
    for (animation, frames) in expected["animations"].as_object().unwrap() {
        let take = takes.iter().find(|take| take.name == *animation);
        for (frame, shown) in frames.as_object().unwrap() {
            let seconds: f64 = frame.parse::<f64>().unwrap() / fps;
            // Blender's first frame is at 1 / fps, or 0.
            let first = first_time(&folder().join(file_name), animation);
            let at = take.map(|take| take.range[0] as f32 + ((seconds - first) * rate).max(0.0) as f32);
            let found = vertices(&read.scene, at);
            let (low, high) =
                found.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), (_, at)| {
                    (low.min(*at), high.max(*at))
                });
            let size = (high - low).max_element();
            for (object, vertices) in shown["objects"].as_object().unwrap() {
                for (rest, posed) in points(&vertices["rest"]).into_iter().zip(points(&vertices["posed"])) {
                    let near = found.iter().filter(|(stored, _)| {
                        loose.contains(&object.as_str())
                            || stored.distance(rest) < 2e-5 * rest.length().max(1.0)
                    });
                    let off = near.map(|(_, at)| at.distance(posed)).fold(f32::INFINITY, f32::min) / size;
                    if off > worst.0 {
                        worst = (off, format!("{animation}, frame {frame}, {object} {rest}"));
                    }
                }
            }
        }
    }
    worst
}

/// Returns the time of an animation's first key in seconds, read without the importer.
fn first_time(path: &PathBuf, animation: &str) -> f64 {
    let bytes = std::fs::read(path).unwrap();
    let json: Value = match bytes.starts_with(b"glTF") {
        true => {
            let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
            serde_json::from_slice(&bytes[20..20 + length]).unwrap()
        }
        false => serde_json::from_slice(&bytes).unwrap(),
    };
    let none = Vec::new();
    let animations = json["animations"].as_array().unwrap_or(&none);
    let Some(of) = animations.iter().find(|of| of["name"] == animation) else {
        return 0.0;
    };
    let inputs =
        of["samplers"].as_array().unwrap().iter().map(|sampler| sampler["input"].as_u64().unwrap() as usize);
    inputs.map(|input| json["accessors"][input]["min"][0].as_f64().unwrap()).fold(f64::INFINITY, f64::min)
}

/// Row 10.
#[test]
#[ignore = "reads public files: set OSSATURE_CORPUS to their folder"]
fn what_only_turns_is_where_blender_has_it() {
    for (name, file_name, loose) in [
        ("human-two-actions", "human-two-actions.glb", &[][..]),
        ("two-meshes", "two-meshes.gltf", &[]),
        ("scene", "scene.glb", &["Hat", "Post", "Post.001", "Uneven"]),
    ] {
        let (off, place) = worst(name, file_name, loose);
        assert!(off < 1e-4, "{name}: {off} ({place})");
    }
}
