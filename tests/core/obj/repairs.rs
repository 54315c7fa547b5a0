//! What a half-edge surface cannot represent is repaired and reported.

use super::*;

#[test]
fn faces_that_are_none_are_left_out() {
    let import = read(&format!("{CUBE}f 1 2\nf 1 2 10\nf 0 1 2\nf -9 1 2\nf 1 2 2\nf 1 2 1\nv 5 5 5\n"));
    assert_eq!(import.surface, read(CUBE).surface);
    let (at, text) = finding(&import, "too-few-corners");
    assert!(at == "line 16" && text.starts_with("1 face ") && text.contains("face 7"), "{at} {text}");
    let (at, text) = finding(&import, "index-out-of-range");
    let faces = "face 8 (vertex 10), face 9 (before the first), face 10 (before the first)";
    assert!(at == "line 17" && text.contains(faces), "{at} {text}");
    assert!(text.contains("there are 9 vertices"), "{text}");
    let (at, text) = finding(&import, "repeated-corner");
    assert!(at == "line 20" && text.contains("face 11 (vertex 2), face 12 (vertex 1)"), "{text}");
    let (at, text) = finding(&import, "loose-point");
    assert!(at == "line 22" && text.contains("vertex 9 at 5, 5, 5"), "{text}");
}

#[test]
fn faces_that_touch_a_vertex_twice_are_cut() {
    // A figure of eight over vertex 1, and a triangle written as a quad.
    let import = read("v 0 0 0\nv 1 0 0\nv 1 1 0\nv -1 0 0\nv -1 -1 0\nv 0 0 1\nf 1 2 3 1 4 5\nf 2 1 6 6\n");
    let mut faces = import.polygons.faces.clone();
    // Vertex 1 joins the two halves: the second gets a copy, which comes last.
    assert_eq!((faces.len(), import.statistics.vertices), (3, 7));
    faces.iter_mut().for_each(|f| f.sort_unstable());
    faces.sort();
    assert!(faces.contains(&vec![0, 1, 5]) || faces.contains(&vec![1, 5, 6]), "{faces:?}");
    assert!(finding(&import, "repeated-corner").1.contains("2 faces"));
    assert!(finding(&import, "bow-tie").1.contains("vertex 1 at 0, 0, 0"));
}

#[test]
fn faces_that_face_the_wrong_way_are_turned() {
    let cube = read(CUBE);
    let turned = CUBE.replace("f 2 4 8 6", "f 2 6 8 4");
    let import = read(&turned);
    assert_eq!(import.surface, cube.surface);
    let (at, text) = finding(&import, "turned-face");
    assert!(at == "line 11" && text.contains("face 2"), "{at} {text}");
    // If all are turned, they agree with each other, and only the volume shows which side is outside.
    let mut inside_out = cube.polygons.clone();
    inside_out.faces.iter_mut().for_each(|f| f.reverse());
    let import = read(&written(&inside_out));
    assert_eq!(codes(&import), ["computed-normals", "inside-out"]);
    assert_eq!(import.polygons.faces, inside_out.faces);
    assert!(finding(&import, "inside-out").1.ends_with("Flip orientation turns it"));
}

/// One that is inside out around a sound one: to flip all would only exchange them.
#[test]
fn shells_that_are_inside_out_are_counted() {
    let mut both = read(CUBE).polygons;
    let (count, around) = (both.positions.len(), both.clone());
    both.positions.extend(around.positions.iter().map(|point| 2.0 * *point));
    for face in &around.faces {
        both.faces.push(face.iter().rev().map(|vertex| vertex + count as u32).collect());
    }
    (both.uvs, both.normals) = (Vec::new(), Vec::new());
    let import = read(&written(&both));
    let text = finding(&import, "inside-out").1;
    assert!(text.contains("with 1 of 2 shells inside out") && text.contains("the whole mesh"), "{text}");
}

/// The given normals of a face that is turned point the same way as the others.
#[test]
fn normals_of_turned_faces_point_outwards() {
    let cube = primitives::cuboid(Vec3::ONE).unwrap();
    let mut polygons = Polygons::new(&cube);
    polygons.faces[1].reverse();
    let outwards = read(&written(&polygons));
    polygons.normals[4..8].fill(Vec3::NEG_X);
    let inwards = read(&written(&polygons));
    for import in [outwards, inwards] {
        assert_eq!(codes(&import), ["turned-face"]);
        for (h, n) in import.surface.corner_normals().iter().enumerate() {
            let p = import.surface.positions()[import.surface.vertex_of(h as u32) as usize];
            assert!(n.dot(p) > 0.0);
        }
    }
}

#[test]
fn duplicates_are_dropped() {
    let import = read(&format!("{CUBE}f 7 3 1 5\n"));
    assert_eq!(import.surface, read(CUBE).surface);
    assert_eq!(finding(&import, "duplicate-face").0, "line 16");
}

/// Three sheets at one edge: two stay together, the third is separate there.
#[test]
fn edges_with_three_faces_are_split() {
    let text = "v 0 0 0\nv 0 1 0\nv 1 0 0\nv -1 0 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 2 5\n";
    let import = read(text);
    let (at, message) = finding(&import, "non-manifold-edge");
    assert!(at == "line 6" && message.contains("1-2 (3 faces)"), "{at} {message}");
    assert!(!codes(&import).contains(&"bow-tie"), "{:?}", codes(&import));
    let s = import.statistics;
    assert_eq!((s.faces, s.vertices, s.shells, s.boundaries), (3, 7, 2, 2));
}

