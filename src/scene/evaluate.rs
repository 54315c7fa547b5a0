//! From a scene to what is seen: world matrices, poses, skinned surfaces. The window and the headless
//! commands both go through [`Evaluator::evaluate`].

use super::skinned::SkinnedMesh;
use super::{Scene, drive, world};
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::render::RenderMesh;
use crate::rig::skeleton::Skeleton;
use crate::rig::skinning::{linear, skinning_matrices};
use crate::rig::{ik, kinematics};
use glam::{Affine3A, DAffine3, Mat4, Vec3};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Weak};

/// What to evaluate.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Channels are driven at this frame; `None` takes the values that the scene stores.
    pub frame: Option<f32>,
    /// Whether enabled handles pull their bones, and how. `None`: handles do nothing.
    pub ik: Option<ik::Options>,
    /// Skinned meshes in their bind pose: the current pose is the bind pose, handles do nothing, and the
    /// surface is as stored.
    pub bind: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            frame: None,
            ik: Some(ik::Options::default()),
            bind: false,
        }
    }
}

/// A skinned mesh at a frame, in its own (skeleton = mesh) space.
#[derive(Clone, Debug)]
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
    posed: BTreeMap<String, CachedPose>,
    /// By the address of the surface, which stays taken while the weak reference lives.
    render: HashMap<usize, (Weak<HalfedgeMesh>, Arc<RenderMesh>)>,
}

/// A result, and what it was made of.
struct CachedPose {
    mesh: Arc<SkinnedMesh>,
    ik: Option<ik::Options>,
    bind: bool,
    posed: Arc<Posed>,
}

impl Evaluator {
    pub fn evaluate(&mut self, scene: &Scene, settings: &Settings) -> Evaluated {
        let scene = match settings.frame {
            Some(frame) => drive::driven(scene, frame),
            None => scene.clone(),
        };
        self.render.retain(|_, (surface, _)| surface.strong_count() > 0);
        self.posed
            .retain(|name, _| scene.skinned_meshes.contains_key(name));
        let skinned = scene
            .skinned_meshes
            .iter()
            .map(|(name, mesh)| (name.clone(), self.posed(name, mesh, settings)))
            .collect();
        Evaluated {
            world_from_transform: world::world_matrices(&scene),
            skinned,
            scene,
        }
    }

    /// The render mesh of a surface, shared while the surface is.
    pub fn render_mesh(&mut self, surface: &Arc<HalfedgeMesh>) -> Arc<RenderMesh> {
        let make = || (Arc::downgrade(surface), Arc::new(RenderMesh::new(surface)));
        let (_, render) = self
            .render
            .entry(Arc::as_ptr(surface).addr())
            .or_insert_with(make);
        render.clone()
    }

    fn posed(&mut self, name: &str, mesh: &Arc<SkinnedMesh>, settings: &Settings) -> Arc<Posed> {
        if let Some(cached) = self.posed.get(name)
            && cached.bind == settings.bind
            && cached.ik == settings.ik
            && same(&cached.mesh, mesh)
        {
            return cached.posed.clone();
        }
        let posed = Arc::new(pose(mesh, self.render_mesh(&mesh.surface), settings));
        self.posed.insert(
            name.to_owned(),
            CachedPose {
                mesh: mesh.clone(),
                ik: settings.ik.clone(),
                bind: settings.bind,
                posed: posed.clone(),
            },
        );
        posed
    }
}

/// Whether two meshes are posed alike. Channels make a new skeleton each time that they are driven, so
/// skeletons are compared by value; they are small.
fn same(a: &SkinnedMesh, b: &SkinnedMesh) -> bool {
    Arc::ptr_eq(&a.surface, &b.surface)
        && Arc::ptr_eq(&a.weights, &b.weights)
        && (Arc::ptr_eq(&a.skeleton, &b.skeleton) || a.skeleton == b.skeleton)
}

fn pose(mesh: &SkinnedMesh, render: Arc<RenderMesh>, settings: &Settings) -> Posed {
    if settings.bind {
        return bind_pose(mesh, render);
    }
    let mut skeleton = mesh.skeleton.clone();
    let ik = settings.ik.as_ref().filter(|_| pulled(&skeleton)).map(|options| {
        let mut solved = (*skeleton).clone();
        let outcome = ik::solve(&mut solved, options);
        if outcome.steps > 0 {
            skeleton = Arc::new(solved);
        }
        outcome
    });
    let bind = kinematics::bind_pose(&skeleton);
    let current = kinematics::current_pose(&skeleton);
    let skinning = skinning_matrices(&bind, &current);
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    let surface = mesh.surface.positions();
    linear::skin(
        &skinning,
        &mesh.weights,
        surface,
        &render,
        &mut positions,
        &mut normals,
    );
    Posed {
        skeleton,
        bind,
        current,
        skinning,
        ik,
        render,
        positions,
        normals,
    }
}

fn bind_pose(mesh: &SkinnedMesh, render: Arc<RenderMesh>) -> Posed {
    let bind = kinematics::bind_pose(&mesh.skeleton);
    Posed {
        skeleton: mesh.skeleton.clone(),
        current: bind.clone(),
        skinning: vec![Affine3A::IDENTITY; bind.len()],
        bind,
        ik: None,
        positions: mesh.surface.positions().to_vec(),
        normals: render.normal.clone(),
        render,
    }
}

/// Whether an enabled handle is on a bone.
fn pulled(skeleton: &Skeleton) -> bool {
    let bones = skeleton.bones.len();
    skeleton
        .handles
        .iter()
        .any(|h| h.enabled && (h.bone as usize) < bones)
}
