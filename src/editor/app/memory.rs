//! The preferences that the window remembers between runs: see [`crate::edit::settings::preferences`].

use crate::edit::settings::preferences::{Preferences, WindowPlacement};
use crate::editor::app::files::folders::Folders;
use crate::editor::panels::menu::RecentFile;
use crate::editor::panels::messages::Level;
use crate::editor::state::{Document, Panels, Settings};
use bevy::prelude::*;
use bevy::window::{Monitor, PrimaryWindow, WindowFocused, WindowPosition, WindowResolution};
use std::path::PathBuf;

/// The preferences, and their file.
#[derive(Resource)]
pub struct Memory {
    file: PathBuf,
    preferences: Preferences,
    /// The path of the document when it was last checked.
    path: Option<PathBuf>,
    /// The problem with the file, if it had one.
    problem: Option<String>,
}

impl Memory {
    pub fn read(file: PathBuf) -> Self {
        let (preferences, problem) = Preferences::read(&file);
        Self { file, preferences, path: None, problem }
    }

    pub fn preferences(&self) -> &Preferences {
        &self.preferences
    }

    /// Sets the size and position of a window that opens.
    pub fn place(&self, window: &mut Window) {
        let WindowPlacement { size, corner } = self.preferences.window;
        window.resolution = WindowResolution::new(size[0] as u32, size[1] as u32);
        if let Some(corner) = corner {
            window.position = WindowPosition::At(corner.into());
        }
    }
}

/// Adds the systems of a window that remembers.
pub fn plugin(app: &mut App) {
    app.add_systems(Startup, begin)
        .add_systems(PostStartup, move_into_view)
        .add_systems(Last, (follow_document, follow_options, refresh_recent, write_at_exit).chain());
}

fn begin(mut memory: ResMut<Memory>, mut panels: ResMut<Panels>, mut folders: ResMut<Folders>) {
    folders.0 = memory.preferences.folders.clone();
    panels.docks.set_sizes(&memory.preferences.panels);
    show_recent(&memory, &mut panels);
    if let Some(problem) = memory.problem.take() {
        panels.messages.push(Level::Warning, "Some preferences could not be read", problem);
    }
}

/// Centers a window whose monitor is gone.
fn move_into_view(mut window: Query<&mut Window, With<PrimaryWindow>>, monitors: Query<&Monitor>) {
    let Ok(mut window) = window.single_mut() else {
        return;
    };
    let WindowPosition::At(corner) = window.position else {
        return;
    };
    let middle = corner + IVec2::new(window.physical_width() as i32 / 2, 20);
    let contains = |monitor: &Monitor| {
        let size = IVec2::new(monitor.physical_width as i32, monitor.physical_height as i32);
        let inside = middle - monitor.physical_position;
        inside.cmpge(IVec2::ZERO).all() && inside.cmplt(size).all()
    };
    if !monitors.is_empty() && !monitors.iter().any(contains) {
        window.position = WindowPosition::Centered(MonitorSelection::Primary);
    }
}

/// Records a file that was opened or saved at once, in case the program is killed.
fn follow_document(document: Res<Document>, mut memory: ResMut<Memory>, mut panels: ResMut<Panels>) {
    let path = document.path();
    if path == memory.path.as_deref() {
        return;
    }
    memory.path = path.map(PathBuf::from);
    let Some(path) = memory.path.clone() else { return };
    // Another window may have written since.
    let (current, _) = Preferences::read(&memory.file);
    memory.preferences.recent = current.recent;
    memory.preferences.add_recent(&path);
    show_recent(&memory, &mut panels);
    write(&memory, &mut panels);
}

/// Writes changed options at once.
fn follow_options(settings: Res<Settings>, mut memory: ResMut<Memory>, mut panels: ResMut<Panels>) {
    if settings.options != memory.preferences.options {
        memory.preferences.options = settings.options.clone();
        write(&memory, &mut panels);
    }
}

/// Refreshes the recent files when the window gets the focus: other programs may have created or deleted
/// files.
fn refresh_recent(
    memory: Res<Memory>,
    mut focused: MessageReader<WindowFocused>,
    mut panels: ResMut<Panels>,
) {
    if focused.read().any(|focused| focused.focused) {
        show_recent(&memory, &mut panels);
    }
}

fn show_recent(memory: &Memory, panels: &mut Panels) {
    let recent = memory
        .preferences
        .recent
        .iter()
        .map(|path| RecentFile { path: path.clone(), exists: path.is_file() });
    panels.recent = recent.collect();
}

/// Writes the preferences when the program ends.
fn write_at_exit(
    mut memory: ResMut<Memory>,
    mut exits: MessageReader<AppExit>,
    window: Query<&Window, With<PrimaryWindow>>,
    (settings, folders): (Res<Settings>, Res<Folders>),
    mut panels: ResMut<Panels>,
) {
    if exits.read().count() == 0 {
        return;
    }
    let (current, _) = Preferences::read(&memory.file);
    memory.preferences.recent = current.recent;
    memory.preferences.panels = panels.docks.sizes();
    memory.preferences.view = settings.remembered();
    memory.preferences.folders = folders.0.clone();
    if let Ok(window) = window.single() {
        let corner = match window.position {
            WindowPosition::At(corner) => Some(corner.to_array()),
            _ => None,
        };
        memory.preferences.window = WindowPlacement { size: [window.width(), window.height()], corner };
    }
    write(&memory, &mut panels);
}

fn write(memory: &Memory, panels: &mut Panels) {
    if let Err(error) = memory.preferences.write(&memory.file) {
        panels.messages.push(Level::Warning, "The preferences were not written", error);
    }
}
