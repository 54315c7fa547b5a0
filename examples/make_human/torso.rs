//! The trunk from the crotch to the base of the neck, as a solid.

use crate::shape::{Loft, Section, ellipsoid, ellipsoid_in, join, round_cone};
use glam::{Vec2, Vec3, vec3};

pub struct Torso {
    trunk: Loft,
}

impl Torso {
    pub fn new() -> Self {
        // Height, half width, front and back extent.
        const TRUNK: [[f32; 4]; 14] = [
            [2.64, 0.08, 0.10, 0.12],
            [2.73, 0.26, 0.18, 0.22],
            [2.86, 0.43, 0.245, 0.28],
            [3.02, 0.48, 0.275, 0.285],
            [3.20, 0.465, 0.275, 0.245],
            [3.36, 0.435, 0.265, 0.205],
            [3.50, 0.415, 0.265, 0.19],
            [3.66, 0.425, 0.28, 0.20],
            [3.86, 0.47, 0.305, 0.245],
            [4.06, 0.505, 0.32, 0.285],
            [4.22, 0.50, 0.30, 0.31],
            [4.38, 0.46, 0.235, 0.305],
            [4.50, 0.36, 0.15, 0.265],
            [4.60, 0.20, 0.07, 0.20],
        ];
        let sections = TRUNK.map(|[y, w, f, b]| Section { at: y, centre: Vec2::ZERO, out: [f, b, w, w] });
        Self { trunk: Loft::new(Vec3::ZERO, [Vec3::Y, Vec3::Z, Vec3::X], 2.35, &sections) }
    }

    /// Signed distance estimate for x >= 0.
    pub fn distance(&self, p: Vec3) -> f32 {
        // Rounds the crease that folding over x = 0 would leave.
        let p = vec3(p.x.hypot(0.03), p.y, p.z);
        let mut d = self.trunk.distance(p);
        // Chest: pectoral plate, breastbone groove by the fold at x = 0.
        let tilt = [vec3(0.94, 0.10, -0.33), vec3(-0.10, 0.99, 0.0), vec3(0.33, 0.03, 0.94)];
        d = join(d, ellipsoid_in(p, vec3(0.235, 4.10, 0.215), tilt, vec3(0.23, 0.17, 0.115)), 0.09);
        // Straight belly muscle.
        d = join(d, round_cone(p, vec3(0.11, 3.70, 0.165), vec3(0.085, 3.10, 0.165), 0.095, 0.085), 0.14);
        // Shoulder blade, back muscle along the spine.
        d = join(d, ellipsoid(p, vec3(0.25, 4.21, -0.215), vec3(0.21, 0.29, 0.095)), 0.12);
        d = join(d, round_cone(p, vec3(0.085, 3.20, -0.115), vec3(0.13, 3.95, -0.165), 0.105, 0.11), 0.12);
        // The two folds of the armpit: chest to arm, broad back muscle to arm.
        d = join(d, round_cone(p, vec3(0.36, 4.15, 0.14), vec3(0.66, 4.28, 0.02), 0.10, 0.09), 0.12);
        d = join(d, round_cone(p, vec3(0.38, 4.10, -0.17), vec3(0.66, 4.26, -0.11), 0.10, 0.09), 0.12);
        d = join(d, round_cone(p, vec3(0.43, 4.10, -0.10), vec3(0.34, 3.66, -0.05), 0.10, 0.07), 0.14);
        // Trapezius from the neck to the shoulder, collar bone.
        d = join(d, round_cone(p, vec3(0.09, 4.655, -0.13), vec3(0.50, 4.465, -0.10), 0.10, 0.10), 0.16);
        d = join(d, round_cone(p, vec3(0.05, 4.50, 0.075), vec3(0.50, 4.53, 0.0), 0.035, 0.04), 0.05);
        // Buttock.
        join(d, ellipsoid(p, vec3(0.215, 2.90, -0.175), vec3(0.225, 0.25, 0.195)), 0.12)
    }
}
