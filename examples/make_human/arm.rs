//! The arm from the shoulder to the wrist, as a solid.

use crate::landmarks::{ELBOW, SHOULDER, WRIST, arm_axes};
use crate::shape::{Loft, Section, ellipsoid_in, join};
use glam::{Vec2, Vec3, vec3};

pub struct Arm {
    pub limb: Loft,
}

impl Arm {
    pub fn new() -> Self {
        let axes = arm_axes();
        let length = (WRIST - SHOULDER).length();
        let bend = (ELBOW - SHOULDER).dot(axes[2]);
        let elbow = (ELBOW - SHOULDER).dot(axes[0]);
        // Distance from the shoulder; extents up (outer side), down, forwards, backwards.
        const LIMB: [[f32; 5]; 14] = [
            [-0.06, 0.10, 0.13, 0.13, 0.13],
            [0.06, 0.145, 0.17, 0.165, 0.165],
            [0.20, 0.160, 0.165, 0.165, 0.17],
            [0.36, 0.145, 0.145, 0.155, 0.165],
            [0.55, 0.128, 0.130, 0.150, 0.160],
            [0.75, 0.115, 0.118, 0.135, 0.142],
            [0.92, 0.112, 0.106, 0.112, 0.120],
            [1.01, 0.116, 0.106, 0.108, 0.116],
            [1.12, 0.126, 0.114, 0.122, 0.116],
            [1.24, 0.124, 0.114, 0.126, 0.114],
            [1.42, 0.103, 0.098, 0.112, 0.100],
            [1.60, 0.080, 0.078, 0.094, 0.086],
            [1.76, 0.066, 0.064, 0.086, 0.082],
            [1.90, 0.062, 0.060, 0.088, 0.086],
        ];
        let sections = LIMB.map(|[t, u, d, f, b]| {
            let bent = bend * if t < elbow { t / elbow } else { ((length - t) / (length - elbow)).max(0.0) };
            Section { at: t, centre: Vec2::new(0.0, bent), out: [u, d, f, b] }
        });
        Self { limb: Loft::new(SHOULDER, axes, 2.1, &sections) }
    }

    /// Signed distance estimate.
    pub fn distance(&self, p: Vec3) -> f32 {
        let axes = self.limb.axes;
        let deltoid = SHOULDER + axes[0] * 0.10 + axes[1] * 0.03;
        let d = join(self.limb.distance(p), ellipsoid_in(p, deltoid, axes, vec3(0.27, 0.17, 0.185)), 0.06);
        // Elbow point, at the back.
        let point = ELBOW - axes[2] * 0.055 + axes[0] * 0.005;
        join(d, ellipsoid_in(p, point, axes, vec3(0.09, 0.05, 0.055)), 0.08)
    }
}
