//! Filters of curves.

use super::blends::Blend;
use super::channel::Channel;
use super::hermite::Number;
use super::mode::{KeyShape, Mode, Slope, Slopes};
use super::spline::{Interpolate, Spline};
use super::value::Value;
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// A filter of the keys of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Filter {
    /// As few keys as possible, with slopes, for the same curve to within this many degrees; for other values, a degree stands
    /// for a ninetieth of their range. Rotations and switches keep their keys.
    Simplify(f32),
    /// Each key goes half the way to the straight line between its neighbours.
    Smooth,
    /// A key at every so many frames, with the slopes that the curve has there.
    Every(u32),
    /// The keys go, and those beside them get the slopes with which the curve stays as it is, as far as it can.
    Dissolve,
    /// Keys that follow each other are blended by an amount from -1 to 1: all their components, or one.
    Blend { blend: Blend, amount: f32, component: Option<usize> },
}

/// Runs `$do` with the spline of a channel whose values are numbers.
macro_rules! with_cubic {
    ($channel:expr, $spline:ident => $do:expr) => {
        match $channel {
            Channel::Bool(_) | Channel::Quat(_) => {}
            Channel::Float($spline) => $do,
            Channel::Vec2($spline) => $do,
            Channel::Vec3($spline) | Channel::Spectrum($spline) => $do,
            Channel::Vec4($spline) => $do,
            Channel::Mat4($spline) => $do,
        }
    };
}

impl Channel {
    /// Returns the channel with a filter applied to the keys in `frames`, ascending. `is_angle` tells that its values are degrees.
    pub fn filtered(&self, filter: Filter, frames: &[f32], is_angle: bool) -> Self {
        let is_chosen = |frame: f32| frames.binary_search_by(|one| one.total_cmp(&frame)).is_ok();
        let mut filtered = self.clone();
        match (filter, frames) {
            (Filter::Every(step), &[first, .., last]) => {
                filtered = self.without(frames);
                let mut frame = first;
                while frame < last {
                    filtered.copy_key(self, frame);
                    frame += step.max(1) as f32;
                }
                filtered.copy_key(self, last);
            }
            (Filter::Every(_), _) => {}
            (Filter::Simplify(degrees), _) => with_cubic!(&mut filtered, spline => {
                let tolerance = if is_angle { degrees } else { degrees / 90.0 * range(spline) };
                *spline = spline.simplified(tolerance, is_chosen);
            }),
            (Filter::Smooth, _) => with_cubic!(&mut filtered, spline => smooth(spline, is_chosen)),
            (Filter::Dissolve, _) => {
                if matches!(self, Channel::Bool(_) | Channel::Quat(_)) {
                    filtered = self.without(frames);
                }
                with_cubic!(&mut filtered, spline => *spline = spline.dissolved(is_chosen));
            }
            (Filter::Blend { blend, amount, component }, _) => {
                with_cubic!(&mut filtered, spline => spline.blend(blend, amount, is_chosen));
                if let Some(component) = component {
                    filtered.keep_others(self, frames, component);
                }
            }
        }
        filtered
    }

    fn without(&self, frames: &[f32]) -> Self {
        let mut left = self.clone();
        for frame in frames {
            left.remove_key(*frame);
        }
        left
    }

    /// Sets all components of keys but one, and of their slopes, to those of another channel.
    fn keep_others(&mut self, other: &Self, frames: &[f32], component: usize) {
        let changed = |old: Value, new: Value| {
            new.component(component).and_then(|number| old.with_component(component, number)).unwrap_or(old)
        };
        let slope = |old: Option<Slope<Value>>, new: Option<Slope<Value>>| match (old?, new?) {
            (Slope::Set(old), Slope::Set(new)) => Some(Slope::Set(changed(old, new))),
            (_, new) => Some(new),
        };
        for &frame in frames {
            let old = other.key(frame).zip(other.key_shape(frame));
            let new = self.key(frame).zip(self.key_shape(frame));
            if let (Some((value, shape)), Some((new, new_shape))) = (old, new) {
                let arrive = slope(shape.slopes.arrive, new_shape.slopes.arrive);
                let leave = slope(shape.slopes.leave, new_shape.slopes.leave);
                self.set_key(frame, changed(value, new));
                self.set_key_shape(frame, KeyShape { slopes: Slopes { arrive, leave }, ..shape });
            }
        }
    }

