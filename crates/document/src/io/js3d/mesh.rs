//! Mesh objects (`s3d-hm-1`): converts blobs to a checked half-edge surface and its bone weights.
//!
//! Arrays of the wrong length are truncated or filled as in Scotty3D. A few damaged characters only cost the
//! entries that they belong to. Connectivity is never repaired: a file with a mesh that breaks a rule of
//! [`HalfedgeMesh::new`] is refused.

use super::ReadError;
use super::blob::{self, Damage, DecodedBlob};
use super::json::Node;
use super::reader::{Members, Reader};
use super::weights;
use crate::extra::Extra;
use crate::io::report::Severity;
use crate::mesh::halfedge::{HalfedgeMesh, MeshError, RawMesh};
use crate::rig::weights::VertexWeights;
use crate::scene::parts;
use bytemuck::Pod;
use glam::Vec3;

pub const FORMAT: &str = "s3d-hm-1";
const POSITIONS: &str = "vertex_positions";

/// Reads the surface, weights and unknown members. `bones` is the number of bones that weights may refer to.
pub fn read(
    r: &mut Reader<'_>,
    node: Node<'_>,
    bones: Option<usize>,
) -> Result<(HalfedgeMesh, VertexWeights, Extra), ReadError> {
    let Node::Object(items) = node else {
        let problem = format!("expected a mesh, found {}", node.kind());
        return Err(r.refuse(problem, "Put a mesh object there, or delete the resource from the file."));
    };
    let mut m = r.members(items);
    m.format(r, FORMAT);

    let next: Vec<u32> = m.items(r, "halfedge_nexts", "uint32:");
    let vertex_halfedge: Vec<u32> = m.items(r, "vertex_halfedges", "uint32:");
    let face_halfedge: Vec<u32> = m.items(r, "face_halfedges", "uint32:");
    let (halfedges, vertices, faces) = (next.len(), vertex_halfedge.len(), face_halfedge.len());
    let (mut vertex_position, misplaced) = m.positions(r);
    // Without positions there is no shape: an error.
    let positions = (POSITIONS, Severity::Error);
    r.resize(positions, &mut vertex_position, vertices, Vec3::ZERO);
    let raw = RawMesh {
        corner_uv: m.items_of_length(r, "halfedge_corner_uvs", "vec2:", halfedges),
        corner_normal: m.items_of_length(r, "halfedge_corner_normals", "vec3:", halfedges),
        vertex_position,
        edge_sharp: m.flags(r, "edge_sharps", halfedges / 2),
        face_boundary: m.flags(r, "face_boundaries", faces),
        next,
        vertex_halfedge,
        face_halfedge,
    };
    let raw_weights = weights::RawWeights {
        ends: m.items(r, "vertex_bone_weight_ends", "uint32:"),
        bones: m.items(r, "bone_weight_bones", "uint32:"),
        weights: m.items(r, "bone_weight_weights", "float:"),
    };
    let mut surface = HalfedgeMesh::new(raw).map_err(|error| {
        let MeshError::Invalid(text) = error;
        let hint = "Scotty3D would show nothing or crash. Repair the mesh in the program that made it, or \
                    delete it from the file.";
        r.refuse(format!("this mesh is not valid: {text}; found"), hint)
    })?;
    surface.move_to_neighbour_mean(&misplaced);
    let weights = raw_weights.check(r, vertices, bones)?;
    for name in m.names().filter(|name| *name != parts::MEMBER) {
        r.within(name, |r| r.note("unknown-mesh-member", "the mesh member is not known; it is kept"));
    }
    let extra = r.rest(m);
    Ok((surface, weights, extra))
}

impl Members<'_> {
    /// Takes a blob of numbers; empty if it is missing or cannot be decoded.
    fn items<T: Pod>(&mut self, r: &mut Reader<'_>, name: &str, prefix: &str) -> Vec<T> {
        let decoded = self.blob(r, name, |text| blob::items(text, prefix));
        report_damage(r, name, decoded.damage.as_ref(), "read as zero");
        decoded.items
    }

    /// Takes the positions, and the indices of the damaged ones.
    fn positions(&mut self, r: &mut Reader<'_>) -> (Vec<Vec3>, Vec<usize>) {
        let decoded = self.blob(r, POSITIONS, |text| blob::items(text, "vec3:"));
        let action = "put in the middle of the neighbouring vertices";
        report_damage(r, POSITIONS, decoded.damage.as_ref(), action);
        let misplaced = decoded.damage.map(|damage| damage.items);
        (decoded.items, misplaced.unwrap_or_default())
    }

    fn blob<T>(
        &mut self,
        r: &mut Reader<'_>,
        name: &str,
        decode: impl FnOnce(&str) -> Result<DecodedBlob<T>, String>,
    ) -> DecodedBlob<T> {
        let empty = DecodedBlob { items: Vec::new(), damage: None };
        let Some(node) = self.expect(r, name, "an empty array") else {
            return empty;
        };
        let decoded = match &node {
            Node::Text(text) => decode(text),
            other => Err(format!("it is {}", other.kind())),
        };
        decoded.unwrap_or_else(|reason| {
            let text = format!("the array cannot be read: {reason}; it is read as empty");
            r.within(name, |r| r.report_loss(Severity::Error, "bad-blob", text));
            empty
        })
    }

    /// Takes a blob that must have `length` items: truncated, or filled with zeros.
    fn items_of_length<T: Pod>(
        &mut self,
        r: &mut Reader<'_>,
        name: &str,
        prefix: &str,
        length: usize,
    ) -> Vec<T> {
        let mut items = self.items(r, name, prefix);
        r.resize((name, Severity::Warning), &mut items, length, T::zeroed());
        items
    }

    fn flags(&mut self, r: &mut Reader<'_>, name: &str, length: usize) -> Vec<bool> {
        let decoded = self.blob(r, name, blob::flags);
        report_damage(r, name, decoded.damage.as_ref(), "read as false");
        let mut flags = decoded.items;
        r.resize((name, Severity::Warning), &mut flags, length, false);
        flags
    }
}

/// Reports entries that were lost to damaged characters, and the action taken.
fn report_damage(r: &mut Reader<'_>, name: &str, damage: Option<&Damage>, action: &str) {
    let Some(damage) = damage else { return };
    let characters = match damage.characters {
        1 => format!("character {} of the array is damaged", damage.first),
        count => format!("{count} characters of the array are damaged, the first is {}", damage.first),
    };
    let entries = match &damage.items[..] {
        [] => "no entry is lost".to_owned(),
        [entry] => format!("entry {entry} is lost and {action}"),
        indices => {
            let shown: Vec<String> = indices.iter().take(8).map(usize::to_string).collect();
            let dots = if indices.len() > shown.len() { ", …" } else { "" };
            format!("entries {}{dots} are lost and {action}", shown.join(", "))
        }
    };
    let text = format!("{characters}; {entries}");
    r.within(name, |r| r.report_loss(Severity::Error, "bad-blob", text));
}
