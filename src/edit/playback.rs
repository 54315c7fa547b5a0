//! Playing: which frame is due after so much time. Has no clock; the window says how much time has passed.
//!
//! The frame follows the time since playing began, so that it does not depend on how often the window is
//! drawn: frames that come too fast are dropped, and counted. Only whole frames are shown.

use crate::anim::clip::Clip;
use serde::{Deserialize, Serialize};

/// What comes after the last frame of the range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Repeat {
    /// Nothing: it stops there.
    Once,
    #[default]
    Loop,
    /// Back to the first, and so on.
    PingPong,
}

/// Slowest and fastest speed. At 0 it stands still, and goes on from there at another.
pub const SPEEDS: [f32; 2] = [0.0, 4.0];

/// A frame counts as reached this much before its time (in frames): clocks and sums of times are not exact.
const EARLY: f64 = 1e-4;

#[derive(Clone, Debug, PartialEq)]
pub struct Playback {
    pub repeat: Repeat,
    speed: f32,
    run: Option<Run>,
    dropped: u64,
}

/// Since play was pressed, or the rate, speed, range or order was changed.
#[derive(Clone, Debug, PartialEq)]
struct Run {
    clip: Clip,
    repeat: Repeat,
    speed: f32,
    /// Where in the order of frames it began.
    start: u64,
    seconds: f64,
    /// Steps of the order taken so far.
    steps: u64,
}

impl Default for Playback {
    fn default() -> Self {
        Self {
            repeat: Repeat::default(),
            speed: 1.0,
            run: None,
            dropped: 0,
        }
    }
}

impl Playback {
    pub fn is_playing(&self) -> bool {
        self.run.is_some()
    }

    /// Times as fast as the frame rate says.
    pub fn speed(&self) -> f32 {
        self.speed
    }

    /// Kept within [`SPEEDS`].
    pub fn set_speed(&mut self, speed: f32) {
        if speed.is_finite() {
            self.speed = speed.clamp(SPEEDS[0], SPEEDS[1]);
        }
    }

    /// Frames that were due and never shown since play was pressed.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Begins at `frame`; at the first frame of the range where that lies outside of it, or where there is
    /// nothing to play after it.
    pub fn play(&mut self, clip: &Clip, frame: f32) {
        let at_end = self.repeat == Repeat::Once && frame >= clip.played()[1] as f32;
        let frame = if at_end { clip.played()[0] as f32 } else { frame };
        self.dropped = 0;
        self.run = Some(self.run_from(clip, frame));
    }

    pub fn pause(&mut self) {
        self.run = None;
    }

    fn run_from(&self, clip: &Clip, frame: f32) -> Run {
        let [first, last] = clip.played();
        // Saturates at 0.
        let frame = frame as u32;
        let frame = if frame > last { first } else { frame.max(first) };
        Run {
            clip: *clip,
            repeat: self.repeat,
            speed: self.speed,
            start: u64::from(frame - first),
            seconds: 0.0,
            steps: 0,
        }
    }

    /// `seconds` of real time have passed while `shown` was shown: the frame to show now, or `None` where
    /// nothing plays. Ends playing once where [`Repeat::Once`] has shown its last frame for its time.
    pub fn advance(&mut self, clip: &Clip, shown: f32, seconds: f64) -> Option<f32> {
        let run = self.run.as_ref()?;
        if run.clip != *clip || run.repeat != self.repeat || run.speed != self.speed {
            self.run = Some(self.run_from(clip, shown));
        }
        let run = self.run.as_mut()?;
        if seconds > 0.0 && seconds.is_finite() {
            run.seconds += seconds;
        }
        let per_second = f64::from(run.clip.rate) * f64::from(run.speed);
        // The conversion saturates.
        let steps = (run.seconds * per_second + EARLY) as u64;
        let count = run.frame_count();
        let position = run.start.saturating_add(steps);
        // What is past the end of playing once is due no more.
        let due = match run.repeat {
            Repeat::Once => steps.min(count - 1 - run.start.min(count - 1)),
            _ => steps,
        };
        self.dropped += due.saturating_sub(run.steps).saturating_sub(1);
        run.steps = due.max(run.steps);
        let frame = run.frame(position);
        if run.repeat == Repeat::Once && position >= count {
            self.run = None;
        }
        Some(frame)
    }

    /// Real seconds until another frame is due; `None` where nothing plays, or at the speed 0.
    pub fn seconds_to_next(&self) -> Option<f64> {
        let run = self.run.as_ref()?;
        let per_second = f64::from(run.clip.rate) * f64::from(run.speed);
        if per_second == 0.0 {
            return None;
        }
        Some(((run.steps + 1) as f64 / per_second - run.seconds).max(0.0))
    }
}

impl Run {
    fn frame_count(&self) -> u64 {
        let [first, last] = self.clip.played();
        u64::from(last.saturating_sub(first)) + 1
    }

    /// The frame at a position of the order: first, ..., last, and what comes then.
    fn frame(&self, position: u64) -> f32 {
        let [first, _] = self.clip.played();
        let count = self.frame_count();
        let offset = match self.repeat {
            Repeat::Once => position.min(count - 1),
            Repeat::Loop => position % count,
            // The ends are shown once each.
            Repeat::PingPong => match position % (2 * count - 2).max(1) {
                forth if forth < count => forth,
                back => 2 * count - 2 - back,
            },
        };
        (u64::from(first) + offset) as f32
    }
}

/// `frame` moved by whole frames, within the clip. From between two frames the nearest on that side is one
/// step away.
pub fn stepped(clip: &Clip, frame: f32, by: i32) -> f32 {
    let start = if by < 0 { frame.ceil() } else { frame.floor() };
    clip.clamp(start + by as f32)
}

/// The nearest of `times` (in ascending order) behind `frame`.
pub fn next_key(times: &[f32], frame: f32) -> Option<f32> {
    times.get(times.partition_point(|&time| time <= frame)).copied()
}

/// The nearest of `times` (in ascending order) before `frame`.
pub fn previous_key(times: &[f32], frame: f32) -> Option<f32> {
    times[..times.partition_point(|&time| time < frame)]
        .last()
        .copied()
}
