//! The material of surfaces with a texture: studio light on a picture (`assets/shaders/textured.wgsl`).
//!
//! Texture coordinates are in a buffer of the material, not in the vertices of the mesh: vertices are written
//! in each frame of an animation (`upload`), coordinates only when the surface changes.

use super::material::{embed_shader, without_prepass_and_shadows};
use super::studio::{StudioMaterial, StudioUniform};
use crate::editor::state::Texture;
use bevy::asset::RenderAssetUsages;
use bevy::image::{ImageAddressMode, ImageFilterMode, ImageSampler, ImageSamplerDescriptor};
use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::{MaterialPipeline, MaterialPipelineKey};
use bevy::prelude::*;
use bevy::render::render_resource::{
    AsBindGroup, Extent3d, RenderPipelineDescriptor, SpecializedMeshPipelineError, TextureDimension,
    TextureFormat,
};
use bevy::render::storage::ShaderBuffer;
use bevy::shader::ShaderRef;

#[derive(Asset, TypePath, AsBindGroup, Clone, Debug)]
#[uniform(0, StudioUniform)]
pub struct TexturedMaterial {
    pub base: StudioMaterial,
    #[texture(1)]
    #[sampler(2)]
    pub picture: Handle<Image>,
    /// R: the texture coordinates of the surface's render vertices.
    #[storage(3, read_only)]
    pub uvs: Handle<ShaderBuffer>,
}

impl From<&TexturedMaterial> for StudioUniform {
    fn from(material: &TexturedMaterial) -> Self {
        Self::from(&material.base)
    }
}

impl Material for TexturedMaterial {
    fn vertex_shader() -> ShaderRef {
        "embedded://shaders/textured.wgsl".into()
    }

    fn fragment_shader() -> ShaderRef {
        "embedded://shaders/textured.wgsl".into()
    }

    without_prepass_and_shadows!();

    fn specialize(
        _pipeline: &MaterialPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        _layout: &MeshVertexBufferLayoutRef,
        _key: MaterialPipelineKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        descriptor.primitive.cull_mode = None;
        Ok(())
    }
}

/// Returns the picture of a texture, with mipmaps unless its pixels are to be visible. If the surface uses
/// coordinates beyond its edges (`repeats`), the picture repeats there, as in Blender and glTF; otherwise its
/// outermost pixels continue, as in Scotty3D.
pub fn image(texture: &Texture, repeats: bool) -> Image {
    let picture = &texture.picture;
    let size = Extent3d { width: picture.width, height: picture.height, depth_or_array_layers: 1 };
    let (dimension, format) = (TextureDimension::D2, TextureFormat::Rgba8UnormSrgb);
    let usages = RenderAssetUsages::RENDER_WORLD;
    let mut image = Image::new(size, dimension, picture.rgba.clone(), format, usages);
    if texture.smooth {
        let (bytes, count) = picture.with_mipmaps();
        image.data = Some(bytes);
        image.texture_descriptor.mip_level_count = count;
    }
    let filter = if texture.smooth { ImageFilterMode::Linear } else { ImageFilterMode::Nearest };
    let address = if repeats { ImageAddressMode::Repeat } else { ImageAddressMode::ClampToEdge };
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        address_mode_u: address,
        address_mode_v: address,
        mag_filter: filter,
        min_filter: filter,
        mipmap_filter: filter,
        ..default()
    });
    image
}

/// Whether texture coordinates leave the picture.
pub fn repeats(uvs: &[Vec2]) -> bool {
    let inside = -1e-4..=1.0 + 1e-4;
    let leaves = |uv: &Vec2| !inside.contains(&uv.x) || !inside.contains(&uv.y);
    uvs.iter().any(leaves)
}

pub fn uv_buffer(uvs: &[Vec2]) -> ShaderBuffer {
    ShaderBuffer::new(bytemuck::cast_slice(uvs), RenderAssetUsages::RENDER_WORLD)
}

pub fn plugin(app: &mut App) {
    const SHADER: &str = concat!(
        include_str!("../../../assets/shaders/textured.wgsl"),
        include_str!("../../../assets/shaders/studio_light.wgsl"),
    );
    embed_shader(app, "textured.wgsl", SHADER.as_bytes());
    app.add_plugins(MaterialPlugin::<TexturedMaterial>::default());
}
