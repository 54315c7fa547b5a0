//! Cubics with keys at times that are no frames come in with these keys, and with the curve of the file at every time.

use super::builder::Builder;
use super::file_keys::{TANGENTS, VALUES, again, imported, moving_box_at, translation};
use glam::{DQuat, DVec3, DVec4, Vec3};
use ossature::anim::channel::Channel;
use ossature::anim::spline::Spline;
use ossature::io::export::Interpolation;
use ossature::io::gltf::read::read;
use ossature::io::import::ImportOptions;
use ossature::rig::kinematics::current_pose;
use ossature::scene::apply_animation::animate;
use serde_json::json;

/// Times in seconds that are at frames of no frame rate.
const SECONDS: [f32; 4] = [0.0, 0.313, 0.777, 1.234];

/// The formula of glTF 2.0, appendix C, for cubic splines.
fn hermite(times: &[f32], values: &[DVec4], [arrive, leave]: [&[DVec4]; 2], time: f64) -> DVec4 {
    let next = times.iter().position(|key| f64::from(*key) > time).unwrap_or(times.len());
    if next == times.len() {
        return values[next - 1];
    }
    let (from, to) = (f64::from(times[next - 1]), f64::from(times[next]));
    let (width, t) = (to - from, (time - from) / (to - from));
    values[next - 1] * (2.0 * t.powi(3) - 3.0 * t.powi(2) + 1.0)
        + leave[next - 1] * width * (t.powi(3) - 2.0 * t.powi(2) + t)
        + values[next] * (-2.0 * t.powi(3) + 3.0 * t.powi(2))
        + arrive[next] * width * (t.powi(3) - t.powi(2))
}

fn vector([x, y, z]: [f32; 3]) -> DVec4 {
    DVec4::new(x.into(), y.into(), z.into(), 0.0)
}

/// Compares a curve with the box of the file at many times.
fn assert_same(spline: &Spline<Vec3>, seconds: [f32; 4], rate: f32) {
    let values = VALUES.map(vector);
    let [arrive, leave] = [0, 1].map(|side: usize| TANGENTS.map(|tangents| vector(tangents[side])));
    for step in 0..1000 {
        let time = f64::from(seconds[3]) * f64::from(step) / 999.0;
        let expected = hermite(&seconds, &values, [&arrive, &leave], time).truncate();
        let found = spline.at((time * f64::from(rate)) as f32).unwrap().as_dvec3();
        assert!(found.distance(expected) < 1e-3, "{time} s: {found} is not {expected}");
    }
}

#[test]
fn cubics_at_odd_times_keep_their_keys_and_tangents() {
    let scene = imported(&moving_box_at("CUBICSPLINE", SECONDS).glb());
    let rate = scene.animation.clip.rate;
    // What is exported ends at a whole frame, with a key.
    for (scene, count) in [(&scene, 4), (&again(&scene, Interpolation::Keyed).0, 5)] {
        let spline = translation(scene);
        let frames: Vec<f32> = spline.knots.iter().map(|knot| knot.0).collect();
        assert_eq!(frames.len(), count, "{frames:?}");
        assert!(
            frames.iter().zip(SECONDS).all(|(frame, time)| (frame - time * rate).abs() < 1e-2),
            "{frames:?}"
        );
        assert_same(spline, SECONDS, rate);
    }
    for (name, count) in [("LINEAR", 4), ("STEP", 4)] {
        let scene = imported(&moving_box_at(name, SECONDS).glb());
        assert_eq!(translation(&scene).knots.len(), count, "{name}");
    }
}

/// A scene that has animation keeps its frame rate, at which keys of a file are at no frames.
#[test]
fn cubics_keep_their_keys_at_another_frame_rate() {
    let seconds = [0.0, 5.0, 11.0, 30.0].map(|frame| frame / 30.0);
    let options = ImportOptions { rate: Some(24.0), ..ImportOptions::default() };
    let scene = read(&moving_box_at("CUBICSPLINE", seconds).glb(), None, &options).unwrap().scene;
    let frames: Vec<f32> = translation(&scene).knots.iter().map(|knot| knot.0).collect();
    assert_eq!(frames, [0.0, 4.0, 8.8, 24.0]);
    assert_same(translation(&scene), seconds, 24.0);
    // With a key at every frame, there are no others.
    let options = ImportOptions { all_frames: true, ..options };
    let scene = read(&moving_box_at("CUBICSPLINE", seconds).glb(), None, &options).unwrap().scene;
    assert_eq!(translation(&scene).knots.len(), 25);
}

