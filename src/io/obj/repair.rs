//! From what an OBJ file states to polygons that a half-edge surface can hold. Every repair is told with
//! its places; positions are never moved.

use super::super::file::ReadError;
use super::super::report::{Report, Severity};
use super::faces::{Corner, Face, Faces, NONE};
use super::orient;
use super::parse::{Document, FAR, OUTSIDE};
use super::split;
use crate::mesh::soup::Polygons;
use glam::{DVec3, Vec2, Vec3};
use std::collections::HashMap;

/// Places named in one finding; the rest is counted.
const NAMED: usize = 8;

/// Things found, each with its line.
#[derive(Default)]
struct Found {
    places: Vec<(u32, String)>,
    count: usize,
}

impl Found {
    fn add(&mut self, line: u32, what: impl FnOnce() -> String) {
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

pub fn polygons(mut document: Document, report: &mut Report) -> Result<Polygons, ReadError> {
    let stated = std::mem::take(&mut document.faces);
    let count = stated.len();
    let mut faces = usable(&document, stated, report);
    different(&mut faces, report);
    if faces.is_empty() {
        return Err(ReadError::Content {
            what: format!(
                "none of the {count} faces in the file can be used: {}",
                report.findings.last().map_or("", |f| &f.text)
            ),
            hint: "Export the mesh again".into(),
        });
    }
    flat(&document, &faces, report);
    oriented(&document, &mut faces, report);
    let origins = manifold(&document, &mut faces, report);
    Ok(numbered(&document, &faces, &origins, report))
}

fn face(number: u32) -> String {
    format!("face {number}")
}

/// Faces whose indices exist, cut where they touch a vertex twice; what is then no face is left out.
fn usable(document: &Document, stated: Faces, report: &mut Report) -> Faces {
    let (mut outside, mut few) = (Found::default(), Found::default());
    let (mut no_uv, mut no_normal) = (Found::default(), Found::default());
    let mut repeated = Found::default();
    let mut faces = Faces::default();
    let mut sorted: Vec<u32> = Vec::new();
    for (Face { number, line, .. }, range) in stated.iter() {
        let missing = |corner: &usize| stated.vertex[*corner] as usize >= document.positions.len();
        if let Some(corner) = range.clone().find(missing) {
            outside.add(line, || match stated.vertex[corner] {
                OUTSIDE => format!("face {number} (before the first)"),
                FAR => format!("face {number} (vertex {} or above)", u64::from(FAR) + 1),
                vertex => format!("face {number} (vertex {})", u64::from(vertex) + 1),
            });
            continue;
        }
        if range.len() < 3 {
            few.add(line, || format!("face {number} ({})", range.len()));
            continue;
        }
        for corner in range {
            let mut corner = stated.corner(corner);
            let uv = document.uvs.get(corner.uv as usize);
            if corner.uv != NONE && !uv.is_some_and(|uv| uv.is_finite()) {
                no_uv.add(line, || face(number));
                corner.uv = NONE;
            }
            let normal = document.normals.get(corner.normal as usize);
            if corner.normal != NONE && !normal.is_some_and(|normal| normal.is_finite()) {
                no_normal.add(line, || face(number));
                corner.normal = NONE;
            }
            faces.push(corner);
        }
        sorted.clear();
        sorted.extend(&faces.vertex[faces.open()]);
        sorted.sort_unstable();
        let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) else {
            faces.end(number, line);
            continue;
        };
        repeated.add(line, || format!("face {number} (vertex {})", twice[0] + 1));
        for part in loops(&faces.take_open()) {
            part.into_iter().for_each(|corner| faces.push(corner));
            faces.end(number, line);
        }
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
    repeated.say(
        report,
        "repeated-corner",
        ["face touches a vertex twice", "faces touch a vertex twice"],
        "each is cut there, and parts without area are left out",
    );
    faces
}

/// Tells faces without area, whose corners lie on one line or in one place. They stay: a surface may be
/// closed by them.
fn flat(document: &Document, faces: &Faces, report: &mut Report) {
    let mut found = Found::default();
    for (Face { number, line, .. }, range) in faces.iter() {
        let at = |corner: usize| document.positions[faces.vertex[corner] as usize].as_dvec3();
        let origin = at(range.start);
        let next = range.clone().cycle().skip(1);
        let mut area = DVec3::ZERO;
        for (a, b) in range.zip(next) {
            area += (at(a) - origin).cross(at(b) - origin);
        }
        if area == DVec3::ZERO {
            found.add(line, || face(number));
        }
    }
    found.say(
        report,
        "no-area",
        ["face has no area", "faces have no area"],
        "kept; check what they are for",
    );
}

/// The closed parts of a walk that comes by a vertex more than once, each with at least three corners.
fn loops(corners: &[Corner]) -> Vec<Vec<Corner>> {
    let mut loops = Vec::new();
    let mut walk: Vec<Corner> = Vec::new();
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
fn different(faces: &mut Faces, report: &mut Report) {
    let mut found = Found::default();
    // From the lowest vertex on.
    let around = |face: u32| {
        let vertices = &faces.vertex[faces.corners(face as usize)];
        let lowest = (0..vertices.len()).min_by_key(|&i| vertices[i]).unwrap_or(0);
        vertices[lowest..].iter().chain(&vertices[..lowest])
    };
    let mut order: Vec<u32> = (0..faces.len() as u32).collect();
    order.sort_unstable_by(|&a, &b| around(a).cmp(around(b)).then(a.cmp(&b)));
    let mut again = vec![false; faces.len()];
    for pair in order.windows(2) {
        again[pair[1] as usize] = around(pair[0]).eq(around(pair[1]));
    }
    drop(order);
    for (Face { number, line, .. }, _) in faces
        .iter()
        .zip(&again)
        .filter(|(_, again)| **again)
        .map(|(of, _)| of)
    {
        found.add(line, || face(number));
    }
    faces.retain(|face| !again[face]);
    found.say(
        report,
        "duplicate-face",
        ["face is there twice", "faces are there twice"],
        "only the first of each is kept",
    );
}

/// Neighbours run around the same way.
fn oriented(document: &Document, faces: &mut Faces, report: &mut Report) {
    let mut found = Found::default();
    for index in orient::turned(faces) {
        let Face { number, line, .. } = faces.get(index);
        found.add(line, || face(number));
        faces.turn(document, index);
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
fn manifold(document: &Document, faces: &mut Faces, report: &mut Report) -> Vec<u32> {
    let mut origins: Vec<u32> = (0..document.positions.len() as u32).collect();
    let split = split::split(faces, &mut origins);
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
fn numbered(document: &Document, faces: &Faces, origins: &[u32], report: &mut Report) -> Polygons {
    let mut new = vec![u32::MAX; origins.len()];
    let mut used = vec![false; origins.len()];
    for &vertex in &faces.vertex {
        used[vertex as usize] = true;
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
    out.faces.reserve_exact(faces.len());
    for (_, range) in faces.iter() {
        let vertices = faces.vertex[range].iter().map(|&v| new[v as usize]);
        out.faces.push(vertices.collect());
    }
    let corners = 0..faces.corner_count();
    if faces.has_uvs() {
        out.uvs = corners.clone().map(|corner| faces.uv(document, corner)).collect();
    }
    if faces.has_normals() {
        out.normals = corners.map(|corner| faces.normal(document, corner)).collect();
    }
    if out.uvs.iter().all(|uv| *uv == Vec2::ZERO) {
        out.uvs.clear();
    }
    if out.normals.iter().all(|n| *n == Vec3::ZERO) {
        out.normals.clear();
    }
    out
}
