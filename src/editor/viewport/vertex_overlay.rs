//! Draws selected vertices as dots over the skin and, during vertex selection, small dots on the skin for all
//! vertices: one mesh for each of both, made again when the selection or the skin changes.

use super::state::ViewportState;
use crate::edit::select::active_rig::ActiveRig;
use crate::edit::settings::view::View;
use crate::edit::tool::SkinDisplay;
use crate::editor::frame::FrameStep;
use crate::editor::projection::content_changed;
use crate::editor::projection::layers::{OVERLAY_LAYER, SCENE_LAYER, color};
use crate::editor::projection::material::{drawn_from_both_sides, embed_shader};
use crate::editor::state::ViewParams;
use crate::editor::ui::theme;
use crate::scene::evaluate::Posed;
use bevy::asset::RenderAssetUsages;
use bevy::camera::visibility::{NoFrustumCulling, RenderLayers};
use bevy::ecs::system::SystemParam;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use bevy::render::render_resource::AsBindGroup;
use bevy::shader::ShaderRef;
use std::sync::Arc;

/// The radius of selected vertices in physical pixels.
const RADIUS_PX: f32 = 4.0;
/// The radius of other vertices in physical pixels.
const SMALL_PX: f32 = 1.6;
/// The offset of other vertices towards the viewer, as part of the distance.
const LIFT: f32 = 2e-3;
/// The depth bias that sorts dots in front of all other translucent surfaces: more than the depth of any
/// scene.
const SORT_BIAS: f32 = 1e5;

/// See the fields of `Dots` in the shader.
#[derive(Asset, TypePath, AsBindGroup, Clone, Debug)]
struct DotMaterial {
    #[uniform(0)]
    color: LinearRgba,
    #[uniform(0)]
    rim: LinearRgba,
    #[uniform(0)]
    size: Vec4,
}

impl Material for DotMaterial {
    fn vertex_shader() -> ShaderRef {
        "embedded://shaders/vertex_overlay.wgsl".into()
    }

    fn fragment_shader() -> ShaderRef {
        "embedded://shaders/vertex_overlay.wgsl".into()
    }

    /// Blended, to be drawn after the translucent bones.
    fn alpha_mode(&self) -> AlphaMode {
        AlphaMode::Blend
    }

    fn depth_bias(&self) -> f32 {
        SORT_BIAS
    }

    drawn_from_both_sides!(Mesh::ATTRIBUTE_POSITION, Mesh::ATTRIBUTE_UV_0);
}

pub fn plugin(app: &mut App) {
    embed_shader(app, "vertex_overlay.wgsl", include_bytes!("../../../assets/shaders/vertex_overlay.wgsl"));
    app.add_plugins(MaterialPlugin::<DotMaterial>::default())
        .add_systems(Update, (draw_selected.run_if(content_changed), draw_all).in_set(FrameStep::Overlay));
}

/// The entity of a set of dots, and the vertices and surface that it was made from.
#[derive(Default)]
struct Dots {
    entity: Option<Entity>,
    made_from: Option<(Arc<Vec<u32>>, Arc<Posed>)>,
}

/// The system parameter that makes dots.
#[derive(SystemParam)]
struct DotMaker<'w, 's> {
    commands: Commands<'w, 's>,
    meshes: ResMut<'w, Assets<Mesh>>,
    materials: ResMut<'w, Assets<DotMaterial>>,
}

struct DotStyle {
    radius: f32,
    color: Color,
    rim: Color,
    /// The offset towards the viewer, as part of the distance.
    lift: f32,
    layer: usize,
}

impl Dots {
    fn hide(&mut self, maker: &mut DotMaker) {
        if let Some(entity) = self.entity.take() {
            maker.commands.entity(entity).despawn();
            self.made_from = None;
        }
    }

