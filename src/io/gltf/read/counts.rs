//! What was put right or left out of the meshes of a file, said as findings.

use crate::io::count::counted;
use crate::io::report::{Report, Severity};

/// What was put right or left out, counted over all primitives.
#[derive(Default)]
pub struct Counts {
    pub left_out: usize,
    pub targets: usize,
    pub attributes: usize,
    pub remainders: usize,
    pub unnormal: usize,
    pub doubled: usize,
    /// The smallest sum of weights.
    pub least: f64,
    pub welded: usize,
    pub corners: usize,
}

impl Counts {
    pub fn report(&self, at: &str, report: &mut Report) {
        let Self {
            left_out,
            targets,
            attributes,
            remainders,
            unnormal,
            doubled,
            welded,
            corners,
            least,
        } = *self;
        let percent = 100.0 * unnormal as f64 / corners.max(1) as f64;
        let (note, warning) = (Severity::Note, Severity::Warning);
        let findings = [
            (
                left_out,
                (warning, "left-out"),
                format!(
                    "{} left out: only triangles can be used",
                    counted(
                        left_out,
                        "primitive of points or lines is",
                        "primitives of points or lines are"
                    )
                ),
            ),
            (
                targets,
                (warning, "morph-targets"),
                format!(
                    "{} left out; the shape is the one with the weights that the mesh states",
                    counted(targets, "morph target is", "morph targets are")
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
                unnormal,
                (warning, "weights-not-normalized"),
                format!(
                    "the weights of {} ({percent:.1} %) do not sum to 1, but to as little as {least:.2}; they are \
                     divided by their sum",
                    counted(unnormal, "vertex", "vertices")
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
            report.add(severity, code, at, text);
        }
    }
}
