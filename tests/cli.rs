//! The headless commands, run as programs on small scenes that are written here.

mod editing;

use editing::{bone, column, handle, scene, skeleton};
use glam::{Quat, Vec3};
use ossature::edit::command::Command as Edit;
use ossature::io::js3d;
use ossature::rig::skeleton::Skeleton;
use ossature::rig::weights::VertexWeights;
use ossature::scene::Scene;
use ossature::scene::instance::{GeometryInstance, InstanceKind, InstanceRef};
use ossature::scene::resource::Transform;
use ossature::scene::skinned::SkinnedMesh;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use tempfile::TempDir;

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a scene and returns its path.
    fn write(&self, name: &str, scene: &Scene) -> String {
        let path = self.path(name);
        std::fs::write(&path, js3d::write(scene).unwrap()).unwrap();
        path.display().to_string()
    }

    fn out(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }
}

fn run(arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_ossature"));
    program.args(arguments).output().unwrap()
}

/// Output of a run that must succeed, with nothing on the error stream.
fn good(arguments: &[&str]) -> String {
    let output = run(arguments);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {error}");
    assert_eq!(error, "", "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let text = good(&[arguments, &["--json"]].concat());
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

/// Message of a run that must fail with status 1, and its output.
fn bad(arguments: &[&str]) -> (String, String) {
    let output = run(arguments);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {error}");
    assert!(
        error.starts_with("error: ") || error.contains("\nerror: "),
        "{arguments:?}: {error}"
    );
    assert!(!error.contains("panicked"), "{error}");
    (error, String::from_utf8(output.stdout).unwrap())
}

fn read(path: impl AsRef<Path>) -> Scene {
    js3d::read_file(path.as_ref()).unwrap().0
}

fn numbers(value: &Value) -> Vec<f64> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|n| n.as_f64().unwrap())
        .collect()
}

fn assert_near(found: &[f64], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let far = found.iter().zip(expected).any(|(a, b)| (a - b).abs() > 1e-6);
    assert!(!far, "{what}: {found:?}, expected {expected:?}");
}

/// Two bones upwards, Upper and Lower; everything follows Upper. One handle on Lower, enabled.
fn arm() -> Scene {
    let surface = column(1);
    let vertices = surface.vertex_count();
    let mut pull = handle(1, [0.0, 1.0, 2.0], 0);
    pull.enabled = true;
    let mut bones = vec![
        bone(Some("Upper"), None, [0.0, 1.0, 0.0], 0),
        bone(Some("Lower"), Some(0), [0.0, 1.0, 0.0], 1),
    ];
    bones.iter_mut().for_each(|b| b.roll_deg = 0.0);
    let arm = SkinnedMesh {
        surface: Arc::new(surface),
        weights: Arc::new(VertexWeights {
            ends: (1..=vertices as u32).collect(),
            bones: vec![0; vertices],
            weights: vec![1.0; vertices],
        }),
        skeleton: Arc::new(Skeleton {
            bones,
            handles: vec![pull],
            ..Skeleton::default()
        }),
        ..SkinnedMesh::default()
    };
    let mut scene = Scene::default();
    scene.skinned_meshes.insert("Arm".into(), Arc::new(arm));
    scene
}

/// The arm placed by the given transform.
fn placed(translation: Vec3, rotation: Quat, scale: Vec3) -> Scene {
    let mut scene = arm();
    let transform = Transform {
        parent: None,
        translation,
        rotation,
        scale,
        extra: Default::default(),
    };
    scene.transforms.insert("Place".into(), Arc::new(transform));
    let instance = GeometryInstance {
        transform: Some("Place".into()),
        of: Some("Arm".into()),
        ..GeometryInstance::default()
    };
    scene
        .instances
        .skinned_meshes
        .insert("Arm here".into(), Arc::new(instance));
    scene
}

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
    assert_eq!(info["skinned_meshes"][0]["bones"][2]["name"], "bone 2");
    // Two channels without their bone and handle, and an instance without a material.
    assert_eq!(info["findings"], 3);
    assert!(text.contains("findings: 3 notes"), "{text}");
}

