//! Animations of a file as keys of the scene: sampled at every frame, one after another on the timeline.

use super::Options;
use super::bones::angle;
use super::build::Build;
use super::keys::reduced;
use super::motion::{self, Motion};
use super::rig::{Rigged, degrees, is_same_turn};
use crate::anim::channel::{Animation, Channel, SkeletonChannel};
use crate::anim::clip::Clip;
use crate::anim::spline::{Interpolate, Spline};
use crate::anim::{self, take::Takes};
use crate::io::file::ReadError;
use crate::io::report::{Report, Severity};
use crate::math::decompose::decompose;
use crate::math::rotation::from_euler;
use crate::scene::skinned::SkinnedMesh;
use glam::{DAffine3, DMat3, DVec3, Quat, Vec3};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// A skinned mesh whose skeleton is still to be posed.
pub struct Animated {
    pub name: String,
    /// Where it is in the file.
    pub at: String,
    pub rigged: Rigged,
    pub skinned: SkinnedMesh,
}

/// Frames between two animations on the timeline.
const GAP: u64 = 10;
/// Keys are left out as long as no bone is turned by more than this elsewhere, in degrees.
const TURN: f64 = 0.25;
/// As a part of the height.
const MOVE: f64 = 1e-4;
/// Frames that are worked out at once.
const BATCH: usize = 256;
/// Frames times nodes that are worked out.
const MOST: u64 = 1 << 25;

/// The animations that are asked for.
///
/// # Errors
/// If there is none of that name.
pub fn chosen(motions: Vec<Motion>, options: &Options) -> Result<Vec<Motion>, ReadError> {
    let Some(name) = &options.take else {
        return Ok(motions);
    };
    let names: Vec<String> = motions
        .iter()
        .map(|motion| format!("“{}”", motion.name))
        .collect();
    let one: Vec<Motion> = motions
        .into_iter()
        .filter(|motion| motion.name == *name)
        .take(1)
        .collect();
    match one.is_empty() {
        false => Ok(one),
        true => Err(ReadError::Content {
            what: format!("there is no animation “{name}” in the file"),
            hint: match names.is_empty() {
                true => "It holds none".into(),
                false => format!("It holds {}", names.join(", ")),
            },
        }),
    }
}

/// An animation on the timeline.
struct Take<'m> {
    motion: &'m Motion,
    first: u64,
    frames: u64,
}

/// Values at the frames of all takes.
struct Samples {
    /// Of each sample.
    frames: Vec<f32>,
    /// Samples that begin or end a take.
    ends: Vec<usize>,
    /// Per rig and joint, degrees.
    turns: Vec<Vec<Vec<Vec3>>>,
    /// Per rig.
    offsets: Vec<Vec<Vec3>>,
    /// Of nodes with transforms.
    transforms: BTreeMap<usize, Vec<(Vec3, Quat, Vec3)>>,
}

/// Stores the pose in which the nodes stand, and makes keys of the animations.
pub fn animate(build: &mut Build, rigs: &mut [Animated], motions: &[Motion], options: &Options) {
    let nodes = build.nodes;
    for rig in rigs.iter_mut().filter(|rig| rig.rigged.rig.posed) {
        let mut angles = vec![DVec3::ZERO; rig.rigged.rig.joints.len()];
        let stance = rig.rigged.stance(&nodes.world);
        let place = || "in the pose of the file".into();
        rig.rigged.pose(&stance, &mut angles, place);
        rig.rigged.store(&angles, stance.offset);
        let text = "the file was saved in a pose that is not the bind pose; it is the stored pose";
        build.report.add(Severity::Note, "posed", &rig.at, text);
    }
    let own = motion::rate(motions);
    let rate = options.rate.unwrap_or(own);
    if rate != own && !motions.is_empty() {
        let text = format!(
            "its keys fall on {own} frames a second; the scene has {rate}, and takes have as many more or fewer"
        );
        build.report.add(Severity::Note, "resampled", "/animations", text);
    }
    let takes = takes(build, motions, rate);
    if !takes.is_empty() {
        let samples = sample(build, rigs, &takes, rate);
        let mut animation = Animation::default();
        skeletons(rigs, &samples, options, &mut animation, build.report);
        transforms(build, &samples, options, &mut animation);
        let last = takes.last().map_or(0, |take| take.first + take.frames);
        animation.clip = Clip {
            rate,
            length: last as u32 + 1,
            range: None,
        };
        for take in takes.iter().take(Takes::MOST) {
            let name = animation.takes.free_name(&take.motion.name, None);
            let range = [take.first as u32, (take.first + take.frames) as u32];
            animation.takes.list.push(anim::take::Take::new(name, range));
        }
        animation.choose_take(Some(0));
        build.scene.animation = Arc::new(animation);
    }
    for rig in rigs.iter() {
        rig.rigged.report(nodes, &rig.at, build.report);
    }
}

