//! Duplicates vertices until every edge has at most two faces, of opposite directions, and the faces around
//! every vertex form one fan. Flips and drops no face.

use super::faces::Faces;

const NONE: u32 = u32::MAX;

/// The splits, in terms of input vertices.
#[derive(Debug, Default)]
pub struct Split {
    /// The edges with too many faces, or with two of the same direction: the ends, the number of faces, and
    /// the location of the first face.
    pub edges: Vec<([u32; 2], u32, u32)>,
    /// The vertices, not on such an edge, where separate fans met.
    pub bow_ties: Vec<u32>,
}

/// The corners of all faces.
struct Corners<'f> {
    faces: &'f mut Faces,
    /// The face of each corner.
    face: Vec<u32>,
}

/// Splits in place. `origins` maps every vertex to the input vertex it is a copy of, and grows with the
/// copies.
pub fn split(faces: &mut Faces, origins: &mut Vec<u32>) -> Split {
    let mut corners = Corners::new(faces);
    let mut split = Split::default();
    let mut at_edge = vec![false; origins.len()];
    corners.for_each_edge(|edge| {
        let first = edge.all().min().unwrap_or(0);
        if edge.is_manifold() {
            return;
        }
        let mut ends = corners.ends(first);
        ends.sort_unstable();
        let location = corners.faces.get(corners.face[first as usize] as usize).location;
        let count = edge.forward.len() + edge.backward.len();
        split.edges.push((ends, count as u32, location));
        ends.into_iter().for_each(|v| at_edge[v as usize] = true);
    });
    split.edges.sort_by_key(|(ends, _, location)| (*location, *ends));
    // At a non-manifold edge, pair up the faces as far as each pair is separate from the others at one end.
    let mut duplicated = corners.separate_fans(origins);
    // Otherwise detach all but the first pair.
    let mut detached: Vec<u32> = Vec::new();
    corners.for_each_edge(|edge| detached.extend(edge.surplus()));
    if !detached.is_empty() {
        detached.iter_mut().for_each(|c| *c = corners.face[*c as usize]);
        detached.sort_unstable();
        detached.dedup();
        corners.detach(&detached, origins);
        duplicated.extend(corners.separate_fans(origins));
    }
    duplicated.retain(|&v| !at_edge[v as usize]);
    duplicated.sort_unstable();
    duplicated.dedup();
    split.bow_ties = duplicated;
    split
}

/// The corners that begin an edge, by direction, ascending.
struct Edge<'c> {
    forward: &'c [u32],
    backward: &'c [u32],
}

impl Edge<'_> {
    fn is_manifold(&self) -> bool {
        self.forward.len() <= 1 && self.backward.len() <= 1
    }
    fn all(&self) -> impl Iterator<Item = u32> + '_ {
        self.forward.iter().chain(self.backward).copied()
    }
    /// The corners beyond the first pair.
    fn surplus(&self) -> impl Iterator<Item = u32> + '_ {
        let [forward, backward] = [self.forward, self.backward].map(|side| side.iter().skip(1));
        forward.chain(backward).copied()
    }
}

impl<'f> Corners<'f> {
    fn new(faces: &'f mut Faces) -> Self {
        let mut face = Vec::with_capacity(faces.corner_count());
        for (index, (_, range)) in (0..).zip(faces.iter()) {
            face.extend(range.map(|_| index));
        }
        Self { faces, face }
    }

    fn next(&self, corner: u32) -> u32 {
        let range = self.faces.corners(self.face[corner as usize] as usize);
        match corner as usize + 1 {
            next if next < range.end => next as u32,
            _ => range.start as u32,
        }
    }

    fn previous(&self, corner: u32) -> u32 {
        let range = self.faces.corners(self.face[corner as usize] as usize);
        if corner as usize == range.start { range.end as u32 - 1 } else { corner - 1 }
    }

    /// The vertices of the edge that begins at the corner.
    fn ends(&self, corner: u32) -> [u32; 2] {
        let next = self.next(corner);
        [corner, next].map(|corner| self.faces.vertex[corner as usize])
    }

    fn for_each_edge(&self, mut f: impl FnMut(Edge<'_>)) {
        let key = |&c: &u32| {
            let [a, b] = self.ends(c);
            (a.min(b), a.max(b))
        };
        let runs_forward = |&c: &u32| {
            let [a, b] = self.ends(c);
            a < b
        };
        let mut order: Vec<u32> = (0..self.face.len() as u32).collect();
        order.sort_unstable_by_key(|c| (key(c), !runs_forward(c), *c));
        for group in order.chunk_by(|a, b| key(a) == key(b)) {
            let (forward, backward) = group.split_at(group.partition_point(runs_forward));
            f(Edge { forward, backward });
        }
    }

    /// Gives every fan of corners around a vertex except the first a copy of the vertex. Returns the input
    /// vertices that were copied.
    fn separate_fans(&mut self, origins: &mut Vec<u32>) -> Vec<u32> {
        let mut mate = vec![NONE; self.face.len()];
        self.for_each_edge(|edge| {
            for (&a, &b) in edge.forward.iter().zip(edge.backward) {
                (mate[a as usize], mate[b as usize]) = (b, a);
            }
        });
        let mut claimed = vec![false; origins.len()];
        let mut visited = vec![false; self.face.len()];
        let mut copied = Vec::new();
        for start in 0..self.face.len() as u32 {
            if visited[start as usize] {
                continue;
            }
            let v = self.faces.vertex[start as usize];
            let as_copy = std::mem::replace(&mut claimed[v as usize], true);
            let new_vertex = if as_copy { origins.len() as u32 } else { v };
            if as_copy {
                let origin = origins[v as usize];
                origins.push(origin);
                claimed.push(true);
                copied.push(origin);
            }
            // Walk in one direction and, if that ends at a boundary edge, in the other.
            for forwards in [true, false] {
                let mut c = start;
                loop {
                    visited[c as usize] = true;
                    self.faces.vertex[c as usize] = new_vertex;
                    let side = if forwards { c } else { self.previous(c) };
                    let other = mate[side as usize];
                    if other == NONE {
                        break;
                    }
                    c = if forwards { self.next(other) } else { other };
                    if c == start {
                        break;
                    }
                }
            }
        }
        copied
    }

    /// Gives the vertices of whole faces copies of their own.
    fn detach(&mut self, faces: &[u32], origins: &mut Vec<u32>) {
        for (vertex, face) in self.faces.vertex.iter_mut().zip(&self.face) {
            if faces.binary_search(face).is_ok() {
                let origin = origins[*vertex as usize];
                *vertex = origins.len() as u32;
                origins.push(origin);
            }
        }
    }
}
