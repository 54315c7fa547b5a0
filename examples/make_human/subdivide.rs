//! One step of Catmull and Clark's subdivision that keeps the mirror map. Closed meshes of quads only.

use crate::quads::QuadMesh;
use glam::{Vec2, Vec3};
use std::collections::HashMap;

impl QuadMesh {
    /// One step of Catmull and Clark's subdivision (1978) of a closed mesh; uvs are subdivided linearly.
    pub fn subdivided(&self) -> Self {
        let (nv, nf) = (self.positions.len(), self.quads.len());
        let edges = self.edges();
        let centre = |f: usize| self.quads[f].iter().map(|&v| self.positions[v]).sum::<Vec3>() * 0.25;
        let mut faces_at = vec![(Vec3::ZERO, Vec3::ZERO, 0.0f32); nv];
        let mut out =
            Self { positions: self.positions.clone(), mirror: self.mirror.clone(), ..Default::default() };
        let mut edge_point = HashMap::new();
        for (e, (ab, faces)) in edges.iter().enumerate() {
            let middle = (self.positions[ab[0]] + self.positions[ab[1]]) * 0.5;
            let point = faces.iter().map(|&f| centre(f)).sum::<Vec3>() * 0.25 + middle * 0.5;
            edge_point.insert(*ab, nv + e);
            out.positions.push(point);
            for &v in ab {
                faces_at[v].1 += middle;
                faces_at[v].2 += 1.0;
            }
        }
        for f in 0..nf {
            out.positions.push(centre(f));
            self.quads[f].iter().for_each(|&v| faces_at[v].0 += centre(f));
        }
        for (v, &(f, e, n)) in faces_at.iter().enumerate() {
            out.positions[v] = (f / n + e / n * 2.0 + self.positions[v] * (n - 3.0)) / n;
        }
        let edge_at = |a: usize, b: usize| edge_point[&[a.min(b), a.max(b)]];
        let m = |v: usize| self.mirror[v];
        out.mirror.extend(edges.iter().map(|(ab, _)| edge_at(m(ab[0]), m(ab[1]))));
        let face_at: HashMap<[usize; 4], usize> =
            self.quads.iter().enumerate().map(|(f, q)| (sorted(*q), f)).collect();
        out.mirror.extend(self.quads.iter().map(|q| nv + edges.len() + face_at[&sorted(q.map(m))]));
        for (f, q) in self.quads.iter().enumerate() {
            let (u, middle) = (self.uvs[f], self.uvs[f].iter().sum::<Vec2>() * 0.25);
            for i in 0..4 {
                let (before, after) = (q[(i + 3) % 4], q[(i + 1) % 4]);
                out.quad(
                    [q[i], edge_at(q[i], after), nv + edges.len() + f, edge_at(before, q[i])],
                    [u[i], (u[i] + u[(i + 1) % 4]) * 0.5, middle, (u[i] + u[(i + 3) % 4]) * 0.5],
                );
            }
        }
        out
    }
}

fn sorted(mut q: [usize; 4]) -> [usize; 4] {
    q.sort_unstable();
    q
}
