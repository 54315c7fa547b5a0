//! Blends: keys that follow each other go towards their neighbours, or towards and away from a line, a curve or a mean.

use super::hermite::Number;
use super::mode::{Slope, Slopes};
use super::spline::{Interpolate, Spline};
use serde::{Deserialize, Serialize};

/// What keys go towards. With an amount from -1 to 1; 0 changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Blend {
    /// The value of the key before them at -1, of the key behind them at 1.
    Neighbors,
    /// The straight line between these two at -1; twice as far from it at 1.
    Line,
    /// The mean of the keys at -1; twice as far from it at 1.
    Mean,
    /// The value of the key before them at -1; twice as far from it at 1.
    Before,
    /// The value of the key behind them at -1; twice as far from it at 1.
    Behind,
    /// The cubic curve from the key before them to that behind them that starts level at -1; that which ends level at 1.
    Ease,
    /// What the curve is earlier, at -1 such that the first key has the value of the key before; later at 1, such that the
    /// last one has that of the key behind.
    Time,
}

impl Blend {
    pub const ALL: [Self; 7] =
        [Self::Neighbors, Self::Line, Self::Mean, Self::Before, Self::Behind, Self::Ease, Self::Time];

    /// Returns how far values go away from their targets, as a share of the distance.
    fn away(self, amount: f32) -> f32 {
        match self {
            Self::Neighbors | Self::Ease => -amount.abs(),
            Self::Line | Self::Mean | Self::Before | Self::Behind => amount,
            Self::Time => -1.0,
        }
    }
}

