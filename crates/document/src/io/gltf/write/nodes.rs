//! The nodes of a file under construction.

use super::super::schema::{Index, Node};
use super::names::Names;

#[derive(Default)]
pub struct Nodes {
    pub nodes: Vec<Node>,
    /// Nodes without a parent.
    pub roots: Vec<Index>,
    pub names: Names,
}

impl Nodes {
    /// Adds a node below `parent`, or at the root of the scene. Its name must come from [`Names::unique`].
    pub fn add(&mut self, parent: Option<Index>, node: Node) -> Index {
        self.nodes.push(node);
        let index = self.nodes.len() - 1;
        match parent {
            Some(parent) => self.nodes[parent].children.push(index),
            None => self.roots.push(index),
        }
        index
    }

    /// Adds a node like [`Self::add`], and makes its name unique.
    pub fn add_named(&mut self, parent: Option<Index>, name: &str, node: Node) -> Index {
        let name = Some(self.names.unique(name));
        self.add(parent, Node { name, ..node })
    }
}
