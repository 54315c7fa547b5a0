//! Mesh objects (`s3d-hm-1`): blobs to a checked half-edge surface and its bone weights.
//!
//! Arrays of the wrong length are cut or filled as Scotty3D does it. Connectivity is never repaired: a
//! mesh that breaks a rule of [`HalfedgeMesh::new`] refuses the file.

use super::ReadError;
use super::blob;
use super::json::Node;
use super::reader::{Members, Reader};
use super::weights;
use crate::extra::Extra;
use crate::mesh::halfedge::{HalfedgeMesh, MeshError, RawMesh};
use crate::rig::weights::VertexWeights;
use bytemuck::Pod;

pub const FORMAT: &str = "s3d-hm-1";

/// Surface, weights, unknown members. `bones` is the number of bones that weights may name.
pub fn read(
    r: &mut Reader<'_>,
    node: Node<'_>,
    bones: Option<usize>,
) -> Result<(HalfedgeMesh, VertexWeights, Extra), ReadError> {
    let Node::Object(items) = node else {
        let what = format!("expected a mesh, found {}", node.kind());
        return Err(r.refuse(
            what,
            "Put a mesh object there, or delete the resource from the file.",
        ));
    };
    let mut m = r.members(items);
    m.format(r, FORMAT);

    let next: Vec<u32> = m.items(r, "halfedge_nexts", "uint32:");
    let vertex_halfedge: Vec<u32> = m.items(r, "vertex_halfedges", "uint32:");
    let face_halfedge: Vec<u32> = m.items(r, "face_halfedges", "uint32:");
    let (halfedges, vertices, faces) = (next.len(), vertex_halfedge.len(), face_halfedge.len());
    let raw = RawMesh {
        corner_uv: m.sized(r, "halfedge_corner_uvs", "vec2:", halfedges),
        corner_normal: m.sized(r, "halfedge_corner_normals", "vec3:", halfedges),
        vertex_position: m.sized(r, "vertex_positions", "vec3:", vertices),
        edge_sharp: m.flags(r, "edge_sharps", halfedges / 2),
        face_boundary: m.flags(r, "face_boundaries", faces),
        next,
        vertex_halfedge,
        face_halfedge,
    };
    let stated = weights::Stated {
        ends: m.items(r, "vertex_bone_weight_ends", "uint32:"),
        bones: m.items(r, "bone_weight_bones", "uint32:"),
        weights: m.items(r, "bone_weight_weights", "float:"),
    };
    let surface = HalfedgeMesh::new(raw).map_err(|error| {
        let MeshError::Invalid(text) = error;
        let hint = "Scotty3D would show nothing or crash. Repair the mesh in the program that made it, or \
                    delete it from the file.";
        r.refuse(format!("this mesh is not valid: {text}; found"), hint)
    })?;
    let weights = stated.check(r, vertices, bones)?;
    for name in m.names() {
        r.at(name, |r| {
            r.note("unknown-mesh-member", "the mesh member is not known; it is kept")
        });
    }
    let extra = r.rest(m);
    Ok((surface, weights, extra))
}

impl Members<'_> {
    /// A blob of numbers; one that is missing or damaged is empty.
    fn items<T: Pod>(&mut self, r: &mut Reader<'_>, name: &str, prefix: &str) -> Vec<T> {
        self.blob(r, name, |text| blob::items(text, prefix))
    }

    fn blob<T>(
        &mut self,
        r: &mut Reader<'_>,
        name: &str,
        decode: impl FnOnce(&str) -> Result<Vec<T>, String>,
    ) -> Vec<T> {
        let Some(node) = self.expect(r, name, "an empty array") else {
            return Vec::new();
        };
        let decoded = match &node {
            Node::Text(text) => decode(text),
            other => Err(format!("it is {}", other.kind())),
        };
        decoded.unwrap_or_else(|what| {
            r.at(name, |r| {
                r.warn(
                    "bad-blob",
                    format!("the array cannot be read: {what}; it is read as empty"),
                )
            });
            Vec::new()
        })
    }

    /// A blob that must have `length` items: cut, or filled with zeros.
    fn sized<T: Pod>(&mut self, r: &mut Reader<'_>, name: &str, prefix: &str, length: usize) -> Vec<T> {
        let mut items = self.items(r, name, prefix);
        resize(r, name, &mut items, length, T::zeroed());
        items
    }

    fn flags(&mut self, r: &mut Reader<'_>, name: &str, length: usize) -> Vec<bool> {
        let mut flags = self.blob(r, name, blob::flags);
        resize(r, name, &mut flags, length, false);
        flags
    }
}

/// Cuts or fills an array, with a finding. `length` is the length of another array of the file, so that
/// what is filled is bounded by the file.
pub fn resize<T: Clone>(r: &mut Reader<'_>, name: &str, items: &mut Vec<T>, length: usize, fill: T) {
    if items.len() != length {
        let done = if items.len() > length { "cut" } else { "filled up" };
        let text = format!(
            "the array has {} entries where {length} are needed; it is {done}",
            items.len()
        );
        r.at(name, |r| r.warn("wrong-array-length", text));
        items.resize(length, fill);
    }
}
