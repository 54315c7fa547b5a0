//! Mesh objects (`s3d-hm-1`): blobs to a checked half-edge surface and its bone weights.
//!
//! Arrays of the wrong length are cut or filled as Scotty3D does it. Of an array with a few damaged
//! characters only the entries that they belong to are lost. Connectivity is never repaired: a mesh that
//! breaks a rule of [`HalfedgeMesh::new`] refuses the file.

use super::ReadError;
use super::blob::{self, Damage, Decoded};
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
    let (mut vertex_position, misplaced) = m.positions(r);
    // Without positions there is no shape.
    let positions = (POSITIONS, Severity::Error);
    r.resize(positions, &mut vertex_position, vertices, Vec3::ZERO);
    let raw = RawMesh {
        corner_uv: m.sized(r, "halfedge_corner_uvs", "vec2:", halfedges),
        corner_normal: m.sized(r, "halfedge_corner_normals", "vec3:", halfedges),
        vertex_position,
        edge_sharp: m.flags(r, "edge_sharps", halfedges / 2),
        face_boundary: m.flags(r, "face_boundaries", faces),
        next,
        vertex_halfedge,
        face_halfedge,
    };
    let stated = weights::RawWeights {
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
    surface.place_amid_neighbours(&misplaced);
    let weights = stated.check(r, vertices, bones)?;
    for name in m.names().filter(|name| *name != parts::MEMBER) {
        r.at(name, |r| {
            r.note("unknown-mesh-member", "the mesh member is not known; it is kept")
        });
    }
    let extra = r.rest(m);
    Ok((surface, weights, extra))
}

impl Members<'_> {
    /// A blob of numbers; one that is missing or cannot be decoded is empty.
    fn items<T: Pod>(&mut self, r: &mut Reader<'_>, name: &str, prefix: &str) -> Vec<T> {
        let decoded = self.blob(r, name, |text| blob::items(text, prefix));
        tell(r, name, decoded.damage.as_ref(), "read as zero");
        decoded.items
    }

    /// Positions, and which of them were damaged.
    fn positions(&mut self, r: &mut Reader<'_>) -> (Vec<Vec3>, Vec<usize>) {
        let decoded = self.blob(r, POSITIONS, |text| blob::items(text, "vec3:"));
        let done = "put in the middle of the neighbouring vertices";
        tell(r, POSITIONS, decoded.damage.as_ref(), done);
        let misplaced = decoded.damage.map(|damage| damage.items);
        (decoded.items, misplaced.unwrap_or_default())
    }

    fn blob<T>(
        &mut self,
        r: &mut Reader<'_>,
        name: &str,
        decode: impl FnOnce(&str) -> Result<Decoded<T>, String>,
    ) -> Decoded<T> {
        let nothing = Decoded {
            items: Vec::new(),
            damage: None,
        };
        let Some(node) = self.expect(r, name, "an empty array") else {
            return nothing;
        };
        let decoded = match &node {
            Node::Text(text) => decode(text),
            other => Err(format!("it is {}", other.kind())),
        };
        decoded.unwrap_or_else(|what| {
            let text = format!("the array cannot be read: {what}; it is read as empty");
            r.at(name, |r| r.lose(Severity::Error, "bad-blob", text));
            nothing
        })
    }

    /// A blob that must have `length` items: cut, or filled with zeros.
    fn sized<T: Pod>(&mut self, r: &mut Reader<'_>, name: &str, prefix: &str, length: usize) -> Vec<T> {
        let mut items = self.items(r, name, prefix);
        r.resize((name, Severity::Warning), &mut items, length, T::zeroed());
        items
    }

    fn flags(&mut self, r: &mut Reader<'_>, name: &str, length: usize) -> Vec<bool> {
        let decoded = self.blob(r, name, blob::flags);
        tell(r, name, decoded.damage.as_ref(), "read as false");
        let mut flags = decoded.items;
        r.resize((name, Severity::Warning), &mut flags, length, false);
        flags
    }
}

/// Entries that damaged characters cost, and what was `done` about them.
fn tell(r: &mut Reader<'_>, name: &str, damage: Option<&Damage>, done: &str) {
    let Some(damage) = damage else { return };
    let characters = match damage.characters {
        1 => format!("character {} of the array is damaged", damage.first),
        many => format!(
            "{many} characters of the array are damaged, the first is {}",
            damage.first
        ),
    };
    let entries = match &damage.items[..] {
        [] => "no entry is lost".to_owned(),
        [one] => format!("entry {one} is lost and {done}"),
        many => {
            let shown: Vec<String> = many.iter().take(8).map(usize::to_string).collect();
            let dots = if many.len() > shown.len() { ", …" } else { "" };
            format!("entries {}{dots} are lost and {done}", shown.join(", "))
        }
    };
    let text = format!("{characters}; {entries}");
    r.at(name, |r| r.lose(Severity::Error, "bad-blob", text));
}
