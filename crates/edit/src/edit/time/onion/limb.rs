//! The part of a surface that follows a limb: the triangles whose vertices all have at least half of their
//! weight on its bones.

use crate::edit::select::selection::{Part, Selection};
use crate::mesh::render::RenderMesh;
use crate::rig::ik::chain::remaining_chain;
use crate::rig::kinematics::with_descendants;
use crate::rig::skeleton::Skeleton;
use crate::rig::weights::vertex_weights::VertexWeights;
use std::sync::Arc;

/// Returns, per bone, whether it is selected, rotated by a selected handle, or a descendant of such a bone;
/// `None` if neither bones nor handles are selected.
pub fn limb_bones(selection: &Selection, skeleton: &Skeleton) -> Option<Vec<bool>> {
    let mut chosen = selection.bones();
    let handles = selection.parts().filter_map(|part| match part {
        Part::Handle(handle) | Part::Pole(handle) => skeleton.handles.get(handle),
        Part::Bone(_) | Part::Base | Part::Shape(_) => None,
    });
    let rotated = remaining_chain(skeleton, handles).into_iter().enumerate();
    chosen.extend(rotated.filter(|(_, count)| *count > 0).map(|(bone, _)| bone));
    (!chosen.is_empty()).then(|| with_descendants(skeleton, &chosen))
}

/// The triangles of a limb, and the data they were derived from.
pub struct Limb {
    bones: Vec<bool>,
    weights: Arc<VertexWeights>,
    render: Arc<RenderMesh>,
    pub indices: Arc<Vec<u32>>,
}

impl Limb {
    /// Finds the triangles of a limb; returns `old` if it is still valid.
    pub fn new(
        old: Option<Self>,
        bones: Vec<bool>,
        weights: &Arc<VertexWeights>,
        render: &Arc<RenderMesh>,
    ) -> Self {
        if let Some(old) = old
            && old.bones == bones
            && Arc::ptr_eq(&old.weights, weights)
            && Arc::ptr_eq(&old.render, render)
        {
            return old;
        }
        let follows = |row: (&[u16], &[f32])| {
            let is_in_limb = |bone: u16| bones.get(usize::from(bone)) == Some(&true);
            let entries = row.0.iter().zip(row.1);
            let (mut inside, mut all) = (0.0, 0.0);
            for (bone, weight) in entries {
                all += weight;
                inside += if is_in_limb(*bone) { *weight } else { 0.0 };
            }
            inside > 0.0 && inside >= 0.5 * all
        };
        let follows: Vec<bool> = weights.rows().map(follows).collect();
        let is_inside = |corner: &u32| {
            let vertex = render.vertex[*corner as usize] as usize;
            follows.get(vertex) == Some(&true)
        };
        let triangles = render.indices.chunks_exact(3);
        let triangles = triangles.filter(|corners| corners.iter().all(is_inside));
        Self {
            indices: Arc::new(triangles.flatten().copied().collect()),
            bones,
            weights: weights.clone(),
            render: render.clone(),
        }
    }
}
