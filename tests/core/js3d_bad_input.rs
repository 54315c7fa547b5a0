//! Malformed js3d files: what is repaired, with which finding, and what is refused. The cases follow section
//! 10 of the format: what Scotty3D does with such input.

use crate::support::bad::{changed, refused, refuses, repaired, repairs};
use crate::support::{EVERYTHING, everything, text};
use ossature::extra::Value as Kept;
use ossature::io::js3d::{self, ReadError};
use ossature::scene::resource::{DeltaLightKind, EnvLightKind, MaterialKind, TextureKind};
use serde_json::{Value, json};

/// Asserts that text is refused as JSON at a place, with a word of the message.
fn no_json(bytes: &[u8], place: usize, word: &str) {
    match js3d::read(bytes) {
        Err(error @ ReadError::Syntax { offset, line, column, .. }) => {
            assert_eq!(offset, place, "{error}");
            let before = &bytes[..offset];
            let lines = before.iter().filter(|byte| **byte == b'\n').count();
            assert_eq!(line, lines + 1, "{error}");
            let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            assert_eq!(column, offset - line_start + 1, "{error}");
            assert!(error.to_string().contains(word), "{error}");
        }
        other => panic!("{word}: {:?}", other.map(|(_, report)| report)),
    }
}

/// Entries that are not objects are repaired up to a limit, since each takes the memory of a whole object.
#[test]
fn what_is_mostly_damage_is_refused() {
    let with = |count: usize, entry: Value| {
        let mut document = everything();
        let meshes = document["scene"]["skinned_meshes"].as_object_mut().unwrap();
        let skinned = meshes.values_mut().next().unwrap();
        skinned["skeleton"]["handles"] = Value::Array(vec![entry; count]);
        js3d::read(&text(&document))
    };
    assert!(with(60_000, json!(1)).is_ok());
    assert!(with(60_000, json!({})).is_ok());
    for damage in [with(70_000, json!(1)), with(600_000, json!({}))] {
        let error = damage.unwrap_err().to_string();
        assert!(error.contains("more to repair than to read"), "{error}");
        assert!(error.contains("/handles/"), "{error}");
    }
}

#[test]
fn what_is_no_json_is_refused_with_its_place() {
    no_json(b"", 0, "empty");
    no_json(b" \n ", 3, "empty");
    no_json(b"{\"scene\":{}", 11, "ends in the middle");
    no_json(b"s3d\0\x01\x02", 0, "binary form");
    no_json(b"\xff\xfe{\0}\0", 0, "UTF-16");
    no_json(b"glTF\x02\0\0\0", 0, "binary glTF");
    no_json(b"Kaydara FBX Binary  \0", 0, "FBX");
    no_json(b"{\"scene\":{\"a\":tru}}", 17, "expected true, false or null");
    no_json(b"{\"scene\":{}} x", 13, "follows the end");
    no_json(b"{\"scene\":{},}", 12, "not valid JSON");
    no_json(b"{\n\"scene\":{\"a\":-1e999}}", 20, "too large");
    for word in ["NaN", "nan", "inf", "Infinity", "-Infinity", "-inf"] {
        let text = format!("{{\"scene\":\n{{\"a\":{word}}}}}");
        let error = js3d::read(text.as_bytes()).unwrap_err();
        assert!(error.to_string().contains("NaN and infinity are not numbers"), "{word}: {error}");
        let ReadError::Syntax { line, column, .. } = error else { panic!("{error}") };
        assert!(line == 2 && (6..=8).contains(&column), "{word}: {line}:{column}");
    }
    // Offsets refer to the file, even where a copy had to be repaired to read on.
    no_json(b"{\"a\x01b\":1,\"\xe9\":oops}", 13, "not valid JSON");
    no_json(b"\xef\xbb\xbf{\"a\":oops}", 8, "not valid JSON");
}

#[test]
fn nesting_is_refused() {
    for open in ["[", "{\"a\":"] {
        for count in [200, 1_000_000] {
            let error = js3d::read(format!("{{\"x\":{}", open.repeat(count)).as_bytes()).unwrap_err();
            assert!(error.to_string().contains("128 deep"), "{error}");
        }
    }
    let deep = format!("{{\"x\":{}{}, \"scene\":{{}}}}", "[".repeat(100), "]".repeat(100));
    assert!(js3d::read(deep.as_bytes()).is_ok());
}

#[test]
fn more_values_than_memory_are_refused() {
    let text = [b"{\"x\":[", "{},".repeat(1_100_000).as_bytes()].concat();
    let error = js3d::read(&text).unwrap_err();
    assert!(error.to_string().contains("more values"), "{error}");
}

