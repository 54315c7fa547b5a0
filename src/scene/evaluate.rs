//! From a scene to what is seen: world matrices, poses, skinned surfaces. The window and the headless
//! commands both go through [`Evaluator::evaluate`].

use super::compare::{self, Compare, Compared};
use super::kept::{CachedPose, Matrices, Skips, Spare};
use super::resource::Transform;
use super::skinned::SkinnedMesh;
use super::{Scene, Table, drive, world};
use crate::anim::channel_set::ChannelSet;
use crate::mesh::bvh::{Bvh, LazyBvh};
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::render::{RenderMesh, RenderVertex};
use crate::mesh::soup::Polygons;
use crate::rig::skeleton::Skeleton;
use crate::rig::skinning;
use crate::rig::{ik, kinematics};
use glam::{Affine3A, DAffine3, Mat4, Vec3};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Weak};

/// What to evaluate.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Channels are driven at this frame; `None` takes the values that the scene stores.
    pub frame: Option<f32>,
    /// Channels that do not count at that frame: the values that the scene stores do.
    pub held: Arc<ChannelSet>,
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
            held: Arc::default(),
            ik: Some(ik::Options::default()),
            bind: false,
            compare: None,
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
    /// R: skinned positions and unit normals of the render vertices. The graphics card gets these bytes as
    /// they are.
    pub render_vertices: Vec<RenderVertex>,
    /// For rays; see [`Posed::tree`].
    pub tree: LazyBvh,
}

impl Posed {
    /// R: skinned unit normals of the render vertices.
    pub fn normals(&self) -> impl ExactSizeIterator<Item = Vec3> + '_ {
        self.render_vertices.iter().map(|vertex| vertex.normal)
    }

    /// The tree over the triangles of `surface`, the mesh that this is a pose of, fitted to `positions`.
    /// Made when it is first asked for.
    pub fn tree(&self, surface: &HalfedgeMesh) -> &Arc<Bvh> {
        self.tree.get_or_make(|| surface.tree().refitted(&self.positions))
    }
}

/// The polygons of `surface`, where `posed` shows it: skinned positions and corner normals.
pub fn posed_polygons(surface: &HalfedgeMesh, posed: &Posed) -> Polygons {
    let mut polygons = Polygons::of(surface);
    polygons.positions.clone_from(&posed.positions);
    let faces = (0..surface.face_count() as u32).filter(|&f| !surface.is_boundary(f));
    let corners = faces.flat_map(|f| surface.face_corners(f));
    for (normal, h) in polygons.normals.iter_mut().zip(corners) {
        let drawn = posed.render.corner.get(h as usize);
        if let Some(shown) = drawn.and_then(|&r| posed.render_vertices.get(r as usize)) {
            *normal = shown.normal;
        }
    }
    polygons
}

/// The whole scene at a frame.
#[derive(Clone, Debug, Default)]
pub struct Evaluated {
    /// `world_from_local` per transform. The same as before where no transform changed.
    pub world_from_transform: Arc<BTreeMap<String, Mat4>>,
    /// Per skinned mesh (not per instance). `Arc`s of meshes that did not change are the same as before.
    pub skinned: BTreeMap<String, Arc<Posed>>,
    /// The scene with channels applied (the scene itself where there are none).
    pub scene: Scene,
    /// What the settings compare, where it is there.
    pub compare: Option<Compared>,
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
    driver: drive::Driver,
    solver: ik::Solver,
    posed: BTreeMap<String, CachedPose>,
    compare: compare::Cache,
    /// By the address of the surface, which stays taken while the weak reference lives.
    render: HashMap<usize, (Weak<HalfedgeMesh>, Arc<RenderMesh>)>,
    motions: skinning::Motions,
    spare: Spare,
    skips: Skips,
    world: (Table<Transform>, Arc<BTreeMap<String, Mat4>>),
}

/// An evaluation under way: channels are driven; [`Evaluation::solve_ik`], [`Evaluation::pose`] and
/// [`Evaluator::skin`] follow in this order. [`Evaluator::evaluate`] does all four.
pub struct Evaluation {
    scene: Scene,
    settings: Settings,
    /// Per skinned mesh of the scene, in its order.
    meshes: Vec<Work>,
    solver: ik::Solver,
}

enum Work {
    /// Nothing changed since the last evaluation.
    Kept(Arc<Posed>),
    Underway(Box<Underway>),
}

/// A skinned mesh whose pose is being found.
struct Underway {
    mesh: Arc<SkinnedMesh>,
    skeleton: Arc<Skeleton>,
    ik: Option<ik::Outcome>,
    matrices: Matrices,
}

impl Evaluation {
    /// Enabled handles pull, from the pose that the channels gave.
    pub fn solve_ik(&mut self) {
        let Some(options) = self.settings.ik.as_ref().filter(|_| !self.settings.bind) else {
            return;
        };
        for work in underway(&mut self.meshes) {
            (work.skeleton, work.ik) = solved_by(&mut self.solver, &work.skeleton, options);
        }
    }

    /// Bone matrices.
    pub fn pose(&mut self) {
        let in_bind_pose = self.settings.bind;
        for work in underway(&mut self.meshes) {
            let Matrices { bind, current } = &mut work.matrices;
            kinematics::bind_pose_into(&work.skeleton, bind);
            if in_bind_pose {
                current.clone_from(bind);
            } else {
                kinematics::current_pose_into(&work.skeleton, current);
            }
        }
    }
}

fn underway(meshes: &mut [Work]) -> impl Iterator<Item = &mut Underway> {
    meshes.iter_mut().filter_map(|work| match work {
        Work::Underway(underway) => Some(underway.as_mut()),
        Work::Kept(_) => None,
    })
}

