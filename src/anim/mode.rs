//! Modes: how a key goes on to the next one. Scotty3D knows one way; the others are baked into knots for it
//! (see `bake`).

use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How values go from a key to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// As in Scotty3D: Catmull-Rom, which overshoots beside equal keys. What files without modes mean.
    #[default]
    Auto,
    /// Catmull-Rom, but level beside an equal key, component by component: a stretch between equal keys is
    /// flat. What new keys have.
    Smooth,
    /// Along a straight line.
    Linear,
    /// The key's value up to the next key.
    Hold,
}

impl Mode {
    /// Those that a key can be given.
    pub const CHOICES: [Mode; 3] = [Mode::Smooth, Mode::Linear, Mode::Hold];
    pub const ALL: [Mode; 4] = [Mode::Auto, Mode::Smooth, Mode::Linear, Mode::Hold];

    /// As files and labels spell it.
    pub fn word(self) -> &'static str {
        match self {
            Mode::Auto => "auto",
            Mode::Smooth => "smooth",
            Mode::Linear => "linear",
            Mode::Hold => "hold",
        }
    }
}

/// What is known of a spline whose keys were set here, beside their times and values.
#[derive(Clone, Debug, PartialEq)]
pub struct AuthoredCurve<T> {
    /// One for each key, or none where all are [`Mode::Auto`].
    pub modes: Vec<Mode>,
    /// The knots that the file had for these keys, if they are others than [`Spline::baked`] makes of them, until a key
    /// is changed: they are written as they were read.
    ///
    /// [`Spline::baked`]: super::spline::Spline::baked
    pub baked: Option<Arc<Vec<(f32, T)>>>,
}

impl<T> Default for AuthoredCurve<T> {
    fn default() -> Self {
        Self {
            modes: Vec::new(),
            baked: None,
        }
    }
}

impl<T> AuthoredCurve<T> {
    pub fn mode(&self, key: usize) -> Mode {
        self.modes.get(key).copied().unwrap_or_default()
    }

    /// Sets the mode of one of `count` keys.
    pub fn set(&mut self, key: usize, count: usize, mode: Mode) {
        self.baked = None;
        self.modes.resize(count, Mode::Auto);
        if let Some(slot) = self.modes.get_mut(key) {
            *slot = mode;
        }
        self.settle();
    }

    /// A key was inserted at an index.
    pub fn inserted(&mut self, key: usize) {
        self.baked = None;
        if key <= self.modes.len() && !self.modes.is_empty() {
            self.modes.insert(key, Mode::Auto);
        }
    }

    pub fn removed(&mut self, key: usize) {
        self.baked = None;
        if key < self.modes.len() {
            self.modes.remove(key);
        }
        self.settle();
    }

    fn settle(&mut self) {
        if self.modes.iter().all(|mode| *mode == Mode::Auto) {
            self.modes.clear();
        }
    }
}
