//! Converts skins to rigs: joints with their bind pose in one space, and the location of that space in the
//! world. Skins that share joints become one rig if their bind poses are compatible.

use super::nodes::Nodes;
use super::source::Source;
use crate::io::file::ReadError;
use crate::io::report::{Report, Severity};
use crate::math::decompose::decompose;
use glam::{DAffine3, DMat3, DVec3};
use std::collections::{BTreeSet, HashMap, HashSet};

/// A joint, or a node between joints.
pub struct Joint {
    pub node: usize,
    /// The parent among the joints of the rig, before this one.
    pub parent: Option<usize>,
    /// `mesh_from_joint` in the bind pose.
    pub bind: DAffine3,
}

/// The joints that move one surface.
pub struct Rig {
    /// The skins that form the rig, the first one first, with the matrices for their vertices.
    pub skins: Vec<(usize, DAffine3)>,
    /// The joints, parents before children.
    pub joints: Vec<Joint>,
    /// The joint of each node.
    pub joint_of: HashMap<usize, usize>,
    /// The lowest common ancestor of all joints.
    pub anchor: Option<usize>,
    pub anchor_from_mesh: DAffine3,
    /// Whether the nodes are in a pose other than the bind pose.
    pub posed: bool,
    /// The matrices with which vertices are blended, for each joint, if there are no inverse bind matrices:
    /// the nodes are then in the bind pose.
    pub blend_matrices: Option<Vec<DAffine3>>,
}

/// The tolerance for equal matrices, relative to size and scale.
const POSE_TOLERANCE: f64 = 1e-4;
/// The tolerance for identity matrices, which need no transform.
const IDENTITY_TOLERANCE: f64 = 1e-5;

/// The bind pose of a skin: `mesh_from_joint` of its joints, if invertible.
struct Bind {
    skin: usize,
    joints: Vec<(usize, Option<DAffine3>)>,
    /// The joints with weight at any vertex.
    weighted: HashSet<usize>,
    has_bind_pose: bool,
}

/// Returns the rigs of the used skins, in the order of their first use. `is_driven` tells whether an
/// animation moves a node.
pub fn rigs(
    source: &Source,
    nodes: &Nodes,
    used: &[usize],
    is_driven: &dyn Fn(usize) -> bool,
    report: &mut Report,
) -> Result<Vec<Rig>, ReadError> {
    let mut groups: Vec<SkinGroup> = Vec::new();
    for &skin in used {
        let bind = read_bind(source, nodes, skin, report)?;
        let shares_joints =
            |group: &SkinGroup| bind.joints.iter().any(|(node, _)| group.bind.contains_key(node));
        let mut sharing = groups.iter_mut().filter(|group| shares_joints(group)).peekable();
        let is_shared = sharing.peek().is_some();
        if sharing.any(|group| group.try_add(&bind)) {
            continue;
        }
        if is_shared {
            let text = "the skin shares joints with another one whose bind pose is different; it becomes a skinned \
                        mesh with bones of its own";
            report.add(Severity::Warning, "skin-apart", format!("/skins/{skin}"), text);
        }
        groups.push(SkinGroup::new(bind));
    }
    Ok(groups.into_iter().map(|group| group.into_rig(nodes, is_driven)).collect())
}

fn read_bind(source: &Source, nodes: &Nodes, skin: usize, report: &mut Report) -> Result<Bind, ReadError> {
    let weighted = weighted_joints(source, nodes, skin)?;
    let skin_data = &source.document.skins[skin];
    let Some(matrices) = skin_data.inverse_bind_matrices else {
        let text = "the skin has no inverse bind matrices; the pose of its nodes becomes the bind pose";
        report.add(Severity::Note, "no-inverse-binds", format!("/skins/{skin}"), text);
        let joints = skin_data.joints.iter().map(|joint| (*joint, Some(DAffine3::IDENTITY)));
        let joints = joints.collect();
        return Ok(Bind { skin, joints, weighted, has_bind_pose: false });
    };
    let inverse = source.matrices(matrices)?;
    let mut singular = 0;
    let joints = skin_data.joints.iter().zip(inverse);
    let joints = joints.map(|(&joint, inverse)| {
        let bind = inverse.inverse();
        let is_invertible = bind.is_finite() && inverse.matrix3.determinant() != 0.0;
        singular += usize::from(!is_invertible);
        (joint, is_invertible.then_some(bind))
    });
    let joints = joints.collect();
    if singular > 0 {
        let text = format!(
            "{singular} inverse bind matrices cannot be inverted; their joints are where their nodes are"
        );
        report.add(Severity::Warning, "flat-inverse-binds", format!("/skins/{skin}"), text);
    }
    Ok(Bind { skin, joints, weighted, has_bind_pose: true })
}

