//! Clips: frame rate, length and play range of an animation. Scotty3D keeps these for a session only;
//! Ossature saves them in the file (see `docs/js3d.md`).

/// Frame rate, length and play range. Frames are numbered from 0; the last is `length - 1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clip {
    /// Frames per second, within [`Clip::RATES`].
    pub rate: f32,
    /// The number of frames, from 1 to [`Clip::MAX_LENGTH`]. All keys are before this frame, unless they are
    /// beyond the maximum.
    pub length: u32,
    /// The first and last frame that are played; `None` means all. In order and within the length.
    pub range: Option<[u32; 2]>,
}

impl Default for Clip {
    fn default() -> Self {
        Self { rate: 24.0, length: 96, range: None }
    }
}

impl Clip {
    /// The lowest and the highest frame rate.
    pub const RATES: [f32; 2] = [1.0, 240.0];
    /// The maximum length: `f32` represents every frame up to this one, and loops over all frames stay
    /// affordable.
    pub const MAX_LENGTH: u32 = 1_000_000;
    /// The maximum number of frames that are baked or measured at once. A single key at frame 1e9 makes a
    /// clip of [`Clip::MAX_LENGTH`].
    pub const MAX_AT_ONCE: u32 = 10_000;

    /// Returns the clip, made long enough for a key at `last_key`.
    pub fn extended_to(self, last_key: Option<f32>) -> Self {
        let needed = last_key.map_or(1, Self::length_for);
        Self { length: self.length.max(needed), ..self }
    }

    /// Returns the number of frames that a key at `frame` requires.
    pub fn length_for(frame: f32) -> u32 {
        // The conversion saturates; NaN gives 0.
        (frame.ceil() as u32).saturating_add(1).min(Self::MAX_LENGTH)
    }

    /// Returns the clip with `length` frames; the play range is trimmed to fit, and dropped if nothing of it
    /// remains.
    pub fn with_length(self, length: u32) -> Self {
        let length = length.clamp(1, Self::MAX_LENGTH);
        let range = self.range.filter(|[first, _]| *first < length);
        Self { length, range: range.map(|[first, last]| [first, last.min(length - 1)]), ..self }
    }

    pub fn last_frame(&self) -> u32 {
        self.length.saturating_sub(1)
    }

    /// Returns the first and last frame that are played.
    pub fn play_range(&self) -> [u32; 2] {
        self.range.unwrap_or([0, self.last_frame()])
    }

    /// Returns the frame of the clip that is nearest to `frame`.
    pub fn clamp(&self, frame: f32) -> f32 {
        if frame.is_nan() {
            return 0.0;
        }
        frame.clamp(0.0, self.last_frame() as f32)
    }

    pub fn seconds(&self, frame: f32) -> f32 {
        frame / self.rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_a_frame() {
        let clip = Clip::default();
        for (key, length) in
            [(None, 96), (Some(95.0), 96), (Some(95.5), 97), (Some(200.0), 201), (Some(-9.0), 96)]
        {
            assert_eq!(clip.extended_to(key).length, length, "{key:?}");
        }
        assert_eq!(clip.extended_to(Some(f32::INFINITY)).length, Clip::MAX_LENGTH);
        assert_eq!(clip.extended_to(Some(f32::NAN)).length, 96);
    }

    #[test]
    fn a_shorter_clip_cuts_its_range() {
        let clip = Clip { range: Some([10, 40]), ..Clip::default() };
        assert_eq!(clip.with_length(30).range, Some([10, 29]));
        assert_eq!(clip.with_length(10).range, None);
        assert_eq!(clip.with_length(0).length, 1);
        assert_eq!((clip.play_range(), Clip::default().play_range()), ([10, 40], [0, 95]));
        assert_eq!((clip.clamp(-3.0), clip.clamp(95.5), clip.clamp(f32::NAN)), (0.0, 95.0, 0.0));
    }
}
