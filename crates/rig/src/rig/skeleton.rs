//! Bones and inverse kinematics handles, as stored in the document.

use super::limits::Limits;
use crate::extra::Extra;
use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// A bone. It starts at its parent's tip (roots: at the skeleton's base) and has no rotation in the bind
/// pose; in the current pose, `pose_deg` rotates it and all its descendants.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// The vector from the start of the bone to its tip, along the skeleton's axes.
    pub extent: Vec3,
    /// The rotation of the local x and z axes about the bone, in degrees.
    pub roll_deg: f32,
    /// The influence radius for capsule weights, also used for drawing. Not negative.
    pub radius: f32,
    /// The index of the parent, which is less than the bone's own index; `None` for a root.
    pub parent: Option<u32>,
    /// The current rotation about the local x, y, z axes, in degrees: R = Rz * Ry * Rx.
    pub pose_deg: Vec3,
    /// How far the bone is moved against its parent in the current pose, along the parent's axes in the bind pose
    /// (extra member `translation` of the file).
    pub translation: Vec3,
    /// The scale of the bone and its descendants in the current pose, along [`super::kinematics::scale_axes`] (extra
    /// member `scale` of the file).
    pub scale: Vec3,
    /// Whether tools leave translation and scale as they are (extra member `lock_transform` of the file).
    pub lock_transform: bool,
    /// Whether the bone is left out of the view (extra member `hidden` of the file).
    pub hidden: bool,
    /// The number that identifies the bone in animation channels; unique among the bones.
    pub channel_id: u32,
    /// The name given by the user (extra member `name` of the file; Scotty3D ignores it).
    pub name: Option<Arc<str>>,
    /// Whether the bone is a link, which only carries the start of other bones away from its parent's tip:
    /// see [`super::edits::links`] (extra member `link` of the file).
    pub link: bool,
    /// The limits of the angles for inverse kinematics (extra member `limits` of the file).
    pub limits_deg: Limits,
    /// The stiffness of each angle, from 0 (free) to 1 (not changed by inverse kinematics; extra member
    /// `stiffness`). Inverse kinematics rotates the bone by at most 180° times the square root of 1 -
    /// stiffness from the pose without handles.
    pub stiffness: Vec3,
    /// A pose in which the joint bends in the right direction; inverse kinematics restarts from it if it does
    /// not reach its targets (extra member `preferred` of the file).
    pub preferred_deg: Option<Vec3>,
    /// The channel id of the manually chosen bone on the other side; valid if both bones name each other
    /// (extra member `mirror_of` of the file).
    pub mirror_of: Option<u32>,
    /// Whether brushes leave the weights of the bone unchanged (extra member `lock_weights` of the file).
    pub lock_weights: bool,
    pub extra: Extra,
}

/// The desired orientation of a bone: `rotation` maps its bind pose to the current pose, in skeleton space.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Orientation {
    pub rotation: Quat,
    /// The weight from 0 to 1, multiplied by that of the handle.
    pub weight: f32,
}

impl Orientation {
    /// Creates an orientation; quaternion components within the rounding error become 0.
    pub fn new(rotation: Quat, weight: f32) -> Self {
        let components =
            rotation.to_array().map(|component| if component.abs() < 1e-7 { 0.0 } else { component });
        let rotation = Quat::from_array(components);
        Self { rotation, weight }
    }
}

/// A pole for an elbow or knee: the joint between the two longest adjacent bones of the chain stays in the
/// half-plane from the line between its ends towards `point`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pole {
    /// The position in skeleton space.
    pub point: Vec3,
    /// The weight from 0 to 1, multiplied by that of the handle.
    pub weight: f32,
}

/// A look-at task: the bone of the handle points at the target instead of reaching it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LookAt {
    /// The direction that points at the target, in the bind pose in skeleton space.
    pub axis: Vec3,
    /// The weight from 0 to 1, multiplied by that of the handle.
    pub weight: f32,
}

/// An inverse kinematics handle: pulls the tip of a bone to a target.
#[derive(Clone, Debug, PartialEq)]
pub struct Handle {
    /// The index of the bone whose tip is pulled.
    pub bone: u32,
    /// The position of the target in skeleton space.
    pub target: Vec3,
    pub enabled: bool,
    /// The number that identifies the handle in animation channels; unique among the handles.
    pub channel_id: u32,
    /// The name given by the user (extra member `name` of the file).
    pub name: Option<Arc<str>>,
    /// The number of bones that the handle rotates, from its own bone upwards; at least 1. `None`: all up to
    /// the root, as in Scotty3D (extra member `chain` of the file).
    pub chain: Option<u32>,
    /// The weight from 0 (no pull) to 1. In between, the handle pulls only part of the way from the pose
    /// without it, and less strongly than others (extra member `weight` of the file).
    pub weight: f32,
    /// How far the limb stretches towards a target out of its reach, from 0 (not at all) to 1 (up to the target; extra
    /// member `stretch` of the file).
    pub stretch: f32,
    /// The desired orientation (extra members `orientation` and `orientation_weight` of the file).
    pub orientation: Option<Orientation>,
    /// The pole (extra member `pole` of the file).
    pub pole: Option<Pole>,
    /// The look-at task (extra member `look_at` of the file).
    pub look_at: Option<LookAt>,
    /// Whether the handle pins its bone where it was (extra member `pinned` of the file). A pinned handle
    /// pulls like any other; the flag tells users why it exists.
    pub pinned: bool,
    /// The channel id of the bone in whose space target, orientation and pole are, see [`super::handle_space`]; `None`: in
    /// that of the skeleton (extra member `space` of the file).
    pub space: Option<u32>,
    /// The name of the instance of the scene in whose space they are instead; `space` is then one of its bones (extra
    /// member `space_instance` of the file).
    pub space_instance: Option<String>,
    pub extra: Extra,
}

