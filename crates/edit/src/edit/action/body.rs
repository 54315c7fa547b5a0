//! Whole-body IK: handles that pull bones of a character with pinned feet and a free root.

use super::selected::{bones, handles, in_animate, mesh, require, visible_pose};
use super::{Note, Prepared, Reason};
use crate::edit::command::Command;
use crate::edit::pose::limbs::{Pin, VisiblePose, standing_feet};
use crate::edit::select::selection::Part;
use crate::edit::settings::view::View;
use crate::edit::time::stances::is_lock;
use crate::io::count::{counted, grouped};
use crate::rig::body::feet::Foot;
use crate::rig::skeleton::Skeleton;

/// Makes the whole body follow the selected handles and the handles of the selected bones, which are added
/// where missing. Feet are pinned unless they are pulled themselves or already have an active handle.
pub(super) fn add_body_ik(view: &View) -> Result<Prepared, Reason> {
    let (mesh, skinned) = mesh(view)?;
    in_animate(view, "Whole-body IK works in the Animate tab.")?;
    let skeleton = &skinned.skeleton;
    let scene = view.session.scene();
    let handle_on = |bone: usize| {
        let mut handles = skeleton.handles.iter();
        handles.position(|handle| {
            handle.bone as usize == bone && handle.look_at.is_none() && !is_lock(scene, &mesh, handle)
        })
    };
    let (pulled, without) = pulling_handles(view, skeleton, &handle_on);
    require(!pulled.is_empty() || !without.is_empty(), "Select a bone first, such as the head or a hand.")?;
    let (visible, _) = visible_pose(view, &mesh)?;
    let new = skeleton.handles.len()..;
    let added = without.iter().zip(new.clone());
    let mut commands: Vec<Command> =
        added.clone().flat_map(|(&bone, handle)| visible.add_body(bone, handle)).collect();
    for &handle in &pulled {
        let value = &skeleton.handles[handle];
        if value.chain.is_some() {
            commands.push(visible.whole_chain(handle));
        }
        if value.pinned {
            let pinned = false;
            commands.push(Command::set_handle(mesh.clone(), handle, "pinned", pinned));
        }
        if !skeleton.pulls(value) {
            commands.extend(visible.enable_in_place(handle));
        }
    }
    let with_handle = pulled.iter().map(|&handle| skeleton.handles[handle].bone as usize);
    let pulled_bones: Vec<usize> = with_handle.chain(without.iter().copied()).collect();
    let subject = match pulled_bones[..] {
        [only] => format!("Handle on {}", skeleton.bone_name(only)),
        _ => format!("Handles on {} bones", grouped(pulled_bones.len())),
    };
    let (active, pinned) = standing_feet(view, skeleton, pulled_bones);
    let first_new = skeleton.handles.len() + without.len();
    commands.extend(pin(&visible, &pinned, first_new, &handle_on));
    let stands = !pinned.is_empty() || !active.is_empty();
    let is_free = stands || skeleton.root_free;
    if stands && !skeleton.root_free {
        commands.push(Command::set_skeleton(mesh.clone(), "root_free", true));
    }
    // Otherwise, hips that are pulled down would tip until the back is level, to get slightly closer.
    let roots = added.filter(|(bone, _)| is_free && skeleton.bones[**bone].parent.is_none());
    commands.extend(roots.map(|(&bone, handle)| visible.keep_orientation(bone, handle)));
    require(!commands.is_empty(), "The whole body already follows it.")?;
    let root = if is_free { "the root is free" } else { "the root stays where it is" };
    let feet = feet_text(skeleton, &pinned, &active);
    let parts = pulled.into_iter().chain(new.take(without.len()));
    Ok(Prepared::Commands {
        commands,
        frame: None,
        select: Some(view.session.selection().with_parts(parts.map(Part::Handle))),
        note: Some(Note::new(format!("{subject}; {feet}; {root}"))),
    })
}

/// Returns the handles that are to pull (selected ones and those on selected bones), and the selected bones
/// without a handle.
fn pulling_handles(
    view: &View,
    skeleton: &Skeleton,
    handle_on: &dyn Fn(usize) -> Option<usize>,
) -> (Vec<usize>, Vec<usize>) {
    let mut pulled = handles(view, skeleton);
    pulled.retain(|&handle| (skeleton.handles[handle].bone as usize) < skeleton.bones.len());
    let mut without = Vec::new();
    for bone in bones(view, skeleton).unwrap_or_default() {
        match handle_on(bone) {
            Some(handle) if pulled.contains(&handle) => {}
            Some(handle) => pulled.push(handle),
            None => without.push(bone),
        }
    }
    (pulled, without)
}

/// Pins feet by their existing handles, or by new ones with indices from `next`.
fn pin(
    visible: &VisiblePose,
    feet: &[Foot],
    mut next: usize,
    handle_on: &dyn Fn(usize) -> Option<usize>,
) -> Vec<Command> {
    let mut commands = Vec::new();
    for foot in feet {
        match handle_on(foot.bone) {
            Some(handle) => {
                commands.extend(visible.enable_in_place(handle));
                commands.extend(visible.pin(handle, Pin::PositionAndRotation));
                commands.push(visible.whole_chain(handle));
            }
            None => {
                commands.extend(visible.pin_flat(foot.bone, next));
                next += 1;
            }
        }
    }
    commands
}

/// Describes the feet in the message.
fn feet_text(skeleton: &Skeleton, pinned: &[Foot], active: &[Foot]) -> String {
    match (pinned, active) {
        ([], []) => "no feet to pin".into(),
        ([], _) => "its feet already have handles".into(),
        ([only], _) => format!("{} pinned", skeleton.bone_name(only.bone)),
        ([_, _], []) => "both feet pinned".into(),
        _ => format!("{} pinned", counted(pinned.len(), "foot", "feet")),
    }
}
