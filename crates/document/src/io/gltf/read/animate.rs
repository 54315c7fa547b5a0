//! Converts animations of a file to keys of the scene: sampled at every frame, one after another on the
//! timeline. The keys of the file are kept where they are few and the curve between them is within the tolerance.

use super::build::{Build, ShapedMesh};
use super::file_keys::KeyFinder;
use super::motion::{self, Motion};
use super::rig::{BonePose, SkinnedRig};
use super::shapes::ShapeSource;
use crate::anim::channel::{Animation, Channel, SkeletonChannel};
use crate::anim::clip::Clip;
use crate::io::count::{counted, grouped};
use crate::io::file::ReadError;
use crate::io::import::ImportOptions;
use crate::io::limits::GLTF_POSES;
use crate::io::motion::keys::Samples;
use crate::io::motion::surface_keys::{self, BoneSamples, BoneSplines, SURFACE_TOLERANCE};
use crate::io::motion::timeline::{GAP, Placed, add_takes};
use crate::io::report::{Report, Severity};
use crate::math::angles::{degrees, is_same_rotation};
use crate::math::bounds::Bounds;
use crate::math::decompose::decompose;
use crate::rig::property::{BASE_OFFSET, POSE, SCALE, SHAPE_WEIGHT, TRANSLATION};
use crate::scene::skinned::SkinnedMesh;
use glam::{DAffine3, DVec3, Quat, Vec3};
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

/// How far the weight of a shape may be off at any frame.
const WEIGHT_TOLERANCE: f64 = 1e-3;
/// The end of the timeline up to which times between frames are exact enough: `f32` has 1/256 of a frame there.
const EXACT_FRAMES: u64 = 1 << 16;
/// The number of frames that are computed at once.
const BATCH: usize = 256;

/// Selects the animations in the options.
///
/// # Errors
/// If the requested animation does not exist.
pub fn select_motions(motions: Vec<Motion>, options: &ImportOptions) -> Result<Vec<Motion>, ReadError> {
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
    /// The frames at which it is sampled, counted from the first: all, and those between them at which few keys are.
    samples: Vec<f64>,
}

/// The values at the samples of all takes.
struct Sampled {
    samples: Samples,
    /// The poses per rig and joint.
    poses: Vec<Vec<BoneSamples>>,
    /// The base offsets per rig.
    offsets: Vec<Vec<Vec3>>,
    /// The transforms of nodes.
    transforms: BTreeMap<usize, Vec<(Vec3, Quat, Vec3)>>,
    /// The weights of shapes, per skinned mesh with shapes; empty for those without keys.
    shapes: Vec<Vec<Vec<f32>>>,
}

