//! Inverse kinematics as an animator meets it, on the human of this repository with its limits: poses within limits,
//! circling hands, whole bodies.

use super::Scale;
use super::drift::drift;
use super::legs::{bowing, crouching, lifting};
use super::table::{Line, seconds};
use super::time::{median, p95};
use crate::random::Random;
use glam::{DAffine3, DQuat, DVec3, Quat, Vec3};
use ossature::io::js3d;
use ossature::rig::ik::chain::{bend, limb};
use ossature::rig::ik::{self, Options, Outcome, TaskKind};
use ossature::rig::kinematics::{bind_pose, current_pose, tips};
use ossature::rig::skeleton::{Handle, LookAt, Orientation, Pole, Skeleton};
use ossature::scene::Scene;
use std::path::Path;
use std::time::Instant;

/// What hands, feet and the head are called.
const HANDS: [&str; 2] = ["hand.L", "hand.R"];
const FEET: [&str; 2] = ["shin.L", "shin.R"];
const HEAD: &str = "head";

pub(super) fn human_scene() -> Scene {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d/A4-human.js3d");
    match js3d::read_file(&path) {
        Ok((scene, _)) => scene,
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

pub fn human() -> Skeleton {
    (*human_scene().skinned_meshes["Human_skinned_mesh"].skeleton).clone()
}

pub(super) fn bone(skeleton: &Skeleton, name: &str) -> usize {
    let found = (0..skeleton.bones.len()).find(|&bone| skeleton.bone_name(bone) == name);
    found.unwrap_or_else(|| panic!("the human has no {name}"))
}

/// From the lowest to the highest tail.
pub(super) fn height(skeleton: &Skeleton) -> f64 {
    let tips = tips(skeleton, &bind_pose(skeleton));
    let (low, high) = tips.iter().fold((f64::MAX, f64::MIN), |(low, high), tip| {
        (low.min(tip.y), high.max(tip.y))
    });
    high - low
}

/// Any pose within the limits; what has none stays.
fn any_pose(skeleton: &Skeleton, random: &mut Random) -> Skeleton {
    let mut posed = skeleton.clone();
    for bone in &mut posed.bones {
        for (angle, range) in bone.limits_deg.0.iter().enumerate() {
            if let Some([low, high]) = range {
                bone.pose_deg[angle] = low + (high - low) * (0.5 + 0.5 * random.unit());
            }
        }
        bone.pose_deg = bone.limits_deg.clamp(bone.pose_deg);
    }
    posed
}

pub(super) fn handle(bone: usize, target: DVec3) -> Handle {
    Handle {
        bone: bone as u32,
        target: target.as_vec3(),
        enabled: true,
        ..Handle::default()
    }
}

fn reached(outcome: &Outcome, height: f64, part: f64) -> bool {
    outcome.tasks.iter().all(|task| match task.task {
        TaskKind::Position => task.error <= part * height,
        // Of a limb that is nearly straight, no pole can say which way it bends.
        TaskKind::Pole => task.error <= 1.0 || task.reached,
        TaskKind::Orientation | TaskKind::LookAt => task.error <= 1.0,
    })
}

fn within_limits(skeleton: &Skeleton) -> bool {
    skeleton
        .bones
        .iter()
        .all(|bone| bone.limits_deg.contain(bone.pose_deg))
}

/// What was counted over some problems.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    pub problems: usize,
    pub solved: usize,
    /// Poses with an angle outside of its limits, and solves in which the energy rose.
    pub outside: usize,
    pub risen: usize,
    pub steps: Vec<f64>,
    pub seconds: Vec<f64>,
}

impl Counts {
    fn solve(&mut self, skeleton: &mut Skeleton, height: f64, part: f64) -> Outcome {
        let begun = Instant::now();
        let outcome = ik::solve(skeleton, &Options::default());
        self.seconds.push(begun.elapsed().as_secs_f64());
        self.problems += 1;
        self.solved += usize::from(reached(&outcome, height, part));
        self.outside += usize::from(!within_limits(skeleton));
        self.risen += usize::from(!outcome.energies.is_sorted_by(|a, b| a >= b));
        self.steps.push(outcome.steps as f64);
        outcome
    }

    fn note(&self) -> String {
        format!(
            "{} of {}; steps {} / {}, {} / {} a pose (median / p95)",
            self.solved,
            self.problems,
            median(self.steps.clone()),
            p95(self.steps.clone()),
            seconds(median(self.seconds.clone())),
            seconds(p95(self.seconds.clone())),
        )
    }

    fn line(&self, what: &str, accept: f64) -> Line {
        let percent = 100.0 * self.solved as f64 / self.problems as f64;
        Line::new(what, percent, "% solved")
            .at_least(accept, accept)
            .note(self.note())
    }
}

/// Hands, feet and head.
fn ends(human: &Skeleton) -> Vec<usize> {
    let names = HANDS.into_iter().chain(FEET).chain([HEAD]);
    names.map(|name| bone(human, name)).collect()
}

/// Hands, feet and head taken to where another pose within the limits has them, from the pose at rest. `bends`: whether
/// bones have their preferred bends.
pub fn random_poses(problems: usize, prior: f32, bends: bool) -> Counts {
    let (mut human, mut random, mut counts) = (human(), Random::new(41), Counts::default());
    human.ik_prior = prior;
    if !bends {
        human.bones.iter_mut().for_each(|bone| bone.preferred_deg = None);
    }
    let height = height(&human);
    let ends = ends(&human);
    for _ in 0..problems {
        let posed = any_pose(&human, &mut random);
        let tips = tips(&posed, &current_pose(&posed));
        let mut skeleton = human.clone();
        skeleton.handles = ends.iter().map(|&end| handle(end, tips[end])).collect();
        counts.solve(&mut skeleton, height, 1e-4);
    }
    counts
}

/// Largest change of an angle between two frames in degrees, and its p95.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Circling {
    pub largest: f64,
    pub p95: f64,
    /// Largest turn of a bone in space between two frames in degrees, whatever its three angles do, and its p95.
    pub turned: f64,
    pub turned_p95: f64,
    /// Of the target about the shoulder, the largest a frame.
    pub target: f64,
    /// Largest change of an angle in a frame as a multiple of what the way of the target in that frame asks of an arm of two
    /// bones: of the shoulder the angle about it, of the elbow the change of its bend by the law of cosines.
    pub asked: f64,
}

