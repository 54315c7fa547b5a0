//! The window's cameras. Nothing here belongs to the document.
//!
//! Three cameras draw one picture: the scene, the overlay (bones, handles, gizmos; drawn over the scene with
//! its own depth buffer) and the panels. The right side of the Compare view has two more, for its scene and
//! its overlay. The first camera clears the picture and the last one writes it to the target; cameras with
//! pictures of their own would each cost a copy of the whole window, which a software driver feels.

use super::state::ViewportState;
use crate::editor::frame::FrameStep;
use crate::editor::projection::layers::{OVERLAY_LAYER, SCENE_LAYER, SIDE_LAYERS, color};
use crate::editor::state::Settings;
use crate::editor::ui::theme;
use bevy::camera::visibility::RenderLayers;
use bevy::camera::{CameraOutputMode, ClearColorConfig, MsaaWriteback, RenderTarget, ScalingMode, Viewport};
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::prelude::*;
use bevy::render::render_resource::BlendState;
use bevy_egui::{EguiContextSettings, PrimaryEguiContext};

/// A camera that follows the view: of the scene or the overlay, on a side of the Compare view; 0, the left
/// one, without a comparison.
#[derive(Component)]
pub struct ViewportCamera(pub usize);

/// The camera that draws the scene; in the Compare view, its left side.
#[derive(Component)]
pub struct SceneCamera;

/// The image or window that everything is drawn to.
#[derive(Resource, Clone)]
pub struct DrawTarget(pub Option<RenderTarget>);

/// Makes the cameras follow the view.
pub fn plugin(app: &mut App) {
    let follow = (update_second_cameras, follow_view);
    app.add_systems(Update, follow.chain().in_set(FrameStep::Upload));
}

/// Spawns the cameras.
pub fn spawn(mut commands: Commands, target: Res<DrawTarget>) {
    let background = color(theme::viewport::BACKGROUND);
    spawn_viewport(&mut commands, target.0.as_ref(), background, CameraOutputMode::Skip);
    let panels = commands
        .spawn((
            Camera2d,
            Camera { order: PANELS_ORDER, output_mode: write_output(), ..over_previous() },
            RenderLayers::none(),
            Msaa::default(),
            PrimaryEguiContext,
            // The panels run inside our own schedule; the viewport is one of their widgets.
            EguiContextSettings { run_manually: true, capture_pointer_input: false, ..default() },
        ))
        .id();
    if let Some(target) = &target.0 {
        commands.entity(panels).insert(target.clone());
    }
}

/// The panels are drawn last.
const PANELS_ORDER: isize = 4;

/// Returns a camera that draws over the picture of the previous ones.
fn over_previous() -> Camera {
    Camera {
        output_mode: CameraOutputMode::Skip,
        clear_color: ClearColorConfig::None,
        // All samples are still there.
        msaa_writeback: MsaaWriteback::Off,
        ..default()
    }
}

/// The output of the last camera, which replaces what the target shows.
pub fn write_output() -> CameraOutputMode {
    CameraOutputMode::Write { blend_state: Some(BlendState::REPLACE), clear_color: ClearColorConfig::None }
}

/// Spawns the scene and overlay cameras of a side of the Compare view; the first is that of the scene.
/// `background`: the colour that the picture is cleared to, on the first side.
fn spawn_cameras(
    commands: &mut Commands,
    target: Option<&RenderTarget>,
    background: Option<Color>,
    side: usize,
    output_mode: CameraOutputMode,
) -> [Entity; 2] {
    let order = side as isize;
    let scene = Camera {
        order,
        clear_color: background.map_or(ClearColorConfig::None, ClearColorConfig::Custom),
        ..over_previous()
    };
    let overlay = Camera { order: 2 + order, output_mode, ..over_previous() };
    let layers = RenderLayers::from_layers(&[SCENE_LAYER, SIDE_LAYERS[side]]);
    [(scene, layers), (overlay, RenderLayers::layer(OVERLAY_LAYER))].map(|(camera, layers)| {
        let components = (Camera3d::default(), Tonemapping::None, ViewportCamera(side));
        let mut entity = commands.spawn((camera, layers, components));
        if let Some(target) = target {
            entity.insert(target.clone());
        }
        entity.id()
    })
}

/// Draws the window's view on the background that the preferences choose; rendered pictures have their own.
pub fn follow_background(settings: Res<Settings>, mut scene: Single<&mut Camera, With<SceneCamera>>) {
    let wanted = color(theme::viewport::rgb(settings.options.view_colors().background));
    if !matches!(scene.clear_color, ClearColorConfig::Custom(color) if color == wanted) {
        scene.clear_color = ClearColorConfig::Custom(wanted);
    }
}

