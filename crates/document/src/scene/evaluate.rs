//! Evaluates scenes: world matrices, poses and skinned surfaces. The window and the headless commands both
//! use [`Evaluator::evaluate`].

use super::compare::{self, Compare, Compared};
use super::eval_cache::{BufferPool, CacheKey, CachedPose, DirtyParts, Matrices, Ring};
pub use super::posed::{Posed, posed_polygons};
use super::resource::Transform;
use super::skinned::SkinnedMesh;
use super::solve::{Posing, solve_into};
use super::spaces::{has_instance_spaces, skeleton_from_instance};
use super::{Scene, Table, apply_animation, world};
use crate::anim::channel_set::ChannelSet;
use crate::mesh::bvh::BvhCache;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::render::RenderMesh;
use crate::rig::shapes::ShapedSurface;
use crate::rig::skinning;
use crate::rig::{handle_space, ik, kinematics};
use glam::{Affine3A, DAffine3, Mat4};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock, Weak};

/// The settings of an evaluation.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The frame at which channels are applied; `None` uses the values that the scene stores.
    pub frame: Option<f32>,
    /// Channels that are ignored at that frame; the values that the scene stores are used instead.
    pub unkeyed: Arc<ChannelSet>,
    /// The options with which enabled handles pull their bones; `None`: handles do nothing.
    pub ik: Option<ik::Options>,
    /// Whether skinned meshes are in their bind pose: the current pose is the bind pose, handles do nothing,
    /// and the surface is as stored.
    pub bind: bool,
    /// A skinned mesh to show in two variants. It does not affect anything else that is evaluated.
    pub compare: Option<Arc<Compare>>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            frame: None,
            unkeyed: Arc::default(),
            ik: Some(ik::Options::default()),
            bind: false,
            compare: None,
        }
    }
}

/// The whole scene at a frame.
#[derive(Clone, Debug, Default)]
pub struct Evaluated {
    /// `world_from_local` per transform. The same allocation as before if no transform changed.
    pub world_from_transform: Arc<BTreeMap<String, Mat4>>,
    /// The result per skinned mesh (not per instance). The `Arc`s of meshes that did not change are the same
    /// as before.
    pub skinned: Table<Posed>,
    /// The scene with channels applied (the scene itself if it has none).
    pub scene: Scene,
    /// The comparison of the settings, if its mesh exists.
    pub compare: Option<Compared>,
    /// The bounding volume hierarchies of the scene's surfaces, for rays.
    pub trees: Arc<BvhCache>,
}

impl Evaluated {
    /// Returns `world_from_local` of a transform by name; the identity for `None` or an unknown name.
    pub fn world(&self, transform: Option<&str>) -> Mat4 {
        transform.and_then(|name| self.world_from_transform.get(name)).copied().unwrap_or(Mat4::IDENTITY)
    }

    /// Returns the skin that `instance`, an instance of `mesh`, shows. During a comparison, that is the skin
    /// of the side that the pointer is on, and `None` for other instances, which are hidden.
    pub fn instance_skin(&self, instance: &str, mesh: &str) -> Option<&Arc<Posed>> {
        match &self.compare {
            Some(compared) if compared.settings.instance == instance => {
                compared.pointed_side().map(|side| &side.posed)
            }
            Some(_) => None,
            None => self.skinned.get(mesh),
        }
    }

    /// Returns the skin of the mesh called `name`, in the same variant as [`Self::shown_mesh`].
    pub fn shown_skin(&self, name: &str) -> Option<&Arc<Posed>> {
        match &self.compare {
            Some(compared) if compared.settings.mesh == name => {
                compared.pointed_side().map(|side| &side.posed)
            }
            _ => self.skinned.get(name),
        }
    }

    /// Returns the matrix that maps goals in the space of an instance, or of its bone with a channel id, to the skeleton
    /// space of the mesh called `mesh`.
    pub fn skeleton_from_instance(&self, mesh: &str, instance: &str, bone: Option<u32>) -> DAffine3 {
        skeleton_from_instance(&self.scene, mesh, instance, bone, |carrier, bone| {
            let posed = self.skinned.get(carrier)?;
            Some(handle_space::skeleton_from_space(Some(bone), &posed.bind, &posed.current))
        })
    }

    /// Returns the skinned mesh called `name`, with the weights and the skinning that are shown: during a
    /// comparison, those of the side that the pointer is on.
    pub fn shown_mesh(&self, name: &str) -> Option<&Arc<SkinnedMesh>> {
        match &self.compare {
            Some(compared) if compared.settings.mesh == name => {
                compared.pointed_side().map(|side| &side.mesh)
            }
            _ => self.scene.skinned_meshes.get(name),
        }
    }
}

