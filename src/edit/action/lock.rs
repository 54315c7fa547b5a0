//! Feet and hands that stay planted: a pinned handle where the bone is now, whose weight is keyed from nothing to all
//! and back over some frames. Handles that pull the limb already would pull it away: their targets are keyed to stay too.

use super::selected::{bones, handles, in_animate, mesh, require, seen};
use super::{Dialog, Prepared, Reason};
use crate::anim::channel::{ChannelRef, Value};
use crate::anim::handle_channel::HandleChannel;
use crate::anim::mode::Mode;
use crate::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use crate::edit::command::{Command, Posing, new_handle_ids};
use crate::edit::keying::has_keys;
use crate::edit::limbs::SeenPose;
use crate::edit::view::View;
use crate::rig::edits::sides::other_sides;
use crate::rig::edits::symmetry::AXIS;
use crate::rig::ik;
use crate::rig::ik::chain::{chain, limb};
use crate::rig::kinematics::parent_of;
use crate::rig::skeleton::{Handle, Skeleton};
use crate::scene::Scene;
use crate::scene::apply_animation::Driver;
use crate::scene::evaluate::solved;
use crate::scene::skinned::SkinnedMesh;
use std::collections::BTreeSet;

/// Turned less than this apart, in degrees, one handle keeps a bone as well as another.
const SAME_TURN_DEG: f32 = 0.5;

/// How long something is locked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LockTimes {
    /// The last frame at which it is held with all weight; the first is the one that is shown.
    pub until: u32,
    /// Over how many frames it is taken hold of before that, and let go behind it; at least 1.
    pub blend: u32,
}

/// What can be locked now: the mesh and its bones.
///
/// # Errors
/// A sentence for the tooltip.
pub fn lockable<'a>(view: &View<'a>) -> Result<(String, &'a SkinnedMesh, Vec<usize>), Reason> {
    let (mesh_name, skinned) = mesh(view)?;
    in_animate(view, "Feet are locked in the Animate tab.")?;
    let skeleton = &skinned.skeleton;
    let mut found = bones(view, skeleton).unwrap_or_default();
    found.extend(
        handles(view, skeleton)
            .iter()
            .map(|&handle| skeleton.handles[handle].bone as usize),
    );
    found.retain(|&bone| bone < skeleton.bones.len());
    if view.session.symmetric() {
        let others = other_sides(skeleton, AXIS);
        let images: Vec<usize> = found.iter().filter_map(|&bone| others[bone]).collect();
        found.extend(images);
    }
    found.sort_unstable();
    found.dedup();
    require(!found.is_empty(), "Select a foot or a hand first, or its handle.")?;
    for &bone in &found {
        let name = skeleton.bone_name(bone);
        if parent_of(skeleton, bone).is_none() && !skeleton.root_free {
            let text = format!("{name} is a root: it stays where the base is, unless the root is free.");
            return Err(text.into());
        }
        for handle in pulling(skeleton, bone) {
            if is_lock(view.session.scene(), &mesh_name, handle) {
                let text = format!("{name} is already locked at this frame: go to one where it is free.");
                return Err(text.into());
            }
            if handle.weight < 1.0 {
                let text =
                    format!("A handle pulls {name} with part of its weight here; set that weight to 0 or 1.");
                return Err(text.into());
            }
        }
    }
    Ok((mesh_name, skinned, found))
}

/// The handles that pull the bone, or its limb above it, to places.
fn pulling(skeleton: &Skeleton, bone: usize) -> impl Iterator<Item = &Handle> {
    let limb = Handle {
        bone: bone as u32,
        chain: Some(limb(skeleton, bone)),
        ..Handle::default()
    };
    let limb: Vec<usize> = chain(skeleton, &limb).collect();
    let handles = skeleton.handles.iter();
    handles.filter(move |handle| {
        skeleton.pulls(handle) && handle.look_at.is_none() && limb.contains(&(handle.bone as usize))
    })
}

pub(super) fn ask(view: &View) -> Result<Prepared, Reason> {
    lockable(view)?;
    Prepared::dialog(Dialog::Lock)
}

