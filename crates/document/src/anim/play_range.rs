//! The played part of an animation: its play range, and the take that this range may be.

use super::channel::Animation;
use super::clip::Clip;
use super::take::{Take, Takes};

impl Animation {
    /// Returns the last frame that a key or a take uses.
    pub fn last_used_frame(&self) -> Option<f32> {
        let takes = self.takes.list.iter().map(|take| take.range[1] as f32);
        takes.chain(self.last_key()).reduce(f32::max)
    }

    /// Returns the frame right after a range if it has a key that closes a loop: one that does not begin the next take. A take
    /// that is a cycle is closed there.
    pub fn closing_frame(&self, range: [u32; 2]) -> Option<u32> {
        let frame = range[1].checked_add(1)?;
        if self.takes.list.iter().any(|take| take.cycle && take.range == range) {
            return Some(frame);
        }
        let mut channels = self.channels.values().flat_map(|channels| channels.values());
        let is_closing = !self.takes.list.iter().any(|take| take.range[0] == frame)
            && channels.any(|channel| channel.key(frame as f32).is_some());
        is_closing.then_some(frame)
    }

    /// Selects the take at index `chosen` for playing; `None` plays all frames.
    pub fn choose_take(&mut self, chosen: Option<usize>) {
        self.takes.chosen = chosen;
        self.clip.range = self.takes.chosen().map(|take| take.range);
    }

    /// Sets the play range. No take is chosen afterwards, unless the range is that of the chosen take.
    pub fn set_range(&mut self, range: Option<[u32; 2]>) {
        let chosen = self.takes.chosen();
        if chosen.is_none_or(|take| Some(take.range) != range) {
            self.takes.chosen = None;
            let all = [0, self.clip.last_frame()];
            self.clip.range = range.filter(|range| *range != all);
        }
    }

    /// Sets the number of frames. Takes are trimmed to fit, as the play range is; takes of which nothing
    /// remains are removed.
    pub fn set_length(&mut self, length: u32) {
        self.clip = self.clip.with_length(length);
        let chosen = self.takes.chosen().map(|take| take.name.clone());
        let last = self.clip.last_frame();
        self.takes.list.retain(|take| take.range[0] <= last);
        for take in &mut self.takes.list {
            take.range[1] = take.range[1].min(last);
        }
        self.takes.chosen = chosen.and_then(|name| self.takes.position(&name));
    }

    /// Adds the takes of another animation, under unused names.
    pub fn append_takes(&mut self, added: &Takes) {
        for take in &added.list {
            if self.takes.list.len() < Takes::MAX {
                let name = self.takes.free_name(&take.name, None);
                self.takes.list.push(Take { name, ..take.clone() });
            }
        }
    }

    /// Returns the clip of a file that specifies none: default rate, and long enough for all keys and takes.
    pub fn default_clip(&self) -> Clip {
        Clip::default().extended_to(self.last_used_frame())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn animation() -> Animation {
        let takes = [("Idle", [0, 20]), ("Walk", [30, 60]), ("Run", [50, 95])];
        let mut animation = Animation::default();
        animation.takes.list = takes.map(|(name, range)| Take::new(name, range)).to_vec();
        animation
    }

    #[test]
    fn the_chosen_take_is_played() {
        let mut animation = animation();
        animation.choose_take(Some(1));
        assert_eq!(animation.clip.play_range(), [30, 60]);
        animation.set_range(Some([30, 60]));
        assert_eq!(animation.takes.chosen, Some(1));
        animation.set_range(Some([30, 61]));
        assert_eq!((animation.takes.chosen, animation.clip.range), (None, Some([30, 61])));
        animation.choose_take(Some(2));
        animation.choose_take(None);
        assert_eq!(animation.clip.play_range(), [0, 95]);
    }

    #[test]
    fn a_shorter_clip_cuts_its_takes() {
        let mut animation = animation();
        animation.choose_take(Some(2));
        animation.set_length(56);
        assert_eq!(animation.takes.list[2].range, [50, 55]);
        assert_eq!(animation.clip.range, Some([50, 55]));
        animation.set_length(50);
        let names: Vec<_> = animation.takes.list.iter().map(|take| &*take.name).collect();
        assert_eq!(names, ["Idle", "Walk"]);
        assert_eq!((animation.takes.chosen, animation.clip.range), (None, None));
    }

    #[test]
    fn a_take_over_all_frames_stays_as_long_as_it_is() {
        let mut animation = Animation::default();
        animation.takes.list.push(Take::new("All", [0, 95]));
        assert_eq!(animation.last_used_frame(), Some(95.0));
        animation.choose_take(Some(0));
        animation.set_length(200);
        assert_eq!(animation.clip.play_range(), [0, 95]);
    }
}
