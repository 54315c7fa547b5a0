//! js3d files that are not as they should be: what is repaired, with which finding, and what is refused.
//! The cases follow section 10 of the format: what Scotty3D does with such input.

mod support;

use ossature::io::js3d::{self, ReadError};
use ossature::io::report::{Report, Severity};
use ossature::scene::Scene;
use ossature::scene::resource::{DeltaLightKind, TextureKind};
use serde_json::{Value, json};
use support::{EVERYTHING, everything, text};

/// The scene with `value` put at a pointer; a `null` of Rust takes the member away.
fn changed(at: &str, value: Option<Value>) -> Vec<u8> {
    let mut document = everything();
    let (parent, name) = at.rsplit_once('/').unwrap();
    let name = name.replace("~1", "/").replace("~0", "~");
    match (document.pointer_mut(parent).unwrap(), value) {
        (Value::Object(members), Some(value)) => drop(members.insert(name, value)),
        (Value::Object(members), None) => drop(members.remove(&name).expect("the member was there")),
        (Value::Array(items), Some(value)) => items[name.parse::<usize>().unwrap()] = value,
        (Value::Array(items), None) => drop(items.remove(name.parse().unwrap())),
        _ => panic!("{parent} has no members"),
    }
    text(&document)
}

/// Reads a file that must be repaired: exactly one finding, with this code, at this place.
fn repaired(bytes: &[u8], code: &str, at: &str) -> Scene {
    let (scene, report) = js3d::read(bytes).unwrap_or_else(|error| panic!("{code}: {error}"));
    let found: Vec<(&str, &str)> = report.findings.iter().map(|f| (f.code, &*f.at)).collect();
    assert_eq!(found, [(code, at)], "{report:#?}");
    // What was repaired can be written, and is whole from then on (or still only odd).
    let written = js3d::write(&scene).unwrap();
    let (again, report) = js3d::read(&written).unwrap();
    assert!(again == scene, "{code}");
    assert!(report.findings.iter().all(|finding| finding.severity != Severity::Warning), "{report:#?}");
    scene
}

fn repairs(at: &str, value: Value, code: &str) -> Scene {
    repaired(&changed(at, Some(value)), code, at)
}

/// Refuses a file: the place, and a message that says what is wrong and ends with what to do.
fn refused(bytes: &[u8], at: &str) -> String {
    let error = js3d::read(bytes).map(|(_, report)| report).expect_err("refused");
    let ReadError::Value { at: found, hint, .. } = &error else { panic!("{error}") };
    assert_eq!(found, at, "{error}");
    let message = error.to_string();
    assert!(hint.len() > 20 && message.ends_with('.'), "{message}");
    message
}

fn refuses(at: &str, value: Value) -> String {
    refused(&changed(at, Some(value)), at)
}

/// Refuses text that is not JSON: where, and a word of the message.
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