/// Commands that hold the selected bones where they are seen, turned as they are.
///
/// # Errors
/// A sentence for the dialog.
pub fn lock(view: &View, times: LockTimes) -> Result<Vec<Command>, Reason> {
    let (mesh, skinned, bones) = lockable(view)?;
    let scene = view.session.animated();
    let frame = view.session.frame();
    require(
        times.until as f32 >= frame,
        "The last frame must not come before this one.",
    )?;
    require(times.blend > 0, "Blending out takes at least one frame.")?;
    let (seen, _) = seen(view, &mesh)?;
    let too_many = "There is no room for another handle.";
    let ids = new_handle_ids(scene, &mesh, bones.len()).map_err(|_| too_many)?;
    let mut ids = ids.into_iter();
    let mut at = skinned.skeleton.handles.len();
    let (mut commands, mut knots) = (Vec::new(), Vec::new());
    let mut kept: BTreeSet<u32> = BTreeSet::new();
    for bone in bones {
        let nowhere = "The position of the bone is not finite.";
        for handle in pulling(&skinned.skeleton, bone) {
            if kept.insert(handle.channel_id) {
                let place = Locked::new(&seen, handle.bone as usize).ok_or(nowhere)?;
                knots.extend(place.stays(scene, &mesh, handle, frame, times));
            }
        }
        let place = Locked::new(&seen, bone).ok_or(nowhere)?;
        let found = skinned.skeleton.handles.iter();
        let mut again = found.filter(|handle| place.fits(handle) && is_lock(scene, &mesh, handle));
        let id = match again.next_back() {
            Some(handle) => handle.channel_id,
            None => {
                commands.extend(seen.pin_bone(bone, at));
                let orientation = place.like.orientation;
                let value = Posing::Orientation {
                    handle: at,
                    orientation,
                };
                let mesh = mesh.clone();
                commands.push(Command::SetPosing { mesh, value });
                at += 1;
                ids.next().ok_or(too_many)?
            }
        };
        knots.extend(place.knots(scene, &mesh, id, frame, times)?);
    }
    let purpose = Purpose::Lock;
    commands.push(Command::Keys(KeyCommand::Put { purpose, knots }));
    Ok(commands)
}

/// More frames than these are not looked through.
const MOST_FRAMES: u32 = 500;

/// Ranges of frames, first and last, at which something that [`lock`] locks with `commands` cannot stay where it is,
/// because it is out of reach of its limb, or of the limits.
pub fn out_of_reach(view: &View, commands: &[Command], times: LockTimes) -> Vec<[u32; 2]> {
    let Ok((mesh, _, bones)) = lockable(view) else {
        return Vec::new();
    };
    let mut scene = view.session.scene().clone();
    if commands.iter().any(|command| command.apply(&mut scene).is_err()) {
        return Vec::new();
    }
    let options = ik::Options {
        step: view.settings.ik_step,
        ..ik::Options::default()
    };
    let first = view.session.frame().ceil() as u32;
    let frames = first..=times.until.min(first.saturating_add(MOST_FRAMES));
    let mut driver = Driver::default();
    let mut missed: Vec<[u32; 2]> = Vec::new();
    for frame in frames {
        let driven = driver.driven(&scene, frame as f32, view.session.unkeyed());
        let Some(skinned) = driven.skinned_meshes.get(&mesh) else {
            break;
        };
        let (skeleton, outcome) = solved(&skinned.skeleton, &options);
        let is_locked = |handle: usize| bones.contains(&(skeleton.handles[handle].bone as usize));
        if !outcome.is_some_and(|outcome| outcome.missed().any(|task| is_locked(task.handle))) {
            continue;
        }
        match missed.last_mut() {
            Some([_, last]) if *last + 1 == frame => *last = frame,
            _ => missed.push([frame; 2]),
        }
    }
    missed
}

/// Whether a handle holds its bone at some frames only.
pub(super) fn is_lock(scene: &Scene, mesh: &str, handle: &Handle) -> bool {
    let weight = ChannelRef::new(mesh, HandleChannel::Weight.of_handle(handle.channel_id));
    let enabled = ChannelRef::new(mesh, HandleChannel::Enabled.of_handle(handle.channel_id));
    handle.pinned && handle.enabled && has_keys(scene, &weight) && !has_keys(scene, &enabled)
}

/// Where and how a bone is held.
struct Locked {
    like: Handle,
}

impl Locked {
    fn new(seen: &SeenPose, bone: usize) -> Option<Self> {
        let mut like = Handle {
            bone: u32::try_from(bone).ok()?,
            target: seen.tip(bone)?,
            ..Handle::default()
        };
        like.orientation = Some(seen.orientation(&like, 1.0)?);
        Some(Self { like })
    }

    /// Whether a handle keeps the bone turned as it is to be kept.
    fn fits(&self, handle: &Handle) -> bool {
        let [wanted, kept] = [&self.like, handle].map(|handle| handle.orientation.map(|turn| turn.rotation));
        let same = |(a, b): (glam::Quat, glam::Quat)| a.angle_between(b).to_degrees() < SAME_TURN_DEG;
        handle.bone == self.like.bone && wanted.zip(kept).is_some_and(same)
    }

