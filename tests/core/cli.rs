//! The headless commands that inspect and change files, run as programs; errors, help, pipes.

use crate::editing;
use crate::editing::scene;
use crate::running::*;
use ossature::anim::take::Take;
use ossature::edit::command::Command as Edit;
use ossature::io::js3d;
use ossature::rig::poses::SavedPose;
use ossature::scene::Scene;
use serde_json::Value;
use std::process::{Command, Stdio};
use std::sync::Arc;

#[test]
fn info_says_what_is_in_the_file() {
    let folder = Folder::new();
    let file = folder.write("scene.js3d", &scene());
    let text = good(&["info", &file]);
    for part in ["Body here", "Eye", "Mid", "4 bones", "IK Branch", "bone.3.pose"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let info = json(&["info", &file]);
    assert_eq!(info["skinned_meshes"][0]["name"], "Body");
    assert_eq!(info["skinned_meshes"][0]["vertices"], 20);
    assert_eq!(info["skinned_meshes"][0]["unweighted"], 10);
    assert_eq!(info["skinned_meshes"][0]["bones"][1]["parent"], 0);
    assert_eq!(info["skinned_meshes"][0]["bones"][2]["name"], "bone 7");
    let of = |name: &str| {
        let all = info["properties"].as_array().expect("properties");
        all.iter().find(|of| of["name"] == name).expect(name)["values"].clone()
    };
    assert_eq!(of("Lens")["vertical_fov"], 60.0);
    assert_eq!(of("Lens")["near_plane"].to_string(), "0.1");
    assert_eq!(of("Lens")["film.sample_pattern"], "Center");
    assert_eq!(of("Eye")["transform"], "Place");
    assert_eq!(of("Place")["translation"], serde_json::json!([10.0, 0.0, 0.0]));
    // Two channels whose bone or handle is missing, and two instances without a material.
    assert_eq!(info["findings"], 4);
    assert!(text.contains("findings: 4 notes"), "{text}");
}

#[test]
fn check_tells_good_files_from_bad_ones() {
    let folder = Folder::new();
    let odd = folder.write("scene.js3d", &scene());
    assert!(good(&["check", &odd]).contains("note: "), "notes are no failure");
    let file = folder.write("arm.js3d", &arm());
    assert!(good(&["check", &file]).contains("nothing found"));
    let checked = json(&["check", &file]);
    assert_eq!((&checked["readable"], &checked["error"]), (&Value::Bool(true), &Value::Null));
    assert_eq!(checked["findings"].as_array().map(Vec::len), Some(0));

    let half = folder.path("half.js3d");
    let whole = std::fs::read(&file).unwrap();
    std::fs::write(&half, &whole[..whole.len() / 2]).unwrap();
    let half = half.display().to_string();
    let (error, output) = bad(&["check", &half]);
    assert!(error.contains("half.js3d") && output.is_empty(), "{error}");
    let (_, output) = bad(&["check", &half, "--json"]);
    let checked: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(checked["readable"], false);
    assert!(checked["error"].as_str().is_some_and(|text| text.len() > 10));
}

/// One damaged character of an array is an error with its location; the surface does not count as valid.
#[test]
fn check_fails_for_a_damaged_array() {
    let folder = Folder::new();
    let whole = String::from_utf8(js3d::write(&arm()).unwrap()).unwrap();
    let at = whole.find("\"vertex_positions\":\"vec3:").unwrap() + 40;
    let damaged = format!("{}*{}", &whole[..at], &whole[at + 1..]);
    let file = folder.path("damaged.js3d");
    std::fs::write(&file, damaged).unwrap();
    let file = file.display().to_string();
    let (error, output) = bad(&["check", &file]);
    assert!(error.contains("1 error"), "{error}");
    assert!(output.contains("(/scene/skinned_meshes/Arm/mesh/vertex_positions) [bad-blob]"), "{output}");
    assert!(output.contains("damaged") && !output.contains("valid"), "{output}");
    let (_, output) = bad(&["check", &file, "--json"]);
    let checked: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(checked["surfaces"][0]["damaged"], true);
    assert_eq!(checked["findings"][0]["loss"], true);
}

/// Repairs are reported: by `check` as its result, by other commands on stderr.
#[test]
fn findings_are_told() {
    let folder = Folder::new();
    let text = String::from_utf8(js3d::write(&arm()).unwrap()).unwrap();
    let odd = text.replacen("\"radius\"", "\"radios\"", 1);
    assert_ne!(text, odd);
    let file = folder.path("odd.js3d");
    std::fs::write(&file, odd).unwrap();
    let file = file.display().to_string();
    let checked: Value = serde_json::from_slice(&run(&["check", &file, "--json"]).stdout).unwrap();
    let findings = checked["findings"].as_array().unwrap();
    assert!(!findings.is_empty());
    let at = findings[0]["at"].as_str().unwrap();
    assert!(at.contains("Arm") && at.contains("bones/0"), "{at}");
    let output = run(&["pose", &file]);
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8(output.stderr).unwrap().contains(at));
}