/// As many as there is room for.
fn takes<'m>(build: &mut Build, motions: &'m [Motion], rate: f32) -> Vec<Take<'m>> {
    let mut takes: Vec<Take> = Vec::new();
    let (mut first, mut left) = (0, MOST);
    for motion in motions {
        let frames = motion.frames(rate);
        let work = frames
            .saturating_add(1)
            .saturating_mul(build.nodes.of.len() as u64);
        if work > left || first + frames >= u64::from(Clip::MAX_LENGTH) {
            let text = format!(
                "the animation {} is left out: it has {frames} frames at {rate} frames per second, too many here",
                motion.name
            );
            build
                .report
                .add(Severity::Warning, "too-long", "/animations", text);
            continue;
        }
        left -= work;
        takes.push(Take {
            motion,
            first,
            frames,
        });
        first += frames + 1 + GAP;
    }
    takes
}

fn sample(build: &Build, rigs: &mut [Animated], takes: &[Take], rate: f32) -> Samples {
    let nodes = build.nodes;
    let driven: Vec<usize> = takes.iter().flat_map(|take| take.motion.driven()).collect();
    let moving = driven
        .into_iter()
        .filter(|node| build.transforms.contains_key(node));
    let mut samples = Samples {
        frames: Vec::new(),
        ends: Vec::new(),
        turns: rigs
            .iter()
            .map(|rig| vec![Vec::new(); rig.rigged.rig.joints.len()])
            .collect(),
        offsets: vec![Vec::new(); rigs.len()],
        transforms: moving.map(|node| (node, Vec::new())).collect(),
    };
    let mut turns: HashMap<usize, Quat> = HashMap::new();
    for take in takes {
        let mut before: Vec<Vec<DVec3>> = rigs
            .iter()
            .map(|rig| vec![DVec3::ZERO; rig.rigged.rig.joints.len()])
            .collect();
        samples.ends.push(samples.frames.len());
        let frames: Vec<u64> = (0..=take.frames).collect();
        for frames in frames.chunks(BATCH) {
            let (standing, moved) = (&*rigs, &samples.transforms);
            let found = frames.par_iter().map_init(Vec::new, |local, &frame| {
                take.motion.pose(nodes, frame, rate, local);
                let world = nodes.worlds(local);
                let stances = standing.iter().map(|rig| rig.rigged.stance(&world));
                let moved = moved.keys().map(|node| placed(local[*node]));
                (frame, stances.collect::<Vec<_>>(), moved.collect::<Vec<_>>())
            });
            for (frame, stances, moved) in found.collect::<Vec<_>>() {
                let at = take.first + frame;
                samples.frames.push(at as f32);
                let place = || format!("{}, frame {at}", take.motion.name);
                for (index, (rig, stance)) in rigs.iter_mut().zip(stances).enumerate() {
                    rig.rigged.pose(&stance, &mut before[index], place);
                    samples.offsets[index].push(stance.offset.as_vec3());
                    let turns = samples.turns[index].iter_mut().zip(&before[index]);
                    turns.for_each(|(turns, angles)| turns.push(degrees(*angles)));
                }
                for ((&node, values), (place, turn, scale)) in samples.transforms.iter_mut().zip(moved) {
                    // The same rotation, but on the side of the one before.
                    let known = turns.entry(node).or_insert(turn);
                    *known = if known.dot(turn) < 0.0 { -turn } else { turn };
                    values.push((place, *known, scale));
                }
            }
        }
        let last = samples.frames.len() - 1;
        if samples.ends.last() != Some(&last) {
            samples.ends.push(last);
        }
    }
    samples
}

/// The place, rotation and scale of a matrix.
fn placed(matrix: DAffine3) -> (Vec3, Quat, Vec3) {
    match decompose(matrix, DVec3::ONE) {
        Some((place, turn, scale)) => (place.as_vec3(), turn.as_quat(), scale.as_vec3()),
        None => (matrix.translation.as_vec3(), Quat::IDENTITY, Vec3::ZERO),
    }
}

impl Samples {
    /// `error`: of a value at the sample of an index.
    fn knots<T: Interpolate>(
        &self,
        values: &[T],
        options: &Options,
        tolerance: f64,
        error: impl Fn(T, usize) -> f64,
    ) -> Spline<T> {
        let samples: Vec<(f32, T)> = self.frames.iter().copied().zip(values.iter().copied()).collect();
        Spline::through(match options.all_frames {
            true => samples,
            false => reduced(&samples, &self.ends, tolerance, error),
        })
    }
}

