//! Commands: changes of the scene, as data. Atomic: everything is checked, and changed on a copy,
//! before the scene is touched. Commands know no selection, no history and no tools.

mod base;
mod bones;
mod channels;
mod handles;
mod label;
mod look;
mod motion;
mod part;
mod place;
mod things;
mod visible;
mod weights;

use crate::scene::Scene;
use crate::scene::instance::InstanceRef;
use crate::scene::names::{Kind, Thing};
use glam::{Quat, Vec3};
pub use look::Style;
pub use place::parent_name;
use serde::{Deserialize, Serialize};
pub use things::{name_for, transform_name};

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
    SetTranslation {
        transform: String,
        translation: Vec3,
    },
    /// Made unit.
    SetRotation {
        transform: String,
        rotation: Quat,
    },
    SetScale {
        transform: String,
        scale: Vec3,
    },
    /// What hangs on the transform itself is refused. With `keep_place` it stays where it is in the world,
    /// but for the shear that a transform cannot have.
    SetParent {
        transform: String,
        parent: Option<String>,
        keep_place: bool,
    },
    /// A new transform between this one and its parent; nothing moves.
    AddParent {
        transform: String,
    },
    /// A transform of the instance's own, named after it, with the values of the one that it had.
    AddTransform {
        instance: InstanceRef,
    },
    /// Which transform, resource or material (by `kind`) an instance has.
    SetReference {
        instance: InstanceRef,
        kind: Kind,
        to: Option<String>,
    },
    SetStyle {
        instance: InstanceRef,
        style: Style,
    },
    /// References and channels follow. A name that is taken gets a number behind.
    Rename {
        thing: Thing,
        name: String,
    },
    /// References to it become null; its channels go. With `with_data`, what it alone used goes too.
    Delete {
        thing: Thing,
        with_data: bool,
    },
    /// A second instance where the first is, with a transform of its own, and unless `linked` with a copy of
    /// what it places. Channels are copied.
    Duplicate {
        instance: InstanceRef,
        linked: bool,
    },
    /// A new instance of a resource at the origin, with a transform.
    AddInstance {
        of: Thing,
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
            Command::CalculateWeights { mesh } => weights::calculate(scene, mesh),
            Command::SetVisible { instance, visible } => visible::set(scene, instance, *visible),
            Command::SetTranslation {
                transform,
                translation,
            } => place::set_translation(scene, transform, *translation),
            Command::SetRotation { transform, rotation } => place::set_rotation(scene, transform, *rotation),
            Command::SetScale { transform, scale } => place::set_scale(scene, transform, *scale),
            Command::SetParent {
                transform,
                parent,
                keep_place,
            } => place::set_parent(scene, transform, parent.as_deref(), *keep_place),
            Command::AddParent { transform } => place::add_parent(scene, transform),
            Command::AddTransform { instance } => things::add_transform(scene, instance),
            Command::SetReference { instance, kind, to } => {
                things::refer(scene, instance, *kind, to.as_deref())
            }
            Command::SetStyle { instance, style } => look::set_style(scene, instance, style),
            Command::Rename { thing, name } => things::rename(scene, thing, name),
            Command::Delete { thing, with_data } => things::delete(scene, thing, *with_data),
            Command::Duplicate { instance, linked } => things::duplicate(scene, instance, *linked),
            Command::AddInstance { of } => things::place(scene, of),
        }
    }

    /// What the Edit menu says: "Undo <label>". Sentence case, names the thing: `Move tip of Hand.L`.
    /// `scene`: as it is before the command.
    pub fn label(&self, scene: &Scene) -> String {
        label::label(self, scene)
    }
}
