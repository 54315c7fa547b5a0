//! Rotations from Euler angles about the axes of a given frame. All angles are in radians.

use glam::{DMat3, DVec3};

/// Returns Rz * Ry * Rx about the unit axes: the rotation about x comes first. `angles_rad` holds the x, y
/// and z angles.
pub fn from_euler(angles_rad: DVec3) -> DMat3 {
    from_euler_with_axes(angles_rad).0
}

/// Returns the rotation of [`from_euler`] and, as the columns of a matrix, the axes about which the three
/// angles rotate.
///
/// A small change of the x angle rotates about column x (the x axis after Rz * Ry), of the y angle about
/// column y (the y axis after Rz), of the z angle about column z (the z axis itself). The columns have unit
/// length but are not orthogonal.
pub fn from_euler_with_axes(angles_rad: DVec3) -> (DMat3, DMat3) {
    let (sx, cx) = angles_rad.x.sin_cos();
    let (sy, cy) = angles_rad.y.sin_cos();
    let (sz, cz) = angles_rad.z.sin_cos();
    let x = DVec3::new(cz * cy, sz * cy, -sy);
    let rotation = DMat3::from_cols(
        x,
        DVec3::new(cz * sy * sx - sz * cx, sz * sy * sx + cz * cx, cy * sx),
        DVec3::new(cz * sy * cx + sz * sx, sz * sy * cx - cz * sx, cy * cx),
    );
    let axes = DMat3::from_cols(x, DVec3::new(-sz, cz, 0.0), DVec3::Z);
    (rotation, axes)
}

/// Returns the angles x, y, z for which [`from_euler`] gives `m`. Of the two solutions, returns the one with
/// the smaller sum of absolute angles; if y is ±90° and x and z rotate about the same axis, z is zero.
pub fn to_euler(m: DMat3) -> DVec3 {
    let cos_y = m.x_axis.x.hypot(m.x_axis.y);
    if cos_y < 1e-9 {
        let y = (-m.x_axis.z).atan2(cos_y);
        return DVec3::new((-m.z_axis.y).atan2(m.y_axis.y), y, 0.0);
    }
    let solution = |sign: f64| {
        DVec3::new(
            (sign * m.y_axis.z).atan2(sign * m.z_axis.z),
            (-m.x_axis.z).atan2(sign * cos_y),
            (sign * m.x_axis.y).atan2(sign * m.x_axis.x),
        )
    };
    let size = |v: DVec3| v.abs().element_sum();
    let (near, far) = (solution(1.0), solution(-1.0));
    if size(near) <= size(far) { near } else { far }
}

/// Returns Rz * Ry * Rx about the columns of `axes` (orthonormal, right-handed).
pub fn from_euler_about(axes: &DMat3, angles_rad: DVec3) -> DMat3 {
    *axes * from_euler(angles_rad) * axes.transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: DMat3, b: DMat3) -> bool {
        a.abs_diff_eq(b, 1e-12)
    }

    #[test]
    fn euler_is_z_after_y_after_x() {
        let a = DVec3::new(0.3, -1.1, 4.0);
        let product = DMat3::from_rotation_z(a.z) * DMat3::from_rotation_y(a.y) * DMat3::from_rotation_x(a.x);
        assert!(near(from_euler(a), product));
    }

    #[test]
    fn about_axes_is_the_product_of_axis_angle_rotations() {
        let axes = DMat3::from_axis_angle(DVec3::new(1.0, 2.0, -0.5).normalize(), 0.8);
        let a = DVec3::new(-0.7, 2.4, 0.9);
        let product = DMat3::from_axis_angle(axes.z_axis, a.z)
            * DMat3::from_axis_angle(axes.y_axis, a.y)
            * DMat3::from_axis_angle(axes.x_axis, a.x);
        assert!(near(from_euler_about(&axes, a), product));
    }

    #[test]
    fn each_angle_turns_about_its_axis() {
        let axes = DMat3::from_axis_angle(DVec3::new(1.0, -2.0, 0.5).normalize(), 1.9);
        let a = DVec3::new(0.4, -0.9, 1.3);
        let rotation = from_euler_about(&axes, a);
        let angle_axes = axes * from_euler_with_axes(a).1;
        for i in 0..3 {
            let mut turned = a;
            turned[i] += 0.25;
            let expected = DMat3::from_axis_angle(angle_axes.col(i), 0.25) * rotation;
            assert!(near(from_euler_about(&axes, turned), expected), "angle {i}");
        }
    }

    #[test]
    fn angles_of_a_matrix_give_the_matrix() {
        let mut random = crate::testing::Random::new(3);
        for i in 0..2000 {
            let mut angles = random.vec3(3.2).as_dvec3();
            if i % 3 == 0 {
                angles.y = std::f64::consts::FRAC_PI_2 * [-1.0, 1.0][i % 2];
            }
            let m = from_euler(angles);
            let back = to_euler(m);
            assert!(from_euler(back).abs_diff_eq(m, 1e-7), "{angles} {back}");
            assert!(back.abs().element_sum() <= angles.abs().element_sum() + 1e-6 || i % 3 == 0);
        }
        let half_turn = to_euler(from_euler(DVec3::new(std::f64::consts::PI, 0.0, 0.0)));
        assert!(half_turn.distance(DVec3::new(std::f64::consts::PI, 0.0, 0.0)) < 1e-12);
    }
}
