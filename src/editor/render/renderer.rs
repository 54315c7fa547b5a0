//! The application that draws the pictures: only the viewport's systems, on an image, without panels or a
//! pointer. A frame is in the image when it ends.

use super::job::Job;
use super::view_source::{bounds_in_motion, view_camera};
use crate::anim::clip::Clip;
use crate::edit::render::{Background, Viewpoint};
use crate::edit::session::Session;
use crate::edit::settings::view::{Display, Tab, ViewSettings};
use crate::editor::frame::FrameStep;
use crate::editor::frame::order_steps;
use crate::editor::headless::plugins;
use crate::editor::picture::Picture;
use crate::editor::projection;
use crate::editor::projection::studio;
use crate::editor::state::{Caches, Document, Settings, Shown};
use crate::editor::viewport;
use crate::editor::viewport::ViewportState;
use crate::editor::viewport::cameras::{self, ViewportCamera};
use crate::editor::viewport::light_camera_icons::ActiveCamera;
use crate::editor::viewport::scene_view::{SceneView, scene_view};
use crate::math::colormap::{linear_from_srgb, srgb_from_linear};
use bevy::camera::RenderTarget;
use bevy::prelude::*;
use bevy::render::RenderApp;
use bevy::render::render_asset::RenderAssets;
use bevy::render::render_resource::PipelineCache;
use bevy::render::renderer::{RenderDevice, RenderQueue};
use bevy::render::texture::GpuImage;
use std::sync::mpsc::channel;
use std::time::Duration;

pub struct Renderer {
    app: App,
    image: Handle<Image>,
    transparent: bool,
    started: bool,
}

/// The view of the pictures.
#[derive(Resource)]
struct Shot {
    /// The instance of a camera.
    camera: Option<String>,
    aspect: f32,
    /// The assumed distance from the camera to its target: the size of the scene.
    distance: f32,
    through: Option<SceneView>,
}

/// The number of times that loading shaders are waited for.
const MAX_WAITS: u32 = 2000;

impl Renderer {
    /// `alone`: see [`super::render_files::render`].
    pub fn new(job: &Job, alone: bool) -> Self {
        let settings = &job.settings;
        let [width, height] = settings.size;
        let (mut session, view_settings) = staged_document(job);
        let (mut shown, mut caches) = (Shown::default(), Caches::default());
        let played = job.scene.animation.clip.play_range();
        let bounds = bounds_in_motion(&mut session, &view_settings, &mut shown, &mut caches, played);
        let view = view_camera(job, &bounds);
        let size = Vec2::new(width as f32, height as f32);

        let mut app = App::new();
        app.add_plugins(plugins(alone));
        let mut images = app.world_mut().resource_mut::<Assets<Image>>();
        let target = cameras::image_target(width, height, 1.0, &mut images);
        let image = match &target {
            RenderTarget::Image(image) => image.handle.clone(),
            _ => Handle::default(),
        };
        let background = match settings.background {
            Background::Color([r, g, b]) => Color::srgb_u8(r, g, b),
            Background::Transparent => Color::NONE,
        };
        let camera = match &settings.eye {
            Viewpoint::Camera(name) => Some(name.clone()),
            _ => None,
        };
        app.insert_resource(ActiveCamera(camera.clone()))
            .insert_resource(Shot {
                camera,
                aspect: size.x / size.y,
                distance: bounds.diagonal().clamp(1e-3, 1e6),
                through: None,
            })
            .insert_resource(Document(session))
            .insert_resource(Settings(view_settings))
            .insert_resource(ViewportState::for_picture(view, size, bounds))
            .insert_resource(shown)
            .insert_resource(caches)
            .add_plugins((studio::plugin, projection::add_systems, viewport::plugin))
            .add_systems(PreStartup, move |mut commands: Commands| {
                cameras::spawn_viewport(&mut commands, Some(&target), background, cameras::write_output());
            });
        order_steps(&mut app);
        app.add_systems(
            Update,
            (
                aim.after(FrameStep::Evaluate).before(FrameStep::Upload),
                look_through.after(FrameStep::Upload).before(FrameStep::Overlay),
            ),
        );
        app.finish();
        app.cleanup();
        Self { app, image, transparent: settings.background == Background::Transparent, started: false }
    }

    /// Whether Ctrl+C was pressed.
    pub fn interrupted(&self) -> bool {
        self.app.should_exit().is_some()
    }

    /// Renders a frame.
    pub fn frame(&mut self, frame: u32) -> Result<Picture, String> {
        let world = self.app.world_mut();
        world.resource_mut::<Document>().set_frame(frame as f32);
        // New meshes and materials reach the graphics card, then they are drawn.
        self.activate_cameras(false);
        self.app.update();
        self.activate_cameras(true);
        self.app.update();
        self.settle()?;
        let mut picture = self.read_back()?;
        if self.transparent {
            unpremultiply(&mut picture.rgba);
        }
        Ok(picture)
    }

