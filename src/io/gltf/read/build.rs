//! What the steps of an import share.

use super::materials::Materials;
use super::names::Names;
use super::nodes::Nodes;
use super::source::Source;
use crate::io::report::Report;
use crate::scene::Scene;
use std::collections::HashMap;

/// A scene that is being put together.
pub struct Build<'a> {
    pub source: &'a Source<'a>,
    pub nodes: &'a Nodes<'a>,
    pub scene: Scene,
    pub names: Names,
    pub report: &'a mut Report,
    /// Names of transforms, by node.
    pub transforms: HashMap<usize, String>,
    pub materials: Materials<'a>,
    /// Nodes that are sheared.
    pub sheared: usize,
}
