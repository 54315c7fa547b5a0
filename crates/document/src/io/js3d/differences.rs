//! What Scotty3D shows differently than this program: it ignores the members that only we know.

use super::super::report::{Report, Severity};
use super::mesh_pointer;
use crate::anim::channel::{Animation, Channel, SkeletonChannel};
use crate::anim::channel_set::ChannelSet;
use crate::anim::layer::base_name;
use crate::io::count::counted;
use crate::io::motion::surface_keys::{boxes, corners};
use crate::math::bounds::Bounds;
use crate::mesh::render::RenderMesh;
use crate::rig::kinematics::{bind_pose, bind_tips, current_pose, tips};
use crate::rig::property::{SCALE, SHAPE_WEIGHT, STRETCH, TRANSLATION};
use crate::rig::shapes::ShapedSurface;
use crate::rig::skeleton::{Bone, Handle, Shape, Skeleton};
use crate::scene::Scene;
use crate::scene::apply_animation::Animator;
use crate::scene::skinned::SkinnedMesh;
use glam::{DAffine3, DVec3, Vec3};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of frames at which joints are compared, from the first to the last.
const SAMPLES: u32 = 17;

/// Returns a finding for each skinned mesh with shapes that are shown, and for each with bones that are moved against their parents or scaled, with how far off
/// joints are then in Scotty3D, as a share of the skeleton's size in the bind pose.
pub fn differences(scene: &Scene) -> Report {
    let mut report = Report::default();
    let mut animator = Animator::default();
    for (name, mesh) in &scene.skinned_meshes {
        if let Some(text) = shapes(scene, name, mesh, &mut animator) {
            report.add(Severity::Note, "shapes-shown", mesh_pointer(true, name), text);
        }
        let limbs = stretching_handles(&scene.animation, name, &mesh.skeleton);
        if limbs > 0 {
            let text = format!(
                "{} a limb towards a target out of reach, which Scotty3D does not know: there the limb ends short of it",
                counted(limbs, "handle stretches", "handles stretch")
            );
            report.add(Severity::Note, "limbs-stretch", mesh_pointer(true, name), text);
        }
        let count = moved_bones(&scene.animation, name, &mesh.skeleton).len();
        if count == 0 {
            continue;
        }
        let is_animated = scene.animation.channels.contains_key(name);
        let bind = bind_pose(&mesh.skeleton);
        let boxes = boxes(&mesh.weights, &mesh.surface, bind.len());
        let distance = frames(scene, is_animated)
            .map(|frame| {
                let driven = animator.animate(scene, frame, &ChannelSet::default());
                let driven = driven.skinned_meshes.get(name);
                driven.map_or(0.0, |mesh| {
                    let skeletons = [&*mesh.skeleton, &unmoved(&mesh.skeleton)];
                    let surface = surface_distance(&bind, &boxes, skeletons);
                    distance(skeletons[0], skeletons[1]).max(surface)
                })
            })
            .fold(0.0, f64::max);
        let share = 100.0 * share_of_size(&mesh.skeleton, distance);
        let (bones, are) = if count == 1 { ("bone", "is") } else { ("bones", "are") };
        report.add(
            Severity::Note,
            "bones-moved",
            mesh_pointer(true, name),
            format!(
                "{count} {bones} {are} moved against the parent or scaled, which Scotty3D ignores: joints and what follows them are up to {share:.1} % of the \
                 skeleton's size elsewhere there. Pose > Bake moves and scales makes what rotations and the base can express"
            ),
        );
    }
    report
}

/// Returns the frames that are compared.
fn frames(scene: &Scene, is_animated: bool) -> impl Iterator<Item = f32> {
    let last = if is_animated { scene.animation.clip.last_frame() } else { 0 };
    let samples = SAMPLES.min(last + 1);
    (0..samples).map(move |sample| last as f32 * sample as f32 / (samples - 1).max(1) as f32)
}

