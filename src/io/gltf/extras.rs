//! What is ours in the extras of nodes and cameras, written and read again: what glTF has no place for. Other programs keep it if
//! they are asked to (Blender: *Custom Properties*).

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

/// The member of extras that is ours.
pub const OURS: &str = "ossature";

/// Of a bone, on the node of its joint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoneExtras {
    pub extent: Vec3,
    #[serde(rename = "roll")]
    pub roll_deg: f32,
    pub radius: Option<f32>,
    pub channel_id: Option<u32>,
    /// The rest frame that it is written with, if that is not along the bone.
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

    /// What the node of a joint says of its bone.
    pub fn read(node: &Node) -> Option<Self> {
        let ours: Self = member(node.extras.as_ref())?;
        let radius = ours
            .radius
            .is_none_or(|radius| radius >= 0.0 && radius.is_finite());
        (ours.extent.is_finite() && ours.roll_deg.is_finite() && radius).then_some(ours)
    }
}

/// Of a skeleton, on the node of its mesh.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SkeletonExtras {
    pub base: Vec3,
    pub base_offset: Vec3,
    /// Where the root joint stands in the bind pose; the base belongs to that.
    pub root: Vec3,
    /// A skeleton with handles, as js3d: its bones only have parents and channel ids. One text, which other programs
    /// leave as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    handles: Option<String>,
}

impl SkeletonExtras {
    /// `root`: where the root joint stands in the bind pose.
    pub fn new(skeleton: &Skeleton, root: DVec3) -> Self {
        Self {
            base: skeleton.base,
            base_offset: skeleton.base_offset,
            root: root.as_vec3(),
            handles: (!skeleton.handles.is_empty()).then(|| packed(skeleton)).flatten(),
        }
    }

    /// What the node of a mesh says of its skeleton.
    pub fn read(node: &Node) -> Option<Self> {
        let ours: Self = member(node.extras.as_ref())?;
        (ours.base.is_finite() && ours.base_offset.is_finite() && ours.root.is_finite()).then_some(ours)
    }

    /// Gives `skeleton` the handles, on the bones of the same channel ids, and how many have no bone there.
    pub fn add_handles(&self, skeleton: &mut Skeleton) -> usize {
        let read = self.handles.as_ref().and_then(|text| unpacked(text.as_bytes()));
        let Some(stated) = read else { return 0 };
        let mut lost = 0;
        for handle in &stated.handles {
            let id = stated.bones.get(handle.bone as usize).map(|bone| bone.channel_id);
            let bone = skeleton
                .bones
                .iter()
                .position(|bone| Some(bone.channel_id) == id && !bone.link);
            match bone {
                Some(bone) => {
                    let mut handle = handle.clone();
                    handle.bone = bone as u32;
                    skeleton.handles.push(handle);
                }
                None => lost += 1,
            }
        }
        (skeleton.root_free, skeleton.balance) = (stated.root_free, stated.balance);
        skeleton.ik_prior = stated.ik_prior;
        lost
    }
}

/// Of a camera: aperture, focus and film.
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

    /// `camera` with what the extras of one say; as it is where they say nothing.
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

/// Extras with what is ours.
pub fn extras(ours: impl Serialize) -> Option<Value> {
    let ours = serde_json::to_value(ours).ok()?;
    Some(json!({ OURS: ours }))
}

fn member<T: DeserializeOwned>(extras: Option<&Value>) -> Option<T> {
    let ours = extras?.get(OURS)?;
    T::deserialize(ours).ok()
}

fn packed(skeleton: &Skeleton) -> Option<String> {
    let bones = skeleton.bones.iter().map(|bone| Bone {
        channel_id: bone.channel_id,
        parent: bone.parent,
        ..Bone::default()
    });
    let alone = Skeleton {
        bones: bones.collect(),
        handles: skeleton.handles.clone(),
        root_free: skeleton.root_free,
        balance: skeleton.balance,
        ik_prior: skeleton.ik_prior,
        ..Skeleton::default()
    };
    let mesh = SkinnedMesh {
        skeleton: alone.into(),
        ..SkinnedMesh::default()
    };
    let mut scene = Scene::default();
    scene.skinned_meshes.insert(OURS.to_owned(), mesh.into());
    String::from_utf8(js3d::write(&scene).ok()?).ok()
}

fn unpacked(text: &[u8]) -> Option<Skeleton> {
    let (scene, _) = js3d::read(text).ok()?;
    let mesh = scene.skinned_meshes.values().next()?;
    Some(Skeleton::clone(&mesh.skeleton))
}