#[test]
fn what_is_no_json_is_refused_with_its_place() {
    no_json(b"", 0, "empty");
    no_json(b" \n ", 3, "empty");
    no_json(b"{\"scene\":{}", 11, "ends in the middle");
    no_json(b"s3d\0\x01\x02", 0, "binary form");
    no_json(b"\xff\xfe{\0}\0", 0, "UTF-16");
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
    // Offsets are those of the file, also where a copy had to be repaired to get further.
    no_json(b"{\"a\x01b\":1,\"\xe9\":oops}", 14, "not valid JSON");
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
    let mut text = b"{\"x\":[0".to_vec();
    text.resize(40 << 20, b'0');
    for i in (7..text.len()).step_by(2) {
        text[i] = b',';
    }
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

#[test]
fn missing_members_get_their_defaults() {
    let scene = repaired(&changed("/scene/cameras/Camera/film.samples", None), "missing-member", "/scene/cameras/Camera/film.samples");
    assert_eq!(scene.cameras["Camera"].film.samples, 256);
    let at = "/scene/particles/Sparks/seed";
    assert_eq!(repaired(&changed(at, None), "missing-member", at).particles["Sparks"].seed, 826_366_246);
    let at = "/scene/textures/Grey/color";
    let scene = repaired(&changed(at, None), "missing-member", at);
    let TextureKind::Constant { color, .. } = scene.textures["Grey"].kind else { panic!("constant") };
    assert_eq!(color.x, 0.75);
    let at = "/scene/instances/particles/Sparks instance/wireframe";
    assert!(!repaired(&changed(at, None), "missing-member", at).instances.particles["Sparks instance"].wireframe);
    let at = "/scene/skinned_meshes/Skinned/skeleton/bones/1/parent";
    let scene = repaired(&changed(at, None), "missing-member", at);
    assert_eq!(scene.skinned_meshes["Skinned"].skeleton.bones[1].parent, None);
    for at in ["/scene/FORMAT", "/animator/FORMAT", "/scene/meshes/Empty/FORMAT", "/scene/instances/cameras"] {
        repaired(&changed(at, None), "missing-member", at);
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
    let scene = repairs("/scene/delta_lights/Stage/type", json!("Area"), "unknown-type");
    assert_eq!(scene.delta_lights["Stage"].kind, DeltaLightKind::Point);
    assert_eq!(scene.delta_lights["Stage"].extra.get("inner_angle"), Some(&json!(20)), "kept for the day");
    let mut document = everything();
    document["scene"]["textures"]["Grey"]["type"] = json!("Noise");
    document["animator"]["splines"].as_object_mut().unwrap().remove("Grey");
    let (scene, report) = js3d::read(&text(&document)).unwrap();
    assert!(matches!(scene.textures["Grey"].kind, TextureKind::Image { .. }), "{report:?}");
}

#[test]
fn references_to_nothing_become_null() {
    let at = "/scene/materials/Matte/albedo";
    assert_eq!(repairs_to_note(at, json!("Gone"), "dangling-reference"), json!(null));
    assert_eq!(repairs_to_note(at, json!(7), "bad-reference"), json!(null));
    repairs(at, json!(null), "null-reference");
    assert_eq!(repairs_to_note("/scene/instances/meshes/Triangle instance/transform", json!("Ball"), "dangling-reference"), json!(null));
    let scene = repairs("/scene/transforms/Child/parent", json!("Gone"), "dangling-reference");
    assert_eq!(scene.transforms["Child"].parent, None);
}

/// One finding, and the value that is then written.
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
    for (value, expected) in [(json!(-1), 0), (json!(1.5), 2), (json!(1e10), u32::MAX), (json!(5e9), u32::MAX)] {
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
fn images() {
    let at = "/scene/textures/Picture/image";
    for bad in ["hdr64:", "hdr64:AAAA", "hdr64:cmF3Zv////////////8", "hdr64:cmF3ZgAAAAAAAAAA=="] {
        let bytes = changed(at, Some(json!(bad)));
        let scene = repaired(&bytes, "bad-image", at);
        let TextureKind::Image { image, .. } = &scene.textures["Picture"].kind else { panic!("image") };
        assert_eq!(&**image, "hdr64:cmF3ZgAAAAAAAAAA");
    }
    let mut document = everything();
    *document.pointer_mut(at).unwrap() = json!("hdr64:cmF3ZgAAAAAAAAAA");
    document["scene"]["textures"]["Picture"]["sampler"] = json!("trilinear");
    repaired(&text(&document), "empty-trilinear-image", "/scene/textures/Picture/sampler");
    // A path is kept and not opened.
    let (scene, report) = js3d::read(&changed(at, Some(json!("../../etc/passwd")))).unwrap();
    assert!(report.is_empty());
    let TextureKind::Image { image, .. } = &scene.textures["Picture"].kind else { panic!("image") };
    assert_eq!(&**image, "../../etc/passwd");
}

#[test]
fn skeletons() {
    let skeleton = "/scene/skinned_meshes/Skinned/skeleton";
    for parent in [1, 2, 4_294_967_294_u32] {
        let scene = repairs(&format!("{skeleton}/bones/1/parent"), json!(parent), "parent-not-before-child");
        assert_eq!(scene.skinned_meshes["Skinned"].skeleton.bones[1].parent, None);
    }
    for bone in [2, u32::MAX] {
        let scene = repairs(&format!("{skeleton}/handles/0/bone"), json!(bone), "handle-bone-out-of-range");
        assert_eq!(scene.skinned_meshes["Skinned"].skeleton.handles[0].bone, 0);
    }
    let (scene, report) = js3d::read(&changed(&format!("{skeleton}/bones"), Some(json!([])))).unwrap();
    assert!(scene.skinned_meshes["Skinned"].skeleton.handles.is_empty());
    assert!(scene.skinned_meshes["Skinned"].weights.bones.is_empty());
    let codes: Vec<&str> = report.findings.iter().map(|finding| finding.code).collect();
    let expected = ["handles-without-bones", "bone-out-of-range", "channel-without-target", "channel-without-target"];
    assert_eq!(codes, expected);
    let mut document = everything();
    document["scene"]["skinned_meshes"]["Skinned"]["skeleton"]["bones"][1]["channel_id"] = json!(4);
    repaired(&text(&document), "duplicate-channel-id", &format!("{skeleton}/bones"));
    // A name that is no text is somebody else's member.
    let (scene, _) = js3d::read(&changed(&format!("{skeleton}/bones/0/name"), Some(json!(5)))).unwrap();
    let bone = &scene.skinned_meshes["Skinned"].skeleton.bones[0];
    assert_eq!((&bone.name, bone.extra.get("name")), (&None, Some(&json!(5))));
}

#[test]
fn splines() {
    let at = "/animator/splines/Child/translation";
    let knots = format!("{at}/knots");
    let times = |scene: &Scene| match &*scene.animation.channels["Child"]["translation"] {
        ossature::anim::channel::Channel::Vec3(spline) => {
            spline.knots.iter().map(|(time, value)| (*time, value.x)).collect::<Vec<_>>()
        }
        other => panic!("{other:?}"),
    };
    let unit = |x: f32| json!([x, 0, 0]);
    let scene = repairs(&knots, json!([2, unit(2.0), 1, unit(1.0)]), "unsorted-knots");
    assert_eq!(times(&scene), [(1.0, 1.0), (2.0, 2.0)]);
    let scene = repairs(&knots, json!([1, unit(1.0), 1, unit(2.0)]), "duplicate-knot");
    assert_eq!(times(&scene), [(1.0, 1.0)], "the first counts");
    let scene = repairs(&knots, json!([1, unit(1.0), 2]), "knot-without-value");
    assert_eq!(times(&scene), [(1.0, 1.0)]);
    let scene = repairs(&knots, json!(["1", unit(1.0), 2, unit(2.0), 3, [1, 2], 4, 5]), "bad-knot");
    assert_eq!(times(&scene), [(2.0, 2.0)]);
    let scene = repairs(at, json!("x"), "bad-spline");
    assert!(!scene.animation.channels["Child"].contains_key("translation"));
    let scene = repairs(at, json!({"knots": []}), "bad-spline");
    assert!(!scene.animation.channels["Child"].contains_key("translation"));
    repairs(at, json!({"type": "Vec5", "knots": []}), "unreadable-spline");
    repairs(at, json!({"type": "Vec3", "knots": {}}), "unreadable-spline");
    repairs(at, json!({"type": "Vec3"}), "unreadable-spline");
    repairs(at, json!({"type": "float", "knots": []}), "channel-type-mismatch");
    repairs("/animator/splines/Child/shear", json!({"type": "float", "knots": [0, 1]}), "channel-without-target");
}

#[test]
fn meshes_that_scotty3d_would_show_empty_are_refused() {
    let at = "/scene/meshes/Triangle";
    let blob = |numbers: &[u32]| json!(support::blob("uint32:", numbers));
    let cases = [
        ("halfedge_nexts", blob(&[2, 5, 4, 1, 0])),
        ("halfedge_nexts", blob(&[2, 5, 4, 1, 0, 6])),
        ("halfedge_nexts", blob(&[2, 5, 4, 1, 0, 1])),
        ("halfedge_nexts", json!("uint32:!")),
        ("vertex_halfedges", blob(&[0, 2, 6])),
        ("vertex_halfedges", blob(&[0, 2, 2])),
        ("vertex_halfedges", blob(&[0, 2])),
        ("vertex_halfedges", json!(1)),
        ("face_halfedges", blob(&[0, 0xffff_ffff])),
        ("face_halfedges", blob(&[0, 2])),
        ("face_halfedges", blob(&[0])),
        ("face_boundaries", json!("bool:4A")),
        ("vertex_positions", json!("vec3:AADAfwAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA")),
    ];
    for (member, value) in cases {
        let message = refused(&changed(&format!("{at}/{member}"), Some(value)), at);
        assert!(message.contains("mesh is not valid"), "{member}: {message}");
    }
    for value in [json!(null), json!([]), json!("mesh")] {
        refuses(at, value.clone());
        refuses("/scene/skinned_meshes/Skinned/mesh", value);
    }
}

#[test]
fn mesh_arrays_are_cut_and_filled() {
    let at = "/scene/meshes/Triangle";
    let mesh = |scene: &Scene| scene.meshes["Triangle"].surface.positions().to_vec();
    let scene = repairs_array(&format!("{at}/vertex_positions"), json!("vec3:AACAPwAAAAAAAAAA"), &["wrong-array-length"]);
    assert_eq!(mesh(&scene), [glam::Vec3::X, glam::Vec3::ZERO, glam::Vec3::ZERO]);
    for (member, value) in [
        ("halfedge_corner_uvs", json!("vec2:")),
        ("halfedge_corner_normals", json!("vec3:AACAPwAAAAAAAAAA")),
        ("edge_sharps", json!("bool:gA")),
        ("edge_sharps", json!("bool:AIA")),
    ] {
        repairs_array(&format!("{at}/{member}"), value, &["wrong-array-length"]);
    }
    repairs_array(&format!("{at}/vertex_positions"), json!("vec3:AA=="), &["bad-blob", "wrong-array-length"]);
    repairs_array(&format!("{at}/vertex_positions"), json!("vec2:"), &["bad-blob", "wrong-array-length"]);
    let (_, report) = js3d::read(&changed(&format!("{at}/edge_sharps"), None)).unwrap();
    assert_eq!(codes(&report), ["missing-member", "wrong-array-length"]);
    repairs(&format!("{at}/note"), json!("mine"), "unknown-mesh-member");
}

fn codes(report: &Report) -> Vec<&'static str> {
    report.findings.iter().map(|finding| finding.code).collect()
}

fn repairs_array(at: &str, value: Value, expected: &[&str]) -> Scene {
    let (scene, report) = js3d::read(&changed(at, Some(value))).unwrap();
    assert_eq!(codes(&report), expected, "{report:#?}");
    assert!(report.findings.iter().all(|finding| finding.at == at), "{report:#?}");
    let (again, report) = js3d::read(&js3d::write(&scene).unwrap()).unwrap();
    assert!(again == scene && report.is_empty());
    scene
}

#[test]
fn weights_are_cut_and_filled() {
    let at = "/scene/skinned_meshes/Skinned/mesh";
    let ends = format!("{at}/vertex_bone_weight_ends");
    let bones = format!("{at}/bone_weight_bones");
    let values = format!("{at}/bone_weight_weights");
    let blob = |numbers: &[u32]| json!(support::blob("uint32:", numbers));
    let floats = |numbers: &[f32]| json!(support::blob("float:", &numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>()));
    let read = |at: &str, value: Value| {
        let (scene, report) = js3d::read(&changed(at, Some(value))).unwrap();
        js3d::read(&js3d::write(&scene).unwrap()).map(|(again, _)| assert!(again == scene)).unwrap();
        let weights = &scene.skinned_meshes["Skinned"].weights;
        let rows: Vec<Vec<(u16, f32)>> = (0..3).map(|v| weights.of(v).collect()).collect();
        (rows, codes(&report))
    };
    let (a, b, c) = (vec![(0, 1.0)], vec![(0, 0.25), (1, 0.75)], vec![(1, 1.0)]);

    let (rows, codes) = read(&bones, blob(&[0, 0, 2, 0x1_0001]));
    assert_eq!(rows, [a.clone(), vec![(0, 0.25)], vec![]]);
    assert_eq!(codes, ["bone-out-of-range"]);

    // Ends too short: filled with the last. Too long: cut, and with them the weights.
    let (rows, codes) = read(&ends, blob(&[1, 4]));
    assert_eq!(rows, [a.clone(), vec![(0, 0.25), (1, 0.75), (1, 1.0)], vec![]]);
    assert_eq!(codes, ["wrong-array-length", "weights-not-normalised"]);
    let (rows, codes) = read(&ends, blob(&[1, 3, 3, 4]));
    assert_eq!(rows, [a.clone(), b.clone(), vec![]]);
    assert_eq!(codes, ["wrong-array-length"; 3]);

    // A range that runs backwards costs the vertex its weights, and takes from no other.
    let (rows, codes) = read(&ends, blob(&[3, 1, 4]));
    assert_eq!((rows[1].len(), rows[2].len()), (0, 0));
    assert!(codes.contains(&"bad-weight-range"), "{codes:?}");
    let (rows, codes) = read(&ends, blob(&[1, 9, 4]));
    assert_eq!(rows, [a.clone(), vec![], vec![]]);
    assert_eq!(codes, ["bad-weight-range"]);

    // Claims of more weights than there are: Scotty3D fills up with weights of 0.
    let (rows, codes) = read(&ends, blob(&[1, 3, u32::MAX]));
    assert_eq!(rows, [a.clone(), b.clone(), c.clone()]);
    assert_eq!(codes, ["wrong-array-length"; 2]);
    let (rows, codes) = read(&bones, blob(&[0, 0]));
    assert_eq!(rows, [a.clone(), vec![(0, 0.25), (0, 0.75)], vec![(0, 1.0)]]);
    assert_eq!(codes, ["wrong-array-length"]);

    let (rows, codes) = read(&values, floats(&[1.0, 1.25, -0.25, 1.0]));
    assert_eq!(rows[1], [(0, 1.25), (1, -0.25)]);
    assert_eq!(codes, ["negative-weight"]);
    let (_, codes) = read(&values, floats(&[1.0, 0.25, 0.25, 1.0]));
    assert_eq!(codes, ["weights-not-normalised"]);
    for bad in [f32::NAN, f32::INFINITY] {
        refused(&changed(&values, Some(floats(&[1.0, bad, 0.5, 1.0]))), &values);
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
