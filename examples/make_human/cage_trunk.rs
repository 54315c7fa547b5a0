//! The coarse cage of trunk, neck and head: half rings from the front of the seam to its back, bottom to top.
//!
//! Each vertex is found by a ray from the middle of the body to the solid's surface, so that the rings are
//! edge loops around neck, waist and groin. The two columns at the side leave a hole of twelve edges for the
//! arm.

use crate::{
    body::Body,
    head,
    quads::{Patch, QuadMesh},
};
use glam::{Vec3, vec3};

/// The number of columns of a half ring.
const COLUMNS: usize = 10;
/// The lowest row of the hole for the arm, which is four rows and two columns (4 and 5) large.
const ARMPIT: usize = 8;

/// Heights of the trunk's rows: front, side, back.
const TRUNK: [[f32; 3]; 13] = [
    [2.705, 2.97, 2.66],
    [2.83, 3.05, 2.79],
    [2.97, 3.145, 2.95],
    [3.13, 3.25, 3.12],
    [3.30, 3.37, 3.28],
    [3.47, 3.49, 3.46],
    [3.65, 3.63, 3.66],
    [3.83, 3.79, 3.86],
    [3.98, 3.95, 4.04],
    [4.11, 4.10, 4.18],
    [4.23, 4.25, 4.31],
    [4.35, 4.38, 4.42],
    [4.455, 4.50, 4.52],
];
/// Degrees above the horizon, seen from [`YOKE`]: front, side, back. Shoulders and root of the neck.
const SHOULDERS: [[f32; 3]; 2] = [[10.0, 16.0, 25.0], [21.0, 34.0, 42.0]];
const YOKE: Vec3 = vec3(0.0, 4.44, -0.07);
/// Heights on the neck: front, side, back.
const NECK: [[f32; 3]; 2] = [[4.66, 4.70, 4.735], [4.76, 4.81, 4.85]];
/// Degrees above the horizon, seen from the middle of the head.
const HEAD: [[f32; 3]; 16] = [
    [-70.0, -54.0, -47.0],
    [-59.0, -45.0, -37.0],
    [-49.0, -37.0, -27.5],
    [-41.5, -31.0, -18.5],
    [-35.5, -26.0, -10.5],
    [-30.0, -21.0, -3.0],
    [-24.5, -16.0, 4.0],
    [-18.0, -11.0, 10.5],
    [-11.0, -5.0, 17.0],
    [-4.0, 1.0, 23.0],
    [5.0, 8.0, 29.0],
    [13.5, 15.0, 34.5],
    [21.0, 22.0, 40.0],
    [30.0, 31.0, 46.0],
    [42.0, 43.0, 53.0],
    [56.0, 57.0, 62.0],
];
const TRUNK_ANGLES: [f32; 11] = [0.0, 13.0, 26.0, 40.0, 58.0, 90.0, 122.0, 140.0, 154.0, 167.0, 180.0];
const HEAD_ANGLES: [f32; 11] = [0.0, 8.5, 18.0, 29.0, 42.0, 60.0, 80.0, 97.0, 114.0, 143.0, 180.0];

/// The rings from which the limbs continue.
pub struct Sockets {
    /// Twelve vertices, from the top over the back.
    pub arm: Vec<usize>,
    /// Twelve vertices, from the front of the seam over the outside to the crotch.
    pub leg: Vec<usize>,
}

