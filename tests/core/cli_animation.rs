//! Animation without a window: baking, a surface per frame, solving at a frame, the output of `info`.

use crate::editing::keys::channel;
use crate::running::*;
use glam::{Quat, Vec3};
use ossature::anim::channel::Value as Key;
use ossature::anim::sound::Sound;
use ossature::anim::take::Take;
use ossature::edit::command::Command as Edit;
use ossature::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluator, Settings};
use std::sync::Arc;

/// The arm, placed; its handle moves from straight up to the side over frames 0 to 8.
fn moving() -> Scene {
    let mut scene = placed(Vec3::X, Quat::IDENTITY, Vec3::ONE);
    let target = |x: f32, y: f32, z: f32| Key::Vec3(Vec3::new(x, y, z));
    let knots = vec![KeyframeValues {
        modes: Vec::new(),
        channel: channel("Arm", "handle.0.target"),
        knots: vec![(0.0, target(0.0, 1.5, 0.5)), (8.0, target(0.0, 0.5, 1.5))],
    }];
    let purpose = Purpose::Paste;
    for command in [KeyCommand::Put { purpose, knots }, KeyCommand::SetRange { range: Some([2, 6]) }] {
        Edit::Keys(command).apply(&mut scene).unwrap();
    }
    scene
}

#[test]
fn info_tells_the_frames() {
    let folder = Folder::new();
    let file = folder.write("moving.js3d", &moving());
    let text = good(&["info", &file]);
    assert!(text.contains("animation: 96 frames, 24 fps, 2 keys\n  plays from 2 to 6\n"), "{text}");
    let info = json(&["info", &file]);
    assert_eq!(info["animation"]["frames_per_second"], 24.0);
    assert_eq!(numbers(&info["animation"]["play_range"]), [2.0, 6.0]);
}

/// What is not there is left out, as JSON without nulls has it.
#[test]
fn a_take_in_which_no_bone_has_keys_has_no_seam() {
    let mut scene = moving();
    scene.animation = {
        let mut animation = (*scene.animation).clone();
        animation.takes.list.push(Take::new("Still", [0, 1]));
        animation.into()
    };
    let folder = Folder::new();
    let file = folder.write("still.js3d", &scene);
    let text = good(&["info", &file, "--json"]);
    assert!(text.contains("Still") && !text.contains("seam"), "{text}");
    assert_eq!(good(&["takes", &file]), "Still: frames 0 to 1 (2 frames, 0.08 s)\n");
}

#[test]
fn info_tells_the_sound() {
    let folder = Folder::new();
    let mut scene = moving();
    assert_eq!(json(&["info", &folder.write("silent.js3d", &scene)])["animation"].get("sound"), None);
    let sound = Sound { volume: 0.5, muted: true, ..Sound::new("voice.wav", -4.0) };
    Arc::make_mut(&mut scene.animation).sound = Some(sound);
    std::fs::write(folder.path("voice.wav"), b"RIFF").unwrap();
    let file = folder.write("moving.js3d", &scene);
    let text = good(&["info", &file]);
    assert!(text.contains("  sound voice.wav: from frame -4, volume 50 %, muted\n"), "{text}");
    let sound = &json(&["info", &file])["animation"]["sound"];
    assert_eq!((&sound["path"], &sound["found"]), (&"voice.wav".into(), &true.into()));
    assert_eq!(
        (&sound["start"], &sound["volume"], &sound["muted"]),
        (&(-4.0).into(), &0.5.into(), &true.into())
    );
    std::fs::remove_file(folder.path("voice.wav")).unwrap();
    assert!(good(&["info", &file]).contains("muted, missing\n"));
}

