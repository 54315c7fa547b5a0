//! File operations in progress: dialogs on threads, and what waits for the answer to a question.

pub mod creating;
pub mod documents;
pub mod exporting;
pub mod folders;
pub mod meshes;
pub mod overwrite;
pub mod own_file;
pub mod poses;

use crate::edit::request::Request;
use crate::edit::session::Session;
use crate::editor::app::files::folders::{file_name, folder_of};
use crate::editor::app::files::own_file::OwnFile;
use crate::editor::app::jobs::read_job::ReadResult;
use crate::editor::app::wake::Waker;
use crate::editor::panels::PanelsState;
use crate::editor::panels::dialogs::file_dialog::{FileDialogState, FileEntry, FileMode as Mode};
use crate::editor::threads;
use crate::io::examples::Example;
use crate::scene::Scene;
use bevy::prelude::Resource;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

/// The action that follows closing the document, after the answer to "Save changes?".
#[derive(Clone, Debug, PartialEq)]
pub enum AfterClose {
    New,
    OpenExample(Example),
    OpenPath(PathBuf),
    /// Recover a lost session.
    Recover(String),
    Quit,
}

/// File operations in progress.
#[derive(Resource, Default)]
pub struct Files {
    /// Waits for the answer to "Save changes?", or for the save that it requested.
    pub then: Option<AfterClose>,
    /// The path to save to after the answer to "Key the unkeyed changes?".
    pub unkeyed: Option<PathBuf>,
    /// The write that waits for the answer to "Replace the file?".
    pub pending: Option<(Mode, PathBuf)>,
    /// The document's file; `None` if it has none yet.
    pub own_file: Option<OwnFile>,
    /// The file that a document without one of its own began with: a body that was dropped, or another format.
    pub source: Option<PathBuf>,
    dialog: Option<NativeDialog>,
    /// A file that was read, and is to be put in place.
    pub arrived: Option<Box<ReadResult>>,
    /// The scene that the window started with, if it is not from a file.
    pub sample: Option<Scene>,
    /// Whether dialogs always open inside the window.
    pub in_app_dialogs: bool,
    /// Whether the window may close.
    pub quit: bool,
}

struct NativeDialog {
    mode: Mode,
    answer: std::sync::Mutex<Receiver<Option<PathBuf>>>,
    since: Instant,
    /// The path at which the in-app dialog starts if there is no native one.
    start: PathBuf,
}

/// The shortest time in which a user can close a dialog: a native dialog that ends sooner never opened.
const FASTEST_ANSWER: Duration = Duration::from_millis(400);

impl Files {
    /// `in_app_dialogs`: without a desktop, dialogs open inside the window. `session`: the first document.
    pub fn new(in_app_dialogs: bool, session: &Session) -> Self {
        Self {
            in_app_dialogs,
            sample: session.path().is_none().then(|| session.scene().clone()),
            ..Self::default()
        }
    }

    /// Whether the document is the scene that the window started with, without a single change.
    pub fn is_untouched_sample(&self, session: &Session) -> bool {
        let sample = self.sample.as_ref();
        let is_sample = sample.is_some_and(|sample| sample.is_shared(session.scene()));
        is_sample && session.path().is_none() && session.history().entries().is_empty()
    }

    /// Opens a native dialog on a thread or, if there is none, a dialog in the window.
    pub fn open_dialog(&mut self, mode: Mode, start: PathBuf, waker: &Waker, panels: &mut PanelsState) {
        if self.in_app_dialogs || !has_native_dialogs() {
            panels.file_dialog = Some(in_app(mode, &start));
            return;
        }
        let (sender, receiver) = channel();
        let (waker, from) = (waker.clone(), start.clone());
        let spawned = threads::spawn(move || {
            let mut dialog = rfd::FileDialog::new().add_filter(mode.nouns(), &mode.extensions());
            if let Some(folder) = folder_of(&from) {
                dialog = dialog.set_directory(folder);
            }
            let answer = if mode.writes() {
                dialog.set_file_name(file_name(&from)).save_file()
            } else {
                dialog.pick_file()
            };
            // The window may be gone by now.
            let _ = sender.send(answer);
            waker.wake();
        });
        if spawned.is_err() {
            panels.file_dialog = Some(in_app(mode, &start));
            return;
        }
        let answer = std::sync::Mutex::new(receiver);
        self.dialog = Some(NativeDialog { mode, answer, since: Instant::now(), start });
    }

    /// Takes the answer of a native dialog, if there is one; lists folders for the in-app dialog.
    pub fn poll(&mut self, requests: &mut Vec<Request>, panels: &mut PanelsState) {
        if let Some(dialog) = &mut panels.file_dialog
            && let Some(folder) = dialog.take_folder_request()
        {
            let entries = list(&folder);
            dialog.set_entries(folder, entries);
        }
        let dialogs = &panels.dialogs;
        let questions = dialogs.save_changes || dialogs.save_unkeyed || dialogs.overwrite.is_some();
        let asking = questions || panels.file_dialog.is_some() || self.dialog.is_some();
        if !asking && requests.is_empty() {
            // The dialog was closed without an answer.
            self.then = None;
        }
        let Some(dialog) = &self.dialog else { return };
        let answer = match dialog.answer.lock().map(|receiver| receiver.try_recv()) {
            Ok(Err(TryRecvError::Empty)) => return,
            Ok(Ok(answer)) => answer,
            Ok(Err(TryRecvError::Disconnected)) | Err(_) => None,
        };
        let (mode, quick) = (dialog.mode, dialog.since.elapsed() < FASTEST_ANSWER);
        let start = dialog.start.clone();
        self.dialog = None;
        match (answer, mode) {
            (Some(path), mode) => requests.push(mode.request(path)),
            (None, mode) if quick => panels.file_dialog = Some(in_app(mode, &start)),
            (None, _) => self.then = None,
        }
    }
}

/// Whether this desktop may be able to show native dialogs.
fn has_native_dialogs() -> bool {
    if !cfg!(target_os = "linux") {
        return true;
    }
    let has_program = |name: &str| {
        std::env::var_os("PATH")
            .is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join(name).is_file()))
    };
    std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some() || has_program("zenity")
}

fn in_app(mode: Mode, start: &Path) -> FileDialogState {
    let folder =
        folder_of(start).map(Path::to_owned).or_else(|| std::env::current_dir().ok()).unwrap_or_default();
    let name = match mode {
        Mode::Import
        | Mode::ImportScene
        | Mode::ImportPoses
        | Mode::Append
        | Mode::AddClips
        | Mode::Sound => String::new(),
        _ => file_name(start),
    };
    FileDialogState::new(mode, folder, name)
}

fn list(folder: &Path) -> Result<Vec<FileEntry>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let entry = |entry: std::fs::DirEntry| FileEntry {
        name: entry.file_name().to_string_lossy().into_owned(),
        // Follows links.
        folder: entry.path().is_dir(),
    };
    Ok(entries.flatten().map(entry).collect())
}
