//! Small characters put together here, and Ossature's own exports.

use super::builder::Builder;
use super::has;
use glam::{EulerRot, Quat, Vec3};
use ossature::io::embedded_picture::decode_embedded;
use ossature::io::gltf::read::read;
use ossature::io::import::{ImportOptions, SceneImport};
use ossature::io::picture_files::PNG;
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluated, Evaluator, Settings};
use ossature::scene::resource::TextureKind;
use serde_json::{Value, json};
use std::f32::consts::PI;

/// Returns the columns of a matrix that moves by (0, y, 0).
fn raised(y: f32) -> [f32; 16] {
    glam::Mat4::from_translation(Vec3::Y * y).to_cols_array()
}

/// Returns a strip of four triangles along y on two joints of length 1, the second of which turns about z by
/// `turns` (degrees), one key per frame at 24 frames per second.
pub fn arm(turns: &[f32]) -> Builder {
    let mut b = Builder::new();
    let positions: Vec<f32> =
        (0..6).flat_map(|i| [if i % 2 == 0 { 0.0 } else { 0.1 }, (i / 2) as f32, 0.0]).collect();
    let position = b.floats("VEC3", &positions);
    let joints = b.shorts(
        "VEC4",
        &[[0u16, 0, 0, 0], [0; 4], [0, 1, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]].concat(),
    );
    let (one, half) = ([1.0f32, 0.0, 0.0, 0.0], [0.5f32, 0.5, 0.0, 0.0]);
    let weights = b.floats("VEC4", &[one, one, half, half, one, one].concat());
    let indices = b.shorts("SCALAR", &[0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5]);
    let inverse = b.floats("MAT4", &[raised(0.0), raised(-1.0)].concat());
    b.push("nodes", json!({ "name": "Arm", "mesh": 0, "skin": 0 }));
    b.push("nodes", json!({ "name": "lower", "translation": [0, 1, 0] }));
    b.push("nodes", json!({ "name": "upper", "children": [1] }));
    b.json["scenes"][0]["nodes"] = json!([0, 2]);
    b.push(
        "meshes",
        json!({ "primitives": [{
        "attributes": { "POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights }, "indices": indices
    }] }),
    );
    b.push("skins", json!({ "joints": [2, 1], "inverseBindMatrices": inverse }));
    if !turns.is_empty() {
        let times: Vec<f32> = (0..turns.len()).map(|i| i as f32 / 24.0).collect();
        let times = b.floats("SCALAR", &times);
        // Signs flip, as in real files.
        let turn = |(i, turn): (usize, &f32)| {
            let turn = Quat::from_rotation_z(turn.to_radians());
            (if i % 2 == 0 { turn } else { -turn }).to_array()
        };
        let values: Vec<f32> = turns.iter().enumerate().flat_map(turn).collect();
        let values = b.floats("VEC4", &values);
        b.push(
            "animations",
            json!({
                "name": "Wave",
                "samplers": [{ "input": times, "output": values }],
                "channels": [{ "sampler": 0, "target": { "node": 1, "path": "rotation" } }]
            }),
        );
    }
    b
}

/// Returns a file with most kinds of content.
pub fn seed() -> Vec<u8> {
    arm(&[0.0, 30.0, 10.0]).glb()
}

pub fn of(builder: &Builder) -> SceneImport {
    read(&builder.glb(), None, &ImportOptions::default()).unwrap()
}

pub fn at(scene: &Scene, frame: f32) -> Evaluated {
    let settings = Settings { frame: Some(frame), ..Settings::default() };
    Evaluator::default().evaluate(scene, &settings)
}

#[test]
fn two_joints_are_two_bones_that_turn_as_the_file_says() {
    let turns: Vec<f32> = (0..=24).map(|i| (i as f32 * 0.15).sin() * 80.0).collect();
    let scene = of(&arm(&turns)).scene;
    let mesh = &scene.skinned_meshes["Arm"];
    let skeleton = &mesh.skeleton;
    let names: Vec<_> = (0..2).map(|bone| skeleton.bone_name(bone)).collect();
    assert_eq!((names, skeleton.bones.len()), (vec!["upper".into(), "lower".into()], 2));
    assert_eq!(skeleton.bones[0].extent, Vec3::Y);
    assert_eq!(skeleton.bones[1].extent, Vec3::Y, "up to the end of the surface");
    assert!(skeleton.bones.iter().all(|bone| bone.extra.get("rest").is_none()));
    assert_eq!(mesh.weights.row(2), (&[0, 1][..], &[0.5, 0.5][..]));
    let (clip, take) = (scene.animation.clip, &scene.animation.takes.list[0]);
    assert_eq!((clip.rate, &*take.name, take.range), (24.0, "Wave", [0, 24]));
    for (frame, turn) in turns.iter().enumerate() {
        let evaluated = at(&scene, frame as f32);
        let posed = &evaluated.skinned["Arm"].positions;
        let expected = Vec3::Y + Quat::from_rotation_z(turn.to_radians()) * Vec3::Y;
        assert!(posed[4].distance(expected) < 2.1e-4, "{frame}: {} {expected}", posed[4]);
    }
    let channels = &scene.animation.channels["Arm"];
    assert_eq!(channels.keys().collect::<Vec<_>>(), ["bone.1.pose"]);
    assert!(channels["bone.1.pose"].times().len() <= 25);
}

/// Row 18.
#[test]
fn two_whole_turns_with_flipping_signs_are_two_whole_turns() {
    let turns: Vec<f32> = (0..=72).map(|i| i as f32 * 10.0).collect();
    let scene = of(&arm(&turns)).scene;
    let angle = |frame: f32| at(&scene, frame).skinned["Arm"].skeleton.bones[1].pose_deg.z;
    for frame in 0..=144 {
        let frame = frame as f32 / 2.0;
        assert!((angle(frame) - frame * 10.0).abs() < 0.3, "{frame}: {}", angle(frame));
    }
}

/// Row 18.
#[test]
fn through_a_quarter_turn_about_y_the_steps_are_the_true_ones() {
    let mut b = arm(&[0.0; 25]);
    // Turns about y and x together, through the singularity of the angles.
    let turns: Vec<Quat> =
        (0..=24).map(|i| Quat::from_euler(EulerRot::ZYX, 0.2, i as f32 / 24.0 * PI, 0.3)).collect();
    let values: Vec<f32> = turns.iter().flat_map(|turn| turn.to_array()).collect();
    let output = b.floats("VEC4", &values);
    b.json["animations"][0]["samplers"][0]["output"] = json!(output);
    let scene = of(&b).scene;
    let turn = |frame: f32| {
        let matrix = at(&scene, frame).skinned["Arm"].current[1].matrix3;
        glam::DQuat::from_mat3(&matrix).as_quat()
    };
    for (frame, expected) in turns.iter().enumerate().take(25) {
        assert!(turn(frame as f32).angle_between(*expected).to_degrees() < 0.26, "{frame}");
        let step = turn(frame as f32).angle_between(turn(frame as f32 + 0.5)).to_degrees();
        assert!(frame == 24 || (2.0..6.0).contains(&step), "{frame}: {step}");
    }
}

/// Row 19: four frame rates, and a first key at the second frame, as Blender writes it.
#[test]
fn rates_are_found_and_several_animations_follow_each_other() {
    for rate in [24.0f32, 25.0, 30.0, 60.0] {
        let mut b = arm(&[0.0, 30.0, 10.0]);
        let times: Vec<f32> = [1.0, 2.0, 4.0].iter().map(|frame| frame / rate).collect();
        let input = b.floats("SCALAR", &times);
        b.json["animations"][0]["samplers"][0]["input"] = json!(input);
        let again = b.json["animations"][0].clone();
        b.push("animations", again);
        let animation = of(&b).scene.animation;
        assert_eq!(animation.clip.rate, rate);
        let takes: Vec<_> = animation.takes.list.iter().map(|take| (&*take.name, take.range)).collect();
        assert_eq!(takes, [("Wave", [0, 3]), ("Wave 2", [14, 17])]);
        assert_eq!(animation.clip.range, Some([0, 3]));
    }
    let b = arm(&[0.0, 30.0]);
    let one = ImportOptions { take: Some("Wave".into()), ..ImportOptions::default() };
    assert!(read(&b.glb(), None, &one).is_ok());
    let none = ImportOptions { take: Some("Walk".into()), ..ImportOptions::default() };
    let error = read(&b.glb(), None, &none).err().unwrap().to_string();
    assert!(error.contains("“Walk”") && error.contains("“Wave”"), "{error}");
}

/// Row 15.
#[test]
fn weights_of_every_kind_are_read_exactly() {
    let expected = of(&arm(&[])).scene.skinned_meshes["Arm"].weights.clone();
    let attributes = |b: &mut Builder, name: &str, accessor: usize| {
        b.json["meshes"][0]["primitives"][0]["attributes"][name] = json!(accessor);
    };
    // A second set with the other half of the split vertices' weights.
    let mut b = arm(&[]);
    let (one, half, none) = ([1.0f32, 0.0, 0.0, 0.0], [0.5f32, 0.0, 0.0, 0.0], [0.0f32; 4]);
    let first = b.floats("VEC4", &[one, one, half, half, one, one].concat());
    let second = b.floats("VEC4", &[none, none, half, half, none, none].concat());
    let joints = b.shorts("VEC4", &[1, 0, 0, 0].repeat(6));
    attributes(&mut b, "WEIGHTS_0", first);
    attributes(&mut b, "WEIGHTS_1", second);
    attributes(&mut b, "JOINTS_1", joints);
    assert_eq!(of(&b).scene.skinned_meshes["Arm"].weights, expected);
    // Bytes for joints; normalised bytes and shorts for weights, neither of which can hold one half exactly.
    for (component, most, width) in [(5121, 255.0f32, 1), (5123, 65535.0, 2)] {
        let mut b = arm(&[]);
        let rows = [one, one, [0.2, 0.8, 0.0, 0.0], [0.2, 0.8, 0.0, 0.0], one, one].concat();
        let bytes: Vec<u8> =
            rows.iter().flat_map(|w| (((w * most).round() as u32).to_le_bytes()[..width]).to_vec()).collect();
        let weights = b.accessor(&bytes, component, "VEC4", 6);
        b.json["accessors"][weights]["normalized"] = json!(true);
        let joints: Vec<u8> =
            [[0u8, 0, 0, 0], [0; 4], [0, 1, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]].concat();
        let joints = b.accessor(&joints, 5121, "VEC4", 6);
        attributes(&mut b, "WEIGHTS_0", weights);
        attributes(&mut b, "JOINTS_0", joints);
        let found = of(&b).scene.skinned_meshes["Arm"].weights.clone();
        let (bones, weights) = found.row(2);
        let exact = [0.2f32, 0.8].map(|w| (w * most).round() / most);
        assert_eq!((bones, weights), (&[0, 1][..], &exact[..]), "{component}");
    }
    // Sparse accessors, over a view and over zeros.
    let mut b = arm(&[]);
    let (at, values) = (b.view(&[2, 3]), b.view(bytemuck(&[0.25f32, 0.75, 0.0, 0.0, 0.25, 0.75, 0.0, 0.0])));
    let base = b.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"].as_u64().unwrap() as usize;
    b.json["accessors"][base]["sparse"] = json!({
        "count": 2, "indices": { "bufferView": at, "componentType": 5121 }, "values": { "bufferView": values }
    });
    let found = of(&b).scene.skinned_meshes["Arm"].weights.clone();
    assert_eq!(found.row(3), (&[0, 1][..], &[0.25, 0.75][..]));
    assert_eq!(found.row(4), expected.row(4));
    // Sums that are not 1.
    let mut b = arm(&[]);
    let rows = b.floats("VEC4", &[[0.25f32, 0.0, 0.0, 0.0]; 6].concat());
    attributes(&mut b, "WEIGHTS_0", rows);
    let read = of(&b);
    assert!(has(&read.report, "weights-not-normalized"));
    assert!(read.scene.skinned_meshes["Arm"].weights.sums().all(|sum| (sum - 1.0).abs() < 1e-6));
}

fn bytemuck(numbers: &[f32]) -> &'static [u8] {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>().leak()
}

