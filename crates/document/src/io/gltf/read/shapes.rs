//! Morph targets of a file, as shapes of the surface that their vertices become part of.

use super::super::schema::Mesh;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::shapes::ShapeKey;
use crate::rig::skeleton::Shape;
use glam::Vec3;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Where the weight of a shape comes from: a node, and the index of the target in its mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShapeSource {
    pub node: usize,
    pub target: usize,
}

/// Differences by shape, of one vertex or normal; none is zero.
pub type Offsets = Vec<(usize, Vec3)>;

/// The shapes of a surface under construction.
#[derive(Default)]
pub struct Shapes {
    pub sources: Vec<ShapeSource>,
    shapes: Vec<Shape>,
    indices: HashMap<ShapeSource, usize>,
    /// Per vertex of the input, if it moves.
    offsets: HashMap<u32, Offsets>,
    /// Per vertex of the input and the bits of a normal there, if the normal changes.
    normals: HashMap<(u32, [u32; 3]), Offsets>,
}

/// Returns a number that tells vertices apart that move differently.
pub fn fingerprint(offsets: &[(usize, Vec3)]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for (shape, offset) in offsets {
        (shape, offset.to_array().map(f32::to_bits)).hash(&mut hasher);
    }
    hasher.finish()
}

fn bits(normal: Vec3) -> [u32; 3] {
    // Minus zero is zero.
    (normal + Vec3::ZERO).to_array().map(f32::to_bits)
}

impl Shapes {
    /// Returns the index of the shape for a target of a mesh at a node, and adds it if necessary. `weights`: those that the
    /// node states, instead of those of the mesh.
    pub fn index(&mut self, mesh: &Mesh, source: ShapeSource, weights: Option<&[f64]>) -> usize {
        let next = self.shapes.len();
        let index = *self.indices.entry(source).or_insert(next);
        if index == next {
            let names = mesh.extras.as_ref().and_then(|extras| extras.get("targetNames")?.as_array());
            let name = names.and_then(|names| names.get(source.target)?.as_str());
            let name = name.map_or_else(|| format!("Shape {}", source.target + 1), super::shorten);
            let weight = weights.unwrap_or(&mesh.weights).get(source.target).copied().unwrap_or(0.0) as f32;
            let weight = if weight.is_finite() { weight } else { 0.0 };
            self.shapes.push(Shape { name: name.into(), weight, channel_id: index as u32 });
            self.sources.push(source);
        }
        index
    }

    pub fn move_vertex(&mut self, vertex: u32, offsets: Offsets) {
        if !offsets.is_empty() {
            self.offsets.insert(vertex, offsets);
        }
    }

    pub fn turn_normal(&mut self, vertex: u32, normal: Vec3, offsets: Offsets) {
        if !offsets.is_empty() {
            self.normals.insert((vertex, bits(normal)), offsets);
        }
    }

    /// Returns the shapes of the finished surface; `origins` are the vertices of the input that its vertices are.
    pub fn keys(&self, surface: &HalfedgeMesh, origins: &[u32]) -> (Vec<Shape>, Vec<ShapeKey>) {
        let mut keys = vec![ShapeKey::default(); self.shapes.len()];
        if self.shapes.is_empty() {
            return (Vec::new(), keys);
        }
        for (vertex, origin) in (0..).zip(origins) {
            for &(shape, offset) in self.offsets.get(origin).into_iter().flatten() {
                keys[shape].positions.push((vertex, offset));
            }
        }
        for corner in 0..surface.halfedge_count() as u32 {
            if surface.is_boundary(surface.face_of(corner)) {
                continue;
            }
            let (origin, normal) =
                (origins[surface.vertex_of(corner) as usize], surface.corner_normals()[corner as usize]);
            // Faces that were turned have the opposite normals.
            let found = [(normal, 1.0), (-normal, -1.0)]
                .into_iter()
                .find_map(|(normal, side)| Some((self.normals.get(&(origin, bits(normal)))?, side)));
            for &(shape, offset) in found.into_iter().flat_map(|(offsets, _)| offsets) {
                let side = found.map_or(1.0, |(_, side)| side);
                keys[shape].normals.push((corner, offset * side));
            }
        }
        (self.shapes.clone(), keys)
    }
}
