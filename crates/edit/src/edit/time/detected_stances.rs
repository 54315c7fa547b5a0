//! When feet stand in takes that do not tell, as those of imported clips: found by how high heels, balls and toes are in
//! skeleton space, and by how they move along the ground. Keys alone count: a leg that a handle moves is left out.
//!
//! A clip that walks on the spot moves its feet backwards as a treadmill would: the ground moves as the lowest points of the
//! feet usually do, by the median of each component of their velocity. On the ground that a clip travels over, that is 0.

use crate::anim::channel::SkeletonChannel;
use crate::rig::body::axes::BodyAxes;
use crate::rig::body::feet::{Foot, feet};
use crate::rig::body::limb::with_ancestors;
use crate::rig::kinematics::{bind_pose, current_pose, tips};
use crate::rig::skeleton::{Part, Skeleton};
use crate::scene::Scene;
use glam::{DAffine3, DVec3};
use std::collections::BTreeSet;

/// The height, as a fraction of the character's, and the speed along the ground, in such heights a second and as a fraction of
/// that of a treadmill, below which a point comes to stand, and above which it no longer stands.
const ENTER: [f64; 3] = [0.03, 0.1, 0.25];
const LEAVE: [f64; 3] = [0.06, 0.25, 0.5];
/// The shortest stance and the longest gap in one, in seconds.
const SHORTEST: f64 = 0.08;
const LONGEST_GAP: f64 = 0.05;
/// The greatest number of frames that are searched: they are looked through at once, after each change of keys.
const MOST_FRAMES: u32 = 2_000;
/// The fraction of heights that may be below the floor.
const BELOW_FLOOR: f64 = 0.02;

/// Returns the bones of the feet of a character, and the frames from which and until which each stands, within a range.
/// `pulled`: the bones that handles move.
pub fn detected(
    scene: &Scene,
    mesh: &str,
    [first, last]: [u32; 2],
    pulled: &BTreeSet<usize>,
) -> Vec<(usize, [f64; 2])> {
    let Some(skinned) = scene.skinned_meshes.get(mesh) else { return Vec::new() };
    let mut feet = feet(&skinned.skeleton);
    feet.retain(|foot| {
        let mut leg = foot.bones.iter().flat_map(|bone| with_ancestors(&skinned.skeleton, *bone));
        !leg.any(|bone| pulled.contains(&bone))
    });
    if feet.is_empty()
        || !scene.animation.channels.contains_key(mesh)
        || last <= first
        || last - first >= MOST_FRAMES
    {
        return Vec::new();
    }
    let up = BodyAxes::new(&skinned.skeleton).up;
    let rate = f64::from(scene.animation.clip.rate);
    let height = height(&skinned.skeleton, up);
    let rest = points(&skinned.skeleton, &bind_pose(&skinned.skeleton), &feet);
    let lowest = rest.iter().flatten().map(|point| point.dot(up)).fold(f64::INFINITY, f64::min);
    let legs = feet.iter().flat_map(|foot| &foot.bones);
    let legs: BTreeSet<usize> = legs.flat_map(|bone| with_ancestors(&skinned.skeleton, *bone)).collect();
    let frames = posed(scene, mesh, [first, last], &legs, |skeleton, pose| points(skeleton, pose, &feet));
    if frames.is_empty() {
        return Vec::new();
    }
    // The paths of all points, each above the height at which it rests, so that ankles have the floor of toes.
    let paths = rest.iter().enumerate().map(|(foot, rest)| {
        let path = |(point, rest): (usize, &DVec3)| -> Vec<DVec3> {
            let raised = (rest.dot(up) - lowest) * up;
            frames.iter().map(|feet| feet[foot][point] - raised).collect()
        };
        rest.iter().enumerate().map(path).collect::<Vec<_>>()
    });
    let paths: Vec<_> = paths.collect();
    let floors = paths.iter().flatten().map(|path| {
        let mut heights: Vec<f64> = path.iter().map(|point| point.dot(up)).collect();
        quantile(&mut heights, BELOW_FLOOR)
    });
    // A take that is all in the air has no floor of its own.
    let floor = floors.fold(lowest + ENTER[0] * height, f64::min);
    let ground = velocity_of_ground(&paths, up, floor + ENTER[0] * height) * rate;
    let is_within = |path: &[DVec3], at: usize, [high, slow, follow]: [f64; 3]| {
        let is_slow = |[from, to]: [usize; 2]| {
            let velocity = (path[to] - path[from]) * rate;
            velocity.distance(ground) < slow * height + follow * ground.length()
        };
        // A short stance is as long as few frames: one of both sides is enough.
        let steps = [[at.saturating_sub(1), at], [at, (at + 1).min(path.len() - 1)]];
        path[at].dot(up) - floor < high * height
            && steps.into_iter().any(|step| step[0] < step[1] && is_slow(step))
    };
    let mut stances = Vec::new();
    for (foot, paths) in feet.iter().zip(&paths) {
        let mut stands = vec![false; frames.len()];
        for path in paths {
            // Around a frame of standing, what no longer swings and does not yet.
            let mut spread = |at: usize, before: bool| {
                let found = is_within(path, at, ENTER) || before && is_within(path, at, LEAVE);
                stands[at] |= found;
                found
            };
            (0..path.len()).fold(false, |before, at| spread(at, before));
            (0..path.len()).rev().fold(false, |before, at| spread(at, before));
        }
        let limits = [LONGEST_GAP, SHORTEST].map(|seconds| (seconds * rate).floor() as usize);
        let spans = spans(&stands, limits).into_iter();
        stances.extend(spans.map(|span| (foot.bone, span.map(|at| f64::from(first) + at as f64))));
    }
    stances
}

