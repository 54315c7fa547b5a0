//! OBJ: reading agrees with an independent reader, what a half-edge surface cannot represent is repaired and
//! reported, and written files read back the same.

#![allow(clippy::print_stdout, reason = "a skipped test says so")]

mod repairs;

use crate::support::corpus_root;
use glam::{Mat4, Vec2, Vec3};
use ossature::io::file::ReadError;
use ossature::io::formats;
use ossature::io::import::MeshImport;
use ossature::io::js3d;
use ossature::io::obj::{self, Object};
use ossature::io::report::Severity;
use ossature::mesh::halfedge::HalfedgeMesh;
use ossature::mesh::primitives;
use ossature::mesh::soup::Polygons;
use ossature::mesh::statistics::Statistics;
use std::collections::BTreeSet;
use std::path::Path;

fn read(text: &str) -> MeshImport {
    obj::read(text.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn refused(text: &str) -> String {
    obj::read(text.as_bytes()).unwrap_err().to_string()
}

fn codes(import: &MeshImport) -> Vec<&str> {
    import.report.findings.iter().map(|f| f.code).collect()
}

/// The finding with this code: its place and its text.
fn finding<'a>(import: &'a MeshImport, code: &str) -> (&'a str, &'a str) {
    let found = import.report.findings.iter().find(|f| f.code == code);
    let found = found.unwrap_or_else(|| panic!("no {code} in {:?}", import.report.findings));
    (&found.at, &found.text)
}

/// The corners of every face as (position, uv, normal), as tobj reads them.
type Corners = Vec<Vec<(Vec3, Option<Vec2>, Option<Vec3>)>>;

fn by_tobj(bytes: &[u8]) -> Corners {
    let options = tobj::LoadOptions::default();
    let no_materials = |_: &Path| Ok(Default::default());
    let (models, _) = tobj::load_obj_buf(&mut &bytes[..], &options, no_materials).unwrap();
    let mut faces = Vec::new();
    for model in models {
        let mesh = model.mesh;
        let vec3 = |list: &[f32], i: u32| Vec3::from_slice(&list[3 * i as usize..]);
        let mut corner = 0;
        let triangles = vec![3; mesh.indices.len() / 3];
        let arities = if mesh.face_arities.is_empty() { &triangles } else { &mesh.face_arities };
        for &arity in arities {
            let face = (corner..corner + arity as usize).map(|c| {
                let uv = mesh.texcoord_indices.get(c);
                let normal = mesh.normal_indices.get(c);
                (
                    vec3(&mesh.positions, mesh.indices[c]),
                    uv.map(|&i| Vec2::from_slice(&mesh.texcoords[2 * i as usize..])),
                    normal.map(|&i| vec3(&mesh.normals, i)),
                )
            });
            faces.push(face.collect());
            corner += arity as usize;
        }
    }
    faces
}

fn by_us(polygons: &Polygons) -> Corners {
    let mut corner = 0..;
    let mut face = |face: &Vec<u32>| {
        let corners = face.iter().zip(corner.by_ref()).map(|(&v, c): (_, usize)| {
            (polygons.positions[v as usize], polygons.uvs.get(c).copied(), polygons.normals.get(c).copied())
        });
        corners.collect()
    };
    polygons.faces.iter().map(&mut face).collect()
}

const CUBE: &str = "o Cube\nv -1 -1 -1\nv 1 -1 -1\nv -1 1 -1\nv 1 1 -1\nv -1 -1 1\nv 1 -1 1\nv -1 1 1\nv 1 1 1\n\
                    f 1 5 7 3\nf 2 4 8 6\nf 1 2 6 5\nf 3 7 8 4\nf 1 3 4 2\nf 5 6 8 7\n";

#[test]
fn polygons_corners_and_groups_survive() {
    let text = "\u{feff}# a wedge\nmtllib ../nothing/here.mtl\no Wedge one\ng front\nv 0 0 0 0.5 0.5 0.5\nv 1 0 0\nv 1 1 0\n\
                v 0 1 0\nv 0.5 0.5 1e0\nvt 0.25 0.5 9\nvt 1\nvn 0 0 -2\nusemtl skin\ns 1\nf 4/1/1 3/2/1 2//1 \\\n 1/1/1 # back\n\
                g sides\nf -5/-2 -4 -1\nf 2 3 5\r\nf 3 4 5\nf 4 1 5\nl 1 2\n";
    let import = read(text);
    assert_eq!(import.name, "Wedge one");
    let faces = [vec![3, 2, 1, 0], vec![0, 1, 4], vec![1, 2, 4], vec![2, 3, 4], vec![3, 0, 4]];
    assert_eq!(import.polygons.faces, faces, "groups are one surface");
    assert_eq!(import.polygons.positions[4], Vec3::new(0.5, 0.5, 1.0));
    let (a, b) = (Vec2::new(0.25, 0.5), Vec2::new(1.0, 0.0));
    assert_eq!(import.polygons.uvs[..5], [a, b, Vec2::ZERO, a, a]);
    let surface = &import.surface;
    let stated = surface.face_corners(0).next().unwrap();
    assert_eq!(surface.corner_normals()[stated as usize], Vec3::NEG_Z * 2.0);
    for h in surface.face_corners(1) {
        let n = surface.corner_normals()[h as usize];
        assert!((n.length() - 1.0).abs() < 1e-6 && n.y < 0.0, "{n}");
    }
    assert_eq!(
        BTreeSet::from_iter(codes(&import)),
        BTreeSet::from(["left-out", "joined-groups", "computed-normals"])
    );
    assert!(finding(&import, "computed-normals").1.contains("12 of 16 corners"));
    let lines = import.report.findings.iter().find(|f| f.text.contains("lines are"));
    assert_eq!(lines.map(|f| (f.at.as_str(), f.severity)), Some(("line 22", Severity::Warning)));
    assert!(import.statistics.is_closed() && !import.statistics.is_inside_out());
}

/// The line of face 8 names vertex 9, which is defined only later: the face is read all the same.
#[test]
fn faces_may_come_before_their_vertices() {
    let mut lines: Vec<&str> = CUBE.lines().collect();
    lines.sort_by_key(|line| !line.starts_with('f'));
    assert_eq!(read(&lines.join("\n")).surface, read(CUBE).surface);
    assert_eq!(read(&CUBE.replace('\n', "\r")).surface, read(CUBE).surface);
    // Old files to which something was added later.
    assert_eq!(read(&format!("# added\n{}", CUBE.replace('\n', "\r"))).surface, read(CUBE).surface);
}

/// A backslash at the end of a name or a comment is part of it.
#[test]
fn names_and_comments_end_with_their_line() {
    for line in ["# to C:\\models\\", "mtllib C:\\models\\", "g parts\\", "usemtl skin\\", "o body\\"] {
        assert_eq!(read(&format!("{line}\n{CUBE}")).surface, read(CUBE).surface, "{line}");
        let face = CUBE.find("f 2 4").unwrap();
        let within = format!("{}{line}\n{}", &CUBE[..face], &CUBE[face..]);
        assert_eq!(read(&within).surface, read(CUBE).surface, "{line}");
    }
    let face = CUBE.replace("f 2 4 8 6", "f 2 4 8 \\ # and\n6 # from C:\\");
    assert_eq!(read(&face).surface, read(CUBE).surface);
}

#[test]
fn what_cannot_be_read_is_refused_with_its_place() {
    for (text, parts) in [
        ("v 1 2\nf 1 2 3", vec!["line 1", "3 numbers"]),
        ("v 1 2 x\n", vec!["line 1", "3 numbers"]),
        ("v 0 0 0\n\nv nan 0 0\n", vec!["line 3", "vertex 2", "not a position"]),
        ("v 1e99 0 0\n", vec!["line 1", "not a position"]),
        ("v 0 0 0\nf 1 one 1\n", vec!["line 2", "“one”"]),
        ("v 0 0 0\nf 1/1/1/1 1 1\n", vec!["line 2", "1/1/1/1"]),
        ("v 0 0 0\nf /1 1 1\n", vec!["line 2"]),
        ("", vec!["no vertices and no faces", "OBJ"]),
        ("hello\nworld", vec!["no vertices", "OBJ"]),
        ("v 0 0 0\nv 1 0 0\n", vec!["2 vertices but no faces"]),
        ("v 0 0 0\nf 1 2 3\n", vec!["none of the 1 faces", "vertex 2"]),
        ("v 0 0 0\nf 1 1 1\n", vec!["none of the 1 faces", "touches a vertex twice"]),
        ("v 0 0 0\0", vec!["not text", "byte 7"]),
    ] {
        let message = refused(text);
        for part in parts {
            assert!(message.contains(part), "{text:?}: {message}");
        }
    }
    let missing = formats::read_file(Path::new("/no/such/file.obj")).err().unwrap();
    assert!(matches!(missing, ReadError::File { .. }), "{missing}");
}

fn written(polygons: &Polygons) -> String {
    obj::write("test", &[Object { name: "a mesh", polygons }]).unwrap()
}

/// Checks that reading back gives the same polygons, bit for bit; positions, uvs and normals at each corner.
fn assert_round_trip(polygons: &Polygons, name: &str) {
    let text = written(polygons);
    let import = read(&text);
    let (a, b) = (by_us(polygons), by_us(&import.polygons));
    assert!(a == b, "{name} changed");
    // At extreme sizes, faces of the original have no area either.
    let mut codes = codes(&import);
    codes.retain(|code| *code != "no-area");
    assert!(codes.is_empty(), "{name}: {:?}", import.report.findings);
    assert_eq!(import.polygons.positions, polygons.positions, "{name}");
    assert!(by_tobj(text.as_bytes()) == a, "{name}: another reader sees something else");
}

#[test]
fn what_is_written_reads_back_the_same() {
    let mut odd = Polygons::new(&primitives::uv_sphere(1.0 / 3.0, 7, 5).unwrap());
    for (i, p) in odd.positions.iter_mut().enumerate() {
        *p *= [1.0, 1e-20, 1e20][i % 3];
    }
    let plain = Polygons {
        uvs: Vec::new(),
        ..Polygons::new(&primitives::cuboid(Vec3::new(0.1, -0.0, 1e7)).unwrap())
    };
    for (name, polygons) in [
        ("tube", Polygons::new(&primitives::tube(0.3, 1.7, 9, 4).unwrap())),
        ("odd sizes", odd),
        ("without uvs", plain),
    ] {
        assert_round_trip(&polygons, name);
    }
    let two = obj::write(
        "two\nlines",
        &[
            Object { name: "a b", polygons: &read(CUBE).polygons },
            Object { name: "c#", polygons: &read(CUBE).polygons },
        ],
    )
    .unwrap();
    assert!(two.starts_with("# two lines\no a_b\n") && two.contains("\no c_\n"), "{two}");
    let both = read(&two);
    assert_eq!((both.statistics.shells, both.statistics.vertices), (2, 16));
}

#[test]
fn what_could_not_be_read_again_is_not_written() {
    let cube = read(CUBE).polygons;
    let refused = |polygons: &Polygons| {
        let name = "a mesh";
        let error = obj::write("frame 3", &[Object { name, polygons }]).unwrap_err();
        error.to_string()
    };
    let mut far = cube.clone();
    far.positions[5].y = f32::INFINITY;
    let error = refused(&far);
    assert!(error.starts_with("“a mesh” (frame 3): vertex 5 is too far from the origin"), "{error}");
    let mut odd = cube.clone();
    odd.normals = vec![Vec3::Y; odd.corner_count()];
    odd.normals[4].x = f32::NAN;
    let error = refused(&odd);
    let vertex = cube.faces[1][0];
    assert!(error.contains(&format!("the normal of a corner of vertex {vertex}")), "{error}");
    let mut empty = cube;
    empty.faces.clear();
    assert!(refused(&empty).contains("no faces"));
}

/// The body in `media` is the human of `media`, to the bit.
#[test]
fn the_human_has_the_body_of_its_scene() {
    let media = Path::new(env!("CARGO_MANIFEST_DIR")).join("media");
    let (scene, _) = js3d::read_file(&media.join("js3d/A4-human.js3d")).unwrap();
    let human = &scene.skinned_meshes["Human_skinned_mesh"].surface;
    let import = formats::read_file(&media.join("obj/human.obj")).unwrap().mesh().unwrap();
    assert!(import.surface == **human);
    assert_round_trip(&Polygons::new(human), "human");
}

/// Real files: they read as with an independent reader, into surfaces that the format accepts.
#[test]
#[ignore = "reads public files: set OSSATURE_CORPUS to their folder"]
fn the_corpus_reads_as_another_reader_reads_it() {
    let corpus = corpus_root();
    // Vertices, faces, shells; findings other than notes.
    let expected: [(&str, [usize; 3], &[&str]); 5] = [
        ("libigl/arm.obj", [8311, 16618, 1], &[]),
        ("libigl/cube.obj", [8, 12, 1], &[]),
        ("libigl/cylinder.obj", [0, 0, 0], &[]),
        ("libigl/degenerated.obj", [0, 0, 0], &[]),
        ("spot/spot.obj", [2930, 5856, 1], &[]),
    ];
    for (name, [vertices, faces, shells], warnings) in expected {
        let bytes = std::fs::read(corpus.join("mesh").join(name)).unwrap();
        let import = obj::read(&bytes).unwrap();
        println!("{name}: {:?}", import.statistics);
        for f in &import.report.findings {
            println!("  {f}");
        }
        if vertices > 0 {
            let s = import.statistics;
            assert_eq!([s.vertices, s.faces, s.shells], [vertices, faces, shells], "{name}");
            let serious = import.report.findings.iter().filter(|f| f.severity > Severity::Note);
            assert_eq!(serious.map(|f| f.code).collect::<Vec<_>>(), warnings, "{name}");
            let (ours, other) = (by_us(&import.polygons), by_tobj(&bytes));
            assert!(ours == other, "{name}");
        }
        assert_eq!(HalfedgeMesh::new(import.surface.raw()).as_ref(), Ok(&import.surface));
    }
    let (scene, _) = js3d::read_file(&corpus.join("js3d/cow.js3d")).unwrap();
    for (name, mesh) in &scene.meshes {
        assert_round_trip(&Polygons::new(&mesh.surface), name);
        println!("{name}: {:?}", Statistics::new(&mesh.surface));
    }
    for (name, mesh) in &scene.skinned_meshes {
        assert_round_trip(&Polygons::new(&mesh.surface), name);
    }
}

#[test]
fn a_mark_of_the_encoding_is_no_statement() {
    let plain = "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n";
    let (marked, plain) = (read(&format!("\u{feff}{plain}")), read(plain));
    assert_eq!(marked.polygons, plain.polygons);
}
