//! The connected pieces of a surface.

use super::halfedge::HalfedgeMesh;

/// The shell that each vertex belongs to.
pub struct Shells {
    pub count: usize,
    /// The shell of each vertex (V), less than `count`.
    pub shell_of_vertex: Vec<u32>,
}

pub fn find_shells(mesh: &HalfedgeMesh) -> Shells {
    let mut shell_of_vertex = vec![u32::MAX; mesh.vertex_count()];
    let mut count = 0;
    let mut stack = Vec::new();
    for start in 0..mesh.vertex_count() {
        if shell_of_vertex[start] != u32::MAX {
            continue;
        }
        shell_of_vertex[start] = count;
        stack.push(start as u32);
        while let Some(vertex) = stack.pop() {
            for h in mesh.outgoing(vertex) {
                let other = mesh.vertex_of(HalfedgeMesh::twin(h));
                if shell_of_vertex[other as usize] == u32::MAX {
                    shell_of_vertex[other as usize] = count;
                    stack.push(other);
                }
            }
        }
        count += 1;
    }
    Shells { count: count as usize, shell_of_vertex }
}
