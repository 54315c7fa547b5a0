//! The keys of a channel, and its values as they are played, sampled once per point of width. Sampled again only when the
//! channel or the visible frames change.

use super::polyline::Polyline;
use super::value::{Normal, ValueScale};
use crate::anim::channel::{Channel, Value};
use crate::anim::mode::Mode;
use crate::editor::panels::timeline::time::Scale;
use egui::{Pos2, pos2};
use std::sync::Arc;

/// The greatest number of components that curves are drawn for.
pub const COMPONENTS: usize = 4;

/// The values of all components.
type Numbers = [f32; COMPONENTS];

/// The values in one point of width.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Column {
    /// The values at the right edge.
    end: Numbers,
    low: Numbers,
    high: Numbers,
}

/// The curve of a component on the screen.
struct Line {
    normal: Normal,
    values: ValueScale,
    points: Vec<Pos2>,
}

pub struct Samples {
    channel: Arc<Channel>,
    pub keys: Vec<(f32, Numbers)>,
    pub modes: Vec<Mode>,
    /// The number of components with a curve: 0 for matrices.
    pub components: usize,
    scale: Option<Scale>,
    /// The values at the left edge.
    start: Numbers,
    columns: Vec<Column>,
    lines: [Option<Line>; COMPONENTS],
    /// The least and the greatest value of each component over all frames.
    extremes: Option<[[f32; 2]; COMPONENTS]>,
}

fn numbers(value: Value) -> Numbers {
    std::array::from_fn(|component| value.component(component).unwrap_or(0.0))
}

fn include(low: &mut Numbers, high: &mut Numbers, values: &Numbers) {
    for component in 0..COMPONENTS {
        low[component] = low[component].min(values[component]);
        high[component] = high[component].max(values[component]);
    }
}

impl Samples {
    pub fn new(channel: Arc<Channel>) -> Self {
        let keys = channel.keys();
        let first = keys.first().map(|&(_, value)| value);
        let components =
            (0..COMPONENTS).take_while(|&i| first.is_some_and(|first| first.component(i).is_some()));
        Self {
            components: components.count(),
            keys: keys.into_iter().map(|(frame, value)| (frame, numbers(value))).collect(),
            modes: channel.key_modes(),
            channel,
            scale: None,
            start: Numbers::default(),
            columns: Vec::new(),
            lines: Default::default(),
            extremes: None,
        }
    }

    pub fn is_from(&self, channel: &Arc<Channel>) -> bool {
        Arc::ptr_eq(&self.channel, channel)
    }

    /// Whether one component can be changed alone: not in switches and rotations.
    pub fn can_change(&self) -> bool {
        !matches!(*self.channel, Channel::Bool(_) | Channel::Quat(_))
    }

    /// Samples the visible frames, unless they are the same as before.
    pub fn sample(&mut self, scale: &Scale) {
        if self.scale.as_ref() == Some(scale) {
            return;
        }
        self.scale = Some(*scale);
        self.columns.clear();
        self.lines = Default::default();
        let mut hint = 0;
        let mut at =
            |frame: f32| self.channel.at_with_hint(frame, &mut hint).map_or(Numbers::default(), numbers);
        let [left, right] = scale.edges();
        self.start = at(scale.frame(left));
        let mut before = self.start;
        let first = scale.frame(left);
        let mut key = self.keys.partition_point(|key| key.0 < first);
        for column in 1..=(right - left).ceil().max(0.0) as usize {
            let frame = scale.frame(left + column as f32);
            let end = at(frame);
            let (mut low, mut high) = (before, before);
            include(&mut low, &mut high, &end);
            while let Some((_, values)) = self.keys.get(key).filter(|key| key.0 < frame) {
                include(&mut low, &mut high, values);
                key += 1;
            }
            self.columns.push(Column { end, low, high });
            before = end;
        }
    }

    /// Makes the line of a component, unless it is the same as before.
    pub fn update_line(&mut self, component: usize, normal: Normal, values: &ValueScale) {
        let is_current = |line: &Line| line.normal == normal && line.values == *values;
        let Some(scale) = self.scale.filter(|_| !self.lines[component].as_ref().is_some_and(is_current))
        else {
            return;
        };
        let [left, _] = scale.edges();
        let mut line = Polyline::default();
        self.points(component, |x, value| line.add(pos2(left + x, values.y(normal.shown(value)))));
        self.lines[component] = Some(Line { normal, values: *values, points: line.finish() });
    }

    /// The line of a component.
    pub fn line(&self, component: usize) -> &[Pos2] {
        self.lines[component].as_ref().map_or(&[], |line| &line.points)
    }

    /// Passes the points of the curve of a component to `add`: the x offset from the left edge, and the value.
    fn points(&self, component: usize, mut add: impl FnMut(f32, f32)) {
        let mut before = self.start[component];
        add(0.0, before);
        for (index, column) in self.columns.iter().enumerate() {
            let (low, high, end) = (column.low[component], column.high[component], column.end[component]);
            // A key within the column is beyond both edges.
            let ends = [before.min(end), before.max(end)];
            let peaks = [(low < ends[0], low), (high > ends[1], high)];
            let middle = index as f32 + 0.5;
            peaks.iter().filter(|(is_beyond, _)| *is_beyond).for_each(|&(_, peak)| add(middle, peak));
            add(index as f32 + 1.0, end);
            before = end;
        }
    }

