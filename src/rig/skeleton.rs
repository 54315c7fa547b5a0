//! Bones and inverse-kinematics handles as the document keeps them.

use super::limits::Limits;
use crate::extra::Extra;
use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// A bone. It starts at its parent's tip (roots: at the skeleton's base) and has no rotation in the
/// bind pose; `pose_deg` turns it and all its descendants in the current pose.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// From the bone's start to its tip, along the skeleton's axes.
    pub extent: Vec3,
    /// Degrees; turns the local x and z axes about the bone.
    pub roll_deg: f32,
    /// Influence radius for capsule weights; also what is drawn. Not negative.
    pub radius: f32,
    /// Index of the parent, below the bone's own index; `None` for a root.
    pub parent: Option<u32>,
    /// Current rotation about the local x, y, z axes, in degrees: R = Rz * Ry * Rx.
    pub pose_deg: Vec3,
    /// Number that names the bone in animation channels; unique among the bones.
    pub channel_id: u32,
    /// A name given by the user (extra member `name` of the file; Scotty3D ignores it).
    pub name: Option<Arc<str>>,
    /// It only carries the start of other bones away from its parent's tip: see [`super::edits::links`]
    /// (extra member `link` of the file).
    pub link: bool,
    /// How far inverse kinematics may turn it (extra member `limits` of the file).
    pub limits_deg: Limits,
    /// Per angle, from 0 (turns freely) to 1 (inverse kinematics does not turn it; extra member `stiffness`). Inverse
    /// kinematics turns it by at most 180° times the root of 1 - stiffness from the pose without handles.
    pub stiffness: Vec3,
    /// A pose in which the joint is bent as it should bend: where inverse kinematics starts again if it does not reach
    /// its targets (extra member `preferred` of the file).
    pub preferred_deg: Option<Vec3>,
    /// The channel id of the bone on the other side, as chosen by hand: counts where both name each other (extra member
    /// `mirror_of` of the file).
    pub mirror_of: Option<u32>,
    /// Brushes leave its weights as they are (extra member `lock_weights` of the file).
    pub lock_weights: bool,
    pub extra: Extra,
}

/// How a bone should be turned: `rotation` maps its bind pose to the current one, in skeleton space.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Orientation {
    pub rotation: Quat,
    /// From 0 to 1, times that of the handle.
    pub weight: f32,
}

impl Orientation {
    /// Parts of the rotation that are as small as rounding makes them become 0.
    pub fn new(rotation: Quat, weight: f32) -> Self {
        let parts = rotation
            .to_array()
            .map(|part| if part.abs() < 1e-7 { 0.0 } else { part });
        let rotation = Quat::from_array(parts);
        Self { rotation, weight }
    }
}

/// Where an elbow or a knee points: the joint between the two longest neighbours of the chain stays in the half-plane
/// from the line between its ends to `point`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pole {
    /// In skeleton space.
    pub point: Vec3,
    /// From 0 to 1, times that of the handle.
    pub weight: f32,
}

/// The handle's bone points at the target instead of reaching it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LookAt {
    /// What points there: a direction in the bind pose, skeleton space.
    pub axis: Vec3,
    /// From 0 to 1, times that of the handle.
    pub weight: f32,
}

/// An inverse-kinematics handle: pulls the tip of a bone to a target.
#[derive(Clone, Debug, PartialEq)]
pub struct Handle {
    /// Index of the bone whose tip is pulled.
    pub bone: u32,
    /// In skeleton space.
    pub target: Vec3,
    pub enabled: bool,
    /// Number that names the handle in animation channels; unique among the handles.
    pub channel_id: u32,
    /// A name given by the user (extra member `name` of the file).
    pub name: Option<Arc<str>>,
    /// How many bones it turns, from the one it pulls upwards; at least 1. `None`: all up to the root, as in
    /// Scotty3D (extra member `chain` of the file).
    pub chain: Option<u32>,
    /// From 0 (does not pull) to 1; between, it pulls part of the way from the pose without it, and less than
    /// others (extra member `weight` of the file).
    pub weight: f32,
    /// Extra members `orientation` and `orientation_weight` of the file.
    pub orientation: Option<Orientation>,
    /// Extra member `pole` of the file.
    pub pole: Option<Pole>,
    /// Extra member `look_at` of the file.
    pub look_at: Option<LookAt>,
    /// It holds its bone where it was when it was pinned (extra member `pinned` of the file): for people to see; it
    /// pulls as others do.
    pub pinned: bool,
    pub extra: Extra,
}

