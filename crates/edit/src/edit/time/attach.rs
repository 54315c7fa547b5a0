//! Attaching an instance to a bone of a character, such as a prop that is picked up: keys of its transform carry it along
//! from one frame to another. Keys, unlike a constraint, are played by every program.

use crate::anim::channel::{ChannelRef, Value};
use crate::anim::clip::Clip;
use crate::edit::command::Command;
use crate::edit::command::keys::{ChannelKeys, KeyCommand, KeyframeValues, Purpose};
use crate::math::segment::closest_parameter;
use crate::rig::handle_space::space_bone;
use crate::rig::ik::{self, chain::chain};
use crate::rig::kinematics::{current_pose, rotation_part, with_descendants};
use crate::rig::skeleton::{Handle, Skeleton};
use crate::scene::Scene;
use crate::scene::apply_animation::Animator;
use crate::scene::instance::{InstanceKind, InstanceRef};
use crate::scene::solve::Posing;
use crate::scene::spaces::{depends_on, find_instance};
use crate::scene::world::{is_self_or_descendant, world_matrix};
use glam::{DAffine3, DQuat};
use std::borrow::Cow;
use std::sync::Arc;

/// What an instance is attached to, and at which frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Attachment {
    /// The name of the skinned instance.
    pub character: String,
    /// The bone, by index.
    pub bone: usize,
    /// The first and the last frame, in order and within the clip.
    pub frames: [u32; 2],
    pub ik: Option<ik::Options>,
}

/// Returns the transform of an instance.
///
/// # Errors
/// A sentence, if it has none.
pub fn transform_of<'s>(scene: &'s Scene, instance: &InstanceRef) -> Result<&'s str, Cow<'static, str>> {
    let placed = scene.instances.get(instance).ok_or("This instance no longer exists.")?;
    let transform = placed.transform.filter(|name| scene.transforms.contains_key(*name));
    transform.ok_or("This instance has no transform to move it by.".into())
}

/// Returns the names of the skinned instances that an instance can be attached to: those with bones, which it does not
/// itself carry.
pub fn characters(scene: &Scene, instance: &InstanceRef) -> Vec<String> {
    let Ok(moved) = transform_of(scene, instance) else { return Vec::new() };
    let characters = scene.instances.skinned_meshes.iter().filter(|(name, character)| {
        let has_bones = character.resource.as_ref().is_some_and(|mesh| {
            scene.skinned_meshes.get(mesh).is_some_and(|mesh| !mesh.skeleton.bones.is_empty())
        });
        let is_itself = instance.kind == InstanceKind::SkinnedMesh && instance.name == **name;
        let is_carried = character
            .transform
            .as_deref()
            .is_some_and(|transform| is_self_or_descendant(scene, transform, moved));
        has_bones && !is_itself && !is_carried
    });
    characters.map(|(name, _)| name.clone()).collect()
}

/// Returns the bone of a character that is nearest to an instance at a frame.
pub fn nearest_bone(scene: &Scene, instance: &InstanceRef, attachment: &Attachment, frame: f32) -> usize {
    let nearest = || {
        let transform = transform_of(scene, instance).ok()?;
        let Posed { skeleton, pose, character, prop, .. } =
            Posed::new(&mut Animator::default(), scene, transform, attachment, frame)?;
        let point = character.inverse().transform_point3(prop.translation);
        let distance = |&bone: &usize| {
            let start = pose[bone].translation;
            let tip = pose[bone].transform_point3(skeleton.bones[bone].extent.as_dvec3());
            start.lerp(tip, closest_parameter(start, tip, point)).distance(point)
        };
        skeleton.shown_bones().min_by(|a, b| distance(a).total_cmp(&distance(b)))
    };
    nearest().unwrap_or(0)
}

/// A character and a prop at a frame.
struct Posed {
    skeleton: Arc<Skeleton>,
    /// P_b of the bones, in skeleton space.
    pose: Vec<DAffine3>,
    /// The world matrices of the character, of the prop, and of what the prop's transform is relative to.
    character: DAffine3,
    prop: DAffine3,
    parent: DAffine3,
    /// The name of a handle that follows the prop and moves the bone.
    follower: Option<String>,
}

impl Posed {
    fn new(
        animator: &mut Animator,
        scene: &Scene,
        transform: &str,
        attachment: &Attachment,
        frame: f32,
    ) -> Option<Self> {
        let driven = animator.animate(scene, frame, &Default::default());
        let character = driven.instances.skinned_meshes.get(&attachment.character)?;
        let mesh = character.resource.as_deref()?;
        let (skeleton, _) = Posing::with_ik(attachment.ik.as_ref()).solve(&driven, mesh)?;
        let follower = attachment.ik.as_ref();
        let follower = follower.and_then(|_| follower_above(&driven, transform, mesh, attachment.bone));
        let world = |name: Option<&str>| world_matrix(&driven, name);
        Some(Self {
            pose: current_pose(&skeleton),
            skeleton,
            follower,
            character: world(character.transform.as_deref()),
            prop: world(Some(transform)),
            parent: world(driven.transforms.get(transform)?.parent.as_deref()),
        })
    }

    /// Returns the world matrix of a bone without scale.
    fn bone(&self, bone: usize) -> Option<DAffine3> {
        Some(rigid(self.character * *self.pose.get(bone)?))
    }
}

