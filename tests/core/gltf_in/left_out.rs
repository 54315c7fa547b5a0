//! What a file holds and a scene has no place for is a finding with a number, one row each; what has a place is kept.

use super::builder::Builder;
use super::characters::{arm, of};
use glam::Vec3;
use ossature::io::export::ExportOptions;
use ossature::io::gltf::{self, write};
use ossature::io::import::{ImportOptions, SceneImport};
use ossature::scene::Scene;
use serde_json::{Value, json};

/// A change to the JSON of an arm on two joints, and the code and the beginning of the text of what is found then.
type Row = (fn(&mut Builder), &'static str, &'static str);

fn extend(value: &mut Value, name: &str, extension: Value) {
    value["extensions"][name] = extension;
}

fn add_material(b: &mut Builder, material: Value) {
    let index = b.push("materials", material);
    b.json["meshes"][0]["primitives"][0]["material"] = json!(index);
}

fn add_node(b: &mut Builder, node: Value) -> usize {
    let index = b.push("nodes", node);
    b.json["scenes"][0]["nodes"].as_array_mut().unwrap().push(json!(index));
    index
}

/// Adds a triangle on a node of the scene.
fn add_triangle(b: &mut Builder, mut node: Value) -> usize {
    let position = b.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let primitives = json!([{ "attributes": { "POSITION": position } }]);
    node["mesh"] = json!(b.push("meshes", json!({ "name": "Triangle", "primitives": primitives })));
    add_node(b, node)
}

/// Adds an animation that turns a node as the first one turns its own.
fn turn(b: &mut Builder, node: usize) {
    let mut animation = b.json["animations"][0].clone();
    animation["name"] = json!("Turn");
    animation["channels"][0]["target"]["node"] = json!(node);
    b.push("animations", animation);
}

fn add_copies(b: &mut Builder) -> Value {
    let places = b.floats("VEC3", &[0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 4.0, 0.0, 0.0]);
    json!({ "EXT_mesh_gpu_instancing": { "attributes": { "TRANSLATION": places } } })
}

