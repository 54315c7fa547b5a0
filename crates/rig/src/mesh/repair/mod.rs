//! Conversion of the contents of a file, of any format, into polygons that a half-edge surface can represent.
//! Every repair is reported as a [`Finding`]; positions are never moved. Locations are numbers defined by the
//! importer.
//!
//! Loose points and invalid faces are dropped; faces that touch a vertex twice are split there; faces with
//! the wrong orientation are flipped; edges with more than two faces, and vertices where separate fans of
//! faces meet, are split.

pub mod faces;
pub mod finding;
mod orient;
mod split;

use super::soup::Polygons;
use super::triangulate::Triangulator;
use faces::{Corner, Face, Faces, NONE};
use finding::{Finding, Item, Kind};
use glam::{DVec3, Vec2, Vec3};
use std::collections::{HashMap, HashSet};

/// The contents of a file, with its own indices.
#[derive(Debug, Default)]
pub struct InputMesh {
    pub positions: Vec<Vec3>,
    /// The location of each position in the file.
    pub position_locations: Vec<u32>,
    pub uvs: Vec<Vec2>,
    pub normals: Vec<Vec3>,
    pub faces: Faces,
}

/// The repaired polygons, in the order of the file.
#[derive(Debug)]
pub struct RepairedMesh {
    pub polygons: Polygons,
    /// The input vertex that each vertex comes from.
    pub origins: Vec<u32>,
    /// The location of the input face that each polygon comes from.
    pub locations: Vec<u32>,
}

/// Repairs the input; `None` if no face remains.
pub fn repair(mut input: InputMesh, findings: &mut Vec<Finding>) -> Option<RepairedMesh> {
    let faces = std::mem::take(&mut input.faces);
    let mut faces = keep_usable_faces(&input, faces, findings);
    remove_duplicates(&mut faces, findings);
    if faces.is_empty() {
        return None;
    }
    find_faces_without_area(&input, &faces, findings);
    unify_orientation(&input, &mut faces, findings);
    let origins = make_manifold(&input, &mut faces, findings);
    Some(number_vertices(&input, &faces, &origins, findings))
}

impl InputMesh {
    fn vertex(&self, v: u32) -> Item {
        Item::Vertex(v, self.positions[v as usize])
    }
}

/// Keeps faces whose indices exist, and splits them where they touch a vertex twice; drops parts with fewer
/// than three corners.
fn keep_usable_faces(input: &InputMesh, given: Faces, findings: &mut Vec<Finding>) -> Faces {
    let [mut missing, mut few] = [Kind::MissingVertex, Kind::FewCorners].map(Finding::new);
    let [mut no_uv, mut no_normal] = [Kind::BadUv, Kind::BadNormal].map(Finding::new);
    let mut repeated = Finding::new(Kind::RepeatedCorner);
    let mut faces = Faces::default();
    let mut sorted: Vec<u32> = Vec::new();
    for (Face { number, location, .. }, range) in given.iter() {
        let is_missing = |corner: &usize| given.vertex[*corner] as usize >= input.positions.len();
        if let Some(corner) = range.clone().find(is_missing) {
            missing.add(location, Item::FaceVertex(number, given.vertex[corner]));
            continue;
        }
        if range.len() < 3 {
            few.add(location, Item::FaceCorners(number, range.len()));
            continue;
        }
        for corner in range {
            let mut corner = given.corner(corner);
            let uv = input.uvs.get(corner.uv as usize);
            if corner.uv != NONE && !uv.is_some_and(|uv| uv.is_finite()) {
                no_uv.add(location, Item::Face(number));
                corner.uv = NONE;
            }
            let normal = input.normals.get(corner.normal as usize);
            if corner.normal != NONE && !normal.is_some_and(|normal| normal.is_finite()) {
                no_normal.add(location, Item::Face(number));
                corner.normal = NONE;
            }
            faces.push(corner);
        }
        sorted.clear();
        sorted.extend(&faces.vertex[faces.open()]);
        sorted.sort_unstable();
        let Some(repeated_vertex) = sorted.windows(2).find(|pair| pair[0] == pair[1]) else {
            faces.end(number, location);
            continue;
        };
        repeated.add(location, Item::FaceVertex(number, repeated_vertex[0]));
        let walk = faces.take_open();
        let parts = if is_bridged(&walk) { triangles(&walk, &input.positions) } else { loops(&walk) };
        for part in parts {
            part.into_iter().for_each(|corner| faces.push(corner));
            faces.end(number, location);
        }
    }
    for finding in [missing, few, no_uv, no_normal, repeated] {
        finding.push_to(findings);
    }
    faces
}

