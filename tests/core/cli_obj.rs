//! OBJ on the command line: `convert` both ways and several files into one, `info` and `check` of a mesh.

use crate::editing::scene;
use crate::running::*;
use crate::support::filed;
use ossature::io::formats;
use ossature::math::bounds::Bounds;
use ossature::mesh::soup::Polygons;
use serde_json::Value;
use std::path::Path;

/// A square with a loose point; findings refer to lines by number.
const SQUARE: &str = "o Square\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 5 5 5\nf 1 2 3 4\n";

fn write(folder: &Folder, name: &str, text: &str) -> String {
    std::fs::write(folder.path(name), text).unwrap();
    folder.out(name)
}

#[test]
fn convert_makes_meshes_of_obj_files_and_back() {
    let folder = Folder::new();
    let square = write(&folder, "in.OBJ", SQUARE);
    let (skinned, mesh, back) = (folder.out("a.js3d"), folder.out("b.js3d"), folder.out("c.obj"));
    let output = run(&["convert", &square, &skinned]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && output.stdout.is_empty());
    assert!(told.contains("in.OBJ: warning: 1 vertex is in no face: vertex 5 at 5, 5, 5"), "{told}");
    assert!(told.contains("line 6"), "{told}");
    let scene = read(&skinned);
    let square_mesh = &scene.skinned_meshes["Square"];
    assert_eq!((square_mesh.skeleton.bones.len(), square_mesh.surface.vertex_count()), (0, 4));
    assert_eq!(scene.instances.skinned_meshes["Square_instance"].resource.as_deref(), Some("Square"));

    run(&["convert", &square, &mesh, "--as", "mesh", "--name", "Floor"]);
    assert_eq!(read(&mesh).meshes["Floor"].surface, square_mesh.surface);
    assert_eq!(good(&["convert", &mesh, &back]), "");
    let again = formats::read_file(Path::new(&back)).unwrap().mesh().unwrap();
    assert_eq!((again.name.as_str(), &again.surface), ("Floor", &*square_mesh.surface));
    assert!(again.report.is_empty(), "{:?}", again.report);
    // Converting OBJ to OBJ repairs the file.
    let clean = folder.out("clean.obj");
    run(&["convert", &square, &clean]);
    assert!(good(&["check", &clean]).contains("nothing found"));
}

#[test]
fn convert_chooses_the_mesh_that_is_written() {
    let folder = Folder::new();
    let file = folder.write("scene.js3d", &scene());
    let out = folder.out("out.obj");
    good(&["convert", &file, &out, "--mesh", "Body"]);
    let import = formats::read_file(Path::new(&out)).unwrap().mesh().unwrap();
    assert_eq!(import.polygons, Polygons::new(&scene().skinned_meshes["Body"].surface));
    let (error, _) = bad(&["convert", &file, &out, "--mesh", "Bdy"]);
    assert!(error.contains("“Body”, “Tail”"), "{error}");
    let (error, _) = bad(&["convert", &file, &folder.out("x.js3d"), "--mesh", "Body"]);
    assert!(error.contains("--mesh"), "{error}");
}

#[test]
fn several_files_become_one() {
    let folder = Folder::new();
    let first = folder.write("first.js3d", &scene());
    let square = write(&folder, "body.obj", &SQUARE.replace("Square", "Body"));
    let (second, out) = (folder.write("second.js3d", &arm()), folder.out("all.js3d"));
    run(&["convert", &first, &square, &second, &first, &out]);
    let all = read(&out);
    let names: Vec<_> = all.skinned_meshes.keys().collect();
    assert_eq!(names, ["Arm", "Body", "Body 1", "Body 2", "Tail", "Tail 1"]);
    assert_eq!(all.skinned_meshes["Body"], filed(&scene()).skinned_meshes["Body"]);
    assert_eq!(all.skinned_meshes["Body 1"].surface.vertex_count(), 4);
    assert_eq!(all.instances.skinned_meshes["Body here 1"].resource.as_deref(), Some("Body 2"));
    let (error, _) = bad(&["convert", &first]);
    assert!(error.contains("one to write"), "{error}");
    // Options may come between the files.
    run(&["convert", &square, "--as", "mesh", &out]);
    assert!(read(&out).meshes.contains_key("Body"));
}

#[test]
fn info_and_check_describe_surfaces() {
    let folder = Folder::new();
    let square = write(&folder, "square.obj", SQUARE);
    let line = "surface of Square: 4 vertices, 4 edges, 1 face, 1 boundary, 1 shell; valid, open";
    let info = good(&["info", &square]);
    assert!(info.contains(line) && info.contains("meshes: Square"), "{info}");
    assert!(info.contains("findings: 1 warning, 1 note"), "{info}");
    let checked = good(&["check", &square]);
    assert!(checked.contains(line) && checked.contains("line 6"), "{checked}");
    let checked = json(&["check", &square]);
    assert_eq!(checked["surfaces"][0]["boundaries"], 1);
    assert_eq!(checked["surfaces"][0]["closed"], false);
    assert_eq!(checked["findings"].as_array().map(Vec::len), Some(2));
    let info = json(&["info", &folder.write("scene.js3d", &scene())]);
    assert_eq!(info["surfaces"][0]["name"], "Body");
    let volume = info["surfaces"][0]["volume"].as_f64().unwrap();
    assert!((volume - 4.0).abs() < 1e-9, "{volume}");
    assert_eq!(info["surfaces"][0]["kind"], "skinned mesh");

    let bad_file = write(&folder, "bad.obj", "v 0 0 0\nf 1 2\n");
    let (error, _) = bad(&["check", &bad_file]);
    assert!(error.contains("bad.obj: none of the 1 faces"), "{error}");
    let output: Value = serde_json::from_str(&bad(&["check", &bad_file, "--json"]).1).unwrap();
    assert_eq!(output["readable"], false);
}

