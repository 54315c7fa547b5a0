//! Contact shadows: where surfaces stand on the floor, and above which part of it they are. Soft spots that
//! are computed from the surfaces' triangles, not from lights: each is a grid of vertices with opacities, a
//! few thousand whatever the surface, so that a pose or a frame costs little.

use super::Projection;
use super::draw_list::{Item, ItemId, Surface};
use super::layers::SCENE_LAYER;
use super::mesh::{empty, sphere};
use super::studio::StudioMaterial;
use super::upload::{ColoredVertex, Uploads, Vertices};
use crate::editor::state::Settings;
use crate::math::bounds::Bounds;
use crate::mesh::render::RenderVertex;
use crate::scene::instance::DrawStyle;
use bevy::camera::visibility::{NoFrustumCulling, RenderLayers};
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use std::collections::BTreeMap;

/// The number of vertices along each side of a shadow.
const SIDE: usize = 64;
/// The most triangles of a surface that are looked at.
const MAX_TRIANGLES: usize = 20_000;
/// The most surfaces that have shadows.
const MAX_SHADOWS: usize = 32;
/// The heights at which the shadow of contact and that of the body above have faded to a third, and the radii
/// of their blur, as parts of the size of the surface.
const CONTACT: [f32; 2] = [0.025, 0.008];
const BODY: [f32; 2] = [0.35, 0.03];
/// The opacity of each.
const OPACITIES: [f32; 2] = [0.7, 0.65];
/// The height up to which a surface determines the area of its shadow, and the margin around it, as parts of
/// its size.
const REACH: f32 = 0.5;
const MARGIN: f32 = 0.15;
/// Under all other translucent surfaces, but over the ground.
const ORDER: f32 = -5e8;

/// The shadows that are shown.
#[derive(Resource, Default)]
pub struct ContactShadows {
    shown: BTreeMap<ItemId, Shown>,
    material: Option<Handle<StudioMaterial>>,
}

struct Shown {
    entity: Entity,
    mesh: Handle<Mesh>,
    surface: Surface,
    world_from_local: Mat4,
}

/// Shows the shadow of each surface, after the surfaces; none of compared ones, which stand in one place.
pub fn follow(
    mut commands: Commands,
    settings: Res<Settings>,
    projection: Res<Projection>,
    mut shadows: ResMut<ContactShadows>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut uploads: ResMut<Uploads>,
    mut materials: ResMut<Assets<StudioMaterial>>,
) {
    let ContactShadows { shown, material } = &mut *shadows;
    let mut old = std::mem::take(shown);
    let items = projection.shown.values().map(|shown| &shown.item);
    let casts = |item: &&Item| item.is_first && item.side.is_none() && item.style != DrawStyle::Wireframe;
    let visible = settings.display.show_floor && settings.display.show_skin;
    for item in items.filter(|item| visible && casts(item)).take(MAX_SHADOWS) {
        if let Some(same) = old.get(&item.id)
            && same.surface.same_as(&item.surface)
            && same.world_from_local == item.world_from_local
        {
            shown.extend(old.remove_entry(&item.id));
            continue;
        }
        let Some(vertices) = shadow_vertices(&triangles(item)) else {
            continue;
        };
        let shadow = match old.remove(&item.id) {
            Some(shadow) => {
                uploads.queue(&shadow.mesh, Vertices::Colored(vertices));
                Shown { surface: item.surface.clone(), world_from_local: item.world_from_local, ..shadow }
            }
            None => {
                let mesh = meshes.add(shadow_mesh(&vertices));
                let material = material.get_or_insert_with(|| materials.add(shadow_material()));
                let drawn = (
                    Mesh3d(mesh.clone()),
                    MeshMaterial3d(material.clone()),
                    NoFrustumCulling,
                    RenderLayers::layer(SCENE_LAYER),
                );
                Shown {
                    entity: commands.spawn(drawn).id(),
                    mesh,
                    surface: item.surface.clone(),
                    world_from_local: item.world_from_local,
                }
            }
        };
        shown.insert(item.id.clone(), shadow);
    }
    for removed in old.into_values() {
        commands.entity(removed.entity).despawn();
    }
}

/// Seen from above only: its back is culled.
fn shadow_material() -> StudioMaterial {
    StudioMaterial { color: Color::BLACK.with_alpha(0.99), lit: 0.0, shine: 0.0, order: ORDER, ..default() }
}