const ROWS: [Row; 25] = [
    (
        |b| extend(&mut b.json, "VRMC_vrm", json!({})),
        "left-out",
        "the extension VRMC_vrm, used in 1 place, is left out: human roles",
    ),
    (
        |b| {
            extend(&mut b.json["asset"], "KHR_xmp_json_ld", json!({ "packet": 0 }));
            extend(&mut b.json, "KHR_xmp_json_ld", json!({ "packets": [{}] }));
        },
        "left-out",
        "the extension KHR_xmp_json_ld, used in 1 place, is left out: facts",
    ),
    (
        |b| {
            extend(
                &mut b.json["meshes"][0]["primitives"][0],
                "KHR_materials_variants",
                json!({ "mappings": [] }),
            )
        },
        "left-out",
        "the extension KHR_materials_variants, used in 1 place",
    ),
    (
        |b| extend(&mut b.json["nodes"][1], "ACME_magic", json!({})),
        "left-out",
        "the extension ACME_magic, used in 1 place",
    ),
    (
        |b| b.json["extensionsRequired"] = json!(["KHR_xmp_json_ld"]),
        "left-out",
        "the extension KHR_xmp_json_ld, required by the file, is left out",
    ),
    (
        |b| add_material(b, json!({ "extensions": { "KHR_materials_clearcoat": { "clearcoatFactor": 1 } } })),
        "left-out",
        "the extension KHR_materials_clearcoat, used in 1 place, is left out: materials look plainer",
    ),
    (
        |b| add_material(b, json!({ "extensions": { "KHR_materials_unlit": {} } })),
        "left-out",
        "the extension KHR_materials_unlit, used in 1 place, is left out: these materials",
    ),
    (
        |b| add_material(b, json!({ "emissiveFactor": [0.5, 0.5, 0] })),
        "emission",
        "1 material also emits light",
    ),
    (
        |b| {
            add_material(
                b,
                json!({ "pbrMetallicRoughness": { "metallicFactor": 0.5, "roughnessFactor": 1 } }),
            )
        },
        "gloss",
        "1 material is partly metallic or glossy",
    ),
    (
        |b| {
            let extensions = json!({ "KHR_materials_transmission": { "transmissionFactor": 0.3 } });
            add_material(b, json!({ "extensions": extensions }));
        },
        "transmission",
        "1 material lets a part",
    ),
    (
        |b| {
            b.push("images", json!({ "uri": "skin.png" }));
            b.push("samplers", json!({ "wrapS": 33071 }));
            b.push("samplers", json!({ "wrapS": 10497 }));
            for sampler in [0, 0, 1] {
                b.push("textures", json!({ "source": 0, "sampler": sampler }));
            }
        },
        "texture-edges",
        "2 textures are clamped",
    ),
    (
        |b| {
            let lights = json!([{ "type": "point", "range": 10 }, { "type": "point" }]);
            extend(&mut b.json, "KHR_lights_punctual", json!({ "lights": lights }));
        },
        "light-range",
        "1 light has a range",
    ),
    (
        |b| {
            let perspective = json!({ "yfov": 0.7, "znear": 0.1, "zfar": 50 });
            b.push("cameras", json!({ "type": "perspective", "perspective": perspective }));
        },
        "far-plane",
        "1 camera has a far plane",
    ),
    (|b| b.json["asset"]["copyright"] = json!("(c)"), "copyright", "1 copyright notice"),
    (
        |b| {
            for place in ["asset", "scenes/0", "nodes/1", "meshes/0", "meshes/0/primitives/0", "skins/0"] {
                b.json.pointer_mut(&format!("/{place}")).unwrap()["extras"] = json!({ "tag": 1 });
            }
        },
        "extras",
        "custom properties (extras) in 6 places are left out",
    ),
    (
        |b| {
            let socket = b.push("nodes", json!({ "name": "Socket" }));
            b.json["nodes"][1]["children"] = json!([socket]);
        },
        "left-out",
        "1 empty node below a joint is left out, for example “Socket”",
    ),
    (
        |b| {
            let socket = b.push("nodes", json!({ "name": "Socket" }));
            b.json["nodes"][1]["children"] = json!([socket]);
            turn(b, socket);
        },
        "empty-animation",
        "the animation Turn moves nothing that is shown",
    ),
    (
        |b| {
            let late = b.floats("SCALAR", &[1.0, 1.5, 2.0]);
            b.json["animations"][0]["samplers"][0]["input"] = json!(late);
        },
        "late-start",
        "1 animation begins after 0 seconds (up to 1.000)",
    ),
    (
        |b| {
            let channel = b.json["animations"][0]["channels"][0].clone();
            b.json["animations"][0]["channels"].as_array_mut().unwrap().push(channel);
        },
        "repeated-channels",
        "1 channel whose property",
    ),
    (
        |b| {
            for list in ["meshes", "skins"] {
                b.json.as_object_mut().unwrap().remove(list);
            }
            b.json["nodes"][0] = json!({});
        },
        "no-skin",
        "the file has no skin: 2 nodes become a skeleton, since some move",
    ),
    (
        |b| {
            let copies = add_copies(b);
            b.json["nodes"][0]["extensions"] = copies;
        },
        "left-out",
        "3 copies of a mesh are left out",
    ),
    (
        |b| {
            let mesh = add_triangle(b, json!({}));
            b.json["scenes"][0]["nodes"] = json!([0, 2]);
            b.json["nodes"][1]["children"] = json!([mesh]);
            extend(&mut b.json["nodes"][mesh], "KHR_node_visibility", json!({ "visible": false }));
        },
        "hidden-parts",
        "1 mesh is hidden; as part of a surface",
    ),
    (
        |b| {
            let camera = json!({ "type": "perspective", "perspective": { "yfov": 0.7, "znear": 0.1 } });
            b.push("cameras", camera);
            b.push("nodes", json!({ "camera": 0 }));
        },
        "left-out",
        "1 mesh, camera or light is not in the scene",
    ),
    (
        |b| {
            b.push("images", json!({ "uri": "skin.webp" }));
            let texture = json!({ "extensions": { "EXT_texture_webp": { "source": 0 } } });
            b.push("textures", texture);
        },
        "left-out",
        "the extension EXT_texture_webp, used in 1 place",
    ),
    (
        |b| {
            let channel = json!({ "sampler": 0, "target": { "path": "pointer" } });
            b.json["animations"][0]["channels"].as_array_mut().unwrap().push(channel);
        },
        "left-out",
        "1 channel of an extension",
    ),
];

#[test]
fn what_has_no_place_is_found_with_its_number() {
    let plain = of(&arm(&[0.0, 30.0, 10.0])).report;
    assert!(plain.is_empty(), "{plain:?}");
    for (change, code, text) in ROWS {
        let mut b = arm(&[0.0, 30.0, 10.0]);
        change(&mut b);
        let read = of(&b);
        let found = &read.report.findings;
        assert!(
            found.iter().any(|found| found.code == code && found.text.starts_with(text)),
            "{text}: {found:?}"
        );
    }
}

fn read(change: impl FnOnce(&mut Builder)) -> SceneImport {
    let mut b = arm(&[0.0, 30.0, 10.0]);
    change(&mut b);
    of(&b)
}

/// Every copy of a mesh is an instance, also if the extension is required; below a joint all are part of the surface.
#[test]
fn copies_of_meshes_are_instances() {
    let read = read(|b| {
        b.json["extensionsRequired"] = json!(["EXT_mesh_gpu_instancing"]);
        let extensions = add_copies(b);
        add_triangle(b, json!({ "translation": [0, 1, 0], "extensions": extensions }));
    });
    assert!(read.report.is_empty(), "{:?}", read.report);
    let evaluated = super::characters::at(&read.scene, 0.0);
    assert_eq!(read.scene.meshes.len(), 1);
    let instances = read.scene.instances.meshes.values();
    let place = |transform: Option<&str>| evaluated.world(transform).transform_point3(Vec3::ZERO);
    let mut places: Vec<Vec3> = instances.map(|instance| place(instance.transform.as_deref())).collect();
    places.sort_by(|a, b| a.x.total_cmp(&b.x));
    assert_eq!(places, [0.0, 2.0, 4.0].map(|x| Vec3::new(x, 1.0, 0.0)));
}

