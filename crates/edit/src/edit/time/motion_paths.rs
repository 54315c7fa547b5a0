//! Motion paths: the paths of the selected objects through the world over the frames that are played, and the
//! frames of their keys. They are recalculated only after changes, a batch of frames at a time, starting near
//! the current frame. Drawing them is not this module's concern.

use crate::anim::channel::{ChannelRef, SkeletonChannel};
use crate::anim::channel_set::ChannelSet;
use crate::edit::select::selection::Part;
use crate::edit::settings::view::{Tab, View};
use crate::edit::time::keying;
use crate::rig::ik;
use crate::rig::property::{BASE_OFFSET, POSE, TARGET};
use crate::rig::skeleton::Skeleton;
use crate::scene::Scene;
use crate::scene::apply_animation::Animator;
use crate::scene::instance::InstanceKind;
use crate::scene::names::Kind;
use crate::scene::paths::{PathSubject, points_with};
use crate::scene::solve::{Posing, solve_ik};
use glam::Vec3;
use std::sync::Arc;

/// The maximum number of frames of a path; if there are more, only those around the current frame are shown.
pub const MAX_FRAMES: u32 = 2000;

/// Returns the subjects of the selection's paths: its parts, or the instance as a whole.
pub fn subjects(view: &View) -> Vec<PathSubject> {
    let selection = view.session.selection();
    let scene = view.session.scene();
    if view.settings.tab != Tab::Animate {
        return Vec::new();
    }
    let Some(instance) = &selection.instance else {
        let transform = selection.resource.as_ref();
        let transform = transform.filter(|object| object.kind == Kind::Transform);
        return transform.map(|t| PathSubject::Transform(t.name.clone())).into_iter().collect();
    };
    let name = || instance.name.clone();
    if selection.part.is_some() && instance.kind == InstanceKind::SkinnedMesh {
        let subject = |part| match part {
            Part::Bone(bone) => Some(PathSubject::Tip { instance: name(), bone }),
            Part::Handle(handle) => Some(PathSubject::Handle { instance: name(), handle }),
            Part::Pole(_) | Part::Shape(_) => None,
            Part::Base => Some(PathSubject::Base { instance: name() }),
        };
        return selection.parts().filter_map(subject).collect();
    }
    let transform = scene.instances.get(instance).and_then(|placed| placed.transform);
    let transform = transform.map(|transform| PathSubject::Transform(transform.to_owned()));
    // A character may walk by its base as well as by its transform.
    let base = (instance.kind == InstanceKind::SkinnedMesh).then(|| PathSubject::Base { instance: name() });
    transform.into_iter().chain(base).collect()
}

/// Returns the frames at which a subject has keys (for a tail, also keys of handles that pull it), in
/// ascending order, except muted keys.
pub fn keys(scene: &Scene, subject: &PathSubject) -> Vec<f32> {
    let mut channels = Vec::new();
    match subject {
        PathSubject::Transform(name) => {
            channels.extend(["translation", "rotation", "scale"].map(|c| ChannelRef::new(name, c)));
        }
        PathSubject::Tip { instance, .. }
        | PathSubject::Handle { instance, .. }
        | PathSubject::Base { instance } => {
            let placed = scene.instances.skinned_meshes.get(instance);
            let mesh = placed.and_then(|placed| placed.resource.as_deref());
            let Some((name, skinned)) = mesh.and_then(|mesh| scene.skinned_meshes.get_key_value(mesh)) else {
                return Vec::new();
            };
            let skeleton = &skinned.skeleton;
            let found = part_channels(skeleton, subject);
            channels.extend(found.into_iter().map(|channel| ChannelRef::new(name, channel)));
        }
    }
    let animation = &scene.animation;
    let mut channels = keying::in_active_layers(scene, channels);
    channels.retain(|channel| !animation.mute(&channel.resource, &channel.channel).is_whole());
    let channels = channels.iter().filter_map(|channel| animation.get(channel));
    let mut frames: Vec<f32> = channels.flat_map(|channel| channel.times()).collect();
    frames.sort_by(f32::total_cmp);
    frames.dedup();
    frames
}

fn part_channels(skeleton: &Skeleton, subject: &PathSubject) -> Vec<SkeletonChannel> {
    match subject {
        PathSubject::Transform(_) => Vec::new(),
        PathSubject::Base { .. } => vec![SkeletonChannel::Base(BASE_OFFSET)],
        PathSubject::Handle { handle, .. } => {
            let handle = skeleton.handles.get(*handle);
            let target = handle.map(|handle| SkeletonChannel::Handle(handle.channel_id, TARGET));
            target.into_iter().collect()
        }
        PathSubject::Tip { bone, .. } => {
            let pose = skeleton.bones.get(*bone).map(|b| SkeletonChannel::Bone(b.channel_id, POSE));
            let pulling = skeleton.handles.iter().filter(|handle| handle.bone as usize == *bone);
            let pulling = pulling.map(|handle| SkeletonChannel::Handle(handle.channel_id, TARGET));
            pose.into_iter().chain(pulling).collect()
        }
    }
}

/// The input of the paths.
#[derive(Clone)]
struct Input {
    scene: Scene,
    unkeyed: Arc<ChannelSet>,
    ik: Option<ik::Options>,
    subjects: Vec<PathSubject>,
    frames: [u32; 2],
}

impl Input {
    fn from_view(view: &View, ik: Option<ik::Options>) -> Self {
        let session = view.session;
        let [first, last] = session.scene().animation.clip.play_range();
        let current = (session.frame().max(0.0) as u32).clamp(first, last);
        let half = MAX_FRAMES / 2;
        // In large steps, so that the range does not change at every frame of playback.
        let middle = current / half * half;
        let frames = if last - first >= MAX_FRAMES {
            [middle.saturating_sub(half).max(first), (middle + 2 * half).min(last)]
        } else {
            [first, last]
        };
        Self {
            scene: session.scene().clone(),
            unkeyed: session.unkeyed().clone(),
            ik,
            subjects: subjects(view),
            frames,
        }
    }

