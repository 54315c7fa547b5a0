//! Skins as rigs: joints with their bind pose in one space, and where that space is in the world. Skins that share
//! joints become one rig where their bind poses fit.

use super::nodes::Nodes;
use super::source::Source;
use crate::io::file::ReadError;
use crate::io::report::{Report, Severity};
use crate::math::decompose::decompose;
use glam::{DAffine3, DMat3, DVec3};
use std::collections::HashMap;

/// A joint, or a node between joints.
pub struct Joint {
    pub node: usize,
    /// Among the joints of the rig, before this one.
    pub parent: Option<usize>,
    /// `mesh_from_joint` in the bind pose.
    pub bind: DAffine3,
}

/// The joints that move one surface.
pub struct Rig {
    /// The skins that it is made of, the first one first, with what their vertices are multiplied by.
    pub skins: Vec<(usize, DAffine3)>,
    /// Parents before children.
    pub joints: Vec<Joint>,
    /// By node.
    pub joint_of: HashMap<usize, usize>,
    /// The lowest node above all joints.
    pub anchor: Option<usize>,
    /// `anchor_from_mesh`.
    pub placed: DAffine3,
    /// Whether the nodes stand in another pose than the bind pose.
    pub posed: bool,
    /// Without inverse bind matrices the nodes stand in the bind pose: what vertices are blended by, for each joint.
    pub applied: Option<Vec<DAffine3>>,
}

/// Matrices differ by less than this where they are taken for the same, as a part of size and scale.
const SAME_POSE: f64 = 1e-4;
/// A matrix that is as near to the identity as this is not worth a transform.
const NO_MOVE: f64 = 1e-5;

/// What a file says of a skin: `mesh_from_joint` of its joints, where it can be inverted.
struct Bind {
    skin: usize,
    joints: Vec<(usize, Option<DAffine3>)>,
    stated: bool,
}

/// The rigs of the skins that are used, in the order in which they are used. `is_driven`: whether an animation moves a
/// node.
pub fn rigs(
    source: &Source,
    nodes: &Nodes,
    used: &[usize],
    is_driven: &dyn Fn(usize) -> bool,
    report: &mut Report,
) -> Result<Vec<Rig>, ReadError> {
    let mut joined: Vec<Joined> = Vec::new();
    for &skin in used {
        let bind = bind(source, skin, report)?;
        let shares = |rig: &Joined| bind.joints.iter().any(|(node, _)| rig.bind.contains_key(node));
        let mut sharing = joined.iter_mut().filter(|rig| shares(rig)).peekable();
        let is_shared = sharing.peek().is_some();
        if sharing.any(|rig| rig.join(&bind)) {
            continue;
        }
        if is_shared {
            let text = "the skin shares joints with another one whose bind pose is different; it becomes a skinned \
                        mesh with bones of its own";
            report.add(Severity::Warning, "skin-apart", format!("/skins/{skin}"), text);
        }
        joined.push(Joined::new(bind));
    }
    Ok(joined
        .into_iter()
        .map(|rig| rig.finish(nodes, is_driven))
        .collect())
}

fn bind(source: &Source, skin: usize, report: &mut Report) -> Result<Bind, ReadError> {
    let of = &source.document.skins[skin];
    let Some(matrices) = of.inverse_bind_matrices else {
        let text = "the skin has no inverse bind matrices; the pose of its nodes becomes the bind pose";
        report.add(Severity::Note, "no-inverse-binds", format!("/skins/{skin}"), text);
        let joints = of.joints.iter().map(|joint| (*joint, Some(DAffine3::IDENTITY)));
        let joints = joints.collect();
        return Ok(Bind {
            skin,
            joints,
            stated: false,
        });
    };
    let inverse = source.matrices(matrices)?;
    let mut flat = 0;
    let joints = of.joints.iter().zip(inverse);
    let joints = joints.map(|(&joint, inverse)| {
        let bind = inverse.inverse();
        let sound = bind.is_finite() && inverse.matrix3.determinant() != 0.0;
        flat += usize::from(!sound);
        (joint, sound.then_some(bind))
    });
    let joints = joints.collect();
    if flat > 0 {
        let text = format!(
            "{flat} inverse bind matrices cannot be inverted; their joints are where their nodes are"
        );
        report.add(
            Severity::Warning,
            "flat-inverse-binds",
            format!("/skins/{skin}"),
            text,
        );
    }
    Ok(Bind {
        skin,
        joints,
        stated: true,
    })
}

