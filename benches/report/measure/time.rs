//! Times of pieces of work that are done in turns, so that whatever else the machine does strikes all alike.

use std::time::Instant;

/// Each piece's time in every round, in seconds.
pub struct Times(Vec<Vec<f64>>);

/// Does each of `work` once a round, after one round that does not count.
pub fn in_turns(rounds: usize, work: &mut [&mut dyn FnMut()]) -> Times {
    let mut times = vec![Vec::with_capacity(rounds); work.len()];
    for round in 0..=rounds {
        // From the front and from the back by turns: nobody always follows the same one.
        for i in 0..work.len() {
            let which = if round % 2 == 0 { i } else { work.len() - 1 - i };
            let start = Instant::now();
            work[which]();
            let time = start.elapsed().as_secs_f64();
            if round > 0 {
                times[which].push(time);
            }
        }
    }
    Times(times)
}

impl Times {
    /// Time of a piece: see [`quiet`].
    pub fn get(&self, which: usize) -> f64 {
        quiet(self.0[which].clone())
    }

    /// How many times as long `a` takes as `b`.
    pub fn ratio(&self, a: usize, b: usize) -> f64 {
        self.get(a) / self.get(b).max(1e-12)
    }
}

/// The median of the fastest quarter. Where other programs want the same cores, the slower ones tell how often a piece
/// of work was interrupted, and longer pieces are more often.
pub fn quiet(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.truncate(times.len().div_ceil(4));
    median(times)
}

pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The value that 95 of a hundred do not exceed.
pub fn p95(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = (values.len() * 95).div_ceil(100).saturating_sub(1);
    values.get(at).copied().unwrap_or(f64::NAN)
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
