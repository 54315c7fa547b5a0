//! Threads for work beside the window, which the system may refuse.

use std::io;
use std::sync::{Arc, Mutex};
use std::thread::{Builder, JoinHandle};

/// Said where a thread is refused and nothing can be done without it.
pub const NONE: &str = "the system has no thread to spare; close other programs and try again";

/// Does `work` on a thread of its own; where none can be had, here and now. False if so.
pub fn spawn_or_run(work: impl FnOnce() + Send + 'static) -> bool {
    run_by(|work| Builder::new().spawn(work).map(drop), work)
}

/// A thread for what makes sense on a thread alone.
///
/// # Errors
/// If none can be had.
pub fn spawn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> io::Result<JoinHandle<T>> {
    Builder::new().spawn(work)
}

type Work = Box<dyn FnOnce() + Send>;

fn run_by(spawn: impl FnOnce(Work) -> io::Result<()>, work: impl FnOnce() + Send + 'static) -> bool {
    // A thread that is refused takes its work with it.
    let shared = Arc::new(Mutex::new(Some(work)));
    let take = |shared: &Mutex<Option<_>>| shared.lock().ok().and_then(|mut work| work.take());
    let theirs = shared.clone();
    let spawned = spawn(Box::new(move || {
        if let Some(work) = take(&theirs) {
            work();
        }
    }));
    if spawned.is_err()
        && let Some(work) = take(&shared)
    {
        work();
    }
    spawned.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn work_is_done_once_with_and_without_a_thread() {
        let done = Arc::new(AtomicU32::new(0));
        let work = || {
            let done = done.clone();
            move || {
                done.fetch_add(1, Ordering::Relaxed);
            }
        };
        let refused = |_: Work| Err(io::ErrorKind::WouldBlock.into());
        assert!(!run_by(refused, work()));
        assert_eq!(done.load(Ordering::Relaxed), 1);
        let joined = |work: Work| Builder::new().spawn(work).map(|thread| drop(thread.join()));
        assert!(run_by(joined, work()));
        assert_eq!(done.load(Ordering::Relaxed), 2);
    }
}
