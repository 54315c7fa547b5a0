//! Commands: changes of the scene, as data. They say what they did ([`Effects`]). Atomic: the scene changes on a copy
//! first. Commands know no selection, no history and no tools.

mod apply;
mod bones;
mod bones_shape;
mod bones_tree;
mod channel_keys;
mod channels;
mod create;
pub mod effects;
mod handles;
mod helpers;
mod images;
pub mod keys;
mod label;
mod meshes;
mod motion;
mod objects;
pub mod poses;
pub mod posing;
mod property;
pub mod symmetry;
pub mod takes;
mod transforms;

pub mod weights;

use crate::mesh::halfedge::MeshError;
use crate::rig::edits::names::Axis;
use crate::rig::edits::roll::RollTo;
use crate::rig::skinning::Method as SkinningMethod;
use crate::rig::weights::VertexWeights;
use crate::rig::weights::method::{Method as WeightMethod, MethodError};
use crate::rig::weights::paint::PaintedRows;
use crate::rig::weights::refine::Refinement;
use crate::scene::Scene;
use crate::scene::instance::InstanceRef;
use crate::scene::names::{Kind, ObjectRef};
use crate::scene::property::{PropertyError, PropertyValue};
pub use bones_tree::new_handle_ids;
use effects::{Edit, Effects};
use glam::{Quat, Vec3};
pub use meshes::{SceneData, Surface, mesh_name};
pub use objects::{name_for, transform_name};
pub use poses::{PoseChange, PoseUse};
pub use posing::Posing;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
pub use transforms::parent_name;
pub use weights::WeightSource;

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
    /// A new bone of `parent`, or of the base, from `start` in skeleton space, in the bind pose: with a link
    /// before it where that is not the parent's tip (see [`crate::rig::edits::links`]).
    AddLinkedBone {
        mesh: String,
        parent: Option<usize>,
        start: Vec3,
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
    /// Puts start and tip of a bone at places in skeleton space, in the bind pose. Its parent's tip goes
    /// where it starts (of a root: the base); all other tips stay.
    MoveBone {
        mesh: String,
        bone: usize,
        start: Vec3,
        tip: Vec3,
    },
    /// Only the extent: children move along.
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
    /// Empty or only spaces: back to `bone N`. A name that another bone has gets a number.
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
    /// A handle at the bone's tip in the bind pose, not enabled; its chain is the limb.
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
    /// How many bones the handle turns, from its own upwards; `None`: all up to the root.
    SetHandleChain {
        mesh: String,
        handle: usize,
        chain: Option<u32>,
    },
    /// From 0 to 1.
    SetHandleWeight {
        mesh: String,
        handle: usize,
        weight: f32,
    },
    /// Other settings of inverse kinematics.
    SetPosing {
        mesh: String,
        value: Posing,
    },
    /// Changes or applies the saved poses of a character.
    Poses {
        mesh: String,
        change: PoseChange,
    },
    /// Empty or only spaces: back to the bone's name. A name that another handle has gets a number.
    SetHandleName {
        mesh: String,
        handle: usize,
        name: String,
    },
    /// Parents bones to another bone (`None`: roots, at the base). All tips stay in the bind pose; the order
    /// changes as far as it must, weights, handles and channels follow.
    Reparent {
        mesh: String,
        bones: Vec<usize>,
        parent: Option<usize>,
    },
    /// Cuts each bone into 2 to 64 equal pieces. Weights are shared along the bone; children and handles go
    /// to the last piece, channels stay with the first.
    SplitBones {
        mesh: String,
        bones: Vec<usize>,
        pieces: usize,
    },
    /// Joins each bone with its parent, whose tip goes to the bone's tip: weights add up, children and
    /// handles go to the parent, the bone's channels go.
    MergeBones {
        mesh: String,
        bones: Vec<usize>,
    },
    /// Copies in place, without weights, handles and channels.
    DuplicateBones {
        mesh: String,
        bones: Vec<usize>,
    },
    /// Creates or updates the bones on the other side of the plane where `axis` is 0, handles included.
    MirrorBones {
        mesh: String,
        bones: Vec<usize>,
        axis: Axis,
    },
    /// Deletes bones with all their descendants; weights, handles and channels as [`Command::DeleteBone`].
    DeleteSubtrees {
        mesh: String,
        bones: Vec<usize>,
    },
    AlignRoll {
        mesh: String,
        bones: Vec<usize>,
        to: RollTo,
    },
    /// Rotates bones about their heads in the bind pose, with all their descendants. Made unit; skeleton space.
    RotateBones {
        mesh: String,
        bones: Vec<usize>,
        rotation: Quat,
    },
    /// Multiplies lengths; the descendants of the bones move along. Factor above zero.
    ScaleBones {
        mesh: String,
        bones: Vec<usize>,
        factor: f32,
    },
    /// Fits radii to the distances of the surface around each bone.
    FitRadius {
        mesh: String,
        bones: Vec<usize>,
    },
    /// Factor above zero.
    ScaleRadius {
        mesh: String,
        bones: Vec<usize>,
        factor: f32,
    },
    /// Replaces all bone weights of the mesh, and makes the method its own.
    CalculateWeights {
        mesh: String,
        #[serde(default)]
        method: WeightMethod,
    },
    /// How the mesh's weights are calculated from now on; they stay as they are.
    SetWeightMethod {
        mesh: String,
        method: WeightMethod,
    },
    /// Any property of a resource or an instance, within the limits of its row.
    SetProperty {
        of: ObjectRef,
        property: String,
        value: PropertyValue,
    },
    /// Replaces the share that `bones` have of each vertex; the other bones keep their proportions.
    CalculateBoneWeights {
        mesh: String,
        bones: Vec<usize>,
        #[serde(default)]
        method: WeightMethod,
    },
    /// The result of `CalculateWeights`, or of `CalculateBoneWeights` for `bones`, computed in the background.
    SetCalculatedWeights {
        mesh: String,
        bones: Option<Vec<usize>>,
        #[serde(default)]
        method: WeightMethod,
        weights: VertexWeights,
    },
    /// For all vertices, or only for `vertices`.
    RefineWeights {
        mesh: String,
        vertices: Option<Vec<u32>>,
        how: Refinement,
    },
    /// Replaces the rows of some vertices, given in ascending order: the result of a brush stroke. Rows name bones in
    /// ascending order.
    PaintWeights {
        mesh: String,
        painted: PaintedRows,
    },
    /// Takes the rows of all vertices, or only of `vertices`, given in ascending order, from elsewhere.
    TakeWeights {
        mesh: String,
        vertices: Option<Vec<u32>>,
        from: WeightSource,
    },
    /// Whether brushes leave the weights of bones as they are.
    LockWeights {
        mesh: String,
        bones: Vec<usize>,
        locked: bool,
    },
    /// Keys of channels, and the frames they play in.
    Keys(keys::KeyCommand),
    /// Named ranges of frames.
    Takes(takes::TakeCommand),
    /// A descendant of the transform is refused. With `keep_place` it stays where it is in the world,
    /// except for the shear that a transform cannot have.
    SetParent {
        transform: String,
        parent: Option<String>,
        keep_place: bool,
    },
    /// A new transform between this one and its parent; nothing moves.
    AddParent {
        transform: String,
    },
    /// Gives the instance a transform of its own, named after it, with the values of the one it had.
    AddTransform {
        instance: InstanceRef,
    },
    /// References and channels follow. A number is appended to a name that is taken.
    Rename {
        thing: ObjectRef,
        name: String,
    },
    /// References to it become null; its channels go. With `with_data`, what only it used goes too.
    Delete {
        thing: ObjectRef,
        with_data: bool,
    },
    /// A second instance in the same place, with a transform of its own and, unless `linked`, with a copy of
    /// what it places. Channels are copied.
    Duplicate {
        instance: InstanceRef,
        linked: bool,
    },
    /// A new instance of a resource at the origin, with a transform.
    AddInstance {
        of: ObjectRef,
    },
    /// A new camera, light, shape or emitter, with an instance at a place in the world and a transform. A number is
    /// appended to a name that is taken; where it needs a texture it gets one of its own.
    AddResource {
        kind: Kind,
        name: String,
        #[serde(default)]
        properties: Vec<(String, PropertyValue)>,
        translation: Vec3,
        rotation: Quat,
    },
    /// A new mesh, or skinned mesh without bones, with an instance and a transform. A number is appended
    /// to a name that is taken. The base of a skinned mesh is the origin for a primitive, else the middle.
    AddMesh {
        name: String,
        surface: Surface,
        skinned: bool,
    },
    /// Adds everything of another scene; a number is appended to names that are taken, references and channels
    /// follow.
    AppendScene {
        scene: SceneData,
    },
    /// Another surface for a mesh or a skinned mesh. Vertices at the place of a former one keep its weights.
    ReplaceSurface {
        mesh: ObjectRef,
        surface: Surface,
    },
    /// Makes a skinned mesh with an empty skeleton of a mesh, in its place and under its name; instances of
    /// the mesh become instances of the skinned mesh. Where particles are drawn with the mesh it stays, and
    /// a number is appended to the name of the skinned mesh.
    MakeSkinned {
        mesh: String,
    },
    /// Turns the surface of a mesh or a skinned mesh inside out.
    FlipOrientation {
        mesh: ObjectRef,
    },
    /// Computes all normals: smooth across edges that bend by at most the angle, 0 to 180 degrees.
    SmoothNormals {
        mesh: ObjectRef,
        angle_deg: f32,
    },
    /// Other images for textures: paths, relative to the folder of the scene. By texture.
    SetImages {
        images: BTreeMap<String, String>,
    },
    /// How the surface follows the bones.
    SetSkinning {
        mesh: String,
        method: SkinningMethod,
    },
}

