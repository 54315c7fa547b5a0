//! Sparse vertex weights: which bones move which vertices, and how much.

use serde::{Deserialize, Serialize};

/// Sparse weights in compressed rows, one row per vertex. Vertex v owns the entries `ends[v-1]..ends[v]`.
///
/// The arrays are public and may hold anything; [`VertexWeights::validate`] checks them. Nothing here panics
/// on invalid arrays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VertexWeights {
    /// V: the end of each vertex's entries, non-decreasing; the last is the number of entries.
    pub ends: Vec<u32>,
    /// The bone of each entry.
    pub bones: Vec<u16>,
    /// The weight of each entry.
    pub weights: Vec<f32>,
}

/// The reason why weights are invalid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum WeightsError {
    #[error("there are weights for {rows} vertices, but {vertices} vertices; the numbers must match")]
    Rows { rows: usize, vertices: usize },
    #[error("there are {bones} bone indices but {weights} weights; the numbers must match")]
    Lengths { bones: usize, weights: usize },
    #[error("vertex {vertex} has weight entries {start} to {end} of {entries}; ends must never decrease")]
    Range { vertex: usize, start: u32, end: u32, entries: usize },
    #[error("the vertices own {end} of {entries} weight entries; the last end must be their number")]
    LastEnd { end: u32, entries: usize },
    #[error(
        "vertex {vertex} is weighted to bone {bone}, but there are only {bones} bones; every index must be below \
             that"
    )]
    Bone { vertex: usize, bone: u16, bones: usize },
    #[error("vertex {vertex} has weight {weight} on bone {bone}; weights must be finite and not negative")]
    Weight { vertex: usize, bone: u16, weight: f32 },
}

impl VertexWeights {
    /// Creates empty rows for `vertices` vertices.
    pub fn none(vertices: usize) -> Self {
        Self { ends: vec![0; vertices], bones: Vec::new(), weights: Vec::new() }
    }

    /// Appends the row of another vertex.
    pub fn push_row(&mut self, row: impl IntoIterator<Item = (u16, f32)>) {
        for (bone, weight) in row {
            self.bones.push(bone);
            self.weights.push(weight);
        }
        self.ends.push(self.bones.len() as u32);
    }

    /// The number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.ends.len()
    }

    /// Returns the bones and weights of vertex `v`, of equal length. Both are empty if the vertex is out of
    /// range or its range of entries is invalid.
    pub fn row(&self, v: usize) -> (&[u16], &[f32]) {
        let Some(&end) = self.ends.get(v) else {
            return (&[], &[]);
        };
        let start = if v == 0 { 0 } else { self.ends[v - 1] };
        let range = start as usize..end as usize;
        match (self.bones.get(range.clone()), self.weights.get(range)) {
            (Some(bones), Some(weights)) => (bones, weights),
            _ => (&[], &[]),
        }
    }

    /// Returns the entries of vertex `v` as (bone, weight); empty as for [`VertexWeights::row`].
    pub fn influences(&self, v: usize) -> impl Iterator<Item = (u16, f32)> + '_ {
        let (bones, weights) = self.row(v);
        bones.iter().copied().zip(weights.iter().copied())
    }

    /// Returns all rows in vertex order.
    pub fn rows(&self) -> impl Iterator<Item = (&[u16], &[f32])> + '_ {
        (0..self.ends.len()).map(|v| self.row(v))
    }

    /// V: the sum of each vertex's weights.
    pub fn sums(&self) -> impl Iterator<Item = f64> + '_ {
        self.rows().map(|(_, weights)| weights.iter().map(|&w| f64::from(w)).sum())
    }

    /// The number of vertices without entries, which skinning does not move.
    pub fn unweighted_count(&self) -> usize {
        self.rows().filter(|(bones, _)| bones.is_empty()).count()
    }

    /// The largest number of entries of a vertex.
    pub fn max_influences(&self) -> usize {
        self.rows().map(|(bones, _)| bones.len()).max().unwrap_or(0)
    }

    /// Checks that there is a row for each of `vertices` vertices, that the ends do not decrease, and that
    /// every entry has a bone below `bones` and a finite, non-negative weight. Sums are not checked.
    ///
    /// # Errors
    /// Returns the first problem.
    pub fn validate(&self, vertices: usize, bones: usize) -> Result<(), WeightsError> {
        let entries = self.bones.len();
        if self.ends.len() != vertices {
            let rows = self.ends.len();
            return Err(WeightsError::Rows { rows, vertices });
        }
        if self.weights.len() != entries {
            let weights = self.weights.len();
            return Err(WeightsError::Lengths { bones: entries, weights });
        }
        let mut start = 0;
        for (vertex, &end) in self.ends.iter().enumerate() {
            if end < start || end as usize > entries {
                return Err(WeightsError::Range { vertex, start, end, entries });
            }
            for (bone, weight) in self.influences(vertex) {
                if usize::from(bone) >= bones {
                    return Err(WeightsError::Bone { vertex, bone, bones });
                }
                if !weight.is_finite() || weight < 0.0 {
                    return Err(WeightsError::Weight { vertex, bone, weight });
                }
            }
            start = end;
        }
        if start as usize != entries {
            return Err(WeightsError::LastEnd { end: start, entries });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> VertexWeights {
        VertexWeights { ends: vec![2, 2, 3], bones: vec![0, 4, 1], weights: vec![0.25, 0.75, 0.5] }
    }

    #[test]
    fn rows_and_counts() {
        let weights = sample();
        assert_eq!(weights.row(0), (&[0, 4][..], &[0.25, 0.75][..]));
        assert_eq!(weights.row(1), (&[][..], &[][..]));
        assert_eq!(weights.influences(2).collect::<Vec<_>>(), [(1, 0.5)]);
        assert_eq!(weights.row(3), (&[][..], &[][..]));
        assert_eq!(weights.sums().collect::<Vec<_>>(), [1.0, 0.0, 0.5]);
        assert_eq!((weights.unweighted_count(), weights.max_influences()), (1, 2));
        assert_eq!(weights.validate(3, 5), Ok(()));

        let none = VertexWeights::none(4);
        assert_eq!(none.validate(4, 0), Ok(()));
        assert_eq!((none.unweighted_count(), none.max_influences()), (4, 0));
        assert_eq!(VertexWeights::default().validate(0, 0), Ok(()));
    }

    #[test]
    fn invalid_weights_are_reported_and_never_panic() {
        type Corruption = fn(&mut VertexWeights);
        let cases: &[(Corruption, &str)] = &[
            (|w| w.ends.truncate(2), "for 2 vertices, but 3 vertices"),
            (|w| w.weights.truncate(2), "3 bone indices but 2 weights"),
            (|w| w.ends[1] = 1, "vertex 1 has weight entries 2 to 1 of 3"),
            (|w| w.ends[1] = u32::MAX, "vertex 1 has weight entries 2 to 4294967295 of 3"),
            (|w| w.ends[2] = 2, "own 2 of 3 weight entries"),
            (|w| w.bones[1] = 5, "vertex 0 is weighted to bone 5, but there are only 5 bones"),
            (|w| w.weights[2] = f32::NAN, "vertex 2 has weight NaN on bone 1"),
            (|w| w.weights[2] = -0.5, "vertex 2 has weight -0.5"),
        ];
        for (corrupt, text) in cases {
            let mut weights = sample();
            corrupt(&mut weights);
            let error = weights.validate(3, 5).unwrap_err().to_string();
            assert!(error.contains(text), "{error:?} should contain {text:?}");
            assert!(weights.rows().all(|(bones, weights)| bones.len() == weights.len()));
        }
    }
}
