//! Construction of a half-edge surface from polygons.
//!
//! Nothing is repaired: input that a half-edge mesh cannot represent is rejected, with its location.

use super::halfedge::{HalfedgeMesh, MeshError, RawMesh};
use glam::{Vec2, Vec3};

/// Marks an unset index.
const NONE: u32 = u32::MAX;

impl HalfedgeMesh {
    /// Builds a surface from polygons (vertex indices, counter-clockwise from outside). Holes get boundary
    /// faces. `corner_uv` has one uv per polygon corner, in the order of `polygons`. Corner normals are
    /// smooth (angle-weighted); at corners of boundary faces, uv and normal are zero.
    ///
    /// The numbering depends only on the polygons. Vertices keep their indices. Edge k is the k-th to appear
    /// when the polygons are walked in order, and half-edge 2k is its side on the polygon where it appears
    /// first. Faces are the polygons in order, then the boundary loops by their lowest half-edge. The first
    /// corner of a polygon is the centre of its triangle fan.
    ///
    /// # Errors
    ///
    /// Names the polygon, vertex or edge: indices out of range, polygons with fewer than 3 corners or with a
    /// repeated vertex, edges with more than two polygons or with two of the same direction, vertices in no
    /// polygon, vertices where separate fans of polygons meet (bow-ties), positions or uvs that are not
    /// finite.
    /// uvs that are not finite.
    pub fn from_polygons(
        positions: Vec<Vec3>,
        polygons: &[Vec<u32>],
        corner_uv: Option<&[Vec<Vec2>]>,
    ) -> Result<Self, MeshError> {
        let soup = Soup::new(positions.len(), polygons).map_err(MeshError::Invalid)?;
        check_uvs(polygons, corner_uv).map_err(MeshError::Invalid)?;
        let edges = soup.pair_edges().map_err(MeshError::Invalid)?;
        let mut raw = soup.connect(&edges, positions).map_err(MeshError::Invalid)?;
        if let Some(corner_uv) = corner_uv {
            for (corner, uv) in corner_uv.iter().flatten().enumerate() {
                raw.corner_uv[edges.halfedge[corner] as usize] = *uv;
            }
        }
        // For large surfaces, memory peaks here.
        drop((soup, edges));
        let mut mesh = Self::new(raw)?;
        mesh.set_smooth_normals();
        Ok(mesh)
    }
}

fn check_uvs(polygons: &[Vec<u32>], corner_uv: Option<&[Vec<Vec2>]>) -> Result<(), String> {
    let Some(corner_uv) = corner_uv else { return Ok(()) };
    if corner_uv.len() != polygons.len() {
        return Err(format!(
            "there are uvs for {} polygons, but {} polygons",
            corner_uv.len(),
            polygons.len()
        ));
    }
    for (f, (uvs, polygon)) in corner_uv.iter().zip(polygons).enumerate() {
        if uvs.len() != polygon.len() {
            return Err(format!("polygon {f} has {} corners but {} uvs", polygon.len(), uvs.len()));
        }
    }
    Ok(())
}

/// Checked polygons, flattened to C corners.
struct Soup {
    vertices: usize,
    /// The vertex of each corner (C).
    vertex: Vec<u32>,
    /// The next corner of the same polygon (C).
    next: Vec<u32>,
    /// The first corner of each polygon.
    first: Vec<u32>,
}

/// The mapping between corners and half-edges.
struct Edges {
    /// The half-edge that starts at each corner (C).
    halfedge: Vec<u32>,
    /// The corner of each half-edge (H); `NONE` on the hole side of a boundary edge.
    corner: Vec<u32>,
}

impl Soup {
    fn new(vertices: usize, polygons: &[Vec<u32>]) -> Result<Self, String> {
        let corners: usize = polygons.iter().map(Vec::len).sum();
        // Every corner can start a new edge, which has two half-edges.
        if corners > NONE as usize / 2 || vertices > NONE as usize {
            return Err(format!(
                "{corners} corners and {vertices} vertices are more than 32-bit indices allow"
            ));
        }
        let mut soup = Self {
            vertices,
            vertex: Vec::with_capacity(corners),
            next: Vec::with_capacity(corners),
            first: Vec::with_capacity(polygons.len()),
        };
        let mut last_polygon = vec![NONE; vertices];
        for (f, polygon) in polygons.iter().enumerate() {
            if polygon.len() < 3 {
                return Err(format!("polygon {f} has {} corners; it needs at least 3", polygon.len()));
            }
            let first = soup.vertex.len() as u32;
            soup.first.push(first);
            for (i, &v) in polygon.iter().enumerate() {
                let Some(last) = last_polygon.get_mut(v as usize) else {
                    return Err(format!(
                        "polygon {f} refers to vertex {v}, but there are only {vertices} vertices"
                    ));
                };
                if *last == f as u32 {
                    return Err(format!("polygon {f} touches vertex {v} twice"));
                }
                *last = f as u32;
                soup.vertex.push(v);
                let next = if i + 1 == polygon.len() { 0 } else { i + 1 };
                soup.next.push(first + next as u32);
            }
        }
        match last_polygon.iter().position(|&f| f == NONE) {
            Some(v) => Err(format!("vertex {v} belongs to no polygon (loose point)")),
            None => Ok(soup),
        }
    }

