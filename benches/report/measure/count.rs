//! Times and allocations per lap.

use crate::counting::CALLS;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// The number of frames before measuring, in which buffers grow and threads start.
pub const WARMUP: usize = 10;

/// The time and allocations of a lap.
#[derive(Clone, Copy, Debug)]
pub struct Lap {
    pub seconds: f64,
    /// The number of allocations.
    pub allocations: usize,
}

/// A stopwatch with laps.
pub struct Clock {
    last: (Instant, usize),
    pub laps: Vec<Lap>,
}

impl Default for Clock {
    fn default() -> Self {
        let laps = Vec::with_capacity(16);
        Self { last: (Instant::now(), CALLS.load(Relaxed)), laps }
    }
}

impl Clock {
    /// Ends the current lap.
    pub fn lap(&mut self) {
        let (time, calls) = (Instant::now(), CALLS.load(Relaxed));
        self.laps.push(Lap { seconds: (time - self.last.0).as_secs_f64(), allocations: calls - self.last.1 });
        self.last = (Instant::now(), calls);
    }
}
