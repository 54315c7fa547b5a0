//! Actions on the selected bones: their commands, or why there are none. What a dialog asks for first is an
//! argument here.

use super::Action;
use crate::edit::command::Command;
use crate::edit::newer_side;
use crate::edit::view::{Tab, View};
use crate::rig::edits::names::Axis;
use crate::rig::edits::roll::{self, RollTo};
use crate::rig::edits::{mirror, tree};
use crate::rig::kinematics::parent_past_links;
use crate::rig::skeleton::Skeleton;

/// The commands of an action of the Bone menu; empty for one that asks for more first.
pub(super) fn of(action: Action, view: &View) -> Result<Vec<Command>, String> {
    match action {
        Action::SetParent => set_parent(view),
        Action::ClearParent => clear_parent(view),
        Action::SplitBones => split(view, 2).map(|_| Vec::new()),
        Action::MergeBones => merge(view),
        Action::MirrorX => mirrored(view, Axis::X),
        Action::MirrorY => mirrored(view, Axis::Y),
        Action::MirrorZ => mirrored(view, Axis::Z),
        Action::DeleteWithChildren => {
            selected(view).map(|(mesh, _, bones)| vec![Command::DeleteSubtrees { mesh, bones }])
        }
        Action::AlignRoll => align_roll(view, RollTo::BendPlane).and_then(|commands| {
            let some = !commands.is_empty();
            some.then_some(commands)
                .ok_or_else(|| "The roll is so already, or nothing is bent.".into())
        }),
        Action::AlignRollToAxis => selected(view).map(|_| Vec::new()),
        Action::FitRadius => {
            let (mesh, _, bones) = selected_or_all(view)?;
            Ok(vec![Command::FitRadius { mesh, bones }])
        }
        Action::ScaleRadius => scale_radius(view, 1.0).map(|_| Vec::new()),
        _ => Ok(Vec::new()),
    }
}

/// Mesh, skeleton and selected bones, in ascending order.
type Selected<'a> = (String, &'a Skeleton, Vec<usize>);

fn selected<'a>(view: &View<'a>) -> Result<Selected<'a>, String> {
    let (mesh, skeleton) = skeleton(view)?;
    let mut bones = view.session.selection().bones();
    bones.retain(|&bone| bone < skeleton.bones.len());
    match bones.is_empty() {
        true => Err("Select a bone first.".into()),
        false => Ok((mesh, skeleton, bones)),
    }
}

/// All bones where none is selected.
fn selected_or_all<'a>(view: &View<'a>) -> Result<Selected<'a>, String> {
    let (mesh, skeleton) = skeleton(view)?;
    match selected(view) {
        Ok(selected) => Ok(selected),
        Err(_) if skeleton.bones.is_empty() => Err("Add a bone first: this mesh has none.".into()),
        Err(_) => Ok((mesh, skeleton, skeleton.shown_bones().collect())),
    }
}

fn skeleton<'a>(view: &View<'a>) -> Result<(String, &'a Skeleton), String> {
    let session = view.session;
    let name = session.selection().mesh.as_ref().ok_or(NO_MESH)?;
    let skinned = session.seen().skinned_meshes.get(name).ok_or(NO_MESH)?;
    match view.settings.tab {
        Tab::Rig => Ok((name.clone(), &skinned.skeleton)),
        Tab::Animate => Err("The skeleton is changed in the Rig tab.".into()),
    }
}

const NO_MESH: &str = "Select a skinned mesh first.";

/// How many bones are meant: the selected ones, or for radii all if none is selected.
pub fn count(action: Action, view: &View) -> usize {
    let found = match action {
        Action::FitRadius | Action::ScaleRadius => selected_or_all(view),
        _ => selected(view),
    };
    found.map_or(0, |(_, _, bones)| bones.len())
}

