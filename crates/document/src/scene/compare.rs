//! Compares two deformations of a skinned mesh: its skin at the same pose with another skinning method, or
//! with other weights. The document does not store any of it.

use super::Scene;
use super::posed::Posed;
use super::skinned::SkinnedMesh;
use crate::rig::shapes::ShapedSurface;
use crate::rig::skinning::{Method, Motions};
use crate::rig::weights::VertexWeights;
use std::sync::{Arc, OnceLock};

/// The differences of a side from the mesh as it is stored.
#[derive(Clone, Debug, Default)]
pub struct Variant {
    /// `None`: as stored.
    pub skinning: Option<Method>,
    /// `None`: as stored. Weights that do not fit the mesh are ignored.
    pub weights: Option<Arc<VertexWeights>>,
}

impl PartialEq for Variant {
    /// Weights are compared by address: they are large, and created only once.
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
    /// Returns the mesh with the differences applied; `mesh` itself if there are none.
    fn apply_to(&self, mesh: &Arc<SkinnedMesh>) -> Arc<SkinnedMesh> {
        let (vertices, bones) = (mesh.surface.vertex_count(), mesh.skeleton.bones.len());
        let weights = self.weights.as_ref();
        let weights = weights.filter(|weights| weights.validate(vertices, bones).is_ok());
        let weights = weights.unwrap_or(&mesh.weights);
        let skinning = self.skinning.unwrap_or(mesh.skinning);
        if Arc::ptr_eq(weights, &mesh.weights) && skinning == mesh.skinning {
            return mesh.clone();
        }
        Arc::new(SkinnedMesh { weights: weights.clone(), skinning, ..(**mesh).clone() })
    }
}

/// The settings of a comparison.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compare {
    /// The name of the skinned mesh.
    pub mesh: String,
    /// The name of its instance that is shown twice.
    pub instance: String,
    /// The left and the right side; `None` if it has nothing to show, such as weights that cannot be
    /// calculated.
    pub sides: [Option<Variant>; 2],
}

/// One side of a comparison, at a frame.
#[derive(Clone, Debug)]
pub struct Side {
    /// With the weights and the skinning of this side.
    pub mesh: Arc<SkinnedMesh>,
    pub posed: Arc<Posed>,
}

/// Both sides of a comparison, at a frame.
#[derive(Clone, Debug)]
pub struct Compared {
    pub settings: Arc<Compare>,
    pub sides: [Option<Side>; 2],
    /// The index of the side that the pointer is on, set by the window; the left one, 0, by default.
    pub pointed: usize,
}

/// The last result, and the input that it was made from.
#[derive(Default)]
pub struct Cache(Option<CachedSides>);

struct CachedSides {
    posed: Arc<Posed>,
    variants: [Option<Variant>; 2],
    sides: [Option<Side>; 2],
}

impl Cache {
    /// Returns the sides of `compare` in an evaluated scene; `None` if the mesh is missing. The bones are
    /// those of the evaluation: the sides differ only in the skin. A side that has not changed is not skinned
    /// again.
    pub fn evaluate(
        &mut self,
        compare: &Arc<Compare>,
        scene: &Scene,
        posed: Option<&Arc<Posed>>,
    ) -> Option<Compared> {
        let (mesh, posed) = (scene.skinned_meshes.get(&compare.mesh)?, posed?);
        let cached = self.0.take();
        // A pose belongs to one surface and its weights.
        let cached = cached.filter(|cached| Arc::ptr_eq(&cached.posed, posed));
        let sides = [0, 1].map(|i| {
            let variant = compare.sides[i].as_ref()?;
            let unchanged = cached.as_ref().filter(|cached| cached.variants[i].as_ref() == Some(variant));
            let side = unchanged.and_then(|cached| cached.sides[i].clone());
            Some(side.unwrap_or_else(|| skin_side(mesh, posed, variant)))
        });
        self.0 =
            Some(CachedSides { posed: posed.clone(), variants: compare.sides.clone(), sides: sides.clone() });
        Some(Compared { settings: compare.clone(), sides, pointed: 0 })
    }
}

fn skin_side(stored: &Arc<SkinnedMesh>, posed: &Arc<Posed>, variant: &Variant) -> Side {
    let mesh = variant.apply_to(stored);
    if Arc::ptr_eq(&mesh, stored) {
        let posed = posed.clone();
        return Side { mesh, posed };
    }
    let motions = Motions::new(mesh.skinning, &posed.bind, &posed.current);
    let (mut positions, mut render_vertices) = (Vec::new(), Vec::new());
    let mut shaped = ShapedSurface::default();
    let shapes = &posed.skeleton.shapes;
    let (surface, render) = shaped.shown(&mesh.surface, &posed.render, &mesh.shapes, shapes);
    motions.skin_vertices(&mesh.weights, surface, render, &mut positions, &mut render_vertices);
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
    Side { mesh, posed: Arc::new(posed) }
}

impl Compared {
    /// Returns the side that the pointer is on; `None` if it has nothing to show.
    pub(super) fn pointed_side(&self) -> Option<&Side> {
        self.sides.get(self.pointed)?.as_ref()
    }
}
