//! What the file dialog remembers, and what becomes of a name that is typed. Touches no files.

use super::FileMode;
use crate::edit::request::Request;
use crate::editor::ui::list::short;
use std::path::{Path, PathBuf};

/// A file or folder in the list.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileEntry {
    pub name: String,
    pub folder: bool,
}

/// What the dialog remembers between frames.
pub struct FileDialogState {
    pub mode: FileMode,
    /// The folder that is shown.
    pub folder: PathBuf,
    pub entries: Vec<FileEntry>,
    /// As typed: a name in the folder, or a path.
    pub name: String,
    pub error: Option<String>,
    pub(super) all_files: bool,
    pub(super) folder_text: String,
    pub(super) wanted: Option<PathBuf>,
    /// The name is taken when its folder has been listed.
    pub(super) accepting: bool,
    /// Waits for "Replace?".
    pub(super) replace: Option<PathBuf>,
    /// The name has had the keyboard.
    pub(super) focused: bool,
}

impl FileDialogState {
    /// Shows `folder`, once it is listed; `name` is proposed.
    pub fn new(mode: FileMode, folder: PathBuf, name: impl Into<String>) -> Self {
        Self {
            mode,
            folder_text: folder.display().to_string(),
            wanted: Some(folder.clone()),
            folder,
            entries: Vec::new(),
            name: name.into(),
            error: None,
            all_files: false,
            accepting: false,
            replace: None,
            focused: false,
        }
    }

    /// The folder to list, if one is asked for.
    pub fn take_wanted(&mut self) -> Option<PathBuf> {
        self.wanted.take()
    }

    /// What is in `folder`, or why it cannot be listed (the folder shown before stays).
    pub fn listed(&mut self, folder: PathBuf, entries: Result<Vec<FileEntry>, String>) {
        match entries {
            Ok(mut entries) => {
                entries.sort_by_key(|e| (!e.folder, e.name.to_lowercase()));
                self.entries = entries;
                self.folder_text = folder.display().to_string();
                self.folder = folder;
                self.error = None;
            }
            Err(error) => {
                self.error = Some(error);
                self.accepting = false;
            }
        }
    }

    pub(super) fn go_to(&mut self, folder: PathBuf) {
        self.wanted = Some(folder);
        self.error = None;
    }

    pub(super) fn shows(&self, entry: &FileEntry) -> bool {
        let hidden = entry.name.starts_with('.');
        let fits = Path::new(&entry.name).extension().is_some_and(|e| {
            let mut endings = self.mode.extensions().into_iter();
            endings.any(|ending| e.eq_ignore_ascii_case(ending))
        });
        self.all_files || (!hidden && (entry.folder || fits))
    }

    /// The file of the shown folder that is meant by `name`, with its ending or without; the reason in the dialog
    /// where there is none.
    fn found(&mut self, name: &str) -> Option<String> {
        let files = || self.entries.iter().filter(|entry| !entry.folder);
        let ended = with_ending(name, self.mode.extensions()[0]);
        let meant = [name, &ended];
        let file = meant.iter().find(|name| files().any(|file| file.name == **name));
        if file.is_none() {
            let folder = self.folder.display();
            self.error = Some(format!("There is no file “{}” in {folder}.", short(name)));
        }
        file.map(|file| (*file).to_owned())
    }

    /// Takes the name as it stands. The request, once nothing is left to ask.
    pub(super) fn accept(&mut self) -> Option<Request> {
        let name = self.name.trim();
        if name.is_empty() {
            self.error = Some("Type a name, or choose a file in the list.".into());
            return None;
        }
        if self.entries.iter().any(|e| e.folder && e.name == name) {
            self.go_to(self.folder.join(name));
            self.name.clear();
            return None;
        }
        let mut path = self.folder.join(name);
        let Some(file) = path.file_name().map(|n| n.to_string_lossy().into_owned()) else {
            self.error = Some("Type a name for the file.".into());
            return None;
        };
        let file = match self.mode.writes() {
            true => with_ending(&file, self.mode.extensions()[0]),
            false => file,
        };
        path.set_file_name(&file);
        if self.mode.writes()
            && let Err(error) = self.mode.file_kind(Path::new(&file)).named(Path::new(&file))
        {
            self.error = Some(format!("{error}."));
            return None;
        }
        if let Some(parent) = path.parent().filter(|parent| *parent != self.folder) {
            // Elsewhere: look there first, lest something is replaced unasked or is not there.
            self.go_to(parent.to_owned());
            self.name = file;
            self.accepting = true;
            return None;
        }
        if !self.mode.writes() {
            return self
                .found(&file)
                .map(|file| self.mode.request(self.folder.join(file)));
        }
        if self.mode.writes_at_once()
            && self
                .entries
                .iter()
                .any(|e| !e.folder && e.name.eq_ignore_ascii_case(&file))
        {
            self.replace = Some(path);
            return None;
        }
        Some(self.mode.request(path))
    }
}

