//! Counts repairs and omissions in the meshes of a file, and reports them as findings.

use crate::io::count::counted;
use crate::io::report::{Report, Severity};

/// Repairs and omissions, counted over all primitives.
#[derive(Default)]
pub struct Counts {
    pub left_out: usize,
    pub targets: usize,
    pub attributes: usize,
    pub remainders: usize,
    pub unnormalised: usize,
    pub doubled: usize,
    /// Vertices with weights that are no numbers, and joints of weight 0 that are not in the skin.
    pub bad_weights: usize,
    pub unused_joints: usize,
    /// The smallest sum of weights.
    pub min_sum: f64,
    pub welded: usize,
    pub corners: usize,
}

impl Counts {
    pub fn report(&self, pointer: &str, report: &mut Report) {
        let Self {
            left_out,
            targets,
            attributes,
            remainders,
            unnormalised,
            doubled,
            bad_weights,
            unused_joints,
            welded,
            corners,
            min_sum,
        } = *self;
        let percent = 100.0 * unnormalised as f64 / corners.max(1) as f64;
        let (note, warning) = (Severity::Note, Severity::Warning);
        let findings = [
            (
                left_out,
                (warning, "left-out"),
                format!(
                    "{} left out: only triangles can be used",
                    counted(left_out, "primitive of points or lines is", "primitives of points or lines are")
                ),
            ),
            (
                targets,
                (warning, "morph-targets"),
                format!(
                    "{} colours or texture coordinates, which is left out; what they move stays",
                    counted(targets, "morph target also changes", "morph targets also change")
                ),
            ),
            (
                attributes,
                (note, "left-out"),
                format!(
                    "{} left out: tangents, colours or further texture coordinates",
                    counted(attributes, "attribute is", "attributes are")
                ),
            ),
            (
                remainders,
                (warning, "odd-indices"),
                format!(
                    "{} a number of indices that makes no triangles; the last ones are left out",
                    counted(remainders, "primitive has", "primitives have")
                ),
            ),
            (
                unnormalised,
                (warning, "weights-not-normalized"),
                format!(
                    "the weights of {} ({percent:.1} %) do not sum to 1, but to as little as {min_sum:.2}; they are \
                     divided by their sum",
                    counted(unnormalised, "vertex", "vertices")
                ),
            ),
            (
                bad_weights,
                (warning, "bad-weights"),
                format!(
                    "{} weights that are not numbers, and counts as one without weights",
                    counted(bad_weights, "vertex has", "vertices have")
                ),
            ),
            (
                unused_joints,
                (note, "unused-joint"),
                format!(
                    "{} named that {} not in the skin, with a weight of 0",
                    counted(unused_joints, "joint is", "joints are"),
                    if unused_joints == 1 { "is" } else { "are" }
                ),
            ),
            (
                doubled,
                (note, "joint-twice"),
                format!(
                    "{} a vertex names a joint again; its weights are added",
                    counted(doubled, "time", "times")
                ),
            ),
            (
                welded,
                (note, "welded"),
                format!(
                    "{welded} of {corners} vertices were doubled for normals or texture coordinates; they are joined"
                ),
            ),
        ];
        for (_, (severity, code), text) in findings.into_iter().filter(|(count, ..)| *count > 0) {
            report.add(severity, code, pointer, text);
        }
    }
}
