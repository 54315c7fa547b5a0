//! The grid: on the ground, and upright behind the scene if the view is along another axis of the world. The
//! size of its cells depends on the zoom.

use super::state::ViewportState;
use crate::editor::projection::layers::color;
use crate::editor::state::Settings;
use crate::editor::ui::theme;
use crate::math::camera::{Lens, ViewCamera};
use bevy::dev_tools::infinite_grid::InfiniteGridSettings;
use bevy::prelude::*;
use std::f32::consts::FRAC_PI_2;

/// The ground grid.
#[derive(Component)]
pub struct Ground;

/// The largest deviation of a view that is along an axis, as the sine of the angle.
const OFF_AXIS: f32 = 1e-4;
/// The fewest cells that fit into the height of the picture; the most are ten times as many.
const FEWEST_CELLS: f32 = 4.0;

/// The plane of the grid: its rotation from the ground, and the axes of the world along its own x and z.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Plane {
    rotation: Quat,
    axes: [usize; 2],
}

impl Plane {
    fn ground() -> Self {
        Self {
            rotation: Quat::IDENTITY,
            axes: [0, 2],
        }
    }

    /// Returns the plane for a view. In orthographic views along x and z, where the ground would be a line,
    /// the grid is perpendicular to the view.
    fn facing(camera: &ViewCamera) -> Self {
        let back = camera.axes()[2].abs();
        let along = |axis: Vec3| back.cross(axis).length() < OFF_AXIS;
        if camera.orthographic && along(Vec3::Z) {
            Self {
                rotation: Quat::from_rotation_x(FRAC_PI_2),
                axes: [0, 1],
            }
        } else if camera.orthographic && along(Vec3::X) {
            Self {
                rotation: Quat::from_rotation_z(FRAC_PI_2),
                axes: [1, 2],
            }
        } else {
            Self::ground()
        }
    }

    fn is_upright(&self) -> bool {
        *self != Self::ground()
    }
}

/// Returns the side of a cell in world units, a power of ten.
fn cell(height_at_target: f32) -> f32 {
    10f32.powf(
        (height_at_target / FEWEST_CELLS)
            .log10()
            .floor()
            .clamp(-12.0, 12.0),
    )
}

/// Returns the distance at which the grid has faded, for a camera at `distance` from its target: in steps of
/// a tenth, which depend only on the current view, not on earlier ones.
fn fadeout(distance: f32) -> f32 {
    const STEP: f32 = 0.1;
    12.0 * ((distance.max(1e-6).ln() / STEP).round() * STEP).exp()
}

/// Updates the grid for the view.
pub fn follow(
    viewport: Res<ViewportState>,
    settings: Res<Settings>,
    mut grids: Query<(&mut Visibility, &mut Transform, &mut InfiniteGridSettings), With<Ground>>,
) {
    let camera = &viewport.camera;
    let plane = Plane::facing(camera);
    let mut transform = Transform::from_rotation(plane.rotation);
    let mut far = fadeout(camera.distance);
    if let (true, Lens::Orthographic { far: deepest, .. }) = (plane.is_upright(), viewport.lens()) {
        // Behind everything, which in an orthographic view does not move its lines.
        let forward = -camera.axes()[2];
        transform.translation = forward * (0.97 * deepest + camera.eye().dot(forward));
        far = deepest * 100.0;
    }
    let scale = 1.0 / cell(camera.height_at_target());
    let [x_axis_color, z_axis_color] = plane.axes.map(|axis| color(theme::AXES[axis]).with_alpha(0.6));
    let shown = match settings.show_grid {
        true => Visibility::Visible,
        false => Visibility::Hidden,
    };
    for (mut visibility, mut grid_transform, mut grid) in &mut grids {
        visibility.set_if_neq(shown);
        grid_transform.set_if_neq(transform);
        let old_colors = [grid.x_axis_color, grid.z_axis_color];
        if grid.fadeout_distance != far || grid.scale != scale || old_colors != [x_axis_color, z_axis_color] {
            grid.fadeout_distance = far;
            grid.scale = scale;
            (grid.x_axis_color, grid.z_axis_color) = (x_axis_color, z_axis_color);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::camera::AxisView;

    #[test]
    fn the_grid_fades_at_about_twelve_distances() {
        for distance in [1e-5, 0.2, 1.0, 4.98, 5.02, 3e7] {
            let part = fadeout(distance) / distance;
            assert!((11.3..12.7).contains(&part), "{distance}: {part}");
        }
        assert_eq!(fadeout(5.0), fadeout(5.02));
    }

    #[test]
    fn some_cells_fit_into_the_picture_at_every_size() {
        for height in [3e-5, 0.0399, 0.04, 0.9, 1.0, 7.0, 12.0, 5e6] {
            let cells = height / cell(height);
            assert!(
                (FEWEST_CELLS * 0.99..FEWEST_CELLS * 10.1).contains(&cells),
                "{height}: {cells}"
            );
        }
        assert_eq!(cell(10.0), 1.0);
        assert!(cell(0.0) > 0.0 && cell(f32::MAX).is_finite());
    }

    #[test]
    fn the_grid_is_perpendicular_to_views_along_an_axis() {
        for view in AxisView::ALL {
            let mut camera = ViewCamera::default();
            camera.set_view(view);
            assert!(!Plane::facing(&camera).is_upright(), "{view:?} in perspective");
            camera.orthographic = true;
            let plane = Plane::facing(&camera);
            // Its normal is along the view, and its axes have the colours of the world's axes along them.
            let normal = plane.rotation * Vec3::Y;
            assert!(normal.cross(camera.axes()[2]).length() < 1e-5, "{view:?}");
            for (grid_axis, axis) in [Vec3::X, Vec3::Z].into_iter().zip(plane.axes) {
                assert!(
                    (plane.rotation * grid_axis).cross(Vec3::AXES[axis]).length() < 1e-5,
                    "{view:?}"
                );
            }
        }
        let camera = ViewCamera {
            orthographic: true,
            ..ViewCamera::default()
        };
        assert!(!Plane::facing(&camera).is_upright());
    }
}
