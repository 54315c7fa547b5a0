//! Ossature's exports without the data that only it reads, as other programs would return them.

use super::posed::{size, vertices, wide, worst};
use super::{file_of, has};
use crate::gltf_out::player::Player;
use crate::running::{Folder, run};
use crate::support::media;
use glam::{DMat3, DQuat, DVec3, Vec3};
use ossature::anim::channel::Channel;
use ossature::anim::spline::Spline;
use ossature::edit::command::Command;
use ossature::io::export::{ExportOptions, Influences};
use ossature::io::gltf::glb;
use ossature::io::gltf::read::read;
use ossature::io::gltf::write;
use ossature::io::import::{ImportOptions, SceneImport};
use ossature::io::js3d;
use ossature::mesh::soup::Polygons;
use ossature::rig::kinematics::{bind_pose, parent_past_links};
use ossature::rig::limits::Limits;
use ossature::rig::poses::SavedPose;
use ossature::rig::property::BONE;
use ossature::rig::rest;
use ossature::rig::skeleton::Bone;
use ossature::rig::weights::method::Method;
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluator, Settings};
use ossature::scene::instance::CameraInstance;
use ossature::scene::resource::{Camera, Film};
use ossature::scene::skinned::SkinnedMesh;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

fn without_extras(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(without_extras),
        Value::Object(members) => {
            members.remove("extras");
            members.values_mut().for_each(without_extras);
        }
        _ => {}
    }
}

/// Exports without the embedded scene and without extras.
fn plain(scene: &Scene) -> Vec<u8> {
    plain_with(scene, Influences::Four)
}

fn plain_with(scene: &Scene, influences: Influences) -> Vec<u8> {
    let options = ExportOptions { scene: false, influences, ..Default::default() };
    let export = write::export(scene, &options, &|_| Err(String::new())).unwrap();
    let bytes = export.glb().unwrap();
    let parts = glb::parse(&bytes).unwrap();
    let mut json: Value = serde_json::from_slice(parts.json).unwrap();
    without_extras(&mut json);
    glb::write(&serde_json::to_vec(&json).unwrap(), parts.bin.unwrap()).unwrap()
}

fn again(scene: &Scene) -> SceneImport {
    let options =
        ImportOptions { all_frames: true, rate: Some(scene.animation.clip.rate), ..ImportOptions::default() };
    read(&plain(scene), None, &options).unwrap()
}

/// Returns the rotations of the shown bones relative to their shown parents at a frame, by name.
fn turns(scene: &Scene, mesh: &str, frame: Option<f32>) -> BTreeMap<String, DMat3> {
    let settings = Settings { frame, ..Settings::default() };
    let evaluated = Evaluator::default().evaluate(scene, &settings);
    let posed = &evaluated.skinned[mesh];
    let skeleton = &posed.skeleton;
    let turn = |bone: usize| {
        let own = posed.current[bone].matrix3;
        let parent = parent_past_links(skeleton, bone);
        parent.map_or(own, |parent| posed.current[parent].matrix3.transpose() * own)
    };
    skeleton.shown_bones().map(|bone| (skeleton.bone_name(bone), turn(bone))).collect()
}

fn starts(mesh: &SkinnedMesh) -> BTreeMap<String, DVec3> {
    let bind = bind_pose(&mesh.skeleton);
    let bones = mesh.skeleton.shown_bones();
    bones.map(|bone| (mesh.skeleton.bone_name(bone), bind[bone].translation)).collect()
}

/// Returns the number of triangles in the faces of a mesh.
fn triangles(mesh: &SkinnedMesh) -> usize {
    let polygons = Polygons::new(&mesh.surface);
    polygons.faces.iter().map(|face| face.len() - 2).sum()
}

