//! Uploads new vertices of meshes that are on the graphics card: they are written directly into the mesh's
//! buffer there, and the mesh asset stays as it is.
//!
//! `Assets::get_mut` would copy the whole mesh, interleave its attributes and upload its triangles again
//! (docs/performance.md). Nothing here makes meshes or knows what they show.

use crate::mesh::render::RenderVertex;
use crate::scene::evaluate::Posed;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy::render::mesh::allocator::MeshAllocator;
use bevy::render::renderer::RenderQueue;
use bevy::render::{ExtractSchedule, MainWorld, Render, RenderApp, RenderSystems};
use bytemuck::{Pod, Zeroable};
use std::sync::Arc;

/// A vertex of the weights view: Bevy's attributes 0, 1 and 5.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct ColoredVertex {
    pub vertex: RenderVertex,
    /// The linear colour.
    pub color: [f32; 4],
}

/// A vertex of a bone: Bevy's attributes 0, 1, 2, 3 and 5. `assets/shaders/bones.wgsl` describes them.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub struct BoneVertex {
    pub position: [f32; 3],
    pub aside: [f32; 3],
    pub size: [f32; 2],
    pub corner: [f32; 2],
    pub color: [f32; 4],
}

/// All vertices of a mesh, in its layout on the graphics card: one after the other, each with its attributes
/// in the order of their ids.
pub enum Vertices {
    /// The vertices written by skinning.
    Skinned(Arc<Posed>),
    /// V: positions only, for the ends of edges.
    Points(Arc<Posed>),
    Plain(Vec<RenderVertex>),
    Colored(Vec<ColoredVertex>),
    Bones(Vec<BoneVertex>),
}

impl Vertices {
    /// Returns the bytes, and the size of a vertex in bytes.
    fn bytes(&self) -> (&[u8], usize) {
        fn cast<T: bytemuck::Pod>(vertices: &[T]) -> (&[u8], usize) {
            (bytemuck::cast_slice(vertices), size_of::<T>())
        }
        match self {
            Self::Skinned(posed) => cast(&posed.render_vertices),
            Self::Points(posed) => cast(&posed.positions),
            Self::Plain(vertices) => cast(vertices),
            Self::Colored(vertices) => cast(vertices),
            Self::Bones(vertices) => cast(vertices),
        }
    }
}

/// The uploads of this frame; `None` cancels earlier ones.
#[derive(Resource, Default)]
pub struct Uploads(HashMap<AssetId<Mesh>, Option<Vertices>>);

impl Uploads {
    /// Queues `vertices`, as many as `mesh` has, in its layout; others are not written.
    pub fn queue(&mut self, mesh: &Handle<Mesh>, vertices: Vertices) {
        self.0.insert(mesh.id(), Some(vertices));
    }

    /// Cancels vertices that are still waiting, since `mesh` is replaced with its latest vertices.
    pub fn cancel(&mut self, mesh: &Handle<Mesh>) {
        self.0.insert(mesh.id(), None);
    }
}

/// The latest vertices of meshes that have no buffer yet, in the render world.
#[derive(Resource, Default)]
struct Waiting(HashMap<AssetId<Mesh>, Vertices>);

pub fn add_systems(app: &mut App) {
    app.init_resource::<Uploads>();
    if let Some(render) = app.get_sub_app_mut(RenderApp) {
        render
            .init_resource::<Waiting>()
            .add_systems(ExtractSchedule, extract)
            // New meshes got their buffers just before, in `PrepareAssets`.
            .add_systems(Render, write.in_set(RenderSystems::PrepareResources));
    }
}

fn extract(mut main: ResMut<MainWorld>, mut waiting: ResMut<Waiting>) {
    for (mesh, vertices) in main.resource_mut::<Uploads>().0.drain() {
        match vertices {
            Some(vertices) => waiting.0.insert(mesh, vertices),
            None => waiting.0.remove(&mesh),
        };
    }
    let meshes = main.resource::<Assets<Mesh>>();
    waiting.0.retain(|mesh, _| meshes.contains(*mesh));
}

fn write(mut waiting: ResMut<Waiting>, allocator: Res<MeshAllocator>, queue: Res<RenderQueue>) {
    waiting.0.retain(|mesh, vertices| {
        // Looked up each time: a mesh moves when others are added or removed.
        let Some(slice) = allocator.mesh_vertex_slice(mesh) else {
            return true;
        };
        let (bytes, stride) = vertices.bytes();
        if slice.range.len() * stride == bytes.len() {
            let start = u64::from(slice.range.start) * stride as u64;
            queue.write_buffer(slice.buffer, start, bytes);
        }
        false
    });
}
