//! From what an OBJ file states to polygons that a half-edge surface can hold. Every repair is told with
//! its places; positions are never moved.

use super::super::file::ReadError;
use super::super::report::{Report, Severity};
use super::orient;
use super::parse::Document;
use super::split;
use crate::mesh::soup::Polygons;
use glam::{DVec3, Vec2, Vec3};
use std::collections::{HashMap, HashSet};

/// Places named in one finding; the rest is counted.
const NAMED: usize = 8;

/// A face under repair.
#[derive(Clone, Debug)]
pub struct Polygon {
    /// Of the face, as the file counts: from 1.
    pub number: usize,
    pub line: usize,
    pub corners: Vec<Point>,
}

/// A corner.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    pub vertex: u32,
    pub uv: Vec2,
    /// Zero where there is none.
    pub normal: Vec3,
}

/// Things found, each with its line.
#[derive(Default)]
struct Found {
    places: Vec<(usize, String)>,
    count: usize,
}

impl Found {
    fn add(&mut self, line: usize, what: impl FnOnce() -> String) {
        self.count += 1;
        if self.places.len() < NAMED {
            self.places.push((line, what()));
        }
    }

    fn say(&self, report: &mut Report, code: &'static str, [one, many]: [&str; 2], done: &str) {
        let Some((line, _)) = self.places.first() else {
            return;
        };
        let names: Vec<&str> = self.places.iter().map(|(_, name)| name.as_str()).collect();
        let mut list = names.join(", ");
        if self.count > names.len() {
            list.push_str(&format!(" and {} more", self.count - names.len()));
        }
        let what = if self.count == 1 { one } else { many };
        let text = format!("{} {what}: {list}; {done}", self.count);
        report.add(Severity::Warning, code, format!("line {line}"), text);
    }
}

pub fn polygons(document: &Document, report: &mut Report) -> Result<Polygons, ReadError> {
    if document.positions.len() > u32::MAX as usize {
        return Err(ReadError::Content {
            what: format!("there are {} vertices", document.positions.len()),
            hint: "Split the mesh".into(),
        });
    }
    let mut polygons = resolved(document, report);
    polygons = simple(polygons, report);
    polygons = different(polygons, report);
    if polygons.is_empty() {
        return Err(ReadError::Content {
            what: format!(
                "none of the {} faces in the file can be used: {}",
                document.faces.len(),
                report.findings.last().map_or("", |f| &f.text)
            ),
            hint: "Export the mesh again".into(),
        });
    }
    flat(document, &polygons, report);
    oriented(document, &mut polygons, report);
    let origins = manifold(document, &mut polygons, report);
    Ok(numbered(document, &polygons, &origins, report))
}

fn face(number: usize) -> String {
    format!("face {number}")
}

/// Faces whose indices exist.
fn resolved(document: &Document, report: &mut Report) -> Vec<Polygon> {
    let (mut outside, mut few) = (Found::default(), Found::default());
    let (mut no_uv, mut no_normal) = (Found::default(), Found::default());
    let mut polygons = Vec::with_capacity(document.faces.len());
    for (stated, number) in document.faces.iter().zip(1..) {
        let there = |index: i64| {
            usize::try_from(index)
                .ok()
                .filter(|&i| i < document.positions.len())
        };
        if let Some(corner) = stated.corners.iter().find(|c| there(c.position).is_none()) {
            outside.add(stated.line, || match corner.position {
                0.. => format!("face {number} (vertex {})", corner.position.saturating_add(1)),
                // Stated as 0, or counted back too far.
                _ => format!("face {number} (before the first)"),
            });
            continue;
        }
        if stated.corners.len() < 3 {
            few.add(stated.line, || {
                format!("face {number} ({})", stated.corners.len())
            });
            continue;
        }
        let mut corners = Vec::with_capacity(stated.corners.len());
        for corner in &stated.corners {
            let uv = corner.uv.map(|i| document.uvs.get(i as usize));
            let normal = corner.normal.map(|i| document.normals.get(i as usize));
            if matches!(uv, Some(uv) if uv.is_none_or(|uv| !uv.is_finite())) {
                no_uv.add(stated.line, || face(number));
            }
            if matches!(normal, Some(n) if n.is_none_or(|n| !n.is_finite())) {
                no_normal.add(stated.line, || face(number));
            }
            corners.push(Point {
                vertex: corner.position as u32,
                uv: uv
                    .flatten()
                    .copied()
                    .filter(|uv| uv.is_finite())
                    .unwrap_or_default(),
                normal: normal
                    .flatten()
                    .copied()
                    .filter(|n| n.is_finite())
                    .unwrap_or_default(),
            });
        }
        polygons.push(Polygon {
            number,
            line: stated.line,
            corners,
        });
    }
    let total = document.positions.len();
    outside.say(
        report,
        "index-out-of-range",
        [
            "face names a vertex that is not there",
            "faces name vertices that are not there",
        ],
        &format!("left out (there are {total} vertices)"),
    );
    few.say(
        report,
        "too-few-corners",
        [
            "face has fewer than three corners",
            "faces have fewer than three corners",
        ],
        "left out",
    );
    no_uv.say(
        report,
        "bad-uv",
        [
            "corner has a texture coordinate that is not there or no number",
            "corners have texture coordinates that are not there or no numbers",
        ],
        "0, 0 is taken",
    );
    no_normal.say(
        report,
        "bad-normal",
        [
            "corner has a normal that is not there or no number",
            "corners have normals that are not there or no numbers",
        ],
        "computed",
    );
    polygons
}

