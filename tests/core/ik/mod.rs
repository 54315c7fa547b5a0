//! Inverse kinematics against finite differences and closed forms, for each way of stepping.

mod balance;
mod chains;
mod hands;
mod knees;
mod limbs;
mod many;
mod posing;
mod smooth;

use crate::rig_support::*;
use glam::{DVec3, Vec3};
use ossature::rig::ik::{self, Options, Step};
use ossature::rig::skeleton::Skeleton;

/// A step of gradient descent that is too short to overshoot on limbs of this size.
const FIXED: Step = Step::Fixed(0.05);
const STEPS: [Step; 2] = [FIXED, Step::Damped];

fn options(step: Step, max_steps: usize) -> Options {
    Options { max_steps, step, ..Options::default() }
}

/// Returns any tree of up to 12 bones, posed at random, with up to 4 handles, some of them disabled.
fn random_skeleton(random: &mut Random) -> Skeleton {
    let mut skeleton =
        Skeleton { base: random.vec3(1.0), base_offset: random.vec3(1.0), ..Skeleton::default() };
    let bones = 1 + random.below(12);
    for index in 0..bones {
        let parent = (index > 0 && random.below(6) > 0).then(|| random.below(index.max(1)));
        // Some have no length and some are along x: the degenerate axes.
        let extent = match random.below(10) {
            0 => Vec3::ZERO,
            1 => Vec3::X * random.unit(),
            _ => random.vec3(1.0),
        };
        let mut bone = bone(parent, extent);
        bone.roll_deg = 180.0 * random.unit();
        bone.pose_deg = 300.0 * random.vec3(1.0);
        skeleton.bones.push(bone);
    }
    for _ in 0..1 + random.below(4) {
        let mut handle = handle(random.below(bones), 2.0 * random.vec3(1.0));
        handle.enabled = random.below(4) > 0;
        skeleton.handles.push(handle);
    }
    skeleton
}

fn energy_by_kinematics(skeleton: &Skeleton) -> f64 {
    let enabled = skeleton.handles.iter().zip(tip_errors(skeleton)).filter(|(h, _)| h.enabled);
    enabled.map(|(_, error)| 0.5 * error * error).sum()
}

/// Returns central differences in f32 degrees, divided by the exact difference of the rounded angles.
fn central_difference(skeleton: &Skeleton, bone: usize, angle: usize) -> f64 {
    let at = skeleton.bones[bone].pose_deg[angle];
    let (mut low, mut high) = (skeleton.clone(), skeleton.clone());
    low.bones[bone].pose_deg[angle] = at - 0.02;
    high.bones[bone].pose_deg[angle] = at + 0.02;
    let width_deg = f64::from(high.bones[bone].pose_deg[angle]) - f64::from(low.bones[bone].pose_deg[angle]);
    (energy_by_kinematics(&high) - energy_by_kinematics(&low)) / width_deg.to_radians()
}

#[test]
fn gradient_matches_central_differences_on_1000_skeletons() {
    let mut random = Random::new(1);
    for case in 0..1000 {
        let skeleton = random_skeleton(&mut random);
        assert!((ik::energy(&skeleton) - energy_by_kinematics(&skeleton)).abs() < 1e-12);
        let gradient = ik::gradient(&skeleton);
        assert_eq!(gradient.len(), skeleton.bones.len());
        let size = gradient.iter().map(|g| g.length_squared()).sum::<f64>().sqrt().max(1e-2);
        for (bone, found) in gradient.iter().enumerate() {
            for angle in 0..3 {
                let expected = central_difference(&skeleton, bone, angle);
                assert!(
                    (found[angle] - expected).abs() <= 1e-5 * size,
                    "case {case} bone {bone} angle {angle}: {} is not {expected}",
                    found[angle]
                );
            }
        }
    }
}

