//! Half-edge meshes: what is accepted, what is refused and how the refusal reads, and that every
//! accepted mesh can be walked.

use glam::{Vec2, Vec3};
use ossature::mesh::halfedge::{HalfedgeMesh, RawMesh};

/// Marsaglia's xorshift64.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

fn cube_positions() -> Vec<Vec3> {
    let bit = |i: usize, k: usize| if i >> k & 1 == 1 { 1.0 } else { 0.0 };
    (0..8)
        .map(|i| Vec3::new(bit(i, 0), bit(i, 1), bit(i, 2)))
        .collect()
}

/// Quads of the unit cube, counter-clockwise from outside: -x, +x, -y, +y, -z, +z.
fn cube_polygons() -> Vec<Vec<u32>> {
    vec![
        vec![0, 4, 6, 2],
        vec![1, 3, 7, 5],
        vec![0, 1, 5, 4],
        vec![2, 6, 7, 3],
        vec![0, 2, 3, 1],
        vec![4, 5, 7, 6],
    ]
}

fn cube() -> HalfedgeMesh {
    HalfedgeMesh::from_polygons(cube_positions(), &cube_polygons(), None).unwrap()
}

fn open_box() -> HalfedgeMesh {
    HalfedgeMesh::from_polygons(cube_positions(), &cube_polygons()[..5], None).unwrap()
}

/// The triangle that the format's description gives as its example.
fn triangle() -> RawMesh {
    RawMesh {
        next: vec![2, 5, 4, 1, 0, 3],
        corner_uv: vec![Vec2::ZERO; 6],
        corner_normal: vec![Vec3::Z; 6],
        vertex_halfedge: vec![0, 2, 4],
        vertex_position: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        edge_sharp: vec![false; 3],
        face_halfedge: vec![0, 1],
        face_boundary: vec![false, true],
    }
}

fn refusal(raw: RawMesh) -> String {
    HalfedgeMesh::new(raw).expect_err("should be refused").to_string()
}

fn polygon_refusal(vertices: usize, polygons: &[Vec<u32>]) -> String {
    let positions = (0..vertices)
        .map(|i| Vec3::new(i as f32, (i * i) as f32, 0.0))
        .collect();
    HalfedgeMesh::from_polygons(positions, polygons, None)
        .expect_err("should be refused")
        .to_string()
}

/// Walks everything and checks what the rules promise, from the definitions.
fn assert_sound(mesh: &HalfedgeMesh) {
    let h_count = mesh.halfedge_count();
    let mut at_vertex = vec![0; h_count];
    for v in 0..mesh.vertex_count() as u32 {
        let outgoing: Vec<u32> = mesh.outgoing(v).take(h_count + 1).collect();
        assert!(outgoing.len() >= 2 && outgoing.len() <= h_count);
        let holes = outgoing
            .iter()
            .filter(|&&h| mesh.is_boundary(mesh.face_of(h)))
            .count();
        assert!(holes <= 1 && holes < outgoing.len());
        for h in outgoing {
            assert_eq!(mesh.vertex_of(h), v);
            at_vertex[h as usize] += 1;
        }
    }
    let mut in_face = vec![0; h_count];
    for f in 0..mesh.face_count() as u32 {
        let corners: Vec<u32> = mesh.face_corners(f).take(h_count + 1).collect();
        assert!(corners.len() >= 3 && corners.len() <= h_count);
        let mut vertices: Vec<u32> = corners.iter().map(|&h| mesh.vertex_of(h)).collect();
        let mut edges: Vec<u32> = corners.iter().map(|&h| h / 2).collect();
        for list in [&mut vertices, &mut edges] {
            list.sort_unstable();
            list.dedup();
            assert_eq!(list.len(), corners.len(), "face {f} touches something twice");
        }
        for h in corners {
            assert_eq!(mesh.face_of(h), f);
            in_face[h as usize] += 1;
        }
    }
    assert!(at_vertex.iter().chain(&in_face).all(|&n| n == 1));
    for e in 0..mesh.edge_count() as u32 {
        assert!(
            [2 * e, 2 * e + 1]
                .iter()
                .any(|&h| !mesh.is_boundary(mesh.face_of(h)))
        );
        let [a, b] = mesh.edge_vertices(e);
        assert_eq!(mesh.vertex_of(mesh.next(2 * e)), b);
        assert_eq!(mesh.vertex_of(mesh.next(2 * e + 1)), a);
    }
}

