//! Converts rigs to skeletons and weights, and matrices of nodes to poses.

use super::super::extras::{SkeletonExtras, bone_shape, restore};
use super::nodes::Nodes;
use super::skins::{Joint, Rig, inverse};
use super::surface::Surface;
use crate::io::count::counted;
use crate::io::motion::angles::{degrees, next_euler};
use crate::io::motion::bones::{self, Frame};
use crate::io::report::{Report, Severity};
use crate::math::bounds::Bounds;
use crate::math::decompose::polar_factor;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::kinematics::axes_matrix;
use crate::rig::skeleton::Skeleton;
use crate::rig::weights::VertexWeights;
use crate::scene::skinned::SkinnedMesh;
use glam::{DAffine3, DMat3, DVec3, Vec3};

/// A rig with its skeleton.
pub struct SkinnedRig {
    pub rig: Rig,
    pub skeleton: Skeleton,
    pub weights: VertexWeights,
    /// The bone of each joint, if it has one.
    pub bone_of: Vec<Option<usize>>,
    /// The closest ancestor of each joint that has a bone.
    parents: Vec<Option<usize>>,
    /// The rotation of each joint in its bind pose, with a reflection if it has one.
    bind_rotations: Vec<DMat3>,
    /// The rotation axes of the bone of each joint.
    axes: Vec<DMat3>,
    /// The joint to which the base belongs.
    root: Option<usize>,
    /// The position of that joint in the bind pose.
    root_head: DVec3,
    /// The base offset in our own extras.
    pub stored_offset: Vec3,
    /// What our own extras hold of a character that glTF has no place for.
    pub stored: Option<SkinnedMesh>,
    /// The length of the longest side of the surface, for messages.
    pub height: f64,
    losses: Losses,
    /// The largest weight of each joint at any vertex.
    largest_weights: Vec<f64>,
}

/// The worst cases, per joint, of what a skeleton cannot represent.
#[derive(Default)]
struct Losses {
    moved: Vec<Option<WorstCase>>,
    scaled: Vec<Option<WorstCase>>,
    /// The largest distance of a vertex from where it should be because joints move, as a fraction of the height.
    skin_off: f64,
}

#[derive(Clone)]
struct WorstCase {
    amount: f64,
    place: String,
}

/// The pose of a rig.
pub struct RigPose {
    joints: Vec<JointPose>,
    /// The base offset.
    pub offset: DVec3,
}

#[derive(Clone, Default)]
struct JointPose {
    /// The rotation of the bone relative to its parent, in its own axes.
    rotation: DMat3,
    /// The translation relative to the parent, as a fraction of the height.
    moved: f64,
    /// The distance of the bone from the joint, which is what all its ancestors and itself have moved, as a fraction of
    /// the height.
    off: f64,
    /// The scale relative to the parent: the factor that is farthest from 1.
    factor: f64,
}

/// Returns the difference of a factor from 1.
fn scale_error(factor: f64) -> f64 {
    (factor - 1.0).abs()
}

/// Joints without bones: for vertices without weights, and for the transform of the whole.
pub struct DroppedJoints {
    pub neutral: Option<usize>,
    /// The root joint in our own exports, or others, whose children are the root bones.
    pub root: Option<usize>,
}

impl DroppedJoints {
    fn contains(&self, joint: usize) -> bool {
        self.neutral == Some(joint) || self.root == Some(joint)
    }
}

/// The thresholds for reports: a fraction of the height, and a difference of scale.
const MOVE_THRESHOLD: f64 = 1e-3;
const SCALE_THRESHOLD: f64 = 2e-3;

