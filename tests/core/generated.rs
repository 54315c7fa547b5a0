//! Generated motions as takes: the command `motion`, and what the window does with them.

use crate::running::*;
use ossature::edit::motions::{Choice, add_basic_set};
use ossature::edit::request::Request;
use ossature::edit::session::Session;
use ossature::edit::settings::view::ViewSettings;
use std::path::Path;

const HUMAN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/media/js3d/A4-human.js3d");

fn takes(path: impl AsRef<Path>) -> Vec<String> {
    read(path).animation.takes.list.iter().map(|take| take.name.clone()).collect()
}

#[test]
fn motions_are_added_to_a_gltf_file_and_written_into_one() {
    let folder = Folder::new();
    let [walking, moving, back] = ["walking.glb", "moving.glb", "moving.js3d"].map(|name| folder.out(name));
    for arguments in [
        ["motion", HUMAN, "--add", "walk", "-o", &walking],
        ["motion", &walking, "--add", "idle", "-o", &moving],
        ["motion", &moving, "--add", "wave", "-o", &back],
    ] {
        let output = run(&arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(takes(&back), ["Walk", "Idle", "Wave"]);
    let body = concat!(env!("CARGO_MANIFEST_DIR"), "/media/obj/human.obj");
    let (error, _) = bad(&["motion", body, "--add", "walk", "-o", &back]);
    assert!(error.contains("ossature fit"), "{error}");
}

/// Of a gait that is wanted faster than legs can go, the fastest is made, and it says so; also beyond the end of the slider.
#[test]
fn a_speed_that_is_too_high_is_no_error() {
    let folder = Folder::new();
    let out = folder.out("fast.js3d");
    for (gait, wanted, speeds) in [("walk", "14", 7.0..9.0), ("run", "400", 20.0..23.0)] {
        let words = ["motion", HUMAN, "--add", gait, "--speed", wanted, "-o", &out, "--force"];
        let output = run(&[&words[..], &["--json"]].concat());
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let json: serde_json::Value = serde_json::from_str(&said).unwrap();
        let speed = json[0]["speed"].as_f64().unwrap();
        assert!(json[0]["slowed"] == true && speeds.contains(&speed), "{said}");
        let output = run(&words);
        assert!(String::from_utf8_lossy(&output.stderr).contains("no faster"), "{gait}");
    }
}

/// `walk` says of its takes what `motion` does; `fit` makes none.
#[test]
fn a_walker_tells_its_speed_and_when_feet_stand() {
    let folder = Folder::new();
    let body = concat!(env!("CARGO_MANIFEST_DIR"), "/media/obj/human.obj");
    let out = folder.out("walker.js3d");
    let said = |words: &[&str]| {
        let output = run(&[words, &[body, "-o", &out, "--force", "--json"]].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()
    };
    let walk = said(&["walk"]);
    let take = &walk["takes"][0];
    assert!(take["name"] == "Walk" && take["speed"].as_f64().unwrap() > 1.0, "{walk}");
    assert!(take["contacts"].as_array().unwrap().iter().all(|contact| contact["foot"].is_string()), "{walk}");
    assert_eq!(take["contacts"].as_array().unwrap().len(), 2);
    let basic = said(&["walk", "--basic-set"]);
    assert_eq!(basic["takes"].as_array().unwrap().len(), 8);
    assert!(said(&["fit"]).get("takes").is_none());
}

#[test]
fn what_plays_goes_on_while_the_basic_set_is_added() {
    let scene = read(HUMAN);
    let mesh = scene.skinned_meshes.keys().next().unwrap().clone();
    let (commands, _) = add_basic_set(&scene, &mesh, &Choice::default()).unwrap();
    let (mut session, mut settings) = (Session::new(scene, None), ViewSettings::default());
    settings.playback.play(&session.scene().animation.clip, 0.0);
    Request::Apply(commands).carry_out(&mut session, &mut settings, &Default::default()).unwrap();
    assert!(settings.playback.is_playing());
    assert_eq!(session.scene().animation.takes.list.len(), 8);
}
