//! Leads handles along straight lines in small steps, on the human and the giraffe of this repository, and finds jumps:
//! where the pose changes although the target hardly moves. Each pose is solved from the stored one.

use super::sweep_lines::{
    GIRAFFE_HEIGHT, HUMAN_HEIGHT, Sweep, giraffe_lines, human_lines, limb_lines, pole_lines, random_lines,
};
use super::table::Line;
use glam::{DMat3, DVec3};
use ossature::math::rotation::from_euler;
use ossature::rig::ik::{End, Options, Outcome, Solver};
use ossature::rig::kinematics::{current_pose, pose_rad, tips};
use ossature::rig::skeleton::Skeleton;
use std::time::Instant;

/// The length of a step as a fraction of the height, and the least and the greatest number of steps on a line.
const STEP: f64 = 0.005;
const STEPS: [usize; 2] = [40, 110];
/// The rotation of a bone against its parent (degrees) above which a step is a jump, if it stays when the step is halved
/// this many times.
const JUMP_DEG: f64 = 5.0;
const HALVINGS: usize = 8;
/// The excess (degrees) over a limit that counts as a violation.
const VIOLATION_DEG: f32 = 0.05;

/// What was found on one line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Swept {
    pub name: String,
    /// The largest jump in degrees, or 0; the name of the bone; the part of the line at which it is.
    pub jump_deg: f64,
    pub bone: String,
    pub at: f64,
    /// Whether the targets are reached on both sides of the jump.
    pub reached: bool,
    /// The number of angles outside their limits.
    pub violations: usize,
    /// The largest distance of a pinned tip from its place, as a fraction of the height.
    pub slide: f64,
    pub seconds: f64,
    pub solves: usize,
}

/// Measures one line of a skeleton with this height.
pub fn sweep(line: &Sweep, height: f64) -> Swept {
    let mut solver = Solver::default();
    let mut outcome = Outcome::default();
    let mut found = Swept { name: line.name.clone(), ..Swept::default() };
    let mut skeleton = Skeleton::default();
    let mut solve = |part: f64, found: &mut Swept| {
        line.at(part, &mut skeleton);
        let start = Instant::now();
        solver.solve(&mut skeleton, &Options::default(), &mut outcome);
        found.seconds += start.elapsed().as_secs_f64();
        found.solves += 1;
        found.check(&skeleton, height);
        let turns = skeleton.bones.iter().map(|bone| from_euler(pose_rad(bone))).collect::<Vec<DMat3>>();
        (turns, outcome.end == End::Reached)
    };
    let steps = ((line.length() / (STEP * height)) as usize).clamp(STEPS[0], STEPS[1]);
    let mut before = solve(0.0, &mut found);
    for step in 1..=steps {
        let part = |step: usize| step as f64 / steps as f64;
        let [mut low, mut high] = [part(step - 1), part(step)];
        let after = solve(high, &mut found);
        let (mut a, mut b) = (before, after.clone());
        for _ in 0..HALVINGS {
            if largest_turn(&a.0, &b.0).1 <= JUMP_DEG {
                break;
            }
            let middle = 0.5 * (low + high);
            let m = solve(middle, &mut found);
            if largest_turn(&a.0, &m.0).1 >= largest_turn(&m.0, &b.0).1 {
                (high, b) = (middle, m);
            } else {
                (low, a) = (middle, m);
            }
        }
        let (bone, turn) = largest_turn(&a.0, &b.0);
        if turn > JUMP_DEG.max(found.jump_deg) {
            (found.jump_deg, found.at, found.reached) = (turn, low, a.1 && b.1);
            line.skeleton.bone_name(bone).clone_into(&mut found.bone);
        }
        before = after;
    }
    found
}