/// Returns how far the ground moves from a frame to the next, as the lowest points do that are below `highest`.
fn velocity_of_ground(paths: &[Vec<Vec<DVec3>>], up: DVec3, highest: f64) -> DVec3 {
    let count = paths.iter().flatten().map(Vec::len).min().unwrap_or(0);
    let steps = (1..count).filter_map(|at| {
        let lower = |path: &Vec<DVec3>| path[at - 1].dot(up).max(path[at].dot(up));
        let lowest = paths.iter().flatten().min_by(|a, b| lower(a).total_cmp(&lower(b)))?;
        (lower(lowest) < highest).then(|| (lowest[at] - lowest[at - 1]).reject_from(up))
    });
    let steps: Vec<DVec3> = steps.collect();
    let median = |axis: usize| {
        let mut values: Vec<f64> = steps.iter().map(|step| step[axis]).collect();
        if values.is_empty() { 0.0 } else { quantile(&mut values, 0.5) }
    };
    DVec3::new(median(0), median(1), median(2))
}

/// Passes the skeleton, with the keys of some bones at each frame, and its pose to `measure`; not at all, if they have none.
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
    let range = if channels.is_empty() { 0..0 } else { first..last + 1 };
    let frames = range.map(|frame| {
        for (channel, index, stored, mute, keys) in &channels {
            if let Some(value) = keys.at(frame as f32) {
                channel.set(&mut skeleton, *index, mute.blend(value, *stored));
            }
        }
        measure(&skeleton, &current_pose(&skeleton))
    });
    frames.collect()
}

/// Returns the points of each foot that may touch the ground: the tips of its bones.
fn points(skeleton: &Skeleton, pose: &[DAffine3], feet: &[Foot]) -> Vec<Vec<DVec3>> {
    let tips = tips(skeleton, pose);
    feet.iter().map(|foot| foot.bones.iter().map(|bone| tips[*bone]).collect()).collect()
}

fn height(skeleton: &Skeleton, up: DVec3) -> f64 {
    let heights = tips(skeleton, &bind_pose(skeleton)).into_iter().map(|tip| tip.dot(up));
    let (low, high) = heights
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), height| (low.min(height), high.max(height)));
    high - low
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
