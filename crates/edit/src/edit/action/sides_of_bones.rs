//! Manual pairing of bones as mirror images, for the Bone menu.

use super::selected::{bones, mesh, require};
use super::{Note, Prepared, Reason};
use crate::edit::command::Command;
use crate::edit::settings::view::View;
use crate::rig::body::middle::BothSides;

pub(super) fn pair(view: &View) -> Result<Prepared, Reason> {
    let (mesh, skinned) = mesh(view)?;
    let skeleton = &skinned.skeleton;
    let [bone, other] = bones(view, skeleton)?[..] else {
        return Err("Select two bones, one of each side.".into());
    };
    let link = [bone, other].iter().any(|&bone| skeleton.bones[bone].link);
    require(!link, "A link bone has no counterpart of its own.")?;
    let is_paired = BothSides::new(skeleton).others[bone] == Some(other);
    require(!is_paired, "They are already a mirrored pair.")?;
    let text =
        format!("{} and {} paired as mirror images", skeleton.bone_name(bone), skeleton.bone_name(other));
    let other = Some(other);
    Prepared::with_note(vec![Command::PairBones { mesh: mesh.clone(), bone, other }], Note::new(text))
}

pub(super) fn unpair(view: &View) -> Result<Prepared, Reason> {
    let (mesh, skinned) = mesh(view)?;
    let bones = bones(view, &skinned.skeleton)?;
    let paired = bones.into_iter().filter(|&bone| skinned.skeleton.bones[bone].mirror_of.is_some());
    let other = None;
    let commands: Vec<Command> =
        paired.map(|bone| Command::PairBones { mesh: mesh.clone(), bone, other }).collect();
    require(!commands.is_empty(), "These bones were not paired by hand.")?;
    Prepared::commands(commands)
}
