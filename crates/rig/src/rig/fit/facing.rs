//! How a body is turned about the axis on which it stands, and whether its sides are alike: its plane of symmetry is the one
//! across which its surface is the most like its mirror image. Only planes along a coordinate axis are considered, which is
//! up or down.

use super::tuning::*;
use crate::mesh::orientation::Samples;
use glam::{IVec3, Mat3, Vec3};

/// The steps of the angles that are tried, each around the best one of the step before, in degrees.
const STEPS: [f32; 3] = [5.0, 1.0, 0.25];
/// One of so many samples of the surface is used for the first step.
const FEWER: usize = 4;
/// The cells along the diagonal of the body in which its surface is compared with its image.
const CELLS: f32 = 16.0;
/// The cells on each side of the middle; no point is farther from it than the diagonal.
const HALF: i32 = CELLS as i32 + 2;

/// How a body is turned.
#[derive(Clone, Copy, Debug)]
pub struct Facing {
    /// The rotation after which its left points along a coordinate axis; the identity if it does already, and without a left and
    /// a right.
    pub upright_from_mesh: Mat3,
    /// How much it differs from its mirror image across each axis after that rotation: from 0 to 1.
    pub asymmetry: Vec3,
}

impl Facing {
    /// Compares a surface, given by its vertices and triangles, with its mirror images.
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let straight = Self { upright_from_mesh: Mat3::IDENTITY, asymmetry: Vec3::ONE };
        let Some(samples) = Samples::new(positions, triangles) else { return straight };
        let points: Vec<Vec3> = samples.points.iter().map(|point| *point - samples.center).collect();
        let fewer: Vec<Vec3> = points.iter().copied().step_by(FEWER).collect();
        let cell = samples.diagonal() / CELLS;
        let across = |normals: [Vec3; 3]| Vec3::from(normals.map(|normal| asymmetry(&points, normal, cell)));
        let straight = Self { asymmetry: across(Vec3::AXES), ..straight };
        // The best of some turns about an axis, after its asymmetry.
        let best = |points: &[Vec3], axis: usize, turns: &mut dyn Iterator<Item = f32>| {
            let asymmetries = turns.map(|turn| (asymmetry(points, normal(axis, turn), cell), turn));
            asymmetries.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((f32::INFINITY, 0.0))
        };
        let (mut axis, mut least) = (0, (f32::INFINITY, 0.0));
        for this in 0..3 {
            let mut turns = (0..(180.0 / STEPS[0]) as u32).map(|step| step as f32 * STEPS[0]);
            let found = best(&fewer, this, &mut turns);
            (axis, least) = if found.0 < least.0 { (this, found) } else { (axis, least) };
        }
        for pair in STEPS.windows(2) {
            let count = (pair[0] / pair[1]) as i32;
            let mut turns = (-count..=count).map(|step| least.1 + step as f32 * pair[1]);
            least = best(&points, axis, &mut turns);
        }
        // From the nearest quarter turn.
        let off = (least.1 + 45.0).rem_euclid(90.0) - 45.0;
        if off.abs() < LEAST_TURN_DEG || least.0 > TURNED * straight.asymmetry.min_element() {
            return straight;
        }
        let upright_from_mesh = Mat3::from_axis_angle(Vec3::AXES[axis], -off.to_radians());
        let normals = Vec3::AXES.map(|axis| upright_from_mesh.transpose() * axis);
        Self { upright_from_mesh, asymmetry: across(normals) }
    }
}

/// The axis after this one, turned about it.
fn normal(axis: usize, turn_deg: f32) -> Vec3 {
    let (sine, cosine) = turn_deg.to_radians().sin_cos();
    cosine * Vec3::AXES[(axis + 1) % 3] + sine * Vec3::AXES[(axis + 2) % 3]
}

/// How much points differ from their mirror image across the plane through the origin with this normal: 0 for symmetric ones,
/// 1 for those that share nothing with their image. They are counted in cells of this size.
fn asymmetry(points: &[Vec3], normal: Vec3, cell: f32) -> f32 {
    let (u, v) = normal.any_orthonormal_pair();
    let side = (2 * HALF + 2) as usize;
    let mut counts = vec![0.0f32; side * side * side];
    for point in points {
        let place = Vec3::new(point.dot(normal), point.dot(u), point.dot(v)) / cell;
        for (place, weight) in [(place, 1.0), (place * Vec3::new(-1.0, 1.0, 1.0), -1.0)] {
            // Distributed over the nearest cells, so that points near a border do not count as different.
            let low = place.floor();
            let part = place - low;
            let at = (low.as_ivec3() + HALF).clamp(IVec3::ZERO, IVec3::splat(2 * HALF));
            for corner in 0..8 {
                let offset = Vec3::new((corner & 1) as f32, (corner >> 1 & 1) as f32, (corner >> 2) as f32);
                let share = (Vec3::ONE - part + offset * (2.0 * part - 1.0)).element_product();
                let [x, y, z] = (at + offset.as_ivec3()).to_array().map(|index| index as usize);
                counts[(x * side + y) * side + z] += weight * share;
            }
        }
    }
    counts.iter().map(|count| count.abs()).sum::<f32>() / (2 * points.len()) as f32
}
