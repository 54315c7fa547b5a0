//! From a scene to what is seen: world matrices, poses, skinned surfaces. The window and the headless
//! commands both go through [`Evaluator::evaluate`].

use super::compare::{self, Compare, Compared};
use super::eval_cache::{BufferPool, CacheKey, CachedPose, DirtyParts, Matrices, Ring};
pub use super::posed::{Posed, posed_polygons};
use super::resource::Transform;
use super::skinned::SkinnedMesh;
use super::{Scene, Table, apply_animation, world};
use crate::anim::channel_set::ChannelSet;
use crate::mesh::bvh::Trees;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::render::RenderMesh;
use crate::rig::skeleton::Skeleton;
use crate::rig::skinning;
use crate::rig::{ik, kinematics};
use glam::{Affine3A, Mat4};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock, Weak};

/// What to evaluate.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Channels are driven at this frame; `None` takes the values that the scene stores.
    pub frame: Option<f32>,
    /// Channels that do not count at that frame: the values that the scene stores do.
    pub unkeyed: Arc<ChannelSet>,
    /// Whether enabled handles pull their bones, and how. `None`: handles do nothing.
    pub ik: Option<ik::Options>,
    /// Skinned meshes in their bind pose: the current pose is the bind pose, handles do nothing, and the
    /// surface is as stored.
    pub bind: bool,
    /// A skinned mesh is shown in two ways. Has no part in anything else that is evaluated.
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
    /// `world_from_local` per transform. The same as before where no transform changed.
    pub world_from_transform: Arc<BTreeMap<String, Mat4>>,
    /// Per skinned mesh (not per instance). `Arc`s of meshes that did not change are the same as before.
    pub skinned: Table<Posed>,
    /// The scene with channels applied (the scene itself where there are none).
    pub scene: Scene,
    /// What the settings compare, where it is there.
    pub compare: Option<Compared>,
    /// Over the surfaces of the scene, for rays.
    pub trees: Arc<Trees>,
}

impl Evaluated {
    /// `world_from_local` of a transform by reference; identity for `None` or an unknown name.
    pub fn world(&self, transform: Option<&str>) -> Mat4 {
        transform
            .and_then(|name| self.world_from_transform.get(name))
            .copied()
            .unwrap_or(Mat4::IDENTITY)
    }

    /// The skin that is shown where `instance`, which is one of `mesh`, stands: while it is compared, that of the
    /// side that the pointer is on; `None` for an instance that is hidden meanwhile.
    pub fn shown(&self, instance: &str, mesh: &str) -> Option<&Arc<Posed>> {
        match &self.compare {
            Some(compared) if compared.of.instance == instance => {
                compared.at_pointer().map(|side| &side.posed)
            }
            Some(_) => None,
            None => self.skinned.get(mesh),
        }
    }

    /// The skin of the mesh called `name` as [`Self::shown_mesh`] has it.
    pub fn shown_skin(&self, name: &str) -> Option<&Arc<Posed>> {
        match &self.compare {
            Some(compared) if compared.of.mesh == name => compared.at_pointer().map(|side| &side.posed),
            _ => self.skinned.get(name),
        }
    }

    /// The skinned mesh called `name`, with the weights and the skinning that are shown: while it is compared,
    /// of the side that the pointer is on.
    pub fn shown_mesh(&self, name: &str) -> Option<&Arc<SkinnedMesh>> {
        match &self.compare {
            Some(compared) if compared.of.mesh == name => compared.at_pointer().map(|side| &side.mesh),
            _ => self.scene.skinned_meshes.get(name),
        }
    }
}

/// Evaluates scenes, keeping what did not change since the last call, and writing what did where earlier results
/// were that nobody holds any more. The result is a function of scene and settings alone.
#[derive(Default)]
pub struct Evaluator {
    driver: apply_animation::Driver,
    solver: ik::Solver,
    posed: BTreeMap<String, CachedPose>,
    compare: compare::Cache,
    /// By the address of the surface, which stays taken while the weak reference lives.
    render: HashMap<usize, (Weak<HalfedgeMesh>, Arc<RenderMesh>)>,
    trees: Arc<Trees>,
    motions: skinning::Motions,
    spare: BufferPool,
    skips: DirtyParts,
    /// As they are in [`Evaluated`]. Not more, because they hold results that are to be written again.
    tables: Ring<Table<Posed>, 2>,
    /// In the places of `Evaluated::skinned` until the results are there.
    nothing: Arc<Posed>,
    /// Scratch, empty.
    meshes: Vec<Work>,
    world: (Table<Transform>, Arc<BTreeMap<String, Mat4>>),
}

