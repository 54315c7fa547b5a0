//! The exact step counts of the default solver on the human and on a long chain.

use crate::rig_support::*;
use glam::Vec3;
use ossature::rig::ik::{self, Options, Step};
use ossature::rig::skeleton::Skeleton;

const HEIGHT: f64 = 5.3;

fn solve(skeleton: &mut Skeleton, tip_tolerance: f64) -> ik::Outcome {
    let options = Options { max_steps: 200, tip_tolerance, step: Step::Damped };
    ik::solve(skeleton, &options)
}

/// Returns the median and the 95th percentile.
fn spread(mut counts: Vec<usize>) -> (usize, usize) {
    counts.sort_unstable();
    (counts[counts.len() / 2], counts[counts.len() * 95 / 100])
}

#[test]
fn two_hundred_poses_of_the_human_are_found() {
    let (human, mut random) = (human(), Random::new(11));
    let mut steps = Vec::new();
    for case in 0..200 {
        let mut problem = reachable(&human, &ENDS, 30.0, &mut random);
        let outcome = solve(&mut problem, 1e-4 * HEIGHT);
        assert!(tip_errors(&problem).iter().all(|e| *e < 1e-4 * HEIGHT), "case {case}");
        assert!(outcome.passes <= 30, "case {case}: {} passes", outcome.passes);
        steps.push(outcome.steps);
    }
    let (median, p95) = spread(steps);
    assert!(median <= 12 && p95 <= 25, "{median} {p95}");
}

#[test]
fn a_smooth_drag_takes_three_steps_a_frame() {
    let (human, mut random) = (human(), Random::new(12));
    let swing: Vec<Vec3> = human.bones.iter().map(|_| 25.0 * random.normal3()).collect();
    let mut skeleton = human.clone();
    for frame in 0..300 {
        let mut posed = human.clone();
        for (i, (bone, swing)) in posed.bones.iter_mut().zip(&swing).enumerate() {
            bone.pose_deg = *swing * ((frame as f32 * 0.021 + i as f32).sin() - (i as f32).sin());
        }
        let tips = tips(&posed);
        skeleton.handles = ENDS.iter().map(|&b| handle(b, tips[b].as_vec3())).collect();
        let outcome = solve(&mut skeleton, 1e-4 * HEIGHT);
        assert!(outcome.steps <= 3, "frame {frame}: {} steps", outcome.steps);
        assert!(tip_errors(&skeleton).iter().all(|e| *e < 1e-4 * HEIGHT), "frame {frame}");
    }
}

#[test]
fn a_chain_of_two_hundred_bones_is_found() {
    let mut random = Random::new(13);
    let mut steps = Vec::new();
    for case in 0..200 {
        let mut problem = chain(200, Vec3::Y * 0.005);
        for bone in &mut problem.bones {
            bone.pose_deg = 1e-3f32.to_degrees() * random.normal3();
        }
        let target = std::iter::repeat_with(|| random.vec3(1.0)).find(|t| t.length() < 1.0);
        problem.handles.push(handle(199, 0.9 * target.unwrap()));
        steps.push(solve(&mut problem, 1e-4).steps);
        assert!(tip_errors(&problem)[0] < 1e-4, "case {case}");
    }
    let (median, p95) = spread(steps);
    assert!(median <= 12 && p95 <= 30, "{median} {p95}");
}
