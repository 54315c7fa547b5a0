//! Puts another document in place of the open one, and switches between their journals.

use crate::edit::journal::writer::Journal;
use crate::edit::session::Session;
use crate::editor::app::editor::Editor;
use crate::editor::app::files::own_file::OwnFile;

/// Replaces the document. `own_file`: the file of the new one.
pub fn put_in_place(editor: &mut Editor, mut session: Session, own_file: Option<OwnFile>) {
    session.set_symmetric(editor.session.symmetric());
    session.set_keying_set(editor.session.keying_set());
    replace(editor, session, own_file);
    editor.journaling.begin(&mut editor.session, editor.files.own_file.as_ref());
}

/// Replaces the document by a recovered one. `journal`: its journal, if that can be continued.
pub fn put_recovered(
    editor: &mut Editor,
    session: Session,
    own_file: Option<OwnFile>,
    journal: Option<Journal>,
) {
    replace(editor, session, own_file);
    match journal {
        Some(journal) => editor.journaling.resume(journal),
        None => editor.journaling.begin(&mut editor.session, editor.files.own_file.as_ref()),
    }
}

fn replace(editor: &mut Editor, session: Session, own_file: Option<OwnFile>) {
    let modified = editor.session.is_modified();
    editor.journaling.end(modified);
    **editor.session = session;
    editor.files.own_file = own_file;
    if std::mem::take(&mut editor.viewport.returns_to_perspective) {
        editor.settings.display.orthographic = false;
    }
    editor.viewport.document_opened();
    editor.panels.timeline.document_opened();
    editor.refresh();
}
