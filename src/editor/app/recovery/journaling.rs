//! The journal of the open document: the changes of a frame are written when that frame ends (see
//! [`crate::edit::journal`]). If it cannot be written, a message is shown once, and editing continues.

use crate::edit::journal::store::Store;
use crate::edit::journal::writer::Journal;
use crate::edit::session::Session;
use crate::editor::app::files::own_file::OwnFile;
use crate::editor::app::wake::Waker;
use crate::editor::panels::messages::Level;
use crate::editor::state::{Document, Panels};
use crate::editor::threads;
use bevy::prelude::*;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The interval at which a continuing drag is written.
const DRAG_INTERVAL: Duration = Duration::from_millis(500);

#[derive(Resource, Default)]
pub struct Journaling {
    /// `None` if nothing is written.
    store: Option<Store>,
    enabled: bool,
    journal: Option<Journal>,
    /// When the drag in progress began or was last written.
    drag_since: Option<Instant>,
    /// Threads that close journals.
    ending: Vec<JoinHandle<()>>,
    trouble: Option<String>,
    /// Whether the trouble with this journal was reported.
    reported: bool,
}

impl Journaling {
    pub fn new(store: Option<Store>, enabled: bool) -> Self {
        Self { store, enabled, ..Self::default() }
    }

    pub fn store(&self) -> Option<&Store> {
        self.store.as_ref()
    }

    /// Starts the journal of an opened document. `own_file`: its file.
    pub fn begin(&mut self, session: &mut Session, own_file: Option<&OwnFile>) {
        let Some(store) = self.store.as_ref().filter(|_| self.enabled) else {
            return;
        };
        session.record();
        self.reported = false;
        let file = own_file.map(|own_file| (own_file.path.as_path(), own_file.stamp()));
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

    /// Continues the journal of a recovered session.
    pub fn resume(&mut self, journal: Journal) {
        (self.journal, self.reported) = (Some(journal), false);
    }

    /// Ends the journal of a document that is closed. `modified`: with unsaved changes, which are kept for a
    /// while.
    pub fn end(&mut self, modified: bool) {
        let Some(journal) = self.journal.take() else {
            return;
        };
        // The last records may still be on their way to the disk. Without a thread the journal stays, and
        // will be offered for recovery.
        let ended = threads::spawn(move || {
            let _ = if modified { journal.discard() } else { journal.remove() };
        });
        self.ending.extend(ended);
    }

    /// Leaves the journal as it is: the program ends with unsaved changes, which are offered at the next
    /// start.
    pub fn leave(&mut self) {
        self.journal = None;
    }

    /// Waits until journals are closed, before the program ends.
    pub fn wait(&mut self) {
        for thread in self.ending.drain(..) {
            let _ = thread.join();
        }
    }

    /// Switches journals on or off.
    pub fn set_enabled(&mut self, enabled: bool, session: &mut Session, own_file: Option<&OwnFile>) {
        if std::mem::replace(&mut self.enabled, enabled) == enabled {
            return;
        }
        if enabled { self.begin(session, own_file) } else { self.end(false) }
    }
}

/// Starts the journal of the first document.
pub fn start(mut document: ResMut<Document>, mut journaling: ResMut<Journaling>) {
    journaling.begin(&mut document, None);
}

/// Writes the changes of this frame.
pub fn follow(
    mut document: ResMut<Document>,
    mut journaling: ResMut<Journaling>,
    mut panels: ResMut<Panels>,
    waker: Res<Waker>,
) {
    // Recording does not change the document.
    let session = &mut document.bypass_change_detection().0;
    let journaling = journaling.bypass_change_detection();
    if let Some(journal) = &mut journaling.journal {
        let since = if session.in_transaction() {
            journaling.drag_since.get_or_insert_with(Instant::now).elapsed()
        } else {
            Duration::ZERO
        };
        let due = since >= DRAG_INTERVAL;
        if due || !session.in_transaction() {
            journaling.drag_since = None;
        } else if session.has_unreported_drag() {
            waker.wake_after(DRAG_INTERVAL - since);
        }
        journal.follow(session, due);
        journaling.trouble = journal.error();
    }
    // A journal that cannot continue stays until the session ends: its lock marks the session as open.
    if let Some(trouble) = journaling.trouble.take()
        && !std::mem::replace(&mut journaling.reported, true)
    {
        let text = "The journal cannot be written";
        let details = format!("{trouble}. If the program is killed, unsaved work is lost.");
        panels.messages.push(Level::Warning, text, details);
    }
}
