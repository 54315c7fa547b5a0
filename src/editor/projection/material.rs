//! What the materials of the viewport have in common: they cast no shadows, and no depth is drawn before them.

use bevy::asset::io::embedded::EmbeddedAssetRegistry;
use bevy::prelude::App;
use std::path::Path;

/// The members of `Material` that say so; and that both sides are drawn of a mesh, which has these two attributes, at
/// the shader's locations 0 and 1.
macro_rules! drawn_from_both_sides {
    ($first:expr, $second:expr) => {
        $crate::editor::projection::material::without_prepass_and_shadows!();

        fn specialize(
            _pipeline: &bevy::pbr::MaterialPipeline,
            descriptor: &mut bevy::render::render_resource::RenderPipelineDescriptor,
            layout: &bevy::mesh::MeshVertexBufferLayoutRef,
            _key: bevy::pbr::MaterialPipelineKey<Self>,
        ) -> Result<(), bevy::render::render_resource::SpecializedMeshPipelineError> {
            let attributes = [$first.at_shader_location(0), $second.at_shader_location(1)];
            descriptor.vertex.buffers = vec![layout.0.get_layout(&attributes)?];
            descriptor.primitive.cull_mode = None;
            Ok(())
        }
    };
}

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
pub(crate) use {drawn_from_both_sides, without_prepass_and_shadows};

/// Makes a shader of `assets/shaders` known as `embedded://shaders/NAME`.
pub fn embed_shader(app: &App, name: &str, text: &'static [u8]) {
    let path = Path::new("shaders").join(name);
    let registry = app.world().resource::<EmbeddedAssetRegistry>();
    registry.insert_asset(path.clone(), &path, text);
}
