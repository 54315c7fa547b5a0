//! The file dialog inside the window, for where the system has none. It touches no files: the caller
//! lists the folder that [`FileDialogState::take_wanted`] names and hands the list to
//! [`FileDialogState::listed`].

use super::dialogs::{accented, modal, tall};
use crate::edit::render::Format;
use crate::edit::request::Request;
use crate::editor::ui::list::{Row, row_ui, short};
use crate::editor::ui::row::line_edit;
use crate::editor::ui::{icons, theme};
use egui::{Button, Checkbox, Context, Frame, Id, Key, Layout, RichText, ScrollArea, Ui};
use egui::{WidgetInfo, WidgetType};
use std::path::{Path, PathBuf};

/// What a file is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileMode {
    Open,
    Save,
    Import,
    Append,
    Export,
    /// Where pictures go: chosen here, written later.
    Render(Format),
}

impl FileMode {
    pub const ALL: [FileMode; 8] = [
        FileMode::Open,
        FileMode::Save,
        FileMode::Import,
        FileMode::Append,
        FileMode::Export,
        FileMode::Render(Format::Png),
        FileMode::Render(Format::Gif),
        FileMode::Render(Format::Mp4),
    ];

    /// Whether the file is written.
    pub fn writes(self) -> bool {
        matches!(self, FileMode::Save | FileMode::Export | FileMode::Render(_))
    }

    /// Whether the file is written as soon as it is chosen.
    fn writes_at_once(self) -> bool {
        self.writes() && !matches!(self, FileMode::Render(_))
    }

    /// Ending of the files that it is about.
    pub fn extension(self) -> &'static str {
        match self {
            FileMode::Open | FileMode::Save | FileMode::Append => "js3d",
            FileMode::Import | FileMode::Export => "obj",
            FileMode::Render(format) => format.extension(),
        }
    }

    /// What such files hold, for the filter of the system's dialog.
    pub fn kind(self) -> &'static str {
        match self {
            FileMode::Open | FileMode::Save | FileMode::Append => "js3d scenes",
            FileMode::Import | FileMode::Export => "OBJ meshes",
            FileMode::Render(Format::Png) => "PNG pictures",
            FileMode::Render(Format::Gif) => "GIFs",
            FileMode::Render(Format::Mp4) => "MP4 films",
        }
    }

    fn verb(self) -> &'static str {
        match self {
            FileMode::Open => "Open",
            FileMode::Save => "Save",
            FileMode::Import => "Import",
            FileMode::Append => "Append",
            FileMode::Export => "Export",
            FileMode::Render(_) => "Choose",
        }
    }

    fn title(self) -> &'static str {
        match self {
            FileMode::Open => "Open a scene",
            FileMode::Save => "Save the scene",
            FileMode::Import => "Import an OBJ mesh",
            FileMode::Append => "Append a scene",
            FileMode::Export => "Export the mesh as OBJ",
            FileMode::Render(Format::Png) => "Where the pictures go",
            FileMode::Render(_) => "Where the animation goes",
        }
    }

    /// What is asked of the application once there is a path.
    pub fn request(self, path: PathBuf) -> Request {
        match self {
            FileMode::Open => Request::OpenPath(path),
            FileMode::Save => Request::SavePath(path),
            FileMode::Import => Request::ImportPath(path),
            FileMode::Append => Request::AppendPath(path),
            FileMode::Export => Request::ExportPath(path),
            FileMode::Render(_) => Request::RenderTo(path),
        }
    }
}

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
    all_files: bool,
    folder_text: String,
    wanted: Option<PathBuf>,
    /// The name is taken when its folder has been listed.
    accepting: bool,
    /// Waits for "Replace?".
    replace: Option<PathBuf>,
    /// The name has had the keyboard.
    focused: bool,
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

    fn go_to(&mut self, folder: PathBuf) {
        self.wanted = Some(folder);
        self.error = None;
    }

    fn shows(&self, entry: &FileEntry) -> bool {
        let hidden = entry.name.starts_with('.');
        let fits = Path::new(&entry.name)
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case(self.mode.extension()));
        self.all_files || (!hidden && (entry.folder || fits))
    }

    /// The file of the shown folder that is meant by `name`, with its ending or without; the reason in the dialog
    /// where there is none.
    fn found(&mut self, name: &str) -> Option<String> {
        let files = || self.entries.iter().filter(|entry| !entry.folder);
        let ended = with_ending(name, self.mode.extension());
        let meant = [name, &ended];
        let file = meant.iter().find(|name| files().any(|file| file.name == **name));
        if file.is_none() {
            let folder = self.folder.display();
            self.error = Some(format!("There is no file “{}” in {folder}.", short(name)));
        }
        file.map(|file| (*file).to_owned())
    }

    /// Takes the name as it stands. The request, once nothing is left to ask.
    fn accept(&mut self) -> Option<Request> {
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
            true => with_ending(&file, self.mode.extension()),
            false => file,
        };
        path.set_file_name(&file);
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

