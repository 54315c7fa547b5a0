//! Brush settings: what a brush does to weights, how far and how strongly.

use serde::{Deserialize, Serialize};

/// The effect of a brush on weights. `w`: the weight of its bone, `c`: the coverage of a vertex, from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Blends towards the value: `w + c (value - w)`.
    #[default]
    Replace,
    /// Adds the value: `w + c value`.
    Add,
    /// Subtracts the value: `w - c value`.
    Subtract,
    /// Scales by the value: `w (1 + c (value - 1))`.
    Scale,
    /// Blends all unlocked bones towards the mean of the neighbours.
    Smooth,
    /// Raises all unlocked bones to the power of `1 + c`.
    Sharpen,
    /// Fills all unlocked bones smoothly from the surroundings, once at the end of the stroke.
    Heal,
    /// Blends towards the value, fully at the start of the drag and not at all at its end.
    Gradient,
    /// Solves for the weights of all unlocked bones that move the skin where it is dragged in this pose.
    Pull,
}

impl Mode {
    pub const ALL: [Self; 9] = [
        Self::Replace,
        Self::Add,
        Self::Subtract,
        Self::Scale,
        Self::Smooth,
        Self::Sharpen,
        Self::Heal,
        Self::Gradient,
        Self::Pull,
    ];

    pub fn text(self) -> &'static str {
        match self {
            Self::Replace => "Replace",
            Self::Add => "Add",
            Self::Subtract => "Subtract",
            Self::Scale => "Scale",
            Self::Smooth => "Smooth",
            Self::Sharpen => "Sharpen",
            Self::Heal => "Heal",
            Self::Gradient => "Gradient",
            Self::Pull => "Pull",
        }
    }

    pub fn about(self) -> &'static str {
        match self {
            Self::Replace => "Bring the weight of the bone towards the value.",
            Self::Add => "Add the value to the weight of the bone.",
            Self::Subtract => "Subtract the value from the weight of the bone.",
            Self::Scale => "Multiply the weight of the bone by the value.",
            Self::Smooth => "Blend the weights of all unlocked bones with those around.",
            Self::Sharpen => "Strengthen the strongest of all unlocked bones.",
            Self::Heal => "Fill the painted area from its surroundings, at the end of the stroke.",
            Self::Gradient => {
                "Blend from the value, where the drag begins, to the existing weight, where it ends: within the radius of that line, or on the selected vertices."
            }
            Self::Pull => "Drag the skin to where it should be in this pose: the weights are solved.",
        }
    }

    /// Whether it paints one bone rather than all unlocked ones.
    pub fn paints_one_bone(self) -> bool {
        matches!(self, Self::Replace | Self::Add | Self::Subtract | Self::Scale | Self::Gradient)
    }
}

/// The parts of the surface that a brush reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    /// Along the surface, which separates fingers.
    #[default]
    Surface,
    /// Along the surface, and disconnected pieces within the radius.
    Volume,
    /// Along the surface, from everything under the pointer, front and back.
    Through,
}

impl Reach {
    pub const ALL: [Self; 3] = [Self::Surface, Self::Volume, Self::Through];

    pub fn text(self) -> &'static str {
        match self {
            Self::Surface => "Surface",
            Self::Volume => "Volume",
            Self::Through => "Through",
        }
    }

    pub fn about(self) -> &'static str {
        match self {
            Self::Surface => "Along the surface. Parts that are close only in space are not painted.",
            Self::Volume => "Along the surface, and pieces that are not joined to it within the radius.",
            Self::Through => "The far side too, and whatever else lies behind the pointer.",
        }
    }
}

/// The falloff of the strength from the path of the brush to its rim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Falloff {
    #[default]
    Smooth,
    Linear,
    Sphere,
    Sharp,
    Constant,
    /// The user's curve, [`Brush::curve`].
    #[serde(rename = "own")]
    Custom,
}

impl Falloff {
    pub const ALL: [Self; 6] =
        [Self::Smooth, Self::Linear, Self::Sphere, Self::Sharp, Self::Constant, Self::Custom];

    pub fn text(self) -> &'static str {
        match self {
            Self::Smooth => "Smooth",
            Self::Linear => "Linear",
            Self::Sphere => "Sphere",
            Self::Sharp => "Sharp",
            Self::Constant => "Constant",
            Self::Custom => "Custom curve",
        }
    }
}

