//! The colours of weights on the skin, for the viewport and its legend.

use super::theme;
use crate::math::colormap;
use crate::rig::weights::VertexWeights;
use crate::rig::weights::report::sums_to_one;
use egui::Color32;

/// Returns the colour of a weight from 0 to 1.
pub fn weight_color(weight: f32, rainbow: bool) -> Color32 {
    color(if rainbow {
        colormap::rainbow(weight)
    } else {
        colormap::heat(weight)
    })
}

/// Returns the colour of a bone, for use when no bone is selected.
pub fn bone_color(bone: usize) -> Color32 {
    color(colormap::distinct_color(bone))
}

/// Returns the colour of a vertex: that of its weight on `bone`, or of its strongest bone without one.
/// Vertices without weights, and those whose sum is not 1, have special colours.
pub fn vertex_color(weights: &VertexWeights, vertex: usize, bone: Option<usize>, rainbow: bool) -> Color32 {
    let (bones, row) = weights.row(vertex);
    let influences = || bones.iter().zip(row);
    if row.is_empty() {
        return theme::viewport::UNWEIGHTED;
    }
    if !sums_to_one(row) {
        return theme::viewport::OFF_SUM;
    }
    match bone {
        Some(bone) => {
            let on_bone = influences().filter(|(b, _)| usize::from(**b) == bone);
            weight_color(on_bone.map(|(_, weight)| weight).sum(), rainbow)
        }
        None => {
            let strongest = influences().rev().max_by(|a, b| a.1.total_cmp(b.1));
            strongest.map_or(theme::viewport::UNWEIGHTED, |(b, _)| bone_color(usize::from(*b)))
        }
    }
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
        let all = |bone, rainbow| -> Vec<_> {
            (0..5)
                .map(|vertex| vertex_color(&weights, vertex, bone, rainbow))
                .collect()
        };
        let on_3 = all(Some(3), false);
        let zero = weight_color(0.0, false);
        assert_eq!(on_3, [weight_color(0.75, false), zero, none, off, zero]);
        let rainbow = all(Some(3), true);
        assert_eq!(rainbow[1], Color32::BLUE);
        // The first of equally strong ones.
        let strongest = all(None, false);
        assert_eq!(
            strongest,
            [bone_color(3), bone_color(1), none, off, bone_color(2)]
        );
    }
}
