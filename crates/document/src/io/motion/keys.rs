//! Converts values at every frame to as few keys as the tolerance allows.

use crate::anim::channel::Channel;
use crate::anim::spline::{Interpolate, Spline};
use crate::math::angles::angle;
use crate::math::rotation::from_euler;
use glam::{DMat3, Quat, Vec3};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The maximum error of the rotations of transforms, in degrees; keys within it are omitted.
const ANGLE_TOLERANCE: f64 = 0.005;

/// The samples at which a file has keys of the values of a node, ascending, with the ends of takes; `None` where it has none,
/// or one that is at no sample.
#[derive(Clone, Debug, Default)]
pub struct FileKeys {
    pub rotations: Option<Vec<usize>>,
    pub translations: Option<Vec<usize>>,
    pub scales: Option<Vec<usize>>,
}

/// How far a sample may be from a key of a file, in frames.
const NEAR: f64 = 0.02;

/// The frames at which values are sampled: those of all takes. Samples between whole frames are for the keys of a file
/// there: no others are placed at them.
#[derive(Default)]
pub struct Samples {
    /// The frame of each sample, ascending.
    pub frames: Vec<f32>,
    /// The samples that begin or end a take.
    pub ends: Vec<usize>,
    /// Whether every sample becomes a key.
    pub all_frames: bool,
}

impl Samples {
    /// Returns the sample at a frame, if there is one.
    pub fn near(&self, frame: f64) -> Option<usize> {
        let next = self.frames.partition_point(|at| f64::from(*at) < frame);
        let distance = |sample: &usize| (f64::from(self.frames[*sample]) - frame).abs();
        let around = next.saturating_sub(1)..(next + 1).min(self.frames.len());
        around.min_by(|a, b| distance(a).total_cmp(&distance(b))).filter(|sample| distance(sample) <= NEAR)
    }

    /// Whether a sample is at a whole frame.
    pub fn is_whole(&self, sample: usize) -> bool {
        self.frames[sample].fract() == 0.0
    }

    /// Returns the spline through the values at all samples, reduced unless all frames are kept. `error`
    /// computes the error of a value at the sample of an index; `fixed`: see [`reduce_keys`].
    pub fn spline<T: Interpolate>(
        &self,
        values: &[T],
        tolerance: f64,
        fixed: &[usize],
        error: impl Fn(T, usize) -> f64,
    ) -> Spline<T> {
        let samples: Vec<(f32, T)> = self.frames.iter().copied().zip(values.iter().copied()).collect();
        Spline::from_knots(if self.all_frames {
            samples
        } else {
            reduce_keys(&samples, fixed, tolerance, error)
        })
    }

    /// Returns the spline through points, within a distance of them. `file_keys` are the samples at which the file has keys,
    /// if known: they are kept if they are few, with others between them where the curve is no cubic.
    pub fn points(
        &self,
        points: &[Vec3],
        tolerance: f64,
        fixed: &[usize],
        file_keys: Option<&[usize]>,
    ) -> Spline<Vec3> {
        let error = |point: Vec3, sample: usize| f64::from(point.distance(points[sample]));
        let reduced = self.spline(points, tolerance, fixed, error);
        let exact = file_keys.and_then(|keys| self.curve_through(points, [keys, fixed], tolerance, error));
        preferred(exact, reduced)
    }

    /// Returns the spline through angles in degrees, in the same way.
    pub fn angles(
        &self,
        angles_deg: &[Vec3],
        tolerance_deg: f64,
        fixed: &[usize],
        file_keys: Option<&[usize]>,
    ) -> Spline<Vec3> {
        let radians = |angles: Vec3| angles.as_dvec3().map(f64::to_radians);
        let rotations: Vec<DMat3> = angles_deg.iter().map(|angles| from_euler(radians(*angles))).collect();
        let error = |angles: Vec3, sample: usize| {
            angle(&from_euler(radians(angles)), &rotations[sample]).to_degrees()
        };
        let reduced = self.spline(angles_deg, tolerance_deg, fixed, error);
        let exact =
            file_keys.and_then(|keys| self.curve_through(angles_deg, [keys, fixed], tolerance_deg, error));
        preferred(exact, reduced)
    }

    /// Returns the channels of a transform, by name: of its translations, rotations and scales, those that change.
    pub fn transform(
        &self,
        values: &[(Vec3, Quat, Vec3)],
        file_keys: &FileKeys,
    ) -> BTreeMap<String, Arc<Channel>> {
        let mut channels: BTreeMap<String, Arc<Channel>> = BTreeMap::new();
        let translations = values.iter().map(|value| value.0).collect::<Vec<_>>();
        let scales = values.iter().map(|value| value.2).collect::<Vec<_>>();
        let FileKeys { rotations: rotation_keys, translations: translation_keys, scales: scale_keys } =
            file_keys;
        let points = [("translation", translations, translation_keys), ("scale", scales, scale_keys)];
        for (channel, values, keys) in points {
            let size = values.iter().map(|value| value.length()).fold(1e-6, f32::max);
            if values.iter().any(|value| value.distance(values[0]) > 1e-6 * size) {
                let spline = self.points(&values, 1e-4 * f64::from(size), &self.ends, keys.as_deref());
                channels.insert(channel.into(), Arc::new(Channel::Vec3(spline)));
            }
        }
        let rotations: Vec<Quat> = values.iter().map(|value| value.1).collect();
        let angle_deg = |a: Quat, b: Quat| f64::from(a.angle_between(b)).to_degrees();
        if rotations.iter().any(|rotation| angle_deg(*rotation, rotations[0]) > 0.01) {
            let error = |rotation: Quat, sample: usize| angle_deg(rotation, rotations[sample]);
            let reduced = self.spline(&rotations, ANGLE_TOLERANCE, &self.ends, error);
            let keys = rotation_keys.as_deref();
            let exact =
                keys.and_then(|keys| self.rotations_through(&rotations, keys, ANGLE_TOLERANCE, error));
            let spline = preferred(exact, reduced);
            channels.insert("rotation".into(), Arc::new(Channel::Quat(spline)));
        }
        channels
    }
}

