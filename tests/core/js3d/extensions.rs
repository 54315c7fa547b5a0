//! Members of our own, which Scotty3D ignores.

use super::{read, round_trip};
use crate::support::{EVERYTHING, everything, text};
use ossature::io::js3d::{self};
use ossature::rig::weights::method::Method;
use ossature::scene::Scene;
use serde_json::{Value, json};
use std::sync::Arc;

/// How weights are calculated: a member of our own, where it is not by capsule radius.
#[test]
fn the_method_of_weights_is_remembered() {
    let method = |scene: &Scene| scene.skinned_meshes["Skinned"].weight_method;
    let member = |bytes: &[u8]| {
        let value: Value = serde_json::from_slice(bytes).unwrap();
        value["scene"]["skinned_meshes"]["Skinned"]["weight_method"].clone()
    };
    let mut scene = read(EVERYTHING);
    assert_eq!(method(&scene), Method::CAPSULE, "none is stored");
    for (stored, text) in [
        (Method::CAPSULE, Value::Null),
        (Method::heat(Some(4)), json!({ "name": "heat", "largest": 4 })),
        (Method::heat(None), json!({ "name": "heat" })),
        (Method::INVERSE_DISTANCE, json!({ "name": "inverse-distance" })),
        (Method::power(2.1), json!({ "name": "power", "exponent": 2.1 })),
        (Method::tube(0.5), json!({ "name": "tube", "exponent": 0.5 })),
    ] {
        let skinned = Arc::make_mut(scene.skinned_meshes.get_mut("Skinned").unwrap());
        skinned.weight_method = stored;
        let written = round_trip(&scene);
        assert_eq!(member(&written), text);
        assert_eq!(method(&read(&written)), stored);
    }
    // What it cannot be is not ours: told, and kept.
    for odd in [
        json!("heat"),
        json!({}),
        json!({ "name": "bounded" }),
        json!({ "name": "heat", "largest": 0 }),
        json!({ "name": "heat", "largest": 2.5 }),
        json!({ "name": "heat", "sharp": true }),
        json!({ "name": "power" }),
        json!({ "name": "power", "exponent": 40 }),
    ] {
        let mut document = everything();
        document["scene"]["skinned_meshes"]["Skinned"]["weight_method"] = odd.clone();
        let (scene, report) = js3d::read(&text(&document)).unwrap();
        assert_eq!(method(&scene), Method::CAPSULE, "{odd}");
        assert!(
            report.findings.iter().any(|f| f.code == "bad-weight-method"),
            "{odd}"
        );
        assert_eq!(member(&round_trip(&scene)), odd);
    }
}

/// A bone that only carries another one's start: a member of our own, where it is true.
#[test]
fn links_are_remembered() {
    let mut scene = read(EVERYTHING);
    let skinned = Arc::make_mut(scene.skinned_meshes.get_mut("Skinned").unwrap());
    Arc::make_mut(&mut skinned.skeleton).bones[1].link = true;
    let written = round_trip(&scene);
    let value: Value = serde_json::from_slice(&written).unwrap();
    let bones = &value["scene"]["skinned_meshes"]["Skinned"]["skeleton"]["bones"];
    assert_eq!(
        (&bones[0]["link"], &bones[1]["link"]),
        (&Value::Null, &json!(true))
    );
    assert!(read(&written).skinned_meshes["Skinned"].skeleton.bones[1].link);
    // What it cannot be is not ours, and kept.
    for odd in [json!(false), json!(1), json!("yes")] {
        let mut document = everything();
        document["scene"]["skinned_meshes"]["Skinned"]["skeleton"]["bones"][1]["link"] = odd.clone();
        let (scene, _) = js3d::read(&text(&document)).unwrap();
        assert!(!scene.skinned_meshes["Skinned"].skeleton.bones[1].link);
        let value: Value = serde_json::from_slice(&round_trip(&scene)).unwrap();
        let bones = &value["scene"]["skinned_meshes"]["Skinned"]["skeleton"]["bones"];
        assert_eq!(bones[1]["link"], odd);
    }
}

/// Members of our own in a handle: written where they say something, and kept if they make no sense.
#[test]
fn handles_have_names_chains_and_weights() {
    let scene = read(EVERYTHING);
    let with = |members: &[(&str, Value)]| {
        let mut document: Value = serde_json::from_slice(EVERYTHING).unwrap();
        let handle = &mut document["scene"]["skinned_meshes"]["Skinned"]["skeleton"]["handles"][0];
        for (name, value) in members {
            handle[*name] = value.clone();
        }
        js3d::read(&text(&document)).unwrap()
    };
    let handle = |scene: &Scene| scene.skinned_meshes["Skinned"].skeleton.handles[0].clone();
    let plain = handle(&scene);
    assert_eq!((plain.name, plain.chain, plain.weight), (None, None, 1.0));
    let (said, report) = with(&[
        ("name", json!("Reach")),
        ("chain", json!(3)),
        ("weight", json!(0.25)),
    ]);
    assert!(report.is_empty(), "{:?}", report.findings);
    let found = handle(&said);
    assert_eq!(
        (found.name.as_deref(), found.chain, found.weight),
        (Some("Reach"), Some(3), 0.25)
    );
    let again = js3d::read(&js3d::write(&said).unwrap()).unwrap().0;
    assert!(again == said);
    for bad in [
        ("chain", json!(0)),
        ("chain", json!(1.5)),
        ("weight", json!(2)),
        ("weight", json!("x")),
    ] {
        let (odd, report) = with(std::slice::from_ref(&bad));
        assert_eq!(report.findings[0].code, "bad-handle", "{bad:?}");
        let found = handle(&odd);
        assert_eq!((found.chain, found.weight), (None, 1.0), "{bad:?}");
        let written: Value = serde_json::from_slice(&js3d::write(&odd).unwrap()).unwrap();
        let kept = &written["scene"]["skinned_meshes"]["Skinned"]["skeleton"]["handles"][0][bad.0];
        assert!(kept == &bad.1, "{bad:?} is kept: {kept}");
    }
}
