//! The colours of a GIF: at most 255 for all frames, so that nothing flickers. They are chosen by repeatedly
//! splitting the colours of some frames where they differ most.

use crate::edit::render::Background;
use crate::editor::picture::Picture;
use std::collections::{BTreeMap, HashMap};

/// The size of a palette; one index is reserved for transparent pixels.
pub const MAX_COLORS: usize = 255;

/// The number of colours whose nearest one is cached.
const CACHE_SIZE: usize = 1 << 20;

/// The colours of some frames, and the number of pixels of each.
#[derive(Default)]
pub struct Samples {
    counts: BTreeMap<[u8; 3], u64>,
}

/// The colours for all frames.
#[derive(Clone, Debug, Default)]
pub struct Palette {
    pub colors: Vec<[u8; 3]>,
    nearest: HashMap<[u8; 3], u8>,
}

impl Samples {
    pub fn add(&mut self, picture: &Picture) {
        for pixel in picture.rgba.as_chunks::<4>().0 {
            let [r, g, b, _] = *pixel;
            *self.counts.entry([r, g, b]).or_default() += 1;
        }
    }

    /// Returns a palette that contains the exact colour of the background.
    pub fn palette(self, background: Background) -> Palette {
        // A face has few pixels compared with the background, but matters more.
        let weighted = self.counts.iter().map(|(color, count)| WeightedColor {
            color: color.map(f64::from),
            weight: (*count as f64).sqrt(),
        });
        let mut boxes = vec![ColorBox::new(weighted.collect())];
        while boxes.len() < MAX_COLORS {
            let spread = |b: &ColorBox| b.spread;
            let widest = (0..boxes.len()).max_by(|&a, &b| spread(&boxes[a]).total_cmp(&spread(&boxes[b])));
            let Some(widest) = widest.filter(|&i| boxes[i].spread > 0.0) else {
                break;
            };
            let halves = boxes.swap_remove(widest).split();
            boxes.extend(halves.into_iter().map(ColorBox::new));
        }
        let mut colors: Vec<[u8; 3]> = boxes.iter().map(|b| b.mean.map(|c| c.round() as u8)).collect();
        if let Background::Color(exact) = background
            && let Some(nearest) = nearest(&colors, exact)
        {
            colors[nearest] = exact;
        }
        Palette::new(colors)
    }
}

struct WeightedColor {
    color: [f64; 3],
    weight: f64,
}

/// Some colours, their mean, and their weighted squared distances from it along the axis on which they differ
/// most.
struct ColorBox {
    colors: Vec<WeightedColor>,
    mean: [f64; 3],
    axis: usize,
    spread: f64,
}

impl ColorBox {
    fn new(colors: Vec<WeightedColor>) -> Self {
        let total: f64 = colors.iter().map(|c| c.weight).sum();
        let mean = [0, 1, 2].map(|axis| {
            let sum: f64 = colors.iter().map(|c| c.color[axis] * c.weight).sum();
            if total > 0.0 { sum / total } else { 0.0 }
        });
        let spread = [0, 1, 2].map(|axis| -> f64 {
            let distance = |c: &WeightedColor| c.weight * (c.color[axis] - mean[axis]).powi(2);
            colors.iter().map(distance).sum()
        });
        let axis = (0..3).fold(0, |most, axis| if spread[axis] > spread[most] { axis } else { most });
        Self { spread: spread[axis], colors, mean, axis }
    }

    /// Splits the colours at the mean; neither half is empty, since they differ.
    fn split(self) -> [Vec<WeightedColor>; 2] {
        let (axis, middle) = (self.axis, self.mean[self.axis]);
        let (below, above) = self.colors.into_iter().partition(|c| c.color[axis] < middle);
        [below, above]
    }
}

impl Palette {
    pub fn new(colors: Vec<[u8; 3]>) -> Self {
        Self { colors, nearest: HashMap::new() }
    }

    /// Returns the index of the nearest colour.
    pub fn index(&mut self, color: [u8; 3]) -> u8 {
        if let Some(&index) = self.nearest.get(&color) {
            return index;
        }
        let index = nearest(&self.colors, color).unwrap_or(0) as u8;
        if self.nearest.len() >= CACHE_SIZE {
            self.nearest.clear();
        }
        self.nearest.insert(color, index);
        index
    }
}

fn nearest(colors: &[[u8; 3]], color: [u8; 3]) -> Option<usize> {
    let distance = |other: &[u8; 3]| -> i32 {
        let [r, g, b] = [0, 1, 2].map(|i| i32::from(other[i]) - i32::from(color[i]));
        // Weighted roughly by the sensitivity of the eye.
        3 * r * r + 6 * g * g + b * b
    };
    (0..colors.len()).min_by_key(|&i| distance(&colors[i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(colors: &[[u8; 3]]) -> Picture {
        Picture {
            width: colors.len() as u32,
            height: 1,
            rgba: colors.iter().flat_map(|[r, g, b]| [*r, *g, *b, 255]).collect(),
        }
    }

    #[test]
    fn few_colours_are_all_kept() {
        let few: Vec<[u8; 3]> = (0..200).map(|i| [i, 255 - i, (i * 7) % 200]).collect();
        let mut samples = Samples::default();
        samples.add(&picture(&few));
        let mut palette = samples.palette(Background::Transparent);
        assert_eq!(palette.colors.len(), 200);
        for color in few {
            let index = palette.index(color);
            assert_eq!(palette.colors[usize::from(index)], color);
        }
    }

    #[test]
    fn many_colours_become_near_ones_and_the_background_its_own() {
        let distinct: Vec<[u8; 3]> = (0..4096u32)
            .map(|i| [(i % 16) * 16, (i / 16 % 16) * 16, (i / 256) * 16].map(|c| c as u8))
            .collect();
        let mut samples = Samples::default();
        samples.add(&picture(&distinct));
        let background = [49, 50, 51];
        let mut palette = samples.palette(Background::Color(background));
        assert_eq!(palette.colors.len(), MAX_COLORS);
        let index = palette.index(background);
        assert_eq!(palette.colors[usize::from(index)], background);
        for color in distinct {
            let index = usize::from(palette.index(color));
            let near = palette.colors[index];
            let [r, g, b] = [0, 1, 2].map(|i| i32::from(color[i]) - i32::from(near[i]));
            // 255 cubes fill the cube of colours with edges of 40.
            assert!(3 * r * r + 6 * g * g + b * b <= 10 * 40 * 40, "{color:?} {near:?}");
        }
    }

    #[test]
    fn no_samples_still_give_a_colour() {
        let mut palette = Samples::default().palette(Background::default());
        assert_eq!(palette.index([1, 2, 3]), 0);
        assert_eq!(palette.colors, [[0x2b, 0x2d, 0x31]]);
    }
}
