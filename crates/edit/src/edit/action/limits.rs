//! Joint limits from poses and from bone names, for the Bone menu.

use super::selected::{Selected, bones, mesh, require};
use super::{Note, Prepared, Reason};
use crate::anim::channel::{ChannelRef, SkeletonChannel, Value};
use crate::edit::command::Command;
use crate::edit::pose::limbs::VisiblePose;
use crate::edit::settings::view::View;
use crate::io::count::{counted, grouped};
use crate::rig::limits::{Limits, humanoid};
use crate::rig::property::BONE;
use crate::rig::property::POSE;
use crate::rig::skeleton::Skeleton;
use glam::Vec3;

/// The poses that determine joint limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Poses {
    /// The current pose; existing limits are extended to include it.
    Current,
    /// All keys of the bone, regardless of its previous limits.
    Keys,
}

/// The mesh, its skeleton, and the selected bones, or all bones if none is selected.
pub(super) fn selected_or_all<'a>(view: &View<'a>) -> Result<Selected<'a>, Reason> {
    let (mesh, skinned) = mesh(view)?;
    let skeleton = &*skinned.skeleton;
    let found = bones(view, skeleton).unwrap_or_else(|_| skeleton.shown_bones().collect());
    require(!found.is_empty(), "Add a bone first: this mesh has none.")?;
    Ok((mesh, skeleton, found))
}

/// Returns commands that set limits which include the given poses and the bind pose, with a margin in
/// degrees. [`Poses::Keys`] leaves bones without keys unchanged.
///
/// # Errors
/// The reason why that cannot be done: a sentence for the dialog.
pub fn from_poses(view: &View, poses: Poses, margin_deg: f32) -> Result<Vec<Command>, Reason> {
    let (mesh, skeleton, bones) = selected_or_all(view)?;
    let visible = VisiblePose::from_view(view, &mesh).ok_or("This mesh is not shown yet.")?;
    let mut found = skeleton.clone();
    for &bone in &bones {
        let limits = &mut found.bones[bone].limits_deg;
        match poses {
            // The Rig tab shows the bind pose, but the mesh still has its own pose.
            Poses::Current if view.settings.tab == crate::edit::settings::view::Tab::Rig => {
                *limits = limits.extended_to(skeleton.bones[bone].pose_deg, margin_deg);
            }
            Poses::Current => *limits = limits.extended_to(visible.skeleton.bones[bone].pose_deg, margin_deg),
            Poses::Keys => {
                let keys = keyed_poses(view, &mesh, skeleton, bone);
                let include = |limits: Limits, pose: Vec3| limits.extended_to(pose, margin_deg);
                *limits =
                    if keys.is_empty() { *limits } else { keys.into_iter().fold(Limits::default(), include) };
            }
        }
    }
    let commands = changes(&mesh, skeleton, &found);
    require(
        !commands.is_empty(),
        match poses {
            Poses::Current => "The limits already include this pose.",
            Poses::Keys => "No key of these bones goes beyond their limits.",
        },
    )?;
    Ok(commands)
}

/// Returns the poses of all keys of a bone.
fn keyed_poses(view: &View, mesh: &str, skeleton: &Skeleton, bone: usize) -> Vec<Vec3> {
    let channel = SkeletonChannel::Bone(skeleton.bones[bone].channel_id, POSE);
    let Some(keys) = view.session.scene().animation.get(&ChannelRef::new(mesh, channel)) else {
        return Vec::new();
    };
    let pose = |time: f32| match keys.key(time)? {
        Value::Vec3(pose_deg) => Some(pose_deg),
        _ => None,
    };
    keys.times().into_iter().filter_map(pose).collect()
}

/// Returns commands that change what the bones of one skeleton have to what those of another have.
fn changes(mesh: &str, from: &Skeleton, to: &Skeleton) -> Vec<Command> {
    let bones = from.bones.iter().zip(&to.bones).enumerate();
    let changed = bones.flat_map(|(bone, (old, new))| {
        let values = BONE.iter().filter_map(|row| Some((row, row.get(new)?)));
        let changed = values.filter(|(row, value)| row.get(old).as_ref() != Some(value));
        changed.map(move |(row, value)| Command::set_bone(mesh.to_owned(), bone, row.info.id, value))
    });
    changed.collect()
}

pub(super) fn human(view: &View) -> Result<Prepared, Reason> {
    let (mesh, skeleton, bones) = selected_or_all(view)?;
    let mut limited = skeleton.clone();
    let count = humanoid::apply(&mut limited, &bones);
    require(count > 0, "No bone has a human name such as hand, forearm or thigh.")?;
    let commands = changes(&mesh, skeleton, &limited);
    require(!commands.is_empty(), "The bones already have these limits.")?;
    let all = counted(bones.len(), "bone", "bones");
    let part = if count == bones.len() { String::new() } else { format!("{} of ", grouped(count)) };
    Prepared::with_note(
        commands,
        Note { offers_undo: true, ..Note::new(format!("Human limits set for {part}{all}")) },
    )
}

pub(super) fn clear(view: &View) -> Result<Prepared, Reason> {
    let (mesh, skeleton, bones) = selected_or_all(view)?;
    let mut free = skeleton.clone();
    for bone in bones {
        free.bones[bone].limits_deg = Limits::default();
    }
    let commands = changes(&mesh, skeleton, &free);
    require(!commands.is_empty(), "These bones have no limits.")?;
    Prepared::commands(commands)
}
