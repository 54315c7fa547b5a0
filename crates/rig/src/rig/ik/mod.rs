//! Inverse kinematics: enabled handles pull tips to targets, orient bones, point them at something and bend
//! limbs to a side (see [`TaskKind`]), all at once, by changing pose angles within their limits, and the base
//! offset if the root is free.
//!
//! Energy E = sum over tasks of half their weight times the squared residual, over the pose angles of all
//! bones in the chain of an enabled handle. A prior adds a small multiple of the squared deviation from the
//! pose without handles, so that the best pose is unique. Residuals are in skeleton units, so the energy of
//! positions alone is half the squared distances from tips to targets.
//!
//! The result depends only on the skeleton. Every pose that a solver visits can be stored in the document
//! (f32 degrees), so the energies that it reports are those of the stored poses.

pub mod chain;
mod damped;
mod dense;
mod descent;
mod gradient;
mod iterative;
mod objective;
pub mod pole;
mod residual;
mod saddle;
pub mod spaces;
mod stages;
mod stretch;
mod task;
mod trial;
mod tuning;
mod within_limits;

use super::skeleton::Skeleton;
use glam::DVec3;
pub use gradient::{Gradients, energy, gradient, reach};
use objective::Objective;
pub use residual::TaskKind;
use serde::{Deserialize, Serialize};
pub use task::TaskResult;
use trial::{Trial, largest};
use tuning::MAX_WORK;

/// The way in which a solver call ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// Every task is done, to within [`REACHED`].
    Reached,
    /// No step improves the pose, but a task is not done: it is out of reach or of the limits, or others pull
    /// against it.
    OutOfReach,
    /// The steps or the work ran out before convergence.
    #[default]
    Unfinished,
}

/// The residual below which a task is done, as a fraction of the longest chain: for a bone, an angle of
/// 0.06°.
pub const REACHED: f64 = 1e-3;

/// The number of handles that can use up the work limit before they reach their targets.
pub const MANY_HANDLES: usize = 1000;

/// The result of a solver call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    pub end: End,
    /// The handle whose tip ends farthest from where it is pulled, and that distance.
    pub farthest: Option<(usize, f64)>,
    /// How close each task of each enabled handle ended, including tasks that the solver does not support.
    pub tasks: Vec<TaskResult>,
    /// Whether every task is done, the gradient vanished, or no pose along it that f32 degrees can represent
    /// is better.
    pub converged: bool,
    /// The number of steps taken.
    pub steps: usize,
    /// The energy before the first step and after each step, never increasing. The steps that carry tips to
    /// far targets in parts count as one here, and so do those of another start.
    pub energies: Vec<f64>,
    /// The number of forward kinematics passes, including those of rejected steps.
    pub passes: usize,
    /// The number of joints and tasks visited in all passes.
    pub work: usize,
}

impl Outcome {
    /// Iterates over the tasks that are not done.
    pub fn missed(&self) -> impl Iterator<Item = &TaskResult> {
        self.tasks.iter().filter(|task| !task.reached)
    }
}

/// The method for finding the next pose. Lengths are in skeleton units, angles in radians.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// Textbook gradient descent by this multiple of the gradient; supports only position tasks. Stops before
    /// a step that would raise the energy; use a smaller multiple then.
    Fixed(f64),
    /// Damped least squares (Levenberg-Marquardt) on all tasks: steps are more expensive, but a twentieth as
    /// many are needed, and tips reach their targets with the least rotation.
    #[default]
    #[serde(alias = "searched", alias = "quasinewton")]
    Damped,
}

impl Step {
    /// The default for a fixed step.
    pub const FIXED: f64 = 0.03;
    /// One of each kind, the best first.
    pub const KINDS: [Step; 2] = [Step::Damped, Step::Fixed(Self::FIXED)];

    /// Parses [`Step::word`]; names of solvers of earlier versions mean the damped one.
    pub fn from_word(word: &str) -> Option<Self> {
        let word = if ["lbfgs", "searched"].contains(&word) { "damped" } else { word };
        Self::KINDS.into_iter().find(|step| step.word() == word)
    }

    /// The name for command lines.
    pub fn word(self) -> &'static str {
        match self {
            Step::Damped => "damped",
            Step::Fixed(_) => "fixed",
        }
    }

    /// The name for users.
    pub fn text(self) -> &'static str {
        match self {
            Step::Damped => "Damped",
            Step::Fixed(_) => "Gradient descent (positions only)",
        }
    }
}

/// The options of a solver.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The greatest number of steps from a start. There is a second one if tasks are nearly done from the first, and
    /// another if a led foot cannot keep the requested orientation.
    pub max_steps: usize,
    /// The residual below which the search ends (skeleton units), unless [`REACHED`] of the longest chain is
    /// less. Large skeletons get a tolerance that f32 angles can meet.
    pub tip_tolerance: f64,
    pub step: Step,
}

impl Default for Options {
    fn default() -> Self {
        Self { max_steps: 100, tip_tolerance: 1e-6, step: Step::default() }
    }
}

