//! Modes: how a curve continues after a key. Scotty3D has one mode; the others are baked into knots for it
//! (see `bake`).

use super::ease::{Curve, Ease, Side};
use super::value::Value;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The way in which a curve continues from a key to the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum Mode {
    /// Catmull-Rom as in Scotty3D, which overshoots next to equal keys. The mode of files without modes.
    #[default]
    Auto,
    /// Catmull-Rom, but flat next to an equal key, component by component, so that a segment between equal
    /// keys is flat. It passes beyond keys that are higher or lower than both neighbours.
    Smooth,
    /// A straight line.
    Linear,
    /// The key's value until the next key.
    Hold,
    /// Catmull-Rom, but flat at keys that are higher or lower than both neighbours and less steep next to smaller steps, component by
    /// component: the curve never leaves the range of the two keys around it. The mode of new keys.
    Clamped,
    /// From this value to the next one, whatever is before and after.
    Ease(Ease),
}

/// The names of the eases by curve, at the start, at the end and at both.
const EASES: [[&str; 3]; 10] = [
    ["sine_in", "sine_out", "sine_in_out"],
    ["quad_in", "quad_out", "quad_in_out"],
    ["cubic_in", "cubic_out", "cubic_in_out"],
    ["quart_in", "quart_out", "quart_in_out"],
    ["quint_in", "quint_out", "quint_in_out"],
    ["expo_in", "expo_out", "expo_in_out"],
    ["circ_in", "circ_out", "circ_in_out"],
    ["back_in", "back_out", "back_in_out"],
    ["bounce_in", "bounce_out", "bounce_in_out"],
    ["elastic_in", "elastic_out", "elastic_in_out"],
];

impl Mode {
    /// The modes that **T** goes through.
    pub const CHOICES: [Mode; 4] = [Mode::Clamped, Mode::Linear, Mode::Hold, Mode::Smooth];

    /// Returns the name in files.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Auto => "auto",
            Mode::Smooth => "smooth",
            Mode::Linear => "linear",
            Mode::Hold => "hold",
            Mode::Clamped => "clamped",
            Mode::Ease(Ease { curve, side }) => EASES[curve as usize][side as usize],
        }
    }

    /// Returns the text in messages: `hold`, `ease quad in out`.
    pub fn text(self) -> String {
        match self {
            Mode::Ease(_) => format!("ease {}", self.name().replace('_', " ")),
            _ => self.name().to_owned(),
        }
    }

    /// Whether the curve is cubic, with slopes at both ends.
    pub fn is_cubic(self) -> bool {
        matches!(self, Mode::Auto | Mode::Smooth | Mode::Clamped)
    }

    /// Returns the mode of the same interval if time runs backwards: a slow start becomes a slow end.
    pub fn reversed(self) -> Self {
        match self {
            Mode::Ease(ease) => Mode::Ease(ease.reversed()),
            _ => self,
        }
    }

    /// All modes.
    pub fn all() -> impl Iterator<Item = Mode> {
        let sides = |curve: Curve| Side::ALL.map(|side| Mode::Ease(Ease { curve, side }));
        [Mode::Auto, Mode::Smooth, Mode::Linear, Mode::Hold, Mode::Clamped]
            .into_iter()
            .chain(Curve::ALL.into_iter().flat_map(sides))
    }

    /// The mode with a name.
    pub fn named(name: &str) -> Option<Mode> {
        Self::all().find(|mode| mode.name() == name)
    }
}

impl From<Mode> for &'static str {
    fn from(mode: Mode) -> Self {
        mode.name()
    }
}

impl TryFrom<String> for Mode {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let names = || Self::all().map(Self::name).collect::<Vec<_>>().join(", ");
        Self::named(&name).ok_or_else(|| format!("unknown mode “{name}”; there are {}", names()))
    }
}

/// The mode of one side of a key, whatever the mode of the interval on that side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SideMode {
    /// As [`Mode::Clamped`].
    Clamped,
    /// As [`Mode::Smooth`].
    Smooth,
    /// Straight towards the key on that side.
    Linear,
}

impl SideMode {
    pub const ALL: [SideMode; 3] = [SideMode::Clamped, SideMode::Smooth, SideMode::Linear];

    /// Returns the name in files.
    pub fn name(self) -> &'static str {
        Mode::from(self).name()
    }

    /// The mode with a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

impl From<SideMode> for Mode {
    fn from(side: SideMode) -> Self {
        match side {
            SideMode::Clamped => Mode::Clamped,
            SideMode::Smooth => Mode::Smooth,
            SideMode::Linear => Mode::Linear,
        }
    }
}

/// What somebody chose for one side of a key.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Slope<T> {
    /// The slope that a mode gives, which changes with the neighbours of the key.
    Of(SideMode),
    /// A slope in value per frame.
    Set(T),
}

impl<T> Slope<T> {
    /// Returns the slope if it depends on no other key.
    pub fn fixed(self) -> Option<T> {
        match self {
            Slope::Of(_) => None,
            Slope::Set(slope) => Some(slope),
        }
    }

    /// Applies a function to a fixed slope.
    pub fn map<U>(self, to: impl FnOnce(T) -> U) -> Slope<U> {
        match self {
            Slope::Of(mode) => Slope::Of(mode),
            Slope::Set(slope) => Slope::Set(to(slope)),
        }
    }
}