/// An evaluation under way: channels are driven; [`Evaluation::solve_ik`], [`Evaluation::pose`] and
/// [`Evaluator::skin`] follow in this order. [`Evaluator::evaluate`] does all four.
pub struct Evaluation {
    scene: Scene,
    settings: Settings,
    skinned: Table<Posed>,
    /// Per skinned mesh of the scene, in its order.
    meshes: Vec<Work>,
    solver: ik::Solver,
}

enum Work {
    /// Nothing changed since the last evaluation.
    Kept(Arc<Posed>),
    Underway(Underway),
}

/// A skinned mesh whose pose is being found.
struct Underway {
    of: CacheKey,
    /// An earlier result that nobody holds, to be written over, and what it was made of; a new one, and `None`.
    posed: Arc<Posed>,
    before: Option<CacheKey>,
    matrices: Matrices,
}

impl Evaluation {
    /// Enabled handles pull, from the pose that the channels gave.
    pub fn solve_ik(&mut self) {
        let options = self.settings.ik.as_ref().filter(|_| !self.settings.bind);
        for work in underway(&mut self.meshes) {
            let Posed { skeleton, ik, .. } = Arc::make_mut(&mut work.posed);
            solve(&mut self.solver, &work.of.mesh.skeleton, options, skeleton, ik);
        }
    }

    /// Bone matrices.
    pub fn pose(&mut self) {
        let in_bind_pose = self.settings.bind;
        for work in underway(&mut self.meshes) {
            let Matrices { bind, current } = &mut work.matrices;
            kinematics::bind_pose_into(&work.posed.skeleton, bind);
            if in_bind_pose {
                current.clone_from(bind);
            } else {
                kinematics::current_pose_into(&work.posed.skeleton, current);
            }
        }
    }
}

fn underway(meshes: &mut [Work]) -> impl Iterator<Item = &mut Underway> {
    meshes.iter_mut().filter_map(|work| match work {
        Work::Underway(underway) => Some(underway),
        Work::Kept(_) => None,
    })
}

impl Evaluator {
    /// World matrices, poses and skinned surfaces of a scene at a frame.
    ///
    /// # Examples
    /// ```
    /// use ossature::io::js3d;
    /// use ossature::scene::evaluate::{Evaluator, Settings};
    ///
    /// let file = std::fs::read("media/js3d/A4-human-walk.js3d")?;
    /// let (scene, _) = js3d::read(&file)?;
    /// let settings = Settings {
    ///     frame: Some(12.0),
    ///     ..Settings::default()
    /// };
    /// let evaluated = Evaluator::default().evaluate(&scene, &settings);
    /// for (mesh, posed) in scene.skinned_meshes.values().zip(evaluated.skinned.values()) {
    ///     assert_eq!(posed.positions.len(), mesh.surface.vertex_count());
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evaluate(&mut self, scene: &Scene, settings: &Settings) -> Evaluated {
        let mut evaluation = self.animate(scene, settings);
        evaluation.solve_ik();
        evaluation.pose();
        self.skin(evaluation)
    }