#[test]
fn convert_keeps_every_byte_of_our_own_files() {
    let folder = Folder::new();
    let file = folder.write("in.js3d", &scene());
    let out = folder.out("out.js3d");
    assert_eq!(good(&["convert", &file, &out]), "");
    assert!(std::fs::read(&file).unwrap() == std::fs::read(&out).unwrap());
    good(&["convert", &file, &file]);
    assert!(std::fs::read(&file).unwrap() == std::fs::read(&out).unwrap());
    let (error, _) = bad(&["convert", &file, &folder.out("out.obj")]);
    assert!(error.contains("--mesh: “Body”, “Tail”"), "{error}");
    assert!(!folder.path("out.obj").exists());
    let (error, _) = bad(&["convert", &file, &folder.out("out.fbx")]);
    assert!(error.contains(".js3d"), "{error}");
}

#[test]
fn weights_are_those_of_the_window() {
    let folder = Folder::new();
    let file = folder.write("scene.js3d", &scene());
    let out = folder.out("bound.js3d");
    let one = json(&["weights", &file, "--mesh", "Body", "-o", &out]);
    assert_eq!(one[0]["vertices"], 20);
    let mut expected = scene();
    let calculate = |scene: &mut Scene, mesh: &str| {
        Edit::CalculateWeights { mesh: mesh.into(), method: Default::default() }.apply(scene).unwrap()
    };
    calculate(&mut expected, "Body");
    assert!(std::fs::read(&out).unwrap() == js3d::write(&expected).unwrap());
    good(&["weights", &file, "-o", &out]);
    calculate(&mut expected, "Tail");
    assert!(std::fs::read(&out).unwrap() == js3d::write(&expected).unwrap());
}

#[test]
fn what_is_wrong_is_said_on_the_error_stream() {
    let folder = Folder::new();
    let file = folder.write("scene.js3d", &scene());
    let missing = folder.out("missing.js3d");
    let out = folder.out("no/such/folder.js3d");
    let cases: [(&[&str], &str); 9] = [
        (&["info", &missing], "missing.js3d"),
        (&["convert", &missing, &folder.out("x.js3d")], "missing.js3d"),
        (&["convert", &file, &out], "folder.js3d"),
        (&["pose", &file], "--mesh"),
        (&["pose", &file, "--mesh", "Bdy"], "“Body”, “Tail”"),
        (
            &["pose", &file, "--mesh", "Body", "--set", "Nobody=1,2,3"],
            "“Nobody”; there are 0 (Root), 1 (Mid), 2 (bone 7), 3 (Branch)",
        ),
        (&["pose", &file, "--mesh", "Body", "--set", "9=1,2,3"], "there are 0 (Root), 1 (Mid)"),
        (&["pose", &file, "--mesh", "Body", "--set", "0=1,2,inf"], "finite"),
        (&["weights", &file, "--mesh", "Bdy", "-o", &out], "Bdy"),
    ];
    for (arguments, part) in cases {
        let (error, output) = bad(arguments);
        assert!(error.contains(part), "{part}: {error}");
        assert_eq!(output, "", "{arguments:?}");
    }
    // Invalid arguments exit with status 2.
    let usage: [&[&str]; 4] = [
        &["pose", &file, "--set", "0=1,2"],
        &["weights", &file],
        &["screenshot", &file, "-o", "x.png", "--size", "0x0"],
        &["no-such-command", "x", "y"],
    ];
    for arguments in usage {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(!output.stderr.is_empty() && output.stdout.is_empty());
    }
}