    /// Sets a key at a frame with the value, mode and slopes that another channel has there.
    fn copy_key(&mut self, other: &Self, frame: f32) {
        let Some(value) = other.key(frame).or_else(|| other.at(frame)) else { return };
        let before = other.key(frame).map(|_| frame).or(other.key_before(frame));
        let mode = before.and_then(|before| other.key_mode(before)).unwrap_or_default();
        let mode = if matches!(mode, Mode::Ease(_)) { Mode::Clamped } else { mode };
        let slopes = other
            .slopes(frame)
            .map_or(Slopes::default(), |[arrive, leave]| Slopes::fixed(Some(arrive), Some(leave)));
        self.set_key(frame, value);
        self.set_key_shape(frame, KeyShape { mode, slopes });
    }
}

/// The largest range of a component of the keys.
fn range<T: Interpolate>(curve: &Spline<T>) -> f32 {
    let Some(&(_, first)) = curve.knots.first() else { return 0.0 };
    let mut ends: Vec<[f32; 2]> = first.components().as_ref().iter().map(|value| [*value; 2]).collect();
    for (_, value) in &curve.knots {
        for ([least, most], value) in ends.iter_mut().zip(value.components().as_ref()) {
            (*least, *most) = (least.min(*value), most.max(*value));
        }
    }
    ends.iter().map(|[least, most]| most - least).fold(0.0, f32::max)
}

fn smooth<T: Number>(curve: &mut Spline<T>, is_chosen: impl Fn(f32) -> bool) {
    let old = curve.knots.clone();
    for around in old.windows(3) {
        let [(t0, v0), (t1, v1), (t2, v2)] = [around[0], around[1], around[2]];
        if is_chosen(t1) {
            let straight = v0 + (v2 - v0) * ((t1 - t0) / (t2 - t0));
            curve.insert(t1, (v1 + straight) * 0.5);
        }
    }
}

