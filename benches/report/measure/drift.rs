//! Measures the drift of drags that end where they started, as in the window: a session whose handle moves
//! around step by step, and one evaluator for all frames. Drift is the difference between the last pose and
//! the first.

use super::posing::{bone, height, human_scene};
use crate::random::Random;
use glam::{DVec3, Vec3};
use ossature::edit::command::Command;
use ossature::edit::session::Session;
use ossature::rig::body::limb::limb;
use ossature::rig::ik;
use ossature::rig::kinematics::{current_pose, tips};
use ossature::scene::evaluate::{Evaluator, Settings};

const ROUNDS: usize = 3;
const FRAMES: usize = 30;

/// Returns the largest difference of an angle in degrees after a hand went three times around a circle of 15
/// % of the height, over a number of `circles`. Each frame of the drag is applied to the session, and each
/// round starts where the last one ended.
pub fn drift(circles: usize) -> f64 {
    let scene = human_scene();
    let (mesh, skinned) = scene.skinned_meshes.iter().next().expect("the human has a mesh");
    let (mesh, skeleton) = (mesh.clone(), skinned.skeleton.clone());
    let hand = bone(&skeleton, "hand.L");
    let start = tips(&skeleton, &current_pose(&skeleton))[hand];
    let radius = 0.15 * height(&skeleton);
    let settings = Settings { ik: Some(ik::Options::default()), ..Settings::default() };
    let (mut random, mut drift) = (Random::new(43), 0.0f64);
    for _ in 0..circles {
        let first = random.vec3(1.0).as_dvec3().normalize_or(DVec3::X);
        let second = first.any_orthonormal_vector();
        let mut session = Session::new(scene.clone(), None);
        let (handle, bone) = (0, hand);
        let add = [
            Command::AddHandle { mesh: mesh.clone(), bone },
            Command::set_handle(mesh.clone(), handle, "chain", Some(limb(&skeleton, hand))),
            Command::set_handle(mesh.clone(), handle, "enabled", true),
        ];
        session.apply(&add).expect("a handle can be added");
        let mut evaluator = Evaluator::default();
        let mut start_pose: Option<Vec<Vec3>> = None;
        for frame in 0..=ROUNDS * FRAMES {
            let part = (frame % FRAMES) as f64 / FRAMES as f64;
            let (sin, cos) = (part * std::f64::consts::TAU).sin_cos();
            let target = (start + radius * (first * cos + second * sin)).as_vec3();
            let mesh = mesh.clone();
            let set_target = Command::set_handle(mesh, handle, "target", target);
            session.apply(&[set_target]).expect("a target can be set");
            let shown = evaluator.evaluate(session.animated(), &settings);
            let posed = shown.skinned.values().next().expect("the human is evaluated");
            let pose: Vec<Vec3> = posed.skeleton.bones.iter().map(|bone| bone.pose_deg).collect();
            if frame == ROUNDS * FRAMES
                && let Some(start_pose) = &start_pose
            {
                let differences = pose.iter().zip(start_pose).map(|(a, b)| (*a - *b).abs().max_element());
                drift = differences.map(f64::from).fold(drift, f64::max);
            }
            start_pose.get_or_insert(pose);
        }
    }
    drift
}