/// Returns triangles of an item in world space: all, or as many as needed to see where it is.
fn triangles(item: &Item) -> Vec<[Vec3; 3]> {
    let (positions, render) = match &item.surface {
        Surface::Posed(posed) => (posed.positions.as_slice(), &posed.render),
        Surface::Rest { surface, render } => (surface.positions(), render),
        Surface::Sphere(radius) => {
            let corners = |t: Triangle3d| t.vertices.map(|p| item.world_from_local.transform_point3(p));
            return sphere(*radius).triangles().into_iter().flatten().map(corners).collect();
        }
        Surface::Copies { .. } => return Vec::new(),
    };
    let all = render.indices.as_chunks::<3>().0;
    let step = all.len().div_ceil(MAX_TRIANGLES).max(1);
    let world = |corner: u32| {
        let vertex = render.vertex.get(corner as usize);
        let position = vertex.and_then(|vertex| positions.get(*vertex as usize));
        position.map_or(Vec3::NAN, |p| item.world_from_local.transform_point3(*p))
    };
    let chosen = all.iter().step_by(step).map(|triangle| triangle.map(world));
    chosen.filter(|t| t.iter().all(|corner| corner.is_finite())).collect()
}

/// Returns the vertices of the shadow on the plane y = 0, rows of x after each other; `None` if the surface is
/// far above the floor, below it, or flat on it.
fn shadow_vertices(triangles: &[[Vec3; 3]]) -> Option<Vec<ColoredVertex>> {
    let bounds = Bounds::from_points(triangles.iter().flatten().copied());
    let size = bounds.max - bounds.min;
    let tall = size.max_element();
    let stands = bounds.max.y > 0.0 && bounds.min.y < tall && size.y > 0.01 * tall;
    if bounds.is_empty() || !stands || !tall.is_finite() {
        return None;
    }
    let low = triangles.iter().flatten().copied();
    let area = Bounds::from_points(low.filter(|p| p.y - bounds.min.y.max(0.0) < REACH * tall));
    if area.is_empty() {
        return None;
    }
    let margin = Vec2::splat(MARGIN * tall);
    let from = Vec2::new(area.min.x, area.min.z) - margin;
    let to = Vec2::new(area.max.x, area.max.z) + margin;
    let cell = (to - from) / (SIDE - 1) as f32;
    let mut layers = [CONTACT, BODY].map(|_| vec![0f32; SIDE * SIDE]);
    for triangle in triangles {
        fill(triangle, from, cell, |index, height| {
            for (layer, [falloff, _]) in layers.iter_mut().zip([CONTACT, BODY]) {
                let darkness = (-height.max(0.0) / (falloff * tall)).exp();
                layer[index] = layer[index].max(darkness);
            }
        });
    }
    for (layer, [_, radius]) in layers.iter_mut().zip([CONTACT, BODY]) {
        for _ in 0..3 {
            blur(layer, (radius * tall / cell.x).ceil() as usize, 1, SIDE);
            blur(layer, (radius * tall / cell.y).ceil() as usize, SIDE, 1);
        }
    }
    // Not in the plane of the floor, in which a mesh may lie.
    let height = 1e-3 * tall;
    let vertex = |index: usize| {
        let place = from + cell * Vec2::new((index % SIDE) as f32, (index / SIDE) as f32);
        let light = |layer: usize| 1.0 - OPACITIES[layer] * layers[layer][index];
        ColoredVertex {
            vertex: RenderVertex { position: Vec3::new(place.x, height, place.y), normal: Vec3::Y },
            color: [1.0, 1.0, 1.0, 1.0 - light(0) * light(1)],
        }
    };
    Some((0..SIDE * SIDE).map(vertex).collect())
}

/// Calls `mark` with each cell under a triangle, at least one, and the height of the triangle there.
fn fill([a, b, c]: &[Vec3; 3], from: Vec2, cell: Vec2, mut mark: impl FnMut(usize, f32)) {
    let [pa, pb, pc] = [a, b, c].map(|p| (Vec2::new(p.x, p.z) - from) / cell);
    let (least, most) = (pa.min(pb).min(pc).round(), pa.max(pb).max(pc).round());
    if least == most {
        let inside = least.cmpge(Vec2::ZERO).all() && least.cmplt(Vec2::splat(SIDE as f32)).all();
        if inside {
            let lowest = a.y.min(b.y).min(c.y);
            mark(least.y as usize * SIDE + least.x as usize, lowest);
        }
        return;
    }
    let area = (pb - pa).perp_dot(pc - pa);
    let last = Vec2::splat((SIDE - 1) as f32);
    let (least, most) = (least.clamp(Vec2::ZERO, last), most.clamp(Vec2::ZERO, last));
    for y in least.y as usize..=most.y as usize {
        for x in least.x as usize..=most.x as usize {
            let p = Vec2::new(x as f32, y as f32);
            let weights = [(pb, pc), (pc, pa), (pa, pb)].map(|(q, r)| (r - q).perp_dot(p - q) / area);
            if weights.iter().all(|weight| *weight >= -1e-4) {
                mark(y * SIDE + x, a.y * weights[0] + b.y * weights[1] + c.y * weights[2]);
            }
        }
    }
}

