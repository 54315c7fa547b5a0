//! Shared by the editing tests: a small scene with some of everything, random numbers, invariants of scenes,
//! and an example of every command.

#![allow(dead_code, unused_imports, reason = "each test program uses its part of this")]

pub mod effects;
mod examples;
pub mod keys;
pub mod placing;
pub mod session;
pub mod surfaces;
pub mod takes;
pub mod walker;

use glam::{Quat, Vec3};
use ossature::anim::channel::{Animation, Channel, ChannelRef};
use ossature::anim::spline::Spline;
use ossature::edit::command::{Command, PoseChange, PoseUse};
use ossature::extra::Extra;
use ossature::math::axis::Axis;
use ossature::mesh::halfedge::HalfedgeMesh;
use ossature::rig::edits::roll::RollTo;
use ossature::rig::limits::Limits;
use ossature::rig::poses::SavedPose;
use ossature::rig::skeleton::{Bone, Handle, Pole, Skeleton};
use ossature::rig::skinning::Method;
use ossature::rig::weights::VertexWeights;
use ossature::rig::weights::refine::Refinement;
use ossature::scene::Scene;
use ossature::scene::instance::*;
use ossature::scene::resource::{Camera, Film, Texture, TextureKind, Transform};
use ossature::scene::skinned::SkinnedMesh;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub use crate::random::Random;
pub use examples::*;

/// Returns an upright box of 1 x 1 x `height`, cut into `height` cells, with 4 vertices per level.
pub fn column(height: u32) -> HalfedgeMesh {
    let ring = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)];
    let level = |y: u32| ring.map(|(x, z)| Vec3::new(x, y as f32, z));
    let positions = (0..=height).flat_map(level).collect();
    let side = |y: u32, k: u32| {
        let (a, b) = (4 * y + k, 4 * y + (k + 1) % 4);
        vec![b, a, a + 4, b + 4]
    };
    let mut polygons: Vec<Vec<u32>> = (0..height).flat_map(|y| (0..4).map(move |k| side(y, k))).collect();
    polygons.push(vec![0, 1, 2, 3]);
    polygons.push([3, 2, 1, 0].map(|k| 4 * height + k).to_vec());
    HalfedgeMesh::from_polygons(positions, &polygons, None).unwrap()
}

pub fn bone(name: Option<&str>, parent: Option<u32>, extent: [f32; 3], channel_id: u32) -> Bone {
    Bone {
        extent: Vec3::from(extent),
        roll_deg: 10.0,
        radius: 0.9,
        parent,
        channel_id,
        name: name.map(Into::into),
        ..Bone::default()
    }
}

pub fn handle(bone: u32, target: [f32; 3], channel_id: u32) -> Handle {
    Handle { bone, target: Vec3::from(target), enabled: false, channel_id, ..Handle::default() }
}

/// Returns a body with Root, Mid, an unnamed tip bone and a branch; two handles; half of the vertices
/// weighted.
pub fn body() -> SkinnedMesh {
    let surface = column(4);
    let vertices = surface.vertex_count();
    let skeleton = Skeleton {
        bones: vec![
            bone(Some("Root"), None, [0.0, 1.0, 0.0], 0),
            bone(Some("Mid"), Some(0), [0.0, 1.5, 0.25], 3),
            bone(None, Some(1), [0.5, 1.0, 0.0], 7),
            bone(Some("Branch"), Some(0), [1.0, 0.0, 0.0], 4),
        ],
        handles: vec![handle(2, [0.5, 3.0, 1.0], 2), handle(3, [1.0, 2.0, 0.0], 5)],
        base: Vec3::new(0.0, 0.25, 0.0),
        ..Skeleton::default()
    };
    let mut weights = VertexWeights::none(0);
    for v in 0..vertices {
        for (bone, weight) in [(1, 0.75), (v as u16 % 4, 0.25)] {
            if v % 2 == 0 && (bone, weight) != (1, 0.25) {
                weights.bones.push(bone);
                weights.weights.push(weight);
            }
        }
        weights.ends.push(weights.bones.len() as u32);
    }
    let wave = SavedPose {
        name: "Wave".into(),
        bones: vec![(3, Vec3::new(0.0, 30.0, 5.0).into()), (4, Vec3::X.into())],
        handles: Vec::new(),
        base_offset: None,
    };
    SkinnedMesh {
        surface: Arc::new(surface),
        weights: Arc::new(weights),
        skeleton: Arc::new(skeleton),
        poses: Arc::new(vec![wave]),
        ..SkinnedMesh::default()
    }
}

fn channels(names: &[(&str, Channel)]) -> BTreeMap<String, Arc<Channel>> {
    names.iter().map(|(name, c)| ((*name).to_owned(), Arc::new(c.clone()))).collect()
}

