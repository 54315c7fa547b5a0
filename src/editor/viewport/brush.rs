//! What the window keeps while weights are painted: how the skin was shown before, and a clock for brushes that spray.

use crate::rig::weights::paint::brush::TICKS;

/// How the skin was shown before a tool showed it in the weights view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BeforeWeights {
    pub heat: bool,
    pub show_skin: bool,
}

/// A clock that ticks while a tool goes on at rest.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ticks {
    /// When it began, in seconds, and how often it has ticked since.
    begun: Option<(f64, u64)>,
}

/// A frame that takes longer makes no more ticks.
const MOST_TICKS: u64 = 60;

impl Ticks {
    /// How often it ticked since the last time.
    pub fn since_last(&mut self, now: f64) -> u32 {
        let (begun, told) = self.begun.get_or_insert((now, 0));
        let ticked = ((now - *begun).max(0.0) * TICKS) as u64;
        let new = ticked.saturating_sub(*told).min(MOST_TICKS);
        *told = ticked;
        new as u32
    }

    pub fn stop(&mut self) -> u32 {
        self.begun = None;
        0
    }
}

#[cfg(test)]
mod tests {
    use super::Ticks;

    #[test]
    fn the_clock_ticks_sixty_times_a_second_however_often_it_is_asked() {
        for frames in [7, 60, 144] {
            let mut ticks = Ticks::default();
            let told = (0..=frames).map(|i| ticks.since_last(5.0 + f64::from(i) / f64::from(frames) + 1e-6));
            assert_eq!(told.sum::<u32>(), 60, "{frames} frames");
            assert_eq!(ticks.stop(), 0);
            assert_eq!(ticks.since_last(100.0), 0, "it begins again");
            assert_eq!(ticks.since_last(109.0), 60, "the window was away");
        }
    }
}
