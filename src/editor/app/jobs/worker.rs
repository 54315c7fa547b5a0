//! Work on a thread, so that the window stays responsive: it reports its progress, and can be cancelled.

use crate::editor::app::wake::Waker;
use crate::editor::threads;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Receives the progress of the work, from 0 to 1; returns false to cancel it.
pub type Progress<'a> = dyn Fn(f32) -> bool + Sync + 'a;

/// A working thread. Dropping this cancels the work.
pub struct Worker<T> {
    shared: Arc<Shared>,
    result: Mutex<Receiver<T>>,
}

/// The state shared by the thread and the window.
#[derive(Default)]
struct Shared {
    /// The progress in thousandths.
    progress: AtomicU32,
    cancelled: AtomicBool,
}

impl Shared {
    /// Runs work that can be cancelled; `on_progress` is called whenever it has progressed.
    fn run<T>(&self, work: impl FnOnce(&Progress) -> T, on_progress: &(dyn Fn() + Sync)) -> T {
        work(&|progress| {
            let thousandths = (1000.0 * progress) as u32;
            self.progress.store(thousandths, Ordering::Relaxed);
            on_progress();
            !self.cancelled.load(Ordering::Relaxed)
        })
    }
}

/// The interval at which the window shows the progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

impl<T: Send + 'static> Worker<T> {
    /// Starts `work` on a thread. While `gate` is locked, the work pauses.
    pub fn start(
        gate: Arc<Mutex<()>>,
        waker: Waker,
        work: impl FnOnce(&Progress) -> T + Send + 'static,
    ) -> Self {
        let (sender, result) = channel();
        let shared = Arc::new(Shared::default());
        let for_thread = shared.clone();
        // Without a thread the window waits.
        threads::spawn_or_run(move || {
            let result = for_thread.run(work, &|| {
                waker.wake_after(PROGRESS_INTERVAL);
                drop(gate.lock());
            });
            // The receiver may be gone by now.
            let _ = sender.send(result);
            waker.wake();
        });
        Self { shared, result: Mutex::new(result) }
    }

    /// The progress, from 0 to 1.
    pub fn progress(&self) -> f32 {
        self.shared.progress.load(Ordering::Relaxed) as f32 / 1000.0
    }

    /// Returns the result, after waiting for it no longer than `wait`; `Some(None)` if the thread ended
    /// without one.
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

    /// Does ten pieces of work; returns how many were done.
    fn work(progress: &Progress) -> u32 {
        (1..=10).find(|piece| !progress(*piece as f32 / 10.0)).unwrap_or(10)
    }

    #[test]
    fn cancelled_work_ends_early() {
        let (shared, calls) = (Shared::default(), AtomicU32::new(0));
        let count = || {
            calls.fetch_add(1, Ordering::Relaxed);
        };
        assert_eq!(shared.run(work, &count), 10);
        assert_eq!(calls.load(Ordering::Relaxed), 10);
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
