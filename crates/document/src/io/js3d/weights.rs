//! Bone weights as stated in a mesh object, checked and repaired.

use super::ReadError;
use super::reader::Reader;
use crate::io::count::counted;
use crate::io::report::Severity;
use crate::rig::weights::VertexWeights;

const ENDS: &str = "vertex_bone_weight_ends";

/// The three weight arrays of a mesh object.
pub struct RawWeights {
    pub ends: Vec<u32>,
    pub bones: Vec<u32>,
    pub weights: Vec<f32>,
}

impl RawWeights {
    /// Returns the weights of `vertices` vertices; influences of bones that are not among the first `bones`
    /// are dropped.
    pub fn check(
        mut self,
        r: &mut Reader<'_>,
        vertices: usize,
        bones: Option<usize>,
    ) -> Result<VertexWeights, ReadError> {
        let last = self.ends.last().copied().unwrap_or(0);
        r.resize((ENDS, Severity::Warning), &mut self.ends, vertices, last);
        let claimed = self.ends.last().copied().unwrap_or(0);
        self.equalize_lengths(r, claimed as usize);
        if let Some(index) = self.weights.iter().position(|weight| !weight.is_finite()) {
            let problem = format!("weight {index} is {}", self.weights[index]);
            let hint = "Calculate the weights again in the program that made the file.";
            return Err(r.within("bone_weight_weights", |r| r.refuse(problem, hint)));
        }
        let rows = self.rows(r, claimed);
        Ok(self.gather(r, &rows, bones))
    }

    /// Makes bones and weights equally long. Scotty3D fills both up to `claimed`, with weight 0 of bone 0;
    /// weights of 0 have no effect, so that nothing needs to be filled here.
    fn equalize_lengths(&mut self, r: &mut Reader<'_>, claimed: usize) {
        for (name, length) in
            [("bone_weight_bones", self.bones.len()), ("bone_weight_weights", self.weights.len())]
        {
            if length != claimed {
                let text = format!("the array has {length} entries but the vertices own {claimed}");
                let text = format!("{text}; it is cut, or filled with weight 0 of bone 0");
                r.within(name, |r| {
                    if length > claimed {
                        r.report_loss(Severity::Warning, "wrong-array-length", text)
                    } else {
                        r.warn("wrong-array-length", text)
                    }
                });
            }
        }
        let length = claimed.min(self.weights.len());
        self.bones.resize(length, 0);
        self.weights.truncate(length);
    }

    /// Returns the start and end of each vertex's entries within the arrays. A range that runs backwards,
    /// exceeds `claimed`, or overlaps the entries of an earlier vertex is empty.
    fn rows(&self, r: &mut Reader<'_>, claimed: u32) -> Vec<(usize, usize)> {
        let (mut start, mut owned_end) = (0, 0);
        let mut bad_count = 0;
        let mut rows = Vec::with_capacity(self.ends.len());
        for &end in &self.ends {
            if start <= end && end <= claimed && start >= owned_end {
                owned_end = end;
                let clamp = |index: u32| (index as usize).min(self.weights.len());
                rows.push((clamp(start), clamp(end)));
            } else {
                bad_count += 1;
                rows.push((0, 0));
            }
            start = end;
        }
        if bad_count > 0 {
            let text = format!(
                "{} an impossible range of weights, and no weights now",
                counted(bad_count, "vertex has", "vertices have")
            );
            r.within(ENDS, |r| r.report_loss(Severity::Warning, "bad-weight-range", text));
        }
        rows
    }

    fn gather(&self, r: &mut Reader<'_>, rows: &[(usize, usize)], bones: Option<usize>) -> VertexWeights {
        let limit = bones.unwrap_or(usize::MAX).min(usize::from(u16::MAX) + 1);
        let mut result = VertexWeights::default();
        let (mut dropped, mut negative, mut unnormalised) = (0, 0, 0);
        for &(start, end) in rows {
            let mut sum = 0.0;
            for (&bone, &weight) in self.bones[start..end].iter().zip(&self.weights[start..end]) {
                sum += f64::from(weight);
                negative += usize::from(weight < 0.0);
                match u16::try_from(bone) {
                    Ok(bone) if usize::from(bone) < limit => {
                        result.bones.push(bone);
                        result.weights.push(weight);
                    }
                    _ => dropped += 1,
                }
            }
            unnormalised += usize::from(start < end && (sum - 1.0).abs() > 1e-3);
            // No more than in the file's array, whose length fits a `u32`.
            result.ends.push(result.bones.len() as u32);
        }
        if dropped > 0 {
            let text = format!(
                "{} a bone beyond the {limit} there can be, and dropped",
                counted(dropped, "influence is of", "influences are of")
            );
            r.within("bone_weight_bones", |r| r.report_loss(Severity::Warning, "bone-out-of-range", text));
        }
        if negative > 0 {
            let text = format!("{} negative, and kept", counted(negative, "weight is", "weights are"));
            r.within("bone_weight_weights", |r| r.note("negative-weight", text));
        }
        if unnormalised > 0 && bones.is_some() {
            let text = format!(
                "the weights of {} do not sum to 1; they are kept",
                counted(unnormalised, "vertex", "vertices")
            );
            r.within("bone_weight_weights", |r| r.note("weights-not-normalised", text));
        }
        result
    }
}
