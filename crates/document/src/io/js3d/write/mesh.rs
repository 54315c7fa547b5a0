//! Writes mesh objects, each on one line.

use super::super::mesh::FORMAT;
use super::super::{WriteError, blob};
use super::object::Writer;
use crate::extra::Extra;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::weights::VertexWeights;

pub fn write(
    w: &mut Writer,
    surface: &HalfedgeMesh,
    weights: &VertexWeights,
    extra: &Extra,
) -> Result<(), WriteError> {
    let mut known = vec!["FORMAT"];
    w.raw("{ \"FORMAT\":");
    w.text(FORMAT);
    let bones: Vec<u32> = weights.bones.iter().map(|bone| u32::from(*bone)).collect();
    let mut blob = |w: &mut Writer, name: &'static str, push: &dyn Fn(&mut Vec<u8>)| {
        known.push(name);
        w.raw(",");
        w.text(name);
        w.raw(":\"");
        push(&mut w.out);
        w.raw("\"");
    };
    for (name, values) in [
        ("halfedge_corner_uvs", bytemuck::cast_slice::<_, f32>(surface.corner_uvs())),
        ("halfedge_corner_normals", bytemuck::cast_slice(surface.corner_normals())),
        ("bone_weight_weights", &weights.weights),
        ("vertex_positions", bytemuck::cast_slice(surface.positions())),
    ] {
        if !values.iter().all(|value| value.is_finite()) {
            return w.within(name, |w| Err(w.not_finite()));
        }
    }
    blob(w, "halfedge_nexts", &|out| blob::push_items(out, "uint32:", surface.next_halfedges()));
    blob(w, "halfedge_corner_uvs", &|out| blob::push_items(out, "vec2:", surface.corner_uvs()));
    blob(w, "halfedge_corner_normals", &|out| blob::push_items(out, "vec3:", surface.corner_normals()));
    blob(w, "bone_weight_bones", &|out| blob::push_items(out, "uint32:", &bones));
    blob(w, "bone_weight_weights", &|out| blob::push_items(out, "float:", &weights.weights));
    blob(w, "vertex_halfedges", &|out| blob::push_items(out, "uint32:", surface.vertex_halfedges()));
    blob(w, "vertex_positions", &|out| blob::push_items(out, "vec3:", surface.positions()));
    blob(w, "vertex_bone_weight_ends", &|out| blob::push_items(out, "uint32:", &weights.ends));
    blob(w, "edge_sharps", &|out| blob::push_flags(out, surface.edge_sharps()));
    blob(w, "face_halfedges", &|out| blob::push_items(out, "uint32:", surface.face_halfedges()));
    blob(w, "face_boundaries", &|out| blob::push_flags(out, surface.face_boundaries()));
    for (name, value) in extra.0.iter().filter(|(name, _)| !known.contains(&name.as_str())) {
        w.member(",", name, value);
    }
    w.raw("}");
    Ok(())
}