#[test]
fn without_enabled_handles_nothing_happens() {
    let mut skeleton = human();
    skeleton.handles.push(handle(6, Vec3::ZERO));
    skeleton.handles[0].enabled = false;
    skeleton.handles.push(handle(999, Vec3::ZERO));
    let before = skeleton.clone();
    for step in [Step::Fixed(0.01), Step::Damped] {
        let outcome = ik::solve(&mut skeleton, &options(step, 10));
        assert!(outcome.converged);
        assert_eq!((outcome.steps, outcome.energies), (0, vec![0.0]));
    }
    assert_eq!(skeleton, before);
    assert!(ik::gradient(&skeleton).iter().all(|g| *g == DVec3::ZERO));
}

/// The check of the course: 45 degrees about x, nothing about y and z.
#[test]
fn one_bone_turns_about_x_alone() {
    for step in [Step::Fixed(0.2), Step::Damped] {
        let mut skeleton = chain(1, Vec3::Y);
        skeleton.handles.push(handle(0, Vec3::new(0.0, 1.0, 1.0)));
        let outcome = ik::solve(&mut skeleton, &options(step, 100));
        let pose = skeleton.bones[0].pose_deg;
        assert!(outcome.converged, "{step:?}");
        assert!((44.9..=45.1).contains(&pose.x), "{step:?}: {pose}");
        assert_eq!((pose.y, pose.z), (0.0, 0.0), "{step:?}");
    }
}

#[test]
fn energies_never_rise_and_are_those_of_what_is_stored() {
    let mut random = Random::new(2);
    for _ in 0..300 {
        let skeleton = random_skeleton(&mut random);
        for step in STEPS {
            let mut solved = skeleton.clone();
            let outcome = ik::solve(&mut solved, &options(step, 30));
            assert_eq!(outcome.energies.len(), outcome.steps + 1);
            assert!(outcome.passes > outcome.steps);
            assert!(outcome.energies.windows(2).all(|e| e[1] < e[0]), "{step:?}");
            assert_eq!(outcome.energies[0], ik::energy(&skeleton));
            assert_eq!(outcome.energies[outcome.steps], ik::energy(&solved));
            // Nothing but the poses changes.
            for (bone, before) in solved.bones.iter_mut().zip(&skeleton.bones) {
                bone.pose_deg = before.pose_deg;
            }
            assert_eq!(solved, skeleton);
        }
    }
}

#[test]
fn one_step_after_another_is_as_good_as_many() {
    // The window solves a few steps per frame.
    let mut random = Random::new(3);
    let mut skeleton = reachable(&human(), &ENDS, 20.0, &mut random);
    let mut last = ik::energy(&skeleton);
    for _ in 0..40 {
        ik::solve(&mut skeleton, &options(Step::Damped, 1));
        assert!(ik::energy(&skeleton) <= last);
        last = ik::energy(&skeleton);
    }
    assert!(tip_errors(&skeleton).iter().all(|e| *e < 1e-4), "{:?}", tip_errors(&skeleton));
}

#[test]
fn reachable_targets_are_reached_with_several_handles() {
    let mut random = Random::new(4);
    for case in 0..50 {
        let skeleton = reachable(&human(), &ENDS, 30.0, &mut random);
        let mut solved = skeleton.clone();
        let outcome = ik::solve(&mut solved, &options(Step::Damped, 50));
        let errors = tip_errors(&solved);
        assert!(outcome.converged, "case {case}");
        assert!(errors.iter().all(|e| *e < 1e-4), "case {case}: {errors:?}");
        // Gradient descent makes progress.
        let mut solved = skeleton.clone();
        let outcome = ik::solve(&mut solved, &options(Step::Fixed(0.01), 500));
        let [first, .., last] = outcome.energies[..] else {
            panic!("case {case}: no step");
        };
        assert!(last < 0.05 * first, "case {case}: {last} of {first}");
    }
}

#[test]
fn handles_on_a_bone_and_its_ancestor_both_count() {
    let step = Step::Damped;
    let mut random = Random::new(5);
    let mut skeleton = reachable(&chain(6, Vec3::new(0.1, 0.5, 0.0)), &[2, 5], 40.0, &mut random);
    assert!(ik::solve(&mut skeleton, &options(step, 5000)).converged);
    assert!(tip_errors(&skeleton).iter().all(|e| *e < 1e-4), "{step:?}: {:?}", tip_errors(&skeleton));
}