    /// Begins an evaluation: drives the channels, and finds which skinned meshes are as they were.
    pub fn animate(&mut self, scene: &Scene, settings: &Settings) -> Evaluation {
        let scene = match settings.frame {
            Some(frame) => self.driver.driven(scene, frame, &settings.unkeyed),
            None => scene.clone(),
        };
        let names = scene.skinned_meshes.keys();
        let skinned = self.tables.take(|table| table.keys().eq(names.clone()));
        let no_results = || names.map(|name| (name.clone(), self.nothing.clone())).collect();
        let mut skinned = skinned.unwrap_or_else(no_results);
        // What it held can be written over.
        skinned
            .values_mut()
            .for_each(|posed| posed.clone_from(&self.nothing));
        let mut meshes = std::mem::take(&mut self.meshes);
        for (name, mesh) in &scene.skinned_meshes {
            let of = CacheKey {
                mesh: mesh.clone(),
                ik: settings.ik.clone(),
                bind: settings.bind,
            };
            meshes.push(match self.posed.get(name) {
                Some(cached) if cached.of.is_same(&of) => Work::Kept(cached.posed.clone()),
                _ => {
                    let spare = self.spare.take(&mesh.surface);
                    let (before, posed) = spare.map(|spare| (spare.of, spare.posed)).unzip();
                    Work::Underway(Underway {
                        of,
                        posed: posed.unwrap_or_default(),
                        before,
                        matrices: self.spare.matrices.pop().unwrap_or_default(),
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

    /// Ends an evaluation: skins what changed.
    pub fn skin(&mut self, evaluation: Evaluation) -> Evaluated {
        let Evaluation {
            scene,
            settings,
            mut skinned,
            mut meshes,
            solver,
        } = evaluation;
        self.solver = solver;
        self.render.retain(|_, (surface, _)| surface.strong_count() > 0);
        self.skips.forget_unused();
        self.posed
            .retain(|name, _| scene.skinned_meshes.contains_key(name));
        for ((name, posed), work) in skinned.iter_mut().zip(meshes.drain(..)) {
            *posed = match work {
                Work::Kept(posed) => posed,
                Work::Underway(work) => self.skinned(name, work),
            };
        }
        self.meshes = meshes;
        self.tables.push(skinned.clone());
        let compare = settings.compare.and_then(|compare| {
            self.compare
                .compared(&compare, &scene, skinned.get(&compare.mesh))
        });
        self.spare.limit(skinned.len());
        let (of, world) = &mut self.world;
        if !of.is_shared(&scene.transforms) {
            (*of, *world) = (scene.transforms.clone(), world::world_matrices(&scene).into());
        }
        Evaluated {
            world_from_transform: world.clone(),
            skinned,
            scene,
            compare,
            trees: self.trees.clone(),
        }
    }

    /// The mesh called `name` where its bones are now.
    fn skinned(&mut self, name: &str, work: Underway) -> Arc<Posed> {
        let Underway {
            of,
            mut posed,
            before,
            mut matrices,
        } = work;
        let mesh = &of.mesh;
        let out = Arc::make_mut(&mut posed);
        out.render = self.render_mesh(&mesh.surface);
        out.tree = OnceLock::new();
        let stale = before.map(|before| self.skips.stale_blocks(&before, out, mesh, &matrices));
        std::mem::swap(&mut out.bind, &mut matrices.bind);
        std::mem::swap(&mut out.current, &mut matrices.current);
        self.spare.matrices.push(matrices);
        let surface = mesh.surface.positions();
        if of.bind {
            out.skinning.clear();
            out.skinning.resize(out.bind.len(), Affine3A::IDENTITY);
            out.positions.clear();
            out.positions.extend_from_slice(surface);
            out.render_vertices.clear();
            out.render_vertices.extend(out.render.at(surface));
        } else {
            self.motions.set(mesh.skinning, &out.bind, &out.current);
            out.skinning.clone_from(&self.motions.matrices);
            self.motions.skin_blocks(
                stale.unwrap_or_default(),
                &mesh.weights,
                surface,
                &out.render,
                &mut out.positions,
                &mut out.render_vertices,
            );
        }
        let made = CachedPose {
            of,
            posed: posed.clone(),
        };
        match self.posed.get_mut(name) {
            Some(cached) => self.spare.results.push(std::mem::replace(cached, made)),
            None => {
                self.posed.insert(name.to_owned(), made);
            }
        }
        posed
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
}

/// The skeleton with its enabled handles pulling from the pose that it has, and what the solver did; as it is
/// where no handle pulls.
pub fn solved(skeleton: &Arc<Skeleton>, options: &ik::Options) -> (Arc<Skeleton>, Option<ik::Outcome>) {
    let (mut pose, mut outcome) = Default::default();
    let mut solver = ik::Solver::default();
    solve(&mut solver, skeleton, Some(options), &mut pose, &mut outcome);
    (pose, outcome)
}

/// As [`solved`], into the memory of an earlier `pose` and `outcome`. Without options, no handle pulls.
fn solve(
    solver: &mut ik::Solver,
    skeleton: &Arc<Skeleton>,
    options: Option<&ik::Options>,
    pose: &mut Arc<Skeleton>,
    outcome: &mut Option<ik::Outcome>,
) {
    let Some(options) = options.filter(|_| pulled(skeleton)) else {
        pose.clone_from(skeleton);
        *outcome = None;
        return;
    };
    let solved = Arc::make_mut(pose);
    solved.clone_from(skeleton);
    let outcome = outcome.get_or_insert_default();
    if !solver.solve(solved, options, outcome) {
        pose.clone_from(skeleton);
    }
}

/// Whether a handle pulls.
fn pulled(skeleton: &Skeleton) -> bool {
    skeleton.handles.iter().any(|handle| skeleton.pulls(handle))
}
