//! What is heard: a sound from a position on, at a speed, for some time. Has no clock: it advances by the samples that the
//! output takes.

use crate::io::sound::DecodedSound;
use std::sync::Arc;

/// A sound that is heard.
struct Voice {
    sound: Arc<DecodedSound>,
    /// In samples; negative before the sound starts.
    position: f64,
    /// As a factor; a faster sound is higher, as from a tape.
    speed: f64,
    /// The seconds, of real time, since it began, and until it ends.
    age: f64,
    left: f64,
}

/// The sound that is heard, if any, and its volume.
#[derive(Default)]
pub struct Mixer {
    voice: Option<Voice>,
    volume: f32,
}

/// The seconds in which a sound fades in and, if its length is limited, out, so that its ends do not click.
const FADE: f64 = 0.005;

impl Mixer {
    /// Plays a sound from one of its seconds on, for `left` seconds of real time.
    pub fn play(&mut self, sound: Arc<DecodedSound>, second: f64, speed: f64, left: f64) {
        let position = second * f64::from(sound.rate());
        self.voice = Some(Voice { sound, position, speed, age: 0.0, left });
    }

    pub fn stop(&mut self) {
        self.voice = None;
    }

    /// Sets the factor of all amplitudes.
    pub fn set_volume(&mut self, volume: f32) {
        self.volume = volume;
    }

    /// Returns the second that the output takes next, and the speed; `None` in silence.
    pub fn now(&self) -> Option<(f64, f64)> {
        let voice = self.voice.as_ref()?;
        Some((voice.position / f64::from(voice.sound.rate()), voice.speed))
    }

    /// Fills `out` with the next amplitudes of left and right, `rate` of them a second; silence where there is no sound.
    pub fn fill(&mut self, rate: u32, out: &mut [[f32; 2]]) {
        let Some(voice) = &mut self.voice else {
            return out.fill([0.0; 2]);
        };
        let seconds = 1.0 / f64::from(rate.max(1));
        let step = f64::from(voice.sound.rate()) * voice.speed * seconds;
        for amplitudes in out {
            voice.age += seconds;
            let fade = (voice.age.min(voice.left) / FADE).clamp(0.0, 1.0) as f32;
            let heard = voice.sound.amplitudes(voice.position);
            *amplitudes = heard.map(|amplitude| (amplitude * self.volume * fade).clamp(-1.0, 1.0));
            voice.position += step;
            voice.left -= seconds;
        }
        if voice.left <= 0.0 {
            self.voice = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sound that rises by 1024 from sample to sample, 100 of them a second.
    fn ramp() -> Arc<DecodedSound> {
        Arc::new(DecodedSound::new(100, 1, (0..30).map(|i| i * 1024).collect(), None))
    }

    fn left(mixer: &mut Mixer, rate: u32, count: usize) -> Vec<f32> {
        let mut out = vec![[9.0; 2]; count];
        mixer.fill(rate, &mut out);
        out.iter().map(|[left, _]| left * 32.0).collect()
    }

    fn mixer(second: f64, speed: f64) -> Mixer {
        let mut mixer = Mixer::default();
        mixer.set_volume(1.0);
        mixer.play(ramp(), second, speed, f64::INFINITY);
        mixer
    }

    #[test]
    fn samples_follow_the_position_the_rate_and_the_speed() {
        assert_eq!(left(&mut mixer(0.1, 1.0), 100, 3), [10.0, 11.0, 12.0]);
        assert_eq!(left(&mut mixer(0.1, 1.0), 200, 3), [10.0, 10.5, 11.0]);
        assert_eq!(left(&mut mixer(0.1, 2.0), 100, 3), [10.0, 12.0, 14.0]);
        let mut playing = mixer(0.0, 2.0);
        left(&mut playing, 100, 7);
        let (second, speed) = playing.now().unwrap();
        assert!((second - 0.14).abs() < 1e-9 && speed == 2.0);
    }

    #[test]
    fn there_is_silence_before_after_and_without_a_sound() {
        assert_eq!(left(&mut mixer(-0.02, 1.0), 100, 4), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(left(&mut mixer(0.28, 1.0), 100, 4), [28.0, 29.0, 0.0, 0.0]);
        assert_eq!(left(&mut Mixer::default(), 100, 2), [0.0, 0.0]);
        let mut stopped = mixer(0.1, 1.0);
        stopped.stop();
        assert_eq!((left(&mut stopped, 100, 1), stopped.now()), (vec![0.0], None));
    }

    #[test]
    fn a_sound_of_limited_length_ends() {
        let mut mixer = mixer(0.1, 1.0);
        mixer.play(ramp(), 0.1, 1.0, 0.03);
        let heard = left(&mut mixer, 100, 5);
        assert_eq!(heard[..2], [10.0, 11.0]);
        assert_eq!(heard[4], 0.0);
        assert_eq!(mixer.now(), None);
    }

    #[test]
    fn the_ends_of_a_grain_are_quiet() {
        let mut mixer = Mixer::default();
        mixer.set_volume(1.0);
        mixer.play(Arc::new(DecodedSound::new(1000, 1, vec![32_000; 100], None)), 0.0, 1.0, 0.02);
        let mut out = [[0.0; 2]; 30];
        mixer.fill(1000, &mut out);
        let heard = out.map(|[left, _]| left);
        assert!(heard[0] < 0.3 && heard[10] > 0.9 && heard[19] < 0.3, "{heard:?}");
        assert!(heard[..5].is_sorted() && heard[20..].iter().all(|amplitude| *amplitude == 0.0), "{heard:?}");
    }

    #[test]
    fn the_volume_is_a_factor_and_nothing_is_louder_than_the_output() {
        let mut mixer = mixer(0.1, 1.0);
        mixer.set_volume(0.5);
        assert_eq!(left(&mut mixer, 100, 1), [5.0]);
        mixer.set_volume(9.0);
        assert_eq!(left(&mut mixer, 100, 1), [32.0]);
    }
}