/// Two boxes that share an edge: each is closed again.
#[test]
fn solids_that_touch_along_an_edge_come_apart() {
    let mut polygons = read(CUBE).polygons;
    let other = polygons.clone();
    // The second is rotated by half a turn about the edge 7-8 (indices 6, 7), so that only this edge is
    // shared.
    let shared = |v: u32| if v == 6 || v == 7 { v } else { v + 8 };
    let turn = Mat4::from_translation(Vec3::new(0.0, 1.0, 1.0))
        * Mat4::from_rotation_x(std::f32::consts::PI)
        * Mat4::from_translation(Vec3::new(0.0, -1.0, -1.0));
    polygons.positions.extend(other.positions.iter().map(|p| turn.transform_point3(*p)));
    let copies = other.faces.iter().map(|f| f.iter().map(|&v| shared(v)).collect());
    polygons.faces.extend(copies.collect::<Vec<_>>());
    let import = read(&written(&polygons));
    assert!(finding(&import, "non-manifold-edge").1.contains("7-8 (4 faces)"));
    let s = import.statistics;
    assert_eq!((s.shells, s.boundaries, s.vertices, s.faces), (2, 0, 16, 12));
    assert!((s.volume - 16.0).abs() < 1e-5);
}

#[test]
fn one_sided_surfaces_are_cut() {
    // A band of five quads, the last joined with a twist.
    let mut polygons = Polygons::default();
    for i in 0..5 {
        let (sin, cos) = (std::f32::consts::TAU * i as f32 / 5.0).sin_cos();
        polygons.positions.push(Vec3::new(cos, -0.2, sin));
        polygons.positions.push(Vec3::new(cos, 0.2, sin));
    }
    polygons.faces = (0..4).map(|i| vec![2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1]).collect();
    polygons.faces.push(vec![8, 1, 0, 9]);
    let import = read(&written(&polygons));
    assert!(finding(&import, "one-sided").1.starts_with("1 edge "));
    let s = import.statistics;
    assert_eq!((s.faces, s.shells, s.boundaries, s.vertices), (5, 1, 1, 12));
}

#[test]
fn bad_uvs_and_normals_do_not_spoil_the_shape() {
    let bad = CUBE.replace("f 1 5 7 3", "vt nan 0\nvn inf 0 0\nf 1/1/1 5/2/2 7/-5/-5 3//0");
    let import = read(&bad);
    assert_eq!(import.surface, read(CUBE).surface);
    assert!(finding(&import, "bad-uv").1.starts_with("3 corners"));
    assert!(finding(&import, "bad-normal").1.starts_with("4 corners"));
}

#[test]
fn faces_without_area_are_told_and_kept() {
    let square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
    assert!(!codes(&read(square)).contains(&"no-area"));
    let import = read(&format!("{square}v 2 0 0\nv 3 0 0\nv 4 0 0\nf 5 6 7\n"));
    let (at, text) = finding(&import, "no-area");
    assert_eq!((at, import.polygons.faces.len()), ("line 9", 2));
    assert!(text.contains("face 2"), "{text}");
    // Two corners in one place.
    let import = read("v 0 0 0\nv 0 0 0\nv 1 0 0\nf 1 2 3\n");
    assert!(codes(&import).contains(&"no-area"));
}

#[test]
fn shells_that_touch_are_not_turned_where_normals_and_winding_agree() {
    // A roof of two faces, and a wall of two that goes along its rim in the same direction, as its normals say.
    let touching = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 -1\nv 1 0 -1\nv 0 0 -2\nv 1 0 -2\nv 0 2 0\nv 1 2 0\n\
                    vn 0 0 1\nvn 0 1 0\nf 1//1 2//1 3//1 4//1\nf 4//1 3//1 10//1 9//1\n\
                    f 1//2 2//2 6//2 5//2\nf 5//2 6//2 8//2 7//2\n";
    let import = read(touching);
    assert!(!codes(&import).contains(&"turned-face"), "{:?}", import.report);
    assert_eq!(import.polygons.faces.len(), 4);
    // Without the normals, or with others, the wall is turned.
    assert!(codes(&read(&touching.replace("//2", ""))).contains(&"turned-face"));
    assert!(codes(&read(&touching.replace("vn 0 1 0", "vn 0 -1 0"))).contains(&"turned-face"));
}

#[test]
fn a_hole_that_is_bridged_stays() {
    let square = "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\nv 1 1 0\nv 1 3 0\nv 3 3 0\nv 3 1 0\n";
    let import = read(&format!("{square}f 1 2 3 4 1 5 6 7 8 5\n"));
    assert!((import.statistics.area - 12.0).abs() < 1e-6, "{}", import.statistics.area);
    assert_eq!(import.statistics.boundaries, 2);
    assert_eq!(import.statistics.shells, 1);
}

#[test]
fn concave_faces_are_covered() {
    let ell = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\n";
    for first in 0..6 {
        let corners: Vec<String> = (0..6).map(|at| ((first + at) % 6 + 1).to_string()).collect();
        let import = read(&format!("{ell}f {}\n", corners.join(" ")));
        assert!((import.statistics.area - 3.0).abs() < 1e-6, "{}", import.statistics.area);
        assert_eq!(import.polygons.faces.len(), 1);
        let drawn = ossature::mesh::render::RenderMesh::new(&import.surface);
        assert_eq!(drawn.indices.len(), 12);
    }
    let dart = read("v 0 0 0\nv 1 1 0\nv 0 0.5 0\nv -1 1 0\nf 1 2 3 4\n");
    assert!((dart.statistics.area - 0.5).abs() < 1e-6, "{}", dart.statistics.area);
}
