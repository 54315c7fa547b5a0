//! Materials with their textures and images.

use super::data::Index;
use glam::{DVec2, DVec3};
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Material {
    pub name: Option<String>,
    pub pbr_metallic_roughness: Option<Pbr>,
    pub normal_texture: Option<TextureInfo>,
    pub occlusion_texture: Option<TextureInfo>,
    pub emissive_texture: Option<TextureInfo>,
    /// The emitted colour, linear.
    pub emissive_factor: Option<DVec3>,
    /// `OPAQUE`, `MASK` or `BLEND`.
    pub alpha_mode: Option<String>,
    pub alpha_cutoff: Option<f64>,
    pub double_sided: Option<bool>,
    pub extensions: Option<MaterialExtensions>,
    pub extras: Option<Value>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pbr {
    /// Linear red, green, blue, and opacity.
    pub base_color_factor: Option<[f64; 4]>,
    pub base_color_texture: Option<TextureInfo>,
    pub metallic_factor: Option<f64>,
    pub roughness_factor: Option<f64>,
    pub metallic_roughness_texture: Option<TextureInfo>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextureInfo {
    pub index: Index,
    /// The number of the `TEXCOORD_` attribute; 0 if absent.
    pub tex_coord: Option<u32>,
    pub extensions: Option<TextureInfoExtensions>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TextureInfoExtensions {
    #[serde(rename = "KHR_texture_transform")]
    pub texture_transform: Option<TextureTransform>,
}

/// uv' = offset + rotation · (scale · uv), the rotation in radians.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextureTransform {
    pub offset: Option<DVec2>,
    pub rotation: Option<f64>,
    pub scale: Option<DVec2>,
    pub tex_coord: Option<u32>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MaterialExtensions {
    #[serde(rename = "KHR_materials_transmission")]
    pub transmission: Option<Transmission>,
    #[serde(rename = "KHR_materials_ior")]
    pub ior: Option<Ior>,
    #[serde(rename = "KHR_materials_emissive_strength")]
    pub emissive_strength: Option<EmissiveStrength>,
    #[serde(rename = "KHR_materials_unlit")]
    pub unlit: Option<Value>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Transmission {
    pub transmission_factor: Option<f64>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ior {
    pub ior: Option<f64>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EmissiveStrength {
    pub emissive_strength: Option<f64>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Texture {
    pub name: Option<String>,
    pub sampler: Option<Index>,
    pub source: Option<Index>,
    pub extensions: Option<Value>,
}

/// An image in a file, a data URI or a buffer view.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Image {
    pub name: Option<String>,
    pub uri: Option<String>,
    pub mime_type: Option<String>,
    pub buffer_view: Option<Index>,
}

/// Filters and wrapping, as OpenGL constants.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sampler {
    pub mag_filter: Option<u32>,
    pub min_filter: Option<u32>,
    pub wrap_s: Option<u32>,
    pub wrap_t: Option<u32>,
}
