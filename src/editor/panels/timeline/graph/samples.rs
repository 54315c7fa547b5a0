//! The keys of a channel, and its values as they are played, sampled once per column. Sampled again only when the channel or the
//! visible frames change.

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

/// The values in one column, which is one point wide or more.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Column {
    /// The values at the right edge.
    end: Numbers,
    low: Numbers,
    high: Numbers,
}

/// The frames of the visible columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Columns {
    pub scale: Scale,
    /// The width of a column, in points.
    pub width: u32,
}

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drawn {
    pub normal: Normal,
    pub values: ValueScale,
    /// The ends of a cycle that is repeated before and behind it.
    pub cycle: Option<[f32; 2]>,
}

/// The curve of a component on the screen.
struct Line {
    drawn: Drawn,
    /// From the first key to the last.
    points: Vec<Pos2>,
    /// The value before the first key and behind the last, and the repeated cycle.
    beyond: [Vec<Pos2>; 2],
    repeated: [Vec<Pos2>; 2],
}

pub struct Samples {
    channel: Arc<Channel>,
    /// Whether the numbers are how fast values change, per frame, instead of the values.
    are_speeds: bool,
    /// The frame and the numbers of each key.
    pub keys: Vec<(f32, Numbers)>,
    pub modes: Vec<Mode>,
    /// The number of components with a curve: 0 for matrices.
    pub components: usize,
    shown: Option<Columns>,
    /// The values at the left edge.
    start: Numbers,
    columns: Vec<Column>,
    lines: [Option<Line>; COMPONENTS],
    /// The least and the greatest value of each component over all frames.
    extremes: Option<[[f32; 2]; COMPONENTS]>,
}

