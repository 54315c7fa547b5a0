//! Shapes made of grids of quads: bar, plane, torus. The arguments are checked in `spec`.

use crate::mesh::halfedge::{HalfedgeMesh, MeshError};
use crate::mesh::soup::Polygons;
use glam::{Vec2, Vec3};
use std::collections::HashMap;
use std::f32::consts::TAU;

/// The sides of a box: the outward, right and up directions as seen from outside, as signed axes (1 to 3).
const SIDES: [[i32; 3]; 6] = [[-1, 3, 2], [1, -3, 2], [-2, 1, 3], [2, 1, -3], [-3, -1, 2], [3, 1, 2]];

/// Creates a box divided into cells, standing on the origin. Neighbouring cells and sides share vertices;
/// every side has the full square of texture coordinates and flat normals.
pub fn bar(size: Vec3, divisions: [u32; 3]) -> Result<HalfedgeMesh, MeshError> {
    let mut polygons = Polygons::default();
    let mut vertices: HashMap<[u32; 3], u32> = HashMap::new();
    for side in SIDES {
        let [out, right, up] = side.map(|axis| (axis.unsigned_abs() as usize - 1, axis > 0));
        let (columns, rows) = (divisions[right.0], divisions[up.0]);
        let mut normal = Vec3::ZERO;
        normal[out.0] = if out.1 { 1.0 } else { -1.0 };
        let mut vertex = |column: u32, row: u32| {
            let mut cell = [0; 3];
            for ((axis, positive), step) in [(right, column), (up, row), (out, divisions[out.0])] {
                cell[axis] = if positive { step } else { divisions[axis] - step };
            }
            *vertices.entry(cell).or_insert_with(|| {
                let fraction = |axis: usize| cell[axis] as f32 / divisions[axis] as f32;
                let p = Vec3::new(fraction(0) - 0.5, fraction(1), fraction(2) - 0.5) * size;
                polygons.positions.push(p);
                polygons.positions.len() as u32 - 1
            })
        };
        for row in 0..rows {
            for column in 0..columns {
                let offsets = [(0, 0), (1, 0), (1, 1), (0, 1)];
                polygons.faces.push(offsets.map(|(x, y)| vertex(column + x, row + y)).to_vec());
                polygons.uvs.extend(offsets.map(|(x, y)| {
                    Vec2::new((column + x) as f32 / columns as f32, (row + y) as f32 / rows as f32)
                }));
                polygons.normals.extend([normal; 4]);
            }
        }
    }
    polygons.build()
}

/// Creates a horizontal grid around the origin, facing up; u along x, v against z.
pub fn plane(size: Vec2, [columns, rows]: [u32; 2]) -> Result<HalfedgeMesh, MeshError> {
    let mut polygons = Polygons::default();
    let uv = |column: u32, row: u32| Vec2::new(column as f32 / columns as f32, row as f32 / rows as f32);
    for row in 0..=rows {
        for column in 0..=columns {
            let uv = uv(column, row);
            let p = Vec3::new((uv.x - 0.5) * size.x, 0.0, (0.5 - uv.y) * size.y);
            polygons.positions.push(p);
        }
    }
    for row in 0..rows {
        for column in 0..columns {
            let corners = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(x, y)| (column + x, row + y));
            polygons.faces.push(corners.map(|(x, y)| y * (columns + 1) + x).to_vec());
            polygons.uvs.extend(corners.map(|(x, y)| uv(x, y)));
            polygons.normals.extend([Vec3::Y; 4]);
        }
    }
    polygons.build()
}

/// Creates a ring around the y axis; u runs around it from +z over +x, v around its cross-section from
/// outside over the top.
pub fn torus(radius: f32, thickness: f32, around: u32, across: u32) -> Result<HalfedgeMesh, MeshError> {
    let mut polygons = Polygons::default();
    for i in 0..around {
        let (sin, cos) = (TAU * (i as f32 / around as f32)).sin_cos();
        for j in 0..across {
            let (up, out) = (TAU * (j as f32 / across as f32)).sin_cos();
            let r = radius + thickness * out;
            polygons.positions.push(Vec3::new(r * sin, thickness * up, r * cos));
        }
    }
    for i in 0..around {
        for j in 0..across {
            let corners = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(x, y)| (i + x, j + y));
            let vertex = |(i, j)| (i % around) * across + j % across;
            polygons.faces.push(corners.map(vertex).to_vec());
            polygons.uvs.extend(corners.map(|(i, j)| {
                // The last column ends at the first vertex, but at the edge of the texture.
                Vec2::new(i as f32 / around as f32, j as f32 / across as f32)
            }));
        }
    }
    polygons.build()
}
