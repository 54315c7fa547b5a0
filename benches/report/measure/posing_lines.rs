//! The rows of the report on inverse kinematics in animators' tasks.

use super::Scale;
use super::drift::drift;
use super::legs::{bowing, crouching, lifting};
use super::posing::{body_drag, circling, clamped, random_poses, whole_bodies};
use super::table::Line;
use super::time::median;
use ossature::rig::skeleton::Skeleton;

pub fn lines(scale: &Scale) -> Vec<Line> {
    let (problems, bodies, circles) = if scale.quick { (20, 10, 2) } else { (200, 100, 60) };
    let poses = random_poses(problems, Skeleton::WEAK_PRIOR, true);
    let no_prior = random_poses(problems, 0.0, true);
    let no_bends = random_poses(problems, 0.0, false);
    let bodies = whole_bodies(bodies);
    let drag = body_drag(if scale.quick { 60 } else { 600 });
    let [oriented, free] = [crouching(true), crouching(false)];
    let (lifted, bowed) = (lifting(), bowing());
    let drifted = drift(if scale.quick { 1 } else { 20 });
    let rejected = [clamped(problems, false), clamped(problems, true)];
    let circles = [circling(circles, Skeleton::WEAK_PRIOR), circling(circles, 0.0)];
    let [with, without] = circles;
    let broken =
        [&poses, &no_prior, &no_bends, &bodies].map(|counts| (counts.outside_limits + counts.rising) as f64);
    vec![
        poses.line("IK within limits, human, 5 handles, weak prior", 99.0),
        no_prior.line("IK within limits, human, 5 handles, no prior", 99.0),
        no_bends.line(
            "IK within limits, human, 5 handles, no prior, no preferred bends",
            0.0,
        ),
        rejected[0].line("IK, not taken: solved without limits, then clamped", 0.0),
        rejected[1].line("IK, not taken: clamped after each step", 0.0),
        bodies.line(
            "IK, whole body: 6 positions, 2 orientations, 4 poles, look-at",
            100.0,
        ),
        Line::new(
            "IK within limits: poses outside, or energies that rose",
            broken.iter().sum(),
            "",
        )
        .at_most(0.0, 0.0),
        Line::new("IK, crouch on pinned feet: a foot slips by at most", 1e3 * oriented.foot_slip.max(free.foot_slip), "/1000")
            .at_most(30.0, 30.0)
            .note("of skeleton units; the human is 5.6 tall"),
        Line::new("IK, crouch on pinned feet: a knee strays aside by at most", oriented.knee_sideways.max(free.knee_sideways), "units")
            .at_most(0.15, 0.1)
            .note("0.3 would be the other knee's place"),
        Line::new(
            "IK, crouch on pinned feet: largest turn of a bone in space a frame",
            oriented.rotation_deg.max(free.rotation_deg),
            "°",
        )
        .at_most(15.0, 15.0),
        Line::new(
            "IK, a foot lifted by its own handle: largest turn of a bone in space a frame",
            lifted.rotation_deg,
            "°",
        )
        .at_most(15.0, 15.0),
        Line::new(
            "IK, a hand led to the floor in balance: largest turn of a bone in space a frame",
            bowed.rotation_deg,
            "°",
        )
        .at_most(15.0, 15.0)
        .note("120 frames on pinned feet, the root free"),
        Line::new("IK, a hand led to the floor in balance: time of a frame", 1e3 * bowed.seconds, "ms")
            .at_most(2.0, 0.5),
        Line::new("IK, circling hand: drift after three rounds", drifted, "°")
            .at_most(0.1, 0.1)
            .note("as the window drags: a session, each frame applied"),
        Line::new(
            "IK, circling hand: largest change of an angle a frame",
            with.largest,
            "°",
        )
        .at_most(35.0, 35.0)
        .note(format!(
            "p95 {:.1}°; the target {:.1}° about the shoulder; without prior {:.1}°, p95 {:.1}°",
            with.p95, with.target_deg, without.largest, without.p95
        )),
        Line::new(
            "IK, circling hand: largest turn of a bone in space a frame",
            with.rotation_deg,
            "°",
        )
        .at_most(35.0, 35.0)
        .note(format!(
            "p95 {:.1}°; without prior {:.1}°",
            with.rotation_p95_deg, without.rotation_deg
        )),
        Line::new(
            "IK, circling hand: largest change of an angle a frame, against what the target's way asks of shoulder and elbow",
            with.relative_change,
            "times",
        )
        .at_most(2.0, 2.0)
        .note(format!("without prior {:.2}", without.relative_change)),
        Line::new("IK, whole body: time", 1e3 * median(bodies.seconds.clone()), "ms").at_most(2.0, 2.0),
        Line::new(
            "IK, whole body, one hand circling: time of a frame",
            1e3 * median(drag.seconds.clone()),
            "ms",
        )
        .at_most(2.0, 0.5)
        .note(drag.note()),
    ]
}