/// The result of a command, which may be refused.
type Result<T = (), E = CommandError> = std::result::Result<T, E>;

/// Why a command cannot be applied. The scene is as it was.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CommandError {
    #[error("there is no {what} called “{name}”; check the name, in which capitals and spaces count")]
    NoSuch { what: &'static str, name: String },
    #[error("“{mesh}” has no {what} {index}; `ossature info` lists them, from 0 on")]
    NoIndex {
        mesh: String,
        what: &'static str,
        index: usize,
    },
    #[error("this makes no surface: {0}; repair the mesh in the program that made it")]
    Surface(#[from] MeshError),
    #[error("{what} must be {rule}")]
    Value { what: &'static str, rule: &'static str },
    #[error(transparent)]
    Weights(#[from] MethodError),
    #[error(transparent)]
    Property(#[from] PropertyError),
}

impl Command {
    /// Changes `scene` and says what it did; on error `scene` is unchanged. What stays equal stays shared: a command
    /// that changes nothing leaves every `Arc` in place, and touches nothing.
    ///
    /// # Errors
    /// If the command names what the scene does not hold, or carries a value that no scene may have.
    pub fn apply(&self, scene: &mut Scene) -> Result<Effects> {
        let mut changed = scene.clone();
        let mut edit = Edit::new(&mut changed);
        self.run(&mut edit)?;
        let effects = edit.finish();
        if !effects.is_empty() {
            *scene = changed;
        }
        Ok(effects)
    }

    /// Sets a property of something.
    pub fn set(of: ObjectRef, property: &str, value: PropertyValue) -> Self {
        let property = property.to_owned();
        Self::SetProperty { of, property, value }
    }

    /// Shows or hides an instance.
    pub fn show(instance: &InstanceRef, visible: bool) -> Self {
        Self::set(ObjectRef::from(instance), "visible", PropertyValue::Bool(visible))
    }

    /// What the Edit menu says: "Undo <label>". Sentence case, names the thing: `Move tail of Hand.L`.
    /// `scene`: as it is before the command.
    pub fn label(&self, scene: &Scene) -> String {
        label::label(self, scene)
    }
}
