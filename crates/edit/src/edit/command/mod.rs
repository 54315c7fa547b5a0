//! Commands: changes to the scene, as data. Applying one is atomic and reports its [`Effects`]. Commands do
//! not know about the selection, the history or tools.

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
pub mod layers;
mod legacy;
mod meshes;
mod motion;
mod objects;
pub mod poses;
mod property;
pub mod sounds;
pub mod spaces;
pub mod symmetry;
pub mod takes;
mod transforms;
pub mod weights;

use crate::math::axis::Axis;
use crate::mesh::halfedge::MeshError;
use crate::rig::edits::roll::RollTo;
use crate::rig::skeleton::Part;
use crate::rig::skinning::Method as SkinningMethod;
use crate::rig::weights::VertexWeights;
use crate::rig::weights::method::{Method as WeightMethod, MethodError};
use crate::rig::weights::paint::PaintedRows;
use crate::rig::weights::refine::Refinement;
use crate::scene::Scene;
use crate::scene::instance::InstanceRef;
use crate::scene::names::{Kind, ObjectRef};
use crate::scene::property::{PropertyError, PropertyValue};
use crate::scene::spaces::SpaceError;
pub use bones_tree::new_handle_ids;
use effects::{Edit, Effects};
use glam::{Quat, Vec3};
pub use meshes::{SceneData, Surface, mesh_name};
pub use objects::{name_for, transform_name};
pub use poses::{PoseChange, PoseUse};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;
pub use transforms::parent_name;
pub use weights::WeightSource;