#[test]
fn check_tells_good_files_from_bad_ones() {
    let folder = Folder::new();
    let odd = folder.write("scene.js3d", &scene());
    assert!(good(&["check", &odd]).contains("note: "), "notes are no failure");
    let file = folder.write("arm.js3d", &arm());
    assert!(good(&["check", &file]).contains("nothing found"));
    let checked = json(&["check", &file]);
    assert_eq!(
        (&checked["readable"], &checked["error"]),
        (&Value::Bool(true), &Value::Null)
    );
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

/// What was repaired is told: by `check` as its result, by others on the error stream.
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
    assert!(error.contains(".js3d"), "{error}");
    assert!(!folder.path("out.obj").exists());
}

/// Upper turned by 90 degrees about x takes y to z and z to -y. Numbers by hand.
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
    assert_near(
        &numbers(&lower["bind"]),
        &moved(identity, [0.0, 1.0, 0.0]),
        "bind of Lower",
    );
    assert_near(&numbers(&upper["current"]), &turned, "current of Upper");
    assert_near(
        &numbers(&lower["current"]),
        &moved(turned, [0.0, 0.0, 1.0]),
        "current of Lower",
    );
    assert_near(&numbers(&upper["tip"]), &[0.0, 0.0, 1.0], "tip of Upper");
    assert_near(&numbers(&lower["tip"]), &[0.0, 0.0, 2.0], "tip of Lower");
    // The tip is one below its target (0, 1, 2), at arms of 2 and 1.
    assert_near(&[pose["energy"].as_f64().unwrap()], &[0.5], "energy");
    assert_near(
        &numbers(&upper["gradient"]),
        &[2.0, 0.0, 0.0],
        "gradient of Upper",
    );
    assert_near(
        &numbers(&lower["gradient"]),
        &[1.0, 0.0, 0.0],
        "gradient of Lower",
    );
    assert_near(
        &[pose["handles"][0]["distance"].as_f64().unwrap()],
        &[1.0],
        "distance",
    );
    assert_eq!(numbers(&upper["pose_deg"]), [90.0, 0.0, 0.0]);

    let by_index = json(&["pose", &file, "--set", "0=90,0,0", "--mesh", "Arm"]);
    assert_eq!(by_index, pose);
    let text = good(&["pose", &file, "--set", "0=90,0,0"]);
    let line = text
        .lines()
        .find(|line| line.trim_start().starts_with("bind"))
        .unwrap();
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
    let arguments = [
        "ik",
        &file,
        "--target",
        "Lower=0,1.2,1.2",
        "--steps",
        "500",
        "-o",
        &out,
    ];
    let solved = json(&arguments);
    let energies = numbers(&solved["energies"]);
    let steps = solved["steps"].as_u64().unwrap() as usize;
    assert_eq!(energies.len(), steps + 1);
    // From the tip (0, 2, 0) to the target: half of 0.8^2 + 1.2^2.
    assert_near(&energies[..1], &[1.04], "energy at first");
    assert!(energies.is_sorted_by(|a, b| a >= b), "{energies:?}");
    assert!(
        solved["handles"][0]["distance"].as_f64().unwrap() < 1e-3,
        "{solved}"
    );
    let tip = numbers(&solved["handles"][0]["tip"]);
    assert!(
        (tip[1] - 1.2).abs() < 1e-3 && (tip[2] - 1.2).abs() < 1e-3,
        "{tip:?}"
    );

    let reached = read(&out);
    let saved = skeleton(&reached, "Arm");
    assert!(saved.handles[0].enabled && saved.handles[0].target == Vec3::new(0.0, 1.2, 1.2));
    for (index, bone) in saved.bones.iter().enumerate() {
        let printed = numbers(&solved["bones"][index]["pose_deg"]);
        assert_near(&bone.pose_deg.to_array().map(f64::from), &printed, "pose saved");
    }
    let few = json(&["ik", &file, "--target", "1=0,1.2,1.2", "--steps", "2"]);
    assert!(few["steps"].as_u64().unwrap() <= 2 && few["converged"] == false);
    assert!(good(&arguments[..6]).contains("energy 0 "));
}