    /// Returns the range of values within `reach` points of an x offset from the left edge.
    pub fn near(&self, component: usize, offset: f32, reach: f32) -> Option<[f32; 2]> {
        let from = (offset - reach).max(0.0) as usize;
        let to = ((offset + reach).max(0.0) as usize + 1).min(self.columns.len());
        let columns = self.columns.get(from..to)?;
        let low = columns.iter().map(|column| column.low[component]).reduce(f32::min)?;
        Some([low, columns.iter().map(|column| column.high[component]).reduce(f32::max)?])
    }

    /// Returns the range of a component from one frame to another, with keys and extremes between them.
    pub fn range(&self, component: usize, frames: [f32; 2]) -> [f32; 2] {
        let ranges = self.ranges(frames);
        ranges[component]
    }

    /// Returns the range of a component over all frames.
    pub fn extremes(&mut self, component: usize) -> [f32; 2] {
        if self.extremes.is_none() {
            self.extremes = Some(self.ranges([f32::NEG_INFINITY, f32::INFINITY]));
        }
        self.extremes.map_or([0.0; 2], |extremes| extremes[component])
    }

    fn ranges(&self, [from, to]: [f32; 2]) -> [[f32; 2]; COMPONENTS] {
        /// The samples between two keys, and those of a channel with many keys.
        const STEPS: [usize; 2] = [12, 4000];
        let steps = STEPS[0].min(STEPS[1] / self.keys.len().max(1));
        let (mut low, mut high) = ([f32::INFINITY; COMPONENTS], [f32::NEG_INFINITY; COMPONENTS]);
        let inside = self.keys.iter().filter(|key| (from..=to).contains(&key.0));
        inside.for_each(|(_, values)| include(&mut low, &mut high, values));
        let mut hint = 0;
        let mut at = |frame: f32| {
            if let Some(value) = self.channel.at_with_hint(frame, &mut hint) {
                include(&mut low, &mut high, &numbers(value));
            }
        };
        for pair in self.keys.windows(2) {
            let [start, end] = [pair[0].0.max(from), pair[1].0.min(to)];
            if start < end {
                (0..=steps).for_each(|step| at(start + (end - start) * step as f32 / steps.max(1) as f32));
            }
        }
        if from.is_finite() {
            at(from);
        }
        if to.is_finite() {
            at(to);
        }
        std::array::from_fn(|component| [low[component], high[component]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::clip::Clip;
    use crate::editor::panels::timeline::time::TimeView;
    use glam::Vec3;

    fn samples(values: &[(f32, f32)], mode: Mode) -> Samples {
        let mut channel = Channel::empty_for(&Value::Vec3(Vec3::ZERO));
        for &(frame, value) in values {
            channel.set_key(frame, Value::Vec3(Vec3::new(value, 0.0, 0.0)));
            channel.set_key_mode(frame, mode);
        }
        Samples::new(Arc::new(channel))
    }

    fn scale() -> Scale {
        TimeView::default().scale(&Clip { length: 101, ..Clip::default() }, 0.0, 444.0)
    }

    fn points(samples: &Samples) -> Vec<(f32, f32)> {
        let mut points = Vec::new();
        samples.points(0, |x, value| points.push((x, value)));
        points
    }

    #[test]
    fn curves_are_what_is_played_and_constant_outside_the_keys() {
        let mut samples = samples(&[(20.0, 1.0), (60.0, 9.0), (80.0, 4.0)], Mode::Linear);
        samples.sample(&scale());
        let points = points(&samples);
        assert_eq!((points[0], points.last()), ((0.0, 1.0), Some(&(444.0, 4.0))));
        for (x, value) in points {
            let Some(Value::Vec3(played)) = samples.channel.at(scale().frame(x)) else { panic!() };
            assert!((played.x - value).abs() < 0.3, "{x}: {value} for {}", played.x);
        }
        assert_eq!(samples.near(0, scale().x(60.0), 2.0).map(|range| range[1]), Some(9.0));
    }

    #[test]
    fn keys_between_two_points_are_not_lost() {
        let mut values: Vec<(f32, f32)> = (0..=1000).map(|key| (key as f32 / 10.0, 0.0)).collect();
        values[503].1 = 7.0;
        let mut samples = samples(&values, Mode::Linear);
        samples.sample(&scale());
        assert_eq!(points(&samples).iter().map(|point| point.1).fold(0.0, f32::max), 7.0);
    }

    #[test]
    fn extremes_are_those_of_the_curve() {
        let mut samples = samples(&[(0.0, 0.0), (10.0, 10.0), (20.0, 10.0), (30.0, 0.0)], Mode::Auto);
        let [low, high] = samples.extremes(0);
        assert!(low <= 0.0 && high > 10.5, "Catmull-Rom passes beyond its keys: {high}");
        assert!((samples.range(0, [0.0, 10.0])[1] - 10.0).abs() < 1e-3);
        assert_eq!(samples.extremes(1), [0.0, 0.0]);
    }
}
