//! Vertex selection on the active skinned mesh, for the Select menu; the Weights menu uses the selected
//! vertices.

use super::selected::{bones, mesh, require};
use super::{Prepared, Reason};
use crate::edit::settings::view::View;
use crate::mesh::regions::Regions;
use crate::scene::skinned::SkinnedMesh;

/// Selects the given vertices.
pub fn select(view: &View, vertices: Vec<u32>) -> Result<Prepared, Reason> {
    Ok(Prepared::Select(view.session.selection().with_vertices(vertices)))
}

/// The active skinned mesh, if some of its vertices are selected.
pub fn mesh_with_selection<'a>(view: &View<'a>) -> Result<&'a SkinnedMesh, Reason> {
    let (_, skinned) = mesh(view)?;
    require(!view.session.selection().vertices.is_empty(), "Select some vertices first.")?;
    Ok(skinned)
}

/// Replaces the selected vertices with the result of `find`.
pub fn select_regions(view: &View, find: fn(&Regions, &[u32]) -> Vec<u32>) -> Result<Prepared, Reason> {
    let surface = &mesh_with_selection(view)?.surface;
    select(view, find(&Regions::new(surface), &view.session.selection().vertices))
}

/// The selected bones and the active skinned mesh, if it has weights.
pub fn weighted_bones<'a>(view: &View<'a>) -> Result<(Vec<usize>, &'a SkinnedMesh), Reason> {
    let (_, skinned) = mesh(view)?;
    let bones = bones(view, &skinned.skeleton)?;
    require(!skinned.weights.weights.is_empty(), "There are no weights yet.")?;
    Ok((bones, skinned))
}

/// Selects the vertices whose total weight from the selected bones is in the given range.
pub fn select_by_weight(view: &View, [least, most]: [f32; 2]) -> Result<Prepared, Reason> {
    let (bones, skinned) = weighted_bones(view)?;
    let weight = |vertex: usize| -> f32 {
        let row = skinned.weights.influences(vertex);
        row.filter(|(bone, _)| bones.binary_search(&usize::from(*bone)).is_ok())
            .map(|(_, weight)| weight)
            .sum()
    };
    let count = skinned.weights.vertex_count().min(skinned.surface.vertex_count());
    let found: Vec<u32> = (0..count)
        .filter(|vertex| (least..=most + 1e-6).contains(&weight(*vertex)))
        .map(|vertex| vertex as u32)
        .collect();
    select(view, found)
}
