//! File work under way: dialogs on threads of their own, and what waits for the answer to a question.

use crate::edit::request::Request;
use crate::edit::session::Session;
use crate::editor::app::folders::{file_name, folder_of};
use crate::editor::app::own_file::OwnFile;
use crate::editor::app::read_job::ReadResult;
use crate::editor::app::wake::Waker;
use crate::editor::panels::PanelsState;
use crate::editor::panels::file_dialog::{FileDialogState, FileEntry, FileMode as Mode};
use crate::editor::threads;
use crate::io::examples::Example;
use crate::scene::Scene;
use bevy::prelude::Resource;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

/// What waits for the answer to "Save changes?".
#[derive(Clone, Debug, PartialEq)]
pub enum AfterClose {
    New,
    OpenExample(Example),
    OpenDialog,
    OpenPath(PathBuf),
    /// A session that was lost.
    Recover(String),
    Quit,
}

/// File work under way.
#[derive(Resource, Default)]
pub struct Files {
    /// Waits for the answer to "Save changes?", or for the save that it led to.
    pub then: Option<AfterClose>,
    /// Where to save after the answer to "Key the unkeyed changes?".
    pub unkeyed: Option<PathBuf>,
    /// What waits for the answer to "Replace the file?".
    pub pending: Option<(Mode, PathBuf)>,
    /// The document's file; `None` where it has none yet.
    pub own: Option<OwnFile>,
    dialog: Option<NativeDialog>,
    /// A file that was read, to be put in place.
    pub arrived: Option<Box<ReadResult>>,
    /// What the window began with, if that is no file.
    pub sample: Option<Scene>,
    /// Only the dialog inside the window.
    pub inside: bool,
    /// The window may close.
    pub quit: bool,
}

struct NativeDialog {
    mode: Mode,
    answer: std::sync::Mutex<Receiver<Option<PathBuf>>>,
    since: Instant,
    /// Where the in-app dialog starts if there is no native one.
    start: PathBuf,
}

/// A native dialog that is gone sooner than a person can close it was never there.
const NO_DIALOG: Duration = Duration::from_millis(400);

impl Files {
    /// `inside`: there is no desktop, dialogs open in the window. `session`: what the window begins with.
    pub fn new(inside: bool, session: &Session) -> Self {
        Self {
            inside,
            sample: session.path().is_none().then(|| session.scene().clone()),
            ..Self::default()
        }
    }

    /// Whether the document is what the window began with, and nobody has done anything to it.
    pub fn is_untouched_sample(&self, session: &Session) -> bool {
        let sample = self.sample.as_ref();
        let is_sample = sample.is_some_and(|sample| sample.is_shared(session.scene()));
        is_sample && session.path().is_none() && session.history().entries().is_empty()
    }

    pub fn ask(&mut self, mode: Mode, start: PathBuf, waker: &Waker, panels: &mut PanelsState) {
        if self.inside || !native_dialogs() {
            panels.file_dialog = Some(in_app(mode, &start));
            return;
        }
        let (sender, receiver) = channel();
        let (waker, from) = (waker.clone(), start.clone());
        let asked = threads::spawn(move || {
            let mut dialog = rfd::FileDialog::new().add_filter(mode.nouns(), &mode.extensions());
            if let Some(folder) = folder_of(&from) {
                dialog = dialog.set_directory(folder);
            }
            let answer = match mode.writes() {
                false => dialog.pick_file(),
                true => dialog.set_file_name(file_name(&from)).save_file(),
            };
            // The window may be gone by now.
            let _ = sender.send(answer);
            waker.now();
        });
        if asked.is_err() {
            panels.file_dialog = Some(in_app(mode, &start));
            return;
        }
        let answer = std::sync::Mutex::new(receiver);
        self.dialog = Some(NativeDialog {
            mode,
            answer,
            since: Instant::now(),
            start,
        });
    }

    /// Takes the answer of a native dialog if it is there; lists folders for the in-app one.
    pub fn poll(&mut self, requests: &mut Vec<Request>, panels: &mut PanelsState) {
        if let Some(dialog) = &mut panels.file_dialog
            && let Some(folder) = dialog.take_wanted()
        {
            let entries = list(&folder);
            dialog.listed(folder, entries);
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
        let (mode, quick) = (dialog.mode, dialog.since.elapsed() < NO_DIALOG);
        let start = dialog.start.clone();
        self.dialog = None;
        match (answer, mode) {
            (Some(path), mode) => requests.push(mode.request(path)),
            (None, mode) if quick => panels.file_dialog = Some(in_app(mode, &start)),
            (None, _) => self.then = None,
        }
    }
}

/// Whether anything may answer a native dialog on this desktop.
fn native_dialogs() -> bool {
    if !cfg!(target_os = "linux") {
        return true;
    }
    let program = |name: &str| {
        std::env::var_os("PATH")
            .is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join(name).is_file()))
    };
    std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some() || program("zenity")
}

fn in_app(mode: Mode, start: &Path) -> FileDialogState {
    let folder = folder_of(start)
        .map(Path::to_owned)
        .or_else(|| std::env::current_dir().ok())
        .unwrap_or_default();
    let name = match mode {
        Mode::Import | Mode::ImportScene | Mode::ImportPoses | Mode::Append => String::new(),
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