/// Returns the joints of a skin that have weight at any vertex.
fn weighted_joints(source: &Source, nodes: &Nodes, skin: usize) -> Result<HashSet<usize>, ReadError> {
    let joints = &source.document.skins[skin].joints;
    let meshes: BTreeSet<usize> = nodes
        .visible()
        .map(|node| &nodes.all[node])
        .filter(|node| node.skin == Some(skin))
        .filter_map(|node| node.mesh)
        .collect();
    let mut weighted = HashSet::new();
    let mut known = HashSet::new();
    for primitive in meshes.iter().flat_map(|mesh| &source.document.meshes[*mesh].primitives) {
        for set in 0.. {
            let attribute = |name: &str| primitive.attributes.get(&format!("{name}_{set}")).copied();
            let (Some(slots), Some(weights)) = (attribute("JOINTS"), attribute("WEIGHTS")) else {
                break;
            };
            if !known.insert((slots, weights)) {
                continue;
            }
            let (slots, weights) = (source.integers(slots)?, source.floats(weights)?);
            let used = slots.iter().zip(&weights).filter(|(_, weight)| **weight > 0.0);
            weighted.extend(used.filter_map(|(slot, _)| joints.get(*slot as usize)));
        }
    }
    Ok(weighted)
}

/// A group of skins that share joints.
struct SkinGroup {
    skins: Vec<(usize, DAffine3)>,
    bind: HashMap<usize, Option<DAffine3>>,
    weighted: HashSet<usize>,
    has_bind_pose: bool,
}

impl SkinGroup {
    fn new(bind: Bind) -> Self {
        Self {
            skins: vec![(bind.skin, DAffine3::IDENTITY)],
            bind: bind.joints.into_iter().collect(),
            weighted: bind.weighted,
            has_bind_pose: bind.has_bind_pose,
        }
    }

    /// Adds a skin if its bind pose is compatible; returns whether it is.
    fn try_add(&mut self, other: &Bind) -> bool {
        let shared_bind = |(node, theirs): &(usize, Option<DAffine3>)| {
            let ours = (*self.bind.get(node)?)?;
            let theirs = (*theirs)?;
            // The first matrix transforms their space into ours.
            Some((ours * theirs.inverse(), ours, theirs))
        };
        let shared: Vec<_> = other.joints.iter().filter_map(shared_bind).collect();
        let Some((moved, ..)) = shared.first().copied() else {
            return false;
        };
        let size = diagonal(self.bind.values().flatten().map(|bind| bind.translation));
        let is_compatible = |(_, ours, theirs): &(DAffine3, DAffine3, DAffine3)| {
            is_close(&(moved * *theirs), ours, size, POSE_TOLERANCE)
        };
        if self.has_bind_pose != other.has_bind_pose || !shared.iter().all(is_compatible) {
            return false;
        }
        let moved = if is_close(&moved, &DAffine3::IDENTITY, size, IDENTITY_TOLERANCE) {
            DAffine3::IDENTITY
        } else {
            moved
        };
        self.skins.push((other.skin, moved));
        self.weighted.extend(&other.weighted);
        for (node, bind) in &other.joints {
            self.bind.entry(*node).or_insert(bind.map(|bind| moved * bind));
        }
        true
    }

