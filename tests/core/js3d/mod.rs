//! js3d files: what is read is written back, unknown members included.
#![allow(clippy::print_stdout)]

mod extensions;

use crate::support::{EVERYTHING, corpus, everything, filed, media, objects, text};
use ossature::extra::Value as Kept;
use ossature::io::js3d::{self, ReadError, WriteError};
use ossature::io::limits;
use ossature::rig::weights::VertexWeights;
use ossature::rig::weights::bind_snapshot::BindSnapshot;
use ossature::scene::Scene;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;

fn read(bytes: &[u8]) -> Scene {
    let (scene, report) = js3d::read(bytes).expect("readable");
    assert!(report.is_empty(), "{:#?}", report.findings);
    scene
}

/// Writes, reads and writes the scene again, checks that nothing changes, and returns the text.
fn round_trip(scene: &Scene) -> Vec<u8> {
    let first = js3d::write(scene).expect("writable");
    let (again, _) = js3d::read(&first).expect("readable again");
    assert!(filed(&again) == filed(scene), "a written scene reads back the same");
    assert!(js3d::write(&again).expect("writable again") == first, "the text is stable");
    first
}

#[test]
fn our_own_text_is_written_byte_for_byte() {
    let scene = read(EVERYTHING);
    let written = round_trip(&scene);
    assert_eq!(String::from_utf8(written).unwrap(), String::from_utf8(EVERYTHING.to_vec()).unwrap());
}

/// Spot checks of where members go, against the text of the fixture.
#[test]
fn members_mean_what_they_say() {
    let scene = read(EVERYTHING);
    let child = &scene.transforms["Child"];
    assert_eq!(child.parent.as_deref(), Some("Root"));
    assert_eq!(child.rotation.y, 0.707_106_77);
    assert_eq!(child.translation.z, 0.1);
    assert_eq!(scene.cameras["Camera"].film.samples, 32);
    let skinned = &scene.skinned_meshes["Skinned"];
    assert_eq!(skinned.surface.vertex_count(), 3);
    assert_eq!(skinned.surface.face_count(), 2);
    assert_eq!(skinned.weights.influences(1).collect::<Vec<_>>(), [(0, 0.25), (1, 0.75)]);
    let [hip, knee] = &skinned.skeleton.bones[..] else { panic!("two bones") };
    assert_eq!((hip.name.as_deref(), hip.parent, hip.roll_deg), (Some("Hip"), None, 15.0));
    assert_eq!((&knee.name, knee.parent, knee.channel_id), (&None, Some(0), 9));
    assert_eq!(skinned.skeleton.base_offset.y, -1e-7);
    assert!(skinned.skeleton.handles[0].enabled);
    assert!(!scene.instances.meshes["Triangle instance"].settings.collides);
    assert_eq!(scene.animation.channels["Child"].len(), 2);
}

#[test]
fn scenes_of_the_repository_come_back() {
    come_back(&media());
}

#[test]
#[ignore = "reads public files: set OSSATURE_CORPUS to their folder"]
fn public_scenes_come_back() {
    come_back(&corpus("js3d", "js3d"));
}

/// Checks that each file is read without findings and written with the same text except for the spelling of
/// numbers. The results stay in the target folder, for other programs to compare.
fn come_back(paths: &[PathBuf]) {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("js3d");
    std::fs::create_dir_all(&folder).unwrap();
    for path in paths {
        let bytes = std::fs::read(path).unwrap();
        let scene = read(&bytes);
        let written = round_trip(&scene);
        std::fs::write(folder.join(path.file_name().unwrap()), &written).unwrap();
        assert!(with_f32_numbers(&written) == with_f32_numbers(&bytes), "{}", path.display());
        assert!(js3d::read_file(path).unwrap().0 == scene);
    }
}

/// The text with every number replaced by the bits of its `f32`.
fn with_f32_numbers(text: &[u8]) -> String {
    let text = std::str::from_utf8(text).unwrap();
    let mut out = String::new();
    for (i, part) in text.split('"').enumerate() {
        // Odd parts are inside quotes (no name of the corpus has a quote or a backslash).
        if i % 2 == 1 {
            out += part;
            continue;
        }
        let mut rest = part;
        while let Some(start) = rest.find(|c: char| c == '-' || c.is_ascii_digit()) {
            let end = rest[start..].find(|c: char| !"+-.eE0123456789".contains(c));
            let end = end.map_or(rest.len(), |n| start + n);
            out += &rest[..start];
            let number = rest[start..end].parse::<f64>().unwrap() as f32;
            out += &format!("<{:08x}>", number.to_bits());
            rest = &rest[end..];
        }
        out += rest;
    }
    out
}