impl SkinnedRig {
    pub fn new(
        rig: Rig,
        nodes: &Nodes,
        dropped: &DroppedJoints,
        surface: Option<(&HalfedgeMesh, &Surface)>,
        ours: Option<&SkeletonExtras>,
        report: &mut Report,
    ) -> Self {
        let count = rig.joints.len();
        let parents = parents(&rig, dropped);
        let bind_rotation = |joint: &Joint| polar_factor(joint.bind.matrix3).unwrap_or(DMat3::IDENTITY);
        let bind_rotations: Vec<DMat3> = rig.joints.iter().map(bind_rotation).collect();
        let (frames, frame_of) = frames(&rig, nodes, dropped, &parents, &bind_rotations);
        let root = dropped
            .root
            .or_else(|| (0..count).find(|joint| frame_of[*joint].is_some() && parents[*joint].is_none()));
        let root_head = root.map_or(DVec3::ZERO, |root| rig.joints[root].bind.translation);
        let height = surface.map_or_else(|| rig.size(), |(mesh, _)| height(mesh));
        let followers = followers(surface, &frame_of, frames.len());
        let size = if frames.len() > 1 { rig.size() } else { height };
        let ours = ours.filter(|ours| ours.root.as_dvec3().distance(root_head) < 1e-4 * size);
        let base = ours.map_or(root_head, |ours| ours.base.as_dvec3());
        let mut bones = bones::bones(&frames, base, &followers, size);
        let stored = ours.and_then(SkeletonExtras::unpacked);
        let missing = stored.as_ref().map_or(0, |stored| restore(&stored.skeleton, &mut bones.skeleton));
        if missing > 0 {
            let text = format!(
                "{} left out: the bones are not in the file",
                counted(missing, "handle is", "handles are")
            );
            report.add(Severity::Warning, "left-out", "/nodes", text);
        }
        let bone_of = frame_of.iter().map(|frame| Some(bones.bone_of[(*frame)?]));
        let bone_of: Vec<Option<usize>> = bone_of.collect();
        let skeleton = bones.skeleton;
        let axes = bone_of
            .iter()
            .map(|bone| bone.map_or(DMat3::IDENTITY, |bone| axes_matrix(&skeleton.bones[bone])));
        let axes = axes.collect();
        let weights = surface.map(|surface| weights(surface, &bone_of)).unwrap_or_default();
        let mut largest = vec![0.0; skeleton.bones.len()];
        for (bone, weight) in (0..weights.vertex_count()).flat_map(|vertex| weights.influences(vertex)) {
            let largest: &mut f64 = &mut largest[usize::from(bone)];
            *largest = largest.max(f64::from(weight));
        }
        let largest_weights = bone_of.iter().map(|bone| bone.map_or(0.0, |bone| largest[bone])).collect();
        Self {
            losses: Losses { moved: vec![None; count], scaled: vec![None; count], skin_off: 0.0 },
            largest_weights,
            weights,
            rig,
            skeleton,
            bone_of,
            parents,
            bind_rotations,
            axes,
            root,
            root_head: root_head.as_vec3().as_dvec3(),
            stored_offset: ours.map_or(Vec3::ZERO, |ours| ours.base_offset),
            stored,
            height,
        }
    }

    /// Returns the pose of the joints for `world_from_node` of all nodes.
    pub fn pose(&self, world: &[DAffine3]) -> RigPose {
        let world_from_mesh =
            self.rig.anchor.map_or(DAffine3::IDENTITY, |anchor| world[anchor]) * self.rig.anchor_from_mesh;
        let to_mesh = inverse(&world_from_mesh);
        let joints = &self.rig.joints;
        let mut current: Vec<(DMat3, DVec3)> = Vec::with_capacity(joints.len());
        let mut stretches = vec![DMat3::IDENTITY; joints.len()];
        let mut poses = vec![JointPose::default(); joints.len()];
        let mut offsets = vec![DVec3::ZERO; joints.len()];
        let root = self.root.unwrap_or(0);
        let mesh_from_joint = |joint: usize| to_mesh * world[joints[joint].node];
        let root_position = joints.get(root).map_or(DVec3::ZERO, |_| mesh_from_joint(root).translation);
        for (index, joint) in joints.iter().enumerate() {
            let matrix = mesh_from_joint(index);
            let parent = self.parents[index];
            let (parent_rotation, parent_position, parent_head) = match parent {
                Some(parent) => (current[parent].0, current[parent].1, joints[parent].bind.translation),
                None => (DMat3::IDENTITY, root_position, joints[root].bind.translation),
            };
            let rotation = polar_factor(matrix.matrix3)
                .map(|rotation| rotation * self.bind_rotations[index].transpose());
            let rotation = rotation.filter(|rotation| rotation.determinant() > 0.0);
            let rotation = rotation.unwrap_or(parent_rotation);
            current.push((rotation, matrix.translation));
            if self.bone_of[index].is_none() {
                continue;
            }
            let axes = self.axes[index];
            // Relative to the stretched parent, so that its children are not reported too.
            let parent_stretch = parent.map_or(DMat3::IDENTITY, |parent| stretches[parent]);
            let from_parent = parent_rotation * parent_stretch;
            let moved = from_parent.inverse() * (matrix.translation - parent_position)
                - (joint.bind.translation - parent_head);
            offsets[index] = parent.map_or(DVec3::ZERO, |parent| offsets[parent]) + from_parent * moved;
            let stretch = rotation.transpose() * matrix.matrix3 * joint.bind.matrix3.inverse();
            let own_stretch = stretch
                * (rotation.transpose()
                    * parent_rotation
                    * parent_stretch
                    * parent_rotation.transpose()
                    * rotation)
                    .inverse();
            stretches[index] = stretch;
            let factors = [own_stretch.x_axis.x, own_stretch.y_axis.y, own_stretch.z_axis.z];
            let largest = factors.into_iter().max_by(|a, b| scale_error(*a).total_cmp(&scale_error(*b)));
            poses[index] = JointPose {
                rotation: axes.transpose() * parent_rotation.transpose() * rotation * axes,
                moved: moved.length() / self.height,
                off: offsets[index].length() / self.height,
                factor: largest.unwrap_or(1.0),
            };
        }
        RigPose { joints: poses, offset: root_position - self.root_head }
    }

