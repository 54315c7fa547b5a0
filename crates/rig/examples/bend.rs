//! From arrays to a bent arm: a surface, two bones, weights, a hand pulled to a target, skinned positions.
//!
//! `cargo run --release -p ossature-rig --example bend`

use glam::{Vec3, vec3};
use ossature_rig::mesh::render::RenderMesh;
use ossature_rig::mesh::soup::Polygons;
use ossature_rig::rig::ik;
use ossature_rig::rig::kinematics::{bind_pose, current_pose, tips};
use ossature_rig::rig::skeleton::{Bone, Handle, Skeleton};
use ossature_rig::rig::skinning::{Method as Skinning, Motions};
use ossature_rig::rig::weights::method::Method;
use std::error::Error;

/// The length of the arm, along x.
const LENGTH: f32 = 0.6;
/// Where the hand is pulled to.
const TARGET: Vec3 = vec3(0.3, 0.3, 0.0);

/// Returns the arrays of a closed bar along x: quads around it, and one at each end.
fn bar() -> Polygons {
    const RINGS: u32 = 13;
    let corners =
        [vec3(0.0, -0.05, -0.05), vec3(0.0, 0.05, -0.05), vec3(0.0, 0.05, 0.05), vec3(0.0, -0.05, 0.05)];
    let x = |ring: u32| Vec3::X * LENGTH * ring as f32 / (RINGS - 1) as f32;
    let positions = (0..RINGS).flat_map(|ring| corners.map(|corner| corner + x(ring))).collect();
    let side = |ring: u32, k: u32| {
        let (a, b) = (4 * ring + k, 4 * ring + (k + 1) % 4);
        vec![a, b, b + 4, a + 4]
    };
    let mut faces: Vec<Vec<u32>> =
        (0..RINGS - 1).flat_map(|ring| (0..4).map(move |k| side(ring, k))).collect();
    let last = 4 * (RINGS - 1);
    faces.extend([vec![3, 2, 1, 0], vec![last, last + 1, last + 2, last + 3]]);
    Polygons { positions, faces, ..Polygons::default() }
}

/// Returns an upper arm and a forearm, and a handle that pulls the hand.
fn arm() -> Skeleton {
    let bone = |parent| Bone { extent: Vec3::X * LENGTH / 2.0, parent, radius: 0.1, ..Bone::default() };
    Skeleton {
        bones: vec![bone(None), bone(Some(0))],
        handles: vec![Handle { bone: 1, target: TARGET, enabled: true, ..Handle::default() }],
        ..Skeleton::default()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let surface = bar().build()?;
    let render = RenderMesh::new(&surface);
    let mut skeleton = arm();
    let heat = Method::named("heat").ok_or("no method of this name")?;
    let weights = heat.calculate(&skeleton, &surface, &|_| true)?.weights;

    let outcome = ik::solve(&mut skeleton, &ik::Options::default());
    let (bind, current) = (bind_pose(&skeleton), current_pose(&skeleton));
    println!("the solver stopped: {:?}", outcome.end);
    println!("the hand is at {:.3}, its target at {TARGET:.3}", tips(&skeleton, &current)[1]);

    // Every frame reuses the buffers.
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    for (method, name) in
        [(Skinning::LINEAR, "linear blend"), (Skinning::DUAL_QUATERNION, "dual quaternions")]
    {
        let motions = Motions::new(method, &bind, &current);
        motions.skin(&weights, surface.positions(), &render, &mut positions, &mut normals);
        let elbow: Vec3 = positions[24..28].iter().sum();
        println!("{name}: {} vertices, the ring at the elbow is around {:.3}", positions.len(), elbow / 4.0);
    }
    Ok(())
}
