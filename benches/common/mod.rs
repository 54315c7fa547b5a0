//! The shared subject of the benches: a tube with a chain of bones inside, about four influences per vertex.

use glam::Vec3;
use ossature::mesh::halfedge::HalfedgeMesh;
use ossature::mesh::primitives;
use ossature::rig::skeleton::{Bone, Skeleton};

/// The sizes of the tube: name, divisions around and along it.
pub const SIZES: [(&str, u32, u32); 2] = [("5k", 50, 99), ("100k", 200, 499)];

const BONES: u32 = 20;

/// Returns a tube of `around * (along + 1) + 2` vertices, radius 1 and height 20, with a chain of bones of
/// length 1.
pub fn rigged_tube(around: u32, along: u32) -> (HalfedgeMesh, Skeleton) {
    let mesh = primitives::tube(1.0, BONES as f32, around, along).expect("the tube is a surface");
    let bone = |i: u32| Bone {
        extent: Vec3::Y,
        radius: 1.8,
        parent: i.checked_sub(1),
        pose_deg: Vec3::new(3.0, 5.0, -4.0),
        channel_id: i,
        ..Bone::default()
    };
    let bones = (0..BONES).map(bone).collect();
    (mesh, Skeleton { bones, ..Skeleton::default() })
}
