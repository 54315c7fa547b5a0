//! Puts the takes of another scene on a skinned mesh with the same names of bones.

use super::keys::{FileKeys, Samples};
use super::surface_keys::{self, BoneSamples, STANDING_TOLERANCE, SURFACE_TOLERANCE, boxes};
use super::timeline::GAP;
use crate::anim::channel::{Animation, Channel, ChannelRef, SkeletonChannel};
use crate::anim::clip::Clip;
use crate::anim::contacts::CONTACTS;
use crate::anim::mode::{Mode, Slope};
use crate::anim::spline::{Interpolate, Spline};
use crate::anim::take::{Take, Takes};
use crate::io::count::counted;
use crate::io::report::{Report, Severity};
use crate::math::angles::{degrees, next_euler};
use crate::math::bounds::Bounds;
use crate::math::decompose::polar_factor;
use crate::rig::kinematics::{axes_matrix, bind_pose, current_pose, parent_of, scale_axes};
use crate::rig::property::{BASE_OFFSET, POSE, SCALE, SHAPE_WEIGHT, TRANSLATION};
use crate::rig::skeleton::{Bone, Skeleton};
use crate::rig::turn_and_scale::turn_and_scale;
use crate::scene::Scene;
use crate::scene::apply_animation::animate;
use crate::scene::skinned::SkinnedMesh;
use glam::{DAffine3, DMat3, DVec3, Vec3};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::{Add, Mul, Sub};
use std::sync::Arc;

/// Rests whose joints differ by more than this, as a fraction of the size, are different ones.
const SAME_REST: f64 = 1e-3;
/// Smaller moves, as a fraction of the size, are rounding.
const NO_MOVE: f64 = 1e-6;
/// The frames after the last key of a curve at which two more keep its end as it was, if the curve goes on.
const JUST_AFTER: f32 = 1.0 / 64.0;

/// Adds the takes of `clips` to the timeline of `scene` after what is there, for the bones of the skinned mesh `mesh` that
/// have the name of a bone in `clips`. The others stay at rest in these takes.
///
/// The keys of `clips` are kept where the curves through them are the same; otherwise there are as few as hold the surface.
/// Exact, within the tolerance of key reduction, if both skeletons have the same rest, up to place, orientation and size of
/// the whole: each bone turns, moves and is scaled against its parent as the one of its name. What is keyed already does not
/// change at any frame, and the report says how many bones had no counterpart or another rest.
///
/// # Errors
/// If there is nothing to add, with the reason.
pub fn add_clips(scene: &mut Scene, mesh: &str, clips: &Scene) -> Result<Report, &'static str> {
    let (source_name, fit, report) = fit(scene, mesh, clips)?;
    let target = &scene.skinned_meshes[mesh];
    let start = scene.animation.last_used_frame().map_or(0, |last| last as u64 + 1 + GAP);
    let end = clips.animation.last_used_frame().unwrap_or_default() as u64 + start;
    if end >= u64::from(Clip::MAX_LENGTH) {
        return Err("the timeline is full");
    }
    let mut sampled = Sampled { bones: vec![BoneSamples::default(); fit.joints.len()], ..Sampled::default() };
    for (frame, is_end) in frames(&clips.animation.takes) {
        let shown = animate(clips, frame as f32);
        let posed = &shown.skinned_meshes[source_name].skeleton;
        sampled.add((start + u64::from(frame)) as f32, is_end, fit.pose(posed), &fit.joints);
        sampled.add_shapes(&target.skeleton, posed);
    }
    let file_keys = fit.file_keys((source_name, clips), &sampled.samples, start as f32);
    let mut skinned = SkinnedMesh::clone(target);
    let animation = Arc::make_mut(&mut scene.animation);
    let stands = clips.animation.takes.list.iter().any(|take| take.extra.get(CONTACTS).is_some());
    let tolerance = fit.size * if stands { STANDING_TOLERANCE } else { SURFACE_TOLERANCE };
    sampled.key(mesh, &mut skinned, (tolerance, file_keys), animation);
    let first = animation.takes.list.len();
    if start == 0 {
        animation.clip = clips.animation.clip;
    }
    let shifted = |take: &Take| Take { range: take.range.map(|frame| frame + start as u32), ..take.clone() };
    let list = clips.animation.takes.list.iter().map(shifted).collect();
    animation.append_takes(&Takes { list, chosen: None });
    animation.clip = animation.clip.extended_to(animation.last_used_frame());
    animation.choose_take((first < animation.takes.list.len()).then_some(first));
    scene.skinned_meshes.insert(mesh.to_owned(), Arc::new(skinned));
    Ok(report)
}

