//! Lists lost sessions, opens one in place of the document, or discards it.

use crate::edit::journal::recovery::Recovered;
use crate::edit::journal::store::{DeadSession, Folder};
use crate::edit::journal::writer::Journal;
use crate::editor::app::editor::Editor;
use crate::editor::app::files::own_file::OwnFile;
use crate::editor::app::in_place::put_recovered;
use crate::editor::app::recovery::recovering::Ready;
use crate::editor::panels::dialogs::recovery_dialog::unsaved_text;
use crate::editor::panels::messages::Level;
use crate::editor::ui::text::capitalize;
use std::path::Path;

/// Lists what can be recovered, on request.
pub fn list(editor: &mut Editor) {
    match editor.journaling.store() {
        Some(store) => editor.recovering.search(store, true, &editor.waker),
        None => {
            let text = "There is no folder for journals";
            let details = "The variable OSSATURE_STATE names one.";
            editor.notify(Level::Warning, text, details);
        }
    }
}

/// Locks a session, if it is still as it was found.
fn lock(found: &DeadSession) -> Result<Folder, &'static str> {
    let folder =
        Folder::lock(&found.path).map_err(|_| "It is open in another window, or it no longer exists.")?;
    let last = std::fs::metadata(found.path.join("journal")).and_then(|data| data.modified());
    match last {
        Ok(last) if last == found.last => Ok(folder),
        _ => Err("Another window has changed it since. File > Recover lists its current state."),
    }
}

/// Opens a session in place of the document, with its undo history.
pub fn open(editor: &mut Editor, id: &str) {
    let Some(Ready { found, recovered }) = editor.recovering.ready.remove(id) else {
        return;
    };
    editor.panels.recovery = None;
    let Some(store) = editor.journaling.store().cloned() else {
        return;
    };
    let folder = match lock(&found) {
        Ok(folder) => folder,
        Err(why) => return editor.notify(Level::Warning, "The session was not recovered", why),
    };
    let own_file = recovered.file().map(|(path, stamp)| OwnFile::recovered(path, stamp));
    let note = recovered.note().map(capitalize).unwrap_or_default();
    let Recovered { mut session, count, end, loss, .. } = recovered;
    let steps = found.unsaved;
    let journal = match &loss {
        None => store
            .restore(folder)
            .and_then(|folder| Journal::resume(&store, folder, &mut session, count, end))
            .ok(),
        Some(_) => {
            // What is left of it starts a new journal; the old one is kept unchanged for a while.
            session.set_unsaved();
            if !found.discarded {
                let _ = store.discard(&folder);
            }
            None
        }
    };
    let name = session.title();
    put_recovered(editor, session, own_file, journal);
    let (level, text) = match loss {
        None => {
            let steps = unsaved_text(steps);
            (Level::Info, format!("Recovered {steps} of {name}"))
        }
        Some(_) => (Level::Warning, format!("Recovered what is left of {name}")),
    };
    editor.notify(level, text, note);
}

/// Discards a session.
pub fn discard(editor: &mut Editor, id: &str) {
    let found = match editor.recovering.ready.remove(id) {
        Some(ready) => Some(ready.found),
        None => editor.journaling.store().and_then(|store| store.find(id)),
    };
    let Some((found, store)) = found.zip(editor.journaling.store().cloned()) else {
        return;
    };
    let done = Folder::lock(&found.path).and_then(|folder| store.discard(&folder));
    match done {
        Ok(()) => {
            let text = format!("Discarded {}", name_of(&found));
            let details = "It is kept for 14 days: File > Recover lists it.";
            editor.notify(Level::Info, text, details);
        }
        Err(error) => editor.notify(Level::Warning, "The session was not discarded", error.to_string()),
    }
}

fn name_of(found: &DeadSession) -> String {
    let file = found.head.file.as_ref();
    let name = file.and_then(|(path, _)| Path::new(path).file_name());
    name.map_or_else(|| "Untitled".into(), |name| name.to_string_lossy().into_owned())
}
