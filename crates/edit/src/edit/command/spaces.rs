//! Moving handles from one space to another: goals stay where they are seen, now and at all of their keys.

use super::effects::Edit;
use super::keys::{KeyCommand, KeyframeValues, Purpose};
use super::{Command, Result};
use crate::anim::channel::{ChannelRef, SkeletonChannel, Value};
use crate::anim::clip::Clip;
use crate::rig::handle_space::moved;
use crate::rig::ik;
use crate::rig::property::{ORIENTATION, POLE_POINT, Property, PropertyValue, TARGET};
use crate::rig::skeleton::Handle;
use crate::scene::Scene;
use crate::scene::apply_animation::Animator;
use crate::scene::names::{Kind, ObjectRef};
use crate::scene::solve::Posing;
use crate::scene::spaces::{Space, find_instance};
use std::sync::Arc;

/// A row of a goal whose values depend on the space, and the frames at which it has keys.
type KeyedGoal = (&'static Property<Handle>, Vec<f32>);

/// Returns the commands that put a handle in a space; none if there is no such handle. `driven` is `scene` as it is seen:
/// goals without keys stay where they are there, and others where they are at each key.
pub fn change(
    scene: &Scene,
    driven: &Scene,
    (mesh, handle): (&str, usize),
    to: &Space,
    posing: Posing,
) -> Vec<Command> {
    change_with(scene, driven, (mesh, handle), to, posing, &[])
}

/// Does the same as [`change`], and gives all goals keys at these frames.
fn change_with(
    scene: &Scene,
    driven: &Scene,
    (mesh, handle): (&str, usize),
    to: &Space,
    posing: Posing,
    frames: &[f32],
) -> Vec<Command> {
    let Some(pose) = posing.pose(driven, mesh) else { return Vec::new() };
    let Some(this) = pose.skeleton.handles.get(handle) else { return Vec::new() };
    let from = Space::from_handle(this);
    let set = |id, value| Command::set_handle(mesh.to_owned(), handle, id, value);
    let mut commands = Vec::new();
    if from.instance != to.instance {
        // A bone of one character is none of another.
        commands.extend(from.bone.map(|_| set("space", PropertyValue::OptionalUnsigned(None))));
        commands.push(set("space_instance", to.instance.clone().into()));
    }
    commands.push(set("space", to.bone.into()));
    let space_from_skeleton = posing.skeleton_from_space(driven, mesh, to, &pose).inverse();
    let stored = moved(this.clone(), &space_from_skeleton);
    let mut keyed: Vec<KeyedGoal> = Vec::new();
    for row in [TARGET, ORIENTATION, POLE_POINT] {
        let Some(value) = row.get(&stored) else { continue };
        let channel = ChannelRef::new(mesh, SkeletonChannel::Handle(this.channel_id, row));
        let mut times = scene.animation.get(&channel).map_or(Vec::new(), |keys| keys.times());
        times.extend(frames);
        if times.is_empty() {
            commands.push(set(row.info.id, value));
        } else {
            keyed.push((row, times));
        }
    }
    let knots = moved_keys(scene, (mesh, handle), to, posing.ik, keyed);
    if !knots.is_empty() {
        commands.push(Command::Keys(KeyCommand::Put { purpose: Purpose::Paste, knots }));
    }
    commands
}

/// Returns the keys of goals with values in a space, from where they are seen at each of them.
fn moved_keys(
    scene: &Scene,
    (mesh, handle): (&str, usize),
    to: &Space,
    ik: Option<&ik::Options>,
    goals: Vec<KeyedGoal>,
) -> Vec<KeyframeValues> {
    let sorted = |mut times: Vec<f32>| {
        times.sort_by(f32::total_cmp);
        times.dedup();
        times
    };
    let goals: Vec<KeyedGoal> = goals.into_iter().map(|(row, times)| (row, sorted(times))).collect();
    let posing = Posing::with_ik(ik);
    let mut animator = Animator::default();
    let mut knots = vec![Vec::new(); goals.len()];
    let mut channel_id = 0;
    for frame in sorted(goals.iter().flat_map(|(_, times)| times).copied().collect()) {
        let driven = animator.animate(scene, frame, &Default::default());
        let Some(pose) = posing.pose(&driven, mesh) else { continue };
        let Some(this) = pose.skeleton.handles.get(handle) else { continue };
        channel_id = this.channel_id;
        let space_from_skeleton = posing.skeleton_from_space(&driven, mesh, to, &pose).inverse();
        let stored = moved(this.clone(), &space_from_skeleton);
        for ((row, times), knots) in goals.iter().zip(&mut knots) {
            let value = row.get(&stored).and_then(|value| Value::from_property(&value));
            if let Some(value) =
                value.filter(|_| times.binary_search_by(|time| time.total_cmp(&frame)).is_ok())
            {
                knots.push((frame, nearer(value, knots.last())));
            }
        }
    }
    let keys = goals.iter().zip(knots).map(|((row, _), knots)| KeyframeValues {
        channel: ChannelRef::new(mesh, SkeletonChannel::Handle(channel_id, row)),
        knots,
        modes: Vec::new(),
    });
    keys.filter(|keys| !keys.knots.is_empty()).collect()
}

/// Returns, of two quaternions that are the same rotation, the one from which interpolation goes the short way.
fn nearer(value: Value, last: Option<&(f32, Value)>) -> Value {
    match (value, last) {
        (Value::Quat(q), Some((_, Value::Quat(last)))) if q.dot(*last) < 0.0 => Value::Quat(-q),
        (value, _) => value,
    }
}

/// Puts handles and saved poses that are in the space of an instance in that of their mesh, before the instance is deleted.
/// Handles keep the motion that it gave them, by keys at every frame; poses are as they are seen now.
pub fn release(edit: &mut Edit, object: &ObjectRef) -> Result {
    let Kind::Instance(kind) = object.kind else { return Ok(()) };
    if find_instance(edit.scene, &object.name).is_none_or(|found| found.kind != kind) {
        return Ok(());
    }
    let ik = ik::Options::default();
    let posing = Posing::with_ik(Some(&ik));
    for (mesh, skinned) in edit.scene.skinned_meshes.clone() {
        let is_in_space = |handle: &Handle| handle.space_instance.as_ref() == Some(&object.name);
        let to_mesh = |scene: &Scene, handle: &Handle| {
            let pose = posing.pose(scene, &mesh)?;
            Some(posing.skeleton_from_space(scene, &mesh, &Space::from_handle(handle), &pose))
        };
        for (index, handle) in skinned.skeleton.handles.iter().enumerate().filter(|(_, h)| is_in_space(h)) {
            let scene = edit.scene.clone();
            let last = scene.animation.clip.last_frame().min(Clip::MAX_AT_ONCE - 1);
            let frames: Vec<f32> = (0..=last).map(|frame| frame as f32).collect();
            let mut animator = Animator::default();
            let mut first = None;
            let is_moved = frames.iter().any(|&frame| {
                let matrix = to_mesh(&animator.animate(&scene, frame, &Default::default()), handle);
                *first.get_or_insert(matrix) != matrix
            });
            let frames = if is_moved { &frames[..] } else { &[] };
            let to = Space::default();
            for command in change_with(&scene, &scene, (&mesh, index), &to, posing, frames) {
                command.run(edit)?;
            }
        }
        let mut poses = (*skinned.poses).clone();
        for (_, pose) in poses.iter_mut().flat_map(|pose| &mut pose.handles) {
            if is_in_space(pose.handle()) {
                let matrix = to_mesh(edit.scene, pose.handle()).unwrap_or_default();
                let handle = moved(pose.handle().clone(), &matrix);
                *pose.handle_mut() = Handle { space_instance: None, space: None, ..handle };
            }
        }
        if poses != *skinned.poses {
            edit.change_skinned(&mesh, |skinned| skinned.poses = Arc::new(poses));
        }
    }
    Ok(())
}
