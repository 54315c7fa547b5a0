//! A piece of work on a thread of its own, so that the window stays awake: it tells how far it is, and can be cancelled.

use crate::editor::app::wake::Waker;
use crate::editor::threads;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Is told how far the work is, from 0 to 1; false ends it.
pub type Progress<'a> = dyn Fn(f32) -> bool + Sync + 'a;

/// A thread at work. Dropping this gives the work up.
pub struct Worker<T> {
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
    /// Runs work that can be cancelled; `tell` is called whenever it has gone on.
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

    /// The result, once it is there, waiting for it no longer than that; `Some(None)` if the thread ended without one.
    pub fn result(&self, wait: Duration) -> Option<Option<T>> {
        match self.result.lock().map(|result| result.recv_timeout(wait)) {
            Ok(Ok(result)) => Some(Some(result)),
            Ok(Err(RecvTimeoutError::Timeout)) => None,
            Ok(Err(RecvTimeoutError::Disconnected)) | Err(_) => Some(None),
        }
    }
}

impl<T> Drop for Worker<T> {
    fn drop(&mut self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
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