#[test]
fn strips_and_fans_are_the_triangles_that_they_mean() {
    let faces = |mode: u32, indices: &[u16]| {
        let mut b = arm(&[]);
        let indices = b.shorts("SCALAR", indices);
        b.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
        b.json["meshes"][0]["primitives"][0]["mode"] = json!(mode);
        let scene = of(&b).scene;
        let surface = &scene.skinned_meshes["Arm"].surface;
        let polygons = ossature::mesh::soup::Polygons::new(surface);
        let turned = |face: &Vec<u32>| {
            let least = (0..3).min_by_key(|i| face[*i]).unwrap();
            [face[least], face[(least + 1) % 3], face[(least + 2) % 3]]
        };
        polygons.faces.iter().map(turned).collect::<Vec<_>>()
    };
    let plain = faces(4, &[0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5]);
    assert_eq!(faces(5, &[0, 1, 2, 3, 4, 5]), plain);
    assert_eq!(faces(5, &[0, 1, 2, 3, 3, 4, 5, 5]).len(), 3, "doubled corners lead on");
    assert_eq!(faces(6, &[0, 1, 3, 2]), [[0, 1, 3], [0, 3, 2]]);
}

/// Row 17.
#[test]
fn surfaces_that_exporters_cut_at_seams_are_closed_again() {
    // A cube of 24 corners; each face has its own.
    let mut b = Builder::new();
    let mut positions: Vec<f32> = Vec::new();
    let mut indices: Vec<u16> = Vec::new();
    for axis in 0..3 {
        for side in [0.0f32, 1.0] {
            let first = positions.len() as u16 / 3;
            for corner in [[0.0f32, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]] {
                let mut at = [0.0f32; 3];
                (at[axis], at[(axis + 1) % 3], at[(axis + 2) % 3]) = (side, corner[0], corner[1]);
                positions.extend(at);
            }
            let order: [u16; 6] = if side == 1.0 { [0, 1, 2, 0, 2, 3] } else { [0, 2, 1, 0, 3, 2] };
            indices.extend(order.map(|i| first + i));
        }
    }
    let (position, indices) = (b.floats("VEC3", &positions), b.shorts("SCALAR", &indices));
    b.push("nodes", json!({ "mesh": 0 }));
    b.push("meshes", json!({ "name": "Cube", "primitives": [{ "attributes": { "POSITION": position }, "indices": indices }] }));
    let read = of(&b);
    let surface = &read.scene.meshes["Cube"].surface;
    let statistics = ossature::mesh::statistics::Statistics::new(surface);
    assert_eq!((surface.vertex_count(), statistics.boundaries, statistics.faces), (8, 0, 12));
    assert!(!statistics.is_inside_out() && has(&read.report, "welded"));
    // A leaf with two sides, and a Möbius strip: reported, and still surfaces.
    let mut leaf = arm(&[]);
    let both = leaf.shorts("SCALAR", &[0, 1, 2, 0, 2, 1]);
    leaf.json["meshes"][0]["primitives"][0]["indices"] = json!(both);
    let surface = of(&leaf).scene.skinned_meshes["Arm"].surface.clone();
    let statistics = ossature::mesh::statistics::Statistics::new(&surface);
    assert_eq!((surface.vertex_count(), statistics.boundaries), (3, 0));
    let mut strip = Builder::new();
    let ring = |i: usize| {
        let turn = i as f32 / 8.0 * 2.0 * PI;
        let out = Vec3::new(turn.cos(), 0.0, turn.sin());
        let half = 0.3 * ((turn / 2.0).cos() * Vec3::Y + (turn / 2.0).sin() * out);
        [out + half, out - half]
    };
    let points: Vec<f32> = (0..8).flat_map(ring).flat_map(|point| point.to_array()).collect();
    let mut indices: Vec<u16> = Vec::new();
    for i in 0..8u16 {
        let (a, b) = (2 * i, 2 * i + 1);
        let (c, d) = if i == 7 { (1, 0) } else { (a + 2, a + 3) };
        indices.extend([a, b, c, c, b, d]);
    }
    let (position, indices) = (strip.floats("VEC3", &points), strip.shorts("SCALAR", &indices));
    strip.push("nodes", json!({ "mesh": 0 }));
    strip.push("meshes", json!({ "name": "Strip", "primitives": [{ "attributes": { "POSITION": position }, "indices": indices }] }));
    let read = of(&strip);
    assert!(has(&read.report, "one-sided"), "{:?}", read.report);
    assert_eq!(read.scene.meshes["Strip"].surface.face_boundaries().iter().filter(|b| !**b).count(), 16);
}

