//! The contents of a file: triangles, parts, the scene itself, and the number of files.

use super::*;
use ossature::anim::channel::{ChannelRef, Mute, SkeletonChannel};
use ossature::anim::contacts::{CONTACTS, FOOT};
use ossature::anim::take::Take;
use ossature::rig::property::POSE;
use std::path::PathBuf;

#[test]
fn the_same_scene_gives_the_same_bytes() {
    for scene in ["A4-human-walk", "quadruped", "bar"] {
        let scene = media(scene);
        assert_eq!(
            exported(&scene, &ExportOptions::default()).0,
            exported(&scene, &ExportOptions::default()).0
        );
    }
}

#[test]
fn convert_writes_one_file_or_two() {
    let folder = Folder::new();
    let scene = folder.write("walk.js3d", &media("A4-human-walk"));
    let (glb, gltf) = (folder.out("walk.glb"), folder.out("the walk.gltf"));
    let output = run(&["convert", &scene, &glb]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && told.contains("have more than four bones"), "{told}");
    assert!(run(&["convert", &scene, &gltf, "--tip-nodes", "--interpolation", "cubic"]).status.success());
    let json = std::fs::read_to_string(folder.path("the walk.gltf")).unwrap();
    assert!(json.contains("\"uri\":\"the%20walk.bin\"") && folder.path("the walk.bin").exists(), "{json}");
    assert!(run(&["convert", &scene, &gltf]).status.success(), "its own files are replaced");
    std::fs::remove_file(folder.path("the walk.gltf")).unwrap();
    assert!(bad(&["convert", &scene, &gltf]).0.contains("the walk.bin: it is there already"));
    assert!(bad(&["convert", &scene, &glb, "--take", "Run"]).0.contains("there is no take “Run”"));
    let obj = folder.out("walk.obj");
    assert!(bad(&["convert", &scene, &obj, "--influences", "all"]).0.contains("OBJ files have none"));
}

/// Row 7. An unmodified file gives back its scene: those of the repository, and one with handles, muted
/// channels and unknown members.
#[test]
fn the_scene_rides_along_byte_for_byte() {
    let folder = Folder::new();
    let mut scenes = vec![
        (PathBuf::from("everything"), js3d::read(crate::support::EVERYTHING).unwrap().0),
        (PathBuf::from("editing"), crate::editing::scene()),
    ];
    let media = crate::support::media().into_iter();
    scenes.extend(media.map(|path| (path.clone(), js3d::read_file(&path).unwrap().0)));
    for (_, scene) in &mut scenes[..2] {
        let mesh = scene.skinned_meshes.values_mut().next().unwrap();
        let mesh = Arc::make_mut(mesh);
        mesh.extra.set("nobody", Value::Text("knows".into()));
        let skeleton = Arc::make_mut(&mut mesh.skeleton);
        skeleton.extra.set("nor", Value::Unsigned(7));
        assert!(!skeleton.handles.is_empty());
    }
    let animation = Arc::make_mut(&mut scenes[1].1.animation);
    let (resource, channels) = animation.channels.first_key_value().unwrap();
    let muted = ChannelRef::new(resource, channels.keys().next().unwrap().as_str());
    animation.set_mute(&muted, Mute::WHOLE);
    for (path, scene) in scenes {
        for name in ["out.glb", "out.gltf"] {
            let (from, out, back) =
                (folder.write("in.js3d", &scene), folder.out(name), folder.out("back.js3d"));
            assert!(run(&["convert", &from, &out]).status.success());
            assert!(run(&["convert", &out, &back, "--force"]).status.success());
            let [before, after] = [from, back].map(|path| std::fs::read(path).unwrap());
            assert!(before == after, "{} through {name}", path.display());
        }
    }
}

#[test]
fn polygons_are_triangles_and_standing_meshes_stand_where_they_are() {
    let mut scene = scene_of(tube());
    let mesh = ossature::scene::resource::Mesh {
        surface: primitives::cuboid(Vec3::ONE).unwrap().into(),
        ..Default::default()
    };
    scene.meshes.insert("Box".into(), mesh.into());
    let place = Transform { translation: Vec3::X, ..Transform::default() };
    scene.transforms.insert("Away".into(), place.into());
    let instance = GeometryInstance {
        transform: Some("Away".into()),
        resource: Some("Box".into()),
        ..GeometryInstance::default()
    };
    scene.instances.meshes.insert("Box instance".into(), instance.into());
    let player = played(&scene);
    assert_eq!(player.triangles("Box"), 12);
    let vertices = player.vertices(player.node("Box instance"), &player.world(None, 0.0));
    let middle = vertices.iter().sum::<DVec3>() / vertices.len() as f64;
    assert!(middle.distance(DVec3::X) < 1e-6, "{middle}");
}

