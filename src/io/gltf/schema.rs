//! The JSON of glTF 2.0 as types, as far as it is read or written here. Names and meanings are those of the
//! specification (registry.khronos.org/glTF/specs/2.0); indices are not checked, nor is anything else that JSON alone
//! does not say. Members of other extensions are left out.

use glam::{DMat4, DQuat, DVec2, DVec3};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The place of something in the document's list of its kind.
pub type Index = usize;

/// The top of a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    pub asset: Asset,
    pub scene: Option<Index>,
    #[serde(default)]
    pub scenes: Vec<Scene>,
    #[serde(default)]
    pub nodes: Vec<Node>,
    #[serde(default)]
    pub meshes: Vec<Mesh>,
    #[serde(default)]
    pub skins: Vec<Skin>,
    #[serde(default)]
    pub animations: Vec<Animation>,
    #[serde(default)]
    pub cameras: Vec<Camera>,
    #[serde(default)]
    pub materials: Vec<Material>,
    #[serde(default)]
    pub textures: Vec<Texture>,
    #[serde(default)]
    pub images: Vec<Image>,
    #[serde(default)]
    pub samplers: Vec<Sampler>,
    #[serde(default)]
    pub accessors: Vec<Accessor>,
    #[serde(default)]
    pub buffer_views: Vec<BufferView>,
    #[serde(default)]
    pub buffers: Vec<Buffer>,
    #[serde(default)]
    pub extensions_used: Vec<String>,
    #[serde(default)]
    pub extensions_required: Vec<String>,
    pub extensions: Option<DocumentExtensions>,
    pub extras: Option<Value>,
}

impl Document {
    /// The JSON of a file, without members that say nothing: `None` and empty lists. Numbers that are not finite
    /// would be lost.
    pub fn to_json(&self) -> serde_json::Result<Vec<u8>> {
        let mut value = serde_json::to_value(self)?;
        prune(&mut value);
        serde_json::to_vec(&value)
    }
}

