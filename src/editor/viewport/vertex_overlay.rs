//! Selected vertices as dots over the skin: one mesh, made anew when the selection or the skin changes.

use crate::edit::active_rig::ActiveRig;
use crate::editor::frame::FrameStep;
use crate::editor::projection::content_changed;
use crate::editor::projection::layers::{OVERLAY_LAYER, color};
use crate::editor::projection::material::{drawn_from_both_sides, embed_shader};
use crate::editor::state::Seen;
use crate::editor::ui::theme;
use crate::scene::evaluate::Posed;
use bevy::asset::RenderAssetUsages;
use bevy::camera::visibility::{NoFrustumCulling, RenderLayers};
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use bevy::render::render_resource::AsBindGroup;
use bevy::shader::ShaderRef;
use std::sync::Arc;

/// Radius in physical pixels.
const RADIUS_PX: f32 = 4.0;
/// Counts as nearer by this when translucent things are put in order: more than any scene is deep.
const LAST: f32 = 1e5;

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

    /// Blended, to come after the translucent bones.
    fn alpha_mode(&self) -> AlphaMode {
        AlphaMode::Blend
    }

    fn depth_bias(&self) -> f32 {
        LAST
    }

    drawn_from_both_sides!(Mesh::ATTRIBUTE_POSITION, Mesh::ATTRIBUTE_UV_0);
}

pub fn plugin(app: &mut App) {
    embed_shader(
        app,
        "vertex_overlay.wgsl",
        include_bytes!("../../../assets/shaders/vertex_overlay.wgsl"),
    );
    app.add_plugins(MaterialPlugin::<DotMaterial>::default())
        .init_resource::<Dots>()
        .add_systems(Update, draw.run_if(content_changed).in_set(FrameStep::Overlay));
}

/// What is drawn, and what it was made from.
#[derive(Resource, Default)]
struct Dots {
    entity: Option<Entity>,
    of: Option<(Arc<Vec<u32>>, Arc<Posed>)>,
}

fn draw(
    mut commands: Commands,
    seen: Seen,
    mut dots: ResMut<Dots>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<DotMaterial>>,
) {
    let view = seen.view();
    let vertices = &view.session.selection().vertices;
    let stage = ActiveRig::from_view(&view).filter(|_| !vertices.is_empty());
    let posed = stage.and_then(|stage| Some((stage, view.evaluated.shown_skin(stage.mesh)?)));
    let Some((stage, posed)) = posed else {
        if let Some(entity) = dots.entity.take() {
            commands.entity(entity).despawn();
            dots.of = None;
        }
        return;
    };
    let transform = Transform::from_matrix(stage.world_from_skeleton);
    let same = dots
        .of
        .as_ref()
        .is_some_and(|(v, p)| Arc::ptr_eq(v, vertices) && Arc::ptr_eq(p, posed));
    if let (true, Some(entity)) = (same, dots.entity) {
        commands.entity(entity).insert(transform);
        return;
    }
    if let Some(entity) = dots.entity.take() {
        commands.entity(entity).despawn();
    }
    let material = materials.add(DotMaterial {
        color: color(theme::viewport::VERTEX).to_linear(),
        rim: color(theme::viewport::VERTEX_RIM).to_linear(),
        size: Vec4::new(RADIUS_PX, 0.0, 0.0, 0.0),
    });
    let entity = commands.spawn((
        Mesh3d(meshes.add(mesh(vertices, &posed.positions))),
        MeshMaterial3d(material),
        NoFrustumCulling,
        RenderLayers::layer(OVERLAY_LAYER),
        transform,
    ));
    dots.entity = Some(entity.id());
    dots.of = Some((vertices.clone(), posed.clone()));
}

fn mesh(vertices: &[u32], positions: &[Vec3]) -> Mesh {
    let at = vertices.iter().filter_map(|&v| positions.get(v as usize));
    let at: Vec<[f32; 3]> = at.map(|p| p.to_array()).collect();
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let positions: Vec<[f32; 3]> = at.iter().flat_map(|p| [*p; 4]).collect();
    let uvs: Vec<[f32; 2]> = at.iter().flat_map(|_| corners).collect();
    let indices = (0..at.len() as u32).flat_map(|i| [0, 1, 2, 0, 2, 3].map(|k| 4 * i + k));
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, uvs)
        .with_inserted_indices(Indices::U32(indices.collect()))
}
