//! Writes surfaces as triangles of render vertices.

use super::super::schema::{Index, Primitive};
use super::binary::Binary;
use super::error::{ExportError, all_finite};
use super::influences::JointWeights;
use super::shapes;
use crate::extra::Extra;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::render::RenderMesh;
use crate::rig::shapes::ShapeKey;
use crate::scene::parts;
use glam::{Vec2, Vec3, Vec4};
use std::collections::BTreeMap;

/// The accessors of a surface, which meshes with different materials share.
#[derive(Clone)]
pub struct Triangles {
    attributes: BTreeMap<String, Index>,
    /// The morph targets.
    targets: Vec<BTreeMap<String, Index>>,
    /// The indices of the triangles of each part, with the name of its material if the surface has several
    /// parts.
    parts: Vec<(Option<String>, Index)>,
}

impl Triangles {
    /// Writes a surface; `None` for one without faces. `name` is the name of the mesh, for errors;
    /// `keys` are its shapes,
    /// `influences` the weights and the number of joints.
    ///
    /// # Errors
    /// [`ExportError::NotFinite`].
    pub fn write(
        binary: &mut Binary,
        name: &str,
        (surface, extra): (&HalfedgeMesh, &Extra),
        keys: &[ShapeKey],
        influences: Option<(&JointWeights, usize)>,
    ) -> Result<Option<Self>, ExportError> {
        let render = RenderMesh::new(surface);
        if render.indices.is_empty() {
            return Ok(None);
        }
        for (vertex, position) in surface.positions().iter().enumerate() {
            all_finite(position.is_finite(), || format!("the position of vertex {vertex} of “{name}”"))?;
        }
        let positions: Vec<Vec3> = render.vertex.iter().map(|&v| surface.positions()[v as usize]).collect();
        let mut attributes = BTreeMap::new();
        let mut add = |attribute: &str, accessor| {
            attributes.insert(attribute.to_owned(), accessor);
        };
        add("POSITION", binary.add_positions(&positions));
        add("NORMAL", binary.add_attribute(&complete_normals(&render, &positions)));
        if render.uv.iter().any(|uv| *uv != Vec2::ZERO) {
            let uvs: Vec<Vec2> = render.uv.iter().map(|uv| Vec2::new(uv.x, 1.0 - uv.y)).collect();
            if let Some(index) = uvs.iter().position(|uv| !uv.is_finite()) {
                let place = format!("a texture coordinate of vertex {} of “{name}”", render.vertex[index]);
                return Err(ExportError::NotFinite { place });
            }
            add("TEXCOORD_0", binary.add_attribute(&uvs));
        }
        if let Some((joint_weights, joints)) = influences {
            for set in 0..joint_weights.sets() {
                let rows = render.vertex.iter().map(|&v| joint_weights.set(v as usize, set));
                let (ids, weights): (Vec<[u16; 4]>, Vec<Vec4>) =
                    rows.map(|(ids, weights)| (ids, Vec4::from_array(weights))).unzip();
                let ids = if joints <= 256 {
                    binary.add_attribute(&ids.iter().map(|ids| ids.map(|id| id as u8)).collect::<Vec<_>>())
                } else {
                    binary.add_attribute(&ids)
                };
                add(&format!("JOINTS_{set}"), ids);
                add(&format!("WEIGHTS_{set}"), binary.add_attribute(&weights));
            }
        }
        let targets = shapes::targets(binary, &render, keys);
        binary.check_finite(|| format!("a normal, weight or shape of “{name}”"))?;
        let parts = parts::parts(extra);
        let mut write_part = |(part, indices): (usize, Vec<u32>)| {
            let material = parts.get(part).and_then(|part| part.material.clone());
            (material, binary.add_indices(&indices, positions.len()))
        };
        Ok(Some(Self {
            attributes,
            targets,
            parts: parts::divide(surface, &render, &parts).into_iter().map(&mut write_part).collect(),
        }))
    }

    /// Returns the materials of the parts, if there are several and `material`, that of the instance, is one
    /// of them.
    pub fn materials<'a>(&'a self, material: Option<&'a str>) -> Vec<Option<&'a str>> {
        let names: Vec<_> = self.parts.iter().map(|(name, _)| name.as_deref()).collect();
        if names.len() > 1 && names.contains(&material) { names } else { vec![material; names.len()] }
    }

    /// Returns the primitives, with the given material for each part.
    pub fn primitives(&self, materials: &[Option<Index>]) -> Vec<Primitive> {
        let primitive = |((_, indices), material): (&(Option<String>, Index), &Option<Index>)| Primitive {
            attributes: self.attributes.clone(),
            targets: self.targets.clone(),
            indices: Some(*indices),
            material: *material,
            ..Primitive::default()
        };
        self.parts.iter().zip(materials).map(primitive).collect()
    }
}

/// Returns unit normals. Missing ones become the mean of the faces around the vertex.
fn complete_normals(render: &RenderMesh, positions: &[Vec3]) -> Vec<Vec3> {
    let mut normals = render.normal.clone();
    let is_missing = |normal: &Vec3| !normal.is_finite() || *normal == Vec3::ZERO;
    if !normals.iter().any(is_missing) {
        return normals;
    }
    let mut sums: BTreeMap<u32, Vec3> = BTreeMap::new();
    for triangle in render.indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|corner| positions[triangle[corner] as usize]);
        let face_normal = (b - a).cross(c - a);
        for &corner in triangle {
            *sums.entry(render.vertex[corner as usize]).or_default() += face_normal;
        }
    }
    for (normal, vertex) in normals.iter_mut().zip(&render.vertex) {
        if is_missing(normal) {
            let sum = sums.get(vertex).copied().unwrap_or_default().as_dvec3();
            *normal = sum.try_normalize().unwrap_or(glam::DVec3::Y).as_vec3();
        }
    }
    normals
}
