//! Puts another document in the place of the one that is open, with the journals of both.

use crate::edit::journal::writer::Journal;
use crate::edit::session::Session;
use crate::editor::app::editor::Editor;
use crate::editor::app::own_file::OwnFile;

/// Replaces the document. `own`: its file.
pub fn put_in_place(editor: &mut Editor, mut session: Session, own: Option<OwnFile>) {
    session.set_symmetric(editor.session.symmetric());
    session.set_keying_set(editor.session.keying_set());
    replace(editor, session, own);
    editor
        .journaling
        .begin(&mut editor.session, editor.files.own.as_ref());
}

/// Replaces the document by one that was recovered. `journal`: its own, if that goes on.
pub fn put_recovered(editor: &mut Editor, session: Session, own: Option<OwnFile>, journal: Option<Journal>) {
    replace(editor, session, own);
    match journal {
        Some(journal) => editor.journaling.resume(journal),
        None => editor
            .journaling
            .begin(&mut editor.session, editor.files.own.as_ref()),
    }
}

fn replace(editor: &mut Editor, session: Session, own: Option<OwnFile>) {
    let modified = editor.session.is_modified();
    editor.journaling.end(modified);
    **editor.session = session;
    editor.files.own = own;
    editor.viewport.document_opened();
    editor.panels.timeline.document_opened();
    editor.refresh();
}
