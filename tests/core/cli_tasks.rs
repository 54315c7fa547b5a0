//! Tasks of `ossature ik` other than targets, on the human of this repository. The results are read from the
//! written file by `ossature pose`, which ignores handles.

use crate::editing::skeleton;
use crate::running::*;
use glam::{DMat4, DVec3};
use serde_json::Value;

const HUMAN: &str = "media/js3d/A4-human.js3d";
/// The height from foot to head, in mesh units.
const HEIGHT: f64 = 5.7;

fn bone<'a>(pose: &'a Value, name: &str) -> &'a Value {
    let bones = pose["bones"].as_array().unwrap();
    bones.iter().find(|bone| bone["name"] == name).unwrap()
}

/// Returns where a bone starts, its tip, and the axes that it turns.
fn placed(pose: &Value, name: &str) -> (DVec3, DVec3, DMat4) {
    let bone = bone(pose, name);
    let [current, bind] = ["current", "bind"].map(|matrix| {
        let numbers: [f64; 16] = numbers(&bone[matrix]).try_into().unwrap();
        DMat4::from_cols_array(&numbers)
    });
    let tail: [f64; 3] = numbers(&bone["tip"]).try_into().unwrap();
    (current.w_axis.truncate(), tail.into(), current * bind.inverse())
}

/// Returns the pose and the path of the file that `ik` wrote with these arguments.
fn written(folder: &Folder, arguments: &[&str]) -> (Value, String) {
    let out = folder.out("posed.js3d");
    let solved = json(&[&["ik", HUMAN, "-o", &out, "--force"], arguments].concat());
    assert_eq!(solved["end"], "reached", "{arguments:?}: {solved}");
    (json(&["pose", &out]), out)
}

#[test]
fn pinned_feet_stay_where_and_as_they_are_while_a_free_root_comes_down() {
    let folder = Folder::new();
    let before = json(&["pose", HUMAN]);
    let pins = ["--pin", "foot.L", "--pin", "foot.R"];
    let down = ["--target", "pelvis=0,2.2,-0.3", "--chain", "root", "--free-root"];
    let (posed, out) = written(&folder, &[&pins[..], &down].concat());
    for foot in ["foot.L", "foot.R"] {
        let [was, is] = [&before, &posed].map(|pose| placed(pose, foot));
        assert!(was.1.distance(is.1) < 1e-3 * HEIGHT, "{foot}: {} {}", was.1, is.1);
        let turned = was.2.z_axis.truncate().angle_between(is.2.z_axis.truncate());
        assert!(turned.to_degrees() < 0.5, "{foot}: {turned}");
    }
    let pelvis = placed(&posed, "pelvis").1;
    assert!(pelvis.distance(DVec3::new(0.0, 2.2, -0.3)) < 1e-3 * HEIGHT, "{pelvis}");
    let scene = read(&out);
    let saved = skeleton(&scene, "Human_skinned_mesh");
    assert!(saved.root_free && saved.base_offset.y < -0.3, "{}", saved.base_offset);
    assert_eq!(saved.handles.iter().filter(|handle| handle.pinned).count(), 2);
    // Without pins the feet move along; without a free root the base stays.
    let held = json(&[&["ik", HUMAN], &pins[..], &down[..4]].concat());
    assert_eq!(numbers(&held["base_offset"]), [0.0; 3]);
    let (slid, _) = written(&folder, &down);
    let [was, is] = [&before, &slid].map(|pose| placed(pose, "foot.L").1);
    assert!(was.distance(is) > 0.1 * HEIGHT);
}