#[test]
fn text_that_scotty3d_accepts_is_repaired() {
    let with = |name: &[u8]| {
        let text = String::from_utf8(EVERYTHING.to_vec()).unwrap();
        let (before, after) = text.split_once("\"Ball\":").unwrap();
        [before.as_bytes(), b"\"", name, b"\":", after.as_bytes()].concat()
    };
    let read = |name: &[u8]| {
        let (scene, report) = js3d::read(&with(name)).unwrap();
        let found: Vec<&str> = report.findings.iter().map(|finding| finding.code).collect();
        (scene.shapes.keys().next().unwrap().clone(), found[0].to_owned())
    };
    assert_eq!(read(b"a\tb"), ("a\tb".to_owned(), "raw-control-character".to_owned()));
    assert_eq!(read(b"caf\xe9"), ("café".to_owned(), "invalid-utf8".to_owned()));
    assert_eq!(read(br"\ud83d!"), ("\u{fffd}!".to_owned(), "invalid-utf8".to_owned()));
    assert_eq!(read(b"\xed\xa0\xbd\xed\xb8\x80"), ("\u{1f600}".to_owned(), "invalid-utf8".to_owned()));
    repaired(&[b"\xef\xbb\xbf", EVERYTHING].concat(), "byte-order-mark", "");
}

#[test]
fn whole_documents() {
    for root in ["[]", "null", "1", "\"scene\""] {
        refused(root.as_bytes(), "");
    }
    refuses("/animator", json!([]));
    refuses("/animator", json!(null));
    let scene = repaired(&changed("/animator", None), "missing-member", "/animator");
    assert!(scene.animation.channels.is_empty());
    let mut document = everything();
    document["animator"]["splines"] = json!({});
    document.as_object_mut().unwrap().remove("scene");
    repaired(&text(&document), "missing-member", "/scene");
    document["scene"] = json!(3);
    repaired(&text(&document), "not-an-object", "/scene");
}

#[test]
fn scalars_of_the_wrong_type_are_refused() {
    let wrong = |kind: &'static str| {
        let all = [json!(null), json!(true), json!(1), json!("1"), json!([1]), json!({})];
        all.into_iter().filter(move |value| match kind {
            "number" => !value.is_number(),
            "boolean" => !value.is_boolean(),
            _ => !value.is_string(),
        })
    };
    let bone = "/scene/skinned_meshes/Skinned/skeleton/bones/0";
    let cases = [
        ("/scene/cameras/Camera/vertical_fov", "number"),
        ("/scene/cameras/Camera/film.width", "number"),
        ("/scene/cameras/Camera/film.sample_pattern", "text"),
        ("/scene/transforms/Root/scale/2", "number"),
        ("/scene/transforms/Root/rotation/3", "number"),
        ("/scene/shapes/Ball/type", "text"),
        ("/scene/textures/Picture/sampler", "text"),
        ("/scene/textures/Picture/image", "text"),
        ("/scene/particles/Sparks/particles/0/age", "number"),
        ("/scene/instances/shapes/Ball instance/visible", "boolean"),
        ("/scene/instances/shapes/Ball instance/draw style", "text"),
        (&format!("{bone}/extent/1"), "number"),
        (&format!("{bone}/parent"), "number"),
        ("/scene/skinned_meshes/Skinned/skeleton/handles/0/enabled", "boolean"),
        ("/animator/splines/Child/rotation/type", "text"),
        ("/animator/splines/Child/rotation/knots/1/0", "number"),
        ("/animator/splines/Skinned/handle.3.enabled/knots/1", "boolean"),
    ];
    for (at, kind) in cases {
        for value in wrong(kind) {
            let message = refuses(at, value);
            assert!(message.contains("expected"), "{message}");
        }
    }
}

#[test]
fn numbers_beyond_f32_are_refused() {
    for value in [json!(1e39), json!(-3.5e38), json!(1e308)] {
        refuses("/scene/transforms/Root/translation/0", value.clone());
        refuses("/scene/shapes/Ball/radius", value.clone());
        refuses("/animator/splines/Child/translation/knots/2", value.clone());
        refuses("/animator/splines/Child/translation/knots/3/1", value);
    }
    refuses("/scene/skinned_meshes/Skinned/skeleton/bones/0/radius", json!(-0.5));
}

#[test]
fn vectors_of_the_wrong_shape_become_zero() {
    for value in [json!([1, 1]), json!([]), json!(1), json!(null), json!({}), json!([1, 1, 1, 1])] {
        let scene = repairs("/scene/transforms/Root/scale", value, "bad-vector");
        assert_eq!(scene.transforms["Root"].scale, glam::Vec3::ZERO, "not the default, as in Scotty3D");
    }
    let scene = repairs("/scene/transforms/Root/rotation", json!([0, 0, 1]), "bad-vector");
    assert_eq!(scene.transforms["Root"].rotation, glam::Quat::IDENTITY);
    repairs("/scene/transforms/Root/rotation", json!([0, 0, 0, 2]), "rotation-not-unit");
}