/// Puts `value` into every object of the format as an unknown member, and looks for it afterwards.
fn survives_everywhere(value: &Value) {
    let mut document = everything();
    let places = objects(&document);
    assert!(places.len() > 40, "{}", places.len());
    for at in &places {
        document.pointer_mut(at).unwrap()["x unknown/é"] = value.clone();
    }
    let (scene, report) = js3d::read(&text(&document)).unwrap();
    assert!(report.findings.iter().all(|finding| finding.code == "unknown-mesh-member"), "{report:?}");
    let written: Value = serde_json::from_slice(&round_trip(&scene)).unwrap();
    for at in &places {
        assert_eq!(written.pointer(at).unwrap().get("x unknown/é"), Some(value), "at {at}");
    }
}

#[test]
fn unknown_members_of_every_kind_survive_everywhere() {
    for value in [
        json!(null),
        json!(true),
        json!([]),
        json!({}),
        json!(""),
        json!("a \"quoted\" \\ text\n\u{0}\u{1f600}"),
        json!([1, [2, [3, {"deep": [null]}]]]),
        json!({"b": 1, "a": {"": []}}),
        json!(-0.0),
        json!(0.1),
        json!(1e300),
        json!(18_446_744_073_709_551_615_u64),
        json!(-9_223_372_036_854_775_808_i64),
    ] {
        survives_everywhere(&value);
    }
}

#[test]
#[ignore = "reads public files: set OSSATURE_CORPUS to their folder"]
fn every_value_of_the_json_suite_survives() {
    let mut count = 0;
    for path in corpus("json/test_parsing", "json") {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).unwrap();
        let document = js3d::read(&bytes);
        let mut member = br#"{"unknown":"#.to_vec();
        member.extend(&bytes);
        member.extend(br#","scene":{},"animator":{"FORMAT":"js3d-v1","splines":{}}}"#);
        let as_member = js3d::read(&member);
        match name.as_bytes()[0] {
            b'n' => assert!(document.is_err(), "{name}"),
            b'y' => {
                let expected: Value = serde_json::from_slice(&bytes).unwrap();
                let scene = as_member.unwrap_or_else(|error| panic!("{name}: {error}")).0;
                let written: Value = serde_json::from_slice(&round_trip(&scene)).unwrap();
                assert_eq!(written["unknown"], expected, "{name}");
                survives_everywhere(&expected);
                count += 1;
            }
            // Either is right, as long as it is a result.
            _ => {}
        }
    }
    println!("{count} accepted values survived");
}

#[test]
fn odd_names_are_names() {
    let long = "n".repeat(1_000_000);
    let names =
        ["", " ", "a/b~c", "../..", "\u{0}\u{1f}\u{7f}", "e\u{301}\u{202e}", "\u{1f9b4}", &long, "\"\\"];
    let mut document = everything();
    let transforms = document["scene"]["transforms"].as_object_mut().unwrap();
    let root = transforms["Root"].clone();
    for name in names {
        transforms.insert(name.to_owned(), root.clone());
        transforms.insert(format!("{name} child"), root.clone());
        transforms[&format!("{name} child")]["parent"] = json!(name);
    }
    let scene = read(&text(&document));
    for name in names {
        assert_eq!(scene.transforms[&format!("{name} child")].parent.as_deref(), Some(name));
    }
    round_trip(&scene);
}

/// A spline of an unknown type has no effect, and is still there after saving.
#[test]
fn splines_that_are_not_understood_are_kept() {
    let mut document = everything();
    let future = json!({"type": "Mat3", "knots": [0, [1, 2, 3]], "ease": "in"});
    document["animator"]["splines"]["Child"]["shear"] = future.clone();
    document["animator"]["splines"]["Nobody"] = json!({"x": {"type": "float", "knots": "none"}});
    document["animator"]["splines"]["Empty"] = json!({});
    let (scene, _) = js3d::read(&text(&document)).unwrap();
    assert!(!scene.animation.channels["Child"].contains_key("shear"));
    let written: Value = serde_json::from_slice(&round_trip(&scene)).unwrap();
    assert_eq!(written["animator"]["splines"]["Child"]["shear"], future);
    assert_eq!(written["animator"]["splines"], document["animator"]["splines"]);
}

