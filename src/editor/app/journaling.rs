//! The journal of the open document: what a frame did is in it when that frame ends (see [`crate::edit::journal`]).
//! Where it cannot be kept, that is said once, and editing goes on.

use crate::edit::journal::store::Store;
use crate::edit::journal::writer::Journal;
use crate::edit::session::Session;
use crate::editor::app::own_file::OwnFile;
use crate::editor::app::wake::Waker;
use crate::editor::panels::messages::Level;
use crate::editor::state::{Document, Panels};
use crate::editor::threads;
use bevy::prelude::*;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A drag that is held is written that often.
const HELD: Duration = Duration::from_millis(500);

#[derive(Resource, Default)]
pub struct Journaling {
    /// `None`: nothing is written.
    store: Option<Store>,
    on: bool,
    journal: Option<Journal>,
    /// When the drag under way was written last.
    held: Option<Instant>,
    /// Journals that are being put away.
    ending: Vec<JoinHandle<()>>,
    trouble: Option<String>,
    /// The trouble of this journal was told.
    told: bool,
}

impl Journaling {
    pub fn new(store: Option<Store>, on: bool) -> Self {
        Self {
            store,
            on,
            ..Self::default()
        }
    }

    pub fn store(&self) -> Option<&Store> {
        self.store.as_ref()
    }

    /// Begins the journal of a document that was opened. `own`: its file.
    pub fn begin(&mut self, session: &mut Session, own: Option<&OwnFile>) {
        let Some(store) = self.store.as_ref().filter(|_| self.on) else {
            return;
        };
        session.record();
        self.told = false;
        let file = own.map(|own| (own.path.as_path(), own.stamp()));
        match Journal::begin(store, session.scene(), file) {
            Ok(mut journal) => {
                if session.is_modified() {
                    journal.note_unsaved(session);
                }
                self.journal = Some(journal);
            }
            Err(error) => self.trouble = Some(error.to_string()),
        }
    }

    /// Goes on with a journal whose session was recovered.
    pub fn resume(&mut self, journal: Journal) {
        (self.journal, self.told) = (Some(journal), false);
    }

    /// The document is left. `modified`: with changes that nobody wanted to save, which are kept for a while.
    pub fn end(&mut self, modified: bool) {
        let Some(journal) = self.journal.take() else {
            return;
        };
        // Its last records may be on their way to the disk. Without a thread it stays, and is offered some day.
        let ended = threads::spawn(move || {
            let _ = match modified {
                true => journal.discard(),
                false => journal.remove(),
            };
        });
        self.ending.extend(ended);
    }

    /// The program ends although there are changes: they are offered when it is started again.
    pub fn leave(&mut self) {
        self.journal = None;
    }

    /// Before the program ends.
    pub fn wait(&mut self) {
        for thread in self.ending.drain(..) {
            let _ = thread.join();
        }
    }

    /// Whether journals are kept from now on.
    pub fn turn(&mut self, on: bool, session: &mut Session, own: Option<&OwnFile>) {
        if std::mem::replace(&mut self.on, on) == on {
            return;
        }
        match on {
            true => self.begin(session, own),
            false => self.end(false),
        }
    }
}

/// The document that the program begins with.
pub fn start(mut document: ResMut<Document>, mut journaling: ResMut<Journaling>) {
    journaling.begin(&mut document, None);
}

/// Writes what was done in this frame.
pub fn follow(
    mut document: ResMut<Document>,
    mut journaling: ResMut<Journaling>,
    mut panels: ResMut<Panels>,
    waker: Res<Waker>,
) {
    // What is told is no part of the document.
    let session = &mut document.bypass_change_detection().0;
    let keeping = journaling.bypass_change_detection();
    if let Some(journal) = &mut keeping.journal {
        let since = match session.in_transaction() {
            true => keeping.held.get_or_insert_with(Instant::now).elapsed(),
            false => Duration::ZERO,
        };
        let due = since >= HELD;
        if due || !session.in_transaction() {
            keeping.held = None;
        } else if session.holds_untold() {
            waker.after(HELD - since);
        }
        journal.follow(session, due);
        keeping.trouble = journal.trouble();
    }
    // A journal that cannot go on stays: its lock says that the session is open, and it ends with that.
    if let Some(trouble) = keeping.trouble.take()
        && !std::mem::replace(&mut keeping.told, true)
    {
        let text = "The journal cannot be written";
        let details = format!("{trouble}. If the program is killed, unsaved work is lost.");
        panels.messages.push(Level::Warning, text, details);
    }
}