/// `file` with the ending, once: what is typed before an ending that is there already may have it too.
fn with_ending(file: &str, extension: &str) -> String {
    let ending = format!(".{extension}");
    let has_it = |file: &str| {
        let start = file.len().checked_sub(ending.len());
        start.is_some_and(|start| file.is_char_boundary(start) && file[start..].eq_ignore_ascii_case(&ending))
    };
    let mut stem = file;
    while has_it(stem) && has_it(&stem[..stem.len() - ending.len()]) {
        stem = &stem[..stem.len() - ending.len()];
    }
    match Path::new(stem).extension() {
        None => format!("{stem}{ending}"),
        Some(_) => stem.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dialog(mode: FileMode, files: &[(&str, bool)]) -> FileDialogState {
        let mut state = FileDialogState::new(mode, PathBuf::from("/scenes"), "");
        assert_eq!(state.take_wanted(), Some(PathBuf::from("/scenes")));
        let entries = files.iter().map(|(name, folder)| FileEntry {
            name: (*name).into(),
            folder: *folder,
        });
        state.listed(PathBuf::from("/scenes"), Ok(entries.collect()));
        state
    }

    #[test]
    fn folders_come_first_and_other_files_are_left_out() {
        let state = dialog(
            FileMode::Open,
            &[("b.js3d", false), ("a.txt", false), ("z", true), (".x", true)],
        );
        let shown: Vec<_> = state
            .entries
            .iter()
            .filter(|e| state.shows(e))
            .map(|e| e.name.as_str())
            .collect();
        assert_eq!(shown, ["z", "b.js3d"]);
    }

    #[test]
    fn open_takes_a_name_or_a_path() {
        let mut state = dialog(FileMode::Open, &[("a.js3d", false), ("sub", true)]);
        assert_eq!(state.accept(), None);
        assert!(state.error.is_some());
        state.name = "a.js3d".into();
        assert_eq!(state.accept(), Some(Request::OpenPath("/scenes/a.js3d".into())));
        state.name = "a".into();
        assert_eq!(state.accept(), Some(Request::OpenPath("/scenes/a.js3d".into())));
        state.name = "sub".into();
        assert_eq!(state.accept(), None);
        assert_eq!(state.take_wanted(), Some("/scenes/sub".into()));
    }

    #[test]
    fn a_name_of_no_file_stays_in_the_dialog_with_the_reason() {
        let mut state = dialog(FileMode::Open, &[("a.js3d", false)]);
        state.name = "b.js3d".into();
        assert_eq!(state.accept(), None);
        assert_eq!(
            state.error.as_deref(),
            Some("There is no file “b.js3d” in /scenes.")
        );
        // Elsewhere: once that folder is listed.
        state.name = "/other/b.js3d".into();
        assert_eq!(state.accept(), None);
        assert_eq!(state.take_wanted(), Some("/other".into()));
        let b = FileEntry {
            name: "b.js3d".into(),
            folder: false,
        };
        state.listed("/other".into(), Ok(vec![b]));
        assert_eq!(state.accept(), Some(Request::OpenPath("/other/b.js3d".into())));
    }

    #[test]
    fn the_ending_is_there_once() {
        for (typed, file) in [
            ("walk", "walk.js3d"),
            ("walk.js3d", "walk.js3d"),
            ("walk.js3d.js3d", "walk.js3d"),
            ("walk.JS3D.js3d.js3d", "walk.JS3D"),
            ("walk.v2", "walk.v2"),
            ("ä.js3d.js3d", "ä.js3d"),
        ] {
            assert_eq!(with_ending(typed, "js3d"), file, "{typed}");
        }
    }

    #[test]
    fn save_adds_the_ending_and_asks_before_it_replaces() {
        let mut state = dialog(FileMode::Save, &[("Old.js3d", false)]);
        state.name = "new".into();
        assert_eq!(state.accept(), Some(Request::SavePath("/scenes/new.js3d".into())));
        state.name = "old".into();
        assert_eq!(state.accept(), None);
        assert_eq!(state.replace, Some("/scenes/old.js3d".into()));
    }

    #[test]
    fn a_name_of_another_kind_stays_in_the_dialog_with_the_reason() {
        for (mode, name) in [(FileMode::Save, "a.obj"), (FileMode::Export, "/other/a.js3d")] {
            let mut state = dialog(mode, &[]);
            state.name = name.into();
            assert_eq!(state.accept(), None);
            assert_eq!(state.take_wanted(), None, "it goes nowhere");
            let error = state.error.unwrap();
            assert!(error.contains("would not be"), "{error}");
        }
    }

    #[test]
    fn saving_elsewhere_looks_there_first() {
        let mut state = dialog(FileMode::Save, &[]);
        state.name = "/other/x.js3d".into();
        assert_eq!(state.accept(), None);
        assert_eq!(state.take_wanted(), Some("/other".into()));
        assert!(state.accepting);
        state.listed("/other".into(), Err("No permission to read the folder".into()));
        assert!(!state.accepting && state.error.is_some());
    }
}