#[test]
fn parts_are_primitives_with_their_materials() {
    let mut scene = scene_of(tube());
    for name in ["Skin", "Cloth"] {
        scene.materials.insert(name.into(), Arc::default());
    }
    let part = |material: &str, faces: u64| {
        Err(Value::Object(Box::new([
            ("material".into(), Value::Text(material.into())),
            ("faces".into(), Value::Unsigned(faces)),
        ])))
    };
    let parts = [part("Skin", 10), part("Cloth", 5), part("Skin", 1)];
    let mesh = Arc::make_mut(scene.skinned_meshes.get_mut("Tube").unwrap());
    mesh.mesh_extra.set("parts", Value::Array(parts.into_iter().collect()));
    let faces = mesh.surface.face_count();
    let instance = |scene: &mut Scene, material: &str| {
        let instance = Arc::make_mut(scene.instances.skinned_meshes.get_mut("Tube instance").unwrap());
        instance.material = Some(material.into());
    };
    instance(&mut scene, "Skin");
    let materials = |player: &Player| -> Vec<String> {
        let mesh = player.document.meshes().next().unwrap();
        mesh.primitives()
            .map(|primitive| primitive.material().name().unwrap_or_default().to_owned())
            .collect()
    };
    let player = played(&scene);
    assert_eq!(materials(&player), ["Skin", "Cloth", "Skin"]);
    let all = player.triangles("Tube");
    assert!(all > faces, "{all}");
    // An instance with another material uses it for the whole mesh.
    scene.materials.insert("Stone".into(), Arc::default());
    instance(&mut scene, "Stone");
    let player = played(&scene);
    assert_eq!((materials(&player), player.triangles("Tube")), (vec!["Stone".to_owned(); 3], all));
}

/// Also that of a bone without a name, whose node has one.
#[test]
fn feet_are_called_as_their_nodes() {
    let mut scene = scene_of(tube());
    skeleton(&mut scene).bones[3].name = None;
    let turn = vec3s(&[(0.0, [0.0; 3]), (9.0, [0.0, 0.0, 40.0])]);
    key(&mut scene, "Tube", SkeletonChannel::Bone(1, POSE), turn);
    let feet = ["bone 3", "Bone 4", "tail"];
    let contacts = feet.map(|foot| Err(Value::Object(Box::new([(FOOT.into(), Value::Text(foot.into()))]))));
    let mut take = Take::new("Walk", [0, 9]);
    take.extra.set(CONTACTS, Value::Array(contacts.into_iter().collect()));
    Arc::make_mut(&mut scene.animation).takes.list.push(take);
    let export = export(&scene, &ExportOptions::default(), &|path| Err(format!("there is no {path}")));
    let document = export.expect("the export succeeds").document;
    let extras = document.animations[0].extras.as_ref().unwrap();
    let named: Vec<&str> =
        extras[CONTACTS].as_array().unwrap().iter().map(|contact| contact[FOOT].as_str().unwrap()).collect();
    assert_eq!(named, ["bone_3", "Bone 4", "tail"]);
    let nodes: Vec<&str> = document.nodes.iter().filter_map(|node| node.name.as_deref()).collect();
    assert!(named[..2].iter().all(|foot| nodes.contains(foot)), "{nodes:?}");
}

#[test]
fn tips_are_nodes_where_they_are_asked_for() {
    let options = ExportOptions { tip_nodes: true, ..ExportOptions::default() };
    let player = Player::new(&exported(&scene_of(tube()), &options).0);
    let tip = player.node("Bone 4_end");
    assert_eq!(player.parent(tip), Some(player.node("Bone 4")));
    let place = player.world(None, 0.0)[tip].transform_point3(DVec3::ZERO);
    assert!(place.distance(DVec3::new(0.0, 10.0, 0.0)) < 1e-6, "{place}");
}
