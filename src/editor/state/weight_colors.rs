//! The colours of weights on a skin. When weights change, only vertices with different weights are coloured
//! again.

use crate::editor::ui::weight_colors;
use crate::math::colormap;
use crate::mesh::render::RenderMesh;
use crate::rig::weights::VertexWeights;
use egui::Color32;
use std::sync::Arc;

/// The colours of the weights view.
#[derive(Default)]
pub struct WeightColors {
    made_from: Option<MadeFrom>,
    colors: Arc<Vec<[f32; 4]>>,
}

/// The input of the colours: weights, their mesh, the selected bones, and whether the rainbow is used.
type MadeFrom = (Arc<VertexWeights>, Arc<RenderMesh>, Vec<usize>, bool);

impl WeightColors {
    /// Returns R linear colours of the render vertices. `bones`: the selected ones.
    pub fn colors(
        &mut self,
        weights: &Arc<VertexWeights>,
        render: &Arc<RenderMesh>,
        bones: Vec<usize>,
        rainbow: bool,
    ) -> Arc<Vec<[f32; 4]>> {
        let before = self.made_from.take().filter(|(_, mesh, shown, in_rainbow)| {
            Arc::ptr_eq(mesh, render) && (shown, *in_rainbow) == (&bones, rainbow)
        });
        let before = before.map(|(weights, ..)| weights);
        let (.., bones, _) = self.made_from.insert((weights.clone(), render.clone(), bones, rainbow));
        if before.as_ref().is_some_and(|before| Arc::ptr_eq(before, weights)) {
            return self.colors.clone();
        }
        let colors = Arc::make_mut(&mut self.colors);
        colors.resize(render.vertex.len(), [1.0; 4]);
        for (color, &v) in colors.iter_mut().zip(&render.vertex) {
            let v = v as usize;
            let changed = |before: &Arc<VertexWeights>| before.row(v) != weights.row(v);
            if before.as_ref().is_none_or(changed) {
                *color = linear(weight_colors::vertex_color(weights, v, bones, rainbow));
            }
        }
        self.colors.clone()
    }
}

fn linear(color: Color32) -> [f32; 4] {
    let [r, g, b, _] = color.to_array();
    let [r, g, b] = [r, g, b].map(|c| colormap::linear_from_srgb(f32::from(c) / 255.0));
    [r, g, b, 1.0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives;
    use glam::Vec3;

    #[test]
    fn cached_colours_equal_fresh_ones() {
        let surface = primitives::cuboid(Vec3::ONE).unwrap();
        let render = Arc::new(RenderMesh::new(&surface));
        let weights = |changed: usize, weight: f32| {
            let mut weights = VertexWeights::none(0);
            for v in 0..surface.vertex_count() {
                let part = if v == changed { weight } else { 0.25 };
                weights.push_row([(0, part), (1, 1.0 - part)]);
            }
            Arc::new(weights)
        };
        let mut cached = WeightColors::default();
        for (weights, bones) in [
            (weights(2, 0.5), vec![0]),
            (weights(3, 0.75), vec![0]),
            (weights(3, 0.75), vec![1]),
            (weights(4, 0.75), vec![0, 1]),
            (weights(9, 1.0), vec![]),
            (weights(1, 1.0), vec![]),
        ] {
            let found = cached.colors(&weights, &render, bones.clone(), false);
            let fresh = WeightColors::default().colors(&weights, &render, bones.clone(), false);
            assert_eq!(found, fresh, "{bones:?}");
            let again = cached.colors(&weights, &render, bones, false);
            assert!(Arc::ptr_eq(&found, &again));
        }
    }
}
