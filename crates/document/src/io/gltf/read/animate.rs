//! Converts animations of a file to keys of the scene: sampled at every frame, one after another on the
//! timeline.

use super::Options;
use super::bones::angle;
use super::build::Build;
use super::keys::reduce_keys;
use super::motion::{self, Motion};
use super::rig::{SkinnedRig, degrees, is_same_rotation};
use crate::anim::channel::{Animation, Channel, SkeletonChannel};
use crate::anim::clip::Clip;
use crate::anim::spline::{Interpolate, Spline};
use crate::anim::{self, take::Takes};
use crate::io::count::{counted, grouped};
use crate::io::file::ReadError;
use crate::io::limits::{GLTF_POSES, TAKE_VALUES};
use crate::io::report::{Report, Severity};
use crate::math::decompose::decompose;
use crate::math::rotation::from_euler;
use crate::rig::property::{BASE_OFFSET, POSE};
use crate::scene::skinned::SkinnedMesh;
use glam::{DAffine3, DMat3, DVec3, Quat, Vec3};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// A skinned mesh whose skeleton is not posed yet.
pub struct AnimatedMesh {
    pub name: String,
    /// The JSON pointer of its skin.
    pub pointer: String,
    pub rigged: SkinnedRig,
    pub skinned: SkinnedMesh,
}

/// The number of frames between two animations on the timeline.
const GAP: u64 = 10;
/// The maximum error of rotations, in degrees; keys within it are omitted.
const ANGLE_TOLERANCE: f64 = 0.25;
/// The maximum error of base offsets, as a fraction of the height.
const OFFSET_TOLERANCE: f64 = 1e-4;
/// The number of frames that are computed at once.
const BATCH: usize = 256;

/// Selects the animations in the options.
///
/// # Errors
/// If the requested animation does not exist.
pub fn select_motions(motions: Vec<Motion>, options: &Options) -> Result<Vec<Motion>, ReadError> {
    let Some(name) = &options.take else {
        return Ok(motions);
    };
    let names: Vec<String> = motions.iter().map(|motion| format!("“{}”", motion.name)).collect();
    let selected: Vec<Motion> = motions.into_iter().filter(|motion| motion.name == *name).take(1).collect();
    if selected.is_empty() {
        Err(ReadError::Content {
            problem: format!("there is no animation “{name}” in the file"),
            hint: if names.is_empty() {
                "It holds none".into()
            } else {
                format!("It holds {}", names.join(", "))
            },
        })
    } else {
        Ok(selected)
    }
}

/// An animation on the timeline.
struct Take<'m> {
    motion: &'m Motion,
    first: u64,
    frames: u64,
}

/// The values at the frames of all takes.
struct Samples {
    /// The frame of each sample.
    frames: Vec<f32>,
    /// The samples that begin or end a take.
    ends: Vec<usize>,
    /// The angles per rig and joint, in degrees.
    angles: Vec<Vec<Vec<Vec3>>>,
    /// The base offsets per rig.
    offsets: Vec<Vec<Vec3>>,
    /// The transforms of nodes.
    transforms: BTreeMap<usize, Vec<(Vec3, Quat, Vec3)>>,
}

