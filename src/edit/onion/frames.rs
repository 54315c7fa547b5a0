//! Which frames have ghosts: neighbours of the one that is shown, round the end of a loop, and those that are pinned.

use super::settings::{MOST_GHOSTS, OnionSettings, Side};
use crate::anim::clip::Clip;

/// A frame, on which side it is, and how strong its ghost is: from 1 for the nearest down to 0.
pub type Wanted = (f32, Side, f32);

/// Frames after which the same pose comes again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loop {
    pub first: f32,
    /// From a frame to the same pose in the next round.
    pub period: f32,
}

impl Loop {
    /// How far it is from one frame on to another, round the end: more than 0, at most a whole round.
    fn ahead(self, from: f32, to: f32) -> f32 {
        let ahead = (to - from).rem_euclid(self.period);
        if ahead == 0.0 { self.period } else { ahead }
    }

    fn contains(self, frame: f32) -> bool {
        (self.first..=self.first + self.period).contains(&frame)
    }

    /// A frame that was reached by going round, within the loop.
    fn wrapped(self, frame: f32) -> f32 {
        self.first + (frame - self.first).rem_euclid(self.period)
    }
}

/// Ghosts at keys are at least so many frames from each other and from what is shown: nearer ones lie inside it.
const APART: f32 = 2.0;

/// Pinned frames, then those before and those after `frame`, each the nearest first. `keys`: frames of keys, ascending.
/// `round`: the loop, if it is one. No frame comes twice, nor does the one that is shown.
pub fn wanted(
    settings: &OnionSettings,
    frame: f32,
    keys: &[f32],
    clip: Clip,
    round: Option<Loop>,
) -> Vec<Wanted> {
    let round = round.filter(|round| round.contains(frame));
    let [before, after] = match (settings.by_keys, round) {
        (true, Some(round)) => keys_round(keys, frame, round),
        (true, None) => {
            let before = keys.iter().rev().filter(|key| **key < frame);
            let after = keys.iter().filter(|key| **key > frame);
            [
                apart(before.map(|key| (frame - key, *key))),
                apart(after.map(|key| (key - frame, *key))),
            ]
        }
        (false, round) => [-1.0, 1.0].map(|sign| stepped(settings.step, sign, frame, clip, round)),
    };
    let mut seen = settings.pinned.clone();
    seen.push(frame);
    let here = |at: &f32| *at != frame;
    let pinned = settings.pinned.iter().copied().filter(here);
    let mut wanted: Vec<Wanted> = pinned.map(|at| (at, Side::Pinned, 1.0)).collect();
    // By turns, so that a frame that can be reached both ways is on the side to which it is nearer.
    for n in 0..MOST_GHOSTS as usize {
        for (side, frames, count) in [
            (Side::Before, &before, settings.before),
            (Side::After, &after, settings.after),
        ] {
            let Some(&at) = frames.get(n).filter(|_| n < count as usize) else {
                continue;
            };
            if !seen.contains(&at) {
                seen.push(at);
                wanted.push((at, side, 1.0 - n as f32 / count.min(MOST_GHOSTS) as f32));
            }
        }
    }
    wanted.sort_by_key(|(_, side, _)| (*side != Side::Pinned, *side != Side::Before));
    wanted
}

fn keys_round(keys: &[f32], frame: f32, round: Loop) -> [Vec<f32>; 2] {
    let end = round.first + round.period;
    let is_in = |key: &f32| (round.first..end).contains(key) && round.ahead(frame, *key) < round.period;
    let mut keys: Vec<f32> = keys.iter().copied().filter(is_in).collect();
    keys.sort_by(|a, b| round.ahead(frame, *a).total_cmp(&round.ahead(frame, *b)));
    let before = keys.iter().rev().map(|key| (round.ahead(*key, frame), *key));
    [
        apart(before),
        apart(keys.iter().map(|key| (round.ahead(frame, *key), *key))),
    ]
}

