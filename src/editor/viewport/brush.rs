//! The window's state while weights are painted: how the skin was shown before, and a clock for brushes that
//! spray.

use crate::rig::weights::paint::brush::TICKS;

/// The display of the skin before a tool showed it in the weights view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BeforeWeights {
    pub weights_view: bool,
    pub show_skin: bool,
}

/// A clock that ticks while a tool works without pointer movement.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ticks {
    /// The start time in seconds, and the number of ticks since then.
    start: Option<(f64, u64)>,
}

/// The most ticks in a frame, however long it takes.
const MAX_TICKS: u64 = 60;

impl Ticks {
    /// Returns the number of ticks since the last call. `time`: in seconds.
    pub fn since_last(&mut self, time: f64) -> u32 {
        let (start, counted) = self.start.get_or_insert((time, 0));
        let ticks = ((time - *start).max(0.0) * TICKS) as u64;
        let new = ticks.saturating_sub(*counted).min(MAX_TICKS);
        *counted = ticks;
        new as u32
    }

    pub fn stop(&mut self) -> u32 {
        self.start = None;
        0
    }
}

#[cfg(test)]
mod tests {
    use super::Ticks;

    #[test]
    fn the_clock_ticks_sixty_times_a_second_at_any_frame_rate() {
        for frames in [7, 60, 144] {
            let mut ticks = Ticks::default();
            let counts =
                (0..=frames).map(|i| ticks.since_last(5.0 + f64::from(i) / f64::from(frames) + 1e-6));
            assert_eq!(counts.sum::<u32>(), 60, "{frames} frames");
            assert_eq!(ticks.stop(), 0);
            assert_eq!(ticks.since_last(100.0), 0, "it starts again");
            assert_eq!(ticks.since_last(109.0), 60, "the window was away");
        }
    }
}
