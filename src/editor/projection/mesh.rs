//! Surfaces as meshes of the graphics card, and their vertices in the layout of these meshes. The caller
//! decides which of the two it needs.

use super::upload::{ColoredVertex, Vertices};
use crate::editor::projection::draw_list::{Item, Surface};
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::render::{RenderMesh, RenderVertex};
use crate::mesh::shading::smooth_normals;
use crate::scene::evaluate::Posed;
use crate::scene::instance::DrawStyle;
use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use std::borrow::Cow;

/// Returns a mesh whose data only the graphics card keeps, as nothing reads meshes back. Texture coordinates
/// are stored elsewhere (`textured`).
pub fn empty(topology: PrimitiveTopology) -> Mesh {
    Mesh::new(topology, RenderAssetUsages::RENDER_WORLD)
}

pub fn sphere(radius: f32) -> Mesh {
    Sphere::new(radius).mesh().uv(48, 32)
}

pub fn surface_mesh(item: &Item) -> Mesh {
    let render = match &item.surface {
        Surface::Posed(posed) => &posed.render,
        Surface::Rest { render, .. } => render,
        Surface::Copies { surface, render, transforms } => return copies_mesh(surface, render, transforms),
        Surface::Sphere(radius) => return sphere(*radius),
    };
    let vertices = render_vertices(&item.surface, item.style);
    let (vertices, indices) = match &item.part {
        Some(part) => (Cow::Owned(part.gather(&vertices)), &part.indices),
        None => (vertices, &render.indices),
    };
    let all =
        |attribute: fn(&RenderVertex) -> Vec3| -> Vec<Vec3> { vertices.iter().map(attribute).collect() };
    let mesh = empty(PrimitiveTopology::TriangleList)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, all(|vertex| vertex.position))
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, all(|vertex| vertex.normal))
        .with_inserted_indices(Indices::U32(indices.clone()));
    match &item.colors {
        Some(colors) => mesh.with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colors.to_vec()),
        None => mesh,
    }
}

/// Returns the mesh of the given triangles, or of all, without colours.
pub fn posed_mesh(posed: &Posed, indices: Option<&Vec<u32>>) -> Mesh {
    let indices = indices.unwrap_or(&posed.render.indices);
    let vertices = &posed.render_vertices;
    let all =
        |attribute: fn(&RenderVertex) -> Vec3| -> Vec<Vec3> { vertices.iter().map(attribute).collect() };
    empty(PrimitiveTopology::TriangleList)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, all(|vertex| vertex.position))
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, all(|vertex| vertex.normal))
        .with_inserted_indices(Indices::U32(indices.clone()))
}

/// Returns copies of a surface, one for each transform, which may translate and scale uniformly.
fn copies_mesh(surface: &HalfedgeMesh, render: &RenderMesh, transforms: &[Mat4]) -> Mesh {
    let one: Vec<RenderVertex> = render.vertices_at(surface.positions()).collect();
    let count = one.len() as u32;
    let positions: Vec<Vec3> = transforms
        .iter()
        .flat_map(|transform| one.iter().map(|vertex| transform.transform_point3(vertex.position)))
        .collect();
    let normals: Vec<Vec3> = transforms.iter().flat_map(|_| one.iter().map(|v| v.normal)).collect();
    let indices =
        (0..transforms.len() as u32).flat_map(|copy| render.indices.iter().map(move |i| copy * count + i));
    empty(PrimitiveTopology::TriangleList)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
        .with_inserted_indices(Indices::U32(indices.collect()))
}

/// Returns vertices in the layout of [`surface_mesh`]; none for spheres and copies.
pub fn surface_vertices(item: &Item) -> Vertices {
    if let Some(part) = &item.part {
        let vertices = render_vertices(&item.surface, item.style);
        return Vertices::Plain(part.gather(&vertices));
    }
    match (&item.colors, &item.surface) {
        (None, Surface::Posed(posed)) if item.style != DrawStyle::Smooth => Vertices::Skinned(posed.clone()),
        (None, surface) => Vertices::Plain(render_vertices(surface, item.style).into_owned()),
        (Some(colors), surface) => {
            let vertices = render_vertices(surface, item.style);
            let colored = |(&vertex, &color)| ColoredVertex { vertex, color };
            Vertices::Colored(vertices.iter().zip(colors.iter()).map(colored).collect())
        }
    }
}

/// Returns the render vertices of a surface. Flat surfaces get their normals when they are drawn.
fn render_vertices(surface: &Surface, style: DrawStyle) -> Cow<'_, [RenderVertex]> {
    let (render, positions, mut vertices) = match surface {
        Surface::Posed(posed) => {
            (&posed.render, posed.positions.as_slice(), Cow::Borrowed(posed.render_vertices.as_slice()))
        }
        Surface::Rest { surface, render } => {
            let positions = surface.positions();
            (render, positions, Cow::Owned(render.vertices_at(positions).collect()))
        }
        Surface::Copies { .. } | Surface::Sphere(_) => return Cow::Borrowed(&[]),
    };
    if style == DrawStyle::Smooth {
        let normals = smooth_normals(render, positions);
        for (vertex, normal) in vertices.to_mut().iter_mut().zip(normals) {
            vertex.normal = normal;
        }
    }
    vertices
}

/// Returns the edges as lines.
pub fn wire_mesh(surface: &Surface) -> Mesh {
    let (positions, edges): (Vec<Vec3>, Vec<u32>) = match surface {
        Surface::Posed(posed) => {
            (posed.positions.clone(), posed.render.edges.iter().flatten().copied().collect())
        }
        Surface::Rest { surface, render } => {
            (surface.positions().to_vec(), render.edges.iter().flatten().copied().collect())
        }
        Surface::Copies { surface, render, transforms } => {
            let count = surface.vertex_count() as u32;
            let transformed = |transform: &Mat4| -> Vec<Vec3> {
                let positions = surface.positions().iter();
                positions.map(|p| transform.transform_point3(*p)).collect()
            };
            let edges = (0..transforms.len() as u32)
                .flat_map(|copy| render.edges.iter().flatten().map(move |v| copy * count + v));
            (transforms.iter().flat_map(transformed).collect(), edges.collect())
        }
        Surface::Sphere(radius) => {
            let ring = |f: &dyn Fn(f32) -> Vec3| -> Vec<Vec3> {
                (0..48).map(|i| f(i as f32 / 48.0 * std::f32::consts::TAU)).collect()
            };
            let r = *radius;
            let mut points = ring(&|a| vec3(r * a.cos(), r * a.sin(), 0.0));
            points.extend(ring(&|a| vec3(r * a.cos(), 0.0, r * a.sin())));
            points.extend(ring(&|a| vec3(0.0, r * a.cos(), r * a.sin())));
            let lines =
                (0..3u32).flat_map(|k| (0..48u32).flat_map(move |i| [k * 48 + i, k * 48 + (i + 1) % 48]));
            (points, lines.collect())
        }
    };
    empty(PrimitiveTopology::LineList)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_indices(Indices::U32(edges))
}
