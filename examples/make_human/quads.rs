//! A mesh of quadrilaterals with its mirror map: building, mirroring over x = 0, orientation.
//!
//! Only what the model needs on its way to the document's half-edge mesh: every face is a quad and the
//! finished surface is closed.

use glam::{Vec2, Vec3};
use std::collections::HashMap;

#[derive(Clone, Default)]
pub struct QuadMesh {
    pub positions: Vec<Vec3>,
    pub quads: Vec<[usize; 4]>,
    /// One uv per corner.
    pub uvs: Vec<[Vec2; 4]>,
    /// Vertex on the other side of x = 0; itself on the seam. Empty before [`QuadMesh::mirrored`].
    pub mirror: Vec<usize>,
}

/// A rectangle of the texture.
#[derive(Clone, Copy)]
pub struct Patch(pub [f32; 4]);

impl Patch {
    /// The texture coordinate at the fractions `s`, `t` of the rectangle (u0, v0, u1, v1).
    pub fn at(&self, s: f32, t: f32) -> Vec2 {
        let [u0, v0, u1, v1] = self.0;
        Vec2::new(u0 + (u1 - u0) * s, v0 + (v1 - v0) * t)
    }
}

impl QuadMesh {
    pub fn vertex(&mut self, p: Vec3) -> usize {
        self.positions.push(p);
        self.positions.len() - 1
    }

    pub fn vertices(&mut self, points: impl IntoIterator<Item = Vec3>) -> Vec<usize> {
        points.into_iter().map(|p| self.vertex(p)).collect()
    }

    pub fn quad(&mut self, corners: [usize; 4], uvs: [Vec2; 4]) {
        self.quads.push(corners);
        self.uvs.push(uvs);
    }

    /// Quads between closed rings of equal length.
    pub fn tube(&mut self, rings: &[Vec<usize>], patch: Patch) {
        let (rows, n) = (rings.len() - 1, rings[0].len());
        for r in 0..rows {
            for i in 0..n {
                let (a, b) = (i as f32 / n as f32, (i + 1) as f32 / n as f32);
                let (c, d) = (r as f32 / rows as f32, (r + 1) as f32 / rows as f32);
                let k = (i + 1) % n;
                self.quad(
                    [rings[r][i], rings[r][k], rings[r + 1][k], rings[r + 1][i]],
                    [patch.at(a, c), patch.at(b, c), patch.at(b, d), patch.at(a, d)],
                );
            }
        }
    }

    /// Fills a grid of vertices (rows of equal length) with quads.
    pub fn grid(&mut self, rows: &[Vec<usize>], patch: Patch) {
        let (m, n) = (rows.len() - 1, rows[0].len() - 1);
        for r in 0..m {
            for i in 0..n {
                let (a, b) = (i as f32 / n as f32, (i + 1) as f32 / n as f32);
                let (c, d) = (r as f32 / m as f32, (r + 1) as f32 / m as f32);
                self.quad(
                    [rows[r][i], rows[r][i + 1], rows[r + 1][i + 1], rows[r + 1][i]],
                    [patch.at(a, c), patch.at(b, c), patch.at(b, d), patch.at(a, d)],
                );
            }
        }
    }

    /// Drops vertices that no face uses.
    fn compacted(mut self) -> Self {
        let mut new = vec![usize::MAX; self.positions.len()];
        self.quads.iter().flatten().for_each(|&v| new[v] = 0);
        let used: Vec<usize> = (0..new.len()).filter(|&v| new[v] == 0).collect();
        used.iter().enumerate().for_each(|(i, &v)| new[v] = i);
        self.positions = used.iter().map(|&v| self.positions[v]).collect();
        self.quads.iter_mut().flatten().for_each(|v| *v = new[*v]);
        self
    }

    /// Both halves of the half x >= 0, welded where x is exactly 0. The other half's uvs are mirrored in u.
    pub fn mirrored(self) -> Self {
        let mut this = self.compacted();
        this.mirror_half();
        this
    }

    fn mirror_half(&mut self) {
        let n = self.positions.len();
        self.mirror = (0..n).collect();
        for i in 0..n {
            let p = self.positions[i];
            if p.x != 0.0 {
                let m = self.vertex(Vec3::new(-p.x, p.y, p.z));
                self.mirror[i] = m;
                self.mirror.push(i);
            }
        }
        for f in 0..self.quads.len() {
            let (q, u) = (self.quads[f], self.uvs[f]);
            self.quad(
                [3, 2, 1, 0].map(|i| self.mirror[q[i]]),
                [3, 2, 1, 0].map(|i| Vec2::new(1.0 - u[i].x, u[i].y)),
            );
        }
    }

    /// Makes all faces agree with the first one, then turns all so that the enclosed volume is positive.
    pub fn oriented(mut self) -> Self {
        let mut sides: HashMap<[usize; 2], Vec<usize>> = HashMap::new();
        for (f, q) in self.quads.iter().enumerate() {
            for i in 0..4 {
                let (a, b) = (q[i], q[(i + 1) % 4]);
                sides.entry([a.min(b), a.max(b)]).or_default().push(f);
            }
        }
        let mut seen = vec![false; self.quads.len()];
        let mut stack = vec![0];
        seen[0] = true;
        while let Some(f) = stack.pop() {
            let q = self.quads[f];
            for i in 0..4 {
                let (a, b) = (q[i], q[(i + 1) % 4]);
                for &g in &sides[&[a.min(b), a.max(b)]] {
                    if !seen[g] {
                        seen[g] = true;
                        let o = self.quads[g];
                        if (0..4).any(|k| o[k] == a && o[(k + 1) % 4] == b) {
                            self.turn(g);
                        }
                        stack.push(g);
                    }
                }
            }
        }
        if self.volume() < 0.0 {
            (0..self.quads.len()).for_each(|f| self.turn(f));
        }
        self
    }

    fn turn(&mut self, face: usize) {
        self.quads[face].reverse();
        self.uvs[face].reverse();
    }

    /// Enclosed volume; positive if the faces run counter-clockwise seen from outside.
    pub fn volume(&self) -> f32 {
        let p = |i: usize| self.positions[i];
        let six = |a: Vec3, b: Vec3, c: Vec3| a.dot(b.cross(c)) / 6.0;
        self.quads.iter().map(|&[a, b, c, d]| six(p(a), p(b), p(c)) + six(p(a), p(c), p(d))).sum()
    }

    /// Each edge once, with its one or two faces (more if something is wrong), in order of first occurrence.
    pub fn edges(&self) -> Vec<([usize; 2], Vec<usize>)> {
        let mut index: HashMap<[usize; 2], usize> = HashMap::new();
        let mut edges: Vec<([usize; 2], Vec<usize>)> = Vec::new();
        for (f, q) in self.quads.iter().enumerate() {
            for i in 0..4 {
                let (a, b) = (q[i], q[(i + 1) % 4]);
                let key = [a.min(b), a.max(b)];
                let e = *index.entry(key).or_insert_with(|| {
                    edges.push((key, Vec::new()));
                    edges.len() - 1
                });
                edges[e].1.push(f);
            }
        }
        edges
    }

    /// Makes the positions exactly symmetric; of two vertices, the first counts.
    pub fn symmetrise(&mut self) {
        for i in 0..self.positions.len() {
            let (p, m) = (self.positions[i], self.mirror[i]);
            if m == i {
                self.positions[i].x = 0.0;
            } else if m > i {
                self.positions[m] = Vec3::new(-p.x, p.y, p.z);
            }
        }
    }
}
