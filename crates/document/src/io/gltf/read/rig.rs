//! Converts rigs to skeletons and weights, and matrices of nodes to poses.

use super::super::extras::{SkeletonExtras, bone_shape, restore};
use super::nodes::{Nodes, marks_end};
use super::skins::{Joint, Rig, inverse};
use super::surface::Surface;
use crate::io::count::counted;
use crate::io::motion::bones::{self, Frame};
use crate::io::motion::surface_keys::{boxes, corners};
use crate::io::report::{Report, Severity};
use crate::math::angles::{degrees, next_euler};
use crate::math::bounds::Bounds;
use crate::math::decompose::polar_factor;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::kinematics::{axes_matrix, bind_pose, scale_axes};
use crate::rig::skeleton::{Bone, Skeleton};
use crate::rig::turn_and_scale::turn_and_scale;
use crate::rig::weights::VertexWeights;
use crate::scene::skinned::{SkinnedMesh, unused_bones};
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
    /// The head of the bone of each joint in the bind pose, its rotation axes, and those along which it is scaled.
    heads: Vec<DVec3>,
    axes: Vec<DMat3>,
    scale_axes: Vec<DMat3>,
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
    /// The corners of the box around what each joint moves, in the bind pose.
    corners: Vec<Vec<DVec3>>,
}

/// What a skeleton cannot represent.
#[derive(Default)]
struct Losses {
    /// The worst case of each joint that shears, as a fraction of the height.
    sheared: Vec<Option<WorstCase>>,
    /// The largest distance of a vertex from where it should be, as a fraction of the height.
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

/// The pose of a bone against its parent.
#[derive(Clone, Copy)]
struct JointPose {
    /// The rotation in the axes of the bone.
    rotation: DMat3,
    translation: DVec3,
    scale: DVec3,
    /// How far the bone is from where the joint is, as a fraction of the height: what it shears.
    off: f64,
    /// How far what follows the bone is from where it should be, with all bones above it, as a fraction of the height.
    skin_off: f64,
}

impl JointPose {
    const REST: Self = Self {
        rotation: DMat3::IDENTITY,
        translation: DVec3::ZERO,
        scale: DVec3::ONE,
        off: 0.0,
        skin_off: 0.0,
    };
}

/// The pose of a bone that was unwound from frame to frame.
#[derive(Clone, Copy)]
pub struct BonePose {
    /// The angles in radians.
    pub angles: DVec3,
    pub translation: DVec3,
    pub scale: DVec3,
}

impl BonePose {
    pub const REST: Self = Self { angles: DVec3::ZERO, translation: DVec3::ZERO, scale: DVec3::ONE };
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

/// The fraction of the height from which shear is reported.
const SHEAR_THRESHOLD: f64 = 1e-4;
/// Smaller translations, as fractions of the height, are rounding.
const NO_MOVE: f64 = 1e-6;
/// What is farther is damaged.
const MAX_MOVE: f64 = 1e15;

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
        let of_bones = |axes: fn(&Bone) -> DMat3| {
            let axes =
                bone_of.iter().map(|bone| bone.map_or(DMat3::IDENTITY, |bone| axes(&skeleton.bones[bone])));
            axes.collect()
        };
        let (axes, scale_axes) = (of_bones(axes_matrix), of_bones(scale_axes));
        let bind = bind_pose(&skeleton);
        let heads =
            bone_of.iter().map(|bone| bone.map_or(DVec3::ZERO, |bone| bind[bone].translation)).collect();
        let weights = surface.map(|surface| weights(surface, &bone_of)).unwrap_or_default();
        let mut largest = vec![0.0; skeleton.bones.len()];
        for (bone, weight) in (0..weights.vertex_count()).flat_map(|vertex| weights.influences(vertex)) {
            let largest: &mut f64 = &mut largest[usize::from(bone)];
            *largest = largest.max(f64::from(weight));
        }
        let largest_weights = bone_of.iter().map(|bone| bone.map_or(0.0, |bone| largest[bone])).collect();
        let boxes = surface.map(|(mesh, _)| boxes(&weights, mesh, skeleton.bones.len())).unwrap_or_default();
        let corners_of =
            |bone: &Option<usize>| bone.and_then(|bone| boxes.get(bone)).map_or(Vec::new(), corners);
        let corners = bone_of.iter().map(corners_of).collect();
        Self {
            corners,
            losses: Losses { sheared: vec![None; count], skin_off: 0.0 },
            largest_weights,
            weights,
            rig,
            skeleton,
            bone_of,
            parents,
            heads,
            axes,
            scale_axes,
            root,
            root_head: root_head.as_vec3().as_dvec3(),
            stored_offset: ours.map_or(Vec3::ZERO, |ours| ours.base_offset),
            stored,
            height,
        }
    }