#[test]
fn angles_that_move_no_enabled_handle_keep_their_bits() {
    let mut random = Random::new(6);
    let mut skeleton = human();
    for bone in &mut skeleton.bones {
        bone.pose_deg = 700.0 * random.vec3(1.0);
    }
    skeleton.handles.push(handle(6, Vec3::new(1.0, 4.0, 1.0)));
    skeleton.handles.push(handle(13, Vec3::new(1.0, 0.0, 1.0)));
    skeleton.handles[1].enabled = false;
    for step in STEPS {
        let mut solved = skeleton.clone();
        ik::solve(&mut solved, &options(step, 50));
        for (index, (bone, before)) in solved.bones.iter().zip(&skeleton.bones).enumerate() {
            let pulled = [0, 1, 4, 5, 6].contains(&index);
            assert_eq!(bone.pose_deg != before.pose_deg, pulled, "{step:?} bone {index}");
        }
    }
}

#[test]
fn a_reached_target_changes_nothing() {
    let mut skeleton = human();
    let tips = tips(&skeleton);
    skeleton.handles = ENDS.iter().map(|&b| handle(b, tips[b].as_vec3())).collect();
    for step in STEPS {
        let mut solved = skeleton.clone();
        let outcome = ik::solve(&mut solved, &options(step, 10));
        assert_eq!((outcome.converged, outcome.steps), (true, 0));
        assert_eq!(solved, skeleton);
    }
}

#[test]
fn unreachable_targets_straighten_the_limb_and_it_rests() {
    let step = Step::Damped;
    let mut random = Random::new(7);
    for case in 0..20 {
        let mut skeleton = chain(4, Vec3::new(0.0, 0.5, 0.0));
        for bone in &mut skeleton.bones {
            bone.pose_deg = 40.0 * random.vec3(1.0);
        }
        let direction = (random.vec3(1.0) + Vec3::splat(0.01)).normalize();
        skeleton.handles.push(handle(3, 5.0 * direction));
        let outcome = ik::solve(&mut skeleton, &options(step, 2000));
        assert!(outcome.converged, "{step:?} case {case}");
        // The chain is straight: every tip is on the line to the target, as far out as the bones allow.
        for (index, tip) in tips(&skeleton).into_iter().enumerate() {
            let expected = 0.5 * (index + 1) as f64 * direction.as_dvec3();
            assert!(tip.distance(expected) < 1e-4, "{step:?} case {case}: {tip} is not {expected}");
        }
        assert_rests(&skeleton, step);
    }
}

/// Asserts that solving a hundred more times changes nothing.
fn assert_rests(skeleton: &Skeleton, step: Step) {
    let mut again = skeleton.clone();
    for _ in 0..100 {
        let outcome = ik::solve(&mut again, &options(step, 100));
        assert_eq!((outcome.converged, outcome.steps), (true, 0), "{step:?}");
    }
    assert_eq!(&again, skeleton);
}

#[test]
fn conflicting_handles_come_to_rest_between_their_targets() {
    for step in STEPS {
        let mut skeleton = chain(3, Vec3::Y);
        skeleton.handles.push(handle(2, Vec3::new(1.5, 1.0, 0.5)));
        skeleton.handles.push(handle(2, Vec3::new(1.5, 1.0, -0.5)));
        assert!(ik::solve(&mut skeleton, &options(step, 2000)).converged);
        let middle = DVec3::new(1.5, 1.0, 0.0);
        assert!(tips(&skeleton)[2].distance(middle) < 1e-4, "{step:?}");
        assert_rests(&skeleton, step);
    }
}

