//! The scene projected into entities: one way, never back.

pub mod draw_list;
pub mod ghosts;
pub mod layers;
pub mod material;
pub mod mesh;
pub mod outline;
mod skin;
pub mod studio;
mod textured;
pub mod upload;

use self::draw_list::{Item, ItemId, Surface, items};
use self::layers::{SCENE_LAYER, SIDE_LAYERS, color};
use self::skin::{Pictures, Skin, Wardrobe};
use self::studio::StudioMaterial;
use self::upload::{Uploads, Vertices};
use crate::edit::pick::PickTarget;
use crate::editor::frame::FrameStep;
use crate::editor::state::{Caches, Seen};
use crate::editor::ui::theme;
use crate::scene::instance::DrawStyle;
use bevy::camera::visibility::{NoFrustumCulling, RenderLayers};
use bevy::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What each entity shows.
#[derive(Resource, Default)]
pub struct Projection {
    /// With the number of the part, where a surface has several.
    shown: BTreeMap<(ItemId, usize), Shown>,
}

struct Shown {
    entity: Entity,
    item: Item,
    mesh: Handle<Mesh>,
    skin: Skin,
    wire: Option<(Entity, Handle<Mesh>)>,
    /// In the colour that shows without a skin behind it.
    light: bool,
}

pub fn add_systems(app: &mut App) {
    upload::add_systems(app);
    outline::plugin(app);
    textured::plugin(app);
    app.init_resource::<Pictures>();
    app.init_resource::<Projection>().add_systems(
        Update,
        (surfaces, outline::follow)
            .chain()
            .run_if(content_changed)
            .in_set(FrameStep::Upload),
    );
}

/// Whether surfaces may have to be drawn otherwise than when this was last asked.
pub fn content_changed(seen: Seen) -> bool {
    seen.is_changed()
}

/// An entity that stands for something that can be hovered and selected.
#[derive(Component, Clone, Debug, PartialEq)]
pub struct Pick(pub PickTarget);

fn surfaces(
    mut commands: Commands,
    seen: Seen,
    mut caches: ResMut<Caches>,
    mut projection: ResMut<Projection>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut uploads: ResMut<Uploads>,
    mut wardrobe: Wardrobe,
) {
    let show_skin = seen.settings.show_skin;
    let wireframe = seen.settings.wireframe;
    let mut old = std::mem::take(&mut projection.shown);
    // What has no vertices has no place on the graphics card.
    for item in items(&seen.view(), &mut caches)
        .into_iter()
        .filter(|item| !item.surface.is_empty())
    {
        let key = item.key();
        let mut shown = match old.remove(&key) {
            Some(mut shown) => {
                upload(&mut meshes, &mut uploads, &shown, &item);
                let mut entity = commands.entity(shown.entity);
                wardrobe.dress_anew(&mut shown.skin, [&shown.item, &item], &mut entity);
                shown.item = item;
                shown
            }
            None => {
                let mesh = meshes.add(mesh::surface_mesh(&item));
                // Its vertices move where Bevy does not see it, and measuring them each frame would cost more than
                // is saved by not drawing the one character that is out of sight.
                let mut entity = commands.spawn((Mesh3d(mesh.clone()), NoFrustumCulling));
                let skin = wardrobe.dress(&item, &mut entity);
                let entity = entity.id();
                let target = match &item.id {
                    ItemId::RigMesh(_) => PickTarget::Skin,
                    ItemId::Instance(instance) | ItemId::Compared(instance) => {
                        PickTarget::Instance(instance.clone())
                    }
                };
                commands.entity(entity).insert(Pick(target));
                Shown {
                    entity,
                    item,
                    mesh,
                    skin,
                    wire: None,
                    light: false,
                }
            }
        };
        let edges_alone = shown.item.style == DrawStyle::Wireframe;
        let wire_wanted = shown.item.is_first && (wireframe || edges_alone && show_skin);
        // Dark on the skin, light where there is none.
        let light = edges_alone || !show_skin;
        if (!wire_wanted || light != shown.light)
            && let Some((entity, _)) = shown.wire.take()
        {
            commands.entity(entity).despawn();
        }
        shown.light = light;
        if wire_wanted && shown.wire.is_none() {
            let mesh = meshes.add(mesh::wire_mesh(&shown.item.surface));
            let hue = match light {
                true => theme::viewport::SURFACE,
                false => theme::viewport::WIREFRAME,
            };
            let material = wardrobe.plain.add(StudioMaterial {
                color: color(hue),
                lit: 0.0,
                ..default()
            });
            let entity = commands
                .spawn((Mesh3d(mesh.clone()), MeshMaterial3d(material), NoFrustumCulling))
                .id();
            shown.wire = Some((entity, mesh));
        }
        let transform = Transform::from_matrix(shown.item.world_from_local);
        let visibility = if show_skin && !edges_alone {
            Visibility::Visible
        } else {
            Visibility::Hidden
        };
        let layer = surface_layer(&shown.item);
        if let Some((wire, _)) = &shown.wire {
            commands.entity(*wire).insert((transform, layer.clone()));
        }
        commands
            .entity(shown.entity)
            .insert((transform, visibility, layer));
        projection.shown.insert(key, shown);
    }
    for (_, gone) in old {
        commands.entity(gone.entity).despawn();
        if let Some((wire, _)) = gone.wire {
            commands.entity(wire).despawn();
        }
    }
    wardrobe.tidy(projection.shown.values().map(|shown| &shown.item));
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

/// Brings to the graphics card what differs between `item` and what is `shown`.
fn upload(meshes: &mut Assets<Mesh>, uploads: &mut Uploads, shown: &Shown, item: &Item) {
    let (same_surface, same_colors) = (item.same_as(&shown.item), same_colors(item, &shown.item));
    let vertices_alone = item.same_triangles(&shown.item)
        && !matches!(item.surface, Surface::Sphere(_) | Surface::Copies { .. });
    if !(same_surface && same_colors && item.style == shown.item.style) {
        if vertices_alone && item.colors.is_some() == shown.item.colors.is_some() {
            uploads.queue(&shown.mesh, mesh::surface_vertices(item));
        } else {
            make_anew(meshes, uploads, &shown.mesh, mesh::surface_mesh(item));
        }
    }
    let Some((_, wire)) = shown.wire.as_ref().filter(|_| !same_surface) else {
        return;
    };
    match &item.surface {
        Surface::Posed(posed) if vertices_alone => uploads.queue(wire, Vertices::Points(posed.clone())),
        surface => make_anew(meshes, uploads, wire, mesh::wire_mesh(surface)),
    }
}

fn make_anew(meshes: &mut Assets<Mesh>, uploads: &mut Uploads, handle: &Handle<Mesh>, mesh: Mesh) {
    uploads.cancel(handle);
    // The handle is ours, so the slot is there.
    meshes.insert(handle, mesh).ok();
}
