//! Damaged images, skeletons, splines and meshes in js3d files. The cases follow section 10 of the format.

use crate::support;

use crate::support::bad::{changed, refused, refuses, repaired, repairs};
use crate::support::{everything, text};
use ossature::extra::Value as Kept;
use ossature::io::js3d;
use ossature::io::report::{Report, Severity};
use ossature::scene::Scene;
use ossature::scene::resource::TextureKind;
use serde_json::{Value, json};

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
    // A path is stored and not opened.
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
    let expected =
        ["handles-without-bones", "bone-out-of-range", "channel-without-target", "channel-without-target"];
    assert_eq!(codes, expected);
    let mut document = everything();
    document["scene"]["skinned_meshes"]["Skinned"]["skeleton"]["bones"][1]["channel_id"] = json!(4);
    repaired(&text(&document), "duplicate-channel-id", &format!("{skeleton}/bones"));
    // A name that is not text is treated as a foreign member.
    let (scene, _) = js3d::read(&changed(&format!("{skeleton}/bones/0/name"), Some(json!(5)))).unwrap();
    let bone = &scene.skinned_meshes["Skinned"].skeleton.bones[0];
    assert_eq!((&bone.name, bone.extra.get("name")), (&None, Some(&Kept::Unsigned(5))));
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
    repairs(
        "/animator/splines/Child/shear",
        json!({"type": "float", "knots": [0, 1]}),
        "channel-without-target",
    );
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
    let scene = repairs_array(
        &format!("{at}/vertex_positions"),
        json!("vec3:AACAPwAAAAAAAAAA"),
        &["wrong-array-length"],
    );
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

/// A character that is not base64 costs only the entries that it is part of, with an error.
#[test]
fn damaged_characters_cost_single_entries() {
    let skinned = "/scene/skinned_meshes/Skinned/mesh";
    let mut document = everything();
    let positions = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
    let bits: Vec<u32> = positions.as_flattened().iter().map(|x: &f32| x.to_bits()).collect();
    let whole = support::blob("vec3:", &bits);
    // A character of the first vertex, and the last one, which belongs to the third.
    for (at, vertex, expected) in [(5, 0, [1.0, 2.0, 0.0]), (whole.len() - 1, 2, [1.0, 0.0, 0.0])] {
        let mut damaged = whole.clone().into_bytes();
        damaged[at] = b'*';
        *document.pointer_mut(&format!("{skinned}/vertex_positions")).unwrap() =
            json!(String::from_utf8(damaged).unwrap());
        let (scene, report) = js3d::read(&text(&document)).unwrap();
        let mut placed = positions;
        placed[vertex] = expected;
        let found = scene.skinned_meshes["Skinned"].surface.positions();
        assert_eq!(found, placed.map(glam::Vec3::from));
        let [finding] = &report.findings[..] else { panic!("{report:#?}") };
        assert_eq!((finding.code, finding.severity, finding.loss), ("bad-blob", Severity::Error, true));
        let words = format!("character {} of the array is damaged; entry {vertex} is lost", at + 1);
        assert!(finding.text.contains(&words), "{finding}");
        // The repaired scene is clean when read again.
        let (_, report) = js3d::read(&js3d::write(&scene).unwrap()).unwrap();
        assert!(report.is_empty());
    }
    // A pixel of an image.
    let at = "/scene/textures/Picture/image";
    let pixels = everything().pointer(at).and_then(Value::as_str).unwrap().to_owned();
    let mut damaged = pixels.clone();
    damaged.replace_range(30..31, "!");
    let (scene, report) = js3d::read(&changed(at, Some(json!(damaged)))).unwrap();
    let TextureKind::Image { image, .. } = &scene.textures["Picture"].kind else { panic!("image") };
    let mut mended = pixels;
    mended.replace_range(30..31, "A");
    assert_eq!(**image, mended);
    assert!(report.findings[0].loss && report.findings[0].code == "bad-image");
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
    let floats = |numbers: &[f32]| {
        json!(support::blob("float:", &numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>()))
    };
    let read = |at: &str, value: Value| {
        let (scene, report) = js3d::read(&changed(at, Some(value))).unwrap();
        js3d::read(&js3d::write(&scene).unwrap()).map(|(again, _)| assert!(again == scene)).unwrap();
        let weights = &scene.skinned_meshes["Skinned"].weights;
        let rows: Vec<Vec<(u16, f32)>> = (0..3).map(|v| weights.influences(v).collect()).collect();
        (rows, codes(&report))
    };
    let (a, b, c) = (vec![(0, 1.0)], vec![(0, 0.25), (1, 0.75)], vec![(1, 1.0)]);

    let (rows, codes) = read(&bones, blob(&[0, 0, 2, 0x1_0001]));
    assert_eq!(rows, [a.clone(), vec![(0, 0.25)], vec![]]);
    assert_eq!(codes, ["bone-out-of-range"]);

    // Short ends are filled with the last one; long ones are cut, with their weights.
    let (rows, codes) = read(&ends, blob(&[1, 4]));
    assert_eq!(rows, [a.clone(), vec![(0, 0.25), (1, 0.75), (1, 1.0)], vec![]]);
    assert_eq!(codes, ["wrong-array-length", "weights-not-normalised"]);
    let (rows, codes) = read(&ends, blob(&[1, 3, 3, 4]));
    assert_eq!(rows, [a.clone(), b.clone(), vec![]]);
    assert_eq!(codes, ["wrong-array-length"; 3]);

    // A backwards range costs the vertex its weights and takes none from others.
    let (rows, codes) = read(&ends, blob(&[3, 1, 4]));
    assert_eq!((rows[1].len(), rows[2].len()), (0, 0));
    assert!(codes.contains(&"bad-weight-range"), "{codes:?}");
    let (rows, codes) = read(&ends, blob(&[1, 9, 4]));
    assert_eq!(rows, [a.clone(), vec![], vec![]]);
    assert_eq!(codes, ["bad-weight-range"]);

    // Ends beyond the weights: Scotty3D fills up with weights of 0.
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
