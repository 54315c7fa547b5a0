//! What is selected, or why it is not enough: the questions that most actions begin with.

use super::Reason;
use crate::edit::limbs::SeenPose;
use crate::edit::view::{Tab, View};
use crate::rig::skeleton::Skeleton;
use crate::scene::skinned::SkinnedMesh;

/// Mesh, skeleton and selected bones, in ascending order.
pub(super) type Selected<'a> = (String, &'a Skeleton, Vec<usize>);

/// Name and value of the skinned mesh that is worked on.
pub fn mesh<'a>(view: &View<'a>) -> Result<(String, &'a SkinnedMesh), Reason> {
    let session = view.session;
    let name = session.selection().mesh.as_ref();
    let found = name.and_then(|name| Some((name.clone(), &**session.animated().skinned_meshes.get(name)?)));
    found.ok_or("Select a skinned mesh first.".into())
}

/// The active bone.
pub fn bone(view: &View, skeleton: &Skeleton) -> Result<usize, Reason> {
    let bone = view.session.selection().bone();
    let bone = bone.filter(|&bone| bone < skeleton.bones.len());
    bone.ok_or("Select a bone first.".into())
}

/// All selected bones, in ascending order.
pub fn bones(view: &View, skeleton: &Skeleton) -> Result<Vec<usize>, Reason> {
    let mut bones = view.session.selection().bones();
    bones.retain(|&bone| bone < skeleton.bones.len());
    match bones.is_empty() {
        true => Err("Select a bone first.".into()),
        false => Ok(bones),
    }
}

/// All selected handles, those of selected poles among them, in ascending order.
pub fn handles(view: &View, skeleton: &Skeleton) -> Vec<usize> {
    let mut handles = view.session.selection().handles();
    handles.retain(|&handle| handle < skeleton.handles.len());
    handles
}

/// The Rig tab is open, or else `why_not`.
pub fn in_rig(view: &View, why_not: &'static str) -> Result<(), Reason> {
    require(view.settings.tab == Tab::Rig, why_not)
}

/// The Animate tab is open, or else `why_not`.
pub fn in_animate(view: &View, why_not: &'static str) -> Result<(), Reason> {
    require(view.settings.tab == Tab::Animate, why_not)
}

pub fn require(possible: bool, why_not: &'static str) -> Result<(), Reason> {
    possible.then_some(()).ok_or(why_not.into())
}

/// What is seen of a mesh, and whether handles that are added hold tips where they are: where a pose is seen.
pub fn seen(view: &View, mesh: &str) -> Result<(SeenPose, bool), Reason> {
    let seen = SeenPose::from_view(view, mesh).ok_or("This mesh is not shown yet.")?;
    Ok((seen, view.settings.tab == Tab::Animate))
}
