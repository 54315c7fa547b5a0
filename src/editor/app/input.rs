//! What comes from outside the panels: files dropped on the window, the close button, answers of file
//! dialogs.

use crate::edit::action::Action;
use crate::edit::request::Request;
use crate::editor::Editor;
use crate::io::formats::format_of;
use bevy::prelude::*;
use bevy::window::{FileDragAndDrop, WindowCloseRequested};

pub fn window_events(
    mut editor: ResMut<Editor>,
    mut drops: MessageReader<FileDragAndDrop>,
    mut closes: MessageReader<WindowCloseRequested>,
) {
    for drop in drops.read() {
        let editor = editor.as_mut();
        match drop {
            FileDragAndDrop::HoveredFile { path_buf, .. } => {
                let name = path_buf
                    .file_name()
                    .map(|n| n.to_string_lossy().into_owned())
                    .unwrap_or_default();
                let verb = match format_of(path_buf).is_document {
                    true => "open",
                    false => "import",
                };
                editor.viewport.drop_hint = Some(format!("Drop to {verb} {name}"));
            }
            FileDragAndDrop::HoveredFileCanceled { .. } => editor.viewport.drop_hint = None,
            FileDragAndDrop::DroppedFile { path_buf, .. } => {
                editor.viewport.drop_hint = None;
                let path = path_buf.clone();
                editor.requests.push(match format_of(&path).is_document {
                    true => Request::OpenPath(path),
                    false => Request::ImportPath(path),
                });
            }
        }
    }
    if closes.read().count() > 0 {
        editor.requests.push(Request::Act(Action::QUIT));
    }
}

/// Answers of native file dialogs.
pub fn file_dialogs(mut editor: ResMut<Editor>) {
    let editor = editor.as_mut();
    editor.files.poll(&mut editor.requests, &mut editor.panels);
}
