//! Solid shapes as signed distance estimates (negative inside) and their smooth union.
//!
//! The values are exact distances only for round cones; elsewhere they have the right sign and zero set and a
//! gradient near one, which is what projecting a mesh onto the surface needs. No meshing here.

use glam::{Vec2, Vec3};

/// A solid by its signed distance estimate.
pub trait Solid {
    /// The signed distance estimate: negative inside.
    fn distance(&self, p: Vec3) -> f32;

    /// Direction of the steepest ascent times its slope, by central differences.
    fn gradient(&self, p: Vec3) -> Vec3 {
        let h = 1e-3;
        let d = |e: Vec3| self.distance(p + e) - self.distance(p - e);
        Vec3::new(d(Vec3::X * h), d(Vec3::Y * h), d(Vec3::Z * h)) / (2.0 * h)
    }
}

/// Smooth minimum (Quilez, polynomial): blends within a band of width `k`.
pub fn join(a: f32, b: f32, k: f32) -> f32 {
    let h = (k - (a - b).abs()).max(0.0) / k;
    a.min(b) - h * h * k * 0.25
}

/// Smooth subtraction of the solid `b` from `a`.
pub fn carve(a: f32, b: f32, k: f32) -> f32 {
    -join(-a, b, k)
}

/// Axis-aligned ellipsoid (Quilez's first-order estimate).
pub fn ellipsoid(p: Vec3, centre: Vec3, radii: Vec3) -> f32 {
    let q = p - centre;
    let k0 = (q / radii).length();
    let k1 = (q / (radii * radii)).length();
    if k1 < 1e-9 { -radii.min_element() } else { k0 * (k0 - 1.0) / k1 }
}

/// Ellipsoid whose axes are the unit vectors `axes`.
pub fn ellipsoid_in(p: Vec3, centre: Vec3, axes: [Vec3; 3], radii: Vec3) -> f32 {
    let q = p - centre;
    ellipsoid(Vec3::from_array(axes.map(|a| a.dot(q))), Vec3::ZERO, radii)
}

/// Capsule from `a` to `b` whose radius runs linearly from `ra` to `rb`.
pub fn round_cone(p: Vec3, a: Vec3, b: Vec3, ra: f32, rb: f32) -> f32 {
    let ab = b - a;
    let t = ((p - a).dot(ab) / ab.length_squared()).clamp(0.0, 1.0);
    (p - a - ab * t).length() - (ra + (rb - ra) * t)
}

/// One cross-section of a [`Loft`]: its position along the axis, its centre's offset, and the extents to the
/// four sides.
pub struct Section {
    pub at: f32,
    pub centre: Vec2,
    /// Extents towards +u, -u, +v, -v.
    pub out: [f32; 4],
}

/// A tube around a straight axis with smoothly varying superelliptic cross-sections.
pub struct Loft {
    pub origin: Vec3,
    /// Unit axis and the two unit directions of the cross-sections.
    pub axes: [Vec3; 3],
    /// Superellipse exponent: 2 is an ellipse, more is squarer.
    pub power: f32,
    at: Vec<f32>,
    value: Vec<[f32; 6]>,
    slope: Vec<[f32; 6]>,
}

impl Loft {
    /// `sections` by ascending `at`, two or more.
    pub fn new(origin: Vec3, axes: [Vec3; 3], power: f32, sections: &[Section]) -> Self {
        let at: Vec<f32> = sections.iter().map(|s| s.at).collect();
        let value: Vec<[f32; 6]> = sections
            .iter()
            .map(|s| [s.centre.x, s.centre.y, s.out[0], s.out[1], s.out[2], s.out[3]])
            .collect();
        let n = at.len();
        let chord = |i: usize| -> [f32; 6] {
            std::array::from_fn(|c| (value[i + 1][c] - value[i][c]) / (at[i + 1] - at[i]))
        };
        // Fritsch and Butland's harmonic mean: no overshoot between the sections.
        let inner = |i: usize| -> [f32; 6] {
            let (before, after) = (chord(i - 1), chord(i));
            let (ha, hb) = (at[i] - at[i - 1], at[i + 1] - at[i]);
            let (wa, wb) = (2.0 * hb + ha, hb + 2.0 * ha);
            std::array::from_fn(|c| {
                let (a, b) = (before[c], after[c]);
                if a * b <= 0.0 { 0.0 } else { (wa + wb) / (wa / a + wb / b) }
            })
        };
        let slope = (0..n)
            .map(|i| match i {
                0 => chord(0),
                i if i == n - 1 => chord(n - 2),
                i => inner(i),
            })
            .collect();
        Self { origin, axes, power, at, value, slope }
    }

    /// Centre offset and extents at `t`, which is clamped to the ends.
    fn section(&self, t: f32) -> [f32; 6] {
        let n = self.at.len();
        let t = t.clamp(self.at[0], self.at[n - 1]);
        let i = self.at[1..n - 1].partition_point(|&a| a <= t);
        let h = self.at[i + 1] - self.at[i];
        let s = (t - self.at[i]) / h;
        let (s2, s3) = (s * s, s * s * s);
        std::array::from_fn(|c| {
            self.value[i][c] * (2.0 * s3 - 3.0 * s2 + 1.0)
                + self.slope[i][c] * h * (s3 - 2.0 * s2 + s)
                + self.value[i + 1][c] * (3.0 * s2 - 2.0 * s3)
                + self.slope[i + 1][c] * h * (s3 - s2)
        })
    }

    /// The axis point (with the section's centre offset) at `t`.
    pub fn centre(&self, t: f32) -> Vec3 {
        let s = self.section(t);
        self.origin + self.axes[0] * t + self.axes[1] * s[0] + self.axes[2] * s[1]
    }

    /// Signed distance estimate.
    pub fn distance(&self, p: Vec3) -> f32 {
        let q = p - self.origin;
        let t = self.axes[0].dot(q);
        let [cu, cv, ru, lu, rv, lv] = self.section(t);
        let (u, v) = (self.axes[1].dot(q) - cu, self.axes[2].dot(q) - cv);
        let (eu, ev) = (if u > 0.0 { ru } else { lu }, if v > 0.0 { rv } else { lv });
        let f = ((u.abs() / eu).powf(self.power) + (v.abs() / ev).powf(self.power)).powf(1.0 / self.power);
        let side = if f < 1e-4 { -eu.min(ev) } else { Vec2::new(u, v).length() * (1.0 - 1.0 / f) };
        let beyond = (self.at[0] - t).max(t - self.at[self.at.len() - 1]);
        if beyond > 0.0 { Vec2::new(side.max(0.0), beyond).length() } else { side.max(beyond) }
    }
}