    /// Updates the angles of all joints (radians) from those of the previous frame, and records what bones
    /// cannot represent.
    pub fn update_angles(&mut self, pose: &RigPose, angles: &mut [DVec3], place: impl Fn() -> String) {
        for (index, joint) in pose.joints.iter().enumerate() {
            if self.bone_of[index].is_none() {
                continue;
            }
            angles[index] = next_euler(angles[index], joint.rotation);
            let JointPose { moved, off, factor, .. } = *joint;
            self.losses.skin_off = self.losses.skin_off.max(off * self.largest_weights[index]);
            record_worst(&mut self.losses.moved[index], moved, moved, MOVE_THRESHOLD, &place);
            let scaled = &mut self.losses.scaled[index];
            record_worst(scaled, scale_error(factor), factor, SCALE_THRESHOLD, &place);
        }
    }

    /// Stores a pose in the skeleton.
    pub fn store_pose(&mut self, angles: &[DVec3], offset: DVec3) {
        for (bone, angles) in self.bone_of.iter().zip(angles) {
            if let Some(bone) = bone {
                self.skeleton.bones[*bone].pose_deg = degrees(*angles);
            }
        }
        self.skeleton.base_offset = offset.as_vec3();
    }

    /// Reports what the skeleton cannot represent.
    pub fn report(&self, nodes: &Nodes, pointer: &str, report: &mut Report) {
        // The name in the tree of bones.
        let label = |joint: usize| match self.bone_of[joint] {
            Some(bone) => self.skeleton.bone_name(bone),
            None => nodes.label(self.rig.joints[joint].node),
        };
        let moves_skin = self.moves_skin();
        // Those that move vertices come first: nobody sees what a control bone does.
        let find_worst = |losses: &[Option<WorstCase>], error: fn(f64) -> f64| {
            let all = losses.iter().enumerate();
            let all: Vec<(usize, &WorstCase)> =
                all.filter_map(|(joint, worst_case)| Some((joint, worst_case.as_ref()?))).collect();
            let most = all.iter().max_by(|(a, case_a), (b, case_b)| {
                let errors = error(case_a.amount).total_cmp(&error(case_b.amount));
                moves_skin[*a].cmp(&moves_skin[*b]).then(errors)
            });
            most.map(|&(joint, worst_case)| (joint, worst_case.clone(), all.len() - 1))
        };
        let others = |count: usize| match count {
            0 => String::new(),
            1 => "; so does another joint".to_owned(),
            count => format!("; so do {count} other joints"),
        };
        let no_vertex = "no vertex follows it";
        if let Some((joint, worst_case, others_count)) = find_worst(&self.losses.moved, |moved| moved) {
            let effect = match self.losses.skin_off {
                0.0 => no_vertex.to_owned(),
                off => format!("the skin is off by up to {} % of the height", percent(off)),
            };
            let text = format!(
                "{} moves {} % of the height against its parent ({}){}: bones in js3d cannot move this way; the motion is \
                 left out, {effect}",
                label(joint),
                percent(worst_case.amount),
                worst_case.place,
                others(others_count)
            );
            report.add(Severity::Warning, "joint-moves", pointer, text);
        }
        if let Some((joint, worst_case, others_count)) =
            find_worst(&self.losses.scaled, |factor| (factor - 1.0).abs())
        {
            let effect = if moves_skin[joint] { String::new() } else { format!("; {no_vertex}") };
            let text = format!(
                "{} is scaled to {:.2} ({}){}: bones of js3d cannot be scaled; it keeps its size{effect}",
                label(joint),
                worst_case.amount,
                worst_case.place,
                others(others_count)
            );
            report.add(Severity::Warning, "joint-scales", pointer, text);
        }
    }

