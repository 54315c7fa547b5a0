//! Baking of moves and scales into what every program plays: bones are put back at their parents, unscaled, and the base
//! carries the body instead. Rotations stay as they are.

use super::bake::BakeError;
use crate::anim::channel::{ChannelRef, SkeletonChannel, Value};
use crate::anim::channel_set::ChannelSet;
use crate::anim::clip::Clip;
use crate::edit::command::Command;
use crate::edit::command::keys::{ChannelKeys, KeyCommand, KeyframeValues, Purpose};
use crate::io::js3d::differences::{distance, moved_bones, share_of_size, unmoved};
use crate::rig::kinematics::{current_pose, with_descendants};
use crate::rig::property::{BASE_OFFSET, SCALE, TRANSLATION};
use crate::rig::skeleton::Skeleton;
use crate::scene::Scene;
use crate::scene::apply_animation::Animator;
use glam::Vec3;

/// The commands that bake moves and scales, and what they cost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BakedMoves {
    /// To be applied as one step; empty if no bone is moved or scaled.
    pub commands: Vec<Command>,
    /// The number of bones that were moved or scaled.
    pub bones: usize,
    /// How far a joint is afterwards from where it was, at most, as a share of the skeleton's size.
    pub distance: f64,
}

/// Bakes the moves and scales of a skinned mesh, for all frames of the clip.
///
/// The base follows the moved bone with the most bones below it: the hips of a body whose root stands still.
///
/// # Errors
/// See [`BakeError`].
pub fn bake_moves(scene: &Scene, mesh: &str) -> Result<BakedMoves, BakeError> {
    let skinned = scene.skinned_meshes.get(mesh).ok_or(BakeError::NoMesh)?;
    let skeleton = &skinned.skeleton;
    let moved = moved_bones(&scene.animation, mesh, skeleton);
    let Some(carrier) = carrier(skeleton, &moved) else { return Ok(BakedMoves::default()) };
    let is_animated = scene.animation.channels.contains_key(mesh);
    let last = if is_animated { scene.animation.clip.last_frame() } else { 0 };
    if last >= Clip::MAX_AT_ONCE {
        return Err(BakeError::TooManyFrames);
    }
    let mut animator = Animator::default();
    let mut farthest = 0.0_f64;
    let offset_at = |frame: u32| {
        let driven = animator.animate(scene, frame as f32, &ChannelSet::default());
        let moved = driven.skinned_meshes.get(mesh).map_or(skeleton, |mesh| &mesh.skeleton);
        let mut baked = unmoved(moved);
        let head = |skeleton| current_pose(skeleton)[carrier].translation;
        baked.base_offset += (head(moved) - head(&baked)).as_vec3();
        farthest = farthest.max(distance(moved, &baked));
        baked.base_offset
    };
    let offsets: Vec<Vec3> = (0..=last).map(offset_at).collect();
    let channel = |channel: SkeletonChannel| ChannelRef::new(mesh, channel);
    let base = channel(SkeletonChannel::Base(BASE_OFFSET));
    let mut commands = Vec::new();
    let mut deleted = Vec::new();
    for &bone in &moved {
        for (row, rest) in [(TRANSLATION, Vec3::ZERO), (SCALE, Vec3::ONE)] {
            let channel = channel(SkeletonChannel::Bone(skeleton.bones[bone].channel_id, row));
            if let Some(keys) = scene.animation.get(&channel) {
                deleted.push(ChannelKeys { frames: keys.times(), channel });
            }
            commands.push(Command::set_bone(mesh.to_owned(), bone, row.info.id, rest));
        }
        commands.push(Command::set_bone(mesh.to_owned(), bone, "lock_transform", true));
    }
    if !deleted.is_empty() {
        commands.push(Command::Keys(KeyCommand::Delete { keys: deleted }));
    }
    if is_animated && offsets.iter().any(|offset| *offset != offsets[0]) {
        let knots = offsets.iter().enumerate().map(|(frame, offset)| (frame as f32, Value::Vec3(*offset)));
        let knots = vec![KeyframeValues { modes: Vec::new(), channel: base, knots: knots.collect() }];
        commands.push(Command::Keys(KeyCommand::Put { purpose: Purpose::Bake, knots }));
    } else {
        commands.push(Command::set_skeleton(mesh.to_owned(), BASE_OFFSET.info.id, offsets[0]));
    }
    Ok(BakedMoves { commands, bones: moved.len(), distance: share_of_size(skeleton, farthest) })
}

/// Returns the moved bone with the most bones below it.
fn carrier(skeleton: &Skeleton, moved: &[usize]) -> Option<usize> {
    let carried = |bone: &usize| with_descendants(skeleton, &[*bone]).iter().filter(|below| **below).count();
    // The first of equals.
    moved.iter().rev().copied().max_by_key(carried)
}