/// Returns what [`add_clips`] would report.
///
/// # Errors
/// As for [`add_clips`].
pub fn report(scene: &Scene, mesh: &str, clips: &Scene) -> Result<Report, &'static str> {
    Ok(fit(scene, mesh, clips)?.2)
}

/// Finds the skeleton of `clips` with the most bones in common with the mesh: returns its name, how poses are taken over
/// from it, and what is different.
fn fit<'c>(scene: &Scene, mesh: &str, clips: &'c Scene) -> Result<(&'c str, Fit, Report), &'static str> {
    let target = scene.skinned_meshes.get(mesh).ok_or("the character is not in the scene")?;
    if clips.animation.takes.list.is_empty() {
        return Err("the file holds no animation");
    }
    let with_counterparts = |(name, source): (&'c String, &'c Arc<SkinnedMesh>)| {
        let counterparts = counterparts(&target.skeleton, &source.skeleton);
        (counterparts.iter().flatten().count(), name, source, counterparts)
    };
    let sources = clips.skinned_meshes.iter().map(with_counterparts);
    let best = sources.max_by_key(|(count, ..)| *count).filter(|(count, ..)| *count > 0);
    let (_, source_name, source, counterpart) = best.ok_or("no bone of the file has the name of one here")?;
    let mut report = Report::default();
    let fit = Fit::new(target, &source.skeleton, counterpart);
    fit.report(&target.skeleton, &source.skeleton, &mut report);
    let enabled = target.skeleton.handles.iter().filter(|handle| handle.enabled).count();
    if enabled > 0 {
        let text =
            format!("{} on, and act in the new takes as well", counted(enabled, "handle is", "handles are"));
        report.add(Severity::Note, "handles-on", "the character", text);
    }
    Ok((source_name, fit, report))
}

/// Returns the frames of all takes, which may overlap, and whether one begins or ends there.
fn frames(takes: &Takes) -> BTreeMap<u32, bool> {
    let mut frames = BTreeMap::new();
    for &Take { range: [first, last], .. } in &takes.list {
        for frame in first..=last {
            *frames.entry(frame).or_default() |= frame == first || frame == last;
        }
    }
    frames
}

/// Returns a scene with only the skeletons of another and their animation.
pub fn motion_only(scene: &Scene) -> Scene {
    let bare = |skinned: &Arc<SkinnedMesh>| SkinnedMesh {
        skeleton: skinned.skeleton.clone(),
        ..SkinnedMesh::default()
    };
    let mut animation = Animation::clone(&scene.animation);
    animation.channels.retain(|name, _| scene.skinned_meshes.get(name).is_some());
    let mut motion = Scene { animation: Arc::new(animation), ..Scene::default() };
    for (name, skinned) in scene.skinned_meshes.iter() {
        motion.skinned_meshes.insert(name.clone(), Arc::new(bare(skinned)));
    }
    motion
}

/// What identifies a bone in another file: its name, or without one its channel id.
fn identity(bone: &Bone) -> (Option<&str>, Option<u32>) {
    match bone.name.as_deref().filter(|name| !name.is_empty()) {
        Some(name) => (Some(name), None),
        None => (None, Some(bone.channel_id)),
    }
}

/// Returns, for each bone of `target`, the bone of `source` with its identity. Links have none.
fn counterparts(target: &Skeleton, source: &Skeleton) -> Vec<Option<usize>> {
    let mut known = HashMap::new();
    for (index, bone) in source.bones.iter().enumerate().filter(|(_, bone)| !bone.link) {
        known.entry(identity(bone)).or_insert(index);
    }
    let found = |bone: &Bone| known.get(&identity(bone)).copied().filter(|_| !bone.link);
    target.bones.iter().map(found).collect()
}

/// How a skeleton takes over the poses of another.
struct Fit {
    joints: Vec<Joint>,
    /// The heads of the bones of the other skeleton in its bind pose.
    source_heads: Vec<DVec3>,
    /// The rotation and the scale from the space of the other skeleton.
    turn: DMat3,
    scale: f64,
    /// The diagonal of the surface, or of the joints if there is none.
    size: f64,
}

/// How a bone is turned (skeleton space), moved and scaled against its parent.
struct JointPose {
    rotation: DMat3,
    translation: DVec3,
    scale: DVec3,
}

/// A bone, with what is needed to pose it.
struct Joint {
    /// The bone of the other skeleton.
    counterpart: Option<usize>,
    /// The counterpart of the closest ancestor that has one.
    parent: Option<usize>,
    /// The head in the bind pose against that of this ancestor, and the same of the counterparts.
    offsets: Option<[DVec3; 2]>,
    axes: DMat3,
    scale_axes: DMat3,
}

impl Fit {
    fn new(target: &SkinnedMesh, source: &Skeleton, counterpart: Vec<Option<usize>>) -> Self {
        let skeleton = &target.skeleton;
        let heads = |skeleton: &Skeleton| -> Vec<DVec3> {
            bind_pose(skeleton).iter().map(|bind| bind.translation).collect()
        };
        let (target_heads, source_heads) = (heads(skeleton), heads(source));
        let joint = |(index, bone): (usize, &Bone)| {
            let mut above =
                std::iter::successors(parent_of(skeleton, index), |bone| parent_of(skeleton, *bone));
            let above = above.find_map(|bone| Some((bone, counterpart[bone]?)));
            let offsets = above.zip(counterpart[index]).map(|((bone, parent), counterpart)| {
                [target_heads[index] - target_heads[bone], source_heads[counterpart] - source_heads[parent]]
            });
            Joint {
                counterpart: counterpart[index],
                parent: above.map(|(_, parent)| parent),
                offsets,
                axes: axes_matrix(bone),
                scale_axes: scale_axes(bone),
            }
        };
        let joints: Vec<Joint> = skeleton.bones.iter().enumerate().map(joint).collect();
        let points = target.surface.positions().iter().copied();
        let points = if target.surface.positions().is_empty() {
            Bounds::from_points(target_heads.iter().map(|head| head.as_vec3()))
        } else {
            Bounds::from_points(points)
        };
        let size = f64::from(points.diagonal()).max(f64::MIN_POSITIVE);
        let offsets = || joints.iter().filter_map(|joint| joint.offsets);
        let sum = |side: usize| offsets().map(|pair| pair[side].length_squared()).sum::<f64>();
        let (target_sum, source_sum) = (sum(0), sum(1));
        let scale: f64 =
            if source_sum > 0.0 && target_sum > 0.0 { f64::sqrt(target_sum / source_sum) } else { 1.0 };
        let is_same = offsets().all(|[target, source]| target.distance(scale * source) <= SAME_REST * size);
        // The rotation that brings the offsets closest: the polar factor of their covariance.
        let covariance = |[target, source]: [DVec3; 2]| {
            DMat3::from_cols(target * source.x, target * source.y, target * source.z)
        };
        let covariance = offsets().map(covariance).fold(DMat3::ZERO, |sum, part| sum + part);
        let turn = polar_factor(covariance).filter(|turn| !is_same && turn.determinant() > 0.0);
        Self { joints, source_heads, turn: turn.unwrap_or(DMat3::IDENTITY), scale, size }
    }

    /// Reports bones without counterparts, and those whose rests differ.
    fn report(&self, target: &Skeleton, source: &Skeleton, report: &mut Report) {
        let matched = self.joints.iter().filter(|joint| joint.counterpart.is_some()).count();
        let bones = |skeleton: &Skeleton| skeleton.bones.iter().filter(|bone| !bone.link).count();
        let (here, there) = (bones(target) - matched, bones(source).saturating_sub(matched));
        for (count, text) in [
            (here, "not in the file, and at rest in the new takes"),
            (there, "only in the file, and left out"),
        ] {
            if count > 0 {
                let text = format!("{} {text}", counted(count, "bone is", "bones are"));
                report.add(Severity::Warning, "other-bones", "the bones", text);
            }
        }
        let lost =
            source.shapes.iter().filter(|shape| !target.shapes.iter().any(|other| other.name == shape.name));
        let lost = lost.count();
        if lost > 0 {
            let text =
                format!("{} only in the file, and left out", counted(lost, "shape key is", "shape keys are"));
            report.add(Severity::Warning, "other-shapes", "the shape keys", text);
        }
        let distance =
            |[target, source]: [DVec3; 2]| target.distance(self.scale * (self.turn * source)) / self.size;
        let offsets = self.joints.iter().filter_map(|joint| joint.offsets);
        let off: Vec<f64> = offsets.map(distance).filter(|off| *off > SAME_REST).collect();
        if let Some(worst) = off.iter().copied().reduce(f64::max) {
            let text = format!(
                "{} another rest in the file, by up to {:.1} % of the size: the motion is that of the file against its \
                 rest, and need not look the same",
                counted(off.len(), "bone has", "bones have"),
                100.0 * worst
            );
            report.add(Severity::Warning, "other-rest", "the bones", text);
        }
    }

    /// Returns the samples at which `clips` have keys, of each bone, and last those of the base offset. `source`: the name of the
    /// other skeleton. `start`: the frame of the timeline at which that of `clips` begins.
    fn file_keys(&self, (source, clips): (&str, &Scene), samples: &Samples, start: f32) -> Vec<FileKeys> {
        let bones = &clips.skinned_meshes[source].skeleton.bones;
        let keys_of = |channels: &[SkeletonChannel]| {
            let channels = channels.iter().map(|channel| ChannelRef::new(source, *channel));
            let times = channels.filter_map(|channel| clips.animation.get(&channel)).flat_map(|c| c.times());
            let times: Vec<f32> = times.collect();
            let sample =
                |time: &f32| samples.frames.binary_search_by(|at| at.total_cmp(&(time + start))).ok();
            let is_kept = !times.is_empty() && times.iter().all(|time| time.fract() == 0.0);
            let keys: BTreeSet<usize> =
                times.iter().filter_map(sample).chain(samples.ends.iter().copied()).collect();
            let keys: Vec<usize> = keys.into_iter().collect();
            // Between neighbouring samples, nothing tells one mode from another.
            let is_sparse = keys.windows(2).all(|pair| pair[1] > pair[0] + 1);
            (is_kept && is_sparse).then_some(keys)
        };
        let bone_channel = |bone: usize, row| SkeletonChannel::Bone(bones[bone].channel_id, row);
        let of_bone = |joint: &Joint| {
            let keys = |row| joint.counterpart.and_then(|bone| keys_of(&[bone_channel(bone, row)]));
            FileKeys { rotations: keys(POSE), translations: keys(TRANSLATION), scales: keys(SCALE) }
        };
        let roots = self.joints.iter().filter(|joint| joint.parent.is_none());
        let roots = roots.filter_map(|joint| Some(bone_channel(joint.counterpart?, TRANSLATION)));
        let movers: Vec<_> = [SkeletonChannel::Base(BASE_OFFSET)].into_iter().chain(roots).collect();
        let base = FileKeys { translations: keys_of(&movers), ..FileKeys::default() };
        self.joints.iter().map(of_bone).chain([base]).collect()
    }

    /// Returns the pose of each bone if the other skeleton is posed as `posed`, and the base offset.
    fn pose(&self, posed: &Skeleton) -> (Vec<JointPose>, DVec3) {
        let heads = self.source_heads.iter();
        let deformed = current_pose(posed).into_iter().zip(heads);
        let deformed: Vec<DAffine3> =
            deformed.map(|(current, head)| current * DAffine3::from_translation(-*head)).collect();
        let mut offset = None;
        let pose = self.joints.iter().map(|joint| {
            let rest = JointPose { rotation: DMat3::IDENTITY, translation: DVec3::ZERO, scale: DVec3::ONE };
            let Some(counterpart) = joint.counterpart else { return rest };
            let from_parent = joint.parent.map_or(DAffine3::IDENTITY, |parent| deformed[parent]);
            let local = from_parent.inverse() * deformed[counterpart];
            // Below what is scaled to nothing, nothing can be seen.
            if !local.is_finite() {
                return rest;
            }
            let head = self.source_heads[counterpart];
            let mut translation = self.scale * (self.turn * (local.transform_point3(head) - head));
            if joint.parent.is_none() {
                translation -= *offset.get_or_insert(translation);
            }
            if translation.length() <= NO_MOVE * self.size {
                translation = DVec3::ZERO;
            }
            let matrix = self.turn * local.matrix3 * self.turn.transpose();
            let (rotation, scale) = turn_and_scale(matrix, joint.scale_axes);
            JointPose { rotation, translation, scale }
        });
        let pose = pose.collect();
        (pose, offset.filter(|offset| offset.length() > NO_MOVE * self.size).unwrap_or_default())
    }
}

/// The poses at the frames of all takes.
#[derive(Default)]
struct Sampled {
    samples: Samples,
    bones: Vec<BoneSamples>,
    offsets: Vec<Vec3>,
    /// The weights of each shape.
    shapes: Vec<Vec<f32>>,
}

impl Sampled {
    /// Adds the weights of the shapes of `target`: those of the same names in `posed`, or else what is stored.
    fn add_shapes(&mut self, target: &Skeleton, posed: &Skeleton) {
        self.shapes.resize(target.shapes.len(), Vec::new());
        for (weights, shape) in self.shapes.iter_mut().zip(&target.shapes) {
            let found = posed.shapes.iter().find(|other| other.name == shape.name);
            weights.push(found.map_or(shape.weight, |found| found.weight));
        }
    }

    fn add(&mut self, frame: f32, is_end: bool, pose: (Vec<JointPose>, DVec3), joints: &[Joint]) {
        // Angles go on from those of the frame before, and start anew after a gap.
        let goes_on = self.samples.frames.last().is_some_and(|last| *last == frame - 1.0);
        if is_end {
            self.samples.ends.push(self.samples.frames.len());
        }
        self.samples.frames.push(frame);
        let (poses, offset) = pose;
        for ((samples, joint), pose) in self.bones.iter_mut().zip(joints).zip(poses) {
            let before = samples.angles_deg.last().filter(|_| goes_on).copied().unwrap_or_default();
            let before = before.as_dvec3().map(f64::to_radians);
            let angles = next_euler(before, joint.axes.transpose() * pose.rotation * joint.axes);
            samples.angles_deg.push(degrees(angles));
            samples.translations.push(pose.translation.as_vec3());
            samples.scales.push(pose.scale.as_vec3());
        }
        self.offsets.push(offset.as_vec3());
    }

    /// Adds the keys of a skinned mesh, whose surface may be off by so much. A bone that moves or is scaled is not locked afterwards.
    fn key(
        &self,
        mesh: &str,
        skinned: &mut SkinnedMesh,
        (tolerance, file_keys): (f64, Vec<FileKeys>),
        animation: &mut Animation,
    ) {
        let skeleton = Arc::make_mut(&mut skinned.skeleton);
        let bones = skeleton.bones.iter().zip(&self.bones);
        let bones: Vec<_> = bones.map(|(bone, samples)| (!bone.link).then_some(samples)).collect();
        let keyed = surface_keys::keyed(&surface_keys::Sampled {
            skeleton,
            samples: &self.samples,
            boxes: boxes(&skinned.weights, &skinned.surface, bones.len()),
            bones,
            offsets: &self.offsets,
            file_keys,
            tolerance,
        });
        let last = animation.last_used_frame();
        let channels = animation.channels.entry(mesh.to_owned()).or_default();
        let mut add = |channel, values: &[Vec3], spline, stored| {
            let old = |channel: &Channel| match channel {
                Channel::Vec3(old) => Some(old.clone()),
                _ => None,
            };
            self.key_channel(channels, (channel, last), (values, spline), stored, (old, Channel::Vec3))
        };
        add(SkeletonChannel::Base(BASE_OFFSET), &self.offsets, keyed.offsets, skeleton.base_offset);
        for ((bone, splines), samples) in skeleton.bones.iter_mut().zip(keyed.bones).zip(&self.bones) {
            let channel = |row| SkeletonChannel::Bone(bone.channel_id, row);
            if bone.link {
                continue;
            }
            add(channel(POSE), &samples.angles_deg, splines.angles, bone.pose_deg);
            let moves =
                add(channel(TRANSLATION), &samples.translations, splines.translations, bone.translation);
            let scales = add(channel(SCALE), &samples.scales, splines.scales, bone.scale);
            bone.lock_transform &= !(moves || scales);
        }
        for (shape, weights) in skeleton.shapes.iter().zip(&self.shapes) {
            let changes = weights.iter().any(|weight| *weight != weights[0]);
            let error = |weight: f32, sample: usize| f64::from((weight - weights[sample]).abs());
            let spline = || self.samples.spline(weights, SURFACE_TOLERANCE, &self.samples.ends, error);
            let channel = SkeletonChannel::Shape(shape.channel_id, SHAPE_WEIGHT);
            let old = |channel: &Channel| match channel {
                Channel::Float(old) => Some(old.clone()),
                _ => None,
            };
            let keys = (&weights[..], changes.then(spline));
            self.key_channel(channels, (channel, last), keys, shape.weight, (old, Channel::Float));
        }
        animation.channels.retain(|_, channels| !channels.is_empty());
    }

    /// Adds the keys of a channel after those that it has until the last frame in use: `spline`, or the first of `values` at
    /// both ends if there is none. Returns false if the channel needs none, as it rests at `stored`.
    fn key_channel<T: Value>(
        &self,
        channels: &mut BTreeMap<String, Arc<Channel>>,
        (channel, last): (SkeletonChannel, Option<f32>),
        (values, spline): (&[T], Option<Spline<T>>),
        stored: T,
        (old, wrap): (impl Fn(&Channel) -> Option<Spline<T>>, impl Fn(Spline<T>) -> Channel),
    ) -> bool {
        let name = channel.to_string();
        let old = channels.get(&name).and_then(|channel| old(channel));
        let Some(&first) = values.first() else { return false };
        if spline.is_none() && old.is_none() && first == stored {
            return false;
        }
        let both_ends = || {
            let frames = &self.samples.frames;
            Spline::from_knots(self.samples.ends.iter().map(|sample| (frames[*sample], first)).collect())
        };
        let spline = joined(old, last, stored, spline.unwrap_or_else(both_ends));
        channels.insert(name, Arc::new(wrap(spline)));
        true
    }
}

/// A value of a channel, with slopes.
trait Value: Interpolate + Default + Add<Output = Self> + Sub<Output = Self> + Mul<f32, Output = Self> {}

impl<T: Interpolate + Default + Add<Output = T> + Sub<Output = T> + Mul<f32, Output = T>> Value for T {}

/// Returns the curve of the keys that exist, or the `stored` value, until the last frame that is used, and of new ones
/// afterwards. Neither part changes at any frame: the keys in between continue each end in its direction, as an end without
/// neighbour continues.
fn joined<T: Value>(old: Option<Spline<T>>, last: Option<f32>, stored: T, new: Spline<T>) -> Spline<T> {
    let Some(last) = last else { return new };
    let mut curve =
        old.filter(|old| !old.knots.is_empty()).unwrap_or_else(|| Spline::from_knots(vec![(last, stored)]));
    let slope = |[(t1, v1), (t2, v2)]: [(f32, T); 2]| (v2 - v1) * (1.0 / (t2 - t1));
    let knots = &curve.knots;
    let (time, value) = knots[knots.len() - 1];
    let end_slope =
        if knots.len() > 1 { slope([knots[knots.len() - 2], (time, value)]) } else { T::default() };
    let after = if time < last { JUST_AFTER } else { 1.0 };
    curve.insert(time + after, value + end_slope * after);
    if time < last {
        curve.insert(time + 2.0 * after, value);
        curve.set_mode(curve.knots.len() - 1, Mode::Hold);
    }
    let (time, value) = new.knots[0];
    let start_slope = new.knots.get(1).map_or(T::default(), |next| slope([(time, value), *next]));
    curve.insert(time - 1.0, value - start_slope);
    for (index, &(time, value)) in new.knots.iter().enumerate() {
        curve.insert(time, value);
        // They are behind all others.
        let knot = curve.knots.len() - 1;
        let (mode, mut slopes) = (new.authored.mode(index), new.authored.slopes(index));
        if mode != Mode::Auto {
            curve.set_mode(knot, mode);
            // The key before the first one bends a clamped curve otherwise than its end does.
            let first = T::slopes(&new, time).filter(|_| index == 0);
            slopes.leave = slopes.leave.or(first.map(|[_, leave]| Slope::Set(leave)));
        }
        if slopes.is_free() {
            curve.set_slopes(knot, slopes);
        }
    }
    curve
}
