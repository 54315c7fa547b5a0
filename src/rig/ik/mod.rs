//! Inverse kinematics: enabled handles pull tips to targets, turn bones, point them at something and bend limbs to a
//! side (see [`TaskKind`]), all at once, by changing pose angles within their limits, and the base offset if the
//! root is free.
//!
//! Energy E = sum over tasks of half their weight times the squared residual, over the pose angles of all bones that are
//! in the chain of an enabled handle; a prior adds a little of the squared way from the pose without handles, so that
//! one pose is the best. Residuals are in skeleton units, so that the energy of positions alone is half the squared
//! distances from tips to targets.
//!
//! What comes out is a function of the skeleton alone. Every pose that a solver visits is one that the document can
//! hold (f32 degrees), so that the energies it reports are those of what is stored.

pub mod chain;
mod damped;
mod dense;
mod descent;
pub mod feet;
mod gradient;
mod iterative;
mod objective;
pub mod pole;
mod saddle;
mod stages;
mod task;
mod trial;

use super::skeleton::Skeleton;
use glam::DVec3;
pub use gradient::{Gradients, energy, gradient, reach};
use objective::Objective;
use serde::{Deserialize, Serialize};
pub use task::{TaskKind, TaskResult};
use trial::{Trial, largest};

/// How a solver call ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// Every task is done, to [`REACHED`].
    Reached,
    /// No step leads nearer, and a task is not done: it is out of reach or of the limits, or others pull against it.
    OutOfReach,
    /// Steps or work ran out on the way.
    #[default]
    Unfinished,
}

/// A task whose residual is below this part of the longest chain is done: a tip so near, a bone within 0.06°.
pub const REACHED: f64 = 1e-3;

/// So many handles can use up [`MOST_WORK`] before they are where they are pulled.
pub const MANY_HANDLES: usize = 1000;

/// Joints and tasks that a call visits at most, for each hundred steps that it may take: a fraction of a second,
/// however many there are. It ends unfinished then.
const MOST_WORK: usize = 2_000_000;

/// What a solver call did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    pub end: End,
    /// The handle whose tip ends farthest from where it is pulled, and how far that is.
    pub farthest: Option<(usize, f64)>,
    /// How near each task of each enabled handle ended, those that the solver cannot do included.
    pub tasks: Vec<TaskResult>,
    /// Every task is done, or the gradient vanished, or no pose that f32 degrees can hold along it is lower.
    pub converged: bool,
    /// Steps taken.
    pub steps: usize,
    /// Energy before the first step and after each step, never rising. Steps that carry tips to far targets in parts
    /// count as one here, and so do those of a second start from preferred bends.
    pub energies: Vec<f64>,
    /// How often the joints were placed (forward kinematics), refused steps included.
    pub passes: usize,
}

impl Outcome {
    /// The tasks that are not done.
    pub fn missed(&self) -> impl Iterator<Item = &TaskResult> {
        self.tasks.iter().filter(|task| !task.reached)
    }
}

/// How the next pose is found. Lengths in skeleton units, angles in radians.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// Gradient descent by this multiple of the gradient, as it is taught: for positions alone. Stops before a step that
    /// would raise the energy: use a smaller multiple then.
    Fixed(f64),
    /// Damped least squares (Levenberg-Marquardt) on all tasks: dearer steps, but a twentieth of them, and
    /// the tips are reached by turning the angles as little as possible.
    #[default]
    #[serde(alias = "searched", alias = "quasinewton")]
    Damped,
}

impl Step {
    /// What a fixed step is where nobody says otherwise.
    pub const FIXED: f64 = 0.03;
    /// One of each kind, the best first.
    pub const KINDS: [Step; 2] = [Step::Damped, Step::Fixed(Self::FIXED)];

    /// By its word; those of solvers that earlier versions had mean the damped one.
    pub fn from_word(word: &str) -> Option<Self> {
        let word = if ["lbfgs", "searched"].contains(&word) {
            "damped"
        } else {
            word
        };
        Self::KINDS.into_iter().find(|step| step.word() == word)
    }

    /// For command lines.
    pub fn word(self) -> &'static str {
        match self {
            Step::Damped => "damped",
            Step::Fixed(_) => "fixed",
        }
    }

    /// For people.
    pub fn text(self) -> &'static str {
        match self {
            Step::Damped => "Damped",
            Step::Fixed(_) => "Gradient descent (positions only)",
        }
    }
}

