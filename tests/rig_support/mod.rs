//! Skeletons and random numbers for tests and benches of the rig. Not every user needs all of it.
#![allow(dead_code)]

use glam::{DVec3, Vec3};
use ossature::mesh::halfedge::HalfedgeMesh;
use ossature::mesh::primitives;
use ossature::rig::kinematics;
use ossature::rig::skeleton::{Bone, Handle, Skeleton};
use ossature::rig::weights::capsule::capsule_weights;
use ossature::scene::skinned::SkinnedMesh;

pub use crate::random::Random;

pub fn bone(parent: Option<usize>, extent: Vec3) -> Bone {
    Bone { extent, parent: parent.map(|p| p as u32), ..Bone::default() }
}

pub fn handle(bone: usize, target: Vec3) -> Handle {
    Handle { bone: bone as u32, target, enabled: true, channel_id: bone as u32, ..Handle::default() }
}

/// Returns a chain of bones, each with the extent `extent`.
pub fn chain(bones: usize, extent: Vec3) -> Skeleton {
    Skeleton { bones: (0..bones).map(|b| bone(b.checked_sub(1), extent)).collect(), ..Skeleton::default() }
}

/// Returns a tube along y of height 10 and radius 0.5 with a chain of five bones.
pub fn tube_of_five(around: u32, along: u32) -> (HalfedgeMesh, Skeleton) {
    let mesh = primitives::tube(0.5, 10.0, around, along).unwrap();
    let mut skeleton = chain(5, 2.0 * Vec3::Y);
    skeleton.bones.iter_mut().for_each(|bone| bone.radius = 1.5);
    (mesh, skeleton)
}

/// Returns 18 bones, 5.3 units tall: spine 0-1, neck 2, head 3, arms 4-6 and 7-9, legs 10-13 and 14-17.
pub fn human() -> Skeleton {
    let mut bones = vec![
        bone(None, Vec3::new(0.0, 0.9, 0.0)),
        bone(Some(0), Vec3::new(0.0, 0.9, 0.0)),
        bone(Some(1), Vec3::new(0.0, 0.4, 0.0)),
        bone(Some(2), Vec3::new(0.0, 0.6, 0.0)),
    ];
    for side in [1.0, -1.0] {
        let first = bones.len();
        bones.push(bone(Some(1), Vec3::new(0.9 * side, -0.4, 0.0)));
        bones.push(bone(Some(first), Vec3::new(0.85 * side, -0.3, 0.1)));
        bones.push(bone(Some(first + 1), Vec3::new(0.4 * side, -0.1, 0.0)));
    }
    for side in [1.0, -1.0] {
        let first = bones.len();
        bones.push(bone(None, Vec3::new(0.4 * side, -0.2, 0.0)));
        bones.push(bone(Some(first), Vec3::new(0.05 * side, -1.3, 0.05)));
        bones.push(bone(Some(first + 1), Vec3::new(0.0, -1.3, -0.1)));
        bones.push(bone(Some(first + 2), Vec3::new(0.0, -0.1, 0.5)));
    }
    for (index, bone) in bones.iter_mut().enumerate() {
        bone.channel_id = index as u32;
    }
    Skeleton { bones, base: Vec3::new(0.0, 2.9, 0.0), ..Skeleton::default() }
}

/// The bones of [`human`] that end at its hands, feet and head.
pub const ENDS: [usize; 5] = [6, 9, 13, 17, 3];

/// Returns the skeleton with handles on `bones` whose targets are tips of a random pose (deviation in
/// degrees).
pub fn reachable(skeleton: &Skeleton, bones: &[usize], deviation_deg: f32, random: &mut Random) -> Skeleton {
    let mut posed = skeleton.clone();
    for bone in &mut posed.bones {
        bone.pose_deg = deviation_deg * random.normal3();
    }
    let tips = tips(&posed);
    Skeleton { handles: bones.iter().map(|&b| handle(b, tips[b].as_vec3())).collect(), ..skeleton.clone() }
}

/// Returns the tips in the current pose.
pub fn tips(skeleton: &Skeleton) -> Vec<DVec3> {
    kinematics::tips(skeleton, &kinematics::current_pose(skeleton))
}

/// Returns the distance from tip to target of each handle, in the current pose.
pub fn tip_errors(skeleton: &Skeleton) -> Vec<f64> {
    let tips = tips(skeleton);
    skeleton.handles.iter().map(|h| tips[h.bone as usize].distance(h.target.as_dvec3())).collect()
}

/// Returns a tube of length 20 around a chain of bones of one radius, with capsule weights.
pub fn tube(around: u32, along: u32, bones: u32, radius: f32) -> SkinnedMesh {
    let surface = primitives::tube(1.0, 20.0, around, along).unwrap();
    let bones = (0..bones).map(|i| Bone {
        extent: Vec3::Y * (20.0 / bones as f32),
        radius,
        parent: i.checked_sub(1),
        channel_id: i,
        ..Bone::default()
    });
    let skeleton = Skeleton { bones: bones.collect(), ..Skeleton::default() };
    SkinnedMesh {
        weights: capsule_weights(&skeleton, surface.positions()).into(),
        surface: surface.into(),
        skeleton: skeleton.into(),
        ..SkinnedMesh::default()
    }
}
