//! Matrices taken apart into translation, rotation and scale.

use glam::{DAffine3, DMat3, DQuat, DVec3};

/// Orthogonal factor of the polar decomposition: the rotation (or, with a negative determinant, the
/// rotation and reflection) nearest to `m`. `None` for a singular or non-finite matrix.
///
/// Newton's iteration with scaling, Higham 1986, "Computing the polar decomposition - with applications".
pub fn polar_factor(m: DMat3) -> Option<DMat3> {
    let size = m.to_cols_array().iter().map(|v| v.abs()).fold(0.0, f64::max);
    let mut x = m * size.recip();
    let flat = |x: &DMat3| x.determinant().is_nan() || x.determinant().abs() <= 1e-30;
    if !x.is_finite() || flat(&x) {
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

/// Frobenius norm.
fn norm(m: &DMat3) -> f64 {
    m.to_cols_array().iter().map(|v| v * v).sum::<f64>().sqrt()
}

/// Translation, rotation and scale whose product T * R * S is `m`, or without its shear where it has some
/// (the rotation is then the nearest one). Signs of the scale are those of `like` where `m` allows it, and
/// axes that `like` makes flat stay flat. `None` where `m` is flat in other ways or not finite.
///
/// `m` must be the matrix with the zeros of `like` taken for ones: see [`unflattened`].
pub fn decompose(m: DAffine3, like: DVec3) -> Option<(DVec3, DQuat, DVec3)> {
    let linear = m.matrix3;
    let mut signs = like.to_array().map(|v| if v < 0.0 { -1.0 } else { 1.0 });
    if linear.determinant() * signs.iter().product::<f64>() < 0.0 {
        signs[0] = -signs[0];
    }
    let signs = DVec3::from_array(signs);
    let rotation = polar_factor(linear * DMat3::from_diagonal(signs))?;
    let stretch = rotation.transpose() * linear;
    let scale = DVec3::new(stretch.x_axis.x, stretch.y_axis.y, stretch.z_axis.z);
    let scale = DVec3::select(like.cmpeq(DVec3::ZERO), DVec3::ZERO, scale);
    let rotation = DQuat::from_mat3(&rotation).normalize();
    let finite = m.translation.is_finite() && rotation.is_finite() && scale.is_finite();
    finite.then_some((m.translation, rotation, scale))
}

/// A scale with ones for its zeros, so that a matrix made of it can be turned and inverted.
pub fn unflattened(scale: DVec3) -> DVec3 {
    DVec3::select(scale.cmpeq(DVec3::ZERO), DVec3::ONE, scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::testing::Random;

    fn vector(random: &mut Random, size: f32) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| f64::from(random.range(-size, size))))
    }

    fn turn(random: &mut Random) -> DQuat {
        DQuat::from_axis_angle(
            vector(random, 1.0).normalize(),
            f64::from(random.range(-3.0, 3.0)),
        )
    }

    #[test]
    fn what_was_put_together_comes_apart_again() {
        let mut random = Random::new(5);
        for _ in 0..300 {
            let (translation, rotation) = (vector(&mut random, 9.0), turn(&mut random));
            let scale = vector(&mut random, 3.0) + DVec3::splat(0.01);
            let m = DAffine3::from_scale_rotation_translation(scale, rotation, translation);
            let (t, r, s) = decompose(m, scale).unwrap();
            assert!(
                t.distance(translation) < 1e-9 && s.distance(scale) < 1e-9,
                "{s} {scale}"
            );
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
    fn flat_and_endless_matrices_are_refused() {
        let flat = DMat3::from_diagonal(DVec3::new(1.0, 0.0, 1.0));
        for m in [
            DMat3::ZERO,
            flat,
            DMat3::IDENTITY * f64::NAN,
            DMat3::IDENTITY * f64::INFINITY,
        ] {
            assert_eq!(polar_factor(m), None);
        }
    }

    #[test]
    fn zeros_of_the_scale_stay() {
        let like = DVec3::new(2.0, 0.0, -1.0);
        let m = DAffine3::from_scale(unflattened(like));
        assert_eq!(decompose(m, like).unwrap().2, like);
    }
}
