//! Our members of the extras of nodes and cameras, written and read again: data that glTF has no place for.
//! Other programs preserve them on request (Blender: *Custom Properties*).

use super::schema::Node;
use crate::io::js3d;
use crate::io::motion::bones::BoneShape;
use crate::rig::property::{BONE, Property, SKELETON};
use crate::rig::skeleton::{Bone, Handle, Skeleton};
use crate::rig::skinning;
use crate::rig::weights::method::Method;
use crate::scene::Scene;
use crate::scene::resource::{Camera, Film};
use crate::scene::skinned::SkinnedMesh;
use glam::{DVec3, Vec3};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The name of our member of extras.
pub const OURS: &str = "ossature";

/// Reads the shape of a bone from the extras of the node of its joint.
pub fn bone_shape(node: &Node) -> Option<BoneShape> {
    let ours: BoneShape = member(node.extras.as_ref())?;
    let radius = ours.radius.is_none_or(|radius| radius >= 0.0 && radius.is_finite());
    (ours.extent.is_finite() && ours.roll_deg.is_finite() && radius).then_some(ours)
}

/// Extras of a skeleton, on the node of its mesh.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SkeletonExtras {
    pub base: Vec3,
    pub base_offset: Vec3,
    /// The position of the root joint in the bind pose, to which the base belongs.
    pub root: Vec3,
    /// What has no place in glTF, as js3d: see [`pack`]. A single string, which other programs leave unchanged.
    #[serde(skip_serializing_if = "Option::is_none", rename = "handles")]
    packed: Option<String>,
}

impl SkeletonExtras {
    /// Returns the extras of a skeleton; `root` is the position of the root joint in the bind pose.
    pub fn new(mesh: &SkinnedMesh, root: DVec3) -> Self {
        Self {
            base: mesh.skeleton.base,
            base_offset: mesh.skeleton.base_offset,
            root: root.as_vec3(),
            packed: pack(mesh),
        }
    }

    /// Reads the extras of a skeleton from the node of its mesh.
    pub fn read(node: &Node) -> Option<Self> {
        let ours: Self = member(node.extras.as_ref())?;
        (ours.base.is_finite() && ours.base_offset.is_finite() && ours.root.is_finite()).then_some(ours)
    }

    /// Returns a character without surface that holds what glTF has no place for.
    pub fn unpacked(&self) -> Option<SkinnedMesh> {
        unpack(self.packed.as_ref()?.as_bytes())
    }
}

/// Gives a skeleton that was read the handles of the stored one and our own properties of its bones, by channel ids.
/// Returns how many handles have no bone there.
pub fn restore(stored: &Skeleton, skeleton: &mut Skeleton) -> usize {
    let mut missing = 0;
    let bone_with = |skeleton: &Skeleton, id: u32| {
        skeleton.bones.iter().position(|bone| bone.channel_id == id && !bone.link)
    };
    for bone in &stored.bones {
        if let Some(index) = bone_with(skeleton, bone.channel_id) {
            copy_ours(BONE, bone, &mut skeleton.bones[index]);
        }
    }
    for handle in &stored.handles {
        let bone = stored.bones.get(handle.bone as usize);
        match bone.and_then(|bone| bone_with(skeleton, bone.channel_id)) {
            Some(bone) => skeleton.handles.push(Handle { bone: bone as u32, ..handle.clone() }),
            None => missing += 1,
        }
    }
    copy_ours(SKELETON, stored, skeleton);
    missing
}

/// Copies what is written only if it is not the default, which no other format has a place for.
fn copy_ours<T>(rows: &[Property<T>], from: &T, to: &mut T) {
    for row in rows.iter().filter(|row| row.info.ours.is_some()) {
        if let Some(value) = row.get(from) {
            row.set(to, &value);
        }
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
        let is_known = Film::SAMPLE_PATTERNS.contains(&film.sample_pattern.as_str());
        Camera {
            aperture_shape: ours.aperture_shape,
            aperture_size: ours.aperture_size,
            focal_dist: ours.focal_dist,
            film: Film {
                width: film.width,
                height: film.height,
                samples: film.samples,
                max_ray_depth: film.max_ray_depth,
                sample_pattern: if is_known { film.sample_pattern } else { camera.film.sample_pattern },
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

/// Writes the handles, our own properties of bones and of the skeleton, saved poses and methods as js3d, without
/// surface; nothing if all are the defaults.
fn pack(mesh: &SkinnedMesh) -> Option<String> {
    let skeleton = &mesh.skeleton;
    let bones = skeleton.bones.iter().map(|bone| {
        let mut reduced = Bone { channel_id: bone.channel_id, parent: bone.parent, ..Bone::default() };
        copy_ours(BONE, bone, &mut reduced);
        reduced
    });
    let mut reduced =
        Skeleton { bones: bones.collect(), handles: skeleton.handles.clone(), ..Skeleton::default() };
    copy_ours(SKELETON, skeleton, &mut reduced);
    let plain =
        |bone: &Bone| Bone { channel_id: bone.channel_id, parent: bone.parent, ..Bone::default() } == *bone;
    let is_plain = reduced.bones.iter().all(plain)
        && Skeleton { bones: Vec::new(), ..reduced.clone() } == Skeleton::default()
        && mesh.poses.is_empty()
        && (&mesh.weight_method, mesh.skinning) == (&Method::FOR_NEW_MESHES, skinning::Method::LINEAR);
    if is_plain {
        return None;
    }
    if reduced.handles.is_empty() && reduced.bones.iter().all(plain) {
        reduced.bones.clear();
    }
    let mesh = SkinnedMesh {
        skeleton: reduced.into(),
        poses: mesh.poses.clone(),
        weight_method: mesh.weight_method,
        skinning: mesh.skinning,
        ..SkinnedMesh::default()
    };
    let mut scene = Scene::default();
    scene.skinned_meshes.insert(OURS.to_owned(), mesh.into());
    String::from_utf8(js3d::write(&scene).ok()?).ok()
}

fn unpack(text: &[u8]) -> Option<SkinnedMesh> {
    let (scene, _) = js3d::read(text).ok()?;
    scene.skinned_meshes.values().next().map(|mesh| SkinnedMesh::clone(mesh))
}
