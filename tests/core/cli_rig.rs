//! `ossature rig`: the same results as the window's commands.

use crate::editing::{scene, skeleton};
use crate::running::*;
use crate::support::filed;
use glam::Vec3;
use ossature::edit::command::Command;
use ossature::io::js3d;
use ossature::math::axis::Axis;
use ossature::rig::edits::roll::RollTo;

#[test]
fn rig_gives_what_the_commands_give() {
    let folder = Folder::new();
    let file = folder.write("scene.js3d", &scene());
    let out = folder.path("out.js3d").display().to_string();
    let text = good(&[
        "rig",
        &file,
        "--mesh",
        "Body",
        "--mirror",
        "Branch",
        "--align-roll",
        "Mid",
        "--fit-radius",
        "--scale-radius",
        "1.5",
        "-o",
        &out,
    ]);
    assert!(text.contains("5 bones, 1 of them new"), "{text}");

    let (mut expected, _) = js3d::read(&js3d::write(&scene()).unwrap()).unwrap();
    let mesh = || "Body".to_owned();
    let all = || (0..5).collect();
    let to = RollTo::BendPlane;
    // Mid with its child, bone 2.
    for command in [
        Command::MirrorBones { mesh: mesh(), bones: vec![3], axis: Some(Axis::X) },
        Command::AlignRoll { mesh: mesh(), bones: vec![1, 2], to },
        Command::FitRadius { mesh: mesh(), bones: all() },
        Command::ScaleRadius { mesh: mesh(), bones: all(), factor: 1.5 },
    ] {
        command.apply(&mut expected).unwrap();
    }
    let (written, _) = js3d::read_file(out.as_ref()).unwrap();
    assert!(filed(&written) == filed(&expected));
    let names: Vec<String> = (0..5).map(|b| skeleton(&written, "Body").bone_name(b)).collect();
    assert_eq!(names, ["Root", "Mid", "bone 7", "Branch.L", "Branch.R"]);

    let said = json(&["rig", &file, "--mesh", "Body", "--mirror", "3", "-o", &out]);
    assert_eq!(said["bones"][4]["name"], "Branch.R");
    assert_eq!(said["bones"][4]["extent"][0], -1.0);
}

#[test]
fn rig_rotates_and_scales_bones() {
    let folder = Folder::new();
    let file = folder.write("scene.js3d", &scene());
    let out = folder.path("out.js3d").display().to_string();
    good(&["rig", &file, "--mesh", "Body", "--rotate", "Mid=0,0,90", "--scale-bone", "Root=2", "-o", &out]);
    let (written, _) = js3d::read_file(out.as_ref()).unwrap();
    let (before, after) = (scene(), written);
    let [was, is] = [&before, &after].map(|scene| skeleton(scene, "Body").bones.clone());
    assert_eq!(is[0].extent, was[0].extent * 2.0);
    for bone in [1, 2] {
        let quarter = Vec3::new(-was[bone].extent.y, was[bone].extent.x, was[bone].extent.z);
        assert!(is[bone].extent.distance(quarter) < 1e-6, "{bone}");
    }
    assert_eq!(is[3], was[3]);
}

#[test]
fn rig_refuses_what_makes_no_sense() {
    let folder = Folder::new();
    let file = folder.write("scene.js3d", &scene());
    let out = folder.path("out.js3d");
    let to = out.display().to_string();
    for (option, value, part) in [
        ("--mirror", "Nobody", "Nobody"),
        // The only bone points along z from the origin, so it is its own mirror image across x.
        ("--mirror", "0", "plane of symmetry"),
        ("--scale-radius", "0", "above zero"),
        ("--scale-bone", "0=0", "above zero"),
        ("--scale-bone", "0", "BONE=factor"),
        ("--rotate", "0=nan,0,0", "finite"),
        ("--across", "w", "possible values"),
    ] {
        let (error, _) = bad(&["rig", &file, "--mesh", "Tail", "-o", &to, option, value]);
        assert!(error.contains(part), "{value}: {error}");
        assert!(!out.exists(), "{value}");
    }
}

/// The children follow the same rule as in the window: their tips stay, or they move along.
#[test]
fn a_new_extent_leaves_the_children_or_takes_them_along() {
    let folder = Folder::new();
    let bar = concat!(env!("CARGO_MANIFEST_DIR"), "/media/js3d/bar.js3d").to_owned();
    let out = folder.out("out.js3d");
    let tips = |path: &str| {
        let pose = json(&["pose", path]);
        let tip = |bone: usize, k: usize| pose["bones"][bone]["tip"][k].as_f64().unwrap();
        [0, 1].map(|bone| [0, 1, 2].map(|k| tip(bone, k)))
    };
    let before = tips(&bar);
    for (rule, moves) in [("stay", 0.0), ("along", 0.25)] {
        let (scene, _) = ossature::io::js3d::read_file(bar.as_ref()).unwrap();
        let extent = scene.skinned_meshes["Tube"].skeleton.bones[0].extent;
        let set = format!("0={},{},{}", extent.x, extent.y, extent.z + 0.25);
        good(&["rig", &bar, "--extent", &set, "--children", rule, "-o", &out]);
        let after = tips(&out);
        assert!((after[0][2] - before[0][2] - 0.25).abs() < 1e-6, "{rule}");
        assert!((after[1][2] - before[1][2] - moves).abs() < 1e-6, "{rule}");
    }
}
