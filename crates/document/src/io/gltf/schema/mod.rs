//! The JSON of glTF 2.0 as types, as far as it is read or written here. Names and meanings are those of the
//! specification (registry.khronos.org/glTF/specs/2.0); indices and other constraints beyond JSON are not
//! checked. Members of other extensions are omitted.

mod data;
mod material;

pub use data::{
    Accessor, Buffer, BufferView, ComponentType, Index, Kind, Sparse, SparseIndices, SparseValues,
};
use glam::{DMat4, DQuat, DVec3};
pub use material::{
    EmissiveStrength, Image, Ior, Material, MaterialExtensions, Pbr, Sampler, Texture, TextureInfo,
    TextureInfoExtensions, TextureTransform, Transmission,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The root object of a file.
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
    /// Returns the JSON of a file, without members that are `None` or empty lists. Numbers that are not
    /// finite would be lost.
    pub fn to_json(&self) -> serde_json::Result<Vec<u8>> {
        let mut value = serde_json::to_value(self)?;
        prune(&mut value);
        serde_json::to_vec(&value)
    }
}

/// Removes members that are null or empty lists, except in extras.
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
    pub copyright: Option<String>,
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

/// A light, which shines along -z of its node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Light {
    pub name: Option<String>,
    #[serde(rename = "type")]
    pub kind: LightKind,
    /// The linear colour.
    pub color: Option<DVec3>,
    /// The intensity in candela; in lux for directional lights.
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

/// Angles from the axis of the cone, in radians.
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

/// A node with a matrix, or with some of translation, rotation and scale.
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
    /// The weights of the morph targets.
    #[serde(default)]
    pub weights: Vec<f64>,
    pub extensions: Option<NodeExtensions>,
    pub extras: Option<Value>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NodeExtensions {
    #[serde(rename = "KHR_lights_punctual")]
    pub lights_punctual: Option<NodeLight>,
    #[serde(rename = "KHR_node_visibility")]
    pub visibility: Option<Visibility>,
    #[serde(rename = "EXT_mesh_gpu_instancing")]
    pub gpu_instancing: Option<Instancing>,
}

/// Whether a node and what is below it is shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Visibility {
    pub visible: Option<bool>,
}

/// Copies of the mesh of a node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Instancing {
    /// Accessors with an element per copy: `TRANSLATION`, `ROTATION`, `SCALE`.
    #[serde(default)]
    pub attributes: BTreeMap<String, Index>,
}

impl Node {
    /// Whether the node itself is hidden.
    pub fn is_hidden(&self) -> bool {
        let visibility = self.extensions.as_ref().and_then(|extensions| extensions.visibility.as_ref());
        visibility.is_some_and(|visibility| visibility.visible == Some(false))
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeLight {
    pub light: Index,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mesh {
    pub name: Option<String>,
    pub primitives: Vec<Primitive>,
    /// The weights of the morph targets.
    #[serde(default)]
    pub weights: Vec<f64>,
    pub extras: Option<Value>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Primitive {
    /// Accessors by attribute: `POSITION`, `JOINTS_0`.
    pub attributes: BTreeMap<String, Index>,
    pub indices: Option<Index>,
    pub material: Option<Index>,
    /// The topology; 4 (triangles) if absent.
    pub mode: Option<u32>,
    /// Differences of attributes, for each morph target.
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
    /// The animated property. Channels with other paths belong to extensions and have no effect here.
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
    /// Three values per key: incoming tangent, value, outgoing tangent.
    #[serde(rename = "CUBICSPLINE")]
    CubicSpline,
}

/// A camera, which looks along -z of its node.
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
    /// The vertical field of view, in radians.
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

impl Document {
    /// Returns the extensions with members in the document.
    pub fn used_extensions(&self) -> Vec<String> {
        let in_materials = |is_used: fn(&MaterialExtensions) -> bool| {
            self.materials.iter().filter_map(|material| material.extensions.as_ref()).any(is_used)
        };
        let used = [
            ("KHR_lights_punctual", self.extensions.is_some()),
            (
                "KHR_materials_emissive_strength",
                in_materials(|extensions| extensions.emissive_strength.is_some()),
            ),
            ("KHR_materials_ior", in_materials(|extensions| extensions.ior.is_some())),
            ("KHR_materials_transmission", in_materials(|extensions| extensions.transmission.is_some())),
        ];
        used.into_iter().filter(|(_, used)| *used).map(|(name, _)| name.to_owned()).collect()
    }
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
        document.nodes.push(Node { rotation: Some(DQuat::from_xyzw(0.0, 0.6, 0.0, 0.8)), ..Node::default() });
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
        assert!(text.contains(r#""componentType":5123"#) && text.contains(r#""type":"VEC4""#), "{text}");
        assert!(text.contains(r#""rotation":[0.0,0.6,0.0,0.8]"#), "{text}");
        assert!(text.contains(r#""extras":{"kept":null,"list":[]}"#), "{text}");
        assert_eq!(serde_json::from_slice::<Document>(&json).unwrap(), document);
    }
}