impl Evaluator {
    pub fn evaluate(&mut self, scene: &Scene, settings: &Settings) -> Evaluated {
        let mut evaluation = self.animate(scene, settings);
        evaluation.solve_ik();
        evaluation.pose();
        self.skin(evaluation)
    }

    /// Begins an evaluation: drives the channels, and finds which skinned meshes are as they were.
    pub fn animate(&mut self, scene: &Scene, settings: &Settings) -> Evaluation {
        let scene = match settings.frame {
            Some(frame) => self.driver.driven(scene, frame, &settings.held),
            None => scene.clone(),
        };
        let mut work = |mesh: &Arc<SkinnedMesh>, cached: Option<&CachedPose>| match cached {
            Some(cached)
                if cached.bind == settings.bind && cached.ik == settings.ik && same(&cached.mesh, mesh) =>
            {
                Work::Kept(cached.posed.clone())
            }
            _ => Work::Underway(Box::new(Underway {
                mesh: mesh.clone(),
                skeleton: mesh.skeleton.clone(),
                ik: None,
                matrices: self.spare.matrices.pop().unwrap_or_default(),
            })),
        };
        let meshes = scene.skinned_meshes.iter();
        let meshes = meshes
            .map(|(name, mesh)| work(mesh, self.posed.get(name)))
            .collect();
        Evaluation {
            scene,
            settings: settings.clone(),
            meshes,
            solver: std::mem::take(&mut self.solver),
        }
    }

    /// Ends an evaluation: skins what changed.
    pub fn skin(&mut self, evaluation: Evaluation) -> Evaluated {
        let Evaluation {
            scene,
            settings,
            meshes,
            solver,
        } = evaluation;
        self.solver = solver;
        self.render.retain(|_, (surface, _)| surface.strong_count() > 0);
        self.skips.forget_unused();
        self.posed
            .retain(|name, _| scene.skinned_meshes.contains_key(name));
        let mut skinned = BTreeMap::new();
        for (name, work) in scene.skinned_meshes.keys().zip(meshes) {
            let posed = match work {
                Work::Kept(posed) => posed,
                Work::Underway(work) => self.skinned(name, *work, &settings),
            };
            skinned.insert(name.clone(), posed);
        }
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
        }
    }

    /// The mesh called `name` where its bones are now.
    fn skinned(&mut self, name: &str, work: Underway, settings: &Settings) -> Arc<Posed> {
        let Underway {
            mesh,
            skeleton,
            ik,
            matrices,
        } = work;
        let render = self.render_mesh(&mesh.surface);
        let spare = self.spare.take(&mesh.surface);
        let stale = spare
            .as_ref()
            .and_then(|spare| self.skips.stale_blocks(spare, &mesh, &matrices));
        let spare = spare.and_then(|spare| Arc::into_inner(spare.posed));
        let (mut skinning, mut positions, mut render_vertices) = match spare {
            Some(posed) => {
                let (bind, current) = (posed.bind, posed.current);
                self.spare.matrices.push(Matrices { bind, current });
                (posed.skinning, posed.positions, posed.render_vertices)
            }
            None => Default::default(),
        };
        let surface = mesh.surface.positions();
        if settings.bind {
            skinning.clear();
            skinning.resize(matrices.bind.len(), Affine3A::IDENTITY);
            positions.clear();
            positions.extend_from_slice(surface);
            render_vertices.clear();
            render_vertices.extend(render.at(surface));
        } else {
            self.motions.set(mesh.skinning, &matrices.bind, &matrices.current);
            skinning.clone_from(&self.motions.matrices);
            self.motions.skin_blocks(
                stale,
                &mesh.weights,
                surface,
                &render,
                &mut positions,
                &mut render_vertices,
            );
        }
        let posed = Arc::new(Posed {
            skeleton,
            bind: matrices.bind,
            current: matrices.current,
            skinning,
            ik,
            render,
            positions,
            render_vertices,
            tree: LazyBvh::default(),
        });
        let made = CachedPose {
            mesh,
            ik: settings.ik.clone(),
            bind: settings.bind,
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

/// Whether two meshes are posed alike. Channels make a new skeleton each time that they are driven, so
/// skeletons are compared by value; they are small.
fn same(a: &SkinnedMesh, b: &SkinnedMesh) -> bool {
    a.skinning == b.skinning
        && Arc::ptr_eq(&a.surface, &b.surface)
        && Arc::ptr_eq(&a.weights, &b.weights)
        && (Arc::ptr_eq(&a.skeleton, &b.skeleton) || a.skeleton == b.skeleton)
}

/// The skeleton with its enabled handles pulling from the pose that it has, and what the solver did; as it is
/// where no handle pulls.
pub fn solved(skeleton: &Arc<Skeleton>, options: &ik::Options) -> (Arc<Skeleton>, Option<ik::Outcome>) {
    solved_by(&mut ik::Solver::default(), skeleton, options)
}

fn solved_by(
    solver: &mut ik::Solver,
    skeleton: &Arc<Skeleton>,
    options: &ik::Options,
) -> (Arc<Skeleton>, Option<ik::Outcome>) {
    if !pulled(skeleton) {
        return (skeleton.clone(), None);
    }
    let mut pose = (**skeleton).clone();
    let outcome = solver.solve(&mut pose, options);
    let pose = if outcome.steps > 0 {
        Arc::new(pose)
    } else {
        skeleton.clone()
    };
    (pose, Some(outcome))
}

/// Whether an enabled handle is on a bone.
fn pulled(skeleton: &Skeleton) -> bool {
    let bones = skeleton.bones.len();
    skeleton
        .handles
        .iter()
        .any(|h| h.enabled && (h.bone as usize) < bones)
}
