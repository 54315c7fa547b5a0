//! The colours of weights on a skin, kept until weights, mesh or bone change.

use crate::editor::ui::heat;
use crate::math::colormap;
use crate::mesh::render::RenderMesh;
use crate::rig::weights::VertexWeights;
use egui::Color32;
use std::sync::Arc;

/// The colours of the weights view, made once per change.
#[derive(Default)]
pub struct WeightColors {
    made_from: Option<MadeFrom>,
    colors: Arc<Vec<[f32; 4]>>,
}

/// What the colours were made from: weights, their mesh, the active bone, and whether by the rainbow.
type MadeFrom = (Arc<VertexWeights>, Arc<RenderMesh>, Option<usize>, bool);

impl WeightColors {
    /// R: linear colours of the render vertices. `bone`: the active one.
    pub fn colors(
        &mut self,
        weights: &Arc<VertexWeights>,
        render: &Arc<RenderMesh>,
        bone: Option<usize>,
        rainbow: bool,
    ) -> Arc<Vec<[f32; 4]>> {
        let same = self.made_from.as_ref().is_some_and(|(w, r, b, colours)| {
            Arc::ptr_eq(w, weights) && Arc::ptr_eq(r, render) && (*b, *colours) == (bone, rainbow)
        });
        if !same {
            let of_vertices = heat::of_vertices(weights, bone, rainbow);
            let linear = |color: &Color32| {
                let [r, g, b, _] = color.to_array();
                let [r, g, b] = [r, g, b].map(|c| colormap::linear_from_srgb(f32::from(c) / 255.0));
                [r, g, b, 1.0]
            };
            let of_vertices: Vec<[f32; 4]> = of_vertices.iter().map(linear).collect();
            let color = |v: &u32| of_vertices.get(*v as usize).copied().unwrap_or([1.0; 4]);
            self.colors = Arc::new(render.vertex.iter().map(color).collect());
            self.made_from = Some((weights.clone(), render.clone(), bone, rainbow));
        }
        self.colors.clone()
    }
}