/// The dialog. True once it is done with: a path was asked for, or nothing is wanted.
pub fn file_dialog_ui(ctx: &Context, state: &mut FileDialogState, out: &mut Vec<Request>) -> bool {
    let mut request = None;
    if state.accepting && state.wanted.is_none() {
        state.accepting = false;
        request = state.accept();
    }
    let mut cancelled = false;
    let modal = modal("file dialog").show(ctx, |ui| {
        let room = ui.ctx().content_rect().size();
        ui.set_width(560.0_f32.min(room.x - 60.0));
        match state.replace.clone() {
            Some(path) => replace_ui(ui, state, &path, &mut request),
            None => (request, cancelled) = choose_ui(ui, state, room.y, request.take()),
        }
    });
    // Esc goes back from "Replace?", and else leaves the dialog.
    if request.is_none() && modal.should_close() && state.replace.take().is_none() {
        cancelled = true;
    }
    let done = cancelled || request.is_some();
    out.extend(request);
    done
}

fn replace_ui(ui: &mut Ui, state: &mut FileDialogState, path: &Path, request: &mut Option<Request>) {
    let name = path
        .file_name()
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default();
    ui.heading("Replace the file?");
    ui.add_space(theme::GAP);
    ui.label(format!(
        "“{}” is already in this folder. Saving replaces what is in it.",
        short(&name)
    ));
    ui.add_space(theme::GAP * 2.0);
    ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
        if ui.add(accented("Replace")).clicked() {
            *request = Some(state.mode.request(path.to_owned()));
        }
        if ui.add(tall("Back")).clicked() {
            state.replace = None;
        }
    });
}

fn choose_ui(
    ui: &mut Ui,
    state: &mut FileDialogState,
    height: f32,
    mut request: Option<Request>,
) -> (Option<Request>, bool) {
    let verb = state.mode.verb();
    ui.heading(state.mode.title());
    ui.add_space(theme::GAP);
    folder_ui(ui, state);
    let chosen = list_ui(ui, state, (height - 300.0).clamp(60.0, 320.0));
    if let Some(error) = &state.error {
        ui.label(RichText::new(error).color(theme::ERROR));
    }
    let entered = name_ui(ui, state);
    ui.add_space(theme::GAP);
    let mut cancelled = false;
    let mut accepted = chosen || entered;
    ui.horizontal(|ui| {
        let tick = ui.add(Checkbox::new(&mut state.all_files, "All files"));
        let ending = state.mode.extension();
        tick.on_hover_text(format!("Also list files that do not end in .{ending}"));
        ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
            accepted |= ui.add(accented(verb)).clicked();
            cancelled = ui.add(tall("Cancel")).clicked();
        });
    });
    if accepted && request.is_none() {
        request = state.accept();
    }
    (request, cancelled)
}

