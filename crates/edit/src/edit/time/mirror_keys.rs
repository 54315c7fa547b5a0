//! Mirrored copies of keys: those of one side of a skeleton for the other. Only reads the scene.

use super::keying::other_channel;
use crate::anim::channel::{ChannelRef, SkeletonChannel, Value};
use crate::edit::command::keys::KeyframeValues;
use crate::rig::body::middle::BothSides;
use crate::rig::edits::symmetry::mirrored_pose;
use crate::rig::skeleton::{Part, Skeleton};
use crate::scene::Scene;
use glam::Vec3;
use std::collections::HashMap;

/// Returns copied keys with their mirror images for the other sides; bones and handles in the middle, and the
/// base, get their own. Also returns the channels that have no other side, whose keys are left out.
pub fn mirrored(scene: &Scene, copied: &[KeyframeValues]) -> (Vec<KeyframeValues>, Vec<ChannelRef>) {
    let mut found = Vec::new();
    let mut left_out = Vec::new();
    let mut sides: HashMap<&str, BothSides> = HashMap::new();
    for curve in copied {
        let ChannelRef { resource, channel } = &curve.channel;
        let skeleton = scene.skinned_meshes.get(resource).map(|skinned| &*skinned.skeleton);
        match skeleton.and_then(|skeleton| Some((skeleton, SkeletonChannel::parse(channel)?))) {
            Some((skeleton, from)) => match image(
                skeleton,
                sides.entry(resource).or_insert_with(|| BothSides::new(skeleton)),
                from,
                curve,
            ) {
                Some(image) => found.push(image),
                None => left_out.push(curve.channel.clone()),
            },
            None => left_out.push(curve.channel.clone()),
        }
    }
    (found, left_out)
}

fn image(
    skeleton: &Skeleton,
    sides: &BothSides,
    from: SkeletonChannel,
    curve: &KeyframeValues,
) -> Option<KeyframeValues> {
    let to = other_channel(skeleton, &sides.others, from)?;
    let angles = |angles: Vec3| match (from.part(skeleton, 0), to.part(skeleton, 0)) {
        (Some(Part::Bone(from)), Some(Part::Bone(to))) => {
            mirrored_pose(&skeleton.bones[from], &skeleton.bones[to], angles, &sides.plane)
        }
        _ => angles,
    };
    let value = |value: &Value| {
        let mirrored = value.to_property()?.mirrored(from.info().mirror, &sides.plane, angles);
        Value::from_property(&mirrored)
    };
    let knots = curve.knots.iter().map(|(frame, key)| Some((*frame, value(key)?)));
    Some(KeyframeValues {
        channel: ChannelRef::new(&curve.channel.resource, to),
        knots: knots.collect::<Option<_>>()?,
        modes: curve.modes.clone(),
    })
}
