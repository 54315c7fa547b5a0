//! The visible values and their positions: ranges of single curves, zoom, pan, and the numbers of the ruler at the left. Draws
//! nothing.

use crate::editor::ui::digits::round_step;
use egui::{Rangef, Rect};

/// The part of the height above and below the values that are fitted.
const MARGIN: f64 = 0.08;
/// The least range that is fitted.
const LEAST_SPAN: f64 = 0.1;
/// The limits of the visible range.
const SPANS: [f64; 2] = [1e-4, 1e7];
/// The least distance of numbers, in points.
const MIN_NUMBER_DISTANCE: f64 = 28.0;

/// What the height of a curve shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Heights {
    /// Values, of all curves in the same range.
    #[default]
    Values,
    /// Values, of each curve in a range of its own.
    Normalized,
    /// Values, of each curve in a band of its own.
    Stacked,
    /// How fast values change, per frame.
    Speeds,
}

/// The range in which a curve is shown: values are shown as multiples of `half` above `middle`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Normal {
    middle: f32,
    half: f32,
}

impl Normal {
    /// Values as they are.
    pub const NONE: Self = Self { middle: 0.0, half: 1.0 };

    /// Shows a range as -1 to 1; a single value as 0.
    pub fn from_range([low, high]: [f32; 2]) -> Self {
        let half = (high - low) / 2.0;
        Self { middle: (low + high) / 2.0, half: if half > 1e-6 { half } else { 1.0 } }
    }

    /// Shows a range within the band from `number` to the next one, with a margin; a single value in its middle.
    pub fn in_band(range: [f32; 2], number: usize) -> Self {
        let Self { middle, half } = Self::from_range(range);
        let half = half / (0.5 - MARGIN as f32);
        Self { middle: middle - (number as f32 + 0.5) * half, half }
    }

    pub fn shown(self, value: f32) -> f32 {
        (value - self.middle) / self.half
    }

    pub fn value(self, shown: f32) -> f32 {
        self.middle + shown * self.half
    }
}

/// The mapping between values, as they are shown, and y coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueScale {
    bottom: f32,
    height: f64,
    /// The value at the bottom.
    low: f64,
    /// Points per value.
    per_value: f64,
}

impl ValueScale {
    pub fn y(&self, value: f32) -> f32 {
        let up = (f64::from(value) - self.low) * self.per_value;
        // Far outside, the exact place does not matter, and the numbers stay small.
        self.bottom - up.clamp(-20_000.0, 20_000.0) as f32
    }

    pub fn value(&self, y: f32) -> f32 {
        (self.low + f64::from(self.bottom - y) / self.per_value) as f32
    }

    /// Returns the visible part of the height from one shown value to another, from the top.
    pub fn band(&self, low: f32, high: f32) -> Rangef {
        let [top, bottom] =
            [high, low].map(|value| self.y(value).clamp(self.bottom - self.height as f32, self.bottom));
        Rangef::new(top, bottom)
    }

    /// Returns the visible multiples of a round step, with their texts.
    pub fn ticks(&self) -> Vec<(f32, String)> {
        let step = round_step(MIN_NUMBER_DISTANCE / self.per_value);
        let decimals = (1e-9 - step.log10().floor()).max(0.0) as usize;
        let from = (self.low / step).ceil() as i64;
        let to = ((self.low + self.height / self.per_value) / step).floor() as i64;
        let tick = |i: i64| {
            let value = i as f64 * step;
            (value as f32, format!("{value:.decimals$}"))
        };
        (from..=to).map(tick).collect()
    }
}

/// The visible range of values.
#[derive(Clone, Copy)]
pub struct ValueView {
    low: f64,
    high: f64,
}

impl Default for ValueView {
    fn default() -> Self {
        Self { low: -1.0, high: 1.0 }
    }
}

impl ValueView {
    pub fn scale(&self, rect: Rect) -> ValueScale {
        let height = f64::from(rect.height().max(1.0));
        let per_value = height / (self.high - self.low);
        ValueScale { bottom: rect.bottom(), height, low: self.low, per_value }
    }

