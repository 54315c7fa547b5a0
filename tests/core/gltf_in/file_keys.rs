//! Keys that come in as the file has them, and go out again: steps, straight lines and cubics.

use super::builder::Builder;
use glam::Vec3;
use ossature::anim::channel::{Channel, ChannelRef};
use ossature::anim::mode::{Mode, Slope};
use ossature::anim::spline::Spline;
use ossature::io::export::{ExportOptions, Interpolation};
use ossature::io::gltf::read::read;
use ossature::io::gltf::write;
use ossature::io::import::ImportOptions;
use ossature::scene::Scene;
use serde_json::{Value, json};
use std::sync::Arc;

/// The frames of the keys, at 24 frames a second.
const FRAMES: [f32; 4] = [0.0, 6.0, 15.0, 24.0];
pub(super) const VALUES: [[f32; 3]; 4] =
    [[0.0, 0.0, 0.0], [1.0, 2.0, 0.0], [-1.0, 2.5, 0.5], [3.0, 0.0, 1.0]];
/// The tangents per second at which each key is arrived at, and left.
pub(super) const TANGENTS: [[[f32; 3]; 2]; 4] = [
    [[0.0, 0.0, 0.0], [4.0, 0.0, -1.0]],
    [[0.0, 1.0, 2.0], [0.0, 1.0, 2.0]],
    [[-3.0, 0.5, 0.0], [6.0, -0.5, 0.0]],
    [[0.0, 0.0, 3.0], [0.0, 0.0, 0.0]],
];

/// A box that moves, with its keys at [`FRAMES`].
fn moving_box(interpolation: &str) -> Builder {
    moving_box_at(interpolation, FRAMES.map(|frame| frame / 24.0))
}

/// The same with keys at other times, in seconds.
pub(super) fn moving_box_at(interpolation: &str, seconds: [f32; 4]) -> Builder {
    let mut b = Builder::new();
    let corner = |i: usize| [i & 1, i >> 1 & 1, i >> 2 & 1].map(|bit| bit as f32);
    let positions = b.floats("VEC3", &(0..8).flat_map(corner).collect::<Vec<f32>>());
    let faces: [[u16; 4]; 6] =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles: Vec<u16> = faces.iter().flat_map(|[a, b, c, d]| [*a, *b, *c, *a, *c, *d]).collect();
    let indices = b.shorts("SCALAR", &triangles);
    let primitive = json!({ "attributes": { "POSITION": positions }, "indices": indices });
    b.push("meshes", json!({ "primitives": [primitive] }));
    b.push("nodes", json!({ "name": "Box", "mesh": 0 }));
    let times = b.floats("SCALAR", &seconds);
    let values: Vec<f32> = match interpolation {
        "CUBICSPLINE" => {
            let key =
                |(value, [arrive, leave]): (&[f32; 3], &[[f32; 3]; 2])| [*arrive, *value, *leave].concat();
            VALUES.iter().zip(&TANGENTS).flat_map(key).collect()
        }
        _ => VALUES.concat(),
    };
    let output = b.floats("VEC3", &values);
    b.push(
        "animations",
        json!({
            "name": "Move",
            "samplers": [{ "input": times, "output": output, "interpolation": interpolation }],
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }]
        }),
    );
    b
}

pub(super) fn imported(bytes: &[u8]) -> Scene {
    read(bytes, None, &ImportOptions::default()).unwrap().scene
}

pub(super) fn translation(scene: &Scene) -> &Spline<Vec3> {
    let (name, _) = scene.animation.channels.first_key_value().expect("a moving object");
    match &**scene.animation.get(&ChannelRef::new(name, "translation")).unwrap() {
        Channel::Vec3(spline) => spline,
        other => panic!("{other:?}"),
    }
}

/// Exports a scene without the scene itself, and reads it again. Returns the interpolations in the file too.
pub(super) fn again(scene: &Scene, interpolation: Interpolation) -> (Scene, Vec<String>) {
    let options = ExportOptions { scene: false, interpolation, ..ExportOptions::default() };
    let export = write::export(scene, &options, &|_| Err(String::new())).unwrap();
    let json: Value = serde_json::from_slice(&export.gltf("box.bin").unwrap()).unwrap();
    let samplers = json["animations"][0]["samplers"].as_array().unwrap();
    let name = |sampler: &Value| sampler["interpolation"].as_str().unwrap_or("LINEAR").to_owned();
    let names = samplers.iter().map(name).collect();
    (imported(&export.glb().unwrap()), names)
}

fn assert_keys(spline: &Spline<Vec3>, mode: Mode) {
    assert_eq!(spline.knots.len(), 4, "{:?}", spline.knots);
    for (key, (frame, value)) in spline.knots.iter().enumerate() {
        assert_eq!(*frame, FRAMES[key]);
        assert!(value.distance(Vec3::from(VALUES[key])) < 1e-5, "{value}");
    }
    for key in 0..3 {
        assert_eq!(spline.authored.mode(key), mode, "key {key}");
    }
}

fn assert_slopes(spline: &Spline<Vec3>) {
    for key in 0..3 {
        let (from, to) = (spline.authored.slopes(key), spline.authored.slopes(key + 1));
        for (found, [expected]) in [(from.leave, [TANGENTS[key][1]]), (to.arrive, [TANGENTS[key + 1][0]])] {
            let (found, expected) =
                (found.and_then(Slope::fixed).expect("a slope") * 24.0, Vec3::from(expected));
            assert!(found.distance(expected) < 2e-3, "key {key}: {found} is not {expected}");
        }
    }
}