/// Tells faces without area, whose corners lie on one line or in one place. They stay: a surface may be
/// closed by them.
fn flat(document: &Document, polygons: &[Polygon], report: &mut Report) {
    let mut found = Found::default();
    for polygon in polygons {
        let at = |corner: &Point| document.positions[corner.vertex as usize].as_dvec3();
        let corners: Vec<DVec3> = polygon.corners.iter().map(at).collect();
        let next = corners.iter().cycle().skip(1);
        let mut area = DVec3::ZERO;
        for (a, b) in corners.iter().zip(next) {
            area += (*a - corners[0]).cross(*b - corners[0]);
        }
        if area == DVec3::ZERO {
            found.add(polygon.line, || face(polygon.number));
        }
    }
    found.say(
        report,
        "no-area",
        ["face has no area", "faces have no area"],
        "kept; check what they are for",
    );
}

/// Faces cut where they touch a vertex twice; what is then no face is left out.
fn simple(polygons: Vec<Polygon>, report: &mut Report) -> Vec<Polygon> {
    let mut found = Found::default();
    let mut out = Vec::with_capacity(polygons.len());
    let mut sorted = Vec::new();
    for polygon in polygons {
        sorted.clear();
        sorted.extend(polygon.corners.iter().map(|c| c.vertex));
        sorted.sort_unstable();
        let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) else {
            out.push(polygon);
            continue;
        };
        found.add(polygon.line, || {
            format!("face {} (vertex {})", polygon.number, twice[0] + 1)
        });
        for corners in loops(&polygon.corners) {
            out.push(Polygon { corners, ..polygon });
        }
    }
    found.say(
        report,
        "repeated-corner",
        ["face touches a vertex twice", "faces touch a vertex twice"],
        "each is cut there, and parts without area are left out",
    );
    out
}

/// The closed parts of a walk that comes by a vertex more than once, each with at least three corners.
fn loops(corners: &[Point]) -> Vec<Vec<Point>> {
    let mut loops = Vec::new();
    let mut walk: Vec<Point> = Vec::new();
    let mut place: HashMap<u32, usize> = HashMap::new();
    for &corner in corners {
        if let Some(&from) = place.get(&corner.vertex) {
            let part = walk.split_off(from);
            part.iter().for_each(|c| {
                place.remove(&c.vertex);
            });
            loops.push(part);
        }
        place.insert(corner.vertex, walk.len());
        walk.push(corner);
    }
    loops.push(walk);
    loops.retain(|part| part.len() >= 3);
    loops
}

/// Without faces that are there already.
fn different(polygons: Vec<Polygon>, report: &mut Report) -> Vec<Polygon> {
    let mut found = Found::default();
    let mut known: HashSet<Vec<u32>> = HashSet::with_capacity(polygons.len());
    let mut out = Vec::with_capacity(polygons.len());
    for polygon in polygons {
        let mut around: Vec<u32> = polygon.corners.iter().map(|c| c.vertex).collect();
        let lowest = (0..around.len()).min_by_key(|&i| around[i]).unwrap_or(0);
        around.rotate_left(lowest);
        if known.insert(around) {
            out.push(polygon);
        } else {
            found.add(polygon.line, || face(polygon.number));
        }
    }
    found.say(
        report,
        "duplicate-face",
        ["face is there twice", "faces are there twice"],
        "only the first of each is kept",
    );
    out
}

