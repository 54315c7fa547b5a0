//! Channels of any type: values at frames, and single keys.

use super::bake::fingerprint;
use super::channel::{Channel, Value};
use super::mode::{KeyShape, Mode, Slope, Slopes};
use super::spline::{Interpolate, Spline};

/// Runs `$do` with the spline of whichever type; `$wrap` makes a [`Value`] of that type.
macro_rules! with_spline {
    ($channel:expr, $spline:ident, $wrap:ident => $do:expr) => {
        match $channel {
            Channel::Bool($spline) => {
                let $wrap = Value::Bool;
                $do
            }
            Channel::Float($spline) => {
                let $wrap = Value::Float;
                $do
            }
            Channel::Vec2($spline) => {
                let $wrap = Value::Vec2;
                $do
            }
            Channel::Vec3($spline) => {
                let $wrap = Value::Vec3;
                $do
            }
            Channel::Vec4($spline) => {
                let $wrap = Value::Vec4;
                $do
            }
            Channel::Quat($spline) => {
                let $wrap = Value::Quat;
                $do
            }
            Channel::Spectrum($spline) => {
                let $wrap = Value::Spectrum;
                $do
            }
            Channel::Mat4($spline) => {
                let $wrap = Value::Mat4;
                $do
            }
        }
    };
}

impl Channel {
    /// Returns a channel without knots, of the type of `value`.
    pub fn empty_for(value: &Value) -> Self {
        match value {
            Value::Bool(_) => Channel::Bool(Spline::default()),
            Value::Float(_) => Channel::Float(Spline::default()),
            Value::Vec2(_) => Channel::Vec2(Spline::default()),
            Value::Vec3(_) => Channel::Vec3(Spline::default()),
            Value::Vec4(_) => Channel::Vec4(Spline::default()),
            Value::Quat(_) => Channel::Quat(Spline::default()),
            Value::Spectrum(_) => Channel::Spectrum(Spline::default()),
            Value::Mat4(_) => Channel::Mat4(Spline::default()),
        }
    }

