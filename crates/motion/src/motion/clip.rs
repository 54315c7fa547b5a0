//! A generated motion: poses at every frame, and what an engine needs to know of it.

use crate::motion::knobs::Knobs;
use crate::motion::posture::Pose;

/// A foot that stands: from the frame at which it comes down to the last at which it is on the ground. In a motion that
/// repeats, the latter may be past the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contact {
    /// The index of the bone.
    pub foot: usize,
    pub down: u32,
    pub up: u32,
}

/// A generated motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// In frames per second.
    pub rate: f64,
    /// Whether it repeats; the last pose is then the first one again, but for the way travelled.
    pub loops: bool,
    /// In scene units per second, to the front of the body.
    pub speed: f64,
    pub poses: Vec<Pose>,
    /// By the frame at which they begin.
    pub contacts: Vec<Contact>,
    /// For each leg and frame, whether the ball of its foot stands on the ground.
    pub(crate) balls: Vec<Vec<bool>>,
    /// By how much a leg is too short for its foot at worst, in scene units: 0 unless the motion does not suit the body.
    pub overreach: f64,
    /// The values of all knobs that it depends on, also of those that were not set.
    pub used: Knobs,
    /// Whether it is slower than was wanted, since the legs cannot make it faster, or the knob ends.
    pub is_slowed: bool,
}

impl Clip {
    pub(crate) fn new(rate: f64, loops: bool, speed: f64) -> Self {
        Self {
            rate,
            loops,
            speed,
            poses: Vec::new(),
            contacts: Vec::new(),
            balls: Vec::new(),
            overreach: 0.0,
            used: Knobs::default(),
            is_slowed: false,
        }
    }
}