/// Neighbours run around the same way.
fn oriented(document: &Document, polygons: &mut [Polygon], report: &mut Report) {
    let mut found = Found::default();
    for index in orient::turned(polygons) {
        let polygon = &mut polygons[index];
        found.add(polygon.line, || face(polygon.number));
        polygon.corners[1..].reverse();
        let at = |c: &Point| document.positions[c.vertex as usize].as_dvec3();
        let origin = at(&polygon.corners[0]);
        let pairs = polygon.corners.windows(2);
        let outwards = pairs
            .map(|pair| (at(&pair[0]) - origin).cross(at(&pair[1]) - origin))
            .sum::<glam::DVec3>();
        for corner in &mut polygon.corners {
            // Normals that were turned with the face turn back with it; others were right.
            if corner.normal.as_dvec3().dot(outwards) < 0.0 {
                corner.normal = -corner.normal;
            }
        }
    }
    found.say(
        report,
        "turned-face",
        [
            "face runs the other way around than its neighbours",
            "faces run the other way around than their neighbours",
        ],
        "turned",
    );
}

/// At most two faces at an edge, one fan of faces around a vertex. For each vertex the one of the file
/// that it stands at.
fn manifold(document: &Document, polygons: &mut [Polygon], report: &mut Report) -> Vec<u32> {
    let mut origins: Vec<u32> = (0..document.positions.len() as u32).collect();
    let split = split::split(polygons, &mut origins);
    let edge = |[a, b]: [u32; 2]| format!("{}-{}", a + 1, b + 1);
    let (mut crowded, mut twisted, mut ties) = (Found::default(), Found::default(), Found::default());
    for (ends, faces, line) in &split.edges {
        let kind = if *faces > 2 { &mut crowded } else { &mut twisted };
        kind.add(*line, || match faces {
            2 => edge(*ends),
            _ => format!("{} ({faces} faces)", edge(*ends)),
        });
    }
    for &v in &split.bow_ties {
        let p = document.positions[v as usize];
        ties.add(document.position_lines[v as usize], || {
            format!("vertex {} at {}, {}, {}", v + 1, p.x, p.y, p.z)
        });
    }
    crowded.say(
        report,
        "non-manifold-edge",
        [
            "edge has more than two faces",
            "edges (vertex-vertex) have more than two faces",
        ],
        "their vertices are doubled, so that the other faces are separate there",
    );
    twisted.say(
        report,
        "one-sided",
        [
            "edge joins faces that cannot face the same way (a one-sided surface)",
            "edges (vertex-vertex) join faces that cannot face the same way (a one-sided surface)",
        ],
        "the surface is cut there",
    );
    ties.say(
        report,
        "bow-tie",
        [
            "vertex joins separate fans of faces (a bow-tie)",
            "vertices join separate fans of faces (bow-ties)",
        ],
        "each is doubled, one for every fan",
    );
    origins
}

/// Vertices that faces use, in the order of the file; copies after them.
fn numbered(document: &Document, polygons: &[Polygon], origins: &[u32], report: &mut Report) -> Polygons {
    let mut new = vec![u32::MAX; origins.len()];
    let mut used = vec![false; origins.len()];
    for corner in polygons.iter().flat_map(|p| &p.corners) {
        used[corner.vertex as usize] = true;
    }
    let mut out = Polygons::default();
    let mut loose = Found::default();
    for (v, &origin) in origins.iter().enumerate() {
        let p = document.positions[origin as usize];
        if used[v] {
            new[v] = out.positions.len() as u32;
            out.positions.push(p);
        } else {
            loose.add(document.position_lines[origin as usize], || {
                format!("vertex {} at {}, {}, {}", origin + 1, p.x, p.y, p.z)
            });
        }
    }
    loose.say(
        report,
        "loose-point",
        ["vertex is in no face", "vertices are in no face"],
        "left out",
    );
    for polygon in polygons {
        let vertices = polygon.corners.iter().map(|c| new[c.vertex as usize]);
        out.faces.push(vertices.collect());
        out.uvs.extend(polygon.corners.iter().map(|c| c.uv));
        out.normals.extend(polygon.corners.iter().map(|c| c.normal));
    }
    if out.uvs.iter().all(|uv| *uv == Vec2::ZERO) {
        out.uvs.clear();
    }
    if out.normals.iter().all(|n| *n == Vec3::ZERO) {
        out.normals.clear();
    }
    out
}
