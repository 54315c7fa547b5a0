//! Motions that are generated for a skeleton of any proportions: skeletons in, poses at every frame out.
//!
//! Feet come first: contacts never slide, by construction, and legs, trunk and arms follow. See [`generate`].

mod arm;
mod biped;
mod bounce;
mod checking;
mod clearance;
mod clip;
mod curve;
mod cycle;
mod figure;
mod gait;
mod hinge;
#[cfg(test)]
mod invariants;
mod jump;
mod knobs;
mod leg;
#[cfg(test)]
mod norms;
mod pace;
mod part;
mod posture;
mod quadruped;
mod script;
#[cfg(test)]
mod soles;
mod standing;
mod turning;

pub use clip::{Clip, Contact};
pub use figure::{Figure, Unfit};
use knobs::Settings;
pub use knobs::{KNOBS, Knob, KnobRow, Knobs, STYLES, Style};
pub use pace::fastest;
pub use part::SkinPoint;
pub use posture::Pose;

use cycle::Cycle;
use pace::Feasible;
use script::Script;

/// A motion that can be generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    Idle,
    Walk,
    Run,
    Trot,
    Jump,
    JumpStart,
    JumpAir,
    JumpLand,
    Turn,
    Wave,
    Sneak,
    CrouchWalk,
    Check,
}

/// A row of [`MOTIONS`].
#[derive(Debug)]
pub struct MotionRow {
    pub motion: Motion,
    /// As in commands.
    pub name: &'static str,
    pub label: &'static str,
    /// The numbers of legs for which there is such a motion.
    pub legs: &'static [usize],
}

/// All motions.
pub const MOTIONS: &[MotionRow] = &[
    MotionRow { motion: Motion::Idle, name: "idle", label: "Idle", legs: &[2, 4] },
    MotionRow { motion: Motion::Walk, name: "walk", label: "Walk", legs: &[2, 4] },
    MotionRow { motion: Motion::Run, name: "run", label: "Run", legs: &[2] },
    MotionRow { motion: Motion::Trot, name: "trot", label: "Trot", legs: &[4] },
    MotionRow { motion: Motion::Jump, name: "jump", label: "Jump", legs: &[2] },
    MotionRow { motion: Motion::JumpStart, name: "jump-start", label: "Jump start", legs: &[2] },
    MotionRow { motion: Motion::JumpAir, name: "jump-air", label: "Jump air", legs: &[2] },
    MotionRow { motion: Motion::JumpLand, name: "jump-land", label: "Jump land", legs: &[2] },
    MotionRow { motion: Motion::Turn, name: "turn", label: "Turn", legs: &[2] },
    MotionRow { motion: Motion::Wave, name: "wave", label: "Wave", legs: &[2] },
    MotionRow { motion: Motion::Sneak, name: "sneak", label: "Sneak", legs: &[2] },
    MotionRow { motion: Motion::CrouchWalk, name: "crouch-walk", label: "Crouch walk", legs: &[2] },
    MotionRow { motion: Motion::Check, name: "check", label: "Check", legs: &[2] },
];

/// Generates a motion for a body at `rate` frames per second, on the spot or travelling to the front. A gait that is wanted
/// faster than the legs allow is as fast as they do.
///
/// # Errors
/// If there is no such motion for its number of legs, or its legs cannot make it at its usual speed either.
pub fn generate(
    figure: &Figure,
    motion: Motion,
    knobs: &Knobs,
    rate: f64,
    travels: bool,
) -> Result<Clip, Unfit> {
    let Feasible { knobs, postures, is_slowed } = pace::feasible(figure, motion, knobs)?;
    let mut settings = Settings::new(&knobs, 0.0);
    settings.aside = clearance::aside(figure, &postures, &settings);
    let clip = match make(figure, motion, &settings)? {
        Made::Cycle(cycle) => cycle::frames(figure, cycle, rate, travels),
        Made::Script(script) => script::frames(figure, &script, rate),
    };
    Ok(Clip { used: settings.used(), is_slowed, ..clip })
}

/// The postures of a motion in which arms must be clear of the body.
const CLEARANCE_SAMPLES: usize = 16;

/// Returns some of the postures of a motion.
fn samples(figure: &Figure, motion: Motion, settings: &Settings) -> Result<Vec<posture::Posture>, Unfit> {
    Ok(match make(figure, motion, settings)? {
        Made::Cycle(cycle) => cycle::samples(figure, cycle, CLEARANCE_SAMPLES),
        Made::Script(script) => script::samples(&script, CLEARANCE_SAMPLES),
    })
}

/// Returns the least distance between arms and body in these postures.
#[cfg(test)]
fn clearance_of(figure: &Figure, motion: Motion, knobs: &Knobs) -> Result<f64, Unfit> {
    let settings = Settings::new(knobs, 0.0);
    let aside = clearance::aside(figure, &samples(figure, motion, &settings)?, &settings);
    let distances = samples(figure, motion, &Settings::new(knobs, aside))?;
    let distances = distances.iter().map(|it| clearance::least_distance(figure, &posture::solve(figure, it)));
    Ok(distances.fold(f64::INFINITY, f64::min))
}

/// A motion of either kind.
enum Made<'a> {
    Cycle(Cycle<'a>),
    Script(Script<'a>),
}

fn make<'a>(figure: &'a Figure, motion: Motion, knobs: &Settings) -> Result<Made<'a>, Unfit> {
    Ok(match (motion, figure.is_biped()) {
        (Motion::Idle, true) => Made::Script(standing::idle(figure, knobs)),
        (Motion::Walk, true) => Made::Cycle(biped::walk(figure, knobs)),
        (Motion::Run, true) => Made::Cycle(biped::run(figure, knobs)),
        (Motion::Idle, false) => Made::Script(quadruped::idle(figure, knobs)),
        (Motion::Walk, false) => Made::Cycle(quadruped::walk(figure, knobs)),
        (Motion::Trot, false) => Made::Cycle(quadruped::trot(figure, knobs)),
        (Motion::Jump, true) => Made::Script(jump::whole(figure, knobs)),
        (Motion::JumpStart, true) => Made::Script(jump::start(figure, knobs)),
        (Motion::JumpAir, true) => Made::Script(jump::air(figure, knobs)),
        (Motion::JumpLand, true) => Made::Script(jump::land(figure, knobs)),
        (Motion::Turn, true) => Made::Script(turning::turn(figure, knobs)),
        (Motion::Wave, true) => Made::Script(standing::greeting(figure, knobs)),
        (Motion::Sneak, true) => Made::Cycle(biped::sneak(figure, knobs)),
        (Motion::CrouchWalk, true) => Made::Cycle(biped::crouch_walk(figure, knobs)),
        (Motion::Check, true) => Made::Script(checking::check(figure, knobs)),
        _ => return Err(Unfit::Motion(figure.legs.len())),
    })
}