#[test]
fn takes_are_named_chosen_and_used() {
    let folder = Folder::new();
    let file = folder.write("moving.js3d", &moving());
    let (named, out) = (folder.out("named.js3d"), folder.out("out.js3d"));
    assert_eq!(good(&["takes", &file]), "no takes\n");
    let add = ["--add", "Reach=0..8", "--add", "Rest=4..5"];
    let said = good(&[&["takes", &file, "-o", &named], &add[..]].concat());
    let lines = "Reach: frames 0 to 8 (9 frames, 0.38 s)\n\
                 Rest: frames 4 to 5 (2 frames, 0.08 s), chosen\n";
    assert_eq!(said, lines);
    assert_eq!(good(&["takes", &named]), lines);
    let text = good(&["info", &named]);
    assert!(text.contains("  plays from 4 to 5\n  take Reach: frames 0 to 8"), "{text}");
    let takes = &json(&["info", &named])["animation"]["takes"];
    assert_eq!(takes[1]["name"], "Rest");
    assert_eq!(*takes, json(&["takes", &named]));
    assert!(takes[1].get("seam").is_none(), "no bone turns: {takes}");
    let walk = &json(&["takes", "media/js3d/A4-human-walk.js3d"])[0];
    assert!(walk["seam"]["degrees"].as_f64().unwrap() < 0.01, "{walk}");
    assert!(walk["seam"]["degrees_per_frame"].as_f64().unwrap() >= 0.0, "{walk}");
    let mut drifting = read(&named);
    let knots = vec![KeyframeValues {
        modes: Vec::new(),
        channel: channel("Place", "translation"),
        knots: vec![(0.0, Key::Vec3(Vec3::ZERO)), (8.0, Key::Vec3(Vec3::Y))],
    }];
    Edit::Keys(KeyCommand::Put { purpose: Purpose::Paste, knots }).apply(&mut drifting).unwrap();
    let reach = &json(&["takes", &folder.write("drifting.js3d", &drifting)])[0];
    assert_eq!((&reach["seam"]["distance"], reach["seam"].get("degrees")), (&1.0.into(), None), "{reach}");
    let text = good(&["takes", &folder.out("drifting.js3d")]);
    assert!(
        text.starts_with(
            "Reach: frames 0 to 8 (9 frames, 0.38 s), seam position 1.00, speed changes by 0.00/frame\n"
        ),
        "{text}"
    );
    assert_eq!(good(&["bake", &named, "-o", &out]), "Arm: frames 4 to 5\n");
    assert_eq!(good(&["bake", &named, "--take", "Reach", "-o", &out]), "Arm: frames 0 to 8\n");
    let (error, _) = bad(&["bake", &named, "--take", "Run", "-o", &out]);
    assert!(error.contains("no take called “Run”; available: “Reach”, “Rest”"), "{error}");
    let change = ["--delete", "Reach", "--rename", "Rest=Wait", "--range", "Wait=3..6"];
    good(&[&["takes", &named, "-o", &out, "--choose-none"], &change[..]].concat());
    let scene = read(&out);
    assert_eq!(scene.animation.takes.list.len(), 1);
    let wait = scene.animation.takes.get("Wait").unwrap();
    assert_eq!((wait.range, scene.animation.clip.range), ([3, 6], None));
    for wrong in [
        ["--add", "Late=90..96"],
        ["--choose", "Nobody"],
        ["--delete", "Nobody"],
        ["--rename", "Rest= "],
        ["--range", "Rest=5..4"],
    ] {
        bad(&[&["takes", &named, "-o", &out], &wrong[..]].concat());
    }
    // Nothing is changed without an output file.
    bad(&["takes", &named, "--add", "A=1..2"]);
    let before = read(&named);
    good(&["takes", &named, "-o", &out, "--delete", "Rest", "--delete", "Reach", "--choose-none"]);
    let mut plain = moving();
    std::sync::Arc::make_mut(&mut plain.animation).set_range(None);
    assert_eq!(std::fs::read(&out).unwrap(), ossature::io::js3d::write(&plain).unwrap());
    assert_eq!(before, read(&named), "the input is unchanged");
}

#[test]
fn baked_files_pose_without_handles() {
    let folder = Folder::new();
    let (file, out) = (folder.write("moving.js3d", &moving()), folder.out("baked.js3d"));
    assert_eq!(good(&["bake", &file, "-o", &out]), "Arm: frames 2 to 6\n");
    let (before, after) = (moving(), read(&out));
    assert!(!after.skinned_meshes["Arm"].skeleton.handles[0].enabled);
    for frame in 2..=6 {
        let at = Settings { frame: Some(frame as f32), ..Settings::default() };
        let solved = Evaluator::default().evaluate(&before, &at).skinned["Arm"].clone();
        let baked = Evaluator::default().evaluate(&after, &at).skinned["Arm"].clone();
        assert!(solved.ik.is_some() && baked.ik.is_none());
        assert_eq!(solved.positions, baked.positions, "frame {frame}");
    }
    // After baking, no handle is enabled.
    let again = folder.out("again.js3d");
    let (error, _) = bad(&["bake", &out, "--frames", "0..3", "-o", &again]);
    assert!(error.contains("no handle is enabled"), "{error}");
    good(&["bake", &file, "--frames", "0..3", "--keep-handles", "-o", &again]);
    assert!(read(&again).skinned_meshes["Arm"].skeleton.handles[0].enabled);
}

