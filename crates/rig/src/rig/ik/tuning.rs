//! The constants of the solver, each with its unit and its meaning. Weights are relative to that of a position, 1; gains
//! are those of an angle that turns freely, 1; lengths are fractions of the reach.
//!
//! Numerics follow from the precision of f32 or are common choices. The others are tuned: what watches them is the test
//! or the row of `report --only ik` named at each group, which fails or moves when one of them is changed by much.

// Steps: numerics. The rows of `report --only ik` time them.
/// The greatest change of an angle in one step (radians).
pub const MAX_TURN: f64 = 1.0;
/// The part of a step from which on it counts as the best one along itself, how often it is refined otherwise, and the
/// greatest number of shorter ones that are tried until the energy falls. Refined three or four times, as many lines of
/// `report --only sweeps` have a jump; taken at once where the energy falls, one line more of 81.
pub const NEAR_BEST: f64 = 0.97;
pub const SEARCHES: usize = 2;
pub const MAX_SEARCHES: usize = 8;
/// The greatest numbers of tasks, and of rows for their values, for which the dense system is faster.
pub const MAX_DENSE_TASKS: usize = 32;
pub const MAX_DENSE_ROWS: usize = 1 << 15;
/// Damping, as a fraction of the mean diagonal of J J^T: at a distance of the reach, from where it falls with the square of
/// the distance, and the minimum.
pub const DAMPING: f64 = 3e-2;
pub const MIN_DAMPING: f64 = 1e-9;
/// Damping in proportion to the distance, where that is more, of bodies in balance that neither trunk nor head leads, the less
/// the farther hands do. Quick steps from starts that are nearly alike would end on both sides of ridges between minima:
/// without it, 27 of 660 lines of hands have a jump. With it where hands lead far, knees hardly bend (`ik::balance`).
pub const NEAR_DAMPING: f64 = 0.02;
/// Without a prior: the first damping at a distance of the reach, the damping beyond which no step is tried, and the fraction of the predicted decrease of the energy that
/// a step needs.
pub const FIRST_DAMPING: f64 = 0.1;
pub const MAX_DAMPING: f64 = 1e8;
pub const ARMIJO: f64 = 1e-4;
/// How close a tip comes to the first joint of its chain: the greatest number of rounds, and the fraction of the length by
/// which each must bring it closer.
pub const FOLDING_ROUNDS: usize = 20;
pub const MIN_FOLDING: f64 = 1e-4;
/// The greatest numbers of guesses of which values are at their limits, and of rounds of the method that follows.
pub const MAX_GUESSES: usize = 6;
pub const MAX_ROUNDS: usize = 40;
/// The ratio of the residual to the gradient at which iteration ends, and the greatest number of iterations.
pub const RESIDUAL_TOLERANCE: f64 = 0.05;
pub const MAX_ITERATIONS: usize = 40;
/// The angles in radians, tried from large to small.
pub const NUDGES: [f64; 2] = [1e-2, 1e-3];
/// The fraction of the energy by which a nudge must lower it; more than rounding.
pub const NOTABLE: f64 = 1e-7;
/// The fraction of the largest change below which a change is rounding.
pub const NOISE: f64 = 1e-10;
/// The greatest number of joints and tasks that a call visits per hundred permitted steps: a fraction of a
/// second, whatever the size of the skeleton. The call then ends unfinished.
pub const MAX_WORK: usize = 2_000_000;

// Stages: the rows of `report --only sweeps`; `ik::smooth` in `tests/core` leads handles along lines too.
/// The factors on the prior in the first stage and in the last. A limb that starts straight would stay so under a stronger
/// one; a weaker one leaves valleys of nearly equal energy, in which neighbouring solves stop at different places (26 of 40
/// lines of a pelvis had a jump).
pub const STRENGTHS: [f64; 2] = [100.0, 8.0];
/// The greatest numbers of steps in the first stage and in the last. More would only widen the gap between neighbouring
/// solves that end at different minima: with 80 in the last, 17 lines of the human have a jump, and with 30, 6.
pub const FIRST_STAGE_STEPS: usize = 10;
pub const LAST_STAGE_STEPS: usize = 20;
/// The stages, the last of which has no prior, end when no angle rotates by more (radians).
pub const TURNS: [f64; 3] = [3e-3, 3e-4, 1e-4];
/// A stage has converged if its last step brought the targets closer by no more than this fraction of the reach: from then
/// on, a thousand steps bring no target closer by 2e-3.
pub const MIN_PROGRESS: f64 = 2e-5;
/// The power of ten of the factor on the prior for an arm that could turn out as well as in.
pub const DOUBT_POWER: f64 = 6.0;
/// The greatest number of steps without a prior, which remove the error that it causes, and their damping when a
/// position is missed by the reach: targets out of reach hardly pull any more, and otherwise would go far. By what tasks
/// pull, and not by their distance: heels that lift as they must would hold everything else back.
pub const FINAL_STEPS: usize = 18;
pub const FINAL_DAMPING: f64 = 30.0;
/// The distance, as a fraction of the reach, from which on a single target counts as out of reach from every start.
pub const FAR_MISS: f64 = 3e-2;
/// Targets farther than this fraction of the reach are approached in this many parts, of this many steps.
pub const FAR: f64 = 0.1;
pub const PARTS: usize = 4;
pub const STEPS_PER_PART: usize = 3;

