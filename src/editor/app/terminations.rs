//! Ctrl+C in the terminal, and the end of the desktop's session: they ask the program to end, which asks about
//! unsaved changes first.

use crate::editor::app::documents::leave_document;
use crate::editor::app::editor::Editor;
use crate::editor::app::files::AfterClose;
use crate::editor::app::wake::Waker;
use crate::editor::panels::messages::Level;
use bevy::prelude::*;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Who asks a second time within this does not want to be asked.
const AGAIN: Duration = Duration::from_secs(5);

/// How often the program was asked to end, and when last.
#[derive(Resource, Default)]
pub struct Terminations {
    /// Counted by the thread that hears of it.
    pub asked: Arc<AtomicU32>,
    seen: u32,
    last: Option<Instant>,
}

/// In a window: listens for signals.
pub fn plugin(app: &mut App) {
    #[cfg(unix)]
    app.add_systems(Startup, listen);
    let _ = app;
}

/// Ends the program, or asks.
pub fn poll(mut terminations: ResMut<Terminations>, mut editor: Editor) {
    let asked = terminations.asked.load(Ordering::Relaxed);
    if asked == terminations.seen {
        return;
    }
    let more = asked.wrapping_sub(std::mem::replace(&mut terminations.seen, asked));
    let last = terminations.last.replace(Instant::now());
    let again = more > 1 || last.is_some_and(|last| last.elapsed() < AGAIN);
    editor.redraw.soon();
    if again {
        // What was not saved is offered at the next start.
        editor.journaling.leave();
        editor.files.quit = true;
        return;
    }
    // Nobody let go of it to take it back.
    editor.session.commit();
    leave_document(&mut editor, AfterClose::Quit);
    if !editor.files.quit {
        let seconds = AGAIN.as_secs();
        let text = "The program was asked to end";
        let details = format!(
            "If asked again within {seconds} seconds, it ends without saving. Unsaved work can be recovered at the next start."
        );
        // Whoever pressed Ctrl+C looks at the terminal, if it is still there.
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
    use super::{AGAIN, Duration, Instant, Ordering, Res, Terminations, Waker};
    use crate::editor::threads;
    use signal_hook::consts::signal::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    /// After a second signal the window has this long to end by itself.
    const PATIENCE: Duration = Duration::from_secs(3);

    /// Counts signals from now on; they end the program no longer by themselves.
    pub fn listen(terminations: Res<Terminations>, waker: Res<Waker>) {
        let (asked, waker) = (terminations.asked.clone(), waker.clone());
        // Where signals cannot be listened for, they end the program as they always did.
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else {
            return;
        };
        let handle = signals.handle();
        let listener = threads::spawn(move || {
            let mut last: Option<Instant> = None;
            for signal in signals.forever() {
                asked.fetch_add(1, Ordering::Relaxed);
                waker.now();
                if last.is_some_and(|last| last.elapsed() < AGAIN) {
                    std::thread::sleep(PATIENCE);
                    // It hangs. By convention the status of a program that a signal ended.
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
