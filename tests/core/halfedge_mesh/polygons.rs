//! Surfaces from polygons: their numbering, and what is refused.

use super::*;

fn polygon_refusal(vertices: usize, polygons: &[Vec<u32>]) -> String {
    let positions = (0..vertices).map(|i| Vec3::new(i as f32, (i * i) as f32, 0.0)).collect();
    HalfedgeMesh::from_polygons(positions, polygons, None).expect_err("should be refused").to_string()
}

#[test]
fn polygons_become_faces_in_order_with_holes_closed() {
    let closed = cube();
    assert_sound(&closed);
    assert_eq!((closed.halfedge_count(), closed.edge_count(), closed.face_count()), (24, 12, 6));

    let open = open_box();
    assert_sound(&open);
    assert_eq!((open.edge_count(), open.face_count()), (12, 6));
    assert_eq!(open.face_boundaries(), [false, false, false, false, false, true]);
    for (f, polygon) in cube_polygons()[..5].iter().enumerate() {
        let vertices: Vec<u32> = open.face_corners(f as u32).map(|h| open.vertex_of(h)).collect();
        assert_eq!(&vertices, polygon);
    }
    let mut hole: Vec<u32> = open.face_corners(5).map(|h| open.vertex_of(h)).collect();
    // The hole takes the place of the missing face.
    let start = hole.iter().position(|&v| v == 4).unwrap();
    hole.rotate_left(start);
    assert_eq!(hole, cube_polygons()[5]);

    // The first polygon's sides are edges 0..4; its half-edges are the even ones.
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
    assert!(short.unwrap_err().to_string().contains("uvs for 4 polygons, but 5"));
    let mut uneven = uvs.clone();
    uneven[3].pop();
    let uneven = HalfedgeMesh::from_polygons(cube_positions(), polygons, Some(&uneven));
    assert!(uneven.unwrap_err().to_string().contains("polygon 3 has 4 corners but 3 uvs"));
}

#[test]
fn polygons_that_are_no_surface_are_refused_with_their_place() {
    let cases: &[(usize, &[&[u32]], &str)] = &[
        (3, &[&[0, 1, 3]], "polygon 0 refers to vertex 3, but there are only 3 vertices"),
        (3, &[&[0, 1, 2], &[0, 2]], "polygon 1 has 2 corners"),
        (3, &[&[0, 1, 2, 1]], "polygon 0 touches vertex 1 twice"),
        (4, &[&[0, 1, 2]], "vertex 3 belongs to no polygon"),
        (5, &[&[0, 1, 2], &[1, 0, 3], &[0, 1, 4]], "between vertices 0 and 1: 3 polygons (0, 1, 2)"),
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
