//! The result of evaluating a skinned mesh.

use crate::mesh::bvh::{Bvh, BvhCache};
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::render::{RenderMesh, RenderVertex};
use crate::mesh::soup::Polygons;
use crate::rig::ik;
use crate::rig::skeleton::Skeleton;
use glam::{Affine3A, DAffine3, Vec3};
use std::sync::{Arc, OnceLock};

/// A skinned mesh at a frame, in its own (skeleton = mesh) space.
#[derive(Clone, Debug, Default)]
pub struct Posed {
    /// The skeleton after channels and handles were applied: its `pose_deg` are the angles shown.
    pub skeleton: Arc<Skeleton>,
    /// B_b per bone.
    pub bind: Vec<DAffine3>,
    /// P_b per bone.
    pub current: Vec<DAffine3>,
    /// P_b * inverse(B_b) per bone.
    pub skinning: Vec<Affine3A>,
    /// The outcome of the solver; `None` if no handle is enabled or IK is off.
    pub ik: Option<ik::Outcome>,
    pub render: Arc<RenderMesh>,
    /// V: skinned positions per vertex.
    pub positions: Vec<Vec3>,
    /// R: skinned positions and unit normals of the render vertices. These bytes are uploaded to the graphics
    /// card unchanged.
    pub render_vertices: Vec<RenderVertex>,
    /// For rays; see [`Posed::tree`].
    pub tree: OnceLock<Arc<Bvh>>,
}

impl Posed {
    /// Returns R's normals: skinned unit normals of the render vertices.
    pub fn normals(&self) -> impl ExactSizeIterator<Item = Vec3> + '_ {
        self.render_vertices.iter().map(|vertex| vertex.normal)
    }

    /// Returns a vertex whose position is not finite, which happens if bones are too long, too many or too
    /// far away for `f32`.
    pub fn lost_vertex(&self) -> Option<usize> {
        self.positions.iter().position(|position| !position.is_finite())
    }

    /// Returns the tree over the triangles of `surface` (the mesh that this is a pose of), fitted to
    /// `positions`. It is built on first use.
    pub fn tree(&self, trees: &BvhCache, surface: &Arc<HalfedgeMesh>) -> &Arc<Bvh> {
        let fit = || trees.get(surface).refitted(&self.positions);
        self.tree.get_or_init(|| Arc::new(fit()))
    }
}

/// Returns the polygons of `surface` as posed: skinned positions and corner normals.
pub fn posed_polygons(surface: &HalfedgeMesh, posed: &Posed) -> Polygons {
    let mut polygons = Polygons::new(surface);
    polygons.positions.clone_from(&posed.positions);
    let faces = (0..surface.face_count() as u32).filter(|&f| !surface.is_boundary(f));
    let corners = faces.flat_map(|f| surface.face_corners(f));
    for (normal, h) in polygons.normals.iter_mut().zip(corners) {
        let drawn = posed.render.corner.get(h as usize);
        if let Some(shown) = drawn.and_then(|&r| posed.render_vertices.get(r as usize)) {
            *normal = shown.normal;
        }
    }
    polygons
}