fn folder_ui(ui: &mut Ui, state: &mut FileDialogState) {
    ui.horizontal(|ui| {
        let parent = state.folder.parent().map(Path::to_owned);
        let up = ui.add_enabled(parent.is_some(), Button::new(icons::UP));
        up.widget_info(|| WidgetInfo::labeled(WidgetType::Button, parent.is_some(), "Parent folder"));
        let up = up
            .on_hover_text("Parent folder")
            .on_disabled_hover_text("This is the topmost folder");
        if let Some(parent) = parent.filter(|_| up.clicked()) {
            state.go_to(parent);
        }
        let width = ui.available_width();
        let edit = ui.add(line_edit(&mut state.folder_text, width));
        ui.ctx()
            .accesskit_node_builder(edit.id, |node| node.set_label("Folder"));
        if edit.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter)) {
            state.go_to(PathBuf::from(state.folder_text.trim()));
        }
    });
}

/// Whether an entry was chosen for good (a double-click).
fn list_ui(ui: &mut Ui, state: &mut FileDialogState, height: f32) -> bool {
    let mut chosen = false;
    let mut enter = None;
    let mut name = None;
    Frame::new()
        .fill(theme::FIELD)
        .corner_radius(theme::RADIUS)
        .inner_margin(4)
        .show(ui, |ui| {
            ScrollArea::vertical()
                .max_height(height)
                .min_scrolled_height(height)
                .auto_shrink(false)
                .show(ui, |ui| {
                    ui.spacing_mut().item_spacing.y = 0.0;
                    let shown: Vec<_> = state.entries.iter().filter(|e| state.shows(e)).collect();
                    if shown.is_empty() {
                        ui.weak(format!("No {} in this folder.", state.mode.kind()));
                    }
                    for entry in &shown {
                        let row = Row {
                            id: Id::new(("entry", &entry.name, entry.folder)),
                            label: format!("{} {}", if entry.folder { "Folder" } else { "File" }, entry.name),
                            text: &entry.name,
                            icon: if entry.folder { icons::FOLDER } else { icons::FILE },
                            tooltip: "",
                            indent: 0,
                            selected: entry.name == state.name,
                            quiet: false,
                            open: None,
                            shown: None,
                            reserved: 0.0,
                            carries: false,
                        };
                        let output = row_ui(ui, &row, shown.len() > super::outliner::MANY);
                        if output.double_clicked && entry.folder {
                            enter = Some(state.folder.join(&entry.name));
                        } else if output.clicked || output.double_clicked {
                            name = Some(entry.name.clone());
                            chosen = output.double_clicked;
                        }
                    }
                });
        });
    if let Some(name) = name {
        state.name = name;
    }
    if let Some(folder) = enter {
        state.go_to(folder);
        state.name.clear();
    }
    chosen
}

/// Whether Enter was pressed in it.
fn name_ui(ui: &mut Ui, state: &mut FileDialogState) -> bool {
    ui.add_space(theme::GAP);
    ui.horizontal(|ui| {
        ui.weak("Name");
        let width = ui.available_width();
        let edit = line_edit(&mut state.name, width).hint_text("A name, or a path");
        let edit = ui.add(edit);
        if !std::mem::replace(&mut state.focused, true) {
            edit.request_focus();
            let stem_alone = state.mode.writes();
            select_name(ui, edit.id, &state.name, stem_alone);
        }
        ui.ctx()
            .accesskit_node_builder(edit.id, |node| node.set_label("File name"));
        edit.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter))
    })
    .inner
}

/// Typing replaces the proposed name; not its ending, where a new name is asked for.
fn select_name(ui: &Ui, id: Id, name: &str, stem_alone: bool) {
    let stem = Path::new(name).file_stem().filter(|_| stem_alone);
    let end = stem.map_or(name.chars().count(), |stem| {
        stem.to_string_lossy().chars().count()
    });
    let range = egui::text::CCursorRange::two(egui::text::CCursor::new(0), egui::text::CCursor::new(end));
    let mut state = egui::text_edit::TextEditState::load(ui.ctx(), id).unwrap_or_default();
    state.cursor.set_char_range(Some(range));
    state.store(ui.ctx(), id);
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
