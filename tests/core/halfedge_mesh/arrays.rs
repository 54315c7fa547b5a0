//! Surfaces from arrays: what is accepted, and how each violated rule is named.

use super::*;

fn refusal(raw: RawMesh) -> String {
    HalfedgeMesh::new(raw).expect_err("should be refused").to_string()
}

#[test]
fn the_example_of_the_format_is_accepted_and_comes_back() {
    let mesh = HalfedgeMesh::new(triangle()).unwrap();
    assert_sound(&mesh);
    assert_eq!(mesh.raw(), triangle());
    assert_eq!(mesh.face_corners(0).collect::<Vec<_>>(), [0, 2, 4]);
    assert_eq!(mesh.outgoing(0).collect::<Vec<_>>(), [0, 5]);
    let ends = (0..6).map(|halfedge| (mesh.vertex_of(halfedge), mesh.face_of(halfedge)));
    let expected = [(0, 0), (1, 1), (1, 0), (2, 1), (2, 0), (0, 1)];
    assert_eq!(ends.collect::<Vec<_>>(), expected);
}

#[test]
fn the_empty_mesh_is_valid() {
    assert_eq!(HalfedgeMesh::new(RawMesh::default()).unwrap(), HalfedgeMesh::default());
    assert_eq!(HalfedgeMesh::from_polygons(vec![], &[], None).unwrap(), HalfedgeMesh::default());
}

#[test]
fn each_broken_rule_is_named_with_its_place() {
    type Breaks = fn(&mut RawMesh);
    let cases: &[(Breaks, &str)] = &[
        (|r| r.next.truncate(5), "half-edge 4 has no twin"),
        (|r| r.corner_uv.truncate(5), "5 corner uvs for 6 half-edges"),
        (|r| r.corner_normal.push(Vec3::ZERO), "7 corner normals for 6 half-edges"),
        (|r| r.vertex_position.truncate(2), "2 vertex positions for 3 vertices"),
        (|r| r.edge_sharp.clear(), "0 edge sharp flags for 3 edges"),
        (|r| r.face_boundary.truncate(1), "1 face boundary flags for 2 faces"),
        (|r| r.next[4] = 6, "half-edge 4 has next 6"),
        (|r| r.next[4] = u32::MAX, "half-edge 4 has next 4294967295"),
        (|r| r.next[4] = 1, "half-edge 1 is the next of both half-edges 3 and 4"),
        (|r| r.vertex_halfedge[1] = 6, "vertex 1 refers to half-edge 6"),
        (|r| r.face_halfedge[1] = u32::MAX, "face 1 refers to half-edge 4294967295"),
        (|r| r.vertex_halfedge[2] = 5, "half-edge 5 belongs to both vertex 0 and vertex 2"),
        (|r| r.face_halfedge[1] = 4, "half-edge 4 belongs to both face 0 and face 1"),
        (
            |r| {
                r.vertex_halfedge.pop();
                r.vertex_position.pop();
            },
            "half-edge 3 belongs to no vertex",
        ),
        (
            |r| {
                r.face_halfedge.pop();
                r.face_boundary.pop();
            },
            "half-edge 1 belongs to no face",
        ),
        (|r| r.face_boundary[0] = true, "edge 0 has boundary faces on both sides"),
        (|r| r.vertex_position[2].y = f32::NAN, "vertex 2 has position"),
        (|r| r.corner_uv[3].x = f32::INFINITY, "half-edge 3 has corner uv"),
        (|r| r.corner_normal[5].z = f32::NEG_INFINITY, "half-edge 5 has corner normal"),
    ];
    for (breaks, text) in cases {
        let mut raw = triangle();
        breaks(&mut raw);
        let error = refusal(raw);
        assert!(error.contains(text), "{error:?} should contain {text:?}");
    }
}

#[test]
fn small_cycles_are_refused() {
    // Two corners: a 2-gon with a boundary 2-gon around it.
    let mut raw = triangle();
    raw.next = vec![2, 3, 0, 1];
    raw.corner_uv.truncate(4);
    raw.corner_normal.truncate(4);
    raw.edge_sharp.truncate(2);
    raw.vertex_halfedge = vec![0, 2];
    raw.vertex_position.truncate(2);
    assert!(refusal(raw).contains("face 0 has 2 corners"));

    // A wire: half-edges 0 and 1 follow each other, so each end has one outgoing half-edge.
    let raw = RawMesh {
        next: vec![1, 0],
        corner_uv: vec![Vec2::ZERO; 2],
        corner_normal: vec![Vec3::ZERO; 2],
        vertex_halfedge: vec![0, 1],
        vertex_position: vec![Vec3::ZERO; 2],
        edge_sharp: vec![false],
        face_halfedge: vec![0],
        face_boundary: vec![false],
    };
    assert!(refusal(raw).contains("vertex 0 has only one outgoing half-edge"));
}

#[test]
fn boundary_flags_open_a_closed_mesh_but_only_as_the_rules_allow() {
    let mut raw = cube().raw();
    raw.face_boundary[2] = true;
    assert_sound(&HalfedgeMesh::new(raw.clone()).unwrap());
    // -y and +y do not touch: two holes.
    raw.face_boundary[3] = true;
    assert_sound(&HalfedgeMesh::new(raw.clone()).unwrap());
    // -z touches both along an edge.
    raw.face_boundary[4] = true;
    assert!(refusal(raw).contains("has boundary faces on both sides"));

    // Two opposite faces of an octahedron's upper half share only the top vertex.
    let positions = vec![Vec3::Y, Vec3::X, Vec3::NEG_Z, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Y];
    let polygons: Vec<Vec<u32>> = (0..4u32)
        .flat_map(|i| {
            let (a, b) = (1 + i, 1 + (i + 1) % 4);
            [vec![0, a, b], vec![5, b, a]]
        })
        .collect();
    let mut raw = HalfedgeMesh::from_polygons(positions, &polygons, None).unwrap().raw();
    raw.face_boundary[0] = true;
    raw.face_boundary[4] = true;
    assert!(refusal(raw).contains("vertex 0 touches 2 boundary loops"));
}

#[test]
fn a_face_that_touches_a_vertex_twice_is_refused() {
    // A tetrahedron two of whose vertices become one.
    let mut raw = HalfedgeMesh::from_polygons(
        vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z],
        &[vec![0, 2, 1], vec![0, 1, 3], vec![1, 2, 3], vec![0, 3, 2]],
        None,
    )
    .unwrap()
    .raw();
    // Swapping the next of the half-edges that enter two vertices merges the vertices and, as they are in
    // different faces, the faces.
    let n = raw.next.len();
    let mesh = HalfedgeMesh::new(raw.clone()).unwrap();
    let into =
        |v: u32, f: u32| (0..n).find(|&h| mesh.vertex_of(raw.next[h]) == v && mesh.face_of(h as u32) == f);
    // Vertex 0 in face 0 and vertex 3 in face 2: the merged face touches the merged vertex twice.
    let (a, b) = (into(0, 0).unwrap(), into(3, 2).unwrap());
    raw.next.swap(a, b);
    raw.face_halfedge.remove(2);
    raw.face_boundary.remove(2);
    raw.vertex_halfedge.remove(3);
    raw.vertex_position.remove(3);
    let error = refusal(raw);
    assert!(error.contains("face 0 touches vertex"), "{error}");
}
