//! The sound that an animation plays to: its file, the frame at which it starts, its volume; and the arithmetic between
//! frames and seconds of the sound. It has no samples: `io::sound` decodes them.

use super::clip::Clip;
use crate::extra::Extra;

/// A sound beside an animation. The file is not embedded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sound {
    /// The path of the file, relative to the folder of the scene. Not empty.
    pub path: String,
    /// The frame at which the sound starts, within ±[`Clip::MAX_LENGTH`].
    pub start: f32,
    /// The factor of its amplitude, within [`Sound::VOLUMES`].
    pub volume: f32,
    pub muted: bool,
    /// Unknown members of the file.
    pub extra: Extra,
}

impl Sound {
    /// The names that files have for the other members, which unknown members cannot have.
    pub const MEMBERS: [&str; 4] = ["path", "start", "volume", "muted"];
    pub const VOLUMES: [f32; 2] = [0.0, 2.0];

    /// A sound at full volume.
    pub fn new(path: impl Into<String>, start: f32) -> Self {
        Self { path: path.into(), start, volume: 1.0, muted: false, extra: Extra::default() }
    }

    /// Whether a start is within the limits.
    pub fn is_start(frame: f32) -> bool {
        frame.abs() <= Clip::MAX_LENGTH as f32
    }

    /// The name of the file, without its folder.
    pub fn file_name(&self) -> &str {
        self.path.rsplit(['/', '\\']).next().unwrap_or_default()
    }

    /// Returns the second of the sound that belongs to a frame: negative before the sound starts.
    pub fn second_at(&self, frame: f64, clip: &Clip) -> f64 {
        (frame - f64::from(self.start)) / f64::from(clip.rate)
    }

    /// Returns the frame, with its fraction, at a second of the sound.
    pub fn frame_at(&self, second: f64, clip: &Clip) -> f64 {
        f64::from(self.start) + second * f64::from(clip.rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_and_seconds_of_the_sound_belong_together() {
        for (rate, start, frame, second) in [
            (24.0, 0.0, 12.0, 0.5),
            (25.0, 50.0, 100.0, 2.0),
            (30.0, -15.0, 0.0, 0.5),
            (60.0, 30.0, 0.0, -0.5),
        ] {
            let clip = Clip { rate, ..Clip::default() };
            let sound = Sound::new("voice.wav", start);
            assert_eq!(sound.second_at(frame, &clip), second);
            assert_eq!(sound.frame_at(second, &clip), frame);
        }
    }

    #[test]
    fn the_name_is_that_of_the_file() {
        assert_eq!(Sound::new("../sounds/voice.wav", 0.0).file_name(), "voice.wav");
        assert_eq!(Sound::new("voice.wav", 0.0).file_name(), "voice.wav");
    }
}
