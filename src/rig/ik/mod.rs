//! Inverse kinematics: enabled handles pull bone tips to targets by changing pose angles only.
//!
//! Energy E = sum over enabled handles of half their weight times the squared distance from tip to target, over the
//! pose angles of all bones that are in the chain of one of them. The base offset never moves. There are no joint
//! limits and no stiffness.
//!
//! Every pose that a solver visits is one that the document can hold (f32 degrees), so that the energies
//! it reports are those of what is stored, and a pose at rest stays at rest when it is solved again.

pub mod chain;
mod damped;
mod dense;
mod descent;
mod iterate;
mod iterative;
mod objective;
mod quasi_newton;
mod saddle;

use super::skeleton::Skeleton;
use glam::DVec3;
use iterate::Iterate;
use objective::Objective;
use serde::{Deserialize, Serialize};

/// How a solver call ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// Every tip is where its handle pulls to, within [`REACHED`].
    Reached,
    /// No step leads nearer, and a tip is still away: its target is out of reach, or others pull against it.
    OutOfReach,
    /// Steps or work ran out on the way.
    #[default]
    Unfinished,
}

/// Tips nearer to where they are pulled than this part of the longest chain are there.
pub const REACHED: f64 = 1e-3;

/// So many handles can use up [`MOST_WORK`] before they are where they are pulled.
pub const MANY_HANDLES: usize = 1000;

/// Joints and handles that a call visits at most, for each hundred steps that it may take: a fraction of a second,
/// however many there are. It ends unfinished then.
const MOST_WORK: usize = 2_000_000;

/// What a solver call did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    pub end: End,
    /// The handle whose tip ends farthest from where it is pulled, and how far that is.
    pub farthest: Option<(usize, f64)>,
    /// Every tip reached its target, or the gradient vanished, or no pose that f32 degrees can hold
    /// along it is lower.
    pub converged: bool,
    /// Steps taken.
    pub steps: usize,
    /// Energy before the first step and after each step: `steps + 1` values, never rising.
    pub energies: Vec<f64>,
    /// How often the joints were placed (forward kinematics), refused steps included.
    pub passes: usize,
}

/// How the next pose is found. Lengths in skeleton units, angles in radians.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// Gradient descent; how far is searched, so that the energy falls. The first guess is the step of
    /// Barzilai and Borwein.
    Searched,
    /// Descent with the curvature that the last steps taught (L-BFGS); how far is searched.
    QuasiNewton,
    /// Gradient descent by this multiple of the gradient. Stops before a step that would raise the
    /// energy: use a smaller multiple then.
    Fixed(f64),
    /// Damped least squares (Levenberg-Marquardt) on the tips: dearer steps, but a twentieth of them, and
    /// the tips are reached by turning the angles as little as possible.
    #[default]
    Damped,
}

impl Step {
    /// What a fixed step is where nobody says otherwise.
    pub const FIXED: f64 = 0.03;
    /// One of each kind, the best first.
    pub const KINDS: [Step; 4] = [
        Step::Damped,
        Step::QuasiNewton,
        Step::Searched,
        Step::Fixed(Self::FIXED),
    ];

    /// For command lines.
    pub fn word(self) -> &'static str {
        match self {
            Step::Damped => "damped",
            Step::QuasiNewton => "lbfgs",
            Step::Searched => "searched",
            Step::Fixed(_) => "fixed",
        }
    }

    /// For people.
    pub fn text(self) -> &'static str {
        match self {
            Step::Damped => "Damped",
            Step::QuasiNewton => "L-BFGS",
            Step::Searched => "Searched descent",
            Step::Fixed(_) => "Fixed-step descent",
        }
    }
}

/// How a solver goes about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// At most this many steps.
    pub max_steps: usize,
    /// Tips nearer to their targets than this count as reached (skeleton units), or than [`REACHED`] of the
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

/// Energy in the current pose.
pub fn energy(skeleton: &Skeleton) -> f64 {
    let mut objective = Objective::new(skeleton);
    Iterate::start(&mut objective, skeleton).energy()
}

/// dE/d(angle) per bone for the x, y, z angles **in radians**, in one backward pass: O(bones + handles).
pub fn gradient(skeleton: &Skeleton) -> Vec<DVec3> {
    let mut objective = Objective::new(skeleton);
    let _placed = Iterate::start(&mut objective, skeleton);
    let mut of_joints = vec![DVec3::ZERO; objective.len()];
    objective.gradient(&mut of_joints);
    let mut of_bones = vec![DVec3::ZERO; skeleton.bones.len()];
    for (bone, value) in objective.bones().zip(of_joints) {
        of_bones[bone] = value;
    }
    of_bones
}

