//! When feet stand in takes that do not tell, as those of imported clips: found by how high and how fast their heels, balls and
//! toes are in skeleton space. Keys alone count; a foot that slides over the ground of a treadmill does not stand.

use super::stances::Stance;
use crate::anim::channel::SkeletonChannel;
use crate::rig::body::axes::BodyAxes;
use crate::rig::body::feet::{Foot, feet};
use crate::rig::body::limb::with_ancestors;
use crate::rig::kinematics::{bind_pose, current_pose, tips};
use crate::rig::skeleton::{Part, Skeleton};
use crate::scene::Scene;
use glam::{DAffine3, DVec3};
use std::collections::BTreeSet;

/// The height, as a fraction of the character's, and the speed, in such heights a second and as a fraction of that of the hips,
/// below which a point comes to stand, and above which it no longer stands.
const ENTER: [f64; 3] = [0.03, 0.06, 0.15];
const LEAVE: [f64; 3] = [0.06, 0.2, 0.45];
/// The shortest stance and the longest gap in one, in seconds.
const SHORTEST: f64 = 0.08;
const LONGEST_GAP: f64 = 0.05;
/// The greatest number of frames that are searched: they are looked through at once, after each change of keys.
const MOST_FRAMES: u32 = 2_000;
/// The fraction of heights that may be below the floor.
const BELOW_FLOOR: f64 = 0.02;

/// Returns the stances of the feet of a character between two frames, in the order of the feet.
pub fn detected(scene: &Scene, mesh: &str, [first, last]: [u32; 2]) -> Vec<Stance> {
    let Some(skinned) = scene.skinned_meshes.get(mesh) else { return Vec::new() };
    let feet = feet(&skinned.skeleton);
    if feet.is_empty()
        || !scene.animation.channels.contains_key(mesh)
        || last <= first
        || last - first >= MOST_FRAMES
    {
        return Vec::new();
    }
    let up = BodyAxes::new(&skinned.skeleton).up;
    let rest = points(&skinned.skeleton, &bind_pose(&skinned.skeleton), &feet);
    let height = height(&skinned.skeleton, up);
    let lowest = rest.iter().flatten().map(|point| point.dot(up)).fold(f64::INFINITY, f64::min);
    let legs = feet.iter().flat_map(|foot| &foot.bones);
    let legs: BTreeSet<usize> = legs.flat_map(|bone| with_ancestors(&skinned.skeleton, *bone)).collect();
    let frames = posed(scene, mesh, [first, last], &legs, |skeleton, pose| {
        (points(skeleton, pose, &feet), pose.first().map_or(DVec3::ZERO, |root| root.translation))
    });
    let rate = f64::from(scene.animation.clip.rate);
    let hips: Vec<DVec3> = frames.iter().map(|(_, hips)| hips.reject_from(up)).collect();
    let mut hip_speeds: Vec<f64> = (0..hips.len()).map(|at| speed(&hips, at, rate)).collect();
    let hip_speed = quantile(&mut hip_speeds, 0.5);
    // Heights above where the point rests, so that ankles have the floor of toes.
    let tracks: Vec<Vec<(Vec<DVec3>, f64)>> = rest
        .iter()
        .enumerate()
        .map(|(foot, rest)| {
            let track = |(point, rest): (usize, &DVec3)| {
                (frames.iter().map(|(feet, _)| feet[foot][point]).collect(), rest.dot(up) - lowest)
            };
            rest.iter().enumerate().map(track).collect()
        })
        .collect();
    let floors = tracks.iter().flatten().map(|(track, rest)| {
        let mut heights: Vec<f64> = track.iter().map(|point| point.dot(up) - rest).collect();
        quantile(&mut heights, BELOW_FLOOR)
    });
    let floor = floors.fold(f64::INFINITY, f64::min);
    let is_within = |track: &[DVec3], rest: f64, at: usize, [high, slow, follow]: [f64; 3]| {
        track[at].dot(up) - rest - floor < high * height
            && speed(track, at, rate) < (slow * height).max(follow * hip_speed)
    };
    let mut stances = Vec::new();
    for (foot, tracks) in feet.iter().zip(&tracks) {
        let mut stands = vec![false; frames.len()];
        for (track, rest) in tracks {
            // Around a frame of standing, what no longer swings and does not yet.
            let mut spread = |at: usize, before: bool| {
                let is = |limits: [f64; 3]| is_within(track, *rest, at, limits);
                let found = is(ENTER) || before && is(LEAVE);
                stands[at] |= found;
                found
            };
            (0..track.len()).fold(false, |before, at| spread(at, before));
            (0..track.len()).rev().fold(false, |before, at| spread(at, before));
        }
        let name = skinned.skeleton.bone_name(foot.bone);
        let spans = spans(&stands, [LONGEST_GAP, SHORTEST].map(|seconds| (seconds * rate).floor() as usize));
        stances.extend(
            spans.into_iter().map(|span| Stance {
                foot: name.clone(),
                frames: span.map(|at| f64::from(first) + at as f64),
            }),
        );
    }
    stances
}