#[test]
fn a_surface_is_written_per_frame_the_last_included() {
    let folder = Folder::new();
    let file = folder.write("moving.js3d", &moving());
    let pattern = folder.out("f%03d.obj");
    let said = good(&["skin", &file, "--frames", "1..4", "-o", &pattern]);
    assert_eq!(said.lines().count(), 4);
    for frame in 0..6 {
        let path = folder.path(&format!("f{frame:03}.obj"));
        assert_eq!(path.exists(), (1..=4).contains(&frame), "{frame}");
        if path.exists() {
            let single = folder.out("single.obj");
            good(&["skin", &file, "--frame", &frame.to_string(), "-o", &single]);
            assert_eq!(std::fs::read(path).unwrap(), std::fs::read(&single).unwrap(), "frame {frame}");
        }
    }
    let (error, _) = bad(&["skin", &file, "--frames", "1..4", "-o", &folder.out("one.obj")]);
    assert!(error.contains("%04d"), "{error}");
}

#[test]
fn ik_solves_at_a_frame() {
    let folder = Folder::new();
    let file = folder.write("moving.js3d", &moving());
    let solved = json(&["ik", &file, "--frame", "4"]);
    // Halfway on a straight line.
    assert_near(&numbers(&solved["handles"][0]["target"]), &[0.0, 1.0, 1.0], "target");
    assert_eq!(solved["converged"], true);
    let stored = json(&["ik", &file]);
    assert_near(&numbers(&stored["handles"][0]["target"]), &[0.0, 1.0, 2.0], "stored target");
}

/// One key at 1e9 makes a clip of a million frames, which are evaluated only on request.
#[test]
fn endless_clips_are_refused_with_the_limit() {
    let folder = Folder::new();
    let mut scene = moving();
    let animation = std::sync::Arc::make_mut(&mut scene.animation);
    let keys = animation.channels.get_mut("Arm").unwrap().get_mut("handle.0.target").unwrap();
    std::sync::Arc::make_mut(keys).set_key(1e9, Key::Vec3(Vec3::X));
    animation.clip = animation.default_clip();
    let (file, out) = (folder.write("endless.js3d", &scene), folder.out("baked.js3d"));
    for command in [&["bake", &file, "-o", &out][..], &["measure", &file]] {
        let (error, _) = bad(command);
        assert!(error.contains("frames 0 to 999999 are played, and at most 10000"), "{error}");
    }
    let skinned = folder.out("%06d.obj");
    for command in [
        &["bake", &file, "--frames", "0..10000", "-o", &out][..],
        &["measure", &file, "--frames", "0..10000"],
        &["skin", &file, "--frames", "0..10000", "-o", &skinned],
    ] {
        let (error, _) = bad(command);
        assert!(error.contains("10001 frames; at most 10000 can be processed at once"), "{error}");
    }
    assert!(!folder.path("baked.js3d").exists());
    good(&["measure", &file, "--frames", "999998..999999"]);
    good(&["bake", &file, "--frames", "0..3", "-o", &out]);
}

/// A handle that is added at a frame is enabled there by a key and pulls at no other keyed frame.
#[test]
fn a_new_handle_acts_at_its_frame() {
    let folder = Folder::new();
    let mut scene = moving();
    std::sync::Arc::make_mut(scene.skinned_meshes.get_mut("Arm").unwrap()).skeleton = {
        let mut skeleton = (*scene.skinned_meshes["Arm"].skeleton).clone();
        skeleton.handles.clear();
        skeleton.into()
    };
    let knots = vec![KeyframeValues {
        modes: Vec::new(),
        channel: channel("Arm", "bone.0.pose"),
        knots: [0.0, 8.0].map(|frame| (frame, Key::Vec3(Vec3::X * 4.0 * frame))).to_vec(),
    }];
    let purpose = Purpose::Paste;
    Edit::Keys(KeyCommand::Put { purpose, knots }).apply(&mut scene).unwrap();
    let (file, out) = (folder.write("moving.js3d", &scene), folder.out("posed.js3d"));
    let target = "Lower=0,1.2,1.2";
    let output = run(&["ik", &file, "--frame", "4", "--target", target, "-o", &out]);
    assert!(output.status.success(), "{output:?}");
    let saved = read(&out);
    let handle = &saved.skinned_meshes["Arm"].skeleton.handles[0];
    assert_eq!(handle.target, Vec3::new(0.0, 1.2, 1.2));
    let enabled = format!("handle.{}.enabled", handle.channel_id);
    let keys = saved.animation.get(&channel("Arm", &enabled)).unwrap();
    assert_eq!(keys.times(), [0.0, 4.0, 8.0]);
    let at = [0.0, 3.0, 4.0, 8.0].map(|frame| keys.at(frame));
    assert_eq!(at, [false, false, true, false].map(|on| Some(Key::Bool(on))));
    let skinned = |file: &str, frame: &str| {
        let skin = folder.out("skin.obj");
        good(&["skin", file, "--frame", frame, "--force", "-o", &skin]);
        std::fs::read(&skin).unwrap()
    };
    for frame in ["0", "8"] {
        assert_eq!(skinned(&out, frame), skinned(&file, frame), "frame {frame}");
    }
    let tip = |file: &str| json(&["pose", file, "--frame", "4"])["bones"][1]["tip"].clone();
    assert_ne!(tip(&out), tip(&file));
}