/// Finds faces without area, whose corners are collinear or coincide. They are kept, because they may close
/// the surface.
fn find_faces_without_area(input: &InputMesh, faces: &Faces, findings: &mut Vec<Finding>) {
    let mut found = Finding::new(Kind::NoArea);
    for (Face { number, location, .. }, range) in faces.iter() {
        let position = |corner: usize| input.positions[faces.vertex[corner] as usize].as_dvec3();
        let origin = position(range.start);
        let next = range.clone().cycle().skip(1);
        let mut area = DVec3::ZERO;
        for (a, b) in range.zip(next) {
            area += (position(a) - origin).cross(position(b) - origin);
        }
        if area == DVec3::ZERO {
            found.add(location, Item::Face(number));
        }
    }
    found.push_to(findings);
}

/// Whether a walk goes along an edge and back, as around a hole that a bridge joins to the border.
fn is_bridged(corners: &[Corner]) -> bool {
    let next = corners.iter().cycle().skip(1);
    let steps: HashSet<[u32; 2]> = corners.iter().zip(next).map(|(a, b)| [a.vertex, b.vertex]).collect();
    steps.iter().any(|[a, b]| a != b && steps.contains(&[*b, *a]))
}

/// Returns the triangles of a walk that visits vertices more than once, without those that do so themselves.
fn triangles(corners: &[Corner], positions: &[Vec3]) -> Vec<Vec<Corner>> {
    let mut triangulator = Triangulator::default();
    let points = corners.iter().map(|corner| positions[corner.vertex as usize].as_dvec3());
    let triangles =
        triangulator.triangles(points).iter().map(|triangle| triangle.map(|corner| corners[corner]));
    let is_proper =
        |[a, b, c]: &[Corner; 3]| a.vertex != b.vertex && b.vertex != c.vertex && c.vertex != a.vertex;
    triangles.filter(is_proper).map(Vec::from).collect()
}

/// Splits a walk that visits a vertex more than once into closed loops of at least three corners.
fn loops(corners: &[Corner]) -> Vec<Vec<Corner>> {
    let mut loops = Vec::new();
    let mut walk: Vec<Corner> = Vec::new();
    let mut first_visit: HashMap<u32, usize> = HashMap::new();
    for &corner in corners {
        if let Some(&from) = first_visit.get(&corner.vertex) {
            let part = walk.split_off(from);
            part.iter().for_each(|c| {
                first_visit.remove(&c.vertex);
            });
            loops.push(part);
        }
        first_visit.insert(corner.vertex, walk.len());
        walk.push(corner);
    }
    loops.push(walk);
    loops.retain(|part| part.len() >= 3);
    loops
}

