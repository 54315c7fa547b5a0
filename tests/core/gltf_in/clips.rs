//! Takes of another file on a character with the same names of bones.

use super::characters::{arm, at};
use glam::Vec3;
use ossature::anim::channel::{Animation, Channel, ChannelRef, Value};
use ossature::anim::mode::{Mode, Slopes};
use ossature::anim::spline::Spline;
use ossature::edit::command::{Command, SceneData};
use ossature::edit::session::Session;
use ossature::io::export::ExportOptions;
use ossature::io::gltf::read::read;
use ossature::io::gltf::write;
use ossature::io::import::ImportOptions;
use ossature::io::js3d;
use ossature::io::motion::clips::{add_clips, motion_only};
use ossature::scene::Scene;
use serde_json::json;
use std::sync::Arc;

const MESH: &str = "Arm";

fn file(glb: &[u8]) -> Scene {
    read(glb, None, &ImportOptions { all_frames: true, ..ImportOptions::default() }).unwrap().scene
}

fn without_motion(scene: &Scene) -> Scene {
    Scene { animation: Arc::new(Animation::default()), ..scene.clone() }
}

/// Returns how far apart the surfaces of a mesh are, at a frame of each scene.
fn distance(mesh: &str, a: (&Scene, f32), b: (&Scene, f32)) -> f32 {
    let positions = |(scene, frame): (&Scene, f32)| at(scene, frame).skinned[mesh].positions.clone();
    positions(a).iter().zip(positions(b)).map(|(a, b)| a.distance(b)).fold(0.0, f32::max)
}

fn turns(speed: f32) -> Vec<f32> {
    (0..=24).map(|i| (i as f32 * speed).sin() * 80.0).collect()
}

#[test]
fn takes_are_added_after_those_that_are_there_and_change_none() {
    let (wave, shake) = (file(&arm(&turns(0.15)).glb()), file(&arm(&turns(0.4)).glb()));
    let mut both = wave.clone();
    let report = add_clips(&mut both, MESH, &motion_only(&shake)).unwrap();
    assert!(report.is_empty(), "{report:?}");
    let takes = &both.animation.takes;
    assert_eq!(takes.list.iter().map(|take| &*take.name).collect::<Vec<_>>(), ["Wave", "Wave 2"]);
    assert_eq!((takes.chosen, takes.list[1].range), (Some(1), [35, 59]));
    for step in 0..=48 {
        let frame = step as f32 / 2.0;
        assert!(distance(MESH, (&wave, frame), (&both, frame)) < 1e-6, "old take, frame {frame}");
        assert!(distance(MESH, (&shake, frame), (&both, frame + 35.0)) < 2e-4, "new take, frame {frame}");
    }
    // A channel without keys until now keeps its stored value in the old takes.
    let mut still = without_motion(&wave);
    let skinned = Arc::make_mut(still.skinned_meshes.get_mut(MESH).unwrap());
    Arc::make_mut(&mut skinned.skeleton).bones[1].pose_deg = Vec3::new(0.0, 0.0, 33.0);
    let animation = Arc::make_mut(&mut still.animation);
    animation.takes = wave.animation.takes.clone();
    animation.clip = wave.animation.clip;
    let before = still.clone();
    add_clips(&mut still, MESH, &shake).unwrap();
    assert!(distance(MESH, (&before, 24.0), (&still, 24.0)) < 1e-6);
    assert!(distance(MESH, (&shake, 12.0), (&still, 47.0)) < 2e-4);
}