/// Angle between two bones of these lengths whose ends are so far apart, or as far as they reach. Degrees.
fn bend_deg([upper, lower]: [f64; 2], distance: f64) -> f64 {
    let distance = distance.clamp((upper - lower).abs(), upper + lower);
    let cos = (upper * upper + lower * lower - distance * distance) / (2.0 * upper * lower);
    cos.clamp(-1.0, 1.0).acos().to_degrees()
}

/// A hand that goes around in circles of 15 % of the height, sixty frames each.
pub fn circling(circles: usize, prior: f32) -> Circling {
    let (mut human, mut random, mut found) = (human(), Random::new(43), Circling::default());
    human.ik_prior = prior;
    let height = height(&human);
    let hand = bone(&human, HANDS[0]);
    let at = tips(&human, &current_pose(&human));
    let [shoulder, elbow] = ["clavicle.L", "upper_arm.L"].map(|name| at[bone(&human, name)]);
    let arm = [shoulder.distance(elbow), elbow.distance(at[hand])];
    let (mut jumps, mut turns) = (Vec::new(), Vec::new());
    for _ in 0..circles {
        let first = random.vec3(1.0).as_dvec3().normalize_or(DVec3::X);
        let second = first.any_orthonormal_vector();
        let mut before = None::<(Vec<Vec3>, Vec<DAffine3>, DVec3)>;
        for frame in 0..=60 {
            let (sin, cos) = (f64::from(frame) / 60.0 * std::f64::consts::TAU).sin_cos();
            let target = at[hand] + 0.15 * height * (first * cos + second * sin);
            let mut skeleton = human.clone();
            skeleton.handles = vec![handle(hand, target)];
            skeleton.handles[0].chain = Some(limb(&skeleton, hand));
            ik::solve(&mut skeleton, &Options::default());
            let pose: Vec<Vec3> = skeleton.bones.iter().map(|bone| bone.pose_deg).collect();
            let apart = |other: &[Vec3]| {
                let changes = pose.iter().zip(other).map(|(a, b)| (*a - *b).abs().max_element());
                f64::from(changes.fold(0.0, f32::max))
            };
            let placed = current_pose(&skeleton);
            if let Some((before, stood, last)) = &before {
                jumps.push(apart(before));
                let turned = placed.iter().zip(stood).map(|(now, then)| {
                    DQuat::from_mat3(&(now.matrix3 * then.matrix3.transpose())).angle_between(DQuat::IDENTITY)
                });
                turns.push(turned.fold(0.0, f64::max).to_degrees());
                let angle = (target - shoulder).angle_between(*last - shoulder).to_degrees();
                found.target = found.target.max(angle);
                let bends = [*last, target].map(|to| bend_deg(arm, to.distance(shoulder)));
                found.asked = found
                    .asked
                    .max(apart(before) / angle.max((bends[1] - bends[0]).abs()));
            }
            before = Some((pose, placed, target));
        }
    }
    found.largest = jumps.iter().copied().fold(0.0, f64::max);
    found.p95 = p95(jumps);
    found.turned = turns.iter().copied().fold(0.0, f64::max);
    found.turned_p95 = p95(turns);
    found
}

