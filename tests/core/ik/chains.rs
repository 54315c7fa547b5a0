//! Chains and weights of handles: which bones turn, and how far tips move.

use super::{STEPS, options, random_skeleton};
use crate::rig_support::*;
use glam::{DVec3, Vec3};
use ossature::rig::ik::{self, End, Options};
use ossature::rig::skeleton::Handle;

/// Handles of different chains and weights each depend on all turning angles, whatever their chain.
#[test]
fn gradient_matches_central_differences_with_chains_and_weights() {
    let mut random = Random::new(21);
    let (mut partly, mut fixed) = (0, 0);
    for case in 0..400 {
        let mut skeleton = random_skeleton(&mut random);
        for handle in &mut skeleton.handles {
            handle.chain = (random.below(4) > 0).then(|| 1 + random.below(4) as u32);
            handle.weight = [1.0, 0.5, 0.0, 0.125][random.below(4)];
            partly += usize::from(handle.weight != 1.0);
        }
        let mut turns = vec![false; skeleton.bones.len()];
        for handle in skeleton.handles.iter().filter(|handle| skeleton.pulls(handle)) {
            ik::chain::chain(&skeleton, handle).for_each(|bone| turns[bone] = true);
        }
        let gradient = ik::gradient(&skeleton);
        let mut energies = ik::Gradients::new(&skeleton);
        let poses: Vec<Vec3> = skeleton.bones.iter().map(|bone| bone.pose_deg).collect();
        let size = gradient.iter().map(|g| g.length_squared()).sum::<f64>().sqrt().max(1e-2);
        for bone in 0..poses.len() {
            if !turns[bone] {
                fixed += 1;
                assert_eq!(gradient[bone], DVec3::ZERO, "case {case} bone {bone}");
                continue;
            }
            for angle in 0..3 {
                let mut at = |by: f32| {
                    let mut moved = poses.clone();
                    moved[bone][angle] += by;
                    (
                        energies.energy_at(&moved, skeleton.base_offset),
                        f64::from(moved[bone][angle]).to_radians(),
                    )
                };
                let (low, high) = (at(-0.02), at(0.02));
                let expected = (high.0 - low.0) / (high.1 - low.1);
                let found = gradient[bone][angle];
                assert!(
                    (found - expected).abs() <= 1e-5 * size,
                    "case {case} bone {bone} angle {angle}: {found} is not {expected}"
                );
            }
        }
    }
    assert!(partly > 300 && fixed > 300, "{partly} {fixed}");
}

/// A chain that is stretched and moved is solved as it stands: with equal scales its tip is where it says.
#[test]
fn scaled_and_moved_chains_reach() {
    let mut random = Random::new(22);
    let mut reached = 0;
    for case in 0..200 {
        let mut skeleton = random_skeleton(&mut random);
        for bone in &mut skeleton.bones {
            bone.scale = Vec3::splat(0.5 + random.vec3(0.4).x.abs());
            bone.translation = random.vec3(0.3);
        }
        // Where the tips are in another pose of the chain.
        let mut other = skeleton.clone();
        other.bones.iter_mut().for_each(|bone| bone.pose_deg += random.vec3(40.0));
        let targets = tips(&other);
        for handle in &mut skeleton.handles {
            (handle.target, handle.weight) = (targets[handle.bone as usize].as_vec3(), 1.0);
        }
        let outcome = ik::solve(&mut skeleton, &Options::default());
        let tips = tips(&skeleton);
        for task in outcome.tasks.iter().filter(|task| task.task == ik::TaskKind::Position && task.reached) {
            let handle = &skeleton.handles[task.handle];
            if handle.weight == 1.0 {
                let off = tips[handle.bone as usize].distance(handle.target.as_dvec3());
                assert!(off < 2e-3 * ik::reach(&skeleton), "case {case}: {off}");
                reached += 1;
            }
        }
    }
    assert!(reached > 150, "{reached}");
}

/// Bones outside the chains keep their bits; the bones of both chains reach the targets together.
#[test]
fn only_bones_of_the_chains_turn() {
    for step in STEPS {
        let mut skeleton = human();
        for (index, bone) in skeleton.bones.iter_mut().enumerate() {
            bone.pose_deg = Vec3::new(index as f32, -1.5, -0.0);
        }
        let at = tips(&skeleton);
        let mut hand = handle(6, at[6].as_vec3() + Vec3::new(-0.2, 0.3, 0.2));
        hand.chain = Some(3);
        let mut other = handle(9, at[9].as_vec3() + Vec3::new(0.1, 0.2, 0.1));
        other.chain = Some(2);
        skeleton.handles.extend([hand, other]);
        let before = skeleton.clone();
        let outcome = ik::solve(&mut skeleton, &options(step, 2000));
        assert_eq!(outcome.end, End::Reached, "{step:?}");
        for (bone, (old, new)) in before.bones.iter().zip(&skeleton.bones).enumerate() {
            let bits = |pose: Vec3| pose.to_array().map(f32::to_bits);
            let turned = bits(old.pose_deg) != bits(new.pose_deg);
            assert_eq!(turned, [4, 5, 6, 8, 9].contains(&bone), "{step:?} bone {bone}");
        }
    }
}

/// A weight moves the tip part of the way, continuously from zero.
#[test]
fn a_weight_blends_a_handle_in() {
    let start = chain(3, Vec3::new(0.1, 1.0, 0.0));
    let tip = tips(&start)[2];
    let target = Vec3::new(1.0, 1.5, 1.0);
    let tip_with = |weight: f32| {
        let mut skeleton = start.clone();
        skeleton.handles.push(Handle { weight, ..handle(2, target) });
        let outcome = ik::solve(&mut skeleton, &Options::default());
        assert_eq!(outcome.end, End::Reached, "{weight}");
        if weight == 0.0 {
            assert_eq!(skeleton.bones, start.bones);
        }
        tips(&skeleton)[2]
    };
    for weight in [0.0, 0.001, 0.25, 0.5, 0.999, 1.0] {
        let expected = tip.lerp(target.as_dvec3(), f64::from(weight));
        assert!(tip_with(weight).distance(expected) < 1e-5, "{weight}");
    }
    // Two conflicting handles: the tip ends nearer to the heavier one.
    let mut skeleton = start.clone();
    for (x, weight) in [(1.0, 1.0), (-1.0, 0.25)] {
        skeleton.handles.push(Handle { weight, ..handle(2, Vec3::new(x, 2.0, 0.0)) });
    }
    assert_eq!(ik::solve(&mut skeleton, &Options::default()).end, End::OutOfReach);
    let errors = tip_errors(&skeleton);
    assert!(errors[0] < 0.7 * errors[1], "{errors:?}");
}
