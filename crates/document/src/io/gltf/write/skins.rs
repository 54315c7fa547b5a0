//! Writes skinned meshes and their skeletons.

use super::super::extras::{SkeletonExtras, extras};
use super::super::schema::{Index, Node, Skin};
use super::binary::Binary;
use super::error::{ExportError, all_finite};
use super::influences::JointWeights;
use super::joints::Joints;
use super::names::Names;
use super::nodes::Nodes;
use super::surface::Triangles;
use crate::anim::channel::{ChannelRef, SkeletonChannel};
use crate::io::export::ExportOptions;
use crate::io::motion::bones::BoneShape;
use crate::rig::kinematics::axes_matrix;
use crate::rig::property::Property;
use crate::rig::skeleton::Bone;
use crate::scene::Scene;
use crate::scene::instance::GeometryInstance;
use crate::scene::skinned::SkinnedMesh;
use glam::{DMat4, DQuat, DVec3, Mat4};

/// A skinned mesh with bones, and its exported instances.
pub struct SkinExport<'s> {
    pub name: &'s str,
    pub mesh: &'s SkinnedMesh,
    pub joints: Joints,
    pub joint_weights: JointWeights,
    pub triangles: Triangles,
    inverse_binds: Index,
    pub instances: Vec<PlacedInstance<'s>>,
}

/// An instance of a skinned mesh.
pub struct PlacedInstance<'s> {
    pub name: &'s str,
    pub instance: &'s GeometryInstance,
    names: Vec<String>,
    /// The node of the root, see [`Joints::root`].
    pub root: Index,
    /// The node of each joint.
    pub nodes: Vec<Index>,
}

/// The additional root of a skeleton with several root joints or none.
const ROOT: &str = "root";
/// The joint of vertices that no bone moves.
const NEUTRAL: &str = "neutral_bone";

