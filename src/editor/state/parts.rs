//! Surfaces divided into their parts (`scene::parts`), each a separate mesh for the graphics card: computed
//! once for each surface.

use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::render::RenderMesh;
use crate::scene::parts::{Part, divide};
use std::collections::HashMap;
use std::sync::{Arc, Weak};

/// The triangles of a surface with one material, and the render vertices that they use.
#[derive(Debug)]
pub struct PartMesh {
    /// The index in the list of parts.
    pub number: usize,
    /// Indices of render vertices of the whole surface, each once.
    pub vertices: Vec<u32>,
    /// Indices into `vertices`, three for each triangle.
    pub indices: Vec<u32>,
}

/// The divided surfaces that are shown.
#[derive(Default)]
pub struct Parts(HashMap<usize, Divided>);

struct Divided {
    render: Weak<RenderMesh>,
    parts: Vec<Part>,
    meshes: Vec<Arc<PartMesh>>,
}

impl Parts {
    /// The most parts that are shown: each is a separate draw call.
    const MAX: usize = 256;

    /// Returns the meshes of `parts`; none if there are too many, or only one of them has triangles.
    pub fn meshes(
        &mut self,
        surface: &HalfedgeMesh,
        render: &Arc<RenderMesh>,
        parts: &[Part],
    ) -> &[Arc<PartMesh>] {
        if parts.is_empty() || parts.len() > Self::MAX {
            return &[];
        }
        let address = Arc::as_ptr(render).addr();
        let known = self.0.get(&address).is_some_and(|known| known.parts == parts);
        if !known {
            self.0.retain(|_, known| known.render.strong_count() > 0);
            let mut meshes: Vec<_> = divide(surface, render, parts)
                .into_iter()
                .map(|(number, corners)| Arc::new(PartMesh::new(number, &corners, render.vertex.len())))
                .collect();
            if meshes.len() < 2 {
                meshes.clear();
            }
            let divided = Divided { render: Arc::downgrade(render), parts: parts.to_vec(), meshes };
            self.0.insert(address, divided);
        }
        self.0.get(&address).map_or(&[], |divided| &divided.meshes)
    }
}

impl PartMesh {
    /// Returns the mesh of the triangles with these `corners`, three render vertices of `count` for each.
    fn new(number: usize, corners: &[u32], count: usize) -> Self {
        const NONE: u32 = u32::MAX;
        let mut part_indices = vec![NONE; count];
        let mut vertices = Vec::new();
        let part_index = |&vertex: &u32| {
            let index = &mut part_indices[vertex as usize];
            if *index == NONE {
                *index = vertices.len() as u32;
                vertices.push(vertex);
            }
            *index
        };
        let indices = corners.iter().map(part_index).collect();
        Self { number, vertices, indices }
    }

    /// Selects the values of its vertices from those of all render vertices of the surface.
    pub fn gather<T: Copy>(&self, values: &[T]) -> Vec<T> {
        self.vertices.iter().map(|&vertex| values[vertex as usize]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives;
    use glam::Vec3;

    #[test]
    fn a_surface_is_divided_once_and_dropped_with_it() {
        let cube = primitives::cuboid(Vec3::ONE).unwrap();
        let render = Arc::new(RenderMesh::new(&cube));
        let part = |faces| Part { material: None, faces };
        let mut parts = Parts::default();
        let first = parts.meshes(&cube, &render, &[part(2), part(4)]).to_vec();
        assert_eq!(first.iter().map(|part| part.vertices.len()).collect::<Vec<_>>(), [8, 16]);
        let corners = first.iter().flat_map(|part| part.indices.iter().map(|&i| part.vertices[i as usize]));
        assert_eq!(corners.collect::<Vec<_>>(), render.indices);
        let cached = parts.meshes(&cube, &render, &[part(2), part(4)]);
        assert!(cached.iter().zip(&first).all(|(a, b)| Arc::ptr_eq(a, b)));
        assert_eq!(parts.meshes(&cube, &render, &[part(6), part(0)]).len(), 0);
        assert_eq!(parts.meshes(&cube, &render, &vec![part(0); Parts::MAX + 1]).len(), 0);
        drop(render);
        let other = Arc::new(RenderMesh::new(&cube));
        parts.meshes(&cube, &other, &[part(1), part(5)]);
        assert_eq!(parts.0.len(), 1);
    }
}
