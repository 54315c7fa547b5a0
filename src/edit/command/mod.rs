//! Commands: changes of the scene, as data. Atomic: everything is checked, and changed on a copy,
//! before the scene is touched. Commands know no selection, no history and no tools.

mod base;
mod bones;
mod channels;
mod handles;
mod label;
mod part;
mod visible;
mod weights;
pub use weights::MOST_TIMES;

use crate::rig::weights::VertexWeights;
use crate::rig::weights::refine::Refinement;
use crate::scene::Scene;
use crate::scene::instance::InstanceRef;
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// A change of the scene. `mesh` names a skinned mesh; `bone` and `handle` are indices in its skeleton.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum Command {
    /// A new bone at the tip of `parent`, or at the base. Radius as given.
    AddBone {
        mesh: String,
        parent: Option<usize>,
        extent: Vec3,
        radius: f32,
    },
    /// Children keep their tips and go to the grandparent; handles on the bone go; weights are
    /// remapped; the bone's and its handles' channels go.
    DeleteBone {
        mesh: String,
        bone: usize,
    },
    /// Moves the tip; direct children's tips stay.
    MoveTip {
        mesh: String,
        bone: usize,
        extent: Vec3,
    },
    /// The extent alone: children move along.
    SetExtent {
        mesh: String,
        bone: usize,
        extent: Vec3,
    },
    SetRoll {
        mesh: String,
        bone: usize,
        roll_deg: f32,
    },
    /// Not negative.
    SetRadius {
        mesh: String,
        bone: usize,
        radius: f32,
    },
    SetPose {
        mesh: String,
        bone: usize,
        pose_deg: Vec3,
    },
    /// All bones' pose angles (a value per bone).
    SetPoses {
        mesh: String,
        poses_deg: Vec<Vec3>,
    },
    /// Empty or only spaces: back to `bone N`.
    SetBoneName {
        mesh: String,
        bone: usize,
        name: String,
    },
    SetBase {
        mesh: String,
        base: Vec3,
    },
    SetBaseOffset {
        mesh: String,
        base_offset: Vec3,
    },
    /// A handle at the bone's tip in the bind pose, not enabled.
    AddHandle {
        mesh: String,
        bone: usize,
    },
    DeleteHandle {
        mesh: String,
        handle: usize,
    },
    SetHandleTarget {
        mesh: String,
        handle: usize,
        target: Vec3,
    },
    SetHandleEnabled {
        mesh: String,
        handle: usize,
        enabled: bool,
    },
    /// Replaces all bone weights of the mesh.
    CalculateWeights {
        mesh: String,
    },
    SetVisible {
        instance: InstanceRef,
        visible: bool,
    },
    /// Replaces the share that `bones` have of each vertex; the other bones keep their proportions.
    CalculateBoneWeights {
        mesh: String,
        bones: Vec<usize>,
    },
    /// What `CalculateWeights`, or `CalculateBoneWeights` for `bones`, came to in the background.
    SetCalculatedWeights {
        mesh: String,
        bones: Option<Vec<usize>>,
        weights: VertexWeights,
    },
    /// For all vertices, or for `vertices` alone.
    RefineWeights {
        mesh: String,
        vertices: Option<Vec<u32>>,
        how: Refinement,
    },
}

/// Why a command cannot be applied. The scene is as it was.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CommandError {
    #[error("there is no {what} called “{name}”")]
    NoSuch { what: &'static str, name: String },
    #[error("“{mesh}” has no {what} {index}")]
    NoIndex {
        mesh: String,
        what: &'static str,
        index: usize,
    },
    #[error("{what} must be {rule}")]
    Value { what: &'static str, rule: &'static str },
}

impl Command {
    /// Changes `scene`; on error `scene` is unchanged. What stays equal stays shared: a command that
    /// changes nothing leaves every `Arc` in place.
    ///
    /// # Errors
    /// If the command names what the scene does not hold, or carries a value that no scene may have.
    pub fn apply(&self, scene: &mut Scene) -> Result<(), CommandError> {
        match self {
            Command::AddBone {
                mesh,
                parent,
                extent,
                radius,
            } => bones::add(scene, mesh, *parent, *extent, *radius),
            Command::DeleteBone { mesh, bone } => bones::delete(scene, mesh, *bone),
            Command::MoveTip { mesh, bone, extent } => bones::move_tip(scene, mesh, *bone, *extent),
            Command::SetExtent { mesh, bone, extent } => bones::set_extent(scene, mesh, *bone, *extent),
            Command::SetRoll { mesh, bone, roll_deg } => bones::set_roll(scene, mesh, *bone, *roll_deg),
            Command::SetRadius { mesh, bone, radius } => bones::set_radius(scene, mesh, *bone, *radius),
            Command::SetPose { mesh, bone, pose_deg } => bones::set_pose(scene, mesh, *bone, *pose_deg),
            Command::SetPoses { mesh, poses_deg } => bones::set_poses(scene, mesh, poses_deg),
            Command::SetBoneName { mesh, bone, name } => bones::set_name(scene, mesh, *bone, name),
            Command::SetBase { mesh, base } => base::set_base(scene, mesh, *base),
            Command::SetBaseOffset { mesh, base_offset } => base::set_base_offset(scene, mesh, *base_offset),
            Command::AddHandle { mesh, bone } => handles::add(scene, mesh, *bone),
            Command::DeleteHandle { mesh, handle } => handles::delete(scene, mesh, *handle),
            Command::SetHandleTarget { mesh, handle, target } => {
                handles::set_target(scene, mesh, *handle, *target)
            }
            Command::SetHandleEnabled {
                mesh,
                handle,
                enabled,
            } => handles::set_enabled(scene, mesh, *handle, *enabled),
            Command::CalculateWeights { mesh } => weights::calculate(scene, mesh, None),
            Command::SetVisible { instance, visible } => visible::set(scene, instance, *visible),
            Command::CalculateBoneWeights { mesh, bones } => weights::calculate(scene, mesh, Some(bones)),
            Command::SetCalculatedWeights { mesh, bones, weights } => {
                weights::set_calculated(scene, mesh, bones.as_deref(), weights)
            }
            Command::RefineWeights { mesh, vertices, how } => {
                weights::refine(scene, mesh, vertices.as_deref(), how)
            }
        }
    }

    /// What the Edit menu says: "Undo <label>". Sentence case, names the thing: `Move tip of Hand.L`.
    /// `scene`: as it is before the command.
    pub fn label(&self, scene: &Scene) -> String {
        label::label(self, scene)
    }
}
