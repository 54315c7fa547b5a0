//! Small glTF files that tests put together.

use serde_json::{Value, json};

/// A binary file under construction: accessors are added, the rest is JSON.
pub struct Builder {
    pub json: Value,
    bin: Vec<u8>,
}

impl Builder {
    pub fn new() -> Self {
        Self {
            json: json!({
                "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": [0] }], "nodes": [], "meshes": [],
                "accessors": [], "bufferViews": [], "buffers": []
            }),
            bin: Vec::new(),
        }
    }

    pub fn push(&mut self, list: &str, value: Value) -> usize {
        if self.json[list].is_null() {
            self.json[list] = json!([]);
        }
        let list = self.json[list].as_array_mut().unwrap();
        list.push(value);
        list.len() - 1
    }

    /// Adds a buffer view of bytes.
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let offset = self.bin.len();
        self.bin.extend_from_slice(bytes);
        self.push("bufferViews", json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() }))
    }

    pub fn accessor(&mut self, bytes: &[u8], component: u32, kind: &str, count: usize) -> usize {
        let view = self.view(bytes);
        self.push(
            "accessors",
            json!({ "bufferView": view, "componentType": component, "type": kind, "count": count }),
        )
    }

    pub fn floats(&mut self, kind: &str, numbers: &[f32]) -> usize {
        let width = match kind {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let accessor = self.accessor(&bytes, 5126, kind, numbers.len() / width);
        if numbers.iter().all(|number| number.is_finite()) {
            let bound = |choose: fn(f32, f32) -> f32| -> Vec<f32> {
                let part = |at: usize| numbers.iter().skip(at).step_by(width).copied().reduce(choose);
                (0..width).filter_map(part).collect()
            };
            self.json["accessors"][accessor]["min"] = json!(bound(f32::min));
            self.json["accessors"][accessor]["max"] = json!(bound(f32::max));
        }
        accessor
    }

    pub fn shorts(&mut self, kind: &str, numbers: &[u16]) -> usize {
        let width = if kind == "SCALAR" { 1 } else { 4 };
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.accessor(&bytes, 5123, kind, numbers.len() / width)
    }

    pub fn glb(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        json["buffers"] = json!([{ "byteLength": self.bin.len() }]);
        ossature::io::gltf::glb::write(&serde_json::to_vec(&json).unwrap(), &self.bin).unwrap()
    }
}
