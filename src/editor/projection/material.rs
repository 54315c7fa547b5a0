//! What the materials of the viewport have in common: they cast no shadows, and no depth is drawn before them.

use bevy::asset::io::embedded::EmbeddedAssetRegistry;
use bevy::mesh::{MeshVertexAttribute, MeshVertexBufferLayoutRef};
use bevy::prelude::App;
use bevy::render::render_resource::{RenderPipelineDescriptor, SpecializedMeshPipelineError};
use std::path::Path;

/// The members of `Material` that say so.
macro_rules! without_prepass_and_shadows {
    () => {
        fn enable_prepass() -> bool {
            false
        }

        fn enable_shadows() -> bool {
            false
        }
    };
}
pub(crate) use without_prepass_and_shadows;

/// Draws both sides of a mesh that has these two attributes, at the shader's locations 0 and 1.
pub fn draw_both_sides(
    descriptor: &mut RenderPipelineDescriptor,
    layout: &MeshVertexBufferLayoutRef,
    [first, second]: [MeshVertexAttribute; 2],
) -> Result<(), SpecializedMeshPipelineError> {
    let attributes = [first.at_shader_location(0), second.at_shader_location(1)];
    descriptor.vertex.buffers = vec![layout.0.get_layout(&attributes)?];
    descriptor.primitive.cull_mode = None;
    Ok(())
}

/// Makes a shader of `assets/shaders` known as `embedded://shaders/NAME`.
pub fn embed_shader(app: &App, name: &str, text: &'static [u8]) {
    let path = Path::new("shaders").join(name);
    let registry = app.world().resource::<EmbeddedAssetRegistry>();
    registry.insert_asset(path.clone(), &path, text);
}
