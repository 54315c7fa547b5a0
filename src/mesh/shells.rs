//! The connected pieces of a surface.

use super::halfedge::HalfedgeMesh;

/// Which vertex belongs to which piece.
pub struct Shells {
    pub count: usize,
    /// V: below `count`.
    pub of_vertex: Vec<u32>,
}

pub fn find(mesh: &HalfedgeMesh) -> Shells {
    let mut of_vertex = vec![u32::MAX; mesh.vertex_count()];
    let mut count = 0;
    let mut waiting = Vec::new();
    for start in 0..mesh.vertex_count() {
        if of_vertex[start] != u32::MAX {
            continue;
        }
        of_vertex[start] = count;
        waiting.push(start as u32);
        while let Some(vertex) = waiting.pop() {
            for h in mesh.outgoing(vertex) {
                let other = mesh.vertex_of(HalfedgeMesh::twin(h));
                if of_vertex[other as usize] == u32::MAX {
                    of_vertex[other as usize] = count;
                    waiting.push(other);
                }
            }
        }
        count += 1;
    }
    Shells {
        count: count as usize,
        of_vertex,
    }
}