/// The slopes of a curve at a key that somebody chose; where there is none, the mode of the interval decides.
/// Straight lines, holds and eases have no slopes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Slopes<T> {
    /// The slope with which the curve comes from the key before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arrive: Option<Slope<T>>,
    /// The slope with which it goes on to the next key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leave: Option<Slope<T>>,
}

impl<T> Default for Slopes<T> {
    fn default() -> Self {
        Self { arrive: None, leave: None }
    }
}

impl<T> Slopes<T> {
    /// Returns fixed slopes, in value per frame.
    pub fn fixed(arrive: Option<T>, leave: Option<T>) -> Self {
        Self { arrive: arrive.map(Slope::Set), leave: leave.map(Slope::Set) }
    }

    pub fn is_free(&self) -> bool {
        self.arrive.is_some() || self.leave.is_some()
    }

    /// Applies a function to the slopes that are fixed.
    pub fn map<U>(self, to: impl Fn(T) -> U) -> Slopes<U> {
        Slopes {
            arrive: self.arrive.map(|slope| slope.map(&to)),
            leave: self.leave.map(|slope| slope.map(&to)),
        }
    }
}

/// How a curve passes a key, besides the value there: its mode, and the slopes that were set. In JSON, a key without slopes
/// is the name of its mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(into = "ShapeText", from = "ShapeText")]
pub struct KeyShape {
    pub mode: Mode,
    pub slopes: Slopes<Value>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum ShapeText {
    Mode(Mode),
    Shape {
        mode: Mode,
        #[serde(flatten)]
        slopes: Slopes<Value>,
    },
}

impl KeyShape {
    /// Returns the shape of the key in a curve that takes `factor` times as long; a negative one runs backwards.
    pub fn stretched(self, factor: f32) -> Self {
        if factor == 0.0 {
            return self.mode.into();
        }
        let Slopes { arrive, leave } = self.slopes.map(|slope| slope.scaled(1.0 / factor));
        let slopes =
            if factor < 0.0 { Slopes { arrive: leave, leave: arrive } } else { Slopes { arrive, leave } };
        Self { slopes, ..self }
    }
}

impl From<KeyShape> for ShapeText {
    fn from(KeyShape { mode, slopes }: KeyShape) -> Self {
        if slopes.is_free() { Self::Shape { mode, slopes } } else { Self::Mode(mode) }
    }
}

impl From<ShapeText> for KeyShape {
    fn from(text: ShapeText) -> Self {
        match text {
            ShapeText::Mode(mode) => mode.into(),
            ShapeText::Shape { mode, slopes } => Self { mode, slopes },
        }
    }
}

impl From<Mode> for KeyShape {
    fn from(mode: Mode) -> Self {
        Self { mode, slopes: Slopes::default() }
    }
}

/// The authored data of a spline besides the times and values of its keys.
#[derive(Clone, Debug, PartialEq)]
pub struct AuthoredCurve<T> {
    /// The mode of each key; empty if all are [`Mode::Auto`].
    pub modes: Vec<Mode>,
    /// The slopes that were set at each key; empty if there are none.
    pub slopes: Vec<Slopes<T>>,
    /// The knots that the file had for these keys, if they differ from the result of [`Spline::baked`]. They
    /// are written back as they were read, until a key changes.
    ///
    /// [`Spline::baked`]: super::spline::Spline::baked
    pub baked: Option<Arc<Vec<(f32, T)>>>,
}

impl<T> Default for AuthoredCurve<T> {
    fn default() -> Self {
        Self { modes: Vec::new(), slopes: Vec::new(), baked: None }
    }
}

impl<T: Copy> AuthoredCurve<T> {
    /// Whether Scotty3D's own curve through the keys is what they mean.
    pub fn is_plain(&self) -> bool {
        self.modes.is_empty() && self.slopes.is_empty()
    }

    pub fn mode(&self, key: usize) -> Mode {
        self.modes.get(key).copied().unwrap_or_default()
    }

    pub fn slopes(&self, key: usize) -> Slopes<T> {
        self.slopes.get(key).copied().unwrap_or_default()
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

    /// Sets the slopes of one of `count` keys.
    pub fn set_slopes(&mut self, key: usize, count: usize, slopes: Slopes<T>) {
        self.baked = None;
        self.slopes.resize(count, Slopes::default());
        if let Some(slot) = self.slopes.get_mut(key) {
            *slot = slopes;
        }
        self.normalize();
    }

    /// Updates the data after a key was inserted at an index.
    pub fn key_inserted(&mut self, key: usize) {
        self.baked = None;
        if key <= self.modes.len() && !self.modes.is_empty() {
            self.modes.insert(key, Mode::Auto);
        }
        if key <= self.slopes.len() && !self.slopes.is_empty() {
            self.slopes.insert(key, Slopes::default());
        }
    }

    /// Updates the data after the key at an index was removed.
    pub fn key_removed(&mut self, key: usize) {
        self.baked = None;
        if key < self.modes.len() {
            self.modes.remove(key);
        }
        if key < self.slopes.len() {
            self.slopes.remove(key);
        }
        self.normalize();
    }

    fn normalize(&mut self) {
        if self.modes.iter().all(|mode| *mode == Mode::Auto) {
            self.modes.clear();
        }
        if !self.slopes.iter().any(Slopes::is_free) {
            self.slopes.clear();
        }
    }
}
