//! Playback: finds the frame that is due. It has no clock; the window passes the elapsed time.
//!
//! The frame depends on the time since playback began, not on how often the window is drawn: frames that come
//! too fast are dropped, and counted. Only whole frames are shown.

use crate::anim::clip::Clip;
use serde::{Deserialize, Serialize};

/// The behaviour after the last frame of the range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Repeat {
    /// Stops there.
    Once,
    #[default]
    Loop,
    /// Plays back to the first frame, and so on.
    PingPong,
}

/// The lowest and the highest speed. At 0 it pauses, and continues from there when the speed changes.
pub const SPEEDS: [f32; 2] = [0.0, 4.0];

/// A frame counts as reached this much before its time (in frames), because clocks and sums of times are
/// inexact.
const EARLY: f64 = 1e-4;

/// The state of playback.
#[derive(Clone, Debug, PartialEq)]
pub struct Playback {
    pub repeat: Repeat,
    speed: f32,
    run: Option<Run>,
    dropped: u64,
    /// The frame that was shown before a proposal was played, and whether it was playing then.
    before_proposal: Option<(f32, bool)>,
}

/// A run of playback, since play was pressed or the rate, speed, range or repeat mode changed.
#[derive(Clone, Debug, PartialEq)]
struct Run {
    clip: Clip,
    repeat: Repeat,
    speed: f32,
    /// The position in the order of frames at which it began.
    start: u64,
    seconds: f64,
    /// The number of steps in the order of frames so far.
    steps: u64,
}

impl Default for Playback {
    fn default() -> Self {
        Self { repeat: Repeat::default(), speed: 1.0, run: None, dropped: 0, before_proposal: None }
    }
}

impl Playback {
    pub fn is_playing(&self) -> bool {
        self.run.is_some()
    }

    /// Returns the speed as a multiple of the frame rate.
    pub fn speed(&self) -> f32 {
        self.speed
    }

    /// Sets the speed, clamped to [`SPEEDS`].
    pub fn set_speed(&mut self, speed: f32) {
        if speed.is_finite() {
            self.speed = speed.clamp(SPEEDS[0], SPEEDS[1]);
        }
    }

    /// Returns the number of frames that were due but never shown since play was pressed.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Begins playback at `frame`, or at the first frame of the range if `frame` is outside it or nothing
    /// remains to be played after it.
    pub fn play(&mut self, clip: &Clip, frame: f32) {
        let at_end = self.repeat == Repeat::Once && frame >= clip.play_range()[1] as f32;
        let frame = if at_end { clip.play_range()[0] as f32 } else { frame };
        self.dropped = 0;
        self.run = Some(self.run_from(clip, frame));
    }

    /// Plays what is proposed; `resume` is the frame to return to, given when the first proposal is made.
    pub fn play_proposal(&mut self, clip: &Clip, frame: f32, resume: Option<f32>) {
        if let Some(resume) = resume {
            self.before_proposal = Some((resume, self.is_playing()));
        }
        if !self.is_playing() {
            self.play(clip, frame);
        }
    }

    /// Plays on, or pauses, as before the proposal; returns the frame that was shown then.
    pub fn end_proposal(&mut self) -> Option<f32> {
        let (frame, was_playing) = self.before_proposal.take()?;
        if !was_playing {
            self.pause();
        }
        Some(frame)
    }

    pub fn pause(&mut self) {
        self.run = None;
    }

    fn run_from(&self, clip: &Clip, frame: f32) -> Run {
        let [first, last] = clip.play_range();
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

    /// Advances by `seconds` of real time, during which `shown` was shown, and returns the frame to show now,
    /// or `None` if playback is off. Ends playback once [`Repeat::Once`] has shown its last frame for its
    /// time.
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
        // Frames past the end of playing once are not due.
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

    /// Returns the time that is due now, as a frame with its fraction, with a loop resolved; `None` if playback is off, past
    /// its end, or runs backwards.
    pub fn time(&self) -> Option<f64> {
        let run = self.run.as_ref()?;
        let position = run.start as f64 + run.seconds * f64::from(run.clip.rate) * f64::from(run.speed);
        let count = run.frame_count() as f64;
        let offset = match run.repeat {
            Repeat::Once => (position < count).then_some(position)?,
            Repeat::Loop => position % count,
            Repeat::PingPong => {
                let there_and_back = (2.0 * count - 2.0).max(1.0);
                Some(position % there_and_back).filter(|offset| *offset < count)?
            }
        };
        Some(f64::from(run.clip.play_range()[0]) + offset)
    }

    /// Returns the real seconds until the next frame is due; `None` if playback is off or the speed is 0.
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
        let [first, last] = self.clip.play_range();
        u64::from(last.saturating_sub(first)) + 1
    }

    /// Returns the frame at a position of the order: first, ..., last, and the frames after that.
    fn frame(&self, position: u64) -> f32 {
        let [first, _] = self.clip.play_range();
        let count = self.frame_count();
        let offset = match self.repeat {
            Repeat::Once => position.min(count - 1),
            Repeat::Loop => position % count,
            // The end frames are shown once each.
            Repeat::PingPong => match position % (2 * count - 2).max(1) {
                forth if forth < count => forth,
                back => 2 * count - 2 - back,
            },
        };
        (u64::from(first) + offset) as f32
    }
}

/// Returns `frame` moved by whole frames, clamped to the clip. From between two frames, the first step goes
/// to the nearest frame in that direction.
pub fn step_frame(clip: &Clip, frame: f32, steps: i32) -> f32 {
    let start = if steps < 0 { frame.ceil() } else { frame.floor() };
    clip.clamp(start + steps as f32)
}

/// Returns the nearest of `times` (in ascending order) after `frame`.
pub fn next_key(times: &[f32], frame: f32) -> Option<f32> {
    times.get(times.partition_point(|&time| time <= frame)).copied()
}

/// Returns the nearest of `times` (in ascending order) before `frame`.
pub fn previous_key(times: &[f32], frame: f32) -> Option<f32> {
    times[..times.partition_point(|&time| time < frame)].last().copied()
}
