//! Simple surfaces with texture coordinates, built from polygons. [`Primitive`] is their checked description.
//!
//! Sizes are in units of mesh space; non-finite sizes are rejected, like any mesh with such positions.

mod grid;
mod spec;

use super::halfedge::{HalfedgeMesh, MeshError};
use glam::{Vec2, Vec3};
pub use spec::{MAX_DIVISIONS, MAX_FACES, Primitive};
use std::f32::consts::{FRAC_PI_2, PI, TAU};

/// Creates a box around the origin with edges of length `size`: 8 vertices and 6 quads with flat normals (-x,
/// +x, -y, +y, -z, +z), each with the full square of texture coordinates.
pub fn cuboid(size: Vec3) -> Result<HalfedgeMesh, MeshError> {
    let half = |bit: u32| if bit == 1 { 0.5 } else { -0.5 };
    let positions =
        (0..8u32).map(|i| size * Vec3::new(half(i & 1), half(i >> 1 & 1), half(i >> 2))).collect();
    let polygons =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]].map(Vec::from);
    let square = vec![Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y];
    let mesh = HalfedgeMesh::from_polygons(positions, &polygons, Some(&vec![square; 6]))?;
    Ok(mesh.with_flat_normals())
}

/// Creates a closed tube along +y from the origin to `height`, with smooth normals: `around` (at least 3) times
/// `along` (at least 1) quads, and a fan of triangles around a vertex at each end. Its `around` * (`along` + 1) + 2
/// vertices are the rings from the bottom up, then the centres of the bottom and the top.
pub fn tube(radius: f32, height: f32, around: u32, along: u32) -> Result<HalfedgeMesh, MeshError> {
    let along = along.max(1);
    let ring = |j: u32| {
        let t = j as f32 / along as f32;
        Ring { radius, y: height * t, v: t }
    };
    let rings: Vec<Ring> = (0..=along).map(ring).collect();
    lathe(&rings, around, [0.0, height])
}

/// Creates a sphere around the origin: `around` (at least 3) meridians, `along` (at least 2) bands from the
/// bottom up; quads, with triangles at the poles on the y axis. Smooth normals. `around` * (`along` - 1) + 2
/// vertices: the rings from the bottom up, then the lower and the upper pole.
pub fn uv_sphere(radius: f32, around: u32, along: u32) -> Result<HalfedgeMesh, MeshError> {
    let along = along.max(2);
    let ring = |j: u32| {
        let v = j as f32 / along as f32;
        let (sin, cos) = (PI * v).sin_cos();
        Ring { radius: radius * sin, y: -radius * cos, v }
    };
    let rings: Vec<Ring> = (1..along).map(ring).collect();
    lathe(&rings, around, [-radius, radius])
}

/// Creates a closed tube along +y from the origin to `height` with hemispheres of its radius at the ends:
/// `around` meridians, `along` bands between the hemispheres, `cap` bands on each; quads, with triangles at
/// the poles. Texture coordinates are evenly spaced along the surface. Smooth normals.
pub fn capsule(
    radius: f32,
    height: f32,
    around: u32,
    along: u32,
    cap: u32,
) -> Result<HalfedgeMesh, MeshError> {
    let (along, cap) = (along.max(1), cap.max(1));
    let straight = (height - 2.0 * radius).max(0.0);
    let length = PI * radius + straight;
    let mut rings = Vec::new();
    let mut push_ring = |angle: f32, middle: f32, distance: f32| {
        let (sin, cos) = angle.sin_cos();
        rings.push(Ring { radius: radius * cos, y: middle + radius * sin, v: distance / length });
    };
    for j in 1..=cap {
        let angle = FRAC_PI_2 * (j as f32 / cap as f32);
        push_ring(angle - FRAC_PI_2, radius, radius * angle);
    }
    for j in 1..=along {
        let offset = straight * (j as f32 / along as f32);
        push_ring(0.0, radius + offset, radius * FRAC_PI_2 + offset);
    }
    for j in 1..cap {
        let angle = FRAC_PI_2 * (j as f32 / cap as f32);
        push_ring(angle, radius + straight, radius * (FRAC_PI_2 + angle) + straight);
    }
    lathe(&rings, around, [0.0, height])
}

/// A circle about the y axis.
struct Ring {
    radius: f32,
    y: f32,
    /// The v texture coordinate; u runs around the circle, from +z over +x.
    v: f32,
}

