//! Measures pieces of work in alternation, so that other load on the machine affects all of them equally.

use std::time::Instant;

/// The time of each piece of work in every round, in seconds.
pub struct Times(Vec<Vec<f64>>);

/// Runs each piece of `work` once per round, after a warm-up round.
pub fn in_turns(rounds: usize, work: &mut [&mut dyn FnMut()]) -> Times {
    let mut times = vec![Vec::with_capacity(rounds); work.len()];
    for round in 0..=rounds {
        // In alternating order, so that no piece always follows the same one.
        for i in 0..work.len() {
            let index = if round % 2 == 0 { i } else { work.len() - 1 - i };
            let start = Instant::now();
            work[index]();
            let time = start.elapsed().as_secs_f64();
            if round > 0 {
                times[index].push(time);
            }
        }
    }
    Times(times)
}

impl Times {
    /// Returns the time of a piece of work: see [`quiet`].
    pub fn get(&self, index: usize) -> f64 {
        quiet(self.0[index].clone())
    }

    /// Returns the time of `a` divided by that of `b`.
    pub fn ratio(&self, a: usize, b: usize) -> f64 {
        self.get(a) / self.get(b).max(1e-12)
    }
}

/// Returns the median of the fastest quarter. If other programs compete for the cores, slower times only
/// reflect interruptions, which hit longer pieces of work more often.
pub fn quiet(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.truncate(times.len().div_ceil(4));
    median(times)
}

pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Returns the 95th percentile.
pub fn p95(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let index = (values.len() * 95).div_ceil(100).saturating_sub(1);
    values.get(index).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_percentiles() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(p95((1..=100).map(f64::from).collect()), 95.0);
        assert_eq!(p95(vec![7.0]), 7.0);
        assert!(median(Vec::new()).is_nan());
    }

    #[test]
    fn every_piece_is_done_in_every_round() {
        let (mut a, mut b) = (0, 0);
        let times = in_turns(4, &mut [&mut || a += 1, &mut || b += 1]);
        assert!(times.get(0) >= 0.0 && times.ratio(0, 1) >= 0.0);
        assert_eq!((a, b), (5, 5));
    }
}