    /// Shows a range of values with a margin.
    pub fn fit(&mut self, [low, high]: [f32; 2]) {
        let (low, high) = (f64::from(low), f64::from(high));
        let middle = (low + high) / 2.0;
        let half = (high - low).max(LEAST_SPAN) / 2.0 / (1.0 - 2.0 * MARGIN);
        self.set(middle, half);
    }

    /// Zooms by `factor`, keeping the value at `y` in place.
    pub fn zoom(&mut self, scale: &ValueScale, y: f32, factor: f64) {
        let value = f64::from(scale.value(y));
        let factor = factor.clamp((self.high - self.low) / SPANS[1], (self.high - self.low) / SPANS[0]);
        let middle = (self.low + self.high) / 2.0;
        self.set(value + (middle - value) / factor, (self.high - self.low) / 2.0 / factor);
    }

    /// Moves the content down by `points`.
    pub fn pan(&mut self, scale: &ValueScale, points: f32) {
        let up = f64::from(points) / scale.per_value;
        self.set((self.low + self.high) / 2.0 + up, (self.high - self.low) / 2.0);
    }

    fn set(&mut self, middle: f64, half: f64) {
        let half = half.clamp(SPANS[0] / 2.0, SPANS[1] / 2.0);
        let middle = middle.clamp(-SPANS[1], SPANS[1]);
        *self = Self { low: middle - half, high: middle + half };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn stacked_curves_stay_within_their_bands() {
        for (number, range) in [(0, [-10.0, 30.0]), (7, [0.0, 1e-3])] {
            let normal = Normal::in_band(range, number);
            let [low, high] = range.map(|value| normal.shown(value) - number as f32);
            assert!((low - 0.08).abs() < 1e-4 && (high - 0.92).abs() < 1e-4, "{low} {high}");
        }
        assert_eq!(Normal::in_band([5.0, 5.0], 2).shown(5.0), 2.5);
    }

    fn rect() -> Rect {
        Rect::from_min_max(pos2(0.0, 100.0), pos2(500.0, 300.0))
    }

    #[test]
    fn normalized_curves_reach_from_minus_one_to_one() {
        let normal = Normal::from_range([-10.0, 30.0]);
        assert_eq!([-10.0, 10.0, 30.0].map(|value| normal.shown(value)), [-1.0, 0.0, 1.0]);
        assert_eq!(normal.value(0.5), 20.0);
        assert_eq!(Normal::from_range([5.0, 5.0]).shown(5.0), 0.0);
    }

    #[test]
    fn values_are_fitted_with_a_margin() {
        let mut view = ValueView::default();
        view.fit([-30.0, 60.0]);
        let scale = view.scale(rect());
        assert!((scale.y(60.0) - 116.0).abs() < 0.01 && (scale.y(-30.0) - 284.0).abs() < 0.01);
        assert!((scale.value(scale.y(12.5)) - 12.5).abs() < 1e-3);
        view.fit([7.0, 7.0]);
        assert!((view.scale(rect()).y(7.0) - 200.0).abs() < 0.01);
    }

    #[test]
    fn zooming_keeps_the_value_under_the_pointer_and_panning_moves_it() {
        let mut view = ValueView::default();
        view.fit([0.0, 90.0]);
        let before = view.scale(rect());
        let y = before.y(30.0);
        view.zoom(&before, y, 2.0);
        let near = view.scale(rect());
        assert!((near.y(30.0) - y).abs() < 0.01);
        assert!(((near.y(30.0) - near.y(40.0)) - 2.0 * (before.y(30.0) - before.y(40.0))).abs() < 0.01);
        view.pan(&near, 25.0);
        assert!((view.scale(rect()).y(30.0) - y - 25.0).abs() < 0.01);
        for factor in [1e30, 1e-30] {
            let scale = view.scale(rect());
            view.zoom(&scale, 150.0, factor);
            assert!(view.scale(rect()).ticks().len() < 20);
        }
    }

    #[test]
    fn numbers_are_round() {
        let mut view = ValueView::default();
        view.fit([-42.0, 42.0]);
        let texts: Vec<String> = view.scale(rect()).ticks().into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, ["-40", "-20", "0", "20", "40"]);
        view.fit([0.0, 0.42]);
        let texts: Vec<String> = view.scale(rect()).ticks().into_iter().map(|(_, text)| text).collect();
        assert!(texts.contains(&"0.2".to_owned()), "{texts:?}");
    }
}