/// Creates a surface of revolution about the y axis: bands of quads between `rings` (at least one, from the
/// bottom up), closed by fans around points on the axis at the heights `ends`.
fn lathe(rings: &[Ring], around: u32, ends: [f32; 2]) -> Result<HalfedgeMesh, MeshError> {
    let around = around.max(3);
    let bottom = around * rings.len() as u32;
    let top = bottom + 1;
    let top_ring = bottom - around;

    let mut positions = Vec::with_capacity(bottom as usize + 2);
    for ring in rings {
        positions.extend((0..around).map(|i| {
            let (sin, cos) = (TAU * (i as f32 / around as f32)).sin_cos();
            Vec3::new(ring.radius * sin, ring.y, ring.radius * cos)
        }));
    }
    positions.extend(ends.map(|y| Vec3::Y * y));

    let (mut polygons, mut uvs) = (Vec::new(), Vec::new());
    for i in 0..around {
        // The last column ends at the first vertex, but at the right edge of the texture.
        let next = (i + 1) % around;
        let [left, middle, right] = [0.0, 0.5, 1.0].map(|x| (i as f32 + x) / around as f32);
        polygons.push(vec![bottom, next, i]);
        uvs.push(vec![Vec2::new(middle, 0.0), Vec2::new(right, rings[0].v), Vec2::new(left, rings[0].v)]);
        for (j, pair) in (0u32..).zip(rings.windows(2)) {
            let (low, high) = (j * around, (j + 1) * around);
            let (low_v, high_v) = (pair[0].v, pair[1].v);
            polygons.push(vec![low + i, low + next, high + next, high + i]);
            uvs.push(vec![
                Vec2::new(left, low_v),
                Vec2::new(right, low_v),
                Vec2::new(right, high_v),
                Vec2::new(left, high_v),
            ]);
        }
        let v = rings[rings.len() - 1].v;
        polygons.push(vec![top, top_ring + i, top_ring + next]);
        uvs.push(vec![Vec2::new(middle, 1.0), Vec2::new(left, v), Vec2::new(right, v)]);
    }
    HalfedgeMesh::from_polygons(positions, &polygons, Some(&uvs))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Returns the volume of a closed surface, by the divergence theorem over the fans of its faces.
    fn volume(mesh: &HalfedgeMesh) -> f64 {
        let position = |h: u32| mesh.positions()[mesh.vertex_of(h) as usize].as_dvec3();
        let mut sum = 0.0;
        for f in 0..mesh.face_count() as u32 {
            let corners: Vec<_> = mesh.face_corners(f).map(position).collect();
            for pair in corners[1..].windows(2) {
                sum += corners[0].dot(pair[0].cross(pair[1])) / 6.0;
            }
        }
        sum
    }

    fn assert_closed(mesh: &HalfedgeMesh, vertices: usize) {
        assert_eq!(mesh.vertex_count(), vertices);
        assert!(mesh.face_boundaries().iter().all(|boundary| !boundary));
        // Euler: one closed shell of genus 0.
        assert_eq!(mesh.vertex_count() + mesh.face_count(), mesh.edge_count() + 2);
        let unit = |n: &Vec3| (n.length() - 1.0).abs() < 1e-6;
        assert!(mesh.corner_normals().iter().all(unit));
    }

    #[test]
    fn volumes_match_the_solids() {
        let mesh = cuboid(Vec3::new(2.0, 3.0, 5.0)).unwrap();
        assert_closed(&mesh, 8);
        assert!((volume(&mesh) - 30.0).abs() < 1e-5);

        // A prism over a regular polygon, and a sphere in the limit.
        let mesh = tube(2.0, 3.0, 7, 4).unwrap();
        assert_closed(&mesh, 7 * 5 + 2);
        let area = 0.5 * 7.0 * 4.0 * (std::f64::consts::TAU / 7.0).sin();
        assert!((volume(&mesh) - 3.0 * area).abs() < 1e-5);

        let mesh = uv_sphere(2.0, 96, 48).unwrap();
        assert_closed(&mesh, 96 * 47 + 2);
        let ball = 4.0 / 3.0 * std::f64::consts::PI * 8.0;
        assert!((volume(&mesh) / ball - 1.0).abs() < 3e-3);
    }

    #[test]
    fn smallest_divisions_are_surfaces_too() {
        assert_closed(&tube(1.0, 1.0, 0, 0).unwrap(), 8);
        assert_closed(&uv_sphere(1.0, 0, 0).unwrap(), 5);
        assert!(cuboid(Vec3::new(1.0, f32::NAN, 1.0)).is_err());
    }

    #[test]
    fn normals_point_outwards() {
        let sphere = uv_sphere(3.0, 32, 16).unwrap();
        for h in 0..sphere.halfedge_count() as u32 {
            let outwards = sphere.positions()[sphere.vertex_of(h) as usize].normalize();
            assert!(sphere.corner_normals()[h as usize].dot(outwards) > 0.999);
        }
        let cuboid = cuboid(Vec3::new(2.0, 4.0, 8.0)).unwrap();
        let expected = [Vec3::NEG_X, Vec3::X, Vec3::NEG_Y, Vec3::Y, Vec3::NEG_Z, Vec3::Z];
        for (f, normal) in (0u32..).zip(expected) {
            for h in cuboid.face_corners(f) {
                assert!((cuboid.corner_normals()[h as usize] - normal).length() < 1e-6);
            }
        }
    }

    #[test]
    fn texture_coordinates_meet_except_at_the_seam() {
        let mesh = tube(1.0, 2.0, 8, 3).unwrap();
        let mut uvs_by_vertex: HashMap<u32, Vec<Vec2>> = HashMap::new();
        for h in 0..mesh.halfedge_count() as u32 {
            let uv = mesh.corner_uvs()[h as usize];
            assert!(uv.cmpge(Vec2::ZERO).all() && uv.cmple(Vec2::ONE).all());
            let uvs = uvs_by_vertex.entry(mesh.vertex_of(h)).or_default();
            if !uvs.contains(&uv) {
                uvs.push(uv);
            }
        }
        for v in 0..8 * 4 {
            // Vertices at angle 0 are on the seam: u is 0 on one side and 1 on the other.
            assert_eq!(uvs_by_vertex[&v].len(), if v % 8 == 0 { 2 } else { 1 });
        }
    }
}