/// Takes downhill steps, at most as many as `options` permits, and writes the angles to
/// `skeleton.bones[..].pose_deg`, and the base offset if the root is free. Angles that have no effect on an
/// enabled handle, or need not change, keep their bits.
///
/// # Examples
/// An arm of two bones along y reaches for a point at its side:
/// ```
/// use glam::Vec3;
/// use ossature_rig::rig::ik::{End, Options, solve};
/// use ossature_rig::rig::skeleton::{Bone, Handle, Skeleton};
///
/// let bone = |parent| Bone {
///     extent: Vec3::Y,
///     parent,
///     ..Bone::default()
/// };
/// let mut arm = Skeleton {
///     bones: vec![bone(None), bone(Some(0))],
///     handles: vec![Handle {
///         bone: 1,
///         target: Vec3::new(1.0, 1.0, 0.0),
///         enabled: true,
///         ..Handle::default()
///     }],
///     ..Skeleton::default()
/// };
/// assert_eq!(solve(&mut arm, &Options::default()).end, End::Reached);
/// ```
pub fn solve(skeleton: &mut Skeleton, options: &Options) -> Outcome {
    let mut outcome = Outcome::default();
    Solver::default().solve(skeleton, options, &mut outcome);
    outcome
}

/// A solver that reuses its buffers: damped steps do not allocate. The result does not depend on earlier
/// solves.
#[derive(Default)]
pub struct Solver {
    objective: Objective,
    trial: Trial,
    stages: stages::Buffers,
}

impl Solver {
    /// See [`solve`]. Reuses the memory of `outcome`. Returns whether anything moved.
    pub fn solve(&mut self, skeleton: &mut Skeleton, options: &Options, outcome: &mut Outcome) -> bool {
        let Self { objective, trial, stages } = self;
        objective.set(skeleton, options);
        trial.start(objective);
        objective.find_limbs(skeleton);
        let converged = match options.step {
            Step::Fixed(step) => descent::solve(objective, trial, options, step),
            Step::Damped => stages::solve(objective, trial, skeleton, options, stages),
        };
        // The last evaluated pose may be one that was rejected.
        objective.energy(&trial.pose);
        let mut moved = false;
        for (joint, (bone, &pose_deg)) in objective.bones().zip(&trial.pose).enumerate() {
            let pose = &mut skeleton.bones[bone].pose_deg;
            if objective.turns(joint) && *pose != pose_deg {
                (*pose, moved) = (pose_deg, true);
            }
        }
        if let Some(&offset) = trial.pose.last().filter(|offset| **offset != skeleton.base_offset) {
            (skeleton.base_offset, moved) = (offset, true);
        }
        outcome.tasks.clear();
        outcome.tasks.extend(objective.results());
        moved |= stretch::stretch(skeleton, objective.reach(), &mut outcome.tasks);
        let distances = outcome.tasks.iter().filter(|task| task.task == TaskKind::Position);
        let distances = distances.map(|task| (task.handle, task.error));
        outcome.farthest = distances.max_by(|a, b| a.1.total_cmp(&b.1));
        let all_done = outcome.missed().next().is_none();
        outcome.end = match (all_done, converged) {
            (true, _) => End::Reached,
            (false, true) => End::OutOfReach,
            (false, false) => End::Unfinished,
        };
        outcome.converged = converged;
        outcome.steps = trial.steps;
        outcome.energies.clone_from(&trial.energies);
        outcome.passes = objective.passes();
        outcome.work = objective.work();
        moved
    }
}

/// Returns the residual that counts as zero: no less than angles in f32 degrees and targets in f32 can
/// resolve.
fn tolerance(objective: &Objective, options: &Options) -> f64 {
    let finest = f64::from(f32::EPSILON) * (4.0 * objective.reach()).max(objective.largest_coordinate());
    options.tip_tolerance.min(REACHED * objective.reach()).max(finest)
}

/// Returns `Some` to stop before the next step: whether the solve has converged.
fn finished(objective: &Objective, trial: &Trial, options: &Options) -> Option<bool> {
    if !trial.energy().is_finite() {
        return Some(false);
    }
    // With a prior, continue in order to choose among the poses that reach the targets.
    if objective.prior() == 0.0 && objective.largest_error() <= tolerance(objective, options) {
        return Some(true);
    }
    let max_work = MAX_WORK * options.max_steps.div_ceil(100);
    (trial.steps >= options.max_steps || objective.work() >= max_work).then_some(false)
}

/// Whether the remaining gradient counts as zero: no angle moves the tips towards the targets by more than
/// 1e-6 of its potential. Zeroes the components that are not variables, and those at a limit that the
/// gradient pushes against.
fn vanished(objective: &Objective, trial: &Trial, gradient: &mut [DVec3]) -> bool {
    for (value, gradient) in gradient.iter_mut().enumerate() {
        let fixed =
            objective.blocked(value, &trial.pose, *gradient) | objective.gains()[value].cmpeq(DVec3::ZERO);
        *gradient = DVec3::select(fixed, DVec3::ZERO, *gradient);
    }
    largest(gradient) <= 1e-6 * objective.reach() * objective.largest_pull()
}