/// Messages never print “inf” for a large number in the file.
#[test]
fn findings_name_large_numbers() {
    let found = |at: &str, value: Value| {
        let (_, report) = js3d::read(&changed(at, Some(value))).unwrap();
        report.findings[0].text.clone()
    };
    let length = found("/scene/transforms/Root/rotation", json!([3e38, 3e38, 0, 0]));
    assert!(length.contains("has length 42426"), "{length}");
    let part = found("/scene/skinned_meshes/Skinned/dual_quaternions", json!(1e300));
    assert!(part.contains("not 1e300"), "{part}");
}

#[test]
fn missing_members_get_their_defaults() {
    let scene = repaired(
        &changed("/scene/cameras/Camera/film.samples", None),
        "missing-member",
        "/scene/cameras/Camera/film.samples",
    );
    assert_eq!(scene.cameras["Camera"].film.samples, 256);
    let at = "/scene/particles/Sparks/seed";
    assert_eq!(repaired(&changed(at, None), "missing-member", at).particles["Sparks"].seed, 826_366_246);
    let at = "/scene/textures/Grey/color";
    let scene = repaired(&changed(at, None), "missing-member", at);
    let TextureKind::Constant { color, .. } = scene.textures["Grey"].kind else { panic!("constant") };
    assert_eq!(color.x, 0.75);
    let at = "/scene/instances/particles/Sparks instance/wireframe";
    assert!(
        !repaired(&changed(at, None), "missing-member", at).instances.particles["Sparks instance"].wireframe
    );
    let at = "/scene/skinned_meshes/Skinned/skeleton/bones/1/parent";
    let scene = repaired(&changed(at, None), "missing-member", at);
    assert_eq!(scene.skinned_meshes["Skinned"].skeleton.bones[1].parent, None);
    for at in ["/scene/FORMAT", "/animator/FORMAT", "/scene/meshes/Empty/FORMAT", "/scene/instances/cameras"]
    {
        repaired(&changed(at, None), "missing-member", at);
    }
}

/// Reading them as an empty scene would let a save overwrite them.
#[test]
fn other_kinds_of_files_are_no_scenes() {
    let gltf = br#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}]}"#;
    let message = refused(gltf, "");
    assert!(
        message.contains("looks like glTF") && message.contains("ossature convert FILE.glb SCENE.js3d"),
        "{message}"
    );
    for other in ["{}", r#"{"name":"package","version":"1.0.0"}"#, r#"{"scene":[],"animator":null}"#] {
        assert!(refused(other.as_bytes(), "").contains("without the members scene and animator"));
    }
}

#[test]
fn sections_and_resources_of_the_wrong_type_are_empty() {
    let scene = repairs("/scene/shapes/Ball", json!([]), "not-an-object");
    assert_eq!(scene.shapes["Ball"].radius, 1.0);
    let scene = repairs("/scene/instances/delta_lights", json!(1), "not-an-object");
    assert!(scene.instances.delta_lights.is_empty());
    let scene = repairs("/scene/particles/Sparks/particles", json!({}), "not-an-array");
    assert!(scene.particles["Sparks"].particles.is_empty());
    let scene = repairs("/scene/particles/Sparks/particles/0", json!("x"), "not-an-object");
    assert_eq!(scene.particles["Sparks"].particles.len(), 1);
    repairs("/animator/splines", json!([]), "not-an-object");
    repairs("/animator/splines/Child", json!([]), "not-an-object");
}

#[test]
fn unknown_choices_become_the_first() {
    let at = "/scene/instances/shapes/Ball instance/draw style";
    let scene = repairs(at, json!("correct"), "unknown-choice");
    assert_eq!(scene.instances.shapes["Ball instance"].settings.draw_style, "Wireframe");
    let scene = repairs("/scene/delta_lights/Sun/type", json!("Area"), "unknown-type");
    assert_eq!(scene.delta_lights["Sun"].kind, DeltaLightKind::Point);
    // Members of an unknown kind are preserved.
    let (scene, _) = js3d::read(&changed("/scene/delta_lights/Stage/type", Some(json!("Area")))).unwrap();
    assert_eq!(scene.delta_lights["Stage"].extra.get("inner_angle"), Some(&Kept::Unsigned(20)));
    let mut document = everything();
    document["scene"]["textures"]["Grey"]["type"] = json!("Noise");
    document["animator"]["splines"].as_object_mut().unwrap().remove("Grey");
    let (scene, report) = js3d::read(&text(&document)).unwrap();
    assert!(matches!(scene.textures["Grey"].kind, TextureKind::Image { .. }), "{report:?}");
}