    /// Returns the vertices at which the edge of a corner starts and ends.
    fn ends(&self, corner: u32) -> [u32; 2] {
        let next = self.next[corner as usize];
        [self.vertex[corner as usize], self.vertex[next as usize]]
    }

    fn polygon(&self, corner: u32) -> usize {
        self.first.partition_point(|&first| first <= corner) - 1
    }

    /// Pairs the two sides of every edge.
    fn pair_edges(&self) -> Result<Edges, String> {
        let corners = self.vertex.len() as u32;
        let undirected = |corner: u32| {
            let [a, b] = self.ends(corner);
            (a.min(b), a.max(b))
        };
        let mut order: Vec<u32> = (0..corners).collect();
        order.sort_unstable_by_key(|&c| (undirected(c), c));

        let mut other = vec![NONE; corners as usize];
        let mut first_error: Option<(u32, String)> = None;
        for group in order.chunk_by(|&a, &b| undirected(a) == undirected(b)) {
            let error = match *group {
                [a, b, ..] if group.len() == 2 => {
                    other[a as usize] = b;
                    other[b as usize] = a;
                    (self.ends(a) == self.ends(b)).then(|| {
                        format!(
                            "polygons {} and {} run the same way along their shared edge; one of them must \
                             be flipped",
                            self.polygon(a),
                            self.polygon(b)
                        )
                    })
                }
                [a, b, c, ..] => Some(format!(
                    "{} polygons ({}, {}, {}{}) share one edge; an edge may have at most two",
                    group.len(),
                    self.polygon(a),
                    self.polygon(b),
                    self.polygon(c),
                    if group.len() > 3 { ", ..." } else { "" }
                )),
                _ => None,
            };
            // Report the first in the order of the polygons, not of the vertex indices.
            if let Some(text) = error
                && first_error.as_ref().is_none_or(|(corner, _)| group[0] < *corner)
            {
                let (a, b) = undirected(group[0]);
                first_error = Some((group[0], format!("edge between vertices {a} and {b}: {text}")));
            }
        }
        if let Some((_, text)) = first_error {
            return Err(text);
        }

        let mut edges =
            Edges { halfedge: vec![NONE; corners as usize], corner: Vec::with_capacity(corners as usize) };
        for c in 0..corners {
            if edges.halfedge[c as usize] == NONE {
                let h = edges.corner.len() as u32;
                let opposite = other[c as usize];
                edges.corner.extend([c, opposite]);
                edges.halfedge[c as usize] = h;
                if opposite != NONE {
                    edges.halfedge[opposite as usize] = h + 1;
                }
            }
        }
        Ok(edges)
    }

    /// Closes the holes and fills the arrays; normals and uvs remain zero.
    fn connect(&self, edges: &Edges, positions: Vec<Vec3>) -> Result<RawMesh, String> {
        let h_count = edges.corner.len();
        let mut next = vec![NONE; h_count];
        let mut vertex_halfedge = vec![NONE; self.vertices];
        let mut degree = vec![0u32; self.vertices];
        for (c, &h) in edges.halfedge.iter().enumerate() {
            let v = self.vertex[c] as usize;
            next[h as usize] = edges.halfedge[self.next[c] as usize];
            degree[v] += 1;
            if vertex_halfedge[v] == NONE {
                vertex_halfedge[v] = h;
            }
        }

        // The hole side of an edge starts where its twin, the polygon side, ends.
        let is_hole = |h: usize| edges.corner[h] == NONE;
        let hole_ends = |h: usize| self.ends(edges.corner[h ^ 1]);
        let mut hole_from = vec![NONE; self.vertices];
        for h in (0..h_count).filter(|&h| is_hole(h)) {
            let start = hole_ends(h)[1] as usize;
            if hole_from[start] != NONE {
                return Err(bow_tie(start));
            }
            hole_from[start] = h as u32;
            degree[start] += 1;
        }
        // A vertex has as many incoming as outgoing boundary edges, so the hole continues.
        for h in (0..h_count).filter(|&h| is_hole(h)) {
            next[h] = hole_from[hole_ends(h)[0] as usize];
        }
        for (v, &start) in vertex_halfedge.iter().enumerate() {
            let mut h = start;
            for _ in 0..degree[v] {
                h = next[(h ^ 1) as usize];
                degree[v] -= 1;
                if h == start {
                    break;
                }
            }
            if degree[v] > 0 {
                return Err(bow_tie(v));
            }
        }

        let mut face_halfedge: Vec<u32> = self.first.iter().map(|&c| edges.halfedge[c as usize]).collect();
        let mut visited = vec![false; h_count];
        for start in (0..h_count).filter(|&h| is_hole(h)) {
            if !visited[start] {
                face_halfedge.push(start as u32);
                let mut h = start;
                while !visited[h] {
                    visited[h] = true;
                    h = next[h] as usize;
                }
            }
        }
        let mut face_boundary = vec![false; self.first.len()];
        face_boundary.resize(face_halfedge.len(), true);
        Ok(RawMesh {
            next,
            corner_uv: vec![Vec2::ZERO; h_count],
            corner_normal: vec![Vec3::ZERO; h_count],
            vertex_halfedge,
            vertex_position: positions,
            edge_sharp: vec![false; h_count / 2],
            face_halfedge,
            face_boundary,
        })
    }
}

fn bow_tie(vertex: usize) -> String {
    format!("vertex {vertex} joins separate fans of polygons (bow-tie); split it into one vertex per fan")
}
