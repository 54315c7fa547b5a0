//! A skinned mesh as an evaluation leaves it.

use crate::mesh::bvh::{Bvh, Trees};
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
    /// The skeleton as driven by channels and solved by handles: its `pose_deg` are the angles shown.
    pub skeleton: Arc<Skeleton>,
    /// B_b per bone.
    pub bind: Vec<DAffine3>,
    /// P_b per bone.
    pub current: Vec<DAffine3>,
    /// P_b * inverse(B_b) per bone.
    pub skinning: Vec<Affine3A>,
    /// What the solver did; `None` where no handle is enabled or IK is off.
    pub ik: Option<ik::Outcome>,
    pub render: Arc<RenderMesh>,
    /// V: skinned positions per vertex.
    pub positions: Vec<Vec3>,
    /// R: skinned positions and unit normals of the render vertices. The graphics card gets these bytes as
    /// they are.
    pub render_vertices: Vec<RenderVertex>,
    /// For rays; see [`Posed::tree`].
    pub tree: OnceLock<Arc<Bvh>>,
}

impl Posed {
    /// R: skinned unit normals of the render vertices.
    pub fn normals(&self) -> impl ExactSizeIterator<Item = Vec3> + '_ {
        self.render_vertices.iter().map(|vertex| vertex.normal)
    }

    /// A vertex whose position is no number: bones that are too long, too many or too far away for `f32` took it
    /// there.
    pub fn lost_vertex(&self) -> Option<usize> {
        self.positions.iter().position(|position| !position.is_finite())
    }

    /// The tree over the triangles of `surface`, the mesh that this is a pose of, fitted to `positions`.
    /// Made when it is first asked for.
    pub fn tree(&self, trees: &Trees, surface: &Arc<HalfedgeMesh>) -> &Arc<Bvh> {
        let fitted = || trees.get(surface).refitted(&self.positions);
        self.tree.get_or_init(|| Arc::new(fitted()))
    }
}

/// The polygons of `surface`, where `posed` shows it: skinned positions and corner normals.
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
