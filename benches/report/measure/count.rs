//! Times and allocations from lap to lap.

use crate::counting::CALLS;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

#[derive(Clone, Copy, Debug)]
pub struct Lap {
    pub seconds: f64,
    /// How often memory was asked for.
    pub allocations: usize,
}

pub struct Clock {
    last: (Instant, usize),
    pub laps: Vec<Lap>,
}

impl Default for Clock {
    fn default() -> Self {
        let laps = Vec::with_capacity(16);
        Self {
            last: (Instant::now(), CALLS.load(Relaxed)),
            laps,
        }
    }
}

impl Clock {
    pub fn lap(&mut self) {
        let (time, calls) = (Instant::now(), CALLS.load(Relaxed));
        self.laps.push(Lap {
            seconds: (time - self.last.0).as_secs_f64(),
            allocations: calls - self.last.1,
        });
        self.last = (Instant::now(), calls);
    }
}
