//! The nodes of a file while they are made.

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
    /// Adds a node below `parent`, or at the root of the scene. Its name is taken to be one of [`Names::unique`].
    pub fn add(&mut self, parent: Option<Index>, node: Node) -> Index {
        self.nodes.push(node);
        let index = self.nodes.len() - 1;
        match parent {
            Some(parent) => self.nodes[parent].children.push(index),
            None => self.roots.push(index),
        }
        index
    }

    /// As [`Self::add`], under a name that is made unique now.
    pub fn add_named(&mut self, parent: Option<Index>, name: &str, node: Node) -> Index {
        let name = Some(self.names.unique(name));
        self.add(parent, Node { name, ..node })
    }
}
