//! Doubles vertices until every edge has at most two faces, which run along it in opposite ways, and the
//! faces around every vertex form one fan. Turns no face and drops none.

use super::faces::Faces;

const NONE: u32 = u32::MAX;

/// What was split, in vertices of the file.
#[derive(Debug, Default)]
pub struct Split {
    /// Edges with too many faces, or with two that run the same way: ends, number of faces, place of the
    /// first face.
    pub edges: Vec<([u32; 2], u32, u32)>,
    /// Vertices, at no such edge, where separate fans met.
    pub bow_ties: Vec<u32>,
}

/// Corners of all faces in a row.
struct Corners<'f> {
    faces: &'f mut Faces,
    /// The face of each.
    face: Vec<u32>,
}

/// Splits in place; `origins` says of every vertex which it is a copy of, and grows with the copies.
pub fn split(faces: &mut Faces, origins: &mut Vec<u32>) -> Split {
    let mut corners = Corners::new(faces);
    let mut split = Split::default();
    let mut at_edge = vec![false; origins.len()];
    corners.each_edge(|edge| {
        let first = edge.all().min().unwrap_or(0);
        if edge.is_sound() {
            return;
        }
        let mut ends = corners.ends(first);
        ends.sort_unstable();
        let place = corners.faces.get(corners.face[first as usize] as usize).place;
        let count = edge.forward.len() + edge.backward.len();
        split.edges.push((ends, count as u32, place));
        ends.into_iter().for_each(|v| at_edge[v as usize] = true);
    });
    split.edges.sort_by_key(|(ends, _, place)| (*place, *ends));
    // Faces at a crowded edge in pairs, as far as each pair is apart from the others at one end.
    let mut doubled = corners.separate_fans(origins);
    // Else all but the first pair leave the surface.
    let mut leaving: Vec<u32> = Vec::new();
    corners.each_edge(|edge| leaving.extend(edge.surplus()));
    if !leaving.is_empty() {
        leaving.iter_mut().for_each(|c| *c = corners.face[*c as usize]);
        leaving.sort_unstable();
        leaving.dedup();
        corners.detach(&leaving, origins);
        doubled.extend(corners.separate_fans(origins));
    }
    doubled.retain(|&v| !at_edge[v as usize]);
    doubled.sort_unstable();
    doubled.dedup();
    split.bow_ties = doubled;
    split
}

/// Corners that begin one edge, by the way they run along it, ascending.
struct Edge<'c> {
    forward: &'c [u32],
    backward: &'c [u32],
}

impl Edge<'_> {
    fn is_sound(&self) -> bool {
        self.forward.len() <= 1 && self.backward.len() <= 1
    }
    fn all(&self) -> impl Iterator<Item = u32> + '_ {
        self.forward.iter().chain(self.backward).copied()
    }
    /// All but the first pair.
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

    fn before(&self, corner: u32) -> u32 {
        let range = self.faces.corners(self.face[corner as usize] as usize);
        match corner as usize == range.start {
            true => range.end as u32 - 1,
            false => corner - 1,
        }
    }

    /// The edge that the corner begins.
    fn ends(&self, corner: u32) -> [u32; 2] {
        let next = self.next(corner);
        [corner, next].map(|corner| self.faces.vertex[corner as usize])
    }

    fn each_edge(&self, mut f: impl FnMut(Edge<'_>)) {
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

    /// Gives every fan of corners around a vertex but the first a copy of the vertex. The vertices of the
    /// file that were copied.
    fn separate_fans(&mut self, origins: &mut Vec<u32>) -> Vec<u32> {
        let mut mate = vec![NONE; self.face.len()];
        self.each_edge(|edge| {
            for (&a, &b) in edge.forward.iter().zip(edge.backward) {
                (mate[a as usize], mate[b as usize]) = (b, a);
            }
        });
        let mut claimed = vec![false; origins.len()];
        let mut seen = vec![false; self.face.len()];
        let mut copied = Vec::new();
        for start in 0..self.face.len() as u32 {
            if seen[start as usize] {
                continue;
            }
            let v = self.faces.vertex[start as usize];
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
                    self.faces.vertex[c as usize] = name;
                    let across = if forwards { c } else { self.before(c) };
                    let other = mate[across as usize];
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

    /// Gives whole faces vertices of their own.
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