/// The settings of a brush.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Brush {
    pub mode: Mode,
    /// The value to paint, from 0 to 1.
    pub value: f32,
    /// The strength at the path of the brush, from 0 to 1.
    pub strength: f32,
    /// The radius as a fraction of the largest side of the surface's bounding box.
    pub radius: f32,
    pub falloff: Falloff,
    /// The strengths for [`Falloff::Custom`], from 0 to 1, at even distances from the path of the brush to its
    /// rim.
    pub curve: Curve,
    pub reach: Reach,
    /// Whether passing a position again has more effect.
    pub accumulate: bool,
    /// Whether the pen's pressure scales the radius.
    pub pressure_radius: bool,
    /// Whether the pen's pressure scales the strength.
    pub pressure_strength: bool,
    /// The most bones per painted vertex, unless more are locked or painted; 0 for those of the mesh's weight method.
    pub most: usize,
}

/// Clock ticks per second, for spraying brushes.
pub const TICKS: f64 = 60.0;
/// The smallest and largest radius.
pub const RADII: [f32; 2] = [0.001, 1.0];
/// The heights of a custom falloff curve.
pub type Curve = [f32; 8];

impl Default for Brush {
    fn default() -> Self {
        Self {
            mode: Mode::Replace,
            value: 1.0,
            strength: 1.0,
            radius: 0.05,
            falloff: Falloff::Smooth,
            curve: [1.0, 0.94, 0.8, 0.61, 0.39, 0.2, 0.06, 0.0],
            reach: Reach::Surface,
            accumulate: false,
            pressure_radius: false,
            pressure_strength: true,
            most: 0,
        }
    }
}

impl Brush {
    /// Returns the brush with all numbers finite and within their ranges.
    pub fn sanitized(mut self) -> Self {
        let fraction =
            |number: f32, default: f32| if number.is_finite() { number.clamp(0.0, 1.0) } else { default };
        let default = Self::default();
        self.value = fraction(self.value, default.value);
        self.strength = fraction(self.strength, default.strength);
        self.radius = fraction(self.radius, default.radius).max(RADII[0]);
        self.curve = std::array::from_fn(|i| fraction(self.curve[i], default.curve[i]));
        self
    }

    /// Returns a message about the first invalid setting, if any.
    pub fn fault(&self) -> Option<String> {
        let fraction = |name: &str, number: f32| {
            let rule = format!("the brush's {name} must be a number from 0 to 1, not {number}");
            (!(0.0..=1.0).contains(&number)).then_some(rule)
        };
        let radius = || {
            let [least, most] = RADII;
            let unit = "of the largest side of the mesh";
            let rule =
                format!("the brush's radius must be from {least} to {most} {unit}, not {}", self.radius);
            (!(least..=most).contains(&self.radius)).then_some(rule)
        };
        fraction("value", self.value)
            .or_else(|| fraction("strength", self.strength))
            .or_else(|| self.curve.iter().find_map(|&height| fraction("curve", height)))
            .or_else(radius)
    }

    /// Returns the falloff at a distance from the path of the brush, from 1 to 0 at the rim. `part`: the
    /// distance as a fraction of the radius.
    pub fn falloff_at(&self, part: f64) -> f64 {
        let left = (1.0 - part).clamp(0.0, 1.0);
        match self.falloff {
            Falloff::Smooth => left * left * (3.0 - 2.0 * left),
            Falloff::Linear => left,
            Falloff::Sphere => (1.0 - (1.0 - left) * (1.0 - left)).sqrt(),
            Falloff::Sharp => left * left,
            Falloff::Constant => f64::from(part <= 1.0),
            Falloff::Custom if part > 1.0 => 0.0,
            Falloff::Custom => interpolate(&self.curve, part),
        }
    }

    /// Sets the falloff; a custom curve starts with the shape of the previous falloff.
    pub fn set_falloff(&mut self, falloff: Falloff) {
        if falloff == Falloff::Custom {
            let last = (self.curve.len() - 1) as f64;
            self.curve = std::array::from_fn(|i| self.falloff_at(i as f64 / last) as f32);
        }
        self.falloff = falloff;
    }