/// Returns the name of a handle in the space of what a transform carries, if the handle moves a bone of a mesh.
fn follower_above(driven: &Scene, transform: &str, mesh: &str, bone: usize) -> Option<String> {
    driven.skinned_meshes.iter().filter(|(name, _)| depends_on(driven, mesh, name)).find_map(
        |(name, other)| {
            let skeleton = &other.skeleton;
            let found = skeleton.handles.iter().position(|handle| {
                let instance = handle.space_instance.as_ref().and_then(|name| find_instance(driven, name));
                let carrier = instance.and_then(|instance| instance.transform);
                skeleton.pulls(handle)
                    && carrier.is_some_and(|carrier| is_self_or_descendant(driven, carrier, transform))
                    && (name != mesh || moved_bones(skeleton, handle).get(bone) == Some(&true))
            });
            found.map(|handle| skeleton.handle_name(handle))
        },
    )
}

/// Returns per bone whether a handle moves it: its chain, what is below, and what handles turn that share bones with these
/// or are in their space.
fn moved_bones(skeleton: &Skeleton, handle: &Handle) -> Vec<bool> {
    let moves = |handle: &Handle| {
        let chain: Vec<usize> = chain(skeleton, handle).collect();
        with_descendants(skeleton, &chain)
    };
    let mut moved = moves(handle);
    let mut waiting: Vec<&Handle> = skeleton.handles.iter().filter(|other| skeleton.pulls(other)).collect();
    let is_moved = |moved: &[bool], other: &Handle| {
        chain(skeleton, other).chain(space_bone(skeleton, other)).any(|bone| moved[bone])
    };
    while let Some(next) = waiting.iter().position(|other| is_moved(&moved, other)) {
        let added = moves(waiting.swap_remove(next));
        moved.iter_mut().zip(added).for_each(|(moved, added)| *moved |= added);
    }
    moved
}

/// Returns a matrix without its scale and shear.
fn rigid(matrix: DAffine3) -> DAffine3 {
    DAffine3::from_mat3_translation(rotation_part(matrix.matrix3), matrix.translation)
}

/// Returns the commands that key an instance so that it moves with a bone, as it is seen at the first frame. Its earlier
/// keys between the frames are replaced; before and after them it stays, or moves as its other keys say.
///
/// # Errors
/// A sentence with the reason.
pub fn attach(
    scene: &Scene,
    instance: &InstanceRef,
    attachment: &Attachment,
) -> Result<Vec<Command>, Cow<'static, str>> {
    let transform = transform_of(scene, instance)?;
    if !characters(scene, instance).contains(&attachment.character) {
        return Err("It cannot be attached to this character.".into());
    }
    let [first, last] = attachment.frames;
    if last < first {
        return Err("The last frame must not come before the first one.".into());
    }
    if last - first >= Clip::MAX_AT_ONCE {
        return Err("These are too many frames.".into());
    }
    let mut animator = Animator::default();
    let mut prop_from_bone = None;
    let mut last_rotation = DQuat::IDENTITY;
    let (mut translations, mut rotations) = (Vec::new(), Vec::new());
    for frame in (first..=last).map(|frame| frame as f32) {
        let posed = Posed::new(&mut animator, scene, transform, attachment, frame);
        let bone = posed.as_ref().and_then(|posed| posed.bone(attachment.bone));
        let (Some(posed), Some(bone)) = (posed, bone) else {
            return Err("The bone no longer exists.".into());
        };
        if let Some(handle) = posed.follower {
            let text = format!(
                "The handle {handle} follows what is attached, and moves the bone at frame {frame}; put it in \
                 another space first, or attach to another bone."
            );
            return Err(text.into());
        }
        let prop_from_bone = *prop_from_bone.get_or_insert(bone.inverse() * posed.prop);
        let local = posed.parent.inverse() * bone * prop_from_bone;
        if !local.is_finite() {
            return Err("A parent of this instance is scaled to nothing.".into());
        }
        let (_, rotation, translation) = local.to_scale_rotation_translation();
        // The nearer one of the two that are the same rotation, so that interpolation goes the short way.
        last_rotation = if rotation.dot(last_rotation) < 0.0 { -rotation } else { rotation };
        translations.push((frame, Value::Vec3(translation.as_vec3())));
        rotations.push((frame, Value::Quat(last_rotation.as_quat())));
    }
    let mut commands = Vec::new();
    let mut knots = Vec::new();
    for (name, keys) in [("translation", translations), ("rotation", rotations)] {
        let channel = ChannelRef::new(transform, name);
        let times = scene.animation.get(&channel).map_or(Vec::new(), |keys| keys.times());
        let between = |time: &f32| (first as f32..=last as f32).contains(time);
        let frames: Vec<f32> = times.into_iter().filter(between).collect();
        if !frames.is_empty() {
            let keys = vec![ChannelKeys { channel: channel.clone(), frames }];
            commands.push(Command::Keys(KeyCommand::Delete { keys }));
        }
        knots.push(KeyframeValues { channel, knots: keys, modes: Vec::new() });
    }
    commands.push(Command::Keys(KeyCommand::Put { purpose: Purpose::Attach, knots }));
    Ok(commands)
}