/// Skins that share joints.
struct Joined {
    skins: Vec<(usize, DAffine3)>,
    bind: HashMap<usize, Option<DAffine3>>,
    stated: bool,
}

impl Joined {
    fn new(bind: Bind) -> Self {
        Self {
            skins: vec![(bind.skin, DAffine3::IDENTITY)],
            bind: bind.joints.into_iter().collect(),
            stated: bind.stated,
        }
    }

    /// Whether the skin fits.
    fn join(&mut self, other: &Bind) -> bool {
        let both = |(node, theirs): &(usize, Option<DAffine3>)| {
            let ours = (*self.bind.get(node)?)?;
            let theirs = (*theirs)?;
            // From their space into ours.
            Some((ours * theirs.inverse(), ours, theirs))
        };
        let shared: Vec<_> = other.joints.iter().filter_map(both).collect();
        let Some((moved, ..)) = shared.first().copied() else {
            return false;
        };
        let size = extent(self.bind.values().flatten().map(|bind| bind.translation));
        let fits = |(_, ours, theirs): &(DAffine3, DAffine3, DAffine3)| {
            near(&(moved * *theirs), ours, size, SAME_POSE)
        };
        if self.stated != other.stated || !shared.iter().all(fits) {
            return false;
        }
        let moved = if near(&moved, &DAffine3::IDENTITY, size, NO_MOVE) {
            DAffine3::IDENTITY
        } else {
            moved
        };
        self.skins.push((other.skin, moved));
        for (node, bind) in &other.joints {
            self.bind.entry(*node).or_insert(bind.map(|bind| moved * bind));
        }
        true
    }

    fn finish(self, nodes: &Nodes, is_driven: &dyn Fn(usize) -> bool) -> Rig {
        let is_joint = |node: usize| self.bind.contains_key(&node);
        let count = nodes.of.len();
        // Whether a joint is above, and how many joints without one above are at or below a node.
        let (mut above, mut tops, mut holds) = (vec![false; count], vec![0usize; count], vec![false; count]);
        for &node in &nodes.order {
            above[node] = nodes.parent[node].is_some_and(|parent| above[parent] || is_joint(parent));
        }
        let mut all_tops = 0;
        for &node in nodes.order.iter().rev() {
            if is_joint(node) && !above[node] {
                tops[node] += 1;
                all_tops += 1;
            }
            holds[node] |= is_joint(node);
            if let Some(parent) = nodes.parent[node] {
                tops[parent] += tops[node];
                holds[parent] |= holds[node];
            }
        }
        // Parents come first, so the last one is the lowest.
        let mut common = nodes.order.iter().rev();
        let anchor = common.find(|node| tops[**node] == all_tops && !is_joint(**node) && !above[**node]);
        let mut rig = Rig {
            skins: self.skins,
            joints: Vec::new(),
            joint_of: HashMap::new(),
            anchor: anchor.copied(),
            placed: DAffine3::IDENTITY,
            posed: false,
            applied: None,
        };
        let anchored = rig
            .anchor
            .map_or(DAffine3::IDENTITY, |anchor| nodes.world[anchor]);
        let to_anchor = inverse(&anchored);
        for &node in &nodes.order {
            if !(is_joint(node) || above[node] && holds[node]) {
                continue;
            }
            let parent = nodes.parent[node].and_then(|parent| rig.joint_of.get(&parent).copied());
            let stated = self.bind.get(&node).copied().flatten().filter(|_| self.stated);
            let bind = stated.unwrap_or_else(|| match parent {
                Some(parent) => rig.joints[parent].bind * nodes.local[node],
                None => to_anchor * nodes.world[node],
            });
            rig.joint_of.insert(node, rig.joints.len());
            rig.joints.push(Joint { node, parent, bind });
        }
        match self.stated {
            true => rig.place(nodes, anchored, is_driven, |node| {
                self.bind.get(&node).copied().flatten()
            }),
            false => {
                rig.applied = Some(
                    rig.joints
                        .iter()
                        .map(|joint| to_anchor * nodes.world[joint.node])
                        .collect(),
                )
            }
        }
        rig
    }
}