impl<T: Number + Interpolate> Spline<T> {
    /// Blends each run of keys that follow each other and for which `is_chosen` holds, with the slopes that are set. Where a run has
    /// no neighbour on a side, its own key at that end stands in for it.
    pub fn blend(&mut self, blend: Blend, amount: f32, is_chosen: impl Fn(f32) -> bool) {
        let earlier = self.clone();
        let old = &earlier.knots;
        let mut start = 0;
        for run in old.chunk_by(|(a, _), (b, _)| is_chosen(*a) == is_chosen(*b)) {
            let end = start + run.len();
            let before = old[start.saturating_sub(1)];
            let behind = old[end.min(old.len() - 1)];
            let first = run[0].1;
            let shift = match amount < 0.0 {
                true => run[0].0 - before.0,
                false => behind.0 - run[run.len() - 1].0,
            } * amount;
            // From the first value, so that equal ones stay exactly equal.
            let sum = run[1..].iter().fold(first * 0.0, |sum, (_, value)| sum + (*value - first));
            let mean = first + sum * (1.0 / run.len() as f32);
            for (index, &(frame, value)) in run.iter().enumerate().filter(|(_, knot)| is_chosen(knot.0)) {
                let width = behind.0 - before.0;
                let part = if width > 0.0 { (frame - before.0) / width } else { 0.0 };
                let level = first * 0.0;
                let rise = behind.1 - before.1;
                let per_frame = if width > 0.0 { rise * (1.0 / width) } else { level };
                let (target, slopes) = match blend {
                    Blend::Neighbors if amount < 0.0 => (before.1, [level; 2]),
                    Blend::Neighbors => (behind.1, [level; 2]),
                    Blend::Line => (before.1 + rise * part, [per_frame; 2]),
                    Blend::Mean => (mean, [level; 2]),
                    Blend::Before => (before.1, [level; 2]),
                    Blend::Behind => (behind.1, [level; 2]),
                    Blend::Ease => {
                        let left = if amount < 0.0 { part } else { 1.0 - part };
                        let eased = if amount < 0.0 { left.powi(3) } else { 1.0 - left.powi(3) };
                        (before.1 + rise * eased, [per_frame * (3.0 * left * left); 2])
                    }
                    Blend::Time => {
                        let frame = frame + shift;
                        let slopes = T::slopes(&earlier, frame).unwrap_or([level; 2]);
                        (earlier.at(frame).unwrap_or(value), slopes)
                    }
                };
                let away = blend.away(amount);
                self.knots[start + index].1 = value + (value - target) * away;
                let set = self.authored.slopes(start + index);
                let moved = |set: Option<Slope<T>>, slope: T| {
                    set.map(|set| set.map(|set| set + (set - slope) * away))
                };
                let [arrive, leave] = [moved(set.arrive, slopes[0]), moved(set.leave, slopes[1])];
                self.set_slopes(start + index, Slopes { arrive, leave });
            }
            start = end;
        }
        self.authored.baked = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::mode::Mode;

    #[test]
    fn runs_of_keys_go_towards_their_neighbours_the_line_and_the_mean() {
        let curve = Spline::from_knots(vec![(0.0, 0.0f32), (5.0, 8.0), (10.0, 4.0), (20.0, 20.0)]);
        let blended = |blend, amount| {
            let mut curve = curve.clone();
            curve.blend(blend, amount, |frame| [5.0, 10.0].contains(&frame));
            curve.knots.into_iter().map(|(_, value)| value).collect::<Vec<f32>>()
        };
        for blend in Blend::ALL {
            assert_eq!(blended(blend, 0.0), [0.0, 8.0, 4.0, 20.0]);
        }
        assert_eq!(blended(Blend::Neighbors, -1.0), [0.0, 0.0, 0.0, 20.0]);
        assert_eq!(blended(Blend::Neighbors, 0.5), [0.0, 14.0, 12.0, 20.0]);
        assert_eq!(blended(Blend::Line, -1.0), [0.0, 5.0, 10.0, 20.0]);
        assert_eq!(blended(Blend::Line, 1.0), [0.0, 11.0, -2.0, 20.0]);
        assert_eq!(blended(Blend::Mean, -1.0), [0.0, 6.0, 6.0, 20.0]);
        assert_eq!(blended(Blend::Mean, 1.0), [0.0, 10.0, 2.0, 20.0]);
        assert_eq!(blended(Blend::Before, -1.0), [0.0, 0.0, 0.0, 20.0]);
        assert_eq!(blended(Blend::Before, 0.5), [0.0, 12.0, 6.0, 20.0]);
        assert_eq!(blended(Blend::Behind, -0.5), [0.0, 14.0, 12.0, 20.0]);
        assert_eq!(blended(Blend::Behind, 1.0), [0.0, -4.0, -12.0, 20.0]);
        // A quarter and a half of the way: 1/64 and 1/8 of the rise of 20, or as much before its end, of which 27/64 and 1/8
        // are left.
        assert_eq!(blended(Blend::Ease, -1.0), [0.0, 0.3125, 2.5, 20.0]);
        assert_eq!(blended(Blend::Ease, 1.0), [0.0, 11.5625, 17.5, 20.0]);
        assert_eq!(blended(Blend::Ease, 0.5), [0.0, 9.78125, 10.75, 20.0]);
        // Slopes that are set become flatter with the keys.
        let mut sloped = curve.clone();
        sloped.set_slopes(1, Slopes::fixed(Some(2.0), None));
        sloped.blend(Blend::Mean, -0.5, |frame| [5.0, 10.0].contains(&frame));
        assert_eq!(sloped.authored.slopes(1), Slopes::fixed(Some(1.0), None));
        // The whole curve has no neighbours.
        let mut all = curve.clone();
        all.blend(Blend::Line, -1.0, |_| true);
        assert_eq!(all.knots.iter().map(|knot| knot.1).collect::<Vec<_>>(), [0.0, 5.0, 10.0, 20.0]);
    }

    /// Along straight lines, by 5 frames to the key before and by 10 to that behind; a slope that is set is that of the line.
    #[test]
    fn keys_take_the_values_of_the_curve_at_other_times() {
        let mut curve = Spline::from_knots(vec![(0.0, 0.0f32), (5.0, 8.0), (10.0, 4.0), (20.0, 20.0)]);
        (0..4).for_each(|key| curve.set_mode(key, Mode::Linear));
        let blended = |amount: f32| {
            let mut curve = curve.clone();
            curve.blend(Blend::Time, amount, |frame| [5.0, 10.0].contains(&frame));
            curve.knots.into_iter().map(|(_, value)| value).collect::<Vec<f32>>()
        };
        assert_eq!(blended(-1.0), [0.0, 0.0, 8.0, 20.0]);
        assert_eq!(blended(-0.5), [0.0, 4.0, 6.0, 20.0]);
        assert_eq!(blended(0.5), [0.0, 4.0, 12.0, 20.0]);
        assert_eq!(blended(1.0), [0.0, 12.0, 20.0, 20.0]);
        let mut sloped = curve.clone();
        sloped.set_slopes(2, Slopes::fixed(Some(5.0), None));
        sloped.blend(Blend::Time, 0.2, |frame| frame == 10.0);
        assert!(
            (sloped.authored.slopes(2).arrive.unwrap().fixed().unwrap() - 1.6).abs() < 1e-5,
            "{sloped:?}"
        );
        // Nothing is behind the last key.
        let mut last = curve.clone();
        last.blend(Blend::Time, 1.0, |frame| frame == 20.0);
        assert_eq!(last.knots, curve.knots);
    }
}