    /// Whether vertices follow each joint or one of its descendants.
    fn moves_skin(&self) -> Vec<bool> {
        let mut moves: Vec<bool> = self.largest_weights.iter().map(|weight| *weight > 0.0).collect();
        // Parents come before their children.
        for joint in (0..moves.len()).rev() {
            if let Some(parent) = self.parents[joint].filter(|_| moves[joint]) {
                moves[parent] = true;
            }
        }
        moves
    }
}

/// Returns the closest ancestor of each joint that is not dropped.
fn parents(rig: &Rig, dropped: &DroppedJoints) -> Vec<Option<usize>> {
    let mut parents: Vec<Option<usize>> = Vec::with_capacity(rig.joints.len());
    for joint in &rig.joints {
        parents.push(match joint.parent {
            Some(parent) if dropped.contains(parent) => parents[parent],
            parent => parent,
        });
    }
    parents
}

/// Returns the frames of future bones, and the frame of each joint.
fn frames(
    rig: &Rig,
    nodes: &Nodes,
    dropped: &DroppedJoints,
    parents: &[Option<usize>],
    bind_rotations: &[DMat3],
) -> (Vec<Frame>, Vec<Option<usize>>) {
    let ends = ends(rig, nodes);
    let mut frame_of: Vec<Option<usize>> = vec![None; rig.joints.len()];
    let mut frames = Vec::new();
    for (index, joint) in rig.joints.iter().enumerate() {
        if dropped.contains(index) {
            continue;
        }
        frame_of[index] = Some(frames.len());
        let rotation = bind_rotations[index];
        frames.push(Frame {
            name: nodes.name(joint.node).to_owned(),
            parent: parents[index].and_then(|parent| frame_of[parent]),
            start: joint.bind.translation,
            axes: if rotation.determinant() < 0.0 { -rotation } else { rotation },
            end: ends[index],
            ours: bone_shape(&nodes.all[joint.node]),
        });
    }
    (frames, frame_of)
}

/// Returns, for each joint, the position of the node that marks its end.
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

/// Returns, for each frame, the vertices on which it has the largest weight.
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
        let largest = surface.rows.row(vertex).iter().max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some(frame) = largest.and_then(|(joint, _)| frame_of[usize::from(*joint)]) {
            followers[frame].push(position.as_dvec3());
        }
    }
    followers
}

/// Returns the length of the longest side.
fn height(mesh: &HalfedgeMesh) -> f64 {
    let bounds = Bounds::from_points(mesh.positions().iter().copied());
    f64::from((bounds.max - bounds.min).max_element()).max(f64::MIN_POSITIVE)
}

/// Converts weights of joints to weights of bones.
fn weights((mesh, surface): (&HalfedgeMesh, &Surface), bone_of: &[Option<usize>]) -> VertexWeights {
    let mut weights = VertexWeights::default();
    for vertex in 0..mesh.vertex_count() {
        let row = surface.rows.row(vertex).iter();
        let to_bone = |(joint, weight): &(u16, f32)| Some((bone_of[usize::from(*joint)]? as u16, *weight));
        weights.push_row(row.filter_map(to_bone));
    }
    weights
}

fn percent(fraction: f64) -> String {
    let percent = 100.0 * fraction;
    let digits = usize::from(percent < 10.0);
    format!("{percent:.digits$}")
}

/// Records the worst case. `error` is how far the value is off, `amount` the value for the message.
fn record_worst(
    worst_case: &mut Option<WorstCase>,
    error: f64,
    amount: f64,
    threshold: f64,
    place: impl Fn() -> String,
) {
    let known = worst_case.as_ref().map_or(threshold, |worst_case| {
        if amount == error { worst_case.amount } else { (worst_case.amount - 1.0).abs() }
    });
    if error > known {
        *worst_case = Some(WorstCase { amount, place: place() });
    }
}
