//! The game without a window: characters have the same pose in Bevy as in Ossature.

use crate::character::{CharacterPlugin, Takes};
use crate::four_weights::with_four_weights;
use bevy::animation::{AnimatedBy, AnimationPlugin, AnimationTargetId};
use bevy::app::TaskPoolPlugin;
use bevy::asset::AssetPlugin;
use bevy::gltf::GltfPlugin;
use bevy::image::ImagePlugin;
use bevy::math::{DMat3, DQuat};
use bevy::mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy::mesh::{MeshPlugin, VertexAttributeValues};
use bevy::prelude::*;
use bevy::time::TimePlugin;
use bevy::world_serialization::WorldSerializationPlugin;
use ossature::io::export::ExportOptions;
use ossature::io::gltf::read::read_with_progress;
use ossature::io::gltf::write::export;
use ossature::io::import::ImportOptions;
use ossature::io::js3d;
use ossature::scene::Scene;
use ossature::scene::append::append;
use ossature::scene::evaluate::{Evaluator, Settings};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A scene of the repository, with the four largest weights of each vertex, which is what Bevy reads.
fn scene(name: &str) -> Scene {
    let media = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d");
    with_four_weights(js3d::read_file(&media.join(name)).unwrap().0)
}

/// The parts of the game that a character needs, without window and graphics card; its first take plays.
pub fn game(folder: &Path, file: &str) -> App {
    let mut app = App::new();
    app.add_plugins((
        TaskPoolPlugin::default(),
        TimePlugin,
        AssetPlugin { file_path: folder.to_string_lossy().into_owned(), ..default() },
        TransformPlugin,
        WorldSerializationPlugin,
        MeshPlugin,
        ImagePlugin::default(),
        AnimationPlugin,
        GltfPlugin::default(),
        CharacterPlugin { file: file.into() },
    ));
    app.register_type::<Mesh3d>()
        .register_type::<SkinnedMesh>()
        .register_type::<Transform>()
        .register_type::<GlobalTransform>()
        .register_type::<Name>()
        .register_type::<ChildOf>()
        .register_type::<Children>()
        .register_type::<AnimationPlayer>()
        .register_type::<AnimationTargetId>()
        .register_type::<AnimatedBy>()
        .register_type::<Visibility>()
        .register_type::<InheritedVisibility>()
        .register_type::<ViewVisibility>();
    while app.plugins_state() == bevy::app::PluginsState::Adding {
        std::thread::yield_now();
    }
    app.finish();
    app.cleanup();
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(60) {
        app.update();
        let world = app.world_mut();
        let mut players = world.query::<(&AnimationPlayer, &AnimationGraphHandle)>();
        if players.iter(world).next().is_some() {
            return app;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("{file} was not loaded");
}

/// Vertices of the skinned meshes in the world, `seconds` into a take, from left to right.
fn vertices(app: &mut App, take: &str, seconds: f32) -> Vec<Vec<Vec3>> {
    let takes = &app.world().resource::<Takes>().takes;
    let node = takes.iter().find(|one| one.name == take).expect("the take").node;
    let world = app.world_mut();
    let mut players = world.query::<&mut AnimationPlayer>();
    for mut player in players.iter_mut(world) {
        player.stop_all();
        player.play(node).pause().set_seek_time(seconds);
    }
    (0..3).for_each(|_| app.update());
    let mut all = skins_now(app);
    from_left(&mut all);
    all
}

/// All vertices as they are.
pub fn vertices_now(app: &mut App) -> Vec<Vec3> {
    skins_now(app).concat()
}

fn skins_now(app: &mut App) -> Vec<Vec<Vec3>> {
    let world = app.world_mut();
    let mut skins = world.query::<(&Mesh3d, &SkinnedMesh)>();
    skins.iter(world).map(|(mesh, skin)| skinned(world, mesh, skin)).collect()
}

/// Sorts characters from left to right.
fn from_left(characters: &mut [Vec<Vec3>]) {
    let middle =
        |vertices: &Vec<Vec3>| vertices.iter().map(|vertex| vertex.x).sum::<f32>() / vertices.len() as f32;
    characters.sort_by(|a, b| middle(a).total_cmp(&middle(b)));
}

fn skinned(world: &World, mesh: &Mesh3d, skin: &SkinnedMesh) -> Vec<Vec3> {
    let binds = world.resource::<Assets<SkinnedMeshInverseBindposes>>().get(&skin.inverse_bindposes).unwrap();
    let matrices: Vec<Mat4> = skin
        .joints
        .iter()
        .zip(binds.iter())
        .map(|(joint, bind)| world.get::<GlobalTransform>(*joint).unwrap().to_matrix() * *bind)
        .collect();
    let mesh = world.resource::<Assets<Mesh>>().get(&mesh.0).unwrap();
    let positions = mesh.attribute(Mesh::ATTRIBUTE_POSITION).and_then(|values| values.as_float3()).unwrap();
    let Some(VertexAttributeValues::Uint16x4(joints)) = mesh.attribute(Mesh::ATTRIBUTE_JOINT_INDEX) else {
        panic!("no joints");
    };
    let Some(VertexAttributeValues::Float32x4(weights)) = mesh.attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT) else {
        panic!("no weights");
    };
    let moved = positions.iter().zip(joints).zip(weights).map(|((position, joints), weights)| {
        let parts = joints.iter().zip(weights);
        let moved = parts.map(|(joint, weight)| {
            *weight * matrices[usize::from(*joint)].transform_point3(Vec3::from(*position))
        });
        moved.sum()
    });
    moved.collect()
}

/// The same vertices, from Ossature.
fn ours(scene: &Scene, frame: f32) -> Vec<Vec<Vec3>> {
    let settings = Settings { frame: Some(frame), ..Settings::default() };
    let evaluated = Evaluator::default().evaluate(scene, &settings);
    let instances = scene.instances.skinned_meshes.values();
    let placed = instances.map(|instance| {
        let space = evaluated.world(instance.transform.as_deref());
        let posed = &evaluated.skinned[instance.resource.as_deref().unwrap()];
        let vertices = posed.render_vertices.iter();
        vertices.map(|vertex| space.transform_point3(vertex.position)).collect()
    });
    let mut all: Vec<Vec<Vec3>> = placed.collect();
    from_left(&mut all);
    all
}

/// The largest distance between vertices.
fn distance(theirs: &[Vec<Vec3>], ours: &[Vec<Vec3>]) -> f32 {
    let counts = |all: &[Vec<Vec3>]| all.iter().map(Vec::len).collect::<Vec<_>>();
    assert_eq!(counts(theirs), counts(ours));
    let pairs = theirs.iter().flatten().zip(ours.iter().flatten());
    pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

/// The size of the human.
const SIZE: f32 = 5.6;

fn exported(scene: &Scene, folder: &Path) {
    let export = export(scene, &ExportOptions::default(), &|path| Err(path.to_owned())).unwrap();
    std::fs::write(folder.join("character.glb"), export.glb().unwrap()).unwrap();
}

/// The largest difference in the rotation of bones, in degrees: from the bind pose, in the world.
fn turned_deg(app: &mut App, scene: &Scene, frame: f32) -> f64 {
    let settings = Settings { frame: Some(frame), ..Settings::default() };
    let evaluated = Evaluator::default().evaluate(scene, &settings);
    let posed = evaluated.skinned.values().next().expect("a character");
    let world = app.world_mut();
    let mut skins = world.query::<&SkinnedMesh>();
    let skin = skins.single(world).expect("one character");
    let binds = world.resource::<Assets<SkinnedMeshInverseBindposes>>();
    let binds = binds.get(&skin.inverse_bindposes).expect("they are loaded");
    let mut most = 0.0_f64;
    let mut found = 0;
    for (joint, bind) in skin.joints.iter().zip(binds.iter()) {
        let name = world.get::<Name>(*joint).expect("joints have names");
        let mut bones = 0..posed.skeleton.bones.len();
        let Some(bone) = bones.find(|bone| posed.skeleton.bone_name(*bone) == name.as_str()) else {
            continue;
        };
        found += 1;
        let theirs = world.get::<GlobalTransform>(*joint).expect("it is placed").to_matrix() * *bind;
        let theirs = DQuat::from_mat3(&DMat3::from_mat4(theirs.as_dmat4())).normalize();
        let ours = DQuat::from_mat3(&posed.current[bone].matrix3).normalize();
        // The chord is more accurate than the cosine.
        let chord = (theirs - ours).length().min((theirs + ours).length());
        most = most.max(4.0 * (chord / 2.0).asin());
    }
    assert!(found > 30, "{found} bones");
    most.to_degrees()
}

/// At frames, vertices agree to a hundred-thousandth of the size. Between frames, rotations of bones,
/// including all their parents, differ by less than a tenth of a degree; at the ends of limbs this is less
/// than a two-thousandth of the size.
#[test]
fn the_walk_is_the_same_in_bevy() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene("A4-human-walk.js3d");
    exported(&scene, folder.path());
    let mut app = game(folder.path(), "character.glb");
    let take = app.world().resource::<Takes>().takes[0].name.clone();
    let between = [0.25, 3.3, 9.7, 11.5, 13.125, 17.5, 23.6].map(|frame| (frame, 5e-4, 0.1));
    let at = [0.0, 5.0, 9.0, 15.0].map(|frame| (frame, 1e-5, 1e-3));
    for (frame, far, turned) in at.into_iter().chain(between) {
        let distance = distance(&vertices(&mut app, &take, frame / 24.0), &ours(&scene, frame)) / SIZE;
        let angle = turned_deg(&mut app, &scene, frame);
        println!("frame {frame}: {distance:.1e} of the size, {angle:.1e} degrees");
        assert!(distance < far && angle < turned, "frame {frame}: {distance}, {angle}");
    }
}

/// Bevy gives each moving root of the scene its own player; all of them play each take.
#[test]
fn several_characters_play_together() {
    let folder = tempfile::tempdir().unwrap();
    let mut scene = scene("A4-human-walk.js3d");
    append(&mut scene, &self::scene("quadruped.js3d"));
    append(&mut scene, &self::scene("A4-human-walk.js3d"));
    for (place, name) in scene.instances.skinned_meshes.keys().cloned().enumerate().collect::<Vec<_>>() {
        let instance = &scene.instances.skinned_meshes[&name];
        let transform = instance.transform.clone().expect("it has one of its own");
        Arc::make_mut(scene.transforms.get_mut(&transform).unwrap()).translation.x = 8.0 * place as f32;
    }
    exported(&scene, folder.path());
    let mut app = game(folder.path(), "character.glb");
    let takes: Vec<String> =
        app.world().resource::<Takes>().takes.iter().map(|take| take.name.clone()).collect();
    let world = app.world_mut();
    let mut players = world.query::<(&AnimationPlayer, &AnimationGraphHandle)>();
    let playing = players.iter(world).filter(|(player, _)| player.playing_animations().count() == 1);
    assert_eq!(playing.count(), 3, "each has a player that plays from the beginning");
    let first = scene.animation.takes.list[0].range[0];
    for frame in [0.0, 7.0, 15.0] {
        let seconds = frame / scene.animation.clip.rate;
        let distance = distance(&vertices(&mut app, &takes[0], seconds), &ours(&scene, first as f32 + frame));
        assert!(distance / SIZE < 1e-5, "frame {frame}: {distance}");
    }
}

#[test]
fn a_pose_without_keys_stands_in_bevy() {
    let folder = tempfile::tempdir().unwrap();
    let mut scene = scene("quadruped.js3d");
    Arc::make_mut(&mut scene.animation).channels.clear();
    let name = scene.skinned_meshes.keys().next().unwrap().clone();
    let mesh = Arc::make_mut(scene.skinned_meshes.get_mut(&name).unwrap());
    Arc::make_mut(&mut mesh.skeleton).bones[2].pose_deg = bevy::math::Vec3::new(20.0, 5.0, -30.0);
    exported(&scene, folder.path());
    let mut app = game(folder.path(), "character.glb");
    let far = distance(&vertices(&mut app, "Pose", 0.0), &ours(&scene, 0.0));
    assert!(far / SIZE < 1e-5, "{far}");
}

/// Returns the largest distance from a point of either set to the nearest one of the other.
fn farthest(theirs: &[Vec<Vec3>], ours: &[Vec<Vec3>]) -> f32 {
    let points = |all: &[Vec<Vec3>]| all.iter().flatten().copied().collect::<Vec<_>>();
    let (theirs, ours) = (points(theirs), points(ours));
    let from = |a: &[Vec3], b: &[Vec3]| {
        let nearest = |point: &Vec3| b.iter().map(|other| point.distance(*other)).fold(f32::MAX, f32::min);
        a.iter().map(nearest).fold(0.0, f32::max)
    };
    from(&theirs, &ours).max(from(&ours, &theirs))
}

/// Imported characters, exported again, are in Bevy where they are here: to a ten-thousandth of the size, at 17 frames of
/// each take. Prints a line for each file of the folder.
#[test]
#[ignore = "reads public files: OSSATURE_CORPUS=FOLDER cargo test --release --example bevy_game -- --ignored --nocapture"]
fn characters_of_a_folder_are_the_same_in_bevy() {
    let root = std::env::var_os("OSSATURE_CORPUS").expect("OSSATURE_CORPUS names a folder");
    let mut files: Vec<_> = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "glb" || end == "gltf"));
    files.sort();
    let mut worst = 0.0_f32;
    for path in files {
        let import = read_with_progress(&path, &ImportOptions::default(), &|_| true).unwrap();
        let scene = with_four_weights(import.scene);
        let posed = |mesh: &Arc<ossature::scene::skinned::SkinnedMesh>| mesh.shapes.is_empty();
        if scene.skinned_meshes.is_empty() || !scene.skinned_meshes.values().all(posed) {
            println!("{}: no skin, or one with shapes", path.display());
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        exported(&scene, folder.path());
        let mut app = game(folder.path(), "character.glb");
        let rest = ours(&scene, 0.0);
        let (low, high) = rest
            .iter()
            .flatten()
            .fold((Vec3::MAX, Vec3::MIN), |(low, high), point| (low.min(*point), high.max(*point)));
        let mut far = 0.0_f32;
        for take in &scene.animation.takes.list {
            for part in 0..=16 {
                let frame = ((take.range[1] - take.range[0]) as f32 * part as f32 / 16.0).round();
                let theirs = vertices(&mut app, &take.name, frame / scene.animation.clip.rate);
                far = far.max(farthest(&theirs, &ours(&scene, take.range[0] as f32 + frame)));
            }
        }
        far /= low.distance(high);
        println!("{}: {far:.1e} of the size", path.display());
        worst = worst.max(far);
    }
    assert!(worst < 1e-4, "{worst}");
}
