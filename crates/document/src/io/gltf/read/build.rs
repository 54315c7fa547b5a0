//! The state that the steps of an import share.

use super::materials::Materials;
use super::nodes::Nodes;
use super::source::Source;
use crate::io::report::Report;
use crate::io::unique_names::UniqueNames;
use crate::scene::Scene;
use std::collections::HashMap;

/// A scene under construction.
pub struct Build<'a> {
    pub source: &'a Source<'a>,
    pub nodes: &'a Nodes<'a>,
    pub scene: Scene,
    pub names: UniqueNames,
    pub report: &'a mut Report,
    /// The names of transforms, by node.
    pub transforms: HashMap<usize, String>,
    pub materials: Materials<'a>,
    /// The number of sheared nodes.
    pub sheared: usize,
}