/// Returns what there is to say of the shapes of a mesh: Scotty3D shows its surface without them.
fn shapes(scene: &Scene, name: &str, mesh: &SkinnedMesh, animator: &mut Animator) -> Option<String> {
    let keyed = scene.animation.channels.get(name);
    let is_keyed = |shape: &Shape| {
        let channel = SkeletonChannel::Shape(shape.channel_id, SHAPE_WEIGHT).to_string();
        keyed.is_some_and(|keyed| has_keys(keyed, &channel))
    };
    let shapes = &mesh.skeleton.shapes;
    let count = shapes.iter().filter(|shape| shape.weight != 0.0 || is_keyed(shape)).count();
    if count == 0 {
        return None;
    }
    let (surface, render) = (&mesh.surface, RenderMesh::new(&mesh.surface));
    let mut shaped = ShapedSurface::default();
    let mut farthest: f32 = 0.0;
    for frame in frames(scene, shapes.iter().any(is_keyed)) {
        let driven = animator.animate(scene, frame, &ChannelSet::default());
        let Some(driven) = driven.skinned_meshes.get(name) else { continue };
        let (shown, _) = shaped.shown(surface, &render, &mesh.shapes, &driven.skeleton.shapes);
        let distances = shown.iter().zip(surface.positions()).map(|(a, b)| a.distance(*b));
        farthest = distances.fold(farthest, f32::max);
    }
    let size = Bounds::from_points(surface.positions().iter().copied()).diagonal();
    let share = if size > 0.0 { 100.0 * farthest / size } else { 0.0 };
    Some(format!(
        "{} shown, which Scotty3D does not know: vertices are up to {share:.1} % of the size elsewhere there",
        counted(count, "shape key is", "shape keys are")
    ))
}

/// Whether a channel has keys among those of a character, or layers have keys of it.
fn has_keys(keyed: &BTreeMap<String, Arc<Channel>>, channel: &str) -> bool {
    keyed.keys().any(|name| base_name(name) == channel)
}

/// Returns the bones that are moved against their parents or scaled, or keyed so.
pub fn moved_bones(animation: &Animation, mesh: &str, skeleton: &Skeleton) -> Vec<usize> {
    let keyed = animation.channels.get(mesh);
    let is_keyed = |bone: &Bone| {
        let channel = |row| SkeletonChannel::Bone(bone.channel_id, row).to_string();
        keyed.is_some_and(|keyed| [TRANSLATION, SCALE].iter().any(|row| has_keys(keyed, &channel(row))))
    };
    let bones = skeleton.bones.iter().enumerate();
    bones.filter(|(_, bone)| !bone.is_unmoved() || is_keyed(bone)).map(|(index, _)| index).collect()
}

/// Returns the skeleton with every bone back at its parent and unscaled.
pub fn unmoved(skeleton: &Skeleton) -> Skeleton {
    let mut unmoved = skeleton.clone();
    for bone in &mut unmoved.bones {
        (bone.translation, bone.scale) = (Vec3::ZERO, Vec3::ONE);
    }
    unmoved
}

/// Returns how far a joint of one skeleton is at most from the same joint of the other, both in their current poses.
pub fn distance(a: &Skeleton, b: &Skeleton) -> f64 {
    let joints = |skeleton: &Skeleton| {
        let current = current_pose(skeleton);
        let heads = current.iter().map(|matrix| matrix.translation);
        heads.chain(tips(skeleton, &current)).collect::<Vec<DVec3>>()
    };
    joints(a).into_iter().zip(joints(b)).map(|(a, b)| a.distance(b)).fold(0.0, f64::max)
}

/// Returns how far apart two poses carry a corner of the box around what each bone moves, at most. `boxes`, and `bind` per
/// bone, are those of the bind pose.
fn surface_distance(bind: &[DAffine3], boxes: &[Option<[Vec3; 2]>], skeletons: [&Skeleton; 2]) -> f64 {
    let [a, b] = skeletons.map(current_pose);
    let mut farthest = 0.0_f64;
    for (bone, bounds) in boxes.iter().enumerate() {
        for corner in corners(bounds) {
            let corner = corner - bind[bone].translation;
            let places = [&a, &b].map(|pose| pose[bone].transform_point3(corner));
            farthest = farthest.max(places[0].distance(places[1]));
        }
    }
    farthest
}

/// Returns the number of enabled handles that stretch their limbs, or are keyed so.
fn stretching_handles(animation: &Animation, mesh: &str, skeleton: &Skeleton) -> usize {
    let keyed = animation.channels.get(mesh);
    let stretches = |handle: &&Handle| {
        let channel = SkeletonChannel::Handle(handle.channel_id, STRETCH).to_string();
        let is_keyed = keyed.is_some_and(|keyed| has_keys(keyed, &channel));
        handle.enabled && (handle.stretch > 0.0 || is_keyed)
    };
    skeleton.handles.iter().filter(stretches).count()
}

/// Returns a distance as a share of the diagonal of the box around the bind pose.
pub fn share_of_size(skeleton: &Skeleton, distance: f64) -> f64 {
    let points = bind_tips(skeleton).into_iter().chain([skeleton.base.as_dvec3()]);
    let bounds = points.map(|point| (point, point)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    let size = bounds.map_or(0.0, |(low, high)| (high - low).length());
    if size > 0.0 { distance / size } else { 0.0 }
}