/// Removes members that are null or empty lists. What extras hold is left alone.
fn prune(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(prune),
        Value::Object(members) => {
            members.retain(|name, member| {
                if name != "extras" {
                    prune(member);
                }
                !member.is_null() && member.as_array().is_none_or(|items| !items.is_empty())
            });
        }
        _ => {}
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Asset {
    pub version: String,
    pub min_version: Option<String>,
    pub generator: Option<String>,
    pub extras: Option<Value>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DocumentExtensions {
    #[serde(rename = "KHR_lights_punctual")]
    pub lights_punctual: Option<Lights>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lights {
    pub lights: Vec<Light>,
}

/// Shines along -z of its node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Light {
    pub name: Option<String>,
    #[serde(rename = "type")]
    pub kind: LightKind,
    /// Linear.
    pub color: Option<DVec3>,
    /// Candela, or lux where directional.
    pub intensity: Option<f64>,
    pub range: Option<f64>,
    pub spot: Option<Spot>,
    pub extras: Option<Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum LightKind {
    Directional,
    Point,
    Spot,
}

/// Angles from the middle of the cone, in radians.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Spot {
    pub inner_cone_angle: Option<f64>,
    pub outer_cone_angle: Option<f64>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    pub name: Option<String>,
    #[serde(default)]
    pub nodes: Vec<Index>,
    pub extras: Option<Value>,
}

/// Has a matrix, or some of translation, rotation and scale.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Node {
    pub name: Option<String>,
    #[serde(default)]
    pub children: Vec<Index>,
    pub matrix: Option<DMat4>,
    pub translation: Option<DVec3>,
    pub rotation: Option<DQuat>,
    pub scale: Option<DVec3>,
    pub mesh: Option<Index>,
    pub skin: Option<Index>,
    pub camera: Option<Index>,
    /// Of the morph targets.
    #[serde(default)]
    pub weights: Vec<f64>,
    pub extensions: Option<NodeExtensions>,
    pub extras: Option<Value>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NodeExtensions {
    #[serde(rename = "KHR_lights_punctual")]
    pub lights_punctual: Option<NodeLight>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeLight {
    pub light: Index,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mesh {
    pub name: Option<String>,
    pub primitives: Vec<Primitive>,
    /// Of the morph targets.
    #[serde(default)]
    pub weights: Vec<f64>,
    pub extras: Option<Value>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Primitive {
    /// Accessors by the name of the attribute: `POSITION`, `JOINTS_0`.
    pub attributes: BTreeMap<String, Index>,
    pub indices: Option<Index>,
    pub material: Option<Index>,
    /// 4, triangles, where nothing is said.
    pub mode: Option<u32>,
    /// Differences to attributes, for each morph target.
    #[serde(default)]
    pub targets: Vec<BTreeMap<String, Index>>,
    pub extensions: Option<Value>,
    pub extras: Option<Value>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Skin {
    pub name: Option<String>,
    pub inverse_bind_matrices: Option<Index>,
    pub skeleton: Option<Index>,
    pub joints: Vec<Index>,
    pub extras: Option<Value>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Animation {
    pub name: Option<String>,
    pub channels: Vec<Channel>,
    pub samplers: Vec<AnimationSampler>,
    pub extras: Option<Value>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Channel {
    pub sampler: Index,
    pub target: Target,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Target {
    pub node: Option<Index>,
    /// A channel whose path is none of these is that of an extension, and without effect here.
    pub path: Path,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Path {
    Translation,
    Rotation,
    Scale,
    Weights,
    #[serde(other)]
    Other,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnimationSampler {
    /// The accessor of the times, in seconds.
    pub input: Index,
    #[serde(default)]
    pub interpolation: Interpolation,
    pub output: Index,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Interpolation {
    #[default]
    #[serde(rename = "LINEAR")]
    Linear,
    #[serde(rename = "STEP")]
    Step,
    /// Three values a key: incoming tangent, value, outgoing tangent.
    #[serde(rename = "CUBICSPLINE")]
    CubicSpline,
}

/// Looks along -z of its node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Camera {
    pub name: Option<String>,
    /// `perspective` or `orthographic`.
    #[serde(rename = "type")]
    pub kind: String,
    pub perspective: Option<Perspective>,
    pub orthographic: Option<Orthographic>,
    pub extras: Option<Value>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Perspective {
    pub aspect_ratio: Option<f64>,
    /// Vertical, in radians.
    pub yfov: f64,
    pub zfar: Option<f64>,
    pub znear: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Orthographic {
    pub xmag: f64,
    pub ymag: f64,
    pub zfar: f64,
    pub znear: f64,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Material {
    pub name: Option<String>,
    pub pbr_metallic_roughness: Option<Pbr>,
    pub normal_texture: Option<TextureInfo>,
    pub occlusion_texture: Option<TextureInfo>,
    pub emissive_texture: Option<TextureInfo>,
    /// Linear.
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
    /// The number of the `TEXCOORD_` attribute; 0 where nothing is said.
    pub tex_coord: Option<u32>,
    pub extensions: Option<TextureInfoExtensions>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TextureInfoExtensions {
    #[serde(rename = "KHR_texture_transform")]
    pub texture_transform: Option<TextureTransform>,
}

/// uv' = offset + turn · (scale · uv), the turn in radians.
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

/// Bytes in a file or a data URI, or in a buffer view.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Image {
    pub name: Option<String>,
    pub uri: Option<String>,
    pub mime_type: Option<String>,
    pub buffer_view: Option<Index>,
}

/// Filters and wrapping, as numbers of OpenGL.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sampler {
    pub mag_filter: Option<u32>,
    pub min_filter: Option<u32>,
    pub wrap_s: Option<u32>,
    pub wrap_t: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Accessor {
    pub buffer_view: Option<Index>,
    pub byte_offset: Option<usize>,
    pub component_type: ComponentType,
    #[serde(default)]
    pub normalized: Option<bool>,
    pub count: usize,
    #[serde(rename = "type")]
    pub kind: Kind,
    /// A number for each component.
    #[serde(default)]
    pub max: Vec<f64>,
    #[serde(default)]
    pub min: Vec<f64>,
    pub sparse: Option<Sparse>,
}

/// How many components an element has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Kind {
    Scalar,
    Vec2,
    Vec3,
    Vec4,
    Mat2,
    Mat3,
    Mat4,
}

impl Kind {
    pub const fn components(self) -> usize {
        match self {
            Kind::Scalar => 1,
            Kind::Vec2 => 2,
            Kind::Vec3 => 3,
            Kind::Vec4 | Kind::Mat2 => 4,
            Kind::Mat3 => 9,
            Kind::Mat4 => 16,
        }
    }
}

/// The type of a number, as that of OpenGL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub enum ComponentType {
    Byte = 5120,
    UnsignedByte = 5121,
    Short = 5122,
    UnsignedShort = 5123,
    UnsignedInt = 5125,
    Float = 5126,
}

impl ComponentType {
    const ALL: [Self; 6] = [
        Self::Byte,
        Self::UnsignedByte,
        Self::Short,
        Self::UnsignedShort,
        Self::UnsignedInt,
        Self::Float,
    ];

    /// Bytes of a number.
    pub const fn size(self) -> usize {
        match self {
            Self::Byte | Self::UnsignedByte => 1,
            Self::Short | Self::UnsignedShort => 2,
            Self::UnsignedInt | Self::Float => 4,
        }
    }
}

impl From<ComponentType> for u32 {
    fn from(component: ComponentType) -> Self {
        component as Self
    }
}

impl TryFrom<u32> for ComponentType {
    type Error = String;

    fn try_from(number: u32) -> Result<Self, Self::Error> {
        let found = Self::ALL.into_iter().find(|kind| *kind as u32 == number);
        found.ok_or_else(|| format!("{number} is no type of components"))
    }
}

/// Elements that differ from those of the accessor's own view, or from zero.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sparse {
    pub count: usize,
    pub indices: SparseIndices,
    pub values: SparseValues,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SparseIndices {
    pub buffer_view: Index,
    pub byte_offset: Option<usize>,
    pub component_type: ComponentType,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SparseValues {
    pub buffer_view: Index,
    pub byte_offset: Option<usize>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BufferView {
    pub name: Option<String>,
    pub buffer: Index,
    pub byte_offset: Option<usize>,
    pub byte_length: usize,
    pub byte_stride: Option<usize>,
    pub target: Option<u32>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Buffer {
    pub name: Option<String>,
    pub uri: Option<String>,
    pub byte_length: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_nothing_is_not_written_and_all_comes_back() {
        let mut document = Document::default();
        document.asset.version = "2.0".into();
        assert_eq!(document.to_json().unwrap(), br#"{"asset":{"version":"2.0"}}"#);
        document.extras = Some(serde_json::json!({ "kept": null, "list": [] }));
        document.nodes.push(Node {
            rotation: Some(DQuat::from_xyzw(0.0, 0.6, 0.0, 0.8)),
            ..Node::default()
        });
        document.accessors.push(Accessor {
            buffer_view: Some(0),
            byte_offset: None,
            component_type: ComponentType::UnsignedShort,
            normalized: None,
            count: 3,
            kind: Kind::Vec4,
            max: vec![0.1],
            min: Vec::new(),
            sparse: None,
        });
        let json = document.to_json().unwrap();
        let text = String::from_utf8_lossy(&json);
        assert!(
            text.contains(r#""componentType":5123"#) && text.contains(r#""type":"VEC4""#),
            "{text}"
        );
        assert!(text.contains(r#""rotation":[0.0,0.6,0.0,0.8]"#), "{text}");
        assert!(text.contains(r#""extras":{"kept":null,"list":[]}"#), "{text}");
        assert_eq!(serde_json::from_slice::<Document>(&json).unwrap(), document);
    }
}