/// A bone of a character turns by cubics of quaternions, which are none of angles: few more keys are needed.
#[test]
fn rotations_at_odd_times_come_in_as_few_cubics() {
    let mut b = Builder::new();
    let positions: Vec<f32> = (0..9)
        .flat_map(|row| [[-0.2, row as f32, 0.0], [0.2, row as f32, 0.1], [0.0, row as f32, -0.2]].concat())
        .collect();
    let joints: Vec<u16> = (0..27).flat_map(|vertex| [u16::from(vertex >= 12), 0, 0, 0]).collect();
    let weights: Vec<f32> = (0..27).flat_map(|_| [1.0, 0.0, 0.0, 0.0]).collect();
    let ring = |row: u16| {
        (0..3).flat_map(move |side: u16| {
            let [a, b, c, d] =
                [side, (side + 1) % 3, 3 + (side + 1) % 3, 3 + side].map(|corner| 3 * row + corner);
            [a, b, c, a, c, d]
        })
    };
    let indices: Vec<u16> = (0..8).flat_map(ring).collect();
    let attributes = json!({
        "POSITION": b.floats("VEC3", &positions),
        "JOINTS_0": b.shorts("VEC4", &joints),
        "WEIGHTS_0": b.floats("VEC4", &weights)
    });
    let indices = b.shorts("SCALAR", &indices);
    b.push("meshes", json!({ "primitives": [{ "attributes": attributes, "indices": indices }] }));
    b.push("nodes", json!({ "name": "Body", "mesh": 0, "skin": 0 }));
    b.push("nodes", json!({ "name": "Lower", "children": [2] }));
    b.push("nodes", json!({ "name": "Upper", "translation": [0.0, 4.0, 0.0] }));
    b.json["scenes"][0]["nodes"] = json!([0, 1]);
    b.push("skins", json!({ "joints": [1, 2] }));
    let turns = [0.0, 0.9, -0.4, 0.6]
        .map(|angle: f64| DQuat::from_rotation_x(angle) * DQuat::from_rotation_z(0.3 * angle));
    let values = turns.map(DVec4::from);
    let tangents =
        [DVec4::ZERO, (values[2] - values[0]) / 0.777, (values[3] - values[1]) / 0.921, DVec4::ZERO];
    let numbers: Vec<f32> = (0..4)
        .flat_map(|key| [tangents[key], values[key], tangents[key]])
        .flat_map(|part| part.as_vec4().to_array())
        .collect();
    let (times, output) = (b.floats("SCALAR", &SECONDS), b.floats("VEC4", &numbers));
    b.push(
        "animations",
        json!({
            "samplers": [{ "input": times, "output": output, "interpolation": "CUBICSPLINE" }],
            "channels": [{ "sampler": 0, "target": { "node": 2, "path": "rotation" } }]
        }),
    );
    let scene = imported(&b.glb());
    let (mesh, channels) = scene.animation.channels.first_key_value().unwrap();
    let [Channel::Vec3(spline)] = channels.values().map(|channel| &**channel).collect::<Vec<_>>()[..] else {
        panic!("{channels:?}")
    };
    let frames: Vec<f32> = spline.knots.iter().map(|knot| knot.0).collect();
    let rate = scene.animation.clip.rate;
    let is_keyed = |time: f32| frames.iter().any(|frame| (frame - time * rate).abs() < 1e-2);
    assert!(SECONDS.into_iter().all(is_keyed) && frames.len() <= 16, "{frames:?}");
    // The end of the surface, 4 from the joint that turns.
    for frame in 0..=37 {
        let time = f64::from(frame) / f64::from(rate);
        let turn = hermite(&SECONDS, &values, [&tangents, &tangents], time).normalize();
        let expected = DQuat::from_vec4(turn) * (DVec3::Y * 4.0);
        let posed = animate(&scene, frame as f32);
        let skeleton = &posed.skinned_meshes[mesh].skeleton;
        let upper = skeleton.bones.iter().position(|bone| bone.name.as_deref() == Some("Upper")).unwrap();
        let found = current_pose(skeleton)[upper].transform_vector3(DVec3::Y * 4.0);
        assert!(found.distance(expected) < 1e-3, "frame {frame}: {found} is not {expected}");
    }
}

#[test]
fn weights_of_morph_targets_keep_their_cubics() {
    let mut b = moving_box_at("LINEAR", SECONDS);
    let offsets = b.floats("VEC3", &[[0.0f32, 0.5, 0.0]; 8].concat());
    b.json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": offsets }]);
    // Each weight between its tangents.
    let numbers = [[0.0, 0.0, 2.0], [0.5, 0.8, 0.5], [-1.0, 0.3, -1.0], [0.0, 0.1, 0.0]];
    let (times, output) = (b.floats("SCALAR", &SECONDS), b.floats("SCALAR", &numbers.concat()));
    let animation = &mut b.json["animations"][0];
    let sampler = json!({ "input": times, "output": output, "interpolation": "CUBICSPLINE" });
    animation["samplers"].as_array_mut().unwrap().push(sampler);
    let channel = json!({ "sampler": 1, "target": { "node": 0, "path": "weights" } });
    animation["channels"].as_array_mut().unwrap().push(channel);
    let scene = imported(&b.glb());
    let mut channels = scene.animation.channels.values().flat_map(|channels| channels.values());
    let spline = channels.find_map(|channel| match &**channel {
        Channel::Float(spline) => Some(spline),
        _ => None,
    });
    let spline = spline.expect("a weight");
    assert_eq!(spline.knots.len(), 4, "{:?}", spline.knots);
    let [arrive, values, leave] =
        [0, 1, 2].map(|part| numbers.map(|key: [f32; 3]| DVec4::X * f64::from(key[part])));
    for step in 0..1000 {
        let time = f64::from(SECONDS[3]) * f64::from(step) / 999.0;
        let expected = hermite(&SECONDS, &values, [&arrive, &leave], time).x;
        let found = f64::from(spline.at((time * f64::from(scene.animation.clip.rate)) as f32).unwrap());
        assert!((found - expected).abs() < 1e-3, "{time} s: {found} is not {expected}");
    }
}