    /// Whether paths of `self` can be shown until those of `other` are calculated.
    fn is_similar_to(&self, other: &Self) -> bool {
        self.subjects == other.subjects && self.frames == other.frames
    }

    fn is_same_as(&self, other: &Self) -> bool {
        self.is_similar_to(other)
            && self.ik == other.ik
            && self.unkeyed == other.unkeyed
            && self.scene.is_shared(&other.scene)
    }
}

/// A skeleton at a frame before and after solving for its handles.
type Solved = (Arc<Skeleton>, Arc<Skeleton>);

/// The paths, as far as they have been calculated.
#[derive(Default)]
pub struct MotionPaths {
    input: Option<Input>,
    /// The points per subject and frame.
    points: Vec<Vec<Option<Vec3>>>,
    keys: Vec<Vec<f32>>,
    /// The frames to be calculated, the next one at the end.
    due: Vec<u32>,
    animator: Animator,
    /// The last solution of each frame, which often stays valid after a change elsewhere in time.
    solved: Vec<Option<Solved>>,
    /// The number of frames that were calculated, which does not grow while nothing changes.
    pub calculated: u64,
    /// The number of frames for which a skeleton was solved.
    pub solves: u64,
}

/// The path of one subject.
pub struct Path<'a> {
    pub subject: &'a PathSubject,
    /// The frame of `points[0]`.
    pub first: u32,
    /// The point of each frame, in world space; `None` if it is missing or not calculated yet.
    pub points: &'a [Option<Vec3>],
    /// The frames of keys, which may be between whole frames.
    pub keys: &'a [f32],
}

impl Path<'_> {
    /// Returns the position at a frame, interpolated linearly between whole frames.
    pub fn position_at(&self, frame: f32) -> Option<Vec3> {
        let since = frame - self.first as f32;
        if since < 0.0 {
            return None;
        }
        let before = since.floor() as usize;
        let a = *self.points.get(before)?;
        match since.fract() {
            0.0 => a,
            fraction => Some(a?.lerp((*self.points.get(before + 1)?)?, fraction)),
        }
    }

    /// Whether it stays in one place.
    pub fn is_stationary(&self) -> bool {
        let mut points = self.points.iter().flatten();
        let Some(first) = points.next() else { return true };
        points.all(|point| point.distance_squared(*first) <= 1e-10 * (1.0 + first.length_squared()))
    }
}

impl MotionPaths {
    /// Removes all paths.
    pub fn clear(&mut self) {
        if self.input.is_some() {
            let (calculated, solves) = (self.calculated, self.solves);
            *self = Self { calculated, solves, ..Self::default() };
        }
    }

    /// Continues the calculation while `keep_going` returns true, with at least one frame if any remains.
    /// Returns whether a path changed.
    pub fn update(
        &mut self,
        view: &View,
        ik: Option<ik::Options>,
        mut keep_going: impl FnMut() -> bool,
    ) -> bool {
        let input = Input::from_view(view, ik);
        if input.subjects.is_empty() {
            let had_paths = self.input.is_some();
            self.clear();
            return had_paths;
        }
        if !self.input.as_ref().is_some_and(|old| old.is_same_as(&input)) {
            self.begin(input, view.session.frame());
        }
        let Some(input) = &self.input else { return false };
        let before = self.calculated;
        while let Some(frame) = self.due.pop() {
            let index = (frame - input.frames[0]) as usize;
            let driven = self.animator.animate(&input.scene, frame as f32, &input.unkeyed);
            let (cached, solves) = (&mut self.solved[index], &mut self.solves);
            let points = points_with(&driven, &input.subjects, |mesh| {
                let placed = Posing::with_ik(input.ik.as_ref()).placed(&driven, mesh)?;
                let Some(options) = &input.ik else {
                    return Some(placed);
                };
                if let Some((before, after)) = cached
                    && **before == *placed
                {
                    return Some(after.clone());
                }
                *solves += 1;
                let after = solve_ik(&placed, options).0;
                *cached = Some((placed, after.clone()));
                Some(after)
            });
            for (path, point) in self.points.iter_mut().zip(points) {
                path[index] = point;
            }
            self.calculated += 1;
            if !keep_going() {
                break;
            }
        }
        self.calculated != before
    }

    fn begin(&mut self, input: Input, frame: f32) {
        let [first, last] = input.frames;
        let count = (last - first) as usize + 1;
        let old = self.input.as_ref();
        if !old.is_some_and(|old| old.is_similar_to(&input)) {
            self.points = vec![vec![None; count]; input.subjects.len()];
        }
        if old.is_none_or(|old| old.frames != input.frames || old.ik != input.ik) {
            self.solved = vec![None; count];
        }
        self.keys = input.subjects.iter().map(|subject| keys(&input.scene, subject)).collect();
        self.due = (first..=last).collect();
        self.due.sort_by(|a, b| (*b as f32 - frame).abs().total_cmp(&(*a as f32 - frame).abs()));
        self.input = Some(input);
    }

    /// Whether frames remain to be calculated.
    pub fn is_in_progress(&self) -> bool {
        !self.due.is_empty()
    }

    pub fn paths(&self) -> impl Iterator<Item = Path<'_>> {
        let input = self.input.iter();
        input.flat_map(|input| {
            let paths = input.subjects.iter().zip(&self.points).zip(&self.keys);
            paths.map(|((subject, points), keys)| Path { subject, first: input.frames[0], points, keys })
        })
    }
}