/// Holds, straight lines and cubics stay what they are, with the keys of the file and no others.
#[test]
fn keys_of_the_file_are_kept() {
    let wave = file(&arm(&turns(0.15)).glb());
    let mut clip = motion_only(&wave);
    let channels = Arc::make_mut(&mut clip.animation).channels.get_mut(MESH).unwrap();
    let name = channels.keys().find(|name| name.ends_with(".pose")).unwrap().clone();
    let knots = [(0.0, 0.0), (6.0, 40.0), (15.0, -30.0), (24.0, 20.0)];
    let knots = knots.map(|(frame, angle)| (frame, Vec3::Z * angle));
    let mut curve = Spline::from_knots(knots.to_vec());
    let modes = [Mode::Hold, Mode::Linear, Mode::Clamped, Mode::Clamped];
    modes.into_iter().enumerate().for_each(|(key, mode)| curve.set_mode(key, mode));
    curve.set_slopes(2, Slopes::fixed(None, Some(Vec3::Z * 9.0)));
    channels.insert(name.clone(), Arc::new(Channel::Vec3(curve)));
    let mut both = wave.clone();
    add_clips(&mut both, MESH, &clip).unwrap();
    let added = both.animation.get(&ChannelRef::new(MESH, &name)).unwrap();
    let is_new = |frame: &f32| *frame >= 35.0;
    let found: Vec<(f32, Mode)> = added.times().into_iter().zip(added.key_modes()).collect();
    let found: Vec<_> = found.into_iter().filter(|(frame, _)| is_new(frame)).collect();
    assert_eq!(found[..3], [(35.0, Mode::Hold), (41.0, Mode::Linear), (50.0, Mode::Clamped)]);
    assert_eq!((found.len(), found[3].0), (4, 59.0));
    for step in 0..=48 {
        let frame = step as f32 / 2.0;
        let shown = clip.animation.get(&ChannelRef::new(MESH, &name)).unwrap().at(frame).unwrap();
        let Some(Value::Vec3(angles)) = added.at(frame + 35.0) else { panic!() };
        assert!(Vec3::try_from(shown).unwrap().distance(angles) < 0.05, "frame {frame}: {shown:?} {angles}");
    }
}

/// Keys that end before the last frame in use hold their value until there, as before.
#[test]
fn what_holds_its_last_value_goes_on_holding_it() {
    let (wave, shake) = (file(&arm(&turns(0.15)).glb()), file(&arm(&turns(0.4)).glb()));
    let mut longer = wave.clone();
    Arc::make_mut(&mut longer.animation).takes.list[0].range = [0, 40];
    let mut both = longer.clone();
    add_clips(&mut both, MESH, &shake).unwrap();
    for frame in 0..=40 {
        let frame = frame as f32;
        assert!(distance(MESH, (&longer, frame), (&both, frame)) < 1e-6, "frame {frame}");
    }
    assert!(distance(MESH, (&shake, 7.0), (&both, 58.0)) < 2e-4);
}

/// Returns the walking human as a game would read it, and the name of its mesh.
fn walk() -> (Scene, String) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/media/js3d/A4-human-walk.js3d");
    let (scene, _) = js3d::read(&std::fs::read(path).unwrap()).unwrap();
    let export = write::export(&scene, &ExportOptions::default(), &|_| Err(String::new())).unwrap();
    let scene = file(&export.glb().unwrap());
    let mesh = scene.skinned_meshes.iter().next().unwrap().0.clone();
    (scene, mesh)
}

#[test]
fn a_whole_body_takes_over_a_clip_of_its_own() {
    let (walk, mesh) = walk();
    let mut body = without_motion(&walk);
    let report = add_clips(&mut body, &mesh, &motion_only(&walk)).unwrap();
    assert!(report.is_empty(), "{report:?}");
    for frame in (0..=walk.animation.clip.last_frame()).step_by(3) {
        let frame = frame as f32;
        assert!(distance(&mesh, (&walk, frame), (&body, frame)) < 4e-4, "frame {frame}");
    }
}

/// A file may hold nothing but moving nodes: they are a skeleton without a surface.
#[test]
fn moving_nodes_without_a_skin_are_a_clip() {
    let full = arm(&turns(0.15));
    let mut nodes = arm(&turns(0.15));
    let json = nodes.json.as_object_mut().unwrap();
    json.remove("skins");
    json.remove("meshes");
    json["nodes"][0] = json!({ "name": "Arm" });
    // The topmost node moves too, by nothing.
    let times = nodes.floats("SCALAR", &[0.0, 1.0]);
    let values = nodes.floats("VEC3", &[0.0; 6]);
    nodes.json["animations"][0]["samplers"]
        .as_array_mut()
        .unwrap()
        .push(json!({ "input": times, "output": values }));
    nodes.json["animations"][0]["channels"]
        .as_array_mut()
        .unwrap()
        .push(json!({ "sampler": 1, "target": { "node": 2, "path": "translation" } }));
    let clips = file(&nodes.glb());
    let skeleton = &clips.skinned_meshes.values().next().unwrap().skeleton;
    assert_eq!((skeleton.bones.len(), clips.animation.takes.list.len()), (2, 1));
    let full = file(&full.glb());
    let mut session = Session::new(without_motion(&full), None);
    let scene = SceneData(Arc::new(clips));
    session.apply(&[Command::AddClips { mesh: MESH.into(), scene: scene.clone() }]).unwrap();
    assert_eq!(session.undo_label(), Some("Add clip"));
    for frame in 0..=24 {
        let frame = frame as f32;
        assert!(distance(MESH, (&full, frame), (session.scene(), frame)) < 2e-4, "frame {frame}");
    }
    session.undo();
    assert!(session.scene().animation.channels.is_empty());
    let refused = session.apply(&[Command::AddClips { mesh: "Nobody".into(), scene }]);
    assert!(refused.is_err());
}

