//! Rigs as skinned meshes: skeleton and weights of a surface, and its poses from the matrices of nodes.

use super::super::extras::{BoneExtras, SkeletonExtras};
use super::bones::{self, Frame};
use super::keys::next_euler;
use super::nodes::Nodes;
use super::skins::{Joint, Rig, inverse};
use super::surface::Surface;
use crate::io::report::{Report, Severity};
use crate::math::bounds::Bounds;
use crate::math::decompose::polar_factor;
use crate::math::rotation::from_euler;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::kinematics::axes_matrix;
use crate::rig::skeleton::Skeleton;
use crate::rig::weights::VertexWeights;
use glam::{DAffine3, DMat3, DVec3, Vec3};

/// A rig with its skeleton.
pub struct Rigged {
    pub rig: Rig,
    pub skeleton: Skeleton,
    pub weights: VertexWeights,
    /// For each joint its bone, unless it has none.
    pub bone_of: Vec<Option<usize>>,
    /// For each joint the nearest one above that has a bone.
    above: Vec<Option<usize>>,
    /// For each joint the rotation of its bind pose, with a reflection where that has one.
    turned: Vec<DMat3>,
    /// For each joint the rotation axes of its bone.
    axes: Vec<DMat3>,
    /// The joint that carries the base.
    root: Option<usize>,
    /// Where that stands in the bind pose.
    root_start: DVec3,
    /// The base offset that our own extras state.
    pub stated_offset: Vec3,
    /// The largest side of the surface, for messages.
    pub height: f64,
    told: Told,
}

/// What a skeleton cannot do, at its worst: how much, in which animation and frame, for each joint.
#[derive(Default)]
struct Told {
    moved: Vec<Option<Worst>>,
    scaled: Vec<Option<Worst>>,
}

#[derive(Clone)]
struct Worst {
    amount: f64,
    place: String,
}

/// How a rig stands at a moment.
pub struct Stance {
    joints: Vec<JointStance>,
    /// Of the base.
    pub offset: DVec3,
}

#[derive(Clone, Default)]
struct JointStance {
    /// Of the bone against its parent, in its own axes.
    turn: DMat3,
    /// How far it is from where its parent has it, as a part of the height.
    moved: f64,
    /// How it is scaled against its parent: the factor that is farthest from 1.
    factor: f64,
}

/// How far a factor is from none.
fn off(factor: f64) -> f64 {
    (factor - 1.0).abs()
}

/// Joints that stand for no bone: vertices without weights, and what only carries the whole.
pub struct Dropped {
    pub neutral: Option<usize>,
    /// The joint of our own exports, or of others, whose children are the roots.
    pub root: Option<usize>,
}

impl Dropped {
    fn contains(&self, joint: usize) -> bool {
        self.neutral == Some(joint) || self.root == Some(joint)
    }
}

/// Less than this part of the height is not told.
const TOLD_MOVE: f64 = 1e-3;
const TOLD_SCALE: f64 = 2e-3;

