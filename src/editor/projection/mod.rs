//! The scene projected into entities: one way, never back. Also the systems that evaluate the scene.

pub mod cost;
pub mod draw_list;
pub mod material;
mod mesh;
pub mod outline;
pub mod studio;
mod upload;

use self::upload::{Uploads, Vertices};
use crate::edit::pick::PickTarget;
use crate::editor::Editor;
use crate::editor::app::sight::content_changed;
use crate::editor::frame::FrameStep;
use crate::editor::projection::draw_list::{Item, ItemId, Surface, items};
use crate::editor::projection::studio::StudioMaterial;
use crate::editor::ui::theme;
use crate::editor::viewport::cameras::{self, SCENE_LAYER, SIDE_LAYERS, SceneCamera, ViewportCamera, color};
use crate::editor::viewport::grid;
use crate::editor::viewport::picking::Pick;
use crate::scene::instance::DrawStyle;
use bevy::camera::visibility::{NoFrustumCulling, RenderLayers};
use bevy::camera::{ScalingMode, Viewport};
use bevy::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What each entity shows.
#[derive(Resource, Default)]
pub struct Projection {
    shown: BTreeMap<ItemId, Shown>,
}

struct Shown {
    entity: Entity,
    item: Item,
    mesh: Handle<Mesh>,
    material: Handle<StudioMaterial>,
    wire: Option<(Entity, Handle<Mesh>)>,
    /// In the colour that shows without a skin behind it.
    light: bool,
}

pub fn add_systems(app: &mut App) {
    upload::add_systems(app);
    outline::plugin(app);
    app.init_resource::<Projection>().add_systems(
        Update,
        (
            animate.in_set(FrameStep::Animate),
            solve_ik.in_set(FrameStep::SolveIk),
            pose.in_set(FrameStep::Pose),
            skin.in_set(FrameStep::Skin),
            (
                (surfaces, outline::follow).chain().run_if(content_changed),
                cameras::second_cameras,
                cameras,
                grid::follow,
            )
                .chain()
                .in_set(FrameStep::Upload),
        ),
    );
}

/// Channels, where the scene or the tab changed; the next three go on with it.
fn animate(mut editor: ResMut<Editor>) {
    editor.animate();
}

fn solve_ik(mut editor: ResMut<Editor>) {
    if let Some(evaluation) = &mut editor.underway {
        evaluation.solve_ik();
    }
}

fn pose(mut editor: ResMut<Editor>) {
    if let Some(evaluation) = &mut editor.underway {
        evaluation.pose();
    }
}

fn skin(mut editor: ResMut<Editor>) {
    if editor.skin() {
        editor.draw_soon();
    }
    editor.follow_camera();
}

