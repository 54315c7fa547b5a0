//! The colours of weights on the skin, for the viewport and its legend.

use super::theme;
use crate::math::colormap;
use crate::rig::weights::VertexWeights;
use crate::rig::weights::report::sums_to_one;
use egui::Color32;

/// Returns the colour of a weight from 0 to 1.
pub fn weight_color(weight: f32, rainbow: bool) -> Color32 {
    color(if rainbow { colormap::rainbow(weight) } else { colormap::heat(weight) })
}

/// Returns the colour of a bone, for use when no bone is selected.
pub fn bone_color(bone: usize) -> Color32 {
    color(colormap::distinct_color(bone))
}

/// Returns the colour of each of several bones (K) that are shown at once.
pub fn selected_colors(bones: &[usize]) -> Vec<Color32> {
    match bones.len() {
        2 => theme::viewport::TWO_BONES.into(),
        _ => bones.iter().map(|bone| bone_color(*bone)).collect(),
    }
}

/// Returns the colour of a vertex: that of its weight on the only one of `bones`, the colours of several bones
/// mixed by their weights, or that of its strongest bone if there are none. Vertices without weights, and those
/// whose sum is not 1, have special colours.
pub fn vertex_color(weights: &VertexWeights, vertex: usize, bones: &[usize], rainbow: bool) -> Color32 {
    let shown = bones;
    let (bones, row) = weights.row(vertex);
    let influences = || bones.iter().zip(row);
    if row.is_empty() {
        return theme::viewport::UNWEIGHTED;
    }
    if !sums_to_one(row) {
        return theme::viewport::OFF_SUM;
    }
    let weight_on = |bone: usize| -> f32 {
        let on_bone = influences().filter(|(b, _)| usize::from(**b) == bone);
        on_bone.map(|(_, weight)| weight).sum()
    };
    match shown {
        [bone] => weight_color(weight_on(*bone), rainbow),
        [_, _, ..] => {
            let weights: Vec<f32> = shown.iter().map(|bone| weight_on(*bone)).collect();
            let none = 1.0 - weights.iter().sum::<f32>();
            let colors = selected_colors(shown).into_iter().zip(weights);
            mix(colors.chain([(weight_color(0.0, false), none)]))
        }
        [] => {
            let strongest = influences().rev().max_by(|a, b| a.1.total_cmp(b.1));
            strongest.map_or(theme::viewport::UNWEIGHTED, |(b, _)| bone_color(usize::from(*b)))
        }
    }
}

/// Returns the mean of colours by weights that add up to 1, as of light.
fn mix(colors: impl Iterator<Item = (Color32, f32)>) -> Color32 {
    let mut mixed = [0.0; 3];
    for (color, weight) in colors {
        for (sum, channel) in mixed.iter_mut().zip(color.to_array()) {
            *sum += weight * colormap::linear_from_srgb(f32::from(channel) / 255.0);
        }
    }
    color(mixed.map(colormap::srgb_from_linear))
}

fn color(rgb: [f32; 3]) -> Color32 {
    let [r, g, b] = rgb.map(|c| (c * 255.0).round() as u8);
    Color32::from_rgb(r, g, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_are_coloured_by_their_weights() {
        let mut weights = VertexWeights::none(0);
        weights.push_row([(0, 0.25), (3, 0.75)]);
        weights.push_row([(1, 1.0)]);
        weights.push_row([]);
        weights.push_row([(3, 0.75)]);
        weights.push_row([(2, 0.5), (4, 0.5)]);
        let (none, off) = (theme::viewport::UNWEIGHTED, theme::viewport::OFF_SUM);
        let all = |bones: &[usize], rainbow| -> Vec<_> {
            (0..5).map(|vertex| vertex_color(&weights, vertex, bones, rainbow)).collect()
        };
        let on_3 = all(&[3], false);
        let zero = weight_color(0.0, false);
        assert_eq!(on_3, [weight_color(0.75, false), zero, none, off, zero]);
        let rainbow = all(&[3], true);
        assert_eq!(rainbow[1], Color32::BLUE);
        // The first of equally strong ones.
        let strongest = all(&[], false);
        assert_eq!(strongest, [bone_color(3), bone_color(1), none, off, bone_color(2)]);
        // Two bones as two colours, which mix where both have influence.
        let [first, second] = theme::viewport::TWO_BONES;
        let two = all(&[1, 3], false);
        assert_eq!((two[1], two[4]), (first, zero));
        let between = mix([(second, 0.75), (zero, 0.25)].into_iter());
        assert_eq!(two[0], between);
        let [a, b] = [2, 4].map(|bone| selected_colors(&[2, 3, 4])[bone - 2]);
        assert_eq!(all(&[2, 3, 4], false)[4], mix([(a, 0.5), (b, 0.5)].into_iter()));
    }
}