impl Rigged {
    pub fn new(
        rig: Rig,
        nodes: &Nodes,
        dropped: &Dropped,
        surface: Option<(&HalfedgeMesh, &Surface)>,
        ours: Option<&SkeletonExtras>,
        report: &mut Report,
    ) -> Self {
        let count = rig.joints.len();
        let above = above(&rig, dropped);
        let turn_of = |joint: &Joint| polar_factor(joint.bind.matrix3).unwrap_or(DMat3::IDENTITY);
        let turned: Vec<DMat3> = rig.joints.iter().map(turn_of).collect();
        let (frames, frame_of) = frames(&rig, nodes, dropped, &above, &turned);
        let root = dropped
            .root
            .or_else(|| (0..count).find(|joint| frame_of[*joint].is_some() && above[*joint].is_none()));
        let root_start = root.map_or(DVec3::ZERO, |root| rig.joints[root].bind.translation);
        let height = surface.map_or_else(|| rig.size(), |(mesh, _)| height(mesh));
        let followers = followers(surface, &frame_of, frames.len());
        let size = if frames.len() > 1 { rig.size() } else { height };
        let ours = ours.filter(|ours| ours.root.as_dvec3().distance(root_start) < 1e-4 * size);
        let base = ours.map_or(root_start, |ours| ours.base.as_dvec3());
        let mut bones = bones::bones(&frames, base, &followers, size);
        let lost = ours.map_or(0, |ours| ours.add_handles(&mut bones.skeleton));
        if lost > 0 {
            let text = format!("{lost} handles of bones that are not in the file are left out");
            report.add(Severity::Warning, "left-out", "/nodes", text);
        }
        let bone_of = frame_of.iter().map(|frame| Some(bones.bone_of[(*frame)?]));
        let bone_of: Vec<Option<usize>> = bone_of.collect();
        let skeleton = bones.skeleton;
        let axes = bone_of
            .iter()
            .map(|bone| bone.map_or(DMat3::IDENTITY, |bone| axes_matrix(&skeleton.bones[bone])));
        let axes = axes.collect();
        Self {
            told: Told {
                moved: vec![None; count],
                scaled: vec![None; count],
            },
            weights: surface
                .map(|surface| weights(surface, &bone_of))
                .unwrap_or_default(),
            rig,
            skeleton,
            bone_of,
            above,
            turned,
            axes,
            root,
            root_start: root_start.as_vec3().as_dvec3(),
            stated_offset: ours.map_or(Vec3::ZERO, |ours| ours.base_offset),
            height,
        }
    }

    /// How the joints stand where the nodes do as `world` says.
    pub fn stance(&self, world: &[DAffine3]) -> Stance {
        let anchored = self.rig.anchor.map_or(DAffine3::IDENTITY, |anchor| world[anchor]) * self.rig.placed;
        let to_mesh = inverse(&anchored);
        let joints = &self.rig.joints;
        let mut now: Vec<(DMat3, DVec3)> = Vec::with_capacity(joints.len());
        let mut stretches = vec![DMat3::IDENTITY; joints.len()];
        let mut stances = vec![JointStance::default(); joints.len()];
        let root = self.root.unwrap_or(0);
        let at = |joint: usize| to_mesh * world[joints[joint].node];
        let root_now = joints.get(root).map_or(DVec3::ZERO, |_| at(root).translation);
        for (index, joint) in joints.iter().enumerate() {
            let matrix = at(index);
            let parent = self.above[index];
            let (parent_turn, parent_now, parent_start) = match parent {
                Some(parent) => (now[parent].0, now[parent].1, joints[parent].bind.translation),
                None => (DMat3::IDENTITY, root_now, joints[root].bind.translation),
            };
            let turn = polar_factor(matrix.matrix3).map(|turn| turn * self.turned[index].transpose());
            let turn = turn.filter(|turn| turn.determinant() > 0.0);
            let turn = turn.unwrap_or(parent_turn);
            now.push((turn, matrix.translation));
            if self.bone_of[index].is_none() {
                continue;
            }
            let axes = self.axes[index];
            // Against the parent as it is stretched, lest its children be told too.
            let parent_stretch = parent.map_or(DMat3::IDENTITY, |parent| stretches[parent]);
            let to_parent = (parent_turn * parent_stretch).inverse();
            let moved =
                to_parent * (matrix.translation - parent_now) - (joint.bind.translation - parent_start);
            let stretch = turn.transpose() * matrix.matrix3 * joint.bind.matrix3.inverse();
            let own = stretch
                * (turn.transpose() * parent_turn * parent_stretch * parent_turn.transpose() * turn)
                    .inverse();
            stretches[index] = stretch;
            let factors = [own.x_axis.x, own.y_axis.y, own.z_axis.z];
            let most = factors.into_iter().max_by(|a, b| off(*a).total_cmp(&off(*b)));
            stances[index] = JointStance {
                turn: axes.transpose() * parent_turn.transpose() * turn * axes,
                moved: moved.length() / self.height,
                factor: most.unwrap_or(1.0),
            };
        }
        Stance {
            joints: stances,
            offset: root_now - self.root_start,
        }
    }

