//! From a scene to what is seen: world matrices, poses, skinned surfaces. The window and the headless
//! commands both go through [`Evaluator::evaluate`].

use super::Scene;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::render::RenderMesh;
use crate::rig::ik;
use glam::{Affine3A, DAffine3, Mat4, Vec3};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What to evaluate.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Channels are driven at this frame; `None` takes the values that the scene stores.
    pub frame: Option<f32>,
    /// Whether enabled handles pull their bones, and how. `None`: handles do nothing.
    pub ik: Option<ik::Options>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            frame: None,
            ik: Some(ik::Options::default()),
        }
    }
}

/// A skinned mesh at a frame, in its own (skeleton = mesh) space.
#[derive(Clone, Debug)]
pub struct Posed {
    /// The skeleton as driven by channels and solved by handles: its `pose_deg` are the angles shown.
    pub skeleton: Arc<crate::rig::skeleton::Skeleton>,
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
    /// R: skinned unit normals per render vertex.
    pub normals: Vec<Vec3>,
}

/// The whole scene at a frame.
#[derive(Clone, Debug, Default)]
pub struct Evaluated {
    /// `world_from_local` per transform.
    pub world_from_transform: BTreeMap<String, Mat4>,
    /// Per skinned mesh (not per instance). `Arc`s of meshes that did not change are the same as before.
    pub skinned: BTreeMap<String, Arc<Posed>>,
    /// The scene with channels applied (the scene itself where there are none).
    pub scene: Scene,
}

impl Evaluated {
    /// `world_from_local` of a transform by reference; identity for `None` or an unknown name.
    pub fn world(&self, transform: Option<&str>) -> Mat4 {
        transform
            .and_then(|name| self.world_from_transform.get(name))
            .copied()
            .unwrap_or(Mat4::IDENTITY)
    }
}

/// Evaluates scenes, keeping what did not change since the last call. The result is a function of
/// scene and settings alone.
#[derive(Default)]
pub struct Evaluator {
    _private: (),
}

impl Evaluator {
    pub fn evaluate(&mut self, _scene: &Scene, _settings: &Settings) -> Evaluated {
        todo!()
    }

    /// The render mesh of a surface, shared while the surface is.
    pub fn render_mesh(&mut self, _surface: &Arc<HalfedgeMesh>) -> Arc<RenderMesh> {
        todo!()
    }
}