/// Stores the pose of the nodes, and converts the animations to keys.
pub fn animate(build: &mut Build, rigs: &mut [AnimatedMesh], motions: &[Motion], options: &Options) {
    let nodes = build.nodes;
    for rig in rigs.iter_mut().filter(|rig| rig.rigged.rig.posed) {
        let mut angles = vec![DVec3::ZERO; rig.rigged.rig.joints.len()];
        let pose = rig.rigged.pose(&nodes.world);
        let place = || "in the pose of the file".into();
        rig.rigged.update_angles(&pose, &mut angles, place);
        rig.rigged.store_pose(&angles, pose.offset);
        let text = "the file was saved in a pose that is not the bind pose; it is the stored pose";
        build.report.add(Severity::Note, "posed", &rig.pointer, text);
    }
    let file_rate = motion::frame_rate(motions);
    let rate = options.rate.unwrap_or(file_rate);
    if rate != file_rate && !motions.is_empty() {
        let text = format!(
            "its keys fall on {file_rate} frames a second; the scene has {rate}, and takes have as many more or fewer"
        );
        build.report.add(Severity::Note, "resampled", "/animations", text);
    }
    let takes = takes(build, rigs, motions, rate);
    if !takes.is_empty() {
        let samples = sample(build, rigs, &takes, rate);
        let mut animation = Animation::default();
        skeletons(rigs, &samples, options, &mut animation, build.report);
        transforms(build, &samples, options, &mut animation);
        let last = takes.last().map_or(0, |take| take.first + take.frames);
        animation.clip = Clip { rate, length: last as u32 + 1, range: None };
        let longest = longest_take(values_per_frame(build, rigs, motions));
        let left_out = takes.iter().map(|take| add_takes(take, longest, &mut animation.takes, build.report));
        let left_out: usize = left_out.sum();
        if left_out > 0 {
            let text = format!(
                "{left_out} takes are left out, but not their keys; a scene has {} at most",
                Takes::MAX
            );
            let report = &mut build.report;
            report.add(Severity::Warning, "too-many-takes", "/animations", text);
        }
        animation.choose_take(Some(0));
        build.scene.animation = Arc::new(animation);
    }
    for rig in rigs.iter() {
        rig.rigged.report(nodes, &rig.pointer, build.report);
    }
}

/// Returns how many values change from frame to frame at most: the tracks that an export of the scene has.
fn values_per_frame(build: &Build, rigs: &[AnimatedMesh], motions: &[Motion]) -> usize {
    let driven: BTreeSet<usize> = motions.iter().flat_map(Motion::driven).collect();
    let moving = driven.iter().filter(|node| build.transforms.contains_key(node));
    let bones = rigs.iter().map(|rig| 1 + rig.rigged.skeleton.bones.len());
    3 * moving.count() + bones.sum::<usize>()
}

/// Returns the most frames of a take that can be exported with so many values per frame.
fn longest_take(values: usize) -> u64 {
    (TAKE_VALUES / values.max(1)).clamp(1, Clip::MAX_AT_ONCE as usize) as u64
}

/// Adds a take, or several if it is too long to be exported as one. Returns how many a scene cannot have.
fn add_takes(take: &Take, longest: u64, takes: &mut Takes, report: &mut Report) -> usize {
    let (first, last) = (take.first, take.first + take.frames);
    let parts = (take.frames / longest + 1) as usize;
    let added = parts.min(Takes::MAX - takes.list.len());
    for start in (first..=last).step_by(longest as usize).take(added) {
        let name = takes.free_name(&take.motion.name, None);
        let range = [start as u32, (start + longest - 1).min(last) as u32];
        takes.list.push(anim::take::Take::new(name, range));
    }
    if parts > 1 {
        let text = format!(
            "the animation {} has {} frames, and {} are the most that can be exported at once; it becomes {parts} takes",
            take.motion.name,
            grouped(take.frames as usize + 1),
            grouped(longest as usize)
        );
        report.add(Severity::Note, "long-take", "/animations", text);
    }
    parts - added
}

/// Places as many takes on the timeline as fit.
fn takes<'m>(build: &mut Build, rigs: &[AnimatedMesh], motions: &'m [Motion], rate: f32) -> Vec<Take<'m>> {
    let mut takes: Vec<Take> = Vec::new();
    let limit = GLTF_POSES.limit(build.source.size);
    let (mut first, mut budget) = (0, limit as u64);
    let per_frame = build.nodes.all.len().max(values_per_frame(build, rigs, motions));
    for motion in motions {
        let frames = motion.frames(rate);
        let work = frames.saturating_add(1).saturating_mul(per_frame as u64);
        if work > budget || first + frames >= u64::from(Clip::MAX_LENGTH) {
            let text = format!(
                "the animation {} is left out: it has {frames} frames at {rate} frames per second, and {} are left \
                 for it in a file of {} bytes with {per_frame} nodes or values",
                motion.name,
                grouped(budget as usize / per_frame),
                grouped(build.source.size)
            );
            build.report.add(Severity::Warning, "too-long", "/animations", text);
            continue;
        }
        budget -= work;
        takes.push(Take { motion, first, frames });
        first += frames + 1 + GAP;
    }
    takes
}

