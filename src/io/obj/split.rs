//! Doubles vertices until every edge has at most two faces, which run along it in opposite ways, and the
//! faces around every vertex form one fan. Turns no face and drops none.

use super::repair::Polygon;

const NONE: u32 = u32::MAX;

/// What was split, in vertices of the file.
#[derive(Debug, Default)]
pub struct Split {
    /// Edges with too many faces, or with two that run the same way: ends, number of faces, line of the
    /// first face.
    pub edges: Vec<([u32; 2], usize, usize)>,
    /// Vertices, at no such edge, where separate fans met.
    pub bow_ties: Vec<u32>,
}

/// Corners of all polygons in a row.
struct Corners {
    vertex: Vec<u32>,
    next: Vec<u32>,
    before: Vec<u32>,
    polygon: Vec<u32>,
}

/// Splits in place; `origins` says of every vertex which it is a copy of, and grows with the copies.
pub fn split(polygons: &mut [Polygon], origins: &mut Vec<u32>) -> Split {
    let mut corners = Corners::of(polygons);
    let mut split = Split::default();
    let mut at_edge = vec![false; origins.len()];
    for group in corners.edges() {
        let first = group.all().min().unwrap_or(0);
        if group.is_sound() {
            continue;
        }
        let mut ends = corners.ends(first);
        ends.sort_unstable();
        let line = polygons[corners.polygon[first as usize] as usize].line;
        split
            .edges
            .push((ends, group.forward.len() + group.backward.len(), line));
        ends.into_iter().for_each(|v| at_edge[v as usize] = true);
    }
    split.edges.sort_by_key(|(ends, _, line)| (*line, *ends));
    // Faces at a crowded edge in pairs, as far as each pair is apart from the others at one end.
    let mut doubled = corners.separate_fans(origins);
    // Else all but the first pair leave the surface.
    let crowded: Vec<Edge> = corners
        .edges()
        .into_iter()
        .filter(|edge| !edge.is_sound())
        .collect();
    if !crowded.is_empty() {
        let mut leaving: Vec<u32> = crowded.iter().flat_map(Edge::surplus).collect();
        leaving.iter_mut().for_each(|c| *c = corners.polygon[*c as usize]);
        leaving.sort_unstable();
        leaving.dedup();
        corners.detach(&leaving, origins);
        doubled.extend(corners.separate_fans(origins));
    }
    doubled.retain(|&v| !at_edge[v as usize]);
    doubled.sort_unstable();
    doubled.dedup();
    split.bow_ties = doubled;
    let mut vertices = corners.vertex.iter();
    for corner in polygons.iter_mut().flat_map(|p| &mut p.corners) {
        if let Some(&v) = vertices.next() {
            corner.vertex = v;
        }
    }
    split
}

/// Corners that begin one edge, by the way they run along it, ascending.
#[derive(Debug, Default)]
struct Edge {
    forward: Vec<u32>,
    backward: Vec<u32>,
}

impl Edge {
    fn is_sound(&self) -> bool {
        self.forward.len() <= 1 && self.backward.len() <= 1
    }
    fn all(&self) -> impl Iterator<Item = u32> + '_ {
        self.forward.iter().chain(&self.backward).copied()
    }
    /// All but the first pair.
    fn surplus(&self) -> impl Iterator<Item = u32> + '_ {
        self.forward
            .iter()
            .skip(1)
            .chain(self.backward.iter().skip(1))
            .copied()
    }
}

impl Corners {
    fn of(polygons: &[Polygon]) -> Self {
        let mut corners = Self {
            vertex: Vec::new(),
            next: Vec::new(),
            before: Vec::new(),
            polygon: Vec::new(),
        };
        for (index, polygon) in polygons.iter().enumerate() {
            let (first, count) = (corners.vertex.len() as u32, polygon.corners.len() as u32);
            for (corner, i) in polygon.corners.iter().zip(0..) {
                corners.vertex.push(corner.vertex);
                corners.next.push(first + (i + 1) % count);
                corners.before.push(first + (i + count - 1) % count);
                corners.polygon.push(index as u32);
            }
        }
        corners
    }

    /// The edge that the corner begins.
    fn ends(&self, corner: u32) -> [u32; 2] {
        let next = self.next[corner as usize];
        [self.vertex[corner as usize], self.vertex[next as usize]]
    }

    fn edges(&self) -> Vec<Edge> {
        let key = |&c: &u32| {
            let [a, b] = self.ends(c);
            (a.min(b), a.max(b))
        };
        let mut order: Vec<u32> = (0..self.vertex.len() as u32).collect();
        order.sort_by_key(key);
        let edge = |group: &[u32]| {
            let mut edge = Edge::default();
            for &c in group {
                let [a, b] = self.ends(c);
                let side = if a < b {
                    &mut edge.forward
                } else {
                    &mut edge.backward
                };
                side.push(c);
            }
            edge
        };
        order.chunk_by(|a, b| key(a) == key(b)).map(edge).collect()
    }

    /// Gives every fan of corners around a vertex but the first a copy of the vertex. The vertices of the
    /// file that were copied.
    fn separate_fans(&mut self, origins: &mut Vec<u32>) -> Vec<u32> {
        let mut mate = vec![NONE; self.vertex.len()];
        for edge in self.edges() {
            for (&a, &b) in edge.forward.iter().zip(&edge.backward) {
                (mate[a as usize], mate[b as usize]) = (b, a);
            }
        }
        let mut claimed = vec![false; origins.len()];
        let mut seen = vec![false; self.vertex.len()];
        let mut copied = Vec::new();
        for start in 0..self.vertex.len() as u32 {
            if seen[start as usize] {
                continue;
            }
            let v = self.vertex[start as usize];
            let as_copy = std::mem::replace(&mut claimed[v as usize], true);
            let name = if as_copy { origins.len() as u32 } else { v };
            if as_copy {
                let origin = origins[v as usize];
                origins.push(origin);
                claimed.push(true);
                copied.push(origin);
            }
            // One way around, and if that ends at an open edge, the other way.
            for forwards in [true, false] {
                let mut c = start;
                loop {
                    seen[c as usize] = true;
                    self.vertex[c as usize] = name;
                    let across = if forwards { c } else { self.before[c as usize] };
                    let other = mate[across as usize];
                    if other == NONE {
                        break;
                    }
                    c = if forwards {
                        self.next[other as usize]
                    } else {
                        other
                    };
                    if c == start {
                        break;
                    }
                }
            }
        }
        copied
    }

    /// Gives whole polygons vertices of their own.
    fn detach(&mut self, polygons: &[u32], origins: &mut Vec<u32>) {
        for (vertex, polygon) in self.vertex.iter_mut().zip(&self.polygon) {
            if polygons.binary_search(polygon).is_ok() {
                let origin = origins[*vertex as usize];
                *vertex = origins.len() as u32;
                origins.push(origin);
            }
        }
    }
}