/// Positions of hands and feet, orientations of the feet, poles at elbows and knees and a look of the head, all as another
/// pose within the limits has them; every second time with a free root that has moved.
pub fn whole_bodies(problems: usize) -> Counts {
    let (human, mut random, mut counts) = (human(), Random::new(47), Counts::default());
    let height = height(&human);
    for problem in 0..problems {
        let mut posed = any_pose(&human, &mut random);
        let mut skeleton = human.clone();
        skeleton.root_free = problem % 2 == 1;
        if skeleton.root_free {
            posed.base_offset = 0.1 * height as f32 * random.vec3(1.0);
        }
        skeleton.handles = body_handles(&posed);
        counts.solve(&mut skeleton, height, 1e-3);
    }
    counts
}

/// Seconds of each frame of a drag: all the tasks of [`whole_bodies`] as the pose at rest has them, and a hand that goes
/// around in a circle of 15 % of the height.
pub fn body_drag(frames: usize) -> Counts {
    let (human, mut counts) = (human(), Counts::default());
    let height = height(&human);
    let handles = body_handles(&human);
    let at = handles[0].target.as_dvec3();
    for frame in 0..frames {
        let (sin, cos) = (frame as f64 / 60.0 * std::f64::consts::TAU).sin_cos();
        let mut skeleton = human.clone();
        skeleton.handles = handles.clone();
        let target = at + 0.15 * height * DVec3::new(0.6 * (cos - 1.0), 0.0, 0.6 * sin);
        skeleton.handles[0].target = target.as_vec3();
        counts.solve(&mut skeleton, height, 1e-3);
    }
    counts
}

/// Ways to keep limits that were tried by others and not taken: limits left out of the solve and the pose clamped at its
/// end, or after each step.
pub fn clamped(problems: usize, each_step: bool) -> Counts {
    let (human, mut random, mut counts) = (human(), Random::new(41), Counts::default());
    let height = height(&human);
    let ends = ends(&human);
    let one_step = Options {
        max_steps: 1,
        ..Options::default()
    };
    for _ in 0..problems {
        let posed = any_pose(&human, &mut random);
        let tips_wanted = tips(&posed, &current_pose(&posed));
        let mut free = human.clone();
        free.ik_prior = 0.0;
        for bone in &mut free.bones {
            (bone.limits_deg, bone.preferred_deg) = Default::default();
        }
        free.handles = ends.iter().map(|&end| handle(end, tips_wanted[end])).collect();
        let clamp = |free: &mut Skeleton| {
            for (bone, limited) in free.bones.iter_mut().zip(&human.bones) {
                bone.pose_deg = limited.limits_deg.clamp(bone.pose_deg);
            }
        };
        let begun = Instant::now();
        let mut steps = 0;
        let near = |free: &Skeleton| {
            let at = tips(free, &current_pose(free));
            ends.iter()
                .all(|&end| at[end].distance(tips_wanted[end]) <= 1e-4 * height)
        };
        match each_step {
            true => {
                while steps < 100 && !near(&free) {
                    ik::solve(&mut free, &one_step);
                    clamp(&mut free);
                    steps += 1;
                }
            }
            false => {
                steps = ik::solve(&mut free, &Options::default()).steps;
                clamp(&mut free);
            }
        }
        counts.seconds.push(begun.elapsed().as_secs_f64());
        counts.problems += 1;
        counts.solved += usize::from(near(&free));
        counts.outside += usize::from(
            !free
                .bones
                .iter()
                .zip(&human.bones)
                .all(|(bone, limited)| limited.limits_deg.contain(bone.pose_deg)),
        );
        counts.steps.push(f64::from(steps as u32));
    }
    counts
}