impl Rig {
    /// Finds where mesh space is.
    fn place(
        &mut self,
        nodes: &Nodes,
        anchored: DAffine3,
        is_driven: &dyn Fn(usize) -> bool,
        stated: impl Fn(usize) -> Option<DAffine3>,
    ) {
        let world_from_mesh = |joint: &Joint| Some(nodes.world[joint.node] * stated(joint.node)?.inverse());
        let Some((node, bind, world)) = self
            .joints
            .iter()
            .find_map(|joint| Some((joint.node, joint.bind, world_from_mesh(joint)?)))
        else {
            return;
        };
        let size = extent(self.joints.iter().map(|joint| joint.bind.translation));
        let same = |joint: &Joint| {
            let (Some(bind), at) = (stated(joint.node), nodes.world[joint.node]) else {
                return true;
            };
            near(&(world * bind), &at, size * scale(&world), SAME_POSE)
        };
        self.posed = !self.joints.iter().all(same);
        if !self.posed && self.rise(nodes, &world, size * scale(&world), is_driven) {
            return;
        }
        let to_anchor = inverse(&anchored);
        self.placed = match self.posed {
            false => to_anchor * world,
            true => {
                let k = scale(&nodes.world[node]) / (scale(&anchored) * scale(&bind));
                DAffine3::from_scale(DVec3::splat(if k.is_finite() && k > 0.0 { k } else { 1.0 }))
            }
        };
        if near(&self.placed, &DAffine3::IDENTITY, size, NO_MOVE) {
            self.placed = DAffine3::IDENTITY;
        }
        if !is_trs(&self.placed) && self.placed.is_finite() {
            let moved = std::mem::replace(&mut self.placed, DAffine3::IDENTITY);
            self.skins.iter_mut().for_each(|(_, by)| *by = moved * *by);
            self.joints
                .iter_mut()
                .for_each(|joint| joint.bind = moved * joint.bind);
        }
        if !self.placed.is_finite() {
            self.placed = DAffine3::IDENTITY;
        }
    }

    /// Takes the node above, or the world, in whose space the mesh is, if nothing between moves.
    fn rise(
        &mut self,
        nodes: &Nodes,
        world: &DAffine3,
        size: f64,
        is_driven: &dyn Fn(usize) -> bool,
    ) -> bool {
        let up: Vec<usize> = self
            .anchor
            .into_iter()
            .flat_map(|anchor| nodes.up(anchor))
            .collect();
        for node in up {
            if near(&nodes.world[node], world, size, NO_MOVE) {
                self.anchor = Some(node);
                return true;
            }
            if is_driven(node) {
                return false;
            }
        }
        let in_world = near(world, &DAffine3::IDENTITY, size, NO_MOVE);
        if in_world {
            self.anchor = None;
        }
        in_world
    }

    /// The largest distance between joints in the bind pose, about.
    pub fn size(&self) -> f64 {
        extent(self.joints.iter().map(|joint| joint.bind.translation))
    }
}

/// The inverse, or the identity where there is none.
pub fn inverse(matrix: &DAffine3) -> DAffine3 {
    let inverse = matrix.inverse();
    if inverse.is_finite() {
        inverse
    } else {
        DAffine3::IDENTITY
    }
}

/// Whether a matrix is the product of translation, rotation and scale, and mirrors nothing.
fn is_trs(matrix: &DAffine3) -> bool {
    let parts = decompose(*matrix, DVec3::ONE).filter(|_| matrix.matrix3.determinant() > 0.0);
    parts.is_some_and(|(t, r, s)| {
        let again = DAffine3::from_scale_rotation_translation(s, r, t);
        near(&again, matrix, t.length(), NO_MOVE)
    })
}

/// The diagonal of the box around points; 1 where they are in one place.
fn extent(points: impl Iterator<Item = DVec3>) -> f64 {
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

/// The mean scale of a matrix.
pub fn scale(matrix: &DAffine3) -> f64 {
    matrix.matrix3.determinant().abs().cbrt()
}

/// Whether two matrices are the same: their linear parts as a part of their size, places as a part of `size`.
fn near(a: &DAffine3, b: &DAffine3, size: f64, tolerance: f64) -> bool {
    let norm = |m: DMat3| m.to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt();
    norm(a.matrix3 - b.matrix3) <= tolerance * norm(b.matrix3)
        && a.translation.distance(b.translation) <= tolerance * size
}