    fn into_rig(self, nodes: &Nodes, is_driven: &dyn Fn(usize) -> bool) -> Rig {
        let is_joint = |node: usize| self.bind.contains_key(&node);
        let count = nodes.all.len();
        // Per node: whether an ancestor is a joint; the number of joints without one in its subtree; whether
        // its subtree has a joint.
        let (mut has_joint_above, mut root_counts, mut has_joint) =
            (vec![false; count], vec![0usize; count], vec![false; count]);
        // Whether a mesh without a skin is in the subtree, and whether something there moves such a mesh.
        let (mut has_prop, mut moves_prop) = (vec![false; count], vec![false; count]);
        for &node in &nodes.order {
            has_joint_above[node] =
                nodes.parent[node].is_some_and(|parent| has_joint_above[parent] || is_joint(parent));
        }
        let mut total_roots = 0;
        for &node in nodes.order.iter().rev() {
            if is_joint(node) && !has_joint_above[node] {
                root_counts[node] += 1;
                total_roots += 1;
            }
            has_joint[node] |= is_joint(node);
            has_prop[node] |=
                nodes.shown[node] && nodes.all[node].mesh.is_some() && nodes.all[node].skin.is_none();
            moves_prop[node] |= has_prop[node] && is_driven(node);
            if let Some(parent) = nodes.parent[node] {
                has_prop[parent] |= has_prop[node];
                moves_prop[parent] |= moves_prop[node];
                root_counts[parent] += root_counts[node];
                has_joint[parent] |= has_joint[node];
            }
        }
        // Parents come first, so the last one is the lowest.
        let mut common = nodes.order.iter().rev();
        let anchor = common
            .find(|node| root_counts[**node] == total_roots && !is_joint(**node) && !has_joint_above[**node]);
        let mut rig = Rig {
            skins: self.skins,
            joints: Vec::new(),
            joint_of: HashMap::new(),
            anchor: anchor.copied(),
            anchor_from_mesh: DAffine3::IDENTITY,
            posed: false,
            blend_matrices: None,
        };
        let world_from_anchor = rig.anchor.map_or(DAffine3::IDENTITY, |anchor| nodes.world[anchor]);
        let to_anchor = inverse(&world_from_anchor);
        for &node in &nodes.order {
            // A prop that moves against its joint has a bone of its own.
            if !(is_joint(node) || has_joint_above[node] && (has_joint[node] || moves_prop[node])) {
                continue;
            }
            let parent = nodes.parent[node].and_then(|parent| rig.joint_of.get(&parent).copied());
            let stated = self.bind.get(&node).copied().flatten().filter(|_| self.has_bind_pose);
            let bind = stated.unwrap_or_else(|| match parent {
                Some(parent) => rig.joints[parent].bind * nodes.local[node],
                None => to_anchor * nodes.world[node],
            });
            rig.joint_of.insert(node, rig.joints.len());
            rig.joints.push(Joint { node, parent, bind });
        }
        if self.has_bind_pose {
            // What no vertex follows says nothing about where the mesh is.
            let counts = |node: &usize| self.weighted.is_empty() || self.weighted.contains(node);
            rig.locate_mesh_space(nodes, world_from_anchor, is_driven, |node| {
                self.bind.get(&node).copied().flatten().filter(|_| counts(&node))
            });
            rig.place_unweighted(nodes, |node| !counts(&node));
        } else {
            rig.blend_matrices =
                Some(rig.joints.iter().map(|joint| to_anchor * nodes.world[joint.node]).collect())
        }
        rig
    }
}

impl Rig {
    /// Determines the location of mesh space.
    fn locate_mesh_space(
        &mut self,
        nodes: &Nodes,
        world_from_anchor: DAffine3,
        is_driven: &dyn Fn(usize) -> bool,
        bind_of: impl Fn(usize) -> Option<DAffine3>,
    ) {
        let world_from_mesh = |joint: &Joint| Some(nodes.world[joint.node] * bind_of(joint.node)?.inverse());
        let Some((node, bind, world)) =
            self.joints.iter().find_map(|joint| Some((joint.node, joint.bind, world_from_mesh(joint)?)))
        else {
            return;
        };
        let size = diagonal(self.joints.iter().map(|joint| joint.bind.translation));
        let is_in_bind_pose = |joint: &Joint| {
            let (Some(bind), world_from_joint) = (bind_of(joint.node), nodes.world[joint.node]) else {
                return true;
            };
            is_close(&(world * bind), &world_from_joint, size * scale(&world), POSE_TOLERANCE)
        };
        self.posed = !self.joints.iter().all(is_in_bind_pose);
        let to_anchor = inverse(&world_from_anchor);
        let anchor_from_mesh = to_anchor * world;
        let are_rigid = |space: &DAffine3| {
            self.joints
                .iter()
                .filter_map(|joint| bind_of(joint.node))
                .all(|bind| is_similarity(&(*space * bind)))
        };
        // Joints below a node that is scaled unequally would shear: the space below it is that of the mesh.
        if !are_rigid(&DAffine3::IDENTITY) && are_rigid(&anchor_from_mesh) {
            return self.change_space(&anchor_from_mesh);
        }
        if !self.posed && self.move_anchor_up(nodes, &world, size * scale(&world), is_driven) {
            return;
        }
        self.anchor_from_mesh = if self.posed {
            let k = scale(&nodes.world[node]) / (scale(&world_from_anchor) * scale(&bind));
            DAffine3::from_scale(DVec3::splat(if k.is_finite() && k > 0.0 { k } else { 1.0 }))
        } else {
            anchor_from_mesh
        };
        if is_close(&self.anchor_from_mesh, &DAffine3::IDENTITY, size, IDENTITY_TOLERANCE) {
            self.anchor_from_mesh = DAffine3::IDENTITY;
        }
        if !is_trs(&self.anchor_from_mesh) && self.anchor_from_mesh.is_finite() {
            let correction = std::mem::replace(&mut self.anchor_from_mesh, DAffine3::IDENTITY);
            self.change_space(&correction);
        }
        if !self.anchor_from_mesh.is_finite() {
            self.anchor_from_mesh = DAffine3::IDENTITY;
        }
    }

