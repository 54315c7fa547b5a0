//! Damaged or malicious files give an error with its location, or a scene, but never a panic.

mod forbidden;
mod limits;

use super::builder::Builder;
use super::try_file;
use crate::editing::Random;
use crate::support::corpus_root;
use ossature::io::file::ReadError;
use ossature::io::gltf::read::read;
use ossature::io::import::ImportOptions;
use ossature::io::js3d;
use ossature::io::report::Finding;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Returns one triangle.
fn triangle() -> Builder {
    let mut b = Builder::new();
    let position = b.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    b.push("nodes", json!({ "mesh": 0 }));
    b.push("meshes", json!({ "primitives": [{ "attributes": { "POSITION": position } }] }));
    b
}

fn refused(change: impl FnOnce(&mut Value)) -> String {
    let mut b = triangle();
    change(&mut b.json);
    match read(&b.glb(), None, &ImportOptions::default()) {
        Err(error @ (ReadError::Value { .. } | ReadError::Content { .. } | ReadError::Syntax { .. })) => {
            error.to_string()
        }
        Err(error) => panic!("{error:?}"),
        Ok(read) => panic!("the file was read: {:?}", read.report),
    }
}

#[test]
fn what_does_not_hold_together_is_refused_with_its_place() {
    type Case = (fn(&mut Value), &'static str);
    let cases: [Case; 16] = [
        (|f| f["asset"]["version"] = json!("1.0"), "only glTF 2.0"),
        (|f| f["asset"]["minVersion"] = json!("2.1"), "only glTF 2.0"),
        (|f| f["nodes"][0]["mesh"] = json!(1), "/nodes/0"),
        (|f| f["nodes"][0]["children"] = json!([0]), "/nodes/0"),
        (|f| f["nodes"] = json!([{ "children": [2] }, { "children": [2] }, {}]), "two parents"),
        (|f| f["nodes"] = json!([{}, { "children": [2] }, { "children": [1] }]), "above itself"),
        (|f| f["accessors"][0]["count"] = json!(4), "do not lie within its view"),
        (|f| f["accessors"][0]["count"] = json!(u64::MAX), "do not lie within its view"),
        (|f| f["accessors"][0]["byteOffset"] = json!(u64::MAX - 2), "do not lie within its view"),
        (|f| f["bufferViews"][0]["byteLength"] = json!(37), "does not lie within its buffer"),
        (|f| f["bufferViews"][0]["byteOffset"] = json!(u64::MAX), "does not lie within its buffer"),
        (|f| f["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(7), "accessor 7"),
        (|f| f["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]), "glTF Transform"),
        (|f| f["extensionsRequired"] = json!(["EXT_meshopt_compression"]), "glTF Transform"),
        (|f| f["extensionsRequired"] = json!(["ACME_magic"]), "ACME_magic"),
        (
            |f| {
                // An accessor without bytes stands for zeros; its size is limited.
                f["accessors"] = json!([{ "count": 1u64 << 40, "type": "VEC3", "componentType": 5126 }]);
            },
            "vertices and corners, the most for a file of",
        ),
    ];
    for (change, text) in cases {
        let error = refused(change);
        assert!(error.contains(text), "{text}: {error}");
    }
    let mut b = triangle();
    let position = b.floats("VEC3", &[f32::NAN; 9]);
    b.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(position);
    let error = read(&b.glb(), None, &ImportOptions::default()).err().unwrap().to_string();
    assert!(error.contains("not finite"), "{error}");
}

#[test]
fn nothing_outside_of_the_folder_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("below");
    std::fs::create_dir(&below).unwrap();
    std::fs::write(folder.path().join("outside.bin"), [0; 36]).unwrap();
    std::fs::write(below.join("a b.bin"), [0; 36]).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path().join("outside.bin"), below.join("link.bin")).unwrap();
    let open = |uri: &str| {
        let mut json = triangle().json;
        json["buffers"] = json!([{ "byteLength": 36, "uri": uri }]);
        read(&serde_json::to_vec(&json).unwrap(), Some(&below), &ImportOptions::default())
    };
    assert!(open("a%20b.bin").is_ok());
    let absolute = folder.path().join("outside.bin").display().to_string();
    for uri in ["../outside.bin", "link.bin", &absolute, "file:///etc/passwd", "http://localhost/a.bin"] {
        let error = open(uri).err().unwrap().to_string();
        assert!(error.contains("not opened"), "{uri}: {error}");
    }
    assert!(open("none.bin").err().unwrap().to_string().contains("no such file"));
}

/// Changes random bytes of the file.
fn damaged(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(out.len());
        match random.below(4) {
            0 => out[at] = random.below(256) as u8,
            1 => out[at] = b"0123456789-[]{}\","[random.below(17)],
            2 => out.truncate(at.max(20)),
            _ => {
                let digits = (at..out.len()).find(|at| out[*at].is_ascii_digit());
                digits.into_iter().for_each(|at| out[at] = b'0' + random.below(10) as u8);
            }
        }
    }
    out
}

fn survive(bytes: &[u8], folder: Option<&Path>) {
    if let Ok(read) = read(bytes, folder, &ImportOptions::default()) {
        // The scene can be written and read again.
        let text = js3d::write(&read.scene).unwrap();
        js3d::read(&text).unwrap();
    }
}

#[test]
fn damaged_files_never_panic() {
    let mutations = std::env::var("OSSATURE_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(50_000);
    let seeds = [triangle().glb(), super::characters::seed()];
    for number in 0..mutations {
        let mut random = Random::new(number);
        survive(&damaged(&seeds[number as usize % 2], &mut random), None);
    }
    for seed in &seeds {
        (0..seed.len()).for_each(|end| survive(&seed[..end], None));
    }
}

fn all_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.extension().and_then(|ending| ending.to_str()) {
            _ if path.is_dir() => all_below(&path, found),
            Some("gltf" | "glb") => found.push(path),
            _ => {}
        }
    }
}

#[test]
#[ignore = "reads public files: set OSSATURE_CORPUS to their folder"]
fn malformed_files_are_refused_or_read() {
    let mut files = Vec::new();
    all_below(&corpus_root().join("gltf"), &mut files);
    assert!(files.len() > 380);
    for path in &files {
        survive(&std::fs::read(path).unwrap(), path.parent());
    }
    let seeds: Vec<Vec<u8>> = files.iter().map(|path| std::fs::read(path).unwrap()).collect();
    let mutations = std::env::var("OSSATURE_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(2000u64);
    for number in 0..mutations {
        let mut random = Random::new(number);
        let seed = random.below(seeds.len());
        if (1..100_000).contains(&seeds[seed].len()) {
            survive(&damaged(&seeds[seed], &mut random), files[seed].parent());
        }
    }
}

/// Validator errors that do not affect the result: an empty list counts as missing; bounds of accessors are
/// not used; images are read with their surface; names, places and values of other extensions are
/// dropped with them; and maps that need tangents or more texture coordinates are not shown.
const WITHOUT_MEANING: [&str; 25] = [
    "TEXTURE_INVALID_IMAGE_MIME_TYPE",
    "EMPTY_ENTITY",
    "ACCESSOR_MIN_MISMATCH",
    "ACCESSOR_MAX_MISMATCH",
    "ACCESSOR_ELEMENT_OUT_OF_MIN_BOUND",
    "ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND",
    "MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS",
    "IMAGE_DATA_INVALID",
    "IMAGE_MIME_TYPE_INVALID",
    "IMAGE_NON_ENABLED_MIME_TYPE",
    "IMAGE_UNEXPECTED_EOS",
    "IO_ERROR",
    "INVALID_URI",
    "BUFFER_DATA_URI_MIME_TYPE_INVALID",
    "DUPLICATE_ELEMENTS",
    "UNDECLARED_EXTENSION",
    "NON_REQUIRED_EXTENSION",
    "UNEXPECTED_EXTENSION_OBJECT",
    "KHR_MATERIALS_VARIANTS_NON_UNIQUE_VARIANT",
    "TYPE_MISMATCH",
    "UNDEFINED_PROPERTY",
    "UNRESOLVED_REFERENCE",
    "UNSATISFIED_DEPENDENCY",
    "VALUE_NOT_IN_RANGE",
    "MESH_PRIMITIVE_NO_TANGENT_SPACE",
];
/// The same for dropped attributes, and for the numbers of meshes that no scene shows, which are not read.
const NOT_READ: [&str; 8] = [
    "MESH_PRIMITIVE_TOO_FEW_TEXCOORDS",
    "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_UNSIGNED_INT",
    "ACCESSOR_NON_CLAMPED",
    "ACCESSOR_INDEX_OOB",
    "ACCESSOR_INDEX_PRIMITIVE_RESTART",
    "ACCESSOR_INVALID_FLOAT",
    "ACCESSOR_VECTOR3_NON_UNIT",
    "ACCESSOR_INVALID_SIGN",
];

/// Whatever the validator calls an error is refused or reported, if it is in a part that is read. Most of its
/// assets have no mesh in their scene, so each gets a finding in any case.
#[test]
#[ignore = "reads public files: set OSSATURE_CORPUS to their folder"]
fn what_the_validator_finds_is_found() {
    let mut files = Vec::new();
    all_below(&corpus_root().join("gltf/validator"), &mut files);
    let (mut silent, mut errors, mut meaningless) = (Vec::new(), 0, 0);
    for path in &files {
        let mut name = path.clone().into_os_string();
        name.push(".report.json");
        let Ok(report) = std::fs::read(&name) else {
            continue;
        };
        let report: Value = serde_json::from_slice(&report).unwrap();
        if report["issues"]["numErrors"].as_u64().unwrap_or(0) == 0 {
            continue;
        }
        errors += 1;
        let Ok(read) = try_file(path) else { continue };
        assert!(!read.report.is_empty(), "{}", path.display());
        if read.report.findings.iter().any(|finding| finding.code != "shows-nothing") {
            continue;
        }
        let issues = report["issues"]["messages"].as_array().unwrap().iter();
        let codes = issues.filter(|of| of["severity"] == 0).filter_map(|of| of["code"].as_str());
        let codes: Vec<&str> =
            codes.filter(|code| !WITHOUT_MEANING.contains(code) && !NOT_READ.contains(code)).collect();
        meaningless += 1;
        if !codes.is_empty() {
            silent.push(format!("{}: {codes:?}", path.file_name().unwrap().display()));
        }
    }
    assert!(silent.is_empty(), "{} of {errors}: {silent:#?}", silent.len());
    assert_eq!((errors, meaningless), (243, 43));
}