/// Returns two skinned meshes, instances of most kinds, and channels (some of bones that don't exist).
pub fn scene() -> Scene {
    let mut scene = Scene::default();
    scene.skinned_meshes.insert("Body".into(), Arc::new(body()));
    let tail = Skeleton { bones: vec![bone(None, None, [0.0, 0.0, 1.0], 0)], ..Skeleton::default() };
    let surface = column(1);
    let tail = SkinnedMesh {
        weights: Arc::new(VertexWeights::none(surface.vertex_count())),
        surface: Arc::new(surface),
        skeleton: Arc::new(tail),
        ..SkinnedMesh::default()
    };
    scene.skinned_meshes.insert("Tail".into(), Arc::new(tail));
    let transform = Transform {
        parent: None,
        translation: Vec3::new(10.0, 0.0, 0.0),
        rotation: glam::Quat::from_rotation_y(std::f32::consts::FRAC_PI_2),
        scale: Vec3::ONE,
        extra: Extra::default(),
    };
    scene.transforms.insert("Place".into(), Arc::new(transform));
    let ground =
        Transform { translation: Vec3::new(0.0, -1.0, 2.0), scale: Vec3::splat(2.0), ..Transform::default() };
    scene.transforms.insert("Ground".into(), Arc::new(ground));
    let placed = |of: &str| GeometryInstance {
        transform: Some("Place".into()),
        resource: Some(of.into()),
        ..GeometryInstance::default()
    };
    scene.instances.skinned_meshes.insert("Body here".into(), Arc::new(placed("Body")));
    let block = ossature::scene::resource::Mesh {
        surface: Arc::new(column(1)),
        weights: Arc::new(VertexWeights::none(8)),
        ..Default::default()
    };
    scene.meshes.insert("Block".into(), Arc::new(block));
    let instances = &mut scene.instances.meshes;
    instances.insert("Block here".into(), Arc::new(placed("Block")));
    let picture = Texture::from(TextureKind::Image {
        sampler: "bilinear".into(),
        image: "hdr64:cmF3ZgAAAAAAAAAA".into(),
    });
    scene.textures.insert("Picture".into(), Arc::new(picture));
    let camera = Camera {
        vertical_fov: 60.0,
        aspect_ratio: 1.5,
        near_plane: 0.1,
        aperture_shape: 1,
        aperture_size: 0.0,
        focal_dist: 1.0,
        film: Film { width: 64, height: 64, samples: 1, max_ray_depth: 1, sample_pattern: "Center".into() },
        extra: Extra::default(),
    };
    scene.cameras.insert("Lens".into(), Arc::new(camera));
    let eye = CameraInstance {
        transform: Some("Place".into()),
        camera: Some("Lens".into()),
        ..CameraInstance::default()
    };
    scene.instances.cameras.insert("Eye".into(), Arc::new(eye));
    let pose = Channel::Vec3(Spline::from_knots(vec![(0.0, Vec3::ZERO), (10.0, Vec3::new(90.0, 0.0, 0.0))]));
    let enabled = Channel::Bool(Spline::from_knots(vec![(0.0, false), (5.0, true)]));
    let of_body = [
        ("bone.3.pose", pose.clone()),
        ("bone.11.pose", pose.clone()),
        ("handle.2.target", pose.clone()),
        ("handle.5.enabled", enabled.clone()),
        ("handle.9.enabled", enabled),
    ];
    let animation = Animation {
        channels: BTreeMap::from([
            ("Body".to_owned(), channels(&of_body)),
            ("Place".to_owned(), channels(&[("translation", pose)])),
        ]),
        takes: takes::takes(),
        ..Animation::default()
    };
    scene.animation = Arc::new(animation);
    scene
}

pub fn skeleton<'a>(scene: &'a Scene, mesh: &str) -> &'a Skeleton {
    &scene.skinned_meshes[mesh].skeleton
}

/// Returns what is wrong with a scene, if anything.
pub fn faults(scene: &Scene) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, skinned) in &scene.skinned_meshes {
        let mut fault = |text: String| faults.push(format!("{name}: {text}"));
        let skeleton = &skinned.skeleton;
        let mut ids = BTreeSet::new();
        for (index, bone) in skeleton.bones.iter().enumerate() {
            if bone.parent.is_some_and(|parent| parent as usize >= index) {
                fault(format!("bone {index} has parent {:?}", bone.parent));
            }
            if !ids.insert(bone.channel_id) {
                fault(format!("bone {index} shares channel id {}", bone.channel_id));
            }
            let same_name = |other: &&Bone| bone.name.is_some() && other.name == bone.name;
            if skeleton.bones[..index].iter().any(|b| same_name(&b)) {
                fault(format!("bone {index} shares its name {:?}", bone.name));
            }
            let numbers = bone.extent.is_finite() && bone.pose_deg.is_finite() && bone.roll_deg.is_finite();
            if !numbers || !bone.radius.is_finite() || bone.radius < 0.0 {
                fault(format!("bone {index} holds a bad number"));
            }
        }
        let mut ids = BTreeSet::new();
        for (index, handle) in skeleton.handles.iter().enumerate() {
            if handle.bone as usize >= skeleton.bones.len() {
                fault(format!("handle {index} is on bone {}", handle.bone));
            }
            if !ids.insert(handle.channel_id) {
                fault(format!("handle {index} shares channel id {}", handle.channel_id));
            }
            if !handle.target.is_finite() {
                fault(format!("handle {index} has a bad target"));
            }
        }
        if !skeleton.base.is_finite() || !skeleton.base_offset.is_finite() {
            fault("the base is not finite".into());
        }
        let weights = &skinned.weights;
        if weights.ends.len() != skinned.surface.vertex_count() {
            fault(format!("{} rows of weights", weights.ends.len()));
        }
        let entries = weights.ends.last().copied().unwrap_or(0) as usize;
        if !weights.ends.is_sorted() || [weights.bones.len(), weights.weights.len()] != [entries; 2] {
            fault("rows of weights do not match".into());
        }
        if weights.bones.iter().any(|&b| b as usize >= skeleton.bones.len()) {
            fault("a weight names a bone that is not there".into());
        }
        if weights.weights.iter().any(|w| !(0.0..=1.0001).contains(w)) {
            fault("a weight is not in 0..1".into());
        }
    }
    let animation = &scene.animation;
    for (name, of) in &animation.muted {
        let there = |channel: &String| animation.get(&ChannelRef::new(name, channel)).is_some();
        if of.is_empty() || of.iter().any(|(channel, mute)| mute.is_none() || !there(channel)) {
            faults.push(format!("{name}: something is muted that is not there"));
        }
    }
    faults.extend(placing::faults(scene));
    faults.extend(takes::faults(scene));
    faults
}