/// The unit and up axis, which an OBJ file does not state.
#[test]
fn a_mesh_comes_in_with_another_unit_and_up_axis() {
    let folder = Folder::new();
    let obj = folder.path("post.obj");
    std::fs::write(&obj, "v 0 0 0\nv 1 0 0\nv 1 2 0\nv 0 2 300\nf 1 2 3 4\n").unwrap();
    let (obj, out) = (obj.display().to_string(), folder.out("post.js3d"));
    let height = |arguments: &[&str]| {
        good(&[&["convert", &obj, &out, "--name", "Post"], arguments].concat());
        let (scene, _) = ossature::io::js3d::read_file(out.as_ref()).unwrap();
        let positions = scene.skinned_meshes["Post"].surface.positions().to_vec();
        positions.iter().map(|p| p.y).fold(f32::MIN, f32::max)
    };
    assert_eq!(height(&[]), 2.0);
    assert!((height(&["--up", "z", "--scale", "0.01"]) - 3.0).abs() < 1e-5);
    let (error, _) = bad(&["convert", &obj, &out, "--scale", "0"]);
    assert!(error.contains("--scale"), "{error}");
}

/// A body of boxes, z up and facing -y, in centimetres: legs with toes, arms, a trunk and a head.
fn body_in_centimetres() -> String {
    let mut text = String::from("o Body\n");
    let mut count = 0;
    let mut add = |middle: [f32; 3], size: [f32; 3]| {
        for corner in 0..8 {
            let at = |axis: usize| middle[axis] + size[axis] * ((corner >> axis & 1) as f32 - 0.5);
            text += &format!("v {} {} {}\n", 100.0 * at(0), -100.0 * at(2), 100.0 * at(1) + 30.0);
        }
        for face in [[1, 3, 4, 2], [5, 6, 8, 7], [1, 2, 6, 5], [3, 7, 8, 4], [1, 5, 7, 3], [2, 4, 8, 6]] {
            let [a, b, c, d] = face.map(|corner| corner + count);
            text += &format!("f {a} {b} {c} {d}\n");
        }
        count += 8;
    };
    for side in [-1.0, 1.0] {
        add([0.12 * side, 0.45, 0.0], [0.14, 0.9, 0.14]);
        add([0.12 * side, 0.04, 0.1], [0.12, 0.08, 0.26]);
        add([0.5 * side, 1.4, 0.0], [0.6, 0.1, 0.1]);
    }
    add([0.0, 1.2, 0.0], [0.42, 0.6, 0.22]);
    add([0.0, 1.66, 0.02], [0.18, 0.28, 0.22]);
    text
}

#[test]
fn a_body_is_placed_as_its_shape_suggests() {
    let folder = Folder::new();
    let body = write(&folder, "body.obj", &body_in_centimetres());
    let out = folder.out("body.js3d");
    let convert = |arguments: &[&str]| {
        let output = run(&[&["convert", &body, &out], arguments].concat());
        assert!(output.status.success(), "{arguments:?}");
        let surface = read(&out).skinned_meshes["Body"].surface.clone();
        let bounds = Bounds::from_points(surface.positions().iter().copied());
        (bounds, String::from_utf8(output.stderr).unwrap())
    };
    // Without an option the mesh stays as it is, and what its shape suggests is said.
    let (as_is, told) = convert(&[]);
    assert!((as_is.max.z - 210.0).abs() < 1e-3, "{as_is:?}");
    assert!(told.contains("--up z --front -y --units cm") && told.contains("--guess"), "{told}");
    let (placed, told) = convert(&["--guess"]);
    assert!((placed.max.y - 1.8).abs() < 1e-4 && placed.min.y.abs() < 1e-4, "{placed:?}");
    assert!(placed.max.z > -placed.min.z, "the toes point forward: {placed:?}");
    assert!(told.contains("placed as with --up z --front -y --units cm"), "{told}");
    // What is given is not guessed.
    let (chosen, _) = convert(&["--guess", "--front", "y", "--units", "mm"]);
    assert!((chosen.max.y - 0.18).abs() < 1e-5 && chosen.max.z < -chosen.min.z, "{chosen:?}");
    let (error, _) = bad(&["convert", &body, &out, "--up", "z", "--front", "-z"]);
    assert!(error.contains("-z cannot be the front"), "{error}");
    let (error, _) = bad(&["convert", &body, &out, "--up", "w"]);
    assert!(error.contains("-x, -y or -z"), "{error}");
}
