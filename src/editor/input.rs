//! What comes from outside the panels: files dropped on the window, the close button, answers of file
//! dialogs.

use super::Editor;
use super::meshes::is_obj;
use crate::edit::action::Action;
use crate::edit::request::Request;
use bevy::input::keyboard::{KeyboardFocusLost, KeyboardInput};
use bevy::prelude::*;
use bevy::window::{FileDragAndDrop, WindowCloseRequested};
use bevy_egui::helpers::{bevy_to_egui_key, bevy_to_egui_physical_key};
use bevy_egui::{EguiInput, PrimaryEguiContext, egui};

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
                let verb = if is_obj(path_buf) { "import" } else { "open" };
                editor.viewport.drop_hint = Some(format!("Drop to {verb} {name}"));
            }
            FileDragAndDrop::HoveredFileCanceled { .. } => editor.viewport.drop_hint = None,
            FileDragAndDrop::DroppedFile { path_buf, .. } => {
                editor.viewport.drop_hint = None;
                let path = path_buf.clone();
                editor.requests.push(match is_obj(&path) {
                    true => Request::ImportPath(path),
                    false => Request::OpenPath(path),
                });
            }
        }
    }
    if closes.read().count() > 0 {
        editor.requests.push(Request::Act(Action::Quit));
    }
}

/// Answers of native file dialogs.
pub fn file_dialogs(mut editor: ResMut<Editor>) {
    let editor = editor.as_mut();
    editor.files.poll(&mut editor.requests, &mut editor.panels);
}

/// Keys with the modifiers that were down when they were pressed. bevy_egui gives all keys of a frame the
/// modifiers at its end: at a low frame rate a quick Ctrl+Z would be a Z.
pub fn true_modifiers(
    mut keys: MessageReader<KeyboardInput>,
    mut lost: MessageReader<KeyboardFocusLost>,
    mut down: Local<egui::Modifiers>,
    mut inputs: Query<&mut EguiInput, With<PrimaryEguiContext>>,
) {
    if lost.read().count() > 0 {
        *down = egui::Modifiers::NONE;
    }
    let mut pressed_with = Vec::new();
    for key in keys.read() {
        let pressed = key.state.is_pressed();
        match key.key_code {
            KeyCode::ControlLeft | KeyCode::ControlRight => down.ctrl = pressed,
            KeyCode::ShiftLeft | KeyCode::ShiftRight => down.shift = pressed,
            KeyCode::AltLeft | KeyCode::AltRight => down.alt = pressed,
            KeyCode::SuperLeft | KeyCode::SuperRight if cfg!(target_os = "macos") => down.mac_cmd = pressed,
            _ => {}
        }
        down.command = if cfg!(target_os = "macos") {
            down.mac_cmd
        } else {
            down.ctrl
        };
        let known = bevy_to_egui_key(&key.logical_key).or(bevy_to_egui_physical_key(&key.key_code));
        if known.is_some() {
            pressed_with.push((*down, key.repeat));
        }
    }
    let Ok(mut input) = inputs.single_mut() else {
        return;
    };
    let events = input.events.iter_mut().filter_map(|event| match event {
        egui::Event::Key {
            modifiers, repeat, ..
        } => Some((modifiers, repeat)),
        _ => None,
    });
    for ((modifiers, repeat), (true_modifiers, true_repeat)) in events.zip(pressed_with) {
        (*modifiers, *repeat) = (true_modifiers, true_repeat);
    }
}