#[test]
fn weights_are_those_of_the_window() {
    let folder = Folder::new();
    let file = folder.write("scene.js3d", &scene());
    let out = folder.out("bound.js3d");
    let one = json(&["weights", &file, "--mesh", "Body", "-o", &out]);
    assert_eq!(one[0]["vertices"], 20);
    let mut expected = scene();
    let calculate =
        |scene: &mut Scene, mesh: &str| Edit::CalculateWeights { mesh: mesh.into() }.apply(scene).unwrap();
    calculate(&mut expected, "Body");
    assert!(std::fs::read(&out).unwrap() == js3d::write(&expected).unwrap());
    good(&["weights", &file, "-o", &out]);
    calculate(&mut expected, "Tail");
    assert!(std::fs::read(&out).unwrap() == js3d::write(&expected).unwrap());
}

/// The numbers of the lines that start with `key`.
fn rows(obj: &str, key: &str) -> Vec<Vec3> {
    let lines = obj
        .lines()
        .filter_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
    let row = |line: &str| {
        let numbers: Vec<f32> = line.split(' ').map(|n| n.parse().unwrap()).collect();
        Vec3::new(numbers[0], numbers[1], numbers.get(2).copied().unwrap_or(0.0))
    };
    lines.map(row).collect()
}

/// Faces as (position, normal) from 0; uv and normal indices must agree.
fn faces(obj: &str) -> Vec<[(usize, usize); 3]> {
    let corner = |text: &str| {
        let numbers: Vec<usize> = text.split('/').map(|n| n.parse().unwrap()).collect();
        assert_eq!((numbers.len(), numbers[1]), (3, numbers[2]), "{text}");
        (numbers[0] - 1, numbers[2] - 1)
    };
    let lines = obj.lines().filter_map(|line| line.strip_prefix("f "));
    lines
        .map(|line| {
            line.split(' ')
                .map(corner)
                .collect::<Vec<_>>()
                .try_into()
                .unwrap()
        })
        .collect()
}

fn assert_surface(obj: &str, expected: &[Vec3]) {
    let (positions, normals, faces) = (rows(obj, "v"), rows(obj, "vn"), faces(obj));
    assert_eq!(positions.len(), expected.len());
    for (found, wanted) in positions.iter().zip(expected) {
        assert!(found.distance(*wanted) < 1e-5, "{found}, expected {wanted}");
    }
    assert_eq!((faces.len(), rows(obj, "vt").len()), (12, normals.len()));
    let centre = positions.iter().sum::<Vec3>() / positions.len() as f32;
    for corners in faces {
        let [a, b, c] = corners.map(|(position, _)| positions[position]);
        let outside = (b - a).cross(c - a);
        assert!(outside.dot(a - centre) > 0.0, "a triangle is inside out");
        for (position, normal) in corners {
            let normal = normals[normal];
            assert!((normal.length() - 1.0).abs() < 1e-5);
            assert!(normal.dot(positions[position] - centre) > 0.0 && normal.dot(outside) > 0.0);
        }
    }
}

/// Upper takes the whole box: (x, y, z) -> (x, -z, y) at 90 degrees.
#[test]
fn skin_writes_what_the_window_shows() {
    let folder = Folder::new();
    let (out, posed) = (folder.out("out.obj"), folder.out("posed.js3d"));
    let write_posed = |mut scene: Scene| {
        let pose_deg = Vec3::new(90.0, 0.0, 0.0);
        Edit::SetPose {
            mesh: "Arm".into(),
            bone: 0,
            pose_deg,
        }
        .apply(&mut scene)
        .unwrap();
        folder.write("posed.js3d", &scene)
    };
    let bind = column(1).positions().to_vec();
    let turned: Vec<_> = bind.iter().map(|p| Vec3::new(p.x, -p.z, p.y)).collect();
    let quarter = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2);
    let scale = Vec3::new(2.0, 1.0, 0.5);
    let cases = [
        (
            placed(Vec3::X, quarter, Vec3::ONE),
            "world",
            turned.iter().map(|p| Vec3::new(p.z + 1.0, p.y, -p.x)).collect(),
        ),
        (placed(Vec3::X, quarter, Vec3::ONE), "mesh", turned.clone()),
        (arm(), "mesh", turned.clone()),
        (
            placed(Vec3::Y, Quat::IDENTITY, scale),
            "world",
            turned.iter().map(|p| *p * scale + Vec3::Y).collect(),
        ),
        // A mirror.
        (
            placed(Vec3::ZERO, Quat::IDENTITY, -scale),
            "world",
            turned.iter().map(|p| *p * -scale).collect::<Vec<_>>(),
        ),
    ];
    for (scene, space, expected) in cases {
        write_posed(scene);
        good(&["skin", &posed, "--space", space, "--no-ik", "-o", &out]);
        let obj = std::fs::read_to_string(&out).unwrap();
        assert!(obj.lines().next().unwrap().contains(&format!("{space} space")));
        assert_surface(&obj, &expected);
    }
    write_posed(placed(Vec3::X, quarter, Vec3::ONE));
    good(&["skin", &posed, "-o", &out]);
    let pulled = rows(&std::fs::read_to_string(&out).unwrap(), "v");
    let without: Vec<_> = turned.iter().map(|p| Vec3::new(p.z + 1.0, p.y, -p.x)).collect();
    assert!(
        pulled.iter().zip(&without).any(|(a, b)| a.distance(*b) > 0.01),
        "the handle pulls"
    );
}