    /// Returns the type's name in files.
    pub fn type_name(&self) -> &'static str {
        match self {
            Channel::Bool(_) => "bool",
            Channel::Float(_) => "float",
            Channel::Vec2(_) => "Vec2",
            Channel::Vec3(_) => "Vec3",
            Channel::Vec4(_) => "Vec4",
            Channel::Quat(_) => "Quat",
            Channel::Spectrum(_) => "Spectrum",
            Channel::Mat4(_) => "Mat4",
        }
    }

    /// Returns the value at `frame`; `None` without knots.
    pub fn at(&self, frame: f32) -> Option<Value> {
        with_spline!(self, spline, wrap => spline.at(frame).map(wrap))
    }

    /// Returns the value at `frame`: see [`Spline::at_with_hint`].
    pub fn at_with_hint(&self, frame: f32, hint: &mut usize) -> Option<Value> {
        with_spline!(self, spline, wrap => spline.at_with_hint(frame, hint).map(wrap))
    }

    /// Returns the times of the keys, in ascending order.
    pub fn times(&self) -> Vec<f32> {
        with_spline!(self, spline, _wrap => spline.knots.iter().map(|knot| knot.0).collect())
    }

    pub fn key_count(&self) -> usize {
        with_spline!(self, spline, _wrap => spline.knots.len())
    }

    /// Returns the frame and value of each key, in ascending order.
    pub fn keys(&self) -> Vec<(f32, Value)> {
        with_spline!(self, spline, wrap => {
            spline.knots.iter().map(|&(frame, value)| (frame, wrap(value))).collect()
        })
    }

    /// Returns the fingerprint of the knots: see [`fingerprint`].
    pub fn knots_fingerprint(&self) -> u64 {
        with_spline!(self, spline, _wrap => fingerprint(&spline.knots))
    }

    /// Returns the value of the key at exactly `frame`.
    pub fn key(&self, frame: f32) -> Option<Value> {
        with_spline!(self, spline, wrap => spline.index_of(frame).map(|index| wrap(spline.knots[index].1)))
    }

    /// Returns the mode of the key at exactly `frame`.
    pub fn key_mode(&self, frame: f32) -> Option<Mode> {
        with_spline!(self, spline, _wrap => spline.index_of(frame).map(|index| spline.authored.mode(index)))
    }

    /// Returns how the curve passes the key at exactly `frame`.
    pub fn key_shape(&self, frame: f32) -> Option<KeyShape> {
        with_spline!(self, spline, wrap => spline.index_of(frame).map(|index| KeyShape {
            mode: spline.authored.mode(index),
            slopes: spline.authored.slopes(index).map(wrap),
        }))
    }

    /// Returns the slopes of the curve, in value per frame, before and behind a frame; `None` without keys, and for booleans
    /// and rotations.
    pub fn slopes(&self, frame: f32) -> Option<[Value; 2]> {
        with_spline!(self, spline, wrap => Interpolate::slopes(spline, frame).map(|slopes| slopes.map(wrap)))
    }

    /// Whether the curve is cubic, with slopes of its keys, before and behind a frame.
    pub fn cubic_sides(&self, frame: f32) -> [bool; 2] {
        let (before, after) = (self.key_before(frame), self.key_after(frame));
        let at = self.key(frame).map(|_| frame);
        let is_cubic = |start: Option<f32>, end: Option<f32>| {
            end.is_some() && start.and_then(|start| self.key_mode(start)).is_some_and(Mode::is_cubic)
        };
        [is_cubic(before, at.or(after)), is_cubic(at.or(before), after)]
    }

    /// Sets how the curve passes the key at exactly `frame`. Booleans have no modes; rotations hold, ease, or turn evenly;
    /// neither have slopes.
    pub fn set_key_shape(&mut self, frame: f32, shape: KeyShape) {
        let mode = match (&*self, shape.mode) {
            (Channel::Bool(_), _) | (Channel::Quat(_), Mode::Smooth | Mode::Linear | Mode::Clamped) => {
                Mode::Auto
            }
            (_, mode) => mode,
        };
        let has_slopes = !matches!(self, Channel::Bool(_) | Channel::Quat(_));
        with_spline!(self, spline, _wrap => if let Some(index) = spline.index_of(frame) {
            if spline.authored.mode(index) != mode {
                spline.set_mode(index, mode);
            }
            let slope = |slope: Option<Slope<Value>>| match slope.filter(|_| has_slopes)? {
                Slope::Of(mode) => Some(Slope::Of(mode)),
                Slope::Set(slope) => Some(Slope::Set(slope.try_into().ok()?)),
            };
            let slopes = Slopes { arrive: slope(shape.slopes.arrive), leave: slope(shape.slopes.leave) };
            if spline.authored.slopes(index) != slopes {
                spline.set_slopes(index, slopes);
            }
        })
    }

    /// Sets the mode of the key at exactly `frame`. The slopes that were set up to the next key are gone.
    pub fn set_key_mode(&mut self, frame: f32, mode: Mode) {
        let Some(shape) = self.key_shape(frame) else { return };
        self.set_key_shape(frame, KeyShape { mode, slopes: Slopes { leave: None, ..shape.slopes } });
        let next = self.key_after(frame);
        if let Some((next, shape)) = next.and_then(|next| Some((next, self.key_shape(next)?))) {
            self.set_key_shape(next, KeyShape { slopes: Slopes { arrive: None, ..shape.slopes }, ..shape });
        }
    }

    /// Returns the time of the first key after `frame`.
    pub fn key_after(&self, frame: f32) -> Option<f32> {
        with_spline!(self, spline, _wrap => {
            let index = spline.knots.partition_point(|knot| knot.0 <= frame);
            spline.knots.get(index).map(|knot| knot.0)
        })
    }

    /// Returns the time of the last key before `frame`.
    pub fn key_before(&self, frame: f32) -> Option<f32> {
        with_spline!(self, spline, _wrap => {
            let index = spline.knots.partition_point(|knot| knot.0 < frame);
            index.checked_sub(1).map(|index| spline.knots[index].0)
        })
    }

    /// Returns the mode of each key; booleans hold, and rotations turn evenly unless they ease or hold.
    pub fn key_modes(&self) -> Vec<Mode> {
        let (holds, turns) = (matches!(self, Channel::Bool(_)), matches!(self, Channel::Quat(_)));
        with_spline!(self, spline, _wrap => {
            let mode = |index: usize| match spline.authored.mode(index) {
                _ if holds => Mode::Hold,
                mode if turns && mode.is_cubic() => Mode::Linear,
                mode => mode,
            };
            (0..spline.knots.len()).map(mode).collect()
        })
    }

    /// Returns for each key whether the value stays the same until the next key; true for the last key.
    pub fn flat_segments(&self) -> Vec<bool> {
        let drifts = !matches!(self, Channel::Bool(_) | Channel::Quat(_));
        with_spline!(self, spline, _wrap => {
            let is_flat = |index: usize| spline.knots.get(index + 1).is_none_or(|next| {
                let is_equal = next.1 == spline.knots[index].1;
                let sides = [spline.authored.slopes(index).leave, spline.authored.slopes(index + 1).arrive];
                let is_set = sides.into_iter().flatten().any(|side| side.fixed().is_some());
                is_equal && !(drifts && (is_set || spline.authored.mode(index) == Mode::Auto))
            });
            (0..spline.knots.len()).map(is_flat).collect()
        })
    }

    /// Moves all keys to the frames given by `new_frame`, which must be finite. Returns false, and changes nothing, if
    /// the keys would meet or pass each other.
    pub fn map_times(&mut self, new_frame: impl Fn(f32) -> f32) -> bool {
        with_spline!(self, spline, _wrap => {
            let times: Vec<f32> = spline.knots.iter().map(|knot| new_frame(knot.0)).collect();
            let is_ordered = times.is_sorted_by(|a, b| a < b);
            if is_ordered && spline.knots.iter().zip(&times).any(|(knot, time)| knot.0 != *time) {
                spline.knots.iter_mut().zip(times).for_each(|(knot, time)| knot.0 = time);
                spline.authored.baked = None;
            }
            is_ordered
        })
    }

    /// Removes the key at exactly `frame` and returns its value.
    pub fn remove_key(&mut self, frame: f32) -> Option<Value> {
        with_spline!(self, spline, wrap => spline.remove(frame).map(wrap))
    }

    /// Sets the key at `frame`, which must be finite. Returns false, and changes nothing, if the value is of
    /// another type.
    pub fn set_key(&mut self, frame: f32, value: Value) -> bool {
        let fits = self.type_name() == value.type_name();
        if fits {
            with_spline!(self, spline, _wrap => if let Ok(value) = value.try_into() {
                spline.insert(frame, value);
            });
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Mat4, Quat, Vec2, Vec3, Vec4};

    #[test]
    fn keys_of_every_type_are_set_read_and_removed() {
        let values = [
            Value::Bool(true),
            Value::Float(1.5),
            Value::Vec2(Vec2::ONE),
            Value::Vec3(Vec3::X),
            Value::Vec4(Vec4::Y),
            Value::Quat(Quat::from_rotation_x(1.0)),
            Value::Spectrum(Vec3::splat(0.5)),
            Value::Mat4(Mat4::IDENTITY),
        ];
        for value in values {
            let mut channel = Channel::empty_for(&value);
            assert_eq!((channel.at(0.0), channel.type_name()), (None, value.type_name()));
            for other in values {
                let fits = other.type_name() == value.type_name();
                assert_eq!(channel.set_key(3.0, other), fits);
            }
            assert!(channel.set_key(1.0, value));
            assert_eq!(channel.times(), [1.0, 3.0]);
            assert_eq!(channel.at(2.0).map(|v| v.type_name()), Some(value.type_name()));
            assert_eq!((channel.key(3.0), channel.key(2.0)), (Some(value), None));
            assert_eq!(channel.remove_key(3.0), Some(value));
            assert_eq!((channel.remove_key(3.0), channel.key_count()), (None, 1));
        }
    }

    #[test]
    fn keys_move_in_order_or_not_at_all() {
        let mut channel = Channel::Float(Spline::from_knots(vec![(1.0, 2.0), (4.0, 3.0)]));
        let before = channel.clone();
        assert!(!channel.map_times(|_| 7.0) && !channel.map_times(|frame| -frame));
        assert_eq!(channel, before);
        assert!(channel.map_times(|frame| if frame > 1.0 { frame + 5.0 } else { frame }));
        assert_eq!((channel.times(), channel.key(9.0)), (vec![1.0, 9.0], Some(Value::Float(3.0))));
    }
}