    /// The angles of all joints (radians), which follow `angles`, those of the frame before. Remembers what bones cannot
    /// do.
    pub fn pose(&mut self, stance: &Stance, angles: &mut [DVec3], place: impl Fn() -> String) {
        for (index, stance) in stance.joints.iter().enumerate() {
            if self.bone_of[index].is_none() {
                continue;
            }
            angles[index] = next_euler(angles[index], stance.turn);
            let JointStance { moved, factor, .. } = *stance;
            tell(&mut self.told.moved[index], moved, moved, TOLD_MOVE, &place);
            let scaled = &mut self.told.scaled[index];
            tell(scaled, off(factor), factor, TOLD_SCALE, &place);
        }
    }

    /// Stores a pose.
    pub fn store(&mut self, angles: &[DVec3], offset: DVec3) {
        for (bone, angles) in self.bone_of.iter().zip(angles) {
            if let Some(bone) = bone {
                self.skeleton.bones[*bone].pose_deg = degrees(*angles);
            }
        }
        self.skeleton.base_offset = offset.as_vec3();
    }

    /// Says what the skeleton cannot do as the file has it.
    pub fn report(&self, nodes: &Nodes, at: &str, report: &mut Report) {
        // As the tree of bones shows it.
        let called = |joint: usize| match self.bone_of[joint] {
            Some(bone) => self.skeleton.bone_name(bone),
            None => nodes.called(self.rig.joints[joint].node),
        };
        let worst = |told: &[Option<Worst>], off: fn(f64) -> f64| {
            let all = told
                .iter()
                .enumerate()
                .filter_map(|(joint, worst)| Some((joint, worst.clone()?)));
            let all: Vec<(usize, Worst)> = all.collect();
            let most = all
                .iter()
                .max_by(|a, b| off(a.1.amount).total_cmp(&off(b.1.amount)))
                .cloned();
            most.map(|(joint, worst)| (called(joint), worst, all.len() - 1))
        };
        let others = |count: usize| match count {
            0 => String::new(),
            1 => ", and one other joint less".to_owned(),
            count => format!(", and {count} other joints less"),
        };
        if let Some((name, worst, more)) = worst(&self.told.moved, |moved| moved) {
            let text = format!(
                "{name} moves {} % of the height against its parent ({}){}: bones of js3d cannot; kept stiff",
                percent(worst.amount),
                worst.place,
                others(more)
            );
            report.add(Severity::Warning, "joint-moves", at, text);
        }
        if let Some((name, worst, more)) = worst(&self.told.scaled, |factor| (factor - 1.0).abs()) {
            let text = format!(
                "{name} is scaled to {:.2} ({}){}: bones of js3d cannot be scaled; it keeps its size",
                worst.amount,
                worst.place,
                others(more)
            );
            report.add(Severity::Warning, "joint-scales", at, text);
        }
    }
}

/// For each joint the nearest one above that is not dropped.
fn above(rig: &Rig, dropped: &Dropped) -> Vec<Option<usize>> {
    let mut above: Vec<Option<usize>> = Vec::with_capacity(rig.joints.len());
    for joint in &rig.joints {
        above.push(match joint.parent {
            Some(parent) if dropped.contains(parent) => above[parent],
            parent => parent,
        });
    }
    above
}

