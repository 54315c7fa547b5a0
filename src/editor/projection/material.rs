//! The common parts of the viewport's materials: they cast no shadows and have no depth prepass.

use bevy::asset::io::embedded::EmbeddedAssetRegistry;
use bevy::prelude::App;
use std::path::Path;

/// Implements the members of `Material` that disable prepass and shadows and draw both sides of a mesh, whose
/// attributes are at the shader's locations from 0.
macro_rules! drawn_from_both_sides {
    ($($attribute:expr),+) => {
        $crate::editor::projection::material::without_prepass_and_shadows!();

        fn specialize(
            _pipeline: &bevy::pbr::MaterialPipeline,
            descriptor: &mut bevy::render::render_resource::RenderPipelineDescriptor,
            layout: &bevy::mesh::MeshVertexBufferLayoutRef,
            _key: bevy::pbr::MaterialPipelineKey<Self>,
        ) -> Result<(), bevy::render::render_resource::SpecializedMeshPipelineError> {
            let attributes = [$($attribute),+];
            let attributes = attributes.iter().zip(0..);
            let attributes: Vec<_> = attributes.map(|(a, i)| a.at_shader_location(i)).collect();
            descriptor.vertex.buffers = vec![layout.0.get_layout(&attributes)?];
            descriptor.primitive.cull_mode = None;
            Ok(())
        }
    };
}

/// Implements the members of `Material` that disable prepass and shadows.
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

/// Registers a shader of `assets/shaders` as `embedded://shaders/NAME`.
pub fn embed_shader(app: &App, name: &str, text: &'static [u8]) {
    let path = Path::new("shaders").join(name);
    let registry = app.world().resource::<EmbeddedAssetRegistry>();
    registry.insert_asset(path.clone(), &path, text);
}
