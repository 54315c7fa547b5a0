//! Commands: changes of the scene, as data. Atomic: applied to a clone, published on success.

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
    /// Changes `scene`; on error `scene` is unchanged.
    pub fn apply(&self, _scene: &mut Scene) -> Result<(), CommandError> {
        todo!()
    }

    /// What the Edit menu says: "Undo <label>". Sentence case, names the thing: `Move tip of Hand.L`.
    pub fn label(&self, _scene: &Scene) -> String {
        todo!()
    }
}
