//! The stage: cameras and the ground grid. Nothing here belongs to the document.
//!
//! Three cameras share one target: the scene, the overlay (bones, handles, gizmos; drawn over the scene
//! with a depth of its own) and the panels.

use super::Target;
use super::ui::theme;
use bevy::camera::visibility::RenderLayers;
use bevy::camera::{CameraOutputMode, ClearColorConfig, RenderTarget};
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::dev_tools::infinite_grid::{InfiniteGrid, InfiniteGridSettings};
use bevy::prelude::*;
use bevy::render::render_resource::BlendState;
use bevy_egui::{EguiContextSettings, PrimaryEguiContext};

/// Layer of the scene itself.
pub const SCENE_LAYER: usize = 0;
/// Layer of what is drawn over it.
pub const OVERLAY_LAYER: usize = 1;

/// The cameras that follow the view: scene and overlay.
#[derive(Component)]
pub struct ViewportCamera;

/// The camera that the scene is seen by.
#[derive(Component)]
pub struct SceneCamera;

/// The ground grid.
#[derive(Component)]
pub struct Ground;

/// The image or window that everything is drawn to.
#[derive(Resource, Clone)]
pub struct StageTarget(pub Option<RenderTarget>);

pub fn color(c: bevy_egui::egui::Color32) -> Color {
    let [r, g, b, a] = c.to_srgba_unmultiplied();
    Color::srgba_u8(r, g, b, a)
}

/// Spawns cameras and grid.
pub fn spawn(mut commands: Commands, target: Res<StageTarget>) {
    viewport(
        &mut commands,
        target.0.as_ref(),
        color(theme::viewport::BACKGROUND),
    );
    let panels = commands
        .spawn((
            Camera2d,
            Camera { order: 2, ..over() },
            RenderLayers::none(),
            Msaa::Off,
            PrimaryEguiContext,
            // The panels run inside our own schedule; the viewport is a widget of theirs.
            EguiContextSettings {
                run_manually: true,
                capture_pointer_input: false,
                ..default()
            },
        ))
        .id();
    if let Some(target) = &target.0 {
        commands.entity(panels).insert(target.clone());
    }
}

/// A camera that draws over what is there.
fn over() -> Camera {
    Camera {
        order: 1,
        output_mode: CameraOutputMode::Write {
            blend_state: Some(BlendState::ALPHA_BLENDING),
            clear_color: ClearColorConfig::None,
        },
        clear_color: ClearColorConfig::Custom(Color::NONE),
        ..default()
    }
}

/// The cameras of scene and overlay, and the grid.
pub fn viewport(commands: &mut Commands, target: Option<&RenderTarget>, background: Color) {
    let scene = commands
        .spawn((
            Camera3d::default(),
            Camera {
                clear_color: ClearColorConfig::Custom(background),
                ..default()
            },
            Tonemapping::None,
            RenderLayers::layer(SCENE_LAYER),
            ViewportCamera,
            SceneCamera,
        ))
        .id();
    let overlay = commands
        .spawn((
            Camera3d::default(),
            over(),
            Tonemapping::None,
            RenderLayers::layer(OVERLAY_LAYER),
            ViewportCamera,
        ))
        .id();
    if let Some(target) = target {
        for camera in [scene, overlay] {
            commands.entity(camera).insert(target.clone());
        }
    }

    commands.spawn((
        Ground,
        InfiniteGrid,
        InfiniteGridSettings {
            x_axis_color: color(theme::AXES[0]).with_alpha(0.6),
            z_axis_color: color(theme::AXES[2]).with_alpha(0.6),
            minor_line_color: color(theme::viewport::GRID),
            major_line_color: color(theme::viewport::GRID),
            fadeout_distance: 80.0,
            ..default()
        },
        RenderLayers::layer(SCENE_LAYER),
    ));
}

/// The target that a run of the application draws to.
pub fn make_target(target: &Target, images: &mut Assets<Image>) -> Option<RenderTarget> {
    use bevy::asset::RenderAssetUsages;
    use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat, TextureUsages};
    let Target::Image { width, height, scale } = *target else {
        return None;
    };
    let size = Extent3d {
        width,
        height,
        depth_or_array_layers: 1,
    };
    let mut image = Image::new_uninit(
        size,
        TextureDimension::D2,
        TextureFormat::Rgba8UnormSrgb,
        RenderAssetUsages::RENDER_WORLD,
    );
    image.texture_descriptor.usage =
        TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC | TextureUsages::TEXTURE_BINDING;
    let handle = images.add(image);
    Some(RenderTarget::Image(bevy::camera::ImageRenderTarget {
        handle,
        scale_factor: scale,
    }))
}
