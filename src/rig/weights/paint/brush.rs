//! What a brush does to weights, how far and how strongly: plain numbers.

use serde::{Deserialize, Serialize};

/// What a brush does to weights. `w`: the weight of its bone, `c`: how strongly a vertex is painted, from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Towards the value: `w + c (value - w)`.
    #[default]
    Replace,
    /// `w + c value`.
    Add,
    /// `w - c value`.
    Subtract,
    /// `w (1 + c (value - 1))`.
    Scale,
    /// All unlocked bones towards the mean of the neighbours.
    Smooth,
    /// All unlocked bones to the power of `1 + c`.
    Sharpen,
    /// All unlocked bones, once at the end: as smooth as what lies around allows.
    Heal,
    /// Towards the value, from all of it where the way begins to nothing where it ends.
    Gradient,
    /// All unlocked bones, so that the skin goes where it is pulled in this pose.
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

    /// Whether it is about one bone; else about all that are unlocked.
    pub fn is_of_bone(self) -> bool {
        matches!(
            self,
            Self::Replace | Self::Add | Self::Subtract | Self::Scale | Self::Gradient
        )
    }
}

/// Where a brush reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    /// Along the surface, so that fingers are apart.
    #[default]
    Surface,
    /// And other pieces of the surface within the radius.
    Volume,
    /// Along the surface from all places behind the pointer, whichever way they face.
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
            Self::Surface => "Along the surface: what is near in space alone stays as it is.",
            Self::Volume => "Along the surface, and pieces that are not joined to it within the radius.",
            Self::Through => "The far side too, and whatever else lies behind the pointer.",
        }
    }
}

/// How the strength falls off from the way of the brush to its rim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Falloff {
    #[default]
    Smooth,
    Linear,
    Sphere,
    Sharp,
    Constant,
    /// [`Brush::curve`].
    Own,
}

impl Falloff {
    pub const ALL: [Self; 6] = [
        Self::Smooth,
        Self::Linear,
        Self::Sphere,
        Self::Sharp,
        Self::Constant,
        Self::Own,
    ];

    pub fn text(self) -> &'static str {
        match self {
            Self::Smooth => "Smooth",
            Self::Linear => "Linear",
            Self::Sphere => "Sphere",
            Self::Sharp => "Sharp",
            Self::Constant => "Constant",
            Self::Own => "Own curve",
        }
    }
}

/// A brush.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Brush {
    pub mode: Mode,
    /// From 0 to 1.
    pub value: f32,
    /// From 0 to 1.
    pub strength: f32,
    /// Part of the largest side of the box around the surface.
    pub radius: f32,
    pub falloff: Falloff,
    /// [`Falloff::Own`]: from 0 to 1 on the way of the brush, at its rim, and evenly between.
    pub curve: Curve,
    pub reach: Reach,
    /// Passing a place again does more.
    pub accumulate: bool,
    /// The pen's pressure makes it smaller, weaker.
    pub pressure_radius: bool,
    pub pressure_strength: bool,
    /// No more bones than this move a vertex after it is painted, unless more are locked or painted; 0: as many as there
    /// are.
    pub most: usize,
}

