//! Measures inverse kinematics: numbers of steps and of forward-kinematics passes, and times against gradient
//! descent with a fixed step.

use super::Scale;
use super::table::{Line, seconds};
use super::time::{in_turns, median, p95};
use crate::random::Random;
use glam::{DVec3, Vec3};
use ossature::rig::ik::{self, Options, Outcome, Step};
use ossature::rig::kinematics;
use ossature::rig::skeleton::{Bone, Handle, Skeleton};

/// The largest multiple of the gradient that is always stable on the human.
const SAFE: f64 = 0.02;

pub fn lines(scale: &Scale) -> Vec<Line> {
    let mut lines = human_lines(scale);
    lines.extend(drag(scale));
    lines.extend(chain_lines(scale));
    lines.extend(unreachable(scale));
    lines.push(gradient(scale));
    lines
}

pub fn bone(parent: Option<usize>, extent: Vec3) -> Bone {
    Bone { extent, parent: parent.map(|p| p as u32), ..Bone::default() }
}

fn handle(bone: usize, target: DVec3) -> Handle {
    Handle {
        bone: bone as u32,
        target: target.as_vec3(),
        enabled: true,
        channel_id: bone as u32,
        ..Handle::default()
    }
}

/// Returns a human of 18 bones, 5.3 units tall: spine 0-1, neck 2, head 3, arms 4-6 and 7-9, legs 10-13 and
/// 14-17.
fn human() -> Skeleton {
    let spine = [0.9, 0.9, 0.4, 0.6].map(|length| Vec3::new(0.0, length, 0.0));
    let mut bones: Vec<Bone> = (0..4).map(|i: usize| bone(i.checked_sub(1), spine[i])).collect();
    let limbs: [(Option<usize>, &[[f32; 3]]); 2] = [
        (Some(1), &[[0.9, -0.4, 0.0], [0.85, -0.3, 0.1], [0.4, -0.1, 0.0]]),
        (None, &[[0.4, -0.2, 0.0], [0.05, -1.3, 0.05], [0.0, -1.3, -0.1], [0.0, -0.1, 0.5]]),
    ];
    for (root, extents) in limbs {
        for side in [1.0, -1.0] {
            let mut parent = root;
            for [x, y, z] in extents {
                bones.push(bone(parent, Vec3::new(x * side, *y, *z)));
                parent = Some(bones.len() - 1);
            }
        }
    }
    Skeleton { bones, base: Vec3::new(0.0, 2.9, 0.0), ..Skeleton::default() }
}

const HEIGHT: f64 = 5.3;
/// The bones of hands, feet and head.
const ENDS: [usize; 5] = [6, 9, 13, 17, 3];

fn tips(skeleton: &Skeleton) -> Vec<DVec3> {
    kinematics::tips(skeleton, &kinematics::current_pose(skeleton))
}

/// Returns a skeleton with handles whose targets are the tips of another pose.
fn with_targets(skeleton: &Skeleton, bones: &[usize], posed: &Skeleton) -> Skeleton {
    let tips = tips(posed);
    Skeleton { handles: bones.iter().map(|&b| handle(b, tips[b])).collect(), ..skeleton.clone() }
}

fn posed(skeleton: &Skeleton, deviation_deg: f32, random: &mut Random) -> Skeleton {
    let mut posed = skeleton.clone();
    for bone in &mut posed.bones {
        bone.pose_deg = deviation_deg * random.normal3();
    }
    posed
}

fn options(step: Step, max_steps: usize, tip_tolerance: f64) -> Options {
    Options { max_steps, tip_tolerance, step }
}

fn error(skeleton: &Skeleton) -> f64 {
    let tips = tips(skeleton);
    let distance = |h: &Handle| tips[h.bone as usize].distance(h.target.as_dvec3());
    skeleton.handles.iter().map(distance).fold(0.0, f64::max)
}

/// Statistics over a number of problems.
#[derive(Default)]
struct Counts {
    problems: usize,
    solved: usize,
    steps: Vec<f64>,
    passes: Vec<f64>,
}

impl Counts {
    fn add(&mut self, outcome: &Outcome, error: f64, tolerance: f64) {
        self.problems += 1;
        if error <= tolerance {
            self.solved += 1;
        }
        self.steps.push(outcome.steps as f64);
        self.passes.push(outcome.passes as f64);
    }

    fn solve_all(problems: &[Skeleton], options: &Options) -> Self {
        let mut counts = Self::default();
        for problem in problems {
            let mut skeleton = problem.clone();
            let outcome = ik::solve(&mut skeleton, options);
            counts.add(&outcome, error(&skeleton), options.tip_tolerance);
        }
        counts
    }

    fn note(&self) -> String {
        format!(
            "{} of {} solved; steps {} / {}, passes {} / {} (median / p95)",
            self.solved,
            self.problems,
            median(self.steps.clone()),
            p95(self.steps.clone()),
            median(self.passes.clone()),
            p95(self.passes.clone()),
        )
    }