fn set_parent(view: &View) -> Result<Vec<Command>, String> {
    let (mesh, skeleton, mut bones) = selected(view)?;
    let parent = view.session.selection().bone();
    bones.retain(|&bone| Some(bone) != parent);
    let Some(parent) = parent.filter(|_| !bones.is_empty()) else {
        return Err("Select the bones to parent, then with Shift their new parent.".into());
    };
    bones.retain(|&bone| parent_past_links(skeleton, bone) != Some(parent));
    if bones.is_empty() {
        return Err("The active bone is their parent already.".into());
    }
    if tree::reparent(&mut skeleton.clone(), &bones, Some(parent)).is_none() {
        return Err("The active bone is a descendant of one of the others.".into());
    }
    let parent = Some(parent);
    Ok(vec![Command::Reparent { mesh, bones, parent }])
}

fn clear_parent(view: &View) -> Result<Vec<Command>, String> {
    let (mesh, skeleton, mut bones) = selected(view)?;
    bones.retain(|&bone| parent_past_links(skeleton, bone).is_some());
    if bones.is_empty() {
        return Err("A root has no parent: it starts at the base.".into());
    }
    let parent = None;
    Ok(vec![Command::Reparent { mesh, bones, parent }])
}

/// Cuts the selected bones into `pieces` each.
///
/// # Errors
/// A sentence for the tooltip.
pub fn split(view: &View, pieces: usize) -> Result<Vec<Command>, String> {
    let (mesh, _, bones) = selected(view)?;
    Ok(vec![Command::SplitBones { mesh, bones, pieces }])
}

/// Copies of the selected bones, in place.
pub(super) fn duplicate(view: &View) -> Result<Vec<Command>, String> {
    let (mesh, _, bones) = selected(view)?;
    Ok(vec![Command::DuplicateBones { mesh, bones }])
}

fn merge(view: &View) -> Result<Vec<Command>, String> {
    let (mesh, skeleton, mut bones) = selected(view)?;
    bones.retain(|&bone| parent_past_links(skeleton, bone).is_some());
    if bones.is_empty() {
        return Err("A root has no parent to be merged into.".into());
    }
    Ok(vec![Command::MergeBones { mesh, bones }])
}

fn mirrored(view: &View, axis: Axis) -> Result<Vec<Command>, String> {
    let (mesh, skeleton, bones) = selected(view)?;
    if !mirror::can_mirror(skeleton, &bones, axis) {
        return Err(format!("It lies in the plane where {} is 0.", axis.name()));
    }
    Ok(vec![Command::MirrorBones { mesh, bones, axis }])
}

/// Of two sides that are both selected, mirrors the one that was changed last.
pub(super) fn mirrored_from_newer_side(view: &View, commands: Vec<Command>) -> Vec<Command> {
    let newer = |command| match command {
        Command::MirrorBones { mesh, bones, axis } => {
            let (bones, _) = newer_side::sources(view.session, &mesh, &bones, axis);
            Command::MirrorBones { mesh, bones, axis }
        }
        other => other,
    };
    commands.into_iter().map(newer).collect()
}

/// Aligns the rolls of the selected bones; no command where they are so already.
///
/// # Errors
/// A sentence for the tooltip.
pub fn align_roll(view: &View, to: RollTo) -> Result<Vec<Command>, String> {
    let (mesh, skeleton, bones) = selected(view)?;
    let mut aligned = skeleton.clone();
    roll::align(&mut aligned, &bones, to);
    if aligned == *skeleton {
        return Ok(Vec::new());
    }
    Ok(vec![Command::AlignRoll { mesh, bones, to }])
}

/// Multiplies the radii of the selected bones, or of all if none is selected.
///
/// # Errors
/// A sentence for the tooltip.
pub fn scale_radius(view: &View, factor: f32) -> Result<Vec<Command>, String> {
    let (mesh, _, bones) = selected_or_all(view)?;
    Ok(vec![Command::ScaleRadius { mesh, bones, factor }])
}
