//! Surfaces divided into their parts (`scene::parts`), each a mesh of its own for the graphics card: worked out once for
//! each surface.

use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::render::RenderMesh;
use crate::scene::parts::{Part, divide};
use std::collections::HashMap;
use std::sync::{Arc, Weak};

/// Triangles of a surface that have one material, and the render vertices that they need.
#[derive(Debug)]
pub struct PartMesh {
    /// Its place in the list of parts.
    pub number: usize,
    /// Render vertices of the whole surface, each once.
    pub vertices: Vec<u32>,
    /// Three for each triangle: places in `vertices`.
    pub indices: Vec<u32>,
}

/// The divided surfaces that are shown.
#[derive(Default)]
pub struct Parts(HashMap<usize, Divided>);

struct Divided {
    of: Weak<RenderMesh>,
    parts: Vec<Part>,
    meshes: Vec<Arc<PartMesh>>,
}

impl Parts {
    /// More parts are not shown: each is drawn by itself.
    const MOST: usize = 256;

    /// The meshes of `parts`; none where there are too many, or just one of them has triangles.
    pub fn meshes(
        &mut self,
        surface: &HalfedgeMesh,
        render: &Arc<RenderMesh>,
        parts: &[Part],
    ) -> &[Arc<PartMesh>] {
        if parts.is_empty() || parts.len() > Self::MOST {
            return &[];
        }
        let place = Arc::as_ptr(render).addr();
        let known = self.0.get(&place).is_some_and(|known| known.parts == parts);
        if !known {
            self.0.retain(|_, known| known.of.strong_count() > 0);
            let mut meshes: Vec<_> = divide(surface, render, parts)
                .into_iter()
                .map(|(number, corners)| Arc::new(PartMesh::new(number, &corners, render.vertex.len())))
                .collect();
            if meshes.len() < 2 {
                meshes.clear();
            }
            let (of, parts) = (Arc::downgrade(render), parts.to_vec());
            self.0.insert(place, Divided { of, parts, meshes });
        }
        self.0.get(&place).map_or(&[], |divided| &divided.meshes)
    }
}

impl PartMesh {
    /// `corners`: three render vertices for each triangle, of `count` that there are.
    fn new(number: usize, corners: &[u32], count: usize) -> Self {
        const NONE: u32 = u32::MAX;
        let mut places = vec![NONE; count];
        let mut vertices = Vec::new();
        let place = |&vertex: &u32| {
            let place = &mut places[vertex as usize];
            if *place == NONE {
                *place = vertices.len() as u32;
                vertices.push(vertex);
            }
            *place
        };
        let indices = corners.iter().map(place).collect();
        Self {
            number,
            vertices,
            indices,
        }
    }

    /// What its vertices have of what the surface has for each render vertex.
    pub fn gather<T: Copy>(&self, of_surface: &[T]) -> Vec<T> {
        self.vertices
            .iter()
            .map(|&vertex| of_surface[vertex as usize])
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives;
    use glam::Vec3;

    #[test]
    fn a_surface_is_divided_once_and_forgotten_with_it() {
        let cube = primitives::cuboid(Vec3::ONE).unwrap();
        let render = Arc::new(RenderMesh::new(&cube));
        let part = |faces| Part {
            material: None,
            faces,
        };
        let mut parts = Parts::default();
        let first = parts.meshes(&cube, &render, &[part(2), part(4)]).to_vec();
        assert_eq!(
            first.iter().map(|of| of.vertices.len()).collect::<Vec<_>>(),
            [8, 16]
        );
        let corners = first
            .iter()
            .flat_map(|of| of.indices.iter().map(|&at| of.vertices[at as usize]));
        assert_eq!(corners.collect::<Vec<_>>(), render.indices);
        let again = parts.meshes(&cube, &render, &[part(2), part(4)]);
        assert!(again.iter().zip(&first).all(|(a, b)| Arc::ptr_eq(a, b)));
        assert_eq!(parts.meshes(&cube, &render, &[part(6), part(0)]).len(), 0);
        assert_eq!(
            parts
                .meshes(&cube, &render, &vec![part(0); Parts::MOST + 1])
                .len(),
            0
        );
        drop(render);
        let other = Arc::new(RenderMesh::new(&cube));
        parts.meshes(&cube, &other, &[part(1), part(5)]);
        assert_eq!(parts.0.len(), 1);
    }
}