/// Ticks of the clock in a second, for brushes that spray.
pub const TICKS: f64 = 60.0;
/// The smallest and largest radius.
pub const RADII: [f32; 2] = [0.001, 1.0];
/// Heights of a curve of one's own.
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
    /// Numbers that a hand or a defect put there.
    pub fn within_reason(mut self) -> Self {
        let part = |number: f32, otherwise: f32| match number.is_finite() {
            true => number.clamp(0.0, 1.0),
            false => otherwise,
        };
        let usual = Self::default();
        self.value = part(self.value, usual.value);
        self.strength = part(self.strength, usual.strength);
        self.radius = part(self.radius, usual.radius).max(RADII[0]);
        self.curve = std::array::from_fn(|i| part(self.curve[i], usual.curve[i]));
        self
    }

    /// What is wrong with it, if anything.
    pub fn fault(&self) -> Option<String> {
        let part = |name: &str, number: f32| {
            let rule = format!("the brush's {name} must be a number from 0 to 1, not {number}");
            (!(0.0..=1.0).contains(&number)).then_some(rule)
        };
        let radius = || {
            let [least, most] = RADII;
            let of = "of the largest side of the mesh";
            let rule = format!(
                "the brush's radius must be from {least} to {most} {of}, not {}",
                self.radius
            );
            (!(least..=most).contains(&self.radius)).then_some(rule)
        };
        part("value", self.value)
            .or_else(|| part("strength", self.strength))
            .or_else(|| self.curve.iter().find_map(|&height| part("curve", height)))
            .or_else(radius)
    }

    /// How strong it is beside its way, from 1 to 0 at the rim. `part`: of the radius.
    pub fn falloff_at(&self, part: f64) -> f64 {
        let left = (1.0 - part).clamp(0.0, 1.0);
        match self.falloff {
            Falloff::Smooth => left * left * (3.0 - 2.0 * left),
            Falloff::Linear => left,
            Falloff::Sphere => (1.0 - (1.0 - left) * (1.0 - left)).sqrt(),
            Falloff::Sharp => left * left,
            Falloff::Constant => f64::from(part <= 1.0),
            Falloff::Own if part > 1.0 => 0.0,
            Falloff::Own => along(&self.curve, part),
        }
    }

    /// Takes another falloff; a curve of one's own begins as what was there.
    pub fn set_falloff(&mut self, falloff: Falloff) {
        if falloff == Falloff::Own {
            let last = (self.curve.len() - 1) as f64;
            self.curve = std::array::from_fn(|i| self.falloff_at(i as f64 / last) as f32);
        }
        self.falloff = falloff;
    }

    /// The opposite brush: what Ctrl makes of it.
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

    /// Whether it goes by where its way begins and where it ends, not by what lies between.
    pub fn spans(&self) -> bool {
        matches!(self.mode, Mode::Gradient | Mode::Pull)
    }

    /// Whether it goes by dabs along the way.
    pub fn dabs(&self) -> bool {
        match self.mode {
            Mode::Smooth => true,
            Mode::Heal | Mode::Gradient | Mode::Pull => false,
            _ => self.accumulate,
        }
    }

    /// Whether it goes on at each tick of the clock while the pointer rests.
    pub fn sprays(&self) -> bool {
        self.accumulate && self.dabs() && self.mode != Mode::Smooth
    }

    /// What becomes of a weight that is painted with `coverage`; may lie outside of 0 to 1.
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

/// The Catmull-Rom spline through heights that are evenly apart, kept from 0 to 1. `part`: of the way through them.
fn along(heights: &Curve, part: f64) -> f64 {
    let last = heights.len() - 1;
    let at = part.clamp(0.0, 1.0) * last as f64;
    let first = (at as usize).min(last - 1);
    let t = at - first as f64;
    let height = |i: usize| f64::from(heights[i]);
    let (from, to) = (height(first), height(first + 1));
    // Straight on beyond both ends.
    let before = first.checked_sub(1).map_or(2.0 * from - to, height);
    let after = if first + 2 > last {
        2.0 * to - from
    } else {
        height(first + 2)
    };
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
    fn a_curve_of_ones_own_begins_as_the_falloff_before_and_goes_through_its_points() {
        for falloff in Falloff::ALL {
            let mut brush = Brush::default();
            brush.set_falloff(falloff);
            let before = brush;
            brush.set_falloff(Falloff::Own);
            for i in 0..=70 {
                let part = f64::from(i) / 70.0;
                let (now, then) = (brush.falloff_at(part), before.falloff_at(part));
                // A sphere is steep at its rim.
                let near = if falloff == Falloff::Sphere { 0.2 } else { 0.02 };
                assert!((now - then).abs() < near, "{falloff:?} {part}: {now} {then}");
            }
        }
        let curve = [0.2, 1.0, 1.0, 0.1, 0.7, 0.0, 0.0, 0.4];
        let brush = Brush {
            falloff: Falloff::Own,
            curve,
            ..Brush::default()
        };
        for (i, height) in curve.into_iter().enumerate() {
            let at = brush.falloff_at(i as f64 / 7.0);
            assert!((at - f64::from(height)).abs() < 1e-6, "{i}: {at}");
        }
        assert!((0..=1000).all(|i| (0.0..=1.0).contains(&brush.falloff_at(f64::from(i) / 1000.0))));
        assert_eq!(brush.falloff_at(1.01), 0.0);
    }
}
