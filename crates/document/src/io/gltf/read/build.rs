//! The state that the steps of an import share.

use super::instancing::Copies;
use super::materials::Materials;
use super::nodes::Nodes;
use super::shapes::ShapeSource;
use super::source::Source;
use crate::io::report::Report;
use crate::io::unique_names::UniqueNames;
use crate::scene::Scene;
use std::collections::HashMap;

/// A skinned mesh with shapes.
pub struct ShapedMesh {
    pub name: String,
    /// Where the weights of its shapes come from.
    pub sources: Vec<ShapeSource>,
    /// Those that the file states.
    pub weights: Vec<f32>,
}

/// A scene under construction.
pub struct Build<'a> {
    pub source: &'a Source<'a>,
    pub nodes: &'a Nodes<'a>,
    pub copies: Copies,
    pub scene: Scene,
    pub names: UniqueNames,
    pub report: &'a mut Report,
    /// The names of transforms, by node.
    pub transforms: HashMap<usize, String>,
    pub materials: Materials<'a>,
    pub shaped: Vec<ShapedMesh>,
    /// The first instance of each node, by the name of the node.
    pub instances: HashMap<&'a str, String>,
    /// The number of sheared nodes.
    pub sheared: usize,
}