    /// Makes another space that of the mesh; `new_from_old` is the matrix from the present one.
    fn change_space(&mut self, new_from_old: &DAffine3) {
        self.skins.iter_mut().for_each(|(_, matrix)| *matrix = *new_from_old * *matrix);
        self.joints.iter_mut().for_each(|joint| joint.bind = *new_from_old * joint.bind);
    }

    /// Gives joints that no vertex follows a bind pose in mesh space, if the file states another one for them.
    fn place_unweighted(&mut self, nodes: &Nodes, is_unweighted: impl Fn(usize) -> bool) {
        let Some(first) = self.joints.iter().find(|joint| !is_unweighted(joint.node)) else {
            return;
        };
        let world_from_anchor = self.anchor.map_or(DAffine3::IDENTITY, |anchor| nodes.world[anchor]);
        let to_mesh = inverse(&(world_from_anchor * self.anchor_from_mesh));
        let (size, usual) = (self.size(), scale(&first.bind) / scale(&nodes.world[first.node]));
        for joint in self.joints.iter_mut().filter(|joint| is_unweighted(joint.node)) {
            let in_mesh = to_mesh * nodes.world[joint.node];
            let ratio = scale(&joint.bind) / scale(&nodes.world[joint.node]) / usual;
            let is_other_scale = (ratio - 1.0).abs() > 1e-2;
            if is_other_scale || !self.posed && !is_close(&joint.bind, &in_mesh, size, POSE_TOLERANCE) {
                joint.bind = in_mesh;
            }
        }
    }

    /// Moves the anchor to the ancestor, or the world, whose space is that of the mesh, if nothing in between
    /// is animated.
    fn move_anchor_up(
        &mut self,
        nodes: &Nodes,
        world: &DAffine3,
        size: f64,
        is_driven: &dyn Fn(usize) -> bool,
    ) -> bool {
        let ancestors: Vec<usize> =
            self.anchor.into_iter().flat_map(|anchor| nodes.ancestors(anchor)).collect();
        for node in ancestors {
            if is_close(&nodes.world[node], world, size, IDENTITY_TOLERANCE) {
                self.anchor = Some(node);
                return true;
            }
            if is_driven(node) {
                return false;
            }
        }
        let in_world = is_close(world, &DAffine3::IDENTITY, size, IDENTITY_TOLERANCE);
        if in_world {
            self.anchor = None;
        }
        in_world
    }

    /// Returns the approximate largest distance between joints in the bind pose.
    pub fn size(&self) -> f64 {
        diagonal(self.joints.iter().map(|joint| joint.bind.translation))
    }
}

/// Returns the inverse, or the identity if there is none.
pub fn inverse(matrix: &DAffine3) -> DAffine3 {
    let inverse = matrix.inverse();
    if inverse.is_finite() { inverse } else { DAffine3::IDENTITY }
}

/// Whether a matrix is the product of translation, rotation and scale, without reflection.
fn is_trs(matrix: &DAffine3) -> bool {
    let parts = decompose(*matrix, DVec3::ONE).filter(|_| matrix.matrix3.determinant() > 0.0);
    parts.is_some_and(|(t, r, s)| {
        let recomposed = DAffine3::from_scale_rotation_translation(s, r, t);
        is_close(&recomposed, matrix, t.length(), IDENTITY_TOLERANCE)
    })
}

/// Whether a matrix only moves, turns and scales alike in all directions, within a thousandth.
fn is_similarity(matrix: &DAffine3) -> bool {
    let unit = matrix.matrix3 * scale(matrix).recip();
    (unit * unit.transpose()).abs_diff_eq(DMat3::IDENTITY, 1e-3)
}

/// Returns the diagonal of the bounding box of points; 1 if it is zero.
fn diagonal(points: impl Iterator<Item = DVec3>) -> f64 {
    let mut bounds: Option<(DVec3, DVec3)> = None;
    for point in points {
        let (low, high) = bounds.unwrap_or((point, point));
        bounds = Some((low.min(point), high.max(point)));
    }
    match bounds.map_or(0.0, |(low, high)| low.distance(high)) {
        size if size > 0.0 => size,
        _ => 1.0,
    }
}

/// Returns the mean scale of a matrix.
pub fn scale(matrix: &DAffine3) -> f64 {
    matrix.matrix3.determinant().abs().cbrt()
}

/// Whether two matrices are close: their linear parts relative to their norm, their translations relative to
/// `size`.
fn is_close(a: &DAffine3, b: &DAffine3, size: f64, tolerance: f64) -> bool {
    let norm = |m: DMat3| m.to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt();
    norm(a.matrix3 - b.matrix3) <= tolerance * norm(b.matrix3)
        && a.translation.distance(b.translation) <= tolerance * size
}
