//! Access to the selection, with a reason if it is insufficient: the preconditions of most actions.

use super::Reason;
use crate::edit::pose::limbs::VisiblePose;
use crate::edit::settings::view::{Tab, View};
use crate::rig::skeleton::Skeleton;
use crate::scene::skinned::SkinnedMesh;

/// The mesh, its skeleton, and the selected bones in ascending order.
pub(super) type Selected<'a> = (String, &'a Skeleton, Vec<usize>);

/// The name and value of the active skinned mesh.
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
    if bones.is_empty() { Err("Select a bone first.".into()) } else { Ok(bones) }
}

/// All selected handles, including those of selected poles, in ascending order.
pub fn handles(view: &View, skeleton: &Skeleton) -> Vec<usize> {
    let mut handles = view.session.selection().handles();
    handles.retain(|&handle| handle < skeleton.handles.len());
    handles
}

/// Requires that the Rig tab is open.
pub fn in_rig(view: &View, reason: &'static str) -> Result<(), Reason> {
    require(view.settings.tab == Tab::Rig, reason)
}

/// Requires that the Animate tab is open.
pub fn in_animate(view: &View, reason: &'static str) -> Result<(), Reason> {
    require(view.settings.tab == Tab::Animate, reason)
}

/// Returns `reason` as the error if `condition` is false.
pub fn require(condition: bool, reason: &'static str) -> Result<(), Reason> {
    condition.then_some(()).ok_or(reason.into())
}

/// The pose of a mesh as shown, and whether new handles hold the tails of bones in place: that is so in the
/// Animate tab.
pub fn visible_pose(view: &View, mesh: &str) -> Result<(VisiblePose, bool), Reason> {
    let visible = VisiblePose::from_view(view, mesh).ok_or("This mesh is not shown yet.")?;
    Ok((visible, view.settings.tab == Tab::Animate))
}