impl Swept {
    fn check(&mut self, skeleton: &Skeleton, height: f64) {
        for bone in &skeleton.bones {
            let off = (bone.pose_deg - bone.limits_deg.clamp(bone.pose_deg)).abs();
            self.violations += off.cmpgt(glam::Vec3::splat(VIOLATION_DEG)).bitmask().count_ones() as usize;
        }
        let tips = tips(skeleton, &current_pose(skeleton));
        for pin in skeleton.handles.iter().filter(|handle| handle.pinned) {
            let slide = tips[pin.bone as usize].distance(DVec3::from(pin.target)) / height;
            self.slide = self.slide.max(slide);
        }
    }
}

/// Returns the bone that differs most between two poses, and that angle in degrees.
fn largest_turn(a: &[DMat3], b: &[DMat3]) -> (usize, f64) {
    let turns = a.iter().zip(b).map(|(a, b)| {
        let turn = a.transpose() * *b;
        let sine = DVec3::new(
            turn.y_axis.z - turn.z_axis.y,
            turn.z_axis.x - turn.x_axis.z,
            turn.x_axis.y - turn.y_axis.x,
        );
        let trace = turn.x_axis.x + turn.y_axis.y + turn.z_axis.z;
        sine.length().atan2(trace - 1.0).to_degrees()
    });
    turns.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, 0.0))
}

/// Rows for a set of lines, and one for each line with a jump.
fn rows(set: &str, sweeps: &[Sweep], height: f64, most: usize) -> Vec<Line> {
    let found: Vec<Swept> = sweeps.iter().map(|line| sweep(line, height)).collect();
    let jumps: Vec<&Swept> = found.iter().filter(|found| found.jump_deg > 0.0).collect();
    let most = most as f64;
    let worst = jumps.iter().map(|found| found.jump_deg).fold(0.0, f64::max);
    let violations: usize = found.iter().map(|found| found.violations).sum();
    let slide = found.iter().map(|found| found.slide).fold(0.0, f64::max);
    let (seconds, solves) =
        found.iter().fold((0.0, 0), |sum, found| (sum.0 + found.seconds, sum.1 + found.solves));
    let label = |what: &str| format!("IK led along lines, {set}: {what}");
    let mut rows = vec![
        Line::new(label("lines with a jump"), jumps.len() as f64, "")
            .at_most(most, 0.0)
            .note(format!("of {}", sweeps.len())),
        Line::new(
            label("of them within reach"),
            jumps.iter().filter(|found| found.reached).count() as f64,
            "",
        ),
        Line::new(label("largest jump"), worst, "°").at_most(180.0, 30.0),
        Line::new(label("angles outside their limits"), violations as f64, "").at_most(0.0, 0.0),
        Line::new(label("a pin slides by at most"), 100.0 * slide, "% of the height").at_most(0.15, 0.15),
        Line::new(label("time of a solve"), 1e3 * seconds / f64::from(solves as u32), "ms"),
    ];
    rows.extend(jumps.into_iter().map(|found| {
        Line::new(format!("- jump: {}", found.name), found.jump_deg, "°").note(format!(
            "{} at {:.5} of the line{}",
            found.bone,
            found.at,
            if found.reached { "" } else { ", out of reach" }
        ))
    }));
    rows
}

pub fn lines(quick: bool) -> Vec<Line> {
    let named = |name: &str, lines, height, most| (name.to_owned(), lines, height, most);
    let mut sets = vec![
        named("human", human_lines(), HUMAN_HEIGHT, 0),
        named("arm with a pole", limb_lines(), HUMAN_HEIGHT, 0),
        named("arm with the pole that is added", pole_lines(), HUMAN_HEIGHT, 4),
        named("giraffe", giraffe_lines(), GIRAFFE_HEIGHT, 0),
    ];
    let random = |seed: u64| (format!("human, random, seed {seed}"), random_lines(seed, 40), HUMAN_HEIGHT, 4);
    sets.extend((1..=16).map(random));
    if quick {
        sets.iter_mut().for_each(|set| set.1.truncate(2));
    }
    sets.iter().flat_map(|(set, sweeps, height, most)| rows(set, sweeps, *height, *most)).collect()
}
