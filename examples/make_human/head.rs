//! Head and neck as a solid.

use crate::shape::{Loft, Section, carve, ellipsoid, ellipsoid_in, join, round_cone};
use glam::{Vec2, Vec3, vec3};

pub struct Head {
    face: Loft,
    neck: Loft,
}

/// Middle of the head: its cross-sections are cones of rays from here.
pub const MIDDLE: Vec3 = vec3(0.0, 5.14, 0.0);

impl Head {
    pub fn new() -> Self {
        // Height, half width, front and back (z).
        const FACE: [[f32; 4]; 9] = [
            [4.835, 0.060, 0.205, 0.10],
            [4.87, 0.112, 0.250, 0.03],
            [4.93, 0.160, 0.262, -0.03],
            [5.01, 0.182, 0.264, -0.08],
            [5.10, 0.200, 0.266, -0.10],
            [5.20, 0.208, 0.266, -0.10],
            [5.30, 0.212, 0.278, -0.10],
            [5.40, 0.200, 0.238, -0.10],
            [5.48, 0.130, 0.130, -0.10],
        ];
        let face = FACE.map(|[y, w, f, b]| Section {
            at: y,
            centre: Vec2::new(b + 0.45 * (f - b), 0.0),
            out: [0.55 * (f - b), 0.45 * (f - b), w, w],
        });
        const NECK: [[f32; 5]; 5] = [
            [4.40, -0.10, 0.19, 0.22, 0.20],
            [4.55, -0.085, 0.185, 0.185, 0.18],
            [4.70, -0.065, 0.168, 0.158, 0.165],
            [4.85, -0.045, 0.162, 0.150, 0.165],
            [5.05, -0.03, 0.165, 0.145, 0.18],
        ];
        let neck =
            NECK.map(|[y, z, w, f, b]| Section { at: y, centre: Vec2::new(z, 0.0), out: [f, b, w, w] });
        let axes = [Vec3::Y, Vec3::Z, Vec3::X];
        Self { face: Loft::new(Vec3::ZERO, axes, 2.2, &face), neck: Loft::new(Vec3::ZERO, axes, 2.0, &neck) }
    }

    /// Signed distance estimate for x >= 0.
    pub fn distance(&self, p: Vec3) -> f32 {
        let mut d = join(
            self.face.distance(p),
            ellipsoid(p, vec3(0.0, 5.295, -0.035), vec3(0.238, 0.300, 0.306)),
            0.08,
        );
        d = join(d, ellipsoid(p, vec3(0.0, 5.37, -0.075), vec3(0.240, 0.215, 0.262)), 0.08);
        // Brow, cheek bone, cheek, chin.
        d = join(d, round_cone(p, vec3(0.02, 5.275, 0.240), vec3(0.14, 5.28, 0.190), 0.040, 0.035), 0.06);
        d = join(d, ellipsoid(p, vec3(0.125, 5.115, 0.175), vec3(0.07, 0.055, 0.065)), 0.09);
        d = join(d, ellipsoid(p, vec3(0.10, 5.02, 0.155), vec3(0.065, 0.08, 0.07)), 0.09);
        d = join(d, ellipsoid(p, vec3(0.0, 4.89, 0.232), vec3(0.065, 0.05, 0.05)), 0.06);
        // Eye socket with the closed eye in it.
        d = carve(d, ellipsoid(p, vec3(0.092, 5.212, 0.300), vec3(0.072, 0.042, 0.055)), 0.06);
        d = join(d, ellipsoid(p, vec3(0.096, 5.207, 0.203), vec3(0.056, 0.038, 0.055)), 0.012);
        // Nose: bridge, tip, wing.
        d = join(d, round_cone(p, vec3(0.0, 5.235, 0.262), vec3(0.0, 5.115, 0.320), 0.026, 0.038), 0.04);
        d = join(d, ellipsoid(p, vec3(0.029, 5.10, 0.285), vec3(0.029, 0.029, 0.04)), 0.03);
        // Lips and the line between them.
        d = join(d, ellipsoid(p, vec3(0.0, 5.008, 0.252), vec3(0.072, 0.021, 0.036)), 0.025);
        d = join(d, ellipsoid(p, vec3(0.0, 4.966, 0.250), vec3(0.058, 0.023, 0.036)), 0.025);
        d = carve(d, round_cone(p, vec3(0.0, 4.987, 0.298), vec3(0.055, 4.984, 0.280), 0.008, 0.008), 0.02);
        // Ear: a thin disc that follows the side of the head and stands off at its back.
        let up = vec3(0.20, 0.96, -0.18).normalize();
        let fore = vec3(-0.38, 0.25, 0.92);
        let fore = (fore - up * up.dot(fore)).normalize();
        d = join(
            d,
            ellipsoid_in(p, vec3(0.236, 5.18, -0.05), [up.cross(fore), up, fore], vec3(0.028, 0.090, 0.056)),
            0.025,
        );
        d = carve(d, ellipsoid(p, vec3(0.270, 5.19, -0.030), vec3(0.022, 0.045, 0.024)), 0.02);
        // Neck and the muscle from behind the ear to the breastbone.
        let mut neck = self.neck.distance(p);
        neck =
            join(neck, round_cone(p, vec3(0.15, 5.0, -0.06), vec3(0.045, 4.53, 0.075), 0.036, 0.034), 0.09);
        join(d, neck, 0.06)
    }
}
