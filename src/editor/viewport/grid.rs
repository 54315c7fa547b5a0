//! The floor and the grid: on the ground, and upright behind the scene if the view is along another axis of
//! the world. The size of the grid's cells depends on the zoom.

use super::state::ViewportState;
use crate::editor::frame::FrameStep;
use crate::editor::projection::layers::{SCENE_LAYER, color};
use crate::editor::projection::material::{embed_shader, without_prepass_and_shadows};
use crate::editor::state::Settings;
use crate::editor::ui::theme::{self, viewport::rgb};
use crate::math::camera::{Lens, ViewCamera};
use bevy::camera::visibility::{NoFrustumCulling, RenderLayers};
use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::{MaterialPipeline, MaterialPipelineKey};
use bevy::prelude::*;
use bevy::render::render_resource::{AsBindGroup, RenderPipelineDescriptor, SpecializedMeshPipelineError};
use bevy::shader::ShaderRef;
use std::f32::consts::FRAC_PI_2;

/// The ground.
#[derive(Component)]
struct Ground;

/// See the fields of `Ground` in the shader.
#[derive(Asset, TypePath, AsBindGroup, Clone, Debug, PartialEq)]
struct GroundMaterial {
    #[uniform(0)]
    floor: LinearRgba,
    #[uniform(0)]
    lines: LinearRgba,
    #[uniform(0)]
    x_axis: LinearRgba,
    #[uniform(0)]
    z_axis: LinearRgba,
    #[uniform(0)]
    size: Vec4,
}

impl Material for GroundMaterial {
    fn fragment_shader() -> ShaderRef {
        "embedded://shaders/ground.wgsl".into()
    }

    fn alpha_mode(&self) -> AlphaMode {
        AlphaMode::Blend
    }

    /// Under everything else that is translucent.
    fn depth_bias(&self) -> f32 {
        GROUND_ORDER
    }

    without_prepass_and_shadows!();

    fn specialize(
        _pipeline: &MaterialPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        _layout: &MeshVertexBufferLayoutRef,
        _key: MaterialPipelineKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        // The grid is also seen from below.
        descriptor.primitive.cull_mode = None;
        Ok(())
    }
}

/// The depth that sorts the ground behind other translucent surfaces: more than that of any scene.
const GROUND_ORDER: f32 = -1e9;

pub fn plugin(app: &mut App) {
    embed_shader(app, "ground.wgsl", include_bytes!("../../../assets/shaders/ground.wgsl"));
    app.add_plugins(MaterialPlugin::<GroundMaterial>::default())
        .add_systems(Startup, spawn)
        .add_systems(Update, follow.in_set(FrameStep::Upload));
}