/// A turn by 20 degrees about y takes z to (sin 20, 0, cos 20).
#[test]
fn a_hand_is_oriented() {
    let folder = Folder::new();
    let limit = "hand.R=-40..40,-20..20,-30..30";
    let (posed, out) = written(&folder, &["--orient", "hand.R=0,20,0", "--limit", limit]);
    let (_, _, turn) = placed(&posed, "hand.R");
    let angle = 20f64.to_radians();
    let z = DVec3::new(angle.sin(), 0.0, angle.cos());
    assert!(turn.z_axis.truncate().distance(z) < 1e-3, "{turn}");
    assert!(turn.y_axis.truncate().distance(DVec3::Y) < 1e-3, "{turn}");
    let scene = read(&out);
    let saved = skeleton(&scene, "Human_skinned_mesh");
    let kept = saved.handles.iter().find_map(|handle| handle.orientation).unwrap();
    let noise = |part: &f32| *part != 0.0 && part.abs() < 1e-7;
    assert!(!kept.rotation.to_array().iter().any(noise), "{kept:?}");
    for wrong in ["hand.R=1e30,0,0", "hand.R=0,9999,0"] {
        let refused = run(&["ik", HUMAN, "--orient", wrong]);
        let error = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(!refused.status.success() && error.contains("3600"), "{error}");
    }
}

#[test]
fn a_head_looks_at_a_place() {
    let folder = Folder::new();
    let (posed, _) = written(&folder, &["--look", "head=1,5.5,3"]);
    let (start, _, turn) = placed(&posed, "head");
    let wanted = DVec3::new(1.0, 5.5, 3.0) - start;
    let off = turn.z_axis.truncate().angle_between(wanted).to_degrees();
    assert!(off < 0.1, "{off}");
    let before = placed(&json(&["pose", HUMAN]), "head").2.z_axis.truncate();
    assert!(before.angle_between(wanted).to_degrees() > 10.0);
    let (error, _) = bad(&["ik", HUMAN, "--look", "head=1,5,3", "--target", "head=1,5,3"]);
    assert!(error.contains("--look"), "{error}");
}

#[test]
fn a_chain_is_of_something() {
    let (error, _) = bad(&["ik", HUMAN, "--chain", "root"]);
    assert!(error.contains("--chain") && error.contains("--target"), "{error}");
}

fn note(arguments: &[&str]) -> String {
    let done = run(arguments);
    assert_eq!(done.status.code(), Some(0), "{arguments:?}");
    String::from_utf8(done.stderr).unwrap()
}

#[test]
fn gradient_descent_says_what_it_leaves_out() {
    let asked = ["ik", HUMAN, "--target", "forearm.L=1.2,4,1", "--solver", "fixed"];
    assert_eq!(note(&asked), "");
    let tasks = ["--pole", "forearm.L=3,1,-1", "--orient", "hand.R=0,5,0", "--free-root"];
    let said = note(&[&asked[..], &tasks].concat());
    for left_out in ["pole of forearm.L", "orientation of hand.R", "free root"] {
        assert!(said.contains(left_out), "{left_out}: {said}");
    }
    assert!(!note(&[&asked[..4], &tasks].concat()).contains("leaves out"));
}

#[test]
fn angles_beyond_limits_are_told() {
    let said = note(&["pose", HUMAN, "--set", "forearm.L=200,0,0"]);
    assert!(said.contains("forearm.L") && said.contains("200°") && said.contains("about x"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

/// A handle goes with the other hand afterwards, from where it is.
#[test]
fn a_handle_is_put_in_a_space() {
    let folder = Folder::new();
    let target = ["--target", "hand.L=0.6,3.5,0.9"];
    let (before, _) = written(&folder, &target);
    let (posed, out) = written(&folder, &[&target[..], &["--space", "hand.L=hand.R"]].concat());
    assert_eq!(placed(&posed, "hand.L").1, placed(&before, "hand.L").1);
    let scene = read(&out);
    let saved = skeleton(&scene, "Human_skinned_mesh");
    let other = saved.bones.iter().find(|bone| bone.name.as_deref() == Some("hand.R")).unwrap();
    assert_eq!(saved.handles[0].space, Some(other.channel_id));
    let wrong = [&["ik", HUMAN], &target[..], &["--space", "hand.L=hand.L"]].concat();
    assert!(bad(&wrong).0.contains("hand.L"));
}
