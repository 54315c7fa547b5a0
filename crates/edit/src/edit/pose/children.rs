//! The behaviour of a bone's children when its tail moves in the bind pose: the same rule whether the tail is
//! dragged or its extent is typed.

use crate::edit::command::Command;
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// The behaviour of children when the tail of their parent moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Children {
    /// The children's tails stay in place: the bones below stretch.
    #[default]
    Stay,
    /// The children keep their extents: all descendants of the bone move by the same amount.
    Along,
}

impl Children {
    /// Returns the command that sets the extent of a bone.
    pub fn extent_command(self, mesh: String, bone: usize, extent: Vec3) -> Command {
        match self {
            Self::Stay => Command::MoveTip { mesh, bone, extent },
            Self::Along => Command::set_bone(mesh, bone, "extent", extent),
        }
    }

    /// Applies this rule to commands of a drag that move tails.
    pub fn apply_to(self, mut commands: Vec<Command>) -> Vec<Command> {
        for command in &mut commands {
            if let Command::MoveTip { mesh, bone, extent } = command {
                *command = self.extent_command(std::mem::take(mesh), *bone, *extent);
            }
        }
        commands
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::testing::session_with;
    use crate::rig::edits::add_bone;
    use crate::rig::kinematics::bind_tips;
    use crate::rig::skeleton::Skeleton;
    use crate::scene::skinned::SkinnedMesh;
    use glam::DVec3;
    use std::sync::Arc;

    #[test]
    fn a_typed_and_a_dragged_tip_do_the_same_to_the_children() {
        let mut skeleton = Skeleton::default();
        for (id, parent) in [(0, None), (1, Some(0))] {
            add_bone(&mut skeleton, parent, Vec3::Y, 0.1, id);
        }
        let mesh = SkinnedMesh { skeleton: Arc::new(skeleton), ..SkinnedMesh::default() };
        for (rule, child_tip) in [(Children::Stay, 2.0), (Children::Along, 3.0)] {
            let (mesh_name, bone, extent) = ("m".to_owned(), 0, 2.0 * Vec3::Y);
            let typed = rule.extent_command(mesh_name.clone(), bone, extent);
            let dragged = rule.apply_to(vec![Command::MoveTip { mesh: mesh_name, bone, extent }]);
            assert_eq!(dragged, std::slice::from_ref(&typed));
            let mut session = session_with(mesh.clone());
            session.apply(&[typed]).unwrap();
            let tips = bind_tips(&session.scene().skinned_meshes["m"].skeleton);
            assert_eq!(tips, [2.0 * DVec3::Y, child_tip * DVec3::Y], "{rule:?}");
        }
    }
}
