//! The material of everything that the viewport shades: studio light fixed to the camera
//! (`assets/shaders/studio.wgsl`, `studio_light.wgsl`). Cheap, so that the software driver of a machine
//! without a graphics card keeps up.

use crate::editor::projection::material::{embed_shader, without_prepass_and_shadows};
use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::{MaterialPipeline, MaterialPipelineKey};
use bevy::prelude::*;
use bevy::render::render_resource::{
    AsBindGroup, RenderPipelineDescriptor, ShaderType, SpecializedMeshPipelineError,
};
use bevy::shader::ShaderRef;

/// See the fields of `Studio` in the shader.
#[derive(Asset, TypePath, AsBindGroup, Clone, Debug)]
#[uniform(0, StudioUniform)]
#[bind_group_data(StudioKey)]
pub struct StudioMaterial {
    /// The colour, blended if alpha is below one.
    pub color: Color,
    /// The opacity added towards the silhouette.
    pub outline: f32,
    /// The strength of the highlight.
    pub shine: f32,
    /// The amount of lighting: one is fully lit, zero a flat colour.
    pub lit: f32,
    /// Whether both sides are drawn.
    pub two_sided: bool,
    /// Whether the surface is polished instead, and reflects a studio.
    pub matcap: bool,
    /// Whether triangles use their own normals instead of those of the vertices.
    pub flat: bool,
    /// The drawing order of translucent surfaces at the same depth: world units, added to the depth by which
    /// they are sorted.
    pub order: f32,
    /// Whether it is drawn as if farther away: behind what it intersects.
    pub behind: bool,
}

impl Default for StudioMaterial {
    fn default() -> Self {
        Self {
            color: Color::WHITE,
            outline: 0.0,
            shine: 0.05,
            lit: 1.0,
            two_sided: false,
            matcap: false,
            flat: false,
            order: 0.0,
            behind: false,
        }
    }
}

#[derive(Clone, Copy, ShaderType)]
pub struct StudioUniform {
    color: Vec4,
    parameters: Vec4,
}

impl From<&StudioMaterial> for StudioUniform {
    fn from(m: &StudioMaterial) -> Self {
        let c = m.color.to_linear();
        Self {
            color: Vec4::new(c.red, c.green, c.blue, c.alpha),
            parameters: Vec4::new(m.outline, m.shine, m.lit, f32::from(u8::from(m.flat))),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct StudioKey {
    two_sided: bool,
    matcap: bool,
    behind: bool,
}

/// The depth bias in units of the last place, of which there are 2^23 in each doubling of the depth: about an
/// eighth of the distance.
const BEHIND: i32 = -(1 << 20);

impl From<&StudioMaterial> for StudioKey {
    fn from(m: &StudioMaterial) -> Self {
        Self { two_sided: m.two_sided, matcap: m.matcap, behind: m.behind }
    }
}

impl Material for StudioMaterial {
    fn fragment_shader() -> ShaderRef {
        "embedded://shaders/studio.wgsl".into()
    }

    fn alpha_mode(&self) -> AlphaMode {
        if self.color.alpha() < 1.0 { AlphaMode::Blend } else { AlphaMode::Opaque }
    }

    fn depth_bias(&self) -> f32 {
        self.order
    }

    without_prepass_and_shadows!();

    fn specialize(
        _pipeline: &MaterialPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        _layout: &MeshVertexBufferLayoutRef,
        key: MaterialPipelineKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        if key.bind_group_data.two_sided {
            descriptor.primitive.cull_mode = None;
        }
        if let Some(fragment) = descriptor.fragment.as_mut().filter(|_| key.bind_group_data.matcap) {
            fragment.shader_defs.push("MATCAP".into());
        }
        if let Some(depth) = descriptor.depth_stencil.as_mut().filter(|_| key.bind_group_data.behind) {
            // Depth is greater for nearer points.
            depth.bias.constant = BEHIND;
        }
        Ok(())
    }
}

pub fn plugin(app: &mut App) {
    const SHADER: &str = concat!(
        include_str!("../../../assets/shaders/studio.wgsl"),
        include_str!("../../../assets/shaders/studio_light.wgsl"),
    );
    embed_shader(app, "studio.wgsl", SHADER.as_bytes());
    app.add_plugins(MaterialPlugin::<StudioMaterial>::default());
}