fn spawn(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<GroundMaterial>>,
) {
    let material = GroundMaterial {
        floor: LinearRgba::NONE,
        lines: color(theme::viewport::GRID).to_linear(),
        x_axis: LinearRgba::NONE,
        z_axis: LinearRgba::NONE,
        size: Vec4::ZERO,
    };
    commands.spawn((
        Ground,
        Mesh3d(meshes.add(Plane3d::default().mesh().size(2.0, 2.0))),
        MeshMaterial3d(materials.add(material)),
        NoFrustumCulling,
        RenderLayers::layer(SCENE_LAYER),
    ));
}

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
        Self { rotation: Quat::IDENTITY, axes: [0, 2] }
    }

    /// Returns the plane for a view. In orthographic views along x and z, where the ground would be a line,
    /// the grid is perpendicular to the view.
    fn facing(camera: &ViewCamera) -> Self {
        let back = camera.axes()[2].abs();
        let along = |axis: Vec3| back.cross(axis).length() < OFF_AXIS;
        if camera.orthographic && along(Vec3::Z) {
            Self { rotation: Quat::from_rotation_x(FRAC_PI_2), axes: [0, 1] }
        } else if camera.orthographic && along(Vec3::X) {
            Self { rotation: Quat::from_rotation_z(FRAC_PI_2), axes: [1, 2] }
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
    10f32.powf((height_at_target / FEWEST_CELLS).log10().floor().clamp(-12.0, 12.0))
}

/// Returns the distance at which the grid has faded, for a camera at `distance` from its target: in steps of
/// a tenth, which depend only on the current view, not on earlier ones.
fn fadeout(distance: f32) -> f32 {
    const STEP: f32 = 0.1;
    12.0 * ((distance.max(1e-6).ln() / STEP).round() * STEP).exp()
}

/// Returns half the side of an upright plane, for a picture that shows `height` in world units: no larger than
/// the picture needs. On a plane that is thousands of times as large, positions are too coarse for the width of a
/// pixel.
fn upright_half_side(height: f32, size: Vec2) -> f32 {
    1.05 * height * size.length() / (2.0 * size.y)
}

/// Updates the ground for the view.
fn follow(
    viewport: Res<ViewportState>,
    settings: Res<Settings>,
    ground: Single<(&mut Visibility, &mut Transform, &MeshMaterial3d<GroundMaterial>), With<Ground>>,
    mut materials: ResMut<Assets<GroundMaterial>>,
) {
    let camera = &viewport.camera;
    let plane = Plane::facing(camera);
    let mut far = fadeout(camera.distance);
    let eye = camera.eye();
    let mut middle = Vec3::new(eye.x, 0.0, eye.z);
    // As far as it is visible, also in the corners of the picture.
    let mut half_side = 1.6 * far;
    if let (true, Lens::Orthographic { far: deepest, height, .. }) = (plane.is_upright(), viewport.lens()) {
        // Behind everything, which in an orthographic view does not move its lines.
        middle = eye - camera.axes()[2] * 0.97 * deepest;
        far = deepest * 100.0;
        half_side = upright_half_side(height, viewport.size());
    }
    let transform =
        Transform { translation: middle, rotation: plane.rotation, scale: Vec3::splat(half_side) };
    let colors = settings.options.view_colors();
    let [x_axis, z_axis] = plane
        .axes
        .map(|axis| color(theme::viewport::mark(theme::AXES[axis], &colors)).with_alpha(0.6).to_linear());
    // From below, a floor would hide what stands on it.
    let has_floor = settings.display.show_floor && !plane.is_upright() && eye.y > 0.0;
    let shown = |color: LinearRgba, shown: bool| color.with_alpha(if shown { color.alpha } else { 0.0 });
    let wanted = GroundMaterial {
        floor: shown(color(rgb(colors.floor)).to_linear(), has_floor),
        lines: shown(color(rgb(colors.grid)).to_linear(), settings.display.show_grid),
        x_axis: shown(x_axis, settings.display.show_grid),
        z_axis: shown(z_axis, settings.display.show_grid),
        size: Vec4::new(1.0 / cell(camera.height_at_target()), 1.0 / far, 0.0, 0.0),
    };
    let (mut visibility, mut ground_transform, material) = ground.into_inner();
    visibility.set_if_neq(if settings.display.show_grid || has_floor {
        Visibility::Visible
    } else {
        Visibility::Hidden
    });
    ground_transform.set_if_neq(transform);
    if materials.get(material).is_some_and(|material| *material != wanted)
        && let Some(mut material) = materials.get_mut(material)
    {
        *material = wanted;
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
            assert!((FEWEST_CELLS * 0.99..FEWEST_CELLS * 10.1).contains(&cells), "{height}: {cells}");
        }
        assert_eq!(cell(10.0), 1.0);
        assert!(cell(0.0) > 0.0 && cell(f32::MAX).is_finite());
    }

    /// It reaches every corner of the picture, but not far beyond.
    #[test]
    fn an_upright_grid_is_as_large_as_the_picture() {
        for size in [Vec2::new(1280.0, 800.0), Vec2::new(300.0, 900.0), Vec2::ONE] {
            for height in [1e-3, 2.0, 5e4] {
                let corner = 0.5 * height * size.length() / size.y;
                let half_side = upright_half_side(height, size);
                assert!((corner..1.1 * corner).contains(&half_side), "{size} {height}: {half_side}");
            }
        }
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
                assert!((plane.rotation * grid_axis).cross(Vec3::AXES[axis]).length() < 1e-5, "{view:?}");
            }
        }
        let camera = ViewCamera { orthographic: true, ..ViewCamera::default() };
        assert!(!Plane::facing(&camera).is_upright());
    }
}
