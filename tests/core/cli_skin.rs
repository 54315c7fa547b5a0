//! `ossature skin`, run as a program: the OBJ file that it writes.

use crate::editing::{column, scene};
use crate::running::*;
use glam::{Quat, Vec3};
use ossature::edit::command::Command as Edit;
use ossature::scene::Scene;
use ossature::scene::instance::{InstanceKind, InstanceRef};
use std::sync::Arc;

/// Returns the numbers of the lines that start with `key`.
fn rows(obj: &str, key: &str) -> Vec<Vec3> {
    let lines = obj.lines().filter_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
    let row = |line: &str| {
        let numbers: Vec<f32> = line.split(' ').map(|n| n.parse().unwrap()).collect();
        Vec3::new(numbers[0], numbers[1], numbers.get(2).copied().unwrap_or(0.0))
    };
    lines.map(row).collect()
}

/// Returns quads as (position, normal) counted from 0; the surface has no uvs.
fn faces(obj: &str) -> Vec<[(usize, usize); 4]> {
    let corner = |text: &str| {
        let (position, normal) = text.split_once("//").unwrap();
        let index = |text: &str| text.parse::<usize>().unwrap() - 1;
        (index(position), index(normal))
    };
    let lines = obj.lines().filter_map(|line| line.strip_prefix("f "));
    lines.map(|line| line.split(' ').map(corner).collect::<Vec<_>>().try_into().unwrap()).collect()
}

fn assert_surface(obj: &str, expected: &[Vec3]) {
    let (positions, normals, faces) = (rows(obj, "v"), rows(obj, "vn"), faces(obj));
    assert_eq!(positions.len(), expected.len());
    for (found, wanted) in positions.iter().zip(expected) {
        assert!(found.distance(*wanted) < 1e-5, "{found}, expected {wanted}");
    }
    assert_eq!((faces.len(), rows(obj, "vt").len()), (6, 0));
    let centre = positions.iter().sum::<Vec3>() / positions.len() as f32;
    for corners in faces {
        let [a, b, c, _] = corners.map(|(position, _)| positions[position]);
        let outside = (b - a).cross(c - a);
        assert!(outside.dot(a - centre) > 0.0, "a face is inside out");
        for (position, normal) in corners {
            let normal = normals[normal];
            assert!((normal.length() - 1.0).abs() < 1e-5);
            assert!(normal.dot(positions[position] - centre) > 0.0 && normal.dot(outside) > 0.0);
        }
    }
}

/// Upper has all weights of the box: (x, y, z) -> (x, -z, y) at 90 degrees.
#[test]
fn skin_writes_what_the_window_shows() {
    let folder = Folder::new();
    let (out, posed) = (folder.out("out.obj"), folder.out("posed.js3d"));
    let write_posed = |mut scene: Scene| {
        let pose_deg = Vec3::new(90.0, 0.0, 0.0);
        Edit::set_bone("Arm".into(), 0, "pose", pose_deg).apply(&mut scene).unwrap();
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
    assert!(pulled.iter().zip(&without).any(|(a, b)| a.distance(*b) > 0.01), "the handle pulls");
}

/// The indices of the second object's faces continue from the first object's.
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
    assert_eq!(faces.len(), 18 + 6);
    assert_eq!((used(18).min(), used(18).max()), (Some(20), Some(27)));
    assert!(faces[..18].iter().flatten().all(|c| c.0 < 20));
}

#[test]
fn skin_needs_something_that_is_seen() {
    let folder = Folder::new();
    let file = folder.write("arm.js3d", &arm());
    let (error, _) = bad(&["skin", &file, "-o", &folder.out("out.obj")]);
    assert!(error.contains("--space mesh"), "{error}");
    let mut hidden = placed(Vec3::ZERO, Quat::IDENTITY, Vec3::ONE);
    let instance = InstanceRef { kind: InstanceKind::SkinnedMesh, name: "Arm here".into() };
    Edit::show(&instance, false).apply(&mut hidden).unwrap();
    let file = folder.write("hidden.js3d", &hidden);
    bad(&["skin", &file, "-o", &folder.out("out.obj")]);
    let file = folder.write("empty.js3d", &Scene::default());
    for command in ["pose", "ik"] {
        let (error, _) = bad(&[command, &file]);
        assert!(error.contains("no skinned mesh"), "{error}");
    }
}

