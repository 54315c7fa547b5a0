//! The forest of nodes of a file, with their matrices.

use super::super::schema::{Document, Node};
use super::refuse;
use crate::io::file::ReadError;
use crate::math::decompose::decompose;
use glam::{DAffine3, DQuat, DVec3};

/// Nodes by index.
pub struct Nodes<'d> {
    pub all: &'d [Node],
    pub parent: Vec<Option<usize>>,
    /// All nodes, parents before children, children in the order of the file.
    pub order: Vec<usize>,
    /// Whether each node belongs to the scene that is shown.
    pub shown: Vec<bool>,
    /// Roots of the scene whose parents are not in it.
    pub uprooted: Vec<usize>,
    /// `parent_from_node` as stated by the nodes.
    pub local: Vec<DAffine3>,
    /// `world_from_node` in that pose.
    pub world: Vec<DAffine3>,
    /// Whether each node is hidden, itself or with one above it.
    pub hidden: Vec<bool>,
}

impl<'d> Nodes<'d> {
    /// Collects the nodes of a document.
    ///
    /// # Errors
    /// If a node has two parents, or is its own ancestor, or a matrix is not finite.
    pub fn new(document: &'d Document) -> Result<Self, ReadError> {
        let all = &document.nodes[..];
        let mut parent = vec![None; all.len()];
        for (node, children) in all.iter().map(|node| &node.children).enumerate() {
            for &child in children {
                if parent[child].replace(node).is_some() {
                    return Err(refuse(format!("/nodes/{child}"), "the node has two parents"));
                }
            }
        }
        let roots = (0..all.len()).filter(|node| parent[*node].is_none());
        let order = descendants(all, roots);
        if order.len() < all.len() {
            let mut visited = vec![false; all.len()];
            order.iter().for_each(|node| visited[*node] = true);
            let unvisited = visited.iter().position(|visited| !visited).unwrap_or(0);
            return Err(refuse(format!("/nodes/{unvisited}"), "the node is above itself"));
        }
        let (mut shown, mut uprooted) = (vec![false; all.len()], Vec::new());
        let scene = document.scenes.get(document.scene.unwrap_or(0));
        match scene {
            Some(scene) => {
                descendants(all, scene.nodes.iter().copied()).iter().for_each(|node| shown[*node] = true);
                // A root of the scene is where it says, whatever is above it elsewhere.
                for &root in &scene.nodes {
                    if parent[root].is_some_and(|parent| !shown[parent]) {
                        parent[root] = None;
                        uprooted.push(root);
                    }
                }
            }
            None => shown.fill(true),
        }
        let local: Vec<DAffine3> = all.iter().map(local).collect();
        let mut nodes =
            Self { all, parent, order, shown, uprooted, world: Vec::new(), local, hidden: Vec::new() };
        nodes.world = nodes.world_matrices(&nodes.local);
        nodes.hidden = nodes.at_or_below((0..all.len()).filter(|node| all[*node].is_hidden()));
        match nodes.world.iter().position(|world| !world.is_finite()) {
            None => Ok(nodes),
            Some(node) => Err(refuse(format!("/nodes/{node}"), "the matrix of the node is not finite")),
        }
    }

    /// Returns `world_from_node` for the given `parent_from_node`.
    pub fn world_matrices(&self, local: &[DAffine3]) -> Vec<DAffine3> {
        let mut world = local.to_vec();
        for &node in &self.order {
            if let Some(parent) = self.parent[node] {
                world[node] = world[parent] * world[node];
            }
        }
        world
    }

    /// Returns which nodes are among `tops` or below them.
    pub fn at_or_below(&self, tops: impl Iterator<Item = usize>) -> Vec<bool> {
        let mut found = vec![false; self.all.len()];
        tops.for_each(|node| found[node] = true);
        for &node in &self.order {
            found[node] |= self.parent[node].is_some_and(|parent| found[parent]);
        }
        found
    }

    /// Returns the nodes of the scene that is shown.
    pub fn visible(&self) -> impl Iterator<Item = usize> {
        (0..self.all.len()).filter(|node| self.shown[*node])
    }

    /// Returns the node and its ancestors, from the bottom up.
    pub fn ancestors(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(node), |node| self.parent[*node])
    }

    /// Whether a node carries neither a mesh nor a camera nor a light.
    pub fn is_empty(&self, node: usize) -> bool {
        let data = &self.all[node];
        let light = data.extensions.as_ref().and_then(|extensions| extensions.lights_punctual.as_ref());
        data.mesh.is_none() && data.camera.is_none() && light.is_none()
    }

    /// Returns the name of a node; empty if it has none.
    pub fn name(&self, node: usize) -> &'d str {
        self.all[node].name.as_deref().unwrap_or_default()
    }

    /// Returns a label of a node for messages.
    pub fn label(&self, node: usize) -> String {
        match self.name(node) {
            "" => format!("node {node}"),
            name => super::shorten(name),
        }
    }
}

/// Returns the roots and their descendants, each node before its children. Also terminates for cycles.
fn descendants(nodes: &[Node], roots: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut stack: Vec<usize> = roots.collect();
    stack.reverse();
    let mut order = Vec::with_capacity(nodes.len());
    while let Some(node) = stack.pop() {
        order.push(node);
        stack.extend(nodes[node].children.iter().rev());
        if order.len() > nodes.len() {
            break;
        }
    }
    order
}

/// Returns `parent_from_node` as stated by the node.
fn local(node: &Node) -> DAffine3 {
    match node.matrix {
        Some(matrix) => DAffine3::from_mat4(matrix),
        None => {
            let (scale, rotation, translation) = trs(node);
            DAffine3::from_scale_rotation_translation(scale, rotation, translation)
        }
    }
}

/// Returns the scale, rotation and translation of a node; of one with a matrix, those nearest to it.
pub fn trs(node: &Node) -> (DVec3, DQuat, DVec3) {
    if let Some(matrix) = node.matrix {
        let split = decompose(DAffine3::from_mat4(matrix), DVec3::ONE);
        return split.map_or(
            (DVec3::ONE, DQuat::IDENTITY, matrix.w_axis.truncate()),
            |(translation, rotation, scale)| (scale, rotation, translation),
        );
    }
    let rotation = node.rotation.unwrap_or(DQuat::IDENTITY);
    let rotation = match rotation.length_squared() {
        length if length > 0.0 => rotation / length.sqrt(),
        _ => DQuat::IDENTITY,
    };
    (node.scale.unwrap_or(DVec3::ONE), rotation, node.translation.unwrap_or_default())
}

/// Whether a node with this name may only mark the end of a bone.
pub fn marks_end(name: &str) -> bool {
    let name = name.to_lowercase();
    ["_end", "end site", "nub"].iter().any(|end| name.ends_with(end))
}
