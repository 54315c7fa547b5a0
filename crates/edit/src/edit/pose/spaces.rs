//! Moving a handle from one space to another: its goals stay where they are seen, at this frame and at all of its keys.

use super::limbs::VisiblePose;
use crate::anim::channel::{ChannelRef, SkeletonChannel, Value};
use crate::edit::command::Command;
use crate::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use crate::edit::settings::view::View;
use crate::edit::time::keying::has_keys;
use crate::rig::handle_space::{moved, resolved, skeleton_from_space};
use crate::rig::kinematics::{bind_pose, current_pose};
use crate::rig::property::{ORIENTATION, POLE_POINT, Property, TARGET};
use crate::rig::skeleton::{Handle, Skeleton};
use crate::scene::apply_animation::Animator;
use crate::scene::evaluate::solved;

/// The rows of goals whose values depend on the space.
const GOALS: [&Property<Handle>; 3] = [TARGET, ORIENTATION, POLE_POINT];

/// Returns the bones in whose space a handle may be: all except links, and except the bone that it pulls and those below
/// it, which follow it.
pub fn possible_spaces(skeleton: &Skeleton, handle: &Handle) -> Vec<usize> {
    let below = crate::rig::kinematics::with_descendants(skeleton, &[handle.bone as usize]);
    skeleton.shown_bones().filter(|&bone| !below[bone]).collect()
}

/// Returns the commands that put a handle in the space of `bone`, or of the skeleton; none if it is not shown.
pub fn set_space(view: &View, mesh: &str, handle: usize, bone: Option<usize>) -> Vec<Command> {
    let Some(visible) = VisiblePose::from_view(view, mesh) else { return Vec::new() };
    let Some(this) = visible.skeleton.handles.get(handle) else { return Vec::new() };
    let space = bone.and_then(|bone| Some(visible.skeleton.bones.get(bone)?.channel_id));
    let set = |id, value| Command::set_handle(mesh.to_owned(), handle, id, value);
    let mut commands = vec![set("space", space.into())];
    let scene = view.session.scene();
    let channel = |row| ChannelRef::new(mesh, SkeletonChannel::Handle(this.channel_id, row));
    let (keyed, plain): (Vec<_>, Vec<_>) = GOALS.into_iter().partition(|row| has_keys(scene, &channel(row)));
    let moved_here = visible.in_space(this, bone);
    commands.extend(plain.into_iter().filter_map(|row| Some(set(row.info.id, row.get(&moved_here)?))));
    let knots = keyed.into_iter().map(|row| moved_keys(view, mesh, handle, bone, (row, channel(row))));
    let knots: Vec<KeyframeValues> = knots.filter(|values| !values.knots.is_empty()).collect();
    if !knots.is_empty() {
        commands.push(Command::Keys(KeyCommand::Put { purpose: Purpose::Paste, knots }));
    }
    commands
}

/// Returns the keys of a goal with values in the space of `bone`, from where the goal is seen at each of them.
fn moved_keys(
    view: &View,
    mesh: &str,
    handle: usize,
    bone: Option<usize>,
    (row, channel): (&'static Property<Handle>, ChannelRef),
) -> KeyframeValues {
    let scene = view.session.scene();
    let ik = view.ik();
    let mut animator = Animator::default();
    let mut value_at = |frame: f32| {
        let driven = animator.animate(scene, frame, &Default::default());
        let driven = &driven.skinned_meshes.get(mesh)?.skeleton;
        let solved = solved(driven, ik.as_ref());
        let (bind, current) = (bind_pose(&solved), current_pose(&solved));
        let visible = resolved(&driven.handles, driven, &bind, &current).into_iter().nth(handle)?;
        let stored = moved(visible, &skeleton_from_space(bone, &bind, &current).inverse());
        Value::from_property(&row.get(&stored)?)
    };
    let times = scene.animation.get(&channel).map_or(Vec::new(), |keys| keys.times());
    let knots = times.into_iter().filter_map(|frame| Some((frame, value_at(frame)?)));
    KeyframeValues { knots: knots.collect(), channel, modes: Vec::new() }
}
