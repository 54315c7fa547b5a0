//! Ctrl+C in the terminal, and the end of the desktop session: the program is requested to end, and asks
//! about unsaved changes first.

use crate::editor::app::editor::Editor;
use crate::editor::app::files::AfterClose;
use crate::editor::app::files::documents::leave_document;
use crate::editor::app::wake::Waker;
use crate::editor::panels::messages::Level;
use bevy::prelude::*;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// A second request within this time ends the program without a question.
const REPEAT_TIME: Duration = Duration::from_secs(5);

/// The number of requests to end the program, and the time of the last one.
#[derive(Resource, Default)]
pub struct Terminations {
    /// Counted by the thread that receives signals.
    pub requests: Arc<AtomicU32>,
    /// The requests that were handled.
    handled: u32,
    last: Option<Instant>,
}

/// Adds the signal listener of a window.
pub fn plugin(app: &mut App) {
    #[cfg(unix)]
    app.add_systems(Startup, listen);
    let _ = app;
}

/// Ends the program, or asks about unsaved changes first.
pub fn poll(mut terminations: ResMut<Terminations>, mut editor: Editor) {
    let requests = terminations.requests.load(Ordering::Relaxed);
    if requests == terminations.handled {
        return;
    }
    let new = requests.wrapping_sub(std::mem::replace(&mut terminations.handled, requests));
    let last = terminations.last.replace(Instant::now());
    let repeated = new > 1 || last.is_some_and(|last| last.elapsed() < REPEAT_TIME);
    editor.redraw.request();
    if repeated {
        // What was not saved is offered at the next start.
        editor.journaling.leave();
        editor.files.quit = true;
        return;
    }
    // A drag in progress is kept: it was not cancelled.
    editor.session.settle();
    leave_document(&mut editor, AfterClose::Quit);
    if !editor.files.quit {
        let seconds = REPEAT_TIME.as_secs();
        let text = "The program was asked to end";
        let details = format!(
            "If asked again within {seconds} seconds, it ends without saving. Unsaved work can be recovered at the next start."
        );
        // Whoever pressed Ctrl+C is looking at the terminal, if it still exists.
        let _ = writeln!(
            std::io::stderr(),
            "ossature: there are unsaved changes; answer in the window, or ask again within {seconds} \
             seconds to quit without saving"
        );
        editor.notify(Level::Warning, text, details);
    }
}

#[cfg(unix)]
pub use self::unix::listen;

#[cfg(unix)]
mod unix {
    use super::{Duration, Instant, Ordering, REPEAT_TIME, Res, Terminations, Waker};
    use crate::editor::threads;
    use signal_hook::consts::signal::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    /// The time that the window has to close after a second signal.
    const PATIENCE: Duration = Duration::from_secs(3);

    /// Counts signals from now on, instead of letting them end the program.
    pub fn listen(terminations: Res<Terminations>, waker: Res<Waker>) {
        let (requests, waker) = (terminations.requests.clone(), waker.clone());
        // If signals cannot be received, they end the program as usual.
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else {
            return;
        };
        let handle = signals.handle();
        let listener = threads::spawn(move || {
            let mut last: Option<Instant> = None;
            for signal in signals.forever() {
                requests.fetch_add(1, Ordering::Relaxed);
                waker.wake();
                if last.is_some_and(|last| last.elapsed() < REPEAT_TIME) {
                    std::thread::sleep(PATIENCE);
                    // The window hangs. By convention this is the exit status of a program ended by a signal.
                    std::process::exit(128 + signal);
                }
                last = Some(Instant::now());
            }
        });
        if listener.is_err() {
            handle.close();
        }
    }
}