/// How much of a shape of the surface is blended in. What the shape is, is a [`super::shapes::ShapeKey`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    /// Not necessarily unique.
    pub name: Arc<str>,
    /// 0: not at all; 1: entirely. Other numbers exaggerate or invert it.
    pub weight: f32,
    /// The number that identifies the shape in animation channels; unique among the shapes.
    pub channel_id: u32,
}

/// Bones (parents before children), handles, shapes, and the base from which the roots start.
#[derive(Debug, PartialEq)]
pub struct Skeleton {
    pub bones: Vec<Bone>,
    pub handles: Vec<Handle>,
    /// The weights of the shapes of the surface (in the extra member `shapes` of the file).
    pub shapes: Vec<Shape>,
    /// The start of root bones in the bind pose, in skeleton (= mesh) space.
    pub base: Vec3,
    /// The offset added to `base` in the current pose.
    pub base_offset: Vec3,
    /// Whether inverse kinematics may move the base offset (extra member `root_free` of the file).
    pub root_free: bool,
    /// Whether inverse kinematics keeps the centre of mass over pinned feet if the root is free (extra member
    /// `balance` of the file).
    pub balance: bool,
    /// The strength with which inverse kinematics keeps to the pose without handles, in squared reach of the
    /// longest chain per squared radian: from 0 (none) to [`Skeleton::MAX_PRIOR`] (extra member `ik_prior` of
    /// the file).
    pub ik_prior: f32,
    pub extra: Extra,
}

impl Clone for Skeleton {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    /// Reuses the existing memory: allocates nothing if the bones and handles fit and have no unknown
    /// members.
    fn clone_from(&mut self, other: &Self) {
        let Self { bones, handles, shapes, base, base_offset, root_free, balance, ik_prior, extra } = other;
        self.bones.clone_from(bones);
        self.handles.clone_from(handles);
        self.shapes.clone_from(shapes);
        (self.base, self.base_offset) = (*base, *base_offset);
        (self.root_free, self.balance) = (*root_free, *balance);
        self.ik_prior = *ik_prior;
        self.extra.clone_from(extra);
    }
}

impl Default for Skeleton {
    fn default() -> Self {
        Self {
            bones: Vec::new(),
            handles: Vec::new(),
            shapes: Vec::new(),
            base: Vec3::ZERO,
            base_offset: Vec3::ZERO,
            root_free: false,
            balance: true,
            ik_prior: 0.0,
            extra: Extra::default(),
        }
    }
}

impl Default for Handle {
    fn default() -> Self {
        Self {
            bone: 0,
            target: Vec3::ZERO,
            enabled: false,
            channel_id: 0,
            name: None,
            chain: None,
            weight: 1.0,
            stretch: 0.0,
            orientation: None,
            pole: None,
            look_at: None,
            pinned: false,
            space: None,
            space_instance: None,
            extra: Extra::default(),
        }
    }
}

impl Default for Bone {
    fn default() -> Self {
        Self {
            extent: Vec3::ZERO,
            roll_deg: 0.0,
            radius: 0.5,
            parent: None,
            pose_deg: Vec3::ZERO,
            translation: Vec3::ZERO,
            scale: Vec3::ONE,
            lock_transform: true,
            hidden: false,
            channel_id: 0,
            name: None,
            link: false,
            limits_deg: Limits::default(),
            stiffness: Vec3::ZERO,
            preferred_deg: None,
            mirror_of: None,
            lock_weights: false,
            extra: Extra::default(),
        }
    }
}

impl Bone {
    /// Puts the bone where it is in the bind pose.
    pub fn reset_pose(&mut self) {
        (self.pose_deg, self.translation, self.scale) = (Vec3::ZERO, Vec3::ZERO, Vec3::ONE);
    }

    /// Whether the bone is neither moved against its parent nor scaled.
    pub fn is_unmoved(&self) -> bool {
        (self.translation, self.scale) == (Vec3::ZERO, Vec3::ONE)
    }

    /// Whether the bone is where it is in the bind pose.
    pub fn is_at_rest(&self) -> bool {
        self.pose_deg == Vec3::ZERO && self.is_unmoved()
    }

    /// The default name, used while the bone has no name.
    pub fn number_name(&self) -> String {
        format!("bone {}", self.channel_id)
    }
}

