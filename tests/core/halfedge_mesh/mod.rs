//! Half-edge meshes: what is accepted, what is refused with which message, and that every accepted mesh can
//! be walked.

use crate::random::Random;
use glam::{Vec2, Vec3};
use ossature::mesh::halfedge::{HalfedgeMesh, RawMesh};

mod arrays;
mod fuzz;
mod polygons;

fn cube_positions() -> Vec<Vec3> {
    let bit = |i: usize, k: usize| if i >> k & 1 == 1 { 1.0 } else { 0.0 };
    (0..8).map(|i| Vec3::new(bit(i, 0), bit(i, 1), bit(i, 2))).collect()
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

/// Returns the example triangle from the format's description.
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

/// Walks the whole mesh and checks the guarantees against their definitions.
fn assert_sound(mesh: &HalfedgeMesh) {
    let h_count = mesh.halfedge_count();
    let mut at_vertex = vec![0; h_count];
    for v in 0..mesh.vertex_count() as u32 {
        let outgoing: Vec<u32> = mesh.outgoing(v).take(h_count + 1).collect();
        assert!(outgoing.len() >= 2 && outgoing.len() <= h_count);
        let holes = outgoing.iter().filter(|&&h| mesh.is_boundary(mesh.face_of(h))).count();
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
        assert!([2 * e, 2 * e + 1].iter().any(|&h| !mesh.is_boundary(mesh.face_of(h))));
        let [a, b] = mesh.edge_vertices(e);
        assert_eq!(mesh.vertex_of(mesh.next(2 * e)), b);
        assert_eq!(mesh.vertex_of(mesh.next(2 * e + 1)), a);
    }
}
