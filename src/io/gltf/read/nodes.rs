//! The nodes of a file as a forest, with their matrices.

use super::super::schema::{Document, Node};
use super::refuse;
use crate::io::file::ReadError;
use glam::{DAffine3, DQuat, DVec3};

/// Nodes by their index.
pub struct Nodes<'d> {
    pub of: &'d [Node],
    pub parent: Vec<Option<usize>>,
    /// All nodes, parents before children, children in the order of the file.
    pub order: Vec<usize>,
    /// Whether it belongs to the scene that is shown.
    pub shown: Vec<bool>,
    /// `parent_from_node` as the nodes state it.
    pub local: Vec<DAffine3>,
    /// `world_from_node` in that pose.
    pub world: Vec<DAffine3>,
}

impl<'d> Nodes<'d> {
    /// # Errors
    /// Where a node has two parents, or is above itself; where matrices become too large for numbers.
    pub fn new(document: &'d Document) -> Result<Self, ReadError> {
        let of = &document.nodes[..];
        let mut parent = vec![None; of.len()];
        for (node, children) in of.iter().map(|node| &node.children).enumerate() {
            for &child in children {
                if parent[child].replace(node).is_some() {
                    return Err(refuse(format!("/nodes/{child}"), "the node has two parents"));
                }
            }
        }
        let roots = (0..of.len()).filter(|node| parent[*node].is_none());
        let order = below(of, roots);
        if order.len() < of.len() {
            let mut seen = vec![false; of.len()];
            order.iter().for_each(|node| seen[*node] = true);
            let lost = seen.iter().position(|seen| !seen).unwrap_or(0);
            return Err(refuse(format!("/nodes/{lost}"), "the node is above itself"));
        }
        let mut shown = vec![false; of.len()];
        let scene = document.scenes.get(document.scene.unwrap_or(0));
        match scene {
            Some(scene) => {
                if let Some(child) = scene.nodes.iter().find(|node| parent[**node].is_some()) {
                    return Err(refuse(
                        format!("/nodes/{child}"),
                        "a root of a scene has a parent",
                    ));
                }
                below(of, scene.nodes.iter().copied())
                    .iter()
                    .for_each(|node| shown[*node] = true);
            }
            None => shown.fill(true),
        }
        let local: Vec<DAffine3> = of.iter().map(local).collect();
        let mut nodes = Self {
            of,
            parent,
            order,
            shown,
            world: Vec::new(),
            local,
        };
        nodes.world = nodes.worlds(&nodes.local);
        match nodes.world.iter().position(|world| !world.is_finite()) {
            None => Ok(nodes),
            Some(node) => Err(refuse(
                format!("/nodes/{node}"),
                "the matrix of the node is not finite",
            )),
        }
    }

    /// `world_from_node` for matrices below their parents.
    pub fn worlds(&self, local: &[DAffine3]) -> Vec<DAffine3> {
        let mut world = local.to_vec();
        for &node in &self.order {
            if let Some(parent) = self.parent[node] {
                world[node] = world[parent] * world[node];
            }
        }
        world
    }

    /// The nodes that are shown.
    pub fn visible(&self) -> impl Iterator<Item = usize> {
        (0..self.of.len()).filter(|node| self.shown[*node])
    }

    /// The node and all above it, from below.
    pub fn up(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(node), |node| self.parent[*node])
    }

    /// The name of a node; empty where it has none.
    pub fn name(&self, node: usize) -> &'d str {
        self.of[node].name.as_deref().unwrap_or_default()
    }

    /// The name of a node, for messages.
    pub fn called(&self, node: usize) -> String {
        match self.name(node) {
            "" => format!("node {node}"),
            name => super::source::short(name),
        }
    }
}

/// The roots and all below them, each node before its children. Ends for circles too.
fn below(of: &[Node], roots: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut open: Vec<usize> = roots.collect();
    open.reverse();
    let mut order = Vec::with_capacity(of.len());
    while let Some(node) = open.pop() {
        order.push(node);
        open.extend(of[node].children.iter().rev());
        if order.len() > of.len() {
            break;
        }
    }
    order
}

/// `parent_from_node` as the node states it.
fn local(node: &Node) -> DAffine3 {
    match node.matrix {
        Some(matrix) => DAffine3::from_mat4(matrix),
        None => {
            let (scale, rotation, translation) = trs(node);
            DAffine3::from_scale_rotation_translation(scale, rotation, translation)
        }
    }
}

/// Scale, rotation and translation of a node without a matrix.
pub fn trs(node: &Node) -> (DVec3, DQuat, DVec3) {
    let turn = node.rotation.unwrap_or(DQuat::IDENTITY);
    let turn = match turn.length_squared() {
        length if length > 0.0 => turn / length.sqrt(),
        _ => DQuat::IDENTITY,
    };
    (
        node.scale.unwrap_or(DVec3::ONE),
        turn,
        node.translation.unwrap_or_default(),
    )
}
