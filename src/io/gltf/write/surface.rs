//! Surfaces as triangles over render vertices.

use super::super::schema::{Index, Primitive};
use super::binary::Binary;
use super::influences::Written;
use super::options::{ExportError, finite};
use crate::extra::{Extra, Value};
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::render::RenderMesh;
use glam::{Vec2, Vec3, Vec4};
use std::collections::BTreeMap;

/// Accessors of a surface, which meshes with different materials share.
#[derive(Clone)]
pub struct Triangles {
    attributes: BTreeMap<String, Index>,
    /// Indices of the triangles of each part, with the name of its material if the surface has several parts.
    parts: Vec<(Option<String>, Index)>,
}

/// The extra member of a mesh that divides its faces into parts of one material each, in the order of the faces.
const PARTS: &str = "parts";

/// Materials and numbers of faces of the parts; empty where the mesh is whole.
fn parts(extra: &Extra) -> Vec<(Option<String>, usize)> {
    let Some(Value::Array(items)) = extra.get(PARTS) else {
        return Vec::new();
    };
    let part = |item: &Value| {
        let Value::Object(members) = item else {
            return None;
        };
        let member = |name: &str| {
            members
                .iter()
                .find(|(key, _)| &**key == name)
                .map(|(_, value)| value)
        };
        let faces = match member("faces")? {
            Value::Unsigned(faces) => usize::try_from(*faces).ok()?,
            _ => return None,
        };
        let material = match member("material")? {
            Value::Text(name) => Some(name.to_string()),
            _ => None,
        };
        Some((material, faces))
    };
    let parts: Option<Vec<_>> = items.iter().map(|item| part(&item)).collect();
    parts.unwrap_or_default()
}

impl Triangles {
    /// `name` is that of the mesh, for errors; `joints` how many there are. `None` for a surface without faces.
    ///
    /// # Errors
    /// [`ExportError::NotFinite`].
    pub fn write(
        binary: &mut Binary,
        name: &str,
        (surface, extra): (&HalfedgeMesh, &Extra),
        influences: Option<(&Written, usize)>,
    ) -> Result<Option<Self>, ExportError> {
        let render = RenderMesh::new(surface);
        if render.indices.is_empty() {
            return Ok(None);
        }
        for (vertex, position) in surface.positions().iter().enumerate() {
            finite(position.element_sum(), || {
                format!("the position of vertex {vertex} of “{name}”")
            })?;
        }
        let positions: Vec<Vec3> = render
            .vertex
            .iter()
            .map(|&v| surface.positions()[v as usize])
            .collect();
        let mut attributes = BTreeMap::new();
        let mut add = |attribute: &str, accessor| {
            attributes.insert(attribute.to_owned(), accessor);
        };
        add("POSITION", binary.positions(&positions));
        add("NORMAL", binary.attribute(&whole_normals(&render, &positions)));
        if render.uv.iter().any(|uv| *uv != Vec2::ZERO) {
            let uvs: Vec<Vec2> = render.uv.iter().map(|uv| Vec2::new(uv.x, 1.0 - uv.y)).collect();
            if let Some(at) = uvs.iter().position(|uv| !uv.is_finite()) {
                let at = format!("a texture coordinate of vertex {} of “{name}”", render.vertex[at]);
                return Err(ExportError::NotFinite { at });
            }
            add("TEXCOORD_0", binary.attribute(&uvs));
        }
        if let Some((written, joints)) = influences {
            for set in 0..written.sets() {
                let rows = render.vertex.iter().map(|&v| written.set(v as usize, set));
                let (ids, weights): (Vec<[u16; 4]>, Vec<Vec4>) = rows
                    .map(|(ids, weights)| (ids, Vec4::from_array(weights)))
                    .unzip();
                let ids = match joints <= 256 {
                    true => {
                        binary.attribute(&ids.iter().map(|ids| ids.map(|id| id as u8)).collect::<Vec<_>>())
                    }
                    false => binary.attribute(&ids),
                };
                add(&format!("JOINTS_{set}"), ids);
                add(&format!("WEIGHTS_{set}"), binary.attribute(&weights));
            }
        }
        Ok(Some(Self {
            attributes,
            parts: divided(surface, &render, parts(extra))
                .into_iter()
                .map(|(material, indices)| (material, binary.indices(&indices, positions.len())))
                .collect(),
        }))
    }

    /// The materials that the parts name, where there are several and `material`, that of the instance, is one of them.
    pub fn materials<'a>(&'a self, material: Option<&'a str>) -> Vec<Option<&'a str>> {
        let names: Vec<_> = self.parts.iter().map(|(name, _)| name.as_deref()).collect();
        match names.len() > 1 && names.contains(&material) {
            true => names,
            false => vec![material; names.len()],
        }
    }

    /// `materials`: of each part.
    pub fn primitives(&self, materials: &[Option<Index>]) -> Vec<Primitive> {
        let primitive = |((_, indices), material): (&(Option<String>, Index), &Option<Index>)| Primitive {
            attributes: self.attributes.clone(),
            indices: Some(*indices),
            material: *material,
            ..Primitive::default()
        };
        self.parts.iter().zip(materials).map(primitive).collect()
    }
}

/// Indices of the triangles of each part that has some. The last part goes on to the last face.
fn divided(
    surface: &HalfedgeMesh,
    render: &RenderMesh,
    parts: Vec<(Option<String>, usize)>,
) -> Vec<(Option<String>, Vec<u32>)> {
    let mut ends: Vec<usize> = Vec::new();
    for (_, faces) in &parts {
        ends.push(ends.last().unwrap_or(&0).saturating_add(*faces));
    }
    let mut divided: Vec<(Option<String>, Vec<u32>)> =
        parts.into_iter().map(|(name, _)| (name, Vec::new())).collect();
    if divided.is_empty() {
        divided.push((None, Vec::new()));
    }
    let last = divided.len() - 1;
    // Per face: how many before it do not surround holes.
    let mut number = 0;
    let mut numbers = vec![0; surface.face_count()];
    for (of_face, is_boundary) in numbers.iter_mut().zip(surface.face_boundaries()) {
        *of_face = number;
        number += usize::from(!is_boundary);
    }
    for (triangle, &face) in render.indices.chunks_exact(3).zip(&render.triangle_face) {
        let part = ends
            .partition_point(|end| *end <= numbers[face as usize])
            .min(last);
        divided[part].1.extend_from_slice(triangle);
    }
    divided.retain(|(_, indices)| !indices.is_empty());
    divided
}

/// Unit normals. Those that the surface leaves open are the mean of the faces around the vertex.
fn whole_normals(render: &RenderMesh, positions: &[Vec3]) -> Vec<Vec3> {
    let mut normals = render.normal.clone();
    let is_open = |normal: &Vec3| !normal.is_finite() || *normal == Vec3::ZERO;
    if !normals.iter().any(is_open) {
        return normals;
    }
    let mut sums: BTreeMap<u32, Vec3> = BTreeMap::new();
    for triangle in render.indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|corner| positions[triangle[corner] as usize]);
        let across = (b - a).cross(c - a);
        for &corner in triangle {
            *sums.entry(render.vertex[corner as usize]).or_default() += across;
        }
    }
    for (normal, vertex) in normals.iter_mut().zip(&render.vertex) {
        if is_open(normal) {
            let sum = sums.get(vertex).copied().unwrap_or_default().as_dvec3();
            *normal = sum.try_normalize().unwrap_or(glam::DVec3::Y).as_vec3();
        }
    }
    normals
}
