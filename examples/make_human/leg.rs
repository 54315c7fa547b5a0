//! The leg from the hip to the toes, as a solid.

use crate::landmarks::{ANKLE, HIP, KNEE, leg_axes};
use crate::shape::{Loft, Section, carve, ellipsoid, join, round_cone};
use glam::{Vec2, Vec3, vec3};

pub struct Leg {
    pub limb: Loft,
    pub foot: Loft,
    pub foot_axes: [Vec3; 3],
}

impl Leg {
    pub fn new() -> Self {
        let axes = leg_axes();
        let length = (ANKLE - HIP).length();
        let bend = (KNEE - HIP).dot(axes[2]);
        let knee = (KNEE - HIP).dot(axes[0]);
        // Height; extents outwards, inwards, forwards, backwards.
        const LIMB: [[f32; 5]; 16] = [
            [3.00, 0.20, 0.18, 0.20, 0.20],
            [2.86, 0.240, 0.22, 0.235, 0.235],
            [2.66, 0.254, 0.253, 0.268, 0.265],
            [2.42, 0.248, 0.247, 0.272, 0.255],
            [2.15, 0.230, 0.225, 0.255, 0.230],
            [1.90, 0.198, 0.195, 0.225, 0.200],
            [1.70, 0.172, 0.172, 0.190, 0.175],
            [1.56, 0.156, 0.158, 0.168, 0.158],
            [1.42, 0.153, 0.150, 0.150, 0.166],
            [1.24, 0.168, 0.158, 0.140, 0.198],
            [1.06, 0.166, 0.158, 0.132, 0.210],
            [0.84, 0.138, 0.134, 0.122, 0.172],
            [0.60, 0.106, 0.104, 0.106, 0.128],
            [0.40, 0.090, 0.088, 0.098, 0.116],
            [0.24, 0.096, 0.094, 0.104, 0.126],
            [0.10, 0.096, 0.094, 0.110, 0.135],
        ];
        let sections = LIMB.map(|[y, o, i, f, b]| {
            let t = (HIP.y - y) / -axes[0].y;
            let bent = bend * if t < knee { t / knee } else { ((length - t) / (length - knee)).max(0.0) };
            Section { at: t, centre: Vec2::new(0.0, bent.max(0.0)), out: [o, i, f, b] }
        });
        // Distance in front of the ankle; middle height; extents inwards, outwards, up, down.
        const FOOT: [[f32; 6]; 11] = [
            [-0.215, 0.105, 0.02, 0.02, 0.03, 0.03],
            [-0.185, 0.105, 0.068, 0.064, 0.09, 0.085],
            [-0.10, 0.10, 0.094, 0.09, 0.16, 0.10],
            [0.04, 0.10, 0.098, 0.098, 0.20, 0.10],
            [0.18, 0.10, 0.105, 0.118, 0.175, 0.10],
            [0.31, 0.085, 0.122, 0.135, 0.120, 0.085],
            [0.43, 0.07, 0.142, 0.145, 0.085, 0.07],
            [0.54, 0.066, 0.138, 0.125, 0.070, 0.066],
            [0.60, 0.064, 0.122, 0.104, 0.062, 0.064],
            [0.64, 0.062, 0.098, 0.078, 0.056, 0.060],
            [0.672, 0.060, 0.060, 0.045, 0.046, 0.050],
        ];
        let forward = vec3(0.11, 0.0, 1.0).normalize();
        let foot_axes = [forward, Vec3::Y.cross(forward), Vec3::Y];
        let foot =
            FOOT.map(|[t, y, i, o, u, d]| Section { at: t, centre: Vec2::new(0.0, y), out: [o, i, u, d] });
        Self {
            limb: Loft::new(HIP, axes, 2.1, &sections),
            foot: Loft::new(vec3(0.38, 0.0, -0.07), foot_axes, 2.4, &foot),
            foot_axes,
        }
    }

    /// Signed distance estimate.
    pub fn distance(&self, p: Vec3) -> f32 {
        let mut d = self.limb.distance(p);
        // Knee cap, then the shin's edge and the two bellies of the calf.
        d = join(d, ellipsoid(p, KNEE + vec3(-0.005, 0.02, 0.105), vec3(0.085, 0.11, 0.075)), 0.06);
        d = join(d, round_cone(p, vec3(0.300, 1.27, -0.085), vec3(0.325, 1.00, -0.125), 0.075, 0.085), 0.12);
        d = join(d, round_cone(p, vec3(0.385, 1.29, -0.075), vec3(0.405, 1.06, -0.115), 0.075, 0.08), 0.12);
        // Ankle bones and heel tendon.
        d = join(d, ellipsoid(p, ANKLE + vec3(-0.085, 0.02, 0.01), vec3(0.035, 0.05, 0.045)), 0.05);
        d = join(d, ellipsoid(p, ANKLE + vec3(0.085, -0.015, -0.01), vec3(0.035, 0.05, 0.045)), 0.05);
        let mut foot = self.foot.distance(p);
        // Ball of the big toe; arch at the inner side; flat sole.
        let at = |t: f32, u: f32, y: f32| {
            self.foot.origin + self.foot_axes[0] * t + self.foot_axes[1] * u + Vec3::Y * y
        };
        foot = join(foot, round_cone(p, at(0.40, -0.085, 0.07), at(0.61, -0.060, 0.056), 0.062, 0.050), 0.07);
        foot = carve(foot, ellipsoid(p, at(0.17, -0.13, -0.01), vec3(0.09, 0.06, 0.17)), 0.05);
        foot = carve(foot, p.y, 0.02);
        join(d, foot, 0.14)
    }
}
