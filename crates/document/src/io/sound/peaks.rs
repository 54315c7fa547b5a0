//! The extremes of ever larger blocks of samples, so that a wave of any length is drawn at once at any zoom.

use std::ops::Range;

/// The number of samples in a block of the first level.
const BASE: usize = 64;
/// The number of blocks in a block of the next level.
const FACTOR: usize = 4;

/// The least and the greatest sample of the blocks of each level. All blocks are whole.
#[derive(Debug)]
pub struct Peaks {
    levels: Vec<Vec<[i16; 2]>>,
}

impl Peaks {
    pub fn new(samples: &[i16]) -> Self {
        let extremes = |block: &[i16]| block.iter().fold(NONE, |found, sample| merge(found, [*sample; 2]));
        let mut levels = vec![samples.chunks_exact(BASE).map(extremes).collect::<Vec<_>>()];
        while let Some(last) = levels.last().filter(|last| last.len() >= FACTOR) {
            let merged = |blocks: &[[i16; 2]]| blocks.iter().copied().fold(NONE, merge);
            let next = last.chunks_exact(FACTOR).map(merged).collect();
            levels.push(next);
        }
        Self { levels }
    }

    /// Returns the least and the greatest of `samples` (those that the peaks are of) in a range within them; `None` if it is
    /// empty.
    pub fn min_max(&self, samples: &[i16], range: Range<usize>) -> Option<[i16; 2]> {
        let (mut at, mut found) = (range.start, NONE);
        while at < range.end {
            let mut size = 1;
            let mut extremes = [samples[at]; 2];
            let mut block = BASE;
            for level in &self.levels {
                if !at.is_multiple_of(block) || at + block > range.end || at / block >= level.len() {
                    break;
                }
                (size, extremes) = (block, level[at / block]);
                block *= FACTOR;
            }
            found = merge(found, extremes);
            at += size;
        }
        (range.start < range.end).then_some(found)
    }
}

/// Extends a range of `count` samples to whole blocks, the largest of which it has 16 at least: what is drawn does not need
/// more, and many samples are read fast.
pub fn in_blocks(range: Range<usize>, count: usize) -> Range<usize> {
    let (mut block, mut next) = (1, BASE);
    while next * 16 <= range.len() {
        (block, next) = (next, next * FACTOR);
    }
    range.start / block * block..range.end.next_multiple_of(block).min(count)
}

/// The extremes of no samples.
const NONE: [i16; 2] = [i16::MAX, i16::MIN];

fn merge(a: [i16; 2], b: [i16; 2]) -> [i16; 2] {
    [a[0].min(b[0]), a[1].max(b[1])]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_of_any_range_are_those_of_its_samples() {
        let mut state = 1_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 8
        };
        let samples: Vec<i16> = (0..20_011).map(|_| random() as i16).collect();
        let peaks = Peaks::new(&samples);
        assert!(peaks.levels.len() >= 4);
        for _ in 0..2_000 {
            let (a, b) = (random() as usize % samples.len(), random() as usize % (samples.len() + 1));
            let range = a.min(b)..a.max(b);
            let slice = &samples[range.clone()];
            let expected = slice.iter().min().zip(slice.iter().max()).map(|(min, max)| [*min, *max]);
            assert_eq!(peaks.min_max(&samples, range.clone()), expected, "{range:?}");
        }
        assert_eq!(peaks.min_max(&samples, 5..5), None);
        assert_eq!(Peaks::new(&[]).min_max(&[], 0..0), None);
    }

    #[test]
    fn long_ranges_are_whole_blocks() {
        assert_eq!(in_blocks(3..1026, 9000), 3..1026);
        assert_eq!(in_blocks(3..1028, 9000), 0..1088);
        assert_eq!(in_blocks(70..8999, 9000), 0..9000);
    }
}