    /// Hides the bones that move nothing, such as controls and pole targets, unless our own extras say which are hidden.
    pub fn hide_unused(&mut self, pointer: &str, report: &mut Report) {
        let is_unused = unused_bones(&self.skeleton, &self.weights);
        if self.stored.is_some() || is_unused.iter().all(|is_unused| *is_unused) {
            return;
        }
        let bones = self.skeleton.bones.iter_mut().zip(is_unused);
        let mut hidden: Vec<&mut Bone> =
            bones.filter(|(bone, is_unused)| *is_unused && !bone.link).map(|(bone, _)| bone).collect();
        if hidden.is_empty() {
            return;
        }
        hidden.iter_mut().for_each(|bone| bone.hidden = true);
        let text = format!(
            "{} no vertices and {} hidden: View > Show > Hidden bones shows them, Bone > Delete unused bones removes them",
            counted(hidden.len(), "bone moves", "bones move"),
            if hidden.len() == 1 { "is" } else { "are" }
        );
        report.add(Severity::Note, "hidden-bones", pointer, text);
    }

    /// Returns the pose of the joints for `world_from_node` of all nodes: that in which bones deform the surface as the
    /// joints do.
    pub fn pose(&self, world: &[DAffine3]) -> RigPose {
        let world_from_mesh =
            self.rig.anchor.map_or(DAffine3::IDENTITY, |anchor| world[anchor]) * self.rig.anchor_from_mesh;
        let to_mesh = inverse(&world_from_mesh);
        let joints = &self.rig.joints;
        let root = self.root.unwrap_or(0);
        let root_position =
            joints.get(root).map_or(DVec3::ZERO, |joint| (to_mesh * world[joint.node]).translation);
        let offset = root_position - self.root_head;
        // skeleton_from_bone of each joint's bone.
        let mut current: Vec<DAffine3> = Vec::with_capacity(joints.len());
        let mut poses = vec![JointPose::REST; joints.len()];
        for (index, joint) in joints.iter().enumerate() {
            let (from_parent, head_in_parent) = match self.parents[index] {
                Some(parent) => (current[parent], self.heads[index] - self.heads[parent]),
                None => (DAffine3::from_translation(offset), self.heads[index]),
            };
            let deformed = to_mesh * world[joint.node] * inverse(&joint.bind);
            let head = DAffine3::from_translation(self.heads[index]);
            if self.bone_of[index].is_none() {
                current.push(from_parent);
                continue;
            }
            let target = inverse(&from_parent) * (deformed * head);
            let (pose, matrix) = self.decomposed(index, &target, head_in_parent);
            let matrix = from_parent * matrix;
            let skin = |corner: &DVec3| {
                matrix
                    .transform_point3(*corner - self.heads[index])
                    .distance(deformed.transform_point3(*corner))
            };
            let skin_off = self.corners[index].iter().map(skin).fold(0.0, f64::max) / self.height;
            poses[index] = JointPose { skin_off, ..pose };
            current.push(matrix);
        }
        RigPose { joints: poses, offset }
    }

    /// Returns the pose of a bone whose matrix, from its own space to that of its parent, is `target`, and the matrix
    /// that this pose gives it.
    fn decomposed(&self, joint: usize, target: &DAffine3, head_in_parent: DVec3) -> (JointPose, DAffine3) {
        let (axes, scale_axes) = (self.axes[joint], self.scale_axes[joint]);
        let mut translation = target.translation - head_in_parent;
        if !(translation.length() > NO_MOVE * self.height && translation.abs().max_element() < MAX_MOVE) {
            translation = DVec3::ZERO;
        }
        let (rotation, scale) = turn_and_scale(target.matrix3, scale_axes);
        let matrix = rotation * scale_axes * DMat3::from_diagonal(scale) * scale_axes.transpose();
        let extent =
            self.bone_of[joint].map_or(0.0, |bone| self.skeleton.bones[bone].extent.as_dvec3().length());
        let sheared = (matrix - target.matrix3).to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt();
        let pose = JointPose {
            rotation: axes.transpose() * rotation * axes,
            translation,
            scale,
            off: sheared * extent / self.height,
            skin_off: 0.0,
        };
        (pose, DAffine3::from_mat3_translation(matrix, head_in_parent + translation))
    }