/// Returns the curve through the keys of a file if it has hardly more of them than the reduced one, unlike those that other
/// programs bake.
fn preferred<T>(file: Option<Spline<T>>, reduced: Spline<T>) -> Spline<T> {
    let are_few = |curve: &Spline<T>| 2 * curve.knots.len() <= 3 * reduced.knots.len() + 4;
    match file {
        Some(curve) if are_few(&curve) => curve,
        _ => reduced,
    }
}

/// Returns the knots of a spline that differs from the samples (times ascending) at whole frames by at most
/// `tolerance`. `fixed` are indices of samples that always become knots, ascending, including the first and the last.
/// `error` computes the error of a value at the sample of an index.
fn reduce_keys<T: Interpolate>(
    samples: &[(f32, T)],
    fixed: &[usize],
    tolerance: f64,
    error: impl Fn(T, usize) -> f64,
) -> Vec<(f32, T)> {
    let mut knots: Vec<usize> = fixed.to_vec();
    let curve = |knots: &[usize]| Spline::from_knots(knots.iter().map(|index| samples[*index]).collect());
    let mut values = curve(&knots);
    let worst = |knots: &[usize], values: &Spline<T>, interval: usize| {
        let mut worst = (tolerance, None);
        let first = knots[interval] + 1;
        let between = samples[first..knots[interval + 1].max(first)].iter();
        for (index, &(time, _)) in (first..).zip(between).filter(|(_, (time, _))| time.fract() == 0.0) {
            let deviation = error(T::interpolate(values, interval, time), index);
            if deviation > worst.0 {
                worst = (deviation, Some(index));
            }
        }
        worst.1
    };
    let intervals = knots.len().saturating_sub(1);
    let mut new_knots: Vec<Option<usize>> = (0..intervals).map(|i| worst(&knots, &values, i)).collect();
    while new_knots.iter().any(Option::is_some) {
        let mut merged: Vec<(usize, bool)> = Vec::with_capacity(2 * knots.len());
        for (i, &knot) in knots.iter().enumerate() {
            merged.push((knot, false));
            merged.extend(new_knots.get(i).copied().flatten().map(|new| (new, true)));
        }
        knots = merged.iter().map(|(knot, _)| *knot).collect();
        values = curve(&knots);
        new_knots = (0..knots.len() - 1)
            .map(|i| {
                // One more knot on each side affects the shape of an interval.
                let is_affected =
                    merged[i.saturating_sub(1)..(i + 3).min(merged.len())].iter().any(|(_, is_new)| *is_new);
                // Unaffected intervals were within the tolerance.
                is_affected.then(|| worst(&knots, &values, i)).flatten()
            })
            .collect();
    }
    values.knots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_knots_keep_within_the_tolerance() {
        let wave =
            |i: u32| Vec3::new((i as f32 * 0.1).sin() * 40.0, i as f32, (i as f32 * 0.03).cos() * 10.0);
        let samples: Vec<(f32, Vec3)> = (0..200).map(|i| (i as f32, wave(i))).collect();
        let error_deg = |a: Vec3, b: Vec3| {
            let [a, b] = [a, b].map(|angles| from_euler(angles.as_dvec3().map(f64::to_radians)));
            angle(&a, &b).to_degrees()
        };
        let knots =
            reduce_keys(&samples, &[0, 99, 100, 199], 0.25, |a, index| error_deg(a, samples[index].1));
        let spline = crate::anim::spline::Spline::from_knots(knots.clone());
        for (time, value) in &samples {
            assert!(error_deg(spline.at(*time).unwrap(), *value) <= 0.25, "{time}");
        }
        assert!(knots.len() < 80, "{}", knots.len());
        assert!([0, 99, 100, 199].iter().all(|index| knots.contains(&samples[*index])));
        // A jump needs two adjacent frames.
        let step: Vec<(f32, Vec3)> =
            (0..40).map(|i| (i as f32, if i < 20 { Vec3::ZERO } else { Vec3::X * 50.0 })).collect();
        let knots = reduce_keys(&step, &[0, 39], 0.25, |a, index| error_deg(a, step[index].1));
        assert!(knots.contains(&step[19]) && knots.contains(&step[20]) && knots.len() < 12, "{knots:?}");
        assert_eq!(reduce_keys(&step[..1], &[0], 0.25, |_, _| 0.0).len(), 1);
    }
}
