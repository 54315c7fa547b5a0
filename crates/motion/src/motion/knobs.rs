//! What a user may change in a motion, and styles, which are settings of these.

use std::cell::RefCell;

/// A number that changes a motion. Those of the trunk and the arms are whole ranges, from least to most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knob {
    /// In body heights per second, for a body with the legs of a person; others move at the same Froude number.
    Speed,
    /// The trunk forwards, in degrees.
    Lean,
    /// Up and down, in body heights; for a run, as a multiple of what gravity gives.
    Bob,
    /// From side to side, in body heights.
    Sway,
    /// The turn of the pelvis about the vertical, in degrees.
    PelvisYaw,
    /// The tilt of the pelvis to the sides, in degrees.
    List,
    /// The swing of the arms, in degrees.
    ArmRange,
    /// The middle of the swing against the vertical, forwards, in degrees.
    ArmOffset,
    /// The mean bend of the elbows, in degrees.
    Elbow,
    /// The bend of the knees where they are the straightest, in degrees.
    KneeBend,
    /// The distance between the feet, in body heights.
    StepWidth,
    /// What is added to the distance between arms and body, in body heights.
    ArmSpace,
}

/// A row of [`KNOBS`].
#[derive(Debug)]
pub struct KnobRow {
    pub knob: Knob,
    /// As in commands.
    pub name: &'static str,
    pub label: &'static str,
    pub tooltip: &'static str,
    pub unit: &'static str,
    pub range: [f64; 2],
}

const fn row(
    knob: Knob,
    name: &'static str,
    label: &'static str,
    tooltip: &'static str,
    unit: &'static str,
    low: f64,
    high: f64,
) -> KnobRow {
    KnobRow { knob, name, label, tooltip, unit, range: [low, high] }
}

/// All knobs, in the order of [`Knob`]. The ranges hold the styles that were measured on people.
pub const KNOBS: [KnobRow; 12] = [
    row(
        Knob::Speed,
        "speed",
        "Speed",
        "How fast the body moves, in body heights per second.",
        " H/s",
        0.1,
        4.0,
    ),
    row(Knob::Lean, "lean", "Lean", "How far the trunk leans forwards.", "°", -15.0, 45.0),
    row(Knob::Bob, "bob", "Bob", "How far the body goes up and down, in body heights.", " H", 0.0, 0.1),
    row(
        Knob::Sway,
        "sway",
        "Sway",
        "How far the body goes from side to side, in body heights.",
        " H",
        0.0,
        0.15,
    ),
    row(
        Knob::PelvisYaw,
        "pelvis-yaw",
        "Pelvis yaw",
        "How far the pelvis turns with the legs.",
        "°",
        0.0,
        45.0,
    ),
    row(Knob::List, "list", "List", "How far the pelvis tilts to the sides.", "°", 0.0, 20.0),
    row(Knob::ArmRange, "arm-range", "Arm swing", "How far the arms swing.", "°", 0.0, 110.0),
    row(
        Knob::ArmOffset,
        "arm-offset",
        "Arms forward",
        "How far forwards the arms are in the middle of their swing.",
        "°",
        -40.0,
        60.0,
    ),
    row(Knob::Elbow, "elbow", "Elbow", "How far the elbows are bent.", "°", 0.0, 130.0),
    row(
        Knob::KneeBend,
        "knee-bend",
        "Knee bend",
        "How far the knees are bent where they are the straightest.",
        "°",
        0.0,
        90.0,
    ),
    row(Knob::StepWidth, "step-width", "Step width", "How far apart the feet are.", " H", 0.0, 0.3),
    row(
        Knob::ArmSpace,
        "arm-space",
        "Arm space",
        "How far the arms keep away from the body, beyond what they need.",
        " H",
        0.0,
        0.15,
    ),
];

/// The knobs that are set; the others are as each motion has them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Knobs {
    values: [Option<f64>; KNOBS.len()],
    /// The speed where [`Knob::Speed`] is not set, as a multiple of the usual one of each motion.
    pace: Option<f64>,
}

impl Knobs {
    pub fn get(&self, knob: Knob) -> Option<f64> {
        self.values[knob as usize]
    }

    pub fn set(&mut self, knob: Knob, value: f64) {
        self.values[knob as usize] = Some(value);
    }

    /// Returns these knobs, with one that is not set.
    pub fn without(mut self, knob: Knob) -> Self {
        self.values[knob as usize] = None;
        self
    }

    /// Returns these knobs, with those that are not set as in `others`.
    pub fn or_else(&self, others: &Self) -> Self {
        let values = std::array::from_fn(|index| self.values[index].or(others.values[index]));
        Self { values, pace: self.pace.or(others.pace) }
    }
}