/// A change to the scene. `mesh` names a skinned mesh; `bone` and `handle` are indices in its skeleton.
// Read and written by its own functions, so that old commands can be read too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", remote = "Self")]
pub enum Command {
    /// Adds a bone at the tail of `parent`, or at the base.
    AddBone {
        mesh: String,
        parent: Option<usize>,
        extent: Vec3,
        radius: f32,
    },
    /// Adds a bone to `parent`, or to the base, with its head at `start` (skeleton space, bind pose); a link
    /// is inserted if that is not the parent's tail (see [`crate::rig::edits::links`]).
    AddLinkedBone {
        mesh: String,
        parent: Option<usize>,
        start: Vec3,
        extent: Vec3,
        radius: f32,
    },
    /// Deletes a bone with its handles and their channels. Children keep their tails and are parented to the
    /// grandparent; weights are remapped.
    DeleteBone {
        mesh: String,
        bone: usize,
    },
    /// Moves the tail of a bone; the tails of its children stay.
    MoveTip {
        mesh: String,
        bone: usize,
        extent: Vec3,
    },
    /// Moves head and tail of a bone (skeleton space, bind pose). The parent's tail, or for a root the base,
    /// follows the head; all other tails stay.
    MoveBone {
        mesh: String,
        bone: usize,
        start: Vec3,
        tip: Vec3,
    },
    /// Sets the pose angles of all bones, one value per bone.
    SetPoses {
        mesh: String,
        poses_deg: Vec<Vec3>,
    },
    /// Renames a bone. A blank name restores the default `bone N`; a number is appended to a name that is
    /// taken.
    SetBoneName {
        mesh: String,
        bone: usize,
        name: String,
    },
    /// Renames bones together, so that they can exchange names, by the rules of [`Command::SetBoneName`].
    SetBoneNames {
        mesh: String,
        names: Vec<(usize, String)>,
    },
    /// Adds a disabled handle at the tail of the bone in the bind pose; its chain is the limb.
    AddHandle {
        mesh: String,
        bone: usize,
    },
    DeleteHandle {
        mesh: String,
        handle: usize,
    },
    /// Chooses the bone on the other side by hand, for both bones, and removes their previous pairings; with `None`
    /// only that.
    PairBones {
        mesh: String,
        bone: usize,
        other: Option<usize>,
    },
    /// Changes or applies the saved poses of a character.
    Poses {
        mesh: String,
        change: PoseChange,
    },
    /// Renames a handle. A blank name restores the name of its bone; a number is appended to a name that is
    /// taken.
    SetHandleName {
        mesh: String,
        handle: usize,
        name: String,
    },
    /// Parents bones to another bone, or with `None` to the base. All tails keep their bind positions; bones
    /// are reordered where necessary, and weights, handles and channels follow.
    Reparent {
        mesh: String,
        bones: Vec<usize>,
        parent: Option<usize>,
    },
    /// Cuts each bone into 2 to 64 equal pieces. Weights are divided along the bone; children and handles go
    /// to the last piece, channels stay with the first.
    SplitBones {
        mesh: String,
        bones: Vec<usize>,
        pieces: usize,
    },
    /// Joins each bone with its parent, whose tail moves to the bone's tail. Weights are added, children and
    /// handles go to the parent, and the bone's channels are deleted.
    MergeBones {
        mesh: String,
        bones: Vec<usize>,
    },
    /// Copies bones in place, without weights, handles and channels.
    DuplicateBones {
        mesh: String,
        bones: Vec<usize>,
    },
    /// Creates or updates the counterparts of bones and their handles on the other side of the plane where
    /// `axis` is 0; without it, of the plane of symmetry.
    MirrorBones {
        mesh: String,
        bones: Vec<usize>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        axis: Option<Axis>,
    },
    /// Deletes bones with all their descendants; weights, handles and channels as in
    /// [`Command::DeleteBone`].
    DeleteSubtrees {
        mesh: String,
        bones: Vec<usize>,
    },
    AlignRoll {
        mesh: String,
        bones: Vec<usize>,
        to: RollTo,
    },
    /// Rotates bones with all their descendants about their heads in the bind pose. The rotation is in
    /// skeleton space and is normalised.
    RotateBones {
        mesh: String,
        bones: Vec<usize>,
        rotation: Quat,
    },
    /// Multiplies the lengths of bones by a positive factor; their descendants move along.
    ScaleBones {
        mesh: String,
        bones: Vec<usize>,
        factor: f32,
    },
    /// Fits the radius of each bone to the surface around it.
    FitRadius {
        mesh: String,
        bones: Vec<usize>,
    },
    /// Multiplies radii by a positive factor.
    ScaleRadius {
        mesh: String,
        bones: Vec<usize>,
        factor: f32,
    },
    /// Replaces all bone weights of the mesh, and stores the method in it.
    CalculateWeights {
        mesh: String,
        #[serde(default)]
        method: WeightMethod,
    },
    /// Sets the weight method of the mesh; existing weights are unchanged.
    SetWeightMethod {
        mesh: String,
        method: WeightMethod,
    },
    /// Sets a property of a resource or an instance, or of parts of a skinned mesh: of bones, of handles, or of the
    /// base, which stands for the skeleton.
    SetProperty {
        #[serde(rename = "of")]
        object: ObjectRef,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        parts: Vec<Part>,
        property: Cow<'static, str>,
        value: PropertyValue,
    },
    /// Replaces the share of `bones` in each vertex; the other bones keep their proportions.
    CalculateBoneWeights {
        mesh: String,
        bones: Vec<usize>,
        #[serde(default)]
        method: WeightMethod,
    },
    /// Stores the result of `CalculateWeights`, or of `CalculateBoneWeights` for `bones`, computed in the
    /// background.
    SetCalculatedWeights {
        mesh: String,
        bones: Option<Vec<usize>>,
        #[serde(default)]
        method: WeightMethod,
        weights: VertexWeights,
    },
    /// Refines the weights of all vertices, or only of `vertices`.
    RefineWeights {
        mesh: String,
        vertices: Option<Vec<u32>>,
        #[serde(rename = "how")]
        refinement: Refinement,
    },
    /// Replaces the rows of some vertices, given in ascending order: the result of a brush stroke. Rows name
    /// bones in ascending order.
    PaintWeights {
        mesh: String,
        painted: PaintedRows,
    },
    /// Transfers weights from a source to all vertices, or only to `vertices`, given in ascending order.
    TakeWeights {
        mesh: String,
        vertices: Option<Vec<u32>>,
        from: WeightSource,
    },
    /// Edits the keys of channels and the frame range of the animation.
    Keys(keys::KeyCommand),
    /// Edits takes, which are named ranges of frames.
    Takes(takes::TakeCommand),
    /// Edits the animation layers of a character.
    Layers {
        mesh: String,
        change: layers::LayerChange,
    },
    /// Changes the sound that the animation plays to.
    Sound(sounds::SoundCommand),
    /// Changes the parent of a transform; its own descendants are refused. With `keep_place` it keeps its
    /// place in the world, except for shear, which a transform cannot represent.
    SetParent {
        transform: String,
        parent: Option<String>,
        keep_place: bool,
    },
    /// Inserts a transform between this one and its parent; nothing moves.
    AddParent {
        transform: String,
    },
    /// Gives the instance its own transform, named after it, with the values of its previous one.
    AddTransform {
        instance: InstanceRef,
    },
    /// Renames an object; references and channels follow. A number is appended to a name that is taken.
    Rename {
        #[serde(rename = "thing")]
        object: ObjectRef,
        name: String,
    },
    /// Deletes an object and its channels; references to it become null. With `with_data`, everything that
    /// only it used is deleted too.
    Delete {
        #[serde(rename = "thing")]
        object: ObjectRef,
        with_data: bool,
    },
    /// Adds a second instance in the same place, with its own transform and, unless `linked`, a copy of its
    /// resource. Channels are copied.
    Duplicate {
        instance: InstanceRef,
        linked: bool,
    },
    /// Adds an instance of a resource at the origin, with a transform.
    AddInstance {
        #[serde(rename = "of")]
        resource: ObjectRef,
    },
    /// Adds a camera, light, shape or particle emitter with an instance and a transform, placed in the world.
    /// A number is appended to a name that is taken; required textures are created.
    AddResource {
        kind: Kind,
        name: String,
        #[serde(default)]
        properties: Vec<(String, PropertyValue)>,
        translation: Vec3,
        rotation: Quat,
    },
    /// Adds a mesh, or a skinned mesh without bones, with an instance and a transform. A number is appended
    /// to a name that is taken. The base of a skinned mesh is the origin for a primitive, otherwise the
    /// centre of its bounds.
    AddMesh {
        name: String,
        surface: Surface,
        skinned: bool,
    },
    /// Adds the whole content of another scene. A number is appended to names that are taken; references and
    /// channels follow.
    AppendScene {
        scene: SceneData,
    },
    /// Adds the takes of another scene after those that are there, for the bones of a skinned mesh that have the same names.
    AddClips {
        mesh: String,
        scene: SceneData,
    },
    /// Replaces the surface of a mesh or a skinned mesh. Vertices at the position of a previous one keep its
    /// weights.
    ReplaceSurface {
        mesh: ObjectRef,
        surface: Surface,
    },
    /// Converts a mesh and its instances into a skinned mesh with an empty skeleton and the same name. If
    /// particles use the mesh, it is kept, and a number is appended to the name of the skinned mesh.
    MakeSkinned {
        mesh: String,
    },
    /// Gives a mesh, which is made a skinned mesh, or a skinned mesh without bones the skeleton of the only skinned mesh of
    /// another scene. Both are in the same space.
    AddSkeleton {
        mesh: String,
        scene: SceneData,
    },
    /// Turns the surface of a mesh, or of a skinned mesh without bones, about the origin: what points to `up` then points to +y,
    /// and `front` to +z. Both are of length 1 and at right angles. Then it is moved by `offset`.
    OrientSurface {
        mesh: ObjectRef,
        up: Vec3,
        front: Vec3,
        #[serde(default, skip_serializing_if = "meshes::is_zero")]
        offset: Vec3,
    },
    /// Turns the surface of a mesh or a skinned mesh inside out.
    FlipOrientation {
        mesh: ObjectRef,
    },
    /// Recomputes all normals, smooth across edges that bend by at most the angle, from 0 to 180 degrees.
    SmoothNormals {
        mesh: ObjectRef,
        angle_deg: f32,
    },
    /// Sets the images of textures: paths relative to the folder of the scene, by the name of the texture.
    SetImages {
        images: BTreeMap<String, String>,
    },
    /// Sets the skinning method of a mesh.
    SetSkinning {
        mesh: String,
        method: SkinningMethod,
    },
}

