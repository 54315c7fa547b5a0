//! The document: the whole content of a file, as a plain value.
//!
//! Resources are identified by name, as in the file. Cloning a scene is cheap: resources are shared, and a
//! change replaces only the resource that it affects.

pub mod append;
pub mod apply_animation;
pub mod channels;
pub mod compare;
mod eval_cache;
pub mod evaluate;
pub mod instance;
pub mod join;
pub mod layers;
pub mod merge_layers;
pub mod names;
pub mod parts;
pub mod paths;
mod posed;
pub mod property;
pub mod references;
pub mod resource;
pub mod skinned;
pub mod solve;
pub mod spaces;
mod table;
pub mod world;

use crate::anim::channel::Animation;
use crate::extra::Extra;
use crate::mesh::halfedge::HalfedgeMesh;
use names::{Kind, with_table};
use std::sync::Arc;
pub use table::{Table, is_same};

/// A whole document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    pub transforms: Table<resource::Transform>,
    pub cameras: Table<resource::Camera>,
    pub meshes: Table<resource::Mesh>,
    pub skinned_meshes: Table<skinned::SkinnedMesh>,
    pub shapes: Table<resource::Shape>,
    pub particles: Table<resource::Particles>,
    pub textures: Table<resource::Texture>,
    pub materials: Table<resource::Material>,
    pub delta_lights: Table<resource::DeltaLight>,
    pub env_lights: Table<resource::EnvLight>,
    pub instances: instance::Instances,
    pub animation: Arc<Animation>,
    pub extra: Arc<SceneExtra>,
}

impl Scene {
    /// The surface of a mesh or a skinned mesh.
    pub fn surface(&self, mesh: &str) -> Option<&Arc<HalfedgeMesh>> {
        let skinned = self.skinned_meshes.get(mesh).map(|skinned| &skinned.surface);
        skinned.or_else(|| self.meshes.get(mesh).map(|mesh| &mesh.surface))
    }

    /// Whether both scenes share all their data, so that nothing changed between them. Contents are not
    /// compared.
    pub fn is_shared(&self, other: &Scene) -> bool {
        fn entries(scene: &Scene, kind: Kind) -> Vec<(&String, usize)> {
            with_table!(&scene, kind, table => table.iter().map(|(name, value)| (name, Arc::as_ptr(value).addr())).collect())
        }
        let table = |kind| {
            let [a, b] = [self, other].map(|scene| with_table!(&scene, kind, table => table.address()));
            a == b || entries(self, kind) == entries(other, kind)
        };
        Arc::ptr_eq(&self.animation, &other.animation)
            && Arc::ptr_eq(&self.extra, &other.extra)
            && Kind::ALL.into_iter().all(table)
    }
}

/// Unknown members at the outer levels of the document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneExtra {
    /// Members next to `scene` and `animator`.
    pub document: Extra,
    /// Members of `scene`.
    pub scene: Extra,
    /// Members of `scene.instances`.
    pub instances: Extra,
}