impl Spline<Vec3> {
    /// Returns the keys that change so that Euler angles, in degrees, turn least from key to key: x, y, z are the same rotation as
    /// x + 180, 180 - y, z + 180, and as those with full turns added. The first key stays.
    pub fn without_flips(&self) -> Vec<(f32, Vec3)> {
        let mut changed = Vec::new();
        let Some(&(_, mut before)) = self.knots.first() else { return changed };
        for &(frame, angles) in &self.knots[1..] {
            let near = |angles: Vec3| angles + 360.0 * ((before - angles) / 360.0).round();
            let same = near(angles);
            let other = near(Vec3::new(angles.x + 180.0, 180.0 - angles.y, angles.z + 180.0));
            let turn = |angles: Vec3| (angles - before).abs().element_sum();
            // The half turns count only if they are clearly nearer, or angles around ±90° would wander.
            before = if turn(other) < turn(same) - 1e-3 { other } else { same };
            if before != angles && before.is_finite() {
                changed.push((frame, before));
            } else {
                before = angles;
            }
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::channel::Value;
    use crate::testing::Random;
    use glam::{EulerRot, Quat};

    #[test]
    fn flips_are_undone_and_rotations_stay() {
        let rotation = |angles: Vec3| {
            let [x, y, z] = angles.to_array().map(f32::to_radians);
            Quat::from_euler(EulerRot::ZYX, z, y, x)
        };
        let mut random = Random::new(5);
        for _ in 0..200 {
            // A slow motion, with flips anywhere.
            let mut angles = Vec3::from_array(std::array::from_fn(|_| random.below(160) as f32 - 80.0));
            let knots: Vec<(f32, Vec3)> = (0..30)
                .map(|frame| {
                    angles += Vec3::from_array(std::array::from_fn(|_| random.below(20) as f32 - 10.0));
                    let turns =
                        Vec3::from_array(std::array::from_fn(|_| 360.0 * random.below(3) as f32 - 360.0));
                    let flipped = Vec3::new(angles.x + 180.0, 180.0 - angles.y, angles.z - 180.0);
                    (frame as f32, if random.chance(30) { flipped } else { angles } + turns)
                })
                .collect();
            let before = Spline::from_knots(knots);
            let mut after = before.clone();
            for (frame, angles) in before.without_flips() {
                after.insert(frame, angles);
            }
            for (one, other) in before.knots.iter().zip(&after.knots) {
                assert!(rotation(one.1).dot(rotation(other.1)).abs() > 1.0 - 1e-5, "{one:?} {other:?}");
            }
            for pair in after.knots.windows(2) {
                assert!((pair[1].1 - pair[0].1).abs().max_element() < 40.0, "{pair:?}");
            }
            assert_eq!(after.without_flips(), []);
        }
    }

    #[test]
    fn keys_are_smoothed_and_placed_at_even_frames() {
        let wave = |frame: f32| {
            Vec3::new(
                20.0 * (0.2 * frame).sin(),
                if (frame as u32).is_multiple_of(2) { 1.0 } else { -1.0 },
                0.0,
            )
        };
        let dense = Channel::Vec3(Spline::from_knots(
            (0..=40).map(|frame| (frame as f32, wave(frame as f32))).collect(),
        ));
        let chosen: Vec<f32> = (5..=35).map(|frame| frame as f32).collect();
        let at = |channel: &Channel, frame: f32| Vec3::try_from(channel.at(frame).unwrap()).unwrap();
        let smooth = dense.filtered(Filter::Smooth, &chosen, true);
        assert!((at(&smooth, 20.0) - wave(20.0)).x.abs() < 0.3 && at(&smooth, 20.0).y.abs() < 1e-6);
        assert_eq!(at(&smooth, 4.0), wave(4.0));
        let sparse = smooth.filtered(Filter::Every(4), &chosen, true);
        let times = sparse.times();
        assert_eq!(times[4..8], [4.0, 5.0, 9.0, 13.0]);
        assert!(times.ends_with(&[29.0, 33.0, 35.0, 36.0, 37.0, 38.0, 39.0, 40.0]), "{times:?}");
        for frame in 10..30 {
            assert!((at(&sparse, frame as f32) - at(&smooth, frame as f32)).x.abs() < 0.2, "{frame}");
        }
        // A wave whose keys but every fourth one go stays the same wave; without slopes, it would be another.
        let wave = smooth.filtered(Filter::Every(2), &smooth.times(), true);
        let goes: Vec<f32> = wave.times().into_iter().filter(|frame| frame % 4.0 != 0.0).collect();
        let dissolved = wave.filtered(Filter::Dissolve, &goes, true);
        assert_eq!(dissolved.key_count(), 11);
        let off = |curve: &Channel| {
            (0..=40)
                .map(|frame| (at(curve, frame as f32) - at(&wave, frame as f32)).x.abs())
                .fold(0.0, f32::max)
        };
        assert!(off(&dissolved) < 0.05, "{}", off(&dissolved));
        let simple = dense.filtered(Filter::Simplify(3.0), &chosen, true);
        assert!(simple.key_count() < 24, "{}", simple.key_count());
        // One component of one key.
        let flat = Filter::Blend { blend: Blend::Line, amount: -1.0, component: Some(0) };
        let blended = dense.filtered(flat, &[20.0], true);
        let (old, new) = (at(&dense, 20.0), at(&blended, 20.0));
        assert!((old.x - new.x).abs() > 0.1 && old.with_x(0.0) == new.with_x(0.0), "{old} {new}");
        // A switch keeps its keys, at even frames too.
        let mut switch = Channel::empty_for(&Value::Bool(true));
        for (frame, on) in [(0.0, false), (3.0, true), (9.0, false)] {
            switch.set_key(frame, Value::Bool(on));
        }
        assert_eq!(switch.filtered(Filter::Simplify(1.0), &switch.times(), false), switch);
        let even = switch.filtered(Filter::Every(2), &switch.times(), false);
        assert_eq!(
            (even.times().len(), even.at(3.0), even.at(4.0)),
            (6, Some(Value::Bool(false)), Some(Value::Bool(true)))
        );
    }
}