impl Serialize for Command {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        Self::serialize(self, to)
    }
}

impl<'de> Deserialize<'de> for Command {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        let command = Value::deserialize(from)?;
        let command = legacy::updated(&command).map_err(D::Error::custom)?.unwrap_or(command);
        Self::deserialize(command).map_err(D::Error::custom)
    }
}

/// The result of a command, which may be refused.
type Result<T = (), E = CommandError> = std::result::Result<T, E>;

/// The reason why a command cannot be applied. The scene is unchanged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CommandError {
    #[error("there is no {kind} called “{name}”; check the name, including capitals and spaces")]
    NoSuch { kind: &'static str, name: String },
    #[error("“{mesh}” has no {part} {index}; `ossature info` lists them, from 0 on")]
    NoIndex { mesh: String, part: &'static str, index: usize },
    #[error("this is not a valid surface: {0}; repair the mesh in the program that made it")]
    Surface(#[from] MeshError),
    #[error("{subject} must be {rule}")]
    Value { subject: &'static str, rule: &'static str },
    #[error("no clip was added to “{mesh}”: {why}")]
    Clips { mesh: String, why: &'static str },
    #[error(transparent)]
    Weights(#[from] MethodError),
    #[error(transparent)]
    Property(#[from] PropertyError),
    #[error(transparent)]
    Space(#[from] SpaceError),
}

impl Command {
    /// Applies the command to `scene` and returns its effects; on error `scene` is unchanged. Unchanged data
    /// stays shared: a command without effect leaves every `Arc` in place.
    ///
    /// # Errors
    /// If the command refers to something that is not in the scene, or contains an invalid value.
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

    /// Returns the label for the Edit menu ("Undo <label>"), in sentence case and with the name of the
    /// object: `Move tail of Hand.L`. `scene` is the scene before the command.
    pub fn label(&self, scene: &Scene) -> String {
        label::label(self, scene)
    }
}
