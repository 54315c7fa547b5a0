//! The scene projected into entities: one way, never back. Also the systems that evaluate the scene and
//! bring new vertices to the graphics card.

use super::draw_list::{Item, ItemId, Surface, items};
use super::picking::Pick;
use super::stage::{self, Ground, SCENE_LAYER, SIDE_LAYERS, SceneCamera, ViewportCamera, color};
use super::studio::StudioMaterial;
use super::ui::theme;
use super::{Editor, FrameStep};
use crate::edit::pick::PickTarget;
use crate::mesh::shading::smooth_normals;
use crate::scene::instance::DrawStyle;
use bevy::asset::RenderAssetUsages;
use bevy::camera::Viewport;
use bevy::camera::visibility::{NoFrustumCulling, RenderLayers};
use bevy::mesh::{Indices, PrimitiveTopology};
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
    app.init_resource::<Projection>().add_systems(
        Update,
        (
            animate.in_set(FrameStep::Animate),
            solve_ik.in_set(FrameStep::SolveIk),
            pose.in_set(FrameStep::Pose),
            skin.in_set(FrameStep::Skin),
            (surfaces, stage::second_cameras, cameras, ground)
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
}

fn surfaces(
    mut commands: Commands,
    mut editor: ResMut<Editor>,
    mut projection: ResMut<Projection>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StudioMaterial>>,
) {
    let show_skin = editor.settings.show_skin;
    let wireframe = editor.settings.wireframe;
    let mut old = std::mem::take(&mut projection.shown);
    for item in items(&mut editor) {
        let id = item.id.clone();
        let mut shown = match old.remove(&id) {
            Some(mut shown) => {
                let same_colors = same_colors(&item, &shown.item);
                let same_style = item.style == shown.item.style;
                let same_surface = item.surface.same_as(&shown.item.surface);
                if !(same_surface && same_style && same_colors) {
                    upload(&mut meshes, &shown.mesh, &item, &shown.item);
                }
                if !same_surface && let Some((_, wire)) = &shown.wire {
                    meshes.insert(wire, wire_mesh(&item.surface)).ok();
                }
                let same_look =
                    item.albedo == shown.item.albedo && item.colors.is_some() == shown.item.colors.is_some();
                if !(same_look && same_style)
                    && let Some(mut material) = materials.get_mut(&shown.material)
                {
                    *material = surface_material(&item);
                }
                shown.item = item;
                shown
            }
            None => {
                let mesh = meshes.add(surface_mesh(&item));
                let material = materials.add(surface_material(&item));
                let entity = commands
                    .spawn((
                        Mesh3d(mesh.clone()),
                        MeshMaterial3d(material.clone()),
                        // Its vertices move; its bounds are not worth following.
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
            let mesh = meshes.add(wire_mesh(&shown.item.surface));
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
        let layer = shown.item.side.map_or(SCENE_LAYER, |side| SIDE_LAYERS[side]);
        let layer = RenderLayers::layer(layer);
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

/// Positions and normals per render vertex. Flat surfaces get their normals when they are drawn.
fn vertices(surface: &Surface, style: DrawStyle) -> (Vec<[f32; 3]>, Vec<[f32; 3]>) {
    let (positions, mut normals) = vertices_of_file(surface);
    if style == DrawStyle::Smooth {
        let smooth = match surface {
            Surface::Posed(posed) => smooth_normals(&posed.render, &posed.positions),
            Surface::Rest { surface, render } => smooth_normals(render, surface.positions()),
            Surface::Sphere(_) => Vec::new(),
        };
        normals = smooth.iter().map(|n| n.to_array()).collect();
    }
    (positions, normals)
}

fn vertices_of_file(surface: &Surface) -> (Vec<[f32; 3]>, Vec<[f32; 3]>) {
    match surface {
        Surface::Posed(posed) => (
            posed
                .render
                .vertex
                .iter()
                .map(|&v| posed.positions[v as usize].to_array())
                .collect(),
            posed.normals.iter().map(|n| n.to_array()).collect(),
        ),
        Surface::Rest { surface, render } => (
            render
                .vertex
                .iter()
                .map(|&v| surface.positions()[v as usize].to_array())
                .collect(),
            render.normal.iter().map(|n| n.to_array()).collect(),
        ),
        Surface::Sphere(_) => (Vec::new(), Vec::new()),
    }
}

fn same_colors(a: &Item, b: &Item) -> bool {
    match (&a.colors, &b.colors) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    }
}

fn surface_mesh(item: &Item) -> Mesh {
    let mesh = uncolored_mesh(&item.surface, item.style);
    match &item.colors {
        Some(colors) => mesh.with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colors.to_vec()),
        None => mesh,
    }
}

fn uncolored_mesh(surface: &Surface, style: DrawStyle) -> Mesh {
    let render = match surface {
        Surface::Posed(posed) => &posed.render,
        Surface::Rest { render, .. } => render,
        Surface::Sphere(radius) => return Sphere::new(*radius).mesh().uv(48, 32),
    };
    let (positions, normals) = vertices(surface, style);
    let uvs: Vec<[f32; 2]> = render.uv.iter().map(|uv| uv.to_array()).collect();
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, uvs)
        .with_inserted_indices(Indices::U32(render.indices.clone()))
}

/// Brings to the graphics card what differs between `item` and what is `shown`.
fn upload(meshes: &mut Assets<Mesh>, handle: &Handle<Mesh>, item: &Item, shown: &Item) {
    let same_layout = item.surface.same_triangles(&shown.surface)
        && item.colors.is_some() == shown.colors.is_some()
        && !matches!(item.surface, Surface::Sphere(_));
    if !same_layout {
        // The handle is ours, so the slot is there.
        meshes.insert(handle, surface_mesh(item)).ok();
        return;
    }
    let Some(mut mesh) = meshes.get_mut(handle) else {
        return;
    };
    if !item.surface.same_as(&shown.surface) || item.style != shown.style {
        let (positions, normals) = vertices(&item.surface, item.style);
        mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, positions);
        mesh.insert_attribute(Mesh::ATTRIBUTE_NORMAL, normals);
    }
    if let Some(colors) = item.colors.as_ref().filter(|_| !same_colors(item, shown)) {
        mesh.insert_attribute(Mesh::ATTRIBUTE_COLOR, colors.to_vec());
    }
}

fn wire_mesh(surface: &Surface) -> Mesh {
    let (positions, edges): (Vec<[f32; 3]>, Vec<u32>) = match surface {
        Surface::Posed(posed) => (
            posed.positions.iter().map(|p| p.to_array()).collect(),
            posed.render.edges.iter().flatten().copied().collect(),
        ),
        Surface::Rest { surface, render } => (
            surface.positions().iter().map(|p| p.to_array()).collect(),
            render.edges.iter().flatten().copied().collect(),
        ),
        Surface::Sphere(radius) => {
            let ring = |f: &dyn Fn(f32) -> [f32; 3]| -> Vec<[f32; 3]> {
                (0..48)
                    .map(|i| f(i as f32 / 48.0 * std::f32::consts::TAU))
                    .collect()
            };
            let r = *radius;
            let mut points = ring(&|a| [r * a.cos(), r * a.sin(), 0.0]);
            points.extend(ring(&|a| [r * a.cos(), 0.0, r * a.sin()]));
            points.extend(ring(&|a| [0.0, r * a.cos(), r * a.sin()]));
            let lines =
                (0..3u32).flat_map(|k| (0..48u32).flat_map(move |i| [k * 48 + i, k * 48 + (i + 1) % 48]));
            (points, lines.collect())
        }
    };
    Mesh::new(PrimitiveTopology::LineList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_indices(Indices::U32(edges))
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
        if camera.sub_camera_view != seen {
            camera.sub_camera_view = seen;
        }
        // The second side is drawn when the first is.
        if of.0 == 1 && camera.is_active != active {
            camera.is_active = active;
        }
        *projection = view.bevy_projection();
        at.set_if_neq(transform);
    }
}

pub(super) type Projection3 = bevy::prelude::Projection;

fn same_viewport(a: &Option<Viewport>, b: &Option<Viewport>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => {
            a.physical_position == b.physical_position && a.physical_size == b.physical_size
        }
        (None, None) => true,
        _ => false,
    }
}

fn ground(
    editor: Res<Editor>,
    mut grids: Query<
        (
            &mut Visibility,
            &mut bevy::dev_tools::infinite_grid::InfiniteGridSettings,
        ),
        With<Ground>,
    >,
) {
    let (shown, far) = (editor.settings.show_grid, editor.viewport.camera.distance * 12.0);
    for (mut visibility, mut settings) in &mut grids {
        visibility.set_if_neq(if shown {
            Visibility::Visible
        } else {
            Visibility::Hidden
        });
        if (settings.fadeout_distance - far).abs() > 0.1 * far {
            settings.fadeout_distance = far;
        }
    }
}
