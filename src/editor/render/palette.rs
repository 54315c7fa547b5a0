//! The colours of a GIF: at most 255 for all its frames, so that nothing flickers, chosen by splitting the
//! colours of some frames where they differ most.

use crate::edit::render::Background;
use crate::editor::picture::Picture;
use std::collections::{BTreeMap, HashMap};

/// One is kept for what is transparent.
pub const MOST: usize = 255;

/// Nearest colours that are remembered.
const REMEMBERED: usize = 1 << 20;

/// Colours of some frames, and how many pixels have each.
#[derive(Default)]
pub struct Samples {
    counts: BTreeMap<[u8; 3], u64>,
}

/// Colours that do for all.
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

    /// The background keeps its very colour.
    pub fn palette(self, background: Background) -> Palette {
        // A face is small beside the background, and counts for more than its pixels.
        let weighted = self.counts.iter().map(|(color, count)| WeightedColor {
            color: color.map(f64::from),
            weight: (*count as f64).sqrt(),
        });
        let mut boxes = vec![Box3::new(weighted.collect())];
        while boxes.len() < MOST {
            let spread = |b: &Box3| b.spread;
            let widest = (0..boxes.len()).max_by(|&a, &b| spread(&boxes[a]).total_cmp(&spread(&boxes[b])));
            let Some(widest) = widest.filter(|&i| boxes[i].spread > 0.0) else {
                break;
            };
            let halves = boxes.swap_remove(widest).split();
            boxes.extend(halves.into_iter().map(Box3::new));
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

/// Some colours, their mean, and how far they are from it along the axis where they are farthest.
struct Box3 {
    colors: Vec<WeightedColor>,
    mean: [f64; 3],
    axis: usize,
    spread: f64,
}

impl Box3 {
    fn new(colors: Vec<WeightedColor>) -> Self {
        let total: f64 = colors.iter().map(|c| c.weight).sum();
        let mean = [0, 1, 2].map(|axis| {
            let sum: f64 = colors.iter().map(|c| c.color[axis] * c.weight).sum();
            if total > 0.0 { sum / total } else { 0.0 }
        });
        let spread = [0, 1, 2].map(|axis| -> f64 {
            let far = |c: &WeightedColor| c.weight * (c.color[axis] - mean[axis]).powi(2);
            colors.iter().map(far).sum()
        });
        let axis = (0..3).fold(
            0,
            |most, axis| if spread[axis] > spread[most] { axis } else { most },
        );
        Self {
            spread: spread[axis],
            colors,
            mean,
            axis,
        }
    }

    /// Those before the mean and those behind it: neither is empty, since they differ.
    fn split(self) -> [Vec<WeightedColor>; 2] {
        let (axis, middle) = (self.axis, self.mean[self.axis]);
        let (before, behind) = self.colors.into_iter().partition(|c| c.color[axis] < middle);
        [before, behind]
    }
}

impl Palette {
    pub fn new(colors: Vec<[u8; 3]>) -> Self {
        Self {
            colors,
            nearest: HashMap::new(),
        }
    }

    /// The index of the colour that comes nearest.
    pub fn index(&mut self, color: [u8; 3]) -> u8 {
        if let Some(&index) = self.nearest.get(&color) {
            return index;
        }
        let index = nearest(&self.colors, color).unwrap_or(0) as u8;
        if self.nearest.len() >= REMEMBERED {
            self.nearest.clear();
        }
        self.nearest.insert(color, index);
        index
    }
}

fn nearest(colors: &[[u8; 3]], color: [u8; 3]) -> Option<usize> {
    let far = |other: &[u8; 3]| -> i32 {
        let [r, g, b] = [0, 1, 2].map(|i| i32::from(other[i]) - i32::from(color[i]));
        // As eyes weigh them.
        3 * r * r + 6 * g * g + b * b
    };
    (0..colors.len()).min_by_key(|&i| far(&colors[i]))
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
        let many: Vec<[u8; 3]> = (0..4096u32)
            .map(|i| [(i % 16) * 16, (i / 16 % 16) * 16, (i / 256) * 16].map(|c| c as u8))
            .collect();
        let mut samples = Samples::default();
        samples.add(&picture(&many));
        let background = [49, 50, 51];
        let mut palette = samples.palette(Background::Color(background));
        assert_eq!(palette.colors.len(), MOST);
        let own = palette.index(background);
        assert_eq!(palette.colors[usize::from(own)], background);
        for color in many {
            let index = usize::from(palette.index(color));
            let near = palette.colors[index];
            let [r, g, b] = [0, 1, 2].map(|i| i32::from(color[i]) - i32::from(near[i]));
            // 255 cubes fill the cube of colours with edges of 40.
            assert!(
                3 * r * r + 6 * g * g + b * b <= 10 * 40 * 40,
                "{color:?} {near:?}"
            );
        }
    }

    #[test]
    fn nothing_gives_a_colour_all_the_same() {
        let mut palette = Samples::default().palette(Background::default());
        assert_eq!(palette.index([1, 2, 3]), 0);
        assert_eq!(palette.colors, [[0x30, 0x32, 0x36]]);
    }
}