/// Removes duplicates of earlier faces.
fn remove_duplicates(faces: &mut Faces, findings: &mut Vec<Finding>) {
    let mut found = Finding::new(Kind::DuplicateFace);
    // Starting at the lowest vertex.
    let around = |face: u32| {
        let vertices = &faces.vertex[faces.corners(face as usize)];
        let lowest = (0..vertices.len()).min_by_key(|&i| vertices[i]).unwrap_or(0);
        vertices[lowest..].iter().chain(&vertices[..lowest])
    };
    let mut order: Vec<u32> = (0..faces.len() as u32).collect();
    order.sort_unstable_by(|&a, &b| around(a).cmp(around(b)).then(a.cmp(&b)));
    let mut is_duplicate = vec![false; faces.len()];
    for pair in order.windows(2) {
        is_duplicate[pair[1] as usize] = around(pair[0]).eq(around(pair[1]));
    }
    drop(order);
    for (Face { number, location, .. }, _) in
        faces.iter().zip(&is_duplicate).filter(|(_, duplicate)| **duplicate).map(|(face, _)| face)
    {
        found.add(location, Item::Face(number));
    }
    faces.retain(|face| !is_duplicate[face]);
    found.push_to(findings);
}

/// Flips faces so that neighbours have a consistent orientation.
fn unify_orientation(input: &InputMesh, faces: &mut Faces, findings: &mut Vec<Finding>) {
    let mut found = Finding::new(Kind::FlippedFace);
    // Where normals and winding agree, shells touch: neither is turned.
    let agrees = |face: u32| faces.is_wound_as_stated(&input.positions, &input.normals, face as usize);
    for index in orient::faces_to_flip(faces, agrees) {
        let Face { number, location, .. } = faces.get(index);
        found.add(location, Item::Face(number));
        faces.flip(&input.positions, &input.normals, index);
    }
    found.push_to(findings);
}

/// Splits vertices until every edge has at most two faces and every vertex one fan of faces. Returns the
/// input vertex of each vertex.
fn make_manifold(input: &InputMesh, faces: &mut Faces, findings: &mut Vec<Finding>) -> Vec<u32> {
    let mut origins: Vec<u32> = (0..input.positions.len() as u32).collect();
    let split = split::split(faces, &mut origins);
    let [mut non_manifold, mut non_orientable] =
        [Kind::NonManifoldEdge, Kind::NonOrientable].map(Finding::new);
    let mut ties = Finding::new(Kind::BowTie);
    for (ends, faces, location) in split.edges {
        let found = if faces > 2 { &mut non_manifold } else { &mut non_orientable };
        found.add(location, Item::Edge(ends, faces));
    }
    for v in split.bow_ties {
        ties.add(input.position_locations[v as usize], input.vertex(v));
    }
    for finding in [non_manifold, non_orientable, ties] {
        finding.push_to(findings);
    }
    origins
}

/// Numbers the vertices that faces use, in the order of the file; copies come last.
fn number_vertices(
    input: &InputMesh,
    faces: &Faces,
    origins: &[u32],
    findings: &mut Vec<Finding>,
) -> RepairedMesh {
    let mut new = vec![u32::MAX; origins.len()];
    let mut used = vec![false; origins.len()];
    for &vertex in &faces.vertex {
        used[vertex as usize] = true;
    }
    let mut out = Polygons::default();
    let mut used_origins = Vec::new();
    let mut loose = Finding::new(Kind::LoosePoint);
    for (v, &origin) in origins.iter().enumerate() {
        if used[v] {
            new[v] = out.positions.len() as u32;
            out.positions.push(input.positions[origin as usize]);
            used_origins.push(origin);
        } else {
            loose.add(input.position_locations[origin as usize], input.vertex(origin));
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
        out.uvs = corners.clone().map(|corner| faces.uv(&input.uvs, corner)).collect();
    }
    if faces.has_normals() {
        out.normals = corners.map(|corner| faces.normal(&input.normals, corner)).collect();
    }
    if out.uvs.iter().all(|uv| *uv == Vec2::ZERO) {
        out.uvs.clear();
    }
    if out.normals.iter().all(|n| *n == Vec3::ZERO) {
        out.normals.clear();
    }
    RepairedMesh {
        polygons: out,
        origins: used_origins,
        locations: faces.iter().map(|(face, _)| face.location).collect(),
    }
}