// Limbs in closed form: the arms of `report --only sweeps`. The mean of turns weights each by exp(-cost).
/// The cost of a turn away from that of the pose without handles (per squared radian), of limits that it exceeds (per
/// radian, and the radians from which on it is nearly linear), and of an elbow that points in instead of out, when that turn
/// exceeds them by the angle that follows (degrees). Of 688 lines of arms, 1 has a
/// jump; with 15 instead of 30, 9, with 60, 2, and with a quadratic cost, 33.
pub const LIMB_TURN_COST: f64 = 6.0;
pub const LIMB_LIMIT_COST: f64 = 30.0;
pub const LIMB_LIMIT_SOFT: f64 = 0.05;
pub const LIMB_OUTWARD_COST: f64 = 12.0;
pub const LIMB_OUTWARD_DEG: f64 = 20.0;
/// How far within its limits an upper joint begins to turn aside (degrees): without, 10 of 200 lines of seed 3 have a jump,
/// with it 4.
pub const LIMB_MARGIN_DEG: f32 = 20.0;
/// The distance by which a target is too close for the folded limb, and by which limits make it miss its target, as
/// fractions of its length, from which on the pose is held, and from where on the latter begins to. With 0.05 and 0.05 to
/// 0.2, an arm of seed 1 jumps by 170°.
pub const LIMB_LACK: f64 = 0.02;
pub const LIMB_MISS: [f64; 2] = [0.02, 0.1];
/// The distance by which limits make a led foot's leg miss, as a fraction of its length, from which on its knee starts bent
/// as preferred. Without, a foot led across the other leg jumps by 25°, with 0.08 by 28°, and from 0.01 to 0.06 it does not.
pub const LEG_MISS: f64 = 0.02;
/// The cost above that of no turn which hardly counts (6e-6), and the range of a second angle too narrow to share the turn.
pub const LIMB_NEGLIGIBLE_COST: f64 = 12.0;
pub const LIMB_NARROW_DEG: f32 = 20.0;
/// The standard deviation of turns (radians) from which on they are in doubt, and the range until they are entirely.
pub const LIMB_DOUBT: [f64; 2] = [0.45, 0.3];
/// The numbers of turns, and of second angles of the lower joint, in the mean: half as many leave steps between them.
pub const LIMB_TURNS: usize = 24;
pub const LIMB_SECONDS: usize = 9;

// Weights: `ik::posing` and `ik::tasks` in `tests/core`.
/// The greatest rotation of a stiff angle from the pose without handles, times the square root of 1 -
/// stiffness.
pub const MAX_STIFF_TURN_DEG: f32 = 180.0;
/// The weight of orientations: a limb that cannot have both a position and an orientation takes the position,
/// and the orientation as far as possible. A foot that is pinned flat lifts its heel instead of slipping.
pub const ORIENTATION_PRIORITY: f64 = 0.05;
pub const PINNED_ORIENTATION_PRIORITY: f64 = 0.3;
/// The weight of the poles of pinned feet, whose knees would turn aside by 3 % of the height in a deep crouch.
pub const PINNED_POLE_PRIORITY: f64 = 4.0;
/// The weight of pins, which stay if other tasks ask for more than is possible.
pub const PIN_PRIORITY: f64 = 50.0;
/// The distance, in multiples of the reach, to which targets are brought closer before they pull; pins resist
/// that pull.
pub const MAX_DISTANCE: f64 = 1e4;
/// The factor on the weight of a pole that yields.
pub const YIELD_FACTOR: f64 = 1e-4;