/// Replaces each value of lines of [`SIDE`] values, `step` apart, by the mean of those up to `radius` away;
/// the lines begin `next` apart.
fn blur(values: &mut [f32], radius: usize, step: usize, next: usize) {
    let mut line = [0f32; SIDE];
    for start in (0..SIDE).map(|row| row * next) {
        for (i, value) in line.iter_mut().enumerate() {
            *value = values[start + i * step];
        }
        let at = |i: isize| usize::try_from(i).ok().and_then(|i| line.get(i)).unwrap_or(&0.0);
        let radius = radius.min(SIDE) as isize;
        let mut sum: f32 = (0..radius).map(at).sum();
        for i in 0..SIDE as isize {
            sum += at(i + radius) - at(i - radius - 1);
            values[start + i as usize * step] = sum.max(0.0) / (2 * radius + 1) as f32;
        }
    }
}

fn shadow_mesh(vertices: &[ColoredVertex]) -> Mesh {
    let side = SIDE as u32;
    let quad = |x: u32, y: u32| {
        let corner = y * side + x;
        [corner, corner + side, corner + 1, corner + 1, corner + side, corner + side + 1]
    };
    let indices = (0..side - 1).flat_map(|y| (0..side - 1).flat_map(move |x| quad(x, y)));
    let positions: Vec<Vec3> = vertices.iter().map(|v| v.vertex.position).collect();
    let normals: Vec<Vec3> = vertices.iter().map(|v| v.vertex.normal).collect();
    let colors: Vec<[f32; 4]> = vertices.iter().map(|v| v.color).collect();
    empty(PrimitiveTopology::TriangleList)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
        .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colors)
        .with_inserted_indices(Indices::U32(indices.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The eight corners of a box as twelve triangles.
    fn cuboid(min: Vec3, max: Vec3) -> Vec<[Vec3; 3]> {
        let size = max - min;
        let mesh = Cuboid::from_size(size).mesh().build();
        let moved = |t: Triangle3d| t.vertices.map(|p| p + 0.5 * (min + max));
        mesh.triangles().expect("a cuboid").map(moved).collect()
    }

    /// Returns the opacity of the vertex nearest to a point of the floor.
    fn opacity(vertices: &[ColoredVertex], x: f32, z: f32) -> f32 {
        let place = Vec3::new(x, 0.0, z);
        let distance = |v: &&ColoredVertex| (v.vertex.position - place).with_y(0.0).length();
        let nearest = vertices.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.expect("there are vertices").color[3]
    }

    #[test]
    fn what_stands_on_the_floor_is_darker_than_what_is_above_it() {
        let foot = cuboid(Vec3::new(-0.2, 0.0, -0.2), Vec3::new(0.2, 2.0, 0.2));
        let roof = cuboid(Vec3::new(-1.0, 0.8, -0.3), Vec3::new(1.0, 0.9, 0.3));
        let all: Vec<_> = foot.iter().chain(&roof).copied().collect();
        let vertices = shadow_vertices(&all).expect("it stands");
        let [under, beneath, outside] = [0.0, 0.8, 1.2].map(|x| opacity(&vertices, x, 0.0));
        assert!(under > 0.7 && under < 0.92, "{under}");
        assert!(beneath > 0.01 && beneath < 0.5 * under, "{beneath}");
        assert!(outside < 0.03, "{outside}");
        let edge = vertices.iter().take(SIDE).all(|v| v.color[3] < 0.01);
        assert!(edge, "it does not end at an edge");
    }

    #[test]
    fn what_does_not_stand_on_the_floor_has_no_shadow() {
        let at = |y: f32| shadow_vertices(&cuboid(Vec3::new(-0.5, y, -0.5), Vec3::new(0.5, y + 1.0, 0.5)));
        assert!(at(0.0).is_some() && at(-0.5).is_some());
        assert!(at(1.5).is_none() && at(-1.5).is_none());
        let floor = cuboid(Vec3::new(-9.0, -0.01, -9.0), Vec3::new(9.0, 0.01, 9.0));
        assert!(shadow_vertices(&floor).is_none());
        assert!(shadow_vertices(&[]).is_none());
        assert!(shadow_vertices(&[[Vec3::NAN; 3]]).is_none());
    }
}
