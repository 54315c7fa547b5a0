//! `ossature keys`: what it lists, and Euler angles without jumps.

use crate::editing::keys::{channel, moving};
use crate::running::*;
use glam::Vec3;
use ossature::anim::channel::Channel;
use ossature::anim::spline::Spline;
use ossature::io::js3d;
use ossature::rig::kinematics::current_pose;
use ossature::scene::Scene;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;

/// A scene whose arm turns once around x in 36 frames, with a key at each, written as `angles` says.
fn turning(angles: impl Fn(f32) -> Vec3) -> Scene {
    let mut scene = moving();
    let knots = (0..=36).map(|frame| (frame as f32, angles(frame as f32))).collect();
    let animation = Arc::make_mut(&mut scene.animation);
    let channels = animation.channels.entry("Body".into()).or_default();
    channels.insert("bone.7.pose".into(), Arc::new(Channel::Vec3(Spline::from_knots(knots))));
    scene
}

fn read(path: &str) -> Scene {
    js3d::read_file(Path::new(path)).unwrap().0
}

fn angles(scene: &Scene, frame: f32) -> Vec3 {
    let keys = scene.animation.get(&channel("Body", "bone.7.pose")).unwrap();
    let Channel::Vec3(curve) = &**keys else { panic!("{keys:?}") };
    curve.at(frame).unwrap()
}

#[test]
fn keys_are_listed_with_values_and_modes() {
    let folder = Folder::new();
    let file = folder.write("moving.js3d", &turning(|frame| Vec3::new(10.0 * frame, 0.0, 5.0)));
    let text = good(&["keys", &file]);
    assert!(text.contains("pose: 37 keys, frames 0 to 36"), "{text}");
    let json: Value = serde_json::from_str(&good(&["keys", &file, "--json"])).unwrap();
    let listed = json.as_array().unwrap().iter().find(|item| item["channel"] == "bone.7.pose").unwrap();
    let key = &listed["keys"][3];
    assert_eq!((key["frame"].as_f64(), key["mode"].as_str()), (Some(3.0), Some("auto")));
    assert!(key["value"].to_string().contains("30.0"), "{key}");
    let name = listed["name"].as_str().unwrap();
    let one: Value = serde_json::from_str(&good(&["keys", &file, "--of", name, "--json"])).unwrap();
    assert!(one.as_array().unwrap().iter().all(|item| item["name"] == name));
    let (error, _) = bad(&["keys", &file, "--of", "Tail"]);
    assert!(error.contains("“Tail”") && error.contains("moving.js3d"), "{error}");
}

/// Without -o, filters tell what they would leave; with it, the same is written.
#[test]
fn fewer_keys_are_counted_before_they_are_written() {
    let folder = Folder::new();
    let name = "recorded.js3d";
    let file = folder.write(name, &turning(|frame| Vec3::new(30.0 * (frame / 6.0).sin(), 0.0, 0.0)));
    let before = std::fs::read(&file).unwrap();
    let simplify = |more: &[&str]| {
        let output = run(&[&["keys", &file, "--of", "Body", "--simplify", "0.5"], more].concat());
        assert!(output.status.success());
        let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        (out.lines().last().unwrap().to_owned(), err)
    };
    let (counted, note) = simplify(&[]);
    assert!(note.contains("nothing is written; add -o OUT"), "{note}");
    assert_eq!(std::fs::read(&file).unwrap(), before);
    let (left, rest) = counted.split_once(" keys in ").unwrap();
    let total = rest.split_once(", ").unwrap().1.strip_suffix(" before").unwrap();
    assert!(left.parse::<usize>().unwrap() + 20 < total.parse().unwrap(), "{counted}");
    let out = folder.out("few.js3d");
    let (written, note) = simplify(&["-o", &out]);
    assert!(!note.contains("nothing is written"), "{note}");
    assert_eq!(written, counted);
    let listed = good(&["keys", &out, "--of", "Body"]);
    assert!(listed.lines().last().unwrap().starts_with(&format!("{left} keys in ")), "{listed}");
}

#[test]
fn filtered_angles_do_not_jump_and_are_the_same_rotations() {
    let folder = Folder::new();
    let flipped = |frame: f32| {
        let [x, y, z] = [20.0 + 3.0 * frame, 2.0 * frame, -frame];
        if (frame as u32).is_multiple_of(3) {
            Vec3::new(x - 180.0, 180.0 - y, z + 180.0)
        } else {
            Vec3::new(x + 360.0, y, z)
        }
    };
    let before = turning(flipped);
    let file = folder.write("flipped.js3d", &before);
    let out = folder.out("filtered.js3d");
    let filtered = |file: &str| {
        let output = run(&["keys", file, "--euler-filter", "-o", &out]);
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(filtered(&file), "note: the Euler filter changes 24 keys\n");
    let after = read(&out);
    for frame in 1..=36 {
        let turn = angles(&after, frame as f32) - angles(&after, frame as f32 - 1.0);
        assert!(turn.abs().max_element() < 5.0, "frame {frame}: {turn}");
    }
    let matrices = |scene: &Scene, frame: u32| {
        let mut skeleton = (*scene.skinned_meshes["Body"].skeleton).clone();
        let bone = skeleton.bones.iter().position(|bone| bone.channel_id == 7).unwrap();
        skeleton.bones[bone].pose_deg = angles(scene, frame as f32);
        current_pose(&skeleton)
    };
    for frame in 0..=36 {
        for (one, other) in matrices(&before, frame).iter().zip(&matrices(&after, frame)) {
            assert!(one.abs_diff_eq(*other, 1e-5), "frame {frame}: {one} {other}");
        }
    }
    let steady = folder.write("steady.js3d", &after);
    assert_eq!(filtered(&steady), "note: no angle jumps: the Euler filter changes nothing\n");
}