    /// Shows dots at `vertices`, or at all vertices if there are none.
    fn show(
        &mut self,
        maker: &mut DotMaker,
        transform: Transform,
        (vertices, posed): (&Arc<Vec<u32>>, &Arc<Posed>),
        style: &DotStyle,
    ) {
        let made_from = self.made_from.as_ref();
        let is_current = made_from.is_some_and(|(v, p)| Arc::ptr_eq(v, vertices) && Arc::ptr_eq(p, posed));
        if let (true, Some(entity)) = (is_current, self.entity) {
            maker.commands.entity(entity).insert(transform);
            return;
        }
        self.hide(maker);
        let material = maker.materials.add(DotMaterial {
            color: style.color.to_linear(),
            rim: style.rim.to_linear(),
            size: Vec4::new(style.radius, style.lift, 0.0, 0.0),
        });
        let mesh = if vertices.is_empty() {
            mesh(posed.positions.iter())
        } else {
            mesh(vertices.iter().filter_map(|&v| posed.positions.get(v as usize)))
        };
        let entity = maker.commands.spawn((
            Mesh3d(maker.meshes.add(mesh)),
            MeshMaterial3d(material),
            NoFrustumCulling,
            RenderLayers::layer(style.layer),
            transform,
        ));
        self.entity = Some(entity.id());
        self.made_from = Some((vertices.clone(), posed.clone()));
    }
}

/// Returns the active skin, and its transform to the world.
fn skin<'a>(view: &View<'a>) -> Option<(Transform, &'a Arc<Posed>)> {
    let stage = ActiveRig::from_view(view)?;
    let transform = Transform::from_matrix(stage.world_from_skeleton);
    Some((transform, view.evaluated.shown_skin(stage.mesh)?))
}

/// Draws selected vertices in front of everything.
fn draw_selected(mut maker: DotMaker, params: ViewParams, mut dots: Local<Dots>) {
    let view = params.view();
    let vertices = &view.session.selection().vertices;
    let Some((transform, posed)) = skin(&view).filter(|_| !vertices.is_empty()) else {
        return dots.hide(&mut maker);
    };
    let style = DotStyle {
        radius: RADIUS_PX,
        color: color(theme::viewport::VERTEX),
        rim: color(theme::viewport::VERTEX_RIM),
        lift: 0.0,
        layer: OVERLAY_LAYER,
    };
    dots.show(&mut maker, transform, (vertices, posed), &style);
}

/// Draws the vertices that can be selected, on the skin, during vertex selection and without playback.
fn draw_all(
    mut maker: DotMaker,
    params: ViewParams,
    viewport: Res<ViewportState>,
    mut dots: Local<Dots>,
    all: Local<Arc<Vec<u32>>>,
) {
    let view = params.view();
    let is_selecting = viewport.tool.display().skin == SkinDisplay::Vertices;
    let shows = is_selecting && view.settings.display.show_skin && !view.settings.playback.is_playing();
    let Some((transform, posed)) = skin(&view).filter(|_| shows) else {
        return dots.hide(&mut maker);
    };
    let style = DotStyle {
        radius: SMALL_PX,
        color: color(theme::viewport::ANY_VERTEX),
        rim: color(theme::viewport::VERTEX_RIM).with_alpha(0.6),
        lift: LIFT,
        layer: SCENE_LAYER,
    };
    dots.show(&mut maker, transform, (&all, posed), &style);
}

/// Returns a mesh with a quad for each point.
fn mesh<'a>(points: impl Iterator<Item = &'a Vec3>) -> Mesh {
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let positions: Vec<[f32; 3]> = points.flat_map(|p| [p.to_array(); 4]).collect();
    let count = positions.len() / 4;
    let uvs: Vec<[f32; 2]> = (0..count).flat_map(|_| corners).collect();
    let indices = (0..count as u32).flat_map(|i| [0, 1, 2, 0, 2, 3].map(|k| 4 * i + k));
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, uvs)
        .with_inserted_indices(Indices::U32(indices.collect()))
}
