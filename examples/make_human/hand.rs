//! The hand as a solid: palm, four fingers, thumb.

use crate::landmarks::{WRIST, hand_axes};
use crate::shape::{Loft, Section, ellipsoid_in, join, round_cone};
use glam::{Vec2, Vec3, vec3};

/// A finger: joints from its root to the middle of its rounded tip, and the radius at each.
pub struct Finger {
    pub joints: [Vec3; 4],
    pub radii: [f32; 4],
    /// Unit directions across the finger: towards the thumb's side and towards the back of the hand.
    pub side: Vec3,
    pub back: Vec3,
}

pub struct Hand {
    pub palm: Loft,
    /// Index to little finger.
    pub fingers: [Finger; 4],
    pub thumb: Finger,
}

impl Hand {
    pub fn new() -> Self {
        let axes = hand_axes();
        // Distance from the wrist; extents to the back, to the palm, to the thumb, to the little finger.
        const PALM: [[f32; 5]; 6] = [
            [-0.06, 0.056, 0.054, 0.076, 0.078],
            [0.03, 0.056, 0.058, 0.088, 0.090],
            [0.12, 0.056, 0.066, 0.118, 0.118],
            [0.22, 0.052, 0.056, 0.136, 0.130],
            [0.29, 0.045, 0.044, 0.136, 0.128],
            [0.33, 0.030, 0.030, 0.120, 0.110],
        ];
        let palm = PALM.map(|[t, b, p, i, o]| Section { at: t, centre: Vec2::ZERO, out: [b, p, i, o] });
        // Root along and across, splay (degrees), length, radius.
        const FINGERS: [[f32; 5]; 4] = [
            [0.285, 0.104, 7.0, 0.270, 0.0360],
            [0.300, 0.035, 1.5, 0.300, 0.0370],
            [0.290, -0.034, -4.5, 0.280, 0.0355],
            [0.265, -0.099, -12.0, 0.215, 0.0315],
        ];
        let fingers = FINGERS.map(|[t, v, splay, length, radius]| {
            let (s, c) = splay.to_radians().sin_cos();
            let (along, side) = (axes[0] * c + axes[2] * s, axes[2] * c - axes[0] * s);
            let root = WRIST + axes[0] * t + axes[2] * v + axes[1] * 0.004;
            Finger::curled(root, along, axes[1], side, [6.0, 10.0, 9.0], [0.46, 0.30, 0.24], length, radius)
        });
        let root = WRIST + axes[0] * 0.06 + axes[2] * 0.055 - axes[1] * 0.015;
        let along = (axes[0] * 0.66 + axes[2] * 0.72 - axes[1] * 0.22).normalize();
        let back = (axes[1] + axes[2] * 0.45 - along * along.dot(axes[1] + axes[2] * 0.45)).normalize();
        let side = along.cross(back);
        let mut thumb =
            Finger::curled(root, along, back, side, [0.0, -9.0, 6.0], [0.42, 0.33, 0.25], 0.36, 0.05);
        // The ball of the thumb is thick, the tip not much thinner than the middle.
        thumb.radii = [0.062, 0.047, 0.041, 0.033];
        Self { palm: Loft::new(WRIST, axes, 2.6, &palm), fingers, thumb }
    }

    /// Signed distance estimate.
    pub fn distance(&self, p: Vec3) -> f32 {
        let axes = self.palm.axes;
        let mut d = self.palm.distance(p);
        let heel = WRIST + axes[0] * 0.11 - axes[1] * 0.03 - axes[2] * 0.07;
        d = join(d, ellipsoid_in(p, heel, axes, vec3(0.10, 0.045, 0.05)), 0.04);
        d = join(d, self.thumb.distance(p), 0.05);
        let fingers = self.fingers.iter().map(|f| f.distance(p)).reduce(|a, b| join(a, b, 0.008));
        join(d, fingers.unwrap_or(d), 0.022)
    }
}

impl Finger {
    /// `curl`: degrees towards the palm before each of the three phalanges; `shares`: their fractions of
    /// `length`.
    #[allow(clippy::too_many_arguments)]
    fn curled(
        root: Vec3,
        along: Vec3,
        back: Vec3,
        side: Vec3,
        curl: [f32; 3],
        shares: [f32; 3],
        length: f32,
        radius: f32,
    ) -> Self {
        let (mut joints, mut angle) = ([root; 4], 0.0f32);
        for i in 0..3 {
            angle += curl[i].to_radians();
            joints[i + 1] = joints[i] + (along * angle.cos() - back * angle.sin()) * (shares[i] * length);
        }
        Self { joints, radii: [1.0, 0.93, 0.85, 0.72].map(|s| s * radius), side, back }
    }

    /// Signed distance estimate.
    pub fn distance(&self, p: Vec3) -> f32 {
        let bone =
            |i: usize| round_cone(p, self.joints[i], self.joints[i + 1], self.radii[i], self.radii[i + 1]);
        join(join(bone(0), bone(1), 0.015), bone(2), 0.015)
    }
}

impl Finger {
    /// A point of the skin at the fraction `s` of the finger; 0 degrees is its side, 90 its back.
    pub fn around(&self, s: f32, degrees: f32) -> Vec3 {
        let lengths: Vec<f32> = self.joints.windows(2).map(|w| (w[1] - w[0]).length()).collect();
        let total: f32 = lengths.iter().sum::<f32>() + self.radii[3] * 0.5;
        let (mut rest, mut i) = (s * total, 0);
        while i < 2 && rest > lengths[i] {
            rest -= lengths[i];
            i += 1;
        }
        let along = (self.joints[i + 1] - self.joints[i]).normalize();
        let t = (rest / lengths[i]).min(1.0);
        let mut radius = self.radii[i] + (self.radii[i + 1] - self.radii[i]) * t;
        if s > 0.95 {
            radius *= 0.8;
        }
        let up = (self.back - along * along.dot(self.back)).normalize();
        let (sin, cos) = degrees.to_radians().sin_cos();
        self.joints[i] + along * rest + (self.side * cos + up * sin) * radius
    }
}
