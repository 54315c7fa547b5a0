//! Bone weights as a mesh object states them, checked and repaired.

use super::ReadError;
use super::reader::Reader;
use crate::io::report::Severity;
use crate::rig::weights::VertexWeights;

const ENDS: &str = "vertex_bone_weight_ends";

/// The three arrays of a mesh object.
pub struct RawWeights {
    pub ends: Vec<u32>,
    pub bones: Vec<u32>,
    pub weights: Vec<f32>,
}

impl RawWeights {
    /// Rows for `vertices` vertices; influences of bones that are not among the first `bones` are dropped.
    pub fn check(
        mut self,
        r: &mut Reader<'_>,
        vertices: usize,
        bones: Option<usize>,
    ) -> Result<VertexWeights, ReadError> {
        let last = self.ends.last().copied().unwrap_or(0);
        r.resize((ENDS, Severity::Warning), &mut self.ends, vertices, last);
        let claimed = self.ends.last().copied().unwrap_or(0);
        self.fit(r, claimed as usize);
        if let Some(at) = self.weights.iter().position(|weight| !weight.is_finite()) {
            let what = format!("weight {at} is {}", self.weights[at]);
            let hint = "Calculate the weights again in the program that made the file.";
            return Err(r.at("bone_weight_weights", |r| r.refuse(what, hint)));
        }
        let rows = self.rows(r, claimed);
        Ok(self.gather(r, &rows, bones))
    }

    /// Bones and weights of equal length. Scotty3D fills both up to `claimed`, with weight 0 of bone 0;
    /// weights of 0 have no effect, so that here nothing is filled that the file does not hold.
    fn fit(&mut self, r: &mut Reader<'_>, claimed: usize) {
        for (name, length) in [
            ("bone_weight_bones", self.bones.len()),
            ("bone_weight_weights", self.weights.len()),
        ] {
            if length != claimed {
                let text = format!("the array has {length} entries but the vertices own {claimed}");
                let text = format!("{text}; it is cut, or filled with weight 0 of bone 0");
                r.at(name, |r| match length > claimed {
                    true => r.lose(Severity::Warning, "wrong-array-length", text),
                    false => r.warn("wrong-array-length", text),
                });
            }
        }
        let length = claimed.min(self.weights.len());
        self.bones.resize(length, 0);
        self.weights.truncate(length);
    }

    /// Start and end of each vertex's entries, within the arrays. A range that runs backwards, reaches
    /// beyond `claimed`, or takes what an earlier vertex owns is empty.
    fn rows(&self, r: &mut Reader<'_>, claimed: u32) -> Vec<(usize, usize)> {
        let (mut start, mut owned) = (0, 0);
        let mut bad = 0;
        let mut rows = Vec::with_capacity(self.ends.len());
        for &end in &self.ends {
            if start <= end && end <= claimed && start >= owned {
                owned = end;
                let fit = |at: u32| (at as usize).min(self.weights.len());
                rows.push((fit(start), fit(end)));
            } else {
                bad += 1;
                rows.push((0, 0));
            }
            start = end;
        }
        if bad > 0 {
            let text = format!("{bad} vertices have an impossible range of weights; they get none");
            r.at(ENDS, |r| r.lose(Severity::Warning, "bad-weight-range", text));
        }
        rows
    }

    fn gather(&self, r: &mut Reader<'_>, rows: &[(usize, usize)], bones: Option<usize>) -> VertexWeights {
        let limit = bones.unwrap_or(usize::MAX).min(usize::from(u16::MAX) + 1);
        let mut kept = VertexWeights::default();
        let (mut dropped, mut negative, mut unnormalised) = (0, 0, 0);
        for &(start, end) in rows {
            let mut sum = 0.0;
            for (&bone, &weight) in self.bones[start..end].iter().zip(&self.weights[start..end]) {
                sum += f64::from(weight);
                negative += usize::from(weight < 0.0);
                match u16::try_from(bone) {
                    Ok(bone) if usize::from(bone) < limit => {
                        kept.bones.push(bone);
                        kept.weights.push(weight);
                    }
                    _ => dropped += 1,
                }
            }
            unnormalised += usize::from(start < end && (sum - 1.0).abs() > 1e-3);
            // At most as many as the file's array, whose length was bounded by a `u32`.
            kept.ends.push(kept.bones.len() as u32);
        }
        if dropped > 0 {
            let text =
                format!("{dropped} influences name a bone beyond the {limit} there can be; they are dropped");
            r.at("bone_weight_bones", |r| {
                r.lose(Severity::Warning, "bone-out-of-range", text)
            });
        }
        if negative > 0 {
            let text = format!("{negative} weights are negative; they are kept");
            r.at("bone_weight_weights", |r| r.note("negative-weight", text));
        }
        if unnormalised > 0 && bones.is_some() {
            let text = format!("the weights of {unnormalised} vertices do not sum to 1; they are kept");
            r.at("bone_weight_weights", |r| r.note("weights-not-normalised", text));
        }
        kept
    }
}
