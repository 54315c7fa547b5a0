//! Parts the matrix of a joint into what a bone can do.

use super::property::SCALE;
use crate::math::decompose::polar_factor;
use glam::{DMat3, DVec3};

/// Smaller differences of scales are rounding.
const NO_SCALE: f64 = 1e-5;
/// A larger scale could not be read back from a file.
const MAX_SCALE: f64 = SCALE.info.range[1];

/// Returns the rotation and the scale along `scale_axes` (orthonormal columns) that together are closest to a matrix: exact
/// for one that does not shear along them.
pub fn turn_and_scale(matrix: DMat3, scale_axes: DMat3) -> (DMat3, DVec3) {
    let scaled = matrix * scale_axes;
    let mut turned = orthonormal(scaled);
    if turned.determinant() < 0.0 {
        turned = -turned;
    }
    let stretch = turned.transpose() * scaled;
    let scale = DVec3::new(stretch.x_axis.x, stretch.y_axis.y, stretch.z_axis.z);
    let scale = scale.map(|factor| match factor.clamp(-MAX_SCALE, MAX_SCALE) {
        factor if (factor - 1.0).abs() > NO_SCALE => factor,
        // Also for what is not a number.
        _ => 1.0,
    });
    (turned * scale_axes.transpose(), scale)
}

/// Returns the rotation, with a reflection if there is one, that is closest to a matrix of which columns may be zero.
fn orthonormal(matrix: DMat3) -> DMat3 {
    if let Some(found) = polar_factor(matrix) {
        return found;
    }
    let columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|column| column.try_normalize());
    let [x, y, z] = match columns {
        [Some(x), Some(y), _] => [x, y, x.cross(y)],
        [Some(x), _, Some(z)] => [x, z.cross(x), z],
        [_, Some(y), Some(z)] => [y.cross(z), y, z],
        [Some(x), _, _] => [x, x.any_orthonormal_vector(), x.cross(x.any_orthonormal_vector())],
        [_, Some(y), _] => [y.any_orthonormal_vector(), y, y.any_orthonormal_vector().cross(y)],
        [_, _, Some(z)] => [z.any_orthonormal_vector(), z.cross(z.any_orthonormal_vector()), z],
        _ => return DMat3::IDENTITY,
    };
    polar_factor(DMat3::from_cols(x, y, z)).unwrap_or(DMat3::IDENTITY)
}