fn sample(build: &Build, rigs: &mut [AnimatedMesh], takes: &[Take], rate: f32) -> Samples {
    let nodes = build.nodes;
    let driven: Vec<usize> = takes.iter().flat_map(|take| take.motion.driven()).collect();
    let moving = driven.into_iter().filter(|node| build.transforms.contains_key(node));
    let mut samples = Samples {
        frames: Vec::new(),
        ends: Vec::new(),
        angles: rigs.iter().map(|rig| vec![Vec::new(); rig.rigged.rig.joints.len()]).collect(),
        offsets: vec![Vec::new(); rigs.len()],
        transforms: moving.map(|node| (node, Vec::new())).collect(),
    };
    let mut last_rotations: HashMap<usize, Quat> = HashMap::new();
    for take in takes {
        let mut previous: Vec<Vec<DVec3>> =
            rigs.iter().map(|rig| vec![DVec3::ZERO; rig.rigged.rig.joints.len()]).collect();
        samples.ends.push(samples.frames.len());
        let frames: Vec<u64> = (0..=take.frames).collect();
        for frames in frames.chunks(BATCH) {
            let (rigs_ref, transforms) = (&*rigs, &samples.transforms);
            let found = frames.par_iter().map_init(Vec::new, |local, &frame| {
                take.motion.pose(nodes, frame, rate, local);
                let world = nodes.world_matrices(local);
                let poses = rigs_ref.iter().map(|rig| rig.rigged.pose(&world));
                let transforms = transforms.keys().map(|node| decomposed(local[*node]));
                (frame, poses.collect::<Vec<_>>(), transforms.collect::<Vec<_>>())
            });
            for (frame, poses, transforms) in found.collect::<Vec<_>>() {
                let scene_frame = take.first + frame;
                samples.frames.push(scene_frame as f32);
                let place = || format!("{}, frame {scene_frame}", take.motion.name);
                for (index, (rig, pose)) in rigs.iter_mut().zip(poses).enumerate() {
                    rig.rigged.update_angles(&pose, &mut previous[index], place);
                    samples.offsets[index].push(pose.offset.as_vec3());
                    let joints = samples.angles[index].iter_mut().zip(&previous[index]);
                    joints.for_each(|(samples, angles)| samples.push(degrees(*angles)));
                }
                for ((&node, values), (translation, rotation, scale)) in
                    samples.transforms.iter_mut().zip(transforms)
                {
                    // The sign of the quaternion that is closer to the previous one.
                    let last = last_rotations.entry(node).or_insert(rotation);
                    *last = if last.dot(rotation) < 0.0 { -rotation } else { rotation };
                    values.push((translation, *last, scale));
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

/// Returns the translation, rotation and scale of a matrix.
fn decomposed(matrix: DAffine3) -> (Vec3, Quat, Vec3) {
    match decompose(matrix, DVec3::ONE) {
        Some((translation, rotation, scale)) => (translation.as_vec3(), rotation.as_quat(), scale.as_vec3()),
        None => (matrix.translation.as_vec3(), Quat::IDENTITY, Vec3::ZERO),
    }
}

impl Samples {
    /// Returns the spline through the values at all samples, reduced unless all frames are kept. `error`
    /// computes the error of a value at the sample of an index.
    fn knots<T: Interpolate>(
        &self,
        values: &[T],
        options: &Options,
        tolerance: f64,
        error: impl Fn(T, usize) -> f64,
    ) -> Spline<T> {
        let samples: Vec<(f32, T)> = self.frames.iter().copied().zip(values.iter().copied()).collect();
        Spline::from_knots(if options.all_frames {
            samples
        } else {
            reduce_keys(&samples, &self.ends, tolerance, error)
        })
    }
}

fn skeletons(
    rigs: &mut [AnimatedMesh],
    samples: &Samples,
    options: &Options,
    animation: &mut Animation,
    report: &mut Report,
) {
    for (index, rig) in rigs.iter_mut().enumerate() {
        let rigged = &mut rig.rigged;
        let mut channels: BTreeMap<String, Arc<Channel>> = BTreeMap::new();
        let radians = |angles: Vec3| angles.as_dvec3().map(f64::to_radians);
        let joints: Vec<usize> =
            (0..rigged.bone_of.len()).filter(|joint| rigged.bone_of[*joint].is_some()).collect();
        let splines: Vec<(usize, Option<Spline<Vec3>>)> = joints
            .into_par_iter()
            .map(|joint| {
                let all_angles = &samples.angles[index][joint];
                let first = all_angles.first().copied().unwrap_or_default();
                let is_constant =
                    all_angles.iter().all(|angles| is_same_rotation(radians(first), radians(*angles)));
                let spline = || {
                    let rotations = all_angles.iter().map(|angles| from_euler(radians(*angles)));
                    let rotations: Vec<DMat3> = rotations.collect();
                    let error = |angles: Vec3, sample: usize| {
                        angle(&from_euler(radians(angles)), &rotations[sample]).to_degrees()
                    };
                    samples.knots(all_angles, options, ANGLE_TOLERANCE, error)
                };
                (joint, (!is_constant).then(spline))
            })
            .collect();
        for (joint, spline) in splines {
            let Some(bone) = rigged.bone_of[joint] else {
                continue;
            };
            let bone = &mut rigged.skeleton.bones[bone];
            match spline {
                Some(spline) => {
                    let name = SkeletonChannel::Bone(bone.channel_id, POSE).to_string();
                    channels.insert(name, Arc::new(Channel::Vec3(spline)));
                }
                None => {
                    let first = samples.angles[index][joint].first().copied().unwrap_or_default();
                    let zero = is_same_rotation(radians(first), DVec3::ZERO);
                    bone.pose_deg = if zero { Vec3::ZERO } else { first };
                }
            }
        }
        let offsets = &samples.offsets[index];
        let first = offsets.first().copied().unwrap_or_default();
        let within = |tolerance: f64| move |a: Vec3, b: Vec3| f64::from(a.distance(b)) <= tolerance;
        let is_equal = within(1e-6 * rigged.height);
        let stored = rigged.stored_offset;
        if offsets.iter().all(|offset| is_equal(*offset, first)) {
            rigged.skeleton.base_offset = match within(1e-5 * rigged.height)(first, stored) {
                _ if is_equal(first, Vec3::ZERO) => Vec3::ZERO,
                true => stored,
                false => first,
            };
        } else {
            rigged.skeleton.base_offset = stored;
            let error = |offset: Vec3, sample: usize| f64::from(offset.distance(offsets[sample]));
            let spline = samples.knots(offsets, options, OFFSET_TOLERANCE * rigged.height, error);
            channels.insert(SkeletonChannel::Base(BASE_OFFSET).to_string(), Arc::new(Channel::Vec3(spline)));
        }
        if channels.is_empty() {
            continue;
        }
        let mut disabled = 0;
        for handle in rigged.skeleton.handles.iter_mut().filter(|handle| handle.enabled) {
            handle.enabled = false;
            disabled += 1;
        }
        if disabled > 0 {
            let text = format!(
                "{} turned off: the keys of the bones contain their effect",
                counted(disabled, "handle is", "handles are")
            );
            report.add(Severity::Note, "handles-off", &rig.pointer, text);
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
        for (channel, component) in [("translation", 0), ("scale", 2)] {
            let values: Vec<Vec3> =
                values.iter().map(|value| if component == 0 { value.0 } else { value.2 }).collect();
            let size = values.iter().map(|value| value.length()).fold(1e-6, f32::max);
            if values.iter().any(|value| value.distance(values[0]) > 1e-6 * size) {
                let error = |value: Vec3, sample: usize| f64::from(value.distance(values[sample]));
                let spline = samples.knots(&values, options, 1e-3 * f64::from(size), error);
                channels.insert(channel.into(), Arc::new(Channel::Vec3(spline)));
            }
        }
        let rotations: Vec<Quat> = values.iter().map(|value| value.1).collect();
        let angle_deg = |a: Quat, b: Quat| f64::from(a.angle_between(b)).to_degrees();
        if rotations.iter().any(|rotation| angle_deg(*rotation, rotations[0]) > 0.01) {
            let error = |rotation: Quat, sample: usize| angle_deg(rotation, rotations[sample]);
            let spline = samples.knots(&rotations, options, ANGLE_TOLERANCE, error);
            channels.insert("rotation".into(), Arc::new(Channel::Quat(spline)));
        }
        if !channels.is_empty() {
            animation.channels.insert(name.clone(), channels);
        }
    }
}
