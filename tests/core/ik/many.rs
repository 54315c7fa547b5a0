//! Very many handles, distant targets and tiny models: solving ends in bounded time and reports the outcome.

use super::options;
use crate::rig_support::*;
use glam::Vec3;
use ossature::rig::ik::{self, End, Options, Step};
use ossature::rig::skeleton::Skeleton;
use std::time::{Duration, Instant};

/// Returns a straight chain with a handle on each bone, with targets on a bent chain.
fn many_handles(count: usize) -> Skeleton {
    let mut random = Random::new(3);
    let mut bent = chain(count, Vec3::Y);
    for bone in &mut bent.bones {
        bone.pose_deg = 8.0 * random.vec3(1.0);
    }
    let targets = tips(&bent);
    let mut skeleton = chain(count, Vec3::Y);
    for (bone, target) in targets.iter().enumerate() {
        skeleton.handles.push(handle(bone, target.as_vec3()));
    }
    skeleton
}

/// Above a certain size the damped step is found by iteration: it is the same step and gets as far.
#[test]
fn many_handles_are_reached_like_few() {
    for count in [20, 60] {
        let mut skeleton = many_handles(count);
        let outcome = ik::solve(&mut skeleton, &Options::default());
        assert_eq!(outcome.end, End::Reached, "{count}: {:?}", outcome.farthest);
        assert!(outcome.energies.is_sorted_by(|a, b| a >= b));
    }
}

/// No matrix over all handles is built: that took 7 s at 300 and did not end at 4,000.
#[test]
fn thousands_of_handles_end_in_bounded_time() {
    for count in [300, 4000, 20_000] {
        let mut skeleton = many_handles(count);
        let before = ik::energy(&skeleton);
        let begun = Instant::now();
        let outcome = ik::solve(&mut skeleton, &Options::default());
        let took = begun.elapsed();
        assert!(outcome.energies.last().unwrap() < &before);
        // Unoptimised builds run this alongside other tests: it bounds work, not speed.
        assert!(took < Duration::from_secs(20), "{count} handles took {took:?}");
        assert!(outcome.passes * count < 4_000_000, "{count}: {} passes", outcome.passes);
    }
}

#[test]
fn absurd_targets_are_out_of_reach_and_tiny_models_are_solved() {
    let step = Step::Damped;
    for far in [1e11, 1e30, 1e38] {
        let mut skeleton = chain(3, Vec3::new(0.1, 1.0, 0.0));
        skeleton.handles.push(handle(2, Vec3::new(far, 0.0, 0.0)));
        let outcome = ik::solve(&mut skeleton, &options(step, 2000));
        assert_eq!(outcome.end, End::OutOfReach, "{step:?} {far}");
        assert!(outcome.steps > 0);
        // The chain stretches towards the target.
        let tip = tips(&skeleton)[2];
        assert!(tip.x > 0.999 * 3.0 * 1.01_f64.sqrt(), "{step:?} {far}: {tip}");
    }
    for size in [1e-7, 1e-9, 1e-20] {
        let mut skeleton = chain(3, Vec3::new(0.1, 1.0, 0.0) * size);
        skeleton.handles.push(handle(2, Vec3::new(1.0, 1.5, 0.5) * size));
        let outcome = ik::solve(&mut skeleton, &options(step, 2000));
        assert_eq!(outcome.end, End::Reached, "{step:?} {size}");
        assert!(outcome.steps > 0 && tip_errors(&skeleton)[0] < 2e-3 * 3.1 * f64::from(size));
    }
    // Running out of steps is reported.
    let mut skeleton = chain(3, Vec3::Y);
    skeleton.handles.push(handle(2, Vec3::new(1.0, 1.0, 1.0)));
    assert_eq!(ik::solve(&mut skeleton, &options(step, 1)).end, End::Unfinished);
}
