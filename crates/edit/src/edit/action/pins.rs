//! Pins and look-at: goals of the selected handles, and of selected bones, which get a handle.

use super::selected::{bones, handles, in_animate, mesh, require, visible_pose};
use super::{Note, Prepared, Reason};
use crate::edit::command::Command;
use crate::edit::pose::limbs::Pin;
use crate::edit::settings::view::View;
use crate::io::count::grouped;
use crate::rig::body::feet::pinned_bone;
use crate::rig::skeleton::{Handle, LookAt, Skeleton};

/// Cycles the pin state: all selected handles get the state that follows that of the active one, or of the
/// first. Bones without a handle get one.
pub(super) fn pin(view: &View) -> Result<Prepared, Reason> {
    let (mesh, skinned) = mesh(view)?;
    in_animate(view, "Bones are pinned in the Animate tab.")?;
    let skeleton = &skinned.skeleton;
    let mut pinned = handles(view, skeleton);
    let chosen = bones(view, skeleton).unwrap_or_default();
    let mut without: Vec<usize> = Vec::new();
    for bone in chosen.into_iter().map(|bone| pinned_bone(skeleton, bone)) {
        if !without.contains(&bone) {
            without.push(bone);
        }
    }
    without.retain(|&bone| {
        let handle = skeleton.handles.iter().rposition(|handle| handle.bone as usize == bone);
        pinned.extend(handle.filter(|handle| !pinned.contains(handle)));
        handle.is_none()
    });
    require(!pinned.is_empty() || !without.is_empty(), "Select a bone or a handle first.")?;
    let (visible, _) = visible_pose(view, &mesh)?;
    let active = view.session.selection().handle().or(pinned.first().copied());
    let to = active.map_or(Pin::Position, |active| Pin::from_handle(&skeleton.handles[active]).next());
    let mut commands: Vec<Command> = Vec::new();
    for &handle in &pinned {
        commands.extend(visible.pin(handle, to));
    }
    if to != Pin::Free {
        let new = without.iter().zip(skeleton.handles.len()..);
        commands.extend(new.flat_map(|(&bone, handle)| visible.pin_bone(bone, handle)));
    }
    let names = pinned.iter().map(|&handle| skeleton.handle_name(handle));
    let mut names = names.chain(without.iter().map(|&bone| skeleton.bone_name(bone)));
    let subject = match (names.next(), names.count()) {
        (Some(only), 0) => only,
        (first, more) => grouped(more + usize::from(first.is_some())),
    };
    let text = match to {
        Pin::Free => format!("Unpinned {subject}"),
        Pin::Position => format!("Pinned {subject} in place; P again pins its rotation too"),
        Pin::PositionAndRotation => format!("Pinned {subject} in place, rotation included"),
    };
    Prepared::with_note(commands, Note::new(text))
}

/// Whether all selected bones and handles have look-at on.
pub(super) fn all_look_at(view: &View) -> Result<bool, Reason> {
    let (_, skinned) = mesh(view)?;
    let (handles, without) = handles_or_bones(view, &skinned.skeleton)?;
    let is_look_at = |&handle: &usize| skinned.skeleton.handles[handle].look_at.is_some();
    Ok(without.is_empty() && handles.iter().all(is_look_at))
}

/// Returns the selected handles together with those on selected bones, and the selected bones without a
/// handle.
fn handles_or_bones(view: &View, skeleton: &Skeleton) -> Result<(Vec<usize>, Vec<usize>), Reason> {
    let mut found = handles(view, skeleton);
    found.retain(|&handle| (skeleton.handles[handle].bone as usize) < skeleton.bones.len());
    let mut without = bones(view, skeleton).unwrap_or_default();
    without.retain(|&bone| {
        let is_on_bone = |handle: &Handle| handle.bone as usize == bone;
        let handle = skeleton.handles.iter().position(is_on_bone);
        found.extend(handle.filter(|handle| !found.contains(handle)));
        handle.is_none()
    });
    require(!found.is_empty() || !without.is_empty(), "Select a bone or a handle first.")?;
    Ok((found, without))
}

/// Turns look-at on for the selection, or off if it is on for all of it.
pub(super) fn look_at(view: &View) -> Result<Prepared, Reason> {
    let (mesh, skinned) = mesh(view)?;
    let skeleton = &skinned.skeleton;
    let (existing, without) = handles_or_bones(view, skeleton)?;
    let (visible, holds) = visible_pose(view, &mesh)?;
    let turn_off = all_look_at(view)?;
    let mut commands: Vec<Command> = Vec::new();
    for &handle in &existing {
        match (turn_off, skeleton.handles[handle].look_at) {
            (true, _) => commands.push(Command::set_handle(mesh.clone(), handle, "look_at", None::<LookAt>)),
            (false, None) => commands.extend(visible.look_at(handle)),
            (false, Some(_)) => {}
        }
    }
    let new = without.iter().zip(skeleton.handles.len()..);
    commands.extend(new.flat_map(|(&bone, handle)| visible.add_look_at(bone, handle, holds)));
    Prepared::commands(commands)
}