/// Bones without names are those of the same channel ids: files of one program number them alike.
#[test]
fn bones_without_names_are_found_by_their_ids() {
    let (mut walk, mesh) = walk();
    let skinned = Arc::make_mut(walk.skinned_meshes.get_mut(&mesh).unwrap());
    Arc::make_mut(&mut skinned.skeleton).bones.iter_mut().for_each(|bone| bone.name = None);
    let mut body = without_motion(&walk);
    let report = add_clips(&mut body, &mesh, &motion_only(&walk)).unwrap();
    assert!(report.is_empty(), "{report:?}");
    for frame in (0..=walk.animation.clip.last_frame()).step_by(3) {
        let frame = frame as f32;
        assert!(distance(&mesh, (&walk, frame), (&body, frame)) < 4e-4, "frame {frame}");
    }
}

/// Shape keys of the same names move as in the file; others are told.
#[test]
fn shape_keys_are_taken_over() {
    let with_shape = |weights: &[f32]| {
        let mut b = arm(&turns(0.15));
        let offsets = b.floats("VEC3", &[[0.0f32, 0.0, 0.5]; 6].concat());
        b.json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": offsets }]);
        b.json["meshes"][0]["extras"] = json!({ "targetNames": ["Thick"] });
        let times = b.floats("SCALAR", &[0.0, 0.5, 1.0]);
        let weights = b.floats("SCALAR", weights);
        let animation = &mut b.json["animations"][0];
        animation["samplers"].as_array_mut().unwrap().push(json!({ "input": times, "output": weights }));
        let channel = json!({ "sampler": 1, "target": { "node": 0, "path": "weights" } });
        animation["channels"].as_array_mut().unwrap().push(channel);
        file(&b.glb())
    };
    let (first, second) = (with_shape(&[0.0, 1.0, 0.25]), with_shape(&[0.75, 0.0, 1.0]));
    let mut both = first.clone();
    let report = add_clips(&mut both, MESH, &motion_only(&second)).unwrap();
    assert!(report.is_empty(), "{report:?}");
    for frame in 0..=24 {
        let frame = frame as f32;
        assert!(distance(MESH, (&first, frame), (&both, frame)) < 1e-6, "old take, frame {frame}");
        assert!(distance(MESH, (&second, frame), (&both, frame + 35.0)) < 3e-4, "new take, frame {frame}");
    }
    let mut plain = file(&arm(&turns(0.15)).glb());
    let report = add_clips(&mut plain, MESH, &motion_only(&second)).unwrap();
    assert_eq!(report.findings.len(), 1, "{report:?}");
    assert_eq!(report.findings[0].text, "1 shape key is only in the file, and left out");
}

/// Names and rests that differ are findings; without a common name nothing is added.
#[test]
fn other_bones_and_rests_are_told() {
    let (walk, mesh) = walk();
    let mut target = without_motion(&walk);
    let skinned = Arc::make_mut(target.skinned_meshes.get_mut(&mesh).unwrap());
    let bones = &mut Arc::make_mut(&mut skinned.skeleton).bones;
    let parent = bones[bones.len() - 1].parent.unwrap() as usize;
    bones[parent].extent *= 2.0;
    bones[0].name = Some("Nobody".into());
    let report = add_clips(&mut target, &mesh, &walk).unwrap();
    let codes: Vec<_> = report.findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, ["other-bones", "other-bones", "other-rest"], "{report:?}");
    let mut strangers = without_motion(&walk);
    let skinned = Arc::make_mut(strangers.skinned_meshes.get_mut(&mesh).unwrap());
    Arc::make_mut(&mut skinned.skeleton).bones.iter_mut().for_each(|bone| bone.name = None);
    let before = strangers.clone();
    assert!(add_clips(&mut strangers, &mesh, &walk).is_err());
    assert!(add_clips(&mut strangers, &mesh, &without_motion(&walk)).is_err());
    assert!(strangers.is_shared(&before));
}
