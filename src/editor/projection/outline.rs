//! Outlines of selected meshes and instances, in the colour of the active part.

use super::{Projection, surface_layer};
use crate::editor::projection::draw_list::ItemId;
use crate::editor::projection::layers::color;
use crate::editor::projection::material::{drawn_from_both_sides, embed_shader};
use crate::editor::state::Settings;
use crate::editor::ui::theme::viewport::rgb;
use crate::scene::instance::DrawStyle;
use bevy::camera::visibility::NoFrustumCulling;
use bevy::prelude::*;
use bevy::render::render_resource::AsBindGroup;
use bevy::shader::ShaderRef;
use std::collections::BTreeMap;

/// The depth that sorts outlines under all other translucent surfaces, but over the floor and its shadows.
const ORDER: f32 = -2e8;

/// The width in pixels of the target.
const WIDTH_PX: f32 = 2.5;

/// See the fields of `Outline` in the shader.
#[derive(Asset, TypePath, AsBindGroup, Clone, Debug, PartialEq)]
pub struct OutlineMaterial {
    #[uniform(0)]
    color: LinearRgba,
    #[uniform(0)]
    size: Vec4,
}

impl Material for OutlineMaterial {
    fn vertex_shader() -> ShaderRef {
        "embedded://shaders/outline.wgsl".into()
    }

    fn fragment_shader() -> ShaderRef {
        "embedded://shaders/outline.wgsl".into()
    }

    /// After the floor, behind which it lies where it is low.
    fn alpha_mode(&self) -> AlphaMode {
        AlphaMode::Blend
    }

    fn depth_bias(&self) -> f32 {
        ORDER
    }

    // Mirrored instances and inside-out surfaces need outlines, too.
    drawn_from_both_sides!(Mesh::ATTRIBUTE_POSITION, Mesh::ATTRIBUTE_NORMAL);
}

pub fn plugin(app: &mut App) {
    embed_shader(app, "outline.wgsl", include_bytes!("../../../assets/shaders/outline.wgsl"));
    app.add_plugins(MaterialPlugin::<OutlineMaterial>::default()).init_resource::<Outlines>();
}

/// The outlines that are shown.
#[derive(Resource, Default)]
pub struct Outlines {
    shown: BTreeMap<(ItemId, usize), (Entity, Handle<OutlineMaterial>)>,
}

/// Draws the meshes of selected surfaces a second time, as outlines.
pub fn follow(
    mut commands: Commands,
    settings: Res<Settings>,
    projection: Res<Projection>,
    mut outlines: ResMut<Outlines>,
    mut materials: ResMut<Assets<OutlineMaterial>>,
) {
    let mut old = std::mem::take(&mut outlines.shown);
    let shown = projection.shown.iter().filter(|(_, shown)| {
        let filled = settings.display.show_skin && shown.item.style != DrawStyle::Wireframe;
        shown.item.selected && filled && settings.display.show_outline
    });
    let mut diagonal = 0.0;
    for (id, shown) in shown {
        let item = &shown.item;
        // The diagonal of the whole surface, whose parts are consecutive.
        if item.is_first {
            diagonal = item.surface.bounds().transformed(&item.world_from_local).diagonal();
        }
        let hue = color(rgb(settings.options.view_colors().selected)).to_linear();
        let size = Vec4::new(WIDTH_PX, diagonal, 0.0, 0.0);
        let wanted = OutlineMaterial { color: hue, size };
        let (entity, material) = old.remove(id).unwrap_or_else(|| {
            let material = materials.add(wanted.clone());
            let drawn = (MeshMaterial3d(material.clone()), NoFrustumCulling);
            (commands.spawn(drawn).id(), material)
        });
        let is_same = materials.get(&material).is_some_and(|old| *old == wanted);
        if !is_same && let Some(mut material) = materials.get_mut(&material) {
            *material = wanted;
        }
        commands.entity(entity).insert((
            Mesh3d(shown.mesh.clone()),
            Transform::from_matrix(item.world_from_local),
            surface_layer(item),
        ));
        outlines.shown.insert(id.clone(), (entity, material));
    }
    for (entity, _) in old.into_values() {
        commands.entity(entity).despawn();
    }
}
