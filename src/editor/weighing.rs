//! Weights calculated in the background: on a thread of their own, so that the window stays awake. What
//! takes but a moment is done at once. The result counts only if mesh, bones and weights are still those
//! that it was calculated from.

use super::Editor;
use super::panels::messages::Level;
use super::wake::Waker;
use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::weights::VertexWeights;
use crate::rig::weights::calculate::Calculation;
use crate::rig::weights::weighed::Weighed;
use crate::scene::skinned::SkinnedMesh;
use bevy::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Calculations of weights.
pub struct Weighing {
    job: Option<Job>,
    /// Vertices times bones that are calculated within a frame.
    pub at_once: usize,
    /// Without threads, this many vertices a frame: what comes when does not depend on the machine.
    pub per_frame: Option<usize>,
}

impl Default for Weighing {
    fn default() -> Self {
        Self {
            job: None,
            at_once: 4_000_000,
            per_frame: None,
        }
    }
}

struct Job {
    mesh: String,
    bones: Option<Vec<usize>>,
    basis: Basis,
    worker: Worker,
}

/// What a result was calculated from.
struct Basis {
    surface: Arc<HalfedgeMesh>,
    weights: Arc<VertexWeights>,
    bones: Weighed,
    bone_ids: Vec<u32>,
}

impl Basis {
    fn of(mesh: &SkinnedMesh) -> Self {
        Self {
            surface: mesh.surface.clone(),
            weights: mesh.weights.clone(),
            bones: Weighed::by(&mesh.skeleton),
            bone_ids: mesh.skeleton.bones.iter().map(|bone| bone.channel_id).collect(),
        }
    }

    fn is_current(&self, mesh: &SkinnedMesh) -> bool {
        let now = Self::of(mesh);
        Arc::ptr_eq(&self.surface, &now.surface)
            && Arc::ptr_eq(&self.weights, &now.weights)
            && self.bones.same(&now.bones)
            && self.bone_ids == now.bone_ids
    }
}

enum Worker {
    Thread(Thread),
    Frames(Box<Calculation>, usize),
}

struct Thread {
    shared: Arc<Shared>,
    result: Mutex<Receiver<VertexWeights>>,
}

/// What the thread and the window tell each other.
#[derive(Default)]
struct Shared {
    /// In thousandths.
    progress: AtomicU32,
    cancelled: AtomicBool,
}

/// Vertices between two looks at whether it goes on.
const STEP: usize = 16_384;
/// How often the window shows the progress.
const SHOW: Duration = Duration::from_millis(100);

/// The rest of a calculation; `None` if it is given up meanwhile.
fn run(mut calculation: Calculation, shared: &Shared, mut tell: impl FnMut()) -> Option<VertexWeights> {
    loop {
        if shared.cancelled.load(Ordering::Relaxed) {
            return None;
        }
        let done = calculation.step(STEP);
        let progress = (1000.0 * calculation.progress()) as u32;
        shared.progress.store(progress, Ordering::Relaxed);
        if done {
            return Some(calculation.finish());
        }
        tell();
    }
}

impl Thread {
    fn start(calculation: Calculation, waker: Waker) -> Self {
        let (sender, result) = channel();
        let shared = Arc::new(Shared::default());
        let ours = shared.clone();
        std::thread::spawn(move || {
            if let Some(weights) = run(calculation, &ours, || waker.after(SHOW)) {
                // Nobody may want it any more.
                let _ = sender.send(weights);
            }
            waker.now();
        });
        Self {
            shared,
            result: Mutex::new(result),
        }
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }
}

impl Worker {
    /// Goes on or looks at how it goes: progress, and the result once it is there. `None`: it is lost.
    fn poll(&mut self) -> Option<(f32, Option<VertexWeights>)> {
        match self {
            Worker::Thread(thread) => {
                let progress = thread.shared.progress.load(Ordering::Relaxed) as f32 / 1000.0;
                match thread.result.lock().map(|result| result.try_recv()) {
                    Ok(Ok(weights)) => Some((1.0, Some(weights))),
                    Ok(Err(TryRecvError::Empty)) => Some((progress, None)),
                    Ok(Err(TryRecvError::Disconnected)) | Err(_) => None,
                }
            }
            Worker::Frames(calculation, vertices) => {
                if !calculation.step(*vertices) {
                    return Some((calculation.progress(), None));
                }
                let nothing = Calculation::new(&Default::default(), Arc::default(), None, Arc::default());
                Some((1.0, Some(std::mem::replace(&mut **calculation, nothing).finish())))
            }
        }
    }
}

