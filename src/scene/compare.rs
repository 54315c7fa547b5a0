//! A skinned mesh deformed in two ways beside each other: what its skin would be at the same pose by another
//! method of skinning, or with other weights. The document knows nothing of it.

use super::Scene;
use super::posed::Posed;
use super::skinned::SkinnedMesh;
use crate::rig::skinning::{Method, Motions};
use crate::rig::weights::VertexWeights;
use std::sync::{Arc, OnceLock};

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
    fn apply_to(&self, mesh: &Arc<SkinnedMesh>) -> Arc<SkinnedMesh> {
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
    /// At the left and at the right; `None` where there is nothing to be shown, such as weights that cannot be
    /// calculated.
    pub sides: [Option<Variant>; 2],
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
    pub sides: [Option<Side>; 2],
    /// The side that the pointer is on, as the window says; else the left one, 0.
    pub pointed: usize,
}

/// What was made last, and of what.
#[derive(Default)]
pub struct Cache(Option<Made>);

struct Made {
    posed: Arc<Posed>,
    variants: [Option<Variant>; 2],
    sides: [Option<Side>; 2],
}

impl Cache {
    /// The sides of `compare` in an evaluated scene; `None` where the mesh is not there. The bones are those of
    /// the evaluation: the sides differ in the skin alone. A side of which nothing has changed is not skinned
    /// again.
    pub fn compared(
        &mut self,
        compare: &Arc<Compare>,
        scene: &Scene,
        posed: Option<&Arc<Posed>>,
    ) -> Option<Compared> {
        let (mesh, posed) = (scene.skinned_meshes.get(&compare.mesh)?, posed?);
        let made = self.0.take();
        // One result is of one surface, its weights, and one pose.
        let made = made.filter(|made| Arc::ptr_eq(&made.posed, posed));
        let sides = [0, 1].map(|i| {
            let variant = compare.sides[i].as_ref()?;
            let kept = made
                .as_ref()
                .filter(|made| made.variants[i].as_ref() == Some(variant));
            let kept = kept.and_then(|made| made.sides[i].clone());
            Some(kept.unwrap_or_else(|| side(mesh, posed, variant)))
        });
        self.0 = Some(Made {
            posed: posed.clone(),
            variants: compare.sides.clone(),
            sides: sides.clone(),
        });
        Some(Compared {
            of: compare.clone(),
            sides,
            pointed: 0,
        })
    }
}

fn side(stored: &Arc<SkinnedMesh>, posed: &Arc<Posed>, variant: &Variant) -> Side {
    let mesh = variant.apply_to(stored);
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
        tree: OnceLock::new(),
    };
    Side {
        mesh,
        posed: Arc::new(posed),
    }
}

impl Compared {
    /// The side that the pointer is on; `None` where there is nothing to be shown.
    pub(super) fn at_pointer(&self) -> Option<&Side> {
        self.sides.get(self.pointed)?.as_ref()
    }
}
