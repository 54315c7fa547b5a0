//! A skinned mesh deformed in two ways beside each other: what its skin would be at the same pose by another
//! method of skinning, or with other weights. The document knows nothing of it.

use super::Scene;
use super::evaluate::{Evaluated, Posed};
use super::skinned::SkinnedMesh;
use crate::mesh::bvh::LazyBvh;
use crate::rig::skinning::{Method, Motions};
use crate::rig::weights::VertexWeights;
use glam::Vec3;
use std::sync::Arc;

/// How a side differs from the mesh as it is stored.
#[derive(Clone, Debug, Default)]
pub struct Variant {
    /// `None`: as stored.
    pub skinning: Option<Method>,
    /// `None`: as stored. Weights that do not fit the mesh count as none.
    pub weights: Option<Arc<VertexWeights>>,
}

impl PartialEq for Variant {
    /// Weights are compared by address: they are large, and made once.
    fn eq(&self, other: &Self) -> bool {
        let same_weights = match (&self.weights, &other.weights) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        };
        self.skinning == other.skinning && same_weights
    }
}

impl Variant {
    /// The mesh with the differences in place; `mesh` itself where there are none.
    fn of(&self, mesh: &Arc<SkinnedMesh>) -> Arc<SkinnedMesh> {
        let (vertices, bones) = (mesh.surface.vertex_count(), mesh.skeleton.bones.len());
        let weights = self.weights.as_ref();
        let weights = weights.filter(|weights| weights.validate(vertices, bones).is_ok());
        let weights = weights.unwrap_or(&mesh.weights);
        let skinning = self.skinning.unwrap_or(mesh.skinning);
        if Arc::ptr_eq(weights, &mesh.weights) && skinning == mesh.skinning {
            return mesh.clone();
        }
        Arc::new(SkinnedMesh {
            weights: weights.clone(),
            skinning,
            ..(**mesh).clone()
        })
    }
}

/// What is compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compare {
    /// Name of the skinned mesh.
    pub mesh: String,
    /// Name of its instance that is shown twice.
    pub instance: String,
    /// At the left, where the instance stands, and at the right.
    pub sides: [Variant; 2],
    /// From the left to the right, world space.
    pub offset: Vec3,
}

/// One of both, at a frame.
#[derive(Clone, Debug)]
pub struct Side {
    /// With the weights and the skinning of this side.
    pub mesh: Arc<SkinnedMesh>,
    pub posed: Arc<Posed>,
}

/// Both, at a frame.
#[derive(Clone, Debug)]
pub struct Compared {
    pub of: Arc<Compare>,
    pub sides: [Side; 2],
}

/// What was made last, and of what.
#[derive(Default)]
pub struct Cache(Option<Made>);

struct Made {
    mesh: Arc<SkinnedMesh>,
    posed: Arc<Posed>,
    variants: [Variant; 2],
    sides: [Side; 2],
}

impl Cache {
    /// The sides of `compare` in an evaluated scene; `None` where the mesh is not there. The bones are those of
    /// the evaluation: the sides differ in the skin alone.
    pub fn compared(
        &mut self,
        compare: &Arc<Compare>,
        scene: &Scene,
        posed: Option<&Arc<Posed>>,
    ) -> Option<Compared> {
        let (mesh, posed) = (scene.skinned_meshes.get(&compare.mesh)?, posed?);
        let sides = match &self.0 {
            Some(made)
                if Arc::ptr_eq(&made.posed, posed)
                    && Arc::ptr_eq(&made.mesh, mesh)
                    && made.variants == compare.sides =>
            {
                made.sides.clone()
            }
            _ => [0, 1].map(|i| side(mesh, posed, &compare.sides[i])),
        };
        self.0 = Some(Made {
            mesh: mesh.clone(),
            posed: posed.clone(),
            variants: compare.sides.clone(),
            sides: sides.clone(),
        });
        Some(Compared {
            of: compare.clone(),
            sides,
        })
    }
}

fn side(stored: &Arc<SkinnedMesh>, posed: &Arc<Posed>, variant: &Variant) -> Side {
    let mesh = variant.of(stored);
    if Arc::ptr_eq(&mesh, stored) {
        let posed = posed.clone();
        return Side { mesh, posed };
    }
    let motions = Motions::new(mesh.skinning, &posed.bind, &posed.current);
    let (mut positions, mut render_vertices) = (Vec::new(), Vec::new());
    motions.skin_vertices(
        &mesh.weights,
        mesh.surface.positions(),
        &posed.render,
        &mut positions,
        &mut render_vertices,
    );
    let posed = Posed {
        skeleton: posed.skeleton.clone(),
        bind: posed.bind.clone(),
        current: posed.current.clone(),
        skinning: posed.skinning.clone(),
        ik: posed.ik.clone(),
        render: posed.render.clone(),
        positions,
        render_vertices,
        tree: LazyBvh::default(),
    };
    Side {
        mesh,
        posed: Arc::new(posed),
    }
}

impl Evaluated {
    /// The skin that is shown where `instance`, which is one of `mesh`, stands: while it is compared, the left
    /// side; `None` for an instance that is hidden meanwhile.
    pub fn shown(&self, instance: &str, mesh: &str) -> Option<&Arc<Posed>> {
        match &self.compare {
            Some(compared) if compared.of.instance == instance => Some(&compared.sides[0].posed),
            Some(_) => None,
            None => self.skinned.get(mesh),
        }
    }

    /// The skin of the mesh called `name` as [`Self::shown_mesh`] has it.
    pub fn shown_skin(&self, name: &str) -> Option<&Arc<Posed>> {
        match &self.compare {
            Some(compared) if compared.of.mesh == name => Some(&compared.sides[0].posed),
            _ => self.skinned.get(name),
        }
    }

    /// The skinned mesh called `name`, with the weights and the skinning that are shown.
    pub fn shown_mesh(&self, name: &str) -> Option<&Arc<SkinnedMesh>> {
        match &self.compare {
            Some(compared) if compared.of.mesh == name => Some(&compared.sides[0].mesh),
            _ => self.scene.skinned_meshes.get(name),
        }
    }
}
