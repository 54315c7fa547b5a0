//! Dual numbers a + εa' (ε² = 0) and dual quaternions, which represent rigid motions the way quaternions
//! represent rotations. Blending of vertices is in `rig::skinning`.
//!
//! Source: L. Kavan, S. Collins, J. Žára, C. O'Sullivan, "Geometric skinning with approximate dual
//! quaternion blending", ACM Transactions on Graphics 27(4), 2008.

use glam::{DAffine3, DMat3, DQuat, DVec3, DVec4};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// The dual number real + ε dual.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dual {
    pub real: f64,
    pub dual: f64,
}

impl Dual {
    pub fn new(real: f64, dual: f64) -> Self {
        Self { real, dual }
    }

    /// Returns sqrt(a) + ε a' / (2 sqrt(a)). NaN unless the real part is positive.
    pub fn sqrt(self) -> Self {
        let root = self.real.sqrt();
        Self::new(root, self.dual / (2.0 * root))
    }
}

impl Add for Dual {
    type Output = Self;
    fn add(self, b: Self) -> Self {
        Self::new(self.real + b.real, self.dual + b.dual)
    }
}

impl Sub for Dual {
    type Output = Self;
    fn sub(self, b: Self) -> Self {
        Self::new(self.real - b.real, self.dual - b.dual)
    }
}

impl Mul for Dual {
    type Output = Self;
    fn mul(self, b: Self) -> Self {
        Self::new(self.real * b.real, self.dual * b.real + self.real * b.dual)
    }
}

impl Div for Dual {
    type Output = Self;
    /// Returns a/b + ε (a'b - ab') / b²; not finite if the real part of `b` is zero.
    fn div(self, b: Self) -> Self {
        Self::new(self.real / b.real, (self.dual * b.real - self.real * b.dual) / (b.real * b.real))
    }
}

/// The dual quaternion real + ε dual. A unit dual quaternion (|real| = 1, real · dual = 0) is a rigid motion;
/// its negative is the same motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DualQuat {
    pub real: DQuat,
    pub dual: DQuat,
}

impl DualQuat {
    pub const IDENTITY: Self = Self { real: DQuat::IDENTITY, dual: DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0) };

    /// Returns the motion x -> rotation x + translation: q + ε t q / 2. `rotation` must have unit length.
    pub fn from_rotation_translation(rotation: DQuat, translation: DVec3) -> Self {
        let t = DQuat::from_vec4(translation.extend(0.0));
        Self { real: rotation, dual: t * rotation * 0.5 }
    }

    /// Converts a rigid motion; any scale or shear in the matrix is lost.
    pub fn from_affine(motion: &DAffine3) -> Self {
        let rotation = DQuat::from_mat3(&motion.matrix3).normalize();
        Self::from_rotation_translation(rotation, motion.translation)
    }

    /// The rotation of a unit dual quaternion.
    pub fn rotation(self) -> DQuat {
        self.real
    }

    /// The translation of a unit dual quaternion, applied after its rotation: 2 q' conj(q).
    pub fn translation(self) -> DVec3 {
        let t = self.dual * self.real.conjugate() * 2.0;
        DVec3::new(t.x, t.y, t.z)
    }

    /// Converts a unit dual quaternion into a matrix.
    pub fn to_affine(self) -> DAffine3 {
        DAffine3 { matrix3: DMat3::from_quat(self.real), translation: self.translation() }
    }

    /// Conjugates both parts; for a unit dual quaternion, this is the inverse motion.
    pub fn conjugate(self) -> Self {
        Self { real: self.real.conjugate(), dual: self.dual.conjugate() }
    }

    /// The norm |q| as a dual number: sqrt(q conj(q)) = |real| + ε (real · dual) / |real|.
    pub fn norm(self) -> Dual {
        Dual::new(self.real.dot(self.real), 2.0 * self.real.dot(self.dual)).sqrt()
    }

    /// Divides by the norm, including its dual part, so that the result is a rigid motion. Returns the
    /// identity if the real part is zero.
    pub fn normalize(self) -> Self {
        let inverse = Dual::new(1.0, 0.0) / self.norm();
        if !inverse.real.is_finite() || !inverse.dual.is_finite() {
            return Self::IDENTITY;
        }
        let (real, dual) = (DVec4::from(self.real), DVec4::from(self.dual));
        Self {
            real: DQuat::from_vec4(real * inverse.real),
            dual: DQuat::from_vec4(dual * inverse.real + real * inverse.dual),
        }
    }
}

