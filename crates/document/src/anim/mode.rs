//! Modes: how a curve continues after a key. Scotty3D has one mode; the others are baked into knots for it
//! (see `bake`).

use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The way in which a curve continues from a key to the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Catmull-Rom as in Scotty3D, which overshoots next to equal keys. The mode of files without modes.
    #[default]
    Auto,
    /// Catmull-Rom, but flat next to an equal key, component by component, so that a segment between equal
    /// keys is flat. The mode of new keys.
    Smooth,
    /// A straight line.
    Linear,
    /// The key's value until the next key.
    Hold,
}

impl Mode {
    /// The modes that users can choose.
    pub const CHOICES: [Mode; 3] = [Mode::Smooth, Mode::Linear, Mode::Hold];
    pub const ALL: [Mode; 4] = [Mode::Auto, Mode::Smooth, Mode::Linear, Mode::Hold];

    /// Returns the name in files and labels.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Auto => "auto",
            Mode::Smooth => "smooth",
            Mode::Linear => "linear",
            Mode::Hold => "hold",
        }
    }
}

/// The authored data of a spline besides the times and values of its keys.
#[derive(Clone, Debug, PartialEq)]
pub struct AuthoredCurve<T> {
    /// The mode of each key; empty if all are [`Mode::Auto`].
    pub modes: Vec<Mode>,
    /// The knots that the file had for these keys, if they differ from the result of [`Spline::baked`]. They
    /// are written back as they were read, until a key changes.
    ///
    /// [`Spline::baked`]: super::spline::Spline::baked
    pub baked: Option<Arc<Vec<(f32, T)>>>,
}

impl<T> Default for AuthoredCurve<T> {
    fn default() -> Self {
        Self { modes: Vec::new(), baked: None }
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
        self.normalize();
    }

    /// Updates the data after a key was inserted at an index.
    pub fn key_inserted(&mut self, key: usize) {
        self.baked = None;
        if key <= self.modes.len() && !self.modes.is_empty() {
            self.modes.insert(key, Mode::Auto);
        }
    }

    /// Updates the data after the key at an index was removed.
    pub fn key_removed(&mut self, key: usize) {
        self.baked = None;
        if key < self.modes.len() {
            self.modes.remove(key);
        }
        self.normalize();
    }

    fn normalize(&mut self) {
        if self.modes.iter().all(|mode| *mode == Mode::Auto) {
            self.modes.clear();
        }
    }
}