    /// Returns the opposite brush, used while Ctrl is held.
    pub fn inverted(mut self) -> Self {
        match self.mode {
            Mode::Replace | Mode::Gradient => self.value = 1.0 - self.value,
            Mode::Add => self.mode = Mode::Subtract,
            Mode::Subtract => self.mode = Mode::Add,
            Mode::Scale => self.value = if self.value > 0.0 { 1.0 / self.value } else { 0.0 },
            Mode::Smooth => self.mode = Mode::Sharpen,
            Mode::Sharpen => self.mode = Mode::Smooth,
            Mode::Heal | Mode::Pull => {}
        }
        self
    }

    /// Whether only the start and end of the path matter, not what is between.
    pub fn uses_endpoints(&self) -> bool {
        matches!(self.mode, Mode::Gradient | Mode::Pull)
    }

    /// Whether it paints in dabs along the path.
    pub fn uses_dabs(&self) -> bool {
        match self.mode {
            Mode::Smooth => true,
            Mode::Heal | Mode::Gradient | Mode::Pull => false,
            _ => self.accumulate,
        }
    }

    /// Whether it keeps painting at each clock tick while the pointer rests.
    pub fn sprays(&self) -> bool {
        self.accumulate && self.uses_dabs() && self.mode != Mode::Smooth
    }

    /// Returns a weight after painting with `coverage`; may be outside of 0 to 1.
    pub fn painted(&self, weight: f64, coverage: f64) -> f64 {
        let value = f64::from(self.value);
        match self.mode {
            Mode::Replace | Mode::Gradient => weight + coverage * (value - weight),
            Mode::Add => weight + coverage * value,
            Mode::Subtract => weight - coverage * value,
            Mode::Scale => weight * (1.0 + coverage * (value - 1.0)),
            Mode::Smooth | Mode::Sharpen | Mode::Heal | Mode::Pull => weight,
        }
    }
}

/// Evaluates the Catmull-Rom spline through evenly spaced heights, clamped to 0 to 1. `t`: the position from
/// the first height (0) to the last (1).
fn interpolate(heights: &Curve, t: f64) -> f64 {
    let last = heights.len() - 1;
    let position = t.clamp(0.0, 1.0) * last as f64;
    let first = (position as usize).min(last - 1);
    let t = position - first as f64;
    let height = |i: usize| f64::from(heights[i]);
    let (from, to) = (height(first), height(first + 1));
    // Extrapolated linearly beyond both ends.
    let before = first.checked_sub(1).map_or(2.0 * from - to, height);
    let after = if first + 2 > last { 2.0 * to - from } else { height(first + 2) };
    let (leave, arrive) = ((to - before) / 2.0, (after - from) / 2.0);
    let (square, cube) = (t * t, t * t * t);
    let height = from * (2.0 * cube - 3.0 * square + 1.0)
        + to * (3.0 * square - 2.0 * cube)
        + leave * (cube - 2.0 * square + t)
        + arrive * (cube - square);
    height.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::{Brush, Falloff};

    #[test]
    fn a_custom_curve_starts_as_the_previous_falloff_and_passes_through_its_points() {
        for falloff in Falloff::ALL {
            let mut brush = Brush::default();
            brush.set_falloff(falloff);
            let before = brush;
            brush.set_falloff(Falloff::Custom);
            for i in 0..=70 {
                let part = f64::from(i) / 70.0;
                let (custom, original) = (brush.falloff_at(part), before.falloff_at(part));
                // A sphere is steep at its rim.
                let tolerance = if falloff == Falloff::Sphere { 0.2 } else { 0.02 };
                assert!((custom - original).abs() < tolerance, "{falloff:?} {part}: {custom} {original}");
            }
        }
        let curve = [0.2, 1.0, 1.0, 0.1, 0.7, 0.0, 0.0, 0.4];
        let brush = Brush { falloff: Falloff::Custom, curve, ..Brush::default() };
        for (i, height) in curve.into_iter().enumerate() {
            let found = brush.falloff_at(i as f64 / 7.0);
            assert!((found - f64::from(height)).abs() < 1e-6, "{i}: {found}");
        }
        assert!((0..=1000).all(|i| (0.0..=1.0).contains(&brush.falloff_at(f64::from(i) / 1000.0))));
        assert_eq!(brush.falloff_at(1.01), 0.0);
    }
}