#[test]
fn help_shows_examples() {
    let all = good(&["--help"]);
    assert!(all.contains("ossature pose scene.js3d"), "{all}");
    for command in crate::running::COMMANDS {
        assert!(all.contains(command), "{command} in {all}");
        let help = good(&[command, "--help"]);
        assert!(help.contains(&format!("ossature {command} ")), "{help}");
    }
    assert!(good(&["--version"]).starts_with("ossature "));
}

/// `ossature pose … | head -1` must not end in a panic.
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = Folder::new();
    let file = folder.write("scene.js3d", &scene());
    let mut child = Command::new(env!("CARGO_BIN_EXE_ossature"))
        .args(["pose", &file, "--mesh", "Body"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(0));
}

#[cfg(not(feature = "editor"))]
#[test]
fn without_the_editor_there_is_no_window() {
    let folder = Folder::new();
    let file = folder.write("scene.js3d", &scene());
    let picture = folder.out("picture.png");
    let cases: [&[&str]; 3] = [&[], &[&file], &["screenshot", &file, "-o", &picture, "--select", "Body"]];
    for arguments in cases {
        let (error, _) = bad(arguments);
        assert!(error.contains("no window") && error.contains("cargo build"), "{error}");
    }
}

/// Names that clear the screen, set the terminal's title, break lines, and reverse text.
#[test]
fn names_cannot_write_to_the_terminal() {
    const HOSTILE: &str = "\u{1b}[2J\u{1b}]0;owned\u{7}\r\nerror: fake\u{202e}\u{2066}\u{9b}m\u{7f}";
    let folder = Folder::new();
    let mut scene = arm();
    let mut mesh = (*scene.skinned_meshes["Arm"]).clone();
    let skeleton = std::sync::Arc::make_mut(&mut mesh.skeleton);
    skeleton.bones[0].name = Some(HOSTILE.into());
    skeleton.handles.iter_mut().for_each(|handle| handle.name = Some(HOSTILE.into()));
    let pose = SavedPose::new(HOSTILE.into(), skeleton, &[], &[]);
    mesh.poses = vec![pose].into();
    let animation = std::sync::Arc::make_mut(&mut scene.animation);
    animation.takes.list.push(Take::new(HOSTILE, [0, 1]));
    scene.skinned_meshes.clear();
    scene.skinned_meshes.insert(HOSTILE.into(), std::sync::Arc::new(mesh));
    let name = format!("{HOSTILE}.js3d").replace('/', "");
    let file = folder.write(&name, &scene);
    let out = folder.out(&format!("{HOSTILE}-out.js3d"));
    let obj = folder.out(&format!("{HOSTILE}.obj"));
    let missing = folder.out(&format!("{HOSTILE}-missing.js3d"));
    let [gltf, script, picture] =
        ["glb", "jsonl", "png"].map(|kind| folder.out(&format!("{HOSTILE}.{kind}")));
    let step = format!("{{\"do\":[{{\"{}\":1}}]}}", HOSTILE.escape_default());
    std::fs::write(&script, step).unwrap();
    let broken = folder.out(&format!("{HOSTILE}-broken.js3d"));
    let text = String::from_utf8(js3d::write(&scene).unwrap()).unwrap();
    std::fs::write(&broken, text.replacen("\"radius\"", "\"radios\"", 1)).unwrap();
    let state = folder.out(HOSTILE);
    let commands: [&[&str]; 36] = [
        &["info", &file],
        &["info", &file, "--json"],
        &["check", &file],
        &["check", &broken],
        &["check", &broken, "--json"],
        &["check", &missing, "--json"],
        &["pose", &file],
        &["pose", &broken, "--json"],
        &["pose", &file, "--mesh", HOSTILE, "--set", "Nobody=1,2,3"],
        &["pose", &file, "--mesh", "Nobody"],
        &["pose", &file, "--mute", HOSTILE],
        &["ik", &file],
        &["ik", &file, "--json"],
        &["rig", &file, "-o", &out, "--json"],
        &["weights", &file, "-o", &out],
        &["weights", &file, "-o", &out, "--json"],
        &["skin", &file, "--space", "mesh", "-o", &obj],
        &["measure", &file],
        &["measure", &file, "--json"],
        &["info", &file, HOSTILE],
        &["takes", &file],
        &["takes", &file, "--json"],
        &["takes", &file, "--delete", "Nothing", "-o", &out],
        &["takes", &file, "--add", "\u{1b}[2J=1..0", "-o", &out],
        &["poses", &file],
        &["poses", &file, "--json"],
        &["poses", &file, "--rename", "\u{9b}m=\u{202e}", "-o", &out],
        &["convert", &file, &gltf, "--take", HOSTILE],
        &["convert", &gltf, &out, "--take", "\u{1b}[2J"],
        &["bake", &file, "-o", &out, "--mesh", HOSTILE],
        &["weights", &file, "-o", &out, "--bones", HOSTILE],
        &["paint", &file, "--bone", HOSTILE, "-o", &out],
        &["run", &script, &file, "-o", &out],
        &["recover", HOSTILE],
        &["history", HOSTILE],
        &["render", &file, "--take", "\u{1b}[2J", "-o", &picture],
    ];
    for arguments in commands {
        let mut program = Command::new(env!("CARGO_BIN_EXE_ossature"));
        let output = program.args(arguments).env("OSSATURE_STATE", &state).output().unwrap();
        let shown = [output.stdout.clone(), output.stderr].concat();
        let shown = String::from_utf8(shown).unwrap();
        let is_silent = ["convert", "bake", "run"].contains(&arguments[0]);
        assert!(is_silent || !shown.is_empty(), "{arguments:?}");
        let unsafe_character = |c: char| c != '\n' && (c.is_control() || "\u{202e}\u{2066}".contains(c));
        assert!(!shown.contains(unsafe_character), "{arguments:?}: {shown:?}");
        assert!(!shown.contains("\nerror: fake"), "{arguments:?}: {shown}");
        if arguments.contains(&"--json") {
            let json: Value = serde_json::from_slice(&output.stdout).unwrap();
            // Names of takes are read without control characters.
            let name = if arguments[0] == "takes" { "owned" } else { "owned\\u0007\\r\\n" };
            assert!(json.to_string().contains(name), "{json}");
        }
    }
}