/// Another program that keeps extras, as Blender does with *Custom Properties*: what glTF has no place for comes back.
#[test]
fn what_gltf_has_no_place_for_comes_back_by_extras() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d/A4-human.js3d");
    let (mut scene, _) = js3d::read_file(&path).unwrap();
    let mesh = scene.skinned_meshes.keys().next().unwrap().clone();
    let bone = scene.skinned_meshes[&mesh].skeleton.bones.iter().position(|bone| !bone.link).unwrap() + 5;
    let other = bone + 1;
    let limits = Limits([Some([-10.0, 90.0]), None, Some([-5.0, 5.0])]);
    let power = Method::all().find(|method| method.id() == "power").unwrap().with("exponent", 3.0);
    let waved = SavedPose {
        name: "Wave".into(),
        bones: [(3, Vec3::X.into())].into(),
        handles: Vec::new(),
        base_offset: Some(Vec3::Y),
    };
    for command in [
        Command::set_bone(mesh.clone(), bone, "limits", limits),
        Command::set_bone(mesh.clone(), bone, "stiffness", Vec3::splat(0.25)),
        Command::set_bone(mesh.clone(), bone, "preferred", Some(Vec3::new(1.0, 2.0, 3.0))),
        Command::PairBones { mesh: mesh.clone(), bone, other: Some(other) },
        Command::set_skeleton(mesh.clone(), "root_free", true),
        Command::lock_weights(mesh.clone(), &[bone], true),
        Command::set_bone(mesh.clone(), bone, "translation", Vec3::new(0.25, 0.5, -0.125)),
        Command::set_bone(mesh.clone(), bone, "scale", Vec3::new(1.5, 0.75, 2.0)),
        Command::set_bone(mesh.clone(), bone, "lock_transform", false),
        Command::set_bone(mesh.clone(), bone, "hidden", true),
        Command::SetWeightMethod { mesh: mesh.clone(), method: power },
    ] {
        command.apply(&mut scene).unwrap();
    }
    Arc::make_mut(scene.skinned_meshes.get_mut(&mesh).unwrap()).poses = Arc::new(vec![waved]);
    let options = ExportOptions { scene: false, ..Default::default() };
    let export = write::export(&scene, &options, &|_| Err(String::new())).unwrap();
    let imported = read(&export.glb().unwrap(), None, &ImportOptions::default()).unwrap();
    let (was, is) = (&scene.skinned_meshes[&mesh], imported.scene.skinned_meshes.values().next().unwrap());
    let id = was.skeleton.bones[bone].channel_id;
    let found = is.skeleton.bones.iter().find(|bone| bone.channel_id == id).unwrap();
    for row in BONE.iter().filter(|row| row.info.ours.is_some()) {
        assert_ne!(row.get(found), row.get(&Bone::default()), "{} is lost", row.info.id);
        assert_eq!(row.get(found), row.get(&was.skeleton.bones[bone]), "{}", row.info.id);
    }
    assert!(is.skeleton.root_free);
    assert_eq!(is.poses, was.poses);
    assert_eq!(is.weight_method, was.weight_method);
}