/// The gradient of one pose, again and again: what it costs with the kinematics before it, without what is
/// made once a call.
pub struct Gradients {
    objective: Objective,
    pose_deg: Vec<glam::Vec3>,
    gradient: Vec<DVec3>,
}

impl Gradients {
    pub fn new(skeleton: &Skeleton) -> Self {
        let mut objective = Objective::new(skeleton);
        Self {
            pose_deg: Iterate::start(&mut objective, skeleton).pose_deg,
            gradient: vec![DVec3::ZERO; objective.len()],
            objective,
        }
    }

    /// The energy in another pose (degrees, a value per bone) of handles that pull from the first one.
    pub fn energy_at(&mut self, poses_deg: &[glam::Vec3]) -> f64 {
        self.pose_deg.clear();
        self.pose_deg.extend(self.objective.bones().map(|b| poses_deg[b]));
        self.objective.energy(&self.pose_deg)
    }

    /// Per joint (a bone above an enabled handle), in radians.
    pub fn again(&mut self) -> &[DVec3] {
        self.objective.energy(&self.pose_deg);
        self.objective.gradient(&mut self.gradient);
        &self.gradient
    }
}

/// The length of the longest chain with an enabled handle, in skeleton units: what distances from tips to
/// targets are small or large by.
pub fn reach(skeleton: &Skeleton) -> f64 {
    Objective::new(skeleton).reach()
}

/// Takes up to `options.max_steps` downhill steps; writes the angles into `skeleton.bones[..].pose_deg`.
/// Angles that move no enabled handle, or need not move, keep their bits.
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
    iterate: Iterate,
    damped: damped::Buffers,
}

impl Solver {
    /// See [`solve`]. The outcome is written into the memory of an older one.
    pub fn solve(&mut self, skeleton: &mut Skeleton, options: &Options, outcome: &mut Outcome) {
        let Self {
            objective,
            iterate,
            damped,
        } = self;
        objective.set(skeleton);
        iterate.restart(objective, skeleton);
        let converged = match options.step {
            Step::Searched => descent::searched(objective, iterate, options),
            Step::Fixed(step) => descent::fixed(objective, iterate, options, step),
            Step::QuasiNewton => quasi_newton::solve(objective, iterate, options),
            Step::Damped => damped::solve(objective, iterate, options, damped),
        };
        for (joint, (bone, &pose_deg)) in objective.bones().zip(&iterate.pose_deg).enumerate() {
            if objective.turns(joint) {
                skeleton.bones[bone].pose_deg = pose_deg;
            }
        }
        outcome.farthest = objective.farthest(&iterate.tips);
        let there = |(_, distance)| distance <= REACHED * objective.reach();
        outcome.end = match (outcome.farthest.is_none_or(there), converged) {
            (true, _) => End::Reached,
            (false, true) => End::OutOfReach,
            (false, false) => End::Unfinished,
        };
        outcome.converged = converged;
        outcome.steps = iterate.steps();
        outcome.energies.clone_from(&iterate.energies);
        outcome.passes = objective.passes();
    }
}

/// Whether to stop before the next step, and then whether that is for having converged.
fn finished(objective: &Objective, iterate: &Iterate, options: &Options) -> Option<bool> {
    if !iterate.energy().is_finite() {
        return Some(false);
    }
    // No finer than what angles in f32 degrees can place and targets in f32 can say.
    let finest = f64::from(f32::EPSILON) * (4.0 * objective.reach()).max(objective.far());
    let tolerance = options.tip_tolerance.min(REACHED * objective.reach()).max(finest);
    if objective.largest_error() <= tolerance {
        return Some(true);
    }
    let most_work = MOST_WORK * options.max_steps.div_ceil(100);
    (iterate.steps() >= options.max_steps || objective.work() >= most_work).then_some(false)
}

/// Whether the gradient counts as zero: no angle turns the tips towards the targets by more than 1e-6
/// of what it could.
fn vanished(objective: &Objective, gradient: &[DVec3]) -> bool {
    iterate::largest(gradient) <= 1e-6 * objective.reach() * objective.largest_pull()
}