#[test]
fn only_obj_is_written() {
    let folder = Folder::new();
    let file = folder.write("scene.js3d", &scene());
    for name in ["picture.png", "none", "scene.js3d"] {
        let out = folder.out(name);
        let before = std::fs::read(&out).ok();
        let (error, _) = bad(&["skin", &file, "-o", &out]);
        assert!(error.contains(".obj"), "{error}");
        assert_eq!(std::fs::read(&out).ok(), before, "{name}");
    }
    good(&["skin", &file, "-o", &folder.out("UPPER.OBJ")]);
}

/// Numbers near the limit of the format: results that cannot be computed are refused, with their location.
#[test]
fn numbers_that_are_too_large_are_refused() {
    let folder = Folder::new();
    let mut scene = arm();
    let mut mesh = (*scene.skinned_meshes["Arm"]).clone();
    let skeleton = Arc::make_mut(&mut mesh.skeleton);
    for bone in &mut skeleton.bones {
        bone.extent = Vec3::splat(3e38);
        bone.pose_deg.x = 170.0;
    }
    let weights = Arc::make_mut(&mut mesh.weights);
    weights.bones.fill(1);
    scene.skinned_meshes.insert("Arm".into(), Arc::new(mesh));
    let file = folder.write("far.js3d", &scene);
    let out = folder.out("far.obj");
    let (error, _) = bad(&["skin", &file, "--space", "mesh", "--no-ik", "-o", &out]);
    assert!(
        error.contains("“Arm” (mesh space, the stored pose): vertex 0 is too far from the origin"),
        "{error}"
    );
    let skin = ["skin", &file, "--space", "mesh", "--no-ik", "--frame", "7", "-o", &out];
    assert!(bad(&skin).0.contains("“Arm” (mesh space, frame 7): vertex"));
    assert!(!folder.path("far.obj").exists());
    for arguments in [&["measure", &file, "--no-ik"][..], &["measure", &file, "--no-ik", "--json"]] {
        let (error, output) = bad(arguments);
        assert!(error.contains("“Arm” (stored pose): vertex 0 is too far from the origin"), "{error}");
        assert_eq!(output, "");
    }
    let length = 3e38_f64 * 3.0_f64.sqrt();
    let info = json(&["info", &file]);
    let found = info["skinned_meshes"][0]["bones"][0]["length"].as_f64().unwrap();
    assert!((found / length - 1.0).abs() < 1e-6, "{found}");
    assert!(good(&["info", &file]).contains("length 5.196"), "not inf");

    let huge = placed(Vec3::splat(3e38), Quat::IDENTITY, Vec3::splat(3e38));
    let huge = folder.write("huge.js3d", &huge);
    let (error, _) = bad(&["skin", &huge, "--no-ik", "-o", &out]);
    assert!(error.contains("“Arm here” (world space, the stored pose): vertex"), "{error}");
}

/// Transforms whose scale would overflow or underflow a normal matrix.
#[test]
fn normals_keep_their_direction_at_every_scale() {
    let folder = Folder::new();
    for scale in [Vec3::splat(1e25), Vec3::splat(1e-25), Vec3::new(-1e25, 1e25, 1e25)] {
        let file = folder.write("scene.js3d", &placed(Vec3::ZERO, Quat::IDENTITY, scale));
        let out = folder.out("scaled.obj");
        good(&["skin", &file, "--no-ik", "-o", &out]);
        let obj = std::fs::read_to_string(&out).unwrap();
        assert!(rows(&obj, "vn").iter().all(|normal| normal.is_normalized()), "{obj}");
        let import = ossature::io::obj::read(obj.as_bytes()).unwrap();
        assert!(!import.statistics.is_inside_out(), "{scale}");
    }
}

#[test]
fn an_empty_surface_is_not_written() {
    let folder = Folder::new();
    let mut scene = arm();
    let mut mesh = (*scene.skinned_meshes["Arm"]).clone();
    mesh.surface = Arc::default();
    mesh.weights = Arc::default();
    scene.skinned_meshes.insert("Arm".into(), Arc::new(mesh));
    let file = folder.write("empty.js3d", &scene);
    let out = folder.out("empty.obj");
    for arguments in [&["skin", &file, "--space", "mesh", "-o", &out][..], &["convert", &file, &out]] {
        let (error, _) = bad(arguments);
        assert!(error.contains("“Arm” has no faces"), "{error}");
        assert!(!folder.path("empty.obj").exists());
    }
}
