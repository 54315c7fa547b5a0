//! Curves that glTF can hold as they are: steps, straight lines and cubics through the keys of a channel. What a track
//! shows decides: if the values at half frames are others, such as with inverse kinematics or muted keys, it is sampled.

use super::super::schema::{Interpolation as SamplerInterpolation, Path};
use super::error::ExportError;
use super::keys::hermite;
use super::motion::{Samples, TICKS, Track};
use crate::anim::channel::Channel;
use crate::anim::mode::Mode;
use crate::anim::spline::{Interpolate, Spline};
use crate::io::export::Interpolation;
use glam::{DMat3, DQuat, DVec4, Quat, Vec3};

/// A curve as glTF holds it.
pub struct ExactCurve {
    pub interpolation: SamplerInterpolation,
    /// The times of the keys, in ticks.
    pub ticks: Vec<f64>,
    /// The values of the keys; for a cubic each between its tangents per tick.
    pub values: Vec<DVec4>,
}

/// Returns the curve of a track between two ticks if glTF can hold it. Cubics only where the options allow them, since some
/// programs ignore their tangents: *as keyed*, a surface looks the same there.
///
/// # Errors
/// [`ExportError::Cancelled`].
pub fn curve(
    samples: &mut Samples,
    (track, index): (&Track, usize),
    [first, last]: [i64; 2],
    interpolation: Interpolation,
) -> Result<Option<ExactCurve>, ExportError> {
    let Some(source) = track.source.as_ref().filter(|_| first < last) else {
        return Ok(None);
    };
    let range = [first, last].map(|tick| tick as f64 / TICKS as f64);
    let curve = match &*source.channel {
        Channel::Vec3(spline) if track.path != Path::Rotation => {
            vectors(spline, range, interpolation != Interpolation::Linear)
        }
        Channel::Vec3(spline) => steps(spline, range),
        Channel::Quat(spline) if track.path == Path::Rotation => rotations(spline, range),
        _ => None,
    };
    let Some(mut curve) = curve else { return Ok(None) };
    samples.prepare((first..=last).step_by(TICKS as usize / 2))?;
    if curve.values.is_empty() {
        curve.values = curve.ticks.iter().map(|tick| samples.get(*tick as i64, index)).collect();
    }
    if track.path != Path::Rotation {
        curve.place(source.turn, samples.get(first, index));
    }
    let is_within = |uses_tangents| curve.is_within(samples, (track, index), [first, last], uses_tangents);
    let may_bend = !track.is_joint || interpolation == Interpolation::Cubic;
    Ok((is_within(true) && (may_bend || is_within(false))).then_some(curve))
}

/// Returns the times of keys within a range of frames, with its ends.
fn frames<T>(spline: &Spline<T>, [first, last]: [f64; 2]) -> Vec<f64> {
    let inside =
        spline.knots.iter().map(|knot| f64::from(knot.0)).filter(|time| first < *time && *time < last);
    [first].into_iter().chain(inside).chain([last]).collect()
}

/// Returns what a channel is between its keys within a range of frames; `None` if that differs, or it has no two keys.
fn common_kind<T: Copy>(
    spline: &Spline<T>,
    [first, last]: [f64; 2],
    kind: impl Fn(Mode) -> Kind,
) -> Option<Kind> {
    let intervals = spline.knots.windows(2).enumerate();
    let is_inside = |pair: &[(f32, T)]| f64::from(pair[0].0) < last && f64::from(pair[1].0) > first;
    let intervals = intervals.filter(|(_, pair)| is_inside(pair));
    let mut kinds = intervals.map(|(index, _)| kind(spline.authored.mode(index)));
    let first = kinds.next()?;
    kinds.try_fold(first, |all, next| match (all, next) {
        (Kind::Other, _) | (_, Kind::Other) => None,
        (all, next) if all == next => Some(all),
        (Kind::Step, _) | (_, Kind::Step) => None,
        // A straight line is a cubic too.
        _ => Some(Kind::Cubic),
    })
}

/// What a curve is between two keys.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Step,
    Line,
    Cubic,
    Other,
}

fn vectors(spline: &Spline<Vec3>, range: [f64; 2], allows_cubic: bool) -> Option<ExactCurve> {
    let kind = common_kind(spline, range, |mode| match mode {
        Mode::Hold => Kind::Step,
        Mode::Linear => Kind::Line,
        Mode::Auto | Mode::Smooth | Mode::Clamped => Kind::Cubic,
        Mode::Ease(ease) if ease.is_cubic() => Kind::Cubic,
        Mode::Ease(_) => Kind::Other,
    })?;
    let frames = frames(spline, range);
    let value = |frame: f64| Some(spline.at(frame as f32)?.as_dvec3().extend(0.0));
    let interpolation = match kind {
        Kind::Step => SamplerInterpolation::Step,
        Kind::Line => SamplerInterpolation::Linear,
        Kind::Cubic if allows_cubic => SamplerInterpolation::CubicSpline,
        Kind::Cubic | Kind::Other => return None,
    };
    let mut values = Vec::new();
    for (index, &frame) in frames.iter().enumerate() {
        if kind != Kind::Cubic {
            values.push(value(frame)?);
            continue;
        }
        let [arrive, leave] = Vec3::slopes(spline, frame as f32)?;
        // Before the first key and after the last one, nothing moves.
        let ends = [spline.knots.first()?, spline.knots.last()?].map(|knot| f64::from(knot.0));
        let slope = |slope: Vec3, moves: bool| {
            if moves { slope.as_dvec3().extend(0.0) / TICKS as f64 } else { DVec4::ZERO }
        };
        values.push(slope(arrive, index > 0 && ends[0] < frame && frame <= ends[1]));
        values.push(value(frame)?);
        values.push(slope(leave, index + 1 < frames.len() && ends[0] <= frame && frame < ends[1]));
    }
    let ticks = frames.iter().map(|frame| frame * TICKS as f64).collect();
    Some(ExactCurve { interpolation, ticks, values })
}

