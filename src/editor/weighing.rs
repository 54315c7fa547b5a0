//! Weights calculated in the background: on a thread of their own, so that the window stays awake. What
//! takes but a moment is done at once. The result counts only if mesh, bones and weights are still those
//! that it was calculated from.

use super::Editor;
use super::panels::messages::Level;
use super::wake::Waker;
use crate::edit::command::Command;
use crate::edit::command::weights::calculation;
use crate::edit::request::Request;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::weights::VertexWeights;
use crate::rig::weights::calculate::Calculation;
use crate::rig::weights::method::{Calculated, MethodError};
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
    /// What takes no longer than this is calculated within a frame: vertices times bones.
    pub at_once: usize,
    /// While this is held, a calculation in the background does not go on.
    pub gate: Arc<Mutex<()>>,
}

impl Default for Weighing {
    fn default() -> Self {
        Self {
            job: None,
            at_once: 4_000_000,
            gate: Arc::default(),
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

/// The thread that calculates.
pub(super) struct Worker {
    shared: Arc<Shared>,
    result: Mutex<Receiver<Result<Calculated, MethodError>>>,
}

/// What the thread and the window tell each other.
#[derive(Default)]
struct Shared {
    /// In thousandths.
    progress: AtomicU32,
    cancelled: AtomicBool,
}

/// How often the window shows the progress.
const SHOW: Duration = Duration::from_millis(100);

/// A calculation that can be given up; `tell` is called whenever it has gone on.
fn run(
    calculation: &Calculation,
    shared: &Shared,
    tell: &(dyn Fn() + Sync),
) -> Result<Calculated, MethodError> {
    calculation.run(&|progress| {
        let thousandths = (1000.0 * progress) as u32;
        shared.progress.store(thousandths, Ordering::Relaxed);
        tell();
        !shared.cancelled.load(Ordering::Relaxed)
    })
}

impl Worker {
    pub(super) fn start(calculation: Calculation, gate: Arc<Mutex<()>>, waker: Waker) -> Self {
        let (sender, result) = channel();
        let shared = Arc::new(Shared::default());
        let ours = shared.clone();
        std::thread::spawn(move || {
            let calculated = run(&calculation, &ours, &|| {
                waker.after(SHOW);
                drop(gate.lock());
            });
            // Nobody may want it any more.
            let _ = sender.send(calculated);
            waker.now();
        });
        Self {
            shared,
            result: Mutex::new(result),
        }
    }

    pub(super) fn progress(&self) -> f32 {
        self.shared.progress.load(Ordering::Relaxed) as f32 / 1000.0
    }

    /// The result, once it is there.
    pub(super) fn result(&self) -> Option<Result<Calculated, MethodError>> {
        match self.result.lock().map(|result| result.try_recv()) {
            Ok(Ok(calculated)) => Some(calculated),
            Ok(Err(TryRecvError::Empty)) => None,
            Ok(Err(TryRecvError::Disconnected)) | Err(_) => Some(Err(MethodError::Cancelled)),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }
}

impl Editor {
    /// Begins to calculate weights in the background if these commands mean that and it takes long. A
    /// calculation under way is given up for it. False if the commands are to be applied at once.
    pub(super) fn weigh_in_background(&mut self, commands: &[Command], waker: &Waker) -> bool {
        let (mesh, bones, method) = match commands {
            [Command::CalculateWeights { mesh, method }] => (mesh, None, method),
            [Command::CalculateBoneWeights { mesh, bones, method }] => (mesh, Some(bones.clone()), method),
            _ => return false,
        };
        let Some(skinned) = self.session.scene().skinned_meshes.get(mesh) else {
            return false;
        };
        let calculation = calculation(skinned, method, bones.as_deref());
        if calculation.work() <= self.weighing.at_once {
            return false;
        }
        let job = Job {
            mesh: mesh.clone(),
            bones,
            basis: Basis::of(skinned),
            worker: Worker::start(calculation, self.weighing.gate.clone(), waker.clone()),
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
    let Some(job) = &editor.weighing.job else {
        return;
    };
    editor.panels.side.weights.progress = Some(job.worker.progress());
    let Some(result) = job.worker.result() else {
        return;
    };
    editor.draw_soon();
    editor.panels.side.weights.progress = None;
    let Some(job) = editor.weighing.job.take() else {
        return;
    };
    let messages = &mut editor.panels.messages;
    let calculated = match result {
        Ok(calculated) => calculated,
        Err(error) => {
            messages.push(
                Level::Warning,
                "Weights could not be calculated",
                error.to_string(),
            );
            return;
        }
    };
    let skinned = editor.session.scene().skinned_meshes.get(&job.mesh);
    if !skinned.is_some_and(|mesh| job.basis.is_current(mesh)) {
        let text = "The calculated weights were dropped";
        let why = "Mesh, bones or weights were changed while they were calculated. Calculate again.";
        messages.push(Level::Warning, text, why.to_owned());
        return;
    }
    for text in calculated.findings {
        messages.push(Level::Warning, text, String::new());
    }
    let command = Command::SetCalculatedWeights {
        mesh: job.mesh,
        bones: job.bones,
        weights: calculated.weights,
    };
    editor.requests.push(Request::Apply(vec![command]));
    editor.say_weights_of = true;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives;
    use crate::rig::skeleton::{Bone, Skeleton};
    use crate::rig::weights::capsule::capsule_weights;

    #[test]
    fn a_run_that_is_given_up_has_no_result() {
        let surface = Arc::new(primitives::tube(1.0, 10.0, 400, 400).unwrap());
        let bone = Bone {
            extent: Vec3::Y,
            radius: 3.0,
            ..Bone::default()
        };
        let skeleton = Arc::new(Skeleton {
            bones: vec![bone],
            ..Skeleton::default()
        });
        let calculation = Calculation {
            method: Default::default(),
            skeleton: skeleton.clone(),
            surface: surface.clone(),
            bones: None,
            stored: Arc::default(),
        };
        let (shared, told) = (Shared::default(), AtomicU32::new(0));
        let count = || {
            told.fetch_add(1, Ordering::Relaxed);
        };
        let calculated = run(&calculation, &shared, &count).unwrap();
        assert!(calculated.weights == capsule_weights(&skeleton, surface.positions()));
        assert!(told.load(Ordering::Relaxed) > 2);
        assert_eq!(shared.progress.load(Ordering::Relaxed), 1000);
        // After the first piece.
        let shared = Shared::default();
        let cancel = || {
            let progress = shared.progress.load(Ordering::Relaxed);
            shared.cancelled.store(progress > 0, Ordering::Relaxed);
        };
        let given_up = run(&calculation, &shared, &cancel);
        assert_eq!(given_up, Err(MethodError::Cancelled));
        let progress = shared.progress.load(Ordering::Relaxed);
        assert!(progress > 0 && progress < 1000, "{progress}");
    }
}