/// A file is replaced only by one of the same kind, unless forced.
#[test]
fn files_of_another_kind_are_not_replaced() {
    let folder = Folder::new();
    let scene = folder.write("scene.js3d", &arm());
    let before = std::fs::read(&scene).unwrap();
    // A scene under the name of a mesh.
    for (name, arguments) in [
        ("mesh.obj", &["skin", &scene, "--space", "mesh", "-o", "OUT"][..]),
        ("mesh.obj", &["convert", &scene, "OUT"]),
    ] {
        let out = folder.out(name);
        std::fs::write(&out, &before).unwrap();
        let mut arguments: Vec<&str> =
            arguments.iter().map(|word| if *word == "OUT" { &*out } else { *word }).collect();
        let (error, _) = bad(&arguments);
        assert!(error.contains("it is a js3d scene") && error.contains("--force"), "{error}");
        assert!(std::fs::read(&out).unwrap() == before, "{arguments:?}");
        arguments.push("--force");
        assert_eq!(run(&arguments).status.code(), Some(0), "{arguments:?}");
        assert!(std::fs::read(&out).unwrap() != before, "{arguments:?}");
    }
    // A mesh under the name of a scene.
    let mesh = folder.out("mesh.obj");
    let named = folder.out("named.js3d");
    std::fs::copy(&mesh, &named).unwrap();
    for arguments in [
        &["convert", &scene, &named][..],
        &["rig", &scene, "--fit-radius", "-o", &named],
        &["weights", &scene, "-o", &named],
        &["bake", &scene, "-o", &named],
        &["ik", &scene, "-o", &named],
    ] {
        let (error, _) = bad(arguments);
        assert!(error.contains("it is an OBJ mesh"), "{error}");
        assert!(std::fs::read(&named).unwrap() == std::fs::read(&mesh).unwrap());
    }
    // Only the polygons of the mesh would survive.
    let (error, _) = bad(&["convert", &mesh, &mesh]);
    assert!(error.contains("cannot store a whole scene"), "{error}");
}