impl Mul for DualQuat {
    type Output = Self;
    /// Composes two motions: `b` is applied first.
    fn mul(self, b: Self) -> Self {
        Self { real: self.real * b.real, dual: self.real * b.dual + self.dual * b.real }
    }
}

impl Add for DualQuat {
    type Output = Self;
    fn add(self, b: Self) -> Self {
        Self { real: self.real + b.real, dual: self.dual + b.dual }
    }
}

impl Mul<f64> for DualQuat {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self { real: self.real * factor, dual: self.dual * factor }
    }
}

impl Neg for DualQuat {
    type Output = Self;
    fn neg(self) -> Self {
        self * -1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    fn motion(random: &mut Random) -> DAffine3 {
        let turn = DQuat::from_axis_angle(
            random.direction().as_dvec3().normalize(),
            f64::from(random.range(-7.0, 7.0)),
        );
        DAffine3::from_rotation_translation(turn, random.vec3(5.0).as_dvec3())
    }

    /// Returns the matrix [[a, a'], [0, a]]; its products and inverses behave like those of dual numbers.
    fn matrix(a: Dual) -> glam::DMat2 {
        glam::DMat2::from_cols_array(&[a.real, 0.0, a.dual, a.real])
    }

    #[test]
    fn dual_numbers_behave_like_triangular_matrices() {
        let mut random = Random::new(1);
        for _ in 0..100 {
            let number = |random: &mut Random| f64::from(random.range(0.5, 3.0));
            let a = Dual::new(number(&mut random), -number(&mut random));
            let b = Dual::new(-number(&mut random), number(&mut random));
            let near = |x: glam::DMat2, y: glam::DMat2| assert!(x.abs_diff_eq(y, 1e-12), "{x} {y}");
            near(matrix(a + b), matrix(a) + matrix(b));
            near(matrix(a - b), matrix(a) - matrix(b));
            near(matrix(a * b), matrix(a) * matrix(b));
            near(matrix(a / b), matrix(a) * matrix(b).inverse());
            near(matrix(a.sqrt()) * matrix(a.sqrt()), matrix(a));
        }
    }

    #[test]
    fn rigid_motions_round_trip() {
        let mut random = Random::new(2);
        for _ in 0..100 {
            let (a, b) = (motion(&mut random), motion(&mut random));
            let (qa, qb) = (DualQuat::from_affine(&a), DualQuat::from_affine(&b));
            assert!(qa.to_affine().abs_diff_eq(a, 1e-12));
            assert!((qa * qb).to_affine().abs_diff_eq(a * b, 1e-11));
            assert!(qa.conjugate().to_affine().abs_diff_eq(a.inverse(), 1e-11));
            assert!((-qa).to_affine().abs_diff_eq(a, 1e-12));
            let point = random.vec3(3.0).as_dvec3();
            assert!((qa.real * point + qa.translation() - a.transform_point3(point)).length() < 1e-11);
        }
    }

    #[test]
    fn a_normalised_sum_is_a_rigid_motion() {
        let mut random = Random::new(3);
        for _ in 0..100 {
            let [a, b] = [(); 2].map(|()| DualQuat::from_affine(&motion(&mut random)));
            let sum = a * 0.3 + b * 0.9;
            let unit = sum.normalize();
            assert!((unit.real.length() - 1.0).abs() < 1e-12);
            assert!(unit.real.dot(unit.dual).abs() < 1e-12);
            // Dividing both parts by |real| alone leaves a component along the real part.
            assert!((sum.dual * (1.0 / sum.real.length())).dot(unit.real).abs() > 1e-9);
            let norm = unit.norm();
            assert!((norm.real - 1.0).abs() < 1e-12 && norm.dual.abs() < 1e-12);
        }
        let zero = DualQuat::IDENTITY * 0.0;
        assert_eq!(zero.normalize(), DualQuat::IDENTITY);
    }

    #[test]
    fn the_mean_of_two_rotations_about_one_axis_is_half_way() {
        let turn = |degrees: f64| {
            let pivot = DVec3::new(1.0, -2.0, 0.5);
            let rotation = DQuat::from_axis_angle(DVec3::Y, degrees.to_radians());
            DualQuat::from_rotation_translation(rotation, pivot - rotation * pivot)
        };
        let middle = (turn(20.0) * 0.5 + turn(110.0) * 0.5).normalize();
        assert!(middle.to_affine().abs_diff_eq(turn(65.0).to_affine(), 1e-12));
    }
}