/// Bones (parents before children), handles, and where the roots start.
#[derive(Debug, PartialEq)]
pub struct Skeleton {
    pub bones: Vec<Bone>,
    pub handles: Vec<Handle>,
    /// Where root bones start in the bind pose, in skeleton (= mesh) space.
    pub base: Vec3,
    /// Added to `base` in the current pose.
    pub base_offset: Vec3,
    /// Whether inverse kinematics may move the base offset (extra member `root_free` of the file).
    pub root_free: bool,
    /// Whether inverse kinematics keeps the centre of mass over pinned feet where the root is free (extra member `balance`
    /// of the file).
    pub balance: bool,
    /// How much handles hold on to the pose without them, in squared reach of the longest chain per squared radian:
    /// 0 not at all, at most [`Skeleton::MOST_PRIOR`] (extra member `ik_prior` of the file).
    pub ik_prior: f32,
    pub extra: Extra,
}

impl Clone for Skeleton {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    /// Into the memory that is there: asks for none where bones and handles find room and have no unknown
    /// members.
    fn clone_from(&mut self, other: &Self) {
        let Self {
            bones,
            handles,
            base,
            base_offset,
            root_free,
            balance,
            ik_prior,
            extra,
        } = other;
        self.bones.clone_from(bones);
        self.handles.clone_from(handles);
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
            orientation: None,
            pole: None,
            look_at: None,
            pinned: false,
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
    /// What it is called while it has no name.
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
}

/// Channel ids of the bones or handles of a skeleton, each with how many before it have the same: damaged files
/// give one id to several.
pub fn twins_apart(ids: impl Iterator<Item = u32>) -> Vec<(u32, u32)> {
    let mut counts = BTreeMap::<u32, u32>::new();
    let twin = |id| {
        let count = counts.entry(id).or_default();
        *count += 1;
        (id, *count - 1)
    };
    ids.map(twin).collect()
}

impl Skeleton {
    /// A prior that decides between poses and leaves the tips where they are pulled, to a hundred thousandth.
    pub const WEAK_PRIOR: f32 = 1e-6;
    /// With more, tips would visibly stay behind their targets.
    pub const MOST_PRIOR: f32 = 1e-5;

    /// All bones but links, which people do not see.
    pub fn shown_bones(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.bones.len()).filter(|&bone| !self.bones[bone].link)
    }

    /// What the bone is called: its own name, or `bone 7` by its channel id, which stays when others are
    /// deleted or reparented.
    pub fn bone_name(&self, bone: usize) -> String {
        match self.bones.get(bone) {
            Some(Bone { name: Some(name), .. }) if !name.is_empty() => name.to_string(),
            Some(unnamed) => unnamed.number_name(),
            None => format!("bone {bone}"),
        }
    }

    /// Whether the handle moves anything.
    pub fn pulls(&self, handle: &Handle) -> bool {
        handle.enabled && handle.weight > 0.0 && (handle.bone as usize) < self.bones.len()
    }

    /// What the handle is called: its own name, or `IK` and the name of its bone (with a number where a bone has
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

    /// What the pole of a handle is called: it has no name of its own.
    pub fn pole_name(&self, handle: usize) -> String {
        format!("Pole of {}", self.handle_name(handle))
    }

    /// What the handle is called while it has no name.
    pub fn default_handle_name(&self, handle: usize) -> String {
        let Some(this) = self.handles.get(handle) else {
            return format!("IK {handle}");
        };
        let same = |h: &&Handle| h.bone == this.bone;
        let ordinal = self.handles[..handle].iter().filter(same).count() + 1;
        self.unnamed_handle(this, ordinal, self.handles.iter().filter(same).count())
    }

    /// What all handles are called: as [`Skeleton::handle_name`], at once.
    pub fn handle_names(&self) -> Vec<String> {
        let mut on_bone = HashMap::<u32, (usize, usize)>::new();
        for handle in &self.handles {
            on_bone.entry(handle.bone).or_default().1 += 1;
        }
        let name = |handle: &Handle| {
            let (ordinal, of) = on_bone.entry(handle.bone).or_default();
            *ordinal += 1;
            match &handle.name {
                Some(name) if !name.is_empty() => name.to_string(),
                _ => self.unnamed_handle(handle, *ordinal, *of),
            }
        };
        self.handles.iter().map(name).collect()
    }

    /// `ordinal`: among the `of` handles of its bone, from 1.
    fn unnamed_handle(&self, handle: &Handle, ordinal: usize, of: usize) -> String {
        let name = self.bone_name(handle.bone as usize);
        match of {
            0 | 1 => format!("IK {name}"),
            _ => format!("IK {name} ({ordinal})"),
        }
    }
}