/// The writer has the same limit as the reader: what costs one value too many is not written.
#[test]
fn what_could_not_be_read_again_is_not_written() {
    // Objects cost most, so that few are needed; single values make up the rest.
    let with = |cost: usize| {
        let (objects, values) = (cost / limits::OBJECT_COST, cost % limits::OBJECT_COST);
        let items = format!("[{}{}0]", "{},".repeat(objects), "0,".repeat(values));
        let text = String::from_utf8(EVERYTHING.to_vec()).unwrap();
        text.replacen("\"Ball\":{", &format!("\"Ball\":{{\"odd\":{items},"), 1)
    };
    let most = limits::JSON_COST - limits::json_cost(with(0).as_bytes());
    let mut scene = read(with(most).as_bytes());
    round_trip(&scene);
    assert!(js3d::read(with(most + 1).as_bytes()).is_err());
    let ball = Arc::make_mut(scene.shapes.get_mut("Ball").unwrap());
    ball.extra.set("one more", Kept::Null);
    let error = js3d::write(&scene).unwrap_err();
    assert!(matches!(error, WriteError::Limit(_)), "{error}");
    assert!(error.to_string().contains("16777216"), "{error}");
}

/// Objects within unknown members keep their order, at every depth, as do the members of the format.
#[test]
fn unknown_objects_keep_their_order() {
    let odd = r#"{"zebra":{"y":1,"x":[{"b":true,"a":null}]},"ant":-3,"1e2":1e+2}"#;
    let document = String::from_utf8(EVERYTHING.to_vec()).unwrap();
    let document = document.replacen("\"Ball\":{", &format!("\"Ball\":{{\"odd\":{odd},"), 1);
    let written = String::from_utf8(round_trip(&read(document.as_bytes()))).unwrap();
    let expected = odd.replace("1e+2", "100.0");
    assert!(written.contains(&format!("\"odd\":{expected}")), "{written}");
}

/// Members of a spline that was deleted do not come back as a broken spline.
#[test]
fn what_is_left_of_a_deleted_channel_is_not_written() {
    let mut document = everything();
    document["animator"]["splines"]["Stage"]["outer_angle"]["ease"] = json!("in");
    let mut scene = read(&text(&document));
    Arc::make_mut(&mut scene.animation).channels.remove("Stage");
    let written: Value = serde_json::from_slice(&js3d::write(&scene).unwrap()).unwrap();
    assert_eq!(written["animator"]["splines"].get("Stage"), None);
}

#[test]
fn known_members_win_over_unknown_ones_of_their_name() {
    let mut scene = read(EVERYTHING);
    let root = Arc::make_mut(scene.transforms.get_mut("Root").unwrap());
    root.extra.set("scale", Kept::Text("nonsense".into()));
    let written = js3d::write(&scene).unwrap();
    assert_eq!(written, EVERYTHING);
}

#[test]
fn numbers_that_are_not_finite_are_not_written() {
    let scene = read(EVERYTHING);
    let refused = |change: &dyn Fn(&mut Scene)| {
        let mut scene = scene.clone();
        change(&mut scene);
        match js3d::write(&scene) {
            Err(WriteError::NotFinite { pointer }) => pointer,
            other => panic!("{other:?}"),
        }
    };
    let at = refused(&|scene| Arc::make_mut(scene.transforms.get_mut("Root").unwrap()).scale.y = f32::NAN);
    assert_eq!(at, "/scene/transforms/Root/scale/1");
    let at =
        refused(&|scene| Arc::make_mut(scene.cameras.get_mut("Camera").unwrap()).focal_dist = f32::INFINITY);
    assert_eq!(at, "/scene/cameras/Camera/focal_dist");
    let at = refused(&|scene| {
        let skinned = Arc::make_mut(scene.skinned_meshes.get_mut("Skinned").unwrap());
        Arc::make_mut(&mut skinned.weights).weights[1] = f32::NAN;
    });
    assert_eq!(at, "/scene/skinned_meshes/Skinned/mesh/bone_weight_weights");
    let at = refused(&|scene| {
        let skinned = Arc::make_mut(scene.skinned_meshes.get_mut("Skinned").unwrap());
        Arc::make_mut(&mut skinned.skeleton).bones[1].pose_deg.x = f32::NEG_INFINITY;
    });
    assert_eq!(at, "/scene/skinned_meshes/Skinned/skeleton/bones/1/pose/0");
}