fn body_handles(posed: &Skeleton) -> Vec<Handle> {
    let current = current_pose(posed);
    let at = tips(posed, &current);
    let mut handles = Vec::new();
    for (names, feet) in [(["forearm.L", "forearm.R"], false), (FEET, true)] {
        for name in names {
            let end = bone(posed, name);
            let mut limb_of = handle(end, at[end]);
            limb_of.pole = bend(posed, &limb_of).map(|[upper, lower]| {
                let [hip, knee] = [upper, lower].map(|bone| current[bone].translation);
                let line = (at[end] - hip).normalize_or(DVec3::Y);
                let out = (knee - hip) - line * line.dot(knee - hip);
                Pole {
                    point: (knee + out.normalize_or(DVec3::Z)).as_vec3(),
                    weight: 1.0,
                }
            });
            handles.push(limb_of);
            if feet {
                let foot = name.replace("shin", "foot");
                let foot = bone(posed, &foot);
                let mut turned = handle(foot, at[foot]);
                turned.orientation = Some(Orientation {
                    rotation: Quat::from_mat3(&current[foot].matrix3.as_mat3()),
                    weight: 1.0,
                });
                handles.push(turned);
            }
        }
    }
    let head = bone(posed, HEAD);
    let axis = Vec3::Z;
    let ahead = current[head].matrix3 * axis.as_dvec3();
    let mut look = handle(head, current[head].translation + 3.0 * ahead);
    look.look_at = Some(LookAt { axis, weight: 1.0 });
    handles.push(look);
    handles
}

pub fn lines(scale: &Scale) -> Vec<Line> {
    let (problems, bodies, circles) = if scale.quick { (20, 10, 2) } else { (200, 100, 60) };
    let poses = random_poses(problems, Skeleton::WEAK_PRIOR, true);
    let plain = random_poses(problems, 0.0, true);
    let once = random_poses(problems, 0.0, false);
    let bodies = whole_bodies(bodies);
    let drag = body_drag(if scale.quick { 60 } else { 600 });
    let [flat, held] = [crouching(true), crouching(false)];
    let (lifted, bowed) = (lifting(), bowing());
    let drifted = drift(if scale.quick { 1 } else { 20 });
    let rejected = [clamped(problems, false), clamped(problems, true)];
    let circles = [circling(circles, Skeleton::WEAK_PRIOR), circling(circles, 0.0)];
    let [with, without] = circles;
    let broken = [&poses, &plain, &once, &bodies].map(|counts| (counts.outside + counts.risen) as f64);
    vec![
        poses.line("IK within limits, human, 5 handles, weak prior", 99.0),
        plain.line("IK within limits, human, 5 handles, no prior", 99.0),
        once.line(
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
        Line::new("IK, crouch on pinned feet: a foot slips by at most", 1e3 * flat.slips.max(held.slips), "/1000")
            .at_most(30.0, 30.0)
            .note("of skeleton units; the human is 5.6 tall"),
        Line::new("IK, crouch on pinned feet: a knee strays aside by at most", flat.aside.max(held.aside), "units")
            .at_most(0.15, 0.1)
            .note("0.3 would be the other knee's place"),
        Line::new(
            "IK, crouch on pinned feet: largest turn of a bone in space a frame",
            flat.turned.max(held.turned),
            "°",
        )
        .at_most(15.0, 15.0),
        Line::new(
            "IK, a foot lifted by its own handle: largest turn of a bone in space a frame",
            lifted.turned,
            "°",
        )
        .at_most(15.0, 15.0),
        Line::new(
            "IK, a hand led to the floor in balance: largest turn of a bone in space a frame",
            bowed.turned,
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
            with.p95, with.target, without.largest, without.p95
        )),
        Line::new(
            "IK, circling hand: largest turn of a bone in space a frame",
            with.turned,
            "°",
        )
        .at_most(35.0, 35.0)
        .note(format!(
            "p95 {:.1}°; without prior {:.1}°",
            with.turned_p95, without.turned
        )),
        Line::new(
            "IK, circling hand: largest change of an angle a frame, against what the target's way asks of shoulder and elbow",
            with.asked,
            "times",
        )
        .at_most(2.0, 2.0)
        .note(format!("without prior {:.2}", without.asked)),
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
