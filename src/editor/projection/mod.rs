//! Mirrors the scene in entities: one way, never back.

mod contact_shadows;
pub mod draw_list;
pub mod ghosts;
pub mod layers;
pub mod material;
pub mod mesh;
pub mod outline;
pub mod studio;
mod surface_material;
mod textured;
pub mod upload;

use self::contact_shadows::ContactShadows;
use self::draw_list::{Item, ItemId, Surface, items};
use self::layers::{SCENE_LAYER, SIDE_LAYERS, color};
use self::studio::StudioMaterial;
use self::surface_material::{Pictures, SurfaceMaterial, SurfaceMaterials};
use self::upload::{Uploads, Vertices};
use crate::edit::select::pick::PickTarget;
use crate::editor::frame::FrameStep;
use crate::editor::state::{Caches, ViewParams};
use crate::editor::ui::theme;
use crate::scene::instance::DrawStyle;
use bevy::camera::visibility::{NoFrustumCulling, RenderLayers};
use bevy::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The entities, and what each of them shows.
#[derive(Resource, Default)]
pub struct Projection {
    /// By item and the number of the part, for surfaces with several.
    shown: BTreeMap<(ItemId, usize), Shown>,
}

struct Shown {
    entity: Entity,
    item: Item,
    mesh: Handle<Mesh>,
    material: SurfaceMaterial,
    wire: Option<(Entity, Handle<Mesh>)>,
    /// Whether the wireframe has the light colour, which shows without a skin behind it.
    light_wire: bool,
}

pub fn add_systems(app: &mut App) {
    upload::add_systems(app);
    outline::plugin(app);
    textured::plugin(app);
    app.init_resource::<Pictures>();
    app.init_resource::<ContactShadows>();
    app.init_resource::<Projection>().add_systems(
        Update,
        (update_surfaces, outline::follow, contact_shadows::follow)
            .chain()
            .run_if(content_changed)
            .in_set(FrameStep::Upload),
    );
}

/// Whether surfaces may have to be drawn differently than when the calling system last ran.
pub fn content_changed(params: ViewParams) -> bool {
    params.is_changed()
}

/// The object that is hovered and selected by an entity.
#[derive(Component, Clone, Debug, PartialEq)]
pub struct Pick(pub PickTarget);

fn update_surfaces(
    mut commands: Commands,
    params: ViewParams,
    mut caches: ResMut<Caches>,
    mut projection: ResMut<Projection>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut uploads: ResMut<Uploads>,
    mut materials: SurfaceMaterials,
) {
    let show_skin = params.settings.display.show_skin;
    let wireframe = params.settings.display.wireframe;
    let mut old = std::mem::take(&mut projection.shown);
    // Without vertices there is nothing to put on the graphics card.
    for item in items(&params.view(), &mut caches).into_iter().filter(|item| !item.surface.is_empty()) {
        let key = item.key();
        let mut shown = match old.remove(&key) {
            Some(mut shown) => {
                upload(&mut meshes, &mut uploads, &shown, &item);
                let mut entity = commands.entity(shown.entity);
                materials.update(&mut shown.material, [&shown.item, &item], &mut entity);
                shown.item = item;
                shown
            }
            None => {
                let mesh = meshes.add(mesh::surface_mesh(&item));
                // Bevy does not notice when the vertices move, and computing bounds every frame would cost
                // more than is saved by culling the one character that is out of view.
                let mut entity = commands.spawn((Mesh3d(mesh.clone()), NoFrustumCulling));
                let material = materials.assign(&item, &mut entity);
                let entity = entity.id();
                let target = match &item.id {
                    ItemId::RigMesh(_) => PickTarget::Skin,
                    ItemId::Instance(instance) | ItemId::Compared(instance) => {
                        PickTarget::Instance(instance.clone())
                    }
                };
                commands.entity(entity).insert(Pick(target));
                Shown { entity, item, mesh, material, wire: None, light_wire: false }
            }
        };
        let only_edges = shown.item.style == DrawStyle::Wireframe;
        let wire_wanted = shown.item.is_first && (wireframe || only_edges && show_skin);
        // Dark on the skin, light without it.
        let light_wire = only_edges || !show_skin;
        if (!wire_wanted || light_wire != shown.light_wire)
            && let Some((entity, _)) = shown.wire.take()
        {
            commands.entity(entity).despawn();
        }
        shown.light_wire = light_wire;
        if wire_wanted && shown.wire.is_none() {
            let mesh = meshes.add(mesh::wire_mesh(&shown.item.surface));
            let hue = if light_wire { theme::viewport::SURFACE } else { theme::viewport::WIREFRAME };
            let material = materials.plain.add(StudioMaterial { color: color(hue), lit: 0.0, ..default() });
            let entity =
                commands.spawn((Mesh3d(mesh.clone()), MeshMaterial3d(material), NoFrustumCulling)).id();
            shown.wire = Some((entity, mesh));
        }
        let transform = Transform::from_matrix(shown.item.world_from_local);
        let visibility = if show_skin && !only_edges { Visibility::Visible } else { Visibility::Hidden };
        let layer = surface_layer(&shown.item);
        if let Some((wire, _)) = &shown.wire {
            commands.entity(*wire).insert((transform, layer.clone()));
        }
        commands.entity(shown.entity).insert((transform, visibility, layer));
        projection.shown.insert(key, shown);
    }
    for (_, removed) in old {
        commands.entity(removed.entity).despawn();
        if let Some((wire, _)) = removed.wire {
            commands.entity(wire).despawn();
        }
    }
    materials.drop_unused(projection.shown.values().map(|shown| &shown.item));
}

fn surface_layer(item: &Item) -> RenderLayers {
    RenderLayers::layer(item.side.map_or(SCENE_LAYER, |side| SIDE_LAYERS[side]))
}

fn same_colors(a: &Item, b: &Item) -> bool {
    match (&a.colors, &b.colors) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    }
}

/// Uploads the differences between `item` and what is `shown` to the graphics card.
fn upload(meshes: &mut Assets<Mesh>, uploads: &mut Uploads, shown: &Shown, item: &Item) {
    let (same_surface, same_colors) = (item.same_as(&shown.item), same_colors(item, &shown.item));
    let only_vertices = item.same_triangles(&shown.item)
        && !matches!(item.surface, Surface::Sphere(_) | Surface::Copies { .. });
    if !(same_surface && same_colors && item.style == shown.item.style) {
        if only_vertices && item.colors.is_some() == shown.item.colors.is_some() {
            uploads.queue(&shown.mesh, mesh::surface_vertices(item));
        } else {
            replace_mesh(meshes, uploads, &shown.mesh, mesh::surface_mesh(item));
        }
    }
    let Some((_, wire)) = shown.wire.as_ref().filter(|_| !same_surface) else {
        return;
    };
    match &item.surface {
        Surface::Posed(posed) if only_vertices => uploads.queue(wire, Vertices::Points(posed.clone())),
        surface => replace_mesh(meshes, uploads, wire, mesh::wire_mesh(surface)),
    }
}

fn replace_mesh(meshes: &mut Assets<Mesh>, uploads: &mut Uploads, handle: &Handle<Mesh>, mesh: Mesh) {
    uploads.cancel(handle);
    // Inserting cannot fail, since the handle keeps its slot alive.
    meshes.insert(handle, mesh).ok();
}