/// What becomes bones, and for each joint its place there.
fn frames(
    rig: &Rig,
    nodes: &Nodes,
    dropped: &Dropped,
    above: &[Option<usize>],
    turned: &[DMat3],
) -> (Vec<Frame>, Vec<Option<usize>>) {
    let ends = ends(rig, nodes);
    let mut frame_of: Vec<Option<usize>> = vec![None; rig.joints.len()];
    let mut frames = Vec::new();
    for (index, joint) in rig.joints.iter().enumerate() {
        if dropped.contains(index) {
            continue;
        }
        frame_of[index] = Some(frames.len());
        let turn = turned[index];
        frames.push(Frame {
            name: nodes.name(joint.node).to_owned(),
            parent: above[index].and_then(|above| frame_of[above]),
            start: joint.bind.translation,
            axes: if turn.determinant() < 0.0 { -turn } else { turn },
            end: ends[index],
            ours: BoneExtras::read(&nodes.of[joint.node]),
        });
    }
    (frames, frame_of)
}

/// For each joint where the node is that marks its end.
fn ends(rig: &Rig, nodes: &Nodes) -> Vec<Option<DVec3>> {
    let mut ends: Vec<Option<DVec3>> = vec![None; rig.joints.len()];
    for (node, parent) in nodes.parent.iter().enumerate() {
        let parent = parent.and_then(|parent| rig.joint_of.get(&parent).copied());
        let name = nodes.name(node).to_lowercase();
        let is_end = ["_end", "end site", "nub"].iter().any(|end| name.ends_with(end));
        if let Some(parent) = parent.filter(|_| is_end && !rig.joint_of.contains_key(&node)) {
            ends[parent] = Some((rig.joints[parent].bind * nodes.local[node]).translation);
        }
    }
    ends
}

/// For each frame the vertices that follow it most.
fn followers(
    surface: Option<(&HalfedgeMesh, &Surface)>,
    frame_of: &[Option<usize>],
    frames: usize,
) -> Vec<Vec<DVec3>> {
    let mut followers = vec![Vec::new(); frames];
    let Some((mesh, surface)) = surface else {
        return followers;
    };
    for (vertex, position) in mesh.positions().iter().enumerate() {
        let most = surface.rows.row(vertex).iter().max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some(frame) = most.and_then(|(joint, _)| frame_of[usize::from(*joint)]) {
            followers[frame].push(position.as_dvec3());
        }
    }
    followers
}

/// The largest side.
fn height(mesh: &HalfedgeMesh) -> f64 {
    let bounds = Bounds::of_points(mesh.positions().iter().copied());
    f64::from((bounds.max - bounds.min).max_element()).max(f64::MIN_POSITIVE)
}

/// Those of joints as those of bones.
fn weights((mesh, surface): (&HalfedgeMesh, &Surface), bone_of: &[Option<usize>]) -> VertexWeights {
    let mut weights = VertexWeights::default();
    for vertex in 0..mesh.vertex_count() {
        let row = surface.rows.row(vertex).iter();
        let of_bone = |(joint, weight): &(u16, f32)| Some((bone_of[usize::from(*joint)]? as u16, *weight));
        weights.push_row(row.filter_map(of_bone));
    }
    weights
}

fn percent(part: f64) -> String {
    let percent = 100.0 * part;
    let digits = usize::from(percent < 10.0);
    format!("{percent:.digits$}")
}

/// Keeps the worst. `off`: how much too much, `amount`: what is said.
fn tell(worst: &mut Option<Worst>, off: f64, amount: f64, least: f64, place: impl Fn() -> String) {
    let known = worst.as_ref().map_or(least, |worst| {
        if amount == off {
            worst.amount
        } else {
            (worst.amount - 1.0).abs()
        }
    });
    if off > known {
        *worst = Some(Worst {
            amount,
            place: place(),
        });
    }
}

/// Angles as channels and bones have them.
pub fn degrees(angles: DVec3) -> Vec3 {
    angles.map(f64::to_degrees).as_vec3()
}

/// Whether two triples of angles (radians) are the same rotation, nearly.
pub fn is_same_turn(a: DVec3, b: DVec3) -> bool {
    bones::angle(&from_euler(a), &from_euler(b)) < 0.01f64.to_radians()
}
