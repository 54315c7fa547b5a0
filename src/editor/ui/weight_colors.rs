//! The colours of weights on the skin, for the viewport and its legend.

use super::theme;
use crate::math::colormap;
use crate::rig::weights::VertexWeights;
use crate::rig::weights::report::is_one;
use egui::Color32;

/// The colour of a weight from 0 to 1.
pub fn of_weight(weight: f32, rainbow: bool) -> Color32 {
    color(if rainbow {
        colormap::rainbow(weight)
    } else {
        colormap::heat(weight)
    })
}

/// The colour of a bone where no bone is selected.
pub fn of_bone(bone: usize) -> Color32 {
    color(colormap::distinct(bone))
}

/// The colour of a vertex: of its weight on `bone`, or without one of its strongest bone; vertices without weights, and
/// those whose sum is not 1, have colours of their own.
pub fn of_vertex(weights: &VertexWeights, vertex: usize, bone: Option<usize>, rainbow: bool) -> Color32 {
    let (bones, row) = weights.row(vertex);
    let influences = || bones.iter().zip(row);
    if row.is_empty() {
        return theme::viewport::UNWEIGHTED;
    }
    if !is_one(row) {
        return theme::viewport::OFF_SUM;
    }
    match bone {
        Some(bone) => {
            let own = influences().filter(|(b, _)| usize::from(**b) == bone);
            of_weight(own.map(|(_, weight)| weight).sum(), rainbow)
        }
        None => {
            let strongest = influences().rev().max_by(|a, b| a.1.total_cmp(b.1));
            strongest.map_or(theme::viewport::UNWEIGHTED, |(b, _)| of_bone(usize::from(*b)))
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
    fn vertices_are_coloured_by_what_they_are() {
        let mut weights = VertexWeights::none(0);
        weights.push_row([(0, 0.25), (3, 0.75)]);
        weights.push_row([(1, 1.0)]);
        weights.push_row([]);
        weights.push_row([(3, 0.75)]);
        weights.push_row([(2, 0.5), (4, 0.5)]);
        let (none, off) = (theme::viewport::UNWEIGHTED, theme::viewport::OFF_SUM);
        let all = |bone, rainbow| -> Vec<_> {
            (0..5)
                .map(|vertex| of_vertex(&weights, vertex, bone, rainbow))
                .collect()
        };
        let on_3 = all(Some(3), false);
        let zero = of_weight(0.0, false);
        assert_eq!(on_3, [of_weight(0.75, false), zero, none, off, zero]);
        let rainbow = all(Some(3), true);
        assert_eq!(rainbow[1], Color32::BLUE);
        // The first of equally strong ones.
        let strongest = all(None, false);
        assert_eq!(strongest, [of_bone(3), of_bone(1), none, off, of_bone(2)]);
    }
}
