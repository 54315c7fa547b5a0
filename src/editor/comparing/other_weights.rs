//! Weights by another method than the stored ones: calculated once for a mesh and its bones in the bind pose,
//! on a thread where it takes long.

use super::super::wake::Waker;
use super::super::weighing::{Weighing, Worker};
use crate::edit::command::weights::calculation;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::skeleton::Skeleton;
use crate::rig::weights::VertexWeights;
use crate::rig::weights::method::{Calculated, Method, MethodError};
use crate::rig::weights::weighed::Weighed;
use crate::scene::skinned::SkinnedMesh;
use std::sync::Arc;

/// Weights that were asked for.
pub enum Wanted {
    Ready(Arc<VertexWeights>),
    /// From 0 to 1.
    Busy(f32),
    /// Why there are none.
    Failed(String),
}

#[derive(Default)]
pub struct OtherWeights(Vec<Entry>);

struct Entry {
    surface: Arc<HalfedgeMesh>,
    skeleton: Arc<Skeleton>,
    method: Method,
    state: State,
    /// Since unused ones were forgotten last.
    used: bool,
}

enum State {
    Done(Result<Arc<VertexWeights>, String>),
    Underway(Worker),
}

impl State {
    fn done(result: Result<Calculated, MethodError>) -> Self {
        let said = |error: MethodError| {
            let text = error.to_string();
            let mut letters = text.chars();
            let first = letters.next().map(|c| c.to_uppercase().to_string());
            format!("{}{}.", first.unwrap_or_default(), letters.as_str())
        };
        Self::Done(result.map(|found| Arc::new(found.weights)).map_err(said))
    }
}

/// Whether weights calculated for one skeleton are those of the other.
fn same_bones(a: &Arc<Skeleton>, b: &Arc<Skeleton>) -> bool {
    let ids = |s: &Skeleton| s.bones.iter().map(|bone| bone.channel_id).collect::<Vec<_>>();
    Arc::ptr_eq(a, b) || (ids(a) == ids(b) && Weighed::by(a).same(&Weighed::by(b)))
}

impl OtherWeights {
    /// The weights of `mesh` by `method`; begins to calculate them. Without a waker, later.
    pub fn of(
        &mut self,
        mesh: &SkinnedMesh,
        method: Method,
        how: &Weighing,
        waker: Option<&Waker>,
    ) -> Wanted {
        let found = self.0.iter_mut().find(|entry| {
            entry.method == method
                && Arc::ptr_eq(&entry.surface, &mesh.surface)
                && same_bones(&entry.skeleton, &mesh.skeleton)
        });
        let entry = match found {
            Some(entry) => entry,
            None => {
                let calculation = calculation(mesh, &method, None);
                let state = match (calculation.work() <= how.at_once, waker) {
                    (true, _) => State::done(calculation.run(&|_| true)),
                    (false, Some(waker)) => {
                        State::Underway(Worker::start(calculation, how.gate.clone(), waker.clone()))
                    }
                    (false, None) => return Wanted::Busy(0.0),
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
                    None => return Wanted::Busy(0.0),
                }
            }
        };
        entry.used = true;
        // The next look at it is quick.
        entry.skeleton = mesh.skeleton.clone();
        if let State::Underway(worker) = &entry.state
            && let Some(result) = worker.result()
        {
            entry.state = State::done(result);
        }
        match &entry.state {
            State::Done(Ok(weights)) => Wanted::Ready(weights.clone()),
            State::Done(Err(why)) => Wanted::Failed(why.clone()),
            State::Underway(worker) => Wanted::Busy(worker.progress()),
        }
    }

    /// Keeps only what was asked for since the last time.
    pub fn forget_unused(&mut self) {
        self.0.retain_mut(|entry| std::mem::take(&mut entry.used));
    }

    pub fn busy(&self) -> bool {
        let underway = |entry: &Entry| matches!(entry.state, State::Underway(_));
        self.0.iter().any(underway)
    }
}
