//! `ossature pose` and `ossature ik`, run as programs, against numbers worked out by hand.

use crate::editing::{scene, skeleton};
use crate::running::*;
use glam::Vec3;
use std::sync::Arc;

/// Each side has the angles of the other; a zero is printed as 0, not -0.
#[test]
fn a_mirrored_pose_is_printed() {
    let human = "media/js3d/A4-human.js3d";
    let pose = json(&["pose", human, "--set", "upper_arm.L=30,0,40", "--mirror"]);
    let of = |name: &str| {
        let bones = pose["bones"].as_array().unwrap();
        numbers(&bones.iter().find(|bone| bone["name"] == name).unwrap()["pose_deg"])
    };
    assert_eq!(of("upper_arm.R"), [30.0, 0.0, -40.0]);
    assert_eq!(of("upper_arm.L"), [0.0; 3]);
    let text = pose.to_string();
    assert!(!text.contains("-0.0,") && !text.contains("-0.0]"), "{text}");
}

/// The tail goes there, no handle remains, and bones of the other side do not turn unless they are asked to.
#[test]
fn a_dragged_tail_leaves_a_pose() {
    let (human, folder) = ("media/js3d/A4-human.js3d", Folder::new());
    let out = folder.out("dragged.js3d");
    good(&["drag", human, "hand.L=1.2,4.2,1", "-o", &out]);
    let pose = json(&["pose", &out]);
    let tip = |pose: &serde_json::Value, name: &str| {
        let bones = pose["bones"].as_array().unwrap();
        numbers(&bones.iter().find(|bone| bone["name"] == name).unwrap()["tip"])
    };
    assert_near(&tip(&pose, "hand.L"), &[1.2, 4.2, 1.0], "dragged tail");
    assert_eq!(pose["handles"].as_array().unwrap().len(), 0);
    let turned = |arguments: &[&str]| {
        let dragged = json(&[&["drag", human, "hand.L=1.2,4.2,1"], arguments].concat());
        let bones = dragged["bones"].as_array().unwrap();
        bones.iter().map(|bone| bone["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let arm = ["clavicle.L", "upper_arm.L", "forearm.L"];
    let other = arm.map(|name| name.replace(".L", ".R"));
    assert_eq!(turned(&[]), arm);
    assert_eq!(turned(&["--symmetric"]), [arm.map(str::to_owned), other].concat());
    assert!(turned(&["--whole-body"]).contains(&"pelvis".to_owned()));
}

/// A limit that is not in the file applies; the pole decides where the elbow goes.
#[test]
fn limits_and_poles_of_the_command_line_hold() {
    let human = "media/js3d/A4-human.js3d";
    let reach = ["ik", human, "--target", "forearm.L=1.2,4,1"];
    let of = |pose: &serde_json::Value, name: &str| {
        let bones = pose["bones"].as_array().unwrap();
        numbers(&bones.iter().find(|bone| bone["name"] == name).unwrap()["pose_deg"])
    };
    let limited = json(&[&reach[..], &["--limit", "upper_arm.L=-5..5,-5..5,-5..5"]].concat());
    assert!(of(&limited, "upper_arm.L").iter().all(|angle| angle.abs() <= 5.0));
    assert_ne!(limited["end"], "reached");
    let poles = ["forearm.L=3,6,-1", "forearm.L=3,1,-1"];
    let [up, down] = poles.map(|pole| json(&[&reach[..], &["--pole", pole]].concat()));
    let (up, down) = (of(&up, "upper_arm.L"), of(&down, "upper_arm.L"));
    assert!(up.iter().zip(&down).any(|(a, b)| (a - b).abs() > 10.0), "{up:?} {down:?}");
}

/// Turning Upper by 90 degrees about x takes y to z and z to -y. Numbers worked out by hand.
#[test]
fn pose_prints_matrices_tips_energy_and_gradient() {
    let folder = Folder::new();
    let file = folder.write("arm.js3d", &arm());
    let pose = json(&["pose", &file, "--set", "Upper=90,0,0"]);
    let (upper, lower) = (&pose["bones"][0], &pose["bones"][1]);
    #[rustfmt::skip]
    let identity = [1.0, 0.0, 0.0, 0.0,  0.0, 1.0, 0.0, 0.0,  0.0, 0.0, 1.0, 0.0,  0.0, 0.0, 0.0, 1.0];
    #[rustfmt::skip]
    let turned = [1.0, 0.0, 0.0, 0.0,  0.0, 0.0, 1.0, 0.0,  0.0, -1.0, 0.0, 0.0,  0.0, 0.0, 0.0, 1.0];
    let moved = |mut matrix: [f64; 16], by: [f64; 3]| {
        matrix[12..15].copy_from_slice(&by);
        matrix
    };
    assert_near(&numbers(&upper["bind"]), &identity, "bind of Upper");
    assert_near(&numbers(&lower["bind"]), &moved(identity, [0.0, 1.0, 0.0]), "bind of Lower");
    assert_near(&numbers(&upper["current"]), &turned, "current of Upper");
    assert_near(&numbers(&lower["current"]), &moved(turned, [0.0, 0.0, 1.0]), "current of Lower");
    assert_near(&numbers(&upper["tip"]), &[0.0, 0.0, 1.0], "tip of Upper");
    assert_near(&numbers(&lower["tip"]), &[0.0, 0.0, 2.0], "tip of Lower");
    // The tip is one below its target (0, 1, 2), at arms of 2 and 1.
    assert_near(&[pose["energy"].as_f64().unwrap()], &[0.5], "energy");
    assert_near(&numbers(&upper["gradient"]), &[2.0, 0.0, 0.0], "gradient of Upper");
    assert_near(&numbers(&lower["gradient"]), &[1.0, 0.0, 0.0], "gradient of Lower");
    assert_near(&[pose["handles"][0]["distance"].as_f64().unwrap()], &[1.0], "distance");
    assert_eq!(numbers(&upper["pose_deg"]), [90.0, 0.0, 0.0]);

    let by_index = json(&["pose", &file, "--set", "0=90,0,0", "--mesh", "Arm"]);
    assert_eq!(by_index, pose);
    let text = good(&["pose", &file, "--set", "0=90,0,0"]);
    let line = text.lines().find(|line| line.trim_start().starts_with("bind")).unwrap();
    assert_eq!(line.split_whitespace().count(), 17, "{line}");
}

/// Channel `bone.3.pose` turns Mid by 0..90 degrees over ten frames, on a straight line.
#[test]
fn pose_drives_channels() {
    let folder = Folder::new();
    let file = folder.write("scene.js3d", &scene());
    let mid = |frame: &str| {
        let pose = json(&["pose", &file, "--mesh", "Body", "--frame", frame]);
        numbers(&pose["bones"][1]["pose_deg"])
    };
    assert_near(&mid("5"), &[45.0, 0.0, 0.0], "half way");
    assert_near(&mid("-3"), &[0.0, 0.0, 0.0], "before the first knot");
    assert_near(&mid("1000"), &[90.0, 0.0, 0.0], "after the last knot");
    let (error, _) = bad(&["pose", &file, "--mesh", "Body", "--frame", "nan"]);
    assert!(error.contains("--frame"), "{error}");
}

#[test]
fn ik_reaches_its_target_and_saves_the_pose() {
    let folder = Folder::new();
    let mut scene = arm();
    let mut arm = (*scene.skinned_meshes["Arm"]).clone();
    Arc::make_mut(&mut arm.skeleton).handles.clear();
    scene.skinned_meshes.insert("Arm".into(), Arc::new(arm));
    let file = folder.write("arm.js3d", &scene);
    let (error, _) = bad(&["ik", &file]);
    assert!(error.contains("--target"), "{error}");

    let out = folder.out("reached.js3d");
    let arguments =
        ["ik", &file, "--target", "Lower=0,1.2,1.2", "--chain", "root", "--steps", "500", "-o", &out];
    let solved = json(&arguments);
    let energies = numbers(&solved["energies"]);
    let steps = solved["steps"].as_u64().unwrap() as usize;
    assert_eq!(energies.len(), steps + 1);
    // From the tip (0, 2, 0) to the target: half of 0.8^2 + 1.2^2.
    assert_near(&energies[..1], &[1.04], "energy at first");
    assert!(energies.is_sorted_by(|a, b| a >= b), "{energies:?}");
    assert!(solved["handles"][0]["distance"].as_f64().unwrap() < 1e-3, "{solved}");
    let tip = numbers(&solved["handles"][0]["tip"]);
    assert!((tip[1] - 1.2).abs() < 1e-3 && (tip[2] - 1.2).abs() < 1e-3, "{tip:?}");

    let reached = read(&out);
    let saved = skeleton(&reached, "Arm");
    assert!(saved.handles[0].enabled && saved.handles[0].target == Vec3::new(0.0, 1.2, 1.2));
    for (index, bone) in saved.bones.iter().enumerate() {
        let printed = numbers(&solved["bones"][index]["pose_deg"]);
        assert_near(&bone.pose_deg.to_array().map(f64::from), &printed, "pose saved");
    }
    let few = ["ik", &file, "--target", "1=0,1.2,1.2", "--chain", "root", "--steps", "2"];
    let few = json(&few);
    assert!(few["steps"].as_u64().unwrap() <= 2 && few["converged"] == false);
    assert!(good(&arguments[..8]).contains("energy 0 "));
}

#[test]
fn ik_says_when_a_target_is_out_of_reach() {
    let folder = Folder::new();
    let file = folder.write("arm.js3d", &arm());
    for target in ["Lower=0,0,1e30", "Lower=0,0,5"] {
        let arguments = ["ik", &file, "--target", target, "--steps", "300"];
        let text = good(&arguments);
        let first = text.lines().next().unwrap();
        assert!(first.contains("out of reach") && first.contains("Lower"), "{first}");
        assert_eq!(json(&arguments)["reached"], false);
    }
    let arguments = ["ik", &file, "--target", "Lower=0,1.2,1.2", "--steps", "300"];
    assert_eq!(json(&arguments)["reached"], true);
    assert!(!good(&arguments).contains("out of reach"));
}

#[test]
fn ik_takes_the_solver_that_is_asked_for() {
    let folder = Folder::new();
    let file = folder.write("arm.js3d", &arm());
    let target = ["ik", &file, "--target", "Lower=0,1.2,1.2", "--steps", "400"];
    let steps = |more: &[&str]| {
        let solved = json(&[&target[..], more].concat());
        assert_eq!(solved["reached"], true, "{more:?}");
        solved["steps"].as_u64().unwrap()
    };
    let damped = steps(&[]);
    assert_eq!(steps(&["--solver", "damped"]), damped);
    for earlier in ["lbfgs", "searched"] {
        assert_eq!(steps(&["--solver", earlier]), damped);
    }
    let fixed = steps(&["--solver", "fixed", "--step-size", "0.2"]);
    assert!(fixed > damped && steps(&["--solver", "fixed", "--step-size", "0.1"]) > fixed);
    for wrong in [&["--solver", "best"][..], &["--solver", "fixed", "--step-size", "0"]] {
        let (error, _) = bad(&[&target[..], wrong].concat());
        assert!(error.contains("solver") || error.contains("--step-size"), "{error}");
    }
}

/// A hand's handle turns the arm and leaves the trunk alone, unless the whole body is requested.
#[test]
fn ik_turns_the_limb_or_as_much_as_is_asked_for() {
    let folder = Folder::new();
    let human = format!("{}/media/js3d/A4-human.js3d", env!("CARGO_MANIFEST_DIR"));
    let out = folder.out("reached.js3d");
    let turned = |more: &[&str]| -> Vec<String> {
        let target = ["ik", &human, "--target", "forearm.L=1.6,4.6,0.6", "-o", &out];
        let solved = json(&[&target[..], more].concat());
        assert_eq!((&solved["end"], &solved["reached"]), (&"reached".into(), &true.into()));
        let saved = read(&out);
        let saved = skeleton(&saved, "Human_skinned_mesh");
        let bones = saved.bones.iter().filter(|bone| bone.pose_deg != Vec3::ZERO);
        bones.map(|bone| bone.name.as_deref().unwrap().to_owned()).collect()
    };
    let arm = ["upper_arm.L", "forearm.L"];
    assert_eq!(turned(&["--chain", "limb"]), arm);
    assert_eq!(turned(&[]), arm);
    assert_eq!(turned(&["--chain", "3"]), ["clavicle.L", "upper_arm.L", "forearm.L"]);
    let body = turned(&["--chain", "root"]);
    assert!(body.contains(&"pelvis".to_owned()) && body.len() == 7, "{body:?}");
    for bad in ["0", "1.5", "arm", ""] {
        let output = run(&["ik", &human, "--target", "forearm.L=1,4,0", "--chain", bad]);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && error.contains("--chain"), "{bad}: {error}");
    }
}

/// Text and JSON agree on the outcome.
#[test]
fn ik_tells_reached_from_out_of_reach_and_not_finished() {
    let folder = Folder::new();
    let file = folder.write("arm.js3d", &arm());
    for (target, steps, end, text) in [
        ("Lower=0,1.2,1.2", "300", "reached", "reached"),
        ("Lower=0,0,5", "300", "out_of_reach", "out of reach: the tail of IK Lower ends 3"),
        ("Lower=1e11,0,0", "300", "out_of_reach", "out of reach: the tail of IK Lower ends"),
        ("Lower=0,0,1e30", "300", "out_of_reach", "out of reach"),
        ("Lower=0,1.2,1.2", "1", "unfinished", "not finished: the tail of IK Lower ends"),
    ] {
        let arguments = ["ik", &file, "--target", target, "--steps", steps];
        let solved = json(&arguments);
        assert_eq!(solved["end"], end, "{target}: {solved}");
        assert_eq!(solved["reached"], end == "reached", "{target}");
        assert_eq!(solved["converged"], end != "unfinished", "{target}");
        assert!(solved["steps"].as_u64().unwrap() > 0, "{target}");
        let said = good(&arguments);
        assert!(said.lines().next().unwrap().contains(text), "{target}: {said}");
    }
}

/// 4,000 handles once took half an hour, and 20,000 took 28.8 GB. They are reported, and solving ends.
#[test]
fn thousands_of_handles_are_told_and_bounded() {
    let folder = Folder::new();
    let mut scene = arm();
    let mut long = (*scene.skinned_meshes["Arm"]).clone();
    let skeleton = Arc::make_mut(&mut long.skeleton);
    let (bone, handle) = (skeleton.bones[1].clone(), skeleton.handles[0].clone());
    for at in 2..4000 {
        let mut bone = bone.clone();
        (bone.parent, bone.channel_id, bone.name) = (Some(at - 1), 100 + at, None);
        skeleton.bones.push(bone);
        let mut handle = handle.clone();
        (handle.bone, handle.channel_id, handle.enabled) = (at, 100 + at, true);
        skeleton.handles.push(handle);
    }
    scene.skinned_meshes.insert("Arm".into(), Arc::new(long));
    let file = folder.write("long.js3d", &scene);
    let check = run(&["check", &file]);
    assert_eq!(check.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&check.stdout).contains("handles are enabled"));
    let begun = std::time::Instant::now();
    let output = run(&["ik", &file, "--json"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(begun.elapsed().as_secs() < 30, "{:?}", begun.elapsed());
    assert!(String::from_utf8_lossy(&output.stderr).contains("handles are enabled"));
}
