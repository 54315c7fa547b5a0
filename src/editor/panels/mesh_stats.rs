//! Numbers about the chosen skinned mesh that take a walk over it to count; counted once per change.

use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::weights::VertexWeights;
use crate::rig::weights::report::WeightReport;
use crate::scene::skinned::SkinnedMesh;
use std::sync::Arc;

/// What is known of a surface and its weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshFacts {
    pub vertices: usize,
    pub edges: usize,
    /// Without the boundary faces that surround holes.
    pub faces: usize,
    /// Longest side of the box around it, in mesh units; 1 where there is none.
    pub size: f64,
    /// Vertices that at least one bone moves.
    pub weighted: usize,
}

/// Facts of the mesh that was asked for last.
#[derive(Default)]
pub struct FactsCache {
    of: Option<(Arc<HalfedgeMesh>, Arc<VertexWeights>)>,
    facts: Option<MeshFacts>,
}

impl FactsCache {
    pub fn get(&mut self, mesh: &SkinnedMesh) -> MeshFacts {
        let same = self.of.as_ref().is_some_and(|(surface, weights)| {
            Arc::ptr_eq(surface, &mesh.surface) && Arc::ptr_eq(weights, &mesh.weights)
        });
        if let Some(facts) = self.facts.filter(|_| same) {
            return facts;
        }
        let facts = count(&mesh.surface, &mesh.weights);
        self.of = Some((mesh.surface.clone(), mesh.weights.clone()));
        self.facts = Some(facts);
        facts
    }
}

/// The report on the weights that were asked for last.
#[derive(Default)]
pub struct ReportCache {
    of: Option<(Arc<VertexWeights>, usize)>,
    report: Arc<WeightReport>,
}

impl ReportCache {
    pub fn get(&mut self, mesh: &SkinnedMesh) -> Arc<WeightReport> {
        let bones = mesh.skeleton.bones.len();
        let same = |(weights, count): &(Arc<VertexWeights>, usize)| {
            Arc::ptr_eq(weights, &mesh.weights) && *count == bones
        };
        if !self.of.as_ref().is_some_and(same) {
            self.report = Arc::new(WeightReport::new(&mesh.weights, &mesh.skeleton));
            self.of = Some((mesh.weights.clone(), bones));
        }
        self.report.clone()
    }
}

fn count(surface: &HalfedgeMesh, weights: &VertexWeights) -> MeshFacts {
    let positions = surface.positions();
    let low = positions.iter().copied().reduce(|a, b| a.min(b));
    let high = positions.iter().copied().reduce(|a, b| a.max(b));
    let size = low
        .zip(high)
        .map_or(0.0, |(low, high)| f64::from((high - low).max_element()));
    let starts = std::iter::once(&0).chain(&weights.ends);
    MeshFacts {
        vertices: surface.vertex_count(),
        edges: surface.edge_count(),
        faces: surface.face_count() - surface.face_boundary.iter().filter(|b| **b).count(),
        size: if size.is_finite() && size > 0.0 { size } else { 1.0 },
        weighted: starts
            .zip(&weights.ends)
            .filter(|(start, end)| end > start)
            .count(),
    }
}

/// Drag step for lengths of something `size` long: about a five-hundredth, as 1, 2 or 5 times a power of ten.
pub fn length_step(size: f64) -> f64 {
    let raw = (size / 500.0).clamp(1e-6, 1e6);
    let power = 10f64.powf(raw.log10().floor());
    match raw / power {
        r if r < 1.5 => power,
        r if r < 3.5 => 2.0 * power,
        r if r < 7.5 => 5.0 * power,
        _ => 10.0 * power,
    }
}

/// Digits after the point that show a length with such a step.
pub fn length_decimals(step: f64) -> usize {
    (1.0 - step.log10()).ceil().clamp(0.0, 6.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        assert!((length_step(2.0) - 0.005).abs() < 1e-12);
        assert!((length_step(500.0) - 1.0).abs() < 1e-12);
        assert!((length_step(0.1) - 0.0002).abs() < 1e-12);
        assert_eq!(length_decimals(1.0), 1);
        assert_eq!(length_decimals(0.005), 4);
    }

    #[test]
    fn weighted_vertices_are_counted() {
        let weights = VertexWeights {
            ends: vec![2, 2, 3],
            bones: vec![0, 1, 0],
            weights: vec![0.5, 0.5, 1.0],
        };
        assert_eq!(count(&HalfedgeMesh::default(), &weights).weighted, 2);
        assert_eq!(
            count(&HalfedgeMesh::default(), &VertexWeights::none(4)).weighted,
            0
        );
    }
}
