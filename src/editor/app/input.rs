//! Input from outside the panels: files dropped on the window, the close button, answers of file dialogs.

use crate::edit::action::Action;
use crate::edit::request::Request;
use crate::editor::app::files::Files;
use crate::editor::state::{Panels, Requests};
use crate::editor::viewport::ViewportState;
use crate::io::format::Contents;
use crate::io::formats::format_of;
use crate::io::sound::is_sound_file;
use bevy::prelude::*;
use bevy::window::{FileDragAndDrop, WindowCloseRequested};

pub fn handle_window_events(
    mut viewport: ResMut<ViewportState>,
    mut requests: ResMut<Requests>,
    mut drops: MessageReader<FileDragAndDrop>,
    mut closes: MessageReader<WindowCloseRequested>,
) {
    for drop in drops.read() {
        match drop {
            FileDragAndDrop::HoveredFile { path_buf, .. } => {
                let name = path_buf.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
                let verb = match format_of(path_buf).contents {
                    _ if is_sound_file(path_buf) => "play to",
                    Contents::Document => "open",
                    Contents::Scene(_) | Contents::Mesh => "import",
                };
                viewport.drop_hint = Some(format!("Drop to {verb} {name}"));
            }
            FileDragAndDrop::HoveredFileCanceled { .. } => viewport.drop_hint = None,
            FileDragAndDrop::DroppedFile { path_buf, .. } => {
                viewport.drop_hint = None;
                let path = path_buf.clone();
                requests.push(match format_of(&path).contents {
                    _ if is_sound_file(&path) => Request::SetSound(path),
                    Contents::Document => Request::OpenPath(path),
                    Contents::Scene(_) | Contents::Mesh => Request::DropPath(path),
                });
            }
        }
    }
    if closes.read().count() > 0 {
        requests.push(Request::Act(Action::QUIT));
    }
}

/// Takes the answers of native file dialogs.
pub fn poll_file_dialogs(
    mut files: ResMut<Files>,
    mut requests: ResMut<Requests>,
    mut panels: ResMut<Panels>,
) {
    files.poll(&mut requests, &mut panels);
}
