//! Measures inverse kinematics in animators' tasks, on the human of this repository with its joint limits:
//! poses within limits, circling hands, whole bodies.

use super::table::{Line, seconds};
use super::time::{median, p95};
use crate::random::Random;
use glam::{DAffine3, DQuat, DVec3, Quat, Vec3};
use ossature::io::js3d;
use ossature::rig::body::joint::bend_bones;
use ossature::rig::body::limb::limb;
use ossature::rig::ik::{self, Options, Outcome, TaskKind};
use ossature::rig::kinematics::{bind_pose, current_pose, tips};
use ossature::rig::skeleton::{Handle, LookAt, Orientation, Pole, Skeleton};
use ossature::scene::Scene;
use std::path::Path;
use std::time::Instant;

/// The names of hands, feet and head.
const HANDS: [&str; 2] = ["hand.L", "hand.R"];
const FEET: [&str; 2] = ["shin.L", "shin.R"];
const HEAD: &str = "head";

pub(super) fn human_scene() -> Scene {
    media("A4-human.js3d")
}

fn media(name: &str) -> Scene {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d").join(name);
    match js3d::read_file(&path) {
        Ok((scene, _)) => scene,
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

pub fn human() -> Skeleton {
    (*human_scene().skinned_meshes["Human_skinned_mesh"].skeleton).clone()
}

pub(super) fn giraffe() -> Skeleton {
    let scene = media("quadruped.js3d");
    let skinned = scene.skinned_meshes.values().next().expect("the giraffe has a mesh");
    (*skinned.skeleton).clone()
}

pub(super) fn bone(skeleton: &Skeleton, name: &str) -> usize {
    let found = (0..skeleton.bones.len()).find(|&bone| skeleton.bone_name(bone) == name);
    found.unwrap_or_else(|| panic!("there is no {name}"))
}

/// Returns the height from the lowest to the highest tail.
pub(super) fn height(skeleton: &Skeleton) -> f64 {
    let tips = tips(skeleton, &bind_pose(skeleton));
    let (low, high) =
        tips.iter().fold((f64::MAX, f64::MIN), |(low, high), tip| (low.min(tip.y), high.max(tip.y)));
    high - low
}

/// Returns a random pose within the limits; angles without limits stay.
fn random_pose(skeleton: &Skeleton, random: &mut Random) -> Skeleton {
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
    Handle { bone: bone as u32, target: target.as_vec3(), enabled: true, ..Handle::default() }
}

fn reached(outcome: &Outcome, height: f64, part: f64) -> bool {
    outcome.tasks.iter().all(|task| match task.task {
        TaskKind::Position => task.error <= part * height,
        // A pole cannot define the bend of a nearly straight limb.
        TaskKind::Pole => task.error <= 1.0 || task.reached,
        _ => task.error <= 1.0,
    })
}

fn within_limits(skeleton: &Skeleton) -> bool {
    skeleton.bones.iter().all(|bone| bone.limits_deg.contains(bone.pose_deg))
}

/// Statistics over a number of problems.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    pub problems: usize,
    pub solved: usize,
    /// The number of poses with an angle outside its limits.
    pub outside_limits: usize,
    /// The number of solves in which the energy rose.
    pub rising: usize,
    pub steps: Vec<f64>,
    pub seconds: Vec<f64>,
}

impl Counts {
    fn solve(&mut self, skeleton: &mut Skeleton, height: f64, part: f64) -> Outcome {
        let start = Instant::now();
        let outcome = ik::solve(skeleton, &Options::default());
        self.seconds.push(start.elapsed().as_secs_f64());
        self.problems += 1;
        self.solved += usize::from(reached(&outcome, height, part));
        self.outside_limits += usize::from(!within_limits(skeleton));
        self.rising += usize::from(!outcome.energies.is_sorted_by(|a, b| a >= b));
        self.steps.push(outcome.steps as f64);
        outcome
    }

    pub fn note(&self) -> String {
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

    pub fn line(&self, label: &str, accept: f64) -> Line {
        let percent = 100.0 * self.solved as f64 / self.problems as f64;
        Line::new(label, percent, "% solved").at_least(accept, accept).note(self.note())
    }
}

/// Returns the bones of hands, feet and head.
fn ends(human: &Skeleton) -> Vec<usize> {
    let names = HANDS.into_iter().chain(FEET).chain([HEAD]);
    names.map(|name| bone(human, name)).collect()
}

/// Solves for hands, feet and head to reach their positions in another pose within the limits, from the rest
/// pose. `bends`: whether bones have their preferred bends.
pub fn random_poses(problems: usize, prior: f32, bends: bool) -> Counts {
    let (mut human, mut random, mut counts) = (human(), Random::new(41), Counts::default());
    human.ik_prior = prior;
    if !bends {
        human.bones.iter_mut().for_each(|bone| bone.preferred_deg = None);
    }
    let height = height(&human);
    let ends = ends(&human);
    for _ in 0..problems {
        let posed = random_pose(&human, &mut random);
        let tips = tips(&posed, &current_pose(&posed));
        let mut skeleton = human.clone();
        skeleton.handles = ends.iter().map(|&end| handle(end, tips[end])).collect();
        counts.solve(&mut skeleton, height, 1e-4);
    }
    counts
}

/// Measurements of a circling hand.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Circling {
    /// The largest change of an angle between two frames, in degrees.
    pub largest: f64,
    /// The 95th percentile of `largest`.
    pub p95: f64,
    /// The largest rotation of a bone in space between two frames, in degrees, regardless of its three
    /// angles.
    pub rotation_deg: f64,
    /// The 95th percentile of `rotation_deg`.
    pub rotation_p95_deg: f64,
    /// The largest angle of the target about the shoulder between two frames, in degrees.
    pub target_deg: f64,
    /// The largest change of an angle in a frame relative to the change that the target requires of an arm of
    /// two bones: for the shoulder the angle about it, for the elbow the change of its bend by the law of
    /// cosines.
    pub relative_change: f64,
}

/// Returns the angle in degrees between two bones of these lengths whose ends are `distance` apart, or as
/// close to that as they can be.
fn bend_deg([upper, lower]: [f64; 2], distance: f64) -> f64 {
    let distance = distance.clamp((upper - lower).abs(), upper + lower);
    let cos = (upper * upper + lower * lower - distance * distance) / (2.0 * upper * lower);
    cos.clamp(-1.0, 1.0).acos().to_degrees()
}

/// Moves a hand around circles of 15 % of the height, in sixty frames each.
pub fn circling(circles: usize, prior: f32) -> Circling {
    let (mut human, mut random, mut found) = (human(), Random::new(43), Circling::default());
    human.ik_prior = prior;
    let height = height(&human);
    let hand = bone(&human, HANDS[0]);
    let rest = tips(&human, &current_pose(&human));
    let [shoulder, elbow] = ["clavicle.L", "upper_arm.L"].map(|name| rest[bone(&human, name)]);
    let arm = [shoulder.distance(elbow), elbow.distance(rest[hand])];
    let (mut jumps, mut rotations) = (Vec::new(), Vec::new());
    for _ in 0..circles {
        let first = random.vec3(1.0).as_dvec3().normalize_or(DVec3::X);
        let second = first.any_orthonormal_vector();
        let mut before = None::<(Vec<Vec3>, Vec<DAffine3>, DVec3)>;
        for frame in 0..=60 {
            let (sin, cos) = (f64::from(frame) / 60.0 * std::f64::consts::TAU).sin_cos();
            let target = rest[hand] + 0.15 * height * (first * cos + second * sin);
            let mut skeleton = human.clone();
            skeleton.handles = vec![handle(hand, target)];
            skeleton.handles[0].chain = Some(limb(&skeleton, hand));
            ik::solve(&mut skeleton, &Options::default());
            let pose: Vec<Vec3> = skeleton.bones.iter().map(|bone| bone.pose_deg).collect();
            let largest_change = |other: &[Vec3]| {
                let changes = pose.iter().zip(other).map(|(a, b)| (*a - *b).abs().max_element());
                f64::from(changes.fold(0.0, f32::max))
            };
            let current = current_pose(&skeleton);
            if let Some((last_pose, last_current, last)) = &before {
                jumps.push(largest_change(last_pose));
                let rotated = current.iter().zip(last_current).map(|(after, before)| {
                    DQuat::from_mat3(&(after.matrix3 * before.matrix3.transpose()))
                        .angle_between(DQuat::IDENTITY)
                });
                rotations.push(rotated.fold(0.0, f64::max).to_degrees());
                let angle = (target - shoulder).angle_between(*last - shoulder).to_degrees();
                found.target_deg = found.target_deg.max(angle);
                let bends = [*last, target].map(|to| bend_deg(arm, to.distance(shoulder)));
                found.relative_change = found
                    .relative_change
                    .max(largest_change(last_pose) / angle.max((bends[1] - bends[0]).abs()));
            }
            before = Some((pose, current, target));
        }
    }
    found.largest = jumps.iter().copied().fold(0.0, f64::max);
    found.p95 = p95(jumps);
    found.rotation_deg = rotations.iter().copied().fold(0.0, f64::max);
    found.rotation_p95_deg = p95(rotations);
    found
}

/// Solves for positions of hands and feet, orientations of the feet, poles of elbows and knees and a look-at
/// of the head, all taken from another pose within the limits; every second time with a free root that has
/// moved.
pub fn whole_bodies(problems: usize) -> Counts {
    let (human, mut random, mut counts) = (human(), Random::new(47), Counts::default());
    let height = height(&human);
    for problem in 0..problems {
        let mut posed = random_pose(&human, &mut random);
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

/// Measures the frames of a drag with all the tasks of [`whole_bodies`], taken from the rest pose, and a hand
/// that moves around a circle of 15 % of the height.
pub fn body_drag(frames: usize) -> Counts {
    let (human, mut counts) = (human(), Counts::default());
    let height = height(&human);
    let handles = body_handles(&human);
    let start = handles[0].target.as_dvec3();
    for frame in 0..frames {
        let (sin, cos) = (frame as f64 / 60.0 * std::f64::consts::TAU).sin_cos();
        let mut skeleton = human.clone();
        skeleton.handles = handles.clone();
        let target = start + 0.15 * height * DVec3::new(0.6 * (cos - 1.0), 0.0, 0.6 * sin);
        skeleton.handles[0].target = target.as_vec3();
        counts.solve(&mut skeleton, height, 1e-3);
    }
    counts
}

/// Measures rejected alternatives for joint limits: solving without limits and clamping the pose at the end,
/// or after each step.
pub fn clamped(problems: usize, each_step: bool) -> Counts {
    let (human, mut random, mut counts) = (human(), Random::new(41), Counts::default());
    let height = height(&human);
    let ends = ends(&human);
    let one_step = Options { max_steps: 1, ..Options::default() };
    for _ in 0..problems {
        let posed = random_pose(&human, &mut random);
        let targets = tips(&posed, &current_pose(&posed));
        let mut free = human.clone();
        free.ik_prior = 0.0;
        for bone in &mut free.bones {
            (bone.limits_deg, bone.preferred_deg) = Default::default();
        }
        free.handles = ends.iter().map(|&end| handle(end, targets[end])).collect();
        let clamp = |free: &mut Skeleton| {
            for (bone, limited) in free.bones.iter_mut().zip(&human.bones) {
                bone.pose_deg = limited.limits_deg.clamp(bone.pose_deg);
            }
        };
        let start = Instant::now();
        let mut steps = 0;
        let is_reached = |free: &Skeleton| {
            let tips = tips(free, &current_pose(free));
            ends.iter().all(|&end| tips[end].distance(targets[end]) <= 1e-4 * height)
        };
        match each_step {
            true => {
                while steps < 100 && !is_reached(&free) {
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
        counts.seconds.push(start.elapsed().as_secs_f64());
        counts.problems += 1;
        counts.solved += usize::from(is_reached(&free));
        counts.outside_limits += usize::from(
            !free
                .bones
                .iter()
                .zip(&human.bones)
                .all(|(bone, limited)| limited.limits_deg.contains(bone.pose_deg)),
        );
        counts.steps.push(f64::from(steps as u32));
    }
    counts
}

fn body_handles(posed: &Skeleton) -> Vec<Handle> {
    let current = current_pose(posed);
    let tips = tips(posed, &current);
    let mut handles = Vec::new();
    for (names, are_feet) in [(["forearm.L", "forearm.R"], false), (FEET, true)] {
        for name in names {
            let end = bone(posed, name);
            let mut limb = handle(end, tips[end]);
            limb.pole = bend_bones(posed, &limb).map(|[upper, lower]| {
                let [hip, knee] = [upper, lower].map(|bone| current[bone].translation);
                let line = (tips[end] - hip).normalize_or(DVec3::Y);
                let out = (knee - hip) - line * line.dot(knee - hip);
                Pole { point: (knee + out.normalize_or(DVec3::Z)).as_vec3(), weight: 1.0 }
            });
            handles.push(limb);
            if are_feet {
                let foot = name.replace("shin", "foot");
                let foot = bone(posed, &foot);
                let mut oriented = handle(foot, tips[foot]);
                oriented.orientation = Some(Orientation {
                    rotation: Quat::from_mat3(&current[foot].matrix3.as_mat3()),
                    weight: 1.0,
                });
                handles.push(oriented);
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
