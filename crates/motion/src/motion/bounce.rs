//! The path of a body with flights between its stances.

use std::f64::consts::PI;

/// The path of a centre of mass that falls freely in flight, and in each stance is carried by a force that grows and falls
/// like half a sine wave. There are two stances in a cycle.
#[derive(Clone, Copy)]
pub struct Bounce {
    stance: f64,
    flight: f64,
    gravity: f64,
}

impl Bounce {
    /// `duty` is the part of a cycle that a stance takes, less than a half; `period` is in seconds, `gravity` in scene units
    /// per s².
    pub fn new(duty: f64, period: f64, gravity: f64) -> Self {
        Self { stance: duty * period, flight: (0.5 - duty) * period, gravity }
    }

    /// The height above that at touch-down and at take-off.
    pub fn height(&self, phase: f64) -> f64 {
        let Self { stance, flight, gravity } = *self;
        let time = phase.rem_euclid(0.5) * 2.0 * (stance + flight);
        if time > stance {
            let time = time - stance;
            return 0.5 * gravity * time * (flight - time);
        }
        let force = gravity * (stance + flight) * PI / (2.0 * stance);
        0.5 * gravity * time * (stance - time) - force * (stance / PI).powi(2) * (PI * time / stance).sin()
    }

    /// The distance between the highest and the lowest point.
    pub fn range(&self) -> f64 {
        let middle = self.stance / (self.stance + self.flight) / 4.0;
        let top = 0.125 * self.gravity * self.flight * self.flight;
        top - self.height(middle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_is_smooth_and_falls_freely_in_flight() {
        let bounce = Bounce::new(0.3, 0.7, 9.81);
        let step = 1e-4;
        let rate = |phase: f64| (bounce.height(phase + step) - bounce.height(phase)) / (0.7 * step);
        for phase in [0.0, 0.3, 0.5] {
            assert!((rate(phase) - rate(phase - step)).abs() < 5e-3, "{phase}");
        }
        let fall = (rate(0.4 + step) - rate(0.4)) / (0.7 * step);
        assert!((fall + 9.81).abs() < 1e-2, "{fall}");
        let heights: Vec<f64> = (0..1000).map(|index| bounce.height(f64::from(index) / 1000.0)).collect();
        let (low, high) =
            heights.iter().fold((0.0_f64, 0.0_f64), |(low, high), h| (low.min(*h), high.max(*h)));
        assert!((high - low - bounce.range()).abs() < 1e-4);
    }
}
