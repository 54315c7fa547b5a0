//! Members of our own, which Scotty3D ignores.

use super::{read, round_trip};
use crate::support::{EVERYTHING, everything, text};
use glam::{Quat, Vec3};
use ossature::io::js3d;
use ossature::rig::weights::method::Method;
use ossature::scene::Scene;
use serde_json::{Value, json};
use std::sync::Arc;

/// The method of calculating weights: a member of our own, unless it is by capsule radius.
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
    // Invalid values are not ours: they are reported and preserved.
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
        assert!(report.findings.iter().any(|f| f.code == "bad-weight-method"), "{odd}");
        assert_eq!(member(&round_trip(&scene)), odd);
    }
}

/// A bone that only carries the start of another: a member of our own, if it is true.
#[test]
fn links_are_remembered() {
    let mut scene = read(EVERYTHING);
    let skinned = Arc::make_mut(scene.skinned_meshes.get_mut("Skinned").unwrap());
    Arc::make_mut(&mut skinned.skeleton).bones[1].link = true;
    let written = round_trip(&scene);
    let value: Value = serde_json::from_slice(&written).unwrap();
    let bones = &value["scene"]["skinned_meshes"]["Skinned"]["skeleton"]["bones"];
    assert_eq!((&bones[0]["link"], &bones[1]["link"]), (&Value::Null, &json!(true)));
    assert!(read(&written).skinned_meshes["Skinned"].skeleton.bones[1].link);
    // Invalid values are not ours, and are preserved.
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

/// Our own members of a handle: written if they differ from the defaults, and preserved if invalid.
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
    let (said, report) = with(&[("name", json!("Reach")), ("chain", json!(3)), ("weight", json!(0.25))]);
    assert!(report.is_empty(), "{:?}", report.findings);
    let found = handle(&said);
    assert_eq!((found.name.as_deref(), found.chain, found.weight), (Some("Reach"), Some(3), 0.25));
    let again = js3d::read(&js3d::write(&said).unwrap()).unwrap().0;
    assert!(again == said);
    for bad in [("chain", json!(0)), ("chain", json!(1.5)), ("weight", json!(2)), ("weight", json!("x"))] {
        let (odd, report) = with(std::slice::from_ref(&bad));
        assert_eq!(report.findings[0].code, "bad-handle", "{bad:?}");
        let found = handle(&odd);
        assert_eq!((found.chain, found.weight), (None, 1.0), "{bad:?}");
        let written: Value = serde_json::from_slice(&js3d::write(&odd).unwrap()).unwrap();
        let kept = &written["scene"]["skinned_meshes"]["Skinned"]["skeleton"]["handles"][0][bad.0];
        assert!(kept == &bad.1, "{bad:?} is kept: {kept}");
    }
}

/// The settings of inverse kinematics: preserved by opening and saving, even if invalid or without effect.
#[test]
fn limits_tasks_and_priors_survive() {
    use ossature::rig::limits::Limits;
    type Members<'a> = &'a [(&'a str, Value)];
    let with = |bone: Members, handle: Members, skeleton: Members| {
        let mut document: Value = serde_json::from_slice(EVERYTHING).unwrap();
        let at = &mut document["scene"]["skinned_meshes"]["Skinned"]["skeleton"];
        bone.iter().for_each(|(name, value)| at["bones"][1][*name] = value.clone());
        handle.iter().for_each(|(name, value)| at["handles"][0][*name] = value.clone());
        skeleton.iter().for_each(|(name, value)| at[*name] = value.clone());
        let (scene, report) = js3d::read(&text(&document)).unwrap();
        let again: Value = serde_json::from_slice(&js3d::write(&scene).unwrap()).unwrap();
        let written = again["scene"]["skinned_meshes"]["Skinned"]["skeleton"].clone();
        for (written, members) in
            [(&written["bones"][1], bone), (&written["handles"][0], handle), (&written, skeleton)]
        {
            members.iter().for_each(|(name, value)| assert_eq!(&written[*name], value, "{name}"));
        }
        (scene.skinned_meshes["Skinned"].skeleton.clone(), report)
    };
    let (skeleton, report) = with(
        &[
            ("limits", json!([[-10, 120.5], null, [0, 0]])),
            ("stiffness", json!([0.5, 0, 1])),
            ("preferred", json!([20, 0, 0])),
        ],
        &[
            ("orientation", json!([0, 0, 0, 1])),
            ("orientation_weight", json!(0.5)),
            ("pole", json!({"point": [1, 2, 3], "weight": 0.25})),
            ("look_at", json!({"axis": [0, 0, 1]})),
            ("pinned", json!(true)),
        ],
        &[("root_free", json!(true)), ("balance", json!(false)), ("ik_prior", json!(1e-6))],
    );
    assert!(report.is_empty(), "{:?}", report.findings);
    let (bone, handle) = (&skeleton.bones[1], &skeleton.handles[0]);
    assert_eq!(bone.limits_deg, Limits([Some([-10.0, 120.5]), None, Some([0.0, 0.0])]));
    assert_eq!((bone.stiffness, bone.preferred_deg), (Vec3::new(0.5, 0.0, 1.0), Some(Vec3::X * 20.0)));
    assert_eq!(handle.orientation.map(|o| (o.rotation, o.weight)), Some((Quat::IDENTITY, 0.5)));
    assert_eq!(handle.pole.map(|pole| (pole.point, pole.weight)), Some((Vec3::new(1.0, 2.0, 3.0), 0.25)));
    assert_eq!(handle.look_at.map(|look| (look.axis, look.weight)), Some((Vec3::Z, 1.0)));
    assert_eq!(
        (handle.pinned, skeleton.root_free, skeleton.balance, skeleton.ik_prior),
        (true, true, false, 1e-6)
    );
    // Settings without effect cause no finding and stay.
    let (plain, report) = with(
        &[("limits", json!([null, null, null]))],
        &[("weight", json!(1.0))],
        &[("root_free", json!(false)), ("balance", json!(true))],
    );
    assert!(report.is_empty() && plain.balance && plain.bones[1].limits_deg.is_free());
    for (bone, handle, skeleton) in [
        (&[("limits", json!([[5.0, -5.0], null, null]))][..], &[][..], &[][..]),
        (&[("limits", json!([[0.0, 1.0]]))], &[], &[]),
        (&[("stiffness", json!([2.0, 0.0, 0.0]))], &[], &[]),
        (&[("preferred", json!("bent"))], &[], &[]),
        (&[], &[("orientation", json!([0.0, 0.0, 0.0, 0.0]))], &[]),
        (&[], &[("pole", json!({"point": [1.0, 2.0]}))], &[]),
        (&[], &[("pole", json!({"point": [1.0, 2.0, 3.0], "color": 1}))], &[]),
        (&[], &[("look_at", json!({"axis": [0.0, 0.0, 0.0]}))], &[]),
        (&[], &[("pinned", json!(1))], &[]),
        (&[], &[], &[("root_free", json!("yes"))]),
        (&[], &[], &[("balance", json!("yes"))]),
        (&[], &[], &[("ik_prior", json!(0.5))]),
    ] {
        let (_, report) = with(bone, handle, skeleton);
        let codes: Vec<_> = report.findings.iter().map(|finding| finding.code).collect();
        assert!(codes == ["bad-joint"] || codes == ["bad-handle"], "{codes:?}");
    }
}