/// Of keys by how far they are from what is shown, ascending, those that are [`APART`]; the last one if none is.
fn apart(keys: impl Iterator<Item = (f32, f32)>) -> Vec<f32> {
    let (mut taken, mut last, mut left_out) = (Vec::new(), 0.0, None);
    for (way, key) in keys {
        if way - last >= APART {
            taken.push(key);
            last = way;
        } else {
            left_out = Some(key);
        }
    }
    if taken.is_empty() {
        taken.extend(left_out);
    }
    taken
}

fn stepped(step: u32, sign: f32, frame: f32, clip: Clip, round: Option<Loop>) -> Vec<f32> {
    let ways = (1..=MOST_GHOSTS).map(|n| (n * step.max(1)) as f32);
    match round {
        Some(round) => {
            let ways = ways.take_while(|way| *way < round.period);
            ways.map(|way| round.wrapped(frame + sign * way)).collect()
        }
        None => {
            let frames = ways.map(|way| frame + sign * way);
            frames.filter(|at| clip.clamp(*at) == *at).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pose of frame 0 comes again at frame 24.
    const ROUND: Loop = Loop {
        first: 0.0,
        period: 24.0,
    };

    fn frames(by_keys: bool, frame: f32, round: Option<Loop>) -> [Vec<f32>; 2] {
        let settings = OnionSettings {
            by_keys,
            step: 6,
            ..OnionSettings::default()
        };
        let clip = Clip::default().with_length(25);
        let wanted = wanted(&settings, frame, &[0.0, 6.0, 12.0, 18.0, 24.0, 40.0], clip, round);
        [Side::Before, Side::After].map(|side| {
            let of_side = wanted.iter().filter(|ghost| ghost.1 == side);
            of_side.map(|ghost| ghost.0).collect()
        })
    }

    #[test]
    fn a_loop_goes_on_behind_its_end() {
        assert_eq!(frames(true, 0.0, None), [vec![], vec![6.0, 12.0]]);
        // The last key shows what the first one does: that of the frame before it comes.
        assert_eq!(frames(true, 0.0, Some(ROUND)), [vec![18.0, 12.0], vec![6.0]]);
        assert_eq!(
            frames(true, 20.0, Some(ROUND)),
            [vec![18.0, 12.0], vec![0.0, 6.0]]
        );
        assert_eq!(frames(false, 2.0, Some(ROUND)), [vec![20.0, 14.0], vec![8.0]]);
        assert_eq!(frames(false, 2.0, None), [vec![], vec![8.0, 14.0]]);
        // What lies outside of the loop has its neighbours as without one.
        assert_eq!(frames(true, 30.0, Some(ROUND)), [vec![24.0, 18.0], vec![40.0]]);
    }

    #[test]
    fn ghosts_at_keys_are_far_enough_apart_to_be_seen() {
        let clip = Clip::default().with_length(25);
        let at = |frame: f32, keys: &[f32], round: Option<Loop>| {
            let wanted = wanted(&OnionSettings::default(), frame, keys, clip, round);
            [Side::Before, Side::After].map(|side| {
                let of_side = wanted.iter().filter(|ghost| ghost.1 == side);
                of_side.map(|ghost| ghost.0).collect::<Vec<_>>()
            })
        };
        let keys = [0.0, 1.0, 2.0, 4.0, 10.0, 11.0, 12.0, 13.0, 14.0, 22.0, 23.0];
        assert_eq!(at(11.0, &keys, None), [vec![4.0, 2.0], vec![13.0, 22.0]]);
        assert_eq!(at(3.0, &keys, None), [vec![1.0], vec![10.0, 12.0]]);
        assert_eq!(at(0.0, &keys, Some(ROUND)), [vec![22.0, 14.0], vec![2.0, 4.0]]);
        // Nothing else is there.
        assert_eq!(at(1.0, &[0.0, 1.0, 2.0], None), [vec![0.0], vec![2.0]]);
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
        // Not over itself.
        assert_eq!(found(6.0), [a, c, d]);
    }
}