/// A part of a skeleton, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    Bone(usize),
    Handle(usize),
    /// The pole of a handle, by the index of the handle.
    Pole(usize),
    Base,
    /// A shape of the surface.
    Shape(usize),
}

/// Numbers the duplicates among the channel ids of bones or handles: returns each id with the count of equal
/// ids before it. In damaged files, several bones or handles share an id.
pub fn number_duplicate_ids(ids: impl Iterator<Item = u32>) -> Vec<(u32, u32)> {
    let mut counts = BTreeMap::<u32, u32>::new();
    let numbered = |id| {
        let count = counts.entry(id).or_default();
        *count += 1;
        (id, *count - 1)
    };
    ids.map(numbered).collect()
}

impl Skeleton {
    /// A prior that only decides between equivalent poses: tips stay within a hundred thousandth of where
    /// they are pulled.
    pub const WEAK_PRIOR: f32 = 1e-6;
    /// The greatest prior; with a stronger one, tips would visibly lag behind their targets.
    pub const MAX_PRIOR: f32 = 1e-5;

    /// The indices of all bones except links, which are hidden from users.
    pub fn shown_bones(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.bones.len()).filter(|&bone| !self.bones[bone].link)
    }

    /// The name of the bone: its own, or for example `bone 7`, from its channel id, which does not change
    /// when other bones are deleted or reparented.
    pub fn bone_name(&self, bone: usize) -> String {
        match self.bones.get(bone) {
            Some(Bone { name: Some(name), .. }) if !name.is_empty() => name.to_string(),
            Some(unnamed) => unnamed.number_name(),
            None => format!("bone {bone}"),
        }
    }

    /// The indices of the handles of a bone.
    pub fn handles_on(&self, bone: usize) -> impl Iterator<Item = usize> + '_ {
        let handles = self.handles.iter().enumerate();
        handles.filter(move |(_, handle)| handle.bone as usize == bone).map(|(handle, _)| handle)
    }

    /// The handle on the other side: the n-th of the other bone for the n-th of a bone. `others`: the other side of
    /// each bone, see [`super::body::sides::other_sides`]. A handle in the middle is its own other side.
    pub fn other_handle(&self, others: &[Option<usize>], handle: usize) -> Option<usize> {
        let bone = self.handles.get(handle)?.bone as usize;
        let nth = self.handles_on(bone).position(|other| other == handle)?;
        self.handles_on((*others.get(bone)?)?).nth(nth)
    }

    /// Whether the handle has any effect.
    pub fn pulls(&self, handle: &Handle) -> bool {
        handle.enabled && handle.weight > 0.0 && (handle.bone as usize) < self.bones.len()
    }

    /// The name of the handle: its own, or `IK` and the name of its bone (with a number if the bone has
    /// several).
    pub fn handle_name(&self, handle: usize) -> String {
        let Some(this) = self.handles.get(handle) else {
            return format!("IK {handle}");
        };
        match &this.name {
            Some(name) if !name.is_empty() => name.to_string(),
            _ => self.default_handle_name(handle),
        }
    }

    /// The name of a shape: its own, or for example `shape 2`, from its channel id.
    pub fn shape_name(&self, shape: usize) -> String {
        match self.shapes.get(shape) {
            Some(shape) if !shape.name.is_empty() => shape.name.to_string(),
            Some(unnamed) => format!("shape {}", unnamed.channel_id),
            None => format!("shape {shape}"),
        }
    }

    /// The name of the pole of a handle, which has no name of its own.
    pub fn pole_name(&self, handle: usize) -> String {
        format!("Pole of {}", self.handle_name(handle))
    }

    /// The default name of the handle, used while it has no name.
    pub fn default_handle_name(&self, handle: usize) -> String {
        let Some(this) = self.handles.get(handle) else {
            return format!("IK {handle}");
        };
        let same = |h: &&Handle| h.bone == this.bone;
        let ordinal = self.handles[..handle].iter().filter(same).count() + 1;
        self.unnamed_handle(this, ordinal, self.handles.iter().filter(same).count())
    }

    /// The names of all handles at once: see [`Skeleton::handle_name`].
    pub fn handle_names(&self) -> Vec<String> {
        let mut counts = HashMap::<u32, (usize, usize)>::new();
        for handle in &self.handles {
            counts.entry(handle.bone).or_default().1 += 1;
        }
        let name = |handle: &Handle| {
            let (ordinal, count) = counts.entry(handle.bone).or_default();
            *ordinal += 1;
            match &handle.name {
                Some(name) if !name.is_empty() => name.to_string(),
                _ => self.unnamed_handle(handle, *ordinal, *count),
            }
        };
        self.handles.iter().map(name).collect()
    }

    /// The default name of the handle with the number `ordinal` (from 1) among the `count` handles of its
    /// bone.
    fn unnamed_handle(&self, handle: &Handle, ordinal: usize, count: usize) -> String {
        let name = self.bone_name(handle.bone as usize);
        match count {
            0 | 1 => format!("IK {name}"),
            _ => format!("IK {name} ({ordinal})"),
        }
    }
}