#[test]
fn images_are_found_written_or_missed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("skin.png"), b"\x89PNG\r\n\x1a\n").unwrap();
    let with = |image: Value| {
        let mut b = arm(&[]);
        b.push("images", image);
        b.push("textures", json!({ "source": 0 }));
        b.push(
            "materials",
            json!({ "name": "Skin", "pbrMetallicRoughness": {
            "baseColorTexture": { "index": 0 }, "baseColorFactor": [0.5, 1.0, 1.0, 1.0], "metallicFactor": 0.0
        } }),
        );
        b.json["meshes"][0]["primitives"][0]["material"] = json!(0);
        b.glb()
    };
    let read_in = |bytes: &[u8], without_images: bool| {
        let options = ImportOptions { without_images, ..ImportOptions::default() };
        read(bytes, Some(folder.path()), &options).unwrap()
    };
    let image = |read: &SceneImport| match &read.scene.textures["Skin color"].kind {
        TextureKind::Image { image, .. } => image.to_string(),
        other => panic!("{other:?}"),
    };
    let found = read_in(&with(json!({ "uri": "skin.png" })), false);
    assert_eq!(image(&found), "skin.png");
    assert!(format!("{:?}", found.scene.textures["Skin color"]).contains("factor"));
    assert!(!has(&found.report, "missing-image"));
    // An image that is missing, invalid or not looked up becomes a checker and is reported.
    std::fs::write(folder.path().join("not.png"), b"no picture").unwrap();
    for (uri, path) in
        [("sub/no%20ne.png", "sub/no ne.png"), ("../skin.png", "skin.png"), ("not.png", "not.png")]
    {
        let found = read_in(&with(json!({ "uri": uri })), false);
        assert!(has(&found.report, "missing-image"), "{uri}");
        assert_eq!(image(&found), path);
    }
    let data = with(json!({ "uri": "data:image/png;base64,iVBORw0KGgo=", "name": "a/b" }));
    let left = read_in(&data, true);
    assert!(has(&left.report, "embedded-images"));
    assert!(matches!(left.scene.textures["Skin color"].kind, TextureKind::Constant { .. }));
    let held = decode_embedded(&image(&read_in(&data, false))).unwrap().unwrap();
    assert_eq!((&*held.name, held.extension, &*held.bytes), ("a_b", "png", PNG));
    // Images that cannot be shown are preserved for other programs.
    let webp = with(json!({ "uri": "data:image/webp;base64,UklGRg==", "mimeType": "image/webp" }));
    let found = read_in(&webp, false);
    assert!(has(&found.report, "bad-image"));
    assert_eq!(decode_embedded(&image(&found)).unwrap().unwrap().extension, "webp");
}