/// Returns the keys of angles that hold, which are steps of a rotation, still without values. `None` if one is at no half frame,
/// where these are sampled.
fn steps(spline: &Spline<Vec3>, range: [f64; 2]) -> Option<ExactCurve> {
    let kind = |mode| if mode == Mode::Hold { Kind::Step } else { Kind::Other };
    let ticks: Vec<f64> = frames(spline, range).iter().map(|frame| frame * TICKS as f64).collect();
    let are_sampled = ticks.iter().all(|tick| tick % (TICKS / 2) as f64 == 0.0);
    let holds = are_sampled && common_kind(spline, range, kind) == Some(Kind::Step);
    holds.then(|| ExactCurve { interpolation: SamplerInterpolation::Step, ticks, values: Vec::new() })
}

/// Rotations turn evenly in both formats.
fn rotations(spline: &Spline<Quat>, range: [f64; 2]) -> Option<ExactCurve> {
    let kind = common_kind(spline, range, |mode| match mode {
        Mode::Hold => Kind::Step,
        Mode::Ease(_) => Kind::Other,
        _ => Kind::Line,
    })?;
    let interpolation = match kind {
        Kind::Step => SamplerInterpolation::Step,
        Kind::Line => SamplerInterpolation::Linear,
        Kind::Cubic | Kind::Other => return None,
    };
    let frames = frames(spline, range);
    let mut values: Vec<DVec4> = Vec::new();
    for &frame in &frames {
        let value = DVec4::from(spline.at(frame as f32)?.as_dquat().normalize());
        let is_opposite = values.last().is_some_and(|last| last.dot(value) < 0.0);
        values.push(if is_opposite { -value } else { value });
    }
    let ticks = frames.iter().map(|frame| frame * TICKS as f64).collect();
    Some(ExactCurve { interpolation, ticks, values })
}

impl ExactCurve {
    /// Whether a program that uses the tangents, or one that ignores them, shows the values of a track at half frames.
    pub fn is_within(
        &self,
        samples: &Samples,
        (track, index): (&Track, usize),
        [first, last]: [i64; 2],
        uses_tangents: bool,
    ) -> bool {
        let mut ticks = (first..=last).step_by(TICKS as usize / 2);
        ticks.all(|tick| {
            let value = self.at(tick as f64, track.path, uses_tangents);
            let shown = samples.get(tick, index);
            // Numbers far from 0 are rounded more.
            let most = track.tolerance.max(1e-6 * shown.length());
            track.distance(track.aligned(value, shown), shown) <= most
        })
    }

    /// Turns the values, and shifts them such that the first one is `first`. Tangents are only turned.
    fn place(&mut self, turn: DMat3, first: DVec4) {
        let is_cubic = self.interpolation == SamplerInterpolation::CubicSpline;
        self.values.iter_mut().for_each(|value| *value = (turn * value.truncate()).extend(0.0));
        let shift = first - self.values[usize::from(is_cubic)];
        let keys = self.values.iter_mut().enumerate();
        keys.filter(|(place, _)| !is_cubic || place % 3 == 1).for_each(|(_, value)| *value += shift);
    }

    /// Returns the value at a tick, as other programs interpolate it.
    fn at(&self, tick: f64, path: Path, uses_tangents: bool) -> DVec4 {
        let is_cubic = self.interpolation == SamplerInterpolation::CubicSpline;
        let value = |key: usize| self.values[if is_cubic { 3 * key + 1 } else { key }];
        let next = self.ticks.partition_point(|key| *key <= tick);
        let Some(key) = next.checked_sub(1) else {
            return value(0);
        };
        if next == self.ticks.len() || self.interpolation == SamplerInterpolation::Step {
            return value(key);
        }
        let width = self.ticks[next] - self.ticks[key];
        let u = (tick - self.ticks[key]) / width;
        let [from, to] = [value(key), value(next)];
        match (is_cubic && uses_tangents, path) {
            (true, _) => hermite([from, to], [self.values[3 * key + 2], self.values[3 * next]], width, u),
            (false, Path::Rotation) => DQuat::from_vec4(from).slerp(DQuat::from_vec4(to), u).into(),
            (false, _) => from.lerp(to, u),
        }
    }
}
