//! The selection of frames that have ghosts: neighbours of the current frame, across the end of a loop, and
//! pinned frames.

use super::settings::{MOST_GHOSTS, OnionSettings, Side};
use crate::anim::clip::Clip;

/// A frame, its side, and the strength of its ghost, from 1 for the nearest down to 0.
pub type Wanted = (f32, Side, f32);

/// A range of frames that repeats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loop {
    pub first: f32,
    /// The number of frames until the same pose occurs again.
    pub period: f32,
}

impl Loop {
    /// Returns the distance forward from one frame to another across the end of the loop: more than 0, at
    /// most a period.
    fn distance(self, from: f32, to: f32) -> f32 {
        let distance = (to - from).rem_euclid(self.period);
        if distance == 0.0 { self.period } else { distance }
    }

    fn contains(self, frame: f32) -> bool {
        (self.first..=self.first + self.period).contains(&frame)
    }

    /// Wraps a frame into the loop.
    fn wrapped(self, frame: f32) -> f32 {
        self.first + (frame - self.first).rem_euclid(self.period)
    }
}

/// The minimum distance of ghosts at keys from each other and from the current frame, in frames: closer ones
/// would overlap too much.
const MIN_DISTANCE: f32 = 2.0;

/// Returns pinned frames, then those before and those after `frame`, each nearest first. `keys` are the
/// frames with keys, in ascending order; `cycle` is the loop, if the animation is one. No frame occurs twice,
/// and `frame` itself never.
pub fn wanted(
    settings: &OnionSettings,
    frame: f32,
    keys: &[f32],
    clip: Clip,
    cycle: Option<Loop>,
) -> Vec<Wanted> {
    let cycle = cycle.filter(|cycle| cycle.contains(frame));
    let [before, after] = match (settings.by_keys, cycle) {
        (true, Some(cycle)) => keys_in_loop(keys, frame, cycle),
        (true, None) => {
            let before = keys.iter().rev().filter(|key| **key < frame);
            let after = keys.iter().filter(|key| **key > frame);
            [spread(before.map(|key| (frame - key, *key))), spread(after.map(|key| (key - frame, *key)))]
        }
        (false, cycle) => [-1.0, 1.0].map(|sign| stepped(settings.step, sign, frame, clip, cycle)),
    };
    let mut used = settings.pinned.clone();
    used.push(frame);
    let pinned = settings.pinned.iter().copied().filter(|pinned| *pinned != frame);
    let mut wanted: Vec<Wanted> = pinned.map(|pinned| (pinned, Side::Pinned, 1.0)).collect();
    // Alternating, so that a frame reachable in both directions goes to the side on which it is nearer.
    for n in 0..MOST_GHOSTS as usize {
        for (side, frames, count) in
            [(Side::Before, &before, settings.before), (Side::After, &after, settings.after)]
        {
            let Some(&ghost) = frames.get(n).filter(|_| n < count as usize) else {
                continue;
            };
            if !used.contains(&ghost) {
                used.push(ghost);
                wanted.push((ghost, side, 1.0 - n as f32 / count.min(MOST_GHOSTS) as f32));
            }
        }
    }
    wanted.sort_by_key(|(_, side, _)| (*side != Side::Pinned, *side != Side::Before));
    wanted
}

/// Returns the keys in a loop before and after `frame`, each nearest first.
fn keys_in_loop(keys: &[f32], frame: f32, cycle: Loop) -> [Vec<f32>; 2] {
    let end = cycle.first + cycle.period;
    let is_in = |key: &f32| (cycle.first..end).contains(key) && cycle.distance(frame, *key) < cycle.period;
    let mut keys: Vec<f32> = keys.iter().copied().filter(is_in).collect();
    keys.sort_by(|a, b| cycle.distance(frame, *a).total_cmp(&cycle.distance(frame, *b)));
    let before = keys.iter().rev().map(|key| (cycle.distance(*key, frame), *key));
    [spread(before), spread(keys.iter().map(|key| (cycle.distance(frame, *key), *key)))]
}

/// Thins out keys, given with their distances from the current frame in ascending order, to [`MIN_DISTANCE`];
/// returns the last key if all are too close.
fn spread(keys: impl Iterator<Item = (f32, f32)>) -> Vec<f32> {
    let (mut taken, mut last, mut left_out) = (Vec::new(), 0.0, None);
    for (distance, key) in keys {
        if distance - last >= MIN_DISTANCE {
            taken.push(key);
            last = distance;
        } else {
            left_out = Some(key);
        }
    }
    if taken.is_empty() {
        taken.extend(left_out);
    }
    taken
}