    /// Updates the poses of all joints from those of the previous frame, and records what bones cannot represent.
    pub fn update(&mut self, pose: &RigPose, poses: &mut [BonePose], place: impl Fn() -> String) {
        for (index, joint) in pose.joints.iter().enumerate() {
            if self.bone_of[index].is_none() {
                continue;
            }
            let JointPose { rotation, translation, scale, off, skin_off } = *joint;
            // What has no size has no rotation either.
            let angles = if scale == DVec3::ZERO {
                poses[index].angles
            } else {
                next_euler(poses[index].angles, rotation)
            };
            poses[index] = BonePose { angles, translation, scale };
            self.losses.skin_off = self.losses.skin_off.max(skin_off * self.largest_weights[index]);
            let worst_case = &mut self.losses.sheared[index];
            if off > worst_case.as_ref().map_or(SHEAR_THRESHOLD, |worst_case| worst_case.amount) {
                *worst_case = Some(WorstCase { amount: off, place: place() });
            }
        }
    }

    /// Stores a pose in the skeleton.
    pub fn store_pose(&mut self, poses: &[BonePose], offset: DVec3) {
        for (joint, pose) in poses.iter().enumerate() {
            if let Some(bone) = self.bone_of[joint] {
                self.skeleton.bones[bone].pose_deg = degrees(pose.angles);
                self.store_translation(bone, pose.translation.as_vec3());
                self.store_scale(bone, pose.scale.as_vec3());
            }
        }
        self.skeleton.base_offset = offset.as_vec3();
    }

    /// Stores how far a bone is moved, unless our own extras said nearly the same. A bone that is moved is not locked.
    pub fn store_translation(&mut self, bone: usize, translation: Vec3) {
        let bone = &mut self.skeleton.bones[bone];
        if f64::from(bone.translation.distance(translation)) > 1e-5 * self.height {
            bone.translation = translation;
        }
        bone.lock_transform &= bone.translation == Vec3::ZERO;
    }

    /// Stores the scale of a bone: see [`Self::store_translation`].
    pub fn store_scale(&mut self, bone: usize, scale: Vec3) {
        let bone = &mut self.skeleton.bones[bone];
        if bone.scale.distance(scale) > 1e-5 {
            bone.scale = scale;
        }
        bone.lock_transform &= bone.scale == Vec3::ONE;
    }

    /// Reports what the skeleton cannot represent.
    pub fn report(&self, nodes: &Nodes, pointer: &str, report: &mut Report) {
        let moves_skin = self.moves_skin();
        let sheared = self.losses.sheared.iter().enumerate();
        let sheared = sheared.filter_map(|(joint, worst)| Some((joint, worst.as_ref()?)));
        let all: Vec<(usize, &WorstCase)> = sheared.filter(|(joint, _)| moves_skin[*joint]).collect();
        let Some((joint, worst)) = all.iter().max_by(|a, b| a.1.amount.total_cmp(&b.1.amount)) else {
            return;
        };
        // The name in the tree of bones.
        let label = match self.bone_of[*joint] {
            Some(bone) => self.skeleton.bone_name(bone),
            None => nodes.label(self.rig.joints[*joint].node),
        };
        let others = match all.len() - 1 {
            0 => String::new(),
            1 => "; so does another joint".to_owned(),
            count => format!("; so do {count} other joints"),
        };
        let text = format!(
            "{label} is sheared by {} % of the height ({}){others}: bones turn, move and scale along their axes; the skin is \
             off by up to {} % of the height",
            percent(worst.amount),
            worst.place,
            percent(self.losses.skin_off)
        );
        report.add(Severity::Warning, "joint-shears", pointer, text);
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
        let is_end = marks_end(nodes.name(node));
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
