//! Runs files through glTF and back, and through the commands that list takes and poses: what is read can be written,
//! what is written can be read, and the same input gives the same bytes.

use crate::commands::{Facts, MOST_FRAMES, Trial, same};
use crate::program::{Ran, run};
use ossature::io::gltf::glb;
use ossature::io::gltf::read;
use ossature::io::import::ImportOptions;
use std::fs;

impl Trial<'_> {
    /// Runs a glTF file through the commands; returns whether it is a readable scene, which is then valid and
    /// exportable.
    ///
    /// # Errors
    /// What a command did wrong.
    pub fn gltf(self) -> Result<bool, String> {
        let file = &self.file;
        let checked = run(&["check", file, "--json"])?;
        let [out, again] = ["out.js3d", "again.js3d"].map(|name| self.out(name));
        let first = self.saved(&["convert", file, &out], &out)?;
        self.check(&checked, checked.good, first.good)?;
        if !first.good {
            return Ok(false);
        }
        same(&self.saved(&["convert", &out, &again], &again)?, true)?;
        if fs::read(&out).ok() != fs::read(&again).ok() {
            return Err(first.fault("writes what comes out differently when it is converted again"));
        }
        for interpolation in ["--interpolation=linear", "--interpolation=cubic"] {
            same(&self.exported(&out, interpolation)?, true)?;
        }
        Ok(true)
    }

    /// Exports a scene, unless this takes many poses: they are as many as the takes have frames.
    pub fn exports(&self, facts: &Facts) -> Result<(), String> {
        let takes = run(&["takes", &self.file, "--json"])?;
        if !takes.good {
            return Ok(());
        }
        let takes = takes.json()?;
        let frames = |take: &serde_json::Value| Some(1 + take["last"].as_u64()? - take["first"].as_u64()?);
        let takes = takes.as_array().into_iter().flatten().filter_map(frames);
        let frames = takes.sum::<u64>().max(facts.frames);
        if frames * (1 + facts.handles / 12) > MOST_FRAMES {
            return Ok(());
        }
        self.exported(&self.file, "--interpolation=cubic").map(drop)
    }

    /// Exports a scene twice: the files are equal and can be read.
    fn exported(&self, scene: &str, interpolation: &str) -> Result<Ran, String> {
        let [one, two] = ["one.glb", "two.glb"].map(|name| self.out(name));
        let convert = |to: &str| {
            let _ = fs::remove_file(to);
            run(&["convert", scene, to, "--no-scene", interpolation])
        };
        let ran = convert(&one)?;
        if !ran.good {
            return Ok(ran);
        }
        convert(&two)?;
        let bytes = fs::read(&one).map_err(|error| ran.fault(&error.to_string()))?;
        if Some(&bytes) != fs::read(&two).ok().as_ref() {
            return Err(ran.fault("writes other bytes the second time"));
        }
        let glb = glb::parse(&bytes).map_err(|error| ran.fault(&error.to_string()))?;
        let document: serde_json::Value =
            serde_json::from_slice(glb.json).map_err(|error| ran.fault(&error.to_string()))?;
        if let Some(accessor) = not_finite(&document, glb.bin.unwrap_or_default()) {
            return Err(ran.fault(&format!("writes accessor {accessor} with what is no number")));
        }
        match read::read(&bytes, None, &ImportOptions::default()) {
            Ok(_) => Ok(ran),
            Err(error) => Err(ran.fault(&format!("writes what cannot be read: {error}"))),
        }
    }

    /// Saves a pose: the file comes out the same when it is converted.
    pub fn poses(&self) -> Result<(), String> {
        let [out, again] = ["poses.js3d", "again.js3d"].map(|name| self.out(name));
        run(&["poses", &self.file])?;
        let first = self.saved(&["poses", &self.file, "--save=Z", "--only", "-o", &out], &out)?;
        if first.good {
            same(&self.saved(&["convert", &out, &again], &again)?, true)?;
            if fs::read(&out).ok() != fs::read(&again).ok() {
                return Err(first.fault("writes what comes out differently when it is converted"));
            }
        }
        Ok(())
    }
}

/// Returns the first accessor of floats with one that is not finite; our own have a view each.
fn not_finite(document: &serde_json::Value, bin: &[u8]) -> Option<usize> {
    let number = |value: &serde_json::Value| value.as_u64().unwrap_or_default() as usize;
    document["accessors"].as_array()?.iter().position(|accessor| {
        let view = &document["bufferViews"][number(&accessor["bufferView"])];
        let bytes = &bin[number(&view["byteOffset"])..][..number(&view["byteLength"])];
        let mut floats =
            bytes.chunks_exact(4).map(|bytes| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
        accessor["componentType"] == 5126 && floats.any(|float| !float.is_finite())
    })
}