pub fn build(cage: &mut QuadMesh, body: &Body) -> Sockets {
    let mut rows: Vec<Vec<usize>> = Vec::new();
    let socket: Vec<usize> = (0..12)
        .map(|a| {
            let (s, c) = (a as f32 * 30.0).to_radians().sin_cos();
            cage.vertex(vec3(0.53 - 0.015 * c, 4.28 + 0.27 * c, -0.05 - 0.235 * s))
        })
        .collect();
    let socket_at = |row: usize, column: usize| -> Option<usize> {
        let a = match (row.checked_sub(ARMPIT)?, column) {
            (4, 4..=6) => (column + 7) % 12,
            (0, 4..=6) => 11 - column,
            (r @ 1..=3, 6) => 5 - r,
            (r @ 1..=3, 4) => 7 + r,
            (1..=3, 5) => return Some(usize::MAX),
            _ => return None,
        };
        Some(socket[a % 12])
    };
    for (r, heights) in TRUNK.iter().enumerate() {
        let row = (0..=COLUMNS).map(|j| {
            socket_at(r, j).unwrap_or_else(|| {
                let y = around(*heights, TRUNK_ANGLES[j]);
                ray(cage, body, vec3(0.0, y, -0.02), TRUNK_ANGLES[j], 0.0)
            })
        });
        let row = row.collect();
        rows.push(row);
    }
    for elevations in SHOULDERS {
        let row = (0..=COLUMNS)
            .map(|j| ray(cage, body, YOKE, TRUNK_ANGLES[j], around(elevations, TRUNK_ANGLES[j])));
        let row = row.collect();
        rows.push(row);
    }
    let blend: [f32; 11] = std::array::from_fn(|j| 0.5 * (TRUNK_ANGLES[j] + HEAD_ANGLES[j]));
    for heights in NECK {
        let row = (0..=COLUMNS)
            .map(|j| ray(cage, body, vec3(0.0, around(heights, blend[j]), -0.055), blend[j], 0.0));
        let row = row.collect();
        rows.push(row);
    }
    for elevations in HEAD {
        let row = (0..=COLUMNS)
            .map(|j| ray(cage, body, head::MIDDLE, HEAD_ANGLES[j], around(elevations, HEAD_ANGLES[j])));
        let row = row.collect();
        rows.push(row);
    }
    let patch = Patch([0.005, 0.005, 0.20, 0.90]);
    let n = (rows.len() - 1) as f32;
    for r in 0..rows.len() - 1 {
        for j in 0..COLUMNS {
            if !((ARMPIT..ARMPIT + 4).contains(&r) && (4..6).contains(&j)) {
                let (a, b) = (j as f32 / COLUMNS as f32, (j + 1) as f32 / COLUMNS as f32);
                let (c, d) = (r as f32 / n, (r + 1) as f32 / n);
                cage.quad(
                    [rows[r][j], rows[r][j + 1], rows[r + 1][j + 1], rows[r + 1][j]],
                    [patch.at(a, c), patch.at(b, c), patch.at(b, d), patch.at(a, d)],
                );
            }
        }
    }
    crown(cage, body, &rows[rows.len() - 1]);
    let crotch = cage.vertex(body.cast(vec3(0.0, 2.85, -0.03), -Vec3::Y));
    let mut leg = rows[0].clone();
    leg.push(crotch);
    Sockets { arm: socket, leg }
}

/// Closes the top of the head: a half grid of three columns and four rows inside the last half ring.
fn crown(cage: &mut QuadMesh, body: &Body, ring: &[usize]) {
    let p = |v: usize, cage: &QuadMesh| cage.positions[v] - head::MIDDLE;
    let mut grid: Vec<Vec<usize>> = vec![ring[0..=3].to_vec()];
    for r in 1..4 {
        let side = ring[3 + r];
        let t = r as f32 / 4.0;
        let row = (0..4).map(|c| {
            if c == 3 {
                return side;
            }
            let s = c as f32 / 3.0;
            let lengthwise = p(ring[c], cage).lerp(p(ring[10 - c], cage), t);
            let across = vec3(p(side, cage).x * s, p(side, cage).y, p(side, cage).z);
            let mut d = (lengthwise + across) * 0.5;
            d.y += 0.15;
            d.x = if c == 0 { 0.0 } else { d.x };
            cage.vertex(body.cast(head::MIDDLE, d))
        });
        let row = row.collect();
        grid.push(row);
    }
    grid.push(ring[7..=10].iter().rev().copied().collect());
    cage.grid(&grid, Patch([0.005, 0.91, 0.20, 0.995]));
}

/// Value at an angle from the front, given those at front, side and back.
fn around([front, side, back]: [f32; 3], degrees: f32) -> f32 {
    let c = degrees.to_radians().cos();
    side + 0.5 * (front - back) * c + (0.5 * (front + back) - side) * c * c
}

fn ray(cage: &mut QuadMesh, body: &Body, from: Vec3, degrees: f32, elevation: f32) -> usize {
    let (s, c) = degrees.to_radians().sin_cos();
    let (up, flat) = elevation.to_radians().sin_cos();
    let mut p = body.cast(from, vec3(s * flat, up, c * flat));
    if degrees == 0.0 || degrees == 180.0 {
        p.x = 0.0;
    }
    cage.vertex(p)
}
