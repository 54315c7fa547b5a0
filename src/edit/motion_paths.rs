//! Motion paths: where what is selected goes through the world in the frames that are played, and where its
//! keys are. Worked out again only when something changed, a slice of frames at a time: near the frame that is
//! shown first. What is drawn of them is not decided here.

use super::selection::Part;
use super::view::{Tab, View};
use crate::anim::channel::{ChannelRef, SkeletonChannel};
use crate::anim::channel_set::ChannelSet;
use crate::anim::handle_channel::HandleChannel;
use crate::rig::ik;
use crate::rig::skeleton::Skeleton;
use crate::scene::Scene;
use crate::scene::apply_animation::Driver;
use crate::scene::evaluate::solved;
use crate::scene::instance::InstanceKind;
use crate::scene::names::Kind;
use crate::scene::paths::{PathSubject, points_by};
use glam::Vec3;
use std::sync::Arc;

/// More frames than these are not shown: those around the current one are.
pub const MOST_FRAMES: u32 = 2000;

/// What of the selection has a path: its parts, or the instance as a whole.
pub fn subjects(view: &View) -> Vec<PathSubject> {
    let selection = view.session.selection();
    let scene = view.session.scene();
    if view.settings.tab != Tab::Animate {
        return Vec::new();
    }
    let Some(instance) = &selection.instance else {
        let transform = selection.resource.as_ref();
        let transform = transform.filter(|thing| thing.kind == Kind::Transform);
        return transform
            .map(|t| PathSubject::Transform(t.name.clone()))
            .into_iter()
            .collect();
    };
    let name = || instance.name.clone();
    if selection.part.is_some() && instance.kind == InstanceKind::SkinnedMesh {
        let subject = |part| match part {
            Part::Bone(bone) => Some(PathSubject::Tip {
                instance: name(),
                bone,
            }),
            Part::Handle(handle) => Some(PathSubject::Handle {
                instance: name(),
                handle,
            }),
            Part::Pole(_) => None,
            Part::Base => Some(PathSubject::Base { instance: name() }),
        };
        return selection.parts().filter_map(subject).collect();
    }
    let transform = scene.instances.get(instance).and_then(|placed| placed.transform);
    let transform = transform.map(|transform| PathSubject::Transform(transform.to_owned()));
    // A character walks by its base as often as by its transform.
    let base = (instance.kind == InstanceKind::SkinnedMesh).then(|| PathSubject::Base { instance: name() });
    transform.into_iter().chain(base).collect()
}

/// Frames at which a subject has keys of its own (a tip also those of handles that pull it), ascending; not those
/// that are muted.
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
            let mesh = placed.and_then(|placed| placed.of.as_deref());
            let Some((name, skinned)) = mesh.and_then(|mesh| scene.skinned_meshes.get_key_value(mesh)) else {
                return Vec::new();
            };
            let skeleton = &skinned.skeleton;
            let found = of_part(skeleton, subject);
            channels.extend(found.into_iter().map(|channel| ChannelRef::new(name, channel)));
        }
    }
    let animation = &scene.animation;
    channels.retain(|of| !animation.mute(&of.resource, &of.channel).is_whole());
    let channels = channels.iter().filter_map(|channel| animation.get(channel));
    let mut frames: Vec<f32> = channels.flat_map(|channel| channel.times()).collect();
    frames.sort_by(f32::total_cmp);
    frames.dedup();
    frames
}

fn of_part(skeleton: &Skeleton, subject: &PathSubject) -> Vec<SkeletonChannel> {
    match subject {
        PathSubject::Transform(_) => Vec::new(),
        PathSubject::Base { .. } => vec![SkeletonChannel::BaseOffset],
        PathSubject::Handle { handle, .. } => {
            let handle = skeleton.handles.get(*handle);
            let target = handle.map(|handle| HandleChannel::Target.of_handle(handle.channel_id));
            target.into_iter().collect()
        }
        PathSubject::Tip { bone, .. } => {
            let own = skeleton
                .bones
                .get(*bone)
                .map(|b| SkeletonChannel::BonePose(b.channel_id));
            let pulling = skeleton
                .handles
                .iter()
                .filter(|handle| handle.bone as usize == *bone);
            let pulling = pulling.map(|handle| HandleChannel::Target.of_handle(handle.channel_id));
            own.into_iter().chain(pulling).collect()
        }
    }
}

/// What paths are worked out of.
#[derive(Clone)]
struct Basis {
    scene: Scene,
    unkeyed: Arc<ChannelSet>,
    ik: Option<ik::Options>,
    subjects: Vec<PathSubject>,
    frames: [u32; 2],
}

impl Basis {
    fn from_view(view: &View, ik: Option<ik::Options>) -> Self {
        let session = view.session;
        let [first, last] = session.scene().animation.clip.played();
        let at = (session.frame().max(0.0) as u32).clamp(first, last);
        let half = MOST_FRAMES / 2;
        // In large steps, so that playing does not change it at each frame.
        let middle = at / half * half;
        let frames = match last - first >= MOST_FRAMES {
            true => [
                middle.saturating_sub(half).max(first),
                (middle + 2 * half).min(last),
            ],
            false => [first, last],
        };
        Self {
            scene: session.scene().clone(),
            unkeyed: session.unkeyed().clone(),
            ik,
            subjects: subjects(view),
            frames,
        }
    }