    fn activate_cameras(&mut self, active: bool) {
        let world = self.app.world_mut();
        for mut camera in world.query::<&mut Camera>().iter_mut(world) {
            camera.is_active = active;
        }
    }

    /// Draws until all shaders are loaded.
    fn settle(&mut self) -> Result<(), String> {
        if !std::mem::replace(&mut self.started, true) {
            for _ in 0..4 {
                self.app.update();
            }
        }
        for _ in 0..MAX_WAITS {
            let world = self.app.sub_app(RenderApp).world();
            let waiting = world.resource::<PipelineCache>().waiting_pipelines().count();
            if waiting == 0 {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(5));
            self.app.update();
            self.app.update();
        }
        Err("the shaders were not loaded".into())
    }

    /// Reads the image back from the graphics card.
    fn read_back(&self) -> Result<Picture, String> {
        let world = self.app.sub_app(RenderApp).world();
        let image = world
            .resource::<RenderAssets<GpuImage>>()
            .get(&self.image)
            .ok_or("the image is not on the graphics card")?;
        let size = image.texture_descriptor.size;
        let row = size.width as usize * 4;
        let padded = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT as usize);
        let device = world.resource::<RenderDevice>().wgpu_device();
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("picture"),
            size: (padded * size.height as usize) as u64,
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_texture_to_buffer(
            image.texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(padded as u32),
                    rows_per_image: None,
                },
            },
            size,
        );
        world.resource::<RenderQueue>().submit([encoder.finish()]);
        let (sender, mapped) = channel();
        buffer.slice(..).map_async(wgpu::MapMode::Read, move |result| {
            // The receiver waits just below.
            let _ = sender.send(result);
        });
        let lost = |error: String| format!("the picture did not come back from the graphics card: {error}");
        device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| lost(error.to_string()))?;
        mapped.recv().map_err(|error| lost(error.to_string()))?.map_err(|error| lost(error.to_string()))?;
        let bytes = buffer.slice(..).get_mapped_range();
        let rgba = bytes.chunks(padded).flat_map(|line| &line[..row]).copied();
        Ok(Picture { width: size.width, height: size.height, rgba: rgba.collect() })
    }
}

/// Returns the document that the systems draw, and its view settings.
fn staged_document(job: &Job) -> (Session, ViewSettings) {
    let overlays = job.settings.overlays;
    let mut scene = job.scene.clone();
    // Any frame can be shown, even outside the play range.
    let clip = scene.animation.clip.with_length(Clip::MAX_LENGTH);
    std::sync::Arc::make_mut(&mut scene.animation).clip = clip;
    let mut session = Session::new(scene, job.path.clone());
    session.select(job.selection.clone());
    let settings = ViewSettings {
        tab: Tab::Animate,
        display: Display {
            xray: job.xray,
            bone_look: job.bone_look,
            show_bones: overlays.bones,
            show_axes: false,
            show_handles: overlays.handles,
            show_grid: overlays.grid,
            show_floor: overlays.floor,
            show_outline: false,
            show_objects: overlays.objects,
            ..Display::default()
        },
        solve_ik: job.ik.is_some(),
        ik_step: job.ik.unwrap_or_default(),
        ..ViewSettings::default()
    };
    (session, settings)
}

/// Points the view where the camera of the scene points at this frame.
fn aim(shown: Res<Shown>, mut viewport: ResMut<ViewportState>, mut shot: ResMut<Shot>) {
    let Some(name) = &shot.camera else { return };
    shot.through = scene_view(&shown.evaluated, name, shot.aspect);
    if let Some(through) = &shot.through {
        viewport.camera = through.view(shot.distance);
    }
}

/// Applies the roll and the near plane of a camera of the scene.
fn look_through(
    shot: Res<Shot>,
    mut cameras: Query<(&mut Projection, &mut Transform), With<ViewportCamera>>,
) {
    let Some(through) = &shot.through else { return };
    for (mut projection, mut transform) in &mut cameras {
        *transform = Transform::from_translation(through.eye).with_rotation(through.rotation);
        *projection = Projection::Perspective(PerspectiveProjection {
            fov: through.vertical_fov,
            near: through.near,
            far: 1e6,
            near_clip_plane: Vec4::new(0.0, 0.0, -1.0, -through.near),
            aspect_ratio: shot.aspect,
        });
    }
}

/// Converts premultiplied alpha to straight alpha, as image files store it.
fn unpremultiply(rgba: &mut [u8]) {
    for pixel in rgba.as_chunks_mut::<4>().0 {
        let alpha = f32::from(pixel[3]) / 255.0;
        if alpha > 0.0 && alpha < 1.0 {
            for channel in &mut pixel[..3] {
                let linear = linear_from_srgb(f32::from(*channel) / 255.0) / alpha;
                *channel = (srgb_from_linear(linear.min(1.0)) * 255.0).round() as u8;
            }
        }
    }
}