#[test]
fn the_example_of_the_format_is_accepted_and_comes_back() {
    let mesh = HalfedgeMesh::new(triangle()).unwrap();
    assert_sound(&mesh);
    assert_eq!(mesh.raw(), triangle());
    assert_eq!(mesh.face_corners(0).collect::<Vec<_>>(), [0, 2, 4]);
    assert_eq!(mesh.outgoing(0).collect::<Vec<_>>(), [0, 5]);
    assert_eq!(mesh.halfedge_vertices(), [0, 1, 1, 2, 2, 0]);
    assert_eq!(mesh.halfedge_faces(), [0, 1, 0, 1, 0, 1]);
}

#[test]
fn the_empty_mesh_is_valid() {
    assert_eq!(
        HalfedgeMesh::new(RawMesh::default()).unwrap(),
        HalfedgeMesh::default()
    );
    assert_eq!(
        HalfedgeMesh::from_polygons(vec![], &[], None).unwrap(),
        HalfedgeMesh::default()
    );
}

#[test]
fn each_broken_rule_is_named_with_its_place() {
    type Breaks = fn(&mut RawMesh);
    let cases: &[(Breaks, &str)] = &[
        (|r| r.next.truncate(5), "half-edge 4 has no twin"),
        (|r| r.corner_uv.truncate(5), "5 corner uvs for 6 half-edges"),
        (
            |r| r.corner_normal.push(Vec3::ZERO),
            "7 corner normals for 6 half-edges",
        ),
        (
            |r| r.vertex_position.truncate(2),
            "2 vertex positions for 3 vertices",
        ),
        (|r| r.edge_sharp.clear(), "0 edge sharp flags for 3 edges"),
        (
            |r| r.face_boundary.truncate(1),
            "1 face boundary flags for 2 faces",
        ),
        (|r| r.next[4] = 6, "half-edge 4 has next 6"),
        (|r| r.next[4] = u32::MAX, "half-edge 4 has next 4294967295"),
        (
            |r| r.next[4] = 1,
            "half-edge 1 is the next of both half-edges 3 and 4",
        ),
        (|r| r.vertex_halfedge[1] = 6, "vertex 1 names half-edge 6"),
        (
            |r| r.face_halfedge[1] = u32::MAX,
            "face 1 names half-edge 4294967295",
        ),
        (
            |r| r.vertex_halfedge[2] = 5,
            "half-edge 5 belongs to both vertex 0 and vertex 2",
        ),
        (
            |r| r.face_halfedge[1] = 4,
            "half-edge 4 belongs to both face 0 and face 1",
        ),
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
        (
            |r| r.face_boundary[0] = true,
            "edge 0 has boundary faces on both sides",
        ),
        (|r| r.vertex_position[2].y = f32::NAN, "vertex 2 has position"),
        (|r| r.corner_uv[3].x = f32::INFINITY, "half-edge 3 has corner uv"),
        (
            |r| r.corner_normal[5].z = f32::NEG_INFINITY,
            "half-edge 5 has corner normal",
        ),
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
    let mut raw = HalfedgeMesh::from_polygons(positions, &polygons, None)
        .unwrap()
        .raw();
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
    // Exchanging the next of the half-edges that enter two vertices merges the vertices and, as they lie
    // in different faces, the faces.
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

#[test]
fn polygons_become_faces_in_order_with_holes_closed() {
    let closed = cube();
    assert_sound(&closed);
    assert_eq!(
        (closed.halfedge_count(), closed.edge_count(), closed.face_count()),
        (24, 12, 6)
    );

    let open = open_box();
    assert_sound(&open);
    assert_eq!((open.edge_count(), open.face_count()), (12, 6));
    assert_eq!(open.face_boundaries(), [false, false, false, false, false, true]);
    for (f, polygon) in cube_polygons()[..5].iter().enumerate() {
        let vertices: Vec<u32> = open.face_corners(f as u32).map(|h| open.vertex_of(h)).collect();
        assert_eq!(&vertices, polygon);
    }
    let mut hole: Vec<u32> = open.face_corners(5).map(|h| open.vertex_of(h)).collect();
    // The hole takes the place of the face that is missing.
    let start = hole.iter().position(|&v| v == 4).unwrap();
    hole.rotate_left(start);
    assert_eq!(hole, cube_polygons()[5]);

    // The first polygon's sides are edges 0..4, its half-edges the even ones.
    assert_eq!(open.face_corners(0).collect::<Vec<_>>(), [0, 2, 4, 6]);
    assert_eq!(open, open_box());
}

#[test]
fn uvs_go_to_their_corners() {
    let uv = |f: usize, i: usize| Vec2::new(f as f32, i as f32);
    let polygons = &cube_polygons()[..5];
    let uvs: Vec<Vec<Vec2>> = (0..5).map(|f| (0..4).map(|i| uv(f, i)).collect()).collect();
    let mesh = HalfedgeMesh::from_polygons(cube_positions(), polygons, Some(&uvs)).unwrap();
    for f in 0..5 {
        for (i, h) in mesh.face_corners(f).enumerate() {
            assert_eq!(mesh.corner_uvs()[h as usize], uv(f as usize, i));
        }
    }
    for h in mesh.face_corners(5) {
        assert_eq!(mesh.corner_uvs()[h as usize], Vec2::ZERO);
        assert_eq!(mesh.corner_normals()[h as usize], Vec3::ZERO);
    }
    let short = HalfedgeMesh::from_polygons(cube_positions(), polygons, Some(&uvs[..4]));
    assert!(
        short
            .unwrap_err()
            .to_string()
            .contains("uvs for 4 polygons, but 5")
    );
    let mut uneven = uvs.clone();
    uneven[3].pop();
    let uneven = HalfedgeMesh::from_polygons(cube_positions(), polygons, Some(&uneven));
    assert!(
        uneven
            .unwrap_err()
            .to_string()
            .contains("polygon 3 has 4 corners but 3 uvs")
    );
}

#[test]
fn polygons_that_are_no_surface_are_refused_with_their_place() {
    let cases: &[(usize, &[&[u32]], &str)] = &[
        (
            3,
            &[&[0, 1, 3]],
            "polygon 0 names vertex 3, but there are only 3 vertices",
        ),
        (3, &[&[0, 1, 2], &[0, 2]], "polygon 1 has 2 corners"),
        (3, &[&[0, 1, 2, 1]], "polygon 0 touches vertex 1 twice"),
        (4, &[&[0, 1, 2]], "vertex 3 belongs to no polygon"),
        (
            5,
            &[&[0, 1, 2], &[1, 0, 3], &[0, 1, 4]],
            "between vertices 0 and 1: 3 polygons (0, 1, 2)",
        ),
        (4, &[&[0, 1, 2], &[0, 1, 3]], "polygons 0 and 1 run the same way"),
        (5, &[&[0, 1, 2], &[0, 3, 4]], "vertex 0 joins separate fans"),
    ];
    for (vertices, polygons, text) in cases {
        let polygons: Vec<Vec<u32>> = polygons.iter().map(|p| p.to_vec()).collect();
        let error = polygon_refusal(*vertices, &polygons);
        assert!(error.contains(text), "{error:?} should contain {text:?}");
    }
    // Two tetrahedra that share a vertex: closed fans.
    let tetrahedron = |v: [u32; 4]| {
        let [a, b, c, d] = v;
        [vec![a, c, b], vec![a, b, d], vec![b, c, d], vec![a, d, c]]
    };
    let two = [tetrahedron([0, 1, 2, 3]), tetrahedron([4, 5, 6, 3])].concat();
    assert!(polygon_refusal(7, &two).contains("vertex 3 joins separate fans"));
    // A closed fan and an open one.
    let mut mixed = tetrahedron([0, 1, 2, 3]).to_vec();
    mixed.push(vec![3, 4, 5]);
    assert!(polygon_refusal(6, &mixed).contains("vertex 3 joins separate fans"));

    let mut positions = cube_positions();
    positions[6].x = f32::NAN;
    let error = HalfedgeMesh::from_polygons(positions, &cube_polygons(), None).unwrap_err();
    assert!(error.to_string().contains("vertex 6 has position"));
}

/// Random rewirings: either refused, or sound.
#[test]
fn rewired_meshes_are_refused_or_can_be_walked() {
    let seeds = [cube().raw(), open_box().raw(), triangle()];
    let mut rng = Rng(0x9E37_79B9_7F4A_7C15);
    let (mut accepted, mut refused) = (0, 0);
    for round in 0..60_000 {
        let mut raw = seeds[rng.below(seeds.len())].clone();
        for _ in 0..1 + rng.below(4) {
            let (h, v, f) = (raw.next.len(), raw.vertex_halfedge.len(), raw.face_halfedge.len());
            if h == 0 || v == 0 || f == 0 {
                break;
            }
            match rng.below(10) {
                0 => raw.next[rng.below(h)] = rng.below(h + 1) as u32,
                1 | 2 => raw.next.swap(rng.below(h), rng.below(h)),
                3 => {
                    // Exchange two pairs: keeps a permutation and often a surface.
                    let (a, b) = (rng.below(h), rng.below(h));
                    raw.next.swap(a, b);
                    raw.next.swap(a ^ 1, b ^ 1);
                }
                4 => raw.vertex_halfedge[rng.below(v)] = rng.below(h) as u32,
                5 => raw.face_halfedge[rng.below(f)] = rng.below(h) as u32,
                6 => {
                    let at = rng.below(f);
                    raw.face_boundary[at] = !raw.face_boundary[at];
                }
                7 => {
                    raw.vertex_halfedge.remove(rng.below(v));
                    raw.vertex_position.pop();
                }
                8 => {
                    let at = rng.below(f);
                    raw.face_halfedge.remove(at);
                    raw.face_boundary.remove(at);
                }
                _ => {
                    // Another half-edge of the same cycle: stays valid.
                    let at = rng.below(f);
                    let next = raw.next.get(raw.face_halfedge[at] as usize).copied();
                    raw.face_halfedge[at] = next.unwrap_or(0);
                }
            }
        }
        if round % 2 == 0 {
            repair_cycles(&mut raw);
        }
        match HalfedgeMesh::new(raw.clone()) {
            Ok(mesh) => {
                assert_sound(&mesh);
                assert_eq!(mesh.raw(), raw);
                accepted += 1;
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                refused += 1;
            }
        }
    }
    assert!(
        accepted > 1_000 && refused > 1_000,
        "{accepted} accepted, {refused} refused"
    );
}

/// Names each cycle of `next` once, so that rewirings get past the first rules.
fn repair_cycles(raw: &mut RawMesh) {
    let h_count = raw.next.len();
    let mut sorted = raw.next.clone();
    sorted.sort_unstable();
    if !sorted.iter().enumerate().all(|(i, &n)| i == n as usize) {
        return;
    }
    let starts = |twin: usize| {
        let mut seen = vec![false; h_count];
        let mut starts = vec![];
        for h in 0..h_count {
            if !seen[h] {
                starts.push(h as u32);
                let mut at = h;
                while !seen[at] {
                    seen[at] = true;
                    at = raw.next[at ^ twin] as usize;
                }
            }
        }
        starts
    };
    (raw.face_halfedge, raw.vertex_halfedge) = (starts(0), starts(1));
    raw.face_boundary.resize(raw.face_halfedge.len(), false);
    raw.vertex_position.resize(raw.vertex_halfedge.len(), Vec3::ONE);
}

/// A polygon soup of random triangles and quads: refused, or sound.
#[test]
fn random_polygons_are_refused_or_become_a_surface() {
    let mut rng = Rng(0xDEAD_BEEF_1234_5678);
    let mut accepted = 0;
    for _ in 0..30_000 {
        let vertices = 3 + rng.below(4);
        let polygons: Vec<Vec<u32>> = (0..1 + rng.below(4))
            .map(|_| {
                (0..3 + rng.below(2))
                    .map(|_| rng.below(vertices) as u32)
                    .collect()
            })
            .collect();
        let positions = vec![Vec3::ZERO; vertices];
        if let Ok(mesh) = HalfedgeMesh::from_polygons(positions, &polygons, None) {
            assert_sound(&mesh);
            assert!(mesh.corner_normals().iter().all(|n| n.is_finite()));
            accepted += 1;
        }
    }
    assert!(accepted > 100, "{accepted} accepted");
}
