//! Work in the background: on a thread of its own, so that the window stays awake. One piece of work at a
//! time; what ends it puts its result in place, or says why not.

use crate::editor::Editor;
use crate::editor::app::threads;
use crate::editor::app::wake::Waker;
use crate::editor::panels::messages::Level;
use crate::editor::panels::working::{Doing, Working};
use bevy::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Work under way.
#[derive(Default)]
pub struct Background {
    job: Option<Job>,
    /// While this is held, work in the background does not go on.
    pub gate: Arc<Mutex<()>>,
}

/// What is done with a result, in the window.
pub(in crate::editor) type Finish = Box<dyn FnOnce(&mut Editor) + Send>;

/// Is told how far the work is, from 0 to 1; false ends it.
pub(in crate::editor) type Progress<'a> = dyn Fn(f32) -> bool + Sync + 'a;

struct Job {
    doing: Doing,
    worker: Worker<Finish>,
}

/// A thread at work. Dropping this gives the work up.
pub(in crate::editor) struct Worker<T> {
    shared: Arc<Shared>,
    result: Mutex<Receiver<T>>,
}

/// What the thread and the window tell each other.
#[derive(Default)]
struct Shared {
    /// In thousandths.
    progress: AtomicU32,
    cancelled: AtomicBool,
}

impl Shared {
    /// Runs work that can be given up; `tell` is called whenever it has gone on.
    fn run<T>(&self, work: impl FnOnce(&Progress) -> T, tell: &(dyn Fn() + Sync)) -> T {
        work(&|progress| {
            let thousandths = (1000.0 * progress) as u32;
            self.progress.store(thousandths, Ordering::Relaxed);
            tell();
            !self.cancelled.load(Ordering::Relaxed)
        })
    }
}

/// How often the window shows the progress.
const SHOW: Duration = Duration::from_millis(100);

impl<T: Send + 'static> Worker<T> {
    /// While `gate` is held, the work does not go on.
    pub fn start(
        gate: Arc<Mutex<()>>,
        waker: Waker,
        work: impl FnOnce(&Progress) -> T + Send + 'static,
    ) -> Self {
        let (sender, result) = channel();
        let shared = Arc::new(Shared::default());
        let ours = shared.clone();
        // Where there is no thread the window waits.
        threads::spawn_or_run(move || {
            let result = ours.run(work, &|| {
                waker.after(SHOW);
                drop(gate.lock());
            });
            // Nobody may want it any more.
            let _ = sender.send(result);
            waker.now();
        });
        Self {
            shared,
            result: Mutex::new(result),
        }
    }

    /// From 0 to 1.
    pub fn progress(&self) -> f32 {
        self.shared.progress.load(Ordering::Relaxed) as f32 / 1000.0
    }

    /// The result, once it is there; `Some(None)` if the thread ended without one.
    pub fn result(&self) -> Option<Option<T>> {
        match self.result.lock().map(|result| result.try_recv()) {
            Ok(Ok(result)) => Some(Some(result)),
            Ok(Err(TryRecvError::Empty)) => None,
            Ok(Err(TryRecvError::Disconnected)) | Err(_) => Some(None),
        }
    }
}

impl<T> Drop for Worker<T> {
    fn drop(&mut self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }
}

impl Editor {
    /// Begins work on a thread of its own; what was under way is given up for it.
    pub(in crate::editor) fn begin_work(
        &mut self,
        doing: Doing,
        waker: &Waker,
        work: impl FnOnce(&Progress) -> Finish + Send + 'static,
    ) {
        let worker = Worker::start(self.background.gate.clone(), waker.clone(), work);
        self.background.job = Some(Job { doing, worker });
        self.panels.working = Some(Working { doing, done: 0.0 });
    }

    /// Gives up the work under way.
    pub(in crate::editor) fn cancel_work(&mut self) {
        if let Some(job) = self.background.job.take() {
            let text = job.doing.given_up();
            self.panels.messages.push(Level::Info, text, String::new());
        }
        self.panels.working = None;
    }
}

/// Shows the progress, and ends what is done.
pub fn poll(mut editor: ResMut<Editor>) {
    let editor = editor.as_mut();
    // A result put in place now would end the drag.
    if editor.session.in_transaction() {
        return;
    }
    let Some(job) = &editor.background.job else {
        return;
    };
    let (doing, done) = (job.doing, job.worker.progress());
    editor.panels.working = Some(Working { doing, done });
    let Some(result) = job.worker.result() else {
        return;
    };
    editor.draw_soon();
    editor.panels.working = None;
    editor.background.job = None;
    match result {
        Some(finish) => finish(editor),
        None => {
            let messages = &mut editor.panels.messages;
            messages.push(Level::Warning, doing.failed(), "The work broke off.".to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten pieces; how many were done when it ended.
    fn work(progress: &Progress) -> u32 {
        (1..=10)
            .find(|piece| !progress(*piece as f32 / 10.0))
            .unwrap_or(10)
    }

    #[test]
    fn work_that_is_given_up_ends_early() {
        let (shared, told) = (Shared::default(), AtomicU32::new(0));
        let count = || {
            told.fetch_add(1, Ordering::Relaxed);
        };
        assert_eq!(shared.run(work, &count), 10);
        assert_eq!(told.load(Ordering::Relaxed), 10);
        assert_eq!(shared.progress.load(Ordering::Relaxed), 1000);
        let shared = Shared::default();
        let cancel = || {
            let far = shared.progress.load(Ordering::Relaxed) >= 300;
            shared.cancelled.store(far, Ordering::Relaxed);
        };
        assert_eq!(shared.run(work, &cancel), 3);
        assert_eq!(shared.progress.load(Ordering::Relaxed), 300);
    }
}