/// Spawns and despawns the cameras of the right side of the Compare view.
fn update_second_cameras(
    mut commands: Commands,
    view: Res<ViewportState>,
    target: Single<&RenderTarget, With<SceneCamera>>,
    all: Query<(Entity, &ViewportCamera)>,
) {
    let existing: Vec<Entity> =
        all.iter().filter(|(_, camera)| camera.0 == 1).map(|(entity, _)| entity).collect();
    if view.panes.is_some() != existing.is_empty() {
        return;
    }
    for entity in &existing {
        commands.entity(*entity).despawn();
    }
    if existing.is_empty() {
        spawn_cameras(&mut commands, Some(&target), None, 1, CameraOutputMode::Skip);
    }
}

/// Spawns the cameras of scene and overlay. `output_mode`: that of the overlay, which writes the
/// picture unless a later camera does.
pub fn spawn_viewport(
    commands: &mut Commands,
    target: Option<&RenderTarget>,
    background: Color,
    output_mode: CameraOutputMode,
) {
    let [scene, _] = spawn_cameras(commands, target, Some(background), 0, output_mode);
    commands.entity(scene).insert(SceneCamera);
}

/// Returns an image to draw to, of a size in pixels and a scale in pixels per point.
pub fn image_target(width: u32, height: u32, scale: f32, images: &mut Assets<Image>) -> RenderTarget {
    use bevy::asset::RenderAssetUsages;
    use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat, TextureUsages};
    let size = Extent3d { width, height, depth_or_array_layers: 1 };
    let mut image = Image::new_uninit(
        size,
        TextureDimension::D2,
        TextureFormat::Rgba8UnormSrgb,
        RenderAssetUsages::RENDER_WORLD,
    );
    image.texture_descriptor.usage =
        TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC | TextureUsages::TEXTURE_BINDING;
    let handle = images.add(image);
    RenderTarget::Image(bevy::camera::ImageRenderTarget { handle, scale_factor: scale })
}

/// Makes the cameras follow the view.
fn follow_view(
    view: Res<ViewportState>,
    first: Query<Entity, With<SceneCamera>>,
    mut cameras: Query<(&mut Camera, &mut Projection, &mut Transform, &ViewportCamera)>,
) {
    let world_from_camera = view.camera.world_from_camera();
    let transform = Transform::from_matrix(world_from_camera);
    let first = first.single().ok().and_then(|entity| cameras.get(entity).ok());
    let active = first.is_none_or(|(camera, ..)| camera.is_active);
    for (mut camera, mut projection, mut camera_transform, side) in &mut cameras {
        let (viewport, sub_view) = match (view.physical_rect, &view.panes) {
            (Some(whole), Some(panes)) => {
                let (viewport, sub_view) = panes.camera(whole, side.0);
                (Some(viewport), sub_view)
            }
            (whole, _) => {
                let viewport = |(position, size)| Viewport {
                    physical_position: position,
                    physical_size: size,
                    ..default()
                };
                (whole.map(viewport), None)
            }
        };
        if !same_viewport(&camera.viewport, &viewport) {
            camera.viewport = viewport;
        }
        let wanted = view.bevy_projection();
        if !same_projection(&projection, &wanted) {
            *projection = wanted;
        }
        if camera.sub_camera_view != sub_view {
            camera.sub_camera_view = sub_view;
        }
        // The second side is drawn when the first is.
        if side.0 == 1 && camera.is_active != active {
            camera.is_active = active;
        }
        camera_transform.set_if_neq(transform);
    }
}

/// Whether projections are equal, except for what Bevy derives from the size of the viewport.
fn same_projection(a: &Projection, b: &Projection) -> bool {
    match (a, b) {
        (Projection::Perspective(a), Projection::Perspective(b)) => (a.fov, a.near) == (b.fov, b.near),
        (Projection::Orthographic(a), Projection::Orthographic(b)) => {
            (a.near, a.far) == (b.near, b.far) && same_scaling(&a.scaling_mode, &b.scaling_mode)
        }
        _ => false,
    }
}

fn same_scaling(a: &ScalingMode, b: &ScalingMode) -> bool {
    match (a, b) {
        (
            ScalingMode::FixedVertical { viewport_height: a },
            ScalingMode::FixedVertical { viewport_height: b },
        ) => a == b,
        _ => false,
    }
}

fn same_viewport(a: &Option<Viewport>, b: &Option<Viewport>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => {
            a.physical_position == b.physical_position && a.physical_size == b.physical_size
        }
        (None, None) => true,
        _ => false,
    }
}
