//! Weights by a method other than that of the stored ones: calculated once for a mesh and its bones in the
//! bind pose, on a thread if that takes long.

use crate::edit::command::weights::calculation;
use crate::editor::app::jobs::worker::{Progress, Worker};
use crate::editor::app::wake::Waker;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::skeleton::Skeleton;
use crate::rig::weights::VertexWeights;
use crate::rig::weights::bind_snapshot::BindSnapshot;
use crate::rig::weights::method::{Calculated, Method, MethodError};
use crate::scene::skinned::SkinnedMesh;
use std::sync::Arc;
use std::time::Duration;

/// The state of requested weights.
pub enum WeightsStatus {
    Ready(Arc<VertexWeights>),
    /// The progress, from 0 to 1.
    Busy(f32),
    /// The reason.
    Failed(String),
}

#[derive(Default)]
pub struct OtherWeights(Vec<Entry>);

struct Entry {
    surface: Arc<HalfedgeMesh>,
    skeleton: Arc<Skeleton>,
    method: Method,
    state: State,
    /// Whether this was requested since unused entries were last dropped.
    used: bool,
}

enum State {
    Done(Result<Arc<VertexWeights>, String>),
    Underway(Worker<Result<Calculated, MethodError>>),
}

impl State {
    fn done(result: Result<Calculated, MethodError>) -> Self {
        Self::Done(result.map(|found| Arc::new(found.weights)).map_err(|error| error.sentence()))
    }
}

/// Whether weights calculated for one skeleton are valid for the other.
fn same_bones(a: &Arc<Skeleton>, b: &Arc<Skeleton>) -> bool {
    let ids = |s: &Skeleton| s.bones.iter().map(|bone| bone.channel_id).collect::<Vec<_>>();
    Arc::ptr_eq(a, b)
        || (ids(a) == ids(b) && BindSnapshot::capture_except(a, &[]) == BindSnapshot::capture_except(b, &[]))
}

impl OtherWeights {
    /// Returns the weights of `mesh` by `method`, and starts calculating missing ones; without a waker, only
    /// those that are quick. `at_once`: see [`crate::editor::app::jobs::Jobs`].
    pub fn get(
        &mut self,
        mesh: &SkinnedMesh,
        method: Method,
        at_once: usize,
        waker: Option<&Waker>,
    ) -> WeightsStatus {
        let found = self.0.iter_mut().find(|entry| {
            entry.method == method
                && Arc::ptr_eq(&entry.surface, &mesh.surface)
                && same_bones(&entry.skeleton, &mesh.skeleton)
        });
        let entry = match found {
            Some(entry) => entry,
            None => {
                let calculation = calculation(mesh, &method, None);
                let state = match (calculation.work() <= at_once, waker) {
                    (true, _) => State::done(calculation.run(&|_| true)),
                    (false, Some(waker)) => {
                        let work = move |progress: &Progress| calculation.run(progress);
                        State::Underway(Worker::start(Arc::default(), waker.clone(), work))
                    }
                    (false, None) => return WeightsStatus::Busy(0.0),
                };
                self.0.push(Entry {
                    surface: mesh.surface.clone(),
                    skeleton: mesh.skeleton.clone(),
                    method,
                    state,
                    used: true,
                });
                match self.0.last_mut() {
                    Some(entry) => entry,
                    None => return WeightsStatus::Busy(0.0),
                }
            }
        };
        entry.used = true;
        // Makes the next comparison quick.
        entry.skeleton = mesh.skeleton.clone();
        if let State::Underway(worker) = &entry.state
            && let Some(result) = worker.result(Duration::ZERO)
        {
            entry.state = State::done(result.unwrap_or(Err(MethodError::Cancelled)));
        }
        match &entry.state {
            State::Done(Ok(weights)) => WeightsStatus::Ready(weights.clone()),
            State::Done(Err(why)) => WeightsStatus::Failed(why.clone()),
            State::Underway(worker) => WeightsStatus::Busy(worker.progress()),
        }
    }

    /// Drops the weights that were not requested since the last call.
    pub fn forget_unused(&mut self) {
        self.0.retain_mut(|entry| std::mem::take(&mut entry.used));
    }

    pub fn is_busy(&self) -> bool {
        let underway = |entry: &Entry| matches!(entry.state, State::Underway(_));
        self.0.iter().any(underway)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives;
    use crate::rig::edits;
    use glam::Vec3;

    fn mesh() -> SkinnedMesh {
        let mut skeleton = Skeleton::default();
        edits::add_bone(&mut skeleton, None, Vec3::Y, 1.0, 7);
        SkinnedMesh {
            surface: Arc::new(primitives::cuboid(Vec3::ONE).unwrap()),
            skeleton: Arc::new(skeleton),
            ..SkinnedMesh::default()
        }
    }

    fn ready(found: WeightsStatus) -> Arc<VertexWeights> {
        match found {
            WeightsStatus::Ready(weights) => weights,
            WeightsStatus::Busy(_) => panic!("the work must be done at once"),
            WeightsStatus::Failed(why) => panic!("{why}"),
        }
    }

    #[test]
    fn weights_are_calculated_once_for_a_mesh_and_its_bind_pose() {
        let (mut others, at_once, mut mesh) = (OtherWeights::default(), usize::MAX, mesh());
        let mut capsule = |mesh: &SkinnedMesh| ready(others.get(mesh, Method::CAPSULE, at_once, None));
        let first = capsule(&mesh);
        assert_eq!(first.vertex_count(), mesh.surface.vertex_count());
        Arc::make_mut(&mut mesh.skeleton).bones[0].pose_deg.x = 30.0;
        mesh.weights = Arc::new(VertexWeights::none(3));
        assert!(Arc::ptr_eq(&first, &capsule(&mesh)), "pose and stored weights do not matter");
        Arc::make_mut(&mut mesh.skeleton).bones[0].radius = 2.0;
        let second = capsule(&mesh);
        assert!(!Arc::ptr_eq(&first, &second), "the bone has changed");
        others.forget_unused();
        assert_eq!(others.0.len(), 2);
        others.get(&mesh, Method::CAPSULE, at_once, None);
        others.forget_unused();
        assert_eq!(others.0.len(), 1);
        let tube = others.get(&mesh, Method::tube(3.0), at_once, None);
        assert!(matches!(tube, WeightsStatus::Failed(why) if why.starts_with("Tube weights are for")));
        // Long work is not started without a waker to announce its end.
        let heat = others.get(&mesh, Method::heat(None), 0, None);
        assert!(matches!(heat, WeightsStatus::Busy(_)) && !others.is_busy());
    }
}