/// Evaluates scenes. It reuses results that have not changed since the last call, and the memory of earlier
/// results that nothing else refers to. The result is a function of scene and settings alone.
#[derive(Default)]
pub struct Evaluator {
    animator: apply_animation::Animator,
    solver: ik::Solver,
    posed: BTreeMap<String, CachedPose>,
    compare: compare::Cache,
    /// Keyed by the address of the surface, which is not reused while the weak reference exists.
    render: HashMap<usize, (Weak<HalfedgeMesh>, Arc<RenderMesh>)>,
    trees: Arc<BvhCache>,
    motions: skinning::Motions,
    shaped: ShapedSurface,
    pool: BufferPool,
    dirty_parts: DirtyParts,
    /// Tables as in [`Evaluated`]. Only few, because they hold results whose memory is to be reused.
    tables: Ring<Table<Posed>, 2>,
    /// A placeholder in `Evaluated::skinned` until the results exist.
    placeholder: Arc<Posed>,
    /// Scratch memory; empty between evaluations.
    meshes: Vec<Work>,
    world: (Table<Transform>, Arc<BTreeMap<String, Mat4>>),
}

/// An evaluation in progress, with channels applied; [`Evaluation::solve_ik`], [`Evaluation::pose`] and
/// [`Evaluator::skin`] follow in this order. [`Evaluator::evaluate`] runs all four steps.
pub struct Evaluation {
    scene: Scene,
    settings: Settings,
    skinned: Table<Posed>,
    /// Per skinned mesh of the scene, in its order.
    meshes: Vec<Work>,
    solver: ik::Solver,
}

/// The work on a skinned mesh in an evaluation.
enum Work {
    /// The result of the last evaluation, which is still valid.
    Cached(Arc<Posed>),
    InProgress(InProgress),
}

/// A skinned mesh that is being evaluated.
struct InProgress {
    key: CacheKey,
    /// The result to write: an earlier one that nothing else refers to, or a new one.
    posed: Arc<Posed>,
    /// The key of the earlier result.
    before: Option<CacheKey>,
    matrices: Matrices,
}

impl Evaluation {
    /// Lets enabled handles pull, starting from the pose that the channels give.
    pub fn solve_ik(&mut self) {
        let options = self.settings.ik.as_ref().filter(|_| !self.settings.bind);
        for work in in_progress(&mut self.meshes) {
            let Posed { skeleton, ik, .. } = Arc::make_mut(&mut work.posed);
            solve_into(&mut self.solver, &work.key.mesh.skeleton, options, skeleton, ik);
        }
    }

    /// Calculates the bone matrices.
    pub fn pose(&mut self) {
        let in_bind_pose = self.settings.bind;
        for work in in_progress(&mut self.meshes) {
            let Matrices { bind, current } = &mut work.matrices;
            kinematics::bind_pose_into(&work.posed.skeleton, bind);
            if in_bind_pose {
                current.clone_from(bind);
                continue;
            }
            kinematics::current_pose_into(&work.posed.skeleton, current);
            let stored = &work.key.mesh.skeleton;
            if handle_space::has_spaces(stored) {
                let handles = handle_space::resolved(&stored.handles, stored, bind, current);
                Arc::make_mut(&mut Arc::make_mut(&mut work.posed).skeleton).handles = handles;
            }
        }
    }
}

fn in_progress(meshes: &mut [Work]) -> impl Iterator<Item = &mut InProgress> {
    meshes.iter_mut().filter_map(|work| match work {
        Work::InProgress(in_progress) => Some(in_progress),
        Work::Cached(_) => None,
    })
}

impl Evaluator {
    /// Returns the world matrices, poses and skinned surfaces of a scene at a frame.
    ///
    /// # Examples
    ///  ```
    ///  use ossature_document::io::examples::Example;
    ///  use ossature_document::scene::evaluate::{Evaluator, Settings};
    ///
    ///  let (scene, _) = Example::Walk.read()?;
    ///  let settings = Settings {
    ///      frame: Some(12.0),
    ///      ..Settings::default()
    ///  };
    ///  let evaluated = Evaluator::default().evaluate(&scene, &settings);
    ///  for (mesh, posed) in scene.skinned_meshes.values().zip(evaluated.skinned.values()) {
    ///      assert_eq!(posed.positions.len(), mesh.surface.vertex_count());
    ///  }
    ///  # Ok::<(), Box<dyn std::error::Error>>(())
    ///  ```
    pub fn evaluate(&mut self, scene: &Scene, settings: &Settings) -> Evaluated {
        let mut evaluation = self.animate(scene, settings);
        evaluation.solve_ik();
        evaluation.pose();
        self.skin(evaluation)
    }