/// Two objects: the second one's faces count on from the first one's.
#[test]
fn skin_numbers_all_objects_through() {
    let folder = Folder::new();
    let file = folder.write("scene.js3d", &scene());
    let out = folder.out("out.obj");
    good(&["skin", &file, "--space", "mesh", "--frame", "5", "-o", &out]);
    let obj = std::fs::read_to_string(&out).unwrap();
    assert!(obj.starts_with("# mesh space, frame 5\no Body\n") && obj.contains("\no Tail\n"));
    assert_eq!(rows(&obj, "v").len(), 28);
    let faces = faces(&obj);
    let used = |from: usize| faces[from..].iter().flatten().map(|c| c.0);
    assert_eq!(faces.len(), 36 + 12);
    assert_eq!((used(36).min(), used(36).max()), (Some(20), Some(27)));
    assert!(faces[..36].iter().flatten().all(|c| c.0 < 20));
}

#[test]
fn skin_needs_something_that_is_seen() {
    let folder = Folder::new();
    let file = folder.write("arm.js3d", &arm());
    let (error, _) = bad(&["skin", &file, "-o", &folder.out("out.obj")]);
    assert!(error.contains("--space mesh"), "{error}");
    let mut hidden = placed(Vec3::ZERO, Quat::IDENTITY, Vec3::ONE);
    let instance = InstanceRef {
        kind: InstanceKind::SkinnedMesh,
        name: "Arm here".into(),
    };
    Edit::SetVisible {
        instance,
        visible: false,
    }
    .apply(&mut hidden)
    .unwrap();
    let file = folder.write("hidden.js3d", &hidden);
    bad(&["skin", &file, "-o", &folder.out("out.obj")]);
    let file = folder.write("empty.js3d", &Scene::default());
    for command in ["pose", "ik"] {
        let (error, _) = bad(&[command, &file]);
        assert!(error.contains("no skinned mesh"), "{error}");
    }
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
            "Nobody",
        ),
        (&["pose", &file, "--mesh", "Body", "--set", "9=1,2,3"], "has 4"),
        (&["pose", &file, "--mesh", "Body", "--set", "0=1,2,inf"], "finite"),
        (&["weights", &file, "--mesh", "Bdy", "-o", &out], "Bdy"),
    ];
    for (arguments, part) in cases {
        let (error, output) = bad(arguments);
        assert!(error.contains(part), "{part}: {error}");
        assert_eq!(output, "", "{arguments:?}");
    }
    // Arguments that make no sense: status 2.
    let usage: [&[&str]; 4] = [
        &["pose", &file, "--set", "0=1,2"],
        &["weights", &file],
        &["screenshot", &file, "-o", "x.png", "--size", "0x0"],
        &["no-such-command", "x", "y"],
    ];
    for arguments in usage {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!output.stderr.is_empty() && output.stdout.is_empty());
    }
}

#[test]
fn help_shows_examples() {
    let all = good(&["--help"]);
    assert!(all.contains("ossature pose scene.js3d"), "{all}");
    for command in [
        "info",
        "check",
        "convert",
        "pose",
        "ik",
        "weights",
        "skin",
        "screenshot",
    ] {
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
    let cases: [&[&str]; 3] = [
        &[],
        &[&file],
        &["screenshot", &file, "-o", &picture, "--select", "Body"],
    ];
    for arguments in cases {
        let (error, _) = bad(arguments);
        assert!(
            error.contains("no window") && error.contains("cargo build"),
            "{error}"
        );
    }
}
