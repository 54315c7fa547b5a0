//! Blends: keys that follow each other go towards their neighbours, or towards and away from a line or a mean.

use super::hermite::Number;
use super::spline::Spline;
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
}

impl<T: Number> Spline<T> {
    /// Blends each run of keys that follow each other and for which `is_chosen` holds, with the slopes that are set. Where a run has
    /// no neighbour on a side, its own key at that end stands in for it.
    pub fn blend(&mut self, blend: Blend, amount: f32, is_chosen: impl Fn(f32) -> bool) {
        let old = self.knots.clone();
        let mut start = 0;
        for run in old.chunk_by(|(a, _), (b, _)| is_chosen(*a) == is_chosen(*b)) {
            let end = start + run.len();
            let before = old[start.saturating_sub(1)];
            let behind = old[end.min(old.len() - 1)];
            let first = run[0].1;
            // From the first value, so that equal ones stay exactly equal.
            let sum = run[1..].iter().fold(first * 0.0, |sum, (_, value)| sum + (*value - first));
            let mean = first + sum * (1.0 / run.len() as f32);
            for (index, &(frame, value)) in run.iter().enumerate().filter(|(_, knot)| is_chosen(knot.0)) {
                let width = behind.0 - before.0;
                let part = if width > 0.0 { (frame - before.0) / width } else { 0.0 };
                let level = first * 0.0;
                let rise = behind.1 - before.1;
                let (target, slope) = match blend {
                    Blend::Neighbors if amount < 0.0 => (before.1, level),
                    Blend::Neighbors => (behind.1, level),
                    Blend::Line if width > 0.0 => (before.1 + rise * part, rise * (1.0 / width)),
                    Blend::Line => (before.1, level),
                    Blend::Mean => (mean, level),
                };
                let away = if blend == Blend::Neighbors { -amount.abs() } else { amount };
                self.knots[start + index].1 = value + (value - target) * away;
                let slopes = self.authored.slopes(start + index).map(|set| set + (set - slope) * away);
                self.set_slopes(start + index, slopes);
            }
            start = end;
        }
        self.authored.baked = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::mode::Slopes;

    #[test]
    fn runs_of_keys_go_towards_their_neighbours_the_line_and_the_mean() {
        let curve = Spline::from_knots(vec![(0.0, 0.0f32), (5.0, 8.0), (10.0, 4.0), (20.0, 20.0)]);
        let blended = |blend, amount| {
            let mut curve = curve.clone();
            curve.blend(blend, amount, |frame| [5.0, 10.0].contains(&frame));
            curve.knots.into_iter().map(|(_, value)| value).collect::<Vec<f32>>()
        };
        for blend in [Blend::Neighbors, Blend::Line, Blend::Mean] {
            assert_eq!(blended(blend, 0.0), [0.0, 8.0, 4.0, 20.0]);
        }
        assert_eq!(blended(Blend::Neighbors, -1.0), [0.0, 0.0, 0.0, 20.0]);
        assert_eq!(blended(Blend::Neighbors, 0.5), [0.0, 14.0, 12.0, 20.0]);
        assert_eq!(blended(Blend::Line, -1.0), [0.0, 5.0, 10.0, 20.0]);
        assert_eq!(blended(Blend::Line, 1.0), [0.0, 11.0, -2.0, 20.0]);
        assert_eq!(blended(Blend::Mean, -1.0), [0.0, 6.0, 6.0, 20.0]);
        assert_eq!(blended(Blend::Mean, 1.0), [0.0, 10.0, 2.0, 20.0]);
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
}
