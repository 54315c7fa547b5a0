//! Shapes of a surface, or morph targets: a face that smiles is the stored surface plus a share of each shape. They are
//! blended before skinning; the kernels do not know them.

use super::skeleton::Shape;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::render::RenderMesh;
use glam::Vec3;

/// How a shape differs from the stored surface, in mesh space. What it leaves as it is has no entry.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShapeKey {
    /// Vertices, ascending, and how far they are moved at weight 1.
    pub positions: Vec<(u32, Vec3)>,
    /// Corners (half-edges), ascending, and the differences of their unit normals.
    pub normals: Vec<(u32, Vec3)>,
}

impl ShapeKey {
    /// Whether all indices exist on a surface, in ascending order, and all numbers are finite.
    pub fn fits(&self, surface: &HalfedgeMesh) -> bool {
        let fit = |entries: &[(u32, Vec3)], count: usize| {
            entries.windows(2).all(|pair| pair[0].0 < pair[1].0)
                && entries.last().is_none_or(|(last, _)| (*last as usize) < count)
                && entries.iter().all(|(_, offset)| offset.is_finite())
        };
        fit(&self.positions, surface.vertex_count()) && fit(&self.normals, surface.halfedge_count())
    }
}

/// A surface with its shapes blended in, in memory that is used again.
#[derive(Clone, Debug, Default)]
pub struct ShapedSurface {
    /// V: positions.
    pub positions: Vec<Vec3>,
    /// The render vertices with blended normals, without triangles.
    pub render: RenderMesh,
    /// R: the last shape, from 1, whose difference was added to the normal.
    added: Vec<u32>,
}

impl ShapedSurface {
    /// Returns the positions and the render mesh of `surface` with its shapes blended in: its own if none is shown.
    pub fn shown<'a>(
        &'a mut self,
        surface: &'a HalfedgeMesh,
        render: &'a RenderMesh,
        keys: &[ShapeKey],
        shapes: &[Shape],
    ) -> (&'a [Vec3], &'a RenderMesh) {
        if keys.iter().zip(shapes).all(|(_, shape)| shape.weight == 0.0) {
            return (surface.positions(), render);
        }
        self.blend(surface, render, keys, shapes);
        (&self.positions, &self.render)
    }

    /// Blends the shapes of `surface`, whose render mesh is `render`, by their weights. Normals are of unit length, or zero
    /// where they are zero in the file or vanish.
    fn blend(&mut self, surface: &HalfedgeMesh, render: &RenderMesh, keys: &[ShapeKey], shapes: &[Shape]) {
        self.positions.clear();
        self.positions.extend_from_slice(surface.positions());
        self.render.vertex.clone_from(&render.vertex);
        self.render.normal.clone_from(&render.normal);
        self.added.clear();
        self.added.resize(render.normal.len(), 0);
        for ((key, shape), number) in keys.iter().zip(shapes).zip(1..) {
            if shape.weight == 0.0 {
                continue;
            }
            for &(vertex, offset) in &key.positions {
                self.positions[vertex as usize] += offset * shape.weight;
            }
            for &(corner, offset) in &key.normals {
                // Corners share render vertices.
                let drawn = render.corner[corner as usize] as usize;
                if self.added.get(drawn).is_some_and(|last| *last != number) {
                    self.added[drawn] = number;
                    self.render.normal[drawn] += offset * shape.weight;
                }
            }
        }
        for (normal, added) in self.render.normal.iter_mut().zip(&self.added) {
            if *added > 0 {
                *normal = normal.normalize_or_zero();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives;

    #[test]
    fn shapes_add_up_by_their_weights() {
        let cube = primitives::cuboid(Vec3::ONE).unwrap();
        let render = RenderMesh::new(&cube);
        let corner = cube.face_corners(0).next().unwrap();
        let key =
            |vertex, offset| ShapeKey { positions: vec![(vertex, offset)], normals: vec![(corner, Vec3::X)] };
        let keys = [key(0, Vec3::X), key(0, Vec3::Y), key(3, Vec3::Z)];
        let weights = [0.5, -2.0, 0.0];
        let shapes = weights.map(|weight| Shape { weight, ..Shape::default() });
        let mut shaped = ShapedSurface::default();
        shaped.blend(&cube, &render, &keys, &shapes);
        assert_eq!(shaped.positions[0], cube.positions()[0] + Vec3::new(0.5, -2.0, 0.0));
        assert_eq!(shaped.positions[1..], cube.positions()[1..]);
        let drawn = render.corner[corner as usize] as usize;
        let normal = (render.normal[drawn] + Vec3::X * (0.5 - 2.0)).normalize();
        assert!(shaped.render.normal[drawn].abs_diff_eq(normal, 1e-6));
        let is_other = |index: &usize| *index != drawn;
        let others = (0..render.normal.len()).filter(is_other);
        assert!(others.into_iter().all(|index| shaped.render.normal[index] == render.normal[index]));
        let (positions, _) = shaped.shown(&cube, &render, &keys[2..], &shapes[2..]);
        assert_eq!(positions, cube.positions());
        assert!(keys[0].fits(&cube) && !key(8, Vec3::X).fits(&cube) && !key(0, Vec3::NAN).fits(&cube));
    }
}