/// How a solver goes about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// At most this many steps; as many again where a foot that is led cannot be turned as it is asked.
    pub max_steps: usize,
    /// Residuals below this end the search (skeleton units), or below [`REACHED`] of the
    /// longest chain where that is less. Large skeletons get a tolerance that f32 angles can meet.
    pub tip_tolerance: f64,
    pub step: Step,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            max_steps: 100,
            tip_tolerance: 1e-6,
            step: Step::default(),
        }
    }
}

/// Takes downhill steps, so many as `options` allow; writes the angles into `skeleton.bones[..].pose_deg`, and the base
/// offset if the root is free. Angles that move no enabled handle, or need not move, keep their bits.
///
/// # Examples
/// An arm of two bones along y reaches for a point beside it:
/// ```
/// use glam::Vec3;
/// use ossature::rig::ik::{End, Options, solve};
/// use ossature::rig::skeleton::{Bone, Handle, Skeleton};
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

/// Solves again and again in buffers that are kept: by damped steps, no memory is asked for. What comes out
/// does not depend on what was solved before.
#[derive(Default)]
pub struct Solver {
    objective: Objective,
    trial: Trial,
    stages: stages::Buffers,
}

impl Solver {
    /// See [`solve`]. The outcome is written into the memory of an older one. Returns whether anything moved.
    pub fn solve(&mut self, skeleton: &mut Skeleton, options: &Options, outcome: &mut Outcome) -> bool {
        let Self {
            objective,
            trial,
            stages,
        } = self;
        objective.set(skeleton, options);
        trial.start(objective);
        let converged = match options.step {
            Step::Fixed(step) => descent::solve(objective, trial, options, step),
            Step::Damped => stages::solve(objective, trial, skeleton, options, stages),
        };
        // The last trial may be one that was refused.
        objective.energy(&trial.pose);
        let mut moved = false;
        for (joint, (bone, &pose_deg)) in objective.bones().zip(&trial.pose).enumerate() {
            let pose = &mut skeleton.bones[bone].pose_deg;
            if objective.turns(joint) && *pose != pose_deg {
                (*pose, moved) = (pose_deg, true);
            }
        }
        if let Some(&offset) = trial
            .pose
            .last()
            .filter(|offset| **offset != skeleton.base_offset)
        {
            (skeleton.base_offset, moved) = (offset, true);
        }
        outcome.tasks.clear();
        outcome.tasks.extend(objective.results());
        let distances = outcome
            .tasks
            .iter()
            .filter(|task| task.task == TaskKind::Position);
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
        moved
    }
}

/// Residuals below this count as none: no finer than what angles in f32 degrees can place and targets in f32 can say.
fn tolerance(objective: &Objective, options: &Options) -> f64 {
    let finest = f64::from(f32::EPSILON) * (4.0 * objective.reach()).max(objective.far());
    options.tip_tolerance.min(REACHED * objective.reach()).max(finest)
}

/// Whether to stop before the next step, and then whether that is for having converged.
fn finished(objective: &Objective, trial: &Trial, options: &Options) -> Option<bool> {
    if !trial.energy().is_finite() {
        return Some(false);
    }
    // A prior goes on to choose among the poses that reach.
    if objective.prior() == 0.0 && objective.largest_error() <= tolerance(objective, options) {
        return Some(true);
    }
    let most_work = MOST_WORK * options.max_steps.div_ceil(100);
    (trial.steps >= options.max_steps || objective.work() >= most_work).then_some(false)
}

/// Whether what is left of the gradient counts as zero: no angle turns the tips towards the targets by more than 1e-6 of
/// what it could. What is no variable or is at a limit and pushed on is taken out of it.
fn vanished(objective: &Objective, trial: &Trial, gradient: &mut [DVec3]) -> bool {
    for (value, gradient) in gradient.iter_mut().enumerate() {
        let fixed =
            objective.outward(value, &trial.pose, *gradient) | objective.gains()[value].cmpeq(DVec3::ZERO);
        *gradient = DVec3::select(fixed, DVec3::ZERO, *gradient);
    }
    largest(gradient) <= 1e-6 * objective.reach() * objective.largest_pull()
}
