//! New, open, save, quit: dialogs on threads of their own, and the question about unsaved changes.

use crate::edit::command::Command;
use crate::edit::command::keys::KeyCommand;
use crate::edit::request::{Request, SaveChanges, SaveUnkeyed};
use crate::edit::session::Session;
use crate::editor::Editor;
use crate::editor::app::overwrite::OwnFile;
use crate::editor::app::threads;
use crate::editor::app::wake::Waker;
use crate::editor::panels::PanelsState;
use crate::editor::panels::file_dialog::{FileDialogState, FileEntry, FileMode as Mode};
use crate::editor::panels::messages::Level;
use crate::io::examples::Example;
use crate::io::{durable, js3d};
use crate::scene::Scene;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

/// What waits for the answer to "Save changes?".
#[derive(Clone, Debug, PartialEq)]
pub(in crate::editor) enum Then {
    New,
    OpenExample(Example),
    OpenDialog,
    OpenPath(PathBuf),
    Quit,
}

/// File work under way.
#[derive(Default)]
pub struct FileWork {
    /// Waits for the answer to "Save changes?", or for the save that it led to.
    pub(in crate::editor) then: Option<Then>,
    /// Where to save after the answer to "Key the unkeyed changes?".
    unkeyed: Option<PathBuf>,
    /// What waits for the answer to "Replace the file?".
    pub(in crate::editor) pending: Option<(Mode, PathBuf)>,
    /// The document's file; `None` where it has none yet.
    pub(in crate::editor) own: Option<OwnFile>,
    dialog: Option<NativeDialog>,
    /// Only the dialog inside the window.
    pub(in crate::editor) inside: bool,
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

impl FileWork {
    pub(in crate::editor) fn ask(
        &mut self,
        mode: Mode,
        start: PathBuf,
        waker: &Waker,
        panels: &mut PanelsState,
    ) {
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
        Mode::Import | Mode::Append => String::new(),
        Mode::Open | Mode::Save | Mode::Export | Mode::Render(_) => file_name(start),
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

fn folder_of(path: &Path) -> Option<&Path> {
    path.parent().filter(|folder| !folder.as_os_str().is_empty())
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(
        || "untitled.js3d".into(),
        |name| name.to_string_lossy().into_owned(),
    )
}

impl Editor {
    /// Does `then` at once, or asks about unsaved changes first.
    pub(in crate::editor) fn leave_document(&mut self, then: Then, waker: &Waker) {
        self.session.cancel();
        if self.session.is_modified() {
            self.files.then = Some(then);
            self.panels.dialogs.save_changes = true;
        } else {
            self.carry_on(then, waker);
        }
    }

    pub(in crate::editor) fn answer_save_changes(&mut self, answer: SaveChanges, waker: &Waker) {
        self.panels.dialogs.save_changes = false;
        match answer {
            SaveChanges::Cancel => self.files.then = None,
            SaveChanges::Discard => {
                if let Some(then) = self.files.then.take() {
                    self.carry_on(then, waker);
                }
            }
            SaveChanges::Save => self.save(waker),
        }
    }

    pub(in crate::editor) fn answer_save_unkeyed(&mut self, answer: SaveUnkeyed, waker: &Waker) {
        self.panels.dialogs.save_unkeyed = false;
        let path = self.files.unkeyed.take();
        match answer {
            SaveUnkeyed::Cancel => {
                self.files.then = None;
                return;
            }
            SaveUnkeyed::Key => {
                let (channels, frame) = (self.session.unkeyed().iter().collect(), self.session.frame());
                let command = Command::Keys(KeyCommand::Set { channels, frame });
                if let Err(error) = self.session.apply(&[command]) {
                    self.files.then = None;
                    let text = "The scene was not saved";
                    self.panels.messages.push(Level::Error, text, error.to_string());
                    return;
                }
            }
            SaveUnkeyed::Keep => drop(self.session.dismiss_unkeyed()),
        }
        self.refresh();
        if let Some(path) = path {
            self.save_to(&path, waker);
        }
    }

    fn carry_on(&mut self, then: Then, waker: &Waker) {
        match then {
            Then::New => {
                self.session = Session::new(Scene::default(), None);
                self.files.own = None;
                self.viewport.document_opened();
                self.panels.timeline.document_opened();
                self.refresh();
            }
            Then::OpenExample(example) => self.open_example(example),
            Then::OpenDialog => {
                let start = self.session.path().map(Path::to_owned).unwrap_or_default();
                self.files.ask(Mode::Open, start, waker, &mut self.panels);
            }
            Then::OpenPath(path) => {
                self.open_path(&path);
            }
            Then::Quit => self.quit = true,
        }
    }

    pub(in crate::editor) fn save(&mut self, waker: &Waker) {
        match self.session.path().map(Path::to_owned) {
            Some(path) => self.save_to(&path, waker),
            None => self.save_as(waker),
        }
    }

    pub(in crate::editor) fn save_as(&mut self, waker: &Waker) {
        let start = self.session.path().map(Path::to_owned).unwrap_or_default();
        self.files.ask(Mode::Save, start, waker, &mut self.panels);
    }

    /// Saves, unless something has to be asked first.
    pub(in crate::editor) fn save_to(&mut self, path: &Path, waker: &Waker) {
        self.session.commit();
        if !self.session.unkeyed().is_empty() {
            // The keys would count when the file is opened again.
            self.files.unkeyed = Some(path.to_path_buf());
            self.panels.dialogs.save_unkeyed = true;
            return;
        }
        if let Some(path) = self.may_write(Mode::Save, path) {
            self.write_scene(path, waker);
        }
    }

    /// Saves without asking.
    pub(in crate::editor) fn write_scene(&mut self, path: PathBuf, waker: &Waker) {
        let shown = path.display().to_string();
        let result = js3d::write(self.session.scene())
            .map_err(|error| error.to_string())
            .and_then(|bytes| {
                let saved = durable::save(&path, &bytes).map_err(|error| error.to_string())?;
                Ok((saved, OwnFile::saved(&path, &bytes)))
            });
        match result {
            Ok((saved, own)) => {
                self.files.own = Some(own);
                self.session.saved_as(path);
                let text = format!("Saved {}", self.session.title());
                match saved.note() {
                    None => self.panels.messages.push(Level::Info, text, shown),
                    Some(note) => {
                        let details = format!("{shown}: {note}");
                        self.panels.messages.push(Level::Warning, text, details);
                    }
                }
                if let Some(then) = self.files.then.take() {
                    self.carry_on(then, waker);
                }
            }
            Err(error) => {
                self.files.then = None;
                self.panels
                    .messages
                    .push(Level::Error, "The scene was not saved", error);
            }
        }
    }
}