impl<'s> SkinExport<'s> {
    /// Writes surface and bind pose; `None` for a surface without faces.
    ///
    /// # Errors
    /// [`ExportError::NotFinite`].
    pub fn new(
        scene: &Scene,
        name: &'s str,
        mesh: &'s SkinnedMesh,
        instances: Vec<(&'s str, &'s GeometryInstance)>,
        binary: &mut Binary,
        names: &mut Names,
        options: &ExportOptions,
    ) -> Result<Option<Self>, ExportError> {
        let skeleton = &mesh.skeleton;
        for (index, bone) in skeleton.bones.iter().enumerate() {
            let single = [bone.roll_deg, bone.radius];
            let are_finite =
                [bone.extent, bone.pose_deg, bone.translation, bone.scale].iter().all(|v| v.is_finite())
                    && single.iter().all(|n| n.is_finite());
            all_finite(are_finite, || {
                format!("a number of bone “{}” of “{name}”", skeleton.bone_name(index))
            })?;
        }
        all_finite(skeleton.base.is_finite() && skeleton.base_offset.is_finite(), || {
            format!("the base of “{name}”")
        })?;
        let mut is_used = vec![false; skeleton.bones.len()];
        for &bone in &mesh.weights.bones {
            if let Some(used) = is_used.get_mut(usize::from(bone)) {
                *used = true;
            }
        }
        let changes = |index: usize, row: &'static Property<Bone>| {
            let bone = &skeleton.bones[index];
            let channel = ChannelRef::new(name, SkeletonChannel::Bone(bone.channel_id, row));
            row.get(bone) != row.get(&Bone::default()) || scene.animation.get(&channel).is_some()
        };
        let joints = Joints::new(skeleton, |index| is_used[index], changes);
        let count = joints.bones.len();
        let neutral = (count + usize::from(!joints.has_root())) as u16;
        let vertices = mesh.surface.vertex_count();
        let joint_weights =
            JointWeights::new(&mesh.weights, vertices, &joints.joint_of, neutral, options.influences);
        let joint_count = usize::from(neutral) + usize::from(joint_weights.unweighted > 0);
        let Some(triangles) = Triangles::write(
            binary,
            name,
            (&mesh.surface, &mesh.mesh_extra),
            &mesh.shapes,
            Some((&joint_weights, joint_count)),
        )?
        else {
            return Ok(None);
        };
        let mut inverse_binds: Vec<DMat4> = (0..count).map(|joint| joints.inverse_bind(joint)).collect();
        if !joints.has_root() {
            inverse_binds.push(DMat4::from_translation(-joints.base));
        }
        if joint_weights.unweighted > 0 {
            inverse_binds.push(DMat4::IDENTITY);
        }
        let inverse_binds: Vec<Mat4> = inverse_binds.iter().map(DMat4::as_mat4).collect();
        let inverse_binds = binary.add_values(&inverse_binds);
        binary.check_finite(|| format!("the bind pose of “{name}”"))?;
        let bone_name = |&bone: &usize| match &skeleton.bones[bone].name {
            Some(name) if !name.is_empty() => name.to_string(),
            _ => format!("bone_{}", skeleton.bones[bone].channel_id),
        };
        let placed = |(name, instance)| PlacedInstance {
            name,
            instance,
            names: joints.bones.iter().map(|bone| names.unique(&bone_name(bone))).collect(),
            root: 0,
            nodes: Vec::new(),
        };
        let instances = instances.into_iter().map(placed).collect();
        Ok(Some(Self { name, mesh, joints, joint_weights, triangles, inverse_binds, instances }))
    }

    /// The names of the bones that have joints, and of the nodes of these in the first instance.
    pub fn node_names(&self) -> impl Iterator<Item = (String, &str)> {
        let names = self.instances.iter().take(1).flat_map(|instance| &instance.names);
        let bones = self.joints.bones.iter().map(|bone| self.mesh.skeleton.bone_name(*bone));
        bones.zip(names.map(String::as_str))
    }

    /// Writes the joints of an instance in the bind pose, its skin and the node of its mesh. `space` is the
    /// node that defines mesh space.
    pub fn write_instance(
        &mut self,
        instance: usize,
        space: Option<Index>,
        mesh: Index,
        nodes: &mut Nodes,
        skins: &mut Vec<Skin>,
        options: &ExportOptions,
    ) {
        let Self { joints, joint_weights, instances, .. } = self;
        let target = &mut instances[instance];
        // Joints need a common ancestor.
        let has_neutral = joint_weights.unweighted > 0;
        let space = match space {
            None if has_neutral => {
                Some(nodes.add_named(None, &format!("{}_joints", target.name), Node::default()))
            }
            space => space,
        };
        let root = (!joints.has_root()).then(|| nodes.add_named(space, ROOT, Node::default()));
        for joint in 0..joints.bones.len() {
            let parent = match joints.parents[joint] {
                Some(parent) => Some(target.nodes[parent]),
                None => root.or(space),
            };
            let node = Node {
                name: Some(target.names[joint].clone()),
                translation: Some(joints.rest_translation(joint)).filter(|t| *t != DVec3::ZERO),
                extras: extras(BoneShape::new(&self.mesh.skeleton.bones[joints.bones[joint]])),
                ..Node::default()
            };
            target.nodes.push(nodes.add(parent, node));
        }
        if options.tip_nodes {
            for joint in 0..joints.bones.len() {
                if !joints.parents.contains(&Some(joint)) {
                    let extent = self.mesh.skeleton.bones[joints.bones[joint]].extent.as_dvec3();
                    let tip = Node {
                        translation: Some(joints.frames[joint].inverse() * extent),
                        ..Node::default()
                    };
                    nodes.add_named(Some(target.nodes[joint]), &format!("{}_end", target.names[joint]), tip);
                }
            }
        }
        target.root = root.unwrap_or_else(|| target.nodes[0]);
        let neutral = has_neutral.then(|| nodes.add_named(space, NEUTRAL, Node::default()));
        skins.push(Skin {
            name: Some(target.name.to_owned()),
            inverse_bind_matrices: Some(self.inverse_binds),
            skeleton: None,
            joints: target.nodes.iter().copied().chain(root).chain(neutral).collect(),
            extras: None,
        });
        nodes.add_named(
            None,
            target.name,
            Node {
                mesh: Some(mesh),
                skin: Some(skins.len() - 1),
                extras: extras(SkeletonExtras::new(self.mesh, self.joints.rest_root())),
                ..Node::default()
            },
        );
    }

    /// Returns the number of bones whose joints have different axes.
    pub fn foreign_frames(&self) -> usize {
        let bone_axes = |bone: usize| DQuat::from_mat3(&axes_matrix(&self.mesh.skeleton.bones[bone]));
        let frames = self.joints.bones.iter().zip(&self.joints.frames);
        frames.filter(|(bone, frame)| bone_axes(**bone).angle_between(**frame) > 1e-6).count()
    }
}
