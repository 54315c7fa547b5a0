//! Decomposition of matrices into translation, rotation and scale.

use glam::{DAffine3, DMat3, DQuat, DVec3};

/// Returns the orthogonal factor of the polar decomposition: the rotation (or, for a negative determinant,
/// the rotation with reflection) closest to `m`. `None` for a singular or non-finite matrix.
///
/// Scaled Newton iteration: Higham 1986, "Computing the polar decomposition - with applications".
pub fn polar_factor(m: DMat3) -> Option<DMat3> {
    let size = m.to_cols_array().iter().map(|v| v.abs()).fold(0.0, f64::max);
    let mut x = m * size.recip();
    let is_singular = |x: &DMat3| x.determinant().is_nan() || x.determinant().abs() <= 1e-30;
    if !x.is_finite() || is_singular(&x) {
        return None;
    }
    for _ in 0..60 {
        let inverse = x.inverse().transpose();
        let scale = (norm(&inverse) / norm(&x)).sqrt();
        let next = (x * scale + inverse * scale.recip()) * 0.5;
        if !next.is_finite() {
            return None;
        }
        let change = norm(&(next - x));
        x = next;
        if change <= 1e-15 * norm(&x) {
            break;
        }
    }
    Some(x)
}

/// The Frobenius norm.
fn norm(m: &DMat3) -> f64 {
    m.to_cols_array().iter().map(|v| v * v).sum::<f64>().sqrt()
}

/// Returns the translation, rotation and scale with T * R * S = `m`; if `m` has shear, the shear is dropped
/// and the rotation is the closest one. The signs of the scale are those of `reference` where `m` allows it,
/// and zeros in `reference` stay zero. `None` if `m` is singular in other ways or not finite.
///
/// Zeros in the scale of `m` must have been replaced by ones: see [`replace_zeros`].
pub fn decompose(m: DAffine3, reference: DVec3) -> Option<(DVec3, DQuat, DVec3)> {
    let linear = m.matrix3;
    let mut signs = reference.to_array().map(|v| if v < 0.0 { -1.0 } else { 1.0 });
    if linear.determinant() * signs.iter().product::<f64>() < 0.0 {
        signs[0] = -signs[0];
    }
    let signs = DVec3::from_array(signs);
    let rotation = polar_factor(linear * DMat3::from_diagonal(signs))?;
    let stretch = rotation.transpose() * linear;
    let scale = DVec3::new(stretch.x_axis.x, stretch.y_axis.y, stretch.z_axis.z);
    let scale = DVec3::select(reference.cmpeq(DVec3::ZERO), DVec3::ZERO, scale);
    let rotation = DQuat::from_mat3(&rotation).normalize();
    let finite = m.translation.is_finite() && rotation.is_finite() && scale.is_finite();
    finite.then_some((m.translation, rotation, scale))
}

/// Replaces the zeros of a scale by ones, so that a matrix made from it can be decomposed and inverted.
pub fn replace_zeros(scale: DVec3) -> DVec3 {
    DVec3::select(scale.cmpeq(DVec3::ZERO), DVec3::ONE, scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    fn vector(random: &mut Random, size: f32) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| f64::from(random.range(-size, size))))
    }

    fn rotation(random: &mut Random) -> DQuat {
        DQuat::from_axis_angle(vector(random, 1.0).normalize(), f64::from(random.range(-3.0, 3.0)))
    }

    #[test]
    fn decomposition_inverts_composition() {
        let mut random = Random::new(5);
        for _ in 0..300 {
            let (translation, rotation) = (vector(&mut random, 9.0), rotation(&mut random));
            let scale = vector(&mut random, 3.0) + DVec3::splat(0.01);
            let m = DAffine3::from_scale_rotation_translation(scale, rotation, translation);
            let (t, r, s) = decompose(m, scale).unwrap();
            assert!(t.distance(translation) < 1e-9 && s.distance(scale) < 1e-9, "{s} {scale}");
            assert!(r.dot(rotation).abs() > 1.0 - 1e-9);
        }
    }

    #[test]
    fn the_factor_is_orthogonal_and_the_rest_symmetric() {
        let mut random = Random::new(6);
        for _ in 0..200 {
            let m = DMat3::from_cols(
                vector(&mut random, 2.0),
                vector(&mut random, 2.0),
                vector(&mut random, 2.0),
            );
            let q = polar_factor(m).unwrap();
            let rest = q.transpose() * m;
            assert!(norm(&(q.transpose() * q - DMat3::IDENTITY)) < 1e-9);
            assert!(norm(&(rest - rest.transpose())) < 1e-9);
            assert!(q.determinant() * m.determinant() > 0.0);
        }
    }

    #[test]
    fn singular_and_non_finite_matrices_are_rejected() {
        let flat = DMat3::from_diagonal(DVec3::new(1.0, 0.0, 1.0));
        for m in [DMat3::ZERO, flat, DMat3::IDENTITY * f64::NAN, DMat3::IDENTITY * f64::INFINITY] {
            assert_eq!(polar_factor(m), None);
        }
    }

    #[test]
    fn zeros_of_the_scale_are_preserved() {
        let reference = DVec3::new(2.0, 0.0, -1.0);
        let m = DAffine3::from_scale(replace_zeros(reference));
        assert_eq!(decompose(m, reference).unwrap().2, reference);
    }
}