impl Editor {
    /// Begins to calculate weights in the background if these commands mean that and it takes long. A
    /// calculation under way is given up for it. False if the commands are to be applied at once.
    pub(super) fn weigh_in_background(&mut self, commands: &[Command], waker: &Waker) -> bool {
        let (mesh, bones) = match commands {
            [Command::CalculateWeights { mesh }] => (mesh, None),
            [Command::CalculateBoneWeights { mesh, bones }] => (mesh, Some(bones.clone())),
            _ => return false,
        };
        let Some(skinned) = self.session.scene().skinned_meshes.get(mesh) else {
            return false;
        };
        if Calculation::work(&skinned.skeleton, &skinned.surface) <= self.weighing.at_once {
            return false;
        }
        let (surface, stored) = (skinned.surface.clone(), skinned.weights.clone());
        let calculation = Calculation::new(&skinned.skeleton, surface, bones.as_deref(), stored);
        let job = Job {
            mesh: mesh.clone(),
            bones,
            basis: Basis::of(skinned),
            worker: match self.weighing.per_frame {
                Some(vertices) => Worker::Frames(Box::new(calculation), vertices),
                None => Worker::Thread(Thread::start(calculation, waker.clone())),
            },
        };
        self.weighing.job = Some(job);
        self.panels.side.weights.progress = Some(0.0);
        true
    }

    /// Gives up the calculation under way.
    pub(super) fn cancel_weighing(&mut self) {
        if self.weighing.job.take().is_some() {
            let text = "Calculation given up; the weights are as they were";
            self.panels.messages.push(Level::Info, text, String::new());
        }
        self.panels.side.weights.progress = None;
    }
}

/// Shows the progress, and asks for the result to be put in place.
pub fn poll(mut editor: ResMut<Editor>) {
    let editor = editor.as_mut();
    // A result put in place now would end the drag.
    if editor.session.in_transaction() {
        return;
    }
    let Some(job) = &mut editor.weighing.job else {
        return;
    };
    let polled = job.worker.poll();
    // A thread wakes the window itself.
    if matches!(job.worker, Worker::Frames(..)) {
        editor.draw_soon();
    }
    let Some((progress, result)) = polled else {
        editor.draw_soon();
        return editor.cancel_weighing();
    };
    editor.panels.side.weights.progress = Some(progress);
    let Some(weights) = result else { return };
    editor.draw_soon();
    editor.panels.side.weights.progress = None;
    let Some(job) = editor.weighing.job.take() else {
        return;
    };
    let skinned = editor.session.scene().skinned_meshes.get(&job.mesh);
    if skinned.is_some_and(|mesh| job.basis.is_current(mesh)) {
        let command = Command::SetCalculatedWeights {
            mesh: job.mesh,
            bones: job.bones,
            weights,
        };
        editor.requests.push(Request::Apply(vec![command]));
        editor.say_weights_of = true;
    } else {
        let text = "The calculated weights were dropped";
        let why = "Mesh, bones or weights were changed while they were calculated. Calculate again.";
        editor.panels.messages.push(Level::Warning, text, why.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives;
    use crate::rig::skeleton::{Bone, Skeleton};
    use crate::rig::weights::capsule::capsule_weights;

    #[test]
    fn a_run_that_is_given_up_has_no_result() {
        let surface = Arc::new(primitives::tube(1.0, 10.0, 200, 200).unwrap());
        let bone = Bone {
            extent: Vec3::Y,
            radius: 3.0,
            ..Bone::default()
        };
        let skeleton = Skeleton {
            bones: vec![bone],
            ..Skeleton::default()
        };
        let begin = || Calculation::new(&skeleton, surface.clone(), None, Arc::default());
        let shared = Shared::default();
        let mut told = 0;
        let weights = run(begin(), &shared, || told += 1).unwrap();
        assert!(weights == capsule_weights(&skeleton, surface.positions()));
        assert_eq!(told, surface.vertex_count() / STEP);
        assert_eq!(shared.progress.load(Ordering::Relaxed), 1000);
        // After the first piece.
        let shared = Shared::default();
        let cancel = || shared.cancelled.store(true, Ordering::Relaxed);
        assert_eq!(run(begin(), &shared, cancel), None);
        assert!(shared.progress.load(Ordering::Relaxed) < 1000);
    }
}