/// Knobs while a motion is made of them.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    knobs: Knobs,
    /// The values that were used, usual ones included.
    used: RefCell<Knobs>,
    /// By how many degrees arms are held farther aside, to keep clear of the body.
    pub aside: f64,
}

impl Settings {
    pub fn new(knobs: &Knobs, aside: f64) -> Self {
        Self { knobs: *knobs, used: RefCell::default(), aside }
    }

    pub fn get(&self, knob: Knob) -> Option<f64> {
        self.knobs.get(knob)
    }

    /// The value of a knob within its range, or `usual`.
    pub fn or(&self, knob: Knob, usual: f64) -> f64 {
        let [low, high] = KNOBS[knob as usize].range;
        let pace = self.knobs.pace.filter(|_| knob == Knob::Speed).map(|pace| pace * usual);
        let value = self.get(knob).or(pace).map_or(usual, |value| value.clamp(low, high));
        self.used.borrow_mut().set(knob, value);
        value
    }

    /// The values that were used so far.
    pub fn used(&self) -> Knobs {
        *self.used.borrow()
    }
}

/// The usual speed of a walk on two legs.
pub(crate) const WALK_SPEED: f64 = 0.62;

/// A named setting.
#[derive(Debug)]
pub struct Style {
    pub name: &'static str,
    /// The speed is that of a walk on two legs.
    pub settings: &'static [(Knob, f64)],
}

impl Style {
    /// Returns the knobs of any motion in this style: its speed differs from the usual one by the same factor as that of the
    /// walk.
    pub fn knobs(&self) -> Knobs {
        let mut knobs = Knobs::default();
        self.settings.iter().for_each(|(knob, value)| match knob {
            Knob::Speed => knobs.pace = Some(value / WALK_SPEED),
            _ => knobs.set(*knob, *value),
        });
        knobs
    }
}

use Knob::{ArmOffset, ArmRange, Bob, Elbow, KneeBend, Lean, List, PelvisYaw, Speed, StepWidth, Sway};

/// The styles of walking, within the ranges that were measured on people who acted them.
#[rustfmt::skip]
pub const STYLES: &[Style] = &[
    Style { name: "active", settings: &[(Speed, 0.94), (Lean, 3.0), (Bob, 0.044), (Sway, 0.045), (PelvisYaw, 20.0), (ArmRange, 61.0), (ArmOffset, -4.0), (Elbow, 35.0)] },
    Style { name: "old", settings: &[(Speed, 0.43), (Lean, 17.0), (Bob, 0.026), (Sway, 0.066), (ArmRange, 20.0), (ArmOffset, -6.0), (Elbow, 38.0), (KneeBend, 18.0)] },
    Style { name: "tired", settings: &[(Speed, 0.6), (Lean, 11.0), (Bob, 0.04), (Sway, 0.09), (ArmRange, 36.0), (ArmOffset, -3.0), (Elbow, 22.0), (KneeBend, 12.0)] },
    Style { name: "feminine", settings: &[(Speed, 0.62), (Lean, -2.0), (Bob, 0.02), (Sway, 0.04), (List, 14.0), (PelvisYaw, 14.0), (ArmRange, 28.0), (ArmOffset, -12.0), (Elbow, 24.0), (StepWidth, 0.05)] },
    Style { name: "giant", settings: &[(Speed, 0.68), (Lean, 8.0), (Bob, 0.06), (Sway, 0.07), (PelvisYaw, 16.0), (ArmRange, 55.0), (ArmOffset, -12.0), (Elbow, 40.0), (StepWidth, 0.16)] },
    Style { name: "proud", settings: &[(Speed, 0.55), (Lean, -4.0), (Bob, 0.02), (Sway, 0.06), (ArmRange, 55.0), (ArmOffset, -2.0), (Elbow, 30.0)] },
    Style { name: "sad", settings: &[(Speed, 0.42), (Lean, 8.0), (Bob, 0.015), (Sway, 0.055), (ArmRange, 10.0), (ArmOffset, 0.0), (Elbow, 18.0), (KneeBend, 10.0)] },
    Style { name: "swagger", settings: &[(Speed, 0.8), (Lean, 2.0), (Bob, 0.04), (Sway, 0.08), (PelvisYaw, 30.0), (ArmRange, 70.0), (ArmOffset, 0.0), (Elbow, 38.0), (StepWidth, 0.12)] },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_the_order_of_the_knobs_and_hold_the_styles() {
        for (index, row) in KNOBS.iter().enumerate() {
            assert_eq!(row.knob as usize, index, "{}", row.name);
        }
        for style in STYLES {
            for (knob, value) in style.settings {
                let [low, high] = KNOBS[*knob as usize].range;
                assert!((low..=high).contains(value), "{}: {knob:?}", style.name);
            }
        }
    }
}
