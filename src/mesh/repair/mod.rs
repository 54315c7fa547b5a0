//! From what a file states to polygons that a half-edge surface can hold, for every importer. Every repair is told
//! as a [`Finding`]; positions are never moved. Knows no format: places are numbers of the importer's own.
//!
//! Loose points and faces that are none are left out; faces that touch a vertex twice are cut there; faces that face
//! the wrong way are turned; edges with more than two faces, and vertices where separate fans of faces meet, are
//! split.

pub mod faces;
pub mod finding;
mod orient;
mod split;

use super::soup::Polygons;
use faces::{Corner, Face, Faces, NONE};
use finding::{Finding, Item, Kind};
use glam::{DVec3, Vec2, Vec3};
use std::collections::HashMap;

/// What a file states, with indices of its own.
#[derive(Debug, Default)]
pub struct Stated {
    pub positions: Vec<Vec3>,
    /// Where the file states each position.
    pub position_places: Vec<u32>,
    pub uvs: Vec<Vec2>,
    pub normals: Vec<Vec3>,
    pub faces: Faces,
}

/// What can be built of what was stated, in the order of the file.
#[derive(Debug)]
pub struct Repaired {
    pub polygons: Polygons,
    /// For each vertex the stated one that it comes from.
    pub origins: Vec<u32>,
    /// For each polygon the place of the face that it comes from.
    pub places: Vec<u32>,
}

/// What can be used; `None` where no face is left.
pub fn repaired(mut stated: Stated, findings: &mut Vec<Finding>) -> Option<Repaired> {
    let faces = std::mem::take(&mut stated.faces);
    let mut faces = usable(&stated, faces, findings);
    different(&mut faces, findings);
    if faces.is_empty() {
        return None;
    }
    flat(&stated, &faces, findings);
    oriented(&stated, &mut faces, findings);
    let origins = manifold(&stated, &mut faces, findings);
    Some(numbered(&stated, &faces, &origins, findings))
}

impl Stated {
    fn vertex(&self, v: u32) -> Item {
        Item::Vertex(v, self.positions[v as usize])
    }
}

/// Faces whose indices exist, cut where they touch a vertex twice; what is then no face is left out.
fn usable(stated: &Stated, given: Faces, findings: &mut Vec<Finding>) -> Faces {
    let [mut missing, mut few] = [Kind::MissingVertex, Kind::FewCorners].map(Finding::new);
    let [mut no_uv, mut no_normal] = [Kind::BadUv, Kind::BadNormal].map(Finding::new);
    let mut repeated = Finding::new(Kind::RepeatedCorner);
    let mut faces = Faces::default();
    let mut sorted: Vec<u32> = Vec::new();
    for (Face { number, place, .. }, range) in given.iter() {
        let is_missing = |corner: &usize| given.vertex[*corner] as usize >= stated.positions.len();
        if let Some(corner) = range.clone().find(is_missing) {
            missing.add(place, Item::FaceVertex(number, given.vertex[corner]));
            continue;
        }
        if range.len() < 3 {
            few.add(place, Item::FaceCorners(number, range.len()));
            continue;
        }
        for corner in range {
            let mut corner = given.corner(corner);
            let uv = stated.uvs.get(corner.uv as usize);
            if corner.uv != NONE && !uv.is_some_and(|uv| uv.is_finite()) {
                no_uv.add(place, Item::Face(number));
                corner.uv = NONE;
            }
            let normal = stated.normals.get(corner.normal as usize);
            if corner.normal != NONE && !normal.is_some_and(|normal| normal.is_finite()) {
                no_normal.add(place, Item::Face(number));
                corner.normal = NONE;
            }
            faces.push(corner);
        }
        sorted.clear();
        sorted.extend(&faces.vertex[faces.open()]);
        sorted.sort_unstable();
        let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) else {
            faces.end(number, place);
            continue;
        };
        repeated.add(place, Item::FaceVertex(number, twice[0]));
        for part in loops(&faces.take_open()) {
            part.into_iter().for_each(|corner| faces.push(corner));
            faces.end(number, place);
        }
    }
    for finding in [missing, few, no_uv, no_normal, repeated] {
        finding.push_to(findings);
    }
    faces
}

