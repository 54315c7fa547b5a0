//! The state of the file dialog, and the handling of typed names. Accesses no files.

use super::FileMode;
use crate::edit::request::Request;
use crate::editor::ui::list::shorten;
use std::path::{Path, PathBuf};

/// A file or folder in the list.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileEntry {
    pub name: String,
    pub folder: bool,
}

/// The state of the dialog between frames.
pub struct FileDialogState {
    pub mode: FileMode,
    /// The folder whose entries are shown.
    pub folder: PathBuf,
    pub entries: Vec<FileEntry>,
    /// The typed text: a name in the folder, or a path.
    pub name: String,
    pub error: Option<String>,
    pub(super) all_files: bool,
    pub(super) folder_text: String,
    /// The folder to be listed next.
    pub(super) folder_request: Option<PathBuf>,
    /// Whether the name is to be accepted once its folder has been listed.
    pub(super) accepting: bool,
    /// The file that "Replace?" asks about.
    pub(super) replace: Option<PathBuf>,
    /// Whether the name field has been given the keyboard focus.
    pub(super) focused: bool,
}

impl FileDialogState {
    /// Creates a dialog that shows `folder` once it is listed, and proposes `name`.
    pub fn new(mode: FileMode, folder: PathBuf, name: impl Into<String>) -> Self {
        Self {
            mode,
            folder_text: folder.display().to_string(),
            folder_request: Some(folder.clone()),
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

    /// Takes the folder that the caller is to list, if any.
    pub fn take_folder_request(&mut self) -> Option<PathBuf> {
        self.folder_request.take()
    }

    /// Shows the entries of `folder`, or the error if it cannot be listed (the previous folder stays).
    pub fn set_entries(&mut self, folder: PathBuf, entries: Result<Vec<FileEntry>, String>) {
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
        self.folder_request = Some(folder);
        self.error = None;
    }

    pub(super) fn shows(&self, entry: &FileEntry) -> bool {
        let hidden = entry.name.starts_with('.');
        let matches = Path::new(&entry.name).extension().is_some_and(|e| {
            let mut endings = self.mode.extensions().into_iter();
            endings.any(|ending| e.eq_ignore_ascii_case(ending))
        });
        self.all_files || (!hidden && (entry.folder || matches))
    }

    /// Finds the file in the shown folder that `name` refers to, with or without its extension; sets the
    /// error if there is none.
    fn resolve_name(&mut self, name: &str) -> Option<String> {
        let files = || self.entries.iter().filter(|entry| !entry.folder);
        let with_ending = with_ending(name, self.mode.extensions()[0]);
        let candidates = [name, &with_ending];
        let file = candidates.iter().find(|name| files().any(|file| file.name == **name));
        if file.is_none() {
            let folder = self.folder.display();
            self.error = Some(format!("There is no file “{}” in {folder}.", shorten(name)));
        }
        file.map(|file| (*file).to_owned())
    }

    /// Accepts the name as typed. Returns the request, unless a folder must be listed or a question answered
    /// first.
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
        let file = if self.mode.writes() { with_ending(&file, self.mode.extensions()[0]) } else { file };
        path.set_file_name(&file);
        if self.mode.writes()
            && let Err(error) = self.mode.file_kind(Path::new(&file)).with_extension(Path::new(&file))
        {
            self.error = Some(format!("{error}."));
            return None;
        }
        if let Some(parent) = path.parent().filter(|parent| *parent != self.folder) {
            // Another folder: list it first, to ask before replacing a file and to check that a file exists.
            self.go_to(parent.to_owned());
            self.name = file;
            self.accepting = true;
            return None;
        }
        if !self.mode.writes() {
            return self.resolve_name(&file).map(|file| self.mode.request(self.folder.join(file)));
        }
        if self.mode.writes_at_once()
            && self.entries.iter().any(|e| !e.folder && e.name.eq_ignore_ascii_case(&file))
        {
            self.replace = Some(path);
            return None;
        }
        Some(self.mode.request(path))
    }
}

/// Returns `file` with the extension exactly once, removing repetitions.
fn with_ending(file: &str, extension: &str) -> String {
    let ending = format!(".{extension}");
    let has_ending = |file: &str| {
        let start = file.len().checked_sub(ending.len());
        start.is_some_and(|start| file.is_char_boundary(start) && file[start..].eq_ignore_ascii_case(&ending))
    };
    let mut stem = file;
    while has_ending(stem) && has_ending(&stem[..stem.len() - ending.len()]) {
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
        assert_eq!(state.take_folder_request(), Some(PathBuf::from("/scenes")));
        let entries = files.iter().map(|(name, folder)| FileEntry { name: (*name).into(), folder: *folder });
        state.set_entries(PathBuf::from("/scenes"), Ok(entries.collect()));
        state
    }

    #[test]
    fn folders_come_first_and_other_files_are_left_out() {
        let state = dialog(FileMode::Open, &[("b.js3d", false), ("a.txt", false), ("z", true), (".x", true)]);
        let shown: Vec<_> =
            state.entries.iter().filter(|e| state.shows(e)).map(|e| e.name.as_str()).collect();
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
        assert_eq!(state.take_folder_request(), Some("/scenes/sub".into()));
    }

    #[test]
    fn a_missing_file_keeps_the_dialog_open_with_the_reason() {
        let mut state = dialog(FileMode::Open, &[("a.js3d", false)]);
        state.name = "b.js3d".into();
        assert_eq!(state.accept(), None);
        assert_eq!(state.error.as_deref(), Some("There is no file “b.js3d” in /scenes."));
        // In another folder, once that is listed.
        state.name = "/other/b.js3d".into();
        assert_eq!(state.accept(), None);
        assert_eq!(state.take_folder_request(), Some("/other".into()));
        let b = FileEntry { name: "b.js3d".into(), folder: false };
        state.set_entries("/other".into(), Ok(vec![b]));
        assert_eq!(state.accept(), Some(Request::OpenPath("/other/b.js3d".into())));
    }

    #[test]
    fn the_extension_appears_once() {
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
    fn a_wrong_extension_keeps_the_dialog_open_with_the_reason() {
        for (mode, name) in [(FileMode::Save, "a.obj"), (FileMode::Export, "/other/a.js3d")] {
            let mut state = dialog(mode, &[]);
            state.name = name.into();
            assert_eq!(state.accept(), None);
            assert_eq!(state.take_folder_request(), None, "no folder is listed");
            let error = state.error.unwrap();
            assert!(error.contains("has the extension of"), "{error}");
        }
    }

    #[test]
    fn saving_to_another_folder_lists_it_first() {
        let mut state = dialog(FileMode::Save, &[]);
        state.name = "/other/x.js3d".into();
        assert_eq!(state.accept(), None);
        assert_eq!(state.take_folder_request(), Some("/other".into()));
        assert!(state.accepting);
        state.set_entries("/other".into(), Err("No permission to read the folder".into()));
        assert!(!state.accepting && state.error.is_some());
    }
}
