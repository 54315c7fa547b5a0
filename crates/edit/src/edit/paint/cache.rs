//! The targets of strokes: data computed once per surface, and a character in its displayed pose.

use crate::math::camera::Viewport;
use crate::mesh::bvh::Bvh;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::body::middle::BothSides;
use crate::rig::body::mirror_plane::MirrorPlane;
use crate::rig::skeleton::Skeleton;
use crate::rig::weights::paint::path::Target;
use crate::rig::weights::paint::{Canvas, Contact, MirrorMap};
use crate::scene::evaluate::{Evaluated, Posed};
use glam::{Mat4, Vec2};
use std::sync::{Arc, Mutex, PoisonError};

/// Data that is computed once per surface and shared by its strokes.
pub struct PaintCache {
    pub surface: Arc<HalfedgeMesh>,
    pub canvas: Arc<Canvas>,
    /// The map for the plane of the last query.
    mirror: Mutex<Option<(MirrorPlane, Arc<MirrorMap>)>>,
    /// The sides of the skeleton of the last query.
    sides: Mutex<Option<(Arc<Skeleton>, Arc<BothSides>)>>,
}

impl PaintCache {
    pub fn new(surface: &Arc<HalfedgeMesh>) -> Self {
        Self {
            canvas: Arc::new(Canvas::new(surface)),
            surface: surface.clone(),
            mirror: Mutex::default(),
            sides: Mutex::default(),
        }
    }

    /// Returns the sides of the skeleton, computed on the first query.
    pub fn sides(&self, skeleton: &Arc<Skeleton>) -> Arc<BothSides> {
        let mut cached = self.sides.lock().unwrap_or_else(PoisonError::into_inner);
        match &*cached {
            Some((key, sides)) if Arc::ptr_eq(key, skeleton) => sides.clone(),
            _ => {
                let sides = Arc::new(BothSides::new(skeleton));
                *cached = Some((skeleton.clone(), sides.clone()));
                sides
            }
        }
    }

    /// Returns the mirror map, computed on the first query.
    pub fn mirror(&self, plane: MirrorPlane) -> Arc<MirrorMap> {
        let mut cached = self.mirror.lock().unwrap_or_else(PoisonError::into_inner);
        match &*cached {
            Some((key, map)) if *key == plane => map.clone(),
            _ => {
                let tree = Bvh::from_surface(&self.surface);
                let map = Arc::new(MirrorMap::new(&self.canvas, &self.surface, &tree, &plane));
                *cached = Some((plane, map.clone()));
                map
            }
        }
    }
}

/// A character in its displayed pose.
#[derive(Clone)]
pub struct PosedSkin {
    pub posed: Arc<Posed>,
    pub tree: Arc<Bvh>,
    pub world_from_mesh: Mat4,
}

impl PosedSkin {
    /// Returns the skinned mesh called `mesh`, if it was evaluated.
    pub fn new(evaluated: &Evaluated, mesh: &str, world_from_mesh: Mat4) -> Option<Self> {
        let posed = evaluated.skinned.get(mesh)?.clone();
        let skinned = evaluated.scene.skinned_meshes.get(mesh)?;
        let tree = posed.tree(&evaluated.trees, &skinned.surface).clone();
        Some(Self { posed, tree, world_from_mesh })
    }

    pub fn target(&self) -> Target<'_> {
        Target { world_from_mesh: self.world_from_mesh, positions: &self.posed.positions, tree: &self.tree }
    }

    /// Returns the point of the surface under a pixel.
    pub fn contact(&self, viewport: &Viewport, pixel: Vec2) -> Option<Contact> {
        self.target().first(&viewport.ray(pixel))
    }
}