/// A chain of parents takes no stack and no more than linear time.
#[test]
fn long_chains_of_parents_are_read_and_written() {
    let count = 100_000;
    let mut document = r#"{"scene":{"transforms":{"#.to_owned();
    for i in 0..count {
        let parent = if i == 0 { "null".to_owned() } else { format!("\"{}\"", i - 1) };
        let comma = if i == 0 { "" } else { "," };
        document += &format!(
            r#"{comma}"{i}":{{"parent":{parent},"translation":[0,1,0],"rotation":[0,0,0,1],"scale":[1,1,1]}}"#
        );
    }
    document += r#"}},"animator":{}}"#;
    let (scene, _) = js3d::read(document.as_bytes()).unwrap();
    assert_eq!(scene.transforms.len(), count);
    round_trip(&scene);

    let document = document.replace(r#""parent":null"#, &format!(r#""parent":"{}""#, count - 1));
    let refused = js3d::read(document.as_bytes()).unwrap_err();
    assert!(refused.to_string().contains("its own ancestor"), "{refused}");
}

#[test]
fn files_that_are_no_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |path: &std::path::Path| match js3d::read_file(path) {
        Err(ReadError::File { problem, .. }) => problem,
        other => panic!("{other:?}"),
    };
    assert!(refused(folder.path()).contains("folder"));
    assert!(refused(&folder.path().join("missing.js3d")).contains("no such file"));
    #[cfg(unix)]
    {
        assert!(refused(std::path::Path::new("/dev/zero")).contains("device"));
        let pipe = folder.path().join("pipe.js3d");
        if std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()) {
            assert!(refused(&pipe).contains("pipe"));
        }
    }
    let sparse = folder.path().join("sparse.js3d");
    std::fs::File::create(&sparse).unwrap().set_len(limits::FILE_BYTES + 1).unwrap();
    assert!(refused(&sparse).contains("larger"));
}

/// Bones that have moved since the weights were calculated are a member of our own, if there are any.
#[test]
fn bones_that_moved_since_the_weights_are_remembered() {
    let moved = |scene: &Scene| {
        let skinned = &scene.skinned_meshes["Skinned"];
        skinned.bind_snapshot.moved(&skinned.skeleton)
    };
    let member = |bytes: &[u8]| {
        let value: Value = serde_json::from_slice(bytes).unwrap();
        value["scene"]["skinned_meshes"]["Skinned"]["bones_moved_since_weights"].clone()
    };
    let mut scene = read(EVERYTHING);
    assert_eq!(moved(&scene), [0; 0]);
    let skinned = Arc::make_mut(scene.skinned_meshes.get_mut("Skinned").unwrap());
    Arc::make_mut(&mut skinned.skeleton).bones[1].radius *= 2.0;
    let written = round_trip(&scene);
    assert_eq!(member(&written), json!([1]));
    let mut again = read(&written);
    assert_eq!(moved(&again), [1]);
    // Recalculating the weights clears it.
    let skinned = Arc::make_mut(again.skinned_meshes.get_mut("Skinned").unwrap());
    skinned.bind_snapshot = BindSnapshot::capture(&skinned.skeleton, skinned.weight_method);
    assert_eq!(member(&round_trip(&again)), Value::Null);
    // Without weights, nothing has moved since.
    let skinned = Arc::make_mut(scene.skinned_meshes.get_mut("Skinned").unwrap());
    skinned.weights = Arc::new(VertexWeights::none(skinned.surface.vertex_count()));
    assert_eq!(member(&round_trip(&scene)), Value::Null);
    // Invalid values are not ours, and are preserved.
    for odd in [json!([7]), json!("1"), json!([1, 0]), json!([0.5]), json!([]), json!([-1])] {
        let mut document = everything();
        document["scene"]["skinned_meshes"]["Skinned"]["bones_moved_since_weights"] = odd.clone();
        let (scene, _) = js3d::read(&text(&document)).unwrap();
        assert_eq!(moved(&scene), [0; 0], "{odd}");
        assert_eq!(member(&round_trip(&scene)), odd);
    }
}