#[test]
fn a_straight_limb_folds_towards_a_target_on_its_own_line() {
    for step in [Step::Fixed(0.01), Step::Damped] {
        for (bones, target) in [(2, 1.2), (2, 1.999), (5, 3.0), (3, -2.0), (1, -1.0), (2, 0.0)] {
            let mut skeleton = chain(bones, Vec3::Y);
            skeleton.handles.push(handle(bones - 1, Vec3::Y * target));
            assert!(ik::gradient(&skeleton).iter().all(|g| g.length() < 1e-12));
            ik::solve(&mut skeleton, &options(step, 3000));
            let error = tip_errors(&skeleton)[0];
            assert!(error < 1e-3, "{step:?} {bones} bones to {target}: {error}");
        }
    }
}

#[test]
fn angles_beyond_a_full_turn_are_continued_from() {
    let step = Step::Damped;
    let mut skeleton = chain(1, Vec3::Y);
    skeleton.bones[0].pose_deg.x = 720.0;
    skeleton.handles.push(handle(0, Vec3::new(0.0, 1.0, 1.0)));
    assert!(ik::solve(&mut skeleton, &options(step, 100)).converged);
    assert!((skeleton.bones[0].pose_deg.x - 765.0).abs() < 0.1);
}

#[test]
fn a_fixed_step_that_is_too_long_stops_instead_of_rising() {
    let mut skeleton = chain(2, Vec3::new(0.0, 10.0, 0.0));
    skeleton.handles.push(handle(1, Vec3::new(5.0, 12.0, 3.0)));
    let before = skeleton.clone();
    let outcome = ik::solve(&mut skeleton, &options(Step::Fixed(1e3), 100));
    assert!(!outcome.converged);
    assert!(ik::energy(&skeleton) <= ik::energy(&before));
}

#[test]
fn senseless_numbers_end_and_change_nothing() {
    let step = Step::Damped;
    for (target, pose) in [
        (Vec3::splat(f32::NAN), 0.0),
        (Vec3::splat(f32::INFINITY), 0.0),
        (Vec3::ONE, f32::NAN),
        (Vec3::ONE, f32::INFINITY),
    ] {
        let mut skeleton = chain(2, Vec3::Y);
        skeleton.bones[0].pose_deg.x = pose;
        skeleton.handles.push(handle(1, target));
        let outcome = ik::solve(&mut skeleton, &options(step, 100));
        assert_eq!((outcome.converged, outcome.steps), (false, 0));
        assert_eq!(skeleton.bones[0].pose_deg.x.to_bits(), pose.to_bits());
    }
    // Huge and tiny skeletons end too.
    for size in [1e-30, 1e30] {
        let mut skeleton = chain(3, Vec3::new(0.2 * size, size, 0.0));
        skeleton.handles.push(handle(2, Vec3::new(size, size, size)));
        let outcome = ik::solve(&mut skeleton, &options(step, 1000));
        assert!(outcome.converged);
    }
}

#[test]
fn long_chains_are_reached() {
    let mut random = Random::new(8);
    let mut skeleton = chain(200, Vec3::new(0.0, 0.005, 0.0));
    for bone in &mut skeleton.bones {
        bone.pose_deg = 0.06 * random.normal3();
    }
    skeleton.handles.push(handle(199, Vec3::new(0.4, 0.3, -0.2)));
    for step in STEPS {
        let mut solved = skeleton.clone();
        assert!(ik::solve(&mut solved, &options(step, 2000)).converged);
        assert!(tip_errors(&solved)[0] < 1e-5, "{step:?}");
    }
}

/// A link carries a limb and is not turned itself, by any step.
#[test]
fn links_are_never_turned() {
    for step in STEPS {
        let mut skeleton = chain(4, Vec3::Y);
        skeleton.bones[1].link = true;
        skeleton.bones[2].pose_deg = Vec3::new(20.0, 0.0, 10.0);
        skeleton.handles.push(handle(3, Vec3::new(1.0, 2.0, 0.5)));
        let outcome = ik::solve(&mut skeleton, &options(step, 400));
        assert_eq!(skeleton.bones[1].pose_deg, Vec3::ZERO, "{step:?}");
        let last = outcome.energies.last().unwrap();
        assert!(*last < 1e-3 * outcome.energies[0], "{step:?}: {last}");
    }
}
