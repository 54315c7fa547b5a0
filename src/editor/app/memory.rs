//! What the window remembers from run to run: see [`crate::edit::preferences`].

use crate::edit::preferences::{Preferences, WindowPlace};
use crate::editor::app::folders::Folders;
use crate::editor::panels::menu::RecentFile;
use crate::editor::panels::messages::Level;
use crate::editor::state::{Document, Panels, Settings};
use bevy::prelude::*;
use bevy::window::{Monitor, PrimaryWindow, WindowFocused, WindowPosition, WindowResolution};
use std::path::PathBuf;

/// What is remembered, and the file that it is in.
#[derive(Resource)]
pub struct Memory {
    file: PathBuf,
    preferences: Preferences,
    /// Of the document, as it was when that was looked at last.
    path: Option<PathBuf>,
    /// What was wrong with the file.
    wrong: Option<String>,
}

impl Memory {
    pub fn read(file: PathBuf) -> Self {
        let (preferences, wrong) = Preferences::read(&file);
        Self {
            file,
            preferences,
            path: None,
            wrong,
        }
    }

    pub fn preferences(&self) -> &Preferences {
        &self.preferences
    }

    /// Size and place of the window, as it is opened.
    pub fn place(&self, window: &mut Window) {
        let WindowPlace { size, corner } = self.preferences.window;
        window.resolution = WindowResolution::new(size[0] as u32, size[1] as u32);
        if let Some(corner) = corner {
            window.position = WindowPosition::At(corner.into());
        }
    }
}

/// In a window that remembers.
pub fn plugin(app: &mut App) {
    app.add_systems(Startup, begin)
        .add_systems(PostStartup, into_sight)
        .add_systems(
            Last,
            (follow_document, follow_options, look_for_files, keep).chain(),
        );
}

fn begin(mut memory: ResMut<Memory>, mut panels: ResMut<Panels>, mut folders: ResMut<Folders>) {
    folders.0 = memory.preferences.folders.clone();
    panels.docks.give(&memory.preferences.panels);
    show_recent(&memory, &mut panels);
    if let Some(wrong) = memory.wrong.take() {
        panels
            .messages
            .push(Level::Warning, "Not all preferences were understood", wrong);
    }
}

/// A window whose monitor is gone would be out of sight.
fn into_sight(mut window: Query<&mut Window, With<PrimaryWindow>>, monitors: Query<&Monitor>) {
    let Ok(mut window) = window.single_mut() else {
        return;
    };
    let WindowPosition::At(corner) = window.position else {
        return;
    };
    let middle = corner + IVec2::new(window.physical_width() as i32 / 2, 20);
    let holds = |monitor: &Monitor| {
        let size = IVec2::new(monitor.physical_width as i32, monitor.physical_height as i32);
        let inside = middle - monitor.physical_position;
        inside.cmpge(IVec2::ZERO).all() && inside.cmplt(size).all()
    };
    if !monitors.is_empty() && !monitors.iter().any(holds) {
        window.position = WindowPosition::Centered(MonitorSelection::Primary);
    }
}

/// A file that was opened or saved is written down at once: the program may not live to its end.
fn follow_document(document: Res<Document>, mut memory: ResMut<Memory>, mut panels: ResMut<Panels>) {
    let path = document.path();
    if path == memory.path.as_deref() {
        return;
    }
    memory.path = path.map(PathBuf::from);
    let Some(path) = memory.path.clone() else { return };
    // Another window may have written since.
    let (now, _) = Preferences::read(&memory.file);
    memory.preferences.recent = now.recent;
    memory.preferences.opened(&path);
    show_recent(&memory, &mut panels);
    write(&memory, &mut panels);
}

/// What was chosen is written down at once, too.
fn follow_options(settings: Res<Settings>, mut memory: ResMut<Memory>, mut panels: ResMut<Panels>) {
    if settings.options != memory.preferences.options {
        memory.preferences.options = settings.options.clone();
        write(&memory, &mut panels);
    }
}

/// Files come and go while other programs are used.
fn look_for_files(
    memory: Res<Memory>,
    mut focused: MessageReader<WindowFocused>,
    mut panels: ResMut<Panels>,
) {
    if focused.read().any(|focused| focused.focused) {
        show_recent(&memory, &mut panels);
    }
}

fn show_recent(memory: &Memory, panels: &mut Panels) {
    let recent = memory.preferences.recent.iter().map(|path| RecentFile {
        path: path.clone(),
        is_there: path.is_file(),
    });
    panels.recent = recent.collect();
}

/// At the end of the program.
fn keep(
    mut memory: ResMut<Memory>,
    mut exits: MessageReader<AppExit>,
    window: Query<&Window, With<PrimaryWindow>>,
    (settings, folders): (Res<Settings>, Res<Folders>),
    mut panels: ResMut<Panels>,
) {
    if exits.read().count() == 0 {
        return;
    }
    let (now, _) = Preferences::read(&memory.file);
    memory.preferences.recent = now.recent;
    memory.preferences.panels = panels.docks.given();
    memory.preferences.view = settings.remembered();
    memory.preferences.folders = folders.0.clone();
    if let Ok(window) = window.single() {
        let corner = match window.position {
            WindowPosition::At(corner) => Some(corner.to_array()),
            _ => None,
        };
        memory.preferences.window = WindowPlace {
            size: [window.width(), window.height()],
            corner,
        };
    }
    write(&memory, &mut panels);
}

fn write(memory: &Memory, panels: &mut Panels) {
    if let Err(error) = memory.preferences.write(&memory.file) {
        panels
            .messages
            .push(Level::Warning, "The preferences were not written", error);
    }
}
