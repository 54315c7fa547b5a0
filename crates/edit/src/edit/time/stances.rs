//! When feet stand: by the members of generated takes, by locks, and as found in takes that do not tell. Only reads the scene.

use super::detected_stances::detected;
use super::keying::has_keys;
use crate::anim::channel::{Animation, ChannelRef, SkeletonChannel, Value as Number};
use crate::anim::contacts::{CONTACTS, DOWN, FOOT, LOOPS, UP};
use crate::anim::take::Take;
use crate::extra::Value;
use crate::rig::property::{ENABLED, WEIGHT};
use crate::rig::skeleton::{Handle, Skeleton};
use crate::scene::Scene;
use crate::scene::skinned::SkinnedMesh;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A foot, or a hand, that stays in place.
#[derive(Clone, Debug, PartialEq)]
pub struct Stance {
    /// The name of its bone.
    pub foot: String,
    /// The frames of the timeline at which it comes down and at which it is last on the ground.
    pub frames: [f64; 2],
}

/// The stances of a scene, found again only when keys, takes or skeletons change.
#[derive(Default)]
pub struct StanceCache {
    input: Option<(Arc<Animation>, Vec<Arc<Skeleton>>)>,
    stances: Vec<Stance>,
}

impl StanceCache {
    pub fn update(&mut self, scene: &Scene) -> &[Stance] {
        let skeletons = || scene.skinned_meshes.values().map(|mesh| &mesh.skeleton);
        let is_same = self.input.as_ref().is_some_and(|(animation, old)| {
            let same = old.len() == scene.skinned_meshes.len();
            let mut both = old.iter().zip(skeletons());
            same && Arc::ptr_eq(animation, &scene.animation) && both.all(|(old, new)| Arc::ptr_eq(old, new))
        });
        if !is_same {
            self.stances = stances(scene, [0.0, f64::INFINITY]);
            self.input = Some((Arc::clone(&scene.animation), skeletons().cloned().collect()));
        }
        &self.stances
    }
}

/// Returns the stances of takes and locks that reach into a range of frames. Without takes, the whole clip counts as one.
pub fn stances(scene: &Scene, [from, to]: [f64; 2]) -> Vec<Stance> {
    let animation = &scene.animation;
    let is_near = |frames: [f64; 2]| frames[0] <= to && frames[1] >= from;
    let takes = animation.takes.list.iter().filter(|take| is_near(take.range.map(f64::from)));
    let found = takes.flat_map(|take| {
        if take.extra.get(CONTACTS).is_some() {
            generated(take, animation.clip.rate)
        } else {
            all_detected(scene, take.range)
        }
    });
    let clip = animation.takes.list.is_empty().then(|| all_detected(scene, [0, animation.clip.last_frame()]));
    let found = found.chain(clip.into_iter().flatten()).chain(locked(scene));
    let mut stances: Vec<Stance> = found.filter(|stance| is_near(stance.frames)).collect();
    // Of a lock and what is found around it, one stance.
    stances.sort_by(|a, b| a.foot.cmp(&b.foot).then(a.frames[0].total_cmp(&b.frames[0])));
    stances.dedup_by(|next, stance| {
        let goes_on = next.foot == stance.foot && next.frames[0] < stance.frames[1];
        if goes_on {
            stance.frames[1] = stance.frames[1].max(next.frames[1]);
        }
        goes_on
    });
    stances
}

fn all_detected(scene: &Scene, range: [u32; 2]) -> Vec<Stance> {
    let of_mesh = |(mesh, skinned): (&String, &Arc<SkinnedMesh>)| {
        // A lock moves its leg only while it holds it.
        let moves = |handle: &&Handle| handle.enabled && !is_lock(scene, mesh, handle);
        let handles = skinned.skeleton.handles.iter().filter(moves);
        let pulled: BTreeSet<usize> = handles.map(|handle| handle.bone as usize).collect();
        let stance = |(bone, frames)| Stance { foot: skinned.skeleton.bone_name(bone), frames };
        detected(scene, mesh, range, &pulled).into_iter().map(stance).collect::<Vec<_>>()
    };
    scene.skinned_meshes.iter().flat_map(of_mesh).collect()
}

/// Returns when locks hold their bones in place: from a key of full weight to the next.
fn locked(scene: &Scene) -> Vec<Stance> {
    let mut stances: Vec<Stance> = Vec::new();
    for (mesh, skinned) in &scene.skinned_meshes {
        for handle in skinned.skeleton.handles.iter().filter(|handle| is_lock(scene, mesh, handle)) {
            let Some(weight) = scene.animation.get(&weight_of(mesh, handle)) else { continue };
            let is_full = |key: &f32| weight.key(*key) == Some(Number::Float(1.0));
            let foot = skinned.skeleton.bone_name(handle.bone as usize);
            for keys in weight.times().windows(2).filter(|keys| keys.iter().all(is_full)) {
                let [first, last] = [keys[0], keys[1]].map(f64::from);
                match stances.last_mut() {
                    Some(Stance { foot: before, frames }) if *before == foot && frames[1] == first => {
                        frames[1] = last;
                    }
                    _ => stances.push(Stance { foot: foot.clone(), frames: [first, last] }),
                }
            }
        }
    }
    stances
}

fn weight_of(mesh: &str, handle: &Handle) -> ChannelRef {
    ChannelRef::new(mesh, SkeletonChannel::Handle(handle.channel_id, WEIGHT))
}

/// Whether a handle is a lock, which holds its bone only at some frames.
pub fn is_lock(scene: &Scene, mesh: &str, handle: &Handle) -> bool {
    let enabled = || ChannelRef::new(mesh, SkeletonChannel::Handle(handle.channel_id, ENABLED));
    handle.pinned
        && handle.enabled
        && has_keys(scene, &weight_of(mesh, handle))
        && !has_keys(scene, &enabled())
}

/// Returns when feet stand in a take, at `rate` frames per second, as its members tell: none if it was not generated. A stance
/// that goes on at the start of a loop is two.
fn generated(take: &Take, rate: f32) -> Vec<Stance> {
    let Some(Value::Array(contacts)) = take.extra.get(CONTACTS) else { return Vec::new() };
    let [first, last] = take.range.map(f64::from);
    let end = if take.extra.get(LOOPS) == Some(&Value::Bool(true)) { last + 1.0 } else { last };
    let mut stances = Vec::new();
    for contact in contacts.iter() {
        let Value::Object(members) = &*contact else { continue };
        let member =
            |name: &str| members.iter().find(|(member, _)| **member == *name).map(|(_, value)| value);
        let frame = |name: &str| {
            let seconds = match member(name)? {
                Value::Unsigned(seconds) => *seconds as f64,
                Value::Float(seconds) => *seconds,
                _ => return None,
            };
            Some(first + seconds * f64::from(rate)).filter(|frame| frame.is_finite())
        };
        let (Some(Value::Text(foot)), Some(down), Some(up)) = (member(FOOT), frame(DOWN), frame(UP)) else {
            continue;
        };
        let mut add = |frames: [f64; 2]| {
            if frames[0] <= frames[1] {
                stances.push(Stance { foot: foot.to_string(), frames });
            }
        };
        add([down, up.min(end)]);
        if end > last && up > end {
            add([first, (first + up - end).min(down)]);
        }
    }
    stances
}