/// Passes the skeleton, with the keys of some bones at each frame, and its pose to `measure`.
fn posed<T>(
    scene: &Scene,
    mesh: &str,
    [first, last]: [u32; 2],
    bones: &BTreeSet<usize>,
    measure: impl Fn(&Skeleton, &[DAffine3]) -> T,
) -> Vec<T> {
    let mut skeleton = Skeleton::clone(&scene.skinned_meshes[mesh].skeleton);
    let channels = scene.animation.channels[mesh].iter().filter_map(|(name, keys)| {
        let channel = SkeletonChannel::parse(name)?;
        let index = match channel.part(&skeleton, 0)? {
            Part::Base => 0,
            Part::Bone(bone) if bones.contains(&bone) => bone,
            _ => return None,
        };
        let stored = channel.value(&skeleton, index)?;
        Some((channel, index, stored, scene.animation.mute(mesh, name), keys))
    });
    let channels: Vec<_> = channels.collect();
    let frames = (first..=last).map(|frame| {
        for (channel, index, stored, mute, keys) in &channels {
            if let Some(value) = keys.at(frame as f32) {
                channel.set(&mut skeleton, *index, mute.blend(value, *stored));
            }
        }
        measure(&skeleton, &current_pose(&skeleton))
    });
    frames.collect()
}

/// Returns the points of each foot that may touch the ground: the ankle and the tips of its bones.
fn points(skeleton: &Skeleton, pose: &[DAffine3], feet: &[Foot]) -> Vec<Vec<DVec3>> {
    let tips = tips(skeleton, pose);
    let points = |foot: &Foot| {
        let ankle = foot.bones.first().map(|bone| pose[*bone].translation);
        ankle.into_iter().chain(foot.bones.iter().map(|bone| tips[*bone])).collect()
    };
    feet.iter().map(points).collect()
}

fn height(skeleton: &Skeleton, up: DVec3) -> f64 {
    let heights = tips(skeleton, &bind_pose(skeleton)).into_iter().map(|tip| tip.dot(up));
    let (low, high) = heights
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), height| (low.min(height), high.max(height)));
    high - low
}

/// Returns the speed at a frame, a second, from the frames around it.
fn speed(track: &[DVec3], at: usize, rate: f64) -> f64 {
    let [from, to] = [at.saturating_sub(1), (at + 1).min(track.len() - 1)];
    track[from].distance(track[to]) * rate / (to - from).max(1) as f64
}

/// Returns the value below which a fraction of the values is.
fn quantile(values: &mut [f64], fraction: f64) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[(fraction * (values.len() - 1) as f64) as usize]
}

/// Returns the first and the last frame of each span, joined over gaps of at most `gap` frames, and without those that are not
/// longer than `shortest`.
fn spans(stands: &[bool], [gap, shortest]: [usize; 2]) -> Vec<[usize; 2]> {
    let mut spans: Vec<[usize; 2]> = Vec::new();
    for at in (0..stands.len()).filter(|at| stands[*at]) {
        match spans.last_mut() {
            Some([_, last]) if at - *last <= gap + 1 => *last = at,
            _ => spans.push([at, at]),
        }
    }
    spans.retain(|[first, last]| last - first >= shortest);
    spans
}