/// Row 9: heads, poses at every frame of all takes, vertices, and faces as triangles.
#[test]
fn what_a_file_holds_of_our_scenes_comes_back() {
    let mut compared = 0;
    for path in media() {
        let (scene, _) = js3d::read_file(&path).unwrap();
        let again = again(&scene);
        let place = path.file_name().unwrap().display();
        for (name, mesh) in &scene.skinned_meshes {
            let mut instances = scene.instances.skinned_meshes.iter();
            let Some((instance, _)) =
                instances.find(|(_, instance)| instance.resource.as_ref() == Some(name))
            else {
                continue;
            };
            if mesh.skeleton.bones.is_empty() {
                continue;
            }
            let (theirs, found) = again
                .scene
                .skinned_meshes
                .iter()
                .find(|(theirs, _)| **theirs == *instance.strip_suffix(" instance").unwrap_or(instance))
                .unwrap_or_else(|| panic!("{place}: {instance}: {:?}", again.report));
            let height = size(mesh.surface.positions().iter().map(|at| at.as_dvec3()));
            let (ours_at, theirs_at) = (starts(mesh), starts(found));
            assert_eq!(ours_at.keys().collect::<Vec<_>>(), theirs_at.keys().collect::<Vec<_>>(), "{place}");
            for (bone, start) in &ours_at {
                let off = theirs_at[bone].distance(*start) / height;
                assert!(off < 1e-6, "{place}: {bone}: {off}");
            }
            assert_eq!(found.surface.vertex_count(), mesh.surface.vertex_count(), "{place}");
            assert_eq!(triangles(found), triangles(mesh), "{place}");
            let takes = &scene.animation.takes.list;
            let ranges: Vec<[u32; 2]> = match takes.is_empty() {
                true => vec![scene.animation.clip.play_range()],
                false => takes.iter().map(|take| take.range).collect(),
            };
            for (at, range) in ranges.iter().enumerate() {
                for frame in range[0]..=range[1] {
                    let there = again.scene.animation.takes.list.get(at);
                    let there = there.map(|take| (take.range[0] + frame - range[0]) as f32);
                    let ours = turns(&scene, name, Some(frame as f32));
                    let theirs = turns(&again.scene, theirs, there);
                    for (bone, turn) in &ours {
                        let [a, b] = [turn, &theirs[bone]].map(DQuat::from_mat3);
                        let off = 2.0 * (a.inverse() * b).xyz().length().asin().to_degrees();
                        assert!(off < 1e-4, "{place}: {bone} at frame {frame}: {off}°");
                        compared += 1;
                    }
                    if there.is_none() {
                        break;
                    }
                }
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

/// Bones that move against their parents and are scaled, keyed and not, with rest frames of their own and without, come
/// back as they were, whatever reduces the keys.
#[test]
fn bones_that_move_and_scale_come_back() {
    let path = media().into_iter().find(|path| path.ends_with("A4-human-walk.js3d")).unwrap();
    let mut plain_scene = js3d::read_file(&path).unwrap().0;
    for mesh in plain_scene.skinned_meshes.values_mut() {
        Arc::make_mut(mesh).skinning = Default::default();
    }
    for mut scene in [plain_scene.clone(), with_rest_frames(plain_scene)] {
        let (name, mesh) = scene.skinned_meshes.iter().next().unwrap();
        let (name, skeleton) = (name.clone(), mesh.skeleton.clone());
        let bones: Vec<usize> = skeleton.shown_bones().collect();
        let range = scene.animation.takes.list.first().map_or([0, 24], |take| take.range);
        let mut channels = scene.animation.channels.get(&name).cloned().unwrap_or_default();
        for (index, &bone) in bones.iter().enumerate().skip(1) {
            let id = skeleton.bones[bone].channel_id;
            let wave = |frame: f32| (0.4 * frame + index as f32).sin();
            let keys = |value: &dyn Fn(f32) -> Vec3| {
                let frames = (range[0]..=range[1]).map(|frame| frame as f32);
                Arc::new(Channel::Vec3(Spline::from_knots(
                    frames.map(|frame| (frame, value(frame))).collect(),
                )))
            };
            if index % 3 == 0 {
                let moved = keys(&|frame| 0.02 * Vec3::new(wave(frame), 1.0, -wave(frame)));
                channels.insert(format!("bone.{id}.translation"), moved);
            }
            if index % 4 == 0 {
                let scaled = keys(&|frame| Vec3::splat(1.0 + 0.2 * wave(frame)));
                channels.insert(format!("bone.{id}.scale"), scaled);
            }
            if index % 5 == 0 {
                for (row, value) in
                    [("translation", Vec3::new(0.01, 0.02, -0.01)), ("scale", Vec3::splat(1.1))]
                {
                    let set = Command::set_bone(name.clone(), bone, row, value);
                    set.apply(&mut scene).unwrap();
                }
            }
        }
        Arc::make_mut(&mut scene.animation).channels.insert(name.clone(), channels);
        for all_frames in [true, false] {
            let options = ImportOptions {
                all_frames,
                rate: Some(scene.animation.clip.rate),
                ..ImportOptions::default()
            };
            let back = read(&plain_with(&scene, Influences::All), None, &options).unwrap();
            assert!(!has(&back.report, "joint-shears"), "{:?}", back.report);
            let first = back.scene.animation.takes.list[0].range[0];
            let mut worst_off: f64 = 0.0;
            for frame in range[0]..=range[1] {
                let ours = wide(vertices(&scene, Some(frame as f32)));
                let theirs = wide(vertices(&back.scene, Some((first + frame - range[0]) as f32)));
                let height = size(ours.iter().map(|(stored, _)| *stored));
                worst_off = worst_off.max(worst(&ours, &theirs, 1e-5 * height) / height);
            }
            let most = if all_frames { 2e-5 } else { 1.5e-4 };
            assert!(worst_off < most, "all frames: {all_frames}: {worst_off}");
        }
    }
}

/// Gives each joint a rest frame that is not along its bone, as other programs do, by its index.
fn with_rest_frames(mut scene: Scene) -> Scene {
    for mesh in scene.skinned_meshes.values_mut() {
        let skeleton = Arc::make_mut(&mut Arc::make_mut(mesh).skeleton);
        for (at, bone) in skeleton.bones.iter_mut().enumerate() {
            let turn = DQuat::from_rotation_x(0.3 * at as f64) * DQuat::from_rotation_z(0.7);
            rest::set(bone, turn);
        }
    }
    scene
}

/// Returns the rotation of each joint relative to the mesh in the bind pose, by name.
fn frames(player: &Player) -> BTreeMap<String, DQuat> {
    let skin = player.document.skins().next().unwrap();
    let binds = player.inverse_binds(&skin);
    let rotation = |bind: &glam::DMat4| bind.inverse().to_scale_rotation_translation().1;
    skin.joints()
        .zip(&binds)
        .map(|(joint, bind)| (joint.name().unwrap_or_default().to_owned(), rotation(bind)))
        .collect()
}

/// Row 13, and from row 17 that heat works on a surface that was cut at seams: a third-party character (with
/// its own joint frames and without our extras) gets heat weights and is exported again.
#[test]
fn weights_calculated_anew_go_out_with_the_joints_as_they_were() {
    let folder = Folder::new();
    let path = media().into_iter().find(|path| path.ends_with("A4-human-walk.js3d")).unwrap();
    let scene = with_rest_frames(js3d::read_file(&path).unwrap().0);
    let before = plain(&scene);
    std::fs::write(folder.path("theirs.glb"), &before).unwrap();
    let [theirs, read, heated, out] =
        ["theirs.glb", "read.js3d", "heated.js3d", "out.glb"].map(|name| folder.out(name));
    for arguments in [
        &["convert", &theirs, &read, "--all-frames"][..],
        &["weights", &read, "--method", "heat", "--limit", "4", "-o", &heated],
        &["convert", &heated, &out, "--no-scene"],
    ] {
        let output = run(arguments);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {told}");
    }
    let scene = js3d::read_file(heated.as_ref()).unwrap().0;
    let [before, after] = [before, std::fs::read(&out).unwrap()].map(|glb| Player::new(&glb));
    let (joints, now) = (frames(&before), frames(&after));
    assert_eq!(joints.keys().collect::<Vec<_>>(), now.keys().collect::<Vec<_>>());
    for (name, frame) in &joints {
        let off = frame.angle_between(now[name]);
        assert!(off < 1e-3, "{name}: {off}");
    }
    let mesh = scene.skinned_meshes.values().next().unwrap();
    assert_eq!(mesh.weights.unweighted_count(), 0);
    let height = size(mesh.surface.positions().iter().map(|at| at.as_dvec3()));
    let take = &scene.animation.takes.list[0];
    let animation = || after.animation(&take.name);
    // Rows 2 and 4: at frames and between them.
    for (frame, most) in [(0.0, 1e-5), (5.0, 1e-5), (9.0, 1e-5), (15.0, 1e-5), (11.5, 2e-3), (17.5, 2e-3)] {
        let seconds = f64::from(frame) / f64::from(scene.animation.clip.rate);
        let expected = wide(vertices(&scene, Some(take.range[0] as f32 + frame)));
        let found = after.all_vertices(&after.world_in(animation(), seconds));
        let off = worst(&found, &expected, 1e-6 * height) / height;
        assert!(off < most, "frame {frame}: {off}");
    }
}

/// A rest frame belongs to the shape of its bone: commands that change the shape drop it, others do not.
#[test]
fn reshaped_bones_have_no_rest_frame_of_others() {
    let path = media().into_iter().find(|path| path.ends_with("A4-human-walk.js3d")).unwrap();
    let mut scene = with_rest_frames(js3d::read_file(&path).unwrap().0);
    let mesh = || "Human_skinned_mesh".to_owned();
    let mut dropped = |command: Command| -> Vec<usize> {
        command.apply(&mut scene).unwrap();
        let bones = &scene.skinned_meshes[&mesh()].skeleton.bones;
        (0..bones.len()).filter(|bone| rest::frame(&bones[*bone]).is_none()).collect()
    };
    let (bone, turned) = (3, glam::Vec3::splat(20.0));
    let posed = Command::set_bone(mesh(), bone, "pose", turned);
    assert_eq!(dropped(posed), [0; 0]);
    let rolled = Command::set_bone(mesh(), bone, "roll", 33.0);
    assert_eq!(dropped(rolled), [3]);
    let longer = Command::set_bone(mesh(), 7, "extent", glam::Vec3::new(0.1, 0.2, 0.3));
    assert_eq!(dropped(longer), [3, 7]);
}

/// Extras alone restore what glTF has no place for: base, handles, tips, rolls, radii and channels.
#[test]
fn extras_give_back_what_gltf_has_no_place_for() {
    let path = media().into_iter().find(|path| path.ends_with("A4-human-walk.js3d")).unwrap();
    let mut scene = js3d::read_file(&path).unwrap().0;
    let mesh = Arc::make_mut(scene.skinned_meshes.values_mut().next().unwrap());
    let skeleton = Arc::make_mut(&mut mesh.skeleton);
    for (bone, id) in [(5, 40), (9, 7)] {
        let mut handle = crate::rig_support::handle(bone, glam::Vec3::new(1.0, 2.0, 3.0));
        handle.channel_id = id;
        handle.chain = Some(2);
        handle.enabled = false;
        skeleton.handles.push(handle);
    }
    skeleton.handles[0].name = Some("“Zug”".into());
    let expected = ossature::rig::skeleton::Skeleton::clone(skeleton);
    let options = ExportOptions { scene: false, ..Default::default() };
    let export = write::export(&scene, &options, &|_| Err(String::new())).unwrap();
    let again = file_of(&export.glb().unwrap());
    let mesh = again.scene.skinned_meshes.values().next().unwrap();
    assert_shapes_are_back(&expected, &mesh.skeleton, true);
    assert!(!has(&again.report, "handles-off"));
}

/// Asserts that base, bones and handles match, with `enabled` also which handles are enabled.
pub fn assert_shapes_are_back(
    expected: &ossature::rig::skeleton::Skeleton,
    found: &ossature::rig::skeleton::Skeleton,
    enabled: bool,
) {
    assert_eq!(found.base, expected.base);
    for bone in expected.shown_bones() {
        let (name, bone) = (expected.bone_name(bone), &expected.bones[bone]);
        let same = found.bones.iter().find(|found| found.channel_id == bone.channel_id);
        let same = same.unwrap_or_else(|| panic!("{name}"));
        assert_eq!(
            (same.extent, same.roll_deg, same.radius, &same.name),
            (bone.extent, bone.roll_deg, bone.radius, &bone.name)
        );
    }
    assert_eq!(found.handles.len(), expected.handles.len());
    for (found_handle, handle) in found.handles.iter().zip(&expected.handles) {
        let id = |skeleton: &ossature::rig::skeleton::Skeleton, bone: u32| {
            skeleton.bones[bone as usize].channel_id
        };
        assert_eq!(id(found, found_handle.bone), id(expected, handle.bone));
        let mut same = found_handle.clone();
        same.bone = handle.bone;
        if !enabled {
            same.enabled = handle.enabled;
        }
        assert_eq!(same, *handle);
    }
}

/// Other programs have no place for these and may preserve them as extras.
#[test]
fn aperture_focus_and_film_of_a_camera_come_back() {
    let mut scene = js3d::read(&std::fs::read("media/js3d/A4-human.js3d").unwrap()).unwrap().0;
    let name = "Eye".to_owned();
    let film = Film { width: 640, samples: 16, sample_pattern: "Grid (4x4)".into(), ..Default::default() };
    let camera =
        Camera { aperture_shape: 2, aperture_size: 0.25, focal_dist: 3.5, film, ..Default::default() };
    scene.cameras.insert(name.clone(), Arc::new(camera.clone()));
    let instance = CameraInstance { camera: Some(name.clone()), ..Default::default() };
    scene.instances.cameras.insert("Here".into(), Arc::new(instance));
    let options = ExportOptions { scene: false, ..Default::default() };
    let export = write::export(&scene, &options, &|_| Err(String::new())).unwrap();
    let back = read(&export.glb().unwrap(), None, &ImportOptions::default()).unwrap().scene;
    let back = &back.cameras[&name];
    assert_eq!(
        (back.aperture_shape, back.aperture_size, back.focal_dist, &back.film),
        (2, 0.25, 3.5, &camera.film)
    );
}
