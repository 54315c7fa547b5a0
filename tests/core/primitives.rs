//! Primitives are what their names say: closed, facing outwards, with the area, volume and normals of the
//! shape in the limit.

use glam::{Vec2, Vec3};
use ossature::mesh::halfedge::HalfedgeMesh;
use ossature::mesh::primitives::Primitive;
use ossature::mesh::statistics::Statistics;
use std::f64::consts::PI;

fn counted(primitive: Primitive) -> (HalfedgeMesh, Statistics) {
    let mesh = primitive.build().unwrap_or_else(|e| panic!("{primitive:?}: {e}"));
    let statistics = Statistics::new(&mesh);
    assert_eq!(statistics.faces as u64, primitive.face_count(), "{primitive:?}");
    (mesh, statistics)
}

/// Each primitive with its smallest divisions, its defaults, and something unusual.
fn all() -> Vec<Primitive> {
    let mut all = Primitive::DEFAULTS.to_vec();
    all.extend([
        Primitive::Sphere { radius: 2.0, around: 3, along: 2 },
        Primitive::Cylinder { radius: 0.1, height: 9.0, around: 3, along: 1 },
        Primitive::Bar { size: Vec3::new(1.0, 2.0, 3.0), divisions: [1, 1, 1] },
        Primitive::Bar { size: Vec3::new(1e-6, 2e-6, 3e-6), divisions: [3, 1, 5] },
        Primitive::Capsule { radius: 1.0, height: 2.1, around: 3, along: 1, cap: 1 },
        Primitive::Plane { size: Vec2::new(3.0, 0.5), divisions: [1, 1] },
        Primitive::Torus { radius: 5.0, thickness: 4.5, around: 3, across: 3 },
    ]);
    all
}

#[test]
fn all_are_sound_and_face_outwards() {
    for primitive in all() {
        let (mesh, s) = counted(primitive);
        assert_eq!(s.shells, 1, "{primitive:?}");
        let (euler, boundaries) = match primitive {
            Primitive::Plane { .. } => (1, 1),
            Primitive::Torus { .. } => (0, 0),
            _ => (2, 0),
        };
        // V - E + F, without filling the holes: 2 for a ball, 0 for a torus.
        assert_eq!(s.vertices + s.faces, s.edges + euler, "{primitive:?}");
        assert_eq!(s.boundaries, boundaries, "{primitive:?}");
        assert!(boundaries == 1 || s.volume > 0.0, "{primitive:?}: {}", s.volume);
        for f in (0..mesh.face_count() as u32).filter(|&f| !mesh.is_boundary(f)) {
            let at = |h: u32| mesh.positions()[mesh.vertex_of(h) as usize].as_dvec3();
            let corners: Vec<u32> = mesh.face_corners(f).collect();
            let out = (at(corners[1]) - at(corners[0])).cross(at(corners[2]) - at(corners[0]));
            for h in corners {
                let normal = mesh.corner_normals()[h as usize];
                assert!((normal.length() - 1.0).abs() < 1e-5, "{primitive:?}: {normal}");
                assert!(out.dot(normal.as_dvec3()) > 0.0, "{primitive:?}: face {f}");
                let uv = mesh.corner_uvs()[h as usize];
                assert!(uv.cmpge(Vec2::ZERO).all() && uv.cmple(Vec2::ONE).all(), "{primitive:?}: {uv}");
            }
        }
    }
}

/// The area and volume of round shapes; twice the divisions quarter the error.
#[test]
fn round_shapes_converge_to_their_closed_forms() {
    let (r, h, t) = (0.7, 3.0, 0.2);
    let (rd, hd, td) = (f64::from(r as f32), f64::from(h as f32), f64::from(t as f32));
    let at = |n: u32| {
        [
            Primitive::Sphere { radius: r as f32, around: 2 * n, along: n },
            Primitive::Cylinder { radius: r as f32, height: h as f32, around: n, along: 3 },
            Primitive::Capsule { radius: r as f32, height: h as f32, around: 2 * n, along: 2, cap: n / 2 },
            Primitive::Torus { radius: r as f32, thickness: t as f32, around: 2 * n, across: n },
        ]
    };
    let straight = hd - 2.0 * rd;
    let exact = [
        (4.0 * PI * rd * rd, 4.0 / 3.0 * PI * rd.powi(3)),
        (2.0 * PI * rd * (rd + hd), PI * rd * rd * hd),
        (2.0 * PI * rd * (2.0 * rd + straight), PI * rd * rd * (4.0 / 3.0 * rd + straight)),
        (4.0 * PI * PI * rd * td, 2.0 * PI * PI * rd * td * td),
    ];
    let errors = |n: u32| {
        at(n).map(|primitive| {
            let (_, s) = counted(primitive);
            (s.area, s.volume)
        })
    };
    for ((coarse, fine), exact) in errors(24).into_iter().zip(errors(48)).zip(exact) {
        for (coarse, fine, exact) in [(coarse.0, fine.0, exact.0), (coarse.1, fine.1, exact.1)] {
            let (before, after) = ((coarse - exact) / exact, (fine - exact) / exact);
            assert!(after.abs() < 0.006, "{fine} instead of {exact}");
            let ratio = before / after;
            assert!((3.5..4.5).contains(&ratio), "{before} to {after}");
        }
    }
}