/// Returns the values of a channel at a frame, or how fast they change there: the mean of before and behind the frame, which
/// differ at keys with corners.
fn numbers_at(channel: &Channel, are_speeds: bool, frame: f32, hint: &mut usize) -> Option<Numbers> {
    if !are_speeds {
        return channel.at_with_hint(frame, hint).map(numbers);
    }
    let [before, behind] = channel.slopes(frame)?.map(numbers);
    Some(std::array::from_fn(|component| (before[component] + behind[component]) / 2.0))
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
    pub fn new(channel: Arc<Channel>, are_speeds: bool) -> Self {
        let keys = channel.keys();
        let first = keys.first().and_then(|&(frame, value)| match are_speeds {
            true => channel.slopes(frame).map(|[slope, _]| slope),
            false => Some(value),
        });
        let components =
            (0..COMPONENTS).take_while(|&i| first.is_some_and(|first| first.component(i).is_some()));
        let mut hint = 0;
        let mut at = |frame| numbers_at(&channel, are_speeds, frame, &mut hint).unwrap_or_default();
        Self {
            components: components.count(),
            keys: keys.into_iter().map(|(frame, _)| (frame, at(frame))).collect(),
            are_speeds,
            modes: channel.key_modes(),
            channel,
            shown: None,
            start: Numbers::default(),
            columns: Vec::new(),
            lines: Default::default(),
            extremes: None,
        }
    }

    pub fn is_from(&self, channel: &Arc<Channel>, are_speeds: bool) -> bool {
        Arc::ptr_eq(&self.channel, channel) && self.are_speeds == are_speeds
    }

    /// Whether one component can be changed alone: not in switches and rotations.
    pub fn can_change(&self) -> bool {
        !matches!(*self.channel, Channel::Bool(_) | Channel::Quat(_))
    }

    /// Samples the visible frames, unless they are the same as before.
    pub fn sample(&mut self, shown: Columns) {
        if self.shown == Some(shown) {
            return;
        }
        self.shown = Some(shown);
        self.columns.clear();
        self.lines = Default::default();
        let Columns { scale, width } = shown;
        let mut hint = 0;
        let mut at =
            |frame: f32| numbers_at(&self.channel, self.are_speeds, frame, &mut hint).unwrap_or_default();
        let [left, right] = scale.edges();
        self.start = at(scale.frame(left));
        let mut before = self.start;
        let first = scale.frame(left);
        let mut key = self.keys.partition_point(|key| key.0 < first);
        for column in 1..=((right - left) / width as f32).ceil().max(0.0) as u32 {
            let frame = scale.frame(left + (column * width) as f32);
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
    pub fn update_line(&mut self, component: usize, drawn: Drawn) {
        let is_current = self.lines[component].as_ref().is_some_and(|line| line.drawn == drawn);
        let Some(Columns { scale, .. }) = self.shown.filter(|_| !is_current) else { return };
        let Drawn { normal, values, cycle } = drawn;
        let [left, _] = scale.edges();
        let place = |x: f32, value: f32| pos2(left + x, values.y(normal.shown(value)));
        let ends = [self.keys.first(), self.keys.last()];
        let ends = ends.map(|key| key.map(|(frame, value)| (scale.x(*frame) - left, value[component])));
        let [mut before, mut points, mut behind] = [(); 3].map(|()| Polyline::default());
        let mut part = 0;
        self.points(component, |x, value| {
            while let Some((end, value)) = ends.get(part).copied().flatten().filter(|end| x > end.0) {
                if end >= 0.0 {
                    let [from, to] =
                        if part == 0 { [&mut before, &mut points] } else { [&mut points, &mut behind] };
                    [from, to].into_iter().for_each(|line| line.add(place(end, value)));
                }
                part += 1;
            }
            [&mut before, &mut points, &mut behind][part].add(place(x, value));
        });
        let cycle = cycle.filter(|ends| ends.iter().all(|end| self.has_key(*end)));
        let repeated = cycle.map(|cycle| self.repeated(component, cycle, &scale, place));
        self.lines[component] = Some(Line {
            drawn,
            points: points.finish(),
            beyond: [before, behind].map(Polyline::finish),
            repeated: repeated.unwrap_or_default(),
        });
    }

    fn has_key(&self, frame: f32) -> bool {
        self.keys.binary_search_by(|key| key.0.total_cmp(&frame)).is_ok()
    }

    /// Returns the lines of a cycle repeated before and behind it; values that go on do so.
    fn repeated(
        &self,
        component: usize,
        [first, last]: [f32; 2],
        scale: &Scale,
        place: impl Fn(f32, f32) -> Pos2,
    ) -> [Vec<Pos2>; 2] {
        let mut hint = 0;
        let mut at = |frame: f32| {
            let numbers = numbers_at(&self.channel, self.are_speeds, frame, &mut hint)?;
            Some(numbers[component])
        };
        let [left, right] = scale.edges();
        let way =
            at(last).zip(at(first)).filter(|_| !self.are_speeds).map_or(0.0, |(end, start)| end - start);
        let mut lines = [(); 2].map(|()| Polyline::default());
        for column in 0..=(right - left).ceil().max(0.0) as u32 {
            let x = column as f32;
            let frame = scale.frame(left + x);
            let cycles = ((frame - first) / (last - first)).floor();
            let value = at(frame - cycles * (last - first)).filter(|_| cycles != 0.0);
            if let Some(value) = value {
                lines[usize::from(cycles > 0.0)].add(place(x, value + cycles * way));
            }
        }
        lines.map(Polyline::finish)
    }

    /// The line of a component from the first key to the last.
    pub fn line(&self, component: usize) -> &[Pos2] {
        self.lines[component].as_ref().map_or(&[], |line| &line.points)
    }

    /// The lines of a component where it has no keys: before the first and behind the last.
    pub fn beyond(&self, component: usize) -> impl Iterator<Item = &Vec<Pos2>> {
        self.lines[component].iter().flat_map(|line| &line.beyond)
    }

    /// The lines of the repeated cycle of a component.
    pub fn repeated_lines(&self, component: usize) -> impl Iterator<Item = &Vec<Pos2>> {
        self.lines[component].iter().flat_map(|line| &line.repeated)
    }

    /// The width of a column, in points.
    fn width(&self) -> f32 {
        self.shown.map_or(1.0, |shown| shown.width as f32)
    }

    /// Passes the points of the curve of a component to `add`: the x offset from the left edge, and the value. A column with keys
    /// has its least and its greatest value.
    fn points(&self, component: usize, mut add: impl FnMut(f32, f32)) {
        let width = self.width();
        let mut before = self.start[component];
        add(0.0, before);
        for (index, column) in self.columns.iter().enumerate() {
            let (low, high, end) = (column.low[component], column.high[component], column.end[component]);
            // A key within the column is beyond both edges.
            let ends = [before.min(end), before.max(end)];
            let peaks = [(low < ends[0], low), (high > ends[1], high)];
            let middle = (index as f32 + 0.5) * width;
            peaks.iter().filter(|(is_beyond, _)| *is_beyond).for_each(|&(_, peak)| add(middle, peak));
            if !peaks.iter().all(|(is_beyond, _)| *is_beyond) {
                add((index as f32 + 1.0) * width, end);
            }
            before = end;
        }
    }

    /// Returns the range of values within `reach` points of an x offset from the left edge.
    pub fn near(&self, component: usize, offset: f32, reach: f32) -> Option<[f32; 2]> {
        let index = |offset: f32| (offset.max(0.0) / self.width()) as usize;
        let columns =
            self.columns.get(index(offset - reach)..(index(offset + reach) + 1).min(self.columns.len()))?;
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
            if let Some(numbers) = numbers_at(&self.channel, self.are_speeds, frame, &mut hint) {
                include(&mut low, &mut high, &numbers);
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
    use crate::editor::panels::timeline::graph::value::ValueView;
    use crate::editor::panels::timeline::time::TimeView;
    use glam::Vec3;

    fn samples(values: &[(f32, f32)], mode: Mode) -> Samples {
        let mut channel = Channel::empty_for(&Value::Vec3(Vec3::ZERO));
        for &(frame, value) in values {
            channel.set_key(frame, Value::Vec3(Vec3::new(value, 0.0, 0.0)));
            channel.set_key_mode(frame, mode);
        }
        Samples::new(Arc::new(channel), false)
    }

    fn scale() -> Scale {
        TimeView::default().scale(&Clip { length: 101, ..Clip::default() }, 0.0, 444.0)
    }

    fn columns(width: u32) -> Columns {
        Columns { scale: scale(), width }
    }

    fn points(samples: &Samples) -> Vec<(f32, f32)> {
        let mut points = Vec::new();
        samples.points(0, |x, value| points.push((x, value)));
        points
    }

    #[test]
    fn curves_are_what_is_played_and_constant_outside_the_keys() {
        let mut samples = samples(&[(20.0, 1.0), (60.0, 9.0), (80.0, 4.0)], Mode::Linear);
        samples.sample(columns(1));
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
        samples.sample(columns(1));
        assert_eq!(points(&samples).iter().map(|point| point.1).fold(0.0, f32::max), 7.0);
    }

    /// Columns wider than a point keep every peak, with two points at most more than one each.
    #[test]
    fn wide_columns_are_fewer_points_with_the_same_peaks() {
        let values: Vec<(f32, f32)> = (0..=1000).map(|key| (key as f32 / 10.0, (key % 7) as f32)).collect();
        let mut samples = samples(&values, Mode::Linear);
        samples.sample(columns(8));
        let points = points(&samples);
        assert!(points.len() <= 3 * 56, "{}", points.len());
        let (low, high) =
            points.iter().fold((9.0_f32, 0.0_f32), |(low, high), p| (low.min(p.1), high.max(p.1)));
        assert_eq!((low, high), (0.0, 6.0));
        assert_eq!(samples.near(0, 200.0, 2.0), Some([0.0, 6.0]));
    }

    /// 0 to 8 in 8 frames, then 8 to 0 in 4: the speeds of straight lines, and their mean at the corner.
    #[test]
    fn speeds_are_slopes() {
        let Samples { channel, .. } = samples(&[(10.0, 0.0), (18.0, 8.0), (22.0, 0.0)], Mode::Linear);
        let mut speeds = Samples::new(channel, true);
        assert_eq!(speeds.keys.iter().map(|key| key.1[0]).collect::<Vec<_>>(), [1.0, -0.5, -2.0]);
        assert_eq!(speeds.extremes(0), [-2.0, 1.0]);
        speeds.sample(columns(1));
        let at = |frame: f32| {
            let x = scale().x(frame);
            points(&speeds).into_iter().min_by(|a, b| (a.0 - x).abs().total_cmp(&(b.0 - x).abs())).unwrap().1
        };
        assert_eq!([5.0, 14.0, 20.0, 30.0].map(at), [0.0, 1.0, -2.0, 0.0]);
    }

    fn drawn(cycle: Option<[f32; 2]>) -> Drawn {
        let rect = egui::Rect::from_min_max(pos2(0.0, 0.0), pos2(444.0, 100.0));
        Drawn { normal: Normal::NONE, values: ValueView::default().scale(rect), cycle }
    }

    #[test]
    fn a_line_goes_from_the_first_key_to_the_last() {
        let mut samples = samples(&[(20.0, 0.5), (60.0, -0.5)], Mode::Linear);
        samples.sample(columns(1));
        samples.update_line(0, drawn(None));
        let [start, end] = [20.0, 60.0].map(|frame| scale().x(frame));
        let line = samples.line(0);
        assert!((line[0].x - start).abs() < 1e-3 && (line.last().unwrap().x - end).abs() < 1e-3, "{line:?}");
        let beyond: Vec<_> = samples.beyond(0).collect();
        assert_eq!((beyond[0][0].x, beyond[0].last().unwrap().x), (0.0, start));
        assert_eq!((beyond[1][0].x, beyond[1].last().unwrap().x), (end, 444.0));
        assert!(beyond.iter().all(|line| line.iter().all(|point| point.y == line[0].y)), "constant");
        assert!(samples.repeated_lines(0).all(Vec::is_empty));
    }

    #[test]
    fn a_cycle_is_repeated_and_goes_on() {
        let mut samples = samples(&[(20.0, 0.0), (30.0, 0.5), (40.0, 0.1)], Mode::Linear);
        samples.sample(columns(1));
        samples.update_line(0, drawn(Some([20.0, 40.0])));
        let repeated: Vec<_> = samples.repeated_lines(0).collect();
        let y = |value: f32| drawn(None).values.y(value);
        let shown = |line: &[Pos2], frame: f32| {
            let x = scale().x(frame);
            let next = line.iter().position(|point| point.x >= x).unwrap();
            let [a, b] = [line[next - 1], line[next]];
            a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x)
        };
        assert!((shown(repeated[1], 50.0) - y(0.6)).abs() < 1.0);
        assert!((shown(repeated[1], 70.0) - y(0.7)).abs() < 1.0);
        assert!((shown(repeated[0], 10.0) - y(0.4)).abs() < 1.0);
        samples.update_line(0, drawn(Some([20.0, 41.0])));
        assert!(samples.repeated_lines(0).all(Vec::is_empty), "no key closes it");
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
