//! Actions that select bones: what would be selected, or why nothing. They change no document.

use super::Action;
use crate::edit::selection::{Part, Selection};
use crate::edit::view::View;
use crate::rig::kinematics::parent_past_links;
use crate::rig::skeleton::Skeleton;

/// The selection after `action`; `None` for an action that does not select; the reason if it cannot be done.
pub fn of(action: Action, view: &View) -> Result<Option<Selection>, String> {
    let find = match action {
        Action::SelectAll => all,
        Action::InvertSelection => inverted,
        Action::SelectParent | Action::ExtendToParent => parents,
        Action::SelectChildren | Action::ExtendToChildren => children,
        _ => return Ok(None),
    };
    let session = view.session;
    let selection = session.selection();
    let mesh = selection.mesh.as_ref();
    let skinned = mesh.and_then(|name| session.seen().skinned_meshes.get(name));
    let skeleton = &skinned.ok_or("Select a skinned mesh first.")?.skeleton;
    if skeleton.bones.is_empty() {
        return Err("This mesh has no bones.".into());
    }
    let found = find(skeleton, selection)?;
    let extends = matches!(action, Action::ExtendToParent | Action::ExtendToChildren);
    let kept: Vec<Part> = selection.parts().filter(|_| extends).collect();
    Ok(Some(selection.with_parts(found.into_iter().chain(kept))))
}

/// Every bone; an active bone stays active.
fn all(skeleton: &Skeleton, selection: &Selection) -> Result<Vec<Part>, String> {
    let active = selection.bone().map(Part::Bone);
    let bones = skeleton.shown_bones().map(Part::Bone);
    Ok(active.into_iter().chain(bones).collect())
}

fn inverted(skeleton: &Skeleton, selection: &Selection) -> Result<Vec<Part>, String> {
    let bones = skeleton.shown_bones().map(Part::Bone);
    Ok(bones.filter(|bone| !selection.is_selected(*bone)).collect())
}

/// The bones that the selected parts hang on, the active part's first.
fn parents(skeleton: &Skeleton, selection: &Selection) -> Result<Vec<Part>, String> {
    if selection.part.is_none() {
        return Err("Select a bone or a handle first.".into());
    }
    let parents = selection.parts().filter_map(|part| match part {
        Part::Bone(bone) => parent_past_links(skeleton, bone),
        Part::Handle(handle) => Some(skeleton.handles.get(handle)?.bone as usize),
        Part::Base => None,
    });
    let parents: Vec<Part> = parents.map(Part::Bone).collect();
    match parents.is_empty() {
        true => Err("It has no parent: it starts at the base.".into()),
        false => Ok(parents),
    }
}

/// The bones that start at the tips of the selected bones, or at the base, in ascending order.
fn children(skeleton: &Skeleton, selection: &Selection) -> Result<Vec<Part>, String> {
    if selection.part.is_none() {
        return Err("Select a bone or the base first.".into());
    }
    let bones = skeleton.shown_bones();
    let starts_there = |bone: &usize| {
        let start = parent_past_links(skeleton, *bone).map_or(Part::Base, Part::Bone);
        selection.is_selected(start)
    };
    let children: Vec<Part> = bones.filter(starts_there).map(Part::Bone).collect();
    match children.is_empty() {
        true => Err("No bone starts there.".into()),
        false => Ok(children),
    }
}
