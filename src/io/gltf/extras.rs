//! Our members of the extras of nodes and cameras, written and read again: data that glTF has no place for.
//! Other programs preserve them on request (Blender: *Custom Properties*).

use super::schema::Node;
use crate::io::js3d;
use crate::rig::rest;
use crate::rig::skeleton::{Bone, Skeleton};
use crate::scene::Scene;
use crate::scene::resource::{Camera, Film};
use crate::scene::skinned::SkinnedMesh;
use glam::{DQuat, DVec3, Vec3};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The name of our member of extras.
pub const OURS: &str = "ossature";

/// Extras of a bone, on the node of its joint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoneExtras {
    pub extent: Vec3,
    #[serde(rename = "roll")]
    pub roll_deg: f32,
    pub radius: Option<f32>,
    pub channel_id: Option<u32>,
    /// The rest frame, if the bone is written with one that is not along it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest: Option<DQuat>,
}

impl BoneExtras {
    pub fn new(bone: &Bone) -> Self {
        Self {
            extent: bone.extent,
            roll_deg: bone.roll_deg,
            radius: Some(bone.radius),
            channel_id: Some(bone.channel_id),
            rest: rest::frame(bone),
        }
    }

    /// Reads the extras of a bone from the node of its joint.
    pub fn read(node: &Node) -> Option<Self> {
        let ours: Self = member(node.extras.as_ref())?;
        let radius = ours.radius.is_none_or(|radius| radius >= 0.0 && radius.is_finite());
        (ours.extent.is_finite() && ours.roll_deg.is_finite() && radius).then_some(ours)
    }
}

/// Extras of a skeleton, on the node of its mesh.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SkeletonExtras {
    pub base: Vec3,
    pub base_offset: Vec3,
    /// The position of the root joint in the bind pose, to which the base belongs.
    pub root: Vec3,
    /// A skeleton with the handles, as js3d: its bones only have parents and channel ids. A single string,
    /// which other programs leave unchanged.
    #[serde(skip_serializing_if = "Option::is_none")]
    handles: Option<String>,
}

impl SkeletonExtras {
    /// Returns the extras of a skeleton; `root` is the position of the root joint in the bind pose.
    pub fn new(skeleton: &Skeleton, root: DVec3) -> Self {
        Self {
            base: skeleton.base,
            base_offset: skeleton.base_offset,
            root: root.as_vec3(),
            handles: (!skeleton.handles.is_empty()).then(|| pack(skeleton)).flatten(),
        }
    }

    /// Reads the extras of a skeleton from the node of its mesh.
    pub fn read(node: &Node) -> Option<Self> {
        let ours: Self = member(node.extras.as_ref())?;
        (ours.base.is_finite() && ours.base_offset.is_finite() && ours.root.is_finite()).then_some(ours)
    }

    /// Adds the handles to `skeleton`, on the bones with the same channel ids, and returns how many have no
    /// bone there.
    pub fn add_handles(&self, skeleton: &mut Skeleton) -> usize {
        let stored = self.handles.as_ref().and_then(|text| unpack(text.as_bytes()));
        let Some(stored) = stored else { return 0 };
        let mut missing = 0;
        for handle in &stored.handles {
            let id = stored.bones.get(handle.bone as usize).map(|bone| bone.channel_id);
            let bone = skeleton.bones.iter().position(|bone| Some(bone.channel_id) == id && !bone.link);
            match bone {
                Some(bone) => {
                    let mut handle = handle.clone();
                    handle.bone = bone as u32;
                    skeleton.handles.push(handle);
                }
                None => missing += 1,
            }
        }
        (skeleton.root_free, skeleton.balance) = (stored.root_free, stored.balance);
        skeleton.ik_prior = stored.ik_prior;
        missing
    }
}

/// Extras of a camera: aperture, focus and film.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CameraExtras {
    aperture_shape: u32,
    aperture_size: f32,
    focal_dist: f32,
    film: FilmExtras,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct FilmExtras {
    width: u32,
    height: u32,
    samples: u32,
    max_ray_depth: u32,
    sample_pattern: String,
}

impl CameraExtras {
    pub fn new(camera: &Camera) -> Self {
        let film = &camera.film;
        Self {
            aperture_shape: camera.aperture_shape,
            aperture_size: camera.aperture_size,
            focal_dist: camera.focal_dist,
            film: FilmExtras {
                width: film.width,
                height: film.height,
                samples: film.samples,
                max_ray_depth: film.max_ray_depth,
                sample_pattern: film.sample_pattern.clone(),
            },
        }
    }

    /// Returns `camera` with the values of its extras, if it has any.
    pub fn read(extras: Option<&Value>, camera: Camera) -> Camera {
        let Some(ours) = member::<Self>(extras) else {
            return camera;
        };
        let film = ours.film;
        Camera {
            aperture_shape: ours.aperture_shape,
            aperture_size: ours.aperture_size,
            focal_dist: ours.focal_dist,
            film: Film {
                width: film.width,
                height: film.height,
                samples: film.samples,
                max_ray_depth: film.max_ray_depth,
                sample_pattern: film.sample_pattern,
            },
            ..camera
        }
    }
}

/// Returns extras with our member.
pub fn extras(ours: impl Serialize) -> Option<Value> {
    let ours = serde_json::to_value(ours).ok()?;
    Some(json!({ OURS: ours }))
}

fn member<T: DeserializeOwned>(extras: Option<&Value>) -> Option<T> {
    let ours = extras?.get(OURS)?;
    T::deserialize(ours).ok()
}

fn pack(skeleton: &Skeleton) -> Option<String> {
    let bones = skeleton.bones.iter().map(|bone| Bone {
        channel_id: bone.channel_id,
        parent: bone.parent,
        ..Bone::default()
    });
    let reduced = Skeleton {
        bones: bones.collect(),
        handles: skeleton.handles.clone(),
        root_free: skeleton.root_free,
        balance: skeleton.balance,
        ik_prior: skeleton.ik_prior,
        ..Skeleton::default()
    };
    let mesh = SkinnedMesh { skeleton: reduced.into(), ..SkinnedMesh::default() };
    let mut scene = Scene::default();
    scene.skinned_meshes.insert(OURS.to_owned(), mesh.into());
    String::from_utf8(js3d::write(&scene).ok()?).ok()
}

fn unpack(text: &[u8]) -> Option<Skeleton> {
    let (scene, _) = js3d::read(text).ok()?;
    let mesh = scene.skinned_meshes.values().next()?;
    Some(Skeleton::clone(&mesh.skeleton))
}
