//! Cross-sections of a limb: the voxels at equal distances from its tip, with their middle and their area; and where the
//! limb ends: where the area grows beyond what the limb had before.

use super::voxels::{FAR, STEP, Voxels};
use glam::Vec3;
use std::f32::consts::PI;

/// The thickness of a slice, in voxels.
const THICKNESS: f32 = 1.5;
/// The slices behind the end of a limb whose area is compared with that of the limb, as a fraction of those of the limb,
/// with the least and the greatest number.
const BEHIND: (f32, usize, usize) = (0.3, 6, 20);
/// The area at which a limb ends, as a multiple of the greatest of its last slices.
const GROWN: f32 = 1.25;
/// The contrast of the first slice behind which the limb may end, as a fraction of the greatest contrast.
const NEARLY: f32 = 0.92;
/// The fewest slices of a limb: the first ones grow as any tip does.
const FEWEST: usize = 8;
/// The number of those last slices.
const LAST: usize = 6;

/// The slices of a limb from its tip inwards.
#[derive(Clone, Debug)]
pub struct Limb {
    /// The middle of each slice.
    pub middles: Vec<Vec3>,
    /// The area of each slice, in squared units of length.
    pub areas: Vec<f32>,
    /// The last slice of the limb.
    pub root: usize,
    /// How many times larger the area is behind the limb.
    pub contrast: f32,
}

impl Limb {
    /// Slices the body by the distance from a tip; the limb is at least `least` long and does not go beyond the voxel
    /// `middle`.
    pub fn new(voxels: &Voxels, tip: usize, least: f32, middle: usize) -> Self {
        let distances = voxels.distances(&[tip]);
        let width = (THICKNESS * STEP as f32) as u32;
        let mut sums: Vec<(Vec3, usize)> = Vec::new();
        for index in voxels.filled().filter(|&index| distances[index] != FAR) {
            let slice = (distances[index] / width) as usize;
            if slice >= sums.len() {
                sums.resize(slice + 1, (Vec3::ZERO, 0));
            }
            sums[slice].0 += voxels.center(index);
            sums[slice].1 += 1;
        }
        sums.retain(|sum| sum.1 > 0);
        let area = voxels.cell * voxels.cell / THICKNESS;
        let mut limb = Self {
            middles: sums.iter().map(|(sum, count)| *sum / *count as f32).collect(),
            areas: sums.iter().map(|(_, count)| *count as f32 * area).collect(),
            root: 0,
            contrast: 0.0,
        };
        let most = distances[middle].min(FAR - 1) / width;
        limb.find_root((least / (THICKNESS * voxels.cell)) as usize, most as usize);
        limb
    }

    /// Finds the slice behind which the mean area is the largest multiple of that of the slices before.
    fn find_root(&mut self, least: usize, most: usize) {
        let areas = &self.areas;
        let greatest = |end: usize| areas[end.saturating_sub(LAST)..end].iter().copied().fold(0.0, f32::max);
        let contrast = |end: usize| {
            let behind = ((BEHIND.0 * end as f32) as usize).clamp(BEHIND.1, BEHIND.2).min(areas.len() - end);
            areas[end..end + behind].iter().sum::<f32>() / behind as f32 / greatest(end)
        };
        let ends = least.max(FEWEST)..(most + 1).min(areas.len());
        let contrasts: Vec<f32> = ends.clone().map(contrast).collect();
        self.contrast = contrasts.iter().copied().fold(0.0, f32::max);
        let first = ends.zip(contrasts).find(|(_, contrast)| *contrast >= NEARLY * self.contrast);
        self.root = first.map_or(0, |(end, _)| end - 1);
        let limit = GROWN * greatest(self.root + 1);
        while self.root + 1 < areas.len() && areas[self.root + 1] < limit {
            self.root += 1;
        }
    }

    /// The radius of a slice: that of a disc with its area.
    pub fn radius(&self, slice: usize) -> f32 {
        (self.areas[slice] / PI).sqrt()
    }

    /// The length of the line through the middles from the root to the tip.
    pub fn length(&self) -> f32 {
        self.middles[..=self.root].windows(2).map(|pair| pair[0].distance(pair[1])).sum()
    }
}