/// A missing `type` gives the default kind, which for textures is not the first one.
#[test]
fn missing_types_become_the_default() {
    let without = |at: &str| repaired(&changed(at, None), "missing-member", at);
    let scene = without("/scene/textures/Grey/type");
    assert!(matches!(scene.textures["Grey"].kind, TextureKind::Constant { scale: 1.0, .. }));
    let scene = without("/scene/materials/Matte/type");
    let albedo = Some("Picture".to_owned());
    assert_eq!(scene.materials["Matte"].kind, MaterialKind::Lambertian { albedo });
    let scene = without("/scene/delta_lights/Sun/type");
    assert_eq!(scene.delta_lights["Sun"].kind, DeltaLightKind::Point);
    let scene = without("/scene/env_lights/Sky/type");
    assert_eq!(scene.env_lights["Sky"].kind, EnvLightKind::Hemisphere);
    assert_eq!(without("/scene/shapes/Ball/type").shapes["Ball"].radius, 0.75);
}

#[test]
fn references_to_nothing_become_null() {
    let at = "/scene/materials/Matte/albedo";
    assert_eq!(repairs_to_note(at, json!("Gone"), "dangling-reference"), json!(null));
    assert_eq!(repairs_to_note(at, json!(7), "bad-reference"), json!(null));
    repairs(at, json!(null), "null-reference");
    assert_eq!(
        repairs_to_note(
            "/scene/instances/meshes/Triangle instance/transform",
            json!("Ball"),
            "dangling-reference"
        ),
        json!(null)
    );
    let scene = repairs("/scene/transforms/Child/parent", json!("Gone"), "dangling-reference");
    assert_eq!(scene.transforms["Child"].parent, None);
}

/// Returns the value that is written after a repair with one finding.
fn repairs_to_note(at: &str, value: Value, code: &str) -> Value {
    let scene = repaired(&changed(at, Some(value)), code, at);
    let written: Value = serde_json::from_slice(&js3d::write(&scene).unwrap()).unwrap();
    written.pointer(at).unwrap().clone()
}

#[test]
fn parent_cycles_are_refused() {
    refuses("/scene/transforms/Root/parent", json!("Root"));
    let mut document = everything();
    document["scene"]["transforms"]["Root"]["parent"] = json!("Child");
    let message = refused(&text(&document), "/scene/transforms/Child/parent");
    assert!(message.contains("its own ancestor"), "{message}");
}

#[test]
fn equal_names_and_members() {
    let mut document = everything();
    document["scene"]["materials"]["Mirror instance"] = json!({"type": "Mirror", "reflectance": "Grey"});
    document["scene"]["shapes"]["Mirror instance"] = json!({"type": "Sphere", "radius": 1});
    repaired(&text(&document), "duplicate-name", "/scene");

    let twice = String::from_utf8(EVERYTHING.to_vec()).unwrap();
    let twice = twice.replace("\"radius\":0.75", "\"radius\":[],\"radius\":0.75");
    let scene = repaired(twice.as_bytes(), "duplicate-member", "/scene/shapes/Ball/radius");
    assert_eq!(scene.shapes["Ball"].radius, 0.75);
}

#[test]
fn unsigned_numbers_are_rounded_and_clamped() {
    let at = "/scene/cameras/Camera/film.width";
    for (value, expected) in
        [(json!(-1), 0), (json!(1.5), 2), (json!(1e10), u32::MAX), (json!(5e9), u32::MAX)]
    {
        let scene = repairs(at, value, "number-not-unsigned");
        assert_eq!(scene.cameras["Camera"].film.width, expected);
    }
}

#[test]
fn formats_are_read_as_if_right() {
    for at in ["/scene/FORMAT", "/animator/FORMAT", "/scene/meshes/Triangle/FORMAT"] {
        repairs(at, json!("js3d-v2"), "unknown-format");
        repairs(at, json!(1), "unknown-format");
    }
}

#[test]
fn findings_do_not_flood() {
    let mut document = everything();
    let cameras = document["scene"]["cameras"].as_object_mut().unwrap();
    cameras.extend((0..1000).map(|i| (format!("camera {i}"), json!({}))));
    let (_, report) = js3d::read(&text(&document)).unwrap();
    assert_eq!(report.findings.len(), 101);
    assert!(report.findings[100].text.contains("10900 more"), "{}", report.findings[100]);
}
