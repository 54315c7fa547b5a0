//! Where the selection goes when a command adds or deletes what it points at.

use super::command::Command;
use super::selection::{Part, Selection};
use crate::scene::Scene;

/// The selection after `command` turned `before` into `after`.
///
/// An added bone or handle is selected. If the selected bone is deleted its parent is selected; if the
/// selected handle goes, its bone. A selection of something else stays on it though indices shift.
pub fn follow(command: &Command, before: &Scene, after: &Scene, selection: &Selection) -> Selection {
    let part = match command {
        Command::AddBone { mesh, .. } => {
            let last = after
                .skinned_meshes
                .get(mesh)
                .and_then(|m| m.skeleton.bones.len().checked_sub(1));
            return on_mesh(after, selection, mesh, last.map(Part::Bone));
        }
        Command::AddHandle { mesh, .. } => {
            let last = after
                .skinned_meshes
                .get(mesh)
                .and_then(|m| m.skeleton.handles.len().checked_sub(1));
            return on_mesh(after, selection, mesh, last.map(Part::Handle));
        }
        Command::DeleteBone { mesh, bone } if selection.mesh.as_ref() == Some(mesh) => selection
            .part
            .and_then(|part| after_bone(before, mesh, *bone, part)),
        Command::DeleteHandle { mesh, handle } if selection.mesh.as_ref() == Some(mesh) => selection
            .part
            .and_then(|part| after_handle(before, mesh, *handle, part)),
        _ => selection.part,
    };
    selection.with_part(part).kept_in(after)
}

/// `part` of `mesh`, by the instance that is selected if it is one of that mesh.
fn on_mesh(scene: &Scene, selection: &Selection, mesh: &str, part: Option<Part>) -> Selection {
    if selection.mesh.as_deref() == Some(mesh) {
        return selection.with_part(part);
    }
    Selection::of_mesh(scene, mesh).with_part(part)
}

fn after_bone(before: &Scene, mesh: &str, deleted: usize, part: Part) -> Option<Part> {
    let skeleton = &before.skinned_meshes.get(mesh)?.skeleton;
    let shifted = |bone: usize| if bone > deleted { bone - 1 } else { bone };
    match part {
        Part::Bone(bone) if bone == deleted => {
            let parent = skeleton.bones.get(bone)?.parent?;
            Some(Part::Bone(parent as usize))
        }
        Part::Bone(bone) => Some(Part::Bone(shifted(bone))),
        Part::Handle(handle) => {
            if skeleton.handles.get(handle)?.bone as usize == deleted {
                return after_bone(before, mesh, deleted, Part::Bone(deleted));
            }
            let lower = &skeleton.handles[..handle];
            let gone = lower.iter().filter(|h| h.bone as usize == deleted).count();
            Some(Part::Handle(handle - gone))
        }
        Part::Base => Some(Part::Base),
    }
}

fn after_handle(before: &Scene, mesh: &str, deleted: usize, part: Part) -> Option<Part> {
    let skeleton = &before.skinned_meshes.get(mesh)?.skeleton;
    match part {
        Part::Handle(handle) if handle == deleted => {
            Some(Part::Bone(skeleton.handles.get(handle)?.bone as usize))
        }
        Part::Handle(handle) if handle > deleted => Some(Part::Handle(handle - 1)),
        other => Some(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::skeleton::{Bone, Handle, Skeleton};
    use crate::scene::skinned::SkinnedMesh;
    use std::sync::Arc;

    /// Bones 0 <- 1 <- 2 and 0 <- 3; handles on 1, 2, 1, 3.
    fn scene() -> Scene {
        let bone = |parent| Bone {
            parent,
            ..Bone::default()
        };
        let handle = |bone| Handle {
            bone,
            target: glam::Vec3::ZERO,
            enabled: false,
            channel_id: 0,
            extra: Default::default(),
        };
        let skeleton = Skeleton {
            bones: vec![bone(None), bone(Some(0)), bone(Some(1)), bone(Some(0))],
            handles: [1, 2, 1, 3].map(handle).to_vec(),
            ..Skeleton::default()
        };
        let skinned = SkinnedMesh {
            skeleton: Arc::new(skeleton),
            ..SkinnedMesh::default()
        };
        let mut scene = Scene::default();
        scene.skinned_meshes.insert("M".into(), Arc::new(skinned));
        scene
    }

    #[test]
    fn deleting_a_bone_keeps_the_selection_on_what_it_was_on() {
        let scene = scene();
        let after = |bone, part| after_bone(&scene, "M", bone, part);
        assert_eq!(after(1, Part::Bone(1)), Some(Part::Bone(0)));
        assert_eq!(after(0, Part::Bone(0)), None);
        assert_eq!(after(1, Part::Bone(3)), Some(Part::Bone(2)));
        assert_eq!(after(2, Part::Bone(1)), Some(Part::Bone(1)));
        assert_eq!(after(1, Part::Handle(0)), Some(Part::Bone(0)));
        assert_eq!(after(1, Part::Handle(1)), Some(Part::Handle(0)));
        assert_eq!(after(1, Part::Handle(3)), Some(Part::Handle(1)));
        assert_eq!(after(1, Part::Base), Some(Part::Base));
    }

    #[test]
    fn deleting_a_handle_selects_its_bone() {
        let scene = scene();
        let after = |handle, part| after_handle(&scene, "M", handle, part);
        assert_eq!(after(1, Part::Handle(1)), Some(Part::Bone(2)));
        assert_eq!(after(1, Part::Handle(3)), Some(Part::Handle(2)));
        assert_eq!(after(1, Part::Handle(0)), Some(Part::Handle(0)));
        assert_eq!(after(1, Part::Bone(2)), Some(Part::Bone(2)));
    }
}
