//! Characters for the benches: the human of this repository, subdivided and animated.

use super::Failure;
use glam::Vec3;
use ossature::anim::channel::{Channel, SkeletonChannel};
use ossature::anim::clip::Clip;
use ossature::anim::spline::Spline;
use ossature::io::examples::Example;
use ossature::mesh::soup::Polygons;
use ossature::rig::kinematics;
use ossature::rig::property::POSE;
use ossature::rig::skeleton::{Handle, Skeleton};
use ossature::rig::weights::capsule::capsule_weights;
use ossature::scene::Scene;
use ossature::scene::skinned::SkinnedMesh;
use std::collections::HashMap;
use std::sync::Arc;

/// Returns the human, of 7938 vertices. Each division quadruples the number of faces.
pub fn human(divisions: usize) -> Result<Scene, Failure> {
    let (mut scene, _) = Example::Human.read()?;
    for mesh in scene.skinned_meshes.values_mut().filter(|_| divisions > 0) {
        let mesh = Arc::make_mut(mesh);
        let mut polygons = Polygons::new(&mesh.surface);
        for _ in 0..divisions {
            polygons = subdivided(&polygons);
        }
        let surface = polygons.build()?;
        mesh.weights = capsule_weights(&mesh.skeleton, surface.positions()).into();
        mesh.surface = surface.into();
    }
    Ok(scene)
}

/// Splits every polygon into one per corner, through its centre and the midpoints of its edges. The shape
/// stays the same; texture coordinates are dropped and normals computed.
fn subdivided(polygons: &Polygons) -> Polygons {
    let mut positions = polygons.positions.clone();
    let mut faces = Vec::new();
    let mut midpoints: HashMap<[u32; 2], u32> = HashMap::new();
    let add = |positions: &mut Vec<Vec3>, point: Vec3| {
        positions.push(point);
        positions.len() as u32 - 1
    };
    for face in &polygons.faces {
        let position = |v: u32| polygons.positions[v as usize];
        let sum: Vec3 = face.iter().map(|&v| position(v)).sum();
        let center = add(&mut positions, sum / face.len() as f32);
        let mut edge = |i: usize| {
            let (a, b) = (face[i], face[(i + 1) % face.len()]);
            let point = position(a).midpoint(position(b));
            *midpoints.entry([a.min(b), a.max(b)]).or_insert_with(|| add(&mut positions, point))
        };
        let edges: Vec<u32> = (0..face.len()).map(&mut edge).collect();
        for (i, &corner) in face.iter().enumerate() {
            let before = edges[(i + face.len() - 1) % face.len()];
            faces.push(vec![corner, edges[i], center, before]);
        }
    }
    Polygons { positions, faces, ..Polygons::default() }
}

/// Adds keys to every bone of a mesh, so that it sways by some degrees about its pose.
pub fn sway(scene: &mut Scene, name: &str, mesh: &SkinnedMesh) {
    let animation = Arc::make_mut(&mut scene.animation);
    animation.clip = Clip { length: 120, ..Clip::default() };
    let channels = animation.channels.entry(name.to_owned()).or_default();
    for (i, bone) in mesh.skeleton.bones.iter().enumerate() {
        let knots = (0..=10).map(|key| {
            let part = (key % 10) as f32 / 10.0 * std::f32::consts::TAU + i as f32;
            let sway = Vec3::new(part.sin(), 0.5 * part.cos(), (2.0 * part).sin()) * 5.0;
            (key as f32 * 12.0, bone.pose_deg + sway)
        });
        let channel = Channel::Vec3(Spline::from_knots(knots.collect()));
        channels.insert(SkeletonChannel::Bone(bone.channel_id, POSE).to_string(), channel.into());
    }
}

/// Returns the first enabled handle of a mesh, or adds one on the longest chain of bones. `None` without
/// bones.
pub fn handle(scene: &mut Scene, mesh: &str) -> Option<usize> {
    let skinned = Arc::make_mut(scene.skinned_meshes.get_mut(mesh)?);
    let skeleton = Arc::make_mut(&mut skinned.skeleton);
    let bones = skeleton.bones.len();
    let is_enabled = |handle: &Handle| handle.enabled && (handle.bone as usize) < bones;
    if let Some(handle) = skeleton.handles.iter().position(is_enabled) {
        return Some(handle);
    }
    skeleton.handles.push(new_handle(skeleton)?);
    Some(skeleton.handles.len() - 1)
}

/// Returns an enabled handle at the tip that is farthest from the base along the bones.
fn new_handle(skeleton: &Skeleton) -> Option<Handle> {
    let mut along: Vec<f32> = Vec::new();
    for (index, bone) in skeleton.bones.iter().enumerate() {
        let before = kinematics::parent_of(skeleton, index).map_or(0.0, |parent| along[parent]);
        along.push(before + bone.extent.length());
    }
    let bone = (0..along.len()).max_by(|a, b| along[*a].total_cmp(&along[*b]))?;
    let tips = kinematics::tips(skeleton, &kinematics::current_pose(skeleton));
    let ids = skeleton.handles.iter().map(|handle| handle.channel_id);
    Some(Handle {
        bone: bone as u32,
        target: tips[bone].as_vec3(),
        enabled: true,
        channel_id: ids.max().map_or(0, |most| most.wrapping_add(1)),
        ..Handle::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_division_splits_each_face_into_four() {
        let human = human(1).unwrap();
        let mesh = human.skinned_meshes.values().next().unwrap();
        // V + E + F of the undivided human.
        assert_eq!(mesh.surface.vertex_count(), 7938 + 15872 + 7936);
        assert_eq!(mesh.surface.face_count(), 4 * 7936);
        assert!(mesh.weights.unweighted_count() < 10);
    }
}
