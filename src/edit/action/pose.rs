//! Actions of the Pose menu: copying, pasting, resetting, baking.

use super::Action;
use super::commands::{bones, mesh};
use crate::anim::channel::ChannelRef;
use crate::edit::command::Command;
use crate::edit::command::keys::KeyCommand;
use crate::edit::keying::of_part;
use crate::edit::pose::{Pasted, PoseCopy, copy};
use crate::edit::selection::Part;
use crate::edit::view::{Tab, View};
use crate::scene::skinned::SkinnedMesh;
use glam::Vec3;

/// The commands of an action of the Pose menu; empty for what changes no document or asks for more first.
pub(super) fn of(action: Action, view: &View) -> Result<Vec<Command>, String> {
    match action {
        Action::CopyPose => copied(view).map(|_| Vec::new()),
        Action::PastePose | Action::PasteMirroredPose => pasted(action, view).map(|pasted| pasted.commands),
        Action::ResetBonePose => reset_bone_pose(view),
        Action::ResetPose => reset_pose(view),
        Action::BakeIk => can_bake(view).map(|_| Vec::new()),
        _ => Ok(Vec::new()),
    }
}

/// The pose of the selected bones, or of all and the base if none is selected, as it is seen: driven, and
/// pulled by handles.
///
/// # Errors
/// A sentence for the tooltip.
pub fn copied(view: &View) -> Result<PoseCopy, String> {
    let (name, skinned) = mesh(view)?;
    in_animate(view, "Poses are copied in the Animate tab.")?;
    if skinned.skeleton.bones.is_empty() {
        return Err("This mesh has no bones.".into());
    }
    let seen = view.evaluated.skinned.get(&name).map(|posed| &posed.skeleton);
    let skeleton = seen
        .filter(|seen| seen.bones.len() == skinned.skeleton.bones.len())
        .unwrap_or(&skinned.skeleton);
    let chosen = bones(view, &skinned.skeleton).unwrap_or_default();
    Ok(copy(skeleton, &chosen))
}

/// What pasting, or pasting mirrored, does and what it leaves out.
///
/// # Errors
/// A sentence for the tooltip.
pub fn pasted(action: Action, view: &View) -> Result<Pasted, String> {
    let (name, skinned) = mesh(view)?;
    in_animate(view, "Poses are pasted in the Animate tab.")?;
    let copied = view.settings.copied_pose.as_ref().ok_or("Copy a pose first.")?;
    let pasted = match action {
        Action::PasteMirroredPose => copied.paste_mirrored(&name, &skinned.skeleton),
        _ => copied.paste(&name, &skinned.skeleton),
    };
    let turns = |command: &Command| matches!(command, Command::SetPose { .. });
    match (pasted.commands.iter().any(turns), action) {
        (true, _) => Ok(keyed(view, &name, skinned, pasted)),
        (false, Action::PasteMirroredPose) => Err("None of the copied bones has another side here.".into()),
        (false, _) => Err("None of the copied bones is in this skeleton.".into()),
    }
}

/// With keys of everything that is pasted, changed or not, where there is motion: with auto-key on, in a
/// character with keys, and behind the first frame that is played. Else the character is posed for all frames.
fn keyed(view: &View, mesh: &str, skinned: &SkinnedMesh, mut pasted: Pasted) -> Pasted {
    let session = view.session;
    let (animation, frame) = (&session.scene().animation, session.frame());
    let is_animated = animation.channels.contains_key(mesh);
    if !session.auto_key() && !is_animated && frame <= animation.clip.played()[0] as f32 {
        return pasted;
    }
    let part = |command: &Command| match command {
        Command::SetPose { bone, .. } => Some(Part::Bone(*bone)),
        Command::SetBaseOffset { .. } => Some(Part::Base),
        _ => None,
    };
    let parts = pasted.commands.iter().filter_map(part);
    let channels = parts.flat_map(|part| of_part(mesh, &skinned.skeleton, part));
    let is_muted = |of: &ChannelRef| animation.mute(&of.resource, &of.channel).is_whole();
    let channels: Vec<_> = channels.filter(|channel| !is_muted(channel)).collect();
    if !channels.is_empty() {
        pasted
            .commands
            .push(Command::Keys(KeyCommand::Set { channels, frame }));
    }
    pasted
}

/// The name of the skinned mesh whose handles are baked.
///
/// # Errors
/// A sentence for the tooltip.
pub fn can_bake(view: &View) -> Result<String, String> {
    let (name, skinned) = mesh(view)?;
    in_animate(view, "IK is baked in the Animate tab.")?;
    let skeleton = &skinned.skeleton;
    let on_bone = |handle: &crate::rig::skeleton::Handle| (handle.bone as usize) < skeleton.bones.len();
    match skeleton.handles.iter().any(on_bone) {
        true => Ok(name),
        false => Err("This skeleton has no IK handle.".into()),
    }
}

fn in_animate(view: &View, why: &str) -> Result<(), String> {
    match view.settings.tab {
        Tab::Animate => Ok(()),
        Tab::Rig => Err(why.into()),
    }
}

fn reset_bone_pose(view: &View) -> Result<Vec<Command>, String> {
    let (mesh, skinned) = mesh(view)?;
    let skeleton = &skinned.skeleton;
    let bones = bones(view, skeleton)?;
    let turned = bones
        .into_iter()
        .filter(|&b| skeleton.bones[b].pose_deg != Vec3::ZERO);
    let reset = turned.map(|bone| Command::SetPose {
        mesh: mesh.clone(),
        bone,
        pose_deg: Vec3::ZERO,
    });
    let reset: Vec<Command> = reset.collect();
    match reset.is_empty() {
        true => Err("The bone is not turned.".into()),
        false => Ok(reset),
    }
}

fn reset_pose(view: &View) -> Result<Vec<Command>, String> {
    let (mesh, skinned) = mesh(view)?;
    let skeleton = &skinned.skeleton;
    let turned = skeleton.bones.iter().any(|b| b.pose_deg != Vec3::ZERO);
    if !turned && skeleton.base_offset == Vec3::ZERO {
        return Err("No bone is turned and the base is not moved.".into());
    }
    Ok(vec![
        Command::SetPoses {
            mesh: mesh.clone(),
            poses_deg: vec![Vec3::ZERO; skeleton.bones.len()],
        },
        Command::SetBaseOffset {
            mesh,
            base_offset: Vec3::ZERO,
        },
    ])
}