/// Finds faces without area, whose corners lie on one line or in one place. They stay: a surface may be
/// closed by them.
fn flat(stated: &Stated, faces: &Faces, findings: &mut Vec<Finding>) {
    let mut found = Finding::new(Kind::NoArea);
    for (Face { number, place, .. }, range) in faces.iter() {
        let at = |corner: usize| stated.positions[faces.vertex[corner] as usize].as_dvec3();
        let origin = at(range.start);
        let next = range.clone().cycle().skip(1);
        let mut area = DVec3::ZERO;
        for (a, b) in range.zip(next) {
            area += (at(a) - origin).cross(at(b) - origin);
        }
        if area == DVec3::ZERO {
            found.add(place, Item::Face(number));
        }
    }
    found.push_to(findings);
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
fn different(faces: &mut Faces, findings: &mut Vec<Finding>) {
    let mut found = Finding::new(Kind::DuplicateFace);
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
    for (Face { number, place, .. }, _) in faces
        .iter()
        .zip(&again)
        .filter(|(_, again)| **again)
        .map(|(of, _)| of)
    {
        found.add(place, Item::Face(number));
    }
    faces.retain(|face| !again[face]);
    found.push_to(findings);
}

/// Neighbours run around the same way.
fn oriented(stated: &Stated, faces: &mut Faces, findings: &mut Vec<Finding>) {
    let mut found = Finding::new(Kind::TurnedFace);
    for index in orient::turned(faces) {
        let Face { number, place, .. } = faces.get(index);
        found.add(place, Item::Face(number));
        faces.turn(&stated.positions, &stated.normals, index);
    }
    found.push_to(findings);
}

/// At most two faces at an edge, one fan of faces around a vertex. For each vertex the one of the file
/// that it stands at.
fn manifold(stated: &Stated, faces: &mut Faces, findings: &mut Vec<Finding>) -> Vec<u32> {
    let mut origins: Vec<u32> = (0..stated.positions.len() as u32).collect();
    let split = split::split(faces, &mut origins);
    let [mut crowded, mut twisted] = [Kind::CrowdedEdge, Kind::OneSided].map(Finding::new);
    let mut ties = Finding::new(Kind::BowTie);
    for (ends, faces, place) in split.edges {
        let found = if faces > 2 { &mut crowded } else { &mut twisted };
        found.add(place, Item::Edge(ends, faces));
    }
    for v in split.bow_ties {
        ties.add(stated.position_places[v as usize], stated.vertex(v));
    }
    for finding in [crowded, twisted, ties] {
        finding.push_to(findings);
    }
    origins
}

/// Vertices that faces use, in the order of the file; copies after them.
fn numbered(stated: &Stated, faces: &Faces, origins: &[u32], findings: &mut Vec<Finding>) -> Repaired {
    let mut new = vec![u32::MAX; origins.len()];
    let mut used = vec![false; origins.len()];
    for &vertex in &faces.vertex {
        used[vertex as usize] = true;
    }
    let mut out = Polygons::default();
    let mut kept = Vec::new();
    let mut loose = Finding::new(Kind::LoosePoint);
    for (v, &origin) in origins.iter().enumerate() {
        if used[v] {
            new[v] = out.positions.len() as u32;
            out.positions.push(stated.positions[origin as usize]);
            kept.push(origin);
        } else {
            loose.add(stated.position_places[origin as usize], stated.vertex(origin));
        }
    }
    loose.push_to(findings);
    out.faces.reserve_exact(faces.len());
    for (_, range) in faces.iter() {
        let vertices = faces.vertex[range].iter().map(|&v| new[v as usize]);
        out.faces.push(vertices.collect());
    }
    let corners = 0..faces.corner_count();
    if faces.has_uvs() {
        out.uvs = corners
            .clone()
            .map(|corner| faces.uv(&stated.uvs, corner))
            .collect();
    }
    if faces.has_normals() {
        out.normals = corners
            .map(|corner| faces.normal(&stated.normals, corner))
            .collect();
    }
    if out.uvs.iter().all(|uv| *uv == Vec2::ZERO) {
        out.uvs.clear();
    }
    if out.normals.iter().all(|n| *n == Vec3::ZERO) {
        out.normals.clear();
    }
    Repaired {
        polygons: out,
        origins: kept,
        places: faces.iter().map(|(face, _)| face.place).collect(),
    }
}