fn surfaces(
    mut commands: Commands,
    mut editor: ResMut<Editor>,
    mut projection: ResMut<Projection>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut uploads: ResMut<Uploads>,
    mut materials: ResMut<Assets<StudioMaterial>>,
) {
    let show_skin = editor.settings.show_skin;
    let wireframe = editor.settings.wireframe;
    let mut old = std::mem::take(&mut projection.shown);
    // What has no vertices has no place on the graphics card.
    for item in items(&mut editor)
        .into_iter()
        .filter(|item| !item.surface.is_empty())
    {
        let id = item.id.clone();
        let mut shown = match old.remove(&id) {
            Some(mut shown) => {
                bring(&mut meshes, &mut uploads, &shown, &item);
                let same_look = item.albedo == shown.item.albedo
                    && item.style == shown.item.style
                    && item.colors.is_some() == shown.item.colors.is_some();
                if !same_look && let Some(mut material) = materials.get_mut(&shown.material) {
                    *material = surface_material(&item);
                }
                shown.item = item;
                shown
            }
            None => {
                let mesh = meshes.add(mesh::surface_mesh(&item));
                let material = materials.add(surface_material(&item));
                let entity = commands
                    .spawn((
                        Mesh3d(mesh.clone()),
                        MeshMaterial3d(material.clone()),
                        // Its vertices move where Bevy does not see it, and measuring them each frame would
                        // cost more than is saved by not drawing the one character that is out of sight.
                        NoFrustumCulling,
                    ))
                    .id();
                let target = match &id {
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
                    material,
                    wire: None,
                    light: false,
                }
            }
        };
        let edges_alone = shown.item.style == DrawStyle::Wireframe;
        let wire_wanted = wireframe || edges_alone && show_skin;
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
            let material = materials.add(StudioMaterial {
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
        projection.shown.insert(id, shown);
    }
    for (_, gone) in old {
        commands.entity(gone.entity).despawn();
        if let Some((wire, _)) = gone.wire {
            commands.entity(wire).despawn();
        }
    }
}

fn surface_layer(item: &Item) -> RenderLayers {
    RenderLayers::layer(item.side.map_or(SCENE_LAYER, |side| SIDE_LAYERS[side]))
}

/// In the heat view the skin has the colours of its vertices, and light that leaves them as they are.
fn surface_material(item: &Item) -> StudioMaterial {
    if item.colors.is_some() {
        return StudioMaterial {
            shine: 0.0,
            lit: 0.55,
            two_sided: true,
            flat: item.style == DrawStyle::Flat,
            ..default()
        };
    }
    StudioMaterial {
        color: Color::linear_rgb(item.albedo.x, item.albedo.y, item.albedo.z),
        two_sided: true,
        flat: item.style == DrawStyle::Flat,
        ..default()
    }
}

fn same_colors(a: &Item, b: &Item) -> bool {
    match (&a.colors, &b.colors) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    }
}

/// Brings to the graphics card what differs between `item` and what is `shown`.
fn bring(meshes: &mut Assets<Mesh>, uploads: &mut Uploads, shown: &Shown, item: &Item) {
    let (same_surface, same_colors) = (
        item.surface.same_as(&shown.item.surface),
        same_colors(item, &shown.item),
    );
    let vertices_alone = item.surface.same_triangles(&shown.item.surface)
        && !matches!(item.surface, Surface::Sphere(_) | Surface::Copies { .. });
    if !(same_surface && same_colors && item.style == shown.item.style) {
        if vertices_alone && item.colors.is_some() == shown.item.colors.is_some() {
            uploads.bring(&shown.mesh, mesh::surface_vertices(item));
        } else {
            make_anew(meshes, uploads, &shown.mesh, mesh::surface_mesh(item));
        }
    }
    let Some((_, wire)) = shown.wire.as_ref().filter(|_| !same_surface) else {
        return;
    };
    match &item.surface {
        Surface::Posed(posed) if vertices_alone => uploads.bring(wire, Vertices::Points(posed.clone())),
        surface => make_anew(meshes, uploads, wire, mesh::wire_mesh(surface)),
    }
}

fn make_anew(meshes: &mut Assets<Mesh>, uploads: &mut Uploads, handle: &Handle<Mesh>, mesh: Mesh) {
    uploads.give_up(handle);
    // The handle is ours, so the slot is there.
    meshes.insert(handle, mesh).ok();
}

/// Cameras follow the view.
fn cameras(
    editor: Res<Editor>,
    first: Query<Entity, With<SceneCamera>>,
    mut cameras: Query<(&mut Camera, &mut Projection3, &mut Transform, &ViewportCamera)>,
) {
    let view = &editor.viewport;
    let world_from_camera = view.camera.world_from_camera();
    let transform = Transform::from_matrix(world_from_camera);
    let first = first.single().ok().and_then(|entity| cameras.get(entity).ok());
    let active = first.is_none_or(|(camera, ..)| camera.is_active);
    for (mut camera, mut projection, mut at, of) in &mut cameras {
        let (viewport, seen) = match (view.physical_rect, &view.panes) {
            (Some(whole), Some(panes)) => {
                let (viewport, seen) = panes.camera(whole, of.0);
                (Some(viewport), seen)
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
        if camera.sub_camera_view != seen {
            camera.sub_camera_view = seen;
        }
        // The second side is drawn when the first is.
        if of.0 == 1 && camera.is_active != active {
            camera.is_active = active;
        }
        at.set_if_neq(transform);
    }
}

pub(super) type Projection3 = bevy::prelude::Projection;

/// But for what Bevy makes of the viewport's size.
fn same_projection(a: &Projection3, b: &Projection3) -> bool {
    match (a, b) {
        (Projection3::Perspective(a), Projection3::Perspective(b)) => (a.fov, a.near) == (b.fov, b.near),
        (Projection3::Orthographic(a), Projection3::Orthographic(b)) => {
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