#[test]
fn flat_shapes_have_their_sizes_exactly() {
    let size = Vec3::new(1.0, 2.0, 4.0);
    for primitive in [Primitive::Box { size }, Primitive::Bar { size, divisions: [2, 3, 4] }] {
        let (_, s) = counted(primitive);
        assert!((s.area - 28.0).abs() < 1e-5 && (s.volume - 8.0).abs() < 1e-5);
    }
    let (mesh, s) = counted(Primitive::Bar { size, divisions: [2, 3, 4] });
    assert_eq!(s.vertices, 3 * 4 * 5 - 2 * 3, "cells inside have no vertices");
    let low = mesh.positions().iter().copied().reduce(Vec3::min).unwrap();
    let high = mesh.positions().iter().copied().reduce(Vec3::max).unwrap();
    assert_eq!((low, high), (Vec3::new(-0.5, 0.0, -2.0), Vec3::new(0.5, 2.0, 2.0)));
    let (_, s) = counted(Primitive::Plane { size: Vec2::new(3.0, 5.0), divisions: [4, 2] });
    assert!((s.area - 15.0).abs() < 1e-5);
}

#[test]
fn normals_are_those_of_the_shapes() {
    let (mesh, _) = counted(Primitive::Cylinder { radius: 1.0, height: 2.0, around: 3, along: 1 });
    for h in 0..mesh.halfedge_count() as u32 {
        let p = mesh.positions()[mesh.vertex_of(h) as usize];
        let cap = mesh.face_corners(mesh.face_of(h)).count() == 3;
        let expected = match cap {
            true => Vec3::Y * (p.y - 1.0),
            false => Vec3::new(p.x, 0.0, p.z),
        };
        assert!(mesh.corner_normals()[h as usize].distance(expected) < 1e-6);
    }
    let (mesh, _) = counted(Primitive::Capsule { radius: 0.5, height: 3.0, around: 8, along: 3, cap: 4 });
    for h in 0..mesh.halfedge_count() as u32 {
        let p = mesh.positions()[mesh.vertex_of(h) as usize];
        let foot = Vec3::Y * p.y.clamp(0.5, 2.5);
        assert!((p.distance(foot) - 0.5).abs() < 1e-6, "{p} is not on the capsule");
        assert!(mesh.corner_normals()[h as usize].distance((p - foot) * 2.0) < 1e-5);
    }
}

#[test]
fn what_makes_no_shape_is_refused() {
    for (primitive, part) in [
        (Primitive::Box { size: Vec3::new(1.0, 0.0, 1.0) }, "size y"),
        (Primitive::Box { size: Vec3::new(1.0, 1.0, f32::NAN) }, "size z"),
        (Primitive::Box { size: Vec3::splat(1e30) }, "1e9"),
        (Primitive::Sphere { radius: -1.0, around: 8, along: 8 }, "radius"),
        (Primitive::Sphere { radius: 1.0, around: 2, along: 8 }, "around"),
        (Primitive::Sphere { radius: 1.0, around: 8, along: 1 }, "along"),
        (Primitive::Cylinder { radius: 1.0, height: f32::INFINITY, around: 8, along: 1 }, "height"),
        (Primitive::Bar { size: Vec3::ONE, divisions: [1, 1, 0] }, "divisions z"),
        (Primitive::Bar { size: Vec3::ONE, divisions: [1001, 1, 1] }, "1000"),
        (Primitive::Bar { size: Vec3::ONE, divisions: [1000; 3] }, "6000000 faces"),
        (Primitive::Capsule { radius: 1.0, height: 2.0, around: 8, along: 1, cap: 2 }, "twice"),
        (Primitive::Plane { size: Vec2::new(1.0, -1.0), divisions: [1, 1] }, "size z"),
        (Primitive::Torus { radius: 1.0, thickness: 1.0, around: 8, across: 8 }, "less than the radius"),
        (Primitive::Torus { radius: 1.0, thickness: 0.5, around: 8, across: 2 }, "across"),
    ] {
        let error = primitive.build().unwrap_err().to_string();
        assert!(error.contains(part), "{primitive:?}: {error}");
    }
}
