//! Collects the meshes that the joints of a rig move, as pieces of a single surface.

use super::instancing::Copies;
use super::nodes::Nodes;
use super::skins::{Rig, inverse};
use super::surface::{Binding, Piece};
use crate::io::gltf::extras::SkeletonExtras;
use crate::io::gltf::schema::Document;
use glam::DAffine3;
use std::collections::{HashMap, HashSet};

/// For each skin of a rig, the joints of the rig for its joints, and the matrix for its vertices.
pub type SkinJoints = HashMap<usize, (Vec<Option<u16>>, DAffine3)>;

/// Returns the joints of the skins of a rig; `neutral` is the joint that represents no joint.
pub fn skin_joints(rig: &Rig, document: &Document, neutral: Option<usize>) -> SkinJoints {
    let joint = |node: &usize| {
        let joint = rig.joint_of.get(node).copied();
        let joint = joint.filter(|joint| Some(*joint) != neutral);
        joint.and_then(|joint| u16::try_from(joint).ok())
    };
    let joints = |skin: usize| document.skins[skin].joints.iter().map(joint).collect();
    let skins = rig.skins.iter();
    skins.map(|&(skin, matrix)| (skin, (joints(skin), matrix))).collect()
}

/// Pieces, and the name and extras of the nodes that have a skin.
#[derive(Default)]
pub struct RigPieces<'a> {
    pub pieces: Vec<Piece<'a>>,
    /// The name of the first node.
    pub name: Option<&'a str>,
    /// Our shape extras of the skeleton.
    pub ours: Option<SkeletonExtras>,
}

/// Finds all visible meshes of a rig, without repeating a mesh that moves identically.
pub fn find<'a>(
    (nodes, copies): (&Nodes<'a>, &Copies),
    document: &Document,
    rig: &Rig,
    skins: &'a SkinJoints,
) -> RigPieces<'a> {
    let joint_above = joint_above(nodes, rig);
    let mut found = RigPieces::default();
    let mut keys = HashSet::new();
    for node in nodes.visible() {
        let node_data = &nodes.all[node];
        let Some(mesh) = node_data.mesh else { continue };
        let (matrix, binding, key) = match (node_data.skin, joint_above[node]) {
            (Some(skin), _) => match skins.get(&skin) {
                // A node with morph targets has a shape of its own.
                Some((joints, matrix)) => {
                    let has_targets =
                        document.meshes[mesh].primitives.iter().any(|part| !part.targets.is_empty());
                    let shape = if has_targets { node } else { usize::MAX };
                    (*matrix, Binding::Skin(joints), (mesh, skin, shape))
                }
                None => continue,
            },
            (None, Some(joint)) => {
                let Ok(joint_index) = u16::try_from(joint) else {
                    continue;
                };
                let joint = &rig.joints[joint];
                let matrix = joint.bind * inverse(&nodes.world[joint.node]) * nodes.world[node];
                (matrix, Binding::Joint(joint_index), (mesh, usize::MAX, node))
            }
            (None, None) => continue,
        };
        if !keys.insert(key) {
            continue;
        }
        if node_data.skin.is_some() {
            // As we call instances.
            let name = nodes.name(node);
            found.name.get_or_insert(name.strip_suffix(" instance").unwrap_or(name));
            found.ours = found.ours.or_else(|| SkeletonExtras::read(node_data));
        }
        let weights = Some(&*node_data.weights).filter(|weights| !weights.is_empty());
        for copy in copies.get(&node).map_or(&[DAffine3::IDENTITY][..], Vec::as_slice) {
            found.pieces.push(Piece { node, mesh, matrix: matrix * *copy, binding, weights });
        }
    }
    found
}

/// Returns, for each node, the joint that it is or moves with.
fn joint_above(nodes: &Nodes, rig: &Rig) -> Vec<Option<usize>> {
    let mut joint_above: Vec<Option<usize>> = vec![None; nodes.all.len()];
    for &node in &nodes.order {
        let above = nodes.parent[node].and_then(|parent| joint_above[parent]);
        joint_above[node] = rig.joint_of.get(&node).copied().or(above);
    }
    joint_above
}
