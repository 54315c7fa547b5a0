//! The stage: cameras and the ground grid. Nothing here belongs to the document.
//!
//! Three cameras share one target: the scene, the overlay (bones, handles, gizmos; drawn over the scene
//! with a depth of its own) and the panels. The right side of the Compare view has two more, for its scene and
//! its overlay.

use crate::editor::ui::theme;
use crate::editor::{Editor, Target};
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
/// Layers of the skins that are compared, at the left and at the right.
pub const SIDE_LAYERS: [usize; 2] = [2, 3];

/// The cameras that follow the view: scene and overlay, of one side of the Compare view; of what is not compared,
/// the left one, 0.
#[derive(Component)]
pub struct ViewportCamera(pub usize);

/// The camera that the scene is seen by: what is compared, at the left.
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
            Camera {
                order: PANELS_ORDER,
                ..over()
            },
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

/// The panels are drawn last.
const PANELS_ORDER: isize = 4;

/// A camera that draws over what is there.
fn over() -> Camera {
    Camera {
        output_mode: CameraOutputMode::Write {
            blend_state: Some(BlendState::ALPHA_BLENDING),
            clear_color: ClearColorConfig::None,
        },
        clear_color: ClearColorConfig::Custom(Color::NONE),
        ..default()
    }
}

/// Spawns the cameras of scene and overlay of a side of the Compare view. The first is that of the scene.
fn cameras(
    commands: &mut Commands,
    target: Option<&RenderTarget>,
    background: Color,
    side: usize,
) -> [Entity; 2] {
    let order = side as isize;
    let scene = Camera {
        order,
        clear_color: ClearColorConfig::Custom(background),
        ..default()
    };
    let overlay = Camera {
        order: 2 + order,
        ..over()
    };
    let layers = RenderLayers::from_layers(&[SCENE_LAYER, SIDE_LAYERS[side]]);
    [(scene, layers), (overlay, RenderLayers::layer(OVERLAY_LAYER))].map(|(camera, layers)| {
        let seen = (Camera3d::default(), Tonemapping::None, ViewportCamera(side));
        let mut entity = commands.spawn((camera, layers, seen));
        if let Some(target) = target {
            entity.insert(target.clone());
        }
        entity.id()
    })
}

/// The right side of the Compare view has cameras as long as there is one.
pub fn second_cameras(
    mut commands: Commands,
    editor: Res<Editor>,
    first: Single<(&Camera, &RenderTarget), With<SceneCamera>>,
    all: Query<(Entity, &ViewportCamera)>,
) {
    let there: Vec<Entity> = all
        .iter()
        .filter(|(_, of)| of.0 == 1)
        .map(|(entity, _)| entity)
        .collect();
    if editor.viewport.panes.is_some() != there.is_empty() {
        return;
    }
    for entity in &there {
        commands.entity(*entity).despawn();
    }
    if there.is_empty() {
        let (camera, target) = *first;
        let background = match camera.clear_color {
            ClearColorConfig::Custom(color) => color,
            _ => color(theme::viewport::BACKGROUND),
        };
        cameras(&mut commands, Some(target), background, 1);
    }
}

/// The cameras of scene and overlay, and the grid.
pub fn viewport(commands: &mut Commands, target: Option<&RenderTarget>, background: Color) {
    let [scene, _] = cameras(commands, target, background, 0);
    commands.entity(scene).insert(SceneCamera);
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
