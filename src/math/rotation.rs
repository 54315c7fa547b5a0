//! Rotations by Euler angles about the axes of a given frame. No quaternions, no files, no degrees:
//! angles here are radians.

use glam::{DMat3, DVec3};

/// Rz * Ry * Rx about the unit axes x, y, z: turns about x first. `angles_rad` holds the x, y, z angles.
pub fn from_euler(angles_rad: DVec3) -> DMat3 {
    let (sx, cx) = angles_rad.x.sin_cos();
    let (sy, cy) = angles_rad.y.sin_cos();
    let (sz, cz) = angles_rad.z.sin_cos();
    DMat3::from_cols(
        DVec3::new(cz * cy, sz * cy, -sy),
        DVec3::new(cz * sy * sx - sz * cx, sz * sy * sx + cz * cx, cy * sx),
        DVec3::new(cz * sy * cx + sz * sx, sz * sy * cx - cz * sx, cy * cx),
    )
}

/// Rz * Ry * Rx about the columns of `axes` (orthonormal, right-handed), and the axes about which the
/// three angles turn.
///
/// A small change of the x angle turns everything about column x of the second matrix (given in the
/// space of `axes`, so after Rz * Ry), y about column y (after Rz), z about column z (not turned).
pub fn about_axes(axes: &DMat3, angles_rad: DVec3) -> (DMat3, DMat3) {
    let euler = from_euler(angles_rad);
    let (sz, cz) = angles_rad.z.sin_cos();
    let angle_axes = DMat3::from_cols(
        *axes * euler.x_axis,
        *axes * DVec3::new(-sz, cz, 0.0),
        axes.z_axis,
    );
    (*axes * euler * axes.transpose(), angle_axes)
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
        assert!(near(about_axes(&axes, a).0, product));
    }

    #[test]
    fn each_angle_turns_about_its_axis() {
        let axes = DMat3::from_axis_angle(DVec3::new(1.0, -2.0, 0.5).normalize(), 1.9);
        let a = DVec3::new(0.4, -0.9, 1.3);
        let (rotation, angle_axes) = about_axes(&axes, a);
        for i in 0..3 {
            let mut turned = a;
            turned[i] += 0.25;
            let expected = DMat3::from_axis_angle(angle_axes.col(i), 0.25) * rotation;
            assert!(near(about_axes(&axes, turned).0, expected), "angle {i}");
        }
    }
}
