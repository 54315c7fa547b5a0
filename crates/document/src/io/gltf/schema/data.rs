//! Numerical data: accessors over views of buffers.

use serde::{Deserialize, Serialize};

/// An index into the list of a kind in the document.
pub type Index = usize;

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
    /// The maximum of each component.
    #[serde(default)]
    pub max: Vec<f64>,
    #[serde(default)]
    pub min: Vec<f64>,
    pub sparse: Option<Sparse>,
}

/// The shape of an element.
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

/// The type of a number, as in OpenGL.
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
    const ALL: [Self; 6] =
        [Self::Byte, Self::UnsignedByte, Self::Short, Self::UnsignedShort, Self::UnsignedInt, Self::Float];

    /// The size of a number in bytes.
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
        found.ok_or_else(|| format!("{number} is not a component type"))
    }
}

/// Elements that differ from those in the accessor's own view, or from zero.
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
