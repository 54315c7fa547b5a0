//! Findings of mesh repairs as sentences of a report. Vertices are counted from 1 in them.

use super::report::{Report, Severity};
use crate::mesh::repair::finding::{Finding, Item, Kind};

/// Adds findings of a repair. `vertices` is the number of vertices in the file; `place` formats the place of
/// a finding, and `index` the index of a missing vertex.
pub fn add(
    report: &mut Report,
    findings: &[Finding],
    vertices: usize,
    place: impl Fn(u32) -> String,
    index: impl Fn(u32) -> String,
) {
    for finding in findings {
        let items: Vec<String> = finding
            .items
            .iter()
            .map(|item| match item {
                Item::FaceVertex(face, vertex) if finding.kind == Kind::MissingVertex => {
                    format!("face {face} ({})", index(*vertex))
                }
                item => item_text(item),
            })
            .collect();
        let mut list = items.join(", ");
        if finding.count > items.len() {
            list.push_str(&format!(" and {} more", finding.count - items.len()));
        }
        let [code, singular, plural, action] = texts(finding.kind);
        let problem = if finding.count == 1 { singular } else { plural };
        let mut text = format!("{} {problem}: {list}; {action}", finding.count);
        if finding.kind == Kind::MissingVertex {
            text.push_str(&format!(" (there are {vertices} vertices)"));
        }
        report.add(Severity::Warning, code, place(finding.location), text);
    }
}

fn item_text(item: &Item) -> String {
    match *item {
        Item::Face(face) => format!("face {face}"),
        Item::FaceVertex(face, vertex) => format!("face {face} (vertex {})", u64::from(vertex) + 1),
        Item::FaceCorners(face, corners) => format!("face {face} ({corners})"),
        Item::Edge([a, b], 2) => format!("{}-{}", a + 1, b + 1),
        Item::Edge([a, b], faces) => format!("{}-{} ({faces} faces)", a + 1, b + 1),
        Item::Vertex(vertex, position) => {
            format!("vertex {} at {}, {}, {}", vertex + 1, position.x, position.y, position.z)
        }
    }
}

/// The code, the problem (singular and plural), and what was done about it.
fn texts(kind: Kind) -> [&'static str; 4] {
    match kind {
        Kind::MissingVertex => [
            "index-out-of-range",
            "face names a vertex that is not there",
            "faces name vertices that are not there",
            "left out",
        ],
        Kind::FewCorners => [
            "too-few-corners",
            "face has fewer than three corners",
            "faces have fewer than three corners",
            "left out",
        ],
        Kind::BadUv => [
            "bad-uv",
            "corner has a texture coordinate that is not there or not a number",
            "corners have texture coordinates that are not there or not numbers",
            "0, 0 is taken",
        ],
        Kind::BadNormal => [
            "bad-normal",
            "corner has a normal that is not there or not a number",
            "corners have normals that are not there or not numbers",
            "computed",
        ],
        Kind::RepeatedCorner => [
            "repeated-corner",
            "face touches a vertex twice",
            "faces touch a vertex twice",
            "each is cut there, and parts without area are left out",
        ],
        Kind::NoArea => {
            ["no-area", "face has no area", "faces have no area", "kept; check what they are for"]
        }
        Kind::DuplicateFace => [
            "duplicate-face",
            "face is there twice",
            "faces are there twice",
            "only the first of each is kept",
        ],
        Kind::FlippedFace => [
            "turned-face",
            "face runs the other way around than its neighbours",
            "faces run the other way around than their neighbours",
            "turned",
        ],
        Kind::NonManifoldEdge => [
            "non-manifold-edge",
            "edge has more than two faces",
            "edges (vertex-vertex) have more than two faces",
            "their vertices are doubled, so that the other faces are separate there",
        ],
        Kind::NonOrientable => [
            "one-sided",
            "edge joins faces that cannot face the same way (a one-sided surface)",
            "edges (vertex-vertex) join faces that cannot face the same way (a one-sided surface)",
            "the surface is cut there",
        ],
        Kind::BowTie => [
            "bow-tie",
            "vertex joins separate fans of faces (a bow-tie)",
            "vertices join separate fans of faces (bow-ties)",
            "each is doubled, one for every fan",
        ],
        Kind::LoosePoint => ["loose-point", "vertex is in no face", "vertices are in no face", "left out"],
    }
}