/// Stores the pose of the nodes, and converts the animations to keys.
pub fn animate(build: &mut Build, rigs: &mut [AnimatedMesh], motions: &[Motion], options: &ImportOptions) {
    let nodes = build.nodes;
    for rig in rigs.iter_mut().filter(|rig| rig.rigged.rig.posed) {
        let mut poses = vec![BonePose::REST; rig.rigged.rig.joints.len()];
        let pose = rig.rigged.pose(&nodes.world);
        let place = || "in the pose of the file".into();
        rig.rigged.update(&pose, &mut poses, place);
        rig.rigged.store_pose(&poses, pose.offset);
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
    let takes = takes(build, rigs, motions, options, rate);
    if !takes.is_empty() {
        let sampled = sample(build, rigs, &takes, options, rate);
        let mut animation = Animation::default();
        let placed = takes.iter().map(|take| (take.motion, take.first)).collect();
        let finder = KeyFinder { motions: placed, samples: &sampled.samples, rate };
        skeletons(rigs, &sampled, &finder, &mut animation, build.report);
        for (node, values) in &sampled.transforms {
            let channels = sampled.samples.transform(values, &finder.keys(*node));
            if let Some(name) = build.transforms.get(node).filter(|_| !channels.is_empty()) {
                animation.channels.insert(name.clone(), channels);
            }
        }
        shapes(build, rigs, &sampled, &finder, &mut animation);
        let last = takes.last().map_or(0, |take| take.first + take.frames);
        animation.clip = Clip { rate, length: last as u32 + 1, range: None };
        let placed = takes.iter().map(|&Take { motion, first, frames, .. }| Placed {
            name: &motion.name,
            first,
            frames,
            extra: &motion.extra,
        });
        add_takes(placed, values_per_frame(build, rigs, motions), &mut animation.takes, build.report);
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

/// Places as many takes on the timeline as fit.
fn takes<'m>(
    build: &mut Build,
    rigs: &[AnimatedMesh],
    motions: &'m [Motion],
    options: &ImportOptions,
    rate: f32,
) -> Vec<Take<'m>> {
    let mut takes: Vec<Take> = Vec::new();
    let limit = GLTF_POSES.limit(build.source.size);
    let (mut first, mut budget) = (0, limit as u64);
    let per_frame = build.nodes.all.len().max(values_per_frame(build, rigs, motions));
    for motion in motions {
        let frames = motion.frames(rate);
        let is_exact = !options.all_frames && first + frames <= EXACT_FRAMES;
        let mut between = if is_exact { motion.frames_between(rate) } else { Vec::new() };
        let work_of = |more: usize| frames.saturating_add(1 + more as u64).saturating_mul(per_frame as u64);
        if work_of(between.len()) > budget {
            between.clear();
        }
        let work = work_of(between.len());
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
        let mut samples: Vec<f64> = (0..=frames).map(|frame| frame as f64).chain(between).collect();
        samples.sort_by(f64::total_cmp);
        takes.push(Take { motion, first, frames, samples });
        first += frames + 1 + GAP;
    }
    takes
}

fn sample(
    build: &Build,
    rigs: &mut [AnimatedMesh],
    takes: &[Take],
    options: &ImportOptions,
    rate: f32,
) -> Sampled {
    let nodes = build.nodes;
    let driven: Vec<usize> = takes.iter().flat_map(|take| take.motion.driven()).collect();
    let moving = driven.into_iter().filter(|node| build.transforms.contains_key(node));
    let mut sampled = Sampled {
        samples: Samples { all_frames: options.all_frames, ..Samples::default() },
        poses: rigs.iter().map(|rig| vec![BoneSamples::default(); rig.rigged.rig.joints.len()]).collect(),
        offsets: vec![Vec::new(); rigs.len()],
        transforms: moving.map(|node| (node, Vec::new())).collect(),
        shapes: sample_shapes(build, takes, rate),
    };
    let mut last_rotations: HashMap<usize, Quat> = HashMap::new();
    for take in takes {
        let mut previous: Vec<Vec<BonePose>> =
            rigs.iter().map(|rig| vec![BonePose::REST; rig.rigged.rig.joints.len()]).collect();
        sampled.samples.ends.push(sampled.samples.frames.len());
        for frames in take.samples.chunks(BATCH) {
            let (rigs_ref, transforms) = (&*rigs, &sampled.transforms);
            let found = frames.par_iter().map_init(Vec::new, |local, &frame| {
                take.motion.pose(nodes, frame, rate, local);
                let world = nodes.world_matrices(local);
                let poses = rigs_ref.iter().map(|rig| rig.rigged.pose(&world));
                let transforms = transforms.keys().map(|node| decomposed(local[*node]));
                (frame, poses.collect::<Vec<_>>(), transforms.collect::<Vec<_>>())
            });
            for (frame, poses, transforms) in found.collect::<Vec<_>>() {
                let scene_frame = take.first as f64 + frame;
                sampled.samples.frames.push(scene_frame as f32);
                let place = || format!("{}, frame {scene_frame}", take.motion.name);
                for (index, (rig, pose)) in rigs.iter_mut().zip(poses).enumerate() {
                    rig.rigged.update(&pose, &mut previous[index], place);
                    sampled.offsets[index].push(pose.offset.as_vec3());
                    for (samples, pose) in sampled.poses[index].iter_mut().zip(&previous[index]) {
                        samples.angles_deg.push(degrees(pose.angles));
                        samples.translations.push(pose.translation.as_vec3());
                        samples.scales.push(pose.scale.as_vec3());
                    }
                }
                for ((&node, values), (translation, rotation, scale)) in
                    sampled.transforms.iter_mut().zip(transforms)
                {
                    // The sign of the quaternion that is closer to the previous one.
                    let last = last_rotations.entry(node).or_insert(rotation);
                    *last = if last.dot(rotation) < 0.0 { -rotation } else { rotation };
                    values.push((translation, *last, scale));
                }
            }
        }
        let last = sampled.samples.frames.len() - 1;
        if sampled.samples.ends.last() != Some(&last) {
            sampled.samples.ends.push(last);
        }
    }
    sampled
}

/// Returns the weight of each shape at every sample, in the order of `build.shaped`; nothing for shapes without keys.
fn sample_shapes(build: &Build, takes: &[Take], rate: f32) -> Vec<Vec<Vec<f32>>> {
    let weights = |source: &ShapeSource, stored: f32| -> Vec<f32> {
        let is_keyed = |take: &Take| take.motion.shape_weight(*source, 0.0, rate).is_some();
        if !takes.iter().any(is_keyed) {
            return Vec::new();
        }
        let at = |take: &Take, frame| take.motion.shape_weight(*source, frame, rate).unwrap_or(stored);
        takes.iter().flat_map(|take| take.samples.iter().map(move |frame| at(take, *frame))).collect()
    };
    let weights_of_mesh = |mesh: &ShapedMesh| {
        mesh.sources.iter().zip(&mesh.weights).map(|(source, stored)| weights(source, *stored)).collect()
    };
    build.shaped.iter().map(weights_of_mesh).collect()
}

/// Adds the channels of shapes that change, and stores the weights of those that stand still.
fn shapes(
    build: &mut Build,
    rigs: &mut [AnimatedMesh],
    sampled: &Sampled,
    finder: &KeyFinder,
    animation: &mut Animation,
) {
    for (ShapedMesh { name, sources, .. }, weights) in build.shaped.iter().zip(&sampled.shapes) {
        let rig = rigs.iter_mut().find(|rig| rig.name == *name);
        let (skeleton, surface, keys) = match rig {
            Some(rig) => (&mut rig.rigged.skeleton, &rig.skinned.surface, &rig.skinned.shapes),
            None => {
                let Some(mesh) = build.scene.skinned_meshes.get_mut(name) else { continue };
                let mesh = Arc::make_mut(mesh);
                (Arc::make_mut(&mut mesh.skeleton), &mesh.surface, &mesh.shapes)
            }
        };
        let size = f64::from(Bounds::from_points(surface.positions().iter().copied()).diagonal());
        for (index, weights) in weights.iter().enumerate() {
            let Some(&first) = weights.first() else { continue };
            let shape = &mut skeleton.shapes[index];
            if weights.iter().all(|weight| *weight == first) {
                shape.weight = first;
                continue;
            }
            let offsets = keys[index].positions.iter().map(|(_, offset)| offset.length());
            let farthest = f64::from(offsets.fold(0.0, f32::max));
            // A vertex stays within the tolerance of where it belongs, also if a few shapes move it.
            let tolerance = if farthest > 0.0 {
                (size * SURFACE_TOLERANCE / 4.0 / farthest).min(WEIGHT_TOLERANCE)
            } else {
                WEIGHT_TOLERANCE
            };
            let points: Vec<Vec3> = weights.iter().map(|weight| Vec3::X * *weight).collect();
            let (ends, keys) = (&sampled.samples.ends, finder.keys_of_weights(sources[index].node));
            let spline =
                sampled.samples.points(&points, tolerance, ends, keys.as_deref()).map(|point| point.x);
            let channel = SkeletonChannel::Shape(shape.channel_id, SHAPE_WEIGHT).to_string();
            let channels = animation.channels.entry(name.clone()).or_default();
            channels.insert(channel, Arc::new(Channel::Float(spline)));
        }
    }
}

/// Returns the translation, rotation and scale of a matrix.
fn decomposed(matrix: DAffine3) -> (Vec3, Quat, Vec3) {
    match decompose(matrix, DVec3::ONE) {
        Some((translation, rotation, scale)) => (translation.as_vec3(), rotation.as_quat(), scale.as_vec3()),
        None => (matrix.translation.as_vec3(), Quat::IDENTITY, Vec3::ZERO),
    }
}

fn skeletons(
    rigs: &mut [AnimatedMesh],
    sampled: &Sampled,
    finder: &KeyFinder,
    animation: &mut Animation,
    report: &mut Report,
) {
    for (index, rig) in rigs.iter_mut().enumerate() {
        let rigged = &mut rig.rigged;
        let mut channels: BTreeMap<String, Arc<Channel>> = BTreeMap::new();
        let mut bones = vec![None; rigged.skeleton.bones.len()];
        for (joint, bone) in rigged.bone_of.iter().enumerate() {
            if let Some(bone) = bone {
                bones[*bone] = Some(&sampled.poses[index][joint]);
            }
        }
        let offsets = &sampled.offsets[index];
        let keyed = surface_keys::keyed(&surface_keys::Sampled {
            skeleton: &rigged.skeleton,
            samples: &sampled.samples,
            boxes: surface_keys::boxes(&rigged.weights, &rig.skinned.surface, bones.len()),
            bones: bones.clone(),
            offsets,
            file_keys: finder.keys_of_rig(rigged),
            tolerance: SURFACE_TOLERANCE * rigged.height,
        });
        for (bone, splines) in keyed.bones.into_iter().enumerate() {
            let Some(samples) = bones[bone] else { continue };
            let first = |values: &[Vec3], rest: Vec3| values.first().copied().unwrap_or(rest);
            if splines.angles.is_none() {
                let first = first(&samples.angles_deg, Vec3::ZERO);
                let zero = is_same_rotation(first.as_dvec3().map(f64::to_radians), DVec3::ZERO);
                rigged.skeleton.bones[bone].pose_deg = if zero { Vec3::ZERO } else { first };
            }
            match splines.translations {
                None => rigged.store_translation(bone, first(&samples.translations, Vec3::ZERO)),
                Some(_) => rigged.skeleton.bones[bone].lock_transform = false,
            }
            match splines.scales {
                None => rigged.store_scale(bone, first(&samples.scales, Vec3::ONE)),
                Some(_) => rigged.skeleton.bones[bone].lock_transform = false,
            }
            let id = rigged.skeleton.bones[bone].channel_id;
            let BoneSplines { angles, translations, scales } = splines;
            for (row, spline) in [(POSE, angles), (TRANSLATION, translations), (SCALE, scales)] {
                if let Some(spline) = spline {
                    let name = SkeletonChannel::Bone(id, row).to_string();
                    channels.insert(name, Arc::new(Channel::Vec3(spline)));
                }
            }
        }
        let first = offsets.first().copied().unwrap_or_default();
        let within = |tolerance: f64| move |a: Vec3, b: Vec3| f64::from(a.distance(b)) <= tolerance;
        let stored = rigged.stored_offset;
        match keyed.offsets {
            None => {
                rigged.skeleton.base_offset = match within(1e-5 * rigged.height)(first, stored) {
                    _ if within(1e-6 * rigged.height)(first, Vec3::ZERO) => Vec3::ZERO,
                    true => stored,
                    false => first,
                };
            }
            Some(spline) => {
                rigged.skeleton.base_offset = stored;
                let name = SkeletonChannel::Base(BASE_OFFSET).to_string();
                channels.insert(name, Arc::new(Channel::Vec3(spline)));
            }
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
