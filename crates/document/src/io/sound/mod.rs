//! Sounds from WAV and Ogg Vorbis files: decoded as a whole into 16 bits, with the peaks for drawing them. Plays nothing.

mod decode;
mod peaks;

use super::kind::FileKind;
pub use decode::{MOST_SAMPLES, SoundError, decode_file};
use peaks::Peaks;
use std::ops::Range;
use std::path::Path;

pub static WAV: FileKind = FileKind {
    extension: "wav",
    noun: "a WAV sound",
    nouns: "sounds",
    is_start: |head| head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WAVE"),
};
pub static OGG: FileKind = FileKind {
    extension: "ogg",
    noun: "an Ogg sound",
    nouns: "sounds",
    is_start: |head| head.starts_with(b"OggS"),
};

/// Whether a file is a sound by its extension.
pub fn is_sound_file(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    [&WAV, &OGG].into_iter().any(|kind| extension.eq_ignore_ascii_case(kind.extension))
}

/// A decoded sound, of one or two channels; more are mixed into one.
#[derive(Debug)]
pub struct DecodedSound {
    /// Samples per second and channel; not 0.
    rate: u32,
    channels: usize,
    /// The samples of all channels, interleaved.
    samples: Vec<i16>,
    peaks: Peaks,
    /// What is missing or was left out, if anything, as a sentence.
    flaw: Option<&'static str>,
}

impl DecodedSound {
    /// `samples`: of one or two `channels`, interleaved. `rate`: samples per second and channel, not 0.
    pub fn new(rate: u32, channels: usize, mut samples: Vec<i16>, flaw: Option<&'static str>) -> Self {
        samples.shrink_to_fit();
        let peaks = Peaks::new(&samples);
        Self { rate: rate.max(1), channels: channels.clamp(1, 2), samples, peaks, flaw }
    }

    pub fn rate(&self) -> u32 {
        self.rate
    }

    pub fn channels(&self) -> usize {
        self.channels
    }

    /// The samples of all channels, interleaved.
    pub fn samples(&self) -> &[i16] {
        &self.samples
    }

    /// The number of samples in each channel.
    pub fn len(&self) -> usize {
        self.samples.len() / self.channels
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn seconds(&self) -> f64 {
        self.len() as f64 / f64::from(self.rate)
    }

    /// What is missing or was left out, if anything, as a sentence.
    pub fn flaw(&self) -> Option<&'static str> {
        self.flaw
    }

    /// Returns the amplitudes of left and right, from -1 to 1, at a position in samples; silence outside the sound. Between
    /// two samples it is linear.
    pub fn amplitudes(&self, position: f64) -> [f32; 2] {
        if !position.is_finite() {
            return [0.0; 2];
        }
        let whole = position.floor();
        let weight = (position - whole) as f32;
        let sample = |index: f64| -> [f32; 2] {
            if !(index >= 0.0 && index < self.len() as f64) {
                return [0.0; 2];
            }
            let first = index as usize * self.channels;
            let amplitude = |channel: usize| f32::from(self.samples[first + channel]) / 32768.0;
            [amplitude(0), amplitude(self.channels - 1)]
        };
        let [before, after] = [sample(whole), sample(whole + 1.0)];
        [0, 1].map(|side| before[side] + weight * (after[side] - before[side]))
    }

    /// Returns the least and the greatest amplitude, from -1 to 1, of all channels between two seconds, and of one sample at
    /// least; `None` outside the sound. Long ranges are extended at both ends, by less than a sixteenth each.
    pub fn min_max(&self, seconds: Range<f64>) -> Option<[f32; 2]> {
        let index = |second: f64| (second * f64::from(self.rate)).floor();
        let (first, end) = (index(seconds.start), index(seconds.end).max(index(seconds.start) + 1.0));
        if !(end > 0.0 && first < self.len() as f64) {
            return None;
        }
        // The conversions saturate.
        let range = (first as usize * self.channels)..((end as usize).min(self.len()) * self.channels);
        let extremes = self.peaks.min_max(&self.samples, peaks::in_blocks(range, self.samples.len()))?;
        Some(extremes.map(|sample| f32::from(sample) / 32768.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amplitudes_are_linear_between_samples_and_silent_outside() {
        let sound = DecodedSound::new(100, 2, vec![0, 16384, 16384, -16384], None);
        assert_eq!(sound.amplitudes(0.0), [0.0, 0.5]);
        assert_eq!(sound.amplitudes(0.5), [0.25, 0.0]);
        assert_eq!(sound.amplitudes(1.0), [0.5, -0.5]);
        assert_eq!(
            [sound.amplitudes(-1.0), sound.amplitudes(2.0), sound.amplitudes(f64::NAN)],
            [[0.0; 2]; 3]
        );
        let mono = DecodedSound::new(100, 1, vec![16384], None);
        assert_eq!(mono.amplitudes(0.0), [0.5, 0.5]);
    }

    #[test]
    fn extremes_are_those_of_the_seconds() {
        let sound = DecodedSound::new(10, 1, vec![0, 16384, -32768, 0], None);
        assert_eq!(sound.min_max(0.0..0.2), Some([0.0, 0.5]));
        assert_eq!(sound.min_max(0.1..9.0), Some([-1.0, 0.5]));
        // A narrow column has one sample.
        assert_eq!(sound.min_max(0.21..0.22), Some([-1.0, -1.0]));
        assert_eq!((sound.min_max(-1.0..-0.1), sound.min_max(0.4..0.5)), (None, None));
        assert_eq!((sound.seconds(), sound.len()), (0.4, 4));
    }

    #[test]
    fn a_loud_sample_is_in_every_long_range_around_it() {
        let mut samples = vec![0; 100_000];
        samples[70_001] = 16384;
        let sound = DecodedSound::new(1000, 1, samples, None);
        for (from, to) in [(0.0, 99.0), (69.0, 71.0), (70.001, 90.0), (60.0, 70.002), (0.0, 1e9)] {
            assert_eq!(sound.min_max(from..to), Some([0.0, 0.5]), "{from} {to}");
        }
        assert_eq!(sound.min_max(0.0..65.0), Some([0.0, 0.0]));
        assert_eq!(sound.min_max(75.0..100.0), Some([0.0, 0.0]));
    }

    #[test]
    fn sounds_are_known_by_their_extension() {
        assert!(is_sound_file(Path::new("a/Voice.WAV")) && is_sound_file(Path::new("voice.ogg")));
        assert!(!is_sound_file(Path::new("wav")) && !is_sound_file(Path::new("voice.mp3")));
    }
}
