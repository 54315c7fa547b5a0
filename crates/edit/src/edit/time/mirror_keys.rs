//! Mirrored copies of keys: those of one side of a skeleton for the other. Only reads the scene.

use super::keying::{self, has_keys, other_channel};
use super::mirror_switches::{copied_handles, new_partners, switches};
use crate::anim::channel::{ChannelRef, SkeletonChannel, Value};
use crate::anim::mode::{KeyShape, Mode, Slope, Slopes};
use crate::edit::command::Command;
use crate::edit::command::keys::{KeyCommand, KeyframeValues};
use crate::edit::session::first_keys::neighbour_frames;
use crate::rig::body::middle::BothSides;
use crate::rig::edits::symmetry::mirrored_pose;
use crate::rig::property::ENABLED;
use crate::rig::skeleton::{Part, Skeleton};
use crate::scene::{Scene, channels};
use glam::Vec3;
use std::collections::{BTreeMap, HashMap};

/// Returns the commands that paste copied keys mirrored, with the first of them at `frame`. As when a pose is pasted
/// mirrored, a handle that pulls on one side alone gets a partner on the other side, and does not pull at these keys. Also
/// returns the channels that have no other side, whose keys are left out.
pub fn paste_mirrored(
    scene: &Scene,
    copied: &[KeyframeValues],
    frame: f32,
) -> (Vec<Command>, Vec<ChannelRef>) {
    let handles = copied_handles(scene, copied);
    let (added, with_partners) = new_partners(scene, copied, &handles);
    let (mut images, mut left_out) = mirrored(&with_partners, copied);
    images.extend(switches(scene, &with_partners, copied, &handles, &images));
    let (keys, missing) = keying::paste(&with_partners, &images, frame);
    left_out.extend(missing);
    let Some(KeyCommand::Put { purpose, knots }) = keys else {
        return (Vec::new(), left_out);
    };
    let around = switches_around(scene, &knots);
    let put =
        |knots: Vec<_>| (!knots.is_empty()).then_some(Command::Keys(KeyCommand::Put { purpose, knots }));
    let is_old = |keys: &KeyframeValues| channels::value(scene, &keys.channel).is_some();
    let (old, new) = knots.into_iter().partition(is_old);
    // The first command names the undo step: what is pasted, not the handles that it needs.
    (put(old).into_iter().chain(added).chain(around).chain(put(new)).collect(), left_out)
}

/// Returns the commands that key the switches of handles that get their first keys, before and after all the keys of the
/// character that are pasted: elsewhere, they pull or do not pull as before.
fn switches_around(scene: &Scene, pasted: &[KeyframeValues]) -> Vec<Command> {
    let mut switches: BTreeMap<&str, Vec<ChannelRef>> = BTreeMap::new();
    for KeyframeValues { channel, .. } in pasted {
        let parsed = SkeletonChannel::parse(&channel.channel);
        let is_switch =
            matches!(parsed, Some(SkeletonChannel::Handle(_, row)) if row.info.id == ENABLED.info.id);
        if is_switch && !has_keys(scene, channel) {
            switches.entry(&channel.resource).or_default().push(channel.clone());
        }
    }
    let keys = switches.into_iter().flat_map(|(mesh, channels)| {
        let of_mesh = pasted.iter().filter(|keys| keys.channel.resource == mesh);
        let frames = of_mesh.flat_map(|keys| keys.knots.iter().map(|knot| knot.0));
        let (first, last) = frames.fold((f32::MAX, f32::MIN), |(a, b), frame| (a.min(frame), b.max(frame)));
        let before = neighbour_frames(scene, mesh, first).into_iter().filter(move |frame| *frame < first);
        let behind = neighbour_frames(scene, mesh, last).into_iter().filter(move |frame| *frame > last);
        let set = move |frame| {
            Command::Keys(KeyCommand::Set { channels: channels.clone(), frame, new_mode: Mode::Clamped })
        };
        before.chain(behind).map(set)
    });
    keys.collect()
}

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
    let knots: Vec<(f32, Value)> = knots.collect::<Option<_>>()?;
    // A slope is where the key's value goes: it is mirrored as the way from there to a value a little farther on.
    let slope = |from: &Value, to: &Value, slope: Value| {
        const STEP: f32 = 0.1;
        let ahead = value(&from.combined(slope, |value, slope| value + STEP * slope))?;
        Some(ahead.combined(*to, |ahead, value| (ahead - value) / STEP))
    };
    let side = |from: &Value, to: &Value, side: Slope<Value>| match side {
        Slope::Set(set) => slope(from, to, set).map(Slope::Set),
        mode => Some(mode),
    };
    let shapes = curve.modes.iter().zip(curve.knots.iter().zip(&knots));
    let modes = shapes.map(|(shape, ((_, from), (_, to)))| {
        let Slopes { arrive, leave } = shape.slopes;
        let slopes = Slopes {
            arrive: arrive.and_then(|arrive| side(from, to, arrive)),
            leave: leave.and_then(|leave| side(from, to, leave)),
        };
        KeyShape { slopes, ..*shape }
    });
    Some(KeyframeValues {
        channel: ChannelRef::new(&curve.channel.resource, to),
        modes: modes.collect(),
        knots,
    })
}
