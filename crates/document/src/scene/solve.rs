//! Solving the skeletons of a scene to which channels have been applied: goals that are in the space of an instance are
//! moved to that of their skeleton first.

use super::Scene;
use super::spaces::{Space, has_instance_spaces, skeleton_from_instance};
use crate::rig::handle_space::{has_spaces, moved, resolved, skeleton_from_space, space_bone};
use crate::rig::ik;
use crate::rig::kinematics::{bind_pose, current_pose};
use crate::rig::skeleton::{Handle, Skeleton};
use glam::DAffine3;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What poses the skinned meshes of a scene to which channels have been applied.
#[derive(Clone, Copy, Debug, Default)]
pub struct Posing<'a> {
    /// The options with which enabled handles pull; `None`: they do nothing.
    pub ik: Option<&'a ik::Options>,
    /// Whether all are in their bind pose.
    pub bind: bool,
}

/// A skinned mesh in its pose.
#[derive(Clone, Debug)]
pub struct Pose {
    /// All goals of its handles are in skeleton space.
    pub skeleton: Skeleton,
    /// B_b of the bones.
    pub bind: Vec<DAffine3>,
    /// P_b of the bones.
    pub current: Vec<DAffine3>,
}

/// P_b and B_b⁻¹ multiplied, of all bones of the meshes that have been posed to carry goals.
type Carriers = BTreeMap<String, Vec<DAffine3>>;

impl<'a> Posing<'a> {
    /// Handles pull with these options, if there are any.
    pub fn with_ik(ik: Option<&'a ik::Options>) -> Self {
        Self { ik, bind: false }
    }

    /// Returns the skeleton of a mesh, with goals that are in the space of an instance moved to skeleton space; the same
    /// skeleton if there are none. `None` if there is no such mesh.
    pub fn placed(self, driven: &Scene, mesh: &str) -> Option<Arc<Skeleton>> {
        self.placed_with(driven, mesh, &mut Carriers::new())
    }

    /// Returns the skeleton of a mesh in its pose, and the solver's outcome if a handle pulls.
    pub fn solve(self, driven: &Scene, mesh: &str) -> Option<(Arc<Skeleton>, Option<ik::Outcome>)> {
        Some(self.solve_placed(self.placed(driven, mesh)?))
    }

    /// Returns a mesh in its pose.
    pub fn pose(self, driven: &Scene, mesh: &str) -> Option<Pose> {
        let placed = self.placed(driven, mesh)?;
        let mut skeleton = Arc::unwrap_or_clone(self.solve_placed(placed.clone()).0);
        let [bind, current] = self.matrices(&skeleton);
        skeleton.handles = resolved(&placed.handles, &placed, &bind, &current);
        Some(Pose { skeleton, bind, current })
    }

    /// Returns the matrix that maps goals of a mesh in a space to skeleton space; `pose`: that of the mesh.
    pub fn skeleton_from_space(self, driven: &Scene, mesh: &str, space: &Space, pose: &Pose) -> DAffine3 {
        match &space.instance {
            Some(instance) => {
                self.skeleton_from_instance(driven, mesh, (instance, space.bone), &mut Carriers::new())
            }
            None => {
                let handle = Handle { space: space.bone, ..Handle::default() };
                skeleton_from_space(space_bone(&pose.skeleton, &handle), &pose.bind, &pose.current)
            }
        }
    }

    fn placed_with(self, driven: &Scene, mesh: &str, carriers: &mut Carriers) -> Option<Arc<Skeleton>> {
        let mut skeleton = driven.skinned_meshes.get(mesh)?.skeleton.clone();
        if has_instance_spaces(&skeleton) {
            for handle in &mut Arc::make_mut(&mut skeleton).handles {
                if let Some(instance) = &handle.space_instance {
                    let space = (instance.as_str(), handle.space);
                    let matrix = self.skeleton_from_instance(driven, mesh, space, carriers);
                    *handle = moved(handle.clone(), &matrix);
                }
            }
        }
        Some(skeleton)
    }

    fn solve_placed(self, placed: Arc<Skeleton>) -> (Arc<Skeleton>, Option<ik::Outcome>) {
        match self.ik.filter(|_| !self.bind) {
            Some(options) => solve_ik(&placed, options),
            None => (placed, None),
        }
    }

    /// Returns B_b and P_b of the bones.
    fn matrices(self, skeleton: &Skeleton) -> [Vec<DAffine3>; 2] {
        let bind = bind_pose(skeleton);
        let current = if self.bind { bind.clone() } else { current_pose(skeleton) };
        [bind, current]
    }

    fn skeleton_from_instance(
        self,
        driven: &Scene,
        mesh: &str,
        (instance, bone): (&str, Option<u32>),
        carriers: &mut Carriers,
    ) -> DAffine3 {
        skeleton_from_instance(driven, mesh, instance, bone, |carrier, bone| {
            if !carriers.contains_key(carrier) {
                let (skeleton, _) = self.solve_placed(self.placed_with(driven, carrier, carriers)?);
                let [bind, current] = self.matrices(&skeleton);
                let moved = |bone| skeleton_from_space(Some(bone), &bind, &current);
                carriers.insert(carrier.to_owned(), (0..bind.len()).map(moved).collect());
            }
            carriers.get(carrier)?.get(bone).copied()
        })
    }
}

/// Returns the skeleton with its enabled handles pulling from its current pose, and the solver's outcome; the
/// skeleton itself and `None` if no handle pulls. If one does, goals of handles in the space of bones are in skeleton
/// space. Goals in the space of an instance must be so before, see [`Posing::placed`].
pub fn solve_ik(skeleton: &Arc<Skeleton>, options: &ik::Options) -> (Arc<Skeleton>, Option<ik::Outcome>) {
    let (mut pose, mut outcome) = Default::default();
    let mut solver = ik::Solver::default();
    solve_into(&mut solver, skeleton, Some(options), &mut pose, &mut outcome);
    (pose, outcome)
}

/// Does the same as [`solve_ik`], reusing the memory of an earlier `pose` and `outcome`. Without options, no
/// handle pulls.
pub(super) fn solve_into(
    solver: &mut ik::Solver,
    skeleton: &Arc<Skeleton>,
    options: Option<&ik::Options>,
    pose: &mut Arc<Skeleton>,
    outcome: &mut Option<ik::Outcome>,
) {
    let Some(options) = options.filter(|_| has_pulling_handle(skeleton)) else {
        pose.clone_from(skeleton);
        *outcome = None;
        return;
    };
    let solved = Arc::make_mut(pose);
    solved.clone_from(skeleton);
    let outcome = outcome.get_or_insert_default();
    if !ik::spaces::solve(solver, solved, options, outcome) && !has_spaces(skeleton) {
        pose.clone_from(skeleton);
    }
}

/// Returns whether a handle of the skeleton pulls.
fn has_pulling_handle(skeleton: &Skeleton) -> bool {
    skeleton.handles.iter().any(|handle| skeleton.pulls(handle))
}
