//! Which handles pull where keys are pasted mirrored: partners for those that pull on one side alone, and keys that switch
//! them on and off. Only reads the scene.

use crate::anim::channel::{ChannelRef, SkeletonChannel, Value};
use crate::edit::command::Command;
use crate::edit::command::keys::KeyframeValues;
use crate::edit::pose::add_handle;
use crate::edit::time::keying::has_keys;
use crate::rig::body::middle::BothSides;
use crate::rig::handle_pose::HandlePose;
use crate::rig::property::ENABLED;
use crate::rig::skeleton::{Part, Skeleton};
use crate::scene::{Scene, channels};

/// The handles of a character that have copied keys.
pub(super) struct CopiedHandles {
    mesh: String,
    sides: BothSides,
    /// Their indices, without those in the middle, and the frames of their keys.
    frames: Vec<(usize, Vec<f32>)>,
}

/// Returns the handles with copied keys, by character.
pub(super) fn copied_handles(scene: &Scene, copied: &[KeyframeValues]) -> Vec<CopiedHandles> {
    let mut found: Vec<CopiedHandles> = Vec::new();
    for KeyframeValues { channel, knots, .. } in copied {
        let skinned = scene.skinned_meshes.get(&channel.resource);
        let part = |skeleton: &Skeleton| SkeletonChannel::parse(&channel.channel)?.part(skeleton, 0);
        let Some((skeleton, Part::Handle(handle))) =
            skinned.and_then(|skinned| Some((&*skinned.skeleton, part(&skinned.skeleton)?)))
        else {
            continue;
        };
        let at = found.iter().position(|of_mesh| of_mesh.mesh == channel.resource).unwrap_or_else(|| {
            let (mesh, sides) = (channel.resource.clone(), BothSides::new(skeleton));
            found.push(CopiedHandles { mesh, sides, frames: Vec::new() });
            found.len() - 1
        });
        let CopiedHandles { sides, frames, .. } = &mut found[at];
        let bone = skeleton.handles[handle].bone as usize;
        if sides.others.get(bone).copied().flatten().is_none_or(|other| other == bone) {
            continue;
        }
        let at = frames.iter().position(|(known, _)| *known == handle).unwrap_or_else(|| {
            frames.push((handle, Vec::new()));
            frames.len() - 1
        });
        frames[at].1.extend(knots.iter().map(|knot| knot.0));
    }
    for (_, frames) in found.iter_mut().flat_map(|of_mesh| &mut of_mesh.frames) {
        frames.sort_by(f32::total_cmp);
        frames.dedup();
    }
    found
}

/// Returns the commands that add the missing partners of handles that pull at a copied key, and the scene with them. They
/// are the mirror images, and do not pull without keys.
pub(super) fn new_partners(
    scene: &Scene,
    copied: &[KeyframeValues],
    handles: &[CopiedHandles],
) -> (Vec<Command>, Scene) {
    let (mut commands, mut with_partners) = (Vec::new(), scene.clone());
    for CopiedHandles { mesh, sides, frames } in handles {
        let skeleton = |scene: &Scene| scene.skinned_meshes[mesh].skeleton.clone();
        let old = skeleton(scene);
        let pulls = |(handle, frames): &&(usize, Vec<f32>)| {
            let switch = switch(mesh, &old, *handle);
            frames.iter().any(|frame| is_on(scene, copied, &switch, *frame))
        };
        for (handle, _) in frames.iter().filter(pulls) {
            let bone = old.handles[*handle].bone as usize;
            // The n-th handle of one side is the partner of the n-th of the other.
            let nth = old.handles_on(bone).position(|other| other == *handle).unwrap_or(0);
            let Some(other) = sides.others[bone] else { continue };
            let count = skeleton(&with_partners).handles_on(other).count();
            for source in old.handles_on(bone).take(nth + 1).skip(count) {
                let source = &old.handles[source];
                let pose = HandlePose::new(source).mirrored(&old, &sides.plane).disabled();
                let index = skeleton(&with_partners).handles.len();
                let added = add_handle(mesh, index, other, source.chain, &pose);
                // This cannot fail: the bone exists, and the values are those of a handle.
                if added.iter().all(|command| command.apply(&mut with_partners).is_ok()) {
                    commands.extend(added);
                }
            }
        }
    }
    (commands, with_partners)
}

/// Returns the keys that switch handles on and off, in addition to the mirror images of the copied keys: new partners pull
/// where their handles do, and a handle whose partner does not pull, or is new, does not pull in the mirror image.
pub(super) fn switches(
    scene: &Scene,
    with_partners: &Scene,
    copied: &[KeyframeValues],
    handles: &[CopiedHandles],
    images: &[KeyframeValues],
) -> Vec<KeyframeValues> {
    let mut found = Vec::new();
    for CopiedHandles { mesh, sides, frames } in handles {
        let skeleton = &with_partners.skinned_meshes[mesh].skeleton;
        let old_count = scene.skinned_meshes[mesh].skeleton.handles.len();
        for (handle, frames) in frames {
            let this = switch(mesh, skeleton, *handle);
            // A handle that is never on needs no key to be off.
            let may_pull = has_keys(scene, &this) || is_on(scene, &[], &this, 0.0);
            let mut put = |channel: ChannelRef, value: &dyn Fn(f32) -> Option<bool>| {
                let image = images.iter().find(|image| image.channel == channel);
                let has_key =
                    |frame: f32| image.is_some_and(|image| image.knots.iter().any(|knot| knot.0 == frame));
                let frames = frames.iter().copied().filter(|frame| !has_key(*frame));
                let knots: Vec<_> =
                    frames.filter_map(|frame| Some((frame, Value::Bool(value(frame)?)))).collect();
                let modes = Vec::new();
                found.extend((!knots.is_empty()).then_some(KeyframeValues { channel, knots, modes }));
            };
            let partner = skeleton.other_handle(&sides.others, *handle);
            let other = partner.map(|partner| switch(mesh, skeleton, partner));
            match (partner, other) {
                (Some(partner), Some(other)) if partner < old_count => {
                    let pulls = |frame| is_on(scene, copied, &other, frame);
                    put(this, &|frame| (may_pull && !pulls(frame)).then_some(false));
                }
                (_, other) => {
                    put(this.clone(), &|_| may_pull.then_some(false));
                    if let Some(other) = other {
                        put(other, &|frame| Some(is_on(scene, copied, &this, frame)));
                    }
                }
            }
        }
    }
    found
}

/// Returns the channel that switches a handle on and off.
fn switch(mesh: &str, skeleton: &Skeleton, handle: usize) -> ChannelRef {
    ChannelRef::new(mesh, SkeletonChannel::Handle(skeleton.handles[handle].channel_id, ENABLED))
}

/// Whether a switch is on at a frame: by its copied keys, or else by those in the scene.
fn is_on(scene: &Scene, copied: &[KeyframeValues], switch: &ChannelRef, frame: f32) -> bool {
    let curve = copied.iter().find(|curve| curve.channel == *switch);
    let knots = curve.into_iter().flat_map(|curve| &curve.knots).filter(|knot| knot.0 <= frame);
    let last = knots.max_by(|a, b| a.0.total_cmp(&b.0)).map(|knot| knot.1);
    let is_muted = scene.animation.mute(&switch.resource, &switch.channel).is_whole();
    let keyed = || scene.animation.get(switch).filter(|_| !is_muted)?.at(frame);
    last.or_else(keyed).or_else(|| channels::value(scene, switch)) == Some(Value::Bool(true))
}
