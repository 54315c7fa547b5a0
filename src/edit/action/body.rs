//! Handles that the whole body follows: they pull bones of a character whose feet stay where it stands, and whose root
//! is free.

use super::lock::is_lock;
use super::selected::{bones, handles, in_animate, mesh, require, seen};
use super::{Note, Prepared, Reason};
use crate::edit::command::{Command, Posing};
use crate::edit::limbs::{Pin, SeenPose};
use crate::edit::selection::Part;
use crate::edit::view::View;
use crate::io::count::{counted, grouped};
use crate::rig::edits::sides::other_sides;
use crate::rig::edits::symmetry::AXIS;
use crate::rig::ik::feet::{Foot, feet};
use crate::rig::skeleton::Skeleton;

/// The selected handles, and the selected bones by a handle that they have or get. A foot that is pulled is not pinned,
/// nor one that has a handle that pulls already.
pub(super) fn add_body_ik(view: &View) -> Result<Prepared, Reason> {
    let (mesh, skinned) = mesh(view)?;
    in_animate(view, "Whole-body IK works in the Animate tab.")?;
    let skeleton = &skinned.skeleton;
    let scene = view.session.scene();
    let own_handle = |bone: usize| {
        let mut handles = skeleton.handles.iter();
        handles.position(|handle| {
            handle.bone as usize == bone && handle.look_at.is_none() && !is_lock(scene, &mesh, handle)
        })
    };
    let (pulled, without) = pulled(view, skeleton, &own_handle);
    require(
        !pulled.is_empty() || !without.is_empty(),
        "Select a bone first, such as the head or a hand.",
    )?;
    let (seen, _) = seen(view, &mesh)?;
    let new = skeleton.handles.len()..;
    let added = without.iter().zip(new.clone());
    let mut commands: Vec<Command> = added
        .clone()
        .flat_map(|(&bone, at)| seen.add_body(bone, at))
        .collect();
    let posing = |value: Posing| Command::SetPosing {
        mesh: mesh.clone(),
        value,
    };
    for &handle in &pulled {
        let this = &skeleton.handles[handle];
        if this.chain.is_some() {
            commands.push(seen.whole_chain(handle));
        }
        if this.pinned {
            let pinned = false;
            commands.push(posing(Posing::Pinned { handle, pinned }));
        }
        if !skeleton.pulls(this) {
            commands.extend(seen.hold(handle));
        }
    }
    let of_pulled = pulled
        .iter()
        .map(|&handle| skeleton.handles[handle].bone as usize);
    let led: Vec<usize> = of_pulled.chain(without.iter().copied()).collect();
    let what = match led[..] {
        [only] => format!("Handle on {}", skeleton.bone_name(only)),
        _ => format!("Handles on {} bones", grouped(led.len())),
    };
    let (held, pinned) = standing_feet(view, skeleton, led);
    let first_new = skeleton.handles.len() + without.len();
    commands.extend(pin(&seen, &pinned, first_new, &own_handle));
    let stands = !pinned.is_empty() || !held.is_empty();
    let is_free = stands || skeleton.root_free;
    if stands && !skeleton.root_free {
        commands.push(posing(Posing::RootFree(true)));
    }
    // Hips that are pulled down would else tip until the back is level, to get a little further.
    let roots = added.filter(|(bone, _)| is_free && skeleton.bones[**bone].parent.is_none());
    commands.extend(roots.map(|(&bone, at)| seen.keep_orientation(bone, at)));
    require(!commands.is_empty(), "The whole body already follows it.")?;
    let root = match is_free {
        true => "the root is free",
        false => "the root stays where it is",
    };
    let feet = standing(skeleton, &pinned, &held);
    let parts = pulled.into_iter().chain(new.take(without.len()));
    Ok(Prepared::Commands {
        commands,
        frame: None,
        select: Some(view.session.selection().with_parts(parts.map(Part::Handle))),
        note: Some(Note::new(format!("{what}; {feet}; {root}"))),
    })
}

/// The handles that shall pull: those that are selected, and those of selected bones; and the bones that have none.
fn pulled(
    view: &View,
    skeleton: &Skeleton,
    own_handle: &dyn Fn(usize) -> Option<usize>,
) -> (Vec<usize>, Vec<usize>) {
    let mut pulled = handles(view, skeleton);
    pulled.retain(|&handle| (skeleton.handles[handle].bone as usize) < skeleton.bones.len());
    let mut without = Vec::new();
    for bone in bones(view, skeleton).unwrap_or_default() {
        match own_handle(bone) {
            Some(own) if pulled.contains(&own) => {}
            Some(own) => pulled.push(own),
            None => without.push(bone),
        }
    }
    (pulled, without)
}

/// The feet that no bone of `led` belongs to, nor where both sides move alike that of the other side: those that have a
/// handle that pulls, and those that have none.
fn standing_feet(view: &View, skeleton: &Skeleton, mut led: Vec<usize>) -> (Vec<Foot>, Vec<Foot>) {
    if view.session.symmetric() {
        let others = other_sides(skeleton, AXIS);
        led.extend(led.clone().iter().filter_map(|&bone| others[bone]));
    }
    let mut feet = feet(skeleton);
    feet.retain(|foot| foot.bones.iter().all(|bone| !led.contains(bone)));
    let has_handle = |foot: &Foot| {
        let mut handles = skeleton.handles.iter();
        handles.any(|handle| {
            let is_on = foot.bones.contains(&(handle.bone as usize));
            is_on && handle.look_at.is_none() && skeleton.pulls(handle)
        })
    };
    feet.into_iter().partition(has_handle)
}

/// Pins feet by the handles that they have, or by new ones from `next` on.
fn pin(
    seen: &SeenPose,
    feet: &[Foot],
    mut next: usize,
    own_handle: &dyn Fn(usize) -> Option<usize>,
) -> Vec<Command> {
    let mut commands = Vec::new();
    for foot in feet {
        match own_handle(foot.bone) {
            Some(own) => {
                commands.extend(seen.hold(own));
                commands.extend(seen.pin(own, Pin::PositionAndTurn));
                commands.push(seen.whole_chain(own));
            }
            None => {
                commands.extend(seen.pin_flat(foot.bone, next));
                next += 1;
            }
        }
    }
    commands
}

/// What it stands on, in words.
fn standing(skeleton: &Skeleton, pinned: &[Foot], held: &[Foot]) -> String {
    match (pinned, held) {
        ([], []) => "no feet to pin".into(),
        ([], _) => "its feet already have handles".into(),
        ([only], _) => format!("{} pinned", skeleton.bone_name(only.bone)),
        ([_, _], []) => "both feet pinned".into(),
        _ => format!("{} pinned", counted(pinned.len(), "foot", "feet")),
    }
}