fn skeletons(
    rigs: &mut [Animated],
    samples: &Samples,
    options: &Options,
    animation: &mut Animation,
    report: &mut Report,
) {
    for (index, rig) in rigs.iter_mut().enumerate() {
        let rigged = &mut rig.rigged;
        let mut channels: BTreeMap<String, Arc<Channel>> = BTreeMap::new();
        let radians = |angles: Vec3| angles.as_dvec3().map(f64::to_radians);
        let joints: Vec<usize> = (0..rigged.bone_of.len())
            .filter(|joint| rigged.bone_of[*joint].is_some())
            .collect();
        let splines: Vec<(usize, Option<Spline<Vec3>>)> = joints
            .into_par_iter()
            .map(|joint| {
                let turns = &samples.turns[index][joint];
                let first = turns.first().copied().unwrap_or_default();
                let stands = turns
                    .iter()
                    .all(|turn| is_same_turn(radians(first), radians(*turn)));
                let spline = || {
                    let rotations: Vec<DMat3> = turns.iter().map(|turn| from_euler(radians(*turn))).collect();
                    let off = |turn: Vec3, at: usize| {
                        angle(&from_euler(radians(turn)), &rotations[at]).to_degrees()
                    };
                    samples.knots(turns, options, TURN, off)
                };
                (joint, (!stands).then(spline))
            })
            .collect();
        for (joint, spline) in splines {
            let Some(bone) = rigged.bone_of[joint] else {
                continue;
            };
            let bone = &mut rigged.skeleton.bones[bone];
            match spline {
                Some(spline) => {
                    let name = SkeletonChannel::BonePose(bone.channel_id).to_string();
                    channels.insert(name, Arc::new(Channel::Vec3(spline)));
                }
                None => {
                    let first = samples.turns[index][joint].first().copied().unwrap_or_default();
                    let zero = is_same_turn(radians(first), DVec3::ZERO);
                    bone.pose_deg = if zero { Vec3::ZERO } else { first };
                }
            }
        }
        let offsets = &samples.offsets[index];
        let first = offsets.first().copied().unwrap_or_default();
        let near = |least: f64| move |a: Vec3, b: Vec3| f64::from(a.distance(b)) <= least;
        let same = near(1e-6 * rigged.height);
        let stated = rigged.stated_offset;
        if offsets.iter().all(|offset| same(*offset, first)) {
            rigged.skeleton.base_offset = match near(1e-5 * rigged.height)(first, stated) {
                _ if same(first, Vec3::ZERO) => Vec3::ZERO,
                true => stated,
                false => first,
            };
        } else {
            rigged.skeleton.base_offset = stated;
            let off = |offset: Vec3, at: usize| f64::from(offset.distance(offsets[at]));
            let spline = samples.knots(offsets, options, MOVE * rigged.height, off);
            channels.insert(
                SkeletonChannel::BaseOffset.to_string(),
                Arc::new(Channel::Vec3(spline)),
            );
        }
        if channels.is_empty() {
            continue;
        }
        let mut off = 0;
        for handle in rigged.skeleton.handles.iter_mut().filter(|handle| handle.enabled) {
            handle.enabled = false;
            off += 1;
        }
        if off > 0 {
            let text = format!("{off} handles are turned off: the keys of the bones hold what they did");
            report.add(Severity::Note, "handles-off", &rig.at, text);
        }
        animation.channels.insert(rig.name.clone(), channels);
    }
}

fn transforms(build: &Build, samples: &Samples, options: &Options, animation: &mut Animation) {
    for (node, values) in &samples.transforms {
        let Some(name) = build.transforms.get(node) else {
            continue;
        };
        let mut channels: BTreeMap<String, Arc<Channel>> = BTreeMap::new();
        for (channel, of) in [("translation", 0), ("scale", 2)] {
            let values: Vec<Vec3> = values
                .iter()
                .map(|value| if of == 0 { value.0 } else { value.2 })
                .collect();
            let size = values.iter().map(|value| value.length()).fold(1e-6, f32::max);
            if values.iter().any(|value| value.distance(values[0]) > 1e-6 * size) {
                let off = |value: Vec3, at: usize| f64::from(value.distance(values[at]));
                let spline = samples.knots(&values, options, 1e-3 * f64::from(size), off);
                channels.insert(channel.into(), Arc::new(Channel::Vec3(spline)));
            }
        }
        let turns: Vec<Quat> = values.iter().map(|value| value.1).collect();
        let off = |a: Quat, b: Quat| f64::from(a.angle_between(b)).to_degrees();
        if turns.iter().any(|turn| off(*turn, turns[0]) > 0.01) {
            let off = |turn: Quat, at: usize| off(turn, turns[at]);
            let spline = samples.knots(&turns, options, TURN, off);
            channels.insert("rotation".into(), Arc::new(Channel::Quat(spline)));
        }
        if !channels.is_empty() {
            animation.channels.insert(name.clone(), channels);
        }
    }
}
