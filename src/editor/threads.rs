//! Background threads, which the system may refuse to start.

use std::io;
use std::sync::{Arc, Mutex};
use std::thread::{Builder, JoinHandle};

/// The error message if a thread is refused and nothing can be done without it.
pub const NO_THREAD: &str = "the system cannot start another thread; close other programs and try again";

/// Runs `work` on a new thread or, if none can be started, on the calling thread. Returns whether a thread
/// was started.
pub fn spawn_or_run(work: impl FnOnce() + Send + 'static) -> bool {
    run_with(|work| Builder::new().spawn(work).map(drop), work)
}

/// Runs `work` on a new thread, for work that must not block the calling one.
///
/// # Errors
/// If no thread can be started.
pub fn spawn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> io::Result<JoinHandle<T>> {
    Builder::new().spawn(work)
}

type Work = Box<dyn FnOnce() + Send>;

fn run_with(spawn: impl FnOnce(Work) -> io::Result<()>, work: impl FnOnce() + Send + 'static) -> bool {
    // If a thread is refused, its closure is dropped, so the work is shared.
    let shared = Arc::new(Mutex::new(Some(work)));
    let take = |shared: &Mutex<Option<_>>| shared.lock().ok().and_then(|mut work| work.take());
    let for_thread = shared.clone();
    let spawned = spawn(Box::new(move || {
        if let Some(work) = take(&for_thread) {
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
        assert!(!run_with(refused, work()));
        assert_eq!(done.load(Ordering::Relaxed), 1);
        let joined = |work: Work| Builder::new().spawn(work).map(|thread| drop(thread.join()));
        assert!(run_with(joined, work()));
        assert_eq!(done.load(Ordering::Relaxed), 2);
    }
}