    /// Keys of a handle that pulls already: from this frame on it pulls to where its bone is, turned as it is, and behind
    /// the blend to where it did.
    fn stays(
        &self,
        scene: &Scene,
        mesh: &str,
        handle: &Handle,
        frame: f32,
        times: LockTimes,
    ) -> Vec<KeyframeValues> {
        let (until, blend) = (times.until as f32, times.blend as f32);
        let last = scene.animation.clip.last_frame() as f32;
        let place = |channel: HandleChannel| Some((channel, channel.value(&self.like)?));
        let places = [HandleChannel::Target, HandleChannel::Orientation].map(place);
        let had = places.into_iter().flatten().filter_map(|(channel, place)| {
            let now = channel.value(handle)?;
            let of = ChannelRef::new(mesh, channel.of_handle(handle.channel_id));
            let keys = scene.animation.get(&of);
            let times = keys.map_or(Vec::new(), |keys| keys.times());
            let (before, behind) = (
                times.iter().filter(|key| **key < frame),
                times.iter().filter(|key| **key > until),
            );
            let begin = before.copied().fold(0.0f32.max(frame - blend), f32::max);
            let end = behind.copied().fold(last.min(until + blend), f32::min);
            let own = |frame: f32| {
                let value = keys.and_then(|keys| keys.at(frame)).unwrap_or(now);
                channel.held(value).unwrap_or(now)
            };
            let mut knots = Vec::new();
            knots.extend((begin < frame).then(|| (begin, own(begin), Mode::Smooth)));
            knots.push((frame, place, Mode::Hold));
            let between = times.iter().copied().filter(|key| *key > frame && *key < until);
            knots.extend(between.map(|key| (key, place, Mode::Hold)));
            knots.extend((until > frame).then_some((until, place, Mode::Smooth)));
            knots.extend((end > until).then(|| (end, own(end), Mode::Smooth)));
            Some(KeyframeValues {
                channel: of,
                modes: knots.iter().map(|(.., mode)| *mode).collect(),
                knots: knots.into_iter().map(|(time, value, _)| (time, value)).collect(),
            })
        });
        had.collect()
    }

    /// Keys of weight and target. Those that the handle has before and behind it stay: the blend becomes shorter.
    fn knots(
        &self,
        scene: &Scene,
        mesh: &str,
        id: u32,
        frame: f32,
        times: LockTimes,
    ) -> Result<[KeyframeValues; 2], Reason> {
        let [weight, target] = [
            HandleChannel::Weight.of_handle(id),
            HandleChannel::Target.of_handle(id),
        ]
        .map(|channel| ChannelRef::new(mesh, channel));
        let keys = |channel: &ChannelRef| {
            scene
                .animation
                .get(channel)
                .map_or(Vec::new(), |keys| keys.times())
        };
        let (until, blend) = (times.until as f32, times.blend as f32);
        let held = keys(&weight);
        let before = held
            .iter()
            .copied()
            .filter(|key| *key < frame)
            .fold(0.0, f32::max);
        let behind = held
            .iter()
            .copied()
            .filter(|key| *key >= frame)
            .fold(f32::INFINITY, f32::min);
        if behind <= until {
            let text = format!("It is locked again at frame {behind}; end this lock before then.");
            return Err(text.into());
        }
        let begin = before.max(frame - blend);
        let end = behind
            .min(until + blend)
            .min(scene.animation.clip.last_frame() as f32);
        let mut weights: Vec<(f32, Value)> = Vec::new();
        for (time, value) in [(begin, 0.0), (frame, 1.0), (until, 1.0), (end, 0.0)] {
            // At the first frame and behind the last it is held at once.
            let is_at_once = value == 0.0 && (time == frame || time <= until && time != begin);
            if !is_at_once && weights.last().is_none_or(|(last, _)| *last < time) {
                weights.push((time, Value::Float(value)));
            }
        }
        let place = Value::Vec3(self.like.target);
        let mut places = vec![begin];
        places.extend(keys(&target).into_iter().filter(|key| *key > begin && *key < end));
        Ok([
            KeyframeValues {
                channel: weight,
                modes: vec![Mode::Smooth; weights.len()],
                knots: weights,
            },
            KeyframeValues {
                channel: target,
                modes: vec![Mode::Hold; places.len()],
                knots: places.into_iter().map(|time| (time, place)).collect(),
            },
        ])
    }
}