/// Writing over a damaged file does not destroy what could not be read.
#[test]
fn a_damaged_input_is_not_replaced() {
    let folder = Folder::new();
    let whole = String::from_utf8(js3d::write(&arm()).unwrap()).unwrap();
    let at = whole.find("\"vertex_positions\":\"vec3:").unwrap() + 40;
    let damaged = format!("{}*{}", &whole[..at], &whole[at + 1..]);
    let file = folder.out("damaged.js3d");
    std::fs::write(&file, &damaged).unwrap();
    for arguments in [
        &["convert", &file, &file][..],
        &["rig", &file, "--fit-radius", "-o", &file],
        &["weights", &file, "-o", &file],
        &["bake", &file, "-o", &file],
        &["ik", &file, "-o", &file],
    ] {
        let (error, _) = bad(arguments);
        assert!(error.contains("is damaged") && error.contains("--force"), "{error}");
        assert!(std::fs::read_to_string(&file).unwrap() == damaged, "{arguments:?}");
    }
    let elsewhere = folder.out("elsewhere.js3d");
    assert_eq!(run(&["convert", &file, &elsewhere]).status.code(), Some(0));
    assert_eq!(run(&["convert", &file, &file, "--force"]).status.code(), Some(0));
    assert!(std::fs::read(&file).unwrap() == std::fs::read(&elsewhere).unwrap());
}

/// More keys than a readable file can have are refused before they are made.
#[test]
fn what_could_not_be_opened_again_is_not_written() {
    let folder = Folder::new();
    let mut scene = arm();
    let skinned = Arc::make_mut(scene.skinned_meshes.get_mut("Arm").unwrap());
    let skeleton = Arc::make_mut(&mut skinned.skeleton);
    for parent in 1..220 {
        let tail = editing::bone(None, Some(parent), [0.0, 1.0, 0.0], parent + 1);
        skeleton.bones.push(tail);
    }
    skeleton.handles[0].bone = 220;
    let file = folder.write("scene.js3d", &scene);
    let out = folder.path("baked.js3d");
    let baked = out.display().to_string();
    let (error, _) = bad(&["bake", &file, "--frames", "0..9999", "-o", &baked]);
    assert!(error.contains("2097152"), "{error}");
    assert!(!out.exists());
}

/// Stacks that do not fit into memory simulate a system without a spare thread.
#[test]
fn without_threads_the_work_is_done_in_one() {
    let folder = Folder::new();
    let file = folder.write("scene.js3d", &arm());
    let [alone, usual] = ["alone.js3d", "usual.js3d"].map(|name| folder.out(name));
    let mut program = Command::new(env!("CARGO_BIN_EXE_ossature"));
    program.env("RUST_MIN_STACK", (1_u64 << 60).to_string());
    let output = program.args(["weights", &file, "-o", &alone]).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{error}");
    assert!(error.contains("cannot start another thread") && !error.contains("panicked"), "{error}");
    good(&["weights", &file, "-o", &usual]);
    assert!(std::fs::read(&alone).unwrap() == std::fs::read(&usual).unwrap());
}

/// A limit on file size is an error that leaves no partial file, not a crash.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_on_file_size_is_an_error() {
    let folder = Folder::new();
    let file = folder.write("scene.js3d", &scene());
    let out = folder.out("out.js3d");
    std::fs::write(&out, "{}").unwrap();
    let script = r#"ulimit -f 1; exec "$0" convert "$1" "$2""#;
    let shell = ["-c", script, env!("CARGO_BIN_EXE_ossature"), &file, &out];
    let output = Command::new("sh").args(shell).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("could not save (writing)") && error.contains("unchanged"), "{error}");
    assert_eq!(std::fs::read(&out).unwrap(), b"{}");
    assert_eq!(std::fs::read_dir(folder.path("")).unwrap().count(), 2);
}