/// A dragged tail keys the bones that turn, and with a spread the keys nearby follow.
#[test]
fn a_drag_at_a_frame_is_keyed() {
    let folder = Folder::new();
    let mut scene = moving();
    let bone = channel("Arm", "bone.0.pose");
    let knots = vec![KeyframeValues {
        modes: Vec::new(),
        channel: bone.clone(),
        knots: (0..=8).map(|frame| (frame as f32, Key::Vec3(Vec3::ZERO))).collect(),
    }];
    let purpose = Purpose::Paste;
    Edit::Keys(KeyCommand::Put { purpose, knots }).apply(&mut scene).unwrap();
    let file = folder.write("moving.js3d", &scene);
    let changed = |spread: &str| {
        let out = folder.out(&format!("dragged{spread}.js3d"));
        let drag = ["drag", &file, "Lower=0,1.2,1.2", "--frame", "4", "--spread", spread, "-o", &out];
        assert!(run(&drag).status.success());
        let keys = read(&out).animation.get(&bone).unwrap().clone();
        assert_eq!(keys.times().len(), 9);
        let is_changed = |time: &f32| keys.at(*time) != Some(Key::Vec3(Vec3::ZERO));
        keys.times().into_iter().filter(is_changed).collect::<Vec<_>>()
    };
    assert_eq!(changed("0"), [4.0]);
    assert_eq!(changed("3"), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
}

/// A pose saved at a frame is the one shown there when the file is opened again.
#[test]
fn ik_at_a_frame_is_saved_into_keys() {
    let folder = Folder::new();
    let mut scene = moving();
    let bone = channel("Arm", "bone.0.pose");
    let knots = vec![KeyframeValues {
        modes: Vec::new(),
        channel: bone.clone(),
        knots: vec![(0.0, Key::Vec3(Vec3::ZERO)), (8.0, Key::Vec3(Vec3::new(30.0, 0.0, 0.0)))],
    }];
    let purpose = Purpose::Paste;
    Edit::Keys(KeyCommand::Put { purpose, knots }).apply(&mut scene).unwrap();
    let (file, out) = (folder.write("moving.js3d", &scene), folder.out("posed.js3d"));
    let output = run(&["ik", &file, "--frame", "4", "--target", "Lower=0,1.2,1.2", "-o", &out]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("a key at frame 4"), "{told}");
    let saved = read(&out);
    assert_eq!(saved.animation.get(&bone).unwrap().times(), [0.0, 4.0, 8.0]);
    let solved = json(&["ik", &file, "--frame", "4", "--target", "Lower=0,1.2,1.2"]);
    let again = json(&["pose", &out, "--frame", "4"]);
    for at in 0..2 {
        let pose = |of: &serde_json::Value| numbers(&of["bones"][at]["pose_deg"]);
        assert_eq!(pose(&again), pose(&solved), "bone {at}");
    }
    // Other frames and the stored values of keyed channels are unchanged.
    let before = |frame: &str| json(&["pose", &file, "--frame", frame])["bones"][1]["tip"].clone();
    let after = |frame: &str| json(&["pose", &out, "--frame", frame])["bones"][1]["tip"].clone();
    assert_eq!((after("0"), after("8")), (before("0"), before("8")));
    let stored = |scene: &Scene| scene.skinned_meshes["Arm"].skeleton.bones[0].pose_deg;
    assert_eq!(stored(&saved), stored(&scene));
    // Without a frame nothing is keyed, and a message reports that.
    let output = run(&["ik", &file, "--target", "Lower=0,1.2,1.2", "-o", &out]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("keys, which count when the file is played"), "{told}");
    assert_eq!(read(&out).animation, scene.animation);
}

#[test]
fn numbers_below_zero_are_values_that_options_refuse() {
    let walk = "media/js3d/A4-human-walk.js3d";
    for (command, option, value, text) in [
        ("keys", "--simplify", "-1", "--simplify -1: the tolerance must be from 0 to 360 degrees"),
        ("keys", "--every", "-1", "'--every <FRAMES>': -1 is not in 0..="),
        ("weights", "--smooth", "-1", "it must be a whole number from 0 on"),
        ("measure", "--frames", "-1..2", "“-1..2” is not of the form FIRST..LAST"),
    ] {
        let (error, _) = bad(&[command, walk, option, value]);
        assert!(error.contains(text), "{command} {option}: {error}");
    }
    let at = |frame: &str| good(&["pose", walk, "--frame", frame]);
    assert_eq!(at("-2.5"), at("0"));
}