    /// Whether paths of `self` stand for paths of `other` until these are there.
    fn is_like(&self, other: &Self) -> bool {
        self.subjects == other.subjects && self.frames == other.frames
    }

    fn is(&self, other: &Self) -> bool {
        self.is_like(other)
            && self.ik == other.ik
            && self.unkeyed == other.unkeyed
            && self.scene.is_shared(&other.scene)
    }
}

/// A skeleton at a frame before and after handles pulled it.
type Solved = (Arc<Skeleton>, Arc<Skeleton>);

/// The paths, as far as they have been worked out.
#[derive(Default)]
pub struct MotionPaths {
    basis: Option<Basis>,
    /// Per subject a point per frame.
    points: Vec<Vec<Option<Vec3>>>,
    keys: Vec<Vec<f32>>,
    /// Frames to be worked out, the next one at the end.
    due: Vec<u32>,
    driver: Driver,
    /// Per frame what was solved last, which often holds after a change elsewhere in time.
    solved: Vec<Option<Solved>>,
    /// How many frames were worked out, and for how many a skeleton was solved: none while nothing changes.
    pub worked: u64,
    pub solves: u64,
}

/// The path of one subject.
pub struct Path<'a> {
    pub subject: &'a PathSubject,
    /// The frame of `points[0]`.
    pub first: u32,
    /// A point per frame, world space; `None` where there is none, or none yet.
    pub points: &'a [Option<Vec3>],
    /// Frames of keys, which may lie between whole frames.
    pub keys: &'a [f32],
}

impl Path<'_> {
    /// Where it is at a frame, on the straight line between whole frames.
    pub fn at(&self, frame: f32) -> Option<Vec3> {
        let since = frame - self.first as f32;
        if since < 0.0 {
            return None;
        }
        let before = since.floor() as usize;
        let a = *self.points.get(before)?;
        match since.fract() {
            0.0 => a,
            part => Some(a?.lerp((*self.points.get(before + 1)?)?, part)),
        }
    }

    /// Whether it stays in one place.
    pub fn is_still(&self) -> bool {
        let mut points = self.points.iter().flatten();
        let Some(first) = points.next() else { return true };
        points.all(|point| point.distance_squared(*first) <= 1e-10 * (1.0 + first.length_squared()))
    }
}

impl MotionPaths {
    /// Nothing is shown.
    pub fn clear(&mut self) {
        if self.basis.is_some() {
            let (worked, solves) = (self.worked, self.solves);
            *self = Self {
                worked,
                solves,
                ..Self::default()
            };
        }
    }

    /// Goes on for as long as `go_on` says so, at least one frame if there is one to do. True if a path changed.
    pub fn update(&mut self, view: &View, ik: Option<ik::Options>, mut go_on: impl FnMut() -> bool) -> bool {
        let now = Basis::from_view(view, ik);
        if now.subjects.is_empty() {
            let was = self.basis.is_some();
            self.clear();
            return was;
        }
        if !self.basis.as_ref().is_some_and(|old| old.is(&now)) {
            self.begin(now, view.session.frame());
        }
        let Some(basis) = &self.basis else { return false };
        let before = self.worked;
        while let Some(frame) = self.due.pop() {
            let at = (frame - basis.frames[0]) as usize;
            let driven = self.driver.driven(&basis.scene, frame as f32, &basis.unkeyed);
            let (kept, solves) = (&mut self.solved[at], &mut self.solves);
            let points = points_by(&driven, &basis.subjects, |mesh| {
                let Some(options) = &basis.ik else {
                    return mesh.skeleton.clone();
                };
                if let Some((before, after)) = kept
                    && **before == *mesh.skeleton
                {
                    return after.clone();
                }
                *solves += 1;
                let after = solved(&mesh.skeleton, options).0;
                *kept = Some((mesh.skeleton.clone(), after.clone()));
                after
            });
            for (path, point) in self.points.iter_mut().zip(points) {
                path[at] = point;
            }
            self.worked += 1;
            if !go_on() {
                break;
            }
        }
        self.worked != before
    }

    fn begin(&mut self, now: Basis, frame: f32) {
        let [first, last] = now.frames;
        let count = (last - first) as usize + 1;
        let old = self.basis.as_ref();
        if !old.is_some_and(|old| old.is_like(&now)) {
            self.points = vec![vec![None; count]; now.subjects.len()];
        }
        if old.is_none_or(|old| old.frames != now.frames || old.ik != now.ik) {
            self.solved = vec![None; count];
        }
        self.keys = now
            .subjects
            .iter()
            .map(|subject| keys(&now.scene, subject))
            .collect();
        self.due = (first..=last).collect();
        self.due
            .sort_by(|a, b| (*b as f32 - frame).abs().total_cmp(&(*a as f32 - frame).abs()));
        self.basis = Some(now);
    }

    /// Whether frames are still to be worked out.
    pub fn is_underway(&self) -> bool {
        !self.due.is_empty()
    }

    pub fn paths(&self) -> impl Iterator<Item = Path<'_>> {
        let basis = self.basis.iter();
        basis.flat_map(|basis| {
            let paths = basis.subjects.iter().zip(&self.points).zip(&self.keys);
            paths.map(|((subject, points), keys)| Path {
                subject,
                first: basis.frames[0],
                points,
                keys,
            })
        })
    }
}