#[test]
fn steps_and_straight_lines_come_in_and_go_out_as_they_are() {
    for (name, mode) in [("STEP", Mode::Hold), ("LINEAR", Mode::Linear)] {
        let scene = imported(&moving_box(name).glb());
        assert_keys(translation(&scene), mode);
        assert!(translation(&scene).authored.slopes.is_empty());
        for interpolation in [Interpolation::Keyed, Interpolation::Linear, Interpolation::Cubic] {
            let (again, names) = again(&scene, interpolation);
            assert_eq!(names, [name]);
            assert_keys(translation(&again), mode);
        }
    }
}

#[test]
fn cubics_come_in_and_go_out_with_their_tangents() {
    let scene = imported(&moving_box("CUBICSPLINE").glb());
    assert_keys(translation(&scene), Mode::Clamped);
    assert_slopes(translation(&scene));
    for interpolation in [Interpolation::default(), Interpolation::Cubic] {
        let (exported, names) = again(&scene, interpolation);
        assert_eq!(names, ["CUBICSPLINE"]);
        assert_keys(translation(&exported), Mode::Clamped);
        assert_slopes(translation(&exported));
    }
    let told = |interpolation| {
        let options = ExportOptions { interpolation, ..ExportOptions::default() };
        let export = write::export(&scene, &options, &|_| Err(String::new())).unwrap();
        export.report.findings.iter().any(|finding| finding.code == "tangents")
    };
    assert!(told(Interpolation::Keyed) && !told(Interpolation::Cubic) && !told(Interpolation::Linear));
    // Programs that ignore tangents get straight lines, and the same values at whole frames.
    let (exported, names) = again(&scene, Interpolation::Linear);
    assert_eq!(names, ["LINEAR"]);
    for frame in 0..=24 {
        let [was, is] = [&scene, &exported].map(|scene| translation(scene).at(frame as f32).unwrap());
        assert!(was.distance(is) < 1e-3, "frame {frame}: {was} became {is}");
    }
}

/// A ball that rises and falls by squares, which are cubics too; sines are sampled.
#[test]
fn eases_that_are_cubics_go_out_as_such() {
    let mut scene = imported(&moving_box("LINEAR").glb());
    let (name, _) = scene.animation.channels.first_key_value().unwrap();
    let name = name.clone();
    for (eases, interpolation) in
        [(["quad_out", "quad_in", "cubic_in"], "CUBICSPLINE"), (["quad_out", "quad_in", "sine_in"], "LINEAR")]
    {
        let mut spline = translation(&imported(&moving_box("LINEAR").glb())).clone();
        for (key, ease) in eases.into_iter().enumerate() {
            spline.set_mode(key, Mode::named(ease).unwrap());
        }
        let animation = Arc::make_mut(&mut scene.animation);
        let channels = animation.channels.get_mut(&name).unwrap();
        channels.insert("translation".into(), Arc::new(Channel::Vec3(spline.clone())));
        let (exported, names) = again(&scene, Interpolation::default());
        assert_eq!(names, [interpolation]);
        // What was sampled comes in with keys at whole frames.
        let step = if interpolation == "LINEAR" { 1.0 } else { 0.5 };
        for index in 0..=(24.0 / step) as u32 {
            let frame = index as f32 * step;
            let (was, is) = (spline.at(frame).unwrap(), translation(&exported).at(frame).unwrap());
            assert!(was.distance(is) < 1e-2, "{eases:?}, frame {frame}: {was} became {is}");
        }
    }
}

/// A play range that cuts a segment has the same curve in it.
#[test]
fn a_cubic_is_cut_at_the_ends_of_a_take() {
    let mut scene = imported(&moving_box("CUBICSPLINE").glb());
    let was = translation(&scene).clone();
    let animation = Arc::make_mut(&mut scene.animation);
    animation.takes.list[0].range = [3, 20];
    let (exported, names) = again(&scene, Interpolation::Cubic);
    assert_eq!(names, ["CUBICSPLINE"]);
    let is = translation(&exported);
    assert_eq!(is.knots.iter().map(|knot| knot.0).collect::<Vec<_>>(), [0.0, 3.0, 12.0, 17.0]);
    for frame in 0..=17 {
        let (was, is) = (was.at(frame as f32 + 3.0).unwrap(), is.at(frame as f32).unwrap());
        assert!(was.distance(is) < 1e-4, "frame {frame}: {was} became {is}");
    }
}

/// What holds here and moves there is no curve of glTF: it is sampled.
#[test]
fn mixed_keys_are_sampled() {
    let mut scene = imported(&moving_box("LINEAR").glb());
    let (name, _) = scene.animation.channels.first_key_value().unwrap();
    let name = name.clone();
    let mut spline = translation(&scene).clone();
    spline.set_mode(1, Mode::Hold);
    let animation = Arc::make_mut(&mut scene.animation);
    let channels = animation.channels.get_mut(&name).unwrap();
    channels.insert("translation".into(), Arc::new(Channel::Vec3(spline.clone())));
    let (exported, names) = again(&scene, Interpolation::Linear);
    assert_eq!(names, ["LINEAR"]);
    for frame in 0..=24 {
        let (was, is) = (spline.at(frame as f32).unwrap(), translation(&exported).at(frame as f32).unwrap());
        assert!(was.distance(is) < 1e-3, "frame {frame}: {was} became {is}");
    }
}