#[test]
fn copies_below_a_joint_are_parts_of_the_surface() {
    let corners = |copied: bool| {
        let read = read(|b| {
            let extensions = if copied { add_copies(b) } else { json!({}) };
            let node = add_triangle(b, json!({ "extensions": extensions }));
            b.json["scenes"][0]["nodes"] = json!([0, 2]);
            b.json["nodes"][1]["children"] = json!([node]);
        });
        read.scene.skinned_meshes.values().next().unwrap().surface.vertex_count()
    };
    assert_eq!((corners(false), corners(true)), (9, 15));
}

/// Nodes that are hidden, or below such, are instances that are.
#[test]
fn hidden_nodes_are_hidden() {
    let read = read(|b| {
        let hidden = json!({ "KHR_node_visibility": { "visible": false } });
        let child = add_triangle(b, json!({}));
        b.json["scenes"][0]["nodes"] = json!([0, 2]);
        add_node(b, json!({ "extensions": hidden.clone(), "children": [child] }));
        b.json["nodes"][0]["extensions"] = hidden;
    });
    assert!(read.report.is_empty(), "{:?}", read.report);
    let visible: Vec<_> = read.scene.instances.all().iter().map(|instance| instance.visible).collect();
    assert_eq!(visible, [Some(false); 2]);
}

/// An empty node is a transform, with its animation, and goes out as it came.
#[test]
fn empty_nodes_are_transforms() {
    let read = read(|b| {
        let node = add_node(b, json!({ "name": "Orbit", "translation": [1, 2, 3] }));
        turn(b, node);
    });
    assert!(read.report.is_empty(), "{:?}", read.report);
    assert_eq!(read.scene.transforms["Orbit"].translation, Vec3::new(1.0, 2.0, 3.0));
    assert!(read.scene.animation.channels["Orbit"].contains_key("rotation"));
    assert_eq!(read.scene.animation.takes.list.len(), 2);
    let options = ExportOptions { scene: false, ..ExportOptions::default() };
    let export = write::export(&read.scene, &options, &|_| Err(String::new())).unwrap();
    let again = gltf::read::read(&export.glb().unwrap(), None, &ImportOptions::default()).unwrap().scene;
    assert_eq!(again.transforms["Orbit"].translation, Vec3::new(1.0, 2.0, 3.0));
    let turned = |scene: &Scene| super::characters::at(scene, 37.0).world(Some("Orbit"));
    assert!(turned(&again).abs_diff_eq(turned(&read.scene), 1e-4));
    assert!(!turned(&again).abs_diff_eq(super::characters::at(&again, 0.0).world(Some("Orbit")), 0.1));
}

/// Of channels that drive the same property, the last counts.
#[test]
fn the_last_of_repeated_channels_counts() {
    let read = read(|b| {
        let still = b.floats("VEC4", &[[0.0f32, 0.0, 0.0, 1.0]; 3].concat());
        let animation = &mut b.json["animations"][0];
        let input = animation["samplers"][0]["input"].clone();
        animation["samplers"].as_array_mut().unwrap().push(json!({ "input": input, "output": still }));
        let mut channel = animation["channels"][0].clone();
        channel["sampler"] = json!(1);
        animation["channels"].as_array_mut().unwrap().push(channel);
    });
    let turned = super::characters::at(&read.scene, 1.0).skinned["Arm"].positions[4];
    assert!(turned.distance(Vec3::Y * 2.0) < 1e-4, "{turned}");
}

/// A node with a matrix may be animated: the rest of its matrix stays.
#[test]
fn animated_matrices_are_split() {
    let read = read(|b| {
        let matrix =
            glam::Mat4::from_scale_rotation_translation(Vec3::splat(2.0), glam::Quat::IDENTITY, Vec3::Y);
        let node = add_triangle(b, json!({ "name": "Plate", "matrix": matrix.to_cols_array() }));
        turn(b, node);
    });
    let found: Vec<_> = read.report.findings.iter().map(|found| (&*found.at, &*found.text)).collect();
    let text = "1 node that it moves has a matrix; it is split into translation, rotation and scale";
    assert_eq!(found, [("/animations/1", text)]);
    let start = read.scene.animation.takes.list[1].range[0] as f32;
    let world = super::characters::at(&read.scene, start + 1.0).world(Some("Plate"));
    let expected = Vec3::Y + glam::Quat::from_rotation_z(30_f32.to_radians()) * Vec3::X * 2.0;
    assert!(world.transform_point3(Vec3::X).distance(expected) < 1e-3, "{world}");
}
