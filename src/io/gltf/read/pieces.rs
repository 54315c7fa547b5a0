//! Meshes that the joints of a rig move, as pieces of its one surface.

use super::nodes::Nodes;
use super::skins::{Rig, inverse};
use super::surface::{Follows, Piece};
use crate::io::gltf::extras::SkeletonExtras;
use crate::io::gltf::schema::Document;
use glam::DAffine3;
use std::collections::{HashMap, HashSet};

/// Of each skin of a rig, for its joints those of the rig, and what its vertices are multiplied by.
pub type SkinJoints = HashMap<usize, (Vec<Option<u16>>, DAffine3)>;

/// `neutral`: the joint that stands for none.
pub fn skin_joints(rig: &Rig, document: &Document, neutral: Option<usize>) -> SkinJoints {
    let joint = |node: &usize| {
        let joint = rig.joint_of.get(node).copied();
        let joint = joint.filter(|joint| Some(*joint) != neutral);
        joint.and_then(|joint| u16::try_from(joint).ok())
    };
    let joints = |skin: usize| document.skins[skin].joints.iter().map(joint).collect();
    let skins = rig.skins.iter();
    skins
        .map(|&(skin, matrix)| (skin, (joints(skin), matrix)))
        .collect()
}

/// Pieces, and what the nodes of those with a skin say.
#[derive(Default)]
pub struct Found<'a> {
    pub pieces: Vec<Piece<'a>>,
    /// The name of the first node.
    pub name: Option<&'a str>,
    /// What we wrote of the skeleton.
    pub ours: Option<SkeletonExtras>,
}

/// All that is visible of a rig, each mesh once where it moves alike.
pub fn find<'a>(nodes: &Nodes<'a>, rig: &Rig, skins: &'a SkinJoints) -> Found<'a> {
    let joint_above = joint_above(nodes, rig);
    let mut found = Found::default();
    let mut seen = HashSet::new();
    for node in nodes.visible() {
        let of = &nodes.of[node];
        let Some(mesh) = of.mesh else { continue };
        let (matrix, follows, key) = match (of.skin, joint_above[node]) {
            (Some(skin), _) => match skins.get(&skin) {
                Some((joints, matrix)) => (*matrix, Follows::Skin(joints), (mesh, skin, 0)),
                None => continue,
            },
            (None, Some(joint)) => {
                let Ok(number) = u16::try_from(joint) else {
                    continue;
                };
                let joint = &rig.joints[joint];
                let matrix = joint.bind * inverse(&nodes.world[joint.node]) * nodes.world[node];
                (matrix, Follows::Joint(number), (mesh, usize::MAX, node))
            }
            (None, None) => continue,
        };
        if !seen.insert(key) {
            continue;
        }
        if of.skin.is_some() {
            found.name.get_or_insert_with(|| nodes.name(node));
            found.ours = found.ours.or_else(|| SkeletonExtras::read(of));
        }
        found.pieces.push(Piece {
            mesh,
            matrix,
            follows,
        });
    }
    found
}

/// For each node the joint that it is or hangs on, and goes with.
fn joint_above(nodes: &Nodes, rig: &Rig) -> Vec<Option<usize>> {
    let mut joint_above: Vec<Option<usize>> = vec![None; nodes.of.len()];
    for &node in &nodes.order {
        let above = nodes.parent[node].and_then(|parent| joint_above[parent]);
        joint_above[node] = rig.joint_of.get(&node).copied().or(above);
    }
    joint_above
}