/// Returns every `step`-th frame in the direction of `sign`, nearest first.
fn stepped(step: u32, sign: f32, frame: f32, clip: Clip, cycle: Option<Loop>) -> Vec<f32> {
    let distances = (1..=MOST_GHOSTS).map(|n| (n * step.max(1)) as f32);
    match cycle {
        Some(cycle) => {
            let distances = distances.take_while(|distance| *distance < cycle.period);
            let frames = distances.map(|distance| cycle.wrapped(frame + sign * distance));
            frames.collect()
        }
        None => {
            let frames = distances.map(|distance| frame + sign * distance);
            frames.filter(|frame| clip.clamp(*frame) == *frame).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pose of frame 0 is repeated at frame 24.
    const CYCLE: Loop = Loop { first: 0.0, period: 24.0 };

    fn frames(by_keys: bool, frame: f32, cycle: Option<Loop>) -> [Vec<f32>; 2] {
        let settings = OnionSettings { by_keys, step: 6, ..OnionSettings::default() };
        let clip = Clip::default().with_length(25);
        let wanted = wanted(&settings, frame, &[0.0, 6.0, 12.0, 18.0, 24.0, 40.0], clip, cycle);
        [Side::Before, Side::After].map(|side| {
            let ghosts = wanted.iter().filter(|ghost| ghost.1 == side);
            ghosts.map(|ghost| ghost.0).collect()
        })
    }

    #[test]
    fn a_loop_continues_after_its_end() {
        assert_eq!(frames(true, 0.0, None), [vec![], vec![6.0, 12.0]]);
        // The last key has the same pose as the first, so the key before it comes first.
        assert_eq!(frames(true, 0.0, Some(CYCLE)), [vec![18.0, 12.0], vec![6.0]]);
        assert_eq!(frames(true, 20.0, Some(CYCLE)), [vec![18.0, 12.0], vec![0.0, 6.0]]);
        assert_eq!(frames(false, 2.0, Some(CYCLE)), [vec![20.0, 14.0], vec![8.0]]);
        assert_eq!(frames(false, 2.0, None), [vec![], vec![8.0, 14.0]]);
        // Frames outside the loop have the same neighbours as without a loop.
        assert_eq!(frames(true, 30.0, Some(CYCLE)), [vec![24.0, 18.0], vec![40.0]]);
    }

    #[test]
    fn ghosts_at_keys_are_far_enough_apart_to_be_seen() {
        let clip = Clip::default().with_length(25);
        let neighbours = |frame: f32, keys: &[f32], cycle: Option<Loop>| {
            let wanted = wanted(&OnionSettings::default(), frame, keys, clip, cycle);
            [Side::Before, Side::After].map(|side| {
                let ghosts = wanted.iter().filter(|ghost| ghost.1 == side);
                ghosts.map(|ghost| ghost.0).collect::<Vec<_>>()
            })
        };
        let keys = [0.0, 1.0, 2.0, 4.0, 10.0, 11.0, 12.0, 13.0, 14.0, 22.0, 23.0];
        assert_eq!(neighbours(11.0, &keys, None), [vec![4.0, 2.0], vec![13.0, 22.0]]);
        assert_eq!(neighbours(3.0, &keys, None), [vec![1.0], vec![10.0, 12.0]]);
        assert_eq!(neighbours(0.0, &keys, Some(CYCLE)), [vec![22.0, 14.0], vec![2.0, 4.0]]);
        // There are no other keys.
        assert_eq!(neighbours(1.0, &[0.0, 1.0, 2.0], None), [vec![0.0], vec![2.0]]);
    }

    #[test]
    fn pinned_frames_come_first_and_once() {
        let mut settings = OnionSettings::default();
        settings.toggle_pin(6.0);
        settings.toggle_pin(2.0);
        settings.toggle_pin(3.0);
        settings.toggle_pin(3.0);
        let keys = [0.0, 6.0, 12.0];
        let found = |frame| wanted(&settings, frame, &keys, Clip::default(), None);
        let [a, b] = [(2.0, Side::Pinned, 1.0), (6.0, Side::Pinned, 1.0)];
        let [c, d] = [(0.0, Side::Before, 1.0), (12.0, Side::After, 1.0)];
        assert_eq!(found(4.0), [a, b, c, (12.0, Side::After, 0.5)]);
        // The current frame has no ghost.
        assert_eq!(found(6.0), [a, c, d]);
    }
}
