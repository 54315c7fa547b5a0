//! Frame rate, length and play range in js3d files.

use ossature::anim::channel::{Animation, Channel};
use ossature::anim::clip::Clip;
use ossature::anim::spline::Spline;
use ossature::io::js3d;
use ossature::scene::Scene;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Returns a file whose animator has a key at `last` and the given members.
fn text(last: f32, members: &Value) -> Vec<u8> {
    let mut animator = json!({"FORMAT": "js3d-v1", "splines": {}});
    let spline = json!({"type": "float", "knots": [0, 1, last, 2]});
    animator["splines"]["Nobody"] = json!({"x": spline});
    let object = animator.as_object_mut().unwrap();
    object.extend(members.as_object().unwrap().clone());
    json!({"scene": {}, "animator": animator}).to_string().into_bytes()
}

fn read(last: f32, members: Value) -> (Clip, Vec<&'static str>) {
    let (scene, report) = js3d::read(&text(last, &members)).unwrap();
    let codes = report.findings.iter().map(|f| f.code);
    let ours = codes.filter(|c| ["bad-clip", "keys-behind-end"].contains(c));
    (scene.animation.clip, ours.collect())
}

#[test]
fn files_that_say_nothing_mean_24_a_second_and_96_frames_or_up_to_the_last_key() {
    assert_eq!(read(10.0, json!({})), (Clip::default(), vec![]));
    assert_eq!(read(95.0, json!({})).0.length, 96);
    assert_eq!(read(130.0, json!({})).0.length, 131);
    assert_eq!(read(130.5, json!({})).0.length, 132);
    assert_eq!(read(1e30, json!({})).0.length, Clip::MAX_LENGTH);
}

#[test]
fn what_is_set_comes_back_and_what_is_default_is_not_written() {
    for clip in [
        Clip::default(),
        Clip { rate: 29.97, ..Clip::default() },
        Clip { length: 33, ..Clip::default() },
        Clip { rate: 60.0, length: 1, range: Some([0, 0]) },
        Clip { rate: 24.0, length: 96, range: Some([10, 95]) },
    ] {
        let scene =
            Scene { animation: Arc::new(Animation { clip, ..Animation::default() }), ..Scene::default() };
        let written = js3d::write(&scene).unwrap();
        let (again, _) = js3d::read(&written).unwrap();
        assert_eq!(again.animation.clip, clip);
        assert_eq!(js3d::write(&again).unwrap(), written);
        let document: Value = serde_json::from_slice(&written).unwrap();
        let members = document["animator"].as_object().unwrap();
        let differing = usize::from(clip.rate != 24.0) + usize::from(clip.length != 96);
        assert_eq!(members.len(), 2 + differing + usize::from(clip.range.is_some()));
        if clip.rate == 29.97 {
            assert_eq!(members["frames_per_second"], json!(29.97));
        }
    }
}

#[test]
fn a_length_that_follows_from_the_keys_is_not_written() {
    let channel = Channel::Float(Spline::from_knots(vec![(0.0, 1.0), (200.0, 2.0)]));
    let of = BTreeMap::from([("x".to_owned(), Arc::new(channel))]);
    let mut animation =
        Animation { channels: BTreeMap::from([("Nobody".to_owned(), of)]), ..Animation::default() };
    animation.clip = animation.default_clip();
    assert_eq!(animation.clip.length, 201);
    let scene = Scene { animation: Arc::new(animation), ..Scene::default() };
    let written = String::from_utf8(js3d::write(&scene).unwrap()).unwrap();
    assert!(!written.contains("\"frames\""), "{written}");
    assert_eq!(js3d::read(written.as_bytes()).unwrap().0, scene);
}

#[test]
fn what_makes_no_sense_is_told_and_replaced() {
    for members in [
        json!({"frames_per_second": 0}),
        json!({"frames_per_second": 241}),
        json!({"frames_per_second": "fast"}),
        json!({"frames": 0}),
        json!({"frames": 1.5}),
        json!({"frames": -4}),
        json!({"frames": 1_000_001}),
        json!({"frames": []}),
        json!({"play_range": [5, 4]}),
        json!({"play_range": [5, 96]}),
        json!({"play_range": [5]}),
        json!({"play_range": 5}),
        json!({"play_range": [0, "x"]}),
    ] {
        assert_eq!(read(10.0, members.clone()), (Clip::default(), vec!["bad-clip"]), "{members}");
    }
    let (clip, findings) = read(50.0, json!({"frames": 20, "play_range": [30, 50]}));
    assert_eq!((clip.length, clip.range, findings), (51, Some([30, 50]), vec!["keys-behind-end"]));
}