// Balance: `ik::balance` in `tests/core`, and the row of a hand led to the floor.
/// The weight of the centre of mass relative to a position: so small that tips leave balance if they cannot
/// be reached otherwise.
pub const BALANCE_WEIGHT: f64 = 1e-2;
/// The greatest factor on that weight while the prior is stronger than at the end.
pub const MAX_EARLY_FACTOR: f64 = 10.0;
/// The gain of an ankle that carries the body, about axes whose sideways component exceeds the second number.
pub const SUPPORT_ANKLE: (f64, f64) = (0.5, 0.7);
/// The height, as a fraction of the reach, at which a raised foot no longer carries the body.
pub const RAISED_HEIGHT: f64 = 0.05;

// Leading the body: `ik::balance` and `ik::hands` in `tests/core`, and the rows of posing.
/// The weights that apply while the body is led.
pub struct LeadStyle {
    /// The weight of tilts: see `TILT`. Large tilts count more than small ones, by `steeper` times their
    /// sine, so that the bones of the trunk share them and the trunk does not buckle.
    pub tilt: f64,
    pub steeper: f64,
    /// The factor on the gains of the trunk's bones, which makes it lean from the hips.
    pub trunk: f64,
    /// The fraction of the way to the preferred bend to which the prior pulls.
    pub bent: f32,
    /// Whether the trunk starts bent as preferred wherever the targets are, as far as the body is led.
    pub starts_bent: bool,
    /// The width of the border around the feet, as a fraction of the reach, within which balance begins to count. Without
    /// it, steps from poses on both sides of the edge differ, and more random lines have a jump.
    pub border: f64,
}

/// The weight of the tilt of a trunk bone, relative to the prior of an angle that rotates freely, when
/// nothing is led.
pub const TILT: f64 = 1.5;
/// Stiffer trunk bones would push the body off its feet in a full squat, and so would the prior if it bent
/// them.
pub const BY_TRUNK: LeadStyle =
    LeadStyle { tilt: 8.0, steeper: 5.0, trunk: 0.13, bent: 0.0, starts_bent: true, border: 0.0 };
/// A body that reaches for the floor bends hips, back and knees. With a greater tilt weight the knees would
/// do it all, with a smaller one hips and back.
pub const BY_ARMS: LeadStyle =
    LeadStyle { tilt: 0.09, steeper: 2.0, trunk: 0.32, bent: 0.3, starts_bent: false, border: 0.03 };
/// The least gain of the root when led, and the factor on the gains of neck and head, which move last.
pub const ROOT_GAIN: f64 = 1.0;
pub const NECK_FACTOR: f64 = 0.1;
/// The offset, as a fraction of the reach, from which leading has its full effect.
pub const FULL_EFFECT: f64 = 0.02;
/// The rate at which a bend brings targets closer, per squared reach and radian, from which on a solve starts with all of it.
pub const FULL_BEND: f64 = 0.02;
/// The weight of the orientations of pinned feet when hips are led.
pub const HEEL_WEIGHT: f64 = 2e-3;
/// The fraction of the total mass that makes a joint part of the trunk, whichever way it points.
pub const TRUNK_MASS: f64 = 1.0 / 3.0;

// Led feet: `ik::knees` in `tests/core`, and the rows of legs.
/// The weight of the orientation of a led foot that tips, relative to a position.
pub const TIPPED_WEIGHT: f64 = 5e-5;
/// The least gain of its ankle then, and also on a body that stands on the other foot: otherwise hips would
/// move to spare the ankle.
pub const ANKLE_GAIN: f64 = 0.5;
/// The weight of the knee pointing where the toes do.
pub const KNEE_WEIGHT: f64 = 1.0;
/// The angle (degrees) by which the knee turns aside before the foot tips as far as it may, which it also does where a task
/// is not done; and the fraction of that at which it begins to.
pub const ASIDE_DEG: f64 = 5.0;
pub const TOLERATED_LACK: f64 = 0.3;
/// The position of a pole in front of the line from hip to ankle, as the sine of the angle, below which it
/// has no effect and above which it has full effect: otherwise the knee of a foot that is raised above its
/// pole would bend backwards.
pub const IN_FRONT: (f64, f64) = (0.1, 0.4);
/// The distance of an implied pole in multiples of the reach: so far that it is a direction, wherever the hip
/// moves.
pub const POLE_DISTANCE: f64 = 100.0;
