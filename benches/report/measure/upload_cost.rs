//! Uploads new vertices of a hidden surface, so that drawing does not count, either directly into the GPU
//! buffer or through `Assets::get_mut`.

use bevy::asset::RenderAssetUsages;
use bevy::camera::visibility::NoFrustumCulling;
use bevy::mesh::VertexAttributeValues;
use bevy::prelude::*;
use bevy::render::RenderApp;
use bevy::render::renderer::{RenderAdapterInfo, RenderDevice};
use ossature::editor::adapter_available;
use ossature::editor::headless::{NO_ADAPTER, plugins};
use ossature::editor::projection::draw_list::{Item, ItemId, Surface};
use ossature::editor::projection::mesh::surface_mesh;
use ossature::editor::projection::studio::{self, StudioMaterial};
use ossature::editor::projection::upload::{self, Uploads, Vertices};
use ossature::mesh::render::{RenderMesh, RenderVertex};
use ossature::scene::evaluate::Posed;
use std::sync::Arc;

/// The upload of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Upload {
    None,
    /// Interleaved vertices from skinning, directly into the mesh's buffer.
    Direct,
    /// Positions and normals, into the attributes of the mesh asset.
    Asset,
}

/// An application that draws nothing, with two hidden meshes.
pub struct UploadCost {
    app: App,
    direct: Handle<Mesh>,
    asset: Handle<Mesh>,
    poses: [Pose; 2],
    frames: usize,
}

/// New vertices in the forms of both uploads.
struct Pose {
    posed: Arc<Posed>,
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
}

impl UploadCost {
    /// Creates meshes of `vertices` vertices, a multiple of a hundred, each with one render vertex.
    ///
    /// # Errors
    /// Fails without a graphics adapter.
    pub fn new(vertices: usize) -> Result<Self, String> {
        if !adapter_available() {
            return Err(NO_ADAPTER.into());
        }
        let mut app = App::new();
        app.add_plugins(plugins(false)).add_plugins(studio::plugin);
        upload::add_systems(&mut app);
        app.finish();
        app.cleanup();
        let render = Arc::new(strip(vertices as u32 / ROW));
        let poses = [0.0, 0.1].map(|height| Pose::new(&render, height));
        let world = app.world_mut();
        let material = world.resource_mut::<Assets<StudioMaterial>>().add(StudioMaterial::default());
        let mut add = |usage: RenderAssetUsages| {
            let mut mesh = surface_mesh(&item(&poses[0].posed));
            mesh.asset_usage = usage;
            let mesh = world.resource_mut::<Assets<Mesh>>().add(mesh);
            let drawn = (Mesh3d(mesh.clone()), MeshMaterial3d(material.clone()));
            world.spawn((drawn, NoFrustumCulling, Visibility::Hidden));
            mesh
        };
        let direct = add(RenderAssetUsages::RENDER_WORLD);
        let asset = add(RenderAssetUsages::default());
        let mut cost = Self { app, direct, asset, poses, frames: 0 };
        for _ in 0..4 {
            cost.frame(Upload::None);
        }
        Ok(cost)
    }

    /// The name of the graphics adapter.
    pub fn adapter(&self) -> &str {
        &self.render_world().resource::<RenderAdapterInfo>().name
    }

    /// Runs a whole frame, and waits until the GPU is done with it.
    pub fn frame(&mut self, upload: Upload) {
        self.frames += 1;
        let pose = &self.poses[self.frames % 2];
        let world = self.app.world_mut();
        match upload {
            Upload::None => {}
            Upload::Direct => {
                let vertices = Vertices::Skinned(pose.posed.clone());
                world.resource_mut::<Uploads>().queue(&self.direct, vertices);
            }
            Upload::Asset => {
                let mut meshes = world.resource_mut::<Assets<Mesh>>();
                let Some(mut mesh) = meshes.get_mut(&self.asset) else {
                    return;
                };
                let new =
                    [(Mesh::ATTRIBUTE_POSITION, &pose.positions), (Mesh::ATTRIBUTE_NORMAL, &pose.normals)];
                for (attribute, new) in new {
                    if let Some(VertexAttributeValues::Float32x3(old)) = mesh.attribute_mut(attribute) {
                        old.copy_from_slice(new);
                    }
                }
            }
        }
        self.app.update();
        let device = self.render_world().resource::<RenderDevice>().wgpu_device();
        // If the device is lost, the next frame fails.
        device.poll(wgpu::PollType::wait_indefinitely()).ok();
    }

    fn render_world(&self) -> &World {
        self.app.sub_app(RenderApp).world()
    }
}

impl Pose {
    fn new(render: &Arc<RenderMesh>, height: f32) -> Self {
        let position = |v: &u32| vec3((v % ROW) as f32, height, (v / ROW) as f32);
        let positions: Vec<Vec3> = render.vertex.iter().map(position).collect();
        let render_vertices: Vec<RenderVertex> = render.vertices_at(&positions).collect();
        let attribute =
            |get: fn(&RenderVertex) -> Vec3| render_vertices.iter().map(|v| get(v).to_array()).collect();
        Self {
            positions: attribute(|vertex| vertex.position),
            normals: attribute(|vertex| vertex.normal),
            posed: Arc::new(Posed {
                skeleton: Arc::default(),
                bind: Vec::new(),
                current: Vec::new(),
                skinning: Vec::new(),
                ik: None,
                render: render.clone(),
                positions,
                render_vertices,
                tree: Default::default(),
            }),
        }
    }
}

fn item(posed: &Arc<Posed>) -> Item {
    Item::new(ItemId::RigMesh(String::new()), Surface::Posed(posed.clone()))
}

/// The number of vertices in a row.
const ROW: u32 = 100;

fn strip(rows: u32) -> RenderMesh {
    let vertices = ROW * rows;
    let cells = (0..vertices.saturating_sub(ROW)).filter(|v| v % ROW != ROW - 1);
    RenderMesh {
        vertex: (0..vertices).collect(),
        normal: vec![Vec3::Y; vertices as usize],
        indices: cells.flat_map(|a| [a, a + ROW, a + 1, a + 1, a + ROW, a + ROW + 1]).collect(),
        ..RenderMesh::default()
    }
}