    fn lines(&self, label: &str, median_steps: [f64; 2], p95_steps: [f64; 2]) -> Vec<Line> {
        let all = self.problems as f64;
        vec![
            Line::new(format!("{label}: solved"), self.solved as f64, "").at_least(all, all),
            Line::new(format!("{label}: steps, median"), median(self.steps.clone()), "")
                .at_most(median_steps[0], median_steps[1]),
            Line::new(format!("{label}: steps, p95"), p95(self.steps.clone()), "")
                .at_most(p95_steps[0], p95_steps[1]),
        ]
    }
}

fn human_lines(scale: &Scale) -> Vec<Line> {
    let problems = if scale.quick { 20 } else { 200 };
    let (human, mut random) = (human(), Random::new(2));
    let problems: Vec<Skeleton> =
        (0..problems).map(|_| with_targets(&human, &ENDS, &posed(&human, 30.0, &mut random))).collect();
    let tolerance = 1e-4 * HEIGHT;
    let label = format!("IK, human, 5 handles, {} random poses", problems.len());
    let counts = Counts::solve_all(&problems, &options(Step::Damped, 1000, tolerance));
    let mut lines = counts.lines(&label, [12.0, 7.0], [25.0, 11.0]);
    lines.push(
        Line::new(
            format!("{label}: forward-kinematics passes, most"),
            counts.passes.iter().copied().fold(0.0, f64::max),
            "",
        )
        .note(format!("median {}", median(counts.passes.clone())))
        .at_most(30.0, 9.0),
    );
    let descent = Counts::solve_all(&problems, &options(Step::Fixed(SAFE), 20_000, tolerance));
    let line =
        Line::new(format!("{label}, gradient descent: steps, median"), median(descent.steps.clone()), "");
    lines.push(line.note(descent.note()));
    let some = &problems[..problems.len().min(20)];
    let solve = |step: Step| {
        for problem in some {
            ik::solve(&mut problem.clone(), &options(step, 20_000, tolerance));
        }
    };
    let times =
        in_turns(scale.rounds.min(9), &mut [&mut || solve(Step::Fixed(SAFE)), &mut || solve(Step::Damped)]);
    let per_pose = |index: usize| seconds(times.get(index) / some.len() as f64);
    let line = Line::new(
        format!("IK time, human, against fixed steps of {SAFE} rad"),
        times.ratio(0, 1),
        "times as fast",
    );
    let note = format!("{} against {} a pose", per_pose(1), per_pose(0));
    lines.push(line.note(note).at_least(15.0, 40.0));
    lines
}

/// Measures targets that move smoothly, with each frame solved from the stored pose, as in the window.
fn drag(scale: &Scale) -> Vec<Line> {
    let frames = if scale.quick { 30 } else { 300 };
    let (human, mut random) = (human(), Random::new(3));
    let swing: Vec<Vec3> = human.bones.iter().map(|_| 25.0 * random.normal3()).collect();
    let tolerance = 1e-4 * HEIGHT;
    let mut counts = Counts::default();
    let (mut before, mut farthest) = (None::<Vec<DVec3>>, 0.0f64);
    let (mut pose_before, mut jump) = (None::<Vec<Vec3>>, 0.0f32);
    for frame in 0..frames {
        let mut posed = human.clone();
        for (i, (bone, swing)) in posed.bones.iter_mut().zip(&swing).enumerate() {
            let phase = frame as f32 * 0.021 + i as f32;
            bone.pose_deg = *swing * (phase.sin() - (i as f32).sin());
        }
        let tips = tips(&posed);
        for (bone, before) in ENDS.iter().zip(before.iter().flatten()) {
            farthest = farthest.max(tips[*bone].distance(*before));
        }
        before = Some(ENDS.iter().map(|&b| tips[b]).collect());
        let mut skeleton = human.clone();
        skeleton.handles = ENDS.iter().map(|&b| handle(b, tips[b])).collect();
        let outcome = ik::solve(&mut skeleton, &options(Step::Damped, 100, tolerance));
        counts.add(&outcome, error(&skeleton), tolerance);
        let pose: Vec<Vec3> = skeleton.bones.iter().map(|bone| bone.pose_deg).collect();
        for (current, before) in pose.iter().zip(pose_before.iter().flatten()) {
            jump = jump.max((*current - *before).abs().max_element());
        }
        pose_before = Some(pose);
    }
    let most = counts.steps.iter().copied().fold(0.0, f64::max);
    vec![Line::new("IK, smooth drag from the stored pose: steps a frame, most", most, "").note(format!(
        "{}; up to {:.1} % of the height and {jump:.1}° an angle a frame",
        counts.note(),
        100.0 * farthest / HEIGHT
    ))]
}

fn chain(bones: usize) -> Skeleton {
    let length = 1.0 / bones as f32;
    Skeleton {
        bones: (0..bones).map(|b| bone(b.checked_sub(1), Vec3::Y * length)).collect(),
        ..Skeleton::default()
    }
}

