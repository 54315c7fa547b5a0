//! Background jobs, one at a time: they work on plain values, so that the document can be edited meanwhile.
//! Their results are put in place by requests, or dropped if the document has changed too much.

pub mod bake_job;
pub mod comparing;
pub mod export_job;
pub mod fit_job;
pub mod read_job;
pub mod render_job;
pub mod weight_job;
pub mod worker;

use crate::editor::app::files::Files;
use crate::editor::app::jobs::bake_job::Baked;
use crate::editor::app::jobs::export_job::Written;
use crate::editor::app::jobs::read_job::ReadResult;
use crate::editor::app::jobs::weight_job::CalculatedWeights;
use crate::editor::app::jobs::worker::{Progress, Worker};
use crate::editor::app::wake::Waker;
use crate::editor::panels::PanelsState;
use crate::editor::panels::messages::Level;
use crate::editor::panels::progress::{JobKind, JobProgress};
use crate::editor::state::{Document, Panels, Redraw, Requests};
use bevy::prelude::*;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The job in progress, and the limits up to which work is done at once.
#[derive(Resource)]
pub struct Jobs {
    job: Option<Job>,
    /// Work pauses while this is locked.
    pub gate: Arc<Mutex<()>>,
    /// The largest calculation of weights that is done within a frame, in vertices times bones.
    pub at_once: usize,
    /// The time that the window waits for a file, so that most arrive in the same frame.
    pub patience: Duration,
}

struct Job {
    kind: JobKind,
    worker: Worker<Outcome>,
}

/// The result of a job.
pub enum Outcome {
    Weights(CalculatedWeights),
    Keys(Baked),
    File(Box<ReadResult>),
    Exported(Written),
}

impl Default for Jobs {
    fn default() -> Self {
        Self { job: None, gate: Arc::default(), at_once: 4_000_000, patience: Duration::from_millis(100) }
    }
}

impl Jobs {
    /// Returns the default limits; offscreen, much longer waits are allowed, as there is no user.
    pub fn new(offscreen: bool) -> Self {
        let mut jobs = Self::default();
        if offscreen {
            jobs.patience = Duration::from_secs(60);
        }
        jobs
    }

    /// Starts a job on a thread; cancels the previous one.
    pub fn begin(
        &mut self,
        kind: JobKind,
        waker: &Waker,
        panels: &mut PanelsState,
        work: impl FnOnce(&Progress) -> Outcome + Send + 'static,
    ) {
        self.cancel(panels);
        let worker = Worker::start(self.gate.clone(), waker.clone(), work);
        self.job = Some(Job { kind, worker });
        panels.job = Some(JobProgress { kind, fraction: 0.0 });
    }

    /// Cancels the job in progress, and shows a message.
    pub fn cancel(&mut self, panels: &mut PanelsState) {
        if let Some(job) = self.job.take() {
            panels.messages.push(Level::Info, job.kind.cancelled(), "");
        }
        panels.job = None;
    }

    /// Takes the result of the job, after waiting for it no longer than `wait`.
    pub fn outcome(&mut self, wait: Duration, panels: &mut PanelsState) -> Option<Outcome> {
        let Job { kind, worker } = self.job.as_ref()?;
        let (kind, fraction) = (*kind, worker.progress());
        panels.job = Some(JobProgress { kind, fraction });
        let outcome = worker.result(wait)?;
        panels.job = None;
        self.job = None;
        if outcome.is_none() {
            panels.messages.push(Level::Warning, kind.failed(), "An internal error occurred.");
        }
        outcome
    }
}

/// Shows the progress, and requests that results be put in place.
pub fn poll(
    session: Res<Document>,
    mut jobs: ResMut<Jobs>,
    mut panels: ResMut<Panels>,
    mut requests: ResMut<Requests>,
    mut files: ResMut<Files>,
    mut redraw: ResMut<Redraw>,
) {
    // A result put in place now would end the drag.
    if jobs.job.is_none() || session.in_transaction() {
        return;
    }
    let outcome = jobs.outcome(Duration::ZERO, &mut panels);
    if jobs.job.is_none() {
        redraw.request();
    }
    let messages = &mut panels.messages;
    match outcome {
        Some(Outcome::Weights(done)) => requests.extend(weight_job::finish(done, &session, messages)),
        Some(Outcome::Keys(baked)) => requests.extend(bake_job::finish(baked, &session, messages)),
        Some(Outcome::File(read)) => files.arrived = Some(read),
        Some(Outcome::Exported(written)) => export_job::finish(&written, messages),
        None => {}
    }
}
