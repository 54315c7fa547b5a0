//! What is painted on: a surface made ready for one stroke after the other, and a character as it is shown at a moment.

use crate::math::camera::Viewport;
use crate::mesh::bvh::Bvh;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::edits::middle::{BothSides, MirrorPlane};
use crate::rig::skeleton::Skeleton;
use crate::rig::weights::paint::path::Target;
use crate::rig::weights::paint::{Canvas, Contact, MirrorMap};
use crate::scene::evaluate::{Evaluated, Posed};
use glam::{Mat4, Vec2};
use std::sync::{Arc, Mutex, PoisonError};

/// What is made once for a surface, and used by one stroke after the other.
pub struct Easel {
    pub surface: Arc<HalfedgeMesh>,
    pub canvas: Arc<Canvas>,
    /// About the plane that was asked for last.
    mirror: Mutex<Option<(MirrorPlane, Arc<MirrorMap>)>>,
    /// Of the skeleton that was asked for last.
    sides: Mutex<Option<(Arc<Skeleton>, Arc<BothSides>)>>,
}

impl Easel {
    pub fn new(surface: &Arc<HalfedgeMesh>) -> Self {
        Self {
            canvas: Arc::new(Canvas::new(surface)),
            surface: surface.clone(),
            mirror: Mutex::default(),
            sides: Mutex::default(),
        }
    }

    /// Found when they are first asked for.
    pub fn sides(&self, skeleton: &Arc<Skeleton>) -> Arc<BothSides> {
        let mut found = self.sides.lock().unwrap_or_else(PoisonError::into_inner);
        match &*found {
            Some((of, sides)) if Arc::ptr_eq(of, skeleton) => sides.clone(),
            _ => {
                let sides = Arc::new(BothSides::new(skeleton));
                *found = Some((skeleton.clone(), sides.clone()));
                sides
            }
        }
    }

    /// Made when it is first asked for.
    pub fn mirror(&self, plane: MirrorPlane) -> Arc<MirrorMap> {
        let mut made = self.mirror.lock().unwrap_or_else(PoisonError::into_inner);
        match &*made {
            Some((about, map)) if *about == plane => map.clone(),
            _ => {
                let tree = Bvh::from_surface(&self.surface);
                let map = Arc::new(MirrorMap::new(&self.canvas, &self.surface, &tree, &plane));
                *made = Some((plane, map.clone()));
                map
            }
        }
    }
}

/// A character at a moment.
#[derive(Clone)]
pub struct Shown {
    pub posed: Arc<Posed>,
    pub tree: Arc<Bvh>,
    pub world_from_mesh: Mat4,
}

impl Shown {
    /// The skinned mesh called `mesh`, if it was evaluated.
    pub fn new(evaluated: &Evaluated, mesh: &str, world_from_mesh: Mat4) -> Option<Self> {
        let posed = evaluated.skinned.get(mesh)?.clone();
        let skinned = evaluated.scene.skinned_meshes.get(mesh)?;
        let tree = posed.tree(&evaluated.trees, &skinned.surface).clone();
        Some(Self {
            posed,
            tree,
            world_from_mesh,
        })
    }

    pub fn target(&self) -> Target<'_> {
        Target {
            world_from_mesh: self.world_from_mesh,
            positions: &self.posed.positions,
            tree: &self.tree,
        }
    }

    /// Where a pixel shows the surface.
    pub fn contact(&self, viewport: &Viewport, at: Vec2) -> Option<Contact> {
        self.target().first(&viewport.ray(at))
    }
}