fn chain_lines(scale: &Scale) -> Vec<Line> {
    let problems = if scale.quick { 10 } else { 200 };
    let mut random = Random::new(4);
    let problems: Vec<Skeleton> = (0..problems)
        .map(|_| {
            let mut chain = posed(&chain(200), 1e-3f32.to_degrees(), &mut random);
            let target = loop {
                let target = random.vec3(1.0);
                if target.length() < 1.0 {
                    break 0.9 * target;
                }
            };
            chain.handles = vec![handle(199, target.as_dvec3())];
            chain
        })
        .collect();
    let counts = Counts::solve_all(&problems, &options(Step::Damped, 1000, 1e-4));
    counts.lines("IK, chain of 200 bones", [12.0, 7.0], [30.0, 15.0])
}

/// Measures how far the energy is above its minimum after 10 and after 50 steps towards unreachable targets.
fn unreachable(scale: &Scale) -> Vec<Line> {
    let problems = if scale.quick { 5 } else { 50 };
    let (human, mut random) = (human(), Random::new(5));
    let mut excess = [Vec::new(), Vec::new()];
    let mut rising = 0;
    for _ in 0..problems {
        let mut problem = with_targets(&human, &ENDS, &posed(&human, 30.0, &mut random));
        let base = human.base.as_dvec3();
        for handle in &mut problem.handles {
            // 1.5 times as far from the base as any pose can reach.
            let from_base = (handle.target.as_dvec3() - base).normalize();
            handle.target = (base + 1.5 * 0.75 * HEIGHT * from_base).as_vec3();
        }
        let after = |step: Step, steps: usize| {
            let mut skeleton = problem.clone();
            ik::solve(&mut skeleton, &options(step, steps, 0.0))
        };
        let best = after(Step::Damped, 5000).energies;
        let best = best.into_iter().fold(f64::INFINITY, f64::min);
        let energies = after(Step::Damped, 50).energies;
        rising += usize::from(energies.windows(2).any(|pair| pair[1] > pair[0]));
        for (excess, steps) in excess.iter_mut().zip([10, 50]) {
            let energy = energies[steps.min(energies.len() - 1)];
            excess.push(energy / best - 1.0);
        }
    }
    let [ten, fifty] = excess;
    let note = |values: &[f64]| format!("p95 {:.2} %", 100.0 * p95(values.to_vec()));
    vec![
        Line::new(
            "IK, unreachable targets: above the best energy after 10 steps, median",
            100.0 * median(ten.clone()),
            "%",
        )
        .at_most(10.0, 2.0)
        .note(note(&ten)),
        Line::new(
            "IK, unreachable targets: above the best energy after 50 steps, median",
            100.0 * median(fifty.clone()),
            "%",
        )
        .at_most(0.1, 0.1)
        .note(note(&fifty)),
        Line::new("IK, unreachable targets: problems whose energy rose", rising as f64, "").at_most(0.0, 0.0),
    ]
}

fn gradient(scale: &Scale) -> Line {
    let mut one = posed(&chain(200), 3.0, &mut Random::new(6));
    one.handles = vec![handle(199, DVec3::new(0.3, 0.2, 0.1))];
    let mut fifty = one.clone();
    fifty.handles = (0..50).map(|i| handle(4 * i + 3, DVec3::new(0.3, 0.2, 0.1))).collect();
    let passes = if scale.quick { 10 } else { 200 };
    let work = |skeleton: &Skeleton| {
        let mut gradients = ik::Gradients::new(skeleton);
        move || {
            for _ in 0..passes {
                std::hint::black_box(gradients.recompute());
            }
        }
    };
    let (mut one, mut fifty) = (work(&one), work(&fifty));
    let times = in_turns(scale.rounds, &mut [&mut one, &mut fifty]);
    Line::new("IK, gradient of a chain of 200 bones, 50 handles against 1", times.ratio(1, 0), "of its time")
        .at_most(1.2, 1.07)
        .note(format!("{} with 50", seconds(times.get(1) / f64::from(passes))))
}

/// A chain of 200 bones with handles out of reach.
#[derive(Clone)]
pub struct Dragged(Skeleton);

impl Dragged {
    pub fn new(handles: usize) -> Self {
        let mut skeleton = posed(&chain(200), 3.0, &mut Random::new(6));
        let bone = |i: usize| (i + 1) * 200 / handles - 1;
        skeleton.handles = (0..handles).map(|i| handle(bone(i), DVec3::new(2.0, 1.0, 0.5))).collect();
        Self(skeleton)
    }

    pub fn gradients(&mut self, times: usize) {
        let mut gradients = ik::Gradients::new(&self.0);
        for _ in 0..times {
            std::hint::black_box(gradients.recompute());
        }
    }

    /// Solves a number of steps, always from the same pose.
    pub fn steps(&mut self, steps: usize) {
        ik::solve(&mut self.0.clone(), &options(Step::Damped, steps, 0.0));
    }
}
