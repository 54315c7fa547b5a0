//! Eases: how a value goes from one key to the next, independent of their neighbours. The curves are those of Penner
//! ("Programming Macromedia Flash MX", 2002), as most animation programs and libraries have them.

use std::f32::consts::{FRAC_PI_2, TAU};

/// The curve of an ease.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Curve {
    Sine,
    Quad,
    Cubic,
    Quart,
    Quint,
    Expo,
    Circ,
    /// Draws back first.
    Back,
    Bounce,
    /// Swings with growing amplitude.
    Elastic,
}

/// The side on which an ease has its curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// It starts slowly.
    In,
    /// It ends slowly.
    Out,
    InOut,
}

impl Side {
    pub const ALL: [Self; 3] = [Self::In, Self::Out, Self::InOut];
}

/// A way from one key to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ease {
    pub curve: Curve,
    pub side: Side,
}

/// How far [`Curve::Back`] draws back: by a tenth.
const BACK: f32 = 1.70158;

impl Curve {
    pub const ALL: [Self; 10] = [
        Self::Sine,
        Self::Quad,
        Self::Cubic,
        Self::Quart,
        Self::Quint,
        Self::Expo,
        Self::Circ,
        Self::Back,
        Self::Bounce,
        Self::Elastic,
    ];

    /// Returns the part of the way, 0 at 0 and 1 at 1, for an ease at its start.
    fn at(self, u: f32) -> f32 {
        match self {
            Self::Sine => 1.0 - (u * FRAC_PI_2).cos(),
            Self::Quad => u.powi(2),
            Self::Cubic => u.powi(3),
            Self::Quart => u.powi(4),
            Self::Quint => u.powi(5),
            Self::Expo => ((10.0 * u - 10.0).exp2() - (-10.0_f32).exp2()) / (1.0 - (-10.0_f32).exp2()),
            Self::Circ => 1.0 - (1.0 - u * u).max(0.0).sqrt(),
            Self::Back => (BACK + 1.0) * u.powi(3) - BACK * u.powi(2),
            Self::Bounce => 1.0 - bounced(1.0 - u),
            Self::Elastic if u <= 0.0 || u >= 1.0 => u,
            Self::Elastic => -(10.0 * u - 10.0).exp2() * ((10.0 * u - 10.75) * TAU / 3.0).sin(),
        }
    }
}

/// The height above the start of a ball that falls to 1 and bounces three times.
fn bounced(u: f32) -> f32 {
    let parabola = |middle: f32, top: f32| 7.5625 * (u - middle / 2.75).powi(2) + top;
    match 2.75 * u {
        ..1.0 => parabola(0.0, 0.0),
        1.0..2.0 => parabola(1.5, 0.75),
        2.0..2.5 => parabola(2.25, 0.9375),
        _ => parabola(2.625, 0.984_375),
    }
}

impl Ease {
    /// Returns the ease that goes the same way backwards.
    pub fn reversed(self) -> Self {
        let side = match self.side {
            Side::In => Side::Out,
            Side::Out => Side::In,
            Side::InOut => Side::InOut,
        };
        Self { side, ..self }
    }

    /// Returns the slopes at both ends, in ways per time of the interval.
    pub fn end_slopes(self) -> [f32; 2] {
        let power = match self.curve {
            Curve::Quad => 2.0,
            Curve::Cubic => 3.0,
            Curve::Quart => 4.0,
            Curve::Quint => 5.0,
            _ => {
                let step = 1e-3;
                return [self.at(step), 1.0 - self.at(1.0 - step)].map(|part| part / step);
            }
        };
        match self.side {
            Side::In => [0.0, power],
            Side::Out => [power, 0.0],
            Side::InOut => [0.0; 2],
        }
    }

    /// Whether the curve between its ends is a cubic.
    pub fn is_cubic(self) -> bool {
        matches!(self.curve, Curve::Quad | Curve::Cubic) && self.side != Side::InOut
    }

    /// Returns the part of the way at a part `u` of the time, both 0 to 1; between 0 and 1 it may be less or more.
    pub fn at(self, u: f32) -> f32 {
        match self.side {
            Side::In => self.curve.at(u),
            Side::Out => 1.0 - self.curve.at(1.0 - u),
            Side::InOut if u < 0.5 => 0.5 * self.curve.at(2.0 * u),
            Side::InOut => 1.0 - 0.5 * self.curve.at(2.0 - 2.0 * u),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of easings.net at a quarter, and symmetry.
    #[test]
    fn eases_have_the_known_values() {
        let quarter = [
            (Curve::Sine, 0.076_12),
            (Curve::Quad, 0.0625),
            (Curve::Cubic, 0.015_625),
            (Curve::Quart, 0.003_906),
            (Curve::Quint, 0.000_977),
            (Curve::Expo, 0.004_548),
            (Curve::Circ, 0.031_754),
            (Curve::Back, -0.064_137),
            (Curve::Bounce, 0.027_344),
            (Curve::Elastic, -0.005_524),
        ];
        for ((curve, expected), other) in quarter.into_iter().zip(Curve::ALL) {
            assert_eq!(curve, other);
            let [rising, falling, both] = [Side::In, Side::Out, Side::InOut].map(|side| Ease { curve, side });
            assert!((rising.at(0.25) - expected).abs() < 2e-4, "{curve:?}: {}", rising.at(0.25));
            for ease in [rising, falling, both] {
                assert!(ease.at(0.0).abs() < 1e-6 && (ease.at(1.0) - 1.0).abs() < 1e-6, "{ease:?}");
            }
            for step in 0..=20 {
                let u = step as f32 / 20.0;
                assert!((rising.at(u) + falling.at(1.0 - u) - 1.0).abs() < 1e-6);
                for ease in [rising, falling, both] {
                    assert!((ease.at(u) + ease.reversed().at(1.0 - u) - 1.0).abs() < 1e-5, "{ease:?} {u}");
                }
                assert!((both.at(u) + both.at(1.0 - u) - 1.0).abs() < 1e-5, "{curve:?} {u}");
            }
        }
    }
}
