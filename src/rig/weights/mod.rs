//! Which bones move which vertices.

pub mod capsule;

/// Sparse weights, a row per vertex (compressed rows). Vertex v owns entries `ends[v-1]..ends[v]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VertexWeights {
    /// V: end of each vertex's entries; never decreasing; the last is the number of entries.
    pub ends: Vec<u32>,
    /// Bone of each entry.
    pub bones: Vec<u16>,
    /// Weight of each entry.
    pub weights: Vec<f32>,
}

impl VertexWeights {
    /// No weights for `vertices` vertices.
    pub fn none(vertices: usize) -> Self {
        Self {
            ends: vec![0; vertices],
            bones: Vec::new(),
            weights: Vec::new(),
        }
    }

    /// Entries of vertex `v`: (bone, weight).
    pub fn of(&self, v: usize) -> impl Iterator<Item = (u16, f32)> + '_ {
        let start = if v == 0 { 0 } else { self.ends[v - 1] as usize };
        let range = start..self.ends[v] as usize;
        self.bones[range.clone()]
            .iter()
            .copied()
            .zip(self.weights[range].iter().copied())
    }
}
