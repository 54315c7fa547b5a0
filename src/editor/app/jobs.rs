//! Work beside the window, one piece at a time: on plain values, so that the document can be edited meanwhile. What came
//! of it is put in place by requests, or dropped where the document has outrun it.

use crate::editor::app::bake_job::{self, Baked};
use crate::editor::app::export_job::{self, Written};
use crate::editor::app::files::Files;
use crate::editor::app::read_job::ReadResult;
use crate::editor::app::wake::Waker;
use crate::editor::app::weight_job::{self, CalculatedWeights};
use crate::editor::app::worker::{Progress, Worker};
use crate::editor::panels::PanelsState;
use crate::editor::panels::messages::Level;
use crate::editor::panels::progress::{Doing, Working};
use crate::editor::state::{Document, Panels, Redraw, Requests};
use bevy::prelude::*;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The work under way, and when work is done beside the window.
#[derive(Resource)]
pub struct Jobs {
    job: Option<Job>,
    /// While this is held, work does not go on.
    pub gate: Arc<Mutex<()>>,
    /// Weights that take no longer than this are calculated within a frame: vertices times bones.
    pub at_once: usize,
    /// For a file the window waits so long: most are there in the same frame.
    pub patience: Duration,
}

struct Job {
    doing: Doing,
    worker: Worker<Outcome>,
}

/// What came of a piece of work.
pub enum Outcome {
    Weights(CalculatedWeights),
    Keys(Baked),
    File(Box<ReadResult>),
    Exported(Written),
}

impl Default for Jobs {
    fn default() -> Self {
        Self {
            job: None,
            gate: Arc::default(),
            at_once: 4_000_000,
            patience: Duration::from_millis(100),
        }
    }
}

impl Jobs {
    /// Without a window nobody is kept waiting.
    pub fn new(offscreen: bool) -> Self {
        let mut jobs = Self::default();
        if offscreen {
            jobs.patience = Duration::from_secs(60);
        }
        jobs
    }

    /// Begins work on a thread of its own; what was under way is cancelled for it.
    pub fn begin(
        &mut self,
        doing: Doing,
        waker: &Waker,
        panels: &mut PanelsState,
        work: impl FnOnce(&Progress) -> Outcome + Send + 'static,
    ) {
        self.cancel(panels);
        let worker = Worker::start(self.gate.clone(), waker.clone(), work);
        self.job = Some(Job { doing, worker });
        panels.working = Some(Working { doing, done: 0.0 });
    }

    /// Cancels the work under way, and says so.
    pub fn cancel(&mut self, panels: &mut PanelsState) {
        if let Some(job) = self.job.take() {
            panels.messages.push(Level::Info, job.doing.cancelled(), "");
        }
        panels.working = None;
    }

    /// What came of the work, waiting for it no longer than that.
    pub fn outcome(&mut self, wait: Duration, panels: &mut PanelsState) -> Option<Outcome> {
        let Job { doing, worker } = self.job.as_ref()?;
        let (doing, done) = (*doing, worker.progress());
        panels.working = Some(Working { doing, done });
        let outcome = worker.result(wait)?;
        panels.working = None;
        self.job = None;
        if outcome.is_none() {
            panels.messages.push(
                Level::Warning,
                doing.failed(),
                "It stopped because of a fault in the program.",
            );
        }
        outcome
    }
}

/// Shows the progress, and asks for what is done to be put in place.
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
        redraw.soon();
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
