//! Statistics of the selected skinned mesh that require a pass over it; recomputed only when it changes.

use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::weights::VertexWeights;
use crate::rig::weights::report::WeightReport;
use crate::scene::skinned::SkinnedMesh;
use std::sync::Arc;

/// The statistics of a surface and its weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshFacts {
    pub vertices: usize,
    pub edges: usize,
    /// The number of faces, without the boundary faces that fill holes.
    pub faces: usize,
    /// The longest side of the bounding box, in mesh units; 1 if there is none.
    pub size: f64,
    /// The number of vertices with at least one influence.
    pub weighted: usize,
}

/// A cache of the facts of the last mesh.
#[derive(Default)]
pub struct FactsCache {
    key: Option<(Arc<HalfedgeMesh>, Arc<VertexWeights>)>,
    facts: Option<MeshFacts>,
}

impl FactsCache {
    pub fn get(&mut self, mesh: &SkinnedMesh) -> MeshFacts {
        let is_current = self.key.as_ref().is_some_and(|(surface, weights)| {
            Arc::ptr_eq(surface, &mesh.surface) && Arc::ptr_eq(weights, &mesh.weights)
        });
        if let Some(facts) = self.facts.filter(|_| is_current) {
            return facts;
        }
        let facts = count(&mesh.surface, &mesh.weights);
        self.key = Some((mesh.surface.clone(), mesh.weights.clone()));
        self.facts = Some(facts);
        facts
    }
}

/// A cache of the report on the last weights.
#[derive(Default)]
pub struct ReportCache {
    key: Option<(Arc<VertexWeights>, usize)>,
    report: Arc<WeightReport>,
}

impl ReportCache {
    pub fn get(&mut self, mesh: &SkinnedMesh) -> Arc<WeightReport> {
        let bones = mesh.skeleton.bones.len();
        let is_current = |(weights, count): &(Arc<VertexWeights>, usize)| {
            Arc::ptr_eq(weights, &mesh.weights) && *count == bones
        };
        if !self.key.as_ref().is_some_and(is_current) {
            self.report = Arc::new(WeightReport::new(&mesh.weights, &mesh.skeleton));
            self.key = Some((mesh.weights.clone(), bones));
        }
        self.report.clone()
    }
}

fn count(surface: &HalfedgeMesh, weights: &VertexWeights) -> MeshFacts {
    let positions = surface.positions();
    let low = positions.iter().copied().reduce(|a, b| a.min(b));
    let high = positions.iter().copied().reduce(|a, b| a.max(b));
    let size = low.zip(high).map_or(0.0, |(low, high)| f64::from((high - low).max_element()));
    let starts = std::iter::once(&0).chain(&weights.ends);
    MeshFacts {
        vertices: surface.vertex_count(),
        edges: surface.edge_count(),
        faces: surface.face_count() - surface.face_boundaries().iter().filter(|b| **b).count(),
        size: if size.is_finite() && size > 0.0 { size } else { 1.0 },
        weighted: starts.zip(&weights.ends).filter(|(start, end)| end > start).count(),
    }
}

/// The drag step for lengths of an object of `size`: about a 500th of it, rounded to 1, 2 or 5 times a power
/// of ten.
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

/// The number of decimals that a length with drag step `step` needs.
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
        let weights =
            VertexWeights { ends: vec![2, 2, 3], bones: vec![0, 1, 0], weights: vec![0.5, 0.5, 1.0] };
        assert_eq!(count(&HalfedgeMesh::default(), &weights).weighted, 2);
        assert_eq!(count(&HalfedgeMesh::default(), &VertexWeights::none(4)).weighted, 0);
    }
}