    /// Begins an evaluation: applies the channels, and finds the skinned meshes that have not changed.
    pub fn animate(&mut self, scene: &Scene, settings: &Settings) -> Evaluation {
        let scene = match settings.frame {
            Some(frame) => self.animator.animate(scene, frame, &settings.unkeyed),
            None => scene.clone(),
        };
        let names = scene.skinned_meshes.keys();
        let skinned = self.tables.take(|table| table.keys().eq(names.clone()));
        let no_results = || names.map(|name| (name.clone(), self.placeholder.clone())).collect();
        let mut skinned = skinned.unwrap_or_else(no_results);
        // Releases the results, so that their memory can be reused.
        skinned.values_mut().for_each(|posed| posed.clone_from(&self.placeholder));
        let mut meshes = std::mem::take(&mut self.meshes);
        for (name, mesh) in &scene.skinned_meshes {
            let mut mesh = mesh.clone();
            if has_instance_spaces(&mesh.skeleton) {
                let posing = Posing { ik: settings.ik.as_ref(), bind: settings.bind };
                let placed = posing.placed(&scene, name).unwrap_or_default();
                Arc::make_mut(&mut mesh).skeleton = placed;
            }
            let key = CacheKey { mesh, ik: settings.ik.clone(), bind: settings.bind };
            meshes.push(match self.posed.get(name) {
                Some(cached) if cached.key.is_same(&key) => Work::Cached(cached.posed.clone()),
                _ => {
                    let reused = self.pool.take(&key.mesh.surface);
                    let (before, posed) = reused.map(|reused| (reused.key, reused.posed)).unzip();
                    Work::InProgress(InProgress {
                        key,
                        posed: posed.unwrap_or_default(),
                        before,
                        matrices: self.pool.matrices.pop().unwrap_or_default(),
                    })
                }
            });
        }
        Evaluation {
            scene,
            settings: settings.clone(),
            skinned,
            meshes,
            solver: std::mem::take(&mut self.solver),
        }
    }

    /// Ends an evaluation: skins the meshes that changed.
    pub fn skin(&mut self, evaluation: Evaluation) -> Evaluated {
        let Evaluation { scene, settings, mut skinned, mut meshes, solver } = evaluation;
        self.solver = solver;
        self.render.retain(|_, (surface, _)| surface.strong_count() > 0);
        self.dirty_parts.drop_unused();
        self.posed.retain(|name, _| scene.skinned_meshes.contains_key(name));
        for ((name, posed), work) in skinned.iter_mut().zip(meshes.drain(..)) {
            *posed = match work {
                Work::Cached(posed) => posed,
                Work::InProgress(work) => self.skin_mesh(name, work),
            };
        }
        self.meshes = meshes;
        self.tables.push(skinned.clone());
        let compare = settings
            .compare
            .and_then(|compare| self.compare.evaluate(&compare, &scene, skinned.get(&compare.mesh)));
        self.pool.limit(skinned.len());
        let (transforms, world) = &mut self.world;
        if !transforms.is_shared(&scene.transforms) {
            (*transforms, *world) = (scene.transforms.clone(), world::world_matrices(&scene).into());
        }
        Evaluated { world_from_transform: world.clone(), skinned, scene, compare, trees: self.trees.clone() }
    }

    /// Skins the mesh called `name` in its current pose.
    fn skin_mesh(&mut self, name: &str, work: InProgress) -> Arc<Posed> {
        let InProgress { key, mut posed, before, mut matrices } = work;
        let mesh = &key.mesh;
        let out = Arc::make_mut(&mut posed);
        out.render = self.render_mesh(&mesh.surface);
        out.tree = OnceLock::new();
        let stale = before.map(|before| self.dirty_parts.stale_blocks(&before, out, mesh, &matrices));
        std::mem::swap(&mut out.bind, &mut matrices.bind);
        std::mem::swap(&mut out.current, &mut matrices.current);
        self.pool.matrices.push(matrices);
        let surface = mesh.surface.positions();
        if key.bind {
            out.skinning.clear();
            out.skinning.resize(out.bind.len(), Affine3A::IDENTITY);
            out.positions.clear();
            out.positions.extend_from_slice(surface);
            out.render_vertices.clear();
            out.render_vertices.extend(out.render.vertices_at(surface));
        } else {
            self.motions.set(mesh.skinning, &out.bind, &out.current);
            out.skinning.clone_from(&self.motions.matrices);
            let shapes = &mesh.skeleton.shapes;
            let (surface, render) = self.shaped.shown(&mesh.surface, &out.render, &mesh.shapes, shapes);
            self.motions.skin_blocks(
                stale.unwrap_or_default(),
                &mesh.weights,
                surface,
                render,
                &mut out.positions,
                &mut out.render_vertices,
            );
        }
        let made = CachedPose { key, posed: posed.clone() };
        match self.posed.get_mut(name) {
            Some(cached) => self.pool.results.push(std::mem::replace(cached, made)),
            None => {
                self.posed.insert(name.to_owned(), made);
            }
        }
        posed
    }

    /// Returns the render mesh of a surface, cached while the surface exists.
    pub fn render_mesh(&mut self, surface: &Arc<HalfedgeMesh>) -> Arc<RenderMesh> {
        let make = || (Arc::downgrade(surface), Arc::new(RenderMesh::new(surface)));
        let (_, render) = self.render.entry(Arc::as_ptr(surface).addr()).or_insert_with(make);
        render.clone()
    }
}
